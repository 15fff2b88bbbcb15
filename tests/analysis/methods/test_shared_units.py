"""Level and power where datasets share units: against the reference and against theory."""

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from analysis.methods import shared_units
from analysis.methods.grids import read_tallies
from analysis.methods.shared_units import Cell, draw, grid, rates, tally
from analysis.paths import ROOT
from replicability.checks import InputError
from replicability.stats import closed_testing, joint

REFERENCE = {
    (0.0, 10): ((6.95, 3.56, 4.35, 6.99), (0, 0, 0, 0)),
    (0.0, 0): ((0.05, 0.04, 0.04, 0.05), (0.050, 0.040, 0.040, 0.047)),
    (0.5, 10): ((6.15, 4.01, 4.83, 7.51), (0, 0, 0, 0)),
    (0.5, 0): ((0.16, 0.09, 0.12, 0.46), (0.033, 0.037, 0.040, 0.163)),
    (0.8, 10): ((6.18, 4.23, 5.20, 7.90), (0, 0, 0, 0)),
    (0.8, 5): ((1.41, 1.86, 2.06, 3.09), (0.030, 0.023, 0.030, 0.143)),
    (0.8, 0): ((0.16, 0.05, 0.07, 0.79), (0.040, 0.020, 0.027, 0.183)),
}
"""Correlation, truly better of 10 datasets that share 300 units: mean count and share of counts
above the truth of joint sums, Bonferroni, Simes and Fisher as if independent; 300 repetitions.

One repetition, in plain numpy (600 flips, alpha .05; brute force over J as in test_joint.py):

    d = rho**.5 * rng.normal(size=(300, 1)) + (1 - rho)**.5 * rng.normal(size=(300, 10))
    d[:, :better] += .12
    z = (signs @ d) / np.sqrt((d**2).sum(axis=0))          # signs[0] = 1
    p = scipy.stats.norm.sf(z[0])

and in R, from p: sum(p.adjust(p, "holm") <= .05); Fisher's count as in test_joint.py.
"""
COLUMNS = ("joint_sum", "bonferroni", "simes", "fisher")
N_REFERENCE = 300


@pytest.fixture(scope="module")
def committed():
    """Return the rates of the committed grid."""
    return rates(read_tallies(ROOT / "data/simulations/dependence.csv"))


@pytest.mark.parametrize("place", REFERENCE)
def test_the_committed_grid_has_the_reference_at_ten_times_its_repetitions(committed, place):
    rows = committed[committed["n"] == 10].set_index(["correlation", "n_better", "procedure"])
    rows = rows.loc[place].loc[list(COLUMNS)]
    assert (rows["repetitions"] == 10 * N_REFERENCE).all()
    counts, exceeded = map(np.array, REFERENCE[place])
    # the reference has the spread of the grid, in a tenth of its repetitions
    error = rows["mean_bound_error"] * np.sqrt(1 + 10)
    assert (abs(rows["mean_bound"] - counts) <= 3.5 * error + 0.005).all()
    share = (10 * rows["exceeded"] + exceeded) / 11
    error = np.sqrt(share * (1 - share) * (1 / N_REFERENCE + 1 / rows["repetitions"]))
    assert (abs(rows["exceeded"] - exceeded) <= 3.5 * error + 0.0005).all()


@pytest.mark.parametrize("procedure", ["bonferroni", "simes", *shared_units.OF_FLIPS])
def test_the_level_holds_on_the_whole_grid(committed, procedure):
    """Also for procedures that need independence, where the correlation is 0."""
    rows = committed[committed["procedure"] == procedure]
    most = 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / rows["repetitions"])
    assert (rows["wrong"] <= most).all()
    assert (rows["exceeded"] <= rows["wrong"]).all()
    assert (rows["misnamed"] <= rows["wrong"]).all()


def test_the_level_holds_for_every_procedure_where_datasets_are_independent(committed):
    rows = committed[committed["correlation"] == 0].query("procedure != 'stouffer'")
    most = 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / rows["repetitions"])
    assert set(rows["procedure"]) == {*shared_units.PROCEDURES} - {"stouffer"}
    assert (rows["wrong"] <= most).all()


def test_fisher_exceeds_its_level_where_datasets_are_not_independent(committed):
    rows = committed.query("procedure == 'fisher' and correlation == 0.8 and n_better == 0")
    assert len(rows) == committed["n"].nunique()
    assert (rows["exceeded"] > 0.1).all()


def test_sums_name_many_datasets_that_are_all_better_and_few_of_those_of_which_half_are(committed):
    keys = ["n", "n_better", "share", "correlation"]
    rows = committed.query("share > 0").pivot_table("mean_named", keys, "procedure")
    valid = rows[["bonferroni", "simes", "calibrated_simes", "max_t"]]
    every, half = (rows.index.get_level_values("share") == share for share in (1, 0.5))
    assert (rows["joint_sum"] > valid.max(axis=1))[every].all()
    correlated = half & (rows.index.get_level_values("correlation") > 0)
    assert (rows["joint_sum"] < valid.min(axis=1))[correlated].all()
    strong = half & (rows.index.get_level_values("correlation") >= 0.5)
    assert (rows["max_t"] > valid.drop(columns="max_t").max(axis=1))[strong].all()


