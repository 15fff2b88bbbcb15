"""Joint sign flips against enumeration of flips and of intersections."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse, special, stats

from analysis.paths import ROOT
from replicability.checks import InputError
from replicability.stats import closed_testing, exact, joint, paired, partial_conjunction
from replicability.stats.joint import (
    adjusted_pvalues,
    both,
    bound,
    by_unit,
    calibrated_bound,
    calibrated_thresholds,
    flip,
    flip_several,
    named,
    names,
)


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


def ranks(values):
    """How many values are at least as large as each."""
    return (values >= values[:, np.newaxis] - 1e-9).sum(axis=1)


def not_rejected(flips, alpha, method):
    """All sets that the local test does not reject, from the ranks of all flips, set by set."""
    evidence = -special.log_ndtr(-flips.z)
    n, allowed = evidence.shape[1], np.floor(alpha * len(evidence) + 1e-9)
    left = []
    for size in range(1, n + 1):
        for j in itertools.combinations(range(n), size):
            by_sum, by_max = ranks(evidence[:, j].sum(axis=1)), ranks(flips.z[:, j].max(axis=1))
            t = {"joint": np.minimum(by_sum, by_max), "joint_sum": by_sum, "max_t": by_max}[method]
            if (t <= t[0]).sum() > allowed:
                left.append(set(j))
    return left


def by_enumeration(left, chosen):
    """d(S) from all intersections that are not rejected."""
    return len(chosen) - max((len(j & set(chosen)) for j in left), default=0)


def test_p_values_of_datasets_are_those_of_the_exact_flip_test():
    rng = np.random.default_rng(8)
    d = rng.integers(-2, 4, size=(9, 3))
    enumerated = all_flips(d).pvalues
    expected = [exact.flip_tail(column, column.sum()).probability for column in d.T]
    np.testing.assert_allclose(enumerated, expected, rtol=1e-12)
    sampled = flip(d, 20_000, rng=1).pvalues
    assert np.all(np.abs(sampled - expected) <= 4 * np.sqrt(np.divide(expected, 20_000)))


def agrees_with_all_intersections(flips, alpha, method):
    """Compare bounds of all groups, and names, with the sets that are not rejected."""
    n = flips.z.shape[1]
    left = not_rejected(flips, alpha, method)
    for size in range(1, n + 1):
        for chosen in itertools.combinations(range(n), size):
            d = by_enumeration(left, chosen)
            assert bound(flips, list(chosen), alpha, method) == joint.Bound(d, d)
    assert named(flips, alpha, method).tolist() == [
        by_enumeration(left, [j]) == 1 for j in range(n)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["joint", "joint_sum", "max_t"])
@pytest.mark.parametrize("seed", range(12))
def test_bounds_agree_with_all_intersections(seed, method):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    effects = rng.choice([0, 0.3, 0.7], size=n)
    d = shared_units(seed, n=n, correlation=rng.choice([0, 0.7]), effects=effects)
    if seed % 3 == 0:  # right or wrong: statistics have ties
        d = np.sign(np.round(d))
    flips = flip(d, 300)
    for alpha in (0.05, 0.2):
        agrees_with_all_intersections(flips, alpha, method)


@given(
    hnp.arrays(
        np.int8, st.tuples(st.integers(20, 60), st.integers(1, 4)), elements=st.integers(0, 4)
    ),
    st.sampled_from([0.05, 0.1, 0.5]),
)
def test_bounds_agree_with_all_intersections_whatever_the_ties(z, alpha):
    n = z.shape[1]
    agrees_with_all_intersections(joint.Flips(z / 2, np.eye(n, dtype=int)), alpha, "joint")


REFERENCE = {
    (0.8, 5): ((2.14, 2.11), (1.37, 0.71), (2.27, 2.27)),
    (0.8, 10): ((5.92, None), (6.21, None), (5.48, None)),
    (0.0, 10): ((6.74, None), (7.09, None), (3.61, None)),
}
"""Correlation, better of 10: mean count and names by "joint", "joint_sum" and "max_t".

