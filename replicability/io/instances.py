"""Per-instance scores: reading them from tables, matched by identifier, and writing them.

=========================  ========================================================================
columns of a table         rows
=========================  ========================================================================
dataset, instance,         one per item and system; `size` is the denominator of
system, score [, size]     the score, such as the words of a sentence; one per item,
[, run]                    system and run where a system ran several times
system [, dataset]         one per system, or per system and dataset; each other column is an item
dataset, instance,         one per item; `gold` are ratings by people, for tests of
scores [, size] [, gold]   correlations; one per item and run where `run` tells them apart
[, run]
=========================  ========================================================================

Names and identifiers are encoded as whole numbers, on which items are matched and grouped, so
that ten million rows take no object each.
"""

import functools
import itertools
import re
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from replicability import checks
from replicability.io import (
    aggregates,
    cells,
    delimited,
    files,
    headers,
    judged,
    matrices,
    missing,
    one_folder,
    predictions,
    pvalues,
    runs,
    tables,
)
from replicability.io.cells import (
    numbers,
    refuse_above,
    refuse_sizes,
    sizes,
)
from replicability.io.declared import INSTANCE
from replicability.io.matching import ONE, Names, Side, orders_of, refuse_twice, shown
from replicability.io.runs import Runs
from replicability.io.tables import file_of

KEYS = ("dataset", "system")
"""Columns with few distinct values, stored as dictionaries."""

