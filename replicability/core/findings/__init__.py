"""What a comparison says: counts, identified datasets, and the sentence to paste.

`finding` decides. All English about a result is written in this package, and renderings lay it out:

- `claims` and `wording`: the sentence to paste, of closed testing and of the paper's pair;
- `both_systems`: that of p-values whose side is not known;
- `overall`: by how much A is better; `possible`: what could have been found where nothing was;
- `population`: whether A is better over the population that the datasets are drawn from;
- `notes`, `counted` and `tests_used`: how was counted and tested, and what to know besides;
- `headline`, `marks`: what stands above and in a table; `method`: the paragraph of a paper;
- `misreadings`: what not to write;
- `tabulated` and `families`: many comparisons, and all pairs of systems.

Functions that write take a study.Comparison, what `evaluation.evaluate` returns for it, and what is
found at one level or at each; they return "" or nothing where there is nothing to say.
"""

from replicability.core.findings.claims import for_another_study, if_independent
from replicability.core.findings.families import sentences as of_all_pairs
from replicability.core.findings.families import told_apart
from replicability.core.findings.finding import (
    COMPARED,
    PRINTED,
    Finding,
    adjusted,
    counted_by,
    directions,
    find,
    find_both,
    has_both,
    other_direction,
    wins,
)
from replicability.core.findings.overall import Overall, overall
from replicability.core.findings.population import Population, population
from replicability.core.findings.possible import could_have_found, could_have_shown
from replicability.core.findings.said import asides, of_group, sentences
from replicability.core.findings.tabulated import (
    DIRECTION_COLUMNS,
    FAMILY_COLUMNS,
    GROUP_COLUMNS,
    both_directions,
    counts,
    family_counts,
    groups,
    plane,
)
from replicability.core.findings.wording import at_least, caption, chosen, describe, sentence

__all__ = [
    "COMPARED",
    "DIRECTION_COLUMNS",
    "FAMILY_COLUMNS",
    "GROUP_COLUMNS",
    "PRINTED",
    "Finding",
    "Overall",
    "Population",
    "adjusted",
    "asides",
    "at_least",
    "both_directions",
    "caption",
    "chosen",
    "could_have_found",
    "could_have_shown",
    "counted_by",
    "counts",
    "describe",
    "directions",
    "family_counts",
    "find",
    "find_both",
    "for_another_study",
    "groups",
    "has_both",
    "if_independent",
    "of_all_pairs",
    "of_group",
    "other_direction",
    "overall",
    "plane",
    "population",
    "sentence",
    "sentences",
    "told_apart",
    "wins",
]
