"""The gate on every format: in Python, by the command, from a pinned baseline, and refusals."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability import cli

EXAMPLE = Path(rep.__file__).parent / "cli" / "example"
LOGS = ("lm_eval", "inspect_ai", "helm", "nemo_evaluator")
DOCUMENTS = ("promptfoo", "deepeval", "lerobot", "objects")


def document(kind, right):
    """Return what a tool writes about items that are right or wrong."""
    if kind == "objects":
        return {f"q{n}": bool(x) for n, x in enumerate(right)}
    if kind == "lerobot":
        metrics = {"successes": [bool(x) for x in right]}
        return {"per_task": [{"task_group": "libero", "task_id": 0, "metrics": metrics}]}
    if kind == "deepeval":
        cases = [
            {"name": f"case {n}", "input": f"q{n}", "success": bool(x), "metricsData": []}
            for n, x in enumerate(right)
        ]
        return {"testCases": cases, "metricsScores": []}
    results = [
        {
            **{"promptIdx": 0, "testIdx": n, "provider": {"id": "p"}, "prompt": {"label": "{{q}}"}},
            **{"vars": {"q": f"q{n}"}, "success": bool(x), "score": float(x), "failureReason": 0},
        }
        for n, x in enumerate(right)
    ]
    return {"results": {"version": 3, "results": results}}


def stored(file, content):
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


@pytest.fixture
def sides(request, tmp_path, monkeypatch):
    """Return base, new run and a run of other items of a format, and how to read them."""
    monkeypatch.chdir(tmp_path)
    kind = request.param
    read = {"score": "success"} if kind == "deepeval" else {}
    how = read, [part for key, value in read.items() for part in (f"--{key}", value)]
    if kind in DOCUMENTS:
        right = np.arange(60) % 10 < 7
        new = right & (np.arange(60) % 5 > 0)
        content = {"base": right, "new": new, "other": right[:40]}
        files = [
            stored(tmp_path / f"{name}.json", document(kind, of)) for name, of in content.items()
        ]
        return files, *how
    base, new = (
        Path(shutil.copytree(EXAMPLE / kind / name, tmp_path / name))
        for name in ("baseline", "ours")
    )
    other = Path(shutil.copytree(new, tmp_path / "other"))
    first = sorted(other.iterdir())[0]
    shutil.rmtree(first) if first.is_dir() else first.unlink()
    return (base, new, other), *how


EVERY = pytest.mark.parametrize("sides", [*LOGS, *DOCUMENTS], indirect=True)


@EVERY
def test_python_and_the_command_decide_alike_with_and_without_a_pinned_baseline(sides, capsys):
    (base, new, _), read, said = map(str, sides[0]), *sides[1:]
    direct = rep.gate(base, new, margin=0.05, **read)
    rep.pin(base, "python.parquet", **read)
    assert cli.main(["gate", base, "--save", "command.parquet", *said]) == 0
    assert Path("python.parquet").read_bytes() == Path("command.parquet").read_bytes()
    pinned = rep.gate("command.parquet", new, margin=0.05, **read)
    pd.testing.assert_frame_equal(pinned.table, direct.table)
    for start, found in ((base, direct), ("command.parquet", pinned)):
        capsys.readouterr()
        asked = ["gate", start, new, "--margin", "0.05", "--json", *said]
        assert cli.main(asked) == found.exit_code
        answer = json.loads(capsys.readouterr().out)
        assert answer.pop("written") == {}
        assert answer == found.to_dict()


@EVERY
@pytest.mark.parametrize("way", ["other items", "an empty file", "an empty folder", "nothing"])
@pytest.mark.parametrize("pinned", [False, True], ids=["run", "baseline"])
def test_what_cannot_be_judged_has_status_3_and_writes_nothing(sides, way, pinned, capsys):
    (base, _, other), read, said = sides
    if pinned:
        base = rep.pin(base, "base.parquet", **read)
    bad = {"other items": other, "nothing": Path("none.json")}.get(way, Path("empty.json"))
    if way == "an empty file":
        bad.touch()
    elif way == "an empty folder":
        bad.mkdir()
    written = {name: Path(f"{name}.txt") for name in ("markdown", "junit", "html")}
    for file in written.values():
        file.write_text("before")
    places = [part for name, file in written.items() for part in (f"--{name}", str(file))]
    capsys.readouterr()
    status = cli.main(["gate", str(base), str(bad), "--margin", "0.05", *places, *said])
    printed = capsys.readouterr()
    assert (status, printed.out) == (3, "")
    assert printed.err.strip()
    assert "Traceback" not in printed.err
    assert {file.read_text() for file in written.values()} == {"before"}
