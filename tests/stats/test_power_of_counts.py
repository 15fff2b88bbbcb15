"""The law of k-hat over many datasets."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicability.checks import InputError
from replicability.stats import paired, partial_conjunction, power
from replicability.stats import power_of_counts as counts


@pytest.mark.parametrize(
    ("n", "count", "bonferroni", "fisher"),
    [(500, 9.8, 2.5, 11.7), (1000, 15.3, 7.9, 16.5), (2000, 19.2, 18.0, 19.3)],
)
def test_reference_of_twenty_datasets(n, count, bonferroni, fisher):
    laws = power.Outcomes([n] * 20, 0.15, 0.03)
    exact, simulated = counts.k_hat(laws), counts.k_hat(laws, method="fisher")
    assert counts.expected_count(laws) == pytest.approx(count, abs=0.1)
    assert exact.mean == pytest.approx(bonferroni, abs=0.1)
    assert simulated.mean == pytest.approx(fisher, abs=0.1)
    assert (exact.n_families, exact.standard_error) == (0, 0.0)
    assert 0 < simulated.standard_error < 0.03


def _law_by_enumeration(supports):
    """Law of k-hat over all combinations of p-values, each with its probability."""
    n = len(supports)
    law = np.zeros(n + 1)
    for family in itertools.product(*supports):
        pvalues, chances = zip(*family, strict=True)
        law[partial_conjunction.k_hat(pvalues, 0.05, "bonferroni")] += math.prod(chances)
    return law


def _support(n, share, gain):
    """p-values of McNemar's test of n items, with their probabilities."""
    win, loss = (share + gain) / 2, (share - gain) / 2
    chances = {}
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            ties = n - wins - losses
            ways = math.comb(n, wins) * math.comb(n - wins, losses)
            p = paired.mcnemar_pvalues(wins, losses)
            chance = ways * win**wins * loss**losses * (1 - share) ** ties
            chances[p] = chances.get(p, 0) + chance
    return list(chances.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    "datasets",
    [
        [(6, 0.9, 0.7)],
        [(7, 0.9, 0.8), (7, 0.9, 0.8), (7, 0.9, 0.8)],
        [(6, 1.0, 0.9), (8, 0.8, 0.7), (7, 0.9, 0.5)],
        [(5, 1.0, 1.0), (8, 0.9, 0.8), (8, 0.9, 0.8)],
    ],
)
def test_law_by_enumeration_of_all_families(datasets):
    laws = power.Outcomes(*map(np.array, zip(*datasets, strict=True)))
    expected = _law_by_enumeration([_support(*dataset) for dataset in datasets])
    np.testing.assert_allclose(counts.k_hat(laws).probabilities, expected, atol=1e-12)
    assert expected[1:].sum() > 0.01


@pytest.mark.slow
@settings(max_examples=15)
@given(data=st.data(), n=st.integers(1, 12))
def test_recursion_by_enumeration_up_to_twelve_datasets(data, n):
    grid = [0.05 / 12, 0.05 / 6, 0.05 / 3, 0.05, 0.5]
    pairs = [
        data.draw(st.tuples(st.sampled_from(grid), st.sampled_from(grid), st.floats(0.01, 0.99)))
        for _ in range(n)
    ]
    supports = [[(low, chance), (high, 1 - chance)] for low, high, chance in pairs]
    thresholds = 0.05 / np.arange(n, 0, -1.0)
    below = sum(
        np.array([[chance] for chance in column]) * (np.array([[p] for p in values]) <= thresholds)
        for values, column in (
            ([s[i][0] for s in supports], [s[i][1] for s in supports]) for i in (0, 1)
        )
    )
    kinds, sizes = np.unique(below, axis=0, return_counts=True)
    found = counts.recursion(kinds, sizes)
    np.testing.assert_allclose(found, _law_by_enumeration(supports), atol=1e-12)


def test_recursion_and_simulation_agree_for_datasets_that_differ(monkeypatch):
    laws = power.Outcomes(np.arange(40, 460, 42), 0.25, np.linspace(0.06, 0.15, 10))
    exact = counts.k_hat(laws)
    monkeypatch.setattr(counts, "MOST_STATES", 1)
    drawn = counts.k_hat(laws)
    assert (exact.n_families, drawn.n_families) == (0, counts.N_FAMILIES)
    assert drawn.mean == pytest.approx(exact.mean, abs=4 * drawn.standard_error)
    np.testing.assert_allclose(drawn.probabilities, exact.probabilities, atol=0.02)


def test_too_many_kinds_of_datasets_are_simulated():
    laws = power.Outcomes(np.arange(100, 300, 10), 0.2, 0.1)
    law = counts.k_hat(laws, n_families=500)
    assert law.n_families == 500
    assert law.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("method", ["bonferroni", "simes", "fisher", "truncated_fisher"])
