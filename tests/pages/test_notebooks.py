"""What every committed notebook keeps to; nbval compares their outputs."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import replicability as rep
from analysis import assembly, fields, items, paths, published
from analysis.studies import read_study

OURS = ("example", *items.FOLDERS)
"""Studies of the compendium, whose notebooks keep to the rules below."""

FILES = sorted(
    (f"config/{path.name}" for path in paths.CONFIG.glob("*.yaml")
     if re.search("^study:", path.read_text("utf-8"), re.MULTILINE)),
    key=lambda file: (Path(file).stem in OURS, file),
)  # fmt: skip
STUDIES = {
    notebook.name: file
    for file in FILES
    for notebook in items.read_notebooks()
    if notebook.runs(read_study(file))
}
"""Notebook -> the study that it shows by default: the published one, if that asks for it."""

THERE = sorted(paths.ROOT.glob("notebooks/*.ipynb"))
NOTEBOOKS = [path for path in THERE if Path(STUDIES.get(path.stem, "")).stem in OURS]
SAVES_FIGURES = r"rep\.save\((figure|\w+\.evidence\(\)|\w+\.figure\()"
"""Code that saves a figure."""
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path, kind="code"):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def parameters(path):
    (cell,) = [c for c in cells(path) if "parameters" in c.metadata.get("tags", [])]
    return {node.target.id: ast.literal_eval(node.value) for node in ast.parse(cell.source).body}


@pytest.mark.parametrize("path", [path for path in THERE if path not in NOTEBOOKS] or [None])
def test_another_notebook_has_a_study_that_asks_for_it(path):
    if path:
        assert path.stem in STUDIES, (
            f"No study asks for notebooks/{path.name}, so nothing runs it: give it an entry in "
            "config/items.yaml and name it in a study of config/, or keep it in another folder."
        )


@every_notebook
def test_it_is_committed_executed_from_top_to_bottom(path):
    counts = [cell.execution_count for cell in cells(path)]
    assert counts == list(range(1, len(counts) + 1))
    for cell in cells(path):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"


@every_notebook
def test_every_figure_is_shown_where_it_is_saved(path):
    for cell in cells(path):
        if re.search(SAVES_FIGURES, cell.source):
            assert any("image/png" in output.get("data", {}) for output in cell.outputs)


@every_notebook
def test_it_holds_no_logic(path):
    for cell in cells(path):
        tree = ast.parse(cell.source)
        kinds = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.If, ast.While, ast.Try, ast.With)
        assert not [node for node in ast.walk(tree) if isinstance(node, kinds)]
        assert len(tree.body) <= 11
        if "parameters" not in cell.metadata.get("tags", []):  # where a list may take more lines
            assert len(cell.source.splitlines()) <= 12


@every_notebook
def test_no_line_is_longer_than_100_characters(path):
    for cell in nbformat.read(path, as_version=4).cells:
        prose = [line for line in cell.source.splitlines() if not line.startswith("| ")]
        assert [line for line in prose if len(fields.plain(line)) > 100] == []


@every_notebook
def test_tables_are_shown_without_an_index_and_with_names_for_people(path):
    for cell in cells(path):
        for output in cell.outputs:
            page = output.get("data", {}).get("text/html", "")
            for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
                head, _, body = table.partition("<tbody>")
                headers = re.findall(r"<th[^>]*>(.*?)</th>", head)
                assert headers
                assert [name for name in headers if not name or "_" in name] == []
                assert "<th" not in body


@every_notebook
def test_no_dictionary_or_series_is_shown(path):
    for cell in cells(path):
        for output in cell.outputs:
            text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
            assert not re.search(r"\{'|dtype: ", text)


@every_notebook
def test_it_reads_as_prose(path):
    words = sum(len(fields.plain(cell.source).split()) for cell in cells(path, "markdown"))
    lines = sum(len(cell.source.splitlines()) for cell in cells(path))
    assert words >= 4 * lines
    assert nbformat.read(path, as_version=4).cells[0].source.startswith("# ")


OF_THE_LIBRARY = re.compile(r"\s*(from|import) replicability\b")
"""An import of the library."""


TEMPLATES = [paths.ROOT / f"scripts/{kind}_section.md" for kind in assembly.PUBLISHED]


@pytest.mark.parametrize("path", [*NOTEBOOKS, *TEMPLATES])
def test_it_calls_what_every_user_calls(path):
    template = path.suffix == ".md"
    code = [path.read_text("utf-8")] if template else [cell.source for cell in cells(path)]
    lines = "\n".join(code).splitlines()
    assert [line for line in lines if OF_THE_LIBRARY.match(line)] == ["import replicability as rep"]
    named = {name for line in lines for name in re.findall(r"\brep\.(\w+)", line)}
    assert named <= set(rep.__all__) - {"api", "checks", "cli", "core", "io", "show", "stats"}


@every_notebook
def test_every_parameter_has_a_help_text(path):
    (cell,) = [c for c in cells(path) if "parameters" in c.metadata.get("tags", [])]
    lines = cell.source.splitlines()
    for node in ast.parse(cell.source).body:
        line = " ".join(lines[node.lineno - 1 : node.end_lineno])
        assert re.fullmatch(r"\w+: \w+ = .+  # .+", line), line


@every_notebook
def test_its_defaults_are_those_of_the_published_study(path):
    file = STUDIES[path.stem]
    study = read_study(file)
    expected = {
        **study.notebooks.get("toy_simulations", {}),
        **study.notebooks.get(path.stem, {}),
        "study": file,
        "published": "config/paper.yaml",
        "alphas": list(study.alphas),
        "outputs": "results/lab",
    }
    for name, value in parameters(path).items():
        assert value == expected[name], name


@every_notebook
def test_it_imports_what_it_uses_and_nothing_else(path):
    source = "\n".join(cell.source for cell in cells(path))
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--select",
            "F401,F841",
            "--stdin-filename",
            "n.py",
            "-",
        ],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout


@every_notebook
def test_its_outputs_name_no_place_or_time(path):
    text = json.dumps([cell.outputs for cell in cells(path)])
    text = re.sub(r'"image/png": "[^"]*"', "", text)
    assert not re.search(
        r"/home/|/root/|/Users/|/tmp/|0x[0-9a-f]{6,}|(?<![\w-])20[2-9]\d-\d\d-\d\d", text
    )


def test_the_toy_simulations_have_the_published_settings():
    printed = published.read_published("dror2017", "section5").set_index("quantity")["printed"]
    toy = read_study("config/paper.yaml").notebooks["toy_simulations"]
    number = lambda name: float(printed[name].replace(",", ""))  # noqa: E731
    assert toy["alpha"] == number("alpha")
    assert toy["n_families"] == number("repetitions")
    assert toy["independent"] == [[number("number of hypotheses"), 0]]
    assert toy["dependent"] == [
        [number("independent datasets"), 0],
        [number("datasets in each correlated group"), number("correlation of the first group")],
        [number("datasets in each correlated group"), number("correlation of the second group")],
    ]
    assert sum(size for size, _ in toy["dependent"]) == number("number of hypotheses")
