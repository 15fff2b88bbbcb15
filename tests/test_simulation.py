import numpy as np
import pytest
from scipy import integrate, stats

from analysis import checks, simulation
from analysis.simulation import Group

NULL = [Group(100)]
MIXED = [Group(34), Group(33, 0.2), Group(33, 0.5)]


def test_pvalues_are_uniform_where_the_null_hypothesis_is_true():
    families = simulation.simulate([Group(3, 0.4)], 20_000, 1)
    for column in families.pvalues.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4


def test_correlation_and_effect_are_those_asked_for():
    groups = [Group(2, 0.5, effect=1.0), Group(2)]
    families = simulation.simulate(groups, 200_000, 2)
    z = stats.norm.isf(families.pvalues)
    np.testing.assert_allclose(z.mean(axis=0), [1, 1, 0, 0], atol=0.01)
    np.testing.assert_allclose(
        np.corrcoef(z.T),
        [[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        atol=0.01,
    )
    np.testing.assert_array_equal(families.is_effect, [True, True, False, False])


def test_a_seed_is_used_and_gives_the_same_families():
    first = simulation.distribution(MIXED, 5_000, 7).frequencies
    again = simulation.distribution(MIXED, 5_000, 7).frequencies
    other = simulation.distribution(MIXED, 5_000, 8).frequencies
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    assert any((first[name] != other[name]).any() for name in first)


def test_the_first_families_do_not_depend_on_how_many_follow():
    n = simulation.CHUNK_FAMILIES
    short = simulation.distribution(NULL, n, 7, estimators=["count"]).frequencies["count"]
    long = simulation.distribution(NULL, 2 * n, 7, estimators=["count"]).frequencies["count"]
    assert np.all(long >= short)


def test_exact_count_without_correlation_is_binomial():
    # R: format(dbinom(0:3, 100, .05), digits = 11)
    expected = [0.0059205292203, 0.0311606801070, 0.0811817718578, 0.1395756779309]
    np.testing.assert_allclose(simulation.exact_count(NULL, 0.05)[:4], expected, rtol=1e-9)


@pytest.mark.parametrize("rho", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("j", [0, 1, 7])
def test_exact_count_against_another_route(rho, j):
    # the common variable as a uniform quantile instead of a normal density
    def given(q):
        z = (stats.norm.isf(0.05) - np.sqrt(rho) * stats.norm.ppf(q)) / np.sqrt(1 - rho)
        return stats.binom(20, stats.norm.sf(z)).pmf(j)

    expected = integrate.quad(given, 0, 1, epsabs=1e-11, limit=500)[0]
    assert simulation.exact_count([Group(20, rho)], 0.05)[j] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("groups", [NULL, MIXED, [Group(4, 0.3, effect=2), Group(5)]])
def test_exact_count_is_a_distribution_that_simulation_agrees_with(groups):
    n_families = 40_000
    exact = simulation.exact_count(groups, 0.05)
    assert exact.sum() == pytest.approx(1, abs=1e-9)
    found = simulation.distribution(groups, n_families, 3, estimators=["count"])
    share = found.frequencies["count"] / n_families
    error = np.sqrt(exact * (1 - exact) / n_families) + 1e-4
    assert np.all(np.abs(share - exact) < 5 * error)


@pytest.mark.parametrize("estimator", ["count", "bonferroni", "simes", "fisher", "stouffer"])
@pytest.mark.parametrize("groups", [NULL, MIXED])
def test_exact_overestimation_against_simulation(groups, estimator):
    exact = simulation.exact_overestimation(groups, 0.05, estimator)
    if np.isnan(exact):
        assert groups is MIXED
        return
    found = simulation.distribution(groups, 20_000, 9, 0.05, [estimator])
    error = np.sqrt(exact * (1 - exact) / found.n_families)
    assert abs(found.overestimated(estimator) - exact) < 4.5 * error


def test_overestimation_counts_from_the_true_number():
    found = simulation.distribution([Group(3, effect=50), Group(2)], 1_000, 1)
    assert found.k == 3
    above = found.frequencies["count"][4:].sum() / 1_000
    assert found.overestimated("count") == above
    assert (
        found.overestimated("count", by_more_than=1) == found.frequencies["count"][5:].sum() / 1_000
    )
    assert found.standard_error("count") == pytest.approx(np.sqrt(above * (1 - above) / 1_000))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Group(0), "size of a group is 0; pass a whole number of at least 1"),
        (lambda: Group(2.5), "size of a group is 2.5"),
        (lambda: Group(2, 1.0), r"correlation of a group is 1.0; it lies in \[0, 1\)"),
        (lambda: Group(2, -0.1), "correlation of a group is -0.1"),
        (lambda: Group(2, 0.1, float("nan")), "effect of a group is nan; it is a finite number"),
        (lambda: simulation.simulate([], 10, 1), "groups is empty"),
        (lambda: simulation.simulate(NULL, 0, 1), "n_families is 0"),
        (lambda: simulation.distribution(NULL, -1, 1), "n_families is -1"),
        (
            lambda: simulation.distribution(NULL, 10, 1, estimators=["fish"]),
            "did you mean 'fisher'",
        ),
        (lambda: simulation.exact_count(NULL, 0), "alpha is 0"),
        (
            lambda: simulation.exact_overestimation([Group(2, effect=1)], 0.05, "count"),
            "A group has an effect; the exact probability is for true nulls",
        ),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()
