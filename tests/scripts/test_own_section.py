"""A notebook of one's own: written once, never overwritten, merged with the template on request."""

import re

import nbformat
import own_section
import pytest
import yaml
from checkouts import append, copy, run, snakemake

from analysis import paths

STUDY = """\
study: entities
alphas: [0.05, 0.01]
sections:
  named_entities:
    title: Named-entity recognition
    item: table6
    question: On how many kinds of text does the large recogniser find more of the names?
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
DATA = "kind,p,large,small\nnews,0.001,91.2,88.0\nbroadcast,0.004,87.9,85.1\nweb,0.6,80.3,80.6\n"
NOTEBOOK = "config/entities/named_entities.ipynb"
WRITTEN = [NOTEBOOK, "config/entities/items.yaml", "config/entities/named_entities.md"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a copy of the project with a study and the notebook of its section."""
    checkout = copy(tmp_path_factory.mktemp("own"))
    (checkout / "config" / "entities.yaml").write_text(STUDY, encoding="utf-8")
    (checkout / "data" / "entities.csv").write_text(DATA, encoding="utf-8")
    found = own(checkout)
    assert found.returncode == 0, found.stderr
    assert [line.strip() for line in found.stdout.splitlines()[1:4]] == WRITTEN
    return checkout


def own(checkout, *options, study="config/entities.yaml", section="named_entities"):
    return run(checkout, "scripts/own_section.py", study, section, *options)


def files(checkout):
    """Return the bytes of what the user has."""
    folder = checkout / "config" / "entities"
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def mine(checkout):
    """Return the notebook, and put everything back as it was afterwards."""
    template = checkout / "scripts" / "task_section.md"
    before, made = files(checkout), template.read_bytes()
    yield checkout / NOTEBOOK
    template.write_bytes(made)
    for path in files(checkout):
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_notebook_is_what_the_template_makes_and_the_study_lists_it(checkout):
    cells = nbformat.read(checkout / NOTEBOOK, as_version=4).cells
    assert cells[0].source.startswith("# Named-entity recognition\n")
    assert cells[1].metadata["tags"] == ["parameters"]
    listed = yaml.safe_load((checkout / WRITTEN[1]).read_text(encoding="utf-8"))
    (entry,) = listed["The study entities"].values()
    assert "table6_named_entities" in entry["tables"]
    assert all(said["caption"] for said in entry["figures"].values())
    found = own(checkout, "--diff")
    assert found.stdout == "The template has not changed for this section.\n"


def test_nothing_is_overwritten(checkout):
    before = files(checkout)
    found = own(checkout)
    assert (found.returncode, found.stdout) == (1, "")
    assert f"{NOTEBOOK} exists already and is not overwritten" in found.stderr
    assert files(checkout) == before


@pytest.mark.long
def test_remarks_that_are_there_stay(checkout, mine):
    (checkout / WRITTEN[2]).write_text("## which\n\nMine.\n", encoding="utf-8")
    mine.unlink()
    (checkout / WRITTEN[1]).unlink()
    found = own(checkout)
    assert found.returncode == 0, found.stderr
    assert WRITTEN[2] not in found.stdout
    assert (checkout / WRITTEN[2]).read_text(encoding="utf-8") == "## which\n\nMine.\n"


def test_a_merge_takes_over_the_template_and_keeps_every_edit(checkout, mine):
    notebook = nbformat.read(mine, as_version=4)
    notebook.cells[0].source += "\n\nMy own words."
    notebook.cells.insert(1, nbformat.v4.new_code_cell("x = 1  # mine", id="mine"))
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="kept")]
    nbformat.write(notebook, mine)
    template = checkout / "scripts" / "task_section.md"
    edit(template, "Who scores higher?", "Who leads?")
    found = own(checkout, "--diff")
    assert "-## Who scores higher?\n+## Who leads?\n" in found.stdout
    assert "My own words" not in found.stdout
    assert own(checkout, "--merge").returncode == 0
    merged = nbformat.read(mine, as_version=4)
    assert merged.cells[0].source.endswith("My own words.")
    assert (merged.cells[1].id, merged.cells[1].outputs[0].text) == ("mine", "kept")
    assert merged.cells[2].metadata["tags"] == ["parameters"]
    assert "## Who leads?" in own_section.as_text(merged)
    assert "has not changed" in own(checkout, "--diff").stdout
    assert own(checkout, "--merge").returncode == 0
    assert nbformat.read(mine, as_version=4) == merged


