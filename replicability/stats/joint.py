r"""Dependence that is measured: datasets that share units, by joint sign flips.

Given two systems, the only randomness is the draw of the units that they are scored on: reviews,
passages, questions. Two datasets depend on each other where they share units. Under the null
hypothesis of the datasets in T the differences of a unit in T are jointly symmetric around zero, so
that the sign of a unit may be flipped in all its datasets together (approximate randomisation,
jointly): the flips give the joint null distribution of

.. math:: z_j = \sum_i d_{ij} \Big/ \sqrt{\sum_i d_{ij}^2}

and with it the local tests of four closed testing procedures. Each of them bounds every group of
datasets and names some, and all that one of them says has simultaneous confidence 1 - alpha:

====================  ============================================================================
local test            a set of datasets J is rejected by
====================  ============================================================================
``joint``             :math:`\min(p_S, p_X)`, the smaller one of the p-values of the sum and of the
                      maximum, which is compared with those of all flips
``joint_sum``         the sum :math:`S = \sum_{j \in J} L_j` of :math:`L_j = -\ln(1 - \Phi(z_j))`,
                      which is Fisher's method with its dependence measured (Vesely, Finos and
                      Goeman 2023)
``max_t``             the maximum :math:`X = \max_{j \in J} z_j`; it names datasets by the step-down
                      max-T procedure and counts no others (Westfall and Young 1993)
``calibrated_simes``  ordered p-values, with thresholds that are calibrated on the flips
                      (Blanchard, Neuvial and Roquain 2020; Andreella et al. 2023)
====================  ============================================================================

Sums are best where A is better on all datasets, maxima where it is on few. ``joint`` is close to
the better one of them in both cases.

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing. Vesely, Finos and Goeman (2023),
Journal of the Royal Statistical Society B 85(3), 664-683. Blanchard, Neuvial and Roquain (2020),
Annals of Statistics 48(3), 1281-1303. Andreella, Hemerik, Finos, Weeda and Goeman (2023),
Statistics in Medicine 42(14), 2311-2340.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import closed_testing, local_tests
from replicability.stats.branch_and_bound import TIE, Sums, SumsAndMaxima
from replicability.stats.flips import (
    CHUNK_FLIPS,
    N_FLIPS,
    Both,
    Flips,
    Several,
    both,
    by_unit,
    flip,
    flip_several,
)

__all__ = [
    "CHUNK_FLIPS",
    "METHODS",
    "MOST_NODES",
    "N_FLIPS",
    "Both",
    "Bound",
    "Flips",
    "Several",
    "adjusted_pvalues",
    "allowed",
    "both",
    "bound",
    "bound_by",
    "by_unit",
    "calibrated_bound",
    "calibrated_thresholds",
    "flip",
    "flip_several",
    "named",
    "named_by",
    "names",
]

METHODS = tuple(n for n, test in local_tests.load().items() if test.takes == local_tests.FLIPS)
"""Names of the local tests; the first is the default."""

MOST_NODES = 2_000
"""Maximum number of branches examined for one bound, which is then valid but not sharp."""

MOST_SUMS = 400_000_000
"""Maximum number of statistics in these branches: 2,000 times 20 datasets times 10,000 flips."""


@dataclass(frozen=True)
class Bound:
    """A lower bound that holds, and how far it could be from the best.

    Attributes
    ----------
    at_least : int
        On at least so many datasets of the set A is better, with the requested confidence.
    at_most : int
        The bound that an unlimited search would give is at most this; equal to `at_least` if the
        search was exhaustive.
    """

    at_least: int
    at_most: int


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
    return adjusted_pvalues(flips) <= _level(len(flips.z), alpha)


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


def bound(flips, subset=None, alpha=0.05, method="joint", *, most_nodes=None):
    r"""Lower bound on the number of datasets of a set on which A is better.

    Parameters
    ----------
    flips : Flips
        As `flip` returns them.
    subset : array_like of bool, shape (n,), or of int, optional
        The datasets of the set: a mask, or places from 0. Default: all.
    alpha : float, default 0.05
        The bounds of all sets have simultaneous confidence 1 - alpha.
    method : str, default "joint"
        Local test, one of `METHODS`.
    most_nodes : int, optional
        Branches that "joint" and "joint_sum" examine at most for each number; what is undecided
        then counts as not rejected. Default: `MOST_NODES`, fewer where there are many statistics.

    Returns
    -------
    Bound
        The bound, and the best that the search could still have found.

    Raises
    ------
    InputError
        If the set is not as described, there is no such method, or there are fewer flips than
        1/alpha.

    Notes
    -----
    Valid as `flip`, whatever the dependence, by every method. Closed testing where J is rejected

    - by "joint_sum" if :math:`S_0 = \sum_{j \in J} L_{0j}` is among the alpha B largest of its B
      flips. J is not rejected if more than alpha B flips have
      :math:`\sum_J (L_{bj} - L_{0j}) \ge 0`; the row sums of the s largest differences bound all J
      of size s, and to take or to leave one dataset branches (Vesely et al. 2023).
    - by "joint" if at most alpha B flips have a :math:`T_b = \min(p_{S,b}, p_{X,b})` of at most
      :math:`T_0`, where the p-values of a flip are its ranks among all flips. T is computed alike
      from every flip, so that the rank of :math:`T_0` is exact. J is always rejected if its sum or
      its maximum is significant at alpha/2, so that the bound is never below the number of datasets
      that max-T names at alpha/2, nor below that of sums at alpha/2.

    Examples
    --------
    >>> flips = flip([[1, 1, -1]] * 9 + [[-1, 1, 1]], 2000)
    >>> bound(flips), bound(flips, [0, 1])
    (Bound(at_least=2, at_most=2), Bound(at_least=2, at_most=2))
    """
    most = allowed(len(flips.z), alpha)
    inside = closed_testing.members(subset, flips.z.shape[1])
    if checks.choice("method", method, METHODS) in _SEARCHES:
        return bound_by(_SEARCHES[method](flips, most), inside, _nodes(flips, most_nodes))
    if method == "max_t":
        k = int(names(flips, alpha)[inside].sum())
    else:
        k = calibrated_bound(flips, inside, alpha)
    return Bound(k, k)


def named(flips, alpha=0.05, method="joint", *, most_nodes=None):
    """Datasets that are named: those of which the bound, each alone, is 1.

    Parameters
    ----------
    flips, alpha, method, most_nodes
        As in `bound`.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each dataset is named, with the simultaneous confidence of all bounds.

    Raises
    ------
    InputError
        As `bound`.

    Notes
    -----
    Valid as `bound`. No dataset of a J that is not rejected is named, and all of S are if every J
    with one of S is rejected, so that few searches decide about all datasets.

    Examples
    --------
    >>> named(flip([[1, 1, -1]] * 9 + [[-1, 1, 1]], 2000)).tolist()
    [True, True, False]
    """
    most = allowed(len(flips.z), alpha)
    if checks.choice("method", method, METHODS) == "max_t":
        return names(flips, alpha)
    if method == "calibrated_simes":
        return special.ndtr(-flips.z[0]) < calibrated_thresholds(flips, alpha)[0]
    return named_by(_SEARCHES[method](flips, most), _nodes(flips, most_nodes))


def named_by(search, nodes, known=False):
    """Name the datasets for which every set that holds them is rejected.

    Parameters
    ----------
    search : branch_and_bound.Sums
        What a local test does not reject.
    nodes : int
        Branches that are examined at most.
    known : ndarray of bool, shape (n,), optional
        Datasets of sets that are known not to be rejected.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each dataset is named.
    """
    open_ = np.ones(len(search.order), bool) & ~np.asarray(known)
    while open_.any():
        left = search.left(open_, 1, nodes - search.examined)
        if left is None:  # one by one is less for each search
            return _one_by_one(search, open_, nodes)
        if not left:
            break
        open_[left] = False
    return open_


def _one_by_one(search, open_, nodes):
    """Name datasets from the one with the most evidence down, until one cannot be decided."""
    found = np.zeros_like(open_)
    for j in search.order[::-1][open_[search.order[::-1]]]:
        alone = bound_by(search, np.arange(len(open_)) == j, nodes)
        found[j] = alone.at_least == 1
        if alone.at_least < alone.at_most:
            break
    return found


def bound_by(search, inside, nodes, known=0):
    """Bound the datasets of a set by a search.

    Parameters
    ----------
    search : branch_and_bound.Sums
        What a local test does not reject.
    inside : ndarray of bool, shape (n,)
        The set.
    nodes : int
        Branches that are examined at most for each number.
    known : int, default 0
        Number of datasets of S in a set that is known not to be rejected.

    Returns
    -------
    Bound
        The bound, and the best that the search could still have found.
    """
    size = int(inside.sum())
    proved, found = search.largest(inside, nodes, known)
    return Bound(size - proved, size - found)


def _nodes(flips, most_nodes):
    """Return how many branches are examined."""
    return most_nodes or min(MOST_NODES, -(-MOST_SUMS // flips.z.size))


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
    n = flips.z.shape[1]
    ranks = np.arange(1, n + 1)
    pivots = np.sort((np.sort(special.ndtr(-flips.z), axis=1) * n / ranks).min(axis=1))
    strict = pivots[allowed(len(flips.z), alpha)]  # at most alpha B lie below it
    return ranks * strict / n * (1 - TIE)


_SEARCHES = {"joint": SumsAndMaxima, "joint_sum": Sums}


def allowed(n_flips, alpha):
    """Return how many flips may be as extreme as what was observed.

    Parameters
    ----------
    n_flips : int
        Flips, the identity among them.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    InputError
        If there are fewer flips than 1/alpha.
    """
    return int(np.floor(_level(n_flips, alpha) * n_flips + TIE))


def _level(n_flips, alpha):
    """Return the level, if there are flips enough for it."""
    level = checks.alpha(alpha)
    if n_flips * level < 1:
        raise checks.InputError(
            f"With {n_flips} flips, no p-value can be as small as alpha = {level:g}; use a larger "
            f"alpha, or at least {int(np.ceil(1 / level))} flips, preferably a hundred times that "
            "number."
        )
    return level
