"""How the scores of several systems differ, pair by pair: for warnings, and for draws."""

import numpy as np

from replicability.stats import metrics, paired


def wins(part):
    """Count for each ordered pair of systems the items on which only the first is right.

    Parameters
    ----------
    part : instances.Several
        Right-or-wrong scores.

    Returns
    -------
    ndarray of int64, shape (s, s)
    """
    right = part.scores
    if right.ndim == 3:
        right = metrics.METRICS[part.metric or "mean"](right)
    right = (right > 0).astype(float)
    return np.rint(right @ (1 - right).T).astype(np.int64)


def floors(test, part, options):
    """Return for each pair the smallest p-value that a test can give on as many items as differ.

    Parameters
    ----------
    test : str
        Name of the test.
    part : instances.Several
        Scores.
    options : dict
        Options of the test.

    Returns
    -------
    ndarray of float64, shape (s, s)
        0 where the test can give any.
    """
    scores = part.scores
    if paired.lookup(test).floor is None:
        return np.zeros((len(scores),) * 2)
    if scores.ndim == 3:
        differing = np.full((len(scores),) * 2, scores.shape[1])
    elif test == "mcnemar":
        won = wins(part)
        differing = won + won.T
    else:
        differing = np.stack([np.count_nonzero(scores != own, axis=1) for own in scores])
    numbers, places = np.unique(differing, return_inverse=True)
    floors = np.array([paired.floor(test, int(number), **options) for number in numbers])
    return floors[places].reshape(differing.shape)


def shapes(part):
    """Describe how the differences of each pair are distributed.

    Parameters
    ----------
    part : instances.Several
        Scores of s systems, one number for each item.

    Returns
    -------
    unbeaten : ndarray of bool, shape (s, s)
        Whether the system of the row loses to that of the column on no item, and wins on some.
    skewness : ndarray of float64, shape (s, s)
        Skewness of the differences, the row less the column.
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
