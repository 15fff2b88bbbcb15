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
dimensions. Where few nodes do not suffice, all of them are computed, for up to ten million sums on
a lattice. Off a lattice the proof ends at some frequency; what lies past it is bounded, or, for
values in general position, assumed to stay small, which a result says (`Tail.proved`).

Values may be differences of large scores, with the rounding of these: sums that reach the threshold
up to that noise count, and if others nearly do, the tail is an estimate.

References
----------
Berg-Kirkpatrick, Burkett and Klein (2012), EMNLP, 995-1005. Noreen (1989), Computer-Intensive
Methods for Testing Hypotheses. Yeh (2000), COLING, 947-953. Gil-Pelaez (1951), Biometrika 38,
481-482. Lugannani and Rice (1980), Advances in Applied Probability 12, 475-490. Abate and Whitt
(1992), Queueing Systems 10, 5-88. Graham and Vaaler (1981), Transactions of the American
Mathematical Society 265, 283-302.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from replicability import checks
from replicability.stats import arguments
from replicability.stats.exact.inversion import (
    fits,
    in_general_position,
    law_tail,
    near_saddlepoint,
)
from replicability.stats.exact.lattice import (
    as_integers,
    find_lattice,
    in_steps,
    integer_at_least,
    least_sum,
    merged,
    moderate,
    near_lattice,
    whole_steps,
)
from replicability.stats.exact.laws import Draws, Flips, enumerated_draws, enumerated_flips
from replicability.stats.exact.plane import EPS, LARGE, PLANE_ALIAS, Plane
from replicability.stats.exact.tail import (
    ABSOLUTE_BOUND,
    LOG_TINY,
    RELATIVE_BOUND,
    TINY,
    CannotMeetBound,
    certain,
    checked_tail,
)

_DOUBTFUL = 4.0  # sums short of the threshold by up to so many times their noise are in doubt
_ATOMS = 2**21  # sums that are enumerated at most
_FEW_ATOMS = 2**17  # sums that are enumerated without further ado
_FLIPS = 44  # values whose signs are enumerated at most, in two halves
_FEW_FLIPS = 32  # the same without further ado, if the sum is not a short one of whole numbers,
_FEWEST_FLIPS = 20  # or in any case


def bootstrap_tail(values, size, threshold=0.0, *, noise=0.0):
    r"""Tail of a sum of independent draws from the observed values: the ideal bootstrap.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values drawn from, each with probability 1/n; finite.
    size : int
        Number m of draws in a resample, at least one.
    threshold : float, default 0.0
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.
    noise : float, default 0.0
        What each value may be off by, such as the rounding of two scores of which it is the
        difference; sums that reach the threshold up to that count.

    Returns
    -------
    Tail
        P(sum >= threshold), its complement and the error bound.

    Raises
    ------
    InputError
        If a value is no finite number, there is none, size is not a whole number of at least 1, or
        the noise is negative.
    CannotMeetBound
        If the error exceeds both `ABSOLUTE_BOUND` and `RELATIVE_BOUND` times the smaller tail.

    Notes
    -----
    Valid for independent draws with replacement; the paired bootstrap of a sum draws items
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

    Values have a common step if they are its multiples up to the noise, or to 16 units of the last
    place of the largest, or, if all are float32 numbers, up to one unit of each in that precision;
    at most ten million steps. They then stand for the multiples, whose ties count as ties. Few
    values (five, of float32 with thousands of steps) may be there by chance and are taken as they
    are. Of values on no step, sums that fall short of the threshold by up to the noise count; where
    others fall a little shorter, the noise leaves a doubt, and `Tail.proved` is false.

    Time and memory are those of sorting and a few Fourier transforms; they do not depend on m. If
    that proves too little, a sum with a common step is convolved, up to ten million sums: at most
    a few seconds and half a gigabyte.

    Examples
    --------
    >>> tail = bootstrap_tail([-1] * 30 + [0] * 60 + [1] * 10, 100)
    >>> f"{tail.probability:.6f}", tail.method
    ('0.000597', 'lattice')
    """
    values = arguments.vector("values", values)
    draws = checks.at_least("size", size)
    threshold = checks.finite("threshold", threshold)
    values, threshold, noise = moderate(values, threshold, _checked_noise(noise))
    distinct, counts = np.unique(values, return_counts=True)
    lattice = find_lattice(distinct, noise=noise)
    if lattice is not None:
        bound = least_sum(threshold, draws, lattice)
        if bound is not None:
            return _draws_tail(*merged(lattice.integers, counts), draws, bound)
    slack = 4 * EPS * max(abs(threshold), draws * float(np.abs(distinct).max())) + draws * noise
    return _with_noise(
        lambda less: _draws_tail(distinct, counts, draws, threshold - less), slack, noise
    )


