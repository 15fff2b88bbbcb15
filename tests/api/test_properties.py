"""What must not change an answer: order, names, files and containers, the unit of the metric."""

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
    arrow,
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
from replicability.api import result
from replicability.core import evaluation
from replicability.io.study import read_study

QUESTIONS = st.sampled_from(
    [
        {},
        {"dependence": "independent"},
        {"dependence": "positive"},
        {"procedure": "paper"},
        {"alternative": "greater"},
        {"test": "sign_flip"},
        {"claim": "not_worse", "margin": 0.1},
    ]
)
"""What is asked, as keywords."""


def ask(data, *others, of, **question):
    """Compare the first two systems, with the keywords that the frame `of` needs."""
    return rep.compare(data, *others, **AB, **roles(of), **question)


def decided(answer):
    """Return counts and names, in the order of the names."""
    return answer.k, sorted(answer.named), answer.k_worse, sorted(answer.named_worse)


def same_whatever_the_order(one, other):
    """Check decisions and p-values to the last bit, and sums up to the order of their terms."""
    table, expected = (r.table.sort_values("dataset", ignore_index=True) for r in (one, other))
    exact = [c for c in expected if c.startswith(("p_", "adjusted")) or expected[c].dtype != float]
    pd.testing.assert_frame_equal(table[exact], expected[exact], check_exact=True)
    pd.testing.assert_frame_equal(table, expected, rtol=1e-12, atol=1e-12)
    assert decided(one) == decided(other)


# --- order and names -----------------------------------------------------------------------------


@holds(frames(), QUESTIONS, ORDERS)
def test_the_order_of_rows_changes_nothing(frame, question, order):
    expected = ask(frame, of=frame, **question)
    same_whatever_the_order(ask(shuffled(frame, order), of=frame, **question), expected)
    rows = shuffled(long(frame), order)
    same_whatever_the_order(ask(rows, of=frame, **question), expected)


@holds(frames(units=False), ORDERS)
def test_the_order_of_rows_that_share_units_changes_nothing(frame, order):
    question = {"shared": True, "n_flips": 200} if len(set(frame["dataset"])) > 1 else {}
    expected = ask(frame, of=frame, **question)
    same_whatever_the_order(ask(shuffled(frame, order), of=frame, **question), expected)


@holds(frames(), QUESTIONS, ORDERS)
def test_the_order_of_columns_changes_nothing(frame, question, order):
    headers = list(frame)
    order.shuffle(headers)
    expected = said(ask(frame, of=frame, **question))
    assert said(ask(frame[headers], of=frame, **question)) == expected


OTHERS = ("Zürich 9", "q-1", "=x", "λ/μ", "the Y", "w.")
"""Other names, no part of which is a word of any sentence."""


@holds(frames(), QUESTIONS, st.permutations(OTHERS))
def test_names_are_only_names(frame, question, names):
    names = dict(zip((*NAMES, "ours", "base"), names, strict=True))
    expected = ask(frame, of=frame, **question)
    renamed = frame.replace({"dataset": names}).rename(columns=names)
    found = rep.compare(renamed, a=names["ours"], b=names["base"], **roles(frame), **question)
    table = expected.table.replace({"dataset": names})
    pd.testing.assert_frame_equal(found.table, table, check_exact=True)
    text = str(expected)
    for old in names:  # first to marks, so that no name is replaced twice
        text = text.replace(old, f"<{list(names).index(old)}>")
    for place, new in enumerate(names.values()):
        text = text.replace(f"<{place}>", new)
    assert str(found) == text


# --- the two systems, and the metric -------------------------------------------------------------


