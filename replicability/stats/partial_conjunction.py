r"""Counting: on how many of n datasets is A better than B, with confidence 1 - alpha?

A family is the p-values :math:`p_1, \dots, p_n` of one comparison on n datasets, each p-value that
of the null hypothesis "A is not better than B" on its dataset. The partial-conjunction null
hypothesis :math:`H_0^{u/n}` says that fewer than u of the n alternatives are true. Its p-value
combines the n - u + 1 largest p-values with a test of their intersection:

============  ===============================================  ================================
method        :math:`p^{u/n}` before clipping at 1             valid when the datasets are
============  ===============================================  ================================
bonferroni    :math:`(n-u+1)\,p_{(u)}`                         anything
simes         :math:`\min_{j \ge u} (n-u+1)/(j-u+1)\,p_{(j)}`  independent or positively
                                                               dependent (PRDS)
fisher        :math:`P(\chi^2_{2(n-u+1)} \ge                   independent
              -2 \sum_{i \ge u} \ln p_{(i)})`
stouffer      :math:`1 - \Phi(\sum_{i \ge u} z_{(i)}           independent
              / \sqrt{n-u+1})`
============  ===============================================  ================================

Families are independent rows of a batch: every function takes an `axis`. The hypothesis for u is
rejected where a p-value is at most alpha divided by its factor, such as n - u + 1, in floating
point; what is exactly on the boundary counts. `least_alpha` turns the comparison round.

References
----------
Dror, Baumer, Bogomolov and Reichart (2017), Equations 2 to 4 and Section 7. Benjamini and Heller
(2008), Biometrics 64(4), 1215-1222.
"""

import functools
import warnings

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.estimators import DEPENDENCE, Estimator

CHUNK_VALUES = 2**16
"""p-values that are worked on at a time, so that the intermediate results stay in cache."""

_FEW = 64  # terms that are summed one by one
_NEAR = 2.0**-50  # products that differ by more are in the order of their `least_alpha`


class DependenceWarning(UserWarning):
    """A method was asked for on datasets whose declared dependence it is not valid under."""


def recommended_method(dependence):
    """Name the combination method that the paper recommends (Section 4.1).

    Parameters
    ----------
    dependence : {"independent", "positive", "dependent"}
        How the datasets depend on each other; "dependent" when the kind of dependence is unknown.
        Two datasets are independent when they share no sample and neither is made from the other
        (footnote 4).

    Returns
    -------
    str
        "fisher" for independent datasets, "bonferroni" otherwise.

    Raises
    ------
    InputError
        If `dependence` is unknown.
    """
    checks.choice("dependence", dependence, DEPENDENCE)
    return "fisher" if dependence == "independent" else "bonferroni"


def partial_conjunction_pvalues(pvalues, method="bonferroni", *, dependence=None, axis=-1):
    r"""Partial-conjunction p-values :math:`p_*^{u/n}` for u = 1, ..., n (Equations 2 to 4).

    Parameters
    ----------
    pvalues : array_like
        p-values in [0, 1]; ``shape[axis]`` is the number n of datasets. A p-value of 0 is accepted
        and taken at its word; if it came from B resamples, it means p <= 1/(B+1): replace it first.
    method : {"bonferroni", "simes", "fisher", "stouffer"}, default "bonferroni"
        How the n - u + 1 largest p-values are combined; see the table in this module's docstring.
    dependence : {"independent", "positive", "dependent"}, optional
        The declared dependence between the datasets. A method that is not valid under it is still
        computed, with a `DependenceWarning`.
    axis : int, default -1
        The axis that runs over the datasets of one family.

    Returns
    -------
    ndarray of float64
        Same shape as `pvalues`; along `axis` the p-values for u = 1, ..., n, clipped at 1 and with
        the running maximum taken, hence not decreasing.

    Raises
    ------
    InputError
        If a p-value is NaN, infinite, not a number or outside [0, 1], the family is empty, or a
        name is unknown.

    Notes
    -----
    Each :math:`p^{u/n}` is a valid p-value under the condition in the table. Tails are computed
    from the survival side, so that they keep their relative accuracy down to about 1e-300. "simes"
    takes time proportional to n squared; the other methods sort once.

    Examples
    --------
    >>> p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> partial_conjunction_pvalues(p, "bonferroni").round(3)
    array([0.006, 0.095, 0.672, 0.672, 0.672, 0.672])
    >>> partial_conjunction_pvalues(p, "fisher").round(3)
    array([0.001, 0.04 , 0.196, 0.274, 0.344, 0.357])
    """
    values = arguments.pvalues(pvalues, axis)
    combine = ESTIMATORS[_method(method, dependence)].combine
    n = values.shape[-1]
    result = np.empty(values.shape)
    for source, target in chunks(values, result):
        combined = combine(source, n)
        np.minimum(combined, 1, out=combined)
        np.maximum.accumulate(combined, axis=-1, out=target)
    return np.moveaxis(result, -1, axis)