Of 150 repetitions with 300 units, an effect of .12 and 400 flips; in plain numpy, where the columns
of `M` are the 1,023 sets of datasets as 0 and 1, `size` their sizes, and `pv` gives each row the
share of rows that are at least as large:

    S, X = L @ M, np.stack([z[:, m > 0].max(1) for m in M.T], 1)
    T = np.minimum(pv(S), pv(X))
    left = (T <= T[0]).mean(0) > .05
    count, names = 10 - max([0, *size[left]]), sum(not (left & (M[j] > 0)).any() for j in range(10))
"""


@pytest.mark.long
@pytest.mark.parametrize("place", REFERENCE, ids=str)
def test_the_sum_and_the_maximum_are_close_to_the_better_one(place):
    correlation, better = place
    effects = 0.12 * (np.arange(10) < better)
    found = []
    for seed in range(150):
        flips = flip(shared_units([7, seed], 300, 10, correlation, effects), 400, rng=seed)
        found.append(
            [
                (bound(flips, method=method).at_least, named(flips, method=method).sum())
                for method in ("joint", "joint_sum", "max_t")
            ]
        )
    error = np.std(found, axis=0) * np.sqrt(2 / len(found))
    expected = np.array(REFERENCE[place], float)
    known = ~np.isnan(expected)
    assert (abs(np.mean(found, axis=0) - expected) <= 3.5 * error + 0.01)[known].all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_shown_at_half_the_level_by_either_is_shown_by_both(seed):
    """Whatever the budget: the price of asking both is at most alpha/2."""
    rng = np.random.default_rng(seed)
    d = shared_units(seed, 200, 30, rng.choice([0.5, 0.9]), rng.choice([0, 0.25], size=30))
    flips = flip(d, 400)
    for most_nodes in (1, 30, None):
        found = bound(flips, most_nodes=most_nodes)
        said = named(flips, most_nodes=most_nodes)
        by_max = names(flips, 0.025)
        assert (said >= by_max).all()
        assert found.at_least >= by_max.sum()
    sums = bound(flips, None, 0.025, "joint_sum")
    assert found.at_least >= sums.at_least


@pytest.mark.parametrize("most_nodes", [1, 5, joint.MOST_NODES])
@pytest.mark.parametrize("seed", range(8))
def test_datasets_that_are_named_together_are_those_that_are_named_alone(seed, most_nodes):
    rng = np.random.default_rng(seed)
    effects = rng.choice([0, 0.2, 0.5], size=12)
    flips = flip(shared_units(seed, 80, 12, rng.choice([0, 0.6]), effects), 400)
    for method in ("joint", "joint_sum"):
        alone = [bound(flips, [j], method=method).at_least == 1 for j in range(12)]
        found = named(flips, method=method, most_nodes=most_nodes)
        if most_nodes == joint.MOST_NODES:
            assert found.tolist() == alone
        assert not (found & ~np.array(alone)).any()  # a budget takes names away and adds none


def test_names_by_calibration_are_those_of_which_the_bound_alone_is_one():
    flips = flip(shared_units(4, 80, 9, 0.3, np.linspace(0, 0.6, 9)), 400)
    below = special.ndtr(-flips.z[0]) < calibrated_thresholds(flips)[0]
    assert below.tolist() == [calibrated_bound(flips, [j]) == 1 for j in range(9)]
    assert below.tolist() == named(flips, method="calibrated_simes").tolist()
    assert 0 < below.sum() < 9
    k = calibrated_bound(flips, range(3, 9))
    assert bound(flips, range(3, 9), method="calibrated_simes") == joint.Bound(k, k)


@pytest.mark.parametrize("alpha", [0.05, 0.052, 0.199])
def test_thresholds_are_the_largest_of_which_the_flips_allow(alpha):
    n, flips = 6, flip(shared_units(5, n=6), 200)
    pivots = (np.sort(special.ndtr(-flips.z), axis=1) * n / np.arange(1, n + 1)).min(axis=1)
    limit = calibrated_thresholds(flips, alpha)[-1]
    below = (pivots < limit).sum()
    assert below <= alpha * 200 < (pivots <= limit * (1 + 1e-6)).sum() <= below + 1


@pytest.mark.parametrize("method", ["joint", "joint_sum", "max_t"])
def test_a_share_of_a_flip_is_no_flip(method):
    z = np.random.default_rng(3).normal(size=(200, 1))
    z[0] = np.sort(z[1:], axis=0)[-10]  # with the identity 11 of 200 flips are as large
    flips = joint.Flips(z, np.eye(1, dtype=int))
    assert bound(flips, [0], 0.055, method) == joint.Bound(1, 1)
    assert bound(flips, [0], 0.0549, method) == joint.Bound(0, 0)
    agrees_with_all_intersections(flips, 0.0549, method)


def test_independent_datasets_give_what_fisher_gives():
    """With units of their own and many flips the critical values are those of Fisher's sums."""
    rng = np.random.default_rng(6)
    blocks = [rng.normal(0.25, 1, size=(150, 1)) for _ in range(6)]
    d = sparse.block_diag(blocks, format="csr")
    flips = flip(d, 10_000)
    assert (flips.shared == np.diag([150] * 6)).all()
    fisher = closed_testing.bound(stats.norm.sf(flips.z[0]), None, 0.05, "fisher")
    assert abs(bound(flips, method="joint_sum").at_least - fisher) <= 1


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


