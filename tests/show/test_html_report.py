import csv
import hashlib
import html
import io
import itertools
import json
import re
import urllib.parse
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from comparisons import declare

from analysis import paths
from analysis.dror2017 import figures as dror_figures
from analysis.studies import read_study
from replicability import checks
from replicability.checks import InputError
from replicability.core import all_pairs, evaluation, findings, procedure, recommendation
from replicability.core.findings import counted as counting
from replicability.core.findings import headline, marks, notes, tests_used, wording
from replicability.core.tested import Tested
from replicability.io.study import Comparison, Family, Study
from replicability.show import (
    evidence,
    html_elements,
    html_explorer,
    html_figures,
    html_made,
    html_report,
    view,
)
from replicability.show.figures import k_matrix, plt
from replicability.stats import joint
from replicability.stats.joint import Bound
from replicability.stats.partial_conjunction import ESTIMATORS

NASTY = ("A <b>&\"'</b>", "</title><script>alert(1)</script>")
VOID = {"meta", "link"}
EXPLORER = html_explorer.element([])
"""The explorer of a page, without what it shows."""


class Reader(HTMLParser):
    """Collects tags with attributes, ids, headings and text; refuses tags that do not nest."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.text.append(data)

    def values(self, attribute):
        return [found[attribute] for _, found in self.tags if attribute in found]


def results(settings, *names):
    chosen = [c for c in settings.comparisons if not names or c.name in names]
    return [(comparison, evaluation.evaluate(comparison)) for comparison in chosen]


@pytest.fixture(scope="module")
def paper():
    settings = read_study("config/paper.yaml")
    found = results(settings)
    options = {"file": "config/paper.yaml", "command": "make study STUDY=config/paper.yaml"}
    return settings, found, html_report.render(settings, found, **options)


@pytest.fixture
def own(tmp_path):
    """Return a study of p-values without scores, with names that HTML would take for markup."""
    file = tmp_path / "p<1>.csv"
    file.write_text("set,p\n<i>one</i>,0.001\ntwo & three,0.2\n", encoding="utf-8")
    comparison = declare(
        name="mine",
        section="sentiment",
        title="<u>A</u> & B",
        systems=NASTY,
        dependence="positive",
        file=str(file),
        columns={"dataset": "set", "p_value": "p"},
    )
    return Study(name="own", alphas=(0.05,), comparisons=(comparison,))


@pytest.fixture
def counted(tmp_path):
    """Return a study from items of three systems, with a family of all of them."""
    rng = np.random.default_rng(3)
    rows = [
        {"d": dataset, "i": i, "s": system, "right": int(rng.random() < share)}
        for dataset, n in (("small", 20), ("large", 80))
        for i in range(n)
        for system, share in (("x", 0.9), ("y", 0.5), ("z", 0.1))
    ]
    file = tmp_path / "instances.csv"
    pd.DataFrame(rows).to_csv(file, index=False)
    shared = {
        "section": "sentiment",
        "dependence": "dependent",
        "file": str(file),
        "columns": {"dataset": "d", "instance": "i", "system": "s", "score": "right"},
        "score": "accuracy (%)",
    }
    options = {"n_resamples": 99}
    comparison = Comparison(
        name="xy", title="x-y", systems=("x", "y"), test="paired_bootstrap", seed=7, **shared
    )
    family = Family(
        name="all_of_them", title="All", systems=("x", "y", "z"), test="paired_bootstrap",
        options=options, **shared,
    )  # fmt: skip
    return Study("counted", (0.1, 0.01), (comparison,), (family,))


@pytest.mark.long
def test_every_sentence_stands_there_with_its_confidence(paper):
    settings, found, text = paper
    sentences = re.findall(r'<p class="sentence" id="([^"]+)">(.*?)</p>', text, re.DOTALL)
    sentences = {name: html.unescape(sentence) for name, sentence in sentences}
    said = html.unescape(text)
    for comparison, table in found:
        first, *others = (str(findings.find(comparison, table, a)) for a in settings.alphas)
        assert sentences[f"s-{comparison.name}"] == first
        both = findings.find_both(comparison, table, settings.alphas[0])
        for other in (*others, *both, findings.overall(comparison, table)):
            assert f"<p>{other}</p>" in said
    assert set(Reader(text).values("data-from")) == sentences.keys()
    declared = [name for name in sentences if name.startswith("s-")]
    assert len(declared) == len(found)


@pytest.mark.slow
def test_the_document_is_well_formed(paper):
    text = paper[2]
    read = Reader(text)
    ids = read.values("id")
    assert [name for name, times in Counter(ids).items() if times > 1] == []
    targets = [v[1:] for v in read.values("href") if v.startswith("#")]
    targets += re.findall(r"url\(#([^)]+)\)", text)
    named = " ".join(read.values("aria-labelledby") + read.values("aria-describedby"))
    targets += named.split()
    assert len(targets) > 100
    assert set(targets) <= set(ids)
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))
    tags = [tag for tag, _ in read.tags]
    assert [tags.count(tag) for tag in ("header", "main", "nav", "footer")] == [1] * 4
    titles = re.findall(r"<(title|h1)>(.*?)</", text)
    assert titles[0][1] == titles[1][1]
    assert titles[0][1].endswith(", and 4 other findings")
    assert dict(read.tags[0][1]) == {"lang": "en"}
    assert text.startswith("<!doctype html>\n")


def test_nothing_is_loaded_from_outside(paper):
    text = paper[2]
    read = Reader(text)
    assert not read.values("src")
    assert all(v.startswith(("#", "data:")) for v in read.values("href"))
    assert not read.values("srcset") + read.values("xlink:href") + read.values("action")
    assert "//" not in text
    assert "@import" not in text
    assert re.findall(r"url\((?!#)", text) == []
    (policy,) = [a["content"] for t, a in read.tags if t == "meta" and "http-equiv" in a]
    assert policy.startswith("default-src 'none';")


def test_figures_have_alternatives_and_tables_captions(paper):
    read = Reader(paper[2])
    figures = [attributes for tag, attributes in read.tags if tag == "svg"]
    figures = [attributes for attributes in figures if attributes.get("class") != "x-bars"]
    assert len(figures) == 5
    for attributes in figures:
        assert attributes["role"] == "img"
        assert "ahead on" in attributes["aria-label"]
    assert sum(tag == "caption" for tag, _ in read.tags) == 15


@pytest.mark.slow
def test_differences_are_said_and_drawn_as_far_as_there_are_any(own, counted, paper):
    """Of items both, of scores the sentence alone, of p-values nothing."""
    comparison = counted.comparisons[0]
    table = evaluation.evaluate(comparison)
    text = html_report.render(counted, [(comparison, table)])
    mean = findings.overall(comparison, table)
    assert html.escape(str(mean), quote=False) in html.unescape(text)
    assert text.count("Which p-values decide this?") == 1
    labels = [a["aria-label"] for tag, a in Reader(text).tags if tag == "svg"]
    drawn = [label for label in labels if f"x is {mean.signs}" in label]
    assert len(drawn) == 1
    assert (
        f"the mean, {mean.signed(mean.difference)}, with the interval {mean.interval}" in drawn[0]
    )
    assert "Diamond: the mean over datasets" in text
    assert "Dashed" not in text
    assert "Which p-values decide this?" not in paper[2]
    alone = html_report.render(own, results(own))
    assert "Which p-values decide this?" not in alone
    assert "P-values do not show the size of a difference." in alone


@pytest.mark.slow
def test_a_margin_is_a_dashed_line_of_the_caption(counted):
    comparison = counted.comparisons[0]
    table = evaluation.evaluate(comparison)
    finding = findings.find(comparison, table, 0.05)
    told = finding, view.datasets(comparison, table, [finding]), findings.overall(comparison, table)
    claimed = replace(comparison, margin=2.0, claim="not_worse")
    with_line = html_figures.differences(claimed, table, *told)
    assert with_line["caption"].endswith(" Dashed lines show the claim's margin.")
    without = html_figures.differences(comparison, table, *told)
    assert with_line["svg"] != without["svg"]


def test_names_are_escaped(own):
    text = html_report.render(own, results(own))
    read = Reader(text)
    said = "".join(read.text)
    for name in (*NASTY, "<i>one</i>", "two & three", "<u>A</u> & B", "p<1>.csv"):
        assert name in said
    assert not {"b", "i", "u"} & {tag for tag, _ in read.tags}
    assert [tag for tag, _ in read.tags].count("script") == 1


@pytest.mark.slow
def test_without_scores_the_page_says_what_is_missing(own):
    text = html_report.render(own, results(own))
    assert "The other direction cannot be tested" in text
    assert "Scores are not drawn" in text
    assert "The study does not name their test" in text
    assert str(findings.find(*results(own)[0], 0.05)).split("(")[1] in html.unescape(text)
    assert "positively dependent" in text


def test_no_path_above_the_checkout_is_shown(own, tmp_path):
    own = replace(own, remarks=str(tmp_path))
    text = html_report.render(own, results(own))
    assert str(tmp_path) not in text
    assert str(paths.ROOT) not in text


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes(counted, tmp_path):
    found = results(counted)
    families = [(family, all_pairs.compare(family)) for family in counted.families]
    for run in ("one", "two"):
        shown = html_report.save(counted, found, tmp_path / run, families)
        assert shown == str(tmp_path / run / "report" / "report.html")
    one, two = ((tmp_path / run / "report" / "report.html").read_bytes() for run in ("one", "two"))
    assert one == two


@pytest.mark.slow
def test_instances_are_summarised_and_few_of_them_flagged(counted):
    found = results(counted)
    text = html.unescape(html_report.render(counted, found))
    assert "100 in total, from 20 (small) to 80 (large)" in text
    ((comparison, table),) = found
    even = html_report.render(counted, [(comparison, table.assign(n=80))])
    assert "160 in total, 80 in each dataset" in even
    level = counted.alphas[0] / 2 / len(table)
    fewest = recommendation.few_instances(level)
    assert f"fewer than {fewest} items on small (20)" in text
    assert "7, for resamples" in text
    assert "Parts of the study that are not on this page: All." in text
    assert '<dd class="answer">90% confidence</dd>' in text


@pytest.mark.slow
def test_a_family_is_shown_with_its_counts(counted):
    (family,) = counted.families
    compared = all_pairs.compare(family)
    text = html_report.render(counted, results(counted), [(family, compared)])
    rows = findings.family_counts([(family, compared)], counted.alphas)
    assert len(rows) == 4
    section = text[text.index('id="all-all_of_them"') :]
    section = section[: section.index("</section>")]
    table = section[section.index('aria-label="Table: All"') :]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", table)
    assert cells[: 4 * 4 : 4] == [f"{alpha:g}" for alpha in rows["alpha"]]
    assert cells[1 : 4 * 4 : 4] == rows["somewhere"].astype(str).tolist()
    assert 'id="f-all_of_them-' in text
    matrix = compared.k_hat(0.1, "bonferroni")
    assert f"{int((np.triu(matrix, 1) > 0).sum())} cells above the diagonal" in section


def test_pvalues_can_be_moved_where_there_is_a_comparison(counted, own):
    (family,) = counted.families
    alone = html_report.render(counted, [], [(family, all_pairs.compare(family))])
    assert "What if the p-values were different?" not in alone
    assert "x-live" not in alone
    ((comparison, table),) = results(own)
    text = html_report.render(own, [(comparison, table)])
    (held,) = Reader(text).values("data-examples")
    (shown,) = json.loads(held)
    assert [row[0] for row in shown["rows"]] == ["<i>one</i>", "two & three"]
    assert [row[1] for row in shown["rows"]] == [0.001, 0.2]
    assert (shown["a"], shown["b"]) == NASTY
    assert shown["dependence"] == "positive"


@pytest.mark.slow
def test_differences_are_shown_where_they_are_known(counted):
    ((comparison, table),) = results(counted)
    table = table.assign(difference=[-1.5, 2.0], low=[-3.0, np.nan], high=[0.5, np.nan])
    text = html_report.render(counted, [(comparison, table)])
    assert "95%" in text[text.index("<thead>") : text.index("</thead>")]
    assert "-1.50 (-3.00 to +0.50)</td>" in text
    assert "+2.00</td>" in text


def test_datasets_identified_at_the_first_level_are_bold(paper):
    settings, found, text = paper
    for comparison, table in found:
        section = text[text.index(f'id="c-{comparison.name}"') :]
        section = section[: section.index("</table>")]
        bold = re.findall(r'<tr class="bold"><th scope="row">(.*?)</th>', section)
        finding = findings.find(comparison, table, settings.alphas[0])
        assert [html.unescape(name) for name in bold] == finding.identified_datasets


def test_only_valid_estimators_are_called_valid(paper):
    text = paper[2]
    kinds = [ESTIMATORS[name].valid_under for name in findings.PRINTED if name != "count"]
    for name, kind in (("mate_spacy", "independent"), ("aesclsr_msda", "dependent")):
        valid = sum(kind in one for one in kinds)
        section = text[text.index(f'id="c-{name}"') :]
        section = section[: section.index("</section>")]
        rows = section[section.rindex("<tbody>") :]
        assert len(re.findall(r"<td>yes", rows)) == valid
        assert rows.count("<td>no guarantee") == 1
        assert rows.count("<td>no</td>") == len(kinds) - valid
        assert rows.count('class="bold"') == rows.count("yes, chosen") == 1


def test_cautions_name_zeros_and_small_pvalues_against_the_scores(paper):
    _, found, _ = paper
    tables = {comparison.name: (comparison, table) for comparison, table in found}
    zero = notes.before_pasting(*tables["mate_spacy"], 0.05)
    assert len(zero) == 1
    assert zero[0].startswith("The p-value is 0 on MZ, NW and WB: ")
    # Table 5: YP-130 has 0.461 for W2V and 0.545 for GloVe, with a p-value of 0.
    assert any(
        re.match("On YP-[^:]*, p ≤ 0.05 suggests that W2V is better, but GLOVE scores high", text)
        for text in notes.before_pasting(*tables["w2v_glove"], 0.05)
    )
    assert notes.before_pasting(*tables["mate_redshift"], 0.05) == []


def test_raised_pvalues_are_said_to_be(paper):
    comparison = replace(paper[0].comparisons[0], resolution=1e-4)
    table = evaluation.evaluate(comparison)
    (text,) = notes.before_pasting(comparison, table, 0.05)
    assert "5 of 7 p-values were raised to the resolution of the test, 0.0001" in text


def test_a_long_list_of_datasets_is_cut():
    comparison = declare(section="sentiment", title="C", systems=("a", "b"))
    table = Tested(pd.DataFrame({"dataset": list("ABCDEFGHIJ"), "p_value": 0.0}))
    (text,) = notes.before_pasting(comparison, table, 0.05)
    assert "A, B, C, D, E, F, G, H and 2 more" in text


def test_inputs_are_named_with_size_and_digest(paper):
    text = paper[2]
    for name in ("config/paper.yaml", "data/published/dror2017/table5.csv"):
        content = (paths.ROOT / name).read_bytes()
        row = text[text.index(f'<th scope="row">{name}</th>') :]
        row = row[: row.index("</tr>")]
        assert hashlib.sha256(content).hexdigest() in row
        assert f"{len(content):,}" in row
    study = (paths.ROOT / "config" / "paper.yaml").read_text(encoding="utf-8")
    assert study in html.unescape(text)
    assert "make study STUDY=config/paper.yaml" in text


@pytest.mark.slow
def test_a_study_without_a_file_is_written_out(counted):
    text = html.unescape(html_report.render(counted, results(counted)))
    written = text[text.index("<pre") : text.index("</pre>")].partition(">")[2]
    assert written.startswith("study: counted\nalphas:\n- 0.1\n- 0.01\ncomparisons:\n- name: xy\n")
    assert "file: instances.csv" in written


def test_a_folder_is_listed_file_by_file(own, tmp_path):
    folder = tmp_path / "outputs"
    folder.mkdir()
    for name in ("b.txt", "a.txt"):
        (folder / name).write_text(name, encoding="utf-8")
    assert html_made._files(folder) == [folder / "a.txt", folder / "b.txt"]
    with pytest.raises(InputError, match="does not exist"):
        html_made._files(tmp_path / "none")


def test_tables_are_links_that_hold_them():
    table = pd.DataFrame({"a,b": ["1", "//x"], "c": ["é", "2"]})
    link = html_elements.csv_link(table)
    kind, _, content = link.partition(",")
    assert kind == "data:text/csv;charset=utf-8"
    assert "//" not in content
    assert urllib.parse.unquote(content) == '"a,b",c\n1,é\n//x,2\n'


@pytest.mark.slow
def test_nothing_half_written_is_taken_for_a_page(own, tmp_path, monkeypatch):
    found = results(own)
    (tmp_path / "report").mkdir()
    target = tmp_path / "report" / "report.html"
    target.write_text("before", encoding="utf-8")

    def fail(*_):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched, pytest.raises(InputError, match="full"):
        patched.setattr(Path, "replace", fail)
        html_report.save(own, found, tmp_path)
    assert target.read_text(encoding="utf-8") == "before"
    html_report.save(own, found, tmp_path)
    assert target.read_text(encoding="utf-8").endswith("</html>\n")
    assert [entry.name for entry in target.parent.iterdir()] == ["report.html"]


def test_saved_below_the_current_folder_the_path_is_relative(own, tmp_path, monkeypatch):
    found = results(own)
    monkeypatch.setattr("replicability.show.html_report.render", lambda *_, **__: "page")
    monkeypatch.chdir(tmp_path)
    assert html_report.save(own, found, "results/own") == str(
        Path("results/own/report/report.html")
    )


def test_a_figure_is_described_in_any_words(paper):
    comparison, table = paper[1][0]
    figure = evidence.evidence(table, findings.find(comparison, table, 0.05), NASTY[0])
    read = Reader(html_elements.inline_svg(figure, "one", f'{NASTY[1]} "quoted"'))
    assert read.tags[0][1]["aria-label"] == f'{NASTY[1]} "quoted"'
    assert {tag for tag, _ in read.tags} <= {"svg", "g", "defs", "path", "use", "clippath", "rect"}
    assert all(name.startswith("one-") for name in read.values("id"))


def downloads(read):
    """Return the rows of every CSV file that a page holds."""
    links = [v for v in read.values("href") if v.startswith("data:text/csv")]
    texts = [urllib.parse.unquote(link.partition(",")[2]) for link in links]
    return [row for text in texts for row in csv.reader(io.StringIO(text, newline=""))]


def shown(text):
    return " ".join(text.split())


@pytest.mark.long
def test_no_field_of_a_study_reaches_the_page_unescaped(payloads, tmp_path, monkeypatch):
    figure, _ = plt.subplots()
    monkeypatch.setattr(
        "replicability.show.evidence.evidence", lambda *_: figure
    )  # drawn in the test below
    fields = ["dataset", "a", "b", "title", "score", "study", "option", "remarks", "file",
              "group", "unit"]  # fmt: skip
    table = Tested(pd.DataFrame(
        {
            "dataset": payloads, "p_value": 1e-5, "p_reverse": 1.0, "n": 10, "score_a": 1.0,
            "score_b": 0.5, "difference": 0.5, "low": 0.1, "high": 0.9, "how": payloads,
            "test": "sign_flip", "units": 5, "design_effect": 1.5,
        }
    ))  # fmt: skip
    for first in range(len(payloads)):
        given = {
            field: payloads[(first + place) % len(payloads)] for place, field in enumerate(fields)
        }
        comparison = declare(
            section="sentiment",
            title=given["title"],
            systems=(given["a"], given["b"]),
            columns={"dataset": given["dataset"]},
            score=given["score"],
            options={given["option"]: given["option"]},
            unit=given["unit"],
            groups={given["group"]: payloads[:2]},
        )
        block = replace(comparison, file=str(tmp_path / "f.csv"))
        (tmp_path / "f.csv").write_text("x", encoding="utf-8")
        settings = Study(given["study"], (0.05,), (block,), remarks=given["remarks"])
        text = html_report.render(settings, [(block, table)])
        read = Reader(text)
        tags = Counter(tag for tag, _ in read.tags)
        assert tags["script"] == tags["style"] == 1
        assert tags["title"] == 1 + 2 * len(payloads)  # of the page, and rows of two figures
        assert not {"img", "b", "i", "u", "iframe"} & tags.keys()
        assert tags["input"] == EXPLORER.count("<input")
        assert all(v.startswith(("#", "data:")) for v in read.values("href"))
        names = {name for _, attributes in read.tags for name in attributes}
        assert not any(name.startswith("on") for name in names)
        said = shown("".join(read.text))
        for field in ("a", "b", "title", "score", "study", "group", "unit"):
            assert shown(given[field]) in said, (field, given[field])
        for dataset in payloads:
            assert shown(dataset) in said
        for cell in (cell for row in downloads(read) for cell in row):
            assert not cell.lstrip().startswith(("=", "@", "＝")), cell
            assert not re.match(r"\s*[+-].*[A-Za-z(]", cell) or " to " in cell, cell


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Glyph")
def test_figures_show_any_text(payloads):
    names = [" ".join(text.split()) for text in payloads]
    chosen = [name for name in names if set(name) & set("$<&\\")]
    table = Tested(
        pd.DataFrame({"dataset": chosen, "p_value": 0.01, "score_a": 1.0, "score_b": 0.5})
    )
    first = chosen.index("$x^2$ and $\\frac$")
    drawn = []
    for a, b, score in (chosen[:3], np.roll(chosen, -first)[:3], np.roll(chosen, 1 - first)[:3]):
        comparison = declare(section="sentiment", title=a, systems=(a, b), score=score)
        finding = findings.find(comparison, table, 0.05)
        drawn.append(evidence.evidence(table, finding, score))
        row = {"comparison": score, "datasets": 3, "alpha": 0.05, "study": "open", "holds": False}
        row |= {"printed": np.nan, "a": 1, "a_most": 1, "b": 0, "b_most": 0}
        drawn.append(dror_figures.k_overview(pd.DataFrame([row])))
    none = pd.DataFrame(0, index=chosen, columns=chosen)
    drawn += [k_matrix(none, 3, chosen[0]), k_matrix(none, 3, chosen[first])]
    for figure in drawn:
        read = Reader(html_elements.inline_svg(figure, "f", chosen[0]))
        assert {tag for tag, _ in read.tags} <= {
            "svg", "g", "defs", "path", "use", "clippath", "rect", "image", "pattern"
        }  # fmt: skip


def test_the_other_direction_is_a_caution():
    both = declare(section="sentiment", title="C", systems=("a", "b"))
    comparison = replace(both, alternative="greater")
    table = Tested(
        pd.DataFrame(
            {
                "dataset": list("xyz"),
                "p_value": 0.999,
                "p_reverse": 0.001,
                "score_a": 1,
                "score_b": 2,
            }
        )
    )
    (text,) = notes.before_pasting(comparison, table, 0.05)
    assert text == findings.other_direction(comparison, table, 0.05)
    assert text.startswith(
        "b scores higher on 3 of 3 datasets, but only the claim that a is better was tested"
    )
    assert notes.before_pasting(both, table, 0.05) == []


def finding_of(p_values, dependence="independent", **keys):
    n = len(p_values)
    comparison = declare(section="sentiment", title="C", dependence=dependence, **keys)
    table = Tested(pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], "p_value": p_values}))
    return findings.find(comparison, table, 0.05)


@pytest.mark.parametrize(
    ("p_values", "dependence", "keys", "title", "sure"),
    [
        ([0.9] * 3, "independent", {}, "No evidence that A outperforms B on any of the 3 datasets",
         "95% confidence"),
        ([1e-3, 2e-3, 0.98], "dependent", {}, "A outperforms B on at least 2 of 3 datasets",
         "95% confidence"),
        ([0.04, 0.04], "positive", {}, "A outperforms B on both datasets", "95% confidence"),
        ([0.01], "positive", {}, "A outperforms B on the only dataset", "95% confidence"),
        ([0.9], "dependent", {}, "No evidence that A outperforms B on the only dataset",
         "95% confidence"),
        ([1e-3, 0.9, 0.99, 0.99, 0.99], "independent", {"procedure": "paper"},
         "A outperforms B on at least 1 of 5 datasets", "95% confidence each"),
        ([0.01] * 4, "independent", {"procedure": "paper"}, "A outperforms B on all 4 datasets",
         "95% confidence each"),
    ],
)  # fmt: skip
def test_the_title_is_the_finding(p_values, dependence, keys, title, sure):
    finding = finding_of(p_values, dependence, **keys)
    assert headline.title(finding) == title
    many, which, much, how = headline.bar(finding, None, 1)
    least = headline.number(finding)
    assert many.answers == [wording.of_group(least, len(p_values)) if least else "no evidence"]
    assert which.answers == [
        checks.enumerated(finding.identified_datasets)
        if finding.identified.any()
        else "none can be identified"
    ]
    assert much.answers == ["not known"]
    assert how.answers == [sure]


@pytest.mark.parametrize(
    ("p_values", "keys", "title", "many"),
    [
        ([1e-9, 0.5, 1 - 1e-9], {},
         "A outperforms B on at least 1 of 3 datasets; B outperforms A on at least 1 of 3 datasets",
         ["A better: at least 1 of 3", "B better: at least 1 of 3"]),
        ([1e-9, 0.5, 0.5], {}, "A outperforms B on at least 1 of 3 datasets", ["at least 1 of 3"]),
        ([1 - 1e-9] * 2, {}, "B outperforms A on both datasets", ["both"]),
        ([0.04, 0.5], {}, "No evidence that A and B differ on either dataset", ["no evidence"]),
        ([1 - 1e-9], {}, "B outperforms A on the only dataset", ["1 of 1"]),
        ([1e-9, 0.5], {"procedure": "paper", "alternative": "two-sided"},
         "A outperforms B on at least 1 of 2 datasets", ["at least 1 of 2"]),
    ],
)  # fmt: skip
def test_the_title_is_of_both_directions(p_values, keys, title, many):
    comparison = declare(section="sentiment", title="C", **keys)
    p = np.array(p_values)
    table = Tested(
        pd.DataFrame(
            {"dataset": [f"d{i}" for i in range(len(p))], "p_value": p, "p_reverse": 1 - p}
        )
    )
    finding = findings.find(comparison, table, 0.05)
    assert headline.title(finding) == title
    assert headline.bar(finding, None, 1)[0].answers == many


def test_a_page_in_both_directions_contradicts_itself_nowhere():
    """Sentence, table, groups, counts and figures all say what speaks for B."""
    p = np.array([1e-9, 0.5, 1 - 1e-9, 1 - 1e-9])
    table = Tested(pd.DataFrame(
        {"dataset": list("uvwx"), "p_value": p, "p_reverse": 1 - p, "n": 40, "how": "exact",
         "test": "mcnemar", "score_a": 0.5, "score_b": 0.5 + np.sign(p - 0.5) / 4,
         "difference": -np.sign(p - 0.5) / 4, "low": -0.4, "high": 0.4, "standard_error": 0.1}
    ))  # fmt: skip
    comparison = Comparison(name="c", section="sentiment", title="C", systems=("A", "B"),
            dependence="dependent", file="own.csv", columns={},
                            groups={"g": ["u", "w"]})  # fmt: skip
    said = [findings.find(comparison, table, alpha) for alpha in (0.05, 0.01)]
    shown = view.datasets(comparison, table, said)
    assert shown.headings[-6:] == (
        "difference (95% interval)",
        *("p (A better)", "adjusted p (A better)", "p (B better)", "adjusted p (B better)"),
        "named",
    )
    assert shown.bold == (True, False, True, True)
    assert [row[-1] for row in shown.rows] == ["*+", "", "(*+)", "(*+)"]
    assert "brackets mark those on which B is better than A" in shown.note
    directions = ["A better at 0.05", "B better at 0.05", "A better at 0.01", "B better at 0.01"]
    groups = view.groups(said)
    assert groups.headings == ("group", *directions, "datasets")
    assert groups.rows[0][1:5] == ("at least 1 of 2",) * 4
    assert "A is better than B, and on which B is better than A" in groups.caption
    counts = view.counts(said, "dependent")
    assert counts.headings == ("k-hat of 4", *directions, "valid for dependent datasets")
    (chosen,) = itertools.compress(counts.rows, counts.bold)
    assert chosen[1:5] == ("1", "2", "1", "2")
    mean = findings.overall(comparison, table)
    much = html_figures.differences(comparison, table, said[0], shown, mean)
    assert "names the dataset (1 where A is better, 2 where B is)." in much["svg"]


def test_the_test_is_the_paper_s_choice_only_where_it_is(counted):
    binary = replace(counted.comparisons[0], test="")
    ((_, table),) = results(replace(counted, comparisons=(binary,)))
    assert set(table["test"]) == {"mcnemar"}
    assert "which Dror et al. (2017, Section 6.2) use for such scores" in tests_used.paragraph(
        binary, table
    )
    others = table.assign(test="mean_difference")
    assert "which Dror et al. (2017, Section 6.2)" not in tests_used.paragraph(binary, others)


@pytest.mark.parametrize(
    ("dependence", "sure"),
    [
        ("dependent", "All statements about both directions have simultaneous 95% confidence."),
        ("independent",
         "The bounds for both directions have simultaneous 95% confidence, and so do the "
         "datasets identified in the two directions. Together, the bounds and the identified "
         "datasets have simultaneous 90% confidence."),
    ],
)  # fmt: skip
def test_both_directions_say_what_holds_together(dependence, sure):
    comparison = declare(section="sentiment", title="C", systems=("a", "b"), dependence=dependence)
    table = Tested(pd.DataFrame({"dataset": list("xy"), "p_value": 0.01, "p_reverse": 0.99}))
    paper = replace(comparison, procedure="paper")
    pair = replace(paper, alternative="two-sided")
    both = headline.both_directions(pair, table, findings.find(pair, table, 0.05))
    assert both["note"] == f"Each direction is tested at alpha = 0.025. {sure}"
    assert both["sentences"] == []  # the sentence to paste says both
    alone = headline.both_directions(paper, table, findings.find(paper, table, 0.05))
    assert alone["note"] == (
        "The claim is that a outperforms b; the other direction was not tested."
    )
    closed = headline.both_directions(comparison, table, findings.find(comparison, table, 0.05))
    assert closed["note"] == (
        "Each direction is tested at alpha = 0.025. All statements about both directions have "
        "simultaneous 95% confidence."
    )
    assert closed["sentences"] == []
    columns = {"dataset": "d", "p_value": "p", "scores": ["a", "b"]}
    read = replace(comparison, columns=columns, sided="unknown")
    scored = Tested(table.rows.drop(columns="p_reverse")).assign(score_a=1.0, score_b=0.5)
    asked = headline.both_directions(read, scored, findings.find(read, scored, 0.05))
    assert asked["note"].startswith(f"{closed['note']} The p-values are treated as two-sided")
    assert len(asked["sentences"]) == 2
    assert all("97.5% confidence" in text for text in asked["sentences"])


@pytest.mark.slow
def test_the_unrounded_table_has_adjusted_pvalues(counted):
    comparison, table = results(counted)[0]
    read = Reader(html_report.render(counted, [(comparison, table)]))
    header = next(row for row in downloads(read) if "adjusted_p_value" in row)
    first, second = (f" at {a}" if n else "" for n, a in enumerate(counted.alphas))
    named = [f"named{who}{at}" for at in (first, second) for who in ("", "_worse")]
    assert set(header) == {*table, "adjusted_p_value", "adjusted_p_reverse", *named}


def test_validity_is_what_theory_says(own):
    expected = {
        "independent": {"bonferroni", "simes", "fisher", "stouffer", "fisher-bonferroni"},
        "positive": {"bonferroni", "simes"},
        "dependent": {"bonferroni"},
    }
    for dependence, valid in expected.items():
        comparison = replace(own.comparisons[0], dependence=dependence, procedure="paper")
        found = findings.find(comparison, evaluation.evaluate(comparison), 0.05, ESTIMATORS)
        said = {row[0].lower(): row[-1] for row in view.counts([found], dependence).rows}
        stated = {"bonferroni", "simes", "fisher", "stouffer", "fisher-bonferroni"} & {*said}
        assert {name for name in stated if said[name].startswith("yes")} == valid
        recommended = "fisher" if dependence == "independent" else "bonferroni"
        assert said[recommended] == "yes, chosen"


@pytest.mark.parametrize(
    ("dependence", "method", "chosen"),
    [
        ("independent", "", "Fisher-Bonferroni"), ("positive", "", "Simes"),
        ("dependent", "", "Bonferroni"), ("independent", "fisher", "Fisher"),
        ("positive", "bonferroni", "Bonferroni"), ("independent", "stouffer", "Stouffer"),
        ("independent", "truncated_fisher", "Truncated Fisher"),
        ("independent", "conditional_fisher", "Conditional Fisher"),
    ],
)  # fmt: skip
def test_the_chosen_local_test_is_the_bold_row(own, dependence, method, chosen):
    comparison = replace(own.comparisons[0], dependence=dependence, method=method)
    table = evaluation.evaluate(comparison)
    said = [findings.find(comparison, table, alpha) for alpha in (0.05, 0.01)]
    shown = view.counts(said, dependence)
    (bold,) = itertools.compress(shown.rows, shown.bold)
    assert bold == (chosen, *(str(found.k) for found in said), "yes, chosen")
    names = [row[0] for row in shown.rows]
    assert len(names) == len(set(names))


# --- groups, units and joint sign flips ----------------------------------------------------------


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Return a study of three datasets that share questions with two rows each, and its results."""
    rng = np.random.default_rng(11)
    questions = rng.normal(0.7, 1, 60)
    rows = [
        {"d": dataset, "i": f"{u}-{seed}", "q": f"q{u}", "s": system,
         "v": round((questions[u] + rng.normal(0, 0.5)) * (system == "x"), 3)}
        for dataset, units in (("one", range(60)), ("two", range(20, 60)), ("three", range(40)))
        for u in units for seed in (1, 2) for system in "xy"
    ]  # fmt: skip
    file = tmp_path_factory.mktemp("shared") / "rows.csv"
    pd.DataFrame(rows).to_csv(file, index=False)
    comparison = declare(
        name="xy",
        section="sentiment",
        title="x-y",
        systems=("x", "y"),
        file=str(file),
        unit="q",
        shared=True,
        seed=5,
        test="sign_flip",
        score="points",
        columns={"dataset": "d", "instance": "i", "system": "s", "score": "v"},
        groups={"<b>Long</b>": ["one", "two"], "Last": ["three"]},
    )
    settings = Study(name="shared", alphas=(0.05, 0.01), comparisons=(comparison,))
    return settings, results(settings)


