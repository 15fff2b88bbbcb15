"""The closed form of the local test by sum or maximum."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from replicability.checks import InputError
from replicability.stats import discrete, joint, power, sum_or_max

FAMILIES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def rejected(chosen, alpha):
    """Test one set from the definition: the smaller p-value of sum and maximum, and its level."""
    m = len(chosen)
    sums, single = sum_or_max.critical(m, alpha)
    total = math.inf if 0 in chosen else -math.fsum(map(math.log, chosen))
    return total >= sums[-1] - 1e-12 or min(chosen) <= single[-1]


def closed(pvalues, alpha):
    """Return the bound and the names by closed testing over all sets."""
    n = len(pvalues)
    sets = [s for m in range(1, n + 1) for s in itertools.combinations(range(n), m)]
    left = [set(s) for s in sets if not rejected([pvalues[j] for j in s], alpha)]
    return (
        n - max(map(len, left), default=0),
        [all(j not in s for s in left) for j in range(n)],
    )


@given(pvalues=FAMILIES, alpha=st.sampled_from([0.05, 0.025, 0.3]))
def test_closed_testing_over_all_sets(pvalues, alpha):
    count, named = closed(pvalues, alpha)
    assert sum_or_max.bound(pvalues, alpha) == count
    assert sum_or_max.names(pvalues, alpha).tolist() == named
    assert [bool(sum_or_max.named(pvalues, j, alpha)) for j in range(len(pvalues))] == named


@pytest.mark.slow
@pytest.mark.parametrize("m", [1, 2, 5, 30, 400])
@pytest.mark.parametrize("alpha", [0.05, 0.001, 0.5])
def test_the_level_is_alpha(m, alpha):
    sums, single = (values[-1] for values in sum_or_max.critical(m, alpha))
    evidence = np.random.default_rng(3).exponential(size=(4_000_000 // m, m))
    share = np.mean((evidence.sum(axis=1) >= sums) | (np.exp(-evidence.max(axis=1)) <= single))
    assert share == pytest.approx(alpha, abs=4 * math.sqrt(alpha / len(evidence)))


def test_both_parts_have_one_level_between_half_and_all_of_alpha():
    sums, single = sum_or_max.critical(100, 0.05)
    sizes = np.arange(1, 101)
    by_sum, by_max = special.gammaincc(sizes, sums), -np.expm1(sizes * np.log1p(-single))
    np.testing.assert_allclose(by_sum, by_max, rtol=1e-9)
    assert by_sum[0] == pytest.approx(0.05)
    assert (np.diff(by_sum) < 0).all()
    assert (by_sum > 0.025).all()


def test_two_p_values_by_an_integral():
    # P(max >= x), and P(X + Y >= s) inside the square below x, for exponential X and Y
    sums, single = (values[1] for values in sum_or_max.critical(2, 0.05))
    x = -math.log(single)
    assert 1 - (1 - single) ** 2 + _corner(sums, x) == pytest.approx(0.05, abs=1e-9)


def _corner(total, x):
    """P(X + Y >= total, both below x) = the integral of exp(-y) (exp(-(total - y)) - exp(-x))."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    low, high = total - x, x
    y = (high - low) / 2 * nodes + (high + low) / 2
    inside = np.exp(-y) * (np.exp(-(total - y)) - np.exp(-x))
    return float((high - low) / 2 * weights @ inside)


@given(pvalues=FAMILIES, place=st.integers(0, 5), less=st.floats(0, 1))
def test_a_smaller_p_value_shows_no_less(pvalues, place, less):
    smaller = list(pvalues)
    smaller[place % len(pvalues)] *= less
    assert sum_or_max.bound(smaller) >= sum_or_max.bound(pvalues)
    assert (sum_or_max.names(smaller) >= sum_or_max.names(pvalues)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "discordant", "gain", "atol"),
    [([400] * 8, 0.2, 0.05, 0.15), ([150, 300, 600, 900], 0.2, 0.06, 0.15)],
)
def test_mid_p_values_show_what_draws_of_null_columns_show(sizes, discordant, gain, atol):
    laws = power.Outcomes(np.array(sizes), discordant, gain)
    seed, families = np.random.SeedSequence(5), 60
    wins, losses = laws.outcomes(families, seed)
    drawn = [discrete.draw(*both, 2000) for both in zip(wins, losses, strict=True)]
    count = [joint.bound(flips, alpha=0.025).at_least for flips in drawn]
    names = [joint.named(flips, 0.025).sum() for flips in drawn]
    mid_p = laws.draw(families, seed, mid_p=True)
    assert sum_or_max.bound(mid_p, 0.025).mean() == pytest.approx(np.mean(count), abs=atol)
    named = sum_or_max.names(mid_p, 0.025).sum(axis=1)
    assert named.mean() == pytest.approx(np.mean(names), abs=atol)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sum_or_max.critical(0, 0.05), "n is 0; pass a whole number"),
        (lambda: sum_or_max.critical(3, 1), "alpha is 1"),
        (lambda: sum_or_max.bound([0.1, 1.2]), "pvalues[1] is 1.2, but a p-value is a number"),
        (lambda: sum_or_max.names([0.1], 2), "alpha is 2"),
        (lambda: sum_or_max.named([], 0), "pvalues is empty"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
