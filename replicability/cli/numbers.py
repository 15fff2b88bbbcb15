"""Numbers as people write them: typed or listed, separated by anything, with names or without."""

import csv
import re
import stat
from pathlib import Path

BOUND = re.compile(r"[<>≤≥]\d*\.?\d+(e-?\d+)?", re.IGNORECASE)
"""Matches a bound such as "< .05", which is not a p-value."""


def typed(values):
    """Tell whether arguments are numbers, separated by blanks, commas or semicolons.

    `values` (sequence of float or str): arguments.

    Returns list of float, or None. The numbers, not checked; None for a single argument that is no
    number.

    Raises `InputError`: if one of several is no number, or commas may be those of decimals.
    """
    from replicability import checks
    from replicability.stats import arguments as arguments_

    cells = [_cells(str(value)) for value in values]
    for cell in (cell for found in cells for cell in found):
        if BOUND.fullmatch(cell) and not mode_of(str(values[0])):
            raise checks.InputError(
                f"{cell!r} is a bound, not a p-value; write the exact p-value, or leave out the "
                "sign to use the bound as the p-value."
            )
    whole = all(
        found or str(value) in ("p", "=") for found, value in zip(cells, values, strict=True)
    )
    if not (whole and any(cells) and all(_is_float(cell) for found in cells for cell in found)):
        if len(values) == 1:
            return None
        for value in values:
            if value == "-" or stat.S_ISREG(mode_of(str(value))):
                raise checks.InputError(
                    f"{value} is a file, not a p-value; pass either one file or p-values."
                )
        return arguments_.pvalues(values)  # which says what is none
    text = " ".join(map(str, values))
    _refuse_decimal_commas(text, text)
    return [float(cell) for found in cells for cell in found]


def _cells(text):
    """Split numbers that are separated by anything, and perhaps introduced by "p ="."""
    text = re.sub(r"([<>≤≥])\s+", r"\1", text)
    cells = re.findall(r"[^\s,;()\[\]=]+", text)
    return [cell for cell in cells if cell.casefold() != "p"]


def _is_float(cell):
    return isinstance(as_number(cell), float)


def _refuse_decimal_commas(text, where):
    from replicability import checks

    if "," in text and "." not in text:
        raise checks.InputError(
            f"{where}: it is unclear whether commas separate numbers or mark decimals; write "
            "decimals with a point, and separate numbers with spaces."
        )


def as_number(text):
    """Return a number if the text is one, else the text."""
    try:
        return text if "_" in text else float(text)  # Python's 1_000 is nobody's number
    except ValueError:
        return text


def mode_of(file):
    """Return the mode of a file; 0 if there is none, or its reader is to say why not."""
    try:
        return Path(file).stat().st_mode
    except (OSError, ValueError):
        return 0


def read_numbers(path):
    """Read the p-values of a text file that holds numbers and nothing else.

    `path`: one number in each line, or all in one line or one pair of brackets, separated by
    blanks, commas or semicolons.

    Returns list of float, or None. The p-values; None if the first line is not of numbers alone.

    Raises `InputError`: if a later line is not, a number lies outside [0, 1], several lines hold
    several numbers, so that they may be rows of a table, or the first may be a header.
    """
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_
    from replicability.io.text import read_first_line, read_text

    first = _cells(read_first_line(path))
    if not first or not all(map(_is_float, first)):
        return None
    text, shown = read_text(path), text_.shown(path)
    _refuse_decimal_commas(text, shown)
    lines = [(number, _cells(line)) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, cells) for number, cells in lines if cells]
    if len(lines) > 1 and max(len(cells) for _, cells in lines) > 1 and text.count("[") != 1:
        raise checks.InputError(
            f"{shown} has several numbers per line but no headers, so they may be the columns of a "
            "table; add a header line, or write one p-value per line."
        )
    if len(lines) > 1 and lines[0][1] == ["0"]:
        raise checks.InputError(
            f"{shown} begins with the line '0', which pandas writes as the header of an unnamed "
            "column; remove the line, or write 0.0 if it is a p-value."
        )
    for number, cells in lines:
        for cell in cells:
            if not (_is_float(cell) and 0 <= float(cell) <= 1):
                hint = delimited.remedy(cell, "leave out datasets without a p-value")
                raise checks.InputError(
                    f"{shown}, line {number}: the value is {cell!r}, but a p-value is a number in "
                    f"[0, 1]; {hint}."
                )
    return [float(cell) for _, cells in lines for cell in cells]


def read_named(options, path):
    """Read the p-values of a text file without headers, whose lines are names and p-values.

    `options`: arguments of the command `pvalues`. `path`: a name and a number in each line,
    separated by a comma, semicolon, tab, colon, equals sign or blanks, the number perhaps
    introduced by "p =".

    Returns list of (str, float), or None. Names and p-values; None if the first line is no such
    line, or options name columns.

    Raises `InputError`: if a later line is none.
    """
    from replicability import checks
    from replicability.io import delimited, stored
    from replicability.io import text as text_
    from replicability.io.text import read_first_line, read_text

    named = options.dataset or options.p_value or options.scores or options.names
    if named or stored.of(path):
        return None
    first = _name_and_number(read_first_line(path))
    if not (first and re.search("[.e]", first[1]) and _is_pvalue(first[1])):
        return None  # a header may be a whole number
    rows = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        row = _name_and_number(line)
        if row is None or not _is_pvalue(row[1]):
            value = row[1] if row else line.strip()
            raise checks.InputError(
                f"{text_.shown(path)}, line {number}: the value is {value!r}, but each line above "
                "has a name and a p-value in [0, 1]; "
                f"{delimited.remedy(value, 'leave out datasets without a p-value')}."
            )
        rows.append(row)
    return [(name, float(p)) for name, p in rows]


def _name_and_number(line):
    """Split a line into a name and what follows; None if it has not just these two."""
    mark = next((mark for mark in "\t;," if mark in line), "")
    if mark:
        cells = next(csv.reader([line], delimiter=mark, skipinitialspace=True))
    else:
        cells = re.split(r"\s*[:=]\s*(?=p\s*=|\S+\s*$)|\s+(?=\S+\s*$)", line.strip(), maxsplit=1)
    if len(cells) != 2 or _is_float(cells[0].strip()):
        return None
    name, number = (cell.strip() for cell in cells)
    return (name, re.sub(r"^p\s*=\s*", "", number)) if name else None


def _is_pvalue(text):
    return _is_float(text) and 0 <= float(text) <= 1
