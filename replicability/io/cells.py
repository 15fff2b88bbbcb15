"""What the columns of a table hold: identifiers, finite numbers, sizes."""

import contextlib
import unicodedata

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import delimited, headers

LISTED = 3
"""Maximum number of values that a message lists."""

ROWS = 5
"""Mean number of rows per value from which a text column may name datasets."""

EXACT = 2**53
"""Largest integer below which float64 represents all integers exactly."""

SHORT = 2**16
"""Inverse of a step whose multiples are exact in single precision, too."""


def by_place(n):
    """Name n items that have no identifiers by their places, from 1.

    Returns pyarrow.StringArray. "1" to n.
    """
    return pa.array(np.arange(1, n + 1)).cast(pa.string())


def identifiers(file, column, rows=None, name="instance"):
    """Turn a column into identifiers.

    `file`: the table, for the message. `column` (pyarrow.ChunkedArray): text or numbers. `rows`
    (ndarray of int64): rows of the file that the column holds; default all. `name`: what they are,
    for the message.

    Returns pyarrow.StringArray. The identifiers.

    Raises `InputError`: if one is empty; the message names the line.
    """
    refuse_blank(file, column, name, rows)
    with readable(file, column, name):
        plain = one_form(column.cast(pa.string()).combine_chunks())
    refuse_blank(file, pa.chunked_array([plain]), name, rows)
    return plain


def numbers(file, column, name, rows=None, blank=False):
    """Turn a column into finite numbers.

    `file`: the table, for the message. `column` (pyarrow.ChunkedArray): numbers, Booleans, or text
    that is numbers or, in all cells, "true" and "false". `name`: what they are, for the message.
    `rows` (ndarray of int64): rows of the file that the column holds; default all. `blank`: whether
    a cell may be empty.

    Returns ndarray of float64. The numbers, NaN for an empty cell.

    Raises `InputError`: if one is missing or not finite; the message names the line.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    with readable(file, column, name):
        if pa.types.is_temporal(column.type) or isinstance(column.type, pa.BaseExtensionType):
            raise pa.ArrowInvalid
        _refuse_beyond(file, column, name, rows)
    try:
        values = column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        with readable(file, column, name):
            values = _from_text(column)
    values = values.to_numpy()
    wrong = ~np.isfinite(values)
    if blank:
        wrong &= ~_is_blank(column)
    if wrong.any():
        index = int(wrong.argmax())
        cell = column[index].as_py()
        row = index if rows is None else int(rows[index])
        usual = "leave the item out for both systems"
        if name.startswith("score") and _is_blank(column)[index]:
            usual += f", or leave all such items out with {checks.given('missing', repr('drop'))}"
        otherwise = delimited.remedy(cell, usual)
        shown = values[index] if cell is None or isinstance(cell, float) else checks.cut(cell)
        raise InputError(
            f"{delimited.place(file, row)}: the {name} is {shown}, but it must be a finite "
            f"number; {otherwise}."
        )
    return values


def refuse_truth(file, systems, scores, columns):
    """Refuse truth values of one system and other numbers of another.

    `file`: the tables, for the message. `systems`: sequence of str. `scores` (sequence of ndarray
    of float64, shape (n,)): what `numbers` made of the scores of each. `columns` (sequence of
    pyarrow.ChunkedArray): the cells from which they are.

    Raises `InputError`: if all cells of one column are truth values, and another has numbers
    besides 0 and 1.
    """
    truth = [name for name, of in zip(systems, columns, strict=True) if _is_truth(of)]
    if not truth or len(truth) == len(systems):
        return
    for name, of in zip(systems, scores, strict=True):
        if not np.isin(of[~np.isnan(of)], (0, 1)).all():
            raise InputError(
                f"{file}: the scores of {truth[0]} are true and false, but those of {name} "
                "include numbers other than 0 and 1. Score both systems with the same metric; if "
                "you did, write true and false as 1 and 0."
            )


def _is_truth(column):
    """Tell whether a column of scores holds truth values, by its type or its first words."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        return True
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    words = (str(cell).strip().casefold() for cell in column if cell.as_py())
    return next(filter(None, words), "") in ("true", "false")


