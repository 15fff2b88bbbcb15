r"""Sums of pairs over a half-plane, by a generating function in two dimensions; for `ideal`.

The tail of a ratio of sums of counts is the probability that (X, Y), a sum of independent pairs of
integers, lies in the half-plane a x + b y >= c. Pairs are tilted along (a, b), so that the line
passes near their mean, and X and Y are taken modulo one period each: the probabilities in a box
about the means follow from the characteristic function at the nodes of both periods, and are summed
with the weights that undo the tilt. Either the nodes near zero suffice, which is proved, or all of
a period are computed by a Fourier transform.

The functions at the end are the arithmetic that one dimension and two have in common.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import fft

EPS = np.finfo(float).eps
WIDTH = 17.0  # period in standard deviations of a tilted sum
PLANE_ALIAS = 1e-12  # bound on what lies outside of both periods
LARGE = 2**21  # longest Fourier transform without further ado
STATES = 10**7  # longest range of values on a lattice, and most sums that are convolved
BLOCK = 2**18  # complex numbers worked on at a time
NEGLIGIBLE = 1e-40  # nodes where the modulus of a sum is below it are left out
_BOX = 1.0  # half the side of the fine grid about zero, in inverse standard deviations


@dataclass(frozen=True)
class Plane:
    """Sums of independent pairs of integers, tilted, and a half-plane.

    Attributes
    ----------
    x, y : ndarray of int64, shape (u,)
        The distinct pairs.
    shares : ndarray of float64, shape (u,)
        Their probabilities after tilting by ``exp(tilt * (a * x + b * y))``.
    draws : int
        Number of pairs in a sum.
    tilt : float
        The tilt, above zero.
    a, b, bound : int
        The half-plane a x + b y >= bound; a and b are not zero.
    """

    x: np.ndarray
    y: np.ndarray
    shares: np.ndarray
    draws: int
    tilt: float
    a: int
    b: int
    bound: int

    def tail(self):
        """Sum ``exp(-tilt (a x + b y - bound))`` over the half-plane.

        Returns tuple of (float, float), or None. The sum and that of absolute terms, which bounds
        its rounding error; None if nothing is proved within the size of a Fourier transform.
        """
        plane = self.oriented()
        periods = [_wide_period(z, plane.shares, plane.draws) for z in (plane.x, plane.y)]
        if None in periods:
            return None
        return plane.sum_box(*periods) or plane.sum_whole(*periods)

    def oriented(self):
        """Exchange x and y, or turn the sign of y, to make y spread more than x and b > 0."""
        plane = self
        if plane.covariance[0, 0] > plane.covariance[1, 1]:
            plane = replace(plane, x=plane.y, y=plane.x, a=plane.b, b=plane.a)
        return plane if plane.b > 0 else replace(plane, y=-plane.y, b=-plane.b)

    @cached_property
    def means(self):
        """Mean of a draw in each direction."""
        return float(self.shares @ self.x), float(self.shares @ self.y)

    @cached_property
    def covariance(self):
        """Covariance matrix of a draw, shape (2, 2)."""
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
        for block in blocks(len(self.x), 4 * x_nodes * y_nodes):
            in_x = powers(self.x[block] - self.means[0], x_step, 0, x_nodes)
            in_y = powers(self.y[block] - self.means[1], y_step, 0, y_nodes)
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
        log_target = math.log(PLANE_ALIAS / 4) - math.log(x_period * y_period)
        target = math.exp(2 * log_target / self.draws)
        cut = smaller_root(1.0, quartic, 1 - target)
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
        return float(squared_modulus(values)[outside].max()) + grid**2 / 2

    def _largest_far(self, scales):
        """Bound the squared modulus outside of the box."""
        x, y = self.x - self.x.min(), self.y - self.y.min()
        lengths = [
            fft.next_fast_len(int(max(z.max() + 1, 32 * scale)), real=True)
            for z, scale in zip((x, y), scales, strict=True)
        ]
        if lengths[0] * lengths[1] > LARGE:
            return math.inf
        index = x * lengths[1] + y
        binned = np.bincount(index, self.shares, lengths[0] * lengths[1]).reshape(lengths)
        modulus = squared_modulus(fft.rfft2(binned))
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
        """Return both sums from the characteristic function near zero, or None without a proof."""
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
        kernel = self._half_lines(x_low, x_period, y_low, y_period, k[:, 0])
        terms = by_x * kernel
        weight = np.where(k[:, 0] == 0, 1.0, 2.0) / (x_period * y_period)
        return float(weight @ terms.real.sum(axis=1)), float(weight @ np.abs(terms).sum(axis=1))

    def _half_lines(self, x_low, x_period, y_low, y_period, k):
        """Return sums over y in the half-plane of exp(-tilt (a x + b y - bound) - i theta_k y).

        Rows are the nodes `k`, of which the first is 0.
        """
        x = x_low + np.arange(x_period)
        first = np.clip(-((self.a * x - self.bound) // self.b) - y_low, 0, y_period)
        offset = (self.a * x - self.bound) + self.b * y_low  # at y_low
        at_first = np.exp(-self.tilt * np.where(first < y_period, offset + self.b * first, np.inf))
        at_end = np.exp(-self.tilt * np.where(first < y_period, offset + self.b * y_period, np.inf))
        k = k[1:, None]
        roots = np.exp(-2j * math.pi / y_period * np.arange(y_period))
        kernel = np.empty((len(k) + 1, x_period), dtype=complex)
        decay = self.tilt * self.b
        kernel[0] = at_first * (np.expm1(-decay * (y_period - first)) / math.expm1(-decay))
        kernel[1:] = roots[k * first % y_period]
        kernel[1:] *= at_first
        kernel[1:] -= at_end
        kernel[1:] /= -np.expm1(-(decay + 2j * math.pi / y_period * k))
        return kernel

    def sum_whole(self, x_period, y_period):
        """Return both sums from all nodes that are not negligible, or None if there are too many.

        The modulus at a node is at most the sum over x of those of the parts with that x, of which
        few differ: columns of nodes without weight are known before anything else is computed.
        """
        if x_period * y_period > STATES:
            return None
        centre = [round(mean) for mean in self.means]
        rows, row_of = np.unique((self.x - centre[0]) % x_period, return_inverse=True)
        index = row_of * y_period + (self.y - centre[1]) % y_period
        binned = np.bincount(index, self.shares, len(rows) * y_period).reshape(-1, y_period)
        parts = fft.rfft(binned, axis=1)
        k = np.flatnonzero(np.abs(parts).sum(axis=0) > NEGLIGIBLE ** (1 / self.draws))
        values = np.zeros((len(k), x_period), dtype=complex)
        values[:, rows] = parts[:, k].conj().T
        values = raised(fft.ifft(values, axis=1, norm="forward"), self.draws)
        x_low, y_low = self.origins(x_period, y_period)
        by_x = fft.fft(values, axis=1)
        by_x = np.roll(by_x, self.draws * centre[0] - x_low, axis=1)
        shift = self.draws * centre[1] - y_low
        by_x *= np.exp(2j * math.pi / y_period * (k * shift % y_period))[:, None]
        terms = by_x * self._half_lines(x_low, x_period, y_low, y_period, k)
        weight = np.where((k == 0) | (2 * k == y_period), 1.0, 2.0) / (x_period * y_period)
        return float(weight @ terms.real.sum(axis=1)), float(weight @ np.abs(terms).sum(axis=1))


def _wide_period(values, shares, draws):
    """Return a period that a sum, about its mean, leaves with probability `PLANE_ALIAS` / 4."""
    mean = shares @ values
    centred = values - mean
    sd = math.sqrt(draws * float(shares @ np.square(centred)))
    period = max(WIDTH * sd, 16.0)
    for _ in range(12):
        tilt = period / 2 / max(sd * sd, 1.0)
        tilt = min(tilt, 8.0 / max(sd, 1.0))
        with np.errstate(over="ignore"):
            means = [float(shares @ np.exp(sign * tilt * centred)) for sign in (-1.0, 1.0)]
        logs = [draws * math.log(mean) for mean in means]
        if max(logs) - tilt * (period / 2 - 1) <= math.log(PLANE_ALIAS / 8):
            return fft.next_fast_len(math.ceil(period), real=True)
        period *= 1.2
    return None


def powers(points, step, start, stop):
    """Return exp(i j step x) for j = start, ..., stop - 1 (rows) and the points x (columns)."""
    result = np.empty((stop - start, len(points)), dtype=complex)
    phase = step * points
    result[0] = waves(start * phase)
    done = 1
    while done < len(result):
        more = min(done, len(result) - done)
        np.multiply(result[:more], waves(done * phase), out=result[done : done + more])
        done += more
    return result


def waves(phase):
    """Return exp(i phase), faster than by a complex exponential."""
    result = np.empty(phase.shape, dtype=complex)
    np.cos(phase, out=result.real)
    np.sin(phase, out=result.imag)
    return result


def blocks(size, other):
    """Slice `size` into blocks of at most `BLOCK` numbers for each `other`."""
    block = max(1, BLOCK // max(1, other))
    return [slice(start, start + block) for start in range(0, size, block)]


def raised(values, exponent):
    """Return a power by repeated squaring: faster than one by logarithms, and as exact."""
    result = np.ones_like(values)
    while True:
        if exponent % 2:
            result *= values
        exponent //= 2
        if not exponent:
            return result
        values = values * values


def squared_modulus(values):
    """Return the squares of moduli, without a root on the way."""
    return values.real**2 + values.imag**2


def smaller_root(linear, quadratic, target):
    """Return the smaller x > 0 with ``linear * x - quadratic * x**2 == target``, or None."""
    root = linear * linear - 4 * quadratic * target
    return None if root <= 0 else 2 * target / (linear + math.sqrt(root))
