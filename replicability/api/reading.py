"""How scores are read: the keywords, sorted by what they say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import pandas as pd

from replicability.checks import InputError
from replicability.io import missing, repeats
from replicability.io.declared import INSTANCE, Source
from replicability.io.documents import nested
from replicability.io.tables import is_frame

HEADERS = (
    "dataset",
    "instance",
    "system",
    "score",
    "size",
    "gold",
    "human",
    "unit",
    "run",
    "successes",
    "trials",
    "ignore",
)
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
    human: object
    unit: object
    run: object
    successes: object
    trials: object
    ignore: Iterable[str]
    repeats: Mapping[str, Any] | None
    higher_is_better: bool | None
    missing: str | None
    one_dataset: bool
    datasets: Iterable[str]
    format: str | None
    metric: str | Mapping[str, str] | Callable[[Any, Any], float] | None
    filter: str | Mapping[str, str] | None
    tokenize: str | Mapping[str, str] | None
    documents: str | os.PathLike[str] | None
    by: str | None
    match: str | None
    items: int | str | Mapping[str, int] | None
    lists: str | None


@dataclass(frozen=True)
class Given:
    """The keywords that are given.

    Attributes
    ----------
    named : dict of str to str or tuple of str
        Role -> header, or the headers of several columns.
    one_dataset : bool
        Whether a table is one dataset, whatever columns it has.
    datasets : tuple of str
        The datasets that are compared; () for all.
    unit_declared : bool
        Whether the unit was declared.
    fields : dict
        Other fields of a `Source`, such as ``format`` and ``metric``.
    """

    named: dict[str, Any] = field(default_factory=dict)
    one_dataset: bool = False
    datasets: tuple[str, ...] = ()
    unit_declared: bool = False
    fields: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Given:
        """Sort fields as `keys.given` returns them, except the names of the systems."""
        fields, unit_declared = dict(fields), "unit" in fields
        named = {key: fields.pop(key) for key in HEADERS if key in fields}
        if isinstance(named.get("ignore"), str):
            named["ignore"] = [named["ignore"]]
        named = {key: tuple(of) if isinstance(of, list) else of for key, of in named.items()}
        if named.get("unit") == INSTANCE:
            del named["unit"]
        named = repeats.columns(named, fields.get("repeats", {}))
        one_dataset, datasets = fields.pop("one_dataset", False), fields.pop("datasets", ())
        return cls(named, one_dataset, tuple(datasets), unit_declared, fields)

    @property
    def lenient(self) -> bool:
        """Whether scores may be missing."""
        return self.fields.get("missing", missing.REFUSE) != missing.REFUSE

    @property
    def predicted(self) -> bool:
        """Whether a table has predictions, which are compared with gold labels by a metric."""
        return bool(self.fields.get("metric"))

    @property
    def splits(self) -> str:
        """The column of the splits of the same data; "" without."""
        said = self.fields.get("repeats", {})
        return said["column"] if said.get("kind") == "splits" else ""

    @property
    def of_table(self) -> dict[str, Any]:
        """The fields without the format, which a table needs not say."""
        return {key: value for key, value in self.fields.items() if key != "format"}

    def added_to(self, source: Source) -> Source:
        """Add to a source what is said of all formats."""
        name = source.metric if isinstance(source.metric, str) else ""
        name = name or source.columns.get("score", "")
        named = name and not name.endswith("(%)") and source.score == "score"
        return replace(
            source,
            score=name if named else source.score,
            datasets=self.datasets,
            unit_declared=self.unit_declared,
        )


def kind_of(side: object) -> str:
    """Name the kind of object that holds the scores of a system, or of all."""
    if isinstance(side, str | os.PathLike):
        return "a path"
    if is_frame(side) or is_nested(side):
        return "a data frame"
    return "a dictionary" if isinstance(side, Mapping) else "an array"


def is_nested(data: object) -> bool:
    """Tell whether an object holds scores by names, and not arrays by datasets."""
    if not isinstance(data, Mapping) or not data:
        return False
    values = [*data.values()]
    return any(isinstance(value, Mapping) for value in values) or nested.scalars(values)


def framed(data: Any) -> Any:
    """Return rows that are dictionaries as a data frame, and anything else as it is."""
    rows = isinstance(data, list) and data and all(isinstance(row, Mapping) for row in data)
    return pd.DataFrame(data) if rows else data


def listed_names(key: str, given: Iterable[str]) -> tuple[str, ...]:
    """Return names, which are not one text."""
    if isinstance(given, str):
        raise InputError(f"{key}={given!r} is a single string; pass a list of names.")
    if not isinstance(given, Iterable):
        raise InputError(f"{key}={given!r} is not a list of names; pass a list of names.")
    return tuple(map(str, given))
