"""Figures: the only place for colours, axis labels and drawing."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator

from replicability.compare import findings
from replicability.compare.procedure import VALID_UNDER
from replicability.show import forest, tables
from replicability.show.style import (
    COLOURS,
    LINES,
    MARKERS,
    NAMES,
    SMALLEST_SHOWN,
    STYLE,
    plain,
    probability_axis,
)
from replicability.stats.partial_conjunction import ESTIMATORS

MOST_SPACED = 40
"""Rows of a figure that stand apart; more stand closer, with smaller names."""

MOST_NAMED = 60
"""Rows of a figure that have names; more have the same height together."""


FEW_SYSTEMS = 6
"""Systems up to which the numbers in the cells of all pairs need no key of colours."""


def standard(block, table, finding):
    """Draw the standard figure of a comparison: the forest plot, where there are intervals.

    Parameters
    ----------
    block : study.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    finding : findings.Finding
        What is found at one level.

    Returns
    -------
    matplotlib.figure.Figure
        Differences with their intervals and mean; without intervals, what decides.
    """
    mean, lines = findings.overall(block, table), forest.margins(block, table["dataset"])
    return comparison(table, finding, block.score, mean, lines)


def comparison(table, finding, score, overall=None, margins=()):
    """Draw one comparison: by how much A is better, or else what decides.

    Parameters
    ----------
    table, finding, score
        As for `forest.forest`.
    overall : findings.Overall, optional
        The mean difference; without it, what decides is drawn.
    margins : sequence
        As for `forest.forest`.

    Returns
    -------
    matplotlib.figure.Figure
        The forest plot of differences where there are intervals, or `evidence`.
    """
    if overall is not None and "low" in table:
        return forest.forest(table, finding, score, overall, margins)
    return evidence(table, finding, score)


def evidence(table, finding, score):
    """Draw what decides: who wins where, what is identified, and how far the counting gets.

    Parameters
    ----------
    table : DataFrame
        As `evaluation.evaluate` returns it; without scores the first panel is left out.
    finding : findings.Finding
        What was found in the table at one level.
    score : str
        What the scores measure, with its unit.

    Returns
    -------
    matplotlib.figure.Figure
        Three panels that share their rows; row u is the dataset with the u-th smallest p-value:
        scores of both systems; p-value and, where the names are Holm's, his threshold
        alpha / (n - u + 1); partial-conjunction p-values of "A is better on at least u datasets",
        or a line below the row k-hat where the local test of the procedure has none. More than
        `MOST_NAMED` datasets are drawn in the same height, by rank and without their names.
    """
    order = table["p_value"].argsort(kind="stable")
    ordered = table.iloc[order]
    identified = finding.identified[order]
    n = len(ordered)
    widths = (1.1, 1, 1) if "score_a" in table else (1, 1)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(widths),
            figsize=(11, 1.9 + _height(n)),
            sharey=True,
            layout="constrained",
            width_ratios=widths,
        )
        rows = np.arange(1, n + 1)
        if "score_a" in table:
            _draw_scores(axes[0], ordered, rows, finding.systems, score)
        _draw_names(axes[-2], ordered["p_value"].to_numpy(), rows, identified, finding)
        _draw_partial_conjunctions(axes[-1], rows, finding)
        axes[0].set_ylim(n + 0.6, 0.4)
        _name_rows(axes[0], rows, ordered["dataset"], identified)
        twin = axes[-1].secondary_yaxis("right")
        twin.set_yticks(rows[:: 1 + n // 15])
        twin.set_ylabel("u")
        figure.legend(loc="outside lower center", ncols=7, fontsize="small")
        a, b = map(plain, finding.systems)
        figure.suptitle(f"{a} against {b}: {n} datasets, α = {finding.alpha:g}", fontsize="large")
    return figure


def spans(table):
    """Return where the rows of `evidence` begin and end.

    Parameters
    ----------
    table : DataFrame
        As `evidence` takes it.

    Returns
    -------
    dict of int to (float, float)
        Place of a dataset in the table -> shares of the height of the axes, from the top; in the
        order of the rows.
    """
    order = table["p_value"].argsort(kind="stable")
    height = len(table) + 0.2  # the limits that `evidence` sets
    return {int(place): ((u + 0.1) / height, (u + 1.1) / height) for u, place in enumerate(order)}


def _height(n):
    """Return the height of n rows in inches."""
    return 0.27 * n if n <= MOST_SPACED else 0.155 * min(n, MOST_NAMED)


def _name_rows(axis, rows, datasets, identified):
    """Name the rows, identified ones in bold; many have a rank, and their names in the table."""
    if len(rows) > MOST_NAMED:
        axis.set_ylabel("rank of the p-value (the table has the names)")
        return
    axis.set_yticks(rows, list(map(plain, forest.told_apart(datasets))))
    if len(rows) > MOST_SPACED:
        axis.tick_params(axis="y", labelsize=7)
    for label, found in zip(axis.get_yticklabels(), identified, strict=True):
        label.set_fontweight("bold" if found else "normal")


def k_matrix(counted, n, title, order="mean score"):
    """Draw on how many datasets each system beats each other one.

    Parameters
    ----------
    counted : DataFrame of int, shape (s, s)
        k-hat of "the system of the row is better than that of the column".
    n : int
        Number of datasets.
    title : str
        What was found and what was counted, on one or more lines.
    order : str, default "mean score"
        By what the systems are ordered.

    Returns
    -------
    matplotlib.figure.Figure
        One cell per ordered pair, the darker the more datasets; 0 is left blank. With more than
        `MOST_SPACED` systems the cells are small and without numbers, and columns have the number
        of their row for a name; with `FEW_SYSTEMS` or fewer the numbers need no key.
    """
    size, many = len(counted), len(counted) > MOST_SPACED
    few = size <= FEW_SYSTEMS
    width = (0.135 if many else 0.45 if few else 0.36) * size
    beside, above = (4.0, 0.9) if many else (4.4, 1.9) if few else (3.4, 2.2)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(beside + width, above + width))
        figure.set_layout_engine("constrained")
        shown = counted.to_numpy(float).copy()
        shown[shown == 0] = np.nan
        np.fill_diagonal(shown, np.nan)
        colours = plt.get_cmap("cividis_r", n).with_extremes(bad="#FFFFFF")
        image = axis.imshow(shown, cmap=colours, vmin=0.5, vmax=n + 0.5)
        axis.plot(range(size), range(size), ".", color=COLOURS["faint"], markersize=3)
        for i, j in () if many else np.argwhere(shown > 0):
            tone = "white" if shown[i, j] > n / 2 else "black"
            axis.text(j, i, f"{shown[i, j]:.0f}", ha="center", va="center", size=8, color=tone)
        _name_systems(axis, [plain(name) for name in counted.index], many)
        axis.spines[:].set_visible(False)
        counts = f"k̂ of {n} datasets (blank: 0)"
        axis.set_xlabel(("B, by the number of its row" if many else "B") + f"\n{counts}" * few)
        axis.set_ylabel("A" if few else f"A, ordered by {order}")
        across = int(13 * (beside + width))
        lines = [part for line in title.splitlines() for part in textwrap.wrap(line, across)]
        figure.suptitle(plain("\n".join(lines)), fontsize="medium")
        if not few:
            ticks = MaxNLocator(integer=True)
            figure.colorbar(image, shrink=0.6, aspect=30, ticks=ticks).set_label(counts)
    return figure


def _name_systems(axis, names, many):
    """Name rows and columns; with many, number them, and the columns at every fifth."""
    places = range(len(names))
    axis.tick_params(length=0)
    if not many:
        axis.set_xticks(places, names, rotation=90)
        axis.set_yticks(places, names)
        return
    fifths = [0, *range(4, len(names), 5)]
    axis.set_xticks(fifths, [str(i + 1) for i in fifths], size=7)
    axis.set_yticks(places, [f"{name}  {i}" for i, name in enumerate(names, 1)], size=6.5)


def _marker(n):
    """Return the size of a marker among n rows; where they stand apart, it is that of the style."""
    if n <= MOST_SPACED:
        return {}
    return {"markersize": 4.5 if n <= MOST_NAMED else 3}


def _draw_scores(axis, ordered, rows, systems, score):
    a, b = ordered["score_a"], ordered["score_b"]
    winner = [COLOURS["a"] if x > y else COLOURS["b"] for x, y in zip(a, b, strict=True)]
    width = 2 if len(rows) <= MOST_NAMED else 1
    axis.hlines(rows, a, b, color=winner, linewidth=width, alpha=0.6)
    size = _marker(len(rows))
    axis.plot(a, rows, "o", color=COLOURS["a"], label=plain(systems[0]), **size)
    hollow = {"fillstyle": "none", "mew": 1 if size else 2, **size}
    axis.plot(b, rows, "s", color=COLOURS["b"], label=plain(systems[1]), **hollow)
    axis.set_xlabel(plain(score))
    named = " (bold: identified)" if len(rows) <= MOST_NAMED else ""
    axis.set_title(f"Scores{named}", loc="left")


def _draw_names(axis, pvalues, rows, identified, finding):
    alpha, by_holm = finding.alpha, tables.by_holm(finding)
    if by_holm:
        threshold = alpha / (len(rows) - rows + 1)
        line = {"color": COLOURS["neutral"], "linewidth": 0.8, "label": "Holm's line"}
        axis.plot(threshold, rows, "|-", **line)
    axis.axvline(alpha, color=COLOURS["count"], linestyle=":", label=f"α = {alpha:g}")
    for found, face in ((True, COLOURS["bonferroni"]), (False, "white")):
        _draw_pvalues(
            axis,
            pvalues[identified == found],
            rows[identified == found],
            markeredgecolor=COLOURS["bonferroni"],
            markerfacecolor=face,
            **_marker(len(rows)),
        )
    filled = "below Holm's line" if by_holm else "identified"
    axis.set_title(f"p-values (filled: {filled})", loc="left")
    probability_axis(axis, "p-value")


def _draw_partial_conjunctions(axis, rows, finding):
    n = len(rows)
    axis.axvline(finding.alpha, color=COLOURS["count"], linestyle=":")
    for name, pvalues in finding.partial_conjunctions.items():
        axis.plot(
            np.maximum(pvalues, SMALLEST_SHOWN),
            rows,
            color=COLOURS[name],
            linestyle=LINES[name],
            marker=MARKERS[name],
            markersize=4 if n <= MOST_NAMED else 2,
            label=f"{_estimate(name, finding)}: k̂ = {finding.counts[name]}",
        )
    if finding.recommended not in finding.partial_conjunctions:
        axis.axhline(
            finding.k + 0.5,
            color=COLOURS[finding.recommended],
            linewidth=2,
            clip_on=False,
            label=f"{_estimate(finding.recommended, finding)}: k̂ = {finding.k}",
        )
    axis.set_title(f"“{finding.claim.short('A')} on at least u datasets”", loc="left")
    probability_axis(axis, "partial-conjunction p-value")


def _estimate(name, finding):
    """Name an estimate in a legend, with what sets it apart from the one that was chosen."""
    title = NAMES[name]
    if finding.claims is None:
        return title
    if name == finding.recommended:
        return f"{title} (chosen)"
    valid = ESTIMATORS[name].valid_under
    if set(VALID_UNDER[finding.recommended]) <= set(valid):
        return title
    return f"{title}, only if {' or '.join(valid)}"


def _draw_pvalues(axis, pvalues, rows, **style):
    below = pvalues < SMALLEST_SHOWN
    shown = np.maximum(pvalues, SMALLEST_SHOWN)
    for rest, marker in ((~below, "o"), (below, "<")):
        if rest.any():  # the layout trips over lines that are empty and not clipped
            axis.plot(shown[rest], rows[rest], linestyle="", marker=marker, clip_on=False, **style)
