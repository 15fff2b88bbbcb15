"""Items with one identifier that hold something else for each system: refused at every door."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from corpus import inputs

import replicability as rep
from replicability import cli
from replicability.core import evaluation
from replicability.io.study import read_study

ITEMS = inputs.TABLE.assign(
    instance=[f"q{k}" for k in inputs.TABLE["instance"]],
    question=[f"What is {k}?" for k in range(len(inputs.TABLE))],
)


def side(system, **changed):
    """Return the scores of a system, and the question of each item."""
    kept = ITEMS[["dataset", "instance", "question"]]
    return kept.assign(score=ITEMS[system], **changed)


def rolled(column):
    """Return a column in which each item has what the next item of its dataset has."""
    return column.groupby(ITEMS["dataset"]).transform(lambda of: of.to_numpy()[[*range(1, 20), 0]])


CHAT = [[{"role": "user", "content": text}] for text in ITEMS["question"]]
"""Questions as chat messages."""

OTHER = {
    "another order": (
        ITEMS["question"],
        rolled(ITEMS["question"]),
        "match the items by this column with",
    ),
    "one question": (ITEMS["question"], ["?", *ITEMS["question"][1:]], "its own identifier"),
    "chat messages": (CHAT, [*CHAT[:-1], CHAT[0]], "its own identifier"),
    "numbers": ([*range(40)], [*range(1, 41)], "its own identifier"),
}
"""Name -> the questions of A and of B, and the remedy."""

SAME = {
    "blanks": ([f" {text}" for text in ITEMS["question"]], [f"{t}\n" for t in ITEMS["question"]]),
    "empty": (["", *ITEMS["question"][1:]], ITEMS["question"]),
    "case": (ITEMS["question"], ITEMS["question"].str.upper()),
    "numbers": ([*range(40)], [float(k) for k in range(40)]),
    "messages": (CHAT, CHAT),
}
"""Name -> the questions of A and of B, which are the same."""


def below(*sides):
    """Lay systems below each other."""
    names = ("ours", "base", "third")
    return pd.concat([s.assign(system=n) for s, n in zip(sides, names, strict=False)])


def predicted(frame):
    """Return predictions beside gold labels in place of scores."""
    shown = frame["score"].map({1: "yes", 0: "no"})
    return frame.drop(columns="score").assign(gold="yes", prediction=shown)


GOLD = {"gold": "gold", "metric": "accuracy"}

LAYOUTS = {
    "two tables": lambda a, b, **k: rep.compare(a, b, **k),
    "one table": lambda a, b, **k: rep.compare(below(a, b), **k),
    "predictions of each": lambda a, b, **k: rep.compare(predicted(a), predicted(b), **GOLD, **k),
    "predictions": lambda a, b, **k: rep.compare(predicted(below(a, b)), **GOLD, **k),
    "three tables": lambda a, b, **k: rep.all_pairs({"x": a, "y": a, "z": b}, **k),
    "three systems": lambda a, b, **k: rep.all_pairs(below(a, a, b), **k),
    "predictions of three": lambda a, b, **k: rep.all_pairs(
        {"x": predicted(a), "y": predicted(a), "z": predicted(b)}, **GOLD, **k
    ),
    "a gate": lambda a, b, **k: rep.gate(a, b, margin=0.1, **k),
}


@pytest.mark.parametrize("compared", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("one", "other", "remedy"), OTHER.values(), ids=OTHER)
def test_every_layout_refuses_what_differs(compared, one, other, remedy):
    a, b = side("ours", question=one), side("base", question=other)
    said = (
        rf"item 'q\d+' of '\w+' has .* in the column 'question' .* but .*{remedy}.*"
        r"ignore=\['question'\]"
    )
    with pytest.raises(rep.InputError, match=said):
        compared(a, b)
    compared(a, b, ignore=["question"])
    if "match" in remedy:
        compared(a, b, instance="question")


@pytest.mark.parametrize("compared", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_the_same_changes_nothing(compared, one, other):
    a, b = side("ours", question=one), side("base", question=other)
    a, b = (frame.assign(output=system) for frame, system in ((a, "ours"), (b, "base")))
    compared(a, b)


def study(**block):
    """Read the comparison of a study."""
    columns = {"dataset": "dataset", "instance": "instance", "score": "score"}
    block = {"name": "c", "columns": columns, "dependence": "independent"} | block
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    (comparison,) = read_study("s.yaml").comparisons
    return evaluation.evaluate(comparison).rows


@pytest.mark.parametrize("end", ["csv", "jsonl"])
@pytest.mark.parametrize(("one", "other", "remedy"), OTHER.values(), ids=OTHER)
def test_files_are_refused_at_every_door(one, other, remedy, end, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    a, b = side("ours", question=one), side("base", question=other)
    for name, frame in (("a", a), ("b", b), ("both", below(a, b))):
        if end == "csv":
            frame.to_csv(f"{name}.csv", index=False)
        else:
            frame.to_json(f"{name}.jsonl", orient="records", lines=True)
    for files in ([f"a.{end}", f"b.{end}"], [f"both.{end}"]):
        assert cli.main(["compare", *files]) == 1
        error = " ".join(capsys.readouterr().err.split())
        assert remedy in error and "--ignore question" in error
        assert cli.main(["compare", *files, "--ignore", "question"]) == 0
        capsys.readouterr()
        assert cli.main(["check", *files, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert not found["can"] and len(found["settle"]) == 1 + ("match" in remedy)
    of_each = {"systems": ["a", "b"], "files": {"a": f"a.{end}", "b": f"b.{end}"}}
    of_both = {"systems": ["ours", "base"], "file": f"both.{end}"}
    roles = ("dataset", "instance", "score", "system")
    of_both["columns"] = {role: role for role in roles}
    for block in (of_each, of_both):
        with pytest.raises(rep.InputError, match=rf"{remedy}.*ignore: \[question\]"):
            study(**block)
        study(ignore="question", **block)


def test_a_column_of_objects_that_nobody_names_hides_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    extra = {"metadata": [{"k": k} for k in range(len(ITEMS))]}
    for system in ("ours", "base"):
        frame = side(system, **extra)
        frame.to_json(f"{system}.jsonl", orient="records", lines=True)
    files = {"a": "ours.jsonl", "b": "base.jsonl"}
    assert len(study(systems=["ours", "base"], files=files)) == 2
    rows = predicted(below(side("ours", **extra), side("base", **extra)))
    rows.to_json("p.jsonl", orient="records", lines=True)
    assert rep.compare("p.jsonl", **GOLD).table["n"].sum() == len(ITEMS)
    assert rep.compare(rows, **GOLD).table["n"].sum() == len(ITEMS)
    wide = side("ours", **extra).rename(columns={"score": "ours"}).assign(base=ITEMS["base"])
    runs = pd.concat([wide.assign(seed=seed) for seed in range(3)])
    runs.to_json("w.jsonl", orient="records", lines=True)
    assert len(rep.compare("w.jsonl", a="ours", b="base", run="seed").table) == 2


@pytest.mark.parametrize("header", ["question", "prompt"])
def test_a_pinned_baseline_knows_what_its_items_hold(header, tmp_path):
    base, new = (side(system).rename(columns={"question": header}) for system in ("base", "ours"))
    pinned = rep.pin(base, tmp_path / "pinned.parquet")
    assert rep.gate(pinned, new, margin=0.1).verdict == "SHIP"
    assert rep.gate(pinned, new.drop(columns=header), margin=0.1).verdict == "SHIP"
    other = new.assign(**{header: ["?", *new[header][1:]]})
    with pytest.raises(rep.InputError, match=r"1 changed|1 item of news \(such as 'q0'\)"):
        rep.gate(pinned, other, margin=0.1)
    assert rep.gate(pinned, other, margin=0.1, ignore=[header]).verdict == "SHIP"
    alone = rep.pin(base, tmp_path / "alone.parquet", ignore=[header])
    assert rep.gate(alone, other, margin=0.1).verdict == "SHIP"


@pytest.mark.parametrize(("one", "other", "remedy"), OTHER.values(), ids=OTHER)
def test_folders_are_refused_at_every_door(one, other, remedy, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for system, texts in (("ours", one), ("base", other)):
        Path(system).mkdir()
        for name, part in side(system, question=texts).groupby("dataset"):
            rows = part.drop(columns="dataset")
            rows.to_json(f"{system}/{name}.jsonl", orient="records", lines=True)
    said = rf"in the column 'question' .*{remedy}"
    with pytest.raises(rep.InputError, match=said):
        rep.compare("ours", "base", format="folders")
    assert rep.compare("ours", "base", format="folders", ignore=["question"]).k == 2
    assert rep.compare("ours", "base", format="folders", ignore="question", missing="drop").k == 2
    assert cli.main(["compare", "ours", "base", "--format", "folders"]) == 1
    assert remedy in " ".join(capsys.readouterr().err.split())
    block = {"systems": ["ours", "base"], "files": {"a": "ours", "b": "base"}}
    block |= {"format": "folders", "columns": {"instance": "instance", "score": "score"}}
    with pytest.raises(rep.InputError, match=said):
        study(**block)
    assert len(study(ignore=["question"], **block)) == 2