LONG = ("dataset", "instance", "system", "score", "size", "run", "within")
"""Columns of a table with one row per item and system, or per item, system and run."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """The scores of two systems on the n items of a dataset.

    Attributes
    ----------
    name : str
        Name of the dataset.
    identifiers : pyarrow.StringArray, shape (n,)
        Names of the items.
    a, b : ndarray of float64, shape (n,) or (n, c)
        Scores of both systems, or the sums of a metric; two sums are numerator and denominator.
    metric : str or None
        Name in `metrics.METRICS` of the metric of the sums; None for a score, or for the first sum
        over the second.
    gold : ndarray of float64, shape (n,), or None
        Gold ratings.
    units : pyarrow.StringArray, shape (n,), or None
        The unit to which each item belongs; None if an item is a unit.
    runs : Runs or None
        The score of the dataset in each run, where scores are means over several runs.
    human : ndarray of float64, shape (2, n), or None
        Human scores of A and B, NaN where nobody scored an item, if the scores are a judge's.
    measure : str
        What was read of a log that holds several metrics, or how sacrebleu computed one; "" where
        there is nothing to choose.
    groups : tuple of str
        Groups of datasets to which the files say that it belongs.
    differences : tuple of str
        Sentences on what differs between the systems where they are matched by place, and on what a
        reader should know of their outputs.
    placed : bool
        Whether identifiers are only the places of rows, as the table has none.
    belongs : dict of str to ndarray of int, shape (n,)
        Header -> code of each item, -1 for none, of columns that are called as units are
        (`headers.UNITS`) and were not declared.
    unused : tuple of str
        Headers of the columns without a role.
    missing : tuple of tuple of str
        Identifiers of the items that each system lacked, which were left out or counted as wrong;
        () if there was none.
    gaps : tuple of (runs.Gaps or None)
        Runs of each system that items lacked; () if there was none.
    contents : pyarrow.StringArray, shape (n,), or None
        What each item holds, such as its text or a hash of it, null where a file does not say;
        None where the format does not.
    prompts : pyarrow.StringArray, shape (n,), or None
        How each item was put to A: the prompt, a hash of it, or the settings of the run; as
        `contents`.
    otherwise : tuple of str
        Sentences on prompts and settings by which the systems were run otherwise.
    """

    name: str
    identifiers: pa.StringArray
    a: np.ndarray
    b: np.ndarray
    metric: str | None = None
    gold: np.ndarray | None = None
    units: pa.StringArray | None = None
    runs: Runs | None = None
    human: np.ndarray | None = None
    measure: str = ""
    groups: tuple = ()
    differences: tuple = ()
    placed: bool = False
    belongs: dict = field(default_factory=dict)
    unused: tuple = ()
    missing: tuple = ()
    gaps: tuple = ()
    contents: pa.StringArray | None = None
    prompts: pa.StringArray | None = None
    otherwise: tuple = ()

    def __len__(self):
        return len(self.a)


@dataclass(frozen=True, eq=False)
class Several:
    """The scores of s systems on the n items of a dataset.

    Attributes
    ----------
    name : str
        Name of the dataset.
    scores : ndarray of float64, shape (s, n) or (s, n, c)
        Scores, or the sums of a metric.
    size : ndarray of float64, shape (n,), or None
        Denominators of the scores.
    counted : bool
        Whether scores are means over runs of whole numbers, such as right and wrong.
    runs : tuple of ndarray of float64
        Score of the dataset in each run of each system; () without runs.
    identifiers, metric, units, placed, belongs, unused, missing, gaps
        As of a `Dataset`.
    """

    name: str
    scores: np.ndarray
    size: np.ndarray | None = None
    counted: bool = False
    identifiers: pa.StringArray | None = None
    runs: tuple = ()
    metric: str | None = None
    units: pa.StringArray | None = None
    placed: bool = False
    belongs: dict = field(default_factory=dict)
    unused: tuple = ()
    missing: tuple = ()
    gaps: tuple = ()

    def __len__(self):
        return self.scores.shape[1]

    def side(self, i):
        """Return the scores of a system, of scores with sizes the numerators and denominators."""
        return self.scores[i] if self.size is None else np.column_stack([self.scores[i], self.size])

    def pair(self, i, j):
        """Return two systems as a `Dataset`."""
        a, b = self.side(i), self.side(j)
        known = {key: getattr(self, key) for key in ("metric", "units", "placed", "belongs")}
        return Dataset(self.name, self.identifiers, a, b, **known)


def read(comparison):
    """Read the items of a comparison from a table, for A and B.

    `comparison`: its file is a table, in one of the ways that `stored` knows or separated text.

    Returns list of Dataset. Datasets and items in the order of the file; where sizes are named,
    with two sums, and where gold ratings are, with them; where runs are named, with means over the
    runs.

    Raises `InputError`: if the file, a column, a dataset or a system is missing, an identifier is
    empty, occurs twice or for one system only, a number is not finite, a size is not above 0, not
    the same for both systems, or below the score, an item has no unit, or another one for B, or is
    not in every run.

    Notes
    -----
    Items are matched by dataset and identifier, never by the order of the rows.
    """
    comparison, said = predictions.opened(one_folder.opened(comparison))
    comparison = _stacked(comparison)
    human = None
    if "system" in comparison.columns:
        _, names, (a, b), size, units, means, rows_of, lacked = _long(comparison)
        gold, of = None, rows_of[0]
        human = judged.scores(comparison, rows_of)
    else:
        names, (a, b), size, gold, units, of, lacked = _wide(comparison, "ab")
        means = ()
    parts = _folds(comparison, names, names.parts())
    if not (comparison.splits or comparison.bare_runs):
        aggregates.refuse_single(comparison.file, *_sized(parts))
    if size is not None:
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    placed, unused, belongs = _told(comparison, of)
    metric, order = predictions.sums_of(comparison), pa.array(of)
    held = cells.kept({header: texts.take(order) for header, texts in _held(comparison).items()})
    return [
        Dataset(
            name,
            names.identifiers(rows),
            *predictions.of(metric, gold, np.stack([a, b]), rows),
            gold=None if gold is None or metric else gold[rows],
            metric=metric,
            differences=said,
            units=None if units is None else units.take(pa.array(rows)),
            runs=runs.together(name, *means, at=(rows, rows)) if means else None,
            human=None if human is None else human[:, rows],
            placed=placed,
            unused=unused,
            belongs={header: codes[rows] for header, codes in belongs.items()},
            missing=lacked.get(name, ()),
            gaps=runs.gaps(name, means),
            **{key: texts.take(pa.array(rows)) for key, texts in held.items()},
        )
        for name, rows in parts
    ]


def _held(comparison):
    """Read the columns of what items hold: header -> text, "" in an empty cell."""
    used = [*headers.named(comparison.columns), comparison.unit, *comparison.ignore]
    return cells.belonging(
        comparison.file, filter(None, [*used, comparison.by]), headers.of_contents
    )


def _sized(parts):
    """Return the names of datasets, and how many rows they have."""
    return [name for name, _ in parts], [len(rows) for _, rows in parts]


def _folds(comparison, names, parts):
    """Sort the folds of repeated cross-validations, and refuse repeats that are not whole."""
    if not comparison.within:
        return parts
    found = []
    for name, rows in parts:
        folds = names.identifiers(rows).to_pylist()
        repeats = pd.Series([fold.rpartition(WITHIN)[0] for fold in folds])
        share, sizes = comparison.test_share_of(name), repeats.value_counts(sort=False)
        k = round(1 / share)
        if not (sizes == k).all():
            wrong = sizes[sizes != k]
            raise checks.InputError(
                f"{comparison.file}: the repeat {wrong.index[0]!r} of {name!r} has "
                f"{wrong.iloc[0]} fold{'s' * bool(wrong.iloc[0] != 1)}, but a test_share of "
                f"{share:g} requires {k}; give every fold, or correct the share."
            )
        found.append((name, rows[np.lexsort((folds, repeats))]))
    return found


WITHIN = " / "
"""Separator between the names of a repeat and its fold."""


def _told(comparison, rows):
    """Tell whether identifiers are places, which columns have no role, and what units they name.

    The last are codes of columns that are called as units are, and that nobody names.
    """
    columns = comparison.columns
    placed = columns.get("instance") in getattr(comparison.file, "made", ())
    if "instance" not in columns:
        return placed, (), {}
    named = [*headers.named(columns), comparison.by, comparison.unit]
    used = {header.strip().casefold() for header in named}
    known = delimited.read_headers(comparison.file)
    for header in comparison.ignore:
        delimited.header_of(comparison.file, header, known)
    unused = tuple(header for header in known if header.strip().casefold() not in used)
    if comparison.unused is None:
        _refuse_split(comparison, [name for name in unused if name not in comparison.ignore], rows)
    if comparison.unit != INSTANCE:
        return placed, unused, {}
    found = cells.belonging(comparison.file, named[:-1])
    return placed, unused, {h: cells.codes(column)[rows] for h, column in found.items()}


def _refuse_split(comparison, headers_, rows):
    """Refuse a column that parts the rows of a dataset, to which a study gives no role."""
    told, parts = headers.telling(headers_), _parts(comparison)
    if told and parts:
        table = delimited.columns(comparison.file, parts | {header: header for header in told})
        datasets = _joined(comparison.file, table, parts).take(pa.array(rows))
        table = table.select(told).take(pa.array(rows))
        cells.refuse_split(comparison.file, datasets, parts["dataset"], table)


def read_family(family):
    """Read the items of several systems, matched by identifier.

    `family` (study.Family): with a column of systems, or several of scores; without `systems`, all
    in the file.

    Returns list of str: the s systems. list of Several: datasets and items in the order of the
    file.

    Raises `InputError`: as `read`.
    """
    (family, _), means, gold = predictions.opened(one_folder.opened(family)), (), None
    if "gold" in family.columns and not predictions.sums_of(family):
        labels = checks.given("metric", repr(predictions.RIGHT[0]))
        raise checks.InputError(
            f"{family.source}: a family compares scores or predictions, but here ratings are "
            f"compared with gold ratings; compare two systems, or write {labels} if gold holds "
            "labels."
        )
    family = _stacked(family)
    if "system" in family.columns:
        systems, names, scores, size, units, means, (of, *_), lacked = _long(family)
    else:
        systems = list(family.systems) or list(family.columns["scores"])
        names, scores, size, gold, units, of, lacked = _wide(
            family, [f"score of {s}" for s in systems]
        )
    scores = np.stack(scores)
    parts = _folds(family, names, names.parts())
    if not (family.splits or family.bare_runs):
        aggregates.refuse_single(family.file, *_sized(parts))
    counted = bool(means) and all(mean.whole and not mean.gaps for mean in means)
    placed, unused, belongs = _told(family, of)
    metric = predictions.sums_of(family)
    return systems, [
        Several(
            name,
            predictions.of(metric, gold, scores, rows),
            None if size is None else size[rows],
            counted,
            names.identifiers(rows),
            metric=metric,
            units=None if units is None else units.take(pa.array(rows)),
            placed=placed,
            unused=unused,
            belongs={header: codes[rows] for header, codes in belongs.items()},
            missing=lacked.get(name, ()),
            gaps=runs.gaps(name, means),
            runs=tuple(mean.of_runs[name] for mean in means),
        )
        for name, rows in parts
    ]


def write(table, path):
    """Write a table of items as a Parquet file, all or nothing.

    `table`: one row per item, or per item and system; the index is not written. `path`: the file;
    equal tables give equal bytes.

    Raises `InputError`: as `replicability.io.files.replacing`.
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


