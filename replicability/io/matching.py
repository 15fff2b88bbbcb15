"""Instances matched by identifier, and the sentences about those that have no partner."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import missing
from replicability.io.cells import LISTED, encoded, some

GOLD = "the gold standard"
"""Name of the side that holds the correct answers."""

ONE = "all"
"""Name of the dataset if a table has no column of datasets."""


def shown(identifier, dataset):
    """Name an item for a message: without its dataset if there is one only, and no name."""
    return repr(identifier) if dataset == ONE else f"{identifier!r} of {dataset!r}"


@dataclass(frozen=True, eq=False)
class Names:
    """The parts of the key of an item: dataset times the number of identifiers, plus both.

    Attributes
    ----------
    datasets : list of str
        Names of datasets by their code.
    labels : pyarrow.Array
        Identifiers by their code.
    keys : ndarray of int64
        Keys of the items.
    """

    datasets: list
    labels: pa.Array
    keys: np.ndarray

    def identifiers(self, rows):
        """Return the identifiers of rows."""
        return self.labels.take(pa.array(self.keys[rows] % len(self.labels))).cast(pa.string())

    def both(self, key):
        """Return the identifier and the name of the dataset of a key."""
        dataset, identifier = divmod(int(key), len(self.labels))
        return self.labels[identifier].cast(pa.string()).as_py(), self.datasets[dataset]

    def parts(self):
        """Return name and rows of each dataset, in the order of their first rows."""
        codes = self.keys // len(self.labels)
        first = np.full(len(self.datasets), len(codes))
        first[codes[::-1]] = np.arange(len(codes))[::-1]
        order = np.argsort(first, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        rows = np.argsort(rank[codes], kind="stable")
        stops = np.cumsum(np.bincount(codes, minlength=len(order))[order])
        parts = zip(order, np.split(rows, stops[:-1]), strict=True)
        return [(self.datasets[code], part) for code, part in parts if len(part)]


@dataclass(frozen=True, eq=False)
class Side:
    """Keys of the items of a system, the file that holds them, and what to do if one is twice.

    `otherwise` returns a clause that stands behind the usual remedy; `noun` is what a row is.
    """

    who: str
    file: str
    keys: np.ndarray
    otherwise: Callable[[], str] = str
    noun: str = "item"


def match(dataset, sides):
    """Match the items of one dataset, which several files name.

    `dataset`: name of the dataset. `sides` (sequence of (str, str, array_like of str)): for each
    side who it is, its file, and its identifiers.

    Returns list of ndarray of int64. For each side the rows, in the order of the first side.

    Raises `InputError`: if an identifier occurs twice, or not on every side.
    """
    arrays = [pa.array(identifiers, pa.string()) for *_, identifiers in sides]
    codes, labels = encoded(pa.chunked_array(arrays))
    keys = np.split(codes, np.cumsum([len(array) for array in arrays])[:-1])
    names = Names([dataset], labels, codes)
    return orders_of(
        names, [Side(who, file, k) for (who, file, _), k in zip(sides, keys, strict=True)]
    )


def orders_of(names, sides):
    """Return the rows of each side in the order of the first.

    `names` (Names): what the keys stand for. `sides` (sequence of Side): the sides.

    Returns list of ndarray of int64. The rows.

    Raises `InputError`: if a key occurs twice, or not on every side.
    """
    first, orders = sides[0], [np.arange(len(sides[0].keys))]
    sorted_first = np.argsort(first.keys, kind="stable")
    refuse_twice(names, first, sorted_first)
    for side in sides[1:]:
        if np.array_equal(side.keys, first.keys):
            orders.append(orders[0])
            continue
        order = np.argsort(side.keys, kind="stable")
        refuse_twice(names, side, order)
        if not np.array_equal(side.keys[order], first.keys[sorted_first]):
            _refuse_missing(names, first, side, sides)
        rows = np.empty_like(order)
        rows[sorted_first] = order
        orders.append(rows)
    return orders


def refuse_twice(names, side, order=None):
    """Refuse a key that a side has twice; `order` sorts its keys, if that is known."""
    order = np.argsort(side.keys, kind="stable") if order is None else order
    ordered = side.keys[order]
    twice = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    if twice.size:
        keys = side.keys[np.sort(order[twice])]
        whose = f" of {side.who}" if side.who else ""
        raise InputError(
            f"{side.file}: {_listed(names, keys)} occur{'s' * (len(keys) == 1)} more than once "
            f"among the {side.noun}s{whose}; give every {side.noun} of a dataset its own identifier"
            f"{side.otherwise()}."
        )


def _refuse_missing(names, first, second, sides):
    """Say which datasets, or which items, one side has and the other has not."""
    for lacking, other in ((first, second), (second, first)):
        held, wanted = (pd.unique(side.keys // len(names.labels)) for side in (lacking, other))
        absent = [names.datasets[code] for code in wanted[~np.isin(wanted, held)]]
        if absent:
            extra = [names.datasets[code] for code in held[~np.isin(held, wanted)]]
            common = [names.datasets[code] for code in wanted[np.isin(wanted, held)]]
            raise InputError(
                f"{lacking.file}: {_enumerated('dataset', absent)} missing for "
                f"{lacking.who}{_instead(extra)}; score every system on every dataset, or select "
                f"the datasets with {checks.ways('datasets', common, at_once=True)}."
            )
    for lacking, other in ((first, second), (second, first)):
        absent = other.keys[~np.isin(other.keys, lacking.keys)]
        if absent.size:
            extra = lacking.keys[~np.isin(lacking.keys, other.keys)]
            instead = _instead([names.both(key)[0] for key in extra[:LISTED]])
            said = (
                f"{lacking.file}: item{'s' * (len(absent) > 1)} {_listed(names, absent)} "
                f"{'is' if len(absent) == 1 else 'are'} missing for {lacking.who}{instead}; score "
                "both systems on the same items"
            )
            found, who = missing.lacked(names, sides), [side.who for side in sides]
            gold = any(of[who.index(GOLD)] for of in found.values()) if GOLD in who else False
            if gold or len(set(who)) < len(who):  # what gold or a run lacks is never left out
                raise InputError(f"{said}.")
            raise missing.Lacking(said, who, found)


def by_place(sides):
    """Match the items of one dataset by their places in several files.

    `sides` (sequence of (str, str, array_like of str)): as for `match`.

    Returns list of ndarray of int64: for each side the rows, 0 to n - 1. tuple of str: sentences on
    identifiers that differ from those of the first side.

    Raises `InputError`: if the numbers of items differ.
    """
    (_, file, first), *others = sides
    found = ()
    for _, other, identifiers in others:
        if len(identifiers) != len(first):
            raise InputError(
                f"{other} has {len(identifiers):,} items, but {file} has {len(first):,}; to "
                "match by position, score the same items in the same order for both systems."
            )
        pairs = enumerate(zip(map(str, first), map(str, identifiers), strict=True), 1)
        differing = [f"item {n} is {b!r} instead of {a!r}" for n, (a, b) in pairs if a != b]
        found += listed_differences(f"{other} and {file}", "identifier", differing)
    return [np.arange(len(first)) for _ in sides], found


def listed_differences(files, what, differing):
    """Say what differs between files that are matched by place.

    `files`: the files. `what`: what is matched, such as "word". `differing` (sequence of str): a
    clause for each difference.

    Returns tuple of str. One sentence, which lists the first `LISTED` differences; empty if there
    is none.
    """
    if not differing:
        return ()
    n = len(differing)
    more = f", and {n - LISTED:,} more" if n > LISTED else ""
    return (
        f"{files} are matched by position but differ in {n:,} {what}{'s' * (n > 1)}: "
        f"{', '.join(differing[:LISTED])}{more}.",
    )


def _enumerated(what, names):
    return f"the {what} {some(names)} is" if len(names) == 1 else f"the {what}s {some(names)} are"


def _instead(extra):
    return f", which has {', '.join(map(repr, extra[:LISTED]))} instead" if extra else ""


def _listed(names, keys):
    """Name the first few items and count the others."""
    named = [shown(*names.both(key)) for key in keys[:LISTED]]
    more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
    return ", ".join(named) + more
