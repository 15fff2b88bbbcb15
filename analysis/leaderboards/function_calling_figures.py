"""Figures of the function-calling leaderboard that the library does not draw already."""

import matplotlib.pyplot as plt
import numpy as np

from analysis.leaderboards.function_calling import RELEVANCE
from replicability.show.style import COLOURS, STYLE, plain

MUST_CALL = "(FC-Any)"
"""End of the names of models that are made to call a function, whatever the question."""


def fences(table):
    """Draw accuracies as scored, and what they are at least and at most without fences.

    Returns matplotlib.figure.Figure. A panel for each model and a row for each category; its title
    has the shares of all items.
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
            bar = {"color": COLOURS["b"], "label": "in a fence, exact match"}
            axis.barh(places, gain, left=rows["scored"], **bar)
            axis.barh(places, rows["scored"], color=COLOURS["a"], label="as scored")
            names = rows["category"] + "  (" + rows["items"].astype(str) + ")"
            axis.set_yticks(places, names)
            axis.set_ylim(len(rows) - 0.4, -0.6)
            axis.set_xlim(0, 100)
            axis.set_xlabel("accuracy (%)")
            scored, least = np.average(rows[["scored", "at least"]], axis=0, weights=rows["items"])
            axis.set_title(
                f"{plain(model)}: {scored:.0f}% of all items right as scored,\n"
                f"and at least {least:.0f}% without fences",
                loc="left",
                fontsize="medium",
            )
            axis.tick_params(axis="y", length=0)
        axes[0, 0].set_ylabel("category (items)")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=3)
    return figure


def relevance(answers, last):
    """Draw the accuracy on relevance by that on all other items.

    `answers`: the answers. `last`: models at the end of the ranking that get their names.

    Returns matplotlib.figure.Figure. A point for each model; those that must call a function are
    marked. The title says how many of the last models are among as many with the best accuracy on
    relevance.
    """
    others = answers.items["dataset"] != RELEVANCE
    elsewhere = 100 * answers.right[others].mean()
    accuracy = answers.accuracies.loc[RELEVANCE]
    must = elsewhere.index.str.endswith(MUST_CALL)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
        point = {"linestyle": "", "markersize": 5.5, "alpha": 0.75}
        axis.plot(elsewhere[~must], accuracy[~must], marker="o", color=COLOURS["a"], **point)
        label = f"must call a function ({MUST_CALL[1:-1]})"
        axis.plot(
            elsewhere[must], accuracy[must], marker="s", color=COLOURS["b"], label=label, **point
        )
        for i, model in enumerate(elsewhere[answers.models[-last:]].sort_values().index):
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
        best = (accuracy.rank(ascending=False, method="min") <= last)[answers.models[-last:]].sum()
        axis.set_title(
            f"{best} of the {last} lowest-ranked models are among the best {last} on relevance",
            loc="left",
        )
    return figure
