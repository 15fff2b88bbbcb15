"""What could have been found where nothing was: the power of a comparison at stated gains.

The gains are stated before any result, and not taken from it: power at the observed difference is
the p-value in another unit, low wherever nothing was found (Hoenig and Heisey 2001, The American
Statistician 55(1), 19-24). Of the data only sizes and spread are used.
"""

import math

import numpy as np
from scipy import special

from replicability.compare import design
from replicability.compare.findings.finding import find
from replicability.stats import closed_testing, paired, power_of_counts

GAINS = (0.03, 0.01, 0.05)
"""Gains that are spoken of where scores are shares, the first in full."""

GAINS_IN_SD = (0.2, 0.1, 0.3)
"""The same in standard deviations of the differences, for other scores."""

TRUTHS = {
    "better": "a true gain of {}",
    "better_by": "a true gain of twice the margin",
    "not_worse": "systems that are in truth equally good",
}
"""Claim -> what is supposed to be true."""

SHARED = (
    "This takes the datasets as independent; they share units, and the more alike that makes their "
    "results, the fewer could be shown."
)
"""What is said besides where units are shared."""

SHOWN = 0.05
"""Expected numbers above it are rounded up to the next whole dataset."""


def could_have_found(comparison, table, alpha=0.05):
    """Say what could have been found, if nothing was.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alpha : float, default 0.05
        Level, in (0, 1).

    Returns
    -------
    str
        One sentence on stated gains; "" where something was found, and of p-values that were read
        or correlations, of which no spread is known, and of equivalence. A second sentence where
        units are shared.

    Notes
    -----
    The numbers are expected values of k-hat by the method of the comparison, rounded up, and for
    joint sign flips by Fisher's method. They take the datasets as drawn independently, which is no
    more than a guess where units are shared: positively correlated datasets say in part the same,
    and joint flips then show fewer. With a margin the truth that is spoken of is one margin away
    from what is just false: equally good systems for "not worse", a gain of twice the margin for
    "better by"; the power is that of sign flips shifted by the margin.
    """
    if comparison.claim == "equivalent":
        return ""
    wanted = {"n", "low", "high", "difference", "test"}
    if not wanted <= set(table) or len(table) > power_of_counts.MOST_DATASETS:
        return ""
    found = find(comparison, table, alpha)
    if found.shows or any(paired.lookup(test).takes == "ratings" for test in table["test"]):
        return ""
    plans = _plans(comparison, table, alpha, found.recommended)
    if plans is None:
        return ""
    said = [(words, planned.law(gain)) for words, planned, gain in plans]
    truth = TRUTHS[comparison.claim]
    if len(table) == 1:
        chances = [(words, f"{law.at_least(1):.0%}") for words, law in said]
        return (
            f"With this size and {truth.format(chances[0][0])}, the probability to show it was "
            f"{chances[0][1]}{_others(chances)}."
        )
    n = len(table)
    most = [(words, _most(law.mean)) for words, law in said]
    words, k = most[0]
    could = (
        f"{k:,} of {n:,} datasets was the most one could expect to show"
        if k
        else f"one could not expect to show even 1 of {n:,} datasets"
    )
    shared = f" {SHARED}" if comparison.shared else ""
    return (
        f"With these sizes and {truth.format(words)} on every dataset, {could}{_others(most)}."
        f"{shared}"
    )


def _others(said):
    """Write the numbers of the other gains in brackets."""
    parts = [f"{number or 'none'} with {words}" for words, number in said[1:]]
    return f" ({', '.join(parts)})" if parts else ""


def _most(mean):
    """Round an expected number of datasets up."""
    return math.ceil(mean - SHOWN)


def _plans(comparison, table, alpha, method):
    """Return for each gain its words, the suite that the comparison is, and the number.

    None if the spread of a dataset is not known.
    """
    method = method if method in closed_testing.METHODS else "fisher"
    sizes, error = table.get("units", table["n"]).to_numpy(), _standard_errors(comparison, table)
    if not (np.isfinite(error).all() and (error > 0).all()):
        return None
    n = tuple(sizes.tolist())
    if comparison.claim != "better":
        margins = _shares(comparison, table["margin"])
        planned = design.Suite(n, tuple(error * np.sqrt(sizes)), False, alpha, method)
        return [("", planned, margins)]
    if (table["test"] == "mcnemar").all():
        share = discordant(sizes, error, _shares(comparison, table["difference"]))
        return [
            (
                design.points(gain),
                design.Suite(n, tuple(np.maximum(share, gain)), True, alpha, method),
                gain,
            )
            for gain in GAINS
        ]
    if comparison.per_cent:
        spread = tuple(error * np.sqrt(sizes))
        planned = design.Suite(n, spread, False, alpha, method)
        return [(design.points(gain), planned, gain) for gain in GAINS]
    planned = design.Suite(n, (1.0,) * len(n), False, alpha, method)
    return [(f"{gain:g} standard deviations", planned, gain) for gain in GAINS_IN_SD]


def discordant(sizes, error, difference):
    """Return the shares of discordant instances that Bonett and Price's intervals tell.

    Parameters
    ----------
    sizes : ndarray of int, shape (n,)
        Numbers of instances.
    error : ndarray of float64, shape (n,)
        Half of the length of an interval over the normal quantile.
    difference : ndarray of float64, shape (n,)
        Differences of the accuracies.

    Returns
    -------
    ndarray of float64, shape (n,)
        (d + 1)/(N + 2) for d discordant of N instances, as `design.pilot` has them, at most 1; too
        small where an interval is cut off at -1 or 1.
    """
    share = error**2 * (sizes + 2) + (difference * sizes / (sizes + 2)) ** 2
    return np.clip(share - 1 / (sizes + 2), 1 / (sizes + 2), 1)


def _standard_errors(comparison, table):
    """Return standard errors of the differences as shares, from their intervals at 95%."""
    length = _shares(comparison, table["high"] - table["low"])
    return length / (2 * float(special.ndtri(0.975)))


def _shares(comparison, column):
    return column.to_numpy(float) / (100 if comparison.per_cent else 1)
