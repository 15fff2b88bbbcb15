"""Laws of sums of draws and of signed values."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import fft, special

from replicability.stats.exact.inversion import NEGLIGIBLE, at_nodes, proved_reach
from replicability.stats.exact.plane import EPS, LARGE, powers, raised, smaller_root, waves
from replicability.stats.exact.tail import checked_tail

_TRANSFORM = 60  # work of a transform at one node, in units of a term of a convolution
_WAVE = 16  # the same of a power of a wave


@dataclass(frozen=True)
class Draws:
    """Sum of independent draws, and the bound that it is compared with."""

    points: np.ndarray
    shares: np.ndarray
    draws: int
    bound: float | int
    is_general: bool = False
    tilted_shares: np.ndarray | None = None

    @property
    def is_lattice(self):
        """Whether values and bound are whole numbers."""
        return self.points.dtype.kind == "i"

    @property
    def terms(self):
        """Number of independent terms of the sum."""
        return self.draws

    @property
    def cost(self):
        """Work at one node, in units of a transform over the whole period."""
        return 1

    @property
    def span(self):
        """Largest difference that one term can make."""
        return self.points[-1] - self.points[0]

    @cached_property
    def centred(self):
        """Values less the share of a draw in the bound."""
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
        """Return the law of -S, with the bound that the complement has."""
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
        """Return the law under weights proportional to exp(s S)."""
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
        return at_nodes(self._mean, len(self.points), start, stop, step, np.add) ** self.draws

    def _mean(self, block, start, stop, step):
        """Add up some values' part of the characteristic function of one draw."""
        waves = powers(self.centred[block], step, start, stop)
        waves *= self.tilted_shares[block]
        return waves.sum(axis=1)

    @property
    def states(self):
        """Number of sums on a lattice, from the lowest to the highest."""
        return self.draws * int(self.span) + 1

    def whole(self, period):
        """Return the characteristic function at all nodes of half a period, by one transform.

        The error of the transform, spread evenly over the nodes, is part of that of the terms.
        """
        origin = self.bound // self.draws
        index = (self.points - origin) % period
        values = fft.rfft(np.bincount(index, self.tilted_shares, period)).conj()
        shift = self.bound - self.draws * origin
        j = np.arange(len(values))
        return raised(values, self.draws) * waves(-2 * math.pi / period * (j * shift % period)), 0.0

    def cut(self):
        r"""Return a frequency past which the characteristic function is negligible up to a second.

        With X' a copy of X, :math:`|\phi|^2 = E \cos(\theta (X - X'))`, at most
        :math:`1 - \theta^2 \sigma^2 + \theta^4 (2 \mu_4 + 6 \sigma^4) / 24`.

        Returns tuple of (float, float), or None. The two frequencies; None if the bound does not
        become small enough.
        """
        _, variance, fourth = self.moments
        quartic = (2 * fourth + 6 * variance**2) / 24
        target = 2 * NEGLIGIBLE[self.is_lattice] / self.draws
        root = smaller_root(variance, quartic, -math.expm1(target))
        return None if root is None else (math.sqrt(root), math.sqrt(variance / (2 * quartic)))

    def reach(self, start, wanted):
        """Return the frequency up to which the characteristic function is proved negligible."""
        limit = math.exp(NEGLIGIBLE[self.is_lattice] / self.draws)
        spread = math.sqrt(self.moments[1])
        return proved_reach(
            self.points, self.tilted_shares, spread, limit, start, wanted, modulus=True
        )


