"""A folder with a table for each dataset, in which all systems stand."""
# ruff: noqa: E501

import json

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.core import evaluation
from replicability.io.study import read_study

RNG = np.random.default_rng(11)
SIZES = {"news": 24, "law": 18, "mail": 21}
TABLES = {
    name: pd.DataFrame(
        {
            "instance": [f"{name[0]}{i}" for i in range(n)],
            "ours": (RNG.random(n) < 0.9).astype(int),
            "base": (RNG.random(n) < 0.3).astype(int),
        }
    )
    for name, n in SIZES.items()
}
WHOLE = pd.concat([table.assign(dataset=name) for name, table in TABLES.items()])
AB = {"a": "ours", "b": "base"}
TRUE = rep.compare(WHOLE, **AB).table.set_index("dataset")


def by_system(table):
    found = table.set_index("instance").T
    return found.reset_index(names="model")


WRITE = {
    "columns.csv": lambda table, path: table.to_csv(path, index=False),
    "columns.tsv": lambda table, path: table.to_csv(path, index=False, sep="\t"),
    "columns.parquet": lambda table, path: table.to_parquet(path, index=False),
    "columns.jsonl": lambda table, path: table.to_json(path, orient="records", lines=True),
    "rows.csv": lambda table, path: by_system(table).to_csv(path, index=False),
    "rows.parquet": lambda table, path: by_system(table).to_parquet(path, index=False),
    "bare.csv": lambda table, path: table[["ours", "base"]].to_csv(path, index=False),
    "long.csv": lambda table, path: table.melt(
        "instance", var_name="system", value_name="score"
    ).to_csv(path, index=False),
    "items.npy": lambda table, path: np.save(path, table[["ours", "base"]].to_numpy()),
    "systems.npy": lambda table, path: np.save(path, table[["ours", "base"]].to_numpy().T),
}


def folder_of(place, way, tables=TABLES):
    place.mkdir(exist_ok=True)
    for name, table in tables.items():
        WRITE[way](table, place / f"{name}.{way.partition('.')[2]}")
    return place


@pytest.mark.parametrize("way", WRITE)
def test_every_way_through_every_door(way, tmp_path, capsys):
    folder = folder_of(tmp_path / "suite", way)
    found = rep.compare(folder, **AB)
    table = found.table.set_index("dataset").loc[list(SIZES)]
    assert table["n"].tolist() == [*SIZES.values()]
    assert table["p_value"].tolist() == TRUE.loc[list(SIZES), "p_value"].tolist()
    assert cli.main(["compare", str(folder), "--systems", "ours", "base", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["datasets"] == found.to_dict()["datasets"]
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    if way.startswith("rows"):
        columns = {"system": "model"}
    if way.startswith("long"):
        columns = {key: key for key in ("dataset", "instance", "system", "score")}
    block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"}
    block |= {"file": str(folder), "columns": columns}
    study = tmp_path / "s.yaml"
    study.write_text(yaml.safe_dump({"study": "s", "alphas": [0.05], "comparisons": [block]}))
    (declared,) = read_study(study).comparisons
    read = evaluation.evaluate(declared)
    read = dict(zip(read["dataset"], read["p_value"], strict=True))
    assert read == dict(zip(table.index, table["p_value"], strict=True))


def test_a_family(tmp_path):
    tables = {name: table.assign(third=1) for name, table in TABLES.items()}
    family = rep.all_pairs(folder_of(tmp_path / "suite", "columns.csv", tables))
    whole = pd.concat([table.assign(dataset=name) for name, table in tables.items()])
    assert str(family) == str(rep.all_pairs(whole, systems=["ours", "base", "third"]))


def test_a_cell_is_named_by_its_file_and_line(tmp_path):
    folder = folder_of(tmp_path / "suite", "columns.csv")
    text = (folder / "law.csv").read_text().splitlines()
    text[4] = "l3,x,1"
    (folder / "law.csv").write_text("\n".join(text) + "\n")
    with pytest.raises(rep.InputError, match=r"law\.csv, line 5: the score .* is 'x'"):
        rep.compare(folder, **AB)


def put(name, text):
    def change(folder):
        (folder / name).write_text(text)

    return change


def saved(array):
    return lambda folder: np.save(folder / "x.npy", array, allow_pickle=True)


BAD = {
    "another column": ("columns.csv", put("x.csv", "instance,ours,rival\ni,1,0\n"), r"do not have the same columns, because only one of them has 'base', 'rival'"),
    "datasets of its own": ("columns.csv", put("x.csv", "dataset,ours,base\nq,1,0\n"), r"x\.csv is read as one dataset, named after the file, but the column 'dataset'"),
    "a column without header": ("columns.csv", put("x.csv", ",ours,base\nq,1,0\n"), r"x\.csv has a column without a header; call it 'system'"),
    "arrays among tables": ("columns.csv", saved(np.ones((2, 3))), r"contains both arrays and 'law\.csv'; keep files of one kind"),
    "three axes": ("items.npy", saved(np.ones((2, 3, 4))), r"shape \(2, 3, 4\), but a two-dimensional array of numbers"),
    "objects": ("items.npy", saved(np.array([[object()]])), r"x\.npy is not an array of numbers"),
    "text": ("items.npy", saved(np.array([["x"]])), r"array of type <U1"),
    "broken": ("items.npy", put("x.npy", "x"), r"x\.npy is not an array of numbers"),
    "other systems": ("items.npy", saved(np.ones((20, 3))), r"do not show which axis holds the systems"),
    "two files of one name": ("columns.csv", put("law.tsv", "x"), r"has both 'law\.csv' and 'law\.tsv'"),
    "means": ("rows.csv", put("x.csv", "model,a,b\nours,0.5,0.7\nbase,0.2,0.1\n"), r"x\.csv holds a row for each system and only 2 columns"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_folders(name, tmp_path):
    way, change, message = BAD[name]
    folder = folder_of(tmp_path / "suite", way)
    change(folder)
    with pytest.raises(rep.InputError, match=message):
        rep.compare(folder, **AB)


def test_an_empty_folder_and_two_square_arrays(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(rep.InputError, match="contains no file"):
        rep.compare(tmp_path / "empty")
    (tmp_path / "square").mkdir()
    np.save(tmp_path / "square" / "x.npy", np.eye(2))
    with pytest.raises(rep.InputError, match="do not show which axis"):
        rep.compare(tmp_path / "square")
    with pytest.raises(rep.InputError, match="do not show which axis"):
        rep.compare(tmp_path / "square", **AB)


def test_the_report_of_a_study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "suite", "columns.csv")
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"}
    block |= {"file": "suite", "columns": columns}
    study = {"study": "mine", "alphas": [0.05], "comparisons": [block]}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(study))
    assert cli.main(["run", "mine.yaml"]) == 0
    made = json.loads((tmp_path / "results/mine/provenance.json").read_text())
    assert set(made["data"]) == {"mine.yaml", *(f"suite/{name}.csv" for name in SIZES)}
