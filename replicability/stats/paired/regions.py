r"""Regions of the outcomes of pairs of right and wrong answers, and their largest probability.

Of n items A wins w, that is, A alone is right, and loses l. Where A is better by exactly a
margin m of at least 0, a nuisance parameter is left: a share s in [0, 1], with which an item is
lost with probability :math:`q = s (1 - m) / 2` and won with probability q + m.

In other words, each item is drawn from one of two laws. With probability 1 - s it is won with
probability m, and else tied; with probability s it is lost with probability (1 - m) / 2, and else
won. If K items are of the second law, a region has the probability

.. math:: P(s) = \sum_k b_k P(K = k), \quad K \sim \mathrm{Bin}(n, s),

which bounds P between two values of s, so that its largest value is never missed.
"""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

PRECISION = 1e-9
"""Relative precision of `largest`."""

CLOSENESS = {"small": 1e-4, "large": 1e-2}
"""Relative precision of `largest_between` for probabilities up to 1/2, and for larger ones."""

SMALLEST = 1e-10
"""Least probability that `largest_between` returns."""

NEGLIGIBLE = -50.0
"""Log-probability below which a bound replaces the exact value."""


@dataclass(frozen=True)
class Region:
    """Outcomes that have, given the number of losses, at least so many wins, or ties.

    Attributes
    ----------
    n : int
        Number of items.
    margin : float
        Margin m of the null hypothesis, in [0, 1).
    greater : bool
        Whether wins are counted; ties if not.
    losses : ndarray of int, shape (r,)
        Numbers of losses, ascending by 1.
    first : ndarray of int, shape (r,)
        The least number of wins, or ties, for each number of losses; more than are left of n
        items for none.
    """

    n: int
    margin: float
    greater: bool
    losses: np.ndarray
    first: np.ndarray

    def completed(self):
        """Add what is more extreme than an outcome of the region.

        Returns Region. With an outcome, it has all that have no fewer wins and no more losses, or
        if ties are counted, no more wins and no fewer losses.
        """
        if self.greater:
            return replace(self, first=np.minimum.accumulate(self.first[::-1])[::-1])
        return replace(self, first=np.minimum.accumulate(self.first + self.losses) - self.losses)

    def log_probability(self, logits):
        """Bound the logarithm of its probability from above, elementwise.

        `logits` (ndarray, shape (p,)): logits of the share s.

        Returns ndarray, shape (p,). The logarithms; the probabilities are too large by about
        exp(-50) for each item.
        """
        q = special.expit(logits) * (1 - self.margin) / 2
        others = self.n - self.losses
        mass = (
            special.gammaln(self.n + 1)
            - special.gammaln(self.losses + 1)
            - special.gammaln(others + 1)
            + special.xlogy(self.losses, q[:, None])
            + special.xlog1py(others, -q[:, None])
        )
        counted = q + self.margin if self.greater else special.expit(-logits) * (1 - self.margin)
        point, row = np.nonzero((mass > NEGLIGIBLE) & (self.first <= others))
        first, others = self.first[row], others[row]
        chance = np.minimum(counted / (1 - q), 1.0)[point]
        tail = special.betainc(np.maximum(first, 1), others - first + 1, chance)
        parts = np.exp(mass[point, row]) * np.where(first > 0, tail, 1.0)
        total = np.bincount(point, parts, len(logits))
        return np.log(total + math.exp(NEGLIGIBLE) * (self.n + 1))


# --- over all values of the nuisance parameter ----------------------------------------------------


def largest(region):
    """Bound the largest probability of a region from above.

    `region` (Region): with all numbers of losses, 0 to n.

    Returns float: at least the largest probability, and larger by `PRECISION` at most. float: a
    probability that was found.

    Notes
    -----
    P(s) is a Bernstein polynomial with the coefficients b: no value is above the largest of them,
    and the first and the last are values. Halving the interval of s gives coefficients ever closer
    to the values (de Casteljau). Time and memory grow with n squared.

    Examples
    --------
    >>> at_least_three = Region(4, 0.0, True, np.arange(5), np.full(5, 3))
    >>> round(largest(at_least_three)[0], 6)  # 5/16, without ties
    0.3125
    """
    cells = _coefficients(region)[:, None]
    halves, found = _binomial(region.n, 0.5), float(max(cells[0, 0], cells[-1, 0]))
    while cells.size:
        cells = cells[:, cells.max(axis=0) > found * (1 + PRECISION / 2)]
        cells = np.hstack([halves @ cells, (halves @ cells[::-1])[::-1]])
        found = float(cells[[0, -1]].max(initial=found))
    return max(found * (1 + PRECISION), np.finfo(float).tiny), found


