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
the tail, so that on a lattice it keeps its relative accuracy however small it is. About 25 values
of the characteristic function suffice. That the others are negligible is proved from moments near
zero and by a Fourier transform away from it. On a lattice nothing else is left out, and ties are
exact since sums are compared as integers. For a ratio of sums of counts the same is done in two
dimensions. Off a lattice the proof ends at some frequency; what lies past it is bounded, or, for
values in general position, assumed to stay small, which a result says (`Tail.proved`).

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
from functools import cached_property, reduce

import numpy as np
from scipy import fft, special

from analysis import checks
from analysis._plane import (
    BLOCK,
    EPS,
    LARGE,
    PLANE_ALIAS,
    WIDTH,
    Plane,
    blocks,
    powers,
    smaller_root,
    squared_modulus,
)

ABSOLUTE_BOUND = 1e-9
"""A tail is returned if its error is at most this,"""

RELATIVE_BOUND = 1e-4
"""or at most this share of the smaller of the probability and its complement."""

_DOUBLE = 16 * EPS  # rounding of values, as a share of the largest
_SINGLE = 2.0**-23  # of values that are float32 numbers, as a share of each
_NEAR = (2.0**-26, 2.0**-20)  # deviations of values from a lattice that they are close to
_STEPS = 2**20  # longest range of values on a lattice, in steps
_CHANCE = 1e-4  # probability with which random values may look like a lattice
_TINY = 5e-324  # the smallest float above zero
_LOG_TINY = -745.0
_TILT = 3.5  # second tilt of the Chernoff bounds, in inverse standard deviations
_NEGLIGIBLE = {True: -40.0, False: -24.0}  # log of what is left out, on a lattice and off it
_CUTOFF = 0.6  # the bound on what a cut-off hides is 1/2; rounded up
_ALIAS = 1e-15
_FULL = 2**14  # nodes times values below which the whole period is summed without further ado
_ROWS = 2**9  # fewest nodes worked on at a time
_NODES = 2**22  # nodes times values of the longest sum over nodes
_SEEN = 100.0  # octaves end, and proofs reach, this many times past the scale of the values
_AIM = 1e-3  # part of the bound that is aimed at in general position
_ATOMS = 2**21  # sums that are enumerated at most
_FEW_ATOMS = 2**17  # sums that are enumerated without further ado
_FLIPS = 44  # values whose signs are enumerated at most, in two halves
_FEW_FLIPS = 32  # the same without further ado, if the sum is not a short one of whole numbers,
_FEWEST_FLIPS = 20  # or in any case


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
        Bound on the absolute error of both where it is proved, otherwise an estimate of it. On a
        lattice it is about 1e-12 of the smaller of the two with n = 2,000, down to 1e-300; it can
        be larger than the smaller one where it is not on a lattice. Below the smallest float the
        value is 0.
    method : {"lattice", "inversion"}
        "lattice" for sums on a common step (generating function) and for sums that are enumerated;
        "inversion" for the characteristic function where some of it is cut off.
    proved : bool
        Whether `error` is a bound. It is an estimate for values in general position, of which it is
        assumed that no frequency beyond those looked at brings them near a common step.
    """

    probability: float
    complement: float
    error: float
    method: str
    proved: bool = True

    @property
    def how(self):
        """Say "exact" if the error is a bound and "estimate" if not, and by which method."""
        return f"{'exact' if self.proved else 'estimate'} ({self.method})"


class CannotMeetBound(Exception):
    """No exact way meets the error bound for these values; use Monte Carlo instead."""


def bootstrap_tail(values, size, threshold=0.0):
    r"""Tail of a sum of independent draws from the observed values: the ideal bootstrap.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values drawn from, each with probability 1/n; finite.
    size : int
        Number m of draws in a resample, at least one.
    threshold : float, default 0.0
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.

    Returns
    -------
    Tail
        P(sum >= threshold), its complement and the error bound.

    Raises
    ------
    InputError
        If a value is no finite number, there is none, or size is not a whole number of at least 1.
    CannotMeetBound
        If the error exceeds both `ABSOLUTE_BOUND` and `RELATIVE_BOUND` times the smaller tail.

    Notes
    -----
    Valid for independent draws with replacement; the paired bootstrap of a sum draws instances
    with their difference.

    ``error`` is proved, but for the constants in what rounding adds, where the values have a common
    step (after a shift: counts, decimals, simple fractions), where the sums are few enough to be
    enumerated, where the values are so close to a lattice that either sum on it may be meant and
    both tails are known, and where values repeat. In the last case the proof holds whatever the
    values' common divisors, and is wide: the error is seldom proved below 1e-5 of the tail, though
    it is smaller. Values of which at most one repeats, on and near no lattice, are taken to be in
    general position: the characteristic function is proved small as far as 100 times the scale on
    which it falls, and assumed to stay so. Then ``error``, typically 1e-9 of the tail, is an
    estimate and `Tail.proved` is false.

    Values have a common step if they are its multiples up to 16 units of the last place of the
    largest, or, if all are float32 numbers, up to one unit of each in that precision; at most about
    a million steps. They then stand for the multiples, whose ties count as ties. Few values (five,
    of float32 with thousands of steps) may be there by chance and are taken as they are.

    Time and memory are those of sorting and a few Fourier transforms; they do not depend on m.

    Examples
    --------
    >>> tail = bootstrap_tail([-1] * 30 + [0] * 60 + [1] * 10, 100)
    >>> f"{tail.probability:.6f}", tail.method
    ('0.000597', 'lattice')
    """
    values = checks.vector("values", values)
    draws = checks.at_least("size", size)
    values, threshold = _moderate(values, checks.finite("threshold", threshold))
    distinct, counts = np.unique(values, return_counts=True)
    lattice = _lattice(distinct)
    if lattice is not None:
        bound = _ceiling(threshold, draws, lattice)
        if bound is not None:
            return _draws_tail(*_merged(lattice.integers, counts), draws, bound)
    slack = 4 * EPS * max(abs(threshold), draws * float(np.abs(distinct).max()))
    return _draws_tail(distinct, counts, draws, threshold - slack)


def flip_tail(values, threshold=None):
    r"""Tail of a sum with random signs: the exact sign-flip (approximate randomisation) test.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values whose signs are flipped, each with probability 1/2; finite. Their own signs
        matter for the default of the threshold only.
    threshold : float, optional
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.
        Default: the sum of the values with their own signs.

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
    With the default threshold it is the p-value of the null hypothesis that each difference
    is symmetric about zero (the outputs of A and B are exchangeable, instance by instance),
    one-sided "A is better" (Noreen 1989; Yeh 2000). What ``error`` rests on is said in
    `bootstrap_tail`. Up to 44 values are enumerated where that is needed.

    Examples
    --------
    >>> flip_tail([1, 2, 3, 0]).probability
    0.125
    """
    values = checks.vector("values", values)
    if threshold is not None:
        threshold = checks.finite("threshold", threshold)
    values, threshold = _moderate(values, threshold)
    distinct, counts = np.unique(np.abs(values), return_counts=True)
    lattice = _lattice(distinct, anchored=True)
    if lattice is not None:
        integers = _whole(values, lattice)
        total = _exact_sum(np.abs(integers))
        # the sum of signed values is 2K - total, K the sum of the values with a plus
        if threshold is None:
            bound = (_exact_sum(integers) + total) // 2
        else:
            bound = _integer_at_least(
                (Fraction(threshold) / Fraction(lattice.step) + total) / 2,
                (4 * EPS * abs(threshold) + len(values) * lattice.noise) / lattice.step / 2,
            )
        if bound is not None:
            return _flips_tail(*_merged(lattice.integers, counts), bound)
    if threshold is None:
        threshold = math.fsum(values)
    total = float((distinct * counts).sum())
    slack = 8 * EPS * max(abs(threshold), total)
    return _flips_tail(distinct, counts, (threshold + total - slack) / 2)


def ideal_bootstrap(differences, weights=None, *, size=None, direction=1):
    r"""p-value of the paired bootstrap with infinitely many replicates.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Score of A minus score of B on each instance: the numerators of the metric, such as the
        number of words right. Finite.
    weights : array_like, shape (n,), optional
        Denominator of the metric on each instance, the same for both systems, such as the number of
        words; not negative, with a positive sum. Default: one for each instance.
    size : int, optional
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
    d = checks.vector("differences", differences)
    if checks.direction(direction) == -1:
        d = -d
    w = None if weights is None else checks.weights(weights, len(d))
    draws = len(d) if size is None else checks.at_least("size", size)
    if w is not None and (w == w[0]).all():
        w = None
    if not d.any():
        return _certain(True)
    (d,) = _moderate(d)
    d_integer = _integers(d)
    if w is None:
        return _mean_tail(d, d_integer, draws)
    (w,) = _moderate(w)
    w_integer = _integers(w)
    if d_integer is not None and w_integer is not None:
        return _ratio_tail(d_integer, w_integer, draws)
    return bootstrap_tail(d - 2 * math.fsum(d) / math.fsum(w) * w, draws)


