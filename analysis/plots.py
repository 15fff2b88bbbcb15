"""Figures: the only place for colours, axis labels and drawing."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import patheffects
from matplotlib.ticker import MaxNLocator, PercentFormatter

from replicability.io import paths
from replicability.stats import partial_conjunction

# Okabe and Ito's palette, distinguishable with any colour vision.
COLOURS = {
    "count": "#D55E00",
    "bonferroni": "#0072B2",
    "fisher": "#009E73",
    "simes": "#CC79A7",
    "stouffer": "#56B4E9",
    "a": "#0072B2",
    "b": "#E69F00",
    "neutral": "#595959",
    "faint": "#D0D0D0",
}
MARKERS = {"count": "s", "bonferroni": "o", "fisher": "D", "simes": "^", "stouffer": "v"}
NAMES = {
    "count": "count of p ≤ α",
    "bonferroni": "Bonferroni",
    "fisher": "Fisher",
    "simes": "Simes",
    "stouffer": "Stouffer",
}
STYLE = {
    "axes.grid": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.dpi": 100,
    "font.size": 10,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "replicability-analysis",
}
SMALLEST_SHOWN = 1e-6
"""p-values below it, zeros among them, are drawn at the edge of the axis."""
SMALLEST_RATE = 5e-4
"""Rejection rates below it are drawn at the edge of the axis."""
VERDICT_COLOURS = {
    "reproduced": ("#0072B2", "white"),
    "within rounding": ("#56B4E9", "black"),
    "within Monte-Carlo error": ("#009E73", "white"),
    "contradicted": ("#D55E00", "white"),
    "impossible": ("#000000", "white"),
    "cannot be checked": ("#E4E4E4", "#404040"),
}
"""Verdict of the audit -> colour, and colour of the count on it."""
VERDICT_MARKERS = {"anti-conservative": "^", "nominal": "o", "conservative": "v"}


def save(figure, outputs, stem):
    """Write a figure as SVG and PNG, the same bytes at every run.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure; pyplot forgets it, so that a notebook shows it where it is returned.
    outputs : str
        Folder of the run; the files go to its ``figures``.
    stem : str
        File name without ending: number of the paper's item first, meaning second.

    Returns
    -------
    matplotlib.figure.Figure
        `figure`, to be shown.
    """
    folder = paths.outputs(outputs, "figures")
    with plt.rc_context(STYLE):
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: a second pass would move it by a hair
        for axis in figure.axes:  # and the last bits of a layout differ from run to run
            axis.set_position(np.round(axis.get_position().bounds, 4))
        figure.savefig(folder / f"{stem}.svg", metadata={"Date": None, "Creator": None})
        figure.savefig(folder / f"{stem}.png", metadata={"Software": None})
    plt.close(figure)
    return figure


def plain(text):
    r"""Keep matplotlib from reading a name as mathematics.

    Parameters
    ----------
    text : str
        Name of a system or dataset.

    Returns
    -------
    str
        The text with each $ escaped.

    Examples
    --------
    >>> print(plain("a$b$"))
    a\$b\$
    """
    return str(text).replace("$", r"\$")


def comparison(table, finding, score):
    """Draw one comparison: who wins where, what Holm requires, and how far the counting gets.

    Parameters
    ----------
    table : DataFrame
        As `evaluation.evaluate` returns it; without scores the first panel is left out.
    finding : report.Finding
        What was found in the table at one level.
    score : str
        What the scores measure, with its unit.

    Returns
    -------
    matplotlib.figure.Figure
        Three panels that share their rows; row u is the dataset with the u-th smallest p-value:
        scores of both systems; p-value and Holm's threshold alpha / (n - u + 1);
        partial-conjunction p-values of "A is better on at least u datasets".
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
            figsize=(11, 1.9 + 0.27 * n),
            sharey=True,
            layout="constrained",
            width_ratios=widths,
        )
        rows = np.arange(1, n + 1)
        if "score_a" in table:
            _draw_scores(axes[0], ordered, rows, finding.systems, score)
        _draw_thresholds(axes[-2], ordered["p_value"].to_numpy(), rows, identified, finding.alpha)
        _draw_partial_conjunctions(axes[-1], rows, finding)
        axes[0].set_ylim(n + 0.6, 0.4)
        axes[0].set_yticks(rows, ordered["dataset"].map(plain))
        for label, found in zip(axes[0].get_yticklabels(), identified, strict=True):
            label.set_fontweight("bold" if found else "normal")
        twin = axes[-1].secondary_yaxis("right")
        twin.set_yticks(rows[:: 1 + n // 15])
        twin.set_ylabel("u")
        figure.legend(loc="outside lower center", ncols=7, fontsize="small")
        a, b = map(plain, finding.systems)
        figure.suptitle(f"{a} against {b}: {n} datasets, α = {finding.alpha:g}", fontsize="large")
    return figure


def k_histogram(frequencies, n_families, alpha, exact=None):
    """Draw the histogram of the estimators over simulated families (Figure 1).

    Parameters
    ----------
    frequencies : dict of str to ndarray
        Estimator -> number of families in which it was 0, 1, ...; the truth is 0.
    n_families : int
        Number of families.
    alpha : float
        Level of significance, in (0, 1).
    exact : dict of str to ndarray, optional
        Estimator -> exact probabilities of 0, 1, ... where they are known.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per estimator.
    """
    n = len(next(iter(frequencies.values()))) - 1
    last = max(np.flatnonzero(counts).max() for counts in frequencies.values())
    values = np.arange(last + 1)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            len(frequencies), 1, figsize=(7.5, 6), sharex=True, sharey=True, layout="constrained"
        )
        for axis, (name, counts) in zip(axes, frequencies.items(), strict=True):
            share = counts[: last + 1] / n_families
            colour = [COLOURS["faint"]] + [COLOURS[name]] * last
            axis.bar(values, share, color=colour, edgecolor=COLOURS["neutral"], linewidth=0.5)
            if exact and name in exact:
                axis.plot(values, exact[name][: last + 1], "k.", label="exact")
                axis.legend(loc="center right")
            above = counts[1:].sum() / n_families
            axis.set_title(
                f"{NAMES[name]}: above the truth, k = 0, in {above:.1%} of {n_families:,} families",
                loc="left",
            )
            axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes[1].set_ylabel("share of families")
        axes[-1].set_xlabel(f"estimated number of datasets, k̂  (N = {n}, α = {alpha:g})")
        axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def overestimation(rows, alpha, n_small, n_large):
    """Draw published, simulated and exact probabilities of k-hat > k side by side.

    Parameters
    ----------
    rows : DataFrame
        Columns ``example``, ``estimator``, ``published``, ``small`` (simulation with the published
        number of families), ``small_error`` (its standard error), ``large`` (simulation without
        visible error) and ``exact`` (NaN where there is no theory).
    alpha : float
        The bound that k-hat promises, in (0, 1).
    n_small, n_large : int
        Numbers of simulated families.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per example; a logarithmic axis.
    """
    examples = rows["example"].unique()
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(examples), figsize=(10, 3.2), sharey=True, layout="constrained"
        )
        for axis, example in zip(axes, examples, strict=True):
            part = rows[rows["example"] == example].reset_index(drop=True)
            at = part.index.to_numpy()
            axis.axvline(alpha, color=COLOURS["neutral"], linestyle="--", linewidth=1)
            axis.text(alpha, -0.62, f" α = {alpha:g}", color=COLOURS["neutral"], fontsize="small")
            series = (
                ("published", "published", "x", "count", -0.24),
                ("small", f"{n_small:,} families ± 2 SE", "o", "bonferroni", -0.08),
                ("large", f"{n_large:,} families", "D", "fisher", 0.08),
                ("exact", "exact", "*", "neutral", 0.24),
            )
            for column, label, marker, colour, offset in series:
                error = 2 * part["small_error"] if column == "small" else None
                axis.errorbar(
                    part[column],
                    at + offset,
                    xerr=error,
                    fmt=marker,
                    color=COLOURS[colour],
                    label=label,
                )
            axis.set_xscale("log")
            axis.set_xlim(5e-4, 1.5)
            axis.set_title(f"{example} datasets", loc="left")
            axis.set_xlabel("P(k̂ > k)")
        axes[0].set_yticks(at, [NAMES[name] for name in part["estimator"]])
        axes[0].set_ylim(len(at) - 0.4, -0.75)
        axes[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def rejection_rates(rows):
    """Draw rejection rates of true null hypotheses against the sample size.

    Parameters
    ----------
    rows : DataFrame
        As `type1_error.rejection_table` returns it; one panel per title and model.

    Returns
    -------
    matplotlib.figure.Figure
        Logarithmic axes; around each nominal level a band of two standard errors.
    """
    panels = list(rows.groupby(["title", "model"], sort=False))
    sizes, alphas = sorted(rows["n"].unique()), rows["alpha"].unique()
    across = min(5, len(panels))
    down = -(-len(panels) // across)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            down,
            across,
            figsize=(2.1 * across, 1.1 + 1.8 * down),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, ((title, model), part) in zip(axes.flat, panels, strict=False):
            for alpha, colour in zip(
                alphas, itertools.cycle(COLOURS[c] for c in "ab"), strict=False
            ):
                _draw_rates(axis, part[part["alpha"] == alpha], alpha, colour)
            axis.set_title(f"{title}\n{model.replace('_', ' ')}", loc="left", fontsize="small")
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
        axes[0, 0].set(xscale="log", yscale="log", ylim=(SMALLEST_RATE, 1))
        axes[0, 0].set_xticks(sizes, [f"{n:,}" for n in sizes])
        ticks = sorted({*alphas, 0.001, 0.2, 1.0})
        axes[0, 0].set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        axes[0, 0].minorticks_off()
        for axis in axes.flat:
            axis.tick_params(labelsize="small")
        for verdict, marker in VERDICT_MARKERS.items():
            face = "white" if verdict == "nominal" else COLOURS["neutral"]
            axes[0, 0].plot(
                [], [], marker, color=COLOURS["neutral"], markerfacecolor=face, label=verdict
            )
        figure.supxlabel("number of instances, n", fontsize="medium")
        figure.supylabel(
            f"share of true null hypotheses rejected (at the edge: below {SMALLEST_RATE:g})",
            fontsize="medium",
        )
        figure.legend(loc="outside upper center", ncols=5, fontsize="small")
    return figure


def k_overview(counts):
    """Draw the estimates of every comparison and level (Table 1).

    Parameters
    ----------
    counts : DataFrame
        As `findings.counts` returns it, the same comparisons in the same order at every level; with
        what was printed, as `findings.with_printed` returns it.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per level and one row per comparison: a grey bar as long as there are datasets, a
        grey tick at the count of small p-values, and a mark with its number for each estimator with
        a guarantee. The recommended one is filled. A printed number is a cross, joined to the
        estimate where it differs.
    """
    parts = dict(list(counts.groupby("alpha", sort=False)))
    first = next(iter(parts.values()))
    titles, sizes = first["comparison"], first["datasets"]
    estimators = [name for name in MARKERS if name != "count" and f"k_{name}" in counts]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(parts),
            figsize=(
                max(7, 1.5 + 3.9 * len(parts)),
                1.7 + (0.4 + 0.12 * len(estimators)) * len(titles),
            ),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, (alpha, part) in zip(axes[0], parts.items(), strict=True):
            _draw_estimates(axis, part, estimators)
            axis.set_title(f"α = {alpha:g}", loc="left")
        labels = [
            f"{plain(title)}\n{n} dataset{'s' * (n != 1)}"
            for title, n in zip(titles, sizes, strict=True)
        ]
        axes[0, 0].set_yticks(range(len(titles)), labels)
        axes[0, 0].set_ylim(len(titles) - 0.45, -0.55)
        axes[0, 0].set_xlim(-0.03 * sizes.max() - 0.3, sizes.max() * 1.04 + 0.3)
        axes[0, 0].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        figure.supxlabel("datasets on which A is better", fontsize="medium")
        figure.legend(
            handles=_estimate_legend(
                estimators, counts.filter(like="printed_").notna().any(axis=None)
            ),
            loc="outside upper left",
            ncols=2,
            fontsize="small",
        )
    return figure


def _draw_estimates(axis, part, estimators):
    """Draw the estimates at one level, a row for each comparison."""
    offsets = np.linspace(-0.24, 0.24, len(estimators)) if len(estimators) > 1 else [0]
    rows = np.arange(len(part))
    axis.barh(rows, part["datasets"], color="#F2F2F2", height=0.84)
    axis.vlines(part["k_count"], rows - 0.42, rows + 0.42, color="#8C8C8C", linewidth=2)
    axis.tick_params(axis="y", length=0)
    halo = [patheffects.withStroke(linewidth=2.5, foreground="white")]
    for offset, name in zip(offsets, estimators, strict=True):
        at, shown = rows + offset, part[f"k_{name}"].to_numpy()
        printed = np.asarray(part.get(f"printed_{name}", shown * np.nan))
        axis.hlines(at, shown, printed, color=COLOURS[name], linewidth=1.5)
        axis.scatter(
            printed, at, marker="x", s=26, color="black", linewidth=1.2, zorder=4, path_effects=halo
        )
        chosen = (part["recommended"] == f"k_{name}").to_numpy()
        for face, some in ((COLOURS[name], chosen), ("white", ~chosen)):
            axis.plot(
                shown[some],
                at[some],
                linestyle="",
                marker=MARKERS[name],
                markersize=8,
                markeredgewidth=1.5,
                markeredgecolor=COLOURS[name],
                markerfacecolor=face,
            )
        for x, y, other, found in zip(shown, at, printed, chosen, strict=True):
            side, align = (-8, "right") if other > x else (8, "left")
            axis.annotate(
                f"{x}", (x, y), (side, 0), textcoords="offset points", ha=align, va="center",
                size=9, weight="bold" if found else "normal", color=COLOURS[name],
                path_effects=halo, zorder=5,
            )  # fmt: skip


def _estimate_legend(estimators, printed):
    """Explain the marks of the estimates: which are valid when, and which is recommended."""
    handles = [
        plt.Rectangle((0, 0), 1, 1, color="#F2F2F2", label="all datasets"),
        plt.Line2D(
            [], [], color="#8C8C8C", linestyle="", marker="|", markersize=11, markeredgewidth=2,
            label=f"{NAMES['count']}: no guarantee",
        ),
    ]  # fmt: skip
    for name in estimators:
        valid = partial_conjunction.VALID_UNDER[name]
        when = (
            "whatever the dependence"
            if valid == partial_conjunction.DEPENDENCE
            else f"if {' or '.join(valid)}"
        )
        handles.append(
            plt.Line2D(
                [], [], linestyle="", marker=MARKERS[name], markersize=7, markeredgewidth=1.5,
                color=COLOURS[name], markerfacecolor="white", label=f"{NAMES[name]}: valid {when}",
            )
        )  # fmt: skip
    handles.append(
        plt.Line2D(
            [], [], linestyle="", marker="o", markersize=7, color=COLOURS["neutral"],
            label="filled: recommended",
        )
    )  # fmt: skip
    if printed:
        handles.append(
            plt.Line2D(
                [], [], color="black", linestyle="", marker="x", label="printed in the paper"
            )
        )
    return handles


def k_matrix(counted, n, title):
    """Draw on how many datasets each system beats each other one.

    Parameters
    ----------
    counted : DataFrame of int, shape (s, s)
        k-hat of "the system of the row is better than that of the column".
    n : int
        Number of datasets.
    title : str
        What was counted.

    Returns
    -------
    matplotlib.figure.Figure
        One cell per ordered pair, the darker the more datasets; 0 is left blank.
    """
    size = len(counted)
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(3.4 + 0.36 * max(size, 9), 2.2 + 0.36 * max(size, 9)))
        figure.set_layout_engine("constrained")
        shown = counted.to_numpy(float).copy()
        shown[shown == 0] = np.nan
        np.fill_diagonal(shown, np.nan)
        colours = plt.get_cmap("cividis_r").with_extremes(bad="#FFFFFF")
        image = axis.imshow(shown, cmap=colours, vmin=0, vmax=n)
        axis.plot(range(size), range(size), ".", color=COLOURS["faint"], markersize=3)
        for i, j in np.argwhere(shown > 0):
            tone = "white" if shown[i, j] > n / 2 else "black"
            axis.text(j, i, f"{shown[i, j]:.0f}", ha="center", va="center", size=8, color=tone)
        names = [plain(name) for name in counted.index]
        axis.set_xticks(range(size), names, rotation=90)
        axis.set_yticks(range(size), names)
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        axis.set_xlabel("B")
        axis.set_ylabel("A, ordered by mean score")
        figure.suptitle(plain(title), fontsize="medium")
        bar = figure.colorbar(image, shrink=0.6, aspect=30, ticks=MaxNLocator(integer=True))
        bar.set_label(f"k̂ of {n} datasets (blank: 0)")
    return figure


def verdicts(counts):
    """Draw how many published numbers got each verdict, item by item.

    Parameters
    ----------
    counts : DataFrame
        Columns ``paper``, ``item``, one per verdict of `VERDICT_COLOURS` and ``total``, as
        `audit.totals_by` returns it.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per paper, one stacked bar per item with its counts; the axis is the share.
    """
    papers = list(counts.groupby("paper", sort=False))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            len(papers),
            1,
            figsize=(9, 1.6 + 0.31 * len(counts)),
            sharex=True,
            squeeze=False,
            height_ratios=[len(part) + 0.8 for _, part in papers],
            layout="constrained",
        )
        for axis, (paper, part) in zip(axes[:, 0], papers, strict=True):
            _draw_verdicts(axis, part.reset_index(drop=True))
            axis.set_title(f"{paper}: {part['total'].sum():,} verdicts", loc="left")
        axes[-1, 0].set_xlim(0, 1)
        axes[-1, 0].xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes[-1, 0].set_xlabel("share of the verdicts on an item (counts in the bars)")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
    return figure


