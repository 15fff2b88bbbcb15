"""Tests of two correlations that share the gold ratings."""

import numpy as np

from replicability import checks
from replicability.stats import correlation, gold_ratings, metrics, resampling
from replicability.stats.paired.entry import Test, floor_of_flips
from replicability.stats.paired.result import (
    N_RESAMPLES,
    Result,
    direction,
    less_margin,
    sided,
)


def steiger(a, b, *, gold, kind="spearman", alternative="greater", confidence_level=0.95):
    """Steiger's z for two correlations with gold ratings, as in the paper's Section 6.2.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Ratings of the systems.
    gold : array_like, shape (n,)
        Gold ratings of the same items.
    kind : {"spearman", "pearson"}, default "spearman"
        Kind of correlation.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A agrees better with the gold ratings".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is z; the effect the difference of the correlations, with Zou's (2007)
        interval.

    Raises
    ------
    InputError
        If lengths differ, there are fewer than 4 items, ratings are missing or constant, a
        correlation with the gold ratings is -1 or 1, a name is unknown, or the level is not in
        (0, 1).

    Notes
    -----
    See `replicability.stats.correlation` for what it assumes. It keeps its level for Pearson's
    correlation of normal ratings; for Spearman's it rejects a true null hypothesis at .05 about 6%
    of the time if both correlations are .6, and 7% if they are .8, at any n. `rating_bootstrap`
    assumes less.

    Examples
    --------
    >>> gold, a, b = [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5], [2, 1, 4, 6, 3, 5]
    >>> round(steiger(a, b, gold=gold).pvalue, 3)
    0.084
    """
    return _correlated(
        "steiger", correlation.steiger1980, a, b, gold, kind, alternative, confidence_level
    )


def williams(a, b, *, gold, kind="spearman", alternative="greater", confidence_level=0.95):
    """Williams's t for two correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, kind, alternative, confidence_level
        As for `steiger`.

    Returns
    -------
    Result
        The statistic is t with n - 3 degrees of freedom; effect and interval as for `steiger`.

    Raises
    ------
    InputError
        As `steiger`.

    Notes
    -----
    Valid for independent items with normal ratings, also few of them (Williams 1959; Steiger 1980
    recommends it for small n); with Spearman's correlation it exceeds its level as `steiger` does.
    """
    return _correlated(
        "williams", correlation.williams1959, a, b, gold, kind, alternative, confidence_level
    )


def meng(a, b, *, gold, kind="spearman", alternative="greater", confidence_level=0.95):
    """Meng, Rosenthal and Rubin's z for two correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, kind, alternative, confidence_level
        As for `steiger`.

    Returns
    -------
    Result
        The statistic is z; effect and interval as for `steiger`.

    Raises
    ------
    InputError
        As `steiger`.

    Notes
    -----
    Valid for independent items with normal ratings, approximately below about 20 of them (Meng,
    Rosenthal and Rubin 1992); with Spearman's correlation it exceeds its level as `steiger` does.
    """
    return _correlated(
        "meng", correlation.meng1992, a, b, gold, kind, alternative, confidence_level
    )


