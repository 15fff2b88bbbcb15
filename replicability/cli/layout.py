"""Answers as text: sentences, tables and notes."""

import itertools
import textwrap

WIDTH = 80
"""Characters of a line."""


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
        said = ["\n".join(map(filled, answer["sentences"])), counted, *notes(answer["notes"])]
        return "\n\n".join([*said, filled(NAMELESS)])
    shown = answer.result.view
    if isinstance(shown, dict):  # of several metrics
        blocks = [*map(filled, answer.result.sentences), *map(_captioned, shown.values())]
        return "\n\n".join([*blocks, *notes([*answer.result.notes, _to_send(answer)])])
    blocks = ["\n".join(filled(" ".join(filter(None, said))) for said in shown.sentences)]
    blocks += [filled(shown.overall)] if shown.overall else []
    blocks.append(table(shown.datasets))
    blocks += [table(shown.groups)] if shown.groups else []
    blocks += [table(shown.counts)] if answer.result.n > 1 else []
    return "\n\n".join([*blocks, *notes([*answer.result.notes, *answer.notes, _next(answer)])])


NAMELESS = (
    "Next: add a second column with the names of the datasets. The output can then name the "
    "significant datasets."
)


def _next(answer):
    """Say what to do next."""
    result = answer.result
    if result.n > 1 and not (result.declared or result.comparison.shared):
        return (
            "Next: declare how the datasets depend on each other. Add --independent if they share "
            "no items and none is derived from another; otherwise, add --positive or --dependent."
        )
    return _to_send(answer)


def _to_send(answer):
    """Say how to get a page to send, or what was written."""
    if not answer.written:
        return "Next: add --html report.html to write the page for your co-authors."
    return "Next: send the page or the figure to your co-authors."


def _captioned(shown):
    """Write a table below its caption."""
    return f"{filled(shown.caption)}\n\n{table(shown)}"


def notes(said):
    """Break each note into lines."""
    return list(map(filled, said))


def table(shown):
    """Lay out a table within `WIDTH` characters.

    `shown` (show.view.Table): where there is too little room, headings, names in the first column
    and the cells of the last are broken into lines, and spare columns are left out.

    Returns str. Headings, and a row for each of the table's; then which columns are left out, and
    how it is read.
    """
    cells = list(zip(*shown.rows, strict=True))
    columns = {n: [[text] for text in (shown.headings[n], *cells[n])] for n in range(len(cells))}
    needed = [max(map(len, column)) for column in cells]
    for n in sorted(columns, key=lambda n: needed[n] - len(shown.headings[n])):
        if _room(columns) < 0:
            columns[n][0] = _broken(shown.headings[n], needed[n])
    if _room(columns) < 0:
        columns[0][1:] = [_wrapped(cell, NAME) for cell in cells[0]]
        if shown.left[len(cells) - 1]:
            columns[len(cells) - 1][1:] = [_wrapped(cell, MINIMUM) for cell in cells[-1]]
    while _room(columns) < 0 and (most := max(shown.spare[n] for n in columns)) > 0:
        columns = {n: column for n, column in columns.items() if shown.spare[n] < most}
    for n in (max(columns), 0):
        room = _room(columns) + _width(columns[n])
        if shown.left[n] and room >= MINIMUM:
            columns[n][1:] = [_wrapped(cell, room) for cell in cells[n]]
    rows = zip(*columns.values(), strict=True)
    lines = [line for row in rows for line in itertools.zip_longest(*row, fillvalue="")]
    widths = [_width(column) for column in columns.values()]
    text = "\n".join(
        "  ".join(
            cell.ljust(width) if shown.left[n] else cell.rjust(width)
            for n, cell, width in zip(columns, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )
    left_out = [heading for n, heading in enumerate(shown.headings) if n not in columns]
    said = f"Omitted for lack of space (see --json): {', '.join(left_out)}."
    return "\n".join(
        [text, *map(filled, [said] * bool(left_out) + [shown.note] * bool(shown.note))]
    )


NAME, MINIMUM = 30, 10
"""Longest name, and shortest limit of any cell, in characters before a line break."""


def _width(column):
    return max(len(line) for cell in column for line in cell)


def _room(columns):
    """Return how many characters of a line are left; below 0 if the columns are too wide."""
    return WIDTH - sum(map(_width, columns.values())) - 2 * (len(columns) - 1)


def _wrapped(cell, width):
    """Break a cell into lines, within words only where it must."""
    return textwrap.wrap(cell, width, break_on_hyphens=False) or [""]


def _broken(heading, width):
    """Break a heading behind blanks and strokes into lines of a width, or of its longest word."""
    words = heading.replace("/", "/ ")
    width = max(width, min(MINIMUM, max(map(len, words.split()))))
    return [line.replace("/ ", "/") for line in _wrapped(words, width)]


def filled(text, indent=""):
    """Break a text into lines.

    `indent`: what stands before every line but the first.

    Returns str. Lines of at most `WIDTH` characters; a word that is longer stays whole.
    """
    whole = {"break_on_hyphens": False, "break_long_words": False}
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, **whole)
