"""Tests of the mean for systems with unpaired runs."""

import functools
import itertools
import math

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments, many_systems
from replicability.stats.intervals import ConfidenceInterval

TITLE = "a permutation test of Welch's t"
"""The test in a sentence."""

MOST_WAYS = 20_000
"""Maximum number of permutations that are enumerated."""

_TIES = 2.0**-30
"""Relative rounding error within which two statistics are equal."""


def pvalues(a, b, margin=0.0):
    r"""Test whether the mean over new runs is higher, in both directions.

    Parameters
    ----------
    a, b : array_like, shapes (n,) and (m,)
        Score of each run of A and of B, at least two of each.
    margin : float, default 0.0
        Difference, A minus B, that the null hypothesis allows.

    Returns
    -------
    tuple of (float, float, str)
        p-values of "A is not better by more than the margin" and of its reverse, and how they were
        computed.

    Raises
    ------
    InputError
        If a system has fewer than two runs, or a score is not finite.

    Notes
    -----
    With at most 20,000 ways to assign the runs to the systems the p-value is the share of them with
    as large a Welch's t. It is exact if A's runs, less the margin, have the same distribution as
    B's. Unequal variances with few runs make it approximate. It cannot be below one over the number
    of ways, 1/252 for 5 runs of each. With more runs the p-value is Welch's (1947), which is
    approximate. If all runs of each system have the same score, both p-values are 1.

    Examples
    --------
    >>> pvalues([5, 6, 7, 8, 9], [0, 1, 2, 3, 4])[0] == 1 / 252
    True
    """
    a, b = _runs(a, b)
    a = a - checks.finite("margin", margin)
    if not (np.ptp(a) or np.ptp(b)):
        return 1.0, 1.0, "p = 1 because the score is the same in every run"
    ways = math.comb(len(a) + len(b), len(a))
    if ways > MOST_WAYS:
        t, degrees, _ = _welch(a, b)
        p = float(special.stdtr(degrees, -t)), float(special.stdtr(degrees, t))
        return *p, f"Welch's t with {degrees:.1f} degrees of freedom"
    together = np.concatenate([a, b])
    chosen, others = _ways(len(a), len(b))
    t = _welch(together[chosen], together[others])[0]  # of the systems first
    reached = np.isclose(t, t[0], rtol=_TIES, atol=_TIES)
    p = float((reached | (t > t[0])).mean()), float((reached | (t < t[0])).mean())
    return *p, f"exact permutation of {len(a)} and {len(b)} runs"


@functools.cache
def _ways(n, m):
    """Return the runs of A and of B in each way to assign them, that of the data first."""
    chosen = np.array([*itertools.combinations(range(n + m), n)])
    inside = np.zeros((len(chosen), n + m), bool)
    np.put_along_axis(inside, chosen, True, axis=1)
    return chosen, np.nonzero(~inside)[1].reshape(len(chosen), m)


def matrix(runs, against=None):
    """Test all pairs of systems with unpaired runs on one dataset.

    Parameters
    ----------
    runs : sequence of array_like
        Score of each run of each of the s systems, at least two of each.
    against : int, optional
        Place of the only system that the others are compared with; by default all pairs.

    Returns
    -------
    ndarray of float64, shape (s, s)
        p-values of "the system of the row is not better than that of the column", as in
        `pvalues`; 1 for a pair that is not compared.

    Raises
    ------
    InputError
        As `pvalues`.

    Examples
    --------
    >>> bool(matrix([[5, 6, 7, 8, 9], [0, 1, 2, 3, 4], [2, 2, 2, 2, 2]])[0, 1] == 1 / 252)
    True
    """
    runs = [arguments.vector("runs of a system", own) for own in runs]
    for place, own in enumerate(runs, 1):
        refuse_single(f"System {place}", own)
    found = np.ones((len(runs), len(runs)))
    chosen = many_systems.pairs(len(runs), against)
    few = {(n, m): floor(n, m) > 0 for n in {*map(len, runs)} for m in {*map(len, runs)}}
    for i, j in chosen:
        if few[len(runs[i]), len(runs[j])]:
            found[i, j], found[j, i], _ = pvalues(runs[i], runs[j])
    rows = np.array(chosen).T
    vary = np.array([np.ptp(own) > 0 for own in runs])
    many = [not few[len(runs[i]), len(runs[j])] for i, j in chosen]
    i, j = rows[:, many & vary[rows].any(axis=0)]
    n, mean = np.array([*map(len, runs)]), np.array([own.mean() for own in runs])
    part = np.array([own.var(ddof=1) / len(own) for own in runs])
    t, degrees, _ = _from_moments(mean[i] - mean[j], (part[i], part[j]), (n[i], n[j]))
    found[i, j], found[j, i] = special.stdtr(degrees, -t), special.stdtr(degrees, t)
    return found


def floor(n, m):
    """Return the smallest p-value of n and m runs; 0 if it is approximate.

    Examples
    --------
    >>> floor(5, 5) == 1 / 252
    True
    """
    ways = math.comb(n + m, n)
    return 1 / ways if ways <= MOST_WAYS else 0.0


