"""All pairs by one set of flips: against the definition, the level, and bad input."""

import itertools

import numpy as np
import pytest
from scipy import sparse, special

from replicability.checks import InputError
from replicability.stats import joint
from replicability.stats.branch_and_bound import SumsAndMaxima
from replicability.stats.flips import AT_LEAST, AT_MOST, Flips, flip_several, rough_gains
from replicability.stats.joint_pairs import Jointly

ALL = ~np.eye(3, dtype=bool)


def systems(seed, gains, units=40, n=3, n_flips=3_000, half=False):
    """Flips of systems that share units, each better than the last by a gain on all or half."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(units, 1))
    where = np.arange(n) < n / 2 if half else np.ones(n)
    scores = [shared + rng.normal(size=(units, n)) + gain * where for gain in gains]
    return flip_several([sparse.csr_array(s) for s in scores], n_flips, rng=seed)


def by_definition(several, compared, alpha, n_flips, method):
    """Return the counts and names that the module defines, by all sets of datasets."""
    sums = np.moveaxis(several.drawn(n_flips).astype(float), 2, 0)  # flips, systems, datasets
    z = (sums[:, :, np.newaxis] - sums[:, np.newaxis]) / np.where(several.scale, several.scale, 1)
    pairs, n = [tuple(p) for p in np.argwhere(compared)], z.shape[-1]
    most = int(np.floor(alpha * n_flips + 1e-9))
    named = np.zeros((*compared.shape, n), bool)
    if method == "max_t":
        left = {(*pair, k) for pair in pairs for k in range(n)}
        while left:
            top = max(left, key=lambda cell: z[0][cell])
            largest = np.max([z[:, i, j, k] for i, j, k in left], axis=0)
            if np.count_nonzero(largest >= z[0][top] - 1e-5) > most:
                break
            left.remove(top)
            named[top] = True
        return named.sum(axis=2), named
    evidence = -special.log_ndtr(-z)

    def rank(values):
        return len(values) - np.searchsorted(np.sort(values), values - 1e-9)

    def rejected(pair, chosen, allowed):
        parts = evidence[:, *pair, chosen].sum(axis=1), z[:, *pair, chosen].max(axis=1)
        least = np.minimum(*map(rank, parts))
        return np.count_nonzero(least <= least[0]) <= allowed

    sets = [list(c) for m in range(1, n + 1) for c in itertools.combinations(range(n), m)]
    open_ = pairs
    while True:
        allowed = most // max(len(open_), 1)
        kept = {p: [s for s in sets if not rejected(p, s, allowed)] for p in pairs}
        now = [pair for pair in pairs if kept[pair]]
        if len(now) == len(open_):
            break
        open_ = now
    counts = np.zeros(compared.shape, int)
    for pair in pairs:
        counts[pair] = n - max(map(len, kept[pair]), default=0)
        named[pair] = [not any(k in s for s in kept[pair]) for k in range(n)]
    return counts, named


@pytest.mark.parametrize("method", ["joint", "max_t"])
@pytest.mark.parametrize("gains", [(0, 0, 0), (0, 0.45, 0.5), (0, 0.3, 1.5)])
@pytest.mark.parametrize("compared", [ALL, ALL & (np.arange(3) == 0)])
def test_counts_and_names_are_those_of_the_definition(method, gains, compared):
    several = systems(sum(map(int, 10 * np.array(gains))), gains)
    found = Jointly(several, compared, 0.1, method, 3_000)
    counts, named = by_definition(several, compared, 0.1, 3_000, method)
    np.testing.assert_array_equal(found.counts, counts)
    for i, j in np.argwhere(compared):
        assert found.named(i, j).tolist() == named[i, j].tolist()
        assert found.bound(i, j).at_least >= found.named(i, j).sum()
        first = np.arange(3) == 0
        assert found.bound(i, j, first).at_least == named[i, j, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_bounds_are_those_of_a_search_through_all_flips(seed):
    several = systems(seed, (0, 0.3, 0.4, 0.7), n=10, half=seed > 0)
    found = Jointly(several, ~np.eye(4, dtype=bool), 0.1, n_flips=4_000)
    sums, group = several.drawn(4_000), np.arange(10) < 5
    for i, j in np.argwhere(found.compared):
        z = ((sums[i] - sums[j]) / several.scale[i, j][:, np.newaxis]).astype(np.float32)
        search = SumsAndMaxima(Flips(z.T, several.shared), found.allowed)
        assert found.named(i, j).tolist() == joint.named_by(search, 2_000).tolist()
        assert found.bound(i, j) == joint.bound_by(search, np.ones(10, bool), 2_000)
        assert found.bound(i, j, group) == joint.bound_by(search, group, 2_000)


@pytest.mark.parametrize("extreme", [1, 4, 12])
def test_gains_lie_between_their_bounds(extreme):
    z = (extreme * np.random.default_rng(extreme).normal(size=(5_000, 3))).astype(np.float32)
    for column, gains in zip(z.T, Flips(z, np.eye(3)).gains_of(slice(None)), strict=True):
        assert (rough_gains(column, AT_LEAST) <= gains + 1e-4).all()
        assert (rough_gains(column, AT_MOST) >= gains - 1e-4).all()


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_no_flip_that_counts_is_left_out(seed, k):
    """Of all sets of six datasets with at least k of a group."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(800, 6)).astype(np.float32)
    z[0] = rng.normal(3 + seed, 1, 6)
    flips, inside = Flips(z, np.eye(6)), np.arange(6) % 2 == 0
    gains, counts = flips.gains_of(slice(None)), np.zeros(800, bool)
    for m in range(1, 7):
        for chosen in itertools.combinations(range(6), m):
            if inside[list(chosen)].sum() >= k:
                largest = z[:, chosen].max(axis=1)
                counts |= gains[list(chosen)].sum(axis=0) >= -1e-9
                counts |= largest >= largest[0]
    kept = {tuple(row) for row in flips.reaching(inside, k).z}
    assert {tuple(row) for row in z[counts]} <= kept
    assert len(kept) < 800
    assert tuple(z[0]) == tuple(flips.reaching(inside, k).z[0])


