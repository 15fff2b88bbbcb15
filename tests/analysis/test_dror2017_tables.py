"""What the paper printed beside what is found in both directions, as rows and as bars."""

import math

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from matplotlib.colors import to_hex

import replicability as rep
from analysis.dror2017 import audit, claims, figures, tables
from analysis.studies import host
from replicability.show.style import COLOURS


@pytest.fixture
def rows():
    columns = ["section", "study", "comparison", "datasets", "alpha"]
    counts = pd.DataFrame(
        [
            ("pos tagging", "published", "MIMICK-Char→Tag", 23, 0.05),
            ("pos tagging", "published", "MIMICK-Char→Tag", 23, 0.01),
            ("pos tagging", "open", "C-D", 9, 0.05),
            ("parsing", "published", "Mate-SpaCy", 7, 0.05),
            ("parsing", "open", "E-F", 3, 0.05),
        ],
        columns=columns,
    )
    directions = {
        "open": pd.DataFrame({"comparison": ["C-D"] * 2, "estimate": ["6 of 9", "1 of 9"]}),
    }
    return tables.printed_and_found(counts, directions, 0.05)


def test_published_rows_have_the_bounds_of_every_reading(rows):
    assert rows["comparison"].tolist() == ["MIMICK-Char→Tag", "C-D", "Mate-SpaCy", "E-F"]
    column = audit.columns_of(claims.STUDY)["MIMICK-Char→Tag"]
    bounds = audit.both_systems(column, 0.05).bounds.values()
    mimick = rows.iloc[0]
    for side in "ab":
        found = [getattr(bound, side) for bound in bounds]
        assert [mimick[side], mimick[f"{side}_most"]] == [min(found), max(found)]
    assert mimick[["a", "a_most", "b", "b_most"]].tolist() == [3, 6, 4, 7]
    assert rows.iloc[2][["a", "a_most"]].tolist() == [7, 7]  # as the paper asks, of A alone
    assert rows.iloc[2][["b", "b_most"]].isna().all()
    assert rows["printed"].fillna(-1).tolist() == [16, -1, 7, -1]
    assert rows["holds"].tolist() == [False, False, True, False]


def test_other_rows_have_what_both_directions_give_or_nothing(rows):
    sides = ["a", "a_most", "b", "b_most"]
    assert rows.iloc[1][sides].tolist() == [6, 6, 1, 1]
    assert rows.iloc[3][sides].isna().all()


def test_nothing_printed_is_drawn_at_a_level_without_a_claim():
    counts = pd.DataFrame(
        [("parsing", "published", "Mate-SpaCy", 7, 0.01)],
        columns=["section", "study", "comparison", "datasets", "alpha"],
    )
    (row,) = tables.printed_and_found(counts, {}, 0.01).to_dict("records")
    assert math.isnan(row["printed"])
    assert row["a"] == 7


def bars(axis, side):
    """Return the ends of the filled bars of a side, drawn above the hatched ones."""
    colour = COLOURS[side]
    return [
        bar.get_width() for bar in axis.patches if to_hex(bar.get_facecolor()).upper() == colour
    ]


def test_bars_and_marks_are_where_the_numbers_are(rows):
    figure = figures.printed_and_found(rows, 0.05)
    (axis,) = figure.axes
    assert bars(axis, "a")[:3] == pytest.approx([3 / 23, 6 / 9, 1])
    assert bars(axis, "b")[:2] == pytest.approx([-4 / 23, -1 / 9])
    hatched = [bar.get_width() for bar in axis.patches if bar.get_hatch()]
    assert hatched[0] == pytest.approx(6 / 23)
    assert min(hatched) == pytest.approx(-7 / 23)
    marks = {line.get_marker(): list(line.get_xdata()) for line in axis.lines[:2]}
    assert marks == {"o": [1], "X": pytest.approx([16 / 23])}
    said = [text.get_text() for text in axis.texts]
    assert {"printed", "16", "3 or 6", "4 or 7", "23", "POS tagging", "–"} <= set(said)
    assert " ".join(figure.get_suptitle().split()) == (
        "1 of 2 printed counts hold under every reading of the p-values; for MIMICK-Char→Tag, the "
        "paper prints 16 of 23, and we find at least 3 or 6 for A and 4 or 7 for B"
    )
    plt.close(figure)


@pytest.mark.slow
def test_the_overview_of_a_study_is_what_both_directions_give():
    study = rep.read_study("config/paper.yaml", alpha=[0.05, 0.01], host=host())
    rows = tables.overview(study, study.ask())
    assert rows["printed"].tolist() == [7, 5, 16, 6, 6]
    assert rows["holds"].tolist() == [True, True, False, True, False]
    own = rows.assign(printed=math.nan, study="open")
    figure = figures.k_overview(own)
    assert " ".join(figure.get_suptitle().split()) == (
        "With both directions tested, A is better on at least one dataset in 2 of 2 comparisons, "
        "and B in 2 (95% confidence)"
    )
    said = [text.get_text() for text in figure.axes[0].texts]
    assert "printed" not in said
    assert "Mate-SpaCy (open data)" not in [t.get_text() for t in figure.axes[0].get_yticklabels()]
    plt.close(figure)
