"""The exact unconditional test of paired proportions: size, power, bounds and reference values."""

import bisect
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from replicability.checks import InputError
from replicability.stats import paired
from replicability.stats.paired import exact_unconditional_counts, regions, unconditional
from replicability.stats.paired.regions import Region, largest, largest_between

LEVELS = (0.05, 0.05 / 8, 0.05 / 20, 0.05 / 40, 1e-5)
MARGINS = (0.05, 0.1, -0.05, -0.1)


def inside(region):
    """Return the outcomes of a region, one by one."""
    wins, losses = outcomes(region.n)
    count = wins if region.greater else region.n - wins - losses
    held = count >= region.first[losses]
    return set(zip(wins[held].tolist(), losses[held].tolist(), strict=True))


@pytest.fixture
def berger_boos(monkeypatch):
    """Let few items be tested as many are."""
    monkeypatch.setattr(unconditional, "MOST_RANKED", 0)
    unconditional._pvalue.cache_clear()
    yield
    unconditional._pvalue.cache_clear()


def pvalue(wins, losses, n, margin=0.0, alternative="greater"):
    """Return a p-value in less time than with its interval."""
    return unconditional._one_sided(wins, losses, n, margin, alternative)[0]


def outcomes(n):
    """Return all numbers of wins and of losses."""
    wins, losses = np.mgrid[: n + 1, : n + 1].reshape(2, -1)
    possible = wins + losses <= n
    return wins[possible], losses[possible]


def laws(wins, losses, n, won, lost):
    """Return the multinomial probabilities of outcomes, a row for each pair of probabilities."""
    won, lost = np.reshape(won, (-1, 1)), np.reshape(lost, (-1, 1))
    ties = n - wins - losses
    factorials = special.gammaln(np.arange(n + 1) + 1)
    ways = factorials[n] - factorials[wins] - factorials[losses] - factorials[ties]
    tied = np.maximum(1 - won - lost, 0.0)
    return np.exp(
        ways + special.xlogy(wins, won) + special.xlogy(losses, lost) + special.xlogy(ties, tied)
    )


def boundary(margin, points):
    """Return probabilities of a win and of a loss where A is better by exactly the margin."""
    least, most = max(0.0, -margin), (1 - margin) / 2
    lost = least + (most - least) * np.sin(np.linspace(0, np.pi / 2, points)) ** 2
    return np.maximum(lost + margin, 0.0), lost


def pvalues(n, margin):
    """Return the p-values of all outcomes."""
    return np.array([pvalue(*outcome, n, margin) for outcome in zip(*outcomes(n), strict=True)])


def size(rejected, n, margin, points=3001):
    """Return the largest probability of outcomes on a fine grid."""
    wins, losses = (numbers[rejected] for numbers in outcomes(n))
    return laws(wins, losses, n, *boundary(margin, points)).sum(axis=1).max(initial=0.0)


# --- the size ---------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 10, 20, 40])
@pytest.mark.parametrize("margin", [*MARGINS, 0.0, 0.35, -0.8])
def test_no_level_is_exceeded(n, margin):
    found = pvalues(n, margin)
    for level in LEVELS:
        assert size(found <= level, n, margin) <= level * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("margin", MARGINS)
def test_no_level_is_exceeded_with_a_hundred_instances(margin):
    """P-values grow with the rank, so that few have to be computed."""
    n, (wins, losses) = 100, outcomes(100)
    if margin > 0:
        ranks = unconditional._ranks(n, margin)[0][losses, wins]
    else:
        ranks = unconditional._ranks(n, -margin)[1][wins, n - wins - losses]
    one_of_each = np.unique(ranks, return_index=True)[1]
    for level in LEVELS:

        def above(index, level=level):
            return pvalue(wins[index], losses[index], n, margin) > level

        rejected = ranks < bisect.bisect_left(one_of_each, True, key=above)
        assert size(rejected, n, margin, 1501) <= level * (1 + 1e-9)


@pytest.mark.long
@pytest.mark.usefixtures("berger_boos")
@pytest.mark.parametrize("n", [10, 40])
@pytest.mark.parametrize("margin", [*MARGINS, 0.0, 0.35])
def test_no_level_is_exceeded_by_berger_and_boos(n, margin):
    found = pvalues(n, margin)
    for level in LEVELS:
        assert size(found <= level, n, margin) <= level * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n", [15, 40])
