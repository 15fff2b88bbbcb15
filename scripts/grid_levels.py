"""Measure how often statements about datasets by metrics, or about all pairs, are false.

    python scripts/grid_levels.py --output OUT.csv [--of grids|families] [--studies N]

The file has the columns of `analysis.methods.grid_levels.table`, or of `family_levels.table`.
"""

import argparse
import sys
from pathlib import Path

from analysis.methods import family_levels, grid_levels
from replicability import checks
from replicability.io import files

SEED = 2026

SIMULATIONS = {"grids": (grid_levels.table, 200), "families": (family_levels.table, 400)}
"""Name of a simulation -> what makes its table, and how many studies of each cell."""


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--of", choices=SIMULATIONS, default="grids", help="simulation")
    parser.add_argument("--studies", type=int, help="studies of each cell")
    options = parser.parse_args(arguments)
    table, studies = SIMULATIONS[options.of]
    try:
        rows = table(options.studies or studies, SEED).round(4)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
