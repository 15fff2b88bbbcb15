"""How well each time series classifier of tsml-eval does on each resample of each dataset.

    python scripts/leaderboards/time_series.py FOLDER --output FILE

FOLDER holds a table for each classifier: a row for each dataset and a column for each resample.
Datasets on which a classifier lacks a resample are left out.
"""

import sys

import answers
import pandas as pd

from replicability import checks

FILES = "*_accuracy.csv"
"""The tables; the name of the classifier comes first."""

RESAMPLES = [str(i) for i in range(30)]
"""Headers of the resamples; 0 is the split that the archive prints."""


def outcomes(folder):
    """Lay the accuracies of all classifiers side by side.

    `folder`: the tables.

    Returns DataFrame. One row per dataset and resample: ``dataset``, ``resample`` and the accuracy
    of each classifier, in [0, 1].

    Raises `InputError`: if there are no tables, one has other resamples, a dataset twice or a cell
    that is no accuracy, or no dataset is complete.
    """
    tables = {
        path.name.removesuffix("_accuracy.csv"): _accuracies(path)
        for path in answers.found(folder, FILES)
    }
    made = pd.concat(tables, axis=1).dropna().rename_axis(index=["dataset", "resample"])
    whole = made.groupby("dataset").size() == len(RESAMPLES)
    made = made[whole[made.index.get_level_values("dataset")].to_numpy()].sort_index()
    if made.empty:
        raise checks.InputError(f"{folder}: no dataset has all resamples of every classifier.")
    return made.reset_index()


def _accuracies(path):
    """Read a table; returns a series by dataset and resample."""
    table = pd.read_csv(path, index_col=0)
    if list(table.columns) != RESAMPLES:
        raise checks.InputError(
            f"The resamples of {path} are not numbered from 0 to {len(RESAMPLES) - 1}."
        )
    answers.refuse_repeats(path, table.index)
    numbered = table.set_axis(range(len(RESAMPLES)), axis=1)
    cells = numbered.melt(ignore_index=False).set_index("variable", append=True)["value"]
    accuracies = pd.to_numeric(cells, errors="coerce")
    wrong = cells[cells.notna() & ~accuracies.between(0, 1)]
    if len(wrong):
        (dataset, resample), found = wrong.index[0], wrong.iloc[0]
        raise checks.InputError(
            f"{path}, {dataset}, resample {resample}: {str(found)!r} is not an "
            "accuracy between 0 and 1."
        )
    return accuracies


if __name__ == "__main__":
    sys.exit(answers.run(outcomes, __doc__))
