"""Tests of a mean over new items and new runs: every run of a system has scored every item."""

import math

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.entry import Test
from replicability.stats.paired.means import corrected_for_skew
from replicability.stats.paired.pairs import scored
from replicability.stats.paired.result import Result, direction, less_margin, sided

N_DRAWS = 9_999
"""Default number of resamples and flips."""

SMALLEST = 1e-150
"""Smallest p-value that is distinguished from 0."""

NO_SPREAD = 2.0**-40
"""Relative size below which a standard error is attributed to rounding."""

_AT_ONCE = 2**22
"""Numbers that are drawn at once."""


def crossed_t(a, b, *, paired_runs=False, margin=0.0, alternative="greater", confidence_level=0.95):
    r"""Test a mean over new items and new runs by t with Banerjee's critical value.

    Parameters
    ----------
    a, b : array_like, shapes (n, r) and (n, s)
        Score of each of n items in each run, at least two items and two runs of each system.
    paired_runs : bool, default False
        Whether the runs of both systems are the same in pairs, as raters are.
    margin, alternative, confidence_level
        As for `wilcoxon`.

    Returns
    -------
    Result
        The statistic is the difference less the margin, over the standard error. If no score
        varies over items or runs, the p-value is 1 and the interval infinite.

    Raises
    ------
    InputError
        As `wilcoxon`; if there are fewer than two items or runs of a system, or the systems have
        different items, or different runs though they are paired.

    Notes
    -----
    The difference of the means varies with the items, the runs of A and the runs of B. Each has a
    variance estimate :math:`V_k` with :math:`f_k` degrees of freedom: of the items' mean
    differences, and of the runs' means. The test rejects where :math:`D^2 \ge \sum_k V_k
    t_k^2`, with the quantiles of Student's t with :math:`f_k` degrees of freedom (Banerjee 1960).

    It keeps its level for any variances and any numbers of runs if items, runs and noise are
    normal, since the normal distribution function of a root is concave. For skewed items the
    p-value is at least that of Hall's skewness-corrected t of the items' mean differences, as in
    `mean_difference`; the interval has no such correction. Noise of single scores
    counts both as items' and as runs', so the test is conservative where it dominates. Clark's
    (1973) quasi-F has the same standard error with Satterthwaite's degrees of freedom; it rejected
    up to 8% at level 5% with two runs. Sizes and powers are in `data/simulations/crossed.csv`.

    References
    ----------
    Banerjee (1960), Sankhya 22, 351-358.
    Clark (1973), Journal of Verbal Learning and Verbal Behavior 12, 335-359.

    Examples
    --------
    >>> a, b = [[3, 5], [4, 6], [2, 5], [3, 6]], [[1, 2], [2, 2], [0, 2], [2, 1]]
    >>> round(crossed_t(a, b).pvalue, 3)
    0.138
    """
    checks.alternative(alternative)
    confidence_level = checks.confidence_level(confidence_level)
    margin = checks.finite("margin", margin)
    cells = Cells(a, b, paired_runs)
    excess, (variances, degrees) = cells.effect - margin, cells.variances
    error = math.sqrt(sum(variances))
    how = f"t over {cells.counted}"
    if error <= NO_SPREAD * cells.largest:
        how, error, one, t = f"{how}; p = 1 because no score varies", math.inf, 1.0, 0.0
        width = math.inf
    else:
        t = excess / error
        one = banerjee(abs(excess), variances, degrees)
        one = one if t * direction(alternative, excess) >= 0 else 1 - one
        ahead = {1: "greater", -1: "less"}[direction(alternative, excess)]
        means = _mean(cells.a, 1), _mean(cells.b, 1)
        one = max(one, corrected_for_skew(*means, ahead, margin=margin))
        one = sided(one, alternative, excess)
        quantiles = special.stdtrit(degrees, 0.5 + confidence_level / 2)
        width = math.sqrt(sum(variances * quantiles**2))
    return cells.result("crossed_t", t, one, alternative, width, confidence_level, how, margin)


