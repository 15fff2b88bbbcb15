"""What the data say of the dependence that is declared, in Python, on the command line, in YAML."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml

import replicability as rep
from analysis.studies import read_study
from replicability import checks
from replicability.cli import main
from replicability.core import dependence, evaluation
from replicability.io.instances import Dataset

DATASETS = [f"d{j}" for j in range(8)]


def right_or_wrong(differences, rng):
    """Return the answers of both systems with these differences, each in {-1, 0, 1}."""
    both = rng.integers(0, 2, np.shape(differences))
    return {name: np.where(differences, differences == sign, both).astype(int)
            for name, sign in (("A", 1), ("B", -1))}  # fmt: skip


def matched(rho, n=40, datasets=DATASETS, name="q{}".format, seed=0):
    """Return a frame of items that are in all datasets, with equally good systems."""
    rng = np.random.default_rng(seed)
    latent = abs(rho) ** 0.5 * rng.standard_normal((n, 1)) * [1, np.sign(rho)] * [1, 1]
    latent = latent[:, np.arange(len(datasets)) % 2]
    latent = latent + (1 - abs(rho)) ** 0.5 * rng.standard_normal((n, len(datasets)))
    answers = right_or_wrong(np.clip(np.trunc(1.5 * latent), -1, 1), rng)
    columns = {key: value.T.ravel() for key, value in answers.items()}
    ids = {"dataset": np.repeat(datasets, n), "instance": [*map(name, range(n))] * len(datasets)}
    return pd.DataFrame({**ids, **columns})


def passages(alike=True, seed=0):
    """Return a frame of six datasets with ten passages of six questions each."""
    rng = np.random.default_rng(seed)
    units = np.repeat(np.arange(60), 6)
    latent = (0.4**0.5 * rng.standard_normal(60))[units] if alike else 0
    latent = latent + (0.6**0.5 if alike else 1) * rng.standard_normal(360)
    answers = right_or_wrong(np.clip(np.trunc(1.5 * latent), -1, 1), rng)
    ids = {"dataset": [f"d{unit // 10}" for unit in units], "passage": units % 10}
    return pd.DataFrame({**ids, "instance": [f"i{i}" for i in range(360)], **answers})


def compare(data, **declared):
    return rep.compare(data, a="A", b="B", **declared)


def refused(data, **declared):
    with pytest.raises(checks.InputError) as caught:
        compare(data, **declared)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def notes(data, **declared):
    """Return what is said of the dependence."""
    return dependence.sentences(compare(data, **declared).evaluated)


# --- items in several datasets -------------------------------------------------------------------


def test_declared_independence_that_matched_items_contradict_is_refused():
    message = refused(matched(0.8), dependence="independent")
    assert (
        "declared independent, but 40 items have the same identifier in several of the 8" in message
    )
    assert "differences have a correlation of 0.5" in message
    assert "standard error 0.030 under independence" in message
    assert (
        "declare the shared items with shared=True, declare the datasets dependent with "
        "dependence='dependent'" in message
    )


@pytest.mark.parametrize(("rho", "n"), [(0.3, 40), (0.8, 20), (0.5, 250)])
def test_it_is_refused_whatever_the_correlation_and_the_size(rho, n):
    for seed in range(5):
        message = refused(matched(rho, n, seed=seed), dependence="independent")
        assert "have a correlation of" in message


@pytest.mark.slow
def test_independent_items_of_one_name_pass_and_nothing_is_said():
    for seed in range(20, 40):
        assert notes(matched(0.0, seed=seed), dependence="independent") == []


@pytest.mark.parametrize("declared", [{}, {"dependence": "dependent"}, {"dependence": "positive"}])
def test_otherwise_the_correlation_is_a_note(declared):
    (note,) = notes(matched(0.5), **declared)
    assert "their differences have a correlation of 0.3" in note
    assert "declare them as shared, and joint sign flips will account for this dependence." in note
    result = compare(matched(0.5), **declared)
    assert note in result.notes


def test_the_note_is_there_too_where_items_of_one_name_are_independent():
    (note,) = notes(matched(0.0))
    assert "on average (standard error 0.030 under independence)" in note


def test_shared_items_are_measured_among_those_that_share_them():
    both = matched(0.6)
    (note,) = notes(both, shared=True, n_flips=200)
    assert note.endswith("; joint sign flips account for this dependence.")
    (note,) = notes(both, shared={"test set": ["d0", "d4"]}, n_flips=200)
    assert "40 items have the same identifier in 'd0' and 'd4', and their differences" in note
    assert "on average" not in note


def test_the_largest_correlation_is_named_and_refused_alone():
    frame = pd.concat([matched(0.0, 100), matched(0.8, 100, ["x", "y"], seed=1)])
    message = refused(frame, dependence="independent")
    assert re.search(r"independence; largest correlation 0\.[56]\d\d, for 'x' and 'y'\)", message)


def test_numbers_that_may_be_places_are_silent_unless_they_match():
    for first in (0, 1):
        numbers = (lambda i, first=first: i + first,)[0]
        assert notes(matched(0.0, name=numbers)) == []
        assert "a correlation of" in notes(matched(0.6, name=numbers))[0]
        assert "a correlation of" in refused(matched(0.6, name=numbers), dependence="independent")
    assert len(notes(matched(0.0, name=lambda i: i + 2))) == 1


def test_places_of_rows_are_no_identifiers():
    frame = matched(0.8)
    arrays = {name: (part["A"], part["B"]) for name, part in frame.groupby("dataset")}
    assert notes(arrays, dependence="independent") == []
    assert notes(frame.drop(columns="instance"), dependence="independent") == []
    assert len(notes(arrays, shared=True, n_flips=200)) == 1  # where they are declared to be


def test_a_negative_correlation_is_reported_and_contradicts_a_positive_one():
    frame = matched(-0.9, 60, ["d0", "d1"])
    (note,) = notes(frame, dependence="independent")
    assert "have a correlation of -0.8" in note
    (note,) = notes(frame, dependence="positive")
    assert note.startswith("The dependence is declared positive, but 60 items have the same ident")
    assert note.endswith("; declare the datasets dependent.")


def test_units_are_matched_where_they_are_declared():
    named = passages()
    named["passage"] = "p" + named["passage"].astype(str)
    (note,) = notes(named, unit="passage")
    assert note.startswith("10 units have the same identifier in several of the 6 datasets")


def test_sums_are_matched_by_their_influences():
    rng = np.random.default_rng(1)
    frame = matched(0.0, 200, ["x", "y"]).assign(size=np.tile(rng.integers(5, 50, 200), 2))
    frame["A"], frame["B"] = frame["size"] - frame["A"], frame["size"] / 2 - frame["B"]
    # what A has more than B is half the size of each item, and what has nothing to do with the item
    assert notes(frame, dependence="independent", size="size") == []


def test_ratings_are_not_measured():
    frame = matched(0.8, 40, ["x", "y"])
    noise = np.random.default_rng(5).standard_normal((2, 80))
    rated = frame.assign(gold=np.arange(80.0), A=frame["A"] + noise[0], B=frame["B"] + noise[1])
    assert notes(rated, gold="gold") == []


# --- one dataset under two names -----------------------------------------------------------------


def test_one_dataset_under_several_names_is_no_independent_one():
    a, b = np.r_[np.ones(9, int), np.zeros(51, int)], np.r_[np.zeros(58, int), 1, 1]
    message = refused({f"d{i}": (a, b) for i in range(6)}, dependence="independent")
    assert "'d0', 'd1' and 4 more have the same scores for both systems on every item" in message
    assert "leave out all but one of them, or declare dependence='dependent'" in message
    (note,) = notes({"x": (a, b), "y": (a, b), "z": (b, a)})
    assert note.startswith("'x' and 'y' have the same scores for both systems on every item")


def test_it_is_recognised_by_identifiers_in_any_order():
    frame = matched(0.0, 60, ["x"])
    other = frame.assign(dataset="y").sample(frac=1, random_state=1)
    assert "'x' and 'y' have the same scores" in refused(
        pd.concat([frame, other]), dependence="independent"
    )
    renamed = other.assign(instance=[f"other{i}" for i in range(60)])
    assert notes(pd.concat([frame, renamed]), dependence="independent") == []


def test_scores_that_agree_by_chance_are_no_evidence():
    always = {name: (np.ones(100, int), np.zeros(100, int)) for name in "xyz"}
    assert notes(always, dependence="independent") == []
    few = {name: ([1, 1, 0, 1, 0], [0, 0, 1, 1, 0]) for name in "xy"}
    assert notes(few, dependence="independent") == []


# --- units that are not declared -----------------------------------------------------------------


@pytest.mark.parametrize("declared", ["independent", "positive", "dependent", None])
def test_passages_that_are_not_declared_are_refused(declared):
    message = refused(passages(), dependence=declared)
    assert "No unit is declared, but items with the same 'passage' have similar diff" in message
    assert "(intraclass correlation 0.2" in message
    assert "design effect 2." in message
    assert "declare unit='passage', or unit='instance' if items were drawn individually" in message


@pytest.mark.slow
def test_they_pass_where_the_unit_is_declared_or_plays_no_part():
    compare(passages(), unit="passage", dependence="independent")
    (note,) = notes(passages(), unit="instance", dependence="independent")
    assert note.startswith("The unit is declared to be the item, but items with the same 'pass")
    for seed in range(20, 40):
        assert notes(passages(alike=False, seed=seed), dependence="independent") == []


@pytest.mark.parametrize(
    ("header", "is_unit"),
    [
        *((name, True) for name in ("Passage", "doc_id", "documentID", "session", "id")),
        *((name, False) for name in ("kind", "difficulty", "label", "grid", "video game")),
    ],
)
def test_a_unit_is_recognised_by_its_name(header, is_unit):
    frame = passages().rename(columns={"passage": header})
    if is_unit:
        assert repr(header) in refused(frame)
    else:
        assert notes(frame) == []


def test_every_table_keeps_what_items_belong_to():
    frame = passages()
    long = frame.melt(
        ["dataset", "instance", "passage"], ["A", "B"], var_name="system", value_name="score"
    )
    runs = pd.concat([long.assign(run="one"), long.assign(run="two")])
    sides = [long[long["system"] == name].drop(columns="system") for name in "AB"]
    shuffled = [side.sample(frac=1, random_state=2) for side in (long, runs, *sides)]
    long, runs, a, b = shuffled
    messages = [refused(frame), refused(long), refused(runs, run="run")]
    for other in (b, b.drop(columns="passage")):
        with pytest.raises(checks.InputError, match="No unit is declared") as caught:
            rep.compare(a, other, a="A", b="B")
        messages.append(str(caught.value))
    said = {message.partition(": No unit")[2] for message in messages}
    assert len(said) == 1
    rep.compare(a, b.drop(columns="passage"), a="A", b="B", datasets=["d0"], unit="instance")


def test_a_column_that_nobody_names_is_never_at_fault():
    frame = passages(alike=False)
    lists = frame.assign(passage=[[i] for i in range(360)])
    mixed = frame.assign(passage=[1, "x"] * 180)
    blank = frame.assign(passage=np.where(np.arange(360) < 350, None, "x"))
    twice = frame.set_axis(["dataset", "passage", "instance", "passage", "B"], axis=1)
    for table in (lists, mixed, blank, frame.assign(passage=""), frame.assign(passage="x")):
        assert notes(table) == []
    rep.compare(twice.drop(columns="B").assign(A=1, B=0), a="A", b="B")


def test_rows_without_a_unit_are_left_out():
    frame = passages()
    some = frame["passage"].astype(str).where(frame["dataset"] != "d3")
    found = compare(frame.assign(passage=some), unit="instance").evaluated.dependence
    assert found.units["passage"].n_items == 300


def test_the_unit_with_the_largest_design_effect_is_named():
    frame = passages()
    half = frame["passage"].astype(str) + np.tile(["a", "b"], 180)
    assert "declare unit='passage'" in refused(frame.assign(cluster=half))


# --- the three doors -----------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores a frame, and a study that compares its systems."""

    def stored(frame, **block):
        frame.to_csv(tmp_path / "t.csv", index=False)
        columns = {"dataset": "dataset", "instance": "instance", "scores": ["A", "B"]}
        block = {"name": "mine", "systems": ["A", "B"], "dependence": "independent"} | block
        block |= {"file": str(tmp_path / "t.csv"), "columns": columns}
        study = tmp_path / "study.yaml"
        study.write_text(yaml.safe_dump({"study": "own", "alphas": [0.05], "comparisons": [block]}))
        return tmp_path / "t.csv", read_study(study).comparisons[0]

    return stored


