import re

import pytest
from claims import claim

from analysis import paths
from replicability import audit, checks


def test_totals_have_every_verdict_and_keep_the_kinds_apart():
    verdicts = [
        audit.value(claim("1"), 1, "why"),
        audit.marks(claim(""), [], ["d"], ["0.5"], 0.05),
        audit.direction(claim("0.01"), "1", "2", "AB"),
    ]
    assert audit.totals(audit.table(verdicts)).to_dict("list") == {
        "verdict": list(audit.VERDICTS),
        "numbers": [1, 0, 0, 0, 0, 0],
        "lists": [1, 0, 0, 0, 0, 0],
        "directions": [0, 0, 0, 1, 0, 0],
    }


def test_tables_come_first_and_totals_by_item():
    items = ["Results", "Section 3.10", "Section 3.2", "Abstract", "footnote 3", "Table 10"]
    made = [audit.unchecked(claim("1", item=i), "Why.") for i in (*items, "Table 2")]
    table = audit.table(made)
    assert list(table["item"]) == ["Table 2", *reversed(items)]
    counts = audit.totals_by(table, "paper", "item")
    assert list(counts["item"]) == ["Table 2", *reversed(items)]
    assert list(counts["total"]) == [1] * 7
    assert list(counts[audit.UNCHECKED]) == [1] * 7
    assert audit.disputed(table).empty
    assert "p, Table 2, c: printed 1 (cannot be checked)." in audit.listing(table)


def test_rows_of_an_item_are_numbers_lists_and_directions_in_their_order():
    made = [
        audit.Verdict(paper, "Table 1", name, "1", "", audit.UNCHECKED, "Why.", kind)
        for paper, name, kind in [
            ("y", "f", audit.DIRECTION),
            ("y", "c", audit.LIST),
            ("y", "b", audit.NUMBER),
            ("x", "a", audit.NUMBER),
            ("y", "a", audit.NUMBER),
            ("y", "d", audit.DIRECTION),
        ]
    ]
    table = audit.table(made)
    assert list(table["claim"]) == ["b", "a", "c", "f", "d", "a"]
    assert list(table["paper"]) == ["y"] * 5 + ["x"]
    assert list(table.columns) == [
        "paper",
        "item",
        "kind",
        "claim",
        "published",
        "recomputed",
        "verdict",
        "sentence",
    ]


def test_the_worked_example_runs(tmp_path, monkeypatch, capsys):
    text = (paths.ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (csv,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.csv").write_text(csv, encoding="utf-8")
    scope = {}
    exec(code.replace('"mine.csv"', repr(str(tmp_path / "mine.csv"))), scope)
    result = scope["result"].set_index("claim")["verdict"]
    assert result["datasets with p <= .05"] == audit.REPRODUCED
    assert result["k-hat"] == audit.CONTRADICTED
    assert result["ours better than baseline on mail (p <= 0.05)"] == audit.CONTRADICTED
    assert result["chat: accuracy"] == audit.IMPOSSIBLE
    differ = audit.disputed(scope["result"])
    assert differ["kind"].value_counts().to_dict() == {audit.NUMBER: 2, audit.DIRECTION: 1}
    assert "tells that two numbers and one direction do not follow" in text
    assert "39" in scope["result"].set_index("claim").loc["p-value on news", "sentence"]
    for name in re.findall(r"`(\w+)`", text.partition("## Which check")[2].partition("## What")[0]):
        assert hasattr(audit, name), name


def test_disputed_verdicts_of_a_kind():
    table = audit.table(
        [
            audit.value(claim("1"), 2, "why"),
            audit.value(claim("1"), 1, "why"),
            audit.direction(claim("0.01"), "1", "2", "AB"),
        ]
    )
    assert list(audit.disputed(table)["kind"]) == [audit.NUMBER, audit.DIRECTION]
    assert list(audit.disputed(table, audit.DIRECTION)["kind"]) == [audit.DIRECTION]
    assert audit.disputed(table, audit.LIST).empty
    with pytest.raises(checks.InputError, match="'directions'"):
        audit.disputed(table, "directions")


def test_directions_apart_are_items_of_their_own():
    made = [audit.value(claim("1"), 2, "why"), audit.direction(claim("0.01"), "1", "2", "AB")]
    table = audit.directions_apart(audit.table(made))
    assert list(table["item"]) == ["t", "t, directions"]


def test_headings_for_readers():
    table = audit.table([audit.value(claim("1"), 2, "why")])
    shown = audit.headed(table, "verdict", "published")
    assert shown.to_dict("list") == {"Verdict": [audit.CONTRADICTED], "Printed": ["1"]}
    assert list(audit.HEADINGS) == list(table.columns)
    with pytest.raises(checks.InputError, match="'printed'"):
        audit.headed(table, "printed")
