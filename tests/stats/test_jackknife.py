import math

import numpy as np
import pytest
from scipy import stats

from replicability.checks import InputError
from replicability.stats import paired, skewed
from replicability.stats.paired import correlation_jackknife


def by_hand(a, b, gold, kind):
    """Leave every item out in turn, with scipy's correlations."""
    correlate = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}[kind]
    n = len(gold)

    def difference(keep):
        return correlate(gold[keep], a[keep]).statistic - correlate(gold[keep], b[keep]).statistic

    left = np.array([difference(np.arange(n) != i) for i in range(n)])
    influences = (left.mean() - left) * math.sqrt((n - 1) / n)
    t = difference(np.ones(n, bool)) / math.sqrt((influences**2).sum())
    g = stats.skew(influences)
    counts = np.unique(influences.round(12), return_counts=True)[1]
    raised = g * (1 + skewed.RAISE / math.sqrt(n - counts.max()))
    return max(paired.hall_pvalue(t, skew, n) for skew in (g, raised))


@pytest.mark.parametrize("kind", ["spearman", "pearson"])
@pytest.mark.parametrize("ties", [False, True])
def test_it_agrees_with_leaving_items_out_one_by_one(kind, ties):
    rng = np.random.default_rng(17)
    gold = rng.normal(size=25)
    a, b = gold + rng.normal(size=25), gold + 2 * rng.normal(size=25)
    if ties:
        gold, a, b = (np.rint(2 * x) for x in (gold, a, b))
    result = correlation_jackknife(a, b, gold=gold, kind=kind)
    assert result.pvalue == pytest.approx(by_hand(a, b, gold, kind), rel=1e-9)
    assert result.effect == pytest.approx(np.subtract(*result.scores))


def test_both_directions_are_those_of_two_calls():
    rng = np.random.default_rng(18)
    gold, a, b = rng.normal(size=(3, 30))
    sides = [
        correlation_jackknife(a, b, gold=gold, alternative=side).pvalue
        for side in ("greater", "less")
    ]
    assert list(paired.both("correlation_jackknife", a, b, gold=gold)) == sides
    assert sides[0] == correlation_jackknife(b, a, gold=gold, alternative="less").pvalue


@pytest.mark.long
def test_the_level_holds_for_spearman_where_steiger_exceeds_it():
    rng = np.random.default_rng(19)
    root = np.linalg.cholesky([[1, 0.8, 0.8], [0.8, 1, 0.64], [0.8, 0.64, 1]])
    rejected = {"correlation_jackknife": 0, "steiger": 0}
    for _ in range(2000):
        gold, a, b = root @ rng.normal(size=(3, 40))
        for name in rejected:
            rejected[name] += paired.run(name, a, b, gold=gold).pvalue <= 0.05
    error = math.sqrt(0.05 * 0.95 / 2000)
    assert rejected["correlation_jackknife"] / 2000 <= 0.05 + 3 * error
    assert rejected["steiger"] / 2000 > 0.05 + 3 * error


def test_a_margin_is_compared_with_the_difference():
    rng = np.random.default_rng(20)
    gold = rng.normal(size=200)
    a, b = gold + 0.3 * rng.normal(size=200), gold + 2 * rng.normal(size=200)
    shown = [
        correlation_jackknife(a, b, gold=gold, margin=margin).pvalue for margin in (0, 0.3, 0.9)
    ]
    assert shown == sorted(shown)
    assert shown[1] < 0.001 < 0.999 < shown[2]


def test_identical_systems_and_undefined_correlations_have_no_evidence():
    gold, a = [1, 2, 3, 4, 5], [1, 1, 1, 1, 2]
    assert correlation_jackknife(a, a, gold=gold).pvalue == 1
    # without the last item the ratings of A are constant
    assert correlation_jackknife(a, [5, 4, 3, 2, 1], gold=gold).pvalue == 1


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([1, 2, 3], "needs at least 4"),
        ([1, 1, 1, 1], "equal|constant"),
        ([1, 2, 3, math.nan], "The ratings of A include nan for item 3, but every rating must be"),
    ],
)
def test_bad_input_by_message(ratings, message):
    gold = list(range(1, len(ratings) + 1))
    with pytest.raises(InputError, match=message):
        correlation_jackknife(ratings, gold, gold=gold)
