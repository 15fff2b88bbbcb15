"""By how much systems differ on average over datasets, all intervals at once."""

import itertools
import math

import numpy as np
import pandas as pd
from scipy import special

from replicability import checks
from replicability.core import units
from replicability.stats import overall, paired


def mean_differences(family, pairs, alpha):
    """Estimate the mean difference over datasets between each system and the baseline.

    `family` (study.Family): its `dependence` and `shared` say on what intervals can rest. `pairs`
    (all_pairs.Pairs): systems that were compared with one, by scores of items or by successes.
    `alpha`: all intervals hold together with confidence 1 - alpha, in (0, 1).

    Returns DataFrame or None. ``system``, ``difference``, ``low`` and ``high``, in the unit of
    `pairs.scores` and above 0 where the system is better, in the order of `pairs.systems` without
    the baseline. None if all pairs were compared.

    Notes
    -----
    Each interval is that of `stats.overall` at level alpha over the number of systems, so that all
    hold together whatever their dependence (Bonferroni). It is valid as that one.
    """
    if not pairs.against:
        return None
    base = pairs.systems.index(pairs.against)
    others = [i for i in range(len(pairs.systems)) if i != base]
    level = 1 - alpha / len(others)
    rows = [(pairs.systems[i], *_estimated(family, pairs, (i, base), level)) for i in others]
    return pd.DataFrame(rows, columns=["system", "difference", "low", "high"])


def better_on_average(family, pairs, alpha):
    """Tell which system of each pair has the higher mean over datasets, all pairs at once.

    `family`, `alpha`: as in `mean_differences`. `pairs` (all_pairs.Pairs): all pairs, by scores of
    items or by successes.

    Returns ndarray of bool, shape (s, s). Whether the system of the row is better on average than
    that of the column; all of these hold together with confidence 1 - alpha.

    Raises `InputError`: if the scores were too many to be kept.

    Notes
    -----
    Each interval is that of `stats.overall` at level alpha over the number of pairs (Bonferroni),
    and valid as that one. A pair differs if its interval does not hold 0.
    """
    if not (pairs.scored or pairs.ran) and pairs.tried is None:
        raise checks.InputError(
            "There are too many scores to rank systems by their mean over datasets; compare fewer "
            "systems."
        )
    size = len(pairs.systems)
    better, level = np.zeros((size, size), bool), 1 - 2 * alpha / pairs.n_pairs
    for i, j in itertools.combinations(range(size), 2):
        _, low, high = _estimated(family, pairs, (i, j), level)
        better[i, j], better[j, i] = low > 0, high < 0
    return better


def _estimated(family, pairs, pair, level):
    """Return the mean difference of a pair with its limits."""
    covariance, n = None, len(pairs.datasets)
    if pairs.tried is not None:
        found = _of_counts(pairs, pair, level)
    elif pairs.ran:
        found = _of_runs(pairs, pair, level)
    else:
        datasets = [part.pair(*pair) for part in pairs.scored]
        found = _of_scores(datasets, level)
        if family.shared and n > 1:
            covariance = units.covariance(datasets, family.shared)
    known = "independent" if family.dependence == "independent" or n == 1 else "unknown"
    *estimated, limits = found
    mean = overall.overall(
        *estimated,
        limits=limits,
        dependence="shared" if covariance is not None else known,
        covariance=covariance,
        confidence_level=level,
    )
    ends = mean.confidence_interval
    scaled = (pairs.factor * value for value in (mean.effect, ends.low, ends.high))
    return tuple(value if math.isfinite(value) else math.nan for value in scaled)


def _of_scores(datasets, level):
    """Return differences, standard errors, numbers of units and limits on datasets."""
    found = [
        paired.difference(
            one.a,
            one.b,
            metric=one.metric if one.a.ndim == 2 else None,
            confidence_level=level,
        )
        for one in datasets
    ]
    limits = [one.confidence_interval for one in found]
    return (
        [one.effect for one in found],
        [one.standard_error for one in found],
        list(map(len, datasets)),
        ([of.low for of in limits], [of.high for of in limits]),
    )


def _of_runs(pairs, pair, level):
    """Return the same of runs, by Welch's intervals."""
    from replicability.stats import two_samples  # which no other family needs

    sides = [tuple(runs[i] for i in pair) for runs in pairs.ran]
    limits, errors = zip(*(two_samples.interval(a, b, level) for a, b in sides), strict=True)
    effects = [a.mean() - b.mean() for a, b in sides]
    ends = [of.low for of in limits], [of.high for of in limits]
    return effects, errors, [len(a) + len(b) for a, b in sides], ends


def _of_counts(pairs, pair, level):
    """Return the same of shares of successes in trials, by Newcombe's intervals."""
    from replicability.stats import unpaired  # which no other family needs

    (n, m), (share, other) = pairs.tried[list(pair)], pairs.scores[list(pair)]
    of = unpaired.newcombe(np.rint(share * n), n, np.rint(other * m), m, confidence_level=level)
    errors = (of.high - of.low) / 2 / special.ndtri((1 + level) / 2)
    return share - other, errors, n + m, (of.low, of.high)
