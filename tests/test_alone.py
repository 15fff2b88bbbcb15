"""The library stands alone: a relative path starts where the caller is, whatever lies around."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import replicability as rep
from replicability import checks
from replicability.cli.new import EXAMPLES
from replicability.core import evaluation
from replicability.io import delimited, provenance, text
from replicability.io.study import read_study

PACKAGE = Path(rep.__file__).parent

STUDY = """study: mine
alphas: [0.05]
comparisons:
  - {name: ours, title: Ours, systems: [ours, base], dependence: independent, file: s.csv,
     columns: {dataset: dataset, instance: instance, scores: [ours, base]}}
"""


def scores(ours, base):
    """Write 8 items of two datasets, with the same score everywhere."""
    rows = [f"{name},{i},{ours},{base}" for name in "xy" for i in range(8)]
    return "\n".join(["dataset,instance,ours,base", *rows]) + "\n"


@pytest.fixture
def folders(tmp_path):
    """Return two folders with a study each; ours wins in the first, and loses in the second."""
    found = []
    for name, given in (("first", (1, 0)), ("second", (0, 1))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "study.yaml").write_text(STUDY, encoding="utf-8")
        (tmp_path / name / "s.csv").write_text(scores(*given), encoding="utf-8")
        found.append(tmp_path / name)
    return found


def alone(folder, code, *arguments, path=PACKAGE.parent):
    """Run Python in a folder, with nothing but a copy of the library on its path."""
    environment = {**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-c", code] if code else [sys.executable, "-P", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_every_call_reads_the_folder_that_is_current_then(folders, monkeypatch):
    means, tables, said, digests = [], [], [], []
    for folder in folders:
        monkeypatch.chdir(folder)
        (comparison,) = read_study("study.yaml").comparisons
        means.append(evaluation.evaluate(comparison)["score_a"].tolist())
        tables.append(delimited.read_table("s.csv")["ours"].unique().tolist())
        said.append(rep.compare("s.csv", a="ours", b="base").k)
        digests.append(provenance.digests(["s.csv"]))
    assert means == [[1.0, 1.0], [0.0, 0.0]]
    assert tables == [["1"], ["0"]]
    assert said == [2, 0]
    assert [*digests[0]] == [*digests[1]] == ["s.csv"]
    assert digests[0] != digests[1]


def test_a_study_opens_its_files_when_it_is_evaluated(folders, monkeypatch):
    monkeypatch.chdir(folders[0])
    (comparison,) = read_study("study.yaml").comparisons
    monkeypatch.chdir(folders[1])
    assert evaluation.evaluate(comparison)["score_a"].tolist() == [0.0, 0.0]


def test_messages_name_files_from_the_current_folder(folders, monkeypatch):
    first, second = folders
    monkeypatch.chdir(first)
    assert text.shown(first / "s.csv") == text.shown("s.csv") == "s.csv"
    assert text.shown(second / "s.csv") == str(second / "s.csv")
    with pytest.raises(checks.InputError, match=r"^t\.csv does not exist"):
        text.existing("t.csv")
    with pytest.raises(checks.InputError, match=r"^t\.csv does not exist"):
        read_study("t.csv")
    monkeypatch.chdir(second)
    assert text.shown(first / "s.csv") == str(first / "s.csv")


def test_an_interpreter_that_changes_its_folder_reads_the_new_one(folders):
    code = (
        "import os\n"
        "import replicability as rep\n"
        "from replicability.core import evaluation\n"
        "from replicability.io.study import read_study\n"
        "for folder in ('first', 'second'):\n"
        "    os.chdir(folder)\n"  # as %cd does
        "    (comparison,) = read_study('study.yaml').comparisons\n"
        "    table = evaluation.evaluate(comparison)\n"
        "    print(*table['score_a'], rep.compare('s.csv', a='ours', b='base').k)\n"
        "    os.chdir('..')\n"
    )
    found = alone(folders[0].parent, code)
    assert (found.stdout, found.stderr) == ("1.0 1.0 2\n0.0 0.0 0\n", "")


@pytest.fixture(scope="module")
def vendored(tmp_path_factory):
    """Return a folder with a copy of the library beside a foreign Snakefile and configuration."""
    folder = tmp_path_factory.mktemp("theirs")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "replicability", ignore=ignore)
    (folder / "Snakefile").write_text("rule all:\n", encoding="utf-8")
    (folder / "config").mkdir()
    for name in ("items.yaml", "items_schema.yaml", "study_schema.yaml"):
        (folder / "config" / name).write_text("theirs: [\n", encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_foreign_snakefile_beside_the_library_changes_nothing(vendored, tmp_path):
    module = ("-m", "replicability")
    found = alone(tmp_path, "", *module, "new", "mine", "--from", "pvalues", path=vendored)
    assert (found.returncode, found.stderr) == (0, "")
    assert "  replicability run config/mine.yaml\n" in found.stdout
    assert (tmp_path / "config" / "mine.yaml").is_file()
    assert not (vendored / "config" / "mine.yaml").exists()
    found = alone(tmp_path, "", *module, "run", "config/mine.yaml", "--json", path=vendored)
    assert found.returncode == 0, found.stderr
    answer = json.loads(found.stdout)
    assert Path(answer["page"]).is_relative_to(tmp_path)
    assert "replicability run config/mine.yaml" in Path(answer["page"]).read_text(encoding="utf-8")
    code = "from replicability.io import study; print(study.__file__)"
    said = alone(tmp_path, code, path=vendored).stdout
    assert said == f"{vendored / 'replicability' / 'io' / 'study.py'}\n"


@pytest.mark.slow
def test_the_command_reads_the_folder_in_which_it_runs(folders):
    said = []
    for folder in folders:
        command = ("-m", "replicability", "compare", "s.csv", "--systems", "ours", "base")
        found = alone(folder, "", *command, "--json")
        assert found.returncode == 0, found.stderr
        said.append([f["k"] for f in json.loads(found.stdout)["findings"]])
    assert said[0] != said[1]


def test_the_library_names_nothing_of_the_compendium():
    words = ("Snakefile", "items.yaml", "study_schema", "data/published", "make study")
    for path in PACKAGE.rglob("*"):
        if path.suffix in (".py", ".yaml", ".jinja", ".txt") and EXAMPLES not in path.parents:
            content = path.read_text(encoding="utf-8")
            assert [word for word in words if word in content] == [], path
