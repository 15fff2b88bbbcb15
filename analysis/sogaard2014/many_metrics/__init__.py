r"""How often does a free choice of metric, covariate or sample size make a null result significant?

Søgaard, Johannsen, Plank, Hovy and Martínez Alonso (2014), Sections 3.3 to 3.5, draw two samples
from one normal distribution, test the difference of their means, and let the researcher choose:
another metric, a noisy copy of the metric, half of the items, a smaller sample. A `Choice` is
such a family of tests. The statistics of two tests of one metric, on subsamples S and T, have the
correlation :math:`|S \cap T| / \sqrt{|S||T|}`; where one of them tests the copy, it is multiplied
by the correlation of metric and copy. Other metrics are independent.

Section 4 asks what share of the significant findings is true (`positive_predictive_value`,
Ioannidis 2005).
"""

from analysis.methods.predictive_value import (
    cut_off,
    positive_predictive_value,
    share_of_positives,
)
from analysis.sogaard2014.many_metrics.choices import (
    HALVES,
    WHOLE,
    WHOLE_OR_HALF,
    Choice,
    noise_correlation,
    other_readings,
    published_choices,
)
from analysis.sogaard2014.many_metrics.error_rates import (
    CHUNK_REPETITIONS,
    any_significant,
    copies,
    is_exact,
    overstatement,
    rates,
    simulate,
    two_sample_pvalues,
    with_published,
)
from analysis.sogaard2014.many_metrics.true_findings import section4
