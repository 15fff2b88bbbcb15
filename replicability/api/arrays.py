"""Arrays with the scores of systems, in the same order for all."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells
from replicability.io.declared import Source
from replicability.io.matching import ONE
from replicability.io.tables import NEEDED, Table, is_frame, of_arrow, of_frame


def find(data: Any, other: Any, systems: tuple[str, str]) -> Source:
    """Take the scores of two systems, those of A and of B in the same order.

    `data`, `other`: dataset -> scores of A and of B, each of shape (n,); dataset -> those of A, and
    of B; or those of A, and of B, on one dataset. `systems` (tuple of str): A and B.

    Returns Source.

    Raises `InputError`: if there is no dataset, a value is no pair, or arrays differ in length or
    are not of finite numbers.
    """
    if not isinstance(data, Mapping):
        if other is None:
            of_frame(data, "The frame")  # which says what is needed
        data = {ONE: (data, other)}
    elif other is not None:
        data = _beside(data, other)
    if not data:
        raise InputError(
            "No dataset was passed; pass a dictionary that maps each dataset to a pair: (scores of "
            "A, scores of B)."
        )
    checks.refuse_odd("A dataset's name", map(str, data))
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
                f"{systems[1]} has {len(sides[1]):,}; score both systems on the same items, in the "
                "same order."
            )
        given = [column_of(side) for side in (a, b)]
        cells.refuse_truth(f"dataset {str(name)!r}", systems, sides, given)
        names = {"dataset": [str(name)] * len(sides[0])}
        parts.append(pa.table({**names, **dict(zip("ab", map(pa.array, sides), strict=True))}))
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    places = pa.chunked_array([cells.by_place(part.num_rows) for part in parts])
    file = of_arrow(pa.concat_tables(parts), "The arrays").with_column("instance", places)
    named = {"dataset": "", "instance": "", "scores": ["", ""]}
    return Source(file=file, columns=columns, named=named, unused=(), systems=systems)


def _beside(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    """Put the arrays of both systems beside each other, dataset by dataset."""
    for lacking, other, who in ((b, a, "B"), (a, b, "A")):
        missing = [name for name in other if name not in lacking]
        if missing:
            raise InputError(
                f"Dataset {missing[0]!r} has no scores for {who}; score both systems on every "
                "dataset."
            )
    return {name: (a[name], b[name]) for name in a}


def _pair(name: object, pair: Any) -> tuple[object, object]:
    what = f"dataset {str(name)!r}"
    if is_frame(pair):
        raise InputError(
            f"{what} is a data frame; concatenate the data frames of all datasets into one, with a "
            "column 'dataset'."
        )
    try:
        a, b = pair
    except (TypeError, ValueError):
        raise InputError(
            f"{what} is not a pair; pass a dictionary that maps each dataset to (scores of A, "
            f"scores of B), or {NEEDED}."
        ) from None
    return a, b


def by_index(what: str, *sides: Any) -> list[Any]:
    """Put series in the order of the index of the first; leave anything else as it is."""
    series = [side for side in sides if isinstance(side, pd.Series)]
    for side in series:
        if isinstance(side.index, pd.MultiIndex):
            raise InputError(
                f"{what}: a series has an index with {side.index.nlevels} levels; pass "
                "series.reset_index(), and specify what its columns hold."
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
                    "once in one of them; give each item its own label, or pass arrays in the same "
                    "order."
                )
        apart = first.symmetric_difference(side.index)
        if len(apart):
            raise InputError(
                f"{what}: item '{apart[0]}' is in the index of only one series; score all systems "
                "on the same items, or convert the series with to_numpy() to match items by "
                "position."
            )
    return [side.reindex(first) for side in series]


def scores_of(what: str, values: Any) -> np.ndarray:
    """Return an array of finite numbers, or say what is wrong with it."""
    if np.ma.is_masked(values):
        place = int(np.ma.getmaskarray(values).ravel().argmax())
        raise InputError(
            f"{what}: the value at position {place} (counting from 0) is masked, but every item "
            "needs a score; leave that item out for all systems."
        )
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.zeros((0, 0))
    if found.ndim != 1 or not len(found):
        shape = (
            f"of shape {found.shape}"
            if found.size
            else ("empty or ragged (rows of unequal length)")
        )
        raise InputError(
            f"{what} are {shape}; pass one number for each item (to pass numerators and "
            "denominators, use a data frame with a column 'size')."
        )
    name = what[:1].upper() + what[1:]
    return cells.numbers(Table(name, (), (), len(found)), column_of(found), "score")


def column_of(values: Any) -> pa.ChunkedArray:
    """Return the cells of an array, as text if Arrow has no type for them."""
    found = np.asarray(values)
    try:
        return pa.chunked_array([pa.array(found, from_pandas=True)])
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return pa.chunked_array([pa.array(list(map(str, found)))])
