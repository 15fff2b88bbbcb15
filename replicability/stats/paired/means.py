"""The test of a mean difference that keeps its level under skew."""

import math
from dataclasses import replace

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats.paired.entry import Test, floor_of_flips
from replicability.stats.paired.pairs import pairs_of
from replicability.stats.paired.resampled import flipped
from replicability.stats.paired.result import direction, less_margin, sided, sum_either_way
from replicability.stats.skewed import off_the_mode, raised, skewness

CONTINUOUS = 0.9
"""Minimum share of absolute differences off the mode for them to count as continuous."""


def mean_difference(
    a,
    b,
    *,
    metric=None,
    margin=0.0,
    alternative="greater",
    n_resamples=None,
    rng=None,
    workers=1,
    confidence_level=0.95,
):
    r"""Test a mean difference by sign flips and by Hall's skewness-corrected t, the larger p.

    Parameters
    ----------
    a, b, metric, margin, alternative, n_resamples, rng, workers, confidence_level
        As for `sign_flip`.

    Returns
    -------
    Result
        The statistic is Student's t of the difference of the metric less the margin; the p-value is
        the largest of those of `sign_flip` and of `hall_pvalue` with the estimated and with the
        raised skewness.

    Raises
    ------
    InputError
        As `sign_flip`.

    Notes
    -----
    It tests the mean (or the ratio of sums) itself, and needs independent items. Sign flips are
    exact for symmetric differences, however heavy their tails; under skew they reject too often.
    Hall's transformation removes the effect of skewness on t up to order 1/n (Hall 1992), but a
    small sample underestimates skewness. The raised value g (1 + 4/sqrt(m)) makes up for that; m is
    the number of items whose difference is not the most common one.

    If the differences other than zero are continuous, items without a difference are left out:
    given how many differ, the null hypothesis is that these have mean zero.

    The level is asymptotic under skew. `data/simulations/levels.csv` has it for the default call.
    No test of a mean can exclude large losses that are too rare to be in the sample.

    Metrics that are no mean, such as F1, enter by their jackknife influences.

    References
    ----------
    Hall (1992), Journal of the Royal Statistical Society B 54(1), 221-228.

    Examples
    --------
    >>> from replicability.stats.paired import sign_flip
    >>> differences = [1.9] * 38 + [-18.1] * 2
    >>> for test in (sign_flip, mean_difference):
    ...     print(round(test(differences, [0.0] * 40).pvalue, 2))
    0.14
    0.51
    """
    checks.alternative(alternative)
    margin = checks.finite("margin", margin)
    confidence_level = checks.confidence_level(confidence_level)
    pairs = pairs_of("mean_difference", a, b, metric)
    p, error, how = flipped(pairs, margin, alternative, n_resamples, rng, workers)
    t, influences = _studentised(pairs, margin)
    corrected = _by_hall(t, influences, alternative, pairs.excess(margin))
    result = pairs.result(
        "mean_difference",
        t,
        max(p, corrected),
        alternative,
        confidence_level,
        f"the larger p-value of sign flips ({less_margin(how, margin)}) and Hall's t",
        error if p >= corrected else 0.0,
    )
    return replace(result, skewness=skewness(influences) if len(influences) else 0.0)


def _both(a, b, *, metric=None, margin=0.0, n_resamples=None, rng=None):
    """Return the p-values of both directions, without the interval."""
    margin = checks.finite("margin", margin)
    pairs = pairs_of("mean_difference", a, b, metric)
    t, influences = _studentised(pairs, margin)
    excess = pairs.excess(margin)
    return tuple(
        max(
            flipped(pairs, margin, alternative, n_resamples, rng)[0],
            _by_hall(t, influences, alternative, excess),
        )
        for alternative in ("greater", "less")
    )


def corrected_for_skew(a, b, alternative="greater", *, metric=None, margin=0.0):
    """Return the p-value of Hall's skewness-corrected t alone, next to a test that ignores skew.

    Parameters
    ----------
    a, b, alternative, metric, margin
        As for `mean_difference`.

    Returns
    -------
    float
        In [0, 1]; 0 if the differences are all alike, so that there is nothing to correct.

    Raises
    ------
    InputError
        As `mean_difference`.

    Examples
    --------
    >>> round(corrected_for_skew([1.9] * 38 + [-18.1] * 2, [0.0] * 40), 2)
    0.51
    """
    checks.alternative(alternative)
    pairs = pairs_of("mean_difference", a, b, metric)
    margin = checks.finite("margin", margin)
    return _by_hall(*_studentised(pairs, margin), alternative, pairs.excess(margin))


