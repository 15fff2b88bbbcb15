"""Draws of right-or-wrong datasets against exact convolutions of binomial distributions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replicability.checks import InputError
from replicability.stats import closed_testing, joint, paired, partial_conjunction
from replicability.stats.discrete import Draws, draw, statistics


def binomial(m):
    """Probability of each number of wins of m discordant items, as fractions."""
    return [Fraction(math.comb(m, w), 2**m) for w in range(m + 1)]


def mid_p(w, m):
    """P(W > w) + P(W = w) / 2 as a fraction."""
    law = binomial(m)
    return sum(law[w + 1 :], Fraction(0)) + law[w] / 2


def exact_tail(wins, items, statistic):
    """P(statistic is at least that observed) by enumeration of all wins, as a fraction."""
    observed, total = statistic(wins), Fraction(0)
    for drawn in itertools.product(*(range(m + 1) for m in items)):
        if statistic(drawn) >= observed:
            total += math.prod(binomial(m)[w] for w, m in zip(drawn, items, strict=True))
    return total


def suite(seed, sizes, discordant, gains):
    """Wins and losses on datasets of these sizes."""
    rng = np.random.default_rng(seed)
    tables = [
        rng.multinomial(n, [(discordant + g) / 2, (discordant - g) / 2, 1 - discordant])
        for n, g in zip(sizes, gains, strict=True)
    ]
    return np.transpose(tables)[:2]


def test_statistics_are_quantiles_of_mid_p_values():
    for m in range(9):
        for w in range(m + 1):
            z = float(statistics(w, m - w))
            # Phi(-z) by the complementary error function
            assert math.erfc(z / math.sqrt(2)) / 2 == pytest.approx(float(mid_p(w, m)), abs=1e-15)
            assert z == -float(statistics(m - w, w))


def test_statistics_are_finite_and_ordered_however_many_items():
    z = statistics([0, 10**6, 500_100, 5000, 2000], [0, 0, 499_900, 0, 0])
    assert np.isfinite(z).all()
    assert z[0] == 0
    assert z[1] == z[3] == z[4] > 37  # all below the smallest p-value
    w = np.arange(1001)
    assert (np.diff(statistics(w, 1000 - w)) >= 0).all()


@pytest.mark.parametrize(
    ("wins", "losses"), [((3, 4), (0, 1)), ((4, 2, 3), (1, 2, 0)), ((5, 1, 2, 2), (1, 1, 0, 2))]
)
def test_draws_have_the_exact_law_of_sum_and_maximum(wins, losses):
    items = [w + v for w, v in zip(wins, losses, strict=True)]
    n_draws = 20_000
    found = draw(wins, losses, n_draws)
    assert found.z[0].tolist() == statistics(wins, losses).tolist()

    def evidence(drawn):
        return [mid_p(w, m) for w, m in zip(drawn, items, strict=True)]

    by_sum = exact_tail(wins, items, lambda drawn: -math.prod(evidence(drawn)))
    by_max = exact_tail(wins, items, lambda drawn: -min(evidence(drawn)))
    sums = (found.gains_of(slice(None)).sum(axis=0) >= -1e-9).mean()
    maxima = (found.z.max(axis=1) >= found.z[0].max() - 1e-9).mean()
    for share, exact in ((sums, by_sum), (maxima, by_max)):
        assert abs(share - exact) <= 4 * math.sqrt(exact * (1 - exact) / n_draws)
    alone = paired.mcnemar_pvalues(wins, losses)
    assert (abs(found.pvalues - alone) <= 4 * np.sqrt(alone * (1 - alone) / n_draws) + 1e-4).all()


def test_columns_are_independent_and_have_the_mean_of_their_law():
    found = draw([6] * 4, [2] * 4, 40_000)
    assert np.abs(found.correlations[np.triu_indices(4, 1)]).max() < 0.025
    w = np.arange(9)
    mean = float(sum(p * float(z) for p, z in zip(binomial(8), statistics(w, 8 - w), strict=True)))
    np.testing.assert_allclose(found.z[1:].mean(axis=0), mean, atol=0.025)
    assert found.shared.tolist() == np.diag([8] * 4).tolist()


ORDERS = st.permutations(range(5))


@pytest.mark.slow
@given(order=ORDERS, named=st.booleans(), seed=st.integers(0, 99))
def test_nothing_depends_on_the_order_of_datasets(order, named, seed):
    wins, losses = np.array([5, 5, 9, 0, 7]), np.array([1, 2, 1, 0, 3])
    names = np.array(["a", "b", "c", "ä", "d"])
    one = draw(wins, losses, 200, rng=seed, names=names if named else None)
    order = list(order)
    other = draw(wins[order], losses[order], 200, rng=seed, names=names[order] if named else None)
    np.testing.assert_array_equal(one.z[:, order], other.z)
    assert joint.bound(one) == joint.bound(other)


def test_a_dataset_has_its_own_draws_by_its_name():
    one = draw([5, 6], [1, 1], 300, rng=3, names=["x", "y"])
    alone = draw([6], [1], 300, rng=np.random.SeedSequence(3), names=["y"])
    np.testing.assert_array_equal(one.z[:, 1:], alone.z)
    assert not np.array_equal(draw([6], [1], 300, rng=4, names=["y"]).z, alone.z)
    alike = draw([6, 6], [1, 1], 300).z
    assert not np.array_equal(alike[:, 0], alike[:, 1])
    back = draw([1], [6], 300, rng=3, names=["y"])  # for "B is better"
    np.testing.assert_array_equal(back.z[1:], alone.z[1:])
    assert back.z[0] == -alone.z[0]


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=5))
def test_what_carries_no_evidence_takes_none_away(pairs):
    """Datasets without discordant items change no count, and are never named."""
    wins, losses = np.transpose(pairs)
    names = [f"d{j}" for j in range(len(wins) + 2)]
    found = draw(wins, losses, 400, names=names[:-2])
    more = draw([*wins, 0, 0], [*losses, 0, 0], 400, names=names)
    n = len(wins)
    assert joint.bound(more).at_least == joint.bound(found).at_least
    assert joint.bound(more, range(n)) == joint.bound(found)
    assert joint.named(more).tolist() == [*joint.named(found).tolist(), False, False]
    assert joint.named(found).sum() <= joint.bound(found).at_least


def test_more_wins_never_show_less():
    rng = np.random.default_rng(2)
    names = list("abcde")
    for seed in range(30):
        items = rng.integers(3, 15, 5)
        wins = rng.binomial(items, 0.7)
        more = np.minimum(items, wins + rng.integers(0, 2, 5))
        low, high = (draw(w, items - w, 400, rng=seed, names=names) for w in (wins, more))
        assert joint.bound(low).at_least <= joint.bound(high).at_least
        assert (joint.named(low) <= joint.named(high)).all()


SIZES = (20, 30, 40, 60) * 3
REFERENCE = {  # gain, number better: mean count by Fisher's test of exact p-values, by these sums
    (0.1, 12): (1.96, 3.69),
    (0.2, 6): (2.17, 3.35),
}
"""Of 300 families of 12 datasets of 20 to 60 items, 30% of them discordant, and 1,000 draws.

