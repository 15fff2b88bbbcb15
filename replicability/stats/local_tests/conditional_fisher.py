"""Fisher's sum of -ln(p/tau) over the p <= tau; for uniformly conservative p-values."""

import numpy as np

from replicability.stats import critical_values, sums
from replicability.stats.local_tests import LocalTest


def _evidence(pvalues, alpha, tau):
    share = sums.share(tau, alpha)
    critical = critical_values.fisher(pvalues.shape[-1], alpha)
    kept = pvalues <= share
    terms = sums.decided(-sums.log(pvalues) + np.log(share), pvalues <= alpha * share, critical)
    # no set gains by a dataset that is left out: its null hypothesis is never rejected
    return sums.Evidence(np.where(kept, terms, np.inf), critical, kept)


LOCAL_TEST = LocalTest(
    name="conditional_fisher",
    title="conditional Fisher",
    cited=(
        "Zhao et al. 2019",
        "Zhao, Small and Su (2019), Journal of the American Statistical Association 114(527), "
        "1291-1304.",
    ),
    valid_under=("independent",),
    assumes="independent, with continuous p-values of one-sided tests of a mean",
    strong="B is clearly ahead on most datasets",
    weak="all p-values are moderate",
    colour="#332288",
    marker="X",
    place=7,
    **sums.shortcuts(_evidence),
)
