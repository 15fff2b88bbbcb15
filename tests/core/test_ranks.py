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
    with pytest.raises(InputError, match="compared with low alone"):
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
