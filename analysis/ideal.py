r"""Exact tails of resampling distributions: bootstrap and sign-flip test without replicates.

The ideal bootstrap (infinitely many replicates) of a sum, and of a ratio of sums whose denominator
is the same for both systems, is the tail of a sum S of m independent draws from the observed
values; the sign-flip test is the tail of a sum of independent two-point variables. With
:math:`\Lambda(z) = \ln E\,e^{z(S - c)}`, for every s > 0 and every period L the trapezoidal rule on
the line Re z = s gives (Poisson's summation formula)

.. math:: \frac{1}{L} \sum_{j=-\infty}^{\infty} e^{\Lambda(z_j)}\,\kappa(z_j)
          = \sum_{i=-\infty}^{\infty} P(S \ge c + iL)\,e^{isL},
          \qquad z_j = s + 2 \pi \mathrm{i} j / L

where :math:`\kappa(z) = 1/z`; on the integers :math:`\kappa(z) = 1/(1 - e^{-z})`, L is an integer
and the sum on the left is over one period. The term i = 0 is the tail; Chernoff's inequality bounds
the others. With s at the saddlepoint of :math:`\Lambda` the terms on the left are of the size of
the tail, so that it keeps its relative accuracy however small it is. About 25 values of the
characteristic function suffice. That the others are negligible is proved from moments near zero and
by a Fourier transform away from it. On a lattice nothing else is left out, and ties are exact since
sums are compared as integers. For a ratio of sums of counts the same is done in two dimensions.

References
----------
Berg-Kirkpatrick, Burkett and Klein (2012), EMNLP, 995-1005. Noreen (1989), Computer-Intensive
Methods for Testing Hypotheses. Yeh (2000), COLING, 947-953. Gil-Pelaez (1951), Biometrika 38,
481-482. Lugannani and Rice (1980), Advances in Applied Probability 12, 475-490. Abate and Whitt
(1992), Queueing Systems 10, 5-88. Graham and Vaaler (1981), Transactions of the American
Mathematical Society 265, 283-302.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy import fft, special

from analysis.checks import InputError

ABSOLUTE_BOUND = 1e-9
"""A tail is returned if its error is at most this,"""

RELATIVE_BOUND = 1e-4
"""or at most this share of the smaller of the probability and its complement."""

_EPS = np.finfo(float).eps
_TINY = 5e-324  # the smallest float above zero
_LOG_TINY = -745.0
_WIDTH = 17.0  # period in standard deviations of the tilted sum
_TILT = 3.5  # second tilt of the Chernoff bounds, in inverse standard deviations
_NEGLIGIBLE = {True: -40.0, False: -24.0}  # log of what is left out, on a lattice and off it
_CUTOFF = 0.6  # the bound on what a cut-off hides is 1/2; rounded up
_ALIAS = 1e-15
_PLANE_ALIAS = 1e-12
_BOX = 1.0  # half the side of the fine grid about zero, in inverse standard deviations
_BLOCK = 2**18  # complex numbers worked on at a time
_FULL = 2**14  # nodes times values below which the whole period is summed without further ado
_LARGE = 2**21  # longest Fourier transform
_NODES = 2**22  # nodes times values of the longest sum over nodes
_SEEN = 100.0  # octaves end, and proofs reach, this many times past the scale of the values
_AIM = 1e-3  # part of the bound that is aimed at in general position
_ATOMS = 2**21  # sums that are enumerated at most
_FEW_ATOMS = 2**17  # sums that are enumerated without further ado
_FLIPS = 44  # values whose signs are enumerated at most, in two halves
_FEW_FLIPS = 32


@dataclass(frozen=True)
class Tail:
    """Tail probability of a sum S, computed and not sampled.

    Attributes
    ----------
    probability : float
        P(S >= threshold).
    complement : float
        P(S < threshold). Of the two the one on the far side of the mean is computed and the other
        is one minus it, so that either keeps its relative accuracy when it is small.
    error : float
        Bound on the absolute error of both; divided by the smaller one it bounds its relative
        error: about 1e-12 on a lattice with n = 2,000, down to 1e-300. Below the smallest float the
        value is 0.
    method : {"lattice", "inversion"}
        "lattice" for sums on a common step (generating function) and for sums that are enumerated;
        "inversion" for the characteristic function where some of it is cut off.
    """

    probability: float
    complement: float
    error: float
    method: str


class CannotMeetBound(Exception):
    """No exact way meets the error bound for these values; use Monte Carlo instead."""


def bootstrap_tail(values, draws, threshold=0.0):
    r"""Tail of a sum of independent draws from the observed values: the ideal bootstrap.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values drawn from, each with probability 1/n; finite.
    draws : int
        Number m of draws, at least one.
    threshold : float, default 0.0
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.

    Returns
    -------
    Tail
        P(sum >= threshold), its complement and the error bound.

    Raises
    ------
    InputError
        If a value is no finite number, there is none, or draws is not a whole number of at least 1.
    CannotMeetBound
        If the error exceeds both `ABSOLUTE_BOUND` and `RELATIVE_BOUND` times the smaller tail.

    Notes
    -----
    Valid for independent draws with replacement; the paired bootstrap of a sum draws instances
    with their difference.

    ``error`` is proved where the values have a common step (after a shift: counts, decimals, simple
    fractions), where the sums are few enough to be enumerated, and where values repeat or nearly
    so. In the last case the proof holds whatever the values' common divisors, and is wide: the
    error is seldom proved below 1e-5 of the tail, though it is smaller. Values of which at most one
    repeats are taken to be in general position: the characteristic function is proved small as far
    as 100 times the scale on which it falls, and taken to stay so. Then ``error`` is typically
    1e-9 of the tail.

    Time and memory are those of sorting and a few Fourier transforms; they do not depend on m.

    Examples
    --------
    >>> tail = bootstrap_tail([-1] * 30 + [0] * 60 + [1] * 10, 100)
    >>> f"{tail.probability:.6f}", tail.method
    ('0.000597', 'lattice')
    """
    values = _finite("values", values)
    draws = _draws(draws)
    values, threshold = _moderate(values, _number("threshold", threshold))
    distinct, counts = np.unique(values, return_counts=True)
    lattice = _lattice(distinct)
    if lattice is not None:
        shares = counts
        integers, shift, step = lattice
        bound = _ceiling(threshold, draws, shift, step, np.abs(distinct).max())
        if bound is not None:
            return _draws_tail(integers, shares, draws, bound)
    slack = 4 * _EPS * max(abs(threshold), draws * float(np.abs(distinct).max()))
    return _draws_tail(distinct, counts, draws, threshold - slack)


def flip_tail(values, threshold):
    r"""Tail of a sum with random signs: the exact sign-flip (approximate randomisation) test.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values whose signs are flipped, each with probability 1/2; finite. Their own signs do
        not matter.
    threshold : float
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.

    Returns
    -------
    Tail
        P(sum of signed values >= threshold), its complement and the error bound.

    Raises
    ------
    InputError
        If a value is no finite number or there is none.
    CannotMeetBound
        If the error exceeds both `ABSOLUTE_BOUND` and `RELATIVE_BOUND` times the smaller tail.

    Notes
    -----
    With ``threshold = sum(values)`` it is the p-value of the null hypothesis that each difference
    is symmetric about zero (the outputs of A and B are exchangeable, instance by instance),
    one-sided "A is better" (Noreen 1989; Yeh 2000). What ``error`` rests on is said in
    `bootstrap_tail`. Up to 44 values without a common step are enumerated where that is needed.

    Examples
    --------
    >>> flip_tail([1, 2, 3, 0], threshold=6).probability
    0.125
    """
    values = _finite("values", values)
    values, threshold = _moderate(values, _number("threshold", threshold))
    sizes = np.abs(values)
    sizes = sizes[sizes > 0]
    if not sizes.size:
        return _certain(threshold <= 0)
    distinct, counts = np.unique(sizes, return_counts=True)
    lattice = _lattice(distinct, anchored=True)
    if lattice is not None:
        integers, _, step = lattice
        total = int(integers @ counts)
        # the sum of signed values is 2K - total, K the sum of the values with a plus
        bound = _integer_at_least(
            (Fraction(threshold) / Fraction(step) + total) / 2,
            (4 * _EPS * abs(threshold) / step + _rounding(step) * total) / 2,
        )
        if bound is not None:
            return _flips_tail(integers, counts, bound)
    total = float(sizes.sum())
    slack = 8 * _EPS * max(abs(threshold), total)
    return _flips_tail(distinct, counts, (threshold + total - slack) / 2)


def ideal_bootstrap(differences, weights=None, *, draws=None, direction=1):
    r"""p-value of the paired bootstrap with infinitely many replicates.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Score of A minus score of B on each instance: the numerators of the metric, such as the
        number of words right. Finite.
    weights : array_like, shape (n,), optional
        Denominator of the metric on each instance, the same for both systems, such as the number of
        words; not negative, with a positive sum. Default: one for each instance.
    draws : int, optional
        Number m of instances in a resample. Default: n.
    direction : {1, -1}, default 1
        1 if A is claimed better, -1 if B is.

    Returns
    -------
    Tail
        :math:`P(\delta^* \ge 2\delta)` with :math:`\delta = \sum d_i / \sum w_i` in the direction
        asked for and :math:`\delta^*` the same in the resample.

    Raises
    ------
    InputError
        If an argument is not as described.
    CannotMeetBound
        As `bootstrap_tail`.

    Notes
    -----
    Valid for instances that are independent draws from a population, and n large enough for the
    resampling distribution of :math:`\delta^* - \delta` to be that of the estimate's error (Berg-
    Kirkpatrick et al. 2012, Figure 1). The event is :math:`\sum (d_i^* - 2 \delta w_i^*) \ge 0`. If
    differences and weights have a common step each, as counts have, it is decided with integers and
    ties are exact: with equal weights by the generating function of the differences, otherwise by
    that of differences and weights together. A difference of 0 or in the other direction gives a
    valid, large p-value; identical systems give 1.

    Examples
    --------
    >>> wins, losses, ties = [1] * 30, [-1] * 10, [0] * 60
    >>> f"{ideal_bootstrap(wins + losses + ties).probability:.6f}"
    '0.000524'
    """
    d = _finite("differences", differences)
    if direction not in (1, -1):
        raise InputError(f"direction is {direction!r}; it is 1 (A is better) or -1 (B is better).")
    if direction == -1:
        d = -d
    w = None if weights is None else _weights(weights, len(d))
    m = len(d) if draws is None else _draws(draws)
    if w is not None and (w == w[0]).all():
        w = None
    if not d.any():
        return _certain(True)
    d_integer = _integers(d)
    if w is None:
        return _mean_tail(d, d_integer, m)
    w_integer = _integers(w)
    if d_integer is not None and w_integer is not None:
        return _ratio_tail(d_integer, w_integer, m)
    return bootstrap_tail(d - 2 * math.fsum(d) / math.fsum(w) * w, m)


# Arguments


def _finite(name, values):
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a sequence of numbers, one for each instance.") from None
    if array.ndim != 1 or not array.size:
        raise InputError(
            f"{name} has shape {array.shape}; pass a sequence with one number for each instance, "
            "at least one."
        )
    if not np.isfinite(array).all():
        index = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(
            f"{name}[{index}] is {array[index]}, but every instance needs a finite number; leave "
            "out an instance that has none, for both systems."
        )
    return array


def _weights(weights, n):
    array = _finite("weights", weights)
    if len(array) != n:
        raise InputError(
            f"weights has {len(array)} entries and differences has {n}; give each instance one."
        )
    if (array < 0).any() or not array.any():
        raise InputError(
            "weights must not be negative and at least one must be positive; they are the "
            "denominators of the metric, such as numbers of words."
        )
    return array


def _draws(draws):
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise InputError(f"draws is {draws!r}; it is a whole number of at least 1.")
    return int(draws)


def _number(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} is {value!r}; it is a finite number.")
    return number


def _moderate(values, threshold):
    """Scale by a power of two, so that fourth powers neither overflow nor vanish."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    if abs(exponent) <= 100:
        return values, threshold
    with np.errstate(over="ignore", under="ignore"):
        threshold = float(np.ldexp(threshold, -exponent))
        return np.ldexp(values, -exponent), min(max(threshold, -1e300), 1e300)


