"""The inputs of `corpus.inputs` through every door: answers, refusals, and no tracebacks."""

import contextlib
import json
import signal
from pathlib import Path

import pandas as pd
import pytest
import workbook

import replicability as rep
from corpus import inputs
from replicability import cli
from replicability.core import evaluation
from replicability.io.study import read_study

SECONDS = 60
"""After so long an input hangs."""

COLUMNS = ["n", "difference", "p_value", "named"]


@pytest.fixture(autouse=True)
def no_input_hangs():
    def stop(*_):
        raise AssertionError("the input hangs")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)


@pytest.fixture(scope="module")
def expected():
    """Return the answer of the plain table."""
    return rep.compare(inputs.TABLE).table


@contextlib.contextmanager
def as_expected(outcome):
    """Expect a refusal, if the outcome is one."""
    if not isinstance(outcome, str):
        yield
        return
    with pytest.raises(rep.InputError, match=outcome):
        yield


def same(table, expected):
    """Check that a table has the numbers of the plain one."""
    assert table[COLUMNS].to_numpy().tolist() == expected[COLUMNS].to_numpy().tolist()


def of_study(path):
    """Return the table of a study about the file."""
    columns = "{dataset: dataset, instance: instance, scores: [ours, base]}"
    Path("s.yaml").write_text(
        "study: s\nalphas: [0.05]\ncomparisons:\n- {name: c, systems: [ours, base], "
        f"dependence: dependent, file: {path}, columns: {columns}}}\n"
    )
    (comparison,) = read_study("s.yaml").comparisons
    return evaluation.evaluate(comparison).rows.assign(named=True)


def flags(keywords):
    """Write keywords as options."""
    systems = [keywords[key] for key in "ab" if key in keywords]
    given = {key: value for key, value in keywords.items() if key not in "ab"}
    written = [
        text
        for key, value in given.items()
        for one in (value if isinstance(value, list) else [value])
        for text in (f"--{key}", one)
    ]
    return [*written, *(["--systems", *systems] if systems else [])]


def consistent(found, outcome):
    """Check that `check` does not promise what is refused, nor refuse what is answered."""
    assert str(found) and json.dumps(found.to_dict())
    commands = [way.command for way in found.can]
    if not isinstance(outcome, str):
        assert commands[:1] in (["compare"], ["pvalues"]), found
    elif "compare" in commands:
        assert [way.keywords for way in found.can if way.command == "compare"] != [{}]


@pytest.mark.parametrize(
    ("content", "keywords", "outcome"), inputs.FILES.values(), ids=inputs.FILES
)
def test_a_file(content, keywords, outcome, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with as_expected(outcome):
        same(rep.compare(path, **keywords).table, expected)
    code = cli.main(["compare", "t.csv", *flags(keywords), "--json"])
    said = capsys.readouterr()
    assert code == int(isinstance(outcome, str)), said
    if code:
        with as_expected(outcome):
            raise rep.InputError(said.err)
    else:
        rows = json.loads(said.out)["datasets"]
        assert [row["p_value"] for row in rows] == expected["p_value"].tolist()
    read = pd.read_csv(path, nrows=0, sep=None, engine="python") if outcome is inputs.SAME else ()
    if {"dataset", "instance", "ours"} <= set(read):
        same(of_study("t.csv"), expected)
    if not keywords:
        consistent(rep.check("t.csv"), outcome)
    with contextlib.suppress(rep.InputError):
        rep.all_pairs(path)
    capsys.readouterr()
    assert cli.main(["check", "t.csv"]) in (0, 1)
    assert capsys.readouterr().out


@pytest.mark.parametrize("kind", inputs.KINDS.values(), ids=inputs.KINDS)
def test_numbers_of_any_kind(kind, expected):
    a, b = kind(inputs.A), kind(inputs.B)
    plain = rep.compare(inputs.A, inputs.B).table
    same(rep.compare(a, b).table, plain)
    same(rep.compare({"news": (a, b)}).table, plain)
    consistent(rep.check(a, b), None)


@pytest.mark.parametrize(("a", "b", "outcome"), inputs.ARRAYS.values(), ids=inputs.ARRAYS)
def test_arrays_that_are_refused(a, b, outcome):
    with as_expected(outcome):
        rep.compare(a, b)
    assert not rep.check(a, b)
    with as_expected(r"."):
        rep.compare({"news": (a, b)})
    with as_expected(r"."):
        rep.all_pairs({"x": a, "y": b, "z": b})


@pytest.mark.parametrize(
    ("frame", "keywords", "outcome"), inputs.FRAMES.values(), ids=inputs.FRAMES
)
def test_a_frame(frame, keywords, outcome, expected):
    with as_expected(outcome):
        found = rep.compare(frame, **keywords).table
        if outcome is inputs.SAME:
            same(found, expected)
        else:
            assert len(found) == outcome
    if not keywords:
        consistent(rep.check(frame), outcome)
    assert str(rep.check(frame))


@pytest.mark.parametrize(("content", "outcome"), inputs.PVALUES.values(), ids=inputs.PVALUES)
def test_a_file_of_p_values(content, outcome, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text(content)
    code = cli.main(["pvalues", "p.csv", "--json"])
    said = capsys.readouterr()
    assert code == int(isinstance(outcome, str)), said
    if code:
        with as_expected(outcome):
            raise rep.InputError(said.err)
    found = rep.check("p.csv")
    assert ("pvalues" in [way.command for way in found.can]) == (code == 0), found
    for call in (rep.compare, rep.all_pairs):
        with as_expected(r"."):
            call("p.csv")


@pytest.mark.parametrize(("values", "outcome"), inputs.COUNTED.values(), ids=inputs.COUNTED)
def test_p_values_that_are_refused(values, outcome):
    with as_expected(outcome):
        rep.count(values)
    assert not rep.check(values)


@pytest.mark.parametrize(("sheets", "merged", "outcome"), inputs.SHEETS.values(), ids=inputs.SHEETS)
def test_a_workbook(sheets, merged, outcome, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    workbook.write("t.xlsx", *sheets, merged=merged)
    with as_expected(outcome):
        same(rep.compare("t.xlsx").table, expected)
    assert cli.main(["compare", "t.xlsx"]) == int(isinstance(outcome, str))
    capsys.readouterr()
    consistent(rep.check("t.xlsx"), outcome)
