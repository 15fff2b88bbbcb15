"""The notebook of a section is made of the blocks that its study has a use for."""

import itertools

import nbformat
import pytest
import yaml

from analysis import assembly, paths, remarks
from analysis.studies import read_study
from replicability import checks

OF_THE_PAPER = ("the paper", "Dror", "Section ", "Equation", "Table ", "orange", "printed", "Holm")
"""What only the page of a study that repeats the paper may say."""

PVALUES = {
    "file": "p.csv",
    "columns": {"dataset": "kind", "p_value": "p", "scores": ["large", "small"]},
}
ITEMS = {
    "file": "items.csv",
    "columns": {"dataset": "kind", "instance": "id", "scores": ["large", "small"]},
}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Return a function that writes a study with one section, and returns its file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "remarks").mkdir()

    def write(*blocks, **keys):
        shared = {"systems": ["large", "small"], "section": "mine", "dependence": "independent"}
        about = {"title": "T", "item": "table6", "question": "Q?", "scores": ["binary"]}
        content = {
            "study": "own",
            "alphas": [0.05],
            "sections": {"mine": about},
            "comparisons": [shared | {"name": f"c{i}"} | b for i, b in enumerate(blocks)],
        }
        (tmp_path / "own.yaml").write_text(yaml.safe_dump(content | keys), encoding="utf-8")
        return str(tmp_path / "own.yaml")

    return write


def page(file, section="mine"):
    return "\n\n".join(cell.source for cell in assembly.notebook(file, section).cells)


def has(file, section="mine"):
    return assembly.traits(read_study(file), section)


@pytest.mark.parametrize(
    ("blocks", "traits"),
    [
        ([PVALUES], {"printed", "scores"}),
        ([PVALUES | {"columns": {"dataset": "kind", "p_value": "p"}}], {"printed"}),
        ([PVALUES | {"sided": "unknown"}], {"printed", "scores", "unknown", "both"}),
        ([PVALUES | {"sided": "two"}], {"printed", "scores", "both"}),
        ([PVALUES | {"procedure": "paper"}], {"printed", "scores", "holm"}),
        ([ITEMS], {"computed", "instances", "scores", "both", "two_sided"}),
        ([ITEMS | {"alternative": "greater"}], {"computed", "instances", "scores", "both"}),
        (
            [ITEMS | {"groups": {"g": ["x"]}, "shared": True, "dependence": "dependent"}],
            {"computed", "instances", "scores", "both", "two_sided", "groups", "shared"},
        ),
        (
            [ITEMS, ITEMS | {"datasets": ["x"]}],
            {"computed", "instances", "scores", "both", "two_sided", "several"},
        ),
        ([ITEMS, ITEMS], {"computed", "instances", "scores", "both", "two_sided"}),
    ],
)
def test_what_a_section_has_is_read_from_its_study(study, blocks, traits):
    assert has(study(*blocks)) == traits <= set(assembly.TRAITS)


@pytest.mark.parametrize("block", [PVALUES, ITEMS, ITEMS | {"alternative": "greater"}])
def test_the_page_of_a_study_of_ones_own_does_not_mention_the_paper(study, block):
    for section in ("mine", "summary"):
        said = page(study(block), section)
        assert [word for word in OF_THE_PAPER if word in said] == []
        assert "remarks" not in said


def test_blocks_follow_what_the_study_has(study):
    alone, items = page(study(PVALUES)), page(study(ITEMS))
    for heading in ("each direction", "Is B better anywhere?"):
        assert heading not in alone
    assert "results.forests()" not in alone
    assert "results.forests()" in items
    assert "We tested both directions from the start" in items
    assert "results.counts(both=True)" not in items
    once = page(study(ITEMS | {"alternative": "greater"}))
    assert "results.counts(both=True)" in once
    assert "results.groups()" not in once
    assert "results.groups()" in page(study(ITEMS | {"groups": {"g": ["x"]}}))
    several = page(study(ITEMS, ITEMS | {"datasets": ["x"]}))
    assert 'rep.save(results.tables(), outputs, "table6")' in several
    assert "results.table()" not in several


def test_a_remark_has_a_cell_where_it_is_written(study, tmp_path):
    (tmp_path / "remarks" / "mine.md").write_text("## which\n\nx\n", encoding="utf-8")
    said = page(study(ITEMS, remarks="remarks"))
    assert remarks.SHOWN.findall(said) == ["which"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("## wich\n\nx\n", r"mine\.md, line 1: the heading 'wich' is not one of .*mean 'which'"),
        (
            "",
            r"mine\.md has no remarks on the results\. .* below it: ## found, ## data, ## decides",
        ),
        ("x\n", r"mine\.md has no remarks on the results\. Use .* of these headings"),
        ("## kinds\n\nx\n", r"heading 'kinds' is not one of found, data, decides, ahead, which"),
    ],
)
def test_remarks_that_have_no_place_are_refused(study, tmp_path, text, message):
    (tmp_path / "remarks" / "mine.md").write_text(text, encoding="utf-8")
    with pytest.raises(checks.InputError, match=message):
        assembly.notebook(study(ITEMS, remarks="remarks"), "mine")


@pytest.mark.parametrize("name", ["paper", "open", "leaderboards"])
def test_every_remark_of_the_committed_studies_is_shown(name):
    file = f"config/{name}.yaml"
    assembly.check_remarks(read_study(file), file)


@pytest.mark.parametrize("kind", assembly.PUBLISHED)
def test_every_block_is_used_and_every_need_known(kind):
    text = (paths.ROOT / f"scripts/{kind}_section.md").read_text(encoding="utf-8")
    needs = {need.removeprefix("not ") for found in assembly.MARK.findall(text) if found
             for need in found.split(", ")}  # fmt: skip
    assert needs <= set(assembly.TRAITS)
    assert text.replace("<!-- given -->", "").count("<!--") == len(assembly.MARK.findall(text))


def test_no_two_cells_of_prose_follow_each_other(study):
    for file in (study(PVALUES), "config/paper.yaml", "config/open.yaml"):
        section = "mine" if file.endswith("own.yaml") else "sentiment"
        if section == "sentiment":
            file = str(paths.ROOT / file)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(paths.ROOT)
            cells = assembly.notebook(file, section).cells
        kinds = [cell.cell_type for cell in cells]
        assert ("markdown", "markdown") not in itertools.pairwise(kinds)
        nbformat.validate(nbformat.v4.new_notebook(cells=cells))
