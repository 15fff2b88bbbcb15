"""Spearman's correlation with gold, which is no function of sums but of the items."""

import numpy as np
import scipy

from replicability.stats.metrics.sums import check_lengths, score_sums


def rating_codes(gold, a, b):
    """Replace ratings by the places of their values in order, which Spearman's correlation keeps.

    Parameters
    ----------
    gold, a, b : array_like, shape (n,)
        Gold ratings and the ratings by systems A and B of the same items.

    Returns
    -------
    ndarray of int32, shape (n, 3)
        Columns gold, A and B; equal ratings have equal codes. Resampling these is much faster than
        resampling the ratings.

    Raises
    ------
    InputError
        If the lengths differ or a rating is NaN or infinite.
    """
    gold, a, b = (score_sums(ratings)[:, 0] for ratings in (gold, a, b))
    check_lengths(gold, a)
    check_lengths(gold, b)
    codes = [np.unique(ratings, return_inverse=True)[1] for ratings in (gold, a, b)]
    return np.column_stack(codes).astype(np.int32)


def spearman(x, y):
    """Spearman's rank correlation with average ranks of ties.

    Parameters
    ----------
    x, y : array_like, shape (..., n)
        Paired ratings.

    Returns
    -------
    ndarray of float64, shape (...)
        Correlation in [-1, 1]; NaN where either side is constant.
    """
    return _correlation(_centred_ranks(np.asarray(x)), _centred_ranks(np.asarray(y)))


def spearman_difference(data):
    """Spearman's correlation of A with gold minus that of B with gold.

    Parameters
    ----------
    data : array_like, shape (..., n, 3)
        Columns gold, A and B, best from `rating_codes`.

    Returns
    -------
    ndarray of float64, shape (...)
        The difference; NaN where a column is constant.
    """
    data = np.asarray(data)
    gold, a, b = (_centred_ranks(data[..., column]) for column in range(3))
    return _correlation(a, gold) - _correlation(b, gold)


def _correlation(x, y):
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = np.vecdot(x, x) * np.vecdot(y, y)
        return np.vecdot(x, y) / np.sqrt(squares)


def _centred_ranks(values):
    """Return average ranks minus their mean."""
    n = values.shape[-1]
    small = values.dtype.kind in "iu" and values.size
    if not small or values.min() < 0 or values.max() > 4 * n + 1000:
        return scipy.stats.rankdata(values, axis=-1) - (n + 1) / 2
    # Small whole numbers are ranked by counting, without sorting.
    rows = values.reshape(-1, n)
    k = int(values.max()) + 1
    codes = rows + k * np.arange(len(rows))[:, None]
    counts = np.bincount(codes.ravel(), minlength=k * len(rows)).reshape(len(rows), k)
    ranks = np.cumsum(counts, axis=1) - (counts - 1) / 2 - (n + 1) / 2
    return ranks.ravel().take(codes).reshape(values.shape)
