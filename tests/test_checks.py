import functools
import pickle

import numpy as np
import pandas as pd
import pytest

from replicability import checks
from replicability.core import recommendation
from replicability.io import declared, rules
from replicability.stats import (
    arguments,
    correlation,
    exact,
    gold_ratings,
    multiple_testing,
    paired,
    partial_conjunction,
    resampling,
)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, float("nan")], r"pvalues\[1\] is nan, but a p-value is a number in \[0, 1\]"),
        ([0.1, float("inf")], r"pvalues\[1\] is inf"),
        ([-0.1, 0.5], r"pvalues\[0\] is -0.1"),
        ([[0.1, 0.2], [0.3, 1.5]], r"pvalues\[1, 1\] is 1.5"),
        ([], "pvalues is empty, but a family needs at least one dataset; pass at least one"),
        (0.05, "pvalues is the single value 0.05; pass a sequence"),
        ([0.1, "n.s."], r"pvalues\[1\] is 'n.s.', but a p-value is a number"),
        ([[0.1, 0.2], [0.3]], "pvalues is ragged; give every family the same number of datasets"),
        ([0.1, None, 0.2], r"pvalues\[1\] is"),
    ],
)
def test_pvalues_refuses_by_message(values, message):
    with pytest.raises(checks.InputError, match=message):
        arguments.pvalues(values)


def test_pvalues_moves_the_axis_and_changes_nothing():
    values = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    before = values.copy()
    assert arguments.pvalues(values, axis=0).shape == (3, 2)
    np.testing.assert_array_equal(values, before)


@pytest.mark.parametrize("axis", [2, -3, 10**30])
def test_pvalues_refuses_an_axis_that_is_not_there(axis):
    with pytest.raises(
        checks.InputError, match=f"axis is {axis}, .* the number of axes of pvalues is 2"
    ):
        arguments.pvalues([[0.1]], axis=axis)


@pytest.mark.parametrize("axis", [None, 1.0, (0, 1), "1", True, [0], np.array([0, 1])])
def test_pvalues_refuses_what_is_no_axis(axis):
    with pytest.raises(
        checks.InputError, match=r"^axis is .*; pass one integer, the axis that runs"
    ):
        arguments.pvalues([[0.1, 0.2]], axis=axis)
    assert arguments.pvalues([[0.1, 0.2]], axis=np.int8(0)).shape == (2, 1)