def _coefficients(region):
    """Return b_0 to b_n, the probabilities of a region given K."""
    n, margin, wins = region.n, region.margin, region.greater
    of_second = np.arange(n + 1)[:, None]
    tails = np.cumsum(_binomial(n, margin if wins else 1 - margin)[::-1, ::-1], axis=1)[:, ::-1]
    tails = np.pad(tails, ((0, 0), (0, 1)))
    need = region.first - (of_second - region.losses if wins else np.zeros_like(of_second))
    tail = np.take_along_axis(tails, np.clip(need, 0, n + 1), axis=1)
    return (_binomial(n, (1 - margin) / 2) * tail).sum(axis=1)


@functools.lru_cache(maxsize=32)
def _binomial(n, p):
    """Return the binomial laws of 0 to n trials, one in each row."""
    rows = np.zeros((n + 1, n + 1))
    rows[0, 0] = 1
    for k in range(n):
        rows[k + 1] = rows[k] * (1 - p)
        rows[k + 1, 1:] += rows[k, :-1] * p
    rows.setflags(write=False)
    return rows


# --- over an interval of the nuisance parameter ---------------------------------------------------


def largest_between(region, low, high):
    """Bound the largest probability of a region from above, over an interval of s.

    `region` (Region): with all numbers of losses that are not negligible there; or another with `n`
    and `log_probability`. `low`, `high`: ends of the interval, in [0, 1].

    Returns float: at least the largest probability and `SMALLEST`, and larger by `CLOSENESS` at
    most. float: a probability that was found, or `SMALLEST`.

    Notes
    -----
    With the logit x of s, log P = log sum_k b_k C(n, k) exp(kx) - n log(1 + exp(x)). The first term
    is convex, so that a chord bounds it from above between two logits. Cells are halved until no
    bound is far above what is found.

    Examples
    --------
    >>> at_least_three = Region(4, 0.0, True, np.arange(5), np.full(5, 3))
    >>> bound, found = largest_between(at_least_three, 0.0, 0.5)  # 13/256, at s = 1/2
    >>> round(found, 6), bound < 1.001 * found
    (0.050781, True)
    """
    left, right = _cells(region.n, low, high)
    at_left, at_right = region.log_probability(left), region.log_probability(right)
    found = max(at_left.max(), at_right.max(), math.log(SMALLEST))
    while len(left):
        close = CLOSENESS["small" if found < math.log(0.5) else "large"]
        far = _chord(left, right, at_left, at_right, region.n) > found + close
        left, right, at_left, at_right = left[far], right[far], at_left[far], at_right[far]
        middle = (left + right) / 2
        at_middle = region.log_probability(middle)
        found = at_middle.max(initial=found)
        left, right = np.append(left, middle), np.append(middle, right)
        at_left, at_right = np.append(at_left, at_middle), np.append(at_middle, at_right)
    return math.exp(found + 1.01 * close), math.exp(found)


def _cells(n, low, high):
    """Cut an interval of s at most one standard deviation of K wide, and return logits."""
    edge = special.logit(1e-10 / n)  # beyond it log P changes by less than 1e-10
    ends = np.arcsin(np.sqrt([low, high]))
    steps = 2 + int(2 * math.sqrt(n) * (ends[1] - ends[0]))
    with np.errstate(divide="ignore"):
        logits = special.logit(np.sin(np.linspace(*ends, steps)) ** 2)
    logits = np.unique(np.clip(logits, edge, -edge))
    if len(logits) == 1:
        logits = logits[0] + np.array([0.0, 1e-6])
    return logits[:-1], logits[1:]


def _chord(left, right, at_left, at_right, n):
    """Bound log P between two logits from above, given its values at both."""
    rise = n * (special.log_expit(-left) - special.log_expit(-right))
    slope = (at_right - at_left + rise) / (right - left)
    with np.errstate(divide="ignore"):
        top = np.clip(special.logit(np.clip(slope / n, 0, 1)), left, right)
    fall = n * (special.log_expit(-left) - special.log_expit(-top))
    return at_left + slope * (top - left) - fall
