r"""Sum or maximum: the closed form of the local test that flips and draws of null columns use.

A set of m null hypotheses is rejected if the smaller one of the p-values of the sum of
:math:`X_i = -\ln p_i` and of their maximum is small enough (`joint.METHODS`, ``joint``). With
independent uniform p-values the :math:`X_i` are exponential, and a level :math:`a_m` of both parts
makes the level of the test alpha exactly:

.. math:: P(S \ge s \text{ or } \max_i X_i \ge x) =
          a + \sum_{k=0}^m (-1)^k \binom{m}{k} e^{-kx} P(\Gamma_m \ge s - kx) = \alpha

with :math:`P(\Gamma_m \ge s) = a`, :math:`e^{-x} = 1 - (1 - a)^{1/m}`, and :math:`\Gamma_m` of the
gamma law of shape m. Closed testing looks at the sets of the m datasets with the least evidence, as
`closed_testing` does. Plans use it, since flips would take too long (`power_of_counts`).
"""

import functools

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments

_LARGE = np.arange(25.0)[:, None]  # X_i above x; term k of the sum is at most alpha^k / k!
_HALVINGS = 50


@functools.cache
def critical(n, alpha):
    r"""Return the critical values of sums and of single p-values for m = 1, ..., n.

    `n`: largest number of p-values. `alpha`: level, in (0, 1).

    Returns (ndarray of float64, ndarray of float64), each of shape (n,). Least sums of -ln p, and
    largest p-values, that reject; not to be changed.

    Raises `InputError`: if `n` is no whole number of at least 1, or alpha is not in (0, 1).

    Notes
    -----
    Exact for independent uniform p-values, and conservative for larger or discrete ones.

    Examples
    --------
    >>> sums, single = critical(3, 0.05)
    >>> sums.round(3), single.round(4)
    (array([2.996, 5.07 , 6.769]), array([0.05  , 0.0193, 0.0119]))
    """
    sizes, level = np.arange(1.0, checks.at_least("n", n) + 1), checks.alpha(alpha)
    low, high = np.full(n, level / 2), np.full(n, level)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        small = _level(middle, sizes) <= level
        low, high = np.where(small, middle, low), np.where(small, high, middle)
    low[0] = level  # alone, sum and maximum are the same
    return special.gammainccinv(sizes, low), -np.expm1(np.log1p(-low) / sizes)


def bound(pvalues, alpha=0.05):
    """Lower bound on the number of datasets on which A is better.

    `pvalues` (array_like, shape (..., n)): families of p-values in [0, 1]. `alpha`: level, in (0,
    1).

    Returns ndarray of int64. 0 to n for each family.

    Raises `InputError`: if a p-value or the level is not as described.

    Notes
    -----
    Valid at confidence 1 - alpha if datasets are independent.

    Examples
    --------
    >>> int(bound([0.168, 0.297, 0.357, 0.019, 0.218, 0.001]))
    1
    """
    values = arguments.pvalues(pvalues)
    ordered, sums = _least_evidence(values)
    n = values.shape[-1]
    critical_sums, single = critical(n, checks.alpha(alpha))
    left = ~((sums >= critical_sums) | (ordered <= single))
    return n - np.where(left, np.arange(1, n + 1), 0).max(axis=-1)


def names(pvalues, alpha=0.05):
    """Datasets that are named: those of which each set with it is rejected.

    `pvalues`, `alpha`: as for `bound`.

    Returns ndarray of bool. Of the shape of `pvalues`.

    Raises `InputError`: as `bound`.

    Notes
    -----
    Valid as `bound`, with its bounds.

    Examples
    --------
    >>> names([0.168, 0.297, 0.019, 0.001]).tolist()
    [False, False, True, True]
    """
    values = arguments.pvalues(pvalues)
    n = values.shape[-1]
    order = np.argsort(-values, axis=-1, kind="stable")
    ordered, sums = _least_evidence(values)
    critical_sums, single = critical(n, checks.alpha(alpha))
    whole = (sums >= critical_sums) | (ordered <= single)
    # sets larger than its own rank: those of the least evidence decide
    above = np.logical_and.accumulate(whole[..., ::-1], axis=-1)[..., ::-1]
    with np.errstate(divide="ignore"):
        own = -np.log(ordered)
    before = np.concatenate([np.zeros_like(sums[..., :1]), sums[..., :-1]], axis=-1)
    found = np.empty(values.shape, dtype=bool)
    for rank in range(n):
        upto = slice(rank + 1)
        holds = own[..., rank, None] + before[..., upto] >= critical_sums[upto]
        rejected = (holds | (ordered[..., rank, None] <= single[upto])).all(axis=-1)
        if rank + 1 < n:
            rejected &= above[..., rank + 1]
        np.put_along_axis(found, order[..., rank, None], rejected[..., None], axis=-1)
    return found


def named(pvalues, place, alpha=0.05):
    """Whether a dataset is named: whether each set with it is rejected.

    `pvalues` (array_like, shape (..., n)): families of p-values in [0, 1]. `place`: place of the
    dataset, from 0. `alpha`: level, in (0, 1).

    Returns ndarray of bool. One for each family.

    Raises `InputError`: as `bound`.

    Notes
    -----
    Valid as `bound`, with its bounds and for all datasets together.

    Examples
    --------
    >>> [bool(named([0.168, 0.297, 0.019, 0.001], j)) for j in range(4)]
    [False, False, True, True]
    """
    values = arguments.pvalues(pvalues)
    ordered, sums = _least_evidence(np.delete(values, place, axis=-1))
    own = values[..., place, None]
    with np.errstate(divide="ignore"):
        own_evidence = -np.log(own)
    none = np.zeros_like(own)
    sums = own_evidence + np.concatenate([none, sums], axis=-1)
    smallest = np.minimum(own, np.concatenate([none + 1, ordered], axis=-1))
    critical_sums, single = critical(values.shape[-1], checks.alpha(alpha))
    return ((sums >= critical_sums) | (smallest <= single)).all(axis=-1)


def _least_evidence(values):
    """Return the p-values, the largest first, and the sums of -ln p of the first 1, 2, ...."""
    ordered = -np.sort(-values, axis=-1)
    with np.errstate(divide="ignore"):
        return ordered, np.cumsum(-np.log(ordered), axis=-1)


def _level(part, sizes):
    """Return the level of the test if both of its parts have one level."""
    single = -np.expm1(np.log1p(-part) / sizes)
    sums, steps = special.gammainccinv(sizes, part), -_LARGE * np.log(single)
    log_binomial = (
        special.gammaln(sizes + 1)
        - special.gammaln(_LARGE + 1)
        - special.gammaln(np.maximum(sizes - _LARGE, 0) + 1)
    )
    weights = np.where(sizes >= _LARGE, (-1) ** _LARGE * np.exp(log_binomial - steps), 0.0)
    return part + (weights * special.gammaincc(sizes, np.maximum(sums - steps, 0))).sum(axis=0)