@pytest.mark.parametrize("margin", [0.1, -0.1])
def test_no_level_is_exceeded_inside_the_null_hypothesis(n, margin):
    """Where A is better by less than the margin, or the systems never differ."""
    found = pvalues(n, margin)
    for smaller in (margin - 0.01, margin - 0.05, margin - 0.3):
        for level in LEVELS:
            assert size(found <= level, n, smaller, 301) <= level
    if margin > 0:
        assert pvalue(0, 0, n, margin) > 0.05


def test_tango_exceeds_its_level_as_it_says():
    """Its largest size, over all probabilities of a loss, as a multiple of the level."""
    for n, margin, low, high in ((100, 0.1, 2.0, 2.1), (1000, 0.01, 2.7, 2.9)):
        level = 0.05 / 20
        losses = np.arange(n + 1)
        grid = np.add.outer(losses, losses) <= n
        rows, columns = np.nonzero(grid)
        z = paired.tango_statistics(columns, rows, n, margin)
        extreme = np.zeros_like(grid)
        extreme[rows, columns] = special.ndtr(-z) <= level
        first = np.where(extreme.any(axis=1), extreme.argmax(axis=1), n + 1)
        bound, found = largest_between(Region(n, margin, True, losses, first), 0.0, 1.0)
        assert low * level < found <= bound < high * level


# --- reference values -------------------------------------------------------------------------


def probability(region, won, lost, n):
    """Sum the multinomial probabilities of outcomes, in the arithmetic of its arguments."""
    tied = 1 - won - lost
    return sum(
        math.comb(n, wins)
        * math.comb(n - wins, losses)
        * (won**wins * lost**losses * tied ** (n - wins - losses))
        for wins, losses in region
    )


def likely(wins, losses, n, margin):
    """Return the probability of a loss of largest likelihood, by search."""

    def unlikely(q):
        return -(
            special.xlogy(wins, q + margin)
            + special.xlogy(losses, q)
            + special.xlogy(n - wins - losses, 1 - 2 * q - margin)
        )

    ends = max(0.0, -margin), (1 - margin) / 2
    inside = optimize.minimize_scalar(
        unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}
    )
    return min((*ends, float(inside.x)), key=unlikely)


def estimated_and_maximised(n, margin):
    """Return the p-values of all outcomes by definition, without a formula of the module."""
    every = list(zip(*(numbers.tolist() for numbers in outcomes(n)), strict=True))
    q = {o: likely(*o, n, margin) for o in every}

    def root(wins, losses, q):
        counts, fits = (wins, losses, n - wins - losses), (q + margin, q, 1 - 2 * q - margin)
        gain = sum(c * math.log(c / n / fit) for c, fit in zip(counts, fits, strict=True) if c)
        return math.copysign(math.sqrt(max(0.0, 2 * gain)), wins - losses - n * margin)

    roots = {o: root(*o, q[o]) for o in every}
    estimates, found = {}, {}
    for o in every:
        as_large = [other for other in every if roots[other] >= roots[o] - 1e-6]
        estimates[o] = probability(as_large, q[o] + margin, q[o], n)
    for o in every:
        as_small = [other for other in every if estimates[other] <= estimates[o] * (1 + 1e-9)]
        region = [
            (wins, losses)
            for wins, losses in every
            if any(wins >= won and losses <= lost for won, lost in as_small)
        ]
        wins, losses = map(np.array, zip(*region, strict=True))
        found[o] = laws(wins, losses, n, *boundary(margin, 4001)).sum(axis=1).max()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("n", "margin"), [(6, 0.1), (11, 0.05), (11, -0.1), (9, 0.0), (9, -0.4)])
def test_pvalues_are_those_of_the_definition(n, margin):
    """Estimated p-values are interpolated, which may change the order of some that are large."""
    for outcome, expected in estimated_and_maximised(n, margin).items():
        precision = 2e-6 if expected < 0.3 else 0.05
        assert pvalue(*outcome, n, margin) == pytest.approx(expected, rel=precision), outcome


@pytest.mark.parametrize("margin", [Fraction(1, 10), Fraction(1, 4), Fraction(0)])
def test_the_most_extreme_outcomes(margin):
    """All won has its largest probability without ties; all lost is sure to be no less extreme."""
    for n in (1, 5, 30):
        all_won = ((1 + margin) / 2) ** n
        assert pvalue(n, 0, n, float(margin)) == pytest.approx(float(all_won), rel=1e-8)
        assert pvalue(0, n, n, float(margin)) == 1
        assert pvalue(n, 0, n, float(margin), "less") == 1


