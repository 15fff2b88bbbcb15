"""Captions of the tables; names in braces are filled in by the notebooks."""

SECTION5 = (
    "Probability that an estimate of the number of datasets exceeds the true number, k = 0, "
    "of N = 100."
)

TEST_SIZES = (
    "Share of true null hypotheses that each test rejects, one-sided, by level and sample size n, "
    "with standard errors. + marks anti-conservative rates, − conservative ones."
)

TABLE1 = (
    "Estimated number of datasets on which the first system is better, by three estimators; the "
    "recommended one is valid for the declared dependence."
)

MORE_ESTIMATORS = (
    "Estimated number of datasets on which the first system is better, by five estimators."
)
