"""A table of identifiers and scores for each dataset and system."""

import dataclasses

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, cells, datasets, delimited, headers, matching, missing
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import shown


def _read(comparison):
    """Read a table for each dataset and system."""
    whole = dataclasses.replace(comparison, datasets=()) if comparison.by else comparison
    places = datasets.find(whole)
    for files in places.values():
        for side in "ab":
            _refuse_roles(comparison, files[side])
    if not comparison.by:
        found = [_pair(comparison, name, files)[0] for name, files in places.items()]
        aggregates.refuse_single(comparison.source, [*places], [*map(len, found)])
        return found
    found = []
    for name, files in places.items():
        dataset, parts = _pair(comparison, name, files)
        found += _parted(dataset, parts, f"{name} / " if len(places) > 1 else "")
    return datasets.chosen(comparison, found)


def _refuse_roles(comparison, path):
    """Refuse a column that may hold sizes, or tell several datasets apart, and has no role."""
    used = {*comparison.columns.values(), comparison.by, *comparison.ignore}
    used = {header.strip().casefold() for header in used}
    known = delimited.read_headers(path)
    for header in comparison.ignore:
        delimited.header_of(path, header, known)
    free = [header for header in known if header.strip().casefold() not in used]
    for header in free:
        if header.strip().casefold() == "size":
            raise InputError(cells.asked(shown(path), header, "size"))
    told = [] if comparison.by else headers.telling(free)
    if told:
        cells.refuse_pooled(
            shown(path),
            delimited.columns(path, {name: name for name in told}),
            lambda header: (
                f"split the table with {checks.given('by', repr(header))}, or leave the column "
                f"out with {checks.given('ignore', [header])}"
            ),
        )


def _pair(comparison, dataset, files):
    """Put the scores of both tables beside each other; return the part of each row, too."""
    wanted = comparison.columns | ({"by": comparison.by} if comparison.by else {})
    tables = [delimited.columns(files[side], wanted) for side in "ab"]
    names = [shown(files[side]) for side in "ab"]
    used = [*headers.named(comparison.columns), *comparison.ignore, *filter(None, [comparison.by])]
    held = [cells.belonging(files[side], used, headers.of_contents) for side in "ab"]
    shared = [header for header in held[0] if header in held[1]]
    for place, texts in enumerate(held):
        for header in shared:
            tables[place] = tables[place].append_column(header, texts[header])
    ids = [
        cells.identifiers(path, table["instance"])
        for path, table in zip((files["a"], files["b"]), tables, strict=True)
    ]
    for side, of in zip("ab", ids, strict=True):
        aggregates.refuse_averages(files[side], of)
    lenient = comparison.missing != missing.REFUSE
    scores = [
        cells.numbers(files[side], table["score"], "score", blank=lenient)
        for side, table in zip("ab", tables, strict=True)
    ]
    parts, lacked = missing.of_files(comparison, dataset, ids, scores)
    if lacked:
        ids = [part.of(ids) for part in parts]
        both = pa.concat_tables([table.drop_columns("score") for table in tables])
        tables = [both.take(pa.array(part.take)) for part in parts]
    a, b = (part.values for part in parts)
    sides, differences = list(zip(comparison.systems, names, ids, strict=True)), ()
    if comparison.match == "place":
        (_, order), differences = matching.by_place(sides)
    else:
        _, order = matching.match(dataset, sides)
    b = b[order]
    cells.refuse_contents(
        " and ".join(names),
        comparison.systems,
        lambda row: f"{ids[0][row].as_py()!r} of {dataset!r}",
        {of: pa.chunked_array([*tables[0][of].chunks, *tables[1][of].chunks]) for of in shared},
        [np.arange(len(order)), len(order) + order],
    )
    if "size" in comparison.columns:
        size = _sizes(comparison, dataset, files, tables, ids[0], order, (a, b))
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    parts = _parts(files, tables, ids[0], order) if comparison.by else None
    kept = cells.kept({header: tables[0][header] for header in shared})
    return Dataset(dataset, ids[0], a, b, differences=differences, missing=lacked, **kept), parts


def _sizes(comparison, dataset, files, tables, ids, order, scores):
    """Return the sizes of items, the same in both tables and not below a score."""
    names = [shown(files[side]) for side in "ab"]
    size, size_b = (
        cells.sizes(files[side], table["size"]) for side, table in zip("ab", tables, strict=True)
    )

    def name(row):
        return ids[row].as_py(), dataset

    cells.refuse_sizes(names[1], comparison.systems, name, size, size_b[order])
    for path, side in zip(names, scores, strict=True):
        cells.refuse_above(path, name, side, size)
    return size


def _parts(files, tables, ids, order):
    """Return the part of each row, which both tables give to an item."""
    a, b = (
        np.array(cells.identifiers(files[side], table["by"], name="part").to_pylist(), object)
        for side, table in zip("ab", tables, strict=True)
    )
    differ = np.flatnonzero(a != b[order])
    if len(differ):
        row = differ[0]
        raise InputError(
            f"{shown(files['b'])}: item {ids[row].as_py()!r} belongs to the dataset "
            f"{b[order][row]!r}, but in {shown(files['a'])} it belongs to {a[row]!r}; correct one "
            "of the two."
        )
    return a


def _parted(dataset, parts, prefix):
    """Part a dataset by the values of a column, in the order of their first rows."""
    found = []
    for part in dict.fromkeys(parts):
        rows = np.flatnonzero(parts == part)
        ids = dataset.identifiers.take(pa.array(rows))
        found.append(
            Dataset(
                f"{prefix}{part}",
                ids,
                dataset.a[rows],
                dataset.b[rows],
                differences=dataset.differences,
            )
        )
    return found


FORMAT = Format(
    name="folders",
    title="one table per dataset and system",
    instance="a row",
    read=_read,
    keys=("files", "columns"),
    columns=("instance", "score"),
    options=("size", "by", "match", "missing", "ignore"),
)