MASKED = np.ma.array([0.001, 0.9, 0.001], mask=[0, 0, 1])
FOREIGN = [
    (MASKED, "masked entries"),
    ([MASKED, MASKED], "masked entries"),
    ([0.001, np.ma.masked], "masked entries"),
    ([True, False, True], "truth values"),
    (np.array([True, False, True]), "truth values"),
    ([0.01, 0.02, True], "truth values"),
    ([[0.01, 0.02], [0.5, np.True_]], "truth values"),
    (pd.Series([0.01, True, 0.1], dtype=object), "truth values"),
    (pd.Series([True, False, True], dtype="boolean"), "truth values"),
    (np.array([0.1, 0.2, 1j]), "complex numbers"),
    ([0.1, 0.2, np.complex128(0.5)], "complex numbers"),
    (np.array([0, 1, 1], dtype="M8[D]"), "dates"),
    ([0.1, 0.2, np.timedelta64(0)], "durations"),
    (pd.to_timedelta([0, 1, 1]), "durations"),
]
"""What numpy would turn into other numbers without a word, and what it is."""
RATED = [name for name, test in paired.TESTS.items() if test.takes == "ratings"]
GOLD = {name: {"gold": range(4)} for name in RATED} | {
    name: {"test_share": 0.5} for name in ("resampled_t", "repeated_k_fold", "cv_5x2_f")
}
NUMBERS = {
    "pvalues": arguments.pvalues,
    "numbers": lambda values: arguments.numbers("values", values),
    "vector": lambda values: arguments.vector("values", values),
    "weights": lambda values: arguments.weights(values, 3),
    "counts": lambda values: arguments.counts("wins", values),
    "correlations": lambda values: arguments.correlations("r", values),
    "rated_items": gold_ratings.number,
    "k_hat": partial_conjunction.k_hat,
    "k_count": partial_conjunction.k_count,
    "partial_conjunction_pvalues": partial_conjunction.partial_conjunction_pvalues,
    "one_sided": lambda values: partial_conjunction.one_sided([0.1] * 3, values),
    "identify": multiple_testing.identify,
    "adjusted_pvalues": multiple_testing.adjusted_pvalues,
    "mcnemar_pvalues": lambda values: paired.mcnemar_pvalues(values, 3),
    "mcnemar_counts": lambda values: paired.mcnemar_counts(1, values, 3),
    "steiger1980": lambda values: correlation.steiger1980(0.5, values, 0.5, 10),
    "williams1959": lambda values: correlation.williams1959(0.5, 0.5, values, 10),
    "meng1992": lambda values: correlation.meng1992(values, 0.5, 0.5, 10),
    "zou2007": lambda values: correlation.zou2007(0.5, 0.4, 0.5, values),
    "possible_r_kh": lambda values: correlation.possible_r_kh(0.5, values),
    "ideal_bootstrap": exact.ideal_bootstrap,
    "weights of ideal_bootstrap": lambda values: exact.ideal_bootstrap([1, 2, 3], values),
    "bootstrap_tail": lambda values: exact.bootstrap_tail(values, 3),
    "flip_tail": lambda values: exact.flip_tail(values, 1),
}
"""Functions of p-values, correlations and numbers, as functions of these."""
SCORES = {
    "scores": lambda values: arguments.scores("t", values, values),
    "ratings": lambda values: gold_ratings.checked(range(4), range(4), values),
    "kind_of": lambda values: recommendation.kind_of(values, values),
    "bootstrap": lambda values: resampling.bootstrap(values, values, np.mean, n_resamples=1),
    "flip": lambda values: resampling.flip(values, values, np.mean, n_resamples=1),
    "bootstrap_statistic": lambda values: resampling.bootstrap_statistic(
        values, np.mean, n_resamples=1
    ),
    **{
        name: functools.partial(
            lambda test, values: paired.run(test, values, values, **GOLD.get(test, {})), name
        )
        for name, test in paired.TESTS.items()
        if test.takes not in ("runs", "judged")
    },
}
"""Functions of scores, of which True and False are 1 and 0."""


@pytest.mark.parametrize(
    ("function", "values", "what"),
    [
        pytest.param(function, values, what, id=f"{name}-{what}-{type(values).__name__}")
        for functions in (NUMBERS, SCORES)
        for name, function in functions.items()
        for values, what in FOREIGN
        if functions is NUMBERS or what != "truth values"
    ],
)
def test_nothing_is_turned_into_a_number_without_a_word(function, values, what):
    with pytest.raises(checks.InputError, match=rf"^There are {what} in [^;]+; [^.]+\.$"):
        function(values)


@pytest.mark.parametrize(
    "value", [True, np.True_, np.ma.masked, 0.5j, np.complex128(0.5), np.timedelta64(1)]
)
@pytest.mark.parametrize(
    "check",
    [
        checks.alpha,
        checks.confidence_level,
        checks.one_sided,
        lambda value: checks.finite("threshold", value),
        lambda value: checks.at_least("size", value),
        lambda value: checks.choice("method", value, ["fisher"]),
        lambda value: exact.bootstrap_tail([1, 2, 3], 3, value),
        lambda value: checks.choice("method", np.array(["fisher"]), ["fisher"]),
    ],
)
def test_no_number_is_made_of_what_is_none(check, value):
    with pytest.raises(checks.InputError):
        check(value)


