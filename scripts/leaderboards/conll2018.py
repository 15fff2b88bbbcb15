"""Lay the parsers of the CoNLL 2018 shared task side by side, sentence by sentence.

    python scripts/leaderboards/conll2018.py TREEBANK=FILE [TREEBANK=FILE ...] --output OUT.parquet

Each FILE is what `score_treebank.py` writes of one treebank. The table has a row for each sentence
of a treebank: its `dataset`, `block` (ten consecutive sentences of the file have one number) and
`instance`, its number of gold `words`, and for each system the words with the right head and
relation. Systems without outputs on all treebanks are left out.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import command
from replicability import checks
from replicability.io import instances

BLOCK = 10
"""Sentences of a block."""


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="+", metavar="TREEBANK=FILE", help="scores of a treebank")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    options = parser.parse_args(arguments)
    parts = dict(part.split("=", 1) for part in options.parts)
    table = side_by_side({name: pd.read_parquet(file) for name, file in parts.items()})
    instances.write(table, options.output)


def side_by_side(treebanks):
    """Lay the systems of all treebanks side by side.

    `treebanks`: name -> scores, as `score_treebank.score` returns them.

    Returns DataFrame. ``dataset``, ``block``, ``instance``, ``words``, and a column of whole
    numbers for each system with outputs on all treebanks, in the order of their names.

    Raises `InputError`: if no system has outputs on all treebanks.
    """
    made = []
    for name, scores in treebanks.items():
        systems = scores["system"].str.removesuffix("-18").replace("conll18-baseline", "baseline")
        wide = scores.assign(system=systems).pivot_table(
            "las", ["instance", "words"], "system", sort=False
        )
        wide = wide.reset_index()
        wide.insert(0, "dataset", name)
        wide.insert(1, "block", (np.arange(len(wide)) // BLOCK + 1).astype(np.uint16))
        made.append(wide)
    table = pd.concat(made, join="inner", ignore_index=True)
    keys = ["dataset", "block", "instance", "words"]
    systems = sorted(table.columns.drop(keys), key=str.lower)
    if not systems:
        raise checks.InputError("No system has outputs on all treebanks; leave out a treebank.")
    return table[[*keys, *systems]].astype(dict.fromkeys(systems, np.uint16))


if __name__ == "__main__":
    sys.exit(main())
