"""Figures of the page: rows that say what they are where one points at them, and heights."""

import re

import numpy as np
import pandas as pd
import pytest
from comparisons import declare

from replicability.core import findings
from replicability.core.tested import Tested
from replicability.show import (
    evidence,
    figures,
    forest,
    html_elements,
    html_figures,
    style,
    view,
)


def of_instances(n, groups=None):
    """Return a comparison, results and findings that only have the form of real ones."""
    comparison = declare(title="C", score="accuracy", groups=groups or {})
    rng = np.random.default_rng(n)
    difference = rng.permutation(np.linspace(-0.1, 0.3, n))
    table = Tested(pd.DataFrame(
        {
            "dataset": [f"set <{place}>" for place in range(n)], "n": 100,
            "score_a": 0.5 + difference, "score_b": 0.5, "difference": difference,
            "low": difference - 0.1, "high": difference + 0.1, "standard_error": 0.05,
            "p_value": np.clip(rng.permutation(np.linspace(1e-4, 1, n)), 0, 1), "how": "exact",
            "test": "mcnemar",
        }
    ))  # fmt: skip
    return comparison, table, findings.find(comparison, table, 0.05)


def rows_of(svg):
    """Return top, bottom and lines of every row that can be pointed at."""
    found = re.findall(
        r'<rect y="([\d.]+)" width="[\d.]+" height="([\d.]+)"><title>(.*?)</title></rect>',
        svg,
        re.S,
    )
    return [(float(y), float(y) + float(h), text.split("\n")) for y, h, text in found]


def marks_of(svg):
    """Return how high the markers of a drawing are."""
    return [float(y) for y in re.findall(r'<use [^>]*x="[\d.]+" y="([\d.]+)"', svg)]


@pytest.mark.slow
@pytest.mark.parametrize("groups", [{}, {"few": ["set <1>", "set <4>"], "one": ["set <2>"]}])
def test_a_row_lies_where_it_is_drawn_and_says_its_numbers(groups):
    comparison, table, finding = of_instances(9, groups)
    shown = view.datasets(comparison, table, [finding])
    overall = findings.overall(comparison, table)
    for drawn, spans, order in (
        (evidence.evidence(table, finding, "s"), evidence.spans(table), "p_value"),
        (forest.forest(table, finding, "s", overall), forest.spans(table, finding), "difference"),
    ):
        text = style.svg(drawn)
        titles = html_elements.row_titles(shown)
        placed = [(*span, titles[place]) for place, span in spans.items()]
        svg = html_elements.inline_svg(text, "f", "alt", placed)
        rows = rows_of(svg)
        assert len(rows) == 9
        ordered = table.rows.iloc[list(spans)]
        assert [lines[0] for *_, lines in rows] == [
            f"set &lt;{place}&gt;" for place in ordered.index
        ]
        if not groups:
            assert ordered[order].is_monotonic_increasing == (order == "p_value")
        for _, _, (_, *lines) in rows:
            assert [line.split(": ")[0] for line in lines][:3] == ["n", "A", "B"]
            assert any(line.startswith("difference (95% interval): ") for line in lines)
        marks, middles = marks_of(text), [(top + bottom) / 2 for top, bottom, _ in rows]
        assert middles == sorted(middles)
        for middle in middles:
            assert min(abs(middle - mark) for mark in marks) < 0.2


def test_a_drawing_without_axes_has_no_rows():
    svg = html_elements.inline_svg(figures.plt.figure(), "f", "alt", [(0, 1, "row")])
    assert "<rect y" not in svg
    plain = html_elements.inline_svg(figures.plt.figure(), "f", "alt")
    broad = html_elements.inline_svg(figures.plt.figure(figsize=(11, 1)), "f", "alt")
    assert 'class="large"' in broad and 'class="large"' not in plain  # it is below the text
    assert svg == plain


@pytest.mark.slow
def test_a_figure_that_was_drawn_before_has_its_rows():
    comparison, table, finding = of_instances(5)
    shown = view.datasets(comparison, table, [finding])
    before = style.svg(figures.comparison(comparison, table, finding))
    svgs = [
        html_figures.decides(comparison, table, finding, shown, drawn)["svg"]
        for drawn in ({}, {"c": before})
    ]
    assert svgs[0] == svgs[1]
    assert len(rows_of(svgs[0])) == 5


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 50])
def test_long_names_are_told_apart(n):
    """Names that differ in the middle alone keep it."""
    comparison, table, finding = of_instances(n)
    begin, end = "a benchmark of very many things: ", " (its validation split)"
    names = [f"{begin}{8 + place:02}{end}" for place in range(n)]
    table = table.assign(dataset=names)
    overall = findings.overall(comparison, table)
    for drawn in (
        evidence.evidence(table, finding, "s"),
        forest.forest(table, finding, "s", overall),
    ):
        labels = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
        assert {f"…{8 + place:02}…" for place in range(n)} <= set(labels)
        figures.plt.close(drawn)


def test_names_that_are_the_same_but_for_blanks_stay_so():
    same = ["x" * 50, " " + "x" * 50]
    assert len(set(forest.told_apart(same))) == 1
    assert forest.told_apart(["x" * 40, "x" * 50]) == ["…", "…xxxxxxxxxx"]
    assert forest.told_apart(["a", "b"]) == ["a", "b"]
    assert forest.told_apart([]) == []


@pytest.mark.slow
def test_more_datasets_stand_closer():
    heights = {
        n: evidence.evidence(*of_instances(n)[1:], "s").get_size_inches()[1]
        for n in (10, evidence.MOST_SPACED, evidence.MOST_SPACED + 1, evidence.MOST_NAMED, 200)
    }
    figures.plt.close("all")
    assert heights[10] == pytest.approx(2.1 + 2.7)
    assert heights[evidence.MOST_SPACED] > heights[evidence.MOST_SPACED + 1] > heights[10]
    assert heights[200] == heights[evidence.MOST_NAMED] == max(*list(heights.values())[2:])
    assert max(heights.values()) < 13


def test_names_stand_in_the_figure_or_in_the_table():
    for n in (evidence.MOST_NAMED, evidence.MOST_NAMED + 1):
        drawn = evidence.evidence(*of_instances(n)[1:], "s")
        title = drawn.axes[0].get_title(loc="left")
        assert ("bold" in title) == (n <= evidence.MOST_NAMED)
        figures.plt.close(drawn)