def test_of_lines_that_both_have_changed_mine_stay_and_the_others_are_printed(checkout, mine):
    edit(mine, "## Who scores higher?", "## Who is first?")
    edit(checkout / "scripts" / "task_section.md", "Who scores higher?", "Who leads?")
    found = own(checkout, "--merge")
    assert found.returncode == 0, found.stderr
    assert "## Who leads?" in found.stdout
    text = mine.read_text(encoding="utf-8")
    assert "## Who is first?" in text
    assert "## Who leads?" not in text
    assert "<<<<" not in text


@pytest.mark.long
def test_a_second_section_is_listed_below_the_first(checkout, mine):
    study = checkout / "config" / "entities.yaml"
    try:
        more = "  more: {title: M, item: table7, question: Q, scores: [real]}\ncomparisons:"
        other = STUDY.replace("comparisons:", more)
        block = STUDY.partition("comparisons:\n")[2].replace("large_small", "other")
        study.write_text(other + block.replace("named_entities", "more"), encoding="utf-8")
        found = own(checkout, section="more")
        assert found.returncode == 0, found.stderr
        listed = yaml.safe_load((checkout / WRITTEN[1]).read_text(encoding="utf-8"))
        assert list(listed["The study entities"]) == ["named_entities", "more"]
        (checkout / "config/entities/more.ipynb").unlink()
        before = files(checkout)
        assert "more" in own(checkout, section="more").stderr
        assert files(checkout) == before
    finally:
        study.write_text(STUDY, encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"section": "named entities"}, "section 'named entities' is not one of named_entities"),
        ({"section": "é"}, "section 'é' is not one of named_entities"),
        (
            {"study": "config/paper.yaml"},
            "does not describe any sections; see docs/adapt.md",
        ),
        ({"study": "config/mein Käse.yaml"}, "config/mein Käse.yaml does not exist"),
        ({"study": ""}, "Name the study and the section: make section STUDY="),
        ({"study": "../entities.yaml"}, "is not in the folder config of this checkout"),
        ({"study": "config/other name.yaml"}, "rename the file to entities.yaml"),
    ],
)
def test_what_cannot_be_owned_is_one_sentence(checkout, mine, arguments, message):
    copies = [checkout.parent / "entities.yaml", checkout / "config" / "other name.yaml"]
    for path in copies:
        path.write_text(STUDY.replace("data/", f"{checkout}/data/"), encoding="utf-8")
    before = files(checkout)
    found = own(checkout, **arguments)
    copies[1].unlink()
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (1, "", 1)
    assert message in found.stderr
    assert files(checkout) == before


@pytest.mark.long
def test_without_the_notebook_there_is_nothing_to_merge(checkout, mine):
    mine.unlink()
    for option in ("--diff", "--merge"):
        found = own(checkout, option)
        assert found.returncode == 1
        assert f"{NOTEBOOK} does not exist; write it with `make section STUDY=" in found.stderr


def test_a_notebook_comes_back_from_its_text():
    source = nbformat.read(paths.ROOT / "notebooks" / "pos_tagging.ipynb", as_version=4)
    source.cells.append(nbformat.v4.new_raw_cell(""))
    source.cells.append(nbformat.v4.new_markdown_cell("```python tag\n=== code\n```\n\n"))
    again = own_section.of_text(own_section.as_text(source), source)
    assert again.cells == source.cells
    assert again.metadata == source.metadata
    bare = own_section.of_text(own_section.as_text(source), nbformat.v4.new_notebook())
    assert [c.source for c in bare.cells] == [c.source for c in source.cells]
    assert bare.cells[1].metadata == {"tags": ["parameters"]}


