"""Write docs/map.md, the map of items, from config/items.yaml: python scripts/map_items.py"""

import itertools
import sys
from pathlib import PurePosixPath

from analysis import command, items, paths, workflow
from analysis.studies import read_study

PAGE = paths.ROOT / "docs/map.md"

ABOUT = """# Which notebook and data produce each result?

Each row lists a table or figure, the notebook that makes it, and the data that the notebook reads.
Figures are saved as SVG and PNG, and tables as CSV, Markdown and LaTeX (with booktabs). The printed
numbers of the papers are in `data/published/`. The folder `provenance` next to the tables records
how each file was made: the notebook, its parameters, the data with checksums, and package versions.
To rewrite this page, run `python scripts/map_items.py`.
"""

HEAD = "| table or figure | files | notebook | data |\n| --- | --- | --- | --- |\n"

FEW = 3
"""Name at most this many files of a folder; if there are more, name the folder."""


@command.status
def main():
    """Write the page; return the exit status."""
    PAGE.write_text(page(), encoding="utf-8")


def page():
    """Write the page.

    Returns str. Markdown: a section for each study with committed results, and in it a table for
    each part.
    """
    notebooks = items.read_notebooks()
    sections = [
        section(study, items.rows(read_study(f"config/{study}.yaml"), notebooks))
        for study in items.FOLDERS
    ]
    return "\n".join([ABOUT, *sections])


def section(study, rows):
    """Write the section of a study.

    `study`: its name. `rows` (list of items.Row): what is made of it.

    Returns str. Markdown.
    """
    parts = itertools.groupby(rows, lambda row: row.notebook.part)
    tables = [f"### {part}\n\n{HEAD}{''.join(map(line, found))}" for part, found in parts]
    return "\n".join([f"## The study `config/{study}.yaml`\n", *tables])


def line(row):
    """Write a row of a map."""
    cells = [row.title.replace("](docs/", "]("), listed(row.files), f"`{row.notebook.file}`"]
    return f"| {' | '.join([*cells, listed(few(workflow.data(row.notebook, row.study)))])} |\n"


def few(files):
    """Name a folder instead of its files if there are many."""
    folders = itertools.groupby(files, lambda file: PurePosixPath(file).parent)
    found = [(folder, list(below)) for folder, below in folders]
    return [n for folder, all_ in found for n in (all_ if len(all_) <= FEW else [f"{folder}/"])]


def listed(names):
    """List names as code, in one line."""
    return ", ".join(f"`{name}`" for name in names) or "-"


if __name__ == "__main__":
    sys.exit(main())
