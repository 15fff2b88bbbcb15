r"""Power of the test of a mean difference, for claims with and without a margin.

`paired.mean_difference` takes the largest of three p-values: of sign flips, and of Hall's t with
the estimated and with a raised skewness. Differences are taken as normal. The estimated skewness
g is then independent of mean and standard deviation (Basu), nearly normal with mean 0 and variance
6(N - 2)/((N + 1)(N + 3)), and sign flips have the law of Student's t. Hall's transformation

.. math:: h(u) = u + g u^2/3 + g^2 u^3/27 + g/(6N) = ((1 + gu/3)^3 - 1)/g + g/(6N)

has an inverse in closed form, so that each g has a critical value of t.

References
----------
Fisher (1930), Proceedings of the Royal Society A 130, 16-28 (moments of g). Hall (1992), Journal of
the Royal Statistical Society B 54(1), 221-228. Schuirmann (1987), Journal of Pharmacokinetics and
Biopharmaceutics 15, 657-680 (two one-sided tests).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicability import checks
from replicability.stats.power import Scores, of_each, tabled_error
from replicability.stats.skewed import RAISE

MEAN_DIFFERENCE_ERRORS = {
    (20, 0.05): (0.15, 0.41),
    (20, 0.0025): (0.16, 0.45),
    (50, 0.05): (0.03, 0.24),
    (50, 0.0025): (0.07, 0.54),
    (100, 0.05): (0.01, 0.14),
    (100, 0.0025): (0.04, 0.40),
    (300, 0.05): (0.02, 0.08),
    (300, 0.0025): (0.04, 0.18),
}
"""Maps (N, alpha) to the estimated error of `Means.power` for symmetric and for strongly skewed
differences. The errors are estimates, not bounds, obtained as `power.SIGN_FLIP_ERRORS`. The largest
errors are for differences with rare large losses, where the power is overstated (``python
benchmarks/power.py``).
"""

_SPREADS, _SKEWS = 100, 50  # nodes of the quadrature over the estimated spread and skewness


@dataclass(frozen=True)
class Means:
    """Laws of the p-values of "low < gain < high" on n datasets, with normal differences.

    Attributes
    ----------
    truth : power.Scores
        Sizes, standard deviations of the differences and true gains.
    low, high : array_like of float, shape (n,), default 0 and infinity
        The claim is that the gain lies strictly between them; an infinite end is not tested.
    """

    truth: Scores
    low: ArrayLike = 0.0
    high: ArrayLike = math.inf

    def __post_init__(self):
        """Give the ends one shape."""
        for name in ("low", "high"):
            ends = np.asarray(getattr(self, name), dtype=float)
            if np.isnan(ends).any():
                raise checks.InputError(f"{name} is NaN; pass a number.")
            object.__setattr__(self, name, np.broadcast_to(ends, self.gain.shape))

    @property
    def gain(self):
        """True gains, ndarray of float64, shape (n,)."""
        return self.truth.gain

    def power(self, alpha):
        """Probability of p <= alpha on each dataset.

        `alpha` (array_like of float, shape (m,)): levels, in (0, 1).

        Returns ndarray of float64, shape (n, m). By quadrature over the estimated standard
        deviation and skewness.

        Examples
        --------
        >>> power = Means(Scores([40], [1.0], [0.4])).power([0.05, 0.005])
        >>> power.round(2)
        array([[0.79, 0.4 ]])
        """
        truth = self.truth
        columns = truth.n_instances, truth.sd, self.gain, self.low, self.high
        return of_each(_power, alpha, *columns)

    def draw(self, n_families, seed, *, mid_p=False):
        """Draw p-values.

        `n_families`: families to draw. `seed`: every dataset has a child of it. `mid_p`: no
        difference: the law is continuous.

        Returns ndarray of float64, shape (n_families, n). The larger p-value of both one-sided
        tests, none below 1/2^N.
        """
        sizes, scale = self.truth.n_instances, np.sqrt(self.truth.n_instances) / self.truth.sd
        errors, spread, skew = self.truth.errors(n_families, seed)
        skew = skew * _spread_of_skewness(sizes)
        above = _pvalues(((self.gain - self.low) * scale + errors) / spread, skew, sizes)
        below = _pvalues(((self.high - self.gain) * scale - errors) / spread, -skew, sizes)
        return np.maximum(np.maximum(above, below), 0.5 ** sizes.astype(float))


def mean_difference_error(n_instances, alpha=0.05):
    """Estimate the error of the power that `Means` gives.

    `n_instances`: items of a dataset, at least 1. `alpha`: level, in (0, 1).

    Returns (float, float). Estimates for symmetric and for strongly skewed differences, those of
    `MEAN_DIFFERENCE_ERRORS` for the next smaller dataset and the next smaller level, or the
    smallest; NaN below 20 items.

    Examples
    --------
    >>> mean_difference_error(500) == MEAN_DIFFERENCE_ERRORS[300, 0.05]
    True
    """
    return tabled_error(MEAN_DIFFERENCE_ERRORS, n_instances, alpha)


def _spread_of_skewness(n):
    """Return the standard deviation of the skewness of n normal values."""
    return np.sqrt(6.0 * np.maximum(n - 2, 0) / ((n + 1.0) * (n + 3.0)))


def _pvalues(t, skew, n):
    """Return the largest p-value of t itself and of Hall's t with both skewnesses."""
    u, least = t / np.sqrt(n), t
    for g in (skew, skew * (1 + RAISE / np.sqrt(n))):
        with np.errstate(invalid="ignore"):  # an end at infinity
            moved = np.sqrt(n) * (u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * n))
        least = np.minimum(least, np.where(np.isinf(t), t, moved))
    return special.stdtr(np.maximum(n - 1, 1), -least)


def _critical(critical, skew, n):
    """Return the least t for which t itself and Hall's t with both skewnesses reach a value."""
    needed = np.broadcast_to(critical, np.broadcast_shapes(critical.shape, skew.shape))
    for g in (skew, skew * (1 + RAISE / math.sqrt(n))):
        away = np.where(np.abs(g) > 1e-9, g, 1e-9)
        root = np.cbrt(1 + away * (critical / math.sqrt(n) - away / (6 * n)))
        needed = np.maximum(needed, math.sqrt(n) * 3 * (root - 1) / away)
    return needed


def _power(n, sd, gain, low, high, at):
    """Integrate the power of one dataset over spread and skewness, at all levels."""
    freedom, scale = max(n - 1, 1), math.sqrt(n) / sd
    nodes = (np.arange(_SPREADS)[:, None, None] + 0.5) / _SPREADS
    spread = np.sqrt(special.chdtri(freedom, nodes) / freedom)
    skew = special.ndtri((np.arange(_SKEWS)[:, None] + 0.5) / _SKEWS) * _spread_of_skewness(n)
    critical = special.stdtrit(freedom, 1 - at)
    # the other direction has the opposite skewness
    above = (gain - low) * scale - spread * _critical(critical, skew, n)
    below = (high - gain) * scale - spread * _critical(critical, -skew, n)
    shown = np.maximum(special.ndtr(above) - special.ndtr(-below), 0.0).mean(axis=(0, 1))
    return np.where(0.5 ** float(n) <= at, shown, 0.0)