def _draw_verdicts(axis, part):
    """Draw a stacked bar for each item of a paper."""
    at, left = np.arange(len(part)), np.zeros(len(part))
    for verdict, (colour, ink) in VERDICT_COLOURS.items():
        share = (part[verdict] / part["total"]).to_numpy()
        axis.barh(
            at,
            share,
            left=left,
            color=colour,
            height=0.78,
            edgecolor="white",
            linewidth=0.8,
            label=verdict,
        )
        for y, x, width, number in zip(at, left, share, part[verdict], strict=True):
            if number:
                axis.text(
                    x + width / 2,
                    y,
                    str(number),
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize="small",
                )
        left += share
    axis.set_yticks(at, part["item"])
    axis.set_ylim(len(part) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)


def _draw_rates(axis, part, alpha, colour):
    """Draw the rates of one test at one level, with the band that its repetitions allow."""
    band = 2 * np.sqrt(alpha * (1 - alpha) / part["n_repetitions"].iloc[0])
    label = f"α = {alpha:g} ± 2 SE" if axis.get_subplotspec().num1 == 0 else None
    axis.axhspan(alpha - band, alpha + band, color=colour, alpha=0.3, linewidth=0, label=label)
    shown = np.maximum(part["rate"], SMALLEST_RATE)
    axis.plot(part["n"], shown, color=colour, linewidth=1)
    for verdict, marker in VERDICT_MARKERS.items():
        chosen = (part["verdict"] == verdict).to_numpy()
        if chosen.any():
            axis.plot(
                part["n"][chosen],
                shown[chosen],
                marker,
                markersize=5,
                markeredgecolor=colour,
                markerfacecolor="white" if verdict == "nominal" else colour,
                clip_on=False,
            )


