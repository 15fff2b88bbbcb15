r"""How often does a free choice of metric, covariate or sample size make a null result significant?

Søgaard, Johannsen, Plank, Hovy and Martínez Alonso (2014), Sections 3.3 to 3.5, draw two samples
from one normal distribution, test the difference of their means, and let the researcher choose:
another metric, a noisy copy of the metric, half of the instances, a smaller sample. A `Choice` is
such a family of tests. The statistics of two tests of one metric, on subsamples S and T, have the
correlation :math:`|S \cap T| / \sqrt{|S||T|}`; where one of them tests the copy, it is multiplied
by the correlation of metric and copy. Other metrics are independent.

Section 4 asks what share of the significant findings is true (`positive_predictive_value`,
Ioannidis 2005).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from replicability import audit, checks
from replicability.stats import multiple_testing, partial_conjunction

CHUNK_REPETITIONS = 1000
"""Repetitions drawn from one child of the seed: part of what a seed means, so never change it."""

WHOLE = ((0.0, 1.0),)
"""Subsamples of a choice that tests all instances and nothing else."""

HALVES = ((0.0, 0.5), (0.5, 1.0))
"""Subsamples that a covariate gives which splits the instances 50-50."""

WHOLE_OR_HALF = ((0.0, 1.0), (0.0, 0.5))
"""All instances, or the half that a covariate singles out."""


@dataclass(frozen=True)
class Choice:
    """Tests of one comparison among which a researcher is free to choose.

    Attributes
    ----------
    name : str
        What may be chosen.
    metrics : int, default 1
        Number of independent metrics.
    copy : float, optional
        Correlation of each metric with a noisy copy of it, in [0, 1), if that may be chosen, too.
    subsamples : sequence of (float, float)
        Where each subsample begins and ends, as shares of the instances in random order.
    effect : float, default 0
        Difference of the means of the first metric in standard deviations; other metrics have none.
    """

    name: str
    metrics: int = 1
    copy: float | None = None
    subsamples: tuple = WHOLE
    effect: float = 0.0

    def __post_init__(self):
        checks.at_least("The number of metrics of a choice", self.metrics)
        if self.copy is not None and not 0 <= self.copy < 1:
            raise checks.InputError(
                f"The correlation of a metric with its copy is {self.copy!r}; it lies in [0, 1)."
            )
        if not self.subsamples:
            raise checks.InputError(f"{self.name} has no subsample; pass at least one.")
        for start, stop in self.subsamples:
            if not 0 <= start < stop <= 1:
                raise checks.InputError(
                    f"A subsample begins at {start!r} and ends at {stop!r}; "
                    "shares of the instances satisfy 0 <= begin < end <= 1."
                )
        checks.finite("The effect of a choice", self.effect)

    @property
    def n_tests(self):
        """Number of tests, ordered by metric, then metric before copy, then subsample."""
        return self.metrics * (1 if self.copy is None else 2) * len(self.subsamples)

    @property
    def is_effect(self):
        """Whether the means differ, for each test (ndarray of bool, shape (n_tests,))."""
        return np.arange(self.n_tests) < (self.n_tests // self.metrics) * (self.effect != 0)

    @property
    def correlation(self):
        """Correlation of the test statistics of one metric (ndarray, shape (m, m))."""
        start, stop = np.transpose(self.subsamples)
        shared = np.minimum.outer(stop, stop) - np.maximum.outer(start, start)
        size = stop - start
        overlap = np.maximum(shared, 0) / np.sqrt(np.outer(size, size))
        rho = [] if self.copy is None else [self.copy]
        return np.kron(np.eye(1 + len(rho)) + sum(rho) * (1 - np.eye(1 + len(rho))), overlap)


def noise_correlation(noise):
    r"""Return the correlation of a metric with a copy that has normal noise added.

    Parameters
    ----------
    noise : float
        Standard deviation of the noise in standard deviations of the metric, above 0.

    Returns
    -------
    float
        :math:`1 / \sqrt{1 + noise^2}`.

    Raises
    ------
    InputError
        If the noise is not a finite number above 0.

    Examples
    --------
    >>> round(noise_correlation(0.1), 3)
    0.995
    """
    if not checks.finite("noise", noise) > 0:
        raise checks.InputError(f"noise is {noise!r}; it is a finite number above 0.")
    return (1 + noise**2) ** -0.5


def published_choices(noise=0.1, n_metrics=2, sizes=(0.25, 0.5, 0.75, 1.0)):
    """Return the choices of Søgaard et al. (2014), Sections 3.3 to 3.5.

    Parameters
    ----------
    noise : float, default 0.1
        Noise of the distorted copy, in standard deviations.
    n_metrics : int, default 2
        Number of independent metrics.
    sizes : sequence of float
        Sample sizes of Figure 2 as shares of the instances. The paper says that there are four.

    Returns
    -------
    list of Choice
        One metric, noisy copy, independent metrics, random split, both, sample size; the names are
        those of the published rates in ``data/published/sogaard2014/section3_toy_examples.csv``.

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    return [
        Choice("one metric"),
        Choice("metric or distorted copy", copy=noise_correlation(noise)),
        Choice("independent metrics", n_metrics),
        Choice("covariate", subsamples=HALVES),
        Choice("metric and covariate", n_metrics, subsamples=HALVES),
        Choice("sample sizes", subsamples=tuple((0.0, size) for size in sizes)),
    ]


