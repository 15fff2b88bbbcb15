"""McNemar's test: exact, mid-p and asymptotic."""

import math

import numpy as np
import scipy
from scipy import special

from replicability import checks
from replicability.stats import arguments, intervals
from replicability.stats.paired.entry import Test
from replicability.stats.paired.result import VARIANTS, Result, from_outcomes


def mcnemar(a, b, *, variant="exact", alternative="greater", confidence_level=0.95):
    """McNemar's test of two classifiers, as in the paper's Section 6.2 on sentiment.

    Parameters
    ----------
    a, b : array_like of bool or {0, 1}, shape (n,)
        Whether each system is right on each item.
    variant : {"exact", "mid-p", "asymptotic", "corrected"}, default "exact"
        Exact conditional test, its mid-p version, the normal approximation, or that with a
        continuity correction of 1.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the number of wins for "exact" and "mid-p", z for the others, the root of
        McNemar's chi-squared with the sign of the difference; the effect is the difference of the
        accuracies.

    Raises
    ------
    InputError
        If scores differ in length or are not 0 or 1, a name is unknown, or the level is not in
        (0, 1).

    Notes
    -----
    It assumes independent items. Given the number of discordant ones, wins are binomial with
    probability 1/2 under the null hypothesis, which "exact" never rejects more often than alpha,
    and "corrected" still less often. The others do; how often at most at .05, by enumeration for up
    to 200 items, depends on the probability that an item is discordant:

    ============  ===========  ================  ================  =================
    variant       alternative  at most one half  one, any n        one, n >= 50
    ============  ===========  ================  ================  =================
    mid-p         one-sided    .0502 (n = 67)    .0730 (n = 12)    .0632
    mid-p         two-sided    .0495 (n = 130)   .0768 (n = 16)    .0649
    asymptotic    one-sided    .0577 (n = 7)     .1250 (n = 3)     .0632
    asymptotic    two-sided    .0537 (n = 48)    .1250 (n = 4)     .0649
    ============  ===========  ================  ================  =================

    Fagerland, Lydersen and Laake (2013) recommend "mid-p". Without discordant items p = 1.

    The interval is that of Fay and Lumbard (2021) for all variants (`intervals.paired_shares`). It
    excludes 0 exactly if the one-sided exact test rejects at half of one less the confidence level.

    Examples
    --------
    >>> result = mcnemar([1, 1, 1, 1, 0, 1], [0, 0, 0, 1, 0, 0])
    >>> result.pvalue, result.wins, result.losses
    (0.0625, 4, 0)
    """
    checks.choice("variant", variant, VARIANTS)
    options = {"alternative": alternative, "confidence_level": confidence_level}
    return from_outcomes("mcnemar", mcnemar_counts, a, b, variant=variant, **options)


def mcnemar_counts(
    wins, losses, n, *, variant="exact", alternative="greater", confidence_level=0.95
):
    """McNemar's test from the numbers of discordant items.

    Parameters
    ----------
    wins, losses : int
        Items on which only A is right, and on which only B is.
    n : int
        Number of items, at least wins + losses and at least 1.
    variant, alternative, confidence_level
        As for `mcnemar`.

    Returns
    -------
    Result
        As `mcnemar`.

    Raises
    ------
    InputError
        If a number is negative, not whole, an array, or larger than n, a name is unknown, or the
        level is not in (0, 1).

    Notes
    -----
    What it assumes is said in `mcnemar`.

    Examples
    --------
    >>> result = mcnemar_counts(1, 7, 21, variant="mid-p", alternative="two-sided")
    >>> round(result.pvalue, 4)  # Bentur et al. 2009, in Fagerland et al. 2013
    0.0391
    """
    confidence_level = checks.confidence_level(confidence_level)
    p = mcnemar_pvalues(wins, losses, variant=variant, alternative=alternative)
    wins, losses, n = (
        _single_count(name, value) for name, value in (("wins", wins), ("losses", losses), ("n", n))
    )
    if n < max(1, wins + losses):
        raise checks.InputError(
            f"n is {n}, but must be at least {max(1, wins + losses)}, because wins and losses are "
            f"{wins} and {losses}; pass the number of all items."
        )
    statistic = wins
    if variant in ("asymptotic", "corrected"):
        shrunk = max(0, abs(wins - losses) - (variant == "corrected"))
        statistic = math.copysign(shrunk, wins - losses) / math.sqrt(max(1, wins + losses))
    return Result(
        "mcnemar",
        float(statistic),
        p,
        alternative,
        (wins - losses) / n,
        intervals.paired_shares(wins, losses, n, confidence_level),
        n,
        f"{variant}, with Fay and Lumbard's interval",
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
    )


