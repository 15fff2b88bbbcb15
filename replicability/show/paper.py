"""Figures for the column of a paper: one panel, as wide as asked, with letters that are read."""

import numbers
import textwrap
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, is_color_like
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from replicability import checks
from replicability.checks import InputError
from replicability.core import design, findings
from replicability.show import design as plans
from replicability.show import evidence, figures, forest, pvalue_axis
from replicability.show.style import COLOURS, STYLE, plain

WIDTHS = {"column": 3.03, "text": 6.3}
"""Widths in inches of a column and of the text in an ACL paper; IEEE's are wider."""

NARROWEST, WIDEST = 2.5, 20
"""Minimum and maximum width of a figure in inches."""

FONTS = {"pdf.fonttype": 42, "ps.fonttype": 42}
"""Settings that embed TrueType fonts, as conferences require."""

SIZE = 8
"""Points of the letters."""

LETTER = 0.62 * SIZE / 72
"""Inches of a letter, about."""

MOST_ROWS = 60
"""Maximum number of datasets whose rows have names."""

SMALLEST_CELL = 0.125
"""Minimum size of a matrix cell in inches; it limits the number of systems drawn."""


class Embedded(Figure):
    """A figure that saves its fonts as TrueType."""

    def savefig(self, *args, **kwargs):
        """Save the figure as matplotlib does, with fonts of type 42 in PDF and PostScript."""
        with plt.rc_context(FONTS):
            super().savefig(*args, **kwargs)


def inches(width):
    """Return a width in inches.

    `width` ({"column", "text"} or float): a name in `WIDTHS`, or inches.

    Raises `InputError`: if it is neither, or no figure fits.

    Examples
    --------
    >>> inches("column"), inches(5)
    (3.03, 5.0)
    """
    if isinstance(width, str):
        checks.choice("width", width, WIDTHS)
        return WIDTHS[width]
    known = isinstance(width, numbers.Real) and not isinstance(width, bool)
    if not known or not NARROWEST <= width <= WIDEST:
        raise InputError(
            f'width is {checks.cut(width)!r}; pass "column" (3.03 inches), "text" (6.3), or a '
            f"number of inches from {NARROWEST} to {WIDEST}."
        )
    return float(width)


def pair(colors, keys, default):
    """Return two colours.

    `colors` (sequence of two colours, mapping of str to colour, or None): in the order of `keys`,
    or by key; missing ones are those of `default`. `keys`, `default` (sequence of two str): what
    has a colour, and which one unless `colors` says so.

    Raises `InputError`: if there are not two, one is no colour, or a key is unknown.
    """
    if colors is None:
        return tuple(default)
    if isinstance(colors, Mapping):
        for key in colors:
            checks.choice("colors: the key", key, keys)
        colors = [colors.get(key, other) for key, other in zip(keys, default, strict=True)]
    two = isinstance(colors, list | tuple) and len(colors) == 2
    if not two or not all(map(is_color_like, colors)):
        example = f'{{"{keys[0]}": "#0072B2"}}'
        raise InputError(
            f"colors is {checks.cut(colors)!r}; pass two colours that matplotlib knows, such as "
            f'("#0072B2", "#E69F00"), or a mapping such as {example}.'
        )
    return tuple(colors)


def labelled(labels, *kinds):
    """Return functions that rename what is drawn.

    `labels` (mapping of str to str, or None): name -> label in the figure. `*kinds` (sequence of
    str): names that can have a label, of which no two may have the same one.

    Raises `InputError`: if a name is unknown, a label is no text, or two of a kind would have the
    same.
    """
    labels = {} if labels is None else labels
    if not isinstance(labels, Mapping):
        raise InputError(
            f"labels is {checks.cut(labels)!r}; pass a mapping of names to labels, such as "
            '{"squad_v2": "SQuAD 2.0"}.'
        )
    for name, label in labels.items():
        checks.choice("labels: the name", name, [known for kind in kinds for known in kind])
        if not isinstance(label, str) or not label.strip():
            raise InputError(f"labels: the label of {name!r} is {label!r}; pass a string.")
    for kind in kinds:
        given = [labels.get(name, name) for name in kind]
        for label in given:
            if given.count(label) > 1:
                raise InputError(
                    f"labels: {given.count(label)} names would be drawn as {label!r}; give each "
                    "its own label."
                )
    return lambda name: labels.get(name, name)


