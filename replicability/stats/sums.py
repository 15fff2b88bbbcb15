r"""Local tests by sums: the evidence of each dataset, and how much of it rejects an intersection.

A local test of m null hypotheses adds up evidence that grows as a p-value falls, and rejects their
intersection if the sum reaches the critical value for m. Every test here is monotone in each
p-value and symmetric, as the shortcuts require: with k p-values of a set and m others, the worst J
takes those with the least evidence, so that :math:`n^2/4` sums decide (Goeman, Meijer, Krebs and
Solari 2019, Section 5).
"""

from dataclasses import dataclass

import numpy as np

from replicability import checks
from replicability.stats.families import first_failure, sizes_left

_CELLS = 2**20  # pairs of sums that are compared at a time
_FEW = 64  # terms that are summed one by one


@dataclass(frozen=True)
class Evidence:
    """Evidence of families of datasets, and what a local test makes of it.

    Attributes
    ----------
    terms : ndarray of float64, shape (..., n)
        Evidence of each dataset for "A is better"; numbers, or infinite.
    critical : ndarray of float64, shape (n,)
        Least sums that reject sets of 1, ..., n datasets.
    kept : ndarray of bool, shape (..., n), optional
        The datasets whose own null hypothesis can be rejected at all; by default all.
    pvalues : ndarray of float64, shape (..., n), optional
        p-values, in the reverse order of the terms, for a test that looks at the smallest, too.
    single : ndarray of float64, shape (n,), optional
        Largest p-values that reject a set of 1, ..., n datasets, whatever the others are.
    """

    terms: np.ndarray
    critical: np.ndarray
    kept: np.ndarray | None = None
    pvalues: np.ndarray | None = None
    single: np.ndarray | None = None

    def __post_init__(self):
        if self.kept is None:
            object.__setattr__(self, "kept", np.ones(self.terms.shape, dtype=bool))


def shortcuts(evidence):
    """Return the functions of a `local_tests.LocalTest` by sums.

    `evidence`: ``evidence(pvalues, alpha, tau)``: the `Evidence` of families along the last axis. A
    single dataset is rejected if p <= alpha, to the last bit.

    Returns dict of str to callable. Arguments of a `LocalTest`.
    """

    def bound_of(pvalues, inside, alpha, tau):
        return bound(evidence(pvalues, alpha, tau), inside)

    def curve_of(pvalues, alpha, tau):
        return _curve(evidence(pvalues, alpha, tau))

    def rejected_of(pvalues, alpha, tau):
        return _rejected(evidence(pvalues, alpha, tau))

    return {"bound": bound_of, "curve": curve_of, "rejected": rejected_of}


def log(pvalues):
    """Return ln p, -inf at p = 0."""
    with np.errstate(divide="ignore"):
        return np.log(pvalues)


def share(tau, alpha):
    """Check the largest p-value that carries evidence.

    `tau`: in [alpha, 1]. `alpha`: level, in (0, 1).

    Returns float. tau.

    Raises `InputError`: if tau is not as described.
    """
    value = checks.finite("tau", tau)
    if not alpha <= value <= 1:
        raise checks.InputError(
            f"tau is {value:g}, but must be between alpha ({alpha:g}) and 1; choose this cutoff, "
            "such as 0.5, before you see the p-values."
        )
    return value


def decided(terms, small, critical):
    """Make rounding agree with p <= alpha where a set has one member.

    `terms` (ndarray of float64): evidence. `small` (ndarray of bool): whether each dataset alone is
    rejected. `critical` (ndarray of float64): critical values, that of one dataset first.

    Returns ndarray of float64. Evidence that reaches the first critical value exactly where `small`
    says so.
    """
    least, most = critical[0], np.nextafter(critical[0], -np.inf)
    return np.where(small, np.maximum(terms, least), np.minimum(terms, most))


def of_largest(terms):
    """Sum terms that grow with p over the m largest p-values.

    `terms` (ndarray of float64, shape (..., n)): terms in any order; they are overwritten.

    Returns ndarray of float64, shape (..., n). Sums for m = n, ..., 1, in place of the terms; NaN
    where p = 0 meets p = 1.
    """
    terms.sort(axis=-1)
    largest_first = terms[..., ::-1]
    with np.errstate(invalid="ignore"):
        np.cumsum(largest_first, axis=-1, out=largest_first)
    return terms


def count(values, alpha, terms, critical):
    """Count by comparing sums over the n - u + 1 largest p-values with the largest that reject.

    Parameters
    ----------
    values : ndarray of float64, shape (m, n)
        Families of p-values.
    alpha : float
        Level, in (0, 1).
    terms : callable
        From p-values to terms that grow with them, a new array.
    critical : callable
        ``critical(n, alpha)``: the least sums of evidence, of terms below zero, that reject.

    Returns
    -------
    ndarray of int64, shape (m,)
        k-hat of each family.
    """
    n = values.shape[-1]
    most = -critical(n, alpha)[::-1]
    falling = (np.diff(most / sizes_left(n)) <= 0).all()
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


def bound(found, inside):
    """Bound the number of datasets of a set on which A is better.

    `found` (Evidence): evidence of families. `inside` (ndarray of bool, shape (n,)): mask of the
    set.

    Returns ndarray of int64. Bound of each family.
    """
    return found.kept[..., inside].sum(axis=-1) - _unrejected(found, inside)


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


def _curve(found):
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


def _rejected(found):
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