def _stacked(comparison):
    """Lay systems that have a column each below each other, if rows are runs of items."""
    columns, file = comparison.columns, comparison.file
    if not {"scores", "run"} <= set(columns):
        return comparison
    if "gold" in columns:
        raise checks.InputError(
            f"{file}: {checks.named('run')} names the runs of an item, but ratings have no runs; "
            "leave it out, or first average the ratings of each item."
        )
    sides = columns["scores"]
    known = [header for header in delimited.read_headers(file) if header not in sides]
    table = delimited.every(file, [*headers.named(columns), *filter(None, [comparison.by])])
    system, score = (next(n for n in _free(name) if n not in known) for name in ("system", "score"))
    lenient = comparison.missing != missing.REFUSE
    below = [
        table.select([header for header in table.column_names if header in known])
        .append_column(system, pa.array([name] * table.num_rows))
        .append_column(score, pa.array(scores, from_pandas=True))
        for name, side in zip(comparison.systems or sides, sides, strict=True)
        for scores in [numbers(file, table[side], "score", blank=lenient)]
    ]
    made = tables.of_frame(pa.concat_tables(below), str(file))
    made = replace(made, place=lambda row: delimited.place(file, row % len(table)))
    roles = {key: header for key, header in columns.items() if key != "scores"}
    return replace(comparison, file=made, columns=roles | {"system": system, "score": score})


