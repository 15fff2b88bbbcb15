"""How often statements about all pairs of several systems are false, by simulation.

Units are drawn, each with a score of every system on every dataset. All datasets share the units,
and all pairs share the systems.
"""

import itertools

import numpy as np
import pandas as pd
from scipy import sparse

from replicability.core import gatekeeping
from replicability.core.all_pairs import Pairs
from replicability.stats import flips, joint, joint_pairs

SYSTEMS, DATASETS, UNITS, FLIPS = 4, 6, 60, 1_200
"""Sizes of a study; every unit is in every dataset."""

ALPHA = 0.05

COMPARED = ~np.eye(SYSTEMS, dtype=bool)

GAINS = {
    "all systems are equal": lambda i, j: 0,
    "two systems are better on half of the datasets": lambda i, j: 0.6 * (i < 2 and j < 3),
    "two systems are far better on every dataset": lambda i, j: 1.5 * (i < 2),
    "one system is far better, the others differ on half": lambda i, j: (
        2.5 * (i == 0) + 0.5 * (i == 1 and j < 3)
    ),
    "each system is better than the next": lambda i, j: 0.7 * (SYSTEMS - 1 - i),
    "each system is better than the next on its own dataset": lambda i, j: 0.9 * (j == i),
}
"""Where systems differ -> the gain of system i on dataset j, in standard deviations of a score."""

KINDS = ("normal", "right or wrong", "uneven units")
"""Scores: normal; whether they are above 0; normal, times a log-normal factor of their unit."""

CORRELATIONS = (0.0, 0.5, 0.9)
"""Of the scores of a system on one unit, between datasets."""

NAMES = tuple(map(str, range(SYSTEMS)))
"""Names of the systems."""

FIRST = {"leader first": {"leader": "0"}, "neighbours first": {"neighbours": [*NAMES]}}
"""Method -> families that are tested before all pairs, which follow by ``joint``."""

METHODS = (*joint_pairs.METHODS, "bonferroni", *FIRST)
"""Joint procedures of `stats.joint_pairs`, the local test ``joint`` at alpha over the pairs, and
families with other families first."""


def table(studies, seed):
    """Simulate every combination of gains, kind and correlation.

    `studies`: number of each combination.

    Returns DataFrame. ``where``, ``kind``, ``correlation``, ``method``, the number of ``studies``,
    ``false``, the share of studies with any false statement about any group of datasets in any
    pair, and the mean over studies of ``counted``, the bounds of all ordered pairs added up, of
    ``pairs``, those with a bound above 0, and of ``named``, the datasets named in all pairs.

    Notes
    -----
    Of all statements about a pair one is false if and only if the set of its true null hypotheses
    is rejected, that is, if the bound of that set is above 0.
    """
    settings = [
        {"where": where, "kind": kind, "correlation": correlation}
        for where, kind, correlation in itertools.product(GAINS, KINDS, CORRELATIONS)
    ]

    def study(where, kind, correlation, seed):
        gains = np.array([[GAINS[where](i, j) for j in range(DATASETS)] for i in range(SYSTEMS)])
        return _study(gains, kind, correlation, seed)

    return simulated(study, settings, ("false", "counted", "pairs", "named"), studies, seed)


def simulated(study, settings, columns, studies, seed):
    """Average what simulated studies show in each of some settings.

    `study`: ``study(**setting, seed=seed)``: for each method a number for each column. `settings`
    (list of dict): columns of a setting -> their values. `columns` (sequence of str): what a study
    shows. `studies`, `seed`: as for `table`.

    Returns DataFrame. A row for each setting and method.
    """
    rows = []
    seeds = np.random.SeedSequence(seed).spawn(len(settings))
    for setting, child in zip(settings, seeds, strict=True):
        found = [study(**setting, seed=one) for one in child.spawn(studies)]
        for method in found[0]:
            means = np.mean([of[method] for of in found], axis=0)
            shown = dict(zip(columns, means, strict=True))
            rows.append(setting | {"method": method, "studies": studies} | shown)
    return pd.DataFrame(rows)


