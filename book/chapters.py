"""Notebooks as chapters: code behind a toggle, and each item shown where a cell saves it."""

import itertools
import json
import re
from html import unescape
from pathlib import PurePosixPath

import holds
import links
import pandas as pd
import shown
from accessible import scrolling
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from analysis import items
from replicability.io.text import read_text

SAVED = re.compile(r'rep\.save\((.*?)outputs,\s*f?"([^"]+)"', re.DOTALL)
"""What saves an item in a cell: the item and the stem of its files."""

SEVERAL = re.compile(r"\.(evidence|forests)\(\),\s*$")
"""What is saved as several figures, each with the name of its comparison after the stem."""

FOLDERS = {"image/png": "figures", "text/html": "tables"}
"""What a cell shows -> the folder of what it saves."""

REMARK = re.compile(r'remarks\["\w+"\]')
"""A cell that says nothing but a remark."""

PARAMETER = re.compile(r"^(\w+): \w+ = (.*?)  # .*$", re.MULTILINE)
"""A parameter: name, value, and the help that the book leaves out."""

WIDGET = re.compile(r"[HV]Box\(")
"""How the text of a widget begins, which a page cannot move and a reader cannot use."""


def shown_study(notebook):
    """Name the study that the committed notebook shows, by default; "" if it is asked for none."""
    found = re.search(r'\\"config/(\w+)\.yaml\\"', read_text(notebook.file))
    return found[1] if found else ""


def repeats(row):
    """Say whether a row is of another study than the one that its committed notebook shows."""
    return shown_study(row.notebook) not in ("", row.study.name)


def page_of(row, file):
    """Name the page that shows an item of a row, without ending."""
    if shown.is_long(file):
        return f"lists/{PurePosixPath(file).stem}"
    if repeats(row):
        return f"{row.study.name}/{row.notebook.name}"
    return row.notebook.file.removesuffix(".ipynb")


def saved(cells, files):
    """Find the items that each cell of a notebook saves.

    `cells` (list of dict): cells, executed. One that shows neither a figure nor a table may save
    either. `files` (list of str): files of the map that the notebook shows.

    Returns list of list of str. For each cell some of `files`: each for the call whose stem says
    most of its name.
    """
    calls = []
    for place, cell in enumerate(cells):
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        within = tuple(folder for kind, folder in FOLDERS.items() if kind in kinds)
        for what, stem in SAVED.findall("".join(cell["source"])):
            several = "_*" if SEVERAL.search(what) else ""
            pattern = re.sub("{[^}]*}", "*", stem) + several + ".*"
            calls.append((len(pattern), place, within or tuple(FOLDERS.values()), pattern))
    found, left = [[] for _ in cells], list(files)
    for _, place, within, pattern in sorted(calls, key=lambda call: -call[0]):
        own = [f for f in left if f.startswith(within) and PurePosixPath(f).match(pattern)]
        found[place] += own
        left = [file for file in left if file not in own]
    return found


def code(source):
    """Write code behind a toggle, as HTML."""
    lines = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip()
    return (
        '<details class="code"><summary>Code</summary>'
        f'<div class="highlight"><pre tabindex="0">{lines}</pre></div></details>'
    )


def item(file, row, label, page, said):
    """Write an item for a page.

    `file`: one of the row's files. `row` (items.Row): the row of the map. `label`: the item's
    number. `page`: the page's name, from the top of the book. `said` (set of str): what the
    captions above it say, as for `shown.fresh`.

    Returns str. Markdown: the item, or for a long table a link to its own page.
    """
    listed, name = row.items[row.files.index(file)], shown.name_of(file)
    finding, top = holds.finding_of(listed, file, row), "../" * page.count("/")
    if shown.is_long(file) and page != page_of(row, file):
        return f"{finding} All rows: [{label}](/{page_of(row, file)}.md).\n"
    label = label.removeprefix(f"{row.notebook.part}, ")
    if file.startswith("figures/"):
        written = shown.figure(file, label, listed.caption, finding, top, said)
    else:
        pages = pages_of_pairs(row.study, listed.block.section, top) if listed.pairs else ()
        written = shown.table(file, label, finding, top, said, pages, listed.rows, listed.columns)
    return f"({name})=\n\n{shown.raw(written)}"


