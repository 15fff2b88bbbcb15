"""Demšar's question: tests and intervals over datasets."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replicability import checks
from replicability.stats.over_datasets import over_datasets

MATE = [90.73, 90.82, 91.92, 91.68, 96.64, 89.87, 89.89]
REDSHIFT = [90.19, 90.46, 90.90, 90.99, 96.22, 88.99, 89.31]
# Hollander, Wolfe and Chicken (2014), Table 3.1: Hamilton depression scale factors
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


def limits(interval):
    return interval.low, interval.high


def test_reference_values_of_r():
    # w <- wilcox.test(mate, red, paired=TRUE, exact=TRUE, conf.int=TRUE); binom.test(7, 7)
    # w$p.value 0.015625, w$conf.int 0.42 0.88, binom.test 0.015625
    found = over_datasets(MATE, REDSHIFT)
    assert found.wilcoxon == found.sign_test == found.smallest == 0.015625
    np.testing.assert_allclose(limits(found.centre_interval), (0.42, 0.88), atol=1e-12)
    # wilcox.test(x, y, paired=TRUE, exact=TRUE, conf.int=TRUE)
    # p-value 0.0390625, pseudomedian 0.46, interval 0.010 to 0.786; at 90% 0.175 to 0.726
    # alternative="greater": 0.01953125; binom.test(7, 9): 0.1796875
    # d <- sort(x - y); k <- qbinom(.025, 9, .5); c(d[k], d[10 - k]): -0.080 0.952
    found = over_datasets(BEFORE, AFTER)
    assert found.wilcoxon == 0.0390625
    assert found.sign_test == pytest.approx(0.1796875, abs=1e-15)
    np.testing.assert_allclose([found.centre, found.median], [0.46, 0.49], atol=1e-12)
    np.testing.assert_allclose(limits(found.centre_interval), (0.010, 0.786), atol=1e-12)
    np.testing.assert_allclose(limits(found.median_interval), (-0.080, 0.952), atol=1e-12)
    assert over_datasets(BEFORE, AFTER, alternative="greater").wilcoxon == 0.01953125
    narrow = over_datasets(BEFORE, AFTER, confidence_level=0.9).centre_interval
    np.testing.assert_allclose(limits(narrow), (0.175, 0.726), atol=1e-12)


@given(st.integers(2, 12), st.integers(0, 2**32 - 1), st.sampled_from([0.8, 0.9, 0.95]))
def test_intervals_exclude_0_exactly_where_tests_reject(n, seed, level):
    d = np.random.default_rng(seed).normal(0.7, 1, n)  # without ties
    found = over_datasets(d, np.zeros(n), confidence_level=level)
    for p, interval in (
        (found.wilcoxon, found.centre_interval),
        (found.sign_test, found.median_interval),
    ):
        rejected = p <= (1 - level) * (1 + 1e-12)
        assert (interval.low > 0 or interval.high < 0) == rejected


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9))
def test_it_is_symmetric_and_moves_with_the_scores(d):
    d, zero = np.array(d, float), np.zeros(len(d))
    found, other = over_datasets(d, zero), over_datasets(zero, d)
    assert (found.wilcoxon, found.sign_test) == (other.wilcoxon, other.sign_test)
    assert (found.centre, found.median) == (-other.centre, -other.median)
    assert limits(found.centre_interval) == tuple(-x for x in limits(other.centre_interval))[::-1]
    moved = over_datasets(d + 8, zero)
    assert moved.centre == found.centre + 8
    assert moved.median_interval.low == found.median_interval.low + 8


@pytest.mark.parametrize("n", [3, 6, 8])
def test_level_and_coverage_by_enumeration(n):
    # All signs of differences with ties around a centre of 1: both tests of "centre 1" keep .1,
    # and both intervals cover 1 in at least 90% of the 2^n sign patterns.
    sizes = np.array([1, 1, 2, 3, 3, 3, 5, 8.0])[:n]
    rejected, covered = np.zeros(2), np.zeros(2)
    for signs in itertools.product([-1, 1], repeat=n):
        d = 1 + sizes * signs
        found = over_datasets(d, np.ones(n), confidence_level=0.9)
        rejected += np.array([found.wilcoxon, found.sign_test]) <= 0.1
        both = over_datasets(d, np.zeros(n), confidence_level=0.9)
        covered += [x.low <= 1 <= x.high for x in (both.centre_interval, both.median_interval)]
    assert (rejected <= 0.1 * 2**n).all()
    assert (covered >= 0.9 * 2**n).all()


def test_few_datasets_show_nothing_and_say_so():
    found = over_datasets([5, 6, 7, 8, 9], [0] * 5)
    assert found.wilcoxon == found.smallest == 0.0625
    assert limits(found.centre_interval) == limits(found.median_interval) == (-math.inf, math.inf)


def test_many_datasets_are_approximate_and_agree_with_the_exact_law_at_the_change():
    d = np.random.default_rng(3).normal(0.2, 1, 51)
    large, small = over_datasets(d, np.zeros(51)), over_datasets(d[:50], np.zeros(50))
    assert "exact" in small.how
    assert "normal approximation" in large.how
    near = np.subtract(limits(large.centre_interval), limits(small.centre_interval))
    assert np.abs(near).max() < 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [0.0]), "at least 2"),
        (([1.0, 2.0], [0.0]), "2 scores and system B has 1"),
        (([1.0, math.nan], [0.0, 1.0]), "needs a finite score"),
        (([1.0, math.inf], [0.0, 1.0]), "needs a finite score"),
    ],
)
def test_bad_scores_are_refused(arguments, message):
    with pytest.raises(checks.InputError, match=message):
        over_datasets(*arguments)


@pytest.mark.parametrize(
    "options", [{"alternative": "less"}, {"confidence_level": 1.0}, {"confidence_level": 0}]
)
def test_bad_options_are_refused(options):
    with pytest.raises(checks.InputError, match=r"alternative|confidence"):
        over_datasets([1, 2, 3], [0, 0, 0], **options)
