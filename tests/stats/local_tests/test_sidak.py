"""Šidák's test: the level of independent datasets, exactly, and Holm's procedure with more."""

import functools
import itertools
import math

import numpy as np
import pytest
from closure import agrees, families
from hypothesis import given
from hypothesis import strategies as st

from replicability.checks import InputError
from replicability.core import procedure
from replicability.stats import local_tests, multiple_testing
from replicability.stats.closed_testing import bound, names
from replicability.stats.partial_conjunction import (
    DependenceWarning,
    k_hat,
    partial_conjunction_pvalues,
)

METHOD = "sidak"
PAPER = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
adjusted = local_tests.load()[METHOD].adjusted


def rejects(p, alpha):
    """Šidák's test of one intersection, from its definition."""
    return min(p) < 1 and len(p) * math.log1p(-min(p)) >= math.log1p(-alpha)


# Reference values: statsmodels 0.14, multipletests(PAPER, method="holm-sidak")[1]
REFERENCE = [0.520825933824, 0.521788232, 0.521788232, 0.0914579408711, 0.521788232, 0.005985019985]


def test_adjusted_pvalues_against_statsmodels():
    np.testing.assert_allclose(adjusted(np.array(PAPER)), REFERENCE, rtol=1e-9)
    found = partial_conjunction_pvalues(PAPER, METHOD)
    np.testing.assert_allclose(found, np.sort(REFERENCE), rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_every_set_curve_and_name_agree_with_all_intersections(n):
    rng = np.random.default_rng([1967, n])
    for p, alpha in zip(families(rng, n, 12), itertools.cycle([0.05, 0.2, 0.01]), strict=False):
        agrees(p, METHOD, alpha, rejects)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.sampled_from([0.05, 0.01, 0.3]))
def test_it_names_as_many_as_it_counts_and_never_less_than_holm(p, alpha):
    named = names(p, alpha, METHOD)
    assert (named >= multiple_testing.identify(p, alpha)).all()
    assert named.sum() == k_hat(p, alpha, METHOD)


# What could go wrong


def test_between_the_two_thresholds_only_sidak_rejects():
    p = [0.0253, 0.9]  # .05/2 < p <= 1 - sqrt(.95) = .02532
    assert bound(p, None, 0.05, METHOD) == 1
    assert bound(p, None, 0.05) == 0
    assert bound([0.02533, 0.9], None, 0.05, METHOD) == 0


@pytest.mark.parametrize("m", [1, 2, 10, 1_000, 100_000])
def test_tiny_pvalues_keep_their_digits(m):
    p = np.ones(m)
    p[0] = 1e-250
    assert adjusted(p)[0] == pytest.approx(m * 1e-250, rel=1e-12)
    assert names(p, 0.05, METHOD).tolist() == [True] + [False] * (m - 1)


@pytest.mark.parametrize("m", [2, 5, 20])
def test_the_level_is_spent_if_independent_and_exceeded_if_small_pvalues_exclude_each_other(m):
    """Of u, u + 1/m, ... mod 1 one at most is <= t < 1/m: P(min p <= t) = m t, and t > alpha/m."""
    rng = np.random.default_rng([1967, m])
    share = np.mean(bound(rng.random((100_000, m)), None, 0.05, METHOD) > 0)
    assert abs(share - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 100_000)
    u = (np.arange(1_000_000) + 0.5) / 1_000_000
    apart = (u[:, None] + np.arange(m) / m) % 1
    share = np.mean(bound(apart, None, 0.05, METHOD) > 0)
    assert share == pytest.approx(m * (1 - 0.95 ** (1 / m)), abs=1e-4)
    assert share > 0.0505


def refused(dependence):
    return functools.partial(procedure.local_test, dependence, method=METHOD)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (refused("dependent"), "'sidak'"),
        (refused("positive"), "these are declared positive; leave the method out to use 'simes'"),
        (lambda: bound([0.5, np.nan], method=METHOD), "pvalues[1] is nan"),
        (lambda: names([0.5], 1, METHOD), "alpha"),
        (lambda: k_hat([0.1], method="sidac"), "did you mean 'sidak'?"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(InputError) as error:
        call()
    assert sentence in str(error.value)


def test_a_count_that_is_not_valid_warns():
    with pytest.warns(DependenceWarning, match="'sidak' is not valid .* are declared 'posit"):
        k_hat(PAPER, 0.05, METHOD, dependence="positive")
