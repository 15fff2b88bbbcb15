"""What files and data support: each way that is named can be run, and nothing is a traceback."""
# ruff: noqa: E501

import json
import shlex

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import replicability as rep
from replicability import cli
from replicability.cli.new import EXAMPLES
from replicability.io import formats

RNG = np.random.default_rng(11)
ITEMS = pd.DataFrame({"dataset": np.repeat(["news", "law"], 20), "id": [*range(20)] * 2})
THREE = ITEMS.assign(**{name: RNG.integers(0, 2, 40) for name in ("ours", "base", "third")})
TWO = THREE.drop(columns="third")
NAMED = TWO.rename(columns={"id": "instance"})
LONG = THREE.melt(["dataset", "id"], var_name="model", value_name="acc")
SEEDS = pd.concat([LONG.assign(seed=k, acc=RNG.integers(0, 2, 120)) for k in range(5)])
SEEDS = SEEDS.rename(columns={"id": "instance", "acc": "score"})
PVALUES = pd.DataFrame({"set": list("abc"), "p": [0.1, 0.2, 0.001]})

SUPPORTED = {
    "two systems": (NAMED, ["compare t.csv"], []),
    "its own identifier": (TWO, ["compare t.csv --instance id"], []),
    "three systems": (
        THREE,
        ["family t.csv --instance id", "compare t.csv --instance id --systems ours base"],
        [],
    ),
    "columns that nobody knows": (
        LONG,
        [
            "family t.csv --instance id --system model --score acc",
            "compare t.csv --instance id --system model --score acc --systems ours base",
        ],
        [],
    ),
    "runs": (SEEDS[SEEDS["model"] != "third"], ["compare t.csv --run seed"], []),
    "a second column of datasets": (
        NAMED.assign(language=["en", "de"] * 20),
        [],
        ["compare t.csv --dataset dataset --dataset language", "compare t.csv --ignore language"],
    ),
    "sizes": (NAMED.assign(size=12), [], ["compare t.csv --size size", "compare t.csv --ignore size"]),
    "a loss": (
        NAMED.rename(columns={"ours": "wer_ours", "base": "wer_base"}),
        [],
        ["compare t.csv --lower-is-better", "compare t.csv --higher-is-better"],
    ),
    "missing scores": (
        NAMED.assign(base=NAMED["base"].where(NAMED["instance"] > 0)),
        [],
        ["compare t.csv --missing drop", "compare t.csv --missing wrong"],
    ),
    "p-values": (PVALUES, ["pvalues t.csv"], []),
    "p-values and scores": (
        PVALUES.assign(p=[0.1, 0.02, 0.001], ours=[80.1, 70, 60], base=[79, 71, 55.5]),
        ["audit t.csv --dataset set --p-value p --scores ours base"],
        ["pvalues t.csv --scores ours base --sided two", "pvalues t.csv --scores ours base --sided one"],
    ),
    "p-values that fit the scores": (
        PVALUES.assign(ours=[80.1, 70, 60], base=[79, 69, 55.5]),
        [
            "pvalues t.csv --scores ours base",
            "audit t.csv --dataset set --p-value p --scores ours base",
        ],
        [],
    ),
    "one dataset": (
        NAMED.iloc[:20].drop(columns="dataset").rename(columns={"instance": "q id"}),
        ["compare t.csv --instance 'q id'"],
        [],
    ),
}  # fmt: skip


@pytest.fixture
def checked(tmp_path, monkeypatch, capsys):
    """Return what the command says of files, as a dictionary, and its status."""
    monkeypatch.chdir(tmp_path)

    def checked(*arguments):
        status = cli.main(["check", *map(str, arguments), "--json"])
        said = capsys.readouterr()
        assert said.err == ""
        return json.loads(said.out), status

    return checked


@pytest.mark.parametrize(("table", "can", "settle"), SUPPORTED.values(), ids=SUPPORTED)
def test_what_a_table_supports_can_be_run(table, can, settle, checked, capsys):
    table.to_csv("t.csv", index=False)
    answer, status = checked("t.csv")
    shells = {key: [way["shell"] for way in answer[key]] for key in ("can", "settle")}
    assert shells["can"] == [f"replicability {line}" for line in can]
    assert shells["settle"] == [f"replicability {line}" for line in settle]
    assert status == 0
    for line in (*shells["can"], *shells["settle"]):
        assert cli.main(shlex.split(line)[1:]) in (0, 3), line
        capsys.readouterr()
    found = rep.check(table)
    assert bool(found)
    assert [way.command for way in found.can] == [way["command"] for way in answer["can"]]
    if settle and settle[0].startswith("pvalues"):
        assert "p-values may be one-sided or two-sided" in str(found)
    for way in (*found.can, *found.settle):
        if way.command in ("compare", "family"):
            assert eval(way.python, {"rep": rep, "data": table})


