"""The outcomes stage as a user meets it: in a copy of the checkout, through snakemake itself."""

import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
from importlib import metadata

import pandas as pd
import pytest
from checkouts import append, at_work, copy, run, snakemake, wait_for

from analysis import paths, workflow
from replicability.io import delimited

sys.path.insert(0, str(paths.ROOT / "scripts"))

import gather_treebanks

pytestmark = pytest.mark.long

COMMITTED = paths.ROOT / "data" / "outcomes"
CODES = ["en_gum", "en_lines"]
ENTRIES = [e for e in workflow.outcome_choices()["treebanks"] if e["treebank"] in CODES]
SCORES = [f"results/outcomes/treebanks/2018_{code}.parquet" for code in CODES]
TAGGERS = ["crf", "perceptron"]
TAGGED = [f"results/outcomes/low_resource/da_{tagger}.parquet" for tagger in TAGGERS]
DAMAGED = "KParse/en_lines.conllu"
GOLD = "00-gold-standard/en_lines.conllu"
STAGE = re.findall(
    r"^rule (\w+):", (paths.ROOT / "rules" / "outcomes.smk").read_text(encoding="utf-8"), re.M
)


@pytest.fixture(scope="session")
def upstream(mirror):
    """Return a folder with the outputs for two treebanks, what they need, and one for taggers."""
    return mirror(*CODES, "UD_Danish-DDT", "UD_English-EWT", "nltk_data")


@pytest.fixture(scope="module")
def finished(upstream, tmp_path_factory):
    """Return a checkout in which the stage has run, up to the parts that are tested here."""
    pytest.importorskip("pycrfsuite", reason="the group 'outcomes' is not installed")
    pytest.importorskip("nltk", reason="the group 'outcomes' is not installed")
    target = copy(tmp_path_factory.mktemp("outcomes"))
    found = snakemake(target, *SCORES, *TAGGED, "--config", f"mirror={upstream}")
    assert found.returncode == 0, found.stderr
    return target


def mentioned(found):
    """Return the rules of the stage that a dry run names."""
    text = found.stdout + found.stderr
    assert found.returncode == 0, text
    assert "This was a dry-run" in text
    return {name for name in STAGE if re.search(rf"^{name}\s", text, re.MULTILINE)}


def check_scores(checkout):
    """Compare scores of sentences and totals with the committed ones."""
    scores, totals = [], []
    for entry, path in zip(ENTRIES, SCORES, strict=True):
        made = pd.read_parquet(checkout / path)
        made["system"] = made["system"].map(gather_treebanks.team)
        scores.append(gather_treebanks.by_domain(entry, made))
        total = pd.read_csv((checkout / path).with_suffix(".csv"))
        totals.append(total.assign(treebank=entry["treebank"], edition=entry["edition"]))
    expected = pd.read_parquet(COMMITTED / "parsing.parquet")
    domains = [name for entry in ENTRIES for name in entry["domains"].values()]
    same(pd.concat(scores), expected[expected["dataset"].isin(domains)])
    expected = pd.read_csv(COMMITTED / "treebanks.csv")
    same(pd.concat(totals), expected[expected["treebank"].isin(CODES)])


def same(made, expected):
    """Compare two tables exactly, but for the order of their columns."""
    assert len(expected) > 0
    pd.testing.assert_frame_equal(
        made[expected.columns].reset_index(drop=True), expected.reset_index(drop=True)
    )


def unfinished(checkout):
    """Return files that a run left half-written."""
    return list((checkout / "results" / "outcomes").rglob("*.part"))


# --- the committed numbers are those that the rules make


def test_scoring_gives_the_committed_rows(finished):
    check_scores(finished)
    assert unfinished(finished) == []


@pytest.mark.parametrize("tagger", TAGGERS)
def test_training_gives_the_committed_rows(finished, tagger):
    made = pd.read_parquet(finished / TAGGED[TAGGERS.index(tagger)])
    table = pd.read_parquet(COMMITTED / "low_resource.parquet")
    table = table[(table["dataset"] == "Danish") & (table["system"] == tagger)]
    expected = table.drop(columns="dataset")
    if as_committed():
        same(made, expected)
    predicted = ["correct", "unknown_correct"]
    same(made.drop(columns=predicted), expected.drop(columns=predicted))
    made, expected = (frame["correct"].sum() / frame["words"].sum() for frame in (made, expected))
    assert made == pytest.approx(expected, abs=0.01)


def as_committed():
    """Whether the versions are those of the committed numbers, on the usual kind of processor."""
    versions = delimited.read_table(COMMITTED / "versions.csv").set_index("package")["version"]
    installed = {name: metadata.version(name) for name in versions.index.drop("python")}
    installed["python"] = ".".join(platform.python_version_tuple()[:2])
    return installed == versions.to_dict() and platform.machine() == "x86_64"