def two_way_bootstrap(
    a,
    b,
    *,
    paired_runs=False,
    margin=0.0,
    alternative="greater",
    n_resamples=N_DRAWS,
    rng=None,
    confidence_level=0.95,
):
    r"""Bootstrap items and runs, each with replacement.

    Parameters
    ----------
    a, b, paired_runs, margin, alternative, confidence_level
        As for `crossed_t`.
    n_resamples : int, default 9999
        Number of resamples.
    rng : optional
        What `numpy.random.default_rng` takes.

    Returns
    -------
    Result
        The statistic is the difference; the p-value is (k + 1)/(B + 1) for k of B resamples whose
        difference exceeds the observed one by as much as that exceeds the margin.

    Raises
    ------
    InputError
        As `crossed_t`.

    Notes
    -----
    It is biased, and no bootstrap of crossed data is free of bias (McCullagh 2000). Resampled runs
    show (r - 1)/r of their variance: half with two runs, two thirds with three. Noise of single
    scores counts about three times (Owen 2007). It is too liberal with few runs that differ, and
    too conservative where noise dominates. Use `crossed_t` for a claim.

    References
    ----------
    McCullagh (2000), Bernoulli 6(2), 285-301.
    Owen (2007), Annals of Applied Statistics 1(2), 386-411.

    Examples
    --------
    >>> a, b = [[3, 5], [4, 6], [2, 5], [3, 6]], [[1, 2], [2, 2], [0, 2], [2, 1]]
    >>> two_way_bootstrap(a, b, n_resamples=999, rng=1).pvalue
    0.001
    """
    cells = _checked(a, b, paired_runs, alternative, n_resamples)

    def draw(rng, count):
        return cells.resampled(rng, count) - cells.effect

    return _drawn("two_way_bootstrap", cells, draw, locals())


def hierarchical_flip(
    a,
    b,
    *,
    paired_runs=False,
    margin=0.0,
    alternative="greater",
    n_resamples=N_DRAWS,
    rng=None,
    confidence_level=0.95,
):
    r"""Flip the signs of items, and permute the runs between the systems.

    Parameters
    ----------
    a, b, paired_runs, margin, alternative, n_resamples, rng, confidence_level
        As for `two_way_bootstrap`.

    Returns
    -------
    Result
        The statistic is the difference; the p-value is (k + 1)/(B + 1) for k of B flips that reach
        the observed difference.

    Raises
    ------
    InputError
        As `crossed_t`.

    Notes
    -----
    Each draw adds two differences: the mean over items with random signs, and the difference of
    the runs' means after runs were permuted between the systems (after random signs, if runs are
    paired). It needs no normal distribution, but symmetric item differences: with skewed items it
    rejected in up to 10% of simulated studies instead of 5%. Each part has at least the variance
    that the difference owes to it, so it is conservative otherwise, most with few runs.

    Examples
    --------
    >>> a, b = [[3, 5], [4, 6], [2, 5], [3, 6]], [[1, 2], [2, 2], [0, 2], [2, 1]]
    >>> round(hierarchical_flip(a, b, rng=1).pvalue, 2)
    0.16
    """
    cells = _checked(a, b, paired_runs, alternative, n_resamples)
    less = checks.finite("margin", margin)

    def draw(rng, count):
        return cells.flipped(rng, count, less)

    return _drawn("hierarchical_flip", cells, draw, locals())