def cells_of(text, label):
    """Return header and rows of the table with that label."""
    part = text[text.index(f'aria-label="Table: {label}"') :]
    part = part[: part.index("</table>")]
    rows = re.findall(r"<tr.*?</tr>", part, flags=re.DOTALL)
    return [[html.unescape(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t", row)] for row in rows]


@pytest.mark.slow
def test_groups_have_a_table_with_every_level(shared):
    settings, found = shared
    text = html_report.render(settings, found)
    header, *rows = cells_of(text, "x-y, groups")
    better = [f"{system} better at {a}" for a in settings.alphas for system in "xy"]
    assert header == ["group", *better, "datasets"]
    assert [row[0] for row in rows] == ["<b>Long</b>", "Last"]
    assert [row[-1] for row in rows] == ["one and two", "three"]
    for place, alpha in enumerate(settings.alphas):
        finding = findings.find(*found[0], alpha)
        for which, one in enumerate((finding, finding.other), start=1):
            for row, group in zip(rows, found[0][0].groups.values(), strict=True):
                k = one.claims.at_least(group)
                assert row[2 * place + which] == wording.of_group(k, len(group))
    assert rows[0][1] == "both"
    assert "b" not in {tag for tag, _ in Reader(text).tags}
    assert ["Last", *rows[1][1:]] in downloads(Reader(text))


def test_a_study_without_groups_has_no_table_of_them(own, paper):
    assert view.groups([finding_of([0.1, 0.2])]) is None
    asked = "What can I say about groups of datasets?"
    assert asked not in html_report.render(own, results(own))
    assert paper[2].count(asked) == 5  # one for each comparison


@pytest.mark.parametrize(
    ("k", "cell"),
    [(0, "at least 0 of 3"), (1, "at least 1 of 3"), (3, "all 3")],
)
def test_a_bound_of_a_group_is_a_claim(k, cell):
    finding = finding_of([1e-9] * k + [0.9] * (3 - k) + [0.9], groups={"g": ["d0", "d1", "d2"]})
    assert view.groups([finding]).rows == (("g", cell, "d0, d1 and d2"),)


def test_many_members_of_a_group_are_cut():
    finding = finding_of([0.1] * 12, groups={"g": [f"d{i}" for i in range(11)]})
    ((*_, members),) = view.groups([finding]).rows
    assert members == "d0, d1, d2, d3, d4, d5, d6, d7 and 3 more"


@pytest.mark.slow
def test_joint_sign_flips_say_what_they_measured(shared):
    settings, found = shared
    text = html.unescape(html_report.render(settings, found))
    flips = found[0][1].flips
    r = np.corrcoef(flips.z[1:], rowvar=False)
    pairs = {("one", "two"): r[0, 1], ("one", "three"): r[0, 2], ("two", "three"): r[1, 2]}
    most = max(pairs, key=pairs.get)
    assert (
        "We flipped signs 10,000 times, changing a unit's sign in all its datasets at once. The "
        "observed signs count as one of these flips. 3 of 3 pairs of datasets share units (20 to "
        "40 each). Under the sign flips, the correlation between two datasets is "
        f"{np.mean(list(pairs.values())):.2f} on average and at most {pairs[most]:.2f} "
        f"({most[0]} and {most[1]})."
    ) in text
    assert "simultaneous for all of these statements (closed testing, joint sign flips)" in text
    assert "5, for resamples and joint sign flips" in text
    assert "The datasets share units, so their dependence is measured" in text
    assert "Joint sign flips" in [row[0] for row in cells_of(text, "x-y, estimators")]
    assert "ended early" not in text


@pytest.mark.slow
def test_units_are_explained_and_counted(shared):
    settings, found = shared
    text = html.unescape(html_report.render(settings, found))
    assert (
        "you would draw again in a new sample: here “q”. The datasets have 40 to 60 units"
    ) in text
    assert "The same identifier in two datasets refers to the same unit." in text
    header, *rows = cells_of(text, "x-y, datasets")
    assert header[:4] == ["dataset", "n", "units", "design effect"]
    assert [row[1:3] for row in rows] == [["120", "60"], ["80", "40"], ["80", "40"]]
    assert all(1 < float(row[3]) < 2.1 for row in rows)


def test_what_is_shared_is_listed():
    comparison = Comparison(name="c", section="s", title="C", systems=("a", "b"),
                            dependence="dependent", file="f", columns={},
                            shared={"reviews": ["x", "y"], "talks": ["z", "w"]})  # fmt: skip
    table = Tested(pd.DataFrame({"dataset": list("xyzw"), "p_value": 0.1}))
    assert counting.units(comparison, table) == (
        "The unit of analysis is what you would draw again in a new sample: here the item. x and y "
        "share units (“reviews”). z and w share units (“talks”)."
    )
    assert counting.units(replace(comparison, shared={}), table) == ""


@pytest.mark.slow
def test_a_search_that_ended_early_says_so(shared, monkeypatch):
    settings, found = shared
    monkeypatch.setattr("replicability.stats.joint.bound", lambda *_, **__: Bound(1, 2))
    alone = [True, False, False]
    monkeypatch.setattr("replicability.stats.joint.named", lambda *_: np.array(alone))
    text = html.unescape(html_report.render(settings, found))
    assert (
        "The search through sets of datasets ended early. At alpha = 0.05, the bound of 1 is "
        "valid; a complete search would give at most 2."
    ) in text
    assert (
        cells_of(text, "x-y, groups")[1][1]
        == "at least 1 of 2 (a complete search would give at most 2)"
    )


def test_statistics_without_differences_have_no_correlation():
    flips = joint.flip(np.column_stack([np.ones(9), np.zeros(9)]), 100)
    finding = finding_of([0.1, 0.9])
    claims = procedure.Procedure(finding.datasets, 0.05, "joint", finding.pvalues, flips)
    text = counting.measured(replace(finding, claims=claims))
    assert text.endswith("1 of 1 pair of datasets shares units (9 each).")
    assert counting.measured(finding) == ""


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"dependence": "independent"},
         "and none is derived from another. All bounds and identified datasets come from one "
         "closed testing procedure, with the local test Fisher-Bonferroni. "),
        ({"dependence": "independent", "method": "truncated_fisher"},
         "All bounds and identified datasets come from one closed testing procedure, with the "
         "local test truncated Fisher, as requested. "),
        ({"dependence": "positive"}, "if the declaration is right and every p-value is valid"),
        ({"dependence": "dependent"}, "under any dependence between the datasets"),
        ({"dependence": "positive", "procedure": "paper"},
         "The lower bound therefore uses Bonferroni's method (Dror et al. 2017, Section 4.1)"),
        ({"dependence": "positive", "procedure": "paper", "groups": {"g": ["two & three"]}},
         "Bounds of groups come from closed testing, with the local test Bonferroni, and hold "
         "simultaneously with k-hat and the identified datasets."),
        ({"dependence": "independent", "procedure": "paper", "groups": {"g": ["two & three"]}},
         "Bounds of groups come from closed testing, with the local test Fisher. The bounds "
         "hold simultaneously for all groups"),
    ],
)  # fmt: skip
def test_how_was_counted_is_said(own, keys, said):
    comparison = replace(own.comparisons[0], **keys)
    finding = findings.find(comparison, evaluation.evaluate(comparison), 0.05)
    assert said in counting.how_counted(comparison, finding)


