"""Grids of simulations in files: settings, cells in any order, faults."""

import sys

import pytest

from analysis import paths
from analysis.methods import grids, shared_units
from replicability.checks import InputError

sys.path.insert(0, str(paths.ROOT / "scripts"))

import simulations as script

SETTINGS = """\
name: small
repetitions: 3
seed: 7
alpha: 0.05
n_flips: 40
n_units: 20
effect: 0.5
sizes: [2, 4]
correlations: [0.0, 0.5]
shares: [0.5]
"""


@pytest.fixture
def settings(tmp_path):
    """Return a file of settings."""
    file = tmp_path / "grid.yaml"
    file.write_text(SETTINGS, encoding="utf-8")
    return file


def run(*arguments):
    return script.main([str(argument) for argument in arguments])


def test_cells_in_any_order_make_the_same_bytes(settings, tmp_path, capsys):
    cells = list(grids.read_grid(settings).cells)
    assert cells == ["n2_r0_k1", "n2_r0.5_k1", "n4_r0_k2", "n4_r0.5_k2"]
    for name in cells:
        assert run("cell", settings, name, "--output", tmp_path / f"{name}.csv") == 0
    made = []
    for order in (cells, cells[::-1]):
        files = [tmp_path / f"{name}.csv" for name in order]
        assert run("grid", settings, *files, "--output", tmp_path / "all.csv") == 0
        made.append((tmp_path / "all.csv").read_bytes())
    assert made[0] == made[1]
    assert run("grid", settings, *files[1:], "--output", tmp_path / "all.csv") == 1
    n = len(shared_units.PROCEDURES)
    assert f"{3 * n} rows, but 4 cells with {n} procedures are needed" in capsys.readouterr().err
    assert run("cell", settings, "n3_r0_k0", "--output", tmp_path / "x.csv") == 1
    assert "cell" in capsys.readouterr().err


def test_the_committed_grid_is_the_one_that_is_asked_for():
    grid = grids.read_grid("config/dependence.yaml")
    found = grids.read_tallies(paths.ROOT / "data/simulations/dependence.csv")
    places = {(c.n, c.correlation, c.n_better) for c in grid.cells.values()}
    assert set(zip(found["n"], found["correlation"], found["n_better"], strict=True)) == places
    assert set(found["procedure"]) == set(shared_units.PROCEDURES)
    asked = {
        (c.n, c.correlation, c.n_better): grid.repetitions[c.name] for c in grid.cells.values()
    }
    for place, rows in found.groupby(["n", "correlation", "n_better"]):
        assert set(rows["repetitions"]) == {asked[place]}


def test_large_cells_may_have_fewer_repetitions(settings):
    settings.write_text(f"{SETTINGS}large: {{from: 4, repetitions: 2}}\n", encoding="utf-8")
    grid = grids.read_grid(settings)
    assert grid.repetitions == {
        "n2_r0_k1": 3,
        "n2_r0.5_k1": 3,
        "n4_r0_k2": 2,
        "n4_r0.5_k2": 2,
    }
    assert set(grid.run("n4_r0_k2")["repetitions"]) == {2}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("n_flips: 40", "n_flips: 4", "flips must be a whole number of at least 20"),
        ("shares: [0.5]", "shares: [0.3]", "0.3 of 2 datasets is not a whole number"),
        ("effect: 0.5", "effects: 0.5", "effects"),
        ("correlations: [0.0, 0.5]", "correlations: [1]", "at least 0 and below 1"),
        ("seed: 7", "seed: 7\nlarge: {from: 4}", "large"),
    ],
)
def test_settings_that_break_a_rule(settings, old, new, sentence):
    settings.write_text(SETTINGS.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=r"grid\.yaml") as error:
        grids.read_grid(settings)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "content", ["a,b\n1,2\n", "n,correlation,n_better,procedure,repetitions\n"]
)
def test_a_file_that_holds_something_else(tmp_path, content):
    file = tmp_path / "cell.csv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"cell\.csv does not have tallies"):
        grids.read_tallies(file)
