"""All pairs of a leaderboard: rank, lead, neighbour and upset, defined once for every board.

A system is ranked by its mean, of two systems the one in front has the lead, and neighbours are
next to each other in the ranking. Two systems differ if one of both is better on at least one
dataset. The level is that of all ordered pairs together; neighbours are a question of their own,
which is asked of them alone, so that it is that of both directions of all steps of the ranking.
"""

import dataclasses
import functools
import itertools
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

import replicability as rep
from analysis import assembly
from replicability.core import all_pairs
from replicability.io import several
from replicability.show.style import COLOURS, STYLE, plain

HIGHER = "the higher mean is shown better"
LOWER = "the lower mean is shown better"
NEITHER = "nothing is shown"

OF_STEPS = "Claims about neighbours alone hold together, too, at the level of these claims alone."

RANKED_BY = {"translation": "datasets"} | {
    section: block["by"] for section, block in assembly.described("board").items()
}
"""Section -> what weighs the same in the mean by which systems are ranked; elsewhere "items"."""

ROW = 0.135
"""Height of a system's row, in inches."""


@dataclass(frozen=True, eq=False)
class Board:
    """A leaderboard: systems in the order of their rank, and what is shown of each pair.

    Attributes
    ----------
    title : str
        Its name.
    systems : tuple of str
        The s systems, the first of the ranking first.
    means : ndarray, shape (s,)
        Means by which they are ranked, in points.
    pairs : all_pairs.Pairs
        p-values on the n datasets that are looked at.
    level : float
        Level of each ordered pair.
    alpha : float
        Level as it was given.
    """

    title: str
    systems: tuple
    means: np.ndarray
    pairs: all_pairs.Pairs
    level: float
    alpha: float

    @property
    def datasets(self):
        """Names of the n datasets."""
        return self.pairs.datasets

    def at(self, alpha, *, jointly=True, left_out=()):
        """Return the board at another level, without some datasets but in the same order.

        `alpha`: level, in (0, 1). `jointly`: whether it is that of all ordered pairs together, or
        of each. `left_out`: datasets on which nothing is looked at; pairs are not by joint flips
        then.

        Returns Board. Ranked as before.
        """
        pairs = self.pairs
        if left_out:
            kept = ~np.isin(pairs.datasets, list(left_out))
            pairs = all_pairs.Pairs(
                pairs.systems,
                tuple(np.array(pairs.datasets)[kept]),
                pairs.scores[:, kept],
                pairs.pvalues[..., kept],
                method=pairs.method,
            )
        level = alpha / pairs.n_pairs if jointly else alpha
        return dataclasses.replace(self, pairs=pairs, level=level, alpha=alpha)

    @functools.cached_property
    def counts(self):
        """On at least how many datasets the system of the row is better than that of the column."""
        return self.pairs.counts(self.level).loc[[*self.systems], [*self.systems]]

    @functools.cached_property
    def named(self):
        """On which datasets it is; ndarray of bool, shape (s, s, n)."""
        named = np.zeros((len(self.systems), len(self.systems), len(self.datasets)), bool)
        for (i, a), (j, b) in itertools.permutations(enumerate(self.systems), 2):
            if self.counts.iloc[i, j]:
                named[i, j] = self.pairs.claims(a, b, self.level).named
        return named

    @functools.cached_property
    def scores(self):
        """Mean score of each system (row) on each dataset (column)."""
        table = pd.DataFrame(self.pairs.scores, self.pairs.systems, self.datasets)
        return table.loc[[*self.systems]]

    @property
    def ranks(self):
        """Rank of each system, from 1; equal means share theirs."""
        return pd.Series(places(self.means), self.systems)

    @functools.cached_property
    def leads(self):
        """The s (s - 1) / 2 pairs, those of the first system first.

        ``higher`` and ``lower``, the systems; ``lead``, the difference of their means, 0 or more;
        ``above`` and ``below``, on at least how many datasets the higher and the lower is better.
        """
        upper, lower = np.triu_indices(len(self.systems), 1)
        names, counted = np.array(self.systems), self.counts.to_numpy()
        return pd.DataFrame(
            {
                "higher": names[upper],
                "lower": names[lower],
                "lead": self.means[upper] - self.means[lower],
                "above": counted[upper, lower],
                "below": counted[lower, upper],
            }
        )

    @functools.cached_property
    def steps(self):
        """The s - 1 neighbours in the order of the ranking, a family of their own.

        ``higher``, ``lower`` and ``lead`` as in `leads`; ``above`` and ``below`` at the level of
        the 2 (s - 1) claims about them, or of each if that is the level of the board; and the
        datasets on which each is named, ``named above`` and ``named below``.
        """
        each = self.alpha if self.level == self.alpha else self.alpha / (2 * len(self.systems) - 2)
        rows = []
        leads = self.means[:-1] - self.means[1:]
        for (a, b), lead in zip(itertools.pairwise(self.systems), leads, strict=True):
            row = {"higher": a, "lower": b, "lead": lead}
            for side, ends in (("above", (a, b)), ("below", (b, a))):
                claims = self.pairs.claims(*ends, each)
                row[side] = claims.bound().at_least
                row[f"named {side}"] = ", ".join(np.array(self.datasets)[claims.named])
            rows.append(row)
        return pd.DataFrame(rows)

    def shown(self, neighbours=False):
        """Count the pairs, or the neighbours alone, by what is shown of them, as `parted` does."""
        found = self.steps if neighbours else self.leads
        parts = parted(found["above"] > 0, found["below"] > 0)
        return {name: int(own.sum()) for name, own in parts.items()}

    @property
    def largest_undecided(self):
        """Largest lead with which nothing is shown; NaN if something is shown of all pairs."""
        found = self.leads
        return found.loc[(found["above"] == 0) & (found["below"] == 0), "lead"].max()

    def summary(self):
        """Count pairs and neighbours by what is shown of them, with two leads.

        Returns dict. ``systems``, ``datasets``, ``pairs``, those of `shown`, ``neighbours`` of
        which something is shown, and in points, or "none", the largest lead with ``nothing shown``
        and the smallest from which on something is shown of all pairs, ``all told apart``.
        """
        largest, beside = self.largest_undecided, self.shown(neighbours=True)
        beyond = self.leads.loc[~(self.leads["lead"] <= largest), "lead"].min()
        steps = len(self.systems) - 1
        return {
            "systems": len(self.systems),
            "datasets": len(self.datasets),
            "pairs": len(self.leads),
            **self.shown(),
            "neighbours": f"{steps - beside['neither']} of {steps}",
            "nothing shown": "none" if np.isnan(largest) else f"{largest:.1f}",
            "all told apart": "none" if np.isnan(beyond) else f"{beyond:.1f}",
        }

    def ranking(self):
        """Lay the rank beside the mean rank, and beside what is shown.

        Returns DataFrame, s rows. ``rank``, ``system``, ``mean``, ``mean rank`` over the datasets
        (ties share theirs), the number of other systems that it ``beats`` on at least one dataset,
        ``beats on half`` of them or more, and is ``beaten by``; of the latter those that are
        ``lower-ranked``.
        """
        k = self.counts.to_numpy()
        return pd.DataFrame(
            {
                "rank": self.ranks.to_numpy(),
                "system": self.systems,
                "mean": self.means,
                "mean rank": stats.rankdata(-self.scores, axis=0).mean(axis=1).round(1),
                "beats": (k > 0).sum(axis=1),
                "beats on half": (k >= len(self.datasets) / 2).sum(axis=1),
                "beaten by": (k > 0).sum(axis=0),
                "lower-ranked": (np.tril(k) > 0).sum(axis=0),
            }
        )

    def neighbours(self):
        """Lay out on which datasets neighbours in the ranking differ.

        Returns DataFrame, s - 1 rows. ``rank`` (place), ``higher``, ``lower``, ``lead``; on at
        least how many datasets each is better, ``higher better on`` and ``lower better on``, and
        those that are named.
        """
        found = self.steps
        return pd.DataFrame(
            {
                "rank": np.arange(len(found)) + 1,
                "higher": found["higher"],
                "lower": found["lower"],
                "lead": found["lead"].round(2),
                "higher better on": found["above"],
                "lower better on": found["below"],
                "higher named on": found["named above"],
                "lower named on": found["named below"],
            }
        )

    def listed(self, a, b):
        """List the datasets on which each system of a is named against that of b, by places."""
        return [", ".join(np.array(self.datasets)[own]) for own in self.named[a, b]]

    def upsets(self):
        """List the pairs in which the lower is shown better somewhere.

        Returns DataFrame. ``lower mean`` and ``higher mean``, the systems with their means, and on
        at least how many datasets each is better, ``lower better on`` and ``higher better on``.
        """
        found = self.leads[self.leads["below"] > 0]
        found = found.sort_values("lower", key=lambda s: s.map(self.systems.index), kind="stable")
        mean = dict(zip(self.systems, self.means, strict=True))
        return pd.DataFrame(
            {
                **{
                    f"{end} mean": [f"{name} ({mean[name]:.1f})" for name in found[end]]
                    for end in ("lower", "higher")
                },
                "lower better on": found["below"].to_numpy(),
                "higher better on": found["above"].to_numpy(),
            }
        )

    def by_dataset(self):
        """Count the pairs in which the ``higher`` and the ``lower`` is named, dataset by dataset.

        Returns DataFrame, n rows. With the ``dataset``; the one first on which most lower ones are
        named.
        """
        upper, lower = np.triu_indices(len(self.systems), 1)
        counted = {
            "higher": self.named[upper, lower].sum(axis=0),
            "lower": self.named[lower, upper].sum(axis=0),
        }
        table = pd.DataFrame({"dataset": self.datasets} | counted)
        return table.sort_values("lower", ascending=False, kind="stable", ignore_index=True)

    def tables(self, systems="systems", dataset="dataset"):
        """Return the tables that every leaderboard has, with their captions.

        `systems`, `dataset`: what systems (several) and a dataset are called.

        Returns dict of str to replicability.Table. Name -> table with its caption.
        """
        jointly = f"All claims about all pairs hold together at α = {self.alpha:g}."
        captioned = {
            "ranking": (
                self.ranking().round({"mean": 1}),
                f"Rank by the mean, mean of the ranks on each {dataset}, and how many of the other "
                f"{systems} each is shown to beat on some {dataset} and on half of them or more, "
                "and to be beaten by; of the latter those that rank lower.",
            ),
            "pairs": (
                pd.DataFrame([self.summary()]),
                f"Pairs of {systems} by what is shown of them on at least one {dataset}: that the "
                "one with the higher mean is better, the lower, both (on different ones), or "
                "nothing; neighbours in rank of which something is shown; and in points the "
                "largest lead with which nothing is shown and the smallest from which on something "
                f"is shown of all pairs. {OF_STEPS}",
            ),
            "by_dataset": (
                self.by_dataset().rename(columns={"dataset": dataset}),
                f"Pairs of {systems} in which the one with the higher and the one with the lower "
                f"mean is named as better, by {dataset}.",
            ),
            "neighbours": (
                self.neighbours(),
                f"Neighbours in rank: lead in points, on at least how many {dataset}s each is "
                f"better, and on which it is named. {OF_STEPS}",
            ),
            "upsets": (
                self.upsets(),
                "Pairs in which the one with the lower mean is shown better somewhere: means, and "
                f"on at least how many {dataset}s each of the two is better.",
            ),
        }
        return {
            name: rep.Table(table, f"{caption} {jointly}")
            for name, (table, caption) in captioned.items()
        }


