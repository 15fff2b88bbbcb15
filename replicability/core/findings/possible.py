"""Power of a comparison that found nothing, at stated gains.

The gains are stated before any result, and not taken from it: power at the observed difference is
the p-value in another unit, low wherever nothing was found (Hoenig and Heisey 2001, The American
Statistician 55(1), 19-24). Of the data only sizes and spread are used.
"""

import math
from dataclasses import replace

import numpy as np

from replicability.core import design
from replicability.core.findings.finding import find
from replicability.core.findings.wording import plural
from replicability.core.suite import Suite
from replicability.stats import power_of_counts

GAINS = (0.03, 0.01, 0.05)
"""Gains, as shares, for which a result reports its power; the first is reported in full."""

GAINS_IN_SD = (0.2, 0.1, 0.3)
"""Gains, in standard deviations of the differences, for which a result reports its power."""

TRUTHS = {
    "better": "a true gain of {}",
    "better_by": "a true gain of twice the margin",
    "not_worse": "two equally good systems",
    "equivalent": "two equally good systems",
}
"""Maps a claim to the true difference that its power calculation assumes."""

OF_ITEMS = ("mean_difference", "sign_flip", "paired_t", "wilcoxon", "paired_bootstrap")
"""Tests of the scores of items; for these a gain in standard deviations can be planned."""

SHARED = (
    "The power calculation assumes independent datasets, but the datasets share units. Positive "
    "dependence makes the expected bounds smaller."
)
"""Note on the power calculation where datasets share units."""

SHOWN = 0.05
"""Expected numbers are rounded up if they exceed a whole number by more than this."""


def could_have_found(comparison, table, alpha=0.05):
    """Say what could have been found, if nothing was.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float, default 0.05
        Level, in (0, 1).

    Returns
    -------
    str
        One sentence on stated gains; "" where something was found, and of p-values that were read
        or correlations, of which no spread is known. Gains with which every dataset could have been
        found are left out. A second sentence where units are shared.

    Notes
    -----
    The numbers are expected values of k-hat by the method and at the level of the comparison,
    rounded up; where it flips signs, by the closed form for independent datasets. They take
    the datasets as drawn independently, which is no more than a guess where units are shared:
    positively correlated datasets say in part the same, and joint flips then show fewer. With a
    margin the truth that is spoken of is one margin away from what is just false: equally good
    systems for "not worse" and "equivalent", a gain of twice the margin for "better by".
    """
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
            f"With this dataset's number of items and {truth.format(chances[0][0])}, the power "
            f"was about {chances[0][1]}{_others(chances)}."
        )
    n = len(table)
    most = [(words, k) for words, law in said if (k := _most(law.mean)) < n]
    if not most:
        return ""
    words, k = most[0]
    could = (
        f"the expected lower bound was at most {k:,} of {n:,} datasets"
        if k
        else f"the expected lower bound was about 0 of {n:,} datasets"
    )
    shared = f" {SHARED}" if comparison.shared else ""
    return (
        f"With these sizes and {truth.format(words)} on every dataset, {could}{_others(most)}."
        f"{shared}"
    )


def could_have_shown(pairs, alpha=0.05):
    """Say what all pairs could have shown of a typical pair, at the level that each has jointly.

    Parameters
    ----------
    pairs : all_pairs.Pairs
        All pairs of systems, or those with one.
    alpha : float, default 0.05
        Level of all pairs, in (0, 1).

    Returns
    -------
    str
        One sentence on stated gains, as in `could_have_found`; "" where every pair differs, of
        successes, runs and splits, and if every gain could have been found on all datasets.

    Notes
    -----
    As `could_have_found`. On right or wrong items the two systems are taken to differ on as many
    items as the median pair. The level is alpha over the number of ordered pairs, which step-down
    procedures exceed.
    """
    n = len(pairs.datasets)
    known = pairs.test == "mcnemar" or pairs.test in OF_ITEMS
    if n > power_of_counts.MOST_DATASETS or not known or not pairs.undecided(alpha).any():
        return ""
    binary = bool(pairs.discordant)
    gains = GAINS if binary else GAINS_IN_SD
    most = []
    for gain in gains:
        suite = Suite(
            pairs.sizes,
            tuple(max(share, gain) for share in pairs.discordant) if binary else (1.0,) * n,
            binary=binary,
            alpha=alpha / pairs.n_pairs,
            method="bonferroni",
            alternative="greater",
        )
        words = design.points(gain) if binary else f"{gain:g} standard deviations"
        most.append((words, _most(suite.law(gain).mean)))
    most = [(words, k) for words, k in most if k < n]
    if not most:
        return ""
    words, k = most[0]
    return (
        f"With these sizes and {TRUTHS['better'].format(words)} on every dataset, the expected "
        f"simultaneous lower bound for a typical pair was {f'at most {k:,}' if k else 'about 0'} "
        f"of {plural(n, 'dataset')}{_others(most)}."
    )


def _others(said):
    """Write the numbers of the other gains in brackets."""
    parts = [f"{number} with {words}" for words, number in said[1:]]
    return f" ({', '.join(parts)})" if parts else ""


def _most(mean):
    """Round an expected number of datasets up."""
    return math.ceil(mean - SHOWN)


def _plans(comparison, table, alpha, method):
    """Return for each gain its words, the suite that the comparison is, and the number.

    None if the spread of a dataset is not known.
    """
    seen = design.observed(comparison, table, alpha)
    if seen is None:
        return None
    if method in power_of_counts.METHODS:
        seen = replace(seen, method=method)
    if seen.claim != "better":
        gains = 2 * np.array(seen.margin) * (seen.claim == "better_by")
        return [("", _possible(seen, gains), gains)]
    if seen.shares:
        return [(design.points(gain), _possible(seen, gain), gain) for gain in GAINS]
    unit = np.array(seen.unit if seen.runs else 1.0)
    planned = seen if seen.runs else replace(seen, spread=(1.0,) * len(seen.sizes))
    return [(f"{gain:g} standard deviations", planned, gain * unit) for gain in GAINS_IN_SD]


def _possible(seen, gain):
    """Return a suite on all datasets of which the gain is possible."""
    if not seen.binary:
        return seen
    return replace(seen, spread=tuple(np.maximum(seen.spread, gain).tolist()))
