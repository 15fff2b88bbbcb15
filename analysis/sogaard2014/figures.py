"""Figures of Søgaard et al. (2014)."""

import itertools
import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MultipleLocator, PercentFormatter

from replicability.show.style import COLOURS, STYLE, plain


def many_metrics(rows, n_large):
    """Draw how often a free choice finds a difference that does not exist (Søgaard et al. 2014).

    `rows`: as `many_metrics.rates` returns it, with a column ``published``, NaN where there is
    none; its first level is drawn. `n_large`: repetitions of the larger simulation.

    Returns matplotlib.figure.Figure. A row for each choice: the published rate, our own, and that
    of k-hat by Bonferroni.
    """
    alpha = rows["alpha"].iloc[0]
    part = rows[rows["alpha"] == alpha].reset_index(drop=True)
    kept = int((part["k_hat"] <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / n_large)).sum())
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.3, 1.9 + 0.4 * len(part)), layout="constrained")
        for column, label, marker, colour in (
            ("published", "some p ≤ α, published", "x", "neutral"),
            ("large", f"some p ≤ α, {n_large:,} draws", "o", "count"),
            ("k_hat", f"k̂ > 0 by Bonferroni, {n_large:,} draws", "^", "bonferroni"),
        ):
            axis.plot(
                part[column], part.index, marker, color=COLOURS[colour], label=label, markersize=7,
                zorder=4 if marker == "x" else 3, markeredgewidth=1.5 if marker == "x" else 1,
            )  # fmt: skip
        for row, rate in part["large"].items():
            axis.text(
                rate, row - 0.4, f"{rate:.1%}", ha="center", va="center", fontsize="small",
                bbox={"color": "white", "pad": 0.5},
            )  # fmt: skip
        axis.hlines(part.index, part["k_hat"], part["large"], color=COLOURS["faint"], zorder=1)
        axis.axvline(alpha, color=COLOURS["neutral"], linestyle="--", linewidth=1)
        axis.set_yticks(part.index, part["choice"])
        axis.set(ylim=(len(part) - 0.4, -0.75), xlim=(0, None))
        axis.set_xlabel(f"draws with a false difference (dashed: α = {alpha:g})")
        axis.xaxis.set_major_locator(MultipleLocator(0.05))
        axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        figure.legend(loc="outside lower center", ncols=3, fontsize="small")
        figure.suptitle(
            "Choosing freely finds a false difference in up to "
            f"{part['large'].max():.0%} of draws;\n"
            f"k̂ keeps its level in {kept} of {len(part)} examples",
            fontsize="large",
        )
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


