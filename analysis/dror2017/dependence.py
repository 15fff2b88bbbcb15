"""Dependence that is measured: classifiers on pairs of domains that share their test reviews."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core import evaluation, findings, procedure
from replicability.core.numbers import rounded
from replicability.io import delimited, formats
from replicability.io.study import Comparison
from replicability.io.text import shown
from replicability.stats import joint, partial_conjunction

COLUMNS = {"dataset": "dataset", "instance": "instance", "system": "system", "score": "correct"}
"""Headers of the file of reviews."""

ARROW = " → "

TITLES = procedure.TITLES | {"max_t": "step-down max-T"}
"""Procedure of the grid -> its name for people."""

SHOWN = (
    *("bonferroni", "simes", "fisher", "truncated_fisher"),
    *("joint", "joint_sum", "calibrated_simes", "max_t"),
)
"""Procedures of the grid that are shown."""


@dataclass(frozen=True)
class Compared:
    """Two classifiers, A claimed better, on all pairs of domains.

    Attributes
    ----------
    a, b : str
        The classifiers.
    names : ndarray of str, shape (n,)
        Pairs of domains, those with the same test reviews side by side.
    pvalues : ndarray of float64, shape (n,)
        Exact one-sided McNemar p-values.
    flips : joint.Flips
        Joint sign flips of the reviews, datasets in the order of `names`.
    """

    a: str
    b: str
    names: np.ndarray
    pvalues: np.ndarray
    flips: joint.Flips


def read_classifiers(file):
    """Read which classifiers there are.

    `file`: table with the columns `COLUMNS`.

    Returns list of str. In the order of the file.

    Raises `InputError`: if the file is missing, or has no such column.
    """
    table = delimited.read_table(file)
    if COLUMNS["system"] not in table:
        raise checks.InputError(f"{shown(file)} has no column {COLUMNS['system']!r}; add it.")
    return list(pd.unique(table[COLUMNS["system"]]))


def compare(file, a, b, n_flips, seed):
    """Compare two classifiers on all pairs of domains, in both directions.

    Parameters
    ----------
    file : str or Path
        Table with the columns `COLUMNS`; a dataset is named "source → target", and an item
        identifies a review of the target, by which pairs with the same target share it.
    a, b : str
        Classifiers; A is claimed better.
    n_flips, seed : int
        As of a comparison.

    Returns
    -------
    list of Compared
        For "A is better" and for "B is better".

    Raises
    ------
    InputError
        If a name of a dataset has no arrow, or as `evaluation.evaluate`.
    """
    asked = Comparison(
        name="reviews",
        section="sentiment",
        title=f"{a}-{b}",
        systems=(a, b),
        dependence="dependent",
        file=str(file),
        columns=COLUMNS,
        test="mcnemar",
        seed=seed,
        n_flips=n_flips,
    )
    datasets = sorted(formats.read(asked), key=lambda dataset: dataset.name.split(ARROW)[::-1])
    shared = _shared(file, [dataset.name for dataset in datasets])
    asked = replace(asked, shared=shared)
    both = findings.directions(asked, evaluation.evaluate(asked, datasets))
    return [
        Compared(
            *comparison.systems,
            table["dataset"].to_numpy(str),
            table["p_value"].to_numpy(),
            table.flips,
        )
        for comparison, table in both
    ]


def _shared(file, names):
    """Return which pairs of domains share the reviews of each target."""
    shared = {}
    for name in names:
        _, arrow, target = name.partition(ARROW)
        if not arrow:
            raise checks.InputError(
                f"{shown(file)}: the dataset {name!r} is not named source{ARROW}target; name both "
                "domains, because they show which datasets share reviews."
            )
        shared.setdefault(f"reviews of {target}", []).append(name)
    return shared


def counts(file, n_flips, seed, alpha):
    """Count for every ordered pair of classifiers the pairs of domains on which A is better.

    `alpha`: level of each count.

    Returns DataFrame. One row per ordered pair: A, B, the count of small p-values, three bounds,
    and the mean and the largest correlation between datasets that share reviews.
    """
    classifiers = read_classifiers(file)
    found = {
        (pair.a, pair.b): _counted(pair, alpha)
        for two in itertools.combinations(classifiers, 2)
        for pair in compare(file, *two, n_flips, seed)
    }
    return pd.DataFrame([found[two] for two in itertools.permutations(classifiers, 2)])


def _counted(pair, alpha):
    """Return a row of `counts`."""
    return {
        "A": pair.a,
        "B": pair.b,
        "p ≤ α": partial_conjunction.k_count(pair.pvalues, alpha),
        "Bonferroni": partial_conjunction.k_hat(pair.pvalues, alpha),
        "Fisher": partial_conjunction.k_hat(pair.pvalues, alpha, "fisher"),
        TITLES["joint_sum"]: joint.bound(pair.flips, alpha=alpha, method="joint_sum").at_least,
        "mean correlation": rounded(pair.flips.between.mean(), 2),
        "largest": rounded(pair.flips.between.max(), 2),
    }


def bounds(rates, n=None):
    """Lay out the mean bounds of the grid, with standard errors.

    `rates`: as `shared_units.rates` returns it. `n`: only cells with so many datasets.

    Returns DataFrame of str. One row per cell, one column per procedure of `SHOWN`.
    """
    return _wide(rates, n, "mean_bound", "{:.2f} ± {:.3f}")


def named(rates, n=None):
    """Lay out how many of the datasets on which A is better are named.

    Returns DataFrame of str. Means with standard errors, in the form of `bounds`, of cells where A
    is better on some.
    """
    return _wide(rates[rates["share"] > 0], n, "mean_named", "{:.2f} ± {:.3f}")


def errors(rates, n=None):
    """Lay out how often a bound of any group of datasets was above the truth.

    Returns DataFrame of str. Shares with standard errors, in the form of `bounds`.
    """
    return _wide(rates[rates["share"] < 1], n, "wrong", "{:.3f} ± {:.3f}")


def _wide(rates, n, quantity, form):
    chosen = rates if n is None else rates[rates["n"] == n]
    cells = chosen.assign(
        cell=[
            form.format(*pair)
            for pair in zip(chosen[quantity], chosen[f"{quantity}_error"], strict=True)
        ]
    )
    keys = ["n", "n_better", "correlation"]
    wide = cells.pivot_table(index=keys, columns="procedure", values="cell", aggfunc="first")
    names = {"n": "datasets", "n_better": "truly better"} | TITLES
    return wide[list(SHOWN)].rename_axis(columns=None).reset_index().rename(columns=names)
