import numpy as np
import pytest
from scipy import stats

from analysis.methods.resampled_t import resampled_t
from replicability.checks import InputError


def test_the_resampled_t_without_its_correction_is_the_t_test():
    differences = np.random.default_rng(2).normal(0.3, 1, 20)
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert resampled_t(differences, 1e-12) == pytest.approx(expected, rel=1e-8)


def test_the_resampled_t_by_the_formula():
    # R: d <- c(.3, .1, .2, .2); 2 * pt(-mean(d) / sqrt((1/4 + 1/8) * var(d)), 3) = 0.0280085
    # t density of 3 degrees of freedom: 6 sqrt(3) / (pi (3 + t^2)^2)
    t = 0.2 / np.sqrt(0.375 * 0.02 / 3)
    density = lambda x: 6 * np.sqrt(3) / (np.pi * (3 + x**2) ** 2)  # noqa: E731
    grid = np.linspace(0, t, 100_001)
    expected = 1 - 2 * np.trapezoid(density(grid), grid)
    assert resampled_t([0.3, 0.1, 0.2, 0.2], 1 / 8) == pytest.approx(expected, rel=1e-6)


def test_the_resampled_t_asks_for_more_than_the_uncorrected_one():
    differences = [0.2, 0.1, 0.3, -0.1]
    found = [resampled_t(differences, ratio) for ratio in (1e-9, 0.125, 0.5)]
    assert found == sorted(found)
    assert resampled_t([0, 0, 0], 0.1) == 1
    assert resampled_t([0.5, 0.5, 0.5], 0.1) == 0


@pytest.mark.parametrize(
    ("differences", "ratio", "message"),
    [
        ([0.1], 0.1, "There is one difference; its variance needs at least two splits"),
        ([0.1, np.nan], 0.1, r"differences\[1\] is nan"),
        ([0.1, 0.2], 0, "ratio is 0; it is a number of test over training, above 0"),
    ],
)
def test_what_the_resampled_t_refuses(differences, ratio, message):
    with pytest.raises(InputError, match=message):
        resampled_t(differences, ratio)
