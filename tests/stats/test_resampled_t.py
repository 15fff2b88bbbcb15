"""The corrected resampled t-test: reference values, limits and what it refuses."""

import numpy as np
import pytest
from scipy import stats

from replicability.checks import InputError
from replicability.stats.paired import resampled_t, variance_factor

D = np.array([0.3, 0.1, 0.2, 0.2])


def pvalue(d, test_share, **options):
    return resampled_t(d, np.zeros(len(d)), test_share=test_share, **options).pvalue


def test_a_reference_value():
    # R: d <- c(.3, .1, .2, .2); 2 * pt(-mean(d) / sqrt((1/4 + 1/8) * var(d)), 3) = 0.0280085
    assert pvalue(D, 1 / 9, alternative="two-sided") == pytest.approx(0.0280085, rel=1e-5)
    assert pvalue(D, 1 / 9) == pytest.approx(0.0280085 / 2, rel=1e-5)


def test_without_its_correction_it_is_the_t_test():
    d = np.random.default_rng(2).normal(0.3, 1, 20)
    expected = stats.ttest_1samp(d, 0).pvalue
    assert pvalue(d, 1e-12, alternative="two-sided") == pytest.approx(expected, rel=1e-8)


def test_a_larger_test_part_needs_a_larger_difference():
    found = [pvalue([0.2, 0.1, 0.3, -0.1], share) for share in (1e-9, 0.1, 0.5, 0.9)]
    assert found == sorted(found)


@pytest.mark.parametrize("difference", [0, 0.5])
def test_splits_without_a_spread_show_nothing(difference):
    assert pvalue([difference] * 3, 0.1) == 1


@pytest.mark.parametrize(
    ("d", "share", "message"),
    [
        ([0.1], 0.1, "give the scores of at least two"),
        ([0.1, np.nan], 0.1, "nan"),
        ([0.1, 0.2], 0, "strictly between 0 and 1"),
        ([0.1, 0.2], 1, "strictly between 0 and 1"),
    ],
)
def test_what_it_refuses(d, share, message):
    with pytest.raises(InputError, match=message):
        pvalue(d, share)


def test_the_factor_of_the_variance():
    assert variance_factor(30, 0.5) == pytest.approx(1 / 30 + 1)
