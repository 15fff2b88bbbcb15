"""Per-instance scores: reading them from tables, matched by identifier, and writing them.

=========================  ===========================================================
columns of a table         rows
=========================  ===========================================================
dataset, instance,         one per instance and system; `size` is the denominator of
system, score [, size]     the score, such as the words of a sentence
dataset, instance,         one per instance; `gold` are ratings by people, for tests of
scores [, size] [, gold]   correlations
=========================  ===========================================================

Names and identifiers are encoded as whole numbers, on which instances are matched and grouped, so
that ten million rows take no object each.
"""

import contextlib
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from replicability import checks
from replicability.checks import InputError
from replicability.io import delimited, files, paths, pvalues, text

KEYS = ("dataset", "system")
"""Columns with few different values, stored as dictionaries."""

LONG = ("dataset", "instance", "system", "score", "size")
"""Columns of a table with one row per instance and system."""

# fmt: off
TELLING = frozenset({
    "benchmark", "config", "configuration", "corpus", "dataset", "datasets", "domain", "evalset",
    "fold", "genre", "lang", "language", "locale", "source", "split", "subdataset", "subject",
    "subset", "subtask", "suite", "task", "testset", "treebank",
})
# fmt: on
"""Headers of columns that tell datasets apart, without blanks and words such as "name"."""