def test_too_many_datasets_for_sums_are_said_to_be(own):
    finding = replace(finding_of([0.1]), claims=None)
    comparison = replace(own.comparisons[0], dependence="independent")
    text = counting.how_counted(comparison, finding)
    assert "The lower bound therefore uses Fisher's method" in text
    assert "With more than 20,000 datasets, closed testing with sums would take too long" in text


@pytest.mark.slow
def test_what_independence_would_give_is_said_where_it_is_not_declared(own):
    table = Tested(pd.DataFrame({"dataset": list("xy"), "p_value": 0.04}))
    for keys, said in (
        ({"dependence": "dependent"}, True),
        ({"dependence": "independent", "method": "truncated_fisher"}, False),
        ({"dependence": "dependent", "procedure": "paper"}, False),
    ):
        comparison = replace(own.comparisons[0], **keys)
        text = html_report.render(replace(own, comparisons=(comparison,)), [(comparison, table)])
        assert ("If the datasets were independent, which the data cannot" in text) == said


@pytest.mark.slow
def test_a_study_in_which_sums_name_few_suggests_a_method_to_others(own):
    few = Tested(pd.DataFrame({"dataset": list("xy"), "p_value": [0.02, 0.98]}))
    for keys, table, said in (
        (
            {"dependence": "independent", "method": "fisher"},
            few,
            "method: fisher_bonferroni, which",
        ),
        ({"dependence": "independent"}, few, ""),
        ({"dependence": "independent"}, few.assign(p_value=0.001), ""),
        ({"dependence": "dependent"}, few, ""),
        ({"dependence": "independent", "procedure": "paper"}, few, ""),
    ):
        comparison = replace(own.comparisons[0], **keys)
        text = html_report.render(replace(own, comparisons=(comparison,)), [(comparison, table)])
        assert (
            "Holm's procedure would identify 1 dataset instead of 0" in html.unescape(text)
        ) == bool(said)
        assert said in text
        assert ("For your next study, consider" in html.unescape(text)) == bool(said)