@pytest.mark.slow
def test_a_search_that_stops_gives_a_bound_and_its_gap():
    flips = flip(shared_units(2, 400, 40, 0.3, np.repeat([0, 0.12], 20)), 400)
    for method in ("joint_sum", "joint"):
        best = bound(flips, method=method, most_nodes=20_000)
        assert best.at_least == best.at_most
        stopped = bound(flips, method=method, most_nodes=1)
        assert stopped.at_least <= best.at_least <= stopped.at_most
    assert stopped.at_least < stopped.at_most


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_level_holds_whatever_the_correlation(correlation):
    """Five of ten datasets without a difference: no statement may exceed the truth."""
    repetitions, truth = 250, 5
    effects = np.repeat([0, 0.15], truth)
    wrong = dict.fromkeys([*joint.METHODS, "names"], 0)
    for seed in range(repetitions):
        flips = flip(shared_units([3, seed], 200, 10, correlation, effects), 200, rng=seed)
        for method in joint.METHODS:
            wrong[method] += bound(flips, range(truth), method=method).at_least > 0
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
        (lambda: flip([[1, 2]]), "differences has the shape (1, 2), but sign flips need at least"),
        (lambda: flip([1, 2]), "one row for each unit and one column for each dataset"),
        (
            lambda: flip([["a"], ["b"]]),
            "type <U1; pass a matrix of numbers with one row for each unit",
        ),
        (lambda: flip([[1, np.inf], [1, 2]]), "infinity"),
        (lambda: flip([[1, np.nan], [1, np.nan]]), "Dataset 1 has no unit"),
        (lambda: flip(np.eye(3), 5), "n_flips"),
        (lambda: names(flip(np.eye(30), 50), 0.01), "= 0.01; use a larger alpha, or at least 100"),
        (lambda: bound(flip(np.eye(3), 50), [3]), "subset contains 3, which is not the index of a"),
        (lambda: bound(flip(np.eye(3), 50), []), "subset is empty"),
        (lambda: bound(flip(np.eye(3), 50), method="sum"), "method 'sum' is not one of joint,"),
        (lambda: named(flip(np.eye(3), 50), method="max-t"), "did you mean 'max_t'?"),
        (lambda: both(flip(np.eye(3), 50), flip(np.eye(3), 60)), "the shapes (50, 3) and (60, 3)"),
        (lambda: by_unit([1, 0], [0, 0], ["x"], [1, 2]), "a dataset and a unit."),
        (lambda: by_unit([1, np.nan], [0, 0], ["x", "x"], [1, 2]), "a[1] is nan"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)


