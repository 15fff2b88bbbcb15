"""Values on a common step, as integers."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from replicability.stats.exact.plane import EPS, STATES

DOUBLE = 16 * EPS
"""Relative rounding error of double-precision values."""

SINGLE = 2.0**-23
"""Relative rounding error of single-precision values."""

CHANCE = 1e-4
"""Maximum probability that random values are mistaken for a lattice."""

_NEAR = (2.0**-26, 2.0**-20)  # deviations of values from a lattice that they are close to


def moderate(values, *others):
    """Scale by a power of two, to keep fourth powers from overflow and underflow."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    if abs(exponent) <= 100:
        return values, *others
    with np.errstate(over="ignore", under="ignore"):
        scaled = [None if x is None else float(np.ldexp(x, -exponent)) for x in others]
        scaled = [None if x is None else min(max(x, -1e300), 1e300) for x in scaled]
        return np.ldexp(values, -exponent), *scaled


def as_integers(values, noise=0.0):
    """Return whole numbers proportional to values that may be off by the noise, or None."""
    lattice = find_lattice(np.unique(values), anchored=True, noise=noise)
    return None if lattice is None else whole_steps(values, lattice)


def whole_steps(values, lattice):
    """Return the whole numbers of values on an anchored lattice."""
    return np.rint(values / lattice.step).astype(np.int64)


def merged(integers, counts):
    """Put integers together that are equal; they are in ascending order."""
    first = np.flatnonzero(np.diff(integers, prepend=integers[0] - 1))
    return integers[first], np.add.reduceat(counts, first)


@dataclass(frozen=True)
class Lattice:
    """Values ``shift + step * integers``, each off by at most `noise`."""

    integers: np.ndarray
    shift: float
    step: float
    noise: float


def find_lattice(distinct, anchored=False, noise=0.0):
    """Find the largest step of values on a lattice.

    `distinct` (ndarray of float64, shape (u,)): values in ascending order, without repetitions.
    `anchored`: whether the shift must be zero. `noise`: what each may be off by, if that is more
    than the rounding of the largest.

    Returns Lattice or None. None if the values have no common step that stands out of their
    rounding.
    """
    sizes = np.abs(distinct)
    size = sizes.max()
    if size < 2**53 and noise < 0.25 and (distinct == np.rint(distinct)).all():
        integers = distinct.astype(np.int64)
        integers, shift, step = in_steps(integers, 0 if anchored else int(integers[0]))
        return Lattice(integers, float(shift), float(step), 0.0)
    if (distinct.astype(np.float32) == distinct).all():
        lattice = fitted(distinct, np.maximum(SINGLE * sizes, noise), anchored=True)
        if lattice is not None:
            return lattice
    return fitted(distinct, max(DOUBLE * size, noise), anchored)


def near_lattice(points, anchored):
    """Find a lattice that values are close to, though not within rounding, or None."""
    size = float(max(-points[0], points[-1]))
    attempts = (fitted(points, share * size, anchored) for share in _NEAR)
    return next(filter(None, attempts), None)


def fitted(distinct, noise, anchored):
    """Fit a step to values that may be off by the noise; None if none fits, or only by chance.

    Random values fit as well as these to a lattice of r steps with probability r (2 e)^(k-1), e the
    largest deviation in steps and k the number of values other than the shift.
    """
    shift = 0.0 if anchored else float(distinct[0])
    offsets = distinct - shift
    noise = 2 * noise  # the shift is off, too
    smallest = max(float(np.abs(offsets[[0, -1]]).max()) / STATES, 25 * float(np.max(noise)))
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
    if (left > noise).any() or chance > CHANCE:
        return None
    return Lattice(integers.astype(np.int64), shift, step, most)


def in_steps(points, origin):
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


def least_sum(threshold, draws, lattice):
    """Smallest sum of integers that is at least the threshold; None if rounding hides it."""
    return integer_at_least(
        (Fraction(threshold) - draws * Fraction(lattice.shift)) / Fraction(lattice.step),
        (4 * EPS * abs(threshold) + draws * lattice.noise) / lattice.step,
    )


def integer_at_least(exact, slack):
    """Round up, after lowering by the slack; None if the slack could reach the next integer."""
    return None if slack > 0.25 else math.ceil(exact - Fraction(slack))
