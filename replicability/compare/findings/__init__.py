"""What a comparison says: counts, identified datasets, and the sentence to paste.

`finding` decides, `wording` says it in English, `tabulated` lays out many of them.
"""

from replicability.compare.findings.finding import (
    COMPARED,
    Finding,
    directions,
    find,
    find_both,
    has_both,
    other_direction,
    sentences,
    wins,
)
from replicability.compare.findings.tabulated import (
    DIRECTION_COLUMNS,
    FAMILY_COLUMNS,
    beside,
    both_directions,
    counts,
    family_counts,
    section_counts,
    with_printed,
)
from replicability.compare.findings.wording import at_least, caption, describe, sentence

__all__ = [
    "COMPARED",
    "DIRECTION_COLUMNS",
    "FAMILY_COLUMNS",
    "Finding",
    "at_least",
    "beside",
    "both_directions",
    "caption",
    "counts",
    "describe",
    "directions",
    "family_counts",
    "find",
    "find_both",
    "has_both",
    "other_direction",
    "section_counts",
    "sentence",
    "sentences",
    "wins",
    "with_printed",
]
