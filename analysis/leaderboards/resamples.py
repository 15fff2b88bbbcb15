"""Leaderboards of resamples: how these are treated, and mean ranks next to k-hat.

A critical-difference diagram treats datasets as draws from a population, and each dataset as one
number. It says which systems differ over that population (Demšar 2006), not on how many datasets.
"""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from replicability.show import forest
from replicability.show.style import COLOURS, STYLE, plain
from replicability.stats import multiple_testing, paired, partial_conjunction

READINGS = (
    "k-hat (Bonferroni) and the number of p-values at or below {alpha:g}, by how resamples are "
    "treated. We test only whether the first classifier is better."
)
BY_RANKS = (
    "Number of pairs of classifiers that differ significantly at α = {alpha:g}: over a population "
    "of datasets according to mean ranks (Nemenyi) or signed ranks (Wilcoxon, Holm), or on these "
    "datasets according to k-hat. “Neighbours” are adjacent in the ranking by the mean."
)
EACH = "Each row is corrected for testing all pairs."
TESTS = (
    f"{BY_RANKS} “Large test parts” leaves out datasets whose test set is less than half of the "
    f"data. {EACH}"
)
LEADER = (
    "{leader}, which has the best mean rank, against every other system: mean rank, the two tests "
    "of critical-difference diagrams, and lower bounds on the number of datasets on which each "
    "system is better. All bounds are simultaneous for all pairs at α = {alpha:g}."
)
SHOWN = 20
"""Systems that the figure shows at most."""


def readings(results):
    """Count the datasets on which A is better, by how the resamples are treated.

    Returns DataFrame. ``comparison``, ``resamples are``, ``test``, the number of p-values that are
    ``significant one by one``, and ``k-hat``.
    """
    rows = []
    for result in results:
        comparison = result.comparison
        (file,) = comparison.paths
        named = pd.read_parquet(file).groupby(comparison.columns["dataset"])
        parts = {name: own[[*comparison.systems]].to_numpy().T for name, own in named}
        own = {name: comparison.options_of(name) for name in parts}
        halves = {name: options | {"test_share": 0.5} for name, options in own.items()}
        for treated, test, options in (
            ("splits with the test parts of the datasets", "resampled_t", own),
            ("splits into equal halves", "resampled_t", halves),
            ("independent items", "wilcoxon", {name: {} for name in parts}),
        ):
            tested = [paired.run(test, *parts[name], **options[name]) for name in parts]
            p = np.array([one.pvalue for one in tested])
            rows.append(
                {
                    "comparison": comparison.title,
                    "resamples are": treated,
                    "test": paired.lookup(test).title,
                    "significant one by one": int((p <= result.alpha).sum()),
                    "k-hat": int(partial_conjunction.k_hat(p, result.alpha)),
                }
            )
    return pd.DataFrame(rows)


def critical_difference(s, n, alpha):
    """Return the difference of mean ranks from which Nemenyi's test rejects (Demšar 2006).

    `s`: number of systems. `n`: number of datasets. `alpha`: level.
    """
    quantile = stats.studentized_range.ppf(1 - alpha, s, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(s * (s + 1) / (6 * n)))


def differ(board):
    """Say which pairs differ, by test: two ndarrays of bool, shape (s, s).

    ``Nemenyi``, by mean ranks; ``Wilcoxon``, by signed ranks of each pair, corrected by Holm's
    procedure for all pairs.
    """
    ranks, scores = board.mean_ranks.to_numpy(), board.scores.round(9).to_numpy()
    upper = np.triu_indices(len(ranks), 1)
    pvalues = [
        stats.wilcoxon((scores[a] - scores[b]).round(9)).pvalue for a, b in zip(*upper, strict=True)
    ]
    wilcoxon = np.zeros((len(ranks),) * 2, bool)
    wilcoxon[upper] = multiple_testing.identify(pvalues, board.alpha)
    critical = critical_difference(*board.scores.shape, board.alpha)
    nemenyi = np.abs(ranks[:, None] - ranks) >= critical
    return {"Nemenyi": nemenyi, "Wilcoxon": wilcoxon | wilcoxon.T}


