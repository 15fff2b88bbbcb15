"""Tables in JSON are parsed once, however many columns are read, and as strictly as before."""

import json

import pytest

import replicability as rep
from replicability import checks
from replicability.io import delimited, json_tables

ROWS = [
    {"instance": f"i{k}", "system": s, "score": (k + (s == "b")) % 3, "tags": ["x"], "size": 2**70}
    for k in range(8)
    for s in "ab"
]


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that writes a table, and how often one was parsed."""
    parsed, rows = [], json_tables._rows
    monkeypatch.setattr(json_tables, "_rows", lambda path: parsed.append(path) or rows(path))

    def write(text, name="t.json"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write, parsed


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_a_table_is_parsed_once(read, name):
    write, parsed = read
    text = json.dumps(ROWS) if name == "t.json" else "\n".join(map(json.dumps, ROWS))
    path = write(text, name)
    rep.compare(path, a="a", b="b", ignore=["tags", "size"])
    assert len(parsed) == 1
    with pytest.raises(checks.InputError, match=r"'tags' is \[\"x\"\]|'tags' is \['x'\]"):
        delimited.columns(path, {"tags": "tags"})
    sizes = delimited.columns(path, {"size": "size"})["size"]
    assert sizes.to_pylist() == [str(2**70)] * 16  # whole numbers beyond 64 bits are refused later


def test_a_file_that_was_written_anew_is_read_anew(read):
    write, _ = read
    first = delimited.columns(write('[{"x": 1}]'), {"x": "x"})["x"].to_pylist()
    second = delimited.columns(write('[{"x": 22}]'), {"x": "x"})["x"].to_pylist()
    assert (first, second) == ([1], [22])


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_a_key_that_stands_twice_is_refused(read, name):
    text = '{"x": 1, "y": 2}\n{"x": 1, "x": 2}\n'
    text = text if name == "t.jsonl" else f"[{text.strip().replace(chr(10), ',')}]"
    with pytest.raises(checks.InputError, match="an object has the key 'x' twice"):
        delimited.columns(read[0](text, name), {"y": "y"})


def test_a_key_of_later_rows_is_read(read):
    path = read[0]('[{"x": 1}, {"x": 2, "y": 3}]')
    assert json_tables.read(path, ["y"])["y"].to_pylist() == [None, 3]
