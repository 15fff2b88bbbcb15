"""Confidence intervals: what a test returns, and those of shares, their differences and means."""

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats.skewed import raised


@dataclass(frozen=True)
class ConfidenceInterval:
    """Two-sided interval for the effect.

    Attributes
    ----------
    low, high : float or ndarray
        The limits.
    confidence_level : float
        Coverage it is made for, in (0, 1).
    """

    low: np.ndarray
    high: np.ndarray
    confidence_level: float


def wilson(share, n, confidence_level=0.95):
    """Compute Wilson's score intervals of shares of independent units (Wilson 1927, JASA 22).

    Parameters
    ----------
    share : array_like, shape (m,)
        Shares, in [0, 1]; they need not be those of whole numbers of units.
    n : array_like, shape (m,)
        Units; 0 gives NaN.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    low, high : ndarray of float64, shape (m,)
        Limits in [0, 1]: 0 for a share of 0 and 1 for a share of 1, exactly.

    Raises
    ------
    InputError
        If a share or the level is out of its range, or a number of units is negative.

    Examples
    --------
    >>> low, high = wilson([0.9646], [10000])
    >>> low.round(4), high.round(4)
    (array([0.9608]), array([0.968]))
    """
    z = special.ndtri(0.5 + 0.5 * checks.confidence_level(confidence_level))
    share, n = np.broadcast_arrays(np.asarray(share, float), np.asarray(n, float))
    wrong = ~((share >= 0) & (share <= 1) | (n == 0))
    if wrong.any():
        raise checks.InputError(
            f"share is {share[wrong][0]:g}, but a share must be in [0, 1]; pass a number in this "
            "range."
        )
    if not (n >= 0).all():
        raise checks.InputError(
            "A number of units is negative or missing; pass numbers of at least 0."
        )
    n = np.where(n, n, np.nan)
    scale = 2 * (n + z**2)
    centre = (2 * n * share + z**2) / scale
    half = z / scale * np.sqrt(4 * n * share * (1 - share) + z**2)
    low = np.where((share == 0) & (n > 0), 0.0, centre - half)
    return low, np.where((share == 1) & (n > 0), 1.0, centre + half)


def paired_shares(wins, losses, n, confidence_level=0.95):
    r"""Compute the exact interval of a difference of two paired shares (Fay and Lumbard 2021).

    Parameters
    ----------
    wins, losses : int
        Items on which only A is right, and on which only B is; whole numbers, 0 or more.
    n : int
        Number of items, at least 1 and at least wins + losses.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    ConfidenceInterval
        Limits in [-1, 1] for the share of A minus the share of B. They are never equal.

    Raises
    ------
    InputError
        If the level is out of its range, or the numbers do not fit together.

    Notes
    -----
    Valid for any number of independent items: for n up to 100, by enumeration, coverage is at least
    nominal. A limit excludes 0 exactly if the one-sided exact McNemar test rejects at half of one
    less the level.

    Of d discordant items A wins a share :math:`\theta`, so that the difference is :math:`\pi
    (2 \theta - 1)`, where :math:`\pi` is the probability that an item is discordant. Clopper and
    Pearson's lower limit of :math:`\theta` is a quantile of T ~ Beta(wins, losses + 1). Limits of
    :math:`\pi` are quantiles of P, which is Beta(d, n - d + 1) where the limit of the difference is
    positive, and Beta(d + 1, n - d) where it is negative. The limit is the quantile of P (2T - 1),
    with P and T independent (Statistics in Medicine 40, 1147-1159).

    Examples
    --------
    >>> interval = paired_shares(12, 0, 12)
    >>> round(interval.low, 3), interval.high
    (0.423, 1.0)
    >>> interval = paired_shares(0, 0, 12)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.265, 0.265)
    """
    level = checks.confidence_level(confidence_level)
    if not 0 <= min(wins, losses) <= wins + losses <= n or n < 1:
        raise checks.InputError(
            f"wins, losses and n are {wins}, {losses} and {n}; pass numbers of at least 0, with n "
            "at least 1 and at least wins + losses."
        )
    tail = 0.5 - level / 2
    low, high = _lower_limit(wins, losses, n, tail), -_lower_limit(losses, wins, n, tail)
    return ConfidenceInterval(low, high, level)


