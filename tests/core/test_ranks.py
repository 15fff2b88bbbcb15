"""Bounds of ranks against the ranks of systems whose scores are known, and letters."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from lxml import html

import replicability as rep
from replicability.checks import InputError
from replicability.core import ranks

NAMES = "ABCDEF"


@st.composite
def known(draw):
    """Return true scores, names that are right, and counts that are not too large."""
    s, n = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    scores = draw(hnp.arrays(int, (s, n), elements=st.integers(0, 3)))
    better = scores[:, np.newaxis] > scores[np.newaxis]
    named = better & draw(hnp.arrays(bool, better.shape))
    more = draw(hnp.arrays(int, (s, s), elements=st.integers(0, n)))
    return scores, better, named, np.minimum(named.sum(axis=2) + more, better.sum(axis=2))


@settings(max_examples=200, deadline=None)
@given(known())
def test_bounds_hold_wherever_the_statements_do(drawn):
    scores, better, named, counts = drawn
    best, worst = ranks.on_datasets(named)
    for i, d in np.ndindex(scores.shape):
        rank = 1 + sum(other > scores[i, d] for other in scores[:, d])
        assert best[i, d] <= rank <= worst[i, d]
    n = scores.shape[1]
    for k in range(1, n + 1):
        best, worst = ranks.at_least(counts, k, n)
        for i in range(len(scores)):
            rank = 1 + sum(better[j, i].sum() >= k for j in range(len(scores)))
            assert best[i] <= rank <= worst[i]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 6).flatmap(lambda s: hnp.arrays(bool, (s, s))))
def test_systems_share_a_letter_exactly_if_they_do_not_differ(drawn):
    undecided = drawn | drawn.T
    found = ranks.letters(NAMES[: len(drawn)], undecided)
    for i, j in itertools.combinations(range(len(drawn)), 2):
        shared = set(found[NAMES[i]].split()) & set(found[NAMES[j]].split())
        assert bool(shared) == undecided[i, j]
    assert all(found.values())


def test_more_letters_than_the_alphabet_has():
    names = [f"system {i}" for i in range(30)]
    found = ranks.letters(names, np.zeros((30, 30), bool))
    assert found["system 25"] == "z"
    assert found["system 26"] == "aa"


def test_the_ranks_of_a_family():
    right = {"high": [1] * 40, "mid": [1, 0] * 20, "low": [0] * 40, "low too": [0] * 40}
    table = pd.concat([pd.DataFrame(right).assign(dataset=d) for d in ("news", "law", "talks")])
    family = rep.all_pairs(table, instance=None)
    found = family.ranks().set_index("system")
    assert found.loc["high", ["best", "worst", "letters"]].tolist() == [1, 1, "a"]
    assert found.loc["mid", ["best", "worst", "letters"]].tolist() == [2, 2, "b"]
    assert found.loc["low", ["best", "worst", "letters"]].tolist() == [3, 4, "c"]
    assert found.loc["low too", "letters"] == "c"
    each = family.ranks_on_datasets().set_index(["system", "dataset"])
    assert each.loc[("mid", "law"), ["best", "worst"]].tolist() == [2, 2]
    assert len(each) == 12
    with pytest.raises(InputError, match="k is 4, but there are 3 datasets"):
        family.ranks(4)
    with pytest.raises(InputError, match="k is 0"):
        family.ranks(0)
    with pytest.raises(InputError, match="compared only with low"):
        rep.against(table, "low", instance=None).ranks()


def test_the_page_of_a_family_has_the_ranks_unless_one_system_is_the_baseline():
    rng = np.random.default_rng(2)
    gains = {"good": 0.9, "fair": 0.2, "poor": 0.0}
    df = pd.DataFrame({name: rng.normal(gain, 0.5, 200) for name, gain in gains.items()})
    df["dataset"] = np.repeat(["x", "y"], 100)
    family = rep.all_pairs(df, instance=None, dataset="dataset")
    rows = html.fromstring(family.page()).xpath("//details[contains(summary, 'Which rank')]//tr")
    shown = [[cell.text_content() for cell in row] for row in rows]
    found = family.ranks()
    ends = zip(found["best"], found["worst"], strict=True)
    assert shown[0] == ["system", "mean score", "rank", "letters"]
    assert [row[0] for row in shown[1:]] == list(family.systems)
    assert [row[2] for row in shown[1:]] == [f"{a}" if a == b else f"{a} to {b}" for a, b in ends]
    assert [row[3] for row in shown[1:]] == found["letters"].tolist()
    assert shown[1][2] == "1"
    against = rep.against(df, "poor", instance=None, dataset="dataset")
    assert "Which rank" not in against.page()


# --- ranks by the mean over datasets -------------------------------------------------------------


def normal(seed, gains, n=40, datasets=("news", "law")):
    """Return normal scores of systems with these means on every dataset."""
    rng = np.random.default_rng(seed)
    parts = [
        pd.DataFrame(rng.normal(gains, 1, (n, len(gains))), columns=[*NAMES[: len(gains)]])
        for _ in datasets
    ]
    return pd.concat(parts, keys=datasets, names=["dataset", "instance"]).reset_index()


@pytest.mark.parametrize("more", [{}, {"dependence": "independent"}, {"shared": True}])
@pytest.mark.parametrize("higher", [True, False])
def test_overall_ranks_are_those_of_intervals_of_each_pair(more, higher):
    """Three pairs, each with an interval at level .05/3 from `compare`."""
    frame = normal(3, [0.9, 0.3, 0.0])
    found = rep.all_pairs(frame, higher_is_better=higher, **more).ranks_overall()
    systems, better = list(found["system"]), np.zeros((3, 3), bool)
    for i, j in itertools.permutations(range(3), 2):
        pair = {"a": systems[i], "b": systems[j], "alpha": 0.05 / 3}
        data = frame[["dataset", "instance", systems[i], systems[j]]]
        result = rep.compare(data, **pair, higher_is_better=higher, **more)
        better[i, j] = result.overall.low > 0
    assert found["best"].tolist() == (1 + better.sum(axis=0)).tolist()
    assert found["worst"].tolist() == (3 - better.sum(axis=1)).tolist()
    assert better.any() and systems == (["A", "B", "C"] if higher else ["C", "B", "A"])


def test_overall_ranks_hold_in_most_studies():
    wrong = 0
    for seed in range(60):
        found = rep.all_pairs(normal(seed, [4.0, 0, 0, 0], 20)).ranks_overall().set_index("system")
        others = found.loc[[*"BCD"]]  # each has the true rank 2
        wrong += bool(((others["best"] > 2) | (others["worst"] < 2)).any())
        assert found.loc["A", "best"] == 1
    assert wrong <= 60 * 0.05 + 3 * np.sqrt(60 * 0.05 * 0.95)


def test_success_rates_have_overall_ranks():
    rows = [("news", "A", 90, 100), ("news", "B", 40, 100), ("news", "C", 41, 100)]
    rows += [("law", "A", 95, 100), ("law", "B", 50, 100), ("law", "C", 50, 100)]
    frame = pd.DataFrame(rows, columns=["dataset", "system", "right", "tried"])
    found = rep.all_pairs(frame, successes="right", trials="tried").ranks_overall()
    assert found[["best", "worst"]].to_numpy().tolist() == [[1, 1], [2, 3], [2, 3]]


def test_identical_systems_share_their_overall_ranks():
    frame = normal(1, [0.0, 0.0, 0.0]).assign(B=lambda t: t["A"], C=lambda t: t["A"] - 1)
    found = rep.all_pairs(frame).ranks_overall()
    assert found[["best", "worst"]].to_numpy().tolist() == [[1, 2], [1, 2], [3, 3]]


def test_overall_ranks_that_cannot_be_had(monkeypatch):
    from replicability.core import all_pairs

    frame = normal(1, [0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="only with A, which does not determine their ranks"):
        rep.against(frame, "A").ranks_overall()
    monkeypatch.setattr(all_pairs, "MOST_KEPT", 10)
    with pytest.raises(InputError, match="too many scores to rank systems"):
        rep.all_pairs(frame).ranks_overall()
