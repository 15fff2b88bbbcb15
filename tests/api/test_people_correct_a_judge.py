"""A judge's scores that human scores of some items correct, through every door."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.stats import paired

COLUMNS = {key: key for key in ("dataset", "instance", "system", "score")} | {"human": "people"}


def judged(n=200, labelled=60, names=("news", "law"), bias=0.3, gain=0.2, seed=3):
    """Return a judge's scores, which favour `ours`, and people's of the first items."""
    rng, rows = np.random.default_rng(seed), []
    for name in names:
        for item in range(n):
            for system, more, favour in (("ours", gain, bias), ("base", 0, 0)):
                people = float(rng.random() < 0.4 + more)
                judge = 1.0 if rng.random() < favour else people
                known = people if item < labelled else np.nan
                rows.append((name, f"i{item}", system, judge, known))
    table = pd.DataFrame(rows, columns=["dataset", "instance", "system", "score", "people"])
    return table.sample(frac=1, random_state=1)


TABLE = judged()


@pytest.fixture(params=["frame", "frames", "command", "commands", "study"])
def door(request, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def ask(table, **asked):
        table.to_csv("t.csv", index=False)
        asked = {"human": "people"} | asked
        sides = {name: table[table["system"] == name] for name in ("ours", "base")}
        sides = {name: side.drop(columns="system") for name, side in sides.items()}
        if request.param == "frame":
            return rep.compare(table, a="ours", b="base", **asked).to_dict()
        if request.param == "frames":
            return rep.compare(*sides.values(), a="ours", b="base", **asked).to_dict()
        if request.param != "study":
            paths = ["t.csv"]
            if request.param == "commands":
                paths = [f"{name}.csv" for name in sides]
                for path, side in zip(paths, sides.values(), strict=True):
                    side.to_csv(path, index=False)
            flags = [f"--{key.replace('_', '-')}={value}" for key, value in asked.items()]
            flags = ["--shared" if flag == "--shared=True" else flag for flag in flags]
            code = cli.main(["compare", *paths, "--json", "--systems", "ours", "base", *flags])
            said = capsys.readouterr()
            if code:
                raise rep.InputError(said.err.strip().splitlines()[-1])
            return json.loads(said.out)
        block = {"name": "c", "systems": ["ours", "base"], "file": "t.csv"}
        columns = COLUMNS | {key: asked.pop(key) for key in ("human", "size") if key in asked}
        block |= {"columns": columns, "dependence": "dependent", **asked}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()

    return ask


def sides(table, name):
    """Return the judge's and human scores of each system on a dataset."""
    of, values = table[table["dataset"] == name], ["score", "people"]
    wide = of.pivot_table(values, "instance", "system")[values]
    return [wide.xs(system, axis=1, level="system").to_numpy() for system in ("ours", "base")]


def test_it_is_the_test_of_the_table(door):
    answer = door(TABLE)
    assert answer["test"] == "prediction_powered"
    for row in answer["datasets"]:
        found = paired.prediction_powered(*sides(TABLE, row["dataset"]))
        assert row["p_value"] == pytest.approx(found.pvalue, rel=1e-9)
        assert row["difference"] == pytest.approx(found.effect)
        assert row["low"] == pytest.approx(found.confidence_interval.low)
        assert row["standard_error"] == pytest.approx(
            paired.judged_error(*sides(TABLE, row["dataset"]))
        )
        assert row["labelled"] == 60
    assert (
        "ours outperforms base by human judgement (corrected with 120 labelled items)"
        in (answer["findings"][0]["claim"])
    )
    (said,) = (note for note in answer["notes"] if "human judgement" in note)
    assert "people scored 120 of 400 items" in said
    assert "only if the items that people scored were drawn at random" in said


def test_the_bias_of_the_judge_is_taken_off():
    table = judged(n=600, labelled=100, gain=0.0)
    fooled = rep.compare(table, a="ours", b="base", ignore=["people"])
    corrected = rep.compare(table, a="ours", b="base", human="people")
    assert (fooled.k, corrected.k) == (2, 0)
    assert (fooled.table["difference"] - corrected.table["difference"]).min() > 0.1


