"""Three or more systems: one table, or a table, an array, a file or a folder for each."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from replicability import checks
from replicability.api import arrays, sources
from replicability.api import sides as sides_
from replicability.api.columns import PREDICTION, ROLES, Columns
from replicability.api.reading import Given, framed, kind_of
from replicability.checks import InputError
from replicability.core.findings.wording import plural
from replicability.io import cells, families, formats, keys
from replicability.io.datasets import names_of
from replicability.io.declared import Source
from replicability.io.delimited import header_of
from replicability.io.tables import Table, of_arrow
from replicability.io.text import existing


def many_systems(
    data: object,
    systems: Sequence[str],
    reading: Mapping[str, Any],
) -> Source:
    """Find three or more systems.

    `data`: a data frame or path with all systems; or system -> frame, array, file or folder; or a
    list of files or folders, which name their systems. `systems` (sequence of str): the systems
    that are compared; empty for all. `reading`: keywords of `Reading`; None stands for what is not
    given.

    Returns Source.

    Raises `InputError`: if a column or a system is missing, or systems are given in different ways.
    """
    twice = [name for name in systems if systems.count(name) > 1]
    if twice:
        raise InputError(f"System {twice[0]!r} is listed twice; list each system once.")
    given = Given.of(keys.given(reading))
    if isinstance(data, list | tuple) and all(isinstance(p, str | os.PathLike) for p in data):
        data = _by_name([os.fspath(path) for path in data])
    data = framed(data)
    if not isinstance(data, Mapping) or all(isinstance(of, Mapping) for of in data.values()):
        formats.refuse_idle("table", given.fields)
        found = replace(_one_table(data, systems, given), **given.of_table)
    else:
        found = _of_each(data, systems, given)
    return given.added_to(found)


def _of_each(data: Mapping[Any, object], systems: Sequence[str], given: Given) -> Source:
    """Find a system in each value of a dictionary, all of one kind."""
    sides = {str(name): framed(side) for name, side in data.items()}
    for system in systems:
        checks.choice("system", system, sides)
    sides = {name: sides[name] for name in systems or sides}
    if len(sides) < 3:
        raise InputError(
            f"A family needs at least three systems, but you passed {len(sides)} "
            f"({', '.join(sides)}); to compare two systems, use the command compare (compare() in "
            "Python)."
        )
    kinds = {
        name: "a dictionary" if isinstance(side, Mapping) else kind_of(side)
        for name, side in sides.items()
    }
    first = next(iter(sides))
    for name, kind in kinds.items():
        if kind != kinds[first]:
            raise InputError(
                f"The scores of {first} are {kinds[first]}, but those of {name} are {kind}; pass "
                "all systems in the same form."
            )
    if kinds[first] == "a path":
        return _paths(sides, given)
    formats.refuse_idle("table", given.fields)
    found = _tables(sides, given) if kinds[first] == "a data frame" else _arrays(sides)
    return replace(found, **given.of_table)


def _by_name(paths: Sequence[str]) -> dict[str, str]:
    """Name systems after their files."""
    if len(paths) < 2:
        raise InputError(
            "A family needs a file for each of at least three systems, but there is only one file."
        )
    names = [names_of(path, paths[k == 0])[0] for k, path in enumerate(paths)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(
            f"Two files would give their systems the same name, {twice[0]!r}; pass a dictionary "
            "that maps each system to its file."
        )
    return dict(zip(names, paths, strict=True))


def _paths(sides: Mapping[str, object], given: Given) -> Source:
    """Find a system in each file or folder."""
    paths = {name: str(Path(str(path)).absolute()) for name, path in sides.items()}
    for path in paths.values():
        existing(path, folder=None)
        same = [name for name, other in paths.items() if other == path]
        if len(same) > 1:
            raise InputError(
                f"The systems {checks.enumerated(same)} are all read from {path}; give each system "
                "its own file or folder."
            )
    kind = given.fields.get("format") or formats.guess(next(iter(paths.values())))
    formats.refuse_idle(kind, given.fields)
    if kind == "table":
        return replace(_tables(paths, given), **given.of_table)
    headers, gold = sides_.without_gold(given.named)
    found = formats.get(kind)
    return sides_.of_files(found, tuple(paths), paths, headers, gold, **given.of_table)


def _tables(sides: Mapping[str, object], given: Given) -> Source:
    """Find a system in each table, matched by dataset and identifier."""
    if given.predicted and "gold" in given.named:
        return _predicted(sides, given)
    _refuse_gold(given)
    given = replace(given, datasets=())  # all are read, and chosen among later
    tables = {name: sides_.with_scores(side, name, given) for name, side in sides.items()}
    parts = sides_.sides_of(tables, given)
    sides_.refuse_truth([*tables], [*tables.values()], parts)
    first = next(iter(tables))
    name = families.listed({system: str(table.file) for system, table in tables.items()})
    paths = {s: table.file for s, table in tables.items() if not isinstance(table.file, Table)}
    columns = {key: key for key in parts[0].column_names if key in ("system", *sides_.READ)}
    unit: dict[str, Any] = {"unit": "unit"} if "unit" in tables[first].unit else {}
    file = of_arrow(pa.concat_tables(parts, promote_options="default"), name)
    file = replace(file, made=sides_.placed([*tables.values()]))
    score = tables[first].found["score"]
    left_out = tuple(of for of in tables[first].left_out if of in parts[0].column_names)
    read = {**sides_.told([*tables.values()]), "files": paths, "score": score, "ignore": left_out}
    read |= unit
    return Source(file=file, columns=columns, systems=tuple(tables), **read)


def _predicted(sides: Mapping[str, object], given: Given) -> Source:
    """Put tables with predictions and gold labels, one of each system, below each other."""
    named = {"score": PREDICTION} | given.named
    own = replace(given, named=named, datasets=())
    tables = {name: sides_.with_scores(side, name, own) for name, side in sides.items()}
    parts, shared = [], sides_.held([*tables.values()])
    for name, table in tables.items():
        used = {
            key: table.found[key] for key in (*ROLES, "gold", "run", "within") if key in table.found
        }
        read = table.read({header: header for header in used.values()}, used.values())
        for header, texts in cells.belonging(table.file, (), lambda _: shared).items():
            read = read.append_column(header, texts)
        parts.append(read.append_column("system", pa.repeat(name, read.num_rows)))
    whole = pa.concat_tables(parts, promote_options="permissive")
    named = {key: of for key, of in named.items() if key != "ignore"} | {"system": "system"}
    return _one_table(whole, tuple(sides), replace(given, named=named))


def _refuse_gold(given: Given) -> None:
    if "gold" in given.named:
        raise InputError(
            f"{checks.named('gold')} applies to outputs, but these systems have scores; leave it "
            "out, or compare two systems by their correlation with gold ratings."
        )


def _arrays(sides: Mapping[str, object]) -> Source:
    """Take the scores of each system on one dataset, in the same order."""
    aligned = dict(zip(sides, arrays.by_index("The arrays", *sides.values()), strict=True))
    scores = {name: arrays.scores_of(f"scores of {name}", side) for name, side in aligned.items()}
    given = [arrays.column_of(side) for side in aligned.values()]
    cells.refuse_truth("The arrays", [*scores], [*scores.values()], given)
    first = next(iter(scores))
    for name, side in scores.items():
        if len(side) != len(scores[first]):
            raise InputError(
                f"{first} has {len(scores[first]):,} scores and {name} has {len(side):,}; score "
                "all systems on the same items, in the same order."
            )
    table = pa.table({name: pa.array(side) for name, side in scores.items()})
    return _one_table(table, tuple(scores), Given(one_dataset=True))


def _one_table(data: object, systems: Sequence[str], given: Given) -> Source:
    """Find the systems of one table, with a row per item and system or a column for each."""
    if "successes" in given.named or "trials" in given.named:
        return sources.of_counts(data, systems, given, family=True)
    if not given.predicted:
        _refuse_gold(given)
    table = Columns(data, "The frame", given, alone=True, systems=tuple(systems))
    if "system" in table.found and table.is_matrix:
        return sources.of_matrix(table, systems, given.lenient)
    if "system" in table.found:
        if "run" not in table.found:
            table.needed("instance", "which is needed to match the systems' scores")
        table.needed("score", "which is needed for every system")
        table.read({})
        keys = [key for key in (*ROLES, "gold", "run", "within") if key in table.found]
        file, roles = sources.completed(table, {key: table.found[key] for key in keys})
        unused, more = table.unused(), {"ignore": table.left_out, **table.unit}
        return Source(file=file, columns=roles, unused=unused, systems=tuple(systems), **more)
    sources.refuse_pvalues(table, systems)
    headers = [header_of(table.file, name, table.known) for name in systems] or table.numeric()
    if systems and len(headers) < 3:
        raise InputError(
            f"{checks.named('systems')} names only {plural(len(headers), 'system')}, but a family "
            "needs at least three; add more, or compare two with compare()."
        )
    if len(headers) < 3:
        raise InputError(
            f"{table.file} has {len(headers) or 'no'} column{'s' * (len(headers) != 1)} of numbers "
            "that may be scores, but a family needs at least three systems; specify their columns "
            f"with {checks.named('systems')}. If each row has the score of one system, specify the "
            f"column of system names with {checks.named('system')}."
        )
    table.read({}, headers)
    wanted = ("dataset", "instance", "size", "gold", "run", "within")
    keys = [key for key in wanted if key in table.found]
    file, roles = sources.completed(table, {key: table.found[key] for key in keys})
    columns, unused = {**roles, "scores": headers}, table.unused(headers)
    return Source(file=file, columns=columns, unused=unused, systems=tuple(headers), **table.unit)
