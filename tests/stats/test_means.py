import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from replicability.checks import InputError
from replicability.stats import paired, skewed

# R 4.2:
# hall <- function(x) { n <- length(x); m <- mean(x); g <- mean((x-m)^3) / mean((x-m)^2)^1.5
#   u <- m / sd(x); h <- u + g*u^2/3 + g^2*u^3/27 + g/(6*n); pt(sqrt(n)*h, n-1, lower.tail=FALSE) }
# x <- c(1.2, 0.3, -0.5, 2.1, 0.9, -3.4, 1.1, 0.7, 1.6, 0.2); hall(x)
SAMPLE = [1.2, 0.3, -0.5, 2.1, 0.9, -3.4, 1.1, 0.7, 1.6, 0.2]


def by_hand(x, raised=1.0):
    """Compute Hall's p-value from the sample, in plain Python."""
    n, m = len(x), sum(x) / len(x)
    second, third = (sum((v - m) ** k for v in x) / n for k in (2, 3))
    g = third / second**1.5 * raised
    u = m / math.sqrt(second * n / (n - 1))
    h = u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * n)
    return float(stats.t.sf(math.sqrt(n) * h, n - 1))


def flips(x):
    """Enumerate all signs."""
    total = sum(x)
    sums = [
        sum(s * v for s, v in zip(signs, x, strict=True))
        for signs in itertools.product((1, -1), repeat=len(x))
    ]
    return np.mean(np.array(sums) >= total - 1e-12)


def test_the_pvalue_is_the_largest_of_three_computed_by_hand():
    raised = 1 + skewed.RAISE / math.sqrt(len(SAMPLE) - 1)  # all differ; one of ten is the mode
    expected = max(flips(SAMPLE), by_hand(SAMPLE), by_hand(SAMPLE, raised))
    result = paired.mean_difference(SAMPLE, [0.0] * len(SAMPLE))
    assert result.pvalue == pytest.approx(expected, rel=1e-12)
    assert result.pvalue > flips(SAMPLE)  # one large loss: the correction decides
    assert result.skewness == pytest.approx(stats.skew(SAMPLE), rel=1e-12)


def test_hall_without_skewness_is_student():
    t, n = 1.7, 25
    assert paired.hall_pvalue(t, 0.0, n) == pytest.approx(stats.t.sf(t, n - 1), rel=1e-12)
    x = np.array(SAMPLE)
    student = stats.ttest_1samp(x, 0).statistic
    assert paired.hall_pvalue(student, stats.skew(x), len(x)) == pytest.approx(by_hand(SAMPLE))


@pytest.mark.long
@pytest.mark.parametrize("level", [0.05, 0.005])
def test_the_level_holds_under_left_skew_where_others_exceed_it(level):
    rng, n, repetitions = np.random.default_rng(92), 40, 800
    rejected = {"mean_difference": 0, "sign_flip": 0, "wilcoxon": 0}
    for _ in range(repetitions):
        x = 1 - rng.exponential(size=n)
        for name in rejected:
            rejected[name] += paired.run(name, x, np.zeros(n)).pvalue <= level
    error = math.sqrt(level * (1 - level) / repetitions)
    assert rejected["mean_difference"] / repetitions <= level + 3 * error
    assert rejected["wilcoxon"] / repetitions > level + 3 * error
    if level < 0.01:
        assert rejected["sign_flip"] / repetitions > level + 3 * error


@pytest.mark.long
def test_little_power_is_paid_for_normal_differences():
    rng = np.random.default_rng(93)
    found = {"mean_difference": 0, "paired_t": 0}
    for _ in range(300):
        x = rng.normal(0.33, 1, 60)
        for name in found:
            found[name] += paired.run(name, x, np.zeros(60)).pvalue <= 0.05
    assert found["mean_difference"] >= 0.95 * found["paired_t"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=30), st.integers(1, 1000))
def test_it_is_never_below_sign_flips_and_swaps_exactly(values, scale):
    a, b = np.array(values) / scale, np.zeros(len(values))
    forth = paired.mean_difference(a, b)
    assert forth.pvalue >= paired.sign_flip(a, b).pvalue
    assert forth.pvalue == paired.mean_difference(b, a, alternative="less").pvalue
    assert forth.pvalue == paired.mean_difference(a[::-1], b).pvalue


def test_ratios_are_those_of_the_sums_and_margins_shift_the_differences():
    rng = np.random.default_rng(5)
    words = rng.integers(5, 30, 60)
    a, b = (rng.binomial(words, share) for share in (0.85, 0.8))
    sums = [np.column_stack([side, words]) for side in (a, b)]
    whole = paired.mean_difference(*sums)
    assert whole.pvalue == paired.mean_difference(a, b).pvalue  # equal denominators: differences
    assert whole.effect == pytest.approx((a - b).sum() / words.sum())
    shifted = paired.mean_difference(*sums, margin=0.02)
    assert shifted.pvalue == pytest.approx(paired.mean_difference(a - 0.02 * words, b).pvalue)
    assert shifted.pvalue > whole.pvalue


def test_a_metric_that_is_no_mean_enters_by_its_influences():
    rng = np.random.default_rng(6)
    gold = rng.integers(1, 6, 80)
    sums = [
        np.column_stack([rng.binomial(gold, share), rng.integers(1, 6, 80), gold])
        for share in (0.9, 0.5)
    ]
    result = paired.mean_difference(*sums, metric="f1", n_resamples=2000, rng=0)
    flipped = paired.sign_flip(*sums, metric="f1", n_resamples=2000, rng=0)
    assert result.pvalue >= flipped.pvalue
    assert 0 < result.pvalue < 0.01
    assert result.effect == flipped.effect


@pytest.mark.parametrize("values", [[0.0] * 9, [1.0], [2.0] * 9])
def test_differences_without_variance_have_the_pvalue_of_sign_flips(values):
    zeros = [0.0] * len(values)
    assert paired.mean_difference(values, zeros).pvalue == paired.sign_flip(values, zeros).pvalue


def test_off_the_mode_counts_what_is_not_the_most_common():
    assert skewed.off_the_mode(np.array([1.0, 1, 1, -19])) == 1
    assert skewed.off_the_mode(np.array([0.1 + 0.2, 0.3, 5])) == 1
    assert skewed.off_the_mode(np.arange(5.0)) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired.hall_pvalue(1.0, 0.0, 1), "n is 1"),
        (lambda: paired.hall_pvalue(math.nan, 0.0, 5), "t is nan"),
        (lambda: paired.hall_pvalue(1.0, math.inf, 5), "skew is inf"),
        (lambda: paired.mean_difference([1, 2], [1]), "2 .* 1"),
        (lambda: paired.mean_difference([1, math.nan], [1, 2]), "nan"),
        (lambda: paired.mean_difference([1], [2], alternative="more"), "alternative"),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("n", [1, 2])
def test_a_metric_that_is_undefined_without_an_instance_shows_nothing(n):
    """Only the first item has gold spans: without it there is no F1, and no influence."""
    gold = [2] + [0] * (n - 1)
    a, b = (np.column_stack([[right] + [0] * (n - 1), gold, gold]) for right in (2, 0))
    for system, other in ((a, b), (b, a)):
        assert paired.mean_difference(system, other, metric="f1", rng=1).pvalue > 0.45
