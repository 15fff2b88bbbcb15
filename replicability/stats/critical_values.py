r"""Critical values of sums of evidence over m independent uniform p-values, m = 1, ..., n.

Fisher's sum beside Bonferroni's test, ``fisher_bonferroni``, rejects if the smallest of the m
p-values is at most alpha/m, or if the sum S of :math:`X_i = -\ln p_i` reaches :math:`f_m`.
For independent p-values Bonferroni's test leaves a little of the level unused, and :math:`f_m`
spends it. The :math:`X_i` of uniform p-values are exponential. With :math:`x = \ln(m/\alpha)`,
:math:`w_k = \binom{m}{k} (\alpha/m)^k` and :math:`\Gamma_m` of the gamma law of shape m, inclusion
and exclusion of the p-values of at most alpha/m gives

.. math:: P(S \ge f, \max_i X_i < x) = \sum_{k=0}^m (-1)^k w_k\, P(\Gamma_m \ge f - kx)

and :math:`f_m` makes this :math:`\alpha - (1 - (1 - \alpha/m)^m)`, so that the level is alpha
exactly. For p-values that are larger, or discrete, it is at most alpha, as the test is monotone.
"""

import functools

import numpy as np
from scipy import special

_SPREAD = 9.0  # standard deviations of a binomial law, beyond which its terms are left out
_LARGE = np.arange(1.0, 22)  # p-values included or excluded; w_k is at most alpha^k / k!
_LEAST_LEVEL = 1e-150  # its square, the level that Bonferroni's test leaves, is still a number
_STEPS = 60  # each at least halves a bracket


@functools.cache
def fisher(n, alpha):
    """Return the least sums of -ln p that reject, for 1, ..., n uniform p-values.

    `n`: largest number of p-values. `alpha`: level, in (0, 1).

    Returns ndarray of float64, shape (n,). Half the chi-squared quantiles for 2, 4, ..., 2n degrees
    of freedom; not to be changed.
    """
    return special.gammainccinv(np.arange(1.0, n + 1), alpha)


@functools.cache
def stouffer(n, alpha):
    """Return the least sums of normal quantiles of 1 - p that reject, as `fisher`."""
    return -special.ndtri(alpha) * np.sqrt(np.arange(1.0, n + 1))


@functools.cache
def beside_bonferroni(n, alpha):
    r"""Return the least sums of -ln p that reject next to p <= alpha/m, for m = 1, ..., n.

    `n`: largest number of p-values. `alpha`: level of both parts together, in (0, 1).

    Returns ndarray of float64, shape (n,). :math:`f_1, \dots, f_n`, not to be changed; infinite for
    m = 1, where Bonferroni's test spends the level, and for levels below 1e-150.

    Examples
    --------
    >>> beside_bonferroni(3, 0.05).round(3)
    array([  inf, 6.378, 8.54 ])
    """
    sizes, levels = np.arange(1.0, n + 1), np.full(n, alpha)
    unused = _signed_weights(sizes, levels)[:, 1:].sum(axis=1)
    some = unused > _LEAST_LEVEL**2
    critical = np.full(n, np.inf)
    m, level = sizes[some], levels[some]
    most = special.gammainccinv(m, unused[some])
    sums = _root(lambda s: _excess(s, m, level), np.zeros(len(m)), most)
    critical[some] = sums * (1 + 1e-12)
    return critical


def level_beside_bonferroni(sums, smallest, sizes):
    r"""Return the least levels at which Fisher's sum or Bonferroni's test rejects.

    `sums` (ndarray of float64): sums of -ln p over m p-values, at least 0; may be infinite.
    `smallest` (ndarray of float64): the least levels at which Bonferroni's test rejects, m times
    the smallest p-value. `sizes` (ndarray of float64): the numbers m of p-values; all three of one
    shape.

    Returns ndarray of float64. p-values: :math:`f_m` falls in alpha, and they solve
    :math:`f_m(\alpha) = S` where that is below `smallest`; those are at least 1e-150.
    """
    levels = np.minimum(smallest, 1.0)
    alone = special.gammaincc(sizes, sums)  # Fisher's p-value is the smaller one
    some = (np.maximum(alone, _LEAST_LEVEL) < levels) & np.isfinite(sums) & (sizes > 1)
    some[some] = _excess(sums[some], sizes[some], levels[some]) < 0
    s, m = sums[some], sizes[some]
    low = np.log(np.maximum(alone[some] / 2, _LEAST_LEVEL))
    logs = _root(lambda x: _excess(s, m, np.exp(x)) / np.exp(x), low, np.log(levels[some]))
    levels[some] = np.exp(np.maximum(logs, low))
    return levels


