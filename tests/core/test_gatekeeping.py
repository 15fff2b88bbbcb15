"""Families of pairs that are tested before all pairs: one level for everything."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from replicability.core import gatekeeping
from replicability.core.all_pairs import Pairs

SYSTEMS, DATASETS = ("x", "y", "z"), ("news", "law", "talks")
FIRST = {
    "a leader": {"leader": "x"},
    "a leader of some": {"leader": ["y", "z"]},
    "neighbours": {"neighbours": ["x", "y", "z"]},
    "both": {"leader": "x", "neighbours": ["x", "y", "z"]},
    "the wrong way round": {"neighbours": ["z", "y", "x"]},
}


def scored(seed, datasets=DATASETS, n=40):
    """Return right-or-wrong scores of three systems, of which the first are better in part."""
    rng = np.random.default_rng(seed)
    shares = rng.choice([0.5, 0.7, 0.9], (len(datasets), 3))
    parts = [
        pd.DataFrame(rng.random((n, 3)) < of, columns=[*SYSTEMS]).assign(dataset=name)
        for name, of in zip(datasets, np.sort(shares)[:, ::-1], strict=True)
    ]
    return pd.concat(parts).astype(dict.fromkeys(SYSTEMS, int))


def pvalue(frame, a, b, dataset):
    """Return McNemar's exact one-sided p-value of "a is not better than b", by scipy."""
    part = frame[frame["dataset"] == dataset]
    wins, losses = (part[a] > part[b]).sum(), (part[b] > part[a]).sum()
    if not wins + losses:
        return 1.0
    return stats.binomtest(wins, wins + losses, alternative="greater").pvalue


def closed(pvalues, level):
    """Return the bound for every set of datasets by Bonferroni's test of all intersections."""
    sets = [s for r in range(1, 4) for s in itertools.combinations(range(len(pvalues)), r)]
    kept = [s for s in sets if min(pvalues[i] for i in s) * len(s) > level]
    return {
        chosen: len(chosen) - max((len({*s} & {*chosen}) for s in kept), default=0)
        for chosen in sets
    }


def by_hand(frame, datasets, asked, alpha):
    """Return the bounds of all pairs: families one after the other, then all six pairs."""
    pairs = [*itertools.permutations(SYSTEMS, 2)]
    p = {pair: [pvalue(frame, *pair, name) for name in datasets] for pair in pairs}
    decided, level = set(), alpha
    for name, chosen in asked.items():
        if name == "neighbours":
            family = [*itertools.pairwise(chosen)]
        else:
            first, *others = [chosen] if isinstance(chosen, str) else chosen
            family = [(first, of) for of in others or [s for s in SYSTEMS if s != first]]
        whole = tuple(range(len(datasets)))
        shown = {pair for pair in family if closed(p[pair], level / len(family))[whole]}
        decided |= shown
        level *= len(decided & {*family}) / len(family)
    bounds = {pair: closed(p[pair], level / 6) for pair in pairs}
    for pair in decided:
        bounds[pair][whole] = max(bounds[pair][whole], 1)
    return bounds, level


