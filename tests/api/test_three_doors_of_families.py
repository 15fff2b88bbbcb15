"""One question about all pairs, through Python, the command line and YAML: one answer."""

import json
import re

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli

SYSTEMS = ["x", "y", "z"]

ANSWERED = {
    "nothing": ({}, []),
    "against": ({"against": "y"}, ["--against", "y"]),
    "dependence": ({"dependence": "independent"}, ["--independent"]),
    "method": (
        {"dependence": "independent", "method": "sidak"},
        ["--independent", "--method", "sidak"],
    ),
    "test": (
        {"test": "sign_flip", "options": {"n_resamples": 99}, "seed": 7},
        ["--test", "sign_flip", "--option", "n_resamples=99", "--seed", "7"],
    ),
    "higher_is_better": ({"higher_is_better": False}, ["--lower-is-better"]),
    "datasets": ({"datasets": ["news", "law"]}, ["--datasets", "news", "law"]),
    "missing": ({"missing": "drop"}, ["--missing", "drop"]),
    "missing is wrong": ({"missing": "wrong"}, ["--missing", "wrong"]),
    "a leader": ({"ask_first": {"leader": "x"}}, ["--ask-first", "leader=x"]),
    "neighbours": (
        {"ask_first": {"leader": ["x", "z"], "neighbours": ["x", "y", "z"]}},
        ["--ask-first", "leader=x,z", "--ask-first", "neighbours=x,y,z"],
    ),
}
"""What is asked -> keywords, which are keys of YAML, too, and flags; `lang` is always ignored."""

REFUSED = {
    "a system that there is not": ({"against": "yy"}, ["--against", "yy"]),
    "a method of other dependence": ({"method": "simes"}, ["--method", "simes"]),
    "units that nobody shares": ({"shared": True}, ["--shared"]),
    "no policy of missing items": ({"missing": None}, []),
    "a dataset that there is not": ({"datasets": ["new"]}, ["--datasets", "new"]),
    "flips of nothing": ({"n_flips": 400}, ["--flips", "400"]),
    "several metrics": ({"metrics": ["f1", "wer"]}, ["--metrics", "f1", "wer"]),
    "groups": ({"groups": {"w": ["news", "law"]}}, ["--group", "w=news,law"]),
    "a margin": ({"margin": 0.1}, ["--margin", "0.1"]),
    "one direction": ({"alternative": "greater"}, ["--alternative", "greater"]),
    "a leader that there is not": ({"ask_first": {"leader": "xx"}}, ["--ask-first", "leader=xx"]),
    "an unknown family": ({"ask_first": {"best": ["x"]}}, ["--ask-first", "best=x"]),
    "one neighbour": ({"ask_first": {"neighbours": ["x"]}}, ["--ask-first", "neighbours=x"]),
    "pairs that are not compared": (
        {"ask_first": {"leader": "x"}, "against": "y"},
        ["--ask-first", "leader=x", "--against", "y"],
    ),
}


def family(gaps):
    """Return a table with a row for each item and system; of x three items lack."""
    rng = np.random.default_rng(5)
    rows = [
        (name, f"{name}{item}", "en" if item % 2 else "de", *(rng.random(3) < (0.9, 0.6, 0.5)))
        for name in ("news", "law", "talks")
        for item in range(30)
    ]
    wide = pd.DataFrame(rows, columns=["dataset", "instance", "lang", *SYSTEMS])
    long = wide.melt(["dataset", "instance", "lang"], SYSTEMS, "system", "score")
    return long.astype({"score": int}).iloc[3 * gaps :]


