"""One plan says the same numbers in the docs, in a notebook's table, in Python and as JSON."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from comparisons import declare

import replicability as rep
from analysis import fields, paths, suites
from replicability import cli
from replicability.core import design, evaluation, findings
from replicability.core.findings import notes
from replicability.io.instances import Dataset

PAGE = fields.plain((paths.ROOT / "docs" / "design.md").read_text(encoding="utf-8"))
SUITES = r"## What can common benchmark suites show\?\n(.*?)\n(?:##|\Z)"
"""The section on suites."""


def row_of_the_page(first, page=PAGE):
    """Return the numbers of a row of a table in Markdown, by its first cell."""
    (row,) = re.findall(rf"^\| {re.escape(first)} \| (.*) \|$", page, re.M)
    return [float(cell) for cell in row.split(" | ")]


@pytest.fixture(scope="module")
def command():
    """Return the command of the page, as arguments."""
    line = re.search(r"^python -m replicability (design --datasets 20 .*)$", PAGE, re.M)[1]
    return line.split()


def test_docs_notebook_python_and_json_say_the_same(command, capsys):
    assert cli.main([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    plan = rep.design(500, datasets=20, discordant=0.15, gains=[0.03])
    by_size = suites.by_size(suites.sizes({"twenty": plan.suite}, [0.03])).set_index("instances")
    expected = suites.expected({"twenty": plan.suite}, [0.03]).iloc[0]
    assert answer["sentences"] == plan.sentences
    assert answer["table"] == plan.table.to_dict("records")
    for row in answer["table"]:
        k, names, *others = (
            round(row[column], 1) for column in ("k_hat", "names", "bonferroni", "count")
        )
        shown = by_size.loc[row["instances"], ["k̂", "k_bonferroni", "count"]].tolist()
        assert [k, *others] == shown
        if row["factor"] >= 1:
            assert row_of_the_page(row["instances"]) == [k, names, *others]
        if row["factor"] == 1:
            assert expected[["k̂", "k_bonferroni", "count"]].tolist() == shown
            said = f"k-hat is about {k}, and the expected number of named datasets is about {names}"
            assert said in plan.sentences[0]


def test_suites_of_docs_are_those_of_the_notebook():
    table = suites.expected(suites.read_suites(0.2, 0.05), [0.03]).set_index("suite")
    (part,) = re.findall(SUITES, PAGE, re.S) or [""]
    shown = re.search(
        r"For (\d+) subjects of (\d+)\s+questions \(.*?\),\s+expect a k-hat of\s+(\d+\.\d)", part
    )
    row = table.loc["57 subjects (MMLU)"]
    assert shown.groups() == ("57", row["instances"], f"{row['k̂']:.1f}")


def test_the_report_after_a_null_result_says_what_the_docs_say():
    a, b = np.zeros((2, 500))
    a[:38], b[38:75] = 1, 1
    rows = pa.array(map(str, range(500)))
    datasets = [Dataset(f"d{i}", rows, a, b) for i in range(20)]
    columns = {"instance": "i", "dataset": "d", "scores": ["a", "b"]}
    asked = declare(section="", file="f.csv", columns=columns)
    table = evaluation.evaluate(replace(asked, test="mcnemar"), datasets)
    said = findings.could_have_found(asked, table)
    assert said in notes.before_pasting(asked, table, 0.05)
    assert said in findings.sentences(asked, table, [0.05])
    quoted, _, _ = said.partition(" (")
    assert f'{quoted}."' in " ".join(re.sub(r"^> ", "", PAGE, flags=re.M).split())
    planned = design.suite([500] * 20, discordant=76 / 502, dependence="dependent")
    most = math.ceil(planned.law(0.03).mean)
    assert quoted.endswith(f" at most {most} of 20 datasets")
