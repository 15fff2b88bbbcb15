"""On how many benchmarks? What the mean of a leaderboard does not say, for all of them together."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from analysis.leaderboards import function_calling, kocmi2024, mmlu_pro, suzgun2023, swe_bench
from analysis.leaderboards.boards import largest_undecided, lay_out, leads, parted, places
from replicability.core import all_pairs, findings
from replicability.io import several
from replicability.show.style import COLOURS, STYLE, plain

RANKS = (
    "The systems with the highest means over all items: their rank, the mean of their ranks on the "
    "datasets, and how many of the other systems each is shown to beat, and to be beaten by, on at "
    "least one dataset, all claims of a leaderboard together at alpha = {alpha:g}."
)
BOARDS = (
    "Pairs of systems, by what is shown of them on at least one dataset, all claims of a "
    "leaderboard together at alpha = {alpha:g}: the one with the higher mean over all items is "
    "better, the one with the lower mean is better, both, on different datasets, or nothing; and "
    "how many of the neighbours in rank are told apart. Leads are differences of means in points: "
    "the largest with which nothing is shown, and the smallest from which on every pair is told "
    "apart."
)
NAMED = (
    "The first pair that was named for each benchmark: difference of the means over all units in "
    "points, and on how many datasets each is shown to be better, both directions together at "
    "alpha = {alpha:g}."
)
AUDIT = (
    "Printed numbers of five benchmarks, what follows from raw answers or from other printed "
    "numbers, and a verdict on each."
)
TOTALS = "Verdicts on printed numbers and lists, by benchmark."
TITLES = {
    "big_bench_hard": "BIG-Bench Hard",
    "mmlu_pro": "MMLU-Pro",
    "function_calling": "Berkeley Function Calling",
    "swe_bench": "SWE-bench",
    "translation": "WMT24",
}
"""Section of the study -> name of its benchmark."""

HIGHER = "the higher mean is shown better"
LOWER = "the lower mean is shown better"
NEITHER = "nothing is shown"


def read_boards(families, alpha):
    """Compare all pairs of each leaderboard.

    Parameters
    ----------
    families : sequence of study.Family
        The leaderboards.
    alpha : float
        As for `boards.lay_out`, for each leaderboard.

    Returns
    -------
    list of boards.Board
        In the same order.
    """
    found = []
    for family in families:
        sizes = [part.scores.shape[1] for part in several.read(family)[1]]
        compared = all_pairs.compare(family)
        found.append(lay_out(compared, alpha, TITLES[family.section], sizes))
    return found


def verdicts():
    """Judge every printed number of the five benchmarks.

    Returns
    -------
    list of replicability.forensics.Verdict
        One per number or list, in the order of the chapters.
    """
    wings = (suzgun2023, mmlu_pro, function_calling, swe_bench, kocmi2024)
    return [verdict for wing in wings for verdict in wing.audit()]


def pairs(boards):
    """Tabulate what is shown of the pairs of each leaderboard.

    Parameters
    ----------
    boards : sequence of boards.Board
        The leaderboards.

    Returns
    -------
    DataFrame
        One row for each: ``benchmark``, ``systems``, ``datasets``, ``pairs`` (unordered), those of
        which the ``higher``, the ``lower``, ``both`` or ``neither`` is better on some dataset,
        ``neighbours`` told apart, and two leads in points, or "none": the largest with ``nothing
        shown``, and the smallest from which on all pairs are told apart.
    """
    return pd.DataFrame([_pairs(board) for board in boards])


def _pairs(board):
    found = leads(board)
    above, below = found["above"] > 0, found["below"] > 0
    largest = largest_undecided(found)
    next_to = found["gap"] == 1
    beyond = found.loc[~(found["lead"] <= largest), "lead"]
    return {
        "benchmark": board.title,
        "systems": len(board.systems),
        "datasets": len(board.datasets),
        "pairs": len(found),
        **{shown: int(own.sum()) for shown, own in parted(above, below).items()},
        "neighbours": f"{int((above | below)[next_to].sum())} of {int(next_to.sum())}",
        "nothing shown": _points(largest),
        "all told apart": _points(beyond.min()),
    }


def _points(lead):
    return "none" if np.isnan(lead) else f"{lead:.1f}"


def ranks(boards, first):
    """Lay the rank by the mean beside the mean of ranks and beside counts.

    Parameters
    ----------
    boards : sequence of boards.Board
        The leaderboards.
    first : int
        Systems of each, those with the highest means.

    Returns
    -------
    DataFrame
        ``benchmark``, ``rank`` by the mean (ties share theirs), ``system``, ``mean``, ``mean rank``
        over datasets, and the number of other systems that it ``beats`` on at least one dataset,
        ``beats on half`` of them or more, and that it is ``beaten by`` on at least one.
    """
    rows = []
    for board in boards:
        rank = places(board.means)
        over_datasets = stats.rankdata(-board.scores, axis=0).mean(axis=1)
        for i, system in enumerate(board.systems[:first]):
            rows.append(
                {
                    "benchmark": board.title,
                    "rank": int(rank[i]),
                    "system": system,
                    "mean": round(board.means[i], 1),
                    "mean rank": round(over_datasets[i], 1),
                    "beats": int((board.counted[i] > 0).sum()),
                    "beats on half": int((board.counted[i] >= len(board.datasets) / 2).sum()),
                    "beaten by": int((board.counted[:, i] > 0).sum()),
                }
            )
    return pd.DataFrame(rows)


def named(comparisons, results, alpha):
    """Lay the difference of the means beside the counts of both directions.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Named pairs.
    results : sequence of Tested
        As `evaluation.evaluate` returns them, in the same order.
    alpha : float
        Joint level of both directions, in (0, 1).

    Returns
    -------
    DataFrame
        ``benchmark``, ``A``, ``B``, ``A less B`` in points, ``datasets``, and on at least how many
        each is ``better``.
    """
    rows = []
    for comparison, table in zip(comparisons, results, strict=True):
        ahead = table["score_a"] - table["score_b"]
        there, back = findings.find_both(comparison, table, alpha)
        rows.append(
            {
                "benchmark": TITLES[comparison.section],
                "A": comparison.systems[0],
                "B": comparison.systems[1],
                "A less B": round(np.average(ahead, weights=table["n"]), 1),
                "datasets": len(table),
                "A better": there.k,
                "B better": back.k,
            }
        )
    return pd.DataFrame(rows)


def figure(boards):
    """Draw for every pair the lead of the mean, and on what share of the datasets it is shown.

    Parameters
    ----------
    boards : sequence of boards.Board
        The leaderboards.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each: upwards the share of the datasets on which the system with the higher mean
        is shown better, downwards that of the one with the lower mean. Two stand in a row, so that
        their letters can be read in the column of a page.
    """
    n_rows = -(-len(boards) // 2)
    with plt.rc_context(STYLE):
        made, axes = plt.subplots(
            n_rows,
            2,
            figsize=(7.4, 0.5 + 3.1 * n_rows),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, board in zip(axes.flat, boards, strict=False):
            _panel(axis, board)
        for axis in axes.flat[len(boards) :]:
            axis.axis("off")
        for axis in axes[-1]:
            axis.set_xlabel("lead of the mean (points)")
        for axis in axes[:, 0]:
            axis.set_ylabel("share of the datasets")
        axes[0, 0].set_yticks([-0.5, 0, 0.5, 1], ["half", "none", "half", "all"])
        axes[0, 0].set_ylim(-max(0.55, *map(_lowest, boards)), 1.05)
        axes[0, 0].set_xlim(0, max(40, *(1.2 * leads(board)["lead"].max() for board in boards)))
        handles, labels = axes[0, 0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return made


def _lowest(board):
    """Return how far below zero a leaderboard reaches."""
    return leads(board)["below"].max() / len(board.datasets) + 0.05


def _panel(axis, board):
    """Draw a leaderboard: a point for each pair and direction that is shown."""
    found, n = leads(board), len(board.datasets)
    neither = (found["above"] == 0) & (found["below"] == 0)
    above, below = found[found["above"] > 0], found[found["below"] > 0]
    dot = {"s": 9, "linewidths": 0, "alpha": 0.55}
    axis.axhline(0, color=COLOURS["faint"], linewidth=0.8, zorder=0)
    axis.scatter(above["lead"], above["above"] / n, color=COLOURS["a"], **dot, label=HIGHER)
    axis.scatter(below["lead"], -below["below"] / n, color=COLOURS["b"], **dot, label=LOWER)
    axis.scatter(
        found["lead"][neither],
        np.zeros(neither.sum()),
        marker="|",
        color=COLOURS["neutral"],
        s=28,
        linewidths=0.6,
        label=NEITHER,
    )
    axis.set_xscale("symlog", linthresh=1, linscale=0.6)
    axis.set_xticks([0, 1, 3, 10, 30], ["0", "1", "3", "10", "30"])
    largest = largest_undecided(found)
    least = "every pair is told apart"
    said = least if np.isnan(largest) else f"largest undecided lead: {largest:.1f} points"
    title = f"{plain(board.title)}\n{len(found):,} pairs, {n} datasets\n{said}"
    axis.set_title(title, loc="left", fontsize="small")
