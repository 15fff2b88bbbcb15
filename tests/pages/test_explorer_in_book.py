"""The explorer in the book: what it offers is what is committed, and where it stands."""

import importlib
import json
import shutil
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import urljoin

import pandas as pd
import pytest
from lxml import html
from test_book import site, trees  # noqa: F401, the book is built once for both

from analysis import items, paths
from analysis.dror2017 import claims
from analysis.studies import read_study
from replicability.io import delimited
from replicability.show import html_explorer
from replicability.stats import partial_conjunction

PAGES = {"index.html": "of=paper/mate_redshift", "docs/k_hat.html": "of=five"}
"""Page -> what it shows first."""


@pytest.fixture(scope="module")
def explorer():
    sys.path.insert(0, str(paths.ROOT / "book"))
    yield importlib.import_module("explorer")
    sys.path.remove(str(paths.ROOT / "book"))


SUMMARIES = {name: f"tables/{folder}table1_summary.csv" for name, folder in items.FOLDERS.items()}
"""Study -> the table of its counts, which only some have."""


def test_every_comparison_with_committed_pvalues_is_offered(explorer):
    studies = {name: read_study(f"config/{name}.yaml") for name in items.FOLDERS}
    known = [f"{name}/{one.name}" for name, study in studies.items() for one in study.comparisons]
    found = [example["id"] for example in explorer.examples()]
    assert found[0] == "five"
    assert set(found[1:]) <= set(known)
    assert {name for name in known if name.startswith(("paper/", "open/"))} <= set(found)
    titles = [example["title"] for example in explorer.examples()]
    assert len(set(titles)) == len(titles)


def test_pairs_of_translators_have_their_pvalues_by_documents(explorer):
    rows = delimited.read_table("tables/leaderboards/wmt24_segments.csv")
    offered = {e["id"]: e for e in explorer.examples_of("leaderboards")}
    counts = delimited.read_table("tables/leaderboards/wmt24_counts.csv")
    for name in ("claude_tower", "gpt_online"):
        example = offered[f"leaderboards/{name}"]
        title = example["title"].partition(": ")[2]
        p = [p for _, p in example["rows"]]
        assert p == rows.loc[rows["comparison"] == title, "A, by documents"].astype(float).tolist()
        (k,) = counts.query("comparison == @title and alpha == '0.05'")["k_bonferroni"]
        assert partial_conjunction.k_hat(p, 0.05, "bonferroni") == int(k)


@pytest.mark.parametrize("study", [s for s in SUMMARIES if (paths.ROOT / SUMMARIES[s]).is_file()])
def test_what_is_offered_gives_the_counts_of_the_committed_summary(study, explorer):
    summary = delimited.read_table(SUMMARIES[study])
    offered = {e["title"].partition(": ")[2]: e for e in explorer.examples_of(study)}
    rows = [row for row in summary.to_dict("records") if row["comparison"] in offered]
    assert len({row["comparison"] for row in rows}) == len(offered)
    for row in rows:
        example = offered[row["comparison"]]
        p = [p for _, p, _, _ in example["rows"]]
        assert len(p) == int(row["datasets"])
        for method in ("bonferroni", "fisher"):
            k = partial_conjunction.k_hat(p, float(row["alpha"]), method)
            assert k == int(row[f"k_{method}"]), row["comparison"]
        assert partial_conjunction.k_count(p, float(row["alpha"])) == int(row["k_count"])


def test_the_columns_of_a_comparison_are_found_beside_those_of_another(explorer):
    cells = pd.DataFrame(
        {
            "dataset": ["x", "y", "z"],
            "a": ["1", "2", "3"],
            "b": ["1,000.5", "3", "2"],
            "p-val (a,b)": ["< 1e-300", "0.5", ""],
            "b b-c": ["7", "8", "9"],
            "c": ["4", "5", "6"],
            "p-val (b,c)": ["0.1", "0.2", "0.3"],
        }
    )
    first = explorer.columns(cells, "a-b", {"score_a": "a", "score_b": "b"})
    assert first.to_dict("list") == {
        "dataset": ["x", "y"],
        "p_value": [1e-300, 0.5],
        "score_a": [1, 2],
        "score_b": [1000.5, 3],
    }
    second = explorer.columns(cells, "b-c", {"score_a": "b", "score_b": "c"})
    assert second["score_a"].tolist() == [7, 8, 9]
    assert second["p_value"].tolist() == [0.1, 0.2, 0.3]


