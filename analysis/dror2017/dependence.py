"""Dependence that is measured: classifiers on pairs of domains that share their test reviews."""

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicability import checks
from replicability.io import delimited
from replicability.io.text import shown
from replicability.stats import joint, paired, partial_conjunction

COLUMNS = ("dataset", "instance", "system", "correct")
ARROW = " → "

PROCEDURES = {
    "bonferroni": "Bonferroni",
    "simes": "Simes",
    "fisher": "Fisher",
    "truncated_fisher": "truncated Fisher",
    "joint": "joint flips",
    "calibrated": "calibrated Simes",
}
"""Procedures of the grid that are shown -> their names for people."""


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

    @property
    def shared(self):
        """Correlations of the statistics of two datasets that share reviews, each pair once."""
        upper = np.triu(self.flips.shared, 1) > 0
        return self.flips.correlations[upper]


def read_reviews(file):
    """Read which reviews each classifier gets right.

    Parameters
    ----------
    file : str or Path
        Table with the columns `COLUMNS`; a dataset is named "source → target", and an instance
        identifies a review of the target.

    Returns
    -------
    DataFrame
        One row per dataset and review, one column of 0 and 1 per classifier; the index has the
        levels ``dataset`` and ``unit``, the review with its domain.

    Raises
    ------
    InputError
        If the file is missing, lacks a column, or a name of a dataset has no arrow.
    """
    table = delimited.read_table(file)
    for name in COLUMNS:
        if name not in table:
            raise checks.InputError(f"{shown(file)} has no column {name!r}.")
    parts = table["dataset"].str.partition(ARROW)
    if (parts[1] == "").any():
        wrong = table["dataset"][parts[1] == ""].iloc[0]
        raise checks.InputError(
            f"{shown(file)}: the dataset {wrong!r} is not named source{ARROW}target; name both "
            "domains, so that the reviews that datasets share are known."
        )
    table["unit"] = parts[2] + "/" + table["instance"]
    scores = {
        name: part.set_index(["dataset", "unit"])["correct"].astype(float)
        for name, part in table.groupby("system", sort=False)
    }
    return pd.DataFrame(scores).sort_index()


def compare(reviews, a, b, n_flips, seed):
    """Compare two classifiers on all pairs of domains.

    Parameters
    ----------
    reviews : DataFrame
        As `read_reviews` returns it.
    a, b : str
        Classifiers; A is claimed better.
    n_flips, seed : int
        As `joint.flip` takes them.

    Returns
    -------
    Compared
        p-values and joint flips.
    """
    for name in (a, b):
        checks.choice("classifier", name, list(reviews.columns))
    datasets, units = (reviews.index.get_level_values(level) for level in ("dataset", "unit"))
    matrix, names = joint.by_unit(
        reviews[a], reviews[b], datasets.to_numpy(str), units.to_numpy(str)
    )
    order = sorted(range(len(names)), key=lambda j: names[j].split(ARROW)[::-1])
    flips = joint.flip(matrix[:, order], n_flips, rng=seed)
    wins = (reviews[a] > reviews[b]).groupby(datasets).sum()[names[order]]
    losses = (reviews[a] < reviews[b]).groupby(datasets).sum()[names[order]]
    pvalues = paired.mcnemar_pvalues(wins.to_numpy(), losses.to_numpy(), alternative="greater")
    return Compared(a, b, names[order], pvalues, flips)


def counts(reviews, n_flips, seed, alpha):
    """Count for every ordered pair of classifiers the pairs of domains on which A is better.

    Parameters
    ----------
    reviews, n_flips, seed
        As in `compare`.
    alpha : float
        Level of each count.

    Returns
    -------
    DataFrame
        One row per ordered pair: A, B, the count of small p-values, three bounds, and the mean and
        the largest correlation between datasets that share reviews.
    """
    rows = []
    for a, b in itertools.permutations(reviews.columns, 2):
        pair = compare(reviews, a, b, n_flips, seed)
        rows.append(
            {
                "A": a,
                "B": b,
                "p ≤ α": partial_conjunction.k_count(pair.pvalues, alpha),
                "Bonferroni": partial_conjunction.k_hat(pair.pvalues, alpha),
                "Fisher": partial_conjunction.k_hat(pair.pvalues, alpha, "fisher"),
                "joint flips": joint.bound(pair.flips, alpha=alpha).at_least,
                "mean correlation": f"{pair.shared.mean():.2f}",
                "largest": f"{pair.shared.max():.2f}",
            }
        )
    return pd.DataFrame(rows)


def bounds(rates, n=None):
    """Lay out the mean bounds of the grid, with standard errors.

    Parameters
    ----------
    rates : DataFrame
        As `shared_units.rates` returns it.
    n : int, optional
        Only cells with so many datasets.

    Returns
    -------
    DataFrame of str
        One row per cell, one column per procedure of `PROCEDURES`.
    """
    return _wide(rates, n, "mean_bound", "{:.2f} ± {:.3f}")


def errors(rates, n=None):
    """Lay out how often a bound of any group of datasets was above the truth.

    Parameters
    ----------
    rates, n
        As in `bounds`.

    Returns
    -------
    DataFrame of str
        Shares with standard errors, in the form of `bounds`.
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
    names = {"n": "datasets", "n_better": "truly better"} | PROCEDURES
    return wide[list(PROCEDURES)].rename_axis(columns=None).reset_index().rename(columns=names)
