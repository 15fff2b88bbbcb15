"""The forest plot: by how much A is better on each dataset, with intervals, and over all."""

import itertools
import textwrap
import unicodedata

import matplotlib.pyplot as plt
import numpy as np

from replicability.core.findings import at_least
from replicability.core.findings.wording import capital, on_any, plural
from replicability.show.style import COLOURS, NAMES, STYLE, plain

MOST_NUMBERS = 40
"""Maximum number of datasets whose differences are printed next to the rows."""

MOST_LABELS = 80
"""Maximum number of datasets whose rows all have labels; otherwise only quantiles do."""

LONGEST_NAME = 36
"""Maximum length of a name; the middle of a longer name is replaced by dots."""

MOST_LINES = 4
"""Maximum number of lines for the groups below the figure."""

WIDTH = 7.6
"""Width of the figure in inches."""

TALLEST = 12
"""Maximum total height of the rows in inches."""

QUANTILES = {0: "highest", 0.25: "upper quartile", 0.5: "median", 0.75: "lower quartile",
             1: "lowest"}  # fmt: skip
"""Maps the share of rows above a row to the label of that quantile."""


def forest(table, finding, score, overall, margins=()):
    """Draw the difference on each dataset with its interval, and the mean difference.

    Parameters
    ----------
    table : Tested
        As `evaluation.evaluate` returns it from items: with ``difference``, ``low`` and
        ``high``. A limit that is infinite or not there ends in an arrow, or is left out.
    finding : findings.Finding
        What was found in the table at one level.
    score : str
        What the scores measure, with the unit.
    overall : findings.Overall
        The mean difference.
    margins : sequence of float or ndarray, shape (n,)
        Margins of the claim, in the unit of the differences: a line for one of all datasets, and
        for those of single datasets a mark in each row.

    Returns
    -------
    matplotlib.figure.Figure
        One row for each dataset, from the largest difference to the smallest, within groups that
        are declared and do not overlap; filled markers and bold labels are datasets that are named;
        the diamond is the mean. The title is the finding; bounds of groups are at the foot.
    """
    n, bounds = len(table), _bounds(finding)
    rows = _rows(table, finding, bounds)
    foot = _foot(finding, overall, bounds)
    each = _row_height(len(rows), n)
    step = _step(rows, n)
    last = len(rows) - 0.5
    heading = wrapped("; ".join(map(told, filter(number, _asked(finding)))) or told(finding), WIDTH)
    height = each * (len(rows) + 2.2 * step) + 1.45 + 0.16 * (foot + heading).count("\n")
    with plt.rc_context(STYLE | {"font.size": 9}):
        figure, axis = plt.subplots(figsize=(WIDTH, height), layout="constrained")
        axis.set_ylim(_ends(rows, step))
        axis.set_xlim(*_limits(table, overall, margins))
        axis.axvline(0, color=COLOURS["neutral"], linewidth=1)
        _draw_margins(axis, margins, rows)
        _draw_rows(axis, table, finding, rows)
        axis.axhline(last + 0.2 * step, color=COLOURS["faint"], linewidth=0.8)
        _draw_overall(axis, overall, last + 0.9 * step, 0.4 * step)
        _label(axis, table, finding, rows, last + 0.9 * step)
        _write_numbers(axis, table, rows, overall, last + 0.9 * step)
        a, b = (plain(shortened(name)) for name in finding.systems)
        axis.set_xlabel(f"{a} − {b}: {plain(score)}")
        if table.turned is not None:
            axis.set_xlabel(f"{b} − {a}: {plain(score)} (lower is better)")
        axis.spines["left"].set_visible(False)
        figure.suptitle(heading, fontsize="large")
        _legend(axis, finding, margins)
        figure.supxlabel(plain(foot), x=0.01, ha="left", fontsize="small")
    return figure


def spans(table, finding):
    """Return where the rows of the plot begin and end.

    `table`, `finding`: as for `forest`.

    Returns dict of int to (float, float). Place of a dataset in the table -> shares of the height
    of the axes, from the top; in the order of the rows.
    """
    rows = _rows(table, finding, _bounds(finding))
    bottom, top = _ends(rows, _step(rows, len(table)))
    height = bottom - top
    return {
        place: ((y - 0.5 - top) / height, (y + 0.5 - top) / height)
        for y, place in enumerate(rows)
        if not isinstance(place, str)
    }


def margins(comparison, datasets):
    """Return the margins of a comparison's claim as places on the axis of differences.

    `comparison`: its `margin`, for all datasets or by dataset, and its `claim`, if there are any.
    `datasets` (sequence of str): the n datasets.

    Returns tuple of float or ndarray, shape (n,). A margin above 0 for a claim of being better by
    it, one below 0 for one of not being worse, both for one of being equivalent; empty without a
    margin.
    """
    margin, claim = (getattr(comparison, key, None) for key in ("margin", "claim"))
    if margin is None:
        return ()
    if isinstance(margin, dict):
        margin = np.array([margin[name] for name in datasets], dtype=float)
    sides = {"not_worse": (-1,), "equivalent": (-1, 1)}.get(claim, (1,))
    return tuple(side * abs(margin) for side in sides)


