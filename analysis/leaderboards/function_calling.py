"""Berkeley Function Calling Leaderboard, August 2024: what its ranking says of 71 models, and not.

Models stand in the order of the leaderboard's overall accuracy; those with the same accuracy, by
their names in the data.
"""

import itertools
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import pandas as pd

from analysis import paths
from analysis.published import read_published
from replicability import forensics as audits
from replicability.core import procedure
from replicability.core.findings import families

PAPER = "Berkeley Function Calling Leaderboard"

RELEVANCE = "relevance"
"""The category without a relevant function: right is what cannot be read as a call."""

INTERFACE = (" (FC)", " (FC-Any)", " (FC-Auto)")
"""Ends of the names of models that are asked by their interface for function calls."""

CATEGORIES = (
    "The 12 categories: number of items, number whose question also occurs in “simple”, accuracies "
    "of the 71 models (%), and the best model. The files lack the questions of “relevance”."
)
DIRECTIONS = (
    "Number of pairs of models in which the higher-ranked model, the lower-ranked model, both or "
    "neither is significantly better on at least one category. “Neighbours” have adjacent ranks. "
    "“Jointly” means corrected for all pairs, or for all neighbours. “Without relevance” omits "
    "the category “relevance”."
)
BY_CATEGORY = (
    "For each category, the number of pairs in which the higher-ranked model is named as better, "
    "and the number in which the lower-ranked model is. All claims are simultaneous for all pairs "
    "at α = {alpha:g}."
)
NEIGHBOURS = (
    "Models with adjacent ranks: lead in overall accuracy (points), lower bounds on the number of "
    "categories (of 12) on which each is better, and the named categories. All claims are "
    "simultaneous for all these pairs at α = {alpha:g}."
)
TIES = (
    "Largest sets of models in which no two models differ significantly on any category: first "
    "and last rank, and the difference in overall accuracy between these models (points). All "
    "comparisons are simultaneous for all pairs at α = {alpha:g}."
)
LAYERS = (
    "Models in layers. Each model or cycle below the top layer is beaten, on at least one "
    "category, by a model in the layer above, and does not beat that model on any category. Models "
    "in a cycle share a layer. The comparisons are simultaneous for all pairs at α = {alpha:g}; "
    "the layers themselves are not a tested claim."
)
MODELS = (
    "Rank by overall accuracy (%), rank interval, and mean of the ranks in 12 categories. The "
    "next columns count the models that each model beats, and those that beat it. “Lower-ranked” "
    "counts the models that beat it although they rank below it. All claims are simultaneous for "
    "all pairs at α = {alpha:g}."
)
MODES = (
    "Each model, when prompted and through its function-calling interface: ranks, and lower bounds "
    "on the number of categories (of 12) on which each mode is better. All bounds are simultaneous "
    "for all pairs at α = {alpha:g}."
)
BY_METHOD = (
    "Number of pairs in which one model is significantly better on at least one category, by "
    "local test. All claims are simultaneous for all pairs at α = {alpha:g}. The study uses "
    "Simes's test."
)


@dataclass(frozen=True, eq=False)
class Answers:
    """What each model got right, item by item.

    Attributes
    ----------
    items : DataFrame, shape (n, 3)
        ``dataset``, ``instance`` and ``question`` of each item.
    right : DataFrame, shape (n, s)
        0 or 1 for each item and model, the highest-ranked first.
    fences : DataFrame
        Answers that could not be decoded: ``dataset``, ``instance``, ``system``, and 0 or 1 in
        ``fenced``, ``json``, ``calls``, ``match``.
    """

    items: pd.DataFrame
    right: pd.DataFrame
    fences: pd.DataFrame

    @property
    def models(self):
        """Names of the models, the highest-ranked first."""
        return list(self.right)

    @property
    def accuracies(self):
        """Accuracy (%) of each category (row) and model (column)."""
        return 100 * self.right.groupby(self.items["dataset"]).mean()

    def read_as(self, model, what):
        """Return who is right if fenced answers of a model were read.

        `model`: one of `models`. `what`: which undecoded answers count as right.

        Returns Series of int, shape (n,). 0 or 1 for each item.
        """
        own = self.fences[(self.fences["system"] == model) & (self.fences[what] == 1)]
        found = pd.MultiIndex.from_frame(own[["dataset", "instance"]])
        places = pd.MultiIndex.from_frame(self.items[["dataset", "instance"]])
        return self.right[model] | places.isin(found)


def read(outcomes="data/outcomes/function_calling.parquet", labels=MappingProxyType({})):
    """Read the answers.

    `outcomes`: the outcomes; a relative path starts at the checkout. Those of fences stand beside.
    `labels`: what models are called.

    Returns Answers. Its models in the order of the ranking.
    """
    path = paths.ROOT / outcomes
    table = pd.read_parquet(path)
    items = table[["dataset", "instance", "question"]]
    right = table.drop(columns=items.columns).sort_index(axis=1).rename(columns=labels)
    order = right.mean().sort_values(ascending=False, kind="stable").index
    fences = pd.read_parquet(path.with_name(f"{path.stem}_fences.parquet"))
    return Answers(items, right[order], fences.replace({"system": dict(labels)}))


