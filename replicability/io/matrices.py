"""Tables with a row for each system and a column for each item, laid out by instance."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited
from replicability.io.text import shown


def by_instance(path, headers, name, lenient=False):
    """Lay out a table with a row for each system by instance.

    Parameters
    ----------
    path : str or Path
        The table.
    headers : dict of str to str
        "system" and, if the table has several datasets, "dataset" -> header.
    name : str
        Name of the dataset of a table without such a column.
    lenient : bool, default False
        Whether a cell may be empty without a column of datasets.

    Returns
    -------
    pyarrow.Table
        As `read` returns it.

    Raises
    ------
    InputError
        If there is no item, a cell is empty or no number, or a system has two rows.
    """
    known = delimited.read_headers(path)
    places = delimited.positions(path, known, headers)
    items = [header for i, header in enumerate(known) if i not in places.values()]
    aggregates.refuse_headers(path, items)
    if not items:
        raise InputError(
            f"{shown(path)} has no column beside {', '.join(headers.values())}; a table with a row "
            "for each system has one for each item."
        )
    table = delimited.columns(path, {header: header for header in known})
    system = table[known[places["system"]]]
    cells.refuse_blank(path, system, "system")
    datasets = pa.chunked_array([[name] * table.num_rows])
    if "dataset" in places:
        datasets = table[known[places["dataset"]]]
        cells.refuse_blank(path, datasets, "dataset")
    datasets, system = (_words(column) for column in (datasets, system))
    _refuse_twice(path, datasets, system)
    may_lack = lenient or "dataset" in places
    scores = np.column_stack([_scores(path, table[i], i, may_lack) for i in items])
    here = ~np.isnan(scores)
    if lenient:
        for dataset in set(datasets):
            here[datasets == dataset] = here[datasets == dataset].any(axis=0)
    rows, columns = np.nonzero(here | (lenient and "dataset" not in places))
    return pa.table(
        {
            "dataset": pa.array(datasets[rows], pa.string()),
            "instance": pa.array(np.array(items, object)[columns], pa.string()),
            "system": pa.array(system[rows], pa.string()),
            "score": pa.array(scores[rows, columns], from_pandas=True),
        }
    )


def _words(column):
    return np.array(column.cast(pa.string()).to_pylist(), object)


def _refuse_twice(path, datasets, systems):
    """Refuse two rows of one system, in one dataset."""
    seen = set()
    for row, key in enumerate(zip(datasets, systems, strict=True)):
        if key in seen:
            raise InputError(
                f"{delimited.place(path, row)}: {key[1]!r} has a second row for {key[0]!r}, but "
                "each system has one; keep one of them, or name the column of the datasets."
            )
        seen.add(key)


def _scores(path, column, item, may_lack):
    """Return the scores of an item; NaN where it is of another dataset and the cell is empty."""
    blank = column.is_null()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        blank = pc.fill_null(pc.equal(column, ""), True)
    blank = blank.to_numpy()
    rows = np.flatnonzero(~blank) if may_lack else np.arange(len(column))
    found = np.full(len(column), np.nan)
    name = f"score of item {item!r}"
    found[rows] = cells.numbers(path, column.take(pa.array(rows)), name, rows)
    return found