@pytest.mark.parametrize("asked", FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_brute_force_agrees_for_three_systems_on_three_datasets(asked, alpha):
    levels = set()
    for seed in range(6):
        frame = scored(seed)
        found = rep.all_pairs(frame, ask_first=asked, method="bonferroni", alpha=alpha)
        bounds, level = by_hand(frame, DATASETS, asked, alpha)
        levels.add(round(level, 9))
        for pair, of_sets in bounds.items():
            claims = found.between(*pair)
            for chosen, bound in of_sets.items():
                assert claims.at_least([DATASETS[i] for i in chosen]) == bound, (seed, pair)
            assert found.counts().loc[pair] == of_sets[0, 1, 2]
            assert found.named(*pair) == [d for i, d in enumerate(DATASETS) if of_sets[i,]]
    assert len(levels) > 1 or asked == FIRST["the wrong way round"], "families pass a part on"


def graph(pvalues, weights, passes, alpha):
    """Reject by the graph of Bretz and others (2009), Algorithm 1.

    In R: ``gMCP(new("graphMCP", m=passes, weights=weights), pvalues, alpha=alpha)@rejected``.
    """
    left, w, g = {*pvalues}, dict(weights), {k: dict(v) for k, v in passes.items()}
    while True:
        j = next((h for h in left if pvalues[h] <= w.get(h, 0) * alpha * (1 + 1e-12)), None)
        if j is None:
            return {*pvalues} - left
        left.remove(j)
        of_j = g.get(j, {})
        for h in left:
            w[h] = w.get(h, 0) + w.get(j, 0) * of_j.get(h, 0)
        for h in left:
            own = g.setdefault(h, {})
            back = own.get(j, 0) * of_j.get(h, 0)
            g[h] = {
                k: (own.get(k, 0) + own.get(j, 0) * of_j.get(k, 0)) / (1 - back)
                for k in left - {h}
                if back < 1
            }


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_on_one_dataset_a_published_graph_gives_the_same(alpha):
    """Hypotheses of the leader pass their weight to all six pairs, and these pass nothing on."""
    sizes = set()
    for seed in range(20):
        frame = scored(seed, ("news",))
        family = [("first", "x", "y"), ("first", "x", "z")]
        every = [("all", *pair) for pair in itertools.permutations(SYSTEMS, 2)]
        p = {h: pvalue(frame, h[1], h[2], "news") for h in (*family, *every)}
        weights = dict.fromkeys(family, 1 / 2)
        passes = {h: dict.fromkeys(every, 1 / 6) for h in family}
        expected = {h[1:] for h in graph(p, weights, passes, alpha)}
        found = rep.all_pairs(frame, ask_first={"leader": "x"}, alpha=alpha).counts()
        assert {pair for pair in itertools.permutations(SYSTEMS, 2) if found.loc[pair]} == expected
        sizes.add(len(expected))
    assert len(sizes) > 2


def test_more_is_shown_of_the_pairs_that_are_tested_first():
    """A gain that Bonferroni over six pairs misses, and over two shows."""
    frame = pd.DataFrame({"x": [1] * 8 + [0, 1] * 10, "y": [0] * 8 + [0, 1] * 10}).assign(
        z=lambda t: t["y"]
    )
    assert pvalue(frame.assign(dataset="d"), "x", "y", "d") == 1 / 256
    at_once = rep.all_pairs(frame, alpha=0.02)
    found = rep.all_pairs(frame, alpha=0.02, ask_first={"leader": "x"})
    assert not at_once.counts().to_numpy().any()
    assert found.counts().loc["x"].tolist() == [0, 1, 1]
    assert found.named("x", "y") and "than 2 of 2 other systems" in str(found)


# --- the error rate ------------------------------------------------------------------------------


def false_statements(gains, first, studies, seed, choose=None):
    """Return the share of studies with any false statement, of four systems and three datasets.

    Each system has a normal score on each dataset, which all of its pairs share.
    """
    rng, systems, wrong = np.random.default_rng(seed), "abcd", 0
    true = gains[:, np.newaxis] <= gains[np.newaxis]
    compared = ~np.eye(4, dtype=bool)
    for _ in range(studies):
        scores = gains + rng.normal(size=gains.shape)
        z = (scores[:, np.newaxis] - scores[np.newaxis]) / np.sqrt(2)
        asked = first if choose is None else choose(systems, scores)
        p = stats.norm.sf(z)
        listed = gatekeeping.listed(asked, systems)
        found = Pairs(tuple(systems), ("1", "2", "3"), scores, p, method="simes", first=listed)
        for i, j in np.argwhere(compared & true.any(axis=2)):
            claims = found.joint_claims(systems[i], systems[j], 0.2)
            nulls = [claims.datasets[k] for k in np.flatnonzero(true[i, j])]
            if claims.at_least(nulls):
                wrong += 1
                break
    return wrong / studies


CONFIGURATIONS = {
    "all are equal": np.zeros((4, 3)),
    "the leader is better on one dataset": np.array([[6, 0, 0], *[[0, 0, 0]] * 3]),
    "half are better on half": np.array([[5, 5, 0], [5, 5, 0], [0, 0, 0], [0, 0, 0]]),
    "each is better than the next somewhere": np.array(
        [[9, 9, 0], [9, 4, 0], [4, 4, 0], [0, 0, 0]]
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("gains", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
@pytest.mark.parametrize(
    "first",
    [{"leader": "a"}, {"neighbours": [*"abcd"]}, {"leader": "a", "neighbours": [*"abcd"]}],
    ids=["leader", "neighbours", "both"],
)
def test_any_statement_is_false_in_at_most_alpha_of_studies(gains, first):
    studies = 400
    rate = false_statements(gains, first, studies, 5)
    assert rate <= 0.2 + 3 * np.sqrt(0.2 * 0.8 / studies)


@pytest.mark.slow
def test_an_order_taken_from_the_scores_breaks_the_guarantee():
    """The simulation catches what the note warns of."""

    def by_scores(systems, scores):
        means = scores.mean(axis=1)
        return {"leader": [systems[means.argmax()], systems[means.argmin()]]}

    assert false_statements(np.zeros((4, 3)), None, 100, 6, by_scores) > 0.4


# --- hard cases ----------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [{}, {"shared": True}, {"dependence": "independent"}])
def test_nothing_is_said_of_other_pairs_if_nothing_is_left(more):
    frame = scored(1).assign(instance=[*range(40)] * 3).assign(z=lambda t: t["y"])
    found = rep.all_pairs(frame, ask_first={"leader": "z"}, **more)
    assert not found.counts().to_numpy().any()
    assert not found.between("x", "y").named.any()
    assert "first used up the whole level, so the other pairs were not tested." in str(found)
    assert not re.search("do not differ|Tier", str(found))
    assert found.ranks()[["best", "worst"]].to_numpy().tolist() == [[1, 3]] * 3


@pytest.mark.parametrize("more", [{"shared": True}, {"dependence": "independent"}])
def test_a_share_too_small_for_the_flips_shows_nothing_and_does_not_fail(more):
    """Two families pass 1/9 of 1/2000 on, less than any number of flips here can show."""
    frame = scored(1, n=60).assign(instance=[*range(60)] * 3)
    asked = {"leader": ["x", "y", "z"], "neighbours": ["x", "z", "y"]}
    found = rep.all_pairs(frame, ask_first=asked, alpha=0.0005, **more)
    assert found.counts().loc["z"].tolist() == [0, 0, 0]


def test_families_passed_in_full_leave_what_all_pairs_have_alone():
    frame = scored(2).assign(x=1, z=0)
    frame["y"] = np.arange(len(frame)) % 2
    for more in ({}, {"shared": True}):
        data = frame.assign(instance=[*range(40)] * 3)
        found = rep.all_pairs(data, ask_first={"neighbours": [*SYSTEMS]}, **more)
        alone = rep.all_pairs(data, **more)
        pd.testing.assert_frame_equal(found.counts(), alone.counts())
        assert "the whole level" in str(found)


def test_a_note_asks_where_the_order_comes_from():
    frame = scored(2).assign(x=1, z=0)
    found = rep.all_pairs(frame, ask_first={"neighbours": ["x", "y", "z"]})
    assert any("order of the systems' mean scores" in note for note in found.notes)
    found = rep.all_pairs(frame, ask_first={"neighbours": ["z", "y", "x"]})
    assert not any("order of the systems' mean scores" in note for note in found.notes)


def test_labels_stand_for_systems_that_are_tested_first():
    frame = scored(2).assign(x=1, z=0)
    found = rep.all_pairs(frame, ask_first={"leader": "x"}, labels={"x": "Ours"})
    assert "Tested first: Ours is significantly better" in str(found)


@pytest.mark.parametrize(
    ("asked", "message"),
    {
        "leaders": ("{'first': 'x'}", "leader"),
        "nobody": ({"leader": "xx"}, "leader 'xx' is not one of x, y, z"),
        "no second neighbour": ({"neighbours": ["x"]}, "neighbours must be a list of two or more"),
        "twice": ({"neighbours": ["x", "y", "x"]}, "two or more different systems"),
        "no mapping": (["x"], "ask_first must map leader, neighbours or both"),
        "a number": ({"leader": 3}, "a leader must be a system"),
        "other family": ({"last": ["x", "y"]}, "last"),
    }.values(),
)
def test_bad_families_by_message(asked, message):
    with pytest.raises(rep.InputError, match=message) as caught:
        rep.all_pairs(scored(1), ask_first=asked)
    assert "\n" not in str(caught.value)


def test_one_baseline_has_no_pairs_to_test_first():
    with pytest.raises(
        rep.InputError, match="compared only with z; leave ask_first= or against= out"
    ):
        rep.against(scored(1), "z", ask_first={"leader": "x"})
