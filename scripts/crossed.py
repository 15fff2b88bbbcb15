"""Measure sizes and powers of claims about new items and new runs.

    python scripts/crossed.py --output OUT.csv [--repetitions N]

The file has the columns of `analysis.methods.crossed.table`.
"""

import argparse
import sys
from pathlib import Path

from analysis.methods import crossed
from replicability import checks
from replicability.io import files

SEED = 2026


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--repetitions", type=int, default=1_000, help="studies of each cell")
    options = parser.parse_args(arguments)
    try:
        rows = crossed.table(options.repetitions, SEED)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
