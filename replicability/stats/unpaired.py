r"""Two systems that succeed in some of their own trials: tests and intervals of two shares.

The trials of a system are not those of the other, so that nothing is paired: the successes are two
binomial numbers. All of this is valid if trials are independent, within and between systems.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.regions import NEGLIGIBLE, largest_between

TITLE = "Boschloo's exact test of two shares"
"""The test in a sentence."""

OF_MARGINS = "the exact unconditional test of the score statistic"
"""Name of the test of a margin in a sentence."""

MOST_TRIALS = 5_000
"""Maximum number of trials of both systems for which `beyond` is exact."""

MOST_TABLES = 150**2
"""Maximum number of outcomes of a task that `boschloo` enumerates; then `fisher` is used."""


def fisher(successes_a, trials_a, successes_b, trials_b):
    r"""Return the p-values of Fisher's exact test of two shares, in both directions.

    Parameters
    ----------
    successes_a, successes_b : int or array_like of int
        Successes of each system.
    trials_a, trials_b : int or array_like of int
        Trials of each system, at least 1, and no fewer than its successes.

    Returns
    -------
    tuple of (float or ndarray)
        Of "A succeeds no more often than B", small where A is better, and of its reverse.

    Raises
    ------
    InputError
        If a number is negative or not whole, there are no trials, or more successes than trials.

    Notes
    -----
    Given the successes of both systems together, those of A are hypergeometric if both succeed
    equally often, and smaller in the stochastic order if A succeeds less often. The p-value is
    therefore valid for every pair of shares, however few trials there are, and conservative.

    Examples
    --------
    >>> p_value, p_reverse = fisher(3, 4, 1, 4)
    >>> round(float(p_value), 4), round(float(p_reverse), 4)
    (0.2429, 0.9857)
    """
    x, n, y, m = _checked(successes_a, trials_a, successes_b, trials_b)
    p_value = stats.hypergeom.sf(x - 1, n + m, x + y, n)
    p_reverse = stats.hypergeom.sf(y - 1, n + m, x + y, m)
    both = (np.minimum(1.0, p) for p in (p_value, p_reverse))
    return tuple(p if np.ndim(p) else float(p) for p in both)


def boschloo(successes_a, trials_a, successes_b, trials_b):
    r"""Return the p-values of Boschloo's exact test of two shares, in both directions.

    Parameters
    ----------
    successes_a, successes_b, trials_a, trials_b : array_like of int, shape (n,)
        As for `fisher`.

    Returns
    -------
    tuple of (ndarray, ndarray, list of str)
        As `fisher`, and how each pair of p-values was computed.

    Raises
    ------
    InputError
        As `fisher`.

    Notes
    -----
    The p-value is the largest probability, over all shares that the systems can have in common, of
    results whose p-value by Fisher's test is as small. It is valid for every pair of shares, and
    nowhere above Fisher's. `scipy.stats.boschloo_exact` finds the largest one. Where the product of
    the numbers of trials is above `MOST_TABLES`, which takes long, Fisher's own stands for it; as
    this depends on nothing but the trials, the p-value remains valid.

    Examples
    --------
    >>> p_value, p_reverse, how = boschloo([3], [4], [1], [4])
    >>> round(float(p_value[0]), 4), how
    (0.1445, ['Boschloo, exact'])
    """
    numbers = _checked(successes_a, trials_a, successes_b, trials_b)
    sides, how = fisher(*numbers), []
    for row, (x, n, y, m) in enumerate(zip(*(of.tolist() for of in numbers), strict=True)):
        small = n * m <= MOST_TABLES
        how.append("Boschloo, exact" if small else "Fisher, exact")
        for side, (k, of, j, other) in zip(sides, ((x, n, y, m), (y, m, x, n)), strict=True):
            if small and side[row] < 1:
                cells = [[k, j], [of - k, other - j]]
                found = stats.boschloo_exact(cells, alternative="greater").pvalue
                side[row] = min(side[row], found)
    return *sides, how


def beyond(successes_a, trials_a, successes_b, trials_b, *, margin):
    r"""Return the p-values of "the share of A less that of B is at most the margin", exactly.

    Parameters
    ----------
    successes_a, successes_b, trials_a, trials_b : array_like of int
        As for `fisher`.
    margin : float
        In (-1, 1); with a negative one a small p-value shows that A is not worse by as much.

    Returns
    -------
    tuple of (float or ndarray, list of str)
        The p-values, and how each was computed.

    Raises
    ------
    InputError
        As `fisher`, or if the margin is not in (-1, 1).

    Notes
    -----
    The p-value is the largest probability, over all shares whose difference is the margin, of a
    `score` as large (Chan 1998, Statistics in Medicine 17, 1403-1413, with the statistic of
    Farrington and Manning). Shares that differ by less than the margin make none larger, as the
    score grows with the successes of A and falls with those of B. So the p-value is valid for
    independent trials, however few.

    With s in [0, 1] the shares are max(m, 0) + s (1 - abs(m)) and max(-m, 0) + s (1 - abs(m)). In
    other words, each trial is of a second law with probability s, on which the probability depends
    by the number of such trials only: `regions.largest_between` bounds it from above over all s.
    What is returned is at least the largest probability, and larger by 0.01% of it at most, by 1%
    above 1/2, or by 1e-10.

    Above `MOST_TRIALS` trials it is the score test by the normal law, which is valid for many
    successes and failures of both systems. As this depends on nothing but the trials, the exact
    p-values remain valid.

    Examples
    --------
    >>> p_value, how = beyond(40, 50, 41, 50, margin=-0.15)
    >>> round(p_value, 4), how
    (0.0546, ['score statistic, exact unconditional'])
    """
    x, n, y, m = _checked(successes_a, trials_a, successes_b, trials_b)
    margin = checks.finite("margin", margin)
    if not -1 < margin < 1:
        raise checks.InputError(
            f"margin is {abs(margin):g}, but must be below 1, because it is a difference of "
            "shares; write, for example, 0.05 for 5 percentage points."
        )
    found = [_beyond(*four, margin) for four in zip(*(of.flat for of in (x, n, y, m)), strict=True)]
    p_value = np.reshape([p for p, _ in found], np.shape(x))
    return (p_value if p_value.ndim else float(p_value)), [how for _, how in found]


def score(successes_a, trials_a, successes_b, trials_b, margin):
    r"""Return the score statistic of the difference of two shares, elementwise.

    Parameters
    ----------
    successes_a, trials_a, successes_b, trials_b : array_like of int
        As for `fisher`.
    margin : float
        The difference under the null hypothesis, in (-1, 1).

    Returns
    -------
    ndarray of float64
        The difference less the margin over its standard error under the null hypothesis, with the
        shares of largest likelihood (Farrington and Manning 1990, Statistics in Medicine 9,
        1447-1454; Miettinen and Nurminen 1985, Statistics in Medicine 4, 213-226, whose statistic
        ranks results alike).

    Examples
    --------
    >>> round(float(score(40, 50, 41, 50, -0.15)), 4)
    1.6298
    """
    x, n, y, m = np.broadcast_arrays(successes_a, trials_a, successes_b, trials_b)
    low, high = (np.full(x.shape, max(0.0, end)) for end in (margin, 1 + margin))
    high = np.minimum(high, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(60):  # the log likelihood is concave, so its slope falls
            p = (low + high) / 2
            q = p - margin
            rises = x / p - (n - x) / (1 - p) + y / q - (m - y) / (1 - q) > 0
            low, high = np.where(rises, p, low), np.where(rises, high, p)
    p, q = high, np.clip(high - margin, 0, 1)
    error = np.sqrt(p * (1 - p) / n + q * (1 - q) / m)
    above = x / n - y / m - margin
    return np.divide(above, error, out=np.zeros(above.shape), where=error > 0)


def _beyond(x, n, y, m, margin):
    """Return the p-value of one pair of shares, and how it was computed."""
    observed = float(score(x, n, y, m, margin))
    if n + m > MOST_TRIALS:
        return special.ndtr(-observed), "score test, asymptotic"
    if m > n:  # the failures of B against those of A
        x, n, y, m = m - y, m, n - x, n
    rows = np.arange(m + 1)
    first, end = np.zeros(m + 1, np.int64), np.full(m + 1, n + 1)
    while (first < end).any():
        middle = (first + end) // 2
        small = score(np.minimum(middle, n), n, rows, m, margin) < observed - 1e-8
        open_ = first < end
        first, end = np.where(open_ & small, middle + 1, first), np.where(small, end, middle)
    first = np.minimum.accumulate(first[::-1])[::-1]  # fewer successes of B are as extreme
    bound, _ = largest_between(_AsExtreme(n + m, margin, first, n, m), 0.0, 1.0)
    return min(bound, 1.0), "score statistic, exact unconditional"


@dataclass(frozen=True)
class _AsExtreme:
    """Results as extreme as one: so many successes of A at least, for each number of B's."""

    n: int
    margin: float
    first: np.ndarray
    trials_a: int
    trials_b: int

    def log_probability(self, logits):
        """Return logarithms of the probability, as `regions.Region` does, for logits of s."""
        m, y, free = self.trials_b, np.arange(self.trials_b + 1), 1 - abs(self.margin)
        s, rest = free * special.expit(logits), free * special.expit(-logits)
        right, wrong = max(-self.margin, 0.0) + s, max(self.margin, 0.0) + rest  # of B
        ways = special.gammaln(m + 1) - special.gammaln(y + 1) - special.gammaln(m - y + 1)
        mass = ways + special.xlogy(y, right[:, None]) + special.xlogy(m - y, wrong[:, None])
        point, row = np.nonzero((mass > NEGLIGIBLE) & (self.first <= self.trials_a))
        first = self.first[row]
        chance = np.minimum(max(self.margin, 0.0) + s, 1.0)[point]
        tail = special.betainc(np.maximum(first, 1), self.trials_a - first + 1, chance)
        parts = np.exp(mass[point, row]) * np.where(first > 0, tail, 1.0)
        total = np.bincount(point, parts, len(logits))
        return np.log(total + math.exp(NEGLIGIBLE) * (self.n + 1))


