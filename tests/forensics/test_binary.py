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


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_accuracies_bound_the_p_value_of_all_outputs(alternative):
    rng = np.random.default_rng(8)
    for _ in range(40):
        n = int(rng.integers(3, 80))
        a, b = (f"{rng.integers(0, n + 1) / n:.2f}" for _ in "ab")
        p = forensics.mcnemar_range(a, b, n, 0.01, ["exact"], [alternative])["p_value"]
        found = forensics.accuracy_pvalues([a], [b], [n], alternative).iloc[0]
        assert found["largest"] == pytest.approx(p.max(), rel=1e-12)
        assert found["smallest"] == pytest.approx(p.min(), rel=1e-12)


def test_accuracies_of_known_counts():
    # binom.test(c(8, 0), alternative = "greater")$p.value is 2^-8; 8 of 10 and 0 of 10 leave one
    # table. For 5 and 5 of 10 they disagree on 0 to 10 items: 1, and P(X >= 5 | 10) = 0.6230469.
    found = forensics.accuracy_pvalues(["0.8", "0.5"], ["0.0", "0.5"], [10, 10])
    assert found["largest"].tolist() == [2.0**-8, 1.0]
    assert found["smallest"].tolist() == pytest.approx([2.0**-8, 0.623046875])


def test_an_impossible_accuracy_tells_nothing():
    (row,) = forensics.accuracy_pvalues(["0.333"], ["0.1"], [10]).to_dict("records")
    assert row["largest"] == 1 and 0 < row["smallest"] < 1e-300


def test_accuracies_of_many_items_end_in_a_p_value_above_zero():
    found = forensics.accuracy_pvalues(["0.90"], ["0.10"], [400_000])
    assert 0 < found["smallest"][0] < 1e-300
