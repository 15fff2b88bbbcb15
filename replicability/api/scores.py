"""Matched scores of two systems: what every reader ends in, and every question starts from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import pandas as pd

from replicability.api import sources
from replicability.api.keywords import public
from replicability.api.reading import Reading
from replicability.core import roles
from replicability.core.roles import Roles
from replicability.io import formats, predictions
from replicability.io.declared import Source
from replicability.io.instances import Dataset
from replicability.io.matching import ONE
from replicability.io.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of two systems on the same items of one or more datasets.

    They are matched and checked once. Pass them to `replicability.compare` to ask several
    questions.

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
    <Scores: A against B on 2 datasets, 5 items>
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
            As in `replicability.compare`.

        Raises
        ------
        InputError
            If a file, a column, a system, an item or a score is missing or faulty.
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
            a row for each item and a column of scores for each system, a row for each item
            and system, or, with `other`, a row for each item of A.
        other : data frame, optional
            The scores of B, matched by dataset and identifier whatever the order of rows.
        **reading
            As in `replicability.compare`.

        Raises
        ------
        InputError
            If a column, a system, an item or a score is missing or faulty.

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
        a, b = systems
        return cls.of(datasets, None, {"a": a, "b": b})

    @classmethod
    def of(cls, data: Any, other: Any, reading: Reading, *, alone: bool = False) -> Scores:
        """Read whatever `replicability.compare` takes.

        Parameters
        ----------
        data, other : object
            As in `replicability.compare`.
        reading : Reading
            Its keywords that say how to read; None means not given.
        alone : bool, default False
            Whether `data` and `other` are one file or folder, of one system.

        Raises
        ------
        InputError
            As `replicability.compare`.
        """
        source = sources.find(data, other, reading, alone=alone)
        source = replace(source, name="-".join(source.systems))
        return cls(replace(source, **settled(source)), tuple(formats.read(source)))

    @property
    def systems(self) -> tuple[str, str]:
        """A, the system claimed to be better, and B."""
        a, b = self.source.systems
        return a, b

    @cached_property
    def roles(self) -> Roles:
        """How the data were read: roles of columns, matching of items, unused columns."""
        return roles.of_scores(self.source, self.systems, self.datasets)

    @property
    def sizes(self) -> dict[str, int]:
        """Dataset -> number of its items."""
        return {dataset.name: len(dataset) for dataset in self.datasets}

    def to_frame(self) -> pd.DataFrame:
        """Return the scores as a table.

        Returns
        -------
        DataFrame
            One row per item, with ``dataset``, ``instance`` and the scores of both systems, in
            the order in which they were read; of sums of a metric the first. Of successes in
            trials one row per dataset and system.
        """
        if self.source.level == "counts":
            each = [
                {"dataset": of.name, "system": name, "successes": side[0], "trials": side[1]}
                for of in self.datasets
                for name, side in zip(self.systems, (of.a, of.b), strict=True)
            ]
            return pd.DataFrame(each)
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
        """Name the systems, and count datasets and items."""
        a, b = self.systems
        what = "trials" if self.source.level == "counts" else "items"
        n, items = len(self.datasets), sum(self.sizes.values())
        return f"<Scores: {a} against {b} on {n} dataset{'s' * (n != 1)}, {items:,} {what}>"

    def __eq__(self, other: object) -> bool:
        """Return whether scores and source are equal."""
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


def settled(source: Source) -> dict[str, Any]:
    """Return the fields of a source that name a table in memory, or a function, in its place."""
    table = source.file
    metric = {"metric": predictions.named(source.metric)}
    if not isinstance(table, Table):
        return metric
    in_memory = not (table.origin or source.files)
    return metric | {"file": table.origin or table.name, "rows": table.n if in_memory else 0}
