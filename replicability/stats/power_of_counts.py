r"""What n datasets show together: the law of k-hat under a true gain, before anything is run.

Bonferroni's k-hat is at least k if, for every u up to k, at least u p-values are at most
:math:`\alpha/(n-u+1)`. With datasets drawn independently these n numbers of p-values below growing
thresholds form a Markov chain, once datasets of the same law are counted together: a recursion over
the thresholds gives the law of k-hat exactly. The states are the numbers below a threshold of each
kind of dataset. Where these are too many, and for the other methods, families of p-values are drawn
from their laws.

The number of p-values at most alpha is the expected count without a guarantee; the expected number
of datasets that Holm's procedure names is that of Bonferroni's k-hat.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import closed_testing

MOST_DATASETS = 1_000
"""Datasets up to which the law of a count is computed."""

MOST_STATES = 2**16
"""States of the recursion up to which the law of Bonferroni's count is computed, not simulated."""

N_FAMILIES = 10_000
"""Families that are drawn where the law is simulated."""

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


def expected_count(laws, alpha=0.05):
    """Expected number of datasets with p <= alpha, which bounds nothing.

    Parameters
    ----------
    laws : power.Outcomes or power.Scores
        Laws of n datasets.
    alpha : float, default 0.05
        Level, in (0, 1).

    Returns
    -------
    float
        Sum of the powers, whatever the dependence between the datasets.

    Raises
    ------
    InputError
        If alpha is not in (0, 1).
    """
    return float(laws.power([checks.alpha(alpha)]).sum())


def k_hat(laws, alpha=0.05, method="bonferroni", *, n_families=N_FAMILIES, seed=0):
    """Law of the number of datasets that a method shows.

    Parameters
    ----------
    laws : power.Outcomes or power.Scores
        Laws of n datasets, 1 to `MOST_DATASETS`, that are drawn independently.
    alpha : float, default 0.05
        Level, in (0, 1).
    method : str, default "bonferroni"
        One of `closed_testing.METHODS`.
    n_families : int, default 10,000
        Families to draw where the law is simulated.
    seed : int, default 0
        Entropy of a `numpy.random.SeedSequence`.

    Returns
    -------
    CountLaw
        Of Bonferroni's count exact, as far as the power of each dataset is, if datasets of the same
        law make at most `MOST_STATES` states; else simulated.

    Raises
    ------
    InputError
        If an argument is not as described.

    Examples
    --------
    >>> from replicability.stats import power
    >>> law = k_hat(power.Outcomes([500] * 20, 0.15, 0.03))
    >>> round(law.mean, 2), round(law.at_least(1), 2)
    (2.51, 0.92)
    """
    level, n = checks.alpha(alpha), len(laws.gain)
    checks.choice("method", method, closed_testing.METHODS)
    if n > MOST_DATASETS:
        raise checks.InputError(
            f"There are {n:,} datasets; the law of a count is computed for at most "
            f"{MOST_DATASETS:,}. The mean of fewer datasets of the same sizes tells the share."
        )
    if method == "bonferroni":
        below = laws.power(level / np.arange(n, 0, -1.0))
        kinds, sizes = np.unique(below, axis=0, return_counts=True)
        if math.prod(int(size) + 1 for size in sizes) <= MOST_STATES:
            return CountLaw(recursion(kinds, sizes))
    families = checks.at_least("n_families", n_families)
    counted = _drawn(laws, families, seed, lambda p: closed_testing.bound(p, None, level, method))
    return CountLaw(np.bincount(counted, minlength=n + 1) / families, families)


def expected_names(laws, alpha=0.05, method="bonferroni", *, n_families=N_FAMILIES, seed=0):
    """Expected number of datasets that closed testing names.

    Parameters
    ----------
    laws, alpha, method, n_families, seed
        As for `k_hat`.

    Returns
    -------
    float
        For Bonferroni, whose names are Holm's, the mean of `k_hat`; else by simulation.

    Raises
    ------
    InputError
        As `k_hat`.
    """
    if method == "bonferroni":
        return k_hat(laws, alpha, n_families=n_families, seed=seed).mean
    level = checks.alpha(alpha)
    checks.choice("method", method, closed_testing.METHODS)
    families = checks.at_least("n_families", n_families)
    named = _drawn(
        laws, families, seed, lambda p: closed_testing.names(p, level, method).sum(axis=-1)
    )
    return float(named.mean())


def recursion(below, sizes):
    r"""Law of Bonferroni's k-hat from the probabilities that p-values are below its thresholds.

    Parameters
    ----------
    below : array_like, shape (g, n)
        For each kind of dataset the probabilities of :math:`p \le \alpha/(n-u+1)`, u = 1, ..., n.
    sizes : sequence of int, shape (g,)
        Datasets of each kind, n in all.

    Returns
    -------
    ndarray of float64, shape (n + 1,)
        Probabilities of k-hat = 0, ..., n, for datasets drawn independently.

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


def least_gain(law_of, k=1, power=0.8, *, most, halvings=20):
    """Least true gain with which k datasets are shown with a given probability.

    Parameters
    ----------
    law_of : callable
        From a gain on all datasets to the `CountLaw`.
    k : int, default 1
        Datasets to be shown, at least 1.
    power : float, default 0.8
        Probability that k-hat is at least k, in (0, 1).
    most : float
        Largest gain that `law_of` takes.
    halvings : int, default 20
        Steps of the bisection.

    Returns
    -------
    float
        The gain, to `most` times 2 to the power of -`halvings` where the law is exact; NaN if even
        the largest is too small.

    Raises
    ------
    InputError
        If `k` or `power` is not as described; and as `law_of`.

    Examples
    --------
    >>> from replicability.stats import power
    >>> gain = least_gain(lambda gain: k_hat(power.Outcomes([500] * 20, 0.15, gain)), most=0.15)
    >>> round(gain, 4)
    0.026
    """
    share = checks.confidence_level(power, "power")
    n = len(law_of(most).probabilities) - 1
    if not (checks.is_whole(k) and 1 <= k <= n):
        raise checks.InputError(f"k is {k!r}; name how many of the {n} datasets, 1 to {n}.")
    if law_of(most).at_least(k) < share:
        return math.nan
    low, high = 0.0, float(most)
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if law_of(middle).at_least(k) >= share else (middle, high)
    return high


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


def _drawn(laws, n_families, seed, count):
    """Draw families in blocks, each with a child of the seed, and count in each family."""
    n = len(laws.gain)
    step = max(1, _DRAWN // n)
    parts = range(0, n_families, step)
    children = np.random.SeedSequence(checks.at_least("seed", seed, 0)).spawn(len(parts))
    return np.concatenate(
        [
            np.atleast_1d(count(laws.draw(min(step, n_families - start), child)))
            for start, child in zip(parts, children, strict=True)
        ]
    )
