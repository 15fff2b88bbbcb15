"""Stouffer's test: the sum of normal quantiles of 1 - p; valid for independent datasets."""

import functools

import numpy as np
from scipy import special

from replicability.stats import critical_values, families, sums
from replicability.stats.local_tests import LocalTest


def _combine(values, n):
    z = sums.of_largest(special.ndtri(values))
    combined = np.nan_to_num(special.ndtr(z / np.sqrt(families.sizes_left(n))), nan=1.0)
    combined[..., -1] = values.max(axis=-1)
    return combined


def _evidence(pvalues, alpha, tau):
    critical = critical_values.stouffer(pvalues.shape[-1], alpha)
    terms = sums.decided(-special.ndtri(pvalues), pvalues <= alpha, critical)
    return sums.Evidence(terms, critical)


LOCAL_TEST = LocalTest(
    name="stouffer",
    title="Stouffer",
    cited=(
        "Stouffer et al. 1949",
        "Stouffer, Suchman, DeVinney, Star and Williams (1949), The American Soldier, volume 1, "
        "Princeton University Press.",
    ),
    valid_under=("independent",),
    strong="A's advantage is about equally large on all datasets",
    weak="at least one p-value is near 1",
    colour="#56B4E9",
    marker="v",
    place=4,
    count=functools.partial(sums.count, terms=special.ndtri, critical=critical_values.stouffer),
    combine=_combine,
    **sums.shortcuts(_evidence),
)
