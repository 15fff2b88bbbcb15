"""Figures: the only place for colours, axis labels and drawing."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from replicability.core import findings
from replicability.show import evidence, forest
from replicability.show.style import COLOURS, STYLE, plain
from replicability.stats.partial_conjunction import ESTIMATORS

MOST_SYSTEMS, FIRST_SYSTEMS = 28, 20
"""Maximum number of systems drawn in full, and number of systems drawn if there are more."""

NUMBERED = 12
"""Number of systems above which columns are labelled by row number."""

PALE_TO_DARK = LinearSegmentedColormap.from_list("pale to dark", ["#E3EEF8", "#4A90C4", "#08306B"])
"""Colours of counts, from pale to dark, also distinguishable in black and white."""

WIDEST = 7.2
"""Inches of a matrix, at most."""

LONG_NAMES = 28
"""Letters of a name above which the layout of a matrix needs a second pass."""


def standard(block, table, finding):
    """Draw the standard figure of a comparison: the forest plot, where there are intervals.

    `finding` (findings.Finding): what is found at one level.

    Returns matplotlib.figure.Figure. Differences with their intervals and mean; without intervals,
    what decides.
    """
    mean, lines = findings.overall(block, table), forest.margins(block, table["dataset"])
    if mean is None or "low" not in table:
        return comparison(block, table, finding)
    return forest.forest(table, finding, block.score, mean, lines)


def comparison(block, table, finding):
    """Draw the evidence of a comparison, and that for the other system if it is known.

    `block`, `table`, `finding`: as for `standard`.

    Returns matplotlib.figure.Figure. As `evidence.evidence` draws it.
    """
    return evidence.evidence(table, finding, block.score, directions(block, table, finding))


def directions(block, table, finding):
    """Return what is found in both directions at the joint level of a finding, if it was asked.

    `block`, `table`, `finding`: as for `standard`.

    Returns sequence of findings.Finding. For A and for B; empty if only A was claimed to be better.
    Published p-values that may be two-sided are shown as both readings make them.
    """
    read = block.level == "p-values" and findings.has_both(block, table)
    asked = finding.other is not None or read
    methods = [name for name in finding.counts if name in ESTIMATORS]
    return findings.find_both(block, table, finding.alpha, methods) if asked else ()


def k_matrix(counted, n, title, order="mean score"):
    """Draw on how many datasets each system beats each of the others.

    `counted` (DataFrame of Int64, shape (s, s)): k-hat of "the system of the row is better than
    that of the column"; NA where two were not compared. `n`: number of datasets. `title`: what was
    found and what was counted, on one or more lines. `order`: by what the systems are ordered.

    Returns matplotlib.figure.Figure. One cell per ordered pair with k-hat, the darker the more
    datasets; blank is 0, and "=" that neither of both is better anywhere. Of more than
    `MOST_SYSTEMS` systems the `FIRST_SYSTEMS` are drawn; with more than `NUMBERED` columns have the
    number of their row for a name.
    """
    whole = len(counted)
    if whole > MOST_SYSTEMS:
        counted = counted.iloc[:FIRST_SYSTEMS, :FIRST_SYSTEMS]
    size, numbered = len(counted), len(counted) > NUMBERED
    names = [plain(forest.shortened(name, 30)) for name in counted.index]
    beside = 0.95 + 0.082 * max(map(len, names), default=0)
    cell = min(0.34, (WIDEST - beside) / max(size, 1))
    above = 1.35 if numbered else 0.6 + beside
    with plt.rc_context(STYLE | {"font.size": 9}):
        width = max(beside + cell * size, 4.6)
        across = int(12 * width)
        joined = title.replace(" = ", "\xa0=\xa0")  # "α = 0.05" stays on one line
        lines = [part for line in joined.splitlines() for part in textwrap.wrap(line, across)]
        height = above + cell * size + 0.17 * len(lines)
        figure, axis = plt.subplots(figsize=(width, height), layout="constrained")
        shown = counted.to_numpy(float, na_value=np.nan)
        missing = np.isnan(shown) | np.eye(size, dtype=bool)
        draw_counts(axis, shown, missing, n)
        places = range(size)
        axis.tick_params(length=0, labelsize=8)
        columns = [str(i + 1) for i in places] if numbered else names
        axis.set_xticks(places, columns, rotation=0 if numbered else 90)
        rows = [f"{name}  {i}" for i, name in enumerate(names, 1)] if numbered else names
        axis.set_yticks(places, rows)
        axis.spines[:].set_visible(False)
        dots = "; dot: not compared" * (int(missing.sum()) > size)
        key = (
            f"A is better than B on at least this many of {n} datasets (blank: 0; =: no "
            f"significant difference{dots})"
        )
        b = "B (numbered as in the rows)" if numbered else "B"
        axis.set_xlabel("\n".join([b, *textwrap.wrap(key, across)]))
        part = f" (the first {size} of {whole})" if size < whole else ""
        axis.set_ylabel(f"A, ordered by {order}{part}" if size > 4 else "A")
        said = plain("\n".join(lines).replace("\xa0", " "))
        figure.suptitle(said, fontsize="large" if numbered else "medium")
        if max(map(len, names), default=0) > LONG_NAMES:
            figure.draw_without_rendering()
    return figure


def draw_counts(axis, shown, missing, n, shades=PALE_TO_DARK, size=8):
    """Fill the cells of a matrix of counts, and write what is in them."""
    filled = np.where(missing | (shown == 0), np.nan, shown)
    axis.imshow(filled, cmap=shades.with_extremes(bad="#FFFFFF"), vmin=1, vmax=max(n, 2))
    axis.plot(*np.nonzero(missing)[::-1], ".", color=COLOURS["faint"], markersize=3)
    for i, j in np.argwhere(filled > 0):
        tone = "white" if shown[i, j] - 1 > 0.4 * (n - 1) else "black"
        axis.text(j, i, f"{shown[i, j]:.0f}", ha="center", va="center", size=size, color=tone)
    for i, j in np.argwhere((shown == 0) & (shown.T == 0) & ~missing):
        axis.text(j, i, "=", ha="center", va="center", size=size, color=COLOURS["count"])