def k_hat(pvalues, alpha=0.05, method="bonferroni", *, dependence=None, axis=-1):
    r"""Lower confidence bound on the number of datasets on which A is better (Equation 4).

    Parameters
    ----------
    pvalues, method, dependence, axis
        As for `partial_conjunction_pvalues`.
    alpha : float, default 0.05
        Bound on the probability that k-hat exceeds the true number, in (0, 1).

    Returns
    -------
    ndarray of int64, or int for a single family
        :math:`\hat k = \max\{u : p_*^{u/n} \le \alpha\}`, 0 if there is none; shape of `pvalues`
        without `axis`.

    Raises
    ------
    InputError
        As `partial_conjunction_pvalues`, and if alpha is outside (0, 1).

    Notes
    -----
    :math:`P(\hat k > k) \le \alpha` when the method is valid for the datasets' dependence
    (Benjamini and Heller 2008, Theorem 4). With "bonferroni", k-hat equals the number of
    hypotheses that Holm's procedure rejects. With "bonferroni" and "simes" it is the number of
    `partial_conjunction_pvalues` that are at most alpha, to the last bit; a p-value of exactly
    ``alpha / n`` counts for every n.

    Fisher's and Stouffer's statistics are compared with critical values and Simes's bound is found
    by bisection, so that no n p-values are computed; where the hypothesis for u = 1 stands, which
    needs no order, the family is not sorted.

    Examples
    --------
    >>> p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> k_hat(p, 0.05, "bonferroni"), k_hat(p, 0.05, "fisher")
    (1, 2)
    """
    values = arguments.pvalues(pvalues, axis)
    alpha = checks.alpha(alpha)
    count = ESTIMATORS[_method(method, dependence)].count
    counts = np.empty(values.shape[:-1], dtype=np.int64)
    for source, target in chunks(values, counts):
        target[...] = count(source, alpha)
    return counts if counts.ndim else int(counts)


def k_count(pvalues, alpha=0.05, *, axis=-1):
    r"""Number of datasets with p <= alpha: common practice, without a guarantee (Section 4.3).

    Parameters
    ----------
    pvalues, axis
        As for `partial_conjunction_pvalues`.
    alpha : float, default 0.05
        Level of each single test, in (0, 1).

    Returns
    -------
    ndarray of int64, or int for a single family
        :math:`\hat k_{count} = \#\{i : p_i \le \alpha\}`.

    Raises
    ------
    InputError
        As `k_hat`.

    Notes
    -----
    No bound on :math:`P(\hat k_{count} > k)` holds: with n independent true null hypotheses it is
    :math:`1 - (1 - \alpha)^n`.

    Examples
    --------
    >>> k_count([0.168, 0.297, 0.357, 0.019, 0.218, 0.001])
    2
    """
    values = arguments.pvalues(pvalues, axis)
    counts = _count_single(values, checks.alpha(alpha))
    return counts if np.ndim(counts) else int(counts)


def estimate(pvalues, alpha=0.05, method="bonferroni", *, axis=-1):
    """Estimate the number of datasets on which A is better, by `k_hat` or `k_count`.

    Parameters
    ----------
    pvalues, alpha, axis
        As for `k_hat`.
    method : str, default "bonferroni"
        A key of `ESTIMATORS`: "count" or a combination method.

    Returns
    -------
    ndarray of int64, or int for a single family
        The estimates.

    Raises
    ------
    InputError
        As `k_hat`.

    Examples
    --------
    >>> [estimate([0.04, 0.04, 0.001], 0.05, method) for method in ("count", "bonferroni")]
    [3, 1]
    """
    if checks.choice("method", method, ESTIMATORS) == "count":
        return k_count(pvalues, alpha, axis=axis)
    return k_hat(pvalues, alpha, method, axis=axis)