def pages_of_pairs(study, section, top):
    """List the pairs of systems that a section compares on their own, with their first figure.

    `study` (Study): the study. `section`: its section. `top`: the way from the page to the top of
    the book.

    Returns list of (str, str, str). A, B and the address of the figure.
    """
    found = {}
    for row in items.rows(study, [n for n in items.read_notebooks() if n.name == section]):
        drawn = [file for file in row.files if file.startswith("figures/")]
        for block, file in itertools.product(study.section(section), drawn):
            if PurePosixPath(file).stem.endswith(f"_{block.name}"):
                address = f"{top}{page_of(row, file)}.html#{shown.name_of(file)}"
                found.setdefault(tuple(map(block.called, block.systems)), address)
    return [(*pair, address) for pair, address in found.items()]


def chapter(text, name, rows, labels, targets, works):
    """Make a chapter of a notebook.

    `text`: the notebook's JSON. `name`: its file. `rows` (list of items.Row): the map of items.
    `labels` (dict of str to str): as `shown.labels` returns it. `targets` (dict of str to str):
    file or module -> target of a link. `works`: the bibliography.

    Returns str. JSON. What a cell saves stands in the place of what it displays; what no cell is
    seen to save is shown at the end.
    """
    notebook = json.loads(text)
    own = {
        f: row for row in rows if row.notebook.file == name and not repeats(row) for f in row.files
    }
    first, *rest = notebook["cells"]
    title, _, below = "".join(first["source"]).partition("\n")
    start = "\n\n".join([title, holds.box(own, labels), links.linked(below, targets, works)])
    pieces = [("text", start), *_pieces(rest, own, labels, name.removesuffix(".ipynb"))]
    cells = []
    for kind, run in itertools.groupby(pieces, key=lambda piece: piece[0]):
        values = [value for _, value in run]
        if kind == "code":
            values = [shown.raw(code("\n\n".join(values)))]
        elif kind == "prose":
            values = [links.linked(value, targets, works) for value in values]
        cells += values if kind == "output" else map(_markdown, values)
    numbered = [cell | {"id": f"cell-{number}"} for number, cell in enumerate(cells)]
    return json.dumps(notebook | {"cells": numbered})


def _pieces(cells, own, labels, page):
    """List what a chapter is made of: code, prose, outputs, and items and frames as text."""
    left, said = dict(own), set()
    for cell, found in zip(cells, saved(cells, list(own)), strict=True):
        source, outputs = "".join(cell["source"]), cell.get("outputs", [])
        if cell["cell_type"] == "markdown":
            yield "prose", source
            continue
        if REMARK.fullmatch(source.strip()) and outputs:
            yield "prose", "".join(outputs[0]["data"]["text/markdown"])
            continue
        yield "code", PARAMETER.sub(r"\1 = \2", source)
        for output in outputs:
            if WIDGET.match("".join(output.get("data", {}).get("text/plain", ""))):
                continue
            if "text/html" in output.get("data", {}) and not found:
                yield "text", shown.raw(framed("".join(output["data"]["text/html"])))
            elif not found or is_text(output):
                without = {"metadata": {"tags": ["remove-input"]}, "outputs": [output]}
                yield "output", cell | without
        for file in found:
            yield "text", item(file, left.pop(file), labels[file], page, said)
    for file, row in left.items():
        yield "text", item(file, row, labels[file], page, said)


def framed(markup):
    """Show a data frame as the tables of the book are shown; other HTML stays as it is."""
    rows = [
        [unescape(cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr\b.*?</tr>", markup, re.DOTALL)
    ]
    if 'class="dataframe"' not in markup or len({len(row) for row in rows}) != 1:
        return markup
    head, *body = rows
    return scrolling(shown.cells_of(pd.DataFrame(body, columns=head)), "Table")


def is_text(output):
    """Say whether an output is what a cell prints or says, no picture or table."""
    return not {"image/png", "text/html"} & set(output.get("data", {}))


def _markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}
