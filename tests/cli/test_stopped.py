"""Runs that are stopped or fail: a report is the old one or the new one, and nothing is left."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from checkouts import wait_for

from analysis import paths
from replicability import cli
from replicability.io import publish

STUDY = {
    "study": "mine",
    "alphas": [0.05],
    "comparisons": [
        {"name": "ours", "systems": ["A", "B"], "dependence": "independent", "file": "p.csv",
         "columns": {"dataset": "dataset", "p_value": "p"}},
    ],
}  # fmt: skip


def contents(folder):
    """Return the files of a folder at any depth: relative path -> bytes."""
    found = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def litter():
    """Return what only a run that does not end leaves beside its report."""
    return [path.name for path in Path("results").glob(".mine*")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Enter a folder with a study."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    return tmp_path


def give(pvalue):
    """Give the study other numbers."""
    Path("p.csv").write_text(f"dataset,p\none,{pvalue}\ntwo,0.3\n", encoding="utf-8")


def run(*arguments):
    assert cli.main(["run", "mine.yaml", *arguments]) == 0
    return contents("results/mine")


@pytest.fixture
def reports(folder):
    """Return the reports of two versions of the study; the first is there."""
    give(0.9)
    new = run()
    give(0.001)
    old = run()
    give(0.9)
    assert old.keys() == new.keys()
    assert len([name for name in old if old[name] != new[name]]) > 5
    return old, new


HEARS = """
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
"""Under nohup or in the background, these are ignored, and so they are in what a test starts."""


@contextlib.contextmanager
def start(code, *arguments):
    """Start the command line after some lines of Python, with no signal ignored."""
    code = f"import os, signal, sys\nfrom pathlib import Path\n{HEARS}\n{code}\n"
    code += "from replicability.__main__ import run\nsys.exit(run())"
    environment = {**os.environ, "PYTHONPATH": str(paths.ROOT)}
    call = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(call, env=environment, stdin=-1, stdout=-1, stderr=-1) as process:
        try:
            yield process
        finally:
            process.kill()


WAITS = """
from replicability.show import html_report

def save(*arguments, **options):
    Path("sign").touch()
    signal.pause()

html_report.save = save
"""

SAID = b"Stopped. No partly written file was left behind.\n"


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_run_that_leaves_nothing(reports, number):
    with start(WAITS, "run", "mine.yaml") as process:
        wait_for(lambda: Path("sign").exists() or process.poll() is not None)
        process.send_signal(number)
        assert process.communicate(timeout=600) == (b"", SAID)
    assert process.returncode == -number  # to a shell 128 more: 143 after SIGTERM
    assert contents("results/mine") == reports[0]
    assert litter() == []


