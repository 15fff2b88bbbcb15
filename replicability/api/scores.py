"""Matched scores of two systems: what every reader ends in, and every question starts from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd

from replicability import checks
from replicability.api import sides, sources
from replicability.api.columns import Systems, is_nested, named_apart
from replicability.api.keywords import public
from replicability.checks import InputError
from replicability.core import roles
from replicability.core.roles import Roles
from replicability.io import formats, keys, missing, questions, study
from replicability.io.declared import INSTANCE, Source
from replicability.io.instances import Dataset
from replicability.io.matching import ONE
from replicability.io.tables import Table, is_frame

HEADERS = ("dataset", "instance", "system", "score", "size", "gold", "unit", "run", "ignore")
"""Keywords of `Reading` that name a column."""


class Reading(TypedDict, total=False):
    """How scores are read; `replicability.compare` describes the keywords."""

    a: object
    b: object
    dataset: object
    instance: object
    system: object
    score: object
    size: object
    gold: object
    unit: object
    run: object
    ignore: Iterable[str]
    higher_is_better: bool | None
    missing: str | None
    one_dataset: bool
    datasets: Iterable[str]
    format: str | None
    metric: str | Mapping[str, str] | None
    filter: str | Mapping[str, str] | None
    tokenize: str | Mapping[str, str] | None
    documents: str | os.PathLike[str] | None
    by: str | None
    match: str | None
    items: int | str | Mapping[str, int] | None
    lists: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of two systems on the same instances of one or more datasets.

    They are matched and checked once, when they are read. Pass them to `replicability.compare` to
    ask several questions of what was read once.

    Attributes
    ----------
    source : declared.Source
        Where they come from, and what the columns hold.
    datasets : tuple of instances.Dataset
        The scores of each dataset, with identifiers, units and gold ratings where there are any.

    Examples
    --------
    >>> import replicability as rep
    >>> scores = rep.Scores.from_dict({"news": ([1, 1, 1], [0, 1, 0]), "law": ([1, 0], [0, 0])})
    >>> scores
    <Scores: A against B on 2 datasets, 5 instances>
    >>> rep.compare(scores, alternative="greater").k
    0
    """

    source: Source
    datasets: tuple[Dataset, ...]

    @classmethod
    @public
    def read(
        cls,
        path: str | os.PathLike[str],
        other: str | os.PathLike[str] | None = None,
        **reading: Unpack[Reading],
    ) -> Scores:
        """Read a file or folder with the scores of both systems, or one for each.

        Parameters
        ----------
        path : str or Path
            A table with both systems, or what holds the scores of A, in any format.
        other : str or Path, optional
            What holds the scores of B.
        **reading
            As of `replicability.compare`.

        Raises
        ------
        InputError
            If a file, a column, a system, an instance or a score is missing or faulty.
        """
        return cls.of(path, other, reading)

    @classmethod
    @public
    def from_frame(cls, frame: Any, other: Any = None, **reading: Unpack[Reading]) -> Scores:
        """Take a data frame with the scores of both systems, or one for each.

        Parameters
        ----------
        frame : data frame
            Of pandas, polars, pyarrow or any library with the Arrow stream or interchange protocol:
            a row for each instance and a column of scores for each system, a row for each instance
            and system, or, with `other`, a row for each instance of A.
        other : data frame, optional
            The scores of B, matched by dataset and identifier whatever the order of rows.
        **reading
            As of `replicability.compare`.

        Raises
        ------
        InputError
            If a column, a system, an instance or a score is missing or faulty.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"dataset": ["news"] * 3, "ours": [1, 1, 0], "base": [1, 0, 0]})
        >>> Scores.from_frame(frame, a="ours", b="base").to_frame()
          dataset instance  ours  base
        0    news        1   1.0   1.0
        1    news        2   1.0   0.0
        2    news        3   0.0   0.0
        """
        return cls.of(frame, other, reading)

    @classmethod
    def from_arrays(cls, a: Any, b: Any, *, systems: tuple[str, str] = ("A", "B")) -> Scores:
        """Take the scores of both systems on one dataset, in the same order.

        Parameters
        ----------
        a, b : array_like of float, shape (n,)
            Scores of A and of B.
        systems : tuple of str, default ("A", "B")
            How the systems are called.

        Raises
        ------
        InputError
            If they differ in length, or are not of finite numbers.
        """
        return cls.from_dict({ONE: (a, b)}, systems=systems)

    @classmethod
    def from_dict(
        cls, datasets: Mapping[str, Any], *, systems: tuple[str, str] = ("A", "B")
    ) -> Scores:
        """Take the scores of both systems on each dataset, in the same order.

        Parameters
        ----------
        datasets : dict of str to (array_like, array_like)
            Dataset -> scores of A and of B, each of shape (n,).
        systems : tuple of str, default ("A", "B")
            How the systems are called.

        Raises
        ------
        InputError
            If a value is no pair, or its arrays differ in length or are not of finite numbers.
        """
        return cls._matched(sources.arrays(datasets, systems))

    @classmethod
    def of(cls, data: Any, other: Any, reading: Reading) -> Scores:
        """Read whatever `replicability.compare` takes.

        Parameters
        ----------
        data, other : object
            As of `replicability.compare`.
        reading : Reading
            Its keywords that say how to read; None stands for what is not given.

        Raises
        ------
        InputError
            As `replicability.compare`.
        """
        return cls._matched(_source(data, other, keys.given(reading)))

    @classmethod
    def _matched(cls, source: Source) -> Scores:
        """Match the scores of a source, and keep of a table in memory its name and size."""
        source = replace(source, name="-".join(source.systems))
        return cls(replace(source, **settled(source)), tuple(formats.read(source)))

    @property
    def systems(self) -> tuple[str, str]:
        """A, the system claimed better, and B."""
        a, b = self.source.systems
        return a, b

    @cached_property
    def roles(self) -> Roles:
        """What was read: columns and their roles, how items are matched, what was left out."""
        return roles.of_scores(self.source, self.systems, self.datasets)

    @property
    def sizes(self) -> dict[str, int]:
        """Dataset -> number of its instances."""
        return {dataset.name: len(dataset) for dataset in self.datasets}

    def to_frame(self) -> pd.DataFrame:
        """Return the scores as a table.

        Returns
        -------
        DataFrame
            One row per instance, with ``dataset``, ``instance`` and the scores of both systems, in
            the order in which they were read; of sums of a metric the first.
        """
        parts = [
            {
                "dataset": dataset.name,
                "instance": dataset.identifiers.to_pylist(),
                **{
                    system: side if side.ndim == 1 else side[:, 0]
                    for system, side in zip(self.systems, (dataset.a, dataset.b), strict=True)
                },
            }
            for dataset in self.datasets
        ]
        return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)

    def __repr__(self) -> str:
        """Name the systems, and count datasets and instances."""
        a, b = self.systems
        n, items = len(self.datasets), sum(self.sizes.values())
        return f"<Scores: {a} against {b} on {n} dataset{'s' * (n != 1)}, {items:,} instances>"

    def __eq__(self, other: object) -> bool:
        """Tell whether the same scores were read of the same source."""
        if not isinstance(other, Scores):
            return NotImplemented
        alike = self.source == other.source and len(self.datasets) == len(other.datasets)
        return alike and all(
            one.name == two.name
            and one.identifiers.equals(two.identifiers)
            and np.array_equal(one.a, two.a)
            and np.array_equal(one.b, two.b)
            for one, two in zip(self.datasets, other.datasets, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]


def headers(given: dict[str, Any]) -> dict[str, Any]:
    """Take the headers out of the keywords that are given: one each, or several as a tuple."""
    named = {key: given.pop(key) for key in HEADERS if key in given}
    named = {
        key: tuple(value) if isinstance(value, list) else value for key, value in named.items()
    }
    return {key: name for key, name in named.items() if (key, name) != ("unit", INSTANCE)}


def framed(data: Any) -> Any:
    """Return rows that are dictionaries as a data frame, and anything else as it is."""
    rows = isinstance(data, list) and data and all(isinstance(row, Mapping) for row in data)
    return pd.DataFrame(data) if rows else data


def settled(source: Source) -> dict[str, Any]:
    """Return the fields of a source that name a table in memory in its place."""
    table = source.file
    if not isinstance(table, Table):
        return {}
    in_memory = not (table.origin or source.files)
    return {"file": table.origin or table.name, "rows": table.n if in_memory else 0}


def listed_names(key: str, given: Iterable[str]) -> tuple[str, ...]:
    """Return names, which are not one text."""
    if isinstance(given, str):
        raise InputError(f"{key}={given!r} is one text; pass a list of names.")
    return tuple(map(str, given))


def _source(data: Any, other: Any, given: dict[str, Any]) -> Source:
    """Find two systems, and add to their source what is said of the files."""
    systems = given.pop("a", None), given.pop("b", None)
    _part_table(data, given)
    data, other = framed(data), framed(other)
    unit_declared = "unit" in given
    named = headers(given)
    one_dataset = given.pop("one_dataset", False)
    chosen = tuple(given.pop("datasets", ()))
    source = _found(data, other, systems, named, one_dataset, chosen, given)
    study.check_claims("", questions.given_of(source))
    return replace(source, datasets=chosen, unit_declared=unit_declared, **called(source))


def _part_table(data: Any, given: dict[str, Any]) -> None:
    """Name the column that parts a table into datasets as that of the datasets."""
    several = [key for key in ("by", "dataset", "one_dataset") if key in given]
    is_path = isinstance(data, str | os.PathLike)
    if given.get("format", formats.guess(data) if is_path else "table") != "table":
        return
    if len(several) > 1:
        raise InputError(
            f"{checks.enumerated(map(checks.named, several))} each say which datasets a table has; "
            "leave out all but one of them."
        )
    if "by" in given:
        given["dataset"] = given.pop("by")


def called(source: Source) -> dict[str, Any]:
    """Return the field ``score`` of a source whose column of scores has a name."""
    header = source.columns.get("score", "")
    named = header and not header.endswith("(%)") and source.score == "score"
    return {"score": header} if named else {}


def _found(
    data: Any,
    other: Any,
    systems: Systems,
    named: dict[str, str],
    one_dataset: bool,
    chosen: tuple[str, ...],
    given: dict[str, Any],
) -> Source:
    """Find two systems in whatever is passed."""
    kinds = [_kind(side) for side in ([data] if other is None else [data, other])]
    if kinds[0] != kinds[-1]:
        raise InputError(
            f"The scores of A are {kinds[0]}, but those of B are {kinds[-1]}; pass both in the "
            "same way."
        )
    kind = kinds[0]
    if kind == "a path" and other is not None:
        paths = (os.fspath(data), os.fspath(other))
        found = given.get("format") or formats.guess(paths[0])
        formats.refuse_idle(found, {**named, "one_dataset": one_dataset, **given})
        return sides.two_paths(paths, systems, named, one_dataset, chosen, **given)
    _refuse_format(given.get("format"), kind)
    formats.refuse_idle("table", given)
    given.pop("format", None)
    lenient = given.get("missing", missing.REFUSE) != missing.REFUSE
    if kind in ("a path", "a data frame"):
        if other is None:
            source = sources.one_table(data, systems, named, one_dataset, lenient)
        else:
            source = sides.two_tables(
                (data, other), systems, named, one_dataset, chosen, lenient=lenient
            )
        return replace(source, **given)
    for key in (*named, *(["one_dataset"] if one_dataset else []), *given):
        raise InputError(
            f"{key}= says how a table is read, but the scores are {kind}; leave it out, or pass a "
            "data frame."
        )
    systems = named_apart(systems, ("A", "B"))
    if kind == "a dictionary":
        return sources.arrays(data if other is None else sources.beside(data, other), systems)
    if other is None:
        return sources.one_table(data, systems, named, one_dataset)
    return sources.arrays({ONE: (data, other)}, systems)


def _refuse_format(named: str | None, kind: str) -> None:
    """Refuse a format that there is not, or that no frame or single file can have."""
    if named is None:
        return
    formats.get(named)
    if named != "table":
        raise InputError(
            f"{checks.named('format')} is {named!r}, which is read from a file or folder for each "
            f"system, but there is {kind}; leave it out, or name both."
        )


def _kind(side: Any) -> str:
    if isinstance(side, str | os.PathLike):
        return "a path"
    if is_frame(side) or is_nested(side):
        return "a data frame"
    return "a dictionary" if isinstance(side, Mapping) else "an array"
