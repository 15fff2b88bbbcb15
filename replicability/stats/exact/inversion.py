"""From laws to tails: the trapezoidal rule on a vertical line."""

import math
from functools import reduce

import numpy as np
from scipy import fft

from replicability.stats.exact.plane import (
    BLOCK,
    EPS,
    LARGE,
    STATES,
    WIDTH,
    blocks,
    squared_modulus,
)
from replicability.stats.exact.tail import (
    ABSOLUTE_BOUND,
    LOG_TINY,
    RELATIVE_BOUND,
    TINY,
    CannotMeetBound,
    checked_tail,
)

_TILT = 3.5  # second tilt of the Chernoff bounds, in inverse standard deviations
NEGLIGIBLE = {True: -40.0, False: -24.0}  # log of what is left out, on a lattice and off it
_CUTOFF = 0.6  # the bound on what a cut-off hides is 1/2; rounded up
_ALIAS = 1e-15
_FULL = 2**14  # nodes times values below which the whole period is summed without further ado
_ROWS = 2**9  # fewest nodes worked on at a time
_NODES = 2**22  # nodes times values of the longest sum over nodes
_SEEN = 100.0  # octaves end, and proofs reach, this many times past the scale of the values
_AIM = 1e-3  # part of the bound that is aimed at in general position


def fits(draws, points):
    """Whether sums of draws are exact integers, or floats."""
    return points.dtype.kind != "i" or draws * int(np.abs(points).max()) < 2**62


def law_tail(law):
    """Compute the tail on the far side of the mean."""
    upper = law.excess <= 0
    small, error, method, proved = _upper_tail(law if upper else law.reflected())
    return checked_tail(small, error, method, upper, proved)


def _upper_tail(law):
    """Trapezoidal rule on the line through the saddlepoint.

    `law` (Draws or Flips): the sum S and the bound c; the mean of S is at most c.

    Returns tuple of (float, float, str, bool). P(S >= c), its error, the method, and whether the
    error is a bound.
    """
    edge = law.edge()
    if edge is not None:
        return edge, 8 * EPS * law.terms * edge + TINY, "lattice", True
    s, log_size, sd = near_saddlepoint(law)
    if log_size < LOG_TINY:  # P(S >= c) is at most exp(log_size)
        return 0.0, TINY, "lattice" if law.is_lattice else "inversion", True
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


