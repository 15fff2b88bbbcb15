import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from replicability import checks
from replicability.stats import intervals


@given(st.integers(0, 300), st.integers(1, 300), st.floats(0.5, 0.999))
def test_wilson_by_scipy(right, n, level):
    right = min(right, n)
    expected = stats.binomtest(right, n).proportion_ci(level, "wilson")
    low, high = intervals.wilson([right / n], [n], level)
    assert (low[0], high[0]) == (expected.low, expected.high)


@settings(max_examples=50)
@given(st.integers(1, 500), st.floats(0, 1), st.floats(0.5, 0.999))
def test_the_limits_of_any_share_solve_the_score_equation(n, share, level):
    z = stats.norm.isf((1 - level) / 2)
    for limit in intervals.wilson(share, n, level):
        assert (share - limit) ** 2 == pytest.approx(z**2 * limit * (1 - limit) / n, abs=1e-9)


def test_no_units_have_no_interval():
    low, high = intervals.wilson([0.5, 0, 0.5], [10, 0, 0])
    assert np.isnan([low[1:], high[1:]]).all()
    assert 0 < low[0] < 0.5 < high[0] < 1


@pytest.mark.parametrize(
    ("share", "n", "level", "message"),
    [
        (1.2, 9, 0.95, "share is 1.2, but a share lies in"),
        (np.nan, 9, 0.95, "share is nan, but a share lies in"),
        (0.5, -1, 0.95, "A number of units is negative"),
        (0.5, 9, 95, "confidence_level is 95, but a level of confidence"),
    ],
)
def test_bad_input_by_message(share, n, level, message):
    with pytest.raises(checks.InputError, match=message):
        intervals.wilson([share], [n], level)
