"""A judge that people correct: reference values, laws, what misleads it, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replicability.checks import InputError
from replicability.stats import paired
from replicability.stats.paired import judged

K = np.arange(400)
JUDGE = ((K * 7 + 3) % 11) / 5 - 0.8 + ((K * 5) % 13) / 20
PEOPLE = 0.7 * JUDGE + ((K * 17 + 5) % 19) / 12 - 0.75


def sides(judge, people, labelled):
    """Return the scores of A, and of B, which are 0, with people's of the first items alone."""
    a = np.column_stack([judge, np.where(np.arange(len(judge)) < labelled, people, np.nan)])
    return a, np.where(np.isnan(a), np.nan, 0.0)


# --- reference values ----------------------------------------------------------------------------


# ppi-python 0.2.3, with JUDGE and PEOPLE from above:
# from ppi_py import ppi_mean_pointestimate, ppi_mean_ci, ppi_mean_pval
# for n in (40, 150):
#     of = PEOPLE[:n], JUDGE[:n], JUDGE[n:]
#     print(ppi_mean_pointestimate(*of)[0], ppi_mean_ci(*of, alpha=0.05, alternative="two-sided"),
#           ppi_mean_pval(*of, alternative="larger", null=0.25))
REFERENCE = {
    40: (0.32921929, 0.18054696, 0.47789163, 0.14816018),
    150: (0.35110569, 0.26451396, 0.43769742, 0.01105477),
}


@pytest.mark.parametrize("n", REFERENCE)
def test_nearly_the_same_as_in_ppi_python(n):
    point, low, high, pvalue = REFERENCE[n]
    found = paired.prediction_powered(*sides(JUDGE, PEOPLE, n), margin=0.25)
    width = (high - low) / 2
    assert found.effect == pytest.approx(point, abs=0.02 * width)  # weights leave an item out
    limits = found.confidence_interval
    assert 1 < (limits.high - limits.low) / 2 / width < 1 + 4 / n  # t, and a degree for the weight
    assert pvalue < found.pvalue < pvalue + 0.02


def by_hand(judge, people, n):
    """Return effect, standard error and weight from their definitions, item by item."""
    f, y, rest = judge[:n], people[:n], judge[n:]
    weights = []
    for left_out in range(n):
        keep = np.arange(n) != left_out
        # deviations from the means of all labelled items, of which one item is taken back
        covariance = np.cov(f[keep], y[keep], ddof=0)[0, 1]
        pooled = judge.var(ddof=1) * (1 + n / len(rest))
        weights.append(min(1, max(0, covariance / pooled)))
    weights = np.array(weights)
    own = y - weights * f
    effect = own.mean() + weights.mean() * rest.mean()
    parts = [((own - own.mean()) ** 2).sum() / (n - 2) / n]
    parts.append(weights.mean() ** 2 * rest.var(ddof=1) / len(rest))
    return effect, parts, weights.mean()


@pytest.mark.parametrize("n", [30, 40, 150])
def test_from_its_definition(n):
    effect, parts, weight = by_hand(JUDGE, PEOPLE, n)
    a, b = sides(JUDGE, PEOPLE, n)
    found = paired.prediction_powered(a, b, confidence_level=0.9)
    assert found.effect == pytest.approx(effect, rel=1e-9)
    assert paired.judged_error(a, b) == pytest.approx(math.sqrt(sum(parts)), rel=1e-9)
    quantiles = stats.t.ppf(0.95, [n - 2, 400 - n - 1])
    width = math.sqrt(sum(v * t**2 for v, t in zip(parts, quantiles, strict=True)))
    limits = found.confidence_interval
    assert (limits.low, limits.high) == pytest.approx((effect - width, effect + width))
    assert f"with a weight of {weight:.2f} for the judge" in found.how
    # Banerjee's p-value is the level whose limit is 0, if skewness does not ask for more
    at_limit = paired.prediction_powered(a, b, margin=limits.low)
    assert at_limit.pvalue >= 0.05 - 1e-9
    assert at_limit.pvalue == pytest.approx(0.05, abs=0.02)


def test_all_labelled_is_the_t_test_of_people():
    a, b = sides(JUDGE, PEOPLE, 400)
    found = paired.prediction_powered(a, b)
    alone = stats.ttest_1samp(PEOPLE, 0, alternative="greater")
    assert found.statistic == pytest.approx(alone.statistic)
    assert alone.pvalue - 1e-12 <= found.pvalue < alone.pvalue + 0.01
    assert found.how == "t-test of human scores of 400 items, because people scored all items"
    limits = stats.ttest_1samp(PEOPLE, 0).confidence_interval(0.95)
    assert found.confidence_interval.low == pytest.approx(limits.low)


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (np.full(400, 0.3), "the judge's difference does not vary"),
        (PEOPLE, "people corrected the judge on only 0 of these items"),
        (
            np.where(K < 9, PEOPLE + 1, PEOPLE),
            "people corrected the judge on only 9 of these items",
        ),
        (-JUDGE, "the judge's differences do not correlate positively with people's"),
    ],
)
def test_people_alone_where_the_judge_tells_nothing(judge, why):
    few, alone = sides(judge, PEOPLE, 60), sides(PEOPLE[:60], PEOPLE[:60], 60)
    found, expected = (paired.prediction_powered(*of) for of in (few, alone))
    assert found.how == f"t-test of human scores of 60 items, because {why}"
    assert found.effect == expected.effect
    assert found.pvalue == pytest.approx(expected.pvalue)


