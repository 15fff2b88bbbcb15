"""Remarks: blocks under headings, numbers that are filled in, and what is said about mistakes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis import items, paths, remarks, workflow
from analysis.studies import read_study
from replicability import checks
from replicability.stats import multiple_testing, partial_conjunction

NAMES = ("paper", "open", "leaderboards", "example")
STUDIES = {name: read_study(f"config/{name}.yaml") for name in NAMES}
COMMITTED = [
    pytest.param(STUDIES[path.parent.name], path.stem, id=f"{path.parent.name} {path.stem}")
    for path in sorted((paths.ROOT / "config").glob("*/*.md"))
]
PVALUES = [0.001, 0.002, 0.2, 0.9]
STUDY = """
study: mine
alphas: [0.05]
comparisons:
- {name: ours, systems: [A, B], dependence: independent, file: FILE, groups: {g: [one, four]},
   sided: two, columns: {dataset: dataset, p_value: p, scores: [a, b]}}
"""


@pytest.fixture
def remark(write, tmp_path):
    """Return a function that fills in a block of remarks on a study of four p-values."""
    rows = zip(["one", "two", "three", "four"], PVALUES, [9, 8, 7, 6.5], [5, 5, 5, 8], strict=True)
    table = write("p.csv", "dataset,p,a,b\n" + "".join("{},{},{},{}\n".format(*r) for r in rows))
    write("counts.csv", 'corpus,k,of\nnews,"1,250",15 of 16\nmail,3,−0.25 (2 of 3)\n')
    settings = read_study(write("mine.yaml", STUDY.replace("FILE", str(table))))
    settings = replace(settings, remarks=str(tmp_path))

    def fill(block, heading="which"):
        write(
            "sentiment.md", f"Unseen {{{{ nonsense }}}}.\n\n## Data\n\nx\n\n## Which\n\n{block}\n"
        )
        return remarks.read_remarks(settings, "sentiment", str(tmp_path))[heading]

    return fill


def test_remarks_are_blocks_under_headings(write, tmp_path):
    settings = replace(STUDIES["paper"], remarks=str(tmp_path))
    write(
        "sentiment.md",
        "For nobody.\n\n## Data\n\nFirst.\n\n### Deeper\nA ## inside.\n##not a heading\n"
        "## which \n\n",
    )
    found = remarks.read_remarks(settings, "sentiment", "tables")
    assert list(found.blocks) == ["data", "which"]
    assert found["data"] == "First.\n\n### Deeper\nA ## inside.\n##not a heading"
    assert found["data"]._repr_markdown_() == found["data"]
    assert found["which"] == found["directions"] == ""
    silent = replace(settings, remarks="")
    assert remarks.read_remarks(silent, "sentiment", "tables")["data"] == ""
    assert remarks.read_remarks(settings, "pos_tagging", "tables")["data"] == ""


def test_the_published_study_has_remarks_on_every_section():
    for section in {comparison.section for comparison in STUDIES["paper"].comparisons}:
        assert remarks.read_remarks(STUDIES["paper"], section, "tables")["data"], section


@pytest.mark.parametrize(("study", "section"), COMMITTED)
def test_committed_remarks_are_filled_in_from_the_committed_tables(study, section):
    tables = f"tables/{items.FOLDERS[study.name]}".rstrip("/")
    found = remarks.read_remarks(study, section, tables)
    for heading in found.blocks:
        assert found[heading]
        assert not {"{{", "}}", "{%", "%}"} & set(found[heading].split()), heading
        assert "nan" not in found[heading].lower().split(), heading


# Numbers


def test_a_finding_is_named_counted_and_bounded(remark):
    said = """
{% set found = found("ours", 0.05) %}
{{ found.k | of(found.datasets | length) }}: {{ found.identified_datasets | listed }};
{{ bounds(found)["at least"]["g"] | words }} of {{ bounds(found)["datasets"]["g"] }}"""
    assert remark(said) == "two of four: one and two;\none of 2"
    pvalues = np.array(PVALUES)
    assert partial_conjunction.k_hat(pvalues, 0.05, "fisher") == 2
    assert multiple_testing.identify(pvalues, 0.05).tolist() == [True, True, False, False]
    assert remark('{{ found("ours", 0.0015, method="bonferroni").k | words }}') == "none"


def test_the_other_direction_and_the_scores_can_be_named(remark):
    assert remark('{{ both("ours", 0.05)["B"].k | words("dataset") }}') == "no dataset"
    assert remark('{{ both("ours", 0.05)["A"].k | words("dataset") }}') == "two datasets"
    ahead = '{{ result("ours").query("score_a < score_b").index | listed }}'
    assert remark(ahead) == "four"
    assert (
        remark('{{ result("ours")["p_value"]["two"] | pvalue }}') == "0.0010"
    )  # of two-sided .002


def test_correlations_are_those_of_pairs_that_share_units():
    results = remarks.Results(STUDIES["open"], "tables/open")
    comparison, table = results.evaluated("aesclsr_msda_reviews")
    targets = [name.rpartition(" ")[2] for name in table["dataset"]]
    alike = [
        table.flips.correlations[i, j]
        for i, one in enumerate(targets)
        for j, other in enumerate(targets)
        if i < j and one == other
    ]
    assert len(alike) == len(comparison.shared) * 3
    assert results.correlations("aesclsr_msda_reviews").tolist() == alike


def test_design_effects_are_those_of_the_units(write):
    rows = "".join(f"d,{i},{i // 2},{i // 2 % 2},0\n" for i in range(40))
    block = STUDY.replace("sided: two, ", "").replace("p_value: p", "instance: i")
    block = block.replace("groups: {g: [one, four]},", "")
    table = write("rows.csv", f"dataset,i,unit,a,b\n{rows}")
    settings = read_study(write("mine.yaml", block.replace("FILE", str(table))))
    (effect,) = remarks.Results(settings, "tables").design_effects("ours", "unit")
    assert effect == pytest.approx(2, rel=0.06)  # two instances of a unit are alike


def test_cells_of_tables_are_numbers(remark):
    assert remark('{{ table("counts", "corpus")["k"]["news"] | words }}') == "1,250"
    assert remark('{{ num(table("counts")["of"].iloc[0], 1) | words }}') == "16"
    assert remark('{{ num(table("counts", "corpus")["of"]["mail"]) | number(2) }}') == "-0.25"
    outcomes = '{{ table("data/outcomes/splits.parquet") | length | number }}'
    there = pd.read_parquet(paths.ROOT / "data/outcomes/splits.parquet")
    assert remark(outcomes) == f"{len(there):,}"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("0 | words", "none"),
        ("1 | words('pair')", "one pair"),
        ("12 | words", "twelve"),
        ("13 | words('pair')", "13 pairs"),
        ("0 | of(3)", "none of three"),
        ("2 | of(2)", "both"),
        ("3 | of(3)", "all three"),
        ("(result('ours')['score_a'] > 8).sum() | words('score')", "one score"),
        ("0.345 | percent", "34%"),
        ("1234.56 | number(1)", "1,234.6"),
        ("[] | listed('no language')", "no language"),
        ("['a', 'b', 'c'] | listed", "a, b and c"),
    ],
)
def test_values_are_written_as_prose_does(remark, value, said):
    assert remark(f"{{{{ {value} }}}}") == said


# Mistakes


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ('{{ found("our", 0.05).k }}', r"the comparison 'our' is not one of ours; did you mean"),
        ("{{ fund }}", r"the name 'fund' is not one of .*found.*; did you mean 'found'\?"),
        ('{{ table("count") }}', r"count\.csv does not exist; did you mean 'counts"),
        ('{{ table("counts", "corpora") }}', r"column 'corpora' is not one of corpus, k, of"),
        ('{{ table("counts")["kk"] }}', r"there is no 'kk'; there is corpus, k, of; did you mean"),
        ('{{ result("ours")["p_value"]["six"] }}', r"there is no 'six'; there is one, two, three"),
        ("x\ny {{ 1.5 | words }}", r"line 10, .*1\.5 is not a whole number"),
        ("{{ 1 | wrods }}", r"[Nn]o filter named 'wrods'"),
        ("\n\n{{ 1 +", r"line 11, under 'which'"),
        ('{{ num("none") }}', r"'none' has no number at position 0"),
        ('{{ result("ours").score_a.k }}', "has no attribute 'k'"),
        ('{{ result("ours").__class__ }}', "__class__"),
        ("{{ 1 / 0 }}", "division by zero"),
        ('{{ found("ours", 2).k }}', "alpha"),
        ('{{ correlations("ours").max() }}', "not declare that the datasets of 'ours' share units"),
    ],
)
def test_a_substitution_that_cannot_be_made_is_told_in_a_sentence(remark, block, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        remark(block)
    assert "sentiment.md, line " in str(caught.value)
    assert "under 'which'" in str(caught.value)
    assert str(caught.value).endswith((".", "?"))
    assert remark(block, "data") == "x"


def test_a_notebook_depends_on_the_files_that_its_remarks_name(write, tmp_path):
    write("sentiment.md", '## Data\n\n{{ table("data/a.csv") }} {{ table("b") }}\n')
    assert workflow.files_named(str(tmp_path / "sentiment.md")) == ["data/a.csv"]
