"""What decides a comparison, drawn: scores, p-values, and how far the counting gets."""

import matplotlib.pyplot as plt
import numpy as np

from replicability.core.findings import marks
from replicability.core.findings.wording import on_any
from replicability.core.procedure import VALID_UNDER
from replicability.show import forest, pvalue_axis, tables
from replicability.show.style import (
    COLOURS,
    LINES,
    MARKERS,
    NAMES,
    STYLE,
    plain,
    power_of_ten,
    superscript,
)
from replicability.stats.partial_conjunction import ESTIMATORS

MOST_SPACED = 40
"""Maximum number of rows with full spacing; more rows have smaller names."""

MOST_NAMED = 60
"""Maximum number of rows with names; the height is fixed for more rows."""

LONGER = 1.0
"""Extra width for long names, in inches, above which axes have fewer numbers."""

WIDEST = 8.8
"""Maximum width in inches at which 8.5-point letters stay readable in a paper."""

AGREED, BOTH, TURNED, ONE = "agreed", "both", "turned", "one"
"""Forms of the figure that `form` chooses among."""

MOST_POWERS = 10
"""Power of ten at which bars of small p-values are cut."""

DARK_B = "#9A6700"
"""Darker colour of B for text, which needs more contrast on white."""


def form(table, finding, both=()):
    """Choose the form of the figure.

    `table`, `finding`, `both`: as for `evidence`.

    Returns str. `TURNED` where p-values that were read are at most alpha on a dataset whose scores
    favour B; `AGREED` where every dataset is counted and named for the same system, so that scores
    say it all; `BOTH` where p-values of both directions were computed; else `ONE`.
    """
    if both and "p_reverse" not in table and _turned(table, finding).any():
        return TURNED
    if "score_a" in table and any(map(_everywhere, (finding, *both[1:]))):
        return AGREED
    if both and "p_reverse" in table and finding.claim.kind in ("better", "better_by"):
        return BOTH
    return ONE


def evidence(table, finding, score, both=()):
    """Draw the evidence: who wins where, which datasets are named, and how k-hat is found.

    `table`: as `evaluation.evaluate` returns it; without scores the first panel is left out.
    `finding` (findings.Finding): what was found in the table at one level. `score`: what the scores
    measure, with its unit. `both` (sequence of findings.Finding): what was found in both
    directions, as `findings.find_both` returns it for the same joint level; by default the claim
    has one direction.

    Returns matplotlib.figure.Figure. Panels that share their rows; row u is the dataset with the
    u-th smallest p-value: scores of both systems; p-value and, where the names are Holm's, his
    threshold alpha / (n - u + 1); partial-conjunction p-values of "A is better on at least u
    datasets", or a line below the row k-hat where the local test of the procedure has none. In the
    form `BOTH` the p-values for B stand on the right, at the level alpha / 2, and its count begins
    at the last row. In the form `TURNED` each p-value points to the system with the higher score,
    and a dashed line is what that leaves of the count. In the form `AGREED` there are scores only.
    More than `MOST_NAMED` datasets are drawn in the same height, by rank and without their names.
    The title says what is found.
    """
    chosen = form(table, finding, both)
    read = table.as_read().rows.filter(["score_a", "score_b"]).add_prefix("read_")
    ordered = table.rows.join(read).iloc[order(table)]
    with plt.rc_context(STYLE):
        if chosen == AGREED:
            return _draw_agreed(ordered, finding, score, both)
        if chosen == TURNED:
            return _draw_turned(ordered, order(table), finding, both)
        return _draw_panels(ordered, order(table), finding, score, both, chosen)


def spans(table):
    """Return where the rows of `evidence` begin and end.

    `table`: as `evidence` takes it.

    Returns dict of int to (float, float). Place of a dataset in the table -> shares of the height
    of the axes, from the top; in the order of the rows.
    """
    height = len(table) + 0.2  # the limits that `_name_rows` sets
    return {
        int(place): ((u + 0.1) / height, (u + 1.1) / height) for u, place in enumerate(order(table))
    }