# --- properties ----------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_order_swaps_and_scale(seed, rounded):
    rng = np.random.default_rng(seed)
    n, labelled = int(rng.integers(30, 90)), 30
    a, b = rng.normal(size=(2, n, 2))
    if rounded:
        a, b = np.rint(a), np.rint(b)
    a[labelled:, 1] = b[labelled:, 1] = np.nan
    found = paired.prediction_powered(a, b)
    assert 0 < found.pvalue <= 1
    order = rng.permutation(n)
    assert paired.prediction_powered(a[order], b[order]) == found
    turned = paired.prediction_powered(b, a, alternative="less")
    assert (turned.pvalue, turned.effect) == (found.pvalue, -found.effect)
    moved = paired.prediction_powered(a + np.array([0, 0.5]), b, margin=0.5)
    if "weight" in found.how and "weight" in moved.how:
        assert moved.pvalue == pytest.approx(found.pvalue)
    both = paired.prediction_powered(a, b, alternative="two-sided").pvalue
    side = "greater" if found.effect > 0 else "less"
    one = paired.prediction_powered(a, b, alternative=side).pvalue
    assert both == min(1, 2 * one)


def test_a_constant_bias_of_the_judge_changes_nothing():
    found, biased = (paired.prediction_powered(*sides(JUDGE + bias, PEOPLE, 60)) for bias in (0, 5))
    assert biased.effect == pytest.approx(found.effect)
    assert biased.pvalue == pytest.approx(found.pvalue, rel=0.2)  # ties are counted up to rounding


def test_a_good_judge_narrows_the_interval():
    errors = [paired.judged_error(*sides(JUDGE[:n], PEOPLE[:n], 60)) for n in (60, 120, 400)]
    assert errors[0] > errors[1] > errors[2]


# --- what misleads it ----------------------------------------------------------------------------


def test_a_judge_that_favours_a_is_not_believed():
    rng = np.random.default_rng(4)
    people = rng.choice([-1.0, 0.0, 1.0], 3000)
    judge = np.where(rng.random(3000) < 0.3, 1.0, people)
    a, b = sides(judge, people, 100)
    assert paired.run("paired_t", judge, np.zeros(3000)).pvalue < 1e-10
    assert paired.prediction_powered(a, b).pvalue > 0.05


def test_labelled_items_that_show_no_error_are_not_taken_for_all():
    """A judge that errs on 5% of items, none of them labelled, is not taken for right."""
    people = np.tile([0.0, 0, 1, -1], 100)
    judge = people + (K >= 50) * (K % 20 == 0)
    found = paired.prediction_powered(*sides(judge, people, 50))
    assert "on only 0 of these items" in found.how and found.pvalue > 0.3
    assert paired.run("paired_t", judge, np.zeros(400)).pvalue < 0.2


def test_scores_that_do_not_vary_show_nothing():
    found = paired.prediction_powered(*sides(np.ones(400), np.ones(400), 50))
    assert (found.pvalue, found.confidence_interval.high) == (1, math.inf)
    assert found.how.endswith("p = 1 because no score varies")


# --- what is refused -----------------------------------------------------------------------------

A, B = sides(JUDGE, PEOPLE, 60)


@pytest.mark.parametrize(
    ("a", "b", "more", "message"),
    [
        (A, B[:9], {}, "A has 400 items and B has 9, but both systems need the same items; give"),
        (A[:, 0], B[:, 0], {}, "System A has scores with the shape 400, but each item needs two"),
        ([], [], {}, "System A has scores with the shape 0 x 0, but each item needs two"),
        (A[31:], B[31:], {}, "People scored 29 of 369 items, but .* at least 30, drawn at random"),
        (np.where(np.isnan(A), np.nan, A), np.where(K[:, None] == 3, np.nan, B), {}, "is nan"),
        (
            A,
            np.column_stack([B[:, 0], np.where(K < 57, B[:, 1], np.nan)]),
            {},
            "People scored only one of the systems on 3 of 400 items; give human scores for",
        ),
        (np.where(K[:, None] == 3, np.inf, A), B, {}, "is inf; pass a finite number"),
        (A, B, {"margin": np.inf}, "margin"),
        (A, B, {"alternative": "more"}, "alternative"),
    ],
)
def test_bad_scores(a, b, more, message):
    with pytest.raises(InputError, match=message) as info:
        paired.prediction_powered(a, b, **more)
    assert str(info.value).endswith(".") and "\n" not in str(info.value)


def test_its_limits_are_those_that_it_states():
    assert (judged.LEAST_LABELLED, judged.LEAST_CORRECTED) == (30, 10)
