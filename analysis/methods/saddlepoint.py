r"""The paired bootstrap of many samples at once, without resampling: saddlepoint approximation.

A metric of n items is a ratio of totals :math:`N / D`, such as words right over words or, for
F1, twice the correct spans over guessed plus gold ones; or a mean of r such ratios, such as
macro-averaged F1. With :math:`\delta = A - B \ge 0` the observed difference of two systems, the
bootstrap of Berg-Kirkpatrick, Burkett and Klein (2012) asks for :math:`P(\delta^* \ge 2\delta)`.
Where both systems have the same denominators this is the probability that m draws of

.. math:: z_i = \frac{n_i^A - \frac{N^A}{D} d_i}{D} - \frac{n_i^B - \frac{N^B}{D} d_i}{D}
          - \delta \frac{d_i}{D}

have a sum of at least zero. Where the denominators differ, each fraction takes its own, the last
one the mean of both, and the event is right to first order. The tail of the sum is Lugannani and
Rice's: with K the cumulant-generating function of :math:`z`, :math:`K'(t) = 0`,
:math:`w = \sqrt{-2 m K(t)}` and :math:`u = t \sqrt{m K''(t)}`,

.. math:: P \approx 1 - \Phi(w) - \varphi(w) (1/w - 1/u).

On sentences with counts of words or spans it agrees with the exact value, or with 200,000
resamples, to about 0.001 from 200 sentences and 0.005 from 40 on; there is no Monte-Carlo error, so
that a p-value that moves over a level as a sample grows does so because of the data.

References
----------
Berg-Kirkpatrick, Burkett and Klein (2012), EMNLP, 995-1005. Lugannani and Rice (1980), Advances in
Applied Probability 12, 475-490. Davison and Hinkley (1988), Biometrika 75, 417-431, for the
bootstrap.
"""

import numpy as np
from scipy import special

from replicability import checks

MOST_STEPS = 200
"""Steps of Newton's method, of which three or four usually do."""

_NEAR = 1e-3  # w below which the formula is replaced by its limit
_PRECISION = 1e-9