def read(family, title=""):
    """Rank the systems of a family, as `RANKED_BY` says.

    `family`: a `replicability.Family`. `title`: name of the leaderboard.

    Returns Board. The leaderboard, at the level of the family for all pairs together.
    """
    sizes = None
    if RANKED_BY.get(family.family.section, "items") == "items":
        sizes = [part.scores.shape[1] for part in several.read(family.family)[1]]
    return lay_out(family.pairs, family.alpha, title, sizes)


def lay_out(compared, alpha, title="", sizes=None):
    """Rank the systems of a leaderboard whose pairs were compared.

    `compared`: `all_pairs.Pairs` of the systems. `alpha`: joint level of all ordered pairs, in
    (0, 1). `title`: name of the leaderboard. `sizes`: items of each dataset, by which the mean
    weighs them, systems with equal means by name; by default all weigh the same.
    """
    means = np.average(compared.scores, axis=1, weights=sizes)
    by_mean = np.lexsort((compared.systems, -means.round(9)))
    order = np.arange(len(means)) if sizes is None else by_mean
    systems = tuple(compared.systems[i] for i in order)
    return Board(title, systems, means[order], compared, alpha / compared.n_pairs, alpha)


def parted(above, below):
    """Part pairs by whether the higher and the lower mean is shown better somewhere.

    `above`, `below`: whether either is.

    Returns dict of str to array_like of bool. ``higher`` alone, ``lower`` alone, ``both`` or
    ``neither``: each pair is one of these.
    """
    return {
        "higher": above & ~below,
        "lower": below & ~above,
        "both": above & below,
        "neither": ~(above | below),
    }


