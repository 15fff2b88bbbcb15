"""What each tagger gets right on the test part of each split, and how large parts are: files."""

import numpy as np
import pandas as pd

from replicability import checks
from replicability.checks import InputError
from replicability.io import delimited, text

STANDARD = 0
"""Number of the standard split."""

KEYS = ("dataset", "split", "instance", "unknown", "words")
"""Columns of outcomes that are not taggers."""

METRICS = ("token", "OOV", "sentence")
"""Accuracies: of words, of words unknown to the training part, of sentences without an error."""

ORACLE = "oracle ensemble"
"""Name of the ensemble that is right where any tagger is."""

PARTS = ("train", "dev", "test")
"""Parts of a split."""


def read(file):
    """Read what each tagger gets right on the test part of each split.

    `file`: CSV, TSV or Parquet table; a relative path starts at the checkout. Columns ``dataset``,
    ``split`` (0 is the standard split), ``instance`` (a sentence), ``unknown`` (whether the words
    are not among the training words), ``words`` (how many words the row stands for) and one per
    tagger (whether it is right on them), the taggers in the order in which neighbours are compared.
    Words of one sentence may be spread over rows in any way.

    Returns DataFrame. The columns of `KEYS`, ``dataset`` and ``instance`` as categories in the
    order of the file, then one column of bool per tagger.

    Raises `InputError`: if the file or a column is missing, there are fewer than two taggers, a
    cell breaks the rule of its column, or a dataset lacks the standard split or has fewer than two
    random ones.
    """
    table, place, coders = tagger_table(file, KEYS, "that says where it is right")
    if ORACLE in coders:
        raise InputError(
            f"{place}: a tagger is called {ORACLE!r}, which is the name of the ensemble of all "
            "taggers; rename the tagger."
        )
    outcomes = pd.DataFrame(
        {
            "dataset": named(file, table, "dataset"),
            "split": whole(file, table, "split", 0),
            "instance": named(file, table, "instance"),
            "unknown": truth(file, table, "unknown"),
            "words": whole(file, table, "words", 1),
            **{name: truth(file, table, name) for name in coders},
        }
    )
    for dataset, splits in outcomes.groupby("dataset")["split"]:
        found = np.unique(splits)
        if STANDARD not in found:
            raise InputError(
                f"{place}: {dataset} has no standard split; give its standard split the number "
                f"{STANDARD}."
            )
        if len(found) < 3:
            raise InputError(
                f"{place}: {dataset} has {len(found) - 1} random "
                f"split{'s' * (len(found) != 2)}; add rows for at least two, numbered from 1."
            )
    return outcomes


def tagger_table(file, keys, holding):
    """Load a table that has one column for each tagger beside those of its keys.

    `file`: CSV, TSV or Parquet table; a relative path starts at the checkout. `keys` (sequence of
    str): columns that must be there and are no tagger's. `holding`: what a tagger's column says,
    for the message.

    Returns `table` (pyarrow.Table): the columns of the file. `place` (str): how messages name the
    file. `taggers` (list of str): the other columns, in their order.

    Raises `InputError`: if the file or a key is missing, or there are fewer than two taggers.
    """
    table = delimited.columns(file, None)
    place, names = text.shown(text.existing(file)), table.schema.names
    for key in keys:
        checks.choice(f"{place}: column", key, names)
    found = [name for name in names if name not in keys]
    if len(found) < 2:
        raise InputError(
            f"{place} has {len(found)} column{'s' * (len(found) != 1)} besides {', '.join(keys)}; "
            f"add one column {holding} for each of two or more taggers."
        )
    return table, place, found


