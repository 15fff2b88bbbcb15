"""Sizes and powers of claims by people's judgement, corrected from few labelled items."""

import math

import numpy as np
import pandas as pd
from scipy import special

from replicability.stats import paired

LEVELS = (0.05, 0.005)
"""Levels of the one-sided tests."""

CORRECTED, PEOPLE, JUDGE, PLAIN = "prediction_powered", "people alone", "judge alone", "PPI++"
"""The test, a t-test of either score, and the authors' own: one weight, and the normal law."""

LABELLED, OTHERS = (30, 100, 300), (100, 1000)
"""Numbers of items that people scored, and of others."""

GAIN = 2.0
"""Gain of A where power is measured, in standard errors of human scores alone."""


def _numbers(sign, draw):
    """Return draws of people's differences with mean 0, and of a judge that favours A."""

    def both(rng, n):
        people = sign * draw(rng, n)
        return people, 0.5 + 0.8 * people + 0.6 * sign * draw(rng, n)

    return both


def _noise(rng, n):
    return rng.normal(size=n), 1 + rng.normal(size=n)


def _outcomes(rng, n):
    a, b = rng.random((2, n)) < 0.6
    wrong = rng.random(n) < 0.2
    return a.astype(float) - b, (a | wrong).astype(float) - (b & ~wrong)


def _rare(rng, n):
    people = rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1])
    return people, np.where((people == 0) & (rng.random(n) < 0.15), 1.0, people)


POPULATIONS = {
    "normal": _numbers(1, lambda rng, n: rng.normal(size=n)),
    "skewed": _numbers(1, lambda rng, n: rng.exponential(size=n) - 1),
    "skewed to losses": _numbers(-1, lambda rng, n: rng.exponential(size=n) - 1),
    "judge is noise": _noise,
    "right or wrong": _outcomes,
    "rare errors": _rare,
}
"""Population -> draws of people's and the judge's differences; people's have the mean 0."""


def plain(people, judge, others):
    """Return the one-sided p-value of PPI++ with one weight and the normal law.

    `people`, `judge`: differences of labelled items. `others`: the judge's of other items.
    """
    n, m = len(people), len(others)
    pooled = np.concatenate([judge, others]).var(ddof=1) * (1 + n / m)
    weight = np.clip(np.cov(people, judge, ddof=0)[0, 1] / pooled, 0, 1)
    rest = people - weight * judge
    error = math.sqrt(rest.var() / n + weight**2 * others.var() / m)
    effect = rest.mean() + weight * others.mean()
    return float(special.ndtr(-effect / error)) if error else 0.5


def pvalues(population, labelled, others, gain, repetitions, seed):
    """Return the one-sided p-values of each test; dict of str to ndarray."""
    rng, found = np.random.default_rng(seed), {}
    for _ in range(repetitions):
        people, judge = POPULATIONS[population](rng, labelled + others)
        moved = gain * people.std() / math.sqrt(labelled)
        people, judge = people + moved, judge + moved
        scored = np.where(np.arange(len(people)) < labelled, people, np.nan)
        a, b = np.column_stack([judge, scored]), np.zeros((len(people), 2))
        b[labelled:, 1] = np.nan
        few = people[:labelled]
        p = {
            CORRECTED: paired.prediction_powered(a, b).pvalue,
            PEOPLE: paired.paired_t(few, np.zeros(labelled)).pvalue,
            JUDGE: paired.paired_t(judge, np.zeros(len(judge))).pvalue,
            PLAIN: plain(few, judge[:labelled], judge[labelled:]),
        }
        for test, value in p.items():
            found.setdefault(test, []).append(value)
    return {test: np.array(values) for test, values in found.items()}


def table(repetitions, seed, labelled=LABELLED, others=OTHERS, populations=tuple(POPULATIONS)):
    """Simulate every population and number of items without a gain and with one.

    `repetitions`: studies of each cell, with a gain a quarter. `seed`: of all.

    Returns DataFrame. A row for each cell, test and level: ``population``, the numbers of
    ``labelled`` and of ``others``, ``gain`` (in standard errors of human scores alone),
    ``test``, ``alpha``, ``repetitions`` and ``rejected``.
    """
    rows = []
    for population in populations:
        for n in labelled:
            for m in others:
                for gain in (0.0, GAIN):
                    cell = [seed, *population.encode(), n, m, int(gain)]
                    few = repetitions if gain == 0 else repetitions // 4
                    found = pvalues(population, n, m, gain, few, cell)
                    named = {"population": population, "labelled": n, "others": m, "gain": gain}
                    rows += [
                        named
                        | {"test": test, "alpha": alpha}
                        | {"repetitions": len(p), "rejected": int((p <= alpha).sum())}
                        for test, p in found.items()
                        for alpha in LEVELS
                    ]
    return pd.DataFrame(rows)


def summary(file, alpha=0.05):
    """Return the largest size and the mean power of each test at a level.

    `file`: as `table` writes it. `alpha`: level.

    Returns dict of str to dict of str to float: ``size`` and ``power`` -> test -> share.
    """
    rates = pd.read_csv(file).query("alpha == @alpha")
    rates = rates.assign(rate=rates["rejected"] / rates["repetitions"])
    null = rates["gain"] == 0
    return {
        "size": rates[null].groupby("test")["rate"].max().to_dict(),
        "power": rates[~null].groupby("test")["rate"].mean().to_dict(),
    }
