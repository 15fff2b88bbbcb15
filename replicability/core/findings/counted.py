"""How a conclusion was reached: the procedure, its groups, units and shared units."""

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
    "independent": "independent: they share no items, and none is derived from another",
    "positive": "positively dependent",
    "dependent": "dependent, or leaves open how they depend on each other",
}
"""Maps the declared dependence to its meaning."""


def how_counted(comparison, finding):
    """Say by what a comparison is counted and named, why, and what that promises."""
    if finding.claims is None:
        text = how_counted_in_the_paper(comparison.dependence)
        if comparison.procedure == "paper":
            return f"{text} {groups_in_the_paper(finding)}".rstrip()
        return (
            f"{text} With more than {procedure.MOST_SUMS:,} datasets, closed testing with sums "
            "would take too long, so no bounds of groups are given."
        )
    method = finding.claims.method
    asked = ", as requested" if comparison.method else ""
    promise = (
        "All bounds and identified datasets come from one closed testing procedure, with "
        f"{_local_test(method)}{asked}. They hold simultaneously with the stated confidence, even "
        "for groups chosen after seeing the results, "
    )
    if method in procedure.OF_UNITS:
        return (
            "The datasets share units, so their dependence is measured from these units. "
            f"{promise}if the units are independent of each other and, where {_symmetric(finding)}."
        )
    declared = f"The study declares the datasets {MEANT[comparison.dependence]}"
    if set(procedure.VALID_UNDER[method]) == set(partial_conjunction.DEPENDENCE):
        condition = "under any dependence between the datasets, if every p-value is valid."
    else:
        condition = "if the declaration is right and every p-value is valid on its own."
    return f"{declared}. {promise}{condition}"


def _symmetric(finding):
    """Say what joint sign flips assume of a unit."""
    if finding.claim.kind == "better":
        return f"{finding.systems[0]} is not better, the two scores of a unit are exchangeable"
    return (
        f"{finding.claim.null(*finding.systems)}, the differences of a unit minus the margin are "
        "symmetric around zero or there are many units"
    )


def how_counted_in_the_paper(dependence):
    """Say which estimator the paper recommends, why, and what it guarantees."""
    method = partial_conjunction.recommended_method(dependence)
    text = (
        f"The study declares the datasets {MEANT[dependence]}. The lower bound therefore uses "
        f"{method.capitalize()}'s method (Dror et al. 2017, Section 4.1). It exceeds the true "
        "number of datasets with probability at most alpha"
    )
    if method == "fisher":
        return (
            f"{text}, if the declaration is right and every p-value is valid on its own. If the "
            "datasets may depend on each other, use Bonferroni's bound."
        )
    return f"{text} under any dependence between the datasets, if every p-value is valid."


def groups_in_the_paper(finding):
    """Say where the bounds of groups come from when k-hat and names follow the paper."""
    if not finding.groups or finding.of_groups is None:
        return ""
    method = finding.of_groups.method
    text = f"Bounds of groups come from closed testing, with {_local_test(method)}"
    if method == "bonferroni":
        return f"{text}, and hold simultaneously with k-hat and the identified datasets."
    return (
        f"{text}. The bounds hold simultaneously for all groups if the declaration is right and "
        "every p-value is valid. Their guarantee does not cover k-hat or the identified datasets."
    )


def _local_test(method):
    if method == procedure.JOINT:
        return "the sum and the maximum of the evidence under joint sign flips as the local test"
    return f"the local test {TITLES[method]}"


def units(comparison, table):
    """Define the unit, if it is not the item or is shared by datasets."""
    if comparison.unit == INSTANCE and not comparison.shared:
        return ""
    text = "The unit of analysis is what you would draw again in a new sample: here "
    text += "the item." if comparison.unit == INSTANCE else f"“{comparison.unit}”."
    if "units" in table:
        each = "datasets have" if len(table) > 1 else "dataset has"
        text += (
            f" The {each} {_range(table['units'])} units{' each' * (len(table) > 1)}. Item scores "
            "are summed within each unit, so p-values and intervals are based on units. The design "
            "effect is the variance of the difference computed from units, divided by its variance "
            "computed from items. It is 1 if items are independent and larger if the items of a "
            "unit resemble each other."
        )
    if isinstance(comparison.shared, dict):
        for home, members in comparison.shared.items():
            text += f" {enumerated(members, MOST_NAMES)} share units (“{home}”)."
    elif comparison.shared:
        text += " The same identifier in two datasets refers to the same unit."
    return text


def measured(finding):
    """Say how joint sign flips measured the dependence, and whether the search ended early."""
    if finding.claims is None or finding.claims.method not in procedure.OF_UNITS:
        return ""
    flips, n = finding.claims.flips, len(finding.datasets)
    text = (
        f"We flipped signs {len(flips.z):,} times, changing a unit's sign in all its datasets at "
        "once. The observed signs count as one of these flips."
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
    verb = "shares" if len(sharing) == 1 else "share"
    return f" {len(sharing):,} of {pairs} of datasets {verb} units ({_range(sharing)} each)."


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
    by = f"{mean} on average and at most {largest}" if len(known) > 1 else largest
    return (
        f" Under the sign flips, the correlation between two datasets is {by} ("
        f"{datasets[rows[most]]} and {datasets[columns[most]]})."
    )


def sharing(flips):
    """Say how many pairs of datasets share units, and how much their statistics correlate."""
    between = flips.between
    low, high, mean = (rounded(f(between), 2) for f in (np.nanmin, np.nanmax, np.nanmean))
    return (
        f"{len(between)} of {math.comb(len(flips.shared), 2)} pairs of datasets share units. The "
        f"correlations of their statistics range from {low} to {high} (mean {mean})."
    )


def gap(bound, alpha):
    """Say how far a search that ended early could still have come."""
    if bound.at_least == bound.at_most:
        return ""
    return (
        " The search through sets of datasets ended early. At alpha = "
        f"{alpha:g}, the bound of {bound.at_least:,} is valid; a complete search would give at "
        f"most {bound.at_most:,}."
    )


def how_pairs_are_counted(family, found):
    """Say which method bounds the datasets of each pair, and what it guarantees."""
    if found.method == partial_conjunction.recommended_method(family.dependence):
        return how_counted_in_the_paper(family.dependence)
    if found.method in procedure.OF_UNITS:
        return (
            "The datasets share units, so their dependence is measured from these units. Each pair "
            "has its own closed testing procedure. The tests of all pairs sum the evidence over "
            f"datasets and use the same {found.flips.n_flips:,} joint sign flips. A pair's bound "
            "exceeds the true number of datasets with probability at most alpha. This requires "
            "independent units whose differences are jointly symmetric around zero where A is "
            "not better."
        )
    return (
        f"The study declares the datasets {DECLARED[family.dependence]}. Each pair has its own "
        f"closed testing procedure, with the local test {procedure.TITLES[found.method]}. Its "
        "bound exceeds the true number of datasets with probability at most alpha, if the "
        "declaration is right and every p-value is valid."
    )