def other_readings(noise=0.1, n_metrics=2):
    """Return other ways to read what the paper says about a copy and a split.

    Parameters
    ----------
    noise, n_metrics
        As for `published_choices`.

    Returns
    -------
    list of Choice
        Noise in a share of the values instead of noise with that standard deviation: a copy with
        correlation 1 - noise. A covariate that singles out a half which may be reported instead of
        the whole, with one metric and with several.

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    if not 0 < checks.finite("noise", noise) <= 1:
        raise checks.InputError(
            f"noise is {noise!r}; as a share of the values that are replaced it lies in (0, 1]."
        )
    return [
        Choice("metric or distorted copy (other noise)", copy=1 - noise),
        Choice("covariate (whole or half)", subsamples=WHOLE_OR_HALF),
        Choice("metric and covariate (whole or half)", n_metrics, subsamples=WHOLE_OR_HALF),
    ]


# --- p-values -------------------------------------------------------------------------------------


def two_sample_pvalues(a, b):
    """Test the equality of two means with Student's t-test for independent samples.

    Parameters
    ----------
    a, b : array_like, shapes (..., n) and (..., m)
        Samples of at least two values along the last axis.

    Returns
    -------
    ndarray of float64, shape (...)
        Two-sided p-values.

    Raises
    ------
    InputError
        If a sample has fewer than two values, or two samples have no variance or hold a NaN.

    Notes
    -----
    Valid for independent normal values with equal variances: then the p-value is uniform under the
    null hypothesis at every sample size. Without normality it is valid in large samples.

    Examples
    --------
    >>> round(float(two_sample_pvalues([1, 2, 3, 4], [3, 4, 5, 6])), 4)
    0.071
    """
    a, b = np.asarray(a, float), np.asarray(b, float)
    n, m = a.shape[-1], b.shape[-1]
    if min(n, m) < 2:
        raise checks.InputError(
            f"The samples have {n} and {m} values; a t-test needs at least two of each."
        )
    mean_a, mean_b = a.mean(axis=-1), b.mean(axis=-1)
    squares = _squares(a - mean_a[..., None]) + _squares(b - mean_b[..., None])
    if not np.all(squares > 0):
        raise checks.InputError(
            "Two samples have no variance or hold a NaN; a t-test needs numbers that differ."
        )
    error = np.sqrt(squares / (n + m - 2) * (1 / n + 1 / m))
    return 2 * special.stdtr(n + m - 2, -np.abs(mean_a - mean_b) / error)


def simulate(choice, n_instances, n_repetitions, seed):
    """Draw samples, and test them in every way that may be chosen.

    Parameters
    ----------
    choice : Choice
        The tests.
    n_instances : int
        Values in each of the two samples; every subsample must hold at least two of them.
    n_repetitions : int
        Number of pairs of samples, at least one.
    seed : int or numpy.random.SeedSequence
        Every `CHUNK_REPETITIONS` repetitions have a child of their own; the first repetitions are
        the same however many follow.

    Returns
    -------
    ndarray of float64, shape (n_repetitions, choice.n_tests)
        Two-sided p-values of t-tests; uniform where there is no effect.

    Raises
    ------
    InputError
        If a number is not valid or a subsample is too small.

    Examples
    --------
    >>> simulate(Choice("halves", subsamples=HALVES), 100, 1000, 2014).shape
    (1000, 2)
    """
    checks.at_least("n_repetitions", n_repetitions)
    checks.at_least("n_instances", n_instances, 2)
    parts = [slice(round(x * n_instances), round(y * n_instances)) for x, y in choice.subsamples]
    for part in parts:
        if part.stop - part.start < 2:
            raise checks.InputError(
                f"{choice.name}: a subsample of {n_instances} instances holds "
                f"{part.stop - part.start}; raise n_instances or the share."
            )
    n_chunks = -(-n_repetitions // CHUNK_REPETITIONS)
    given = isinstance(seed, np.random.SeedSequence)
    sequence = seed if given else np.random.SeedSequence(seed)
    children = [
        np.random.SeedSequence(sequence.entropy, spawn_key=(*sequence.spawn_key, number))
        for number in range(n_chunks)
    ]
    chunks = [_chunk(choice, parts, n_instances, np.random.default_rng(c)) for c in children]
    return np.concatenate(chunks)[:n_repetitions]


def _chunk(choice, parts, n_instances, rng):
    shape = (2, CHUNK_REPETITIONS, choice.metrics, n_instances)
    values = rng.standard_normal(shape)[:, :, :, None]
    if choice.copy is not None:
        noise = rng.standard_normal(shape)[:, :, :, None]
        copy = choice.copy * values + np.sqrt(1 - choice.copy**2) * noise
        values = np.concatenate([values, copy], axis=3)
    values[0, :, 0] += choice.effect
    found = [two_sample_pvalues(values[0, ..., part], values[1, ..., part]) for part in parts]
    return np.stack(found, axis=-1).reshape(CHUNK_REPETITIONS, -1)


def _squares(x):
    return np.einsum("...i,...i->...", x, x)


def copies(noise, n_instances, n_repetitions, seed):
    """Draw a metric and a distorted copy: how they correlate, and the smaller of their p-values.

    Parameters
    ----------
    noise : (float, float)
        Least and greatest noise of a copy, in standard deviations of the metric; the noise of each
        repetition is uniform between them.
    n_instances, n_repetitions
        As for `simulate`.
    seed : int or numpy.random.SeedSequence
        Source of random numbers.

    Returns
    -------
    DataFrame
        One row per repetition: ``correlation``, Pearson's between the values of both samples and
        their copies, and ``p_value``, the smaller one.

    Raises
    ------
    InputError
        If a number is not valid.
    """
    low, high = (checks.finite("noise", bound) for bound in noise)
    if not 0 <= low <= high:
        raise checks.InputError(
            f"noise goes from {low:g} to {high:g}; it satisfies 0 <= low <= high."
        )
    checks.at_least("n_instances", n_instances, 2)
    checks.at_least("n_repetitions", n_repetitions)
    rng = np.random.default_rng(seed)
    shape = (2, n_repetitions, n_instances)
    metric = rng.standard_normal(shape)
    scale = rng.uniform(low, high, n_repetitions)
    copy = metric + scale[:, None] * rng.standard_normal(shape)
    pvalues = [two_sample_pvalues(*values) for values in (metric, copy)]
    x, y = (np.concatenate(values, axis=-1) for values in (metric, copy))
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    covariance = np.einsum("...i,...i->...", x, y)
    return pd.DataFrame(
        {
            "correlation": covariance / np.sqrt(_squares(x) * _squares(y)),
            "p_value": np.minimum(*pvalues),
        }
    )


# --- probabilities --------------------------------------------------------------------------------


def any_significant(choice, level):
    r"""Return the probability that at least one test is significant although none should be.

    Parameters
    ----------
    choice : Choice
        Tests without effects.
    level : float
        Level of each test, in (0, 1); alpha / n_tests for :math:`\hat k > 0` by Bonferroni and for
        Holm's procedure to name a test.

    Returns
    -------
    float
        Exact, :math:`1 - (1 - level)^m`, for tests on disjoint subsamples of independent metrics
        (`is_exact`); otherwise the limit for large samples, from the multivariate normal
        distribution with an error below 1e-5.

    Raises
    ------
    InputError
        If the choice has an effect or the level is not in (0, 1).

    Examples
    --------
    >>> round(any_significant(Choice("two metrics", metrics=2), 0.05), 4)
    0.0975

    Four looks at growing data (Armitage, McPherson and Rowe 1969, Table 2: .126):

    >>> looks = tuple((0, share / 4) for share in (1, 2, 3, 4))
    >>> round(any_significant(Choice("four sizes", subsamples=looks), 0.05), 3)
    0.126
    """
    level = checks.alpha(level)
    if choice.effect:
        raise checks.InputError(
            f"{choice.name} has an effect of {choice.effect:g}; the probability is for true nulls."
        )
    if is_exact(choice):
        return audit.at_least_one(level, choice.n_tests)
    correlation = choice.correlation
    critical = np.full(len(correlation), -special.ndtri(level / 2))
    none = stats.multivariate_normal.cdf(
        critical,
        cov=correlation,
        lower_limit=-critical,
        allow_singular=True,
        abseps=1e-6,
        releps=1e-6,
        rng=np.random.default_rng(0),
    )
    return 1 - float(none) ** choice.metrics


def is_exact(choice):
    """Tell whether `any_significant` is exact at every sample size.

    Parameters
    ----------
    choice : Choice
        The tests.

    Returns
    -------
    bool
        Whether no two tests share a value.
    """
    correlation = choice.correlation
    return not (correlation - np.diag(np.diag(correlation))).any()


def rates(choices, alphas, n_instances, n_repetitions, n_repetitions_large, seed):
    """Tabulate how often each choice finds a difference where there is none.

    Parameters
    ----------
    choices : sequence of Choice
        Tests without effects.
    alphas : sequence of float
        Levels, in (0, 1).
    n_instances : int
        Values in each sample.
    n_repetitions, n_repetitions_large : int
        Number of repetitions as published, and so many that the simulation error does not matter.
    seed : int
        Entropy of the random numbers; each choice has a child of its own.

    Returns
    -------
    DataFrame
        One row per choice and level: ``choice``, ``alpha``, ``tests``; ``small`` and ``large``,
        shares of repetitions with some p <= alpha; ``small_error`` and ``large_error``, their
        standard errors; ``theory`` and ``exact``, as `any_significant` and `is_exact` give them;
        ``k_hat``, the share of the large simulation with k-hat Bonferroni above 0, and
        ``k_hat_theory``; ``holm``, the share in which Holm's procedure names a test.

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    rows = []
    for choice, child in zip(
        choices, np.random.SeedSequence(seed).spawn(len(choices)), strict=True
    ):
        pvalues = simulate(choice, n_instances, max(n_repetitions, n_repetitions_large), child)
        for alpha in alphas:
            some = pvalues.min(axis=1) <= checks.alpha(alpha)
            small, large = some[:n_repetitions], some[:n_repetitions_large]
            counted = partial_conjunction.k_hat(pvalues[:n_repetitions_large], alpha, "bonferroni")
            named = multiple_testing.identify(pvalues[:n_repetitions_large], alpha, "holm")
            rows.append(
                {
                    "choice": choice.name,
                    "alpha": alpha,
                    "tests": choice.n_tests,
                    "small": small.mean(),
                    "small_error": small.std() / np.sqrt(len(small)),
                    "large": large.mean(),
                    "large_error": large.std() / np.sqrt(len(large)),
                    "theory": any_significant(choice, alpha),
                    "exact": is_exact(choice),
                    "k_hat": (counted > 0).mean(),
                    "k_hat_theory": any_significant(choice, alpha / choice.n_tests),
                    "holm": named.any(axis=1).mean(),
                }
            )
    return pd.DataFrame(rows)


