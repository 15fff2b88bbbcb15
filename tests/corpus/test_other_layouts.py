"""Layouts and calls beside those of `generated`: the answer of the clean table, or a refusal.

Each layout holds the scores of `generated.tidy`, or what was made of them, and goes through
`compare`, `count`, `all_pairs` and `gate`. Polars is tried where it is installed.
"""

import json
import re
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import replicability as rep
from corpus import generated
from replicability import cli

AB = generated.AB
ROWS = generated.tidy()
WIDE = generated.wide(ROWS)
THREE = pd.concat(
    [ROWS, ROWS[ROWS["system"] == "base"].assign(system="third", score=1)], ignore_index=True
)


def said(answer):
    """Return all that an answer says but where it comes from."""
    keys = ("version", "command", "provenance", "read", "scored", "notes")
    found = answer.to_dict() if hasattr(answer, "to_dict") else answer
    return json.dumps({key: value for key, value in found.items() if key not in keys}, default=str)


def outcome(call):
    """Return what a call says, or its refusal; a traceback fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return "answer", said(call())
        except rep.InputError as error:
            text = str(error)
            assert "\n" not in text and text.endswith((".", "?")), text
            return "refused", text


# --- p-values ------------------------------------------------------------------------------------

PVALUES = pd.DataFrame(
    {
        "dataset": ["news", "law", "talks", "web"],
        "p": [0.001, 0.004, 0.03, 0.6],
        "ours": [71.2, 65.0, 54.1, 60.0],
        "base": [60.1, 61.0, 50.0, 60.4],
    }
)
ASKED = {"a": "ours", "b": "base", "dataset": "dataset", "p_value": "p", "scores": ("ours", "base")}
NO_NUMBER = r"a number in \[0, 1\]|aggregate of|is empty|the value|finite number|one type"

OF_PVALUES = {
    "nothing": (lambda t: t, {}, None),
    "rows from the end": (lambda t: t[::-1], {}, None),
    "columns from the end": (lambda t: t[t.columns[::-1]], {}, None),
    "text": (lambda t: t.astype(str), {}, None),
    "another column": (lambda t: t.assign(n=7), {}, None),
    "capitals": (lambda t: t.rename(columns=str.upper), "upper", None),
    "blanks": (lambda t: t.rename(columns=lambda h: f" {h} "), {}, None),
    "one-sided": (lambda t: t, {"sided": "one"}, None),
    "halves": (lambda t: t.assign(p=2 * t["p"]).iloc[:3], {"sided": "two"}, "halves"),
    "scores turned": (
        lambda t: t.rename(columns={"ours": "base", "base": "ours"}), {}, r"but base has the"),
    "a dataset twice": (lambda t: pd.concat([t, t[:1]]), {}, NO_NUMBER),
    "an average": (lambda t: pd.concat([t, t[:1].assign(dataset="Average")]), {}, NO_NUMBER),
    **{
        f"a p-value {value!r}": (
            lambda t, value=value: t.assign(p=[value, *t["p"].astype(object)[1:]]), {}, NO_NUMBER)
        for value in ("<.001", "1e-3*", "n.s.", "", None, np.nan, np.inf, -0.1, 1.2, "5%", "0,05")
    },
    "zero": (lambda t: t.assign(p=[0.0, *t["p"][1:]]), {}, r"is 0, which would be infinite"),
    "no rows": (lambda t: t[:0], {}, r"no row|is empty|no p-values|an array|(not|as) a table"),
    "one unit for each": (
        lambda t: t.assign(base=t["base"] / 100), {}, r"lie in \[0, 1\]|same unit"),
}  # fmt: skip
"""Name -> what happens to the table, keywords, and what comes of it: None for the clean answer."""


@pytest.mark.parametrize(("change", "more", "expected"), OF_PVALUES.values(), ids=OF_PVALUES)
def test_tables_of_p_values(change, more, expected, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = dict(ASKED)
    if more == "upper":
        asked |= {"dataset": "DATASET", "p_value": "P", "scores": ("OURS", "BASE")}
        asked |= {"a": "OURS", "b": "BASE"}
    else:
        asked |= more
    table = change(PVALUES).reset_index(drop=True)
    clean = PVALUES.iloc[:3] if expected == "halves" else PVALUES
    right = rep.count(clean, **ASKED)
    for container in ("frame", "dictionaries", *generated.FILES):
        made = container in generated.MEMORY
        if not made:
            try:
                generated.write(table, tmp_path / f"p.{container}")
            except (pa.ArrowInvalid, pa.ArrowTypeError):
                continue  # a column of two types
        given = generated.MEMORY[container](table) if made else tmp_path / f"p.{container}"
        if expected not in (None, "halves"):
            kind, text = outcome(lambda given=given: rep.count(given, **asked))
            assert kind == "refused" and re.search(expected, text), (container, text)
            continue
        found = rep.count(given, **asked)
        assert (found.k, sorted(found.named)) == (right.k, sorted(right.named)), container
        values = dict(zip(found.table["dataset"], found.table["p_value"], strict=True))
        expected_values = dict(zip(clean["dataset"], clean["p"], strict=True))
        assert values == pytest.approx(expected_values)
    if isinstance(more, dict):
        table.to_csv("p.csv", index=False)
        sided = [text for key, value in more.items() for text in (f"--{key}", value)]
        code = cli.main(["pvalues", "p.csv", "--scores", "ours", "base", "--json", *sided])
        told = capsys.readouterr()
        assert code == int(expected not in (None, "halves")), told


# --- successes in trials -------------------------------------------------------------------------

SUMS = ROWS.groupby(["dataset", "system"], sort=False)["score"].agg(["sum", "count"]).reset_index()
BELOW = SUMS.rename(columns={"dataset": "task", "sum": "successes", "count": "n"})
BESIDE = pd.DataFrame({"task": list(generated.SIZES)}).assign(
    **{
        f"{header}_{system}": list(BELOW.loc[BELOW["system"] == system, header])
        for header in ("n", "successes")
        for system in ("ours", "base")
    }
)
OF_BELOW = {"dataset": "task", "system": "system", "successes": "successes", "trials": "n"}
OF_BESIDE = {
    "dataset": "task",
    "successes": ["successes_ours", "successes_base"],
    "trials": ["n_ours", "n_base"],
}
FORMS = {"below": (BELOW, OF_BELOW), "beside": (BESIDE, OF_BESIDE)}


def put(header, value):
    """Return a change of one cell of the columns whose headers start so."""
    return lambda t: t.assign(
        **{h: [value, *t[h].astype(object)[1:]] for h in t if h.startswith(header)}
    )


OF_TRIALS = {
    "nothing": (lambda t: t, None),
    "rows from the end": (lambda t: t[::-1], None),
    "columns from the end": (lambda t: t[t.columns[::-1]], None),
    "text": (lambda t: t.astype(str), None),
    "floats": (lambda t: t.astype({h: float for h in t if h[0] in "n" or h[:3] == "suc"}), None),
    "another column": (lambda t: t.assign(note="x"), None),
    "a task twice": (lambda t: pd.concat([t, t[:1]]), r"twice|more than once"),
    "more successes than trials": (put("successes", 99), r"99"),
    "a share": (put("successes", 0.5), r"0\.5|whole number"),
    "below 0": (put("successes", -1), r"-1"),
    "no trial": (put("n", 0), r"0"),
    "an empty cell": (put("successes", None), r"empty|missing|finite number|None|nan"),
    "words": (put("n", "many"), r"many|one type"),
    "no rows": (lambda t: t[:0], r"no row|is empty|'ours'|an array"),
    "an average": (lambda t: pd.concat([t, t[:2].assign(task="Average")]), r"Average|twice"),
}
"""Name -> what happens to the table, and what comes of it."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("change", "expected"), OF_TRIALS.values(), ids=OF_TRIALS)
def test_successes_in_trials(form, change, expected, tmp_path):
    clean, roles = FORMS[form]
    given = AB | roles
    right = said(rep.compare(BELOW, **AB, **OF_BELOW))
    table = change(clean).reset_index(drop=True)
    for container in ("frame", "dictionaries", "csv", "xlsx", "jsonl", "parquet"):
        made = container in generated.MEMORY
        if not made:
            try:
                generated.write(table, tmp_path / f"t.{container}")
            except (pa.ArrowInvalid, pa.ArrowTypeError):
                continue
        data = generated.MEMORY[container](table) if made else tmp_path / f"t.{container}"
        kind, text = outcome(lambda data=data: rep.compare(data, **given))
        assert kind == ("refused" if expected else "answer"), (container, text)
        if expected:
            assert re.search(expected, text), text
            continue
        found = rep.compare(data, **given)
        known = json.loads(right)
        order = [row["dataset"] for row in known["datasets"]]
        rows = sorted(found.to_dict()["datasets"], key=lambda row: order.index(row["dataset"]))
        assert rows == known["datasets"], container
        assert found.k == rep.compare(BELOW, **AB, **OF_BELOW).k