def _draw_scores(axis, ordered, rows, systems, score):
    a, b = ordered["score_a"], ordered["score_b"]
    winner = [COLOURS["a"] if x > y else COLOURS["b"] for x, y in zip(a, b, strict=True)]
    axis.hlines(rows, a, b, color=winner, linewidth=2, alpha=0.6)
    axis.plot(a, rows, "o", color=COLOURS["a"], label=plain(systems[0]))
    axis.plot(b, rows, "s", color=COLOURS["b"], fillstyle="none", mew=2, label=plain(systems[1]))
    axis.set_xlabel(plain(score))
    axis.set_title("Scores (bold: identified)", loc="left")


def _draw_thresholds(axis, pvalues, rows, identified, alpha):
    threshold = alpha / (len(rows) - rows + 1)
    axis.plot(threshold, rows, "|-", color=COLOURS["neutral"], linewidth=0.8, label="Holm's line")
    axis.axvline(alpha, color=COLOURS["count"], linestyle=":", label=f"α = {alpha:g}")
    for found, face in ((True, COLOURS["bonferroni"]), (False, "white")):
        _draw_pvalues(
            axis,
            pvalues[identified == found],
            rows[identified == found],
            markeredgecolor=COLOURS["bonferroni"],
            markerfacecolor=face,
        )
    axis.set_title("p-values (filled: below Holm's line)", loc="left")
    _probability_axis(axis, "p-value")


