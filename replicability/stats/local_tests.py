r"""Local tests by sums: the evidence of each dataset, and how much of it rejects an intersection.

A local test of m null hypotheses adds up evidence that grows as a p-value falls, and rejects their
intersection if the sum reaches the critical value for m. Every test here is monotone in each
p-value and symmetric, as the shortcuts of `closed_testing` require.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import critical_values


@dataclass(frozen=True)
class Evidence:
    """Evidence of families of datasets, and what a local test makes of it.

    Attributes
    ----------
    terms : ndarray of float64, shape (..., n)
        Evidence of each dataset for "A is better"; numbers, or infinite.
    critical : ndarray of float64, shape (n,)
        Least sums that reject sets of 1, ..., n datasets.
    kept : ndarray of bool, shape (..., n)
        The datasets whose own null hypothesis can be rejected at all.
    pvalues : ndarray of float64, shape (..., n), optional
        p-values, in the reverse order of the terms, for a test that looks at the smallest, too.
    single : ndarray of float64, shape (n,), optional
        Largest p-values that reject a set of 1, ..., n datasets, whatever the others are.
    """

    terms: np.ndarray
    critical: np.ndarray
    kept: np.ndarray
    pvalues: np.ndarray | None = None
    single: np.ndarray | None = None


def evidence(pvalues, alpha, method, tau=0.5):
    """Return the evidence that a local test by sums sees in families of p-values.

    Parameters
    ----------
    pvalues : ndarray of float64, shape (..., n)
        Families of p-values along the last axis.
    alpha : float
        Level, in (0, 1).
    method : {"fisher_bonferroni", "fisher", "stouffer", "truncated_fisher", "conditional_fisher"}
        Local test; see `closed_testing`.
    tau : float, default 0.5
        Of the last two methods: larger p-values carry no evidence; alpha to 1.

    Returns
    -------
    Evidence
        Evidence and critical values. A single dataset is rejected if p <= alpha, to the last bit.

    Raises
    ------
    InputError
        If tau is not as described.
    """
    n = pvalues.shape[-1]
    small, kept = pvalues <= alpha, np.ones(pvalues.shape, dtype=bool)
    if method == "stouffer":
        critical = critical_values.stouffer(n, alpha)
        return Evidence(_decided(-special.ndtri(pvalues), small, critical), critical, kept)
    with np.errstate(divide="ignore"):
        terms = -np.log(pvalues)
    if method == "fisher_bonferroni":
        single = alpha / np.arange(1.0, n + 1)
        return Evidence(terms, critical_values.beside_bonferroni(n, alpha), kept, pvalues, single)
    critical = critical_values.fisher(n, alpha)
    if method == "fisher":
        return Evidence(_decided(terms, small, critical), critical, kept)
    share = checks.finite("tau", tau)
    if not alpha <= share <= 1:
        raise checks.InputError(
            f"tau is {share:g}, but it is a p-value above which there is no evidence; choose it "
            f"between alpha, {alpha:g}, and 1, before the p-values are seen, such as 0.5."
        )
    if method == "truncated_fisher":
        critical = critical_values.truncated(n, alpha, share)
        terms = np.where(pvalues <= share, terms, 0.0)
        return Evidence(_decided(terms, small, critical), critical, kept)
    kept = pvalues <= share
    terms = _decided(terms + np.log(share), pvalues <= alpha * share, critical)
    # no set gains by a dataset that is left out: its null hypothesis is never rejected
    return Evidence(np.where(kept, terms, np.inf), critical, kept)


def _decided(terms, small, critical):
    """Make rounding agree with p <= alpha where a set has one member."""
    least, most = critical[0], np.nextafter(critical[0], -np.inf)
    return np.where(small, np.maximum(terms, least), np.minimum(terms, most))
