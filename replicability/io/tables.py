"""Tables: data frames of any library in memory, and files whose columns are read when needed.

`replicability.io.delimited` reads the columns of a `Table` as it reads those of a file, so that
whatever is checked of a file is checked of a data frame, with the same sentences.
"""

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.types import is_string_dtype

from replicability.checks import InputError, enumerated, refuse_odd

NEEDED = (
    "a data frame (pandas, polars, pyarrow, or any other with __arrow_c_stream__ or __dataframe__)"
)
"""What `of_frame` takes."""

Column = Callable[[], pa.ChunkedArray]
"""Function that returns the cells of a column."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of cells under a name, in memory or read when they are asked for.

    Attributes
    ----------
    name : str
        What messages call it.
    headers : tuple of str
        Headers of the columns, of which two may be the same.
    columns : tuple of callable
        What gives the cells of each column; they are not made before they are read.
    n : int
        Number of rows.
    origin : str
        File from which the rows come, for messages; "" if they come from none.
    files : dict of str to str
        System -> the file of its rows, where those of each system come from another one.
    made : frozenset of str
        Headers of columns that were added to the table, such as the places of its rows.
    place : callable or None
        From a row to where it stands, where several files are one table.
    left_out : tuple of str
        Headers of columns that were left out when the table was made.
    """

    name: str
    headers: tuple[str, ...]
    columns: tuple[Column, ...]
    n: int
    origin: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    made: frozenset[str] = frozenset()
    place: Callable[[int], str] | None = None
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def with_column(self, header: str, cells: pa.Array | pa.ChunkedArray) -> "Table":
        """Return the table with one more column."""
        array = cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
        return replace(
            self,
            headers=(*self.headers, header),
            columns=(*self.columns, _constant(array)),
            files={},
            made=self.made | {header},
        )


def file_of(table: "str | Table", system: str) -> str:
    """Return what messages call the rows of a system: the file of them, or the table."""
    return table.files.get(system, table.name) if isinstance(table, Table) else table


def origin_of(table: "str | Table") -> str:
    """Return the file of a table, "" if it has none."""
    return table.origin if isinstance(table, Table) else table


def is_frame(data: object) -> bool:
    """Tell whether `of_frame` takes an object: a data frame of any library, no array or series."""
    if isinstance(data, pd.DataFrame):
        return True
    if isinstance(data, pa.Array | pa.ChunkedArray) or hasattr(data, "dtype"):
        return False
    return hasattr(data, "__dataframe__") or hasattr(data, "__arrow_c_stream__")


def of_frame(data: object, name: str) -> Table:
    """Make a table of a data frame.

    `data`: a pandas DataFrame, whose named index levels are columns, too, as is an index of text;
    or anything with the Arrow stream or the data frame interchange protocol. It is read, not
    changed. `name`: what messages call it.

    Returns Table. At least one row.

    Raises `InputError`: if it is no data frame, has no row, or headers of several levels.
    """
    if not is_frame(data):
        lazy = ", which collect() returns" if hasattr(data, "collect") else ""
        raise InputError(f"{name} is of type {type(data).__name__}; pass {NEEDED}{lazy}.")
    if not isinstance(data, pd.DataFrame):
        table = _of_arrow(data, name)
    elif data.columns.nlevels > 1:
        raise InputError(
            f"{name} has column headers with {data.columns.nlevels} levels; give each column one "
            "name, for example with "
            'frame.columns = ["_".join(map(str, header)) for header in frame.columns].'
        )
    else:
        pairs = [
            (str(header), _of_series(name, str(header), data.iloc[:, i]))
            for i, header in enumerate(data.columns)
        ]
        known = {header for header, _ in pairs}
        for level, header in enumerate(data.index.names):
            values = data.index.get_level_values(level)
            if header is None and data.index.nlevels == 1 and is_string_dtype(values):
                header = "index"
            if header is not None and str(header) not in known:
                pairs.append((str(header), _of_series(name, str(header), values)))
        headers, columns = zip(*pairs, strict=True) if pairs else ((), ())
        refuse_odd(f"{name}: a header", headers)
        table = Table(name, headers, columns, len(data))
    if not table.n:
        raise InputError(f"{name} has no rows; pass a row for each item or dataset.")
    return table


def of_arrow(table: pa.Table, name: str, files: Mapping[str, str] | None = None) -> Table:
    """Make a table of an Arrow table; `files` as in `Table`."""
    columns = tuple(map(_constant, table.columns))
    return Table(name, tuple(table.column_names), columns, table.num_rows, files=files or {})


def of_file(
    path: str | os.PathLike[str], headers: Iterable[str], read: Callable[[str], pa.ChunkedArray]
) -> Table:
    """Make a table of a file, whose columns are read when they are asked for.

    `path`: the file, which messages name. `headers` (iterable of str): its headers. `read`: header
    -> column.
    """
    headers = tuple(headers)
    columns = tuple(functools.partial(read, header) for header in headers)
    return Table(str(path), headers, columns, len(columns[0]()), str(path))


def _of_series(name: str, header: str, series: pd.Series | pd.Index) -> Column:
    def cells() -> pa.ChunkedArray:
        try:
            array = pa.array(series, from_pandas=True)
            whole = series.dtype == object and pa.types.is_integer(array.type)
            if whole and any(isinstance(cell, bool | np.bool_) for cell in series):
                raise TypeError("truth values among numbers")
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            texts = (cell for cell in series if isinstance(cell, str))
            refuse_odd(f"{name}: a cell of the column {header!r}", texts)
            kinds = enumerated(sorted({type(cell).__name__ for cell in series}))
            raise InputError(
                f"{name}: the column {header!r} holds cells of type {kinds}, which are neither "
                "all numbers nor all text; convert them to one type, for example with "
                f"frame[{header!r}].astype(str)."
            ) from None
        if pa.types.is_dictionary(array.type) and isinstance(
            array.type.value_type, pa.BaseExtensionType
        ):
            raise InputError(
                f"{name}: the categories of the column {header!r} are values of type "
                f"{array.type.value_type}, which are neither text nor numbers; convert them "
                f"to text, for example with frame[{header!r}].astype(str)."
            )
        return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])

    return cells


def _of_arrow(data: object, name: str) -> Table:
    try:
        if hasattr(data, "__arrow_c_stream__"):
            table = pa.table(data)
        else:
            from pyarrow import interchange

            table = interchange.from_dataframe(data)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError, RuntimeError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"{name} cannot be read as a table ({reason}); pass {NEEDED}.") from None
    return of_arrow(table, name)


def _constant(column: pa.ChunkedArray) -> Column:
    return lambda: _without_views(column)


def _without_views(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return text as strings, also where it is stored as views, which few functions take."""
    kind = column.type
    if pa.types.is_string_view(kind):
        return column.cast(pa.string())
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        of = pa.dictionary(kind.index_type, pa.string())
        chunks = [
            pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.string()))
            for chunk in column.chunks
        ]
        return pa.chunked_array(chunks, of)
    return column
