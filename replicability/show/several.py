"""Tables of several comparisons and families, each with its caption."""

import itertools
from dataclasses import replace

from replicability.core import findings, procedure
from replicability.core.findings import families as of_families
from replicability.io.text import Prose
from replicability.show import tables

NO_GROUPS = "No groups of datasets are declared."
"""Text that replaces an empty table of groups."""

NO_INTERVALS = "Intervals require item-level scores, so there is no figure of differences."
"""Text that replaces a figure of differences."""


def _by_direction(finding):
    """Return what is found in each direction that is asked, at the level of both."""
    if finding.other is None:
        return [finding]
    other, words = finding.other, finding.other.claim.short(finding.other.systems[0])
    back = replace(other, title=f"{finding.title} ({words})", alpha=finding.alpha)
    return [replace(finding, other=None), back]


def counts(found):
    """Return k-hat of all findings as a table, in each direction that is tested.

    `found` (sequence of Finding): of one or more comparisons.

    Returns tables.Table. As `findings.counts`, with its caption.
    """
    both = any(finding.other for finding in found)
    caption = "Estimated number of datasets on which the first system is better"
    caption += (
        " (or the second, if the row says so). Both directions share one level." * both or "."
    )
    directed = itertools.chain(*map(_by_direction, found))
    return tables.Table(findings.counts(directed), caption)


def groups(found):
    """Return the bounds of all declared groups as a table, one column for each level.

    `found` (sequence of Finding): of one or more comparisons at the same levels.

    Returns tables.Table or Prose. ``comparison``, ``method``, ``group``, ``datasets`` (its size)
    and for each level the number of those on which A is better, at least; a sentence if no group is
    declared.
    """
    if not any(finding.groups for finding in found):
        return Prose(NO_GROUPS)
    found = [*itertools.chain(*map(_by_direction, found))]
    rows = findings.groups(found)
    rows["method"] = rows["method"].replace(procedure.TITLES)
    rows["alpha"] = rows["alpha"].map("at least, α = {:g}".format)
    keys = ["comparison", "method", "group", "datasets"]
    wide = rows.pivot_table("at_least", keys, "alpha", "first", sort=False).reset_index()
    plain = all(finding.claim.kind == "better" for finding in found)
    claim = "the first system is better" if plain else "the claim of the comparison holds"
    caption = (
        f"Lower bounds on the number of datasets in each group on which {claim} (closed testing); "
    )
    return tables.Table(wide.rename_axis(columns=None), caption + _together(found))


def both_directions(pairs, alpha):
    """Return what holds in each direction as a table, as `findings.both_directions` makes it."""
    caption = f"Both directions, tested simultaneously at alpha = {alpha:g}."
    return tables.Table(findings.both_directions(pairs, alpha), caption)


def families(pairs, alphas):
    """Return what all pairs of each family show as a table, as `findings.family_counts` does."""
    return tables.Table(findings.family_counts(pairs, alphas), of_families.OF_ALL)


def _together(found):
    """Say with what the bounds of groups are simultaneous."""
    together = "at one level, all bounds of a comparison have simultaneous confidence"
    if any(f.claims is None and f.of_groups.method != "bonferroni" for f in found):
        return f"{together}, separately from its k-hat and its named datasets."
    return f"{together}, together with its k-hat and its named datasets."