def with_published(rows, item):
    """Put the published rate beside each choice and level.

    Parameters
    ----------
    rows : DataFrame
        As `rates` returns it; another reading of a choice, "name (reading)", has the rate of its
        name.
    item : DataFrame of str
        Columns ``quantity``, such as "one metric: P(p < 0.05)", and ``printed``.

    Returns
    -------
    DataFrame
        `rows` with a column ``published`` of text, "" where nothing was printed.
    """
    names = rows["choice"].str.partition(" (")[0]
    quantities = names + ": P(p < " + rows["alpha"].map("{:g}".format) + ")"
    printed = item.set_index("quantity")["printed"]
    return rows.assign(published=quantities.map(printed).fillna(""))


def overstatement(choice, alpha, n_instances, n_repetitions, seed):
    """Simulate how often a family with a true difference is overstated, and what is found in it.

    Parameters
    ----------
    choice : Choice
        Tests, with or without an effect on the first metric.
    alpha : float
        Level, in (0, 1).
    n_instances, n_repetitions, seed
        As for `simulate`.

    Returns
    -------
    DataFrame
        One row per ``estimator``, "count" and "bonferroni": ``k``, the true number of tests with a
        difference; ``mean``, that of the estimate; ``above``, the share of repetitions with
        k-hat > k; ``error``, its standard error; ``false_name``, the share in which a test without
        a difference is named, by p <= alpha and by Holm's procedure.

    Raises
    ------
    InputError
        If an argument is not valid.

    Notes
    -----
    k-hat Bonferroni exceeds k, and Holm's procedure names a test without a difference, in at most
    a share alpha of all families, whatever the dependence between the tests.
    """
    pvalues = simulate(choice, n_instances, n_repetitions, seed)
    truth = choice.is_effect
    small = pvalues <= checks.alpha(alpha)
    estimates = {
        "count": (partial_conjunction.k_count(pvalues, alpha), small),
        "bonferroni": (
            partial_conjunction.k_hat(pvalues, alpha, "bonferroni"),
            multiple_testing.identify(pvalues, alpha, "holm"),
        ),
    }
    rows = []
    for name, (k, named) in estimates.items():
        above = k > truth.sum()
        rows.append(
            {
                "estimator": name,
                "k": int(truth.sum()),
                "mean": k.mean(),
                "above": above.mean(),
                "error": above.std() / np.sqrt(len(above)),
                "false_name": named[:, ~truth].any(axis=1).mean(),
            }
        )
    return pd.DataFrame(rows)


