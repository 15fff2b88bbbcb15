"""The library by itself: its wheel, in an environment that has what it declares, and no more."""

import email
import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from flit_core import buildapi
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from analysis import paths
from replicability.cli.new import EXAMPLES

COMPENDIUM = {"snakemake", "papermill", "jupyterlab", "gensim", "nltk", "scikit-learn", "sphinx"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(paths.ROOT)
        return folder / buildapi.build_wheel(str(folder))


def declared(wheel):
    """Return the requirements of a wheel without its extras."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = email.message_from_bytes(archive.read(name)).get_all("Requires-Dist")
    return [needed for needed in map(Requirement, lines) if holds(needed, {""})]


def holds(needed, extras):
    return not needed.marker or any(needed.marker.evaluate({"extra": extra}) for extra in extras)


def with_theirs(requirements):
    """Return distributions, with those that they need: name -> distribution."""
    found, left = {}, list(requirements)
    while left:
        needed = left.pop()
        name = canonicalize_name(needed.name)
        if name not in found:
            found[name] = metadata.distribution(needed.name)
            theirs = map(Requirement, found[name].requires or ())
            left += [other for other in theirs if holds(other, needed.extras or {""})]
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel, link what it declares, and return a function that runs in a folder.

    Links reach the packages alone: not the checkout, to which a file .pth beside them leads.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python3.*/site-packages")
    for distribution in with_theirs(declared(wheel)).values():
        for name in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
            if not (site / name).exists():
                (site / name).symlink_to(distribution.locate_file(name))
    alone = {"PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("HOME", "TMPDIR"):
        alone[name] = str(tmp_path_factory.mktemp(name))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python"]
    options = ["install", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, folder / "bin" / "python", *options, wheel], env=alone, check=True)

    def run(program, *arguments):
        return subprocess.run(
            [folder / "bin" / program, *arguments],
            cwd=run.here,
            env=alone,
            capture_output=True,
            text=True,
            check=False,
        )

    run.site, run.here = site, tmp_path_factory.mktemp("here")
    run.elsewhere = [folder, alone["HOME"], alone["TMPDIR"]]
    return run


def link(installed, name):
    """Link a distribution, with what it needs, into the environment."""
    for distribution in with_theirs([Requirement(name)]).values():
        for part in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
            if not (installed.site / part).exists():
                (installed.site / part).symlink_to(distribution.locate_file(part))


def files(folder):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }


def test_it_holds_the_library_with_its_files_and_nothing_of_the_compendium(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    folders = {path.name for path in tmp_path.iterdir() if path.suffix != ".dist-info"}
    assert folders == {"replicability"}
    found = files(tmp_path / "replicability")
    assert found == files(paths.ROOT / "replicability")
    shown = {"show/templates/report.html.jinja", "show/templates/page.css"}
    assert {"cli/example/pvalues.txt", *shown} <= found


def test_it_needs_nothing_of_the_compendium(wheel, installed):
    needed = with_theirs(declared(wheel))
    assert {"numpy", "scipy", "pandas"} <= needed.keys()
    assert not COMPENDIUM & needed.keys()
    for module in ("analysis", "snakemake"):
        found = installed("python", "-c", f"import {module}")
        assert f"No module named '{module}'" in found.stderr


def test_every_module_is_there_with_what_it_needs(installed):
    code = (
        "import importlib, json, pkgutil, replicability\n"
        "missing = {}\n"
        "for module in pkgutil.walk_packages(replicability.__path__, 'replicability.'):\n"
        "    try: importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error: missing[module.name] = error.name\n"
        "print(json.dumps([replicability.__file__, missing]))"
    )
    found = installed("python", "-c", code)
    assert found.returncode == 0, found.stderr
    place, missing = json.loads(found.stdout.splitlines()[-1])
    assert place == str(installed.site / "replicability" / "__init__.py")
    extra = {"matplotlib", "jinja2"}  # which the extra `report` brings
    plugin = {"replicability.api.plugin": "pytest"}  # which pytest alone imports
    assert {pair for pair in missing.items() if pair[1] not in extra} <= {*plugin.items()}
    shown = missing.keys() - plugin.keys()
    assert all(module.startswith("replicability.show.") for module in shown)


def test_it_answers_in_any_folder_and_writes_nothing_anywhere(installed):
    before = [sorted(map(str, Path(place).rglob("*"))) for place in installed.elsewhere]
    table = installed.here / "p.csv"
    table.write_text("dataset,p\nnews,0.001\nmail,0.2\n", encoding="utf-8")
    shutil.copytree(EXAMPLES / "scores", installed.here / "scores")
    shutil.copytree(EXAMPLES / "conllu", installed.here / "conllu")
    shutil.copy(EXAMPLES / "wide" / "scores.csv", installed.here)
    expected = sorted(installed.here.rglob("*"))
    for arguments, sentence in (
        (["pvalues", "0.001", "0.2"], "A outperforms B on at least 1 of 2 datasets"),
        (["pvalues", "p.csv"], "A outperforms B on at least 1 of 2 datasets"),
        (
            ["compare", "scores/ours.csv", "scores/baseline.csv"],
            "ours outperforms baseline on at least 1 of 3 datasets",
        ),
        (
            ["compare", "conllu/ours", "conllu/baseline", "--gold", "conllu/gold"],
            "ours outperforms baseline on at least 1 of 3 datasets, namely news",
        ),
        (
            ["compare", "scores.csv"],
            "ours outperforms baseline on at least 1 of 3 datasets",
        ),
        (["tests"], "Defaults, by the scores:"),
        (["--version"], "replicability "),
    ):
        found = installed("replicability", *arguments)
        assert found.returncode == 0, arguments
        assert all(line.startswith("Read ") for line in found.stderr.splitlines()), arguments
        assert found.stdout.startswith(sentence), arguments
    as_module = installed("python", "-m", "replicability", *arguments)
    assert as_module.stdout == found.stdout
    assert sorted(installed.here.rglob("*")) == expected
    after = [sorted(map(str, Path(place).rglob("*"))) for place in installed.elsewhere]
    assert after == before


def test_the_readme_answers_in_any_folder(installed):
    readme = (paths.ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", readme, re.S | re.M)
    found = installed("python", "-c", code)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("ours outperforms baseline on at least 1 of 3 datasets")


def test_a_study_is_written_in_the_current_folder_and_drawn_with_the_extra(installed):
    found = installed("replicability", "new", "mine")
    assert (found.returncode, found.stderr) == (0, "")
    assert "  replicability run config/mine.yaml\n" in found.stdout
    text = (installed.here / "config" / "mine.yaml").read_text(encoding="utf-8")
    assert "make study" not in text
    assert not (installed.site / "config").exists()
    found = installed("replicability", "run", "config/mine.yaml")
    assert (found.returncode, found.stdout) == (1, "")
    assert re.fullmatch(
        r"A report needs .*; install replicability with the extra 'report': .*\n",
        found.stderr,
    )
    assert not (installed.here / "results").exists()
    for name in ("matplotlib", "jinja2", "tabulate"):
        link(installed, name)
    found = installed("replicability", "run", "config/mine.yaml")
    assert found.returncode == 0, found.stderr
    assert "ours outperforms baseline on at least 1 of 3 datasets" in found.stdout
    page = (installed.here / "results/mine/report/report.html").read_text(encoding="utf-8")
    assert "replicability run config/mine.yaml" in page
    assert "Rotem Dror, Gili Baumer" in page
