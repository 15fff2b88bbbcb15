"""Tests of new items and new runs, and sources of noise: reference values, laws and refusals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from replicability.checks import InputError
from replicability.stats import noise, paired
from replicability.stats.paired import crossed

I, R = np.indices((12, 4))  # noqa: E741
A = ((I * 7 + 3) % 11) / 4 + ((R * 5) % 7) / 3 + ((I * 5 + R * 3) % 7) / 10
B = ((I * 5 + 1) % 11) / 4 + ((R * 3) % 5) / 3 + ((I * 3 + R * 5) % 7) / 10
FEW = {"n_resamples": 199, "rng": 1}
NAMES = [name for name, test in paired.TESTS.items() if test.takes == "runs"]


def options_of(name):
    return {} if name == "crossed_t" else FEW


# --- reference values ----------------------------------------------------------------------------


def by_hand(a, b, same):
    """Banerjee's (1960) p-value from its definition: the level at which the limit is 0."""
    parts = [a.mean(1) - b.mean(1)]
    parts += [a.mean(0) - b.mean(0)] if same else [a.mean(0), b.mean(0)]
    squares = [part.var(ddof=1) / len(part) for part in parts]

    def limit(alpha):
        ts = [stats.t.isf(alpha, len(part) - 1) for part in parts]
        return math.sqrt(sum(t**2 * v for t, v in zip(ts, squares, strict=True)))

    p = optimize.bisect(lambda p: limit(p) - (a.mean() - b.mean()), 1e-9, 0.5, xtol=1e-13)
    return p, max(p, skewed(a, b))


def skewed(a, b, side="greater"):
    return paired.corrected_for_skew(a.mean(1), b.mean(1), side)


@pytest.mark.parametrize(("s", "same"), [(4, False), (3, False), (2, False), (4, True)])
@pytest.mark.parametrize("gain", [0.5, 2.0])
def test_crossed_t_from_its_definition(s, same, gain):
    a, b = A + gain, B[:, :s]
    found, (p, corrected) = paired.crossed_t(a, b, paired_runs=same), by_hand(a, b, same)
    assert found.pvalue == pytest.approx(corrected, rel=1e-7)
    reverse = paired.crossed_t(a, b, paired_runs=same, alternative="less")
    assert reverse.pvalue == pytest.approx(max(1 - p, skewed(a, b, "less")))
    level = 1 - 2 * p
    limits = paired.crossed_t(a, b, paired_runs=same, confidence_level=level)
    assert limits.confidence_interval.low == pytest.approx(0, abs=1e-6)


def test_without_variance_of_runs_it_is_the_t_test_of_items():
    a, b = np.tile(A[:, :1], 3), np.tile(B[:, :1], 3)
    expected = stats.ttest_rel(a[:, 0], b[:, 0], alternative="greater").pvalue
    assert paired.crossed_t(a, b).pvalue == pytest.approx(max(expected, skewed(a, b)))


def test_without_variance_of_items_it_is_the_t_test_of_raters():
    a, b = np.tile(A[0], (9, 1)), np.tile(B[0], (9, 1))
    expected = stats.ttest_rel(A[0], B[0], alternative="greater").pvalue
    assert paired.crossed_t(a, b, paired_runs=True).pvalue == pytest.approx(expected)


# statsmodels 0.15.0, with A and B from above:
# t = pd.concat([pd.DataFrame({"y": x.ravel(), "item": I.ravel(), "A": float(s == "a"), "one": 1,
#     "run": [f"{s}{k}" for k in R.ravel()], "cell": [f"{s}{k}" for k in I.ravel()]})
#     for s, x in (("a", A), ("b", B))], ignore_index=True)
# vc = {"item": "0 + C(item)", "cell": "0 + C(cell)", "run": "0 + C(run)"}
# smf.mixedlm("y ~ A", t, groups="one", vc_formula=vc).fit(reml=True)
# -> variances cell .51481895, run .45539543, scale .05336146; bse of A .56189347
# The same with "d ~ 1" for d = A - B and {"item", "rater"}: item 1.02777939, rater .63957111,
# scale .11415067; bse .49791485
@pytest.mark.parametrize(
    ("same", "variances", "error"),
    [
        (False, (2 * 0.51481895, 2 * 0.45539543, 2 * 0.05336146), 0.56189347),
        (True, (1.02777939, 0.63957111, 0.11415067), 0.49791485),
    ],
)
def test_components_as_in_statsmodels(same, variances, error):
    found = noise.components(A, B, paired_runs=same)
    for sd, variance, n in zip(found.sd.values(), variances, (12, 4, 48), strict=True):
        assert sd == pytest.approx(math.sqrt(variance / n), rel=2e-4)
    total = math.sqrt(sum(sd**2 for sd in found.sd.values()))
    assert total == pytest.approx(error, rel=2e-4)
    assert sum(found.shares.values()) == pytest.approx(1)
    own = paired.standard_error(A, B, same)  # which counts the rest twice
    assert own**2 == pytest.approx(total**2 + found.sd["rest"] ** 2)


