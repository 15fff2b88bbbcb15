"""The notebooks on tasks are what their template makes, and so is one on a task of one's own."""

import re

import nbformat
import pandas as pd
import pytest
import task_notebooks
from checkouts import copy, snakemake

from analysis import assembly, paths
from analysis.studies import read_study
from replicability import checks
from replicability.io import declared

PAPER = "config/paper.yaml"
TASKS = sorted(assembly.described("task"))
BOARDS = sorted(assembly.described("board"))
STUDY_OF = {
    section: study
    for kind, study in assembly.PUBLISHED.items()
    for section in assembly.described(kind)
}
"""Section with a committed notebook -> the study that it shows."""
TABLE = """\
kind,p,large,small
news,0.001,91.2,88.0
broadcast,0.004,87.9,85.1
magazines,0.03,86.0,85.2
telephone,0.2,77.5,77.1
web,0.6,80.3,80.6
"""
STUDY = """\
study: entities
alphas: [0.05, 0.01]

sections:
  named_entities:
    title: Named-entity recognition
    item: table6
    question: >-
      A recogniser is trained once and used on other kinds of text: on how many kinds does the large
      recogniser find more of the names than the small one?
    scores: [counts, f1]

comparisons:
  - name: large_small
    section: named_entities
    systems: [large, small]
    score: F1 (%)
    dependence: independent
    file: data/entities.csv
    columns: {dataset: kind, p_value: p, scores: [large, small]}
"""


def sources(notebook):
    return [(c.cell_type, c.metadata.get("tags"), c.id, c.source) for c in notebook.cells]


@pytest.mark.parametrize("section", [*TASKS, *BOARDS, "summary"])
def test_the_committed_notebook_is_what_the_template_makes(section):
    committed = nbformat.read(paths.ROOT / "notebooks" / f"{section}.ipynb", as_version=4)
    assert sources(committed) == sources(assembly.notebook(STUDY_OF[section], section))


def test_every_section_of_the_published_study_has_an_entry():
    assert {c.section for c in read_study(PAPER).comparisons} == set(TASKS)


def test_entries_keep_to_the_rules_for_sections_of_a_study():
    keys = declared.Section.types()
    for section, task in assembly.described("task").items():
        assert set(task) == {*keys, "headings"}, section


def test_findings_head_the_chapters_of_the_paper_alone():
    headings = {}
    for file in (PAPER, "config/open.yaml"):
        for section in TASKS:
            cells = assembly.notebook(file, section).cells
            text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
            headings[file, section] = re.findall(r"^## (.*)$", text, re.MULTILINE)
    published = [set(headings[PAPER, section]) for section in TASKS]
    assert sum(map(len, published)) == len(set.union(*published)) > 24
    assert "Who scores higher?" in headings["config/open.yaml", "sentiment"]


@pytest.mark.parametrize("section", BOARDS)
def test_every_board_has_pairs_one_family_remarks_and_items(section):
    study = read_study("config/leaderboards.yaml")
    assert study.section(section)
    assert len([family for family in study.families if family.section == section]) == 1
    text = (paths.ROOT / study.remarks / f"{section}.md").read_text(encoding="utf-8")
    cells = assembly.notebook(STUDY_OF[section], section).cells
    shown = re.findall(r'^remarks\["(\w+)"\]$', "\n".join(c.source for c in cells), re.MULTILINE)
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == shown


def test_a_notebook_keeps_its_outputs_while_its_code_stays(tmp_path):
    path = tmp_path / "n.ipynb"
    made = assembly.notebook(PAPER, TASKS[0])
    made.cells[1].update(execution_count=1, outputs=[nbformat.v4.new_output("stream", text="x")])
    nbformat.write(made, path)
    reworded = assembly.notebook(PAPER, TASKS[0])
    reworded.cells[0].source = "# Another title"
    task_notebooks.write(reworded, path)
    kept = nbformat.read(path, as_version=4)
    assert kept.cells[0].source == "# Another title"
    assert (kept.cells[1].execution_count, kept.cells[1].outputs[0].text) == (1, "x")
    edited = assembly.notebook(PAPER, TASKS[0])
    edited.cells[2].source += "\nimport json"
    task_notebooks.write(edited, path)
    assert nbformat.read(path, as_version=4).cells[1].outputs == []