def places(means):
    """Rank means from 1, the highest first; those that agree to nine digits share their rank."""
    return stats.rankdata(-np.round(means, 9), method="min").astype(int)


def draw_ranks(table, system="systems", dataset="dataset", mean="mean"):
    """Draw the rank of each system, its mean rank, and whom it beats and is beaten by.

    `table`: as `Board.ranking` returns it. `system`, `dataset`, `mean`: what systems (several), a
    dataset and the mean by which systems are ranked are called.

    Returns matplotlib.figure.Figure. A row for each system; the title says how many are beaten by
    one that is ranked below them.
    """
    heights, n = np.arange(len(table)), len(table)
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(
            1,
            2,
            figsize=(11.5, 1.3 + ROW * n),
            sharey=True,
            layout="constrained",
        )
        left.hlines(
            heights, table["rank"], table["mean rank"], color=COLOURS["faint"], linewidth=1.2
        )
        left.plot(table["rank"], heights, "|", color=COLOURS["neutral"], label=f"rank by {mean}")
        left.plot(
            table["mean rank"], heights, "o", markersize=4, color=COLOURS["a"], label="mean rank"
        )
        left.set_yticks(heights, map(plain, table["system"]), size=6.5)
        left.set_xlabel(f"rank among {n} {system}")
        left.set_ylim(n - 0.3, -0.7)
        higher, lower = table["beaten by"] - table["lower-ranked"], table["lower-ranked"]
        bars = {
            "beats": (table["beats"], 0, "a"),
            "beaten by higher-ranked": (-higher, 0, "faint"),
            "beaten by lower-ranked": (-lower, -higher, "b"),
        }
        for label, (width, start, colour) in bars.items():
            right.barh(heights, width, left=start, color=COLOURS[colour], label=label)
        right.axvline(0, color="black", linewidth=0.6)
        step = 20 if n > 40 else 5
        ticks = np.arange(-(n // step) * step, n + 1, step)
        right.set_xticks(ticks, [str(abs(tick)) for tick in ticks])
        right.set_xlabel(f"{system}, on at least one {dataset} (jointly)")
        for axis in (left, right):
            axis.tick_params(axis="y", length=0)
            axis.legend(
                loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=7.5, columnspacing=1
            )
        figure.suptitle(
            f"{(lower > 0).sum()} of {n} {system} are beaten, on some {dataset}, by a "
            f"{system.removesuffix('s')} that is ranked below them",
            fontsize="large",
        )
    return figure


def draw_leads(boards):
    """Draw for every pair the lead of the mean, and on what share of the datasets it is shown.

    `boards`: the leaderboards.

    Returns matplotlib.figure.Figure. A panel for each: upwards the share of the datasets on which
    the system with the higher mean is shown better, downwards that of the one with the lower mean.
    Two stand in a row, so that their letters can be read in the column of a page.
    """
    n_columns = min(2, len(boards))
    n_rows = -(-len(boards) // n_columns)
    with plt.rc_context(STYLE):
        made, axes = plt.subplots(
            n_rows,
            n_columns,
            figsize=(7.4, 0.5 + 3.1 * n_rows),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, board in zip(axes.flat, boards, strict=False):
            _draw_pairs(axis, board)
        for axis in axes.flat[len(boards) :]:
            axis.axis("off")
        for axis in axes.flat[max(0, len(boards) - n_columns) : len(boards)]:
            axis.set_xlabel("lead of the mean (points)")
            axis.tick_params(labelbottom=True)
        for axis in axes[:, 0]:
            axis.set_ylabel("share of the datasets")
        lowest = (board.leads["below"].max() / len(board.datasets) + 0.05 for board in boards)
        axes[0, 0].set_yticks([-0.5, 0, 0.5, 1], ["half", "none", "half", "all"])
        axes[0, 0].set_ylim(-max(0.55, *lowest), 1.05)
        axes[0, 0].set_xlim(0, max(40, *(1.2 * board.leads["lead"].max() for board in boards)))
        handles, labels = axes[0, 0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return made


def _draw_pairs(axis, board):
    """Draw a leaderboard: a point for each pair and direction that is shown."""
    found, n = board.leads, len(board.datasets)
    neither = found[(found["above"] == 0) & (found["below"] == 0)]
    above, below = found[found["above"] > 0], found[found["below"] > 0]
    dot = {"s": 9, "linewidths": 0, "alpha": 0.55}
    axis.axhline(0, color=COLOURS["faint"], linewidth=0.8, zorder=0)
    axis.scatter(above["lead"], above["above"] / n, color=COLOURS["a"], **dot, label=HIGHER)
    axis.scatter(below["lead"], -below["below"] / n, color=COLOURS["b"], **dot, label=LOWER)
    stroke = {"marker": "|", "color": COLOURS["neutral"], "s": 28, "linewidths": 0.6}
    axis.scatter(neither["lead"], np.zeros(len(neither)), **stroke, label=NEITHER)
    axis.set_xscale("symlog", linthresh=1, linscale=0.6)
    axis.set_xticks([0, 1, 3, 10, 30], ["0", "1", "3", "10", "30"])
    largest = board.largest_undecided
    least = "every pair is told apart"
    said = least if np.isnan(largest) else f"largest undecided lead: {largest:.1f} points"
    title = f"{plain(board.title)}\n{len(found):,} pairs, {n} datasets\n{said}"
    axis.set_title(title, loc="left", fontsize="small")
