"""Put the outcomes of all corpora and splits into one table.

    python scripts/gather_splits.py config/splits.yaml WORK OUT

`WORK` has a folder ``CORPUS/SPLIT`` for each split, with ``outcomes.parquet``, ``sizes.csv`` and,
for the standard split, ``tags.parquet``; `OUT` receives ``splits.parquet``, ``splits_sizes.csv``
and ``splits_tags.parquet``.
"""

import argparse
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import command, workflow
from replicability.io import files, instances

STANDARD = 0
"""Number of the standard split."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("choices", help="YAML file of the splits")
    parser.add_argument("work", type=Path, help="folder of the parts")
    parser.add_argument("out", type=Path, help="folder to write to")
    options = parser.parse_args(arguments)
    choices = workflow.split_choices(options.choices)
    corpora = [corpus["name"] for corpus in choices["corpora"]]
    splits = range(choices["splits"] + 1)
    outcomes = gather(options.work, corpora, splits, "outcomes.parquet")
    instances.write(outcomes, options.out / "splits.parquet")
    tags = gather(options.work, corpora, [STANDARD], "tags.parquet").drop(columns="split")
    instances.write(tags, options.out / "splits_tags.parquet")
    sizes = gather(options.work, corpora, splits, "sizes.csv")
    with files.replacing(options.out / "splits_sizes.csv") as part:
        sizes.to_csv(part, index=False, lineterminator="\n")


def gather(work, corpora, splits, name):
    """Read the parts of all corpora and splits.

    `work`: folder of the parts. `corpora` (iterable of str): names of the corpora. `splits`
    (iterable of int): numbers of the splits. `name`: name of the part, a Parquet or CSV file.

    Returns DataFrame. ``dataset`` (str), ``split`` (uint8) and the columns of the parts.
    """
    tables = []
    for corpus, split in itertools.product(corpora, splits):
        file = work / corpus / str(split) / name
        table = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
        table.insert(0, "dataset", corpus)
        table.insert(1, "split", np.uint8(split))
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


if __name__ == "__main__":
    sys.exit(main())
