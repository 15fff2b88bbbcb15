"""Simes's test: the j-th smallest of m p-values is at most j alpha/m, for any j.

Its names are those of Hommel's procedure. Valid for independent and positively dependent (PRDS)
datasets; the shortcuts are those of Goeman, Meijer, Krebs and Solari (2019), Theorem 1.
"""

import numpy as np

from replicability.stats import families
from replicability.stats.local_tests import LocalTest

_ROUNDING = 2.0**-49  # products that differ by more are in the order of their `least_alpha`
_SCALE = 2.0**900  # slopes between the smallest p-values then have all their digits


def _combine(values, n):
    """Return the least levels at which a p-value is small enough for its rank among the largest.

    With the i-th smallest p-value as the point (i, p), the one that decides for u has the lowest
    line to (u - 1, 0). It is on the lower convex hull of the family, which is the same for all u,
    and further right for larger u: from where the line through two neighbours on the hull meets 0.
    """
    width = n + 1  # a family and what separates it from the next
    place, p = _hull(values)
    first = width * np.floor((place + 0.5) / width)
    left, start, sizes = place[:-1], first[1:], np.arange(n, -1.0, -1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        above = p[:-1] * (place[1:] - left)
        above /= p[1:] - p[:-1]
        meet = left + 1 - np.fmin(above, width)  # where both lines are the same
        begin = np.minimum(np.maximum(np.floor(meet) + 1, start), left + 1).astype(np.int64)
        times = np.diff(begin, prepend=0, append=len(values) * width)
        if times.min(initial=0) < 0:  # rounding, of points that are nearly on one line
            begin = np.minimum.accumulate(begin[::-1])[::-1]
            times = np.diff(begin, prepend=0, append=len(values) * width)
        rank = np.repeat(place - first + 1, times).reshape(-1, width)
        rank -= np.arange(width)
        factor = np.divide(sizes, rank, out=rank)
        levels = families.least_alpha(np.repeat(p, times).reshape(-1, width), factor)[:, :n]

    column, least = np.rint(meet), min(n**2 * _ROUNDING, 0.25 / n**2)
    # of the only u for which both may be least; both are near it where the lines are
    close = np.abs(meet - column) <= width**2 * least + 1e-6
    edges = np.flatnonzero(close & (column >= start))
    column, ranks = column[edges], [place[edges + side] + 1 - column[edges] for side in (0, 1)]
    one, other = p[edges] * ranks[1], p[edges + 1] * ranks[0]
    near = (np.abs(one - other) <= least * other) & (ranks[0] > 0)
    row, u = np.divmod(column[near].astype(np.int64), width)
    for side in (0, 1):
        found = families.least_alpha(p[edges[near] + side], (n - u) / ranks[side][near])
        np.minimum.at(levels, (row, u), found)
    return levels


def _hull(values):
    """Return places and values of the points on or near the lower hulls of families.

    A point above the line between two others decides nowhere. Points above that between those at a
    distance are left out first; then neighbours are compared until no point is above.
    """
    n = values.shape[-1]
    ordered = np.empty((len(values), n + 1))
    ordered[:, :n], ordered[:, n] = (
        values,
        np.nan,
    )  # which is compared with nothing, and sorted last
    ordered.sort(axis=-1)
    flat, lines = ordered.ravel(), np.empty(ordered.size)
    dropped, higher = np.zeros((2, *ordered.shape), bool)
    distance = 1
    while 2 * distance < n:
        line = np.add(flat[: -2 * distance], flat[2 * distance :], out=lines[2 * distance :])
        line *= (1 + _ROUNDING) / 2
        np.greater(flat[distance:-distance], line, out=higher.ravel()[distance:-distance])
        higher[:, :distance] = higher[:, n - distance :] = False  # from one family to the next
        dropped |= higher
        distance = 5 * distance // 2
    place = np.flatnonzero(~dropped)
    p, place = flat[place], place.astype(float)
    p *= _SCALE
    while True:
        per_place = 1 / (place[1:] - place[:-1])
        slope = p[1:] - p[:-1]
        slope *= per_place
        per_place *= _ROUNDING
        least = per_place[:-1] + per_place[1:]
        least *= p[1:-1]
        above = slope[:-1] - slope[1:] > least
        if not above.any():
            break
        kept = np.ones(len(p), bool)
        np.logical_not(above, out=kept[1:-1])
        place, p = place[kept], p[kept]
    real = ~np.isnan(p)
    return place[real], p[real] / _SCALE


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

    `values` (ndarray, shape (m, n)): families of p-values. `chosen` (ndarray, shape (m, s)):
    P-values of each family of which the steps are returned; by default all.

    Returns ndarray of float64. Steps, 1 or more, of the shape of `chosen`.
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
    strong="several p-values are moderately small",
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
