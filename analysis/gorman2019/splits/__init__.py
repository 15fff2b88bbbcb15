r"""One standard split or many random ones: does a ranking of taggers hold on both?

A split divides a corpus into training, development and test part; every tagger is trained on the
first and tested on the last, on the same words. Split 0 is the standard split, in which documents
stay together; the others are random divisions of the sentences. What each tagger gets right on a
test part is an *outcome*; accuracies, tests and counts follow from the outcomes alone:

=================  =============================================================================
`scores`           token, out-of-vocabulary and sentence accuracy, an oracle ensemble among them
`wilson`           intervals of accuracies
`ranges`           what random splits give, beside the interval of the standard split
`unknown_words`    how much of the distance is due to words that the training part lacks
`rankings`         the order of the taggers by each metric, and how many splits keep it
`compare`          McNemar's test of each pair on each split
`separated`        which pairs differ on the standard split
`count`            on how many random splits the second of a pair is better
`summarise`        all of it side by side, and a test of the mean difference over random splits
`reductions`       how far the best tagger is from the first and from the oracle
=================  =============================================================================

References
----------
Gorman and Bedrick (2019), We need to talk about standard splits, ACL. Wilson (1927), JASA 22,
209-212. Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13, 91. Nadeau and
Bengio (2003), Machine Learning 52, 239-281.
"""

from analysis.gorman2019.splits.accuracies import (
    expected_within,
    ranges,
    rankings,
    reductions,
    scores,
    standard,
    unknown_words,
    wilson,
)
from analysis.gorman2019.splits.comparisons import (
    PAIR,
    compare,
    count,
    ratios,
    separated,
    summarise,
)
from analysis.gorman2019.splits.outcomes import (
    KEYS,
    METRICS,
    ORACLE,
    PARTS,
    STANDARD,
    read,
    read_sizes,
    taggers,
)