FAULTS = {
    "no parameters": (
        '"parameters"',
        '"other"',
        "declares no parameter `outputs`; add the tag `parameters` to",
    ),
    "computed": (
        "list = [0.05, 0.01]",
        "list = sorted([1])",
        "computes something; let each of its lines",
    ),
    "syntax": ("paths.enter_checkout()", "paths.enter_checkout(", "is not valid Python ("),
    "no notebook": (
        '"cells"',
        '"cellz"',
        f"{NOTEBOOK} is not a notebook; save it again from Jupyter",
    ),
    "no JSON": ("{", "", f"{NOTEBOOK} is not a notebook; save it again from Jupyter"),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_notebook_is_one_sentence(checkout, mine, fault):
    old, new, said = FAULTS[fault]
    edit(mine, old, new)
    found = run(checkout, "scripts/reproduce.py", "config/entities.yaml")
    assert found.returncode == 1
    assert said in found.stderr
    assert found.stderr.count("\n") == 1
    assert "Traceback" not in found.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "named_entities.md",
            "",
            "named_entities.md has no remarks on the results. Use at least one",
        ),
        (
            "named_entities.md",
            "text\n",
            "named_entities.md has no remarks on the results. Use at least",
        ),
        ("named_entities.md", "## wich\nx\n", "the heading 'wich' is not one of "),
        ("named_entitys.md", "## which\nx\n", "notebook 'named_entitys' is not one of "),
        ("summary.md", " \n", "config/entities/summary.md has no remarks on the results."),
        ("items.yaml", "- x\n", "items.yaml must list parts"),
        ("items.yaml", "A:\n  nowhere: {title: T}\n", "there is no config/entities/nowhere.ipynb"),
        ("items.yaml", "A:\n  summary: {title: T}\n", "notebook 'summary' is listed twice"),
    ],
)
def test_a_mistake_in_what_belongs_to_it_is_one_sentence_before_anything_runs(
    checkout, mine, name, content, said
):
    (checkout / "config" / "entities" / name).write_text(content, encoding="utf-8")
    if name == "items.yaml" and "summary" in content:
        (checkout / "config" / "entities" / "summary.ipynb").write_bytes(mine.read_bytes())
    found = run(checkout, "scripts/reproduce.py", "config/entities.yaml")
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (1, "", 1)
    assert said in found.stderr
    found = snakemake(checkout, "--configfile", "config/entities.yaml", "--dry-run")
    assert said in found.stdout + found.stderr
    assert "Traceback" not in found.stdout + found.stderr


@pytest.mark.long
def test_the_workflow_runs_what_i_edit_and_puts_it_where_it_is_kept(checkout, mine):
    study = "config/entities.yaml"
    found = run(checkout, "scripts/reproduce.py", study)
    assert found.returncode == 0, found.stderr
    assert f"] {NOTEBOOK}\n" in found.stdout
    assert (checkout / "tables/entities/table6_named_entities.csv").is_file()
    assert (checkout / "figures/entities/table6_large_small.svg").is_file()
    executed = checkout / "results/entities/notebooks/named_entities.ipynb"
    text = executed.read_text(encoding="utf-8")
    assert "we can show that large is better than small on" in text
    assert "two of three datasets." in text
    again = run(checkout, "scripts/reproduce.py", study)
    assert f"{study}: nothing has changed since the last run." in again.stdout
    notebook = nbformat.read(mine, as_version=4)
    notebook.cells[0].source += "\n\nMy own words."
    notebook.cells.append(
        nbformat.v4.new_code_cell("%matplotlib inline\nnames = !echo mine\nnames")
    )
    nbformat.write(notebook, mine)
    edited = mine.read_bytes()
    append(checkout / "scripts" / "task_section.md", "\nNot mine.\n")
    edit(checkout / study, "[0.05, 0.01]", "[0.1]")
    try:
        found = run(checkout, "scripts/reproduce.py", study)
    finally:
        edit(checkout / study, "[0.1]", "[0.05, 0.01]")
    assert found.returncode == 0, found.stderr
    text = executed.read_text(encoding="utf-8")
    assert "My own words." in text
    assert "Not mine." not in text
    assert "alphas: list = [0.1]" in text
    assert re.search(r"\['mine'\]", text)
    assert mine.read_bytes() == edited
