"""Simulate families of p-values in shards, or datasets that share units in cells; pool them.

    python scripts/simulations.py shard SETTINGS EXAMPLE NUMBER --output OUT.csv
    python scripts/simulations.py merge SETTINGS EXAMPLE SHARD.csv ... --output OUT.csv
    python scripts/simulations.py table SETTINGS EXAMPLE=FILE.csv ... --output OUT.csv
    python scripts/simulations.py cell GRID CELL --output OUT.csv
    python scripts/simulations.py grid GRID CELL.csv ... --output OUT.csv

SETTINGS is a file such as config/simulations.yaml. A shard is simulated on one core and in the
memory of one chunk of families; its file, and that of the pooled example, has the columns
``estimator``, ``k_hat`` and ``families``. The pooled file has the same bytes for any number of
shards. The table says how often each estimator exceeds the true number, beside the exact
probability where one is known. GRID is a file such as config/dependence.yaml: each cell of its grid
is simulated on its own, and the tallies of all cells have the same bytes in any order of the files.
"""

import argparse
import sys
from pathlib import Path

from analysis import command, tallies
from analysis.methods import grids, shards, shared_units
from replicability import checks


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    shard = commands.add_parser("shard", help="simulate one shard of an example")
    merge = commands.add_parser("merge", help="pool all shards of an example")
    table = commands.add_parser("table", help="tabulate the examples")
    cell = commands.add_parser("cell", help="simulate one cell of a grid")
    grid = commands.add_parser("grid", help="gather the cells of a grid")
    for added, read, run in (
        (shard, shards.read_settings, run_shard),
        (merge, shards.read_settings, run_merge),
        (table, shards.read_settings, run_table),
        (cell, grids.read_grid, run_cell),
        (grid, grids.read_grid, run_grid),
    ):
        added.add_argument("settings", help="YAML file")
        added.set_defaults(read=read, run=run)
    shard.add_argument("example", help="name of an example")
    shard.add_argument("number", type=int, help="number of the shard, from 0")
    merge.add_argument("example", help="name of an example")
    merge.add_argument("shards", nargs="+", help="files of the shards")
    table.add_argument("pooled", nargs="+", help="EXAMPLE=FILE")
    cell.add_argument("cell", help="name of a cell, such as n10_r0.5_k5")
    grid.add_argument("cells", nargs="+", help="files of the cells")
    for added in commands.choices.values():
        added.add_argument("--output", type=Path, required=True, help="CSV file to write")
    options = parser.parse_args(arguments)
    options.run(options.read(options.settings), options)


def run_shard(settings, options):
    """Simulate one shard."""
    shards.write_frequencies(settings.run(options.example, options.number), options.output)


def run_merge(settings, options):
    """Pool the shards of an example."""
    found = shards.merge(settings, options.example, options.shards)
    shards.write_frequencies(found, options.output)


def run_table(settings, options):
    """Tabulate the examples."""
    found = {}
    for argument in options.pooled:
        example, equals, file = argument.partition("=")
        if not (example and equals and file):
            raise checks.InputError(
                f"{argument!r} does not name an example and a file; write EXAMPLE=FILE."
            )
        found[example] = shards.merge(settings, example, [file])
    shards.write_table(shards.at_scale(settings, found), options.output)


def run_cell(grid, options):
    """Simulate one cell of a grid."""
    tallies.write(grid.run(options.cell), options.output)


def run_grid(grid, options):
    """Gather the cells of a grid, each once."""
    found = grids.read_tallies(*options.cells)
    if len(found) != len(grid.cells) * len(shared_units.PROCEDURES):
        raise checks.InputError(
            f"The files have {len(found)} rows, but {len(grid.cells)} cells with "
            f"{len(shared_units.PROCEDURES)} procedures are needed; pass each cell once."
        )
    tallies.write(found, options.output)


if __name__ == "__main__":
    sys.exit(main())
