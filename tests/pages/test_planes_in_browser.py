"""Planes of all pairs in a real browser, read from disk: pointer, keyboard, choosers, addresses."""

import importlib
import json
import re
import sys

import pytest
from browsing import DESK, PHONE

from analysis import paths
from replicability.io import delimited

LINKED = ("HIT-SCIR", "LATTICE", "#chapter")
FAMILIES = ("taggers", "classifiers", "own_parsers")


def stored(family):
    return json.loads((paths.ROOT / f"tables/open/all_pairs_{family}.json").read_text("utf-8"))


def cells_of(family):
    return delimited.read_table(f"tables/open/all_pairs_{family}.csv")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write a page with planes, and return its address on disk."""
    sys.path.insert(0, str(paths.ROOT / "book"))
    plane = importlib.import_module("plane")
    sys.path.remove(str(paths.ROOT / "book"))
    static = paths.ROOT / "book/theme/static"
    style, script = ((static / name).read_text("utf-8") for name in ("book.css", "plane.js"))
    planes = (plane.written(cells_of(f), f"Table {f}", stored(f), [LINKED], 10) for f in FAMILIES)
    file = tmp_path_factory.mktemp("planes") / "page.html"
    file.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Planes</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{style}</style></head><body><p id="chapter">Chapter</p>{"".join(planes)}'
        f'<p style="margin-top:3000px">End</p><script>{script}</script></body></html>',
        encoding="utf-8",
    )
    return file.as_uri()


class Plane:
    """One of the planes of the page."""

    def __init__(self, browser, family):
        self.browser, self.family, self.stored = browser, family, stored(family)
        self.box = f"document.querySelectorAll('.plane')[{FAMILIES.index(family)}]"

    def read(self, code):
        """Evaluate what follows the plane's element."""
        return self.browser.evaluate(f"{self.box}{code}")

    @property
    def said(self):
        return self.read(".querySelector('.plane-said').textContent")

    @property
    def opened(self):
        """Text of the pair that is open; None if there is none."""
        pair = ".querySelector('.plane-pair')"
        return None if self.read(f"{pair}.hidden") else self.read(f"{pair}.textContent")

    def rows(self):
        return self.read(
            ".querySelectorAll('.plane-pair tbody tr').values().map("
            "r => [...r.cells].map(c => c.textContent)).toArray()"
        )

    def middle(self, a, b):
        """Return the middle of a cell in the window, scrolled to it."""
        i, j = (self.stored["systems"].index(name) for name in (a, b))
        self.read(".querySelector('.ground').scrollIntoView({block: 'center'})")
        x, y, size = self.browser.evaluate(
            f"(r => [r.x, r.y, r.width / {len(self.stored['systems'])}])"
            f"({self.box}.querySelector('.ground').getBoundingClientRect())"
        )
        return x + (j + 0.5) * size, y + (i + 0.5) * size

    def point(self, a, b, *kinds):
        x, y = self.middle(a, b)
        for kind in ("mouseMoved", *kinds):
            pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.browser.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)
        self.settle()

    def click(self, a, b):
        self.point(a, b, "mousePressed", "mouseReleased")

    def press(self, *keys):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13}
        self.read(".querySelector('.plane-map').focus()")
        for key in keys:
            for kind in ("rawKeyDown", "keyUp"):
                self.browser.send(
                    "Input.dispatchKeyEvent",
                    type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key],
                )  # fmt: skip
        self.settle()

    def settle(self):
        self.browser.evaluate("new Promise(done => setTimeout(done, 100))")

    def jointly(self):
        self.read(".querySelectorAll('input[type=radio]')[1].click()")

    def sentence(self, a, b, jointly=False):
        """Say of a pair what the plane is to say, from the committed files."""
        systems = self.stored["systems"]
        i, j = systems.index(a), systems.index(b)
        k = re.findall(r"\d+", cells_of(self.family)[b][i])[jointly]
        n = len(self.stored["datasets"])
        if k == "0":
            return f"There is no evidence that {a} is better than {b} on any of the {n} datasets."
        named = [
            dataset
            for dataset, state in zip(
                self.stored["datasets"], self.stored["named"][i][j], strict=True
            )
            if state > jointly
        ]
        names = ", ".join(named)
        if len(named) > 6:
            names = f"{', '.join(named[:5])} and {len(named) - 5} more"
        which = f"{'among them' if len(named) < int(k) else 'namely'} {names}"
        which = which if named else "none of which can be named"
        return f"{a} is better than {b} on at least {k} of {n} datasets, {which}."


@pytest.fixture
def show(browser, page):
    """Return a function that opens the page, perhaps at an address, and returns a plane."""

    def show(family="taggers", at="", width=DESK):
        browser.show(width)
        browser.visit("about:blank")
        browser.visit(page + at)
        return Plane(browser, family)

    yield show
    assert browser.errors() == []


PAIRS = [("HIT-SCIR", "LATTICE"), ("LATTICE", "HIT-SCIR"), ("ArmParser", "BOUN")]


@pytest.mark.parametrize("jointly", [False, True])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_pointing_at_a_cell_says_what_the_files_say(a, b, jointly, show):
    plane = show()
    if jointly:
        plane.jointly()
    plane.point(a, b)
    wanted = f"{plane.sentence(a, b, jointly)} {plane.sentence(b, a, jointly)}"
    assert plane.said.removesuffix(" Click to open the chapter on this pair.") == wanted
    assert plane.said.endswith("the chapter on this pair.") == ({a, b} == {"HIT-SCIR", "LATTICE"})


