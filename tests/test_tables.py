import csv
import html
import io
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from analysis import data, identification, report, tables

TABLE = pd.DataFrame({"a_b & c": ["50% → x", "ρ_1"], "n": ["1", "2"]})


def test_every_format_is_written(tmp_path):
    assert tables.save(TABLE, tmp_path, "table9_x", "A caption with 5% and a_b.") is TABLE
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


def test_marks_and_their_note():
    alphas = (0.05, 0.01)
    study = data.read_study("config/paper.yaml")
    comparison = study.section("sentiment")[0]
    found = data.read_comparison(comparison)
    findings = [report.find(comparison, found, alpha) for alpha in alphas]
    table = tables.section([comparison], [found], findings)
    printed = data.read_published("dror2017", "table4")
    assert table["Holm"].tolist() == printed["mark"].tolist()
    pd.testing.assert_frame_equal(table.drop(columns="Holm"), printed.drop(columns="mark"))
    assert tables.marks_note(alphas) == (
        "* and + mark the datasets that Holm's procedure identifies at alpha = 0.05 and 0.01."
    )
    assert tables.marks_note([0.05]).startswith("* marks the datasets")


def test_two_comparisons_share_the_scores_of_their_common_system():
    study = data.read_study("config/paper.yaml")
    comparisons = study.section("dependency_parsing")
    results = [data.read_comparison(c) for c in comparisons]
    findings = [report.find(c, r, 0.05) for c, r in zip(comparisons, results, strict=True)]
    table = tables.section(comparisons, results, findings)
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


@pytest.mark.parametrize("rows", [2, tables.LONG + 1])
def test_latex_shows_any_text_as_it_is(payloads, placed, rows):
    for text in payloads:
        table, caption = placed(text)
        table = pd.concat([table.head(1)] * rows, ignore_index=True)
        source = tables._latex(table, "t", caption)
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
    assert tables.save(shown, tmp_path, "t", "Caption.", full=full) is shown
    folder = tmp_path / "tables"
    assert (folder / "t.csv").read_text(encoding="utf-8") == f"a\n{1 / 3!r}\n"
    for ending in ("md", "tex", "html"):
        assert "0.33" in (folder / f"t.{ending}").read_text(encoding="utf-8")
        assert "0.333" not in (folder / f"t.{ending}").read_text(encoding="utf-8")


def test_a_name_that_is_escaped_comes_from_a_comparison_as_well(payloads, tmp_path):
    for text in payloads:
        a, b = text, f"B{text}"
        comparison = data.Comparison(
            "c", "sentiment", text, (a, b), "dependent", "f", {}, score=text
        )
        table = pd.DataFrame({
            "dataset": [text, "x"], "n": [10, 20], "score_a": [0.5, 0.6], "score_b": [0.4, 0.5],
            "p_value": [0.0, 0.2], "how": "exact",
        })  # fmt: skip
        findings = [report.find(comparison, table, 0.05)]
        shown = tables.section([comparison], [table], findings)
        tables.save(shown, tmp_path, "c", report.caption([comparison]))
        for row in cells_of((tmp_path / "tables" / "c.csv").read_text(encoding="utf-8")):
            assert not any(c.lstrip().startswith(("=", "@")) for c in row)
        page = (tmp_path / "tables" / "c.html").read_text(encoding="utf-8")
        assert not re.search(r"<(script|img|svg|b|javascript)", page)
        assert on_one_line(text) in on_one_line(html.unescape(page))


def test_results_in_full_have_what_holms_procedure_makes_of_them():
    table = pd.DataFrame(
        {"dataset": list("xyz"), "p_value": [0.03, 0.001, 1e-300], "p_reverse": [0.9, 0.4, 1.0]}
    )
    comparison = data.Comparison("c", "s", "A-B", ("A", "B"), "dependent", "f", {})
    findings = [report.find(comparison, table, alpha) for alpha in (0.05, 0.002)]
    pd.testing.assert_frame_equal(
        tables.unrounded(table, findings),
        table.assign(
            adjusted_p_value=[0.03, 0.002, 3e-300],
            adjusted_p_reverse=[1.0, 1.0, 1.0],
            **{"identified at 0.05": [True] * 3, "identified at 0.002": [False, True, True]},
        ),
    )
    adjusted = tables.unrounded(table.drop(columns="p_reverse"), findings)
    assert "adjusted_p_reverse" not in adjusted
    assert adjusted["adjusted_p_value"].tolist() == (
        identification.adjusted_pvalues(table["p_value"]).tolist()
    )


def test_a_pvalue_is_never_printed_as_zero():
    comparison = data.Comparison("c", "s", "A-B", ("A", "B"), "dependent", "f", {})
    p = [0.0, 5e-324, 1e-300, 4.9e-5, 4.9e-4]
    table = pd.DataFrame(
        {"dataset": list("abcde"), "n": 9, "score_a": 1, "score_b": 0, "p_value": p, "how": "exact"}
    )
    shown = tables.section([comparison], [table], [report.find(comparison, table, 0.05)])
    assert shown["p-val (A,B)"].tolist() == [tables.pvalue(value) for value in p]
    assert "0.0000" not in shown["p-val (A,B)"].tolist()[1:]