def _draw_partial_conjunctions(axis, rows, finding):
    axis.axvline(finding.alpha, color=COLOURS["count"], linestyle=":")
    for name, pvalues in finding.partial_conjunctions.items():
        axis.plot(
            np.maximum(pvalues, SMALLEST_SHOWN),
            rows,
            color=COLOURS[name],
            marker=MARKERS[name],
            markersize=4,
            label=f"{NAMES[name]}: k̂ = {finding.counts[name]}",
        )
    axis.set_title("“A better on at least u datasets”", loc="left")
    _probability_axis(axis, "partial-conjunction p-value")


def _draw_pvalues(axis, pvalues, rows, **style):
    below = pvalues < SMALLEST_SHOWN
    shown = np.maximum(pvalues, SMALLEST_SHOWN)
    for rest, marker in ((~below, "o"), (below, "<")):
        if rest.any():  # the layout trips over lines that are empty and not clipped
            axis.plot(shown[rest], rows[rest], linestyle="", marker=marker, clip_on=False, **style)


def _probability_axis(axis, label):
    axis.set_xscale("log")
    axis.set_xlim(SMALLEST_SHOWN, 1.3)
    axis.set_xticks([1e-5, 1e-3, 1e-1])  # none at an edge, where the panels meet
    axis.set_xlabel(f"{label}  (◂: below {SMALLEST_SHOWN:g})")


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


