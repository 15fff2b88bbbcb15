"""Measure how often the default call says something false; gather and judge what was measured.

    python scripts/levels.py block GRID BLOCK --output OUT.csv
    python scripts/levels.py gather GRID BLOCK.csv ... --output OUT.csv
    python scripts/levels.py judge TALLIES.csv

GRID is a file such as config/levels.yaml. A block is the cells of one population and number of
items, measured one after the other; the gathered file has the same bytes in any order of the
blocks. `judge` prints, as Markdown, the worst cell of each population and number of items, and
every cell that does not hold the level.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from analysis import command, tallies
from analysis.levels import cells, judge, measure
from replicability import checks


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    block = commands.add_parser("block", help="measure the cells of one block")
    gather = commands.add_parser("gather", help="gather the tallies of all blocks")
    for added, run in ((block, run_block), (gather, run_gather)):
        added.add_argument("grid", help="YAML file")
        added.add_argument("--output", type=Path, required=True, help="CSV file to write")
        added.set_defaults(run=run)
    block.add_argument("block", help="name of a block, such as binary_40")
    gather.add_argument("blocks", nargs="+", help="files of the blocks")
    judging = commands.add_parser("judge", help="say which cells hold the level")
    judging.add_argument("tallies", help="gathered file")
    judging.set_defaults(run=run_judge)
    options = parser.parse_args(arguments)
    options.run(options)


def run_block(options):
    """Measure the cells of one block."""
    grid = cells.read_grid(options.grid)
    chosen = grid.blocks[checks.choice("block", options.block, grid.blocks)]
    found = [measure.tally(cell, grid.repetitions[cell], grid.close, grid.seed) for cell in chosen]
    tallies.write(pd.DataFrame(found), options.output)


def run_gather(options):
    """Gather the tallies of all blocks, each once."""
    grid = cells.read_grid(options.grid)
    found = cells.in_order(grid, cells.read_tallies(*options.blocks))
    tallies.write(found, options.output)


def run_judge(options):
    """Print what holds and what does not."""
    found = judge.judged(cells.read_tallies(options.tallies))
    table = judge.worst(found).reset_index()
    print(table.to_markdown(index=False, disable_numparse=True), end="\n\n")
    rest = found[found["verdict"] != judge.HOLDS].sort_values("false", ascending=False)
    print(rest.round(3).to_markdown(index=False, disable_numparse=True))


if __name__ == "__main__":
    sys.exit(main())