@pytest.fixture
def doors(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def python(data, keywords):
        try:
            return rep.all_pairs(data, ignore=["lang"], **keywords).to_dict()
        except rep.InputError as error:
            return str(error)

    def command(flags):
        code = cli.main(["family", "t.csv", "--json", "--ignore", "lang", *flags])
        said = capsys.readouterr()
        return said.err if code else json.loads(said.out)

    def study(keywords):
        roles = {role: role for role in ("dataset", "instance", "system", "score")}
        block = {"name": "f", "file": "t.csv", "columns": roles, "dependence": "dependent"}
        block |= {"ignore": ["lang"], **keywords}
        content = {"study": "s", "alphas": [0.05], "families": [block]}
        (tmp_path / "s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        try:
            (found,) = rep.read_study("s.yaml").families
            return found.to_dict()
        except rep.InputError as error:
            return str(error)

    def every(keywords, flags, gaps, change=lambda frame: frame):
        frame = change(family(gaps))
        frame.to_csv("t.csv", index=False)
        keywords = {key: value for key, value in keywords.items() if value is not None}
        given = python(frame, keywords), python("t.csv", keywords), command(flags), study(keywords)
        return [answer if isinstance(answer, str) else plain(answer) for answer in given]

    return every


def plain(answer):
    """Return an answer without what names the door."""
    doors = {"command", "read", "name", "title", "provenance"}
    return json.loads(json.dumps({k: v for k, v in answer.items() if k not in doors}))


def rule(text):
    """Return the part of a refusal before what each door spells in its own way."""
    text = text.partition("--------")[0]
    text = re.sub(r"^.*?(?:frame|t\.csv|'f'|error): ", "", " ".join(text.split()))
    text = re.sub(r"n_flips=|--flips|the key 'n_flips'", "n_flips", text)
    text = re.sub(r"families\[0\]\.|In (ask_first=|--ask-first), ", "", text)
    text = re.sub(r"^s\.yaml: |the key |['=]|--", "", text).replace("-", "_")
    return text.replace("group ", "groups ").replace("ask_first.", "")[:35]


@pytest.mark.parametrize(("keywords", "flags"), ANSWERED.values(), ids=ANSWERED)
def test_a_family_has_one_answer_at_every_door(doors, keywords, flags):
    first, *others = doors(keywords, flags, "missing" in keywords)
    assert isinstance(first, dict), first
    for other in others:
        assert other == first


@pytest.mark.parametrize(("keywords", "flags"), REFUSED.values(), ids=REFUSED)
def test_a_family_is_refused_by_one_rule_at_every_door(doors, keywords, flags):
    said = doors(keywords, flags, "missing" in keywords)
    assert all(isinstance(text, str) for text in said), said
    assert len({rule(text) for text in said}) == 1, said


def without_law(frame):
    return frame[~((frame["system"] == "z") & (frame["dataset"] == "law"))]


@pytest.mark.parametrize("missing", [None, "drop", "wrong"])
def test_a_system_without_a_dataset_is_refused_at_every_door(doors, missing):
    flags = ["--missing", missing] if missing else []
    said = doors({"missing": missing}, flags, False, without_law)
    assert all("z" in text and "law" in text for text in said), said
    assert len({rule(text) for text in said}) == 1, said
    on = {"datasets": ["news", "talks"], "missing": missing}
    first, *others = doors(on, ["--datasets", "news", "talks", *flags], False, without_law)
    assert first["datasets"] == ["news", "talks"]
    assert all(other == first for other in others)


def test_identical_systems_are_one_at_every_door(doors):
    def twice(frame):
        return pd.concat([frame, frame[frame["system"] == "y"].assign(system="w")])

    first, *others = doors({}, [], False, twice)
    assert first["identical"] == [["y", "w"]]
    assert any("the same score on every item" in text for text in first["sentences"])
    assert all(other == first for other in others)


# --- two systems by several metrics --------------------------------------------------------------

METRICS = {"f1": "higher", "wer": "lower"}
WAYS = ["--metrics", "f1=higher", "wer=lower"]
MISTAKES = {
    "no direction": (
        {"metrics": ["f1", "wer"]},
        ["--metrics", "f1", "wer"],
        {},
        "'wer' suggests that lower",
    ),
    "one direction for both": (
        {"metrics": METRICS, "higher_is_better": True},
        [*WAYS, "--higher-is-better"],
        {},
        "say for each metric whether a higher or a lower score is better",
    ),
    "a metric that y lacks": ({"metrics": METRICS}, WAYS, {"system": "y"}, "Metric 'wer'"),
    "a metric that a dataset lacks": (
        {"metrics": METRICS},
        WAYS,
        {"system": "y", "dataset": "law"},
        "Metric 'wer'",
    ),
    "a metric that there is not": (
        {"metrics": {"f1": "higher", "cer": "lower"}},
        ["--metrics", "f1=higher", "cer=lower"],
        {},
        "Metric 'cer'",
    ),
}


@pytest.mark.parametrize(("keywords", "flags", "lacks", "message"), MISTAKES.values(), ids=MISTAKES)
def test_metrics_are_refused_at_every_door(
    keywords, flags, lacks, message, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    frame = family(False).rename(columns={"score": "f1"}).query("system != 'z'")
    frame["wer"] = 1.0 - frame["f1"]
    if lacks:
        frame.loc[(frame[[*lacks]] == pd.Series(lacks)).all(axis=1), "wer"] = np.nan
    frame.drop(columns="lang").to_csv("t.csv", index=False)
    with pytest.raises(rep.InputError) as python:
        rep.compare("t.csv", a="x", b="y", **keywords)
    assert cli.main(["compare", "t.csv", "--systems", "x", "y", *flags]) == 1
    roles = {role: role for role in ("dataset", "instance", "system")}
    block = {"name": "f", "systems": ["x", "y"], "file": "t.csv", "columns": roles}
    block |= {"dependence": "dependent", **keywords}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    assert cli.main(["run", "s.yaml"]) == 1
    command, _, study = capsys.readouterr().err.strip().partition("\n")
    for said in (str(python.value), command, " ".join(study.split())):
        assert message in said and "Traceback" not in said, said