def near_saddlepoint(law):
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
        if log_size < 2 * LOG_TINY:
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

    Returns tuple of (float or int, float, float). The period, the bound in units of
    ``exp(log_size)``, and what the tails below c add when they are taken as one.
    """
    tilt = _TILT / (max(sd, 1.0) if law.is_lattice else sd)
    down = s - tilt
    above = law.cumulant(s + tilt)[0] - log_size
    below = law.cumulant(down)[0] - log_size
    # P(S >= c - y) <= exp(cumulant(t) + t y) for t > 0; for t < 0 the same bounds P(S < c - y)
    period = max(WIDTH * sd, 16.0) if law.is_lattice else WIDTH * sd
    for _ in range(24):
        if law.is_lattice:
            period = fft.next_fast_len(min(math.ceil(period), law.states), real=True)
            if period >= law.states:  # all sums below c are a period lower
                return period, 0.0, 1 / math.expm1(min(s * period, 700.0))
        exponents = np.array([above, below]) - tilt * period
        alias = math.inf
        if exponents.max() < 0:
            alias = float(np.exp(exponents).sum()) / -math.expm1(-tilt * period)
        if alias <= _ALIAS:
            subtract = 1 / math.expm1(min(s * period, 700.0)) if down <= 0 else 0.0
            return period, alias, subtract
        period *= 2
    raise CannotMeetBound(
        "The tails of the sum are too heavy for the trapezoidal rule; use Monte Carlo resamples."
    )


def _sum_nodes(law, s, period, size, subtract):
    """Sum the trapezoidal rule over the nodes that matter.

    Returns tuple of (ndarray, float, str, bool). The sum, that of absolute values and that of the
    characteristic function, each over the period; what is left out, the method, and whether what is
    left out is a bound.
    """
    step = 2 * math.pi / period
    cost = period * law.cost if law.is_lattice else math.inf  # of the whole period
    proved = _sum_proved(law, s, step, period, size, subtract) if cost > _FULL else None
    if proved is not None:
        return proved
    if cost <= LARGE:
        return _sum_whole(law, s, step, period)
    sums, left_out, method, proved = _octaves(law, s, step, period, size, subtract)
    is_enough = proved and left_out <= _allowed(size * sums[0] - subtract) / size
    if is_enough or not law.is_lattice or min(period, law.states) > STATES:
        return sums, left_out, method, proved
    return _sum_whole(law, s, step, period)


def _sum_whole(law, s, step, period):
    r"""Sum all nodes of a period.

    What the characteristic function is off by has an inner product with the kernel; both norms
    bound it, and that of the kernel is a geometric series,
    :math:`L^{-1} \sum |\kappa|^2 = (1 + e^{-sL}) / ((1 - e^{-2s}) (1 - e^{-sL}))`.
    """
    values, error = law.whole(period)
    parts = (slice(start, start + BLOCK) for start in range(0, len(values), BLOCK))
    sums = sum(_weigh(values[part], s, step, part.start, law, period) for part in parts)
    kernel = math.sqrt((1 + math.exp(-s * period)) / (math.expm1(-2 * s) * math.expm1(-s * period)))
    return sums / period, error * kernel, "lattice", True


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
    left_out = math.exp(NEGLIGIBLE[law.is_lattice]) * decades
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


def in_general_position(points, counts):
    """Whether values look continuous: at most one of them repeated, and hardly any two close by.

    Values of a discrete or rounded kind repeat, or nearly so, on any scale that matters.
    """
    is_coarse = points.dtype.kind == "i" and points[-1] - points[0] <= LARGE
    if is_coarse or (counts > 1).sum() > 1 or len(points) < 3:
        return False
    gaps = np.diff(points)
    return int((gaps < 1e-3 * np.median(gaps)).sum()) <= 1 + len(points) // 100


def _interpolated(places, shares, length):
    """Bin shares at places in [0, length - 1), divided between the whole numbers on both sides."""
    index = places.astype(np.int64)
    part = shares * (places - index)
    binned = np.bincount(index, shares - part, length)
    binned += np.bincount(index + 1, part, length)
    return binned


def proved_reach(points, shares, spread, limit, start, wanted, *, modulus):
    """Find up to which frequency a characteristic function of one value stays below a limit.

    `points`, `shares` (ndarray, shape (u,)): values in ascending order (integers: a lattice) and
    their probabilities. `spread`: standard deviation of the values for the modulus, root mean
    square for the real part. `limit`: limit on the modulus or the real part. `start`, `wanted`: the
    lowest frequency, and the highest one that is of interest. `modulus`: whether the modulus is
    bounded, or the real part (of values that are not negative).

    Returns float. The frequency up to which it is proved, infinite if for all of them on a lattice.
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


def at_nodes(part, size, start, stop, step, combine):
    """Put a characteristic function together from blocks of nodes and of values.

    `part`: called as ``part(block, low, high, step)``: the part of a slice of the values at the
    nodes ``low`` to ``high - 1``. `size`: number of values. `start`, `stop`, `step` (int, int,
    float): the nodes, and the frequency between two. `combine`: joins the parts of two slices:
    their sum, or their product.

    Returns ndarray of complex, shape (stop - start,). The characteristic function.
    """
    rows = max(_ROWS, BLOCK // size)
    result = []
    for low in range(start, stop, rows):
        high = min(low + rows, stop)
        parts = (part(block, low, high, step) for block in blocks(size, high - low))
        result.append(reduce(combine, parts))
    return np.concatenate(result)
