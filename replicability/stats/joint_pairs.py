r"""All pairs of systems by one set of joint sign flips, under a single simultaneous guarantee.

A hypothesis is "the first system of the ordered pair p is not better on dataset j", with the
statistic :math:`z_{pj}` of `stats.joint`. The same flips of units are those of all M pairs.

``joint``
    Closed testing within each pair, at the level that remains. While m pairs have a dataset that is
    not named, each of them is tested by the local test ``joint`` at the level alpha/m; a pair all
    of whose datasets are named leaves its share to the others.

``max_t``
    Westfall and Young's step-down over pairs and datasets. The hypotheses with the largest
    statistics are rejected as long as each exceeds the critical value c of the maximum over all
    those that are left, at the level alpha. It serves for ``joint``, too, where there are fewer
    flips than M/alpha.

*Claim.* With probability 1 - alpha no bound of any group of datasets in any pair is too large, and
no dataset is named wrongly. ``joint`` is never less powerful than Bonferroni over the M pairs.

*Proof.* Let N be the set of true hypotheses, and :math:`N_p` its part in the pair p, not empty in
:math:`m_0` pairs. By ``joint``, the local test rejects some :math:`N_p` at the level
:math:`\alpha/m_0` with a probability of at most alpha, the sum over these pairs. If it rejects
none, nothing wrong is said as long as m is at least :math:`m_0`, since a bound that is too large or
a wrong name takes that :math:`N_p` is rejected. So m never falls below :math:`m_0`: a pair leaves
only if all its datasets are named, and rightly, so its :math:`N_p` is empty (Holm 1979). As m
is at most M, nothing is lost against alpha/M. By ``max_t``, the maximum over N exceeds its critical
value c(N) with a probability of at most alpha. If it does not, no true hypothesis is rejected: at
the first one that would be, all of N is still left, so that the critical value is at least c(N), as
a maximum over more hypotheses is no smaller (Westfall and Young 1993).

``joint`` assumes what `stats.joint` assumes of each pair by itself: the differences of a unit are
jointly symmetric around zero over the datasets of :math:`N_p`, as they are if the two systems are
exchangeable. ``max_t`` assumes it of all pairs together, which holds asymptotically, in the number
of units, by the central limit theorem, as flips keep all covariances (Hemerik and Goeman 2018).

References
----------
Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70. Westfall and Young (1993),
Resampling-Based Multiple Testing, Algorithm 2.8. Hemerik and Goeman (2018), Test 27(4), 811-825.
"""

import numpy as np

from replicability import checks
from replicability.stats.branch_and_bound import SumsAndMaxima
from replicability.stats.families import in_threads
from replicability.stats.flips import AT_LEAST, CELL, N_FLIPS, Flips, rough_gains
from replicability.stats.joint import MOST_NODES, Bound, allowed, bound_by, named_by

METHODS = ("joint", "max_t")
"""Local tests that use one set of flips for all pairs."""

AS_EXTREME = 4
"""Maximum number of flips of a pair as extreme as the observed one at the corrected level."""

MOST_SUMS = 100_000_000
"""Maximum number of sums of systems and datasets that are drawn."""

TIE = 1e-5
"""Single-precision statistics that differ by less than this number are ties."""

FEW = 512
"""Number of flips tried first; they show that many sets of datasets are not rejected."""


