r"""One guarantee for every group of datasets: bounds by closed testing.

A local test rejects the intersection of a set J of null hypotheses. Closed testing (Marcus, Peritz
and Gabriel 1976) rejects it if the local test rejects J and every set that contains J. Then

.. math:: d(S) = |S| - \max\{|J \cap S| : J \text{ not rejected by the local test}\}

is a lower confidence bound on the number of datasets of the set S on which A is better, for all
sets at once, also for a set that was chosen after the p-values were seen (Goeman and Solari 2011).
Of all datasets it is k-hat of the same method; a dataset is named if d of it alone is 1. All of
these statements hold together with confidence 1 - alpha:

==================  ===========================================  ===============================
method              local test of the p-values in J              valid when the datasets are
==================  ===========================================  ===============================
bonferroni          the smallest p; names as Holm                anything
simes               Simes's; names as Hommel                     independent or positively
                                                                 dependent (PRDS)
fisher              sum of -ln p                                 independent
stouffer            sum of normal quantiles                      independent
fisher_bonferroni   the smallest p, or sum of -ln p: never       independent
                    below bonferroni
truncated_fisher    sum of -ln p over p <= tau (Zaykin et al.    independent
                    2002)
conditional_fisher  sum of -ln(p/tau) over the p <= tau (Zhao,   independent, each p-value
                    Small and Su 2019)                           uniformly conservative
==================  ===========================================  ===============================

A p-value is uniformly conservative if, given p <= tau, p/tau is not stochastically smaller than a
uniform number wherever the null hypothesis is true. One-sided tests of a mean in families with a
monotone likelihood ratio give such p-values; exact tests of few items do not, as their p-values
have few values. tau is fixed before the p-values are seen.

Where B is ahead on some datasets, their p-values near 1 weaken Fisher's sum, and the two last
methods leave them out. Fisher's sum may then name fewer datasets than Holm's procedure, which needs
no independence. ``fisher_bonferroni`` never does: it rejects what Bonferroni's test rejects, and
adds what Fisher's sum shows with the level that Bonferroni's test leaves unused. For every set its
bound is at least that of ``bonferroni``, whatever the p-values.

References
----------
Marcus, Peritz and Gabriel (1976), Biometrika 63(3), 655-660. Goeman and Solari (2011), Statistical
Science 26(4), 584-597. Goeman, Meijer, Krebs and Solari (2019), Biometrika 106(4), 841-856 (Simes).
Zaykin, Zhivotovsky, Westfall and Weir (2002), Genetic Epidemiology 22(2), 170-185. Zhao, Small and
Su (2019), Journal of the American Statistical Association 114(527), 1291-1304.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicability import checks
from replicability.stats import arguments, local_tests, multiple_testing, partial_conjunction

COUNTED = ("bonferroni", "simes", "fisher", "stouffer", "fisher_bonferroni")
"""Methods whose bound of all datasets is k-hat by the same method."""

VALID_UNDER = {name: partial_conjunction.ESTIMATORS[name].valid_under for name in COUNTED} | {
    "truncated_fisher": ("independent",),
    "conditional_fisher": ("independent",),
}
"""Method -> the kinds of dependence between the datasets under which it is valid."""

METHODS = tuple(VALID_UNDER)
"""Names of the local tests."""

_CELLS = 2**20  # pairs of sums that are compared at a time


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
        Of the last two methods: larger p-values carry no evidence; in (0, 1].
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
    Valid under the dependence that `VALID_UNDER` gives for the method. For Bonferroni d(S) is the
    number of datasets of S that Holm's procedure identifies; for Simes the shortcut of Goeman et
    al. (2019), Theorem 1; for sums, with k p-values of S and m others, the worst J takes those with
    the least evidence, so that :math:`n^2/4` sums decide (ibid., Section 5, for tests that are
    monotone and symmetric).

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
    if method == "bonferroni":
        counts = multiple_testing.identify(values, level)[..., inside].sum(axis=-1)
    elif method == "simes":
        counts = _by_simes(values, level)(values[..., inside]).max(axis=-1)
    else:
        found = local_tests.evidence(values, level, method, tau)
        counts = found.kept[..., inside].sum(axis=-1) - _unrejected(found, inside)
    return counts.astype(np.int64) if np.ndim(counts) else int(counts)


def bound_of_sums(evidence, critical, subset=None):
    r"""Lower bound for the local test that rejects J if its evidence adds up to enough.

    Parameters
    ----------
    evidence : array_like, shape (n,)
        Evidence :math:`L_i` for "A is better" on each dataset, such as -ln p; numbers, or infinite.
    critical : array_like, shape (n,)
        :math:`c_1, \dots, c_n`: J is rejected if the sum of its evidence is at least
        :math:`c_{|J|}`.
    subset : array_like of bool, shape (n,), or of int, optional
        As in `bound`.

    Returns
    -------
    int
        d(S), 0 to the size of the set.

    Raises
    ------
    InputError
        If the arguments are not as described.

    Notes
    -----
    The confidence is that of the critical values: valid at 1 - alpha if each :math:`c_m` is at
    least the upper alpha quantile of the sum over any m true null hypotheses.

    Examples
    --------
    >>> bound_of_sums([3.0, 2.5, 0.1], critical=[2.0, 3.0, 4.0])
    1
    """
    terms = np.asarray(evidence, dtype=float)
    values = np.asarray(critical, dtype=float)
    if terms.ndim != 1 or values.shape != terms.shape or not terms.size:
        raise checks.InputError(
            f"evidence has the shape {terms.shape} and critical {values.shape}; pass one number "
            "for each dataset and one critical value for each size of a set."
        )
    if np.isnan(terms).any() or np.isnan(values).any():
        raise checks.InputError("evidence and critical values hold NaN; pass numbers.")
    inside = members(subset, len(terms))
    found = local_tests.Evidence(terms, values, np.ones(terms.shape, dtype=bool))
    return int(inside.sum() - _unrejected(found, inside))


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
    if method == "bonferroni":
        bounds = np.cumsum(multiple_testing.identify(values, level), axis=-1)
    elif method == "simes":
        bounds = np.maximum.accumulate(_by_simes(values, level)(values), axis=-1)
    else:
        bounds = _curve_of_sums(local_tests.evidence(values, level, method, tau))
    return np.moveaxis(bounds.astype(np.int64), -1, axis)


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
    if method == "bonferroni":
        named = multiple_testing.identify(values, level)
    elif method == "simes":
        named = _by_simes(values, level, alone=True)(values) > 0
    else:
        named = _named_by_sums(local_tests.evidence(values, level, method, tau))
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
                f"subset is a mask of shape {places.shape}, but there are {n} datasets; pass one "
                "True or False for each."
            )
        inside = places
    else:
        if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
            raise checks.InputError(
                f"subset is {subset!r}; pass a mask, or places of datasets from 0 to {n - 1}."
            )
        outside = places[(places < 0) | (places >= n)]
        if outside.size:
            raise checks.InputError(
                f"subset names the dataset {outside[0]}, but the places of the {n} datasets are 0 "
                f"to {n - 1}."
            )
        if len(np.unique(places)) < len(places):
            raise checks.InputError(f"subset {subset!r} names a dataset twice; name each once.")
        inside = np.zeros(n, dtype=bool)
        inside[places.astype(np.intp)] = True
    if not inside.any():
        raise checks.InputError("subset is empty; name at least one dataset.")
    return inside


def _by_simes(values, alpha, alone=False):
    """Return a function of sets: i + 1 - u_i of their i-th smallest p-values, or of each alone.

    With h the largest number of p-values that Simes's test does not reject together, u_i is the
    least u with h p_i <= u alpha (Goeman et al. 2019).
    """
    n = values.shape[-1]
    largest = n - np.asarray(partial_conjunction.k_hat(values, alpha, "simes"))[..., None]

    def excess(chosen):
        ordered = largest * (chosen if alone else np.sort(chosen, axis=-1))
        u = np.maximum(np.ceil(ordered / alpha), 1)
        u -= (u > 1) & (ordered <= alpha * (u - 1))
        u += ordered > alpha * u
        rank = 1 if alone else np.arange(1, chosen.shape[-1] + 1)
        return np.maximum(rank + 1 - u, 0)

    return excess


def _sums(terms):
    """Return sums of the 0, 1, ..., s smallest terms along the last axis."""
    ordered = np.sort(terms, axis=-1)
    with np.errstate(invalid="ignore"):
        sums = np.cumsum(ordered, axis=-1)
    return np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)


def _smallest(pvalues):
    """Return the smallest of the 0, 1, ..., s largest p-values along the last axis."""
    none = np.full((*pvalues.shape[:-1], 1), np.inf)
    return np.concatenate([none, -np.sort(-pvalues, axis=-1)], axis=-1)


def _unrejected(found, inside):
    """Largest number of datasets of the set in a J that is not rejected, for each family."""
    shape = found.terms.shape[:-1]
    a, b = (_sums(_rows(found.terms)[:, part]) for part in (inside, ~inside))
    sizes = np.add.outer(np.arange(a.shape[1]), np.arange(b.shape[1]))
    bounds = np.concatenate([[-np.inf], found.critical])[sizes]  # the empty set is no J
    if found.single is not None:
        p, q = (_smallest(_rows(found.pvalues)[:, part]) for part in (inside, ~inside))
        single = np.concatenate([[0], found.single])[sizes]
    largest = np.zeros(len(a), dtype=np.int64)
    step = max(1, _CELLS // bounds.size)
    for start in range(0, len(a), step):
        rows = slice(start, start + step)
        with np.errstate(invalid="ignore"):
            left = ~(a[rows, :, None] + b[rows, None, :] >= bounds)  # NaN, 0 beside 1, is no proof
        if found.single is not None:
            left &= (p[rows, :, None] > single) & (q[rows, None, :] > single)
        counts = np.where(left.any(axis=-1), np.arange(a.shape[1]), 0)
        largest[rows] = counts.max(axis=-1)
    return largest.reshape(shape)


def _rows(values):
    """Return families as the rows of a matrix."""
    return values.reshape(-1, values.shape[-1])


def _curve_of_sums(found):
    """Bounds of the datasets with the most evidence; p-values ascending along the last axis."""
    rows, flags = _rows(found.terms), _rows(found.kept)
    n = rows.shape[1]
    b = _sums(rows)
    bounds = np.zeros(rows.shape, dtype=np.int64)
    d = np.zeros(len(rows), dtype=np.int64)
    for j in range(1, n + 1):
        inside = _sums(rows[:, :j])
        k = np.count_nonzero(flags[:, :j], axis=-1) - d
        a = np.take_along_axis(inside, np.maximum(k, 0)[:, None], axis=-1)
        sizes = k[:, None] + np.arange(n - j + 1)
        with np.errstate(invalid="ignore"):
            left = ~(a + b[:, : n - j + 1] >= np.append(found.critical, -np.inf)[sizes - 1])
        if found.single is not None:
            own = np.take_along_axis(_rows(found.pvalues), np.minimum(j - k, j - 1)[:, None], -1)
            left &= own > np.append(found.single, 0)[sizes - 1]
        d = d + ((k > 0) & ~left.any(axis=-1))
        bounds[:, j - 1] = d
    return bounds.reshape(found.terms.shape)


def _named_by_sums(found):
    """Whether each dataset is rejected together with any others."""
    rows = _rows(found.terms)
    n = rows.shape[1]
    key = rows if found.single is None else -_rows(found.pvalues)
    order = np.argsort(key, axis=-1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=-1)
    with np.errstate(invalid="ignore"):
        sums = np.concatenate([np.zeros((len(rows), 1)), np.cumsum(ordered, axis=-1)], axis=-1)
        whole = sums[:, 1:] >= found.critical  # the s smallest, s = 1, ..., n
    if found.single is not None:
        alone = -np.take_along_axis(key, order, axis=-1)
        whole |= alone <= found.single
    # of the sizes above its own rank a dataset needs those of the smallest
    above = np.logical_and.accumulate(whole[:, ::-1], axis=-1)[:, ::-1]
    named = np.zeros(rows.shape, dtype=bool)
    for rank in range(n):
        upto = slice(rank + 1)
        with np.errstate(invalid="ignore"):
            holds = ordered[:, rank, None] + sums[:, upto] >= found.critical[upto]
        if found.single is not None:
            holds |= alone[:, rank, None] <= found.single[upto]
        rejected = holds.all(axis=-1)
        if rank + 1 < n:
            rejected &= above[:, rank + 1]
        np.put_along_axis(named, order[:, rank, None], rejected[:, None], axis=-1)
    return (named & _rows(found.kept)).reshape(found.terms.shape)
