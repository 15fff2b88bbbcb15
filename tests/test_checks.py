import numpy as np
import pytest

from analysis import checks


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, float("nan")], r"pvalues\[1\] is nan, but a p-value is a number in \[0, 1\]"),
        ([0.1, float("inf")], r"pvalues\[1\] is inf"),
        ([-0.1, 0.5], r"pvalues\[0\] is -0.1"),
        ([[0.1, 0.2], [0.3, 1.5]], r"pvalues\[1, 1\] is 1.5"),
        ([], "pvalues is empty; a family needs at least one dataset"),
        (0.05, "pvalues is the single value 0.05; pass a sequence"),
        ([0.1, "n.s."], r"pvalues\[1\] is 'n.s.', but a p-value is a number"),
        ([[0.1, 0.2], [0.3]], "pvalues is ragged; give every family the same number of datasets"),
        ([0.1, None, 0.2], r"pvalues\[1\] is"),
    ],
)
def test_pvalues_refuses_by_message(values, message):
    with pytest.raises(checks.InputError, match=message):
        checks.pvalues(values)


def test_pvalues_moves_the_axis_and_changes_nothing():
    values = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    before = values.copy()
    assert checks.pvalues(values, axis=0).shape == (3, 2)
    np.testing.assert_array_equal(values, before)


def test_pvalues_refuses_an_axis_that_is_not_there():
    with pytest.raises(checks.InputError, match="axis is 2, but pvalues has 1 axes"):
        checks.pvalues([0.1], axis=2)


@pytest.mark.parametrize("value", [0, 1, -0.05, 1.5, float("nan"), "five percent", None])
def test_alpha_refuses_what_is_not_strictly_between_0_and_1(value):
    with pytest.raises(checks.InputError, match="lies strictly between 0 and 1"):
        checks.alpha(value)


def test_alpha_returns_a_float():
    assert checks.alpha("0.05") == 0.05


def test_choice_names_the_nearest():
    with pytest.raises(
        checks.InputError, match=r"method 'fischer' is not .*did you mean 'fisher'\?"
    ):
        checks.choice("method", "fischer", ["bonferroni", "fisher"])


def test_choice_without_anything_near_ends_with_a_full_stop():
    with pytest.raises(checks.InputError, match=r"not one of bonferroni, fisher\.$"):
        checks.choice("method", "xyz", ["bonferroni", "fisher"])
