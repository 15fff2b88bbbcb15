"""What is compared: frames, arrays and files, declared as a study would declare them."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, delimited, formats, scales
from replicability.io.datasets import names_of
from replicability.io.held import NEEDED, Held, hold, is_frame, of_file, of_table
from replicability.io.instances import ONE
from replicability.io.text import existing

ROLES = ("dataset", "instance", "system", "score", "size")
"""What a column can be by its header alone."""

POOLED = "name it with dataset={!r}, or pass one_dataset=True"
"""What to do with a table that may hold several datasets."""

Systems = tuple[str | None, str | None]
"""Names of A and B, as far as they are given."""

Declared = dict[str, Any]
"""Fields of `study.Comparison`."""


class Columns:
    """The headers of a table by what they hold, as named or by convention.

    Attributes
    ----------
    file : str
        The table: a path, or a `Held` one.
    known : list of str
        Its headers.
    found : dict of str to str
        Role -> header.
    """

    def __init__(self, file: str, named: Mapping[str, str], one_dataset: bool) -> None:
        self.file, self.one_dataset = file, one_dataset
        self.known = delimited.read_headers(file)
        alike = {header.strip().casefold(): header for header in reversed(self.known)}
        self.found = {role: alike[role] for role in ROLES if role in alike}
        if one_dataset:
            self.found.pop("dataset", None)
        for role, header in named.items():
            self.found[role] = delimited.header_of(file, header, self.known)
        delimited.positions(file, self.known, {h: h for h in self.found.values()})

    def needed(self, role: str, why: str) -> str:
        """Return the header of a role, or say what it is needed for."""
        if role not in self.found:
            raise InputError(
                f"{self.file} has no column {role!r}, {why}; name it with {role}=, one of "
                f"{checks.listed(self.known)}."
            )
        return self.found[role]

    def refuse_pooled(self, used: Iterable[str] = ()) -> None:
        """Refuse a table of one dataset that has a column which tells several apart."""
        if "dataset" in self.found or self.one_dataset:
            return
        taken = {*self.found.values(), *used}
        told = [header for header in cells.telling(self.known) if header not in taken]
        if told:
            table = delimited.columns(self.file, {header: header for header in told})
            cells.refuse_pooled(self.file, table, POOLED)

    def numeric(self) -> list[str]:
        """List the columns of numbers that have no role."""
        others = [header for header in self.known if header not in self.found.values()]
        table = delimited.columns(self.file, {header: header for header in others})
        return [header for header in others if _of_numbers(table[header])]


def _of_numbers(column: pa.ChunkedArray) -> bool:
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return True
    if not pa.types.is_string(kind):
        return pa.types.is_decimal(kind)
    found = column.drop_null().to_pylist()
    return bool(found) and all(map(delimited.is_number, found))  # as those of a text file are


# --- one table -----------------------------------------------------------------------------------


def one_table(
    data: object, systems: Systems, named: Mapping[str, str], one_dataset: bool
) -> Declared:
    """Declare two systems of one table, with a row per instance or per instance and system.

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

    Returns
    -------
    dict
        ``file``, ``columns``, ``systems`` and ``unit`` of a `study.Comparison`.

    Raises
    ------
    InputError
        If a column or a system is missing, or it is not said which two systems are compared.
    """
    table = Columns(_source(data, "The frame"), named, one_dataset)
    wide = "system" not in named and all(name in table.known for name in systems if name)
    if "system" in table.found and not (wide and any(systems)):
        systems = _two_of(table, systems, names_of_systems(table), "system")
        table.needed("instance", "by which the scores of both systems are matched")
        table.needed("score", "which both systems have")
        roles = {role: table.found[role] for role in ("system", "score")}
        table.refuse_pooled()
    else:
        systems = _two_columns(table, systems)
        roles = {"scores": list(systems)}
        table.refuse_pooled(systems)
        if "run" in named:
            raise InputError(
                f"{table.file} has a row for each instance, but run= tells rows of one instance "
                "apart; lay the systems below each other, with a column 'system'."
            )
    keys = ("dataset", "instance", "size", "gold", "run")
    roles |= {key: table.found[key] for key in keys if key in table.found}
    file, roles = _completed(table, roles)
    return {"file": file, "columns": roles, "systems": systems} | _unit(table)


def many_systems(
    data: object, systems: Sequence[str], named: Mapping[str, str], one_dataset: bool
) -> Declared:
    """Declare three or more systems of one table; arguments and result as `one_table`."""
    table = Columns(_source(data, "The frame"), named, one_dataset)
    if "system" in table.found:
        table.needed("instance", "by which the scores of the systems are matched")
        table.needed("score", "which all systems have")
        table.refuse_pooled()
        keys = [key for key in (*ROLES, "run") if key in table.found]
        file, roles = _completed(table, {key: table.found[key] for key in keys})
        return {"file": file, "columns": roles, "systems": tuple(systems)}
    headers = list(systems) or table.numeric()
    for header in headers:
        checks.choice(f"{table.file}: column", header, table.known)
    table.refuse_pooled(headers)
    return _melted(table, headers) | {"systems": tuple(headers)}


def _melted(table: Columns, headers: list[str]) -> Declared:
    """Lay the columns of systems below each other."""
    keys = ("dataset", "instance", "size")
    file, roles = _completed(table, {k: table.found[k] for k in keys if k in table.found})
    read = delimited.columns(file, roles | {f"score {h}": h for h in headers})
    n = read.num_rows
    long = {key: pa.concat_arrays([read[key].combine_chunks()] * len(headers)) for key in roles}
    long["system"] = pa.array(np.repeat(headers, n))
    scores = [cells.numbers(file, read[f"score {h}"], h) for h in headers]
    long["score"] = pa.array(np.concatenate(scores))
    return {"file": of_table(pa.table(long), str(file)), "columns": {key: key for key in long}}


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
    return _two_of(table, systems, table.numeric(), "column of numbers")


def _two_of(table: Columns, systems: Systems, known: list[str], what: str) -> tuple[str, str]:
    """Return A and B, of which one or both may follow from there being two."""
    for name in filter(None, systems):
        checks.choice(f"{table.file}: {what}", name, known)
    a, b = systems
    if a and b:
        if a == b:
            raise InputError(f"a and b are both {a!r}; name two systems.")
        return a, b
    if len(known) != 2:
        there = f"{len(known)} ({checks.listed(known)})" if known else "none"
        raise InputError(
            f"{table.file} has {there} that may be a system, each a {what}; say with a= which is "
            "claimed better and with b= than which."
        )
    if not (a or b):
        return known[0], known[1]
    (other,) = (name for name in known if name != (a or b))
    return a or other, b or other


def _completed(table: Columns, roles: Declared) -> tuple[str, Declared]:
    """Add to a table the datasets, if it is one, and identifiers, if systems stand in one row."""
    missing = {key for key in ("dataset", "instance") if key not in roles}
    if not missing:
        return table.file, roles
    path = table.file
    held = (
        path
        if isinstance(path, Held)
        else of_file(path, table.known, lambda h: delimited.columns(path, {h: h})[h])
    )
    made = {"dataset": lambda: pa.array([ONE]).take(pa.array(np.zeros(held.n, int)))}
    made["instance"] = lambda: cells.by_place(held.n)
    for key in sorted(missing):
        header = next(name for name in (key, f"{key} ", f" {key}") if name not in held.headers)
        held, roles = held.with_column(header, made[key]()), roles | {key: header}
    return held, roles


def _unit(table: Columns) -> Declared:
    """Return the column of units, unless it is that of the instances."""
    unit = table.found.get("unit")
    return {} if unit in (None, table.found.get("instance")) else {"unit": unit}


def _source(data: object, name: str) -> str:
    """Return the path of a file, or a frame under a name."""
    if isinstance(data, str | os.PathLike):
        return str(existing(Path(data).absolute()))
    return hold(data, name)


# --- two tables, or files ------------------------------------------------------------------------


def two_tables(
    sides: tuple[object, object],
    systems: Systems,
    named: Mapping[str, str],
    one_dataset: bool,
) -> Declared:
    """Declare two systems, each in a table of its own, matched by dataset and identifier.

    Arguments, result and errors are as those of `one_table`.
    """
    systems = _named_apart(systems, ("A", "B"))
    if "gold" in named:
        raise InputError(
            "gold= names a column of one table in which the scores of both systems stand; lay the "
            "two beside each other first."
        )
    tables = [
        Columns(_source(data, f"The frame of {name}"), named, one_dataset)
        for data, name in zip(sides, systems, strict=True)
    ]
    having = [table for table in tables if "dataset" in table.found]
    if len(having) == 1:
        (lacking,) = (table for table in tables if table is not having[0])
        raise InputError(
            f"{lacking.file} has no column of datasets, but {having[0].file} has "
            f"{having[0].found['dataset']!r}; add it, or pass one_dataset=True."
        )
    parts = [_side(table, name) for table, name in zip(tables, systems, strict=True)]
    if parts[0].column_names != parts[1].column_names:
        (key,) = set(parts[0].column_names) ^ set(parts[1].column_names)
        raise InputError(
            f"Only one of the tables of {systems[0]} and {systems[1]} has a {key}; give each "
            "instance one in both."
        )
    together = of_table(pa.concat_tables(parts), " and ".join(str(t.file) for t in tables))
    columns = {key: key for key in parts[0].column_names if key != "unit"}
    unit = {"unit": "unit"} if "unit" in together.headers else {}
    return {"file": together, "columns": columns, "systems": systems} | unit


def _side(table: Columns, system: str) -> pa.Table:
    """Read the scores of one system."""
    table.needed("instance", "by which the scores of both systems are matched")
    table.needed("score", "which both systems have")
    scales.refuse_lower(f"{table.file}: column", table.found["score"])
    table.refuse_pooled()
    keys = ("dataset", "instance", "score", "size", "run")
    wanted = {key: table.found[key] for key in keys if key in table.found}
    wanted |= _unit(table)
    read = delimited.columns(table.file, wanted)
    n = read.num_rows
    side: dict[str, Any] = {"dataset": [ONE] * n, "system": [system] * n}
    for key in wanted:
        if key in ("score", "size"):
            check = cells.sizes if key == "size" else cells.numbers
            more = () if key == "size" else (key,)
            side[key] = check(table.file, read[key], *more)
        else:
            side[key] = cells.identifiers(table.file, read[key], name=key)
    return pa.table({key: pa.array(side[key]) for key in sorted(side)})


def two_paths(
    paths: tuple[str, str],
    systems: Systems,
    named: Mapping[str, str],
    one_dataset: bool,
    declared: Declared,
) -> Declared:
    """Declare two files or folders of any format; `declared` may have format, metric and filter.

    Of translations it may have documents, too, which are taken out of it.

    Arguments, result and errors are else as those of `one_table`.
    """
    a, b = (Path(path).absolute() for path in paths)
    for side in (a, b):
        existing(side, folder=None)
    if a.samefile(b):
        raise InputError(f"Both systems are read from {paths[0]}; name the file or folder of each.")
    systems = _named_apart(systems, names_of(a, b))
    kind = declared.get("format") or formats.guess(a)
    found = formats.get(kind)
    if kind == "table":
        return two_tables((a, b), systems, named, one_dataset)
    if found.needs_gold != ("gold" in named):
        raise InputError(
            f"The format {kind!r} has outputs, which are compared with gold files; name them with "
            "gold=."
            if found.needs_gold
            else f"The format {kind!r} has scores, and no gold files; leave gold= out, or name the "
            "format= of your outputs."
        )
    meant = {"gold", "run", *found.columns, *(("size",) if found.columns else ())}
    for key in named:
        if key not in meant:
            raise InputError(
                f"{key}= names a column of a table, and has no meaning in the format {kind!r}; "
                "leave it out."
            )
    files = _roles(found, named, declared) | {"a": str(a), "b": str(b)}
    units = {"unit": formats.DOCUMENT} if formats.DOCUMENTS in files else {}
    columns = {key: named.get(key, key) for key in found.columns}
    columns |= {key: named[key] for key in ("size", "run") if key in named}
    metric = declared.get("metric") or next(iter(found.metrics), "")
    return units | {
        "format": kind, "files": files, "columns": columns, "systems": systems, "metric": metric
    }  # fmt: skip


def _roles(found: formats.Format, named: Mapping[str, str], declared: Declared) -> dict[str, str]:
    """Return the files beside those of the systems; those that `declared` has are taken out."""
    given = {"gold": named["gold"]} if "gold" in named else {}
    given |= {role: declared.pop(role) for role in found.also if declared.get(role)}
    return {role: str(Path(path).absolute()) for role, path in given.items()}


def _named_apart(systems: Systems, otherwise: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two systems."""
    a, b = (name or other for name, other in zip(systems, otherwise, strict=True))
    if a == b:
        raise InputError(f"Both systems have the name {a!r}; pass two with a= and b=.")
    return a, b


