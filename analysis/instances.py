"""Per-instance scores: reading them from tables, matched by identifier, and writing them.

=========================  ===========================================================
columns of a table         rows
=========================  ===========================================================
dataset, instance,         one per instance and system; `size` is the denominator of
system, score [, size]     the score, such as the words of a sentence
dataset, instance,         one per instance; `gold` are ratings by people, for tests of
scores [, size] [, gold]   correlations
=========================  ===========================================================
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis import checks, data
from analysis.checks import InputError

KEYS = ("dataset", "system")
"""Columns with few different values, stored as dictionaries."""

LONG = ("dataset", "instance", "system", "score", "size")
"""Columns of a table with one row per instance and system."""

LISTED = 3
"""Identifiers that a message lists; the others are counted."""


def read(comparison):
    """Read the instances of a comparison, those of A beside those of B.

    Parameters
    ----------
    comparison : data.Comparison
        Its file is a CSV, TSV or Parquet table.

    Returns
    -------
    DataFrame
        One row per instance, datasets in the order of the file: ``dataset``, ``instance`` (str),
        ``a``, ``b`` (float) and, where the columns are named, ``size`` and ``gold`` (float).

    Raises
    ------
    InputError
        If the file, a column, a dataset or a system is missing, an identifier is empty, occurs
        twice or for one system only, a number is not finite, or a size is not above 0 or not the
        same for both systems.

    Notes
    -----
    Instances are matched by dataset and identifier, never by the order of the rows.
    """
    names = comparison.columns
    if "system" in names:
        _, (a, b) = _sides(comparison)
        return _beside(comparison, comparison.systems, a, b)
    a, b = names["scores"]
    wanted = {"dataset": names["dataset"], "instance": names["instance"], "a": a, "b": b}
    wanted |= {key: names[key] for key in ("size", "gold") if key in names}
    table = _numbers(comparison, load(comparison.file, wanted))
    _refuse_duplicates(comparison, table, "")
    return table.reset_index(drop=True)


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
    DataFrame
        One row per instance: ``dataset``, ``instance`` and, if the column is named, ``size``.
    ndarray of float, shape (s, rows)
        Scores.

    Raises
    ------
    InputError
        As `read`.
    """
    names, sides = _sides(family)
    beside = [
        _beside(family, (names[0], n), sides[0], s) for n, s in zip(names, sides, strict=True)
    ]
    return names, beside[0].drop(columns=["a", "b"]), np.stack([side["b"] for side in beside])


def load(file, columns):
    """Load columns of a CSV, TSV or Parquet table.

    Parameters
    ----------
    file : str or Path
        The table; its ending tells the format; a relative path starts at the checkout.
    columns : dict of str to str
        New name -> header in the file.

    Returns
    -------
    DataFrame
        The columns under their new names, at least one row; the index counts the rows of the file
        from 0.

    Raises
    ------
    InputError
        If the file is missing, not such a table or empty, or a column is missing.
    """
    path = data.existing(file)
    if path.suffix == ".parquet":
        table = _parquet(path, file, columns)
    else:
        table = data.read_table(file, separator="\t" if path.suffix == ".tsv" else ",")
        for header in columns.values():
            checks.choice(f"{file}: column", header, table.columns)
    return pd.DataFrame({name: table[header] for name, header in columns.items()})


