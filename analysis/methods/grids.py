"""Grids of simulations of datasets that share units: settings, cells and tallies in files."""

from dataclasses import dataclass

import pandas as pd

from analysis import schemas
from analysis.methods import shared_units
from replicability import checks
from replicability.io import delimited, files, text

SCHEMA = "config/dependence_schema.yaml"


@dataclass(frozen=True)
class Grid:
    """What is simulated.

    Attributes
    ----------
    name : str
        Name, for its folder.
    cells : dict of str to shared_units.Cell
        Name -> cell.
    repetitions : dict of str to int
        Name -> repetitions of the cell.
    seed, alpha, n_flips
        As `shared_units.tally` takes them.
    """

    name: str
    cells: dict
    repetitions: dict
    seed: int
    alpha: float
    n_flips: int

    def run(self, cell):
        """Simulate one cell.

        Returns DataFrame. As `shared_units.tally`.

        Raises `InputError`: if there is no such cell.
        """
        checks.choice("cell", cell, self.cells)
        return shared_units.tally(
            self.cells[cell], self.repetitions[cell], self.seed, self.alpha, self.n_flips
        )


def read_grid(path):
    """Read what is simulated.

    `path`: YAML file such as ``config/dependence.yaml``; a relative path starts at the checkout.

    Returns Grid. Checked.

    Raises `InputError`: if the file is missing, is not YAML, or breaks the schema, or a share of a
    number of datasets is no whole number.
    """
    content = schemas.load_checked(path, SCHEMA)
    axes = [content[key] for key in ("sizes", "correlations", "shares")]
    try:
        cells = shared_units.grid(*axes, content["n_units"], content["effect"])
    except checks.InputError as error:
        raise checks.InputError(f"{text.shown(path)}: {error}") from None
    every, large = content["repetitions"], content.get("large", {})
    few, start = large.get("repetitions", every), large.get("from", 0)
    repetitions = {cell.name: few if cell.n >= start else every for cell in cells}
    rest = (content[key] for key in ("seed", "alpha", "n_flips"))
    return Grid(content["name"], {cell.name: cell for cell in cells}, repetitions, *rest)


def write_tallies(tallies, path):
    """Write tallies as CSV, all or nothing.

    `tallies`: rows of `shared_units.tally`. `path`: the file; its folder is made if it is missing.
    """
    with files.replacing(path) as part:
        tallies.to_csv(part, index=False, lineterminator="\n")


def read_tallies(*found):
    """Read tallies.

    `*found`: CSV files that `write_tallies` wrote.

    Returns DataFrame. Their rows, by number of datasets, correlation and number of datasets on
    which A is better, whatever the order of the files.

    Raises `InputError`: if a file is missing or holds anything else.
    """
    tables = [_read(path) for path in found]
    order = ["n", "correlation", "n_better"]
    return pd.concat(tables).sort_values(order, kind="stable", ignore_index=True)


def _read(path):
    """Read the tallies of one file."""
    table = delimited.read_table(path)
    whole = [name for name in shared_units.COLUMNS if name not in ("correlation", "procedure")]
    fault = checks.InputError(
        f"{text.shown(path)} does not hold tallies of a grid; delete it, so that it is made anew."
    )
    if tuple(table.columns) != shared_units.COLUMNS or not len(table):
        raise fault
    for name in whole:
        if not table[name].str.fullmatch(r"\d{1,18}").all():
            raise fault
    numbers = table.astype(dict.fromkeys(whole, "int64"))
    numbers["correlation"] = pd.to_numeric(table["correlation"], errors="coerce")
    if not numbers["correlation"].between(0, 1).all() or not set(numbers["procedure"]) <= set(
        shared_units.PROCEDURES
    ):
        raise fault
    return numbers
