"""A refusal of an ambiguity gives the commands that settle it, and each of them does."""

# ruff: noqa: E501

import ast
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from corpus import inputs, logs
from replicability import checks, cli

RNG = np.random.default_rng(5)
TABLE = inputs.TABLE
LONG = TABLE.melt(["dataset", "instance"], var_name="system", value_name="score")
ERRORS = TABLE.rename(columns={"ours": "wer_ours", "base": "wer_base"})
SEEDS = pd.concat([TABLE.assign(seed=k) for k in range(3)])
SEEDS["ours"] = RNG.integers(0, 2, len(SEEDS))


def of(frame):
    """Return a table as the content of a file."""
    return {"t.csv": frame.to_csv(index=False).encode()}


def log(kind, change):
    """Return the sample of a format with changed records."""
    return logs.records_of(change, logs.SIDES, "")(kind, logs.sample(kind))


AMBIGUOUS = {
    "a metric that may be a loss": (of(ERRORS), ["higher_is_better"], 2),
    "parts of datasets": (of(TABLE.assign(language=["en", "de"] * 20)), ["dataset", "ignore"], 2),
    "one dataset or several": (
        of(TABLE[["instance", "ours", "base"]][:20].assign(topic=["p", "q"] * 10)),
        ["dataset", "one_dataset"],
        2,
    ),
    "sizes": (of(TABLE.assign(size=9)), ["size", "ignore"], 2),
    "seeds": (of(SEEDS), ["run"], 1),
    "three systems in columns": (of(TABLE.assign(third=1)), ["systems"], 1),
    "three systems in rows": (
        of(pd.concat([LONG, LONG[LONG["system"] == "base"].assign(system="third")])),
        ["systems"],
        1,
    ),
    "scores nobody knows": (of(LONG.rename(columns={"score": "verdict"})), ["score"], 1),
    "missing items": (of(LONG[1:]), ["missing"], 2),
    "a leaderboard or items": (
        of(pd.DataFrame({"task": list("uvwxyz"), "ours": [1, 1, 1, 0, 1, 1], "base": [0, 1, 0, 0, 0, 1]}).assign(ours=lambda t: t["ours"] + 0.5, base=lambda t: t["base"] + 0.25)),
        ["instance"],
        1,
    ),
    "a dataset of one system": (
        of(LONG[(LONG["dataset"] == "news") | (LONG["system"] == "ours")]),
        ["datasets"],
        1,
    ),
    "a file of one system": (
        {n: c for n, c in logs.sample("lm_eval").items() if n.split("/")[0] != "ours" or "news" not in n},
        ["datasets"],
        1,
    ),
    "metrics of lm_eval": (
        log("lm_eval", lambda r, *_: [{"metrics": ["em", "f1"], "em": x["acc"], "f1": x["acc"]} | {k: v for k, v in x.items() if k not in ("acc", "metrics")} for x in r]),
        ["metric"],
        2,
    ),
    "filters of lm_eval": (
        log("lm_eval", lambda r, *_: [x | {"filter": name} for x in r for name in ("strict", "flexible")]),
        ["filter"],
        2,
    ),
    "scorers of Inspect": (
        log("inspect_ai", lambda r, *_: [x | {"scores": {"match": x["scores"]["match"], "f1": x["scores"]["match"]}} for x in r]),
        ["metric"],
        2,
    ),
    "splits of HELM": (
        log("helm", lambda r, *_: [json.loads(json.dumps(x).replace('"test"', f'"{split}"')) for x in r for split in ("dev", "train")]),
        ["filter"],
        2,
    ),
}  # fmt: skip
"""Name -> files, the keywords that settle it, and how many ways the refusal gives."""


METRIC = {"splits of HELM": {"metric": "exact_match"}}
"""Name -> what else the reader has to be told."""

SWITCHES = {"--lower-is-better", "--higher-is-better", "--one-dataset"}
"""Options without a value."""


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_every_way_that_a_refusal_gives_settles_it(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    files, keys, several = AMBIGUOUS[name]
    logs.store(files, tmp_path)
    sides = ["t.csv"] if "t.csv" in files else [*logs.SIDES]
    more = METRIC.get(name, {})
    flags = [text for key, value in more.items() for text in (f"--{key}", value)]
    with pytest.raises(rep.InputError) as raised:
        rep.compare(*sides, **more)
    assert cli.main(["compare", *sides, *flags]) == 1
    said = " ".join(capsys.readouterr().err.split())
    ways, keywords = options(said), calls(str(raised.value))
    assert len(ways) >= several, said
    assert len(keywords) == len(ways), (str(raised.value), said)
    known = {checks.option(key) for key in keys} | SWITCHES
    assert {way[0] for way in ways} <= known, said
    for way in ways:
        assert cli.main(["compare", *sides, *flags, *way]) == 0, (way, capsys.readouterr().err)
        capsys.readouterr()
    for keyword in keywords:
        rep.compare(*sides, **more, **keyword)


def options(said):
    """List the options that a message of the command line gives with their values."""
    value = r"(?:'[^']*'|(?!(?:or|for|if|and|one)\b)[\w.]*\w)"
    one = rf"--[a-z-]+(?: {value})*"
    found = [shlex.split(way) for way in re.findall(rf"{one}(?: {one})*", said)]
    return [way for way in found if len(way) > 1 or way[0] in SWITCHES]


def calls(said):
    """List the keywords that a message of Python gives with their values."""
    found = re.findall(r"(\w+)=(\[[^]]*\]|'[^']*'|True|False)(, b='[^']*')?", said)
    return [
        {key: ast.literal_eval(value)} | ({"b": ast.literal_eval(b[4:])} if b else {})
        for key, value, b in found
    ]
