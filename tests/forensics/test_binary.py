import numpy as np
import pytest
from claims import claim
from scipy import stats

from replicability import forensics


@pytest.mark.slow
def test_mcnemar_range_contains_every_test_of_outputs():
    rng = np.random.default_rng(4)
    for _ in range(30):
        a, b = rng.random((2, 60)) < [[0.8], [0.7]]
        wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
        p = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        printed = f"{p:.4f}" if p >= 1e-4 else f"{p:.2e}"
        found = forensics.mcnemar(claim(printed), f"{a.mean():.4f}", f"{b.mean():.4f}", 60)
        assert found.grade == forensics.UNCHECKED
        assert "exact two-sided" in found.sentence


def test_mcnemar_where_the_accuracies_leave_no_choice():
    form = {"variants": ["exact"], "alternatives": ["two-sided"]}
    found = forensics.mcnemar(claim("<0.05"), "0.990", "0.950", 1000, **form)
    assert found.grade == forensics.REPRODUCED
    largest = stats.binomtest(50, 60).pvalue  # all 10 and 50 errors on different items
    ranges = forensics.mcnemar_range("0.990", "0.950", 1000, **form)
    assert ranges["p_value"].max() == pytest.approx(largest)


def test_mcnemar_pairs():
    found = forensics.mcnemar_pairs("p", "s", "abc", ["0.99", "0.95", "0.94"], 100, "<0.05")
    assert [v.claim for v in found] == [
        "p-value of a against b",
        "p-value of a against c",
        "p-value of b against c",
    ]