class Cells:
    """Checked scores of both systems, of each item in each run.

    Attributes
    ----------
    a, b : ndarray of float64, shapes (n, r) and (n, s)
        In an order that does not depend on that of the input.
    paired : bool
        Whether the runs are the same in pairs.
    """

    def __init__(self, a, b, paired):
        a, b = _matrix("A", a), _matrix("B", b)
        if len(a) != len(b) or (paired and a.shape != b.shape):
            what = "items" if len(a) != len(b) else "runs"
            n, m = (len(a), len(b)) if what == "items" else (a.shape[1], b.shape[1])
            raise checks.InputError(
                f"A has {n:,} {what} and B has {m:,}, but both systems must have the same {what}; "
                f"pass the scores of both systems for the same {what}."
            )
        self.paired = bool(paired)
        order = np.lexsort(np.sort(np.hstack([a, b]), axis=1).T)
        self.a, self.b = a[order], b[order]

    @property
    def largest(self):
        """Largest absolute score."""
        return float(max(np.abs(self.a).max(), np.abs(self.b).max()))

    @property
    def means(self):
        """Mean of A and of B."""
        return tuple(float(_mean(_mean(side, 1), 0)) for side in (self.a, self.b))

    @property
    def effect(self):
        """Mean of A less that of B."""
        return self.means[0] - self.means[1]

    @property
    def items(self):
        """Mean difference of each item, shape (n,)."""
        return _mean(self.a, 1) - _mean(self.b, 1)

    @property
    def runs(self):
        """Means of the runs of A and B; if they are paired, only their differences."""
        a, b = _mean(self.a, 0), _mean(self.b, 0)
        return (a - b,) if self.paired else (a, b)

    @property
    def variances(self):
        """Variance of the effect by items and by the runs of each system, and degrees of freedom.

        Each is an ndarray of float64; noise of single scores counts in each.
        """
        parts = [(_variance(part) / len(part), len(part) - 1.0) for part in self.runs]
        items = _variance(self.items) / len(self.a), len(self.a) - 1.0
        found = np.array([items, *sorted(parts)])  # the same if the systems are swapped
        return found[:, 0], found[:, 1]

    @property
    def rest(self):
        """Variance of the effect by noise of single scores, and its degrees of freedom."""
        sides = (self.a - self.b,) if self.paired else (self.a, self.b)
        found, below = 0.0, 0.0
        for side in sides:
            n, r = side.shape
            left = side - _mean(side, 1)[:, None] - _mean(side, 0) + _mean(_mean(side, 1), 0)
            f = (n - 1) * (r - 1)
            part = float(np.sort((left**2).ravel()).sum()) / f / (n * r)
            found, below = found + part, below + part**2 / f
        return found, found**2 / below if below else (n - 1) * (r - 1)

    @property
    def counted(self):
        """Items and runs in words."""
        r, s = self.a.shape[1], self.b.shape[1]
        return f"{len(self.a):,} items and {r if self.paired else f'{r} and {s}'} runs"

    def resampled(self, rng, count):
        """Return the differences of resamples of items and runs."""
        sides = (self.a - self.b,) if self.paired else (self.a, self.b)
        items = _weights(rng, count, len(self.a))
        found = 0.0
        for sign, side in zip((1, -1), sides, strict=False):
            runs = _weights(rng, count, side.shape[1])
            found = found + sign * ((items @ side) * runs).sum(axis=1)
        return found

    def flipped(self, rng, count, margin):
        """Return sums of the mean item difference with random signs and that of permuted runs."""
        n = len(self.a)
        items = rng.choice([-1.0, 1.0], (count, n)) @ (self.items - margin) / n
        if self.paired:
            (runs,) = self.runs
            return items + rng.choice([-1.0, 1.0], (count, len(runs))) @ (runs - margin) / len(runs)
        first, second = self.runs
        together = np.concatenate([first - margin, second])
        moved = rng.permuted(np.tile(together, (count, 1)), axis=1)
        r = len(first)
        return items + moved[:, :r].mean(axis=1) - moved[:, r:].mean(axis=1)

    def result(self, test, statistic, p, alternative, width, level, how, margin=0.0):
        """Return the outcome of a test, with an interval of so much on both sides."""
        pairs = scored(test, _mean(self.a, 1), _mean(self.b, 1))
        return Result(
            test,
            float(statistic),
            float(p),
            alternative,
            self.effect,
            ConfidenceInterval(self.effect - width, self.effect + width, level),
            len(self.a),
            less_margin(how, margin),
            0.0,
            pairs.wins,
            pairs.n - pairs.wins - pairs.losses,
            pairs.losses,
            self.means,
        )


def standard_error(a, b, paired_runs=False):
    """Return the standard error of a mean difference over new items and new runs.

    Parameters
    ----------
    a, b, paired_runs
        As for `crossed_t`.

    Returns
    -------
    float
        Root of the sum of the variances by items and by runs.

    Raises
    ------
    InputError
        As `crossed_t`.

    Examples
    --------
    >>> round(standard_error([[3, 5], [4, 6]], [[1, 2], [2, 2]]) ** 2, 3)
    1.125
    """
    return math.sqrt(sum(Cells(a, b, paired_runs).variances[0]))


def _checked(a, b, paired_runs, alternative, n_resamples):
    """Check what is drawn from."""
    checks.alternative(alternative)
    checks.resamples(n_resamples)
    return Cells(a, b, paired_runs)


