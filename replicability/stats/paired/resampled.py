"""Paired bootstrap and sign-flip test."""

from dataclasses import replace

from replicability import checks
from replicability.stats import metrics, resampling
from replicability.stats.exact import CannotMeetBound, flip_tail, ideal_bootstrap
from replicability.stats.paired.entry import Test, floor_of_flips
from replicability.stats.paired.pairs import pairs_of
from replicability.stats.paired.result import N_RESAMPLES, direction, less_margin, sided


def paired_bootstrap(
    a,
    b,
    *,
    metric=None,
    margin=0.0,
    alternative="greater",
    n_resamples=None,
    size=None,
    rng=None,
    workers=1,
    confidence_level=0.95,
):
    r"""Paired bootstrap (Berg-Kirkpatrick, Burkett and Klein 2012), as in the paper's Section 6.2.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, c)
        Scores, whose mean is compared; or with `metric` its sums for each item; or, without,
        two columns of numerators and denominators, such as words right and words.
    metric : str or metrics.Metric, optional
        The metric that the sums belong to, or its name in `metrics.METRICS`.
    margin : float, default 0.0
        Difference of the metric, A minus B, that the null hypothesis allows: "greater" is "A is
        better by more than the margin", and with a negative one "A is not worse by as much".
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better".
    n_resamples : int, optional
        Number of resamples. Default: infinitely many, computed (the ideal bootstrap), if the metric
        is a mean or a ratio of sums whose denominators are equal for both systems; else, or if the
        exact way cannot meet its error bound, `N_RESAMPLES`. For a mean of scores with a common
        step it meets the bound where the sum has ten million values at most.
    size : int, optional
        Number m of items in a resample (the paper: 500); default n.
    rng : optional
        What `numpy.random.default_rng` takes; used where resamples are drawn.
    workers : int, default 1
        Number of processes that draw resamples; the result does not depend on it.
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the metric; the p-value the share of
        resamples with :math:`\delta^* \ge 2 \delta`, with (r + 1)/(B + 1) for r of B drawn ones;
        with a margin m those with :math:`\delta^* - m \ge 2 (\delta - m)`.

    Raises
    ------
    InputError
        If scores differ in length, are missing, infinite or fewer than 2, are not the sums that the
        metric is computed from, or an option is not valid.

    Notes
    -----
    It assumes that the items are independent draws from one population, and n large: the law
    of :math:`\delta^* - \delta` stands for that of :math:`\delta` under the null hypothesis. For
    small n it rejects a true one more often than alpha, and the more so the smaller alpha is: of
    normal differences at .05 about 8% of the time for n = 10 and 6% for n = 30, but at .05/20, the
    level of Holm's first step on 20 datasets, six times and twice as often as it should. From
    `replicability.core.recommendation.few_instances` on it is at most 1.1 times as often; below,
    use `sign_flip`. Its p can be 0 where A wins everywhere, for which `sign_flip` gives
    :math:`2^{-n}`. A resample smaller than the sample makes it conservative; a larger one,
    anti-conservative: with m = 2n, 12% of true null hypotheses are rejected at .05.

    A margin shifts the law of :math:`\delta^*`, which is asymptotically right for every metric.

    Scores with a common step are compared as whole numbers, whatever their offset and precision;
    where rounding hides which differences agree, the p-value is called an estimate.

    The comparison is :math:`\ge`: with >, ties would count as evidence and identical systems would
    get p = 0. The interval does not depend on the test (`difference`).

    Examples
    --------
    >>> a, b = [1] * 30 + [0] * 10 + [1] * 60, [0] * 30 + [1] * 10 + [1] * 60
    >>> result = paired_bootstrap(a, b)
    >>> f"{result.pvalue:.6f}", f"{result.effect:.2f}", result.wins, result.losses
    ('0.000524', '0.20', 30, 10)
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    pairs = pairs_of("paired_bootstrap", a, b, metric, minimum=2)
    draws = pairs.n if size is None else checks.at_least("size", size)

    scaled, steps = pairs.in_common_units(margin)

    def exact(sign):
        found = pairs.less(margin).differences
        options = {"size": draws, "margin": sign * steps, "noise": found.noise}
        return _doubted(ideal_bootstrap(*scaled.weighted(sign), **options), found)

    def sample(sign, count):
        return resampling.bootstrap(
            *scaled.sums(sign),
            pairs.value,
            n_resamples=count,
            size=draws,
            margin=sign * steps,
            rng=rng,
            workers=workers,
        )

    excess, of_size = pairs.excess(margin), _of_size(draws, pairs.n)
    outcome = _resampled(pairs, excess, alternative, n_resamples, exact, sample, of_size)
    return _result("paired_bootstrap", pairs, alternative, confidence_level, margin, outcome)


def sign_flip(
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
    r"""Sign-flip test, or approximate randomisation (Noreen 1989; Yeh 2000).

    Parameters
    ----------
    a, b, metric, margin, alternative, n_resamples, rng, workers, confidence_level
        As for `paired_bootstrap`.

    Returns
    -------
    Result
        The statistic is the difference :math:`\delta` of the metric; the p-value the share of the
        :math:`2^n` ways to swap A and B on some of the items with :math:`\delta^* \ge \delta`,
        with (r + 1)/(B + 1) for r of B drawn ones. With a margin the signs are flipped of the
        differences less the margin times the denominator.

    Raises
    ------
    InputError
        As `paired_bootstrap`; a single item is accepted.

    Notes
    -----
    It assumes that under the null hypothesis the outputs of A and B are exchangeable on each
    item, and is then valid for every n and every metric. With a margin it assumes that the
    differences less the margin are symmetric around zero, and is then valid for every n; else it is
    asymptotically right, as a test of their mean. Of a metric whose denominators differ between A
    and B, such as F1, the flipped differences are linearised by the jackknife, which is
    asymptotically right, too.

    Examples
    --------
    >>> sign_flip([3, 5, 4, 6], [1, 2, 4, 5]).pvalue
    0.125
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    pairs = pairs_of("sign_flip", a, b, metric)
    outcome = flipped(pairs, margin, alternative, n_resamples, rng, workers)
    return _result("sign_flip", pairs, alternative, confidence_level, margin, outcome)


