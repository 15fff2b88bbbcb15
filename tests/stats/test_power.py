"""Power of McNemar's exact test and of the sign-flip test."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from replicability.checks import InputError
from replicability.stats import paired, power

# f <- function(N, pi, delta, a) {
#   theta <- (pi + delta) / (2 * pi); d <- 0:N
#   c <- qbinom(a, d, .5, lower.tail = FALSE) + 1
#   sum(dbinom(d, N, pi) * pbinom(c - 1, d, theta, lower.tail = FALSE)) }
# options(digits = 15); f(500, .15, .03, .05) ...
IN_R = [
    (500, 0.15, 0.03, 0.05, 0.489669869690758),
    (500, 0.15, 0.03, 0.05 / 20, 0.116883742476639),
    (1000, 0.15, 0.03, 0.05, 0.768567083480188),
    (2000, 0.15, 0.03, 0.05 / 20, 0.730370911622647),
    (40, 0.3, 0.1, 0.05 / 20, 0.0220322737645879),
    (246, 0.2, 0.05, 0.05 / 57, 0.0622195564803849),
]


@pytest.mark.parametrize(("n", "share", "gain", "alpha", "expected"), IN_R)
def test_mcnemar_as_in_r(n, share, gain, alpha, expected):
    assert power.mcnemar(n, share, gain, alpha) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "share", "gain"),
    [(1, 1.0, 0.5), (5, 0.6, 0.2), (9, 1.0, 1.0), (12, 0.4, 0.4), (12, 0.7, -0.1), (10, 0.3, 0.0)],
)
def test_mcnemar_by_enumeration_of_all_outcomes(n, share, gain):
    levels = np.array([0.5, 0.2, 0.05, 0.05 / 7, 0.0009765625, 1e-5])
    win, loss = (share + gain) / 2, (share - gain) / 2
    expected = np.zeros(len(levels))
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            chance = stats.multinomial.pmf(
                [wins, losses, n - wins - losses], n, [win, max(loss, 0), 1 - share]
            )
            expected += chance * (paired.mcnemar_pvalues(wins, losses) <= levels)
    np.testing.assert_allclose(power.mcnemar(n, share, gain, levels), expected, atol=1e-13)


def test_mcnemar_takes_arrays_that_fit_together():
    found = power.mcnemar([[100], [200]], 0.2, [0.02, 0.05, 0.1], 0.01)
    assert found.shape == (2, 3)
    assert found[1, 2] == power.mcnemar(200, 0.2, 0.1, 0.01)
    assert isinstance(power.mcnemar(10, 0.2, 0.1), float)


@given(
    n=st.integers(1, 3000),
    share=st.floats(0.001, 1),
    relative=st.floats(-1, 0.98),
    alpha=st.floats(1e-8, 0.9),
)
def test_mcnemar_has_its_size_and_grows_with_the_gain(n, share, relative, alpha):
    gains = share * np.array([relative, min(1, relative + 0.02), 0.0])
    less, more, null = power.mcnemar(n, share, gains, alpha)
    assert 0 <= less <= more + 1e-12 <= 1 + 1e-12
    assert null <= alpha + 1e-12
    assert power.mcnemar(n, share, gains[0], alpha / 2) <= less + 1e-12


@given(d=st.integers(0, 5000), alpha=st.floats(1e-12, 0.999))
def test_critical_wins_are_the_least_that_reject(d, alpha):
    wins = power.critical_wins(d, alpha)
    assert wins > d or paired.mcnemar_pvalues(wins, d - wins) <= alpha
    assert wins == 0 or paired.mcnemar_pvalues(wins - 1, d - wins + 1) > alpha


@pytest.mark.parametrize(("n", "expected"), [(1, 5), (10, 8), (20, 9), (57, 11)])
def test_the_floor_of_the_reference(n, expected):
    assert power.least_wins(n) == expected
    assert power.critical_wins(expected, 0.05 / n) == expected
    assert power.critical_wins(expected - 1, 0.05 / n) == expected


@pytest.mark.parametrize("exponent", range(1, 12))
def test_the_floor_at_a_power_of_two(exponent):
    assert power.least_wins(1, 0.5**exponent) == exponent
    assert power.least_wins(1, np.nextafter(0.5**exponent, 0)) == exponent + 1


def test_below_the_floor_nothing_is_shown():
    assert power.mcnemar(8, 1.0, 1.0, 0.05 / 20) == 0
    assert power.mcnemar(9, 1.0, 1.0, 0.05 / 20) == 1
    assert power.sign_flip(8, 0.1, 5.0, 0.05 / 20) == 0


def _flipped(rng, n, gain, skew, repetitions=600, flips=999):
    """Share of samples of which the sign-flip test has p <= .05."""
    noise = (
        rng.exponential(size=(repetitions, n)) - 1 if skew else rng.normal(size=(repetitions, n))
    )
    differences = noise + gain
    signs = rng.choice([-1.0, 1.0], size=(flips, n))
    sums = differences @ signs.T
    exceed = (sums >= differences.sum(axis=1, keepdims=True) - 1e-9).sum(axis=1)
    return np.mean((exceed + 1) / (flips + 1) <= 0.05)


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("skew", [False, True])
@pytest.mark.parametrize("target", [0.3, 0.8])
def test_sign_flips_are_near_their_simulation(n, skew, target):
    gain = (special.ndtri(target) + special.ndtri(0.95)) / np.sqrt(n)
    found = _flipped(np.random.default_rng(5), n, gain, skew)
    stated = power.tabled_error(power.SIGN_FLIP_ERRORS, n, 0.05)[skew]
    noise = 3 * np.sqrt(0.25 / 600)
    assert abs(power.sign_flip(n, 1.0, gain) - found) <= stated + noise


# power.t.test(n = 50, delta = .3, sd = 1, sig.level = .05, type = "one.sample",
#              alternative = "one.sided")$power
# power.t.test(n = 400, delta = .03, sd = .4, sig.level = .0025, ...)$power
def test_sign_flips_as_the_t_test_in_r():
    found = power.sign_flip([50, 400], [1, 0.4], [0.3, 0.03], [0.05, 0.0025])
    np.testing.assert_allclose(found, [0.672573983125401, 0.0943513800512199], atol=1e-9)


def test_sign_flips_of_many_instances_do_not_leave_the_range():
    gains = np.array([0, 1e-6, 0.01, 0.029, 0.031, 1.0, 1e6])
    found = power.sign_flip(10**6, 1.0, gains, 1e-6)
    assert (np.diff(found) >= 0).all()
    assert found[0] == pytest.approx(1e-6, rel=1e-3)
    assert found[-1] == 1


def test_sign_flips_of_right_and_wrong_are_near_the_exact_power():
    n, share, gain = 2000, 0.15, 0.03
    sd = np.sqrt(share - gain**2)
    exact = power.mcnemar(n, share, gain, [0.05, 0.0025])
    np.testing.assert_allclose(power.sign_flip(n, sd, gain, [0.05, 0.0025]), exact, atol=0.02)


def test_draws_have_the_exact_law_and_one_child_of_the_seed_for_each_dataset():
    laws = power.Outcomes([60, 200], [0.3, 0.2], [0.1, 0.05])
    pvalues = laws.draw(20_000, np.random.SeedSequence(3))
    for level, column in itertools.product((0.05, 0.005), range(2)):
        exact = laws.power([level])[column, 0]
        assert np.mean(pvalues[:, column] <= level) == pytest.approx(exact, abs=0.012)
    one = power.Outcomes([60], 0.3, 0.1).draw(20_000, np.random.SeedSequence(3))
    np.testing.assert_array_equal(one[:, 0], pvalues[:, 0])


def test_draws_of_scores_follow_the_approximation():
    laws = power.Scores([50, 400], [1.0, 2.0], [0.3, 0.2])
    pvalues = laws.draw(20_000, np.random.SeedSequence(3))
    np.testing.assert_allclose((pvalues <= 0.01).mean(axis=0), laws.power([0.01])[:, 0], atol=0.012)
    assert (power.Scores([4], 1.0, 9.0).draw(10, np.random.SeedSequence(0)) >= 1 / 16).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((100, 0.15, 0.2), "gain[0] is 0.2, but it cannot exceed the share of"),
        ((100, 15, 0.03), "discordant[0] is 15, but the share of items"),
        ((100, 0, 0), "discordant[0] is 0, but the share"),
        ((0, 0.15, 0.03), "n_instances[0] is 0, but a dataset needs at least one item"),
        ((10.5, 0.15, 0.03), "n_instances[0] is 10.5, but a number of items must be a whole"),
        ((10**9, 0.15, 0.03), "n_instances[0] is 1e+09, but power can be computed only up to"),
        ((100, 0.15, np.nan), "gain[0] is nan; pass a finite number"),
        ((100, 0.15, 0.03, 0), "alpha is 0, but a level of significance"),
        ((100, 0.15, 0.03, [0.05, 1.0]), "alpha is 1.0, but a level of significance"),
        (([100, 50], [0.1, 0.2, 0.3], 0.03), "which cannot be broadcast"),
        ((100, "0.15 or so", 0.03), "discordant must be an array of numbers, with rows of equal"),
    ],
)
def test_what_mcnemar_refuses(arguments, message):
    with pytest.raises(InputError) as caught:
        power.mcnemar(*arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((100, 0, 0.03), "sd[0] is 0, but the standard deviation of differences must be above 0"),
        ((100, -1, 0.03), "sd[0] is -1, but the standard deviation of differences must be above 0"),
        ((0, 1, 0.03), "n_instances[0] is 0, but a dataset needs at least one item"),
        ((100, 1, np.inf), "gain[0] is inf; pass a finite number"),
        ((100, 1, 0.1, 5), "alpha is 5, but a level of significance"),
    ],
)
def test_what_sign_flips_refuse(arguments, message):
    with pytest.raises(InputError) as caught:
        power.sign_flip(*arguments)
    assert message in str(caught.value)


def test_what_the_floor_and_laws_refuse():
    with pytest.raises(InputError, match="n_datasets is 0"):
        power.least_wins(0)
    with pytest.raises(InputError, match="level of significance must be strictly between 0 and 1"):
        power.least_wins(20, 2)
    with pytest.raises(InputError, match="pass one number for each dataset"):
        power.Outcomes([[10, 20]], 0.2, 0.1)
    with pytest.raises(InputError, match="pass one number for each dataset"):
        power.Outcomes([], 0.2, 0.1)