@functools.cache
def welch_size(n, m, alpha, ratio=1.0):
    r"""Return how often Welch's test rejects a true null hypothesis of normal runs.

    Parameters
    ----------
    n, m : int
        Runs of A and of B, at least 2.
    alpha : float
        Level of the one-sided test, in (0, 1/2].
    ratio : float, default 1
        Standard deviation of A's runs in those of B's, above 0.

    Returns
    -------
    float
        The probability of p <= alpha, by quadrature.

    Raises
    ------
    InputError
        If an argument is out of its range.

    Notes
    -----
    Given the ratio of the sums of squares, Welch's t is a multiple of Student's t with n + m - 2
    degrees of freedom, and its own degrees of freedom are known. The share of A in the sum of both
    sums of squares, each over its variance, has a beta distribution. The rejection rate is averaged
    over it by the trapezoidal rule on the logit of the share.

    References
    ----------
    Wang (1971), Journal of the American Statistical Association 66(335), 605-608.

    Examples
    --------
    >>> round(welch_size(10, 10, 0.05), 4), round(welch_size(10, 10, 1e-6, 3.0) / 1e-6, 2)
    (0.0492, 3.47)
    """
    for name, number in (("n", n), ("m", m)):
        checks.at_least(name, number, 2)
    if not 0 < checks.finite("alpha", alpha) <= 0.5:
        raise checks.InputError(f"alpha is {alpha:g}; pass a level above 0 and at most 0.5.")
    if not checks.finite("ratio", ratio) > 0:
        raise checks.InputError(f"ratio is {ratio:g}; pass a number above 0.")
    f, g = n - 1, m - 1
    logit = np.linspace(-100, 100, 2_001)
    a, b = special.expit(logit), special.expit(-logit)
    weights = np.exp(f / 2 * special.log_expit(logit) + g / 2 * special.log_expit(-logit))
    squares = ratio**2 * a / (f * n), b / (g * m)
    both = squares[0] + squares[1]
    degrees = 1 / ((squares[0] / both) ** 2 / f + (squares[1] / both) ** 2 / g)
    scale = np.sqrt((f + g) * both / (ratio**2 / n + 1 / m))
    rejects = special.stdtr(f + g, special.stdtrit(degrees, alpha) * scale)
    return float(weights @ rejects / weights.sum())


def inflation(n, m, alpha):
    """Return by how much Welch's size exceeds its level at most, as a factor, for normal runs.

    Parameters
    ----------
    n, m, alpha
        As for `welch_size`.

    Returns
    -------
    float
        The largest size over alpha, for ratios of the standard deviations from 1/100 to 100; 1 if
        permutations are enumerated instead.

    Examples
    --------
    >>> round(inflation(10, 10, 0.05), 2), round(inflation(10, 10, 0.025 / 195), 2)
    (1.01, 1.58)
    """
    if floor(n, m):
        return 1.0
    return max(welch_size(n, m, alpha, float(ratio)) for ratio in _RATIOS) / alpha


_RATIOS = np.geomspace(0.01, 100, 41)
"""Ratios of standard deviations over which the largest size is sought."""


def interval(a, b, confidence_level=0.95):
    """Return Welch's interval of the difference of the means, and its standard error.

    Parameters
    ----------
    a, b : array_like
        As for `pvalues`.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    tuple of (ConfidenceInterval, float)
        Infinite limits if all runs of each system have the same score.

    Raises
    ------
    InputError
        As `pvalues`, or if the level is out of its range.

    Examples
    --------
    >>> limits, error = interval([5, 6, 7], [1, 2, 3])
    >>> round(limits.low, 2), round(error, 3)
    (1.73, 0.816)
    """
    confidence_level = checks.confidence_level(confidence_level)
    a, b = _runs(a, b)
    _, degrees, error = map(float, _welch(a, b))
    width = error * float(special.stdtrit(degrees, 0.5 + confidence_level / 2)) or math.inf
    effect = float(a.mean() - b.mean())
    return ConfidenceInterval(effect - width, effect + width, confidence_level), error


def _runs(a, b):
    """Check the scores of runs."""
    a, b = arguments.vector("runs of A", a), arguments.vector("runs of B", b)
    for name, runs in (("A", a), ("B", b)):
        refuse_single(f"System {name}", runs)
    return a, b


def refuse_single(who, runs):
    """Refuse a system with fewer than two runs, by its name in the message."""
    if len(runs) < 2:
        raise checks.InputError(
            f"{who} has {len(runs)} run{'s' * (len(runs) != 1)}, but at least two are needed to "
            "estimate the variance between runs; add runs."
        )


def _welch(a, b):
    """Return Welch's t, its degrees of freedom and the standard error, over the last axis."""
    parts = [side.var(axis=-1, ddof=1) / side.shape[-1] for side in (a, b)]
    numbers = [side.shape[-1] for side in (a, b)]
    return _from_moments(a.mean(axis=-1) - b.mean(axis=-1), parts, numbers)


def _from_moments(difference, parts, numbers):
    """Return what `_welch` does, from squared standard errors of both means and numbers of runs."""
    error = np.sqrt(parts[0] + parts[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        below = sum(p**2 / (n - 1) for p, n in zip(parts, numbers, strict=True))
        degrees = np.where(below > 0, (parts[0] + parts[1]) ** 2 / below, 1.0)
        t = difference / error
    return np.nan_to_num(t, posinf=np.inf, neginf=-np.inf), degrees, error
