"""What a free choice of metric, sample and sentence length does to p-values of real outputs.

Søgaard, Johannsen, Plank, Hovy and Martínez Alonso (2014), Sections 3.2 to 3.5, test two systems by
several metrics, on samples that grow and on sentences up to a length. A `Pair` holds what two
systems have right in each sentence of one dataset; most functions take pairs and return one row per
test. The p-values are those of the paper: the paired bootstrap over sentences, one-sided for the
system that is ahead in the sample (`saddlepoint.bootstrap_pvalues`).

=============  ================================================================================
metric         is
=============  ================================================================================
TA             tagging accuracy: words with the right part of speech over words
UA             the same over unknown words
SA             mean over sentences of their tagging accuracy
LAS, UAS       words with the right head and relation, with the right head, over words
F1             2 correct / (guessed + gold), over the spans of all types (conlleval)
macro-F1       mean of the F1 of the types
untyped F1     F1 of spans whatever their type
LOC, ...       F1 of the spans of a type
=============  ================================================================================

`many_metrics` has the paper's toy examples.
"""

from analysis.sogaard2014.free_choice.counting import (
    PRINTED,
    across,
    averaged,
    beside_published,
    evaluation_data,
    families,
    family,
    summary,
    turns,
)
from analysis.sogaard2014.free_choice.pairs import TASKS, TYPES, Pair, counts, outcomes, read
from analysis.sogaard2014.free_choice.pvalues import (
    by_length,
    by_size,
    growing,
    null_choices,
    positive_shares,
    resampled,
    scores,
    sentence_wilcoxon,
    subsamples,
    swapped,
    tests,
    two_sided,
    whole,
)