LISTED = 3
"""Identifiers that a message lists; the others are counted."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """The scores of two systems on the n instances of a dataset.

    Attributes
    ----------
    name : str
        Name of the dataset.
    identifiers : pyarrow.StringArray, shape (n,)
        Names of the instances.
    a, b : ndarray of float64, shape (n,) or (n, c)
        Scores of both systems, or the sums of a metric; two sums are numerator and denominator.
    metric : str or None
        Name in `metrics.METRICS` of the metric of the sums; None for a score, or for the first sum
        over the second.
    gold : ndarray of float64, shape (n,), or None
        Gold ratings.
    """

    name: str
    identifiers: pa.StringArray
    a: np.ndarray
    b: np.ndarray
    metric: str | None = None
    gold: np.ndarray | None = None

    def __len__(self):
        return len(self.a)


@dataclass(frozen=True, eq=False)
class Several:
    """The scores of s systems on the n instances of a dataset.

    Attributes
    ----------
    name : str
        Name of the dataset.
    scores : ndarray of float64, shape (s, n)
        Scores.
    size : ndarray of float64, shape (n,), or None
        Denominators of the scores.
    """

    name: str
    scores: np.ndarray
    size: np.ndarray | None = None


def read(comparison):
    """Read the instances of a comparison from a table, those of A beside those of B.

    Parameters
    ----------
    comparison : data.Comparison
        Its file is a CSV, TSV or Parquet table.

    Returns
    -------
    list of Dataset
        Datasets and instances in the order of the file; where sizes are named, with two sums, and
        where gold ratings are, with them.

    Raises
    ------
    InputError
        If the file, a column, a dataset or a system is missing, an identifier is empty, occurs
        twice or for one system only, a number is not finite, or a size is not above 0, not the
        same for both systems, or below the score.

    Notes
    -----
    Instances are matched by dataset and identifier, never by the order of the rows.
    """
    if "system" in comparison.columns:
        _, names, (a, b), size, parts = _long(comparison)
        gold = None
    else:
        names, a, b, size, gold, parts = _wide(comparison)
    if size is not None:
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    return [
        Dataset(
            name,
            names.identifiers(rows),
            a[rows],
            b[rows],
            gold=None if gold is None else gold[rows],
        )
        for name, rows in parts
    ]


def read_family(family):
    """Read the instances of several systems, matched by identifier.

    Parameters
    ----------
    family : data.Family
        With a column of systems; without `systems`, all in the file.

    Returns
    -------
    list of str
        The s systems.
    list of Several
        Datasets and instances in the order of the file.

    Raises
    ------
    InputError
        As `read`.
    """
    systems, _, scores, size, parts = _long(family)
    scores = np.stack(scores)
    return systems, [
        Several(name, scores[:, rows], None if size is None else size[rows]) for name, rows in parts
    ]


def match(dataset, sides):
    """Match the instances of one dataset, which several files name.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    sides : sequence of (str, str, array_like of str)
        For each side who it is, its file, and its identifiers.

    Returns
    -------
    list of ndarray of int64
        For each side the rows, in the order of the first side.

    Raises
    ------
    InputError
        If an identifier occurs twice, or not on every side.
    """
    arrays = [pa.array(identifiers, pa.string()) for *_, identifiers in sides]
    codes, labels = _codes(pa.chunked_array(arrays))
    keys = np.split(codes, np.cumsum([len(array) for array in arrays])[:-1])
    names = _Names([dataset], labels, codes)
    return _orders(
        names, [_Side(who, file, k) for (who, file, _), k in zip(sides, keys, strict=True)]
    )


def by_place(n):
    """Name n instances that have no identifiers by their places, from 1.

    Returns
    -------
    pyarrow.StringArray
        "1" to n.
    """
    return pa.array(np.arange(1, n + 1)).cast(pa.string())


def identifiers(file, column, rows=None, name="instance"):
    """Turn a column into identifiers.

    Parameters
    ----------
    file : str or Path
        The table, for the message.
    column : pyarrow.ChunkedArray
        Text or numbers.
    rows : ndarray of int64, optional
        Rows of the file that the column holds; default all.
    name : str, default "instance"
        What they are, for the message.

    Returns
    -------
    pyarrow.StringArray
        The identifiers.

    Raises
    ------
    InputError
        If one is empty; the message names the line.
    """
    _refuse_blank(file, column, name, rows)
    with _readable(file, column, name):
        return column.cast(pa.string()).combine_chunks()


def numbers(file, column, name, rows=None):
    """Turn a column into finite numbers.

    Parameters
    ----------
    file : str
        The table, for the message.
    column : pyarrow.ChunkedArray
        Numbers, Booleans, or text that is numbers or, in all cells, "true" and "false".
    name : str
        What they are, for the message.
    rows : ndarray of int64, optional
        Rows of the file that the column holds; default all.

    Returns
    -------
    ndarray of float64
        The numbers.

    Raises
    ------
    InputError
        If one is missing or not finite; the message names the line.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        values = column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        with _readable(file, column, name):
            values = _from_text(column)
    values = values.to_numpy()
    wrong = ~np.isfinite(values)
    if wrong.any():
        index = int(wrong.argmax())
        cell = column[index].as_py()
        row = index if rows is None else int(rows[index])
        otherwise = delimited.remedy(cell, "leave that instance out for both systems")
        shown = repr(cell) if isinstance(cell, str) else values[index]
        raise InputError(
            f"{delimited.place(file, row)}: the {name} is {shown}, but it is a finite number; "
            f"{otherwise}."
        )
    return values


def sizes(file, column, rows=None):
    """Turn a column into denominators, finite numbers above 0.

    Parameters
    ----------
    file, column, rows
        As in `numbers`.

    Returns
    -------
    ndarray of float64
        The denominators.

    Raises
    ------
    InputError
        As `numbers`, and if one is not above 0.
    """
    values = numbers(file, column, "size", rows)
    if (values <= 0).any():
        index = int((values <= 0).argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the size is {values[index]:g}, but it is the "
            "denominator of a score and above 0; leave that instance out for both systems."
        )
    return values


def refuse_above(file, name, scores, size):
    """Refuse scores above their sizes.

    Parameters
    ----------
    file : str
        File, for the message.
    name : callable
        Row -> identifier and dataset of an instance.
    scores, size : ndarray of float64, shape (n,)
        Numerators and denominators of the same instances.

    Raises
    ------
    InputError
        If a numerator is above its denominator.
    """
    if (scores > size).any():
        row = int((scores > size).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: instance {identifier!r} of {dataset!r} has the score {scores[row]:g} of size "
            f"{size[row]:g}, but a score is a part of its size, such as the right words of all; "
            "correct one of them, or make the size the most that the score can be."
        )


