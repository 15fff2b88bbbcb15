r"""Dependence that is measured: datasets that share units, by joint sign flips.

Given two systems, the only randomness is the draw of the units that they are scored on: reviews,
passages, questions. Two datasets depend on each other where they share units. Under the null
hypothesis of the datasets in T the differences of a unit in T are jointly symmetric around zero, so
that the sign of a unit may be flipped in all its datasets together (approximate randomisation,
jointly): the flips give the joint null distribution of

.. math:: z_j = \sum_i d_{ij} \Big/ \sqrt{\sum_i d_{ij}^2}

and with it three things, each with confidence 1 - alpha for all it says: the named datasets by the
step-down max-T procedure (Westfall and Young 1993); bounds for every group of datasets by closed
testing with the sums of :math:`L_j = -\ln(1 - \Phi(z_j))`, which is Fisher's method with its
dependence measured (Vesely, Finos and Goeman 2023); and, for many datasets, bounds by a family of
thresholds that is calibrated on the flips (Blanchard, Neuvial and Roquain 2020; Andreella et al.
2023).

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing. Vesely, Finos and Goeman (2023),
Journal of the Royal Statistical Society B 85(3), 664-683. Blanchard, Neuvial and Roquain (2020),
Annals of Statistics 48(3), 1281-1303. Andreella, Hemerik, Finos, Weeda and Goeman (2023),
Statistics in Medicine 42(14), 2311-2340.
"""

import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from replicability import checks
from replicability.stats import arguments, closed_testing
from replicability.stats.branch_and_bound import TIE, Search

CHUNK_FLIPS = 128
"""Flips that are drawn at a time, each chunk from its own child of the seed."""

N_FLIPS = 10_000
"""Flips unless another number is asked for, the identity among them."""

MOST_NODES = 2_000
"""Sets that are examined for one bound before it is given as it stands."""


