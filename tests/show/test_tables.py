import csv
import html
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from comparisons import declare
from markdown_it import MarkdownIt

from analysis import published
from analysis.dror2017 import tables as dror_tables
from analysis.gorman2019 import tables as gorman_tables
from analysis.sogaard2014 import tables as sogaard_tables
from analysis.studies import read_study
from replicability.core import findings, procedure, recommendation
from replicability.core.findings import find, marks
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.io.study import Comparison
from replicability.show import tables, view
from replicability.stats import multiple_testing, partial_conjunction

TABLE = pd.DataFrame({"a_b & c": ["50% → x", "ρ_1"], "n": ["1", "2"]})


def test_every_format_is_written(tmp_path):
    shown = tables.save(TABLE, tmp_path, "table9_x", "A caption with 5% and a_b.")
    pd.testing.assert_frame_equal(pd.DataFrame(shown), TABLE)
    folder = tmp_path / "tables"
    assert (folder / "table9_x.csv").read_text(encoding="utf-8") == "a_b & c,n\n50% → x,1\nρ_1,2\n"
    assert (folder / "table9_x.md").read_text(encoding="utf-8").startswith("| a_b & c   | n   |\n")
    assert "<td>50% → x</td>" in (folder / "table9_x.html").read_text(encoding="utf-8")


def test_latex_is_booktabs_and_escaped(tmp_path):
    tables.save(TABLE, tmp_path, "table9_x", "A caption with 5% and a_b.")
    latex = (tmp_path / "tables" / "table9_x.tex").read_text(encoding="utf-8")
    for part in (
        r"\toprule", r"\midrule", r"\bottomrule", r"\label{tab:table9_x}", r"\begin{tabular}{lr}",
        r"\caption{A caption with 5\% and a\_b.}", r"a\_b \& c & n \\",
        r"50\% \ensuremath{\rightarrow} x & 1 \\", r"\ensuremath{\rho}\_1 & 2 \\",
    ):  # fmt: skip
        assert part in latex


def test_writing_twice_gives_the_same_bytes(tmp_path):
    for run in ("one", "two"):
        tables.save(TABLE, tmp_path / run, "t", "Caption.")
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / "tables" / path.name).read_bytes()


def test_a_p_value_that_underflows_is_a_bound(tmp_path):
    written = [tables.pvalue(p) for p in (1, 0.04996, 5e-4, 4.9e-4, 1e-300, 9e-301, 5e-324, 0)]
    assert written == [
        "1.0000", "0.0500", "0.0005", "4.9e-04", "1.0e-300", "< 1e-300", "< 1e-300", "< 1e-300",
    ]  # fmt: skip
    assert tables.pvalue(0.0, read=True) == "0"
    assert tables.pvalue(1e-310, read=True) == "< 1e-300"
    tables.save(pd.DataFrame({"p": written}), tmp_path, "t", "Caption.")
    for name, cell in (("csv", "< 1e-300"), ("md", "< 1e-300"), ("html", "&lt; 1e")):
        text = (tmp_path / "tables" / f"t.{name}").read_text(encoding="utf-8")
        assert text.count(cell) == 3
        assert "0.0000" not in text


def test_too_few_instances_are_said_below_the_table(tmp_path):
    comparison = declare(dependence="independent", file="s.csv")
    result = Tested(pd.DataFrame(
        {
            "dataset": ["tiny", "large"], "p_value": [0.0, 1e-9], "p_reverse": [1.0, 1.0],
            "score_a": [1.0, 0.5], "score_b": [0.5, 0.25], "n": [2, 400], "how": ["", ""],
            "test": "paired_bootstrap",
        }
    ))  # fmt: skip
    said = [find(comparison, result, 0.05)]
    table = tables.section([comparison], [result], said)
    assert list(table.columns[-3:]) == ["p-val (A,B)", "p-val (B,A)", "named"]
    caption = tables.section_caption([comparison], [result], said)
    tables.save(table, tmp_path, "t", caption)
    fewest = recommendation.few_instances(said[0].level / 2)
    for name in ("md", "tex", "html"):
        text = (tmp_path / "tables" / f"t.{name}").read_text(encoding="utf-8")
        assert f"There are fewer than {fewest} items on tiny (2): the bootstrap" in text
        assert "smallest possible p-value of a sign-flip test on tiny (2 items), because" in text
    valid = result.assign(test="sign_flip")
    assert tables.section_caption([comparison], [valid], said).endswith("B is better than A.")
    other = declare(
        name="d", title="C-B", systems=("C", "B"), dependence="independent", file="s.csv"
    )
    said += [find(other, result, 0.05)]
    caption = tables.section_caption([comparison, other], [result, valid], said)
    assert caption.count("A-B: ") == 2
    caption = tables.section_caption([comparison, other], [result, result], said)
    assert caption.count(f"There are fewer than {fewest}") == 1
    alone = replace(comparison, alternative="greater")
    found = [find(alone, result, 0.05)]
    assert "p-val (B,A)" not in tables.section([alone], [result], found)
    caption = tables.section_caption([alone], [result], found)
    assert f"fewer than {recommendation.few_instances(0.05 / 2)} items" in caption
    assert "A-B: " not in caption


def test_marks_and_their_note():
    alphas = (0.05, 0.01)
    study = read_study("config/paper.yaml")
    comparison = study.section("sentiment")[0]
    found = Tested(pvalues.read_comparison(comparison))
    said = [find(comparison, found, alpha) for alpha in alphas]
    table = tables.section([comparison], [found], said)
    printed = published.read_published("dror2017", "table4")
    assert table["Holm"].tolist() == printed["mark"].tolist()
    pd.testing.assert_frame_equal(table.drop(columns="Holm"), printed.drop(columns="mark"))
    assert marks.marks_note(alphas) == (
        "* and + mark the datasets that Holm's procedure identifies at alpha = 0.05 and 0.01."
    )
    assert marks.marks_note([0.05]).startswith("* marks the datasets")
    closed = [find(replace(comparison, procedure="closed"), found, alpha) for alpha in alphas]
    assert list(tables.section([comparison], [found], closed))[-1] == "named"
    assert marks.marks_note(alphas, closed) == (
        "* and + mark the datasets that are identified at alpha = 0.05 and 0.01."
    )


