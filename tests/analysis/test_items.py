"""The list of tables and figures: what it says, and what is said about mistakes in it."""

from types import SimpleNamespace

import pytest
import yaml
from checkouts import committed

from analysis import items, paths, workflow
from analysis.studies import host, read_study
from replicability import checks
from replicability.core import evaluation, findings
from replicability.io.study import Family

NOTEBOOKS = items.read_notebooks()
STUDIES = {name: read_study(f"config/{name}.yaml") for name in (*items.FOLDERS, "example")}
COMMITTED = [
    pytest.param(row, item, file, id=file)
    for study in items.FOLDERS
    for row in items.rows(STUDIES[study], NOTEBOOKS)
    for item, file in zip(row.items, row.files, strict=True)
]


def listed(tmp_path, change):
    """Read a small list with a change of it."""
    content = {
        "A paper": {
            "audit": {"title": "Table 9", "tables": {"nine": None, "ten": {"finding": "Much."}}},
            "summary": {"title": {"paper": "Here", "open": "There"}, "comparisons": "all"},
        }
    }
    change(content["A paper"])
    path = tmp_path / "items.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return items.read_notebooks(path)


# The list of the compendium


def test_every_notebook_is_listed_and_every_listed_one_runs_in_a_study():
    files = {path.stem for path in paths.ROOT.glob("notebooks/*.ipynb")}
    for name in files - {notebook.name for notebook in NOTEBOOKS}:
        pytest.fail(
            f"config/items.yaml does not list notebooks/{name}.ipynb: add an entry (A new section, "
            "CONTRIBUTING.md), or keep the notebook in another folder."
        )
    for notebook in NOTEBOOKS:
        assert any(notebook.runs(study) for study in STUDIES.values()), notebook.name


def test_every_committed_file_is_listed():
    for kind in ("tables", "figures"):
        known = {file for parameter in COMMITTED for file in [parameter.values[2]]}
        ending = items.PUBLISHED[kind][0]
        there = {path.relative_to(paths.ROOT).as_posix() for path in committed(kind, f"*.{ending}")}
        assert there == {file for file in known if file.startswith(kind)}


@pytest.mark.parametrize(("row", "item", "file"), COMMITTED)
def test_an_item_has_a_title_a_caption_a_finding_and_its_files(row, item, file):
    assert item.title
    assert item.finding
    assert item.finding.endswith((".", "}"))
    assert bool(item.caption) == (item.kind == "figures")
    for ending in set(item.endings) - {"html"}:
        assert (paths.ROOT / file).with_suffix(f".{ending}").is_file()


def test_texts_differ_by_what_exists():
    blocks = [b for s in STUDIES.values() for b in (*s.comparisons, *s.families)]
    known = {block.name for block in blocks} | set(items.FOLDERS)
    for notebook in NOTEBOOKS:
        said = [s for kind in items.PUBLISHED for s in getattr(notebook, kind).values()]
        texts = [
            notebook.title,
            *(entry[key] for entry in said for key in items.TEXTS if key in entry),
        ]
        for text in texts:
            assert isinstance(text, str) or set(text) <= known | {"other"}


def test_the_parameters_of_a_study_belong_to_listed_notebooks():
    keys = {notebook.key for notebook in NOTEBOOKS if notebook.key}
    names = {notebook.name for notebook in NOTEBOOKS if notebook.comparisons == "section"}
    assert keys <= set(host().parameters) <= keys | names


def test_no_comparison_can_have_the_name_of_an_item():
    for study in STUDIES.values():
        for notebook in NOTEBOOKS:
            single = [i.stem for i in notebook.items(study) if i.kind != "pages" and not i.block]
            assert [stem for stem in single if not host().takes(stem)] == []


# What follows from an entry


def test_a_study_asks_for_notebooks_by_sections_keys_and_its_name():
    asked = {name: {n.name for n in NOTEBOOKS if n.runs(s)} for name, s in STUDIES.items()}
    assert asked["example"] == {"your_comparison"}
    assert {"summary", "audit", "pos_tagging", "toy_simulations"} <= asked["paper"]
    assert {"summary", "open_study", "gorman_error_analysis"} <= asked["open"]
    assert asked["paper"] & {"open_study", "your_comparison", "sogaard_real_outputs"} == set()
    assert asked["open"] & {"audit", "your_comparison", "test_sizes"} == set()


def test_items_that_are_alike_are_one_for_each_comparison_or_family():
    study = STUDIES["open"]
    made = {n.name: {i.stem: i for i in n.items(study)} for n in NOTEBOOKS if n.runs(study)}
    assert "all_pairs_parsers" in made["open_study"]
    assert isinstance(made["open_study"]["all_pairs_parsers"].block, Family)
    item = made["pos_tagging"]["table3_crf_perceptron"]
    assert item.caption.startswith("CRF against perceptron. ")
    assert item.title == "Table 3 (tagging, 22 and 23 languages)"
    assert "table3_parsers" not in made["dependency_parsing"]


