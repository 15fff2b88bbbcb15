"""Grids of simulations of datasets that share units: settings, cells and tallies in files."""

from dataclasses import dataclass

from analysis import schemas, tallies
from analysis.methods import shared_units
from replicability import checks
from replicability.io import text

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


def read_tallies(*found):
    """Read tallies of `shared_units.tally`, ordered by their cells.

    `*found`: CSV files that `tallies.write` wrote, in any order; refused if one is missing or holds
    anything else.
    """
    whole = [name for name in shared_units.COLUMNS if name not in ("correlation", "procedure")]
    rows = tallies.read(found, shared_units.COLUMNS, whole)
    known = rows["correlation"].between(0, 1) & rows["procedure"].isin(shared_units.PROCEDURES)
    if not len(rows) or not known.all():
        raise tallies.other(*found)
    order = ["n", "correlation", "n_better"]
    return rows.sort_values(order, kind="stable", ignore_index=True)
