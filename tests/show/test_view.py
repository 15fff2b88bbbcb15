"""One table in every rendering: the same columns, names, digits and cells."""

import html
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability.api.family import Family
from replicability.api.plan import Plan
from replicability.cli import layout
from replicability.cli.answers import Answer
from replicability.cli.design import show_design
from replicability.cli.family import show_family
from replicability.show import view, view_of_families, view_of_plans

NAMES = ("a", "b & c")


def compared(**asked):
    """Compare two systems on three datasets, on two of which one is better."""
    rng = np.random.default_rng(3)
    rows = [
        (name, item, int(rng.random() < share), int(rng.random() < 0.5))
        for name, share in (("one", 0.95), ("two", 0.5), ("three", 0.02))
        for item in range(40)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", *NAMES])
    return rep.compare(frame, a=NAMES[0], b=NAMES[1], **asked)


@pytest.fixture(scope="module")
def both():
    return compared(dependence="positive", alpha=(0.05, 0.01))


@pytest.fixture(scope="module")
def alone():
    return compared(alternative="greater")


@pytest.fixture(scope="module")
def counted():
    return rep.count({"one": 0.001, "two": 0.2, "three": 0.03})


class Cells(HTMLParser):
    """Collects the rows of the tables of a page."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.inside = [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.inside = True
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data):
        if self.inside:
            self.tables[-1][-1][-1] += data


def in_jupyter(result, _):
    return Cells(result._repr_html_()).tables[0]


def on_the_page(result, folder):
    page = result.report(folder / "page.html").read_text(encoding="utf-8")
    return Cells(page).tables[0]


def in_markdown(result, _):
    rows = [line for line in result.to_markdown().splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [[cell.replace("\\", "") for cell in row] for row in (cells[0], *cells[2:])]


def in_latex(result, _):
    text = result.to_latex()
    body = re.sub(r"\\(top|mid|bottom)rule\n", "", text[text.index(r"\toprule") :])
    rows = [row for row in body[: body.index(r"\end{tabular}")].split(r"\\") if row.strip()]
    plain = [re.sub(r"\\textless\{\}", "<", row).replace("{}", "") for row in rows]
    cells = [re.split(r"(?<!\\)&", row) for row in plain]
    return [[cell.strip().replace("\\", "") for cell in row] for row in cells]


def in_a_wide_terminal(result, _):
    """Return the table of a terminal whose lines hold everything, cut where its columns begin."""
    text = layout.show(Answer(result)).split("\n\n")
    block = next(part for part in text if part.startswith("dataset")).splitlines()
    rows = block[: 1 + result.n]
    starts = [place for place in range(max(map(len, rows))) if _begins(rows, place)]
    ends = [*starts[1:], None]
    return [[row[i:j].strip() for i, j in zip(starts, ends, strict=True)] for row in rows]


def _begins(rows, place):
    """Whether two columns of blanks stand before a place in all rows, and none in it."""
    if place == 0:
        return True
    before = all(not row[max(place - 2, 0) : place].strip() for row in rows)
    return before and any(row[place : place + 1].strip() for row in rows)


RENDERINGS = [in_jupyter, on_the_page, in_markdown, in_latex, in_a_wide_terminal]


@pytest.fixture
def wide(monkeypatch):
    monkeypatch.setattr(layout, "WIDTH", 1000)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["both", "alone", "counted"])
def test_every_rendering_has_the_same_headings_and_cells(which, request, tmp_path, wide):
    result = request.getfixturevalue(which)
    shown = result.view.datasets
    expected = [list(shown.headings), *map(list, shown.rows)]
    for rendering in RENDERINGS:
        assert rendering(result, tmp_path) == expected, rendering.__name__


def test_what_is_shown_of_both_directions(both):
    assert both.view.datasets.headings == (
        *("dataset", "n", *NAMES, "difference (95% interval)", "wins/ties/losses"),
        *("p (a better)", "adjusted p (a better)"),
        *("p (b & c better)", "adjusted p (b & c better)", "named"),
    )
    assert [row[-1] for row in both.view.datasets.rows] == ["*+", "", "(*+)"]


def test_what_is_shown_of_p_values(counted):
    assert counted.view.datasets.headings == ("dataset", "p", "adjusted p", "named")
    assert counted.view.datasets.rows[0] == ("one", "0.0010", "0.0030", "*")


@pytest.mark.slow
@pytest.mark.parametrize(
    "column",
    [
        view.Column(("standard_error",), "error of {a}", lambda asked, x: f"{x:.{asked.digits}f}"),
        view.Column(
            ("odds",),
            "odds",
            view._ratio,
            value=lambda frame: (frame["wins"] + 1) / (frame["losses"] + 1),
        ),
    ],
)
def test_a_column_is_one_line_and_appears_everywhere(column, tmp_path, monkeypatch, wide):
    monkeypatch.setattr(view, "COLUMNS", [*view.COLUMNS[:3], column, *view.COLUMNS[3:]])
    result = compared(dependence="positive")
    (key,) = column.keys
    heading = column.heading.format(a="a")
    values = [row[key] for row in json.loads(json.dumps(result.to_dict()))["datasets"]]
    assert values == result.to_frame()[key].tolist()
    assert rep.Result.from_dict(result.to_dict()) == result
    expected = [column.write(view.Asked("a", "b", "", "", 3, False), value) for value in values]
    for rendering in RENDERINGS:
        header, *rows = rendering(result, tmp_path)
        place = header.index(heading)
        assert [row[place] for row in rows] == expected, rendering.__name__


@pytest.mark.parametrize("which", ["both", "alone", "counted"])
def test_a_terminal_has_80_columns_and_names_what_it_leaves_out(which, request):
    result = request.getfixturevalue(which)
    for shown in (result.view.datasets, result.view.counts):
        text = layout.table(shown)
        assert max(map(len, text.splitlines())) <= layout.WIDTH
        said = " ".join(text.split())
        left_out = said.partition("(see --json): ")[2].partition(". ")[0].rstrip(".").split(", ")
        kept = [heading for heading in shown.headings if heading not in left_out]
        spare = dict(zip(shown.headings, shown.spare, strict=True))
        assert all(spare[heading] > 0 for heading in left_out if heading)
        assert max(spare[heading] for heading in kept) < min(
            (spare[heading] for heading in left_out if heading), default=99
        )


def test_a_long_list_of_members_is_broken_into_lines():
    names = [f"language number {n}" for n in range(12)]
    found = rep.count(dict.fromkeys(names, 0.001), groups={"all of them": names})
    text = layout.table(found.view.groups)
    assert max(map(len, text.splitlines())) <= layout.WIDTH
    assert "language number 7 and 4 more" in " ".join(text.split())


@pytest.mark.parametrize(
    ("scores", "per_cent", "digits"),
    [((0.5, 0.25), False, 3), ((81.2, 80.1), False, 2), ((0.5, 0.499), False, 4),
     ((0.5, 0.49996), False, 6), ((50.0, 49.0), True, 2), ((0.5, 0.5), False, 3)],
)  # fmt: skip
def test_digits_follow_the_scores(scores, per_cent, digits, both):
    comparison = replace(both.comparison, score="accuracy (%)" if per_cent else "accuracy")
    table = both.evaluated.assign(score_a=scores[0], score_b=scores[1])
    assert view._asked(comparison, table, both.findings[0]).digits == digits


def test_a_system_that_is_called_like_a_column_has_a_heading_of_its_own():
    frame = pd.DataFrame({"p": [1, 0, 1], "dataset": [0, 0, 1], "named": 1, "instance": [1, 2, 3]})
    result = rep.compare(frame, a="p", b="named")
    headings = result.view.datasets.headings
    assert len(set(headings)) == len(headings)
    assert result.to_latex().count(r"\toprule") == 1
    assert html.escape("p") in result._repr_html_()


def test_jupyter_needs_nothing_but_the_library(both, monkeypatch):
    monkeypatch.setattr("replicability.api.shown.can_draw", lambda: False)
    for module in ("matplotlib", "jinja2", "tabulate"):
        monkeypatch.setitem(sys.modules, module, None)
    page = both._repr_html_()
    assert "<img" not in page
    assert "<td>*+</td>" in page
    assert html.escape(both.view.overall) in page


def plan(**asked):
    return rep.design([60, 100], discordant=0.3, gains=[0.1], alternative="greater", **asked)


PLAN_SHOWN = [show_design, Plan._repr_html_, Plan.page, Plan.to_markdown, Plan.to_latex]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "key"), [("EXPECTED", "instances"), ("LEAST", "shown")])
def test_a_column_of_a_plan_is_one_line_and_appears_everywhere(columns, key, monkeypatch, wide):
    column = view.Column((key,), "twice", lambda asked, value: f"{value} {value} ({asked.method})")
    monkeypatch.setattr(view_of_plans, columns, [*getattr(view_of_plans, columns), column])
    planned = plan(method="bonferroni")
    (shown,) = (shown for shown in planned.view if "twice" in shown.headings)
    for rendering in PLAN_SHOWN:
        text = html.unescape(rendering(planned)).replace("\\", "")
        assert "twice" in text, rendering.__name__
        assert all(row[-1] in text for row in shown.rows), rendering.__name__


@pytest.mark.slow
@pytest.mark.parametrize("reach", [None, 2])
def test_every_rendering_of_a_plan_has_the_same_tables(reach, wide):
    planned = plan(reach=reach)
    assert len(planned.view) == (2 if reach is None else 3)
    for shown in planned.view:
        expected = [list(shown.headings), *map(list, shown.rows)]
        assert expected in Cells(planned._repr_html_()).tables
        assert expected in Cells(planned.page()).tables
        for rendering in PLAN_SHOWN:
            assert shown.caption.replace("%", "") in html.unescape(rendering(planned)).replace(
                "\\", ""
            ).replace("%", "")


def test_a_plan_for_json_has_the_pilot_and_what_is_declared():
    planned = plan(dependence="dependent")
    answer = planned.to_dict()
    assert (answer["dependence"], answer["pilot"]) == ("dependent", [])
    assert answer["table"] == planned.table.to_dict("records")
    assert answer["notes"] == planned.notes


def family(**asked):
    rng = np.random.default_rng(5)
    shares = {"x": 0.95, "y": 0.6, "z & w": 0.2}
    rows = [
        (name, item, *(int(rng.random() < share) for share in shares.values()))
        for name in ("one", "two")
        for item in range(60)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", *shares])
    return rep.all_pairs(frame, **asked)


def in_the_terminal(found):
    return show_family(Answer(found))


FAMILY_SHOWN = [in_the_terminal, Family._repr_html_, Family.page, Family.to_markdown,
                Family.to_latex]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"against": "y"}])
def test_every_rendering_of_a_family_has_the_same_table_of_systems(asked, wide):
    found = family(**asked)
    shown = found.view["systems"]
    expected = [list(shown.headings), *map(list, shown.rows)]
    assert expected in Cells(found._repr_html_()).tables
    assert expected in Cells(found.page()).tables
    for rendering in FAMILY_SHOWN:
        text = html.unescape(rendering(found)).replace("\\", "").replace("%", "")
        assert shown.note.replace("%", "") in " ".join(text.split()), rendering.__name__
        for cell in {*shown.headings, *(cell for row in shown.rows for cell in row)}:
            assert cell in text, rendering.__name__
    answer = json.loads(json.dumps(found.to_dict()))
    assert [row["system"] for row in answer["summary"]] == [row[0] for row in shown.rows]


@pytest.mark.slow
def test_a_column_of_a_family_is_one_line_and_appears_everywhere(monkeypatch, wide):
    column = view.Column(("system",), "twice", lambda asked, name: f"{name} {name}", left=True)
    monkeypatch.setattr(view_of_families, "SYSTEMS", [*view_of_families.SYSTEMS, column])
    found = family()
    for rendering in FAMILY_SHOWN:
        text = html.unescape(rendering(found)).replace("\\", "")
        assert "twice" in text, rendering.__name__
        assert "z & w z & w" in text, rendering.__name__


@pytest.mark.slow
def test_a_column_of_decided_pairs_is_one_line(monkeypatch):
    column = view.Column(("pairs",), "of pairs", lambda asked, n: f"{n} in all")
    monkeypatch.setattr(view_of_families, "DECIDED", [*view_of_families.DECIDED, column])
    assert "3 in all" in family().page()


@pytest.mark.slow
def test_a_matrix_is_the_same_everywhere():
    found = family()
    shown = found.view["matrix"]
    expected = [list(shown.headings), *map(list, shown.rows)]
    assert expected in Cells(found._repr_html_()).tables
    assert shown.frame.equals(pd.DataFrame(found.matrix()).astype(object))
    for text in (found.to_markdown(), found.to_latex()):
        assert all(cell in text for row in shown.rows for cell in row[1:])


def test_jupyter_shows_a_family_and_a_plan_without_matplotlib(monkeypatch):
    monkeypatch.setattr("replicability.api.shown.can_draw", lambda: False)
    for found in (family(), plan()):
        page = found._repr_html_()
        assert "<img" not in page
        assert page.count("<table") == 2


def test_a_table_of_ranks_leaves_out_more_letters_than_the_alphabet_has(monkeypatch):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.integers(0, 2, 30) for name in "abcd"})
    pairs = rep.all_pairs(frame).pairs
    assert view_of_families.ranks(pairs, 0.05).headings[-1] == "letters"
    monkeypatch.setattr(view_of_families, "MOST_LETTERS", 0)
    table = view_of_families.ranks(pairs, 0.05)
    assert table.headings == ("system", "mean score", "rank")
    assert "1 groups" in table.note and "family.ranks()" in table.note
