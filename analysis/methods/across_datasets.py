r"""Tests of a difference over the population of datasets: Søgaard (2013) beside Demšar (2006).

Søgaard ("Estimating effect size across datasets", NAACL-HLT 2013) replaces the normal assumption of
tests over datasets by a Gumbel distribution. We could not get his text beyond its first page. What
is restated here follows from its abstract and from Dror et al. (2017), Section 2: the error
reductions on n datasets are independent draws of one Gumbel distribution, and the effect is its
mean. With location :math:`\mu`, scale :math:`\beta` and Euler's constant :math:`\gamma` the mean is
:math:`\mu + \gamma\beta`. `gumbel` tests that it is 0 by the likelihood ratio, with the law of
chi-squared (large n), or with its exact law: under the null hypothesis only the scale is unknown,
which the ratio does not depend on, so that draws of any scale give the law for each n.

`sizes` simulates how often each test rejects where the mean over the population is 0, and
`selection` what is claimed where datasets are not drawn at random.
"""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from replicability import checks
from replicability.stats import paired

EULER = float(np.euler_gamma)

POPULATIONS = {
    "normal": lambda rng, size: rng.normal(0, 1, size),
    "Gumbel": lambda rng, size: rng.gumbel(-EULER, 1, size),
    "Gumbel, reflected": lambda rng, size: -rng.gumbel(-EULER, 1, size),
    "t with 3 degrees of freedom": lambda rng, size: rng.standard_t(3, size),
    "exponential": lambda rng, size: rng.exponential(1, size) - 1,
}
"""Population of differences over datasets, with mean 0 -> draws."""


@dataclass(frozen=True)
class Gumbel:
    """A Gumbel distribution fitted to differences over datasets.

    Attributes
    ----------
    location, scale : ndarray, shape (...)
        Maximum-likelihood estimates.
    ratio : ndarray, shape (...)
        Twice the logarithm of the likelihood ratio against a mean of 0.
    """

    location: np.ndarray
    scale: np.ndarray
    ratio: np.ndarray

    @property
    def mean(self):
        """The estimated effect."""
        return self.location + EULER * self.scale

    @property
    def pvalue(self):
        """Two-sided p-value by chi-squared with one degree of freedom."""
        return special.chdtrc(1, self.ratio)


def gumbel(differences):
    """Fit a Gumbel distribution, and test that its mean is 0.

    `differences` (array_like, shape (..., n)): error reductions, or differences of scores, on n
    datasets; not all are equal.

    Returns Gumbel.

    Raises `InputError`: if there are fewer than three datasets, one has no finite number, or all
    are equal.

    Notes
    -----
    Valid for independent draws of one Gumbel distribution, skewed to the right.
    """
    x = np.asarray(differences, float)
    if x.ndim < 1 or x.shape[-1] < 3 or not np.isfinite(x).all():
        raise checks.InputError(
            "differences must be finite numbers for at least three datasets; leave out datasets "
            "without a finite difference."
        )
    spread = x.std(axis=-1, keepdims=True)
    if not (spread > 0).all():
        raise checks.InputError("All differences are equal, so no Gumbel distribution fits them.")
    x = x / spread
    free = _root(lambda b: b - x.mean(-1) + _tilted(x, b), x)
    null = _root(lambda b: _null_slope(x, b), x)
    location = -free * special.logsumexp(-x / free[..., None], axis=-1, b=1 / x.shape[-1])
    ratio = 2 * (_loglik(x, location, free) - _loglik(x, -EULER * null, null))
    spread = spread[..., 0]
    return Gumbel(location * spread, free * spread, np.maximum(ratio, 0.0))


def exact_pvalue(ratio, n, repetitions=20_000, seed=2013):
    """Return the p-value of a likelihood ratio of n datasets by its simulated exact law.

    Returns ndarray. (1 + draws that are at least as large) / (1 + `repetitions`).
    """
    law = _null_law(n, repetitions, seed)
    above = repetitions - np.searchsorted(law, np.asarray(ratio) - 1e-12, side="left")
    return (1 + above) / (1 + repetitions)


@functools.cache
def _null_law(n, repetitions, seed):
    draws = POPULATIONS["Gumbel"](np.random.default_rng(seed), (repetitions, n))
    return np.sort(gumbel(draws).ratio)


