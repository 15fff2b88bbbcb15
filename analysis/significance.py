r"""The tests of one dataset: is system A better than system B, both run on the same instances?

=====================  ===================================================  ======================
name                   what it takes                                        p-value
=====================  ===================================================  ======================
`paired_bootstrap`     a score, or the sums of a metric, for each instance  exact or Monte Carlo
`sign_flip`            the same                                             exact or Monte Carlo
`wilcoxon`             a score for each instance                            exact up to 50, normal
`sign_test`            the same                                             exact
`paired_t`             the same                                             exact for normal scores
`mcnemar`              0 (wrong) or 1 (right) for each instance             exact, mid-p or normal
`steiger`              ratings of the systems and gold ratings              normal
`williams`             the same                                             t
`meng`                 the same                                             normal
`rating_bootstrap`     the same                                             Monte Carlo
=====================  ===================================================  ======================

One vocabulary: `alternative` is "greater" (A is better), "less" or "two-sided"; `n_resamples` of
None asks for the exact p-value; `rng` is whatever `numpy.random.default_rng` takes; `level` is the
coverage of the interval beside the p-value. A higher score is better.

Four promises hold for every test. Swapping A and B swaps "greater" and "less" to the last bit.
Identical systems give p = 1. The order of the instances plays no part, not even in Monte Carlo:
instances are sorted first. No input is changed. A two-sided p-value is twice the one-sided p-value
in the direction of the observed difference, at most 1, and 1 where there is no difference; only
McNemar's mid-p value is a little below 1 where wins and losses are equally many.

`TESTS` maps each name to its function, and `run` calls one by its name. To add a test, write a
function ``test(a, b, *, alternative, ...)`` that returns a `Result`, and add its line to `TESTS`.
"""

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from analysis import checks, correlation, ideal, resampling, scoring
from analysis.correlation import ConfidenceInterval

N_RESAMPLES = 100_000
"""Resamples where none are asked for and the exact way is closed; the paper's number."""

EXACT_RANKS = 50
"""Most differences other than zero for which `wilcoxon` enumerates all signs."""

VARIANTS = ("exact", "mid-p", "asymptotic", "corrected")
"""Variants of McNemar's test."""

ZERO_METHODS = ("wilcox", "pratt")
"""What `wilcoxon` does with differences of zero: leave them out before or after ranking."""


@dataclass(frozen=True)
class Result:
    """Outcome of a test of one dataset.

    Attributes
    ----------
    test : str
        Name of the test, a key of `TESTS`.
    statistic : float
        The test's statistic; the docstring of each test says which.
    pvalue : float
        In [0, 1].
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis; "greater" is "A is better".
    effect : float
        Metric of A minus metric of B; for ratings, the difference of the two correlations.
    confidence_interval : ConfidenceInterval
        Two-sided limits for the effect.
    n : int
        Number of instances.
    how : str
        How p-value and interval were computed.
    error : float
        Bound on the numerical error of a p-value where `how` says that it is exact, an estimate
        where it says so, and the standard error of a Monte-Carlo p-value.
    wins, ties, losses : int or None
        Instances on which A is better, equal, worse; None where instances have no score of their
        own.
    """

    test: str
    statistic: float
    pvalue: float
    alternative: str
    effect: float
    confidence_interval: ConfidenceInterval
    n: int
    how: str
    error: float = 0.0
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None