@dataclass(frozen=True)
class Flips:
    """Sum of the values with a plus, and the bound that it is compared with."""

    points: np.ndarray
    counts: np.ndarray
    bound: float | int
    is_general: bool = False
    chances: np.ndarray | None = None  # of a plus, after tilting
    tilt: float = 0.0

    @property
    def is_lattice(self):
        """Whether values and bound are whole numbers."""
        return self.points.dtype.kind == "i"

    @cached_property
    def terms(self):
        """Number of independent terms of the sum."""
        return int(self.counts.sum())

    @property
    def cost(self):
        """Work at one node, in units of a transform over the whole period."""
        return len(self.points)

    @property
    def span(self):
        """Largest difference that one term can make."""
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
        """Return the law of the values with a minus, with the bound of the complement."""
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
        """Return the law under weights proportional to exp(s S)."""
        return replace(self, chances=special.expit(s * self.points), tilt=s)

    @cached_property
    def variances(self):
        """Variances of the numbers of plus signs, one for each value, after tilting."""
        return self.counts * self.chances * (1 - self.chances)

    def characteristic(self, step, start, stop):
        """Return E exp(i j step (S - c)) of the tilted sum for j = start, ..., stop - 1."""
        product = at_nodes(self._product, len(self.points), start, stop, step, np.multiply)
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

    @property
    def states(self):
        """Number of sums on a lattice, from the lowest to the highest."""
        return int(self.points @ self.counts) + 1

    def whole(self, period):
        """Return the characteristic function at all nodes of half a period, and its error.

        Where there are many nodes and values, the law of the sum of a block of values is convolved,
        of terms that are not negative, and transformed.

        Returns tuple of (ndarray of complex, float). The values, and what they may be off by, as
        the root of the mean square over the nodes.
        """
        total = float(self.points @ self.counts)
        convolving = 2 * math.sqrt(_TRANSFORM * self.terms * total * period)
        if period * self.cost <= max(LARGE, convolving / _WAVE):
            return self.characteristic(2 * math.pi / period, 0, period // 2 + 1), 0.0
        j = np.arange(period // 2 + 1)
        product = waves(-2 * math.pi / period * (j * self.bound % period))
        sizes = 0.0
        for law in self._blocks(period):
            spectrum = fft.rfft(law, period)
            product *= np.conjugate(spectrum, out=spectrum)
            sizes += math.sqrt(law @ law)
        return product, 2 * EPS * math.log2(period) * sizes

    def _blocks(self, period):
        """Return the laws of the tilted sums of blocks of values, modulo the period."""
        points, chances = (np.repeat(x, self.counts) for x in (self.points, self.chances))
        rest = np.repeat(special.expit(-self.tilt * self.points), self.counts)
        points = points % period
        ends = np.cumsum(points)
        length = min(math.sqrt(_TRANSFORM * ends[-1] * period / len(points)), period - 1)
        start = 0
        while start < len(points):
            below = ends[start] - points[start]
            stop = max(start + 1, int(np.searchsorted(ends, below + length, side="right")))
            yield _convolved(points[start:stop], rest[start:stop], chances[start:stop])
            start = stop

    def cut(self):
        r"""Return a frequency past which the characteristic function is negligible up to a second.

        .. math:: |\phi|^2 = \prod (1 - 2 p q (1 - \cos \theta v))
            \le \exp(-\sum 2 p q (1 - \cos \theta v))

        with :math:`1 - \cos x \ge x^2/2 - x^4/24`.

        Returns tuple of (float, float), or None. The two frequencies; None if the bound does not
        become small enough.
        """
        squares = np.square(self.points.astype(float))
        second = float(self.variances @ squares)
        fourth = float(self.variances @ np.square(squares)) / 12
        root = smaller_root(second, fourth, -2 * NEGLIGIBLE[self.is_lattice])
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
        limit = (2 * NEGLIGIBLE[self.is_lattice] - constant) / total
        shares = slopes / total
        spread = math.sqrt(shares @ np.square(self.points.astype(float)))
        return proved_reach(self.points, shares, spread, limit, start, wanted, modulus=False)


def _convolved(points, without, chances):
    """Return the law of the sum of values that are in it with chances, or not, as a dense array."""
    law = np.zeros(int(points.sum()) + 1)
    law[0], reach = 1.0, 1
    for point, absent, present in zip(points.tolist(), without, chances, strict=True):
        moved = law[:reach] * present
        law[:reach] *= absent
        law[point : point + reach] += moved
        reach += point
    return law


def _product(factors):
    """Multiply along the last axis, pairwise.

    Rows that lie one after the other in memory: for others numpy 2.0 chooses between two loops, of
    which one rounds less, by where an array happens to lie.
    """
    rows = np.ascontiguousarray(factors.T)
    while len(rows) > 1:
        half = len(rows) // 2
        product = rows[:half] * rows[half : 2 * half]
        if len(rows) % 2:
            product[0] *= rows[-1]
        rows = product
    return rows[0]


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


def enumerated_draws(points, shares, draws, bound):
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
    return checked_tail(small, EPS * (64 + 16 * draws + len(others)) * small, "lattice", upper)


def enumerated_flips(points, counts, bound):
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
    return checked_tail(small, EPS * small, "lattice", upper)
