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
truncated_fisher    sum of -ln p over p <= tau (Zaykin et al.    independent
                    2002)
conditional_fisher  sum of -ln(p/tau) over the p <= tau (Zhao,   independent, each p-value
                    Small and Su 2019)                           uniformly conservative
==================  ===========================================  ===============================

A p-value is uniformly conservative if, given p <= tau, p/tau is not stochastically smaller than a
uniform number wherever the null hypothesis is true: so it is for one-sided tests of a mean in
families with a monotone likelihood ratio. tau is fixed before the p-values are seen. Where B is
ahead on some datasets, their p-values near 1 weaken Fisher's sum; the two last methods leave them
out.

References
----------
Marcus, Peritz and Gabriel (1976), Biometrika 63(3), 655-660. Goeman and Solari (2011), Statistical
Science 26(4), 584-597. Goeman, Meijer, Krebs and Solari (2019), Biometrika 106(4), 841-856 (Simes).
Zaykin, Zhivotovsky, Westfall and Weir (2002), Genetic Epidemiology 22(2), 170-185. Zhao, Small and
Su (2019), Journal of the American Statistical Association 114(527), 1291-1304.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replicability import checks
from replicability.stats import arguments, multiple_testing, partial_conjunction
from replicability.stats.estimators import critical_fisher, critical_stouffer

COUNTED = ("bonferroni", "simes", "fisher", "stouffer")
"""Methods whose bound of all datasets is k-hat by the same method."""

VALID_UNDER = {name: partial_conjunction.ESTIMATORS[name].valid_under for name in COUNTED} | {
    "truncated_fisher": ("independent",),
    "conditional_fisher": ("independent",),
}
"""Method -> the kinds of dependence between the datasets under which it is valid."""

METHODS = tuple(VALID_UNDER)
"""Names of the local tests."""

_CELLS = 2**20  # pairs of sums that are compared at a time
_SPREAD = 9.0  # standard deviations of a binomial law, beyond which its terms are left out


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
        terms, critical, kept = _terms(values, level, method, tau)
        counts = kept[..., inside].sum(axis=-1) - _unrejected(
            terms[..., inside], terms[..., ~inside], critical
        )
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
    return int(inside.sum() - _unrejected(terms[inside], terms[~inside], values))


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
        terms, critical, kept = _terms(values, level, method, tau)
        bounds = _curve_of_sums(terms, critical, kept)
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
        named = _named_by_sums(*_terms(values, level, method, tau))
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


def _terms(values, alpha, method, tau):
    """Return evidence, critical values for sizes 1 to n, and which datasets can count at all."""
    n = values.shape[-1]
    kept = np.ones(values.shape, dtype=bool)
    if method == "stouffer":
        terms = -special.ndtri(values)
        return *_decided(terms, values <= alpha, critical_stouffer(n, alpha)), kept
    with np.errstate(divide="ignore"):
        terms = -np.log(values)
    if method == "fisher":
        return *_decided(terms, values <= alpha, critical_fisher(n, alpha)), kept
    share = checks.finite("tau", tau)
    if not alpha <= share <= 1:
        raise checks.InputError(
            f"tau is {share:g}, but it is a p-value above which there is no evidence; choose it "
            f"between alpha, {alpha:g}, and 1, before the p-values are seen, such as 0.5."
        )
    kept = values <= share
    if method == "truncated_fisher":
        terms = np.where(kept, terms, 0.0)
        return *_decided(terms, values <= alpha, _critical_truncated(n, alpha, share)), kept | True
    terms, critical = _decided(
        terms + np.log(share),
        values <= alpha * share,
        critical_fisher(n, alpha),
    )
    # no set gains by a dataset that is left out: its null hypothesis is never rejected
    return np.where(kept, terms, np.inf), critical, kept


def _decided(terms, small, critical):
    """Make rounding agree with p <= alpha where a set has one member."""
    least, most = critical[0], np.nextafter(critical[0], -np.inf)
    return np.where(small, np.maximum(terms, least), np.minimum(terms, most)), critical


@functools.cache
def _critical_truncated(n, alpha, tau):
    """Return the least sums of -ln p over p <= tau that m uniform p-values reach with P <= alpha.

    Given r of them at most tau, the sum less r ln(1/tau) has a gamma law of shape r. Solved by
    bisection on all sizes at once.
    """
    from scipy.optimize import elementwise  # a tenth of a second that no other method needs

    sizes = np.arange(1, n + 1)
    least = np.full(n, -np.log(tau))  # the least sum above zero
    most = np.maximum(special.gammainccinv(sizes, alpha), least) + 1
    exceeds = _truncated_tail(sizes, least, tau) > alpha
    low, high = np.where(exceeds, least, 0), np.where(exceeds, most, 2 * least + 1)
    found = elementwise.find_root(
        lambda sums, m: np.where(sums < least[m - 1], 1.0, _truncated_tail(m, sums, tau) - alpha),
        (low, high),
        args=(sizes,),
    )
    return np.where(exceeds, found.x * (1 + 1e-12), least)


