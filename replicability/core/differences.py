"""How the scores of several systems differ, pair by pair: for warnings, and for draws."""

import numpy as np

from replicability.stats import metrics, paired
from replicability.stats.paired import binary


def wins(part):
    """Count for each ordered pair of systems the items on which only the first is right.

    `part` (instances.Several): right-or-wrong scores.

    Returns ndarray of int64, shape (s, s).
    """
    right = part.scores
    if right.ndim == 3:
        right = metrics.METRICS[part.metric or "mean"](right)
    return binary.wins(right > 0)


def floors(test, parts, options):
    """Return for each pair the smallest p-values that a test can give on as many items as differ.

    `test`: name of the test. `parts` (sequence of instances.Several): scores of s systems on n
    datasets. `options`: options of the test.

    Returns ndarray of float64, shape (s, s, n): 0 where the test can give any. tuple of float: of
    right-or-wrong scores, the share of the items of each dataset on which two systems differ: the
    median over all pairs that differ.
    """
    if paired.lookup(test).floor is None:
        return np.zeros((*(len(parts[0].scores),) * 2, len(parts))), ()
    differing = np.stack([_differing(test, part) for part in parts], axis=-1)
    numbers = np.flatnonzero(np.bincount(differing.ravel()))
    by_number = np.zeros(numbers[-1] + 1)
    by_number[numbers] = [paired.floor(test, int(number), **options) for number in numbers]
    shares = ()
    if test == "mcnemar":
        sizes = [part.scores.shape[1] for part in parts]
        shares = tuple(map(_typical, np.moveaxis(differing, -1, 0), sizes))
    return by_number[differing], shares


def _typical(differing, size):
    """Return the median share of discordant items of pairs that differ, half an item if none do."""
    found = differing[differing > 0]
    return float(np.median(found)) / size if found.size else 0.5 / size


def _differing(test, part):
    """Count for each pair of systems the items on which they differ, shape (s, s)."""
    scores = part.scores
    if scores.ndim == 3:
        return np.full((len(scores),) * 2, scores.shape[1])
    if test == "mcnemar":
        won = wins(part)
        return won + won.T
    return np.stack([np.count_nonzero(scores != own, axis=1) for own in scores])


def shapes(part):
    """Describe how the differences of each pair are distributed.

    `part` (instances.Several): scores of s systems, one number for each item.

    Returns `unbeaten` (ndarray of bool, shape (s, s)): whether the system of the row loses to that
    of the column on no item, and wins on some. `skewness` (ndarray of float64, shape (s, s)):
    skewness of the differences, the row less the column.
    """
    unbeaten, skewness = [], []
    for own in part.scores:
        differences = own - part.scores
        low, high = differences.min(axis=1), differences.max(axis=1)
        unbeaten.append((low >= 0) & (high > 0))
        centred = differences - differences.mean(axis=1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=1, keepdims=True))
        centred /= np.where(scale > 0, scale, 1)
        skewness.append((centred**3).mean(axis=1))
    return np.array(unbeaten), np.array(skewness)
