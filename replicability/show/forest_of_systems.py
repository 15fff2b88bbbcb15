"""The forest plot of systems: by how much each is better than the baseline, on average."""

import matplotlib.pyplot as plt
import numpy as np

from replicability.core.findings import families
from replicability.show.forest import LONGEST_NAME, WIDTH, shortened, told_apart
from replicability.show.style import COLOURS, STYLE, plain

MOST_NUMBERS = 60
"""Maximum number of systems whose counts are printed next to the rows."""

ROW = 0.24
"""Height of a row in inches if there are few systems."""

TALLEST = 13
"""Maximum total height of the rows in inches."""


def forest(summary, pairs, score, alpha, title=""):
    """Draw the mean difference of each system from the baseline with its joint interval.

    `summary`: ``system``, ``difference``, ``low``, ``high``, ``k`` and ``k_worse``, as
    `api.family.Family.summary`. `pairs` (all_pairs.Pairs): systems that were compared with one.
    `score`: what the scores measure, with its unit. `alpha`: all intervals and counts hold together
    with confidence 1 - alpha. `title`: what stands above it; by default what is drawn.

    Returns matplotlib.figure.Figure. A row for each system, the largest difference first. Markers
    are filled where the system is better on at least one dataset, or worse on one.
    """
    rows = summary.sort_values("difference", ascending=False, kind="stable").reset_index(drop=True)
    n = len(rows)
    each = min(ROW, TALLEST / n)
    size = min(9, 72 * each * 0.62)
    names = told_apart([plain(name) for name in rows["system"]])
    with plt.rc_context(STYLE | {"font.size": 9}):
        figure, axis = plt.subplots(figsize=(WIDTH, each * n + 1.5), layout="constrained")
        axis.axvline(0, color=COLOURS["neutral"], linewidth=1)
        for y, row in rows.iterrows():
            colour = _colour(row)
            if np.isfinite(row["low"]):
                axis.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=1.3)
            filled = colour != COLOURS["neutral"]
            axis.plot(
                row["difference"],
                y,
                "o",
                color=colour,
                markerfacecolor=colour if filled else "white",
                markersize=min(5.5, size * 0.6),
            )
        axis.set_yticks(range(n), names, fontsize=size)
        axis.set_ylim(n - 0.4, -0.6)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        if n <= MOST_NUMBERS:
            axis.text(1.01, -0.7, "better on, worse on", transform=_right(axis), fontsize=size)
            for y, row in rows.iterrows():
                said = f"{row['k']}, {row['k_worse']} of {len(pairs.datasets)}"
                axis.text(1.01, y, said, transform=_right(axis), va="center", fontsize=size)
        baseline = plain(shortened(pairs.against, LONGEST_NAME))
        axis.set_xlabel(f"system − {baseline}: {plain(score)}, mean over datasets")
        if pairs.turned is not None:
            axis.set_xlabel(f"{baseline} − system: {plain(score)} (lower is better)")
        figure.suptitle(title or families.title_of_forest(baseline, alpha), fontsize="large")
    return figure


def _right(axis):
    """Return places beside the axes, with rows as heights."""
    return axis.get_yaxis_transform()


def _colour(row):
    """Return blue for a system that is better somewhere, orange for one that is worse."""
    if row["k"] and row["k_worse"]:
        return "#CC79A7"
    return COLOURS["a" if row["k"] else "b" if row["k_worse"] else "neutral"]
