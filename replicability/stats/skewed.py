"""Skewness of a sample, which a small one underestimates."""

import math

import numpy as np

RAISE = 4.0
"""Inflation of the estimated skewness: g (1 + RAISE/sqrt(m)) for m items off the mode."""


def raised(skew, off_mode):
    """Return the skewness, raised because few items underestimate it.

    `skew`: estimated skewness. `off_mode`: how many items do not have the most common value.

    Returns float. Larger in size than the estimate.

    Examples
    --------
    >>> raised(0.5, 100)
    0.7
    """
    return skew * (1 + RAISE / math.sqrt(max(1, off_mode)))


def skewness(values):
    """Return the skewness of values around their mean.

    `values` (ndarray of float64, shape (n,)): at least one finite value.

    Returns float. Third central moment over the 3/2 power of the second, both divided by n; 0 if
    all values are equal. It has the same digits in any order of the values, and with all signs
    changed.

    Examples
    --------
    >>> round(skewness(np.array([0.0, 0.0, 0.0, 4.0])), 6)
    1.154701
    """
    n = len(values)
    centred = values - math.fsum(values) / n
    largest = float(np.abs(centred).max())
    if not largest:
        return 0.0
    centred = centred / largest
    squares = centred * centred
    return math.fsum(squares * centred) / n / (math.fsum(squares) / n) ** 1.5


def off_the_mode(values):
    """Count the values that are not the most common one, up to rounding.

    `values` (ndarray of float64, shape (n,)): at least one finite value.

    Returns int. Between 0 and n - 1.

    Examples
    --------
    >>> off_the_mode(np.array([1.0, 1.0, 1.0, -19.0]))
    1
    """
    ordered = np.sort(values)
    new = np.diff(ordered, prepend=-math.inf) > 2.0**-40 * float(np.abs(ordered).max())
    return int(len(ordered) - np.bincount(np.cumsum(new)).max())
