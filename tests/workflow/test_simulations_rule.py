"""Simulations at scale as a user meets them: in a copy of the checkout, through snakemake."""

import re

import pandas as pd
import pytest
from checkouts import append, copy, snakemake

from analysis.methods import simulation
from analysis.methods.shards import at_scale, read_settings, write_frequencies

pytestmark = pytest.mark.long

SETTINGS = """\
name: small
n_families: 9000
n_shards: 2
seed: 7
alpha: 0.05
estimators: [count, bonferroni, fisher]
examples:
  independent: [[20, 0.0]]
  dependent: [[10, 0.0], [10, 0.5]]
"""
RULES = ("simulation_shard", "simulation", "simulations")
FOLDER = "results/simulations/small"


def simulations(checkout, *arguments):
    """Run the target with the copy's settings."""
    found = ("simulations", *arguments, "--config", "simulations=config/small.yaml")
    return snakemake(checkout, *found)


def would_run(checkout, *arguments):
    """Return how many jobs of each rule a dry run counts."""
    found = simulations(checkout, "--dry-run", *arguments)
    assert found.returncode == 0, found.stderr
    text = found.stdout + found.stderr
    counts = {name: re.search(rf"^{name} +(\d+)$", text, re.MULTILINE) for name in RULES}
    return {name: int(count[1]) for name, count in counts.items() if count}


def edit(checkout, old, new):
    """Change the settings."""
    path = checkout / "config" / "small.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which the simulations have run."""
    target = copy(tmp_path_factory.mktemp("simulations"))
    (target / "config" / "small.yaml").write_text(SETTINGS, encoding="utf-8")
    found = simulations(target)
    assert found.returncode == 0, found.stderr
    return target


@pytest.fixture(autouse=True)
def _settings_as_before(finished):
    yield
    (finished / "config" / "small.yaml").write_text(SETTINGS, encoding="utf-8")


def test_a_run_has_the_bytes_of_one_process(finished, tmp_path):
    settings = read_settings(finished / "config" / "small.yaml")
    found = {}
    for example, groups in settings.examples.items():
        found[example] = simulation.distribution(groups, 9000, 7)
        write_frequencies(found[example], tmp_path / example)
        made = finished / FOLDER / f"{example}.csv"
        assert made.read_bytes() == (tmp_path / example).read_bytes()
    table = pd.read_csv(finished / FOLDER / "tables" / "overestimation.csv")
    pd.testing.assert_frame_equal(table, at_scale(settings, found))


def test_a_finished_run_has_nothing_to_do(finished):
    assert would_run(finished) == {}
    assert list((finished / "results").rglob("*.part")) == []


def test_a_run_that_was_stopped_simulates_what_is_missing(finished):
    pooled = finished / FOLDER / "independent.csv"
    first, second = (pooled.parent / f"shards/independent/{shard}_of_2.csv" for shard in range(2))
    before, kept = pooled.read_bytes(), first.stat().st_mtime_ns
    for path in (second, pooled, finished / FOLDER / "tables" / "overestimation.csv"):
        path.unlink()
    found = simulations(finished)
    assert found.returncode == 0, found.stderr
    assert "3 of 3 steps" in found.stdout + found.stderr
    assert (pooled.read_bytes(), first.stat().st_mtime_ns) == (before, kept)


@pytest.mark.parametrize(
    ("old", "new", "shards", "examples"),
    [
        ("n_shards: 2", "n_shards: 3", 6, 2),
        ("[10, 0.5]", "[10, 0.4]", 2, 1),
    ],
)
def test_a_changed_setting_simulates_what_follows_from_it(finished, old, new, shards, examples):
    edit(finished, old, new)
    expected = {"simulation_shard": shards, "simulation": examples, "simulations": 1}
    assert would_run(finished) == expected


def test_an_edited_module_simulates_again(finished):
    path = finished / "analysis" / "methods" / "simulation.py"
    text = path.read_text(encoding="utf-8")
    append(path)
    try:
        assert would_run(finished)["simulation_shard"] == 4
    finally:
        path.write_text(text, encoding="utf-8")


def test_wrong_settings_end_the_run_in_a_sentence(finished):
    edit(finished, "n_shards: 2", "n_shards: 4")
    found = simulations(finished)
    assert found.returncode == 1
    assert "config/small.yaml: n_shards is 4, but 9,000 families make 3 chunks" in found.stderr
    assert "Traceback" not in found.stderr