def _truncated_tail(sizes, sums, tau):
    """P(sum of -ln p over p <= tau is at least `sums`) for that many uniform p-values; sums > 0."""
    spread = _SPREAD * np.sqrt(sizes * tau * (1 - tau)) + 40
    first = np.maximum(1, np.floor(sizes * tau - spread)).astype(int)
    last = np.minimum(sizes, np.ceil(sizes * tau + spread)).astype(int)
    r = first[:, None] + np.arange((last - first).max() + 1)
    m = sizes[:, None]
    within = r <= last[:, None]
    r = np.minimum(r, last[:, None])
    log_binomial = (
        special.gammaln(m + 1)
        - special.gammaln(r + 1)
        - special.gammaln(m - r + 1)
        + special.xlogy(r, tau)
        + special.xlog1py(m - r, -tau)
    )
    tails = special.gammaincc(r, np.maximum(sums[:, None] + r * np.log(tau), 0))
    return np.where(within, np.exp(log_binomial) * tails, 0).sum(axis=-1)


def _sums(terms):
    """Return sums of the 0, 1, ..., s smallest terms along the last axis."""
    ordered = np.sort(terms, axis=-1)
    with np.errstate(invalid="ignore"):
        sums = np.cumsum(ordered, axis=-1)
    return np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)


def _unrejected(inside, outside, critical):
    """Largest number of datasets of the set in a J that is not rejected, for each family."""
    a, b = _sums(inside), _sums(outside)
    shape = a.shape[:-1]
    a, b = a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])
    sizes = np.add.outer(np.arange(a.shape[1]), np.arange(b.shape[1]))
    bounds = np.concatenate([[-np.inf], critical])[sizes]  # the empty set is no J
    largest = np.zeros(len(a), dtype=np.int64)
    step = max(1, _CELLS // bounds.size)
    for start in range(0, len(a), step):
        rows = slice(start, start + step)
        with np.errstate(invalid="ignore"):
            left = ~(a[rows, :, None] + b[rows, None, :] >= bounds)  # NaN, 0 beside 1, is no proof
        counts = np.where(left.any(axis=-1), np.arange(a.shape[1]), 0)
        largest[rows] = counts.max(axis=-1)
    return largest.reshape(shape)


def _curve_of_sums(terms, critical, kept):
    """Bounds of the datasets with the most evidence; p-values ascending along the last axis."""
    n = terms.shape[-1]
    rows, flags = terms.reshape(-1, n), kept.reshape(-1, n)
    b = _sums(rows)
    bounds = np.zeros(rows.shape, dtype=np.int64)
    d = np.zeros(len(rows), dtype=np.int64)
    for j in range(1, n + 1):
        inside = _sums(rows[:, :j])
        k = np.count_nonzero(flags[:, :j], axis=-1) - d
        a = np.take_along_axis(inside, np.maximum(k, 0)[:, None], axis=-1)
        m = np.arange(n - j + 1)
        c = np.concatenate([critical, [-np.inf]])[k[:, None] + m - 1]
        with np.errstate(invalid="ignore"):
            left = ~(a + b[:, : n - j + 1] >= c)
        d = d + ((k > 0) & ~left.any(axis=-1))
        bounds[:, j - 1] = d
    return bounds.reshape(terms.shape)


def _named_by_sums(terms, critical, kept):
    """Whether each dataset is rejected together with any others."""
    n = terms.shape[-1]
    rows = terms.reshape(-1, n)
    named = np.zeros(rows.shape, dtype=bool)
    sums = _sums(rows)
    with np.errstate(invalid="ignore"):
        whole = sums[:, 1:] >= critical  # the s smallest, s = 1, ..., n
    # of the sizes above its own rank a dataset needs those of the smallest
    above = np.logical_and.accumulate(whole[:, ::-1], axis=-1)[:, ::-1]
    order = np.argsort(rows, axis=-1, kind="stable")
    for rank in range(n):
        own = np.take_along_axis(rows, order[:, rank : rank + 1], axis=-1)
        with np.errstate(invalid="ignore"):
            holds = (own + sums[:, : rank + 1] >= critical[: rank + 1]).all(axis=-1)
        if rank + 1 < n:
            holds &= above[:, rank + 1]
        np.put_along_axis(named, order[:, rank : rank + 1], holds[:, None], axis=-1)
    return named.reshape(terms.shape) & kept