def test_draws_have_the_correlation_and_the_effects():
    cell = Cell(3, 0.6, 2, 200_000, 0.3)
    d = draw(cell, np.random.default_rng(4))
    np.testing.assert_allclose(d.mean(axis=0), [0.3, 0.3, 0], atol=0.01)
    np.testing.assert_allclose(np.cov(d.T), 0.6 + 0.4 * np.eye(3), atol=0.02)


def test_a_tally_adds_up_what_the_procedures_say():
    cell = Cell(4, 0.5, 2, 80, 0.4)
    found = tally(cell, 12, 5, n_flips=100).set_index("procedure")
    children = np.random.SeedSequence(5, spawn_key=(4, 2, 80, 500_000, 400_000)).spawn(12)
    counts = {name: [] for name in shared_units.PROCEDURES}
    names = {name: [] for name in shared_units.PROCEDURES}
    for child in children:
        drawn, flipped = child.spawn(2)
        flips = joint.flip(draw(cell, np.random.default_rng(drawn)), 100, rng=flipped)
        p = special.ndtr(-flips.z[0])
        for group in (None, [2, 3]):
            for name in shared_units.OF_FLIPS:
                counts[name].append(joint.bound(flips, group, method=name).at_least)
            for name in shared_units.OF_PVALUES:
                counts[name].append(closed_testing.bound(p, group, 0.05, name))
        for name in shared_units.OF_PVALUES:
            names[name].append(closed_testing.names(p, 0.05, name))
        for name in shared_units.OF_FLIPS:
            alone = [joint.bound(flips, [j], method=name).at_least for j in range(4)]
            names[name].append(alone)
    for name, values in counts.items():
        count, wrong = np.reshape(values, (12, 2)).T
        row = found.loc[name]
        assert row["total"] == count.sum()
        assert row["squares"] == (count**2).sum()
        assert row["exceeded"] == (count > 2).sum()
        assert row["wrong"] == (wrong > 0).sum()
        named = np.array(names[name], int)
        assert row["named"] == named[:, :2].sum()
        assert row["named_squares"] == (named[:, :2].sum(axis=1) ** 2).sum()
        assert row["misnamed"] == named[:, 2:].any(axis=1).sum()
    assert found["named"].min() > 0


def test_a_cell_depends_on_nothing_but_what_it_is():
    cells = grid([3, 2], [0, 0.5], [0, 1], n_units=30)
    alone = {cell.name: tally(cell, 5, 1, n_flips=40) for cell in cells}
    for cell in reversed(cells):
        pd.testing.assert_frame_equal(tally(cell, 5, 1, n_flips=40), alone[cell.name])
    assert len(alone) == 8
    first = draw(cells[0], np.random.default_rng(shared_units._child(cells[0], 1)))
    other = draw(cells[0], np.random.default_rng(shared_units._child(cells[2], 1)))
    assert not np.array_equal(first, other)


def test_rates_are_means_and_binomial_shares():
    tallies = pd.DataFrame(
        [[4, 0.5, 2, "joint_sum", 100, 150, 300, 4, 9, 50, 50, 3]], columns=shared_units.COLUMNS
    )
    row = rates(tallies).iloc[0]
    values = np.repeat([0, 1, 2], [25, 0, 75])
    assert row["mean_bound"] == values.mean() == 1.5
    assert row["mean_bound_error"] == pytest.approx(stats.sem(values))
    assert row["mean_named"] == 0.5
    assert row["mean_named_error"] == pytest.approx(stats.sem(np.repeat([0, 1], 50)))
    assert (row["share"], row["exceeded"], row["wrong"]) == (0.5, 0.04, 0.09)
    assert row["misnamed"] == 0.03
    assert row["wrong_error"] == pytest.approx(np.sqrt(0.09 * 0.91 / 100))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Cell(0, 0, 0), "The number of datasets is 0"),
        (lambda: Cell(2, 1, 0), "The correlation of a cell is 1, but must be in [0, 1)"),
        (lambda: Cell(2, 0, 3), "n_better is 3, but must be a whole number from 0 to 2"),
        (lambda: Cell(2, 0, 1, 1), "The number of units is 1"),
        (lambda: Cell(2, 0, 1, 9, 0), "The effect of a cell is 0, but must be above 0"),
        (lambda: grid([5], [0], [0.5]), "0.5 of 5 datasets is not a whole number"),
        (lambda: tally(Cell(2, 0, 1), 0, 1), "n_repetitions is 0"),
        (lambda: tally(Cell(2, 0, 1), 1, 1, 0.01, 50), "or at least 100 flips"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)
