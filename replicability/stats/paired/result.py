"""What every test of one dataset returns, and the words that all of them share."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval

N_RESAMPLES = 100_000
"""Default number of resamples, as in the paper, if no exact method applies."""

EXACT_RANKS = 50
"""Maximum number of nonzero differences for which `wilcoxon` is exact."""

VARIANTS = ("exact", "mid-p", "asymptotic", "corrected")
"""Variants of McNemar's test."""

ZERO_METHODS = ("wilcox", "pratt")
"""How `wilcoxon` omits differences of zero: before or after ranking."""


@dataclass(frozen=True)
class Result:
    """Outcome of a test of one dataset.

    Attributes
    ----------
    test : str
        Name of the test, a key of `TESTS`.
    statistic : float
        The test's statistic; the docstring of each test says which.
    pvalue : float
        In [0, 1].
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis; "greater" is "A is better".
    effect : float
        Metric of A minus metric of B; for ratings, the difference of the two correlations.
    confidence_interval : ConfidenceInterval
        Two-sided limits for the effect.
    n : int
        Number of items.
    how : str
        How p-value and interval were computed.
    error : float
        Bound on the numerical error of a p-value where `how` says that it is exact, an estimate
        where it says so, and the standard error of a Monte-Carlo p-value.
    wins, ties, losses : int or None
        Items on which A is better, equal, worse; None where items have no score of their
        own.
    scores : tuple of float or None
        Metric of A and of B, or their correlations with gold ratings; None where only the
        discordant items were given.
    skewness : float or None
        Skewness of the differences, where the test corrects for it.
    """

    test: str
    statistic: float
    pvalue: float
    alternative: str
    effect: float
    confidence_interval: ConfidenceInterval
    n: int
    how: str
    error: float = 0.0
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    scores: tuple | None = field(default=None, compare=False)
    skewness: float | None = None


def rounded_once(values):
    """Sum, rounded once: the order of the items makes no difference."""
    if (values == np.rint(values)).all() and float(np.abs(values).max()) * len(values) < 2**53:
        return float(values.sum())
    return math.fsum(values.tolist())


def sum_either_way(values):
    """Sum the values, with the same last bit in either order."""
    return float((values + values[::-1]).sum() / 2)


def less_margin(how, margin):
    """Say of which differences a p-value is computed, where there is a margin."""
    return f"{how}, with a margin of {margin:g}" if margin else how


def direction(alternative, effect):
    """Return 1 to test whether A is better, -1 to test whether B is."""
    if alternative == "two-sided":
        return 1 if effect >= 0 else -1
    return 1 if alternative == "greater" else -1


def sided(p, alternative, effect):
    """Double a one-sided p-value where both directions count."""
    if alternative != "two-sided":
        return p
    return min(1.0, 2 * p) if effect else 1.0


def from_outcomes(test, of_counts, a, b, *, alternative, **options):
    """Test right-or-wrong outcomes by the function that takes the numbers of discordant ones."""
    checks.alternative(alternative)
    a, b = arguments.binary(test, a, b)
    wins, losses = np.count_nonzero(a > b), np.count_nonzero(a < b)
    result = of_counts(wins, losses, a.size, alternative=alternative, **options)
    return replace(result, scores=(float(a.mean()), float(b.mean())))
