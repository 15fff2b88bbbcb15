r"""What n datasets show together: the law of k-hat under a true gain, before anything is run.

Bonferroni's k-hat is at least k if, for every u up to k, at least u p-values are at most
:math:`\alpha/(n-u+1)`. With datasets drawn independently these n numbers of p-values below growing
thresholds form a Markov chain, once datasets of the same law are counted together: a recursion over
the thresholds gives the law of k-hat exactly. The states are the numbers below a threshold of each
kind of dataset. Where these are too many, and for the other methods, families of p-values are drawn
from their laws.

The number of p-values at most alpha is the expected count without a guarantee; the expected number
of datasets that Holm's procedure names is that of Bonferroni's k-hat. Every other method names
fewer datasets than it counts; `named` gives the probability of each.

Local tests that flip signs or draw null columns for each family are planned by their counterparts
in closed form (`CLOSED_FORMS`). The draws are those of right and wrong answers. Their counterpart
takes mid-p-values, which have nearly the null distribution that the columns are drawn from.
"""

import bisect
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import closed_testing, local_tests, sum_or_max

MOST_DATASETS = 1_000
"""Maximum number of datasets for which the distribution of a count is computed."""

MOST_STATES = 2**16
"""Maximum number of states in the exact recursion for Bonferroni's count."""

N_FAMILIES = 10_000
"""Number of families drawn if the distribution is simulated."""

CLOSED_FORMS = {
    name: test.planned_by for name, test in local_tests.load().items() if test.planned_by
}
"""Maps a local test by flips or draws to the closed form that plans use instead."""

BY_MID_P = ("discrete",)
"""Local tests that are planned from mid-p-values."""

METHODS = (*closed_testing.METHODS, *CLOSED_FORMS)
"""Local tests that can be planned."""

STANDARD_ERRORS = 2
"""Simulation standard errors subtracted from a probability before it is stated."""

_DRAWN = 2**20  # p-values that are drawn at a time


@dataclass(frozen=True)
class CountLaw:
    """Law of k-hat over n datasets.

    Attributes
    ----------
    probabilities : ndarray of float64, shape (n + 1,)
        Of k-hat = 0, ..., n.
    n_families : int
        Simulated families; 0 if the law is exact.
    """

    probabilities: np.ndarray
    n_families: int = 0

    @property
    def mean(self):
        """Expected k-hat."""
        return float(self.probabilities @ np.arange(len(self.probabilities)))

    @property
    def standard_error(self):
        """Standard error of the mean from simulation; 0 if it is exact."""
        if not self.n_families:
            return 0.0
        away = np.arange(len(self.probabilities)) - self.mean
        return math.sqrt(self.probabilities @ away**2 / self.n_families)

    def at_least(self, k):
        """Probability that k-hat is k or more."""
        return float(min(self.probabilities[k:].sum(), 1.0))

    def surely(self, k):
        """Probability that k-hat is k or more, less two standard errors of the simulation."""
        return lowered(self.at_least(k), self.n_families)


def lowered(probability, n_families):
    """Lower a simulated probability by `STANDARD_ERRORS`.

    `probability`: share of the families. `n_families`: simulated families; 0 if the probability is
    exact.

    Returns float. The probability that can be stated, at least 0.

    Examples
    --------
    >>> lowered(0.8, 0), lowered(0.8, 10_000)
    (0.8, 0.792)
    """
    if not n_families:
        return probability
    error = math.sqrt(probability * (1 - probability) / n_families)
    return max(probability - STANDARD_ERRORS * error, 0.0)


def expected_count(laws, alpha=0.05):
    """Expected number of datasets with p <= alpha, which bounds nothing.

    `laws` (power.Outcomes, power.Scores, power_of_margins.Margins or power_of_means.Means): laws of
    n datasets. `alpha`: level, in (0, 1).

    Returns float. Sum of the powers, whatever the dependence between the datasets.

    Raises `InputError`: if alpha is not in (0, 1).
    """
    return float(laws.power([checks.alpha(alpha)]).sum())


