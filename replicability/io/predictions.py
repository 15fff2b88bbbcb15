"""Predictions and gold labels in one table: right or wrong, counts of classes, or your scores.

A prediction is right where it is the gold label to the letter. Nothing is made alike in silence:
how many predictions differ from gold in case or blanks alone is said.
"""

import dataclasses
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import cells, delimited, missing
from replicability.io.headers import of_contents, of_gold
from replicability.io.json_lines import cut
from replicability.io.tables import Table, of_arrow, of_file, origin_of

RIGHT = ("accuracy", "exact_match")
"""Names of the metric "share of correct predictions"."""

MACRO_F1 = "macro_f1"

RATINGS = "correlation"
"""Metric that declares the gold column to hold ratings, not labels."""

METRICS = (*RIGHT, MACRO_F1, RATINGS)

MOST = 100
"""Maximum number of classes; columns with more values are considered free text."""


def named(metric):
    """Return the name of a metric, which may be a function."""
    return getattr(metric, "__name__", type(metric).__name__) if callable(metric) else metric


def opened(comparison):
    """Return a comparison of predictions as one of scores.

    `comparison` (declared.Source): of a table with a column of predictions for each system and one
    of gold labels, if it names a ``metric``.

    Returns declared.Source: its columns of predictions hold scores; of "macro_f1" codes of classes,
    which `counted` makes into counts. tuple of str: what a reader should know of the predictions,
    in sentences.

    Raises `InputError`: if no gold labels are named or one is missing, predictions and gold are not
    of one kind, nothing that a system predicts is right, or it is not said what numbers in gold
    are.
    """
    columns, metric = comparison.columns, comparison.metric
    if {"gold", "score", "system"} <= set(columns):
        comparison = _beside(comparison)
        columns = comparison.columns
    if not {"gold", "scores"} <= set(columns):
        if metric:
            raise InputError(
                f"{comparison.source}: the metric {named(metric)!r} compares predictions with "
                f"gold labels; specify the column that holds them with {_gold(comparison)}. "
                "Also specify a column of predictions for each system, or use "
                f"{checks.named('score')} to specify the one column that holds all predictions."
            )
        return comparison, ()
    if metric and not callable(metric):
        checks.choice(f"{comparison.source}: metric", metric, METRICS)
    file, headers = comparison.file, [*columns["scores"], columns["gold"]]
    table = delimited.columns(file, {header: header for header in headers})
    *sides, gold = (_filled(table[header]) for header in headers)
    if metric in ("", RATINGS):
        if not metric:
            _refuse_labels(comparison, gold, sides)
        return comparison, ()
    cells.refuse_blank(file, table[headers[-1]], "gold label")
    _refuse_kinds(comparison, headers, [*sides, gold])
    if callable(metric):
        pairs = zip(headers, sides, strict=False)
        found, said = [_by_function(comparison, header, gold, side) for header, side in pairs], ()
    else:
        found, said = _right(comparison, headers, gold, sides)
    if metric == MACRO_F1:
        found = _codes(comparison, [*sides, gold])
    else:
        columns = {key: header for key, header in columns.items() if key != "gold"}
    file = _with(file, dict(zip(headers, (*found, None), strict=False)))
    return dataclasses.replace(comparison, file=file, columns=columns), said


def _gold(comparison):
    """Name the argument for the column of gold labels, with the headers that may be meant."""
    known = delimited.read_headers(comparison.file) if comparison.file else ()
    likely = list(filter(of_gold, known))
    return checks.ways("gold", likely)