def test_all_labelled_is_a_test_of_people(door):
    table = judged(labelled=200)
    answer = door(table)
    people = table.assign(score=table["people"]).drop(columns="people")
    alone = rep.compare(people, a="ours", b="base", test="paired_t").table.set_index("dataset")
    for row in answer["datasets"]:
        assert row["difference"] == pytest.approx(alone["difference"][row["dataset"]])
        assert row["p_value"] == pytest.approx(alone["p_value"][row["dataset"]], abs=0.005)
    assert "by human judgement (400 labelled items)" in answer["findings"][0]["claim"]
    assert "so their scores are tested alone" in json.dumps(answer["notes"])


def test_lower_is_better_and_margins():
    asked = {"a": "ours", "b": "base", "human": "people"}
    found = rep.compare(TABLE, **asked).table
    turned = TABLE.assign(score=1 - TABLE["score"], people=1 - TABLE["people"])
    lower = rep.compare(turned, higher_is_better=False, **asked).table
    np.testing.assert_allclose(lower["p_value"], found["p_value"], rtol=1e-9)
    margin = rep.compare(TABLE, claim="not_worse", margin=0.1, **asked)
    expected = [
        paired.prediction_powered(*sides(TABLE, name), margin=-0.1).pvalue
        for name in margin.table["dataset"]
    ]
    np.testing.assert_allclose(margin.table["p_value"], expected, rtol=1e-9)
    assert "not worse than base by more than 0.1 by human judgement" in str(margin)


def test_a_gate_decides_by_people():
    table = judged(n=600, labelled=200, gain=-0.25, bias=0.4)
    asked = {"systems": ("base", "ours"), "margin": 0.05}
    fooled = rep.gate(table, ignore=["people"], **asked)
    found = rep.gate(table, human="people", **asked)
    assert (fooled.verdict, found.verdict) == ("SHIP", "BLOCK")


def test_it_is_read_back():
    result = rep.compare(TABLE, a="ours", b="base", human="people")
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result
    assert "(Angelopoulos et al. 2023)" in result.method
    assert "the scores given by people are in the column 'people'" in str(result.read)


ONE_SIDE = TABLE.assign(
    people=TABLE["people"].where((TABLE["system"] == "ours") | (TABLE["instance"] != "i5"))
)
BAD = {
    "no labels": (TABLE.assign(people=np.nan), {}, "People scored 0 of 200 items, but"),
    "too few": (judged(labelled=29), {}, "at least 30, drawn at random; have people score"),
    "labels for one system": (
        ONE_SIDE,
        {},
        "People scored only one of the systems on 1 of 200 items",
    ),
    "no number": (
        TABLE.assign(people=TABLE["people"].map({1: "good"})),
        {},
        "people in 'people' is 'good'|human is 'good'",
    ),
    "no such column": (TABLE, {"human": "experts"}, "'experts'"),
    "another test": (TABLE, {"test": "wilcoxon"}, "'wilcoxon' ignores the human scores"),
    "shared units": (TABLE, {"shared": True}, "cannot be combined with shared units"),
    "missing items": (TABLE, {"missing": "wrong"}, "cannot be combined with missing items"),
    "sizes": (TABLE.assign(words=2), {"size": "words"}, "cannot be combined with sizes"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence(door, case):
    table, asked, message = case
    with pytest.raises(rep.InputError, match=message) as info:
        door(table, **asked)
    assert "\n" not in str(info.value) and str(info.value).endswith((".", "?", ")"))


def test_what_else_is_refused():
    wide = TABLE.pivot_table("score", ["dataset", "instance"], "system")
    wide = wide.reset_index().assign(people=1.0)
    with pytest.raises(
        rep.InputError, match="does not have one row per item and system; reshape it"
    ):
        rep.compare(wide, a="ours", b="base", human="people")
    with pytest.raises(rep.InputError, match="specify the column of human scores with human="):
        rep.compare(TABLE, a="ours", b="base", ignore=["people"], test="prediction_powered")
    runs = pd.concat([TABLE.assign(seed=seed) for seed in (1, 2)])
    with pytest.raises(rep.InputError, match="cannot be combined with runs"):
        rep.compare(runs, a="ours", b="base", human="people", run="seed")


def test_a_constant_judge_leaves_people_alone():
    found = rep.compare(TABLE.assign(score=1.0), a="ours", b="base", human="people")
    assert found.table["how"].str.contains("the judge's difference does not vary").all()
