"""Families of p-values as rows of a batch: in blocks, up to a failure, and as levels."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

CHUNK_VALUES = 2**15
"""Number of p-values processed at a time, so intermediate results fit the cache."""


def chunks(values: np.ndarray, result: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pair blocks of families with their places in the result, small enough to stay in cache.

    `values` (ndarray): families along the last axis. `result` (ndarray): contiguous; shape of
    `values`, or that shape without the last axis.

    Yields ndarray, ndarray. Views of `values` and `result` with at most `CHUNK_VALUES` p-values, or
    one family.
    """
    n = values.shape[-1]
    rows = values.reshape(-1, n)
    targets = result.reshape(len(rows), *result.shape[values.ndim - 1 :])
    step = max(1, CHUNK_VALUES // n)
    for start in range(0, len(rows), step):
        yield rows[start : start + step], targets[start : start + step]


def compute(of_block: Callable, values: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Fill a result block by block, on all processors.

    `of_block`: from a block of families, shape (m, n), to its part of the result. `values`,
    `result` (ndarray): as for `chunks`.

    Returns ndarray. `result`; the number of processors changes no bit of it.
    """

    def fill(block):
        block[1][...] = of_block(block[0])

    blocks = list(chunks(values, result))
    if len(blocks) < 2:  # threads take longer to start than one block to compute
        any(map(fill, blocks))
        return result
    np.empty(64 * CHUNK_VALUES)  # once it is freed, the C library keeps what a block frees
    in_threads(fill, blocks)
    return result


def in_threads(function: Callable, items: Sequence) -> None:
    """Call a function with each of some items, in as many threads as there are processors.

    `function`: of one item; it mostly computes with numpy, which releases the interpreter's lock.
    `items`: the items.
    """
    allowed = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
    with ThreadPoolExecutor(min(len(allowed), len(items))) as pool:
        any(pool.map(function, items))


def sizes_left(n: int) -> NDArray[np.float64]:
    """Return how many p-values there are from the u-th smallest on.

    `n`: number of p-values.

    Returns ndarray of float64, shape (n,). n - u + 1 for u = 1, ..., n.
    """
    return np.arange(n, 0, -1.0)


def first_failure(failed: NDArray[np.bool]) -> NDArray[np.int64]:
    """Return the number of leading entries along the last axis that did not fail.

    `failed` (ndarray of bool): whether the u-th hypothesis is not rejected, u = 1, ..., n along the
    last axis.

    Returns ndarray of int64. Index of the first True; n where there is none.
    """
    first = failed.argmax(axis=-1)
    return np.where((first > 0) | failed[..., 0], first, failed.shape[-1])


def by_rank(values: NDArray[np.float64], of_sorted: Callable) -> NDArray[np.float64]:
    """Compute on sorted families, and give each p-value what belongs to its rank.

    `values` (ndarray of float64): families along the last axis. `of_sorted`: from families in
    ascending order to an array of the same shape.

    Returns ndarray of float64. In the order of `values`; equal p-values by their places.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    result = np.empty_like(values)
    found = of_sorted(np.take_along_axis(values, order, axis=-1))
    np.put_along_axis(result, order, found, axis=-1)
    return result


def least_alpha(
    pvalues: NDArray[np.float64], factor: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return the smallest level at which p-values are at most alpha divided by a factor.

    `pvalues` (ndarray): in [0, 1]. `factor` (ndarray or float): at least 1; broadcast against
    `pvalues`.

    Returns ndarray of float64. The smallest floating-point numbers ``alpha`` with
    ``pvalues <= alpha / factor``.

    Notes
    -----
    It is the product up to the last bit: 11 * (.05 / 11) is above .05 in floating point. For levels
    above 1e-300 it is the number before the product, the product or the number after it.
    """
    alpha = np.asarray(pvalues * factor)
    alpha *= np.nextafter(1, 0)  # the number before the product
    ratio, bits = np.empty_like(alpha), alpha.view(np.int64)
    for _ in range(2):
        bits += np.divide(alpha, factor, out=ratio) < pvalues  # the next number has the next bits
    return alpha
