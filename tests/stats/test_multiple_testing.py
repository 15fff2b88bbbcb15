from unittest import mock

import numpy as np
import pytest
from families import ALPHAS, ties
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analysis.methods import simulation
from replicability import checks
from replicability.stats import multiple_testing, partial_conjunction

families = hnp.arrays(
    float,
    st.tuples(st.integers(1, 3), st.integers(1, 8)),
    elements=st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.05, 0.01, 0.025, 0.5])),
)
methods = pytest.mark.parametrize("method", multiple_testing.METHODS)

# R 4.2: p.adjust(c(.04, .01, .03, .005, .9, .02, .2), method); unsorted on purpose, since a common
# fault is to return adjusted p-values in the order of the sorted ones.
UNSORTED = [0.04, 0.01, 0.03, 0.005, 0.9, 0.02, 0.2]
REFERENCE = {
    "holm": [0.120, 0.060, 0.120, 0.035, 0.900, 0.100, 0.400],
    "hochberg": [0.120, 0.060, 0.120, 0.035, 0.900, 0.100, 0.400],
    "hommel": [0.120, 0.060, 0.090, 0.035, 0.900, 0.080, 0.400],
    "bh": [0.056, 0.035, 0.0525, 0.035, 0.9, 0.04666666667, 0.23333333333],
    "by": [0.145200, 0.090750, 0.136125, 0.090750, 1.0, 0.121000, 0.605000],
}


@methods
def test_adjusted_pvalues_against_r_in_the_callers_order(method):
    found = multiple_testing.adjusted_pvalues(UNSORTED, method)
    np.testing.assert_allclose(found, REFERENCE[method], rtol=1e-9)