def test_columns_of_another_comparison_of_the_same_systems_are_not_taken(explorer, monkeypatch):
    header = ["dataset", "a", "b", "p-val (a,b)", "p-val (a,b) second"]
    cells = pd.DataFrame([["x", "1", "2", "0.1", "0.2"]], columns=header)
    monkeypatch.setattr(explorer.delimited, "read_table", lambda file: cells)
    row = SimpleNamespace(files=("tables/table1_summary.csv", "figures/none.svg"))

    def pvalues(title, first):
        block = SimpleNamespace(level="instances", systems=("a", "b"), title=title, called=str)
        found = explorer.committed(block, row, first)
        return None if found is None else found["p_value"].tolist()

    assert pvalues("first", True) == [0.1]
    assert pvalues("second", False) == [0.2]
    assert pvalues("third", False) is None


def test_a_page_without_the_comment_stays_as_it_is(explorer):
    text = "# Title\n\n<!-- explorer -->\n\nText\n"
    assert explorer.placed(text) == text


def test_what_stands_in_the_comment_is_shown_without_a_script(explorer):
    text = (
        "before\n\n<!-- explorer: of=five -->\n![alt](a.svg)\n<!-- end of the explorer -->\n\nafter"
    )
    placed = explorer.placed(text)
    assert placed.startswith("before\n\n```{raw} html\n<div ")
    inside = placed.partition("<noscript>\n```\n")[2].partition("```{raw} html\n</noscript>")[0]
    assert inside.strip() == "![alt](a.svg)"
    assert placed.endswith("\n```\n\nafter")


def test_it_stands_first_on_the_first_page_and_in_its_chapter(trees, site, explorer):  # noqa: F811
    for page, start in PAGES.items():
        (element,) = trees[page].getroot().find_class("explorer")
        assert element.get("data-start") == start
        assert json.loads(element.get("data-examples")) == explorer.examples()
        files = trees[page].xpath("//script/@src | //link[@rel='stylesheet']/@href")
        for file in html_explorer.FILES:
            (address,) = [a for a in files if file in a]
            copied = site / urljoin(page, address.partition("?")[0])
            assert copied.read_text("utf-8") == html_explorer.part(file)
        (still,) = element.xpath(".//noscript//img")
        assert still.get("alt")
        assert (site / urljoin(page, still.get("src"))).is_file()
    tops = trees["index.html"].xpath("//article//h1/following-sibling::*")
    assert tops[0].tag == "p"
    assert tops[1].get("class") == "explorer"
    elsewhere = [page for page, tree in trees.items() if tree.getroot().find_class("explorer")]
    assert sorted(elsewhere) == sorted(PAGES)


def test_no_other_page_loads_it(trees):  # noqa: F811
    loading = [
        page for page, tree in trees.items() if any("explorer" in a for a in tree.xpath("//@src"))
    ]
    assert sorted(loading) == sorted(PAGES)


def test_the_sentence_at_rest_is_that_of_the_live_one(trees):  # noqa: F811
    """Without a script the page says the same count as with one."""
    for page in PAGES:
        (element,) = trees[page].getroot().find_class("explorer")
        examples = {e["id"]: e for e in json.loads(element.get("data-examples"))}
        shown = examples[PAGES[page].removeprefix("of=")]
        k = partial_conjunction.k_hat([row[1] for row in shown["rows"]], 0.05, "fisher")
        said = html.tostring(element.find(".//noscript"), method="text", encoding="unicode")
        assert f"better than {shown['b']} on at least {k} of {len(shown['rows'])} datasets" in said


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the explorer with")
@pytest.mark.parametrize("name", ["mimick_char2tag", "w2v_glove"])
def test_the_explorer_counts_as_the_claims_are_judged(explorer, name):
    judged = claims.judged(name)
    title = claims.entries()[name]["comparison"]
    (shown,) = (e for e in explorer.examples_of("paper") if e["title"].endswith(f": {title}"))
    rows = [dict(zip(("name", "p", "a", "b"), row, strict=True)) for row in shown["rows"]]
    state = {"rows": rows, "alpha": 0.05, "dependence": shown["dependence"]}
    state |= {"method": shown["method"]}
    program = (
        "const x = require(process.argv[1]), s = JSON.parse(require('fs').readFileSync(0));"
        "const k = turn => x.derived({...s, turn, group: new Set()}).k;"
        "process.stdout.write(JSON.stringify([k(false), k(true)]));"
    )
    call = ["node", "-e", program, str(html_explorer.FOLDER / "explorer.js")]
    found = subprocess.run(
        call, input=json.dumps(state), capture_output=True, text=True, check=True
    )
    ahead = judged.found["one-sided for the system ahead"]
    assert json.loads(found.stdout) == [judged.claimed, ahead]
    assert ahead < judged.claimed
