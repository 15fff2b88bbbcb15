"""What the notebooks on a task share: what is found in a section, and who is ahead in it."""

import itertools

import numpy as np

from replicability.core import findings
from replicability.core.findings.counted import sharing
from replicability.core.recommendation import in_the_paper
from replicability.show.report import NO_GROUPS, NO_INTERVALS, by_group, forests

__all__ = [
    "NO_GROUPS",
    "NO_INTERVALS",
    "by_group",
    "by_how_much",
    "forests",
    "found",
    "in_the_paper",
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
        f"{comparison.title}: {sharing(table.flips)}"
        for comparison, table in zip(comparisons, results, strict=True)
        if table.flips is not None
    ]
    return said or ["No shared units are known, by which the dependence could be measured."]


def other_way_round(results):
    """Show on one dataset what its p-value says of either system.

    Parameters
    ----------
    results : replicability.Results
        Those of a section.

    Returns
    -------
    str
        Of a dataset on which B is ahead, if there is one, with the largest p-value up to `SMALL`,
        or else the smallest; a sentence that says so if the p-values say nothing of the other
        direction.
    """
    asked = [
        (comparison, table, findings.directions(comparison, table)[1][1]["p_value"])
        for comparison, table in ((result.comparison, result.evaluated) for result in results)
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
