"""Runs that are killed: the same command again gives the bytes of a run that nobody disturbed."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from checkouts import Run, at_work, copy, needs_make, prepare, results, run, snakemake, wait_for

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import environment
import run_notebook

pytestmark = pytest.mark.long

KILLS = 10
"""Random moments of each command at which it is killed, over the length of a whole run."""


def moments(seed, length):
    """Draw moments, one from each of `KILLS` equal parts of a length, in random order."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    return rng.permutation((np.arange(KILLS) + rng.random(KILLS)) * length / KILLS).tolist()


def sooner(moment):
    """Return an earlier moment for a run that ended before it; a condition stays as it is."""
    return moment if callable(moment) else 0.7 * moment


def check_whole(made, *allowed):
    """Check that every file is as one of the runs that were not disturbed left it."""
    half = [name for name in made if made[name] not in [whole.get(name) for whole in allowed]]
    assert half == []


def litter(checkout):
    """Return what a run leaves only if it does not end."""
    found = [*checkout.rglob("*.part"), *checkout.rglob("*.staging"), *checkout.rglob("*.failed.*")]
    return [path for path in found if ".venv" not in path.parts]


# --- make reproduce


def choose(checkout, alphas):
    """Write a study of one small section."""
    config = yaml.safe_load((paths.CONFIG / "paper.yaml").read_text(encoding="utf-8"))
    blocks = [block for block in config["comparisons"] if block["section"] == "sentiment"]
    text = yaml.safe_dump({"study": "small", "alphas": alphas, "comparisons": blocks})
    (checkout / "config" / "small.yaml").write_text(text, encoding="utf-8")


@needs_make
def test_reproduce_killed_at_any_moment_ends_as_if_it_was_not(tmp_path):
    calm, killed = prepare(copy(tmp_path / "calm")), prepare(copy(tmp_path / "killed"))
    command = ["reproduce", "STUDY=config/small.yaml"]
    versions, whole = ([0.05], [0.05, 0.01]), []
    for alphas in versions:
        choose(calm, alphas)
        length = Run(calm, *command).finish()
        whole.append(results(calm, "results/small"))
    assert whole[0].keys() == whole[1].keys()
    assert len([name for name in whole[0] if whole[0][name] != whole[1][name]]) > 5

    def publishing():
        return any((killed / "results" / "small" / "tables").glob("*.part"))

    version = 0
    choose(killed, versions[version])
    for moment in (*moments(1, length), publishing):
        while not Run(killed, *command).kill(moment):
            assert results(killed, "results/small") == whole[version]
            version = 1 - version
            choose(killed, versions[version])
            moment = sooner(moment)
        check_whole(results(killed, "results/small"), *whole)

    directly = snakemake(killed, "--configfile", "config/small.yaml")
    assert directly.returncode != 0
    assert "It can be removed with the --unlock argument" in directly.stdout + directly.stderr
    assert "Traceback" not in directly.stdout + directly.stderr

    choose(killed, versions[1])
    Run(killed, *command).finish()
    wait_for(lambda: not at_work(killed) + at_work(killed / "notebooks"))
    assert results(killed, "results/small") == whole[1]
    assert litter(killed) == []
    again = snakemake(killed, "--dry-run", "--configfile", "config/small.yaml")
    assert "Nothing to be done" in again.stdout + again.stderr


# --- make outcomes


TREEBANK = "conll2018_kk_ktb"
LANGUAGES = {"kk": "kk-ud", "ta": "ta-ud"}
WORDS = {"a": "DET", "cat": "NOUN", "dog": "NOUN", "sees": "VERB", "old": "ADJ", ".": "PUNCT"}


def conllu(rng, sentences):
    """Return sentences of five words in a chain."""
    text = []
    for number in range(sentences):
        text.append(f"# sent_id = {number}\n")
        for place, form in enumerate(rng.choice([*WORDS], 5), 1):
            relation = "dep" if place > 1 else "root"
            text.append(f"{place}\t{form}\t_\t{WORDS[form]}\t_\t_\t{place - 1}\t{relation}\t_\t_\n")
        text.append("\n")
    return "".join(text)


