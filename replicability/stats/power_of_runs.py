r"""Power of the test over new items and new runs, for claims with and without a margin.

The difference of the means has the variance :math:`\sigma_I^2/n + k(\sigma_R^2 + \sigma_E^2/n)/r`
with n items, r runs of each system and k = 2, or k = 1 if the runs are the same in pairs.
`paired.crossed_t` estimates it by mean squares. With normal components these are multiples of
independent chi-squared variables, and independent of the difference.

References
----------
Banerjee (1960), Sankhya 22, 351-358. Searle, Casella and McCulloch (1992), Variance Components,
Wiley.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicability import checks
from replicability.stats.critical_wins import levels
from replicability.stats.power import children

_NODES = (8, 32, 32)
"""Quadrature nodes for the variances by items and by the runs of each system."""

_GRID = np.geomspace(1e-16, 0.5, 250)
"""One-sided p-values between which simulated ones are interpolated."""


@dataclass(frozen=True)
class Runs:
    """Runs of each system on a dataset, and the noise that they add.

    Attributes
    ----------
    number : int
        Runs of each system, at least 2.
    sd : float
        Standard deviation of the true mean of a run, 0 or more; of paired runs that of the
        difference.
    sd_rest : float, default 0
        Standard deviation of the noise of a single score; of paired runs that of the difference.
    paired : bool, default False
        Whether both systems have the same runs, as raters are.
    """

    number: int
    sd: float
    sd_rest: float = 0.0
    paired: bool = False

    def __post_init__(self):
        if checks.finite("sd_runs", self.sd) < 0:
            raise checks.InputError(
                f"{checks.named('sd_runs')} is {self.sd:g}, but a standard deviation cannot be "
                "negative; pass a number of at least 0."
            )

    @property
    def sides(self):
        """Number of variances that runs have: one for each system, or one if they are paired."""
        return 1 if self.paired else 2

    def variances(self, n_items, sd_items):
        """Return the expected mean squares of the difference, and their degrees of freedom.

        `n_items`: items, at least 2. `sd_items`: standard deviation of the true differences of
        items.

        Returns two ndarray of float64, shape (k + 1,). By items, and by the runs of each system.
        """
        rest = self.sd_rest**2 / self.number
        items = (sd_items**2 + self.sides * rest) / n_items
        runs = [self.sd**2 / self.number + rest / n_items] * self.sides
        return np.array([items, *runs]), np.array(
            [n_items - 1.0, *[self.number - 1.0] * self.sides]
        )

    def standard_error(self, n_items, sd_items):
        """Return the standard deviation of the difference with so many items and these runs."""
        (items, *runs), _ = self.variances(n_items, sd_items)
        return math.sqrt(items + sum(runs) - self.sides * self.sd_rest**2 / self.number / n_items)


def pooled(runs, weights):
    """Return runs with the mean variances of several, and their smallest number."""
    squares = np.average([(one.sd**2, one.sd_rest**2) for one in runs], axis=0, weights=weights)
    return Runs(min(one.number for one in runs), *np.sqrt(squares).tolist(), runs[0].paired)


@dataclass(frozen=True)
class Crossed:
    """Laws of the p-values of "low < gain < high" on n datasets with items and runs.

    Attributes
    ----------
    n_items : sequence of int, shape (n,)
        Items of each dataset.
    sd : sequence of float, shape (n,)
        Standard deviations of the true differences of items, 0 or more.
    runs : sequence of Runs, shape (n,)
        Runs of each dataset.
    gain : array_like of float, shape (n,)
        True differences.
    low, high : array_like of float, shape (n,), default 0 and infinity
        The claim is that the gain lies strictly between them; an infinite end is not tested.

    Notes
    -----
    `paired.crossed_t` also allows for skewed items, which normal ones do not have: with a few items
    it has slightly less power than stated.
    """

    n_items: tuple
    sd: tuple
    runs: tuple
    gain: ArrayLike
    low: ArrayLike = 0.0
    high: ArrayLike = math.inf

    def __post_init__(self):
        for name in ("gain", "low", "high"):
            values = np.broadcast_to(np.asarray(getattr(self, name), float), (len(self.n_items),))
            object.__setattr__(self, name, values)

    def power(self, alpha):
        """Probability of p <= alpha on each dataset.

        `alpha` (array_like of float, shape (m,)): levels, in (0, 1).

        Returns ndarray of float64, shape (n, m). By quadrature over the estimated variances.

        Examples
        --------
        >>> law = Crossed((200,), (1.0,), (Runs(5, 0.1),), 0.3)
        >>> law.power([0.05, 0.005]).round(2)
        array([[0.9 , 0.37]])
        """
        at = np.atleast_1d(levels(alpha))
        rows = zip(self.n_items, self.sd, self.runs, self.gain, self.low, self.high, strict=True)
        known, found = {}, []
        for row in rows:
            if row not in known:
                known[row] = _power(*row, at)
            found.append(known[row])
        return np.array(found)

    def draw(self, n_families, seed, *, mid_p=False):
        """Draw p-values.

        `n_families`: families to draw. `seed`: every dataset has a child of it. `mid_p`: no
        difference: the law is continuous.

        Returns ndarray of float64, shape (n_families, n). The larger p-value of both one-sided
        tests, none below 1e-16.
        """
        found = np.empty((n_families, len(self.n_items)))
        for j, child in enumerate(children(seed, len(self.n_items))):
            rng, runs = np.random.default_rng(child), self.runs[j]
            expected, freedom = runs.variances(self.n_items[j], self.sd[j])
            seen = expected * rng.chisquare(freedom, (n_families, len(freedom))) / freedom
            error = runs.standard_error(self.n_items[j], self.sd[j]) * rng.normal(size=n_families)
            squared = special.stdtrit(freedom[:, None], _GRID) ** 2
            excess = (self.gain[j] - self.low[j] + error, self.high[j] - self.gain[j] - error)
            found[:, j] = np.max([_pvalues(one, seen, squared) for one in excess], axis=0)
        return found


def _power(n, sd, runs, gain, low, high, at):
    """Integrate the power of one dataset over the estimated variances, at all levels."""
    expected, freedom = runs.variances(n, sd)
    nodes = [
        one * special.chdtri(f, (np.arange(k) + 0.5) / k) / f
        for one, f, k in zip(expected, freedom, _NODES, strict=False)
    ]
    seen = np.stack([mesh.ravel() for mesh in np.meshgrid(*nodes)])
    error = runs.standard_error(n, sd)
    width = np.sqrt(seen.T @ special.stdtrit(freedom[:, None], 1 - at) ** 2)
    shown = special.ndtr((gain - low - width) / error) - special.ndtr((gain - high + width) / error)
    return np.maximum(shown, 0.0).mean(axis=0)


def _pvalues(excess, variances, squared):
    """Return Banerjee's p-values, interpolated between those of the grid."""
    if np.isinf(excess).all():
        return np.zeros(len(excess))
    critical, target = variances @ squared, excess**2  # the first falls along the grid
    place = np.clip((critical > target[:, None]).sum(axis=1), 1, len(_GRID) - 1)
    rows, tiny = np.arange(len(place)), np.finfo(float).tiny
    ends = critical[rows, place - 1], critical[rows, place], target
    above, below, at = (np.log(np.maximum(one, tiny)) for one in ends)
    share = np.clip((above - at) / (above - below), 0.0, 1.0)
    log_p = np.log(_GRID)
    one = np.exp(log_p[place - 1] + share * (log_p[place] - log_p[place - 1]))
    return np.where(excess > 0, one, 1 - one)