@pytest.mark.slow
@methods
@given(values=families)
def test_adjusted_pvalues_against_statsmodels(method, values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    names = {"hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
    name = names.get(method, method)
    with mock.patch("gc.collect"):  # which multipletests calls for every family
        reference = [multitest.multipletests(row, 0.05, name)[1] for row in values]
    found = multiple_testing.adjusted_pvalues(values, method)
    np.testing.assert_allclose(found, reference, rtol=1e-9, atol=1e-300)


@pytest.mark.slow
@methods
@given(values=families, alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_decisions_are_those_of_the_adjusted_pvalues(method, values, alpha):
    adjusted = multiple_testing.adjusted_pvalues(values, method)
    decisions = multiple_testing.identify(values, alpha, method)
    np.testing.assert_array_equal(decisions, adjusted <= alpha)


@pytest.mark.long
@methods
@given(tied=ties())
def test_decisions_are_those_of_the_adjusted_pvalues_at_ties(method, tied):
    values, alpha = tied
    adjusted = multiple_testing.adjusted_pvalues(values, method)
    np.testing.assert_array_equal(
        multiple_testing.identify(values, alpha, method), adjusted <= alpha
    )


def test_hommel_at_a_tie():
    values = [0.05, 0.02, 0.05, 0.04]  # 4 * .05 / 4 is .05, but .05 * (4/3) * (3/4) may not be
    assert multiple_testing.identify(values, 0.05, "hommel").all()
    assert (multiple_testing.adjusted_pvalues(values, "hommel") == 0.05).all()


@pytest.mark.parametrize("alpha", [1 / 16, 1 / 32])
@pytest.mark.parametrize(
    ("method", "quarters", "named"),
    [
        *((method, [4], 1) for method in multiple_testing.METHODS),
        *((method, [5], 0) for method in multiple_testing.METHODS),
        ("holm", [2, 4], 2),
        ("holm", [3, 4], 0),
        ("holm", [2, 5], 1),
        ("holm", [1, 5, 5, 5], 1),
        ("hochberg", [3, 4], 2),
        ("hochberg", [2, 5], 1),
        ("hochberg", [3, 5], 0),
        ("hochberg", [1, 5, 5, 5], 1),
        ("hommel", [4, 4], 2),
        ("hommel", [2, 5], 1),
        ("hommel", [3, 5], 0),
        ("hommel", [2, 2.5, 5], 1),  # h = 2: p <= alpha/2
        ("hommel", [2, 3, 5, 5], 0),
        ("hommel", [1, 5, 5, 5], 1),
        ("bh", [1, 5, 5, 5], 1),
        ("bh", [2, 2, 5, 5], 2),
        ("bh", [3, 3, 3, 5], 3),
        ("bh", [4, 4, 4, 4], 4),
        ("bh", [2, 3, 4, 5], 0),
    ],
)
def test_what_is_on_the_boundary_is_named(method, quarters, named, alpha):
    values = np.array(quarters) * alpha / 4  # binary fractions: every bound of these is exact
    found = multiple_testing.identify(values, alpha, method)
    assert found.tolist() == [True] * named + [False] * (len(quarters) - named)
    above = multiple_testing.identify(np.nextafter(values, 1), alpha, method)
    assert above.sum() < named or named == 0


@pytest.mark.long
@pytest.mark.parametrize("alpha", ALPHAS)
@methods
def test_alpha_over_n_is_named_whatever_n_is(method, alpha):
    for n in range(1, 1001):
        bound = alpha / (n * (1 / np.arange(1.0, n + 1)).sum() if method == "by" else n)
        batch = np.ones((2, n))
        batch[:, n // 2] = bound, np.nextafter(bound, 1)
        named = multiple_testing.identify(batch, alpha, method)
        assert named.sum(axis=1).tolist() == [1, 0] and named[0, n // 2], n


@pytest.mark.parametrize("alpha", ALPHAS)
def test_bonferroni_counts_what_holm_names_on_all_boundaries(alpha):
    bounds = alpha / np.arange(1000.0, 0, -1)
    above = bounds.copy()
    above[400] = np.nextafter(above[400], 1)
    batch = np.array([bounds, above])
    assert multiple_testing.identify(batch, alpha).sum(axis=1).tolist() == [1000, 400]
    assert partial_conjunction.k_hat(batch, alpha).tolist() == [1000, 400]
    assert (multiple_testing.adjusted_pvalues(bounds) == alpha).all()


@pytest.mark.long
@methods
@given(values=families, seed=st.integers(0, 2**32 - 1))
def test_decisions_follow_the_order_of_the_datasets(method, values, seed):
    order = np.random.default_rng(seed).permutation(values.shape[-1])
    np.testing.assert_array_equal(
        multiple_testing.identify(values[..., order], 0.05, method),
        multiple_testing.identify(values, 0.05, method)[..., order],
    )


@given(values=families)
def test_each_procedure_identifies_what_a_stricter_one_does(values):
    found = {m: multiple_testing.identify(values, 0.05, m) for m in multiple_testing.METHODS}
    for weaker, stronger in (("holm", "hochberg"), ("hochberg", "hommel"), ("by", "bh")):
        assert np.all(found[stronger] | ~found[weaker])


def test_holm_by_hand():
    # .005 <= .05/4, .013 <= .05/3, .03 > .05/2: the procedure stops, though .04 <= .05/1
    found = multiple_testing.identify([0.03, 0.005, 0.04, 0.013])
    np.testing.assert_array_equal(found, [False, True, False, True])


@pytest.mark.parametrize(
    ("method", "rho"), [("holm", 0.5), ("hochberg", 0.5), ("hommel", 0.5), ("by", 0.5)]
)
def test_errors_are_controlled(method, rho):
    n_families = 20_000
    groups = [simulation.Group(5, rho, effect=3), simulation.Group(15, rho)]
    families = simulation.simulate(groups, n_families, 11)
    wrong = multiple_testing.identify(families.pvalues, 0.05, method) & ~families.is_effect
    if method == "by":
        rejected = multiple_testing.identify(families.pvalues, 0.05, method).sum(axis=1)
        error = (wrong.sum(axis=1) / np.maximum(rejected, 1)).mean()
    else:
        error = wrong.any(axis=1).mean()
    assert 0 < error <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n_families)


@methods
def test_axis_chunks_and_inputs(method, monkeypatch):
    values = np.random.default_rng(4).random((60, 9)) ** 3
    before = values.copy()
    rows = multiple_testing.identify(values, 0.05, method)
    np.testing.assert_array_equal(multiple_testing.identify(values.T, 0.05, method, axis=0), rows.T)
    adjusted = multiple_testing.adjusted_pvalues(values, method)
    np.testing.assert_array_equal(adjusted <= 0.05, rows)
    np.testing.assert_array_equal(
        multiple_testing.adjusted_pvalues(values.T, method, axis=0), adjusted.T
    )
    np.testing.assert_array_equal(values, before)
    monkeypatch.setattr("replicability.stats.families.CHUNK_VALUES", 18)
    np.testing.assert_array_equal(multiple_testing.identify(values, 0.05, method), rows)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: multiple_testing.identify([0.1], method="holmes"),
            "^method 'holmes' is not one of .*did you mean 'holm'",
        ),
        (
            lambda: multiple_testing.adjusted_pvalues([0.1], method="holmes"),
            "^method 'holmes' is not one of .*did you mean 'holm'",
        ),
        (lambda: multiple_testing.identify([0.1, np.nan]), r"pvalues\[1\] is nan"),
        (lambda: multiple_testing.identify([0.1], alpha=0), "alpha is 0"),
        (lambda: multiple_testing.adjusted_pvalues([-1.0]), r"pvalues\[0\] is -1.0"),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()
