"""One table in every way to store it, and how each way names a row."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import workbook
from comparisons import declare

from replicability import checks
from replicability.core import evaluation
from replicability.io import delimited, stored


def as_workbook(table, path):
    rows = table.astype(object).to_numpy().tolist()
    workbook.write(path, [list(table.columns), *rows])


def as_arrow(table, path, new=pa.ipc.new_file):
    columns = pa.Table.from_pandas(table, preserve_index=False)
    with new(path, columns.schema) as writer:
        writer.write_table(columns, max_chunksize=7)


WAYS = {
    "t.xlsx": as_workbook,
    "t.jsonl": lambda table, path: table.to_json(path, orient="records", lines=True),
    "t.ndjson": lambda table, path: table.to_json(path, orient="records", lines=True),
    "t.json": lambda table, path: table.to_json(path, orient="records"),
    "t.feather": lambda table, path: table.to_feather(path),
    "t.arrow": as_arrow,
    "t.ipc": lambda table, path: as_arrow(table, path, pa.ipc.new_stream),
    "t.parquet": lambda table, path: table.to_parquet(path),
    "t.XLSX": as_workbook,
}


def tables():
    """Return a long, a wide and a sized table, with the columns of a comparison of each."""
    rng = np.random.default_rng(3)
    wide = pd.DataFrame({"set": ["x"] * 20 + ["y"] * 15, "id": [*range(20), *range(15)]})
    wide = wide.assign(A=rng.random(35).round(3), B=rng.random(35).round(3))
    yield wide, {"dataset": "set", "instance": "id", "scores": ["A", "B"]}
    long = wide.melt(["set", "id"], var_name="system", value_name="score")
    long["score"] = (long["score"] > 0.5).astype(bool)
    yield long, {"dataset": "set", "instance": "id", "system": "system", "score": "score"}
    sized = long.assign(n=long["id"] % 4 + 1)
    names = {"dataset": "set", "instance": "id", "system": "system", "score": "score"}
    yield sized, names | {"size": "n"}


def found(path, columns):
    return evaluation.evaluate(
        declare(name="mine", dependence="independent", file=str(path), columns=columns)
    ).rows  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("kind", range(3))
def test_one_table_gives_one_result_however_it_is_stored(tmp_path, name, kind):
    table, columns = list(tables())[kind]
    table.to_csv(tmp_path / "t.csv", index=False)
    WAYS[name](table, tmp_path / name)
    assert delimited.read_headers(tmp_path / name) == list(table.columns)
    expected = found(tmp_path / "t.csv", columns)
    pd.testing.assert_frame_equal(found(tmp_path / name, columns), expected)


def test_every_ending_is_tried():
    tried = {name[name.index(".") :].lower() for name in WAYS}
    assert tried | {".xlsm", ".xlsb", ".xls", ".ods"} == set(stored.STORED)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("t.xlsx", "sheet 'Sheet1', row 4"),
        ("t.jsonl", "line 3"),
        ("t.json", "entry 3"),
        ("t.arrow", "row 3"),
        ("t.parquet", "row 3"),
    ],
)
def test_the_place_of_a_row(tmp_path, name, place):
    path = tmp_path / name
    WAYS[name](pd.DataFrame({"id": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]}), path)
    assert delimited.place(path, 2) == f"{path}, {place}"


def test_empty_rows_of_a_sheet_are_counted_but_not_read(tmp_path):
    path = tmp_path / "t.xlsx"
    rows = [[None, None], ["id", "score"], ["a", 1], [None, None], ["b", "1e-3"], [None, " "]]
    workbook.write(path, rows, [[None], [" "]])
    table = delimited.columns(path, {"id": "id", "score": "SCORE"})
    assert table.to_pydict() == {"id": ["a", "b"], "score": ["1", "1e-3"]}
    assert delimited.place(path, 1).endswith("sheet 'Sheet1', row 5")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2.5], [1, 2.5]),
        ([1, "a"], ["1", "a"]),
        ([10**20, 1], ["1" + "0" * 20, "1"]),
        ([True, False], [True, False]),
        ([True, 1], ["true", "1"]),
        (["2024-01-01", "x"], ["2024-01-01", "x"]),
        ([None, "a"], [None, "a"]),
    ],
)
def test_values_of_a_column_in_lines_of_json(write, values, expected):
    path = write("t.jsonl", "".join(json.dumps({"x": v}) + "\n" for v in values))
    assert delimited.columns(path, {"x": "x"})["x"].to_pylist() == expected


def test_a_key_that_the_first_row_lacks(write):
    path = write("t.jsonl", '{"x": 1}\n{"x": 2, "y": 3}\n')
    with pytest.raises(checks.InputError, match="column 'y' is not one of x"):
        delimited.columns(path, {"y": "y"})
