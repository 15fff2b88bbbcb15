"""Figures of Dror et al. (2017)."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import patheffects
from matplotlib.ticker import MaxNLocator

from replicability.core import procedure
from replicability.show.style import COLOURS, MARKERS, NAMES, STYLE, plain
from replicability.stats import partial_conjunction

OTHER_MARKER = "P"
"""Mark of an estimate that is made from more than the p-values."""


def k_overview(counts):
    """Draw the estimates of every comparison and level (Table 1).

    Parameters
    ----------
    counts : DataFrame
        As `Results.counts` returns it, the same comparisons in the same order at every level; with
        what was printed, as `tables.with_printed` returns it, and what holds in both directions, as
        `tables.with_both` does.

    Returns
    -------
    matplotlib.figure.Figure
        One panel per level and one row per comparison: a grey bar as long as there are datasets, a
        grey tick at the count of small p-values, and a mark with its number for each estimator with
        a guarantee, where there is one. The recommended one is filled. A printed number is a cross,
        joined to the estimate where it differs. Bars below the marks are what holds if both
        directions are asked: from the left where A is better, from the right where B is.
    """
    parts = dict(list(counts.groupby("alpha", sort=False)))
    first = next(iter(parts.values()))
    titles, sizes = first["comparison"], first["datasets"]
    known = dict.fromkeys([*MARKERS, *procedure.METHODS])
    estimators = [name for name in known if name != "count" and f"k_{name}" in counts]
    width = max(7, 1.5 + 3.9 * len(parts))
    height = 2.3 + (0.5 + 0.12 * len(estimators)) * len(titles)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(parts), figsize=(width, height), sharex=True, sharey=True, squeeze=False,
            layout="constrained",
        )  # fmt: skip
        for axis, (alpha, part) in zip(axes[0], parts.items(), strict=True):
            _draw_estimates(axis, part, estimators)
            axis.set_title(f"α = {alpha:g}", loc="left")
        figure.suptitle(_finding(counts, estimators), fontsize="large")
        labels = [
            f"{plain(title)}\n{n} dataset{'s' * (n != 1)}"
            for title, n in zip(titles, sizes, strict=True)
        ]
        axes[0, 0].set_yticks(range(len(titles)), labels)
        axes[0, 0].set_ylim(len(titles) - 0.45, -0.55)
        axes[0, 0].set_xlim(-0.03 * sizes.max() - 0.3, sizes.max() * 1.04 + 0.3)
        axes[0, 0].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        for axis in axes[0]:
            axis.set_xlabel("datasets on which A is better")
        given = (
            counts.filter(like=f"{kind}_").notna().any(axis=None) for kind in ("printed", "both")
        )
        handles = _estimate_legend(estimators, *given)
        figure.legend(handles=handles, loc="outside lower left", ncols=2, fontsize="small")
    return figure


def _draw_estimates(axis, part, estimators):
    """Draw the estimates at one level, a row for each comparison."""
    offsets = np.linspace(-0.28, 0.16, len(estimators)) if len(estimators) > 1 else [0]
    rows = np.arange(len(part))
    axis.barh(rows, part["datasets"], color="#F2F2F2", height=0.84)
    if "both_a" in part:
        lane = {"y": rows + 0.35, "height": 0.1}
        axis.barh(width=part["both_a"], color=COLOURS["a"], **lane)
        axis.barh(width=-part["both_b"], left=part["datasets"], color=COLOURS["b"], **lane)
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
                shown[some], at[some], linestyle="", marker=MARKERS.get(name, OTHER_MARKER),
                markersize=8, markeredgewidth=1.5, markeredgecolor=colour, markerfacecolor=face,
            )  # fmt: skip
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


def _finding(counts, estimators):
    """Say what follows of what was printed; else where A is shown better."""
    first = counts[counts["alpha"] == counts["alpha"].iloc[0]]
    shown = np.array(
        [row.get(row["recommended"] or "both_a", 0) for row in first.to_dict("records")]
    )
    said = f"A is shown better somewhere in {(shown > 0).sum()} of {len(first)} comparisons"
    if "both_b" in counts:
        said += f", B in {(first['both_b'] > 0).sum()} once both are asked"
    said += f" (α = {first['alpha'].iloc[0]:g})"
    pairs = [(f"k_{name}", f"printed_{name}") for name in estimators if f"printed_{name}" in counts]
    printed = sum(counts[name].notna().sum() for _, name in pairs)
    if not printed:
        return said
    wrong = [
        f"{NAMES[found[2:]]}'s of {plain(row['comparison'])} at {row['alpha']:g} is {row[found]}, "
        f"printed {row[name]:.0f}"
        for row in counts.to_dict("records")
        for found, name in pairs
        if row[name] == row[name] and row[name] != row[found]
    ]
    agree = f"{printed - len(wrong)} of {printed} printed estimates follow"
    return f"{said};\n{'; '.join([agree, *wrong[:1]])}"


def _estimate_legend(estimators, printed, both):
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
        if name in procedure.OF_UNITS:
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
    for side in "ab" if both else "":
        label = f"{side.upper()} better, both directions asked"
        handles.append(plt.Rectangle((0, 0), 1, 1, color=COLOURS[side], label=label))
    return handles


def printed_and_found(rows, alpha):
    """Draw for every comparison what was printed, what follows, and what holds in both directions.

    `rows`: as `tables.printed_and_found` returns it. `alpha`: level of the estimates, and joint
    level of both directions, in (0, 1).

    Returns matplotlib.figure.Figure. One row per comparison, sections together; shares of its
    datasets, to the right those on which A is better, to the left those on which B is.
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
        figure.legend(loc="outside lower center", ncols=4, fontsize="small")
        asked = rows.dropna(subset=["a", "b"])
        figure.suptitle(
            "Once both directions are asked, A is shown better somewhere in "
            f"{(asked['a'] > 0).sum()} of {len(asked)} comparisons,\n"
            f"B in {(asked['b'] > 0).sum()}",
            fontsize="large",
        )
    return figure


def _in_words(row):
    """Say the numbers of a row: printed, found and both directions, out of n."""
    printed = "" if np.isnan(row["printed"]) else f"{row['printed']:.0f} printed, "
    found = "no count" if np.isnan(row["found"]) else f"{row['found']:.0f}"
    both = "" if np.isnan(row["a"]) else f"; both: {row['a']:.0f} and {row['b']:.0f}"
    return f"{printed}{found} of {row['datasets']}{both}"
