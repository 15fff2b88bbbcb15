"""Joint sign flips against enumeration of flips and of intersections."""

import itertools

import numpy as np
import pytest
from scipy import sparse, special, stats

from replicability.checks import InputError
from replicability.stats import closed_testing, exact, joint
from replicability.stats.joint import adjusted_pvalues, bound, calibrated_bound, flip, names


def shared_units(seed, units=60, n=5, correlation=0.5, effects=0.0):
    """Differences of units that all datasets share, equally correlated."""
    rng = np.random.default_rng(seed)
    common = np.sqrt(correlation) * rng.normal(size=(units, 1))
    return common + np.sqrt(1 - correlation) * rng.normal(size=(units, n)) + effects


def all_flips(differences):
    """Every flip of every unit, the identity first."""
    d = np.asarray(differences, dtype=float)
    signs = np.array(list(itertools.product([1, -1], repeat=len(d))))
    return joint.Flips(signs @ d / np.sqrt((d**2).sum(axis=0)), np.full((d.shape[1],) * 2, len(d)))


def by_enumeration(flips, chosen, alpha):
    """d(S) from all intersections."""
    evidence = -special.log_ndtr(-flips.z)
    n, allowed = evidence.shape[1], np.floor(alpha * len(evidence) + 1e-9)
    left = [
        set(j)
        for size in range(1, n + 1)
        for j in itertools.combinations(range(n), size)
        if (evidence[:, j].sum(axis=1) >= evidence[0, j].sum() - 1e-9).sum() > allowed
    ]
    return len(chosen) - max((len(j & set(chosen)) for j in left), default=0)


def test_p_values_of_datasets_are_those_of_the_exact_flip_test():
    rng = np.random.default_rng(8)
    d = rng.integers(-2, 4, size=(9, 3))
    enumerated = all_flips(d).pvalues
    expected = [exact.flip_tail(column, column.sum()).probability for column in d.T]
    np.testing.assert_allclose(enumerated, expected, rtol=1e-12)
    sampled = flip(d, 20_000, rng=1).pvalues
    assert np.all(np.abs(sampled - expected) <= 4 * np.sqrt(np.divide(expected, 20_000)))


