"""The tests of one dataset against R, scipy, enumeration, and what must hold for every test."""

import dataclasses
import inspect
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from replicability.checks import ALTERNATIVES, InputError
from replicability.stats import correlation, gold_ratings, intervals, metrics, paired
from replicability.stats.exact import CannotMeetBound
from replicability.stats.paired import (
    TESTS,
    VARIANTS,
    ZERO_METHODS,
    both,
    matrix,
    mcnemar,
    mcnemar_counts,
    mcnemar_pvalues,
    paired_bootstrap,
    paired_t,
    rating_bootstrap,
    run,
    sign_flip,
    sign_test,
    steiger,
    wilcoxon,
    williams,
)

MIRRORED = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
SAMPLED = {"n_resamples": 200, "rng": 17}

# R: x and y of ?wilcox.test, Hollander and Wolfe (1973), depression before and after therapy
X = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
Y = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])

# R: i <- 0:99; s <- (i * 37) %% 11; t <- (i * 53) %% 7
I = np.arange(100)  # noqa: E741
S, T = (I * 37) % 11, (I * 53) % 7


OF_MORE = {name for name in TESTS if TESTS[name].takes in ("runs", "judged")}
OWN = ("repeated_k_fold", "cv_5x2_f", *OF_MORE)
"""Tests that take other scores: see `test_crossed` and `test_judged`."""
TESTS = {name: test for name, test in TESTS.items() if name not in OWN}
SIMPLE = [name for name, test in TESTS.items() if test.takes in ("scores", "sums")]


NEEDED = {"resampled_t": {"test_share": 0.01}}
"""Test -> options without a default that are no scores."""


def settings_of(name):
    """Return options under which a test takes the scores below, and one variant of each."""
    ways = [NEEDED.get(name, {})]
    if TESTS[name].takes == "sums":
        ways.append(SAMPLED)
    if name == "wilcoxon":
        ways.append({"zero_method": "pratt"})
    if name == "mcnemar":
        ways += [{"variant": variant} for variant in VARIANTS]
    if name == "rating_bootstrap":
        ways = [SAMPLED]
    return ways


CASES = [
    pytest.param(name, options, id="-".join(map(str, [name, *options.values()])))
    for name in TESTS
    for options in settings_of(name)
]


def scores_for(name, n, seed):
    """Return scores of two systems that differ, and the options that come with them."""
    rng = np.random.default_rng(seed)
    if TESTS[name].takes == "outcomes":
        return *(rng.random((2, n)) < [[0.8], [0.6]]).astype(int), {}
    if TESTS[name].takes == "ratings":
        gold = rng.normal(size=n)
        return gold + rng.normal(size=n), gold + 2 * rng.normal(size=n), {"gold": gold}
    return *rng.integers(0, 8, (2, n)) / 7, {}


# --- reference values ---------------------------------------------------------------------------


# R: for (alt in c("greater", "less", "two.sided"))
#      print(c(wilcox.test(x, y, paired = TRUE, alternative = alt)$p.value,
#              t.test(x, y, paired = TRUE, alternative = alt)$p.value), digits = 15)
@pytest.mark.parametrize(
    ("alternative", "rank", "t"),
    [
        ("greater", 0.01953125, 0.00808831371745405),
        ("less", 0.986328125, 0.991911686282546),
        ("two-sided", 0.0390625, 0.0161766274349081),
    ],
)
def test_wilcoxon_and_t_as_in_r(alternative, rank, t):
    assert wilcoxon(X, Y, alternative=alternative).pvalue == rank
    assert paired_t(X, Y, alternative=alternative).pvalue == pytest.approx(t, rel=1e-12)


def test_statistics_and_interval_as_in_r():
    # R: wilcox.test(x, y, paired = TRUE)$statistic; t.test(x, y, paired = TRUE)
    assert wilcoxon(X, Y).statistic == 40
    result = paired_t(X, Y)
    assert result.statistic == pytest.approx(3.03537541564859, rel=1e-12)
    limits = result.confidence_interval
    assert (limits.low, limits.high) == pytest.approx((0.103778712272169, 0.759999065505609))
    assert (result.wins, result.ties, result.losses, result.n) == (7, 0, 2, 9)
    # R: binom.test(7, 9, alternative = "greater")
    assert sign_test(X, Y).pvalue == pytest.approx(0.08984375, rel=1e-14)