# --- how likely is a finding to be true? ----------------------------------------------------------


def positive_predictive_value(ratio, alpha, beta, bias=0.0):
    r"""Return the probability that a significant finding is true (Ioannidis 2005).

    Parameters
    ----------
    ratio : float
        R, true over null relations among those that are tested, above 0.
    alpha : float or array_like
        Probability of a false positive, in [0, 1]; arrays are allowed.
    beta : float
        Probability of a false negative, in (0, 1).
    bias : float, default 0
        u, share of the analyses that would find nothing and are reported as findings, in [0, 1).

    Returns
    -------
    float or ndarray
        :math:`c / (c + u + (1 - u)\alpha)` with :math:`c = (1 - \beta + u\beta)R`. Without bias,
        :math:`(1 - \beta)R / (R - \beta R + \alpha)`, equation 1 of Søgaard et al. (2014).

    Raises
    ------
    InputError
        If an argument is out of its range.

    Notes
    -----
    Valid if R, alpha, beta and u are the same in all studies and these are independent.

    Examples
    --------
    >>> float(positive_predictive_value(0.1, 0.05, 0.5))
    0.5
    """
    true = _true_positives(ratio, beta, bias)
    alpha = np.asarray(alpha, float)
    if not np.all((alpha >= 0) & (alpha <= 1)):
        raise checks.InputError(f"alpha is {alpha.tolist()!r}, but it lies between 0 and 1.")
    return true / (true + bias + (1 - bias) * alpha)


