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


@pytest.mark.parametrize("name", checks.ALTERNATIVES)
def test_alternative_returns_what_is_allowed(name):
    assert checks.alternative(name) == name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: checks.alternative("two_sided"), "did you mean 'two-sided'"),
        (lambda: checks.level(95), "level is 95, but a level of confidence lies .* such as 0.95"),
        (lambda: checks.level(None), "level is None"),
        (lambda: checks.finite("threshold", np.inf), "threshold is inf; it is a finite number"),
        (lambda: checks.finite("threshold", "x"), "threshold is 'x'"),
        (lambda: checks.at_least("size", 0), "size is 0; pass a whole number of at least 1"),
        (lambda: checks.at_least("size", 2.0), "size is 2.0"),
        (lambda: checks.at_least("size", True), "size is True"),
        (lambda: checks.at_least("size", 1, 2), "size is 1; pass a whole number of at least 2"),
        (lambda: checks.direction(0), "direction is 0; it is 1"),
        (lambda: checks.vector("values", [[1]]), r"values has shape \(1, 1\); pass a sequence"),
        (lambda: checks.vector("values", [1, np.nan]), r"values\[1\] is nan, .*leave out"),
        (lambda: checks.vector("values", ["a"]), "values must be a sequence of numbers"),
        (lambda: checks.weights([1], 2), "weights has 1 entries and differences has 2"),
        (lambda: checks.weights([1, -1], 2), "weights must not be negative"),
        (lambda: checks.scores("t", [1], [1, 2]), "System A has 1 scores and system B has 2"),
        (lambda: checks.scores("t", [1], [1], minimum=2), "t needs at least 2 .* there is 1;"),
        (lambda: checks.scores("t", [[1, np.nan]], [[1, 2]]), "Score 0 of system A is nan"),
        (lambda: checks.scores("t", [1], [[1, 2]], axes=(1,)), "t takes one score for each"),
        (lambda: checks.scores("t", [[1, 2]], [[1]]), r"shape \(1, 2\) and those of system B"),
        (lambda: checks.scores("t", "abc", [1]), "scores of system A are not all numbers"),
        (lambda: checks.binary("t", [1, 0], [0, 2]), "Score 1 of system B is 2, but t takes 0"),
        (lambda: checks.counts("wins", [3, -1]), r"wins\[1\] is -1, .* whole number of at least 0"),
        (lambda: checks.counts("wins", 0.5), "wins is 0.5, but a number of instances"),
        (lambda: checks.counts("wins", "many"), "wins is 'many'; pass a number of instances"),
        (lambda: checks.correlations("r", [0, 2]), r"r\[1\] is 2.0, but a correlation"),
        (lambda: checks.rated_items(3), "n is 3, .* at least 4 items"),
        (lambda: checks.ratings([1] * 4, range(4), range(4)), "The gold ratings are all equal"),
        (lambda: checks.ratings(range(4), range(4), range(3)), "have 4, 4 and 3 values"),
        (
            lambda: checks.together(a=np.ones(2), b=np.ones(3), c=1),
            r"a, b and c have shapes \(2,\), \(3,\) and \(\), which do not fit together",
        ),
    ],
)
def test_one_sentence_names_value_and_remedy(call, message):
    with pytest.raises(checks.InputError, match=message) as info:
        call()
    assert str(info.value)[-1] in ".?" and "\n" not in str(info.value)


def test_denominators():
    a, b = np.array([[1, 2], [1, 3]]), np.array([[1, 2], [1, 4]])
    checks.denominators(a, b)
    with pytest.raises(checks.InputError, match=r"Instance 1 has 3 units for .* uas"):
        checks.denominators(a, b, "uas")
    with pytest.raises(checks.InputError, match="second sums of system B are denominators"):
        checks.denominators(a, -b)


def test_checked_values_are_returned_and_inputs_left_alone():
    a, b = np.array([1, 0, 1]), np.array([0, 0, 1])
    before = a.copy()
    for checked in (checks.scores("t", a, b), checks.binary("t", a, b)):
        np.testing.assert_array_equal(checked, (a, b))
        assert checked[0].dtype == float
    np.testing.assert_array_equal(a, before)
    assert checks.at_least("size", np.int64(3)) == 3 and checks.finite("x", "1.5") == 1.5
    assert checks.counts("wins", [3.0, 1]).tolist() == [3, 1]
    assert checks.place("r", (0, 2)) == "r[0, 2]" and checks.place("r", ()) == "r"


def test_an_argument_has_the_name_that_its_user_gave_it():
    assert checks.named("n_resamples") == "the key 'n_resamples'"
    with pytest.raises(KeyError), checks.naming(checks.option):
        assert checks.named("n_resamples") == "--n-resamples"
        raise KeyError
    assert checks.named("n_resamples") == "the key 'n_resamples'"
