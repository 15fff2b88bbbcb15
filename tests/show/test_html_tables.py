"""Tables of the page: their numbers, what refers to them, and how one sorts and searches them."""

import re

import numpy as np
import pandas as pd
import pytest
from browsing import DESK, PHONE
from comparisons import declare

import replicability as rep
from replicability.core import evaluation, findings
from replicability.core.findings.wording import LISTED
from replicability.core.tested import Tested
from replicability.io.study import Study
from replicability.show import html_explorer, html_report, view

ALPHAS = (0.05, 0.01)


def compared(n, seed=1):
    """Compare two systems on n datasets, on about half of which the first is better."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"set {place}", item, int(rng.random() < (0.95 if place % 2 else 0.7)), int(item % 3 > 0))
        for place in range(n)
        for item in range(int(rng.integers(60, 90)))
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", "a long name", "other"])
    return rep.compare(frame, a="a long name", b="other", dependence="positive", alpha=ALPHAS)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Return a comparison on 57 datasets, and its page."""
    result = compared(57)
    page = tmp_path_factory.mktemp("many") / "page.html"
    result.report(page)
    return result, page


@pytest.mark.slow
def test_a_page_of_57_datasets_is_below_half_a_megabyte(many):
    assert many[1].stat().st_size < 5e5


@pytest.mark.slow
def test_many_names_are_listed_in_a_table_that_has_a_number(many):
    result, page = many
    text = page.read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"<strong>Table (\d+)\.</strong>", text)]
    assert numbers == list(range(1, text.count("<caption>") + 1))
    first = re.search(r"<strong>Table 1\..*?</table>", text, re.DOTALL)[0]
    rows = re.findall(r'<tr( class="bold")?><th scope="row">(.*?)</th>', first)
    named = [name for bold, name in rows if bold]
    assert len(rows) == 57
    assert len(named) > 10
    assert named == result.findings[0].identified_datasets
    assert LISTED not in text
    for finding in result.findings:
        sentence = str(finding).replace(LISTED, "listed in Table 1")
        assert f">{sentence}</p>" in text
        assert "listed in Table 1" in sentence


@pytest.mark.slow
def test_names_of_two_readings_are_listed_below_their_sentence(tmp_path):
    """The table marks those of p-values as they are read."""
    rng = np.random.default_rng(2)
    p, ahead = rng.random(57) ** 12, np.where(rng.random(57) < 0.8, 1.0, -1.0)
    table = pd.DataFrame(
        {"dataset": [f"set {n}" for n in range(57)], "p": p, "a": 50 + ahead, "b": 50.0}
    )
    table.to_csv(tmp_path / "p.csv", index=False)
    columns = {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]}
    file = str(tmp_path / "p.csv")
    comparison = declare(
        title="C",
        systems=("a", "b"),
        dependence="positive",
        file=file,
        columns=columns,
        sided="unknown",
    )
    settings = Study("read", ALPHAS, (comparison,))
    evaluated = evaluation.evaluate(comparison)
    text = html_report.render(settings, [(comparison, evaluated)])
    named = findings.find_both(comparison, evaluated, ALPHAS[0])[0].identified_datasets
    number, names = re.search(
        r"listed below.*?</p>\s*<p[^>]*>The (\d+) datasets: (.*?)</p>", text
    ).groups()
    assert int(number) == len(named)
    assert names.split(", ") == named


