"""Say in a few lines what a run of the published study made and which published numbers differ."""

import sys

import pandas as pd

from analysis import audit, checks, data, paths

SHOWN = 25
"""Differing numbers that are listed; the others are counted."""


def main():
    """Print the summary; return the exit status."""
    try:
        table = data.read_table("tables/audit.csv")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    for line in summary(table):
        print(line)
    return 0


def summary(table):
    """Compose the summary.

    Parameters
    ----------
    table : DataFrame of str
        As `audit.table` returns it.

    Yields
    ------
    str
        Lines for a terminal.
    """
    counted = {kind: len(stems(kind)) for kind in ("figures", "tables", "results/paper/notebooks")}
    yield ""
    yield "The paper, re-run"
    yield f"  {counted['figures']} figures    figures/   SVG and PNG"
    yield f"  {counted['tables']} tables    tables/    CSV, Markdown and LaTeX"
    yield f"  {counted['results/paper/notebooks']} notebooks  results/paper/notebooks/  executed"
    yield ""
    papers = table["paper"].nunique()
    yield f"{len(table)} published numbers of {papers} papers audited (tables/audit.csv)"
    for verdict, number in audit.totals(table).itertuples(index=False):
        yield f"  {number:3d} {verdict}"
    differ = audit.disputed(table)
    if len(differ):
        yield ""
        yield "Published numbers that do not follow, or cannot be right beside the others:"
    for row in differ.head(SHOWN).itertuples():
        numbers = f"printed {row.published}, recomputed {row.recomputed}"
        yield f"  {row.paper}, {row.item}, {row.claim}: {numbers} ({row.verdict})"
    if len(differ) > SHOWN:
        yield f"  and {len(differ) - SHOWN} more in tables/audit.csv"


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
    sys.exit(main())