def test_the_same_seed_gives_the_same_law(method):
    laws = power.Outcomes([100, 200, 300], 0.3, 0.1)
    one, two = (counts.k_hat(laws, method=method, n_families=300, seed=4) for _ in range(2))
    np.testing.assert_array_equal(one.probabilities, two.probabilities)


def test_a_seed_that_differs_is_not_ignored():
    laws = power.Outcomes([100, 200, 300], 0.3, 0.1)
    one, two = (counts.k_hat(laws, method="fisher", n_families=300, seed=s) for s in (1, 2))
    assert one.mean != two.mean


@pytest.mark.parametrize("method", ["bonferroni", "simes", "fisher", "stouffer"])
def test_without_a_gain_the_level_is_kept(method):
    law = counts.k_hat(power.Outcomes([300] * 10, 0.2, 0.0), method=method, n_families=4000)
    assert law.at_least(1) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 4000)


def test_names_of_each_dataset_add_up():
    laws = power.Outcomes([500, 500, 2000, 100], 0.15, 0.04)
    named = counts.named(laws, method="fisher", n_families=2000)
    assert 0 < named.sum() <= counts.k_hat(laws, method="fisher", n_families=2000).mean
    alone = [counts.named(laws, method="fisher", place=j, n_families=2000) for j in range(4)]
    np.testing.assert_allclose(alone, named)
    assert named[3] < named[0] < named[2]


def test_names_are_the_power_of_one_dataset():
    laws = power.Outcomes([500], 0.15, 0.03)
    error = 4 * math.sqrt(0.25 / counts.N_FAMILIES)
    assert counts.named(laws)[0] == pytest.approx(power.mcnemar(500, 0.15, 0.03), abs=error)


def test_a_simulated_probability_is_lowered_and_an_exact_one_is_not():
    laws = power.Outcomes([500] * 8, 0.15, 0.04)
    exact = counts.k_hat(laws)
    assert exact.surely(1) == exact.at_least(1)
    drawn = counts.k_hat(laws, method="fisher", n_families=400)
    error = math.sqrt(drawn.at_least(6) * (1 - drawn.at_least(6)) / 400)
    assert drawn.surely(6) == pytest.approx(drawn.at_least(6) - 2 * error)
    assert counts.lowered(0.0, 100) == 0.0


def test_the_least_gain_reaches_its_power_and_no_less_does():
    def law_of(gain):
        return counts.k_hat(power.Outcomes([500] * 20, 0.15, gain))

    values = np.arange(1, 1500) / 10_000
    gain = counts.least_gain(law_of, values=values)
    assert gain in values
    assert law_of(gain).at_least(1) >= 0.8
    assert law_of(gain - 1e-4).at_least(1) < 0.8
    assert counts.least_gain(law_of, 10, values=values) > gain


def least_gain(laws, k=1, power=0.8, values=(1,)):
    """Search for a gain that changes nothing."""
    return counts.least_gain(lambda _: counts.k_hat(laws), k, power, values=values)


def test_no_gain_is_enough_below_the_floor():
    def law_of(gain):
        return counts.k_hat(power.Outcomes([8] * 20, 1.0, gain))

    assert math.isnan(counts.least_gain(law_of, values=[0.5, 1.0]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda laws: counts.k_hat(laws, 0), "alpha is 0, but a level of significance"),
        (lambda laws: counts.k_hat(laws, method="holms"), "holms"),
        (lambda laws: counts.k_hat(laws, method="fisher", n_families=0), "n_families is 0"),
        (lambda laws: counts.k_hat(laws, method="fisher", seed=-1), "seed is -1"),
        (lambda laws: counts.expected_count(laws, 1.5), "alpha is 1.5"),
        (lambda laws: least_gain(laws, 4), "k is 4; pass a number of datasets, 1 to 3."),
        (lambda laws: least_gain(laws, power=1), "power is 1"),
        (lambda laws: least_gain(laws, values=()), "values is empty; pass the candidate gains."),
        (lambda laws: counts.named(laws, place=3), "place is 3; pass the index of a dataset, 0 to"),
        (lambda laws: counts.named(laws, method="holm"), "method 'holm' is not one of"),
    ],
)
def test_what_is_refused(call, message):
    laws = power.Outcomes([100, 200, 300], 0.3, 0.1)
    with pytest.raises(InputError) as caught:
        call(laws)
    assert message in str(caught.value)


def test_more_datasets_than_sense_are_refused():
    laws = power.Outcomes([100] * 1001, 0.3, 0.1)
    with pytest.raises(InputError, match="for at most 1,000 datasets, but there are 1,001"):
        counts.k_hat(laws)
