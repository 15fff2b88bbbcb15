"""The chapter on WMT25: its tables against a second count from the committed p-values."""

import json

import pandas as pd
import pytest

from analysis import paths
from analysis.leaderboards import wmt25

FILE = paths.ROOT / wmt25.FILE
RAW = {one["name"]: one for one in json.loads(FILE.read_text(encoding="utf-8"))}
GRIDS = wmt25.read(FILE)
LEVEL = 0.05 / 16


def significant(name, column, level=LEVEL):
    """Return which cells are significant, language pairs by metrics."""
    cells = pd.DataFrame(RAW[name]["cells"])
    wide = cells.pivot_table(column, "dataset", "metric", sort=False)
    return wide[[of["name"] for of in RAW[name]["metrics"]]] <= level


@pytest.fixture(scope="module")
def counted():
    return {
        name: (significant(name, "adjusted_p_value"), significant(name, "adjusted_p_reverse"))
        for name in RAW
    }


def test_every_comparison_is_there():
    assert len(wmt25.contradictions(GRIDS)) == 10
    assert len(wmt25.favours(GRIDS)) == 6
    assert {grid.alpha for grid in GRIDS.values()} == {LEVEL}
    assert {len(grid.datasets) for grid in GRIDS.values()} == {31}


def test_pairs_are_counted_from_adjusted_p_values(counted):
    shown = wmt25.contradictions(GRIDS)
    table = wmt25.pairs(shown)
    for name, (_, row) in zip(shown, table.iterrows(), strict=True):
        a, b = counted[name]
        for metric in a:
            assert row[metric] == f"{a[metric].sum()} / {b[metric].sum()}"
        assert row["every"] == f"{a.all(axis=1).sum()} / {b.all(axis=1).sum()}"
        assert row["some"] == f"{a.any(axis=1).sum()} / {b.any(axis=1).sum()}"
        assert row["contradict"] == (a.any(axis=1) & b.any(axis=1)).sum()


def test_one_guarantee_shows_no_more_than_one_for_each_metric():
    table = wmt25.guarantees(GRIDS["shy_gemini"], wmt25.alone(FILE)["shy_gemini"])
    split = table.drop(columns="metric").map(lambda cell: [int(k) for k in cell.split(" / ")])
    for place in (0, 1):
        numbers = split.map(lambda cell, k=place: cell[k])
        assert (numbers["each metric alone"] >= numbers["one comparison"]).all()
        assert (numbers["one comparison"] >= numbers["whole chapter"]).all()


def test_documents_compare_the_same_cells(counted):
    table = wmt25.documents(GRIDS)
    for name, (_, row) in zip(wmt25.contradictions(GRIDS), table.iterrows(), strict=True):
        for end, column in (("", "shared"), ("_apart", "not shared"), ("_unknown", "Bonferroni")):
            assert row[column] == sum(side.sum().sum() for side in counted[name + end])
        sides = zip(counted[name], counted[f"{name}_apart"], strict=True)
        assert row["differ"] == sum((one != two).sum().sum() for one, two in sides)


def test_favour_is_counted_against_every_other_metric(counted):
    favours = wmt25.favours(GRIDS)
    table = wmt25.favour(favours)
    for name, (_, row) in zip(favours, table.iterrows(), strict=True):
        a, b = counted[name]
        assert row["every"] == f"{a.all(axis=1).sum()} / {b.all(axis=1).sum()}"
        other = next(metric for metric in a if metric.endswith("judge"))
        assert row["against the other judge"] == f"{a[other].sum()} / {b[other].sum()}"
        assert row["judge"] == other.partition(" minus ")[0]


def test_the_title_of_a_judge_counts_against_the_other_judge(counted):
    for name, grid in wmt25.favours(GRIDS).items():
        by = counted[name][0]
        metric = next(metric for metric in by if metric.endswith("judge"))
        judge, other = metric.split(" minus ")
        own, rival = grid.systems
        assert wmt25.headline(grid).split("\n") == [
            f"The {judge} favours {own} over {rival} on at least {by[metric].sum()} of {len(by)} "
            "language pairs,",
            f"compared with the {other}",
        ]