def test_a_study_and_the_command_line_refuse_the_same(stored, capsys):
    path, comparison = stored(passages())
    with pytest.raises(checks.InputError, match="declare unit: passage"):
        evaluation.evaluate(comparison)
    asked = ["compare", str(path), "--independent", "--systems", "A", "B"]
    assert main(asked) == 1
    assert "declare --unit 'passage', or --unit 'instance'" in capsys.readouterr().err
    assert main([*asked, "--unit", "instance"]) == 0
    assert "The unit is declared to be the item" in " ".join(capsys.readouterr().out.split())
    _, comparison = stored(passages(), unit="instance")
    assert len(dependence.sentences(evaluation.evaluate(comparison))) == 1
    path, comparison = stored(matched(0.8))
    with pytest.raises(
        checks.InputError, match="with shared: true, declare the datasets dependent with"
    ):
        evaluation.evaluate(comparison)
    assert main(asked) == 1
    assert "with --shared, declare the datasets dependent with --dep" in capsys.readouterr().err


def test_neither_order_of_rows_nor_of_datasets_matters(stored):
    frame = pd.concat([matched(0.3), passages()])
    mixed = frame.sample(frac=1, random_state=3)
    found, other = (
        compare(table, unit="instance").evaluated.dependence for table in (frame, mixed)
    )
    assert found.matched.correlation == pytest.approx(other.matched.correlation, rel=1e-12)
    assert found.units["passage"].correlation == pytest.approx(other.units["passage"].correlation)
    assert [said.partition("on 'd")[0] for said in found.sentences] == [
        said.partition("on 'd")[0] for said in other.sentences
    ]


def test_metrics_that_are_no_sums_are_measured_by_the_jackknife():
    rng = np.random.default_rng(4)
    items = pa.array([f"s{i}" for i in range(80)])
    gold = rng.integers(1, 6, 80).astype(float)
    sides = [
        np.column_stack([rng.binomial(gold.astype(int), p), gold + 1, gold]) for p in (0.7, 0.5)
    ]
    part = Dataset("ner", items, *sides, metric="f1")
    found = dependence.influences(part)
    assert found.shape == (80,)
    _, both = dependence.between_datasets([part, Dataset("again", items, *sides, metric="f1")])
    assert both.correlation == pytest.approx(1)
    alone = Dataset("one", items[:1], *(side[:1] for side in sides), metric="f1")
    assert dependence.influences(alone) is None
    assert dependence.between_datasets([part, alone]) == (["ner"], None)