def test_captions_and_alternatives_say_what_is_drawn():
    comparison = declare(title="C", dependence="independent")
    table = Tested(pd.DataFrame({"dataset": list("xyz"), "p_value": [1e-4, 2e-4, 0.9]}))
    for keys, line, words in (
        ({"procedure": "paper"}, True, "up to row 2"),
        ({"dependence": "dependent"}, True, "up to row 2"),
        ({}, False, "Fisher-Bonferroni's method, they are at most alpha = 0.05 up to row 2"),
        ({"method": "truncated_fisher"}, False, "below row 2, the k-hat by truncated Fisher"),
    ):
        asked = replace(comparison, **keys)
        finding = findings.find(asked, table, 0.05)
        alt = html_figures.in_words(asked, table, finding)
        caption = html_figures.caption(evidence.form(table, finding), False, finding)
        assert words in alt
        assert ("Holm's line" in alt) == ("Holm's procedure stops" in caption) == line
        assert ("thick line" in caption) == ("truncated" in alt)
        if not line:
            by = marks.named_by(finding)
            assert f"filled if {by} names the dataset ({finding.identified.sum()} in all)." in alt


def of_both(effects, **rules):
    """Return a comparison and results with scores and p-values of both directions."""
    z = np.asarray(effects, float)
    p = scipy.stats.norm.sf(z)
    table = Tested(pd.DataFrame(
        {"dataset": [f"d{i}" for i in range(len(z))], "n": 100, "p_value": p, "p_reverse": 1 - p,
         "score_a": 50 + z, "score_b": 50.0}
    ))  # fmt: skip
    rules = {"dependence": "independent", "sided": "one"} | rules
    return declare(title="C", score="s", **rules), table


