"""The sections of every committed study give again what their executed copies show."""

import os
import subprocess
import sys

import pytest
from checkouts import copy, snakemake

from analysis import assembly, items, paths
from analysis.studies import read_study

FILES = {name: f"config/{name}.yaml" for name in items.FOLDERS}
MADE = {
    name: [one.name for one in assembly.asked(read_study(file)) if one.made]
    for name, file in FILES.items()
}
"""Committed study -> its sections whose notebooks are made for it; the others are in notebooks/."""


def test_every_section_of_a_committed_study_is_compared_with_what_it_shows():
    assert sorted(MADE["open"]) == sorted([*assembly.described("task"), "summary"])
    for name, file in FILES.items():
        blocks = assembly.shown_in(read_study(file), "summary")
        shown = {path.stem for path in paths.ROOT.glob("notebooks/*.ipynb")}
        assert {block.section for block in blocks} <= shown | set(MADE[name]), name


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name, made in MADE.items() if made])
def test_an_executed_section_gives_what_it_shows_and_leaves_nothing_behind(name, tmp_path):
    checkout = copy(tmp_path)
    home = checkout / "results" / name
    executed = [home / "notebooks" / f"{section}.ipynb" for section in MADE[name]]
    targets = [str(path.relative_to(checkout)) for path in executed]
    found = snakemake(checkout, *targets, "--cores", "2", "--configfile", FILES[name])
    assert found.returncode == 0, found.stderr
    before = sorted(home.rglob("*"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--nbval", *targets]
    compared = subprocess.run(
        command,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert compared.returncode == 0, compared.stdout
    cells = sum(path.read_text("utf-8").count('"cell_type": "code"') for path in executed)
    assert f"{cells} passed" in compared.stdout
    assert sorted(home.rglob("*")) == before
