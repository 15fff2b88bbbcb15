"""Scores in nested objects: {item: score}, {dataset: {item: score}}, {system: {dataset: ...}}.

A level of keys is a column, "key 1" the outermost, and the innermost may be a list in the order of
the items. What a level is, systems or datasets, its depth tells where there is one file for each
system; else names of systems do, or the user.
"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, headers
from replicability.io.json_lines import cut

MOST = 3
"""Maximum nesting depth of scores: systems, datasets and items."""

DEEPEST = 10
"""Nesting depth at which the search for scores stops."""

KEY = "key {}".format
"""Header of a level."""


def is_one(content, levels=DEEPEST):
    """Tell whether an object holds nothing but scores, or lists or objects of scores."""
    if not isinstance(content, Mapping) or not content or not levels:
        return False
    return all(
        _is_score(value) or _is_list(value) or is_one(value, levels - 1)
        for value in content.values()
    )


def scalars(values):
    """Tell whether all values are scores."""
    return all(map(_is_score, values))


def table(file, content):
    """Lay out scores in nested objects as a table.

    `file`: what messages call them. `content` (mapping): keys, of up to three levels -> scores,
    None where one is missing.

    Returns pyarrow.Table: a column of text for each level of keys, and ``score``. bool: whether the
    innermost level are places in lists.

    Raises `InputError`: if levels differ, there are too many, or scores may be means, being few and
    not all right or wrong.
    """
    if not is_one(content):
        raise InputError(
            f"{file} holds values that are not scores; make every value a number, or an object or "
            "list of numbers."
        )
    found = list(_leaves(content, ()))
    depths = {len(keys) for keys, _ in found}
    lists = {_is_list(inner) for _, inner in found}
    if len(depths) > 1 or len(lists) > 1 or max(depths) + 1 > MOST:
        raise InputError(
            f"{file} nests scores too deeply or in different ways; use {{system: {{dataset: "
            "{item: score}}}, {dataset: {item: score}} or {item: score} throughout."
        )
    columns, scores = [[] for _ in range(min(depths) + 1)], []
    for keys, inner in found:
        listed = _is_list(inner)
        own = [_number(file, value) for value in (inner if listed else inner.values())]
        _refuse_means(file, own, keys)
        items = range(1, len(own) + 1) if listed else inner
        for column, key in zip(columns, (*keys, None), strict=True):
            column += [str(item) for item in items] if key is None else [key] * len(own)
        scores += own
    names = [KEY(level) for level in range(1, len(columns) + 1)]
    texts = [pa.array(column, pa.string()) for column in columns]
    scores = pa.array(scores, pa.float64(), from_pandas=True)
    return pa.table(dict(zip(names, texts, strict=True)) | {"score": scores}), listed


def roles(file, table, listed, *, alone, systems=(), named=(), lenient=False):
    """Return the roles of the levels of keys.

    `file`: what messages call the scores. `table` (pyarrow.Table): as `table` returns it. `listed`:
    whether the innermost level are places in lists. `alone`: whether all systems are in this one
    table. `systems` (sequence of str): systems that are named. `named` (mapping): role -> header,
    as far as it is said. `lenient`: whether items may be missing, which places cannot tell.

    Returns pyarrow.Table. With the columns ``system``, ``dataset`` and ``instance`` in place of the
    levels that are such.

    Raises `InputError`: if the outer levels may be systems or datasets, or there is no level for
    the systems.
    """
    levels = [header for header in table.column_names if header != "score"]
    if listed and lenient:
        raise InputError(
            f"{file} lists scores without the names of items, so it is unclear which items are "
            f"missing; leave {checks.named('missing')} out, or write the scores as {{item: "
            "score}."
        )
    if len(levels) - alone not in (1, 2):
        raise InputError(
            f"{file} holds the scores of only one system, because its keys are items; give the "
            "scores of the other system as a second file or argument."
            if alone
            else f"{file} holds the scores of several systems, so it must be the only file or "
            "argument with scores; leave out the others."
        )
    outer = levels[:-1]
    system = _system(file, table, outer, systems, named) if alone else None
    called = dict.fromkeys(outer, "dataset") | {levels[-1]: "instance"}
    called |= {system: "system"} if alone else {}
    taken = set(dict(named).values())
    return table.rename_columns(
        [header if header in taken else called.get(header, header) for header in table.column_names]
    )


def _system(file, table, outer, systems, named):
    """Tell which level of keys are systems."""
    if dict(named).get("system") in outer:
        return named["system"]
    held = {level: table[level].unique().to_pylist() for level in outer}
    if len(outer) == 1:
        _refuse_benchmarks(file, held[outer[0]])
        return outer[0]
    named_in = [level for level in outer if any(map(held[level].__contains__, systems))]
    if len(named_in) == 1:
        return named_in[0]
    first, second = (f"{level!r} ({checks.listed(held[level])})" for level in outer)
    one, other = (checks.given("system", repr(level)) for level in outer)
    raise InputError(
        f"{file}: the systems may be the outer keys, {first}, or the inner ones, {second}; choose "
        f"them with {one} or {other}, or specify the systems with {checks.named('systems')}."
    )


def _refuse_benchmarks(file, names):
    if len(headers.benchmarks(names)) >= 2:
        raise InputError(
            f"{file} holds the scores of only one system, on the datasets {checks.listed(names)}; "
            "give the scores of the other system as a second file or argument."
        )


def _leaves(content, keys):
    """Iterate over the keys and the innermost objects and lists."""
    inner = [value for value in content.values() if isinstance(value, Mapping) or _is_list(value)]
    if not inner:
        yield keys, content
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*keys, str(key)))
        elif _is_list(value):
            yield (*keys, str(key)), value
        elif inner:
            yield keys, {}  # of another depth, which is refused


def _is_list(value):
    return isinstance(value, list | tuple | np.ndarray) and len(value) and scalars(value)


def _is_score(value):
    return value is None or isinstance(value, bool | int | float | np.number | np.bool_)


def _number(file, value):
    try:
        return None if value is None else float(value)
    except OverflowError:
        raise InputError(
            f"{file}: a score is {cut(value)}, but it must be a finite number; correct this score."
        ) from None


def _refuse_means(file, scores, keys):
    """Refuse a few numbers, which may be means, metrics or runs, unless all are right or wrong."""
    known = [score for score in scores if score is not None]
    if len(scores) < aggregates.FEW and not np.isin(known, (0, 1)).all():
        where = f" under {' / '.join(keys)}" if keys else ""
        raise InputError(
            f"{file} has only {len(scores)} number{'s' * (len(scores) != 1)}{where}, and not all "
            "are 0 or 1. These numbers may be means, metrics or runs rather than scores of "
            "items; give one score for each item, or a table with a column 'instance'."
        )
