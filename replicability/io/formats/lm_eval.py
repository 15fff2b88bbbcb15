"""Logs of lm-evaluation-harness: ``samples_<task>_<time>.jsonl``, one for each task."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from replicability import checks
from replicability.checks import InputError
from replicability.io import datasets, lm_eval_results, matching, missing, runs, scales
from replicability.io.datasets import is_log
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, record
from replicability.io.text import below, existing, finite, read_first_line, read_text, shown

PREFERRED = ("acc", "acc_norm", "exact_match", "prompt_level_strict_acc")
"""Default metrics in order of preference; the first that a task has is used."""

_BLOCK = 1 << 25
_TEXTS = ("doc_hash", "prompt_hash", "filter")
_NOT_METRICS = ("doc_id", "doc_hash", "prompt_hash", "target_hash", "target", "doc", "sample_len")


@dataclass(frozen=True, eq=False)
class _Side:
    """The documents of a system, of one log or averaged over several."""

    who: str
    file: str
    ids: pa.Array
    values: np.ndarray
    hashes: pa.Array
    prompts: pa.Array
    filter: str | None
    mean: runs.Mean | None = None


def _read(comparison):
    """Read the value of a metric for each document of each task."""
    sides = datasets.files(comparison)
    found = {side: _tasks(comparison, path) for side, path in sides}
    places = [existing(path, folder=None) for _, path in sides]
    results = lm_eval_results.read(places)
    shots = [lm_eval_results.read([place]).shots for place in places]
    both = set.intersection(*map(set, shots))
    for key in ("metric", "filter"):
        wanted = getattr(comparison, key)
        for name in wanted if isinstance(wanted, dict) else ():
            known = sorted({*found["a"], *results.groups})
            checks.choice(f"{comparison.source}: {key} of the task or group", name, known)
    found = datasets.together(comparison, found)
    read = [_task(comparison, task, logs, results) for task, logs in found.items()]
    return [
        replace(
            dataset,
            otherwise=dataset.otherwise
            + datasets.run_otherwise(
                comparison.systems,
                [{("num_fewshot", n) for n in of[dataset.name]} for of in shots],
            ),
        )
        if dataset.name in both
        else dataset
        for dataset in _of_one_kind(read)
    ]


def _tasks(comparison, path):
    """Return the logs of each task: one, or one for each run if files are runs."""
    place = existing(path, folder=None)
    logs = [place] if place.is_file() else sorted(below(place, "samples_*.jsonl"))
    if not logs:
        raise InputError(
            f"{path} contains no file samples_<task>_<time>.jsonl; let lm-evaluation-harness "
            "write such files with --log_samples, and give the folder of one model."
        )
    tasks = {}
    for log in logs:
        match = datasets.LOG.fullmatch(log.name)
        tasks.setdefault(match[1] if match else log.stem, []).append(log)
    for task, several in tasks.items():
        if len(several) > 1 and not comparison.columns:
            first, second = (log.relative_to(place) for log in several[:2])
            raise InputError(
                f"{path} has several runs of {task!r}, among them {first} and {second}; keep one "
                "of them, or give the folder of one model. To average several logs as runs, set "
                f"{checks.named('run')} to file."
            )
    return tasks


def _task(comparison, task, logs, results):
    """Put the values of both systems beside each other."""
    groups = results.of(task)
    metric = _asked(comparison.metric, task, groups) or _metric(logs["a"][0])
    if metric in _NOT_METRICS:
        _metric(logs["a"][0], metric)
    if comparison.higher_is_better is None:
        results.refuse_lower(shown(logs["a"][0]), task, metric)
        scales.refuse_lower(shown(logs["a"][0]), metric)
    wanted = _asked(comparison.filter, task, groups)
    read = [
        [_Side(who, shown(log), *_log(log, metric, wanted)) for log in logs[side]]
        for who, side in zip(comparison.systems, "ab", strict=True)
    ]
    read, lacked = _without_missing(comparison, task, read)
    a, b = (
        _side(comparison, task, who, logs[side], sides)
        for who, side, sides in zip(comparison.systems, "ab", read, strict=True)
    )
    if a.filter != b.filter:
        raise InputError(
            f"{a.file} has the filter {a.filter!r}, but {b.file} has {b.filter!r}, so they "
            "extract answers in different ways; run both models with the same settings."
        )
    order = _order(task, a, b)
    others = pc.fill_null(pc.not_equal(a.prompts, b.prompts.take(pa.array(order))), False)
    return Dataset(
        task,
        a.ids,
        a.values,
        b.values[order],
        runs=runs.together(task, a.mean, b.mean, at=(np.arange(len(order)), order))
        if a.mean
        else None,
        measure=metric if a.filter in (None, "none") else f"{metric} ({a.filter})",
        groups=groups,
        missing=lacked,
        contents=a.hashes,
        prompts=a.prompts,
        otherwise=(datasets.OTHER_PROMPTS,) if pc.any(others).as_py() else (),
    )


def _without_missing(comparison, task, read):
    """Leave out or add documents of the logs of both systems: logs, and what each lacks."""
    if comparison.missing == missing.REFUSE:
        return read, ()
    columns = {
        key: [
            pa.concat_arrays([getattr(side, key).cast(pa.string()) for side in sides])
            for sides in read
        ]
        for key in ("ids", "hashes", "prompts")
    }
    values = [np.concatenate([side.values for side in sides]) for sides in read]
    by_log = [[str(n) for n, side in enumerate(sides) for _ in side.ids] for sides in read]
    parts, lacked = missing.of_files(comparison, task, columns["ids"], values, by_log)
    found = []
    for part, sides in zip(parts, read, strict=True):
        own = {key: part.of(column) for key, column in columns.items()}
        rows = [np.flatnonzero(np.array(part.runs) == str(n)) for n in range(len(sides))]
        found.append(
            [
                replace(
                    side,
                    values=part.values[at],
                    **{k: c.take(pa.array(at)) for k, c in own.items()},
                )
                for side, at in zip(sides, rows, strict=True)
            ]
        )
    return found, lacked


def _asked(wanted, task, groups):
    """Return what is named for a task, or for the smallest group that it is in, or for all."""
    if isinstance(wanted, str):
        return wanted
    return next((wanted[name] for name in (task, *groups) if name in wanted), "")


def _side(comparison, task, who, logs, sides):
    """Return the log of a system, or average several if files are runs."""
    if not comparison.columns:
        return sides[0]
    first = sides[0]
    for side in sides:
        if side.filter != first.filter or side.values.ndim != first.values.ndim:
            raise InputError(
                f"{side.file} and {first.file} differ in their filter or in the form of their "
                "values, although they are runs of one model; run all of them with the same "
                "settings."
            )
    numbers = [number for number, side in enumerate(sides, 1) for _ in range(len(side.ids))]
    ids = pa.concat_arrays([side.ids for side in sides])
    values = np.concatenate([side.values for side in sides])
    scores, sizes = (values, None) if values.ndim == 1 else values.T
    place = f"{shown(logs[0].parent)}, {first.file} and others" if len(logs) > 1 else first.file
    mean = runs.named(task, who, place, ids, list(map(str, numbers)), scores, sizes)
    for side in sides[1:]:
        _order(task, first, side)
    values = mean.scores if sizes is None else np.column_stack([mean.scores, sizes[mean.rows]])
    return replace(first, values=values, mean=mean)


def _order(task, first, second):
    """Match the documents of two logs, and refuse those that differ although their ids do not."""
    sides = [(side.who, side.file, side.ids) for side in (first, second)]
    _, order = matching.match(task, sides)
    different = pc.fill_null(pc.not_equal(first.hashes, second.hashes.take(pa.array(order))), False)
    if pc.any(different).as_py():
        index = int(different.to_numpy(zero_copy_only=False).argmax())
        raise InputError(
            f"{second.file}: document {first.ids[index].as_py()} of {task!r} differs from the one "
            f"in {first.file} (in its text or doc_hash); run both models on the same version of "
            "the task."
        )
    return order


def _of_one_kind(read):
    """Give every score a size where those of one task have sizes."""
    if len({dataset.a.ndim for dataset in read}) == 1:
        return read
    return [replace(dataset, a=_sized(dataset.a), b=_sized(dataset.b)) for dataset in read]


def _sized(scores):
    return scores if scores.ndim == 2 else np.column_stack([scores, np.ones(len(scores))])


def _metric(path, asked=""):
    """Return the preferred metric of a log or the only one; refuse one that is none."""
    first = read_first_line(path)
    document = record(path, 1, first)
    named = document.get("metrics")
    names = named if isinstance(named, list) else [k for k in document if k not in _NOT_METRICS]
    metrics = [k for k in map(str, names) if isinstance(document.get(k), int | float)]
    preferred = [metric for metric in PREFERRED if metric in metrics]
    if (preferred or len(metrics) == 1) and not asked:
        return (preferred or metrics)[0]
    has = f"the metrics {', '.join(metrics)}" if metrics else "no metric that is a number"
    but = f", and {asked!r} is not a metric" if asked else ""
    raise InputError(
        f"{shown(path)} has {has}{but}; choose one with {checks.ways('metric', metrics)}, for all "
        "tasks or for each task."
    )


def _log(path, metric, wanted):
    """Return identifiers, values, hashes of documents and of prompts, and the filter of a log."""
    try:
        ids, values, hashes, prompts, filters = _fast(path, metric)
    except (pa.ArrowException, KeyError):
        ids, values, hashes, prompts, filters = _slow(path, metric)
    if hashes.null_count == len(hashes):
        hashes = _documents(path)
    names = pc.unique(filters).to_pylist()
    if len(names) == 1:
        return ids, _array(values), hashes, prompts, names[0]
    listed = ", ".join(map(str, names))
    if not wanted:
        raise InputError(
            f"{shown(path)} has the filters {listed}; choose one with "
            f"{checks.ways('filter', list(map(str, names)))}."
        )
    checks.choice(f"{shown(path)}: filter", wanted, map(str, names))
    keep = pc.equal(filters, wanted)
    kept = (column.filter(keep) for column in (hashes, prompts))
    return ids.filter(keep), _array(values.filter(keep)), *kept, wanted


def _documents(path):
    """Return documents and targets of a log without hashes as text, null where it has none."""
    lines = (
        record(path, n, line)
        for n, line in enumerate(read_text(path).split("\n"), 1)
        if line.strip()
    )
    parts = ({key: row[key] for key in ("doc", "target") if key in row} for row in lines)
    texts = [json.dumps(part, sort_keys=True) if part else None for part in parts]
    return pa.array(texts, pa.string())


def _array(values):
    """Return values as an array, those of lists as sums and sizes."""
    if pa.types.is_fixed_size_list(values.type):
        return values.flatten().to_numpy().reshape(-1, 2)
    return values.to_numpy()


def _fast(path, metric):
    """Parse a log by columns; KeyError where a value is missing or not finite."""
    types = {"doc_id": pa.int64(), metric: pa.float64()}
    types |= dict.fromkeys(_TEXTS, pa.string())
    table = pyarrow.json.read_json(
        path,
        read_options=pyarrow.json.ReadOptions(block_size=_BLOCK),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=pa.schema(types), unexpected_field_behavior="ignore"
        ),
    )
    columns = [table[name].combine_chunks() for name in types]
    if columns[0].null_count or columns[1].null_count or not pc.all(pc.is_finite(columns[1])):
        raise KeyError(metric)
    return columns[0].cast(pa.string()), *columns[1:]


def _slow(path, metric):
    """Parse a log line by line, to read what the fast way does not or to say what is wrong."""
    rows = [
        _row(f"{shown(path)}, line {number}", record(path, number, text), metric)
        for number, text in enumerate(read_text(path).split("\n"), 1)
        if text.strip()
    ]
    ids, values, *texts = zip(*rows, strict=True)
    listed = isinstance(values[0], tuple)
    for number, value in enumerate(values, 1):
        if isinstance(value, tuple) != listed:
            raise InputError(
                f"{shown(path)}: {metric!r} is a list in some documents and a number in others "
                f"(document {number} differs from the first); choose another metric."
            )
    return (
        pa.array(map(str, ids), pa.string()),
        pa.array(values, pa.list_(pa.float64(), 2) if listed else pa.float64()),
        *(
            pa.array([None if x is None else str(x) for x in column], pa.string())
            for column in texts
        ),
    )


def _row(place, document, metric):
    """Return the identifier, value, hash and filter of a document."""
    for key in ("doc_id", metric):
        if key not in document:
            near = checks.nearest(key, document).rstrip(".")
            what = "choose another metric" if key == metric else "recreate the file"
            near = near or f"; every line of a log must have it, so {what}."
            tasks = (
                f" You can also use {checks.named('datasets')} to choose the tasks that have this "
                f"metric, or {checks.named('metric')} to choose a metric for each task."
            )
            raise InputError(f"{place} has no {key!r}{near}{tasks * (key == metric)}")
    value = _value(document[metric])
    if value is None:
        raise InputError(
            f"{place}: {metric!r} is {cut(document[metric])}, but it must be a finite number; "
            "choose another metric, or leave the document out for both systems."
        )
    texts = {key: document.get(key) for key in ("doc_id", *_TEXTS)}
    for key, found in texts.items():
        missing = found is None and key == "doc_id"
        if missing or isinstance(found, list | dict | float) or not checks.is_unicode(str(found)):
            raise InputError(
                f"{place}: {key!r} is {cut(found)}, but it must be text or a whole number; "
                "recreate the file."
            )
    return texts["doc_id"], value, *(texts[key] for key in _TEXTS)


def _value(value):
    """Return a finite number, or of a list of true and false how many are true and how many are."""
    if isinstance(value, list) and value and all(isinstance(x, bool) for x in value):
        return float(sum(value)), float(len(value))
    return None if isinstance(value, str) else finite(value)


def _recognises(path):
    """Tell whether a path is a log by its name, or a folder that has one at any depth."""
    return is_log(path) or (path.is_dir() and any(map(is_log, below(path, "samples_*"))))


FORMAT = Format(
    name="lm_eval",
    title="lm-evaluation-harness logs",
    instance="a document",
    read=_read,
    recognises=_recognises,
    options=("metric", "filter", "columns", "run", "missing"),
    system=lambda path: lm_eval_results.read([path]).model,
)
