"""Confidence intervals: what a test returns, and those of shares."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks


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
        raise checks.InputError(f"share is {share[wrong][0]:g}, but a share lies in [0, 1].")
    if not (n >= 0).all():
        raise checks.InputError("A number of units is negative or missing; it is 0 or more.")
    n = np.where(n, n, np.nan)
    scale = 2 * (n + z**2)
    centre = (2 * n * share + z**2) / scale
    half = z / scale * np.sqrt(4 * n * share * (1 - share) + z**2)
    low = np.where((share == 0) & (n > 0), 0.0, centre - half)
    return low, np.where((share == 1) & (n > 0), 1.0, centre + half)
