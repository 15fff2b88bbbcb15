"""Two shares of unpaired trials: published values, size by enumeration, both directions."""

import numpy as np
import pytest
from scipy import stats

from replicability import checks
from replicability.stats import unpaired

NEWCOMBE = {
    (56, 70, 48, 80): (0.0524, 0.3339),
    (9, 10, 3, 10): (0.1705, 0.8090),
    (6, 7, 2, 7): (0.0582, 0.8062),
    (5, 56, 0, 29): (-0.0381, 0.1926),
    (0, 10, 0, 20): (-0.1611, 0.2775),
    (0, 10, 0, 10): (-0.2775, 0.2775),
    (10, 10, 0, 20): (0.6791, 1.0),
    (10, 10, 0, 10): (0.6075, 1.0),
}
"""Newcombe (1998), Table II, method 10: the contrasts (a) to (h)."""


@pytest.mark.parametrize(("counts", "limits"), NEWCOMBE.items())
def test_published_intervals(counts, limits):
    interval = unpaired.newcombe(*counts)
    assert (interval.low, interval.high) == pytest.approx(limits, abs=5.1e-5)
    x, n, y, m = counts
    mirrored = unpaired.newcombe(y, m, x, n)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((interval.low, interval.high))


# The reference values, in base R:
#
# fisher <- function(x, n, y, m)
#   fisher.test(matrix(c(x, n - x, y, m - y), 2), alternative = "greater")$p.value
# boschloo <- function(x, n, y, m) {
#   tables <- expand.grid(i = 0:n, j = 0:m)
#   p <- mapply(function(i, j) phyper(i - 1, n, m, i + j, lower.tail = FALSE), tables$i, tables$j)
#   small <- tables[p <= p[tables$i == x & tables$j == y] * (1 + 1e-7), ]
#   size <- function(share) sum(dbinom(small$i, n, share) * dbinom(small$j, m, share))
#   grid <- seq(0, 1, length.out = 2001)
#   best <- grid[which.max(sapply(grid, size))]
#   near <- c(max(0, best - 1e-3), min(1, best + 1e-3))
#   optimize(size, near, maximum = TRUE, tol = 1e-12)$objective
# }
# newcombe <- function(x, n, y, m) {  # method 10: the square and add of Wilson's limits
#   wilson <- function(k, n) prop.test(k, n, correct = FALSE)$conf.int
#   a <- wilson(x, n); b <- wilson(y, m); p <- x / n; q <- y / m
#   c(p - q - sqrt((p - a[1])^2 + (b[2] - q)^2), p - q + sqrt((a[2] - p)^2 + (q - b[1])^2))
# }
IN_R = {
    (3, 4, 1, 4): (0.242857142857, 0.14453125, -0.135488400583, 0.789083268085),
    (7, 9, 2, 11): (0.0123839009288, 0.0066774773162, 0.156791527976, 0.801622945863),
    (12, 15, 5, 12): (0.0492753623188, 0.0317378199946, 0.0185967964346, 0.641571588354),
    (40, 50, 20, 50): (4.15432935312e-05, 1.95774589993e-05, 0.210021371251, 0.551731314785),
    (30, 50, 28, 50): (0.41979518645, 0.373617482392, -0.148616487035, 0.224682666653),
    (8, 8, 0, 7): (0.0001554001554, 3.15527553588e-05, 0.519593583131, 1),
    (0, 10, 3, 10): (1, 1, -0.603221852539, 0.0375924345791),
}
"""Successes and trials of A and B -> p-values of Fisher and Boschloo, and Newcombe's limits."""


@pytest.mark.parametrize(("counts", "values"), IN_R.items())
def test_values_of_r(counts, values):
    x, n, y, m = counts
    interval = unpaired.newcombe(*counts)
    (boschloo,), _, how = unpaired.boschloo([x], [n], [y], [m])
    found = unpaired.fisher(*counts)[0], boschloo, interval.low, interval.high
    assert found == pytest.approx(values, rel=1e-9)
    cells = [[x, y], [n - x, m - y]]
    scipys = stats.boschloo_exact(cells, alternative="greater", n=128).pvalue
    assert (boschloo, how) == (pytest.approx(min(scipys, found[0]), rel=1e-9), ["Boschloo, exact"])


def test_fisher_is_the_hypergeometric_tail():
    # R: fisher.test(TeaTasting, alternative = "greater"), p-value = 0.2429
    assert unpaired.fisher(3, 4, 1, 4)[0] == pytest.approx(17 / 70, rel=1e-12)
    # R: fisher.test(Convictions, alternative = "less"), p-value = 0.0004652
    assert unpaired.fisher(15, 17, 3, 13)[0] == pytest.approx(0.0004652, abs=5.1e-8)
    for x, n, y, m in NEWCOMBE:
        found, reverse = unpaired.fisher(x, n, y, m)
        exact = stats.fisher_exact([[x, y], [n - x, m - y]], alternative="greater").pvalue
        assert found == pytest.approx(exact, rel=1e-9)
        assert unpaired.fisher(y, m, x, n) == (reverse, found)