def test_a_second_run_has_nothing_to_do(finished, upstream):
    found = snakemake(finished, "-n", *SCORES, *TAGGED, "--config", f"mirror={upstream}")
    assert found.returncode == 0, found.stderr
    assert "Nothing to be done" in found.stdout + found.stderr


# --- the stage and the other targets


@pytest.mark.parametrize("study", ["paper", "open"])
def test_no_study_asks_for_raw_files(tmp_path, study):
    found = snakemake(copy(tmp_path), "--dry-run", "--configfile", f"config/{study}.yaml")
    assert mentioned(found) == set()
    assert "\nsummary " in found.stdout + found.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_outcomes_makes_everything_even_where_nothing_is_committed(tmp_path):
    checkout = copy(tmp_path)
    for path in (checkout / "data" / "outcomes").glob("*.[pc]*"):
        path.unlink()
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    said = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "outcomes", f"mirror={mirror}"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    _, *command = shlex.split(said.stdout.splitlines()[-1])
    found = run(checkout, *command, "--dry-run")
    assert mentioned(found) == {*STAGE}


# --- what goes wrong


def truncate(path, content):
    path.write_bytes(content[:1000])


def flip_a_bit(path, content):
    middle = len(content) // 2
    path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])


def remove(path, content):
    """Leave no file."""


@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        (DAMAGED, truncate, r"has 1000 bytes, but data/sources\.csv lists \d+; the mirror's file"),
        (
            DAMAGED,
            flip_a_bit,
            r"has SHA-256 \w{12}, but data/sources\.csv lists \w{12} .*: use the",
        ),
        (
            GOLD,
            remove,
            r"does not exist, but the mirror must contain pkolachi/\S+ of the source 'conll20",
        ),
    ],
    ids=["truncated", "bit flipped", "gold missing"],
)
def test_a_damaged_file_is_named_and_the_rest_is_finished(
    upstream, tmp_path, file, damage, message
):
    checkout = copy(tmp_path)
    # Links, so that the files of the fixture are not copied: never write into one.
    mirror = shutil.copytree(upstream, tmp_path / "mirror", copy_function=os.symlink)
    [path] = mirror.glob(f"*/*/*/*/{file}")
    content = path.read_bytes()
    path.unlink()
    damage(path, content)
    command = [*SCORES, "--keep-going", "--config", f"mirror={mirror}"]

    found = snakemake(checkout, *command)
    assert found.returncode != 0
    assert "Traceback" not in found.stdout + found.stderr
    assert re.search(rf"^{re.escape(str(path))} {message}", found.stdout, re.MULTILINE)
    log = checkout / "results" / "outcomes" / "logs" / "fetch_conll2018_en_lines.log"
    assert log.read_text(encoding="utf-8").startswith(f"{path} ")
    made = {path.name for path in (checkout / "results" / "outcomes" / "treebanks").iterdir()}
    assert made == {"2018_en_gum.parquet", "2018_en_gum.csv"}
    assert not (checkout / "results" / "raw" / "conll2018_en_lines.sha256").exists()
    finished = (checkout / SCORES[0]).stat().st_mtime_ns

    path.unlink(missing_ok=True)
    path.write_bytes(content)
    found = snakemake(checkout, *command)
    assert found.returncode == 0, found.stderr
    check_scores(checkout)
    assert (checkout / SCORES[0]).stat().st_mtime_ns == finished


STOP_HALFWAY = """

def write(table, path):
    import time

    with files.replacing(path) as part:
        part.write_bytes(b"PAR1")
        time.sleep(3600)
"""


def test_a_killed_run_goes_on_where_it_was(upstream, tmp_path):
    checkout = copy(tmp_path)
    module = checkout / "replicability" / "io" / "instances.py"
    text = module.read_text(encoding="utf-8")
    append(module, STOP_HALFWAY)
    command = ["scripts/reproduce.py", "config/paper.yaml"]
    command += ["--config", f"mirror={upstream}", "--keep-going", *SCORES]
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(lambda: unfinished(checkout) or process.poll() is not None)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode == -signal.SIGKILL
    assert unfinished(checkout) != []
    assert not any((checkout / path).exists() for path in SCORES)
    assert list((checkout / ".snakemake" / "locks").iterdir())
    wait_for(lambda: not at_work(checkout))

    module.write_text(text, encoding="utf-8")
    found = run(checkout, *command)
    assert found.returncode == 0, found.stderr
    check_scores(checkout)
    assert unfinished(checkout) == []