class Jointly:
    """Simultaneous statements about all pairs.

    Parameters
    ----------
    several : flips.Several
        Systems under joint sign flips.
    compared : array_like of bool, shape (s, s)
        The ordered pairs of the family; False on the diagonal.
    alpha : float
        Bound on the probability that any statement is wrong, in (0, 1).
    method : {"joint", "max_t"}, default "joint"
        As the module describes them.
    n_flips : int, optional
        Flips, the identity among them; default `flips_of` the pairs.
    share : float or Fraction, default 1
        Part of alpha that is left for these statements, 0 to 1, where other families were tested
        first. Flips and procedure are chosen by alpha, so that they do not depend on what is left.

    Attributes
    ----------
    allowed : int
        By "joint", flips of a pair that may be as extreme as what was observed, at the last step;
        0 by maxima.
    counts : ndarray of int64, shape (s, s)
        Number of datasets, at least, on which the system of the row is better.

    Raises
    ------
    InputError
        If there are fewer flips than 1/alpha, or an argument is not as described.

    Notes
    -----
    Valid as the module says.

    Examples
    --------
    >>> from scipy import sparse
    >>> from replicability.stats.flips import flip_several
    >>> rng = np.random.default_rng(1)
    >>> scores = [sparse.csr_array(rng.normal(m, 1, (50, 3))) for m in (5, 6, 6)]
    >>> found = Jointly(flip_several(scores), ~np.eye(3, dtype=bool), 0.05)
    >>> found.counts.tolist()
    [[0, 0, 0], [3, 0, 0], [3, 0, 0]]
    """

    def __init__(self, several, compared, alpha, method="joint", n_flips=None, share=1):
        level = checks.alpha(alpha)
        checks.choice("method", method, METHODS)
        self.compared = np.asarray(compared, bool)
        n_pairs = int(self.compared.sum())
        size = len(several.scores) * several.scale.shape[2]
        self.n_flips = checks.at_least("n_flips", n_flips or flips_of(n_pairs, level, size), 20)
        self._sums, self._scale = several.drawn(self.n_flips), several.scale
        most, self.allowed = allowed(self.n_flips, level), 0
        by_maximum, most = method == "max_t" or most < n_pairs, int(most * share)
        self._named = self._step_down(most) if by_maximum else np.zeros(self._scale.shape, bool)
        self.counts, everywhere = self._named.sum(axis=2), np.ones(self._scale.shape[2], bool)
        while not by_maximum:
            left = self.compared & (self.counts < len(everywhere))
            if not left.any() or most // left.sum() == self.allowed:
                break
            self.allowed = int(most // left.sum())
            in_threads(self._test, np.argwhere(left))

    def _test(self, pair):
        """Name datasets of a pair, and count all of them."""
        everywhere = np.ones(self._scale.shape[2], bool)
        if self._is_left(*pair, everywhere):
            return
        flips = self._flips(*pair)
        together, unnamed, named = _left(flips, self.allowed)
        self._named[*pair], self.counts[*pair] = named, named.sum()
        del flips  # a search takes memory of its own
        if named.all():
            return
        search = self._search(pair, ~named, together.sum())
        self.counts[*pair] = self._bound(pair, everywhere, search, together).at_least
        maybe = ~(unnamed | named)
        while maybe.any() and (left := search.left(maybe, 1, MOST_NODES - search.examined)):
            maybe[left] = False
        del search  # before the next one is made
        if maybe.any():
            self._named[*pair] |= named_by(self._search(pair, maybe, 1), MOST_NODES, ~maybe)
            self.counts[*pair] = max(self.counts[*pair], self._named[*pair].sum())

    def bound(self, i, j, inside=None):
        """Bound a group of datasets of a pair.

        `i`, `j`: the system that is better, and the other one. `inside` (ndarray of bool, shape
        (n,)): the group; by default all datasets.

        Returns joint.Bound. As `joint.bound`.
        """
        inside = np.ones(self._scale.shape[2], bool) if inside is None else inside
        rest = inside & ~self._named[i, j]
        if not self.allowed or not rest.any() or self._is_left(i, j, rest):
            k = int(inside.sum() - rest.sum())
            return Bound(k, k)
        together = _left(self._flips(i, j), self.allowed)[0]
        search = self._search((i, j), rest, (rest & together).sum())
        return self._bound((i, j), inside, search, together)

    def _bound(self, pair, inside, search, together):
        """Bound a group of datasets of a pair by those that are named, and a search of the rest."""
        rest = inside & ~self._named[*pair]
        k, known = int(inside.sum() - rest.sum()), int((rest & together).sum())
        if known == rest.sum():
            return Bound(k, k)
        found = bound_by(search, rest, MOST_NODES, known)
        return Bound(k + found.at_least, k + found.at_most)

    def named(self, i, j):
        """Name datasets of a pair.

        `i`, `j`: as in `bound`.

        Returns ndarray of bool, shape (n,).
        """
        return self._named[i, j]

    def _statistics(self, i, j, k, n_flips=None):
        """Return the statistics of a pair on one dataset, or on each of several."""
        first, second = (self._sums[system, k, :n_flips] for system in (i, j))
        z, scale = first - second, self._scale[i, j, k]
        z /= np.where(scale > 0, scale, 1).astype(np.float32)[..., np.newaxis]
        return z

    def _step_down(self, most):
        """Tell which hypotheses the maximum over those that are left rejects."""
        first = self._sums[..., 0]
        scale = np.where(self._scale > 0, self._scale, 1).astype(np.float32)
        observed = (first[:, np.newaxis] - first[np.newaxis]) / scale
        cells = np.argwhere(np.broadcast_to(self.compared[..., np.newaxis], observed.shape))
        values = observed[tuple(cells.T)]
        order = np.argsort(values, kind="stable")
        largest, left = np.full(self.n_flips, -np.inf, np.float32), 0
        for place, cell in enumerate(cells[order], 1):
            np.maximum(largest, self._statistics(*cell), out=largest)
            value = observed[tuple(cell)]
            if value <= 0 or np.count_nonzero(largest >= value - TIE) > most:
                left = place
        rejected = np.zeros(observed.shape, bool)
        rejected[tuple(cells[order[left:]].T)] = True
        return rejected

    def _is_left(self, i, j, inside):
        """Tell, by few flips, that a set of datasets of a pair is not rejected."""
        flips = self._flips(i, j, inside, FEW)
        gains = flips.gains_of(slice(None))
        highest = flips.z[0].max().astype(float) - TIE
        reached = gains.sum(axis=0) >= -TIE, flips.z.max(axis=1) >= highest
        return min(map(np.count_nonzero, reached)) > self.allowed

    def _search(self, pair, inside, k):
        """Return the search for sets of a pair with at least k datasets of a group."""
        return SumsAndMaxima(self._flips(*pair).reaching(inside, max(1, k)), self.allowed)

    def _flips(self, i, j, inside=slice(None), n_flips=None):
        """Return the flips of datasets of a pair."""
        z = self._statistics(i, j, inside, n_flips)
        return Flips(z.T, np.diag(np.ones(len(z), int)))


def _left(flips, allowed):
    """Tell which datasets are together in a set that is not rejected, and which may be named.

    Returns together, unnamed, named : ndarray of bool, shape (n,). A set that is not rejected;
    datasets of such sets; datasets of which every set is rejected by its maximum. Bounds of gains
    and exact maxima show it for most datasets, not for all.
    """
    order, n = flips.order, len(flips.order)
    sums, largest = np.zeros((2, len(flips.z)), np.float32)
    largest -= np.inf
    size, width, weak = 0, 0, (largest.copy(), sums.copy())
    for place, z in enumerate(flips.z.T[j] for j in order):
        np.maximum(largest, z, out=largest)
        sums += rough_gains(z, AT_LEAST)
        x = _maxima(largest)
        if x > allowed // 2:
            width = place + 1
        if x > allowed and np.count_nonzero(sums >= CELL) > allowed:
            size, weak = place + 1, (largest.copy(), sums.copy())
    together, unnamed, named = np.zeros((3, n), bool)
    together[order[:size]] = unnamed[order[:size]] = named[order[width:]] = True
    for j in order[size:width]:
        x = _maxima(np.maximum(weak[0], flips.z[:, j]))
        sums = weak[1] + rough_gains(flips.z[:, j], AT_LEAST)
        unnamed[j] = x > allowed and np.count_nonzero(sums >= CELL) > allowed
    return together, unnamed, named


def _maxima(largest):
    """Count the maxima that reach what was observed."""
    return np.count_nonzero(largest >= largest[0] - TIE)


def flips_of(n_pairs, alpha, size=1):
    """Return the flips for so many ordered pairs.

    `n_pairs`: number of ordered pairs. `alpha`: level of all of them, in (0, 1). `size`: number of
    systems times that of datasets.

    Returns int. `N_FLIPS`, or so many that `AS_EXTREME` of them may be as extreme in each pair;
    fewer where they would take more than `MOST_SUMS` sums.

    Examples
    --------
    >>> flips_of(6, 0.05), flips_of(650, 0.05)
    (10000, 52000)
    """
    wanted = AS_EXTREME * n_pairs / alpha
    return max(N_FLIPS, min(round(wanted), MOST_SUMS // size))
