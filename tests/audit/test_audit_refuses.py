import re

import pytest
from claims import claim

from replicability import audit, checks


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: audit.count(claim("x"), ["0.1"], 0.05, "count"), "'x' is not a printed whole"),
        (lambda: audit.marks(claim(""), ["q"], ["p"], ["0.1"], 0.05), "t: dataset 'q' is not one"),
        (lambda: audit.listed(claim(""), ["q"], ["p"], ["0.1"], 0.05), "t: dataset 'q' is not one"),
        (lambda: audit.granularity(claim("0.5"), 0), "n is 0, but a number of items"),
        (lambda: audit.granularity(claim("80.5"), 9), "'80.5' is no share of items"),
        (lambda: audit.mcnemar(claim("0.1"), "0.123", "0.5", 10), "gives 0.123"),
        (lambda: audit.derived(claim("1"), "sums", ["1"]), "did you mean 'sum'?"),
        (lambda: audit.wilson(claim("1"), "0.5", 9, "up"), "limit 'up' is not one of low, high"),
        (lambda: audit.signed_rank(claim("0.1"), 40), "n is 40; the check takes 1 to 25"),
        (lambda: audit.either_of_two(0.05, 1.0), "rho is 1.0"),
        (lambda: audit.judge(claim("1"), "1", "fine", "."), "verdict 'fine' is not one of"),
        (
            lambda: audit.judge(claim("1"), "1", audit.UNCHECKED, ".", "sum"),
            "kind 'sum' is not one of",
        ),
        (
            lambda: audit.direction(claim("0.1"), "1", "2", "AB", "wilcoxson"),
            "did you mean 'wilcoxon'?",
        ),
        (lambda: audit.side(claim("0.1"), "1", "2", "AB", "t"), "test 't' is not one of"),
        (
            lambda: audit.one_sided(claim("0.1"), ["0.1"], ["1"], ["2"], "AB", "t"),
            "test 't' is not one of",
        ),
        (lambda: audit.printed_pvalues([]), "A column of p-values is empty"),
        (lambda: audit.monte_carlo(claim("0.1"), 1.2, 9), "pvalues[0] is 1.2, "),
    ],
)
def test_more_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=re.escape(message)):
        call()
