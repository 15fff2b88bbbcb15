"""Tables of one p-value per dataset."""

import itertools
import unicodedata

import numpy as np
import pandas as pd

from replicability import checks
from replicability.checks import InputError
from replicability.io.delimited import _printed, columns, place, positions, read_headers, remedy
from replicability.io.study import _NAMED
from replicability.io.text import _to_number, existing


def read_comparison(comparison):
    """Read and check the table of p-values of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Where the table lies and what its columns are called.

    Returns
    -------
    DataFrame
        One row per dataset, in the order of the file: ``dataset`` (str), ``p_value`` (float, in
        [0, 1], raised to the comparison's resolution) and, if the comparison has scores,
        ``score_a`` and ``score_b`` (float).

    Raises
    ------
    InputError
        If the file or a column is missing, a dataset has no name or the name of another, a p-value
        is not a number in [0, 1], or a score is not a finite number. The message names file, line,
        column, value and rule.

    Notes
    -----
    Without a column of datasets they get the names of `numbered`; a study always names it.
    """
    import pandera.pandas as pandera  # half a second that only reading needs

    printed = read_printed(comparison)
    headers = {
        name: comparison.columns[name]
        for name in ("dataset", "p_value")
        if name in comparison.columns
    }
    rules = {"dataset": _NAMED, "p_value": _PROBABILITY}
    for system, header in zip("ab", comparison.columns.get("scores", ()), strict=False):
        headers[f"score_{system}"] = header
        rules[f"score_{system}"] = _FINITE
    frame = pd.DataFrame({name: printed[header] for name, header in headers.items()})
    if "dataset" not in headers:
        frame.insert(0, "dataset", numbered(len(frame)))
    schema = pandera.DataFrameSchema(
        {
            name: pandera.Column(str, pandera.Check(test, error=rule))
            for name, (test, rule) in rules.items()
        },
        checks=pandera.Check(
            lambda table: ~table["dataset"].duplicated(), error="every dataset has its own row"
        ),
    )
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        raise InputError(_table_sentence(comparison, headers, frame, errors)) from None
    numbers = frame.columns.drop("dataset")
    frame[numbers] = frame[numbers].apply(pd.to_numeric)
    frame["p_value"] = np.maximum(frame["p_value"], comparison.resolution)
    refuse_alike(comparison.file, frame["dataset"])
    return chosen(comparison, frame)


def numbered(n):
    """Name datasets that have no names.

    Parameters
    ----------
    n : int
        How many there are.

    Returns
    -------
    list of str
        "dataset 1" to "dataset n".
    """
    return [f"dataset {number}" for number in range(1, n + 1)]


def read_printed(comparison):
    """Read the columns of a table of p-values as they are printed.

    Parameters
    ----------
    comparison : Comparison
        Where the table lies, CSV, TSV or Parquet, and what its columns are called.

    Returns
    -------
    DataFrame of str
        The columns of datasets and of scores, if there are any, and of p-values, under the names
        that the comparison gives them.

    Raises
    ------
    InputError
        As `columns`, or if a column of Parquet holds lists, structures or bytes.
    """
    names = comparison.columns
    dataset = [names["dataset"]] if "dataset" in names else []
    wanted = (*dataset, *names.get("scores", ()), names["p_value"])
    table = columns(comparison.file, {header: header for header in wanted})
    return pd.DataFrame(
        {name: _printed(comparison.file, name, table[name]).to_pandas() for name in wanted}
    ).astype(str)


def check_comparison(comparison):
    """Check what can be checked at once of a comparison's file, before anything runs.

    Parameters
    ----------
    comparison : Comparison
        A table of p-values is read; of a table of instances only the header is, and other files
        or folders are looked for.

    Raises
    ------
    InputError
        As `read_comparison`, or if a file or a column is missing.
    """
    if comparison.level == "p-values":
        read_comparison(comparison)
    elif comparison.format == "table":
        named = (np.atleast_1d(headers).tolist() for headers in comparison.columns.values())
        headers = {header: header for header in itertools.chain(*named)}
        positions(existing(comparison.file), read_headers(comparison.file), headers)
    else:
        for path in comparison.files.values():
            existing(path, folder=None)


def chosen(comparison, table, column="dataset"):
    """Return the rows of the datasets that a comparison names.

    Parameters
    ----------
    comparison : Comparison
        Its `datasets`; if it names none, all are returned.
    table : DataFrame
        Any table of the comparison's file.
    column : str, default "dataset"
        Column of the datasets.

    Returns
    -------
    DataFrame
        Rows of `table`, their index made anew if some were left out.

    Raises
    ------
    InputError
        If the table lacks a dataset; the message names the nearest.
    """
    if not comparison.datasets:
        return table
    known = pd.unique(table[column]).tolist()
    for dataset in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", dataset, known)
    return table[table[column].isin(comparison.datasets)].reset_index(drop=True)


def refuse_alike(place, datasets):
    """Refuse datasets whose names look alike: they differ in case, blanks or encoding only.

    Parameters
    ----------
    place : str
        File, for the message.
    datasets : iterable of str
        Different names.

    Raises
    ------
    InputError
        If two are alike.
    """
    known = {}
    for name in datasets:
        key = "".join(_visible(name).casefold().split())
        other = known.setdefault(key, name)
        if other != name:
            hidden = _visible(other) == _visible(name)
            how = (
                "in invisible characters or the encoding of letters"
                if hidden
                else ("in case or blanks")
            )
            one, two = map(ascii if hidden else repr, (other, name))
            raise InputError(
                f"{place}: the datasets {one} and {two} differ {how} only; write the name of one "
                "dataset alike, or give two datasets different names."
            )


def _visible(name):
    """Return a name with each letter in one encoding, and without characters of no width."""
    if name.isascii():
        return name
    letters = unicodedata.normalize("NFC", name)
    return "".join(letter for letter in letters if unicodedata.category(letter) != "Cf")


_PROBABILITY = (
    lambda column: _to_number(column).between(0, 1),
    "a p-value is a number in [0, 1] (leave out the row of a dataset that has none)",
)
_FINITE = (
    lambda column: np.isfinite(_to_number(column)),
    "a score is a finite number",
)


def _table_sentence(comparison, headers, frame, errors):
    """Say the first fault of a table in one sentence; line 1 of the file is its header."""
    case = errors.failure_cases.sort_values("index", kind="stable").iloc[0]
    row = int(case["index"])
    if case["column"] in headers:
        value = frame.loc[row, case["column"]]
        header = headers[case["column"]]
    else:
        value, header = frame.loc[row, "dataset"], headers["dataset"]
    faults = len(errors.failure_cases.drop_duplicates(["index", "check"]))
    more = f" ({faults} faults in all)" if faults > 1 else ""
    hint = "" if case["column"] in (None, "dataset") else remedy(value, "")
    return (
        f"{place(comparison.file, row)}, column {header!r}: the value is {value!r}, "
        f"but {case['check']}{'; ' * bool(hint)}{hint}{more}."
    )
