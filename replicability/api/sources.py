"""Where the scores of two systems are: in one table, in two, in files or in arrays."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.api import arrays, sides
from replicability.api.columns import Columns, Roles, Systems, alike, named_apart, of_path
from replicability.api.reading import Given, Reading, framed, kind_of
from replicability.checks import InputError
from replicability.io import (
    aggregates,
    cells,
    delimited,
    formats,
    keys,
    matrices,
    pvalues,
    questions,
    study,
)
from replicability.io.declared import Source
from replicability.io.matching import ONE
from replicability.io.tables import Table, of_arrow
from replicability.io.text import composed


def find(data: Any, other: Any, reading: Reading, *, alone: bool = False) -> Source:
    """Find two systems in whatever `replicability.compare` takes, and say how they are read.

    `data`, `other`, `reading`, `alone`: as in `Scores.of`.

    Returns Source.

    Raises `InputError`: if a column or a system is missing, or it is not said which two systems are
    compared.
    """
    fields = keys.given(reading)
    systems = fields.pop("a", None), fields.pop("b", None)
    _part_table(data, fields)
    data, other, given = framed(data), framed(other), Given.of(fields)
    kind = _kind_of(data, other)
    if kind == "a path" and other is not None:
        paths = (os.fspath(data), os.fspath(other))
        found = given.fields.get("format") or formats.guess(paths[0])
        one = {"one_dataset": given.one_dataset}
        formats.refuse_idle(found, {**given.named, **one, **given.fields})
        source = sides.two_paths(paths, systems, given, alone=alone)
    else:
        _refuse_format(given.fields.get("format"), kind)
        formats.refuse_idle("table", given.fields)
        if kind not in ("a path", "a data frame"):
            _refuse_reading(given, kind)
            source = arrays.find(data, other, named_apart(systems, ("A", "B")))
        elif other is None:
            source = replace(one_table(data, systems, given), **given.of_table)
        else:
            source = replace(sides.two_tables((data, other), systems, given), **given.of_table)
    study.check_claims("", questions.given_of(source))
    return given.added_to(source)


def _part_table(data: Any, fields: dict[str, Any]) -> None:
    """Name the column that parts a table into datasets as that of the datasets."""
    several = [key for key in ("by", "dataset", "one_dataset") if key in fields]
    is_path = isinstance(data, str | os.PathLike)
    if fields.get("format", formats.guess(data) if is_path else "table") != "table":
        return
    if len(several) > 1:
        raise InputError(
            f"{checks.enumerated(map(checks.named, several))} each specify the datasets of a "
            "table; use only one of them."
        )
    if "by" in fields:
        fields["dataset"] = fields.pop("by")


def _kind_of(data: object, other: object) -> str:
    """Tell what holds the scores, of both systems alike."""
    kind, of_b = kind_of(data), kind_of(data if other is None else other)
    if kind != of_b:
        raise InputError(
            f"The scores of A are {kind}, but those of B are {of_b}; pass both in the same form."
        )
    return kind


def _refuse_format(named: str | None, kind: str) -> None:
    """Refuse a format that there is not, or that no frame or single file can have."""
    if named is None:
        return
    formats.get(named)
    if named != "table":
        raise InputError(
            f"{checks.named('format')} is {named!r}, which needs a file or folder for each system, "
            f"but you passed {kind}; leave it out, or pass two files or folders."
        )


def _refuse_reading(given: Given, kind: str) -> None:
    """Refuse what says how a table is read where there is none."""
    one = ["one_dataset"] if given.one_dataset else []
    for key in (*given.named, *one, *given.of_table):
        raise InputError(
            f"{key}= sets how a table is read, but the scores are {kind}; leave it out, or pass a "
            "data frame."
        )


def one_table(data: object, systems: Systems, given: Given) -> Source:
    """Find two systems in one table, with a row per item or per item and system.

    `data`: a data frame or a path. `systems` (tuple of str or None): A and B, as far as they are
    named. `given` (Given): how it is read.

    Returns Source. The table, with the roles of its columns.

    Raises `InputError`: if a column or a system is missing, or it is not said which two systems are
    compared.
    """
    if "successes" in given.named or "trials" in given.named:
        return of_counts(data, systems, given)
    table = Columns(data, "The frame", given, alone=True, systems=tuple(filter(None, systems)))
    wide = "system" not in given.named and all(name in table.known for name in systems if name)
    in_rows = "system" in table.found and not (wide and any(systems))
    if "human" in table.found and (not in_rows or table.is_matrix):
        raise InputError(
            f"{table.file}: {checks.named('human')} names a column of human scores, but the "
            "table does not have one row per item and system; reshape it, for example with "
            "melt()."
        )
    if in_rows:
        used: tuple[str, ...] = ()
        systems = _two_of(table, systems, table.systems())
        if table.is_matrix:
            return of_matrix(table, systems, given.lenient)
        if "run" not in table.found:
            table.needed("instance", "which is needed to match the scores of both systems")
        table.needed("score", "which is needed for both systems")
        wanted = [
            "system",
            "score",
            "human",
            "dataset",
            "instance",
            "size",
            "gold",
            "run",
            "within",
        ]
    else:
        systems = used = _two_columns(table, systems)
        wanted = ["dataset", "instance", "size", "gold", "run", "within"]
    table.read({}, used)
    if not in_rows:
        _refuse_repeats(table, systems, given)
    roles = {key: table.found[key] for key in wanted if key in table.found}
    file, roles = completed(table, roles if in_rows else {"scores": list(systems)} | roles)
    unused = table.unused(used)
    more: Roles = {"ignore": table.left_out, **table.unit}
    return Source(file=file, columns=roles, unused=unused, systems=systems, **more)


def of_counts(data: object, systems: Any, given: Given, family: bool = False) -> Source:
    """Find the successes and trials of two systems in one table, or of a family."""
    others = [key for key in given.named if key not in COUNTED]
    if others or given.fields:
        other = next(iter([*others, *given.fields]))
        raise InputError(
            f"{checks.named(other)} applies to item scores, but {checks.named('successes')} and "
            f"{checks.named('trials')} are counts without items; leave {checks.named(other)} out."
        )
    table = Columns(data, "The frame", given, counts=True, alone=True)
    guessed = dict(zip(COUNTED, aggregates.counted(table.known), strict=False))
    for role, other in (COUNTED[:2], COUNTED[1::-1]):
        if other not in given.named:
            such = aggregates.columns(other, guessed[other]) if guessed[other] else ""
            raise InputError(
                f"{table.file}: {checks.named(role)} cannot be used without {checks.named(other)}; "
                f"add {checks.named(other)}{', for example ' * bool(such)}{such}."
            )
    if not given.one_dataset:
        table.needed("dataset", "which tells the dataset of each row")
    of = {
        key: [h for r, h in table.found.items() if r.startswith(f"{key} ")] for key in COUNTED[:2]
    }
    n = len(of["successes"])
    if (n == 2 if family else n > 2) or len(of["trials"]) not in (1, n):
        raise InputError(
            f"{table.file}: the number of columns is {n} for {checks.named('successes')} and "
            f"{len(of['trials'])} for {checks.named('trials')}. In a table with a column of system "
            "names, specify one column of successes and one of trials. Otherwise, specify both for "
            "every system, with the systems in the same order."
        )
    keys = [] if given.one_dataset else ["dataset"]
    if n == 1:
        table.needed("system", "which tells the system of each row")
        known, keys = table.systems(), [*keys, "system"]
        for name in systems if family else ():
            checks.choice(f"{table.file}: system", name, known)
        systems = tuple(systems or known) if family else _two_of(table, systems, known)
    elif family:
        systems = tuple(systems or of["successes"])
        if len(systems) != n:
            raise InputError(
                f"{table.file}: {checks.named('successes')} names {n} columns, but "
                f"{checks.named('systems')} names {len(systems)} systems; specify one column for "
                "each system."
            )
    else:
        systems = named_apart(systems, (of["successes"][0], of["successes"][1]))
    roles: Roles = {key: table.found[key] for key in keys}
    roles |= {key: found if found[1:] else found[0] for key, found in of.items()}
    used = [header for headers in of.values() for header in headers]
    return Source(file=table.file, columns=roles, unused=table.unused(used), systems=systems)


COUNTED = ("successes", "trials", "dataset", "system", "ignore")
"""Keywords that say how to read a table of successes and trials."""


def _refuse_repeats(table: Columns, systems: tuple[str, str], given: Given) -> None:
    """Refuse a table with a column for each system whose rows are not items."""
    if not given.predicted:
        free = [*table.free, *filter(None, [table.found.get("system")])]
        aggregates.refuse_rows(table.file, free, systems, "instance" in table.found)


def of_matrix(table: Columns, systems: Sequence[str], lenient: bool = False) -> Source:
    """Lay out a table with a row for each system and a column for each item by item."""
    found = {key: table.found[key] for key in ("system", "dataset") if key in table.found}
    long = matrices.by_instance(table.file, found, ONE, lenient, table.ignored)
    if "dataset" not in found:
        items = len(long["instance"].unique())
        aggregates.refuse_few(str(table.file), items, long["score"].drop_null().to_numpy())
    columns = {key: key for key in long.column_names}
    file = of_arrow(long, str(table.file))
    told = found | {"instance": "", "score": ""}
    told.setdefault("dataset", "")
    return Source(file=file, columns=columns, named=told, unused=(), systems=tuple(systems))


def _two_columns(table: Columns, systems: Systems) -> tuple[str, str]:
    """Return the headers of the scores of A and B."""
    for name in filter(None, systems):
        if composed(name).casefold() not in (composed(known).casefold() for known in table.known):
            raise InputError(
                f"{table.file} has neither a column {name!r} nor a column 'system' with that "
                "value; choose two of its columns, "
                f"{checks.listed(table.known)}{checks.nearest(name, table.known)}"
            )
    a, b = systems
    if a and b and composed(a) != composed(b):
        found = [delimited.header_of(table.file, name, table.known) for name in (a, b)]
        return found[0], found[1]
    refuse_pvalues(table, systems)
    return _two_of(table, systems, table.numeric())


def refuse_pvalues(table: Columns, systems: Sequence[str | None]) -> None:
    """Refuse a column with a name for p-values, if no column is named."""
    free = [header for header in table.known if header not in table.found.values()]
    called = next(filter(pvalues.PVALUE.match, free), None)
    if called and not any(systems):
        raise InputError(
            f"{table.file} seems to hold p-values (column {called!r}); use the command pvalues "
            "(count() in Python), or specify the score columns with "
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
        if composed(a) == composed(b):
            raise InputError(alike(a))
        return a, b
    if len(known) != 2:
        where = f"in its column {table.found['system']!r}" if rows else "that may be scores"
        there = f"{len(known) or 'no'} {what if rows else 'column'}{'s' * (len(known) != 1)}"
        listed = f" ({cells.some(known)})" if known else ""
        raise InputError(
            f"{table.file} has {there}{'' if rows else ' of numbers'} {where}{listed}, but a "
            f"comparison needs two systems; {_remedy(rows, known)}."
        )
    if not (a or b):
        return known[0], known[1]
    (other,) = (name for name in known if name != (a or b))
    return a or other, b or other


def _remedy(rows: bool, known: list[str]) -> str:
    """Say what to do where there are not two systems."""
    n = len(known)
    if rows and n < 2:
        return "add the rows of the other system"
    some = checks.given("systems", known[:2]) if n > 2 else checks.named("systems")
    chosen = f"the one claimed to be better first,{' for example' * (n > 2)} with {some}"
    pairs = " (the command family, or all_pairs() in Python, compares all pairs)" * (n > 2)
    if rows:
        return f"choose two, {chosen}{pairs}"
    return (
        f"specify their columns, {chosen}{pairs}. If each row has the score of one system, specify "
        f"the column of system names with {checks.named('system')}"
    )


def completed(table: Columns, roles: Roles) -> tuple[str | Table, Roles]:
    """Add a dataset to a table without one, and identifiers if each row has all systems."""
    missing = {key for key in ("dataset", "instance") if key not in roles}
    missing -= {"instance"} if "run" in roles else set()
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