@pytest.mark.slow
def test_many_names_of_the_other_system_are_listed_in_the_table(tmp_path):
    rng = np.random.default_rng(4)
    rows = [
        (f"set {n}", i, int(rng.random() < 0.2), int(rng.random() < (0.95 if n < 12 else 0.2)))
        for n in range(15)
        for i in range(60)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", "a", "b"])
    asked = {"a": "a", "b": "b", "dependence": "dependent"}
    rep.compare(frame, **asked).report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "b outperforms a on at least 12 of 15 datasets, namely 12 listed in Table 1" in text
    assert "scores higher on" not in text
    assert LISTED not in text
    rep.compare(frame, **asked, alternative="greater").report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    caution = re.search(r"<p>Check this before you quote it</p>.*?</ul>", text, re.DOTALL)[0]
    assert re.search("b scores higher on 1[2-5] of 15 datasets, but only the claim that", caution)
    assert LISTED not in text


KEPT = [
    "dataset",
    "difference (95% interval)",
    "p (a long name better)",
    "p (other better)",
    "named",
]
"""Headers of the table on a phone."""


def test_a_narrow_window_keeps_names_difference_and_p_value(many):
    result = many[0]
    shown = result.view.datasets
    assert [
        name for name, spare in zip(shown.headings, shown.spare, strict=True) if not spare
    ] == KEPT
    without = Tested(result.evaluated.rows.drop(columns=["difference", "low", "high"]))
    shown = view.datasets(result.comparison, without, result.findings)
    kept = [name for name, spare in zip(shown.headings, shown.spare, strict=True) if not spare]
    assert kept == [name for name in KEPT if "interval" not in name]


def test_without_scripts_the_table_is_a_table(many):
    text = many[1].read_text(encoding="utf-8")
    body = text[text.index("<body>") : text.index("<script>")]
    assert "aria-sort" not in body
    assert body.count("<input") == html_explorer.element([]).count("<input")
    header = re.search(r'<table class="sortable">.*?<thead>(.*?)</thead>', body, re.DOTALL)[1]
    assert "<button" not in header


# --- in a browser --------------------------------------------------------------------------------

ROWS = """[...document.querySelector("table.sortable").tBodies[0].rows]
    .filter(row => !row.hidden).map(row => row.cells[%d].textContent)"""
HEADS = """[...document.querySelector("table.sortable").tHead.rows[0].cells]"""


def column(browser, place):
    return browser.evaluate(ROWS % place)


def sort_by(browser, place):
    """Press the button of a column by the keyboard; return what is announced of every column."""
    browser.evaluate(f"{HEADS}[{place}].querySelector('button').focus()")
    for kind in ("keyDown", "keyUp"):
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        browser.send("Input.dispatchKeyEvent", type=kind, **key)
    return browser.evaluate(f"{HEADS}.map(head => head.getAttribute('aria-sort'))")


@pytest.fixture
def opened(many, browser):
    """Open the page from disk on a desk, and what is folded; return its comparison and browser."""
    browser.show(DESK)
    browser.visit(many[1].as_uri())
    browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    return many[0], browser


def test_columns_are_sorted_by_the_keyboard_up_down_and_back(opened):
    result, browser = opened
    table = result.evaluated
    names = table["dataset"].tolist()
    by_p = sorted(table["p_value"])
    headings = result.view.datasets.headings
    p, n, size = headings.index("p (a long name better)"), 57, 1
    assert column(browser, 0) == names
    announced = ["ascending" if place == p else None for place in range(len(headings))]
    assert sort_by(browser, p) == announced
    up = [float(cell.removeprefix("<")) for cell in column(browser, p)]
    assert up == sorted(up)
    assert up == pytest.approx(by_p, rel=0.06, abs=1e-4)
    assert sort_by(browser, p)[p] == "descending"
    down = [float(cell.removeprefix("<")) for cell in column(browser, p)]
    assert down == up[::-1]
    assert sort_by(browser, p) == [None] * len(headings)
    assert column(browser, 0) == names
    sort_by(browser, 0)
    assert column(browser, 0) == [f"set {place}" for place in range(n)]  # 2 before 10
    sort_by(browser, size)
    assert [int(cell) for cell in column(browser, size)] == sorted(table["n"])
    named = headings.index("named")
    sort_by(browser, named)
    marks = [len(cell.strip("()")) for cell in column(browser, named)]
    assert marks == sorted(marks, reverse=True)
    assert marks[0] == 2
    assert browser.errors() == []


def test_differences_are_sorted_by_sign_and_size(opened):
    result, browser = opened
    place = result.view.datasets.headings.index("difference (95% interval)")
    sort_by(browser, place)
    cells = [cell.split(" ")[0] for cell in column(browser, place)]
    expected = [f"{value:+.3f}" for value in sorted(result.evaluated["difference"])]
    assert cells == ["0.000" if value in {"+0.000", "-0.000"} else value for value in expected]
    assert cells[0].startswith("-")


def test_rows_are_found_by_name_and_by_being_named(opened):
    result, browser = opened
    change = """(() => { const field = document.querySelector(".tools input[type=%s]");
        field.%s; field.dispatchEvent(new Event("%s")); })()"""
    status = "document.querySelector('.tools [role=status]').textContent"
    browser.evaluate(change % ("search", "value = 'SET 1'", "input"))
    expected = [name for name in result.evaluated["dataset"] if name.startswith("set 1")]
    assert column(browser, 0) == expected
    assert browser.evaluate(status) == f"{len(expected)} of 57 rows"
    browser.evaluate(change % ("checkbox", "checked = true", "change"))
    named = result.findings[0].identified_datasets
    assert column(browser, 0) == [name for name in expected if name in named]
    browser.evaluate(change % ("search", "value = ''", "input"))
    assert column(browser, 0) == named
    browser.evaluate(change % ("checkbox", "checked = false", "change"))
    assert len(column(browser, 0)) == 57
    assert browser.evaluate(status) == ""


def test_a_phone_shows_what_matters_and_every_column_on_demand(opened):
    result, browser = opened
    every = list(result.view.datasets.headings)
    seen = f"{HEADS}.filter(head => head.offsetWidth).map(head => head.textContent)"
    assert browser.evaluate(seen) == every
    browser.show(PHONE)
    assert browser.evaluate("document.documentElement.scrollWidth") == PHONE
    assert browser.evaluate(seen) == KEPT
    inside = "(box => box.scrollWidth <= box.clientWidth)(%s[0].closest('.scroll'))"
    assert browser.evaluate(inside % HEADS)
    browser.evaluate("document.querySelector('.columns').click()")
    assert browser.evaluate(seen) == every
    assert not browser.evaluate(inside % HEADS)
    assert browser.evaluate("document.documentElement.scrollWidth") == PHONE
    cue = "getComputedStyle(document.querySelector('.cue')).display"
    assert browser.evaluate(cue) == "block"


def test_a_phone_shows_which_datasets_are_named_whatever_systems_are_called(browser, tmp_path):
    labels = {"a long name": "a-long-name-of-a-model-7B-instruct", "other": "another-model-of-70B"}
    rng = np.random.default_rng(4)
    rows = {"dataset": ["law"] * 80 + ["talks"] * 80, "instance": range(160)}
    scores = {"a long name": rng.random(160) < 0.95, "other": rng.random(160) < 0.4}
    frame = pd.DataFrame(rows | scores).astype(dict.fromkeys(scores, int))
    page = tmp_path / "page.html"
    rep.compare(frame, a="a long name", b="other", labels=labels).report(page)
    browser.show(PHONE)
    browser.visit(page.as_uri())
    wider = f"(box => box.scrollWidth > box.clientWidth)({HEADS}[0].closest('.scroll'))"
    assert browser.evaluate(wider)
    named = "document.querySelector('.sortable tbody td:last-child').getBoundingClientRect().right"
    assert browser.evaluate(named) <= PHONE


def test_no_request_leaves_the_page_and_nothing_is_wider_than_the_window(opened, many):
    browser = opened[1]
    assert [url for url in browser.requests() if not url.startswith("data:")] == [many[1].as_uri()]
    assert browser.errors() == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= DESK
    inside = "(box => box.scrollWidth <= box.clientWidth)(%s[0].closest('.scroll'))"
    assert browser.evaluate(inside % HEADS)  # every column fits, beyond the width of the text


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_the_answer_is_on_the_first_screen_and_needs_no_swiping(many, browser, width):
    browser.show(width)
    browser.visit(many[1].as_uri())
    assert browser.evaluate("document.querySelectorAll('details[open]').length") == 0
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    fits = """[...document.querySelectorAll("h1, .bar, .bar dd, .sentence, .refused")].every(
        part => !part.checkVisibility() || part.scrollWidth <= part.clientWidth + 1)"""
    assert browser.evaluate(fits)
    place = "document.querySelector('%s').getBoundingClientRect()"
    figure, bar = place % ".beside figure", place % ".bar"
    assert browser.evaluate(f"{figure}.top >= {bar}.bottom")
    side = "left" if width == DESK else "top"
    said = place % ".beside > div"
    other = "right" if width == DESK else "bottom"
    assert browser.evaluate(f"{figure}.{side} >= {said}.{other}")
    copied = "[...document.querySelectorAll('.copy')].filter(one => one.checkVisibility()).length"
    assert browser.evaluate(copied) == 1


def test_printing_opens_what_is_folded_and_folds_it_again(many, browser):
    browser.visit(many[1].as_uri())
    closed = "document.querySelectorAll('details:not([open])').length"
    before = browser.evaluate(closed)
    assert before > 4
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert browser.evaluate(closed) == 0
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate(closed) == before


def test_on_paper_the_text_fills_the_pages_before_the_figures(many, browser):
    browser.show(718)  # a page of A4 between the margins of a browser
    browser.visit(many[1].as_uri())
    browser.send("Emulation.setEmulatedMedia", media="print")
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen = browser.evaluate(
        "[...document.querySelectorAll('.finding > details, .beside figure')].map(part => ["
        "part.getBoundingClientRect().top, Boolean(part.querySelector('svg'))])"
    )
    assert browser.evaluate("document.documentElement.scrollWidth") <= 718  # else print is small
    assert not browser.evaluate("document.getElementById('explorer').offsetHeight")
    browser.send("Emulation.setEmulatedMedia", media="screen")
    drawn = [figure for _, figure in sorted(seen)]
    assert drawn == sorted(drawn) and 1 < sum(drawn) < len(drawn)


def test_no_column_is_lost_on_paper(opened):
    browser, paper = opened[1], 700  # A4 between margins of a centimetre, in pixels of CSS
    browser.show(paper)
    browser.send("Emulation.setEmulatedMedia", media="print")
    assert browser.evaluate(f"{HEADS}[0].closest('table').offsetWidth") <= paper
    browser.send("Emulation.setEmulatedMedia", media="")