def categories(answers):
    """Describe the categories.

    Returns DataFrame. ``category``, ``items``, those that are also ``in simple``, the ``lowest``,
    ``median`` and ``highest`` accuracy (%), and the ``best`` model, the first in rank of several.
    """
    asked = answers.items.groupby("dataset")["question"]
    simple = set(asked.get_group("simple"))
    found = answers.accuracies
    return pd.DataFrame(
        {
            "category": found.index,
            "items": answers.items.groupby("dataset").size().to_numpy(),
            "in simple": [
                "–" if own.isna().all() or name == "simple" else int(own.isin(simple).sum())
                for name, own in asked
            ],
            "lowest": found.min(axis=1).round(1).to_numpy(),
            "median": found.median(axis=1).round(1).to_numpy(),
            "highest": found.max(axis=1).round(1).to_numpy(),
            "best": found.idxmax(axis=1).to_numpy(),
        }
    )


def directions(board, alphas):
    """Count the pairs in which the higher-ranked or the lower-ranked is better somewhere.

    `board`: the leaderboard. `alphas`: levels, in (0, 1).

    Returns DataFrame. For each level, each pair by itself or all ``jointly``, and all categories or
    those without relevance: the number of ``pairs`` (unordered), and those with ``higher`` alone,
    ``lower`` alone, ``both`` or ``neither`` better on at least one category; of all pairs and
    of neighbours in rank.
    """
    rows = []
    claims, categories = ("one by one", "jointly"), {"all": (), f"without {RELEVANCE}": [RELEVANCE]}
    for alpha, claim, what in itertools.product(alphas, claims, categories):
        found = board.at(alpha, jointly=claim == "jointly", left_out=categories[what])
        for which in ("all", "neighbours"):
            shown = found.shown(neighbours=which == "neighbours")
            row = {"alpha": alpha, "claims": claim, "categories": what, "models": which}
            rows.append(row | {"pairs": sum(shown.values())} | shown)
    return pd.DataFrame(rows)


def by_method(pairs, alpha):
    """Count the pairs that are decided, by what is assumed of the dependence of the categories.

    `pairs`: all pairs. `alpha`: joint level, in (0, 1).

    Returns DataFrame. ``method``, what it is ``valid for``, and the unordered pairs of which one
    model is better on at least one category, jointly.
    """
    rows = []
    for dependence, method in procedure.LOCAL_TESTS.items():
        better = replace(pairs, method=method).joint_counts(alpha).to_numpy() > 0
        decided = int((better | better.T).sum() // 2)
        rows.append((procedure.TITLES[method], f"{dependence} categories", decided))
    return pd.DataFrame(rows, columns=["method", "valid for", "pairs decided"])


def ties(board, alpha):
    """List the largest sets of models in which no two differ on any category.

    `board`: the leaderboard. `alpha`: joint level of all pairs, in (0, 1).

    Returns DataFrame. As `all_pairs.Pairs.ties`, the largest first: the number of ``models``,
    ``first rank``, ``last rank``, ``points`` between them, and ``which``.
    """
    rows = []
    for found in board.pairs.ties(alpha):
        own = board.ranks[list(found)].sort_values(kind="stable")
        means = board.means[np.isin(board.systems, found)]
        apart = round(means[0] - means[-1], 2)
        rows.append((len(own), own.iloc[0], own.iloc[-1], apart, ", ".join(own.index)))
    return pd.DataFrame(rows, columns=["models", "first rank", "last rank", "points", "which"])


def layers(pairs, alpha):
    """Lay the models out in layers, by which model beats which somewhere.

    Returns DataFrame. ``layer`` from the top, the number of ``models`` and ``which``.
    """
    found = pairs.layers(alpha)
    rows = [
        (i, sum(map(len, row)), "; ".join(families.name(node, found) for node in row))
        for i, row in enumerate(found.rows, 1)
    ]
    return pd.DataFrame(rows, columns=["layer", "models", "which"])


def modes(board):
    """Compare each model that is asked in two ways with itself.

    Returns DataFrame. ``model``, ``interface`` (how it ends), the ranks ``prompted`` and ``by
    interface``, and on how many categories either is better: ``prompt better``, ``interface
    better``.
    """
    rows = [
        {
            "model": model,
            "interface": ending[2:-1],
            "prompted": board.ranks[model],
            "by interface": board.ranks[model + ending],
            "prompt better": board.counts.loc[model, model + ending],
            "interface better": board.counts.loc[model + ending, model],
        }
        for model in board.systems
        for ending in INTERFACE
        if model + ending in board.systems
    ]
    return pd.DataFrame(rows)


def audit():
    """Judge the accuracies that the leaderboard's files print by the items that they list.

    Returns list of replicability.forensics.Verdict. One for each model and category.
    """
    answers = read()
    right = answers.right.groupby(answers.items["dataset"]).agg(["sum", "size"])
    found = []
    for row in read_published("patil2025", "scores").itertuples():
        correct, n = right.loc[row.category, row.model]
        claim = audits.Claim(PAPER, row.category, f"accuracy of {row.model}", row.accuracy)
        sentence = f"{n - correct} of {n} items are listed as failed."
        found.append(audits.value(claim, correct / n, sentence, trivial=True))
    return found