In plain numpy, with R's `pbinom` for scipy's if that is preferred:

    t = binom.sf(w - 1, m, .5) - binom.pmf(w, m, .5) / 2     # for all w = 0, ..., m
    W = rng.binomial(m, .5, size=1000); W[0] = wins; z = -ndtri(t)[W]; L = -log_ndtr(-z)

and closed testing as in test_joint.py.
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", REFERENCE, ids=str)
def test_discrete_sums_count_what_fisher_loses(place):
    gain, better = place
    found = []
    for seed in range(120):
        wins, losses = suite([1, seed], SIZES, 0.3, gain * (np.arange(12) < better))
        draws = draw(wins, losses, 500, rng=seed)
        p = paired.mcnemar_pvalues(wins, losses)
        found.append(
            (
                partial_conjunction.k_hat(p, method="fisher"),
                joint.bound(draws, method="joint_sum").at_least,
                joint.bound(draws).at_least,
                partial_conjunction.k_hat(p),
            )
        )
    fisher, sums, both, bonferroni = np.mean(found, axis=0)
    error = np.std(found, axis=0)[:2] * np.sqrt(1 / 120 + 1 / 300)
    assert (abs(np.array([fisher, sums]) - REFERENCE[place]) <= 3.5 * error).all()
    assert both > fisher + 0.7
    assert both > bonferroni + 1.5
    assert sums - both < 0.1 * sums + 0.1  # what the maximum costs


@pytest.mark.long
@pytest.mark.parametrize("method", ["joint", "joint_sum"])
def test_the_level_is_used_and_holds_where_no_dataset_is_better(method):
    """Fisher's test of the same exact p-values uses about a tenth of it."""
    repetitions, wrong, fisher = 700, 0, 0
    for seed in range(repetitions):
        wins, losses = suite([2, seed], SIZES, 0.3, np.zeros(12))
        draws = draw(wins, losses, 200, rng=seed)
        wrong += joint.bound(draws, method=method).at_least > 0
        p = paired.mcnemar_pvalues(wins, losses)
        fisher += closed_testing.bound(p, method="fisher") > 0
    error = math.sqrt(0.05 * 0.95 / repetitions)
    assert 0.05 - 3.5 * error <= wrong / repetitions <= 0.05 + 3 * error
    assert fisher / repetitions < 0.015


@pytest.mark.slow
def test_the_level_holds_where_b_is_better():
    gains = np.repeat([-0.1, 0.0], 6)
    wrong = 0
    for seed in range(300):
        wins, losses = suite([3, seed], SIZES, 0.3, gains)
        wrong += joint.bound(draw(wins, losses, 200, rng=seed)).at_least > 0
    assert wrong / 300 <= 0.05


def test_draws_are_flips_of_their_own_kind():
    found = draw([3], [1], 50)
    assert isinstance(found, Draws)
    assert isinstance(found, joint.Flips)
    assert found.recalibrated


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: draw([1, -1], [0, 0]), "wins[1] is -1"),
        (lambda: draw([1, 2], [0, 0.5]), "losses[1] is 0.5"),
        (lambda: draw([1, 2], [0, 0, 1]), "wins and losses have the shapes (2,) and (3,), which"),
        (lambda: draw([[1, 2]], [[0, 0]]), "wins and losses have the shape (1, 2)"),
        (lambda: draw([], []), "wins and losses have the shape (0,); pass two non-empty sequences"),
        (lambda: draw([1], [0], 10), "n_draws is 10"),
        (
            lambda: draw([1, 2], [0, 0], names=["a", "a"]),
            "The name 'a' is used for more than one dataset",
        ),
        (
            lambda: draw([1, 2], [0, 0], names=["a"]),
            "names has the length 1, but there are 2 datasets",
        ),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)
