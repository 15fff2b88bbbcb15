"""How much of the variance of a difference comes from items, from runs and from the rest."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats.paired.crossed import Cells

SOURCES = ("items", "runs", "rest")
"""Sources of variance of a difference: items, runs or raters, and the remainder."""


@dataclass(frozen=True)
class Noise:
    """Standard deviations that sources give to the difference of two mean scores.

    Attributes
    ----------
    sd, low, high : dict of str to float
        Source, one of `SOURCES` -> standard deviation of the difference through it, and limits.
    within : float
        Half of the width of the confidence interval that remains with these runs, however many
        items there are.
    """

    sd: dict
    low: dict
    high: dict
    within: float

    @property
    def shares(self):
        """Source -> its share of the variance, in [0, 1]; NaN if nothing varies."""
        squares = np.array([self.sd[source] ** 2 for source in SOURCES])
        total = squares.sum()
        return dict(zip(SOURCES, (squares / total if total else squares * np.nan), strict=True))


def components(a, b, *, paired_runs=False, confidence_level=0.95):
    r"""Estimate the sources of noise of a difference.

    `a`, `b`, `paired_runs`: scores of items in runs, as for `paired.crossed_t`. `confidence_level`:
    coverage of the limits, in (0, 1).

    Returns Noise. Estimates by analysis of variance, 0 where they would be negative.

    Raises `InputError`: as `paired.crossed_t`.

    Notes
    -----
    The variance of the difference is :math:`\sigma_I^2 / n + \sigma_R^2 / r + \sigma_E^2 / (n r)`
    of the items' differences, the runs and the rest, where runs and rest are summed over both
    systems. The estimates are those of restricted maximum likelihood where none is negative. Limits
    for items and runs are Williams's (1962), for the rest by the chi-squared distribution. They
    assume normal components, and of unpaired runs Satterthwaite's degrees of freedom.

    References
    ----------
    Williams (1962), Biometrika 49(1-2), 278-281.
    Searle, Casella and McCulloch (1992), Variance Components, Wiley.

    Examples
    --------
    >>> noise = components([[3, 5], [4, 6], [2, 5], [3, 6]], [[1, 2], [2, 2], [0, 2], [2, 1]])
    >>> {source: round(sd, 2) for source, sd in noise.sd.items()}
    {'items': 0.0, 'runs': 1.22, 'rest': 0.35}
    """
    level = checks.confidence_level(confidence_level)
    cells = Cells(a, b, paired_runs)
    (items, *runs), (f_items, *f_runs) = cells.variances
    rest, f_rest = cells.rest
    runs, f_runs = sum(runs), _satterthwaite(np.array(runs), np.array(f_runs))
    ends = (0.5 - level / 2, 0.5 + level / 2)
    sd, low, high = {}, {}, {}
    for source, mean, f in (("items", items, f_items), ("runs", runs, f_runs)):
        limits = [_williams(mean, f, rest, f_rest, end) for end in ends[::-1]]
        sd[source] = max(mean - rest, 0.0) ** 0.5
        low[source], high[source] = (max(limit, 0.0) ** 0.5 for limit in limits)
    sd["rest"] = rest**0.5
    low["rest"], high["rest"] = (
        (rest * f_rest / special.chdtri(f_rest, 1 - end)) ** 0.5 for end in ends[::-1]
    )
    within = float(special.stdtrit(f_runs, ends[1])) * sd["runs"] if f_runs else 0.0
    return Noise(
        *({source: float(of[source]) for source in SOURCES} for of in (sd, low, high)), within
    )


def _satterthwaite(variances, degrees):
    """Return the degrees of freedom of a sum of variances; of zeros those of all."""
    total = variances.sum()
    return total**2 / (variances**2 / degrees).sum() if total else degrees.sum()


def _williams(mean, f, rest, f_rest, end):
    """Return a limit of the variance that is left of a mean square less the rest."""
    return f * (mean - rest * special.fdtri(f, f_rest, end)) / special.chdtri(f, 1 - end)