def _root(falling, low, high):
    """Solve equations by Ridders's method: functions of `low` above zero, of `high` below."""
    at_low, at_high = falling(low), falling(high)
    found = high
    for _ in range(_STEPS):
        before, middle = found, (low + high) / 2
        at_middle = falling(middle)
        with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 at a root
            scale = np.maximum(at_low, -at_high)
            share = at_middle / scale
            share /= np.sqrt(share**2 - (at_low / scale) * (at_high / scale))
        found = middle + (middle - low) * np.where(np.abs(share) <= 1, share, 0)
        at_found = falling(found)
        for point, value in ((middle, at_middle), (found, at_found)):
            above, below = (value >= 0) & (point >= low), (value <= 0) & (point <= high)
            low, at_low = np.where(above, point, low), np.where(above, value, at_low)
            high, at_high = np.where(below, point, high), np.where(below, value, at_high)
        if (np.abs(found - before) <= 1e-14 * np.abs(found)).all():
            break
    return found


def _signed_weights(sizes, alpha):
    """Return (-1)^k w_k for k = 1, 2, ... along the last axis."""
    m = sizes[..., None]
    steps = np.maximum(m - _LARGE + 1, 0) / _LARGE * (alpha[..., None] / m)
    return np.cumprod(steps, axis=-1) * (-1) ** _LARGE


def _excess(sums, sizes, alpha):
    """Return P(S >= sums, no p <= alpha/m) less the level that Bonferroni's test leaves unused.

    What both have in common is left out, so that all terms are as small as they are.
    """
    weights = _signed_weights(sizes, alpha)
    rest = np.maximum(sums[..., None] + np.log(alpha / sizes)[..., None] * _LARGE, 0)
    tails = special.gammaincc(sizes, sums)
    tails = tails + weights[..., 0] * special.gammaincc(sizes, rest[..., 0])
    others = weights[..., 1:] * special.gammainc(sizes[..., None], rest[..., 1:])
    return tails - others.sum(axis=-1)


@functools.cache
def truncated(n, alpha, tau):
    """Return the least sums of -ln p over p <= tau that reject, for 1, ..., n uniform p-values.

    `n`: largest number of p-values. `alpha`: level, in (0, 1). `tau`: largest p-value that is added
    up, in [alpha, 1].

    Returns ndarray of float64, shape (n,). Sums that are reached with probability alpha at most;
    not to be changed.

    Notes
    -----
    Given r p-values of at most tau, the sum less r ln(1/tau) has a gamma law of shape r. Solved by
    bisection on all sizes at once.
    """
    from scipy.optimize import elementwise

    sizes = np.arange(1, n + 1)
    least = np.full(n, -np.log(tau))  # the least sum above zero
    most = np.maximum(special.gammainccinv(sizes, alpha), least) + 1
    exceeds = _truncated_tail(sizes, least, tau) > alpha
    low, high = np.where(exceeds, least, 0), np.where(exceeds, most, 2 * least + 1)
    found = elementwise.find_root(
        lambda sums, m: np.where(sums < least[m - 1], 1.0, _truncated_tail(m, sums, tau) - alpha),
        (low, high),
        args=(sizes,),
    )
    return np.where(exceeds, found.x * (1 + 1e-12), least)


def _truncated_tail(sizes, sums, tau):
    """P(sum of -ln p over p <= tau is at least `sums`) for that many uniform p-values; sums > 0."""
    spread = _SPREAD * np.sqrt(sizes * tau * (1 - tau)) + 40
    first = np.maximum(1, np.floor(sizes * tau - spread)).astype(int)
    last = np.minimum(sizes, np.ceil(sizes * tau + spread)).astype(int)
    r = first[:, None] + np.arange((last - first).max() + 1)
    m = sizes[:, None]
    within = r <= last[:, None]
    r = np.minimum(r, last[:, None])
    log_binomial = (
        special.gammaln(m + 1)
        - special.gammaln(r + 1)
        - special.gammaln(m - r + 1)
        + special.xlogy(r, tau)
        + special.xlog1py(m - r, -tau)
    )
    tails = special.gammaincc(r, np.maximum(sums[:, None] + r * np.log(tau), 0))
    return np.where(within, np.exp(log_binomial) * tails, 0).sum(axis=-1)
