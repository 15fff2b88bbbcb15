"""Simes's test: the j-th smallest of m p-values is at most j alpha/m, for any j.

Its names are those of Hommel's procedure. Valid for independent and positively dependent (PRDS)
datasets; the shortcuts are those of Goeman, Meijer, Krebs and Solari (2019), Theorem 1.
"""

import numpy as np

from replicability.stats import families
from replicability.stats.local_tests import LocalTest

_NEAR = 2.0**-50  # products that differ by more are in the order of their `families.least_alpha`


def _combine(values, n):
    """Return the least levels at which a p-value is small enough for its rank among the largest.

    Products find the p-value to within rounding, and only those near the smallest are turned round.
    """
    ordered = np.ascontiguousarray(np.sort(values, axis=-1).T)  # runs of one rank, long and even
    sizes, width = families.sizes_left(n)[:, None], len(values)
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
    np.minimum.at(exact, places, families.least_alpha(own, (n - places // width) / ranks))
    return exact.reshape(ordered.shape).T


def _count(values, alpha):
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


def steps(values, alpha, chosen=None):
    """Return for p-values the least u with h p <= u alpha (Goeman et al. 2019).

    h is the largest number of p-values that Simes's test does not reject together. It does not
    reject a set of which, for each u, fewer than u p-values have a step of at most u.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        Families of p-values.
    alpha : float
        Level.
    chosen : ndarray, shape (m, s), optional
        P-values of each family of which the steps are returned; by default all.

    Returns
    -------
    ndarray of float64
        Steps, 1 or more, of the shape of `chosen`.
    """
    chosen = values if chosen is None else chosen
    largest = values.shape[-1] - _count(values, alpha)[:, None]
    u = np.maximum(np.ceil(largest * chosen / alpha), 1)
    with np.errstate(divide="ignore", invalid="ignore"):  # where none is left, h is 0
        u -= (u > 1) & (chosen <= alpha / (largest / (u - 1)))
        u += chosen > alpha / (largest / u)  # as `_count` compares
    return u


def _excess(values, alpha, chosen):
    """Return i + 1 - u_i of the i-th smallest p-values of a set."""
    u = steps(values, alpha, np.sort(chosen, axis=-1))
    return np.maximum(np.arange(2, chosen.shape[-1] + 2) - u, 0)


def _bound(values, inside, alpha, tau):
    return _excess(values, alpha, values[..., inside]).max(axis=-1)


def _curve(values, alpha, tau):
    return np.maximum.accumulate(_excess(values, alpha, values), axis=-1)


def _rejected(values, alpha, tau):
    return steps(values, alpha) <= 1


def _adjusted(values):
    from replicability.stats import multiple_testing  # which counts by this module

    return multiple_testing.adjusted_pvalues(values, "hommel")


LOCAL_TEST = LocalTest(
    name="simes",
    title="Simes",
    cited=("Simes 1986", "Simes (1986), Biometrika 73(3), 751-754."),
    valid_under=("independent", "positive"),
    strong="several are moderately small",
    weak="no p-value is below α",
    colour="#CC79A7",
    marker="^",
    with_holm=True,
    printed=True,
    place=3,
    count=_count,
    combine=_combine,
    bound=_bound,
    curve=_curve,
    rejected=_rejected,
    adjusted=_adjusted,
    many=True,
)
