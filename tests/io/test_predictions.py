"""Predictions beside gold labels: right or wrong, F1 over classes, or a function of your own."""
# ruff: noqa: E501

import difflib
import json

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import replicability as rep
from replicability import cli
from replicability.core import evaluation
from replicability.io.study import read_study
from replicability.stats import metrics

RNG = np.random.default_rng(2)
N = 60
GOLD = RNG.choice(["joy", "anger", "fear"], N)


def guessed(share):
    return np.where(RNG.random(N) < share, GOLD, RNG.choice(["joy", "anger", "sadness"], N))


FRAME = pd.DataFrame(
    {
        "dataset": np.repeat(["tweets", "mail"], N // 2),
        "id": [f"i{n}" for n in range(N)],
        "ours": guessed(0.8),
        "base": guessed(0.2),
        "label": GOLD,
    }
)
AB = {"a": "ours", "b": "base", "instance": "id", "gold": "label"}
RIGHT = FRAME.assign(**{s: (FRAME[s] == FRAME["label"]).astype(int) for s in ("ours", "base")})
SCORED = RIGHT.drop(columns="label")

WRITE = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "json": lambda frame, path: frame.to_json(path, orient="records"),
}


def study_of(path, **block):
    columns = {"dataset": "dataset", "instance": "id", "scores": ["ours", "base"], "gold": "label"}
    block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"} | block
    content = {"study": "s", "alphas": [0.05]}
    content["comparisons"] = [block | {"file": str(path), "columns": columns}]
    file = path.with_suffix(".yaml")
    file.write_text(yaml.safe_dump(content))
    return read_study(file).comparisons[0]


