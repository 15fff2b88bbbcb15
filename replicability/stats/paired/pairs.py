"""The scores of A and B on the same items, as the tests need them."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from replicability import checks
from replicability.stats import arguments, metrics
from replicability.stats.exact import units
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired import limits
from replicability.stats.paired.result import Result, rounded_once, sum_either_way


@dataclass(frozen=True)
class Pairs:
    """Checked sums of both systems and what follows from them.

    Attributes
    ----------
    a, b : ndarray, shape (n, c)
        Sums of the metric for each item.
    value : callable
        Totals of shape (..., c) to the metric of shape (...).
    common_denominator : bool
        Whether the columns are numerator and denominator, the latter equal for both systems.
    less_margin : units.Differences, optional
        The differences, if a margin has been taken off them.
    """

    a: np.ndarray
    b: np.ndarray
    value: Callable
    common_denominator: bool
    less_margin: units.Differences | None = None

    @property
    def n(self):
        """Number of items."""
        return len(self.a)

    @functools.cached_property
    def total(self):
        """Sum of the first column's differences."""
        return rounded_once(self.a[:, 0] - self.b[:, 0])

    @functools.cached_property
    def effect(self):
        """Metric of A minus metric of B, from sums that are rounded once."""
        if self.common_denominator:
            return self.total / rounded_once(self.a[:, 1])
        return self.values[0] - self.values[1]

    @functools.cached_property
    def values(self):
        """Metric of A and metric of B."""
        totals = (np.array([rounded_once(x) for x in sums.T]) for sums in (self.a, self.b))
        return tuple(float(self.value(total)) for total in totals)

    @functools.cached_property
    def standard_error(self):
        """Jackknife's standard error of the effect; infinite where it is undefined."""
        if self.n == 1:
            return math.inf
        with np.errstate(all="ignore"):
            moved = np.sort(self._leave_one_out())
        if not np.isfinite(moved).all():
            return math.inf
        moved = moved - sum_either_way(moved) / self.n
        largest = float(np.abs(moved).max())
        if largest == 0:
            return 0.0
        return largest * math.sqrt((self.n - 1) / self.n * sum_either_way((moved / largest) ** 2))

    @functools.cached_property
    def influences(self):
        """How each item moves the effect, shape (n,).

        Their squares add up to that of the standard error; infinite where that is.
        """
        if not math.isfinite(self.standard_error):
            return np.full(self.n, math.inf)
        moved = self._leave_one_out()
        centre = sum_either_way(np.sort(moved)) / self.n
        return (centre - moved) * math.sqrt((self.n - 1) / self.n)

    def _leave_one_out(self):
        """Return how the effect moves when an item is left out, up to a constant."""
        if self.common_denominator:
            d, w = self.a[:, 0] - self.b[:, 0], self.a[:, 1]
            return (self.effect * w - d) / (rounded_once(w) - w)
        totals = (sums.sum(axis=0) - sums for sums in (self.a, self.b))
        first, second = map(self.value, totals)
        return first - second

    @functools.cached_property
    def differences(self):
        """Differences of the items, and which of them agree."""
        if self.less_margin is not None:
            return self.less_margin
        if self.common_denominator:
            a, b = self.scores
        else:
            with np.errstate(all="ignore"):
                a, b = (np.nan_to_num(self.value(sums)) for sums in (self.a, self.b))
        return units.differences(units.in_common_units(a, b), self.a[:, -1])

    @property
    def levels(self):
        """Whole numbers in the order of the differences' sizes, equal where they agree."""
        return self.differences.levels

    def less(self, margin):
        """Return pairs whose difference is that of these less a margin, which is then tested as 0.

        Where the denominators of A and B differ, each item has its linearised difference: the
        jackknife's pseudo-value, of which the difference is the mean.
        """
        if margin == 0:
            return self
        if self.common_denominator:
            scores, weights = units.in_common_units(*self.scores, margin), self.a[:, 1]
            a = scores.a - scores.margin * weights
            sums = (np.column_stack([side, weights]) for side in (a, scores.b))
            return Pairs(*sums, self.value, True, units.differences(scores, weights))
        ones = np.ones(self.n)
        with np.errstate(all="ignore"):
            moved = self._leave_one_out()
        pseudo = self.effect + (self.n - 1) * (sum_either_way(np.sort(moved)) / self.n - moved)
        if not np.isfinite(pseudo).all():
            raise checks.InputError(
                "The metric is undefined if one of the items is left out, so the test cannot "
                "assign each item its part of the difference; use paired_bootstrap."
            )
        sums = (np.column_stack([side, ones]) for side in (pseudo - margin, np.zeros(self.n)))
        return Pairs(*sums, _RATIO, True)

    def excess(self, margin):
        """Return the effect less a margin, up to a factor; exactly 0 where they are equal."""
        if not self.common_denominator:
            return self.effect - margin
        return rounded_once(self.less(margin).differences.values)

    def in_common_units(self, margin=0.0):
        """Return pairs and margin in a unit in which both are whole numbers, if there is one."""
        if not self.common_denominator:
            return self, margin
        scores, weights = units.in_common_units(*self.scores, margin), self.a[:, 1]
        sums = (np.column_stack([side, weights]) for side in (scores.a, scores.b))
        return Pairs(*sums, self.value, True), scores.margin

    @functools.cached_property
    def wins(self):
        """Number of items on which A is better."""
        return int(np.count_nonzero(self.levels > 0))

    @functools.cached_property
    def losses(self):
        """Number of items on which B is better."""
        return int(np.count_nonzero(self.levels < 0))

    @property
    def scores(self):
        """First column of A and of B, shape (2, n)."""
        return np.stack([self.a[:, 0], self.b[:, 0]])

    def weighted(self, sign):
        """Return the differences of the first column in a direction, and their denominators."""
        return sign * (self.a[:, 0] - self.b[:, 0]), self.a[:, 1]

    def sums(self, sign):
        """Return the sums of the system claimed to be better and of the other, in a fixed order."""
        first, second = (self.a, self.b) if sign > 0 else (self.b, self.a)
        order = np.lexsort((*second.T, *first.T))
        return first[order], second[order]

    def interval(self, confidence_level):
        """Return limits of the effect, whatever the test."""
        return limits.interval(self, confidence_level)

    def result(self, test, statistic, p, alternative, confidence_level, how, error=0.0):
        """Return the outcome of a test of them."""
        return Result(
            test,
            float(statistic),
            float(p),
            alternative,
            self.effect,
            self.interval(confidence_level),
            self.n,
            how,
            float(error),
            self.wins,
            self.n - self.wins - self.losses,
            self.losses,
            self.values,
        )


