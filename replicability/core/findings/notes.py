"""What to know beside the sentence of a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.cautions import MOST_NAMES, cautions
from replicability.core.findings.finding import Finding, find
from replicability.core.findings.said import asides
from replicability.core.findings.tested_by import how_computed
from replicability.core.findings.wording import chosen
from replicability.core.numbers import rounded
from replicability.core.tested import Tested
from replicability.io.declared import INSTANCE
from replicability.io.study import Comparison

MEANING = {
    "independent": "Independent datasets share no instance, and none is made from another.",
    "positive": "Simes's test is valid for such datasets, Bonferroni's whatever the dependence.",
    "dependent": "Bonferroni's test is valid whatever the dependence.",
}
"""Dependence -> what it means for the procedure, a sentence."""

UNDECLARED = "If they share no instance and none is made from another, declare them independent."

PAIR = "The count and the names are the paper's, two statements with a guarantee each"


LOWER = (
    "A lower score is better, as declared: a difference above 0 is one in favour of the first "
    "system, whose score is lower."
)
"""What is said where a lower score is better."""


def notes(
    comparison: Comparison, table: Tested, found: Sequence[Finding], declared: bool
) -> list[str]:
    """Say what else to know of a result.

    Parameters
    ----------
    comparison : study.Comparison
        What was declared.
    table : Tested
        As `evaluation.evaluate` returns it.
    found : sequence of findings.Finding
        What was found, one for each level.
    declared : bool
        Whether somebody said how the datasets depend on each other.

    Returns
    -------
    list of str
        What could have been found; the procedure, the units and the test, and why; cautions; and
        how p-values are read that were not computed here.
    """
    pair = found[0].claims is None
    read = comparison.level == "p-values"
    return [
        *asides(comparison, table, found[0].alpha),
        *(reason(comparison, declared, pair, table) if len(table) > 1 else []),
        *_of_units(comparison, table),
        *([LOWER] if comparison.higher_is_better is False else []),
        *([table.why] if table.why else []),
        *([how_computed(table)] if "how" in table else []),
        *cautions(table, found[0].level),
        *(of_pvalues(comparison, table["p_value"].to_numpy(), found[0]) if read else []),
    ]


def reason(
    comparison: Comparison, declared: bool, pair: bool, table: Tested | None = None
) -> list[str]:
    """Say by what is counted and named, and why.

    Parameters
    ----------
    comparison : study.Comparison
        What was declared.
    declared : bool
        Whether somebody said how the datasets depend on each other.
    pair : bool
        Whether it is by the paper's pair, also where closed testing is asked for and there are too
        many datasets for it.
    table : Tested, optional
        As `evaluation.evaluate` returns it.

    Returns
    -------
    list of str
        One note, or two.
    """
    asked = replace(comparison, procedure="paper") if pair else comparison
    said = [chosen(asked, declared, table)]
    if pair or not comparison.shared:
        said[0] += f" {MEANING[comparison.dependence]}"
        if not declared:
            said[0] += f" {UNDECLARED}"
    if pair and comparison.procedure == "closed":
        said.append(
            f"{PAIR}: sums of more than {procedure.MOST_SUMS:,} datasets are not searched, which "
            "would take time that grows with the square of their number."
        )
    return said


def _of_units(comparison: Comparison, table: Tested) -> list[str]:
    """Say what a unit is, and how dependent the datasets that share units are found to be."""
    said = []
    if comparison.unit != INSTANCE and "units" in table:
        said.append(
            f"The unit is {comparison.unit!r}: the instances of each are summed before any test, "
            "so that resamples and flips are of units. A design effect of 2 says that the "
            "difference varies twice as much as if instances were independent."
        )
    if comparison.shared and (flips := table.flips) is not None:
        values = flips.correlations[np.triu(flips.shared > 0, 1)]
        values = values[~np.isnan(values)]
        if len(values):
            said.append(
                f"Datasets that share units have correlations from {rounded(values.min(), 2)} to "
                f"{rounded(values.max(), 2)}, measured by {len(flips.z):,} joint sign flips."
            )
    return said


def of_pvalues(comparison: Comparison, values: np.ndarray, found: Finding | None) -> list[str]:
    """Say which p-values are 0, and what hypotheses they are taken to be of.

    Parameters
    ----------
    comparison : study.Comparison
        What was declared.
    values : ndarray of float64, shape (n,)
        The p-values.
    found : findings.Finding, optional
        What was found; None for the paper's count in one direction.

    Returns
    -------
    list of str
        One note, or two.
    """
    said = []
    if zeros := int((values == 0).sum()):
        verb = "is" if zeros == 1 else "are"
        said.append(f"{zeros} of {len(values)} p-values {verb} 0, taken at their word.")
    column = "" if comparison.rows else comparison.columns["p_value"]
    which = f"The p-values (column {column!r})" if column else "The p-values"
    if found is None or found.other is None:
        a, b = comparison.systems
        return [*said, f"{which} are read as one-sided: {a} is not better than {b}."]
    together = (
        "the counts of both hold together, and so do the names"
        if found.claims is None
        else "all that is said of both holds together"
    )
    return [
        *said,
        f"{which} are read as two-sided: half where a system is ahead, one minus the half "
        f"elsewhere. Each direction has half of alpha, so that {together}.",
    ]


def before_pasting(comparison, table, alpha):
    """List what a reader of a comparison should know before relying on it.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of significance, in (0, 1).

    Returns
    -------
    list of str
        Sentences about p-values of zero or at the resolution, about datasets that are too small for
        the bootstrap, about small p-values against the scores, and those of `findings.asides`;
        empty if there is none.
    """
    a, b = comparison.systems
    p, datasets = table["p_value"], table["dataset"]
    found = []
    if (p == 0).any():
        why = (
            "it is too small for a floating-point number"
            if comparison.level == "instances"
            else "printed so, it only means smaller than the last digit or than 1/(B + 1) for B "
            "resamples; it is taken at its word here, and the key 'resolution' of the study would "
            "raise it"
        )
        found.append(f"The p-value is 0 on {enumerated(datasets[p == 0], MOST_NAMES)}: {why}.")
    if comparison.resolution:
        raised = datasets[p == comparison.resolution]
        found.append(
            f"p-values below the resolution of the test, {comparison.resolution:g}, were raised to "
            f"it: {len(raised)} of {len(p)} stand there."
        )
    level = find(comparison, table, alpha).level
    found += cautions(table, level)
    if "score_a" in table and comparison.claim == "better":
        against = datasets[(p <= level) & (table["score_b"] > table["score_a"])]
        if len(against):
            why = (
                "the test need not agree with the mean"
                if comparison.level == "instances"
                else "these p-values may be two-sided, and then favour the other system; both "
                "directions are asked separately"
            )
            found.append(
                f"p ≤ {level:g} in favour of {a}, although the score of {b} is higher, on "
                f"{enumerated(against, MOST_NAMES)}: {why}."
            )
    return found + asides(comparison, table, alpha)
