"""Wilcoxon's test, the sign test and the paired t-test."""

import math
from dataclasses import replace

import numpy as np
import scipy
from scipy import special

from replicability import checks
from replicability.stats import correlation
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.binary import mcnemar_pvalues
from replicability.stats.paired.entry import Test
from replicability.stats.paired.pairs import scored
from replicability.stats.paired.result import (
    EXACT_RANKS,
    ZERO_METHODS,
    direction,
    less_margin,
    sided,
)


def wilcoxon(
    a, b, *, zero_method="wilcox", margin=0.0, alternative="greater", confidence_level=0.95
):
    r"""Wilcoxon's signed-rank test, as in the paper's Section 6.2 on sentence accuracies.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        One score per item.
    zero_method : {"wilcox", "pratt"}, default "wilcox"
        Differences of zero are left out before ranking (Wilcoxon 1945) or after it (Pratt 1959).
    margin : float, default 0.0
        Centre of the differences, A minus B, that the null hypothesis allows.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better", by more than the margin.
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the sum of the ranks of the items that A wins; effect and interval are
        those of `difference`.

    Raises
    ------
    InputError
        If scores differ in length, are missing or infinite, a name is unknown, the level is not in
        (0, 1), or there is a margin and all scores are 0 or 1.

    Notes
    -----
    It assumes that the differences are independent and, under the null hypothesis, symmetric
    around zero, or around the margin. With at most 50 differences other than zero the p-value is
    exact, given their ranks, ties included; with more it is the normal approximation with the
    variance of the tied ranks and no continuity correction. Ties are decided by
    `exact.units.differences`: differences of scores with a common step are whole numbers, others
    are tied within the rounding of the largest score, so that 2/3 - 1/3 equals 1/3 - 0. Where the
    rounding leaves a doubt, the p-value is called an estimate.

    For scores of 0 and 1 all ranks are equal, and the test degenerates to McNemar's: exact with at
    most 50 discordant items, with more the asymptotic one without continuity correction.

    Examples
    --------
    >>> wilcoxon([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    checks.choice("zero_method", zero_method, ZERO_METHODS)
    margin = checks.finite("margin", margin)
    pairs = scored("wilcoxon", a, b)
    if margin and np.isin(pairs.scores, (0, 1)).all():
        raise checks.InputError(
            "wilcoxon assumes differences that are symmetric around the margin, which is "
            "impossible for scores of 0 and 1; use exact_unconditional."
        )
    moved = pairs.less(margin)
    signed = _signed_ranks(moved, zero_method)
    p = _rank_pvalue(signed, alternative)
    how = _exact(moved.differences.resolved) if signed.size <= EXACT_RANKS else _NORMAL
    how += f", zero method {zero_method!r}"
    if np.isin(pairs.scores, (0, 1)).all():
        how += ", scores of 0 and 1: the same as McNemar's test"
    statistic, how = signed[signed > 0].sum(), less_margin(how, margin)
    return pairs.result("wilcoxon", statistic, p, alternative, confidence_level, how)


def sign_test(a, b, *, alternative="greater", confidence_level=0.95):
    """Sign test: on how many items is A better, of those where the systems differ?

    Parameters
    ----------
    a, b, alternative, confidence_level
        As for `wilcoxon`, without a margin.

    Returns
    -------
    Result
        The statistic is the number of wins; effect and interval are those of `difference`.

    Raises
    ------
    InputError
        As `wilcoxon`.

    Notes
    -----
    Exact binomial test of wins against losses (Dixon and Mood 1946); valid for independent
    items, whatever the law of the differences, for the null hypothesis that wins and losses are
    equally probable.

    Examples
    --------
    >>> sign_test([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    pairs = scored("sign_test", a, b)
    p = mcnemar_pvalues(pairs.wins, pairs.losses, alternative=alternative)
    how = f"{_exact(pairs.differences.signs_resolved)}, ties left out"
    return pairs.result("sign_test", pairs.wins, p, alternative, confidence_level, how)


def paired_t(a, b, *, margin=0.0, alternative="greater", confidence_level=0.95):
    """Student's t-test of the mean difference.

    Parameters
    ----------
    a, b, margin, alternative, confidence_level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The statistic is t with n - 1 degrees of freedom, the interval Student's.

    Raises
    ------
    InputError
        As `wilcoxon`, and if there are fewer than 2 scores, or all differences are equal without
        being zero.

    Notes
    -----
    Exact for differences that are independent and normal (Student 1908), approximate for large n
    otherwise.

    Examples
    --------
    >>> round(paired_t([3, 5, 4, 6], [1, 2, 4, 5]).statistic, 4)
    2.3238
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    pairs = scored("paired_t", a, b, minimum=2)
    n, how = pairs.n, less_margin(f"t with {pairs.n - 1} degrees of freedom", margin)
    if not pairs.less(margin).levels.any():
        return pairs.result("paired_t", 0.0, 1.0, alternative, confidence_level, how)
    if (pairs.levels == pairs.levels[0]).all():
        raise checks.InputError(
            f"A and B differ by {pairs.effect:.6g} on every item, so paired_t cannot estimate a "
            "variance; use sign_flip."
        )
    t = (pairs.effect - margin) / pairs.standard_error
    p = correlation.pvalue(t, lambda value: special.stdtr(n - 1, value), alternative)
    result = pairs.result("paired_t", t, p, alternative, confidence_level, how)
    width = pairs.standard_error * float(special.stdtrit(n - 1, 0.5 + confidence_level / 2))
    interval = ConfidenceInterval(pairs.effect - width, pairs.effect + width, confidence_level)
    return replace(result, confidence_interval=interval)


_NORMAL = "normal approximation without continuity correction"


def _exact(resolved):
    """Say whether a p-value is exact, or the rounding of the scores leaves ties in doubt."""
    return "exact" if resolved else "estimate (the rounding of the scores hides ties)"


def _signed_ranks(pairs, zero_method):
    """Return the ranks of the differences other than zero, with the signs of these."""
    levels = pairs.levels
    if zero_method == "wilcox":
        levels = levels[levels != 0]
    ranks = scipy.stats.rankdata(np.abs(levels))
    return np.where(levels < 0, -ranks, ranks)[levels != 0]


def _rank_pvalue(signed, alternative):
    """Return the p-value of signed ranks."""
    if signed.size <= EXACT_RANKS:
        sign = direction(alternative, signed.sum())
        return sided(_rank_tail(sign * signed), alternative, signed.sum())
    z = signed.sum() / math.sqrt(np.sum(signed * signed))
    return correlation.pvalue(z, special.ndtr, alternative)


def _wilcoxon_both(a, b, *, zero_method="wilcox"):
    """Rank once for both directions."""
    checks.choice("zero_method", zero_method, ZERO_METHODS)
    signed = _signed_ranks(scored("wilcoxon", a, b), zero_method)
    return [_rank_pvalue(signed, side) for side in ("greater", "less")]


def _sign_test_both(a, b):
    """Count wins and losses once for both directions."""
    pairs = scored("sign_test", a, b)
    return mcnemar_pvalues([pairs.wins, pairs.losses], [pairs.losses, pairs.wins])


def _sign_test_floor(n_differing, **options):
    """A wins all items on which the systems differ."""
    return mcnemar_pvalues(n_differing, 0)


def _wilcoxon_floor(n_differing, **options):
    """A wins all items; the normal deviate is then the largest if all ranks are equal."""
    if n_differing <= EXACT_RANKS:
        return 2.0**-n_differing
    return float(special.ndtr(-math.sqrt(n_differing)))


def _rank_tail(signed):
    """P(sum of the ranks with a plus >= the observed one), each sign with probability 1/2.

    Counted among all 2^m signs, for m <= 50 without rounding; twice a rank is a whole number.
    """
    doubled = np.rint(2 * np.abs(signed)).astype(np.int64)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    return ways[doubled[signed > 0].sum() :].sum() / 2.0**signed.size


TESTS = (
    Test(
        wilcoxon,
        title="Wilcoxon's signed-rank test",
        takes="scores",
        metrics="accuracies of items, and other numbers",
        pvalue="exact if only a few differences are nonzero, else normal",
        valid_under="the items are independent and, under the null hypothesis, their "
        "differences are symmetric around zero",
        use="each item has a pair of real-valued scores, such as sentence accuracies",
        signed=False,
        margin="exact",
        margin_note="if the differences minus the margin are symmetric around zero under the null "
        "hypothesis; the test is then about the centre of the differences, not their mean",
        both=_wilcoxon_both,
        floor=_wilcoxon_floor,
    ),
    Test(
        sign_test,
        title="the sign test",
        takes="scores",
        metrics="accuracies of items, and other numbers",
        pvalue="exact",
        valid_under="the items are independent",
        use="instead of wilcoxon if only the direction of each difference matters, not its size",
        signed=False,
        margin_note="it ignores how large the differences are; use sign_flip",
        both=_sign_test_both,
        floor=_sign_test_floor,
    ),
    Test(
        paired_t,
        title="the paired t-test",
        takes="scores",
        metrics="accuracies of items, and other numbers",
        pvalue="exact for normal differences",
        valid_under="the items are independent, and are numerous or have normal differences",
        use="instead of wilcoxon if differences are close to normal",
        margin="exact",
        margin_note="if the differences are normal; with many items, it is approximate",
    ),
)
"""The tests of this module, for `registry.TESTS`."""