def mean_distances(skewness, n, off_mode, confidence_level=0.95):
    r"""Compute how far the limits of a mean are from it, in standard errors.

    Parameters
    ----------
    skewness : float
        Skewness of the n values: the mean cube over the cube of the standard deviation, which
        divides by n.
    n : int
        Number of values, at least 2.
    off_mode : int
        How many of them do not have the most common value, m.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    below, above : float
        Distances from the mean to the lower and to the upper limit, at least Student's quantile.

    Raises
    ------
    InputError
        If the level is out of its range.

    Notes
    -----
    Valid for independent values whose standard deviation is above 0. Each distance is the largest
    of three: Student's quantile, and those by Hall's (1992, Journal of the Royal Statistical
    Society B 54, 221-228) transformation with the skewness g and with :math:`g (1 + 4/\sqrt{m})`,
    since few values show too little of it. With :math:`u = (\bar{x} - \mu)/s`, the transformation

    .. math:: h(u) = u + g u^2/3 + g^2 u^3/27 + g/(6n)

    takes most of the skewness away, so that :math:`\sqrt{n} h(u)` is close to Student's t; limits
    are where h is its quantile over :math:`\sqrt{n}`.

    Coverage at 95% is .95 to .98 for normal, exponential and t3 differences from n = 10 on, and for
    lognormal ones with log-scale 1.5 from n = 20 on. It is lower where a rare item differs by much
    and n is so small that none may be seen.

    Examples
    --------
    >>> below, above = mean_distances(2.0, 40, 40)
    >>> round(below, 3), round(above, 3)
    (2.023, 8.402)
    """
    level = checks.confidence_level(confidence_level)
    quantile = float(special.stdtrit(n - 1, 0.5 + level / 2))
    both = skewness, raised(skewness, off_mode)
    below = max(quantile, *(_hall(quantile, g, n) for g in both))
    above = max(quantile, *(_hall(quantile, -g, n) for g in both))
    return below, above


def unseen(n, confidence_level=0.95):
    """Return the upper bound on the probability of items never seen among n.

    Parameters
    ----------
    n : int
        Number of independent items, at least 1.
    confidence_level : float, default 0.95
        Coverage of a two-sided interval, in (0, 1): one end misses with half of the rest.

    Returns
    -------
    float
        Clopper and Pearson's limit, about 3.7/n at 95%.

    Raises
    ------
    InputError
        If the level is out of its range.

    Examples
    --------
    >>> round(unseen(12), 4)
    0.2646
    """
    return -math.expm1(math.log(0.5 - checks.confidence_level(confidence_level) / 2) / n)


def _hall(quantile, skewness, n):
    """Return how far below the mean h is at the quantile, in standard errors.

    The root of (1 + g u/3)^3 = 1 + g y, without a division by g.
    """
    y = quantile / math.sqrt(n) - skewness / (6 * n)
    root = float(np.cbrt(1 + skewness * y))
    return math.sqrt(n) * 3 * y / (root * root + root + 1)


def _lower_limit(wins, losses, n, tail):
    """Return the quantile of P (2T - 1) at a probability."""
    discordant = wins + losses
    if losses == n:
        return -1.0
    if not wins:
        return -float(special.betaincinv(discordant + 1, n - discordant, 1 - tail))
    ahead = special.betainc(wins, losses + 1, 0.5) <= tail
    if discordant == n and not ahead:
        return 2 * float(special.betaincinv(wins, losses + 1, tail)) - 1
    law = (discordant, n - discordant + 1) if ahead else (discordant + 1, n - discordant)
    from scipy import optimize  # a tenth of a second that no other interval needs

    def excess(x):
        return _product_below(x, wins, losses, law) - tail

    ends = (0.0, 1.0) if ahead else (-1.0, 0.0)
    return float(optimize.brentq(excess, *ends, xtol=1e-13))


def _product_below(x, wins, losses, law):
    """P(P (2T - 1) <= x), integrated over P, of which law has the parameters."""
    least, most = special.betaincinv(*law, [1e-14, 1 - 1e-14])
    start = min(max(least, abs(x)), most)
    nodes, weights = _legendre(100)
    p = start + (most - start) * nodes
    density = np.exp(
        special.xlogy(law[0] - 1, p) + special.xlog1py(law[1] - 1, -p) - special.betaln(*law)
    )
    inside = (
        (most - start)
        * (weights * density)
        @ special.betainc(wins, losses + 1, np.clip((1 + x / p) / 2, 0, 1))
    )
    return inside + (special.betainc(*law, start) if x > 0 else 0.0)


@functools.cache
def _legendre(number):
    """Return nodes and weights of Gauss and Legendre on [0, 1]."""
    nodes, weights = special.roots_legendre(number)
    return (nodes + 1) / 2, weights / 2
