"""What the workflow asks of the compendium: its study, and the modules of a notebook."""

import json

import pytest
from checkouts import run

from analysis import workflow
from replicability import checks
from replicability.io import paths

NOTEBOOKS = sorted(path.stem for path in (paths.ROOT / "notebooks").glob("*.ipynb"))

LOADS = """
import ast, json, sys
import nbformat

OWN = ("analysis", "replicability")
loaded = {}
for name in sys.argv[1:]:
    for module in [m for m in sys.modules if m.split(".")[0] in OWN]:
        del sys.modules[module]
    cells = nbformat.read(f"notebooks/{name}.ipynb", 4).cells
    code = ast.parse("\\n".join(c.source for c in cells if c.cell_type == "code"))
    code.body = [node for node in code.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    exec(compile(code, name, "exec"), {})
    loaded[name] = [m.__file__ for n, m in sys.modules.items() if n.split(".")[0] in OWN]
print(json.dumps(loaded))
"""
"""Imports what each notebook does, as if it were the first; says which files that loads."""


def test_study_file():
    assert workflow.study_file([]) == "config/paper.yaml"
    assert workflow.study_file([paths.CONFIG / "mine.yaml"]) == "config/mine.yaml"
    with pytest.raises(
        checks.InputError, match=r"A run has one study, but --configfile names a, b"
    ):
        workflow.study_file(["a", "b"])


@pytest.fixture(scope="module")
def loaded():
    found = run(paths.ROOT, "-c", LOADS, *NOTEBOOKS)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_modules_are_those_that_a_notebook_imports(name, loaded):
    files = {str(paths.Path(f).relative_to(paths.ROOT)) for f in loaded[name]}
    assert set(workflow.modules(f"notebooks/{name}.ipynb")) == files