def read_sizes(file, outcomes=None):
    """Read how large the parts of each split are.

    `file`: CSV, TSV or Parquet table with the columns ``dataset``, ``split``, ``part`` (one of
    `PARTS`), ``sentences`` and ``tokens``. `outcomes`: as `read` returns it; the test parts must
    have as many words in both.

    Returns DataFrame. These columns, one row per dataset, split and part.

    Raises `InputError`: if the file or a column is missing, a cell breaks the rule of its column, a
    part is there twice or missing, or a test part has another number of words than the outcomes.
    """
    headers = ("dataset", "split", "part", "sentences", "tokens")
    table = delimited.columns(file, {header: header for header in headers})
    place = text.shown(text.existing(file))
    sizes = pd.DataFrame(
        {
            "dataset": named(file, table, "dataset"),
            "split": whole(file, table, "split", 0),
            "part": [
                checks.choice(f"{place}: part", part, PARTS) for part in table["part"].to_pylist()
            ],
            "sentences": whole(file, table, "sentences", 1),
            "tokens": whole(file, table, "tokens", 1),
        }
    )
    counts = sizes.groupby(["dataset", "split"])["part"].agg(["nunique", "size"])
    wrong = counts[(counts != len(PARTS)).any(axis=1)]
    if len(wrong):
        dataset, split = wrong.index[0]
        raise InputError(
            f"{place}: split {split} of {dataset} does not have exactly one row for each of "
            f"{', '.join(PARTS)}; correct its rows."
        )
    if outcomes is not None:
        _check_test_parts(place, sizes, outcomes)
    return sizes


def _check_test_parts(place, sizes, outcomes):
    """Refuse sizes that are not those of the outcomes."""
    tested = outcomes.groupby(["dataset", "split"], observed=True)["words"].sum()
    listed = sizes[sizes["part"] == "test"].set_index(["dataset", "split"])["tokens"]
    for (dataset, split), words in tested.items():
        tokens = listed.get((dataset, split), 0)
        if tokens != words:
            raise InputError(
                f"{place}: the test set of split {split} of {dataset} has {tokens:,} tokens, but "
                f"the outcomes have {words:,} words; make both files from the same splits."
            )


def taggers(outcomes):
    """Name the taggers of outcomes.

    `outcomes`: as `read` returns it.

    Returns list of str. The taggers, in the order of the columns.
    """
    return [name for name in outcomes if name not in KEYS]


def named(file, table, column):
    """Return a column of names as categories in the order of the file.

    `file`: the table's file, for the message. `table`: as `delimited.columns` returns it. `column`:
    one of its columns.

    Returns Categorical. The names.

    Raises `InputError`: if a cell is empty; the message names its line.
    """
    codes, names = pd.factorize(table[column].to_pandas())
    empty = (codes < 0) | np.isin(codes, np.flatnonzero(names == ""))
    if empty.any():
        raise InputError(f"{delimited.place(file, empty.argmax())}: {column} is empty; fill it in.")
    return pd.Categorical.from_codes(codes, [str(name) for name in names])


def whole(file, table, column, minimum):
    """Return a column of whole numbers that are not below a minimum.

    `minimum`: the least value.

    Returns ndarray of int64. The numbers.

    Raises `InputError`: if a cell is no such number; the message names its line.
    """
    cells = table[column].to_pandas()
    numbers = pd.to_numeric(cells, errors="coerce").to_numpy(float, na_value=np.nan)
    wrong = ~((numbers >= minimum) & (numbers == np.floor(numbers)) & np.isfinite(numbers))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{delimited.place(file, row)}: {column} is {cells[row]!r}, but must be a whole number "
            f"of at least {minimum}; correct it."
        )
    return numbers.astype(np.int64)


_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def truth(file, table, column):
    """Return a column of true and false, or of 1 and 0, as bool."""
    codes, values = pd.factorize(table[column].to_pandas())
    known = [_TRUTH.get(str(value).lower()) for value in values]
    wrong = np.isin(codes, [i for i, value in enumerate(known) if value is None]) | (codes < 0)
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{delimited.place(file, row)}: {column} is {table[column][row].as_py()!r}, but must "
            "be true or false; correct it."
        )
    return np.array(known, dtype=bool)[codes]
