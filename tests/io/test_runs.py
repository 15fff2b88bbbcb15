import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replicability as rep
from replicability import checks, cli
from replicability.io import matching, runs
from replicability.stats import paired


def table(values):
    """Average values of shape (instances, runs), laid out as rows."""
    n, r = values.shape
    names = [f"i{i}" for i in np.repeat(np.arange(n), r)]
    return runs.named("d", "A", "f.csv", names, [f"{j}" for j in range(r)] * n, values.ravel())


@pytest.mark.slow
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_means_of_fractions_are_the_nearest_numbers(data):
    below = data.draw(st.sampled_from([1, 2, 3, 7, 10, 12, 64, 100, 1000, 10**6]))
    r, n = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 6))
    steps = st.lists(st.integers(-3 * below, 3 * below), min_size=r, max_size=r)
    whole = np.array(data.draw(st.lists(steps, min_size=n, max_size=n)))
    found = table(whole / below)
    true = [float(Fraction(sum(map(int, row)), below * r)) for row in whole]
    assert found.scores.tolist() == true
    assert found.whole == bool((whole >= 0).all() and (whole % below == 0).all())
    turned = table(whole[:, ::-1] / below)
    assert turned.scores.tolist() == true


def test_equal_means_of_decimals_are_ties():
    assert 0.1 + 0.7 < 0.4 + 0.4  # as sums of floating-point numbers they are none
    first, second = (table(np.array([pair])).scores for pair in ((0.1, 0.7), (0.4, 0.4)))
    assert first == second == 0.4


@pytest.mark.parametrize("runs_a", [2, 3, 5, 7, 10])
@pytest.mark.parametrize(("runs_b", "below"), [(1, 1), (3, 1), (4, 10), (6, 3)])
def test_the_exact_test_takes_means_as_the_fractions_that_they_are(runs_a, runs_b, below):
    rng = np.random.default_rng([runs_a, runs_b])
    a, b = (rng.integers(0, below + 1, (30, r)) for r in (runs_a, runs_b))
    means = [table(side / below).scores for side in (a, b)]
    # the truth is whole: r_b times the sum of A less r_a times the sum of B
    sums = (float(runs_b) * a.sum(axis=1), float(runs_a) * b.sum(axis=1))
    for test in ("sign_flip", "wilcoxon"):
        found, true = paired.run(test, *means), paired.run(test, *sums)
        assert found.pvalue == pytest.approx(true.pvalue, rel=1e-12)
        assert found.how == true.how


def test_scores_that_are_no_such_fractions_are_averaged_in_any_order():
    values = np.random.default_rng(1).normal(size=(20, 7))
    found = table(values)
    np.testing.assert_allclose(found.scores, values.mean(axis=1))
    assert found.scores.tolist() == table(values[:, ::-1]).scores.tolist()
    assert not found.whole
    np.testing.assert_allclose(found.of_runs["d"], values.mean(axis=0))


def test_runs_are_in_the_order_of_their_names():
    labels = ["10", "9", "b", "a"]
    found = runs.named("d", "A", "f", ["i"] * 4, labels, np.array([10.0, 9, 12, 11]))
    assert found.of_runs["d"].tolist() == [9, 10, 11, 12]


def test_datasets_may_have_different_numbers_of_runs():
    keys = np.array([0, 0, 1, 1, 2, 3])  # two instances in each of two datasets
    names = matching.Names(["x", "y"], pa.array(["1", "2"]), keys)
    side = matching.Side("A", "f", keys)
    scores = np.array([1.0, 0, 1, 1, 0, 1])
    found = runs.mean(names, side, np.array([0, 1, 0, 1, 1, 1]), ["u", "v"], scores)
    assert found.scores.tolist() == [0.5, 1, 0, 1]
    assert {k: v.tolist() for k, v in found.of_runs.items()} == {"x": [1, 0.5], "y": [0.5]}


def test_an_instance_that_a_run_lacks_is_refused():
    with pytest.raises(
        checks.InputError, match=r"1 item of 'd' is not in every run of A \(for example, 'j'"
    ):
        runs.named("d", "A", "f.csv", ["i", "i", "j"], ["1", "2", "2"], np.ones(3))


# --- unequal numbers of runs ---------------------------------------------------------------------

UNEQUAL = pd.DataFrame(
    [
        ("qa", item, system, run, score)
        for system, items in {
            "ours": {"q1": [1, 1, 0], "q2": [1], "q3": [0, 1], "q4": [1, 1, 1]},
            "base": {"q1": [0, 0], "q2": [0, 1], "q3": [0, 0], "q4": [1, 0]},
        }.items()
        for item, scores in items.items()
        for run, score in enumerate(scores)
    ],
    columns=["dataset", "instance", "system", "seed", "score"],
)
BY_HAND = {"drop": [2 / 3, 1, 1 / 2, 1], "wrong": [2 / 3, 1 / 3, 1 / 3, 1]}
AB = {"a": "ours", "b": "base", "run": "seed"}


@pytest.mark.parametrize("policy", BY_HAND)
def test_unequal_runs_by_hand(policy, tmp_path, capsys):
    scores = rep.Scores.from_frame(UNEQUAL, **AB, missing=policy)
    (found,) = scores.datasets
    assert found.a.tolist() == BY_HAND[policy]
    assert found.b.tolist() == [0, 0.5, 0, 0.5]
    result = rep.compare(scores)
    (note,) = [note for note in result.notes if "1 to 3 runs of ours on 'qa' (3 missing)" in note]
    assert "base" not in note and note in result.method
    again = rep.Result.from_dict(json.loads(json.dumps(result.to_dict())))
    assert again.notes == result.notes
    path = tmp_path / "runs.csv"
    UNEQUAL.to_csv(path, index=False)
    options = ["--systems", "ours", "base", "--run", "seed", "--missing", policy, "--json"]
    assert cli.main(["compare", str(path), *options]) == 0
    assert json.loads(capsys.readouterr().out)["datasets"] == result.to_dict()["datasets"]


def test_unequal_runs_are_refused_with_both_ways_out():
    with pytest.raises(rep.InputError, match=r"2 items .*missing='drop'\), or .*missing='wrong'\)"):
        rep.compare(UNEQUAL, **AB)


def test_runs_that_share_no_names_are_not_filled():
    rows = UNEQUAL.assign(seed=[f"r{n}" for n in range(len(UNEQUAL))])
    assert rep.Scores.from_frame(rows, **AB, missing="drop").datasets[0].a[1] == 1
    with pytest.raises(rep.InputError, match=r"probably not the same run.*missing='drop'"):
        rep.compare(rows, **AB, missing="wrong")


def test_unequal_runs_of_a_family():
    third = UNEQUAL[UNEQUAL["system"] == "base"].assign(system="other")
    family = rep.all_pairs(pd.concat([UNEQUAL, third]), run="seed", missing="drop")
    assert any("1 to 3 runs of ours on 'qa' (3 missing)" in note for note in family.notes)
    pair = rep.compare(UNEQUAL, **AB, missing="drop")
    assert pair.table["score_a"].tolist() == [pytest.approx(np.mean(BY_HAND["drop"]))]


def test_a_lower_score_is_better_and_a_run_lacks():
    (found,) = rep.Scores.from_frame(
        UNEQUAL, **AB, missing="wrong", higher_is_better=False
    ).datasets
    assert found.a.tolist() == [2 / 3, 1, 2 / 3, 1]
