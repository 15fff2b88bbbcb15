"""Tables in workbooks of Excel and LibreOffice."""

import contextlib
import datetime
import functools
import re
import zipfile
import zlib
from xml.parsers import expat

import pyarrow as pa

from replicability.checks import InputError
from replicability.io.text import shown

ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
"""Endings of workbooks."""


MOST_BYTES, MOST_CELLS = 2**28, 2 * 10**7
"""Maximum size in bytes of a part of a workbook, and maximum number of its cells."""

_SHEET = re.compile(r"(?i)/?xl/worksheets/[^/]+\.(xml|bin)")
_CELL = re.compile(rb"<(?:\w+:)?c[\s/>]")
_PLACED = re.compile(rb'<(?:\w+:)?c(?: (?!r=)\w+="[^"]*")* r="([A-Z]{1,3})([1-9]\d{0,6})"')


def headers(path):
    """Read the headers of the only sheet of a workbook that is not empty.

    `path`: the workbook.

    Returns list of str. The cells of the first row that is not empty.

    Raises `InputError`: if the file is no workbook, has a password, no sheet with cells or several,
    or a header is merged, missing or no text or number.
    """
    sheet, number, found, _, _ = _held(path)
    for place, header in enumerate(found):
        if not header:
            raise InputError(
                f"{shown(path)}, sheet {sheet!r}: the cell {_letters(place)}{number} has no "
                "header, or is merged with another; give each column one header in the first row, "
                "and delete titles above it."
            )
    return [*found]


def read(path, headers_, encoded=()):
    """Read columns of a workbook.

    `path`: the workbook. `headers_` (sequence of str): headers that it has. `encoded` (sequence of
    str): of no use here.

    Returns pyarrow.Table. Numbers, Booleans, or text where a column holds several kinds; empty
    cells are null.

    Raises `InputError`: as `headers`, or if a cell of these columns is a date.
    """
    *_, known, columns, _ = _held(path)
    found = {header: columns[known.index(header)] for header in headers_}
    for column in found.values():
        if isinstance(column, str):
            raise InputError(column)
    return pa.table(found)


def place(path, row):
    """Name a row for a message, by sheet and number as the program shows them."""
    sheet, *_, rows = _held(path)
    return f"sheet {sheet!r}, row {rows[row]}"


HELD = 4
"""Maximum number of workbooks whose columns are cached."""


def _held(path):
    """Return name of the sheet, number and cells of its first row, columns, numbers of rows."""
    found = path.stat()
    held = _read_once(path, (found.st_ino, found.st_mtime_ns, found.st_size))
    if isinstance(held, str):
        raise InputError(held)
    return held


@functools.lru_cache(maxsize=HELD)
def _read_once(path, state):
    """Read a workbook in this state; what is wrong with it, or with a column, is text instead."""
    try:
        sheet, (number, first), rows = _rows(path)
    except InputError as error:
        return error.args[0]
    columns = []
    for place_ in range(len(first)):
        try:
            columns.append(
                _column([_value(path, sheet, place_, n, row[place_]) for n, row in rows])
            )
        except InputError as error:
            columns.append(error.args[0])
    return sheet, number, [*map(_text, first)], columns, [n for n, _ in rows]


def _rows(path):
    """Return name, headers and rows of the sheet, each row with its number; without empty ones."""
    _refuse_large(path)
    import python_calamine  # a tenth of a second that only workbooks need

    try:
        with path.open("rb") as stream, python_calamine.load_workbook(stream) as book:
            sheets = {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                for name in book.sheet_names
            }
    except python_calamine.PasswordError:
        raise InputError(
            f"{shown(path)} is protected by a password; save it without one, or export the sheet "
            "as CSV."
        ) from None
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise _broken(path, error) from None
    full = {
        name: [(n, row) for n, row in enumerate(rows, 1) if any(_text(cell) for cell in row)]
        for name, rows in sheets.items()
    }
    full = {name: rows for name, rows in full.items() if rows}
    if len(full) != 1:
        listed = f"cells in the sheets {', '.join(map(repr, full))}" if full else "no cells"
        raise InputError(
            f"{shown(path)} has {listed}; keep one sheet, with a table that starts with a header "
            "row, or export that sheet as CSV."
        )
    ((sheet, (first, *rows)),) = full.items()
    width = max(place for place, cell in enumerate(first[1], 1) if _text(cell))
    _refuse_beyond(path, sheet, width, rows)
    return sheet, (first[0], first[1][:width]), rows


