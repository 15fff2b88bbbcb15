r"""Closed testing by the smallest p-value: the shortcuts of a step-down procedure.

A local test that rejects m null hypotheses where the smallest p-value is small enough for m rejects
every J that holds one of the datasets named by its step-down procedure: these, and no others, are
counted. :math:`p_{(u)}` is named if it and all smaller ones are small enough for the n - u + 1
p-values from it on (Marcus, Peritz and Gabriel 1976; Holm 1979).
"""

import numpy as np

from replicability.stats.families import by_rank, first_failure, sizes_left


def shortcuts(level, small=None):
    """Return the functions of a `local_tests.LocalTest` by the smallest p-value.

    `level`: ``level(pvalues, sizes)``: p-values of the intersections of so many null hypotheses
    whose smallest p-values are given; of one dataset its own. Rising in both arguments. `small`:
    ``small(pvalues, sizes, alpha)``: whether the level is at most alpha, to the last bit, where
    that is found faster than by comparing.

    Returns dict of str to callable. Arguments of a `LocalTest`.
    """
    small = small or (lambda values, sizes, alpha: level(values, sizes) <= alpha)

    def count(values, alpha):
        n = values.shape[-1]
        counts = np.zeros(len(values), dtype=np.int64)
        falls = small(values, n, alpha).any(axis=-1)  # elsewhere u = 1 stands: no need to sort
        ordered = values[falls]
        ordered.sort(axis=-1)
        counts[falls] = first_failure(~small(ordered, sizes_left(n), alpha))
        return counts

    def combine(values, n):
        return level(np.sort(values, axis=-1), sizes_left(n))

    def rejected(values, alpha, tau=None):
        k = count(values, alpha)[..., None]
        largest = np.take_along_axis(np.sort(values, axis=-1), np.maximum(k - 1, 0), axis=-1)
        return values <= np.where(k > 0, largest, -1)  # below 0 there is none

    def adjusted(values):
        def levels(ordered):
            found = level(ordered, sizes_left(values.shape[-1]))
            return np.minimum(np.maximum.accumulate(found, axis=-1), 1)

        return by_rank(values, levels)

    return {
        "count": count,
        "combine": combine,
        "bound": lambda values, inside, alpha, tau: rejected(values, alpha)[:, inside].sum(axis=-1),
        "curve": lambda values, alpha, tau: np.cumsum(rejected(values, alpha), axis=-1),
        "rejected": rejected,
        "adjusted": adjusted,
        "many": True,
    }