def flipped(pairs, margin, alternative, n_resamples=None, rng=None, workers=1):
    """Return the p-value of `sign_flip`, its error, and how both were computed.

    `pairs` (pairs.Pairs): scores of both systems. `margin`, `alternative`, `n_resamples`, `rng`,
    `workers`: as for `sign_flip`.

    Returns (float, float, str).

    Raises `InputError`: as `sign_flip`.
    """
    moved = pairs.less(margin)

    def exact(sign):
        found = moved.differences
        return _doubted(flip_tail(sign * found.values, noise=found.noise), found)

    def sample(sign, count):
        scaled, _ = moved.in_common_units()
        return resampling.flip(
            *scaled.sums(sign), moved.value, n_resamples=count, rng=rng, workers=workers
        )

    spread = " of linearised differences" if margin and not pairs.common_denominator else ""
    return _resampled(moved, moved.excess(0), alternative, n_resamples, exact, sample, spread)


def _resampled(pairs, excess, alternative, n_resamples, exact, sample, drawn):
    """Compute the tail exactly where that is asked for and possible, and draw resamples else.

    Returns the p-value, its error, and how both were computed.
    """
    if n_resamples is not None:
        checks.at_least("n_resamples", n_resamples)
    sign = direction(alternative, excess)
    outcome = None
    if n_resamples is None and pairs.common_denominator:
        try:
            tail = exact(sign)
            outcome = tail.probability, tail.error, tail.how + drawn
        except CannotMeetBound:
            reason = "the exact method cannot meet its error bound"
    elif n_resamples is None:
        reason = "this metric has no exact method"
    else:
        reason = "as asked for"
    if outcome is None:
        count = N_RESAMPLES if n_resamples is None else n_resamples
        share = sample(sign, count)
        how = f"Monte Carlo with {count} resamples{drawn}, {reason}"
        outcome = share.pvalue, share.standard_error, how
    p, error, how = outcome
    if alternative == "two-sided":
        error = 2 * error if excess else 0.0
    return sided(p, alternative, excess), error, how


def _of_size(draws, n):
    """Say how large a resample is, if it is not as large as the sample."""
    larger = f" (anti-conservative: there are {n} items)" if draws > n else ""
    return f" of size {draws}{larger}" if draws != n else ""


def _doubted(tail, found):
    """Return a tail as an estimate if rounding leaves a doubt as to which differences agree."""
    return tail if found.resolved else replace(tail, proved=False)


def _result(test, pairs, alternative, confidence_level, margin, outcome):
    p, error, how = outcome
    how = less_margin(how, margin)
    return pairs.result(test, pairs.effect, p, alternative, confidence_level, how, error)


def _drawn(metric, n_resamples):
    """Return how many resamples are drawn of a metric; None if none are."""
    metric = metrics.metric(metric) if isinstance(metric, str) else metric
    is_exact = n_resamples is None and (metric is None or metric.common_denominator)
    return None if is_exact else n_resamples or N_RESAMPLES


def _bootstrap_floor(n_differing, *, metric=None, n_resamples=None, **options):
    """No resample need reach twice the difference."""
    drawn = _drawn(metric, n_resamples)
    return 0.0 if drawn is None else floor_of_flips(n_differing, n_resamples=drawn)


def _flip_floor(n_differing, *, metric=None, n_resamples=None, **options):
    """Only the data reach their own difference."""
    return floor_of_flips(n_differing, n_resamples=_drawn(metric, n_resamples))


TESTS = (
    Test(
        paired_bootstrap,
        title="the paired bootstrap test",
        takes="sums",
        metrics="any metric computed from sums, and means",
        pvalue="exact for means and ratios with equal denominators, else Monte Carlo",
        valid_under="the items are independent draws from one population, and numerous enough for "
        "the level (50 at .05, 244 at .05/20; more if differences are skewed)",
        use="the metric is computed from sums over the dataset, and there are many items",
        bootstrap=True,
        margin="asymptotic",
        margin_note="the resampled difference is shifted by the margin, which is valid for any "
        "metric with many items",
        floor=_bootstrap_floor,
    ),
    Test(
        sign_flip,
        title="the sign-flip test",
        takes="sums",
        metrics="any metric computed from sums, and means",
        pvalue="exact for means and ratios with equal denominators, else Monte Carlo",
        valid_under="both systems' outputs are exchangeable on each item under the null hypothesis",
        use="the systems' outputs are exchangeable under the null hypothesis: the test is then "
        "valid for any number of items",
        margin="exact",
        margin_note="if the differences minus the margin are symmetric around zero under the null "
        "hypothesis; otherwise, the test needs many items",
        floor=_flip_floor,
    ),
)
"""The tests of this module, for `registry.TESTS`."""