# R: ms <- 4; f <- 3; e <- .5; fe <- 33   # Williams (1962)
#    f * (ms - e * qf(c(.975, .025), f, fe)) / qchisq(c(.975, .025), f)
def test_limits_as_williams_has_them():
    found = noise.components(A, B, paired_runs=True)
    ms, rest, f, fe = found.sd["runs"] ** 2 + found.sd["rest"] ** 2, found.sd["rest"] ** 2, 3, 33
    for limit, q in ((found.low, 0.975), (found.high, 0.025)):
        expected = f * (ms - rest * stats.f.ppf(q, f, fe)) / stats.chi2.ppf(q, f)
        assert limit["runs"] ** 2 == pytest.approx(expected)
    assert found.within == pytest.approx(stats.t.ppf(0.975, 3) * found.sd["runs"])


# mlxtend 0.23: combined_ftest_5x2cv has numerator sum(d^2) and denominator 2 * sum(variances);
# R: d <- c(.02,.03,.01,.03,.03,.01,.01,.03,.04,.01); m <- matrix(d, 2)
#    f <- sum(d^2) / (2 * sum(apply(m, 2, function(x) sum((x - mean(x))^2))))
#    c(f, pf(f, 10, 5, lower.tail = FALSE) / 2)   # 5.2 and 0.0207967
def test_the_f_test_from_its_definition():
    d = np.array([0.02, 0.03, 0.01, 0.03, 0.03, 0.01, 0.01, 0.03, 0.04, 0.01])
    f = (d**2).sum() / (2 * sum(np.var(pair) * 2 for pair in d.reshape(5, 2)))
    found = paired.cv_5x2_f(d, np.zeros(10))
    assert found.statistic == pytest.approx(f)
    assert found.pvalue == pytest.approx(stats.f.sf(f, 10, 5) / 2)
    assert paired.cv_5x2_f(-d, np.zeros(10)).pvalue == pytest.approx(1 - found.pvalue)
    swapped = d.reshape(5, 2)[[3, 0, 4, 1, 2], ::-1].ravel()
    assert paired.cv_5x2_f(swapped, np.zeros(10)).pvalue == found.pvalue
    other = d[[0, 2, 1, 3, 4, 5, 6, 7, 8, 9]]  # folds of other repeats
    assert paired.cv_5x2_f(other, np.zeros(10)).pvalue != found.pvalue


# R, correctR 0.3: repkfold_ttest has j <- mean(d) / sqrt(var(d) * (1 / (k * r) + n2 / n1)), and
# pt(j, k * r - 1); here d <- sin(1:20) / 10 + .05, k <- 10, r <- 2, n2 / n1 <- 1 / 9
def test_repeated_folds_from_their_definition():
    d = np.sin(np.arange(1, 21)) / 10 + 0.05
    t = d.mean() / math.sqrt(d.var(ddof=1) * (1 / 20 + 1 / 9))
    found = paired.repeated_k_fold(d, np.zeros(20), test_share=0.1)
    assert found.pvalue == pytest.approx(stats.t.sf(t, 19))
    assert found.test == "repeated_k_fold"


