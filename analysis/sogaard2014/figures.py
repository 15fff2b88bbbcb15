"""Figures of Søgaard et al. (2014)."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter

from replicability.show.style import COLOURS, STYLE, plain


def many_metrics(rows, families, alpha, n_small, n_large):
    """Draw what a free choice does to the smallest p-value (Søgaard et al. 2014, Figure 2).

    Parameters
    ----------
    rows : DataFrame
        As `many_metrics.rates` returns it, with a column ``published``, NaN where there is none.
    families : dict of str to ndarray, shape (n_repetitions, n_tests)
        Name -> p-values of all tests of a choice; one histogram each, of the smallest.
    alpha : float
        Width of the bars, in (0, 1): the first holds what is significant.
    n_small, n_large : int
        Numbers of repetitions in `rows`.

    Returns
    -------
    matplotlib.figure.Figure
        Histograms on the left; rates of each choice on the right, one panel per level.
    """
    alphas = rows["alpha"].unique()
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(12, 5.6), layout="constrained")
        grid = figure.add_gridspec(len(families), 1 + len(alphas))
        _draw_smallest(figure, grid, families, alpha)
        first = None
        for column, level in enumerate(alphas, start=1):
            axis = figure.add_subplot(grid[:, column], sharey=first)
            part = rows[rows["alpha"] == level].reset_index(drop=True)
            _draw_choices(axis, part, n_small, n_large)
            axis.set_title(f"some p ≤ α = {level:g}", loc="left")
            axis.axvline(level, color=COLOURS["neutral"], linestyle="--", linewidth=1)
            axis.tick_params(labelleft=first is None)
            first = first or axis
        first.set_yticks(part.index, part["choice"].str.replace(" (", "\n(", regex=False))
        first.set_ylim(len(part) - 0.4, -0.6)
        handles, labels = first.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize="small")
    return figure


def _draw_smallest(figure, grid, families, alpha):
    """Draw a histogram of the smallest p-value of each choice, one below the other."""
    edges = np.append(np.arange(0, 1, alpha), 1)
    first = None
    for row, (name, pvalues) in enumerate(families.items()):
        axis = figure.add_subplot(grid[row, 0], sharex=first, sharey=first)
        counts, _ = np.histogram(pvalues.min(axis=1), edges)
        share = counts / len(pvalues)
        colours = [COLOURS["count"]] + [COLOURS["faint"]] * (len(share) - 1)
        axis.bar(
            edges[:-1],
            share,
            np.diff(edges),
            align="edge",
            color=colours,
            edgecolor=COLOURS["neutral"],
            linewidth=0.5,
        )
        axis.axhline(alpha, color=COLOURS["neutral"], linestyle="--", linewidth=1)
        axis.set_title(f"{name}: {share[0]:.1%} at p ≤ {alpha:g}", loc="left")
        axis.yaxis.set_major_formatter(PercentFormatter(1))
        axis.set_ylabel(f"share of {len(pvalues):,} draws")
        first = first or axis
    axis.set_xlabel("smallest p-value")


def _draw_choices(axis, part, n_small, n_large):
    """Draw published, simulated and theoretical rates of the choices at one level."""
    at = part.index.to_numpy()
    series = (
        ("published", "published", "x", "count", -0.3),
        ("small", f"{n_small:,} draws ± 2 SE", "o", "bonferroni", -0.15),
        ("large", f"{n_large:,} draws", "D", "fisher", 0.0),
        ("theory", "theory", "*", "neutral", 0.15),
        ("k_hat", "k̂ > 0 by Bonferroni", "^", "simes", 0.3),
    )
    for column, label, marker, colour, offset in series:
        error = 2 * part["small_error"] if column == "small" else None
        axis.errorbar(
            part[column], at + offset, xerr=error, fmt=marker, color=COLOURS[colour], label=label
        )
    axis.set_xlim(left=0)
    axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axis.set_xlabel("share of draws, no true difference")


def predictive_value(alphas, curves, used, target, cut_off):
    """Draw the share of findings that are true against the level (Søgaard et al. 2014, Figure 7).

    Parameters
    ----------
    alphas : array_like
        Levels, ascending, above 0.
    curves : dict of float to array_like
        Bias -> positive predictive value at each level.
    used : dict of float to float
        Level -> positive predictive value without bias, to be marked.
    target : float
        Positive predictive value that is wanted, in (0, 1).
    cut_off : float
        Level that reaches it without bias.

    Returns
    -------
    matplotlib.figure.Figure
        One panel with a logarithmic axis of levels.
    """
    colours = itertools.cycle(COLOURS[name] for name in ("a", "b", "fisher", "simes"))
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.5, 4), layout="constrained")
        for (bias, values), colour in zip(curves.items(), colours, strict=False):
            axis.plot(alphas, values, color=colour, label=f"bias u = {bias:g}")
        style = {"color": COLOURS["neutral"], "linestyle": "--", "linewidth": 1}
        axis.axhline(target, **style)
        if np.isfinite(cut_off):
            axis.axvline(cut_off, **style)
            axis.text(cut_off, 0.02, f" α = {cut_off:.4f} for {target:.0%}", fontsize="small")
        for level, value in used.items():
            axis.plot(level, value, "o", color=COLOURS["a"])
            axis.annotate(
                f"α = {level:g}: {value:.1%}",
                (level, value),
                textcoords="offset points",
                xytext=(6, 4),
                fontsize="small",
            )
        axis.set(xscale="log", ylim=(0, 1.02), xlim=(alphas[0], alphas[-1]))
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.set_xlabel("cut-off α")
        axis.set_ylabel("findings that are true (PPV)")
        axis.legend(loc="upper left", bbox_to_anchor=(1, 0.9))
    return figure


METRIC_STYLES = (
    ("bonferroni", "-"),
    ("count", "--"),
    ("fisher", "-."),
    ("simes", ":"),
    ("b", (0, (5, 1))),
    ("stouffer", (0, (3, 1, 1, 1))),
    ("neutral", (0, (1, 1))),
)
"""Colour and line of the first, second, ... metric of a task."""

METRIC_NAMES = {
    "TA": "tagging accuracy",
    "UA": "accuracy on unknown words",
    "SA": "mean sentence accuracy",
    "LAS": "labelled attachment score",
    "UAS": "unlabelled attachment score",
}
"""Abbreviations of Søgaard et al. (2014), written out."""


def accuracies(full, systems):
    """Draw the scores of two systems on all datasets (Søgaard et al. 2014, Figure 1).

    Parameters
    ----------
    full : DataFrame
        As `free_choice.scores` returns it; one panel per metric.
    systems : sequence of (str, str)
        Names of A and B.

    Returns
    -------
    matplotlib.figure.Figure
        A row for each dataset; filled where p <= .05 by the paired bootstrap.
    """
    metrics = list(dict.fromkeys(full["metric"]))
    datasets = list(dict.fromkeys(full["dataset"]))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(metrics), figsize=(11, 1.6 + 0.27 * len(datasets)), sharey=True, squeeze=False,
            layout="constrained",
        )  # fmt: skip
        for axis, metric in zip(axes[0], metrics, strict=True):
            part = full[full["metric"] == metric].set_index("dataset").loc[datasets]
            rows, a, b = np.arange(len(part)), 100 * part["a"], 100 * part["b"]
            ahead = np.where(a > b, COLOURS["a"], COLOURS["b"])
            axis.hlines(rows, a, b, color=ahead, linewidth=2, alpha=0.6)
            significant = (part["p_value"] <= 0.05).to_numpy()
            for values, key, marker in ((a, "a", "o"), (b, "b", "s")):
                for chosen, face in ((significant, COLOURS[key]), (~significant, "white")):
                    axis.plot(
                        values[chosen], rows[chosen], marker, color=COLOURS[key], mfc=face, mew=1.5
                    )
            axis.set_xlabel(f"{METRIC_NAMES.get(metric, metric)} (%)")
        axes[0, 0].set_yticks(np.arange(len(datasets)), [plain(name) for name in datasets])
        axes[0, 0].invert_yaxis()
        legend = [
            plt.Line2D([], [], color=COLOURS[key], marker=marker, linestyle="", label=plain(name))
            for name, key, marker in zip(systems, "ab", "os", strict=True)
        ]
        legend += [
            plt.Line2D([], [], color="black", marker="o", linestyle="", mfc=face, label=label)
            for face, label in (("black", "p ≤ .05"), ("white", "p > .05"))
        ]
        figure.legend(handles=legend, loc="outside lower center", ncols=4)
        a, b = map(plain, systems)
        figure.suptitle(f"{a} and {b}: {len(datasets)} datasets", fontsize="large")
    return figure


def pvalue_paths(paths_, axis, alpha, title, columns=5):
    """Draw p-values against sample size or sentence length (Søgaard et al. 2014, Figures 3 to 6).

    Parameters
    ----------
    paths_ : DataFrame
        As `free_choice.averaged` returns it; one panel per dataset, one line per metric.
    axis : {"size", "length"}
        What varies.
    alpha : float
        Level below which the panel is shaded, in (0, 1).
    title : str
        What is compared, and how often.
    columns : int, default 5
        Panels in a row.

    Returns
    -------
    matplotlib.figure.Figure
        Logarithmic p-values; those below 0.0001 are drawn at the edge.
    """
    datasets = list(dict.fromkeys(paths_["dataset"]))
    metrics = list(dict.fromkeys(paths_["metric"]))
    n_rows = -(-len(datasets) // columns)
    smallest = 1e-4
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            n_rows, columns, figsize=(12, 1.5 + 2.1 * n_rows), sharex=True, sharey=True,
            squeeze=False, layout="constrained",
        )  # fmt: skip
        for place, dataset in zip(axes.flat, datasets, strict=False):
            place.axhspan(smallest, alpha, color=COLOURS["faint"], alpha=0.6, linewidth=0)
            for metric, (colour, line) in zip(metrics, METRIC_STYLES, strict=False):
                part = paths_[(paths_["dataset"] == dataset) & (paths_["metric"] == metric)]
                shown = np.maximum(part["p_value"], smallest)
                style = {"color": COLOURS[colour], "linestyle": line, "linewidth": 1.6}
                place.plot(part[axis], shown, label=metric, **style)
                place.plot(part[axis].iloc[-1:], shown.iloc[-1:], "o", ms=4, color=COLOURS[colour])
            place.set_title(plain(dataset), loc="left")
            place.tick_params(labelsize="small")
        for place in axes.flat[len(datasets) :]:
            place.set_visible(False)
        first = axes[0, 0]
        first.set(yscale="log", ylim=(smallest, 0.6), yticks=[1e-4, 1e-3, 1e-2, 0.05, 0.5])
        first.set_yticklabels(["≤.0001", ".001", ".01", ".05", ".5"])
        first.minorticks_off()
        if axis == "size":
            first.set_xscale("log")
            ticks = [t for t in (1000, 4000, 16000, 50000) if t <= 1.3 * paths_["size"].max()]
            first.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
            first.minorticks_off()
        label = {"size": "words in the sample", "length": "words of the longest sentence"}[axis]
        figure.supxlabel(label, fontsize="medium")
        figure.supylabel("p-value of the system that is ahead", fontsize="medium")
        figure.suptitle(f"{title} (shaded: p ≤ {alpha:g}; dot: all sentences)", fontsize="large")
        handles, labels = first.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper")
    return figure


def smallest_pvalues(families, alpha):
    """Draw the distribution of the smallest p-value with and without a choice.

    Parameters
    ----------
    families : dict of str to ndarray, shape (n_draws, n_tests)
        Name -> p-values of all tests of a choice; one histogram each.
    alpha : float
        Width of the bars, in (0, 1): the first holds what is significant.

    Returns
    -------
    matplotlib.figure.Figure
        Histograms, one below the other; a test without a choice has the dashed height everywhere.
    """
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(7.5, 1.2 + 1.9 * len(families)), layout="constrained")
        _draw_smallest(figure, figure.add_gridspec(len(families), 1), families, alpha)
    return figure