def shrink(checkout, mirror):
    """Cut the stage down to one treebank and two languages of a few made-up sentences."""
    rng = np.random.default_rng(np.random.SeedSequence(2017))
    place = checkout / "data" / "sources.csv"
    rows = pd.read_csv(place, keep_default_na=False)
    small = {TREEBANK, *(f"ud14_{code}" for code in LANGUAGES)}
    treebank = conllu(rng, 20)
    for row in rows[rows["source"].isin(small)].itertuples():
        text = treebank if row.source == TREEBANK else conllu(rng, 40)
        target = mirror / row.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        rows.loc[row.Index, ["bytes", "sha256"]] = [len(text.encode()), sha256]
    rows.to_csv(place, index=False)

    place = checkout / "config" / "outcomes.yaml"
    choices = yaml.safe_load(place.read_text(encoding="utf-8"))
    choices["low_resource"]["taggers"] = ["crf", "perceptron"]
    choices["low_resource"]["words"] = 100
    choices["low_resource"]["languages"] = [
        {
            "language": code.upper(),
            "code": code,
            "train": f"{stem}-train.conllu",
            "test": f"{stem}-test.conllu",
        }
        for code, stem in LANGUAGES.items()
    ]
    place.write_text(yaml.safe_dump(choices), encoding="utf-8")

    place = checkout / "rules" / "outcomes.smk"
    scores = [f"treebanks/{TREEBANK.removeprefix('conll')}.{kind}" for kind in ("parquet", "csv")]
    made = [*scores, "low_resource.parquet", "versions.csv"]
    before, mark, after = place.read_text(encoding="utf-8").partition("MIRROR =")
    place.write_text(f"{before}MADE = {made}\nSPLIT_OUTCOMES = []\n{mark}{after}", encoding="utf-8")


@needs_make
def test_outcomes_killed_at_any_moment_end_as_if_they_were_not(tmp_path):
    pytest.importorskip("pycrfsuite", reason="the group 'outcomes' is not installed")
    pytest.importorskip("nltk", reason="the group 'outcomes' is not installed")
    calm, mirror = prepare(copy(tmp_path / "calm")), tmp_path / "mirror"
    shrink(calm, mirror)
    killed = shutil.copytree(calm, tmp_path / "killed" / "checkout", symlinks=True)
    folders = ("results/raw", "results/outcomes", "data/outcomes")
    before = results(killed, *folders)
    command = ["outcomes", f"mirror={mirror}"]
    length = Run(calm, *command).finish()
    whole = results(calm, *folders)
    table = "data/outcomes/low_resource.parquet"
    assert whole[table] != before[table]

    for moment in moments(2, length):
        while not Run(killed, *command).kill(moment):
            assert results(killed, *folders) == whole
            shutil.rmtree(killed / "results")
            shutil.rmtree(killed / ".snakemake")
            moment = sooner(moment)
        check_whole(results(killed, *folders), before, whole)

    Run(killed, *command).finish()
    assert results(killed, *folders) == whole
    assert litter(killed) == []


# --- what a killed run leaves at work

MAKES = """
import subprocess
import sys
import time

from analysis import paths
from replicability.io import files

paths.enter_checkout()
folder = files.outputs(outputs, "tables")
if word == "first":
    subprocess.Popen([sys.executable, "-c", late, str(folder), stop], start_new_session=True)
(folder / "made.txt").write_text(word)
time.sleep(pause)
"""

LATE = """
import sys, time
from pathlib import Path

folder, stop, end = Path(sys.argv[1]), Path(sys.argv[2]), time.monotonic() + 3600
while not stop.exists() and time.monotonic() < end:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "made.txt").write_text("late")
    time.sleep(0.01)
"""


def notebook(path, *codes, **parameters):
    """Store a notebook of some cells beside that of its parameters."""
    lines = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    cells = [nbformat.v4.new_code_cell(code) for code in (lines, *codes)]
    cells[0].metadata["tags"] = ["parameters"]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:02d}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(made, path)
    return path


def test_what_outlives_a_killed_run_does_not_write_into_the_next(tmp_path):
    stop = tmp_path / "stop"
    parameters = {"outputs": "results/lab", "word": "", "pause": 0, "late": LATE, "stop": str(stop)}
    source = notebook(tmp_path / "late.ipynb", MAKES, **parameters)
    executed, made = tmp_path / "run" / "late.ipynb", tmp_path / "tables" / "made.txt"

    def command(word, pause):
        given = json.dumps({"word": word, "pause": pause})
        options = ["--executed", executed, "--parameters", given, "--outputs", made]
        return [sys.executable, paths.ROOT / "scripts" / "run_notebook.py", source, *options]

    first = subprocess.Popen(command("first", 3600), start_new_session=True)
    try:
        wait_for(lambda: any(tmp_path.glob("run/*/tables/made.txt")) or first.poll() is not None)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        subprocess.run(command("second", 1), check=True)
        assert made.read_text(encoding="utf-8") == "second"
        text = executed.read_text(encoding="utf-8")
        assert "staging" not in text
        assert "outputs = 'results/lab'" in text
    finally:
        stop.touch()
    subprocess.run(command("second", 0), check=True)
    assert executed.read_text(encoding="utf-8") == text.replace("pause = 1", "pause = 0")
    assert made.read_text(encoding="utf-8") == "second"
    assert [path.name for path in executed.parent.iterdir()] == ["late.ipynb"]


