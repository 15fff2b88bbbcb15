"""Draw what a suite can show: expected k-hat and number of names, by size and gain."""

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

from replicability.core import design
from replicability.show.style import COLOURS, MARKERS, NAMES, STYLE, plain

LEFT_OUT = 4
"""Maximum number of gains that are drawn, one in each panel."""


LINES = ("k_hat", "names", "bonferroni", "count")
"""Columns of the table that are drawn as lines."""


def expected(planned, table, title=""):
    """Draw expected k-hat and names by size for each gain, and the count of small p-values.

    `planned` (compare.design.Suite): the plan. `table`: as `compare.design.table` returns it; the
    first `LEFT_OUT` gains are drawn. `title`: name of the suite.

    Returns matplotlib.figure.Figure. A panel for each gain; sizes on a logarithmic axis, the
    planned ones marked by a line.
    """
    gains = list(dict.fromkeys(table["gain"]))[:LEFT_OUT]
    n = len(planned.sizes)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(gains),
            figsize=(2.2 + 2.5 * len(gains), 3.3),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, gain in zip(axes[0], gains, strict=True):
            panel(axis, planned, table[table["gain"] == gain])
            supposed = f"gain of {design.points(gain, planned.shares)}" if gain else "equal systems"
            axis.set_title(supposed, loc="left")
            axis.set_xlabel("items per dataset")
        axes[0, 0].set_ylabel(f"expected, of {n:,} datasets")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        columns = 4 if len(gains) > 1 else 2  # as many as fit below one panel
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize="small")
        if title:
            figure.suptitle(plain(title), fontsize="large")
    return figure


def panel(axis, planned, rows, tones=(None, None), called=str):
    """Draw the lines of one gain, on a logarithmic axis of sizes.

    `axis`: matplotlib.axes.Axes. `planned` (compare.design.Suite): the plan. `rows`: rows of
    `compare.design.table` with that gain. `tones` (sequence of colour or None): colours of k-hat,
    and of the count of small p-values. `called`: column -> its label; the column itself if it has
    none.
    """
    n = len(planned.sizes)
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_ylim(-0.02 * n, 1.03 * n)
    factors = rows["factor"].to_numpy()
    ticks = [design.sizes_of(planned.scaled(factor)) for factor in factors]
    axis.axvline(1, color=COLOURS["faint"], zorder=0)
    method = planned.method
    lines = [
        ("k_hat", method, "-", f"k̂, {NAMES[method]}"),
        ("names", method, "--", f"named, {NAMES[method]}"),
        ("bonferroni", "bonferroni", "-", f"k̂, {NAMES['bonferroni']}"),
        ("count", "count", ":", f"p ≤ {planned.level:g}: no guarantee"),
    ]
    for column, name, line, said in lines[:2] + lines[2 + (method == "bonferroni") :]:
        label = said if called(column) == column else called(column)
        tone = tones[column == "count"] if column != "bonferroni" else None
        axis.plot(
            factors,
            rows[column],
            color=tone or COLOURS[name],
            marker=MARKERS[name],
            linestyle=line,
            label=label,
            clip_on=False,
        )
    axis.set_xscale("log", base=2)
    axis.set_xticks(factors, [tick.replace(" to ", "\nto ") for tick in ticks], fontsize="small")
    axis.minorticks_off()
