"""Bounds for grids of datasets and metrics, against all sets of cells, one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicability import checks
from replicability.stats import closed_testing, grids, joint
from replicability.stats.grids import NONE

ALPHA = 0.1
SHAPE = (3, 2)
CELLS = [*itertools.product(*map(range, SHAPE))]
SETS = [
    frozenset(chosen)
    for size in range(1, len(CELLS) + 1)
    for chosen in itertools.combinations(range(len(CELLS)), size)
]
pvalues = st.one_of(
    st.floats(0, 1), st.sampled_from([0, ALPHA / 6, ALPHA / 5, ALPHA / 3, ALPHA / 2, ALPHA, 1])
)
grids_of_pvalues = st.lists(pvalues, min_size=6, max_size=6).map(lambda p: np.reshape(p, SHAPE))


def by_bonferroni(values):
    return lambda chosen: min(values.flat[j] for j in chosen) * len(chosen) <= ALPHA


def by_simes(values):
    def rejects(chosen):
        ordered = sorted(values.flat[j] for j in chosen)
        return any(p * len(chosen) <= i * ALPHA for i, p in enumerate(ordered, 1))

    return rejects


def by_max_t(flips):
    def rejects(chosen):
        largest = flips.z[:, sorted(chosen)].max(axis=1)
        return np.mean(largest >= largest[0] - 1e-9) <= ALPHA

    return rejects


def not_rejected(rejects):
    """Sets of true null hypotheses that closed testing leaves possible, by its definition."""
    by_itself = {chosen: rejects(chosen) for chosen in SETS}
    open_ = [s for s in SETS if not all(by_itself[t] for t in SETS if t >= s)]
    return [frozenset(), *open_]


def assert_all_bounds(steps, possible):
    """Compare the bounds of every block with the worst case over the possible sets."""
    places = np.arange(6).reshape(SHAPE)
    for n in range(1, 4):
        for m in range(1, 3):
            for some, columns in itertools.product(
                itertools.combinations(range(3), n), itertools.combinations(range(2), m)
            ):
                block = np.ix_(some, columns)
                inside, own = places[block], steps[block]
                worst = min(sum(j not in t for j in inside.flat) for t in possible)
                assert grids.cells(own) == worst
                for needed in range(1, m + 1):
                    worst = min(
                        sum(sum(j not in t for j in row) >= needed for row in inside)
                        for t in possible
                    )
                    assert grids.rows(own, needed) == worst


@settings(max_examples=60, deadline=None)
@given(grids_of_pvalues)
def test_bonferroni_bounds_every_block_as_all_sets_do(values):
    possible = not_rejected(by_bonferroni(values))
    assert_all_bounds(grids.steps(values, ALPHA), possible)


@settings(max_examples=120, deadline=None)
@given(grids_of_pvalues)
def test_simes_bounds_every_block_as_all_sets_do(values):
    possible = not_rejected(by_simes(values))
    assert_all_bounds(grids.steps(values, ALPHA, "simes"), possible)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 2))
def test_max_t_bounds_every_block_as_all_sets_do(seed, shift):
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(12, 6)) + rng.normal(size=(12, 1)) + shift * (np.arange(6) % 3)
    flips = joint.flip(differences, 200, rng=1)
    possible = not_rejected(by_max_t(flips))
    assert_all_bounds(grids.steps_of_flips(flips, SHAPE, ALPHA), possible)


def sets_that_fit(steps):
    """All sets of cells that steps do not reject, by the sentence that defines them."""
    flat = steps.ravel()
    possible = [frozenset()]
    for chosen in SETS:
        own = [int(flat[j]) for j in chosen]
        if all(sum(u <= level for u in own) < level for level in set(own)):
            possible.append(chosen)
    return possible


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, NONE]), min_size=6, max_size=6))
def test_any_steps_bound_every_block_as_all_sets_do(steps):
    grid = np.reshape(steps, SHAPE)
    assert_all_bounds(grid, sets_that_fit(grid))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_a_calibrated_step_is_the_least_threshold_above_the_p_value(seed):
    differences = np.random.default_rng(seed).normal(0.4, 1, (15, 6))
    flips = joint.flip(differences, 300, rng=2)
    steps = grids.steps_of_flips(flips, SHAPE, ALPHA, "calibrated_simes")
    for chosen in SETS:
        expected = joint.calibrated_bound(flips, sorted(chosen), ALPHA)
        assert grids.cells(steps.ravel()[sorted(chosen)]) == expected


# R: p <- c(.001, .002, .004, .003, .2, .001); h <- hommel::hommel(p, simes = TRUE)
#    hommel::discoveries(h, alpha = .05, ix = c(2, 3, 5))  # the row maxima: 2
#    sum(p.adjust(p, "holm") <= .05)                       # 5
def test_every_metric_is_the_bound_of_the_weakest_cells():
    values = np.array([[0.001, 0.002], [0.004, 0.003], [0.2, 0.001]])
    for method in ("bonferroni", "simes"):
        steps = grids.steps(values, 0.05, method)
        assert grids.rows(steps, 2) == 2
        assert grids.rows(steps, 1) == 3
        assert grids.cells(steps) == 5
        weakest = values.max(axis=1)
        assert grids.rows(steps, 2) == closed_testing.bound(
            values.ravel(), np.isin(values.ravel(), weakest), 0.05, method
        )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(2, 6))
def test_more_metrics_are_shown_on_fewer_datasets(seed, n, m):
    values = np.random.default_rng(seed).beta(0.3, 1, (n, m))
    steps = grids.steps(values, 0.05, "simes")
    found = [grids.rows(steps, needed) for needed in range(1, m + 1)]
    assert found == sorted(found, reverse=True)
    assert found[-1] <= min(grids.cells(column) for column in steps.T)
    assert found[0] >= max(grids.cells(column) for column in steps.T)
    assert sum(found) <= grids.cells(steps)  # each has a worst case of its own


def test_one_row_is_one_dataset_and_one_column_one_metric():
    values = np.random.default_rng(3).beta(0.3, 1, (8, 3))
    steps = grids.steps(values, 0.05, "simes")
    for row in steps:
        for needed in (1, 2, 3):
            assert grids.rows(row[None], needed) == (grids.cells(row) >= needed)
    for column in steps.T:
        assert grids.rows(column[:, None], 1) == grids.cells(column)


def test_a_search_that_ends_early_is_on_the_safe_side(monkeypatch):
    values = np.random.default_rng(5).beta(0.35, 1, (60, 4)) / 20
    steps = grids.steps(values, 0.05, "simes")
    best = [grids.rows(steps, needed) for needed in (1, 2, 3)]
    monkeypatch.setattr(grids, "MOST_NODES", 1)
    early = [grids.rows(steps, needed) for needed in (1, 2, 3)]
    assert all(a <= b for a, b in zip(early, best, strict=True))


def test_identical_metrics_and_a_metric_turned_round():
    rng = np.random.default_rng(1)
    first = rng.normal(1, 1, (40, 3))
    twice = np.stack([first, first], axis=2).reshape(40, 6)
    steps = grids.steps_of_flips(joint.flip(twice, 2000), SHAPE, 0.05)
    assert grids.rows(steps, 2) == grids.rows(steps, 1) == grids.cells(steps[:, 0]) == 3
    against = np.stack([first, -first], axis=2).reshape(40, 6)
    steps = grids.steps_of_flips(joint.flip(against, 2000), SHAPE, 0.05)
    assert (grids.rows(steps, 2), grids.rows(steps, 1)) == (0, 3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: grids.steps([0.1, 0.2]), r"The p-values have the shape \(2,\); pass one row for"),
        (lambda: grids.steps([[0.1, 1.2]]), "1.2"),
        (lambda: grids.steps([[0.1]], 2), "alpha is 2"),
        (lambda: grids.steps([[0.1]], 0.05, "fisher"), "method"),
        (lambda: grids.rows([[1, 1]], 3), "needed is 3; pass a whole number from 1 to 2, the"),
        (lambda: grids.rows([[1, 1]], True), "needed is True"),
        (lambda: grids.rows(np.ones((0, 2)), 1), r"The matrix of steps has the shape \(0, 2\);"),
        (
            lambda: grids.steps_of_flips(joint.flip(np.ones((9, 4)), 99), (3, 2)),
            "There are sign flips for 4 cells, but the grid has 3 x 2 cells; flip the",
        ),
        (
            lambda: grids.steps_of_flips(joint.flip(np.ones((9, 4)), 20), (2, 2), 0.01),
            r"With 20 flips, no p-value can be as small as alpha = 0\.01; use a larger alpha, or",
        ),
    ],
)
def test_a_mistake_is_named(make, message):
    with pytest.raises(checks.InputError, match=message):
        make()