# Lattices


def _rounding(step):
    """Return the error of a value in steps: zero for whole numbers, which are exact."""
    return 0.0 if float(step).is_integer() else 4 * _EPS


def _integers(values):
    """Return whole numbers proportional to the values, or None."""
    lattice = _lattice(np.unique(values), anchored=True)
    if lattice is None:
        return None
    return np.rint(values / lattice[2]).astype(np.int64)


def _lattice(distinct, anchored=False):
    """Find integers k, a shift and the largest step with ``values = shift + step * k``.

    Parameters
    ----------
    distinct : ndarray of float64, shape (u,)
        Values in ascending order, without repetitions.
    anchored : bool
        Whether the shift must be zero.

    Returns
    -------
    tuple of (ndarray of int64, float, float), or None
        k, shift and step; None if the values have no common step that stands out of their rounding.
    """
    size = max(-distinct[0], distinct[-1])
    if size < 2**53 and (distinct == np.rint(distinct)).all():
        integers = distinct.astype(np.int64)
        shift = 0 if anchored else integers[0]
        integers -= shift
        step = int(np.gcd.reduce(integers)) or 1
        return integers // step, float(shift), float(step)
    shift = 0.0 if anchored else distinct[0]
    offsets = distinct - shift
    noise = 4 * _EPS * size
    step = _common_step(np.abs(offsets), noise)
    if step is None:
        return None
    integers = np.rint(offsets / step)
    step = float(offsets @ integers / (integers @ integers)) if integers.any() else 1.0
    if (np.abs(offsets - step * integers) > noise).any():
        return None
    integers = integers.astype(np.int64)
    return integers, float(shift), step