@dataclass(frozen=True)
class Flips:
    """Statistics of all datasets under joint sign flips.

    Attributes
    ----------
    z : ndarray of float64, shape (n_flips, n)
        Statistic of each flip and dataset; the first row is what was observed.
    shared : ndarray of int64, shape (n, n)
        Numbers of units that two datasets share; on the diagonal those of one dataset.
    """

    z: np.ndarray
    shared: np.ndarray

    @property
    def pvalues(self):
        """One-sided p-value of each dataset by its own flips, shape (n,): (r + 1)/(B + 1)."""
        return (self.z >= self.z[0] - TIE).mean(axis=0)

    @property
    def correlations(self):
        """Correlations of the statistics under the flips, shape (n, n); NaN without differences."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.corrcoef(self.z[1:], rowvar=False)

    @functools.cached_property
    def gains(self):
        """Evidence of each flip less that observed, shape (n_flips, n), made once for all sets."""
        gains = -special.log_ndtr(-self.z)
        gains -= gains[0]
        return gains

    @functools.cached_property
    def order(self):
        """Datasets with the least evidence first: sets of such are rejected last."""
        return np.argsort(-self.gains.mean(axis=0), kind="stable")


@dataclass(frozen=True)
class Bound:
    """A lower bound that holds, and how far it could be from the best.

    Attributes
    ----------
    at_least : int
        On at least so many datasets of the set A is better, with the confidence asked for.
    at_most : int
        The bound that an unlimited search would give is at most this; equal to `at_least` if the
        search was exhaustive.
    """

    at_least: int
    at_most: int


def by_unit(a, b, datasets, units):
    """Arrange the differences of scores by unit and dataset, as `flip` takes them.

    Parameters
    ----------
    a, b : array_like, shape (m,)
        Scores of A and B of each instance; finite.
    datasets, units : array_like, shape (m,)
        The dataset of each instance, and the unit that it is drawn with: the same value in two
        datasets is the same unit. Several instances of a unit in a dataset are added up.

    Returns
    -------
    matrix : scipy.sparse.csr_array, shape (u, n)
        A row for each unit and a column for each dataset, both in ascending order.
    names : ndarray, shape (n,)
        The datasets.

    Raises
    ------
    InputError
        If a score is not finite or the lengths differ.

    Notes
    -----
    The order of the instances has no part in the matrix, to the last bit.

    Examples
    --------
    >>> matrix, names = by_unit([1, 1, 0], [0, 1, 1], ["b", "a", "b"], ["x", "x", "y"])
    >>> matrix.toarray().tolist(), names.tolist()
    ([[0.0, 1.0], [0.0, -1.0]], ['a', 'b'])
    """
    scores, others = arguments.numbers("a", a), arguments.numbers("b", b)
    shapes = [np.shape(given) for given in (scores, others, datasets, units)]
    if set(shapes) != {(scores.size,)}:
        listed = checks.listed([str(shape) for shape in shapes])
        raise checks.InputError(
            f"a, b, datasets and units have the shapes {listed}; pass two scores, a dataset and a "
            "unit for each instance."
        )
    values = scores - others
    names, columns = np.unique(np.asarray(datasets), return_inverse=True)
    found, rows = np.unique(np.asarray(units), return_inverse=True)
    order = np.lexsort((values, columns, rows))
    cells = (rows[order], columns[order])
    return sparse.csr_array((values[order], cells), shape=(len(found), len(names))), names


def flip(differences, n_flips=N_FLIPS, *, rng=0):
    r"""Flip the signs of units, in all datasets together.

    Parameters
    ----------
    differences : array_like or sparse matrix, shape (u, n)
        Score of A minus score of B of each unit on each dataset; of a unit that is larger than an
        instance the sum over its instances. NaN, or nothing in a sparse matrix, where a dataset
        lacks the unit. At least two units.
    n_flips : int, default 10,000
        Flips, the identity among them; at least 20.
    rng : int or SeedSequence, default 0
        Seed.

    Returns
    -------
    Flips
        Statistics, observed and flipped.

    Raises
    ------
    InputError
        If a difference is infinite, there are fewer than two units, or an argument is not as
        described.

    Notes
    -----
    Valid if units are independent and, where A is not better, the differences of a unit over these
    datasets are jointly symmetric around zero: so it is if the outputs of A and B are exchangeable,
    unit by unit. Asymptotically a mean of zero is enough (Hemerik and Goeman 2018). A unit has its
    sign by its row: give units in an order that does not depend on the scores, such as that of
    their identifiers (`by_unit`). The order of the datasets has no part in any sign.

    Examples
    --------
    >>> flip([[1, 0], [1, 1], [1, 1], [1, 1], [1, 0]], 2000).pvalues.round(1).tolist()
    [0.0, 0.1]
    """
    matrix, shared = _checked(differences)
    flips = checks.at_least("n_flips", n_flips, 20)
    scale = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=0)).ravel())
    dense = matrix.toarray() if matrix.nnz * 4 > np.prod(matrix.shape) else None
    units, n = matrix.shape
    z = np.empty((flips, n))
    seeds = np.random.SeedSequence(rng) if not isinstance(rng, np.random.SeedSequence) else rng
    starts = range(0, flips, CHUNK_FLIPS)
    for start, seed in zip(starts, seeds.spawn(len(starts)), strict=True):
        rows = min(CHUNK_FLIPS, flips - start)
        bits = np.random.default_rng(seed).bytes(rows * -(-units // 8))
        signs = np.unpackbits(np.frombuffer(bits, np.uint8).reshape(rows, -1), axis=1)[:, :units]
        if start == 0:
            signs[0] = 1
        # sum of d over the units with a plus, twice, less the sum of all
        chosen = signs.astype(float)
        z[start : start + rows] = chosen @ dense if dense is not None else (matrix.T @ chosen.T).T
    z *= 2
    z -= np.asarray(matrix.sum(axis=0)).ravel()
    np.divide(z, scale, out=z, where=scale > 0)
    return Flips(z, shared)


def names(flips, alpha=0.05):
    """Datasets on which A is better, by the step-down max-T procedure.

    Parameters
    ----------
    flips : Flips
        As `flip` returns them.
    alpha : float, default 0.05
        Bound on the probability to name any dataset on which A is not better.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each dataset is named.

    Raises
    ------
    InputError
        If there are fewer flips than 1/alpha.

    Notes
    -----
    Valid as `flip` (Westfall and Young 1993, Algorithm 2.8), whatever the dependence.
    """
    return adjusted_pvalues(flips) <= _level(flips, alpha)


def adjusted_pvalues(flips):
    """p-values adjusted by the step-down max-T procedure.

    Parameters
    ----------
    flips : Flips
        As `flip` returns them.

    Returns
    -------
    ndarray of float64, shape (n,)
        In the order of the datasets; a dataset is named at alpha if its own is at most alpha.
    """
    order = np.argsort(-flips.z[0], kind="stable")
    largest = np.maximum.accumulate(flips.z[:, order[::-1]], axis=1)[:, ::-1]
    shares = (largest >= largest[0] - TIE).mean(axis=0)
    adjusted = np.empty_like(shares)
    adjusted[order] = np.maximum.accumulate(shares)
    return adjusted


def bound(flips, subset=None, alpha=0.05, *, most_nodes=MOST_NODES):
    r"""Lower bound on the number of datasets of a set on which A is better.

    Parameters
    ----------
    flips : Flips
        As `flip` returns them.
    subset : array_like of bool, shape (n,), or of int, optional
        The datasets of the set: a mask, or places from 0. Default: all.
    alpha : float, default 0.05
        The bounds of all sets hold together with confidence 1 - alpha.
    most_nodes : int, default 2,000
        Sets that are examined at most for each number; what is undecided then counts as not
        rejected.

    Returns
    -------
    Bound
        The bound, and the best that the search could still have found.

    Raises
    ------
    InputError
        If the set is not as described, or there are fewer flips than 1/alpha.

    Notes
    -----
    Valid as `flip`. Closed testing where J is rejected if :math:`\sum_{j \in J} L_j` is among the
    alpha B largest of its B flips. J is not rejected if more than alpha B rows have
    :math:`\sum_J (L_{bj} - L_{0j}) \ge 0`; the row sums of the s largest differences bound all J of
    size s, and to take or to leave one dataset branches (Vesely et al. 2023).

    Examples
    --------
    >>> flips = flip([[1, 1, -1]] * 9 + [[-1, 1, 1]], 2000)
    >>> bound(flips), bound(flips, [0, 1])
    (Bound(at_least=2, at_most=2), Bound(at_least=2, at_most=2))
    """
    level = _level(flips, alpha)
    inside = closed_testing.members(subset, flips.z.shape[1])
    allowed = np.floor(level * len(flips.z) + TIE)
    search = Search(flips.gains, flips.order, inside, allowed, most_nodes)
    proved, found = search.largest()
    size = int(inside.sum())
    return Bound(size - proved, size - found)


def named(flips, alpha=0.05, *, most_nodes=MOST_NODES):
    """Datasets that are named by sums: those of which the bound, each alone, is 1.

    Parameters
    ----------
    flips, alpha, most_nodes
        As in `bound`.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each dataset is named; they hold together with all bounds.

    Raises
    ------
    InputError
        As `bound`.

    Notes
    -----
    Valid as `flip`. No dataset of a J that is not rejected is named, and all of S are if every J
    with one of S is rejected, so that few searches decide about all datasets.

    Examples
    --------
    >>> named(flip([[1, 1, -1]] * 9 + [[-1, 1, 1]], 2000)).tolist()
    [True, True, False]
    """
    level = _level(flips, alpha)
    allowed = np.floor(level * len(flips.z) + TIE)
    open_ = np.ones(flips.z.shape[1], bool)
    while open_.any():
        left = Search(flips.gains, flips.order, open_, allowed, most_nodes).left(1)
        if left is None:  # one by one is less for each search
            alone = [bound(flips, [j], alpha, most_nodes=most_nodes) for j in np.flatnonzero(open_)]
            open_[open_] = [found.at_least == 1 for found in alone]
            break
        if not left:
            break
        open_[flips.order[left]] = False
    return open_


def calibrated_bound(flips, subset=None, alpha=0.05):
    r"""Lower bound by a family of thresholds calibrated on the flips, for many datasets.

    Parameters
    ----------
    flips, subset, alpha
        As in `bound`.

    Returns
    -------
    int
        At least so many datasets of the set, 0 to its size.

    Raises
    ------
    InputError
        As `bound`.

    Notes
    -----
    Valid as `flip`: with p-values :math:`p_j = 1 - \Phi(z_j)` and :math:`\lambda` the alpha
    quantile over the flips of :math:`\min_i p_{(i)} n/i`, the bound is
    :math:`\max_u 1 - u + \#\{j \in S : p_j \le u \lambda/n\}` (Blanchard et al. 2020, Section 3).
    Sorting is all that it takes. The thresholds are those of Simes's test, made less strict by as
    much as the measured dependence allows.
    """
    inside = closed_testing.members(subset, flips.z.shape[1])
    thresholds = calibrated_thresholds(flips, alpha)
    chosen = np.sort(special.ndtr(-flips.z[0, inside]))
    counts = np.searchsorted(chosen, thresholds, side="left")
    return int(max(0, (counts - np.arange(len(thresholds))).max()))


def calibrated_thresholds(flips, alpha=0.05):
    r"""Thresholds of p-values that are calibrated on the flips, for `calibrated_bound`.

    Parameters
    ----------
    flips, alpha
        As in `bound`.

    Returns
    -------
    ndarray of float64, shape (n,)
        :math:`u \lambda/n` for u = 1, ..., n, of which a p-value has to be below. A dataset is
        named if its p-value :math:`1 - \Phi(z_j)` is below the first.

    Raises
    ------
    InputError
        As `bound`.
    """
    level = _level(flips, alpha)
    n = flips.z.shape[1]
    ranks = np.arange(1, n + 1)
    pivots = np.sort((np.sort(special.ndtr(-flips.z), axis=1) * n / ranks).min(axis=1))
    strict = pivots[int(np.floor(level * len(pivots) + TIE))]  # fewer than alpha B lie below it
    return ranks * strict / n * (1 - TIE)


def _checked(differences):
    """Return differences as a sparse matrix, and the numbers of units that datasets share."""
    if sparse.issparse(differences):
        matrix = sparse.csr_array(differences).astype(float)
        present = matrix.copy()
        present.data = np.ones_like(present.data)
    else:
        values = np.asarray(differences)
        if values.ndim != 2 or values.dtype.kind not in "iufb":
            raise checks.InputError(
                f"differences have the shape {values.shape} and the type {values.dtype}; pass "
                "numbers with one row for each unit and one column for each dataset."
            )
        values = values.astype(float)
        known = ~np.isnan(values)
        matrix = sparse.csr_array(np.where(known, values, 0))
        present = sparse.csr_array(known.astype(float))
    if not np.isfinite(matrix.data).all():
        raise checks.InputError("differences hold infinity or NaN; pass finite scores.")
    shared = (present.T @ present).toarray().astype(np.int64)
    if matrix.shape[0] < 2 or not matrix.shape[1]:
        raise checks.InputError(
            f"There are {matrix.shape[0]} units and {matrix.shape[1]} datasets; flipping signs "
            "takes at least two units and one dataset."
        )
    alone = np.flatnonzero(shared.diagonal() == 0)
    if alone.size:
        raise checks.InputError(
            f"Dataset {alone[0]} has no unit; leave it out, or give the differences of its units."
        )
    return matrix, shared


def _level(flips, alpha):
    """Return the level, if there are flips enough for it."""
    level = checks.alpha(alpha)
    if len(flips.z) * level < 1:
        raise checks.InputError(
            f"{len(flips.z)} flips cannot show anything at alpha = {level:g}: the smallest p-value "
            f"is 1/{len(flips.z)}; use at least {int(np.ceil(1 / level))}, better a hundred times "
            "that, or a larger alpha."
        )
    return level
