"""The command that runs a study: what it does again, what it says last, how it is stopped."""

import fcntl
import os
import re
import shutil
import signal
import subprocess

import pytest
import yaml
from checkouts import (
    Run,
    append,
    at_work,
    copy,
    needs_make,
    prepare,
    results,
    run,
    snakemake,
    wait_for,
)

from analysis import items

STUDY = "config/small.yaml"
SENTENCE = re.compile(r"ours outperforms baseline .*\n")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which a small study has run, with remarks and a folder of data."""
    checkout = copy(tmp_path_factory.mktemp("run"))
    assert run(checkout, "-m", "replicability", "new", "small", "--from", "folders").returncode == 0
    (checkout / "config" / "small").mkdir()
    (checkout / "config" / "small" / "your_comparison.md").write_text(
        "Remarks.\n", encoding="utf-8"
    )
    elsewhere = checkout.parent / "elsewhere"
    shutil.move(checkout / "data" / "small", elsewhere)
    config = checkout / STUDY
    text = config.read_text(encoding="utf-8").replace("data/small", str(elsewhere))
    config.write_text(f"{text}\nremarks: config/small\n", encoding="utf-8")
    found = run(checkout, "scripts/reproduce.py", STUDY)
    assert found.returncode == 0, found.stderr
    return checkout


def logs(checkout):
    """Count how often Snakemake has run."""
    return len(list((checkout / ".snakemake" / "log").iterdir()))


# --- nothing to do


def test_what_has_run_is_not_run_again_and_says_the_same(finished):
    made = times(finished)
    found = run(finished, "scripts/reproduce.py", STUDY)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(
        f"{STUDY}: nothing has changed since the last run.\n\nThe study small"
    )
    assert found.stdout.endswith(run(finished, "scripts/summary.py", STUDY).stdout)
    assert SENTENCE.search(found.stdout)
    assert times(finished) == made


def times(checkout):
    """Return when each file that the study publishes was written."""
    found = results(checkout, "results/small")
    return {name: (checkout / name).stat().st_mtime_ns for name in found}


def would_run(checkout):
    """Return whether Snakemake would run the notebook."""
    found = snakemake(checkout, "--configfile", STUDY, "--dry-run")
    assert found.returncode == 0, found.stderr
    return "your_comparison" in found.stdout + found.stderr


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("replicability/show/templates/report.html.jinja", marks=pytest.mark.long),
        pytest.param("replicability/stats/partial_conjunction.py", marks=pytest.mark.long),
        pytest.param("config/small/your_comparison.md", marks=pytest.mark.long),
        "../elsewhere/*/*.csv",
    ],
)
def test_a_changed_input_runs_the_study_whatever_its_time(finished, name):
    path = sorted(finished.glob(name))[0]
    content, times = path.read_bytes(), path.stat()
    try:
        path.write_bytes(content + b"\n")
        os.utime(path, (0, 0))
        assert would_run(finished)
    finally:
        path.write_bytes(content)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert not would_run(finished)


@pytest.mark.long
@pytest.mark.parametrize("name", ["figures/*.svg", "report/report.html", "tables/*.tex"])
def test_an_output_that_was_removed_is_made_again(finished, name):
    path = sorted((finished / "results" / "small").glob(name))[0]
    aside = path.rename(path.with_name("aside.tmp"))
    try:
        assert would_run(finished)
    finally:
        aside.rename(path)


@pytest.mark.long
def test_a_file_moved_into_its_place_is_read_whatever_its_time(finished):
    path = sorted(finished.glob("../elsewhere/*/*.csv"))[0]
    content, before = path.read_bytes(), results(finished, "results/small")
    lines = content.decode().splitlines()
    changed = [line[:-1] + {"0": "1", "1": "0"}.get(line[-1], line[-1]) for line in lines]
    path.write_text("\n".join(changed) + "\n", encoding="utf-8")
    os.utime(path, (0, 0))
    found = run(finished, "scripts/reproduce.py", STUDY)
    assert found.returncode == 0, found.stderr
    assert results(finished, "results/small") != before
    path.write_bytes(content)
    os.utime(path, (0, 0))
    found = run(finished, "scripts/reproduce.py", STUDY)
    assert found.returncode == 0, found.stderr
    assert "[1 of 1] notebooks/your_comparison.ipynb\n" in found.stdout
    assert results(finished, "results/small") == before


# --- what is said last


def test_without_a_study_all_are_listed(finished):
    found = run(finished, "scripts/reproduce.py")
    assert found.returncode == 2
    for path in (finished / "config").glob("*.yaml"):
        is_study = "study" in yaml.safe_load(path.read_text(encoding="utf-8"))
        assert (f"  config/{path.name}\n" in found.stderr) == is_study, path.name
    assert "make study STUDY=" in found.stderr


@needs_make
def test_make_study_lists_and_make_reproduce_runs_all(finished):
    found = subprocess.run(
        ["make", "--old-file", ".venv/ready", "--dry-run", "study", "reproduce"],
        cwd=finished,
        env={key: value for key, value in os.environ.items() if key != "STUDY"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert '.venv/bin/python scripts/reproduce.py "$STUDY"' in found.stdout
    studies = " ".join(f"config/{name}.yaml" for name in items.FOLDERS)
    assert f"for study in {studies};" in found.stdout


FAULTS = {
    "misspelt key": (STUDY, "dependence:", "dependance:", "did you mean 'dependence'?"),
    "misspelt test": (STUDY, "test: ", "test: x", "comparisons[0]: test 'x"),
    "missing folder": (STUDY, "elsewhere/", "elsewhree/", "does not exist"),
    "missing column": (STUDY, "score: ", "score: x", "column 'x"),
    "no number": ("../elsewhere/*/*.csv", "1\n", "one\n", "'one'"),
}


@pytest.mark.parametrize(
    "fault",
    [
        name if name == "no number" else pytest.param(name, marks=pytest.mark.long)
        for name in FAULTS
    ],
)
def test_a_fault_is_one_sentence_before_snakemake_starts(finished, fault):
    name, old, new, said = FAULTS[fault]
    path = sorted(finished.glob(name))[0]
    content, before = path.read_text(encoding="utf-8"), logs(finished)
    columns = content.find("columns:") if fault == "missing column" else 0
    assert old in content[columns:]
    path.write_text(content[:columns] + content[columns:].replace(old, new, 1), encoding="utf-8")
    try:
        found = run(finished, "scripts/reproduce.py", STUDY)
    finally:
        path.write_text(content, encoding="utf-8")
    assert found.returncode == 1
    assert said in found.stderr
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert logs(finished) == before


def broken(checkout):
    """Run the study where its notebook cannot; return what was said."""
    path = checkout / "replicability" / "core" / "findings" / "finding.py"
    content = path.read_text(encoding="utf-8")
    append(path, "\n\ndef find(*_, **__):\n    raise RuntimeError('broken on purpose')\n")
    try:
        return run(checkout, "scripts/reproduce.py", STUDY)
    finally:
        path.write_text(content, encoding="utf-8")


def test_a_fault_in_a_notebook_is_said_last(finished):
    found = broken(finished)
    assert found.returncode == 1
    first, last = found.stderr.splitlines()
    copy = "results/small/notebooks/your_comparison.failed.ipynb"
    assert first == f"The executed copy with the traceback is {copy}."
    assert re.fullmatch(
        r"notebooks/your_comparison.ipynb failed in cell \d+: RuntimeError: broken on purpose", last
    )
    assert found.stdout == "[1 of 1] notebooks/your_comparison.ipynb\n"


@pytest.mark.long
def test_once_the_fault_is_mended_the_study_runs(finished):
    assert broken(finished).returncode == 1
    assert run(finished, "scripts/reproduce.py", STUDY).returncode == 0


@pytest.mark.long
def test_what_snakemake_alone_can_say_is_said(finished):
    path = finished / "config" / "simulations.yaml"
    content = path.read_text(encoding="utf-8")
    path.write_text(content.replace("n_shards:", "n_shrads:"), encoding="utf-8")
    try:
        found = run(finished, "scripts/reproduce.py", STUDY)
    finally:
        path.write_text(content, encoding="utf-8")
    assert found.returncode == 1
    assert "n_shrads" in found.stderr.splitlines()[-1]


@pytest.mark.long
def test_a_misspelt_key_stops_snakemake_itself(finished, tmp_path):
    text = (finished / STUDY).read_text(encoding="utf-8").replace("dependence:", "dependance:", 1)
    (tmp_path / "misspelt.yaml").write_text(text, encoding="utf-8")
    found = snakemake(finished, "--configfile", tmp_path / "misspelt.yaml")
    assert found.returncode != 0
    assert "did you mean 'dependence'?" in found.stderr
    assert "Traceback" not in found.stderr


def test_single_keys_cannot_be_overridden(finished):
    found = snakemake(finished, "--dry-run", "--config", "alphas=[0.1]")
    assert found.returncode != 0
    assert (
        "--config sets only mirror, splits, simulations, pairs; for anything else, copy"
        in found.stdout + found.stderr
    )


def test_a_study_that_does_not_exist_is_a_sentence(finished):
    found = run(finished, "scripts/reproduce.py", "config/papre.yaml")
    assert found.returncode == 1
    assert found.stderr == "config/papre.yaml does not exist; did you mean 'paper.yaml'?\n"


def test_two_runs_at_once_are_refused(finished):
    with (finished / "results" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = run(finished, "scripts/reproduce.py", STUDY)
    assert found.returncode == 1
    assert found.stderr == "Another run is active in this checkout; wait for it or stop it.\n"


# --- Ctrl-C


@needs_make
@pytest.mark.long
def test_a_run_that_is_stopped_says_so_in_a_sentence(tmp_path):
    checkout = prepare(copy(tmp_path))
    assert run(checkout, "-m", "replicability", "new", "small").returncode == 0
    for sign in ("results/.lock", "results/small/notebooks/*.staging"):
        started = Run(checkout, "study", f"STUDY={STUDY}")
        wait_for(lambda sign=sign: any(checkout.glob(sign)))
        os.killpg(started.process.pid, signal.SIGINT)
        started.process.wait()
        said = started.said.read_text(encoding="utf-8")
        assert started.process.returncode != 0
        assert "Traceback" not in said
        assert "Stopped. Finished files are kept; run the same command to continue.\n" in said
        assert [
            line for line in said.splitlines() if not line.startswith(("Stop", "[", "make"))
        ] == []
    wait_for(lambda: not at_work(checkout) + at_work(checkout / "notebooks"))
    assert run(checkout, "scripts/reproduce.py", STUDY).returncode == 0