# --- predictions with gold labels ----------------------------------------------------------------


def predictions():
    """Return predictions beside gold labels whose accuracies are the scores."""
    gold = pd.Series(["yes", "no"] * len(WIDE))[: len(WIDE)]
    other = {"yes": "no", "no": "yes"}
    sides = {
        system: [g if right else other[g] for g, right in zip(gold, WIDE[system], strict=True)]
        for system in generated.SYSTEMS
    }
    return WIDE.assign(gold=gold, **sides)


PREDICTED = predictions()
OF_PREDICTIONS = {
    "nothing": (lambda t: t, None),
    "rows from the end": (lambda t: t[::-1], None),
    "columns from the end": (lambda t: t[t.columns[::-1]], None),
    "numbers": (lambda t: t.replace({"yes": 1, "no": 0}), None),
    "text that is numbers": (lambda t: t.replace({"yes": "1", "no": "0"}), None),
    "truth values": (lambda t: t.replace({"yes": True, "no": False}), None),
    "letters": (lambda t: t.replace({"yes": "\u00e9", "no": "\u4e0d"}), None),
    "another column": (lambda t: t.assign(note="x"), None),
    "no gold label": (lambda t: t.assign(gold=[None, *t["gold"][1:]]), r"empty|missing|gold"),
    "an item twice": (lambda t: pd.concat([t, t[:1]]), r"more than once|twice"),
    "no prediction": (lambda t: t.assign(ours=[None, *t["ours"][1:]]), r"empty|missing"),
}