@pytest.mark.parametrize("greater", [True, False])
@pytest.mark.parametrize("margin", [Fraction(0), Fraction(1, 10), Fraction(2, 5)])
def test_probabilities_of_regions_in_fractions(greater, margin):
    n, rng = 9, np.random.default_rng(4)
    for _ in range(10):
        first = np.sort(rng.integers(0, n + 2, n + 1))
        region = Region(n, float(margin), greater, np.arange(n + 1), first).completed()
        members = inside(region)
        for share in (Fraction(1, 50), Fraction(1, 3), Fraction(9, 10)):
            q = share * (1 - margin) / 2
            expected = float(probability(members, q + margin, q, n))
            logit = special.logit(np.array([float(share)]))
            assert math.exp(region.log_probability(logit)[0]) == pytest.approx(expected, rel=1e-12)
            assert expected <= largest(region)[0]


# --- bounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 40, 300])
def test_the_two_ways_to_bound_agree(n):
    rng = np.random.default_rng(n)
    numbers = np.arange(n + 1)
    for margin, greater in itertools.product((0.0, 0.02, 0.3), (True, False)):
        at, slope = rng.uniform(0, n / 3), rng.uniform(0.5, 1.5)
        first = np.clip(np.ceil(at + slope * numbers), 0, n + 1).astype(int)
        region = Region(n, margin, greater, numbers, first)
        bound, found = largest(region)
        close, reached = largest_between(region, 0.0, 1.0)
        assert 0 <= bound / found - 1 <= regions.PRECISION * 1.01
        if found > 1e-8:
            assert reached <= bound * (1 + 1e-12)
            assert found <= close <= found * math.exp(1.02 * regions.CLOSENESS["large"])
            if found < 0.49:
                assert close <= found * math.exp(1.02 * regions.CLOSENESS["small"])


def test_a_bound_over_an_interval_is_none_outside():
    region = Region(50, 0.1, True, np.arange(51), np.full(51, 20))
    low, high = largest_between(region, 0.0, 0.1)[0], largest_between(region, 0.0, 0.9)[0]
    assert low < high / 100
    for share in (0.0, 0.5, 1.0):
        at = region.log_probability(special.logit(np.clip([share], 1e-12, 1 - 1e-12)))
        expected = max(math.exp(at[0]), regions.SMALLEST)
        assert largest_between(region, share, share)[0] == pytest.approx(expected, rel=0.011)


def test_completed_regions_are_monotone():
    rng = np.random.default_rng(8)
    for greater in (True, False):
        region = Region(12, 0.1, greater, np.arange(13), rng.integers(0, 14, 13))
        full = region.completed()
        assert (full.first <= region.first).all()
        assert full.completed().first.tolist() == full.first.tolist()
        step, members = 1 if greater else -1, inside(full)
        for wins, losses in members:
            for more in (
                (wins + step, losses),
                (wins, losses - step),
                (wins + step, losses - step),
            ):
                assert more in members or min(more) < 0 or sum(more) > 12


# --- the order of the outcomes ----------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 5000), st.floats(0, 0.95), st.data())
def test_the_root_grows_with_wins_and_falls_with_losses(n, margin, data):
    wins = data.draw(st.integers(0, n - 1))
    losses = data.draw(st.integers(0, n - 1 - wins))
    more = unconditional._signed_root(wins + 1, losses, n, margin)
    here = unconditional._signed_root(wins, losses, n, margin)
    worse = unconditional._signed_root(wins, losses + 1, n, margin)
    assert worse <= here + 1e-9
    assert here <= more + 1e-9


def test_the_root_is_that_of_the_likelihood_ratio():
    for wins, losses, n, margin in (
        (7, 1, 21, 0.1),
        (3, 9, 40, 0.05),
        (0, 2, 9, 0.2),
        (4, 4, 8, 0),
    ):
        q = likely(wins, losses, n, margin)
        counts = (wins, losses, n - wins - losses)
        fits = (q + margin, q, 1 - 2 * q - margin)
        gain = sum(c * math.log(c / n / f) for c, f in zip(counts, fits, strict=True) if c)
        found = exact_unconditional_counts(wins, losses, n, margin=margin).statistic
        assert abs(found) == pytest.approx(math.sqrt(2 * max(gain, 0)), abs=1e-6)
        assert found * (wins - losses - n * margin) >= 0


