"""What was read is stated: by every door, in results, pages and reports, from what was read."""
# ruff: noqa: E501

import json

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability import cli
from replicability.core import all_pairs, evaluation
from replicability.core.roles import Roles
from replicability.io.study import read_study

FRAME = pd.DataFrame(
    {
        "set": ["news"] * 8 + ["law"] * 6,
        "qid": range(14),
        "ours": [1] * 14,
        "base": [0] * 7 + [1] + [0, 1] * 3,
        "length": range(14),
    }
)
AB = {"a": "ours", "b": "base"}
NAMED = {"dataset": "set", "instance": "qid"}
LONG = FRAME.melt(["set", "qid", "length"], ["ours", "base"], var_name="model", value_name="acc")


def side(system, **more):
    rows = LONG[LONG["model"] == system].drop(columns="model")
    return rows.assign(**more)


MATRIX = pd.DataFrame(np.eye(2, 30), columns=[f"q{k}" for k in range(30)]).assign(model=["a", "b"])
SIDES = {system: side(system) for system in ("ours", "base")}

STATED = {
    "a column for each system": (
        lambda: rep.compare(FRAME, **AB, **NAMED),
        "Read the frame as a table with a column for each system: A is 'ours', B is 'base'. There "
        "are 2 datasets, named in the column 'set': news (8 items) and law (6 items). Items "
        "are matched by the column 'qid'. The score is right or wrong (0 or 1); higher is better "
        "(the default). The column 'length' is not used.",
    ),
    "a row for each system": (
        lambda: rep.compare(LONG, **AB, **NAMED, system="model", score="acc"),
        "Read the frame as a table with a row for each system, named in its column 'model': A is",
    ),
    "a table for each system": (
        lambda: rep.compare(*SIDES.values(), **AB, **NAMED, score="acc"),
        "Read the frame of ours and The frame of base as a table for each system: A is 'ours', B",
    ),
    "the headers of such tables": (
        lambda: rep.compare(*SIDES.values(), **AB, **NAMED, score="acc"),
        "named in the column 'set': news (8 items) and law (6 items). Items are matched by "
        "the column 'qid'. The score (column 'acc') is right or wrong",
    ),
    "items in columns": (
        lambda: rep.compare(MATRIX),
        "There is one dataset with 30 items, because no column identifies datasets. Items are "
        "matched by their column headers.",
    ),
    "arrays": (
        lambda: rep.compare([1, 2.5, 3], [0, 1, 4]),
        "Read the arrays: A is 'A', B is 'B'. There is one dataset with 3 items. Items have no "
        "identifiers and are matched by their order. The score is a number from 0 to 4;",
    ),
    "a dictionary": (
        lambda: rep.compare({"x": ([1, 2, 3], [0, 1, 4]), "y": ([1, 2], [0, 4])}),
        "There are 2 datasets: x (3 items) and y (2 items). Items have no identifiers and are "
        "matched by their order. The score is a whole number from 0 to 4;",
    ),
    "units": (
        lambda: rep.compare(FRAME.assign(doc=[*"aabbccddeeffgg"]), **AB, **NAMED, unit="doc"),
        "The unit of analysis is defined by the column 'doc' (7 units in all datasets), not by the "
        "item.",
    ),
    "units that datasets share": (
        lambda: rep.compare(
            FRAME.assign(doc=[*"aabbccddaabbcc"]), **AB, **NAMED, unit="doc", shared=True
        ),
        "The unit of analysis is defined by the column 'doc' (4 units shared by the datasets), not "
        "by the item.",
    ),
    "runs": (
        lambda: rep.compare(
            pd.concat([LONG.assign(seed=k) for k in range(3)]),
            **AB, **NAMED, system="model", score="acc", run="seed",
        ),
        "Scores are means over runs (column 'seed'): 3 of ours and 3 of base.",
    ),
    "runs of a family": (
        lambda: rep.all_pairs(
            {s: pd.concat([side("base", seed=k) for k in range(n)]) for s, n in zip("xyz", (2, 3, 2), strict=True)},
            **NAMED, score="acc", run="seed",
        ),
        "Scores are means over runs (column 'seed'): 2 of x, 3 of y and 2 of z.",
    ),
    "sizes": (
        lambda: rep.compare(FRAME, **AB, **NAMED, size="length", datasets=["law"]),
        "The score is divided by the item's size (column 'length') and ranges from 0 to 1;",
    ),
    "ratings": (
        lambda: rep.compare(FRAME.assign(ours=np.arange(14) % 5, gold=range(14)), **AB, **NAMED, gold="gold"),
        "is the correlation of a dataset's ratings with gold ratings (column 'gold');",
    ),
    "a declared direction": (
        lambda: rep.compare(FRAME, **AB, **NAMED, higher_is_better=False),
        "lower is better (as declared).",
    ),
    "missing items": (
        lambda: rep.compare(FRAME.assign(base=FRAME["base"].where(FRAME["qid"] > 0)), **AB, **NAMED, missing="drop"),
        "Items for which a system has no score were left out for all systems: "
        "1 of 8 on 'news' (1 for base).",
    ),
    "joined datasets": (
        lambda: rep.compare(FRAME.assign(lang=["en"] * 14), **AB, instance="qid", dataset=["set", "lang"]),
        "named in the column 'set / lang': news / en (8 items) and law / en (6 items).",
    ),
    "three systems": (
        lambda: rep.all_pairs(FRAME.assign(third=1), **NAMED, systems=["ours", "base", "third"]),
        "as a table with a column for each system: 3 systems (ours, base and third). There are 2 ",
    ),
    "p-values": (
        lambda: rep.count({"x": 0.01, "y": 0.4}, a="ours", b="base"),
        'Read the p-values: A is \'ours\', B is \'base\'. There are 2 datasets. Each p-value tests '
        'the one-sided null hypothesis "ours is not better than base".',
    ),
    "raised p-values": (
        lambda: rep.count({"x": 0.0, "y": 0.4}, resolution=0.001),
        "1 of 2 was below the resolution of the test and was raised to it.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "said"), STATED.values(), ids=STATED)
def test_a_result_states_what_was_read(call, said):
    result = call()
    assert said in str(result.read)
    assert Roles.from_dict(json.loads(json.dumps(result.read.to_dict()))) == result.read
    if isinstance(result, rep.Result):
        assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))).read == result.read