@pytest.mark.parametrize("ending", WRITE)
@pytest.mark.parametrize("metric", ["accuracy", "exact_match"])
def test_right_or_wrong_through_every_door(ending, metric, tmp_path, capsys):
    path = tmp_path / f"predictions.{ending}"
    WRITE[ending](FRAME, path)
    true = rep.compare(SCORED, a="ours", b="base", instance="id")
    found = rep.compare(path, **AB, metric=metric)
    assert str(found) == str(true)
    assert found.table["p_value"].tolist() == true.table["p_value"].tolist()
    assert found.table["test"].tolist() == ["mcnemar"] * 2
    assert any("equals the gold label exactly." in note for note in found.notes)
    options = ["--systems", "ours", "base", "--instance", "id", "--gold", "label", "--json"]
    assert cli.main(["compare", str(path), *options, "--metric", metric]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["datasets"] == found.to_dict()["datasets"]
    table = evaluation.evaluate(study_of(path, metric=metric))
    assert table["p_value"].tolist() == true.table["p_value"].tolist()


def test_macro_f1_is_that_of_scikit_learn(tmp_path, capsys):
    # f1_score(gold, predicted, average="macro", zero_division=0) of scikit-learn 1.9.1
    sklearn = pytest.importorskip("sklearn.metrics")
    found = rep.compare(FRAME, **AB, metric="macro_f1")
    for row in found.table.to_dict("records"):
        own = FRAME[FRAME["dataset"] == row["dataset"]]
        for side, system in zip("ab", ("ours", "base"), strict=True):
            true = sklearn.f1_score(own["label"], own[system], average="macro", zero_division=0)
            assert row[f"score_{side}"] == pytest.approx(true, abs=1e-14)
    path = tmp_path / "p.csv"
    FRAME.to_csv(path, index=False)
    options = ["--systems", "ours", "base", "--instance", "id", "--gold", "label", "--json"]
    assert cli.main(["compare", str(path), *options, "--metric", "macro_f1"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["datasets"] == found.to_dict()["datasets"]
    table = evaluation.evaluate(study_of(path, metric="macro_f1"))
    assert table["p_value"].tolist() == found.table["p_value"].tolist()


@given(st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_macro_f1_of_any_labels(pairs):
    sklearn = pytest.importorskip("sklearn.metrics")
    from replicability.io.predictions import counted

    gold, guess = (np.array([ord(pair[k]) for pair in pairs], float) for k in range(2))
    sums = counted(gold, guess[None])[0]
    found = metrics.macro_f1(sums.sum(axis=0))
    assert found == pytest.approx(
        sklearn.f1_score(gold, guess, average="macro", zero_division=0), abs=1e-12
    )


def test_a_function_of_your_own():
    def similarity(prediction, gold):
        return difflib.SequenceMatcher(None, prediction, gold).ratio()

    found = rep.compare(FRAME, **AB, metric=similarity)
    by_hand = FRAME.assign(
        **{s: [similarity(*p) for p in zip(FRAME[s], GOLD, strict=True)] for s in ("ours", "base")}
    ).drop(columns="label")
    true = rep.compare(by_hand, a="ours", b="base", instance="id")
    assert found.table["p_value"].tolist() == true.table["p_value"].tolist()
    assert "similarity" in json.dumps(found.to_dict())
    with pytest.raises(rep.InputError, match=r"fails\('\w+', '\w+'\) fails \(ZeroDivisionError"):
        rep.compare(FRAME, **AB, metric=fails)
    with pytest.raises(
        rep.InputError, match=r"returns nan .*, but a score must be a finite number"
    ):
        rep.compare(FRAME, **AB, metric=lambda prediction, gold: float("nan"))


def fails(prediction, gold):
    return 1 / 0


def test_a_family_of_predictions():
    frame = FRAME.assign(third=GOLD)
    systems = ["ours", "base", "third"]
    scored = {s: (frame[s] == GOLD).astype(int) for s in systems}
    true = rep.all_pairs(
        frame.assign(**scored).drop(columns="label"), systems=systems, instance="id"
    )
    keywords = {"instance": "id", "gold": "label"}
    assert str(rep.all_pairs(frame, systems=systems, metric="accuracy", **keywords)) == str(true)
    family = rep.all_pairs(frame, systems=systems, metric="macro_f1", **keywords)
    pair = rep.compare(FRAME, **AB, metric="macro_f1")
    assert family.systems and pair.n == 2


def test_missing_predictions(tmp_path):
    gaps = FRAME.assign(ours=FRAME["ours"].mask(FRAME.index < 3))
    path = tmp_path / "gaps.csv"
    gaps.to_csv(path, index=False)
    for data in (gaps, path):
        with pytest.raises(rep.InputError, match=r"score in 'ours' is"):
            rep.compare(data, **AB, metric="accuracy")
        wrong = rep.compare(data, **AB, metric="accuracy", missing="wrong").table
        right = SCORED.assign(ours=SCORED["ours"].mask(SCORED.index < 3, 0))
        true = rep.compare(right, a="ours", b="base", instance="id").table
        assert wrong["score_a"].tolist() == true["score_a"].tolist()
        dropped = rep.compare(data, **AB, metric="macro_f1", missing="drop").table
        assert dropped["n"].tolist() == [27, 30]
        with pytest.raises(rep.InputError, match="has no class"):
            rep.compare(data, **AB, metric="macro_f1", missing="wrong")


def test_blanks_and_case_are_said_and_not_made_alike():
    near = FRAME.assign(ours=[x.upper() if n < 4 else x for n, x in enumerate(GOLD)])
    found = rep.compare(near, **AB, metric="accuracy")
    (note,) = [note for note in found.notes if "exactly" in note]
    assert note.endswith("4 more of 'ours' would be right if case and spaces were ignored.")
    assert found.table["score_a"].tolist() == [26 / 30, 1]


def test_a_file_of_predictions_for_each_system(tmp_path, capsys):
    true = rep.compare(SCORED, a="ours", b="base", instance="id")
    sides = [
        FRAME[["dataset", "id", side, "label"]]
        .rename(columns={side: "prediction"})
        .sample(frac=1, random_state=seed)
        for seed, side in enumerate(("ours", "base"))
    ]
    keywords = {"instance": "id", "gold": "label", "metric": "accuracy"}
    found = rep.compare(*sides, a="ours", b="base", **keywords)
    rows = [dict(zip(t["dataset"], t["p_value"], strict=True)) for t in (found.table, true.table)]
    assert rows[0] == rows[1]
    paths = [tmp_path / f"{name}.jsonl" for name in ("ours", "base")]
    for side, path in zip(sides, paths, strict=True):
        side.to_json(path, orient="records", lines=True)
    options = ["--instance", "id", "--gold", "label", "--metric", "accuracy", "--json"]
    assert cli.main(["compare", *map(str, paths), *options]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {d["dataset"]: d["p_value"] for d in said["datasets"]} == rows[1]
    renamed = [side.rename(columns={"prediction": "answer"}) for side in sides]
    again = rep.compare(*renamed, a="ours", b="base", score="answer", **keywords)
    assert str(again) == str(found)
    other = sides[1].assign(label="joy")
    with pytest.raises(rep.InputError, match="compare both systems with the same gold labels"):
        rep.compare(sides[0], other, **keywords)


BINARY = pd.DataFrame(
    {"ours": [1, 0, 1, 1] * 5, "base": [0, 0, 1, 0] * 5, "gold": [1, 0, 1, 1] * 5}
)


def test_labels_of_numbers_are_labels_or_ratings_by_what_is_said():
    both = {"a": "ours", "b": "base", "gold": "gold"}
    with pytest.raises(rep.InputError, match=r"metric='accuracy' if .*metric='correlation'"):
        rep.compare(BINARY, **both)
    assert rep.compare(BINARY, **both, metric="accuracy").table["score_a"].tolist() == [1]
    rated = rep.compare(BINARY, **both, metric="correlation").table
    assert rated["test"].tolist() == ["correlation_jackknife"]


BAD = {
    "no metric": ({}, {}, r"holds labels, not ratings; choose .*metric='accuracy'.*metric='macro_f1'"),
    "another metric": ({}, {"metric": "acuracy"}, r"metric 'acuracy' is not one of .*'accuracy'"),
    "no gold": ({}, {"metric": "accuracy", "gold": None}, r"the metric 'accuracy' compares predictions"),
    "gold of another kind": ({"label": range(N)}, {"metric": "accuracy"}, r"'ours' holds text and 'label' holds numbers"),
    "nothing right": ({"ours": "JOY"}, {"metric": "accuracy"}, r"no prediction in 'ours' equals its gold label exactly \(such as the prediction 'JOY'"),
    "no gold label": ({"label": [None, *GOLD[1:]]}, {"metric": "accuracy"}, r"gold"),
    "text, no classes": ({"label": [f"x{n}" for n in range(N)], "ours": [f"x{n}" for n in range(N)], "base": ["x0"] * N}, {"metric": "macro_f1"}, None),
    "too many classes": ({"label": [f"x{n}" for n in range(N)], "ours": [f"x{n}" for n in range(N)], "base": ["x0"] + [f"y{n}" for n in range(N - 1)]}, {"metric": "macro_f1"}, r"119 different labels, but macro_f1 allows at most 100"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_predictions(name):
    changes, keywords, message = BAD[name]
    data = FRAME.assign(**changes)
    if message is None:
        assert rep.compare(data, **(AB | keywords)).n == 2
        return
    with pytest.raises(rep.InputError, match=message):
        rep.compare(data, **{k: v for k, v in (AB | keywords).items() if v})
