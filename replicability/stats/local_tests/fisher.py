"""Fisher's test: the sum of -ln p, against its gamma law; valid for independent datasets."""

import functools

from scipy import special

from replicability.stats import critical_values, families, sums
from replicability.stats.local_tests import LocalTest


def _combine(values, n):
    combined = special.gammaincc(families.sizes_left(n), -sums.of_largest(sums.log(values)))
    combined[..., -1] = values.max(axis=-1)  # a single p-value is its own combination, exactly
    return combined


def _evidence(pvalues, alpha, tau):
    critical = critical_values.fisher(pvalues.shape[-1], alpha)
    return sums.Evidence(sums.decided(-sums.log(pvalues), pvalues <= alpha, critical), critical)


LOCAL_TEST = LocalTest(
    name="fisher",
    title="Fisher",
    cited=(
        "Fisher 1932",
        "Fisher (1932), Statistical Methods for Research Workers, 4th edition, Oliver and Boyd.",
    ),
    valid_under=("independent",),
    strong="all datasets show similar, weak evidence",
    weak="A leads on some datasets and B on others",
    colour="#009E73",
    marker="D",
    printed=True,
    place=2,
    count=functools.partial(sums.count, terms=sums.log, critical=critical_values.fisher),
    combine=_combine,
    **sums.shortcuts(_evidence),
)
