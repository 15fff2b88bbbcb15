"""Sizes and powers of claims about new items and new runs, from simulated scores."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicability.stats import paired

LEVELS = (0.05, 0.005)
"""Levels of the one-sided tests."""

N_DRAWS = 199
"""Resamples and flips of a study."""

DRAWN = ("hierarchical_flip", "two_way_bootstrap")
"""Tests that draw, which are measured with fewer studies, on few items."""

AVERAGED, MIXED = "paired_t", "mixed_model"
"""The t-test of the means over runs, and the linear mixed model of statsmodels."""

OF_MIXED = ("items and runs", 20, 3)
"""Population, items and runs of each system of which the mixed model is measured."""


@dataclass(frozen=True)
class Design:
    """Runs of both systems; `paired` if they are the same, as raters are."""

    a: int
    b: int
    paired: bool = False

    def __str__(self):
        return f"{self.a} raters" if self.paired else f"{self.a} and {self.b} runs"


DESIGNS = (
    Design(2, 2),
    Design(3, 3),
    Design(3, 10),
    Design(10, 10),
    Design(2, 2, True),
    Design(3, 3, True),
    Design(10, 10, True),
)
"""What is simulated."""

VARIES = {
    "items": (1, 0, 0.2),
    "runs": (0, 1, 0.5),
    "items and runs": (1, 1, 0.5),
    "skewed items and runs": (1, 1, 0.5),
    "noise": (0, 0, 1),
    "right or wrong": (1, 1, 0),
}
"""Population -> what items, runs and noise add to the difference, in standard deviations."""

GAIN = 3.0
"""Gain of A where power is measured, in standard errors of its population."""


def draw(population, design, n, gain, rng):
    """Return the scores of A and B; their means differ by `gain` standard errors."""
    by_items, by_runs, by_noise = VARIES[population]
    r, s = (design.a, design.b) if not design.paired else (design.a, 0)
    items = rng.normal(size=(n, 1))
    if population.startswith("skewed"):
        items = 1 - rng.exponential(size=(n, 1))
    scale = np.sqrt(n)  # items then matter as much as runs
    first = by_items * scale * items + by_runs * rng.normal(size=(1, r))
    first = first + by_noise * scale * rng.normal(size=(n, r))
    shape = (n, s or r)
    second = np.zeros(shape)
    if s:
        second = by_runs * rng.normal(size=(1, s)) + by_noise * scale * rng.normal(size=shape)
    variance = by_items**2 + (by_runs**2 + by_noise**2) * (1 / r + (1 / s if s else 0))
    first = first + gain * np.sqrt(variance)
    if population != "right or wrong":
        return first, second
    chance = rng.random((n, 1))
    sides = [np.clip(0.5 + 0.05 * side, 0.02, 0.98) for side in (first, second)]
    return tuple((rng.random(side.shape) + chance) % 1 < side for side in sides)


def pvalues(population, design, n, gain, repetitions, seed):
    """Return the one-sided p-values of each test; dict of str to ndarray."""
    rng, found = np.random.default_rng(seed), {}
    few = repetitions // 4
    for study in range(repetitions):
        a, b = (np.asarray(side, float) for side in draw(population, design, n, gain, rng))
        tests = ["crossed_t", *(DRAWN if n <= 20 and study < few else ())]
        for test in tests:
            more = {"n_resamples": N_DRAWS, "rng": rng} if test in DRAWN else {}
            result = paired.run(test, a, b, paired_runs=design.paired, **more)
            found.setdefault(test, []).append(result.pvalue)
        means = a.mean(axis=1), b.mean(axis=1)
        found.setdefault(AVERAGED, []).append(paired.run(AVERAGED, *means).pvalue)
        known = (population, n, design.a) == OF_MIXED and not design.paired
        if known and gain == 0 and study < repetitions // 20 and design.a == design.b:
            found.setdefault(MIXED, []).append(mixed_model(a, b))
    return {test: np.array(values) for test, values in found.items()}


def mixed_model(a, b):
    """Return the one-sided p-value of the mixed model by restricted maximum likelihood."""
    import warnings

    import statsmodels.formula.api as smf
    from scipy import special

    frames = [
        pd.DataFrame(
            {
                "score": side.ravel(),
                "item": [str(i) for i in np.repeat(np.arange(len(side)), side.shape[1])],
                "run": [f"{name}{j}" for j in np.tile(np.arange(side.shape[1]), len(side))],
                "first": float(name == "a"),
            }
        )
        for name, side in (("a", a), ("b", b))
    ]
    table = pd.concat(frames, ignore_index=True).assign(one=1)
    table["cell"] = table["item"] + table["first"].astype(str)
    parts = {name: f"0 + C({name})" for name in ("item", "cell", "run")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smf.mixedlm("score ~ first", table, groups="one", vc_formula=parts).fit(reml=True)
    return float(special.ndtr(-fit.params["first"] / fit.bse["first"]))


def table(repetitions, seed, n_items=(20, 100), designs=DESIGNS, populations=tuple(VARIES)):
    """Simulate every design and population without a gain and with one.

    `repetitions`: studies of each cell, of tests that draw a quarter. `seed`: of all.

    Returns DataFrame. A row for each cell, test and level: ``design``, ``population``, ``items``,
    ``gain`` (in standard errors), ``test``, ``alpha``, ``repetitions`` and ``rejected``.
    """
    rows = []
    for design in designs:
        for population in populations:
            for n in n_items:
                for gain in (0.0, GAIN):
                    cell = [seed, *str(design).encode(), *population.encode(), n, int(gain)]
                    few = repetitions if gain == 0 else repetitions // 4
                    found = pvalues(population, design, n, gain, few, cell)
                    named = {"design": str(design), "population": population, "items": n}
                    rows += [
                        named
                        | {"gain": gain, "test": test, "alpha": alpha}
                        | {"repetitions": len(p), "rejected": int((p <= alpha).sum())}
                        for test, p in found.items()
                        for alpha in LEVELS
                    ]
    return pd.DataFrame(rows)


def largest(file, alpha=0.05):
    """Return the largest size of each test at a level, from what `table` wrote."""
    rates = pd.read_csv(file).query("alpha == @alpha and gain == 0")
    return (rates["rejected"] / rates["repetitions"]).groupby(rates["test"]).max().to_dict()
