"""One table or arrays with the scores of both systems, and what their columns hold."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.api.columns import (
    Columns,
    Roles,
    Systems,
    alike,
    named_apart,
    of_path,
    source,
)
from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited, matrices, pvalues
from replicability.io.declared import Source
from replicability.io.matching import ONE
from replicability.io.tables import NEEDED, Table, is_frame, of_arrow

# --- one table -----------------------------------------------------------------------------------


def one_table(
    data: object,
    systems: Systems,
    named: Mapping[str, str],
    one_dataset: bool,
    lenient: bool = False,
) -> Source:
    """Find two systems in one table, with a row per instance or per instance and system.

    Parameters
    ----------
    data : object
        A data frame or a path.
    systems : tuple of str or None
        A and B, as far as they are named.
    named : dict of str to str
        Role -> header.
    one_dataset : bool
        Whether the table is one dataset, whatever columns it has.
    lenient : bool, default False
        Whether scores may be missing.

    Returns
    -------
    Source
        The table, with the roles of its columns.

    Raises
    ------
    InputError
        If a column or a system is missing, or it is not said which two systems are compared.
    """
    levels = {"systems": tuple(filter(None, systems)), "lenient": lenient}
    found = source(data, "The frame", named, alone=True, **levels)
    table = Columns(found, named, one_dataset)
    wide = "system" not in named and all(name in table.known for name in systems if name)
    if "system" in table.found and not (wide and any(systems)):
        return _of_rows(table, systems, lenient)
    systems = _two_columns(table, systems)
    table.read({}, systems)
    aggregates.refuse_rows(table.file, table.free, systems, "instance" in table.found)
    if "run" in named:
        raise InputError(
            f"{table.file} has a row for each instance, but {checks.named('run')} tells rows of "
            "one instance apart; lay the systems below each other, with a column 'system'."
        )
    keys = ("dataset", "instance", "size", "gold")
    roles = {key: table.found[key] for key in keys if key in table.found}
    file, roles = completed(table, {"scores": list(systems)} | roles)
    unused = table.unused(systems)
    return Source(file=file, columns=roles, unused=unused, systems=systems, **table.unit)


def _of_rows(table: Columns, systems: Systems, lenient: bool) -> Source:
    """Find two systems in a table with a row for each, or for each instance of each."""
    systems = _two_of(table, systems, names_of_systems(table))
    if table.is_matrix:
        return of_matrix(table, systems, lenient)
    table.needed("instance", "by which the scores of both systems are matched")
    table.needed("score", "which both systems have")
    table.read({})
    keys = ("system", "score", "dataset", "instance", "size", "run")
    file, roles = completed(table, {k: table.found[k] for k in keys if k in table.found})
    unused = table.unused()
    return Source(file=file, columns=roles, unused=unused, systems=systems, **table.unit)


def of_matrix(table: Columns, systems: Sequence[str], lenient: bool = False) -> Source:
    """Lay out a table with a row for each system and a column for each item by instance."""
    found = {key: table.found[key] for key in ("system", "dataset") if key in table.found}
    long = matrices.by_instance(table.file, found, ONE, lenient)
    if "dataset" not in found:
        items = len(long["instance"].unique())
        aggregates.refuse_few(str(table.file), items, long["score"].drop_null().to_numpy())
    columns = {key: key for key in long.column_names}
    file = of_arrow(long, str(table.file))
    told = found | {"instance": "", "score": ""}
    told.setdefault("dataset", "")
    return Source(file=file, columns=columns, named=told, unused=(), systems=tuple(systems))


def names_of_systems(table: Columns) -> list[str]:
    """List the systems of a table with one row per instance and system, in their order."""
    column = delimited.columns(table.file, {"system": table.found["system"]})["system"]
    cells.refuse_blank(table.file, column, "system")
    with cells.readable(table.file, column, "system"):
        return pc.unique(column.cast(pa.string())).to_pylist()


def _two_columns(table: Columns, systems: Systems) -> tuple[str, str]:
    """Return the headers of the scores of A and B."""
    for name in filter(None, systems):
        if name.strip().casefold() not in (known.strip().casefold() for known in table.known):
            raise InputError(
                f"{table.file} has no column {name!r} and no column 'system' in which it could "
                f"stand; its columns are {checks.listed(table.known)}"
                f"{checks.nearest(name, table.known)}"
            )
    a, b = systems
    if a and b and a != b:
        found = [delimited.header_of(table.file, name, table.known) for name in (a, b)]
        return found[0], found[1]
    _refuse_pvalues(table, systems)
    return _two_of(table, systems, table.numeric())


def _refuse_pvalues(table: Columns, systems: Systems) -> None:
    """Refuse a column that is called as p-values are, where no column is named."""
    free = [header for header in table.known if header not in table.found.values()]
    called = next(filter(pvalues.PVALUE.match, free), None)
    if called and not any(systems):
        raise InputError(
            f"{table.file} seems to hold p-values (column {called!r}); count from them with the "
            "command pvalues, in Python with count(), or name the columns of the scores with "
            f"{checks.named('systems')}."
        )


def _two_of(table: Columns, systems: Systems, known: list[str]) -> tuple[str, str]:
    """Return A and B, of which one or both may follow from there being two."""
    rows = "system" in table.found
    what = "system" if rows else "column of numbers"
    for name in filter(None, systems):
        checks.choice(f"{table.file}: {what}", name, known)
    a, b = systems
    if a and b:
        if a == b:
            raise InputError(alike(a))
        return a, b
    if len(known) != 2:
        where = f"in its column {table.found['system']!r}" if rows else "that may be scores"
        there = f"{len(known) or 'no'} {what if rows else 'column'}{'s' * (len(known) != 1)}"
        listed = f" ({cells.some(known)})" if known else ""
        raise InputError(
            f"{table.file} has {there}{'' if rows else ' of numbers'} {where}{listed}, but a "
            f"comparison has two; {_remedy(rows, len(known))}."
        )
    if not (a or b):
        return known[0], known[1]
    (other,) = (name for name in known if name != (a or b))
    return a or other, b or other


def _remedy(rows: bool, n: int) -> str:
    """Say what to do where there are not two systems."""
    if rows and n < 2:
        return "add the rows of the other"
    chosen = f"with {checks.named('systems')}, the one claimed better first"
    if rows:
        return f"name two {chosen}"
    return (
        f"name their columns {chosen}, or, where systems are in rows, the column of these with "
        f"{checks.named('system')}"
    )


def completed(table: Columns, roles: Roles) -> tuple[str | Table, Roles]:
    """Add to a table the datasets, if it is one, and identifiers, if systems stand in one row."""
    missing = {key for key in ("dataset", "instance") if key not in roles}
    if not missing:
        return table.file, roles
    path = table.file
    full = path if isinstance(path, Table) else of_path(path, table.known)
    made = {"dataset": lambda: pa.array([ONE]).take(pa.array(np.zeros(full.n, int)))}
    made["instance"] = lambda: cells.by_place(full.n)
    for key in sorted(missing):
        header = next(name for name in (key, f"{key} ", f" {key}") if name not in full.headers)
        full, roles = full.with_column(header, made[key]()), roles | {key: header}
    return full, roles


# --- arrays --------------------------------------------------------------------------------------


def arrays(data: Mapping[str, Any], systems: Systems) -> Source:
    """Take the scores of two systems, those of A and of B in the same order.

    Parameters
    ----------
    data : dict of str to (array_like, array_like)
        Dataset -> scores of A and of B, each of shape (n,).
    systems : tuple of str or None
        A and B.

    Returns
    -------
    Source
        As of `one_table`.

    Raises
    ------
    InputError
        If there is no dataset, a value is no pair, or arrays differ in length or are not of finite
        numbers.
    """
    systems = named_apart(systems, ("A", "B"))
    if not data:
        raise InputError("There is no dataset; pass dataset -> (scores of A, scores of B).")
    parts = []
    for name, pair in data.items():
        a, b = by_index(f"dataset {str(name)!r}", *_pair(name, pair))
        sides = [
            scores_of(f"dataset {str(name)!r}, scores of {who}", side)
            for who, side in zip(systems, (a, b), strict=True)
        ]
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"dataset {str(name)!r}: {systems[0]} has {len(sides[0]):,} scores and "
                f"{systems[1]} {len(sides[1]):,}; score both systems on the same instances, in the "
                "same order."
            )
        names = {"dataset": [str(name)] * len(sides[0])}
        parts.append(pa.table({**names, **dict(zip("ab", map(pa.array, sides), strict=True))}))
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    places = pa.chunked_array([cells.by_place(part.num_rows) for part in parts])
    file = of_arrow(pa.concat_tables(parts), "The arrays").with_column("instance", places)
    named = {"dataset": "", "instance": "", "scores": ["", ""]}
    return Source(file=file, columns=columns, named=named, unused=(), systems=systems)


def beside(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    """Put the arrays of both systems beside each other, dataset by dataset."""
    for lacking, other, who in ((b, a, "B"), (a, b, "A")):
        missing = [name for name in other if name not in lacking]
        if missing:
            raise InputError(
                f"The dataset {missing[0]!r} is missing for {who}; score both systems on every "
                "dataset."
            )
    return {name: (a[name], b[name]) for name in a}


def _pair(name: object, pair: Any) -> tuple[object, object]:
    what = f"dataset {str(name)!r}"
    if is_frame(pair):
        raise InputError(
            f"{what} is a data frame; concatenate frames of several datasets, with a column "
            "'dataset'."
        )
    try:
        a, b = pair
    except (TypeError, ValueError):
        raise InputError(
            f"{what} is no pair; pass dataset -> (scores of A, scores of B), or {NEEDED}."
        ) from None
    return a, b


def by_index(what: str, *sides: Any) -> list[Any]:
    """Put series in the order of the index of the first; leave anything else as it is."""
    series = [side for side in sides if isinstance(side, pd.Series)]
    for side in series:
        if isinstance(side.index, pd.MultiIndex):
            raise InputError(
                f"{what}: a series has an index of {side.index.nlevels} levels; pass a data frame "
                "by reset_index(), and name its columns."
            )
    if len(series) < len(sides):
        return list(sides)
    first = series[0].index
    for side in series[1:]:
        if side.index.equals(first):
            continue
        for index in (first, side.index):
            if not index.is_unique:
                twice = index[index.duplicated()][0]
                raise InputError(
                    f"{what}: the indexes of the series differ, and '{twice}' occurs more than "
                    "once in one of them; give each instance its own label, or pass arrays in one "
                    "order."
                )
        apart = first.symmetric_difference(side.index)
        if len(apart):
            raise InputError(
                f"{what}: '{apart[0]}' is in the index of one series only; score all systems on "
                "the same instances, or pass arrays, such as by to_numpy(), to match them by place."
            )
    return [side.reindex(first) for side in series]


def scores_of(what: str, values: Any) -> np.ndarray:
    """Return an array of finite numbers, or say what is wrong with it."""
    if np.ma.is_masked(values):
        place = int(np.ma.getmaskarray(values).ravel().argmax())
        raise InputError(
            f"{what}: number {place} (from 0) is masked, but every instance has a score; leave it "
            "out for all systems."
        )
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.zeros((0, 0))
    if found.ndim != 1 or not len(found):
        shape = f"of shape {found.shape}" if found.size else "empty, or of rows of unequal length"
        raise InputError(
            f"{what} are {shape}; pass one number for each instance (numerators and denominators "
            "go into a data frame with a column 'size')."
        )
    name = what[:1].upper() + what[1:]
    try:
        column = pa.chunked_array([pa.array(found, from_pandas=True)])
    except (pa.ArrowException, TypeError, ValueError):
        column = pa.chunked_array([pa.array(list(map(str, found)))])
    return cells.numbers(Table(name, (), (), len(found)), column, "score")