@pytest.fixture(scope="module")
def instances():
    """Scores of two systems on three datasets that share some of their units, by item."""
    rng = np.random.default_rng(17)
    datasets = np.repeat(["x", "y", "z"], [90, 70, 50])
    units = np.concatenate([rng.permutation(120)[:size] for size in (90, 70, 50)])
    units[:5] = units[5:10]  # units of two instances
    return rng.integers(0, 2, 210), rng.integers(0, 2, 210), datasets, units


def said(flips):
    """Everything that is said from flips."""
    groups = [[0], [1], [2], [0, 1], [0, 2], [1, 2], None]
    return (
        flips.z.tobytes(),
        flips.shared.tolist(),
        adjusted_pvalues(flips).tolist(),
        [[bound(flips, g, 0.2, method) for method in joint.METHODS] for g in groups],
    )


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1))
def test_nothing_depends_on_the_order_of_units(instances, seed):
    matrix, names_found = by_unit(*instances)
    order = np.random.default_rng(seed).permutation(len(instances[0]))
    other, others = by_unit(*(column[order] for column in instances))
    assert names_found.tolist() == others.tolist() == ["x", "y", "z"]
    assert said(flip(matrix, 200)) == said(flip(other, 200))


def test_units_of_several_instances_are_added_up(instances):
    a, b, datasets, units = instances
    matrix, _ = by_unit(*instances)
    for column, name in enumerate("xyz"):
        for row, unit in enumerate(np.unique(units)):
            chosen = (datasets == name) & (units == unit)
            assert matrix[row, column] == (a[chosen] - b[chosen]).sum()
    held = [len(np.unique(units[datasets == name])) for name in "xyz"]
    assert flip(matrix, 20).shared.diagonal().tolist() == held


def test_the_order_of_instances_has_no_part_in_sums_to_the_last_bit():
    rng = np.random.default_rng(4)
    a, b = rng.uniform(size=(2, 60)) * 10.0 ** rng.integers(-8, 8, 60)
    datasets, units = np.repeat(["x", "y"], 30), np.tile(["u", "v", "w"], 20)
    matrix, _ = by_unit(a, b, datasets, units)
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(60)
        other, _ = by_unit(a[order], b[order], datasets[order], units[order])
        assert other.toarray().tobytes() == matrix.toarray().tobytes()


def test_differences_of_unsigned_scores_do_not_wrap():
    matrix, _ = by_unit(*np.array([[0, 1], [1, 0]], dtype=np.uint8), ["x", "x"], [1, 2])
    assert matrix.toarray().tolist() == [[-1], [1]]


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1))
def test_bounds_and_names_do_not_depend_on_the_order_of_datasets(seed):
    rng = np.random.default_rng(seed)
    d = shared_units(seed, 40, 5, rng.choice([0, 0.8]), rng.choice([0, 0.4], 5))
    order, chosen = rng.permutation(5), rng.random(5) < 0.5
    chosen[0] = True
    one, other = flip(d, 100), flip(d[:, order], 100)
    for function in (names, named):
        np.testing.assert_array_equal(function(one)[order], function(other))
    for method in joint.METHODS:
        assert bound(one, chosen, method=method) == bound(other, chosen[order], method=method)


@pytest.mark.slow
def test_nothing_depends_on_how_many_flips_are_multiplied_at_a_time_or_on_cores():
    """Each chunk on its own, with one thread, gives the rows that all of them give."""
    code = (
        "import numpy as np, sys; from replicability.stats import joint;"
        "d = np.random.default_rng(5).integers(-3, 4, (500, 30));"
        "f = joint.flip(d, 300, rng=11);"
        "sys.stdout.write(str((f.z.sum(), hash(f.z.tobytes()), joint.bound(f), f.z[299].sum())))"
    )
    found = set()
    for threads in ("1", "2"):
        environment = os.environ | dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), threads
        )
        environment["PYTHONHASHSEED"] = "0"
        command = [sys.executable, "-c", code]
        run = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1


