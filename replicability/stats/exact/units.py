"""Scores in common units: the one rule of when two scores, or two differences, agree.

A score is rounded, at the least to the nearest float, so that a difference of two scores is off by
a few units of the last place of the larger score, however small the difference. Scores that are
whole multiples of a step, beyond that rounding and beyond chance, are replaced by the multiples:
decimals, percentages, simple fractions, with a shift or without, stored as float16, float32 or
float64. Their differences are then whole numbers, and ties are exact. Differences of other scores
agree where they are equal within the rounding.
"""

from dataclasses import dataclass, replace

import numpy as np

from replicability.stats.exact.lattice import CHANCE, DOUBLE, SINGLE, fitted, moderate
from replicability.stats.exact.plane import STATES

_KINDS = (np.float16, np.float32, np.float64)
_SHARES = (2.0**-10, SINGLE, DOUBLE)  # rounding of scores of a kind, as a share of the largest
_SPACINGS = (2.0**-10, 2.0**-23, 2.0**-52)  # of two neighbouring numbers, likewise
_FIXED = (11, 16, 0)  # scores with so few binary digits are exact, likewise
_DIGITS = 10.0 ** np.arange(1, 16)
_PROBED = 8  # scores that are looked at first
_CLEAR = 4.0  # sizes this many times the rounding apart differ
_MERGED = 0.01  # expected number of pairs of sizes that agree by chance, at most
_ULP = 1 / 16  # of the rounding of scores in float64: one unit of the last place


@dataclass(frozen=True)
class Scores:
    """Scores of two systems in a unit of their own.

    A shift that all scores share may be left out, since only differences matter.

    Attributes
    ----------
    a, b : ndarray of float64, shape (n,)
        Whole numbers if the scores have a common step, else the scores as they are.
    margin : float
        The margin in the same unit.
    noises : tuple of float
        Empty if the scores have a common step; else what a difference may be off by, in the
        precision of the scores first.
    """

    a: np.ndarray
    b: np.ndarray
    margin: float = 0.0
    noises: tuple = ()


@dataclass(frozen=True)
class Differences:
    """Differences of two systems, and which of them agree.

    Attributes
    ----------
    values : ndarray of float64, shape (n,)
        The differences; whole numbers if `noise` is 0 and the scores had a common step.
    levels : ndarray, shape (n,)
        Whole numbers in the order of the values' sizes, with their signs: equal where the
        differences agree in size, 0 where the scores agree.
    noise : float
        What each value may be off by.
    resolved : bool
        Whether the rounding leaves no doubt as to which sizes agree.
    signs_resolved : bool
        Whether it leaves no doubt as to which scores agree.
    """

    values: np.ndarray
    levels: np.ndarray
    noise: float = 0.0
    resolved: bool = True
    signs_resolved: bool = True


def in_common_units(a, b, margin=0.0):
    """Return the scores of two systems as whole numbers, if they have a common step.

    `a`, `b` (array_like, shape (n,)): finite scores, at least one. `margin`: what is taken off a
    difference of two scores; of float32 scores it may be that precise.

    Returns Scores. Whole numbers whose differences are proportional to those of the scores, and the
    margin in their unit, a whole number too if it is a multiple of a step; else the scores as they
    are.

    Notes
    -----
    Scores have a common step if they are its multiples, but for a shift, up to 16 units of the last
    place of the largest; if all are numbers of float32 or float16, up to one such unit; or if they
    are decimals with few digits, each rounded to the precision that the scores of its system have.
    There are at most ten million steps from the lowest to the highest, and so few that scores
    without a step look like that with a probability of at most 1e-4.

    Examples
    --------
    >>> in_common_units([0.3, 0.1], [0.1, 0.2], 0.2)
    Scores(a=array([3., 1.]), b=array([1., 2.]), margin=2.0, noises=())
    """
    scores, margin = moderate(np.array([a, b], dtype=float), float(margin))
    size = float(np.abs(scores).max())
    is_whole = size < 2**53 and (scores == np.rint(scores)).all()
    if is_whole and margin.is_integer():
        return Scores(*scores, margin)
    own = [_KINDS.index(np.float64)] * 2 if is_whole else _kinds(scores)
    rounding = size * max(_shares(scores, own))
    found = _whole(scores, margin, own)
    if found is None and margin and (found := _whole(scores, 0.0, own)) is not None:
        found = replace(found, margin=margin / found.step)
    if found is not None and (found.noise >= rounding or found.step > 2 * _CLEAR * rounding):
        return Scores(*found.scores, found.margin)
    return Scores(*scores, margin, tuple(dict.fromkeys((rounding, DOUBLE * size))))


def differences(scores, weights):
    """Take the differences of scores, less the margin times the weights.

    `scores` (Scores): what `in_common_units` returns. `weights` (ndarray, shape (n,)): denominators
    of the metric.

    Returns Differences. The differences and their levels.

    Notes
    -----
    Sizes of differences agree if they lie within the rounding of the scores. That of float32 is
    believed only where differences are clearly equal or clearly different by it; elsewhere float32
    scores are taken at their word, which leaves a doubt.
    """
    values = scores.a - scores.b
    if scores.margin:
        values = values - scores.margin * weights
    if not scores.noises:
        return Differences(values, values)
    sizes = np.sort(np.abs(values))
    unit = _ULP * scores.noises[-1]
    noise, finer = [*scores.noises, unit][:2]
    resolved = _is_believed(sizes, noise, finer)
    if not resolved:
        noise = 0.0 if _is_chain(sizes, scores.noises[-1]) else scores.noises[-1]
    starts = sizes[np.diff(sizes, prepend=0.0) > noise]
    levels = np.searchsorted(starts, np.abs(values), side="right")
    signed = np.where(values < 0, -levels, levels)
    near = (sizes > unit) & (sizes <= _CLEAR * scores.noises[0])
    return Differences(values, signed, noise, resolved, resolved or not near.any())


