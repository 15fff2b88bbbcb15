"""How often statements about datasets by metrics are false, by simulation.

Units are drawn, each with a score of A minus B on every dataset that has it and by every metric.
The scores of a unit correlate between metrics and between datasets, as units are shared.
"""

import itertools

import numpy as np
from scipy import special

from analysis.methods import family_levels
from replicability.stats import grids, joint

DATASETS, METRICS, UNITS, FLIPS = 6, 3, 60, 1_000
"""Sizes of a grid; every unit is in every dataset."""

ALPHA = 0.05

GAIN = 0.45
"""Mean difference where A is better, in standard deviations of a unit."""

WHERE = {
    "nowhere": lambda i, j: 0,
    "half of the datasets": lambda i, j: i < DATASETS // 2,
    "one metric": lambda i, j: j == 0,
    "all but one metric": lambda i, j: j > 0,
    "metrics contradict": lambda i, j: 1 if j == 0 else -1 if j == 1 else 0,
    "all but one cell of a row": lambda i, j: (i, j) != (0, 0),
}
"""Name -> in which cells A is better (1), B is (-1), or neither (0)."""

KINDS = {
    "normal": lambda d: d,
    "whole numbers": np.round,
    "heavy tails": lambda d: np.sign(d) * np.abs(d) ** 1.5,
}
"""Kind of scores -> how they are made; each is symmetric around its gain of 0."""

CORRELATIONS = ((0.0, 0.0), (0.5, 0.3), (0.9, 0.6))
"""Of the scores of a unit between metrics, and between datasets."""

METHODS = grids.METHODS


def table(studies, seed):
    """Simulate every combination of gains, kind and correlation.

    `studies`: number of each combination.

    Returns DataFrame. ``where``, ``kind``, ``metrics`` and ``datasets`` (correlations), ``method``,
    the number of ``studies``, ``false``, the share of studies with any false statement in either
    direction, of any block of the grid, and the mean bounds ``every``, ``some`` and ``cells`` for
    A.

    Notes
    -----
    Of all statements of a closed procedure one is false if and only if the set of the true null
    hypotheses is rejected (`stats.grids`), that is, if its bound of false ones is above 0.
    """
    settings = [
        {"where": where, "kind": kind, "metrics": of_metrics, "datasets": of_datasets}
        for where, kind, (of_metrics, of_datasets) in itertools.product(WHERE, KINDS, CORRELATIONS)
    ]

    def study(where, kind, metrics, datasets, seed):
        sign = WHERE[where]
        gains = np.array([[GAIN * sign(i, j) for j in range(METRICS)] for i in range(DATASETS)])
        return _study(gains, kind, metrics, datasets, seed)

    return family_levels.simulated(
        study, settings, ("false", "every", "some", "cells"), studies, seed
    )


def _study(gains, kind, of_metrics, of_datasets, seed):
    """Return for each method whether any statement is false, and the bounds for A."""
    draws, flips_seed = seed.spawn(2)
    differences = scores(gains, kind, of_metrics, of_datasets, np.random.default_rng(draws))
    flat = differences.reshape(UNITS, -1)
    flips = joint.flip(flat, FLIPS, rng=flips_seed)
    back = joint.Flips(-flips.z, flips.shared)
    shape, found = gains.shape, {}
    for method in METHODS:
        sides = []
        for one in (flips, back):
            if method in grids.OF_FLIPS:
                sides.append(grids.steps_of_flips(one, shape, ALPHA / 2, method))
            else:
                z = one.z[0]  # under the root of the mean of squares; t under that of the variance
                t = z * np.sqrt((UNITS - 1) / np.maximum(UNITS - z**2, 1e-12))
                pvalues = special.stdtr(UNITS - 1, -t).reshape(shape)
                sides.append(grids.steps(pvalues, ALPHA / 2, method))
        wrong = grids.cells(sides[0][gains <= 0]) or grids.cells(sides[1][gains >= 0])
        bounds = [grids.rows(sides[0], METRICS), grids.rows(sides[0], 1), grids.cells(sides[0])]
        found[method] = [bool(wrong), *bounds]
    return found


def scores(gains, kind, of_metrics, of_datasets, rng):
    """Draw the differences of a study, shape (units, datasets, metrics).

    `gains` (ndarray, shape (n, m)): mean differences. `kind`: key of `KINDS`. `of_metrics`,
    `of_datasets`: correlations of the scores of a unit.
    """
    n, m = gains.shape

    def root(correlation, size):
        return np.linalg.cholesky(
            np.full((size, size), correlation) + (1 - correlation) * np.eye(size)
        )

    noise = rng.normal(size=(UNITS, n, m))
    noise = np.einsum("ij,kl,ujl->uik", root(of_datasets, n), root(of_metrics, m), noise)
    return KINDS[kind](2 * noise) / 2 + gains
