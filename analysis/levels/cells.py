"""The grid: which comparisons are measured, and the files of their tallies."""

import functools
import itertools
from dataclasses import astuple, dataclass, fields

from analysis import schemas, tallies
from analysis.levels.populations import POPULATIONS
from replicability import checks

SCHEMA = "config/levels_schema.yaml"

DECLARED = {
    "nothing": {},
    "independent": {"dependence": "independent"},
    "positive": {"dependence": "positive"},
    "shared": {"shared": True},
}
"""What is said of the datasets -> arguments of the call."""


@dataclass(frozen=True)
class Cell:
    """One call whose sentences are either true or false.

    Attributes
    ----------
    population : str
        A key of `POPULATIONS`.
    claim : {"better", "better_by", "not_worse", "equivalent"}
        What is claimed, but for "better" with the margin of the population.
    systems, items, datasets : int
        Their numbers; items are those of each dataset.
    declared : str
        A key of `DECLARED`.
    n_true : int
        Datasets on which the claim is true of A; on the others it is just false: the gain is 0, or
        on the margin.
    """

    population: str
    claim: str
    systems: int
    items: int
    datasets: int
    declared: str
    n_true: int

    @property
    def name(self):
        """Name, from which its random numbers follow."""
        return "-".join(map(str, astuple(self)))

    @property
    def block(self):
        """Name of the cells that are measured by one job."""
        return f"{self.population}_{self.items}"

    @property
    def gains(self):
        """True gain of A over B on each dataset; those where the claim is true come first."""
        population = POPULATIONS[self.population]
        edge = {"better": 0, "not_worse": -population.margin}.get(self.claim, population.margin)
        beyond = 0 if self.claim == "equivalent" else edge + population.effect
        return [beyond] * self.n_true + [edge] * (self.datasets - self.n_true)

    def is_true(self, gain):
        """Tell whether the claim is true of a system with a gain over the other one."""
        margin = POPULATIONS[self.population].margin
        return {
            "better": gain > 0,
            "better_by": gain > margin,
            "not_worse": gain > -margin,
            "equivalent": abs(gain) < margin,
        }[self.claim]


KEYS = [field.name for field in fields(Cell)]
"""Columns that say which cell it is."""

SUMS = [
    *("repetitions", "refused", "warned", "false", "unwarned", "false_a", "false_b", "missed"),
    "count",
]
"""Columns of tallies: sums over repetitions, as `measure.tally` counts them."""


@dataclass(frozen=True)
class Grid:
    """What is measured.

    Attributes
    ----------
    name : str
        Name, for its folder.
    seed : int
        Entropy of all random numbers.
    close : int
        Repetitions of a cell that is close to the level, see `measure.tally`.
    repetitions : dict of Cell to int
        Cell -> repetitions, in the order of the file.
    """

    name: str
    seed: int
    close: int
    repetitions: dict

    @functools.cached_property
    def blocks(self):
        """Cells by the job that measures them, dict of str to list of Cell."""
        found = {}
        for cell in self.repetitions:
            found.setdefault(cell.block, []).append(cell)
        return found

    def asked(self, block):
        """Return what the tallies of a block follow from, as text."""
        asked = {cell.name: self.repetitions[cell] for cell in self.blocks[block]}
        return repr((self.seed, self.close, asked))


def read_grid(path="config/levels.yaml"):
    """Read what is measured.

    `path`: YAML file; a relative path starts at the checkout.

    Returns Grid. Every combination that an entry of ``grids`` lists; one that is there twice has
    the repetitions of its first entry. A single dataset depends on no other, and is measured with
    nothing declared, once.

    Raises `InputError`: if the file is missing, is not YAML, or breaks the schema.
    """
    content = schemas.load_checked(path, SCHEMA, population=POPULATIONS, declared=DECLARED)
    repetitions = {}
    for entry in content["grids"]:
        axes = [entry[key] for key in ("populations", "items", "datasets", "declared")]
        more = [entry.get(*pair) for pair in (("claims", ["better"]), ("systems", [2]))]
        for drawn in itertools.product(*axes, *more, entry.get("true_on", [0])):
            population, items, datasets, declared, claim, systems, share = drawn
            known = declared if datasets > 1 else "nothing"
            n_true = round(share * datasets)
            cell = Cell(population, claim, systems, items, datasets, known, n_true)
            repetitions.setdefault(cell, entry.get("repetitions", content["repetitions"]))
    return Grid(content["name"], content["seed"], content["close"], repetitions)


def read_tallies(*found):
    """Read tallies with the columns `KEYS` and `SUMS`; `*found` are files of `tallies.write`."""
    return tallies.read(found, (*KEYS, *SUMS))


def cells_of(tallies):
    """Return the cell of each row of tallies."""
    return [Cell(*row) for row in tallies[KEYS].itertuples(index=False)]


def in_order(grid, tallies):
    """Order tallies as the grid lists its cells.

    `grid`: what is measured. `tallies`: a row for each cell, in any order.

    Returns DataFrame. The same bytes whatever the order of the rows was.

    Raises `InputError`: if a cell is missing, there twice, or not of the grid.
    """
    places = {cell: place for place, cell in enumerate(grid.repetitions)}
    found = cells_of(tallies)
    if len(found) != len(places) or set(found) != set(places):
        raise checks.InputError(
            f"The files hold {len(found)} tallies, but the grid has {len(places)} cells; pass "
            "the file of every block once."
        )
    order = sorted(range(len(found)), key=lambda row: places[found[row]])
    return tallies.iloc[order].reset_index(drop=True)