def _drawn(test, cells, draw, asked):
    """Return the outcome of a test by draws of the null distribution of the difference."""
    level, rng = checks.confidence_level(asked["confidence_level"]), asked["rng"]
    margin, alternative = checks.finite("margin", asked["margin"]), asked["alternative"]
    excess, count, rng = cells.effect - margin, asked["n_resamples"], np.random.default_rng(rng)
    step = max(1, _AT_ONCE // (len(cells.a) + 1))
    sign = direction(alternative, excess)
    reached, tolerance = 0, 1e-12 * max(cells.largest, abs(margin))
    for start in range(0, count, step):
        found = draw(rng, min(step, count - start))
        reached += int(np.count_nonzero(found * sign >= sign * excess - tolerance))
    p = sided((reached + 1) / (count + 1), alternative, excess)
    variances, degrees = cells.variances
    width = math.sqrt(sum(variances * special.stdtrit(degrees, 0.5 + level / 2) ** 2))
    how = f"{count:,} resamples of {cells.counted}, with the interval of crossed t"
    width = width if width > NO_SPREAD * cells.largest else math.inf
    return cells.result(test, cells.effect, p, alternative, width, level, how, margin)


def banerjee(excess, variances, degrees):
    """Return the one-sided p-value whose critical value is the excess, at most 1/2.

    `excess`: the estimate less what it is compared with, at least 0. `variances`, `degrees`
    (ndarray of float64): variances of independent parts of the estimate, and their degrees of
    freedom.

    Returns float. From `SMALLEST` to 1/2 (Banerjee 1960).
    """
    shares, log_t2 = variances / sum(variances), math.log(excess**2 / sum(variances) or 1e-300)

    def beyond(log_p):
        squared = sum(shares * special.stdtrit(degrees, math.exp(log_p)) ** 2)
        return (math.log(squared) if squared else -math.inf) - log_t2

    low, high = math.log(SMALLEST), math.log(0.5 * (1 - 2.0**-40))
    if beyond(low) <= 0:
        return SMALLEST
    if beyond(high) >= 0:
        return 0.5
    from scipy import optimize  # a tenth of a second that no other test needs

    return math.exp(optimize.brentq(beyond, low, high, xtol=1e-14, rtol=1e-14))


def _matrix(who, scores):
    """Check the scores of the items in the runs of a system."""
    array = arguments.numbers(f"scores of {who}", scores)
    if array.ndim != 2 or min(array.shape) < 2:
        shape = " x ".join(map(str, array.shape))
        raise checks.InputError(
            f"The scores of system {who} have the shape {shape} (items x runs); a claim about "
            "new items and new runs needs at least two of each; add runs, or make a claim "
            "about these runs."
        )
    return array


def _mean(values, axis):
    """Average, the same in any order, and the opposite of that of the opposite values."""
    ordered = np.sort(values, axis=axis)
    return (ordered + np.flip(ordered, axis)).sum(axis=axis) / 2 / values.shape[axis]


def _variance(values):
    """Return the variance, the same in any order."""
    squares = np.sort((values - _mean(values, 0)) ** 2)
    return float(squares.sum() / (len(values) - 1))


def _weights(rng, count, n):
    """Draw the shares of n things in resamples of them, shape (count, n)."""
    return rng.multinomial(n, np.full(n, 1 / n), size=count) / n


_VALID = "every item was scored in every run, that runs were drawn independently"

TESTS = (
    Test(
        crossed_t,
        title="the crossed t-test with Banerjee's critical value",
        takes="runs",
        metrics="a score of each item in each run",
        pvalue="valid if all variance components are normal, else approximate",
        valid_under=f"{_VALID}, and that runs are many or their scores are roughly symmetric",
        use="the claim covers new items and new runs",
        margin="asymptotic",
        margin_note="the assumptions are the same as without a margin",
    ),
    Test(
        two_way_bootstrap,
        title="the two-way bootstrap",
        takes="runs",
        metrics="a score of each item in each run",
        pvalue="Monte Carlo",
        valid_under=f"{_VALID}, and that there are many items and many runs: with few runs, it is "
        "anti-conservative",
        use="instead of crossed_t, to compare with other work",
        bootstrap=True,
        margin="asymptotic",
        margin_note="the assumptions are the same as without a margin",
    ),
    Test(
        hierarchical_flip,
        title="the hierarchical sign-flip test",
        takes="runs",
        metrics="a score of each item in each run",
        pvalue="Monte Carlo",
        valid_under=f"{_VALID}, and that item differences are symmetric",
        use="instead of crossed_t if scores have heavy tails",
        margin="asymptotic",
        margin_note="the assumptions are the same as without a margin",
    ),
)
"""The tests of this module, for `registry.TESTS`."""
