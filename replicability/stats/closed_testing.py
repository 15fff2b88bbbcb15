r"""One guarantee for every group of datasets: bounds by closed testing.

A local test rejects the intersection of a set J of null hypotheses. Closed testing (Marcus, Peritz
and Gabriel 1976) rejects it if the local test rejects J and every set that contains J. Then

.. math:: d(S) = |S| - \max\{|J \cap S| : J \text{ not rejected by the local test}\}

is a lower confidence bound on the number of datasets of the set S on which A is better, for all
sets at once, also for a set that was chosen after the p-values were seen (Goeman and Solari 2011).
Of all datasets it is k-hat of the same method; a dataset is named if d of it alone is 1. All of
these statements hold together with confidence 1 - alpha. Each module of `local_tests` says what its
test is and when it is valid.

Where B is ahead on some datasets, their p-values near 1 weaken Fisher's sum. ``truncated_fisher``
and ``conditional_fisher`` leave out p-values above tau, which is fixed before the p-values are
seen.

References
----------
Marcus, Peritz and Gabriel (1976), Biometrika 63(3), 655-660. Goeman and Solari (2011), Statistical
Science 26(4), 584-597. Goeman, Meijer, Krebs and Solari (2019), Biometrika 106(4), 841-856.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicability import checks
from replicability.stats import arguments, families, local_tests
from replicability.stats.local_tests import PVALUES

_TESTS = {name: test for name, test in local_tests.load().items() if test.takes == PVALUES}

METHODS = tuple(_TESTS)
"""Names of the local tests of p-values."""


def bound(
    pvalues: ArrayLike,
    subset: ArrayLike | None = None,
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    tau: float = 0.5,
    axis: int = -1,
) -> Any:
    r"""Lower bound on the number of datasets of a set on which A is better.

    Parameters
    ----------
    pvalues : array_like
        Families of p-values in [0, 1], of "A is not better", along `axis`.
    subset : array_like of bool, shape (n,), or of int, optional
        The datasets of the set: a mask, or places from 0. Default: all n.
    alpha : float, default 0.05
        The bounds of all sets hold together with confidence 1 - alpha; in (0, 1).
    method : str, default "bonferroni"
        Local test, one of `METHODS`.
    tau : float, default 0.5
        Of truncated and conditional sums: larger p-values carry no evidence; in (0, 1].
    axis : int, default -1
        Axis of the datasets.

    Returns
    -------
    int or ndarray of int64
        d(S) for each family, 0 to the size of the set.

    Raises
    ------
    InputError
        If a p-value is not valid, the set is empty, names a dataset twice or one that is not there,
        or another argument is not as described.

    Notes
    -----
    Valid under the dependence that the entry of the method in `local_tests` gives. The shortcuts
    are those of `step_down`, of Goeman et al. (2019), Theorem 1, for Simes, and of `sums`. For
    Bonferroni d(S) is the number of datasets of S that Holm's procedure identifies.

    Examples
    --------
    >>> pvalues = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> bound(pvalues, method="fisher"), bound(pvalues, [0, 3, 5], method="fisher")
    (2, 2)
    """
    values = arguments.pvalues(pvalues, axis)
    inside = members(subset, values.shape[-1])
    level = checks.alpha(alpha)
    checks.choice("method", method, METHODS)
    counts = np.empty(values.shape[:-1], dtype=np.int64)
    for source, target in families.chunks(values, counts):
        target[...] = _TESTS[method].bound(source, inside, level, tau)
    return counts if counts.ndim else int(counts)


def curve(
    pvalues: ArrayLike,
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    tau: float = 0.5,
    axis: int = -1,
) -> NDArray[np.int64]:
    """Lower bounds for the j datasets with the smallest p-values, j = 1, ..., n.

    Parameters
    ----------
    pvalues, alpha, method, tau, axis
        As in `bound`.

    Returns
    -------
    ndarray of int64
        Bounds in the place of the datasets: entry j - 1 along `axis` is that of the j smallest
        p-values; the last is k-hat.

    Raises
    ------
    InputError
        As `bound`.

    Notes
    -----
    Valid as `bound`, all at once. A bound grows by 0 or 1 from one set to the next, so that for
    sums one row of sums decides each of them.

    Examples
    --------
    >>> curve([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], method="fisher").tolist()
    [1, 1, 2, 2, 2, 2]
    """
    values = np.sort(arguments.pvalues(pvalues, axis), axis=-1)
    level = checks.alpha(alpha)
    checks.choice("method", method, METHODS)
    bounds = np.empty(values.shape, dtype=np.int64)
    for source, target in families.chunks(values, bounds):
        target[...] = _TESTS[method].curve(source, level, tau)
    return np.moveaxis(bounds, -1, axis)


def names(
    pvalues: ArrayLike,
    alpha: float = 0.05,
    method: str = "bonferroni",
    *,
    tau: float = 0.5,
    axis: int = -1,
) -> NDArray[np.bool]:
    """Datasets that are named: those whose own null hypothesis closed testing rejects.

    Parameters
    ----------
    pvalues, alpha, method, tau, axis
        As in `bound`.

    Returns
    -------
    ndarray of bool
        Of the shape of `pvalues`.

    Raises
    ------
    InputError
        As `bound`.

    Notes
    -----
    Valid as `bound`. Controls the probability to name any dataset on which A is not better; by
    Bonferroni this is Holm's procedure, by Simes Hommel's.

    Examples
    --------
    >>> names([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], method="fisher").tolist()
    [False, False, False, False, False, True]
    """
    values = arguments.pvalues(pvalues, axis)
    level = checks.alpha(alpha)
    checks.choice("method", method, METHODS)
    named = np.empty(values.shape, dtype=bool)
    for source, target in families.chunks(values, named):
        target[...] = _TESTS[method].rejected(source, level, tau)
    return np.moveaxis(named, -1, axis)


def members(subset: ArrayLike | None, n: int) -> NDArray[np.bool]:
    """Return a mask of the datasets in a set.

    Parameters
    ----------
    subset : array_like of bool, shape (n,), or of int, or None
        The datasets of the set: a mask, or places from 0; None for all.
    n : int
        Number of datasets.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each is in the set.

    Raises
    ------
    InputError
        If the set is empty, names a dataset twice or one that is not there.
    """
    if subset is None:
        return np.ones(n, dtype=bool)
    places = np.asarray(subset)
    if places.dtype == bool:
        if places.shape != (n,):
            raise checks.InputError(
                f"subset is a mask with the shape {places.shape}, but the number of datasets is "
                f"{n}; pass one True or False for each dataset."
            )
        inside = places
    else:
        if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
            raise checks.InputError(
                f"subset is {subset!r}; pass a mask, or indices of datasets from 0 to {n - 1}."
            )
        outside = places[(places < 0) | (places >= n)]
        if outside.size:
            raise checks.InputError(
                f"subset contains {outside[0]}, which is not the index of a dataset; pass indices "
                f"from 0 to {n - 1}."
            )
        if len(np.unique(places)) < len(places):
            raise checks.InputError(
                f"subset is {subset!r}, which contains a dataset twice; pass each index once."
            )
        inside = np.zeros(n, dtype=bool)
        inside[places.astype(np.intp)] = True
    if not inside.any():
        raise checks.InputError("subset is empty; pass at least one dataset.")
    return inside