def _is_blank(column):
    """Tell which cells are empty, or NaN in a column of numbers."""
    found = column.is_null(nan_is_null=True)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        found = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(column), ""), True)
    return found.to_numpy()


def _refuse_beyond(file, column, name, rows):
    """Refuse whole numbers that float64 cannot tell apart."""
    if pa.types.is_string(column.type):
        beyond = pc.fill_null(pc.match_substring_regex(column, r"^[+-]?[1-9][0-9]{15,}$"), False)
    elif pa.types.is_integer(column.type):
        beyond = pc.fill_null(pc.or_(pc.greater(column, EXACT), pc.less(column, -EXACT)), False)
    else:
        return
    if pc.any(beyond).as_py():
        index = int(beyond.to_numpy().argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the {name} is {checks.cut(column[index].as_py())}, "
            f"but differences of whole numbers above {EXACT:,} are not exact; first subtract the "
            "same number from all scores."
        )


def one_precision(scores):
    """Bring the scores of several systems to one precision, if some have that of float32.

    `scores` (sequence of ndarray of float64, shape (n,)): scores of each system on the same items.

    Returns list of ndarray of float64. The same scores, or, if those of one system are numbers of
    float32, all of them in that precision and in their shortest decimal form, so that 0.1 equals
    0.1.
    """
    if not any(map(_is_single, scores)):
        return list(scores)
    single = [pa.array(side.astype(np.float32)).cast(pa.string()) for side in scores]
    return [side.cast(pa.float64()).to_numpy() for side in single]


def _is_single(values):
    """Tell whether numbers are of float32, and not such that float64 writes them as shortly."""
    with np.errstate(over="ignore"):
        if not np.array_equal(values[:100].astype(np.float32), values[:100]):
            return False
        same = np.array_equal(values.astype(np.float32), values)
    scaled = values * SHORT
    return same and not np.array_equal(np.rint(scaled), scaled)


def sizes(file, column, rows=None):
    """Turn a column into denominators, finite numbers above 0.

    `file`, `column`, `rows`: as in `numbers`.

    Returns ndarray of float64. The denominators.

    Raises `InputError`: as `numbers`, and if one is not above 0.
    """
    values = numbers(file, column, "size", rows)
    if (values <= 0).any():
        index = int((values <= 0).argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the size is {values[index]:g}, but the denominator of "
            "a score must be above 0; leave the item out for both systems."
        )
    return values


def refuse_above(file, name, scores, size):
    """Refuse scores above their sizes.

    `file`: file, for the message. `name`: row -> identifier and dataset of an item. `scores`,
    `size` (ndarray of float64, shape (n,)): numerators and denominators of the same items.

    Raises `InputError`: if a numerator is above its denominator.
    """
    if (scores > size).any():
        row = int((scores > size).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: item {identifier!r} of {dataset!r} has the score {scores[row]:g} and the "
            f"size {size[row]:g}, but no score can exceed its size; correct one of the two, or "
            "set the size to the highest possible score, such as the number of words."
        )


def belonging(file, used, called=headers.of_units):
    """Read the columns that are called as units are, and that nobody names.

    `file`: str, Path or Table. `used` (iterable of str): headers that are named. `called`: what
    lists such headers; `headers.of_contents` those of what items hold.

    Returns dict of str to pyarrow.ChunkedArray. Header -> text, "" in an empty cell; without
    columns that hold lists or the like, and those of which two have one header: a fault in a column
    that nobody names is none.
    """
    known, found = delimited.read_headers(file), {}
    taken = {header.strip().casefold() for header in used}
    for header in called(known):
        if known.count(header) == 1 and header.strip().casefold() not in taken:
            with contextlib.suppress(InputError, pa.ArrowException):
                column = delimited.flat(delimited.columns(file, {header: header})[header])
                found[header] = column.cast(pa.string()).fill_null("")
    return found


ASKED = {
    "size": "each score counts a part of its size, such as the correct words of a sentence",
    "gold": "the ratings of the systems should be correlated with it",
}
"""Maps each role that changes the question, and must be declared, to its meaning."""


