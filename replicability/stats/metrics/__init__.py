"""Scoring: from the outputs of a system to the sums that a metric is made of.

Most metrics of a dataset are functions of totals over its items (such as sentences).
A function ``..._sums`` makes one row of numbers per item; a `Metric` maps totals of such rows
to the number that is published. The tests of one dataset work on rows and metric alone:

===================  ===========================================  ======================
rows from            columns                                      metrics
===================  ===========================================  ======================
`accuracy_sums`      correct, words                               accuracy, uas, las
`score_sums`         score, 1                                     mean
`span_sums`          correct, guessed, gold spans                 f1, precision
`predictions`        right, guessed, gold of each class           macro_f1
`bleu_sums`          lengths, matched and all n-grams             bleu
`translation`        what sacrebleu counts of a segment           bleu, chrf, chrf++, neg_ter
===================  ===========================================  ======================

A metric whose denominator is the same for both systems on every item has
``common_denominator=True``; its resampling distributions can be computed instead of sampled.
Spearman's correlation is no function of sums: `rating_codes` and `spearman_difference` serve the
items.

References
----------
Tjong Kim Sang and De Meulder (2003), CoNLL, and their conlleval for spans. Post (2018), WMT, for
sacrebleu; Popovic (2015, 2017), WMT, for chrF.
Dror et al. (2017), Section 6, for the metrics of the four tasks.
"""

from replicability.stats.metrics.ngrams import bleu, chrf, chrf_plus
from replicability.stats.metrics.ratings import rating_codes, spearman, spearman_difference
from replicability.stats.metrics.sums import accuracy_sums, score_sums
from replicability.stats.metrics.tags import span_sums, spans
from replicability.stats.metrics.totals import (
    METRICS,
    Metric,
    f1,
    macro_f1,
    metric,
    precision,
    ratio,
)
from replicability.stats.metrics.translation import bleu_sums

__all__ = [
    "METRICS",
    "Metric",
    "accuracy_sums",
    "bleu",
    "bleu_sums",
    "chrf",
    "chrf_plus",
    "f1",
    "macro_f1",
    "metric",
    "precision",
    "rating_codes",
    "ratio",
    "score_sums",
    "span_sums",
    "spans",
    "spearman",
    "spearman_difference",
]
