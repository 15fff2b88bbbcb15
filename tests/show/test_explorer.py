"""The explorer: its numbers are the library's, its input is checked, its element is harmless."""

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from lxml import html as parser
from scipy import special

from replicability.core import procedure
from replicability.core.tested import Tested
from replicability.io.study import Comparison, Study
from replicability.show import html_explorer, style
from replicability.stats import (
    closed_testing,
    critical_values,
    multiple_testing,
    partial_conjunction,
)

NODE = shutil.which("node")
SCRIPT = html_explorer.FOLDER / "explorer.js"
MOST_BYTES = 33_000
FEW, MANY, SIZES = 600, 10_000, range(1, 61)
LEVELS = (0.05, 0.01, 0.1, 0.025, 0.001, 0.2, 0.5, 0.9)
SMALLEST = 1e-290
"""Below it a tail of Fisher's need not have the same digits."""

READ = "const x = require(process.argv[1]), given = JSON.parse(require('fs').readFileSync(0));"
"""The beginning of a program in node: the explorer's functions, and what the test gives."""


def node(program, given=None):
    """Run a program that computes `result` from `given` with the functions `x` of the explorer."""
    if NODE is None:
        pytest.skip("no node to run the explorer's JavaScript with")
    code = f"{READ} let result; {program}; process.stdout.write(JSON.stringify(result));"
    found = subprocess.run(
        [NODE, "-e", code, str(SCRIPT)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def families(rng, n, size, alpha):
    """Draw families of p-values of all kinds: small, tied, on thresholds, zero, one and tiny."""
    p = rng.uniform(size=(size, n))
    p[size // 5 :] **= rng.choice([1, 2, 5, 20], size=(size - size // 5, 1))
    strange = rng.uniform(size=p.shape)
    on = alpha / rng.integers(1, n + 1, size=p.shape)
    for share, values in (
        (0.04, on),
        (0.03, alpha),
        (0.02, 0.0),
        (0.02, 1.0),
        (0.02, 10 ** rng.uniform(-300, -5, size=p.shape)),
        (0.05, p[:, :1]),
        (0.05, p.round(2)),
    ):
        p = np.where(strange < share, values, p)
        strange = rng.uniform(size=p.shape)
    p[rng.uniform(size=size) < 0.02] = 0.0
    p[rng.uniform(size=size) < 0.02] = 1.0
    return p


@pytest.fixture(scope="module", params=[FEW, pytest.param(MANY, marks=pytest.mark.long)])
def drawn(request):
    """Draw families, those of one size at one level and with one group."""
    streams = np.random.SeedSequence(19).spawn(len(SIZES))
    found = []
    for n, stream in zip(SIZES, streams, strict=True):
        rng = np.random.default_rng(stream)
        alpha = LEVELS[n % len(LEVELS)]
        p = families(rng, n, -(-request.param // len(SIZES)), alpha)
        inside = rng.uniform(size=n) < rng.uniform(0.1, 0.9)
        inside[rng.integers(n)] = True
        found.append((alpha, inside, p))
    assert sum(len(p) for _, _, p in found) >= request.param
    return found


@pytest.fixture(scope="module")
def computed(drawn):
    """Let the explorer compute all that it says of the families."""
    given = [{"alpha": a, "inside": i.tolist(), "p": p.tolist()} for a, i, p in drawn]
    return node(
        """
        result = given.map(({ alpha, inside, p }) => ({
          holm: p.map(family => x.holm(family, alpha)),
          ...Object.fromEntries(x.METHODS.map(name => [name, {
            k: p.map(family => x.kHat(family, alpha, name)),
            curve: p.map(family => Array.from(x.partialConjunctions(family, name))),
            names: p.map(family => x.names(family, alpha, name)),
            bound: p.map(family => x.bound(family, inside, alpha, name)),
          }])),
        }))
        """,
        given,
    )


@pytest.mark.slow
def test_holm_names_what_the_library_does(drawn, computed):
    for (alpha, _, p), found in zip(drawn, computed, strict=True):
        np.testing.assert_array_equal(found["holm"], multiple_testing.identify(p, alpha))


@pytest.mark.slow
@pytest.mark.parametrize("method", html_explorer.METHODS)
def test_counts_curves_names_and_bounds_are_those_of_the_library(method, drawn, computed):
    for (alpha, inside, p), found in zip(drawn, computed, strict=True):
        said = found[method]
        np.testing.assert_array_equal(said["k"], partial_conjunction.k_hat(p, alpha, method))
        names = closed_testing.names(p, alpha, method)
        np.testing.assert_array_equal(said["names"], names)
        bounds = closed_testing.bound(p, inside, alpha, method)
        np.testing.assert_array_equal(said["bound"], bounds)
        curve = partial_conjunction.partial_conjunction_pvalues(p, method)
        exact = 1e-9 if "fisher" in method else 0
        below = (curve < SMALLEST) & (np.array(said["curve"]) < SMALLEST * (1 + 1e-9))
        np.testing.assert_allclose(np.where(below, curve, said["curve"]), curve, rtol=exact, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("dependence", procedure.LOCAL_TESTS)
@pytest.mark.parametrize("asked", ["", "fisher", "bonferroni", "none"])
def test_a_comparison_of_independent_datasets_may_ask_for_another_local_test(dependence, asked):
    p = [0.01, 0.02, 0.06, 0.08, 0.2]
    found = node(
        "result = x.derived({ rows: given.p.map(p => ({ p })), alpha: 0.05, turn: false, "
        "group: new Set(), dependence: given.dependence, method: given.asked })",
        {"p": p, "dependence": dependence, "asked": asked},
    )
    taken = dependence == "independent" and asked in html_explorer.METHODS
    method = asked if taken else procedure.LOCAL_TESTS[dependence]
    assert found["k"] == partial_conjunction.k_hat(p, 0.05, method)
    assert found["named"] == closed_testing.names(p, 0.05, method).tolist()


@pytest.mark.parametrize(
    ("keys", "asked"),
    [({}, ""), ({"method": "fisher"}, "fisher"), ({"procedure": "paper"}, "fisher")],
)
def test_an_example_has_the_local_test_that_its_comparison_asks_for(keys, asked):
    given = {"dependence": "independent", "file": "f", "columns": {}}
    comparison = Comparison(name="c", section="s", title="t", systems=("A", "B"), **given, **keys)
    table = Tested(pd.DataFrame({"dataset": ["x", "y"], "p_value": [0.1, 0.2]}))
    assert html_explorer.example("c", comparison, table)["method"] == asked


def test_the_families_have_what_may_go_wrong(drawn):
    values = np.concatenate([p.ravel() for _, _, p in drawn])
    assert (values == 0).any()
    assert (values == 1).any()
    assert ((values > 0) & (values < 1e-280)).any()
    assert any((p == alpha / p.shape[1]).any() for alpha, _, p in drawn)
    counted = [partial_conjunction.k_hat(p, alpha, "fisher") for alpha, _, p in drawn]
    shares = np.concatenate(counted) > 0
    assert 0.2 < shares.mean() < 0.95


@pytest.mark.slow
def test_critical_sums_are_the_quantiles_of_the_gamma_law():
    for alpha in (1e-6, 0.001, 0.05, 0.5, 0.999):
        found = node("result = x.critical(200, given)", alpha)
        np.testing.assert_allclose(
            found, special.gammainccinv(np.arange(1, 201), alpha), rtol=1e-10
        )
    for alpha in (1e-6, 0.001, 0.05, 0.5, 0.9):
        found = node("result = x.criticalBeside(200, given)", alpha)[1:]
        expected = critical_values.beside_bonferroni(200, alpha)[1:]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_the_local_test_fits_the_dependence_as_in_the_library():
    assert node("result = x.FITTING") == procedure.LOCAL_TESTS
    assert node("result = x.METHODS") == list(html_explorer.METHODS)


def test_pvalues_are_turned_only_where_b_is_ahead_and_only_once():
    rows = [
        {"name": "a", "p": 0.01, "a": 2, "b": 1},
        {"name": "b", "p": 0.01, "a": 1, "b": 2},
        {"name": "c", "p": 0.9, "a": 1, "b": 2},
        {"name": "d", "p": 0.01, "a": 1, "b": 1},
    ]
    state = "{ rows: given, alpha: .05, dependence: 'independent', turn: true, group: new Set() }"
    assert node(f"result = x.derived({state}).p", rows) == [0.01, 0.99, 0.9, 0.01]


def test_b_is_ahead_with_a_lower_score_where_that_is_better():
    rows = [{"name": "a", "p": 0.01, "a": 2, "b": 1, "lower": True},
            {"name": "b", "p": 0.01, "a": 1, "b": 2, "lower": True}]  # fmt: skip
    state = "{ rows: given, alpha: .05, dependence: 'independent', turn: true, group: new Set() }"
    assert node(f"result = x.derived({state}).p", rows) == [0.99, 0.01]


@pytest.mark.parametrize("turned", [0.0, 1.0])
def test_scores_are_those_that_were_read(turned):
    read = np.array([[0.2, 0.5], [0.9, 0.4]])
    comparison, table = compared(["x", "y"], 0.5, turned - read, higher_is_better=False)
    shown = section_of((comparison, replace(table, turned=turned)))
    (tree,) = parser.fragments_fromstring(shown["element"])
    (found,) = json.loads(tree.get("data-examples"))
    assert found["lower"]
    np.testing.assert_allclose([row[2:] for row in found["rows"]], read)
    assert not html_explorer.example("c", *compared(["x", "y"], 0.5, read))["lower"]


@pytest.mark.slow
def test_studies_without_any_difference_are_so():
    """Uniform p-values; with copies the counts by Fisher break their guarantee, others do not."""
    shares = node(
        """
        let seed = 7;
        const random = () => ((seed = (seed * 16807) % 2147483647) / 2147483647);
        const share = (copies, method) => {
          let above = 0;
          for (let i = 0; i < 4000; i++) {
            above += x.kHat(x.nullStudy(20, copies, random), 0.05, method) > 0;
          }
          return above / 4000;
        };
        result = Object.fromEntries([false, true].map(copies =>
          [copies, Object.fromEntries(x.METHODS.map(name => [name, share(copies, name)]))]));
        """
    )
    for method in html_explorer.METHODS:
        assert 0.03 < shares["false"][method] < 0.065
    assert shares["true"]["fisher"] > 0.15
    assert shares["true"]["bonferroni"] < 0.05
    assert shares["true"]["simes"] < 0.065


# What is pasted


READ_AS = {
    "0.1 0.2\n.3": [("dataset 1", 0.1), ("dataset 2", 0.2), ("dataset 3", 0.3)],
    "1e-300, 0, 1": [("dataset 1", 1e-300), ("dataset 2", 0), ("dataset 3", 1)],
    "news 0.03\n\nspoken texts\t0.4\r\n": [("news", 0.03), ("spoken texts", 0.4)],
    "news; 0.03; 90.1; 88": [("news", 0.03, 90.1, 88)],
    "WSJ, section 23\t0.5": [("WSJ, section 23", 0.5)],
    '"2013"\t0.5': [("2013", 0.5)],
    "a,0.5,\nb,0.1,": [("a", 0.5), ("b", 0.1)],
    "<b>&\u202e\u0301, 0.5, −1, 2": [("<b>&\u202e\u0301", 0.5, -1, 2)],
}
"""What is pasted -> name, p-value and perhaps scores of each dataset."""


def test_what_is_pasted_is_read_and_written_again():
    program = "result = given.map(x.parsed); result.push(...result.map(x.written).map(x.parsed))"
    found = node(program, list(READ_AS))
    read = [
        [tuple(row[key] for key in ["name", "p", "a", "b"] if row[key] is not None) for row in rows]
        for rows in found
    ]
    assert read == 2 * list(READ_AS.values())


NO_PVALUE = "this is not a p-value; enter a number such as 0.03."
OUTSIDE = "a p-value must be between 0 and 1; put a name that is a number in quotes."
REFUSED = {
    "": "The text has no p-values; enter one per line.",
    " \n\t": "The text has no p-values; enter one per line.",
    "abc": f"Line 1, “abc”: {NO_PVALUE}",
    "0.1\n0.2 x": f"Line 2, “x”: {NO_PVALUE}",
    "news abc": f"Line 1, “abc”: {NO_PVALUE}",
    "0.1 1.3": f"Line 1, “1.3”: {OUTSIDE}",
    "a, -0.1": f"Line 1, “-0.1”: {OUTSIDE}",
    "2013, 0.1": f"Line 1, “2013”: {OUTSIDE}",
    "nan": f"Line 1, “nan”: {NO_PVALUE}",
    "a, Infinity": f"Line 1, “Infinity”: {NO_PVALUE}",
    "a, <0.001": f"Line 1, “<0.001”: {NO_PVALUE}",
    "a; 0,03": f"Line 1, “0,03”: {NO_PVALUE}",
    "a, 0.1, x, 3": "Line 1, “x”: this is not a score; enter a number such as 0.03.",
    "a, 0.1, 3": "Line 1 has the name “a” and 2 entries after it; enter its p-value, or its "
    "p-value and two scores.",
    "0.5\n" * 201: "There are 201 p-values, but at most 200 can be drawn.",
}
"""What is pasted -> what is said."""


def test_what_cannot_be_read_gets_a_sentence():
    program = """result = given.map(text => {
        try { return x.parsed(text) } catch (refused) { return refused.message }
    })"""
    assert node(program, list(REFUSED)) == list(REFUSED.values())


def test_no_text_makes_it_fail_without_a_sentence():
    """Rubbish of all kinds is read or refused; nothing else is thrown."""
    rng = np.random.default_rng(3)
    signs = list('0123456789.,;\t\n "-+eE<>&#%abÀ雪\u202e\x00\\')
    texts = ["".join(rng.choice(signs, size=rng.integers(0, 40))) for _ in range(3000)]
    program = """
        result = given.map(text => {
          try { return x.parsed(text).every(row => row.p >= 0 && row.p <= 1) ? "read" : "wrong"; }
          catch (refused) { return refused.constructor.name; }
        })"""
    assert set(node(program, texts)) == {"read", "Refused"}


# The files and the element


def test_the_script_is_small_and_asks_for_nothing():
    text = html_explorer.part("explorer.js")
    assert len(text.encode()) < MOST_BYTES
    assert not re.search(r"fetch\(|XMLHttp|import |require\(|//", text)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(", text
    )
    assert not re.search("</|<!--", text), "it stands in a script element"
    assert "//" not in html_explorer.part("explorer.css")


def compared(names, p, scores=None, **keys):
    table = Tested(pd.DataFrame({"dataset": names, "p_value": p}))
    if scores is not None:
        table.rows[["score_a", "score_b"]] = scores
    columns = {"dataset": "d", "p_value": "p"}
    given = {"dependence": "independent", "file": "f", "columns": columns} | keys
    return Comparison(name="c", section="sentiment", title="C", systems=("a", "b"), **given), table


def test_the_element_holds_the_comparison():
    comparison, table = compared(
        ["x", "y"],
        [0.012345678, 0.5],
        [[1.0, 2.0], [3.0, np.nan]],
        groups={"first": ["y", "x"]},
        sided="unknown",
    )
    found = html_explorer.example("c", comparison, table)
    assert found["rows"] == [["x", 0.0123457, 1.0, 2.0], ["y", 0.5, None, None]]
    assert found["groups"] == {"first": [0, 1]}
    assert found["claim"] == "a is better than b"
    assert not found["sided"]
    (tree,) = parser.fragments_fromstring(html_explorer.element([found], "of=c&alpha=0.01"))
    assert json.loads(tree.get("data-examples")) == [found]
    assert tree.get("data-start") == "of=c&alpha=0.01"
    titles = {name: procedure.TITLES[name] for name in html_explorer.METHODS}
    assert json.loads(tree.get("data-titles")) == titles
    for name in html_explorer.COLOURED:
        assert f"--{name}:{style.COLOURS[name]}" in tree.get("style").split(";")


@pytest.mark.parametrize(("sided", "has_side"), [("unknown", False), ("one", True), ("two", True)])
def test_pvalues_with_a_side_are_not_turned(sided, has_side):
    comparison, table = compared(["x"], [0.5], [[1, 2]], sided=sided)
    assert html_explorer.example("c", comparison, table)["sided"] == has_side


def test_names_are_escaped(payloads):
    comparison, table = compared(payloads, 0.5)
    text = html_explorer.element([html_explorer.example("c", comparison, table)])
    (tree,) = parser.fragments_fromstring(text)
    held = json.loads(tree.get("data-examples"))
    assert [row[0] for row in held[0]["rows"]] == payloads
    assert not tree.xpath("//script | //img | //iframe | //@onload | //@onerror")
    assert html.escape("<script>") in text


def test_what_controls_it_can_be_named_by_those_who_do_not_see_it():
    (tree,) = parser.fragments_fromstring(html_explorer.element([]))
    for control in tree.xpath(".//input | .//select | .//textarea"):
        labelled = control.get("aria-label") or control.xpath("string(ancestor::label)")
        assert labelled.strip(), control.attrib
        for name in (control.get("aria-describedby") or "").split():
            assert tree.xpath(f".//*[@id='{name}']")
    (sentence,) = tree.find_class("x-sentence")
    assert (sentence.get("role"), sentence.get("aria-live")) == ("status", "polite")
    assert {e.get("role") for e in tree.find_class("x-error")} == {"alert"}


# In the page of a study


def section_of(*compared_):
    settings = Study("s", (0.01, 0.05), tuple(one for one, _ in compared_))
    return html_explorer.section(settings, compared_)


def test_the_page_of_a_study_starts_at_its_first_level():
    shown = section_of(compared(["x", "y"], [0.1, 0.2]))
    assert 'data-start="alpha=0.01"' in shown["element"]
    assert shown["script"] == html_explorer.part("explorer.js")
    assert shown["note"] == ""


def test_without_comparisons_there_is_none():
    assert section_of() is None
    assert section_of(compared([f"d{i}" for i in range(201)], 0.5)) is None


def test_what_is_not_drawn_or_counted_otherwise_is_said():
    many = compared([f"d{i}" for i in range(201)], 0.5)
    shown = section_of(compared(["x"], [0.1], method="truncated_fisher"), many)
    assert shown["note"] == (
        " For C, the finding above uses truncated Fisher; the interactive part uses "
        "Fisher-Bonferroni, which needs only p-values."
        " Comparisons with more than 200 datasets are not drawn: C."
    )
    flips, table = compared(["x"], [0.1], dependence="dependent")
    table = replace(table, flips=object())
    note = section_of((flips, table))["note"]
    assert "uses joint sign flips; the interactive part uses Bonferroni" in note
