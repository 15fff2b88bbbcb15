"""What is behind the counts of all pairs."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis import paths, planes
from replicability.core import all_pairs, findings
from replicability.io import delimited

FAMILY = SimpleNamespace(name="family", score="accuracy (%)")


@pytest.fixture(params=["", "B"])
def pairs(request):
    """All pairs of four systems, the last two of them the same, or those with one of them."""
    rng = np.random.default_rng(11)
    half = rng.random((4, 4, 6)) ** 5
    half[3], half[:, 3] = half[2], half[:, 2]
    scores = rng.random((4, 6)).round(6) * 100
    names, datasets = ("A", "B", "C", "D"), tuple("uvwxyz")
    return all_pairs.Pairs(
        names, datasets, scores, half, against=request.param, identical=(("C", "D"),)
    )


def test_names_and_pvalues_are_those_of_the_pairs(pairs):
    found = planes.behind(FAMILY, pairs, 0.05)
    assert found["systems"] == ["A", "B", "C (2 systems)"]
    assert found["datasets"] == list("uvwxyz")
    for i, a in enumerate("ABC"):
        assert found["scores"][i] == pytest.approx(pairs.scores[i], rel=5e-4)
        for j, b in enumerate("ABC"):
            if not pairs.compared[i, j]:
                assert found["pvalues"][i][j] == found["named"][i][j] == []
                continue
            assert found["pvalues"][i][j] == pytest.approx(pairs.pvalues[i, j], rel=0.051)
            alone, jointly = (
                pairs.claims(a, b, level).named for level in (0.05, 0.05 / pairs.n_pairs)
            )
            assert found["named"][i][j] == [
                2 if both else int(one) for one, both in zip(alone, jointly, strict=True)
            ]
    states = {state for row in found["named"] for cell in row for state in cell}
    assert states == {0, 1, 2}


def test_both_files_are_saved_the_same_at_every_run(pairs, tmp_path):
    files = []
    for run in ("one", "two"):
        shown = planes.save(FAMILY, pairs, 0.05, tmp_path / run, "plane")
        folder = tmp_path / run / "tables"
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert files[0] == files[1]
    assert set(files[0]) == {f"plane.{ending}" for ending in ("csv", "md", "tex", "html", "json")}
    assert json.loads(files[0]["plane.json"]) == planes.behind(FAMILY, pairs, 0.05)
    assert pd.DataFrame(shown).equals(findings.plane(pairs, 0.05))


COMMITTED = [p for p in paths.ROOT.glob("tables/*/*.json") if p.parent.name != "provenance"]


@pytest.mark.parametrize("file", sorted(COMMITTED), ids=lambda path: path.stem)
def test_the_committed_files_agree_with_their_tables(file):
    """A count of all datasets is at least the number of names, one by one and jointly."""
    behind = json.loads(file.read_text("utf-8"))
    cells = delimited.read_table(file.with_suffix(".csv").relative_to(paths.ROOT))
    assert cells.iloc[:, 0].tolist() == behind["systems"]
    n = len(behind["datasets"])
    for i, row in enumerate(cells.iloc[:, 1:].to_numpy()):
        for j, cell in enumerate(row):
            named, pvalues = behind["named"][i][j], behind["pvalues"][i][j]
            assert len(named) == len(pvalues) == (n if cell else 0)
            if cell:
                alone, jointly = map(int, cell.rstrip(")").split(" ("))
                assert n >= alone >= max(jointly, sum(state > 0 for state in named))
                assert jointly >= sum(state > 1 for state in named)
