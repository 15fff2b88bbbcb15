"""What to know beside the sentence of a result: how it was found, and when not to rely on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.cautions import MOST_NAMES, cautions
from replicability.core.findings.finding import Finding, find
from replicability.core.findings.said import asides
from replicability.core.findings.tests_used import how_computed
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
    """Say what else to know of a result."""
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
    """Say by what is counted and named, and why; a pair is the paper's, asked for or not."""
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
    """Say which p-values are 0, and what hypotheses they are taken to be of."""
    said = []
    if zeros := int((values == 0).sum()):
        verb = "is" if zeros == 1 else "are"
        said.append(f"{zeros} of {len(values)} p-values {verb} 0, taken at their word.")
    column = comparison.columns["p_value"]
    which = f"The p-values (column {column!r})" if column else "The p-values"
    if found is None or found.other is None:
        a, b = comparison.systems
        if comparison.sided == "two":
            half = f"half where {a} has the better score, one minus the half elsewhere"
            return [*said, f"{which} are two-sided, and turned by the scores: {half}."]
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
    """List what a reader of a comparison should know before relying on it."""
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


def of_files(systems, files):
    """Say which file is which system, where the names of the files do not.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    files : sequence of str or Path
        The file of each; none where one file holds all.

    Returns
    -------
    list of str
        One note, or none.
    """
    read = dict(zip(systems, files, strict=False))
    if all(name in str(path) for name, path in read.items()):
        return []
    return [" ".join(f"{name} is read from {path}." for name, path in read.items())]
