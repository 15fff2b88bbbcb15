"""What is said at the end of a run."""

import re
import sys

import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))

import summary

from analysis.studies import read_study


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "0 figures"),
        (["a.svg", "a.png"], "1 figure"),
        (["a.svg", "a.png", "b.svg", ".hidden.svg", "c.failed.svg"], "2 figures"),
    ],
)
def test_items_are_counted_once_and_one_is_singular(tmp_path, files, said):
    for name in files:
        (tmp_path / name).touch()
    assert summary.counted(tmp_path, "figure") == said


@pytest.mark.parametrize(
    ("study", "row"),
    [("paper", r"Mate against Redshift +7 +5, -"), ("open", r"HIT-SCIR against HUJI +15 +15, -")],
)
def test_a_study_of_many_comparisons_ends_in_one_table(study, row):
    lines = summary.lines(read_study(f"config/{study}.yaml"))
    assert len([line for line in lines if re.search(row, line)]) == 1
    assert max(map(len, lines)) <= 80
    assert len(lines) < 45


def test_p_values_that_contradict_the_scores_bound_no_direction():
    (row,) = (s for s in summary.compared(read_study("config/paper.yaml")) if "MIMICK" in s)
    assert re.search(r"23 +differ: 9 ", row)


def test_a_table_is_right_aligned():
    assert list(summary.grid(["a", "n"], [["long name", 7], ["b", 10]])) == [
        "  a           n",
        "  long name   7",
        "  b          10",
    ]
