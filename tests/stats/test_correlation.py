"""Dependent correlations against R, published examples and each other."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from replicability.checks import ALTERNATIVES, InputError
from replicability.stats import gold_ratings
from replicability.stats.correlation import (
    meng1992,
    possible_r_kh,
    steiger1980,
    williams1959,
    zou2007,
)

TESTS = (steiger1980, williams1959, meng1992)

# R:
# tri <- function(a, b, k, n) {
#   Z <- atanh(a) - atanh(b); r <- (a + b) / 2
#   cv <- (k * (1 - 2 * r^2) - r^2 / 2 * (1 - 2 * r^2 - k^2)) / (1 - r^2)^2
#   steiger <- Z * sqrt(n - 3) / sqrt(2 - 2 * cv)
#   R <- det(matrix(c(1, a, b, a, 1, k, b, k, 1), 3))
#   williams <- (a - b) * sqrt((n - 1) * (1 + k) /
#                              (2 * (n - 1) / (n - 3) * R + r^2 * (1 - k)^3))
#   q <- (a^2 + b^2) / 2; f <- min(1, (1 - k) / (2 * (1 - q))); h <- (1 - f * q) / (1 - q)
#   meng <- Z * sqrt((n - 3) / (2 * (1 - k) * h))
#   c(steiger, pnorm(steiger, lower.tail = FALSE), williams,
#     pt(williams, n - 3, lower.tail = FALSE), meng, pnorm(meng, lower.tail = FALSE))
# }
# zou <- function(a, b, k, n, level) {
#   z <- qnorm((1 + level) / 2) / sqrt(n - 3)
#   l <- tanh(atanh(c(a, b)) - z); u <- tanh(atanh(c(a, b)) + z)
#   cc <- ((k - a * b / 2) * (1 - a^2 - b^2 - k^2) + k^3) / ((1 - a^2) * (1 - b^2))
#   c(a - b - sqrt((a - l[1])^2 + (u[2] - b)^2 - 2 * cc * (a - l[1]) * (u[2] - b)),
#     a - b + sqrt((u[1] - a)^2 + (b - l[2])^2 - 2 * cc * (u[1] - a) * (b - l[2])))
# }
# for (x in list(c(.7362, .629, .7, 353), c(.2, .5, .4, 30), c(-.3, .25, -.6, 12),
#                c(.95, .9, .97, 2000)))
#   print(c(do.call(tri, as.list(x)), zou(x[1], x[2], x[3], x[4], .95)), digits = 15)
R_VALUES = {
    (0.7362, 0.629, 0.7, 353): (
        (3.83141597535475, 6.37039432679253e-05),
        (3.88151392604448, 6.20311582738287e-05),
        (3.82444025307402, 6.55347623981004e-05),
        (0.052189959088913, 0.165848916871849),
    ),
    (0.2, 0.5, 0.4, 30): (
        (-1.57325967642571, 0.942170648900149),
        (-1.62733606876125, 0.94235936546989),
        (-1.56030168351304, 0.940655697125849),
        (-0.661297329478567, 0.0700532194232553),
    ),
    (-0.3, 0.25, -0.6, 12): (
        (-0.947361366735107, 0.82827266488362),
        (-0.970129066120963, 0.821335040595537),
        (-0.94222522842735, 0.826961329943886),
        (-1.36290989574491, 0.567138271579803),
    ),
    (0.95, 0.9, 0.97, 2000): (
        (26.1124990004295, 1.31475202150292e-150),
        (30.4275475047769, 1.05109875858844e-167),
        (26.0623787576931, 4.86989548556238e-150),
        (0.0451519089793842, 0.0556297820262126),
    ),
}

# R: attitude (built in): rating, complaints, learning
GOLD = "43 63 71 61 81 43 58 71 72 67 64 67 69 68 77 81 74 65 65 50 50 64 53 40 63 66 78 48 85 82"
A = "51 64 70 63 78 55 67 75 82 61 53 60 62 83 77 90 85 60 70 58 40 61 66 37 54 77 75 57 85 82"
B = "39 54 69 47 66 44 56 55 67 47 58 39 42 45 72 72 69 75 57 54 34 62 50 58 48 63 74 45 71 59"
GOLD, A, B = (np.array(text.split(), dtype=float) for text in (GOLD, A, B))


@pytest.mark.parametrize("triple", R_VALUES)
def test_reference_values(triple):
    *tests, interval = R_VALUES[triple]
    for function, (statistic, p) in zip(TESTS, tests, strict=True):
        result = function(*triple)
        assert result.statistic == pytest.approx(statistic, rel=1e-12)
        assert result.pvalue == pytest.approx(p, rel=1e-10)
        assert result.effect == triple[0] - triple[1]
    limits = zou2007(*triple)
    assert (limits.low, limits.high) == pytest.approx(interval, rel=1e-12)


@pytest.mark.parametrize(
    ("function", "arguments", "statistic", "digits"),
    [
        # Steiger 1980, page 249, Case A: -.8913, from a covariance rounded to .0042
        (steiger1980, (0.4, 0.5, 0.1, 103), -0.8887185, 7),
        # Silver, Hittner and May 2006, their program DEPCOR
        (steiger1980, (0.3, 0.4, 0.5, 100), -1.0718, 4),
        (williams1959, (0.3, 0.4, 0.5, 100), -1.0767, 4),
        (meng1992, (0.3, 0.4, 0.5, 100), -1.0707, 4),
        # Meng, Rosenthal and Rubin 1992, first example
        (meng1992, (0.63, -0.03, -0.19, 15), 1.68, 2),
        # May and Hittner 1997
        (meng1992, (0.5, 0.2, 0, 50), 1.62, 2),
        (meng1992, (0.5, 0.2, 0.8, 50), 3.50, 2),
        (meng1992, (0.7, 0.4, 0.4, 50), 2.47, 2),
    ],
)
def test_published_examples(function, arguments, statistic, digits):
    assert round(function(*arguments).statistic, digits) == statistic


def test_published_interval():
    limits = zou2007(0.396, 0.179, 0.088, 66)  # Zou 2007, page 409
    assert (round(limits.low, 3), round(limits.high, 3)) == (-0.093, 0.517)
    assert limits.confidence_level == 0.95


def test_published_pvalues():
    # DEPCOR, two-sided
    expected = {steiger1980: 0.2838, williams1959: 0.2843, meng1992: 0.2843}
    for function, p in expected.items():
        result = function(0.3, 0.4, 0.5, 100, alternative="two-sided")
        assert round(result.pvalue, 4) == p


# R: cor(attitude$rating, attitude$complaints, method = "spearman") and so on, then tri(..., 30)
@pytest.mark.parametrize(
    ("kind", "expected", "statistics"),
    [
        (
            "spearman",
            (0.832200562268763, 0.617270198817639, 0.580102495543672),
            (2.11650440789689, 2.19786639922405, 2.10577882178079),
        ),
        (
            "pearson",
            (0.825417569542146, 0.623678164500211, 0.596735806267436),
            (2.00201596950779, 2.07357274769346, 1.99240401168359),
        ),
    ],
)
def test_ratings(kind, expected, statistics):
    r = gold_ratings.correlations(GOLD, A, B, kind=kind)
    assert (r.r_jk, r.r_jh, r.r_kh) == pytest.approx(expected, rel=1e-13)
    assert r.n == 30
    for function, statistic in zip(TESTS, statistics, strict=True):
        assert function(r.r_jk, r.r_jh, r.r_kh, r.n).statistic == pytest.approx(statistic)


def test_ratings_agrees_with_scipy_and_ignores_order():
    rng = np.random.default_rng(3)
    gold, a, b = rng.integers(0, 6, (3, 80))
    r = gold_ratings.correlations(gold, a, b)
    assert r.r_jk == pytest.approx(stats.spearmanr(gold, a).statistic, rel=1e-12)
    assert r.r_kh == pytest.approx(stats.spearmanr(a, b).statistic, rel=1e-12)
    order = rng.permutation(80)
    for kind in gold_ratings.KINDS:
        whole = gold_ratings.correlations(gold / 7, a / 3, b / 9, kind=kind)
        assert whole == gold_ratings.correlations(
            gold[order] / 7, a[order] / 3, b[order] / 9, kind=kind
        )


def test_ratings_leaves_its_input_alone():
    ratings = GOLD.copy(), A.copy(), B.copy()
    gold_ratings.correlations(*ratings)
    for copy, original in zip(ratings, (GOLD, A, B), strict=True):
        np.testing.assert_array_equal(copy, original)


@pytest.mark.parametrize(
    ("other", "kind"), [(np.exp(A / 10), "spearman"), (3 * A + 0.1, "pearson"), (A, "pearson")]
)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(other, kind, alternative):
    r = gold_ratings.correlations(GOLD, A, other, kind=kind)
    assert r == gold_ratings.Correlations(r.r_jk, r.r_jk, 1.0, 30)
    for function in TESTS:
        result = function(r.r_jk, r.r_jh, r.r_kh, r.n, alternative=alternative)
        assert (result.statistic, result.pvalue, result.effect) == (0, 1, 0)
    limits = zou2007(r.r_jk, r.r_jh, r.r_kh, r.n)
    assert (limits.low, limits.high) == (0, 0)


@st.composite
def triples(draw):
    """Draw three correlations that are possible together, and n."""
    inside = st.floats(-0.99, 0.99)
    r_jk, r_jh = draw(inside), draw(inside)
    bounds = possible_r_kh(r_jk, r_jh)
    r_kh = bounds.low + draw(st.floats(0.01, 0.99)) * (bounds.high - bounds.low)
    assume(bounds.low < r_kh < bounds.high)
    return r_jk, r_jh, r_kh, draw(st.integers(4, 10_000))


@settings(max_examples=100, deadline=None)
@given(triples())
def test_swapping_the_systems(triple):
    r_jk, r_jh, r_kh, n = triple
    mirrored = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    for function in TESTS:
        for alternative, other in mirrored.items():
            result = function(r_jk, r_jh, r_kh, n, alternative=alternative)
            swapped = function(r_jh, r_jk, r_kh, n, alternative=other)
            assert result.pvalue == swapped.pvalue  # to the last bit
            assert result.statistic == -swapped.statistic
            assert 0 <= result.pvalue <= 1
    limits, swapped = zou2007(r_jk, r_jh, r_kh, n), zou2007(r_jh, r_jk, r_kh, n)
    assert (limits.low, limits.high) == (-swapped.high, -swapped.low)
    assert limits.low <= r_jk - r_jh <= limits.high


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(triples())
def test_one_sided_pvalues_keep_the_sign(triple):
    r_jk, r_jh, *_ = triple
    for function in TESTS:
        greater = function(*triple, alternative="greater").pvalue
        two_sided = function(*triple, alternative="two-sided").pvalue
        assert (greater <= 0.5) == (r_jk >= r_jh) or abs(greater - 0.5) < 1e-9
        assert two_sided == min(1, 2 * greater) or r_jk < r_jh


@settings(max_examples=100, deadline=None)
@given(triples())
def test_variance_of_steiger_is_that_of_the_published_formulas(triple):
    """Formulas 10 and 14 as printed, against the equal form that cancels less."""
    r_jk, r_jh, r_kh, n = triple
    r = (r_jk + r_jh) / 2
    c = r_kh * (1 - 2 * r**2) - r**2 / 2 * (1 - 2 * r**2 - r_kh**2)
    c /= (1 - r**2) ** 2
    assume(1 - c > 1e-6)
    z = (np.arctanh(r_jk) - np.arctanh(r_jh)) * np.sqrt((n - 3) / (2 - 2 * c))
    assert steiger1980(*triple).statistic == pytest.approx(z, rel=1e-7, abs=1e-12)


def test_arrays():
    """An audit asks for p over every possible third correlation at once."""
    bounds = possible_r_kh(0.7362, 0.629)
    r_kh = np.linspace(bounds.low, bounds.high, 101)[1:-1]
    for function in TESTS:
        result = function(0.7362, 0.629, r_kh, 353)
        assert result.pvalue.shape == result.statistic.shape == (99,)
        assert result.pvalue[50] == function(0.7362, 0.629, r_kh[50], 353).pvalue
    limits = zou2007(0.7362, 0.629, r_kh[:, None], [353, 1000])
    assert limits.low.shape == (99, 2)


def test_numbers_that_are_right_are_not_written_out():
    """As text, which a message would need, a large array takes longer than its test."""

    class Unseen(list):
        def __repr__(self):
            raise AssertionError("written out without need")

    numbers = [Unseen(values) for values in ([0.7, 0.6], [0.6, 0.5], [0.5, 0.5], [90, 100])]
    for function in (*TESTS, zou2007):
        function(*numbers)


@settings(max_examples=200, deadline=None)
@given(st.floats(-0.999, 0.999), st.floats(-0.999, 0.999), st.floats(-1, 1))
def test_possible_third_correlations(r_jk, r_jh, r_kh):
    bounds = possible_r_kh(r_jk, r_jh)
    matrix = np.array([[1, r_jk, r_jh], [r_jk, 1, r_kh], [r_jh, r_kh, 1]])
    smallest = np.linalg.eigvalsh(matrix).min()
    assume(abs(smallest) > 1e-12)
    assert (bounds.low < r_kh < bounds.high) == (smallest > 0)


def test_bounds_are_what_the_tests_accept():
    bounds = possible_r_kh(0.9, 0.6)
    for function in (*TESTS, zou2007):
        function(0.9, 0.6, np.nextafter(bounds.low, 1), 30)
        function(0.9, 0.6, np.nextafter(bounds.high, 0), 30)
        for limit in (bounds.low, bounds.high):
            with pytest.raises(InputError, match="r_kh"):
                function(0.9, 0.6, limit, 30)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 0.5, 0.5, 30), r"r_jk is 1.2, but a correlation is a number in \[-1, 1\]"),
        ((0.5, -1.01, 0.5, 30), "r_jh is -1.01"),
        ((0.5, 0.4, np.nan, 30), "r_kh is nan"),
        (([0.1, 7], 0.4, 0.5, 30), r"r_jk\[1\] is 7"),
        (("high", 0.4, 0.5, 30), "r_jk is 'high', but a correlation is a number; pass a number in"),
        ((0.9, 0.9, 0.1, 30), "r_kh is 0.1, .* strictly between 0.62 and 1;"),
        ((0.9, 0.8, [0.7, -1], 30), r"r_kh\[1\] is -1"),
        ((0.9, 0.8, 1, 30), "r_kh is 1"),
        ((1, 0.8, 0.8, 30), "r_jk is 1, but the test needs correlations strictly between -1 and 1"),
        ((0.5, 0.4, 0.3, 3), r"n is 3, but comparing two correlations needs at least 4 items \(a"),
        ((0.5, 0.4, 0.3, 30.5), "n is 30.5"),
        ((0.5, 0.4, 0.3, np.inf), "n is inf"),
        ((0.5, 0.4, 0.3, "many"), "n is 'many', but must be a number; pass the number of rated"),
        (([0.5, 0.4], [0.1, 0.2, 0.3], 0.3, 30), r"r_jk, r_jh, r_kh and n have the shapes \(2,\)"),
    ],
)
def test_impossible_input(arguments, message):
    for function in (*TESTS, zou2007):
        with pytest.raises(InputError, match=message) as info:
            function(*arguments)
        assert str(info.value).endswith(".") and "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        (([1, 2, 3, 4], [1, 2, 3], [1, 2, 3, 4]), r"of A and ratings of B differ \(4, 3 and 4\)"),
        (([1, 2, 3],) * 3, "two correlations needs at least 4 rated items, but this dataset has 3"),
        (([], [], []), "two correlations needs at least 4 rated items, but this dataset has 0"),
        (([1, 2, 3, 4], [1, 2, np.nan, 4], [1, 2, 3, 4]), "ratings of A include nan for item 2"),
        (([1, 2, 3, 4], [1, 2, 3, 4], [1, np.inf, 3, 4]), "ratings of B include inf for item 1"),
        (([2, 2, 2, 2], [1, 2, 3, 4], [1, 2, 4, 3]), "gold ratings"),
        ((["x"] * 4, [1, 2, 3, 4], [1, 2, 4, 3]), "not all numbers; pass one number"),
        (([[1, 2], [3, 4]],) * 3, r"are not a one-dimensional sequence \(number of axes: 2\)"),
    ],
)
def test_ratings_that_cannot_be_compared(ratings, message):
    with pytest.raises(InputError, match=message):
        gold_ratings.correlations(*ratings)


def test_unknown_names():
    for function in TESTS:
        with pytest.raises(InputError, match="did you mean 'greater'"):
            function(0.5, 0.4, 0.3, 30, alternative="great")
    with pytest.raises(InputError, match="did you mean 'spearman'"):
        gold_ratings.correlations(GOLD, A, B, kind="spearmann")
    with pytest.raises(
        InputError, match=r"r_jk and r_jh have the shapes \(2,\) and \(3,\), which cannot be"
    ):
        possible_r_kh([0.5, 0.4], [0.1, 0.2, 0.3])
    with pytest.raises(InputError, match="confidence_level is 95"):
        zou2007(0.5, 0.4, 0.3, 30, confidence_level=95)


def simulated(n, gold, between, n_samples, seed):
    """Pearson's correlations of normal ratings with equal true correlations with gold."""
    rng = np.random.default_rng(seed)
    covariance = [[1, gold, gold], [gold, 1, between], [gold, between, 1]]
    z = rng.normal(size=(n_samples, n, 3)) @ np.linalg.cholesky(covariance).T
    z -= z.mean(axis=1, keepdims=True)
    z /= np.sqrt(np.vecdot(z, z, axis=1))[:, None]
    r = np.swapaxes(z, 1, 2) @ z
    return r[:, 0, 1], r[:, 0, 2], r[:, 1, 2]


@pytest.mark.parametrize(
    ("n", "gold", "between"), [(20, 0.3, 0.5), (30, 0.6, 0.6), (100, 0.8, 0.8)]
)
def test_size_under_the_null(n, gold, between):
    """For Pearson's correlation of normal ratings; for Spearman's the module tells the excess."""
    n_samples = 10_000
    r = simulated(n, gold, between, n_samples, seed=1980)
    for function in TESTS:
        for alternative in ALTERNATIVES:
            p = function(*r, n, alternative=alternative).pvalue
            for alpha in (0.05, 0.01):
                error = np.sqrt(alpha * (1 - alpha) / n_samples)
                assert np.mean(p <= alpha) <= alpha + 4 * error
    limits = zou2007(*r, n)
    covered = np.mean((limits.low <= 0) & (limits.high >= 0))
    assert abs(covered - 0.95) <= 0.01
