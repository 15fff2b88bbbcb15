"""Simultaneous confidence intervals for ranks, and letters for systems that do not differ.

Joint statements about all pairs bound every rank at the same time, without any further error: a
system that is better than a says that the rank of a is larger, and one that is worse that it is
smaller.

References
----------
Holm (2013), Confidence intervals for ranks. Al Mohamad, van Zwet, Solari and Goeman (2022),
Statistica Sinica 32(3), 1237-1258. Mogstad, Romano, Shaikh and Wilhelm (2024), Review of Economic
Studies 91(1), 476-518. Piepho (2004), Journal of Computational and Graphical Statistics 13(2),
456-466, for letters.
"""

import itertools
import string

import numpy as np

from replicability import checks
from replicability.core import layers


def on_datasets(better):
    """Bound the rank of each system on each dataset.

    `better` (array_like of bool, shape (s, s, n)): whether the system of the row is named as better
    than that of the column on each dataset, jointly.

    Returns best, worst : ndarray of int64, shape (s, n). The rank is 1 for the system that none is
    better than. All ranks lie between these bounds with the confidence of the joint statements.

    Examples
    --------
    >>> better = np.zeros((3, 3, 1), bool)
    >>> better[0, 1:] = True
    >>> [bound[:, 0].tolist() for bound in on_datasets(better)]
    [[1, 2, 2], [1, 3, 3]]
    """
    better = np.asarray(better, bool)
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def at_least(counts, k, n):
    """Bound the rank of each system by who is better on at least k datasets.

    `counts` (array_like of int, shape (s, s)): on at least how many datasets the system of the row
    is better than that of the column, jointly. `k`: the rank of a system is one more than the
    number of systems that are better on at least k datasets, 1 to n. `n`: number of datasets.

    Returns best, worst : ndarray of int64, shape (s,). All ranks lie between these bounds with the
    confidence of the joint counts.

    Raises `InputError`: if k is not a whole number from 1 to n.

    Notes
    -----
    A system is better on at least k datasets if its count says so. It is not if the other one is
    better on more than n - k of them.

    Examples
    --------
    >>> [bound.tolist() for bound in at_least([[0, 5], [0, 0]], 3, 5)]
    [[1, 2], [1, 2]]
    """
    counts = np.asarray(counts)
    if checks.at_least("k", k) > n:
        raise checks.InputError(f"k is {k}, but there are {n} datasets; pass a number up to {n}.")
    return 1 + (counts >= k).sum(axis=0), len(counts) - (counts > n - k).sum(axis=1)


def letters(systems, undecided):
    """Give letters to systems: two share one exactly if they do not differ.

    `systems` (sequence of str): the s systems, the best first. `undecided` (array_like of bool,
    shape (s, s)): whether a pair was compared and does not differ; symmetric.

    Returns dict of str to str. System -> its letters, a to z, then aa, ab and so on, with blanks
    between several. A letter stands for a largest set of systems of which no two differ.

    Examples
    --------
    >>> letters("ABC", [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    {'A': 'a', 'B': 'a b', 'C': 'b'}
    """
    systems = list(systems)
    sets = layers.ties(systems, undecided)
    tied = {system for group in sets for system in group}
    sets += [(system,) for system in systems if system not in tied]
    sets.sort(key=lambda group: [systems.index(system) for system in group])
    found = {system: [] for system in systems}
    for group, letter in zip(sets, _alphabet(), strict=False):
        for system in group:
            found[system].append(letter)
    return {system: " ".join(own) for system, own in found.items()}


def _alphabet():
    """Yield a to z, then aa, ab and so on."""
    for length in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_lowercase, repeat=length))
