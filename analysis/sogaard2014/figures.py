"""Figures of Søgaard et al. (2014)."""

import itertools
import textwrap

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
        One panel with a logarithmic axis of levels; the title has the values of `used`.
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
        shares = [f"{value:.0%} at α = {level:g}" for level, value in used.items()]
        if shares:
            axis.set_title(f"Without bias, findings that are true: {', '.join(shares)}", loc="left")
        axis.legend(loc="upper left", bbox_to_anchor=(1, 0.9))
    return figure


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

    `full`: as `free_choice.scores` returns it; one panel per metric. `systems`: names of A and B.

    Returns matplotlib.figure.Figure. A row for each dataset; filled where p <= .05 by the paired
    bootstrap.
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
            axis.set_title(_ahead(part, systems), loc="left", fontsize="medium")
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
        figure.suptitle(
            f"Significantly ahead (p ≤ .05), of {len(datasets)} datasets", fontsize="large"
        )
    return figure


def _ahead(part, systems):
    """Say on how many datasets each of two systems is significantly ahead, by one metric."""
    shown = part[part["p_value"] <= 0.05]
    counts = (shown["a"] > shown["b"]).sum(), (shown["a"] < shown["b"]).sum()
    return " and ".join(f"{plain(name)} on {n}" for name, n in zip(systems, counts, strict=True))


EDGE = 1e-4
"""p-values below it are drawn at the edge of the axis."""

GROWS = 1.5
"""A dataset has a panel if its largest sample is at least so many times its smallest."""


def pvalue_paths(found, axis, alpha, title, systems, columns=5):
    """Draw p-values against sample size or sentence length (Søgaard et al. 2014, Figures 3 to 6).

    Parameters
    ----------
    found : DataFrame
        As `free_choice.by_size` returns it, or `by_length`; one panel per dataset whose samples
        grow, one line per metric and run, the first metric in black.
    axis : {"size", "length"}
        What varies.
    alpha : float
        Level from which the panel is shaded, in (0, 1).
    title : str
        What is compared, and how often.
    systems : sequence of (str, str)
        Names of A and B.
    columns : int, default 5
        Panels in a row.

    Returns
    -------
    matplotlib.figure.Figure
        p-values of the system that is ahead, on a logarithmic axis from 1 in the middle upwards
        where this is A and downwards where it is B; those below `EDGE` are drawn at the edge.
    """
    found = found.dropna(subset=["p_value"])
    datasets = [
        name
        for name, part in found.groupby("dataset", sort=False)
        if part[axis].max() >= GROWS * part[axis].min()
    ]
    dropped = found["dataset"].nunique() - len(datasets)
    n_rows = -(-len(datasets) // columns)
    height = 2.1 if n_rows > 1 else 4
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            n_rows, columns, figsize=(12, 1.7 + height * n_rows), sharex=True, sharey=True,
            squeeze=False, layout="constrained",
        )  # fmt: skip
        for place, dataset in zip(axes.flat, datasets, strict=False):
            _draw_paths(place, found[found["dataset"] == dataset], axis, alpha, n_rows > 1)
            place.set_title(plain(dataset), loc="left")
        for place in axes.flat[len(datasets) :]:
            place.set_visible(False)
        _scale_evidence(axes[0, 0])
        if axis == "size":
            axes[0, 0].set_xscale("log")
            ticks = [t for t in (1000, 4000, 16000, 50000) if t <= 1.3 * found["size"].max()]
            axes[0, 0].set_xticks(ticks, [f"{tick:,}" for tick in ticks])
            axes[0, 0].minorticks_off()
        label = {"size": "words in the sample", "length": "words of the longest sentence"}[axis]
        left_out = f" (left out: {dropped} whose samples hardly grow)" if dropped else ""
        figure.supxlabel(f"{label}{left_out}", fontsize="medium")
        a, b = map(plain, systems)
        figure.supylabel(f"p-value:  ← {b} ahead   |   {a} ahead →", fontsize="medium")
        said = textwrap.fill(turned(found, axis, alpha, systems), 110)
        figure.suptitle(f"{plain(said)}\n{title} (shaded: p ≤ {alpha:g})", fontsize="medium")
    return figure


def evidence(part):
    """Return -log10 p, at most that of `EDGE`, with the sign of the difference of A and B."""
    size = -np.log10(np.maximum(part["p_value"], EDGE))
    return size * np.where(part["difference"] < 0, -1, 1)