def test_whole_numbers_that_are_missing_leave_no_sign_anywhere(tmp_path):
    table = pd.DataFrame({"k_count": [3, 4], "k_joint": pd.array([2, None], dtype="Int64")})
    shown = tables.save(table, tmp_path, "t", "Caption.")
    texts = {
        e: (tmp_path / "tables" / f"t.{e}").read_text(encoding="utf-8")
        for e in ("csv", "md", "tex", "html")
    }
    assert texts["csv"] == "k_count,k_joint\n3,2\n4,\n"
    assert texts["md"].startswith("| p ≤ α   | k̂, joint sign flips   |\n")
    for text in (*texts.values(), shown._repr_html_(), repr(shown)):
        assert "NA" not in text
        assert "nan" not in text


def test_a_zero_has_no_sign_anywhere(tmp_path):
    table = pd.DataFrame({"name": ["x", "y"], 0.05: [-0.0, -0.25], "exact": [-0.0, 0.5]})
    shown = tables.save(table, tmp_path, "t", "Caption.")
    assert tables.as_csv(table) == "name,0.05,exact\nx,0.0,0.0\ny,-0.25,0.5\n"
    for text in (shown._repr_html_(), repr(shown), *(f.read_text() for f in tmp_path.rglob("t.*"))):
        assert "-0.0" not in text
        assert "-0.25" in text
    assert np.signbit(table[0.05]).all()  # what was passed is as it was


def test_two_comparisons_share_the_scores_of_their_common_system():
    study = read_study("config/paper.yaml")
    comparisons = study.section("dependency_parsing")
    results = [Tested(pvalues.read_comparison(c)) for c in comparisons]
    said = [find(c, r, 0.05) for c, r in zip(comparisons, results, strict=True)]
    table = tables.section(comparisons, results, said)
    assert list(table.columns) == [
        "domain", "Mate", "SpaCy", "p-val (Mate,SpaCy)", "Holm Mate-SpaCy",
        "Redshift", "p-val (Mate,Redshift)", "Holm Mate-Redshift",
    ]  # fmt: skip


def test_probability():
    assert tables.probability(0.99408) == "0.9941"
    assert tables.probability(0.5, 0.01234) == "0.5000 ± 0.0123"
    assert tables.probability(np.nan) == ""


def on_one_line(text):
    """Return a text without leading and trailing blanks, blanks and line breaks as one blank."""
    return " ".join(text.split())


@pytest.fixture(params=["cell", "first cell", "header", "caption"])
def placed(request):
    """Return a function that puts a text somewhere into a table: the table and its caption."""

    def place(text):
        named = {"name": text if request.param == "first cell" else "x"}
        named |= {
            text if request.param == "header" else "other": text if request.param == "cell" else "y"
        }
        return pd.DataFrame([named, named]), text if request.param == "caption" else "Caption."

    return place


@pytest.mark.slow
def test_html_shows_any_text_as_it_is(payloads, placed, tmp_path):
    for text in payloads:
        table, caption = placed(text)
        tables.save(table, tmp_path, "t", caption)
        read = HTMLParser()
        found, tags = [], []
        read.handle_data = found.append
        read.handle_starttag = lambda tag, attributes, tags=tags: tags.append((tag, attributes))
        read.feed((tmp_path / "tables" / "t.html").read_text(encoding="utf-8"))
        read.close()
        assert {tag for tag, _ in tags} == {
            "meta", "title", "style", "p", "table", "thead", "tbody", "tr", "th", "td"
        }, text  # fmt: skip
        assert {name for _, attributes in tags for name, _ in attributes} <= {
            "charset", "border", "class", "style"
        }, text  # fmt: skip
        assert on_one_line(text) in [on_one_line(part) for part in found], text


@pytest.mark.slow
def test_markdown_shows_any_text_as_it_is(payloads, placed, tmp_path):
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for text in payloads:
        table, caption = placed(text)
        tables.save(table, tmp_path, "t", caption)
        source = (tmp_path / "tables" / "t.md").read_text(encoding="utf-8")
        tokens = reader.parse(source)
        kinds = [token.type.removesuffix("_open").removesuffix("_close") for token in tokens]
        assert set(kinds) == {
            "table", "thead", "tbody", "tr", "th", "td", "paragraph", "inline"
        }, text  # fmt: skip
        inline = [token for token in tokens if token.type == "inline"]
        assert len(inline) == 2 * 3 + 1, text
        parts = [part for token in inline for part in token.children]
        assert {part.type for part in parts} <= {"text", "text_special"}, text
        found = ["".join(part.content for part in token.children) for token in inline]
        assert on_one_line(text) in map(on_one_line, found), text
        assert not re.search(r"(?<!\\)\$.*(?<!\\)\$", source), text  # mathematics, where it is read


ESCAPES = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\ensuremath{\rightarrow}": "→",
    r"\ensuremath{\pm}": "±",
    r"\ensuremath{\le}": "≤",
    r"\ensuremath{\rho}": "ρ",
    r"\ensuremath{\alpha}": "α",
    r"\ensuremath{\hat k}": "k̂",
    r"\textdagger{}": "†",
    r"\textdaggerdbl{}": "‡",
    **{f"\\{character}": character for character in "&%$#_{}"},
}