def test_scores_state_it_before_anything_is_asked():
    scores = rep.Scores.from_frame(FRAME, **AB, **NAMED)
    assert scores.roles == rep.compare(scores).read


@pytest.mark.parametrize(
    ("sizes", "said"),
    [([*range(2, 11)], "2 to 10 items each, 54 in all."), ([6] * 9, "6 items each, 54 in all.")],
)
def test_many_datasets_are_counted(sizes, said):
    frame = pd.DataFrame({"dataset": np.repeat(np.arange(9), sizes)}).astype(str)
    frame = frame.assign(instance=range(len(frame)), ours=1, base=0)
    read = rep.compare(frame, **AB).read.sentences["Datasets"]
    assert read.endswith(f"in the column 'dataset': {said}")


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Write a study of a comparison, a family and p-values, and return its path."""
    monkeypatch.chdir(tmp_path)
    FRAME.assign(third=1).to_csv("t.csv", index=False)
    pd.DataFrame({"set": ["x", "y"], "p": [0.1, 0.2]}).to_csv("p.csv", index=False)
    columns = "columns: {dataset: set, instance: qid, scores: "
    path = tmp_path / "s.yaml"
    path.write_text(
        "study: s\nalphas: [0.05]\ncomparisons:\n"
        "- {name: c, systems: [ours, base], dependence: dependent, file: t.csv, "
        f"{columns} [ours, base]}}}}\n"
        "- {name: p, systems: [m, n], dependence: dependent, file: p.csv, "
        "columns: {dataset: set, p_value: p}}\n"
        "families:\n- {name: f, title: All, dependence: dependent, "
        f"file: t.csv, {columns} [ours, base, third]}}}}\n"
    )
    return path


def test_a_study_states_it(study):
    read = read_study(study)
    of = [evaluation.evaluate(comparison).read for comparison in read.comparisons]
    expected = str(rep.compare(FRAME.assign(third=1), **AB, **NAMED).read)
    assert str(of[0]) == expected.replace("the frame", "t.csv")
    assert str(of[1]) == (
        "Read p.csv as a table with a p-value for each dataset: A is 'm', B is 'n'. There are 2 "
        "datasets, named in the column 'set'. Each p-value (column 'p') tests the one-sided "
        'null hypothesis "m is not better than n".'
    )
    assert all_pairs.compare(read.families[0]).read.unused == ["length"]


def test_pages_and_reports_state_it(study, capsys):
    assert cli.main(["run", str(study), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [block["read"]["source"] for block in answer["sentences"]] == ["t.csv", "p.csv", "t.csv"]
    page = (study.parent / "results/s/report/report.html").read_text(encoding="utf-8")
    assert page.count("What was read from the data?") == 3
    assert page.count("Items are matched by the column &#39;qid&#39;.") == 2
    assert cli.main(["run", str(study)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Read t.csv as a table with a column for each system: A is 'ours'" in said


def test_commands_state_it(study, capsys):
    command = ["compare", "t.csv", "--systems", "ours", "base", "--dataset", "set"]
    assert cli.main([*command, "--instance", "qid", "--json"]) == 0
    said = capsys.readouterr()
    read = json.loads(said.out)["read"]
    assert read["unused"] == ["length", "third"]
    assert str(Roles.from_dict(read)) == said.err.strip()


@pytest.mark.parametrize("result", ["compare", "all_pairs", "count"])
def test_notebooks_state_it(result):
    made = {
        "compare": lambda: rep.compare(FRAME, **AB, **NAMED),
        "all_pairs": lambda: rep.all_pairs(FRAME.assign(third=1), **NAMED, ignore=["length"]),
        "count": lambda: rep.count({"x": 0.1}),
    }[result]()
    assert "<summary>What was read</summary>" in made._repr_html_()
