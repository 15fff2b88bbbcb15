"""Measure how often rules for releases block or ship, on suites of the sizes of real ones.

    python scripts/release_rules.py --output OUT.csv [--releases N]

The file has the columns of `analysis.methods.release_rules.table`.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from analysis import paths
from analysis.methods import release_rules
from replicability import checks
from replicability.io import files

SEED = 2026


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--releases", type=int, default=4_000, help="releases of each cell")
    options = parser.parse_args(arguments)
    try:
        sizes = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv")
        suites = {suite: part["items"].tolist() for suite, part in sizes.groupby("suite")}
        rows = release_rules.table(suites, options.releases, SEED)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
