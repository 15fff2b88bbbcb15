"""All pairs of systems on one dataset, from the same resamples or flips."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from replicability import checks
from replicability.stats import many_systems, metrics, paired, resampling


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bootstrap_against_the_exact_test_of_each_pair(seed):
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 9, 40)
    scores = np.stack([rng.binomial(size, accuracy) for accuracy in (0.60, 0.63, 0.66, 0.7)])
    found = many_systems.bootstrap_pvalues(scores, size, 20_000, rng=seed)
    for i in range(4):
        for j in range(4):
            a, b = (np.column_stack([scores[k], size]) for k in (i, j))
            exact = paired.paired_bootstrap(a, b)
            assert exact.how.startswith("exact")
            error = np.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)
            assert abs(found[i, j] - exact.pvalue) <= 4.5 * error + 1 / 20_001


SCORES = hnp.arrays(int, (3, 6), elements=st.integers(0, 4))


@settings(max_examples=30, deadline=None)
@given(SCORES, st.permutations(range(3)), st.integers(0, 99))
def test_the_order_of_the_systems_plays_no_part(scores, order, seed):
    size = np.arange(4, 10)
    found = many_systems.bootstrap_pvalues(scores, size, 50, rng=seed)
    again = many_systems.bootstrap_pvalues(scores[order], size, 50, rng=seed)
    np.testing.assert_array_equal(again, found[np.ix_(order, order)])


@settings(max_examples=30, deadline=None)
@given(SCORES, st.integers(0, 99))
def test_identical_systems_and_both_directions(scores, seed):
    twice = np.vstack([scores, scores])
    found = many_systems.bootstrap_pvalues(twice, np.full(6, 4), 50, rng=seed)
    assert (np.diagonal(found) == 1).all()
    assert (np.diagonal(found, 3) == 1).all()
    assert (np.diagonal(found, -3) == 1).all()
    np.testing.assert_array_equal(found[:3, :3], found[3:, 3:])
    off = ~np.eye(6, dtype=bool)
    assert ((found + found.T)[off] >= 52 / 51 - 1e-12).all()  # a tie counts in both directions
    assert ((found >= 1 / 51) & (found <= 1)).all()


@pytest.mark.parametrize("chunk", [1, 7, 100, 997])
def test_results_do_not_depend_on_the_memory_used(monkeypatch, chunk):
    scores, size = [[1, 2, 3, 0, 4], [0, 5, 0, 2, 1], [1, 1, 1, 2, 2]], [5, 5, 5, 5, 5]
    whole = many_systems.bootstrap_pvalues(scores, size, 301, rng=3)
    monkeypatch.setattr("replicability.stats.many_systems.CHUNK", chunk)
    np.testing.assert_array_equal(many_systems.bootstrap_pvalues(scores, size, 301, rng=3), whole)


def test_instances_are_drawn_with_equal_probability():
    # every instance is a system that is right on it alone: its sum is how often it was drawn
    sums = many_systems._resampled_sums(np.eye(7), 20_000, np.random.default_rng(5))
    assert (sums.sum(axis=0) == 7).all()
    for times in sums:
        observed = np.bincount(np.minimum(times.astype(int), 4), minlength=5)
        expected = stats.binom(7, 1 / 7).pmf(range(5))
        expected[4] = 1 - expected[:4].sum()
        assert stats.chisquare(observed, 20_000 * expected).pvalue > 1e-4


def test_pvalues_are_about_uniform_under_the_null_hypothesis():
    rng = np.random.default_rng(11)
    size = rng.integers(5, 15, 200)
    found = []
    for _ in range(150):
        scores = rng.binomial(size, 0.7, (2, 200))
        found.append(many_systems.bootstrap_pvalues(scores, size, 199, rng=rng)[0, 1])
    assert stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("scores", "size", "n_resamples", "message"),
    [
        ([[1, 0.5], [1, 1]], [2, 2], 9, "whole numbers, but a score is 0.5; choose another test"),
        ([[1, np.nan], [1, 1]], [2, 2], 9, "a score is nan"),
        ([[1, 1], [1, 1]], [2, 2.25], 9, "a size is 2.25"),
        ([[1, 1], [1, 1]], [2, 2], 0, "n_resamples is 0"),
        ([[1], [0]], [1], 9, "The bootstrap needs at least 2 items, but this dataset has 1; leave"),
    ],
)
def test_bad_scores_by_message(scores, size, n_resamples, message):
    with pytest.raises(checks.InputError, match=message):
        many_systems.bootstrap_pvalues(scores, size, n_resamples)


def test_flips_of_all_pairs_give_the_exact_pvalues():
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 40, (4, 60)) + 3 * np.arange(4)[:, None]
    found = many_systems.flip_pvalues(scores, 50_000, rng=9)
    for i, j in itertools.permutations(range(4), 2):
        exact = paired.sign_flip(scores[i], scores[j]).pvalue
        error = np.sqrt(exact * (1 - exact) / 50_000)
        assert abs(found[i, j] - exact) < 5 * error + 2e-5, (i, j)


def test_flips_of_all_pairs_count_ties_and_leave_others_alone():
    scores = [[2, 0, 1, 5], [2, 0, 1, 5], [1, 1, 1, 1]]
    found = many_systems.flip_pvalues(scores, 999, rng=0)
    assert found[0, 1] == found[1, 0] == 1
    assert found[0, 2] + found[2, 0] > 1
    one = many_systems.flip_pvalues(scores, 999, rng=0, chosen=many_systems.pairs(len(scores), 2))
    np.testing.assert_array_equal(one[2], found[2])
    assert one[0, 1] == 1


def test_bad_flips_by_message():
    with pytest.raises(checks.InputError, match=r"whole numbers, but a score is 0\.5; choose"):
        many_systems.flip_pvalues([[1, 0.5], [1, 1]], 9)
    with pytest.raises(checks.InputError, match="n_resamples is 0"):
        many_systems.flip_pvalues([[1, 0], [1, 1]], 0)


def spans(seed, accuracies, n=120):
    """Sums of F1 (right, found, gold) of several systems on the same sentences."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 9, n)
    found = [rng.binomial(gold, accuracy) for accuracy in accuracies]
    return np.array([np.column_stack([tp, tp + rng.poisson(1, n), gold]) for tp in found], float)