def _by_hall(t, influences, alternative, excess):
    """Return the p-value of t with Hall's correction; 0 if there is nothing to correct."""
    if not (math.isfinite(t) and excess):
        return 0.0
    sign = direction(alternative, excess)
    return sided(corrected_pvalue(sign * t, sign * influences), alternative, excess)


def _studentised(pairs, margin):
    """Return t and the values that it is the t of; without variance t is infinite, or 0.

    Of means and ratios with equal denominators these are the differences less the margin, without
    those of zero if the others are continuous; of other metrics the influences of the items, and
    zeros where these are undefined, so that t shows nothing.
    """
    if not pairs.common_denominator:
        if not math.isfinite(pairs.standard_error):
            return 0.0, np.zeros(max(pairs.n, 2))
        values = pairs.influences + (pairs.effect - margin) / pairs.n
    else:
        found = pairs.less(margin).differences
        values = np.where(found.levels == 0, 0.0, found.values)
        differing = values[values != 0]
        if len(differing) and off_the_mode(np.abs(differing)) >= CONTINUOUS * len(differing):
            values = differing
    values = np.sort(values)
    total, n = sum_either_way(values) if len(values) else 0.0, len(values)
    centred = values - total / max(n, 1)
    spread = math.sqrt(sum_either_way(centred**2) / (n - 1)) if n > 1 else 0.0
    if not spread > 2.0**-40 * abs(total) / max(n, 1):
        return math.copysign(math.inf, total) if total else 0.0, values
    return total / math.sqrt(n) / spread, values


def hall_pvalue(t, skew, n):
    r"""One-sided p-value of a mean by Hall's skewness-corrected t.

    Parameters
    ----------
    t : float
        Student's t of n independent values.
    skew : float
        Skewness g of the values, third central moment over the 3/2 power of the second.
    n : int
        Number of values, at least 2.

    Returns
    -------
    float
        :math:`1 - T_{n-1}(\sqrt n\,h(t/\sqrt n))`, in [0, 1], with
        :math:`h(u) = u + g u^2/3 + g^2 u^3/27 + g/(6n)`, which increases in u.

    Raises
    ------
    InputError
        If n is no whole number of at least 2, or another argument is not finite.

    Notes
    -----
    Valid for many independent values with finite third moment; the error of its level is of order
    1/n, where that of Student's t is of order 1/sqrt(n) under skew (Hall 1992, Section 2).

    Examples
    --------
    >>> round(hall_pvalue(2.0, 0.0, 40), 4), round(hall_pvalue(2.0, -2.0, 40), 4)
    (0.0262, 0.064)
    """
    n = checks.at_least("n", n, 2)
    t, skew = checks.finite("t", t), checks.finite("skew", skew)
    return float(special.stdtr(n - 1, -hall_t(t, skew, n)))


def hall_t(t, skew, n):
    """Return Hall's transformation of t, whose law is nearly that of t without skewness.

    `t`, `skew`, `n`: as for `hall_pvalue`.

    Returns float. It increases in `t`.
    """
    u = t / math.sqrt(n)
    return math.sqrt(n) * (u + skew * u * u / 3 + skew * skew * u**3 / 27 + skew / (6 * n))


def corrected_pvalue(t, influences):
    """Return the larger p-value of t with the estimated and with the raised skewness.

    `t`: the estimate less what it is compared with, over its standard error. `influences` (ndarray
    of float64, shape (n,)): what each of the n items adds to the estimate.

    Returns float. In [0, 1]; valid as `mean_difference` says.
    """
    skew = skewness(influences)
    both = skew, raised(skew, off_the_mode(influences))
    return max(hall_pvalue(t, g, len(influences)) for g in both)


TESTS = (
    Test(
        mean_difference,
        title="the skewness-corrected test of the mean",
        takes="sums",
        metrics="means, ratios and any metric computed from sums",
        pvalue="the larger of sign flips (exact for means and ratios, else Monte Carlo) and "
        "Hall's t",
        valid_under="the items are independent; its p-value is exact for symmetric differences and "
        "approximate under skew",
        use="the claim is about means: this test keeps its level under skew and heavy tails, "
        "unlike rank tests, the bootstrap and sign flips alone",
        margin="exact",
        margin_note="if the differences minus the margin are symmetric around zero under the null "
        "hypothesis; under skew, it is approximate",
        floor=floor_of_flips,
        both=_both,
    ),
)
"""The test of this module, for `registry.TESTS`."""