def latex_shows(source):
    """Return what LaTeX shows; what it would take for a command is not allowed."""
    known = re.compile("|".join(map(re.escape, sorted(ESCAPES, key=len, reverse=True))))
    rest = known.sub("", source).replace("{}", "")
    assert not set(rest) & set("\\&%$#_{}~^"), source
    return known.sub(
        lambda found: ESCAPES[found[0]], source.replace("{}[", "[").replace("{}*", "*")
    )


@pytest.mark.long
@pytest.mark.parametrize("rows", [2, tables.LONG + 1])
def test_latex_shows_any_text_as_it_is(payloads, placed, rows):
    for text in payloads:
        table, caption = placed(text)
        table = pd.concat([table.head(1)] * rows, ignore_index=True)
        source = tables.latex(table, "t", caption)
        shown = re.findall(r"(?m)^\\caption(?:\[\])?{(.*?)}(?: \\label.*)?(?: \\\\)?$", source)
        for line in source.splitlines():
            if line.endswith(r" \\") and not line.startswith((r"\caption", r"\multicolumn")):
                cells = line.removesuffix(r" \\").split(" & ")
                assert len(cells) == 2, text
                assert not re.match(r"\s*[\[*]", cells[0]), text
                shown += cells
        shown = [latex_shows(part.replace("--", "−") if "−" in text else part) for part in shown]
        assert on_one_line(text) in map(on_one_line, shown), text


def cells_of(text):
    """Return the rows of a CSV file as lists of text."""
    return list(csv.reader(io.StringIO(text, newline="")))


def is_number(text):
    try:
        return np.isfinite(float(text.replace(",", "").rstrip("%")))
    except ValueError:
        return False


def test_no_cell_of_a_csv_file_is_a_formula(payloads, placed):
    for text in payloads:
        rows = cells_of(tables.as_csv(placed(text)[0]))
        for cell in (cell for row in rows for cell in row):
            assert (
                is_number(cell)
                or not cell.lstrip(" ").startswith(tuple("=+-@\t\r\n＝＋－＠"))
                or cell == "*"
            ), text
            assert cell.removeprefix("'") in (
                text.replace("\r", "\n"),
                "name",
                "other",
                "x",
                "y",
            ), text


@pytest.mark.parametrize(
    "text",
    ["-1.5", "+0.12", "-1e-05", "+3.1%", "-1,234", "+", "--", "+0.35 (+0.10 to +0.60)",
     "−0.3", "*+", "1.5", ""],
)  # fmt: skip
def test_numbers_and_marks_stay_as_they_are_in_a_csv_file(text):
    assert cells_of(tables.as_csv(pd.DataFrame({"a": ["x", text], "b": "y"})))[2] == [text, "y"]


def test_numbers_that_are_not_text_are_written_in_full():
    rows = cells_of(tables.as_csv(pd.DataFrame({"a": [-0.1, 1 / 3], "=b": [-1, 2]})))
    assert rows == [["a", "'=b"], ["-0.1", "-1"], ["0.3333333333333333", "2"]]


def test_the_csv_file_may_hold_more_than_is_shown(tmp_path):
    full = pd.DataFrame({"a": [1 / 3]})
    shown = pd.DataFrame({"a": ["0.33"]})
    assert tables.save(shown, tmp_path, "t", "Caption.", full=full).equals(shown)
    folder = tmp_path / "tables"
    assert (folder / "t.csv").read_text(encoding="utf-8") == f"a\n{1 / 3!r}\n"
    for ending in ("md", "tex", "html"):
        assert "0.33" in (folder / f"t.{ending}").read_text(encoding="utf-8")
        assert "0.333" not in (folder / f"t.{ending}").read_text(encoding="utf-8")


def test_a_table_is_shown_without_its_index_and_with_names_for_people(tmp_path):
    table = pd.DataFrame({"k_count": [3], "k_fisher": [2], "k_means": ["k_fisher"]}, index=[17])
    table["recommended"] = "k_fisher"
    shown = tables.save(table, tmp_path, "t", "Caption.")
    head, row = str(shown).splitlines()
    assert head.split() == ["p", "≤", "α", "k̂,", "Fisher", "k_means", "recommended"]
    assert row.split() == ["3", "2", "k_fisher", "k̂,", "Fisher"]
    page = shown._repr_html_()
    assert re.findall(r"<t[hd].*?>(.*?)</t[hd]>", page) == [
        "p ≤ α", "k̂, Fisher", "k_means", "recommended", "3", "2", "k_fisher", "k̂, Fisher"
    ]  # fmt: skip
    folder = tmp_path / "tables"
    assert (folder / "t.csv").read_text().startswith("k_count,k_fisher,k_means,recommended\n3,2,")
    for ending in ("md", "tex", "html"):
        assert "17" not in (folder / f"t.{ending}").read_text(encoding="utf-8")
        assert "Fisher" in (folder / f"t.{ending}").read_text(encoding="utf-8")


def test_a_text_in_a_shown_table_is_no_markup():
    assert "<b>" not in tables.Table(pd.DataFrame({"<b>": ["<b>"]}))._repr_html_()


@pytest.mark.slow
def test_a_name_that_is_escaped_comes_from_a_comparison_as_well(payloads, tmp_path):
    for text in payloads:
        a, b = text, f"B{text}"
        comparison = declare(section="sentiment", title=text, systems=(a, b), score=text)
        table = Tested(pd.DataFrame({
            "dataset": [text, "x"], "n": [10, 20], "score_a": [0.5, 0.6], "score_b": [0.4, 0.5],
            "p_value": [0.0, 0.2], "how": "exact",
        }))  # fmt: skip
        said = [find(comparison, table, 0.05)]
        shown = tables.section([comparison], [table], said)
        tables.save(shown, tmp_path, "c", findings.caption([comparison]))
        for row in cells_of((tmp_path / "tables" / "c.csv").read_text(encoding="utf-8")):
            assert not any(c.lstrip().startswith(("=", "@")) for c in row)
        page = (tmp_path / "tables" / "c.html").read_text(encoding="utf-8")
        assert not re.search(r"<(script|img|svg|b|javascript)", page)
        assert on_one_line(text) in on_one_line(html.unescape(page))