def _beside(comparison):
    """Lay a table with a row for each item and system out with a column for each system."""
    file, columns = comparison.file, dict(comparison.columns)
    system, score = columns.pop("system"), columns.pop("score")
    known = delimited.read_headers(file)
    keys = [header for key in ("dataset", "instance", "run") for header in _listed(columns, key)]
    table = delimited.every(file, (*keys, system, score, columns["gold"]))
    names = [cells.identifiers(file, table[header], name=header) for header in keys]
    items = pd.DataFrame({place: of.to_pandas() for place, of in enumerate(names)})
    item = items.groupby([*items], sort=False).ngroup().to_numpy()
    whose = cells.identifiers(file, table[system], name="system").to_pandas().to_numpy()
    first = np.unique(item, return_index=True)[1]
    gold = table[columns["gold"]].cast(pa.string()).to_pandas().to_numpy()
    apart = np.flatnonzero(gold != gold[first][item])
    if len(apart):
        row = apart[0]
        raise InputError(
            f"{delimited.place(file, row)}: the gold label is {gold[row]!r}, but it is "
            f"{gold[first[item[row]]]!r} for {whose[first[item[row]]]!r}; give an item the same "
            "gold label for all systems."
        )
    systems = comparison.systems or tuple(pd.unique(whose))
    found, orders = {}, []
    for name in systems:
        checks.choice(f"{file}: system", name, pd.unique(whose))
        rows = np.flatnonzero(whose == name)
        twice = rows[pd.Series(item[rows]).duplicated()]
        if len(twice):
            raise InputError(
                f"{delimited.place(file, twice[0])}: this item occurs twice for {name!r}; leave "
                f"one row out, or specify the column that identifies the runs with "
                f"{checks.named('run')}."
            )
        order = np.full(len(first), -1)
        order[item[rows]] = rows
        orders.append(order)
        header = name if name not in known else f"{score} of {name}"
        found[header] = table[score].take(pa.array(order, mask=order < 0))
    used = [*keys, columns["gold"], *comparison.ignore]
    both = np.flatnonzero((np.array(orders) >= 0).all(0))
    cells.refuse_contents(
        str(file),
        systems,
        lambda k: " of ".join(repr(of[int(first[both[k]])].as_py()) for of in names[::-1]),
        cells.belonging(file, used, of_contents),
        [order[both] for order in orders],
    )
    kept = {}
    for header in table.column_names:
        values = pd.factorize(table[header].cast(pa.string()).to_pandas())[0]
        if header not in (system, score) and (values == values[first][item]).all():
            kept[header] = table[header].take(pa.array(first))
    made = of_arrow(pa.table(kept | found), str(file))
    origin = origin_of(file)
    made = dataclasses.replace(
        made, origin=origin, place=lambda row: delimited.place(file, int(first[row]))
    )
    columns["scores"] = list(found)
    left = {header.strip().casefold() for header in kept}
    ignore = tuple(of for of in comparison.ignore if of.strip().casefold() in left)
    found = {"file": made, "columns": columns, "systems": tuple(systems), "ignore": ignore}
    return dataclasses.replace(comparison, **found)


def _listed(columns, key):
    """List the headers of a role, of which a column of datasets may have several."""
    of = columns.get(key, ())
    return [of] if isinstance(of, str) else of


def sums_of(comparison):
    """Return the metric of sums that predictions are counted for, None for one of each item."""
    return MACRO_F1 if comparison.metric == MACRO_F1 else None


def of(metric, gold, sides, rows):
    """Return what is compared on the rows of a dataset: scores, or counts of classes.

    `metric` (str or None): as `sums_of` returns it. `gold` (ndarray of float64, shape (m,), or
    None): codes of gold labels, or ratings. `sides` (ndarray of float64, shape (s, m) or (s, m,
    c)): scores of each system, or codes of predictions. `rows` (ndarray of int, shape (n,)): rows
    of the dataset.

    Returns ndarray of float64, shape (s, n) or (s, n, c).
    """
    return sides[:, rows] if metric is None else counted(gold[rows], sides[:, rows])


def counted(gold, sides):
    """Count the right, predicted and gold labels of each class on each item.

    `gold` (ndarray of float64, shape (n,)): codes of gold labels. `sides` (ndarray of float64,
    shape (s, n)): codes of the predictions of each system.

    Returns ndarray of float64, shape (s, n, 3 c). For each of the c classes that occur, three
    columns, as `metrics.macro_f1` takes them.

    Examples
    --------
    >>> counted(np.array([0, 4]), np.array([[0, 0]])).tolist()
    [[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]]]
    """
    classes = np.unique(np.concatenate([gold, sides.ravel()]))
    own, guessed = gold[None, :, None] == classes, sides[:, :, None] == classes
    counts = np.stack([own & guessed, guessed, np.broadcast_to(own, guessed.shape)], axis=-1)
    # resamples depend on the order of classes, which must not be that of items, labels or systems
    kinds = own[0] * (len(sides) + 1) + guessed.sum(axis=0)
    tally = [(kinds == kind).sum(axis=0) for kind in range(2 * len(sides) + 2)]
    counts = counts[:, :, np.lexsort(tally)]
    return counts.reshape(*sides.shape, -1).astype(float)