def _moderate(values, *others):
    """Scale by a power of two, so that fourth powers neither overflow nor vanish."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    if abs(exponent) <= 100:
        return values, *others
    with np.errstate(over="ignore", under="ignore"):
        scaled = [None if x is None else float(np.ldexp(x, -exponent)) for x in others]
        scaled = [None if x is None else min(max(x, -1e300), 1e300) for x in scaled]
        return np.ldexp(values, -exponent), *scaled


# Lattices


def in_common_units(values):
    """Return values as whole numbers, if they have a common step up to their rounding.

    Sums and differences of them are then exact, as those of 0.3 and 0.1 are not.

    Parameters
    ----------
    values : array_like
        Finite numbers, at least one, such as the scores of two systems.

    Returns
    -------
    ndarray of float64
        Whole numbers proportional to the values; the values as they are if there is no step.

    Notes
    -----
    The values have a common step if they are its multiples up to 16 units of the last place of the
    largest, or, if all are float32 numbers, up to one unit of each in that precision; at most about
    a million steps, or with few values fewer, so that it is not there by chance.

    Examples
    --------
    >>> in_common_units([0.1, 0.3, -0.7])
    array([ 1.,  3., -7.])
    """
    values = np.asarray(values, dtype=float)
    integers = _integers(_moderate(values)[0])
    return values if integers is None else integers.astype(float)


def _integers(values):
    """Return whole numbers proportional to the values, or None."""
    lattice = _lattice(np.unique(values), anchored=True)
    return None if lattice is None else _whole(values, lattice)


def _whole(values, lattice):
    """Return the whole numbers of values on an anchored lattice."""
    return np.rint(values / lattice.step).astype(np.int64)


def _merged(integers, counts):
    """Put integers together that are equal; they are in ascending order."""
    first = np.flatnonzero(np.diff(integers, prepend=integers[0] - 1))
    return integers[first], np.add.reduceat(counts, first)


@dataclass(frozen=True)
class _Lattice:
    """Values ``shift + step * integers``, each off by at most `noise`."""

    integers: np.ndarray
    shift: float
    step: float
    noise: float


def _lattice(distinct, anchored=False):
    """Find the largest step of values on a lattice.

    Parameters
    ----------
    distinct : ndarray of float64, shape (u,)
        Values in ascending order, without repetitions.
    anchored : bool
        Whether the shift must be zero.

    Returns
    -------
    _Lattice or None
        None if the values have no common step that stands out of their rounding.
    """
    sizes = np.abs(distinct)
    size = sizes.max()
    if size < 2**53 and (distinct == np.rint(distinct)).all():
        integers = distinct.astype(np.int64)
        integers, shift, step = _steps(integers, 0 if anchored else int(integers[0]))
        return _Lattice(integers, float(shift), float(step), 0.0)
    lattice = _fitted(distinct, _DOUBLE * size, anchored)
    if lattice is None and (distinct.astype(np.float32) == distinct).all():
        return _fitted(distinct, _SINGLE * sizes, anchored=True)
    return lattice


def _near_lattice(points, anchored):
    """Find a lattice that values are close to, though not within rounding, or None."""
    size = float(max(-points[0], points[-1]))
    attempts = (_fitted(points, share * size, anchored) for share in _NEAR)
    return next(filter(None, attempts), None)


def _fitted(distinct, noise, anchored):
    """Fit a step to values that may be off by the noise; None if none fits, or only by chance.

    Random values fit as well as these to a lattice of r steps with probability r (2 e)^(k-1), e the
    largest deviation in steps and k the number of values other than the shift.
    """
    shift = 0.0 if anchored else float(distinct[0])
    offsets = distinct - shift
    noise = 2 * noise  # the shift is off, too
    smallest = max(float(np.abs(offsets[[0, -1]]).max()) / _STEPS, 25 * float(np.max(noise)))
    gaps = distinct[1:] - distinct[:-1]
    if ((gaps < smallest) & (gaps > np.max(noise))).any():
        return None
    noise = np.broadcast_to(noise, distinct.shape)
    step = _common_step(
        np.abs(np.concatenate([offsets, gaps])),
        np.concatenate([noise, np.maximum(noise[1:], noise[:-1])]),
        smallest,
    )
    if step is None:
        return None
    integers = np.rint(offsets / step)
    if integers.any():
        step = float(offsets @ integers / (integers @ integers))
    left = np.abs(offsets - step * integers)
    most = float(left.max()) + EPS * float(np.abs(distinct).max())
    others = np.count_nonzero(offsets) - 1
    chance = np.abs(integers).max() * (2 * most / step) ** others if others > 0 else 0.0
    if (left > noise).any() or chance > _CHANCE:
        return None
    return _Lattice(integers.astype(np.int64), shift, step, most)


def _steps(points, origin):
    """Return whole numbers k, the origin and the largest step with points = origin + step * k."""
    offsets = points - origin
    step = int(np.gcd.reduce(offsets)) or 1
    return offsets // step, origin, step


def _common_step(numbers, noise, smallest):
    """Greatest common divisor of numbers that may each be off by the noise, or None below a size.

    Euclid's algorithm on all of them at once. A remainder is as uncertain as the number and the
    quotient times the step that it comes from, and counts where it is well above that. The number
    that says most about the step then makes it more certain.
    """
    place = int(np.argmin(np.where(numbers > noise, numbers, np.inf)))
    step, error = numbers[place], noise[place]
    if step <= error:
        return 1.0
    while step >= smallest:
        quotients = np.rint(numbers / step)
        rest = np.abs(numbers - quotients * step)
        tolerance = noise + quotients * error
        left = np.where(rest > 8 * tolerance, np.maximum(rest, 128 * tolerance), np.inf)
        place = int(np.argmin(left))
        if left[place] < np.inf:
            step, error = rest[place], tolerance[place]
            continue
        certain = (rest <= tolerance) & (tolerance < step / 4) & (quotients > 0)
        errors = np.divide(noise, quotients, out=np.full(noise.shape, np.inf), where=certain)
        place = int(np.argmin(errors))
        if errors[place] >= error:
            return step if (certain | (quotients == 0)).all() else None
        step, error = numbers[place] / quotients[place], errors[place]
    return None


def _ceiling(threshold, draws, lattice):
    """Smallest sum of integers that is at least the threshold; None if rounding hides it."""
    return _integer_at_least(
        (Fraction(threshold) - draws * Fraction(lattice.shift)) / Fraction(lattice.step),
        (4 * EPS * abs(threshold) + draws * lattice.noise) / lattice.step,
    )


def _integer_at_least(exact, slack):
    """Round up, after lowering by the slack; None if the slack could reach the next integer."""
    return None if slack > 0.25 else math.ceil(exact - Fraction(slack))


# From laws to tails


def _certain(holds):
    return Tail(float(holds), float(not holds), 0.0, "lattice")


def _tail(small, error, method, upper, proved=True):
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
    return Tail(*map(float, sides), float(error), method, proved)


def _draws_tail(points, counts, draws, bound):
    """Tail of a sum of draws; integer points and bound are a lattice."""
    low, high = draws * points[0].item(), draws * points[-1].item()
    if bound <= low or bound > high:
        return _certain(bound <= low)
    half = draws - draws // 2
    atoms = math.comb(half + len(points) - 1, half) if half < 64 or len(points) < 64 else math.inf
    shares = counts / counts.sum()
    is_lattice = points.dtype.kind == "i"
    is_long = not is_lattice or (high - low > LARGE and _fits(draws, points))
    if is_long and atoms <= _FEW_ATOMS:
        return _enumerated_draws(points, shares, draws, bound)
    law = _Draws(points, shares, draws, bound, _in_general_position(points, counts))
    near = None if is_lattice else _near_lattice(points, anchored=False)
    try:
        if near is None:
            return _law_tail(law)
        ends = _ends(
            (Fraction(bound) - draws * Fraction(near.shift)), draws * near.noise, near.step
        )
        return _between(*(_draws_tail(*_merged(near.integers, counts), draws, end) for end in ends))
    except CannotMeetBound:
        if atoms > _ATOMS or not _fits(draws, points):
            raise
    return _enumerated_draws(points, shares, draws, bound)


def _ends(bound, noise, step):
    """Return the lowest and the highest whole number of steps that the bound may stand for."""
    return [math.ceil((bound + Fraction(sign * noise)) / Fraction(step)) for sign in (-1, 1)]


def _between(upper, lower):
    """Tail between two on a lattice, where the lowest or the highest sum reaches the bound."""
    if upper == lower:
        return upper
    sides = [
        (x + y) / 2
        for x, y in ((upper.probability, lower.probability), (upper.complement, lower.complement))
    ]
    error = (upper.probability - lower.probability) / 2 + max(upper.error, lower.error)
    return _tail(min(sides), error, "lattice", sides[0] <= sides[1])


def _fits(draws, points):
    """Whether sums of draws are exact integers, or floats."""
    return points.dtype.kind != "i" or draws * int(np.abs(points).max()) < 2**62


def _flips_tail(points, counts, bound):
    """Tail of the sum of the values with a plus; integer points and bound are a lattice."""
    is_lattice = points.dtype.kind == "i"
    points, counts = points[points > 0], counts[points > 0]
    n = int(counts.sum())
    high = int(points @ counts) if is_lattice else float((points * counts).sum())
    if bound <= 0 or bound > high:
        return _certain(bound <= 0)
    if n <= _FEWEST_FLIPS or (n <= _FEW_FLIPS and (high > LARGE or not is_lattice)):
        return _enumerated_flips(points, counts, bound)
    near = None if is_lattice else _near_lattice(points, anchored=True)
    try:
        if near is None:
            return _law_tail(_Flips(points, counts, bound, _in_general_position(points, counts)))
        ends = _ends(Fraction(bound), n * near.noise, near.step)
        return _between(*(_flips_tail(*_merged(near.integers, counts), end) for end in ends))
    except CannotMeetBound:
        if n > _FLIPS:
            raise
    return _enumerated_flips(points, counts, bound)


def _law_tail(law):
    """Compute the tail on the far side of the mean."""
    upper = law.excess <= 0
    small, error, method, proved = _upper_tail(law if upper else law.reflected())
    return _tail(small, error, method, upper, proved)


def _upper_tail(law):
    """Trapezoidal rule on the line through the saddlepoint.

    Parameters
    ----------
    law : _Draws or _Flips
        The sum S and the bound c; the mean of S is at most c.

    Returns
    -------
    tuple of (float, float, str, bool)
        P(S >= c), its error, the method, and whether the error is a bound.
    """
    edge = law.edge()
    if edge is not None:
        return edge, 8 * EPS * law.terms * edge + _TINY, "lattice", True
    s, log_size, sd = _saddle(law)
    if log_size < _LOG_TINY:  # P(S >= c) is at most exp(log_size)
        return 0.0, _TINY, "lattice" if law.is_lattice else "inversion", True
    law = law.tilted(s)
    period, alias, subtract = _period(law, s, log_size, sd)
    size = math.exp(log_size)
    sums, truncation, method, proved = _sum_nodes(law, s, period, size, subtract)
    total, absolute, mass = sums
    # a phase is off by at most 3 EPS of itself; a frequency times the kernel is at most pi
    phases = 3 * math.pi * EPS * law.extent * mass
    rounding = EPS * (4 * law.terms + 8 * abs(log_size) + 64) * absolute + phases
    probability = size * total - subtract
    error = size * (alias + truncation + rounding) + EPS * subtract
    return probability, error, method, proved


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
    period = max(WIDTH * sd, 16.0) if law.is_lattice else WIDTH * sd
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
    """Sum the trapezoidal rule over the nodes that matter.

    Returns
    -------
    tuple of (ndarray, float, str, bool)
        The sum, that of absolute values and that of the characteristic function, each over the
        period; what is left out, the method, and whether what is left out is a bound.
    """
    step = 2 * math.pi / period
    cost = period * law.cost if law.is_lattice else math.inf  # of the whole period
    proved = _sum_proved(law, s, step, period, size, subtract) if cost > _FULL else None
    if proved is not None:
        return proved
    if cost <= LARGE:
        return _weigh(law.whole(period), s, step, 0, law, period) / period, 0.0, "lattice", True
    return _octaves(law, s, step, period, size, subtract)


def _sum_proved(law, s, step, period, size, subtract):
    r"""Sum the nodes near zero, if the others are proved to be negligible; None otherwise.

    A sum that is cut off at the frequency :math:`\Theta` differs from the tail by at most
    :math:`\int |\phi| / (2 \Theta)` in units of `size`, whatever the characteristic function
    :math:`\phi` is past it: majorants and minorants of the step that have no frequencies past
    :math:`\Theta` enclose an area of :math:`\pi / \Theta` each with it (Graham and Vaaler 1981).
    For values in general position the characteristic function stays as small as it was found.
    """
    cut = law.cut()
    if cut is None:
        return None
    negligible, falls = cut
    nodes = math.ceil(negligible / step) + 1
    if nodes * len(law.points) > 64 * _NODES:
        return None
    values = law.characteristic(step, 0, nodes)
    sums = _weigh(values, s, step, 0, law) / period
    total, _, mass = sums
    hidden = 2 * math.pi * _CUTOFF * mass  # times 1/reach
    allowed = _allowed(size * total - subtract) / size
    wanted = _SEEN * falls
    if not law.is_general:  # the relative bound, if that is not too dear
        relative = RELATIVE_BOUND * abs(total - subtract / size)
        wanted = max(min(hidden / relative, 50 * wanted), hidden / allowed) * 1.01
    reach = law.reach(falls, wanted)
    # a negligible value times the sum of 1/theta over the other nodes
    decades = math.log(4 + min(reach, 1e6 / negligible) / negligible)
    left_out = math.exp(_NEGLIGIBLE[law.is_lattice]) * decades
    proved = not (law.is_general and reach >= 0.9 * wanted) or reach == math.inf
    if proved:
        left_out += hidden / reach
    if left_out > allowed:
        return None
    return sums, left_out, "lattice" if reach == math.inf else "inversion", proved


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

    What follows the last octave is bounded as in `_sum_proved`; for values in general position its
    terms have random phases, and do not add up to more than the absolute terms of the last octave.
    """
    most = min(_NODES // len(law.points), 2**20)
    last = period // 2 + 1 if law.is_lattice else math.inf  # nodes of half a period
    enough = _SEEN * 2 * math.pi / law.span if law.is_general else 0.0
    start, stop, sums, proved = 0, 64, np.zeros(3), True
    while True:
        stop = min(stop, last)
        octave = _weigh(law.characteristic(step, start, stop), s, step, start, law, period)
        sums += octave
        total, _, mass = sums / period
        if stop == last:
            return sums / period, 0.0, "lattice", True
        hidden = _CUTOFF * 2 * math.pi * mass / (step * (stop - 1))
        allowed = _allowed(size * total - subtract) / size
        if law.is_general and step * stop > enough:
            proved = hidden <= octave[1] / period
            hidden = min(hidden, octave[1] / period)
            allowed *= _AIM
        if hidden <= allowed or 2 * stop > most:
            return sums / period, hidden, "inversion", proved
        start, stop = stop, 2 * stop


def _in_general_position(points, counts):
    """Whether values look continuous: at most one of them repeated, and hardly any two close by.

    Values of a discrete or rounded kind repeat, or nearly so, on any scale that matters.
    """
    is_coarse = points.dtype.kind == "i" and points[-1] - points[0] <= LARGE
    if is_coarse or (counts > 1).sum() > 1 or len(points) < 3:
        return False
    gaps = np.diff(points)
    return int((gaps < 1e-3 * np.median(gaps)).sum()) <= 1 + len(points) // 100


# The two laws


def _interpolated(places, shares, length):
    """Bin shares at places in [0, length - 1), divided between the whole numbers on both sides."""
    index = places.astype(np.int64)
    part = shares * (places - index)
    binned = np.bincount(index, shares - part, length)
    binned += np.bincount(index + 1, part, length)
    return binned


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
    on_lattice = points.dtype.kind == "i" and span + 32 * spread <= LARGE
    if on_lattice:
        length = fft.next_fast_len(math.ceil(max(span + 1, 32 * spread)), real=True)
        unit, last = 1.0, length // 2
        binned = np.bincount(points - origin, shares, length)
    else:
        extent = max(1.01 * span, 32 * spread)
        finer = 1 if limit > 0.9 else 2
        needed = min(finer * wanted * 2 * extent / math.pi, LARGE - 64) + 64
        length = fft.next_fast_len(max(2**12, math.ceil(needed)), real=True)
        unit, last = extent / length, length // 4
        binned = _interpolated((points - origin) / unit, shares, length)
    width = 2 * math.pi / (length * unit)
    first = int(start / width)
    if first >= last:
        return math.inf if on_lattice else start
    if not on_lattice:
        last = min(last, max(math.ceil(wanted / width), first) + 1)
    spectrum = fft.rfft(binned)[first : last + 1]
    curvature = (width * spread) ** 2 / 8  # half of what the spectrum gains between two nodes
    if modulus:
        values, limit = squared_modulus(spectrum), math.sqrt(max(limit**2 - 2 * curvature, 0.0))
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


def _at_nodes(part, size, start, stop, step, combine):
    """Put a characteristic function together from blocks of nodes and of values.

    Parameters
    ----------
    part : callable
        Called as ``part(block, low, high, step)``: the part of a slice of the values at the nodes
        ``low`` to ``high - 1``.
    size : int
        Number of values.
    start, stop, step : int, int, float
        The nodes, and the frequency between two.
    combine : callable
        Joins the parts of two slices: their sum, or their product.

    Returns
    -------
    ndarray of complex, shape (stop - start,)
        The characteristic function.
    """
    rows = max(_ROWS, BLOCK // size)
    result = []
    for low in range(start, stop, rows):
        high = min(low + rows, stop)
        parts = (part(block, low, high, step) for block in blocks(size, high - low))
        result.append(reduce(combine, parts))
    return np.concatenate(result)


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

    @cached_property
    def excess(self):
        """Mean minus bound."""
        return self.draws * float(self.shares @ self.centred)

    @property
    def extent(self):
        """Mean absolute value of the terms' sum, as far as phases are computed from it."""
        return self.draws * float(self.tilted_shares @ np.abs(self.centred))

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
        return _at_nodes(self._mean, len(self.points), start, stop, step, np.add) ** self.draws

    def _mean(self, block, start, stop, step):
        """Add up some values' part of the characteristic function of one draw."""
        waves = powers(self.centred[block], step, start, stop)
        waves *= self.tilted_shares[block]
        return waves.sum(axis=1)

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
        root = smaller_root(variance, quartic, -math.expm1(target))
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

    @property
    def extent(self):
        """Sum of the absolute values that phases are computed from."""
        return float(self.points @ self.counts) / 2 + abs(float(self.excess))

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
        product = _at_nodes(self._product, len(self.points), start, stop, step, np.multiply)
        return product * np.exp(1j * step * self.excess * np.arange(start, stop))

    def _product(self, block, start, stop, step):
        """Multiply the factors of some values, each about its mean of one half."""
        waves = powers(self.points[block] / 2, step, start, stop)
        sign = 2 * self.chances[block] - 1
        waves.imag *= sign
        counts = self.counts[block]
        single = counts == 1
        if single.all():
            return _product(waves)
        with np.errstate(divide="ignore", invalid="ignore"):
            many = waves[:, ~single] ** counts[~single]
        return _product(np.concatenate([waves[:, single], many], axis=1))

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
        root = smaller_root(second, fourth, -2 * _NEGLIGIBLE[self.is_lattice])
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
    sums, chances = _compositions(points, shares, draws - draws // 2)
    others, other_chances = points[:1] * 0, np.ones(1)
    if draws > 1:
        others, other_chances = _compositions(points, shares, draws // 2)
    order, other_order = np.argsort(sums), np.argsort(others)
    sums, chances = sums[order], chances[order]
    others, other_chances = others[other_order], other_chances[other_order]
    index = np.searchsorted(others, bound - sums, side="left")
    cumulative = np.concatenate([[0.0], np.cumsum(other_chances)])
    reverse = np.concatenate([np.cumsum(other_chances[::-1])[::-1], [0.0]])
    above, below = float(chances @ reverse[index]), float(chances @ cumulative[index])
    upper = above <= below
    small = above if upper else below
    return _tail(small, EPS * (64 + 16 * draws + len(others)) * small, "lattice", upper)


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
    return _tail(small, EPS * small, "lattice", upper)


# Ratios of sums


def _mean_tail(d, integers, draws):
    """P(delta* >= 2 delta) for equal weights."""
    n = len(d)
    if integers is None:
        return bootstrap_tail(d - 2 * math.fsum(d) / n, draws)
    total = _exact_sum(integers)
    points, counts = _count_integers(integers)
    steps, low, step = _steps(points, int(points[0]))
    # sum of draws >= 2 draws total / n, as whole steps above the lowest sum
    bound = -((draws * low * n - 2 * draws * total) // (step * n))
    return _draws_tail(steps, counts, draws, bound)


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
    steps, low, step = _steps(points, int(points[0]))
    return _draws_tail(steps, counts, draws, -((draws * low) // step))


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
    sums = Plane(*pairs, shares, draws, s, a, b, bound).tail()
    if sums is None:
        return None
    total, absolute = sums
    rounding = EPS * (4 * draws + 8 * abs(log_size) + 64) * absolute
    size = math.exp(log_size)
    return _tail(size * total, size * (PLANE_ALIAS + rounding), "lattice", upper)


def _count_pairs(d, w):
    """Return the distinct pairs (two arrays) and how often each occurs."""
    low, width = int(w.min()), int(w.max()) - int(w.min()) + 1
    first = int(d.min())
    keys, counts = _count_integers((d - first) * width + (w - low))
    return (keys // width + first, keys % width + low), counts