# command, what is stopped
COMMANDS = {
    "pvalues": ("replicability.cli.parser", "plain", ["pvalues", "0.1", "0.2", "--json"]),
    "audit": ("replicability.api.published", "examine", ["audit", "table.csv"]),
    "compare": ("pathlib", "Path.replace", ["compare", "table.csv", "--html", "page.html"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_is_one_sentence_from_every_command(folder, command, number):
    module, name, arguments = COMMANDS[command]
    rows = "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(40))
    Path("table.csv").write_text(f"instance,A,B\n{rows}", encoding="utf-8")
    Path("page.html").write_text("old", encoding="utf-8")
    before = contents(".")
    stopped = f"""
import {module} as module

def stops(*arguments, **options):
    Path("sign").touch()
    signal.pause()

module.{name} = stops
"""
    with start(stopped, *arguments) as process:
        wait_for(lambda: Path("sign").exists() or process.poll() is not None)
        process.send_signal(number)
        out, said = process.communicate(timeout=600)
    assert (process.returncode, out, said.splitlines(True)[-1]) == (-number, b"", SAID)
    assert b"Traceback" not in said
    Path("sign").unlink()
    assert contents(".") == before


KILLED = """
import pathlib
from replicability.show import html_report
phase, renamed = {phase!r}, []
rename = pathlib.Path.rename

def die(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

def counted(self, target):
    if self.name in ("mine", "new"):
        renamed.append(self)
        if len(renamed) == phase:
            die()
    return rename(self, target)

pathlib.Path.rename = counted
if phase == 0:
    html_report.save = die
if phase == 3:
    import shutil
    shutil.rmtree = lambda path, **options: die() if renamed else None
"""


@pytest.mark.long
@pytest.mark.parametrize("phase", range(4), ids=["writes", "renames", "between", "removes"])
def test_the_next_run_mends_what_a_killed_one_left(reports, phase):
    old, new = reports
    Path("results/mine/notes.txt").write_text("mine", encoding="utf-8")
    with start(KILLED.format(phase=phase), "run", "mine.yaml") as process:
        assert process.communicate(timeout=600) == (b"", b"")
    assert process.returncode == -signal.SIGKILL
    left = contents("results/mine")
    if phase == 2:
        assert left == {}
    else:
        assert left.pop("notes.txt") == b"mine"
        assert left == (new if phase == 3 else old)
    assert litter() != []
    made = run()
    assert made.pop("notes.txt") == b"mine"
    assert made == new
    assert litter() == []


@pytest.mark.slow
@pytest.mark.parametrize("fails", ["mine", "new"])
def test_a_rename_that_fails_leaves_the_old_report(reports, monkeypatch, capsys, fails):
    rename = Path.rename

    def refused(self, target):
        if self.name == fails:
            raise OSError(5, "Input/output error", str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refused)
    assert cli.main(["run", "mine.yaml"]) == 1
    assert re.search(r"^results/mine could not be written: input/output", capsys.readouterr().err)
    assert contents("results/mine") == reports[0]
    assert litter() == []


@pytest.mark.slow
def test_files_of_the_user_stay_and_a_place_that_is_taken_is_a_sentence(reports, capsys):
    new = reports[1]
    place = Path("results/mine")
    (place / "own" / "deep").mkdir(parents=True)
    (place / "own" / "deep" / "notes.txt").write_text("mine", encoding="utf-8")
    (place / "own" / "link").symlink_to("nowhere")
    (place / "tables" / "ours.md").write_text("changed", encoding="utf-8")
    number = (place / "own" / "deep" / "notes.txt").stat().st_ino
    made = run()
    assert made.pop("own/deep/notes.txt") == b"mine"
    assert (place / "own" / "deep" / "notes.txt").stat().st_ino == number
    assert (place / "own" / "link").readlink() == Path("nowhere")
    assert made == new
    page = place / "report" / "report.html"
    page.unlink()
    page.mkdir()
    (page / "notes.txt").write_text("mine", encoding="utf-8")
    before = contents(place)
    give(0.001)
    assert cli.main(["run", "mine.yaml"]) == 1
    said = capsys.readouterr().err
    assert re.fullmatch(r"results/mine could not be written: file exists .*\n", said)
    assert contents(place) == before
    assert litter() == []


@pytest.mark.slow
def test_without_links_files_of_the_user_are_copied(reports, monkeypatch):
    def refuse(*arguments, **options):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    Path("results/mine/notes.txt").write_text("mine", encoding="utf-8")
    assert run() == reports[1] | {"notes.txt": b"mine"}


@pytest.mark.slow
def test_a_link_to_the_folder_stays_a_link(reports):
    Path("results/mine").rename("elsewhere")
    Path("results/mine").symlink_to("../elsewhere")
    assert run() == reports[1]
    assert Path("results/mine").is_symlink()
    assert [path.name for path in Path().glob(".*")] == []


@pytest.mark.parametrize("into", [".", "..", "results"])
def test_a_folder_that_cannot_be_replaced_is_a_sentence(folder, monkeypatch, capsys, into):
    give(0.001)
    Path("results").mkdir()
    what = "contains the current folder"
    if into == "results":
        monkeypatch.setattr(Path, "is_mount", lambda self: self.name == "results")
        what = "is a separate file system"
    before = contents(".")
    assert cli.main(["run", "mine.yaml", "--into", into]) == 1
    said = capsys.readouterr().err
    assert f"{what}, but a report replaces its whole folder; give a folder" in said
    assert "report.\n" in said
    assert contents(".") == before


@pytest.mark.long
def test_a_second_run_waits_for_the_first(reports):
    fcntl = pytest.importorskip("fcntl")
    lock = Path("results/.mine.lock")
    with lock.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with start("", "run", "mine.yaml") as second:
            line = second.stderr.readline()
            assert re.fullmatch(rb"Another run is writing .*results/mine; waiting .*\n", line)
            assert contents("results/mine") == reports[0]
            lock.unlink()
            fcntl.flock(held, fcntl.LOCK_UN)
            second.communicate(timeout=600)
    assert second.returncode == 0
    assert contents("results/mine") == reports[1]
    assert litter() == []


@pytest.mark.slow
def test_a_system_without_locks_makes_the_same_report(reports, monkeypatch):
    monkeypatch.setattr(publish, "fcntl", None)
    assert run() == reports[1]


@pytest.mark.slow
def test_new_writes_where_run_reads(tmp_path):
    call = [sys.executable, "-m", "replicability"]
    environment = {**os.environ, "PYTHONPATH": str(paths.ROOT)}
    for arguments in (["new", "mine", "--from", "pvalues"], ["run", "config/mine.yaml"]):
        found = subprocess.run(
            [*call, *arguments], cwd=tmp_path, env=environment, capture_output=True, check=True
        )
        assert found.stderr == b""
    assert (tmp_path / "results" / "mine" / "report" / "report.html").is_file()
