"""How each table and figure was made: its rule, notebook and record."""

import functools
import json
from pathlib import PurePosixPath

from analysis import paths
from replicability.io.text import read_text

RULES = "rules/notebooks.smk"
"""The file with the rules of notebooks; each has the name of its notebook."""


@functools.cache
def records():
    """Read the records of provenance: file, from the checkout -> content."""
    files = sorted((paths.ROOT / "tables").rglob("provenance/*.json"))
    return {file.relative_to(paths.ROOT).as_posix(): json.loads(read_text(file)) for file in files}


@functools.cache
def made_by():
    """Return what made each table and figure: file without its ending -> file of the record."""
    return {
        PurePosixPath(made).with_suffix("").as_posix(): file
        for file, record in records().items()
        for made in record["outputs"]
    }


def anchor(file):
    """Name the place of a record on the page."""
    path = PurePosixPath(file)
    study = path.parent.parent.name
    return f"made-{'paper' if study == 'tables' else study}-{path.stem}".replace("_", "-")


def link(file, top):
    """Link an item to what made it.

    `file`: a file of the item. `top`: the way from the page to the top of the book.

    Returns str. HTML; "" for an item without a record.
    """
    record = made_by().get(PurePosixPath(file).with_suffix("").as_posix())
    return f'<a href="{top}made.html#{anchor(record)}">provenance</a>' if record else ""


def page():
    """Write the page.

    Returns str. Markdown, a part for each record.
    """
    blocks = [
        "# How was each figure made?",
        f"A rule in `{RULES}` runs the notebook. The record lists the data and the results with "
        "their SHA-256 checksums, and the versions of all programs. The same data and versions "
        "give the same bytes.",
    ]
    for file, record in records().items():
        notebook = record.get("made_from", [record["notebook"]])[0]
        name = PurePosixPath(file).stem
        blocks += [
            f"({anchor(file)})=",
            f"## {name.replace('_', ' ')} ({anchor(file).split('-')[1]})",
            f'`{notebook}`, <a href="{file}" download>record</a>',
        ]
    return "\n\n".join(blocks) + "\n"
