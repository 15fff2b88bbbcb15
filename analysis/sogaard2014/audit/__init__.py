"""The numbers of Søgaard et al. (2014): which follow from what is printed, or from theory.

`verdicts` has them all. The functions behind it judge one kind of number each and return verdicts
of `replicability.forensics`. The outputs of the named-entity taggers are the only ones that are
public; `named_entities` reads them.
"""

from analysis.sogaard2014.audit.named_entities import named_entities, ner_f1, ner_scores, sizes
from analysis.sogaard2014.audit.printed import PAPER, Printed, read_item, read_paper
from analysis.sogaard2014.audit.probabilities import predictive_values, toy_probabilities
from analysis.sogaard2014.audit.pvalues import (
    outputs_not_printed,
    parsing_lists,
    shares_of_samples,
    tagging_counts,
    tagging_numbers,
)
from replicability import forensics

__all__ = [
    "PAPER",
    "Printed",
    "named_entities",
    "ner_f1",
    "ner_scores",
    "outputs_not_printed",
    "parsing_lists",
    "predictive_values",
    "read_paper",
    "shares_of_samples",
    "sizes",
    "tagging_counts",
    "tagging_numbers",
    "toy_probabilities",
    "verdicts",
]


def verdicts():
    """Judge every number and list of the paper.

    Returns list of Verdict. One per number or list.
    """
    printed = read_paper()
    found = [
        *outputs_not_printed(printed),
        *tagging_counts(printed),
        *tagging_numbers(printed),
        *sizes(printed),
        *shares_of_samples(printed),
        *parsing_lists(printed),
        *named_entities(printed),
        *toy_probabilities(printed),
        *predictive_values(printed),
        forensics.unchecked(
            printed.quoted["5"]["chance of the same effect on held-out data"],
            "The paper quotes the number from a table in Berg-Kirkpatrick et al. (2012).",
        ),
    ]
    reason = (
        "The claim describes systems, runs or figures whose underlying outputs the paper does not "
        "print."
    )
    for item in ("text", "section3_toy_examples", "section4"):
        found += forensics.remaining(PAPER, read_item(item), found, reason)
    return found
