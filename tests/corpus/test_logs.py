"""Logs of every format and what may have happened to them, through every door."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

import replicability as rep
from corpus import logs
from replicability import cli

CASES = [
    (kind, name)
    for kind in logs.OPTIONS
    for name, disturbance in logs.DISTURBANCES.items()
    if kind in disturbance.kinds
]
MARKED = [
    pytest.param(*case, marks=[pytest.mark.long] * (place % 7 > 0), id=" | ".join(case))
    for place, case in enumerate(CASES)
]
"""All logs, of which one in seven is tried each time."""

COLUMNS = ["dataset", "n", "wins", "losses"]


def rows(table):
    """Return what is compared of a table, whatever the unit of the score."""
    return table[COLUMNS].sort_values("dataset").to_numpy().tolist()


@pytest.fixture(scope="module")
def clean():
    """Return the answers of the samples."""
    return {
        kind: rows(
            rep.compare(*(logs.EXAMPLES / kind / s for s in logs.SIDES), **keywords(kind)).table
        )
        for kind in logs.OPTIONS
    }


def keywords(kind, folder=None):
    """Return the keywords of a format, with the files that they name."""
    place = folder or logs.EXAMPLES / kind
    return {"format": kind} | {
        key: str(place / value) if value in ("gold", "items") else value
        for key, value in logs.OPTIONS[kind].items()
    }


def expected(outcome, right):
    """Return the rows of an outcome, None of a refusal."""
    return {
        logs.SAME: right,
        logs.FEWER: [row for row in right if row[0] != "letters"],
        logs.LEVEL: [[*row[:2], 0, 0] for row in right],
    }.get(outcome)


def refused(error, outcome):
    """Check that a refusal is a sentence that says where, and what was wrong."""
    said = str(error)
    assert re.search(outcome, said), said
    assert "\n" not in said and said.endswith((".", "?")), said
    assert re.search(r"letters|ours|baseline|samples", said), said


@pytest.mark.parametrize(("kind", "name"), MARKED)
def test_a_log_gives_its_answer_or_is_refused(kind, name, clean, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    disturbance = logs.DISTURBANCES[name]
    logs.store(disturbance.change(kind, logs.sample(kind)), tmp_path)
    study = (logs.EXAMPLES / kind / "study.yaml").read_text()
    Path("s.yaml").write_text(study.replace("$study", "s").replace("data/s/", ""))
    outcome, given = disturbance.of(kind), keywords(kind, tmp_path)
    right = expected(outcome, clean[kind])

    flags = [text for key, value in given.items() for text in (f"--{key}", value)]
    code = cli.main(["compare", *logs.SIDES, *flags, "--json"])
    said = capsys.readouterr()
    doors = [
        lambda: rep.compare(*logs.SIDES, **given).table,
        lambda: rep.read_study("s.yaml").ask()["ours_baseline"].table,
    ]
    if right is None:
        assert code == 1, said
        refused(said.err.strip(), outcome)
        for door in doors:
            with pytest.raises(rep.InputError) as error:
                door()
            refused(error.value, outcome)
    else:
        assert code == 0, said
        assert rows(pd.DataFrame(json.loads(said.out)["datasets"])) == right
        for door in doors:
            assert rows(door()) == right