def _common_step(offsets, noise):
    """Euclid's algorithm on all offsets at once, as far as rounding and a lattice's size allow."""
    largest = offsets.max()
    rest = offsets
    step = largest if largest > noise else 1.0
    smallest = max(largest / 2**20, 1e4 * noise)
    while True:
        rest = rest[rest > noise]
        if not rest.size:
            return step
        step = min(step, rest.min())
        if step < smallest:
            return None
        quotient = np.rint(offsets / step)
        rest = np.abs(offsets - quotient * step) - noise * quotient


def _ceiling(threshold, draws, shift, step, size):
    """Smallest sum of integers that is at least the threshold; None if rounding hides it."""
    if float(step).is_integer() and float(shift).is_integer():
        slack = 4 * _EPS * abs(threshold) / step
    else:
        slack = 4 * _EPS * max(abs(threshold), draws * float(size)) / step
    return _integer_at_least(
        (Fraction(threshold) - draws * Fraction(shift)) / Fraction(step), slack
    )


def _integer_at_least(exact, slack):
    """Round up, after lowering by the slack; None if the slack could reach the next integer."""
    return None if slack > 0.25 else math.ceil(exact - Fraction(slack))


# From laws to tails


def _certain(holds):
    return Tail(float(holds), float(not holds), 0.0, "lattice")


def _tail(small, error, method, upper):
    """Put the computed tail on its side and compare the error with the bound."""
    small = min(max(small, 0.0), 1.0)
    if error > max(ABSOLUTE_BOUND, RELATIVE_BOUND * small):
        raise CannotMeetBound(
            f"The error of the tail probability {small:.3g} may be {error:.2g}, above the bound of "
            f"{ABSOLUTE_BOUND:g} and of {RELATIVE_BOUND:g} times the probability: the values have "
            "no common step and too few of them differ to make their sum smooth; use Monte Carlo "
            "replicates."
        )
    sides = (small, 1 - small) if upper else (1 - small, small)
    return Tail(*map(float, sides), float(error), method)


def _draws_tail(points, counts, draws, bound):
    """Tail of a sum of draws; integer points and bound are a lattice."""
    low, high = draws * points[0].item(), draws * points[-1].item()
    if bound <= low or bound > high:
        return _certain(bound <= low)
    half = draws - draws // 2
    atoms = math.comb(half + len(points) - 1, half) if half < 64 or len(points) < 64 else math.inf
    shares = counts / counts.sum()
    is_lattice = points.dtype.kind == "i"
    if not is_lattice and atoms <= _FEW_ATOMS:
        return _enumerated_draws(points, shares, draws, bound)
    law = _Draws(points, shares, draws, bound, _in_general_position(points, counts))
    try:
        return _law_tail(law)
    except CannotMeetBound:
        if atoms > _ATOMS or not _fits(draws, points):
            raise
    return _enumerated_draws(points, shares, draws, bound)


def _fits(draws, points):
    """Whether sums of draws are exact integers, or floats."""
    return points.dtype.kind != "i" or draws * int(np.abs(points).max()) < 2**62


def _flips_tail(points, counts, bound):
    """Tail of the sum of the values with a plus; integer points and bound are a lattice."""
    is_lattice = points.dtype.kind == "i"
    n = int(counts.sum())
    high = int(points @ counts) if is_lattice else float((points * counts).sum())
    if bound <= 0 or bound > high:
        return _certain(bound <= 0)
    if not is_lattice and n <= _FEW_FLIPS:
        return _enumerated_flips(points, counts, bound)
    try:
        return _law_tail(_Flips(points, counts, bound, _in_general_position(points, counts)))
    except CannotMeetBound:
        if n > _FLIPS:
            raise
    return _enumerated_flips(points, counts, bound)


def _law_tail(law):
    """Compute the tail on the far side of the mean."""
    upper = law.cumulant(0.0)[1] <= 0
    return _tail(*_upper_tail(law if upper else law.reflected()), upper)


def _upper_tail(law):
    """Trapezoidal rule on the line through the saddlepoint.

    Parameters
    ----------
    law : _Draws or _Flips
        The sum S and the bound c; the mean of S is at most c.

    Returns
    -------
    tuple of (float, float, str)
        P(S >= c), a bound on its error, and the method.
    """
    edge = law.edge()
    if edge is not None:
        return edge, 8 * _EPS * law.terms * edge + _TINY, "lattice"
    s, log_size, sd = _saddle(law)
    if log_size < _LOG_TINY:  # P(S >= c) is at most exp(log_size)
        return 0.0, _TINY, "lattice" if law.is_lattice else "inversion"
    law = law.tilted(s)
    period, alias, subtract = _period(law, s, log_size, sd)
    size = math.exp(log_size)
    total, absolute, truncation, method = _sum_nodes(law, s, period, size, subtract)
    rounding = _EPS * (4 * law.terms + 8 * abs(log_size) + 64) * absolute
    probability = size * total - subtract
    error = size * (alias + truncation + rounding) + _EPS * subtract
    return probability, error, method


def _saddle(law):
    """Return a tilt near the saddlepoint and off the pole, and log size and deviation there."""
    s, low, high = 0.0, 0.0, math.inf
    for _ in range(100):
        log_size, slope, curvature = law.cumulant(s)
        sd = math.sqrt(curvature)
        if abs(slope) <= 0.1 * sd:
            break
        low, high = (s, high) if slope < 0 else (low, s)
        step = s - slope / curvature if curvature > 0 else math.inf
        if not low < step < high or step > 4 * s + 4 / max(sd, 1e-300):
            step = (low + high) / 2 if math.isfinite(high) else 2 * s + 1 / max(sd, 1e-300)
        s = step
        if log_size < 2 * _LOG_TINY:
            break
    if s * sd < 1:
        s = 1 / sd
        log_size, _, curvature = law.cumulant(s)
    while log_size > 5:  # far past the saddlepoint, in a long upper tail
        s /= 2
        log_size, _, curvature = law.cumulant(s)
    return s, log_size, math.sqrt(curvature)


def _period(law, s, log_size, sd):
    """Choose the period, with a bound on the other tails in Poisson's formula.

    Returns
    -------
    tuple of (float or int, float, float)
        The period, the bound in units of ``exp(log_size)``, and what the tails below c add when
        they are taken as one.
    """
    tilt = _TILT / (max(sd, 1.0) if law.is_lattice else sd)
    down = s - tilt
    above = law.cumulant(s + tilt)[0] - log_size
    below = law.cumulant(down)[0] - log_size
    # P(S >= c - y) <= exp(cumulant(t) + t y) for t > 0; for t < 0 the same bounds P(S < c - y)
    period = max(_WIDTH * sd, 16.0) if law.is_lattice else _WIDTH * sd
    for _ in range(24):
        if law.is_lattice:
            period = fft.next_fast_len(math.ceil(period), real=True)
        exponents = np.array([above, below]) - tilt * period
        alias = math.inf
        if exponents.max() < 0:
            alias = float(np.exp(exponents).sum()) / -math.expm1(-tilt * period)
        if alias <= _ALIAS:
            subtract = 1 / math.expm1(min(s * period, 700.0)) if down <= 0 else 0.0
            return period, alias, subtract
        period *= 2
    raise CannotMeetBound(
        "The sum has tails too heavy for the trapezoidal rule; use Monte Carlo replicates."
    )