def turned(found, axis, alpha, systems):
    """Say on how many datasets each system is significantly ahead, and in smaller samples alone.

    Returns str. Of the first metric.
    """
    metric = found["metric"].iloc[0]
    own = found[(found["metric"] == metric) & found["p_value"].notna()]
    ahead = own["difference"].lt(0).map({True: systems[1], False: systems[0]})
    shown = own.assign(ahead=ahead)[own["p_value"] <= alpha]
    whole = own.groupby("dataset")[axis].transform("max").loc[shown.index] == shown[axis]
    last, all_of = (set(zip(s["dataset"], s["ahead"], strict=True)) for s in (shown[whole], shown))
    on, less = (
        {name: sum(who == name for _, who in pairs) or "none" for name in systems}
        for pairs in (last, all_of - last)
    )
    n = own["dataset"].nunique()
    less_of = {"size": "in smaller samples", "length": "on shorter sentences"}[axis]
    a, b = systems
    return (
        f"By {metric} {a} is significantly ahead on {on[a]} of {n} datasets, {b} on {on[b]}; "
        f"{less_of} alone, {a} on {less[a]}, {b} on {less[b]}"
    )


def _draw_paths(place, part, axis, alpha, many):
    """Draw a dataset: the first metric in black, the others in grey, each with its name."""
    edge = -np.log10(EDGE)
    for side, colour in ((1, "a"), (-1, "b")):
        band = sorted((-side * np.log10(alpha), side * edge))
        place.axhspan(*band, color=COLOURS[colour], alpha=0.16, linewidth=0)
    place.axhline(0, color=COLOURS["neutral"], linewidth=0.6)
    ends = {}
    metrics = list(dict.fromkeys(part["metric"]))
    for metric in reversed(metrics):
        own = part[part["metric"] == metric]
        first = metric == metrics[0]
        style = {"color": "black" if first else "#8C8C8C", "zorder": 3 if first else 2}
        for _, run in own.groupby("run", sort=False) if "run" in own else [("", own)]:
            place.plot(run[axis], evidence(run), linewidth=0.9 if first else 0.6, **style)
        end = own.loc[own[axis].idxmax()]
        ends[metric] = evidence(own.loc[[end.name]]).iloc[0]
        place.plot(end[axis], ends[metric], "o", markersize=3.5 if first else 2.5, **style)
    for metric, height in _spread(ends, 0.6 if many else 0.28).items():
        place.text(
            1.02, height, metric, va="center", size="x-small",
            weight="bold" if metric == metrics[0] else "normal",
            color="black" if metric == metrics[0] else "#6B6B6B",
            transform=place.get_yaxis_transform(),
        )  # fmt: skip
    place.tick_params(labelsize="small")


def _spread(heights, gap):
    """Move labels apart, some up and some down; return a dict of name to height."""
    names = sorted(heights, key=heights.get)
    steps = gap * np.arange(len(names))
    wanted = np.array([heights[name] for name in names]) - steps
    upwards = np.maximum.accumulate(wanted)
    downwards = np.minimum.accumulate(wanted[::-1])[::-1]
    return dict(zip(names, (upwards + downwards) / 2 + steps, strict=True))


def _scale_evidence(place):
    """Label the axis of p-values, which goes from 1 in the middle in both directions."""
    values = {1e-4: "≤.0001", 1e-2: ".01", 0.05: ".05"}
    ticks = [(-np.log10(p), text) for p, text in values.items()]
    ticks = [(-y, text) for y, text in ticks] + [(0, "1")] + ticks[::-1]
    place.set_yticks(*zip(*ticks, strict=True))
    place.set_ylim(1.04 * np.log10(EDGE), -1.04 * np.log10(EDGE))


def smallest_pvalues(families, alpha):
    """Draw the distribution of the smallest p-value with and without a choice.

    `families`: name -> p-values of all tests of a choice; one histogram each. `alpha`: width of the
    bars, in (0, 1): the first holds what is significant.

    Returns matplotlib.figure.Figure. Histograms, one below the other; a test without a choice has
    the dashed height everywhere.
    """
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(7.5, 1.2 + 1.9 * len(families)), layout="constrained")
        _draw_smallest(figure, figure.add_gridspec(len(families), 1), families, alpha)
    return figure
