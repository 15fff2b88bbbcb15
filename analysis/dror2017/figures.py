"""Figures of Dror et al. (2017)."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np

from replicability.show.style import COLOURS, STYLE, plain

HEADS = {"printed": "printed", "a": "A better", "b": "B better", "datasets": "of"}
"""Numbers beside the bars -> the heads of their columns."""

PLACES = {4: (1.2, 1.65, 2.1, 2.42), 3: (1.25, 1.7, 2.02)}
"""Number of columns -> where they are written, in shares of the datasets."""


def k_overview(rows):
    """Draw what a study finds in both directions, beside what was printed (Table 1).

    `rows`: as `tables.overview` returns it.

    Returns matplotlib.figure.Figure. As `printed_and_found` draws it.
    """
    return printed_and_found(rows, rows["alpha"].iloc[0])


def printed_and_found(rows, alpha):
    """Draw for every comparison on how many datasets either system is better, and what was printed.

    `rows`: as `tables.printed_and_found` returns it; with a column ``section``, rows of a section
    stand together below its name. `alpha`: joint level of both directions, in (0, 1).

    Returns matplotlib.figure.Figure. One row per comparison: a bar to the right where A is better
    and to the left where B is, as shares of its datasets; what holds by one reading of the p-values
    alone is hatched. A dot is a printed number that holds by every reading, a cross one that does
    not.
    """
    named = "section" in rows
    section = rows["section"] if named else rows["datasets"] * 0
    gaps = (section != section.shift()).cumsum() - 1
    at = np.arange(len(rows)) + 0.9 * gaps.to_numpy()
    n = rows["datasets"].to_numpy(float)
    printed = rows["printed"].notna().to_numpy()
    title = textwrap.wrap(_finding(rows, alpha), 74)
    with plt.rc_context(STYLE | {"font.size": 9}):
        rows_high = at[-1] + 1 + 0.9 * named
        height = 0.97 + 0.19 * len(title) + 0.29 * max(rows_high, 3) + 0.4 * printed.any()
        figure, axis = plt.subplots(figsize=(7.2, height), layout="constrained")
        axis.barh(at, 2.0, left=-1.0, height=0.7, color="#F2F2F2")
        for side, sign in (("a", 1), ("b", -1)):
            least, most = (sign * rows[name].to_numpy(float) / n for name in (side, f"{side}_most"))
            edge = {"edgecolor": COLOURS[side], "facecolor": "white", "linewidth": 1}
            axis.barh(at, most, height=0.5, hatch="/////", **edge)
            axis.barh(at, least, height=0.5, color=COLOURS[side])
        for marker, some in _marks(rows).items():
            if (drawn := printed & some).any():  # a plot of nothing would still take room
                x = (rows["printed"] / n)[drawn]
                axis.plot(x, at[drawn], clip_on=False, zorder=5, **_look(marker))
        axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
        right = _write_numbers(axis, rows, at)
        for name, places in rows.assign(at=at).groupby("section")["at"] if named else ():
            axis.text(
                -1, places.min() - 0.75, name.replace("pos ", "POS "), weight="bold", va="center",
                bbox={"color": "white", "pad": 0.5},
            )  # fmt: skip
        opened = rows["study"].eq("open") & rows["study"].ne("open").any()
        labels = [
            plain(f"{title}{' (open data)' * new}")
            for title, new in zip(rows["comparison"], opened, strict=True)
        ]
        axis.set_yticks(at, labels)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.spines["bottom"].set_bounds(-1, 1)
        axis.set_xlim(-1, right + 0.12)
        axis.set_ylim(at[-1] + 0.6, -1.2 if named else -0.6)
        axis.set_xticks([-1, -0.5, 0, 0.5, 1])
        axis.xaxis.set_major_formatter(lambda x, _: f"{abs(x):.0%}")
        axis.set_xlabel("← B better    share of the datasets    A better →", x=1 / (right + 1.12))
        figure.legend(handles=_legend(rows), loc="outside lower left", ncols=2)
        figure.suptitle("\n".join(title), fontsize="large")
    return figure


def _marks(rows):
    """Return the marks of printed numbers: a dot if they hold by every reading, else a cross."""
    holds = rows["holds"].to_numpy(bool)
    return {"o": holds, "X": ~holds}


def _look(marker):
    size = {"o": 6, "X": 9}[marker]
    edge = {"markeredgecolor": "white", "markeredgewidth": 0.8}
    return {"marker": marker, "color": "black", "linestyle": "", "markersize": size, **edge}


def _write_numbers(axis, rows, at):
    """Write numbers of datasets beside the bars; return where the last column is."""
    heads = [name for name in HEADS if name != "printed" or rows["printed"].notna().any()]
    places = dict(zip(heads, PLACES[len(heads)], strict=True))
    top = -0.62 - 0.4 * ("section" in rows)
    for name, place in places.items():
        axis.text(place, top, HEADS[name], ha="center", va="bottom", weight="bold")
    for y, row in zip(at, rows.to_dict("records"), strict=True):
        said = {side: _amount(row[side], row[f"{side}_most"]) for side in "ab"}
        said["datasets"] = str(row["datasets"])
        if not np.isnan(row["printed"]):
            said["printed"] = f"{row['printed']:.0f}"
        for name, text in said.items():
            axis.text(
                places[name], y, text, ha="center", va="center",
                color=COLOURS["neutral"] if text == "0" or name == "datasets" else "black",
            )  # fmt: skip
    return places["datasets"]


def _amount(least, most):
    """Write a number of datasets, of two readings both."""
    if np.isnan(least):
        return "–"
    return f"{least:.0f}" if least == most else f"{least:.0f} or {most:.0f}"


def _finding(rows, alpha):
    """Say where A and B are better, and which printed numbers do not hold by every reading."""
    tested = rows.dropna(subset=["a", "b"])
    somewhere = [(tested[side] > 0).sum() for side in "ab"]
    said = (
        f"With both directions tested, A is better on at least one dataset in {somewhere[0]} of "
        f"{len(tested)} comparisons, and B in {somewhere[1]} ({1 - alpha:.0%} confidence)"
    )
    printed = rows.dropna(subset=["printed"])
    if len(printed):
        said = (
            f"{printed['holds'].sum()} of {len(printed)} printed counts hold under every reading "
            "of the p-values"
        )
        lost = printed[~printed["holds"]].sort_values("printed")
        for row in lost.tail(1).to_dict("records"):
            a, b = (_amount(row[side], row[f"{side}_most"]) for side in "ab")
            said += (
                f"; for {plain(row['comparison'])}, the paper prints {row['printed']:.0f} of "
                f"{row['datasets']}, and we find at least {a} for A and {b} for B"
            )
    return said


def _legend(rows):
    """Explain bars and marks."""
    bars = {
        "A better (lower bound)": {"facecolor": COLOURS["a"]},
        "B better (lower bound)": {"facecolor": COLOURS["b"]},
    }
    if (rows["a"] != rows["a_most"]).any():
        look = {"facecolor": "white", "edgecolor": COLOURS["neutral"], "hatch": "/////"}
        bars["only if the p-values are two-sided"] = look
    handles = [plt.Rectangle((0, 0), 1, 1, label=label, **look) for label, look in bars.items()]
    if rows["printed"].notna().any():
        for marker, label in (("o", "holds"), ("X", "does not hold under every reading")):
            handles.append(plt.Line2D([], [], label=f"printed, {label}", **_look(marker)))
    return handles
