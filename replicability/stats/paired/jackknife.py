"""The jackknife test of two correlations with gold ratings."""

import math

import numpy as np
import scipy
from scipy import special

from replicability import checks
from replicability.stats import gold_ratings
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.entry import Test
from replicability.stats.paired.means import corrected_pvalue
from replicability.stats.paired.result import (
    Result,
    direction,
    less_margin,
    sided,
    sum_either_way,
)

CELLS = 2**22
"""Number of pairs of items compared at a time."""


def correlation_jackknife(
    a, b, *, gold, kind="spearman", margin=0.0, alternative="greater", confidence_level=0.95
):
    r"""Test the difference of two correlations with gold ratings by the jackknife.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Ratings of the systems.
    gold : array_like, shape (n,)
        Gold ratings of the same items.
    kind : {"spearman", "pearson"}, default "spearman"
        Kind of correlation.
    margin : float, default 0.0
        Difference of the correlations, A minus B, that the null hypothesis allows.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A agrees better with the gold ratings".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is (difference - margin) / jackknife standard error; p-value
        by Hall's skewness-corrected t of the influences of the items (`means.hall_pvalue`).

    Raises
    ------
    InputError
        If lengths differ, there are fewer than 4 items, ratings are missing or constant, a name is
        unknown, or the level is not in (0, 1).

    Notes
    -----
    Valid for many independent items, whatever the law of the ratings. Steiger's test takes the
    variance of Pearson's correlation of normal ratings; for Spearman's it rejects too often, at any
    n. Where the influences do not vary, or a correlation is not defined without one of the items,
    p = 1.

    References
    ----------
    Miller (1974), Biometrika 61(1), 1-15. Hall (1992), Journal of the Royal Statistical Society B
    54(1), 221-228.

    Examples
    --------
    >>> gold, a, b = [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5], [2, 1, 4, 6, 3, 5]
    >>> round(correlation_jackknife(a, b, gold=gold).pvalue, 3)
    0.131
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    r, influences, error = _estimated(gold, a, b, kind)
    effect = r.r_jk - r.r_jh
    excess = effect - margin
    p = _pvalue(direction(alternative, excess), excess, influences, error)
    width = error * float(special.stdtrit(r.n - 1, 0.5 + confidence_level / 2)) if error else 2.0
    return Result(
        "correlation_jackknife",
        excess / error if error else 0.0,
        sided(p, alternative, excess),
        alternative,
        effect,
        ConfidenceInterval(max(-2.0, effect - width), min(2.0, effect + width), confidence_level),
        r.n,
        less_margin(f"jackknife, {kind} correlations {r.r_jk:.4f} and {r.r_jh:.4f}", margin),
        scores=(r.r_jk, r.r_jh),
    )


def _estimated(gold, a, b, kind):
    """Return the correlations, the influences of the items, and the standard error, 0 for none."""
    r = gold_ratings.correlations(gold, a, b, kind=kind)
    gold, a, b = gold_ratings.checked(gold, a, b)
    left = _left_out(gold, a, kind) - _left_out(gold, b, kind)
    if not np.isfinite(left).all():
        return r, left, 0.0
    influences = (sum_either_way(np.sort(left)) / r.n - left) * math.sqrt((r.n - 1) / r.n)
    return r, influences, math.sqrt(sum_either_way(np.sort(influences**2)))


def _pvalue(sign, excess, influences, error):
    """Return the p-value in a direction."""
    return corrected_pvalue(sign * excess / error, sign * influences) if error else 1.0


def _both(a, b, *, gold, kind="spearman"):
    """Leave items out once for both directions."""
    r, influences, error = _estimated(gold, a, b, kind)
    return [_pvalue(sign, r.r_jk - r.r_jh, influences, error) for sign in (1, -1)]


def _left_out(gold, ratings, kind):
    """Return the correlation without each of the items."""
    n, step = len(gold), max(1, CELLS // len(gold))
    values = [scipy.stats.rankdata(x) if kind == "spearman" else x for x in (gold, ratings)]
    found = np.empty(n)
    for start in range(0, n, step):
        places = np.arange(start, min(start + step, n))
        kept = np.ones((len(places), n))
        kept[np.arange(len(places)), places] = 0
        one, other = (
            _centred(x, own, places, kept, kind)
            for x, own in zip((gold, ratings), values, strict=True)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            found[places] = (one * other).sum(axis=1) / np.sqrt(
                (one * one).sum(axis=1) * (other * other).sum(axis=1)
            )
    return found


def _centred(x, values, places, kept, kind):
    """Return values around their mean without each of some items, 0 in the place of the item."""
    if kind == "pearson":
        means = (kept @ values) / (len(x) - 1)
        return (values - means[:, None]) * kept
    below, equal = x[places, None] < x, x[places, None] == x  # a rank falls by 1 or by 1/2
    return (values - below - 0.5 * equal - len(x) / 2) * kept


TESTS = (
    Test(
        correlation_jackknife,
        title="the jackknife test of two correlations",
        takes="ratings",
        metrics="Spearman's and Pearson's correlation",
        pvalue="Hall's skewness-corrected t",
        valid_under="the items are independent and numerous",
        use="ratings may not be normal: the jackknife estimates the variances from the ratings "
        "themselves, whereas Steiger's test assumes normal ratings",
        margin="asymptotic",
        margin_note="the difference between the correlations is compared with the margin",
        both=_both,
    ),
)
"""The test of this module, for `registry.TESTS`."""
