"""Measure by simulation how often tests, rules and statements are wrong, and what they miss.

    python scripts/error_rates.py NAME --output OUT.csv [--studies N]

==========  ========================================================================================
NAME        what makes the file
==========  ========================================================================================
repeats     `analysis.methods.repeats.table`: tests of splits and of runs
crossed     `crossed.table`: claims about new items and new runs
judged      `judged.table`: a judge that people correct
welch       `repeats.welch`: Welch's test, computed without a simulation
grids       `grid_levels.table`: statements about datasets by metrics
families    `family_levels.table`: statements about all pairs
releases    `release_rules.table`: rules for releases, on suites of the sizes of real ones
margins     `margin_sizes.table`: every test with a margin, for every claim
==========  ========================================================================================
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from analysis import command, paths
from analysis.methods import (
    crossed,
    family_levels,
    grid_levels,
    judged,
    margin_sizes,
    release_rules,
    repeats,
)
from replicability.io import files

SEED = 2026


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", choices=SIMULATIONS, help="simulation")
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    parser.add_argument("--studies", type=int, help="studies of each cell")
    options = parser.parse_args(arguments)
    table, studies = SIMULATIONS[options.name]
    rows = table(options.studies or studies)
    with files.replacing(options.output) as part:
        rows.to_csv(part, index=False, lineterminator="\n")


def releases(studies):
    """Tabulate the rules for releases, on suites of the sizes of real ones."""
    sizes = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv")
    suites = {suite: part["items"].tolist() for suite, part in sizes.groupby("suite")}
    return release_rules.table(suites, studies, SEED)


def margins(studies):
    """Tabulate tests with a margin, claim by claim.

    Tango's test is computed for all datasets at once, and is given five times as many of them as
    the tests that are computed one by one.
    """
    claims = ("not_worse", "better_by", "equivalent")
    return pd.concat(
        margin_sizes.table([case], (30, 100), studies * (5 if case.test == "tango" else 1), 2017)
        for claim in claims
        for case in margin_sizes.every(claim)
    )


SIMULATIONS = {
    "repeats": (lambda studies: repeats.table(studies, SEED), 4_000),
    "crossed": (lambda studies: crossed.table(studies, SEED), 1_000),
    "judged": (lambda studies: judged.table(studies, SEED), 1_000),
    "welch": (lambda _: repeats.welch(), 0),
    "grids": (lambda studies: grid_levels.table(studies, SEED).round(4), 200),
    "families": (lambda studies: family_levels.table(studies, SEED).round(4), 400),
    "releases": (releases, 4_000),
    "margins": (margins, 2_000),
}
"""Name of a simulation -> what makes its table, and how many studies of each cell."""


if __name__ == "__main__":
    sys.exit(main())
