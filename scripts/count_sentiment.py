"""Count what sentiment classifiers got right in every variant of a pair of domains.

    python scripts/count_sentiment.py config/outcomes.yaml FOLDER --output OUT.csv

FOLDER holds sentiment_reviews.parquet and the files of the rules sentiment_variant and
sentiment_parts. The output has one row for each variant, pair and system: ``variant`` ("all", a
name of the configuration, or "parts"), ``dataset``, ``system`` (for "parts" the part of AE-SCL-SR
that is switched off), ``texts`` (unlabelled reviews of a domain, missing where all were used),
``seed``, the number ``correct`` and of all ``reviews``.
"""

import argparse
import itertools
import sys
from pathlib import Path

import pandas as pd

from analysis import command, workflow
from replicability.io import files


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("choices", help="config/outcomes.yaml")
    parser.add_argument("folder", type=Path, help="folder of the scored reviews")
    parser.add_argument("--output", type=Path, required=True, help="CSV file to write")
    options = parser.parse_args(arguments)
    table = count(workflow.outcome_choices(options.choices), options.folder)
    with files.replacing(options.output) as part:
        table.to_csv(part, index=False, lineterminator="\n")


def count(choices, folder):
    """Count the correct labels of every variant.

    Parameters
    ----------
    choices : dict
        As `workflow.outcome_choices` returns them.
    folder : Path
        Where the scored reviews are.

    Returns
    -------
    DataFrame
        Columns variant, dataset, system, texts, seed, correct, reviews.
    """
    chosen = choices["sentiment"]
    places = {name: folder / "sentiment_variants" / name for name in chosen["variants"]}
    places["parts"] = folder / "sentiment_parts"
    tables = [pd.read_parquet(folder / "sentiment_reviews.parquet").assign(variant="all")]
    for variant, place in places.items():
        for train, test in itertools.permutations(chosen["domains"], 2):
            table = pd.read_parquet(place / f"{train}_{test}.parquet")
            tables.append(table.assign(variant=variant, dataset=f"{train} → {test}"))
    key = ["variant", "dataset", "system"]
    rows = pd.concat(tables).groupby(key, sort=False)["correct"].agg(["sum", "size"]).reset_index()
    asked = [chosen["variants"].get(variant, {}) for variant in rows["variant"]]
    rows["texts"] = pd.array([variant.get("texts") for variant in asked], dtype="Int64")
    rows["seed"] = [variant.get("seed", choices["seed"]) for variant in asked]
    rows = rows.rename(columns={"sum": "correct", "size": "reviews"})
    return rows[[*key, "texts", "seed", "correct", "reviews"]]


if __name__ == "__main__":
    sys.exit(main())
