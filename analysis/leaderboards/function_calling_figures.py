"""Figures of the function-calling leaderboard that the library does not draw already."""

import matplotlib.pyplot as plt
import numpy as np

from analysis.leaderboards.function_calling import RELEVANCE
from replicability.show.style import COLOURS, STYLE, plain

ROW = 0.135
"""Height of a model's row, in inches."""

MUST_CALL = "-FC-Any"
"""End of the names of models that are made to call a function, whatever the question."""


def ranks(models):
    """Draw the rank of each model, its mean rank, and whom it beats and is beaten by.

    Parameters
    ----------
    models : DataFrame
        As `function_calling.models` returns it.

    Returns
    -------
    matplotlib.figure.Figure
        A row for each model; the title says how many are beaten by one that is ranked below them.
    """
    places, n = np.arange(len(models)), len(models)
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(11.5, 1.3 + ROW * n), sharey=True, layout="constrained"
        )
        rank, mean = models["rank"], models["mean rank"]
        left.hlines(places, rank, mean, color=COLOURS["faint"], linewidth=1.2)
        left.plot(rank, places, "|", color=COLOURS["neutral"], label="rank by overall accuracy")
        left.plot(mean, places, "o", markersize=4, color=COLOURS["a"], label="mean rank")
        left.set_yticks(places, map(plain, models["model"]), size=6.5)
        left.set_xlabel(f"rank among {n} models")
        left.set_ylim(n - 0.3, -0.7)
        higher = models["beaten by"] - models["lower-ranked"]
        right.barh(places, models["beats"], color=COLOURS["a"], label="beats")
        right.barh(places, -higher, color=COLOURS["faint"], label="beaten by higher-ranked")
        right.barh(
            places,
            -models["lower-ranked"],
            left=-higher,
            color=COLOURS["b"],
            label="beaten by lower-ranked",
        )
        right.axvline(0, color="black", linewidth=0.6)
        ticks = [-60, -40, -20, 0, 20, 40, 60]
        right.set_xticks(ticks, [str(abs(tick)) for tick in ticks])
        right.set_xlabel("models, on at least one category (jointly)")
        for axis in (left, right):
            axis.tick_params(axis="y", length=0)
            axis.legend(
                loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=7.5, columnspacing=1
            )
        beaten = int((models["lower-ranked"] > 0).sum())
        figure.suptitle(
            f"{beaten} of {n} models are beaten, on some category, by a model that is ranked below "
            "them",
            fontsize="large",
        )
    return figure


def fences(table):
    """Draw accuracies as scored, and what they are at least and at most without fences.

    Parameters
    ----------
    table : DataFrame
        As `function_calling_fences.fenced` returns it.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each model and a row for each category; its title has the shares of all items.
    """
    parts = list(table.groupby("model", sort=False))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(parts), figsize=(9.6, 4.2), sharey=True, squeeze=False, layout="constrained"
        )
        for axis, (model, rows) in zip(axes[0], parts, strict=True):
            places = np.arange(len(rows))
            bar = {"color": COLOURS["faint"], "label": "possible without fences"}
            axis.barh(places, rows["at most"] - rows["at least"], left=rows["at least"], **bar)
            gain = rows["at least"] - rows["scored"]
            bar = {"color": COLOURS["b"], "label": "in a fence, right to the letter"}
            axis.barh(places, gain, left=rows["scored"], **bar)
            axis.barh(places, rows["scored"], color=COLOURS["a"], label="as scored")
            names = rows["category"] + "  (" + rows["items"].astype(str) + ")"
            axis.set_yticks(places, names)
            axis.set_ylim(len(rows) - 0.4, -0.6)
            axis.set_xlim(0, 100)
            axis.set_xlabel("accuracy (%)")
            scored, least = np.average(rows[["scored", "at least"]], axis=0, weights=rows["items"])
            axis.set_title(
                f"{plain(model)}: {scored:.0f}% of all items right\n"
                f"as scored, at least {least:.0f}% without fences",
                loc="left",
                fontsize="medium",
            )
            axis.tick_params(axis="y", length=0)
        axes[0, 0].set_ylabel("category (items)")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=3)
    return figure


def relevance(board, last):
    """Draw the accuracy on relevance by that on all other items.

    Parameters
    ----------
    board : function_calling.Board
        The leaderboard.
    last : int
        Models at the end of the ranking that get their names.

    Returns
    -------
    matplotlib.figure.Figure
        A point for each model; those that must call a function are marked. The title says how many
        of the last models are among as many with the best accuracy on relevance.
    """
    others = board.items["dataset"] != RELEVANCE
    elsewhere = 100 * board.right[others].mean()
    accuracy = board.accuracies.loc[RELEVANCE]
    must = elsewhere.index.str.endswith(MUST_CALL)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
        point = {"linestyle": "", "markersize": 5.5, "alpha": 0.75}
        axis.plot(elsewhere[~must], accuracy[~must], marker="o", color=COLOURS["a"], **point)
        label = f"must call a function ({MUST_CALL[1:]})"
        axis.plot(
            elsewhere[must], accuracy[must], marker="s", color=COLOURS["b"], label=label, **point
        )
        for i, model in enumerate(elsewhere[board.models[-last:]].sort_values().index):
            axis.annotate(
                plain(model),
                (elsewhere[model], accuracy[model]),
                xytext=(8, -3) if i % 2 else (-4, 8),
                textcoords="offset points",
                fontsize=8,
            )
        axis.set_xlabel(f"accuracy on the other categories (%), n = {others.sum():,}")
        axis.set_ylabel(f"accuracy on relevance (%), n = {(~others).sum()}")
        axis.set(xlim=(0, 100), ylim=(-4, 108), yticks=range(0, 101, 20))
        axis.legend(loc="lower left")
        best = (accuracy.rank(ascending=False, method="min") <= last)[board.models[-last:]].sum()
        axis.set_title(
            f"{best} of the {last} models that are ranked last are among the first {last} on "
            "relevance",
            loc="left",
        )
    return figure
