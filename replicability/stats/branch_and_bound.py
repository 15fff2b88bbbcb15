"""Which sets of datasets a closed test by sums does not reject: branch and bound.

Row sums of the s largest differences bound those of all sets of size s, and to take or to leave one
dataset branches (Vesely, Finos and Goeman 2023, Journal of the Royal Statistical Society B 85(3),
664-683).
"""

import numpy as np

TIE = 1e-9
"""Statistics closer than this are equal: sums in another order differ by rounding."""


class Search:
    """Sets J, with many of the datasets of a set S, that are not rejected.

    Parameters
    ----------
    gains : ndarray of float64, shape (n_flips, n)
        Evidence of each flip and dataset less that observed.
    order : ndarray of int, shape (n,)
        Datasets with the least evidence first.
    inside : ndarray of bool, shape (n,)
        S.
    allowed : float
        J is not rejected if its sum is 0 or more in more rows than these.
    most_nodes : int
        Sets that are examined at most for one answer.
    """

    def __init__(self, gains, order, inside, allowed, most_nodes):
        self.gains = gains[:, order]
        self.inside = inside[order]
        self.allowed = allowed
        self.most_nodes = most_nodes

    def largest(self):
        """Return an upper bound on the number of S in such a J, and a number that one attains."""
        found, size = 0, int(self.inside.sum())
        low, high = 0, size + 1
        refuted = high
        while high - low > 1:
            k = (low + high) // 2
            left = self.left(k)
            if left:
                low = found = k
            else:
                high = k
                refuted = refuted if left is None else k
        return refuted - 1, found

    def left(self, k):
        """Find a J with at least k of S that is not rejected.

        Parameters
        ----------
        k : int
            1 to the size of S.

        Returns
        -------
        list of int or None
            Places in the order; empty if there is no such J, None if the budget ends before that is
            known.
        """
        nodes = self.most_nodes
        stack = [(self.gains, np.zeros(len(self.gains)), k, self.inside, [])]
        while stack:
            if not nodes:
                return None
            nodes -= 1
            gains, base, needed, inside, taken = stack.pop()
            if needed > np.count_nonzero(inside):
                continue
            weakest = self._weakest(gains, base, needed, inside)
            if weakest is not None:
                return [*taken, *weakest]
            rows = self._open_rows(gains, base, needed, inside)
            if np.count_nonzero(rows) > self.allowed and len(inside):
                # the dataset with the most evidence: taken, little is left; or left out
                gains, base, rest = gains[rows], base[rows], inside[:-1]
                last = (base + gains[:, -1], needed - inside[-1], rest, [*taken, len(rest)])
                stack.append((gains[:, :-1], *last))
                stack.append((gains[:, :-1], base, needed, rest, taken))
        return []

    def _weakest(self, gains, base, needed, inside):
        """Of the J with the least evidence of each size the largest that is not rejected."""
        own = np.flatnonzero(inside)[: max(needed, 0)]
        free = np.delete(np.arange(len(inside)), own)
        sums = base + gains[:, own].sum(axis=1)
        walks = np.cumsum(np.column_stack([sums, gains[:, free]]), axis=1)
        sizes = np.flatnonzero((walks >= -TIE).sum(axis=0) > self.allowed)
        return np.concatenate([own, free[: sizes[-1]]]) if len(sizes) else None

    def _open_rows(self, gains, base, needed, inside):
        """Rows that may count for a J, if there are enough of them for one of its sizes.

        The row sums of the largest differences are at least those of any J of the same size.
        """
        needed = max(needed, 0)
        own = np.sort(gains[:, inside], axis=1)[:, ::-1]
        pool = np.column_stack([own[:, needed:], gains[:, ~inside]])
        pool.sort(axis=1)
        sums = base + own[:, :needed].sum(axis=1)
        walks = np.cumsum(np.column_stack([sums, pool[:, ::-1]]), axis=1)
        counted = walks >= -TIE
        possible = counted.sum(axis=0) > self.allowed
        return counted[:, possible].any(axis=1)