def size(pvalues, n, m, alpha):
    """Return the largest probability of a p-value of at most alpha if both shares are one."""
    shares = np.linspace(0, 1, 801)
    a = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares)
    b = stats.binom.pmf(np.arange(m + 1)[:, None], m, shares)
    return np.einsum("ig,ij,jg->g", a, (pvalues <= alpha).astype(float), b).max()


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 7), (8, 8), (12, 5)])
def test_the_size_is_kept_at_every_level(n, m):
    x, y = (side.ravel() for side in np.mgrid[0 : n + 1, 0 : m + 1])
    one = np.ones_like(x)
    found, reverse, how = unpaired.boschloo(x, n * one, y, m * one)
    assert set(how) == {"Boschloo, exact"}
    fisher = unpaired.fisher(x, n, y, m)
    for pvalues, above in ((found, fisher[0]), (reverse, fisher[1])):
        assert (pvalues <= above).all()
        for alpha in (0.01, 0.05, 0.1, 0.3, *np.unique(pvalues)[:8]):
            assert size(pvalues.reshape(n + 1, m + 1), n, m, alpha) <= alpha * (1 + 1e-6)
    swapped, back, _ = unpaired.boschloo(y, m * one, x, n * one)
    np.testing.assert_array_equal(swapped, reverse)
    np.testing.assert_array_equal(back, found)


def test_the_largest_probability_is_found():
    rng = np.random.default_rng(1)
    for _ in range(25):
        n, m = rng.integers(2, 21, 2)
        x, y = rng.integers(0, n + 1), rng.integers(0, m + 1)
        (found,), _, _ = unpaired.boschloo([x], [n], [y], [m])
        rows, columns = np.mgrid[0 : n + 1, 0 : m + 1]
        statistic = unpaired.fisher(rows, n, columns, m)[0]
        assert size(statistic, n, m, statistic[x, y] * (1 + 1e-12)) <= found * (1 + 1e-6)


def test_many_trials_are_compared_by_fisher():
    found, reverse, how = unpaired.boschloo([520], [1000], [480], [1000])
    assert how == ["Fisher, exact"]
    assert (found[0], reverse[0]) == unpaired.fisher(520, 1000, 480, 1000)


def test_equal_shares_speak_for_nobody():
    for numbers in ((0, 5, 0, 5), (5, 5, 5, 5)):
        assert unpaired.fisher(*numbers) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((3, 2, 1, 2), "successes_a is 3, but trials_a is 2; pass at least one trial, and no more"),
        ((0, 0, 1, 2), "successes_a is 0, but trials_a is 0; pass at least one trial, and no more"),
        ((1, 2, 3, 2), "successes_b is 3, but trials_b is 2; pass at least one trial, and no more"),
        ((1.5, 2, 1, 2), "successes_a is 1.5"),
        ((-1, 2, 1, 2), "successes_a is -1"),
    ],
)
def test_numbers_that_cannot_be(numbers, said):
    with pytest.raises(checks.InputError, match=said):
        unpaired.fisher(*numbers)


# --- a margin ------------------------------------------------------------------------------------

# The reference values, in base R:
#
# score <- function(x, n, y, m, d) {
#   slope <- function(p) { q <- p - d
#     x * (1 - p) * q * (1 - q) - (n - x) * p * q * (1 - q) +
#       y * p * (1 - p) * (1 - q) - (m - y) * p * (1 - p) * q }
#   logl <- function(p) dbinom(x, n, p, log = TRUE) + dbinom(y, m, p - d, log = TRUE)
#   ends <- c(max(0, d), min(1, 1 + d))
#   p <- optimize(logl, ends, maximum = TRUE, tol = 1e-14)$maximum
#   near <- c(max(ends[1], p - 1e-5), min(ends[2], p + 1e-5))
#   if (slope(near[1]) * slope(near[2]) < 0) p <- uniroot(slope, near, tol = 1e-16)$root
#   for (end in ends) if (logl(end) >= logl(p)) p <- end
#   q <- min(max(p - d, 0), 1)
#   (x / n - y / m - d) / sqrt(p * (1 - p) / n + q * (1 - q) / m)
# }
# beyond <- function(x, n, y, m, d) {
#   tables <- expand.grid(i = 0:n, j = 0:m)
#   z <- mapply(function(i, j) score(i, n, j, m, d), tables$i, tables$j)
#   large <- tables[z >= z[tables$i == x & tables$j == y] - 1e-6, ]
#   size <- function(p)
#     sum(dbinom(large$i, n, p) * dbinom(large$j, m, min(max(p - d, 0), 1)))
#   max(sapply(seq(max(0, d), min(1, 1 + d), length.out = 20001), size))
# }
BEYOND_IN_R = {
    (40, 50, 41, 50, -0.15): (1.629816949, 0.05454844885),
    (3, 4, 1, 4, -0.2): (2.020725942, 0.04980736),
    (12, 15, 11, 12, -0.1): (-0.127512804, 0.6590022518),
    (20, 20, 30, 30, -0.1): (1.490711985, 0.1215766546),
    (0, 10, 0, 12, -0.25): (2, 0.03636570691),
    (9, 9, 8, 9, -0.3): (2.377096756, 0.01298438046),
    (28, 30, 20, 30, 0.1): (1.687613871, 0.08061863281),
    (7, 25, 10, 18, -0.4): (0.8784273143, 0.2087583717),
}
"""Successes and trials of A and B, and the margin -> the score statistic and its exact p-value."""


