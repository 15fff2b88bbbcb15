"""The paper's counts beside those that were found, in one direction and in both."""

import math

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from analysis.dror2017 import figures, tables


@pytest.fixture
def rows():
    columns = ["section", "study", "comparison", "datasets", "alpha", "k_fisher", "k_bonferroni"]
    counts = pd.DataFrame(
        [
            ("parsing", "published", "A-B", 7, 0.05, 5, 1, "k_fisher", 4.0),
            ("parsing", "published", "A-B", 7, 0.01, 2, 0, "k_fisher", 2.0),
            ("parsing", "open", "A-B", 9, 0.05, 8, 6, "k_bonferroni", float("nan")),
            ("tagging", "open", "C-D", 3, 0.05, 1, 0, "k_fisher", float("nan")),
        ],
        columns=[*columns, "recommended", "printed_fisher"],
    )
    directions = {
        "published": pd.DataFrame({"comparison": ["A-B"] * 2, "estimate": ["3 of 7", "1 of 7"]}),
        "open": pd.DataFrame({"comparison": ["A-B"] * 2, "estimate": ["6 of 9", "0 of 9"]}),
    }
    return tables.printed_and_found(counts, directions, 0.05)


def test_each_comparison_has_its_own_numbers(rows):
    assert rows["comparison"].tolist() == ["A-B", "A-B", "C-D"]
    assert rows["found"].tolist() == [5, 6, 1]
    assert rows["printed"].fillna(-1).tolist() == [4, -1, -1]
    assert rows["a"].fillna(-1).tolist() == [3, 6, -1]
    assert rows["b"].fillna(-1).tolist() == [1, 0, -1]


def test_bars_and_marks_are_where_the_numbers_are(rows):
    figure = figures.printed_and_found(rows, 0.05)
    (axis,) = figure.axes
    _ground, there, back = ([bar.get_width() for bar in c] for c in axis.containers)
    assert there[:2] == pytest.approx([3 / 7, 6 / 9])
    assert back[:2] == pytest.approx([-1 / 7, 0])
    found, printed = (line.get_xdata() for line in axis.lines[:2])
    assert found == pytest.approx([5 / 7, 6 / 9, 1 / 3])
    assert printed[0] == pytest.approx(4 / 7)
    assert math.isnan(printed[1])
    said = [text.get_text() for text in axis.texts]
    assert "4 printed, 5 of 7; both: 3 and 1" in said
    assert "1 of 3" in said
    assert " ".join(figure.get_suptitle().split()) == (
        "Once both directions are asked, A is shown better somewhere in 2 of 2 comparisons, B in 1"
    )
    plt.close(figure)
