"""Tables and figures as the book shows them: number, what they say, cells or picture, and files.

An item is shown once, in the chapter whose notebook saves it, as HTML that Sphinx passes on, and
its files are below the top of the book as they are in the checkout.
"""

import json
import re
from html import escape
from pathlib import PurePosixPath

import ledger
import made
import pandas as pd
import plane
from accessible import scrolling
from docutils.nodes import make_id
from mathematics import line

from analysis import items
from replicability.io import delimited
from replicability.io.text import read_text
from replicability.show import tables

KINDS = {"figures": ("figure", ("svg",)), "tables": ("table", ("csv", "tex"))}
"""Folder -> kind of item, and the endings that an item can be downloaded with."""

NAMES = {"svg": "SVG", "csv": "CSV", "tex": "LaTeX"}
"""Ending -> its name for readers."""

LONG = 100
"""Rows from which a table of verdicts has a page of its own."""

MOST, FIRST = 12, 4
"""Rows of a table that are all shown, and of a longer one those that are; its file has the rest."""

MARKED = re.compile(r"Holm|named|identified")
"""How the header of a column of marks begins; rows with a mark are shown before those without."""

TOTAL = re.compile(r"all\b|mean$|total", re.IGNORECASE)
"""How the first cell of a last row begins that sums up the others."""

LONG_CELL = 60
"""Characters above which text in a cell asks for a wide column."""

STUDIES = {"paper": "re-run", "open": "open study"}
"""Study that repeats a paper's items -> what its items are called after those of the paper."""

PLACE = re.compile(r"(?:[a-z]+_)?(table|figure|section)(\d+)(?:_(\d+))?_")
"""Stem of an item that belongs to an item of a paper."""

TITLED = re.compile(
    r"(?:(?P<work>[^,]+ \(\d{4}\)), )?(?:(?P<place>(?:Table|Figure|Section) [\d.]+)(?= \(|$))?"
)
"""Title of a row: the paper, if it is not the one that the compendium is about, and the place."""


def name_of(file):
    """Name the target that links to an item.

    `file`: such as "figures/open/table1_k_hat.svg".

    Returns str. Such as "figure-open-table1-k-hat".
    """
    folder, *parts = PurePosixPath(file).with_suffix("").parts
    return make_id("-".join([KINDS[folder][0], *parts]))


def is_long(file):
    """Say whether an item is a table of verdicts that is too long for a chapter."""
    if not file.startswith("tables/"):
        return False
    cells = delimited.read_table(file)
    return len(cells) > LONG and ledger.is_ledger(cells)


def endings(file):
    """List the endings of the files of an item; a long list of verdicts is not for typesetting."""
    return ("csv",) if is_long(file) else KINDS[file.partition("/")[0]][1]


def place_of(item):
    """Say to which item of a paper an item belongs.

    `item` (items.Item): the item.

    Returns str. Such as "Table 3" or "Section 3.4", by the item's stem, else by its title; "" if to
    none.
    """
    found = PLACE.match(item.stem)
    if not found:
        return TITLED.match(item.title)["place"] or ""
    kind, *numbers = found.groups()
    return f"{kind.capitalize()} {'.'.join(filter(None, numbers))}"


def labels(rows):
    """Give every item the number that a reader of the papers understands.

    `rows` (list of items.Row): the map of items.

    Returns dict of str to str. File -> such as "Table 3, re-run"; "Figure to Table 3, open study
    (b)" for the second one next to a table; "Table B2" for what is in no paper.
    """
    found, taken = {}, {}
    for row in rows:
        for item, file in zip(row.items, row.files, strict=True):
            kind, place = KINDS[item.kind][0].capitalize(), place_of(item)
            if not place:
                taken[kind] = taken.get(kind, 0) + 1
                found[file] = f"{kind} B{taken[kind]}"
                continue
            work = TITLED.match(item.title)["work"]
            called = place if place.startswith(kind) else f"{kind} to {place}"
            study = STUDIES.get(row.study.name, row.study.name)
            label = ", ".join(filter(None, (work, called, study)))
            taken[label] = taken.get(label, 0) + 1
            letter = f" ({chr(96 + taken[label])})" if taken[label] > 1 else ""
            found[file] = label + letter
    return found