def one_sided(pvalues, differences):
    """Turn two-sided p-values into those of "A is not better than B".

    Parameters
    ----------
    pvalues : array_like
        Two-sided p-values in [0, 1].
    differences : array_like
        Score of A minus score of B, of the same shape; only the sign counts.

    Returns
    -------
    ndarray of float64
        p/2 where A is ahead, 1 - p/2 elsewhere; swap the sign for the other direction.

    Raises
    ------
    InputError
        If a p-value is not valid, a difference is no finite number, or the shapes differ.

    Notes
    -----
    Valid for tests whose two-sided p-value is twice the smaller one-sided one. Equal scores favour
    neither system: they get 1 - p/2 in both directions.

    Examples
    --------
    >>> one_sided([0.02, 0.02], [1.5, -1.5])
    array([0.01, 0.99])
    """
    values = arguments.pvalues(pvalues)
    differences = arguments.numbers("differences", differences)
    if values.shape != differences.shape:
        raise checks.InputError(
            f"There are {values.size} p-values and {differences.size} differences; "
            "pass one difference per p-value."
        )
    return np.where(differences > 0, values / 2, 1 - values / 2)


def least_alpha(pvalues, factor):
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


def _method(method, dependence):
    """Check the names and warn if the method is not valid under the declared dependence."""
    checks.choice("method", method, METHODS)
    if dependence is None:
        return method
    checks.choice("dependence", dependence, DEPENDENCE)
    if dependence not in ESTIMATORS[method].valid_under:
        warnings.warn(
            f"{method} is not valid for datasets declared {dependence!r}: k-hat may exceed the "
            "true number more often than alpha. Of families of 100 true null hypotheses with "
            "correlation .2, k-hat by Fisher exceeds 0 in about 30% at alpha = .05. "
            f"Use {recommended_method(dependence)!r}.",
            DependenceWarning,
            stacklevel=3,
        )
    return method


def chunks(values, result):
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


def first_failure(failed):
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


def _sizes(n):
    """Return the numbers n - u + 1 of p-values combined, for u = 1, ..., n."""
    return np.arange(n, 0, -1.0)


def _log(values):
    """Return ln p, -inf at p = 0."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def _sums_of_largest(terms):
    """Return sums over the m largest p-values, m = n, ..., 1, of terms that grow with p.

    They take the place of the terms; NaN where p = 0 meets p = 1.
    """
    terms.sort(axis=-1)
    largest_first = terms[..., ::-1]
    with np.errstate(invalid="ignore"):
        np.cumsum(largest_first, axis=-1, out=largest_first)
    return terms


def _bonferroni(values, n):
    return least_alpha(np.sort(values, axis=-1), _sizes(n))


def _simes(values, n):
    """Return the least levels at which a p-value is small enough for its rank among the largest.

    Products find the p-value to within rounding, and only those near the smallest are turned round.
    """
    ordered = np.ascontiguousarray(np.sort(values, axis=-1).T)  # runs of one rank, long and even
    sizes, width = _sizes(n)[:, None], len(values)
    plain = np.full(ordered.shape, np.inf)
    for rank in range(1, n + 1):  # the rank-th smallest of the n - u + 1 combined
        head = plain[: n - rank + 1]
        np.minimum(head, ordered[rank - 1 :] * (sizes[: n - rank + 1] / rank), out=head)
    plain *= 1 + _NEAR
    near = [
        np.flatnonzero(
            ordered[rank - 1 :] * (sizes[: n - rank + 1] / rank) <= plain[: n - rank + 1]
        )
        for rank in range(1, n + 1)
    ]
    ranks = np.repeat(np.arange(1, n + 1), [len(places) for places in near])
    places = np.concatenate(near)
    own = ordered.ravel()[places + (ranks - 1) * width]
    exact = np.full(ordered.size, np.inf)
    np.minimum.at(exact, places, least_alpha(own, (n - places // width) / ranks))
    return exact.reshape(ordered.shape).T


def _fisher(values, n):
    combined = special.gammaincc(_sizes(n), -_sums_of_largest(_log(values)))
    combined[..., -1] = values.max(axis=-1)  # a single p-value is its own combination, exactly
    return combined


def _stouffer(values, n):
    sums = _sums_of_largest(special.ndtri(values))
    combined = np.nan_to_num(special.ndtr(sums / np.sqrt(_sizes(n))), nan=1.0)
    combined[..., -1] = values.max(axis=-1)
    return combined


def _count_single(values, alpha):
    return np.count_nonzero(values <= alpha, axis=-1)


def _count_bonferroni(values, alpha):
    n = values.shape[-1]
    counts = np.zeros(len(values), dtype=np.int64)
    falls = (values <= alpha / n).any(axis=-1)  # elsewhere u = 1 stands already: no need to sort
    ordered = values[falls]
    ordered.sort(axis=-1)
    counts[falls] = first_failure(ordered > alpha / _sizes(n))
    return counts


def _count_simes(values, alpha):
    """Bisect for k-hat: Simes's p-value for u does not decrease in u."""
    n = values.shape[-1]
    low = np.zeros(len(values), dtype=np.int64)  # rejected, or 0
    high = np.count_nonzero(values <= alpha, axis=-1) + 1  # not rejected: no other is small
    most = int(high.max(initial=1)) - 1
    ordered = np.sort(values, axis=-1)[:, :most]
    for _ in range(most.bit_length()):
        u = (low + high) // 2
        rank = np.arange(1.0, most + 1) - (u - 1)[:, None]  # among the n - u + 1 largest
        size = (n - u + 1)[:, None]
        small = ordered <= alpha / (size / np.maximum(rank, 1))
        rejected = (small & (rank >= 1)).any(axis=-1)
        low = np.where(rejected, u, low)
        high = np.where(rejected, high, u)
    return low


