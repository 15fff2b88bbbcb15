"""The figure of a comparison by several metrics: a cell for each dataset and metric."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch, Rectangle

from replicability.core.numbers import rounded
from replicability.show.style import COLOURS, STYLE, plain
from replicability.show.view_of_grids import digits

MOST_NUMBERED = 12
"""Maximum number of metrics whose cells contain numbers."""

SHADES = (COLOURS["a"], COLOURS["b"])
"""Of A and of B."""

ROW, COLUMN = 0.22, 0.95
"""Height of a row and width of a column in inches."""


def cells(grid, title):
    """Draw on which datasets and by which metrics either system is better.

    `grid` (api.grid.Grid): what is found. `title`: what stands above.

    Returns matplotlib.figure.Figure. A row for each dataset and a column for each metric. A cell
    has the colour of the system that is significantly better, or is white; its number is the
    difference. A diamond marks a row where metrics contradict each other.
    """
    names = [of["name"] for of in grid.metrics]
    wide = grid.table.pivot_table("difference", "dataset", "metric", sort=False)
    wide = wide.loc[list(grid.datasets), names]
    n, m = wide.shape
    letters = max(map(len, map(str, grid.datasets)))
    width = max(5.2, COLUMN * m + 0.085 * letters + 0.4)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(width, ROW * n + 1.6), layout="constrained")
        axis.set_xlim(-0.5, m - 0.2)
        axis.set_ylim(n - 0.5, -0.5)
        legend = [_fill(axis, *pair) for pair in zip(grid.sides, SHADES, strict=False)]
        if m <= MOST_NUMBERED:
            _write(axis, grid, wide)
        against = [place for place, name in enumerate(grid.datasets) if name in grid.contradicting]
        if against:
            label = "metrics contradict each other"
            legend += axis.plot(
                [m - 0.42] * len(against), against, "kD", markersize=4, clip_on=False, label=label
            )
        axis.set_xticks(range(m), [textwrap.fill(plain(name), 13) for name in names])
        axis.set_yticks(range(n), [plain(name) for name in grid.datasets])
        axis.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
        axis.spines[:].set_visible(False)
        said = "\n".join(textwrap.wrap(plain(title), int(width * 11)))
        figure.suptitle(said, ha="left", x=0.01, size="medium")
        figure.legend(handles=legend, loc="outside lower left", ncols=1, fontsize="small")
    return figure


def _fill(axis, side, shade):
    """Colour the cells in which a system is better, and return the entry of the legend."""
    for i, j in np.argwhere(side.named.to_numpy()):
        axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=shade, edgecolor="white"))
    return Patch(color=shade, label=f"{plain(side.systems[0])} significantly better")


def _write(axis, grid, wide):
    """Write the difference into each cell."""
    marked = [side.named.to_numpy() for side in grid.sides]
    for j, name in enumerate(wide):
        own = digits(wide[name])
        for i, value in enumerate(wide[name]):
            open_ = COLOURS["neutral"] if not any(of[i, j] for of in marked) else "black"
            shade = "white" if marked[0][i, j] else open_
            text = rounded(value, own, plus="+").replace("-", "−")
            axis.text(j, i, text, ha="center", va="center", size=7.5, color=shade)