def bootstrap_pvalues(a, b, samples):
    r"""p-values of the paired bootstrap on samples of the items.

    `a`, `b`: numerator and denominator of each of r ratios, whose mean is the metric, for each
    item; one table for all samples or one for each. `samples`: the items of each sample.

    Returns differences : ndarray of float64, shape (k,): metric of A minus metric of B; NaN where a
    denominator is zero. Returns pvalues : ndarray of float64, shape (k,): :math:`P(\delta^* \ge
    2\delta)` for the system that is ahead in the sample, hence at most about 1/2; twice it is
    two-sided. 1 for identical systems, NaN where a denominator is zero.

    Raises `InputError`: if shapes do not fit or a number is not finite.

    Notes
    -----
    Valid as the bootstrap is: for independent items, and many of them.

    Examples
    --------
    >>> wins, losses, ties = [1] * 30 + [0] * 70, [0] * 90 + [1] * 10, [1] * 100
    >>> a, b = (np.stack([right, ties], axis=-1)[:, None] for right in (wins, losses))
    >>> difference, p = bootstrap_pvalues(a, b, np.ones((1, 100), bool))
    >>> f"{difference[0]:.2f}", f"{p[0]:.4f}"
    ('0.20', '0.0004')
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    weights = np.atleast_2d(np.asarray(samples, dtype=float))
    for name, sums in (("a", a), ("b", b)):
        if sums.ndim not in (3, 4) or sums.shape[-1] != 2 or sums.shape[-3] != weights.shape[1]:
            raise checks.InputError(
                f"{name} has shape {sums.shape} and samples have shape {weights.shape}; pass "
                "(n, r, 2) numerators and denominators and (k, n) samples of the same n items."
            )
        if not np.isfinite(sums).all():
            raise checks.InputError(f"{name} contains a number that is not finite; leave it out.")
    if a.ndim == b.ndim == 3:
        a, b, weights = _distinct(a, b, weights)
    value_a, moved_a, share_a = _linear(a, weights)
    value_b, moved_b, share_b = _linear(b, weights)
    difference = value_a - value_b
    sign = np.where(difference < 0, -1.0, 1.0)[:, None]
    z = sign * (moved_a - moved_b) - np.abs(difference)[:, None] * (share_a + share_b) / 2
    defined = np.isfinite(difference)
    pvalues = np.full(len(weights), np.nan)
    pvalues[defined] = tail(z[defined], weights[defined])
    return difference, pvalues


def tail(values, weights):
    """P(sum >= 0) for as many draws from the values of each row as it has.

    `values`: values with a mean of at most zero in each row. `weights`: how often each value occurs
    in the row, a whole number; each row has at least one value.

    Returns ndarray of float64, shape (k,). Lugannani and Rice's approximation; exact where no value
    is positive.

    Notes
    -----
    It is made for sums that may take any value. If they are few, as for a sample with two or three
    items that differ, it gives about the value for "> 0" plus half the probability of a tie.
    """
    m = weights.sum(axis=1)
    scale = np.sqrt(_dot(weights, values**2) / m)
    z = values / np.where(scale > 0, scale, 1)[:, None]
    result = (_dot(weights, z == 0) / m) ** m  # no positive value: every draw is zero
    possible = np.where(weights > 0, z, 0).max(axis=1, initial=0) > 0
    if possible.any():
        result[possible] = _lugannani_rice(z[possible], weights[possible], m[possible])
    return result


def _distinct(a, b, weights):
    """Put items with equal numbers together: few are distinct, and all samples share them."""
    rows = np.concatenate([a, b], axis=1).reshape(len(a), -1)
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(first)))
    return a[first], b[first], np.add.reduceat(weights[:, order], starts, axis=1)


def _linear(sums, weights):
    """Return the metric of each sample, its linear terms, and each instance's share of it."""
    axes = "knrc" if sums.ndim == 4 else "nrc"
    totals = np.einsum(f"kn,{axes}->krc", weights, sums, optimize=True)
    moved, share = np.zeros((2, *weights.shape))
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = totals[..., 0] / totals[..., 1]
        for j, (ratio, total) in enumerate(zip(ratios.T, totals[..., 1].T, strict=True)):
            part = sums[..., j, 1] / total[:, None]
            moved += sums[..., j, 0] / total[:, None] - ratio[:, None] * part
            share += part
    n_ratios = ratios.shape[1]
    return ratios.mean(axis=1), moved / n_ratios, share / n_ratios


def _dot(x, y):
    return np.einsum("kn,kn->k", x, y)


def _lugannani_rice(z, weights, m):
    """Return the tail from the saddlepoint, where K'(t) = 0, found within a growing bracket."""
    squares, logs = z**2, np.log(weights, out=np.full_like(weights, -np.inf), where=weights > 0)
    mean = _dot(weights, z) / m
    t = np.maximum(-mean / (_dot(weights, squares) / m - mean**2), 0)
    low, high = np.zeros_like(t), np.full_like(t, np.inf)
    for _ in range(MOST_STEPS):
        terms = t[:, None] * z
        terms += logs
        largest = terms.max(axis=1)
        terms -= largest[:, None]
        np.exp(terms, out=terms)
        total = terms.sum(axis=1)
        first = _dot(terms, z) / total
        second = _dot(terms, squares) / total - first**2
        step = -first / second
        if (np.abs(step) <= _PRECISION * (t + _PRECISION)).all():
            break
        low, high = np.where(first <= 0, t, low), np.where(first >= 0, t, high)
        middle = np.where(np.isfinite(high), (low + high) / 2, 2 * t + 1)
        newton = t + step
        t = np.where((newton >= low) & (newton <= high), newton, middle)
    w = np.sqrt(np.maximum(-2 * m * (np.log(total / m) + largest), 0))
    u = t * np.sqrt(m * second)
    third = _dot(terms, z * squares) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        correction = np.where(w < _NEAR, third / second**1.5 / np.sqrt(m) / 6, 1 / w - 1 / u)
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    return np.clip(special.ndtr(-w) - density * correction, 0, 1)