def test_the_text_says_what_the_dictionary_has(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    THREE.to_csv("t.csv", index=False)
    assert cli.main(["check", "t.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 systems on 2 datasets, 40 items; items matched by 'id'."
    assert "  replicability family t.csv --instance id" in lines
    assert "  pvalues: no column is called p, p_value or the like" in lines
    assert max(map(len, lines)) <= 88
    said = str(rep.check("t.csv"))
    assert "  rep.all_pairs('t.csv', instance='id')" in said
    assert said.splitlines()[0] == lines[0]
    assert rep.check("t.csv")._repr_html_().startswith("<pre>3 systems on")


CONTAINERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "json": lambda frame, path: frame.to_json(path, orient="records"),
    "parquet": lambda frame, path: parquet.write_table(pa.Table.from_pandas(frame), path),
    "feather": lambda frame, path: feather.write_feather(pa.Table.from_pandas(frame), path),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_every_container_supports_the_same(kind, checked, tmp_path):
    CONTAINERS[kind](THREE, tmp_path / f"t.{kind}")
    answer, _ = checked(f"t.{kind}")
    assert [way["command"] for way in answer["can"]] == ["family", "compare"]
    assert answer["read"]["items"] == {"news": 20, "law": 20}


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [name for name in formats.NAMES if (EXAMPLES / name / "ours").exists()]
)
def test_every_format_is_recognised_or_says_what_it_needs(kind, checked):
    files = [EXAMPLES / kind / side for side in ("ours", "baseline")]
    answer, status = checked(*files)
    if status:
        key = "items" if kind == "ids" else "gold"
        answer, status = checked(*files, "--format", kind, f"--{key}", EXAMPLES / kind / key)
    assert status == 0
    assert answer["read"]["format"] == kind
    assert [way["command"] for way in answer["can"]] == ["compare"]


def test_several_files_are_as_many_systems(checked, capsys):
    for name in ("ours", "base", "third"):
        rows = LONG[LONG["model"] == name].rename(columns={"acc": "score", "id": "instance"})
        rows.drop(columns="model").to_json(f"{name}.jsonl", orient="records", lines=True)
    files = [f"{name}.jsonl" for name in ("ours", "base", "third")]
    answer, _ = checked(*files)
    lines = [way["shell"] for way in answer["can"]]
    assert lines == [
        "replicability family ours.jsonl base.jsonl third.jsonl",
        "replicability compare ours.jsonl base.jsonl",
    ]
    for line in lines:
        assert cli.main(shlex.split(line)[1:]) == 0
        capsys.readouterr()
    answer, _ = checked(*files[:2])
    assert [way["shell"] for way in answer["can"]] == [
        "replicability compare ours.jsonl base.jsonl"
    ]
    assert answer["cannot"] == []
    frames = [pd.read_json(name, lines=True) for name in files]
    assert rep.check(*frames).read.systems == ("system 1", "system 2", "system 3")


def test_a_study_is_run(checked, capsys):
    assert cli.main(["new", "mine"]) == 0
    capsys.readouterr()
    answer, status = checked("config/mine.yaml")
    assert [way["shell"] for way in answer["can"]] == ["replicability run config/mine.yaml"]
    assert (answer["can"][0]["what"], status) == ("reports 1 comparisons and 0 families", 0)


def test_standard_input_is_read(checked, monkeypatch, tmp_path):
    NAMED.to_csv("t.csv", index=False)
    content = (tmp_path / "t.csv").read_bytes()
    monkeypatch.setattr("replicability.cli.reading._read_pipe", lambda *_: content)
    answer, status = checked("-")
    assert (status, answer["read"]["n"]) == (0, 2)


UNKNOWN = {
    "nothing there": (None, "does not exist"),
    "an empty file": (b"", "is empty"),
    "headers alone": (b"a,b,c\n", "no rows below its headers"),
    "bytes": (bytes(range(256)), "is not text"),
    "prose": (b"Dear all,\nthis is a letter.\n", "cells"),
    "a leaderboard": (
        b"model,arc,mmlu\nx,71.1,60\ny,70,61\n",
        "P-values cannot be computed from one number",
    ),
    "one system": (b"dataset,instance,ours\nx,1,1\nx,2,0\n", "has 1 column of numbers"),
    "a word": (b"hello\nworld\n", "no columns of numbers"),
    "JSON of something": (b'{"a": [1, 2]}', "JSON"),
    "broken JSON": (b'{"a": [1, 2', "JSON"),
    "a study with a fault": (b"study: [", "YAML"),
}


@pytest.mark.parametrize(("content", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_cannot_be_read_is_said(content, said, checked, tmp_path):
    name = {"a study with a fault": "t.yaml"}.get(
        next(key for key, row in UNKNOWN.items() if row == (content, said)), "t.csv"
    )
    if content is not None:
        (tmp_path / name).write_bytes(content)
    answer, status = checked(name)
    assert status == 1
    assert not (answer["can"] or answer["settle"])
    assert said in answer["reason"]
    assert answer["seen"]


def test_headers_and_first_values_are_shown_of_what_cannot_be_read(checked, tmp_path):
    (tmp_path / "t.csv").write_text("who,when\nAda,1815\nAlan,1912\n")
    answer, _ = checked("t.csv")
    assert answer["seen"][:2] == [
        "column 'who': text, 2 different values in 2 rows, such as 'Ada', 'Alan'",
        "column 'when': numbers, 2 different values in 2 rows, such as '1815', '1912'",
    ]
    assert answer["seen"][2].startswith("supported formats: ")


IN_MEMORY = {
    "arrays": (([1, 0, 1], [0, 0, 1]), {}, ["compare"]),
    "datasets": (({"x": ([1, 0, 1], [0, 0, 1])},), {}, ["compare"]),
    "systems": (({"x": [1, 0, 1], "y": [0, 0, 1], "z": [1, 1, 1]},), {}, ["family"]),
    "p-values": (([0.1, 0.02],), {}, ["pvalues"]),
    "named p-values": (({"x": 0.1, "y": 0.02},), {}, ["pvalues"]),
    "an Arrow table": ((pa.Table.from_pandas(NAMED),), {}, ["compare"]),
    "rows": ((NAMED.to_dict("records"),), {}, ["compare"]),
    "chosen systems": ((THREE,), {"systems": ["third", "ours"]}, ["compare"]),
    "nothing": ((3,), {}, []),
    "text": ((["a", "b"],), {}, []),
    "None": ((None,), {}, []),
}


@pytest.mark.parametrize(("data", "given", "commands"), IN_MEMORY.values(), ids=IN_MEMORY)
def test_data_in_memory_are_checked(data, given, commands):
    found = rep.check(*data, **given)
    assert [way.command for way in found.can] == commands
    assert str(found)
    assert json.dumps(found.to_dict())
    assert all(way.shell == "" for way in found.can)


def test_a_call_without_data_or_with_other_keywords_is_refused():
    with pytest.raises(TypeError, match=r"check\(\) needs data"):
        rep.check()
    with pytest.raises(TypeError, match=r"no argument 'datset'; did you mean 'dataset'"):
        rep.check(TWO, datset="x")


@pytest.mark.parametrize("repeated", [True, False])
def test_repeats_of_items_are_never_pooled(repeated):
    rows = [
        (d, f"i{k}", k % 2, (k + s) % 3 > 0) for d in "xyz" for k in range(30) for s in range(5)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "id", "ours", "base"])
    table["seed"] = list(range(5)) * 90
    if not repeated:
        table["id"] = [f"i{k}" for k in range(450)]
    found = rep.check(table)
    assert not any("ignore" in way.keywords for way in (*found.can, *found.settle))
    if repeated:
        assert [way.keywords for way in found.can] == [{"instance": "id", "run": "seed"}]
        assert "items matched by 'id'; 'seed' identifies runs" in str(found)
    else:
        assert {"instance": "id"} in [way.keywords for way in found.can]


@pytest.mark.parametrize(("header", "shares"), [("fold", [0.2]), ("resample", [])])
def test_the_share_of_a_test_part_is_that_of_folds_or_asked_for(header, shares):
    rows = [(d, k, (k * 7 + 3) % 10 / 10, (k * 3 + 1) % 10 / 10) for d in "xyz" for k in range(5)]
    found = rep.check(pd.DataFrame(rows, columns=["dataset", header, "ours", "base"]))
    splits = [way.keywords["repeats"] for way in found.can if "repeats" in way.keywords]
    assert [of["test_share"] for of in splits if of["kind"] == "splits"] == shares
    assert ("replace 0.1 by" in str(found)) != bool(shares)


@pytest.mark.parametrize("header", ["fold", "resample"])
def test_rows_of_a_split_are_averaged_first(header):
    rows = [(d, k, i * k % 7 / 7, i * k % 5 / 5) for d in "xyz" for k in range(4) for i in range(9)]
    table = pd.DataFrame(rows, columns=["dataset", header, "ours", "base"])
    with pytest.raises(rep.InputError) as refused:
        rep.compare(table, dependence="independent")
    said = "For splits of the same data, average the rows of each split and declare repeats="
    assert said in str(refused.value)
    assert f"'test_share': {0.25 if header == 'fold' else 0.1}}}" in str(refused.value)
    averaged = table.groupby(["dataset", header], as_index=False).mean()
    splits = {"column": header, "kind": "splits", "test_share": 0.25}
    found = rep.compare(averaged, repeats=splits, dependence="independent")
    assert found.table["n"].tolist() == [4] * 3


@pytest.mark.parametrize("n", [2, 3])
def test_calls_of_several_frames_can_be_copied(n):
    frames = [
        pd.DataFrame({"id": range(20), "score": [(k * (j + 2)) % 3 == 0 for k in range(20)]})
        for j in range(n)
    ]
    found = rep.check(*frames)
    assert "data is the list of your inputs" in str(found)
    assert [way.command for way in found.can] == (["compare"] if n == 2 else ["family", "compare"])
    for way in found.can:
        assert eval(way.python, {"rep": rep, "data": frames})
