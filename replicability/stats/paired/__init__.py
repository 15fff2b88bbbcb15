"""The tests of one dataset, by name: scores of A and B to a p-value."""

from replicability.stats.paired.binary import mcnemar, mcnemar_counts, mcnemar_pvalues
from replicability.stats.paired.ranks import paired_t, sign_test, wilcoxon
from replicability.stats.paired.ratings import meng, rating_bootstrap, steiger, williams
from replicability.stats.paired.registry import TESTS, options_of, run
from replicability.stats.paired.resampled import paired_bootstrap, sign_flip
from replicability.stats.paired.result import (
    EXACT_RANKS,
    N_RESAMPLES,
    VARIANTS,
    ZERO_METHODS,
    Result,
)

__all__ = [
    "EXACT_RANKS",
    "N_RESAMPLES",
    "TESTS",
    "VARIANTS",
    "ZERO_METHODS",
    "Result",
    "mcnemar",
    "mcnemar_counts",
    "mcnemar_pvalues",
    "meng",
    "options_of",
    "paired_bootstrap",
    "paired_t",
    "rating_bootstrap",
    "run",
    "sign_flip",
    "sign_test",
    "steiger",
    "wilcoxon",
    "williams",
]
