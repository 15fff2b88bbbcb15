"""Margins of every test: enumeration in fractions, R, symmetry, ties on the boundary, bad input."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from replicability.checks import InputError
from replicability.stats import margins, metrics, paired
from replicability.stats.paired import TESTS, tango_counts

OF_MORE = {name for name in TESTS if TESTS[name].takes in ("runs", "judged")}
OWN = ("repeated_k_fold", "cv_5x2_f", *OF_MORE)
"""Tests that take other scores: see `test_crossed` and `test_judged`."""
CARRYING = [name for name, test in TESTS.items() if test.margin and name not in OWN]
FEW = {"n_resamples": 300, "rng": 5}


def scores(name, n, seed=0):
    """Return scores of A and B that a test takes, and its options."""
    rng = np.random.default_rng(seed)
    if TESTS[name].takes == "outcomes":
        a, b = rng.integers(0, 2, (2, n))
        return a, b, {}
    a, b = rng.integers(0, 11, (2, n)) / 10
    if name == "resampled_t":
        return a, b, {"test_share": 0.1}
    if TESTS[name].takes == "ratings":
        drawn = {key: value for key, value in FEW.items() if key in TESTS[name].options}
        return a, b, {"gold": rng.integers(0, 11, n) / 10, **drawn}
    return a, b, {}


# --- enumeration ----------------------------------------------------------------------------------


def share(sums, bound):
    sums = list(sums)
    return sum(value >= bound for value in sums) / len(sums)


def flips_by_hand(d):
    """Return the p-value of sign flips of fractions, by all 2^n signs."""
    sums = (
        sum(sign * x for sign, x in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=len(d))
    )
    return share(sums, sum(d))


def bootstrap_by_hand(d, w, margin):
    """Return the p-value of the ideal bootstrap of fractions, by all n^n resamples."""
    slope = 2 * sum(d) / sum(w) - margin
    terms = [x - slope * y for x, y in zip(d, w, strict=True)]
    return share(map(sum, itertools.product(terms, repeat=len(d))), 0)


def fractions_of(n, denominator, seed):
    rng = np.random.default_rng(seed)
    return [
        [Fraction(int(k), denominator) for k in side]
        for side in rng.integers(0, denominator + 1, (2, n))
    ]


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("denominator", "margin"),
    [(10, "1/10"), (10, "-1/10"), (10, "1/20"), (10, "-1/100"), (3, "1/100"), (1, "-1/20")],
)
@pytest.mark.parametrize("seed", range(6))
def test_shifted_sign_flips_are_those_of_all_signs(precision, denominator, margin, seed):
    n, margin = 4 + 2 * (seed % 4), Fraction(margin)
    a, b = fractions_of(n, denominator, seed)
    expected = flips_by_hand([x - y - margin for x, y in zip(a, b, strict=True)])
    sides = (np.array(side, dtype=float).astype(precision) for side in (a, b))
    found = paired.sign_flip(*sides, margin=float(margin))
    assert found.pvalue == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("denominator", "margin"), [(10, "1/10"), (10, "-1/10"), (10, "-1/100"), (1, "-1/20")]
)
@pytest.mark.parametrize("seed", range(5))
def test_shifted_bootstrap_is_that_of_all_resamples(precision, denominator, margin, seed):
    n, margin = 2 + seed % 4, Fraction(margin)
    a, b = fractions_of(n, denominator, seed)
    d = [x - y for x, y in zip(a, b, strict=True)]
    expected = bootstrap_by_hand(d, [Fraction(1)] * n, margin)
    sides = (np.array(side, dtype=float).astype(precision) for side in (a, b))
    found = paired.paired_bootstrap(*sides, margin=float(margin))
    assert found.pvalue == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("margin", ["1/10", "-1/10", "-1/100", "1/7"])
@pytest.mark.parametrize("seed", range(6))
def test_margins_of_ratios_weigh_the_denominators(margin, seed):
    n, margin, rng = 2 + seed % 4, Fraction(margin), np.random.default_rng(seed)
    w = rng.integers(1, 6, n)
    a, b = (rng.integers(0, w + 1) for _ in range(2))
    d = [Fraction(int(x)) - int(y) for x, y in zip(a, b, strict=True)]
    weights = [Fraction(int(x)) for x in w]
    sums = [np.column_stack([side, w]).astype(float) for side in (a, b)]
    shifted = [x - margin * y for x, y in zip(d, weights, strict=True)]
    flipped = paired.sign_flip(*sums, margin=float(margin)).pvalue
    assert flipped == pytest.approx(flips_by_hand(shifted), abs=1e-12)
    drawn = paired.paired_bootstrap(*sums, margin=float(margin)).pvalue
    assert drawn == pytest.approx(bootstrap_by_hand(d, weights, margin), abs=1e-9)


@pytest.mark.parametrize("margin", ["1/10", "-1/10", "3/10", "-1/20"])
@pytest.mark.parametrize("seed", range(5))
def test_shifted_wilcoxon_ranks_fractions(margin, seed):
    n, margin = 4 + 2 * (seed % 4), Fraction(margin)
    a, b = fractions_of(n, 10, seed)
    d = [x - y - margin for x, y in zip(a, b, strict=True) if x - y != margin]
    ranks = stats.rankdata([int(60 * abs(x)) for x in d]) if d else []
    signed = [Fraction(r) * (1 if x > 0 else -1) for r, x in zip(ranks, d, strict=True)]
    found = paired.wilcoxon(*(np.array(s, dtype=float) for s in (a, b)), margin=float(margin))
    assert found.pvalue == pytest.approx(flips_by_hand(signed), abs=1e-12)


def test_tests_on_long_decimals_tie_as_integers_do():
    rng = np.random.default_rng(11)
    for digits in (1, 2, 3):
        a, b = rng.integers(0, 10**digits + 1, (2, 200))
        margin = int(rng.integers(1, 10**digits // 2))
        for test in ("sign_flip", "paired_bootstrap", "wilcoxon"):
            whole = paired.run(test, a, b, margin=margin)
            tenth = paired.run(test, a / 10**digits, b / 10**digits, margin=margin / 10**digits)
            assert tenth.pvalue == whole.pvalue


@pytest.mark.parametrize("factor", [1e-12, 1e12, 3.0])
def test_the_unit_of_scores_and_margin_has_no_part(factor):
    rng = np.random.default_rng(12)
    a, b = rng.integers(0, 11, (2, 60)) / 10
    for test in ("sign_flip", "paired_bootstrap", "wilcoxon", "paired_t"):
        found = paired.run(test, factor * a, factor * b, margin=factor * 0.1)
        expected = paired.run(test, a, b, margin=0.1).pvalue
        assert found.pvalue == pytest.approx(expected, rel=1e-9)


# --- on the boundary ------------------------------------------------------------------------------


@pytest.mark.parametrize("test", ["sign_flip", "wilcoxon", "paired_t"])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_float_dust_on_the_boundary_is_no_evidence(test, precision):
    a, b = (np.full(8, x, dtype=precision) for x in (0.3, 0.1))
    assert a.dtype == np.float32 or 0.3 - 0.1 != 0.2
    for alternative in ("greater", "less", "two-sided"):
        assert paired.run(test, a, b, margin=0.2, alternative=alternative).pvalue == 1


def test_a_difference_at_the_margin_speaks_for_neither_side():
    a, b = np.array([3, 5, 4, 6, 7, 2]) / 10, np.array([1, 3, 2, 4, 5, 2]) / 10
    for test in ("sign_flip", "wilcoxon", "paired_bootstrap"):
        less, greater = (
            paired.run(test, a, b, margin=1 / 6, alternative=way).pvalue
            for way in ("less", "greater")
        )
        assert less + greater >= 1
    at = paired.sign_flip(a, b, margin=float(np.mean(a - b))).pvalue
    assert at >= 0.5


# --- what holds for every test that carries a margin ----------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", CARRYING)
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_a_margin_of_zero_is_none(name, alternative):
    for seed in range(3):
        a, b, options = scores(name, 25, seed)
        plain = paired.run(name, a, b, **options, alternative=alternative)
        for zero in (0.0, -0.0, 0):
            found = paired.run(name, a, b, **options, alternative=alternative, margin=zero)
            assert found == plain


@pytest.mark.slow
@pytest.mark.parametrize("name", CARRYING)
def test_a_larger_margin_is_harder_to_pass(name):
    for seed in range(3):
        a, b, options = scores(name, 25, seed)
        p = [paired.run(name, a, b, **options, margin=m / 100).pvalue for m in range(-30, 31, 5)]
        # the error that a p-value states is at most 1e-9
        assert (np.diff(p) >= -2e-9).all()
        assert p[0] < p[-1]


@pytest.mark.parametrize("name", CARRYING)
@pytest.mark.parametrize("margin", [0.1, -0.25])
def test_swapping_the_systems_turns_the_margin(name, margin):
    for seed in range(3):
        a, b, options = scores(name, 25, seed)
        forth = paired.run(name, a, b, **options, margin=margin)
        back = paired.run(name, b, a, **options, margin=-margin, alternative="less")
        assert forth.pvalue == back.pvalue
        assert forth.effect == -back.effect


@pytest.mark.parametrize("name", CARRYING)
def test_the_effect_and_its_interval_are_those_without_margin(name):
    a, b, options = scores(name, 25)
    plain = paired.run(name, a, b, **options)
    found = paired.run(name, a, b, **options, margin=0.1)
    for part in ("effect", "confidence_interval", "wins", "ties", "losses", "scores"):
        assert getattr(found, part) == getattr(plain, part)
    assert "margin of 0.1" in found.how


@pytest.mark.parametrize("name", CARRYING)
def test_equivalence_is_both_one_sided_tests(name):
    a, b, options = scores(name, 40)
    both = [
        paired.run(name, a, b, **options, margin=-0.3).pvalue,
        paired.run(name, a, b, **options, margin=0.3, alternative="less").pvalue,
    ]
    tests = margins.hypotheses("equivalent", 0.3)
    assert margins.run(name, a, b, tests, **options).pvalue == max(both)
    assert margins.run(name, b, a, tests, **options).pvalue == max(both)


@pytest.mark.parametrize("name", CARRYING)
@pytest.mark.parametrize("claim", ["better_by", "not_worse"])
def test_turned_tests_are_those_of_the_other_system(name, claim):
    a, b, options = scores(name, 25)
    tests = margins.hypotheses(claim, 0.1)
    there = margins.run(name, a, b, margins.turned(tests), **options)
    assert there.pvalue == margins.run(name, b, a, tests, **options).pvalue


def test_every_test_says_how_it_carries_a_margin():
    for name, test in TESTS.items():
        assert ("margin" in test.options) == bool(test.margin)
        assert test.margin_note
        if not test.margin:
            instead = [other for other in CARRYING if other in test.margin_note]
            assert instead, name


def test_f1_is_linearised():
    rng = np.random.default_rng(4)
    gold = 1 + rng.poisson(4, 300)
    sides = []
    for p in (0.8, 0.75):
        correct = rng.binomial(gold, p)
        sides.append(np.column_stack([correct, correct + rng.poisson(0.5, 300), gold]))
    a, b = (side.astype(float) for side in sides)
    options = {"metric": "f1", "n_resamples": 4000, "rng": 1}
    effect = metrics.METRICS["f1"](a.sum(0)) - metrics.METRICS["f1"](b.sum(0))
    standard_error = paired.difference(a, b, metric="f1").standard_error
    for margin in (-0.02, 0.01, 0.03):
        normal = stats.norm.sf((effect - margin) / standard_error)
        flipped = paired.sign_flip(a, b, metric="f1", margin=margin)
        drawn = paired.paired_bootstrap(a, b, margin=margin, **options)
        assert flipped.effect == drawn.effect == pytest.approx(effect)
        assert flipped.pvalue == pytest.approx(normal, abs=0.02)
        assert drawn.pvalue == pytest.approx(normal, abs=0.04)
        assert "linearised" in flipped.how


# --- reference values -----------------------------------------------------------------------------

# R, by numerical maximisation of the likelihood under the null hypothesis:
#   z <- function(b, c, n, m) {
#     part <- function(k, p) if (k > 0) k * log(p) else 0
#     l <- function(q) part(b, q + m) + part(c, q) + part(n - b - c, 1 - 2 * q - m)
#     q <- optimize(l, c(max(0, -m), (1 - m) / 2), maximum = TRUE, tol = 1e-14)$maximum
#     (b - c - n * m) / sqrt(n * (2 * q + m - m^2))
#   }
TANGO_IN_R = [
    (4, 10, 100, -0.15, 2.132628412),
    (4, 10, 100, 0, -1.603567411),
    (30, 10, 200, 0.05, 1.636757164),
    (0, 1, 44, -0.1, 1.708564254),
    (0, 0, 50, -0.1, 2.357022560),
    (7, 1, 21, 0.1, 1.471333208),
]


@pytest.mark.parametrize(("wins", "losses", "n", "margin", "z"), TANGO_IN_R)
def test_tango_maximises_the_likelihood(wins, losses, n, margin, z):
    found = tango_counts(wins, losses, n, margin=margin)
    assert found.statistic == pytest.approx(z, rel=1e-7)
    assert found.pvalue == pytest.approx(stats.norm.sf(z), rel=1e-6)
    assert tango_counts(losses, wins, n, margin=-margin).statistic == -found.statistic


# R, uniroot of z(7, 1, 21, m) - qnorm(.975) and + qnorm(.975) over m; the non-iterative TangoCI of
# Yang, Sun and Hardin (2013, Statistics in Medicine 32, 1336-1342), the roots of a polynomial, has
# the same limits. The first are the data of Bentur et al. (2009), in Fagerland et al. (2014).
@pytest.mark.parametrize(
    ("wins", "losses", "n", "low", "high"),
    [
        (7, 1, 21, 0.02600303, 0.51723228),
        (40, 20, 160, 0.03086453, 0.21806424),
        (0, 1, 44, -0.11807710, 0.05939323),
    ],
)
def test_interval_of_tango(wins, losses, n, low, high):
    found = tango_counts(wins, losses, n).confidence_interval
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)
    mirrored = tango_counts(losses, wins, n).confidence_interval
    assert (mirrored.low, mirrored.high) == pytest.approx((-high, -low), abs=1e-7)


def test_tango_without_margin_is_mcnemar():
    for wins, losses in ((7, 1), (0, 4), (3, 3), (0, 0)):
        for alternative in ("greater", "less", "two-sided"):
            found = tango_counts(wins, losses, 21, alternative=alternative).pvalue
            expected = paired.mcnemar_pvalues(
                wins, losses, variant="asymptotic", alternative=alternative
            )
            assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("wins", "losses", "n"), [(10, 0, 10), (0, 10, 10), (1, 0, 1), (0, 0, 3)])
def test_the_interval_of_tango_holds_the_estimate(wins, losses, n):
    interval = tango_counts(wins, losses, n).confidence_interval
    assert -1 <= interval.low <= (wins - losses) / n <= interval.high <= 1
    assert interval.low < interval.high


def test_t_and_wilcoxon_are_those_of_r():
    # R: x <- c(.1, .5, -.2, .7, .4, .3, .9, -.1, .6, .25)
    #    t.test(x, mu = .2, alternative = "greater")$p.value and mu = -.3, "less";
    #    wilcox.test(x, mu = .22, alternative = "greater", exact = TRUE)$p.value
    x = np.array([0.1, 0.5, -0.2, 0.7, 0.4, 0.3, 0.9, -0.1, 0.6, 0.25])
    zero = np.zeros(10)
    t = [
        paired.paired_t(x, zero, margin=0.2).pvalue,
        paired.paired_t(x, zero, margin=-0.3, alternative="less").pvalue,
    ]
    assert t == pytest.approx([0.110317238042, 0.999878863335], rel=1e-10)
    assert paired.wilcoxon(x, zero, margin=0.22).pvalue == pytest.approx(0.1611328125, rel=1e-12)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "margin", "message"),
    [
        ("better", 0.01, r"the key 'margin' is 0\.01, but the claim 'better' takes no margin"),
        ("not_worse", None, "'not_worse' needs a margin"),
        ("not_worse", 0, "margin is 0, but must be above 0 for every claim; for 'not_worse' by"),
        ("better_by", -0.01, r"margin is -0\.01, but must be above 0 for every claim; for"),
        ("equivalent", math.nan, "margin is nan"),
        ("equivalent", math.inf, "margin is inf"),
        ("not_worse", "a point", r"margin is the string 'a point'; pass a number\."),
        ("no_worse", 0.01, "did you mean 'not_worse'"),
    ],
)
def test_margins_that_cannot_be(claim, margin, message):
    with pytest.raises(InputError, match=message):
        margins.hypotheses(claim, margin)


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if not test.margin])
def test_tests_that_carry_no_margin_name_one_that_does(name):
    a, b, options = scores(name, 25)
    with pytest.raises(InputError, match=f"'{name}' does not support a margin: .*use [a-z_]+"):
        margins.run(name, a, b, margins.hypotheses("not_worse", 0.1), **options)


def test_mcnemar_with_a_margin_names_tango():
    with pytest.raises(InputError, match=r"it uses only the items .* use exact_unconditional"):
        margins.carries("mcnemar")


@pytest.mark.parametrize("name", CARRYING)
@pytest.mark.parametrize("margin", [math.nan, math.inf, "much", None])
def test_a_margin_is_a_finite_number(name, margin):
    a, b, options = scores(name, 25)
    with pytest.raises(InputError, match=r"margin is .*finite number"):
        paired.run(name, a, b, **options, margin=margin)


@pytest.mark.parametrize("margin", [1, -1, 5])
def test_a_margin_of_accuracies_is_a_share(margin):
    with pytest.raises(InputError, match=r"margin is .* but a difference of accuracies lies"):
        paired.tango([1, 0], [0, 1], margin=margin)


def test_wilcoxon_does_not_shift_right_and_wrong():
    with pytest.raises(InputError, match="the margin, which is impossible for scores of 0 and 1"):
        paired.wilcoxon([1, 0, 1], [0, 0, 1], margin=-0.1)


def test_t_needs_variance_around_a_margin():
    with pytest.raises(InputError, match="use sign_flip"):
        paired.paired_t([3, 4, 5], [3, 4, 5], margin=-1)