def _canvas(width, ax, height):
    """Return a new figure with one panel, or the given panel, and its width in inches."""
    if ax is None:
        across = inches("text" if width is None else width)
        figure = plt.figure(
            figsize=(across, height(across)), FigureClass=Embedded, layout="constrained"
        )
        return figure, figure.add_subplot(), across
    if width is not None:
        raise InputError("An Axes already has a width; pass either width or ax, not both.")
    if not isinstance(ax, Axes):
        raise InputError(
            f"ax is {checks.cut(ax)!r}; pass an Axes of matplotlib, such as plt.subplots()[1]."
        )
    return ax.figure, ax, ax.get_window_extent().width / ax.figure.dpi


def _wrapped(text, width):
    return plain(textwrap.fill(text, max(12, int(width / LETTER))))


def result(comparison, table, finding, width, labels, colors, ax):
    """Draw a comparison in one panel: differences with intervals, or p-values.

    `comparison`, `table`, `finding`: as for `figures.standard`. `width`, `labels`, `colors`, `ax`:
    as for `Result.figure`.

    Returns matplotlib.figure.Figure. A row for each dataset; filled markers and bold labels are
    those where A, or B, is significantly better.
    """
    called = labelled(labels, finding.systems, finding.datasets)
    a, b = (forest.shortened(called(name), 20) for name in finding.systems)
    if colors is not None and isinstance(colors, Mapping):
        colors = {called(key): value for key, value in colors.items()}
    tones = pair(colors, [*map(called, finding.systems)], (COLOURS["a"], COLOURS["b"]))
    n, has_intervals = len(table), "low" in table
    order = _order(table, has_intervals)
    names = [called(name) for name in table["dataset"].to_numpy()[order]]
    row = 0.165 if n <= MOST_ROWS else 0.165 * MOST_ROWS / n
    with plt.rc_context(STYLE | FONTS | {"font.size": SIZE}):
        figure, axis, across = _canvas(width, ax, lambda _: 1.25 + row * n)
        names = forest.told_apart(names, max(10, int(0.4 * across / LETTER)))
        beside = LETTER * 1.1 * max(map(len, names)) + 0.2 if n <= MOST_ROWS else 0.4
        other = finding.other
        named = np.stack(
            [finding.identified, np.zeros(n, bool) if other is None else other.identified]
        ).astype(bool)[:, order]
        draw = _differences if has_intervals else _pvalues
        label = draw(axis, table, finding, order, named, tones)
        said = label.format(a=a, b=b, score=comparison.score)
        axis.set_xlabel(_wrapped(said, across - beside), fontsize=SIZE)
        axis.set_ylim(n - 0.4, -0.6)
        axis.tick_params(labelsize=SIZE)
        axis.tick_params(axis="y", length=0)
        if n <= MOST_ROWS:
            axis.set_yticks(np.arange(n), list(map(plain, names)))
            for text, bold in zip(axis.get_yticklabels(), named.any(axis=0), strict=True):
                text.set_fontweight("bold" if bold else "normal")
        else:
            axis.set_yticks([])
            axis.set_ylabel(f"{n:,} datasets")
        axis.spines["left"].set_visible(False)
        _head(figure, axis, ax, _title(finding, a, b), across)
    return figure


def _title(finding, a, b):
    """Say in a line how many datasets each system is better on."""
    n, said = len(finding.datasets), []
    for one, first, second in ((finding, a, b), (finding.other, b, a)):
        k = 0 if one is None else max(one.k, int(one.identified.sum()))
        if k:
            said.append(f"{one.claim.shown(first, second)} on {findings.at_least(k, n)}")
    if said:
        return "; ".join(said)
    return f"No significant difference between {a} and {b} on any of {n:,} datasets"


def _head(figure, axis, ax, title, across):
    """Write the title: above all of a figure of ours, above the panel in somebody else's."""
    if ax is None:
        figure.suptitle(_wrapped(title, across - 0.1), x=0.02, ha="left", fontsize=SIZE)
    else:
        axis.set_title(_wrapped(title, across), loc="left", fontsize=SIZE)


def _order(table, has_intervals):
    """Return the places of the datasets from the top row on."""
    if has_intervals:
        return np.argsort(-table["difference"].to_numpy(float), kind="stable")
    return evidence.order(table)


