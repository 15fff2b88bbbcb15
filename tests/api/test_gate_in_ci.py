"""The gate where releases are decided: each page of the docs, run as its CI system would run it."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from analysis import paths
from replicability.checks import InputError

pytest_plugins = ["pytester"]

ACTION = paths.ROOT / ".github" / "actions" / "gate"
FEW = ("few_base.csv", "few.csv")
VERDICTS = [
    (("base.csv", "same.csv"), 0, "SHIP"),
    (("base.csv", "worse.csv"), 1, "BLOCK"),
    (FEW, 2, "CANNOT TELL"),
    (("base.csv", "none.csv"), 3, "INVALID"),
]


def page(name="gate"):
    return (paths.ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def blocks(language, name="gate"):
    return re.findall(rf"^```{language}\n(.*?)^```$", page(name), re.DOTALL | re.MULTILINE)


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


@pytest.fixture
def runner(results):
    """Return a function that runs a script as a CI system does: its shell, its variables alone."""
    tools = results / "tools"
    tools.mkdir()
    python = Path(sys.executable).parent

    def tool(name, does='printf "%s\\n" "$@" > "$0.called"'):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
        return tools / f"{name}.called"

    def run(script, shell, **variables):
        place = results / "script.sh"
        place.write_text(script, encoding="utf-8")
        path = os.pathsep.join([str(tools), str(python), "/usr/bin", "/bin"])
        own = {"PATH": path, "PYTHONPATH": str(paths.ROOT)} | variables
        return subprocess.run(
            [*shell, str(place)], cwd=results, env=own, capture_output=True, text=True, check=False
        )

    run.tool, run.folder = tool, results
    return run


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
    with pytest.raises(InputError, match="pass 'fail', 'skip' or 'pass'"):
        rep.assert_not_worse(*few, margin=0.02, unsure="ignore")


# --- GitHub --------------------------------------------------------------------------------------

BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]


def filled(value, contexts):
    """Fill in the expressions of a value, as a runner does."""
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: contexts[found[1]], str(value))


def act(runner, given, steps=("gate",)):
    """Run steps of the action with its inputs; return the last process, and the outputs."""
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    assert given.keys() <= action["inputs"].keys()
    inputs = {name: said.get("default", "") for name, said in action["inputs"].items()} | given
    contexts = {f"inputs.{name}": value for name, value in inputs.items()}
    outputs, summary = (runner.folder / name for name in ("outputs", "summary"))
    for step in action["runs"]["steps"]:
        if step.get("id") in steps:
            assert step["shell"] == "bash"
            own = {key: filled(value, contexts) for key, value in step["env"].items()}
            done = runner(
                filled(step["run"], contexts),
                BASH,
                GITHUB_OUTPUT=str(outputs),
                GITHUB_STEP_SUMMARY=str(summary),
                GITHUB_ACTION_PATH=str(ACTION),
                RUNNER_TEMP=str(runner.folder / "temporary files"),
                **own,
            )
    lines = [line.split("=", 1) for line in outputs.read_text().splitlines()]
    of_step = {f"steps.gate.outputs.{key}": value for key, value in lines}
    found = {name: filled(said["value"], of_step) for name, said in action["outputs"].items()}
    assert summary.read_text() == Path(found["comment"]).read_text()
    assert "Traceback" not in done.stderr
    return done, found


@pytest.mark.parametrize(("files", "status", "verdict"), VERDICTS)
def test_the_action_runs_with_the_variables_of_a_runner(runner, files, status, verdict):
    base, new = files
    done, found = act(runner, {"base": base, "new": new, "arguments": "--margin 0.02"})
    assert (done.returncode, found["verdict"]) == (status, verdict), done.stderr
    expected = "could not judge" if verdict == "INVALID" else verdict
    assert expected in Path(found["comment"]).read_text()
    assert Path(found["junit"]).exists() == (verdict != "INVALID")


def test_a_step_can_pass_if_the_gate_cannot_tell(runner):
    given = {"base": FEW[0], "new": FEW[1], "arguments": "--margin 0.02", "unsure": "pass"}
    done, found = act(runner, given)
    assert (done.returncode, found["verdict"]) == (0, "CANNOT TELL")


def test_arguments_have_lines_and_quotes_and_no_code(runner):
    lines = "--margin 0.02\n--label same='the same; touch x $(touch y)'\n\n  --alpha 0.01\n"
    done, found = act(runner, {"base": "base.csv", "new": "same.csv", "arguments": lines})
    assert (done.returncode, found["verdict"]) == (0, "SHIP"), done.stderr
    comment = Path(found["comment"]).read_text()
    assert "the same; touch x $(touch y)" in comment and "99% confidence" in comment
    assert not {"x", "y"} & {path.name for path in runner.folder.iterdir()}
    (runner.folder / "outputs").unlink()
    (runner.folder / "summary").unlink()
    given = {"base": "base.csv", "new": "same.csv", "arguments": "--margin '0.02"}
    done, found = act(runner, given)
    assert (done.returncode, found["verdict"]) == (3, "INVALID")
    assert "has a quote without its end; add it." in Path(found["comment"]).read_text()


@pytest.mark.parametrize(("files", "status", "verdict"), VERDICTS)
def test_the_workflow_of_the_page_comments(runner, files, status, verdict):
    (text,) = blocks("yaml", "gate_github")
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = {step.get("name"): step for step in job["steps"]}
    given, comment = steps["Gate"]["with"], steps["Comment"]
    assert steps["Gate"]["uses"].endswith("/.github/actions/gate@main")
    assert "always()" in comment["if"]  # also after a step that failed
    (runner.folder / "gate.yaml").write_text("margin: 0.02\n", encoding="utf-8")
    done, found = act(runner, given | dict(zip(("base", "new"), files, strict=True)))
    assert done.returncode == status
    called = runner.tool("gh")
    contexts = {f"steps.gate.outputs.{key}": value for key, value in found.items()}
    contexts |= {"github.token": "secret", "github.event.number": "7"}
    own = {key: filled(value, contexts) for key, value in comment["env"].items()}
    assert runner(comment["run"], BASH, **own).returncode == 0
    arguments = called.read_text().splitlines()
    assert arguments[:4] == ["pr", "comment", "7", "--body-file"]
    assert Path(arguments[4]).read_text().startswith("### ")


def test_the_tables_of_the_page_list_inputs_and_outputs():
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    named = set(re.findall(r"`(\w+)`(?=[^|\n]*\|[^|\n]*\|$)", page("gate_github"), re.MULTILINE))
    assert {*action["inputs"], *action["outputs"]} <= named


# --- GitLab --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("files", "status", "verdict"), VERDICTS)
def test_the_job_of_gitlab(runner, files, status, verdict):
    (text,) = blocks("yaml", "gate_gitlab")
    (job,) = yaml.safe_load(text).values()
    (runner.folder / "gate.yaml").write_text("margin: 0.02\n", encoding="utf-8")
    runner.tool("make", "exit 0")
    commands = "\n".join(job["script"])
    for read, file in zip(("baseline.parquet", "results/new"), files, strict=True):
        assert read in commands
        commands = commands.replace(read, file)
    of_merge_request = {
        **{"CI_API_V4_URL": "https://gitlab.example.org/api/v4", "CI_PROJECT_ID": "3"},
        **{"CI_MERGE_REQUEST_IID": "7", "GATE_TOKEN": "secret"},
    }
    done = runner(commands, ["bash", "-eo", "pipefail"], **of_merge_request)
    assert done.returncode == status, done.stderr
    assert job["allow_failure"]["exit_codes"] == 2
    reports = [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]
    written = [(runner.folder / name).exists() for name in reports]
    assert written == [verdict != "INVALID"] * 2
    called = runner.tool("curl")
    after = "\n".join(job["after_script"])
    assert runner(after, ["bash", "-eo", "pipefail"]).returncode == 0  # of a schedule
    assert not called.exists()
    assert runner(after, ["bash", "-eo", "pipefail"], **of_merge_request).returncode == 0
    assert called.exists() == (verdict != "INVALID")
    if called.exists():
        arguments = called.read_text().splitlines()
        assert arguments[-1].endswith("/api/v4/projects/3/merge_requests/7/notes")
        assert "body@gate.md" in arguments


@pytest.mark.parametrize(("files", "status", "verdict"), VERDICTS[:3])
def test_the_table_of_gitlab_says_what_junit_has(results, files, status, verdict):
    gate = rep.gate(*(results / name for name in files), margin=0.02)
    cases = {
        case.get("name"): [child.tag for child in case]
        for case in ElementTree.fromstring(gate.to_junit())
    }
    expected = {"SHIP": [], "BLOCK": ["failure"], "CANNOT TELL": ["skipped"]}[verdict]
    assert cases["verdict"] == expected and all(tags == expected for tags in cases.values())


# --- Jenkins -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("files", "status", "verdict"), VERDICTS)
def test_the_stage_of_jenkins(runner, files, status, verdict):
    (text,) = blocks("groovy", "gate_jenkins")
    assert text.count("{") == text.count("}")
    (script,) = re.findall(r"returnStatus: true, script: '''\n(.*?)'''", text, re.DOTALL)
    for read, file in zip(("baseline.parquet", "results/new"), files, strict=True):
        assert read in script
        script = script.replace(read, file)
    (runner.folder / "gate.yaml").write_text("margin: 0.02\n", encoding="utf-8")
    own = runner.folder / ".gate" / "bin" / "python"
    real = f'[ "$2" = pip ] || exec {sys.executable} "$@"'
    runner.tool("environment", real)
    runner.tool("python3", f'mkdir -p "{own.parent}" && cp "$(dirname "$0")/environment" "{own}"')
    done = runner(script, ["sh", "-xe"])  # as the step sh runs it
    assert done.returncode == status, done.stderr
    assert (runner.folder / "gate.md").exists() == (verdict != "INVALID")
    assert "if (status == 2) {" in text and "else if (status != 0) {" in text


# --- the page ------------------------------------------------------------------------------------


def test_the_code_of_the_page_prints_what_it_says(capsys):
    (code,), said = blocks("python"), blocks("text")[0]
    names = {}
    exec(code, names)
    assert capsys.readouterr().out.split() == said.split()
    for name in re.findall(r"`gate\.(\w+)", page()):
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


def test_the_page_on_pytest_runs(pytester, results, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (code,) = blocks("python", "gate_pytest")
    pytester.makepyfile(code.replace("results/", f"{results}/"))
    options = "-p", "replicability.api.plugin", "-p", "no:cacheprovider"
    (results / "same.csv").rename(results / "new.csv")
    pytester.runpytest_subprocess(*options).assert_outcomes(passed=1)
    (results / "worse.csv").rename(results / "new.csv")
    pytester.runpytest_subprocess(*options).assert_outcomes(failed=1)
