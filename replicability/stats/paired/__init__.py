"""The tests of one dataset, by name: scores of A and B to a p-value.

`TESTS` has an entry for each, `run` calls one by its name, `floor` is its smallest p-value.
"""

from replicability.stats.paired.binary import mcnemar, mcnemar_counts, mcnemar_pvalues
from replicability.stats.paired.crossed import (
    crossed_t,
    hierarchical_flip,
    standard_error,
    two_way_bootstrap,
)
from replicability.stats.paired.entry import MARGINS, TAKES, Test
from replicability.stats.paired.jackknife import correlation_jackknife
from replicability.stats.paired.judged import judged_error, prediction_powered
from replicability.stats.paired.means import corrected_for_skew, hall_pvalue, mean_difference
from replicability.stats.paired.pairs import Difference, difference
from replicability.stats.paired.proportions import tango, tango_counts, tango_statistics
from replicability.stats.paired.ranks import paired_t, sign_test, wilcoxon
from replicability.stats.paired.ratings import meng, rating_bootstrap, steiger, williams
from replicability.stats.paired.registry import TESTS, both, floor, lookup, matrix, run
from replicability.stats.paired.resampled import paired_bootstrap, sign_flip
from replicability.stats.paired.result import (
    EXACT_RANKS,
    N_RESAMPLES,
    VARIANTS,
    ZERO_METHODS,
    Result,
)
from replicability.stats.paired.splits import (
    cv_5x2_f,
    keeps_level,
    repeated_k_fold,
    resampled_t,
    variance_factor,
)
from replicability.stats.paired.unconditional import (
    exact_unconditional,
    exact_unconditional_counts,
)

__all__ = [
    "EXACT_RANKS",
    "MARGINS",
    "N_RESAMPLES",
    "TAKES",
    "TESTS",
    "VARIANTS",
    "ZERO_METHODS",
    "Difference",
    "Result",
    "Test",
    "both",
    "corrected_for_skew",
    "correlation_jackknife",
    "crossed_t",
    "cv_5x2_f",
    "difference",
    "exact_unconditional",
    "exact_unconditional_counts",
    "floor",
    "hall_pvalue",
    "hierarchical_flip",
    "judged_error",
    "keeps_level",
    "lookup",
    "matrix",
    "mcnemar",
    "mcnemar_counts",
    "mcnemar_pvalues",
    "mean_difference",
    "meng",
    "paired_bootstrap",
    "paired_t",
    "prediction_powered",
    "rating_bootstrap",
    "repeated_k_fold",
    "resampled_t",
    "run",
    "sign_flip",
    "sign_test",
    "standard_error",
    "steiger",
    "tango",
    "tango_counts",
    "tango_statistics",
    "two_way_bootstrap",
    "variance_factor",
    "wilcoxon",
    "williams",
]