def k_hat(laws, alpha=0.05, method="bonferroni", *, n_families=N_FAMILIES, seed=0):
    """Law of the number of datasets that a method shows.

    `laws` (power.Outcomes, power.Scores, power_of_margins.Margins or power_of_means.Means): laws of
    n datasets, 1 to `MOST_DATASETS`, that are drawn independently. `alpha`: level, in (0, 1).
    `method`: one of `METHODS`. `n_families`: families to draw where the law is simulated. `seed`:
    entropy of a `numpy.random.SeedSequence`.

    Returns CountLaw. Of Bonferroni's count exact, as far as the power of each dataset is, if
    datasets of the same law make at most `MOST_STATES` states; else simulated.

    Examples
    --------
    >>> from replicability.stats import power
    >>> law = k_hat(power.Outcomes([500] * 20, 0.15, 0.03))
    >>> round(law.mean, 2), round(law.at_least(1), 2)
    (2.51, 0.92)
    """
    level, n = _checked(laws, alpha, method), len(laws.gain)
    if CLOSED_FORMS.get(method, method) == "bonferroni":
        below = laws.power(level / np.arange(n, 0, -1.0))
        kinds, sizes = np.unique(below, axis=0, return_counts=True)
        if math.prod(int(size) + 1 for size in sizes) <= MOST_STATES:
            return CountLaw(recursion(kinds, sizes))
    families = checks.at_least("n_families", n_families)
    counted = _drawn(
        laws, families, seed, lambda p: _counted(p, level, method), mid_p=method in BY_MID_P
    )
    return CountLaw(np.bincount(counted, minlength=n + 1) / len(counted), len(counted))


def named(laws, alpha=0.05, method="bonferroni", *, place=None, n_families=N_FAMILIES, seed=0):
    """Probability that closed testing names each dataset.

    `laws`, `alpha`, `method`, `n_families`, `seed`: as for `k_hat`; families are drawn by every
    method. `place`: place of the only dataset that is asked for, from 0, which takes less time.

    Returns ndarray of float64, shape (n,), or float. Shares of the families; their sum is the
    expected number of names.

    Raises `InputError`: as `k_hat`, or if there is no such dataset.

    Examples
    --------
    >>> from replicability.stats import power
    >>> laws = power.Outcomes([500, 2000], 0.15, 0.03)
    >>> named(laws, method="fisher").round(1)
    array([0.5, 1. ])
    """
    level, n = _checked(laws, alpha, method), len(laws.gain)
    if place is not None and not (checks.is_whole(place) and 0 <= place < n):
        raise checks.InputError(f"place is {place!r}; pass the index of a dataset, 0 to {n - 1}.")
    families = checks.at_least("n_families", n_families)

    def names(pvalues):
        if place is not None:
            return is_named(pvalues, place, level, method)
        local = CLOSED_FORMS.get(method, method)
        if local == "sum_or_max":
            return sum_or_max.names(pvalues, level)
        return closed_testing.names(pvalues, level, local)

    found = _drawn(laws, families, seed, names, mid_p=method in BY_MID_P)
    if method in BY_MID_P:  # a dataset alone is tested by its own p-value
        alone = slice(None) if place is None else place
        found = found & _drawn(laws, families, seed, lambda p: p[..., alone] <= level)
    shares = found.mean(axis=0)
    return shares if place is None else float(shares)


def is_named(pvalues, place, alpha=0.05, method="bonferroni"):
    """Whether a method names one dataset in each family.

    `pvalues` (array_like, shape (m, n)): families of p-values, or of mid-p-values where `BY_MID_P`
    has the method. `place`: place of the dataset, from 0. `alpha`: level, in (0, 1). `method`: one
    of `METHODS`.

    Returns ndarray of bool, shape (m,). By the closed form of the method.

    Raises `InputError`: as `closed_testing.bound`.

    Examples
    --------
    >>> is_named([[0.01, 0.2], [0.04, 0.2]], 0, method="joint").tolist()
    [True, False]
    """
    local = CLOSED_FORMS.get(method, method)
    if local == "sum_or_max":
        return sum_or_max.named(pvalues, place, alpha)
    return closed_testing.bound(pvalues, [place], alpha, local) > 0