@pytest.fixture
def entities(tmp_path):
    """Return a study with a section, and its table, as a file."""
    (tmp_path / "entities.csv").write_text(TABLE, encoding="utf-8")
    file = tmp_path / "entities.yaml"
    text = STUDY.replace("data/entities.csv", str(tmp_path / "entities.csv"))
    file.write_text(text, encoding="utf-8")
    return file


def test_the_notebook_of_a_section_of_ones_own(entities, tmp_path):
    made = tmp_path / "made.ipynb"
    given = ["--study", str(entities), "--section", "named_entities", "--output", str(made)]
    assert task_notebooks.main(given) == 0
    cells = nbformat.read(made, as_version=4).cells
    assert cells[0].source.startswith("# Named-entity recognition\n\nA recogniser is trained once")
    assert cells[1].source.startswith(f'study: str = "{entities}"  # ')
    assert 'sections.recommended("counts", "f1")' in [c.source for c in cells]
    assert max(len(line) for c in cells for line in c.source.splitlines() if c != cells[1]) <= 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "section 'named_entitys' is not one of named_entities; did you mean"),
        ({"[counts, f1]": "[ratings, f1]"}, "'f1' cannot be used for scores of kind 'ratings'"),
        ({"item: table6": "item: table3"}, "item is 'table3', but an item must be table6, table7"),
        ({"[counts, f1]": "[count, f1]"}, "'count' is not one of binary, counts"),
        ({"title: N": "titel: N"}, "unknown key 'titel' in sections.named_entities"),
        ({"section: named_": "section: name_"}, "section 'name_entities' is not one of"),
        ({"    section: named_entities\n": ""}, "section 'named_entities' contains no comparisons"),
        ({"named_entities": "sentiment"}, "there is already a notebook 'sentiment'; give"),
        ({"  named_entities:": "  Named:"}, "the name of a section must start with a letter"),
        ({"\ncomparisons": "  more: {title: M, item: table6, question: Q, scores: [real]}\n\nco"
          "mparisons"}, "two sections have the item 'table6'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_section_is_said(entities, capsys, change, message):
    text = entities.read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    entities.write_text(text, encoding="utf-8")
    section = "named_entities" if change else "named_entitys"
    output = entities.with_name("made.ipynb")
    given = ["--study", str(entities), "--section", section, "--output", str(output)]
    assert task_notebooks.main(given) == 1
    assert message in capsys.readouterr().err
    assert not output.exists()


def test_a_study_without_sections_of_its_own_is_told_how_to_describe_one():
    with pytest.raises(
        checks.InputError, match=r"does not describe any sections; see docs/adapt\.md"
    ):
        assembly.notebook(PAPER, "named_entities")


@pytest.mark.long
def test_a_fifth_task_takes_one_block_and_one_command(entities, tmp_path):
    checkout = copy(tmp_path)
    found = snakemake(checkout, "named_entities", "--cores", "1", "--configfile", str(entities))
    assert found.returncode == 0, found.stderr
    made = checkout / "results" / "entities"
    table = pd.read_csv(made / "tables" / "table6_named_entities.csv")
    assert table["kind"].tolist() == ["news", "broadcast", "magazines", "telephone", "web"]
    assert table["named"].fillna("").tolist() == ["*+", "*", "", "", ""]
    assert (made / "figures" / "table6_large_small.svg").is_file()
    executed = nbformat.read(made / "notebooks" / "named_entities.ipynb", as_version=4)
    said = "".join(
        output.get("text", "") + " ".join(map(str, output.get("data", {}).values()))
        for c in executed.cells
        for output in c.get("outputs", [])
    )
    assert "large outperforms small on at least 2 of 5 datasets" in said
    again = snakemake(checkout, "named_entities", "--dry-run", "--configfile", str(entities))
    assert "Nothing to be done" in again.stdout + again.stderr
    page = ("--report", "page.html", "--configfile", str(entities))
    reported = snakemake(checkout, "named_entities", *page)
    assert reported.returncode == 0, reported.stderr
    assert "Named-entity recognition" in (checkout / "page.html").read_text(encoding="utf-8")
