"""Answers as text: sentences, tables and notes."""

import itertools
import textwrap

WIDTH = 80
"""Characters of a line of a table, as far as the columns that are always shown leave it."""


def show(answer):
    """Write the answer of `pvalues` or `compare` as text.

    Parameters
    ----------
    answer : Answer or dict
        The answer; a dictionary where p-values come from one column and have no names.

    Returns
    -------
    str
        Sentences and tables.
    """
    if isinstance(answer, dict):
        from replicability.show import view

        columns = {
            f"alpha = {found['alpha']:g}": {"count": found["count"], **found["k_hat"]}
            for found in answer["findings"]
        }
        told = answer["n"], answer["recommended"], answer["dependence"]
        counted = table(view.estimators(columns, *told))
        return "\n\n".join(["\n".join(answer["sentences"]), counted, *notes(answer["notes"])])
    shown = answer.result.view
    blocks = ["\n".join(" ".join(filter(None, said)) for said in shown.sentences)]
    blocks += [filled(shown.overall)] if shown.overall else []
    blocks.append(table(shown.datasets))
    blocks += [table(shown.groups)] if shown.groups else []
    blocks += [table(shown.counts)] if answer.result.n > 1 else []
    return "\n\n".join([*blocks, *notes([*answer.result.notes, *answer.notes])])


def notes(said):
    """Break each note into lines."""
    return list(map(filled, said))


def table(shown):
    """Lay out a table within `WIDTH` characters.

    Parameters
    ----------
    shown : show.view.Table
        Where there is too little room, headings and the cells of the last column are broken into
        lines, and spare columns are left out.

    Returns
    -------
    str
        Headings, and a row for each of the table's; then which columns are left out, and how it is
        read.
    """
    cells = list(zip(*shown.rows, strict=True))
    places, heads = list(range(len(cells))), [[heading] for heading in shown.headings]
    needed = [max(map(len, column)) for column in cells]
    for n in sorted(places, key=lambda n: needed[n] - len(shown.headings[n])):
        if _width([[*heads[n], *cells[n]] for n in places]) > WIDTH:
            heads[n] = _broken(shown.headings[n], needed[n])
    while (
        _width([[*heads[n], *cells[n]] for n in places]) > WIDTH
        and (most := max(shown.spare[n] for n in places)) > 0
    ):
        places = [n for n in places if shown.spare[n] < most]
    rows = list(zip(*(cells[n] for n in places), strict=True))
    above = [[*heads[n], *cells[n]] for n in places[:-1]]
    room = WIDTH - _width(above) - 2
    if shown.left[places[-1]] and room >= MINIMUM:
        rows = [line for row in rows for line in _continued(row, room)]
    top = itertools.zip_longest(*(heads[n] for n in places), fillvalue="")
    text = _lines([*top, *rows], [shown.left[n] for n in places])
    left_out = [heading for n, heading in enumerate(shown.headings) if n not in places]
    said = f"Not shown for lack of room (see --json): {', '.join(left_out)}."
    below = [said] if left_out else []
    below += [shown.note] if shown.note else []
    return "\n".join(
        [text, *(textwrap.fill(said, WIDTH, break_on_hyphens=False) for said in below)]
    )


MINIMUM = 16
"""Characters of a line below which a cell is not broken."""


def _width(columns):
    return sum(max(map(len, column)) for column in columns) + 2 * (len(columns) - 1)


def _broken(heading, width):
    """Break a heading behind blanks and strokes into lines of a width, or of its longest word."""
    words = heading.replace("/", "/ ")
    width = max(width, *map(len, words.split()))
    lines = textwrap.wrap(words, width, break_on_hyphens=False)
    return [line.replace("/ ", "/") for line in lines]


def _continued(row, width):
    """Break the last cell of a row into lines."""
    *before, last = row
    first, *rest = textwrap.wrap(last, width, break_on_hyphens=False) or [""]
    return [(*before, first), *((*[""] * len(before), line) for line in rest)]


def _lines(rows, left):
    """Align the cells of rows."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    )


def filled(text, indent=""):
    """Break a text into lines.

    Parameters
    ----------
    text : str
        The text.
    indent : str, default ""
        What stands before every line but the first.

    Returns
    -------
    str
        Lines of at most 88 characters.
    """
    return textwrap.fill(text, 88, subsequent_indent=indent, break_on_hyphens=False)
