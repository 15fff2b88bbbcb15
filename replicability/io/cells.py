"""What the columns of a table hold: identifiers, finite numbers, sizes."""

import contextlib
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from replicability.checks import InputError
from replicability.io import delimited

# fmt: off
TELLING = frozenset({
    "benchmark", "config", "configuration", "corpus", "dataset", "datasets", "domain", "evalset",
    "fold", "genre", "lang", "language", "locale", "source", "split", "subdataset", "subject",
    "subset", "subtask", "suite", "task", "testset", "treebank",
})
"""Headers of columns that tell datasets apart, without blanks and words such as "name"."""

UNITS = frozenset({
    "", "annotator", "article", "author", "book", "chapter", "clip", "cluster", "context",
    "conversation", "database", "db", "dialog", "dialogue", "doc", "document", "episode", "example",
    "guid", "image", "item", "page", "paragraph", "participant", "passage", "patient", "premise",
    "problem", "project", "q", "query", "question", "record", "recording", "repo", "repository",
    "sample", "scene", "sent", "sentence", "session", "speaker", "story", "template", "thread",
    "title", "uid", "unit", "url", "user", "utterance", "uuid", "video", "writer",
})
# fmt: on
"""Headers of columns of what items belong to, written as those in `TELLING`; "" is that of "id"."""

LISTED = 3
"""Values that a message lists; the others are counted."""


def by_place(n):
    """Name n instances that have no identifiers by their places, from 1.

    Returns
    -------
    pyarrow.StringArray
        "1" to n.
    """
    return pa.array(np.arange(1, n + 1)).cast(pa.string())


def identifiers(file, column, rows=None, name="instance"):
    """Turn a column into identifiers.

    Parameters
    ----------
    file : str or Path
        The table, for the message.
    column : pyarrow.ChunkedArray
        Text or numbers.
    rows : ndarray of int64, optional
        Rows of the file that the column holds; default all.
    name : str, default "instance"
        What they are, for the message.

    Returns
    -------
    pyarrow.StringArray
        The identifiers.

    Raises
    ------
    InputError
        If one is empty; the message names the line.
    """
    refuse_blank(file, column, name, rows)
    with readable(file, column, name):
        return column.cast(pa.string()).combine_chunks()