def downloads(file, top):
    """Link to an item's files.

    `file`: the item's file in the map. `top`: the way from the page to the top of the book, such as
    "../".

    Returns str. HTML, one link for each format, and one to what made it.
    """
    path = PurePosixPath(file)
    links = [
        f'<a href="{top}{path.with_suffix("." + ending)}" download>{NAMES[ending]}</a>'
        for ending in endings(file)
    ]
    links += filter(None, [made.link(file, top)])
    return f'<span class="files">{" ".join(links)}</span>'


def captioned(label, finding, caption, file, top):
    """Write the caption of an item: its number, what it says, what it shows, and its files."""
    said = f" <strong>{line(finding)}</strong>" if finding else ""
    return (
        f'<figcaption><span class="number">{escape(label)}.</span>{said} {line(caption)} '
        f"{downloads(file, top)}</figcaption>"
    )


def figure(file, label, caption, finding, top, said):
    """Show a figure.

    `file`: an SVG file below ``figures/``. `label`: its number. `caption`, `finding`: what it shows
    and what it says, in Markdown; the finding is the alternative text. `top`: the way from the page
    to the top of the book. `said` (set of str): what the captions above it say, as for `fresh`.

    Returns str. HTML.
    """
    alt = escape(items.plain(finding or caption))
    width, height = (
        round(float(size) * 4 / 3)
        for size in re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', read_text(file)).groups()
    )
    image = (
        f'<img class="ink" src="{top}{file}" alt="{alt}" width="{width}" height="{height}" '
        'loading="lazy">'
    )
    caption = captioned(label, finding, fresh(caption, said), file, top)
    inside = scrolling(image, label)
    return f'<figure class="item" id="{name_of(file)}">{inside}{caption}</figure>'


def fresh(caption, said):
    """Leave out the sentences of a caption that the page has had.

    `caption`: what an item shows, in Markdown. `said` (set of str): the sentences of the captions
    above it, to which those of this one are added.

    Returns str. The other sentences; the first begins with a capital letter if it begins with a
    word.
    """
    sentences = re.split(r"(?<=[.”]) (?=[A-Z+])", caption)
    new = " ".join(sentence for sentence in sentences if sentence not in said)
    said.update(sentences)
    return re.sub(r"^[a-z](?=[a-z]* )", lambda letter: letter[0].upper(), new)


def table(file, label, finding, top, said, pages=(), rows=None, columns=None):
    """Show a table.

    `file`: A CSV file below ``tables/``; its caption is the last line of its Markdown file.
    `label`, `finding`, `top`, `said`: as for a `figure`. `pages` (list of (str, str, str)): of all
    pairs of systems, those that have a page of their own, as for `plane.written`. `rows` (int or
    dict of str to str): as for `chosen`; 0 for the finding alone. `columns` (list of str): which
    columns are shown, by default all.

    Returns str. HTML; cells as they stand in the file, columns of numbers to the right, columns
    that people name otherwise under that name, empty columns left out, and disputed rows first
    where there are verdicts. Of a long table it has the first rows, or the disputed ones.
    """
    name, whole = name_of(file), delimited.read_table(file)
    if rows == 0:
        return (
            f'<figure class="item" id="{name}">{captioned(label, finding, "", file, top)}</figure>'
        )
    left = f'<a href="{top}{file}" download>CSV</a>'
    if ledger.is_ledger(whole):
        cells = ledger.readable(whole)
        inside = ledger.written(without_gaps(cells), name, label)
        most = max(ledger.EACH.values())
        more = (
            f"{len(cells):,} disputed rows out of {len(whole):,} (at most {most} for each item and "
            f"verdict); download all rows: {left}"
        )
    elif plane.is_plane(whole):
        cells = whole.head(FIRST)
        behind = json.loads(read_text(PurePosixPath(file).with_suffix(".json")))
        inside = plane.written(whole, label, behind, pages, len(cells))
        more = f"Download the other {len(whole) - len(cells)} systems as a table: {left}"
    else:
        cells = chosen(whole, rows)
        inside = scrolling(cells_of(cells[columns or list(cells)]), label)
        more = f"Download the other {len(whole) - len(cells)} rows: {left}"
    caption = captioned(label, finding, fresh(caption_of(file), said), file, top)
    more = f'<p class="more">{more}</p>' if len(cells) < len(whole) else ""
    return f'<figure class="item" id="{name}">{caption}{inside}{more}</figure>'