def _sum_nodes(law, s, period, size, subtract):
    r"""Sum the trapezoidal rule over the nodes that matter.

    A sum that is cut off at the frequency :math:`\Theta` differs from the tail by at most
    :math:`\int |\phi| / (2 \Theta)` in units of `size`, whatever the characteristic function
    :math:`\phi` is past it: majorants and minorants of the step that have no frequencies past
    :math:`\Theta` enclose an area of :math:`\pi / \Theta` each with it (Graham and Vaaler 1981).
    For values in general position the characteristic function stays as small as it was found.

    Returns
    -------
    tuple of (float, float, float, str)
        The sum, the sum of absolute values, a bound on what is left out, and the method.
    """
    step = 2 * math.pi / period
    whole = law.is_lattice and period * law.cost <= _FULL
    cut = None if whole else law.cut()
    if cut is not None:
        nodes = math.ceil(cut[0] / step) + 1
        if nodes * len(law.points) <= 64 * _NODES:
            values = law.characteristic(step, 0, nodes)
            total, absolute, mass = (x / period for x in _weigh(values, s, step, 0, law))
            hidden = 2 * math.pi * _CUTOFF * mass  # times 1/reach
            allowed = _allowed(size * total - subtract) / size
            wanted = _SEEN * cut[1]
            if not law.is_general:  # the relative bound, if that is not too dear
                relative = RELATIVE_BOUND * abs(total - subtract / size)
                wanted = max(min(hidden / relative, 50 * wanted), hidden / allowed) * 1.01
            reach = law.reach(cut[1], wanted)
            # a negligible value times the sum of 1/theta over the other nodes
            decades = math.log(4 + min(reach, 1e6 / cut[0]) / cut[0])
            left_out = math.exp(_NEGLIGIBLE[law.is_lattice]) * decades
            if not (law.is_general and reach >= 0.9 * wanted):
                left_out += hidden / reach
            if left_out <= allowed:
                method = "lattice" if reach == math.inf else "inversion"
                return total, absolute, left_out, method
    if whole or (law.is_lattice and period * law.cost <= _LARGE):
        total, absolute, _ = _weigh(law.whole(period), s, step, 0, law, period)
        return total / period, absolute / period, 0.0, "lattice"
    return _octaves(law, s, step, period, size, subtract)


def _allowed(probability):
    """Return the error that a probability may have, less a tenth for what is not yet known."""
    return 0.9 * max(ABSOLUTE_BOUND, RELATIVE_BOUND * probability)


def _weigh(characteristic, s, step, start, law, period=None):
    """Multiply with the kernel and add up the line: the terms, their absolute values, and phi."""
    j = np.arange(start, start + len(characteristic))
    z = s + 1j * step * j
    terms = characteristic / -np.expm1(-z) if law.is_lattice else characteristic / z
    weight = np.where(j == 0, 1.0, 2.0)
    if period is not None and law.is_lattice:
        weight[2 * j == period] = 1.0
    sums = weight @ terms.real, weight @ np.abs(terms), weight @ np.abs(characteristic)
    return np.array(sums)