def newcombe(successes_a, trials_a, successes_b, trials_b, *, confidence_level=0.95):
    r"""Return the score interval of the difference of two shares.

    Parameters
    ----------
    successes_a, trials_a, successes_b, trials_b
        As for `fisher`.
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    ConfidenceInterval
        Limits for the share of A less that of B; arrays if the numbers are.

    Raises
    ------
    InputError
        As `fisher`, or if the level is not in (0, 1).

    Notes
    -----
    Method 10 of Newcombe (1998, Statistics in Medicine 17, 873-890): the distances from the shares
    to Wilson's limits of each are put together by the root of their squares. Its coverage is near
    the level, but not at least the level.

    Examples
    --------
    >>> interval = newcombe(56, 70, 48, 80)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0524, 0.3339)
    """
    level = checks.confidence_level(confidence_level)
    x, n, y, m = _checked(successes_a, trials_a, successes_b, trials_b)
    difference = x / n - y / m
    (below_a, above_a), (below_b, above_b) = (_wilson(k, of, level) for k, of in ((x, n), (y, m)))
    low = difference - np.hypot(below_a, above_b)
    high = difference + np.hypot(above_a, below_b)
    sides = (side if np.ndim(side) else float(side) for side in (low, high))
    return ConfidenceInterval(*sides, level)


def _wilson(successes, trials, level):
    """Return how far Wilson's limits of a share lie below and above it."""
    z = special.ndtri(0.5 + level / 2)
    share = successes / trials
    centre = (successes + z * z / 2) / (trials + z * z)
    half = z * np.sqrt(share * (1 - share) * trials + z * z / 4) / (trials + z * z)
    return share - np.maximum(centre - half, 0), np.minimum(centre + half, 1) - share


def _checked(successes_a, trials_a, successes_b, trials_b):
    """Return four arrays of whole numbers, of one shape."""
    x, n, y, m = arguments.together(
        **{
            name: arguments.counts(name, value)
            for name, value in {
                "successes_a": successes_a,
                "trials_a": trials_a,
                "successes_b": successes_b,
                "trials_b": trials_b,
            }.items()
        }
    )
    for side, right, of in (("a", x, n), ("b", y, m)):
        wrong = (of < 1) | (right > of)
        if wrong.any():
            raise checks.InputError(
                f"successes_{side} is {right[wrong].flat[0]}, but trials_{side} is "
                f"{of[wrong].flat[0]}; pass at least one trial, and no more successes than "
                "trials."
            )
    return x, n, y, m
