r"""Layers of systems by significant wins: an order without a mean over datasets.

System A is *above* B if A is shown better than B on at least one dataset, and B is not shown better
than A on any. With joint statements all arrows hold together, each in the sense "A is better than B
on at least one dataset"; that B is better nowhere is not shown, only not contradicted, and neither
a place in a layer nor a path of several arrows is a statement of its own.

The relation need not be transitive. Circles are possible, and can be true: A beats B on one
dataset, B beats C on another and C beats A on a third. Systems on a circle become one node, after
which the rest has an order.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph

MOST_TIES = 1_000
"""Maximum number of sets of systems that `ties` searches."""

MOST_ARROWS = 80
"""Arrows that a reader can follow in a diagram."""


@dataclass(frozen=True, eq=False)
class Layers:
    """Systems in layers, each below the systems that are significantly better.

    Attributes
    ----------
    nodes : tuple of tuple of str
        The m nodes: systems that are identical or on a circle are one.
    layer : tuple of int
        Layer of each node, from 0: the number of arrows on the longest path down to it. Nodes that
        are neither above nor below any other have the number after the last.
    arrows : tuple of (int, int)
        Nodes above and below, without the arrows that a longer path replaces; from upper layers to
        lower ones.
    circles : tuple of tuple of str
        Nodes that are circles: arrows lead from each system to every other.
    contested : tuple of (str, str)
        Pairs of which each is shown better than the other, on different datasets; none is above.
    implied : int
        Pairs of nodes that a path joins, although the upper one is not shown better directly.
    joined : int
        Pairs of nodes that a path joins, one arrow being the shortest.
    """

    nodes: tuple
    layer: tuple
    arrows: tuple
    circles: tuple
    contested: tuple
    implied: int
    joined: int

    @property
    def rows(self):
        """Nodes of each layer, from the top, as lists of systems; without those apart."""
        apart = set(self.apart)
        found = [
            [node for node, layer in zip(self.nodes, self.layer, strict=True) if layer == level]
            for level in range(max(self.layer, default=-1) + 1)
        ]
        return [[node for node in row if node not in apart] for row in found if set(row) - apart]

    @property
    def legible(self):
        """Whether the arrows are few enough to be drawn."""
        return len(self.arrows) <= MOST_ARROWS

    @property
    def apart(self):
        """Nodes that are neither above nor below any other."""
        touched = set(itertools.chain(*self.arrows))
        return tuple(node for i, node in enumerate(self.nodes) if i not in touched)


def above(better):
    """Say which system is above which.

    `better` (array_like of bool, shape (s, s)): whether the system of the row is shown better than
    that of the column on at least one dataset; False on the diagonal.

    Returns ndarray of bool, shape (s, s). Whether it is, and the other is not shown better
    anywhere; never both of a pair.
    """
    better = np.asarray(better, bool)
    return better & ~better.T


def arrange(systems, better, identical=()):
    """Arrange systems in layers.

    `systems` (sequence of str): the s systems; in this order they stand in nodes and layers.
    `better` (array_like of bool, shape (s, s)): as for `above`. `identical` (sequence of sequence
    of str): systems with the same outputs, which are one node; `better` is the same of all of them.

    Returns Layers. The layers; the order of the systems plays no part in who is where.

    Notes
    -----
    The nodes are the strongly connected components of `above`; their arrows are the transitive
    reduction of what is left, which has no circle.

    Examples
    --------
    >>> found = arrange("ABC", [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> found.rows, found.arrows
    ([[('A',)], [('B',)], [('C',)]], ((0, 1), (1, 2)))
    >>> arrange("ABC", [[0, 1, 0], [0, 0, 1], [1, 0, 0]]).circles
    (('A', 'B', 'C'),)
    """
    better = np.asarray(better, bool)
    systems, order = list(systems), above(better)
    joined = order.copy()
    for group in identical:
        places = [systems.index(system) for system in group]
        joined[np.ix_(places, places)] = True
    count, label = csgraph.connected_components(joined, connection="strong")
    label = _by_first(label, count)
    between = np.zeros((count, count), bool)
    rows, columns = np.nonzero(order)
    between[label[rows], label[columns]] = True
    np.fill_diagonal(between, False)
    reached = _reached(between)
    kept = between & ~_through(reached, reached)
    nodes = [
        tuple(s for s, own in zip(systems, label, strict=True) if own == k) for k in range(count)
    ]
    inside = {label[i] for i, j in zip(rows, columns, strict=True) if label[i] == label[j]}
    return Layers(
        tuple(nodes),
        _levels(between),
        tuple((int(i), int(j)) for i, j in np.argwhere(kept)),
        tuple(nodes[k] for k in sorted(inside)),
        tuple((systems[i], systems[j]) for i, j in np.argwhere(np.triu(better & better.T, 1))),
        int((reached & ~between).sum()),
        int(reached.sum()),
    )


def ties(systems, undecided):
    """List the largest sets of systems without a decided pair.

    `systems` (sequence of str): the s systems. `undecided` (array_like of bool, shape (s, s)):
    whether a pair was compared and none is shown better anywhere; symmetric.

    Returns list of tuple of str. Sets of two or more that are in no larger one, the largest first;
    a system may be in several. Of more than `MOST_TIES` so many as were found first.

    Examples
    --------
    >>> ties("ABC", [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    [('A', 'B'), ('B', 'C')]
    """
    undecided = np.asarray(undecided, bool).copy()
    np.fill_diagonal(undecided, False)
    near = [set(np.flatnonzero(row).tolist()) for row in undecided]
    found = itertools.islice(_cliques(near, set(), set(range(len(near))), set()), MOST_TIES)
    places = sorted((sorted(c) for c in found if len(c) > 1), key=lambda c: (-len(c), c))
    return [tuple(systems[i] for i in clique) for clique in places]


def _cliques(near, chosen, possible, done):
    """Yield the maximal cliques with what is chosen (Bron and Kerbosch 1973, with a pivot)."""
    if not possible and not done:
        yield chosen
        return
    pivot = max(sorted(possible | done), key=lambda i: len(near[i] & possible))
    for i in sorted(possible - near[pivot]):
        yield from _cliques(near, chosen | {i}, possible & near[i], done & near[i])
        possible, done = possible - {i}, done | {i}


def _by_first(label, count):
    """Number components in the order of their first systems."""
    first = [int(np.flatnonzero(label == k)[0]) for k in range(count)]
    rank = np.empty(count, int)
    rank[np.argsort(first)] = np.arange(count)
    return rank[label]


def _through(first, second):
    """Say whether there is a way by one arrow of each."""
    return (first.astype(np.int64) @ second.astype(np.int64)) > 0


def _reached(arrows):
    """Return the transitive closure."""
    reached = arrows.copy()
    for k in range(len(reached)):
        reached |= reached[:, [k]] & reached[[k]]
    return reached


def _levels(arrows):
    """Return the length of the longest path to each node; nodes without arrows come after all."""
    level = np.zeros(len(arrows), int)
    for _ in range(len(arrows)):
        level = np.where(
            arrows.any(axis=0), (np.where(arrows, level[:, None] + 1, 0)).max(axis=0), 0
        )
    alone = ~(arrows.any(axis=0) | arrows.any(axis=1))
    last = level[~alone].max(initial=-1)
    return tuple(np.where(alone, last + 1, level).tolist())
