"""Say in a few lines what a run of a study made and found."""

import sys
import textwrap

import pandas as pd

from analysis import command, paths, workflow
from analysis.studies import read_study
from replicability import forensics
from replicability.core import evaluation, findings, labels
from replicability.io import delimited

SHOWN = 25
"""Disputed claims that are listed."""

SEVERAL = 3
"""Comparisons that get one table in place of sentences."""

NAMES, WHERE = 36, 45
"""Characters of the first columns, which keep the tables within 80."""


@command.status
def main(path="config/paper.yaml"):
    """Print the summary of a study; return the exit status."""
    print("\n".join(lines(read_study(path))))


def lines(study):
    """Say in lines of a terminal what was made and found."""
    return [
        *made(study),
        *(published() if study.name == "paper" else ()),
        *(sentences(study) if len(study.comparisons) < SEVERAL else compared(study)),
    ]


def made(study):
    """Yield what was made and where it is."""
    run = f"results/{study.name}"
    figures, tables = (workflow.folder(study.name, kind) for kind in ("figures", "tables"))
    yield ""
    yield "The paper, re-run" if study.name == "paper" else f"The study {study.name}"
    yield f"  {counted(figures, 'figure')}    {figures}/   SVG and PNG"
    yield f"  {counted(tables, 'table')}    {tables}/    CSV, Markdown and LaTeX"
    yield f"  {counted(f'{run}/notebooks', 'notebook')}  {run}/notebooks/  executed"
    yield ""


def sentences(study):
    """Yield what was found, by comparison and level, in sentences to paste."""
    for comparison in study.comparisons:
        named = labels.apply(comparison, evaluation.evaluate(comparison))
        yield from findings.sentences(*named, study.alphas)


def compared(study):
    """Yield a table: on how many datasets each system is better, at each confidence."""
    confidences = [f"{1 - alpha:.0%}" for alpha in study.alphas]
    rows = []
    for comparison in study.comparisons:
        named, table = labels.apply(comparison, evaluation.evaluate(comparison))
        found = [findings.find(named, table, alpha) for alpha in study.alphas]
        title = f"{named.systems[0]} against {named.systems[1]}"
        rows.append([textwrap.shorten(title, NAMES), len(table), *map(bounds, found)])
    yield "Lower bounds: datasets on which the first system is better, then the second"
    yield from grid(["comparison", "datasets", *confidences], rows)
    yield "A dash means that this direction was not tested."


def bounds(finding):
    """Write the bounds of both systems, or of "differ" where p-values contradict the scores."""
    if finding.contradicted:
        return f"differ: {min(of.differ for of in finding.doubtful[2].bounds.values())}"
    return f"{finding.k}, {finding.other.k if finding.other else '-'}"


def grid(heads, rows):
    """Yield the lines of a table, numbers to the right of the first column."""
    cells = [[str(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        ends = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join(["", first.ljust(widths[0]), *ends]).rstrip()


def published():
    """Yield how many published claims hold, and a table of those that do not."""
    table = delimited.read_table("tables/audit.csv")
    totals = forensics.totals(table).set_index("verdict")
    kinds = ", ".join(f"{number} {kind}" for kind, number in totals.sum().items())
    yield f"{table['paper'].nunique()} papers audited (tables/audit.csv): {kinds}"
    yield from (f"  {line}" for line in totals.rename_axis(None).to_string().splitlines())
    differ = forensics.disputed(table)
    yield ""
    yield "Printed values that are contradicted or impossible:"
    rows = []
    for row in differ.head(SHOWN).itertuples():
        rows += [] if [row.paper, "", ""] in rows else [[row.paper, "", ""]]
        where = f"  {row.item}, {row.claim}".replace("Section ", "§")
        rows.append([where[:WHERE], row.published, row.recomputed])
    yield from grid(["where", "printed", "recomputed"], rows)
    if len(differ) > SHOWN:
        yield f"  and {len(differ) - SHOWN} more in tables/audit.csv"
    yield ""


def counted(folder, item):
    """Say how many items a folder has, such as "1 figure" or "2 figures"."""
    number = len(stems(folder))
    return f"{number} {item}" if number == 1 else f"{number} {item}s"


def stems(folder):
    """Return the names of the items in a folder, each once."""
    path = paths.ROOT / folder
    names = pd.unique(pd.Series([f.stem for f in path.glob("[!.]*.*") if ".failed" not in f.name]))
    return sorted(names)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
