"""How often tests call two equal systems different, from splits of the same data or from runs.

Of splits, each repetition draws a data set of two classes. Features are alike, and each learner
sees its own half of them. Both have the same expected accuracy at every training size.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicability.stats import paired, two_samples

LEVELS = (0.05, 0.005)
"""Levels of the one-sided tests."""

FEATURES, APART = 10, 0.3
"""Features that a learner sees, and half the distance of the classes on each."""

CORRECTED, NAIVE = "resampled_t", ("paired_t", "wilcoxon")
"""The test of splits, and those that take splits as independent."""

ALPAYDIN = "cv_5x2_f"
"""The test of five repeats of two folds."""


@dataclass(frozen=True)
class Scheme:
    """How a data set is split.

    `folds`: parts of a repeat, each of which is the test part once; 0 for random resamples.
    `n_repeats`: repeats of the partition, or resamples. `test_share`: share of the test part.
    """

    folds: int
    n_repeats: int
    test_share: float


SCHEMES = {
    "10-fold": Scheme(10, 1, 0.1),
    "10 x 10-fold": Scheme(10, 10, 0.1),
    "5-fold": Scheme(5, 1, 0.2),
    "5 x 5-fold": Scheme(5, 5, 0.2),
    "5 x 2-fold": Scheme(2, 5, 0.5),
    "15 resamples, tenth": Scheme(0, 15, 0.1),
    "30 resamples, third": Scheme(0, 30, 1 / 3),
    "30 resamples, half": Scheme(0, 30, 0.5),
    "30 resamples, four fifths": Scheme(0, 30, 0.8),
}
"""Name of a scheme -> how it splits."""


def tests_of(scheme, n_items, rng):
    """Draw the test parts of a scheme.

    Returns ndarray of bool, shape (J, n_items).
    """
    found = []
    for _ in range(scheme.n_repeats):
        order = rng.permutation(n_items)
        n = round(scheme.test_share * n_items)
        parts = np.array_split(order, scheme.folds) if scheme.folds else [order[:n]]
        found += [np.isin(np.arange(n_items), part) for part in parts]
    return np.array(found)


def centroids(x, y, tests):
    """Return the accuracy of the nearest class mean on each test part; shape (J,)."""
    sides = [(~tests & (y == side)).astype(float) for side in (0, 1)]
    low, high = (side @ x / side.sum(axis=1, keepdims=True) for side in sides)
    beyond = x @ (high - low).T > ((high + low) * (high - low)).sum(axis=1) / 2
    right = (beyond == (y == 1)[:, None]).T & tests
    return right.sum(axis=1) / tests.sum(axis=1)


def neighbour(x, y, tests):
    """Return the accuracy of the nearest item of the training part; shape (J,)."""
    squares = (x**2).sum(axis=1)
    far = squares[:, None] + squares - 2 * x @ x.T
    found = [y[~part][far[part][:, ~part].argmin(axis=1)] == y[part] for part in tests]
    return np.array([right.mean() for right in found])


LEARNERS = {"nearest class mean": centroids, "nearest neighbour": neighbour}
"""Name of a learner -> what trains and tests it."""


def pvalues(scheme, learner, n_items, repetitions, seed):
    """Return the one-sided p-values of each test; dict of str to ndarray, shape (repetitions,)."""
    rng, found = np.random.default_rng(seed), {name: [] for name in (CORRECTED, *NAIVE)}
    for _ in range(repetitions):
        y = rng.permutation(np.arange(n_items) % 2)
        x = rng.normal(size=(n_items, 2 * FEATURES)) + APART * (2 * y - 1)[:, None]
        tests = tests_of(scheme, n_items, rng)
        a, b = (learner(half, y, tests) for half in (x[:, :FEATURES], x[:, FEATURES:]))
        share = scheme.test_share
        found[CORRECTED].append(paired.resampled_t(a, b, test_share=share).pvalue)
        if (scheme.folds, scheme.n_repeats) == (2, 5):
            found.setdefault(ALPAYDIN, []).append(paired.cv_5x2_f(a, b).pvalue)
        for name in NAIVE:
            constant = np.ptp(a - b) < 1e-12
            found[name].append(1.0 if constant else paired.run(name, a, b).pvalue)
    return {name: np.array(values) for name, values in found.items()}


RUNS = ((3, 3), (5, 5), (5, 10), (10, 5), (20, 20), (10, 30))
"""Numbers of runs of both systems."""

POPULATIONS = {
    "normal": lambda rng, sizes: [rng.normal(size=n) for n in sizes],
    "exponential": lambda rng, sizes: [rng.exponential(size=n) for n in sizes],
    "normal, spread 3 to 1": lambda rng, sizes: [
        rng.normal(0, spread, n) for spread, n in zip((3, 1), sizes, strict=True)
    ],
}
"""Name of a population of runs -> draws of both systems, with equal means."""


def of_runs(repetitions, seed):
    """Simulate the test of unpaired runs.

    `repetitions`: studies of each cell. `seed`: of all.

    Returns list of dict. Rows of `table`; ``n`` is the number of runs of both systems, and there
    are no test parts and no items.
    """
    rows = []
    for sizes in RUNS:
        for population, draw in POPULATIONS.items():
            rng = np.random.default_rng([seed, *population.encode(), *sizes])
            values = np.array(
                [two_samples.pvalues(*draw(rng, sizes))[0] for _ in range(repetitions)]
            )
            scheme = f"{sizes[0]} and {sizes[1]} runs"
            named = {"scheme": scheme, "n": sum(sizes), "test_share": 0.0}
            named |= {"population": population, "items": 0, "test": "unpaired runs"}
            rows += [named | _rejected(values, alpha) for alpha in LEVELS]
    return rows


def _rejected(values, alpha):
    """Count the p-values that are at most alpha."""
    return {"alpha": alpha, "repetitions": len(values), "rejected": int((values <= alpha).sum())}


def table(repetitions, seed, n_items=(100, 400), schemes=SCHEMES, learners=LEARNERS):
    """Simulate every scheme, learner and size, and runs.

    `repetitions`: data sets of each, or studies. `seed`: of all.

    Returns DataFrame. A row for each cell, test and level: ``scheme``, the number ``n`` of splits,
    ``test_share``, ``population`` (the learner of splits), ``items``, ``test``, ``alpha``,
    ``repetitions``, and ``rejected``, how many p-values are at most alpha.
    """
    rows = of_runs(repetitions, seed)
    for name, scheme in schemes.items():
        for learner, fit in learners.items():
            for n in n_items:
                cell = [seed, *name.encode(), *learner.encode(), n]
                found = pvalues(scheme, fit, n, repetitions, cell)
                rows += [
                    {
                        "scheme": name,
                        "n": max(scheme.folds, 1) * scheme.n_repeats,
                        "test_share": scheme.test_share,
                        "population": learner,
                        "items": n,
                        "test": test,
                        **_rejected(values, alpha),
                    }
                    for test, values in found.items()
                    for alpha in LEVELS
                ]
    return pd.DataFrame(rows)


def largest(file, alpha=0.05):
    """Return the largest shares of studies with a false rejection.

    `file`: as `table` writes it. `alpha`: level.

    Returns dict of str to float. ``naive`` of splits taken as items; ``kept`` and ``overlapping``
    of the corrected test where it is called valid and elsewhere; ``spread`` of runs that vary more
    in one system.
    """
    rates = pd.read_csv(file).query("alpha == @alpha")
    size, test = rates["rejected"] / rates["repetitions"], rates["test"]
    shares = zip(rates["n"], rates["test_share"], strict=True)
    valid = np.array([paired.keeps_level(*of) for of in shares])
    return {
        "naive": size[test == "wilcoxon"].max(),
        "kept": size[(test == CORRECTED) & valid].max(),
        "overlapping": size[(test == CORRECTED) & ~valid].max(),
        "spread": size[rates["population"] == "normal, spread 3 to 1"].max(),
        "f_test": size[test == ALPAYDIN].max(),
    }
