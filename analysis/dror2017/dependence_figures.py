"""Figures of measured dependence, and of level and power where datasets share units."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter

from analysis.dror2017.dependence import TITLES
from replicability.core.numbers import rounded
from replicability.show.style import COLOURS, STYLE, plain


def shared_correlations(pair):
    """Draw the measured correlations between datasets.

    `pair`: two classifiers on all pairs of domains.

    Returns matplotlib.figure.Figure. A matrix; framed blocks share their test reviews. The title
    has the mean of either kind.
    """
    values, n = pair.flips.correlations, len(pair.names)
    upper = np.triu_indices(n, 1)
    same = pair.flips.shared[upper].astype(bool)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.2, 5.6), layout="constrained")
        shown = np.where(np.eye(n, dtype=bool), np.nan, values)
        image = axis.imshow(shown, cmap="PuOr_r", vmin=-1, vmax=1)
        for i, j in itertools.product(range(n), repeat=2):
            if i != j:
                number = rounded(values[i, j], 2, minus="−")
                axis.text(j, i, number, ha="center", va="center", fontsize=7)
            if pair.flips.shared[i, j] and i != j:
                corner = (j - 0.5, i - 0.5)
                axis.add_patch(
                    plt.Rectangle(corner, 1, 1, fill=False, linewidth=1.5, clip_on=False)
                )
        axis.set_xticks(range(n), map(plain, pair.names), rotation=90, fontsize="small")
        axis.set_yticks(range(n), map(plain, pair.names), fontsize="small")
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0)
        figure.colorbar(image, label="correlation (framed: the same test reviews)", shrink=0.8)
        means = [rounded(values[upper][chosen].mean(), 2, minus="−") for chosen in (same, ~same)]
        figure.suptitle(
            f"Mean correlation: {means[0]} with the same test reviews, {means[1]} with others"
        )
    return figure


def level_and_power(rates, alpha):
    """Draw level and power of the procedures against the correlation, with most datasets.

    `rates`: as `shared_units.rates` returns it.

    Returns matplotlib.figure.Figure. Left, where no dataset is truly better, the share of studies
    that claim too much; right, where fewest are, the share of those that is found; bars of two
    standard errors. The title has the largest share that claims too much with any number of
    datasets, by Fisher's method and by any other.
    """
    n = rates["n"].max()
    shares = sorted(rates["share"].unique())[:2]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, 2, figsize=(8, 3.9), sharex=True, layout="constrained")
        for axis, share in zip(axes, shares, strict=True):
            _draw_cells(axis, rates[(rates["n"] == n) & (rates["share"] == share)])
            better = {0: "none", 1: "all"}.get(share, round(share * n))
            axis.set_title(f"{n} datasets, {better} truly better", loc="left")
            axis.set_xlabel("correlation between two datasets")
        line = {"linewidth": 1, "linestyle": "--", "label": f"α = {alpha:g}"}
        axes[0].axhline(alpha, color=COLOURS["neutral"], **line)
        axes[0].set(ylabel="studies with a false claim", ylim=(0, None))
        axes[1].set(ylabel="better datasets found", ylim=(0, 1))
        for axis in axes:
            axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
        most = rates[rates["n_better"] == 0].groupby("procedure")["exceeded"].max()
        others = most[list(SHARED_UNITS_STYLES)].drop("fisher").max()
        figure.suptitle(
            f"If A is never better, Fisher makes a false claim in up to {most['fisher']:.1%} of\n"
            f"studies, the other methods in at most {others:.1%}"
        )
    return figure


SHARED_UNITS_STYLES = {
    "bonferroni": ("bonferroni", "o", "-"),
    "simes": ("simes", "^", "-"),
    "fisher": ("fisher", "D", ":"),
    "joint_sum": ("joint", "P", "-"),
    "calibrated_simes": ("neutral", "s", "--"),
}
"""Procedure -> its colour, marker and line."""


def _draw_cells(axis, part):
    """Draw errors where nothing is better, else the share of the better datasets that are found."""
    errors = part["n_better"].iloc[0] == 0
    quantity, scale = ("exceeded", 1) if errors else ("mean_bound", part["n_better"].iloc[0])
    for place, (name, style) in enumerate(SHARED_UNITS_STYLES.items()):
        colour, marker, line = style
        rows = part[part["procedure"] == name].sort_values("correlation")
        axis.errorbar(
            rows["correlation"] + 0.008 * (place - 2),  # side by side where they would hide
            rows[quantity] / scale,
            2 * rows[f"{quantity}_error"] / scale,
            label=TITLES[name],
            color=COLOURS[colour],
            marker=marker,
            markersize=4.5,
            linestyle=line,
            linewidth=1.2,
            capsize=2,
        )
