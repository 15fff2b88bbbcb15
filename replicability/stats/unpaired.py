r"""Two systems that succeed in some of their own trials: tests and intervals of two shares.

The trials of a system are not those of the other, so that nothing is paired: the successes are two
binomial numbers. All of this is valid if trials are independent, within and between systems.
"""

import numpy as np
from scipy import special, stats

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval

TITLE = "Boschloo's exact test of two shares"
"""The test in a sentence."""

MOST_TABLES = 150**2
"""Most possible results of a task of which `boschloo` goes through all; beyond it is `fisher`."""


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
                f"successes_{side} is {right[wrong].flat[0]} of {of[wrong].flat[0]} trials; there "
                "is at least one trial, and no more successes than trials."
            )
    return x, n, y, m
