"""Small files, short functions, no private name abroad, no docstring that names a lost module."""

import ast
import re

import pytest

from replicability.io import paths

LONGEST_FILE, LONGEST_FUNCTION = 500, 40
"""Lines of a file; lines of a function without its docstring."""

SMALL = ("analysis", "replicability/audit")
"""Folders whose files and functions are kept so small, and whose private names stay at home."""

NAMING = ("analysis", "replicability/audit", "scripts")
"""Folders whose docstrings name types by modules that exist."""

OF_OTHERS = {
    *("argparse", "errno", "ipywidgets", "matplotlib", "np", "numpy", "pd", "pyarrow"),
    *("resampling", "threading", "zipfile"),
}
"""Modules of others that docstrings name."""


def files(folders):
    return sorted(p for folder in folders for p in (paths.ROOT / folder).rglob("*.py"))


def parameters(folders):
    return pytest.mark.parametrize(
        "path", files(folders), ids=lambda path: str(path.relative_to(paths.ROOT))
    )


def documented(path):
    """Return the module, classes and functions of a file."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def lines_of_code(function):
    """Count the lines of a function, decorators and docstring left out."""
    text = function.body[0] if ast.get_docstring(function) else None
    inside = text.end_lineno - text.lineno + 1 if text else 0
    return function.end_lineno - function.lineno + 1 - inside


@parameters(SMALL)
def test_no_file_is_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@parameters(SMALL)
def test_no_function_is_long(path):
    functions = [node for node in documented(path) if isinstance(node, ast.FunctionDef)]
    lengths = {function.name: lines_of_code(function) for function in functions}
    assert {name: n for name, n in lengths.items() if n > LONGEST_FUNCTION} == {}


def test_lines_of_code_are_counted_without_the_docstring():
    (function,) = ast.parse(
        '@cache\ndef f(x):\n    """Say\n    so.\n    """\n\n    return x\n'
    ).body
    assert lines_of_code(function) == 3


@parameters(["replicability/audit"])
def test_no_private_name_is_imported(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert [name for name in names if name.startswith("_")] == []


MODULES = {
    name
    for path in files(["analysis", "replicability", "book", "scripts"])
    for name in (path.stem, path.parent.name)
}


@parameters(NAMING)
def test_docstrings_name_modules_that_exist(path):
    text = "\n".join(ast.get_docstring(node) or "" for node in documented(path))
    named = set(re.findall(r"(?<![\w./])([a-z]\w*)\.[A-Z]\w+\b", text))
    assert named <= MODULES | OF_OTHERS
