"""The truncated product: the sum of -ln p over p <= tau; valid for independent datasets."""

import numpy as np

from replicability.stats import critical_values, sums
from replicability.stats.local_tests import LocalTest


def _evidence(pvalues, alpha, tau):
    share = sums.share(tau, alpha)
    critical = critical_values.truncated(pvalues.shape[-1], alpha, share)
    terms = np.where(pvalues <= share, -sums.log(pvalues), 0.0)
    return sums.Evidence(sums.decided(terms, pvalues <= alpha, critical), critical)


LOCAL_TEST = LocalTest(
    name="truncated_fisher",
    title="truncated Fisher",
    cited=(
        "Zaykin et al. 2002",
        "Zaykin, Zhivotovsky, Westfall and Weir (2002), Genetic Epidemiology 22(2), 170-185.",
    ),
    valid_under=("independent",),
    strong="B is clearly ahead on some datasets",
    weak="all p-values are moderate",
    colour="#44AA99",
    marker=">",
    place=6,
    **sums.shortcuts(_evidence),
)