def _free(name):
    """Give headers for a column that is made, of which some table has none."""
    return (name + "_" * n for n in itertools.count())


def _long(comparison):
    """Read a table with one row per item and system, or per item, system and run.

    Returns systems, names, the scores of each, sizes and units or None, the `runs.Mean` of each
    system, () without runs, the rows of each system, and what each system lacks.
    """
    file = comparison.file
    wanted = {key: comparison.columns[key] for key in LONG if key in comparison.columns}
    if comparison.unit != INSTANCE:
        wanted["unit"] = comparison.unit
    lenient = comparison.missing != missing.REFUSE
    if set(wanted) <= {"system", "dataset"}:
        table = matrices.by_instance(file, wanted, comparison.name, lenient, comparison.ignore)
    else:
        table = delimited.columns(file, wanted | _parts(comparison), encoded=KEYS)
    if comparison.bare_runs:  # all items are one
        table = table.append_column("instance", pa.array([ONE] * len(table)))
    by_system, labels = cells.names(file, table["system"], "system")
    known = labels.to_pylist()
    systems = list(comparison.systems) or known
    for system in systems:
        checks.choice(f"{file}: system", system, known)
    of = [known.index(system) for system in systems]
    names, table, rows = _keyed(comparison, table, np.isin(by_system, of))
    by_system = np.argsort(of)[np.searchsorted(sorted(of), by_system[rows])]
    scores = numbers(file, table["score"], "score", rows, lenient)
    by_run = cells.names(file, table["run"], "run", rows) if "run" in wanted else None
    lacked, n = {}, len(scores)
    if lenient:
        at = [] if by_run else [np.flatnonzero(by_system == place) for place in range(len(systems))]
        for side in _sides(comparison, systems[: len(at)], names, at):
            refuse_twice(names, side)
        take, by_system, runs_, n, lacked = missing.of_rows(
            comparison, names, systems, by_system, ~np.isnan(scores), by_run and by_run[0]
        )
        names = Names(names.datasets, names.labels, names.keys[take])
        table, rows, scores = table.take(pa.array(take)), rows[take], scores[take]
        by_run = by_run and (runs_, by_run[1])
    size = sizes(file, table["size"], rows) if "size" in wanted else None
    scores = missing.filled(comparison, scores, np.arange(len(scores)) >= n, size)
    at = [np.flatnonzero(by_system == place) for place in range(len(systems))]
    units = cells.names(file, table["unit"], "unit", rows) if "unit" in wanted else None
    means = ()
    if by_run:
        scores, at, means = _average(comparison, names, systems, at, by_run, scores, size, units)
    sides = _sides(comparison, systems, names, at)
    orders = orders_of(names, sides)
    at = [rows_[order] for rows_, order in zip(at, orders, strict=True)]
    means = [
        replace(mean, places=np.argsort(order)[mean.places])
        for mean, order in zip(means, orders if means else (), strict=True)
    ]
    names = Names(names.datasets, names.labels, sides[0].keys)
    of, called = [rows[rows_] for rows_ in at], lambda row: shown(*names.both(names.keys[row]))
    cells.refuse_contents(file, systems, called, _held(comparison), of)
    scores = cells.one_precision([scores[rows_] for rows_ in at])
    if size is not None:
        size = _one_size(file, systems, names, scores, [size[rows_] for rows_ in at])
    units = _one_unit(comparison, systems, names, at, units)
    return systems, names, scores, size, units, means, of, lacked