def _count_by_sums(values, alpha, terms, critical):
    """Compare sums over the n - u + 1 largest p-values with the largest that reject."""
    n = values.shape[-1]
    most = -critical(n, alpha)[::-1]
    falling = (np.diff(most / _sizes(n)) <= 0).all()
    grown = terms(values)
    with np.errstate(invalid="ignore"):
        falls = grown.sum(axis=-1) <= most[0] + 1e-9 * n  # the scan decides near ties
        ordered = grown if falls.all() else grown[falls]
        ordered.sort(axis=-1)
        most[-1] = np.inf  # a single p-value is its own sum, exactly
        found = _leading_sums(ordered, np.zeros(len(ordered)), most, _FEW if falling else n)
    whole = found == n
    found[whole] -= values[falls][whole].max(axis=-1) > alpha
    counts = np.zeros(len(values), dtype=np.int64)
    counts[falls] = found
    return counts


def _leading_sums(terms, base, most, few):
    """Count the leading sums, each of a term, those after it and a base, that are small enough.

    Where the bound of a mean falls from place to place, as it does for alpha up to a third, each
    sum before one that is small enough is so, too: its further terms are at most the mean of the
    others. Then one sum decides on a half, down to a few terms.
    """
    n = terms.shape[-1]
    if n <= few:
        terms[:, -1] += base
        largest_first = terms[:, ::-1]
        np.cumsum(largest_first, axis=-1, out=largest_first)
        return first_failure(~(terms <= most))  # NaN, 0 beside 1, fails
    half = n // 2
    later = base + terms[:, half:].sum(axis=-1)
    small = later <= most[half]
    large = ~small
    counts = np.empty(len(terms), dtype=np.int64)
    counts[small] = half + _leading_sums(terms[small, half:], base[small], most[half:], few)
    counts[large] = _leading_sums(terms[large, :half], later[large], most[:half], few)
    return counts


@functools.cache
def critical_fisher(n, alpha):
    """Return half the chi-squared quantiles for 2, 4, ..., 2n degrees of freedom."""
    return special.gammainccinv(np.arange(1.0, n + 1), alpha)


@functools.cache
def critical_stouffer(n, alpha):
    """Return the normal quantile of 1 - alpha times the roots of 1, ..., n."""
    return -special.ndtri(alpha) * np.sqrt(np.arange(1.0, n + 1))


_ENTRIES = (
    Estimator("count", "count of p ≤ α", _count_single, colour="#D55E00", marker="s"),
    Estimator(
        "bonferroni",
        "Bonferroni",
        _count_bonferroni,
        colour="#0072B2",
        marker="o",
        valid_under=DEPENDENCE,
        combine=_bonferroni,
        joint=True,
    ),
    Estimator(
        "fisher",
        "Fisher",
        functools.partial(_count_by_sums, terms=_log, critical=critical_fisher),
        colour="#009E73",
        marker="D",
        valid_under=("independent",),
        combine=_fisher,
    ),
    Estimator(
        "simes",
        "Simes",
        _count_simes,
        colour="#CC79A7",
        marker="^",
        valid_under=("independent", "positive"),
        combine=_simes,
        joint=True,
    ),
    Estimator(
        "stouffer",
        "Stouffer",
        functools.partial(_count_by_sums, terms=special.ndtri, critical=critical_stouffer),
        colour="#56B4E9",
        marker="v",
        valid_under=("independent",),
        combine=_stouffer,
        printed=False,
    ),
)

ESTIMATORS = {estimator.name: estimator for estimator in _ENTRIES}
"""Name -> estimator of the number of datasets, the count without a guarantee first."""

METHODS = tuple(name for name, estimator in ESTIMATORS.items() if estimator.combine)
"""Names of the combination methods."""
