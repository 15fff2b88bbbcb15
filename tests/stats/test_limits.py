"""The interval of the difference of a metric, whatever the test: range, width, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from replicability.stats import intervals, metrics, paired


def limits(a, b, **options):
    found = paired.difference(a, b, **options).confidence_interval
    return found.low, found.high


def test_right_or_wrong_is_the_same_for_all_tests():
    a, b = [1] * 11 + [0] * 5, [0] * 9 + [1] * 4 + [0] * 3
    expected = intervals.paired_shares(9, 2, 16)
    for test in ("mcnemar", "sign_flip", "paired_bootstrap", "wilcoxon", "sign_test"):
        assert paired.run(test, a, b).confidence_interval == expected
    sized = np.column_stack([a, np.ones(16)]), np.column_stack([b, np.ones(16)])
    assert limits(*sized, metric="accuracy") == (expected.low, expected.high)
    tripled = (3 * side for side in sized)
    assert limits(*tripled) == (expected.low, expected.high)


def test_student_is_kept_for_the_t_test_alone():
    a, b = np.array([0.3, 0.5, 0.1, 0.9, 0.2, 2.5]), np.array([0.1, 0.4, 0.2, 0.2, 0.1, 0.3])
    low, high = stats.ttest_rel(a, b).confidence_interval()
    found = paired.paired_t(a, b).confidence_interval
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    wider = limits(a, b)  # the differences are skewed to the right
    assert wider[0] == pytest.approx(low, rel=1e-12)
    assert wider[1] > high + (high - low)


def test_scores_by_moments():
    """Mean, standard error and skewness by hand, without the jackknife."""
    rng = np.random.default_rng(1)
    a, b = rng.exponential(2, 30), rng.normal(size=30)
    b[:4] = a[:4]
    d = a - b
    below, above = intervals.mean_distances(stats.skew(d), 30, 26)
    error = d.std(ddof=1) / math.sqrt(30)
    expected = d.mean() - error * below, d.mean() + error * above
    assert limits(a, b) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [2, 12, 60])
def test_differences_that_are_all_equal_have_a_width(n):
    share = 1 - 0.025 ** (1 / n)
    one, half = [0.5] * n, [0.2] * n  # scores in [0, 1], and so shares
    expected = 0.3 - share * 1.3, 0.3 + share * 0.7
    assert limits(one, half) == pytest.approx(expected, rel=1e-12)
    b = np.arange(n) * 2.0  # scores that were seen reach from 0 to 2n + 1
    reach = 2 * n + 1
    expected = 3 - share * (reach + 3), 3 + share * (reach - 3)
    assert limits(b + 3, b) == pytest.approx(expected, rel=1e-12)
    low, high = limits([7.0] * n, [7.0] * n)
    assert (low, high) == pytest.approx((-7 * share, 7 * share))


def test_rounding_is_no_spread():
    a, b = np.arange(12) / 10 + 0.3, np.arange(12) / 10
    assert len(set(a - b)) > 1
    low, high = limits(a, b)
    assert high - low == pytest.approx(2 * (1 - 0.025 ** (1 / 12)) * 1.4, rel=1e-9)


def test_no_limits_without_a_scale():
    nothing = metrics.Metric("mine", lambda totals: np.asarray(totals)[..., 0] * 0.0)
    zeros = np.zeros((5, 3))
    assert limits(zeros, zeros, metric=nothing) == (-math.inf, math.inf)
    assert limits([0.3], [1.7]) == (-math.inf, math.inf)


def test_one_item_that_is_right_or_wrong():
    low, high = limits([1], [0])
    assert -1 < low < 0 and high == 1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(4, 6)), min_size=2, max_size=20
    )
)
def test_limits_of_shares_stay_in_range_and_have_a_width(rows):
    a, b, size = np.array(rows, dtype=float).T
    for first, second in (
        (np.column_stack([a, size]), np.column_stack([b, size])),
        (a / 4, b / 4),
        (a > 2, b > 2),
    ):
        low, high = limits(first, second)
        effect = paired.difference(first, second).effect
        assert -1 <= low <= effect <= high <= 1
        assert low < high
        assert limits(second, first) == (-high, -low)


@pytest.mark.parametrize("metric", ["f1", "precision"])
def test_limits_of_metrics_with_a_largest_value(metric):
    a, b = np.array([[5, 5, 5]] * 7 + [[4, 5, 5]]), np.array([[0, 5, 5]] * 7 + [[1, 5, 5]])
    low, high = limits(a, b, metric=metric)
    assert low < paired.difference(a, b, metric=metric).effect < high == 1
    low, high = limits(a[:5], b[:5], metric=metric)
    assert (low, high) == pytest.approx((1 - 2 * (1 - 0.025**0.2), 1))


def test_scores_without_a_known_range_are_not_cut():
    a, b = [100.0] * 11 + [0.0], [0.0] * 11 + [2.0]
    assert limits(a, b)[1] > 100


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_scale_carries_over(scale):
    rng = np.random.default_rng(3)
    a, b = rng.exponential(size=(2, 15)) * 3
    expected = scale * np.array(limits(a, b))
    assert limits(scale * a, scale * b) == pytest.approx(expected, rel=1e-9)


def covered(draw, truth, repetitions):
    hits = 0
    for _ in range(repetitions):
        low, high = limits(*draw())
        hits += low <= truth <= high
    return hits / repetitions


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 40])
@pytest.mark.parametrize("sign", [1, -1])
def test_coverage_under_skew(n, sign):
    """Lognormal differences with log-scale 1.5, where Student's t covers about .77 and .81."""
    rng = np.random.default_rng(n)

    def draw():
        b = rng.normal(size=n)
        return b + sign * rng.lognormal(0, 1.5, n), b

    assert covered(draw, sign * math.exp(1.125), 1500) > 0.945


@pytest.mark.slow
def test_coverage_of_rare_differences():
    """One item in five differs; Student's t covers about .80 of 20 items."""
    rng = np.random.default_rng(8)

    def draw():
        b = rng.normal(size=20)
        return b + rng.exponential(1, 20) * (rng.random(20) < 0.2), b

    assert covered(draw, 0.2, 1500) > 0.93


@pytest.mark.slow
def test_width_for_normal_differences():
    """What is paid: little from 40 items on."""
    rng = np.random.default_rng(9)
    for n, most in ((10, 1.6), (20, 1.18), (40, 1.05), (200, 1.01)):
        ratios = []
        for _ in range(300):
            d = rng.normal(size=n)
            low, high = limits(d, np.zeros(n))
            ratios.append((high - low) / (2 * stats.t.ppf(0.975, n - 1) * stats.sem(d)))
        assert 1 <= np.mean(ratios) < most