def _parts(comparison):
    """Return the columns whose cells make the name of a dataset, the first of them `dataset`."""
    datasets = comparison.columns.get("dataset", ())
    parts = headers.named({"dataset": datasets, "by": comparison.by or ()})
    return {f"dataset {n}" if n else "dataset": header for n, header in enumerate(parts)}


def _joined(file, table, parts):
    """Return the name of the dataset of each row, joined from the cells of its parts."""
    if len(parts) == 1:
        return table["dataset"]
    names = [cells.identifiers(file, table[part], name="dataset") for part in parts]
    return pa.chunked_array([pc.binary_join_element_wise(*names, " / ")])


def _one_unit(comparison, systems, names, at, units):
    """Return the unit of each item, which is the same for all systems."""
    if units is None:
        return None
    codes, labels = units
    for system, other in zip(systems[1:], at[1:], strict=True):
        who = f"for {systems[0]}", f"for {system}"
        _refuse_two_units(comparison, names, labels, codes[at[0]], codes[other], who)
    return labels.take(pa.array(codes[at[0]]))


def _otherwise(comparison):
    """Return what to do if a row occurs twice, and what a row is."""
    if comparison.splits or "run" in comparison.columns:
        return str, "split" if comparison.splits else "item"
    return functools.partial(_likely_runs, comparison), "item"


def _sides(comparison, systems, names, at):
    """Return the items of each system by its rows."""
    otherwise = _otherwise(comparison)
    return [
        Side(system, file_of(comparison.file, system), names.keys[rows], *otherwise)
        for system, rows in zip(systems, at, strict=True)
    ]


def _likely_runs(comparison):
    """Say how runs are named, and ask whether a column that differs among them has them."""
    file = comparison.file
    said = runs.repeated(file)
    columns = {key: of for key, of in comparison.columns.items() if key not in ("score", "size")}
    known = delimited.read_headers(file)
    keys = [key for key in headers.named(columns | {"by": comparison.by or ()}) if key in known]
    used = {*headers.named(comparison.columns), *comparison.ignore, comparison.by, comparison.unit}
    table = delimited.every(file, keys).to_pandas()
    free = [header for header in table if header not in used]
    found = [
        header
        for header in free
        if 2 * table[header].nunique() <= len(table) and not table.duplicated([*keys, header]).any()
    ]
    if not found or headers.of_repeats(found):
        return said
    raters = headers.of_raters(found)
    if raters:
        repeats = checks.given("repeats", {"column": raters[0], "kind": "raters"})
        return f"; if these are scores by the raters in the column {raters[0]!r}, declare {repeats}"
    repeats = checks.given("repeats", {"column": found[0], "kind": "runs"})
    return (
        f"{said}; if the column {found[0]!r}, in which these rows differ, identifies runs, trials "
        f"or raters, declare {repeats} or another kind"
    )


def _average(comparison, names, systems, at, by_run, scores, size, units):
    """Average scores over the runs of each system, in which an item has one unit.

    Returns the scores with means in the rows of the first runs, these rows of each system, and the
    `runs.Mean` of each.
    """
    (codes, labels), means = by_run, []
    labels, averaged, rows_of = labels.to_pylist(), scores.copy(), []
    for system, rows in zip(systems, at, strict=True):
        side = Side(system, file_of(comparison.file, system), names.keys[rows])
        below = None if size is None else size[rows]
        mean = runs.mean(names, side, codes[rows], labels, scores[rows], below, comparison)
        if units is not None:
            _, first, instance = np.unique(side.keys, return_index=True, return_inverse=True)
            of, here = units[0][rows], Names(names.datasets, names.labels, side.keys)
            _refuse_two_units(comparison, here, units[1], of[first][instance], of)
        rows_of.append(rows[mean.rows])
        averaged[rows_of[-1]] = mean.scores
        means.append(mean)
    return averaged, rows_of, means


def _refuse_two_units(comparison, names, labels, first, second, who=("in one row", "in another")):
    """Refuse an item that belongs to one unit for A and to another for B."""
    (rows,) = np.nonzero(first != second)
    if len(rows):
        identifier, dataset = names.both(names.keys[rows[0]])
        here, there = (labels[int(codes[rows[0]])].as_py() for codes in (first, second))
        raise checks.InputError(
            f"{comparison.file}: item {shown(identifier, dataset)} belongs to the unit {here!r} "
            f"{who[0]} and to {there!r} {who[1]}, but an item has only one unit; correct one of "
            "the two."
        )