def flip_tail(values, threshold=None, *, noise=0.0):
    r"""Tail of a sum with random signs: the exact sign-flip (approximate randomisation) test.

    Parameters
    ----------
    values : array_like, shape (n,)
        The values whose signs are flipped, each with probability 1/2; finite. Their own signs
        matter for the default of the threshold only.
    threshold : float, optional
        The sum is at least this; a sum that equals it, up to a few units of the last place, counts.
        Default: the sum of the values with their own signs.
    noise : float, default 0.0
        As for `bootstrap_tail`.

    Returns
    -------
    Tail
        P(sum of signed values >= threshold), its complement and the error bound.

    Raises
    ------
    InputError
        If a value is no finite number, there is none, or the noise is negative.
    CannotMeetBound
        If the error exceeds both `ABSOLUTE_BOUND` and `RELATIVE_BOUND` times the smaller tail.

    Notes
    -----
    With the default threshold it is the p-value of the null hypothesis that each difference
    is symmetric about zero (the outputs of A and B are exchangeable, item by item),
    one-sided "A is better" (Noreen 1989; Yeh 2000). What ``error`` rests on is said in
    `bootstrap_tail`. Up to 44 values are enumerated where that is needed.

    Examples
    --------
    >>> flip_tail([1, 2, 3, 0]).probability
    0.125
    """
    values = arguments.vector("values", values)
    if threshold is not None:
        threshold = checks.finite("threshold", threshold)
    values, threshold, noise = moderate(values, threshold, _checked_noise(noise))
    distinct, counts = np.unique(np.abs(values), return_counts=True)
    lattice = find_lattice(distinct, anchored=True, noise=noise)
    if lattice is not None:
        integers = whole_steps(values, lattice)
        total = _exact_sum(np.abs(integers))
        # the sum of signed values is 2K - total, K the sum of the values with a plus
        if threshold is None:
            bound = (_exact_sum(integers) + total) // 2
        else:
            bound = integer_at_least(
                (Fraction(threshold) / Fraction(lattice.step) + total) / 2,
                (4 * EPS * abs(threshold) + len(values) * lattice.noise) / lattice.step / 2,
            )
        if bound is not None:
            return _flips_tail(*merged(lattice.integers, counts), bound)
    if threshold is None:
        threshold = math.fsum(values)
    total = float((distinct * counts).sum())
    slack = 8 * EPS * max(abs(threshold), total) + 2 * len(values) * noise
    return _with_noise(
        lambda less: _flips_tail(distinct, counts, (threshold + total - less) / 2), slack, noise
    )