def test_results_in_full_have_what_holms_procedure_makes_of_them():
    table = Tested(
        pd.DataFrame(
            {"dataset": list("xyz"), "p_value": [0.03, 0.001, 1e-300], "p_reverse": [0.9, 0.4, 1.0]}
        )
    )
    comparison = declare()
    said = [find(comparison, table, alpha) for alpha in (0.05, 0.002)]
    none = [False] * 3
    pd.testing.assert_frame_equal(
        view.full(table, said),
        pd.DataFrame(
            {
                **{"dataset": table["dataset"], "p_value": table["p_value"]},
                **{"adjusted_p_value": [0.06, 0.004, 6e-300], "p_reverse": table["p_reverse"]},
                **{"adjusted_p_reverse": [1.0, 1.0, 1.0], "named": [False, True, True]},
                **{"named_worse": none, "named at 0.002": [False, False, True]},
                "named_worse at 0.002": none,
            }
        ),
    )
    alone = replace(comparison, alternative="greater")
    adjusted = view.full(table, [find(alone, table, alpha) for alpha in (0.05, 0.002)])
    assert "adjusted_p_reverse" not in adjusted
    assert adjusted["named"].tolist() == [True] * 3
    assert adjusted["named at 0.002"].tolist() == [False, True, True]
    assert adjusted["adjusted_p_value"].tolist() == (
        multiple_testing.adjusted_pvalues(table["p_value"]).tolist()
    )


SUMS = Tested(pd.DataFrame({"dataset": list("uvwx"), "p_value": [0.005, 0.02, 0.025, 0.03]}))


@pytest.mark.parametrize(
    ("dependence", "keys", "by", "adjusted"),
    [
        ("dependent", {}, "Holm's procedure", "holm"),
        ("independent", {"procedure": "paper"}, "Holm's procedure", "holm"),
        ("positive", {}, "closed testing (Simes)", "hommel"),
        ("independent", {}, "closed testing (Fisher-Bonferroni)", None),
        ("independent", {"method": "truncated_fisher"}, "closed testing (truncated Fisher)", None),
    ],
)
def test_holm_is_named_only_where_the_names_are_his(dependence, keys, by, adjusted):
    comparison = declare(dependence=dependence, **keys)
    said = [find(comparison, SUMS, alpha) for alpha in (0.05, 0.015)]
    assert {marks.named_by(finding) for finding in said} == {by}
    assert marks.by_holm(said[0]) == (by == "Holm's procedure")
    scored = SUMS.assign(n=20, score_a=0.6, score_b=0.5, how="exact")
    shown = tables.section([comparison], [scored], said)
    assert shown.columns[-1] == ("Holm" if "procedure" in keys else "named")
    assert shown[shown.columns[-1]].tolist() == marks.marks(said)
    full = view.full(SUMS, said)
    assert ("adjusted_p_value" in full) == (adjusted is not None)
    for finding in said if adjusted else ():
        small = full["adjusted_p_value"] <= finding.alpha
        assert small.tolist() == finding.identified.tolist()
        name = "named" if finding is said[0] else f"named at {finding.alpha:g}"
        assert full[name].tolist() == finding.identified.tolist()


def test_two_comparisons_have_a_column_of_names_each():
    pairs = [
        (Comparison(name="c", section="s", title="-".join(s), systems=s,
                    dependence="positive", file="f", columns={}), SUMS.assign(
            n=9, score_a=0.6, score_b=0.5, how="exact", p_value=p))
        for s, p in ((("A", "B"), 0.01), (("A", "C"), 0.9))
    ]  # fmt: skip
    said = [find(*pair, 0.05) for pair in pairs]
    shown = tables.section(*zip(*pairs, strict=True), said)
    assert shown["named A-B"].tolist() == ["*"] * 4
    assert shown["named A-C"].tolist() == [""] * 4


def test_units_and_their_design_effect_are_columns():
    comparison = declare(unit="question")
    table = SUMS.assign(
        n=3_000, units=1_000, design_effect=[1, 2.345, np.nan, 0.9], score_a=0.6, score_b=0.5,
        how="exact",
    )  # fmt: skip
    shown = tables.section([comparison], [table], [find(comparison, table, 0.05)])
    assert list(shown)[:4] == ["dataset", "n", "units", "design effect"]
    assert shown["units"].tolist() == ["1,000"] * 4
    assert shown["design effect"].tolist() == ["1.00", "2.35", "", "0.90"]


def test_runs_and_their_spread_are_columns():
    comparison = declare()
    table = SUMS.assign(
        n=3_000, runs_a=3, spread_a=[0.01, 0.0234, 0, 0.9], runs_b=1, spread_b=np.nan,
        score_a=0.6, score_b=0.5, how="exact",
    )  # fmt: skip
    said = [find(comparison, table, 0.05)]
    shown = tables.section([comparison], [table], said)
    assert list(shown)[:6] == ["dataset", "n", "A runs", "A SD of runs", "B runs", "B SD of runs"]
    assert shown["A SD of runs"].tolist() == ["0.010", "0.023", "0.000", "0.900"]
    assert shown["B SD of runs"].tolist() == [""] * 4
    caption = tables.section_caption([comparison], [table], said)
    assert "does not cover runs with other seeds" in caption


