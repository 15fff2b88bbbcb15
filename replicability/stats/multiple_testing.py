r"""Identification: on which of the n datasets is A better than B?

Each procedure orders the p-values, :math:`p_{(1)} \le \dots \le p_{(n)}`, and rejects the first k:

===========  =============================================  ====================  ==================
method       k                                              error it controls     dependence
===========  =============================================  ====================  ==================
holm         last before :math:`p_{(k)} > \alpha/(n-k+1)`   one or more errors    anything
hochberg     last with :math:`p_{(k)} \le \alpha/(n-k+1)`   one or more errors    none or positive
hommel       all with :math:`p_{(k)} \le \alpha/h`          one or more errors    none or positive
bh           last with :math:`p_{(k)} \le k\alpha/n`        false discovery rate  none or positive
by           last with :math:`p_{(k)} \le k\alpha/(nc_n)`   false discovery rate  anything
===========  =============================================  ====================  ==================

where h is the size of the largest set of largest p-values that Simes's test does not reject and
:math:`c_n = \sum_{i=1}^n 1/i`.

References
----------
Dror et al. (2017), Sections 4.3 and 7. Holm (1979), Scand. J. Stat. 6, 65-70. Hochberg (1988),
Biometrika 75, 800-802. Hommel (1988), Biometrika 75, 383-386. Benjamini and Hochberg (1995), JRSS B
57, 289-300. Benjamini and Yekutieli (2001), Ann. Stat. 29, 1165-1188.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicability import checks
from replicability.stats import arguments, families, partial_conjunction


def identify(
    pvalues: ArrayLike, alpha: float = 0.05, method: str = "holm", *, axis: int = -1
) -> NDArray[np.bool]:
    r"""Decide for each dataset whether A is declared better than B on it.

    Parameters
    ----------
    pvalues : array_like
        p-values in [0, 1]; ``shape[axis]`` is the number of datasets.
    alpha : float, default 0.05
        Bound on the error in the table of this module's docstring, in (0, 1).
    method : {"holm", "hochberg", "hommel", "bh", "by"}, default "holm"
        The procedure. Its validity is in the table of this module's docstring.
    axis : int, default -1
        The axis that runs over the datasets of one family.

    Returns
    -------
    ndarray of bool
        Shape of `pvalues`, in the order of `pvalues`: True where the null hypothesis is rejected.

    Raises
    ------
    InputError
        If a p-value is NaN, infinite, not a number or outside [0, 1], the family is empty, alpha is
        outside (0, 1) or the method is unknown.

    Notes
    -----
    The decisions are those of ``adjusted_pvalues(...) <= alpha``, to the last bit, found without a
    sorting permutation: every procedure rejects the p-values up to a threshold. The number of
    rejections by "holm" equals `replicability.stats.partial_conjunction.k_hat` with "bonferroni".

    Examples
    --------
    >>> identify([0.168, 0.297, 0.357, 0.019, 0.218, 0.001])
    array([False, False, False, False, False,  True])
    """
    values = arguments.pvalues(pvalues, axis)
    alpha = checks.alpha(alpha)
    checks.choice("method", method, METHODS)
    n = values.shape[-1]
    count = _rejections(method, n, alpha)
    decisions = np.empty(values.shape, dtype=bool)
    for source, target in families.chunks(values, decisions):
        ordered = np.sort(source, axis=-1)
        k = count(ordered)[..., None]
        largest = np.take_along_axis(ordered, np.maximum(k - 1, 0), axis=-1)
        np.less_equal(source, np.where(k > 0, largest, -1), out=target)  # below 0 there is none
    return np.moveaxis(decisions, -1, axis)


def adjusted_pvalues(
    pvalues: ArrayLike, method: str = "holm", *, axis: int = -1
) -> NDArray[np.float64]:
    r"""Adjusted p-values: the smallest alpha at which each dataset is identified.

    Parameters
    ----------
    pvalues, method, axis
        As for `identify`.

    Returns
    -------
    ndarray of float64
        Shape of `pvalues`, in the order of `pvalues`; in [0, 1].

    Raises
    ------
    InputError
        As `identify`.

    Notes
    -----
    All methods take about as long as a few sorts.

    Examples
    --------
    >>> adjusted_pvalues([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    """
    values = arguments.pvalues(pvalues, axis)
    checks.choice("method", method, METHODS)
    if method == "hommel":
        adjusted = families.compute(_adjust_hommel, values, np.empty(values.shape))
    else:
        adjusted = families.by_rank(values, lambda ordered: np.minimum(_adjust(ordered, method), 1))
    return np.moveaxis(adjusted, -1, axis)


_FEW = 3  # sizes at which most p-values cross

_FACTOR = {
    "holm": lambda n, rank: n - rank + 1,
    "hochberg": lambda n, rank: n - rank + 1,
    "bh": lambda n, rank: n / rank,
    "by": lambda n, rank: n * (1 / rank).sum() / rank,
}
METHODS = ("holm", "hochberg", "hommel", "bh", "by")
"""Names of the identification procedures."""


def _factors(method, n):
    """Return the numbers by which alpha is divided for the sorted p-values."""
    return _FACTOR[method](n, np.arange(1.0, n + 1))


def _rejections(method, n, alpha):
    """Return the function from sorted p-values to the number that are rejected."""

    def step_down(ordered):
        return families.first_failure(ordered > alpha / _factors(method, n))

    def step_up(ordered):
        small = ordered <= alpha / _factors(method, n)
        return n - families.first_failure(small[..., ::-1])

    def hommel(ordered):
        h = np.asarray(n - partial_conjunction.k_hat(ordered, alpha, "simes"))
        return np.count_nonzero(ordered <= alpha / np.maximum(h, 1)[..., None], axis=-1)

    return {"holm": step_down, "hommel": hommel}.get(method, step_up)


def _adjust(ordered, method):
    """Return adjusted p-values of sorted ones, before clipping at 1."""
    scaled = families.least_alpha(ordered, _factors(method, ordered.shape[-1]))
    if method == "holm":
        return np.maximum.accumulate(scaled, axis=-1)
    return np.minimum.accumulate(scaled[..., ::-1], axis=-1)[..., ::-1]


def _adjust_hommel(values):
    """Find for each p-value the least level alpha at which it is at most alpha/h.

    h, the size of the largest set that Simes's test does not reject, is at most m from the largest
    Simes p-value of more than m on: so it is the least over m of the larger of that and p times m.
    The first falls as m grows and the second rises; where they cross is found among the first few
    m, and by bisection of the others.
    """
    n = values.shape[-1]
    length = 1 << (n - 1).bit_length()
    levels = np.zeros((len(values), length))  # of m + 1 or more
    levels[:, :n] = partial_conjunction.rising("simes", values)[:, ::-1]
    most = (levels.view(np.int64) - 1).view(float)  # before 0 is NaN, to which nothing compares
    most /= np.maximum(np.arange(length), 1)  # with which p times m is below
    below, few = np.zeros(values.shape, np.int8), min(_FEW, n - 1)
    for m in range(1, few + 1):
        below += values <= most[:, m, np.newaxis]
    others, place = np.flatnonzero(below == few), below.astype(np.int64)
    start, p = np.repeat(np.arange(0, levels.size, length), n), values.ravel()[others]
    place += start.reshape(place.shape)
    found, most = start[others], most.ravel()
    for step in 2 ** np.arange((n - 1).bit_length())[::-1]:
        found += step * (p <= most.take(found + step))
    place.ravel()[others] = found
    adjusted = families.least_alpha(values, (place & (length - 1)) + 1.0)
    return np.minimum(adjusted, levels.ravel()[place], out=adjusted)
