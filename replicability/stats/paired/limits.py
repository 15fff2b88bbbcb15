"""The interval of the difference of a metric, whatever the test: which rule is for which scores.

=========================  ====================================================================
scores                     limits
=========================  ====================================================================
right or wrong             `intervals.paired_shares`, which the exact McNemar test never contradicts
any other                  `intervals.mean_distances` times the jackknife's standard error
all differences are equal  what n items allow of which none was seen to differ (`intervals.unseen`)
=========================  ====================================================================

No limit is outside the range of the difference, where the range is known: shares, which lie between
0 and their size on every item, and metrics that have a `largest` value.
"""

import math

import numpy as np

from replicability.stats import intervals, skewed
from replicability.stats.intervals import ConfidenceInterval


def interval(pairs, confidence_level):
    r"""Compute limits of the difference of a metric.

    `pairs`: scores of both systems on the same n items. `confidence_level`: coverage, in (0, 1).

    Returns ConfidenceInterval. Swapping the systems mirrors the limits. They are infinite if the
    standard error is, and if a metric without a largest value is 0 for both systems on every item.

    Notes
    -----
    Valid for independent items, as the functions it calls say. If all differences are equal, no
    spread was seen. Items that differ from these have at most the probability :math:`1 -
    (\alpha/2)^{1/n}` with the stated confidence, and their differences are assumed to lie between
    -R and R: the range of a score where it is known, and else the range of the scores that were
    seen, or their common absolute value.
    """
    if _right_or_wrong(pairs):
        first, second = pairs.scores
        wins, losses = np.count_nonzero(first > second), np.count_nonzero(first < second)
        return intervals.paired_shares(wins, losses, pairs.n, confidence_level)
    error, seen = pairs.standard_error, _seen(pairs)
    if not math.isfinite(error) or error <= _NO_SPREAD * seen:
        return without_spread(pairs, pairs.n, confidence_level)
    skewness, off_mode = (f(pairs.influences) for f in (skewed.skewness, skewed.off_the_mode))
    below, above = intervals.mean_distances(skewness, pairs.n, off_mode, confidence_level)
    return around(pairs, error * below, error * above, confidence_level)


def without_spread(pairs, n, confidence_level):
    """Compute limits where all differences are equal, from n independent items.

    `pairs`: scores of both systems. `n`: number of independent items; less than there are if these
    share data. `confidence_level`: coverage, in (0, 1).

    Returns ConfidenceInterval. As `interval`.
    """
    largest, effect = _largest(pairs), pairs.effect
    reach = largest if math.isfinite(largest) else _seen(pairs)
    if not math.isfinite(pairs.standard_error) or not reach:
        return ConfidenceInterval(-math.inf, math.inf, confidence_level)
    share = intervals.unseen(n, confidence_level)
    return around(pairs, share * (reach + effect), share * (reach - effect), confidence_level)


def around(pairs, below, above, confidence_level):
    """Compute limits at distances from the effect, within the range of the difference."""
    largest = _largest(pairs)
    low, high = max(pairs.effect - below, -largest), min(pairs.effect + above, largest)
    return ConfidenceInterval(low, high, confidence_level)


_NO_SPREAD = 1e-12
"""Relative size below which a standard error is attributed to rounding."""


def _right_or_wrong(pairs):
    """Say whether each item is right or wrong, all of one size."""
    (first, second), sizes = pairs.scores, pairs.a[:, 1]
    if not pairs.common_denominator or (sizes != sizes[0]).any():
        return False
    return bool(np.isin([first, second], (0, sizes[0])).all())


def _largest(pairs):
    """Return the largest size that a difference can have; infinite where it is not known."""
    if pairs.common_denominator:
        sides, sizes = pairs.scores, pairs.a[:, 1]
        if (sides >= 0).all() and (sides <= sizes).all():
            return 1.0
    return pairs.value.largest


def _seen(pairs):
    """Return the range of the scores, or their size if all are equal, at least the effect."""
    with np.errstate(all="ignore"):
        seen = np.nan_to_num([pairs.value(side) for side in (pairs.a, pairs.b)])
    return max(float(np.ptp(seen) or abs(seen.flat[0])), abs(pairs.effect))