def test_every_local_test_has_a_name_for_people():
    names = {f"k_{method}" for method in (*procedure.METHODS, *partial_conjunction.ESTIMATORS)}
    assert names <= tables.NAMES.keys()
    assert len(set(tables.NAMES.values())) == len(tables.NAMES)
    found = tables.named(pd.DataFrame({"k_joint": [3], "recommended": ["k_truncated_fisher"]}))
    assert list(found) == ["k̂, joint sign flips", "recommended"]
    assert found["recommended"].tolist() == ["k̂, truncated Fisher"]


def test_whole_numbers_have_commas_between_thousands_for_people_alone(tmp_path):
    gaps = pd.array([1200, None], dtype="Int64")
    table = pd.DataFrame({"pairs": [2485, 70], "few": [999, 1], "gaps": gaps, "mean": [2485.5, 1]})
    found = tables.named(table)
    assert found["pairs"].tolist() == ["2,485", "70"]
    assert found["gaps"].tolist() == ["1,200", ""]
    assert found[["few", "mean"]].equals(table[["few", "mean"]])
    shown = tables.save(table, tmp_path, "t", "Caption.")
    assert "2,485" in repr(shown)
    assert "<td>2,485</td>" in shown._repr_html_()
    written = {e: (tmp_path / f"tables/t.{e}").read_text("utf-8") for e in ("csv", "md", "tex")}
    assert "2485,999,1200,2485.5" in written["csv"]
    assert "| 2,485 " in written["md"]
    assert "2,485 & 999 & 1,200" in written["tex"]
    assert "{rrrr}" in written["tex"]


def test_a_pvalue_is_never_printed_as_zero():
    comparison = declare()
    p = [0.0, 5e-324, 1e-300, 4.9e-5, 4.9e-4]
    table = Tested(
        pd.DataFrame(
            {
                "dataset": list("abcde"),
                "n": 9,
                "score_a": 1,
                "score_b": 0,
                "p_value": p,
                "how": "exact",
            }
        )
    )
    shown = tables.section([comparison], [table], [find(comparison, table, 0.05)])
    assert shown["p-val (A,B)"].tolist() == [tables.pvalue(value) for value in p]
    assert "0.0000" not in shown["p-val (A,B)"].tolist()


# --- every layout, cell by cell ------------------------------------------------------------------

NAN, INF = float("nan"), float("inf")


def frame(columns, *rows):
    return pd.DataFrame(rows, columns=columns.split())


OVER = frame(
    "example estimator small small_error large large_error exact large_above_one",
    ["i", "count", 0.1, 0.01, 0.11, 0.001, NAN, 0.05],
    ["d", "fisher", 0.2, 0.02, 0.22, 0.002, 0.21, 0.06],
    ["d", "bonferroni", 0.3, 0.03, 0.33, 0.003, 0.31, 0.07],
)
RATES = frame(
    "title test model alpha n rate standard_error n_repetitions verdict",
    ["T", "t", "two_sided", 0.05, 10, 0.04, 0.001, 1_000, "conservative"],
    ["T", "t", "two_sided", 0.05, 1_000, 0.06, 0.002, 1_000, "anti-conservative"],
    ["S", "s", "real", 0.01, 10, 0.001, 0.0003, 500, "nominal"],
)
CHOICES = frame(
    "choice alpha tests published theory small small_error large large_error exact k_hat "
    "k_hat_theory",
    ["a", 0.05, 2, "4.8e-2", 0.05, 0.1, 0.01, 0.11, 0.001, True, 0.6, 0.61],
    ["b", 0.01, 3, "", 0.02, 0.2, 0.02, 0.22, 0.002, False, 0.7, 0.71],
    ["c", 0.05, 4, ".1", 0.25, 0.3, 0.03, 0.33, 0.003, True, 0.8, 0.81],
)
PAIRS = frame(
    "dataset first second standard p_standard splits ahead ahead_bonferroni k_ahead behind "
    "behind_bonferroni k_behind mean p_mean design_effect smallest_effect largest_effect "
    "ahead_sentences behind_sentences",
    ["P", "a", "d", 0.0012, 0.01, 20, 1, 4, 7, 10, 13, 16, 0.004, 0.4, 1.1, 0.7, 2.1, 19, 23],
    ["P", "b", "e", -0.003, 0.02, 21, 2, 5, 8, 11, 14, 17, -0.005, 0.5, 1.2, 0.8, 2.2, 20, 24],
    ["Q", "c", "f", 0.0, 0.03, 22, 3, 6, 9, 12, 15, 18, 0.006, 0.6, 1.3, 0.9, 2.3, 21, 25],
)
CONFUSED = frame(
    "dataset one other words share is_one is_other",
    ["P", "A", "D", 1_234, 0.5, 0.6, 0.4],
    ["P", "B", "E", 5, 0.25, 0.7, 0.3],
    ["Q", "C", "F", 6, 0.125, 0.8, 0.1],
)
COVERED = frame(
    "dataset sentences disagreement unanimous single all_words disagreed",
    ["P", 1_000, 100, 900, 9, 20_000, 200],
    ["Q", 20, 5, 15, 8, 400, 8],
    ["R", 30, 3, 27, 7, 300, 30],
)
KINDS = frame(
    "dataset above to sentences words verbless proper",
    ["P", -INF, 0.1, 1_000, 7.5, 0.1, 0.4],
    ["P", 0.1, 0.9, 20, 8, 0.2, 0.5],
    ["Q", 0.9, INF, 30, 9, 0.3, 0.6],
)
FULL = frame(
    "dataset metric difference p_value a b",
    ["P", "las", 0.1, 0.01, 0.9, 0.8],
    ["P", "uas", -0.1, 0.0002, 0.8, 0.9],
    ["Q", "las", 0.0, 0.5, 0.7, 0.7],
)
SHARES = frame(
    "dataset metric share positive sentences",
    ["P", "las", 0.1, 0.25, 30],
    ["P", "las", 1.0, 0.5, 300],
    ["Q", "las", 1.0, 0.75, 4_000],
)
SIZES = frame(
    "dataset tasks sentences words unknown",
    ["P", "t", 1_000, 20_000, NAN],
    ["Q", "u", NAN, 5, 1_234],
    ["eng.testb", "v", 3 + 231, NAN, 7],
)
FAMILY = frame(
    "dataset choice small tests k_hat smallest",
    ["P", "metric", 1, 4, 7, 0.01],
    ["P", "size", 2, 5, 8, 0.02],
    ["Q", "metric", 3, 6, 9, 0.0001],
)
ACROSS = frame(
    "metric difference wilcoxon a_small b_small a_bonferroni b_bonferroni a_fisher b_fisher "
    "a_named b_named",
    ["x", 0.012, 0.1, 1, 4, 7, 10, 13, 16, ["p"], []],
    ["y", -0.02, 0.2, 2, 5, 8, 11, 14, 17, [], ["s"]],
    ["z", 0.0, 0.3, 3, 6, 9, 12, 15, 18, ["q", "r"], ["t"]],
)
DRAWN = {"P": [SimpleNamespace(pvalue=0.1234, standard_error=0.01),
               SimpleNamespace(pvalue=1e-5, standard_error=0.0002)]}  # fmt: skip
