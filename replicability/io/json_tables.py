"""Tables in JSON: an object on each line, or a list of objects."""

import json

import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates
from replicability.io.json_lines import cut, parsed, reason, record
from replicability.io.text import read_text, shown


def headers(path):
    """Read the keys of the first row.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    list of str
        The keys.

    Raises
    ------
    InputError
        If the file has no rows, or they are no JSON objects.
    """
    (_, first), *_ = _rows(path)
    return list(first)


def read(path, headers_, encoded=()):
    """Read columns.

    Parameters
    ----------
    path : Path
        The file.
    headers_ : sequence of str
        Keys of the rows; one that a row lacks is null.
    encoded : sequence of str, optional
        Of no use here.

    Returns
    -------
    pyarrow.Table
        Numbers, Booleans, or text where a column holds several kinds.

    Raises
    ------
    InputError
        As `headers`, or if a value is a list or an object.
    """
    rows = _rows(path)
    return pa.table({header: _column(path, header, rows) for header in headers_})


def place(path, row):
    """Name a row for a message."""
    return _rows(path)[row][0]


def _rows(path):
    """Return the rows, each with its place, which are all objects."""
    text = read_text(path)
    if not text.lstrip().startswith("["):
        _refuse_document(path, text)
        numbered = enumerate(text.split("\n"), 1)
        return [(f"line {n}", record(path, n, line)) for n, line in numbered if line.strip()]
    try:
        found = parsed(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)} is not JSON, or cut off ({reason(error)}); write the file anew."
        ) from None
    aggregates.refuse(path, found)
    if not found:
        raise InputError(f"{shown(path)} has no row; a table needs one.")
    for number, row in enumerate(found, 1):
        if not isinstance(row, dict):
            raise InputError(
                f"{shown(path)}: entry {number} is {cut(row)}, but a table in JSON is a list of "
                "objects, one for each row; write it so, or as CSV."
            )
    return [(f"entry {number}", row) for number, row in enumerate(found, 1)]


def _refuse_document(path, text):
    """Refuse one JSON object that is no row of a table, such as what a tool sums up."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return  # lines, or what `record` refuses
    aggregates.refuse(path, found)
    if "\n" in text.strip() or path.suffix.lower() == ".json":
        raise InputError(
            f"{shown(path)} is one JSON object, but a table in JSON has an object for each row, on "
            "lines of their own or in a list; write it so, or as CSV."
        )


def _column(path, header, rows):
    """Return the values of a key: numbers, Booleans, or the text of everything."""
    values = [row.get(header) for _, row in rows]
    kinds = {type(value) for value in values} - {type(None)}
    if kinds & {list, dict}:
        index = next(i for i, value in enumerate(values) if isinstance(value, list | dict))
        raise InputError(
            f"{shown(path)}, {rows[index][0]}: {header!r} is {cut(values[index])}, which is "
            "neither text nor a number; name another column, or write it anew."
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
            f"{shown(path)}, {rows[index][0]}: {header!r} is {texts[index]!a}, which is not "
            "Unicode; write it anew."
        ) from None