def _refuse_large(path):
    """Refuse a workbook of which a sheet would fill the memory, as all its cells are made."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.file_size > MOST_BYTES:
                    raise InputError(
                        f"{shown(path)}: its part {member.filename!r} has {member.file_size:,} "
                        f"bytes, but at most {MOST_BYTES:,} can be read; export the sheet as CSV."
                    )
                if kind := _SHEET.fullmatch(member.filename):
                    span = _span_of_records if kind[1].lower() == "bin" else _span_of_xml
                    _refuse_wide(path, *span(archive.read(member)))
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _broken(path, error) from None
    except (RuntimeError, NotImplementedError, OSError):
        return  # what is wrong is said where it is read


def _broken(path, error):
    """Say that a file is no workbook."""
    reason = str(error).splitlines()[0].rstrip(".") if str(error) else "it is damaged"
    return InputError(
        f"{shown(path)} is not a workbook, or is incomplete ({reason}); save it again."
    )


def _refuse_wide(path, width, row):
    """Refuse a sheet whose last column and row span more than `MOST_CELLS`."""
    if width * row > MOST_CELLS:
        raise InputError(
            f"{shown(path)} extends to column {_letters(width - 1)} and row {row:,}, which makes "
            f"{width * row:,} cells, but at most {MOST_CELLS:,} can be read; delete stray cells, "
            "or export the sheet as CSV."
        )


def _span_of_xml(sheet):
    """Return the last column and row of the cells of a sheet."""
    placed = _PLACED.findall(sheet)
    if len(placed) == len(_CELL.findall(sheet)):  # as every program writes them
        columns, rows = zip(*placed, strict=True) if placed else ((b"A",), (1,))
        return max(map(_number, set(columns))), max(map(int, set(rows)))
    row, column, last = 0, 0, [1, 1]

    def start(tag, attributes):
        nonlocal row, column
        name, place_ = tag.rpartition(":")[2], attributes.get("r")
        if name == "row":
            row, column = int(place_) if place_ else row + 1, 0
        elif name == "c":
            letters = (place_ or "").rstrip("0123456789")
            column = _number(letters.upper().encode()) if letters else column + 1
            row = int(place_[len(letters) :]) if letters else row
            last[:] = max(last[0], column), max(last[1], row)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    with contextlib.suppress(expat.ExpatError, ValueError):  # is said where the file is read
        parser.Parse(sheet, True)
    return last


def _span_of_records(sheet):
    """Return the last column and row of a sheet of an .xlsb: records of kind, length and content.

    References
    ----------
    [MS-XLSB], 2.1.4 and 2.5: BrtRowHdr is 0, cells are 1 to 11 and begin with their column.
    """
    place_, last = 0, [1, 1]

    def number(bytes_):
        nonlocal place_
        found = 0
        for shift in range(bytes_):
            found |= (sheet[place_] & 0x7F) << 7 * shift
            place_ += 1
            if sheet[place_ - 1] < 0x80:
                break
        return found

    with contextlib.suppress(IndexError):  # cut off
        while place_ < len(sheet):
            kind, length = number(2), number(4)
            if kind <= 11:
                is_cell = kind > 0
                at = int.from_bytes(sheet[place_ : place_ + 4], "little") + 1
                last[1 - is_cell] = max(last[1 - is_cell], at)
            place_ += length
    return last


def _number(letters):
    """Return the number of a column from its letters, from 1."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


def _refuse_beyond(path, sheet, width, rows):
    """Refuse cells to the right of the last header."""
    for number, row in rows:
        for place_, cell in enumerate(row[width:], width):
            if _text(cell):
                raise InputError(
                    f"{shown(path)}, sheet {sheet!r}: the cell {_letters(place_)}{number} is "
                    f"{_text(cell)[:40]!r}, but its column has no header; give the column a "
                    "header, or delete cells next to the table and titles above it."
                )


def _value(path, sheet, place_, number, cell):
    """Return a cell, None for an empty one; refuse a date, which stands for something else."""
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        raise InputError(
            f"{shown(path)}, sheet {sheet!r}: the cell {_letters(place_)}{number} is the date or "
            f"time {cell}, which is neither text nor a number. Spreadsheets turn identifiers such "
            "as 1-2 into dates; format the column as text, and enter the value again."
        )
    return (cell.strip() or None) if isinstance(cell, str) else cell


def _column(cells):
    """Return a column: numbers, Booleans, or the text of everything."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int, float}:
        return pa.chunked_array([pa.array(cells, pa.float64(), from_pandas=False)])
    if kinds == {bool}:
        return pa.chunked_array([pa.array(cells, pa.bool_())])
    return pa.chunked_array(
        [pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())]
    )


def _text(cell):
    """Write a cell as the program shows it."""
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell) if whole else cell).strip()


def _letters(place_):
    """Name a column from its place, from 0.

    Examples
    --------
    >>> [_letters(place) for place in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    name, place_ = "", place_ + 1
    while place_:
        place_, letter = divmod(place_ - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
