import re

import pytest
from claims import claim

from replicability import checks, forensics


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: forensics.count(claim("x"), ["0.1"], 0.05, "count"), "'x' is not a printed whole"),
        (
            lambda: forensics.marks(claim(""), ["q"], ["p"], ["0.1"], 0.05),
            "t: dataset 'q' is not one",
        ),
        (
            lambda: forensics.listed(claim(""), ["q"], ["p"], ["0.1"], 0.05),
            "t: dataset 'q' is not one",
        ),
        (lambda: forensics.granularity(claim("0.5"), 0), "n is 0, but the number of items must be"),
        (lambda: forensics.granularity(claim("80.5"), 9), "'80.5' is not a proportion of items"),
        (lambda: forensics.mcnemar(claim("0.1"), "0.123", "0.5", 10), "gives 0.123"),
        (lambda: forensics.derived(claim("1"), "sums", ["1"]), "did you mean 'sum'?"),
        (
            lambda: forensics.wilson(claim("1"), "0.5", 9, "up"),
            "limit 'up' is not one of low, high",
        ),
        (
            lambda: forensics.signed_rank(claim("0.1"), 40),
            "n is 40, but this check supports 1 to 25",
        ),
        (lambda: forensics.either_of_two(0.05, 1.0), "rho is 1.0"),
        (lambda: forensics.judge(claim("1"), "1", "fine", "."), "verdict 'fine' is not one of"),
        (
            lambda: forensics.judge(claim("1"), "1", forensics.UNCHECKED, ".", "sum"),
            "kind 'sum' is not one of",
        ),
        (
            lambda: forensics.direction(claim("0.1"), "1", "2", "AB", "wilcoxson"),
            "did you mean 'wilcoxon'?",
        ),
        (lambda: forensics.weigh_readings({}), "readings is empty"),
        (lambda: forensics.printed_pvalues([]), "The column of p-values is empty"),
        (lambda: forensics.monte_carlo(claim("0.1"), 1.2, 9), "pvalues[0] is 1.2, "),
    ],
)
def test_more_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=re.escape(message)):
        call()
