"""What is behind the counts of all pairs, as it is committed."""

import json

import pytest

from analysis import paths
from replicability.io import delimited

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
