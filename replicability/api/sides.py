"""Two systems, each in a table, file or folder of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.api.columns import Columns, Systems, named_apart
from replicability.api.reading import Given
from replicability.checks import InputError
from replicability.io import cells, formats
from replicability.io import headers as headers_
from replicability.io.datasets import names_of
from replicability.io.declared import Source
from replicability.io.matching import ONE, Names, Side, orders_of, shown
from replicability.io.tables import of_arrow, origin_of
from replicability.io.text import existing


def two_tables(
    sides: tuple[object, object],
    systems: Systems,
    given: Given,
    gold: object = None,
) -> Source:
    """Find two systems, each in a table of its own, matched by dataset and identifier.

    `gold` is a table of ratings. Other arguments, result and errors are as those of `one_table`.
    """
    systems = named_apart(systems, ("A", "B"))
    if given.predicted and "gold" in given.named:
        return _predicted(sides, systems, given)
    if given.lenient and gold is not None:
        raise InputError(
            f"{checks.named('missing')} applies to tables of scores, but you passed ratings and "
            "gold ratings; join the ratings of both systems and the gold ratings into one table."
        )
    if "gold" in given.named:
        raise InputError(
            f"{checks.named('gold')} names a column of a table with both systems' scores, but you "
            "passed two tables; join them first, for example with merge()."
        )
    tables = [with_scores(data, name, given) for data, name in zip(sides, systems, strict=True)]
    files = {name: str(table.file) for name, table in zip(systems, tables, strict=True)}
    if gold is not None:
        tables.append(_gold(gold, given))
    _refuse_one_sided(tables)
    parts = sides_of(dict(zip(systems, tables, strict=False)), given)
    if len(tables) > 2:
        parts.append(side_of(tables[2], "the gold standard", given))
    refuse_truth(systems, tables[:2], parts[:2])
    roles = ("system", *READ, *tables[0].unit)
    columns: dict[str, Any] = {key: key for key in roles if key in parts[0].column_names}
    together = pa.concat_tables(parts[:2], promote_options="default")
    if len(tables) > 2:
        together = _rated(parts, [*files.values(), str(tables[2].file)])
        pair = {"scores": ["a", "b"], "gold": "gold"}
        columns = {key: key for key in ("dataset", "instance", "size") if key in columns} | pair
    unit = tables[0].unit
    if unit and unit["unit"] in together.column_names:
        unit = {"unit": "unit"}
    of = unit.get("unit", "unit")
    headers = [of if name == "unit" else name for name in together.column_names]
    file = of_arrow(together.rename_columns(headers), " and ".join(files.values()), files)
    file = replace(file, made=placed(tables))
    columns.pop("unit", None)
    paths = [origin_of(table.file) for table in tables if origin_of(table.file)]
    of_side = (
        dict(zip(("a", "b", "gold"), paths, strict=False)) if len(paths) == len(tables) else {}
    )
    score = tables[0].found["score"] if "scores" not in columns else "score"
    left_out = tuple(of for of in tables[0].left_out if of in headers)
    read = {**told(tables), "score": score, "ignore": left_out, **unit}
    return Source(file=file, files=of_side, columns=columns, systems=systems, **read)


def _predicted(sides: tuple[object, object], systems: tuple[str, str], given: Given) -> Source:
    """Lay two tables with predictions and gold labels, one of each system, beside each other."""
    named = {"score": "prediction"} | given.named
    header = named.pop("gold")
    tables = [
        with_scores(data, name, replace(given, named=named))
        for data, name in zip(sides, systems, strict=True)
    ]
    _refuse_one_sided(tables)
    parts: list[pa.Table] = []
    golds: list[pa.Table] = []
    shared = held(tables)
    for table, who in zip(tables, systems, strict=True):
        keys = [key for key in ("dataset", "instance") if key in table.found]
        wanted = {key: table.found[key] for key in (*keys, "score")} | {"gold": header}
        read = table.read(wanted, (header,))
        names: dict[str, Any] = {"dataset": pa.repeat(ONE, read.num_rows)}
        names |= {key: cells.identifiers(table.file, read[key], name=key) for key in keys}
        for own, whose, column in ((parts, who, "score"), (golds, "the gold labels", "gold")):
            system = pa.repeat(whose, read.num_rows)
            own.append(pa.table(names | {"system": system, "score": read[column]}))
        for of, texts in cells.belonging(table.file, (), lambda _: shared).items():
            parts[-1] = parts[-1].append_column(of, texts)
    files = dict(zip(systems, (str(table.file) for table in tables), strict=True))
    labels = [part.select(["dataset", "instance", "score"]).to_pylist() for part in golds]
    known = {(row["dataset"], row["instance"]): row["score"] for row in labels[0]}
    for dataset, item, label in (row.values() for row in labels[1]):
        if known.get((dataset, item), label) != label:
            raise InputError(
                f"{files[systems[1]]}: the gold label of {item!r} is {label!r}, but in "
                f"{files[systems[0]]} it is {known[dataset, item]!r}; compare both systems with "
                "the same gold labels."
            )
    together = _rated([*parts, golds[0]], [*files.values(), files[systems[0]]])
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"], "gold": "gold"}
    file = of_arrow(together, " and ".join(files.values()), files)
    paths = [origin_of(table.file) for table in tables if origin_of(table.file)]
    of_side = dict(zip("ab", paths, strict=True)) if len(paths) == len(tables) else {}
    return Source(file=file, files=of_side, columns=columns, systems=systems, **told(tables))


def told(tables: Sequence[Columns]) -> dict[str, Any]:
    """Return the fields ``named`` and ``unused`` of a source with a table for each system."""
    named = {key: tables[0].found.get(key, "") for key in READ if key in tables[0].found}
    named |= {"dataset": named.get("dataset", ""), "system": ""}
    unused = dict.fromkeys(header for table in tables for header in table.unused())
    return {"named": named, "unused": tuple(unused)}


def placed(tables: Sequence[Columns]) -> frozenset[str]:
    """Return the header of the items, if they are places in all of some tables."""
    made = [getattr(table.file, "made", ()) for table in tables]
    return frozenset({"instance"}) if all("instance" in of for of in made) else frozenset()


def with_scores(data: object, system: str, given: Given) -> Columns:
    """Return the columns of the scores of one system."""
    table = Columns(data, f"The frame of {system}", given, alone=False)
    table.needed("instance", "which is needed to match the scores of both systems")
    table.needed("score", "which is needed for both systems")
    return table


def _gold(gold: object, given: Given) -> Columns:
    """Return the columns of ratings by people."""
    if "run" in given.named:
        raise InputError(
            "Ratings are compared with gold ratings item by item and are not averaged over runs; "
            f"leave {checks.named('run')} out, and pass the ratings of a single run."
        )
    keys = ("dataset", "instance", "score")
    kept = replace(given, named={key: given.named[key] for key in keys if key in given.named})
    table = Columns(gold, "The frame of gold ratings", kept, alone=False)
    table.needed("instance", "which is needed to match the gold ratings with the scores")
    table.needed("score", "which must hold the gold ratings")
    table.found = {key: table.found[key] for key in keys if key in table.found}
    return table


def _refuse_one_sided(tables: Sequence[Columns]) -> None:
    """Refuse tables of which only some have a column of datasets."""
    lacking = [table for table in tables if "dataset" not in table.found]
    having = [table for table in tables if "dataset" in table.found]
    if lacking and having:
        raise InputError(
            f"{having[0].file} has a dataset column ({having[0].found['dataset']!r}), but "
            f"{lacking[0].file} has none; add the column, or use "
            f"{checks.given('one_dataset', 'True')} to declare that there is only one dataset."
        )


READ = ("dataset", "instance", "score", "human", "size", "run", "within")
"""Column roles in a table with the scores of one system."""


def sides_of(tables: Mapping[str, Columns], given: Given) -> list[pa.Table]:
    """Read the scores of systems, each in a table of its own, and what their items hold.

    The first also has the columns with names of units.
    """
    shared = held([*tables.values()])
    parts: list[pa.Table] = []
    for system, table in tables.items():
        used = table.found.values()
        beside = cells.belonging(table.file, used, lambda _: shared)
        if not parts and "unit" not in table.found:
            beside |= cells.belonging(table.file, used)
        parts.append(side_of(table, system, given, beside))
    names = [{*table.found} & {*READ} | {*table.unit} for table in tables.values()]
    for system, name in zip(tables, names, strict=True):
        for key in sorted(name ^ names[0]):
            raise InputError(
                f"Only one of the tables of {next(iter(tables))} and {system} has a column for the "
                f"{key}; add that column to all tables."
            )
    return parts


def held(tables: Sequence[Columns]) -> list[str]:
    """List the headers of what items hold that all of some tables have."""
    found = [headers_.of_contents(table.free) for table in tables]
    return [header for header in found[0] if all(header in of for of in found)]


def side_of(
    table: Columns,
    system: str,
    given: Given,
    belongs: Mapping[str, pa.ChunkedArray] | None = None,
) -> pa.Table:
    """Read the scores of one system, in a table of its own, under the names of the roles.

    Columns of `belongs` are of all rows, and stand beside under their headers.
    """
    wanted = {key: table.found[key] for key in READ if key in table.found} | table.unit
    read = table.read(wanted)
    for header, column in (belongs or {}).items():
        read = read.append_column(header, column)
    read, rows = _rows_of(table, read, given.datasets)
    side: dict[str, Any] = {"dataset": pa.repeat(ONE, read.num_rows)}
    side["system"] = pa.repeat(system, read.num_rows)
    for key in wanted:
        if key in ("score", "human"):
            blank = given.lenient or key == "human"
            side[key] = cells.numbers(table.file, read[key], key, rows, blank)
        elif key == "size":
            side[key] = cells.sizes(table.file, read[key], rows)
        else:
            side[key] = cells.identifiers(table.file, read[key], rows, name=key)
    side |= {header: read[header].combine_chunks() for header in belongs or {}}
    return pa.table({key: pa.array(side[key]) for key in sorted(side)})


def refuse_truth(
    systems: Sequence[str], tables: Sequence[Columns], parts: Sequence[pa.Table]
) -> None:
    """Refuse truth values in one of several tables and other numbers in another."""
    given = [table.read({"score": table.found["score"]})["score"] for table in tables]
    files = " and ".join(str(table.file) for table in tables)
    cells.refuse_truth(files, systems, [part["score"].to_numpy() for part in parts], given)


def _rows_of(
    table: Columns, read: pa.Table, datasets: Sequence[str]
) -> tuple[pa.Table, np.ndarray | None]:
    """Return the rows of some datasets, and their places in the table."""
    if not datasets:
        return read, None
    found = pa.repeat(ONE, read.num_rows)
    if "dataset" in table.found:
        found = cells.identifiers(table.file, read["dataset"], name="dataset")
    known = pc.unique(found).to_pylist()
    for name in datasets:
        checks.choice(f"{table.file}: dataset", name, known)
    keep = pc.is_in(found, pa.array(datasets, pa.string()))
    return read.filter(keep), keep.to_numpy(zero_copy_only=False).nonzero()[0]


def _rated(parts: Sequence[pa.Table], files: Sequence[str]) -> pa.Table:
    """Lay the scores of both systems and of gold beside each other."""
    (datasets, known), (instances, labels) = (
        cells.encoded(pa.chunked_array([part[key].combine_chunks() for part in parts]))
        for key in ("dataset", "instance")
    )
    keys = datasets.astype(np.int64) * len(labels) + instances
    ends = np.cumsum([part.num_rows for part in parts])[:-1]
    sides = [
        Side(part["system"][0].as_py(), file, own)
        for part, file, own in zip(parts, files, np.split(keys, ends), strict=True)
    ]
    orders = orders_of(Names(known.to_pylist(), labels, keys), sides)
    found = [part.take(pa.array(order)) for part, order in zip(parts, orders, strict=True)]
    shared = headers_.of_contents(parts[1].column_names)
    texts = {of: pa.chunked_array([*found[0][of].chunks, *found[1][of].chunks]) for of in shared}
    own = Names(known.to_pylist(), labels, sides[0].keys)
    places = np.arange(found[0].num_rows)
    cells.refuse_contents(
        " and ".join(files[:2]),
        [side.who for side in sides[:2]],
        lambda row: shown(*own.both(own.keys[row])),
        texts,
        [places, places + len(places)],
    )
    together = found[0].drop_columns(["system", "score"])
    if "size" in together.column_names:
        names = together["instance"].to_pylist(), together["dataset"].to_pylist()
        both = [part["size"].to_numpy() for part in found[:2]]
        who = tuple(side.who for side in sides[:2])
        cells.refuse_sizes(files[0], who, lambda row: (names[0][row], names[1][row]), *both)
    for name, part in zip(("a", "b", "gold"), found, strict=True):
        together = together.append_column(name, part["score"])
    return together


def two_paths(
    paths: tuple[str, str], systems: Systems, given: Given, *, alone: bool = False
) -> Source:
    """Find two systems in files or folders of any format.

    Fields that are given include ``documents``, the files of translations; the header of "gold" is
    a file; `alone` says that both paths are one system's. Arguments, result and errors are else as
    those of `two_tables`.
    """
    a, b = (Path(path).absolute() for path in paths)
    for side in (a, b):
        existing(side, folder=None)
    if a.samefile(b) and not alone:
        raise InputError(
            f"Both systems are read from {paths[0]}; give each its own file or folder. If one file "
            "holds both systems, pass it only once."
        )
    kind = given.fields.get("format") or formats.guess(a)
    found = formats.get(kind)
    said = _said(found, a, b)
    systems = named_apart(systems, said if all(said) and said[0] != said[1] else names_of(a, b))
    headers, gold = without_gold(given.named)
    if kind == "table" and given.predicted and gold and not Path(gold).exists():
        headers, gold = given.named, None  # a column of both tables
    if kind == "table":
        source = two_tables((a, b), systems, replace(given, named=headers), gold)
        return replace(source, **given.of_table)
    return of_files(found, systems, {"a": str(a), "b": str(b)}, headers, gold, **given.of_table)


def without_gold(named: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """Return the headers that are named, and apart from them the file of "gold"."""
    headers = dict(named)
    gold = headers.pop("gold", None)
    return headers, None if gold is None else str(Path(gold).absolute())


def of_files(
    found: formats.Format,
    systems: Sequence[str],
    sides: Mapping[str, str],
    headers: Mapping[str, str],
    gold: str | None,
    *,
    metric: str | Mapping[str, str] = "",
    documents: str = "",
    **given: Any,
) -> Source:
    """Find systems in files or folders of a format.

    `found` (formats.Format): not that of tables. `systems` (sequence of str): their names. `sides`
    (dict of str to str): side or system -> file or folder. `headers` (dict of str to str): role ->
    header. `gold` (str or None): file or folder with the gold standard. `metric` (str or dict of
    str to str): what is computed; "" for the default of the format. `documents`: of translations:
    file with the document of each segment. `**given`: other fields of the source.

    Returns Source.

    Raises `InputError`: if gold files are missing or superfluous, or a header has no meaning.
    """
    units = {"unit": headers["unit"]} if "unit" in headers else {}
    _refuse_meaningless(found, [key for key in headers if key not in ("unit", "ignore")], gold)
    files = {"gold": gold} if gold else {}
    files |= sides
    if documents:
        files[formats.DOCUMENTS] = str(Path(documents).absolute())
        units = {"unit": units.get("unit", formats.DOCUMENT)}
    columns = {key: headers.get(key, key) for key in found.columns}
    columns |= {key: headers[key] for key in ("size", "run") if key in headers}
    read: dict[str, Any] = {"format": found.name, "files": files, "columns": columns, **units}
    read["ignore"] = tuple(headers.get("ignore", ()))
    read["metric"] = metric or next(iter(found.metrics), "")
    return Source(systems=tuple(systems), **read, **given)


def _said(found: formats.Format, a: Path, b: Path) -> tuple[str, str]:
    """Return the names of the systems that their files say, "" where they do not."""
    return (found.system(a), found.system(b)) if found.system else ("", "")


def _refuse_meaningless(found: formats.Format, headers: Sequence[str], gold: object) -> None:
    """Refuse gold files and columns where a format has none, and no gold where it has."""
    if found.needs_gold != (gold is not None):
        name = checks.named("gold")
        raise InputError(
            f"The format {found.name!r} holds outputs, which must be compared with gold files; "
            f"specify these with {name}."
            if found.needs_gold
            else f"The format {found.name!r} holds scores and needs no gold files; leave out "
            f"{name}. If your files hold outputs, specify their format with "
            f"{checks.named('format')}."
        )
    meant = {"run", *found.columns, *(("size",) if found.columns else ())}
    for key in headers:
        if key not in meant:
            raise InputError(
                f"{checks.named(key)} names a column of a table and has no effect with the format "
                f"{found.name!r}; leave it out."
            )
