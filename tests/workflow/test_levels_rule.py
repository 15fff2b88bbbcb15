"""The levels as a user measures them: in a copy of the checkout, through snakemake."""

import re

import pandas as pd
import pytest
from checkouts import append, copy, snakemake

from analysis.levels import cells, measure

pytestmark = pytest.mark.long

GRID = """\
name: levels
seed: 7
repetitions: 3
close: 5
grids:
  - {populations: [binary, normal], items: [10, 20], datasets: [2], declared: [nothing]}
"""
BLOCKS = "results/simulations/levels/blocks"


def jobs(checkout):
    """Return how many blocks a dry run would measure."""
    found = snakemake(checkout, "levels", "--dry-run")
    assert found.returncode == 0, found.stderr
    counted = re.search(r"^level_block +(\d+)$", found.stdout + found.stderr, re.MULTILINE)
    return int(counted[1]) if counted else 0


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which a small grid was measured on two cores."""
    target = copy(tmp_path_factory.mktemp("levels"))
    (target / "config" / "levels.yaml").write_text(GRID, encoding="utf-8")
    found = snakemake(target, "levels", "--cores", "2")
    assert found.returncode == 0, found.stderr
    return target


def test_a_run_has_the_tallies_of_one_process_and_is_not_repeated(finished):
    made = finished / "data" / "simulations" / "levels.csv"
    grid = cells.read_grid(finished / "config" / "levels.yaml")
    rows = [measure.tally(cell, n, grid.close, grid.seed) for cell, n in grid.repetitions.items()]
    pd.testing.assert_frame_equal(cells.read_tallies(made), pd.DataFrame(rows))
    assert jobs(finished) == 0


def test_a_run_that_was_stopped_measures_what_is_missing(finished):
    made = finished / "results" / "simulations" / "levels" / "levels.csv"
    before = made.read_bytes()
    kept = (finished / BLOCKS / "normal_20.csv").stat().st_mtime_ns
    made.unlink()
    (finished / BLOCKS / "binary_10.csv").unlink()
    assert jobs(finished) == 1
    found = snakemake(finished, "levels", "--cores", "1")
    assert found.returncode == 0, found.stderr
    assert made.read_bytes() == before
    assert (finished / BLOCKS / "normal_20.csv").stat().st_mtime_ns == kept


def test_what_is_asked_and_what_measures_it_decide_what_runs_again(finished):
    path = finished / "config" / "levels.yaml"
    path.write_text(GRID.replace("[10, 20]", "[10, 20, 30]"), encoding="utf-8")
    assert jobs(finished) == 2
    path.write_text(GRID, encoding="utf-8")
    append(finished / "replicability" / "stats" / "closed_testing.py")
    assert jobs(finished) == 4
