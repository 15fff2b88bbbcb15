"""Figures: the only place for colours, axis labels and drawing."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator

from replicability.core import findings
from replicability.show import evidence, forest
from replicability.show.evidence import MOST_SPACED
from replicability.show.style import COLOURS, STYLE, plain
from replicability.stats.partial_conjunction import ESTIMATORS

FEW_SYSTEMS = 6
"""Systems up to which the numbers in the cells of all pairs need no key of colours."""


def standard(block, table, finding):
    """Draw the standard figure of a comparison: the forest plot, where there are intervals.

    Parameters
    ----------
    block : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    finding : findings.Finding
        What is found at one level.

    Returns
    -------
    matplotlib.figure.Figure
        Differences with their intervals and mean; without intervals, what decides.
    """
    mean, lines = findings.overall(block, table), forest.margins(block, table["dataset"])
    if mean is None or "low" not in table:
        return comparison(block, table, finding)
    return forest.forest(table, finding, block.score, mean, lines)


def comparison(block, table, finding):
    """Draw what decides a comparison, with what speaks for the other system, if that is known.

    Parameters
    ----------
    block, table, finding
        As for `standard`.

    Returns
    -------
    matplotlib.figure.Figure
        As `evidence.evidence` draws it.
    """
    return evidence.evidence(table, finding, block.score, directions(block, table, finding))


def directions(block, table, finding):
    """Return what is found in both directions at the joint level of a finding, if it was asked.

    Parameters
    ----------
    block, table, finding
        As for `standard`.

    Returns
    -------
    sequence of findings.Finding
        For A and for B; empty if only A was claimed to be better. Published p-values that may be
        two-sided are shown as both readings make them.
    """
    read = block.level == "p-values" and findings.has_both(block, table)
    asked = finding.other is not None or read
    methods = [name for name in finding.counts if name in ESTIMATORS]
    return findings.find_both(block, table, finding.alpha, methods) if asked else ()


def k_matrix(counted, n, title, order="mean score"):
    """Draw on how many datasets each system beats each other one.

    Parameters
    ----------
    counted : DataFrame of Int64, shape (s, s)
        k-hat of "the system of the row is better than that of the column"; NA where two were not
        compared.
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
        shown = counted.to_numpy(float, na_value=np.nan).copy()
        apart = np.isnan(shown) | np.eye(size, dtype=bool)
        shown[shown == 0] = np.nan
        np.fill_diagonal(shown, np.nan)
        colours = plt.get_cmap("cividis_r", n).with_extremes(bad="#FFFFFF")
        image = axis.imshow(shown, cmap=colours, vmin=0.5, vmax=n + 0.5)
        axis.plot(*np.nonzero(apart)[::-1], ".", color=COLOURS["faint"], markersize=3)
        for i, j in () if many else np.argwhere(shown > 0):
            tone = "white" if shown[i, j] > n / 2 else "black"
            axis.text(j, i, f"{shown[i, j]:.0f}", ha="center", va="center", size=8, color=tone)
        _name_systems(axis, [plain(name) for name in counted.index], many)
        axis.spines[:].set_visible(False)
        dots = ", dot: not compared" * (int(apart.sum()) > size)
        counts = f"k̂ of {n} datasets (blank: 0{dots})"
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
