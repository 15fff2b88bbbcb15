"""Which sets of datasets a closed test does not reject: branch and bound.

Row sums of the s largest differences bound those of all sets of size s, and to take or to leave one
dataset branches (Vesely, Finos and Goeman 2023, Journal of the Royal Statistical Society B 85(3),
664-683).
"""

import itertools
from dataclasses import dataclass

import numpy as np

TIE = 1e-9
"""Differences below this number are ties, because the order of summation changes rounding."""

BLOCK = 2_048
"""Number of flips whose gains are sorted at a time, so that they fit the cache."""


@dataclass
class _Node:
    """Sets that hold the datasets taken and any of the first `width` others."""

    width: int
    rows: np.ndarray
    """Flips whose sum may still reach the observed sum."""
    base: np.ndarray
    """Sums of the gains of the chosen datasets in these flips."""
    needed: int
    """Number of datasets of S that are still to be chosen."""
    taken: list
    over: np.ndarray | None
    """Flips in which a chosen dataset reaches the largest observed gain."""
    tried: bool = False
    """Whether its sets with the least evidence were found to be rejected."""


class Sums:
    """Search for sets J, with many of the datasets of a set S, that a test by sums does not reject.

    `flips` (flips.Flips): its gains, and datasets in the order of their evidence. `allowed`: J is
    not rejected if its sum is at least the observed one in more flips than these. `n_open`:
    datasets with the least evidence of which such a J can consist; by default all.

    Attributes
    ----------
    examined : int
        Branches that were examined in all searches.
    """

    def __init__(self, flips, allowed, n_open=None):
        self.order = flips.order
        self.by_dataset = flips.gains_of(self.order[:n_open])
        self.allowed = self.floor = allowed
        self.examined = 0

    def largest(self, chosen, most_nodes, known=0):
        """Bound the number of datasets of S in such a J.

        `chosen` (ndarray of bool, shape (n,)): S. `most_nodes`: branches that are examined at most
        for each number. `known`: number of datasets of S in a J that is known not to be rejected.

        Returns at_most, at_least : int. An upper bound, and a number that a J attains.
        """
        found = low = known
        refuted = int(chosen.sum()) + 1
        for attempt in itertools.count():
            if refuted - low <= 1:
                break
            k = low + 1 if attempt < 2 else (low + refuted) // 2  # the weakest J is often largest
            left = self.left(chosen, k, most_nodes)
            if left == []:
                refuted = k
            else:  # where the budget ended, a larger number may still be refuted
                found = int(chosen[left].sum()) if left else found
                low = max(k, found)
        return refuted - 1, found

    def left(self, chosen, k, most_nodes):
        """Find a J with at least k of S that is not rejected.

        `chosen` (ndarray of bool, shape (n,)): S. `k`: 1 to the size of S. `most_nodes`: branches
        that are examined at most.

        Returns list of int or None. Datasets; empty if there is no such J, None if the budget ends
        before that is known.
        """
        n_flips, inside = self.by_dataset.shape[1], chosen[self.order]
        stack = [self._node(len(inside), np.arange(n_flips), np.zeros(n_flips), k, [], None)]
        for _ in range(most_nodes):
            if not stack:
                return []
            self.examined += 1
            node = stack.pop()
            own = inside[: node.width]
            if node.needed > np.count_nonzero(own) or self._rejected(node):
                continue
            weakest = None if node.tried else self._weakest(node, own)
            if weakest is not None:
                return self.order[weakest].tolist()
            rows = self._open_rows(node, own)
            if node.width and self._may_hold(node, node.rows[rows]):
                stack += self._branches(node, rows, int(inside[node.width - 1]))
        return None if stack else []

    def _node(self, width, *rest):
        return _Node(width, *rest)

    def _branches(self, node, rows, one):
        """Leave the dataset with the most evidence out; or take it, so that little is left."""
        last, rows, base = node.width - 1, node.rows[rows], node.base[rows]
        sums, taken = base + self.by_dataset[last, rows], [*node.taken, last]
        return (
            self._node(last, rows, sums, node.needed - one, taken, self._over(node, last)),
            self._node(last, rows, base, node.needed, node.taken, node.over, True),
        )

    def _over(self, node, last):
        """Return nothing: only tests by maxima need it."""

    def _rejected(self, node):
        """Tell whether all J of a node are rejected, without a look at their sums."""
        return False

    def _may_hold(self, node, rows):
        """Tell whether a J of a node may not be rejected, by the flips that may count."""
        return len(rows) > self.floor

    def _is_left(self, places):
        """Tell whether a J that its sum does not reject at `floor` is not rejected."""
        return True

    def _weakest(self, node, inside):
        """Of the J with the least evidence of each size the largest that is not rejected."""
        own = np.flatnonzero(inside)[: max(node.needed, 0)]
        free = np.delete(np.arange(node.width), own)
        rows = slice(None) if len(node.rows) == self.by_dataset.shape[1] else node.rows
        sums = node.base.copy()
        for place in own:
            sums += self.by_dataset[place][rows]
        counts = [np.count_nonzero(sums >= -TIE)]
        for place in free:
            sums += self.by_dataset[place][rows]
            counts.append(np.count_nonzero(sums >= -TIE))
        for size in np.flatnonzero(np.greater(counts, self.floor))[::-1]:
            places = [*node.taken, *own, *free[:size]]
            if self._is_left(places):
                return places
        return None

    def _open_rows(self, node, inside):
        """Rows that may count for a J, if there are enough of them for one of its sizes.

        The row sums of the largest differences are at least those of any J of the same size.
        """
        needed = max(node.needed, 0)
        reached = np.empty((node.width - needed + 1, len(node.rows)), bool)
        for start in range(0, len(node.rows), BLOCK):
            part = slice(start, start + BLOCK)
            rows = part if len(node.rows) == self.by_dataset.shape[1] else node.rows[part]
            gains = self.by_dataset[: node.width, rows].T
            pool = own = np.ascontiguousarray(gains[:, inside])
            own.sort(axis=1)
            if not inside.all():
                pool = np.column_stack([own[:, : own.shape[1] - needed], gains[:, ~inside]])
                pool.sort(axis=1)
            sums = node.base[part] + own[:, own.shape[1] - needed :].sum(axis=1)
            np.greater_equal(sums, -TIE, out=reached[0, part])
            for size in range(1, len(reached)):
                sums += pool[:, len(reached) - 1 - size]
                np.greater_equal(sums, -TIE, out=reached[size, part])
        return reached[np.count_nonzero(reached, axis=1) > self.floor].any(axis=0)


