"""Notes on the conclusion: how it was reached, and when not to rely on it."""

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
    "independent": "Independent datasets share no items, and none is derived from another.",
    "positive": (
        "Simes's test is valid under positive dependence, Bonferroni's under any dependence."
    ),
    "dependent": "Bonferroni's test is valid under any dependence.",
}
"""Maps the dependence to a sentence about the valid procedure."""

UNDECLARED = (
    "If the datasets share no items and none is derived from another, declare them independent."
)

PAIR = (
    "The bound and the identified datasets come from the paper's two procedures, each with a "
    "separate guarantee"
)


LOWER = (
    "Lower scores are better, as declared. A difference above 0 favours the first system, whose "
    "score is lower."
)
"""Note for metrics whose lower values are better."""


def notes(
    comparison: Comparison, table: Tested, found: Sequence[Finding], declared: bool
) -> list[str]:
    """List the notes of a result."""
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
    """Say which procedure was used, and why; a pair is the paper's, requested or not."""
    asked = replace(comparison, procedure="paper") if pair else comparison
    said = [chosen(asked, declared, table)]
    if pair or not comparison.shared:
        said[0] += f" {MEANING[comparison.dependence]}"
        if not declared:
            said[0] += f" {UNDECLARED}"
    if pair and comparison.procedure == "closed":
        said.append(
            f"{PAIR}, because closed testing with sums would take too long for more than "
            f"{procedure.MOST_SUMS:,} datasets."
        )
    return said


def _of_units(comparison: Comparison, table: Tested) -> list[str]:
    """Define the unit, and report the correlations of datasets that share units."""
    said = []
    if comparison.unit != INSTANCE and "units" in table:
        said.append(
            f"The unit of analysis is {comparison.unit!r}: item scores are summed within each unit "
            "before any test. A design effect of 2 means that the variance of the difference is "
            "twice what it would be for independent items."
        )
    if comparison.shared and (flips := table.flips) is not None:
        values = flips.correlations[np.triu(flips.shared > 0, 1)]
        values = values[~np.isnan(values)]
        if len(values):
            said.append(
                f"The correlations between datasets that share units range from "
                f"{rounded(values.min(), 2)} to {rounded(values.max(), 2)} ({len(flips.z):,} joint "
                "sign flips)."
            )
    return said


def of_pvalues(comparison: Comparison, values: np.ndarray, found: Finding | None) -> list[str]:
    """Report p-values of 0, and the null hypotheses of p-values."""
    said = []
    if zeros := int((values == 0).sum()):
        verb, they = ("is", "It is") if zeros == 1 else ("are", "They are")
        said.append(
            f"{zeros} of {len(values)} p-values {verb} 0. {they} used unchanged, although a "
            "printed 0 is usually a rounded value: set 'resolution' to the smallest p-value that "
            "the test can report."
        )
    column = comparison.columns["p_value"]
    which = f"The p-values (column {column!r})" if column else "The p-values"
    if found is None or found.other is None:
        a, b = comparison.systems
        if comparison.sided == "two":
            return [
                *said,
                f"{which} are two-sided. The one-sided p-value for {a} is p/2 on datasets where "
                f"{a} has the better score and 1 - p/2 on the others.",
            ]
        return [
            *said,
            f"{which} are treated as one-sided; the null hypothesis is that {a} is not better "
            f"than {b}.",
        ]
    together = (
        "the bounds for both directions have simultaneous confidence, and so do the identified "
        "datasets"
        if found.claims is None
        else "all statements about both directions have simultaneous confidence"
    )
    return [
        *said,
        f"{which} are treated as two-sided: the one-sided p-value is p/2 for the system that "
        "scores higher and 1 - p/2 for the other system. Each direction is tested at alpha/2: "
        f"{together}.",
    ]


def before_pasting(comparison, table, alpha):
    """List warnings about a comparison, for the page."""
    a, b = comparison.systems
    p, datasets = table["p_value"], table["dataset"]
    found = []
    if (p == 0).any():
        why = (
            "it is too small for a floating-point number"
            if comparison.level == "instances"
            else "a printed 0 is a rounded value, or represents a value below 1/(B + 1) for B "
            "resamples. Set 'resolution' to the smallest p-value that the test can report"
        )
        found.append(f"The p-value is 0 on {enumerated(datasets[p == 0], MOST_NAMES)}: {why}.")
    if comparison.resolution:
        raised = datasets[p == comparison.resolution]
        verb = "was" if len(raised) == 1 else "were"
        found.append(
            f"{len(raised)} of {len(p)} p-values {verb} raised to the resolution of the test, "
            f"{comparison.resolution:g}."
        )
    level = find(comparison, table, alpha).level
    found += cautions(table, level)
    if "score_a" in table and comparison.claim == "better":
        against = datasets[(p <= level) & (table["score_b"] > table["score_a"])]
        if len(against):
            why = (
                "the test and the mean may disagree"
                if comparison.level == "instances"
                else f"if these p-values are two-sided, they favour {b} (declare this with 'sided')"
            )
            found.append(
                f"On {enumerated(against, MOST_NAMES)}, p ≤ {level:g} suggests that {a} is better, "
                f"but {b} scores higher: {why}."
            )
    return found + asides(comparison, table, alpha)


def of_files(systems, files):
    """Say which file holds which system, if the names of the files do not.

    `systems` (sequence of str): names of the systems. `files` (sequence of str or Path): the file
    of each; none where one file holds all.

    Returns list of str. One note, or none.
    """
    read = dict(zip(systems, files, strict=False))
    if all(name in str(path) for name, path in read.items()):
        return []
    return [" ".join(f"{name} is read from {path}." for name, path in read.items())]