def cut_off(ratio, beta, target=0.95, bias=0.0):
    """Return the largest level at which findings are true with a given probability.

    Parameters
    ----------
    ratio, beta, bias
        As for `positive_predictive_value`.
    target : float, default 0.95
        Positive predictive value that is wanted, in (0, 1).

    Returns
    -------
    float
        The level, at most 1; NaN where no level reaches the target, because of the bias alone.

    Raises
    ------
    InputError
        If an argument is out of its range.

    Examples
    --------
    >>> round(cut_off(0.1, 0.5), 6)
    0.002632
    """
    true = _true_positives(ratio, beta, bias)
    target = checks.level(target)
    alpha = (true * (1 - target) / target - bias) / (1 - bias)
    return min(alpha, 1.0) if alpha > 0 else float("nan")


def share_of_positives(ratio, alpha, beta, bias=0.0):
    r"""Return the share of all tested relations that are reported as findings.

    Parameters
    ----------
    ratio, alpha, beta, bias
        As for `positive_predictive_value`.

    Returns
    -------
    float
        :math:`(c + u + (1 - u)\alpha) / (R + 1)`: the chance of a true relation is R / (R + 1).

    Raises
    ------
    InputError
        If an argument is out of its range.

    Examples
    --------
    >>> round(share_of_positives(0.1, 0.05, 0.5), 4)
    0.0909
    """
    true = _true_positives(ratio, beta, bias)
    return (true + bias + (1 - bias) * checks.alpha(alpha)) / (ratio + 1)