def _one_size(file, systems, names, scores, sizes_):
    """Return the sizes of items, which are the same for all systems and not below a score."""

    def name(row):
        return names.both(names.keys[row])

    for system, size in zip(systems[1:], sizes_[1:], strict=True):
        refuse_sizes(file, (systems[0], system), name, sizes_[0], size)
    for score in scores:
        refuse_above(file, name, score, sizes_[0])
    return sizes_[0]


def _wide(comparison, sides):
    """Read a table with all systems in a row, whose scores have the names of sides in messages.

    Returns names, the scores of each, sizes, gold ratings and units or None, the rows, and what
    each system lacks.
    """
    columns = comparison.columns
    wanted = {"instance": columns["instance"]}
    wanted |= dict(zip(sides, columns["scores"], strict=True))
    wanted |= {key: columns[key] for key in ("size", "gold", "within") if key in columns}
    if comparison.unit != INSTANCE:
        wanted["unit"] = comparison.unit
    table = delimited.columns(comparison.file, wanted | _parts(comparison), encoded=("dataset",))
    names, table, rows = _keyed(comparison, table, np.ones(table.num_rows, bool))
    refuse_twice(names, Side("", comparison.file, names.keys, *_otherwise(comparison)))
    lenient, lacked = comparison.missing != missing.REFUSE, {}
    scores = [
        numbers(comparison.file, table[name], f"score in {header!r}", rows, lenient)
        for name, header in zip(sides, columns["scores"], strict=True)
    ]
    given = [table[name] for name in sides]
    cells.refuse_truth(comparison.file, columns["scores"], scores, given)
    if lenient:
        systems = comparison.systems or columns["scores"]
        keep, lacked = missing.of_columns(comparison, names, systems, scores)
        names = Names(names.datasets, names.labels, names.keys[keep])
        table, rows, scores = table.filter(keep), rows[keep], [side[keep] for side in scores]
    size = sizes(comparison.file, table["size"], rows) if "size" in wanted else None
    scores = np.stack(scores)
    scores = cells.one_precision(missing.filled(comparison, scores, np.isnan(scores), size))
    for side in scores if size is not None and "gold" not in wanted else ():
        refuse_above(comparison.file, lambda row: names.both(names.keys[row]), side, size)
    gold = (
        numbers(comparison.file, table["gold"], "gold rating", rows) if "gold" in wanted else None
    )
    units = None
    if "unit" in wanted:
        codes, labels = cells.names(comparison.file, table["unit"], "unit", rows)
        units = labels.take(pa.array(codes))
    return names, scores, size, gold, units, rows, lacked


def _keyed(comparison, table, keep):
    """Keep rows of the datasets that a comparison names: what their keys stand for, table, rows."""
    file = comparison.file
    parts = [name for name in table.column_names if re.fullmatch("dataset( [0-9]+)?", name)]
    one = pa.chunked_array([pa.repeat(ONE, len(table))])
    datasets = _joined(file, table, parts) if parts else one
    codes, labels = cells.names(file, datasets, "dataset")
    known = labels.to_pylist()
    for dataset in comparison.datasets:
        checks.choice(f"{file}: dataset", dataset, known)
    if comparison.datasets:
        keep = keep & np.isin(codes, [known.index(name) for name in comparison.datasets])
    rows = np.flatnonzero(keep)
    if len(rows) < len(keep):
        table, codes = table.filter(pa.array(keep)), codes[rows]
    pvalues.refuse_alike(file, [known[code] for code in pd.unique(codes)])
    column = table["instance"]
    if "within" in table.column_names:
        roles = {"within": "repeat", "instance": "fold"}
        names = [cells.identifiers(file, table[key], name=of) for key, of in roles.items()]
        column = pa.chunked_array([pc.binary_join_element_wise(*names, WITHIN)])
    identifiers, labels = cells.names(file, column, "instance", rows)
    if len(labels) <= aggregates.MANY:
        aggregates.refuse_benchmarks(file, labels.to_pylist())
    aggregates.refuse_averages(file, labels)
    keys = codes.astype(np.int64) * len(labels) + identifiers
    return Names(known, labels, keys), table, rows
