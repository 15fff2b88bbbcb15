"""All pairs of systems as a plane that one can use: one by one or jointly, and each pair in words.

The cells are those of `Family.matrix`, and what is behind them is in the file that `rep.save`
writes beside the table. ``plane.js`` draws both; without it there is the table.
"""

import json
import re
from html import escape

from accessible import box

CORNER = re.compile(r"lower bound \(of (\d+) datasets?\)")
"""Header of the column of systems: the number of datasets."""

LETTERS = "".join(c for c in map(chr, range(35, 127)) if c not in "\\<&`")
"""Digits of numbers of two digits; none that HTML, JSON or Markdown would take for markup."""

SMALLEST = 27
"""p-values below 1e-27 are written as such."""


def is_plane(cells):
    """Say whether a table counts, for all pairs of systems, the datasets on which one is better."""
    return bool(CORNER.match(cells.columns[0])) and len(cells) == len(cells.columns) - 1


def written(cells, label, behind, pages, rows):
    """Write a plane.

    `cells` (DataFrame of str): as `Family.matrix` returns it. `label`: its number. `behind`: as
    `Family.to_dict` returns it. `pages` (list of (str, str, str)): two systems, and the address of
    what the book has on this pair alone. `rows`: systems that the table has, the first ones; the
    picture has all.

    Returns str. HTML.
    """
    first = cells.iloc[:rows, : rows + 1]
    names = [first.columns[0], *map(str, range(1, len(first) + 1))]  # names would be too wide
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = "\n".join(
        f'<tr><th scope="row">{escape(name)} {number}</th>'
        f"{''.join(f'<td>{escape(value)}</td>' for value in values)}</tr>"
        for number, (name, *values) in enumerate(first.itertuples(index=False, name=None), 1)
    )
    kept = {key: behind[key] for key in ("family", "score", "systems", "datasets", "scores")}
    systems = behind["systems"]
    kept["pages"] = [
        [systems.index(a), systems.index(b), address]
        for a, b, address in pages
        if {a, b} <= set(systems)
    ]
    kept["counts"] = [
        [[int(number) for number in re.findall(r"\d+", value)] or None for value in values]
        for _, *values in cells.itertuples(index=False, name=None)
    ]
    n = len(behind["datasets"])
    kept["pairs"] = [
        "".join(packed(p, named) if p else " " * 2 * n for p, named in zip(*row, strict=True))
        for row in zip(behind["pvalues"], behind["named"], strict=True)
    ]
    table = f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
    data = json.dumps(kept, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="plane" data-label="{escape(label)}" data-letters="{escape(LETTERS)}">'
        f'<script type="application/json">{data}</script>'
        f"<details><summary>As a table</summary>"
        f"{box(table, label, 'scroll tall')}</details></div>"
    )


def packed(pvalues, named):
    """Pack what is known of the datasets of a pair.

    `pvalues` (list of float): in [0, 1], with two significant digits. `named` (list of int): 0, 1
    or 2, as in `Family.to_dict`.

    Returns str. Two of `LETTERS` for each dataset: the number 3 (90 e + m - 10) + named in their
    base, where the p-value is m / 10 to the power -e, with m from 10 to 99 and e up to `SMALLEST`;
    below, e is one more and m is 10.
    """
    found = []
    for pvalue, state in zip(pvalues, named, strict=True):
        mantissa, exponent = f"{pvalue:.1e}".split("e")
        ten, e = round(10 * float(mantissa)), -int(exponent)
        if pvalue == 0 or e > SMALLEST:
            ten, e = 10, SMALLEST + 1
        number = 3 * (90 * e + ten - 10) + state
        found += [LETTERS[number // len(LETTERS)], LETTERS[number % len(LETTERS)]]
    return "".join(found)