def numbers(file, column, name, rows=None):
    """Turn a column into finite numbers.

    Parameters
    ----------
    file : str
        The table, for the message.
    column : pyarrow.ChunkedArray
        Numbers, Booleans, or text that is numbers or, in all cells, "true" and "false".
    name : str
        What they are, for the message.
    rows : ndarray of int64, optional
        Rows of the file that the column holds; default all.

    Returns
    -------
    ndarray of float64
        The numbers.

    Raises
    ------
    InputError
        If one is missing or not finite; the message names the line.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        values = column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        with readable(file, column, name):
            values = _from_text(column)
    values = values.to_numpy()
    wrong = ~np.isfinite(values)
    if wrong.any():
        index = int(wrong.argmax())
        cell = column[index].as_py()
        row = index if rows is None else int(rows[index])
        otherwise = delimited.remedy(cell, "leave that instance out for both systems")
        shown = values[index] if cell is None or isinstance(cell, float) else repr(cell)
        raise InputError(
            f"{delimited.place(file, row)}: the {name} is {shown}, but it is a finite number; "
            f"{otherwise}."
        )
    return values


def sizes(file, column, rows=None):
    """Turn a column into denominators, finite numbers above 0.

    Parameters
    ----------
    file, column, rows
        As in `numbers`.

    Returns
    -------
    ndarray of float64
        The denominators.

    Raises
    ------
    InputError
        As `numbers`, and if one is not above 0.
    """
    values = numbers(file, column, "size", rows)
    if (values <= 0).any():
        index = int((values <= 0).argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the size is {values[index]:g}, but it is the "
            "denominator of a score and above 0; leave that instance out for both systems."
        )
    return values


def refuse_above(file, name, scores, size):
    """Refuse scores above their sizes.

    Parameters
    ----------
    file : str
        File, for the message.
    name : callable
        Row -> identifier and dataset of an instance.
    scores, size : ndarray of float64, shape (n,)
        Numerators and denominators of the same instances.

    Raises
    ------
    InputError
        If a numerator is above its denominator.
    """
    if (scores > size).any():
        row = int((scores > size).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: instance {identifier!r} of {dataset!r} has the score {scores[row]:g} of size "
            f"{size[row]:g}, but a score is a part of its size, such as the right words of all; "
            "correct one of them, or make the size the most that the score can be."
        )


def telling(headers):
    """List the headers that name what tells datasets apart, those in `TELLING`."""
    return [header for header in headers if _noun(header, _BESIDE) in TELLING]


def of_units(headers):
    """List the headers that name what items belong to, those in `UNITS`."""
    nouns = {header: _noun(header, _BESIDE_UNITS) for header in headers}
    return [header for header, noun in nouns.items() if {noun, noun.removesuffix("id")} & UNITS]


def belonging(file, used):
    """Read the columns that are called as units are, and that nobody names.

    Parameters
    ----------
    file : str, Path or Table
        The table.
    used : iterable of str
        Headers that are named.

    Returns
    -------
    dict of str to pyarrow.ChunkedArray
        Header -> text, "" in an empty cell; without columns that hold lists or the like, and those
        of which two have one header: a fault in a column that nobody names is none.
    """
    known, found = delimited.read_headers(file), {}
    taken = {header.strip().casefold() for header in used}
    for header in of_units(known):
        if known.count(header) == 1 and header.strip().casefold() not in taken:
            with contextlib.suppress(InputError, pa.ArrowException):
                column = delimited.columns(file, {header: header})[header]
                found[header] = column.cast(pa.string()).fill_null("")
    return found


def _noun(header, beside):
    """Return a header in lower case, without blanks and the words beside the noun."""
    words = re.findall(r"[^\W_]+", header.casefold())
    return "".join(word for word in words if word not in beside)


def refuse_pooled(file, table, remedy):
    """Refuse a table that is read as one dataset but seems to hold several.

    Parameters
    ----------
    file : str
        File, for the message.
    table : pyarrow.Table
        Its columns, at least those of `telling` headers.
    remedy : str
        What to do, a clause with a place for the header.

    Raises
    ------
    InputError
        If a column with a header in `TELLING` has from two different values up to half as many as
        there are rows.
    """
    for header in telling(table.schema.names):
        with readable(file, table[header], header):
            found = pc.unique(table[header].cast(pa.string()))
        if 2 <= len(found) <= table.num_rows / 2:
            shown = ", ".join(map(repr, found[:LISTED].to_pylist()))
            raise InputError(
                f"{file} is read as one dataset, but its column {header!r} has {len(found):,} "
                f"different values, such as {shown}; {remedy.format(header)}."
            )


_BESIDE = ("code", "id", "key", "name", "pair")

_BESIDE_UNITS = (*_BESIDE, "idx", "index", "no", "nr", "num", "number")


def refuse_sizes(file, systems, name, a, b):
    """Refuse sizes of an instance that differ between systems.

    Parameters
    ----------
    file : str
        File, for the message.
    systems : sequence of str
        Names of the systems.
    name : callable
        Row -> identifier and dataset of an instance.
    a, b : ndarray of float64, shape (n,)
        Sizes of the same instances.

    Raises
    ------
    InputError
        If two differ.
    """
    if (a != b).any():
        row = int((a != b).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: instance {identifier!r} of {dataset!r} has the size {a[row]:g} for "
            f"{systems[0]} and {b[row]:g} for {systems[1]}, but it is the same instance; correct "
            "one of them."
        )


def encoded(column):
    """Encode a column.

    Parameters
    ----------
    column : pyarrow.Array or pyarrow.ChunkedArray
        The cells.

    Returns
    -------
    codes : ndarray of int
        Code of each row.
    labels : pyarrow.Array
        The different values.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    return column.indices.to_numpy(), column.dictionary


def codes(column):
    """Return the code of each cell of a column of text, -1 for one that is empty."""
    found, labels = encoded(column.fill_null(""))
    blank = pc.equal(labels, "").to_numpy(zero_copy_only=False)
    return np.where(blank[found], -1, found).astype(np.int32)


def some(names):
    """List the first `LISTED` names, quoted, and count the others."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, names[:LISTED])) + more


@contextlib.contextmanager
def readable(file, column, name):
    """Refuse a column of a Parquet table that holds neither numbers nor text."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        kind = name.partition(" ")[0]
        raise InputError(
            f"{delimited.called(file)}: the column of the {kind}s holds {column.type}, "
            "which is neither text nor numbers; name another column, or write it anew."
        ) from None


def _from_text(column):
    """Turn text into numbers, NaN where it is none."""
    lower = pc.utf8_lower(column.cast(pa.string()))
    if set(pc.unique(lower).to_pylist()) <= {"true", "false"}:
        return pc.equal(lower, "true").cast(pa.float64())
    found = pd.to_numeric(column.cast(pa.string()).to_pandas(), errors="coerce")
    return pa.array(found.to_numpy(float, na_value=np.nan))


def refuse_blank(file, column, key, rows=None):
    """Refuse an empty cell; the message names the line."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    blank = column.is_null()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        blank = pc.fill_null(pc.equal(column, ""), True)
    if pc.any(blank).as_py():
        index = int(blank.to_numpy().argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the {key} is empty, but every score has one; fill it "
            "in."
        )
