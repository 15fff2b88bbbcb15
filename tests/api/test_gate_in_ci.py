"""The gate where releases are decided: pytest, a GitHub runner, and the page of the docs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from analysis import paths
from replicability.checks import InputError

pytest_plugins = ["pytester"]

ACTION = paths.ROOT / ".github" / "actions" / "gate"
PAGE = (paths.ROOT / "docs" / "gate.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def results(tmp_path):
    """Write scores of a base, of the same system again, of one that is worse, and of few items."""
    rng = np.random.default_rng(1)
    base = pd.DataFrame({"instance": np.arange(400), "score": (rng.random(400) < 0.7).astype(int)})
    worse = base.assign(score=base["score"] * (rng.random(400) < 0.8))
    for name, frame in {"base": base, "same": base, "worse": worse, "few": base.head(9)}.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    base.head(9).to_csv(tmp_path / "few_base.csv", index=False)
    return tmp_path


# --- pytest --------------------------------------------------------------------------------------


def test_the_fixture_fails_a_release_that_is_worse(pytester, results, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(
        f"""
        FOLDER = {str(results)!r}

        def test_same(assert_not_worse):
            gate = assert_not_worse(FOLDER + "/base.csv", FOLDER + "/same.csv", margin=0.02)
            assert gate.verdict == "SHIP"

        def test_worse(assert_not_worse):
            assert_not_worse(FOLDER + "/base.csv", FOLDER + "/worse.csv", margin=0.02)

        def test_few(assert_not_worse):
            few = FOLDER + "/few_base.csv", FOLDER + "/few.csv"
            assert_not_worse(*few, margin=0.02, unsure="skip")
        """
    )
    found = pytester.runpytest_subprocess(
        "-p", "replicability.api.plugin", "-p", "no:cacheprovider"
    )
    found.assert_outcomes(passed=1, failed=1, skipped=1)
    found.stdout.fnmatch_lines(["*BLOCK: worse is worse than base*"])


def test_the_plugin_is_an_entry_point():
    content = (paths.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nreplicability = "replicability.api.plugin"' in content


def test_what_happens_if_the_gate_cannot_tell(results):
    few = results / "few_base.csv", results / "few.csv"
    with pytest.raises(AssertionError, match="CANNOT TELL"):
        rep.assert_not_worse(*few, margin=0.02)
    with pytest.raises(pytest.skip.Exception, match="CANNOT TELL"):
        rep.assert_not_worse(*few, margin=0.02, unsure="skip")
    assert rep.assert_not_worse(*few, margin=0.02, unsure="pass").verdict == "CANNOT TELL"
    with pytest.raises(InputError, match="pass one of these"):
        rep.assert_not_worse(*few, margin=0.02, unsure="ignore")


# --- a GitHub runner -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "new, more, status, verdict",
    [
        ("same.csv", {}, 0, "SHIP"),
        ("worse.csv", {}, 1, "BLOCK"),
        ("none.csv", {}, 3, "INVALID"),
        ("few.csv", {"BASE": "few_base.csv"}, 2, "CANNOT TELL"),
        ("few.csv", {"BASE": "few_base.csv", "UNSURE": "pass"}, 0, "CANNOT TELL"),
    ],
)
def test_the_action_runs_with_the_variables_of_a_runner(results, new, more, status, verdict):
    outputs, summary = results / "outputs", results / "summary"
    runner = {
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_ACTION_PATH": str(ACTION),
        "RUNNER_TEMP": str(results / "temporary files"),
        "PYTHONPATH": str(paths.ROOT),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    asked = {"BASE": "base.csv", "NEW": new, "ARGUMENTS": "--margin 0.02", "UNSURE": "fail"}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(ACTION / "gate.sh")]
    found = subprocess.run(
        script, cwd=results, env=runner | asked | more, capture_output=True, text=True, check=False
    )
    assert found.returncode == status, found.stderr
    written = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert written["verdict"] == verdict
    assert summary.read_text() == Path(written["comment"]).read_text()
    expected = "could not judge" if verdict == "INVALID" else verdict
    assert expected in summary.read_text()
    assert "Traceback" not in found.stderr


def test_the_action_passes_what_its_script_takes():
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "gate")
    script = (ACTION / "gate.sh").read_text(encoding="utf-8")
    for name, value in step["env"].items():
        assert name in script
        assert value.removeprefix("${{ inputs.").removesuffix(" }}") in action["inputs"]
    assert {line["value"] for line in action["outputs"].values()} == {
        "${{ steps.gate.outputs.verdict }}",
        "${{ steps.gate.outputs.comment }}",
    }


# --- the page ------------------------------------------------------------------------------------


def test_the_code_of_the_page_prints_what_it_says(capsys):
    (code,), said = blocks("python"), blocks("text")[0]
    names = {}
    exec(code, names)
    assert capsys.readouterr().out.split() == said.split()
    for name in re.findall(r"`gate\.(\w+)", PAGE):
        assert hasattr(names["gate"], name), name


def test_the_policy_of_the_page_can_be_read():
    policy = yaml.safe_load(next(block for block in blocks("yaml") if "must_not_regress" in block))
    names = ["safety", "trivia", "humaneval", "mbpp", "gsm8k"]
    rng = np.random.default_rng(1)
    pairs = {name: (rng.random((1, 400)) < [[0.6], [0.6]]).astype(int) for name in names}
    found = rep.gate(pairs, systems=["v1", "v2"], policy=policy)
    assert found.ignored == ("trivia",)
    assert found.policy.guarded == ("safety",)
    assert found.table["margin"].tolist() == [0.02, 0.05, 0.05, 0.02]
