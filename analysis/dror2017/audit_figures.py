"""The figure of the audit: a mark for each verdict."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replicability import forensics
from replicability.show.style import STYLE

LOOKS = {
    forensics.CONTRADICTED: {"color": "#D55E00", "marker": "X", "markersize": 7.5},
    forensics.IMPOSSIBLE: {"color": "#000000", "marker": "P", "markersize": 7.5},
    forensics.DEPENDS: {"color": "#A84D80", "marker": "D", "markersize": 5},
    forensics.AGREES: {"color": "#0072B2", "marker": "s", "markersize": 6.5},
    forensics.TRIVIALLY: {
        "color": "#0072B2", "marker": "s", "markersize": 5.5, "markerfacecolor": "white",
    },
    forensics.UNCHECKED: {"color": "#A0A0A0", "marker": "s", "markersize": 2.5},
}  # fmt: skip
"""Verdict -> colour and shape of its mark, in the order of the marks."""

DISPUTED = [forensics.CONTRADICTED, forensics.IMPOSSIBLE]
"""Verdicts that something does not follow."""

ACROSS = 50
"""Marks of a line."""


def verdicts(counts):
    """Draw a mark for each verdict, by item, those that something does not follow first.

    `counts`: columns ``paper``, ``item``, one per verdict and ``total``, of `forensics.totals_by`.

    Returns matplotlib.figure.Figure. One panel per paper: a row for each item of which something
    does not follow, and one for all others together. What cannot be checked is a dot.
    """
    papers = {
        paper: rows_of(part.drop(columns="paper"))
        for paper, part in counts.groupby("paper", sort=False)
    }
    lines = [_lines(rows).sum() + 0.6 * len(rows) for rows in papers.values()]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            len(papers),
            1,
            figsize=(7.6, 1.5 + 0.14 * sum(lines) + 0.35 * len(papers)),
            sharex=True,
            squeeze=False,
            height_ratios=lines,
            layout="constrained",
        )
        for axis, (paper, rows) in zip(axes[:, 0], papers.items(), strict=True):
            _draw_rows(axis, rows)
            wrong, checked = _disputed(rows)
            axis.set_title(f"{paper}: {wrong:,} of {checked:,} do not follow", loc="left")
        handles = [
            plt.Line2D([], [], linestyle="", label=verdict, **look)
            for verdict, look in LOOKS.items()
            if counts[verdict].any()
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize="small")
        wrong, checked = _disputed(counts)
        unchecked, depends = counts["total"].sum() - checked, counts[forensics.DEPENDS].sum()
        figure.suptitle(
            f"{wrong:,} of {checked:,} printed claims that can be checked do not follow, and "
            f"{depends:,} depend on the reading;\n{unchecked:,} cannot be checked",
            fontsize="large",
        )
    return figure


def rows_of(part):
    """Put the items of a paper of which everything follows into one row.

    `part`: column ``item`` and numbers.

    Returns DataFrame. The other items, in their order, and the sum of those as the last one.
    """
    disputed = part[DISPUTED].sum(axis=1) > 0
    rest = part[~disputed]
    if rest.empty:
        return part
    number = f"{len(rest)} {'other ' * bool(disputed.any())}item{'s' * (len(rest) > 1)}"
    together = rest.drop(columns="item").sum().to_frame().T.assign(item=number)
    return pd.concat([part[disputed], together], ignore_index=True)


def _disputed(rows):
    """Count what does not follow, and what can be checked."""
    return rows[DISPUTED].sum().sum(), rows["total"].sum() - rows[forensics.UNCHECKED].sum()


def _lines(rows):
    """Return how many lines of marks each row has."""
    return np.ceil(rows["total"].to_numpy(float) / ACROSS)


def _draw_rows(axis, rows):
    """Draw the marks of a paper, line by line."""
    tops = np.cumsum([0, *(_lines(rows) + 0.6)])[:-1]
    for top, row in zip(tops, rows.to_dict("records"), strict=True):
        placed = 0
        for verdict, look in LOOKS.items():
            at = np.arange(placed, placed + row[verdict])
            placed += row[verdict]
            if len(at):
                axis.plot(at % ACROSS, top + at // ACROSS, linestyle="", label=verdict, **look)
    axis.set_yticks(tops, rows["item"])
    axis.set_xticks([])
    axis.tick_params(axis="y", length=0)
    axis.spines[:].set_visible(False)
    axis.set_ylim(tops[-1] + _lines(rows)[-1] - 0.3, -0.7)
    axis.set_xlim(-1, ACROSS)
