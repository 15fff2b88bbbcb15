import numpy as np
import pytest
from claims import claim
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replicability import forensics
from replicability.stats import partial_conjunction


@pytest.mark.slow
@given(
    values=st.lists(st.integers(1, 99), min_size=1, max_size=4),
    estimator=st.sampled_from(["count", *partial_conjunction.METHODS]),
    shift=st.lists(st.floats(-0.5, 0.5), min_size=4, max_size=4),
)
def test_no_pvalues_that_round_to_the_printed_ones_leave_the_range(values, estimator, shift):
    texts = [f"0.{value:02d}" for value in values]
    inside = [(value + s) / 100 for value, s in zip(values, shift, strict=False)]
    k = (
        partial_conjunction.k_count(inside)
        if estimator == "count"
        else partial_conjunction.k_hat(inside, 0.05, estimator)
    )
    assert forensics.count(claim(str(k)), texts, 0.05, estimator).grade != forensics.CONTRADICTED


@pytest.mark.parametrize(
    ("published", "verdict"),
    [("1", forensics.REPRODUCED), ("2", forensics.CONTRADICTED), ("0", forensics.CONTRADICTED)],
)
def test_a_count_that_follows_or_does_not(published, verdict):
    found = forensics.count(claim(published), ["0.001", "0.30"], 0.05, "bonferroni")
    assert found.grade == verdict
    assert found.recomputed == "1"


def test_a_count_within_rounding():
    found = forensics.count(claim("0"), ["0.05"], 0.05, "count")
    assert found.grade == forensics.WITHIN_ROUNDING
    assert found.recomputed == "1 (0 to 1 with rounding)"


def test_marks():
    datasets, texts = ["p", "q", "r"], ["0.001", "0.025", "0.5"]
    judge = lambda names: forensics.marks(claim(""), names, datasets, texts, 0.05).grade  # noqa: E731
    assert judge(["p", "q"]) == forensics.REPRODUCED
    assert judge(["p"]) == forensics.WITHIN_ROUNDING
    assert judge(["p", "r"]) == forensics.CONTRADICTED
    assert judge([]) == forensics.CONTRADICTED


@pytest.mark.parametrize(
    ("names", "significant", "recomputed", "verdict"),
    [
        (["p"], True, "p", forensics.REPRODUCED),  # others may be significant, too
        (["p", "r"], True, "p", forensics.CONTRADICTED),
        (["r"], False, "r", forensics.REPRODUCED),
        (["p", "r"], False, "r", forensics.CONTRADICTED),
        (["q"], True, "none", forensics.WITHIN_ROUNDING),  # 0.0495 to 0.0505
        (["q"], False, "q", forensics.REPRODUCED),
    ],
)
def test_listed(names, significant, recomputed, verdict):
    at = names, ["p", "q", "r", "s"], ["0.001", "0.050", "0.5", "<0.001"], 0.05
    found = forensics.listed(claim(""), *at, significant=significant)
    assert (found.grade, found.recomputed, found.kind) == (verdict, recomputed, forensics.LIST)


def test_marks_columns_are_judged_once_per_mark_in_use():
    levels = {"*": 0.05, "+": 0.01}
    found = forensics.marks_column("p", "t", "A-B", ["p", "q"], ["0.001", "0.9"], ["*", ""], levels)
    assert [verdict.claim for verdict in found] == ["A-B: datasets marked *"]
    assert found[0].grade == forensics.REPRODUCED


def test_marks_by_each_test():
    found = forensics.marks(
        claim("p, q"), ["p", "q"], ["p", "q", "r"], ["0.04", "0.03", "0.2"], 0.05, "each"
    )
    assert found.grade == forensics.REPRODUCED


def test_a_contradicted_count_names_the_readings_that_give_it():
    found = forensics.count(claim("2"), ["0.001", "0.08"], 0.05, "count", {"the cell beside": "2"})
    assert (
        "2 follows from halved p-values or from the level 0.1; 2 is printed for the cell beside"
        in (found.sentence)
    )


@pytest.mark.parametrize("seed", range(6))
def test_readings_of_a_count_by_scipy(seed):
    p = np.random.default_rng(seed).beta(0.3, 1, size=8).round(4).clip(1e-4)
    texts = [f"{value:.4f}" for value in p]
    found = forensics.count_readings(texts, 0.05, "fisher")
    ordered = np.sort(p)
    sums = [-2 * np.log(ordered[u:]).sum() for u in range(8)]  # u - 1 of the paper

    def k(tails):
        return sum(np.maximum.accumulate(tails) <= 0.05)

    assert found == {
        "halved p-values": partial_conjunction.k_hat(p / 2, 0.05, "fisher"),
        "doubled p-values": partial_conjunction.k_hat(np.minimum(1, 2 * p), 0.05, "fisher"),
        "the level 0.025": partial_conjunction.k_hat(p, 0.025, "fisher"),
        "the level 0.1": partial_conjunction.k_hat(p, 0.1, "fisher"),
        "degrees of freedom 2(N - u)": k(
            [stats.chi2.sf(s, max(2 * (7 - u), 1)) for u, s in enumerate(sums)]
        ),
        "degrees of freedom 2(N - u + 2)": k(
            [stats.chi2.sf(s, 2 * (9 - u)) for u, s in enumerate(sums)]
        ),
        "sums that start at the p-value before the u-th": k(
            [stats.chi2.sf(sums[u - 1], 2 * (8 - u)) for u in range(1, 8)]
        ),
        "a missing running maximum": max(
            [u + 1 for u, s in enumerate(sums) if stats.chi2.sf(s, 2 * (8 - u)) <= 0.05], default=0
        ),
    }
    assert set(forensics.count_readings(texts, 0.05, "count")) == set(list(found)[:4])