@pytest.mark.usefixtures("berger_boos")
@pytest.mark.parametrize("greater", [True, False])
def test_searched_regions_hold_every_root_as_far(greater):
    n, margin = 30, 0.1
    wins, losses = outcomes(n)
    roots = unconditional._signed_root(wins, losses, n, margin)
    for outcome in ((3, 0), (9, 2), (4, 1), (1, 8), (0, 0), (30, 0), (0, 30)):
        region = unconditional._roots_as_far(*outcome, n, margin, greater, (0.0, 1.0))
        observed = unconditional._signed_root(*outcome, n, margin)
        as_far = (roots >= observed - 1e-7) if greater else (roots <= observed + 1e-7)
        count = wins if greater else n - wins - losses
        assert (as_far == (count >= region.first[losses])).all()


# --- in use -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS[1:])
def test_it_is_no_less_powerful_than_tango_at_small_levels(level):
    """Equal systems, 40 items, a margin of .05: the test with the right size rejects more."""
    n, margin = 40, -0.05
    wins, losses = outcomes(n)
    lost = [0.01, 0.03, 0.06, 0.12, 0.2]
    mass = laws(wins, losses, n, lost, lost)
    tango = special.ndtr(-paired.tango_statistics(wins, losses, n, margin))
    exact = pvalues(n, margin)
    assert (mass[:, exact <= level].sum(axis=1) >= mass[:, tango <= level].sum(axis=1)).all()


@pytest.mark.parametrize("n", [299, 300, 301, 20_000])
def test_many_instances_are_tested_exactly_too(n):
    wins, losses = round(0.12 * n), round(0.1 * n)
    margin = (wins - losses) / n - 0.04 * math.sqrt(300 / n)
    found = exact_unconditional_counts(wins, losses, n, margin=margin)
    tango = paired.tango_counts(wins, losses, n, margin=margin)
    assert found.pvalue == pytest.approx(tango.pvalue, rel=0.1)
    ways = {True: "estimation and maximisation", False: "Berger and Boos"}
    assert ways[n <= 300] in found.how
    assert found.how.startswith("exact, unconditional")
    assert found.error <= 2e-4 * found.pvalue
    assert found.confidence_interval == tango.confidence_interval


@pytest.mark.parametrize("margin", [0.0, 0.07, -0.07])
@pytest.mark.parametrize("n", [25, 400])
def test_two_sided_is_twice_the_direction_of_the_excess(n, margin):
    for wins, losses in ((n // 3, n // 9), (n // 9, n // 3), (0, n // 2)):
        two = exact_unconditional_counts(wins, losses, n, margin=margin, alternative="two-sided")
        side = "greater" if wins - losses > n * margin else "less"
        assert two.pvalue == min(1.0, 2 * pvalue(wins, losses, n, margin, side))
    even = exact_unconditional_counts(5, 5, n, alternative="two-sided")
    assert (even.pvalue, even.statistic) == (1, 0)


def test_nothing_is_shown_by_nothing():
    for n in (1, 50, 1000):
        assert exact_unconditional_counts(0, 0, n).pvalue == 1
        assert pvalue(0, 0, n, alternative="less") == 1
    # no discordant instance: the systems are not worse by 0.1 if one in ten would have been lost
    assert pvalue(0, 0, 50, -0.1) == pytest.approx(0.9**50, rel=1e-8)


def test_pvalues_are_never_zero():
    assert 0 < pvalue(300, 0, 300, -0.95) < 1e-250
    assert pvalue(5000, 0, 5000) == pytest.approx(unconditional.GAMMA, rel=1e-3)


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ((3, 1, 10), {"margin": 1}, r"margin is 1, but a difference of accuracies"),
        ((3, 1, 10), {"margin": math.nan}, "margin"),
        ((3, 1, 3), {}, "n is 3, but the number of discordant items is 4; pass the number of all"),
        ((-3, 1, 3), {}, "wins is -3, but a number of items must be a whole number"),
        ((3, 1, 10), {"alternative": "more"}, "alternative 'more' is not one of"),
        ((3, 1, 10), {"confidence_level": 1}, "confidence_level is 1"),
    ],
)
def test_bad_input(counts, options, message):
    with pytest.raises(InputError, match=message):
        exact_unconditional_counts(*counts, **options)


def test_scores_that_are_neither_right_nor_wrong():
    with pytest.raises(InputError, match=r"Score 1 of system B is 0.5, but exact_unconditional"):
        paired.exact_unconditional([1, 0], [1, 0.5])
    with pytest.raises(InputError, match="margin is 2, but a difference of accuracies lies"):
        paired.both("exact_unconditional", [1, 0], [1, 0], margin=2)
