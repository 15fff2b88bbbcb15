"""Tables that are not separated text: Parquet, Arrow, workbooks and lines of JSON, by ending."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from replicability.checks import InputError
from replicability.io import json_tables, workbooks
from replicability.io.text import shown


@dataclass(frozen=True)
class Storage:
    """How a kind of file stores a table.

    Attributes
    ----------
    title : str
        What the files are, for readers.
    headers : callable
        From a path to the list of headers.
    read : callable
        From a path, headers that it has, and headers of few different values to a `pyarrow.Table`.
    place : callable
        From a path and the number of a row, from 0, to where the row stands: "row 1".
    """

    title: str
    headers: Callable
    read: Callable
    place: Callable


def of(path):
    """Return how a file is stored, by its ending.

    `path`: a file.

    Returns Storage or None. None for text that is separated by commas, semicolons or tabs.
    """
    return STORED.get(Path(path).suffix.lower())


@contextlib.contextmanager
def _as(title, path):
    """Say in a sentence that a file is not what its ending says, or cannot be read."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].partition(".")[0]
        raise InputError(f"{shown(path)} is not {title} ({reason}); recreate the file.") from None


def _parquet_headers(path):
    with _as("a Parquet table", path):
        return pq.read_schema(path).names


def _read_parquet(path, headers, encoded):
    with _as("a Parquet table", path):
        return pq.read_table(path, columns=headers, read_dictionary=encoded)


@contextlib.contextmanager
def _arrow(path):
    """Open an Arrow file or stream."""
    with _as("an Arrow (Feather) table", path), pa.memory_map(str(path)) as source:
        start = source.read(6)
        if start.startswith(b"FEA1"):
            raise InputError(
                f"{shown(path)} is stored in version 1 of Feather; recreate the file in version "
                "2, which is Arrow."
            )
        source.seek(0)
        yield (pa.ipc.open_file if start == b"ARROW1" else pa.ipc.open_stream)(source)


def _arrow_headers(path):
    with _arrow(path) as reader:
        return reader.schema.names


def _read_arrow(path, headers, encoded):
    with _arrow(path) as reader:
        return reader.read_all().select(headers)


def _row(path, row):
    return f"row {row + 1}"


_PARQUET = Storage("Parquet", _parquet_headers, _read_parquet, _row)
_ARROW = Storage("Arrow (Feather)", _arrow_headers, _read_arrow, _row)
_WORKBOOK = Storage("a workbook", workbooks.headers, workbooks.read, workbooks.place)
_LINES = Storage("lines of JSON", json_tables.headers, json_tables.read, json_tables.place)

STORED = {
    ".parquet": _PARQUET,
    **dict.fromkeys((".arrow", ".feather", ".ipc"), _ARROW),
    **dict.fromkeys(workbooks.ENDINGS, _WORKBOOK),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), _LINES),
}
"""Maps a file name extension to its storage format; other files are delimited text."""
