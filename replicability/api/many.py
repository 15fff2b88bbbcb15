"""Three or more systems: one table, or a table, an array, a file or a folder for each."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from replicability import checks
from replicability.api import sides as sides_
from replicability.api import sources
from replicability.api.columns import ROLES, Columns, source
from replicability.api.scores import called, framed, headers
from replicability.checks import InputError
from replicability.io import cells, families, formats, keys, missing
from replicability.io.datasets import names_of
from replicability.io.declared import Source
from replicability.io.tables import is_frame, of_arrow
from replicability.io.text import existing


def many_systems(
    data: object,
    systems: Sequence[str],
    given: dict[str, Any],
) -> Source:
    """Find three or more systems.

    Parameters
    ----------
    data : object
        A data frame or path with all systems; or system -> frame, array, file or folder; or a list
        of files or folders, which name their systems.
    systems : sequence of str
        The systems that are compared; empty for all.
    given : dict
        The keywords of `scores.Reading` that are given.

    Returns
    -------
    Source

    Raises
    ------
    InputError
        If a column or a system is missing, or systems are given in different ways.
    """
    twice = [name for name in systems if systems.count(name) > 1]
    if twice:
        raise InputError(f"The system {twice[0]!r} is named twice; name each system once.")
    given = keys.given(given)
    unit_declared = "unit" in given
    named, one_dataset = headers(given), given.pop("one_dataset", False)
    chosen = tuple(given.pop("datasets", ()))
    source = _found(data, systems, named, one_dataset, given)
    return replace(source, datasets=chosen, unit_declared=unit_declared, **called(source))


def _found(
    data: object,
    systems: Sequence[str],
    named: dict[str, str],
    one_dataset: bool,
    given: dict[str, Any],
) -> Source:
    """Find the systems in whatever is passed."""
    if isinstance(data, list | tuple) and all(isinstance(p, str | os.PathLike) for p in data):
        data = _by_name([os.fspath(path) for path in data])
    data = framed(data)
    lenient = given.get("missing", missing.REFUSE) != missing.REFUSE
    if not isinstance(data, Mapping) or all(isinstance(of, Mapping) for of in data.values()):
        return _said(_one_table(data, systems, named, one_dataset, lenient), given)
    sides = {str(name): framed(side) for name, side in data.items()}
    for system in systems:
        checks.choice("system", system, sides)
    sides = {name: sides[name] for name in systems or sides}
    if len(sides) < 3:
        raise InputError(
            f"There are {len(sides)} systems ({', '.join(sides)}), but three or more have all "
            "pairs; pass two to compare()."
        )
    kinds = {name: _kind(side) for name, side in sides.items()}
    first = next(iter(sides))
    for name, kind in kinds.items():
        if kind != kinds[first]:
            raise InputError(
                f"The scores of {first} are {kinds[first]}, but those of {name} are {kind}; pass "
                "all in the same way."
            )
    return {
        "a path": lambda: _paths(sides, named, one_dataset, given),
        "a data frame": lambda: _said(_tables(sides, named, one_dataset, lenient), given),
        "an array": lambda: _said(_arrays(sides), given),
    }[kinds[first]]()


def _said(source: Source, given: dict[str, Any]) -> Source:
    """Add to the source of tables what is said of it."""
    formats.refuse_idle("table", given)
    given.pop("format", None)
    return replace(source, **given)


def _kind(side: object) -> str:
    if isinstance(side, str | os.PathLike):
        return "a path"
    if is_frame(side):
        return "a data frame"
    return "a dictionary" if isinstance(side, Mapping) else "an array"


def _by_name(paths: Sequence[str]) -> dict[str, str]:
    """Name systems after their files."""
    if len(paths) < 2:
        raise InputError("There is one file; pass one for each of three systems or more.")
    names = [names_of(path, paths[k == 0])[0] for k, path in enumerate(paths)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"Two files are of the system {twice[0]!r} by name; pass system -> file.")
    return dict(zip(names, paths, strict=True))


def _paths(
    sides: Mapping[str, object],
    named: Mapping[str, str],
    one_dataset: bool,
    given: dict[str, Any],
) -> Source:
    """Find a system in each file or folder."""
    paths = {name: str(Path(str(path)).absolute()) for name, path in sides.items()}
    for path in paths.values():
        existing(path, folder=None)
        same = [name for name, other in paths.items() if other == path]
        if len(same) > 1:
            raise InputError(
                f"The systems {checks.enumerated(same)} are read from {path}; name the file or "
                "folder of each."
            )
    kind = given.pop("format", "") or formats.guess(next(iter(paths.values())))
    formats.refuse_idle(kind, given)
    if kind == "table":
        lenient = given.get("missing", missing.REFUSE) != missing.REFUSE
        return replace(_tables(paths, named, one_dataset, lenient), **given)
    headers = dict(named)
    gold = headers.pop("gold", None)
    gold = None if gold is None else str(Path(gold).absolute())
    return sides_.of_files(formats.get(kind), tuple(paths), paths, headers, gold, **given)


def _tables(
    sides: Mapping[str, object], named: Mapping[str, str], one_dataset: bool, lenient: bool
) -> Source:
    """Find a system in each table, matched by dataset and identifier."""
    _refuse_gold(named)
    tables = {
        name: sides_.with_scores(
            source(side, f"The frame of {name}", named, alone=False, lenient=lenient),
            named,
            one_dataset,
        )
        for name, side in sides.items()
    }
    parts = {name: sides_.side_of(table, name, lenient=lenient) for name, table in tables.items()}
    first = next(iter(parts))
    for name, part in parts.items():
        if part.column_names != parts[first].column_names:
            key = min(set(part.column_names) ^ set(parts[first].column_names))
            raise InputError(
                f"Only one of the tables of {first} and {name} has a {key}; give each instance one "
                "in all."
            )
    name = families.listed({system: str(table.file) for system, table in tables.items()})
    columns = {key: key for key in parts[first].column_names if key != "unit"}
    unit: dict[str, Any] = {"unit": "unit"} if "unit" in parts[first].column_names else {}
    if not unit:
        belongs = cells.belonging(tables[first].file, tables[first].found.values())
        parts[first] = sides_.side_of(tables[first], first, (), belongs, lenient)
    file = of_arrow(pa.concat_tables(parts.values(), promote_options="default"), name)
    file = replace(file, made=sides_.placed([*tables.values()]))
    score = tables[first].found["score"]
    read = {**sides_.told(list(tables.values())), "score": score, **unit}
    return Source(file=file, columns=columns, systems=tuple(parts), **read)


def _refuse_gold(named: Mapping[str, str]) -> None:
    if "gold" in named:
        raise InputError(
            "gold= names the gold files of outputs, but the systems have scores; leave it out, or "
            "compare two systems by their correlation with gold ratings."
        )


def _arrays(sides: Mapping[str, object]) -> Source:
    """Take the scores of each system on one dataset, in the same order."""
    aligned = zip(sides, sources.by_index("The arrays", *sides.values()), strict=True)
    scores = {name: sources.scores_of(f"scores of {name}", side) for name, side in aligned}
    first = next(iter(scores))
    for name, side in scores.items():
        if len(side) != len(scores[first]):
            raise InputError(
                f"{first} has {len(scores[first]):,} scores and {name} {len(side):,}; score all "
                "systems on the same instances, in the same order."
            )
    table = pa.table({name: pa.array(side) for name, side in scores.items()})
    return _one_table(table, tuple(scores), {}, one_dataset=True, lenient=False)


def _one_table(
    data: object,
    systems: Sequence[str],
    named: Mapping[str, str],
    one_dataset: bool,
    lenient: bool,
) -> Source:
    """Find the systems of one table, with a row per instance and system or a column for each."""
    _refuse_gold(named)
    levels = {"systems": tuple(systems), "lenient": lenient}
    table = Columns(source(data, "The frame", named, alone=True, **levels), named, one_dataset)
    if "system" in table.found and table.is_matrix:
        return sources.of_matrix(table, systems, lenient)
    if "system" in table.found:
        table.needed("instance", "by which the scores of the systems are matched")
        table.needed("score", "which all systems have")
        table.read({})
        keys = [key for key in (*ROLES, "run") if key in table.found]
        file, roles = sources.completed(table, {key: table.found[key] for key in keys})
        unused = table.unused()
        return Source(file=file, columns=roles, unused=unused, systems=tuple(systems), **table.unit)
    headers = list(systems) or table.numeric()
    for header in headers:
        checks.choice(f"{table.file}: column", header, table.known)
    table.read({}, headers)
    keys = [key for key in ("dataset", "instance", "size") if key in table.found]
    file, roles = sources.completed(table, {key: table.found[key] for key in keys})
    columns, unused = {**roles, "scores": headers}, table.unused(headers)
    return Source(file=file, columns=columns, unused=unused, systems=tuple(headers), **table.unit)