def _octaves(law, s, step, period, size, subtract):
    """Sum octave after octave until what the cut-off hides is small enough.

    What follows the last octave is bounded as in `_sum_nodes`; for values in general position its
    terms have random phases, and do not add up to more than the absolute terms of the last octave.
    """
    most = min(_NODES // len(law.points), 2**20)
    last = period // 2 + 1 if law.is_lattice else math.inf  # nodes of half a period
    enough = _SEEN * 2 * math.pi / law.span if law.is_general else 0.0
    start, stop, sums = 0, 64, np.zeros(3)
    while True:
        stop = min(stop, last)
        octave = _weigh(law.characteristic(step, start, stop), s, step, start, law, period)
        sums += octave
        total, absolute, mass = sums / period
        if stop == last:
            return total, absolute, 0.0, "lattice"
        hidden = _CUTOFF * 2 * math.pi * mass / (step * (stop - 1))
        allowed = _allowed(size * total - subtract) / size
        if law.is_general and step * stop > enough:
            hidden = min(hidden, octave[1] / period)
            allowed *= _AIM
        if hidden <= allowed or 2 * stop > most:
            return total, absolute, hidden, "inversion"
        start, stop = stop, 2 * stop


def _in_general_position(points, counts):
    """Whether values look continuous: at most one of them repeated, and hardly any two close by.

    Values of a discrete or rounded kind repeat, or nearly so, on any scale that matters.
    """
    is_coarse = points.dtype.kind == "i" and points[-1] - points[0] <= _LARGE
    if is_coarse or (counts > 1).sum() > 1 or len(points) < 3:
        return False
    gaps = np.diff(points)
    return int((gaps < 1e-3 * np.median(gaps)).sum()) <= 1 + len(points) // 100


# The two laws


def _powers(points, step, start, stop):
    """Return exp(i j step x) for j = start, ..., stop - 1 (rows) and the points x (columns)."""
    result = np.empty((stop - start, len(points)), dtype=complex)
    phase = step * points
    result[0] = np.exp(1j * start * phase) if start else 1
    done = 1
    while done < len(result):
        more = min(done, len(result) - done)
        np.multiply(result[:more], np.exp(1j * done * phase), out=result[done : done + more])
        done += more
    return result


def _blocks(size, other):
    """Slice `size` into blocks of at most `_BLOCK` numbers for each `other`."""
    block = max(1, _BLOCK // max(1, other))
    return [slice(start, start + block) for start in range(0, size, block)]


def _reach(points, shares, spread, limit, start, wanted, *, modulus):
    """Find up to which frequency a characteristic function of one value stays below a limit.

    Parameters
    ----------
    points, shares : ndarray, shape (u,)
        Values in ascending order (integers: a lattice) and their probabilities.
    spread : float
        Standard deviation of the values for the modulus, root mean square for the real part.
    limit : float
        Limit on the modulus or the real part.
    start, wanted : float
        The lowest frequency, and the highest one that is of interest.
    modulus : bool
        Whether the modulus is bounded, or the real part (of values that are not negative).

    Returns
    -------
    float
        The frequency up to which it is proved, infinite if for all of them on a lattice.
    """
    origin = points[0] if modulus else points[0] * 0
    span = points[-1] - origin
    on_lattice = points.dtype.kind == "i" and span + 32 * spread <= _LARGE
    if on_lattice:
        length = fft.next_fast_len(math.ceil(max(span + 1, 32 * spread)), real=True)
        binned = np.bincount(points - origin, shares, length)
        unit, last = 1.0, length // 2
    else:
        extent = max(1.01 * span, 32 * spread)
        finer = 1 if limit > 0.9 else 2
        needed = min(finer * wanted * 2 * extent / math.pi, _LARGE - 64) + 64
        length = fft.next_fast_len(max(2**12, math.ceil(needed)), real=True)
        unit, last = extent / length, length // 4
        place = (points - origin) / unit
        index = place.astype(np.int64)
        part = shares * (place - index)
        binned = np.bincount(index, shares - part, length)
        binned += np.bincount(index + 1, part, length)
    width = 2 * math.pi / (length * unit)
    first = int(start / width)
    if first >= last:
        return math.inf if on_lattice else start
    if not on_lattice:
        last = min(last, max(math.ceil(wanted / width), first) + 1)
    spectrum = fft.rfft(binned)[first : last + 1]
    curvature = (width * spread) ** 2 / 8  # half of what the spectrum gains between two nodes
    if modulus:
        values, limit = _squared_modulus(spectrum), math.sqrt(max(limit**2 - 2 * curvature, 0.0))
    else:
        values, limit = spectrum.real, limit - curvature
    frequency = width * np.arange(first, last + 1)
    limits = limit
    if not on_lattice:  # linear interpolation of exp(i theta x) is off by at most this
        limits = limit - (1 - np.cos(frequency * unit / 2))
    limits = np.sign(limits) * np.square(limits) if modulus else limits
    failed = values > limits
    place = int(np.argmax(failed))
    if failed[place]:
        return max(start, float(frequency[max(place - 1, 0)]))
    return math.inf if on_lattice else float(frequency[-1])


def _squared_modulus(values):
    return values.real**2 + values.imag**2


def _smaller_root(linear, quadratic, target):
    """Return the smaller x > 0 with ``linear * x - quadratic * x**2 == target``, or None."""
    root = linear * linear - 4 * quadratic * target
    return None if root <= 0 else 2 * target / (linear + math.sqrt(root))


@dataclass(frozen=True)
class _Draws:
    """Sum of independent draws, and the bound that it is compared with."""

    points: np.ndarray
    shares: np.ndarray
    draws: int
    bound: float | int
    is_general: bool = False
    tilted_shares: np.ndarray | None = None

    @property
    def is_lattice(self):
        return self.points.dtype.kind == "i"

    @property
    def terms(self):
        return self.draws

    @property
    def cost(self):
        return 1

    @property
    def span(self):
        return self.points[-1] - self.points[0]

    @cached_property
    def centred(self):
        return self.points - self.bound / self.draws

    def reflected(self):
        bound = 1 - self.bound if self.is_lattice else -self.bound
        return replace(self, points=-self.points[::-1], shares=self.shares[::-1], bound=bound)

    def edge(self):
        """Return the probability of the largest sum, if only that one reaches the bound."""
        gap = self.points[-1] - self.points[-2]
        excess = self.draws * self.points[-1].item() - self.bound
        if excess >= (gap if self.is_lattice else 0.999 * gap):
            return None
        return math.exp(self.draws * math.log(self.shares[-1]))

    def _weights(self, s):
        exponent = s * self.centred
        top = exponent.max()
        exponent -= top
        weights = np.exp(exponent, out=exponent)
        weights *= self.shares
        return top, weights

    def cumulant(self, s):
        """Return log E exp(s (S - c)) and its first two derivatives."""
        top, weights = self._weights(s)
        total = weights.sum()
        mean = weights @ self.centred / total
        variance = weights @ np.square(self.centred - mean) / total
        m = self.draws
        return m * float(top + np.log(total)), m * float(mean), m * float(variance)

    def tilted(self, s):
        weights = self._weights(s)[1]
        weights /= weights.sum()
        return replace(self, tilted_shares=weights)

    @cached_property
    def moments(self):
        """Return mean, variance and fourth moment of a tilted draw."""
        mean = self.tilted_shares @ self.centred
        squares = np.square(self.centred - mean)
        weighted = self.tilted_shares * squares
        return float(mean), float(weighted.sum()), float(weighted @ squares)

    def characteristic(self, step, start, stop):
        """Return E exp(i j step (S - c)) of the tilted sum for j = start, ..., stop - 1."""
        result = np.zeros(stop - start, dtype=complex)
        rows = max(1, _BLOCK // len(self.points)) if len(self.points) < _BLOCK else stop - start
        for low in range(start, stop, rows):
            high = min(low + rows, stop)
            for block in _blocks(len(self.points), high - low):
                powers = _powers(self.centred[block], step, low, high)
                result[low - start : high - start] += (powers * self.tilted_shares[block]).sum(
                    axis=1
                )
        return result**self.draws

    def whole(self, period):
        """Return the characteristic function at all nodes of half a period, by one transform."""
        origin = self.bound // self.draws
        index = (self.points - origin) % period
        values = fft.rfft(np.bincount(index, self.tilted_shares, period)).conj()
        shift = self.bound - self.draws * origin
        j = np.arange(len(values))
        return values**self.draws * np.exp(-2j * math.pi / period * (j * shift % period))

    def cut(self):
        r"""Return a frequency past which the characteristic function is negligible up to a second.

        With X' a copy of X, :math:`|\phi|^2 = E \cos(\theta (X - X'))`, at most
        :math:`1 - \theta^2 \sigma^2 + \theta^4 (2 \mu_4 + 6 \sigma^4) / 24`.

        Returns
        -------
        tuple of (float, float), or None
            The two frequencies; None if the bound does not become small enough.
        """
        _, variance, fourth = self.moments
        quartic = (2 * fourth + 6 * variance**2) / 24
        target = 2 * _NEGLIGIBLE[self.is_lattice] / self.draws
        root = _smaller_root(variance, quartic, -math.expm1(target))
        return None if root is None else (math.sqrt(root), math.sqrt(variance / (2 * quartic)))

    def reach(self, start, wanted):
        """Return the frequency up to which the characteristic function is proved negligible."""
        limit = math.exp(_NEGLIGIBLE[self.is_lattice] / self.draws)
        spread = math.sqrt(self.moments[1])
        return _reach(self.points, self.tilted_shares, spread, limit, start, wanted, modulus=True)


@dataclass(frozen=True)
class _Flips:
    """Sum of the values with a plus, and the bound that it is compared with."""

    points: np.ndarray
    counts: np.ndarray
    bound: float | int
    is_general: bool = False
    chances: np.ndarray | None = None  # of a plus, after tilting

    @property
    def is_lattice(self):
        return self.points.dtype.kind == "i"

    @cached_property
    def terms(self):
        return int(self.counts.sum())

    @property
    def cost(self):
        return len(self.points)

    @property
    def span(self):
        return self.points[-1]

    @cached_property
    def excess(self):
        """Mean minus bound."""
        return (self.points @ self.counts) / 2 - self.bound

    def reflected(self):
        total = self.points @ self.counts
        if self.is_lattice:
            return replace(self, bound=int(total) - self.bound + 1)
        return replace(self, bound=total - self.bound)

    def edge(self):
        """Return the probability of all plus, if only that reaches the bound."""
        excess = self.points @ self.counts - self.bound
        if excess >= (self.points[0] if self.is_lattice else 0.999 * self.points[0]):
            return None
        return math.ldexp(1.0, -self.terms)

    def cumulant(self, s):
        """Return log E exp(s (S - c)) and its first two derivatives."""
        half = s * self.points / 2
        size = np.abs(half)
        tanh = np.tanh(half)
        log_cosh = size + np.log1p(np.exp(-2 * size)) - math.log(2)
        halves = self.points / 2 * self.counts
        return (
            float(self.counts @ log_cosh) + s * float(self.excess),
            float(halves @ tanh) + float(self.excess),
            float((halves * self.points / 2) @ (1 - tanh * tanh)),
        )

    def tilted(self, s):
        return replace(self, chances=special.expit(s * self.points))

    @cached_property
    def variances(self):
        return self.counts * self.chances * (1 - self.chances)

    def characteristic(self, step, start, stop):
        """Return E exp(i j step (S - c)) of the tilted sum for j = start, ..., stop - 1."""
        result = np.empty(stop - start, dtype=complex)
        rows = max(1, _BLOCK // len(self.points)) if len(self.points) < _BLOCK else stop - start
        for low in range(start, stop, rows):
            high = min(low + rows, stop)
            product = np.ones(high - low, dtype=complex)
            for block in _blocks(len(self.points), high - low):
                product *= self._product(block, step, low, high)
            result[low - start : high - start] = product
        j = np.arange(start, stop)
        return result * np.exp(1j * step * self.excess * j)

    def _product(self, block, step, start, stop):
        """Multiply the factors of some values, each about its mean of one half."""
        powers = _powers(self.points[block] / 2, step, start, stop)
        sign = 2 * self.chances[block] - 1
        powers.imag *= sign
        counts = self.counts[block]
        single = counts == 1
        if single.all():
            return _product(powers)
        with np.errstate(divide="ignore", invalid="ignore"):
            many = powers[:, ~single] ** counts[~single]
        return _product(np.concatenate([powers[:, single], many], axis=1))

    def whole(self, period):
        """Return the characteristic function at all nodes of half a period."""
        return self.characteristic(2 * math.pi / period, 0, period // 2 + 1)

    def cut(self):
        r"""Return a frequency past which the characteristic function is negligible up to a second.

        :math:`|\phi|^2 = \prod (1 - 2 p q (1 - \cos \theta v)) \le \exp(-\sum 2 p q (1 - \cos
        \theta v))`, and :math:`1 - \cos x \ge x^2/2 - x^4/24`.

        Returns
        -------
        tuple of (float, float), or None
            The two frequencies; None if the bound does not become small enough.
        """
        squares = np.square(self.points.astype(float))
        second = float(self.variances @ squares)
        fourth = float(self.variances @ np.square(squares)) / 12
        root = _smaller_root(second, fourth, -2 * _NEGLIGIBLE[self.is_lattice])
        return None if root is None else (math.sqrt(root), math.sqrt(second / (2 * fourth)))

    def reach(self, start, wanted):
        r"""Return the frequency up to which the characteristic function is proved negligible.

        The logarithm of a factor, :math:`\ln(1 - 2 p q (1 - \cos \theta v)) / 2`, is below its
        tangent in :math:`\cos \theta v`, so that the sum is below one over cosines.
        """
        touch = 0.3
        pq = 2 * self.chances * (1 - self.chances)
        value = 1 - pq * (1 - touch)
        slopes = self.counts * pq / value
        total = float(slopes.sum())
        constant = float(self.counts @ np.log(value)) - touch * total
        limit = (2 * _NEGLIGIBLE[self.is_lattice] - constant) / total
        shares = slopes / total
        spread = math.sqrt(shares @ np.square(self.points.astype(float)))
        return _reach(self.points, shares, spread, limit, start, wanted, modulus=False)


def _product(factors):
    """Multiply along the last axis, pairwise."""
    while factors.shape[1] > 1:
        half = factors.shape[1] // 2
        product = factors[:, :half] * factors[:, half : 2 * half]
        if factors.shape[1] % 2:
            product[:, 0] *= factors[:, -1]
        factors = product
    return factors[:, 0]


# Enumeration


def _compositions(points, shares, draws):
    """Return all sums of draws and their probabilities, one for each way to split the draws."""
    if draws == 1:
        return points, shares
    if draws == 2:
        first, second = np.triu_indices(len(points))
        chances = shares[first] * shares[second] * np.where(first == second, 1, 2)
        return points[first] + points[second], chances
    rest = np.array([draws])
    sums = np.zeros(1, dtype=points.dtype)
    log_chance = np.array([special.gammaln(draws + 1)])
    log_shares = np.log(shares)
    for place, point in enumerate(points):
        if place == len(points) - 1:
            count = rest
        else:
            repeats = rest + 1
            starts = np.cumsum(repeats) - repeats
            count = np.arange(repeats.sum()) - np.repeat(starts, repeats)
            rest, sums, log_chance = (np.repeat(a, repeats) for a in (rest, sums, log_chance))
            rest = rest - count
        sums = sums + count * point
        log_chance = log_chance + count * log_shares[place] - special.gammaln(count + 1)
    return sums, np.exp(log_chance)


def _enumerated_draws(points, shares, draws, bound):
    """Enumerate the sums of half of the draws, and join them with the other half."""
    first = _compositions(points, shares, draws - draws // 2)
    second = (
        _compositions(points, shares, draws // 2) if draws > 1 else (points[:1] * 0, np.ones(1))
    )
    order = np.argsort(second[0])
    sums = second[0][order]
    index = np.searchsorted(sums, bound - np.sort(first[0]), side="left")
    chances = first[1][np.argsort(first[0])]
    cumulative = np.concatenate([[0.0], np.cumsum(second[1][order])])
    reverse = np.concatenate([np.cumsum(second[1][order][::-1])[::-1], [0.0]])
    above, below = float(chances @ reverse[index]), float(chances @ cumulative[index])
    upper = above <= below
    small = above if upper else below
    return _tail(small, _EPS * (64 + 16 * draws + len(sums)) * small, "lattice", upper)


def _enumerated_flips(points, counts, bound):
    """Count the sums of half of the values, joined with the other half; the count is exact."""
    values = np.repeat(points, counts)
    halves = []
    for part in (values[::2], values[1::2]):
        sums = np.zeros(1, dtype=values.dtype)
        for value in part:
            sums = np.concatenate([sums, sums + value])
        sums.sort()
        halves.append(sums)
    n = len(values)
    below = int(np.searchsorted(halves[1], bound - halves[0], side="left").sum())
    above = 2**n - below
    upper = above <= below
    small = math.ldexp(min(above, below), -n)
    return _tail(small, _EPS * small, "lattice", upper)


# Ratios of sums


def _mean_tail(d, integers, draws):
    """P(delta* >= 2 delta) for equal weights."""
    n = len(d)
    if integers is None:
        return bootstrap_tail(d - 2 * math.fsum(d) / n, draws)
    total = _exact_sum(integers)
    points, counts = _count_integers(integers)
    low = int(points[0])
    step = int(np.gcd.reduce(points - low)) or 1
    # sum of draws >= 2 draws total / n, as whole steps above the lowest sum
    bound = -((draws * low * n - 2 * draws * total) // (step * n))
    return _draws_tail((points - low) // step, counts, draws, bound)


def _exact_sum(integers):
    """Sum as a Python integer, which cannot overflow."""
    small = len(integers) * float(np.abs(integers).max()) < 2**62
    return int(integers.sum()) if small else sum(map(int, integers))


def _count_integers(integers):
    low, high = int(integers.min()), int(integers.max())
    if high - low > 8 * len(integers):
        return np.unique(integers, return_counts=True)
    counts = np.bincount(integers - low)
    points = np.flatnonzero(counts)
    return points + low, counts[points]


def _ratio_tail(d, w, draws):
    """P(W sum d* - 2 D sum w* >= 0) for whole numbers d and w, W and D their sums."""
    total_d, total_w = _exact_sum(d), _exact_sum(w)
    a, b = total_w, -2 * total_d
    common = math.gcd(a, b)
    a, b = a // common, b // common
    largest = abs(a) * int(np.abs(d).max()) + abs(b) * int(w.max())
    if largest * draws >= 2**62:
        return bootstrap_tail(d - 2 * total_d / total_w * w, draws)
    plane = _plane_tail(d, w, a, b, draws) if b else None
    if plane is not None:
        return plane
    points, counts = np.unique(a * d + b * w, return_counts=True)
    low = int(points[0])
    step = int(np.gcd.reduce(points - low)) or 1
    return _draws_tail((points - low) // step, counts, draws, -((draws * low) // step))


def _plane_tail(d, w, a, b, draws):
    """P(a sum d* + b sum w* >= 0) by the generating function of both sums.

    Parameters
    ----------
    d, w : ndarray of int64, shape (n,)
        What is drawn, in pairs.
    a, b : int
        Coefficients other than zero, without common factor.
    draws : int
        Number of draws.

    Returns
    -------
    Tail or None
        None if nothing is proved within the size of a Fourier transform; callers then sum
        a d + b w on its own lattice, which is finer and longer.
    """
    pairs, counts = _count_pairs(d, w)
    upper = float(a * d.mean() + b * w.mean()) <= 0
    bound = 0
    if not upper:  # P(S >= 0) = 1 - P(-S >= 1)
        a, b, bound = -a, -b, 1
    combined = a * pairs[0] + b * pairs[1]
    law = _Draws(combined, counts / len(d), draws, bound)
    if not draws * int(combined.min()) < bound < draws * int(combined.max()):
        return None
    s, log_size, _ = _saddle(law)
    if log_size < _LOG_TINY:
        return _tail(0.0, _TINY, "lattice", upper)
    shares = law.tilted(s).tilted_shares
    plane = _Plane(*pairs, shares, draws, s, a, b, bound)
    if plane.x_spread() > plane.y_spread():
        plane = _Plane(*pairs[::-1], shares, draws, s, b, a, bound)
    if plane.b < 0:
        plane = _Plane(plane.x, -plane.y, shares, draws, s, plane.a, -plane.b, bound)
    periods = [_wide_period(z, shares, draws) for z in (plane.x, plane.y)]
    if None in periods:
        return None
    sums = plane.sum_box(*periods)
    if sums is None:
        sums = plane.sum_whole(*periods)
    if sums is None:
        return None
    total, absolute = sums
    rounding = _EPS * (4 * draws + 8 * abs(log_size) + 64) * absolute
    size = math.exp(log_size)
    return _tail(size * total, size * (_PLANE_ALIAS + rounding), "lattice", upper)


def _count_pairs(d, w):
    """Return the distinct pairs (two arrays) and how often each occurs."""
    low, width = int(w.min()), int(w.max()) - int(w.min()) + 1
    first = int(d.min())
    keys, counts = _count_integers((d - first) * width + (w - low))
    return (keys // width + first, keys % width + low), counts


def _wide_period(values, shares, draws):
    """Return a period that a sum, about its mean, leaves with probability `_PLANE_ALIAS` / 4."""
    mean = shares @ values
    centred = values - mean
    sd = math.sqrt(draws * float(shares @ np.square(centred)))
    period = max(_WIDTH * sd, 16.0)
    for _ in range(12):
        tilt = period / 2 / max(sd * sd, 1.0)
        tilt = min(tilt, 8.0 / max(sd, 1.0))
        with np.errstate(over="ignore"):
            means = [float(shares @ np.exp(sign * tilt * centred)) for sign in (-1.0, 1.0)]
        logs = [draws * math.log(mean) for mean in means]
        if max(logs) - tilt * (period / 2 - 1) <= math.log(_PLANE_ALIAS / 8):
            return fft.next_fast_len(math.ceil(period), real=True)
        period *= 1.2
    return None


@dataclass(frozen=True)
class _Plane:
    """Tilted sums of integer pairs (x, y), and the half-plane a x + b y >= bound with b > 0."""

    x: np.ndarray
    y: np.ndarray
    shares: np.ndarray
    draws: int
    tilt: float
    a: int
    b: int
    bound: int

    def x_spread(self):
        return self.covariance[0, 0]

    def y_spread(self):
        return self.covariance[1, 1]

    @cached_property
    def means(self):
        return float(self.shares @ self.x), float(self.shares @ self.y)

    @cached_property
    def covariance(self):
        x, y = self.x - self.means[0], self.y - self.means[1]
        xy = self.shares @ (x * y)
        return np.array([[self.shares @ (x * x), xy], [xy, self.shares @ (y * y)]])

    def origins(self, x_period, y_period):
        """Return the lowest sums of a period about the means."""
        return (
            math.floor(self.draws * self.means[0] - x_period / 2),
            math.floor(self.draws * self.means[1] - y_period / 2),
        )

    def characteristic(self, x_step, x_nodes, y_step, y_nodes):
        """Return E exp(i (j x_step x + k y_step y)) of a draw about its mean.

        Rows k = 0, ..., y_nodes - 1, columns j = 0, ..., x_nodes - 1, 1 - x_nodes, ..., -1.
        """
        result = np.zeros((y_nodes, 2 * x_nodes - 1), dtype=complex)
        # products this small stay on one thread of the linear algebra library
        for block in _blocks(len(self.x), 4 * x_nodes * y_nodes):
            in_x = _powers(self.x[block] - self.means[0], x_step, 0, x_nodes)
            in_y = _powers(self.y[block] - self.means[1], y_step, 0, y_nodes)
            in_y *= self.shares[block]
            result[:, :x_nodes] += in_y @ in_x.T
            result[:, x_nodes:] += in_y @ in_x[:0:-1].conj().T
        return result

    def proved_box(self, x_period, y_period):
        """Return how many nodes are not negligible in each direction, or None if nothing is proved.

        In directions scaled by the covariance, at distance r from zero, the squared modulus is at
        most 1 - r^2 + q r^4 (fourth moments). Where that rises again, a fine grid about zero and a
        Fourier transform of the rest bound it, with the second derivative between nodes.
        """
        covariance = self.covariance
        determinant = float(covariance[0, 0] * covariance[1, 1] - covariance[0, 1] ** 2)
        scales = np.sqrt(np.diag(covariance))
        if determinant <= 1e-6 * scales[0] ** 2 * scales[1] ** 2:
            return None
        x, y = self.x - self.means[0], self.y - self.means[1]
        distance = (
            covariance[1, 1] * x * x - 2 * covariance[0, 1] * x * y + covariance[0, 0] * y * y
        )
        distance /= determinant
        quartic = (2 * float(self.shares @ distance**2) + 16) / 24
        # the sum over a period of what is left out
        log_target = math.log(_PLANE_ALIAS / 4) - math.log(x_period * y_period)
        target = math.exp(2 * log_target / self.draws)
        cut = _smaller_root(1.0, quartic, 1 - target)
        if cut is None:
            return None
        falls_to = math.sqrt(1 / (2 * quartic))
        if self._largest_near(scales, falls_to) > target or self._largest_far(scales) > target:
            return None
        reach = np.sqrt(cut * np.diag(covariance)[::-1] / determinant) / (2 * math.pi)
        nodes = math.ceil(reach[0] * x_period) + 1, math.ceil(reach[1] * y_period) + 1
        return nodes if 2 * nodes[0] < x_period and 2 * nodes[1] < y_period else None

    def _largest_near(self, scales, distance):
        """Bound the squared modulus past a distance from zero, in a box of `_BOX` deviations."""
        grid = 0.04
        nodes = math.ceil(_BOX / grid) + 1
        values = self.characteristic(grid / scales[0], nodes, grid / scales[1], nodes)
        j = np.concatenate([np.arange(nodes), np.arange(1 - nodes, 0)])
        k = np.arange(nodes)[:, None]
        correlation = self.covariance[0, 1] / scales.prod()
        squares = grid**2 * (j * j + k * k + 2 * correlation * j * k)
        outside = squares >= max(distance - 2 * grid, 0.0) ** 2
        return float(_squared_modulus(values)[outside].max()) + grid**2 / 2

    def _largest_far(self, scales):
        """Bound the squared modulus outside of the box."""
        x, y = self.x - self.x.min(), self.y - self.y.min()
        lengths = [
            fft.next_fast_len(int(max(z.max() + 1, 32 * scale)), real=True)
            for z, scale in zip((x, y), scales, strict=True)
        ]
        if lengths[0] * lengths[1] > _LARGE:
            return math.inf
        index = x * lengths[1] + y
        binned = np.bincount(index, self.shares, lengths[0] * lengths[1]).reshape(lengths)
        modulus = _squared_modulus(fft.rfft2(binned))
        widths = 2 * math.pi * scales / lengths
        inside = [math.floor(_BOX / width) for width in widths]  # whole cells of the box
        if min(inside) < 1:
            return math.inf
        keep = inside[0] - 1, inside[1]
        modulus[: keep[0] + 1, : keep[1]] = 0
        if keep[0]:
            modulus[-keep[0] :, : keep[1]] = 0
        return float(modulus.max()) + float(np.square(widths).sum()) / 4

    def sum_box(self, x_period, y_period):
        """Sum the half-plane from the characteristic function near zero, if that is proved.

        Returns
        -------
        tuple of (float, float), or None
            The sum of exp(-tilt (a x + b y - bound)) over the half-plane, and of absolute terms.
        """
        box = self.proved_box(x_period, y_period)
        if box is None:
            return None
        x_nodes, y_nodes = box
        x_low, y_low = self.origins(x_period, y_period)
        x_step, y_step = 2 * math.pi / x_period, 2 * math.pi / y_period
        values = self.characteristic(x_step, x_nodes, y_step, y_nodes) ** self.draws
        j = np.concatenate([np.arange(x_nodes), np.arange(1 - x_nodes, 0)])
        k = np.arange(y_nodes)[:, None]
        values *= np.exp(-1j * x_step * (x_low - self.draws * self.means[0]) * j)
        values *= np.exp(-1j * y_step * (y_low - self.draws * self.means[1]) * k)
        padded = np.zeros((y_nodes, x_period), dtype=complex)
        padded[:, j] = values
        by_x = fft.fft(padded, axis=1)  # sums x_low, x_low + 1, ... in the columns
        kernel = self._half_lines(x_low, x_period, y_low, y_period, y_nodes)
        terms = by_x * kernel
        weight = np.where(k[:, 0] == 0, 1.0, 2.0) / (x_period * y_period)
        return float(weight @ terms.real.sum(axis=1)), float(weight @ np.abs(terms).sum(axis=1))

    def _half_lines(self, x_low, x_period, y_low, y_period, y_nodes):
        """Return sums over y in the half-plane of exp(-tilt (a x + b y - bound) - i theta_k y)."""
        x = x_low + np.arange(x_period)
        first = np.clip(-((self.a * x - self.bound) // self.b) - y_low, 0, y_period)
        offset = (self.a * x - self.bound) + self.b * y_low  # at y_low
        at_first = np.exp(-self.tilt * np.where(first < y_period, offset + self.b * first, np.inf))
        at_end = np.exp(-self.tilt * np.where(first < y_period, offset + self.b * y_period, np.inf))
        k = np.arange(1, y_nodes)[:, None]
        roots = np.exp(-2j * math.pi / y_period * np.arange(y_period))
        kernel = np.empty((y_nodes, x_period), dtype=complex)
        decay = self.tilt * self.b
        kernel[0] = at_first * (np.expm1(-decay * (y_period - first)) / math.expm1(-decay))
        kernel[1:] = roots[k * first % y_period]
        kernel[1:] *= at_first
        kernel[1:] -= at_end
        kernel[1:] /= -np.expm1(-(decay + 2j * math.pi / y_period * k))
        return kernel

    def sum_whole(self, x_period, y_period):
        """Sum the half-plane from all of the period's probabilities; None if there are too many."""
        if x_period * y_period > 2 * _LARGE:
            return None
        centre = [round(mean) for mean in self.means]
        index = (self.x - centre[0]) % x_period * y_period + (self.y - centre[1]) % y_period
        binned = np.bincount(index, self.shares, x_period * y_period).reshape(x_period, y_period)
        values = fft.rfft2(binned)
        values **= self.draws
        chances = fft.irfft2(values, s=(x_period, y_period))
        x_low, y_low = self.origins(x_period, y_period)
        x = x_low + np.arange(x_period)[:, None]
        y = y_low + np.arange(y_period)
        chances = chances[
            (x - self.draws * centre[0]) % x_period, (y - self.draws * centre[1]) % y_period
        ]
        excess = self.a * x + self.b * y - self.bound
        weights = np.where(excess >= 0, np.exp(-self.tilt * np.maximum(excess, 0)), 0.0)
        return float((chances * weights).sum()), 1.0 + _EPS * x_period * y_period
