import re

import pytest
from claims import claim

from analysis import paths
from replicability import checks, forensics


def test_totals_have_every_verdict_and_keep_the_kinds_apart():
    verdicts = [
        forensics.value(claim("1"), 1, "why"),
        forensics.marks(claim(""), [], ["d"], ["0.5"], 0.05),
        forensics.direction(claim("0.01"), "1", "2", "AB"),
    ]
    assert forensics.totals(forensics.table(verdicts)).to_dict("list") == {
        "verdict": list(forensics.TOTALS),
        "numbers": [1, 0, 0, 0, 0, 0],
        "lists": [1, 0, 0, 0, 0, 0],
        "directions": [0, 0, 1, 0, 0, 0],
    }


def test_tables_come_first_and_totals_by_item():
    items = ["Results", "Section 3.10", "Section 3.2", "Abstract", "footnote 3", "Table 10"]
    made = [forensics.unchecked(claim("1", item=i), "Why.") for i in (*items, "Table 2")]
    table = forensics.table(made)
    assert list(table["item"]) == ["Table 2", *reversed(items)]
    counts = forensics.totals_by(table, "paper", "item")
    assert list(counts["item"]) == ["Table 2", *reversed(items)]
    assert list(counts["total"]) == [1] * 7
    assert list(counts[forensics.UNCHECKED]) == [1] * 7
    assert forensics.disputed(table).empty
    assert "p, Table 2, c: printed 1 (cannot be checked)." in forensics.listing(table)


def test_rows_of_an_item_are_numbers_lists_and_directions_in_their_order():
    made = [
        forensics.Verdict(paper, "Table 1", name, "1", "", forensics.UNCHECKED, "Why.", kind)
        for paper, name, kind in [
            ("y", "f", forensics.DIRECTION),
            ("y", "c", forensics.LIST),
            ("y", "b", forensics.NUMBER),
            ("x", "a", forensics.NUMBER),
            ("y", "a", forensics.NUMBER),
            ("y", "d", forensics.DIRECTION),
        ]
    ]
    table = forensics.table(made)
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
        "basis",
        "readings",
        "sentence",
    ]


def test_the_worked_example_runs(tmp_path, monkeypatch, capsys):
    text = (paths.ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (csv,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    by_hand, at_once, _ = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.csv").write_text(csv, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(at_once, scope)
    printed, _ = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert capsys.readouterr().out.split() == printed.split()
    exec(by_hand, scope)
    result = scope["result"].set_index("claim")["verdict"]
    assert result["datasets with p <= .05"] == forensics.AGREES
    assert result["k-hat"] == forensics.CONTRADICTED
    assert result["ours better than baseline on mail (p <= 0.05)"] == forensics.CONTRADICTED
    assert result["chat: accuracy"] == forensics.IMPOSSIBLE
    differ = forensics.disputed(scope["result"])
    assert differ["kind"].value_counts().to_dict() == {forensics.NUMBER: 2, forensics.DIRECTION: 1}
    assert "Three claims about this example do not follow" in text
    assert "39" in scope["result"].set_index("claim").loc["p-value on news", "sentence"]
    for name in re.findall(r"`(\w+)`", text.partition("## Which check")[2].partition("\n## ")[0]):
        assert hasattr(forensics, name), name


def test_disputed_verdicts_of_a_kind():
    table = forensics.table(
        [
            forensics.value(claim("1"), 2, "why"),
            forensics.value(claim("1"), 1, "why"),
            forensics.direction(claim("0.01"), "1", "2", "AB"),
        ]
    )
    assert list(forensics.disputed(table)["kind"]) == [forensics.NUMBER, forensics.DIRECTION]
    assert list(forensics.disputed(table, forensics.DIRECTION)["kind"]) == [forensics.DIRECTION]
    assert forensics.disputed(table, forensics.LIST).empty
    with pytest.raises(checks.InputError, match="'directions'"):
        forensics.disputed(table, "directions")


def test_headings_for_readers():
    table = forensics.table([forensics.value(claim("1"), 2, "why")])
    shown = forensics.headed(table, "verdict", "published")
    assert shown.to_dict("list") == {"Verdict": [forensics.CONTRADICTED], "Printed": ["1"]}
    assert list(forensics.HEADINGS) == list(table.columns)
    with pytest.raises(checks.InputError, match="'printed'"):
        forensics.headed(table, "printed")
