"""How often a choice finds a difference where there is none: by simulation and in theory."""

import numpy as np
import pandas as pd
from scipy import special, stats

from replicability import checks, forensics
from replicability.stats import multiple_testing, partial_conjunction

CHUNK_REPETITIONS = 1000
"""Repetitions drawn from one child of the seed: part of what a seed means, so never change it."""


def two_sample_pvalues(a, b):
    """Test the equality of two means with Student's t-test for independent samples.

    `a`, `b`: samples of at least two values along the last axis.

    Returns ndarray of float64, shape (...). Two-sided p-values.

    Raises `InputError`: if a sample has fewer than two values, or two samples have no variance or
    hold a NaN.

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
            f"The samples have {n} and {m} values; a t-test needs at least two in each."
        )
    mean_a, mean_b = a.mean(axis=-1), b.mean(axis=-1)
    squares = _squares(a - mean_a[..., None]) + _squares(b - mean_b[..., None])
    if not np.all(squares > 0):
        raise checks.InputError(
            "Two samples have no variance or contain a NaN; a t-test needs numbers that differ."
        )
    error = np.sqrt(squares / (n + m - 2) * (1 / n + 1 / m))
    return 2 * special.stdtr(n + m - 2, -np.abs(mean_a - mean_b) / error)


def simulate(choice, n_instances, n_repetitions, seed):
    """Draw samples, and test them in every way that may be chosen.

    `choice` (Choice): the tests. `n_instances`: values in each of the two samples; every subsample
    must hold at least two of them. `n_repetitions`: number of pairs of samples, at least one.
    `seed` (int or numpy.random.SeedSequence): every `CHUNK_REPETITIONS` repetitions have a child of
    their own; the first repetitions are the same however many follow.

    Returns ndarray of float64, shape (n_repetitions, choice.n_tests). Two-sided p-values of
    t-tests; uniform where there is no effect.

    Raises `InputError`: if a number is not valid or a subsample is too small.

    Examples
    --------
    >>> from analysis.sogaard2014.many_metrics import HALVES, Choice
    >>> simulate(Choice("halves", subsamples=HALVES), 100, 1000, 2014).shape
    (1000, 2)
    """
    checks.at_least("n_repetitions", n_repetitions)
    checks.at_least("n_instances", n_instances, 2)
    parts = [slice(round(x * n_instances), round(y * n_instances)) for x, y in choice.subsamples]
    for part in parts:
        if part.stop - part.start < 2:
            raise checks.InputError(
                f"{choice.name}: with {n_instances} items, a subsample has only "
                f"{part.stop - part.start} of them; raise n_instances or the share."
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

    `noise` (float, float): least and greatest noise of a copy, in standard deviations of the
    metric; the noise of each repetition is uniform between them. `n_instances`, `n_repetitions`: as
    for `simulate`. `seed` (int or numpy.random.SeedSequence): source of random numbers.

    Returns DataFrame. One row per repetition: ``correlation``, Pearson's between the values of both
    samples and their copies, and ``p_value``, the smaller one.

    Raises `InputError`: if a number is not valid.
    """
    low, high = (checks.finite("noise", bound) for bound in noise)
    if not 0 <= low <= high:
        raise checks.InputError(
            f"noise goes from {low:g} to {high:g}; it must satisfy 0 <= low <= high."
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


def any_significant(choice, level):
    r"""Return the probability that at least one test is significant although none should be.

    `choice` (Choice): tests without effects. `level`: level of each test, in (0, 1); alpha /
    n_tests for :math:`\hat k > 0` by Bonferroni and for Holm's procedure to name a test.

    Returns float. Exact, :math:`1 - (1 - level)^m`, for tests on disjoint subsamples of independent
    metrics (`is_exact`); otherwise the limit for large samples, from the multivariate normal
    distribution with an error below 1e-5.

    Raises `InputError`: if the choice has an effect or the level is not in (0, 1).

    Examples
    --------
    >>> from analysis.sogaard2014.many_metrics import Choice
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
            f"{choice.name} has effect {choice.effect:g}, but the probability assumes true nulls; "
            "set the effect to 0."
        )
    if is_exact(choice):
        return forensics.at_least_one(level, choice.n_tests)
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

    Returns bool. Whether no two tests share a value.
    """
    correlation = choice.correlation
    return not (correlation - np.diag(np.diag(correlation))).any()


def rates(choices, alphas, n_instances, n_repetitions, n_repetitions_large, seed):
    """Tabulate how often each choice finds a difference where there is none.

    `choices` (sequence of Choice): tests without effects. `alphas` (sequence of float): levels, in
    (0, 1). `n_instances`: values in each sample. `n_repetitions`, `n_repetitions_large`: number of
    repetitions as published, and so many that the simulation error does not matter. `seed`: entropy
    of the random numbers; each choice has a child of its own.

    Returns DataFrame. One row per choice and level: ``choice``, ``alpha``, ``tests``; ``small`` and
    ``large``, shares of repetitions with some p <= alpha; ``small_error`` and ``large_error``,
    their standard errors; ``theory`` and ``exact``, as `any_significant` and `is_exact` give them;
    ``k_hat``, the share of the large simulation with k-hat Bonferroni above 0, and
    ``k_hat_theory``; ``holm``, the share in which Holm's procedure names a test.

    Raises `InputError`: if an argument is not valid.
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

    `rows`: as `rates` returns it; another reading of a choice, "name (reading)", has the rate of
    its name. `item`: columns ``quantity``, such as "one metric: P(p < 0.05)", and ``printed``.

    Returns DataFrame. `rows` with a column ``published`` of text, "" where nothing was printed.
    """
    names = rows["choice"].str.partition(" (")[0]
    quantities = names + ": P(p < " + rows["alpha"].map("{:g}".format) + ")"
    printed = item.set_index("quantity")["printed"]
    return rows.assign(published=quantities.map(printed).fillna(""))


def overstatement(choice, alpha, n_instances, n_repetitions, seed):
    """Simulate how often a family with a true difference is overstated, and what is found in it.

    `choice`: tests, with or without an effect on the first metric. `alpha`: level, in (0, 1).

    Returns DataFrame. One row per ``estimator``, "count" and "bonferroni": ``k``, the true number
    of tests with a difference; ``mean``, that of the estimate; ``above``, the share of repetitions
    with k-hat > k; ``error``, its standard error; ``false_name``, the share in which a test without
    a difference is named, by p <= alpha and by Holm's procedure.

    Raises `InputError`: if an argument is not valid.

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
