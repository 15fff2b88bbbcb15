"""Successes in trials of three systems or more: all doors, and datasets as elsewhere."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli

SYSTEMS = ["ours", "base", "old"]
WON = {"pick": (50, [45, 20, 5]), "place": (40, [30, 28, 2]), "push": (60, [50, 30, 31])}
LONG = pd.DataFrame(
    [
        (task, s, n, k)
        for task, (n, wins) in WON.items()
        for s, k in zip(SYSTEMS, wins, strict=True)
    ],
    columns=["task", "system", "n", "wins"],
)
WIDE = pd.DataFrame([dict(zip(SYSTEMS, wins, strict=True)) for _, wins in WON.values()])
WIDE = WIDE.assign(task=[*WON], n=[n for n, _ in WON.values()])
GIVEN = {"dataset": "task", "successes": "wins", "trials": "n"}
FLAGS = [f"--{key}={value}" for key, value in GIVEN.items()]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    LONG.to_csv("t.csv", index=False)


def study(kind, **keys):
    block = {"name": "c", "dependence": "dependent", "file": "t.csv", **keys}
    content = {"study": "s", "alphas": [0.05], kind: [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    read = rep.read_study("s.yaml")
    return read.ask()[0] if kind == "comparisons" else read.families[0]


@pytest.mark.parametrize("against", [None, "base"])
def test_every_door_gives_the_same_family(against, capsys):
    more = {"against": against} if against else {}
    found = rep.all_pairs(LONG, **GIVEN, **more)
    columns = [*SYSTEMS]
    wide = GIVEN | {"successes": columns, "trials": "n"}
    flags = [f"--{key}={value}" for key, value in more.items()]
    assert cli.main(["family", "t.csv", *FLAGS, *flags, "--json"]) == 0
    command = json.loads(capsys.readouterr().out)
    others = [
        rep.all_pairs("t.csv", **GIVEN, **more),
        rep.all_pairs(WIDE, **wide, **more),
        study("families", columns=GIVEN | {"system": "system"}, **more),
    ]
    assert command["sentences"] == found.sentences
    for other in others:
        assert other.sentences == found.sentences
        pd.testing.assert_frame_equal(other.counts(), found.counts())
    assert "successes in trials" in found.page() or "Boschloo" in found.page()


def test_each_pair_is_that_of_a_comparison():
    found = rep.all_pairs(LONG, **GIVEN)
    for a in SYSTEMS:
        for b in {*SYSTEMS} - {a}:
            pair = rep.compare(LONG, a=a, b=b, **GIVEN).table
            own = found.pairs.pvalues[found.systems.index(a), found.systems.index(b)]
            assert own.tolist() == pair["p_value"].tolist()
    assert found.pairs.n_pairs == 6
    assert rep.all_pairs(LONG, against="old", **GIVEN).pairs.n_pairs == 4


REFUSED = {
    "two systems": ({"systems": ["ours", "base"]}, "has 2 systems"),
    "a system that there is not": ({"systems": ["ours", "base", "od"]}, "did you mean 'old'"),
    "a test": ({"test": "mcnemar"}, "applies to items"),
    "no trials": ({"trials": None}, "successes= cannot be used without trials="),
    "against nobody": ({"against": "od"}, "against 'od' is not one of"),
}


@pytest.mark.parametrize(("more", "said"), REFUSED.values(), ids=REFUSED)
def test_what_a_family_of_trials_cannot_say(more, said):
    with pytest.raises(rep.InputError, match=said):
        rep.all_pairs(LONG, **(GIVEN | more))


DATASETS = {
    "a column that is ignored": ({"ignore": ["note"]}, {"ignore": ["note"]}, GIVEN),
    "several columns of datasets": (
        {"dataset": ["task", "robot"]},
        {},
        GIVEN | {"dataset": ["task", "robot"]},
    ),
}


@pytest.mark.parametrize(("said", "keys", "columns"), DATASETS.values(), ids=DATASETS)
def test_datasets_are_told_as_elsewhere(said, keys, columns, capsys):
    table = LONG.assign(note="x", robot="arm")
    table.to_csv("t.csv", index=False)
    given = GIVEN | said
    found = rep.compare(table, a="ours", b="base", **given)
    flags = [
        f"--{key}={one}"
        for key, of in given.items()
        for one in ([of] if isinstance(of, str) else of)
    ]
    assert cli.main(["compare", "t.csv", "--systems", "ours", "base", *flags, "--json"]) == 0
    command = json.loads(capsys.readouterr().out)
    other = study(
        "comparisons", systems=["ours", "base"], columns=columns | {"system": "system"}, **keys
    )
    names = [row["dataset"] for row in command["datasets"]]
    assert names == list(found.table["dataset"]) == list(other.table["dataset"])
    assert names[0] == ("pick" if "ignore" in said else "pick / arm")
    pd.testing.assert_series_equal(found.table["p_value"], other.table["p_value"])


def test_one_dataset_of_trials(capsys):
    one = LONG[LONG["task"] == "pick"].drop(columns="task")
    one.to_csv("t.csv", index=False)
    given = {"successes": "wins", "trials": "n", "one_dataset": True}
    found = rep.compare(one, a="ours", b="base", **given)
    flags = ["--successes", "wins", "--trials", "n", "--one-dataset"]
    assert cli.main(["compare", "t.csv", "--systems", "ours", "base", *flags, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["datasets"]
    columns = {"system": "system", "successes": "wins", "trials": "n"}
    other = study("comparisons", systems=["ours", "base"], columns=columns, one_dataset=True)
    assert row["p_value"] == found.table["p_value"][0] == other.table["p_value"][0]
    assert found.n == 1


def test_mean_differences_of_shares_have_joint_intervals():
    """On one task the interval is Newcombe's method 10, from Wilson's limits, at .05 over two."""
    one = LONG[LONG["task"] == "pick"]
    rows = rep.against(one, "base", **GIVEN).summary.set_index("system")
    z, n = 2.2414027, 50  # qnorm(1 - 0.05/4)

    def wilson(share, sign):
        root = np.sqrt(share * (1 - share) / n + z**2 / 4 / n**2)
        return (share + z**2 / 2 / n + sign * z * root) / (1 + z**2 / n)

    for system, share in {"ours": 0.9, "old": 0.1}.items():
        row, base = rows.loc[system], 0.4
        low = np.hypot(share - wilson(share, -1), wilson(base, 1) - base)
        high = np.hypot(wilson(share, 1) - share, base - wilson(base, -1))
        expected = share - base, share - base - low, share - base + high
        assert row[["difference", "low", "high"]].tolist() == pytest.approx(expected, abs=1e-6)


def test_the_mean_over_tasks_is_that_of_the_shares_whatever_the_order_of_systems():
    shares = LONG.assign(share=LONG["wins"] / LONG["n"]).pivot_table("share", "task", "system")
    unknown, known, turned = (
        rep.against(table, "base", **GIVEN, **how).summary.set_index("system")
        for table, how in (
            (LONG, {}),
            (LONG, {"dependence": "independent"}),
            (LONG.iloc[::-1], {}),
        )
    )
    for system in ("ours", "old"):
        mean = (shares[system] - shares["base"]).mean()
        for rows in (unknown, known, turned):
            row = rows.loc[system]
            assert row["difference"] == pytest.approx(mean)
            assert row["low"] < mean < row["high"]
        assert known.loc[system, "high"] < unknown.loc[system, "high"]
        assert turned.loc[system, "low"] == pytest.approx(unknown.loc[system, "low"])


def test_all_successes_have_an_interval_below_one():
    sure = LONG.assign(wins=LONG["n"].where(LONG["system"] == "ours", LONG["wins"]))
    row = rep.against(sure, "base", **GIVEN).summary.set_index("system").loc["ours"]
    assert row["difference"] < row["high"] < 1


def test_a_forest_is_drawn_of_shares_and_refused_of_all_pairs():
    figure = rep.against(LONG, "base", **GIVEN).forest()
    assert len(figure.axes[0].get_yticks()) == 2
    with pytest.raises(rep.InputError, match="specify it with the key 'against'"):
        rep.all_pairs(LONG, **GIVEN).forest()
