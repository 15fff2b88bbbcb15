"""A table for LaTeX that fits a column or the text of a two-column paper."""

from __future__ import annotations

import unicodedata

from replicability import checks
from replicability.checks import InputError
from replicability.show import harmless, tables
from replicability.show.view import EACH, Table

WIDTHS = {"column": 3.03, "text": 6.3}
"""Widths in inches of a column and of the text in ACL style, narrower than IEEE's (3.5 and 7.16).
"""

SIZES = (9, 8, 7)
"""Font sizes in points; the first that fits is used."""

GAP = 6
"""Points between two columns, twice ``\\tabcolsep``."""

POINTS = 72.27
"""Points of TeX in an inch."""


def latex(shown: Table, stem: str, caption: str, width: str, keep: bool = False) -> str:
    """Write a table as LaTeX (booktabs) that is not wider than a column or the text.

    `shown`: what it holds. `stem`: its label is ``tab:<stem>``. `caption`: its caption; all markup
    is escaped. `width` ({"", "column", "text"}): what it has to fit, if anything. `keep`: whether
    every column was chosen; else those that can be spared are left out as needed, and then the
    widest one.

    Returns str. A ``table``, or a ``table*`` across both columns, which needs the package booktabs.

    Raises `InputError`: if it does not fit with the smallest letters, by widths of Times and
    Computer Modern.
    """
    if not width:
        return tables.latex(shown.frame, stem, caption)
    checks.choice("width", width, tuple(WIDTHS))
    room = WIDTHS[width] * POINTS
    everything = [*range(len(shown.headings))]
    choices = [everything] if keep else _fewer(shown, everything)
    for places in choices:
        for size in SIZES:
            if estimated(shown, places, size) <= room:
                return _written(shown, places, size, stem, caption, width)
    needed = estimated(shown, places, SIZES[-1]) / POINTS
    widest = shown.headings[max(places, key=lambda place: _column(shown, place))]
    raise InputError(
        f"In {SIZES[-1]}-point type, the table is {needed:.2f} inches wide, but the {width} width "
        f"is {WIDTHS[width]} inches; choose fewer columns (the widest is {widest!r}), or shorten "
        "names with labels."
    )


def _fewer(shown: Table, everything: list[int]) -> list[list[int]]:
    """Leave out what can be spared; else the widest column but the first, such as intervals."""
    widest = max(everything[1:], key=lambda place: _column(shown, place), default=0)
    return [
        [place for place in everything if shown.spare[place] <= most and place not in left_out]
        for left_out in ((), (widest,))
        for most in sorted({*shown.spare, 0}, reverse=True)
    ]


def estimated(shown: Table, places: list[int], size: float) -> float:
    """Estimate the width of some columns in points, from above."""
    return size * sum(_column(shown, place) for place in places) + GAP * (len(places) - 1)


def _column(shown: Table, place: int) -> float:
    texts = [*_lines(shown, place), *(row[place] for row in shown.rows)]
    return max(map(ems, texts), default=0)


def ems(text: str) -> float:
    """Estimate the width of a text in units of the size of its letters."""
    return sum(map(_em, text))


def _em(letter: str) -> float:
    """Return the larger width of a letter in Times and in Computer Modern, rounded up."""
    if letter in "ijlt.,:;'|!()[] ":
        return 0.4
    if letter in "mwMW%@—":
        return 1.03
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in "+-−<>=≤≥":
        return 0.78
    return 0.51 if letter.isdigit() else 0.56 if letter.islower() else 0.78


def _lines(shown: Table, place: int) -> list[str]:
    """Break a heading in two lines where it is longer than its cells."""
    heading = shown.headings[place]
    words = heading.split(" ")
    cells = max((ems(row[place]) for row in shown.rows), default=0)
    if ems(heading) <= cells or len(words) == 1:
        return [heading]
    cuts = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words)))
    return [*min(cuts, key=lambda lines: max(map(ems, lines)))]


def _written(
    shown: Table, places: list[int], size: int, stem: str, caption: str, width: str
) -> str:
    if not any("interval" in shown.headings[place] for place in places):
        caption = caption.replace(EACH, "")
    name = "table*" if width == "text" else "table"
    align = "".join("l" if shown.left[place] else "r" for place in places)
    heads = []
    for place in places:
        lines = [harmless.latex(line) for line in _lines(shown, place)]
        side = "l" if shown.left[place] else "r"
        joined = r"\\".join(lines)
        heads.append(rf"\shortstack[{side}]{{{joined}}}" if len(lines) > 1 else joined)
    rows = [
        " & ".join(
            (harmless.latex_first if number == 0 else harmless.latex)(row[place])
            for number, place in enumerate(places)
        )
        for row in shown.rows
    ]
    body = "\n".join(rf"{row} \\" for row in rows)
    return (
        f"\\begin{{{name}}}[t]\n\\centering\n"
        f"\\caption{{{harmless.latex(caption)}}}\n\\label{{tab:{stem}}}\n"
        f"\\fontsize{{{size}}}{{{size + 2}}}\\selectfont\n"
        f"\\setlength{{\\tabcolsep}}{{{GAP / 2:g}pt}}\n"
        f"\\begin{{tabular}}{{@{{}}{align}@{{}}}}\n\\toprule\n{' & '.join(heads)} \\\\\n\\midrule\n"
        f"{body}\n\\bottomrule\n\\end{{tabular}}\n\\end{{{name}}}\n"
    )
