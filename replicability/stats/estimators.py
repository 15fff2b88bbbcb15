"""Estimators of the number of datasets on which A is better, each with all that is asked of it.

The methods, their conditions and their equations are in `partial_conjunction`, which calls them.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability.stats import critical_values
from replicability.stats.families import first_failure, least_alpha

DEPENDENCE = ("independent", "positive", "dependent")
"""Kinds of dependence between the datasets, the weakest assumption last."""

_FEW = 64  # terms that are summed one by one
_NEAR = 2.0**-50  # products that differ by more are in the order of their `families.least_alpha`


@dataclass(frozen=True)
class Estimator:
    """An estimator of the number of datasets on which A is better.

    Attributes
    ----------
    name : str
        Its name as a `method`, in a study and on the command line.
    title : str
        Its name in a legend or a sentence.
    count : callable
        ``count(pvalues, alpha)``: families of shape (m, n) to their m estimates.
    colour, marker, line : str
        How figures draw it, in matplotlib's words.
    valid_under : tuple of str
        The kinds of `DEPENDENCE` between the datasets under which it exceeds the true number with
        probability alpha at most; none for a count without a guarantee.
    combine : callable, optional
        ``combine(pvalues, n)``: families of shape (m, n) to the combinations of their n - u + 1
        largest p-values, u = 1, ..., n, before clipping and the running maximum. A combination
        method has one.
    joint : bool, default False
        Whether its count holds together with the names by Holm's procedure: both are wrong only if
        the one test of the true null hypotheses rejects them (closed testing).
    printed : bool, default True
        Whether the command line prints its count beside the others.
    """

    name: str
    title: str
    count: Callable
    colour: str
    marker: str
    line: str = "-"
    valid_under: tuple = ()
    combine: Callable | None = None
    joint: bool = False
    printed: bool = True


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


def _fisher_bonferroni(values, n):
    sizes = np.broadcast_to(_sizes(n), values.shape)
    smallest = least_alpha(np.sort(values, axis=-1), sizes)
    sums = -_sums_of_largest(_log(values))
    return critical_values.level_beside_bonferroni(sums, smallest, sizes)


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
    if small.any():
        counts[small] = half + _leading_sums(terms[small, half:], base[small], most[half:], few)
    if large.any():
        counts[large] = _leading_sums(terms[large, :half], later[large], most[:half], few)
    return counts


def _count_fisher_bonferroni(values, alpha):
    n = values.shape[-1]
    large = np.sort(values, axis=-1) > alpha / _sizes(n)
    sums = -_sums_of_largest(_log(values))
    return first_failure(large & (sums < critical_values.beside_bonferroni(n, alpha)[::-1]))


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
        functools.partial(_count_by_sums, terms=_log, critical=critical_values.fisher),
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
        functools.partial(_count_by_sums, terms=special.ndtri, critical=critical_values.stouffer),
        colour="#56B4E9",
        marker="v",
        valid_under=("independent",),
        combine=_stouffer,
        printed=False,
    ),
    Estimator(
        "fisher_bonferroni",
        "Fisher-Bonferroni",
        _count_fisher_bonferroni,
        colour="#117733",
        marker="d",
        valid_under=("independent",),
        combine=_fisher_bonferroni,
        joint=True,
        printed=False,
    ),
)

ESTIMATORS = {estimator.name: estimator for estimator in _ENTRIES}
"""Name -> estimator of the number of datasets, the count without a guarantee first."""

METHODS = tuple(name for name, estimator in ESTIMATORS.items() if estimator.combine)
"""Names of the combination methods."""