def predictive_value(alphas, curves, used, target, cut_off):
    """Draw the share of findings that are true against the level (Søgaard et al. 2014, Figure 7).

    `alphas` (array_like): levels, ascending, above 0. `curves` (dict of float to array_like): bias
    -> positive predictive value at each level. `used` (dict of float to float): level -> positive
    predictive value without bias, to be marked. `target`: positive predictive value that is wanted,
    in (0, 1). `cut_off`: level that reaches it without bias.

    Returns matplotlib.figure.Figure. One panel with a logarithmic axis of levels; the title has the
    values of `used`.
    """
    colours = [COLOURS[name] for name in ("a", "b", "fisher", "simes")]
    looks = itertools.cycle(zip(colours, ("-", "--", "-.", ":"), strict=True))
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.5, 4), layout="constrained")
        for (bias, values), (colour, line) in zip(curves.items(), looks, strict=False):
            axis.plot(alphas, values, color=colour, linestyle=line, label=f"bias u = {bias:g}")
        style = {"color": COLOURS["neutral"], "linestyle": "-", "linewidth": 0.8}
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
            axis.set_title(
                f"Share of findings that are true, without bias: {', '.join(shares)}", loc="left"
            )
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
    bootstrap. The title is about the metric by which the two counts differ most.
    """
    metrics = list(dict.fromkeys(full["metric"]))
    datasets = list(dict.fromkeys(full["dataset"]))
    counts = {m: _significant(full[full["metric"] == m], systems) for m in metrics}
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(metrics), figsize=(10.2, 1.6 + 0.27 * len(datasets)), sharey=True, squeeze=False,
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
            ahead_on = " and ".join(f"{plain(name)} on {n}" for name, n in counts[metric].items())
            axis.set_title(ahead_on, loc="left", fontsize="medium")
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
        figure.suptitle(_by_the_clearest(counts, len(datasets)), fontsize="large")
    return figure


def _significant(part, systems):
    """Count the datasets on which each of two systems is significantly ahead, by one metric."""
    shown = part[part["p_value"] <= 0.05]
    counts = (shown["a"] > shown["b"]).sum(), (shown["a"] < shown["b"]).sum()
    return dict(zip(systems, map(int, counts), strict=True))


def _by_the_clearest(counts, n):
    """Say who is ahead by the metric for which the counts of two systems differ most."""
    metric = max(counts, key=lambda one: np.ptp(list(counts[one].values())))
    winner, k = max(counts[metric].items(), key=lambda item: item[1])
    if list(counts[metric].values()).count(k) > 1:
        return (
            "By every metric, both systems are significantly better on the same number of datasets "
            f"(of {n})"
        )
    return (
        f"By {METRIC_NAMES.get(metric, metric)}, {plain(winner)} is significantly better on {k} of "
        f"{n} datasets"
    )


GROWS = 1.5
"""A dataset has a panel if its largest sample is at least so many times its smallest."""


def pvalue_paths(found, axis, alpha, title, systems):
    """Draw p-values against sample size or sentence length (Søgaard et al. 2014, Figures 3 to 6).

    `found`: as `free_choice.by_size` returns it, or `by_length`. The first metric is drawn, of the
    datasets whose samples grow. `axis` ({"size", "length"}): what varies. `alpha`: level of
    significance, in (0, 1). `title`: what is compared, and how often. `systems` (sequence of (str,
    str)): names of A and B.

    Returns matplotlib.figure.Figure. A row for each dataset and a mark for each sample: a triangle
    for the system that is significantly better, larger if it is in more of the random orders, or a
    grey dot.
    """
    metric = found["metric"].iloc[0]
    found = found[found["metric"] == metric].dropna(subset=["p_value"])
    grows = found.groupby("dataset", sort=False)[axis].agg(lambda x: x.max() >= GROWS * x.min())
    datasets = [name for name, long in grows.items() if long]
    with plt.rc_context(STYLE):
        figure, place = plt.subplots(figsize=(7.3, 2.2 + 0.3 * len(datasets)), layout="constrained")
        for row, dataset in enumerate(datasets):
            _draw_samples(place, found[found["dataset"] == dataset], axis, alpha, row)
        place.set_yticks(range(len(datasets)), map(plain, datasets))
        place.set_ylim(len(datasets) - 0.4, -0.6)
        place.tick_params(axis="y", length=0)
        if axis == "size":
            place.set_xscale("log")
            ticks = [t for t in (500, 2000, 8000, 32000) if t <= 1.3 * found["size"].max()]
            place.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
            place.minorticks_off()
        label = {"size": "words in the sample", "length": "words in the longest sentence"}[axis]
        dropped = len(grows) - len(datasets)
        place.set_xlabel(label + f" (small datasets left out: {dropped})" * bool(dropped))
        marks = [
            plt.Line2D([], [], color=COLOURS[key], marker=marker, linestyle="", label=plain(text))
            for key, marker, text in (
                ("a", "^", f"{systems[0]} better (p ≤ {alpha:g})"),
                ("b", "v", f"{systems[1]} better (p ≤ {alpha:g})"),
                ("faint", "o", "not significant"),
            )
        ]
        figure.legend(handles=marks, loc="outside lower center", ncols=3)
        said = textwrap.fill(turned(found, axis, alpha, systems), 76)
        figure.suptitle(f"{plain(said)}\n{plain(title)}", fontsize="medium")
    return figure


def _draw_samples(place, part, axis, alpha, row):
    """Draw a dataset: a mark for each sample, by the share of orders that are significant."""
    sign = part["p_value"].le(alpha) * np.sign(part["difference"])
    place.axhline(row, color=COLOURS["faint"], linewidth=0.6, zorder=0)
    for x, signs in sign.groupby(part[axis]):
        a, b = (signs > 0).mean(), (signs < 0).mean()
        if a == b == 0:
            place.plot(x, row, "o", color=COLOURS["faint"], markersize=3)
        for share, marker, key, shift in ((a, "^", "a", -0.12), (b, "v", "b", 0.12)):
            if share:
                height, size = row + shift * (a > 0 < b), 3.5 + 4 * share
                place.plot(x, height, marker, color=COLOURS[key], markersize=size)


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
        f"By {metric}, {a} is significantly ahead on {on[a]} of {n} datasets, {b} on {on[b]}; "
        f"{less_of} alone, {a} on {less[a]}, {b} on {less[b]}"
    )


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
