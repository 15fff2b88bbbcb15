"""Draw how often each test rejects a true null hypothesis (Section 6.2)."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np

from replicability.show.style import COLOURS, STYLE

QUESTIONS = {
    "Right or wrong": ("binary",),
    "Symmetric differences": ("sentence_accuracies", "counts", "normal"),
    "Correlations with gold ratings": ("ratings", "close_ratings"),
    "Equal means, different errors": ("uneven",),
}
"""Heading of a group of rows -> the models of scores in it."""

EDGE = 0.05
"""Rates below this share of the level are drawn at the edge of the axis."""

VERDICTS = {
    "anti-conservative": ("too often", "count", "^"),
    "conservative": ("too rarely", "a", "v"),
    "nominal": ("", "neutral", "o"),
}
"""Verdict on a rate -> how often the test rejects, colour and marker."""


def rejection_rates(rows):
    """Draw how often each test rejects a true null hypothesis at the first level.

    `rows`: as `type1_error.rejection_table` returns it.

    Returns matplotlib.figure.Figure. There is one row for each test and kind of scores, grouped
    under headings. Each row has a marker for each number of items, larger for more items, and the
    verdict in words. The grey band shows rates that do not differ significantly from the level.
    """
    alpha = rows["alpha"].iloc[0]
    rows = rows[rows["alpha"] == alpha]
    cases = [
        (question, title, model, part)
        for question, models in QUESTIONS.items()
        for (title, model), part in rows.groupby(["title", "model"], sort=False)
        if model in models
    ]
    sizes = sorted(rows["n"].unique())
    places = _places([question for question, *_ in cases])
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(
            figsize=(7.3, 1.8 + 0.25 * max(places.values())), layout="constrained"
        )
        for place, (*_, part) in enumerate(cases):
            _draw_strip(axis, part, alpha, places[place], sizes)
            said, colour = verdict(part)
            axis.text(
                1.02, places[place], said, color=COLOURS[colour], va="center", fontsize="small",
                transform=axis.get_yaxis_transform(),
            )  # fmt: skip
        _scale_rates(axis, alpha)
        axis.set_ylim(max(places.values()) + 0.7, -0.4)
        _name_rows(axis, cases, places)
        title = textwrap.fill(headline([part for *_, part in cases], alpha), 72)
        figure.suptitle(title, fontsize="large")
        figure.legend(handles=_legend(sizes), loc="outside lower center", ncols=4, fontsize="small")
    return figure


def verdict(part):
    """Name the numbers of items at which a test rejects too often, or else too rarely.

    `part`: its rows at one level.

    Returns said, colour : str. Such as "too often: n = 10, 30"; "keeps its level" if it does.
    """
    for name, (said, colour, _) in VERDICTS.items():
        sizes = sorted(part["n"][part["verdict"] == name].unique())
        if said and sizes:
            every = len(sizes) > 1 and len(sizes) == part["n"].nunique()
            at = "every n" if every else "n = " + ", ".join(f"{n:,}" for n in sizes)
            return f"{said}: {at}", colour
    return "keeps its level", "neutral"


def headline(parts, alpha):
    """State how many tests stay within their level.

    `parts`: the rows of each test at that level.

    Returns str. A sentence without a full stop.
    """
    often = sum((part["verdict"] == "anti-conservative").any() for part in parts)
    return (
        f"At α = {alpha:g}, {len(parts) - often} of {len(parts)} tests never reject too often; "
        f"{often} do for some number of items"
    )


def _places(questions):
    """Return the vertical place of each row, with room for a heading above each group."""
    places, height = {}, 0.0
    for place, question in enumerate(questions):
        height += 1 if place and question == questions[place - 1] else 2
        places[place] = height - 1
    return places


def _scale_rates(axis, alpha):
    """Scale the axis by multiples of the level, and label it with rates."""
    axis.axvline(1, color=COLOURS["neutral"], linewidth=0.8)
    axis.set(xscale="log", xlim=(EDGE, 1.25 / alpha))
    ticks = [tick for tick in (0.1, 0.3, 1, 3, 10, 100) if tick <= 1 / alpha]
    axis.set_xticks(ticks, [f"{tick * alpha:.2g}" for tick in ticks])
    axis.minorticks_off()
    axis.set_xlabel(
        f"share of true null hypotheses rejected (line: {alpha:g}; grey: simulation noise)"
    )
    axis.tick_params(axis="y", length=0)


def _name_rows(axis, cases, places):
    """Label each row, and write the heading above the first row of each group."""
    names = [f"{title} ({model.replace('_', ' ')})" for _, title, model, _ in cases]
    axis.set_yticks([places[place] for place in range(len(cases))], names)
    first = {case[0]: place for place, case in reversed(list(enumerate(cases)))}
    for question in QUESTIONS:
        if question in first:
            axis.text(
                -0.02, places[first[question]] - 0.95, question, weight="bold", va="center",
                ha="right", transform=axis.get_yaxis_transform(),
            )  # fmt: skip


def _size_of(n, sizes):
    """Return the marker size for a number of items."""
    return 3.2 + 1.1 * sizes.index(n)


def _draw_strip(axis, part, alpha, height, sizes):
    """Draw the row of a test: the band around the level, and a marker for each number of items."""
    band = 3 * np.sqrt(alpha * (1 - alpha) / part["n_repetitions"].iloc[0]) / alpha
    low = max(1 - band, EDGE)
    axis.barh(height, 1 + band - low, 0.8, left=low, color=COLOURS["faint"], alpha=0.6)
    shares = np.maximum(part["rate"] / alpha, EDGE)
    axis.plot(shares, [height] * len(part), color=COLOURS["neutral"], linewidth=0.6)
    for n, share, name in zip(part["n"], shares, part["verdict"], strict=True):
        _, colour, marker = VERDICTS[name]
        face = "white" if name == "nominal" else COLOURS[colour]
        axis.plot(
            share, height, marker, markersize=_size_of(n, sizes), color=COLOURS[colour],
            markerfacecolor=face, clip_on=False,
        )  # fmt: skip


def _legend(sizes):
    """Return the legend: verdicts first, then numbers of items."""
    grey = {"color": COLOURS["neutral"], "linestyle": ""}
    marks = [
        plt.Line2D(
            [], [], linestyle="", marker=marker, color=COLOURS[colour],
            label=said or "keeps its level", markerfacecolor=COLOURS[colour] if said else "white",
        )
        for said, colour, marker in VERDICTS.values()
    ]  # fmt: skip
    return marks + [
        plt.Line2D(
            [], [], marker="o", markerfacecolor="white", markersize=_size_of(n, sizes),
            label=f"n = {n:,}", **grey,
        )
        for n in sizes
    ]  # fmt: skip