def title(finding, both=(), chosen=ONE):
    """Say in one line what is found.

    `finding`, `both`: as for `evidence`. `chosen`: the form of the figure.

    Returns str. A claim with the number of datasets.
    """
    a, b = map(forest.shortened, finding.systems)
    n = len(finding.datasets)
    told = forest.told(finding)
    if chosen == AGREED:
        return told if _everywhere(finding) else forest.told(both[1])
    if chosen == TURNED:
        scores = _by_the_scores(finding, both, (a, b))
        return f"As printed, {told}; taking the scores into account, {scores}"
    if chosen == BOTH and n > 1 and not (finding.shows or forest.number(both[1])):
        return f"There is no evidence that {a} or {b} is better on {on_any(n)}"
    if not both or not forest.number(both[1]):
        return told
    x, y = forest.number(both[0]), forest.number(both[1])
    if not forest.number(finding):
        return forest.told(both[1])
    if x:
        return f"{a} is better on at least {x:,} and {b} on at least {y:,} of {n:,} datasets"
    alone = f"{finding.claim.shown(a, b)} on at least {forest.number(finding):,}"
    return f"{forest.told(both[1])}; if tested alone, {alone}"


# --- what is said -------------------------------------------------------------------------------


def _by_the_scores(finding, both, systems):
    """Say on how many datasets each system is better, by every reading that the scores allow."""
    bounds = finding.doubtful[-1].bounds.values() if finding.doubtful else ()
    known, none = [], []
    for name, side, one in zip(systems, "ab", both, strict=True):
        numbers = sorted({getattr(bound, side) for bound in bounds}) or [forest.number(one)]
        many = " or ".join(f"{k:,}" for k in numbers)
        if any(numbers):
            known.append(f"{name} {'is better ' * (not known)}on at least {many}")
        else:
            none.append(f"there is no evidence for {name}")
    return ", and ".join([*none, *filter(None, [" and ".join(known)])])


def _everywhere(finding):
    """Whether every dataset is counted and named."""
    return finding.k == len(finding.datasets) and bool(finding.identified.all())


def _turned(table, finding):
    """Whether each p-value is counted for A while the scores favour B."""
    small = table["p_value"].to_numpy() <= finding.level
    return small & (table["score_b"] > table["score_a"]).to_numpy()


def _estimate(name, finding, both, chosen):
    """Name an estimate in a legend, with what sets it apart from the one that was chosen."""
    said = NAMES[name]
    if finding.claims is not None and name == finding.recommended:
        said += " (chosen)"
    elif finding.claims is not None:
        valid = ESTIMATORS[name].valid_under
        if not set(VALID_UNDER[finding.recommended]) <= set(valid):
            said += f", only if {' or '.join(valid)}"
    said += f": k̂ = {finding.counts[name]}"
    if chosen == BOTH:
        said += f"; both directions: {both[0].counts[name]} and {both[1].counts[name]}"
    return said


# --- rows ---------------------------------------------------------------------------------------


def order(table):
    """Return the places of the datasets from the strongest evidence for A to that for B."""
    back = table.get("p_reverse", np.zeros(len(table)))
    return np.lexsort((-np.asarray(back, float), table["p_value"]))


def _height(n):
    """Return the height of n rows in inches."""
    return 0.27 * n if n <= MOST_SPACED else 0.155 * min(n, MOST_NAMED)


def _marker(n):
    """Return the size of a marker among n rows; where they stand apart, it is that of the style."""
    if n <= MOST_SPACED:
        return {}
    return {"markersize": 4.5 if n <= MOST_NAMED else 3}


def _name_rows(axis, datasets, named):
    """Name the rows, in bold what is named; many have a rank, and their names in the table."""
    n = len(datasets)
    axis.set_ylim(n + 0.6, 0.4)
    if n > MOST_NAMED:
        axis.set_ylabel("rank of the p-value (names are in the table)")
        return
    axis.set_yticks(np.arange(1, n + 1), list(map(plain, forest.told_apart(datasets))))
    axis.tick_params(axis="y", length=0)
    if n > MOST_SPACED:
        axis.tick_params(axis="y", labelsize=7)
    for label, found in zip(axis.get_yticklabels(), named, strict=True):
        label.set_fontweight("bold" if found else "normal")


def _draw_scores(axis, ordered, systems, score):
    rows = np.arange(1, len(ordered) + 1)
    ahead = ordered["score_a"] > ordered["score_b"]
    winner = [COLOURS["a"] if first else COLOURS["b"] for first in ahead]
    a, b = ordered["read_score_a"], ordered["read_score_b"]
    width = 2 if len(rows) <= MOST_NAMED else 1
    axis.hlines(rows, a, b, color=winner, linewidth=width, alpha=0.6)
    size, names = (
        _marker(len(rows)),
        [f"{x}: {plain(forest.shortened(name))}" for x, name in zip("AB", systems, strict=True)],
    )
    axis.plot(a, rows, "o", color=COLOURS["a"], label=names[0], **size)
    hollow = {"fillstyle": "none", "mew": 1 if size else 2, **size}
    axis.plot(b, rows, "s", color=COLOURS["b"], label=names[1], **hollow)
    axis.set_xlabel(plain(score))