def refuse_pooled(file, table, remedy):
    """Refuse a table that is read as one dataset but seems to hold several.

    Parameters
    ----------
    file : str
        File, for the message.
    table : pyarrow.Table
        All of its columns.
    remedy : str
        What to do, a clause with a place for the header.

    Raises
    ------
    InputError
        If a column with a header in `TELLING` has from two different values up to half as many as
        there are rows.
    """
    for header in table.schema.names:
        words = re.findall(r"[^\W_]+", header.casefold())
        if "".join(word for word in words if word not in _BESIDE) not in TELLING:
            continue
        with _readable(file, table[header], header):
            found = pc.unique(table[header].cast(pa.string()))
        if 2 <= len(found) <= table.num_rows / 2:
            shown = ", ".join(map(repr, found[:LISTED].to_pylist()))
            raise InputError(
                f"{file} is read as one dataset, but its column {header!r} has {len(found):,} "
                f"different values, such as {shown}; {remedy.format(header)}."
            )


_BESIDE = ("code", "id", "key", "name", "pair")


def refuse_sizes(file, systems, name, a, b):
    """Refuse sizes of an instance that differ between systems.

    Parameters
    ----------
    file : str
        File, for the message.
    systems : sequence of str
        Names of the systems.
    name : callable
        Row -> identifier and dataset of an instance.
    a, b : ndarray of float64, shape (n,)
        Sizes of the same instances.

    Raises
    ------
    InputError
        If two differ.
    """
    if (a != b).any():
        row = int((a != b).argmax())
        identifier, dataset = name(row)
        raise InputError(
            f"{file}: instance {identifier!r} of {dataset!r} has the size {a[row]:g} for "
            f"{systems[0]} and {b[row]:g} for {systems[1]}, but it is the same instance; correct "
            "one of them."
        )


def write(table, path):
    """Write a table of instances as a Parquet file, all or nothing.

    Parameters
    ----------
    table : DataFrame
        One row per instance, or per instance and system; the index is not written.
    path : str or Path
        The file; equal tables give equal bytes.

    Raises
    ------
    InputError
        As `replicability.io.files.replacing`.
    """
    columns = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    with files.replacing(path) as part:
        pq.write_table(
            columns,
            part,
            compression="zstd",
            compression_level=19,
            use_dictionary=[key for key in KEYS if key in columns.column_names],
        )


