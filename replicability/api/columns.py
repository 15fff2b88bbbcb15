"""The columns of a table by what they hold: as somebody names them, or as they are called."""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.api.reading import Given
from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited, headers, json_tables, one_folder
from replicability.io.documents import nested
from replicability.io.tables import Table, is_frame, of_arrow, of_file, of_frame
from replicability.io.text import existing

ROLES = ("dataset", "instance", "system", "score")
"""Roles that the header of a column can show without any declaration."""

NEITHER = {"instance": "items", "unit": "units", "run": "runs"}
"""Maps each role that a column of scores cannot have to what such a column holds."""


PREDICTION = "prediction"
"""Header of the column of predictions in a table with gold labels and a row per item and system."""

Systems = tuple[str | None, str | None]
"""Names of A and B; None for a name that is not given."""

Roles = dict[str, Any]
"""Maps a role to its header, or to the headers of all systems' scores."""


class Columns:
    """The headers of a table by what they hold.

    Attributes
    ----------
    file : str or Table
        The path of a file, or a table.
    one_dataset : bool
        Whether the table is one dataset, whatever columns it has.
    known : list of str
        Its headers.
    found : dict of str to str
        Role -> header.
    ignored : list of str
        Headers that are left out, as "ignore" among what is named says.
    """

    def __init__(
        self, data: object, name: str, given: Given, *, counts: bool = False, **levels: Any
    ) -> None:
        named = dict(given.named)
        if is_frame(data):
            file: str | Table = of_frame(data, name)
        else:
            file = source(data, name, named, lenient=given.lenient, **levels)
        self.file, self.one_dataset = file, given.one_dataset
        self.joined: list[str] = []
        self.known = delimited.read_headers(file)
        left_out = file.left_out if isinstance(file, Table) else ()
        ignored = [of for of in named.pop("ignore", ()) if of not in left_out]
        ignored = [delimited.header_of(file, of, self.known) for of in ignored]
        self.ignored = ignored.copy()
        if isinstance(named.get("dataset"), tuple):
            named["dataset"] = self._joined(named["dataset"])
        counted = {key: named.pop(key) for key in ("successes", "trials") if key in named}
        _refuse_counted(counted if not counts else ())
        alike = {header.strip().casefold(): header for header in reversed(self.known)}
        self.found = {
            role: alike[role] for role in ROLES if alike.get(role) not in (None, *self.ignored)
        }
        if self.one_dataset:
            self.found.pop("dataset", None)
        for role, header in named.items():
            self.found[role] = delimited.header_of(self.file, header, self.known)
        self.found |= {
            f"{role} {place}": delimited.header_of(file, header, self.known)
            for role, of in counted.items()
            for place, header in enumerate([of] if isinstance(of, str) else of)
        }
        headers.refuse_ignored(str(file), ignored, self.found.values())
        if not counted:
            aggregates.refuse_counts(str(self.file), self.known, self.found.get("instance", ""))
        for part in self.joined or [self.found.get("dataset", "")]:
            headers.refuse_repeats(str(file), part, "dataset")
        system = next((alike[name] for name in one_folder.SYSTEM if name in alike), None)
        if system and "system" not in self.found and (self.is_matrix or "score" in self.found):
            self.found["system"] = system
        items = self.found.get("instance", "")
        if not given.splits:
            headers.refuse_repeats(str(file), items, beside=lambda: self._beside(items))
        if {"system", "gold"} <= set(self.found) and PREDICTION in alike:
            self.found.setdefault("score", alike[PREDICTION])
        used = {header: header for header in self.found.values()}
        delimited.positions(self.file, self.known, used if isinstance(self.file, Table) else None)
        _refuse_neither(str(file), self.found)

    def _joined(self, parts: tuple[str, ...]) -> str:
        """Add a column whose cells join those of several, and return its header."""
        found = [delimited.header_of(self.file, part, self.known) for part in parts]
        if len(found) == 1:
            return found[0]
        header = " / ".join(found)
        read = delimited.columns(self.file, {part: part for part in found})
        names = [cells.identifiers(self.file, read[part], name=part) for part in found]
        full = self.file if isinstance(self.file, Table) else of_path(self.file, self.known)
        joined = pc.binary_join_element_wise(*names, " / ")
        self.file = full.with_column(header, joined)
        self.joined = found
        self.ignored += found
        self.known = [*self.known, header]
        return header

    def _beside(self, header: str) -> headers.Beside:
        """Return what the table has in addition to a column of repeats."""
        free = [of for of in self.free if of != header]
        datasets = [] if self.one_dataset or "dataset" in self.found else headers.telling(free)
        keys = [header, *datasets[:1], *filter(None, map(self.found.get, ("dataset", "system")))]
        table = delimited.columns(self.file, {key: key for key in keys})
        return headers.Beside(
            values=len(table[header].unique()),
            items=headers.of_units(free),
            datasets=datasets,
            alone=table.group_by(keys).aggregate([]).num_rows == table.num_rows,
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """Headers that somebody says have no role."""
        return tuple(header for header in self.ignored if header not in self.joined)

    @property
    def free(self) -> list[str]:
        """Headers of the columns that have no role and are not left out."""
        taken = {*self.found.values(), *self.ignored}
        return [header for header in self.known if header not in taken]

    def unused(self, systems: Iterable[str] = ()) -> tuple[str, ...]:
        """List the columns without a role; those of `systems` hold scores."""
        taken = {*self.found.values(), *self.joined, *systems}
        return tuple(header for header in self.known if header not in taken)

    @property
    def is_matrix(self) -> bool:
        """Whether a table with a column of systems has an item in each other column."""
        return not {"instance", "score"} & set(self.found)

    @property
    def unit(self) -> Roles:
        """The field ``unit`` of a source, unless an item is a unit."""
        header = self.found.get("unit")
        return {} if header in (None, self.found.get("instance")) else {"unit": header}

    def needed(self, role: str, why: str) -> str:
        """Return the header of a role, or say what it is needed for."""
        if role not in self.found:
            repeats = headers.of_repeats(self.free) if role == "instance" else []
            if repeats and not headers.of_units(self.free):
                table = delimited.columns(self.file, {header: header for header in repeats})
                headers.refuse_repeated(str(self.file), table, repeats, self._beside)
            if role == "score":
                likely = self.numeric(headers.no_scores)
            else:
                likely = headers.of_units(self.free)
            raise InputError(
                f"{self.file} has no column {role!r}, {why}; specify it with "
                f"{checks.ways(role, likely)}. The columns are {checks.listed(self.known)}."
            )
        return self.found[role]

    def read(self, wanted: Mapping[str, str], used: Iterable[str] = ()) -> pa.Table:
        """Read columns.

        `wanted` (dict of str to str): new name -> header. `used` (iterable of str): headers of
        which it is known that they hold scores.

        Returns pyarrow.Table. The columns.

        Raises `InputError`: if a column without a role would change the answer if it had one: it
        tells datasets or repeats apart, or is called as a denominator or as gold ratings.
        """
        self._refuse_asked(used)
        told = [header for header in headers.telling(self.free) if header not in used]
        repeats = [] if "instance" in self.found else headers.of_repeats(self.free)
        if self.one_dataset:
            told = []
        elif "dataset" not in self.found:
            told += self._in_blocks(used)
        if not (told or repeats or wanted):
            return pa.table({})
        of = {"dataset": self.found["dataset"]} if "dataset" in self.found else {}
        extra = {header: header for header in (*told, *repeats)}
        table = delimited.columns(self.file, {**wanted, **of, **extra})
        headers.refuse_repeated(str(self.file), table, repeats, self._beside)
        if of:
            cells.refuse_split(self.file, table["dataset"], of["dataset"], table.select(told))
            return table.select(list(wanted))
        cells.refuse_pooled(
            self.file,
            table.select(told),
            lambda header: (
                f"specify it with {checks.given('dataset', repr(header))}, or declare that there "
                f"is one dataset with {checks.given('one_dataset', 'True')}"
            ),
        )
        return table.select(list(wanted))

    def _refuse_asked(self, used: Iterable[str]) -> None:
        """Refuse a column of `cells.ASKED` that nobody names, unless it has no such role."""
        for header in self.free:
            role = header.strip().casefold()
            if role not in cells.ASKED or header in used or not self.has_numbers(header):
                continue
            if role == "gold" and self._right_or_wrong(used):
                continue
            raise InputError(cells.asked(str(self.file), header, role))

    def _in_blocks(self, used: Iterable[str]) -> list[str]:
        """List the columns of unknown headers that may name datasets, row after row."""
        known = {*used, *headers.no_systems(self.free), *getattr(self.file, "made", ())}
        others = [h for h in self.free if h and h not in known and self.known.count(h) == 1]
        if others:
            with contextlib.suppress(InputError):  # a fault in what nobody names is none
                table = delimited.columns(self.file, {header: header for header in others})
                return [header for header in others if cells.in_blocks(table[header])]
        return []

    def _right_or_wrong(self, scores: Iterable[str]) -> bool:
        """Tell whether all scores are 0 and 1, beside which gold holds classes, not ratings."""
        columns = [*scores] or [self.found["score"]] * ("score" in self.found)
        table = delimited.columns(self.file, {header: header for header in columns})
        return bool(columns) and all(map(right_or_wrong, table.columns))

    def systems(self) -> list[str]:
        """List the systems of a table with a row for each of them, in their order."""
        column = delimited.columns(self.file, {"system": self.found["system"]})["system"]
        cells.refuse_blank(self.file, column, "system")
        with cells.readable(self.file, column, "system"):
            return pc.unique(cells.one_form(pc.unique(column.cast(pa.string())))).to_pylist()

    def has_numbers(self, header: str) -> bool:
        """Tell whether there is such a column, of numbers."""
        if header not in self.known:
            return False
        return of_numbers(delimited.columns(self.file, {header: header})[header])

    def numeric(self, unfit: Callable[[list[str]], list[str]] = headers.no_systems) -> list[str]:
        """List the columns of numbers that have no role, and which a faulty cell does not hide.

        `unfit` lists headers that are none of them.
        """
        score = [header for role, header in self.found.items() if role == "score"]
        free = {*self.free, *score}
        others = [header for header in self.known if header in free]
        others = [header for header in others if header not in {*unfit(others)}]
        if not others:
            return []
        table = delimited.columns(self.file, {header: header for header in others})
        return [header for header in others if of_numbers(table[header])]


def _refuse_neither(file: str, found: Mapping[str, str]) -> None:
    """Refuse a column of the scores that is named as that of another role, too."""
    for role, of in NEITHER.items():
        if role in found and found[role] == found.get("score"):
            raise InputError(
                f"{file}: the column {found[role]!r} cannot hold both the {of} and the scores; "
                f"specify separate columns with {checks.named(role)} and {checks.named('score')}."
            )


def _refuse_counted(roles: Iterable[str]) -> None:
    """Refuse columns of successes and trials where no one table holds both systems."""
    for role in roles:
        raise InputError(
            f"{checks.named(role)} needs one table with both systems; pass such a table, or leave "
            f"{checks.named(role)} out."
        )


def of_numbers(column: pa.ChunkedArray) -> bool:
    """Tell whether a column holds numbers; in text, most of the first filled cells must."""
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return True
    if not pa.types.is_string(kind):
        return bool(pa.types.is_decimal(kind))
    found = [cell for cell in column.slice(0, 100).to_pylist() if cell]
    return 2 * sum(map(_is_meant, found)) > len(found)


def _is_meant(cell: str) -> bool:
    """Tell whether a cell is a number or a truth value, perhaps not written as they are read."""
    return delimited.is_number(cell) or bool(_MEANT.fullmatch(cell))


_MEANT = re.compile(r"true|false|[-+]?[\d.,]*\d\s*%|[-+]?\d*,\d+", re.IGNORECASE)
"""Matches truth values, percentages and decimal commas; their reader rejects invalid ones."""


def right_or_wrong(column: pa.ChunkedArray) -> bool:
    """Tell whether a column holds nothing but 0 and 1, or truth values."""
    if pa.types.is_boolean(column.type):
        return True
    shown = {str(cell).casefold() for cell in pc.unique(column).slice(0, 9).to_pylist()}
    return shown <= {"0", "1", "0.0", "1.0", "true", "false", "none", ""}


def of_path(path: str, known: list[str]) -> Table:
    """Return the columns of a file as a table."""
    return of_file(path, known, lambda h: delimited.columns(path, {h: h})[h])


def source(
    data: object, name: str, named: Mapping[str, Any] = MappingProxyType({}), **levels: Any
) -> str | Table:
    """Return the path of a file, or a table of a frame or of scores in nested objects.

    `name` is what messages call a frame, and `levels` are how `nested.roles` takes keys.
    """
    if isinstance(data, str | os.PathLike):
        place = existing(Path(data).absolute(), folder=None if levels.get("alone") else False)
        if place.is_dir():
            of = {key: levels[key] for key in ("systems", "lenient") if key in levels}
            return one_folder.table(place, named, **of)
        path = str(place)
        table, listed = json_tables.document(path)
        name = path
    elif isinstance(data, Mapping):
        name, path = name.replace("frame", "dictionary"), ""
        table, listed = nested.table(name, data)
    else:
        return of_frame(data, name)
    if table is None:
        return path
    if listed is not None:
        table = nested.roles(name, table, listed, named=named, **levels)
    made = frozenset({"instance"}) if listed else frozenset()
    return replace(of_arrow(table, name), origin=path, made=made)


def named_apart(systems: Systems, otherwise: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two systems."""
    a, b = (name or other for name, other in zip(systems, otherwise, strict=True))
    if a == b:
        raise InputError(alike(a))
    return a, b


def alike(name: str) -> str:
    """Say that two systems have one name."""
    return (
        f"Both systems have the name {name!r}; give them different names with "
        f"{checks.named('systems')}."
    )
