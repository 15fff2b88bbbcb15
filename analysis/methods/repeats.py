"""Sizes and powers of tests, from splits of the same data or from runs.

Of splits, each repetition draws a data set of two classes. Features are alike, and each learner
sees its own half of them. Without a gain both have the same expected accuracy at every training
size. With one, the classes are farther apart for A.
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

ALPAYDIN, FOLDS = "cv_5x2_f", "repeated_k_fold"
"""The test of five repeats of two folds, and that of repeats of any folds."""

GAIN, FARTHER = 3.0, 0.15
"""Gain of A where power is measured: in standard errors of runs, and in the distance of splits."""


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


def pvalues(scheme, learner, n_items, repetitions, seed, gain=0.0):
    """Return the one-sided p-values of each test; dict of str to ndarray, shape (repetitions,)."""
    rng, found = np.random.default_rng(seed), {}
    apart = np.repeat([APART + gain, APART], FEATURES)
    for _ in range(repetitions):
        y = rng.permutation(np.arange(n_items) % 2)
        x = rng.normal(size=(n_items, 2 * FEATURES)) + apart * (2 * y - 1)[:, None]
        tests = tests_of(scheme, n_items, rng)
        a, b = (learner(half, y, tests) for half in (x[:, :FEATURES], x[:, FEATURES:]))
        names = [CORRECTED, *[FOLDS] * bool(scheme.folds)]
        names += [ALPAYDIN] * ((scheme.folds, scheme.n_repeats) == (2, 5))
        for name in names:
            p = paired.run(name, a, b, test_share=scheme.test_share).pvalue
            found.setdefault(name, []).append(p)
        for name in NAIVE if not gain else ():
            constant = np.ptp(a - b) < 1e-12
            p = 1.0 if constant else paired.run(name, a, b).pvalue
            found.setdefault(name, []).append(p)
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


SPREADS = {"normal, spread 3 to 1": (3, 1)}
"""Population -> standard deviations of the runs of both systems, where they are not 1."""


def of_runs(repetitions, seed):
    """Simulate the test of unpaired runs.

    `repetitions`: studies of each cell, a quarter of them with a gain. `seed`: of all.

    Returns list of dict. Rows of `table`; ``n`` is the number of runs of both systems, and there
    are no test parts and no items.
    """
    rows = []
    for sizes in RUNS:
        for population, draw in POPULATIONS.items():
            first, second = SPREADS.get(population, (1, 1))
            error = np.sqrt(first**2 / sizes[0] + second**2 / sizes[1])
            for gain, more in ((0.0, ()), (GAIN, (1,))):
                rng = np.random.default_rng([seed, *population.encode(), *sizes, *more])
                values = []
                for _ in range(repetitions // 4 if gain else repetitions):
                    a, b = draw(rng, sizes)
                    values.append(two_samples.pvalues(a + gain * error, b)[0])
                scheme = f"{sizes[0]} and {sizes[1]} runs"
                named = {"scheme": scheme, "n": sum(sizes), "test_share": 0.0}
                named |= {"population": population, "items": 0, "gain": gain}
                rows += [
                    named | {"test": "unpaired runs"} | _rejected(np.array(values), alpha)
                    for alpha in LEVELS
                ]
    return rows


def _rejected(values, alpha):
    """Count the p-values that are at most alpha."""
    return {"alpha": alpha, "repetitions": len(values), "rejected": int((values <= alpha).sum())}


def table(repetitions, seed, n_items=(100, 400), schemes=SCHEMES, learners=LEARNERS):
    """Simulate every scheme, learner and size, and runs, without a gain and with one.

    `repetitions`: data sets of each, or studies. `seed`: of all. With a gain, a quarter of them are
    drawn, of the first size alone.

    Returns DataFrame. A row for each cell, test and level: ``scheme``, the number ``n`` of splits,
    ``test_share``, ``population`` (the learner of splits), ``items``, ``gain`` of A, ``test``,
    ``alpha``, ``repetitions``, and ``rejected``, how many p-values are at most alpha.
    """
    rows = of_runs(repetitions, seed)
    for name, scheme in schemes.items():
        for learner, fit in learners.items():
            for n in n_items:
                for gain, more in ((0.0, ()), (FARTHER, (1,)))[: 2 if n == n_items[0] else 1]:
                    cell = [seed, *name.encode(), *learner.encode(), n, *more]
                    number = repetitions // 4 if gain else repetitions
                    found = pvalues(scheme, fit, n, number, cell, gain)
                    rows += [
                        {
                            "scheme": name,
                            "n": max(scheme.folds, 1) * scheme.n_repeats,
                            "test_share": scheme.test_share,
                            "population": learner,
                            "items": n,
                            "gain": gain,
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
    rates = pd.read_csv(file).query("alpha == @alpha and gain == 0")
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


WELCH = ((9, 9), (10, 10), (20, 20), (10, 30), (5, 20))
"""Numbers of runs of both systems, too many to permute."""

RATIOS = (0.01, 0.1, 0.2, 1 / 3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 100.0)
"""Standard deviation of A's runs, in those of B's."""

SMALL = (0.05, 0.01, 0.005, 1e-3, 1e-4, 1e-6, 2.4e-8)
"""Levels of Welch's test; the last is that of all pairs of 103 models on 195 datasets."""


def welch():
    """Compute the exact size of Welch's test of normal runs.

    Returns DataFrame. A row for each pair of numbers, ratio and level: ``runs_a``, ``runs_b``,
    ``ratio``, ``alpha``, ``size``.
    """
    rows = [
        {
            "runs_a": n,
            "runs_b": m,
            "ratio": ratio,
            "alpha": alpha,
            "size": two_samples.welch_size(n, m, alpha, ratio),
        }
        for n, m in WELCH
        for ratio in RATIOS
        for alpha in SMALL
    ]
    table = pd.DataFrame(rows)
    return table.assign(size=[float(f"{size:.6g}") for size in table["size"]])


def excess(file, runs=10):
    """Return the largest size of Welch's test over its level, from what `welch` wrote.

    `file`: the table. `runs`: number of runs of each system.

    Returns Series by level.
    """
    sizes = pd.read_csv(file).query("runs_a == @runs and runs_b == @runs")
    return (sizes["size"] / sizes["alpha"]).groupby(sizes["alpha"]).max()