def test_right_and_wrong_may_be_truth_values():
    right, wrong = [True, True, False], np.array([False, True, False])
    np.testing.assert_array_equal(arguments.binary("t", right, wrong), [[1, 1, 0], [0, 1, 0]])
    unmasked = np.ma.array([0.1, 0.2], mask=False)
    assert arguments.pvalues(unmasked).tolist() == [0.1, 0.2]
    assert type(arguments.pvalues(unmasked)) is np.ndarray


@pytest.mark.parametrize("value", [0, 1, -0.05, 1.5, float("nan"), "five percent", None])
def test_alpha_refuses_what_is_not_strictly_between_0_and_1(value):
    with pytest.raises(checks.InputError, match="of significance must be strictly between 0 and 1"):
        checks.alpha(value)


def test_alpha_returns_a_float():
    assert checks.alpha("0.05") == 0.05


def test_choice_names_the_nearest():
    with pytest.raises(
        checks.InputError, match=r"method 'fischer' is not .*did you mean 'fisher'\?"
    ):
        checks.choice("method", "fischer", ["bonferroni", "fisher"])


def test_choice_without_anything_near_ends_with_the_remedy():
    with pytest.raises(
        checks.InputError, match=r"'xyz' is not one of bonferroni, fisher; choose one of them\.$"
    ):
        checks.choice("method", "xyz", ["bonferroni", "fisher"])


@pytest.mark.parametrize("name", checks.ALTERNATIVES)
def test_alternative_returns_what_is_allowed(name):
    assert checks.alternative(name) == name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: checks.alternative("two_sided"), "did you mean 'two-sided'"),
        (
            lambda: checks.confidence_level(95),
            r"is 95, but a level of confidence must be strictly between 0 and 1, such as 0\.95\.",
        ),
        (lambda: checks.confidence_level(None), "confidence_level is None"),
        (lambda: checks.finite("threshold", np.inf), "threshold is inf; pass a finite number"),
        (lambda: checks.finite("threshold", "x"), "threshold is 'x'"),
        (lambda: checks.at_least("size", 0), "size is 0; pass a whole number of at least 1"),
        (lambda: checks.at_least("size", 2.0), "size is 2.0"),
        (lambda: checks.at_least("size", True), "size is True"),
        (lambda: checks.at_least("size", 1, 2), "size is 1; pass a whole number of at least 2"),
        (lambda: checks.one_sided("two-sided"), "'two-sided' is not one of greater, less"),
        (lambda: arguments.vector("values", [[1]]), r"values has the shape \(1, 1\); pass a"),
        (
            lambda: arguments.vector("values", [1, np.nan]),
            r"values\[1\] is nan, .*leave this item out",
        ),
        (lambda: arguments.vector("values", ["a"]), "values must be a sequence of numbers"),
        (lambda: arguments.weights([1], 2), r"and differences differ in length \(1 and 2\)"),
        (lambda: arguments.weights([1, -1], 2), "weights must be at least 0, and at least one"),
        (lambda: arguments.scores("t", [1], [1, 2]), "System A has 1 scores and system B has 2"),
        (
            lambda: arguments.scores("t", [1], [1], minimum=2),
            "t needs .* 2 items, .* only 1; leave",
        ),
        (lambda: arguments.scores("t", [[1, np.nan]], [[1, 2]]), "Score 0 of system A is nan"),
        (lambda: arguments.scores("t", [1], [[1, 2]], axes=(1,)), "t needs one score for each"),
        (lambda: arguments.scores("t", [[1, 2]], [[1]]), r"shape \(1, 2\), .* shape \(1, 1\)"),
        (lambda: arguments.scores("t", "abc", [1]), "scores of system A are not all numbers"),
        (lambda: arguments.binary("t", [1, 0], [0, 2]), "Score 1 of system B is 2, but t needs 0"),
        (
            lambda: arguments.counts("wins", [3, -1]),
            r"wins\[1\] is -1, .* whole number of at least 0",
        ),
        (lambda: arguments.counts("wins", 0.5), "wins is 0.5, but a number of items"),
        (
            lambda: arguments.counts("wins", "many"),
            "wins is 'many', but it must be a number of items",
        ),
        (lambda: arguments.correlations("r", [0, 2]), r"r\[1\] is 2.0, but a correlation"),
        (lambda: gold_ratings.number(3), "n is 3, .* at least 4 items"),
        (
            lambda: gold_ratings.checked([1] * 4, range(4), range(4)),
            "The gold ratings are all equal",
        ),
        (lambda: gold_ratings.checked(range(4), range(4), range(3)), r"of B differ \(4, 4 and 3\)"),
        (
            lambda: arguments.together(a=np.ones(2), b=np.ones(3), c=1),
            r"a, b and c have the shapes \(2,\), \(3,\) and \(\), which cannot be broadcast",
        ),
    ],
)
def test_one_sentence_names_value_and_remedy(call, message):
    with pytest.raises(checks.InputError, match=message) as info:
        call()
    assert str(info.value)[-1] in ".?" and "\n" not in str(info.value)


