"""Write the map of items in the README anew from config/items.yaml: python scripts/map_items.py"""

import itertools
import re
import sys
from pathlib import PurePosixPath

from analysis import items, workflow
from replicability import checks
from replicability.io import paths
from replicability.io.study import read_study

README = paths.ROOT / "README.md"

HEAD = "| item | file | notebook | from |\n| --- | --- | --- | --- |\n"

FEW = 3
"""Files of a folder that are named; of more the folder is."""


def main():
    """Rewrite the README; return the exit status."""
    try:
        text = README.read_text(encoding="utf-8")
        README.write_text(written(text), encoding="utf-8")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def written(readme):
    """Put the maps into a text.

    Parameters
    ----------
    readme : str
        Text with one table below `HEAD` for each of `maps`.

    Returns
    -------
    str
        The text with these tables in place of what is there.

    Raises
    ------
    InputError
        If the text has another number of them.
    """
    parts = re.split(re.escape(HEAD) + r"(?:\|.*\n)*", readme)
    made = maps()
    if len(parts) != len(made) + 1:
        raise checks.InputError(
            f"README.md: {len(parts) - 1} tables begin with {HEAD.splitlines()[0]!r}, but there "
            f"are {len(made)} to write; give each its place."
        )
    return "".join(itertools.chain.from_iterable(zip(parts, [*made, ""], strict=True)))


def maps():
    """Write the maps: the published study, the open one, and what else is in the open one.

    Returns
    -------
    list of str
        Tables in Markdown.
    """
    notebooks = items.read_notebooks()
    paper, repeated = (
        items.rows(read_study(f"config/{study}.yaml"), notebooks) for study in items.FOLDERS
    )
    others = [row for row in repeated if not row.notebook.comparisons]
    return [
        HEAD + "".join(map(line, found))
        for found in (paper, [row for row in repeated if row not in others], others)
    ]


def line(row):
    """Write a row of a map."""
    cells = [row.title, listed(row.files), f"`{row.notebook.file}`"]
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
