"""Small files, short functions, no private name abroad, no docstring that names a lost module."""

import ast
import re

import pytest

from replicability.io import paths

LONGEST_FILE, LONGEST_FUNCTION = 500, 40
"""Lines of a file; lines of a function without its docstring."""

SMALL = ("analysis", "replicability")
"""Folders whose files and functions are kept so small."""

NAMING = ("analysis", "book", "paper", "replicability", "scripts")
"""Folders whose docstrings name types by modules that exist, and whose private names stay home."""

OF_OTHERS = {
    *("argparse", "errno", "ipywidgets", "matplotlib", "np", "numpy", "pd", "pyarrow", "rep"),
    *("resampling", "threading", "zipfile"),
}
"""Modules of others that docstrings name."""


def files(folders):
    found = (p for folder in folders for p in (paths.ROOT / folder).rglob("*.py"))
    return sorted(found)


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


def private(name):
    return name.startswith("_") and not name.endswith("__")


def private_names_of_others(path):
    """List the private names that a file imports, or takes from a module that it imports."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = [
        alias
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    modules = {alias.asname or alias.name.rpartition(".")[2] for alias in imported}
    return [alias.name for alias in imported if private(alias.name)] + [
        f"{node.value.id}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in modules and private(node.attr)
    ]


@parameters(NAMING)
def test_no_private_name_is_used_abroad(path):
    assert private_names_of_others(path) == []


def test_private_names_are_seen_however_they_are_taken(tmp_path):
    file = tmp_path / "n.py"
    file.write_text(
        "import a.b\nfrom c import _d, __version__\nfrom e import f as g\n"
        "g._h\nb._i\nself._j\na.k._l\n",
        encoding="utf-8",
    )
    assert private_names_of_others(file) == ["_d", "g._h", "b._i"]


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


@pytest.mark.parametrize("package", ["analysis", "replicability"])
def test_a_package_lists_its_modules(package):
    folder = paths.ROOT / package
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    listed = re.findall(rf"^`{package}\.(\w+)`", text, re.MULTILINE)
    there = {p.stem for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
    assert sorted(listed) == sorted(there - {"__init__", "__main__"})
