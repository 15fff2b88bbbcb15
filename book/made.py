"""How each table and figure was made: rule, notebook, data and their hashes, from its record."""

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

    Parameters
    ----------
    file : str
        A file of the item.
    top : str
        The way from the page to the top of the book.

    Returns
    -------
    str
        HTML; "" for an item without a record.
    """
    record = made_by().get(PurePosixPath(file).with_suffix("").as_posix())
    return f'<a href="{top}made.html#{anchor(record)}">how it was made</a>' if record else ""


def page():
    """Write the page.

    Returns
    -------
    str
        Markdown, a part for each record.
    """
    blocks = [
        "# How was each figure made?",
        "Each table and figure comes from one rule of the workflow, which runs one notebook on the "
        "data named here. The same data and versions give files with the same SHA-256.",
    ]
    for file, record in records().items():
        notebook = record.get("made_from", [record["notebook"]])[0]
        lines = [
            f"- rule `{PurePosixPath(file).stem}` of `{RULES}`",
            f"- notebook `{notebook}`",
            f"- record `{file}`",
            "- versions: " + ", ".join(f"{n} {v}" for n, v in record["versions"].items()),
        ]
        blocks += [
            f"({anchor(file)})=",
            f"## {PurePosixPath(file).stem.replace('_', ' ')} ({anchor(file).split('-')[1]})",
            "\n".join(lines),
            hashes("data", record["data"]),
            hashes("made", record["outputs"]),
        ]
    return "\n\n".join(blocks) + "\n"


def hashes(title, files):
    """Write files with their SHA-256, folded."""
    rows = "\n".join(f"{digest}  {file}" for file, digest in files.items())
    return (
        f"<details><summary>{title}: {len(files)} files with SHA-256</summary>\n"
        f"<pre>{rows}</pre></details>"
    )
