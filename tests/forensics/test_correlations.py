import re

import numpy as np
import pytest

from replicability import forensics
from replicability.stats import gold_ratings


@pytest.mark.slow
def test_correlation_range_contains_every_test_of_ratings():
    rng = np.random.default_rng(3)
    for _ in range(50):
        gold, a, b = rng.normal(size=(3, 30))
        a, b = a + gold, b + 0.5 * gold
        r = gold_ratings.correlations(gold, a, b)
        ranges = forensics.correlation_range(f"{r.r_jk:.4f}", f"{r.r_jh:.4f}", 30)
        for row in ranges.itertuples():
            p = forensics.CORRELATION_TESTS[row.test](
                r.r_jk, r.r_jh, r.r_kh, 30, alternative=row.alternative
            ).pvalue
            assert row.low - 1e-9 <= p <= row.high + 1e-3


def test_exchanges_of_rows_use_the_digits_of_the_column():
    # 0.0021 is possible of 780 items for correlations of three digits, not of four.
    at = ["d", "e"], ["0.0021", "1e-10"], ["0.796", "0.8221"], ["0.7362", "0.7773"]
    found = forensics.correlation_column("p", "t", *at, {"d": 780, "e": 30})
    assert found[0].grade == forensics.IMPOSSIBLE
    assert "exchanging one pair of rows makes every p-value" in found[0].sentence
    assert "this row is exchanged with d" in found[1].sentence


@pytest.mark.slow
def test_dropped_zeros_belong_to_the_correlations_of_a_column():
    at = ["d", "e"], ["0.0021", "0.5"], ["0.796", "0.5"], ["0.7362", "0.4999"]
    found = forensics.correlation_column("p", "t", *at, {"d": 3000, "e": 50})[0]
    assert found.grade == forensics.IMPOSSIBLE
    (most,) = re.findall(r"at most ([\d,]+) items", found.sentence)
    most, printed = int(most), forensics.printed_interval("0.0021")
    for n, possible in ((most, True), (most + 1, False)):
        ranges = forensics.correlation_range("0.7960", "0.7362", n)
        fits = (ranges["low"] <= printed.high) & (printed.low <= ranges["high"])
        assert fits.any() == possible


@pytest.mark.slow
def test_items_that_may_be_left_out_are_a_reading():
    at = "p", "t", ["d"], ["0.0021"], ["0.796"], ["0.7362"]
    (all_,) = forensics.correlation_column(*at, {"d": 3000})
    (some,) = forensics.correlation_column(*at, {"d": 3000}, fewer=True)
    assert (all_.verdict, some.verdict) == (forensics.IMPOSSIBLE, forensics.DEPENDS)
    (most,) = re.findall(r"at most ([\d,]+) items", all_.sentence)
    assert some.readings == f"on all 3,000 items: impossible; on at most {most} items: possible"
    # A difference of one hundredth is never significant at 1e-300, however few the items.
    never = "p", "t", ["d"], ["1e-300"], ["0.51"], ["0.50"]
    (found,) = forensics.correlation_column(*never, {"d": 50}, fewer=True)
    assert found.verdict == forensics.IMPOSSIBLE
    # What is possible on all items needs no other reading.
    (open_,) = forensics.correlation_column(*at, {"d": 300}, fewer=True)
    assert (open_.verdict, open_.readings) == (forensics.UNCHECKED, "")


def test_exchanges():
    assert forensics.exchanges(np.eye(3)) == [[]]
    assert forensics.exchanges([[False, False], [True, True]]) == []
    # Rows 0 and 1 go wrong; only 2 and 3 can take their values and give theirs.
    possible = np.ones((4, 4), dtype=bool)
    possible[:2, :2] = False
    assert forensics.exchanges(possible) == [[(0, 2), (1, 3)], [(0, 3), (1, 2)]]