# --- rows ---------------------------------------------------------------------------------------


def _rows(table, finding, bounds):
    """Return the rows from the top: the place of a dataset, or the heading of a group."""
    headed = bounds if len(table) <= MOST_LABELS and _disjoint(finding.groups) else {}
    order = np.argsort(-table["difference"].to_numpy(float), kind="stable").tolist()
    if not headed:
        return order
    places = {name: place for place, name in enumerate(finding.datasets)}
    home = {places[member]: name for name in headed for member in finding.groups[name]}
    rows = []
    for name, bound in headed.items():
        members = [place for place in order if home.get(place) == name]
        said = bound or f"no evidence on {on_any(len(members))}"
        rows += [f"{shortened(name, 24)}: {said}", *members]
    rest = [place for place in order if place not in home]
    return [*rows, *(["other datasets"] if rest else []), *rest]


def _disjoint(groups):
    """Whether no dataset is in two groups."""
    members = [member for group in groups.values() for member in group]
    return len(members) == len(set(members))


def _draw_margins(axis, margins, rows):
    """Draw a line for a margin, or a dash in the row of each dataset that has its own."""
    look = {"color": COLOURS["count"], "linestyle": "--", "linewidth": 1}
    placed = {place: y for y, place in enumerate(rows) if not isinstance(place, str)}
    for margin in margins:
        if np.ndim(margin) == 0:
            axis.axvline(margin, **look)
        for place, at in enumerate(margin) if np.ndim(margin) else ():
            axis.plot([at] * 2, [placed[place] - 0.4, placed[place] + 0.4], **look)


def _draw_rows(axis, table, finding, rows):
    """Draw intervals and markers; an end beyond the axis is an arrow at its edge."""
    placed = [(y, place) for y, place in enumerate(rows) if not isinstance(place, str)]
    y, places = (np.array(values) for values in zip(*placed, strict=True))
    centre, low, high = table[["difference", "low", "high"]].to_numpy(float)[places].T
    forth, back = (side[places] for side in _named(finding))
    left, right = axis.get_xlim()
    size = float(np.clip(50 * _row_height(len(rows), len(table)), 2, 6))
    drawn = ~(np.isnan(low) | np.isnan(high))
    for chosen, colour, face in (
        (forth, COLOURS["a"], COLOURS["a"]),
        (back, COLOURS["b"], COLOURS["b"]),
        (~(forth | back), COLOURS["neutral"], "white"),
    ):
        bars = chosen & drawn
        if bars.any():
            ends = np.clip(low, left, right)[bars], np.clip(high, left, right)[bars]
            axis.hlines(y[bars], *ends, color=colour, linewidth=size / 4, zorder=2)
        for beyond, edge, arrow in ((low < left, left, "<"), (high > right, right, ">")):
            at = y[chosen & drawn & beyond]
            if len(at):
                marks = {"color": colour, "markersize": size * 0.8, "clip_on": False}
                axis.plot(np.full(len(at), edge), at, arrow, **marks)
        if chosen.any():
            marks = {"color": colour, "markerfacecolor": face, "markersize": size, "zorder": 4}
            axis.plot(centre[chosen], y[chosen], "o", markeredgewidth=size / 6, **marks)


def _named(finding):
    """Return which datasets are named for A, and which for B, if both directions are tested."""
    forth = np.asarray(finding.identified, bool)
    other = finding.other
    return forth, np.zeros_like(forth) if other is None else np.asarray(other.identified, bool)


def _draw_overall(axis, overall, y, half):
    """Draw the mean as a diamond as wide as its interval, or small where that is hardly seen."""
    look = {"facecolor": COLOURS["b"], "edgecolor": "black", "linewidth": 0.8, "zorder": 3}
    left, right = axis.get_xlim()
    if overall.has_interval and overall.high - overall.low > 0.02 * (right - left):
        x = [overall.low, overall.difference, overall.high, overall.difference]
        axis.fill(x, [y, y - half, y, y + half], **look)
    else:
        axis.scatter([overall.difference], [y], s=40, marker="D", **look)


# --- words --------------------------------------------------------------------------------------


def number(finding):
    """Return the number of datasets on which A is significantly better, by count or by name."""
    return max(finding.k, int(finding.identified.sum()))


