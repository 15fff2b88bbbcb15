"""On how many benchmarks? What the mean of a leaderboard does not say, for all of them together."""

import dataclasses
import functools

import numpy as np
import pandas as pd

from analysis import items
from analysis.leaderboards import (
    boards,
    function_calling,
    kocmi2024,
    mmlu_pro,
    suzgun2023,
    swe_bench,
)
from replicability.core import findings

RANKS = (
    "The first systems of each ranking: rank, rank interval, mean rank over the datasets, and the "
    "numbers of systems that each one beats and is beaten by. All claims are simultaneous for all "
    "pairs of a leaderboard at α = {alpha:g}."
)
BOARDS = (
    "Number of pairs in which the system with the higher mean, the system with the lower mean, "
    "both or neither is significantly better on at least one dataset. Also "
    "the pairs with adjacent ranks (“neighbours”) that differ significantly, the largest lead "
    "without a significant difference, and the smallest lead at or above which all pairs differ "
    "significantly (points). All claims are simultaneous for all pairs, or for all neighbours, "
    "of a leaderboard at α = {alpha:g}."
)
NAMED = (
    "The first pair chosen for each benchmark: difference of the means over all units (points), "
    "and lower bounds on the number of datasets on which each system is better. Both directions "
    "are tested at joint level α = {alpha:g}."
)
AUDIT = (
    "Printed numbers of five benchmarks, the values that follow from raw answers or other printed "
    "numbers, and the verdicts."
)
TOTALS = "Verdicts on printed numbers and lists, by benchmark."


@functools.cache
def title(section):
    """Name the benchmark of a section, as the title of its notebook begins."""
    (said,) = (n.title for n in items.read_notebooks() if n.name == section)
    return said.partition(":")[0]


def ask_first(study):
    """Ask the first pair that a study names for each benchmark; `replicability.Results`."""
    pairs = tuple(study.section(name).comparisons[0] for name in study.sections)
    return dataclasses.replace(study, comparisons=pairs).ask()


def read_boards(families):
    """Rank the systems of each family of a study, as `boards.RANKED_BY` says."""
    return [boards.read(family, title(family.family.section)) for family in families]


def verdicts():
    """Judge every printed number of the five benchmarks of language models and translation.

    Returns list of replicability.forensics.Verdict. One per number or list, in the order of the
    chapters.
    """
    wings = (suzgun2023, mmlu_pro, function_calling, swe_bench, kocmi2024)
    return [verdict for wing in wings for verdict in wing.audit()]


def pairs(found):
    """Tabulate `Board.summary` of each leaderboard, with its ``benchmark``."""
    return pd.DataFrame([{"benchmark": board.title, **board.summary()} for board in found])


def ranks(found, first):
    """Tabulate the rank by the mean, the mean rank and the numbers of systems beaten.

    `found`: the leaderboards. `first`: systems of each, those with the highest means.

    Returns DataFrame. ``benchmark`` and the columns of `Board.ranking`, but for those of lower
    rank.
    """
    rows = [board.ranking().head(first).assign(benchmark=board.title) for board in found]
    table = pd.concat(rows, ignore_index=True).round({"mean": 1})
    return table[["benchmark", *table.columns.drop(["benchmark", "lower-ranked"])]]


def named(results):
    """Lay the difference of the means beside the counts of both directions.

    Returns DataFrame. ``benchmark``, ``A``, ``B``, ``A minus B`` in points, ``datasets``, and on at
    least how many each is ``better``, both directions at the level of the result together.
    """
    rows = []
    for result in results:
        comparison, table = result.comparison, result.evaluated
        ahead = table["score_a"] - table["score_b"]
        there, back = findings.find_both(comparison, table, result.alpha)
        rows.append(
            {
                "benchmark": title(comparison.section),
                "A": comparison.systems[0],
                "B": comparison.systems[1],
                "A minus B": round(np.average(ahead, weights=table["n"]), 1),
                "datasets": len(table),
                "A better": there.k,
                "B better": back.k,
            }
        )
    return pd.DataFrame(rows)