def recursion(below, sizes):
    r"""Law of Bonferroni's k-hat from the probabilities that p-values are below its thresholds.

    `below` (array_like, shape (g, n)): for each kind of dataset the probabilities of
    :math:`p \le \alpha/(n-u+1)`, u = 1, ..., n. `sizes` (sequence of int, shape (g,)): datasets of
    each kind, n in all.

    Returns ndarray of float64, shape (n + 1,). Probabilities of k-hat = 0, ..., n, for datasets
    drawn independently.

    Notes
    -----
    k-hat is u - 1 for the first u with fewer than u p-values at most the u-th threshold. The state
    before it is the number of p-values of each kind below the threshold before; from m of s to m'
    of s it goes by a binomial law of s - m trials.
    """
    shape = tuple(int(size) + 1 for size in sizes)
    total = sum(np.ogrid[tuple(slice(length) for length in shape)])
    n = int(np.sum(sizes))
    state = np.zeros(shape)
    state[(0,) * len(shape)] = 1.0
    law, before = np.zeros(n + 1), np.zeros(len(shape))
    for u, now in enumerate(np.asarray(below).T, start=1):
        with np.errstate(invalid="ignore", divide="ignore"):
            step = np.where(before < 1, (now - before) / (1 - before), 0.0)
        for axis, (size, share) in enumerate(zip(sizes, np.clip(step, 0, 1), strict=True)):
            moved = np.moveaxis(state, axis, -1) @ _steps(int(size), share)
            state = np.moveaxis(moved, -1, axis)
        stopped = total < u
        law[u - 1] = state[stopped].sum()
        state = np.where(stopped, 0.0, state)
        before = now
    law[n] = state.sum()
    return law


def least_gain(law_of, k=1, power=0.8, *, values):
    """Find the smallest of several gains at which k datasets are shown often enough.

    `law_of`: from a gain on all datasets, or another number that raises k-hat, to the `CountLaw`.
    `k`: datasets to be shown, at least 1. `power`: probability that k-hat is at least k, in (0, 1).
    `values` (sequence of float): gains to choose from, ascending, such as those that are printed
    without rounding.

    Returns float. The least of them that is enough, found by bisection; NaN if none is. A
    probability that is simulated is lowered before it is compared (`CountLaw.surely`).

    Raises `InputError`: if `k` or `power` is not as described, or there are no values; and as
    `law_of`.

    Examples
    --------
    >>> from replicability.stats import power
    >>> law_of = lambda gain: k_hat(power.Outcomes([500] * 20, 0.15, gain))
    >>> least_gain(law_of, values=[0.01, 0.02, 0.025, 0.027, 0.03])
    0.027
    """
    share = checks.confidence_level(power, "power")
    gains = [float(value) for value in values]
    if not gains:
        raise checks.InputError("values is empty; pass the candidate gains.")
    n = len(law_of(gains[-1]).probabilities) - 1
    if not (checks.is_whole(k) and 1 <= k <= n):
        raise checks.InputError(f"k is {k!r}; pass a number of datasets, 1 to {n}.")
    if law_of(gains[-1]).surely(k) < share:
        return math.nan
    return gains[bisect.bisect_left(gains[:-1], True, key=lambda g: law_of(g).surely(k) >= share)]


def _steps(size, share):
    """Return the probabilities to go from m to m' of so many datasets, rows m."""
    start, end = np.ogrid[: size + 1, : size + 1]
    more = end - start
    within = np.where(more >= 0, more, 0)
    left = np.where(more >= 0, size - start, 0)
    log_binomial = (
        special.gammaln(left + 1) - special.gammaln(within + 1) - special.gammaln(left - within + 1)
    )
    weights = log_binomial + special.xlogy(within, share) + special.xlog1py(left - within, -share)
    return np.where(more >= 0, np.exp(weights), 0.0)


def _checked(laws, alpha, method):
    """Return the level, if method and number of datasets can be planned."""
    n = len(laws.gain)
    checks.choice("method", method, METHODS)
    if n > MOST_DATASETS:
        raise checks.InputError(
            f"The distribution of k-hat can be computed for at most {MOST_DATASETS:,} datasets, "
            f"but there are {n:,}; plan with fewer datasets."
        )
    return checks.alpha(alpha)


def _counted(pvalues, level, method):
    """Count by the closed form of a method, in each family."""
    local = CLOSED_FORMS.get(method, method)
    if local == "sum_or_max":
        return sum_or_max.bound(pvalues, level)
    return closed_testing.bound(pvalues, None, level, local)


def _drawn(laws, n_families, seed, show, mid_p=False):
    """Draw families in blocks, each with a child of the seed, and ask what each shows."""
    step = max(1, _DRAWN // len(laws.gain))
    parts = range(0, n_families, step)
    children = np.random.SeedSequence(checks.at_least("seed", seed, 0)).spawn(len(parts))
    return np.concatenate(
        [
            show(laws.draw(min(step, n_families - start), child, mid_p=mid_p))
            for start, child in zip(parts, children, strict=True)
        ]
    )
