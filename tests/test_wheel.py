"""The library by itself: its wheel, in an environment that has what it declares, and no more."""

import email
import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from flit_core import buildapi
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from analysis import paths
from replicability.cli.new import EXAMPLES

EXTRA = ("matplotlib", "jinja2", "tabulate")
"""What the extra `report` brings."""

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
    """As `install`; tests of a module add to it."""
    return install(wheel, tmp_path_factory)


@pytest.fixture
def clean(wheel, tmp_path_factory):
    """As `install`; nobody has added to it."""
    return install(wheel, tmp_path_factory)


def install(wheel, tmp_path_factory):
    """Install the wheel, link what it declares, and return a function that runs in a folder.

    Links reach the packages alone: not the checkout, to which a file .pth beside them leads.
    """
    folder = tmp_path_factory.mktemp("environment")
    site = environment(folder, declared(wheel))
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


def environment(folder, requirements):
    """Make an environment with links to what is required; return where its packages are."""
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python3.*/site-packages")
    link(site, requirements)
    return site


def link(site, requirements):
    """Link distributions, with what they need, into the packages of an environment."""
    for distribution in with_theirs(requirements).values():
        for part in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
            if not (site / part).exists():
                (site / part).symlink_to(distribution.locate_file(part))


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
        (["tests"], "Default tests for each kind of scores:"),
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
        r"A report needs .*; install the extra 'report' with: .*\n",
        found.stderr,
    )
    assert not (installed.here / "results").exists()
    link(installed.site, map(Requirement, EXTRA))
    found = installed("replicability", "run", "config/mine.yaml")
    assert found.returncode == 0, found.stderr
    assert "ours outperforms baseline on at least 1 of 3 datasets" in found.stdout
    page = (installed.here / "results/mine/report/report.html").read_text(encoding="utf-8")
    assert "replicability run config/mine.yaml" in page
    assert "Rotem Dror, Gili Baumer" in page


LOGS = EXAMPLES / "lm_eval"


def test_a_gate_comments_without_the_extra(clean):
    written = ["--markdown", "comment.md", "--junit", "junit.xml"]
    asked = ["gate", LOGS / "baseline", LOGS / "ours", "--margin", "0.05"]
    found = clean("replicability", *asked, *written)
    assert found.returncode == 0, found.stderr
    comment = (clean.here / "comment.md").read_text(encoding="utf-8")
    assert comment.startswith("### SHIP: ours may replace baseline\n")
    assert "<testsuite" in (clean.here / "junit.xml").read_text(encoding="utf-8")
    found = clean("replicability", *asked, "--html", "page.html")
    assert (found.returncode, found.stdout) == (3, "")
    assert "install the extra 'report' with" in found.stderr
    assert not (clean.here / "page.html").exists()


@pytest.mark.long
def test_pytest_finds_the_plugin_of_the_wheel(clean):
    link(clean.site, [Requirement("pytest")])
    folders = [str(LOGS / name) for name in ("baseline", "ours")]
    (clean.here / "test_release.py").write_text(
        "def test_better(assert_not_worse):\n"
        f"    assert_not_worse(*{folders!r}, margin=0.05)\n\n"
        "def test_worse(assert_not_worse):\n"
        f"    assert_not_worse(*{folders[::-1]!r}, margin=0.05)\n",
        encoding="utf-8",
    )
    found = clean("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_release.py")
    assert found.returncode == 1, found.stderr
    assert "1 failed, 1 passed" in found.stdout
    assert "BLOCK: baseline is worse than ours on" in found.stdout


@pytest.mark.long
def test_every_step_of_the_action_runs_where_the_library_is_not_installed(tmp_path):
    """With Python, the packages that pip would fetch, and the variables of a runner alone."""
    action = paths.ROOT / ".github" / "actions" / "gate"
    content = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = ["pip", "flit_core", *EXTRA, *content["project"]["dependencies"]]
    site = environment(tmp_path / "python", map(Requirement, needed))
    for name in ("baseline", "ours"):
        shutil.copytree(LOGS / name, tmp_path / "work" / "results" / name)
    runner = {
        **{"PATH": f"{tmp_path / 'python' / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path / "home")},
        **{"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": str(tmp_path / "work")},
        **{"RUNNER_TEMP": str(tmp_path / "temp"), "RUNNER_OS": "Linux"},
        **{"GITHUB_OUTPUT": str(tmp_path / "outputs"), "GITHUB_ACTION_PATH": str(action)},
        **{"GITHUB_STEP_SUMMARY": str(tmp_path / "summary")},
        # no network: pip builds with flit_core of the environment, and finds the rest there
        **{"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"},
    }
    inputs = {"BASE": "results/ours", "NEW": "results/baseline", "ARGUMENTS": "--margin 0.05"}
    statuses = []
    for step in yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))["runs"][
        "steps"
    ]:
        assert step["shell"] == "bash"
        script = tmp_path / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=tmp_path / "work",
            env=runner | dict.fromkeys(step.get("env", {}), "") | inputs,
            capture_output=True,
            text=True,
            check=False,
        )
        statuses.append((done.returncode, done.stderr))
    assert [status for status, _ in statuses] == [0, 1], statuses
    assert (site / "replicability" / "api" / "gate.py").is_file()
    assert "verdict=BLOCK\n" in (tmp_path / "outputs").read_text(encoding="utf-8")
    assert "BLOCK: baseline is worse than ours" in (tmp_path / "summary").read_text(
        encoding="utf-8"
    )