def _differences(axis, table, finding, order, named, tones):
    """Draw differences with intervals, and return what the axis says."""
    centre, low, high = table[["difference", "low", "high"]].to_numpy(float)[order].T
    ends = [x[np.isfinite(x)] for x in (centre, low, high)]
    least, most = (f(np.concatenate([*ends, [0]])) for f in (np.min, np.max))
    pad = 0.05 * (most - least) or 1.0
    axis.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
    axis.set_xlim(least - pad, most + pad)
    rows, size = np.arange(len(order)), float(np.clip(160 / len(order), 2, 4.5))
    shown = ~(np.isnan(low) | np.isnan(high))
    for chosen, colour, face in (
        (named[0], tones[0], tones[0]),
        (named[1], tones[1], tones[1]),
        (~named.any(axis=0), COLOURS["neutral"], "white"),
    ):
        drawn, limits = chosen & shown, axis.get_xlim()
        bars = np.clip(low[drawn], *limits), np.clip(high[drawn], *limits)
        axis.hlines(rows[drawn], *bars, color=colour, linewidth=1.2)
        marks = {"color": colour, "markerfacecolor": face, "markersize": size, "zorder": 4}
        axis.plot(centre[chosen], rows[chosen], "o", **marks)
    axis.xaxis.set_major_locator(MaxNLocator(4))
    sides = (
        "{b} − {a}: {score} (lower is better)" if table.turned is not None else "{a} − {b}: {score}"
    )
    return f"{sides}; filled: significant"


def _pvalues(axis, table, finding, order, named, tones):
    """Draw p-values of the direction that is claimed, and return what the axis says."""
    pvalues = table["p_value"].to_numpy(float)[order]
    scale = pvalue_axis.fitted({"a": pvalues}, {"a": finding.level}, {"a": []})
    rows, x = np.arange(len(order)), scale.place(pvalues, "a")
    size = float(np.clip(160 / len(order), 2, 4.5))
    scale.draw_level(axis, finding.level, "a", linewidth=1)
    axis.hlines(rows, x, 0, color=COLOURS["faint"], linewidth=0.8, zorder=1)
    for chosen, colour, face in (
        (named[0], tones[0], tones[0]),
        (named[1], tones[1], tones[1]),
        (~named.any(axis=0), COLOURS["neutral"], "white"),
    ):
        marks = {"color": colour, "markerfacecolor": face, "markersize": size, "zorder": 4}
        axis.plot(x[chosen], rows[chosen], "o", clip_on=False, **marks)
    scale.write(axis, "")
    floor = scale.floors["a"]
    ticks = dict(
        zip(axis.get_xticks(), (t.get_text() for t in axis.get_xticklabels()), strict=True)
    )
    kept = [floor, *([round(floor / 2)] if floor < -3 and round(floor / 2) in ticks else []), 0]
    axis.set_xticks(kept, [ticks[place] for place in kept])
    claim = finding.claim.short("{a}")
    return f"p-value of “{claim}”; dotted: {finding.level:g}; filled: significant"