def chosen(cells, rows):
    """Take the rows of a table that are asked for.

    `cells`: DataFrame of str. `rows` (int or dict of str to str or None): how many first rows, or
    what some columns have in them; None for those of `excerpt`.

    Returns DataFrame. The rows.
    """
    if rows is None:
        return excerpt(cells)
    if isinstance(rows, int):
        return cells.head(rows)
    return cells[(cells[list(rows)] == pd.Series(rows)).all(axis=1)]


def excerpt(cells):
    """Choose the rows of a table that the book shows.

    `cells`: DataFrame of str.

    Returns DataFrame. All rows if there are `MOST` at most. Else `FIRST` of them, in their order: a
    last row that sums up the others, then rows with marks, then the first rows of each block, so
    that each comparison or dataset of the first column has some.
    """
    if len(cells) <= MOST:
        return cells
    first = cells.iloc[:, 0]
    in_blocks = (first != "").all() and 2 * first.nunique() <= len(first)
    marked = cells[[column for column in cells if MARKED.match(column)]] != ""
    rank = cells.assign(
        total=~(first.str.match(TOTAL) & (cells.index == cells.index[-1])),
        mark=~marked.any(axis=1),
        place=first.groupby(first).cumcount() if in_blocks else 0,
    ).sort_values(["total", "mark", "place"], kind="stable")
    return cells.loc[sorted(rank.index[:FIRST])]


def cells_of(cells):
    """Write the cells of a table as HTML: numbers to the right, empty columns left out."""
    cells = without_gaps(tables.named(cells))
    sides = [side_of(cells[column]) for column in cells]
    head = "".join(
        f'<th scope="col"{side}>{escape(column)}</th>'
        for column, side in zip(cells.columns, sides, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{side}>{escape(c)}</td>" for c, side in zip(row, sides, strict=True))
        + "</tr>"
        for row in cells.itertuples(index=False, name=None)
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def without_gaps(cells):
    """Leave out the columns in which no row has anything."""
    return cells.loc[:, [(cells[column] != "").any() for column in cells]]


def side_of(column):
    """Write the class of the cells of a column: numbers, with or without errors, or long text."""
    if is_numeric(column):
        return ' class="n error"' if column.str.contains("±").any() else ' class="n"'
    return ' class="long"' if column.map(len).max() > LONG_CELL else ""


def caption_of(file):
    """Read the caption of a table, as Markdown that shows it as it is."""
    markdown = read_text(PurePosixPath(file).with_suffix(".md"))
    return literal(markdown.strip().rpartition("\n")[2])


def is_numeric(column):
    """Say whether a column of text holds numbers.

    `column` (sequence of str): cells; empty ones are passed over.

    Returns bool. Whether each of them starts as a number does and has one word at most, such as a
    unit.
    """
    filled = [cell for cell in column if cell]
    return bool(filled) and all(
        re.match(r"[<≤]?[−+-]?\.?\d", cell) and len(re.findall(r"[^\W\d_]{2,}", cell)) < 2
        for cell in filled
    )


def literal(text):
    """Escape text so that Markdown shows it as it is.

    `text`: one line.

    Returns str. With a backslash before each punctuation mark of ASCII.
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def raw(markup):
    """Return HTML as a part of a page in Markdown."""
    return f"```{{raw}} html\n{markup}\n```\n"