@holds(frames(), QUESTIONS.filter(lambda q: not {"claim", "alternative", "procedure"} & q.keys()))
def test_the_systems_swapped_give_the_answer_swapped(frame, question):
    forth = ask(frame, of=frame, **question)
    back = rep.compare(frame, a="base", b="ours", **roles(frame), **question)
    assert (back.k, back.named) == (forth.k_worse, forth.named_worse)
    assert (back.k_worse, back.named_worse) == (forth.k, forth.named)
    one, other = forth.table, back.table
    swapped = {
        "wins": "losses",
        "score_a": "score_b",
        "p_value": "p_reverse",
        "named": "named_worse",
    }
    for key, value in swapped.items():
        np.testing.assert_array_equal(one[key], other[value])
        np.testing.assert_array_equal(one[value], other[key])
    np.testing.assert_array_equal(one["difference"], -other["difference"])
    np.testing.assert_allclose(one["low"], -other["high"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(one["high"], -other["low"], rtol=0, atol=1e-12)


NO_SIZES = ("right or wrong", "whole numbers", "two digits")
TESTS = st.sampled_from(["mean_difference", "sign_flip", "wilcoxon", "sign_test", "paired_t"])
SCALES = st.sampled_from([(2, 0), (1, 5), (0.5, 3), (10, 2), (0.1, 0.3), (3, 7.7), (100, 0)])


@holds(frames(NO_SIZES, units=False), TESTS, SCALES)
def test_another_unit_of_the_metric_changes_no_p_value(frame, test, scale):
    factor, shift = scale
    moved = frame.assign(**{name: frame[name] * factor + shift for name in SYSTEMS[:2]})
    one, other = ask(frame, of=frame, test=test), ask(moved, of=frame, test=test)
    assert decided(one) == decided(other)
    one, other = one.table, other.table
    for key in ("wins", "ties", "losses"):
        np.testing.assert_array_equal(one[key], other[key])
    for key in ("p_value", "p_reverse"):
        np.testing.assert_allclose(other[key], one[key], rtol=0, atol=1e-12)
    shares = any(f[["ours", "base"]].max(axis=None) <= 1 for f in (frame, moved))
    interval = () if shares else ("low", "high")  # that of shares ends at -1 and 1
    for key in ("difference", "standard_error", *interval):
        np.testing.assert_allclose(other[key], one[key] * factor, rtol=1e-9, atol=1e-12 * factor)
    for key in ("score_a", "score_b"):
        np.testing.assert_allclose(other[key], one[key] * factor + shift, rtol=1e-12)


@holds(frames(NO_SIZES), TESTS)
def test_a_loss_is_the_score_with_its_sign_changed(frame, test):
    test = {"test": test} if "unit" not in frame else {}
    test = test or {"test": "mean_difference"}
    losses = frame.assign(**{name: -frame[name] for name in SYSTEMS[:2]})
    one, other = ask(frame, of=frame, **test), ask(losses, of=frame, higher_is_better=False, **test)
    assert decided(one) == decided(other)
    sides = ["score_a", "score_b"]
    table = other.table.assign(**{name: 0.0 - other.table[name] for name in sides})
    pd.testing.assert_frame_equal(table, one.table.assign(**{n: 0.0 + one.table[n] for n in sides}))
    np.testing.assert_array_equal(other.table["p_value"], one.table["p_value"])


# --- files and containers ------------------------------------------------------------------------


LAYOUTS = st.sampled_from([lambda frame: frame, long])


@holds(frames(), LAYOUTS, few=4, each=FILES)
def test_files_of_any_kind_give_the_same(end, frame, layout):
    expected = said(ask(frame, of=frame))
    with written(layout(frame), end=end) as (path,):
        assert said(ask(path, of=frame)) == expected


@holds(frames(), LAYOUTS, few=4, each=FRAMES)
def test_frames_of_any_kind_give_the_same(held, frame, layout):
    assert said(ask(FRAMES[held](layout(frame)), of=frame)) == said(ask(frame, of=frame))


@holds(frames(), LAYOUTS, few=4)
def test_frames_of_polars_give_the_same(frame, layout):
    polars = pytest.importorskip("polars")
    found = ask(polars.from_arrow(arrow(layout(frame))), of=frame)
    assert said(found) == said(ask(frame, of=frame))


@holds(frames(), QUESTIONS, ORDERS)
def test_a_file_split_in_two_gives_the_same(frame, question, order):
    expected = ask(frame, of=frame, **question)
    sides = side(frame, "ours"), shuffled(side(frame, "base"), order)
    assert said(ask(*sides, of=frame, **question)) == said(expected)
    with written(*sides) as paths:
        assert said(ask(*paths, of=frame, **question)) == said(expected)


# --- every door ----------------------------------------------------------------------------------


def command(path, frame, question):
    """Return what the command line prints as JSON."""
    flags = [text for key in roles(frame) for text in (f"--{key}", key)]
    for key, value in question.items():
        flags += [f"--{value}"] if key == "dependence" else [f"--{key}", str(value)]
    return printed("compare", path, "--systems", "ours", "base", *flags)


def study(path, frame, question):
    """Return the table, the sentence and the decisions of a study."""
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    columns |= {key: key for key in ("size",) if key in frame}
    block = {"name": "c", "systems": ["ours", "base"], "file": str(path), "columns": columns}
    block |= (
        {"dependence": "dependent"} | {key: key for key in ("unit",) if key in frame} | question
    )
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    file = path.with_suffix(".yaml")
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    (comparison,) = read_study(file).comparisons
    table = evaluation.evaluate(comparison)
    return result.decide(comparison, table, [0.05], declared=True)


@holds(frames(), QUESTIONS)
def test_every_door_gives_the_same(frame, question):
    expected = ask(frame, of=frame, **question)
    scores = rep.Scores.from_frame(frame, **AB, **roles(frame))
    assert said(rep.compare(scores, **question)) == said(expected)
    assert said(rep.ask(scores, rep.Question(**question))) == said(expected)
    with written(frame) as (path,):
        assert said(command(path, frame, question)) == said(expected)
        found = study(path, frame, question)
        pd.testing.assert_frame_equal(found.table, expected.table, check_exact=True)
        assert str(found) == str(expected)


# --- three systems -------------------------------------------------------------------------------


def counted(family, names=SYSTEMS):
    """Return the joint counts, and what is said of each pair, of systems in one order."""
    order = list(names)
    table = family.table.set_index(["a", "b"]).sort_index()
    table["named"] = table["named"].map(sorted)
    return family.counts().loc[order, order].to_numpy().tolist(), table.to_dict("index")


THREE = frames(systems=SYSTEMS)


@holds(THREE, ORDERS, st.sampled_from(list(FILES)), few=8)
def test_a_family_depends_on_no_order_and_no_container(frame, order, end):
    expected = counted(rep.all_pairs(frame, **roles(frame)))
    for data in (shuffled(frame, order), shuffled(long(frame), order), arrow(frame)):
        assert counted(rep.all_pairs(data, **roles(frame))) == expected
    sides = [side(frame, name) for name in SYSTEMS]
    by_name = dict(zip(SYSTEMS, sides, strict=True))
    assert counted(rep.all_pairs(by_name, **roles(frame))) == expected
    with written(*sides, end=end) as paths:
        assert counted(rep.all_pairs(paths, **roles(frame))) == expected


@holds(THREE, st.permutations(OTHERS[:3]), few=8)
def test_a_family_has_the_pairs_of_its_comparisons(frame, names):
    family = rep.all_pairs(frame, **roles(frame))
    for a in SYSTEMS:
        for b in set(SYSTEMS) - {a}:
            given = {"alternative": "greater"} | roles(frame)
            alone = rep.compare(frame, a=a, b=b, **given)
            assert family.counts(jointly=False).loc[a, b] == alone.k
    renamed = frame.rename(columns=dict(zip(SYSTEMS, names, strict=True)))
    counts, _ = counted(rep.all_pairs(renamed, **roles(frame)), names)
    assert counts == counted(family)[0]


def test_one_sum_added_in_two_orders_is_level():
    scores = np.random.default_rng(1).integers(0, 100, 13) / 100
    orders = (np.random.default_rng(seed).permutation(scores) for seed in range(99))
    other = next(order for order in orders if order.mean() != scores.mean())
    parts = {"ours": scores, "base": other, "third": scores * 0}
    frame = pd.DataFrame({"dataset": ["x"] * 13, "instance": [*range(13)]} | parts)
    pairs = rep.all_pairs(frame).table.set_index(["a", "b"])["ahead"]
    assert (pairs["ours", "base"], pairs["base", "ours"], pairs["ours", "third"]) == (0, 0, 1)
    overall = ask(frame, of=frame).overall
    assert (overall.ahead, overall.level, overall.behind) == (0, 1, 0)
