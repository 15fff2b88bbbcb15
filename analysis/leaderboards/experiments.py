"""Leaderboards of repeated experiments: what tests of ten scores show, and what repeats give.

An experiment of MTEB trains a classifier on a new small sample and scores the whole test part.
"""

import functools
import itertools
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import special, stats

from replicability.show.style import COLOURS, STYLE
from replicability.stats import paired, partial_conjunction, two_samples

READINGS = (
    "Lower bounds on the number of datasets on which each model of a pair is better, by test "
    "(Bonferroni, both directions at joint level α = {alpha:g}). Also the smallest p-value that "
    "each test can give. Naming a dataset requires p ≤ {needed:.2g}, or p ≤ {jointly:.2g} if all "
    "pairs are tested."
)
NUMBERS = (
    "Lower bounds on the number of datasets on which {a} is better than {b}, by test and number "
    "of experiments per model (the first ones listed in the source). Both directions are "
    "tested at joint level α = {alpha:g}."
)
NOISE = (
    "Lead of the first model of each pair (points): its mean, its standard deviations between "
    "datasets and between experiments on one dataset, and the standard error of the mean lead on "
    "one dataset."
)
SPREAD = (
    "Number of pairs of models that differ on at least one dataset, and of pairs in which each "
    "model is better on at least one. All claims are simultaneous for all pairs at α = {alpha:g}. "
    "“Times the level” is the factor by which a test can exceed its level if scores are normal and "
    "vary more for one model."
)
WELCH, PERMUTATION, FLIPS = "Welch's t", "permutation of all experiments", "sign flips of pairs"
RANKS = "signed ranks of pairs (Wilcoxon)"


def accuracies(result):
    """Return the accuracies of both models: ndarray, shape (2, datasets, experiments)."""
    comparison = result.comparison
    (file,) = comparison.paths
    table = pd.read_parquet(file)
    datasets = table[comparison.columns["dataset"]].nunique()
    return table[[*comparison.systems]].to_numpy().T.reshape(2, datasets, -1)


@functools.cache
def _halves(n):
    """List all ways to choose n of 2n experiments; ndarray of float64, shape (ways, 2n)."""
    chosen = np.array([*itertools.combinations(range(2 * n), n)])
    inside = np.zeros((len(chosen), 2 * n))
    np.put_along_axis(inside, chosen, 1.0, axis=1)
    return inside


def permutation(a, b):
    """Test whether the mean of A is higher by all ways to assign the experiments to the models.

    `a`, `b`: n scores of each model. With as many of each, the order by Welch's t is that by the
    sum of A.

    Returns float. The share of the ways in which that sum is as large.
    """
    sums = _halves(len(a)) @ np.concatenate([a, b])
    return float((sums >= sums[0] - 1e-9).mean())


def welch(a, b):
    """Return the one-sided p-value of Welch's t; 1 if no score varies."""
    if not (np.ptp(a) or np.ptp(b)):
        return 1.0
    moments = [part for own in (a, b) for part in (own.mean(), own.std(ddof=1), len(own))]
    found = stats.ttest_ind_from_stats(*moments, equal_var=False, alternative="greater")
    return float(found.pvalue)


def floor(test, n):
    """Return the smallest p-value of a test of n experiments of each model; 0 if there is none."""
    return {PERMUTATION: 1 / math.comb(2 * n, n), FLIPS: 0.5**n, RANKS: 0.5**n}.get(test, 0.0)


def enough(test, needed):
    """Return the least number of experiments with which a p-value can be as small as needed."""
    return next(n for n in itertools.count(2) if floor(test, n) <= needed)


TESTS = {
    WELCH: welch,
    PERMUTATION: permutation,
    "Student's t of pairs": lambda a, b: paired.run("paired_t", a, b).pvalue,
    FLIPS: lambda a, b: paired.run("sign_flip", a, b).pvalue,
    RANKS: lambda a, b: paired.run("wilcoxon", a, b).pvalue,
}
"""Test -> its one-sided p-value; a pair has the same number of the experiment."""


def better_on(scores, test, alpha):
    """Count the datasets on which each of two models is better.

    `scores`: as `accuracies`. `test`: one of `TESTS`. `alpha`: level of both directions.

    Returns tuple of int. k-hat by Bonferroni of the first and of the second model.
    """
    a, b = scores
    found = [[TESTS[test](x, y) for x, y in zip(*ends, strict=True)] for ends in ((a, b), (b, a))]
    return tuple(int(partial_conjunction.k_hat(np.array(p), alpha / 2)) for p in found)


def readings(results, alpha):
    """Count by each test, for each comparison, with the smallest p-value that a test can have.

    Returns DataFrame. ``comparison``, ``test``, ``smallest p-value``, ``first better on`` and
    ``second better on``.
    """
    rows = []
    for result in results:
        scores = accuracies(result)
        for test in TESTS:
            first, second = better_on(scores, test, alpha)
            least = floor(test, scores.shape[-1])
            rows.append(
                {
                    "comparison": result.comparison.title,
                    "test": test,
                    "smallest p-value": f"{least:.1g}" if least else "none",
                    "first better on": first,
                    "second better on": second,
                }
            )
    return pd.DataFrame(rows)


def by_number(result, alpha):
    """Count the datasets on which A is better, by the number of experiments.

    Returns DataFrame. ``experiments`` and a column for each of three tests.
    """
    scores = accuracies(result)
    numbers = range(2, scores.shape[-1] + 1)
    return pd.DataFrame(
        {
            "experiments": numbers,
            **{
                test: [better_on(scores[..., :n], test, alpha)[0] for n in numbers]
                for test in (WELCH, PERMUTATION, FLIPS)
            },
        }
    )


