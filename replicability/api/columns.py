"""The columns of a table by what they hold: as somebody names them, or as they are called."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, delimited
from replicability.io.tables import Table, of_frame
from replicability.io.text import existing

ROLES = ("dataset", "instance", "system", "score", "size")
"""What a column can be by its header alone."""

SYSTEM = ("system", "model", "method")
"""Headers of a column of systems."""

NEITHER = {"instance": "instances", "unit": "units", "run": "runs"}
"""Roles that the column of the scores cannot have, and what they hold."""


Systems = tuple[str | None, str | None]
"""Names of A and B, as far as they are given."""

Roles = dict[str, Any]
"""Role -> header, or the headers of the scores of all systems."""


class Columns:
    """The headers of a table by what they hold.

    Attributes
    ----------
    file : str or Table
        The path of a file, or a table.
    known : list of str
        Its headers.
    found : dict of str to str
        Role -> header.
    """

    def __init__(
        self, file: str | Table, named: Mapping[str, str], one_dataset: bool = False
    ) -> None:
        self.file, self.one_dataset = file, one_dataset
        self.known = delimited.read_headers(file)
        alike = {header.strip().casefold(): header for header in reversed(self.known)}
        self.found = {role: alike[role] for role in ROLES if role in alike}
        if one_dataset:
            self.found.pop("dataset", None)
        for role, header in named.items():
            self.found[role] = delimited.header_of(file, header, self.known)
        system = next((alike[name] for name in SYSTEM if name in alike), None)
        if system and "system" not in self.found and (self.is_matrix or "score" in self.found):
            self.found["system"] = system
        used = {header: header for header in self.found.values()}
        delimited.positions(file, self.known, used if isinstance(file, Table) else None)
        for role, of in NEITHER.items():
            if role in self.found and self.found[role] == self.found.get("score"):
                raise InputError(
                    f"{file}: {self.found[role]!r} is named as the column of the {of} and of the "
                    f"scores; name a column of its own for each with {checks.named(role)} and "
                    f"{checks.named('score')}."
                )

    @property
    def is_matrix(self) -> bool:
        """Whether a table with a column of systems has an item in each other column."""
        return not {"instance", "score"} & set(self.found)

    @property
    def unit(self) -> Roles:
        """The field ``unit`` of a source, unless an instance is a unit."""
        header = self.found.get("unit")
        return {} if header in (None, self.found.get("instance")) else {"unit": header}

    def needed(self, role: str, why: str) -> str:
        """Return the header of a role, or say what it is needed for."""
        if role not in self.found:
            raise InputError(
                f"{self.file} has no column {role!r}, {why}; name it with {checks.named(role)}, "
                f"one of {checks.listed(self.known)}."
            )
        return self.found[role]

    def read(self, wanted: Mapping[str, str], used: Iterable[str] = ()) -> pa.Table:
        """Read columns.

        Parameters
        ----------
        wanted : dict of str to str
            New name -> header.
        used : iterable of str
            Headers of which it is known that they hold scores.

        Returns
        -------
        pyarrow.Table
            The columns.

        Raises
        ------
        InputError
            If it is a table of one dataset that has a column which tells several apart.
        """
        taken = {*self.found.values(), *used}
        told = [header for header in cells.telling(self.known) if header not in taken]
        if "dataset" in self.found or self.one_dataset:
            told = []
        if not (told or wanted):
            return pa.table({})
        table = delimited.columns(self.file, {**{header: header for header in told}, **wanted})
        remedy = f"name it with {checks.given('dataset', '{!r}')}, or declare one dataset with "
        remedy += checks.given("one_dataset", "True")
        cells.refuse_pooled(self.file, table.select(told), remedy)
        return table.select(list(wanted))

    def has_numbers(self, header: str) -> bool:
        """Tell whether there is such a column, of numbers."""
        if header not in self.known:
            return False
        return of_numbers(delimited.columns(self.file, {header: header})[header])

    def numeric(self) -> list[str]:
        """List the columns of numbers that have no role, and which a faulty cell does not hide."""
        taken = {header for role, header in self.found.items() if role != "score"}
        others = [header for header in self.known if header not in taken]
        if not others:
            return []
        table = delimited.columns(self.file, {header: header for header in others})
        return [header for header in others if of_numbers(table[header])]


def of_numbers(column: pa.ChunkedArray) -> bool:
    """Tell whether a column holds numbers; of text, most of the first cells that are not empty."""
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return True
    if not pa.types.is_string(kind):
        return bool(pa.types.is_decimal(kind))
    found = [cell for cell in column.slice(0, 100).to_pylist() if cell]
    return 2 * sum(map(delimited.is_number, found)) > len(found)


def source(data: object, name: str) -> str | Table:
    """Return the path of a file, or a table of a frame."""
    if isinstance(data, str | os.PathLike):
        return str(existing(Path(data).absolute()))
    return of_frame(data, name)


def named_apart(systems: Systems, otherwise: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two systems."""
    a, b = (name or other for name, other in zip(systems, otherwise, strict=True))
    if a == b:
        raise InputError(alike(a))
    return a, b


def alike(name: str) -> str:
    """Say that two systems have one name."""
    return f"Both systems have the name {name!r}; pass two with {checks.named('systems')}."
