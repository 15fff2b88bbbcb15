"""Tables with a row for each system and a column for each item, laid out by item."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited, headers
from replicability.io.text import shown


def by_instance(path, roles, name, lenient=False, ignored=()):
    """Lay out a table with a row for each system by item.

    `roles` (dict of str to str): "system" and, if the table has several datasets, "dataset" ->
    header. `name`: name of the dataset of a table without such a column. `lenient`: whether a cell
    may be empty without a column of datasets. `ignored` (sequence of str): headers of columns that
    are no items.

    Returns pyarrow.Table. As `read` returns it.

    Raises `InputError`: if there is no item, a cell is empty or no number, a system has two rows,
    or a column is no item by its header, or by its numbers, if nearly all others lie in [0, 1].
    """
    known = delimited.read_headers(path)
    places = delimited.positions(path, known, roles)
    left_out = {delimited.header_of(path, header, known) for header in ignored}
    items = [h for i, h in enumerate(known) if i not in places.values() and h not in left_out]
    aggregates.refuse_headers(path, items)
    for header in headers.telling(items):
        raise InputError(
            f"{shown(path)}: each row is a system and each column an item, but the name of the "
            f"column {header!r} suggests datasets; specify it with "
            f"{checks.given('dataset', repr(header))}, or leave it out with "
            f"{checks.given('ignore', [header])}."
        )
    for header in headers.no_items(items):
        raise _no_item(path, header, "has a name that suggests a property of the systems")
    if not items:
        raise InputError(
            f"{shown(path)} has no columns other than {', '.join(roles.values())}; add a column "
            "for each item."
        )
    table = delimited.columns(path, {header: header for header in known})
    system = table[known[places["system"]]]
    cells.refuse_blank(path, system, "system")
    datasets = pa.chunked_array([[name] * table.num_rows])
    if "dataset" in places:
        datasets = table[known[places["dataset"]]]
        cells.refuse_blank(path, datasets, "dataset")
    datasets, system = (_words(column) for column in (datasets, system))
    _refuse_twice(path, datasets, system)
    may_lack = lenient or "dataset" in places
    scores = np.column_stack([_scores(path, table[i], i, may_lack) for i in items])
    here = ~np.isnan(scores)
    odd = ((scores < 0) | (scores > 1)).any(axis=0)
    if 0 < odd.sum() <= len(items) / 10:
        header = items[int(odd.argmax())]
        raise _no_item(path, header, "has numbers outside [0, 1], unlike most columns")
    if lenient:
        for dataset in set(datasets):
            here[datasets == dataset] = here[datasets == dataset].any(axis=0)
    rows, columns = np.nonzero(here | (lenient and "dataset" not in places))
    return pa.table(
        {
            "dataset": pa.array(datasets[rows], pa.string()),
            "instance": pa.array(np.array(items, object)[columns], pa.string()),
            "system": pa.array(system[rows], pa.string()),
            "score": pa.array(scores[rows, columns], from_pandas=True),
        }
    )


def _no_item(path, header, why):
    """Refuse a column that seems to hold no scores of an item."""
    rows = (
        f"If this column names an item in each row, write {checks.given('instance', repr(header))}."
    )
    return InputError(
        f"{shown(path)}: each row is a system and each column an item, but the column {header!r} "
        f"{why}; leave it out with {checks.given('ignore', [header])}. If it is an item, write "
        "the items below each other, with the columns 'instance', 'system' and "
        f"'score'.{f' {rows}' * bool(headers.of_units([header]))}"
    )


def _words(column):
    return np.array(cells.one_form(column.cast(pa.string())).to_pylist(), object)


def _refuse_twice(path, datasets, systems):
    """Refuse two rows of one system, in one dataset."""
    seen = set()
    for row, key in enumerate(zip(datasets, systems, strict=True)):
        if key in seen:
            raise InputError(
                f"{delimited.place(path, row)}: {key[1]!r} has a second row for the dataset "
                f"{key[0]!r}, but each system may have only one; keep one of them, or use "
                f"{checks.named('dataset')} to specify the column that names the datasets. If each "
                f"row is an item, use {checks.named('instance')} and {checks.named('score')} to "
                "specify the columns that hold identifiers and scores."
            )
        seen.add(key)


def _scores(path, column, item, may_lack):
    """Return the scores of an item; NaN where it is of another dataset and the cell is empty."""
    blank = column.is_null()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        blank = pc.fill_null(pc.equal(column, ""), True)
    blank = blank.to_numpy()
    rows = np.flatnonzero(~blank) if may_lack else np.arange(len(column))
    found = np.full(len(column), np.nan)
    name = f"score of item {item!r}"
    found[rows] = cells.numbers(path, column.take(pa.array(rows)), name, rows)
    return found