# --- tables --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Names:
    """What the key of an instance stands for: dataset times the number of identifiers, plus both.

    Attributes
    ----------
    datasets : list of str
        Names of datasets by their code.
    labels : pyarrow.Array
        Identifiers by their code.
    keys : ndarray of int64
        Keys of the instances.
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
class _Side:
    """Keys of the instances of a system, and the file that holds them."""

    who: str
    file: str
    keys: np.ndarray


def _long(comparison):
    """Read a table with one row per instance and system.

    Returns systems, names, the scores of each, sizes or None, and the rows of each dataset.
    """
    headers = {key: comparison.columns[key] for key in LONG if key in comparison.columns}
    table = delimited.columns(comparison.file, headers, encoded=KEYS)
    by_system, known = _named(comparison, table, "system")
    systems = list(comparison.systems) or known
    for system in systems:
        checks.choice(f"{comparison.file}: system", system, known)
    of = [known.index(system) for system in systems]
    table, rows, codes, datasets = _chosen(comparison, table, np.isin(by_system, of))
    by_system = by_system[rows]
    names = _keyed(comparison, table, rows, codes, datasets)
    at = [np.flatnonzero(by_system == code) for code in of]
    sides = [
        _Side(system, comparison.file, names.keys[rows_])
        for system, rows_ in zip(systems, at, strict=True)
    ]
    at = [rows_[order] for rows_, order in zip(at, _orders(names, sides), strict=True)]
    scores = numbers(comparison.file, table["score"], "score", rows)
    size = None
    if "size" in headers:
        size = sizes(comparison.file, table["size"], rows)
        for system, rows_ in zip(systems[1:], at[1:], strict=True):
            refuse_sizes(
                comparison.file,
                (systems[0], system),
                lambda row: names.both(sides[0].keys[row]),
                size[at[0]],
                size[rows_],
            )
        size = size[at[0]]
        for rows_ in at:
            refuse_above(
                comparison.file,
                lambda row: names.both(sides[0].keys[row]),
                scores[rows_],
                size,
            )
    names = _Names(names.datasets, names.labels, sides[0].keys)
    return systems, names, [scores[rows_] for rows_ in at], size, names.parts()


def _wide(comparison):
    """Read a table with both systems in a row: names, a, b, size, gold and the rows of datasets."""
    columns = comparison.columns
    a, b = columns["scores"]
    wanted = {"dataset": columns["dataset"], "instance": columns["instance"], "a": a, "b": b}
    wanted |= {key: columns[key] for key in ("size", "gold") if key in columns}
    table = delimited.columns(comparison.file, wanted, encoded=("dataset",))
    table, rows, codes, datasets = _chosen(comparison, table, np.ones(table.num_rows, bool))
    names = _keyed(comparison, table, rows, codes, datasets)
    _sorted_keys(names, _Side("", comparison.file, names.keys))
    a, b = (numbers(comparison.file, table[name], name, rows) for name in "ab")
    size = sizes(comparison.file, table["size"], rows) if "size" in wanted else None
    for side in (a, b) if size is not None and "gold" not in wanted else ():
        refuse_above(comparison.file, lambda row: names.both(names.keys[row]), side, size)
    gold = numbers(comparison.file, table["gold"], "gold", rows) if "gold" in wanted else None
    return names, a, b, size, gold, names.parts()


def _chosen(comparison, table, keep):
    """Keep the rows of the datasets that a comparison names: table, rows, dataset codes, names."""
    codes, known = _named(comparison, table, "dataset")
    for dataset in comparison.datasets:
        checks.choice(f"{comparison.file}: dataset", dataset, known)
    if comparison.datasets:
        keep = keep & np.isin(codes, [known.index(name) for name in comparison.datasets])
    rows = np.flatnonzero(keep)
    if len(rows) < len(keep):
        table, codes = table.filter(pa.array(keep)), codes[rows]
    pvalues.refuse_alike(comparison.file, [known[code] for code in pd.unique(codes)])
    return table, rows, codes, known


def _keyed(comparison, table, rows, codes, datasets):
    """Return the key of each row."""
    _refuse_blank(comparison.file, table["instance"], "instance", rows)
    with _readable(comparison.file, table["instance"], "instance"):
        identifiers, labels = _codes(table["instance"])
        labels = labels.cast(pa.string())
    return _Names(datasets, labels, codes.astype(np.int64) * len(labels) + identifiers)


def _named(comparison, table, key):
    """Encode a column of names: the code of each row, and the different names."""
    _refuse_blank(comparison.file, table[key], key)
    with _readable(comparison.file, table[key], key):
        codes, labels = _codes(table[key])
        return codes, [str(name) for name in labels.cast(pa.string()).to_pylist()]


def _codes(column):
    """Encode a column: the code of each row, and the different values."""
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    return column.indices.to_numpy(), column.dictionary


def _orders(names, sides):
    """Return the rows of each side in the order of the first."""
    first, orders = sides[0], [np.arange(len(sides[0].keys))]
    sorted_first = _sorted_keys(names, first)
    for side in sides[1:]:
        if np.array_equal(side.keys, first.keys):
            orders.append(orders[0])
            continue
        order = _sorted_keys(names, side)
        if not np.array_equal(side.keys[order], first.keys[sorted_first]):
            _refuse_missing(names, first, side)
        rows = np.empty_like(order)
        rows[sorted_first] = order
        orders.append(rows)
    return orders


def _sorted_keys(names, side):
    """Return the order of the keys of a side, each of which occurs once."""
    order = np.argsort(side.keys, kind="stable")
    ordered = side.keys[order]
    twice = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    if twice.size:
        keys = side.keys[np.sort(order[twice])]
        whose = f" of {side.who}" if side.who else ""
        raise InputError(
            f"{side.file}: {_listed(names, keys)} occur{'s' * (len(keys) == 1)} more than once "
            f"among the instances{whose}; give every instance of a dataset its own identifier."
        )
    return order


def _refuse_missing(names, first, second):
    """Say which datasets, or which instances, one side has and the other has not."""
    for lacking, other in ((first, second), (second, first)):
        held, wanted = (pd.unique(side.keys // len(names.labels)) for side in (lacking, other))
        missing = [names.datasets[code] for code in wanted[~np.isin(wanted, held)]]
        if missing:
            extra = [names.datasets[code] for code in held[~np.isin(held, wanted)]]
            raise InputError(
                f"{lacking.file}: {_enumerated('dataset', missing)} missing for {lacking.who}"
                f"{_instead(extra)}; score both systems on every dataset, or name those to compare "
                f"on with {checks.named('datasets')}."
            )
    for lacking, other in ((first, second), (second, first)):
        missing = other.keys[~np.isin(other.keys, lacking.keys)]
        if missing.size:
            extra = lacking.keys[~np.isin(lacking.keys, other.keys)]
            instead = _instead([names.both(key)[0] for key in extra[:LISTED]])
            raise InputError(
                f"{lacking.file}: {_listed(names, missing)} {'is' if len(missing) == 1 else 'are'} "
                f"missing for {lacking.who}{instead}; score both systems on the same instances."
            )


def some(names):
    """List the first few names and count the others.

    Parameters
    ----------
    names : sequence of str
        Names.

    Returns
    -------
    str
        At most `LISTED` of them.
    """
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, names[:LISTED])) + more


def _enumerated(what, missing):
    return f"{what} {some(missing)} is" if len(missing) == 1 else f"{what}s {some(missing)} are"


def _instead(extra):
    return f", which has {', '.join(map(repr, extra[:LISTED]))} instead" if extra else ""


def _listed(names, keys):
    """Name the first few instances and count the others."""
    shown = ["{!r} of {!r}".format(*names.both(key)) for key in keys[:LISTED]]
    more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
    return ", ".join(shown) + more


@contextlib.contextmanager
def _readable(file, column, name):
    """Refuse a column of a Parquet table that holds neither numbers nor text."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise InputError(
            f"{text.shown(paths.ROOT / file)}: the column of the {name}s holds {column.type}, "
            "which is neither text nor numbers; name another column, or write it anew."
        ) from None


def _from_text(column):
    """Turn text into numbers, NaN where it is none."""
    lower = pc.utf8_lower(column.cast(pa.string()))
    if set(pc.unique(lower).to_pylist()) <= {"true", "false"}:
        return pc.equal(lower, "true").cast(pa.float64())
    found = pd.to_numeric(column.cast(pa.string()).to_pandas(), errors="coerce")
    return pa.array(found.to_numpy(float, na_value=np.nan))


def _refuse_blank(file, column, key, rows=None):
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    blank = column.is_null()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        blank = pc.fill_null(pc.equal(column, ""), True)
    if pc.any(blank).as_py():
        index = int(blank.to_numpy().argmax())
        row = index if rows is None else int(rows[index])
        raise InputError(
            f"{delimited.place(file, row)}: the {key} is empty, but every score has one; fill it "
            "in."
        )
