"""Say in a few lines what a run of a study made and found."""

import sys

import pandas as pd

from analysis import paths, workflow
from analysis.studies import read_study
from replicability import checks, forensics
from replicability.core import evaluation, findings, labels
from replicability.io import delimited

SHOWN = 25
"""Differing numbers of a kind that are listed; the others are counted."""


def main(path="config/paper.yaml"):
    """Print the summary of a study; return the exit status."""
    try:
        print("\n".join(lines(read_study(path))))
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def lines(study):
    """Say what was made and found.

    Parameters
    ----------
    study : study.Study
        The study that ran.

    Returns
    -------
    list of str
        Lines for a terminal.
    """
    return [*made(study), *(published() if study.name == "paper" else sentences(study))]


def made(study):
    """Say what was made and where it lies.

    Parameters
    ----------
    study : study.Study
        The study that ran.

    Yields
    ------
    str
        Lines for a terminal.
    """
    run = f"results/{study.name}"
    figures, tables = (workflow.folder(study.name, kind) for kind in ("figures", "tables"))
    yield ""
    yield "The paper, re-run" if study.name == "paper" else f"The study {study.name}"
    yield f"  {counted(figures, 'figure')}    {figures}/   SVG and PNG"
    yield f"  {counted(tables, 'table')}    {tables}/    CSV, Markdown and LaTeX"
    yield f"  {counted(f'{run}/notebooks', 'notebook')}  {run}/notebooks/  executed"
    yield ""


def sentences(study):
    """Say what was found, by comparison and level, and what speaks for the other system.

    Parameters
    ----------
    study : study.Study
        The study that ran.

    Yields
    ------
    str
        Lines for a terminal.
    """
    for comparison in study.comparisons:
        named = labels.apply(comparison, evaluation.evaluate(comparison))
        yield from findings.sentences(*named, study.alphas)


def published():
    """Say how many published numbers, lists and directions were recomputed and which differ.

    Yields
    ------
    str
        Lines for a terminal.
    """
    table = delimited.read_table("tables/audit.csv")
    totals = forensics.totals(table).set_index("verdict")
    kinds = ", ".join(f"{number} {kind}" for kind, number in totals.sum().items())
    yield f"{table['paper'].nunique()} papers audited (tables/audit.csv): {kinds}"
    yield from (f"  {line}" for line in totals.rename_axis(None).to_string().splitlines())
    differ = forensics.disputed(table)
    for kind, name in forensics.KINDS.items():
        part = differ[differ["kind"] == kind]
        if len(part):
            yield ""
            yield f"Published {name} that do not follow, or cannot be right beside the others:"
        for row in part.head(SHOWN).itertuples():
            numbers = f"printed {row.published}, recomputed {row.recomputed}"
            yield f"  {row.paper}, {row.item}, {row.claim}: {numbers} ({row.verdict})"
        if len(part) > SHOWN:
            yield f"  and {len(part) - SHOWN} more in tables/audit.csv"


def counted(folder, item):
    """Say how many items a folder has.

    Parameters
    ----------
    folder : str
        Folder, relative to the checkout.
    item : str
        What they are, in the singular.

    Returns
    -------
    str
        Such as "1 figure" or "2 figures".
    """
    number = len(stems(folder))
    return f"{number} {item}" if number == 1 else f"{number} {item}s"


def stems(folder):
    """Return the names of the items in a folder, without their endings.

    Parameters
    ----------
    folder : str
        Folder, relative to the checkout.

    Returns
    -------
    list of str
        Sorted, each once.
    """
    path = paths.ROOT / folder
    names = pd.unique(pd.Series([f.stem for f in path.glob("[!.]*.*") if ".failed" not in f.name]))
    return sorted(names)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