def rating_bootstrap(
    a,
    b,
    *,
    gold,
    margin=0.0,
    alternative="greater",
    n_resamples=N_RESAMPLES,
    size=None,
    rng=None,
    workers=1,
    confidence_level=0.95,
):
    r"""Paired bootstrap of the difference of two Spearman correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, alternative, confidence_level
        As for `steiger`.
    margin : float, default 0.0
        Difference of the correlations, A minus B, that the null hypothesis allows.
    n_resamples : int, default 100,000
        Number of resamples of the items.
    size, rng, workers
        As for `paired_bootstrap`.

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the correlations; the p-value (r + 1)/(B
        + 1) for r of B resamples with :math:`\delta^* \ge 2 \delta`, or
        :math:`2 \delta - m` with a margin m; the interval Zou's.

    Raises
    ------
    InputError
        As `steiger`, and if a number of resamples is not valid.

    Notes
    -----
    It assumes independent items and many of them, and nothing about the law of the ratings. With
    correlations of .8 it rejects a true null hypothesis at .05 about 4% of the time for n of 100
    or more, and about 1% for n = 30, because correlations fall in small resamples with their ties.

    Examples
    --------
    >>> ratings = [1, 2, 3, 4, 5, 6]
    >>> rating_bootstrap(ratings, ratings, gold=[2, 1, 3, 4, 5, 6], n_resamples=99).pvalue
    1.0
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    count = N_RESAMPLES if n_resamples is None else checks.at_least("n_resamples", n_resamples)
    r = gold_ratings.correlations(gold, a, b)
    effect, margin = r.r_jk - r.r_jh, checks.finite("margin", margin)
    sign = direction(alternative, effect - margin)
    first, second = (a, b) if sign > 0 else (b, a)
    codes = metrics.rating_codes(gold, first, second)
    drawn = {"n_resamples": count, "size": size, "rng": rng, "workers": workers}
    share = resampling.bootstrap_statistic(
        codes[np.lexsort(codes.T)], metrics.spearman_difference, margin=sign * margin, **drawn
    )
    how = f"Monte Carlo with {count} resamples, Spearman correlations {r.r_jk:.4f} and {r.r_jh:.4f}"
    how = less_margin(how, margin)
    return Result(
        "rating_bootstrap",
        effect,
        sided(share.pvalue, alternative, effect - margin),
        alternative,
        effect,
        _zou(r, confidence_level),
        r.n,
        how,
        share.standard_error,
        scores=(r.r_jk, r.r_jh),
    )


def _zou(r, confidence_level):
    return correlation.zou2007(r.r_jk, r.r_jh, r.r_kh, r.n, confidence_level=confidence_level)


def _correlated(test, function, a, b, gold, kind, alternative, confidence_level):
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    r = gold_ratings.correlations(gold, a, b, kind=kind)
    outcome = function(r.r_jk, r.r_jh, r.r_kh, r.n, alternative=alternative)
    how = (
        f"{kind} correlations {r.r_jk:.4f} and {r.r_jh:.4f}, {r.r_kh:.4f} with each other, "
        "with Zou's interval"
    )
    return Result(
        test,
        outcome.statistic,
        outcome.pvalue,
        alternative,
        outcome.effect,
        _zou(r, confidence_level),
        r.n,
        how,
        scores=(r.r_jk, r.r_jh),
    )


_NO_MARGIN = (
    "its variance assumes equal correlations; use rating_bootstrap, which compares the difference "
    "with a margin"
)


def _bootstrap_floor(n_differing, *, n_resamples=N_RESAMPLES, **options):
    """No resample need reach twice the difference."""
    return floor_of_flips(n_differing, n_resamples=n_resamples or N_RESAMPLES)


TESTS = (
    Test(
        steiger,
        title="Steiger's test",
        takes="ratings",
        metrics="Spearman's and Pearson's correlation",
        pvalue="normal",
        valid_under="the items are independent, and their ratings or ranks are close enough to "
        "normal for Fisher's z",
        use="two dependent correlations are compared: those of both systems with the same gold "
        "ratings",
        margin_note=_NO_MARGIN,
    ),
    Test(
        williams,
        title="Williams's test",
        takes="ratings",
        metrics="Spearman's and Pearson's correlation",
        pvalue="Student's t",
        valid_under="the items are independent, and their ratings or ranks are close to normal",
        use="instead of steiger if there are few items, because it uses Student's t",
        margin_note=_NO_MARGIN,
    ),
    Test(
        meng,
        title="the test of Meng, Rosenthal and Rubin",
        takes="ratings",
        metrics="Spearman's and Pearson's correlation",
        pvalue="normal",
        valid_under="the items are independent, and their ratings or ranks are close to normal",
        use="instead of steiger, with which it agrees if there are many items",
        margin_note=_NO_MARGIN,
    ),
    Test(
        rating_bootstrap,
        title="the bootstrap test of two correlations",
        takes="ratings",
        metrics="Spearman's correlation",
        pvalue="Monte Carlo",
        valid_under="the items are independent and numerous enough to represent the population",
        use="instead of steiger if ratings are far from normal",
        bootstrap=True,
        margin="asymptotic",
        margin_note="the resampled difference between the correlations is shifted by the margin",
        floor=_bootstrap_floor,
    ),
)
"""The tests of this module, for `registry.TESTS`."""