def test_the_words_follow_the_form_of_the_figure():
    for results, form, alt, caption in (
        (of_both([9, 7, 0.2, -6, -8]), evidence.BOTH,
         ["A is better on at least 2 and B on at least 2 of 5 datasets.",
          "those for A on the left, those for B on the right, where 2 are named",
          "those for B start at the bottom, where k-hat at alpha/2 is 2"],
         ["evidence for A grows to the left and evidence for B to the right",
          "u starts at the bottom"]),
        (of_both([9, 8]), evidence.AGREED,
         ["A outperforms B on both datasets.", "s of A and B: A is ahead on 2 datasets, B on 0."],
         ["one system is better on every dataset"]),
    ):  # fmt: skip
        comparison, table = results
        finding = findings.find(comparison, table, 0.05)
        both = findings.find_both(comparison, table, 0.05)
        assert evidence.form(table, finding, both) == form
        said = html_figures.in_words(comparison, table, finding, both)
        assert [words for words in alt if words not in said] == []
        said = html_figures.caption(form, True, finding)
        assert [words for words in caption if words not in said] == []


def test_the_words_say_what_is_left_of_a_printed_count(paper):
    comparison, table = next(pair for pair in paper[1] if pair[0].name == "mimick_char2tag")
    finding = findings.find(comparison, table, 0.05)
    both = findings.find_both(comparison, table, 0.05)
    said = html_figures.in_words(comparison, table, finding, both)
    assert "As printed, MIMICK outperforms Char→Tag on at least 16 of 23 datasets" in said
    assert "point to the system with the higher score" in said
    assert f"at most alpha/2 up to row {both[0].k}" in said
    form = evidence.form(table, finding, both)
    assert "points to the system with the higher score" in html_figures.caption(form, True, finding)


def test_a_study_that_is_written_out_can_be_read(shared, tmp_path, monkeypatch):
    settings, _ = shared
    file = tmp_path / "shared.yaml"
    file.write_text(html_made._as_yaml(settings), encoding="utf-8")
    again = read_study(file).comparisons[0]
    (comparison,) = settings.comparisons
    for key in ("unit", "shared", "groups", "seed", "systems", "columns"):
        assert getattr(again, key) == getattr(comparison, key)
    assert "procedure" not in file.read_text(encoding="utf-8")