def comparison(name, level, **others):
    fixed = {"section": "entities", "systems": ("A", "B"), "columns": {}, "sided": "", "by": ""}
    fixed |= {"groups": {}, "claim": "better", "datasets": (), "paths": ("f",), "level": level}
    fixed["called"] = str
    return SimpleNamespace(name=name, **fixed | others)


def test_a_table_that_needs_a_key_is_made_where_a_comparison_of_the_section_has_it():
    made = {
        name: {i.stem for n in NOTEBOOKS if n.runs(study) for i in n.items(study)}
        for name, study in STUDIES.items()
    }
    groups = {f"table{number}_groups" for number in (2, 3, 4, 5)}
    assert groups <= made["open"] & made["paper"]
    assert "groups" not in made["example"]
    block = comparison("c", "p-values")
    study = SimpleNamespace(
        name="mine", comparisons=[block], families=[],
        sections={"entities": {"title": "T", "item": "table6"}},
    )  # fmt: skip
    for block.groups, there in (({}, False), ({"g": ["x"]}, True)):
        (own,) = items.own_sections(study)
        assert ("table6_groups" in {item.stem for item in own.items(study)}) == there


def test_differences_are_drawn_of_comparisons_that_start_at_instances():
    drawn = {
        name: {i.stem for n in NOTEBOOKS if n.runs(study) for i in n.items(study)
               if "_forest_" in i.stem}
        for name, study in STUDIES.items()
    }  # fmt: skip
    assert drawn["paper"] == set()
    names = ("dependency_parsing", "pos_tagging", "sentiment", "word_similarity")
    sections = {name: number for number, name in enumerate(names, start=2)}
    expected = {f"table{sections[c.section]}_forest_{c.name}" for c in STUDIES["open"].comparisons}
    assert drawn["open"] == expected
    levels = ("p-values", "instances")
    blocks = [comparison(level, level) for level in levels]
    study = SimpleNamespace(
        name="mine", comparisons=blocks, families=[],
        sections={"entities": {"title": "T", "item": "table6"}},
    )  # fmt: skip
    (own,) = items.own_sections(study)
    stems = {item.stem for item in own.items(study)}
    assert "table6_forest_instances" in stems
    assert "table6_forest_p-values" not in stems
    assert {"table6_p-values", "table6_instances"} <= stems


def _includes_zero(table):
    return (table["low"] <= 0) & (table["high"] >= 0)


FORESTS = {
    "hitscir_huji": lambda d, t, mean: (d > 0).all() and not _includes_zero(t).any(),
    "turkunlp_udpipe": lambda d, t, mean: d.min() < 0 < d.max() and mean.low < 0 < mean.high,
    "mate_spacy_sample": lambda d, t, mean: (d > 0).all() and not _includes_zero(t).any(),
    "mate_redshift_sample": lambda d, t, mean: (
        (d > 0).all() and _includes_zero(t).tolist() == [t["n"][0] > t["n"][1], False]
    ),
    "hitscir_lattice": lambda d, t, mean: (
        0.5 < (d > 0).mean() < 1 and 0 < (d > 2 * mean.difference).mean() < 0.25
    ),
    "crf_perceptron": lambda d, t, mean: (
        (d > 0).all() and d.max() - d.min() > (t["high"] - t["low"]).max()
    ),
    "spacy_sizes": lambda d, t, mean: (
        0.5 < (d > 0).mean() < 1 and mean.low > 0 and 0.5 < _includes_zero(t).mean() < 1
    ),
    "aesclsr_msda_reviews": lambda d, t, mean: (d < 0).all() and _includes_zero(t).mean() < 0.1,
    "msda_lr_features": lambda d, t, mean: (d > 0).all() and not _includes_zero(t).any(),
    "glove_w2v": lambda d, t, mean: (d > 0).all() and 0 < _includes_zero(t).mean() < 0.5,
}
"""Comparison -> whether the finding of its figure of differences is so."""


@pytest.mark.parametrize("comparison", STUDIES["open"].comparisons, ids=lambda c: c.name)
def test_what_a_figure_of_differences_shows_is_so(comparison):
    said = {
        item.stem: item.finding
        for notebook in NOTEBOOKS
        if notebook.runs(STUDIES["open"])
        for item in notebook.items(STUDIES["open"])
        if item.stem.endswith(f"_forest_{comparison.name}")
    }
    assert all(said.values())
    assert len(said) == 1
    table = evaluation.evaluate(comparison)
    mean = findings.overall(comparison, table)
    assert FORESTS[comparison.name](table["difference"], table, mean), said