def test_of_two_systems_maxima_are_those_of_westfall_and_young():
    """One ordered pair is max-T of `joint`, which R's multtest agrees with (test_joint)."""
    several = systems(3, (0.6, 0), n=6)
    found = Jointly(several, np.array([[False, True], [False, False]]), 0.05, "max_t", 3_000)
    assert found.named(0, 1).tolist() == joint.names(several.of(0, 1), 0.05).tolist()
    assert 0 < found.named(0, 1).sum() < 6


def test_drawn_flips_are_those_of_each_pair():
    several = systems(5, (0, 1, 2))
    drawn = several.drawn(3_000)
    for i, j in itertools.permutations(range(3), 2):
        expected = (several.sums[i] - several.sums[j]).T
        np.testing.assert_allclose(drawn[i] - drawn[j], expected, atol=1e-4)
    swapped = several.ordered([2, 0, 1])
    np.testing.assert_array_equal(swapped.of(1, 0).z, several.of(0, 2).z)
    expected = (drawn - drawn[2])[[2, 0, 1]][..., :200]
    np.testing.assert_allclose(swapped.drawn(200), expected, atol=1e-4)


def test_the_order_of_systems_has_no_part():
    several, order = systems(7, (0, 0.4, 0.6), n=5), [2, 0, 1]
    found, swapped = (Jointly(s, ALL, 0.05) for s in (several, several.ordered(order)))
    np.testing.assert_array_equal(swapped.counts, found.counts[np.ix_(order, order)])


def test_too_few_flips_for_each_pair_are_enough_for_maxima():
    several = systems(4, (0, 0.5, 2.0))
    by_maxima, joint_ = (Jointly(several, ALL, 0.05, m, 100) for m in ("max_t", "joint"))
    np.testing.assert_array_equal(joint_.counts, by_maxima.counts)
    assert joint_.counts[2, 0] == 3


def test_identical_systems_do_not_differ():
    scores = [sparse.csr_array(np.random.default_rng(8).normal(size=(40, 3)))] * 3
    found = Jointly(flip_several(scores, 200), ALL, 0.05)
    assert not found.counts.any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_each_pair_has_at_least_what_bonferroni_over_pairs_gives_it(seed):
    several, n_flips = systems(seed, (0, 0.1, 0.7, 2.5), 60, 4, 3_000), 3_000
    everyone = ~np.eye(4, dtype=bool)
    found, more = Jointly(several, everyone, 0.05, n_flips=n_flips), 0
    for i, j in np.argwhere(everyone):
        flips = several.of(i, j)
        k = joint.bound(flips, alpha=0.05 / 12).at_least
        assert found.counts[i, j] >= k
        assert (found.named(i, j) >= joint.named(flips, 0.05 / 12)).all()
        more += found.counts[i, j] - k
    assert found.allowed > 0.05 * n_flips / 12, "a pair that is complete leaves its share"


@pytest.mark.slow
@pytest.mark.parametrize("half", [False, True])
def test_any_wrong_statement_is_as_rare_as_promised(half):
    """300 studies of four systems on six datasets; .05 + 3 standard errors is .088."""
    gains, everyone = (0, 1.0, 1.0, 0) if half else (0, 0, 0, 0), ~np.eye(4, dtype=bool)
    wrong = 0
    for seed in range(300):
        several = systems(seed, gains, 50, 6, n_flips=20, half=half)
        found = Jointly(several, everyone, 0.05, n_flips=1_000)
        better = np.subtract.outer(gains, gains) > 0
        limit = np.where(better, 3 if half else 6, 0)
        wrong += bool((found.counts > limit).any())
    assert wrong / 300 <= 0.088


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ({"n_flips": 20, "alpha": 0.01}, r"20 flips, no p-value can be as small as alpha = 0\.01"),
        ({"n_flips": 5}, "n_flips is 5; pass a whole number of at least 20"),
        ({"alpha": 1.5}, "alpha is 1.5"),
        ({"method": "fisher"}, "method"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError, match=sentence):
        Jointly(systems(1, (0, 0, 0), n_flips=20), ALL, **{"alpha": 0.05, **call})
