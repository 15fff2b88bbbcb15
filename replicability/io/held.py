"""Tables in memory: data frames of any library, under a name that stands where a file's does.

`replicability.io.delimited` reads the columns of a `Held` table as it reads those of a file, so
that whatever is checked of a file is checked of a data frame, with the same sentences.
"""

import os
from collections.abc import Callable, Iterable, Mapping

import pandas as pd
import pyarrow as pa

from replicability.checks import InputError

NEEDED = (
    "a data frame (pandas, polars, pyarrow, or any other with __arrow_c_stream__ or __dataframe__)"
)
"""What `hold` takes."""

Column = Callable[[], pa.ChunkedArray]
"""What gives the cells of a column."""


class Held(str):
    """The name of a table in memory, with its columns.

    Attributes
    ----------
    headers : tuple of str
        Headers of the columns, of which two may be the same.
    columns : tuple of callable
        What gives the cells of each column; they are not made before they are read.
    origin : str
        File from which the rows come, for messages; "" if they come from none.
    n : int
        Number of rows.
    files : dict of str to str
        System -> the file of its rows, where those of each system come from another one.
    made : frozenset of str
        Headers of columns that were added to the table, such as the places of its rows.
    """

    headers: tuple[str, ...]
    columns: tuple[Column, ...]
    origin: str
    n: int
    files: Mapping[str, str]
    made: frozenset[str]

    def __new__(
        cls,
        name: str,
        columns: Iterable[tuple[str, Column]],
        n: int,
        origin: str = "",
        files: Mapping[str, str] | None = None,
        made: Iterable[str] = (),
    ) -> "Held":
        """Name a table."""
        held = super().__new__(cls, name)
        pairs = tuple(columns)
        held.headers = tuple(header for header, _ in pairs)
        held.columns = tuple(column for _, column in pairs)
        held.n, held.origin, held.files, held.made = n, origin, files or {}, frozenset(made)
        return held

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name and the number of rows; the cells stay with whoever passed them."""
        return Held, (str(self), (), self.n, self.origin)

    def with_column(self, header: str, cells: pa.Array | pa.ChunkedArray) -> "Held":
        """Return the table with one more column."""
        array = cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
        pairs = [*zip(self.headers, self.columns, strict=True), (header, _constant(array))]
        return Held(str(self), pairs, self.n, self.origin, made={*self.made, header})

    def released(self) -> "Held":
        """Return the name without the cells."""
        return Held(str(self), (), self.n, self.origin, self.files)


def file_of(table: str, system: str) -> str:
    """Return what messages call the rows of a system: the file of them, or the table."""
    return table.files.get(system, str(table)) if isinstance(table, Held) else table


def is_frame(data: object) -> bool:
    """Tell whether `hold` takes an object: a data frame of any library, no array or series."""
    if isinstance(data, pd.DataFrame):
        return True
    if isinstance(data, pa.Array | pa.ChunkedArray) or hasattr(data, "dtype"):
        return False
    return hasattr(data, "__dataframe__") or hasattr(data, "__arrow_c_stream__")


def hold(data: object, name: str) -> Held:
    """Hold a data frame.

    Parameters
    ----------
    data : object
        A pandas DataFrame, whose named index levels are columns, too, or anything with the Arrow
        stream or the data frame interchange protocol. It is read, not changed.
    name : str
        What messages call it.

    Returns
    -------
    Held
        At least one row.

    Raises
    ------
    InputError
        If it is no data frame, has no row, or headers of several levels.
    """
    if not is_frame(data):
        lazy = ", which collect() gives" if hasattr(data, "collect") else ""
        raise InputError(f"{name} is of type {type(data).__name__}; pass {NEEDED}{lazy}.")
    held = _of_pandas(data, name) if isinstance(data, pd.DataFrame) else _of_arrow(data, name)
    if not held.n:
        raise InputError(f"{name} has no row; a table needs one.")
    return held


def of_table(table: pa.Table, name: str, files: Mapping[str, str] | None = None) -> Held:
    """Hold an Arrow table; `files` as in `Held`."""
    pairs = [(header, _constant(table.column(i))) for i, header in enumerate(table.column_names)]
    return Held(name, pairs, table.num_rows, files=files)


def of_file(
    path: str | os.PathLike[str], headers: Iterable[str], read: Callable[[str], pa.ChunkedArray]
) -> Held:
    """Hold a file, whose columns are read when they are asked for.

    Parameters
    ----------
    path : str or Path
        The file, which messages name.
    headers : iterable of str
        Its headers.
    read : callable
        Header -> column.
    """
    pairs = [(header, lambda header=header: read(header)) for header in headers]
    n = len(pairs[0][1]())
    return Held(str(path), pairs, n, str(path))


def _of_pandas(frame: pd.DataFrame, name: str) -> Held:
    if frame.columns.nlevels > 1:
        raise InputError(
            f"{name} has headers of {frame.columns.nlevels} levels; give each column one name, "
            'such as by frame.columns = ["_".join(map(str, header)) for header in frame.columns].'
        )
    headers = [str(header) for header in frame.columns]
    pairs = [
        (header, _of_series(name, header, frame.iloc[:, i])) for i, header in enumerate(headers)
    ]
    for level, header in enumerate(map(str, frame.index.names)):
        if frame.index.names[level] is not None and header not in headers:
            pairs.append((header, _of_series(name, header, frame.index.get_level_values(level))))
    return Held(name, pairs, len(frame))


def _of_series(name: str, header: str, series: pd.Series | pd.Index) -> Column:
    def cells() -> pa.ChunkedArray:
        try:
            array = pa.array(series, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            kinds = sorted({type(cell).__name__ for cell in series})
            raise InputError(
                f"{name}: the column {header!r} holds cells of type {' and '.join(kinds)}, which "
                "are not numbers, and not text alike; give all of them one type, such as by "
                f"frame[{header!r}].astype(str)."
            ) from None
        return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])

    return cells


def _of_arrow(data: object, name: str) -> Held:
    try:
        if hasattr(data, "__arrow_c_stream__"):
            table = pa.table(data)
        else:
            from pyarrow import interchange

            table = interchange.from_dataframe(data)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError, RuntimeError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"{name} cannot be read as a table ({reason}); pass {NEEDED}.") from None
    return of_table(table, name)


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
