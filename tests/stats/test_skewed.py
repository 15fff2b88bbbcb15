"""Skewness of a sample, against scipy, and the same in any order and direction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replicability.stats import skewed


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40),
    st.sampled_from([1e-9, 1.0, 0.1]),
    st.randoms(use_true_random=False),
)
def test_skewness_by_scipy_in_any_order_and_direction(values, scale, random):
    x = scale * np.array(values, dtype=float)
    found = skewed.skewness(x)
    if np.ptp(x) > 0:
        assert found == pytest.approx(stats.skew(x), rel=1e-6, abs=1e-6)
    else:
        assert found == pytest.approx(0, abs=2)  # rounding of the mean is all that may be left
    assert skewed.skewness(-x) == -found
    random.shuffle(values)
    assert skewed.skewness(scale * np.array(values, dtype=float)) == found


def test_equal_values_have_no_skewness_and_none_is_off_the_mode():
    assert skewed.skewness(np.full(7, 2.5)) == 0
    assert skewed.off_the_mode(np.zeros(7)) == 0
    assert skewed.off_the_mode(np.array([0.1 + 0.2, 0.3, 0.3, 5])) == 1


def test_few_items_raise_the_skewness_most():
    assert skewed.raised(1.0, 0) == skewed.raised(1.0, 1) == 1 + skewed.RAISE
    assert skewed.raised(-2.0, 16) == -4
    assert skewed.raised(0.0, 3) == 0
