"""The script of the levels: from blocks to what is judged, and what it says of wrong arguments."""

import sys

import pandas as pd
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))

import levels

GRID = """\
name: small
seed: 7
repetitions: 3
close: 3
grids:
  - {populations: [binary, skew_left], items: [8], datasets: [1, 3], declared: [nothing]}
"""


def test_blocks_are_measured_gathered_and_judged(write, tmp_path, capsys):
    grid = str(write("small.yaml", GRID))
    parts = [str(tmp_path / f"{name}.csv") for name in ("skew_left_8", "binary_8")]
    for part, block in zip(parts, ("skew_left_8", "binary_8"), strict=True):
        assert levels.main(["block", grid, block, "--output", part]) == 0
    files = [tmp_path / "forth.csv", tmp_path / "back.csv"]
    for file, order in zip(files, (parts, parts[::-1]), strict=True):
        assert levels.main(["gather", grid, *order, "--output", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert levels.main(["judge", str(files[0])]) == 0
    said = capsys.readouterr().out
    assert "| population   | 8 " in said
    tallies = pd.read_csv(files[0])
    assert set(tallies["population"]) == {"binary", "skew_left"}
    for population, own in tallies.groupby("population"):
        worst = (own["false"] / own["repetitions"]).max()
        assert f"| {population:<12} | {worst:.3f} " in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("block", "binary_9"), "did you mean 'binary_8'?"),
        (("gather", "lost.csv"), "lost.csv does not exist"),
        (("gather", "data/sources.csv"), "does not have tallies of cells"),
    ],
)
def test_the_script_says_what_is_wrong(arguments, sentence, write, tmp_path, capsys):
    command, *rest = arguments
    output = tmp_path / "out.csv"
    grid = write("small.yaml", GRID)
    assert levels.main([command, str(grid), *rest, "--output", str(output)]) == 1
    message = capsys.readouterr().err
    assert sentence in message
    assert len(message.splitlines()) == 1
    assert not output.exists()
