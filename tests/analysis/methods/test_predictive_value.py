import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.predictive_value import (
    cut_off,
    positive_predictive_value,
    share_of_positives,
)
from replicability import checks

shares = st.floats(0.001, 0.999)


@settings(max_examples=50)
@given(st.floats(0.01, 10), shares, shares, st.floats(0, 0.99))
def test_predictive_value_by_counting_relations(ratio, alpha, beta, bias):
    # Ioannidis (2005), Table 2: a share R/(R+1) is true; bias reports a share u of the rest
    true, null = ratio / (ratio + 1), 1 / (ratio + 1)
    true_found = true * (1 - beta) + bias * true * beta
    null_found = null * alpha + bias * null * (1 - alpha)
    found = positive_predictive_value(ratio, alpha, beta, bias)
    assert found == pytest.approx(true_found / (true_found + null_found))
    share = share_of_positives(ratio, alpha, beta, bias)
    assert share == pytest.approx(true_found + null_found)


def test_predictive_value_with_bias_as_published():
    # Ioannidis (2005), Table 4, alpha = .05: power, R, u, PPV
    for power, ratio, bias, expected in [
        (0.80, 1, 0.10, 0.85),
        (0.95, 2, 0.30, 0.85),
        (0.80, 1 / 3, 0.40, 0.41),
        (0.20, 1 / 5, 0.20, 0.23),
        (0.80, 1 / 10, 0.30, 0.20),
    ]:
        found = positive_predictive_value(ratio, 0.05, 1 - power, bias)
        assert found == pytest.approx(expected, abs=0.0051)


@settings(max_examples=50)
@given(st.floats(0.01, 10), shares, shares, st.floats(0, 0.9))
def test_the_cut_off_reaches_its_target_or_none_does(ratio, beta, target, bias):
    level = cut_off(ratio, beta, target, bias)
    reached = positive_predictive_value(ratio, level, beta, bias) if level > 0 else 0
    if np.isnan(level):
        best = positive_predictive_value(ratio, 0, beta, bias)
        assert best <= target + 1e-9
    elif level == 1:
        assert reached >= target - 1e-9
    else:
        assert reached == pytest.approx(target)


def test_by_counting_findings():
    # 1000 null relations and 100 true ones: 50 of these are found, and 10 false ones.
    assert positive_predictive_value(0.1, 0.01, 0.5) == pytest.approx(50 / 60)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: positive_predictive_value(0, 0.05, 0.5), "ratio is 0, but the ratio"),
        (lambda: positive_predictive_value(1, 2, 0.5), "alpha is 2.0, but must be between"),
        (lambda: positive_predictive_value(1, 0.05, 0.5, 1), "bias is 1, but must be"),
        (lambda: cut_off(0.1, 0.5, 1), "target is 1, but a level of confidence"),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()