def _filled(column):
    """Return a column in which an empty cell is null."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if _kind(column) == "text":
        column = column.cast(pa.string())
        return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
    return column


def _kind(column):
    if pa.types.is_boolean(column.type):
        return "truth values"
    numbers = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    return "numbers" if numbers else "text"


def _refuse_labels(comparison, gold, sides):
    """Refuse gold whose values may be labels: text, or 0 and 1 as of all systems."""
    said = checks.given("metric", repr(RIGHT[0]))
    some = (pc.unique(column).slice(0, MOST).to_pylist() for column in (gold, *sides))
    values = [set(map(str, of)) for of in some]
    labels = [value for value in values[0] - {"None"} if not delimited.is_number(value)]
    if 2 * len(labels) > len(values[0]):
        raise InputError(
            f"{comparison.source}: the column {comparison.columns['gold']!r} holds labels, not "
            f"ratings; choose how to compare predictions with labels: {said} (right or wrong) "
            f"or {checks.given('metric', repr(MACRO_F1))}."
        )
    if all(of <= {"0", "1", "0.0", "1.0", "None"} for of in values):
        raise InputError(
            f"{comparison.source}: the gold column and the columns of both systems contain only "
            f"0 and 1, which may be labels or ratings; write {said} if they are labels, or "
            f"{checks.given('metric', repr(RATINGS))} to compare correlations with gold "
            "ratings."
        )


def _refuse_kinds(comparison, headers, columns):
    """Refuse predictions of another kind than gold, of which none could be right."""
    gold = _kind(columns[-1])
    for header, column in zip(headers, columns, strict=True):
        if _kind(column) != gold:
            raise InputError(
                f"{comparison.source}: the column {header!r} holds {_kind(column)} and "
                f"{headers[-1]!r} holds {gold}, so no prediction could be right; write both in "
                "the same form."
            )


def _right(comparison, headers, gold, sides):
    """Return whether each prediction is right, NaN where it is missing, and what to know."""
    found, said = [], []
    for header, side in zip(headers, sides, strict=False):
        right = pc.equal(side, gold)
        found.append(np.array(right.cast(pa.float64()).to_numpy(), float))
        if not pc.any(right).as_py():
            example = "a missing prediction"
            if side.null_count < len(side):
                example = f"the prediction {cut(side.drop_null()[0].as_py())}"
            raise InputError(
                f"{comparison.source}: no prediction in {header!r} equals its gold label exactly "
                f"(such as {example} for the label {cut(gold[0].as_py())}); spell both in the "
                "same way, or, in Python, pass a function of prediction and gold as "
                f"{checks.named('metric')}."
            )
        if _kind(gold) == "text":
            near = pc.sum(pc.and_(pc.equal(_plain(side), _plain(gold)), pc.invert(right))).as_py()
            said += [f"{near:,} more of {header!r}"] if near else []
    words = "A prediction is right if it equals the gold label exactly"
    if said:
        words += f"; {checks.enumerated(said)} would be right if case and spaces were ignored"
    return found, (f"{words}.",)


def _plain(column):
    """Return text in lower case and with single blanks."""
    return pc.utf8_lower(pc.utf8_trim_whitespace(pc.replace_substring_regex(column, r"\s+", " ")))


def _by_function(comparison, header, gold, side):
    """Score each prediction by a function of prediction and gold."""
    metric, found = comparison.metric, []
    for prediction, label in zip(side.to_pylist(), gold.to_pylist(), strict=True):
        if prediction is None:
            found.append(math.nan)
            continue
        try:
            score = float(metric(prediction, label))
        except Exception as error:  # whatever a function of the user raises
            raise InputError(
                f"{comparison.source}: {named(metric)}({cut(prediction)}, {cut(label)}) fails "
                f"({type(error).__name__}: {error}); correct the function."
            ) from error
        if not math.isfinite(score):
            raise InputError(
                f"{comparison.source}: {named(metric)}({cut(prediction)}, {cut(label)}) returns "
                f"{score} for a prediction in {header!r}, but a score must be a finite number; "
                "correct the function."
            )
        found.append(score)
    return np.array(found)


def _codes(comparison, columns):
    """Return codes of labels, the same in all columns, NaN where one is missing."""
    if comparison.missing == missing.WRONG:
        raise InputError(
            f"{comparison.source}: a missing prediction has no class, so {MACRO_F1} cannot "
            f"include it; leave it out with {checks.given('missing', repr(missing.DROP))}."
        )
    together = pa.chunked_array([chunk for column in columns for chunk in column.chunks])
    encoded = together.combine_chunks().dictionary_encode()
    if len(encoded.dictionary) > MOST:
        raise InputError(
            f"{comparison.source}: there are {len(encoded.dictionary):,} different labels, but "
            f"{MACRO_F1} allows at most {MOST} classes; compare text with "
            f"{checks.given('metric', repr(RIGHT[1]))}."
        )
    places = np.array(encoded.indices.cast(pa.float64()).to_numpy(zero_copy_only=False))
    ranks = np.argsort(pc.sort_indices(encoded.dictionary).to_numpy()).astype(float)
    codes = np.where(np.isnan(places), np.nan, ranks[np.nan_to_num(places).astype(int)])
    return np.split(codes, len(columns))


def _with(file, values):
    """Return a table with other cells under some headers; a header without any is left out."""
    table = file if isinstance(file, Table) else of_path(file)
    columns = {
        header: column if header not in values else _cells(values[header])
        for header, column in zip(table.headers, table.columns, strict=True)
        if values.get(header, ()) is not None
    }
    return dataclasses.replace(table, headers=tuple(columns), columns=tuple(columns.values()))


def of_path(path):
    """Return a file as a table whose columns are read when they are asked for."""
    known = delimited.read_headers(path)
    return of_file(path, known, lambda header: delimited.columns(path, {header: header})[header])


def _cells(values):
    column = pa.chunked_array([pa.array(values)])
    return lambda: column
