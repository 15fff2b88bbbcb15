"""Metrics as functions of totals, and their names."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from replicability import checks
from replicability.stats.metrics.ngrams import bleu, chrf, chrf_plus


@dataclass(frozen=True)
class Metric:
    """A number that is published about a system, as a function of totals; higher is better.

    Attributes
    ----------
    name : str
        Name in configurations and tables.
    value : callable
        Totals of shape (..., c) to the metric of shape (...). Calling the metric does the same.
    common_denominator : bool
        Whether the metric is the first total over the second, and the second column depends on the
        item and not on the system.
    largest : float, default infinity
        Largest value that the metric can take, where its least is 0; infinite where there is none.
    """

    name: str
    value: Callable
    common_denominator: bool = False
    largest: float = math.inf

    def __call__(self, totals):
        """Return ``value(totals)``."""
        return self.value(totals)


def ratio(totals):
    """First total over the second.

    Parameters
    ----------
    totals : array_like, shape (..., 2)
        Totals of (numerator, denominator).

    Returns
    -------
    ndarray of float64, shape (...)
        The ratio; NaN where the denominator is zero.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(totals[..., 0], totals[..., 1], np.nan)


def precision(totals):
    """Share of the guessed spans that are correct.

    Parameters
    ----------
    totals : array_like, shape (..., 3)
        Totals of (correct, guessed, gold) spans.

    Returns
    -------
    ndarray of float64, shape (...)
        Precision; 0 if nothing is guessed, as in conlleval.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(totals[..., 0], totals[..., 1], 0.0)


def f1(totals):
    """Harmonic mean of the precision and recall of spans.

    Parameters
    ----------
    totals : array_like, shape (..., 3)
        Totals of (correct, guessed, gold) spans.

    Returns
    -------
    ndarray of float64, shape (...)
        F1 in [0, 1]; 0 if there is neither a guessed nor a gold span, as in conlleval.
    """
    totals = np.asarray(totals, dtype=float)
    return _quotient(2 * totals[..., 0], totals[..., 1] + totals[..., 2], 0.0)


def macro_f1(totals):
    """Mean over classes of F1.

    Parameters
    ----------
    totals : array_like, shape (..., 3 c)
        For each of c classes the totals of (correct, guessed, gold) labels.

    Returns
    -------
    ndarray of float64, shape (...)
        The mean over the classes that are guessed or gold, in [0, 1], as ``f1_score`` of
        scikit-learn with ``average="macro"``; 0 if there is none.
    """
    totals = np.asarray(totals, dtype=float)
    of_classes = totals.reshape(*totals.shape[:-1], -1, 3)
    there = (of_classes[..., 1:] > 0).any(axis=-1)
    return _quotient(f1(of_classes).sum(axis=-1), there.sum(axis=-1), 0.0)


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", ratio, common_denominator=True),
        Metric("uas", ratio, common_denominator=True),
        Metric("las", ratio, common_denominator=True),
        Metric("recall", ratio, common_denominator=True),
        Metric("exact_match", ratio, common_denominator=True),
        Metric("oov_accuracy", ratio, common_denominator=True),
        Metric("mean", ratio, common_denominator=True),
        Metric("precision", precision, largest=1.0),
        Metric("f1", f1, largest=1.0),
        Metric("macro_f1", macro_f1, largest=1.0),
        Metric("bleu", bleu, largest=100.0),
        Metric("chrf", chrf, largest=100.0),
        Metric("chrf++", chrf_plus, largest=100.0),
        Metric("neg_ter", ratio, common_denominator=True),
    )
}
"""Name -> metric of totals."""


def metric(name):
    """Return a metric by name.

    Parameters
    ----------
    name : str
        A key of `METRICS`.

    Returns
    -------
    Metric
        The metric.

    Raises
    ------
    InputError
        If there is none of that name; the message names the nearest.
    """
    return METRICS[checks.choice("metric", name, METRICS)]


def _quotient(numerator, denominator, otherwise):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, otherwise, numerator / denominator)