def write(table, path):
    """Write a table of instances as a Parquet file, all or nothing.

    Parameters
    ----------
    table : DataFrame
        One row per instance, or per instance and system; the index is not written.
    path : str or Path
        The file; equal tables give equal bytes.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    columns = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    pq.write_table(
        columns,
        part,
        compression="zstd",
        compression_level=19,
        use_dictionary=[key for key in KEYS if key in columns.column_names],
    )
    part.replace(path)


def _parquet(path, file, columns):
    try:
        known = pq.read_schema(path).names
        for header in columns.values():
            checks.choice(f"{file}: column", header, known)
        table = pq.read_table(path, columns=list(dict.fromkeys(columns.values())))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].partition(".")[0]
        raise InputError(f"{file} is not a Parquet table ({reason}); write it anew.") from None
    if not table.num_rows:
        raise InputError(f"{file} has no row; a table needs one instance.")
    return table.to_pandas()


def _sides(comparison):
    """Return the systems of a table with one row per instance and system, and the rows of each."""
    names = comparison.columns
    table = load(comparison.file, {key: names[key] for key in LONG if key in names})
    _refuse_blank(comparison, table, "system")
    parts = dict(list(table.groupby(table["system"].astype(str), sort=False)))
    systems = list(comparison.systems) or list(parts)
    for system in systems:
        checks.choice(f"{comparison.file}: system", system, parts)
    return systems, [_of_system(comparison, system, parts[system]) for system in systems]


def _of_system(comparison, system, rows):
    """Return the checked rows of one system."""
    rows = _numbers(comparison, rows.drop(columns="system"))
    _refuse_duplicates(comparison, rows, f" of {system}")
    return rows.reset_index(drop=True)


def _beside(comparison, systems, a, b):
    """Put the rows of both systems beside each other, matched by dataset and identifier."""
    keys = ["dataset", "instance"]
    if len(a) != len(b) or not all((a[key].array == b[key].array).all() for key in keys):
        order = b[keys].assign(row=np.arange(len(b)))
        matched = a[keys].merge(order, how="outer", on=keys, indicator=True)
        for system, side in zip(systems, ("right_only", "left_only"), strict=True):
            _refuse_missing(comparison, system, matched[matched["_merge"] == side])
        b = b.iloc[a[keys].merge(order, on=keys, how="left")["row"]].reset_index(drop=True)
    if "size" in a and (a["size"] != b["size"]).any():
        row = int((a["size"] != b["size"]).argmax())
        raise InputError(
            f"{comparison.file}: instance {a['instance'][row]!r} of {a['dataset'][row]!r} has the "
            f"size {a['size'][row]:g} for {systems[0]} and {b['size'][row]:g} for "
            f"{systems[1]}, but it is the same instance; correct one of them."
        )
    table = a.rename(columns={"score": "a"})
    table.insert(3, "b", b["score"])
    return table


def _numbers(comparison, table):
    """Turn all columns but the keys, which become text, into finite numbers."""
    for key in ("dataset", "instance"):
        _refuse_blank(comparison, table, key)
    table = table.astype({"dataset": str, "instance": str})
    table = data.chosen(comparison, table.assign(row=table.index)).set_index("row")
    for name in table.columns.drop(["dataset", "instance"]):
        numbers = pd.to_numeric(table[name], errors="coerce").astype(float)
        wrong = ~np.isfinite(numbers.to_numpy())
        if wrong.any():
            value = table[name][wrong].iloc[0]
            shown = repr(value) if isinstance(value, str) else value
            raise InputError(
                f"{_place(comparison, table, wrong)}: the {name} is {shown}, but it is a finite "
                "number; leave that instance out for both systems."
            )
        table[name] = numbers
        if name == "size" and (numbers <= 0).any():
            wrong = (numbers <= 0).to_numpy()
            raise InputError(
                f"{_place(comparison, table, wrong)}: the size is {numbers[wrong].iloc[0]:g}, but "
                "it is the denominator of a score and above 0; leave that instance out for both "
                "systems."
            )
    return table


def _place(comparison, table, wrong):
    """Name the first wrong row: by its line in a text file, whose line 1 is the header."""
    row = table.index[wrong.argmax()]
    parquet = Path(comparison.file).suffix == ".parquet"
    return f"{comparison.file}, {f'row {row + 1}' if parquet else f'line {row + 2}'}"


def _refuse_blank(comparison, table, key):
    wrong = (table[key].isna() | (table[key].astype(str) == "")).to_numpy()
    if wrong.any():
        raise InputError(
            f"{_place(comparison, table, wrong)}: the {key} is empty, but every score has one; "
            "fill it in."
        )


def _refuse_duplicates(comparison, table, whose):
    twice = table.duplicated(["dataset", "instance"])
    if twice.any():
        occur = "occurs" if twice.sum() == 1 else "occur"
        raise InputError(
            f"{comparison.file}: {_listed(table[twice])} {occur} more than once among the "
            f"instances{whose}; give every instance of a dataset its own identifier."
        )


def _refuse_missing(comparison, system, rows):
    if len(rows):
        raise InputError(
            f"{comparison.file}: {_listed(rows)} {'is' if len(rows) == 1 else 'are'} missing for "
            f"{system}; score both systems on the same instances."
        )


def _listed(rows):
    """Name the first few instances and count the others."""
    shown = [f"{row.instance!r} of {row.dataset!r}" for row in rows.head(LISTED).itertuples()]
    more = f" and {len(rows) - LISTED} more" if len(rows) > LISTED else ""
    return ", ".join(shown) + more
