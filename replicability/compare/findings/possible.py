"""What could have been found where nothing was: the power of a comparison at stated gains.

The gains are stated before any result, and not taken from it: power at the observed difference is
the p-value in another unit, low wherever nothing was found (Hoenig and Heisey 2001, The American
Statistician 55(1), 19-24). Of the data only sizes and spread are used.
"""

import math
from dataclasses import replace

import numpy as np

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
    if len(table) > power_of_counts.MOST_DATASETS:
        return ""
    found = find(comparison, table, alpha)
    if found.shows:
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


def observed(comparison, table, alpha, method):
    """Return the suite that a comparison was.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of the plan, in (0, 1).
    method : str
        Its local test.

    Returns
    -------
    design.Suite or None
        Sizes and spread, gains being shares of scores that are right or wrong or in per cent; None
        if there are no scores of instances, or ratings, or the spread of a dataset is not known.
    """
    if not {"n", "standard_error", "difference", "test"} <= set(table):
        return None
    if any(paired.lookup(test).takes == "ratings" for test in table["test"]):
        return None
    sizes = table.get("units", table["n"]).to_numpy()
    error = _shares(comparison, table["standard_error"])
    binary = table["test"].isin(["mcnemar", "tango"]).all()
    if not (np.isfinite(error).all() and (binary or (error > 0).all())):
        return None
    if binary:
        spread = discordant(sizes, error, _shares(comparison, table["difference"]))
    else:
        spread = error * np.sqrt(sizes)
    shares = bool(binary or comparison.per_cent)
    whole = tuple(sizes.tolist())
    return design.Suite(whole, tuple(spread.tolist()), bool(binary), alpha, method, shares)


def _plans(comparison, table, alpha, method):
    """Return for each gain its words, the suite that the comparison is, and the number.

    None if the spread of a dataset is not known.
    """
    method = method if method in closed_testing.METHODS else "fisher"
    seen = observed(comparison, table, alpha, method)
    if seen is None:
        return None
    if comparison.claim != "better":
        margins, sizes = _shares(comparison, table["margin"]), np.array(seen.sizes)
        spread = _shares(comparison, table["standard_error"]) * np.sqrt(sizes)
        if not (spread > 0).all():
            return None
        return [("", replace(seen, spread=tuple(spread), binary=False), margins)]
    if seen.binary:
        return [
            (
                design.points(gain),
                replace(seen, spread=tuple(np.maximum(seen.spread, gain))),
                gain,
            )
            for gain in GAINS
        ]
    if seen.shares:
        return [(design.points(gain), seen, gain) for gain in GAINS]
    planned = replace(seen, spread=(1.0,) * len(seen.sizes))
    return [(f"{gain:g} standard deviations", planned, gain) for gain in GAINS_IN_SD]


def discordant(sizes, error, difference):
    """Return the shares of discordant instances that standard errors tell.

    Parameters
    ----------
    sizes : ndarray of int, shape (n,)
        Numbers of instances, N.
    error : ndarray of float64, shape (n,)
        Standard errors of the differences, with N - 1 degrees of freedom.
    difference : ndarray of float64, shape (n,)
        Differences of the accuracies.

    Returns
    -------
    ndarray of float64, shape (n,)
        (d + 1)/(N + 2) for d discordant of N instances, as `design.pilot` has them.
    """
    wins_and_losses = sizes * (error**2 * (sizes - 1) + difference**2)
    return (wins_and_losses + 1) / (sizes + 2)


def _shares(comparison, column):
    return column.to_numpy(float) / (100 if comparison.per_cent else 1)