def ideal_bootstrap(
    differences, weights=None, *, size=None, alternative="greater", margin=0.0, noise=0.0
):
    r"""p-value of the paired bootstrap with infinitely many replicates.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Score of A minus score of B on each item: the numerators of the metric, such as the
        number of words right. Finite.
    weights : array_like, shape (n,), optional
        Denominator of the metric on each item, the same for both systems, such as the number of
        words; not negative, with a positive sum. Default: one for each item.
    size : int, optional
        Number m of items in a resample. Default: n.
    alternative : {"greater", "less"}, default "greater"
        "greater" if A is claimed to be better, "less" if B is.
    margin : float, default 0.0
        Difference m of the metric, A minus B, with which the hypothesis compares.
    noise : float, default 0.0
        What each difference may be off by, as for `bootstrap_tail`.

    Returns
    -------
    Tail
        :math:`P(\delta^* - m \ge 2(\delta - m))` with
        :math:`\delta = \sum d_i / \sum w_i` in the direction asked for and :math:`\delta^*` the
        same in the resample.

    Raises
    ------
    InputError
        If an argument is not as described.
    CannotMeetBound
        As `bootstrap_tail`.

    Notes
    -----
    Valid for items that are independent draws from a population, and n large enough for the
    resampling distribution of :math:`\delta^* - \delta` to be that of the estimate's error (Berg-
    Kirkpatrick et al. 2012, Figure 1). The event is
    :math:`\sum (d_i^* - (2 \delta - m) w_i^*) \ge 0`. If differences and weights have a common
    step each, as counts have, it is decided with integers and ties are exact: with equal weights
    by the generating function of the differences, otherwise by that of differences and weights
    together. A difference of 0 or in the other direction gives a valid, large p-value; identical
    systems give 1.

    Examples
    --------
    >>> wins, losses, ties = [1] * 30, [-1] * 10, [0] * 60
    >>> f"{ideal_bootstrap(wins + losses + ties).probability:.6f}"
    '0.000524'
    """
    d = arguments.vector("differences", differences)
    margin = checks.finite("margin", margin)
    if checks.one_sided(alternative) == -1:
        d, margin = -d, -margin
    w = None if weights is None else arguments.weights(weights, len(d))
    draws = len(d) if size is None else checks.at_least("size", size)
    if w is not None and (w == w[0]).all():
        w = None
    if w is None and margin:
        d, margin = d - margin * (1.0 if weights is None else float(weights[0])), 0.0
    if not d.any():
        return certain(margin >= 0)
    d, margin, noise = moderate(d, margin, _checked_noise(noise))
    if w is None:
        return _mean_tail(d, as_integers(d, noise), draws, noise)
    w, one = moderate(w, 1.0)
    margin /= one
    d_integer, margin_steps = _with_margin(d, margin, noise)
    w_integer = as_integers(w)
    if d_integer is not None and w_integer is not None:
        return _ratio_tail(d_integer, w_integer, draws, margin_steps)
    share = len(d) * float(w.max()) / math.fsum(w)  # how much of the mean one value carries at most
    values = d - (2 * math.fsum(d) / math.fsum(w) - margin) * w
    return bootstrap_tail(values, draws, noise=(1 + 2 * share) * noise)


def _checked_noise(noise):
    """Return a noise that is not negative."""
    if checks.finite("noise", noise) < 0:
        raise checks.InputError(
            f"noise is {noise}, but must be at least 0; pass the largest error of a value, or 0 "
            "for exact values."
        )
    return float(noise)


def _with_noise(tail_at, slack, noise):
    """Tail of a sum that is off by the slack; proved only if hardly any sum is a little lower."""
    tail = tail_at(slack)
    if not (noise and tail.proved):
        return tail
    lower = tail_at(_DOUBTFUL * slack)
    doubtful = max(lower.probability - tail.probability, 0.0)
    small = min(tail.probability, tail.complement)
    is_small = doubtful <= max(ABSOLUTE_BOUND, RELATIVE_BOUND * small) + tail.error + lower.error
    return replace(tail, error=tail.error + doubtful, proved=is_small)


def _draws_tail(points, counts, draws, bound):
    """Tail of a sum of draws; integer points and bound are a lattice."""
    low, high = draws * points[0].item(), draws * points[-1].item()
    if bound <= low or bound > high:
        return certain(bound <= low)
    half = draws - draws // 2
    atoms = math.comb(half + len(points) - 1, half) if half < 64 or len(points) < 64 else math.inf
    shares = counts / counts.sum()
    is_lattice = points.dtype.kind == "i"
    is_long = not is_lattice or (high - low > LARGE and fits(draws, points))
    if is_long and atoms <= _FEW_ATOMS:
        return enumerated_draws(points, shares, draws, bound)
    law = Draws(points, shares, draws, bound, in_general_position(points, counts))
    near = None if is_lattice else near_lattice(points, anchored=False)
    try:
        if near is None:
            return law_tail(law)
        ends = _ends(
            (Fraction(bound) - draws * Fraction(near.shift)), draws * near.noise, near.step
        )
        return _between(*(_draws_tail(*merged(near.integers, counts), draws, end) for end in ends))
    except CannotMeetBound:
        if atoms > _ATOMS or not fits(draws, points):
            raise
    return enumerated_draws(points, shares, draws, bound)


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
    return checked_tail(min(sides), error, "lattice", sides[0] <= sides[1])