def split_accuracies(rows, scored, level):
    """Draw accuracies on the standard split and on random ones (Gorman and Bedrick 2019, Figure 1).

    Parameters
    ----------
    rows : DataFrame
        As `splits.ranges` returns it, of one metric.
    scored : DataFrame
        As `splits.scores` returns it, of the same metric.
    level : float
        Coverage of the intervals in `rows`, for the legend.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per dataset, one row per tagger: whiskers for the standard split, a band and
        points for the random ones.
    """
    datasets = list(rows.groupby("dataset", sort=False))
    depth = max(len(part) for _, part in datasets)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(datasets),
            figsize=(1 + 4.6 * len(datasets), 1.9 + 0.42 * depth),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, (dataset, part) in zip(axes[0], datasets, strict=True):
            at = np.arange(len(part))
            random = scored[(scored["dataset"] == dataset) & (scored["split"] != 0)]
            axis.barh(
                at,
                part["largest"] - part["smallest"],
                left=part["smallest"],
                height=0.62,
                color=COLOURS["faint"],
                label=f"range over {part['splits'].max()} random splits",
            )
            rank = random["tagger"].map(dict(zip(part["tagger"], at, strict=True)))
            axis.plot(
                random["accuracy"],
                rank + 0.2,
                "|",
                color=COLOURS["neutral"],
                markersize=6,
                label="a random split",
            )
            accuracy = part["accuracy"]
            axis.errorbar(
                accuracy,
                at - 0.12,
                xerr=(accuracy - part["low"], part["high"] - accuracy),
                fmt="o",
                color=COLOURS["a"],
                capsize=4,
                label=f"standard split, {level:.0%} interval",
            )
            axis.set_title(
                f"{plain(dataset)} (standard test part: n = {part['n'].max():,})", loc="left"
            )
            axis.use_sticky_edges = False
            axis.margins(x=0.03)
            axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=1))
            axis.xaxis.set_major_locator(MaxNLocator(6))
            axis.set_xlabel(f"{part['metric'].iloc[0]} accuracy")
        axes[0, 0].set_yticks(at, part["tagger"].map(plain))
        axes[0, 0].set_ylim(depth - 0.5, -0.5)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def split_differences(compared, alpha):
    """Draw the differences between neighbours on every split (Gorman and Bedrick 2019, Table 3).

    Parameters
    ----------
    compared : DataFrame
        As `splits.compare` returns it.
    alpha : float
        Level that is divided by the number of random splits.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per dataset, one row per pair; filled points are significant.
    """
    neighbours = compared[compared["adjacent"]]
    datasets = list(neighbours.groupby("dataset", sort=False))
    pairs = neighbours[["first", "second"]].drop_duplicates().to_records(index=False).tolist()
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            len(datasets),
            figsize=(1.4 + 4.4 * len(datasets), 1.9 + 0.55 * len(pairs)),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for axis, (dataset, part) in zip(axes[0], datasets, strict=True):
            axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
            for row, pair in enumerate(pairs):
                own = part[(part["first"] == pair[0]) & (part["second"] == pair[1])]
                _draw_differences(axis, own, row, alpha)
            n = part.loc[part["split"] != 0, "split"].nunique()
            axis.set_title(f"{plain(dataset)}: k = {n} random splits", loc="left")
            axis.xaxis.set_major_locator(MaxNLocator(6))
            axis.set_xlabel("second minus first, token accuracy (percentage points)")
        axes[0, 0].set_yticks(range(len(pairs)), [plain(f"{a} vs. {b}") for a, b in pairs])
        axes[0, 0].set_ylim(len(pairs) - 0.5, -0.5)
        style = {"linestyle": "", "marker": "o", "markeredgecolor": COLOURS["a"]}
        axes[0, 0].plot([], [], color=COLOURS["a"], label=f"p ≤ {alpha:g} / k", **style)
        axes[0, 0].plot([], [], color="white", label="not significant", **style)
        axes[0, 0].plot([], [], "D", color=COLOURS["b"], label="standard split")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def _draw_differences(axis, own, row, alpha):
    """Draw one pair: random splits in order of their number, and the standard split below."""
    random = own[own["split"] != 0]
    at = row + np.linspace(-0.3, 0.14, len(random))
    small = (random["p_value"] <= alpha / len(random)).to_numpy()
    for chosen, face in ((small, COLOURS["a"]), (~small, "white")):
        axis.plot(
            100 * random["difference"][chosen],
            at[chosen],
            "o",
            markersize=4,
            markeredgecolor=COLOURS["a"],
            markerfacecolor=face,
        )
    axis.plot(100 * own["difference"][own["split"] == 0], row + 0.32, "D", color=COLOURS["b"])