def mcnemar_pvalues(wins, losses, *, variant="exact", alternative="greater"):
    r"""McNemar's p-values, elementwise.

    Parameters
    ----------
    wins, losses : array_like of int
        Items on which only A is right, and on which only B is; not negative.
    variant, alternative
        As for `mcnemar`.

    Returns
    -------
    ndarray or float
        p-values; 1 without discordant items.

    Raises
    ------
    InputError
        If a number is negative or not whole, the shapes do not fit together, or a name is unknown.

    Notes
    -----
    With w wins, l losses and :math:`X \sim \mathrm{Bin}(w + l, 1/2)`, one-sided: exact
    :math:`P(X \ge w)`, mid-p :math:`P(X \ge w) - P(X = w)/2`, asymptotic the normal tail at
    :math:`(w - l)/\sqrt{w + l}`, corrected at :math:`(w - l - 1)/\sqrt{w + l}`. Two-sided p-values
    are twice those, at most 1; for w = l the mid-p value is :math:`1 - P(X = w)/2` (Fagerland et
    al. 2013, additional file 1).

    Examples
    --------
    >>> mcnemar_pvalues([7, 1], [1, 7]).round(4)
    array([0.0352, 0.9961])
    """
    checks.choice("variant", variant, VARIANTS)
    checks.alternative(alternative)
    wins, losses = arguments.together(
        wins=arguments.counts("wins", wins), losses=arguments.counts("losses", losses)
    )
    tail = _MCNEMAR[variant]
    if alternative == "greater":
        p = tail(wins, losses)
    elif alternative == "less":
        p = tail(losses, wins)
    else:
        p = np.minimum(1.0, 2 * tail(np.maximum(wins, losses), np.minimum(wins, losses)))
        if variant == "mid-p":
            p = np.where(wins == losses, 1 - scipy.stats.binom.pmf(wins, wins + losses, 0.5) / 2, p)
    p = np.where(wins + losses == 0, 1.0, p)
    return p if p.ndim else float(p)


def _single_count(name, value):
    count = arguments.counts(name, value)
    if count.ndim:
        raise checks.InputError(
            f"{name} has the shape {count.shape}; pass one number, or use mcnemar_pvalues for "
            "arrays."
        )
    return int(count)


def _binomial_tail(wins, losses):
    """P(X >= wins) for X binomial with wins + losses trials of probability 1/2."""
    return np.where(wins == 0, 1.0, special.betainc(np.maximum(wins, 1), losses + 1, 0.5))


def _mid_tail(wins, losses):
    """P(X > wins) + P(X = wins) / 2 as the mean of two tails, without a difference."""
    above = np.where(losses == 0, 0.0, special.betainc(wins + 1, np.maximum(losses, 1), 0.5))
    return (_binomial_tail(wins, losses) + above) / 2


def _z(wins, losses, correction=0):
    return (wins - losses - correction) / np.sqrt(np.maximum(wins + losses, 1))


_MCNEMAR = {
    "exact": _binomial_tail,
    "mid-p": _mid_tail,
    "asymptotic": lambda wins, losses: special.ndtr(-_z(wins, losses)),
    "corrected": lambda wins, losses: special.ndtr(-_z(wins, losses, 1)),
}


def _mcnemar_both(a, b, *, variant="exact"):
    """Count wins and losses once for both directions."""
    a, b = arguments.binary("mcnemar", a, b)
    wins, losses = np.count_nonzero(a > b), np.count_nonzero(a < b)
    return mcnemar_pvalues([wins, losses], [losses, wins], variant=variant)


def wins(right):
    """Count for each ordered pair of systems the items on which only the first is right.

    `right` (ndarray of 0 and 1, shape (s, n)): whether each system is right on each item.

    Returns ndarray of int64, shape (s, s).
    """
    exact = np.float32 if right.shape[1] < 2**24 else float  # whole numbers below it are exact
    of_all = np.asarray(right, exact)
    both = (of_all @ of_all.T).astype(np.int64)
    return both.diagonal()[:, np.newaxis] - both


def _mcnemar_matrix(scores, *, variant="exact"):
    """Count wins of all ordered pairs at once."""
    if ((scores != 0) & (scores != 1)).any():
        for other in scores[1:]:
            arguments.binary("mcnemar", scores[0], other)
    won = wins(scores)
    return mcnemar_pvalues(won, won.T, variant=variant)


def _mcnemar_floor(n_differing, *, variant="exact", **options):
    """A wins all items on which the systems differ."""
    return mcnemar_pvalues(n_differing, 0, variant=variant)


TESTS = (
    Test(
        mcnemar,
        title="McNemar's test",
        takes="outcomes",
        metrics="accuracy",
        pvalue="exact; mid-p or normal on request",
        valid_under="the items are independent",
        use="the outcomes are paired and binary: each system is either right or wrong on each item",
        margin_note="it uses only the items on which the systems differ, which is valid only if "
        "the null hypothesis is equal accuracy; use exact_unconditional, an exact test of the "
        "difference",
        both=_mcnemar_both,
        matrix=_mcnemar_matrix,
        floor=_mcnemar_floor,
    ),
)
"""The tests of this module, for `registry.TESTS`."""
