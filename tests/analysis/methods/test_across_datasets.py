"""Tests over datasets: the Gumbel distribution, and how test sets are chosen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.methods import across_datasets
from replicability import checks

# error reductions of Mate over Redshift, Table 2 of Dror et al. (2017)
REDUCTIONS = [0.0550458715596, 0.0377358490566, 0.1120879120879, 0.0765815760266,
              0.1111111111111, 0.0799273387829, 0.0542563143124]  # fmt: skip


def test_reference_values_of_r():
    # nll <- function(m, s) -sum(-(x - m) / s - exp(-(x - m) / s) - log(s))
    # f <- optim(c(mean(x), log(sd(x))), function(t) nll(t[1], exp(t[2])),
    #            control = list(reltol = 1e-15, maxit = 10000))
    # g <- optimize(function(t) nll(-0.5772156649015329 * exp(t), exp(t)), c(-8, 2), tol = 1e-12)
    # c(f$par[1], exp(f$par[2]), 2 * (g$objective - f$value))
    # 6.23458092572e-02 2.26078305769e-02 1.97511021019e+01; pchisq(...): 8.82108121709e-06
    found = across_datasets.gumbel(REDUCTIONS)
    np.testing.assert_allclose(found.location, 6.23458092572e-02, rtol=1e-6)
    np.testing.assert_allclose(found.scale, 2.26078305769e-02, rtol=1e-6)
    np.testing.assert_allclose(found.ratio, 1.97511021019e01, rtol=1e-9)
    np.testing.assert_allclose(found.pvalue, 8.82108121709e-06, rtol=1e-8)
    np.testing.assert_allclose(found.mean, found.location + np.euler_gamma * found.scale)


@given(st.integers(0, 2**32 - 1), st.integers(3, 30), st.floats(-5, 5))
def test_the_fit_is_that_of_scipy_and_moves_with_the_data(seed, n, shift):
    x = np.random.default_rng(seed).gumbel(shift, 1, n)
    found = across_datasets.gumbel(x)
    location, scale = stats.gumbel_r.fit(x)
    np.testing.assert_allclose([found.location, found.scale], [location, scale], rtol=1e-5)
    moved = across_datasets.gumbel(100 * x)
    np.testing.assert_allclose(moved.scale, 100 * found.scale, rtol=1e-9)
    np.testing.assert_allclose(moved.ratio, found.ratio, rtol=1e-6, atol=1e-8)
    many = across_datasets.gumbel(np.stack([x, 100 * x]))
    np.testing.assert_allclose(many.ratio, [found.ratio, moved.ratio])


def test_the_exact_law_is_uniform_and_does_not_depend_on_the_scale():
    rng = np.random.default_rng(5)
    for scale in (0.01, 30.0):
        draws = scale * across_datasets.POPULATIONS["Gumbel"](rng, (4000, 7))
        p = across_datasets.exact_pvalue(across_datasets.gumbel(draws).ratio, 7)
        assert abs(np.mean(p <= 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)
    assert across_datasets.exact_pvalue(np.inf, 7) == 1 / 20_001
    assert across_datasets.exact_pvalue(0.0, 7) == 1.0


def test_populations_have_mean_0():
    for draw in across_datasets.POPULATIONS.values():
        x = draw(np.random.default_rng(1), 400_000)
        assert abs(x.mean()) < 5 * x.std() / np.sqrt(x.size)


def test_the_simulation_knows_exact_tests():
    found = across_datasets.sizes([7], 0.05, 2000, 3).set_index("population").loc["normal"]
    error = 4 * np.sqrt(0.05 * 0.95 / 2000)
    assert abs(found["t-test"] - 0.05) < error  # exact for normal differences
    assert abs(found["Wilcoxon"] - 6 / 128) < error  # T at most 2 or at least 26
    assert abs(found["sign test"] - 2 / 128) < error  # all ahead, or none


def test_wilcoxon_of_rows_is_that_of_scipy():
    x = np.random.default_rng(1).normal(0.3, 1, (50, 9))
    expected = stats.wilcoxon(x, axis=-1, method="exact").pvalue
    np.testing.assert_allclose(across_datasets._wilcoxon(x), expected)


def test_a_study_of_one_domain_claims_too_much_by_theory():
    # One test set: the measured difference is normal with variance spread^2 + error^2.
    found = across_datasets.selection(1.0, {"500": 1.0, "5,000": 0.3}, 8, 0.05, 20_000, 4)
    found = found.set_index(["test sets", "items"])["claims"]
    for size, error in (("500", 1.0), ("5,000", 0.3)):
        theory = 2 * stats.norm.sf(stats.norm.isf(0.025) * error / np.hypot(1, error))
        assert abs(found["one test set", size] - theory) < 0.015
        assert abs(found["8 domains drawn at random", size] - 10 / 256) < 0.006  # T at most 3
        assert found["8 test sets of one domain", size] > found["one test set", size]


@pytest.mark.parametrize("wrong", [[1.0, 2.0], 3.0, [1.0, 2.0, np.nan]])
def test_too_few_differences_are_refused(wrong):
    with pytest.raises(checks.InputError, match="at least three datasets"):
        across_datasets.gumbel(wrong)


def test_equal_differences_are_refused():
    with pytest.raises(checks.InputError, match="All differences are equal"):
        across_datasets.gumbel([0.5, 0.5, 0.5])
