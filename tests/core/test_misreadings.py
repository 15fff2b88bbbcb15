"""Sentences not to write: each is generated from the data, and none is supported by them."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import replicability as rep
from replicability.core import findings
from replicability.core.findings.misreadings import MOST, misreadings, of_family
from replicability.core.tested import Tested
from replicability.io.study import Comparison


def told(p, effects=None, **keys):
    """Return the misreadings of p-values, with scores if effects are given, and the finding."""
    keys = {"dependence": "dependent"} | keys
    comparison = Comparison(
        name="c", section="s", title="C", systems=("A", "B"), file="f", columns={}, **keys
    )
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(len(p))], "p_value": p})
    if effects is not None:
        frame["score_a"], frame["score_b"] = 50 + np.asarray(effects, float), 50.0
        if "sided" not in keys:
            frame["p_reverse"] = 1 - frame["p_value"]
    table = Tested(frame)
    finding = findings.find(comparison, table, 0.05)
    return misreadings(comparison, table, finding), finding


def sentences(*given, **keys):
    return [one.sentence for one in told(*given, **keys)[0]]


def test_the_number_of_small_pvalues_is_refused_where_the_bound_is_smaller():
    (first, *_), finding = told([0.001, 0.03, 0.5])
    assert finding.k == 1
    assert first.sentence == "A is better than B on 2 of 3 datasets."
    assert "p-values at or below 0.05" in first.why
    assert first.why.endswith("After correction, the data support the claim on at least 1 dataset.")


def test_a_smaller_number_is_refused_as_the_whole():
    said, finding = told([0.06, 0.04, 0.06, 0.07], dependence="independent")
    assert finding.k == 1
    assert all("on only" not in one.sentence for one in said)
    said, finding = told([0.051, 0.04, 0.051, 0.051, 0.051], dependence="independent")
    assert finding.k > 1
    assert said[0].sentence == "A is better than B on only 1 of 5 datasets."


def test_p_values_alone():
    assert sentences([0.001, 0.03, 0.5])[1:] == [
        "A and B are equal on d2.",
        "A is better than B in general.",
    ]


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.001, ["A is better than B in general.", "p = 0.001 on d0, so A is much better there.",
                 "The probability that A is not better on d0 is 0.001."]),
        (0.2, ["A and B are equal on d0.", "A and B perform equally well.",
               "The probability that A is not better on d0 is 0.2."]),
    ],
)  # fmt: skip
def test_one_dataset(p, said):
    assert sentences([p]) == said


def test_both_directions():
    said, finding = told([1e-9, 0.5, 1 - 1e-9], effects=[9, 0.1, -9])
    assert finding.other.k == 1
    assert [one.sentence for one in said] == [
        "A is better than B on 2 of 3 datasets.",
        "A and B are equal on d1.",
        "A is better than B in general.",
    ]
    assert said[2].why == "B is better than A on at least 1 of these 3 datasets."
    back = told([1 - 1e-9] * 2, effects=[-9, -9])[0]
    assert back[0].sentence == "B is better than A in general."


def test_a_dataset_ahead_is_not_named():
    said, _ = told([1e-9, 0.04, 0.045], effects=[9, 2, 2], alternative="greater")
    assert said[-1].sentence == "A is better than B on d1."
    assert "not significant after correction for 3 datasets" in said[-1].why


def test_small_pvalues_against_the_scores_are_named_first():
    p, effects = [1e-6, 1e-5, 1e-4, 0.5], [-3, 1, 2, 1]
    said, finding = told(p, effects=effects, sided="unknown", alternative="greater")
    if finding.contradicted:
        assert said[0].sentence == "A is better than B on d0."
        assert said[0].why == "The p-value is small (p < 0.0001), but B scores higher on d0."
    assert finding.contradicted


@pytest.mark.parametrize("claim", ["not_worse", "equivalent", "better_by"])
def test_claims_with_a_margin(claim):
    for p in ([1e-4, 2e-4], [1e-4, 0.6], [0.5, 0.6]):
        said, finding = told(p, claim=claim, margin=1.0, alternative="greater")
        assert len(said) >= 2
        assert str(finding) not in {one.sentence for one in said}
    first = sentences([1e-4, 2e-4], claim="not_worse", margin=1.0, alternative="greater")
    assert "A is at least as good as B on d0." in first


def supported(finding):
    """Return what a result supports, in the words of misreadings."""
    held = {str(finding)}
    for side in filter(None, (finding, finding.other)):
        a, b = side.systems
        n, k = len(side.datasets), max(side.k, int(side.identified.sum()))
        held |= {f"{a} is better than {b} on {m} of {n} datasets." for m in range(1, k + 1)}
        held |= {f"{a} is better than {b} on all {n} datasets."} if k == n else set()
        held |= {f"{a} is better than {b} on {name}." for name in side.identified_datasets}
    return held


@pytest.mark.parametrize("seed", range(40))
def test_no_sentence_is_one_that_the_result_supports(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    z = rng.normal(rng.choice([0, 1.5, -1.5]), 2.5, n)
    p = scipy.stats.norm.sf(z)
    kinds = ("independent", "positive", "dependent")
    for dependence, scored, procedure in itertools.product(kinds, (0, 1), ("closed", "paper")):
        keys = {"dependence": dependence, "procedure": procedure}
        said, finding = told(p, effects=z if scored else None, **keys)
        texts = [one.sentence for one in said]
        assert 2 <= len(said) <= MOST
        assert len(set(texts)) == len(texts)
        assert not set(texts) & supported(finding)
        assert all(one.why.endswith(".") for one in said)
        for text in texts:
            if " are equal on " in text:
                name = text.removesuffix(".").rpartition(" ")[2]
                sides = filter(None, (finding, finding.other))
                assert name not in {d for side in sides for d in side.identified_datasets}


def family(shares, against="", n=200, seed=1):
    rng = np.random.default_rng(seed)
    rows = [
        (f"task {d}", i, system, int(rng.random() < share))
        for d in range(5)
        for i in range(n)
        for system, share in shares.items()
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", "system", "score"])
    keys = {"against": against} if against else {}
    return rep.all_pairs(frame, dependence="independent", **keys)


@pytest.mark.parametrize("against", ["", "w"])
def test_no_sentence_on_a_family_is_supported(against):
    found = family({"x": 0.8, "y": 0.79, "z": 0.7, "w": 0.5}, against)
    said = of_family(found.pairs, found.alpha)
    texts = [one.sentence for one in said]
    assert 2 <= len(said) <= MOST
    assert not set(texts) & set(found.sentences)
    counted = found.counts()
    if not against:
        assert texts[0] == f"{counted.index[0]} is the best system."
        beaten = counted.loc[counted.index[0]].drop(counted.index[0])
        assert (beaten == 0).any()
    for one in said:
        if one.sentence.endswith("are equally good."):
            a, b = one.sentence.removesuffix(" are equally good.").split(" and ")
            assert counted.loc[a, b] == counted.loc[b, a] == 0


def test_a_best_system_that_is_shown_is_not_refused():
    found = family({"x": 0.99, "y": 0.5, "z": 0.1})
    said = [one.sentence for one in of_family(found.pairs, found.alpha)]
    assert not any("best system" in one or "rank" in one for one in said)
    assert any(one.endswith("in general.") for one in said)


def test_systems_that_do_not_differ_are_not_called_equal():
    found = family({"x": 0.5, "y": 0.5, "z": 0.5}, n=30)
    said = of_family(found.pairs, found.alpha)
    assert said[0].sentence.endswith(" is the best system.")
    for one in said:
        assert " on any of the 5 datasets" in one.why or "simultaneous confidence" in one.why