SEPARATED = frame(
    "dataset alpha pairs significant identified not_significant",
    ["P", 0.05, 3, 1, 0, [("a", "b", 0.06), ("c", "d", 0.2)]],
    ["P", 0.01, 4, 2, 1, []],
    ["Q", 0.05, 5, 0, 6, [("e", "f", 0.5)]],
)
RANGES = frame(
    "dataset metric tagger accuracy low high smallest largest mean below within above splits",
    ["P", "m", "a", 0.91, 0.81, 0.95, 0.71, 0.96, 0.85, 1, 4, 7, 12],
    ["P", "n", "b", 0.92, NAN, NAN, 0.72, 0.97, 0.86, 2, 5, 8, 15],
    ["Q", "m", "c", 0.93, 0.83, 0.97, 0.73, 0.98, 0.87, 3, 6, 9, 18],
)
UNKNOWN = frame(
    "dataset tagger unknown_standard unknown_mean unknown_smallest unknown_largest difference "
    "by_unknown",
    ["P", "a", 0.1, 0.12, 0.11, 0.13, 0.005, 0.002],
    ["P", "b", 0.2, 0.22, 0.21, 0.23, -0.005, 0.001],
    ["Q", "c", 0.3, 0.32, 0.31, 0.33, 0.0, -0.004],
)
ORDERS = frame(
    "dataset metric ranking as_tokens splits same_order same_best",
    ["P", "m", ["a", "b"], True, 20, 1, 4],
    ["P", "n", ["b", "a"], False, 21, 2, 5],
    ["Q", "m", ["c", "d"], True, 22, 3, 6],
)
PROGRESS = frame(
    "dataset first last error_first error_last reduction best oracle below_oracle",
    ["P", "a", "d", 0.05, 0.03, 0.02, "g", 0.011, 0.021],
    ["Q", "b", "e", 0.06, 0.02, 0.04, "h", 0.012, 0.022],
    ["R", "c", "f", 0.07, 0.01, 0.06, "i", 0.013, 0.023],
)
PREDICTIVE = pd.DataFrame({0.0: [0.1, NAN, 0.3], 0.5: [0.4, 0.5, 0.6]}, index=["R", "u", "PPV"])
PRINTED = pd.Series({"R": ".1", "PPV": "4.8e-2"})