@pytest.mark.parametrize("seed", range(12))
def test_bounds_agree_with_all_intersections(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    effects = rng.choice([0, 0.3, 0.7], size=n)
    flips = flip(shared_units(seed, n=n, correlation=rng.choice([0, 0.7]), effects=effects), 300)
    for size in range(1, n + 1):
        for chosen in itertools.combinations(range(n), size):
            for alpha in (0.05, 0.2):
                d = by_enumeration(flips, chosen, alpha)
                assert bound(flips, list(chosen), alpha) == joint.Bound(d, d)


def test_independent_datasets_give_what_fisher_gives():
    """With units of their own and many flips the critical values are those of Fisher's sums."""
    rng = np.random.default_rng(6)
    blocks = [rng.normal(0.25, 1, size=(150, 1)) for _ in range(6)]
    d = sparse.block_diag(blocks, format="csr")
    flips = flip(d, 10_000)
    assert (flips.shared == np.diag([150] * 6)).all()
    fisher = closed_testing.bound(stats.norm.sf(flips.z[0]), None, 0.05, "fisher")
    assert abs(bound(flips).at_least - fisher) <= 1


def test_nothing_depends_on_the_order_of_datasets():
    d = shared_units(3, n=6, effects=[0, 0.2, 0.3, 0.4, 0.5, 0.6])
    order = np.random.default_rng(1).permutation(6)
    one, other = flip(d, 1000), flip(d[:, order], 1000)
    np.testing.assert_allclose(one.z[:, order], other.z, atol=1e-12)
    np.testing.assert_array_equal(adjusted_pvalues(one)[order], adjusted_pvalues(other))
    chosen = np.arange(6) < 3
    assert bound(one, chosen) == bound(other, chosen[order])
    assert calibrated_bound(one, chosen) == calibrated_bound(other, chosen[order])


def test_a_dataset_that_lacks_a_unit_is_the_same_in_every_form():
    d = shared_units(4, n=3)
    d[::2, 0] = np.nan
    rows, columns = np.nonzero(~np.isnan(d))
    matrix = sparse.csr_array((d[rows, columns], (rows, columns)), shape=d.shape)
    one, other = flip(d, 500), flip(matrix, 500)
    np.testing.assert_allclose(one.z, other.z, atol=1e-12)
    np.testing.assert_array_equal(one.shared, [[30, 30, 30], [30, 60, 60], [30, 60, 60]])
    np.testing.assert_array_equal(one.shared, other.shared)


def test_chunks_have_seeds_of_their_own():
    d = shared_units(5)
    few, many = flip(d, joint.CHUNK_FLIPS), flip(d, 3 * joint.CHUNK_FLIPS)
    np.testing.assert_array_equal(few.z, many.z[: joint.CHUNK_FLIPS])
    assert not np.array_equal(flip(d, 200, rng=1).z[1:], flip(d, 200, rng=2).z[1:])


def test_max_t_is_westfall_and_young():
    """By their Algorithm 2.8, one dataset at a time."""
    flips = flip(shared_units(9, n=5, effects=[0, 0, 0.3, 0.4, 0.5]), 800)
    expected, last = np.empty(5), 0.0
    rest = list(range(5))
    for j in np.argsort(-flips.z[0]):
        last = max(last, np.mean(flips.z[:, rest].max(axis=1) >= flips.z[0, j] - 1e-9))
        expected[j] = last
        rest.remove(j)
    np.testing.assert_allclose(adjusted_pvalues(flips), expected)
    np.testing.assert_array_equal(names(flips), expected <= 0.05)


def test_a_search_that_stops_gives_a_bound_and_its_gap():
    flips = flip(shared_units(2, 400, 40, 0.3, np.repeat([0, 0.12], 20)), 400)
    best = bound(flips)
    assert best.at_least == best.at_most
    stopped = bound(flips, most_nodes=1)
    assert stopped.at_least <= best.at_least <= stopped.at_most


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_level_holds_whatever_the_correlation(correlation):
    """Five of ten datasets without a difference: no statement may exceed the truth."""
    repetitions, truth = 250, 5
    effects = np.repeat([0, 0.15], truth)
    wrong = {"sum": 0, "calibrated": 0, "names": 0}
    for seed in range(repetitions):
        flips = flip(shared_units([3, seed], 200, 10, correlation, effects), 200, rng=seed)
        wrong["sum"] += bound(flips).at_least > truth
        wrong["calibrated"] += calibrated_bound(flips) > truth
        wrong["names"] += names(flips)[:truth].any()
    for count in wrong.values():
        assert count / repetitions <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / repetitions)


def test_fishers_sum_takes_shared_units_for_independent_evidence():
    """The same dataset under five names counts once."""
    d = np.repeat(shared_units(1, 100, 1, effects=0.25), 5, axis=1)
    flips = flip(d, 2000)
    p = flips.pvalues
    assert p[0] < 0.2
    assert closed_testing.bound(p, None, 0.05, "fisher") > 0
    assert bound(flips).at_least in (0, 5)
    assert (bound(flips).at_least == 5) == (p[0] <= 0.05)
    np.testing.assert_allclose(flips.correlations, 1)


def test_without_any_difference_nothing_is_shown():
    flips = flip(np.zeros((20, 3)), 100)
    assert flips.pvalues.tolist() == [1, 1, 1]
    assert bound(flips) == joint.Bound(0, 0)
    assert calibrated_bound(flips) == 0
    assert not names(flips).any()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: flip([[1, 2]]), "There are 1 units and 2 datasets"),
        (lambda: flip([1, 2]), "one row for each unit and one column for each dataset"),
        (lambda: flip([["a"], ["b"]]), "pass numbers with one row for each unit"),
        (lambda: flip([[1, np.inf], [1, 2]]), "infinity"),
        (lambda: flip([[1, np.nan], [1, np.nan]]), "Dataset 1 has no unit"),
        (lambda: flip(np.eye(3), 5), "n_flips"),
        (lambda: names(flip(np.eye(30), 50), 0.01), "use at least 100"),
        (lambda: bound(flip(np.eye(3), 50), [3]), "subset names the dataset 3"),
        (lambda: bound(flip(np.eye(3), 50), []), "subset is empty"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)