def noise(results):
    """Part the lead of A into datasets and experiments.

    Returns DataFrame. ``comparison``, ``mean``, ``between datasets``, ``between experiments`` and
    ``standard error``, in points. Experiments of the two models are not taken as pairs.
    """
    rows = []
    for result in results:
        scores = 100 * accuracies(result)
        n = scores.shape[-1]
        leads, within = np.subtract(*scores.mean(axis=-1)), scores.var(axis=-1, ddof=1).sum(axis=0)
        between = leads.var(ddof=1) - within.mean() / n
        rows.append(
            {
                "comparison": result.comparison.title,
                "mean": leads.mean(),
                "between datasets": math.sqrt(max(between, 0.0)),
                "between experiments": math.sqrt(within.mean()),
                "standard error": math.sqrt(within.mean() / n),
            }
        )
    return pd.DataFrame(rows).round(2)


def go_together(table):
    """Correlate the experiments of different models on each dataset.

    `table`: the outcomes, a row for each dataset and experiment.

    Returns Series. The mean correlation over pairs of models, by dataset. It is near zero if the
    experiments with one number have nothing in common.
    """
    found = {}
    for name, own in table.drop(columns="experiment").groupby("dataset"):
        scores = own.drop(columns="dataset").to_numpy()
        scores = scores[:, np.ptp(scores, axis=0) > 0]
        correlations = np.corrcoef(scores.T)
        found[name] = correlations[np.triu_indices(len(correlations), 1)].mean()
    return pd.Series(found)


def spread(result, alpha):
    """Count the pairs that differ by Welch's t, and by the same t with fewer degrees of freedom.

    For normal scores the t of n experiments of each model keeps its level with n - 1 degrees of
    freedom, whatever the standard deviations (Mickey and Brown 1966).

    `result`: a comparison of two of the models. `alpha`: level of all pairs and both directions.

    Returns DataFrame. ``test``, how many ``times the level`` its size can be at most, ``pairs that
    differ`` on some dataset, and ``each is better`` on some dataset.
    """
    (file,) = result.comparison.paths
    table = pd.read_parquet(file).set_index(["dataset", "experiment"])
    n, models = table.index.get_level_values("experiment").nunique(), table.shape[1]
    scores = table.to_numpy().T.reshape(models, -1, n)
    mean, square = scores.mean(axis=2), scores.var(axis=2, ddof=1) / n
    error = square[:, None] + square
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean[:, None] - mean) / np.sqrt(error)
        degrees = (n - 1) * error**2 / (square[:, None] ** 2 + square**2)
    level, left = alpha / (models * (models - 1)), np.arange(len(mean[0]), 0, -1)
    rows = []
    for test, of, most in (
        (WELCH, degrees, two_samples.inflation(n, n, level / left[0])),
        (f"t with {n - 1} degrees of freedom", n - 1.0, 1.0),
    ):
        p = np.sort(np.nan_to_num(special.stdtr(of, -t), nan=1.0), axis=2)
        better = np.triu((p * left <= level)[..., 0], 1), np.tril((p * left <= level)[..., 0], -1).T
        rows.append(
            {
                "test": test,
                "times the level": round(most, 1),
                "pairs that differ": int((better[0] | better[1]).sum()),
                "each is better": int((better[0] & better[1]).sum()),
            }
        )
    return pd.DataFrame(rows)


def unlike(table, times=3):
    """Return the share of pairs and datasets on which standard deviations differ by a factor.

    `table`: the outcomes, a row for each dataset and experiment. `times`: the factor.

    Returns float.
    """
    deviations = table.drop(columns="experiment").groupby("dataset").std().to_numpy()
    first, second = np.triu_indices(deviations.shape[1], 1)
    smaller, larger = np.sort([deviations[:, first], deviations[:, second]], axis=0)
    return float((larger > times * smaller).mean())


def draw(table, title, needed, n_datasets):
    """Draw k-hat by the number of experiments, a line for each test.

    `table`: as `by_number`. `title`: what the figure shows. `needed`: p-value that naming a dataset
    needs. `n_datasets`: their number.

    Returns matplotlib.figure.Figure. Where a test has no smaller p-value than is needed, its line
    is at zero.
    """
    colours = {WELCH: "a", PERMUTATION: "b", FLIPS: "neutral"}
    with plt.rc_context(STYLE | {"font.size": 9}):
        figure, axis = plt.subplots(figsize=(7.2, 3.2), layout="constrained")
        for test, marker in zip(colours, "os^", strict=True):
            axis.plot(
                table["experiments"], table[test], f"{marker}-", color=COLOURS[colours[test]],
                markersize=5, label=test, clip_on=False,
            )  # fmt: skip
        first = enough(PERMUTATION, needed)
        axis.axvline(first - 0.5, color=COLOURS["faint"], linewidth=1, zorder=0)
        axis.annotate(
            f"from {first} experiments on, a permutation\np-value can be {needed:.2g} or less",
            (first - 0.5, 0.15 * n_datasets), (8, 0), textcoords="offset points", ha="left",
            size=8,
        )  # fmt: skip
        axis.set_xlabel("experiments per model")
        axis.set_ylabel(f"lower bound (of {n_datasets} datasets)")
        axis.set_xticks(table["experiments"])
        axis.set_ylim(0, n_datasets)
        axis.legend(loc="upper left", fontsize=8)
        figure.suptitle(title, fontsize="large")
    return figure
