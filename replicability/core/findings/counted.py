"""How a comparison was counted, in words: the procedure, its groups, units and shared units."""

import math

import numpy as np

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.cautions import MOST_NAMES
from replicability.core.findings.wording import DECLARED, plural
from replicability.core.numbers import rounded
from replicability.core.procedure import TITLES
from replicability.io.declared import INSTANCE
from replicability.stats import partial_conjunction

MEANT = {
    "independent": "independent: no two share an instance and none is made from another",
    "positive": "positively dependent",
    "dependent": "dependent, or leaves open how they depend on each other",
}
"""Dependence of the datasets -> what the study says by it."""


def how_counted(comparison, finding):
    """Say by what a comparison is counted and named, why, and what that promises."""
    if finding.claims is None:
        text = how_counted_in_the_paper(comparison.dependence)
        if comparison.procedure == "paper":
            return f"{text} {groups_in_the_paper(finding)}".rstrip()
        return (
            f"{text} Closed testing with sums was left out, as it takes too long for more than "
            f"{procedure.MOST_SUMS:,} datasets, and with it the bounds of groups."
        )
    method = finding.claims.method
    promise = (
        f"come from one closed testing procedure, with {_local_test(method)}: with the stated "
        "confidence all that it says is right at once, also of groups that are thought of after "
        "the results were seen, "
    )
    if method in procedure.OF_UNITS:
        return (
            "The datasets share units, so that how they depend on each other is measured. Count, "
            f"names and groups {promise}if the units are independent of each other and, where "
            f"{_symmetric(finding)}."
        )
    declared = f"The study declares the datasets {MEANT[comparison.dependence]}"
    because = ", and asks for this method. Count" if comparison.method else ". Therefore count"
    if set(procedure.VALID_UNDER[method]) == set(partial_conjunction.DEPENDENCE):
        condition = "however the datasets depend on each other, if every p-value is valid."
    else:
        condition = "if the declaration is right and every p-value is valid on its own."
    return f"{declared}{because}, names and groups {promise}{condition}"


def _symmetric(finding):
    """Say what joint sign flips assume of a unit."""
    if finding.claim.kind == "better":
        return f"{finding.systems[0]} is not better, the scores of a unit could as well be swapped"
    return (
        f"{finding.claim.null(*finding.systems)}, the differences of a unit less the margin are "
        "symmetric around zero, or units are many"
    )


def how_counted_in_the_paper(dependence):
    """Say which estimator the paper recommends, why, and what it promises."""
    method = partial_conjunction.recommended_method(dependence)
    text = (
        f"The study declares the datasets {MEANT[dependence]}. The count is "
        f"therefore made with {method.capitalize()}'s method (Dror et al. 2017, Section 4.1): it "
        "exceeds the true number of datasets with probability alpha at most"
    )
    if method == "fisher":
        return (
            f"{text}, if the declaration is right and every p-value is valid on its own. If the "
            "datasets may depend on each other, Bonferroni's count is the one that is valid "
            "however they do."
        )
    return f"{text}, however the datasets depend on each other, if every p-value is valid."


def groups_in_the_paper(finding):
    """Say by what groups are bounded beside the paper's pair of count and names."""
    if not finding.groups or finding.of_groups is None:
        return ""
    method = finding.of_groups.method
    text = f"Groups are bounded by closed testing, with {_local_test(method)}: "
    if method == "bonferroni":
        return f"{text}their bounds, the count and the names hold together."
    return (
        f"{text}a statement of its own, of which the bounds of all groups hold together with the "
        "stated confidence under the same condition."
    )


def _local_test(method):
    if method == procedure.JOINT:
        return "the sum and the maximum of the evidence under joint sign flips as its local test"
    return f"the local test {TITLES[method]}"


