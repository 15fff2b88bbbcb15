"""What must not change the answer of a gate, of counts, predictions, p-values and logs."""

import contextlib
import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import strategies as st
from laws import (
    AB,
    FILES,
    FRAMES,
    NAMES,
    ORDERS,
    SYSTEMS,
    frames,
    holds,
    long,
    printed,
    roles,
    said,
    shuffled,
    side,
    written,
)

import replicability as rep

OTHERS = st.permutations(("Zürich 9", "q-1", "=x", "λ/μ", "w."))
"""Other names, no part of which is a word of any sentence."""

SWAPPED = {"wins": "losses", "score_a": "score_b", "p_value": "p_reverse", "named": "named_worse"}
"""Column of A -> that of B."""


def flags(keywords):
    """Write keywords as options."""
    listed = {key: [of] if isinstance(of, str) else of for key, of in keywords.items()}
    return [text for key, of in listed.items() for one in of for text in (f"--{key}", one)]


def of_study(**block):
    """Return what the only comparison of a study says."""
    systems = {"systems": ["ours", "base"], "dependence": "dependent"}
    content = {"study": "s", "alphas": [0.05], "comparisons": [{"name": "c"} | systems | block]}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "s.yaml")
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        (answer,) = rep.read_study(file).ask()
    return answer


def same(found, expected, names=None):
    """Check that two answers have the same rows, whatever their order, under other names."""
    one, other = (of.table.replace({"dataset": names or {}}) for of in (found, expected))
    one, other = (of.sort_values("dataset", ignore_index=True) for of in (one, other))
    both = [header for header in other if header in one]  # logs also say which metric is read
    assert {"difference", "p_value", "named"} <= {*both}
    pd.testing.assert_frame_equal(one[both], other[both], rtol=1e-12, atol=1e-12)