def run(name, a, b, **options):
    """Run the test of a name.

    Parameters
    ----------
    name : str
        A key of `TESTS`.
    a, b : array_like
        Scores of the systems, as the test takes them.
    **options
        Keyword arguments of the test; `options_of` lists them.

    Returns
    -------
    Result
        The outcome.

    Raises
    ------
    InputError
        If the name or an option is unknown, a necessary option is missing, or as the test.

    Examples
    --------
    >>> run("sign_test", [3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.choice("test", name, TESTS)
    allowed = options_of(name)
    for option in options:
        if option not in allowed:
            raise checks.InputError(
                f"Test {name!r} has no option {option!r}, but takes {', '.join(allowed)}"
                f"{checks.nearest(option, allowed)}"
            )
    for option, parameter in inspect.signature(TESTS[name]).parameters.items():
        needed = parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
        if needed and option not in options:
            raise checks.InputError(
                f"Test {name!r} needs the option {option!r}; pass it, or choose another test."
            )
    return TESTS[name](a, b, **options)


def options_of(name):
    """List the options of a test.

    Parameters
    ----------
    name : str
        A key of `TESTS`.

    Returns
    -------
    tuple of str
        Names of its keyword arguments.

    Raises
    ------
    InputError
        If the name is unknown.
    """
    checks.choice("test", name, TESTS)
    parameters = inspect.signature(TESTS[name]).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


# --- resampling tests ---------------------------------------------------------------------------


def paired_bootstrap(
    a,
    b,
    *,
    metric=None,
    alternative="greater",
    n_resamples=None,
    size=None,
    rng=None,
    workers=1,
    level=0.95,
):
    r"""Paired bootstrap (Berg-Kirkpatrick, Burkett and Klein 2012), as in the paper's Section 6.2.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, c)
        Scores, whose mean is compared; or with `metric` its sums for each instance; or, without,
        two columns of numerators and denominators, such as words right and words.
    metric : str or scoring.Metric, optional
        The metric that the sums belong to, or its name in `scoring.METRICS`.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better".
    n_resamples : int, optional
        Number of resamples. Default: infinitely many, computed (the ideal bootstrap), if the metric
        is a mean or a ratio of sums whose denominators are equal for both systems; else, or if the
        exact way cannot meet its error bound, `N_RESAMPLES`.
    size : int, optional
        Number m of instances in a resample (the paper: 500); default n.
    rng : optional
        What `numpy.random.default_rng` takes; used where resamples are drawn.
    workers : int, default 1
        Number of processes that draw resamples; the result does not depend on it.
    level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the metric; the p-value the share of
        resamples with :math:`\delta^* \ge 2 \delta`, with (r + 1)/(B + 1) for r of B drawn ones.

    Raises
    ------
    InputError
        If scores differ in length, are missing, infinite or fewer than 2, are not the sums that the
        metric is computed from, or an option is not valid.

    Notes
    -----
    It assumes that the instances are independent draws from one population, and n large: the law
    of :math:`\delta^* - \delta` stands for that of :math:`\delta` under the null hypothesis. For
    small n it rejects a true one more often than alpha, and the more so the smaller alpha is: of
    normal differences at .05 about 8% of the time for n = 10 and 6% for n = 30, but at .05/20, the
    level of Holm's first step on 20 datasets, six times and twice as often as it should. From
    `analysis.recommendation.few_instances` on it is at most 1.1 times as often; below, use
    `sign_flip`. Its p can be 0 where A wins everywhere, for which `sign_flip` gives :math:`2^{-n}`.
    A resample smaller than the sample makes it conservative; a larger one, anti-conservative: with
    m = 2n, 12% of true null hypotheses are rejected at .05.

    The comparison is :math:`\ge`: with >, ties would count as evidence and identical systems would
    get p = 0. The interval is Student's t times the jackknife's standard error around the
    difference; for mean scores that of the paired t-test.

    Examples
    --------
    >>> a, b = [1] * 30 + [0] * 10 + [1] * 60, [0] * 30 + [1] * 10 + [1] * 60
    >>> result = paired_bootstrap(a, b)
    >>> f"{result.pvalue:.6f}", f"{result.effect:.2f}", result.wins, result.losses
    ('0.000524', '0.20', 30, 10)
    """
    checks.alternative(alternative)
    level = checks.level(level)
    pairs = _pairs("paired_bootstrap", a, b, metric, minimum=2)
    draws = pairs.n if size is None else checks.at_least("size", size)

    def exact(sign):
        d, weights = pairs.differences(sign)
        return ideal.ideal_bootstrap(d, weights, size=draws)

    def sample(sign, count):
        return resampling.bootstrap(
            *pairs.sums(sign),
            pairs.value,
            n_resamples=count,
            size=draws,
            rng=rng,
            workers=workers,
        )

    drawn = f" of size {draws}" if draws != pairs.n else ""
    if draws > pairs.n:
        drawn += f" (anti-conservative: there are {pairs.n} instances)"
    return _resampled(
        "paired_bootstrap", pairs, alternative, n_resamples, level, exact, sample, drawn
    )


def sign_flip(
    a,
    b,
    *,
    metric=None,
    alternative="greater",
    n_resamples=None,
    rng=None,
    workers=1,
    level=0.95,
):
    r"""Sign-flip test, or approximate randomisation (Noreen 1989; Yeh 2000).

    Parameters
    ----------
    a, b, metric, alternative, n_resamples, rng, workers, level
        As for `paired_bootstrap`.

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the metric; the p-value the share of the
        :math:`2^n` ways to swap A and B on some of the instances with :math:`\delta^* \ge \delta`,
        with (r + 1)/(B + 1) for r of B drawn ones.

    Raises
    ------
    InputError
        As `paired_bootstrap`; a single instance is accepted.

    Notes
    -----
    It assumes that under the null hypothesis the outputs of A and B are exchangeable on each
    instance, and is then valid for every n and every metric.

    Examples
    --------
    >>> sign_flip([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    level = checks.level(level)
    pairs = _pairs("sign_flip", a, b, metric)

    def exact(sign):
        d, _ = pairs.differences(sign)
        return ideal.flip_tail(d)

    def sample(sign, count):
        return resampling.flip(
            *pairs.sums(sign), pairs.value, n_resamples=count, rng=rng, workers=workers
        )

    return _resampled("sign_flip", pairs, alternative, n_resamples, level, exact, sample)


def _resampled(test, pairs, alternative, n_resamples, level, exact, sample, drawn=""):
    """Compute the tail exactly where that is asked for and possible, and draw resamples else."""
    if n_resamples is not None:
        checks.at_least("n_resamples", n_resamples)
    sign = _direction(alternative, pairs.effect)
    outcome = None
    if n_resamples is None and pairs.common_denominator:
        try:
            tail = exact(sign)
            outcome = tail.probability, tail.error, tail.how + drawn
        except ideal.CannotMeetBound:
            reason = "the exact way cannot meet its error bound"
    elif n_resamples is None:
        reason = "the metric has no exact way"
    else:
        reason = "as asked for"
    if outcome is None:
        count = N_RESAMPLES if n_resamples is None else n_resamples
        share = sample(sign, count)
        how = f"Monte Carlo with {count} resamples{drawn}, {reason}"
        outcome = share.pvalue, share.standard_error, how
    p, error, how = outcome
    if alternative == "two-sided":
        error = 2 * error if pairs.effect else 0.0
    p = _sided(p, alternative, pairs.effect)
    return pairs.result(test, pairs.effect, p, alternative, level, how, error)


# --- tests of one score per instance -------------------------------------------------------------


def wilcoxon(a, b, *, zero_method="wilcox", alternative="greater", level=0.95):
    r"""Wilcoxon's signed-rank test, as in the paper's Section 6.2 on sentence accuracies.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        One score per instance.
    zero_method : {"wilcox", "pratt"}, default "wilcox"
        Differences of zero are left out before ranking (Wilcoxon 1945) or after it (Pratt 1959).
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better".
    level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the sum of the ranks of the instances that A wins; effect and interval are
        those of `paired_t`.

    Raises
    ------
    InputError
        If scores differ in length, are missing or infinite, a name is unknown, or the level is not
        in (0, 1).

    Notes
    -----
    It assumes that the differences are independent and, under the null hypothesis, symmetric
    around zero. With at most 50 differences other than zero the p-value is exact, given their
    ranks, ties included; with more it is the normal approximation with the variance of the tied
    ranks and no continuity correction. Differences that agree up to 16 units of rounding of the
    largest score are tied, so that 2/3 - 1/3 equals 1/3 - 0.

    For scores of 0 and 1 all ranks are equal, and the test degenerates to McNemar's: exact with at
    most 50 discordant instances, with more the asymptotic one without continuity correction.

    Examples
    --------
    >>> wilcoxon([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    level = checks.level(level)
    checks.choice("zero_method", zero_method, ZERO_METHODS)
    pairs = _scored("wilcoxon", a, b)
    levels = pairs.levels
    if zero_method == "wilcox":
        levels = levels[levels != 0]
    ranks = stats.rankdata(np.abs(levels))
    signed = np.where(levels < 0, -ranks, ranks)[levels != 0]
    if signed.size <= EXACT_RANKS:
        sign = _direction(alternative, signed.sum())
        p = _sided(_rank_tail(sign * signed), alternative, signed.sum())
        how = "exact"
    else:
        z = signed.sum() / math.sqrt(np.sum(signed * signed))
        p = correlation.pvalue(z, special.ndtr, alternative)
        how = "normal approximation without continuity correction"
    how += f", zero method {zero_method!r}"
    if np.isin(pairs.scores, (0, 1)).all():
        how += ", scores of 0 and 1: the same as McNemar's test"
    return pairs.result("wilcoxon", signed[signed > 0].sum(), p, alternative, level, how)


def sign_test(a, b, *, alternative="greater", level=0.95):
    """Sign test: on how many instances is A better, of those where the systems differ?

    Parameters
    ----------
    a, b, alternative, level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The statistic is the number of wins; effect and interval are those of `paired_t`.

    Raises
    ------
    InputError
        As `wilcoxon`.

    Notes
    -----
    Exact binomial test of wins against losses (Dixon and Mood 1946); valid for independent
    instances, whatever the law of the differences, for the null hypothesis that wins and losses are
    equally probable.

    Examples
    --------
    >>> sign_test([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    level = checks.level(level)
    pairs = _scored("sign_test", a, b)
    p = mcnemar_pvalues(pairs.wins, pairs.losses, alternative=alternative)
    return pairs.result("sign_test", pairs.wins, p, alternative, level, "exact, ties left out")


def paired_t(a, b, *, alternative="greater", level=0.95):
    """Student's t-test of the mean difference.

    Parameters
    ----------
    a, b, alternative, level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The statistic is t with n - 1 degrees of freedom.

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
    level = checks.level(level)
    pairs = _scored("paired_t", a, b, minimum=2)
    n, how = pairs.n, f"t with {pairs.n - 1} degrees of freedom"
    if not pairs.levels.any():
        return pairs.result("paired_t", 0.0, 1.0, alternative, level, how)
    if (pairs.levels == pairs.levels[0]).all():
        raise checks.InputError(
            f"A and B differ by {pairs.effect:.6g} on every instance, which leaves paired_t no "
            "variance to compare with; use sign_flip."
        )
    t = pairs.effect / pairs.standard_error
    p = correlation.pvalue(t, lambda value: special.stdtr(n - 1, value), alternative)
    return pairs.result("paired_t", t, p, alternative, level, how)


# --- McNemar -------------------------------------------------------------------------------------


def mcnemar(a, b, *, variant="exact", alternative="greater", level=0.95):
    """McNemar's test of two classifiers, as in the paper's Section 6.2 on sentiment.

    Parameters
    ----------
    a, b : array_like of bool or {0, 1}, shape (n,)
        Whether each system is right on each instance.
    variant : {"exact", "mid-p", "asymptotic", "corrected"}, default "exact"
        Exact conditional test, its mid-p version, the normal approximation, or that with a
        continuity correction of 1.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better".
    level : float, default 0.95
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
    It assumes independent instances. Given the number of discordant ones, wins are binomial with
    probability 1/2 under the null hypothesis, which "exact" never rejects more often than alpha,
    and "corrected" still less often. The others do; how often at most at .05, by enumeration for up
    to 200 instances, depends on the probability that an instance is discordant:

    ============  ===========  ================  ================  =================
    variant       alternative  at most one half  one, any n        one, n >= 50
    ============  ===========  ================  ================  =================
    mid-p         one-sided    .0502 (n = 67)    .0730 (n = 12)    .0632
    mid-p         two-sided    .0495 (n = 130)   .0768 (n = 16)    .0649
    asymptotic    one-sided    .0577 (n = 7)     .1250 (n = 3)     .0632
    asymptotic    two-sided    .0537 (n = 48)    .1250 (n = 4)     .0649
    ============  ===========  ================  ================  =================

    Fagerland, Lydersen and Laake (2013) recommend "mid-p". Without discordant instances p = 1.

    The interval is Bonett and Price's (2012): Wald's with one instance added to either kind of
    discordant ones, which Fagerland, Lydersen and Laake (2014, Statistics in Medicine 33,
    2850-2875) recommend.

    Examples
    --------
    >>> result = mcnemar([1, 1, 1, 1, 0, 1], [0, 0, 0, 1, 0, 0])
    >>> result.pvalue, result.wins, result.losses
    (0.0625, 4, 0)
    """
    checks.choice("variant", variant, VARIANTS)
    checks.alternative(alternative)
    a, b = checks.binary("mcnemar", a, b)
    return mcnemar_counts(
        np.count_nonzero(a > b),
        np.count_nonzero(a < b),
        a.size,
        variant=variant,
        alternative=alternative,
        level=level,
    )


def mcnemar_counts(wins, losses, n, *, variant="exact", alternative="greater", level=0.95):
    """McNemar's test from the numbers of discordant instances.

    Parameters
    ----------
    wins, losses : int
        Instances on which only A is right, and on which only B is.
    n : int
        Number of instances, at least wins + losses and at least 1.
    variant, alternative, level
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
    level = checks.level(level)
    p = mcnemar_pvalues(wins, losses, variant=variant, alternative=alternative)
    wins, losses, n = (
        _single_count(name, value) for name, value in (("wins", wins), ("losses", losses), ("n", n))
    )
    if n < max(1, wins + losses):
        raise checks.InputError(
            f"n is {n}, but {wins} wins and {losses} losses are of at least "
            f"{max(1, wins + losses)} instances; pass the number of all instances."
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
        _bonett_price(wins, losses, n, level),
        n,
        f"{variant}, interval of Bonett and Price",
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
    )


def mcnemar_pvalues(wins, losses, *, variant="exact", alternative="greater"):
    r"""McNemar's p-values, elementwise.

    Parameters
    ----------
    wins, losses : array_like of int
        Instances on which only A is right, and on which only B is; not negative.
    variant, alternative
        As for `mcnemar`.

    Returns
    -------
    ndarray or float
        p-values; 1 without discordant instances.

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
    wins, losses = checks.together(
        wins=checks.counts("wins", wins), losses=checks.counts("losses", losses)
    )
    tail = _MCNEMAR[variant]
    if alternative == "greater":
        p = tail(wins, losses)
    elif alternative == "less":
        p = tail(losses, wins)
    else:
        p = np.minimum(1.0, 2 * tail(np.maximum(wins, losses), np.minimum(wins, losses)))
        if variant == "mid-p":
            p = np.where(wins == losses, 1 - stats.binom.pmf(wins, wins + losses, 0.5) / 2, p)
    p = np.where(wins + losses == 0, 1.0, p)
    return p if p.ndim else float(p)


def _single_count(name, value):
    count = checks.counts(name, value)
    if count.ndim:
        raise checks.InputError(
            f"{name} has shape {count.shape}; pass one number, or arrays to mcnemar_pvalues."
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


def _bonett_price(wins, losses, n, level):
    """Interval for a difference of paired proportions (Bonett and Price 2012)."""
    only_a, only_b = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    centre = (wins - losses) / (n + 2)
    width = float(special.ndtri(0.5 + level / 2)) * math.sqrt(
        (only_a + only_b - centre**2) / (n + 2)
    )
    return ConfidenceInterval(max(-1.0, centre - width), min(1.0, centre + width), level)


# --- tests of correlations with gold ratings ------------------------------------------------------


def steiger(a, b, *, gold, kind="spearman", alternative="greater", level=0.95):
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
    level : float, default 0.95
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
    See `analysis.correlation` for what it assumes. It keeps its level for Pearson's correlation of
    normal ratings; for Spearman's it rejects a true null hypothesis at .05 about 6% of the time if
    both correlations are .6, and 7% if they are .8, at any n. `rating_bootstrap` assumes less.

    Examples
    --------
    >>> gold, a, b = [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5], [2, 1, 4, 6, 3, 5]
    >>> round(steiger(a, b, gold=gold).pvalue, 3)
    0.084
    """
    return _correlated("steiger", correlation.steiger1980, a, b, gold, kind, alternative, level)


def williams(a, b, *, gold, kind="spearman", alternative="greater", level=0.95):
    """Williams's t for two correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, kind, alternative, level
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
    return _correlated("williams", correlation.williams1959, a, b, gold, kind, alternative, level)


def meng(a, b, *, gold, kind="spearman", alternative="greater", level=0.95):
    """Meng, Rosenthal and Rubin's z for two correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, kind, alternative, level
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
    return _correlated("meng", correlation.meng1992, a, b, gold, kind, alternative, level)


def rating_bootstrap(
    a,
    b,
    *,
    gold,
    alternative="greater",
    n_resamples=N_RESAMPLES,
    size=None,
    rng=None,
    workers=1,
    level=0.95,
):
    r"""Paired bootstrap of the difference of two Spearman correlations with gold ratings.

    Parameters
    ----------
    a, b, gold, alternative, level
        As for `steiger`.
    n_resamples : int, default 100,000
        Number of resamples of the items.
    size, rng, workers
        As for `paired_bootstrap`.

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the correlations; the p-value (r + 1)/(B
        + 1) for r of B resamples with :math:`\delta^* \ge 2 \delta`; the interval Zou's.

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
    level = checks.level(level)
    count = N_RESAMPLES if n_resamples is None else checks.at_least("n_resamples", n_resamples)
    r = correlation.from_ratings(gold, a, b)
    effect = r.r_jk - r.r_jh
    first, second = (a, b) if _direction(alternative, effect) > 0 else (b, a)
    codes = scoring.rating_codes(gold, first, second)
    share = resampling.bootstrap_statistic(
        codes[np.lexsort(codes.T)],
        scoring.spearman_difference,
        n_resamples=count,
        size=size,
        rng=rng,
        workers=workers,
    )
    how = f"Monte Carlo with {count} resamples, spearman correlations {r.r_jk:.4f} and {r.r_jh:.4f}"
    return Result(
        "rating_bootstrap",
        effect,
        _sided(share.pvalue, alternative, effect),
        alternative,
        effect,
        _zou(r, level),
        r.n,
        how,
        share.standard_error,
    )


def _zou(r, level):
    return correlation.zou2007(r.r_jk, r.r_jh, r.r_kh, r.n, level=level)


def _correlated(test, function, a, b, gold, kind, alternative, level):
    checks.alternative(alternative)
    level = checks.level(level)
    r = correlation.from_ratings(gold, a, b, kind=kind)
    outcome = function(r.r_jk, r.r_jh, r.r_kh, r.n, alternative=alternative)
    how = (
        f"{kind} correlations {r.r_jk:.4f} and {r.r_jh:.4f}, {r.r_kh:.4f} with each other, "
        "interval of Zou"
    )
    return Result(
        test,
        outcome.statistic,
        outcome.pvalue,
        alternative,
        outcome.effect,
        _zou(r, level),
        r.n,
        how,
    )


TESTS = {
    "paired_bootstrap": paired_bootstrap,
    "sign_flip": sign_flip,
    "wilcoxon": wilcoxon,
    "sign_test": sign_test,
    "paired_t": paired_t,
    "mcnemar": mcnemar,
    "steiger": steiger,
    "williams": williams,
    "meng": meng,
    "rating_bootstrap": rating_bootstrap,
}
"""Name in a configuration -> test."""


# --- pairs of scores -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pairs:
    """Checked sums of both systems and what follows from them.

    Attributes
    ----------
    a, b : ndarray, shape (n, c)
        Sums of the metric for each instance.
    value : callable
        Totals of shape (..., c) to the metric of shape (...).
    common_denominator : bool
        Whether the columns are numerator and denominator, the latter equal for both systems.
    """

    a: np.ndarray
    b: np.ndarray
    value: Callable
    common_denominator: bool

    @property
    def n(self):
        return len(self.a)

    @functools.cached_property
    def total(self):
        """Sum of the first column's differences."""
        return _sum(self.a[:, 0] - self.b[:, 0])

    @functools.cached_property
    def effect(self):
        """Metric of A minus metric of B, from sums that are rounded once."""
        if self.common_denominator:
            return self.total / _sum(self.a[:, 1])
        totals = [np.array([_sum(column) for column in sums.T]) for sums in (self.a, self.b)]
        return float(self.value(totals[0]) - self.value(totals[1]))

    @functools.cached_property
    def standard_error(self):
        """Jackknife's standard error of the effect; infinite where it is undefined."""
        if self.n == 1:
            return math.inf
        with np.errstate(all="ignore"):
            moved = np.sort(self._leave_one_out())
        if not np.isfinite(moved).all():
            return math.inf
        moved = moved - _sum_either_way(moved) / self.n
        largest = float(np.abs(moved).max())
        if largest == 0:
            return 0.0
        return largest * math.sqrt((self.n - 1) / self.n * _sum_either_way((moved / largest) ** 2))

    def _leave_one_out(self):
        """Return how the effect moves when an instance is left out, up to a constant."""
        if self.common_denominator:
            d, w = self.a[:, 0] - self.b[:, 0], self.a[:, 1]
            return (self.effect * w - d) / (_sum(w) - w)
        totals = (sums.sum(axis=0) - sums for sums in (self.a, self.b))
        first, second = map(self.value, totals)
        return first - second

    @functools.cached_property
    def _gaps(self):
        """Differences of the instances, and where a level of their sizes begins.

        Sizes on one level agree up to rounding; those up to rounding of zero are on none.
        """
        if self.common_denominator:
            a, b = self.a[:, 0], self.b[:, 0]
        else:
            with np.errstate(all="ignore"):
                a, b = (np.nan_to_num(self.value(sums)) for sums in (self.a, self.b))
        sizes = np.sort(np.abs(a - b))
        rounding = 2.0**-48 * max(np.abs(a).max(), np.abs(b).max())
        return a - b, sizes[np.diff(sizes, prepend=0.0) > rounding]

    @functools.cached_property
    def levels(self):
        """Sizes of the differences as whole numbers, equal where they agree up to rounding."""
        difference, starts = self._gaps
        levels = np.searchsorted(starts, np.abs(difference), side="right")
        return np.where(difference < 0, -levels, levels)

    @functools.cached_property
    def wins(self):
        """Number of instances on which A is better."""
        difference, starts = self._gaps
        return int(np.count_nonzero(difference >= starts[0])) if starts.size else 0

    @functools.cached_property
    def losses(self):
        """Number of instances on which B is better."""
        difference, starts = self._gaps
        return int(np.count_nonzero(-difference >= starts[0])) if starts.size else 0

    @property
    def scores(self):
        return np.stack([self.a[:, 0], self.b[:, 0]])

    def differences(self, sign):
        """Return differences in a direction, up to a factor, and denominators, in any order."""
        a, b = ideal.in_common_units(self.scores)
        return sign * (a - b), self.a[:, 1]

    def sums(self, sign):
        """Return the sums of the system claimed better and of the other, in a fixed order."""
        first, second = (self.a, self.b) if sign > 0 else (self.b, self.a)
        order = np.lexsort((*second.T, *first.T))
        return first[order], second[order]

    def result(self, test, statistic, p, alternative, level, how, error=0.0):
        width = self.standard_error
        if math.isfinite(width):
            width *= float(special.stdtrit(self.n - 1, 0.5 + level / 2))
        return Result(
            test,
            float(statistic),
            float(p),
            alternative,
            self.effect,
            ConfidenceInterval(self.effect - width, self.effect + width, level),
            self.n,
            how,
            float(error),
            self.wins,
            self.n - self.wins - self.losses,
            self.losses,
        )


_RATIO = scoring.METRICS["mean"]


def _pairs(test, a, b, metric=None, *, minimum=1, axes=(1, 2)):
    """Check scores or sums and put them together."""
    a, b = checks.scores(test, a, b, minimum=minimum, axes=axes)
    if isinstance(metric, str):
        metric = scoring.metric(metric)
    if a.ndim == 1:
        if metric is not None:
            raise checks.InputError(
                f"Metric {metric.name!r} needs its sums for each instance, but the scores "
                f"have shape {a.shape}; pass the sums, or leave the metric out to compare means."
            )
        ones = np.ones(len(a))
        return _Pairs(np.column_stack([a, ones]), np.column_stack([b, ones]), _RATIO, True)
    if metric is not None:
        _check_columns(metric, a)
        if metric.common_denominator:
            checks.denominators(a, b, metric.name)
        return _Pairs(a, b, metric, metric.common_denominator)
    if a.shape[1] != 2:
        raise checks.InputError(
            f"The scores have {a.shape[1]} columns; pass the metric that these sums belong to, or "
            "two columns, numerators and denominators."
        )
    checks.denominators(a, b)
    return _Pairs(a, b, _RATIO, bool((a[:, 1] == b[:, 1]).all()))


def _check_columns(metric, sums):
    """Check that a metric can be computed from sums of so many columns."""
    if not isinstance(metric, scoring.Metric):
        raise checks.InputError(
            f"metric is {metric!r}; pass a scoring.Metric, or a name in scoring.METRICS."
        )
    fits = sums.shape[1] == 2 or not metric.common_denominator
    try:
        metric(sums.sum(axis=0))
    except IndexError:
        fits = False
    if not fits:
        raise checks.InputError(
            f"Metric {metric.name!r} is not computed from {sums.shape[1]} sums for each instance; "
            "pass those that analysis.scoring makes for it."
        )


def _scored(test, a, b, *, minimum=1):
    """Check one score for each instance."""
    return _pairs(test, a, b, minimum=minimum, axes=(1,))


def _sum(values):
    """Sum, rounded once, so that the order of the instances has no part in it."""
    if (values == np.rint(values)).all() and float(np.abs(values).max()) * len(values) < 2**53:
        return float(values.sum())
    return math.fsum(values.tolist())


def _sum_either_way(values):
    """Sum, the same to the last bit if the order of the values is turned round."""
    return float((values + values[::-1]).sum() / 2)


def _direction(alternative, effect):
    """Return 1 to test whether A is better, -1 to test whether B is."""
    if alternative == "two-sided":
        return 1 if effect >= 0 else -1
    return 1 if alternative == "greater" else -1


def _sided(p, alternative, effect):
    """Double a one-sided p-value where both directions count."""
    if alternative != "two-sided":
        return p
    return min(1.0, 2 * p) if effect else 1.0


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