@pytest.mark.parametrize("family", FAMILIES)
def test_the_picture_has_the_numbers_of_the_table(family, show):
    plane = show(family)
    for place in (0, 1):
        cells = cells_of(family).iloc[:, 1:].to_numpy().ravel()
        counts = [re.findall(r"\d+", cell)[place] for cell in cells if cell]
        drawn = plane.read(
            ".querySelectorAll('.cells text').values().map(t => t.textContent).toArray()"
        )
        assert drawn == [count for count in counts if count != "0"]
        plane.jointly()


def test_a_click_opens_the_pair_at_an_address_of_its_own(show, browser):
    plane = show()
    plane.click("Uppsala", "Stanford")
    assert browser.evaluate("location.hash") == "#pair-taggers-Uppsala-Stanford"
    assert browser.evaluate("document.activeElement.id") == "pair-taggers-Uppsala-Stanford"
    kept = plane.stored
    i, j = (kept["systems"].index(name) for name in ("Uppsala", "Stanford"))
    rows = {row[0]: row[1:] for row in plane.rows()}
    assert list(rows) == sorted(
        rows, key=lambda d: kept["pvalues"][i][j][kept["datasets"].index(d)]
    )
    for d, dataset in enumerate(kept["datasets"]):
        ours, theirs, p, back, named = rows[dataset]
        assert [float(ours), float(theirs)] == [kept["scores"][i][d], kept["scores"][j][d]]
        for shown, value in ((p, kept["pvalues"][i][j][d]), (back, kept["pvalues"][j][i][d])):
            if value < 1e-27:
                assert shown == "< 10⁻²⁷"
            else:
                assert number(shown) == pytest.approx(value, rel=1e-9), dataset
        state, reverse = kept["named"][i][j][d], kept["named"][j][i][d]
        said = [("Uppsala", state), ("Stanford", reverse)]
        assert named == "; ".join(f"{n}{', jointly' * (s > 1)}" for n, s in said if s)
    browser.evaluate("history.back()")
    plane.settle()
    assert browser.evaluate("location.hash") == ""


def number(shown):
    """Read a p-value."""
    found = re.fullmatch(r"([\d.]+)(?: · 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", shown)
    power = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in found[2] or "")
    return float(f"{found[1]}e-{power or 0}")


def test_an_address_opens_its_pair_and_nothing_else(show):
    plane = show("classifiers", "#pair-classifiers-LR-mSDA")
    assert plane.opened.startswith("LR against mSDA · accuracy (%).")
    assert Plane(plane.browser, "taggers").opened is None
    for address in ("#pair-classifiers-none-mSDA", "#%E0%A4%A", "#pair-", "#chapter"):
        assert show("classifiers", address).opened is None


def test_a_pair_that_has_a_chapter_leads_there(show, browser):
    plane = show()
    assert plane.read(".querySelectorAll('.cells .page').length") == 2
    plane.click("LATTICE", "HIT-SCIR")
    assert browser.evaluate("location.hash") == "#chapter"
    assert plane.opened is None


def test_the_keyboard_chooses_and_opens(show, browser):
    plane = show()
    systems = plane.stored["systems"]
    plane.press("ArrowDown")
    assert plane.said.startswith(plane.sentence(systems[0], systems[1]))
    plane.press("ArrowRight", "ArrowDown")  # over the diagonal, and down to it again
    assert plane.said.startswith(plane.sentence(systems[1], systems[2]))
    plane.press("ArrowDown")
    assert plane.said.startswith(plane.sentence(systems[3], systems[2]))
    plane.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")  # the edge holds
    assert plane.said.startswith(plane.sentence(systems[3], systems[0]))
    plane.press("Enter")
    assert plane.opened.startswith(f"{systems[3]} against {systems[0]} ·")
    plane.read(".querySelector('.plane-pair button').click()")
    assert plane.opened is None
    assert browser.evaluate("document.activeElement.className") == "scroll plane-map"


def test_a_pair_can_be_chosen_by_its_names(show):
    plane = show("classifiers")
    for place, name in enumerate(("SCL", "SCL")):
        index = plane.stored["systems"].index(name)
        plane.read(f".querySelectorAll('select')[{place}].selectedIndex = {index}")
    plane.read(".querySelector('.plane-bar button').click()")
    assert plane.said == "SCL and SCL were not compared; choose another pair."
    plane.read(".querySelectorAll('select')[1].selectedIndex = 0")
    plane.read(".querySelector('.plane-bar button').click()")
    plane.settle()
    assert plane.opened.startswith(f"SCL against {plane.stored['systems'][0]} ·")


def test_it_fits_a_phone_and_asks_for_nothing(show, browser, page):
    plane = show(width=PHONE)
    assert browser.evaluate("document.documentElement.scrollWidth") <= PHONE
    plane.click("HIT-SCIR", "Stanford")
    assert browser.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert {url.partition("#")[0] for url in browser.requests()} == {page}


def test_without_scripts_there_is_the_table(browser, page):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.visit(page)
        root = browser.send("DOM.getDocument", depth=-1)["root"]["nodeId"]
        selector = ".plane details table"
        found = browser.send("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]
        assert len(found) == len(FAMILIES)
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