def asked(file, header, role):
    """Say that a column without a role is called as one that changes the question."""
    return (
        f"{file} has a column {header!r} without a role. If {ASKED[role]}, specify the column "
        f"with {checks.given(role, repr(header))}; otherwise, leave it out with "
        f"{checks.given('ignore', [header])}."
    )


def refuse_pooled(file, table, remedy):
    """Refuse a table that is read as one dataset but seems to hold several.

    `file`: file, for the message. `table` (pyarrow.Table): columns that may tell datasets apart.
    `remedy`: from the header to a clause that says what to do.

    Raises `InputError`: if one has from two different values up to half as many as there are rows.
    """
    for header in table.column_names:
        with readable(file, table[header], header):
            found = pc.unique(table[header].cast(pa.string()))
        if 2 <= len(found) <= table.num_rows / 2:
            shown = ", ".join(map(repr, found[:LISTED].to_pylist()))
            raise InputError(
                f"{file} is read as one dataset, but its column {header!r} has {len(found):,} "
                f"different values, such as {shown}; {remedy(header)}."
            )


def in_blocks(column):
    """Tell whether text has few different values, and equal ones follow each other.

    `column` (pyarrow.ChunkedArray): a column of any type.

    Returns bool. Whether it may name the datasets of a table, `ROWS` rows or more of each on
    average.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if not is_text or len(column) < 2 * ROWS:
        return False
    codes, labels = pd.factorize(column.to_numpy())
    changes = int((codes[1:] != codes[:-1]).sum())
    return 2 <= len(labels) <= len(column) / ROWS and changes == len(labels) - 1


def refuse_split(file, datasets, header, table):
    """Refuse a column that parts the rows of a dataset and has no role.

    `file`: file, for the message. `datasets` (pyarrow.ChunkedArray): dataset of each row. `header`:
    header of that column. `table` (pyarrow.Table): columns with a header in `headers.TELLING`,
    without a role.

    Raises `InputError`: if one has from two different values up to half as many as there are rows
    in a dataset.
    """
    for name in table.column_names:
        with readable(file, table[name], name):
            rows = pa.table(
                {"dataset": datasets.cast(pa.string()), "part": table[name].cast(pa.string())}
            )
        counts = rows.group_by("dataset").aggregate([("part", "count_distinct"), ("part", "count")])
        parts, n = (counts[f"part_{what}"].to_numpy() for what in ("count_distinct", "count"))
        split = np.flatnonzero((parts >= 2) & (parts <= n / 2))
        if split.size:
            where = counts["dataset"][int(split[0])].as_py()
            raise InputError(
                f"{file}: the dataset {where!r} has {parts[split[0]]:,} different values in the "
                f"column {name!r}. If they are separate datasets, specify both columns with "
                f"{checks.given('dataset', [header, name])}; otherwise, leave the column out with "
                f"{checks.given('ignore', [name])}."
            )


def refuse_contents(file, systems, name, columns, rows):
    """Refuse an item that holds one thing for a system and another for a second one.

    `file`: file, for the message. `systems` (sequence of str): names of the systems. `name`: place
    of an item -> how a message calls it. `columns` (dict of str to pyarrow.ChunkedArray): header ->
    text of each row, as `belonging` returns it. `rows` (sequence of ndarray of int, shape (n,)):
    rows of each system, in one order of the items.

    Raises `InputError`: if two texts that are not empty differ.
    """
    for header, column in columns.items():
        found, labels = encoded(column)
        merged, labels = encoded(one_form(labels.cast(pa.string())))
        found, blank = merged[found], pc.equal(labels, "").to_numpy(zero_copy_only=False)
        here = found[rows[0]]
        for system, other in zip(systems[1:], rows[1:], strict=True):
            there = found[other]
            apart = np.flatnonzero((here != there) & ~blank[here] & ~blank[there])
            pairs = ((k, labels[here[k]].as_py(), labels[there[k]].as_py()) for k in apart)
            apart = next((pair for pair in pairs if not _alike(*pair[1:])), None)
            if apart is None:
                continue
            one, two = map(checks.cut, apart[1:])
            moved = np.array_equal(np.sort(here), np.unique(there))
            remedy = "give each item its own identifier"
            if moved:
                remedy = (
                    f"match the items by this column with {checks.given('instance', repr(header))}"
                )
            raise InputError(
                f"{file}: item {name(apart[0])} has {one} in the column {header!r} for "
                f"{systems[0]}, but {two} for {system}. If these are different items, {remedy}; "
                f"otherwise, leave the column out with {checks.given('ignore', [header])}."
            )


def kept(columns):
    """Return the contents and prompts of items for a `Dataset`, by the first column of each.

    `columns` (dict of str to pyarrow.ChunkedArray): as for `refuse_contents`, of the items.

    Returns dict of str to pyarrow.StringArray. The texts of `contents` and `prompts`, null where
    they are empty.
    """
    found = {}
    for header in sorted(columns):
        key = "prompts" if header.strip().casefold().startswith("prompt") else "contents"
        texts = one_form(columns[header].combine_chunks())
        found.setdefault(key, pc.if_else(pc.equal(texts, ""), None, texts))
    return found


def _alike(one, two):
    """Tell whether two texts are one number or truth value, or differ in case alone."""
    if one.casefold() == two.casefold():
        return True
    return delimited.is_number(one) and delimited.is_number(two) and float(one) == float(two)


def refuse_sizes(file, systems, name, a, b):
    """Refuse sizes of an item that differ between systems.

    `file`: file, for the message. `systems` (sequence of str): names of the systems. `name`: row ->
    identifier and dataset of an item. `a`, `b` (ndarray of float64, shape (n,)): sizes of the same
    items.

    Raises `InputError`: if two differ.
    """
    if (a != b).any():
        row = int((a != b).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: item {identifier!r} of {dataset!r} has the size {a[row]:g} for {systems[0]} "
            f"and {b[row]:g} for {systems[1]}, but an item's size must be the same for both; "
            "correct one of the two."
        )


def names(file, column, name, rows=None):
    """Encode a column of names, without blanks around them and in one Unicode form.

    `file`, `column`, `name`, `rows`: as in `identifiers`.

    Returns `codes` (ndarray of int): code of each row. `labels` (pyarrow.StringArray): the
    different names.

    Raises `InputError`: if one is empty; the message names the line.
    """
    refuse_blank(file, column, name, rows)
    with readable(file, column, name):
        found, labels = encoded(column)
        labels = labels.cast(pa.string())
    plain = one_form(labels)
    if plain.equals(labels):
        return found, labels
    merged, labels = encoded(plain)
    refuse_blank(file, pa.chunked_array([labels.take(pa.array(merged[found]))]), name, rows)
    return merged[found], labels


def one_form(names):
    """Return names without blanks around them and in the composed Unicode form."""
    trimmed = pc.utf8_trim_whitespace(names)
    if pc.all(pc.string_is_ascii(trimmed)).as_py() is not False:
        return trimmed
    # Not by `utf8_normalize`: in pyarrow 25 its composed form is the decomposed one.
    composed = [n if n is None else unicodedata.normalize("NFC", n) for n in trimmed.to_pylist()]
    made = pa.array(composed, trimmed.type)
    return made if isinstance(trimmed, pa.Array) else pa.chunked_array([made])


def encoded(column):
    """Encode a column.

    `column` (pyarrow.Array or pyarrow.ChunkedArray): the cells.

    Returns `codes` (ndarray of int): code of each row. `labels` (pyarrow.Array): the different
    values.
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
        kind = name.removeprefix("number of ").partition(" ")[0]
        raise InputError(
            f"{delimited.called(file)}: the column read as {kind!r} holds {column.type}, which is "
            "neither text nor numbers; choose another column, or recreate the file."
        ) from None


def _from_text(column):
    """Turn text into numbers, NaN where it is none."""
    lower = pc.utf8_lower(column.cast(pa.string()))
    if set(pc.unique(lower).to_pylist()) <= {"true", "false", "", None}:
        truth = pc.equal(lower, "true").cast(pa.float64())
        return pc.if_else(pc.equal(lower, ""), None, truth)
    text = column.cast(pa.string())
    found = pd.to_numeric(text.to_pandas(), errors="coerce").to_numpy(float, na_value=np.nan)
    return pa.array(found)


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
            f"{delimited.place(file, row)}: the {key} is empty, but every row needs one; fill it "
            "in."
        )
