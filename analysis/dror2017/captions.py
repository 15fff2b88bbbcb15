"""Captions of the tables; names in braces are filled in by the notebooks."""

SECTION5 = (
    "Probability that the estimated number of datasets exceeds the true number, k = 0 of N = 100."
)

TEST_SIZES = (
    "Share of true null hypotheses that each one-sided test rejects, by level and sample size n, "
    "with standard errors. Anti-conservative rates are marked +, conservative ones −."
)

MARGIN_SIZES = (
    "Share of datasets on which the one-sided test supports the claim at α = .05, by sample size "
    "n, with standard errors. Size: the true difference is on the boundary of the claim. Power: "
    "the true difference is 0, or twice the margin for “better by”. Anti-conservative sizes are "
    "marked +, conservative ones −."
)

VALID = "the recommended estimator is valid for the declared dependence"
"""What Table 1 says of its last column."""

BESIDE = (
    "Estimated number of datasets on which the first system is better, in the published study and "
    "in the open study."
)

ALL_PAIRS = (
    "Pairs of systems in which one is significantly better on at least one dataset, on at least "
    "half of the datasets, and on all of them."
)

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def estimates(counts, more=""):
    """Say what a table of counts holds.

    `counts`: as `findings.counts` returns it. `more`: what else is said about it.

    Returns str. A sentence with the number of estimators.
    """
    estimators = NUMBERS[len([name for name in counts if name.startswith("k_")])]
    return (
        f"Estimated number of datasets on which the first system is better, by {estimators} "
        f"estimators{'; ' if more else ''}{more}."
    )