def _flips_tail(points, counts, bound):
    """Tail of the sum of the values with a plus; integer points and bound are a lattice."""
    is_lattice = points.dtype.kind == "i"
    points, counts = points[points > 0], counts[points > 0]
    n = int(counts.sum())
    high = int(points @ counts) if is_lattice else float((points * counts).sum())
    if bound <= 0 or bound > high:
        return certain(bound <= 0)
    if n <= _FEWEST_FLIPS or (n <= _FEW_FLIPS and (high > LARGE or not is_lattice)):
        return enumerated_flips(points, counts, bound)
    near = None if is_lattice else near_lattice(points, anchored=True)
    try:
        if near is None:
            return law_tail(Flips(points, counts, bound, in_general_position(points, counts)))
        ends = _ends(Fraction(bound), n * near.noise, near.step)
        return _between(*(_flips_tail(*merged(near.integers, counts), end) for end in ends))
    except CannotMeetBound:
        if n > _FLIPS:
            raise
    return enumerated_flips(points, counts, bound)


# Ratios of sums


def _with_margin(d, margin, noise):
    """Return differences as whole numbers, or None, and the margin in the same unit."""
    if not margin:
        return as_integers(d, noise), Fraction(0)
    together = as_integers(np.append(d, margin), noise)
    if together is None:
        return None, None
    step = int(np.gcd.reduce(together[:-1]))
    return together[:-1] // step, Fraction(int(together[-1]), step)


def _mean_tail(d, integers, draws, noise):
    """P(delta* >= 2 delta) for equal weights."""
    n = len(d)
    if integers is None:
        return bootstrap_tail(d - 2 * math.fsum(d) / n, draws, noise=3 * noise)
    total = _exact_sum(integers)
    points, counts = _count_integers(integers)
    steps, low, step = in_steps(points, int(points[0]))
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


def _ratio_tail(d, w, draws, margin):
    """P(W sum d* - (2 D - m W) sum w* >= 0) for whole numbers d and w, W and D their sums."""
    total_d, total_w = _exact_sum(d), _exact_sum(w)
    a = total_w * margin.denominator
    b = total_w * margin.numerator - 2 * total_d * margin.denominator
    common = math.gcd(a, b)
    a, b = a // common, b // common
    largest = abs(a) * int(np.abs(d).max()) + abs(b) * int(w.max())
    if largest * draws >= 2**62:
        return bootstrap_tail(d + b / a * w, draws)
    plane = _plane_tail(d, w, a, b, draws) if b else None
    if plane is not None:
        return plane
    points, counts = np.unique(a * d + b * w, return_counts=True)
    steps, low, step = in_steps(points, int(points[0]))
    return _draws_tail(steps, counts, draws, -((draws * low) // step))


def _plane_tail(d, w, a, b, draws):
    """P(a sum d* + b sum w* >= 0) by the generating function of both sums.

    `d`, `w` (ndarray of int64, shape (n,)): what is drawn, in pairs. `a`, `b`: coefficients other
    than zero, without common factor. `draws`: number of draws.

    Returns Tail or None. None if nothing is proved within the size of a Fourier transform; callers
    then sum a d + b w on its own lattice, which is finer and longer.
    """
    pairs, counts = _count_pairs(d, w)
    upper = float(a * d.mean() + b * w.mean()) <= 0
    bound = 0
    if not upper:  # P(S >= 0) = 1 - P(-S >= 1)
        a, b, bound = -a, -b, 1
    combined = a * pairs[0] + b * pairs[1]
    law = Draws(combined, counts / len(d), draws, bound)
    if not draws * int(combined.min()) < bound < draws * int(combined.max()):
        return None
    s, log_size, _ = near_saddlepoint(law)
    if log_size < LOG_TINY:
        return checked_tail(0.0, TINY, "lattice", upper)
    shares = law.tilted(s).tilted_shares
    sums = Plane(*pairs, shares, draws, s, a, b, bound).tail()
    if sums is None:
        return None
    total, absolute = sums
    rounding = EPS * (4 * draws + 8 * abs(log_size) + 64) * absolute
    size = math.exp(log_size)
    return checked_tail(size * total, size * (PLANE_ALIAS + rounding), "lattice", upper)


def _count_pairs(d, w):
    """Return the distinct pairs (two arrays) and how often each occurs."""
    low, width = int(w.min()), int(w.max()) - int(w.min()) + 1
    first = int(d.min())
    keys, counts = _count_integers((d - first) * width + (w - low))
    return (keys // width + first, keys % width + low), counts