@pytest.mark.parametrize("form", ["wide", "long", "for each system"])
@pytest.mark.parametrize(("change", "expected"), OF_PREDICTIONS.values(), ids=OF_PREDICTIONS)
def test_predictions_with_gold_labels(form, change, expected, tmp_path):
    right = rep.compare(WIDE, **AB).table
    table = change(PREDICTED).infer_objects().reset_index(drop=True)
    keep = [h for h in table if h not in generated.SYSTEMS]
    given = {"gold": "gold", "metric": "accuracy"}
    if form == "wide":
        tables, given = {"t": table}, given | AB
    elif form == "long":
        long = table.melt(keep, var_name="system", value_name="prediction")
        tables, given = {"t": long}, given | AB | {"system": "system", "score": "prediction"}
    else:
        tables = {
            system: table[[*keep, system]].rename(columns={system: "prediction"})
            for system in generated.SYSTEMS
        }
        given = given | AB | {"score": "prediction"}
    for container in ("frame", "csv", "jsonl", "parquet"):
        data = generated.stored(tables, container, tmp_path)
        kind, text = outcome(lambda data=data: rep.compare(*data, **given))
        assert kind == ("refused" if expected else "answer"), (container, text)
        if expected:
            assert re.search(expected, text), text
            continue
        found = rep.compare(*data, **given).table
        columns = ["dataset", "n", "difference", "wins", "losses", "p_value"]
        pd.testing.assert_frame_equal(
            *(of[columns].sort_values("dataset", ignore_index=True) for of in (found, right))
        )


# --- nested JSON ---------------------------------------------------------------------------------

NESTED = {
    system: {
        dataset: dict(zip(part["instance"], map(int, part[system]), strict=True))
        for dataset, part in WIDE.groupby("dataset", sort=False)
    }
    for system in generated.SYSTEMS
}


def each(change):
    """Return a change of the scores of each dataset."""
    return lambda nest: {s: {d: change(of) for d, of in own.items()} for s, own in nest.items()}


def without(nest, system, dataset):
    """Leave an item of a system out."""
    kept = dict(list(nest[system][dataset].items())[1:])
    return nest | {system: nest[system] | {dataset: kept}}


OF_NESTS = {
    "nothing": (lambda nest: nest, None),
    "items from the end": (each(lambda of: dict(list(of.items())[::-1])), None),
    "truth values": (each(lambda of: {k: bool(v) for k, v in of.items()}), None),
    "floats": (each(lambda of: {k: float(v) for k, v in of.items()}), None),
    "blanks": (each(lambda of: {f" {k} ": v for k, v in of.items()}), None),
    "systems from the end": (lambda nest: dict(list(nest.items())[::-1]), None),
    "an item of one system": (lambda nest: without(nest, "ours", "news"), r"missing"),
    "null": (each(lambda of: of | {next(iter(of)): None}), r"None|missing|empty|null|finite|more"),
    "words": (
        each(lambda of: of | {next(iter(of)): "x"}),
        r"'x'|one JSON object|finite|that are not scores",
    ),
    "a list": (each(lambda of: of | {next(iter(of)): [1]}), r"more|list|nest|depth|scores"),
    "nothing in it": (each(lambda of: {}), r"."),
}