# --- one panel ----------------------------------------------------------------------------------


def _draw_agreed(ordered, finding, score, both):
    """Draw scores alone, with the p-values beside them in digits."""
    n, back = len(ordered), not _everywhere(finding)
    shown = both[1] if back else finding
    pvalues = ordered["p_reverse" if back else "p_value"]
    width = 7.6
    figure, axis = plt.subplots(figsize=(width, 1.6 + _height(n)), layout="constrained")
    _draw_scores(axis, ordered, finding.systems, score)
    _name_rows(axis, ordered["dataset"], np.full(n, n <= MOST_NAMED))
    if n <= MOST_SPACED:
        right = axis.secondary_yaxis("right")
        digits = [superscript(tables.pvalue(p, "n" not in ordered)) for p in pvalues]
        right.set_yticks(np.arange(1, n + 1), digits)
        right.tick_params(length=0, pad=8, labelsize=9)
        right.spines["right"].set_visible(False)
        axis.set_title("p-value", loc="right", fontsize=9)
    level = f"α/2 = {shown.alpha:g}, both directions" if back else f"α = {shown.alpha:g}"
    axis.set_title(f"{'each ' * (n > 1)}named at {level}", loc="left")
    figure.legend(loc="outside lower center", ncols=2, fontsize=9)
    figure.suptitle(forest.wrapped(title(finding, both, AGREED), width), fontsize="large")
    return figure