def summary(file):
    """Summarise the table for prose.

    Returns dict. ``settings``, ``studies`` of each, ``mean`` and ``most``, the share of studies
    with a false statement by method, over all settings and in the worst; ``limit``, the share that
    chance explains at `ALPHA` (three standard errors of a setting); and ``more``, by how much more
    than by Bonferroni's method datasets are named.
    """
    rows = pd.read_csv(file)
    by_method, studies = rows.groupby("method"), rows["studies"].iloc[0]
    named = by_method["named"].mean()
    return {
        "settings": len(rows) // len(METHODS),
        "studies": studies,
        "mean": by_method["false"].mean(),
        "most": by_method["false"].max(),
        "limit": ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / studies),
        "more": named / named["bonferroni"] - 1,
    }


def _study(gains, kind, correlation, seed):
    """Return for each method whether any statement is false, and how much is shown."""
    draws, flips_seed = seed.spawn(2)
    drawn = scores(gains, kind, correlation, np.random.default_rng(draws))
    several = flips.flip_several([sparse.csr_array(s) for s in drawn], FLIPS, rng=flips_seed)
    true = gains[:, np.newaxis] <= gains[np.newaxis]
    found = {}
    for method in METHODS:
        if method in FIRST:
            ask = _First(several, drawn.mean(axis=1), FIRST[method])
        elif method == "bonferroni":
            ask = _Bonferroni(several, ALPHA / COMPARED.sum())
        else:
            ask = joint_pairs.Jointly(several, COMPARED, ALPHA, method, FLIPS)
        pairs = [*zip(*np.nonzero(COMPARED), strict=True)]
        bounds = [ask.bound(i, j).at_least for i, j in pairs]
        wrong = any(true[p].any() and ask.bound(*p, true[p]).at_least for p in pairs)
        named = sum(ask.named(i, j).sum() for i, j in pairs)
        found[method] = [wrong, sum(bounds), np.count_nonzero(bounds), named]
    return found


class _Bonferroni:
    """Statements about each pair at the same level."""

    def __init__(self, several, level):
        self._several, self._level = several, level

    def bound(self, i, j, inside=None):
        """Bound a group of datasets of a pair."""
        return joint.bound(self._several.of(i, j), inside, self._level)

    def named(self, i, j):
        """Name datasets of a pair."""
        return joint.named(self._several.of(i, j), self._level)


class _First:
    """Statements about each pair where other families were tested first."""

    def __init__(self, several, means, first):
        datasets = np.arange(means.shape[1])
        self._pairs = Pairs(
            NAMES,
            tuple(map(str, datasets)),
            means,
            np.ones((*COMPARED.shape, len(datasets))),
            method="joint",
            flips=several,
            n_flips=FLIPS,
            first=gatekeeping.listed(first, NAMES),
        )

    def bound(self, i, j, inside=None):
        """Bound a group of datasets of a pair."""
        claims = self._pairs.joint_claims(NAMES[i], NAMES[j], ALPHA)
        k = claims.at_least(None if inside is None else list(np.array(claims.datasets)[inside]))
        return joint.Bound(k, k)

    def named(self, i, j):
        """Name datasets of a pair."""
        return self._pairs.joint_claims(NAMES[i], NAMES[j], ALPHA).named


def scores(gains, kind, correlation, rng):
    """Draw the scores of a study, shape (systems, units, datasets).

    `gains` (ndarray, shape (s, n)): mean of each system on each dataset. `kind`: one of `KINDS`.
    `correlation`: of the scores of a system on one unit, between datasets.
    """
    s, n = gains.shape
    of_unit = rng.normal(size=(s, UNITS, 1))
    noise = np.sqrt(1 - correlation) * rng.normal(size=(s, UNITS, n))
    drawn = gains[:, np.newaxis] + np.sqrt(correlation) * of_unit + noise
    if kind == "right or wrong":
        return (drawn > 0).astype(float)
    return drawn if kind == "normal" else drawn * np.exp(rng.normal(size=(UNITS, 1)) / 2)
