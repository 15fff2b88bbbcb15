"""The exact size of Welch's test of normal runs."""

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from analysis import paths
from analysis.methods import repeats
from replicability.checks import InputError
from replicability.stats import two_samples

COMMITTED = paths.ROOT / "data" / "simulations"

# Both sums of squares are integrated over, with the normal distribution of the means:
# from scipy import special, stats
# def size(n, m, alpha, ratio, k=180):
#     (x, w), (y, v) = (special.roots_genlaguerre(k, (r - 1) / 2 - 1) for r in (n, m))
#     a, b = ratio**2 * 2 * x[:, None] / (n - 1) / n, 2 * y / (m - 1) / m
#     nu = (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (m - 1))
#     z = stats.t.isf(alpha, nu) * ((a + b) / (ratio**2 / n + 1 / m)) ** 0.5
#     return w / w.sum() @ stats.norm.sf(z) @ (v / v.sum())
BY_TWO_INTEGRALS = {
    (10, 10, 0.05, 1): (0.04915289399911, 1e-12),
    (10, 10, 2.4e-8, 1): (1.41528714e-8, 1e-7),
    (10, 10, 2.4e-8, 3): (1.57353e-7, 1e-5),
    (5, 20, 0.01, 1): (0.013008793441590, 1e-9),
    (5, 20, 1e-4, 3): (7.047e-4, 1e-3),
}


@pytest.mark.parametrize(("asked", "found"), BY_TWO_INTEGRALS.items())
def test_the_size_by_another_integral(asked, found):
    expected, error = found
    assert two_samples.welch_size(*asked) == pytest.approx(expected, rel=error)


@pytest.mark.parametrize("alpha", [0.05, 0.005, 1e-6])
@pytest.mark.parametrize(("n", "m"), [(10, 10), (5, 20), (2, 200)])
def test_swapped_systems_and_a_system_that_hardly_varies(n, m, alpha):
    for ratio in (0.2, 1.0, 7.0):
        swapped = two_samples.welch_size(m, n, alpha, 1 / ratio)
        assert two_samples.welch_size(n, m, alpha, ratio) == pytest.approx(swapped, rel=1e-6)
    alone = two_samples.welch_size(n, m, alpha, 1e-9)  # Student's t of B's runs
    assert alone == pytest.approx(alpha, rel=1e-3)


def test_the_size_agrees_with_simulated_studies():
    rates = pd.read_csv(COMMITTED / "repeats.csv").query("gain == 0 and test == 'unpaired runs'")
    many = rates[rates["population"].str.startswith("normal") & (rates["n"] == 40)]
    assert len(many) == 8
    for row in many.itertuples():
        n, m = map(int, row.scheme.removesuffix(" runs").split(" and "))
        first, second = repeats.SPREADS.get(row.population, (1, 1))
        size = two_samples.welch_size(n, m, row.alpha, first / second)
        error = np.sqrt(size * (1 - size) / row.repetitions)
        assert abs(row.rejected / row.repetitions - size) <= 3 * error


def test_the_committed_sizes_are_those_of_the_code():
    table = pd.read_csv(COMMITTED / "welch.csv")
    pd.testing.assert_frame_equal(table, repeats.welch(), rtol=1e-5)
    ten = table.query("runs_a == 10 and runs_b == 10")
    excess = (ten["size"] / ten["alpha"]).groupby([ten["alpha"], ten["ratio"]]).max()
    assert excess[0.05].max() < 1.01
    assert excess[2.4e-8][1.0] < 0.6 and 15 < excess[2.4e-8].max() < 16


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((1, 10, 0.05), "n"),
        ((10, 10, 0.0), "alpha is 0"),
        ((10, 10, 0.6), "at most 0.5"),
        ((10, 10, 0.05, 0.0), "ratio is 0"),
        ((10, 10, float("nan")), "alpha"),
    ],
)
def test_bad_input(asked, message):
    with pytest.raises(InputError, match=message):
        two_samples.welch_size(*asked)


def test_permutations_have_no_excess():
    assert two_samples.inflation(5, 5, 0.001) == 1
    assert two_samples.inflation(10, 10, 0.05) < 1.01


def test_a_note_says_how_much_too_often_welchs_t_may_reject():
    rng = np.random.default_rng(3)
    rows = [(k, run, *rng.normal(size=3)) for k in range(40) for run in range(10)]
    table = pd.DataFrame(rows, columns=["dataset", "run", "ours", "base", "third"])
    runs = {"repeats": {"column": "run", "kind": "runs"}, "claim_covers": "runs"}
    worst = two_samples.inflation(10, 10, 0.025 / 40)
    said = "With 10 and 10 runs, Welch's t-test can reject true null hypotheses "
    said += f"{worst:.2g} times as often as the level"
    found = rep.compare(table, a="ours", b="base", ignore=["third"], **runs)
    assert any(note.startswith(said) for note in found.notes)
    few = table[table["run"] < 6]
    found = rep.compare(few, a="ours", b="base", ignore=["third"], **runs)
    assert not any("Welch's t-test can" in note for note in found.notes)
    family = rep.all_pairs(table, **runs)
    assert any("With 10 and 10 runs, Welch's t-test can" in note for note in family.notes)