def section4(ratio, beta, alpha, alphas, target, biases):
    """Recompute the numbers of Section 4 for several degrees of bias.

    Parameters
    ----------
    ratio, beta
        As for `positive_predictive_value`.
    alpha : float
        Cut-off in use, in (0, 1), for the share of positive results.
    alphas : dict of str to float
        Quantity -> level at which the positive predictive value is wanted.
    target : float
        As for `cut_off`.
    biases : sequence of float
        Biases, each in [0, 1).

    Returns
    -------
    DataFrame
        One row per quantity, named as in ``data/published/sogaard2014/section4.csv``; one column
        per bias. NaN where no cut-off reaches the target.

    Raises
    ------
    InputError
        If an argument is out of its range.
    """
    return pd.DataFrame(
        {
            bias: {
                "positive results": share_of_positives(ratio, alpha, beta, bias),
                **{
                    quantity: float(positive_predictive_value(ratio, level, beta, bias))
                    for quantity, level in alphas.items()
                },
                "proposed cut-off": cut_off(ratio, beta, target, bias),
            }
            for bias in biases
        }
    )


def _true_positives(ratio, beta, bias):
    """Return the expected true findings per null relation."""
    if not checks.finite("ratio", ratio) > 0:
        raise checks.InputError(
            f"ratio is {ratio!r}, but a ratio of true over null relations is above 0."
        )
    if not 0 <= checks.finite("bias", bias) < 1:
        raise checks.InputError(f"bias is {bias!r}, but it is a share in [0, 1).")
    beta = checks.alpha(beta)
    return (1 - beta + bias * beta) * ratio
