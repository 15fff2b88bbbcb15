"""Figures of Dror et al. (2017)."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import patheffects
from matplotlib.ticker import MaxNLocator, PercentFormatter

from replicability.compare import procedure
from replicability.show.style import COLOURS, MARKERS, NAMES, STYLE, plain
from replicability.stats import partial_conjunction

VERDICT_COLOURS = {
    "reproduced": ("#0072B2", "white"),
    "within rounding": ("#56B4E9", "black"),
    "within Monte-Carlo error": ("#009E73", "white"),
    "contradicted": ("#D55E00", "white"),
    "impossible": ("#000000", "white"),
    "cannot be checked": ("#E4E4E4", "#404040"),
}
"""Verdict of the audit -> colour, and colour of the count on it."""
OTHER_MARKER = "P"
"""Mark of an estimate that is made from more than the p-values."""


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
        a guarantee, where there is one. The recommended one is filled. A printed number is a cross,
        joined to the estimate where it differs.
    """
    parts = dict(list(counts.groupby("alpha", sort=False)))
    first = next(iter(parts.values()))
    titles, sizes = first["comparison"], first["datasets"]
    known = dict.fromkeys([*MARKERS, *procedure.METHODS])
    estimators = [name for name in known if name != "count" and f"k_{name}" in counts]
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
        at, shown = rows + offset, part[f"k_{name}"].to_numpy(float, na_value=np.nan)
        printed = np.asarray(part.get(f"printed_{name}", shown * np.nan))
        colour = COLOURS.get(name, COLOURS["neutral"])
        axis.hlines(at, shown, printed, color=colour, linewidth=1.5)
        axis.scatter(
            printed, at, marker="x", s=26, color="black", linewidth=1.2, zorder=4, path_effects=halo
        )
        chosen = (part["recommended"] == f"k_{name}").to_numpy()
        for face, some in ((colour, chosen), ("white", ~chosen)):
            axis.plot(
                shown[some],
                at[some],
                linestyle="",
                marker=MARKERS.get(name, OTHER_MARKER),
                markersize=8,
                markeredgewidth=1.5,
                markeredgecolor=colour,
                markerfacecolor=face,
            )
        there = ~np.isnan(shown)
        for x, y, other, found in zip(
            *(v[there] for v in (shown, at, printed, chosen)), strict=True
        ):
            side, align = (-8, "right") if other > x else (8, "left")
            axis.annotate(
                f"{x:.0f}", (x, y), (side, 0), textcoords="offset points", ha=align, va="center",
                size=9, weight="bold" if found else "normal", color=colour,
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
        valid, title = procedure.VALID_UNDER[name], procedure.TITLES[name]
        when = f"if {' or '.join(valid)}"
        if name == procedure.JOINT:
            when = "where shared units are known"
        elif valid == partial_conjunction.DEPENDENCE:
            when = "whatever the dependence"
        handles.append(
            plt.Line2D(
                [], [], linestyle="", marker=MARKERS.get(name, OTHER_MARKER), markersize=7,
                markeredgewidth=1.5, color=COLOURS.get(name, COLOURS["neutral"]),
                markerfacecolor="white", label=f"{title[0].upper()}{title[1:]}: valid {when}",
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


def printed_and_found(rows, alpha):
    """Draw for every comparison what was printed, what follows, and what holds in both directions.

    Parameters
    ----------
    rows : DataFrame
        As `tables.printed_and_found` returns it.
    alpha : float
        Level of the estimates, and joint level of both directions, in (0, 1).

    Returns
    -------
    matplotlib.figure.Figure
        One row per comparison, sections together; shares of its datasets, to the right those on
        which A is better, to the left those on which B is.
    """
    gaps = (rows["section"] != rows["section"].shift()).cumsum() - 1
    at = np.arange(len(rows)) + 0.9 * gaps.to_numpy()
    n = rows["datasets"].to_numpy(float)
    share = {c: rows[c].to_numpy(float) / n for c in ("printed", "found", "a", "b")}
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(9, 0.8 + 0.36 * at[-1]), layout="constrained")
        axis.barh(at, 2.0, left=-1.0, height=0.7, color="#F2F2F2")
        axis.barh(at, share["a"], height=0.5, color=COLOURS["a"], label="A better, both asked")
        axis.barh(at, -share["b"], height=0.5, color=COLOURS["b"], label="B better, both asked")
        axis.plot(
            share["found"], at, "o", markersize=9, markeredgecolor="black", markerfacecolor="white",
            label="A better, re-run or open", clip_on=False, zorder=4,
        )  # fmt: skip
        axis.plot(
            share["printed"], at, "x", markersize=6, color="black", label="printed",
            clip_on=False, zorder=5,
        )  # fmt: skip
        for y, row in zip(at, rows.to_dict("records"), strict=True):
            axis.text(1.04, y, _in_words(row), va="center", fontsize="small", clip_on=False)
        for section, places in rows.assign(at=at).groupby("section", sort=False)["at"]:
            axis.text(-1, places.min() - 0.75, section, weight="bold", va="center")
        axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
        labels = [
            f"{plain(row.comparison)}{'' if row.study == 'published' else ' (open)'}"
            for row in rows.itertuples()
        ]
        axis.set_yticks(at, labels)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.set_xlim(-1, 1)
        axis.set_ylim(at[-1] + 0.6, -1.2)
        axis.set_xticks([-1, -0.5, 0, 0.5, 1])
        axis.xaxis.set_major_formatter(lambda x, _: f"{abs(x):.0%}")
        axis.set_xlabel(f"share of the datasets: left B better, right A better (α = {alpha:g})")
        figure.legend(loc="outside upper center", ncols=4, fontsize="small")
    return figure


def _in_words(row):
    """Say the numbers of a row: printed, found and both directions, out of n."""
    printed = "" if np.isnan(row["printed"]) else f"{row['printed']:.0f} printed, "
    both = "" if np.isnan(row["a"]) else f"; both: {row['a']:.0f} and {row['b']:.0f}"
    return f"{printed}{row['found']:.0f} of {row['datasets']}{both}"


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
