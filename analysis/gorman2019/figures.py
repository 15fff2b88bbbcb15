"""Figures of Gorman and Bedrick (2019)."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator, PercentFormatter

from replicability.show.style import COLOURS, STYLE, plain

AT_EDGE = 0.005
"""Share of sentences whose agreement may be below the axis."""


def split_accuracies(rows, scored, confidence_level):
    """Draw accuracies on the standard split and on random ones (Gorman and Bedrick 2019, Figure 1).

    `rows`: as `splits.ranges` returns it, of one metric. `scored`: as `splits.scores` returns it,
    of the same metric. `confidence_level`: coverage of the intervals in `rows`, for the legend.

    Returns matplotlib.figure.Figure. One panel per dataset, one row per tagger: whiskers for the
    standard split, a band and points for the random ones.
    """
    datasets = list(rows.groupby("dataset", sort=False))
    depth = max(len(part) for _, part in datasets)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(datasets),
            figsize=(0.9 + 3.2 * len(datasets), 1.9 + 0.42 * depth),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, (dataset, part) in zip(axes[0], datasets, strict=True):
            of = (scored["dataset"] == dataset) & (scored["split"] != 0)
            _draw_accuracies(axis, part, scored[of], confidence_level)
            axis.set_title(harder_than_random(plain(dataset), part), loc="left", fontsize="small")
            axis.use_sticky_edges = False
            axis.margins(x=0.03)
            axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=1))
            axis.xaxis.set_major_locator(MaxNLocator(4))
            axis.set_xlabel(f"{part['metric'].iloc[0]} accuracy")
        axes[0, 0].set_yticks(np.arange(len(part)), part["tagger"].map(plain))
        axes[0, 0].set_ylim(depth - 0.5, -0.5)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def harder_than_random(dataset, part):
    """Say for how many systems the standard split is harder than every random one.

    `dataset`: name of the dataset. `part`: its rows of `splits.ranges`, of one metric.

    Returns str. With the size of the standard test set.
    """
    below = int((part["accuracy"] < part["smallest"]).sum())
    return (
        f"{dataset}: on the standard test set (n = {part['n'].max():,}),\n"
        f"{below} of {len(part)} systems score lower\n"
        f"than on all {part['splits'].max()} random splits"
    )


def _draw_accuracies(axis, part, random, confidence_level):
    """Draw one dataset: band and points of the random splits, whiskers of the standard one."""
    at = np.arange(len(part))
    axis.barh(
        at,
        part["largest"] - part["smallest"],
        left=part["smallest"],
        height=0.62,
        color=COLOURS["faint"],
        label=f"range over {part['splits'].max()} random splits",
    )
    rank = random["tagger"].map(dict(zip(part["tagger"], at, strict=True)))
    axis.plot(
        random["accuracy"],
        rank + 0.2,
        "|",
        color=COLOURS["neutral"],
        markersize=6,
        label="a random split",
    )
    accuracy = part["accuracy"]
    axis.errorbar(
        accuracy,
        at - 0.12,
        xerr=(accuracy - part["low"], part["high"] - accuracy),
        fmt="o",
        color=COLOURS["a"],
        capsize=4,
        label=f"standard split, {confidence_level:.0%} interval",
    )


def split_differences(compared, alpha):
    """Draw the differences between neighbours on every split (Gorman and Bedrick 2019, Table 3).

    `compared`: as `splits.compare` returns it. `alpha`: level that is divided by the number of
    random splits.

    Returns matplotlib.figure.Figure. One panel per dataset, one row per pair; filled points are
    significant.
    """
    neighbours = compared[compared["adjacent"]]
    datasets = list(neighbours.groupby("dataset", sort=False))
    pairs = neighbours[["first", "second"]].drop_duplicates().to_records(index=False).tolist()
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(datasets),
            figsize=(1.1 + 3.1 * len(datasets), 1.9 + 0.55 * len(pairs)),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, (dataset, part) in zip(axes[0], datasets, strict=True):
            axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
            for row, pair in enumerate(pairs):
                own = part[(part["first"] == pair[0]) & (part["second"] == pair[1])]
                _draw_differences(axis, own, row, alpha)
            axis.set_title(
                decided_by_split(plain(dataset), part, alpha), loc="left", fontsize="small"
            )
            axis.xaxis.set_major_locator(MaxNLocator(5))
            axis.set_xlabel("second minus first, token\naccuracy (percentage points)")
        axes[0, 0].set_yticks(range(len(pairs)), [plain(f"{a} vs. {b}") for a, b in pairs])
        axes[0, 0].set_ylim(len(pairs) - 0.5, -0.5)
        style = {"linestyle": "", "marker": "o", "markeredgecolor": COLOURS["a"]}
        axes[0, 0].plot([], [], color=COLOURS["a"], label=f"p ≤ {alpha:g} / k", **style)
        axes[0, 0].plot([], [], color="white", label="not significant", **style)
        axes[0, 0].plot([], [], "D", color=COLOURS["b"], label="standard split")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def decided_by_split(dataset, part, alpha):
    """Say for how many pairs the random split decides what is significant.

    `dataset`: name of the dataset. `part`: its rows of `splits.compare`. `alpha`: level that is
    divided by the number of random splits.

    Returns str. Pairs that are significant on some random splits and not on others, and all pairs.
    """
    random = part[part["split"] != 0]
    k = random["split"].nunique()
    small = random["p_value"].le(alpha / k).groupby([random["first"], random["second"]]).mean()
    some = int(small.between(0, 1, "neither").sum())
    return (
        f"{dataset}: {some} of {len(small)} pairs significant\n"
        f"on only some of k = {k} random splits"
    )


def _draw_differences(axis, own, row, alpha):
    """Draw one pair: random splits in order of their number, and the standard split below."""
    random = own[own["split"] != 0]
    at = row + np.linspace(-0.3, 0.14, len(random))
    small = (random["p_value"] <= alpha / len(random)).to_numpy()
    for chosen, face in ((small, COLOURS["a"]), (~small, "white")):
        axis.plot(
            100 * random["difference"][chosen],
            at[chosen],
            "o",
            markersize=4,
            markeredgecolor=COLOURS["a"],
            markerfacecolor=face,
        )
    axis.plot(100 * own["difference"][own["split"] == 0], row + 0.32, "D", color=COLOURS["b"])


def sentence_agreement(agreed):
    """Draw the agreement of taggers against the length of sentences (Section 3.4 there).

    `agreed`: as `agreement.sentences` returns it.

    Returns matplotlib.figure.Figure. For each dataset a point per sentence, and the distribution of
    alpha beside it. Of all sentences, a share `AT_EDGE` at most is below the axis and drawn at its
    edge.
    """
    floor = np.floor(10 * agreed["alpha"].quantile(AT_EDGE)) / 10
    shown = agreed.assign(shown=agreed["alpha"].clip(lower=floor))
    datasets = list(shown.groupby("dataset", sort=False))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            len(datasets),
            2,
            figsize=(7.3, 0.6 + 2.9 * len(datasets)),
            sharex="col",
            sharey=True,
            squeeze=False,
            width_ratios=(3, 1),
            layout="constrained",
        )
        edges = np.linspace(floor, 1, 21)
        for (points, bars), (dataset, part) in zip(axes, datasets, strict=True):
            _draw_agreement(points, bars, part, edges)
            points.set_xscale("log")
            ticks = [1, 2, 5, 10, 20, 50, 100]
            points.set_xticks(ticks, map(str, ticks))
            points.minorticks_off()
            points.set_xlim(0.9, 1.1 * agreed["words"].max())
            points.set_title(lowest_tenth(plain(dataset), part), loc="left", fontsize="medium")
            bars.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes[-1, 0].set_xlabel("words in the sentence")
        axes[-1, 1].set_xlabel("share of sentences")
        below = int((agreed["alpha"] < floor).sum())
        edge = f"\n(drawn at the edge: {below} below {floor:g})" if below else ""
        figure.supylabel(f"Krippendorff's α of the taggers{edge}", fontsize="medium")
        axes[0, 0].set_ylim(floor - 0.02 * (1 - floor), 1)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        legend = figure.legend(
            handles, labels, loc="outside lower center", ncols=2, fontsize="small"
        )
        for handle in legend.legend_handles:
            handle.set(alpha=1, markersize=6)
    return figure


def lowest_tenth(dataset, part):
    """Say how long the sentences of lowest agreement are.

    `dataset`: name of the dataset. `part`: its rows of `agreement.sentences`.

    Returns str. Medians of the words of the tenth with the lowest alpha, and of all sentences.
    """
    low = part.nsmallest(max(1, len(part) // 10), "alpha")["words"].median()
    return (
        f"{dataset}: median of {low:g} words in the tenth with the lowest agreement,\n"
        f"{part['words'].median():g} in all {len(part):,} sentences with disagreement"
    )


def _draw_agreement(points, bars, part, edges):
    """Draw one dataset: a point per sentence, and bars of the shares between the edges of alpha."""
    bottom = np.zeros(len(edges) - 1)
    for verbless, label, colour, marker in (
        (False, "with finite verb", "a", "o"),
        (True, "without finite verb", "b", "^"),
    ):
        own = part[part["verbless"] == verbless]
        points.plot(
            own["words"],
            own["shown"],
            marker,
            color=COLOURS[colour],
            markersize=3.5,
            alpha=0.8 if verbless else 0.4,
            markeredgewidth=0,
            label=label,
            clip_on=False,
        )
        share = np.histogram(own["shown"], edges)[0] / len(part)
        bars.barh(
            edges[:-1],
            share,
            np.diff(edges),
            left=bottom,
            align="edge",
            color=COLOURS[colour],
            alpha=0.8,
            edgecolor="white",
            linewidth=0.4,
        )
        bottom += share
