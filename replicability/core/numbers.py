"""How a number is written where people read it, and which of two scores is higher."""

import numpy as np

ROUNDING = 1e-12
"""Relative rounding error of a mean, which depends on the order of summation."""


def rounded(value, decimals, plus="", minus="-"):
    """Write a number with so many decimals; what is rounded to zero has no sign.

    `value`: it may be infinite or NaN. `decimals`: at least 0. `plus`, `minus`: what stands before
    a number above zero and below it.

    Returns str. Such as "0.25", "−0.25" or "0.00".

    Examples
    --------
    >>> [rounded(x, 2, plus="+") for x in (0.25, -0.25, -0.004)]
    ['+0.25', '-0.25', '0.00']
    """
    size = f"{abs(value):.{decimals}f}"
    if not float(size):
        return size
    return f"{minus if value < 0 else plus if value > 0 else ''}{size}"


def leads(scores, others):
    """Tell which scores are higher by more than the rounding of a sum.

    `scores`, `others` (array_like, shape (n,)): scores of two systems on n datasets.

    Returns ndarray of float64, shape (n,). 1 where the first one is higher, -1 where the second one
    is, and 0 where they are level.

    Examples
    --------
    >>> leads([0.1 + 0.2, 0.5, 0.1], [0.3, 0.4, 0.2]).tolist()
    [0.0, 1.0, -1.0]
    """
    a, b = np.asarray(scores, float), np.asarray(others, float)
    level = np.abs(a - b) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))
    return np.where(level, 0.0, np.sign(a - b))
