"""The explorer in a real browser, from disk: pointer, touch, keyboard, address, phone and print."""

import base64
import json
import re
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
from browsing import DESK, PHONE

from replicability.core import procedure
from replicability.core.tested import Tested
from replicability.io.study import Comparison, Study
from replicability.show import html_explorer, html_report
from replicability.stats import closed_testing, multiple_testing, partial_conjunction

NAMES = ["news", "law", "mail", "talks", "web", "<b>books</b>", "tweets"]
P = [0.001, 0.02, 0.06, 0.08, 0.2, 0.03, 0.7]
SCORES = [[90, 88], [91, 88], [70, 69], [60, 59], [55, 54], [50, 53], [44, 46]]
GROUPS = {"written": ["news", "law", "web"]}


def comparison(name="mine", **keys):
    columns = {"dataset": "d", "p_value": "p"}
    given = {"dependence": "independent", "file": "f", "columns": columns, "groups": GROUPS} | keys
    return Comparison(
        name=name,
        section="sentiment",
        title=f"Ours ({name})",
        systems=("ours", "<i>base</i>"),
        **given,
    )


ALONE = pd.DataFrame({"dataset": NAMES, "p_value": P})
TABLE = ALONE.join(pd.DataFrame(SCORES, columns=["score_a", "score_b"]))
EXAMPLES = [
    html_explorer.example("mine", comparison(sided="unknown"), Tested(TABLE)),
    html_explorer.example("plain", comparison("plain"), Tested(ALONE)),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write a page with the explorer, and return its address on disk."""
    script, style = map(html_explorer.part, html_explorer.FILES)
    element = html_explorer.element(EXAMPLES, "of=mine&turn=0", '<p class="still">at rest</p>')
    file = tmp_path_factory.mktemp("explorer") / "page.html"
    file.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorer</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body>'
        f'{element}<p style="margin-top:3000px"><span data-explore="of=plain&amp;alpha=0.01">one '
        f"in a hundred</span></p><script>{script}</script></body></html>",
        encoding="utf-8",
    )
    return file.as_uri()


class Explorer:
    """What a reader does with the explorer, and what stands there."""

    def __init__(self, browser):
        self.browser = browser

    def read(self, code):
        return self.browser.evaluate(code)

    def text(self, name):
        return self.read(f"document.querySelector('.x-{name}').textContent")

    @property
    def sentence(self):
        return self.text("sentence")

    def set(self, name, value, event="change"):
        """Give a control a value, as its own events say it."""
        self.read(
            f"(e => {{ e[e.type === 'checkbox' ? 'checked' : 'value'] = {json.dumps(value)}; "
            f"e.dispatchEvent(new Event({event!r})) }})(document.querySelector('.x-{name}'))"
        )

    def place(self, code):
        """Return the middle of an element in the window, scrolled to it."""
        self.read(f"({code}).scrollIntoView({{block: 'center'}})")
        box = f"(r => [r.x + r.width / 2, r.y + r.height / 2])(({code}).getBoundingClientRect())"
        return self.read(box)

    def dot(self, name):
        return f"document.querySelector('[role=slider][aria-label=\"p-value of {name}\"]')"

    def label(self, name):
        return f"document.querySelector('[role=checkbox][aria-label=\"{name} in the group\"]')"

    def p(self, name):
        return float(self.read(f"{self.dot(name)}.getAttribute('aria-valuenow')"))

    def values(self):
        return {name: self.p(name) for name in NAMES}

    def chosen(self):
        return [
            name
            for name in NAMES
            if self.read(f"{self.label(name)}.getAttribute('aria-checked')") == "true"
        ]

    def mouse(self, *points):
        """Press at the first point, move to the others, let go."""
        kinds = ["mousePressed", *["mouseMoved"] * (len(points) - 1), "mouseReleased"]
        for kind, (x, y) in zip(kinds, [*points, points[-1]], strict=True):
            self.browser.send(
                "Input.dispatchMouseEvent",
                type=kind, x=x, y=y, button="left", buttons=1, clickCount=1,
            )  # fmt: skip

    def touch(self, *points):
        """Touch the first point, move to the others, lift the finger."""
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1), "touchEnd"]
        for kind, point in zip(kinds, [*points, None], strict=True):
            touches = [] if point is None else [{"x": point[0], "y": point[1]}]
            self.browser.send("Input.dispatchTouchEvent", type=kind, touchPoints=touches)

    def press(self, key, shift=False):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageDown": 34,
                 "PageUp": 33, "Home": 36, "End": 35, "Tab": 9, " ": 32, "Escape": 27}  # fmt: skip
        for kind in ("rawKeyDown", "keyUp"):
            self.browser.send(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code="Space" if key == " " else key,
                windowsVirtualKeyCode=codes[key], modifiers=8 * shift,
            )  # fmt: skip

    def settle(self):
        """Wait until the address says what is shown."""
        self.read("new Promise(done => setTimeout(done, 400))")

    def agrees(self, alpha=0.05, method=procedure.LOCAL_TESTS["independent"]):
        """Compare what is said with the library."""
        found = self.values()
        p = list(found.values())
        k = partial_conjunction.k_hat(p, alpha, method)
        assert f"k̂ = {k})" in self.sentence
        assert f"k̂ = {k}." in self.text("crosses")
        named = closed_testing.names(p, alpha, method)
        bold = self.read("document.querySelectorAll('.x-scores .x-named').length")
        assert bold == named.sum()
        filled = self.read("document.querySelectorAll('.x-holm .x-full').length")
        assert filled == multiple_testing.identify(p, alpha).sum()
        assert self.read("document.querySelectorAll('.x-curve .x-full').length") == k
        assert f"p ≤ α on {sum(np.array(p) <= alpha)} of {len(p)} datasets;" in self.text("note")
        if self.chosen():
            inside = [name in self.chosen() for name in NAMES]
            least = closed_testing.bound(p, inside, alpha, method)
            least = f"the lower bound is {least}" if least else "there is no evidence"
            assert f"For the {sum(inside)} selected datasets" in self.sentence
            assert f", {least} (" in self.sentence

    @property
    def stacked(self):
        return self.read("!!document.querySelector('.x-stacked')")


@pytest.fixture
def explorer(browser, page):
    browser.show(DESK)
    browser.visit("about:blank")
    browser.visit(page)
    found = Explorer(browser)
    yield found
    assert browser.errors() == []


def test_it_shows_the_comparison_with_the_names_as_they_are(explorer):
    assert explorer.values() == dict(zip(NAMES, P, strict=True))
    said = (
        "Only if every p-value is one-sided for ours: ours is better than <i>base</i> on at least "
    )
    assert explorer.sentence.startswith(said)
    assert explorer.read("document.querySelectorAll('.explorer :is(b, i)').length") == 0
    assert explorer.read("document.querySelector('.still')") is None
    explorer.agrees()


def test_a_point_is_dragged_by_the_mouse_and_everything_follows(explorer):
    before = explorer.sentence
    x, y = explorer.place(explorer.dot("web"))
    explorer.mouse((x, y), (x - 30, y), (x - 120, y), (x - 180, y + 3))
    assert explorer.p("web") < 0.005
    assert explorer.sentence != before
    assert explorer.values() | {"web": 0.2} == dict(zip(NAMES, P, strict=True))
    explorer.agrees()
    assert explorer.read("document.querySelector('.x-data').value") == "own"
    assert f"web\t{explorer.p('web'):g}\t55\t54" in explorer.read(
        "document.querySelector('.x-text').value"
    )
    explorer.set("data", "mine")
    assert explorer.p("<b>books</b>") == 0.97
    explorer.set("turn", False)
    assert explorer.values() == dict(zip(NAMES, P, strict=True))
    assert explorer.sentence == before


def test_a_point_is_dragged_by_a_finger(explorer):
    explorer.browser.show(PHONE)
    explorer.settle()
    assert explorer.stacked
    x, y = explorer.place(explorer.dot("talks"))
    explorer.touch((x, y), (x - 20, y), (x - 60, y + 2), (x - 90, y + 2))
    assert explorer.p("talks") < 0.01
    explorer.agrees()
    assert explorer.read("document.documentElement.scrollWidth") <= PHONE


def test_a_touch_that_does_not_move_changes_nothing(explorer):
    explorer.browser.show(PHONE)
    explorer.settle()
    x, y = explorer.place(explorer.dot("talks"))
    explorer.touch((x + 5, y))
    assert explorer.values() == dict(zip(NAMES, P, strict=True))


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_a_group_is_brushed(how, explorer):
    first, last = (explorer.place(explorer.label(name)) for name in ("mail", "web"))
    assert abs(first[1] - last[1]) > 30, "the page scrolled between"
    getattr(explorer, how)(first, ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2), last)
    assert explorer.chosen() == ["mail", "talks", "web"]
    explorer.agrees()
    assert explorer.read("document.querySelector('.x-group').value") == "chosen by hand"
    explorer.set("group", "written")
    assert explorer.chosen() == GROUPS["written"]
    explorer.agrees()
    explorer.set("group", "")
    assert "chosen" not in explorer.sentence


def test_keys_move_a_point(explorer):
    explorer.read(f"{explorer.dot('talks')}.focus()")
    explorer.press("ArrowLeft")
    assert explorer.p("talks") == 0.071
    explorer.press("ArrowRight")
    explorer.press("ArrowRight")
    assert explorer.p("talks") == 0.09
    explorer.press("PageDown")
    assert explorer.p("talks") == 0.009
    explorer.agrees()
    assert "talks" in explorer.text("readout")
    assert explorer.read("document.activeElement.getAttribute('aria-label')") == "p-value of talks"
    explorer.press("End")
    assert explorer.p("talks") == 1
    explorer.press("Home")
    assert explorer.p("talks") == 1e-6
    explorer.press("ArrowDown")
    assert explorer.read("document.activeElement.getAttribute('aria-label')") == "p-value of news"
    explorer.agrees()


def test_keys_choose_a_group(explorer):
    explorer.read(f"{explorer.label('mail')}.focus()")
    explorer.press(" ")
    assert explorer.chosen() == ["mail"]
    explorer.press("ArrowDown", shift=True)
    assert explorer.chosen() == ["mail", "talks"]
    explorer.agrees()
    explorer.press(" ")
    assert explorer.chosen() == ["mail"]
    explorer.press("Escape")
    assert explorer.chosen() == []


def test_tab_goes_through_the_controls_in_the_order_of_the_page(explorer):
    explorer.read("document.querySelector('.x-data').focus()")
    seen = []
    for _ in range(10):
        seen.append(
            explorer.read(
                "(e => e.getAttribute('role') || e.className.replace(/.*x-/, '') || e.tagName)"
                "(document.activeElement)"
            )
        )
        explorer.press("Tab")
    assert seen == ["data", "dependence", "slide", "level", "group", "turn", "checkbox", "slider",
                    "SUMMARY", "draw"]  # fmt: skip


def test_alpha_and_dependence_change_what_is_said(explorer):
    for dependence, method in procedure.LOCAL_TESTS.items():
        explorer.set("dependence", dependence)
        for alpha in (0.01, 0.05, 0.2):
            explorer.set("level", str(alpha), "input")
            explorer.agrees(alpha, method)
    before = explorer.sentence
    for rubbish in ("", "abc", "0", "1", "-0.05", "5%"):
        explorer.set("level", rubbish, "input")
        assert explorer.text("wrong") == (
            f"α cannot be “{rubbish}”; enter a number between 0 and 1. It stays at 0.2."
        )
        assert explorer.sentence == before
    explorer.set("slide", "-2", "input")
    assert explorer.text("wrong") == ""
    explorer.agrees(0.01, "bonferroni")


def test_pvalues_that_the_scores_contradict_are_turned_to_begin_with(browser, page):
    explorer = Explorer(browser)
    browser.visit("about:blank")
    browser.visit(f"{page}#explorer:of=mine")
    assert explorer.p("<b>books</b>") == 0.97
    assert explorer.sentence.startswith("ours is better than <i>base</i> on at least 1 of 7")
    browser.visit("about:blank")
    browser.visit(f"{page}#explorer:of=mine&alpha=0.01")
    assert explorer.p("<b>books</b>") == 0.03


def test_turned_pvalues_are_said_to_be(explorer):
    explorer.set("turn", True)
    assert explorer.p("<b>books</b>") == 0.97
    assert explorer.p("tweets") == 0.7
    assert "1 p-value is reversed, because" in explorer.text("note")
    explorer.agrees()
    explorer.set("data", "plain")
    assert explorer.read("document.querySelector('.x-turn').disabled")
    assert explorer.p("<b>books</b>") == 0.03


def test_rubbish_gets_a_sentence_beside_the_field_and_the_last_good_state_stays(explorer):
    before, values = explorer.sentence, explorer.values()
    explorer.read("document.querySelector('.explorer details').open = true")
    explorer.set("text", "0.1\nabc", "input")
    assert explorer.text("typed") == (
        "Line 2, “abc”: this is not a p-value; enter a number such as 0.03. The last valid "
        "p-values stay."
    )
    assert (explorer.sentence, explorer.values()) == (before, values)
    explorer.set("text", "\n".join(f"{name}, 0.001" for name in NAMES), "input")
    assert explorer.text("typed") == ""
    assert set(explorer.values().values()) == {0.001}
    assert explorer.sentence.startswith("A is better than B on all 7 datasets (")
    explorer.agrees()


def test_the_address_keeps_the_state(explorer, browser, page):
    explorer.set("dependence", "dependent")
    explorer.set("level", "0.1", "input")
    explorer.set("turn", True)
    x, y = explorer.place(explorer.label("news"))
    explorer.mouse((x, y))
    explorer.read(f"{explorer.dot('talks')}.focus()")
    explorer.press("PageDown")
    explorer.settle()
    before, address = explorer.sentence, explorer.read("location.href")
    browser.visit("about:blank")
    browser.visit(address)
    assert explorer.sentence == before
    assert explorer.chosen() == ["news"]
    assert explorer.p("talks") == 0.008
    explorer.agrees(0.1, "bonferroni")


RUBBISH = [
    "x",
    "&&&===",
    "%",
    "%E0%A4%A",
    "of=none&alpha=9&dependence=constructor&group=99.-1.x&turn=7",
    "data=",
    f"data={quote('a' * 5000)}",
    f"data={quote('0.5 ' * 300)}",
    "data=0.5&a=<img src=x onerror=alert(1)>&claim=%3Cscript%3E",
    "alpha=1e400&data=1e-320",
]


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_a_broken_address_breaks_nothing(rubbish, browser, page):
    browser.show(DESK)
    browser.visit("about:blank")
    browser.visit(f"{page}#explorer:{rubbish}")
    explorer = Explorer(browser)
    assert re.search(r"k̂ = \d\)\.$", explorer.sentence)
    wrong = explorer.text("wrong")
    assert bool(wrong) == (rubbish.startswith("data=") and "0.5&" not in rubbish)
    assert not wrong or wrong.startswith("In the address: ")
    assert explorer.read("document.querySelectorAll('.explorer img, .explorer script').length") == 0
    assert browser.errors() == []


def test_prose_sets_the_explorer_and_the_way_back_restores_it(explorer):
    before = explorer.sentence
    explorer.set("level", "0.02", "input")
    explorer.settle()
    at_two = explorer.sentence
    assert at_two != before
    explorer.read("document.querySelector('.x-set').click()")
    assert "99% confidence" in explorer.sentence
    assert explorer.read("document.querySelector('.x-data').value") == "plain"
    assert explorer.read("document.querySelector('.explorer').getBoundingClientRect().top") < 50
    explorer.read("new Promise(done => { onhashchange = done; history.back() })")
    assert explorer.sentence == at_two


def test_without_scores_the_left_panel_shows_pvalues_that_can_be_dragged(explorer):
    explorer.set("data", "plain")
    assert explorer.read("document.querySelector('.x-scores p').textContent") == "p-values"
    dots = "document.querySelectorAll('.x-scores .x-dot')"
    assert explorer.read(f"{dots}.length") == len(NAMES)
    x, y = explorer.place(f"{dots}[{NAMES.index('tweets')}]")
    explorer.mouse((x, y), (x - 10, y), (x - 90, y))
    assert explorer.p("tweets") < 0.6
    explorer.agrees()


def test_studies_without_any_difference_fill_the_histograms(explorer):
    for number in (100, 200):
        explorer.read("document.querySelector('.x-draw').click()")
        said = explorer.text("tally")
        assert said.startswith(f"In {number} studies of 7 datasets without any difference: ")
        shares = [float(share) for share in re.findall(r"above \d: ([\d.]+)%", said)]
        assert len(shares) == 4
        assert shares[0] >= shares[1]
        assert shares[2] >= shares[3]
        marked = explorer.read(
            "[...document.querySelectorAll('.x-bars .x-share')].map(e => e.textContent)"
        )
        assert marked == re.findall(r"above \d: [\d.]+%", said)
        heights = explorer.read(
            "[...document.querySelectorAll('.x-bars g rect')].map(e => +e.getAttribute('height'))"
        )
        assert sum(heights) == pytest.approx(2 * 82)
    explorer.set("level", "0.9", "input")
    assert explorer.text("tally") != said
    explorer.read("document.querySelector('.x-together').click()")
    assert explorer.text("tally") == ""


def test_pointing_at_a_row_shows_its_numbers_in_all_panels(explorer):
    x, y = explorer.place(explorer.dot("law"))
    explorer.browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + 40, y=y)
    assert explorer.text("readout").startswith("law (91 and 88): p = 0.02; Holm’s line α/6 = ")
    assert explorer.read("document.querySelectorAll('.x-band').length") == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_either_scheme(scheme, explorer):
    explorer.browser.show(DESK, scheme)
    found = explorer.read(
        "[getComputedStyle(document.querySelector('.x-label text')).fill,"
        " getComputedStyle(document.querySelector('.x-sentence')).color,"
        " getComputedStyle(document.querySelector('.x-data')).color]"
        ".map(c => c.match(/[\\d.]+/g).slice(0, 3).reduce((sum, v) => sum + +v, 0) / 765)"
    )
    assert all((shade < 0.2) if scheme == "light" else (shade > 0.8) for shade in found)


@pytest.mark.parametrize("width", [320, PHONE, 700, DESK])
def test_it_fits_its_window_and_is_drawn_anew_for_another(width, explorer):
    explorer.browser.show(width)
    explorer.settle()
    assert explorer.read("document.documentElement.scrollWidth") <= width
    assert explorer.stacked == (width < 600)
    overlap = """(() => {
      const boxes = [...document.querySelectorAll('.x-scores .x-label text')]
        .map(e => e.getBoundingClientRect()).sort((a, b) => a.y - b.y);
      return boxes.slice(1).some((box, i) => box.top < boxes[i].bottom - 3);
    })()"""
    assert not explorer.read(overlap)


def test_on_paper_there_are_no_controls(explorer):
    explorer.browser.send("Emulation.setEmulatedMedia", media="print")
    shown = "getComputedStyle(document.querySelector('.x-{}')).display"
    try:
        for name in ("controls", "readout"):
            assert explorer.read(shown.format(name)) == "none"
        for name in ("sentence", "panels", "note"):
            assert explorer.read(shown.format(name)) != "none"
        paper = explorer.browser.send("Page.printToPDF", pageRanges="1")["data"]
        assert base64.b64decode(paper).startswith(b"%PDF")
    finally:
        explorer.browser.send("Emulation.setEmulatedMedia", media="")


def test_without_scripts_what_is_at_rest_is_shown(browser, page):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.visit(page)
        shown = browser.send("DOM.getDocument", depth=-1)
        root = shown["root"]["nodeId"]
        still = browser.send("DOM.querySelector", nodeId=root, selector=".still")["nodeId"]
        live = browser.send("DOM.querySelector", nodeId=root, selector=".x-live")["nodeId"]
        assert "content" in browser.send("DOM.getBoxModel", nodeId=still)["model"]
        assert "hidden" in browser.send("DOM.getAttributes", nodeId=live)["attributes"]
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_the_page_of_a_study_has_it_with_its_comparisons(browser, tmp_path):
    settings = Study("own", (0.1,), (comparison(file=str(tmp_path / "f.csv")),))
    named = TABLE.rename(columns={"dataset": "d", "p_value": "p"})
    named.to_csv(tmp_path / "f.csv", index=False)
    file = tmp_path / "report.html"
    (block,) = settings.comparisons
    file.write_text(html_report.render(settings, [(block, Tested(TABLE))]), encoding="utf-8")
    browser.show(DESK)
    browser.visit("about:blank")
    browser.visit(file.as_uri())
    explorer = Explorer(browser)
    assert explorer.values() == dict(zip(NAMES, P, strict=True))
    assert "90% confidence" in explorer.sentence
    explorer.agrees(0.1)
    assert browser.errors() == []
    assert {url for url in browser.requests() if not url.startswith("data:")} == {file.as_uri()}