def _draw_turned(ordered, order, finding, both):
    """Draw p-values towards the system with the higher score, and what is left of the count."""
    n, (a, b) = len(ordered), (plain(forest.shortened(name, 20)) for name in finding.systems)
    width = 7.2
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(width, 1.9 + 0.9 * _height(n)), sharey=True, layout="constrained",
        width_ratios=(3, 2),
    )  # fmt: skip
    rows, pvalues = np.arange(1, n + 1), ordered["p_value"].to_numpy(float)
    behind = (ordered["score_b"] > ordered["score_a"]).to_numpy()
    size = np.minimum(-pvalue_axis.log10(pvalues), MOST_POWERS)
    for some, sign, colour in ((~behind, 1, "a"), (behind, -1, "b")):
        for shown, opacity in ((pvalues <= finding.level, 1), (pvalues > finding.level, 0.35)):
            bars = {"color": COLOURS[colour], "alpha": opacity, "height": 0.7}
            left.barh(rows[some & shown], sign * size[some & shown], **bars)
    for place in (-np.log10(finding.level), np.log10(finding.level)):
        left.axvline(place, color=COLOURS["count"], linestyle=":", linewidth=1.2)
    left.axvline(0, color=COLOURS["neutral"], linewidth=0.8)
    reach = int(max(2, 2 * np.ceil(size.max() / 2)))
    wall = "≤" if reach == MOST_POWERS else ""
    places = {0: "1", reach // 2: power_of_ten(-reach // 2), reach: wall + power_of_ten(-reach)}
    left.set_xticks([*places, *(-x for x in places)], [*places.values()] * 2)
    left.set_xlim(-1.03 * reach, 1.03 * reach)
    left.set_xlabel("p-value (bars point to the higher score)")
    left.set_title(f"← {b} ahead", loc="left", color=DARK_B)
    left.set_title(f"{a} ahead →", loc="right", color=COLOURS["a"])
    _name_rows(left, ordered["dataset"], (both[0].identified | both[1].identified)[order])
    right.tick_params(axis="y", length=0)
    _draw_lost(right, finding, both[0])
    for axis in (left, right):
        axis.spines["left"].set_visible(False)
        axis.tick_params(labelsize=8.5)
    figure.suptitle(forest.wrapped(title(finding, both, TURNED), width), fontsize="large")
    return figure


def _draw_lost(axis, finding, turned):
    """Draw the counting with p-values as printed and by direction; what is lost is shaded."""
    name, n = finding.recommended or next(iter(finding.partial_conjunctions)), len(finding.datasets)
    if name not in finding.partial_conjunctions or name not in turned.partial_conjunctions:
        name = next(iter(finding.partial_conjunctions))
    k, left = finding.counts[name], turned.counts[name]
    if left < k:
        axis.axhspan(left + 0.5, k + 0.5, color=COLOURS["faint"], alpha=0.5, linewidth=0)
        place = (0.04, k + 0.35)
        at = {"transform": axis.get_yaxis_transform(), "fontsize": 9}
        axis.text(*place, f"{k - left} of {k} lost", **at)
    rows, looks = (
        np.arange(1, n + 1),
        (("as printed", finding, "-"), ("with the scores", turned, "--")),
    )
    for label, one, line in looks:
        x = np.maximum(pvalue_axis.log10(one.partial_conjunctions[name]), -MOST_POWERS)
        said = f"{label}: k̂ = {one.counts[name]}"
        look = {"color": COLOURS[name], "linestyle": line, "marker": MARKERS[name]}
        axis.plot(x, rows, label=said, markersize=3.5, drawstyle="steps-mid", clip_on=False, **look)
    for one, line in ((finding, ":"), (turned, "--")):
        axis.axvline(np.log10(one.level), color=COLOURS["count"], linestyle=line, linewidth=1.2)
    axis.set_xlim(-MOST_POWERS, 0)
    ticks = [-MOST_POWERS, -MOST_POWERS / 2, 0]
    axis.set_xticks(ticks, [f"≤{power_of_ten(ticks[0])}", power_of_ten(ticks[1]), "1"])
    axis.set_xlabel(
        f"p-value of “{finding.claim.short('A')} on at least u” ({NAMES[name]})", size=8.5
    )
    axis.legend(loc="lower left", fontsize=8.5)
    _count_rows(axis, rows, TURNED)


# --- three panels -------------------------------------------------------------------------------


def _draw_panels(ordered, order, finding, score, both, chosen):
    n, scored = len(ordered), "score_a" in ordered
    longest = max(map(len, forest.told_apart(ordered["dataset"]))) if n <= MOST_NAMED else 0
    asked = (8.8 if scored else 6.6) + 0.07 * max(longest - 14, 0)
    width, most = min(asked, WIDEST), 5 if asked < WIDEST + LONGER else 3
    figure, axes = plt.subplots(
        1,
        3 if scored else 2,
        figsize=(width, 2.1 + _height(n)),
        sharey=True,
        layout="constrained",
    )
    named = {"a": finding.identified[order], "b": np.zeros(n, bool)}
    if chosen == BOTH:
        named["b"] = both[1].identified[order]
    if scored:
        _draw_scores(axes[0], ordered, finding.systems, score)
        bold = " (bold: named)" if n <= MOST_NAMED else ""
        axes[0].set_title(f"Scores{bold}", loc="left")
    columns = {"a": "p_value", "b": "p_reverse"} if chosen == BOTH else {"a": "p_value"}
    scale = pvalue_axis.fitted(
        {side: ordered[name] for side, name in columns.items()},
        {"a": finding.level / n, "b": finding.alpha / 2 / n},
        {
            side: list(found.partial_conjunctions.values())
            for side, found in zip("ab", (finding, *both[1:]), strict=False)
        },
    )
    _draw_pvalues(axes[-2], ordered, named, finding, chosen, scale)
    _draw_counting(axes[-1], finding, both, chosen, scale)
    _name_rows(axes[0], ordered["dataset"], named["a"] | named["b"])
    for axis in axes[1:]:
        axis.tick_params(axis="y", length=0)
    for axis, what in ((axes[-2], "p-value"), (axes[-1], "partial-conjunction p-value")):
        scale.write(axis, what, most)
    figure.legend(loc="outside lower center", ncols=3, fontsize=9)
    figure.suptitle(forest.wrapped(title(finding, both, chosen), width), fontsize="large")
    return figure


def _draw_pvalues(axis, ordered, named, finding, chosen, scale):
    """Draw a mark for each p-value: its shape and colour are those of the system it speaks for."""
    n = len(ordered)
    rows, pvalues = np.arange(1, n + 1), ordered["p_value"].to_numpy(float)
    ahead = np.full(n, "a")
    if chosen == BOTH:
        back = ordered["p_reverse"].to_numpy(float)
        ahead[back < pvalues] = "b"
    by_holm = marks.by_holm(finding)
    for which, alpha, steps in (("a", finding.level, rows), ("b", finding.alpha / 2, rows[::-1])):
        if which not in scale.floors:
            continue
        if by_holm:
            line = {"color": COLOURS["neutral"], "linewidth": 0.8}
            label = "Holm's line" if which == "a" else None
            axis.plot(scale.place(alpha / (n - steps + 1), which), rows, "|-", label=label, **line)
        halved = which == "b" or finding.other is not None
        label = f"α/2 = {alpha:g}, both directions" if halved else f"α = {alpha:g}"
        label = label if which == "a" or finding.level != alpha else None  # said for both
        scale.draw_level(axis, alpha, which, label, 1.5 if which == "a" else 0.9)
    for which, marker in (("a", "o"), ("b", "s")):
        values = pvalues if chosen != BOTH or which == "a" else back
        found = named[which] if chosen == BOTH else named["a"]
        for filled in (True, False):
            some = (ahead == which) & (found == filled)
            face = COLOURS[which] if filled else "white"
            at = which if chosen == BOTH else "a"
            _draw_marks(axis, values[some], rows[some], at, scale, marker, COLOURS[which], face, n)
    axis.set_title("p-values (filled: named)", loc="left")


def _draw_marks(axis, pvalues, rows, side, scale, marker, edge, face, n):
    """Draw marks; those beyond the wall are arrows at it."""
    beyond = pvalue_axis.log10(pvalues) < scale.floors[side]
    wall = "<" if side == "a" else ">"
    for some, shape in ((~beyond, marker), (beyond, wall)):
        if some.any():  # the layout trips over lines that are empty and not clipped
            axis.plot(
                scale.place(pvalues[some], side), rows[some], shape, clip_on=False, zorder=4,
                markeredgecolor=edge, markerfacecolor=face, **_marker(n),
            )  # fmt: skip


def _draw_counting(axis, finding, both, chosen, scale):
    """Draw the partial-conjunction p-values, or the count of a local test that has none."""
    n = len(finding.datasets)
    rows = np.arange(1, n + 1)
    scale.draw_level(axis, finding.level, "a")
    if chosen == BOTH:
        scale.draw_level(axis, finding.alpha / 2, "b", linewidth=0.9)
    for name, pvalues in finding.partial_conjunctions.items():
        label = _estimate(name, finding, both, chosen)
        _draw_curve(axis, scale.place(pvalues, "a"), rows, name, finding, label=label)
        if chosen == BOTH:
            back = both[1].partial_conjunctions[name]
            _draw_curve(axis, scale.place(back, "b"), rows[::-1], name, finding)
    if finding.recommended not in finding.partial_conjunctions:
        look = {"color": COLOURS[finding.recommended], "linewidth": 2, "clip_on": False}
        label = _estimate(finding.recommended, finding, both, chosen)
        axis.hlines(finding.k + 0.5, scale.floors["a"], 0, label=label, **look)
        if chosen == BOTH:
            axis.hlines(n - both[1].k + 0.5, 0, -scale.floors["b"], **look)
    claimed = finding.claim.short("A")
    if chosen == BOTH:
        axis.set_title("Better on at least u", loc="left")
    else:
        axis.set_title(f"“{claimed} on at least u”", loc="left")
    _count_rows(axis, rows, chosen)


def _draw_curve(axis, x, rows, name, finding, **look):
    """Draw a curve up to where it reaches 1; the chosen one is filled, others are rings."""
    n, chosen = len(rows), name == finding.recommended
    ends = 1 + np.argmax([*(np.abs(x) < 0.002), True])
    x, rows = x[:ends], rows[:ends]
    sizes = (4.5, 8) if n <= MOST_SPACED else (3, 5) if n <= MOST_NAMED else (2, 3)
    line = {"linestyle": LINES[name], "marker": MARKERS[name], "color": COLOURS[name]}
    axis.plot(
        x, rows, markersize=sizes[not chosen], zorder=4 if chosen else 3, clip_on=False,
        markerfacecolor=COLOURS[name] if chosen else "none", **(line | look),
    )  # fmt: skip


def _count_rows(axis, rows, chosen):
    """Number the rows: from the top for A, and for B from below."""
    n, step = len(rows), 1 + len(rows) // 15
    sides = (
        {"left": rows[::step], "right": n + 1 - rows[::step]}
        if chosen == BOTH
        else {"right": rows[::step]}
    )
    for side, places in sides.items():
        counted = axis.secondary_yaxis(side)
        counted.set_yticks(places, [str(u) for u in rows[::step]])
        counted.set_ylabel("u", rotation=0, y=1.0, labelpad=4, va="bottom")
        counted.tick_params(labelsize=8.5, length=2)