def matrix(counted, n, title, order, width, labels, colors, ax):
    """Draw on how many datasets each system beats each of the others, in a given width.

    `counted`, `n`, `title`, `order`: as for `figures.k_matrix`. `width`, `labels`, `colors`, `ax`:
    as for `Family.figure`.

    Returns matplotlib.figure.Figure. A row for each system A, a column for each B, by number.
    """
    called = labelled(labels, [*counted.index])
    ends = pair(colors, ("fewest", "most"), figures.PALE_TO_DARK([0.0, 1.0]).tolist())
    shades = figures.PALE_TO_DARK
    if colors is not None:
        shades = LinearSegmentedColormap.from_list("fewest to most", ends)
    whole, names = len(counted), [called(name) for name in counted.index]

    def laid_out(across):
        """Return the number of systems, their names, and the side of a cell."""
        for longest in range(max(8, int(0.4 * across / LETTER) - 3), 7, -1):
            short = forest.told_apart(names, longest)
            beside = 0.45 + 1.05 * LETTER * (max(map(len, short)) + 3)
            size = min(whole, figures.MOST_SYSTEMS, int((across - beside) / SMALLEST_CELL))
            if size == min(whole, figures.MOST_SYSTEMS):
                break
        return max(size, 2), short, min(0.32, (across - beside) / max(size, 2))

    def height(across):
        size, _, cell = laid_out(across)
        return 1.35 + cell * size

    with plt.rc_context(STYLE | FONTS | {"font.size": SIZE}):
        figure, axis, across = _canvas(width, ax, height)
        size, short, cell = laid_out(across)
        shown = counted.iloc[:size, :size].to_numpy(float, na_value=np.nan)
        missing = np.isnan(shown) | np.eye(len(shown), dtype=bool)
        letters = float(np.clip(72 * cell / 1.45, 5.5, SIZE))
        figures.draw_counts(axis, shown, missing, n, shades, letters)
        places = range(len(shown))
        axis.tick_params(length=0, labelsize=letters)
        axis.set_xticks(places, [str(i + 1) for i in places])
        axis.set_yticks(
            places, [f"{plain(name)}  {i}" for i, name in enumerate(short[: len(shown)], 1)]
        )
        axis.spines[:].set_visible(False)
        part = f"; the first {len(shown)} of {whole} systems" * (len(shown) < whole)
        key = (
            f"B (numbered as in the rows). In each cell: k̂ of {n} datasets (=: no significant "
            f"difference{part})"
        )
        axis.set_xlabel(_wrapped(key, 0.95 * max(cell * len(shown), 0.55 * across)))
        axis.set_ylabel("A")
        _head(figure, axis, ax, " ".join(title.split()), across)
    return figure


def plan(suite, table, width, labels, colors, ax):
    """Draw the expected k-hat by size, a panel for each gain.

    `suite`, `table`: as for `show.design.expected`. `width`, `labels`, `colors`, `ax`: as for
    `Plan.figure`.

    Returns matplotlib.figure.Figure. As many panels side by side as fit, the others below.

    Raises `InputError`: if one Axes is to hold more than one gain.
    """
    gains = list(dict.fromkeys(table["gain"]))[: plans.LEFT_OUT]
    called = labelled(labels, plans.LINES)
    tones = pair(colors, ("k_hat", "count"), (COLOURS[suite.method], COLOURS["count"]))
    if ax is not None and len(gains) > 1:
        raise InputError(
            f"The figure has {len(gains)} panels, one for each gain, but an Axes holds only "
            "one; plan for one gain, or call figure() without ax."
        )
    with plt.rc_context(STYLE | FONTS | {"font.size": SIZE}):
        across = None if ax is not None else inches("text" if width is None else width)
        columns = 1 if across is None else min(len(gains), max(1, int(across / 2.1)))
        rows = -(-len(gains) // columns)
        figure, axis, across = _canvas(width, ax, lambda _: 1.0 + 1.75 * rows)
        axes = [axis]
        if len(gains) > 1:
            axis.remove()
            grid = figure.subplots(rows, columns, sharey=True, squeeze=False)
            axes = [*grid.flat][: len(gains)]
            for unused in [*grid.flat][len(gains) :]:
                unused.remove()
        for panel, gain in zip(axes, gains, strict=True):
            plans.panel(panel, suite, table[table["gain"] == gain], tones, called)
            supposed = f"gain of {design.points(gain, suite.shares)}" if gain else "equal systems"
            panel.set_title(supposed, loc="left", fontsize=SIZE)
            _thin(panel, across / columns - 0.6)
            panel.tick_params(labelsize=SIZE)
            panel.set_xlabel("items per dataset")
        axes[0].set_ylabel(f"expected, of {len(suite.sizes):,} datasets")
        handles, said = axes[0].get_legend_handles_labels()
        many = {"fontsize": SIZE, "ncols": max(1, int(across / 2.9))}
        if ax is None:
            figure.legend(handles, said, loc="outside lower center", **many)
        else:
            axes[0].legend(handles, said, loc="upper left", **many | {"ncols": 1})
    return figure


def _thin(axis, width):
    """Drop labels of sizes that would not fit side by side."""
    places, texts = axis.get_xticks(), [text.get_text() for text in axis.get_xticklabels()]
    longest = max(len(line) for text in texts for line in text.split("\n"))
    step = max(1, int(np.ceil(len(places) * LETTER * (longest + 2) / width)))
    kept = slice(0, None, step)
    axis.set_xticks(places[kept], texts[kept])