def sizes(sample_sizes, alpha, repetitions, seed):
    """Simulate how often each test over datasets rejects where the mean difference is 0.

    `sample_sizes` (sequence of int): numbers of datasets, at least 3. `alpha`: two-sided level.
    `repetitions`: draws of each population and number. `seed`: source of random numbers.

    Returns DataFrame. A row for each population and number of datasets: ``population``,
    ``datasets`` and for each test the share of draws with p at most alpha. The median of a skewed
    population is not 0, and Wilcoxon's and the sign test, which are about the centre and the
    median, may reject.
    """
    rows = []
    children = np.random.SeedSequence(seed).spawn(len(POPULATIONS))
    for name, child in zip(POPULATIONS, children, strict=True):
        rng = np.random.default_rng(child)
        for n in sample_sizes:
            x = POPULATIONS[name](rng, (repetitions, n))
            fitted = gumbel(x)
            pvalues = {
                "Gumbel, χ²": fitted.pvalue,
                "Gumbel, exact": exact_pvalue(fitted.ratio, n),
                "Wilcoxon": _wilcoxon(x),
                "sign test": _sign_test(x),
                "t-test": stats.ttest_1samp(x, 0, axis=-1).pvalue,
            }
            rejected = {test: np.mean(p <= alpha) for test, p in pvalues.items()}
            rows.append({"population": name, "datasets": n, **rejected})
    return pd.DataFrame(rows)


def selection(spread, errors, n_datasets, alpha, repetitions, seed):
    """Simulate a claim about all domains, of which the mean difference is 0.

    `spread`: standard deviation of the true difference over domains. `errors` (dict of str to
    float): size of a test set -> standard error of a measured difference. `n_datasets`: datasets of
    a study that has several. `alpha`: two-sided level. `repetitions`: studies. `seed`: source of
    random numbers.

    Returns DataFrame. A row for each way to choose test sets and size: the share of studies that
    claim a difference over all domains. One test set is tested over its items, several by
    Wilcoxon's test over datasets, as Søgaard et al. (2014), Section 5, suggest.
    """
    rows = []
    for (size, error), child in zip(
        errors.items(), np.random.SeedSequence(seed).spawn(len(errors)), strict=True
    ):
        rng = np.random.default_rng(child)
        one = rng.normal(
            0, spread, (repetitions, 1)
        )  # such as newswire, for all studies of a field
        noise = rng.normal(0, error, (repetitions, n_datasets))
        drawn = rng.normal(0, spread, (repetitions, n_datasets))
        ways = {
            "one test set": 2 * special.ndtr(-np.abs(one + noise)[:, 0] / error),
            f"{n_datasets} test sets of one domain": _wilcoxon(one + noise),
            f"{n_datasets} domains drawn at random": _wilcoxon(drawn + noise),
        }
        rows += [
            {"test sets": way, "items": size, "claims": np.mean(p <= alpha)}
            for way, p in ways.items()
        ]
    return pd.DataFrame(rows)


def _tilted(x, scale):
    """Return the mean of x with weights exp(-x / scale)."""
    return (x * special.softmax(-x / scale[..., None], axis=-1)).sum(-1)


def _null_slope(x, scale):
    """Return a positive multiple of minus the slope of the log-likelihood with a mean of 0."""
    z = x / scale[..., None]
    return scale * (1 - (z * (1 - np.exp(-z - EULER))).mean(-1))


def _loglik(x, location, scale):
    z = (x - location[..., None]) / scale[..., None]
    return (-z - np.exp(-z)).sum(-1) - x.shape[-1] * np.log(scale)


def _root(function, x):
    """Bisect for the scale, between a hundredth and a hundred times the spread, which is 1."""
    low, high = np.full(x.shape[:-1], np.log(0.01)), np.full(x.shape[:-1], np.log(100.0))
    for _ in range(45):
        middle = (low + high) / 2
        with np.errstate(over="ignore"):
            below = function(np.exp(middle)) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.exp((low + high) / 2)


def _wilcoxon(x):
    """Return exact two-sided p-values of rows without ties."""
    n = x.shape[-1]
    positive = (stats.rankdata(np.abs(x), axis=-1) * (x > 0)).sum(-1).astype(int)
    ways = np.eye(1, n * (n + 1) // 2 + 1)[0]
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    below = np.cumsum(ways) / 2.0**n
    return np.minimum(2 * below[np.minimum(positive, len(ways) - 1 - positive)], 1)


def _sign_test(x):
    wins = (x > 0).sum(-1)
    return paired.mcnemar_pvalues(wins, x.shape[-1] - wins, alternative="two-sided")