class SumsAndMaxima(Sums):
    """Search for sets J that a test by their sum and their maximum does not reject.

    `flips` (flips.Flips): as for `Sums`. `allowed`: J is not rejected if more flips than these have
    a T of at most that observed.

    Notes
    -----
    T of a flip is the smaller one of two ranks: of its sum and of its maximum, among all flips. Let
    s and x be the observed ranks, the numbers of flips that reach the observed sum and the observed
    maximum. As so many flips have a rank of at most t, or fewer, J

    - is rejected if s or x is at most allowed/2;
    - is rejected if at most `allowed` flips reach the observed sum or the observed maximum;
    - is not rejected if s and x are above `allowed`.

    The first two also reject all J of a branch at once. Datasets are taken from the one with the
    largest observed statistic down, so that the first one taken has the maximum of all J in its
    branch, and taking more only adds flips that reach it.
    """

    def __init__(self, flips, allowed):
        self.recalibrated = flips.recalibrated
        self.decided, self.reached = {}, (None, None)
        self.z = np.ascontiguousarray(flips.z.T)
        self.observed = self.z[flips.order, 0].astype(float) - TIE
        largest, reached = np.full(len(flips.z), -np.inf, self.z.dtype), []
        for place, observed in zip(flips.order, self.observed, strict=True):
            np.maximum(largest, self.z[place], out=largest)
            reached.append(np.count_nonzero(largest >= observed))
        # where a dataset and all below it are rejected by maxima, so is every J with this maximum
        widths = np.where(np.array(reached) > allowed // 2, np.arange(1, len(reached) + 1), 0)
        self.open_width = np.maximum.accumulate(np.concatenate([[0], widths]))
        super().__init__(flips, allowed, int(self.open_width[-1]))
        self.floor = allowed // 2

    def _node(self, width, *rest):
        taken = rest[3]
        return _Node(width if taken else int(self.open_width[width]), *rest)

    def _over(self, node, last):
        top = node.taken[0] if node.taken else last
        over = self.z[self.order[last]] >= self.observed[top]
        return over if node.over is None else over | node.over

    def _reaching(self, node):
        """Flips that reach the observed maximum of some J of a node."""
        if not node.width:
            return node.over.copy()
        return node.over | self._reached(node.taken[0])[node.width - 1]

    def _reached(self, top):
        """Flips in which the first 1, 2, ... datasets reach what was observed on another."""
        if self.reached[0] != top:  # all branches with one maximum are examined together
            reached = self.z[self.order[:top]] >= self.observed[top]
            self.reached = top, np.logical_or.accumulate(reached, axis=0, out=reached)
        return self.reached[1]

    def _rejected(self, node):
        return bool(node.taken) and np.count_nonzero(self._reaching(node)) <= self.floor

    def _may_hold(self, node, rows):
        if len(rows) <= self.floor or not node.taken:
            return len(rows) > self.floor
        either = self._reaching(node)
        either[rows] = True
        return np.count_nonzero(either) > self.allowed

    def _is_left(self, places):
        key = tuple(sorted(places))
        if key not in self.decided:
            self.decided[key] = self._decide(list(key))
        return self.decided[key]

    def _decide(self, places):
        """Tell whether a J is not rejected, from all flips."""
        largest, sums = np.full(self.z.shape[1], -np.inf, self.z.dtype), 0.0
        for place in places:
            np.maximum(largest, self.z[self.order[place]], out=largest)
        x = np.count_nonzero(largest >= largest[0].astype(float) - TIE)
        if x <= self.floor:
            return False
        for place in places:
            sums += self.by_dataset[place]
        rank = min(x, np.count_nonzero(sums >= -TIE))
        if self.floor < rank <= self.allowed and self.recalibrated:
            either = _first(sums, rank) | _first(largest, rank)
            return np.count_nonzero(either) > self.allowed
        return rank > self.floor


def _first(values, rank):
    """Tell which values have at most this rank: so many are as large."""
    place = len(values) - 1 - rank
    return values > np.partition(values, place)[place].astype(float) + TIE
