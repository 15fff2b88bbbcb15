"""What the notebooks on a task say besides: which test, and one p-value read both ways."""

from dataclasses import replace

import numpy as np

from replicability.core import findings, recommendation
from replicability.io.text import Said

SMALL = 0.05
"""Up to this a p-value is a telling example."""


def in_the_paper(*scores):
    """Say which test the paper uses; `scores` are their kind and perhaps the metric."""
    return Said(recommendation.in_the_paper(*scores))


def recommended(*scores):
    """Say which test is recommended; `scores` are their kind and perhaps the metric."""
    return Said(replace(recommendation.recommend(*scores), section=""))


def other_way_round(results):
    """Show on one dataset what its p-value says of either system.

    `results`: those of a section.

    Returns Said. Of a dataset on which B is ahead, if there is one, with the largest p-value up to
    `SMALL`, or else the smallest; a sentence that says so if the p-values say nothing of the other
    direction.
    """
    asked = [
        (comparison, table, findings.directions(comparison, table)[1][1]["p_value"])
        for comparison, table in ((result.comparison, result.evaluated) for result in results)
        if findings.has_both(comparison, table)
    ]
    if not asked:
        return Said("These p-values are one-sided: they say nothing about the other direction.")
    pairs = [
        (comparison, row, float(back))
        for comparison, table, reverse in asked
        for (_, row), back in zip(table.rows.iterrows(), reverse, strict=True)
    ]
    comparison, row, back = min(pairs, key=_telling)
    a, b = comparison.systems
    ahead, behind = (b, a) if row["score_b"] > row["score_a"] else (a, b)
    scores = sorted((row["score_a"], row["score_b"]), reverse=True)
    said = f"{row['dataset']}: {ahead} has the higher score, {scores[0]:.4g} to {scores[1]:.4g}. "
    if "p_reverse" in row:
        forth = f"{row['p_value']:.2g}"
        return Said(
            f"{said}The p-value is {forth} for “{a} is better” and {back:.2g} for “{b} is better”."
        )
    printed = row["p_value"]
    whole, half, rest = (
        np.format_float_positional(p, precision=12, trim="-")
        for p in (printed, printed / 2, 1 - printed / 2)
    )
    return Said(
        f"{said}The printed two-sided p-value is {whole}, which gives {half} for “{ahead} is "
        f"better” and {rest} for “{behind} is better”."
    )


def _telling(pair):
    """Sort datasets on which B is ahead to the front, then by their p-value."""
    _, row, back = pair
    p = back if "p_reverse" in row else row["p_value"]
    small = 0 < p <= SMALL
    return bool(row["score_a"] >= row["score_b"]), not small, -p if small else p
