r"""Power of claims with a margin about right and wrong answers, before anything is run.

A claim with a margin m is an open interval of gains (`interval`). Its p-value is the larger one of
those of the two one-sided tests; where an end is infinite, one test is left (Schuirmann 1987). The
law is that of Tango's score test, by enumeration of the discordant items. The exact
unconditional test of the same hypothesis (`paired.unconditional`) has nearly the same power: in 400
samples each from 60 to 1,000 items they differed by .03 at most, and with 30 items by .07.

References
----------
Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680. Tango (1998),
Statistics in Medicine 17, 891-908.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments, margins
from replicability.stats.critical_wins import (
    at_least_wins,
    least_count,
    numbers_of_discordant,
    winning,
)
from replicability.stats.paired import tango_statistics
from replicability.stats.power import Outcomes, of_each


def interval(claim, margin=0.0):
    """Return the gains of which a claim is true.

    `claim`: one of `margins.CLAIMS`. `margin`: above 0, unless the claim is "better".

    Returns (float, float). The claim is that the gain lies strictly between them.

    Raises `InputError`: if there is no such claim, or the margin does not go with it.

    Examples
    --------
    >>> interval("better"), interval("not_worse", 0.01), interval("equivalent", 0.01)
    ((0.0, inf), (-0.01, inf), (-0.01, 0.01))
    """
    ends = {"greater": -math.inf, "less": math.inf}
    for alternative, end in margins.hypotheses(claim, margin):
        ends[alternative] = end
    return ends["greater"], ends["less"]


@dataclass(frozen=True)
class Margins:
    """Laws of the p-values of a claim with a margin, on n datasets.

    Raises `InputError`: if an end is NaN, or a margin is not below 1.

    Attributes
    ----------
    truth : power.Outcomes
        Sizes, discordant shares and true gains.
    low, high : array_like of float, shape (n,)
        The claim is that the gain lies strictly between them, as `interval` has them.
    """

    truth: Outcomes
    low: np.ndarray
    high: np.ndarray

    def __post_init__(self):
        """Check the ends, and give them one shape."""
        n = len(self.truth.gain)
        for name in ("low", "high"):
            ends = np.broadcast_to(np.asarray(getattr(self, name), dtype=float), (n,))
            finite = arguments.numbers(name, np.where(np.isinf(ends), 0.0, ends))
            index = checks.first_true(np.abs(finite) >= 1)
            if index is not None:
                raise checks.InputError(
                    f"The margin is {abs(finite[index]):g}, but a margin in accuracy must be "
                    "below 1; write, for example, 0.01 for 1 point."
                )
            object.__setattr__(self, name, ends)

    @property
    def gain(self):
        """True gains, ndarray of float64, shape (n,)."""
        return self.truth.gain

    def power(self, alpha):
        """Probability of p <= alpha on each dataset.

        `alpha` (array_like of float, shape (m,)): levels, in (0, 1).

        Returns ndarray of float64, shape (n, m). Exact for Tango's test.
        """
        truth = self.truth
        columns = truth.n_instances, truth.discordant, self.gain, self.low, self.high
        return of_each(_power, alpha, *columns)

    def draw(self, n_families, seed, *, mid_p=False):
        """Draw p-values.

        `n_families`: families to draw. `seed`: every dataset has a child of it. `mid_p`: no
        difference: the test is not conditional on the discordant items.

        Returns ndarray of float64, shape (n_families, n). The larger p-value of both one-sided
        tests.
        """
        wins, losses = self.truth.outcomes(n_families, seed)
        columns = zip(wins.T, losses.T, self.truth.n_instances, self.low, self.high, strict=True)
        return np.column_stack([_tango(*column) for column in columns])


def _tango(wins, losses, n, low, high):
    """Return p-values of Tango's test of many draws of one dataset."""
    drawn, place = np.unique(np.stack([wins, losses]), axis=1, return_inverse=True)
    z = np.full(drawn.shape[1], np.inf)
    if low > -math.inf:
        z = np.minimum(z, tango_statistics(*drawn, n, float(low)))
    if high < math.inf:
        z = np.minimum(z, tango_statistics(*drawn[::-1], n, -float(high)))
    return special.ndtr(-z)[place.ravel()]


def _power(n, share, gain, low, high, at):
    """Sum the power of Tango's test of one dataset over its discordant items, at all levels."""
    d, weights = numbers_of_discordant(n, share)
    theta, d, critical = winning(share, gain), d[:, None], -special.ndtri(at)
    most = np.broadcast_to(d, (len(d), len(at)))

    def least(end):
        return least_count(lambda w: tango_statistics(w, d - w, n, float(end)) >= critical, most)

    wins = least(low) if low > -math.inf else np.zeros_like(most)
    shown = at_least_wins(wins, d, theta)
    if high < math.inf:  # so many wins are too many
        shown = shown - at_least_wins(np.maximum(d - least(-high) + 1, wins), d, theta)
    return np.clip(weights @ shown, 0, 1)
