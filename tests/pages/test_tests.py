"""Where tests stand, in the folder of what they test, and which command runs them."""

import ast
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml

import replicability
from analysis import paths

LAYERS = sorted(path.parent.name for path in paths.ROOT.glob("replicability/*/__init__.py"))
PACKAGES = {"analysis": "analysis", **{layer: f"replicability.{layer}" for layer in LAYERS}}
"""Folder of tests -> the package whose modules are tested there."""

API = sorted(set(replicability.__all__) - set(LAYERS))
"""What `replicability.api` brings into the package itself."""

OTHERS = {"corpus", "pages", "scripts", "workflow"}
"""Folders of what is no module of a package."""

TESTS = [
    path.relative_to(paths.ROOT / "tests") for path in (paths.ROOT / "tests").rglob("test_*.py")
]
PLACED = sorted(path.as_posix() for path in TESTS if path.parts[0] in PACKAGES)


def imported(file):
    """Return the names of what a file imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    names = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def beside(path):
    """Return what is imported by the files of the same folder that a test imports."""
    files = {path.parent / f"{name.partition('.')[0]}.py" for name in imported(path)}
    return {name for file in files if file.is_file() for name in imported(file)}


def homes(stem):
    """Return the folders whose package has a module of a name."""
    files = {folder: paths.ROOT / package.replace(".", "/") for folder, package in PACKAGES.items()}
    return {
        folder
        for folder, place in files.items()
        if any(place.rglob(f"{stem}.py")) or any(place.rglob(f"{stem}/__init__.py"))
    }


def test_every_test_is_run_by_one_of_two_commands_and_ci_runs_both_quick_first():
    makefile = (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    marks = re.findall(r"\$\(PYTEST\) -m (\"[^\"]*\"|\w+)", makefile)
    assert marks == ['"not slow and not long"', '"not long"', "long"]
    commands = ["make test", "make test-long"]
    local = (paths.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^make .*", local, re.MULTILINE) == commands
    steps = yaml.safe_load((paths.ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    ran = [step["run"] for step in steps["jobs"]["test"]["steps"] if "run" in step]
    assert ran[:3] == [*commands, "make reproduce"]
    assert ran[3].startswith("git diff --exit-code -- figures tables notebooks")


@pytest.mark.slow
@pytest.mark.parametrize(("target", "name"), [("test", "papers"), ("test-long", "mirror")])
def test_make_takes_a_folder_outside_the_checkout(tmp_path, target, name):
    folder = tmp_path / "a folder"
    folder.mkdir()
    make = shutil.which("make") or pytest.skip("there is no make")
    call = [make, "--dry-run", "--always-make", target, f"{name}={folder}"]
    shown = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True, check=True).stdout
    (line,) = [line for line in shown.splitlines() if " -m pytest " in line]
    (given,) = [word for word in shlex.split(line) if str(folder) in word]
    call = [sys.executable, "-m", "pytest", "--collect-only", "-q", given, "tests/test_layers.py"]
    found = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")


def test_the_tests_of_every_layer_of_the_library_are_unit_tests():
    makefile = (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    (named,) = re.findall(r"^UNIT := replicability .*\$\(addprefix tests/,(.*)\)$", makefile, re.M)
    assert set(named.split()) == {*LAYERS, "api"}


def test_every_folder_of_tests_is_that_of_something():
    folders = {path.parts[0] for path in TESTS if len(path.parts) > 1}
    assert folders - PACKAGES.keys() == OTHERS
    assert folders.issuperset(LAYERS)


@pytest.mark.parametrize("name", PLACED)
def test_a_test_stands_where_the_module_does_that_it_tests(name):
    path = paths.ROOT / "tests" / name
    folder = name.partition("/")[0]
    tested = PACKAGES[folder]
    names = {*imported(path), *beside(path)}
    assert any(f"{module}.".startswith(f"{tested}.") for module in names) or (
        folder == "api" and names & {"replicability", *(f"replicability.{n}" for n in API)}
    )
    named = homes(path.stem.removeprefix("test_"))
    assert folder in named or not named