SENTIMENT = {
    ("AE-SCL-SR", "LR"): (9, 6, 8, 8, 8),
    ("SCL", "LR"): (8, 8, 7, 7, 7),
    ("AE-SCL-SR", "SCL"): (3, 2, 2, 2, 2),
    ("mSDA", "AE-SCL-SR"): (11, 11, 11, 11, 11),
}
"""A over B: datasets with p <= .05, and k-hat by Bonferroni, by Fisher, by sums of flips, by both.

Computed apart from this module; `d` is 8,000 reviews by 12 pairs of domains, 0 where a pair lacks
the review:

    signs = rng.choice([-1, 1], (10_000, 8_000)); signs[0] = 1
    z = signs @ d / np.sqrt((d**2).sum(axis=0))
    L = -scipy.special.log_ndtr(-z); D = L - L[0]
    left = lambda J: (D[:, J].sum(axis=1) >= -1e-9).sum() > 500
    12 - max(r for r in range(13) if any(left(list(J)) for J in combinations(range(12), r)))
    S, X = (lambda J: np.round(L[:, J].sum(1), 7)), (lambda J: np.round(z[:, J].max(1), 8))
    T = lambda J: np.minimum(rankdata(-S(J), "max"), rankdata(-X(J), "max"))
    left = lambda J: (T(J) <= T(J)[0]).sum() > 500  # by both
    p = [binomtest(sum(x > 0), sum(x != 0), alternative="greater").pvalue for x in d.T]

and in R, from p:

    sum(p.adjust(p, "holm") <= .05)
    s <- sapply(1:12, function(u) pchisq(-2 * sum(log(sort(p)[u:12])), 2 * (13 - u),
                                         lower.tail = FALSE)); sum(cummax(s) <= .05)
"""


@pytest.mark.long
@pytest.mark.parametrize("pair", SENTIMENT, ids=" over ".join)
def test_reviews_that_are_scored_in_three_pairs_of_domains(pair):
    outcomes = pd.read_parquet(ROOT / "data/outcomes/sentiment_reviews.parquet")
    keys = ["dataset", "instance"]
    columns = {name: part.set_index(keys)["correct"] for name, part in outcomes.groupby("system")}
    wide = pd.DataFrame(columns).reset_index()
    units = wide["dataset"].str.split(" → ").str[1] + "/" + wide["instance"]
    a, b = (wide[name].to_numpy() for name in pair)
    matrix, found = by_unit(a, b, wide["dataset"].to_numpy(str), units.to_numpy(str))
    flips = flip(matrix)
    assert matrix.shape == (8000, 12)
    assert np.unique(flips.shared).tolist() == [0, 2000]
    wins = [((a > b) & (wide["dataset"] == name)).sum() for name in found]
    losses = [((a < b) & (wide["dataset"] == name)).sum() for name in found]
    p = paired.mcnemar_pvalues(wins, losses, alternative="greater")
    counts = (partial_conjunction.k_count(p), partial_conjunction.k_hat(p))
    counts += (partial_conjunction.k_hat(p, method="fisher"),)
    counts += tuple(bound(flips, method=method).at_least for method in ("joint_sum", "joint"))
    assert counts == SENTIMENT[pair]
    between = flips.correlations[np.triu_indices(12, 1)]
    assert 0 < between.mean() < 0.03
    assert between.max() < 0.35


# --- several systems -----------------------------------------------------------------------------


def scores_of_systems(seed, units=40, n=3, systems=4):
    """Whole scores of systems on the same cells, of which some datasets lack some units."""
    rng = np.random.default_rng(seed)
    cells = rng.random((units, n)) < 0.8
    cells[:2] = True
    rows, columns = np.nonzero(cells)
    drawn = [rng.integers(0, 4, len(rows)).astype(float) for _ in range(systems)]
    return [sparse.csr_array((d, (rows, columns)), shape=(units, n)) for d in drawn], cells


