"""Measure how often statements about datasets by metrics are false.

    python scripts/grid_levels.py --output OUT.csv [--studies N]

The file has the columns of `analysis.methods.grid_levels.table`.
"""

import argparse
import sys
from pathlib import Path

from analysis.methods import grid_levels
from replicability import checks
from replicability.io import files

SEED = 2026


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--studies", type=int, default=200, help="studies of each cell")
    options = parser.parse_args(arguments)
    try:
        rows = grid_levels.table(options.studies, SEED).round(4)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