@pytest.mark.parametrize(
    ("layout", "arguments", "expected"),
    [
        (dror_tables.overestimation, (OVER, [".994", ".05", ".001"], 10, 1_000), [
         ["example", "estimator", "published", "10 families", "1,000 families", "exact",
          "P(k̂ > k + 1)"],
         ["i", "count", ".994", "0.1000 ± 0.0100", "0.1100 ± 0.0010", "", "0.0500"],
         ["d", "fisher", ".05", "0.2000 ± 0.0200", "0.2200 ± 0.0020", "0.2100", "0.0600"],
         ["d", "bonferroni", ".001", "0.3000 ± 0.0300", "0.3300 ± 0.0030", "0.3100", "0.0700"],
        ]),
        (dror_tables.rejection_rates, (RATES,), [
         ["scores", "test", "alpha", "repetitions", "n = 10", "n = 1,000"],
         ["two sided", "T", "0.05", "1,000", "0.0400 ± 0.0010 −", "0.0600 ± 0.0020 +"],
         ["real", "S", "0.01", "500", "0.0010 ± 0.0003", ""],
        ]),
        (sogaard_tables.many_metrics, (CHOICES, 100, 2_000), [
         ["choice", "α", "tests", "published", "100 draws", "2,000 draws", "theory", "basis",
          "SE apart", "P(k̂ > 0)", "theory, k̂"],
         ["a", "0.05", "2", "4.8%", "0.1000 ± 0.0100", "0.1100 ± 0.0010", "0.0500", "exact",
          "−0.1", "0.6000", "0.6100"],
         ["b", "0.01", "3", "", "0.2000 ± 0.0200", "0.2200 ± 0.0020", "0.0200", "large samples",
          "", "0.7000", "0.7100"],
         ["c", "0.05", "4", "0.1", "0.3000 ± 0.0300", "0.3300 ± 0.0030", "0.2500", "exact", "−3.5",
          "0.8000", "0.8100"],
        ]),
        (gorman_tables.split_pairs, (PAIRS,), [
         ["dataset", "comparison", "standard", "p", "splits", "ahead", "significant", "k̂",
          "behind", "significant behind", "k̂ behind", "mean", "p of mean"],
         ["P", "a vs. d", "+0.12", "0.0100", "20", "1", "4", "7", "10", "13", "16", "+0.40",
          "0.4000"],
         ["P", "b vs. e", "−0.30", "0.0200", "21", "2", "5", "8", "11", "14", "17", "−0.50",
          "0.5000"],
         ["Q", "c vs. f", "0.00", "0.0300", "22", "3", "6", "9", "12", "15", "18", "+0.60",
          "0.6000"],
        ]),
        (gorman_tables.design_effects, (PAIRS,), [
         ["dataset", "comparison", "design effect", "splits", "ahead, words", "ahead, sentences",
          "behind, words", "behind, sentences"],
         ["P", "a vs. d", "1.10 (0.70 to 2.10)", "20", "4", "19", "13", "23"],
         ["P", "b vs. e", "1.20 (0.80 to 2.20)", "21", "5", "20", "14", "24"],
         ["Q", "c vs. f", "1.30 (0.90 to 2.30)", "22", "6", "21", "15", "25"],
        ]),
        (gorman_tables.confusions, (CONFUSED, 1), [
         ["dataset", "tags", "words", "of those disagreed on", "gold is the first",
          "gold is the second"],
         ["P", "A / D", "1,234", "50.0%", "60%", "40%"],
         ["Q", "C / F", "6", "12.5%", "80%", "10%"],
        ]),
        (gorman_tables.confusions, (CONFUSED, 2), [
         ["dataset", "tags", "words", "of those disagreed on", "gold is the first",
          "gold is the second"],
         ["P", "A / D", "1,234", "50.0%", "60%", "40%"],
         ["P", "B / E", "5", "25.0%", "70%", "30%"],
         ["Q", "C / F", "6", "12.5%", "80%", "10%"],
        ]),
        (gorman_tables.disagreement, (COVERED,), [
         ["dataset", "sentences", "with disagreement", "unanimous", "unanimous, one word", "words",
          "words disagreed on"],
         ["P", "1,000", "100 (10.0%)", "900", "9", "20,000", "200 (1.0%)"],
         ["Q", "20", "5 (25.0%)", "15", "8", "400", "8 (2.0%)"],
         ["R", "30", "3 (10.0%)", "27", "7", "300", "30 (10.0%)"],
        ]),
        (gorman_tables.agreement_kinds, (KINDS,), [
         ["dataset", "agreement", "sentences", "median of words", "without finite verb",
          "proper noun or not"],
         ["P", "α ≤ 0.1", "1,000", "7.5", "10%", "40%"],
         ["P", "0.1 to 0.9", "20", "8", "20%", "50%"],
         ["Q", "α > 0.9", "30", "9", "30%", "60%"],
        ]),
        (sogaard_tables.directed, (FULL,), [
         ["dataset", "las", "uas"],
         ["P", "0.0100 +", "2.0e-04 −"],
         ["Q", "0.5000", ""],
        ]),
        (sogaard_tables.positive_shares, (SHARES,), [
         ["dataset", "metric", "sentences", "10%", "100%"],
         ["P", "las", "300", "25%", "50%"],
         ["Q", "las", "4,000", "", "75%"],
        ]),
        (sogaard_tables.evaluation_data, (SIZES,), [
         ["dataset", "tasks", "sentences", "words", "unknown words", "lines -DOCSTART-"],
         ["P", "t", "1,000", "20,000", "", ""],
         ["Q", "u", "", "5", "1,234", ""],
         ["eng.testb", "v", "3", "", "7", "231"],
        ]),
        (sogaard_tables.choice_families, ({"tag": FAMILY},), [
         ["task", "dataset", "metric: p ≤ α", "metric: k̂", "metric: smallest p", "size: p ≤ α",
          "size: k̂", "size: smallest p"],
         ["tag", "P", "1/4", "7", "0.0100", "2/5", "8", "0.0200"],
         ["tag", "Q", "3/6", "9", "1.0e-04", "", "", ""],
        ]),
        (sogaard_tables.domain_counts, (ACROSS, ("A", "B")), [
         ["metric", "A − B, points", "Wilcoxon p", "better", "p ≤ α", "k̂, Bonferroni",
          "k̂, Fisher", "identified"],
         ["x", "+1.20", "0.1000", "A", "1", "7", "13", "p"],
         ["x", "+1.20", "0.1000", "B", "4", "10", "16", ""],
         ["y", "−2.00", "0.2000", "A", "2", "8", "14", ""],
         ["y", "−2.00", "0.2000", "B", "5", "11", "17", "s"],
         ["z", "0.00", "0.3000", "A", "3", "9", "15", "q, r"],
         ["z", "0.00", "0.3000", "B", "6", "12", "18", "t"],
        ]),
        (sogaard_tables.ner_metrics, (FULL, DRAWN), [
         ["dataset", "metric", "A", "B", "p-value", "by resampling"],
         ["P", "las", "90.00", "80.00", "0.0100 +", "0.1234 ± 0.0100"],
         ["P", "uas", "80.00", "90.00", "2.0e-04 −", "1.0e-05 ± 0.0002"],
         ["Q", "las", "70.00", "70.00", "0.5000", ""],
        ]),
        (gorman_tables.separated, (SEPARATED,), [
         ["dataset", "α", "pairs", "p ≤ α", "identified by Holm", "p > α"],
         ["P", "0.05", "3", "1", "0", "a vs. b (0.0600), c vs. d (0.2000)"],
         ["P", "0.01", "4", "2", "1", ""],
         ["Q", "0.05", "5", "0", "6", "e vs. f (0.5000)"],
        ]),
        (gorman_tables.split_ranges, (RANGES,), [
         ["dataset", "metric", "tagger", "standard split", "interval", "random splits", "mean",
          "below", "within", "above"],
         ["P", "m", "a", "0.9100", "(0.8100, 0.9500)", "(0.7100, 0.9600)", "0.8500", "1",
          "4 of 12", "7"],
         ["P", "n", "b", "0.9200", "", "(0.7200, 0.9700)", "0.8600", "2", "5 of 15", "8"],
         ["Q", "m", "c", "0.9300", "(0.8300, 0.9700)", "(0.7300, 0.9800)", "0.8700", "3",
          "6 of 18", "9"],
        ]),
        (gorman_tables.unknown_words, (UNKNOWN,), [
         ["dataset", "tagger", "unknown, standard", "unknown, random", "random minus standard",
          "by unknown words", "rest"],
         ["P", "a", "10.0%", "12.0% (11.0% to 13.0%)", "+0.50", "+0.20", "+0.30"],
         ["P", "b", "20.0%", "22.0% (21.0% to 23.0%)", "−0.50", "+0.10", "−0.60"],
         ["Q", "c", "30.0%", "32.0% (31.0% to 33.0%)", "0.00", "−0.40", "+0.40"],
        ]),
        (gorman_tables.rankings, (ORDERS,), [
         ["dataset", "metric", "standard split, best first", "as by tokens", "random splits",
          "same order", "same best"],
         ["P", "m", "a, b", "yes", "20", "1", "4"],
         ["P", "n", "b, a", "no", "21", "2", "5"],
         ["Q", "m", "c, d", "yes", "22", "3", "6"],
        ]),
        (gorman_tables.reductions, (PROGRESS, ("1.5e-2", "2.5e-2")), [
         ["dataset", "from", "to", "error of the first", "of the last", "reduction", "best",
          "error of the oracle", "best below oracle"],
         ["Penn Treebank (paper)", "TnT", "Flair", "", "", "1.5", "Flair", "", "2.5"],
         ["P", "a", "d", "5.00", "3.00", "2.00", "g", "1.10", "2.10"],
         ["Q", "b", "e", "6.00", "2.00", "4.00", "h", "1.20", "2.20"],
         ["R", "c", "f", "7.00", "1.00", "6.00", "i", "1.30", "2.30"],
        ]),
        (sogaard_tables.predictive_values, (PREDICTIVE, PRINTED), [
         ["quantity", "published", "bias u = 0", "bias u = 0.5"],
         ["R", "0.1", "0.1", "0.4"],
         ["u", "", "none", "0.5"],
         ["PPV", "4.8%", "0.3", "0.6"],
        ]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_a_layout_says_what_its_columns_say(layout, arguments, expected):
    header, *rows = expected
    shown = layout(*arguments)
    assert [*shown] == header
    assert shown.to_numpy().tolist() == rows


@pytest.mark.parametrize(
    ("rows", "kind"), [(tables.LONG, "tabular"), (tables.LONG + 1, "longtable")]
)
def test_a_long_latex_table_breaks_across_pages(rows, kind):
    assert tables.LONG == 40
    source = tables.latex(pd.DataFrame({"a": ["x"] * rows}), "t", "Caption.")
    assert f"\\begin{{{kind}}}" in source
    assert ("\\begin{table}[t]" in source) == (kind == "tabular")


def test_wide_columns_of_a_latex_table_break_their_lines():
    limit = tables.WIDEST_COLUMN
    for length, column in ((limit, "l"), (limit + 1, r"p{0.65\linewidth}")):
        source = tables.latex(pd.DataFrame({"a": ["x" * length], "b": ["1"]}), "t", "Caption.")
        assert f"{{{column}r}}" in source


def test_a_section_has_scores_pvalues_and_marks_of_each_comparison():
    rows = Tested(pd.DataFrame({
        "dataset": list("xyz"), "n": [1_000, 20, 3], "score_a": [0.51, 0.62, 0.73],
        "score_b": [0.14, 0.25, 0.36], "p_value": [0.001, 0.02, 0.9], "how": "exact",
    }))  # fmt: skip
    one, two = (
        declare(title="-".join(s), systems=s, score=score)
        for s, score in ((("A", "B"), "x"), (("A", "C"), "x"))
    )
    other = rows.assign(score_b=[0.44, 0.55, 0.66], p_value=[0.9, 1e-4, 0.01])
    pairs = [(one, rows), (two, other)]
    said = [find(*pair, alpha) for pair in pairs for alpha in (0.05, 0.005)]
    shown = tables.section([one, two], [rows, other], said)
    assert [[*shown], *shown.to_numpy().tolist()] == [
        ["dataset", "n", "A", "B", "p-val (A,B)", "named A-B", "C", "p-val (A,C)", "named A-C"],
        ["x", "1,000", "0.510", "0.140", "0.0010", "*+", "0.440", "0.9000", ""],
        ["y", "20", "0.620", "0.250", "0.0200", "*", "0.550", "1.0e-04", "*+"],
        ["z", "3", "0.730", "0.360", "0.9000", "", "0.660", "0.0100", "*"],
    ]


def test_comparisons_of_other_datasets_by_another_score_stand_below():
    pairs = [
        (Comparison(name="c", section="s", title="-".join(s), systems=s,
                    dependence="independent", file="f", columns={}, score=score), SUMS.assign(
            dataset=[f"{score}{i}" for i in range(4)], n=9, score_a=0.6, score_b=b, how="exact",
            p_value=0.01))
        for s, score, b in ((("A", "B"), "LAS", 0.5), (("C", "B"), "UAS", 0.4))
    ]  # fmt: skip
    comparisons, results = zip(*pairs, strict=True)
    shown = tables.section(comparisons, results, [find(*pair, 0.05) for pair in pairs])
    assert [column for column in shown if len(column) == 1] == ["n", "A", "B", "C"]
    assert shown["n"].tolist() == ["9"] * 8
    assert shown["A"].tolist()[4:] == [""] * 4
    assert shown["B"].nunique() == 2
    said = findings.caption(comparisons)
    assert said == "LAS of A and B, UAS of C and B, and p-values."
