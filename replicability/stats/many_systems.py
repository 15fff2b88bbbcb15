"""p-values of all pairs of several systems on one dataset, from the same resamples or flips."""

import itertools

import numpy as np

from replicability import checks
from replicability.stats import resampling
from replicability.stats.paired.pairs import pairs_of
from replicability.stats.samplers import flip_sampler

N_RESAMPLES = 100_000
"""Number of resamples per dataset, as in Dror et al. (2017)."""

CHUNK = 2_000_000
"""Instances drawn at a time."""


def bootstrap_pvalues(scores, sizes, n_resamples=N_RESAMPLES, rng=None, chosen=None):
    r"""Test all pairs of systems by the paired bootstrap, on the same resamples.

    `scores` (array_like of int, shape (s, n)): numerators of s systems on n items, such as words
    with the right head. `sizes` (array_like of int, shape (n,)): denominators, such as words.
    `n_resamples`: number of resamples B, each of n items. `rng`: what `numpy.random.default_rng`
    takes. `chosen` (sequence of (int, int)): pairs of rows that are compared; default all.

    Returns ndarray, shape (s, s). (r + 1)/(B + 1) for the r resamples with
    :math:`\delta^* \ge 2 \delta`, where :math:`\delta` is the ratio of sums of the row's system
    minus that of the column's; 1 for a pair that is not compared.

    Raises `InputError`: if a score or a size is not a whole number, there are fewer than 2 items,
    or the number of resamples is not a whole number above 0.

    Notes
    -----
    Validity as in `paired.paired_bootstrap` (Berg-Kirkpatrick et al. 2012). Scores and sizes
    are whole numbers, so that all sums and the comparison are exact, whatever the processor.

    Examples
    --------
    >>> bootstrap_pvalues([[3, 1, 2], [3, 1, 2]], [3, 3, 3], n_resamples=99, rng=0)
    array([[1., 1.],
           [1., 1.]])
    """
    scores, sizes = _whole("score", scores), _whole("size", sizes)
    count, n = scores.shape
    if n < 2:
        raise checks.InputError(
            f"The bootstrap needs at least 2 items, but this dataset has {n}; leave it out."
        )
    n_resamples = checks.resamples(n_resamples)
    rng = np.random.default_rng(rng)
    rows = np.column_stack([scores.T, sizes]).astype(float)
    observed, weight = scores.sum(axis=1), sizes.sum()
    chosen = pairs(count) if chosen is None else chosen
    exceed = np.full((count, count), n_resamples)
    for i, j in chosen:
        exceed[i, j] = exceed[j, i] = 0
    step = max(1, CHUNK // n)
    for start in range(0, n_resamples, step):
        sums = _resampled_sums(rows, min(step, n_resamples - start), rng)
        for i, j in chosen:
            difference = (sums[i] - sums[j]) * weight
            threshold = 2 * (observed[i] - observed[j]) * sums[-1]
            exceed[i, j] += np.count_nonzero(difference >= threshold)
            exceed[j, i] += np.count_nonzero(difference <= threshold)
    pvalues = (exceed + 1) / (n_resamples + 1)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def metric_pvalues(sums, metric, n_resamples=N_RESAMPLES, rng=None, chosen=None):
    r"""Test all pairs of systems by the paired bootstrap of a metric, on the same resamples.

    `sums` (array_like, shape (s, n, c)): sums of the metric for s systems on n items. `metric`
    (metrics.Metric): the metric, such as F1. `n_resamples`: number of resamples B, each of n items.
    `rng`, `chosen`: as for `bootstrap_pvalues`.

    Returns ndarray, shape (s, s). As in `bootstrap_pvalues`.

    Raises `InputError`: as `paired.paired_bootstrap`.

    Notes
    -----
    Validity as in `paired.paired_bootstrap`. The order of the items plays no part.
    """
    sums = np.asarray(sums, float)
    for other in sums[1:]:
        pairs_of("paired_bootstrap", sums[0], other, metric, minimum=2)
    placed = sums[np.lexsort(sums.sum(axis=1).T)]
    items = np.lexsort(placed.transpose(0, 2, 1).reshape(-1, sums.shape[1]))
    chosen = pairs(len(sums)) if chosen is None else chosen
    exceed = resampling.bootstrap_several(
        sums[:, items], metric, n_resamples=n_resamples, rng=rng, chosen=chosen
    )
    pvalues = (exceed + 1) / (n_resamples + 1)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def flip_pvalues(scores, n_resamples=N_RESAMPLES, rng=None, chosen=None):
    r"""Test all pairs of systems by sign flips, the same for all.

    `scores` (array_like of int, shape (s, n)): scores of s systems on n items, or numerators with
    common denominators. `n_resamples`: number of flips B of the n items. `rng`, `chosen`: as for
    `bootstrap_pvalues`.

    Returns ndarray, shape (s, s). (r + 1)/(B + 1) for the r flips with :math:`\delta^* \ge \delta`,
    where :math:`\delta` is the sum of the row's system less that of the column's; 1 for a pair that
    is not compared.

    Raises `InputError`: if a score is not a whole number, or the number of flips is not a whole
    number above 0.

    Notes
    -----
    Validity as in `paired.sign_flip` (Noreen 1989). All sums are exact.
    """
    scores = _whole("score", scores).astype(float)
    n_resamples = checks.resamples(n_resamples)
    rng = np.random.default_rng(rng)
    observed, chosen = scores.sum(axis=1), pairs(len(scores)) if chosen is None else chosen
    exceed = np.full((len(scores),) * 2, n_resamples)
    for i, j in chosen:
        exceed[i, j] = exceed[j, i] = 0
    draw = flip_sampler(scores.T)
    for start in range(0, n_resamples, resampling.CHUNK_RESAMPLES):
        heads = draw(rng, min(resampling.CHUNK_RESAMPLES, n_resamples - start)).T
        sums = observed[:, None] - 2 * heads
        for i, j in chosen:
            difference, threshold = sums[i] - sums[j], observed[i] - observed[j]
            exceed[i, j] += np.count_nonzero(difference >= threshold)
            exceed[j, i] += np.count_nonzero(difference <= threshold)
    pvalues = (exceed + 1) / (n_resamples + 1)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def _whole(name, values):
    """Return whole numbers, on which all pairs can be resampled together."""
    values = np.asarray(values)
    if not (values == np.rint(values)).all():
        raise checks.InputError(
            f"The bootstrap of all pairs needs whole numbers, but a {name} is "
            f"{values[values != np.rint(values)][0]:g}; choose another test."
        )
    return values


def pairs(count, against=None):
    """List the pairs of so many systems that are compared, each once.

    `count`: number of systems. `against`: the only system that the others are compared with.

    Returns list of (int, int). The smaller number first.
    """
    every = itertools.combinations(range(count), 2)
    return [pair for pair in every if against is None or against in pair]


def _resampled_sums(rows, draws, rng):
    """Return the sums of each column over `draws` resamples, shape (columns, draws)."""
    n = len(rows)
    drawn = rng.integers(n, size=(draws, n), dtype=np.uint32)  # uint16 would depend on `draws`
    place = drawn + np.arange(draws)[:, None] * n
    times = np.bincount(place.ravel(), minlength=draws * n).reshape(draws, n)
    return np.ascontiguousarray((times.astype(float) @ rows).T)