def tests(board, shares=None):
    """Count the pairs and neighbours that differ by each test, and by k-hat.

    `shares`: share of the test part, by dataset; without it, small test parts are not left out.

    Returns DataFrame. ``test``, ``claim``, ``pairs`` and ``neighbours``.
    """
    k, n = board.counts.to_numpy(), len(board.datasets)
    most, found = np.maximum(k, k.T), differ(board)
    small = [name for name, share in (shares or {}).items() if share < 0.5]
    large = board.at(board.alpha, left_out=small).counts.to_numpy()
    without = {
        "k-hat, large test parts": (
            f"one system is better on at least 1 of {n - len(small)} datasets",
            np.maximum(large, large.T) > 0,
        )
    }
    rows = {
        "mean ranks (Nemenyi)": ("differ over a population", found["Nemenyi"]),
        "signed ranks (Wilcoxon, Holm)": ("differ over a population", found["Wilcoxon"]),
        "k-hat": ("one system is better on at least 1 dataset", most > 0),
        **(without if small else {}),
        "k-hat of both": ("each system is better on at least 1 dataset", np.minimum(k, k.T) > 0),
        "k-hat, 10%": (f"one system is better on at least {-(-n // 10)} datasets", most >= n / 10),
        "k-hat, half": (f"one system is better on at least {-(-n // 2)} datasets", most >= n / 2),
    }
    return pd.DataFrame(
        [
            {
                "test": test,
                "claim": claim,
                "pairs": int(np.triu(differs, 1).sum()),
                "neighbours": int(np.diag(differs, 1).sum()),
            }
            for test, (claim, differs) in rows.items()
        ]
    )


def leader(board):
    """Compare the system with the best mean rank with each other one.

    Returns DataFrame, s - 1 rows, the best mean rank first. ``system``, ``mean rank``, whether
    ``Nemenyi`` and ``Wilcoxon`` find a difference, ``leader better on`` and ``leader worse on``.
    """
    ranks, k, found = board.mean_ranks, board.counts, differ(board)
    first = board.systems.index(ranks.idxmin())
    said = {name: np.where(one[first], "differs", "no difference") for name, one in found.items()}
    table = pd.DataFrame(
        {
            "system": board.systems,
            "mean rank": ranks.to_numpy().round(1),
            **said,
            "leader better on": k.iloc[first].to_numpy(),
            "leader worse on": k.iloc[:, first].to_numpy(),
        }
    )
    order = np.argsort(ranks.to_numpy(), kind="stable")
    return table.iloc[order[1:]].reset_index(drop=True)


def draw(board, system="systems"):
    """Draw mean ranks with the critical difference next to k-hat, the best systems first.

    `system`: what systems (several) are called.

    Returns matplotlib.figure.Figure. The band on the left has the systems whose mean rank does not
    differ from the best one.
    """
    table, ranks = leader(board), board.mean_ranks
    shown, best, name = table.head(SHOWN), ranks.min(), plain(ranks.idxmin())
    heights = np.arange(len(shown))
    with plt.rc_context(STYLE | {"font.size": 9}):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(7.2, 1.6 + 0.2 * len(shown)), sharey=True, layout="constrained"
        )
        label = f"not significantly different from {name} (Nemenyi)"
        label = textwrap.fill(label, 46, break_on_hyphens=False)
        band = {"color": COLOURS["faint"], "alpha": 0.5, "label": label}
        critical = critical_difference(*board.scores.shape, board.alpha)
        left.axvspan(best, best + critical, **band)
        left.axvline(best, color="black", linewidth=0.8)
        left.plot(shown["mean rank"], heights, "o", color="black", markersize=5)
        names = [plain(forest.shortened(system, 26)) for system in shown["system"]]
        left.set_yticks(heights, names, size=8)
        left.set_ylim(len(shown) - 0.4, -0.6)
        left.set_xlabel(f"mean rank over {len(board.datasets)} datasets")
        bars = {
            f"{name} is better": ("leader better on", 1, "a"),
            f"{name} is worse": ("leader worse on", -1, "b"),
        }
        for label, (column, sign, colour) in bars.items():
            right.barh(heights, sign * shown[column], color=COLOURS[colour], label=label)
        right.axvline(0, color="black", linewidth=0.8)
        right.xaxis.set_major_formatter(lambda value, _: f"{abs(value):.0f}")
        n = len(board.datasets)
        right.set_xlabel(f"lower bound (of {n} datasets),\nsimultaneous for all pairs")
        for axis in (left, right):
            axis.tick_params(axis="y", length=0)
            ncols = 2 if len(name) <= 12 else 1
            axis.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=8, ncols=ncols)
        worse = table["leader worse on"] > 0
        figure.suptitle(
            f"By mean rank, {name} differs from {(table['Nemenyi'] == 'differs').sum()} of "
            f"{len(table)} {system};\non at least one dataset it is significantly better than "
            f"{(table['leader better on'] > 0).sum()} and worse than {worse.sum()}",
            fontsize="large",
        )
    return figure
