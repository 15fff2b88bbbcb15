"""All pairs of a leaderboard: rank, lead, neighbour, upset and tie, the same for every board.

docs/reading.md defines these terms. Claims about all pairs are the joint ones
of `replicability.core.all_pairs`; neighbours are a family of their own.
"""

import dataclasses
import functools
import itertools
import textwrap
from dataclasses import dataclass
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

import replicability as rep
from analysis import assembly
from replicability.core import all_pairs, ranks
from replicability.io import several
from replicability.show import forest
from replicability.show.style import COLOURS, STYLE, plain

HIGHER = "higher mean is better"
LOWER = "lower mean is better"
NEITHER = "no significant difference"

BIN = 0.1
"""Width of a bin of leads, in powers of ten."""

RANKED_BY = {"embeddings": "datasets", "translation": "datasets"} | {
    section: block["by"] for section, block in assembly.described("board").items()
}
"""Section -> what weighs the same in the mean by which systems are ranked; elsewhere "items"."""

MOST_RANKED, FIRST_RANKED, MOST_CHANGED = 30, 15, 5
"""Systems up to which the figure of ranks has all; of more it has so many in front, and so many of
the others whose mean rank differs most from their rank."""


@dataclass(frozen=True, eq=False)
class Board:
    """A leaderboard: systems in the order of their rank, and all pairs of them.

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
    alpha : float
        Level, in (0, 1).
    jointly : bool
        Whether it is that of all ordered pairs together, or of each.
    """

    title: str
    systems: tuple
    means: np.ndarray
    pairs: all_pairs.Pairs
    alpha: float
    jointly: bool = True

    @property
    def datasets(self):
        """Names of the n datasets."""
        return self.pairs.datasets

    @property
    def level(self):
        """Level of each ordered pair, where no joint flips serve all pairs."""
        return self.alpha / self.pairs.n_pairs if self.jointly else self.alpha

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
        return dataclasses.replace(self, pairs=pairs, alpha=alpha, jointly=jointly)

    @functools.cached_property
    def counts(self):
        """On at least how many datasets the system of the row is better than that of the column."""
        counted = (self.pairs.joint_counts if self.jointly else self.pairs.counts)(self.alpha)
        return counted.loc[[*self.systems], [*self.systems]]

    @functools.cached_property
    def named(self):
        """On which datasets it is; ndarray of bool, shape (s, s, n)."""
        named = np.zeros((len(self.systems), len(self.systems), len(self.datasets)), bool)
        claims = self.pairs.joint_claims if self.jointly else self.pairs.claims
        for (i, a), (j, b) in itertools.permutations(enumerate(self.systems), 2):
            if self.counts.iloc[i, j]:
                named[i, j] = claims(a, b, self.alpha).named
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

    @property
    def mean_ranks(self):
        """Mean rank of each system over the datasets, 1 for the best; ties share theirs."""
        ranks = stats.rankdata(-self.scores.round(9), axis=0)  # sums may differ in the last digit
        return pd.Series(ranks.mean(axis=1), self.systems)

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
        each = self.alpha / (2 * len(self.systems) - 2) if self.jointly else self.alpha
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
        """Count the pairs, or the neighbours alone, as `parted` does."""
        found = self.steps if neighbours else self.leads
        parts = parted(found["above"] > 0, found["below"] > 0)
        return {name: int(own.sum()) for name, own in parts.items()}

    @property
    def largest_undecided(self):
        """Largest lead without a significant difference; NaN if all pairs differ."""
        found = self.leads
        return found.loc[(found["above"] == 0) & (found["below"] == 0), "lead"].max()

    def summary(self):
        """Count pairs and neighbours by who is better somewhere, with two leads.

        Returns dict. ``systems``, ``datasets``, ``pairs``, those of `shown`, ``neighbours``
        that differ, and in points, or "none", the ``largest lead, no difference`` and
        the smallest lead from which all pairs differ, ``all differ from``.
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
            "largest lead, no difference": "none" if np.isnan(largest) else f"{largest:.1f}",
            "all differ from": "none" if np.isnan(beyond) else f"{beyond:.1f}",
        }

    def ranking(self):
        """Tabulate the rank, its interval, the mean rank and the numbers of systems beaten.

        Returns DataFrame, s rows. ``rank``, ``system``, ``mean``; ``best rank`` and ``worst rank``
        on more than half of the datasets, as `ranks.at_least` bounds them; ``mean rank`` over the
        datasets (equal scores share theirs), the number of other systems that it ``beats`` on at
        least one dataset, ``beats on half`` of them or more, and is ``beaten by``; of the latter
        those that are ``lower-ranked``.
        """
        k, n = self.counts.to_numpy(), len(self.datasets)
        best, worst = ranks.at_least(k, n // 2 + 1, n)
        return pd.DataFrame(
            {
                "rank": self.ranks.to_numpy(),
                "system": self.systems,
                "mean": self.means,
                "best rank": best,
                "worst rank": worst,
                "mean rank": self.mean_ranks.to_numpy().round(1),
                "beats": (k > 0).sum(axis=1),
                "beats on half": (k >= n / 2).sum(axis=1),
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
        """List the pairs in which the lower is significantly better somewhere.

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
        jointly = f"All claims are simultaneous for all {{}} at α = {self.alpha:g}."
        kinds = {"neighbours": "neighbours", "pairs": "pairs, or for all neighbours,"}
        captioned = {
            "ranking": (
                self.ranking().round({"mean": 1}),
                f"Rank by the mean, rank interval, and mean rank over {plural(dataset)}. The "
                f"next columns count the {systems} that each beats on at least one {dataset} and "
                "on at least half, and those that beat it. “Lower-ranked” counts those that beat "
                "it although they rank below it.",
            ),
            "pairs": (
                pd.DataFrame([self.summary()]),
                f"Number of pairs of {systems} in which the one with the higher mean, the one with "
                "the lower mean, both or neither is significantly better on at least one "
                f"{dataset}. Also the pairs with adjacent ranks (“neighbours”) that differ "
                "significantly, the largest lead without a significant difference, and the "
                "smallest lead at or above which all pairs differ significantly (points).",
            ),
            "by_dataset": (
                self.by_dataset().rename(columns={"dataset": dataset}),
                f"For each {dataset}, the number of pairs of {systems} in which the one with the "
                "higher mean, or the one with the lower mean, is named as better.",
            ),
            "neighbours": (
                self.neighbours(),
                f"{systems.capitalize()} with adjacent ranks: lead (points), lower bounds on the "
                f"number of {plural(dataset)} on which each is better, and the named "
                f"{plural(dataset)}.",
            ),
            "upsets": (
                self.upsets(),
                f"Pairs of {systems} in which the one with the lower mean is significantly better "
                f"on at least one {dataset}: means, and lower bounds on the number of "
                f"{plural(dataset)} on which each is better.",
            ),
        }
        return {
            name: rep.Table(table, f"{caption} {jointly}".format(kinds.get(name, "pairs")))
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
    return lay_out(family.pairs, family.alpha, title, sizes, family.family.labels)


def lay_out(compared, alpha, title="", sizes=None, labels=MappingProxyType({})):
    """Rank the systems of a leaderboard whose pairs were compared.

    `compared`: `all_pairs.Pairs` of the systems. `alpha`: joint level of all ordered pairs, in
    (0, 1). `title`: name of the leaderboard. `sizes`: items of each dataset, by which the mean
    weighs them, systems with equal means by name; by default all weigh the same. `labels`: name in
    the data -> what a system is called.
    """
    names = {label: name for name, label in labels.items()}
    means = np.average(compared.scores, axis=1, weights=sizes)
    by_mean = np.lexsort(([names.get(s, s) for s in compared.systems], -means.round(9)))
    order = np.arange(len(means)) if sizes is None else by_mean
    systems = tuple(compared.systems[i] for i in order)
    return Board(title, systems, means[order], compared, alpha)


def parted(above, below):
    """Part pairs by whether the higher and the lower mean is better somewhere.

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
    """Draw the rank of each system with its interval, and by how many others it is beaten.

    `table`: as `Board.ranking` returns it. `system`, `dataset`, `mean`: what systems (several), a
    dataset and the mean by which systems are ranked are called.

    Returns matplotlib.figure.Figure. Of more than `MOST_RANKED` systems, those in front and those
    whose mean rank differs most from their rank. The title says how many are beaten by one that is
    ranked below them.
    """
    n, shown = len(table), table
    if n > MOST_RANKED:
        change = (table["mean rank"] - table["rank"]).abs()
        front = table.index < FIRST_RANKED
        largest = change[~front].sort_values(ascending=False, kind="stable").index[:MOST_CHANGED]
        shown = table[front | table.index.isin(largest)]
    heights = np.arange(len(shown)) + 1.0 * (shown.index >= FIRST_RANKED) * (len(shown) < n)
    with plt.rc_context(STYLE | {"font.size": 9}):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(7.2, 1.5 + 0.2 * (heights[-1] + 1)), sharey=True, layout="constrained",
            width_ratios=(2, 3),
        )  # fmt: skip
        ends = shown["best rank"], shown["worst rank"]
        left.hlines(
            heights, *ends, color=COLOURS["faint"], linewidth=3, label="simultaneous interval"
        )
        left.plot(shown["rank"], heights, "|", color="black", markersize=9, label=f"by {mean}")
        label = f"mean over {plural(dataset)}"
        left.plot(shown["mean rank"], heights, "o", color=COLOURS["a"], markersize=5, label=label)
        names = [f"{forest.shortened(name, 26)}  {rank}" for name, rank in
                 zip(shown["system"], shown["rank"], strict=True)]  # fmt: skip
        left.set_yticks(heights, map(plain, names), size=8)
        left.set_xlabel(f"rank among {n} {system}")
        left.set_ylim(heights[-1] + 0.6, -0.7)
        if len(shown) < n:
            said = f"largest changes among the other {n - FIRST_RANKED}:"
            left.text(
                -0.02, FIRST_RANKED, said, transform=left.get_yaxis_transform(), ha="right",
                va="center", style="italic", size=8,
            )  # fmt: skip
        higher, lower = shown["beaten by"] - shown["lower-ranked"], shown["lower-ranked"]
        bars = {
            "lower-ranked": (lower, 0, "b"),
            "higher-ranked": (higher, lower, "faint"),
        }
        for label, (width, start, colour) in bars.items():
            right.barh(heights, width, left=start, color=COLOURS[colour], label=label)
        for height, count in zip(heights, lower, strict=True):
            right.annotate(
                f"{count}", (0, height), (-3, 0), textcoords="offset points", ha="right",
                va="center", size=8, annotation_clip=False,
            )  # fmt: skip
        right.set_xlim(left=0)
        right.spines["left"].set_visible(False)
        right.set_xlabel(f"{system} better on at least one {dataset}\n(simultaneous for all pairs)")
        for axis, ncols in ((left, 1), (right, 2)):
            axis.tick_params(axis="y", length=0, pad=4 if axis is left else 12)
            look = {"ncols": ncols, "fontsize": 8, "columnspacing": 1, "borderaxespad": 0.2}
            axis.legend(loc="lower left", bbox_to_anchor=(0, 1), **look)
        said = (
            f"{(table['lower-ranked'] > 0).sum()} of {n} {system} are significantly worse, on at "
            f"least one {dataset}, than a {system.removesuffix('s')} ranked below them"
        )
        figure.suptitle("\n".join(textwrap.wrap(said, 74)), fontsize="large")
    return figure


def plural(word):
    """Return the plural of a word for datasets, such as "category"."""
    return f"{word.removesuffix('y')}ies" if word.endswith("y") else f"{word}s"


def draw_leads(boards):
    """Draw for every pair the lead of the mean, and on what share of the datasets it is shown.

    `boards`: the leaderboards.

    Returns matplotlib.figure.Figure. A panel for each: upwards the share of the datasets on which
    the system with the higher mean is shown better, downwards that of the one with the lower mean.
    A dot is larger where it has more pairs with about the same lead.
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
            axis.set_xlabel("lead in the mean (points)")
            axis.tick_params(labelbottom=True)
        for axis in axes[:, 0]:
            axis.set_ylabel("lower bound (share of the datasets)")
        lowest = (board.leads["below"].max() / len(board.datasets) + 0.05 for board in boards)
        axes[0, 0].set_yticks([-0.5, 0, 0.5, 1], ["half", "0", "half", "all"])
        axes[0, 0].set_ylim(-max(0.55, *lowest), 1.05)
        axes[0, 0].set_xlim(0, max(40, *(1.2 * board.leads["lead"].max() for board in boards)))
        dots = {
            HIGHER: {"color": COLOURS["a"]},
            LOWER: {"color": COLOURS["b"]},
            NEITHER: {"color": COLOURS["neutral"], "markerfacecolor": "white"},
        }
        handles = [
            plt.Line2D([], [], marker="o", linestyle="", label=label, **look)
            for label, look in dots.items()
        ]
        made.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=9)
    return made


