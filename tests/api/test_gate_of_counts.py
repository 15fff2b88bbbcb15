"""The gate of successes in trials, which are not paired, through Python and the command line."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.checks import InputError
from replicability.stats import unpaired

TASKS = pd.DataFrame(
    {
        "task": ["pick", "place", "push"],
        "n_base": [300, 200, 250],
        "ok_base": [240, 120, 100],
        "n_new": [320, 200, 250],
        "ok_new": [256, 122, 101],
    }
)
WORSE = TASKS.assign(ok_new=[256, 80, 101])
WIDE = {
    "dataset": "task",
    "successes": ["ok_base", "ok_new"],
    "trials": ["n_base", "n_new"],
    "systems": ["base", "new"],
}
LONG = {"dataset": "task", "successes": "ok", "trials": "n", "systems": ["base", "new"]}


def long(frame):
    """Return a row for each task and system."""
    sides = [
        frame[["task", f"n_{name}", f"ok_{name}"]]
        .set_axis(["task", "n", "ok"], axis=1)
        .assign(system=name)
        for name in ("base", "new")
    ]
    return pd.concat(sides, ignore_index=True)


def gate(frame, **asked):
    return rep.gate(frame, **{**WIDE, "margin": 0.13, **asked})


def test_the_verdicts_of_counts():
    found = gate(TASKS)
    assert (found.verdict, found.exit_code, found.flips) == ("SHIP", 0, ())
    found = gate(WORSE)
    assert (found.verdict, found.regressed) == ("BLOCK", ["place"])
    assert "namely place (-0.200)" in str(found)
    found = gate(TASKS, margin=0.01)
    assert found.verdict == "CANNOT TELL"
    assert "collect more trials of both systems: " in str(found)
    assert gate(TASKS, margin=0.05, ship="overall", dependence="independent").verdict == "SHIP"
    assert gate(WORSE, margin=0.3).verdict == "SHIP"
    assert gate(WORSE, margin=0.3, must_not_regress=["place"]).verdict == "BLOCK"
    assert gate(WORSE, policy={"datasets": {"place": {"ignore": True}}}).verdict == "SHIP"
    only = gate(TASKS, datasets=["pick"])
    assert "within" in only.table and only.n == 1


def test_p_values_are_those_of_the_exact_tests():
    table = gate(WORSE, margin={"pick": 0.1, "place": 0.2, "push": 0.15}).table
    assert table["margin"].tolist() == [0.1, 0.2, 0.15]
    assert table["n"].tolist() == [620, 400, 500]
    for row, of in zip(table.itertuples(), WORSE.itertuples(), strict=True):
        new, base = (of.ok_new, of.n_new), (of.ok_base, of.n_base)
        within, _ = unpaired.beyond(*new, *base, margin=-row.margin)
        worse = unpaired.boschloo(*([number] for number in (*base, *new)))[0][0]
        assert (row.p_not_worse, row.p_worse) == (within, worse)
        assert (row.score_base, row.score_new) == (base[0] / base[1], new[0] / new[1])


def test_both_layouts_decide_alike():
    frame = long(WORSE).sample(frac=1, random_state=1)
    found = rep.gate(frame, **LONG, margin=0.13)
    expected = gate(WORSE)
    assert str(found) == str(expected)
    tables = (g.table.sort_values("dataset", ignore_index=True) for g in (found, expected))
    pd.testing.assert_frame_equal(*tables)
    turned = rep.gate(frame, **{**LONG, "systems": ["new", "base"]}, margin=0.13)
    assert turned.table["difference"].tolist() == (-found.table["difference"]).tolist()


def test_what_is_written_of_counts(tmp_path):
    found = gate(WORSE)
    assert "trials" in found.to_markdown() and "<details>" not in found.to_markdown()
    assert "items" not in found.to_markdown()
    assert 'name="place"' in found.to_junit()
    assert "BLOCK" in found.report(tmp_path / "page.html").read_text()
    assert json.loads(json.dumps(found.to_dict()))["flips"] == []


@pytest.mark.parametrize(
    ("frame", "margin", "status"),
    [(TASKS, 0.13, 0), (WORSE, 0.13, 1), (TASKS, 0.01, 2), (TASKS.assign(n_new=1), 0.13, 3)],
)
def test_the_command_line_of_counts(frame, margin, status, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame.to_csv("tasks.csv", index=False)
    (tmp_path / "gate.yaml").write_text(yaml.safe_dump({"margin": margin}))
    given = ["--dataset", "task", "--systems", "base", "new", "--policy", "gate.yaml"]
    for name in ("base", "new"):
        given += ["--successes", f"ok_{name}", "--trials", f"n_{name}"]
    assert cli.main(["gate", "tasks.csv", *given]) == status
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert bool(printed.out) == (status < 3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"margin": 1}, "margin is 1, but must be below 1, because it is a difference of shares"),
        ({"margin": 5}, "write, for example, 0.05 for 5 percentage points"),
        ({"test": "mcnemar"}, "applies to items"),
        ({"shared": True}, "applies to items"),
        ({"successes": "ok_base"}, "the number of columns is 1 for successes= and 2 for trials="),
        ({"trials": None}, "successes= cannot be used without trials="),
        ({"higher_is_better": False}, "higher_is_better"),
    ],
)
def test_what_counts_refuse(asked, message):
    with pytest.raises(InputError, match=message):
        gate(TASKS, **asked)


def test_claims_of_counts_in_compare():
    given = {key: WIDE[key] for key in ("dataset", "successes", "trials")} | {"a": "x", "b": "y"}
    result = rep.compare(TASKS, **given, claim="not_worse", margin=0.13)
    assert "exact unconditional test" in result.method and "Chan (1998)" in result.method
    assert "x is not worse than y by more than 0.13" in str(result)
    turned = {key: given[key][::-1] for key in ("successes", "trials")}
    back = rep.compare(TASKS, **given | turned, claim="not_worse", margin=0.13)
    assert result.table["p_value"].tolist() == back.table["p_reverse"].tolist()
    equal = rep.compare(TASKS, **given, claim="equivalent", margin=0.13).table
    both = result.table[["p_value", "p_reverse"]].max(axis=1)
    np.testing.assert_array_equal(equal["p_value"], both)
    better = rep.compare(WORSE, **given, claim="better_by", margin=0.1, alternative="greater")
    (place,) = better.table.loc[better.table["dataset"] == "place", "p_value"]
    assert place == unpaired.beyond(120, 200, 80, 200, margin=0.1)[0]
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result


@pytest.mark.long
def test_counts_of_unchanged_systems_are_seldom_blocked():
    studies, blocked, shipped = 200, 0, 0
    shares = np.array([0.8, 0.6, 0.4])
    for seed in range(studies):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"task": ["a", "b", "c"], "n_base": 60, "n_new": 60})
        frame["ok_base"] = rng.binomial(60, shares)
        blocked += gate(frame.assign(ok_new=rng.binomial(60, shares))).verdict == "BLOCK"
        worse = frame.assign(ok_new=rng.binomial(60, shares - [0, 0.13, 0]))
        shipped += gate(worse).verdict == "SHIP"
    limit = 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)
    assert blocked / studies <= limit
    assert shipped / studies <= limit
