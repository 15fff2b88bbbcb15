"""Measure how often tests of splits and of runs call equal systems different.

    python scripts/repeats.py --output OUT.csv [--of repeats|crossed|judged|welch] [--repetitions N]

The file has the columns of `analysis.methods.repeats.table`, of `crossed.table` for claims about
new items and new runs, of `judged.table` for a judge that people correct, or of `repeats.welch`,
which is computed without a simulation.
"""

import argparse
import sys
from pathlib import Path

from analysis.methods import crossed, judged, repeats
from replicability import checks
from replicability.io import files

SEED = 2026

SIMULATIONS = {
    "repeats": (repeats.table, 4_000),
    "crossed": (crossed.table, 1_000),
    "judged": (judged.table, 1_000),
    "welch": (lambda *_: repeats.welch(), 0),
}
"""Name of a simulation -> what makes its table, and how many studies of each cell."""


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--of", choices=SIMULATIONS, default="repeats", help="simulation")
    parser.add_argument("--repetitions", type=int, help="studies of each cell")
    options = parser.parse_args(arguments)
    table, repetitions = SIMULATIONS[options.of]
    try:
        rows = table(options.repetitions or repetitions, SEED)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