# R: wilcox.test(s, t, paired = TRUE, exact = FALSE, correct = FALSE, alternative = alt)$p.value
#    binom.test(sum(s > t), sum(s != t), alternative = alt)$p.value
#    t.test(s, t, paired = TRUE, alternative = alt)$p.value
@pytest.mark.parametrize(
    ("alternative", "rank", "sign", "t"),
    [
        ("greater", 1.81935570689832e-06, None, 3.49178554848806e-07),
        ("less", 0.999998180644293, None, 0.999999650821445),
        ("two-sided", 3.63871141379664e-06, 0.000187755796179299, 6.98357109697612e-07),
    ],
)
def test_ties_and_zeros_as_in_r(alternative, rank, sign, t):
    result = wilcoxon(S, T, alternative=alternative)
    assert result.pvalue == pytest.approx(rank, rel=1e-12)
    assert result.statistic == 3195.5
    assert (result.wins, result.ties, result.losses) == (63, 10, 27)
    assert paired_t(S, T, alternative=alternative).pvalue == pytest.approx(t, rel=1e-12)
    if sign is not None:
        p = sign_test(S, T, alternative=alternative).pvalue
        assert p == pytest.approx(sign, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", paired.ZERO_METHODS)
@pytest.mark.parametrize("n", [60, 300])
def test_wilcoxon_as_in_scipy(alternative, zero_method, n):
    rng = np.random.default_rng(n)
    a, b = rng.integers(0, 30, (2, n))
    expected = stats.wilcoxon(
        a, b, zero_method=zero_method, alternative=alternative, correction=False, method="approx"
    )
    result = wilcoxon(a, b, zero_method=zero_method, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert zero_method in result.how and "normal" in result.how


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 7, 30, 50])
def test_exact_wilcoxon_as_in_scipy(alternative, n):
    d = np.random.default_rng(n).normal(0.2, 1, n)
    expected = stats.wilcoxon(d, alternative=alternative, method="exact")
    result = wilcoxon(d, np.zeros(n), alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert result.how.startswith("exact")


def enumerated(values, observed):
    """Share of all sign patterns whose sum is at least the observed one."""
    sums = [np.dot(signs, values) for signs in itertools.product((-1, 1), repeat=len(values))]
    return np.mean(np.array(sums) >= observed - 1e-9)


@pytest.mark.parametrize("zero_method", paired.ZERO_METHODS)
def test_exact_wilcoxon_with_ties_by_enumeration(zero_method):
    d = np.array([3, -1, 1, 0, 2, 2, -1, 4, 0, 1])
    kept = d if zero_method == "pratt" else d[d != 0]
    ranks = stats.rankdata(np.abs(kept)) * np.sign(kept)
    p = wilcoxon(d, 0 * d, zero_method=zero_method).pvalue
    assert p == enumerated(ranks[kept != 0], ranks.sum())


def test_wilcoxon_ties_survive_rounding():
    """2/3 - 1/3 and 1/3 - 0 differ in the last bit, and so do the ranks of naive code."""
    words = np.array([3, 3, 3, 3, 5, 5])
    a, b = np.array([2, 1, 3, 1, 4, 2]), np.array([1, 0, 2, 2, 2, 4])
    scores = wilcoxon(a / words, b / words)
    sixtieths = wilcoxon(a * 60 // words, b * 60 // words)
    assert scores.pvalue == sixtieths.pvalue
    assert wilcoxon([0.1 + 0.2], [0.3]).ties == 1
    assert wilcoxon([1e6 + 1e-6], [1e6]).wins == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_wilcoxon_of_binary_scores_is_mcnemar(alternative):
    rng = np.random.default_rng(1)
    for n, variant in ((40, "exact"), (400, "asymptotic")):
        a, b = rng.random((2, n)) < 0.6
        result = wilcoxon(a, b, alternative=alternative)
        expected = mcnemar(a, b, variant=variant, alternative=alternative)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert "McNemar" in result.how


# R: w <- 1; l <- 7
#    exact: pbinom(w - 1, w + l, .5, lower.tail = FALSE); pbinom(w, w + l, .5);
#           binom.test(w, w + l)$p.value
#    mid-p: the same minus dbinom(w, w + l, .5) / 2; 2 * pbinom(min(w, l), w + l, .5) -
#           dbinom(w, w + l, .5), or 1 - dbinom(w, w + l, .5) / 2 for w == l
#    mcnemar.test(matrix(c(10, l, w, 10), 2), correct = FALSE)$p.value, and correct = TRUE
@pytest.mark.parametrize(
    ("wins", "losses", "exact", "mid", "asymptotic", "corrected"),
    [
        (
            *(1, 7),
            (0.99609375, 0.03515625, 0.0703125),
            (0.98046875, 0.01953125, 0.0390625),
            *(0.0338948535246893, 0.077099871743542),
        ),
        (
            *(30, 10),
            (0.00111071688661468, 0.999660225872503, 0.00222143377322937),
            (0.000725245507055662, 0.999274754492944, 0.00145049101411132),
            *(0.00156540225800255, 0.00266311925913855),
        ),
        (
            *(6, 16),
            (0.991549730300903, 0.0262393951416016, 0.0524787902832032),
            (0.982655167579651, 0.0173448324203491, 0.0346896648406983),
            *(0.0330062576612324, 0.0550088336292657),
        ),
        (5, 5, (0.623046875, 0.623046875, 1), (0.5, 0.5, 0.876953125), 1, 1),
        (
            *(400, 200),
            (1.19628884938543e-16, 1, 2.39257769877085e-16),
            (8.94323747481103e-17, 1, 1.78864749496221e-16),
            *(3.21526272738712e-16, 4.50541839512378e-16),
        ),
    ],
)
def test_mcnemar_as_in_r(wins, losses, exact, mid, asymptotic, corrected):
    expected = {"exact": exact, "mid-p": mid}
    for variant, values in expected.items():
        for alternative, value in zip(ALTERNATIVES, values, strict=True):
            p = mcnemar_pvalues(wins, losses, variant=variant, alternative=alternative)
            assert p == pytest.approx(value, rel=1e-11)
    for variant, value in (("asymptotic", asymptotic), ("corrected", corrected)):
        p = mcnemar_pvalues(wins, losses, variant=variant, alternative="two-sided")
        assert p == pytest.approx(value, rel=1e-12)


def test_published_mcnemar():
    """Bentur et al. 2009 in Fagerland, Lydersen and Laake 2013: 1 and 7 of 21 discordant."""
    published = {"exact": 0.0703, "mid-p": 0.0391, "asymptotic": 0.0339, "corrected": 0.0771}
    for variant, p in published.items():
        result = mcnemar_counts(1, 7, 21, variant=variant, alternative="two-sided")
        assert round(result.pvalue, 4) == p


@pytest.mark.parametrize("variant", ["asymptotic", "corrected"])
def test_one_sided_asymptotic_mcnemar(variant):
    # R: pnorm((30 - 10 - c(0, 1)) / sqrt(40), lower.tail = FALSE)
    z = {"asymptotic": 20, "corrected": 19}[variant] / math.sqrt(40)
    p = mcnemar_pvalues(30, 10, variant=variant)
    assert p == pytest.approx(stats.norm.sf(z), rel=1e-13)
    assert mcnemar_pvalues(10, 30, variant=variant) > 0.99  # the sign is kept


def test_statistic_of_asymptotic_mcnemar():
    # R: sqrt(mcnemar.test(matrix(c(10, 10, 30, 10), 2), correct = FALSE)$statistic), and TRUE
    for variant, statistic in (("asymptotic", 3.162277660168379), ("corrected", 3.004163771859960)):
        assert mcnemar_counts(30, 10, 60, variant=variant).statistic == pytest.approx(statistic)
        assert mcnemar_counts(10, 30, 60, variant=variant).statistic == pytest.approx(-statistic)
        assert mcnemar_counts(0, 0, 60, variant=variant).statistic == 0


def test_mcnemar_interval():
    for counts in ((1, 7, 21), (30, 10, 100), (3, 0, 3)):
        for variant in VARIANTS:
            found = mcnemar_counts(*counts, variant=variant, confidence_level=0.9)
            assert found.confidence_interval == intervals.paired_shares(*counts, 0.9)


def test_mcnemar_from_scores_and_counts():
    a, b = [1, 1, 1, 0, 0, 1, 1], [0, 0, 0, 1, 0, 1, 0]
    for variant in VARIANTS:
        result = mcnemar(a, b, variant=variant)
        assert result == mcnemar_counts(4, 1, 7, variant=variant)
        assert (result.wins, result.ties, result.losses, result.effect) == (4, 2, 1, 3 / 7)
    assert mcnemar(a, b).pvalue == pytest.approx(
        stats.binomtest(4, 5, alternative="greater").pvalue
    )


@pytest.mark.parametrize("function", [steiger, williams, paired.meng])
@pytest.mark.parametrize("kind", gold_ratings.KINDS)
def test_tests_of_ratings(function, kind):
    a, b, options = scores_for("steiger", 60, 4)
    result = function(a, b, kind=kind, **options)
    r = gold_ratings.correlations(options["gold"], a, b, kind=kind)
    by_name = {"steiger": "steiger1980", "williams": "williams1959", "meng": "meng1992"}
    test = getattr(correlation, by_name[result.test])
    expected = test(r.r_jk, r.r_jh, r.r_kh, r.n)
    assert (result.statistic, result.pvalue) == (expected.statistic, expected.pvalue)
    assert result.effect == r.r_jk - r.r_jh
    assert result.confidence_interval == correlation.zou2007(r.r_jk, r.r_jh, r.r_kh, r.n)
    assert result.wins is None


def test_steiger_of_ranks_as_in_r():
    # R: gold <- 1:6; a <- c(1, 2, 3, 4, 6, 5); b <- c(2, 1, 4, 6, 3, 5)
    #    tri(cor(gold, a, method = "s"), cor(gold, b, method = "s"), cor(a, b, method = "s"), 6)
    #    with `tri` of test_correlation.py
    result = steiger([1, 2, 3, 4, 6, 5], [2, 1, 4, 6, 3, 5], gold=range(1, 7))
    assert result.statistic == pytest.approx(1.37592105047357, rel=1e-12)
    assert result.pvalue == pytest.approx(0.0844230386205838, rel=1e-12)


# --- resampling tests ----------------------------------------------------------------------------


def bootstrap_by_enumeration(a, b, size):
    """Share of all n**size resamples with delta* >= 2 delta, both systems on the same items."""
    a, b = np.reshape(a, (len(a), -1)), np.reshape(b, (len(b), -1))
    if a.shape[1] == 1:
        a, b = np.c_[a, np.ones(len(a))], np.c_[b, np.ones(len(b))]
    value = lambda rows: rows[:, 0].sum() / rows[:, 1].sum()  # noqa: E731
    delta = value(a) - value(b)
    hits = [
        value(a[list(index)]) - value(b[list(index)]) >= 2 * delta - 1e-12
        for index in itertools.product(range(len(a)), repeat=size)
    ]
    return np.mean(hits)


@pytest.mark.parametrize("size", [None, 3])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 0, 1, 1, 0], [0, 0, 1, 0, 1]),
        ([3, 5, 4, 6, 2], [1, 2, 4, 5, 3]),
        ([0.31, 0.52, 0.77, 0.15, 0.4], [0.3, 0.11, 0.82, 0.2, 0.33]),
        ([[3, 4], [5, 9], [2, 2], [7, 8], [1, 6]], [[2, 4], [5, 9], [1, 2], [8, 8], [0, 6]]),
    ],
)
def test_bootstrap_by_enumeration(a, b, size):
    expected = bootstrap_by_enumeration(a, b, size or 5)
    result = paired_bootstrap(a, b, size=size)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)
    assert result.how.startswith("exact")
    sampled = paired_bootstrap(a, b, size=size, n_resamples=4000, rng=1)
    assert sampled.pvalue == pytest.approx(expected, abs=5 * sampled.error + 1e-3)
    assert "Monte Carlo with 4000 resamples" in sampled.how