def sentence_agreement(agreed):
    """Draw the agreement of taggers against the length of sentences (Section 3.4 there).

    Parameters
    ----------
    agreed : DataFrame
        As `agreement.sentences` returns it.

    Returns
    -------
    matplotlib.figure.Figure
        For each dataset a point per sentence, and the distribution of alpha beside it.
    """
    datasets = list(agreed.groupby("dataset", sort=False))
    kinds = ((True, "without finite verb", "b", "^"), (False, "with finite verb", "a", "o"))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1,
            2 * len(datasets),
            figsize=(1 + 5.2 * len(datasets), 4.4),
            sharey=True,
            squeeze=False,
            width_ratios=(3, 1) * len(datasets),
            layout="constrained",
        )
        edges = np.linspace(min(0, agreed["alpha"].min()), 1, 26)
        for (points, bars), (dataset, part) in zip(axes[0].reshape(-1, 2), datasets, strict=True):
            bottom = np.zeros(len(edges) - 1)
            for verbless, label, colour, marker in reversed(kinds):
                own = part[part["verbless"] == verbless]
                points.plot(
                    own["words"],
                    own["alpha"],
                    marker,
                    color=COLOURS[colour],
                    markersize=3.5,
                    alpha=0.8 if verbless else 0.4,
                    markeredgewidth=0,
                    label=label,
                )
                share = np.histogram(own["alpha"], edges)[0] / len(part)
                bars.barh(
                    edges[:-1],
                    share,
                    np.diff(edges),
                    left=bottom,
                    align="edge",
                    color=COLOURS[colour],
                    alpha=0.8,
                    edgecolor="white",
                    linewidth=0.4,
                )
                bottom += share
            points.set_xscale("log")
            ticks = [1, 2, 5, 10, 20, 50, 100]
            points.set_xticks(ticks, map(str, ticks))
            points.minorticks_off()
            points.set_xlim(0.9, 1.1 * agreed["words"].max())
            points.set_xlabel("words of the sentence")
            points.set_title(
                f"{plain(dataset)}: {len(part):,} sentences with disagreement", loc="left"
            )
            bars.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
            bars.set_xlabel("share of them")
        axes[0, 0].set_ylabel("Krippendorff's α of the taggers")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        legend = figure.legend(
            handles, labels, loc="outside lower center", ncols=2, fontsize="small"
        )
        for handle in legend.legend_handles:
            handle.set(alpha=1, markersize=6)
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
