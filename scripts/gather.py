"""Put the outcomes of several datasets into one table.

    python scripts/gather.py --output OUT.parquet DATASET=FILE.parquet ...

The table has the column ``dataset`` before those of the files, rows in the order of the command;
files of one dataset may follow each other.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from analysis import command
from replicability import checks
from replicability.io import instances


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="+", help="DATASET=FILE")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    instances.write(gather(options.parts), options.output)


def gather(parts):
    """Read the parts and name the dataset of each.

    `parts` (sequence of str): ``DATASET=FILE``.

    Returns DataFrame. ``dataset`` and the columns that all files have.

    Raises `InputError`: if a part has no name, or a file other columns than the first.
    """
    tables = []
    for part in parts:
        dataset, equals, file = part.partition("=")
        if not (dataset and equals and file):
            raise checks.InputError(
                f"{part!r} does not name a dataset and a file; write DATASET=FILE.parquet."
            )
        table = pd.read_parquet(file)
        if tables and list(table.columns) != list(tables[0].columns[1:]):
            raise checks.InputError(
                f"{file} has the columns {', '.join(table.columns)}, but the first file has "
                f"{', '.join(tables[0].columns[1:])}; make both files again."
            )
        table.insert(0, "dataset", dataset)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


if __name__ == "__main__":
    sys.exit(main())