def test_bootstrap_counts_ties():
    """With > in place of >= all of these would be 0."""
    a, b = [1, 1, 0, 1], [0, 1, 0, 0]
    # delta is 1/2, so that 2 delta is reached by four wins only, each of probability 1/2
    assert paired_bootstrap(a, b).pvalue == pytest.approx(0.5**4)
    assert paired_bootstrap(a, a, n_resamples=99, rng=1).pvalue == 1


def test_bootstrap_is_paired():
    """A and B vary a lot between items and hardly differ on any: only pairing sees it."""
    a = np.arange(100.0)
    b = a - np.tile([0.0, 1.0], 50)
    for n_resamples in (None, 999):
        assert paired_bootstrap(a, b, n_resamples=n_resamples, rng=1).pvalue <= 0.001


def test_sign_flip_by_enumeration_and_scipy():
    rng = np.random.default_rng(8)
    for d in (rng.normal(0.3, 1, 9), np.array([3, -1, 0, 2, 2, 5, -2, 1])):
        p = sign_flip(d, 0 * d).pvalue
        assert p == pytest.approx(enumerated(d, d.sum()), rel=1e-12)
        expected = stats.permutation_test(
            (d,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="greater"
        )
        assert p == pytest.approx(expected.pvalue, rel=1e-12)


def test_sign_flip_of_binary_scores_is_exact_mcnemar():
    a, b, _ = scores_for("mcnemar", 200, 5)
    for alternative in ALTERNATIVES:
        p = sign_flip(a, b, alternative=alternative).pvalue
        assert p == pytest.approx(mcnemar(a, b, alternative=alternative).pvalue, rel=1e-10)


def spans(n, seed):
    """Correct, guessed and gold spans of two systems."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(3, n)
    return tuple(
        np.column_stack([rng.binomial(gold, share), gold + rng.poisson(0.5, n), gold])
        for share in (0.85, 0.8)
    )


@pytest.mark.parametrize("test", [paired_bootstrap, sign_flip])
def test_metrics_without_an_exact_way(test, monkeypatch):
    monkeypatch.setattr("replicability.stats.paired.resampled.N_RESAMPLES", 500)
    a, b = spans(300, 2)
    result = test(a, b, metric="f1", rng=3)
    f1 = metrics.METRICS["f1"]
    assert result.effect == f1(a.sum(axis=0)) - f1(b.sum(axis=0))
    assert "Monte Carlo with 500 resamples, this metric has no exact method" in result.how
    asked = test(a, b, metric=f1, rng=3, n_resamples=500)
    assert asked.pvalue == result.pvalue and "as asked for" in asked.how
    assert result.wins + result.ties + result.losses == 300
    assert result.error > 0
    limits = result.confidence_interval
    assert limits.low < result.effect < limits.high


def test_jackknife_interval_is_that_of_the_bootstrap():
    a, b = spans(400, 6)
    result = paired_bootstrap(a, b, metric="f1", n_resamples=100, rng=1)
    rng = np.random.default_rng(1)
    index = rng.integers(0, 400, (4000, 400))
    f1 = metrics.METRICS["f1"]
    spread = np.std(f1(a[index].sum(axis=1)) - f1(b[index].sum(axis=1)))
    limits = result.confidence_interval
    assert limits.high - limits.low == pytest.approx(2 * 1.966 * spread, rel=0.06)


def test_ratio_of_counts_is_not_the_mean_of_ratios():
    a, b = np.array([[9, 10], [1, 2], [5, 8]]), np.array([[8, 10], [1, 2], [6, 8]])
    result = paired_bootstrap(a, b, metric="uas")
    assert result.effect == 0
    assert result == paired_bootstrap(a, b)
    assert paired_bootstrap(a[:, 0] / a[:, 1], b[:, 0] / b[:, 1]).effect != 0


def test_monte_carlo_replaces_the_exact_way_only_when_it_must(monkeypatch):
    def fail(*args, **options):
        raise CannotMeetBound("too hard")

    monkeypatch.setattr("replicability.stats.paired.resampled.ideal_bootstrap", fail)
    monkeypatch.setattr("replicability.stats.paired.resampled.flip_tail", fail)
    monkeypatch.setattr("replicability.stats.paired.resampled.N_RESAMPLES", 300)
    for test in (paired_bootstrap, sign_flip):
        result = test(S, T, rng=1)
        assert "300 resamples, the exact method cannot meet its error bound" in result.how
        assert result.error > 0


@pytest.mark.parametrize("test", [paired_bootstrap, sign_flip])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_scores_in_tenths_give_the_result_of_whole_numbers(test, precision):
    rng = np.random.default_rng(31)
    for n in (12, 40, 150):
        a = rng.integers(0, 1000, n)
        b = np.clip(a - np.rint(rng.normal(3, 20, n)).astype(int), 0, 1000)
        tenths = test((a / 10).astype(precision), (b / 10).astype(precision))
        whole = test(a, b)
        assert (tenths.pvalue, tenths.error, tenths.how) == (whole.pvalue, whole.error, whole.how)
        assert tenths.how == "exact (lattice)"


def test_what_is_not_proved_is_called_an_estimate():
    rng = np.random.default_rng(32)
    a, b = rng.normal(size=(2, 100))
    for test in (paired_bootstrap, sign_flip):
        one, two = test(a, b), test(a, b, alternative="two-sided")
        assert one.how == two.how == "estimate (inversion)"
        p = min(one.pvalue, test(a, b, alternative="less").pvalue)
        assert two.pvalue == pytest.approx(2 * p, rel=1e-6)
        assert two.error == pytest.approx(2 * one.error, rel=0.5)
        assert test(np.round(a, 2), np.round(b, 2)).how == "exact (lattice)"


@pytest.mark.parametrize("name", SIMPLE)
@pytest.mark.parametrize(
    ("a", "b"),
    [([1e308, 1e308, 0.0], [0.0, 0.0, 1e308]), ([1e308, 0.0, 1.0], [-1e308, 1.0, 0.0])],
)
def test_scores_that_overflow_are_refused(name, a, b):
    with pytest.raises(InputError, match=r"The scores, which are as large as 1e\+308, add up to"):
        run(name, a, b, **NEEDED.get(name, {}))


@pytest.mark.parametrize("name", ["paired_bootstrap", "sign_flip", "rating_bootstrap"])
def test_the_seed_is_used(name):
    a, b, options = scores_for(name, 40, 2)
    first, again, other = (
        run(name, a, b, n_resamples=300, rng=seed, **options).pvalue for seed in (1, 1, 2)
    )
    assert first == again != other
    generators = (np.random.default_rng(1) for _ in range(2))
    first, again = (run(name, a, b, n_resamples=300, rng=g, **options).pvalue for g in generators)
    assert first == again


def test_workers_do_not_change_the_result():
    a, b = spans(50, 1)
    options = {"metric": "f1", "n_resamples": 3000, "rng": 1}
    assert paired_bootstrap(a, b, **options) == paired_bootstrap(a, b, workers=2, **options)


def test_size_of_a_resample():
    a, b, _ = scores_for("paired_bootstrap", 60, 3)
    results = [paired_bootstrap(a, b, size=size) for size in (20, None, 120)]
    smaller, same, larger = (abs(result.pvalue - 0.5) for result in results)
    assert smaller < same < larger
    assert "anti-conservative" in results[2].how and "anti-conservative" not in results[0].how


@pytest.mark.slow
def test_rating_bootstrap_agrees_with_a_plain_loop():
    a, b, options = scores_for("rating_bootstrap", 60, 9)
    gold = options["gold"]
    result = rating_bootstrap(a, b, gold=gold, n_resamples=2000, rng=1)
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(1000):
        i = rng.integers(0, 60, 60)
        delta = stats.spearmanr(a[i], gold[i])[0] - stats.spearmanr(b[i], gold[i])[0]
        hits += delta >= 2 * result.effect
    assert result.pvalue == pytest.approx(hits / 1000, abs=0.06)


# --- what must hold for every test ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("n", [6, 25, 120])
def test_swapping_the_systems(name, options, n):
    """'greater' and 'less' change places to the last bit, Monte Carlo included."""
    for seed in range(3):
        a, b, more = scores_for(name, n, seed)
        for alternative, mirrored in MIRRORED.items():
            result = run(name, a, b, alternative=alternative, **options, **more)
            swapped = run(name, b, a, alternative=mirrored, **options, **more)
            assert result.pvalue == swapped.pvalue
            assert result.effect == -swapped.effect
            assert (result.wins, result.losses) == (swapped.losses, swapped.wins)
            limits, other = result.confidence_interval, swapped.confidence_interval
            assert (limits.low, limits.high) == (-other.high, -other.low)
            assert 0 <= result.pvalue <= 1
            assert limits.low <= result.effect <= limits.high


@pytest.mark.parametrize("test", [paired_bootstrap, sign_flip])
def test_swapping_the_systems_of_counts(test):
    rng = np.random.default_rng(4)
    words = rng.integers(1, 30, 80)
    a, b = (np.column_stack([rng.binomial(words, share), words]) for share in (0.9, 0.85))
    for pair, metric in ((((a, b)), "uas"), (spans(80, 3), "f1")):
        for alternative, mirrored in MIRRORED.items():
            for n_resamples in (None, 300) if metric == "uas" else (300,):
                options = {"metric": metric, "n_resamples": n_resamples, "rng": 5}
                p = test(*pair, alternative=alternative, **options).pvalue
                assert p == test(*pair[::-1], alternative=mirrored, **options).pvalue


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(name, options, alternative):
    for n in (4, 60):
        a, _, more = scores_for(name, n, n)
        result = run(name, a, a.copy(), alternative=alternative, **options, **more)
        assert result.pvalue == 1
        assert result.effect == 0
        assert result.losses in (0, None) and result.ties in (n, None)


def test_two_sided_pvalue_without_a_difference():
    """Skewed differences whose sum is zero: the one-sided share is below one half."""
    d = np.array([2, -4, -6, -5, -6, 19])
    assert paired_bootstrap(d, 0 * d).pvalue < 0.5
    for a, b in ((d, 0 * d), (0 * d, d)):
        assert paired_bootstrap(a, b, alternative="two-sided").pvalue == 1


@pytest.mark.parametrize(("name", "options"), CASES)
def test_order_of_the_instances(name, options):
    a, b, more = scores_for(name, 70, 11)
    order = np.random.default_rng(0).permutation(70)
    shuffled = {key: value[order] for key, value in more.items()}
    for alternative in ALTERNATIVES:
        result = run(name, a, b, alternative=alternative, **options, **more)
        again = run(name, a[order], b[order], alternative=alternative, **options, **shuffled)
        assert result == again  # to the last bit, Monte Carlo included


@pytest.mark.parametrize("options", [{}, SAMPLED])
def test_order_of_the_instances_of_counts(options):
    rng = np.random.default_rng(4)
    words = rng.integers(1, 30, 80)
    order = rng.permutation(80)
    for scale in (1, 1 / 7):
        a, b = (np.c_[rng.binomial(words, share) * scale, words] for share in (0.9, 0.85))
        for test in (paired_bootstrap, sign_flip):
            assert test(a, b, **options) == test(a[order], b[order], **options)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_inputs_are_not_changed(name, options):
    a, b, more = scores_for(name, 30, 2)
    a, b = a.astype(float), b.astype(float)
    for array in (a, b, *more.values()):
        array.setflags(write=False)
    copies = a.copy(), b.copy()
    run(name, a, b, **options, **more)
    np.testing.assert_array_equal((a, b), copies)
    lists = {key: value.tolist() for key, value in more.items()}
    assert run(name, a.tolist(), b.tolist(), **options, **lists) == run(
        name, a, b, **options, **more
    )


@pytest.mark.parametrize(("name", "options"), CASES)
def test_one_sided_pvalues_keep_the_sign(name, options):
    a, b, more = scores_for(name, 80, 1)
    if name in SIMPLE:
        a = b + (a > 0.4) / 10 - (a < 0.1) / 10
    better = run(name, a, b, **options, **more)
    worse = run(name, b, a, **options, **more)
    both = run(name, b, a, alternative="two-sided", **options, **more)
    assert better.effect > 0
    assert better.pvalue < 0.15 < 0.5 < worse.pvalue
    assert both.pvalue == pytest.approx(2 * better.pvalue, rel=1e-12)


finite = st.floats(-1e6, 1e6, allow_subnormal=False)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.one_of(finite, st.integers(-3, 3).map(float))] * 2), min_size=2, max_size=9
    ),
    st.randoms(use_true_random=False),
)
def test_any_scores(pairs, random):
    """Every p-value is in [0, 1], swaps, and does not depend on the order."""
    shuffled = random.sample(pairs, len(pairs))
    for name, (alternative, mirrored) in itertools.product(SIMPLE, MIRRORED.items()):
        options = NEEDED.get(name, {})
        try:
            result = run(name, *zip(*pairs, strict=True), alternative=alternative, **options)
        except InputError as error:
            assert name == "paired_t" and "use sign_flip" in str(error)
            continue
        assert 0 <= result.pvalue <= 1
        assert result.wins + result.ties + result.losses == len(pairs)
        assert result == run(name, *zip(*shuffled, strict=True), alternative=alternative, **options)
        b, a = zip(*pairs, strict=True)
        assert run(name, a, b, alternative=mirrored, **options).pvalue == result.pvalue


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 400), st.integers(0, 400))
def test_any_counts(wins, losses):
    for variant in VARIANTS:
        p = {
            alternative: mcnemar_pvalues(wins, losses, variant=variant, alternative=alternative)
            for alternative in ALTERNATIVES
        }
        assert all(0 <= value <= 1 for value in p.values())
        assert p["less"] == mcnemar_pvalues(losses, wins, variant=variant)
        if wins == losses == 0:
            assert set(p.values()) == {1.0}
        elif variant != "mid-p" or wins != losses:
            assert p["two-sided"] == min(1, 2 * min(p["greater"], p["less"]))


def test_counts_are_elementwise():
    wins = np.arange(6)
    for variant in VARIANTS:
        for alternative in ALTERNATIVES:
            options = {"variant": variant, "alternative": alternative}
            p = mcnemar_pvalues(wins, 5 - wins, **options)
            assert p.tolist() == [mcnemar_pvalues(w, 5 - w, **options) for w in range(6)]


@pytest.mark.parametrize("scale", [1e-250, 1e200])
def test_squares_stay_in_range(scale):
    for name in (*SIMPLE, "steiger"):
        a, b, options = scores_for(name, 30, 1)
        options = options | {"kind": "pearson"} if options else NEEDED.get(name, {})
        expected = run(name, a, b, **options)
        result = run(name, a * scale, b * scale, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_one_instance():
    for test in (sign_flip, wilcoxon, sign_test):
        result = test([1.0], [0.5])
        assert result.pvalue == 0.5
        assert (result.confidence_interval.low, result.confidence_interval.high) == (
            -math.inf,
            math.inf,
        )


# --- size under the null hypothesis --------------------------------------------------------------


def sizes(n_max, alternative, variant, alpha):
    """P(reject) for each number of discordant items, exactly."""
    shares = []
    for k in range(n_max + 1):
        wins = np.arange(k + 1)
        p = mcnemar_pvalues(wins, k - wins, variant=variant, alternative=alternative)
        shares.append(stats.binom.pmf(wins, k, 0.5)[p <= alpha].sum())
    return np.array(shares)


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_size_of_mcnemar_by_enumeration(alternative, alpha):
    """What the docstring of `mcnemar` promises."""
    given_discordant = {v: sizes(200, alternative, v, alpha) for v in VARIANTS}
    assert given_discordant["exact"].max() <= alpha
    assert given_discordant["corrected"].max() <= alpha
    for variant, bound in (("mid-p", 1.003), ("asymptotic", 1.085)):
        for n in (10, 50, 200):
            for share in np.linspace(0.02, 0.5, 25):
                chances = stats.binom.pmf(np.arange(n + 1), n, share)
                assert chances @ given_discordant[variant][: n + 1] <= bound * alpha


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_sizes_of_mcnemar_are_those_of_its_docstring(variant, alternative):
    every = sizes(200, alternative, variant, 0.05)[1:]  # all instances are discordant
    if variant in ("exact", "corrected"):
        assert (every <= 0.05).all()
        assert (sizes(200, alternative, "corrected", 0.05)[1:] <= every).all()
        return
    d, n = np.arange(1, 201), np.arange(1, 201)[:, None]
    half = np.array([stats.binom.pmf(d, n, q) @ every for q in np.linspace(0.02, 0.5, 25)])
    probability, most = np.unravel_index(half.argmax(), half.shape)
    assert probability == 24  # the more are discordant, up to one half, the more are rejected
    row = (
        f"    {variant:<14}{'one-sided' if alternative == 'greater' else 'two-sided':<13}"
        f"{f'{half.max():.4f} (n = {most + 1})'[1:]:<18}"
        f"{f'{every.max():.4f} (n = {every.argmax() + 1})'[1:]:<18}"
        f"{every[49:].max():.4f}".replace(" 0.", " .")
    )
    assert row in mcnemar.__doc__.splitlines()


def symmetric(rng, n):
    """Scores without a difference, with ties and zeros."""
    return rng.integers(0, 6, n) / 5, rng.integers(0, 6, n) / 5


def normal(rng, n):
    return rng.normal(size=n), rng.normal(size=n)


@pytest.mark.long
@pytest.mark.parametrize(
    ("test", "scores", "n", "options"),
    [
        (sign_flip, symmetric, 8, {}),
        (sign_flip, normal, 12, {}),
        (sign_flip, symmetric, 30, {"n_resamples": 99}),
        (wilcoxon, symmetric, 12, {}),
        (wilcoxon, normal, 100, {}),
        (sign_test, symmetric, 15, {}),
        (paired_t, normal, 5, {}),
        (paired_t, normal, 50, {}),
        (paired_bootstrap, symmetric, 200, {}),
        (paired_bootstrap, normal, 50, {"size": 20}),
    ],
)
def test_size_under_the_null(test, scores, n, options):
    rng = np.random.default_rng(2017)
    if "n_resamples" in options:
        options = {**options, "rng": rng}
    p = np.array([test(*scores(rng, n), **options).pvalue for _ in range(800)])
    for alpha in (0.05, 0.01):
        assert np.mean(p <= alpha) <= alpha + 4 * math.sqrt(alpha * (1 - alpha) / p.size)


# --- registry, bad input -------------------------------------------------------------------------


def test_registry():
    assert [test.name for test in TESTS.values()] == list(TESTS)
    for name, test in TESTS.items():
        assert {"alternative", "confidence_level"} <= set(test.options)
        assert ("gold" in test.options) == (test.takes == "ratings")
        assert ("metric" in test.options) == (test.takes == "sums")
        parameters = inspect.signature(test.function).parameters
        assert list(parameters)[:2] == ["a", "b"]
        assert parameters["alternative"].default == "greater"
        assert parameters["confidence_level"].default == 0.95
        a, b, options = scores_for(name, 30, 1)
        options |= NEEDED.get(name, {})
        if "n_resamples" in test.options:
            options |= SAMPLED
        result = run(name, a, b, **options)
        assert (result.test, result.alternative, result.n) == (name, "greater", 30)
        assert isinstance(result.pvalue, float) and result.how


@pytest.fixture
def always(monkeypatch):
    """Register a test that gives back one of its options."""

    def always(a, b, *, alternative="greater", confidence_level=0.95, power=1):
        return power, confidence_level

    entry = dataclasses.replace(TESTS["sign_test"], function=always)
    monkeypatch.setitem(paired.TESTS, "always", entry)


def test_a_new_test_is_one_function_and_its_entry(always):
    assert run("always", [1], [2], power=3) == (3, 0.95)
    with pytest.raises(InputError, match=r"has no option 'pover'; .*did you mean 'power'"):
        run("always", [1], [2], pover=3)


def test_an_old_name_of_an_option_is_taken_with_a_warning(always):
    with pytest.warns(
        FutureWarning, match="^The option 'level' has been renamed to 'confidence_level'"
    ):
        assert run("always", [1], [2], level=0.5) == (1, 0.5)
    with pytest.raises(InputError, match="and 'confidence_level' mean the same thing; pass only"):
        run("always", [1], [2], level=0.5, confidence_level=0.5)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([name for name in TESTS if TESTS[name].both]))
def test_both_directions_at_once_have_the_bits_of_two_calls(data, name):
    n = data.draw(st.sampled_from([3, 12, 70]))
    largest = 1 if TESTS[name].takes == "outcomes" else data.draw(st.sampled_from([1, 4, 1000]))
    scores = hnp.arrays(float, n, elements=st.integers(0, largest).map(float))
    a, b = (data.draw(scores) / (1 if largest == 1 else 3) for _ in range(2))
    known = {"wilcoxon": ("zero_method", ZERO_METHODS), "mcnemar": ("variant", VARIANTS)}
    key, values = known.get(name, ("", ("",)))
    options = {key: data.draw(st.sampled_from(values))} if key else {}
    if TESTS[name].takes == "ratings":
        ratings = hnp.arrays(float, n, elements=st.integers(0, 9).map(float))
        options["gold"], a, b = (data.draw(ratings) for _ in range(3))
        assume(n > 3 and min(map(np.ptp, (options["gold"], a, b))) > 0)
    assert TESTS[name].quick(options)
    greater, less = both(name, a, b, **options)
    assert greater == run(name, a, b, **options).pvalue
    assert less == run(name, a, b, alternative="less", **options).pvalue
    assert less == run(name, b, a, **options).pvalue


@pytest.mark.slow
@given(st.data(), st.sampled_from(["mcnemar", "sign_test", "wilcoxon"]))
def test_all_pairs_at_once_have_the_bits_of_both(data, name):
    shape = data.draw(st.tuples(st.integers(2, 5), st.sampled_from([1, 12, 70])))
    scores = data.draw(hnp.arrays(float, shape, elements=st.integers(0, 1).map(float)))
    options = {"variant": data.draw(st.sampled_from(VARIANTS))} if name == "mcnemar" else {}
    found = matrix(name, scores, **options)
    assert (np.diag(found) == 1).all()
    for i, j in itertools.combinations(range(len(scores)), 2):
        assert (found[i, j], found[j, i]) == both(name, scores[i], scores[j], **options)


def test_all_pairs_at_once_refuse_what_one_pair_does():
    with pytest.raises(InputError, match=r"Score 1 of system B is 2, but mcnemar needs 0"):
        matrix("mcnemar", [[1, 0], [1, 2]])
    with pytest.raises(InputError, match="The test 'mcnemar' has no option 'rank'; its options"):
        matrix("mcnemar", [[1, 0], [1, 1]], rank=1)


@pytest.mark.parametrize("name", SIMPLE)
def test_both_directions_of_every_test(name):
    a, b = [3.0, 1, 4, 1, 5, 9], [2.0, 7, 1, 8, 2, 8]
    more = {"rng": 0} if "rng" in TESTS[name].options else NEEDED.get(name, {})
    found = both(name, a, b, **more)
    alternatives = ("greater", "less")
    assert found == tuple(run(name, a, b, alternative=s, **more).pvalue for s in alternatives)
    with pytest.raises(InputError, match=f"The test '{name}' has no option 'rank'"):
        both(name, a, b, rank=1, **more)
    with pytest.raises(InputError, match="confidence_level is 2, but"):
        both(name, a, b, confidence_level=2, **more)


def test_what_a_test_takes_is_one_of_four_kinds():
    with pytest.raises(InputError, match=r"takes 'score' is not one of .*did you mean 'scores'"):
        dataclasses.replace(TESTS["sign_test"], takes="score")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("wilcoxn", {}, "test 'wilcoxn' is not one of .*did you mean 'wilcoxon'"),
        ("paired_bootstrap", {"n_resample": 9}, "did you mean 'n_resamples'"),
        ("paired_bootstrap", {"n_resamples": 0}, "n_resamples is 0"),
        ("paired_bootstrap", {"n_resamples": 1e5}, "n_resamples is 100000.0; pass a whole"),
        ("paired_bootstrap", {"size": -1}, "size is -1"),
        ("paired_bootstrap", {"metric": "usa"}, "did you mean 'uas'"),
        ("paired_bootstrap", {"metric": "uas"}, "needs sums for each item"),
        ("sign_flip", {"rgn": 1}, "has no option 'rgn'.*did you mean 'rng'"),
        ("sign_test", {"rng": 1}, "The test 'sign_test' has no option 'rng'"),
        ("paired_t", {"alternative": "larger"}, "alternative 'larger' is not one of"),
        ("paired_t", {"alternative": "two_sided"}, "did you mean 'two-sided'"),
        ("wilcoxon", {"zero_method": "prat"}, "did you mean 'pratt'"),
        ("wilcoxon", {"confidence_level": 95}, "confidence_level is 95, .* such as 0.95"),
        ("mcnemar", {"variant": "midp"}, "did you mean 'mid-p'"),
        ("steiger", {}, "needs the option 'gold'"),
        ("steiger", {"gold": [1, 2, 3, 4], "kind": "perason"}, "did you mean 'pearson'"),
    ],
)
def test_unknown_names_and_options(name, options, message):
    with pytest.raises(InputError, match=message) as info:
        run(name, [1, 0, 1, 0], [0, 0, 1, 1], **options)
    assert "\n" not in str(info.value)


@pytest.mark.parametrize("name", [name for name in TESTS if "gold" not in TESTS[name].options])
@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 0, 1], [1, 0], "System A has 3 scores and system B has 2; pass one score of each"),
        ([], [], r".* needs at least .* but this dataset has none; leave it out\."),
        ([1, np.nan, 0], [1, 0, 0], "Score 1 of system A is nan, .* leave that item out"),
        ([1, None, 0], [1, 0, 0], "Score 1 of system A is nan"),
        ([1, 0, 0], [1, 0, -np.inf], "Score 2 of system B is -inf"),
        (["yes", "no"], [1, 0], "scores of system A are"),
        ([[1, 2], [3]], [1, 0], "The scores of system A are not all numbers, or have rows of"),
        (1, 0, r"needs one score for each item, .* shape \(\)"),
    ],
)
def test_bad_scores(name, a, b, message):
    with pytest.raises(InputError, match=message) as info:
        run(name, a, b, **NEEDED.get(name, {}))
    assert str(info.value).endswith(".") and "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mcnemar([1, 0.5], [1, 0]), r"Score 1 of system A is 0.5, .*use wilcoxon or"),
        (lambda: mcnemar([1, 0], [1, 2]), "Score 1 of system B is 2"),
        (lambda: mcnemar_counts(3, 4, 5), "n is 5, but must be at least 7, because wins and"),
        (lambda: mcnemar_counts(0, 0, 0), "n is 0, but must be at least 1"),
        (lambda: mcnemar_counts(3, -4, 5), "losses is -4, .*whole number"),
        (lambda: mcnemar_counts(0.5, 4, 5), "wins is 0.5"),
        (lambda: paired_t([2, 3], [1, 2]), "differ by 1 on every item, .*use sign_flip"),
        (lambda: paired_t([2], [1]), "needs at least 2 items, but this dataset has only 1"),
        (lambda: paired_bootstrap([2], [1]), "paired_bootstrap needs at least 2 items"),
        (lambda: wilcoxon(np.ones((3, 2)), np.ones((3, 2))), r"system A have the shape \(3, 2\)"),
        (lambda: sign_flip(np.ones((3, 3)), np.ones((3, 3))), "The scores have 3 columns; pass"),
        (lambda: sign_flip(np.ones((3, 3)), np.ones((3, 2))), "sums of the same metric for both"),
        (
            lambda: sign_flip([[1, 2], [1, 3]], [[1, 2], [1, 4]], metric="uas"),
            "The denominator of item 1 is 3 for system A and 4 for system B, but uas needs the",
        ),
        (
            lambda: sign_flip(np.ones((3, 2)), np.ones((3, 2)), metric="f1"),
            "Metric 'f1' cannot be computed from sums of 2 columns; pass the",
        ),
        (
            lambda: sign_flip(np.ones((3, 3)), np.ones((3, 3)), metric="uas"),
            "Metric 'uas' cannot be computed from sums of 3 columns; pass the",
        ),
        (lambda: sign_flip(np.ones((3, 2)), np.ones((3, 2)), metric=3), "metric is 3; pass a met"),
        (lambda: mcnemar_counts([1, 2], 1, 5), r"wins has the shape \(2,\); pass one number, or"),
        (lambda: mcnemar_pvalues([1, 2], [1, 2, 3]), r"losses have the shapes \(2,\) and \(3,\)"),
        (lambda: sign_flip([[1, 0], [1, 0]], [[1, 2], [1, 4]]), "The second column of system A"),
        (lambda: steiger([1, 2, 3], [1, 3, 2], gold=[3, 2, 1]), "at least 4"),
        (
            lambda: steiger([1, 2, 3, 4], [1, 3, 2, 4], gold=[1, 2, 3, 4]),
            "r_jk is 1",
        ),
        (lambda: rating_bootstrap([1, 2, 3, 4], [1, 2, 2, 4], gold=[1, 1, 1, 1]), "all equal"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message) as info:
        call()
    assert str(info.value).endswith(".") and "\n" not in str(info.value)


# --- the smallest p-value ------------------------------------------------------------------------

FLOORED = [
    pytest.param(name, options, id="-".join(map(str, [name, *options.values()])))
    for name, ways in {
        "sign_flip": [{}, SAMPLED],
        "paired_bootstrap": [{}, SAMPLED],
        "wilcoxon": [{}, {"zero_method": "pratt"}],
        "sign_test": [{}],
        "paired_t": [{}],
        "mcnemar": [{"variant": variant} for variant in VARIANTS],
    }.items()
    for options in ways
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), FLOORED)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_no_pvalue_lies_below_the_floor(name, options, alternative):
    rng = np.random.default_rng(41)
    for n in (2, 3, 6, 11, 49, 60, 300):
        floor = paired.floor(name, n, alternative=alternative, **options)
        for scale in (1, 3, 50) if name != "mcnemar" else (1,):
            a = np.append(rng.integers(1, scale + 1, n), [0, 0])  # two instances do not differ
            p = run(name, a, 0 * a, alternative=alternative, **options).pvalue
            assert p >= floor * (1 - 1e-12)
            assert run(name, 0 * a, a, alternative=alternative, **options).pvalue >= floor * (
                1 - 1e-12
            )


@pytest.mark.parametrize(("name", "options"), FLOORED)
def test_the_floor_is_reached(name, options):
    """By one system that wins everywhere by the same; not by a t-test or a bootstrap."""
    for n in (1, 4, 30, 50, 51, 200):
        floor = paired.floor(name, n, **options)
        a = np.append(np.ones(n), [0, 0])
        if name == "paired_t":
            assert floor == 0
        elif "n_resamples" in options:
            assert floor == 1 / 201
        elif name == "paired_bootstrap":
            assert floor == 0
            assert run(name, np.ones(n + 1), np.zeros(n + 1)).pvalue == 0
        else:
            assert run(name, a, 0 * a, **options).pvalue == pytest.approx(floor, rel=1e-10)


def test_floors_by_hand():
    # C: erfc(sqrt(10) / sqrt(2)) / 2; erfc(9 / sqrt(20)) / 2; erfc(8 / sqrt(2)) / 2
    for name, options, expected in (
        ("sign_flip", {}, 0.0009765625),
        ("sign_flip", {"n_resamples": 1000}, 0.000999000999000999),
        ("sign_flip", {"metric": "uas"}, 0.0009765625),
        ("sign_flip", {"metric": "f1"}, 1 / 100_001),
        ("sign_flip", {"alternative": "two-sided"}, 0.001953125),
        ("paired_bootstrap", {"metric": "f1"}, 1 / 100_001),
        ("sign_test", {}, 0.0009765625),
        ("wilcoxon", {}, 0.0009765625),
        ("mcnemar", {}, 0.0009765625),
        ("mcnemar", {"variant": "mid-p"}, 0.00048828125),
        ("mcnemar", {"variant": "asymptotic"}, 0.000782701129001274),
        ("mcnemar", {"variant": "corrected"}, 0.00221326292895992),
        ("rating_bootstrap", {}, 1 / 100_001),
        ("rating_bootstrap", {"n_resamples": 99}, 0.01),
        ("steiger", {}, 0),
        ("tango", {}, 0),
    ):
        assert paired.floor(name, 10, **options) == pytest.approx(expected, rel=1e-12)
    assert paired.floor("wilcoxon", 64) == pytest.approx(6.22096057427178e-16, rel=1e-10)
    assert {paired.floor(name, 0) for name in TESTS} == {1}
    assert paired.floor("sign_flip", 1, alternative="two-sided") == 1
    assert paired.floor("sign_flip", 5000) == 0  # below the smallest float


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired.floor("sign_flp", 3), "did you mean 'sign_flip'"),
        (lambda: paired.floor("sign_flip", -1), "n_differing is -1"),
        (lambda: paired.floor("sign_flip", 2.5), "n_differing is 2.5"),
        (lambda: paired.floor("sign_flip", 3, variant="exact"), "has no option 'variant'"),
        (lambda: paired.floor("sign_flip", 3, n_resamples=0), "n_resamples is 0"),
        (lambda: paired.floor("sign_flip", 3, alternative="more"), "alternative 'more'"),
        (lambda: paired.floor("mcnemar", 3, variant="midp"), "did you mean 'mid-p'"),
        (lambda: paired.floor("sign_flip", 3, metric="usa"), "did you mean 'uas'"),
    ],
)
def test_bad_floors_are_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message) as info:
        call()
    assert "\n" not in str(info.value)