def _draw_pairs(axis, board):
    """Draw a leaderboard: how many pairs of each lead differ on each number of datasets."""
    found, n = board.leads, len(board.datasets)
    axis.axhline(0, color=COLOURS["faint"], linewidth=0.8, zorder=0)
    for side, colour in (("above", "a"), ("below", "b")):
        own = found[found[side] > 0]
        cells = own.groupby([_binned(own["lead"]), side]).size()
        lead, k = (cells.index.get_level_values(i).to_numpy() for i in (0, 1))
        y = (k if side == "above" else -k) / n
        dots = {"linewidths": 0, "alpha": 0.8, "color": COLOURS[colour]}
        label = HIGHER if side == "above" else LOWER
        axis.scatter(lead, y, s=_area(cells), label=label, **dots)
    neither = found[(found["above"] == 0) & (found["below"] == 0)]
    cells = neither.groupby(_binned(neither["lead"])).size()
    face = {"facecolor": "white", "edgecolor": COLOURS["neutral"], "linewidths": 1}
    axis.scatter(cells.index, np.zeros(len(cells)), s=_area(cells), label=NEITHER, **face)
    axis.set_xscale("symlog", linthresh=1, linscale=0.6)
    axis.set_xticks([0, 1, 3, 10, 30], ["0", "1", "3", "10", "30"])
    largest = board.largest_undecided
    said = f"largest lead, not significant: {largest:.1f} points"
    if np.isnan(largest):
        said = "every pair differs significantly"
    title = f"{plain(board.title)}: {len(found):,} pairs, {n} datasets\n{said}"
    axis.set_title(title, loc="left", fontsize=9)


def _binned(leads):
    """Round leads to the middle of their bin, which is as wide everywhere on the axis."""
    place = np.where(leads < 1, leads * 0.6, 0.6 + np.log10(np.maximum(leads, 1)))
    middle = (np.floor(place / BIN) + 0.5) * BIN
    return np.where(middle < 0.6, middle / 0.6, 10 ** (middle - 0.6))


def _area(counts):
    """Return the area of a dot for so many pairs."""
    return np.minimum(6 * np.asarray(counts, float), 110)