def test_resamples_of_a_metric_are_those_of_each_pair():
    sums = spans(4, (0.6, 0.65, 0.7))
    found = resampling.bootstrap_several(sums, metrics.METRICS["f1"], n_resamples=3000, rng=7)
    for i, j in itertools.permutations(range(3), 2):
        alone = resampling.bootstrap(
            sums[i], sums[j], metrics.METRICS["f1"], n_resamples=3000, rng=7
        )
        assert found[i, j] == alone.exceedances, (i, j)


def test_pvalues_of_a_metric_are_those_of_the_test_of_each_pair():
    sums, f1 = spans(5, (0.6, 0.63, 0.66, 0.7)), metrics.METRICS["f1"]
    found = many_systems.metric_pvalues(sums, f1, 20_000, rng=1)
    for i, j in itertools.permutations(range(4), 2):
        options = {"metric": f1, "n_resamples": 20_000, "rng": 2}
        alone = paired.paired_bootstrap(sums[i], sums[j], **options).pvalue
        assert abs(found[i, j] - alone) < 5 * np.sqrt(alone * (1 - alone) / 10_000) + 1e-4, (i, j)
    assert (found.diagonal() == 1).all()


def test_the_order_of_items_and_systems_has_no_part_in_pvalues_of_a_metric():
    sums, f1 = spans(6, (0.6, 0.63, 0.66)), metrics.METRICS["f1"]
    found = many_systems.metric_pvalues(sums, f1, 500, rng=1)
    other = many_systems.metric_pvalues(sums[::-1, ::-1], f1, 500, rng=1)
    np.testing.assert_array_equal(other[::-1, ::-1], found)
    one = many_systems.metric_pvalues(sums, f1, 500, rng=1, chosen=many_systems.pairs(len(sums), 1))
    np.testing.assert_array_equal(one[1], found[1])
    assert one[0, 2] == one[2, 0] == 1
    same = many_systems.metric_pvalues(sums[[0, 0, 1]], f1, 500, rng=1)
    assert same[0, 1] == same[1, 0] == 1


@pytest.mark.parametrize(
    ("sums", "message"),
    [
        (spans(1, (0.5, 0.6), 1), "at least 2 items"),
        (np.where(np.arange(3) == 1, np.nan, spans(1, (0.5, 0.6))), "is nan"),
        (spans(1, (0.5, 0.6))[..., :2], "'f1' cannot be computed from sums of 2 columns"),
    ],
)
def test_bad_sums_of_a_metric_by_message(sums, message):
    with pytest.raises(checks.InputError, match=message):
        many_systems.metric_pvalues(sums, metrics.METRICS["f1"], 99)
    with pytest.raises(checks.InputError, match="n_resamples is 0"):
        many_systems.metric_pvalues(spans(1, (0.5, 0.6)), metrics.METRICS["f1"], 0)
