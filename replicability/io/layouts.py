"""How the instances of a comparison lie in a table: by row, or by column, one part or several."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited, missing
from replicability.io.text import existing, shown


def read(comparison, headers, encoded):
    """Read the columns of a comparison.

    Parameters
    ----------
    comparison : study.Comparison
        Its file and, where the datasets of the table have parts, `by`. A table with a row for each
        system and a column for each item may be a folder with one for each dataset.
    headers : dict of str to str
        New name -> header.
    encoded : sequence of str
        New names of columns with few different values.

    Returns
    -------
    pyarrow.Table
        The columns under their new names, a row for each instance; of a table with a row for each
        system ``dataset``, ``instance``, ``system`` and ``score``.

    Raises
    ------
    InputError
        As `delimited.columns`, or if a score in a table with a row for each system is missing.
    """
    if set(headers) <= {"system", "dataset"}:
        return _turned(comparison, headers)
    if not comparison.by:
        return delimited.columns(comparison.file, headers, encoded=encoded)
    table = delimited.columns(comparison.file, headers | {"by": comparison.by}, encoded=encoded)
    for key in ("dataset", "by"):
        cells.refuse_blank(comparison.file, table[key], key)
    names = [table[key].cast(pa.string()) for key in ("dataset", "by")]
    joined = pc.binary_join_element_wise(*names, " / ")
    return table.drop_columns("by").set_column(
        table.schema.get_field_index("dataset"), "dataset", joined
    )


def _turned(comparison, headers):
    """Read tables with a row for each system, and lay them out by instance."""
    place, lenient = existing(comparison.file, folder=None), comparison.missing != missing.REFUSE
    if not place.is_dir():
        return by_instance(place, headers, comparison.name, lenient)
    if "dataset" in headers:
        raise InputError(
            f"{comparison.file} is a folder with a table for each dataset, but a column of "
            "datasets is named; leave it out, or name one file."
        )
    files = sorted(p for p in place.iterdir() if p.is_file() and not p.name.startswith("."))
    if not files:
        raise InputError(f"{comparison.file} holds no file; name a folder with one per dataset.")
    return pa.concat_tables([by_instance(path, headers, path.stem, lenient) for path in files])


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