def _are_clear(sizes, noise):
    """Whether sizes agree within the noise, or are far apart."""
    gaps = np.diff(sizes, prepend=0.0)
    return not (((gaps > noise) & (gaps <= _CLEAR * noise)).any() or _is_chain(sizes, noise))


def _is_chain(sizes, noise):
    """Whether some sizes agree only by way of others between them."""
    starts = np.where(np.diff(sizes, prepend=0.0) > noise, sizes, 0.0)
    return bool((sizes - np.maximum.accumulate(starts) > noise).any())


def _is_believed(sizes, noise, finer):
    """Whether sizes agree within the noise or clearly differ, and not by chance.

    Sizes that agree within a finer noise do so in any case.
    """
    gaps = np.diff(sizes, prepend=0.0)
    agree = ((gaps > finer) & (gaps <= noise)).any()
    by_chance = agree and np.count_nonzero(gaps) ** 2 * noise > _MERGED * sizes[-1]
    return _are_clear(sizes, noise) and not by_chance


@dataclass(frozen=True)
class _Whole:
    """Scores and margin in multiples of a step, and what scores may be off by."""

    scores: np.ndarray
    margin: float
    step: float
    noise: float


def _kinds(scores):
    """Return the place in `_KINDS` of the coarsest precision that each system's scores have."""
    with np.errstate(over="ignore"):
        fits = [[(row.astype(kind) == row).all() for kind in _KINDS] for row in scores]
    return [row.index(True) for row in fits]


def _shares(scores, kinds):
    """Return the rounding of each system's scores, that of float64 if few digits suffice for them.

    Sixteenths are numbers of float16 as they are, but tenths were rounded to it.
    """
    places = [_FIXED[kind] - int(np.frexp(np.abs(scores).max())[1]) for kind in kinds]
    scaled = [np.ldexp(row, place) for row, place in zip(scores, places, strict=True)]
    fixed = [(row == np.rint(row)).all() for row in scaled]
    return [DOUBLE if all_ else _SHARES[kind] for all_, kind in zip(fixed, kinds, strict=True)]


def _whole(scores, margin, own):
    """Return scores and margin as whole numbers; None if they have no common step."""
    casts = dict.fromkeys(tuple(max(level, kind) for kind in own) for level in range(len(_KINDS)))
    for kinds in casts:
        found = _as_decimals(scores, margin, kinds) or _as_multiples(scores, margin, kinds)
        if found is not None:
            return found
    return None


def _as_decimals(scores, margin, kinds):
    """Read scores as decimals that were rounded to a precision, with as few digits as possible.

    A number looks like a decimal by chance with a probability of the spacing of its precision over
    that of the decimals.
    """
    probe = scores[:, :_PROBED, None]
    rounded = np.rint(probe * _DIGITS) / _DIGITS
    possible = _are_equal(rounded, probe, kinds).all(axis=(0, 1))
    size = float(np.abs(scores).max())
    rows = [(kind, scores[np.equal(kinds, kind)]) for kind in set(kinds)]
    spacings = [_SPACINGS[kind] * np.unique(np.abs(row[row != 0])) for kind, row in rows]
    for unit in _DIGITS[possible].tolist():
        whole = np.rint(scores * unit)
        if np.ptp(whole) > STATES or size * unit >= 2**53:
            return None
        if np.log(np.minimum(np.concatenate(spacings) * unit, 1.0)).sum() > np.log(CHANCE):
            return None
        steps = np.rint(margin * unit)
        is_multiple = margin in (steps / unit, float(np.float32(steps / unit)))
        if is_multiple and _are_equal(whole / unit, scores, kinds).all():
            return _Whole(whole, float(steps), 1 / unit, _SHARES[min(kinds)] * size)
    return None


def _are_equal(decimals, scores, kinds):
    """Whether decimals are scores when they are rounded to the precision of each system."""
    with np.errstate(over="ignore"):
        rows = zip(decimals, scores, kinds, strict=True)
        return np.array([row.astype(_KINDS[kind]) == score for row, score, kind in rows])


def _as_multiples(scores, margin, kinds):
    """Fit a step to scores less the lowest, or else to the differences."""
    alike = len(set(kinds)) == 1
    share = _SHARES[kinds[0]] if alike else max(_shares(scores, kinds))
    noise = share * float(np.abs(scores).max())
    shifted = scores - scores.min()
    for values, are_scores in ((shifted, True), (np.array([scores[0] - scores[1]]), False)):
        for taken in dict.fromkeys((margin, float(np.float32(margin)))):
            points = np.unique(np.append(values if are_scores else np.abs(values), [0.0, taken]))
            lattice = fitted(points, noise, anchored=True)
            if lattice is None or not lattice.integers.any():
                continue
            if are_scores and share > DOUBLE and (np.diff(lattice.integers) == 0).any():
                continue  # scores that agree are stored alike
            whole = np.rint(values / lattice.step)
            whole = whole if are_scores else np.append(whole, 0 * whole, axis=0)
            steps = float(np.rint(taken / lattice.step))
            return _Whole(whole, steps, lattice.step, noise)
    return None