@pytest.mark.parametrize(("given", "values"), BEYOND_IN_R.items())
def test_margins_in_r(given, values):
    *counts, margin = given
    statistic, expected = values
    assert unpaired.score(*counts, margin) == pytest.approx(statistic, rel=1e-8)
    found, how = unpaired.beyond(*counts, margin=margin)
    assert expected * (1 - 1e-7) <= found <= expected * (1.00011 if expected < 0.5 else 1.0102)
    assert how == ["score statistic, exact unconditional"]


def all_of(n, m, margin):
    """Return the p-values of all results."""
    x, y = (side.ravel() for side in np.mgrid[0 : n + 1, 0 : m + 1])
    return unpaired.beyond(x, n, y, m, margin=margin)[0].reshape(n + 1, m + 1)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 7), (8, 8), (12, 5)])
@pytest.mark.parametrize("margin", [-0.3, -0.05, 0.0, 0.1])
def test_the_size_of_a_margin_is_kept_for_every_pair_of_shares(n, m, margin):
    """By enumeration, over all shares whose difference is the margin or less."""
    pvalues = all_of(n, m, margin)
    p, q = np.mgrid[0:1:121j, 0:1:121j].reshape(2, -1)
    edge = np.linspace(max(0, margin), min(1, 1 + margin), 801)
    p, q = (np.append(*of) for of in ((p, edge), (q, np.clip(edge - margin, 0, 1))))
    p, q = (side[p - q <= margin + 1e-12] for side in (p, q))
    a = stats.binom.pmf(np.arange(n + 1)[:, None], n, p)
    b = stats.binom.pmf(np.arange(m + 1)[:, None], m, q)
    for alpha in (0.01, 0.05, 0.1, 0.3, *np.unique(pvalues)[:8]):
        sizes = np.einsum("ig,ij,jg->g", a, (pvalues <= alpha).astype(float), b)
        assert sizes.max() <= alpha * (1 + 1e-9)


@pytest.mark.parametrize(("n", "m"), [(6, 9), (11, 4)])
def test_more_successes_and_wider_margins_are_better(n, m):
    x, y = np.mgrid[0 : n + 1, 0 : m + 1]
    before = -np.inf
    for margin in (0.3, 0.1, 0.0, -0.1, -0.3, -0.6):
        scores = unpaired.score(x, n, y, m, margin)
        assert (scores >= before).all()
        before = scores
        for values, slack in ((-scores, 1e-9), (all_of(n, m, margin), 1e-2)):
            assert (np.diff(values, axis=0) <= slack).all()
            assert (np.diff(values, axis=1) >= -slack).all()


def test_failures_are_successes_of_the_other():
    rng = np.random.default_rng(2)
    for _ in range(25):
        n, m = rng.integers(1, 40, 2)
        x, y, margin = rng.integers(0, n + 1), rng.integers(0, m + 1), rng.uniform(-0.9, 0.9)
        found, _ = unpaired.beyond(x, n, y, m, margin=margin)
        assert unpaired.beyond(m - y, m, n - x, n, margin=margin)[0] == pytest.approx(
            found, rel=0.01
        )
        back = unpaired.score(y, m, x, n, -margin)
        assert unpaired.score(x, n, y, m, margin) == pytest.approx(-back, abs=1e-7)


def test_a_margin_of_many_trials():
    found, how = unpaired.beyond(1600, 2000, 1620, 2000, margin=-0.02)
    near = stats.norm.sf(unpaired.score(1600, 2000, 1620, 2000, -0.02))
    assert how == ["score statistic, exact unconditional"]
    assert near < found < near + 0.04
    found, how = unpaired.beyond(8000, 10_000, 8100, 10_000, margin=-0.02)
    assert how == ["score test, asymptotic"]
    assert found == stats.norm.sf(unpaired.score(8000, 10_000, 8100, 10_000, -0.02))


@pytest.mark.parametrize("margin", [1, -1, 5, np.nan])
def test_margins_that_cannot_be(margin):
    with pytest.raises(checks.InputError, match="margin"):
        unpaired.beyond(1, 2, 1, 2, margin=margin)