@pytest.mark.parametrize("seed", [1, 2])
def test_the_flips_of_a_pair_are_those_of_its_own_comparison(seed):
    scores, cells = scores_of_systems(seed)
    several = flip_several(scores, 500, rng=seed)
    for i, j in itertools.permutations(range(4), 2):
        differences = np.where(cells, (scores[i] - scores[j]).toarray(), np.nan)
        alone = flip(differences, 500, rng=seed)
        np.testing.assert_array_equal(several.of(i, j).z, alone.z)
        np.testing.assert_array_equal(several.of(i, j).shared, alone.shared)
        np.testing.assert_array_equal(several.of(j, i).z, -alone.z)


def test_the_flips_of_identical_systems_show_nothing():
    (first, *_), _ = scores_of_systems(3)
    several = flip_several([first, first], 100)
    assert (several.of(0, 1).z == 0).all()
    assert (several.of(0, 1).pvalues == 1).all()


def test_flips_of_several_systems_are_refused_as_those_of_two():
    scores, _ = scores_of_systems(1)
    with pytest.raises(InputError, match="n_flips is 3; pass a whole number of at least 20"):
        flip_several(scores, 3)
    endless = scores[1].copy()
    endless.data[0] = np.inf
    with pytest.raises(InputError, match="infinity or NaN"):
        flip_several([scores[0], endless])


# --- claims of two sides -------------------------------------------------------------------------


def sides(seed, n, margin=0.3, effects=0.0, correlation=0.5, n_flips=200):
    """Flips of both sides of "differ by less than a margin", and those of any choice of them."""
    d = shared_units(seed, 60, n, correlation, effects)
    first, second = flip(d + margin, n_flips, rng=seed), flip(margin - d, n_flips, rng=seed)
    choices = [
        joint.Flips(np.where(choice, first.z, second.z), first.shared)
        for choice in itertools.product([True, False], repeat=n)
    ]
    return both(first, second), choices


@pytest.mark.parametrize("method", joint.METHODS)
@pytest.mark.parametrize("seed", range(5))
def test_a_claim_of_both_sides_is_shown_only_where_every_choice_of_sides_is(seed, method):
    rng = np.random.default_rng(seed)
    flips, choices = sides(seed, 4, effects=rng.choice([0, 0.2, 0.4], size=4))
    of_sums = "joint_sum" if method == "joint" else method
    for size in (1, 2, 4):
        for chosen in itertools.combinations(range(4), size):
            found = bound(flips, chosen, 0.2, of_sums).at_least
            assert found <= min(bound(c, chosen, 0.2, of_sums).at_least for c in choices)
    assert (named(flips, 0.2, method) <= (flips.pvalues <= 0.2)).all()


def test_a_side_that_is_beyond_doubt_leaves_the_test_of_the_other_one():
    d = shared_units(3, 80, 5, effects=[0.1, 0.3, 0.5, 0.6, 0.9])
    far, near = flip(d + 50, 500, rng=1), flip(d, 500, rng=1)
    for method in ("joint_sum", "joint"):
        alone = bound(near, method=method).at_least
        assert bound(both(far, near), method=method).at_least in (alone, alone - 1)
    assert bound(both(near, near), method="joint_sum") == bound(near, method="joint_sum")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["joint", "joint_sum", "max_t"])
def test_the_level_holds_at_the_edge_of_the_margin(method):
    """Each dataset is at one edge: no claim of any of them is right."""
    repetitions, wrong = 200, 0
    for seed in range(repetitions):
        edge = 0.3 * np.random.default_rng(seed).choice([-1, 1], size=4)
        d = shared_units([5, seed], 100, 4, 0.6) + edge
        flips = both(flip(d + 0.3, 200, rng=seed), flip(0.3 - d, 200, rng=seed))
        wrong += bound(flips, method=method).at_least > 0
    assert wrong / repetitions <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / repetitions)