def turned(found, expected):
    """Check that an answer is the other with A and B swapped."""
    assert (found.k, found.k_worse) == (expected.k_worse, expected.k)
    names = SWAPPED | {b: a for a, b in SWAPPED.items()}
    one, other = found.table.rename(columns=names), expected.table
    both = [header for header in names if header in other]
    pd.testing.assert_frame_equal(one[both], other[both], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(one["difference"], -other["difference"], rtol=0, atol=1e-12)


# --- the gate ------------------------------------------------------------------------------------

SCORES = ("right or wrong", "whole numbers", "two digits")
MARGINS = st.sampled_from([0.05, 0.2])


def gated(base, new, frame, margin, **more):
    """Gate the base and a new version."""
    return rep.gate(base, new, margin=margin, **roles(frame), **more)


def verdicts(gate):
    """Return the verdict, and what is said of each dataset, by its name."""
    rows = {row["dataset"]: row for row in gate.to_dict()["datasets"]}
    return gate.verdict, {name: rows[name] for name in sorted(rows)}


@holds(frames(SCORES), MARGINS, ORDERS, few=6)
def test_a_gate_depends_on_no_order(frame, margin, order):
    sides = side(frame, "base"), side(frame, "ours")
    expected = verdicts(gated(*sides, frame, margin))
    headers = list(sides[0])
    order.shuffle(headers)
    base, new = (shuffled(of, order)[headers] for of in sides)
    assert verdicts(gated(base, new, frame, margin)) == expected
    rows = shuffled(long(frame), order)
    found = rep.gate(rows, systems=("base", "ours"), margin=margin, **roles(frame))
    assert verdicts(found) == expected


@holds(frames(SCORES), MARGINS, few=3, each=FILES)
def test_a_gate_depends_on_no_container(end, frame, margin):
    sides = side(frame, "base"), side(frame, "ours")
    expected = said(gated(*sides, frame, margin, systems=("base", "ours")))
    with written(*sides, end=end) as (base, new):
        names = {"systems": ("base", "ours")}
        assert said(gated(base, new, frame, margin, **names)) == expected
        given = [*flags(roles(frame)), "--margin", margin, "--systems", "base", "ours"]
        assert said(printed("gate", base, new, *given, codes=(0, 1, 2))) == expected
        if "size" not in frame and "unit" not in frame:
            pinned = rep.pin(base, base.with_name("pinned.parquet"))
            found = verdicts(gated(pinned, new, frame, margin))
            assert found == verdicts(gated(*sides, frame, margin))


@holds(frames(SCORES, units=False), MARGINS, OTHERS, few=6)
def test_a_gate_knows_names_only_as_names(frame, margin, others):
    names = dict(zip(NAMES, others, strict=False))
    sides = side(frame, "base"), side(frame, "ours")
    verdict, rows = verdicts(gated(*sides, frame, margin))
    renamed = (of.replace({"dataset": names}) for of in sides)
    found, others = verdicts(gated(*renamed, frame, margin))
    assert found == verdict
    assert others == {names[n]: row | {"dataset": names[n]} for n, row in rows.items()}


@holds(frames(("two digits",), units=False), st.sampled_from([2, 10, 100]), few=6)
def test_a_gate_depends_on_no_unit_of_the_metric(frame, factor):
    frame[["ours", "base"]] += 2  # no shares
    one = gated(side(frame, "base"), side(frame, "ours"), frame, 0.05)
    moved = frame.assign(**{name: frame[name] * factor + 7 for name in SYSTEMS[:2]})
    two = gated(side(moved, "base"), side(moved, "ours"), frame, 0.05 * factor)
    assert (one.verdict, one.regressed) == (two.verdict, two.regressed)
    for row, other in zip(*(of.to_dict()["datasets"] for of in (one, two)), strict=True):
        for key in ("p_worse", "p_not_worse", "lost", "won", "worse", "within"):
            assert row[key] == pytest.approx(other[key], rel=1e-6, abs=1e-9)
        assert row["difference"] * factor == pytest.approx(other["difference"], abs=1e-9 * factor)


# --- successes in trials -------------------------------------------------------------------------


@st.composite
def counts(draw):
    """Draw successes in trials of two systems, with a row for each dataset and system."""
    cells = st.integers(0, 30)
    rows = []
    for name in draw(st.permutations(NAMES))[: draw(st.integers(1, 4))]:
        for system in SYSTEMS[:2]:
            trials = draw(st.integers(1, 30))
            successes = min(draw(cells), trials)
            rows.append({"dataset": name, "system": system, "s": successes, "n": trials})
    return pd.DataFrame(rows)


COUNTED = {"successes": "s", "trials": "n"}


@holds(counts(), ORDERS, few=6)
def test_counts_depend_on_no_order_and_no_layout(table, order):
    expected = rep.compare(table, **AB, **COUNTED)
    headers = list(table)
    order.shuffle(headers)
    same(rep.compare(shuffled(table, order)[headers], **AB, **COUNTED), expected)
    parts = (part.set_index("dataset") for _, part in table.groupby("system"))
    base, ours = (part[["s", "n"]].add_suffix(f" {part['system'].iloc[0]}") for part in parts)
    wide = ours.join(base)
    roles_ = {"successes": ["s ours", "s base"], "trials": ["n ours", "n base"]}
    same(rep.compare(wide.reset_index(), **AB, **roles_), expected)
    turned(rep.compare(table, a="base", b="ours", **COUNTED), expected)


@holds(counts(), OTHERS, few=6)
def test_counts_know_names_only_as_names(table, others):
    names = dict(zip((*NAMES, "ours"), others, strict=True))
    renamed = table.replace({"dataset": names, "system": names})
    found = rep.compare(renamed, a=names["ours"], b="base", **COUNTED)
    same(found, rep.compare(table, **AB, **COUNTED), {new: old for old, new in names.items()})


@holds(counts(), few=3, each=FILES)
def test_counts_depend_on_no_container_and_no_door(end, table):
    expected = said(rep.compare(table, **AB, **COUNTED))
    for held in ("arrow", "records", "categories"):
        assert said(rep.compare(FRAMES[held](table), **AB, **COUNTED)) == expected
    with written(table, end=end) as (path,):
        assert said(rep.compare(path, **AB, **COUNTED)) == expected
        given = ["--systems", "ours", "base", *flags(COUNTED)]
        assert said(printed("compare", path, *given)) == expected
        columns = {"dataset": "dataset", "system": "system"} | COUNTED
        same(of_study(file=str(path), columns=columns), rep.compare(table, **AB, **COUNTED))


# --- predictions beside gold labels --------------------------------------------------------------

LABELS = ("yes", "no", "maybe")


@st.composite
def predictions(draw):
    """Draw predictions of two systems beside gold labels, of which each system has some right."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = []
    for name in draw(st.permutations(NAMES))[: draw(st.integers(1, 3))]:
        n = int(rng.integers(8, 15))
        gold = rng.choice(LABELS, n)
        part = pd.DataFrame({"dataset": name, "instance": [f"i{k}" for k in range(n)]})
        for system, share in (("ours", 0.9), ("base", draw(st.sampled_from([0.3, 0.9])))):
            part[system] = np.where(rng.uniform(size=n) < share, gold, rng.choice(LABELS, n))
            part.loc[0, system] = gold[0]
        parts.append(part.assign(gold=gold))
    return pd.concat(parts, ignore_index=True)


METRICS = st.sampled_from(["accuracy", "macro_f1"])


def judged(data, *others, metric, **more):
    """Compare predictions with gold labels."""
    return rep.compare(data, *others, **(AB | more), gold="gold", metric=metric)


@holds(predictions(), METRICS, ORDERS, few=6)
def test_predictions_depend_on_no_order_and_no_layout(table, metric, order):
    expected = judged(table, metric=metric)
    headers = list(table)
    order.shuffle(headers)
    same(judged(shuffled(table, order)[headers], metric=metric), expected)
    rows = table.melt(["dataset", "instance", "gold"], var_name="system", value_name="prediction")
    same(judged(shuffled(rows, order), metric=metric), expected)
    sides = (side(table, name).rename(columns={"score": "prediction"}) for name in SYSTEMS[:2])
    if metric == "accuracy":
        same(judged(*(shuffled(of, order) for of in sides), metric=metric), expected)
        right = {name: (table[name] == table["gold"]).astype(int) for name in SYSTEMS[:2]}
        same(rep.compare(table.drop(columns="gold").assign(**right), **AB), expected)
    turned(judged(table, metric=metric, a="base", b="ours"), expected)


@holds(predictions(), METRICS, OTHERS, few=6)
def test_labels_and_names_are_only_names(table, metric, others):
    expected = judged(table, metric=metric)
    labels = dict(zip(LABELS, others, strict=False))
    texts = [*SYSTEMS[:2], "gold"]
    renamed = table.assign(**{name: table[name].map(labels) for name in texts})
    assert said(judged(renamed, metric=metric)) == said(expected)
    names = dict(zip((*NAMES, "ours"), others, strict=True))
    renamed = table.replace({"dataset": names}).rename(columns={"ours": names["ours"]})
    if metric == "accuracy":  # resamples of other metrics begin from the name of their dataset
        found = judged(renamed, metric=metric, a=names["ours"])
        same(found, expected, {new: old for old, new in names.items()})


@holds(predictions(), METRICS, few=3, each=FILES)
def test_predictions_depend_on_no_container_and_no_door(end, table, metric):
    expected = judged(table, metric=metric)
    for held in ("arrow", "records", "nullable"):
        assert said(judged(FRAMES[held](table), metric=metric)) == said(expected)
    with written(table, end=end) as (path,):
        assert said(judged(path, metric=metric)) == said(expected)
        given = ["--systems", "ours", "base", "--gold", "gold", "--metric", metric]
        assert said(printed("compare", path, *given)) == said(expected)
        columns = {"dataset": "dataset", "instance": "instance"}
        columns |= {"scores": ["ours", "base"], "gold": "gold"}
        same(of_study(file=str(path), columns=columns, metric=metric), expected)


# --- p-values ------------------------------------------------------------------------------------

PVALUES = st.dictionaries(st.sampled_from(NAMES), st.floats(1e-9, 1), min_size=1)


def decided(answer):
    """Return the count, the named datasets and their adjusted p-values."""
    adjusted = dict(zip(answer.table["dataset"], answer.table["adjusted_p_value"], strict=True))
    return answer.k, sorted(answer.named), {name: adjusted[name] for name in sorted(adjusted)}


@holds(PVALUES, ORDERS, OTHERS)
def test_p_values_depend_on_no_order_and_no_names(pvalues, order, others):
    expected = decided(rep.count(pvalues))
    keys = list(pvalues)
    order.shuffle(keys)
    assert decided(rep.count({key: pvalues[key] for key in keys})) == expected
    names = dict(zip(NAMES, others, strict=False))
    k, named, adjusted = decided(rep.count({names[key]: p for key, p in pvalues.items()}))
    back = {new: old for old, new in names.items()}
    assert (k, sorted(map(back.get, named))) == expected[:2]
    assert {back[name]: p for name, p in adjusted.items()} == expected[2]


@holds(PVALUES, few=3, each=FILES)
def test_p_values_depend_on_no_container_and_no_door(end, pvalues):
    table = pd.DataFrame({"dataset": [*pvalues], "p_value": [*pvalues.values()]})
    expected = decided(rep.count(pvalues))
    for held in ("arrow", "records", "nullable"):
        assert decided(rep.count(FRAMES[held](table))) == expected
    with written(table, end=end) as (path,):
        assert decided(rep.count(path)) == expected
        found = printed("pvalues", path)
        assert said(found) == said(rep.count(path))
        answer = of_study(file=str(path), columns={"dataset": "dataset", "p_value": "p_value"})
        assert decided(answer) == expected


# --- logs ----------------------------------------------------------------------------------------


def lm_eval(rows, folder, dataset):
    """Write a log of lm-evaluation-harness."""
    lines = (
        {"doc_id": int(item[1:]), "doc": {"q": item}, "target": "t", "filter": "none"}
        | {"metrics": ["acc"], "acc": score}
        for item, score in rows
    )
    path = folder / f"samples_{dataset}_2026-01-31T12-00-00.000000.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def inspect_ai(rows, folder, dataset):
    """Write a log of Inspect."""
    said_ = {"task": dataset, "task_version": 0, "task_args": {}, "model": folder.name}
    scores = [{"name": "match", "scorer": "match", "params": {}, "metrics": {}}]
    samples = [
        {"id": item, "epoch": 1, "input": [{"role": "user", "content": item}], "target": "t"}
        | {"scores": {"match": {"value": "C" if score else "I"}}}
        for item, score in rows
    ]
    results = {"total_samples": len(rows), "completed_samples": len(rows), "scores": scores}
    whole = {"version": 2, "status": "success", "eval": said_, "results": results}
    (folder / f"{dataset}.json").write_text(json.dumps(whole | {"samples": samples}))


def ids(rows, folder, dataset):
    """Write the list of the items that are right, and how many there are."""
    right = [item for item, score in rows if score]
    (folder / f"{dataset}.json").write_text(json.dumps({"resolved": right, "total": len(rows)}))


LOGS = {"lm_eval": lm_eval, "inspect_ai": inspect_ai, "ids": ids}


@contextlib.contextmanager
def logged(frame, kind, order=None, names=SYSTEMS[:2]):
    """Write a log of each system and dataset, for as long as they are read."""
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place, name) for name in names]
        for system, folder in zip(SYSTEMS, folders, strict=False):
            folder.mkdir()
            for dataset, part in frame.groupby("dataset", sort=False):
                rows = [*zip(part["instance"], part[system].tolist(), strict=True)]
                if order:
                    order.shuffle(rows)
                LOGS[kind](rows, folder, dataset)
        yield folders


@holds(frames(("right or wrong",), units=False), ORDERS, few=4, each=LOGS)
def test_logs_give_the_answer_of_their_table_at_every_door(kind, frame, order):
    expected = rep.compare(frame, **AB)
    with logged(frame, kind, order) as (a, b):
        found = rep.compare(a, b, format=kind)
        same(found, expected)
        assert said(printed("compare", a, b, "--format", kind)) == said(found)
        same(of_study(format=kind, files={"a": str(a), "b": str(b)}), expected)
        turned(rep.compare(b, a, format=kind), found)
    with logged(frame, kind, names=("q-1", "w.")) as (a, b):
        same(rep.compare(a, b, format=kind), expected)