def told(finding):
    """Say what a finding shows.

    `finding` (findings.Finding): what was found at one level, in one direction.

    Returns str. Such as "A outperforms B on at least 5 of 7 datasets".
    """
    systems = tuple(map(shortened, finding.systems))
    n, k = len(finding.datasets), number(finding)
    if n == 1:
        return finding.claim.on_the_only_one(*systems, k > 0)
    if k:
        return f"{finding.claim.shown(*systems)} on {at_least(k, n)}"
    return f"There is no evidence that {finding.claim.shown(*systems)} on {on_any(n)}"


def wrapped(text, width):
    """Break a title into lines; `width` is that of the figure in inches."""
    return plain("\n".join(textwrap.wrap(text, int(10.2 * width))))


def _label(axis, table, finding, rows, mean):
    """Label the rows, in bold those of datasets that are named, and the mean."""
    n = len(table)
    labels, looks, names = {}, [], told_apart(table["dataset"])
    bold = np.logical_or(*_named(finding))
    words = dict.fromkeys(range(len(rows)), "")
    if n > MOST_LABELS:
        words = {round(share * (n - 1)): f"{word}: " for share, word in QUANTILES.items()}
    for y, word in words.items():
        dataset = not isinstance(rows[y], str)
        labels[y] = word + (names[rows[y]] if dataset else rows[y])
        looks.append(
            ("bold" if dataset and bold[rows[y]] else "normal", "normal" if dataset else "italic")
        )
    labels[mean] = f"mean of {plural(n, 'dataset')}"
    axis.set_yticks(list(labels), list(map(plain, labels.values())))
    axis.tick_params(axis="y", length=0, labelsize=_font(n), pad=8)
    for label, (weight, style) in zip(axis.get_yticklabels(), looks, strict=False):
        label.set_fontweight(weight)
        label.set_fontstyle(style)


def _write_numbers(axis, table, rows, overall, mean):
    """Write differences and limits on the right, where there is room for all."""
    if len(table) > MOST_NUMBERS:
        return
    cells = table[["difference", "low", "high"]].to_numpy(float)
    numbers = {
        y: _numbers(overall, *cells[row]) for y, row in enumerate(rows) if not isinstance(row, str)
    }
    numbers[mean] = _of_mean(overall)
    right = axis.secondary_yaxis("right")
    right.set_yticks(list(numbers), list(numbers.values()))
    right.tick_params(length=0, pad=8, labelsize=_font(len(table)))
    right.spines["right"].set_visible(False)


def _of_mean(overall):
    ends = (overall.low, overall.high) if overall.has_interval else (np.nan, np.nan)
    return _numbers(overall, overall.difference, *ends)


def _numbers(overall, difference, low, high):
    """Write a difference with its limits."""
    text, *ends = (overall.signed(value) for value in (difference, low, high))
    limits = "no interval" if np.isnan([low, high]).any() else f"[{', '.join(ends)}]"
    return f"{text}  {limits}".replace("-", "−").replace("inf", "∞")


def shortened(name, longest=LONGEST_NAME):
    """Leave out the middle of a long name.

    `longest`: characters that are kept, with the one that stands for what is left out; half as many
    where most are as wide as two, as in Chinese.

    Returns str. At most so many characters, in one line.

    Examples
    --------
    >>> shortened("a long name of a dataset", 15)
    'a long…dataset'
    """
    name = " ".join(str(name).split())
    if sum(unicodedata.east_asian_width(letter) in "WF" for letter in name) > len(name) / 2:
        longest //= 2
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[:half].rstrip()}…{name[len(name) - half :].lstrip()}"


