"""Tallies of simulations in files, which are added up wherever they come from."""

import pandas as pd

from replicability import checks
from replicability.io import files, text


def write(tallies, path):
    """Write tallies as CSV, all or nothing.

    `tallies`: a row for each cell and whatever it was measured of. `path`: the file; its folder is
    made if it is missing.
    """
    with files.replacing(path) as part:
        tallies.to_csv(part, index=False, lineterminator="\n")


def read(found, columns, whole=()):
    """Read tallies.

    `found` (sequence of str or Path): CSV files that `write` wrote. `columns` (sequence of str):
    their columns. `whole` (sequence of str): those that hold whole numbers.

    Returns DataFrame. Their rows.

    Raises `InputError`: if a file is missing or holds anything else.
    """
    tables = []
    for path in found:
        place = text.existing(path)
        try:
            table = pd.read_csv(place)
        except ValueError:  # no table at all
            table = pd.DataFrame()
        if list(table) != list(columns) or not all(
            pd.api.types.is_integer_dtype(table[name]) and (table[name] >= 0).all()
            for name in whole
        ):
            raise other(path)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def other(*found):
    """Return the error for files that do not hold such tallies."""
    files_ = ", ".join(map(text.shown, found))
    return checks.InputError(
        f"{files_} does not have tallies of cells; delete the file, and the workflow will write it "
        "again."
    )
