"""Families of p-values as rows of a batch: in blocks, up to a failure, and as levels."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

CHUNK_VALUES = 2**16
"""p-values that are worked on at a time, so that the intermediate results stay in cache."""


def chunks(values: np.ndarray, result: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pair blocks of families with their places in the result, small enough to stay in cache.

    Parameters
    ----------
    values : ndarray
        Families along the last axis.
    result : ndarray
        Contiguous; shape of `values`, or that shape without the last axis.

    Yields
    ------
    ndarray, ndarray
        Views of `values` and `result` with at most `CHUNK_VALUES` p-values, or one family.
    """
    n = values.shape[-1]
    rows = values.reshape(-1, n)
    targets = result.reshape(len(rows), *result.shape[values.ndim - 1 :])
    step = max(1, CHUNK_VALUES // n)
    for start in range(0, len(rows), step):
        yield rows[start : start + step], targets[start : start + step]


def first_failure(failed: NDArray[np.bool]) -> NDArray[np.int64]:
    """Return the number of leading entries along the last axis that did not fail.

    Parameters
    ----------
    failed : ndarray of bool
        Whether the u-th hypothesis is not rejected, u = 1, ..., n along the last axis.

    Returns
    -------
    ndarray of int64
        Index of the first True; n where there is none.
    """
    first = failed.argmax(axis=-1)
    return np.where((first > 0) | failed[..., 0], first, failed.shape[-1])


def least_alpha(
    pvalues: NDArray[np.float64], factor: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return the smallest level at which p-values are at most alpha divided by a factor.

    Parameters
    ----------
    pvalues : ndarray
        In [0, 1].
    factor : ndarray or float
        At least 1; broadcast against `pvalues`.

    Returns
    -------
    ndarray of float64
        The smallest floating-point numbers ``alpha`` with ``pvalues <= alpha / factor``.

    Notes
    -----
    It is the product up to the last bit: 11 * (.05 / 11) is above .05 in floating point. For levels
    above 1e-300 it is the number before the product, the product or the number after it.
    """
    before_one = np.nextafter(1, 0)  # a product with it is the number before, a quotient that after
    alpha = np.asarray(pvalues * factor * before_one)
    for _ in range(2):
        np.divide(alpha, before_one, out=alpha, where=alpha / factor < pvalues)
    return alpha