def test_denominators():
    a, b = np.array([[1, 2], [1, 3]]), np.array([[1, 2], [1, 4]])
    arguments.denominators(a, b)
    with pytest.raises(checks.InputError, match="The denominator of item 1 is 3 for system A and"):
        arguments.denominators(a, b, "uas")
    with pytest.raises(
        checks.InputError, match="second column of system B holds denominators, but one is negative"
    ):
        arguments.denominators(a, -b)


def test_checked_values_are_returned_and_inputs_left_alone():
    a, b = np.array([1, 0, 1]), np.array([0, 0, 1])
    before = a.copy()
    for checked in (arguments.scores("t", a, b), arguments.binary("t", a, b)):
        np.testing.assert_array_equal(checked, (a, b))
        assert checked[0].dtype == float
    np.testing.assert_array_equal(a, before)
    assert checks.at_least("size", np.int64(3)) == 3 and checks.finite("x", "1.5") == 1.5
    assert arguments.counts("wins", [3.0, 1]).tolist() == [3, 1]
    assert checks.place("r", (0, 2)) == "r[0, 2]" and checks.place("r", ()) == "r"


def test_a_number_of_resamples_has_bounds():
    assert checks.resamples(10**8) == 10**8
    with pytest.raises(checks.InputError, match="n_resamples must be at most 100,000,000, because"):
        checks.resamples(10**12)
    with pytest.raises(checks.InputError, match="n_resamples is 0; pass a whole number"):
        checks.resamples(0)
    with pytest.raises(checks.InputError, match="n_resamples must be at most 100,000,000, because"):
        paired.sign_flip([1, 0], [0.5, 0], n_resamples=10**8 + 1)
    schema = rules.adapter(declared.Resamples).json_schema()
    assert schema["maximum"] == checks.MOST_RESAMPLES
    assert 0.5 / checks.MOST_RESAMPLES**0.5 == 0.00005  # the error at p = 1/2, where it is largest


def test_a_list_in_a_message_ends():
    assert checks.listed(["a", "b"]) == "a, b"
    assert checks.listed(list(map(str, range(1050)))).endswith("48, 49 and 1,000 more")
    with pytest.raises(checks.InputError, match="did you mean '999'") as caught:
        checks.choice("column", "9999", map(str, range(1000)))
    assert len(str(caught.value)) < 300


def test_words_of_a_sentence():
    assert checks.enumerated(["a"]) == "a"
    assert checks.enumerated(iter("abc")) == "a, b and c"


def test_an_argument_has_the_name_that_its_user_gave_it():
    inner = checks.InputError(f"leave {checks.named('n_flips')} out")
    error = checks.InputError(f"a.csv: {inner}, or give {checks.given('format', 'table')}.")
    assert str(error) == "a.csv: leave the key 'n_flips' out, or give format: table."
    assert error.spelled(checks.option) == "a.csv: leave --n-flips out, or give --format table."
    written = pytest.raises(checks.InputError, match="leave n_flips= out, or give format=table")
    with written, checks.spelling("{}=".format):
        raise error
    assert pickle.loads(pickle.dumps(error)).args == error.args