def test_a_text_is_that_of_the_comparison_or_study():
    assert items.one_of("always", "mine") == "always"
    assert items.one_of({"b": "2", "a": "1"}, "a", "b") == "1"
    assert items.one_of({"b": "2"}, "a") == ""
    assert items.filled("{a} by {counts} in {x}", a="A") == "A by {counts} in {x}"
    assert items.plain(r"*u* is $\hat k$, \- ([how](docs/a.md))") == "u is k-hat, - (how)"


# What the workflow makes of it


def by_name(name):
    (found,) = [notebook for notebook in NOTEBOOKS if notebook.name == name]
    return found


def test_the_data_of_a_section_are_the_files_of_its_comparisons():
    assert workflow.data(by_name("pos_tagging"), STUDIES["paper"]) == [
        "data/published/dror2017/table3.csv"
    ]
    assert workflow.data(by_name("gorman_error_analysis"), STUDIES["open"]) == [
        "data/outcomes/splits.parquet",
        "data/outcomes/splits_tags.parquet",
        "data/published/gorman2019/table4.csv",
        "data/published/gorman2019/text.csv",
    ]


def test_the_inputs_of_a_notebook_are_all_that_it_reads():
    found = workflow.inputs(by_name("your_comparison"), STUDIES["example"])
    assert found["notebook"] == "notebooks/your_comparison.ipynb"
    assert "replicability/show/html_report.py" in found["code"]
    assert "replicability/show/templates/report.html.jinja" in found["code"]
    assert found["remarks"] == []
    found = workflow.inputs(by_name("sentiment"), STUDIES["open"])
    assert found["remarks"] == ["config/open/sentiment.md", "data/outcomes/sentiment_text.csv"]


def test_a_notebook_is_lent_the_parameters_that_it_declares():
    paper = STUDIES["paper"]
    toy = paper.notebooks["toy_simulations"]
    assert workflow.parameters(by_name("toy_simulations"), paper, "p.yaml") == toy
    shared = {"study": "p.yaml", "alphas": [0.05, 0.01]}
    assert workflow.parameters(by_name("sentiment"), paper, "p.yaml") == shared
    lent = {key: toy[key] for key in ("n_families_large", "independent", "dependent", "seed")}
    assert workflow.parameters(by_name("audit"), paper, "p.yaml") == shared | lent


# Mistakes


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda n: n["audit"].update(tabels={}), r"unknown key 'tabels' .*did you mean 'tables'"),
        (lambda n: n["audit"].pop("title"), "title"),
        (lambda n: n["audit"].update(comparisons="none"), "'none'"),
        (lambda n: n["audit"].update(figures={"one": {}}), "caption"),
        (lambda n: n["audit"]["tables"].update(nine={"caption": "x"}), "caption"),
        (lambda n: n["audit"]["tables"].update(nine={"rows": -1}), "the number of first rows"),
        (lambda n: n["audit"]["tables"].update({"Nine": None}), "'Nine'"),
        (lambda n: n["audit"]["tables"].update({"nine_{dataset}": None}), "nine_{dataset}"),
        (lambda n: n["summary"].update(tables={"nine": None}), "tables 'nine' is listed twice"),
        (lambda n: n.update(adit={"title": "x"}), r"no notebooks/adit\.ipynb"),
        (
            lambda n: n["audit"].update(data=["data/none.csv"]),
            r"'audit': there is no data/none\.csv",
        ),
        (lambda n: n["audit"].update(title=""), "a text must be a sentence"),
        (lambda n: n["audit"].update(title={"paper": " "}), "a text must not be empty"),
        (lambda n: n["audit"].update(title=["a"]), "a text must be a sentence"),
    ],
)
def test_a_mistake_is_a_sentence(change, said, tmp_path):
    with pytest.raises(checks.InputError, match=said) as error:
        listed(tmp_path, change)
    assert "items.yaml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_list_without_a_mistake_is_read(tmp_path):
    audit, summary = listed(tmp_path, lambda notebooks: None)
    assert audit.tables == {"nine": {}, "ten": {"finding": "Much."}}
    assert (audit.part, summary.comparisons) == ("A paper", "all")


def test_every_file_that_a_notebook_reads_is_committed():
    """The list lets outcomes be missing, which are made; here they may not be."""
    read = [file for notebook in items.read_notebooks() for file in notebook.data]
    assert any(file.startswith(items.OUTCOMES) for file in read)
    assert [f for f in read if "{" not in f and not any(paths.ROOT.glob(f))] == []
