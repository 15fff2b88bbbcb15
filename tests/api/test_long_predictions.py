"""Predictions with gold labels in one table with a row for each item and system: all doors."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli

RNG = np.random.default_rng(5)
GOLD = RNG.choice(["x", "y", "z"], 60)
WIDE = pd.DataFrame(
    {
        "dataset": ["news"] * 30 + ["law"] * 30,
        "instance": [f"i{k}" for k in range(60)],
        "label": GOLD,
        **{
            name: np.where(RNG.uniform(size=60) < share, GOLD, "x")
            for name, share in (("ours", 0.9), ("base", 0.4), ("old", 0.1))
        },
    }
)
LONG = WIDE.melt(["dataset", "instance", "label"], var_name="system", value_name="prediction")
LONG = LONG.sample(frac=1, random_state=1)
COLUMNS = {key: key for key in ("dataset", "instance", "system")} | {"score": "prediction"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def study(kind, **keys):
    block = {"name": "c", "dependence": "dependent", "file": "t.csv", **keys}
    block = {key: value for key, value in block.items() if value is not None}
    content = {"study": "s", "alphas": [0.05], kind: [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    read = rep.read_study("s.yaml")
    return read.ask()[0] if kind == "comparisons" else read.families[0]


def figures(result):
    columns = [c for c in ("dataset", "n", "score_a", "score_b", "p_value") if c in result.table]
    return result.table.sort_values("dataset")[columns].reset_index(drop=True)


@pytest.mark.parametrize("metric", ["accuracy", "exact_match", "macro_f1", "own"])
def test_a_pair_is_that_of_the_wide_table(metric, capsys):
    own = metric == "own"
    asked = (lambda prediction, gold: float(prediction == gold)) if own else metric
    given = {"a": "ours", "b": "base", "gold": "label", "metric": asked}
    expected = rep.compare(WIDE[["dataset", "instance", "label", "ours", "base"]], **given)
    LONG.to_csv("t.csv", index=False)
    doors = [rep.compare(LONG, **given), rep.compare("t.csv", score="prediction", **given)]
    if not own:
        flags = ["--gold", "label", "--metric", metric, "--systems", "ours", "base"]
        assert cli.main(["compare", "t.csv", "--json", *flags]) == 0
        doors.append(rep.Result.from_dict(json.loads(capsys.readouterr().out)))
        systems = {"systems": ["ours", "base"], "columns": COLUMNS | {"gold": "label"}}
        doors.append(study("comparisons", metric=metric, **systems))
    for found in doors:
        rounded = {"rtol": 0.02} if metric == "macro_f1" else {}  # resamples of rows in an order
        pd.testing.assert_frame_equal(figures(found), figures(expected), **rounded)


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_a_family_is_that_of_the_wide_table(metric, capsys):
    given = {"gold": "label", "metric": metric}
    expected = rep.all_pairs(WIDE, systems=["ours", "base", "old"], **given)
    LONG.to_csv("t.csv", index=False)
    WIDE.to_csv("w.csv", index=False)
    flags = ["--gold", "label", "--metric", metric, "--json"]
    doors = [rep.all_pairs(LONG, **given), rep.all_pairs("t.csv", **given)]
    doors.append(study("families", metric=metric, columns=COLUMNS | {"gold": "label"}))
    wide = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base", "old"]}
    doors.append(study("families", metric=metric, file="w.csv", columns=wide | {"gold": "label"}))
    for file, more in (("t.csv", []), ("w.csv", ["--systems", "ours", "base", "old"])):
        assert cli.main(["family", file, *more, *flags]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["sentences"] == list(expected.sentences)
    for found in doors:
        pd.testing.assert_frame_equal(found.counts(), expected.counts())


def test_what_is_missing_follows_the_policy():
    given = {"a": "ours", "b": "base", "gold": "label", "metric": "accuracy"}
    row = LONG[LONG["system"] == "ours"].index[0]
    lacking = LONG[LONG["system"] != "old"].drop(index=row)
    with pytest.raises(rep.InputError, match=r"empty|missing|lack"):
        rep.compare(lacking, **given)
    dropped = rep.compare(lacking, missing="drop", **given)
    assert dropped.table["n"].sum() == 59
    assert rep.compare(lacking, missing="wrong", **given).table["n"].sum() == 60


FAULTS = {
    "two gold labels of an item": (
        lambda t: t.assign(label=np.where(np.arange(len(t)) == 3, "q", t["label"])),
        {},
        "give an item the same gold label for all systems",
    ),
    "an item twice": (lambda t: pd.concat([t, t.head(1)]), {}, "occurs twice"),
    "no metric": (lambda t: t, {"metric": None}, r"metric='accuracy'.*metric='macro_f1'"),
    "no such system": (lambda t: t, {"b": "bas"}, "did you mean 'base'"),
    "no gold": (lambda t: t.drop(columns="label"), {}, "label"),
}


@pytest.mark.parametrize(("fault", "said", "message"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_compared_is_refused(fault, said, message):
    given = {"a": "ours", "b": "base", "gold": "label", "metric": "accuracy"} | said
    table = fault(LONG[LONG["system"] != "old"])
    with pytest.raises(rep.InputError, match=message):
        rep.compare(table, **given)


def test_a_column_that_parts_the_items_is_not_lost():
    lang = np.where(LONG["instance"].str[1:].astype(int) % 2, "en", "de")
    given = {"a": "ours", "b": "base", "gold": "label", "metric": "accuracy"}
    with pytest.raises(rep.InputError, match="column 'language'"):
        rep.compare(LONG.assign(language=lang), **given)
    found = rep.compare(LONG.assign(language=lang), dataset=["dataset", "language"], **given)
    assert len(found.table) == 4


def test_a_study_reads_a_file_of_each_system():
    for name in ("ours", "base", "old"):
        LONG[LONG["system"] == name].drop(columns="system").to_csv(f"{name}.csv", index=False)
    columns = {"dataset": "dataset", "instance": "instance", "score": "prediction", "gold": "label"}
    given = {"file": None, "columns": columns, "metric": "accuracy"}
    sides = {"a": "ours.csv", "b": "base.csv"}
    found = study("comparisons", systems=["ours", "base"], files=sides, **given)
    expected = rep.compare("ours.csv", "base.csv", gold="label", metric="accuracy")
    pd.testing.assert_frame_equal(figures(found), figures(expected))
    assert "ours.csv and base.csv" in str(found.read)
    family = study("families", files={n: f"{n}.csv" for n in ("ours", "base", "old")}, **given)
    every = rep.all_pairs(LONG, gold="label", metric="accuracy")
    pd.testing.assert_frame_equal(family.counts(), every.counts())
    files = {n: pd.read_csv(f"{n}.csv") for n in ("ours", "base", "old")}
    from_frames = rep.all_pairs(files, gold="label", metric="accuracy")
    pd.testing.assert_frame_equal(from_frames.counts(), every.counts())
    from_files = rep.all_pairs([f"{n}.csv" for n in files], gold="label", metric="accuracy")
    pd.testing.assert_frame_equal(from_files.counts(), every.counts())


def test_gold_ratings_of_a_family_are_refused():
    ratings = WIDE.assign(label=RNG.normal(size=60), ours=RNG.normal(size=60))
    ratings = ratings.assign(base=RNG.normal(size=60), old=RNG.normal(size=60))
    with pytest.raises(rep.InputError, match=r"ratings.*compare two systems"):
        rep.all_pairs(ratings, systems=["ours", "base", "old"], gold="label", metric="correlation")
