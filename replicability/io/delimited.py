"""Tables: text that is separated by commas, semicolons or tabs, and what `stored` reads."""

import contextlib
import csv
import functools
import io
import itertools
import json
import re
from collections import defaultdict
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, stored
from replicability.io.tables import Table
from replicability.io.text import (
    check_text,
    composed,
    decoded,
    existing,
    finite,
    plain,
    read_bytes,
    read_text,
    shown,
)


def called(file):
    """Return what messages call a table."""
    return shown(file)


def as_printed(file, name, column):
    """Return a column as text.

    `file`, `name`: the table and the header, for the message. `column` (pyarrow.ChunkedArray): the
    cells.

    Returns pyarrow.ChunkedArray of string. The cells, an empty one as "".

    Raises `InputError`: if the column of a Parquet table holds lists, structures or bytes.
    """
    try:
        return column.cast(pa.string()).fill_null("")
    except pa.ArrowException:
        raise InputError(
            f"{called(file)}: the column {name!r} holds {column.type}, which is neither text nor "
            "numbers; choose another column, or recreate the file."
        ) from None


_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

BLOCK = 2**20
"""Number of bytes of a text table that are read at a time."""


@contextlib.contextmanager
def _long_cells():
    """Let the module csv read cells that hold a document, and restore its limit afterwards."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def columns(file, headers, encoded=()):
    """Read columns of a table, of a file or in memory.

    Parameters
    ----------
    file : str, Path or Table
        The table; an ending of `stored.STORED` tells how it is stored. Other text has a header,
        separated by what its ending says (.tsv: tabs, else commas), or by the only other one of
        comma, semicolon and tab that is in the header. A relative path starts at the current
        folder.
    headers : dict of str to str or None
        New name -> header in the file, where case and blanks around it do not matter if only one
        column is meant; None for all.
    encoded : sequence of str, optional
        New names of columns with few different values.

    Returns
    -------
    pyarrow.Table
        The columns under their new names, at least one row; those of a text file are strings
        without surrounding blanks.

    Raises
    ------
    InputError
        If the file is missing, no such table or has no row, or a column is missing or there twice.
    """
    if isinstance(file, Table):
        found = positions(file, file.headers, headers)
        return pa.table({name: file.columns[place_]() for name, place_ in found.items()})
    path = existing(file)
    if stored.of(path):
        return _stored(path, headers, encoded)
    content = _table_bytes(path)
    number, separator, known = _headers(path, content)
    chosen_ = positions(path, known, headers)
    read = functools.partial(_read_csv, content, number, separator, len(known), chosen_.values())
    try:
        try:
            table = read(BLOCK)
        except pa.ArrowInvalid:
            table = read(len(content) + 1)  # a row can be longer than a block
    except pa.ArrowInvalid as error:
        raise InputError(_csv_sentence(path, separator, str(error))) from None
    if not table.num_rows:
        raise InputError(
            f"{shown(path)} has no rows below its headers; write a row for each item or dataset."
        )
    return pa.table(
        {
            name: pc.utf8_trim_whitespace(column)
            for name, column in zip(chosen_, table.columns, strict=True)
        }
    )


def every(file, needed=()):
    """Read all columns of a table that can be read, nested cells as JSON.

    `file` (str, Path or Table): as in `columns`. `needed` (iterable of str): headers; a fault in
    other columns is none, such as two with one header.

    Returns pyarrow.Table. The columns under their headers.

    Raises `InputError`: as `columns`, of what is needed.
    """
    known, needed = read_headers(file), set(needed)
    wanted = {header: header for header in known if header in needed or known.count(header) == 1}
    try:
        table = columns(file, wanted)
    except InputError:
        found = {}
        for header in wanted:
            with contextlib.nullcontext() if header in needed else contextlib.suppress(InputError):
                found[header] = columns(file, {header: header})[header]
        table = pa.table(found)
    return pa.table({header: flat(table[header]) for header in table.column_names})


def flat(column):
    """Write lists and structures as JSON, and leave other cells as they are."""
    if not pa.types.is_nested(column.type):
        return column
    cells = (None if v is None else json.dumps(v, default=str) for v in column.to_pylist())
    return pa.chunked_array([pa.array(cells, pa.string())])


def _read_csv(content, number, separator, width, places, block):
    """Read columns of a text table below line `number` as strings, `block` bytes at a time."""
    names = [str(place) for place in places]
    return pyarrow.csv.read_csv(
        pa.BufferReader(content),
        read_options=pyarrow.csv.ReadOptions(
            skip_rows=number,
            column_names=[str(i) for i in range(width)],
            block_size=block,
            use_threads=len(content) > block,  # a process that ends while they start is aborted
        ),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=separator, newlines_in_values=b'"' in content
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            include_columns=names,
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
        ),
    )


def read_headers(file):
    """Read the headers of a table.

    `file`: as in `columns`.

    Returns list of str. The headers, in the order of the file.

    Raises `InputError`: if the file is missing, or no such table.
    """
    if isinstance(file, Table):
        return list(file.headers)
    path = existing(file)
    if storage := stored.of(path):
        return storage.headers(path)
    check_text(path)
    with path.open("rb") as stream:
        head = plain(stream.read(BLOCK)).rpartition(b"\n")[0]
    if len(list(itertools.islice(_lines(head), 2))) < 2 or _is_json(head):
        head = _table_bytes(path)
    return _headers(path, head)[2]


def read_table(file):
    """Read a table as it is printed, every cell as text.

    `file`: as in `columns`.

    Returns DataFrame of str. Cells without surrounding blanks; an empty cell is "". Columns that
    hold lists, structures or bytes are left out.

    Raises `InputError`: as `columns`.
    """
    table = columns(file, None)
    printed = {}
    for name in table.schema.names:
        with contextlib.suppress(InputError):
            printed[name] = as_printed(file, name, table[name]).to_pandas()
    return pd.DataFrame(printed).astype(str)


@_long_cells()
def place(file, row):
    """Name a row of a table for a message.

    `row`: its row, from 0 below the header.

    Returns str. The file and the line in which the row ends, or its number as `stored` says it; of
    a table in memory, the row from 0.
    """
    if isinstance(file, Table):
        if file.place:
            return file.place(row)
        return place(file.origin, row) if file.origin else f"{file}, row {row} (from 0)"
    path = Path(file).absolute()
    if storage := stored.of(path):
        return f"{shown(path)}, {storage.place(path, row)}"
    content = read_bytes(path)
    _, separator, _ = _headers(path, content)
    for index, (line, _) in enumerate(_rows(path, content, separator)):
        if index == row + 1:
            return f"{shown(path)}, line {line}"
    return shown(path)


def _table_bytes(path):
    """Read a text table."""
    content = read_bytes(path)
    if _is_json(content):
        aggregates.refuse_text(path, content)
        raise InputError(
            f"{shown(path)} contains JSON. If the file has a JSON object for each row, give it a "
            "name that ends in .jsonl; otherwise, convert it to a CSV table."
        )
    return content


def _is_json(content):
    return content.lstrip()[:1] in (b"{", b"[")


def _headers(path, content):
    """Return the number of the line of headers, the separator, and the headers."""
    lines = _lines(content)
    number, header = next(lines)
    decoded(path, content.split(b"\n", number)[number - 1], number)
    separator = _separator(path, header, next(lines, (0, ""))[1])
    return number, separator, [cell.strip() for cell in _cells(header, separator)]


def _lines(content):
    """Iterate over number and text of the lines that are not blank."""
    number = start = 0
    while start < len(content):
        number, stop = number + 1, content.find(b"\n", start) % (len(content) + 1)
        line = content[start:stop]
        if line.strip():
            yield number, line.decode(errors="replace")
        start = stop + 1


@_long_cells()
def _cells(line, separator):
    return next(csv.reader([line], delimiter=separator))


def _rows(path, content, separator):
    """Iterate over line and cells of the rows of a text table, without blank lines."""
    lines = io.StringIO(content.decode(errors="replace"), newline="")
    reader = csv.reader(lines, delimiter=separator)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(
            f"{shown(path)}, line {reader.line_num} is not valid CSV ({error}); correct the line, "
            "or save the file again."
        ) from None


def _separator(path, header, row):
    """Return the separator of a table, told from its headers and, in doubt, its first row."""
    usual = "\t" if path.suffix == ".tsv" else ","
    possible = [mark for mark in _SEPARATORS if mark in header]
    if len(possible) > 1:
        sizes = {mark: len(_cells(header, mark)) for mark in possible}
        fitting = [mark for mark, n in sizes.items() if 1 < n == len(_cells(row, mark))]
        if len(fitting) > 1:
            listed = " or ".join(_SEPARATORS[mark] for mark in fitting)
            raise InputError(
                f"The columns of {shown(path)} could be separated by {listed}; use only one of "
                "these as the separator, and quote cells that contain one of the others."
            )
        possible = fitting or [usual]
    return possible[0] if possible else usual


def positions(path, known, headers):
    """Find columns by their headers.

    `path`: the file, for messages. `known` (sequence of str): its headers. `headers` (dict of str
    to str or None): as `columns` takes them.

    Returns dict of str to int. New name -> position.

    Raises `InputError`: if a column is missing or there twice.
    """
    if headers is None:
        headers = dict(zip(known, known, strict=True))
    exact = _places(known)
    folded = {}
    if not exact.keys() >= set(headers.values()):
        folded = _places(header.strip().casefold() for header in known)
    found = {}
    for name, header in headers.items():
        places = exact.get(header) or folded.get(header.strip().casefold(), ())
        if len(places) > 1:
            raise InputError(
                f"{called(path)}: {len(places)} columns are called {header!r}; give each its own "
                "header."
            )
        if not places:
            _refuse_header(path, header, known)
        found[name] = places[0]
    return found


def header_of(file, wanted, known):
    """Return the header that is meant; case and blanks around it do not matter.

    `file`: the table, for the message. `wanted`: the header as it is named. `known` (sequence of
    str): headers of the table.

    Returns str. One of `known`.

    Raises `InputError`: if there is none; the message names the nearest.
    """
    wanted_form = composed(wanted).casefold()
    alike = [header for header in known if composed(header).casefold() == wanted_form]
    if wanted in known or len(alike) != 1:
        return checks.choice(f"{file}: column", wanted, known)
    return alike[0]


def _places(headers):
    """Return the positions of each header."""
    places = defaultdict(list)
    for place_, header in enumerate(headers):
        places[header].append(place_)
    return places


def _refuse_header(path, header, known):
    """Say that there is no such column; line 1 may be data."""
    if any(map(is_number, known)) and checks.nearest(header, known) == ".":
        raise InputError(
            f"{called(path)} has no column {header!r}. Its first line ({', '.join(known[:5])}) "
            "looks like data; add a header line above it."
        )
    checks.choice(f"{called(path)}: column", header, known)


def is_number(text):
    """Tell whether the text of a cell is a finite number."""
    return finite(text) is not None


@_long_cells()
def _csv_sentence(path, separator, error):
    """Say which row of a text table breaks it."""
    read_text(path)
    rows = _rows(path, read_bytes(path), separator)
    _, header = next(rows)
    for line, cells in rows:
        if len(cells) != len(header):
            comma = " (write decimals with a point)" if separator == "," else ""
            return (
                f"{shown(path)}, line {line} has {len(cells)} cell{'s' * (len(cells) != 1)}, but "
                f"the header has {len(header)}; separate the cells by {_SEPARATORS[separator]}, "
                f"and put cells that contain the separator in quotation marks{comma}."
            )
    return f"{shown(path)} is not a valid CSV table: {error.splitlines()[0]}."


def _stored(path, headers, encoded):
    """Read columns of a table that is no separated text."""
    storage = stored.of(path)
    known = storage.headers(path)
    wanted = {name: known[place_] for name, place_ in positions(path, known, headers).items()}
    table = storage.read(
        path,
        list(dict.fromkeys(wanted.values())),
        [wanted[name] for name in encoded if name in wanted],
    )
    if not table.num_rows:
        raise InputError(
            f"{shown(path)} has no rows below its headers; write a row for each item or dataset."
        )
    return pa.table({name: table[header] for name, header in wanted.items()})


def remedy(value, otherwise):
    """Say how to write a cell that is not read as a number.

    `value`: the cell. `otherwise`: remedy where the cell gives no hint.

    Returns str. A clause.
    """
    text = str(value).strip()
    if text.endswith("%"):
        return "write it without the percent sign"
    if re.fullmatch(r"[-+]?[1-9]\d{,2}(,\d{3})+(\.\d+)?", text):
        return "write it without commas, with a point for decimals"
    if re.fullmatch(r"[-+]?\d*,\d+", text):
        return "write decimals with a point"
    if text[:1] in ("<", ">", "≤", "≥"):
        return "write the p-value itself, or its bound if you accept that"
    if text.casefold() in ("true", "false"):
        return "write 1 and 0, or only true and false in the whole column"
    return otherwise
