"""Printed numbers and remarks."""

import re
from collections import defaultdict

from replicability import checks
from replicability.io import paths
from replicability.io.delimited import read_table
from replicability.io.text import read_text


def read_published(paper, item):
    """Read an item of a paper as it is printed.

    Parameters
    ----------
    paper : str
        Folder of ``data/published``, such as "dror2017".
    item : str
        File in it without its ending, such as "table3".

    Returns
    -------
    DataFrame of str
        The cells as printed, so that their digits are their precision.

    Raises
    ------
    InputError
        If there is no such paper or item; the message names the nearest.
    """
    checks.choice("paper", paper, sorted(p.name for p in paths.PUBLISHED.iterdir() if p.is_dir()))
    folder = paths.PUBLISHED / paper
    checks.choice(f"item of {paper}", item, sorted(path.stem for path in folder.glob("*.csv")))
    return read_table(folder / f"{item}.csv")


def read_remarks(study, section):
    """Read what is said about a section of a study.

    Parameters
    ----------
    study : Study
        Its `remarks` name the folder.
    section : str
        Name of a notebook; the file is ``<section>.md``, a block under each heading of level 2.

    Returns
    -------
    dict of str to Prose
        Heading in lower case -> text; "" for a heading that the file lacks, and for every heading
        if the study has no remarks.
    """
    blocks = defaultdict(Prose)
    if study.remarks:
        text = read_text(f"{study.remarks}/{section}.md")
        for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            heading, _, body = block.partition("\n")
            blocks[heading.strip().lower()] = Prose(body.strip())
    return blocks


class Prose(str):
    """Text in Markdown, which a notebook shows as such."""

    __slots__ = ()

    def _repr_markdown_(self):
        return str(self)
