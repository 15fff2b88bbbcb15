"""Logs of lm-evaluation-harness: ``samples_<task>_<time>.jsonl``, one for each task."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from replicability import checks
from replicability.checks import InputError
from replicability.io import datasets, matching, scales
from replicability.io.datasets import is_log
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, record
from replicability.io.text import existing, read_first_line, read_text, shown

_BLOCK = 1 << 25
_NOT_METRICS = ("doc_id", "doc_hash", "prompt_hash", "target_hash", "target", "doc", "sample_len")


def _read(comparison):
    """Read the value of a metric for each document of each task."""
    found = {side: _tasks(path) for side, path in datasets.files(comparison)}
    found = datasets.together(comparison, found)
    return [_task(comparison, name, files) for name, files in found.items()]


def _tasks(path):
    """Return the log of each task."""
    place = existing(path, folder=None)
    logs = [place] if place.is_file() else sorted(place.rglob("samples_*.jsonl"))
    if not logs:
        raise InputError(
            f"{path} has no file samples_<task>_<time>.jsonl; let lm-evaluation-harness write them "
            "with --log_samples, and name the folder of one model."
        )
    tasks = {}
    for log in logs:
        match = datasets.LOG.fullmatch(log.name)
        task = match[1] if match else log.stem
        if task in tasks:
            raise InputError(
                f"{path} has several runs of {task!r}, among them {tasks[task].name} and "
                f"{log.name}; keep one in the folder."
            )
        tasks[task] = log
    return tasks


def _task(comparison, task, files):
    """Put the values of both systems beside each other."""
    metric = comparison.metric or _metric(files["a"])
    if metric in _NOT_METRICS:
        _metric(files["a"], metric)
    scales.refuse_lower(shown(files["a"]), metric)
    (ids, values, hashes, filter_a), (ids_b, values_b, hashes_b, filter_b) = (
        _log(files[side], metric, comparison.filter) for side in "ab"
    )
    if filter_a != filter_b:
        raise InputError(
            f"{shown(files['a'])} has the filter {filter_a!r} and {shown(files['b'])} "
            f"{filter_b!r}, which extract answers in different ways; run both models alike."
        )
    systems = zip(comparison.systems, (files["a"], files["b"]), (ids, ids_b), strict=True)
    _, order = matching.match(task, [(who, shown(path), side) for who, path, side in systems])
    hashes_b = hashes_b.take(pa.array(order))
    different = pc.fill_null(pc.not_equal(hashes, hashes_b), False)
    if pc.any(different).as_py():
        index = int(different.to_numpy(zero_copy_only=False).argmax())
        raise InputError(
            f"{shown(files['b'])}: document {ids[index].as_py()} of {task!r} is not that of "
            f"{shown(files['a'])} (its doc_hash differs); run both models on one version of the "
            "task."
        )
    return Dataset(task, ids, values, values_b[order])


def _metric(path, asked=""):
    """Return the metric of a log that names none, acc or the only one; refuse one that is none."""
    first = read_first_line(path)
    document = record(path, 1, first)
    named = document.get("metrics")
    names = named if isinstance(named, list) else [k for k in document if k not in _NOT_METRICS]
    metrics = [k for k in map(str, names) if isinstance(document.get(k), int | float)]
    if "acc" in metrics and not asked:
        return "acc"
    if len(metrics) == 1 and not asked:
        return metrics[0]
    has = f"the metrics {', '.join(metrics)}" if metrics else "no metric that is a number"
    but = f", and {asked!r} is none" if asked else ""
    raise InputError(f"{shown(path)} has {has}{but}; name one with {checks.named('metric')}.")


def _log(path, metric, wanted):
    """Return identifiers, values, hashes of documents and the filter of a log."""
    try:
        ids, values, hashes, filters = _fast(path, metric)
    except (pa.ArrowException, KeyError):
        ids, values, hashes, filters = _slow(path, metric)
    names = pc.unique(filters).to_pylist()
    if len(names) == 1:
        return ids, values.to_numpy(), hashes, names[0]
    listed = ", ".join(map(str, names))
    if not wanted:
        raise InputError(
            f"{shown(path)} has the filters {listed}; name one with {checks.named('filter')}."
        )
    checks.choice(f"{shown(path)}: filter", wanted, map(str, names))
    keep = pc.equal(filters, wanted)
    return ids.filter(keep), values.filter(keep).to_numpy(), hashes.filter(keep), wanted


def _fast(path, metric):
    """Parse a log by columns; KeyError where a value is missing or not finite."""
    types = {"doc_id": pa.int64(), metric: pa.float64(), "doc_hash": pa.string()}
    types["filter"] = pa.string()
    table = pyarrow.json.read_json(
        path,
        read_options=pyarrow.json.ReadOptions(block_size=_BLOCK),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=pa.schema(types), unexpected_field_behavior="ignore"
        ),
    )
    columns = [table[name].combine_chunks() for name in ("doc_id", metric, "doc_hash", "filter")]
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
    ids, values, hashes, filters = zip(*rows, strict=True)
    return (
        pa.array(map(str, ids), pa.string()),
        pa.array(values, pa.float64()),
        *(
            pa.array([None if x is None else str(x) for x in column], pa.string())
            for column in (hashes, filters)
        ),
    )


def _row(place, document, metric):
    """Return the identifier, value, hash and filter of a document."""
    for key in ("doc_id", metric):
        if key not in document:
            near = checks.nearest(key, document).rstrip(".")
            near = near or "; a log has it on every line, so name another metric."
            tasks = f" Or name the tasks that have it with {checks.named('datasets')}."
            raise InputError(f"{place} has no {key!r}{near}{tasks * (key == metric)}")
    value = _number(document[metric])
    if value is None:
        raise InputError(
            f"{place}: {metric!r} is {cut(document[metric])}, but it is a finite number; name "
            "another metric, or leave that document out for both systems."
        )
    texts = {key: document.get(key) for key in ("doc_id", "doc_hash", "filter")}
    for key, found in texts.items():
        missing = found is None and key == "doc_id"
        if missing or isinstance(found, list | dict | float) or not checks.is_unicode(str(found)):
            raise InputError(
                f"{place}: {key!r} is {cut(found)}, but it is text or a whole number; write the "
                "file anew."
            )
    return texts["doc_id"], value, texts["doc_hash"], texts["filter"]


def _number(value):
    """Return a finite number as a float, and None for anything else."""
    try:
        number = float(value) if isinstance(value, int | float) else np.nan
    except OverflowError:
        number = np.nan
    return number if np.isfinite(number) else None


def _recognises(path):
    """Tell whether a path is a log by its name, or a folder that has one at any depth."""
    return is_log(path) or (path.is_dir() and any(map(is_log, path.rglob("samples_*"))))


FORMAT = Format(
    name="lm_eval",
    title="logs of lm-evaluation-harness",
    instance="a document",
    read=_read,
    recognises=_recognises,
    options=("metric", "filter"),
)
