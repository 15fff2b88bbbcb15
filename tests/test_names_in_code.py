"""Check that private names stay in their module and that docstrings name existing modules."""

import ast
import re

import pytest

from analysis import paths

NAMING = ("analysis", "book", "paper", "replicability", "scripts")
"""Folders whose docstrings name types by modules that exist, and whose private names stay home."""

OF_OTHERS = {
    *("argparse", "errno", "ipywidgets", "matplotlib", "np", "numpy", "pd", "pyarrow", "rep"),
    *("resampling", "threading", "zipfile"),
}
"""Modules of others that docstrings name."""


@pytest.fixture(scope="module")
def trees():
    """Return the syntax tree of every file of `NAMING`."""
    files = [path for folder in NAMING for path in (paths.ROOT / folder).rglob("*.py")]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}


def private(name):
    return name.startswith("_") and not name.endswith("__")


def private_names_of_others(tree):
    """List the private names that a file imports, or takes from a module that it imports."""
    nodes = list(ast.walk(tree))
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


def test_no_private_name_is_used_abroad(trees):
    found = {str(path): private_names_of_others(tree) for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_private_names_are_seen_however_they_are_taken():
    text = (
        "import a.b\nfrom c import _d, __version__\nfrom e import f as g\n"
        "g._h\nb._i\nself._j\na.k._l\n"
    )
    assert private_names_of_others(ast.parse(text)) == ["_d", "g._h", "b._i"]


def lost_modules(tree, there):
    """List the modules that docstrings name as `module.Type` and that do not exist."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    text = "\n".join(ast.get_docstring(node) or "" for node in nodes)
    return set(re.findall(r"(?<![\w./])([a-z]\w*)\.[A-Z]\w+\b", text)) - there


def test_docstrings_name_modules_that_exist(trees):
    there = OF_OTHERS.union(*((path.stem, path.parent.name) for path in trees))
    found = {str(path): lost_modules(tree, there) for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_lost_module_is_seen_in_any_docstring():
    tree = ast.parse('"""Of a.Bee."""\nclass C:\n    def f():\n        """Return a gone.Dee."""\n')
    assert lost_modules(tree, {"a"}) == {"gone"}


@pytest.mark.parametrize("package", ["analysis", "replicability"])
def test_a_package_lists_its_modules(package):
    folder = paths.ROOT / package
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    listed = re.findall(rf"^`{package}\.(\w+)`", text, re.MULTILINE)
    there = {p.stem for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
    assert sorted(listed) == sorted(there - {"__init__", "__main__"})
