"""Bonferroni's test, and Fisher's sum at the level that it leaves unused (`critical_values`)."""

import numpy as np

from replicability.stats import critical_values, families, sums
from replicability.stats.local_tests import LocalTest, fisher


def _count(values, alpha):
    n = values.shape[-1]
    large = np.sort(values, axis=-1) > alpha / families.sizes_left(n)
    critical = critical_values.beside_bonferroni(n, alpha)[::-1]
    return families.first_failure(large & (-sums.of_largest(sums.log(values)) < critical))


def _combine(values, n):
    sizes = np.broadcast_to(families.sizes_left(n), values.shape)
    smallest = families.least_alpha(np.sort(values, axis=-1), sizes)
    evidence = -sums.of_largest(sums.log(values))
    return critical_values.level_beside_bonferroni(evidence, smallest, sizes)


def _evidence(pvalues, alpha, tau):
    n = pvalues.shape[-1]
    critical = critical_values.beside_bonferroni(n, alpha)
    single = alpha / np.arange(1.0, n + 1)
    return sums.Evidence(-sums.log(pvalues), critical, pvalues=pvalues, single=single)


LOCAL_TEST = LocalTest(
    name="fisher_bonferroni",
    title="Fisher-Bonferroni",
    cited=fisher.LOCAL_TEST.cited,
    meaning="Bonferroni's test combined with Fisher's at the level that Bonferroni's test leaves "
    "unused",
    valid_under=("independent",),
    strong="some p-values are tiny, or many are small",
    weak="all datasets show similar, weak evidence",
    colour="#117733",
    marker="d",
    with_holm=True,
    place=5,
    count=_count,
    combine=_combine,
    **sums.shortcuts(_evidence),
)