@pytest.mark.parametrize("form", ["memory", "file", "files"])
@pytest.mark.parametrize(("change", "expected"), OF_NESTS.values(), ids=OF_NESTS)
def test_nested_scores(form, change, expected, tmp_path):
    nest = change(NESTED)
    (tmp_path / "t.json").write_text(json.dumps(nest))
    for system, own in nest.items():
        (tmp_path / f"{system}.json").write_text(json.dumps(own))
    sides = [tmp_path / f"{system}.json" for system in generated.SYSTEMS]
    data = {"memory": [nest], "file": [tmp_path / "t.json"], "files": sides}[form]
    kind, text = outcome(lambda: rep.compare(*data, **AB))
    assert kind == ("refused" if expected else "answer"), text
    if expected:
        assert re.search(expected, text), text
        return
    found, right = (
        of.table[["dataset", "n", "difference", "wins", "losses", "p_value"]]
        for of in (rep.compare(*data, **AB), rep.compare(WIDE, **AB))
    )
    pd.testing.assert_frame_equal(found, right)


# --- families and gates --------------------------------------------------------------------------

CALLS = {
    "family": (lambda *data: rep.all_pairs(data[0], systems=("ours", "base", "third")), THREE),
    "gate": (lambda *data: rep.gate(*data, margin=0.05, systems=("base", "ours")), ROWS),
}
LIGHT = ("frame", "arrow", "csv", "jsonl", "parquet", "xlsx")
SKIPPED = {
    "systems that differ in case",
    "one system",
    "a third system",
    "a third system on one dataset",
}
"""Of them the outcome is another: the other system is another one, or a third makes a family."""


def order(answer):
    """Return what is compared of a family or a gate, whatever the order."""
    if isinstance(answer, rep.Family):
        names = sorted(answer.systems)
        return answer.counts().loc[names, names].to_numpy().tolist()
    rows = answer.to_dict()
    datasets = sorted(map(str, answer.table["dataset"]))
    return answer.exit_code, datasets, rows.get("verdict")


def crossed():
    """Iterate over some inputs of every disturbance: call, name, layout, container."""
    place = 0
    for call in CALLS:
        for name, made in generated.DISTURBANCES.items():
            for layout in ("wide", "long"):
                if name in SKIPPED or not made.of(layout) or made.kinds[0] != "right":
                    continue
                if made.of(layout) == generated.LIKE:
                    continue
                kinds = [c for c in LIGHT if c in made.containers]
                if kinds:
                    yield call, name, layout, kinds[place % len(kinds)]
                    place += 1


INPUTS = list(crossed())


def changed(rows, name, layout):
    """Return the table of a disturbance, of as many systems as there are."""
    made = generated.DISTURBANCES[name]
    systems = tuple(rows["system"].unique())
    rows = rows if made.rows is None else made.rows(rows)
    laid = rows if layout == "long" else generated.wide(rows, systems)
    return laid if made.table is None else made.table(laid)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("part", range(4))
def test_families_and_gates_answer_or_refuse(call, part, tmp_path):
    ask, rows = CALLS[call]
    clean = order(ask(generated.wide(rows) if call == "gate" else rows))
    for place, (of, name, layout, container) in enumerate(INPUTS[part::4]):
        if of != call:
            continue
        table = changed(rows, name, layout)
        folder = tmp_path / str(place)
        folder.mkdir()
        data = generated.stored({"t": table}, container, folder)
        expected = generated.DISTURBANCES[name].of(layout)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found = order(ask(*data))
            except rep.InputError as error:
                found = str(error)
        if expected == generated.SAME:
            assert found == clean, (name, layout, container, found)
        else:
            assert isinstance(found, str), (name, layout, container)
            assert found.endswith((".", "?")) and "\n" not in found


@pytest.mark.parametrize("layout", ["wide", "long", "matrix", "two"])
@pytest.mark.parametrize("name", generated.DISTURBANCES)
def test_frames_of_polars(name, layout):
    polars = pytest.importorskip("polars")
    made = generated.DISTURBANCES[name]
    if not made.of(layout) or "frame" not in made.containers:
        pytest.skip("there is no such input")
    if (name, layout) == ("an empty identifier", "matrix"):
        pytest.skip("polars names a header that is empty")
    tables, _ = generated.tables(name, "right", layout)
    try:
        frames = [polars.from_pandas(table) for table in tables.values()]
    except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError):
        pytest.skip("polars has no such frame")
    kind, text = outcome(lambda: rep.compare(*frames, **AB))
    plain, expected = outcome(lambda: rep.compare(*tables.values(), **AB))
    assert (kind, text) == (plain, expected) if kind == "answer" else plain == "refused"
