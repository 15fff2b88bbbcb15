"""Intervals of shares, of differences of paired shares, and of means of skewed values."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from replicability import checks
from replicability.stats import intervals, paired


@given(st.integers(0, 300), st.integers(1, 300), st.floats(0.5, 0.999))
def test_wilson_by_scipy(right, n, level):
    right = min(right, n)
    expected = stats.binomtest(right, n).proportion_ci(level, "wilson")
    low, high = intervals.wilson([right / n], [n], level)
    assert (low[0], high[0]) == (expected.low, expected.high)


@settings(max_examples=50)
@given(st.integers(1, 500), st.floats(0, 1), st.floats(0.5, 0.999))
def test_the_limits_of_any_share_solve_the_score_equation(n, share, level):
    z = stats.norm.isf((1 - level) / 2)
    for limit in intervals.wilson(share, n, level):
        assert (share - limit) ** 2 == pytest.approx(z**2 * limit * (1 - limit) / n, abs=1e-9)


def test_no_units_have_no_interval():
    low, high = intervals.wilson([0.5, 0, 0.5], [10, 0, 0])
    assert np.isnan([low[1:], high[1:]]).all()
    assert 0 < low[0] < 0.5 < high[0] < 1


@pytest.mark.parametrize(
    ("share", "n", "level", "message"),
    [
        (1.2, 9, 0.95, r"share is 1\.2, but a share must be in \[0, 1\]; pass a number in this"),
        (np.nan, 9, 0.95, r"share is nan, but a share must be in \[0, 1\]; pass a number in this"),
        (0.5, -1, 0.95, r"A number of units is negative or missing; pass numbers of at least 0\."),
        (0.5, 9, 95, "confidence_level is 95, but a level of confidence"),
    ],
)
def test_bad_input_by_message(share, n, level, message):
    with pytest.raises(checks.InputError, match=message):
        intervals.wilson([share], [n], level)


# --- difference of paired shares -----------------------------------------------------------------


def product_quantile(wins, losses, n, tail):
    """Quantile of P (2T - 1), integrated over T, where the module integrates over P."""
    d = wins + losses

    def below(t, x):
        g = 2 * t - 1
        if x >= 0:
            return 1.0 if g <= 0 else stats.beta.cdf(x / g, d, n - d + 1)
        if g >= 0:
            return 0.0
        return float(x / g <= 1) if d == n else stats.beta.sf(x / g, d + 1, n - d)

    def excess(x):
        cuts = [0, *sorted({0.5, (1 + x) / 2}), 1]
        parts = itertools.pairwise(cuts)
        f = stats.beta(wins, losses + 1).pdf
        return sum(integrate.quad(lambda t: f(t) * below(t, x), *p)[0] for p in parts) - tail

    return optimize.brentq(excess, -1 + 1e-12, 1 - 1e-12, xtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wins", "losses", "n", "level"),
    [(7, 1, 21, 0.95), (12, 0, 12, 0.95), (1, 7, 21, 0.95), (3, 5, 8, 0.9), (40, 31, 250, 0.99)],
)
def test_limits_of_paired_shares_by_another_integral(wins, losses, n, level):
    found, tail = intervals.paired_shares(wins, losses, n, level), 0.5 - level / 2
    assert found.low == pytest.approx(product_quantile(wins, losses, n, tail), abs=1e-8)
    if losses:
        assert found.high == pytest.approx(-product_quantile(losses, wins, n, tail), abs=1e-8)


def test_limits_without_wins_are_clopper_and_pearsons():
    for losses, n in ((5, 30), (1, 8), (0, 12)):  # as binom.test(losses, n) in R
        exact = stats.binomtest(losses, n).proportion_ci(method="exact").high
        assert intervals.paired_shares(0, losses, n).low == pytest.approx(-exact, rel=1e-9)


def outcomes(n):
    return np.array([(w, losses) for w in range(n + 1) for losses in range(n + 1 - w)]).T


def limits_of_all(n):
    found = [intervals.paired_shares(int(w), int(x), n) for w, x in outcomes(n).T]
    return np.array([(f.low, f.high) for f in found]).T


@pytest.mark.parametrize("n", [1, 2, 5, 12, 25])
def test_coverage_of_paired_shares_is_at_least_nominal(n):
    """Enumerated over all outcomes: at either end .975, so that no half of it hides the other."""
    (w, x), (low, high) = outcomes(n), limits_of_all(n)
    ways = special.gammaln(n + 1) - sum(special.gammaln(c + 1) for c in (w, x, n - w - x))
    for discordant in np.linspace(0, 1, 21):
        for share in np.linspace(0.5, 1, 11):
            p, q = discordant * share, discordant * (1 - share)
            odds = special.xlogy(w, p) + special.xlogy(x, q) + special.xlogy(n - w - x, 1 - p - q)
            probability = np.exp(ways + odds)
            for holds in (low <= p - q + 1e-12, high >= p - q - 1e-12):
                assert probability[holds].sum() >= 0.975 - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 12, 25])
def test_limits_of_paired_shares_are_ordered_in_range_and_mirrored(n):
    (w, x), (low, high) = outcomes(n), limits_of_all(n)
    assert (low >= -1).all() and (high <= 1).all() and (low < high).all()
    assert (low <= (w - x) / n).all() and (high >= (w - x) / n).all()
    for wins, losses in zip(w.tolist(), x.tolist(), strict=True):
        there, back = (intervals.paired_shares(*c, n) for c in ((wins, losses), (losses, wins)))
        assert (there.low, there.high) == (-back.high, -back.low)


@pytest.mark.parametrize("n", [6, 12, 40])
def test_paired_shares_exclude_0_exactly_if_mcnemar_rejects(n):
    for wins in range(n + 1):
        losses = (n - wins) // 3
        d = wins + losses
        exact = Fraction(sum(math.comb(d, k) for k in range(wins, d + 1)), 2**d)
        assert (intervals.paired_shares(wins, losses, n).low > 0) == (exact <= Fraction(1, 40))
        assert paired.mcnemar_pvalues(wins, losses) == pytest.approx(float(exact), rel=1e-12)


def test_paired_shares_of_many_items():
    narrow = intervals.paired_shares(50_000, 40_000, 1_000_000)
    wald = 1.959963985 * math.sqrt((0.09 - 0.01**2) / 1e6)
    assert (narrow.low, narrow.high) == pytest.approx((0.01 - wald, 0.01 + wald), abs=2e-6)
    assert 0.99999 < intervals.paired_shares(10**6, 0, 10**6).low < 1


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((-1, 0, 5), "wins, losses and n are -1, 0 and 5; pass numbers of at least 0, with n at"),
        ((3, 3, 5), "wins, losses and n are 3, 3 and 5; pass numbers of at least 0, with n at"),
        ((0, 0, 0), "wins, losses and n are 0, 0 and 0; pass numbers of at least 0, with n at"),
        ((1, 0, 5, 95), "confidence_level is 95"),
    ],
)
def test_bad_counts_by_message(counts, message):
    with pytest.raises(checks.InputError, match=message):
        intervals.paired_shares(*counts)


# --- means of skewed values ----------------------------------------------------------------------


def hall(u, g, n):
    return u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * n)


@pytest.mark.parametrize("skewness", [-6.0, -1.1, -1e-9, 0.0, 0.3, 2.0, 6.0])
@pytest.mark.parametrize(("n", "off_mode"), [(10, 10), (40, 3), (250, 200)])
def test_distances_solve_halls_transformation(skewness, n, off_mode):
    quantile = stats.t.ppf(0.975, n - 1)
    x, expected = quantile / math.sqrt(n), []
    for target in (x, -x):
        solved = [
            optimize.brentq(lambda u, g=g, y=target: hall(u, g, n) - y, -50, 50, xtol=1e-14)
            for g in (skewness, skewness * (1 + 4 / math.sqrt(off_mode)))
        ]
        away = max(math.copysign(1, target) * u for u in solved)
        expected.append(max(quantile, math.sqrt(n) * away))
    assert intervals.mean_distances(skewness, n, off_mode) == pytest.approx(expected, rel=1e-9)


def test_distances_without_skewness_are_students_and_turn_with_it():
    assert intervals.mean_distances(0.0, 12, 12) == pytest.approx([stats.t.ppf(0.975, 11)] * 2)
    there, back = (intervals.mean_distances(g, 30, 20, 0.9) for g in (1.7, -1.7))
    assert there == back[::-1]


@given(st.floats(-30, 30), st.integers(2, 500), st.data())
def test_distances_are_at_least_students_and_at_most_four_times(skewness, n, data):
    bounded = float(np.clip(skewness, -(n**0.5), n**0.5))  # that of n values is within
    quantile = stats.t.ppf(0.975, n - 1)
    for distance in intervals.mean_distances(bounded, n, data.draw(st.integers(0, n))):
        assert quantile * (1 - 1e-12) <= distance
        assert distance <= 4 * (quantile + 5 * abs(bounded) / (6 * math.sqrt(n))) * (1 + 1e-12)


def test_what_is_unseen_is_clopper_and_pearsons_limit_of_none():
    for n in (1, 12, 300):
        assert intervals.unseen(n, 0.9) == pytest.approx(stats.beta.ppf(0.95, 1, n), rel=1e-12)
    with pytest.raises(checks.InputError, match="confidence_level"):
        intervals.unseen(5, 0)
    with pytest.raises(checks.InputError, match="confidence_level"):
        intervals.mean_distances(0.0, 5, 5, 1)