DIES = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"

FALLS_SILENT = """
async def silent(*_):
    pass


get_ipython().kernel.shell_handlers["kernel_info_request"] = silent
"""


@pytest.mark.parametrize("code", [DIES, FALLS_SILENT], ids=["dies", "falls silent"])
def test_a_kernel_that_does_not_answer_is_a_sentence(tmp_path, capsys, monkeypatch, code):
    monkeypatch.setattr(run_notebook, "ANSWER", 4)
    source, executed = notebook(tmp_path / "n.ipynb", code), tmp_path / "run" / "n.ipynb"
    assert run_notebook.main([str(source), "--executed", str(executed)]) == 1
    assert re.fullmatch(
        r"\S+n\.ipynb: the kernel did not answer or has ended \([^.]*\); run it again, with fewer "
        r"cores if the machine is busy or short of memory\.\n",
        capsys.readouterr().err,
    )
    assert list(executed.parent.iterdir()) == []


LOSES_A_MESSAGE = """
from pathlib import Path


async def lost(*_):
    pass


if not Path("started").exists():
    Path("started").touch()
    get_ipython().kernel.shell_handlers["execute_request"] = lost
"""


def test_a_kernel_that_loses_a_message_is_started_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(run_notebook, "IDLE", 2)
    source = notebook(tmp_path / "n.ipynb", LOSES_A_MESSAGE, "6 * 7")
    executed = tmp_path / "run" / "n.ipynb"
    assert run_notebook.main([str(source), "--executed", str(executed)]) == 0
    assert '"42"' in executed.read_text(encoding="utf-8")


def test_a_kernel_that_does_not_start_is_a_sentence(tmp_path, capsys, monkeypatch):
    silent = {"argv": [sys.executable, "-c", "import time; time.sleep(3600)"], "language": "python"}
    (tmp_path / "kernels" / "python3").mkdir(parents=True)
    (tmp_path / "kernels" / "python3" / "kernel.json").write_text(
        json.dumps(silent | {"display_name": "silent"}), encoding="utf-8"
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setattr(environment, "FOREIGN", ())
    monkeypatch.setattr(run_notebook, "ANSWER", 1)
    source, executed = notebook(tmp_path / "n.ipynb", ""), tmp_path / "run" / "n.ipynb"
    assert run_notebook.main([str(source), "--executed", str(executed)]) == 1
    assert "(Kernel didn't respond in 1 seconds); run it again, with" in capsys.readouterr().err
    assert list(executed.parent.iterdir()) == []


SLEEPS = """
import sys, time
from pathlib import Path

Path("at_work").touch()
while Path("at_work").exists():
    time.sleep(0.02)
"""


def test_snakemake_that_outlives_the_command_is_not_run_beside(tmp_path):
    checkout = copy(tmp_path)
    (checkout / "snakemake").mkdir()
    (checkout / "snakemake" / "__init__.py").touch()
    (checkout / "snakemake" / "__main__.py").write_text(SLEEPS, encoding="utf-8")
    sign = checkout / "at_work"
    process = subprocess.Popen(
        [sys.executable, "scripts/reproduce.py", "config/paper.yaml"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
    )
    try:
        wait_for(lambda: sign.exists() or process.poll() is not None)
        process.kill()
        process.wait()
        found = run(checkout, "scripts/reproduce.py", "config/paper.yaml")
        assert found.returncode == 1
        assert found.stderr.startswith("Another run is active")
    finally:
        sign.unlink(missing_ok=True)
    wait_for(lambda: not at_work(checkout))
    (checkout / "snakemake" / "__main__.py").write_text("", encoding="utf-8")
    assert run(checkout, "scripts/reproduce.py", "config/paper.yaml").returncode == 0
