"""Whether a new system may replace an old one: ship, block, or cannot tell.

A gate asks two questions about n datasets. BLOCK needs evidence that the new system is worse on at
least k of them; which ones, and on how many, comes from one closed testing procedure. SHIP needs
evidence that it is not worse by more than a margin: on every dataset, on at least s of them, or on
their mean. Without either the gate cannot tell.

**Error rate.** A BLOCK is wrong if fewer than k datasets are worse, a SHIP if more than n - s are
worse by more than the margin. If n - s + 1 >= k, then not both can be wrong for the same pair of
systems, so that each is tested at alpha, and a verdict is wrong with probability alpha at most.
Else each is tested at alpha / 2.

**SHIP.** "Not worse on every dataset" is shown if each of the n tests rejects at the level, without
a correction (an intersection-union test; Berger 1982), under any dependence. "On at least s" is one
partial-conjunction hypothesis, which was chosen in advance. The mean is tested by the limit of its
one-sided interval.

References
----------
Berger (1982), Technometrics 24(4), 295-300. Benjamini and Heller (2008), Biometrics 64(4),
1215-1222. Goeman and Solari (2011), Statistical Science 26(4), 584-597, for the closed procedure.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.core import procedure
from replicability.stats import partial_conjunction, two_samples
from replicability.stats.estimators import METHODS

SHIP, BLOCK, CANNOT_TELL = "SHIP", "BLOCK", "CANNOT TELL"
"""The verdicts."""

EXIT = {SHIP: 0, BLOCK: 1, CANNOT_TELL: 2}
"""Verdict -> status of the process."""

EVERY, OVERALL = "every", "overall"
"""Alternatives to a number of datasets in the condition of SHIP."""

POWER = 0.8
"""Target probability that an unchanged system is shipped."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What a gate needs for its verdicts.

    Attributes
    ----------
    ship : "every", "overall" or int, default "every"
        On which datasets the new system must be shown not to be worse by more than the margin.
    block : int, default 1
        On how many datasets it must be shown to be worse.
    guarded : tuple of str
        Datasets on which evidence that it is worse blocks by itself.
    """

    ship: str | int = EVERY
    block: int = 1
    guarded: tuple = ()

    def needs(self, n):
        """Return on how many of n datasets SHIP must be shown; None for their mean."""
        if self.ship == OVERALL:
            return None
        return n if self.ship == EVERY else self.ship

    def level(self, alpha, n):
        """Return the level of either verdict: alpha, or half of it where both could be wrong.

        Examples
        --------
        >>> Policy().level(0.05, 12), Policy(block=2).level(0.05, 12)
        (0.05, 0.025)
        """
        needed = self.needs(n)
        # a mean that is worse needs one dataset that is
        worse = 1 if needed is None else n - needed + 1
        return alpha if worse >= self.block else alpha / 2

    def check(self, datasets):
        """Refuse a policy that n datasets cannot meet.

        Raises `InputError`: if it asks for more datasets than there are, or guards one that is not
        there.
        """
        n = len(datasets)
        for key, asked in (("ship", self.ship), ("block", self.block)):
            if isinstance(asked, int) and asked > n:
                raise checks.InputError(
                    f"{checks.named(key)} requires {asked} datasets, but the systems are compared "
                    f"on {n}; give a number from 1 to {n}."
                )
        for name in self.guarded:
            checks.choice("must_not_regress: dataset", name, list(datasets))


@dataclass(frozen=True)
class Mean:
    """The mean over datasets of the difference, new less base.

    Attributes
    ----------
    difference, error : float
        The mean, and its standard error, or a bound on it where dependence is unknown.
    low : float
        Its lower limit, at the level of a verdict.
    margin : float
        The mean of the margins.
    """

    difference: float
    error: float
    low: float
    margin: float


@dataclass(frozen=True)
class Evidence:
    """What a gate knows of n datasets.

    Attributes
    ----------
    worse : procedure.Procedure
        Closed testing of "the new system is worse", at the level of a verdict.
    not_worse : ndarray, shape (n,)
        p-values of "the new system is worse by the margin or more": small ones show that it is not.
    method : str
        Combination for "at least s": one of `estimators.METHODS`.
    mean : Mean or None
        None where the policy does not ask for it.
    """

    worse: procedure.Procedure
    not_worse: np.ndarray
    method: str = "bonferroni"
    mean: Mean | None = None

    @property
    def n_worse(self):
        """Lower bound on the number of datasets on which the new system is worse."""
        return self.worse.at_least()

    @property
    def regressed(self):
        """Names of the datasets on which the new system is shown to be worse."""
        each = zip(self.worse.datasets, self.worse.named, strict=True)
        return [dataset for dataset, named in each if named]


def ships(policy, evidence):
    """Tell whether the new system is shown not to be worse by more than the margin.

    `policy` (Policy): what is needed. `evidence` (Evidence): what is known.

    Returns bool.
    """
    needed = policy.needs(len(evidence.not_worse))
    if needed is None:
        return bool(evidence.mean.low + evidence.mean.margin > 0)
    return pvalue(evidence.not_worse, needed, evidence.method) <= evidence.worse.alpha


def pvalue(not_worse, needed, method="bonferroni"):
    """Return the p-value of "not worse by more than the margin on at least s of n datasets".

    `not_worse` (array_like, shape (n,)): p-values of the datasets. `needed`: the number s, from 1
    to n. `method`: how the n - s + 1 largest p-values are combined.

    Returns float. Valid as the method is, for a number that was chosen in advance.

    Examples
    --------
    >>> pvalue([0.01, 0.04, 0.03], 3), pvalue([0.01, 0.04, 0.03], 2)
    (0.04, 0.06)
    """
    largest = np.sort(np.asarray(not_worse, float))[needed - 1 :]
    return float(partial_conjunction.partial_conjunction_pvalues(largest, method)[0])


def verdict(policy, evidence):
    """Decide.

    `policy` (Policy): what is needed. `evidence` (Evidence): what is known.

    Returns str. `BLOCK` if a guarded dataset is shown to be worse; else `SHIP` if that is shown,
    also where datasets are worse by less than the margin; else `BLOCK` if enough datasets are shown
    to be worse; else `CANNOT_TELL`.
    """
    if set(policy.guarded) & set(evidence.regressed):
        return BLOCK
    if ships(policy, evidence):
        return SHIP
    return BLOCK if evidence.n_worse >= policy.block else CANNOT_TELL


def combination(comparison, table):
    """Return the method by which "at least s" is combined: that of the dependence, or Bonferroni.

    `comparison`: its `dependence` and `method`.

    Returns str. One of `estimators.METHODS`; "bonferroni" where flips or draws would have to be
    searched.
    """
    chosen = procedure.chosen(comparison, table)
    return chosen if chosen in METHODS else "bonferroni"


# --- what would settle it ------------------------------------------------------------------------


def powers(errors, margins, level):
    """Return how likely each dataset is shown not to be worse, if the systems are equal on it.

    `errors` (array_like, shape (n,)): standard errors of the differences. `margins` (array_like,
    shape (n,)): margins, above 0, in the same unit. `level`: level of each test, in (0, 1).

    Returns ndarray of float64, shape (n,). Probabilities, by the normal approximation; 1 where the
    error is 0.

    Examples
    --------
    >>> powers([0.01, 0.005], [0.01, 0.01], 0.05).round(2)
    array([0.26, 0.64])
    """
    with np.errstate(divide="ignore"):
        ratio = np.asarray(margins, float) / np.asarray(errors, float)
    return special.ndtr(ratio - special.ndtri(1 - level))


def fewest_runs(level):
    """Return of how many runs of both systems together a permutation test can reach a level.

    Examples
    --------
    >>> fewest_runs(0.05), fewest_runs(0.025)  # 1/20 of three runs of each, 1/70 of four
    (6, 8)
    """
    return next(2 * n for n in itertools.count(2) if two_samples.floor(n, n) <= level)


def power(each, needed):
    """Return how likely at least s independent datasets are shown not to be worse.

    `each` (array_like, shape (n,)): probabilities, as in `powers`. `needed`: the number s, from 1
    to n.

    Returns float. The number of datasets is Poisson binomial.

    Examples
    --------
    >>> round(power([0.9, 0.9, 0.8], 3), 3)
    0.648
    """
    law = np.ones(1)
    for probability in np.asarray(each, float):
        law = np.convolve(law, [1 - probability, probability])
    return min(1.0, float(law[needed:].sum()))


def power_bounds(each, needed):
    """Return the least and the largest value of `power` under any dependence.

    `each`, `needed`: as in `power`.

    Returns tuple of (float, float). No dependence goes beyond them.

    Notes
    -----
    Of at least s successes j can be those of the j likeliest datasets, and by Markov's inequality
    the others have s - j with at most the sum of their probabilities over s - j. The least is 1
    minus the same bound for n - s + 1 failures.

    Examples
    --------
    >>> [round(bound, 3) for bound in power_bounds([0.9, 0.9, 0.8], 3)]
    [0.6, 0.8]
    """
    each = np.sort(np.asarray(each, float))
    n = len(each)
    return 1 - _at_most(np.sort(1 - each), n - needed + 1), _at_most(each, needed)


def _at_most(ascending, needed):
    """Bound the probability of so many successes from above."""
    n = len(ascending)
    return min(1.0, *(float(ascending[: n - j].sum()) / (needed - j) for j in range(needed)))


def items_needed(items, errors, differences, margins, level, share=POWER):
    """Return with how many items a dataset would be settled, if its difference stayed as it is.

    `items` (array_like of int, shape (n,)): numbers of items, or of units. `errors` (array_like,
    shape (n,)): standard errors of the differences with so many items. `differences` (array_like,
    shape (n,)): new less base. `margins` (array_like, shape (n,)): margins, above 0, in the same
    unit. `level`: level of each test. `share`: probability with which the new system is shown to be
    worse, or to be within the margin.

    Returns ndarray of float64, shape (n,). The smaller number of both; infinite for none. Standard
    errors shrink with the root of the number of items; by the normal approximation.

    Examples
    --------
    >>> items_needed([1000], [0.01], [-0.004], [0.01], 0.05)
    array([17174.])
    """
    steps = special.ndtri(1 - level) + special.ndtri(share)
    d, m, s = (np.asarray(values, float) for values in (differences, margins, errors))
    with np.errstate(divide="ignore", over="ignore"):
        ways = [np.where(of > 0, steps * s / of, np.inf) for of in (m + d, -d)]
        return np.ceil(np.asarray(items) * np.minimum(*ways) ** 2)


def times_needed(mean, level, share=POWER):
    """Return how many times as many items would ship it, if the mean difference stayed as it is.

    `mean`: Mean. `level`: level of the test. `share`: probability with which it ships.

    Returns float. Infinite for a loss of the margin or more; by the normal approximation.

    Examples
    --------
    >>> round(times_needed(Mean(-0.004, 0.01, -0.02, 0.01), 0.05), 3)  # as in `items_needed`
    17.174
    """
    excess = mean.difference + mean.margin
    if excess <= 0:
        return math.inf
    return float(((special.ndtri(1 - level) + special.ndtri(share)) * mean.error / excess) ** 2)
