"""Write docs/map.md, the map of items, anew from config/items.yaml: python scripts/map_items.py"""

import itertools
import sys
from pathlib import PurePosixPath

from analysis import items, paths, workflow
from analysis.studies import read_study
from replicability import checks

PAGE = paths.ROOT / "docs/map.md"

ABOUT = """# What comes from where

Every table and figure of the compendium, the notebook that makes it and the data that this reads.
Each figure is there as SVG and PNG, each table as CSV, Markdown and LaTeX (booktabs). The printed
numbers are in `data/published/`, typed once. The code of an item is imported in the first cells of
its notebook: `replicability`, and the paper's folder in `analysis/`. What made each file
(notebook, parameters, data with SHA-256, versions) is in the folder `provenance` of its tables.
`config/items.yaml` lists every item with what it shows and says; `python scripts/map_items.py`
makes this page from it.
"""

HEAD = "| item | file | notebook | from |\n| --- | --- | --- | --- |\n"

FEW = 3
"""Files of a folder that are named; of more the folder is."""


def main():
    """Write the page; return the exit status."""
    try:
        PAGE.write_text(page(), encoding="utf-8")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def page():
    """Write the page.

    Returns
    -------
    str
        Markdown, a section for each study whose results are committed, with a table for each part.
    """
    notebooks = items.read_notebooks()
    sections = [
        section(study, items.rows(read_study(f"config/{study}.yaml"), notebooks))
        for study in items.FOLDERS
    ]
    return "\n".join([ABOUT, *sections])


def section(study, rows):
    """Write the section of a study.

    Parameters
    ----------
    study : str
        Its name.
    rows : list of items.Row
        What is made of it.

    Returns
    -------
    str
        Markdown.
    """
    parts = itertools.groupby(rows, lambda row: row.notebook.part)
    tables = [f"### {part}\n\n{HEAD}{''.join(map(line, found))}" for part, found in parts]
    return "\n".join([f"## The study `config/{study}.yaml`\n", *tables])


def line(row):
    """Write a row of a map."""
    cells = [row.title.replace("](docs/", "]("), listed(row.files), f"`{row.notebook.file}`"]
    return f"| {' | '.join([*cells, listed(few(workflow.data(row.notebook, row.study)))])} |\n"


def few(files):
    """Name folders in place of the files in them where these are many."""
    folders = itertools.groupby(files, lambda file: PurePosixPath(file).parent)
    found = [(folder, list(below)) for folder, below in folders]
    return [n for folder, all_ in found for n in (all_ if len(all_) <= FEW else [f"{folder}/"])]


def listed(names):
    """List names as code, in one line."""
    return ", ".join(f"`{name}`" for name in names) or "-"


if __name__ == "__main__":
    sys.exit(main())