# --- properties ----------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.sampled_from(NAMES), st.booleans())
def test_order_swaps_and_scale(seed, name, same):
    rng = np.random.default_rng(seed)
    n, r, s = rng.integers(2, 6, 3)
    a, b = rng.integers(0, 9, (n, r)) / 4, rng.integers(0, 9, (n, r if same else s)) / 4
    more = options_of(name) | {"paired_runs": same}
    found = paired.run(name, a, b, **more)
    assert 0 < found.pvalue <= 1
    order = rng.permutation(n)
    again = paired.run(name, a[order], b[order], **more)
    assert again == found
    if name == "crossed_t":
        runs = rng.permutation(r)
        others = runs if same else rng.permutation(s)
        assert paired.run(name, a[:, runs], b[:, others], **more).pvalue == found.pvalue
        assert paired.run(name, b, a, alternative="less", **more).pvalue == found.pvalue
        moved = paired.run(name, a + 0.5, b, margin=0.5, **more)
        assert moved.pvalue == pytest.approx(found.pvalue)


@pytest.mark.parametrize("name", NAMES)
def test_scores_that_do_not_vary_show_nothing(name):
    found = paired.run(name, np.ones((3, 2)), np.ones((3, 4)), **options_of(name))
    assert found.pvalue == 1
    if name == "crossed_t":
        better = paired.run(name, np.ones((3, 2)), np.zeros((3, 4)))
        assert better.pvalue == 1
        assert better.confidence_interval.high == math.inf


def test_a_constant_system_beside_one_that_varies():
    found = paired.crossed_t(np.ones((12, 2)), B)
    assert 0 < found.pvalue < 1


def test_the_bootstrap_shows_too_little_of_the_runs():
    rng, a = np.random.default_rng(3), np.tile([0.0, 1.0, 5.0], (40, 1))
    cells = crossed.Cells(a, np.zeros((40, 3)), False)
    spread = np.var(cells.resampled(rng, 20_000))
    assert spread == pytest.approx(sum(cells.variances[0]) * 2 / 3, rel=0.05)


def test_flips_of_runs_are_permutations():
    a, b = np.tile([5.0, 6.0], (4, 1)), np.tile([1.0, 2.0], (4, 1))
    cells = crossed.Cells(a, b, False)
    drawn = cells.flipped(np.random.default_rng(1), 4000, 0.0)
    each = np.concatenate([a[0], b[0]])
    runs = {each[list(of)].sum() - each.sum() / 2 for of in itertools.combinations(range(4), 2)}
    items = {4 * k / 4 for k in (-4, -2, 0, 2, 4)}
    sums = {round(x + y, 9) for x, y in itertools.product(runs, items)}
    assert set(np.round(drawn, 9)) <= sums


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("a", "b", "more", "message"),
    [
        (A[:, :1], B, {}, r"scores of system A have the shape 12 x 1 \(items x runs\); a"),
        (A, B[:1], {}, r"scores of system B have the shape 1 x 4 \(items x runs\); a"),
        (A, B[:9], {}, "A has 12 items and B has 9, but both systems must have the same items"),
        (A, B[:, :3], {"paired_runs": True}, "A has 4 runs and B has 3, but both systems must"),
        (A[0], B[0], {}, r"scores of system A have the shape 4 \(items x runs\); a claim"),
        (np.where(I == 3, np.nan, A), B, {}, "is nan; pass a finite number"),
        (A, B, {"margin": np.inf}, "margin"),
        (A, B, {"alternative": "more"}, "alternative"),
    ],
)
def test_bad_cells(name, a, b, more, message):
    with pytest.raises(InputError, match=message) as info:
        paired.run(name, a, b, **options_of(name), **more)
    assert str(info.value).endswith(".") and "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("name", "n", "share", "message"),
    [
        ("repeated_k_fold", 19, 0.1, r"19 folds with a test_share of 0\.1 do not add up to"),
        ("repeated_k_fold", 20, 0.3, "do not add up"),
        ("repeated_k_fold", 1, 0.5, "at least two"),
        ("cv_5x2_f", 8, 0.5, "cv_5x2_f needs five repeats of two folds, but the data have 8 folds"),
        ("cv_5x2_f", 10, 0.1, "with a test_share of 0.1; use repeated_k_fold"),
    ],
)
def test_bad_folds(name, n, share, message):
    with pytest.raises(InputError, match=message) as info:
        paired.run(name, np.arange(n) / 7, np.zeros(n), test_share=share)
    assert str(info.value).endswith(".") and "\n" not in str(info.value)
