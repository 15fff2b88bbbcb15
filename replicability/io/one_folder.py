"""A folder with a table for each dataset, in which all systems stand, as one table."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, cells, datasets, delimited, headers, matrices, missing
from replicability.io.tables import Table, of_arrow
from replicability.io.text import shown

SYSTEM = ("system", "model", "method")
"""Headers of a column of systems."""


def opened(comparison):
    """Return a comparison whose file is a folder, or a table of each system, with what is in it.

    `comparison` (declared.Source): its file is a table or a folder; or its files are a table of
    each system.

    Returns declared.Source. With the `table` of the folder, and its columns.

    Raises `InputError`: as `table`.
    """
    if comparison.files and not comparison.file:
        return replace(comparison, file=_of_systems(comparison))
    if isinstance(comparison.file, Table) or not Path(comparison.file).is_dir():
        return comparison
    columns, lenient = comparison.columns, comparison.missing != missing.REFUSE
    named = {k: v for k, v in columns.items() if (k, v) != ("dataset", "dataset")}
    named["ignore"] = comparison.ignore
    file = table(Path(comparison.file).absolute(), named, comparison.systems, lenient)
    if set(columns) <= {"system", "dataset"}:
        columns = {key: key for key in ("dataset", "instance", "system", "score")}
    ignore = tuple(header for header in comparison.ignore if header not in file.left_out)
    return replace(comparison, file=file, columns=columns, ignore=ignore)


def table(folder, named=None, systems=(), lenient=False):
    """Put the tables of a folder below each other, with the names of the files as datasets.

    `folder`: files of one kind: tables with a column for each system or a row for each, or arrays
    in ``.npy`` with an axis of systems. Names that begin with a dot do not count. `named`
    (mapping): role -> header, as far as it is said. `systems` (sequence of str): systems that are
    named; of arrays in their order. `lenient`: whether scores may be missing.

    Returns Table. With ``dataset`` and, unless a column of systems asks for one, ``instance``.

    Raises `InputError`: if the folder is empty, its tables have different headers or datasets of
    their own, or the systems of an array cannot be told.
    """
    found, named = datasets.by_stem(folder), named or {}
    if not found:
        raise InputError(
            f"{shown(folder)} contains no files; give a folder with one file per dataset."
        )
    arrays = [path for path in found.values() if path.suffix.lower() == ".npy"]
    if arrays and len(arrays) < len(found):
        other = next(path for path in found.values() if path not in arrays)
        raise InputError(
            f"{shown(folder)} contains both arrays and {other.name!r}; keep files of one kind only."
        )
    parts, left_out = (
        (_arrays(folder, found, systems), ()) if arrays else _tables(found, named, lenient)
    )
    first = next(iter(parts))
    for name, part in parts.items():
        if set(part.column_names) != set(parts[first].column_names):
            apart = sorted(set(part.column_names) ^ set(parts[first].column_names))
            raise InputError(
                f"{shown(found[name])} and {shown(found[first])} do not have the same columns, "
                f"because only one of them has {cells.some(apart)}; give all tables of the folder "
                "the same columns."
            )
    whole = _together([*parts.values()])
    whole = whole.append_column(
        "dataset", pa.array(np.repeat([*parts], [*map(len, parts.values())]))
    )
    ends = np.cumsum([*map(len, parts.values())])

    def place(row):
        part = int(np.searchsorted(ends, row, side="right"))
        path = found[[*parts][part]]
        row -= int(ends[part - 1]) if part else 0
        return f"{shown(path)}, row {row}" if arrays else delimited.place(path, row)

    full = replace(of_arrow(whole, str(folder)), origin=str(folder), place=place, left_out=left_out)
    alike = {header.strip().casefold() for header in whole.column_names}
    if {"system", "instance"} & alike or named.get("instance") in whole.column_names:
        return full
    places = [cells.by_place(len(part)) for part in parts.values()]
    return full.with_column("instance", pa.chunked_array(places))


def _of_systems(comparison):
    """Put the tables of all systems below each other, with a column of the systems."""
    names = dict(zip("ab", comparison.systems, strict=False))
    paths = {names.get(side, side): path for side, path in comparison.files.items()}
    parts = []
    for path in paths.values():
        known = delimited.read_headers(path)
        used = {key: of for key, of in comparison.columns.items() if key != "system"}
        delimited.positions(path, known, {header: header for header in headers.named(used)})
        if "system" in known:
            raise InputError(
                f"{shown(path)} is the table of one system, but has a column 'system'; leave the "
                "column out, or give one file with all systems."
            )
        parts.append(delimited.every(path, headers.named(used)))
    common = [h for h in parts[0].column_names if all(h in p.column_names for p in parts)]
    whole = _together([part.select(common) for part in parts])
    lengths = [*map(len, parts)]
    whole = whole.append_column("system", pa.array(np.repeat([*paths], lengths)))
    ends = np.cumsum(lengths)

    def place(row):
        part = int(np.searchsorted(ends, row, side="right"))
        return delimited.place([*paths.values()][part], row - int(ends[part - 1] if part else 0))

    files = {name: shown(path) for name, path in paths.items()}
    return replace(of_arrow(whole, comparison.source, files), place=place)


def _together(parts):
    """Concatenate tables with the same columns, as text where they differ in kind."""
    names = parts[0].column_names
    columns = []
    for name in names:
        chunks = [part[name] for part in parts]
        if len({chunk.type for chunk in chunks}) > 1:
            chunks = [chunk.cast(pa.string()) for chunk in chunks]
        columns.append(pa.chunked_array([c for chunk in chunks for c in chunk.chunks]))
    return pa.table(dict(zip(names, columns, strict=True)))


def _tables(found, named, lenient):
    """Read the tables; those with a row for each system are laid out by item.

    Return them by the names of their files, and the headers that are no items of these.
    """
    parts, left_out = {}, ()
    ignored = named.get("ignore", ())
    for name, path in found.items():
        known = delimited.read_headers(path)
        alike = {header.strip().casefold(): header for header in reversed(known)}
        if (of := alike.get("dataset")) or "dataset" in named:
            raise InputError(
                f"{shown(path)} is read as one dataset, named after the file, but the column "
                f"{of or named['dataset']!r} holds names of datasets; leave the column out, or "
                "give one file instead of a folder."
            )
        if "" in known:
            raise InputError(
                f"{shown(path)} has a column without a header; call it 'system' if each row is a "
                "system, or 'instance' if each row is an item."
            )
        system = named.get("system") or next((alike[key] for key in SYSTEM if key in alike), None)
        if system and not {"instance", "score"} & {*alike, *named}:
            parts[name] = matrices.by_instance(path, {"system": system}, name, lenient, ignored)
            if "system" not in named:
                scores = parts[name]["score"].drop_null().to_numpy()
                aggregates.refuse_few(path, len(parts[name]["instance"].unique()), scores)
            parts[name] = parts[name].drop_columns("dataset")
            left_out = ignored
        else:
            parts[name] = delimited.every(path, known)
    return parts, left_out


def _arrays(folder, found, systems):
    """Read arrays, and return a column for each system."""
    arrays = {}
    for name, path in found.items():
        try:
            arrays[name] = np.load(path, allow_pickle=False)
        except (ValueError, OSError, EOFError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise InputError(
                f"{shown(path)} is not an array of numbers ({reason}); save it again with "
                "numpy.save()."
            ) from None
        if arrays[name].ndim != 2 or arrays[name].dtype.kind not in "biuf":
            raise InputError(
                f"{shown(path)} is an array of type {arrays[name].dtype} and shape "
                f"{arrays[name].shape}, but a two-dimensional array of numbers is needed; save an "
                "array of systems by items."
            )
    lengths = [{array.shape[axis] for array in arrays.values()} for axis in range(2)]
    axes = [axis for axis in range(2) if len(lengths[axis]) == 1]
    if len(axes) > 1 and systems:
        axes = [axis for axis in axes if lengths[axis] == {len(systems)}]
    if len(axes) != 1:
        shapes = checks.listed([str(array.shape) for array in arrays.values()])
        raise InputError(
            f"{shown(folder)} has arrays of the shapes {shapes}, which do not show which axis "
            f"holds the systems; specify all systems with {checks.named('systems')}, in the order "
            "of that axis."
        )
    (axis,), (n,) = axes, lengths[axes[0]]
    names = systems if len(systems) == n else [f"system {place}" for place in range(1, n + 1)]
    return {
        name: pa.table(dict(zip(names, np.moveaxis(array, axis, 0), strict=True)))
        for name, array in arrays.items()
    }
