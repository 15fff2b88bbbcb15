"""A compendium of one's own: what `new --compendium` writes, that it runs, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from replicability.cli import main, new

HANGS = 3600
"""Seconds that nothing takes unless it hangs."""

LIBRARY = str(Path(new.__file__).parents[2])


def start(*arguments):
    return main(["new", *map(str, arguments)])


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_it_holds_what_a_compendium_needs_and_nothing_of_this_one(tmp_path, capsys):
    folder = tmp_path / "sub" / "mine"
    assert start("--compendium", folder) == 0
    expected = {"Snakefile", "README.md", "study.ipynb", "environment.yml", "requirements.txt"}
    expected |= {"config/mine.yaml", "data/mine/scores.csv", ".github/workflows/test.yml"}
    assert files(folder) == expected | {".gitignore", "profiles/default/config.yaml"}
    assert "snakemake" in capsys.readouterr().out
    for name in files(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert "$" not in text, name
        assert "analysis" not in text, name
        assert LIBRARY not in text or name == "requirements.txt"


@pytest.mark.parametrize(
    ("folder", "name"), [("mein Käse", "mein_k_se"), ("2017", "study_2017"), ("été", "t")]
)
def test_a_folder_may_have_any_name(tmp_path, folder, name):
    assert start("--compendium", tmp_path / folder, "--from", "long") == 0
    assert (tmp_path / folder / "config" / f"{name}.yaml").is_file()
    assert f"config/{name}.yaml" in (tmp_path / folder / "Snakefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_nothing_is_overwritten(tmp_path, capsys, kind):
    folder = tmp_path / "mine"
    if kind == "folder":
        folder.mkdir()
        (folder / "README.md").write_text("mine", encoding="utf-8")
    else:
        folder.write_text("mine", encoding="utf-8")
    assert start("--compendium", folder) == 1
    said = capsys.readouterr().err
    assert f"{folder} already exists and will not be overwritten; choose a folder" in said
    assert said.count("\n") == 1
    assert files(tmp_path) == ({"mine/README.md"} if kind == "folder" else {"mine"})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--compendium", "mine", "--from", "wid"), "did you mean 'wide'?"),
        (("My Study", "--compendium", "mine"), "try 'my_study'."),
        ((), "Give the study a name, as in `replicability new mystudy`."),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    tmp_path, monkeypatch, capsys, arguments, said
):
    monkeypatch.chdir(tmp_path)
    assert start(*arguments) == 1
    found = capsys.readouterr().err
    assert said in found
    assert found.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "mine").mkdir()
    assert start("other", "--compendium", tmp_path / "mine") == 0
    assert (tmp_path / "mine" / "config" / "other.yaml").is_file()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (None, "replicability[report]=="),
        ({"url": "file:///here"}, "replicability[report] @ file:///here"),
        (
            {"url": "https://x.org/r.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "replicability[report] @ git+https://x.org/r.git@abc",
        ),
    ],
)
def test_it_asks_for_the_library_that_wrote_it(tmp_path, monkeypatch, said, line):
    class Distribution:
        def read_text(self, name):
            return said and json.dumps(said)

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Distribution())
    assert start("--compendium", tmp_path / "mine") == 0
    lines = (tmp_path / "mine" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith(line)


@pytest.mark.long
@pytest.mark.parametrize("origin", ["wide", "pvalues"])
def test_its_two_commands_pass_and_so_does_nbval(tmp_path, origin):
    folder = tmp_path / "my study"
    assert start("--compendium", folder, "--from", origin) == 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": LIBRARY}

    def run(*command):
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANGS,
            check=False,
        )

    found = run("snakemake")
    assert found.returncode == 0, found.stderr
    assert {"study.ipynb", "tables/datasets.csv"} <= files(folder / "results")
    assert list(folder.glob("results/figures/evidence_*.svg"))
    assert "outperforms" in (folder / "results" / "study.ipynb").read_text(encoding="utf-8")
    assert "Nothing to be done" in run("snakemake").stderr
    notebook = folder / "study.ipynb"
    text = notebook.read_text(encoding="utf-8").replace("On which datasets?", "Which ones?")
    notebook.write_text(text, encoding="utf-8")
    assert run("snakemake").returncode == 0
    assert "Which ones?" in (folder / "results" / "study.ipynb").read_text(encoding="utf-8")
    nbval = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", notebook)
    assert run(*nbval).returncode == 0
    stored = run("jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", notebook)
    assert stored.returncode == 0, stored.stderr
    found = run(*nbval)
    assert found.returncode == 0, found.stdout
    text = notebook.read_text(encoding="utf-8")
    assert "outperforms baseline" in text
    notebook.write_text(text.replace("outperforms baseline", "equals baseline"), encoding="utf-8")
    assert run(*nbval).returncode == 1
