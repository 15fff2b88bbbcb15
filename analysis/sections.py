"""What the notebooks on a task share: what is found in a section, and who is ahead in it."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability.core import findings
from replicability.core.numbers import rounded
from replicability.show.report import NO_GROUPS, NO_INTERVALS, by_group, forests

__all__ = [
    "NO_GROUPS",
    "NO_INTERVALS",
    "ahead",
    "between",
    "bound",
    "by_group",
    "by_how_much",
    "forests",
    "found",
    "in_both_directions",
    "measured",
    "other_way_round",
]


SMALL = 0.05
"""Up to this a p-value is a telling example."""


def found(comparisons, results, alphas):
    """Say what is found about each comparison at each level.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Those of a section.
    results : sequence of Tested
        As `evaluation.evaluate` returns them, in the same order.
    alphas : sequence of float
        Levels, in (0, 1).

    Returns
    -------
    list of Finding
        The levels of the first comparison, then those of the next.
    """
    pairs = zip(comparisons, results, strict=True)
    return [findings.find(*pair, alpha) for pair in pairs for alpha in alphas]


def ahead(comparisons, results):
    """Count the datasets on which the scores favour each system, without any test.

    Parameters
    ----------
    comparisons, results
        As for `found`; the results have scores.

    Returns
    -------
    DataFrame
        One row per comparison: ``comparison``, ``A ahead``, ``equal``, ``B ahead``.
    """
    rows = []
    for comparison, table in zip(comparisons, results, strict=True):
        wins = findings.wins(table)
        rows.append((comparison.title, wins["A"], wins["tie"], wins["B"]))
    return pd.DataFrame(rows, columns=["comparison", "A ahead", "equal", "B ahead"])


def by_how_much(comparisons, results):
    """Say by how much A is better on average, and how far the datasets differ.

    Parameters
    ----------
    comparisons, results
        As for `found`; those without scores are left out.

    Returns
    -------
    list of str
        Sentences about each comparison.
    """
    pairs = zip(comparisons, results, strict=True)
    return [str(said) for said in itertools.starmap(findings.overall, pairs) if said is not None]


def measured(comparisons, results):
    """Say how dependent the datasets are, as far as it can be measured.

    Parameters
    ----------
    comparisons, results
        As for `found`.

    Returns
    -------
    list of str
        A sentence for each comparison of which units are shared; else one for all.
    """
    said = [
        f"{comparison.title}: {_correlations(table.flips)}"
        for comparison, table in zip(comparisons, results, strict=True)
        if table.flips is not None
    ]
    return said or ["No shared units are known, by which the dependence could be measured."]


def between(flips):
    """Return how the statistics of datasets that share units correlate.

    Parameters
    ----------
    flips : joint.Flips
        Joint sign flips of the units.

    Returns
    -------
    ndarray
        For each pair of datasets that share units their correlation.
    """
    upper = np.triu_indices(len(flips.shared), 1)
    return flips.correlations[upper][flips.shared[upper] > 0]


def _correlations(flips):
    """Say how many pairs of datasets share units, and how much their statistics correlate."""
    pairs, sharing = math.comb(len(flips.shared), 2), between(flips)
    low, high, mean = (rounded(f(sharing), 2) for f in (np.nanmin, np.nanmax, np.nanmean))
    return (
        f"{len(sharing)} of {pairs} pairs of datasets share units; their statistics "
        f"correlate by {low} to {high}, {mean} on average."
    )


def bound(finding, group):
    """Bound any group of datasets, also one that was thought of after looking.

    Parameters
    ----------
    finding : Finding
        What is found about a comparison.
    group : sequence of str
        Names of datasets.

    Returns
    -------
    str
        A sentence.

    Raises
    ------
    InputError
        If the group is empty, or names a dataset twice or one that is not there.
    """
    said = finding.claim.shown(*finding.systems)
    if finding.of_groups is None:
        return f"{finding.title}: so many datasets have no bounds of groups but by Bonferroni."
    k = finding.of_groups.at_least(group)
    shown = f"no dataset is shown on which {said}"
    if k:
        shown = f"{said} on {findings.at_least(k, len(group))}"
    above = "all bounds of groups" if finding.claims is None else "everything"
    return (
        f"{finding.title}, {', '.join(group)}: {shown} "
        f"(together with {above} above at alpha = {finding.alpha:g})."
    )


def in_both_directions(comparisons, results, alpha):
    """Count by every estimator for "A is better" and for "B is better", each at alpha / 2.

    Parameters
    ----------
    comparisons, results
        As for `found`; those with p-values of one direction only are left out.
    alpha : float
        Joint level of both directions, in (0, 1).

    Returns
    -------
    DataFrame
        As `findings.counts` returns it, two rows for each comparison.
    """
    pairs = zip(comparisons, results, strict=True)
    asked = [pair for pair in pairs if findings.has_both(*pair)]
    found = [finding for pair in asked for finding in findings.find_both(*pair, alpha)]
    titles = [comparison.title for comparison, _ in asked for _ in range(2)]
    return findings.counts(
        replace(finding, title=f"{title}: {finding.title}")
        for title, finding in zip(titles, found, strict=True)
    )


def other_way_round(comparisons, results):
    """Show on one dataset what its p-value says of either system.

    Parameters
    ----------
    comparisons, results
        As for `found`.

    Returns
    -------
    str
        Of a dataset on which B is ahead, if there is one, with the largest p-value up to `SMALL`,
        or else the smallest; a sentence that says so if the p-values say nothing of the other
        direction.
    """
    asked = [
        (comparison, table, findings.directions(comparison, table)[1][1]["p_value"])
        for comparison, table in zip(comparisons, results, strict=True)
        if findings.has_both(comparison, table)
    ]
    if not asked:
        return "These p-values are one-sided: they say nothing of the other direction."
    pairs = [
        (comparison, row, float(back))
        for comparison, table, reverse in asked
        for (_, row), back in zip(table.rows.iterrows(), reverse, strict=True)
    ]
    comparison, row, back = min(pairs, key=_telling)
    a, b = comparison.systems
    ahead, behind = (b, a) if row["score_b"] > row["score_a"] else (a, b)
    scores = sorted((row["score_a"], row["score_b"]), reverse=True)
    said = f"{row['dataset']}: {ahead} is ahead by its score, {scores[0]:.4g} to {scores[1]:.4g}. "
    if "p_reverse" in row:
        forth = f"{row['p_value']:.2g}"
        return f"{said}For “{a} is better” p is {forth}, for “{b} is better” {back:.2g}."
    printed = row["p_value"]
    whole, half, rest = (
        np.format_float_positional(p, precision=12, trim="-")
        for p in (printed, printed / 2, 1 - printed / 2)
    )
    return (
        f"{said}The printed p-value is {whole}: {half} for “{ahead} is better”, and {rest} for "
        f"“{behind} is better”."
    )


def _telling(pair):
    """Sort datasets on which B is ahead to the front, then by their p-value."""
    _, row, back = pair
    p = back if "p_reverse" in row else row["p_value"]
    small = 0 < p <= SMALL
    return bool(row["score_a"] >= row["score_b"]), not small, -p if small else p