@dataclass(frozen=True)
class Difference:
    """Difference of a metric between two systems.

    Attributes
    ----------
    scores : tuple of float
        Metric of A, and of B.
    effect : float
        Metric of A minus metric of B.
    confidence_interval : ConfidenceInterval
        Two-sided limits for the effect.
    standard_error : float
        Jackknife's standard error of the effect; infinite where it is undefined.
    influences : ndarray of float64, shape (n,)
        How each item moves the effect, by the jackknife: their squares add up to that of the
        standard error.
    """

    scores: tuple
    effect: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    influences: np.ndarray = field(repr=False, compare=False)


def difference(a, b, *, metric=None, confidence_level=0.95):
    """Estimate the difference of a metric, whatever the test.

    Parameters
    ----------
    a, b, metric, confidence_level
        As for `paired_bootstrap`.

    Returns
    -------
    Difference
        Metric of both systems, and the difference with its interval, which does not depend on the
        test; from a single item it is infinite unless it is right or wrong.

    Raises
    ------
    InputError
        As `paired_bootstrap`.

    Examples
    --------
    >>> difference([[3, 4], [1, 2]], [[2, 4], [1, 2]]).scores
    (0.6666666666666666, 0.5)
    """
    confidence_level = checks.confidence_level(confidence_level)
    pairs = pairs_of("difference", a, b, metric)
    interval = pairs.interval(confidence_level)
    error, influences = pairs.standard_error, pairs.influences
    return Difference(pairs.values, pairs.effect, interval, error, influences)


_RATIO = metrics.METRICS["mean"]


def pairs_of(test, a, b, metric=None, *, minimum=1, axes=(1, 2)):
    """Check scores or sums and put them together."""
    a, b = arguments.scores(test, a, b, minimum=minimum, axes=axes)
    if isinstance(metric, str):
        metric = metrics.metric(metric)
    if a.ndim == 1:
        if metric is not None:
            raise checks.InputError(
                f"Metric {metric.name!r} needs sums for each item, but the scores have the shape "
                f"{a.shape}; pass the sums, or leave the metric out to compare means."
            )
        ones = np.ones(len(a))
        return Pairs(np.column_stack([a, ones]), np.column_stack([b, ones]), _RATIO, True)
    if metric is not None:
        _check_columns(metric, a)
        if metric.common_denominator:
            arguments.denominators(a, b, metric.name)
        return Pairs(a, b, metric, metric.common_denominator)
    if a.shape[1] != 2:
        raise checks.InputError(
            f"The scores have {a.shape[1]} column{'s' * (a.shape[1] != 1)}; pass the metric that "
            "is computed from them, or two columns (numerators and denominators)."
        )
    arguments.denominators(a, b)
    return Pairs(a, b, _RATIO, bool((a[:, 1] == b[:, 1]).all()))


def _check_columns(metric, sums):
    """Check that a metric can be computed from sums of so many columns."""
    if not isinstance(metric, metrics.Metric):
        raise checks.InputError(
            f"metric is {metric!r}; pass a metrics.Metric, or one of the names in metrics.METRICS."
        )
    fits = sums.shape[1] == 2 or not metric.common_denominator
    try:
        metric(sums.sum(axis=0))
    except IndexError:
        fits = False
    if not fits:
        raise checks.InputError(
            f"Metric {metric.name!r} cannot be computed from sums of {sums.shape[1]} columns; "
            f"pass the sums that replicability.stats.metrics computes for it."
        )


def scored(test, a, b, *, minimum=1):
    """Check one score for each item."""
    return pairs_of(test, a, b, minimum=minimum, axes=(1,))
