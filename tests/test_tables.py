import numpy as np
import pandas as pd

from analysis import data, report, tables

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
    comparison = data.Comparison("c", "s", "A-B", ("A", "B"), "independent", "s.csv", {})
    result = pd.DataFrame(
        {
            "dataset": ["tiny", "large"], "p_value": [0.0, 1e-9], "p_reverse": [1.0, 1.0],
            "score_a": [1.0, 0.5], "score_b": [0.5, 0.25], "n": [2, 400], "how": ["", ""],
            "test": "paired_bootstrap",
        }
    )  # fmt: skip
    findings = [report.find(comparison, result, 0.05)]
    table = tables.section([comparison], [result], findings)
    tables.save(table, tmp_path, "t", "Caption.")
    for name in ("md", "tex", "html"):
        text = (tmp_path / "tables" / f"t.{name}").read_text(encoding="utf-8")
        assert "Fewer than 50 instances on tiny (2): the bootstrap" in text
        assert "for n instances on tiny (2): the" in text
    valid = result.assign(test="sign_flip")
    assert tables.section([comparison], [valid], findings).attrs["note"] == ""
    other = data.Comparison("d", "s", "C-B", ("C", "B"), "independent", "s.csv", {})
    findings += [report.find(other, result, 0.05)]
    table = tables.section([comparison, other], [result, valid], findings)
    assert table.attrs["note"].count("A-B: ") == 2
    table = tables.section([comparison, other], [result, result], findings)
    assert table.attrs["note"].count("Fewer than 50") == 1
    assert "A-B: " not in table.attrs["note"]


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