def told_apart(names, longest=LONGEST_NAME):
    """Shorten names; where some would then be the same, leave out what all begin and end with.

    `names` (iterable of str): the names. `longest`: as for `shortened`.

    Returns list of str. One for each, as `shortened`.

    Examples
    --------
    >>> told_apart([f"a_name_of_a_suite_{name}_of_a_validation_set" for name in ["news", "law"]])
    ['…news…', '…law…']
    """
    names = [" ".join(str(name).split()) for name in names]
    short = [shortened(name, longest) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    start = _alike(names)
    rests = [name[start:] for name in names]
    end = _alike([rest[::-1] for rest in rests])
    before, after = "…" if start else "", "…" if end else ""
    return [shortened(f"{before}{rest[: len(rest) - end]}{after}", longest) for rest in rests]


def _alike(names):
    """Count the characters with which all names begin."""
    places = (set(letters) for letters in zip(*names, strict=False))
    return sum(1 for _ in itertools.takewhile(lambda letters: len(letters) == 1, places))


def _bounds(finding):
    """Return the bounds of the groups, in words; "" where there is no evidence."""
    bounds = {}
    for name, group in finding.groups.items() if finding.claims is not None else ():
        n = len(group)
        found = {one.systems[0]: one.claims.at_least(group) for one in _asked(finding)}
        whose = finding.other is not None
        said = [
            (f"{shortened(a)} " * whose) + (f"all {n:,}" if k == n else f"at least {k:,} of {n:,}")
            for a, k in found.items()
            if k
        ]
        bounds[name] = " and ".join(said)
    return bounds


def _asked(finding):
    """Return what is found in each direction that is asked."""
    return (finding,) if finding.other is None else (finding, finding.other)


def _counted(finding):
    """Say how many datasets are counted and named, in each direction that is asked."""
    n, how, both = len(finding.datasets), NAMES[finding.recommended], finding.other is not None
    sure = f"{round(100 * (1 - finding.alpha), 9):g}% confidence"
    by_holm = " by Holm's procedure" if finding.claims is None else ""
    parts = []
    for one in _asked(finding):
        counted = at_least(one.k, n) if one.k else f"no evidence on {on_any(n)}"
        if both:
            short = one.claim.short(shortened(one.systems[0]))
            counted = f"{short} on {counted}" if one.k else f"{short}: {counted}"
        alone = "" if finding.claims is not None or both else f" ({how}, {sure})"
        parts.append(f"{counted}{alone}; named{by_holm}: {int(one.identified.sum()):,}")
    said = "; ".join(parts)
    if any(one.k for one in _asked(finding)):
        said = f"Lower bound: {said}"
    elif not both:
        said = capital(said)
    if finding.claims is None:
        each = f" ({how}; {round(100 * (1 - finding.level), 9):g}% confidence for each direction)"
        return f"{said}{each if both else ''}."
    joint = "both directions, simultaneous " if both else ""
    return f"{said} (closed testing, {how}; {joint}{sure})."


def _foot(finding, overall, bounds):
    """Say count, names, groups and mean, in lines."""
    said = [_counted(finding)]
    if by_group := [f"{name} {bound}" for name, bound in bounds.items() if bound]:
        said.append(f"By group: {('; ' if finding.other else ', ').join(by_group)}.")
    said.append(
        f"Mean difference: {_of_mean(overall)}; {shortened(finding.systems[0])} is "
        f"{overall.signs}. Bars: 95% intervals."
    )
    whole = {"width": 112, "max_lines": MOST_LINES, "placeholder": " …"}
    return "\n".join(line for part in said for line in textwrap.wrap(part, **whole))


def _legend(axis, finding, margins):
    """Say what markers mean."""
    marks = {"linestyle": "none", "markersize": 6}
    named = {"named": "a"}
    if finding.other is not None:
        a, b = (plain(shortened(name, 16)) for name in finding.systems)
        named = {f"{a} better (named)": "a", f"{b} better (named)": "b"}
    looks = {
        **{
            label: {"marker": "o", "color": COLOURS[side], **marks} for label, side in named.items()
        },
        "not named": {"marker": "o", "color": COLOURS["neutral"], "mfc": "white", **marks},
        "mean": {"marker": "D", "color": "black", "mfc": COLOURS["b"], **marks},
    }
    if margins:
        looks["margin"] = {"color": COLOURS["count"], "linestyle": "--"}
    entries = [plt.Line2D([], [], label=label, **look) for label, look in looks.items()]
    axis.legend(handles=entries, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(looks))


# --- sizes --------------------------------------------------------------------------------------


def _row_height(rows, n):
    """Return the height of a row in inches; all rows together have a page at most."""
    each = 0.25 if n <= MOST_NUMBERS else 0.155 if n <= MOST_LABELS else 0.068
    return min(each, TALLEST / rows)


def _step(rows, n):
    """Return how many rows make the height of a row with a label."""
    return max(0.25 / _row_height(len(rows), n), 1)


def _ends(rows, step):
    """Return the ends of the vertical axis: the rows, and the mean below them."""
    return len(rows) - 0.5 + 1.6 * step, -0.5 - 0.3 * step


def _font(n):
    return 9 if n <= MOST_NUMBERS else 7 if n <= MOST_LABELS else 8


def _limits(table, overall, margins):
    """Return the ends of the axis: all differences, and intervals unless they dwarf the others."""
    centre, low, high = table[["difference", "low", "high"]].to_numpy(float).T
    shown = [0.0, *centre, *np.ravel(margins)]
    if overall.has_interval:
        shown += [overall.low, overall.high]
    least, most = min(shown), max(shown)
    widths = np.concatenate([centre - low, high - centre])
    widths = widths[np.isfinite(widths)]
    reach = max(most - least, 3 * float(np.median(widths)) if len(widths) else 0)
    ends = np.concatenate([low, high])
    ends = ends[np.isfinite(ends)]
    least = max(min([least, *ends]), least - reach)
    most = min(max([most, *ends]), most + reach)
    pad = 0.04 * (most - least) or 1.0
    return least - pad, most + pad