def units(comparison, table):
    """Say what a unit is, where it is no instance or in several datasets."""
    if comparison.unit == INSTANCE and not comparison.shared:
        return ""
    text = "A unit is what another draw would draw anew, here "
    text += "an instance." if comparison.unit == INSTANCE else f"“{comparison.unit}”."
    if "units" in table:
        text += (
            f" The datasets have {_range(table['units'])} units each. The instances of a "
            "unit are summed before any test, so that p-values and intervals are those of units, "
            "and what a test assumes of instances it assumes of units. The design effect is the "
            "variance of the difference by units over that by instances: 1 where instances are as "
            "good as independent, more where those of a unit resemble each other."
        )
    if isinstance(comparison.shared, dict):
        for home, members in comparison.shared.items():
            text += f" {enumerated(members, MOST_NAMES)} share the units of {home}."
    elif comparison.shared:
        text += " The same identifier in two datasets is the same unit."
    return text


def measured(finding):
    """Say how joint sign flips measured the dependence, and whether their search ended early."""
    if finding.claims is None or finding.claims.method not in procedure.OF_UNITS:
        return ""
    flips, n = finding.claims.flips, len(finding.datasets)
    text = (
        f"The sign of each unit was flipped in all its datasets at once, {len(flips.z):,} times, "
        "with the signs as observed among them."
    )
    rows, columns = np.triu_indices(n, 1)
    if n > 1:
        text += _shared(flips.shared[rows, columns])
        text += _correlated(flips.correlations[rows, columns], rows, columns, finding.datasets)
    return text + gap(finding.claims.bound(), finding.alpha)


def _shared(numbers):
    sharing = numbers[numbers > 0]
    if not len(sharing):
        return " No two datasets share a unit."
    pairs = plural(len(numbers), "pair")
    return f" Of {pairs} of datasets {len(sharing):,} share units, {_range(sharing)} each."


def _range(numbers):
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _correlated(correlations, rows, columns, datasets):
    known = np.flatnonzero(np.isfinite(correlations))
    if not len(known):
        return ""
    most = known[correlations[known].argmax()]
    largest, mean = (
        rounded(value, 2, minus="−") for value in (correlations[most], correlations[known].mean())
    )
    by = f"by {mean} on average, the most by {largest}" if len(known) > 1 else f"by {largest}"
    return (
        f" Under the flips, the statistics of two datasets correlate {by} ("
        f"{datasets[rows[most]]} and {datasets[columns[most]]})."
    )


def sharing(flips):
    """Say how many pairs of datasets share units, and how much their statistics correlate."""
    between = flips.between
    low, high, mean = (rounded(f(between), 2) for f in (np.nanmin, np.nanmax, np.nanmean))
    return (
        f"{len(between)} of {math.comb(len(flips.shared), 2)} pairs of datasets share units; their "
        f"statistics correlate by {low} to {high}, {mean} on average."
    )


def gap(bound, alpha):
    """Say how far a search that ended early could still have come."""
    if bound.at_least == bound.at_most:
        return ""
    return (
        " The search through sets of datasets ended before all were decided: at alpha = "
        f"{alpha:g} the count {bound.at_least:,} holds, and an unlimited search would give "
        f"{bound.at_most:,} at most."
    )


def how_pairs_are_counted(family, found):
    """Say by which method the datasets of each pair are counted, and what it promises."""
    if found.method == partial_conjunction.recommended_method(family.dependence):
        return how_counted_in_the_paper(family.dependence)
    if found.method in procedure.OF_UNITS:
        return (
            "The datasets share units, so that how they depend on each other is measured: each "
            "pair has a closed testing procedure of its own, with sums of evidence under joint "
            f"sign flips, the same {found.flips.sums.shape[1]:,} flips for all pairs. Its count "
            "exceeds the true number of datasets with probability alpha at most, if the units are "
            "independent of each other and, where A is not better, their differences jointly "
            "symmetric around zero."
        )
    return (
        f"The study declares the datasets {DECLARED[family.dependence]}. Each pair has a "
        "closed testing procedure of its own, with the local test "
        f"{procedure.TITLES[found.method]}: its count exceeds the true number of datasets with "
        "probability alpha at most, if the declaration is right and every p-value is valid."
    )
