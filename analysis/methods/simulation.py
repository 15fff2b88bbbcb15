r"""Families of p-values whose truth is known, and how often k-hat exceeds it.

A family is made of groups of datasets. The test statistics of a group are normal, with variance 1,
mean `effect` and correlation `correlation` with each other, and independent of other groups:

.. math:: z_i = \text{effect} + \sqrt{\rho}\,u + \sqrt{1 - \rho}\,e_i, \qquad p_i = 1 - \Phi(z_i)

with u shared in the group (Benjamini, Krieger and Yekutieli 2006, Section 6.1; Dror et al. 2017,
Section 5). One-sided p-values are uniform where the effect is zero.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import integrate, special, stats
from tqdm import tqdm

from replicability import checks
from replicability.stats import partial_conjunction

CHUNK_FAMILIES = 4096
"""Families made from one child of the seed: part of what a seed means, so never change it."""


@dataclass(frozen=True)
class Group:
    """Datasets of a family whose test statistics are equally correlated.

    Attributes
    ----------
    size : int
        Number of datasets, at least one.
    correlation : float
        Correlation between any two test statistics of the group, in [0, 1).
    effect : float
        Mean of the test statistics in standard errors; A is better where it is above zero.
    """

    size: int
    correlation: float = 0.0
    effect: float = 0.0

    def __post_init__(self):
        checks.at_least("The size of a group", self.size)
        if not 0 <= self.correlation < 1:
            raise checks.InputError(
                f"The correlation of a group is {self.correlation!r}, but must be in [0, 1)."
            )
        if not np.isfinite(self.effect):
            raise checks.InputError(
                f"The effect of a group is {self.effect!r}, but must be a finite number."
            )


@dataclass(frozen=True)
class Families:
    """Simulated p-values and what is true of them.

    Attributes
    ----------
    pvalues : ndarray of float64, shape (n_families, n)
        One family per row, groups in the order given.
    is_effect : ndarray of bool, shape (n,)
        Whether A is truly better on the dataset.
    """

    pvalues: np.ndarray
    is_effect: np.ndarray


def simulate(groups, n_families, rng):
    """Draw families of p-values.

    `groups` (sequence of Group): the groups that a family is made of. `n_families`: number of
    families, at least one. `rng` (numpy.random.Generator or int or SeedSequence): source of random
    numbers, or what `numpy.random.default_rng` takes.

    Returns Families. The p-values and the truth.

    Raises `InputError`: if there is no group or no family.

    Examples
    --------
    >>> families = simulate([Group(34), Group(33, 0.2), Group(33, 0.5)], 1000, 2017)
    >>> families.pvalues.shape
    (1000, 100)
    """
    groups = _groups(groups)
    checks.at_least("n_families", n_families)
    rng = np.random.default_rng(rng)
    return Families(
        np.concatenate([_draw(group, n_families, rng) for group in groups], axis=1),
        np.repeat([group.effect > 0 for group in groups], [group.size for group in groups]),
    )


@dataclass(frozen=True)
class Distribution:
    """How often each estimator took each value in a simulation.

    Attributes
    ----------
    n_families : int
        Number of simulated families.
    k : int
        True number of datasets on which A is better.
    frequencies : dict of str to ndarray of int64, shape (n + 1,)
        Estimator name ("count", or a combination method) -> number of families in which the
        estimator was 0, 1, ..., n.
    """

    n_families: int
    k: int
    frequencies: dict

    def overestimated(self, method, by_more_than=0):
        """Return the share of families in which the estimator exceeded k by more than a number.

        `method`: name of the estimator. `by_more_than`: 0 counts every k-hat > k.

        Returns float. Estimate of P(k-hat > k + by_more_than), in [0, 1].
        """
        return self.frequencies[method][self.k + by_more_than + 1 :].sum() / self.n_families

    def standard_error(self, method, by_more_than=0):
        """Return the Monte-Carlo standard error of `overestimated`.

        Returns float. Binomial standard error.
        """
        share = self.overestimated(method, by_more_than)
        return np.sqrt(share * (1 - share) / self.n_families)


def distribution(
    groups,
    n_families,
    seed,
    alpha=0.05,
    methods=("count", "bonferroni", "fisher"),
    *,
    shard=0,
    n_shards=1,
):
    """Simulate families in chunks and tabulate the estimators of k.

    Parameters
    ----------
    groups : sequence of Group
        The groups that a family is made of.
    n_families : int
        Number of families, at least one.
    seed : int
        Entropy of a `numpy.random.SeedSequence`; every `CHUNK_FAMILIES` families have a child of
        their own, so that the result depends on nothing else.
    alpha : float, default 0.05
        Bound on the probability to exceed k, and level of each test for "count"; in (0, 1).
    methods : sequence of str
        "count" (`partial_conjunction.k_count`) or methods of `partial_conjunction.k_hat`.
    shard : int, default 0
        Which part of the families to simulate, below `n_shards`.
    n_shards : int, default 1
        Number of parts, at most one for each chunk. Parts are runs of consecutive chunks, and
        `pool` of all of them is the result for one part, whatever their number.

    Returns
    -------
    Distribution
        Frequencies of the values of each estimator.

    Raises
    ------
    InputError
        If a group, a number, alpha or a name is not valid.

    Notes
    -----
    Memory is that of one chunk, whatever `n_families` is. A progress bar appears in a terminal when
    the work takes longer than a second.
    """
    groups = _groups(groups)
    alpha = checks.alpha(alpha)
    for name in methods:
        checks.choice("method", name, partial_conjunction.ESTIMATORS)
    n = sum(group.size for group in groups)
    frequencies = {name: np.zeros(n + 1, dtype=np.int64) for name in methods}
    chunks = shard_chunks(n_families, shard, n_shards)
    for chunk in tqdm(
        chunks, desc="simulating families", unit="chunk", delay=1, leave=False, disable=None
    ):
        child = np.random.SeedSequence(seed, spawn_key=(chunk,))  # as `spawn` would make it
        pvalues = simulate(groups, _chunk_size(n_families, chunk), child).pvalues
        for name in methods:
            frequencies[name] += np.bincount(
                partial_conjunction.estimate(pvalues, alpha, name), minlength=n + 1
            )
    n_simulated = min(n_families, chunks.stop * CHUNK_FAMILIES) - chunks.start * CHUNK_FAMILIES
    return Distribution(n_simulated, true_number(groups), frequencies)


def pool(parts):
    """Add up simulations of different families of the same groups.

    `parts` (sequence of Distribution): such as all shards of one simulation, in any order; at least
    one.

    Returns Distribution. Of all families; sums of integers, hence the same for any division into
    parts.

    Raises `InputError`: if there is no part, or they differ in their estimators, sizes or true
    numbers.
    """
    parts = list(parts)
    if not parts:
        raise checks.InputError("parts is empty; pass at least one simulation.")
    layouts = {(part.k, *((n, len(f)) for n, f in part.frequencies.items())) for part in parts}
    if len(layouts) > 1:
        raise checks.InputError(
            "The simulations differ in their estimators, their numbers of datasets or their true "
            "values of k; pass simulations of the same groups with the same estimators."
        )
    return Distribution(
        sum(part.n_families for part in parts),
        parts[0].k,
        {name: sum(part.frequencies[name] for part in parts) for name in parts[0].frequencies},
    )


def exact_count(groups, threshold):
    r"""Exact distribution of the number of p-values at or below a threshold.

    `groups`: the groups that a family is made of. `threshold`: threshold t in (0, 1).

    Returns ndarray of float64, shape (n + 1,). :math:`P(\#\{i : p_i \le t\} = j)` for j = 0, ...,
    n. With t = alpha this is the law of k-hat count; its first entry with t = alpha / n is P(k-hat
    Bonferroni = 0).

    Raises `InputError`: if a group or the threshold is not valid.

    Notes
    -----
    Given the shared u of a group, its p-values are independent, so that their number is binomial;
    the mixture over u is integrated adaptively to an absolute error of 1e-12.

    Examples
    --------
    >>> round(1 - float(exact_count([Group(100)], 0.05)[0]), 3)  # Dror et al. 2017, Section 3.2
    0.994
    """
    threshold = checks.alpha(threshold)
    total = np.ones(1)
    for group in _groups(groups):
        total = np.convolve(total, _exact_group_count(group, threshold))
    return total


def exact_overestimation(groups, alpha, method):
    r"""Exact probability that an estimator exceeds zero when all null hypotheses are true.

    `groups`: groups without effects. `alpha`: level of significance, in (0, 1). `method`: "count"
    or a combination method.

    Returns float. P(k-hat > 0); NaN where no closed form or single integral is known (anything but
    "count" and "bonferroni" under dependence).

    Raises `InputError`: if a group has an effect, or an argument is not valid.

    Notes
    -----
    k-hat > 0 means that some p-value is at most alpha ("count") or alpha / n ("bonferroni"), or
    that the global null hypothesis is rejected, which a test that is exact under independence
    does with probability alpha ("simes", "fisher", "stouffer").

    Examples
    --------
    >>> round(exact_overestimation([Group(100)], 0.05, "bonferroni"), 4)
    0.0488
    """
    groups = _groups(groups)
    alpha = checks.alpha(alpha)
    checks.choice("method", method, partial_conjunction.ESTIMATORS)
    if any(group.effect for group in groups):
        raise checks.InputError(
            "A group has an effect, but the exact probability assumes true nulls; set every effect "
            "to 0."
        )
    n = sum(group.size for group in groups)
    thresholds = {"count": alpha, "bonferroni": alpha / n}
    if method in thresholds:
        return 1 - float(exact_count(groups, thresholds[method])[0])
    return float("nan") if any(group.correlation for group in groups) else alpha


def exact_excess_by_two(groups, alpha, method):
    r"""Exact probability that an estimator exceeds one when all null hypotheses are true.

    `groups`: groups without effects. `alpha`: level of significance, in (0, 1). `method`: "count"
    or a combination method.

    Returns float. P(k-hat > 1) of "count" and "bonferroni" for independent datasets; otherwise NaN.

    Notes
    -----
    The count is binomial. By Bonferroni's method k-hat > 1 if the smallest of the n p-values is at
    most :math:`s = \alpha/n` and the second at most :math:`t = \alpha/(n-1)`, which has probability
    :math:`1 - (1-s)^n - n s (1-t)^{n-1}`.

    Examples
    --------
    >>> [round(exact_excess_by_two([Group(100)], 0.05, m), 4) for m in ("count", "bonferroni")]
    [0.9629, 0.0012]
    """
    groups = _groups(groups)
    n = sum(group.size for group in groups)
    if any(group.correlation or group.effect for group in groups) or n < 2:
        return float("nan")
    if method == "count":
        return float(special.bdtrc(1, n, alpha))
    if method == "bonferroni":
        s, t = alpha / n, alpha / (n - 1)
        return 1 - (1 - s) ** n - n * s * (1 - t) ** (n - 1)
    return float("nan")


def overestimation(example, groups, alpha, small, large):
    """Tabulate how often the estimators exceed zero in two simulations and in theory.

    `example`: name of the example. `groups`: groups of a family, all null hypotheses true. `alpha`:
    level of significance, in (0, 1). `small`, `large`: simulations with few and with many families.

    Returns DataFrame. One row per estimator: ``example``, ``estimator``; ``small`` and ``large``,
    the shares of families with k-hat > k; ``small_error`` and ``large_error``, their standard
    errors; ``exact``, NaN if unknown; and ``large_above_one``, the probability of k-hat > k + 1,
    exact if it is known.
    """
    return pd.DataFrame(
        {
            "example": example,
            "estimator": name,
            "small": small.overestimated(name),
            "small_error": small.standard_error(name),
            "large": large.overestimated(name),
            "large_error": large.standard_error(name),
            "exact": exact_overestimation(groups, alpha, name),
            "large_above_one": large.overestimated(name, by_more_than=1)
            if np.isnan(exact_excess_by_two(groups, alpha, name))
            else exact_excess_by_two(groups, alpha, name),
        }
        for name in large.frequencies
    )


# --- parts ---------------------------------------------------------------------------------------


def _groups(groups):
    groups = list(groups)
    if not groups:
        raise checks.InputError("groups is empty; a family needs at least one group of datasets.")
    return groups


def true_number(groups):
    """Return the number of datasets of a family on which A is truly better.

    `groups`: the groups that a family is made of.

    Returns int. k.
    """
    return sum(group.size for group in groups if group.effect > 0)


def shard_chunks(n_families, shard, n_shards):
    """Return the range of chunks of a shard; the sizes of shards differ by one chunk at most.

    Returns range. Numbers of chunks.

    Raises `InputError`: if a number is not valid, or there are fewer chunks than shards.
    """
    checks.at_least("n_families", n_families)
    checks.at_least("n_shards", n_shards)
    checks.at_least("shard", shard, 0)
    n_chunks = -(-n_families // CHUNK_FAMILIES)
    if n_shards > n_chunks:
        raise checks.InputError(
            f"n_shards is {n_shards}, but {n_families:,} families make {n_chunks} chunks of up to "
            f"{CHUNK_FAMILIES:,}, and each shard needs at least one; pass at most {n_chunks}."
        )
    if shard >= n_shards:
        raise checks.InputError(
            f"shard is {shard}, but shards are numbered from 0 to {n_shards - 1}."
        )
    return range(n_chunks * shard // n_shards, n_chunks * (shard + 1) // n_shards)


def _chunk_size(n_families, chunk):
    return min(CHUNK_FAMILIES, n_families - chunk * CHUNK_FAMILIES)


def _draw(group, n_families, rng):
    shape = (n_families, group.size)
    if group.correlation == 0 and group.effect == 0:
        return rng.random(shape)
    z = rng.standard_normal(shape)
    z *= np.sqrt(1 - group.correlation)
    z += np.sqrt(group.correlation) * rng.standard_normal((n_families, 1)) + group.effect
    return special.ndtr(-z)


def _exact_group_count(group, threshold):
    n = group.size
    j = np.arange(n + 1)
    choose = special.gammaln(n + 1) - special.gammaln(j + 1) - special.gammaln(n - j + 1)
    z = -special.ndtri(threshold)  # p <= threshold is the statistic at or above z

    def binomial(u):
        given = (group.effect + np.sqrt(group.correlation) * u - z) / np.sqrt(1 - group.correlation)
        hit, miss = special.ndtr(given), special.ndtr(-given)
        return np.exp(choose + special.xlogy(j, hit) + special.xlogy(n - j, miss))

    if group.correlation == 0:
        return binomial(0.0)
    density = stats.norm.pdf
    return integrate.quad_vec(lambda u: density(u) * binomial(u), -9, 9, epsabs=1e-12)[0]
