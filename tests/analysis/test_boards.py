"""Rank, lead, neighbour and upset of a leaderboard, against a count pair by pair."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest

import replicability as rep
from analysis.leaderboards import boards
from replicability.core.all_pairs import Pairs
from replicability.stats import closed_testing

METHODS = ("fisher", "simes", "fisher_bonferroni", "bonferroni")


def drawn(seed, method):
    """Draw a leaderboard: some systems close to each other, some equal in the mean."""
    rng = np.random.default_rng(seed)
    s, n = int(rng.integers(2, 7)), int(rng.integers(1, 6))
    scores = rng.integers(0, 5, (s, n)) * 10.0
    scores = scores[np.argsort(-scores.mean(axis=1), kind="stable")]
    names = tuple(rng.permutation([f"m{i}" for i in range(s)]).tolist())
    pvalues = rng.random((s, s, n)) ** 20
    pvalues[range(s), range(s)] = 1
    pairs = Pairs(names, tuple("vwxyz"[:n]), scores, pvalues, method=method)
    return pairs, rng.integers(1, 9, n)


def better(pairs, a, b, level, left_out=()):
    """Count and name, for one pair, the datasets on which a is better."""
    kept = [i for i, name in enumerate(pairs.datasets) if name not in left_out]
    p = pairs.pvalues[pairs.systems.index(a), pairs.systems.index(b), kept]
    named = closed_testing.names(p, level, pairs.method)
    return int(closed_testing.bound(p, alpha=level, method=pairs.method)), {
        pairs.datasets[i] for i, own in zip(kept, named, strict=True) if own
    }


def of(up, down):
    """Say what is shown of a pair."""
    return "both" if up and down else "higher" if up else "lower" if down else "neither"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(12))
def test_a_board_is_what_is_counted_pair_by_pair(seed, method):
    pairs, sizes = drawn(seed, method)
    board = boards.lay_out(pairs, 0.05, "Toy", sizes)
    level = 0.05 / (len(pairs.systems) * (len(pairs.systems) - 1))
    mean = {s: float(sizes @ pairs.scores[i] / sizes.sum()) for i, s in enumerate(pairs.systems)}
    ranked = sorted(mean, key=lambda name: (-round(mean[name], 9), name))
    assert list(board.systems) == ranked
    k = {(a, b): better(pairs, a, b, level) for a, b in itertools.permutations(ranked, 2)}
    of_steps = 0.05 / (2 * (len(ranked) - 1))
    kinds = {"higher": 0, "lower": 0, "both": 0, "neither": 0}
    beside = dict(kinds)
    undecided = []
    for i, j in itertools.combinations(range(len(ranked)), 2):
        (up, named_up), (down, named_down) = k[ranked[i], ranked[j]], k[ranked[j], ranked[i]]
        kind = of(up, down)
        kinds[kind] += 1
        if j == i + 1:
            up, named_up = better(pairs, ranked[i], ranked[j], of_steps)
            down, named_down = better(pairs, ranked[j], ranked[i], of_steps)
            beside[of(up, down)] += 1
            row = board.neighbours().iloc[i]
            assert (row["higher"], row["lower"]) == (ranked[i], ranked[j])
            assert (row["higher better on"], row["lower better on"]) == (up, down)
            assert set(filter(None, row["higher named on"].split(", "))) == named_up
            assert set(filter(None, row["lower named on"].split(", "))) == named_down
        if kind == "neither":
            undecided.append(mean[ranked[i]] - mean[ranked[j]])
    assert board.shown() == kinds and board.shown(neighbours=True) == beside
    assert np.isnan(board.largest_undecided) == (not undecided)
    assert not undecided or board.largest_undecided == pytest.approx(max(undecided))
    wins = board.upsets()
    assert len(wins) == kinds["lower"] + kinds["both"]
    for row in wins.to_dict("records"):
        low, high = (row[f"{end} mean"].rpartition(" ")[0] for end in ("lower", "higher"))
        assert ranked.index(low) > ranked.index(high)
        assert row["lower better on"] == k[low, high][0] > 0
    for row in board.ranking().to_dict("records"):
        own, others = row["system"], [s for s in ranked if s != row["system"]]
        worse = [s for s in others if k[s, own][0]]
        assert row["rank"] == 1 + sum(round(mean[s] - mean[own], 9) > 0 for s in others)
        assert row["beats"] == sum(k[own, s][0] > 0 for s in others)
        assert row["beats on half"] == sum(k[own, s][0] >= len(pairs.datasets) / 2 for s in others)
        assert row["beaten by"] == len(worse)
        n = len(pairs.datasets)
        first = sum(k[s, own][0] > n // 2 for s in others)
        last = sum(k[own, s][0] >= n - n // 2 for s in others)
        assert (row["best rank"], row["worst rank"]) == (1 + first, len(ranked) - last)
        assert row["lower-ranked"] == sum(ranked.index(s) > ranked.index(own) for s in worse)
    for row in board.by_dataset().to_dict("records"):
        ends = {"higher": itertools.combinations(ranked, 2)}
        ends["lower"] = itertools.combinations(ranked[::-1], 2)
        for end, ordered in ends.items():
            assert row[end] == sum(row["dataset"] in k[pair][1] for pair in ordered)


def test_another_level_without_a_dataset_keeps_the_ranking():
    pairs, sizes = drawn(4, "simes")
    board = boards.lay_out(pairs, 0.05, sizes=sizes)
    left_out = pairs.datasets[:1]
    found = board.at(0.2, jointly=False, left_out=left_out)
    assert found.systems == board.systems and found.datasets == pairs.datasets[1:]
    for a, b in itertools.permutations(board.systems, 2):
        assert found.counts.loc[a, b] == better(pairs, a, b, 0.2, left_out)[0]
    assert board.at(0.05).counts.equals(board.counts)


def test_a_board_with_shared_units_makes_the_joint_claims_of_its_family():
    """One set of flips for all pairs, which is stronger here than each pair at alpha over six."""
    rng = np.random.default_rng(3)
    shared = rng.normal(size=60)
    rows = [
        {
            "dataset": d,
            "instance": i,
            **{s: x + gain for s, gain, x in zip("abc", gains, xs, strict=True)},
        }
        for d, gains in (("x", (2.4, 0.4, 0)), ("y", (2, 0.4, 0)), ("z", (2, 0.4, 0)))
        for i, xs in enumerate(shared[:, None] + rng.normal(size=(60, 3)))
    ]
    family = rep.all_pairs(rows, dataset="dataset", instance="instance", shared=True, seed=3)
    board = boards.lay_out(family.pairs, 0.05)
    assert family.pairs.by_flips
    assert (board.counts.to_numpy() == family.counts().to_numpy()).all()
    assert (board.named == family.pairs.joint_names(0.05)).all()
    ranks = family.ranks()
    ends = board.ranking()[["best rank", "worst rank"]].to_numpy()
    assert (ends == ranks[["best", "worst"]].to_numpy()).all()
    alone = family.pairs.counts(0.05 / 6).loc[[*board.systems], [*board.systems]]
    assert (board.counts >= alone).all(axis=None) and not board.counts.equals(alone)


def test_neighbours_are_a_family_of_their_own():
    """p = .01 is enough for both directions of two steps, and not for three pairs."""
    pvalues = np.ones((3, 3, 1))
    pvalues[0, 1] = pvalues[2, 1] = 0.01
    pairs = Pairs(("a", "b", "c"), ("x",), np.array([[3.0], [2], [1]]), pvalues, method="fisher")
    board = boards.lay_out(pairs, 0.05)
    assert board.shown() == {"higher": 0, "lower": 0, "both": 0, "neither": 3}
    assert board.shown(neighbours=True) == {"higher": 1, "lower": 1, "both": 0, "neither": 0}
    assert board.summary()["neighbours"] == "2 of 2"
    alone = board.at(0.011, jointly=False)
    assert alone.summary()["neighbours"] == "2 of 2"
    assert board.at(0.03).summary()["neighbours"] == "0 of 2"


def test_a_board_is_ranked_in_one_way_wherever_it_is_read():
    by_datasets = ("conll2018", "embeddings", "time_series", "translation")
    assert dict.fromkeys(by_datasets, "datasets") == boards.RANKED_BY


def test_without_sizes_systems_stay_in_the_order_of_their_mean_over_datasets():
    pairs, _ = drawn(5, "fisher")
    board = boards.lay_out(pairs, 0.05)
    assert board.systems == pairs.systems
    assert board.means.tolist() == pytest.approx(pairs.scores.mean(axis=1))


def test_the_figure_of_ranks_says_how_many_are_beaten_from_below():
    pairs, sizes = drawn(7, "fisher")
    table = boards.lay_out(pairs, 0.9, sizes=sizes).ranking()
    figure = boards.draw_ranks(table, "parsers", "treebank")
    try:
        beaten = (table["lower-ranked"] > 0).sum()
        said = (
            f"{beaten} of {len(table)} parsers are significantly worse, on at least one treebank, "
            "than a "
        )
        assert " ".join(figure.get_suptitle().split()).startswith(said)
    finally:
        plt.close(figure)