# --- arrays --------------------------------------------------------------------------------------


def arrays(data: Mapping[str, Any], systems: Systems) -> Declared:
    """Declare the scores of two systems, those of A and of B in the same order.

    Parameters
    ----------
    data : dict of str to (array_like, array_like)
        Dataset -> scores of A and of B, each of shape (n,).
    systems : tuple of str or None
        A and B.

    Returns
    -------
    dict
        As `one_table`.

    Raises
    ------
    InputError
        If there is no dataset, a value is no pair, or arrays differ in length or are not of finite
        numbers.
    """
    systems = _named_apart(systems, ("A", "B"))
    if not data:
        raise InputError("There is no dataset; pass dataset -> (scores of A, scores of B).")
    parts = []
    for name, pair in data.items():
        a, b = _pair(name, pair)
        sides = [
            _scores(f"dataset {str(name)!r}, scores of {who}", side)
            for who, side in zip(systems, (a, b), strict=True)
        ]
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"dataset {str(name)!r}: {systems[0]} has {len(sides[0]):,} scores and "
                f"{systems[1]} {len(sides[1]):,}; score both systems on the same instances, in the "
                "same order."
            )
        n = len(sides[0])
        places = {"dataset": [str(name)] * n, "instance": cells.by_place(n)}
        parts.append(pa.table({**places, **dict(zip("ab", map(pa.array, sides), strict=True))}))
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    file = of_table(pa.concat_tables(parts), "The arrays")
    return {"file": file, "columns": columns, "systems": systems}


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


def _scores(what: str, values: object) -> np.ndarray:
    """Return an array of finite numbers."""
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
    return cells.numbers(Held(name, (), len(found)), column, "score")
