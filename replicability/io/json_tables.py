"""Tables in JSON: an object on each line, a list of objects, or a document of a tool."""

import contextlib
import functools
import json
from pathlib import Path

import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, documents
from replicability.io.documents import nested
from replicability.io.headers import of_contents
from replicability.io.json_lines import cut, parsed, reason, record, uncollected
from replicability.io.text import read_text, shown

HEAD = 64
"""Number of bytes read to recognise a list."""


def headers(path):
    """Read the keys of the first row.

    Returns list of str. The keys.

    Raises `InputError`: if the file has no rows, or they are no JSON objects.
    """
    return list(_held(path)[0])


def read(path, headers_, encoded=()):
    """Read columns.

    `headers_` (sequence of str): keys of the rows; one that a row lacks is null. `encoded`
    (sequence of str): of no use here.

    Returns pyarrow.Table. Numbers, Booleans, or text where a column holds several kinds.

    Raises `InputError`: as `headers`, or if a value is a list or an object and the key none of what
    items hold.
    """
    _, held = _held(path)
    missing = [header for header in headers_ if header not in held]
    rows = _rows(path) if missing else ()
    return pa.table({h: _column(path, h, rows) if h in missing else held[h] for h in headers_})


def place(path, row):
    """Name a row for a message."""
    return _rows(path)[row][0]


def document(path):
    """Read a document of a tool, or scores in nested objects.

    `path`: a file.

    Returns pyarrow.Table or None: none if the file is no JSON, or has rows. bool or None: as
    `documents.nested.table`; None if it is a document of a tool.

    Raises `InputError`: as `headers`.
    """
    if not path.lower().endswith(".json"):
        return None, None
    with Path(path).open("rb") as stream:
        if stream.read(HEAD).lstrip().startswith(b"["):
            return None, None  # rows, of which there may be many
    content = _document(Path(path), read_text(path))
    if content is None:
        return None, None
    rows = documents.rows(shown(path), content)
    if rows is None and nested.is_one(content):
        return nested.table(shown(path), content)
    rows = rows or _rows_of(path, content)
    return pa.table({header: _column(path, header, rows) for header in rows[0][1]}), None


HELD = 4
"""Maximum number of files whose columns are cached."""


def _held(path):
    """Return the keys of the first row, and their columns, all but those that are faulty."""
    found = Path(path).stat()
    return _read_once(str(path), (found.st_ino, found.st_mtime_ns, found.st_size))


@functools.lru_cache(maxsize=HELD)
def _read_once(path, state):
    """Read the columns of a file in this state."""
    path, columns = Path(path), {}
    with uncollected():
        rows = _rows(path)
        for header in rows[0][1]:
            with contextlib.suppress(InputError):  # which only who asks for the column is told
                columns[header] = _column(path, header, rows)
    return tuple(rows[0][1]), columns


def _rows(path):
    """Return the rows, each with its place, which are all objects."""
    text = read_text(path)
    if not text.lstrip().startswith("["):
        content = _document(path, text)
        if content is not None:
            return _rows_of(path, content)
        numbered = enumerate(text.split("\n"), 1)
        found = [(f"line {n}", record(path, n, line)) for n, line in numbered if line.strip()]
        return documents.rows(shown(path), {"results": [row for _, row in found]}) or found
    try:
        found = parsed(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)} is not JSON, or is incomplete ({reason(error)}); recreate the file."
        ) from None
    aggregates.refuse(path, found)
    if not found:
        raise InputError(f"{shown(path)} has no rows; write an object for each item or dataset.")
    for number, row in enumerate(found, 1):
        if not isinstance(row, dict):
            raise InputError(
                f"{shown(path)}: entry {number} is {cut(row)}, but a table in JSON must be a list "
                "of objects, one for each row; write it in this form, or as CSV."
            )
    return [(f"entry {number}", row) for number, row in enumerate(found, 1)]


def _document(path, text):
    """Return one JSON object that is no row of a table, None where there are rows."""
    if text.lstrip().startswith("["):
        return None
    alone = path.suffix.lower() == ".json"
    try:
        found = parsed(text)
    except (ValueError, RecursionError) as error:
        if alone and not isinstance(error, json.JSONDecodeError):
            raise InputError(f"{shown(path)}: {reason(error)}; recreate the file.") from None
        return None  # lines, or what `record` refuses
    aggregates.refuse(path, found)
    document = isinstance(found, dict) and (alone or "\n" in text.strip())
    return found if document else None


def _rows_of(path, content):
    """Return the rows of a document that a tool wrote, or of scores in nested objects."""
    found = documents.rows(shown(path), content)
    if found is None and nested.is_one(content):
        table, _ = nested.table(shown(path), content)
        *keys, _ = table.column_names
        places = zip(*(table[key].to_pylist() for key in keys), strict=True)
        rows = zip(places, table.to_pylist(), strict=True)
        found = [(" / ".join(place), row) for place, row in rows]
    if found is None:
        raise InputError(
            f"{shown(path)} is one JSON object, but a table in JSON must have an object for each "
            "row, on separate lines or in a list; write it in this form, or as CSV."
        )
    return found


def _column(path, header, rows):
    """Return the values of a key: numbers, Booleans, or the text of everything."""
    values = [row.get(header) for _, row in rows]
    kinds = {type(value) for value in values} - {type(None)}
    if kinds & {list, dict} and not of_contents([header]):
        index = next(i for i, value in enumerate(values) if isinstance(value, list | dict))
        raise InputError(
            f"{shown(path)}, {rows[index][0]}: {header!r} is {cut(values[index])}, which is "
            "neither text nor a number; choose another column, or recreate the file."
        )
    try:
        if kinds <= {int, float} or kinds == {bool}:
            return pa.chunked_array([pa.array(values, from_pandas=False)])
    except (pa.ArrowInvalid, OverflowError):  # whole numbers beyond 64 bits
        pass
    texts = [v if isinstance(v, str | None) else json.dumps(v) for v in values]
    try:
        return pa.chunked_array([pa.array(texts, pa.string())])
    except UnicodeEncodeError:
        index = next(i for i, text in enumerate(texts) if text and not checks.is_unicode(text))
        raise InputError(
            f"{shown(path)}, {rows[index][0]}: {header!r} is {texts[index]!a}, which is not valid "
            "Unicode; correct the text, and save the file in UTF-8."
        ) from None
