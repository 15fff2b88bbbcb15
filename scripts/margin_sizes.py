"""Measure size and power of every test with a margin, for every claim.

    python scripts/margin_sizes.py --output OUT.csv [--repetitions N] [--fast N]

The file has the columns of `analysis.methods.margin_sizes.table`. Tango's test is computed for
all datasets at once, and is given more of them than the tests that are computed one by one.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from analysis.methods import margin_sizes
from replicability import checks
from replicability.io import files

CLAIMS = ("not_worse", "better_by", "equivalent")

SAMPLE_SIZES = (30, 100)
"""Instances of a dataset."""

SEED = 2017


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--repetitions", type=int, default=2_000, help="datasets of each")
    parser.add_argument("--fast", type=int, default=10_000, help="datasets for Tango's test")
    options = parser.parse_args(arguments)
    try:
        rows = measured(options.repetitions, options.fast)
        with files.replacing(options.output) as part:
            rows.to_csv(part, index=False, lineterminator="\n")
    except checks.InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def measured(n_repetitions, n_fast):
    """Tabulate all tests and claims, a row for each and each sample size.

    `n_repetitions`: datasets for a test that is computed one by one. `n_fast`: datasets for Tango's
    test.

    Returns DataFrame. As `margin_sizes.table` returns it, claim by claim.
    """
    cases = [case for claim in CLAIMS for case in margin_sizes.every(claim)]
    return pd.concat(
        margin_sizes.table(
            [case], SAMPLE_SIZES, n_fast if case.test == "tango" else n_repetitions, SEED
        )
        for case in cases
    )


if __name__ == "__main__":
    sys.exit(main())
