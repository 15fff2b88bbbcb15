"""Logs of Inspect, ``.eval`` and ``.json``: a task is a dataset, epochs are runs."""

import json
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import datasets, inspect_logs, matching, missing, runs, scales
from replicability.io.cells import some
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut
from replicability.io.text import shown


@dataclass(frozen=True, eq=False)
class _Side:
    """The samples of a system in a task, averaged over epochs if there are several."""

    file: str
    scorer: str
    ids: pa.Array
    values: np.ndarray
    inputs: pa.Array
    mean: runs.Mean


def _read(comparison):
    """Read the score of each sample of each task."""
    logs = {side: _logs(path) for side, path in datasets.files(comparison)}
    keys = _telling(logs.values())
    found = {side: _tasks(comparison, side, logs[side], keys) for side in logs}
    if isinstance(comparison.metric, dict):
        for name in comparison.metric:
            checks.choice(f"{comparison.source}: metric of the task", name, sorted(found["a"]))
    found = datasets.together(comparison, found)
    return [_task(comparison, task, of) for task, of in found.items()]


def _logs(path):
    """Read the logs of a system, all of one model."""
    logs = [inspect_logs.read(log) for log in inspect_logs.find(path)]
    models = sorted({log.model for log in logs})
    if len(models) > 1:
        raise InputError(
            f"{path} has logs of several models, {checks.listed(models)}; put the logs of each "
            "model into a separate folder."
        )
    return logs


def _telling(sides):
    """Return for each task the arguments by which its logs of one system differ."""
    keys = {}
    for logs in sides:
        of = {}
        for log in logs:
            of.setdefault(log.task, []).append(log.arguments)
        for task, arguments in of.items():
            names = sorted(set().union(*arguments))
            differ = [name for name in names if len({a.get(name) for a in arguments}) > 1]
            keys.setdefault(task, set()).update(differ)
    return keys


def _tasks(comparison, side, logs, keys):
    """Return the logs of each task, by its name and the arguments that tell its logs apart."""
    tasks = {}
    for log in logs:
        told = sorted(keys[log.task] & set(log.arguments))
        told = [f"{key}={log.arguments[key]}" for key in told]
        name = f"{log.task} ({', '.join(told)})" if told else log.task
        tasks.setdefault(name, []).append(log)
    for task, several in tasks.items():
        if len(several) > 1 and not comparison.columns:
            raise InputError(
                f"{comparison.files[side]} has several logs of {task!r}, among them "
                f"{several[0].path.name} and {several[1].path.name}; keep one of them, or, if "
                f"they are runs to be averaged, set {checks.named('run')} to file."
            )
    return tasks


def _task(comparison, task, logs):
    """Put the scores of both systems beside each other."""
    versions = {str(log.eval.get("task_version")) for side in "ab" for log in logs[side]}
    if len(versions) > 1:
        raise InputError(
            f"{shown(logs['b'][0].path)}: {task!r} has the versions {', '.join(sorted(versions))} "
            "in the logs to be compared; run both models on the same version of the task."
        )
    wanted = comparison.metric
    wanted = wanted.get(task, "") if isinstance(wanted, dict) else wanted
    read = [_samples(logs[side], wanted) for side in "ab"]
    ids, names, values, inputs = ([side[k] for side in read] for k in range(4))
    parts, lacked = missing.of_files(comparison, task, ids, values, names)
    a, b = (
        _side(comparison, task, who, logs[side], part, part.of(ids), part.of(inputs), found[4])
        for who, side, part, found in zip(comparison.systems, "ab", parts, read, strict=True)
    )
    if a.scorer != b.scorer:
        raise InputError(
            f"{task!r} is scored by {a.scorer!r} in {a.file} and by {b.scorer!r} in {b.file}; "
            f"use {checks.named('metric')} to choose a scorer that both files have."
        )
    scales.refuse_lower(a.file, a.scorer, comparison.higher_is_better)
    sides = zip(comparison.systems, (a.file, b.file), (a.ids, b.ids), strict=True)
    _, order = matching.match(task, list(sides))
    inputs = b.inputs.take(pa.array(order))
    different = pc.fill_null(pc.not_equal(a.inputs, inputs), False)
    if pc.any(different).as_py():
        index = int(different.to_numpy(zero_copy_only=False).argmax())
        raise InputError(
            f"{b.file}: sample {a.ids[index].as_py()!r} of {task!r} has a different input than in "
            f"{a.file}; run both models on the same samples in the same order, or give each "
            "sample an id."
        )
    several = max(map(len, (a.mean.of_runs[task], b.mean.of_runs[task]))) > 1
    return Dataset(
        task,
        a.ids,
        a.values,
        b.values[order],
        runs=runs.together(task, a.mean, b.mean, at=(np.arange(len(order)), order))
        if several
        else None,
        measure=a.scorer,
        otherwise=datasets.run_otherwise(
            comparison.systems,
            [
                {(key, text) for log in logs[side] for key, text in log.arguments.items()}
                for side in "ab"
            ],
        ),
        missing=lacked,
        gaps=runs.gaps(task, (a.mean, b.mean)),
        contents=a.inputs.cast(pa.string()),
        prompts=pa.array([_settings(logs["a"][0])] * len(a.ids)),
    )


def _settings(log):
    """Return the version and the arguments of a task, such as shots."""
    version = str(log.eval.get("task_version"))
    return json.dumps([version, log.arguments], sort_keys=True, default=str)


def _samples(logs, wanted):
    """Read the samples of a system in one task: ids, runs, values, inputs, and the scorer."""
    ids, names, values, inputs, scorer = [], [], [], [], wanted
    for number, log in enumerate(logs, 1):
        _refuse_unfinished(log)
        scorer = _scorer(log, scorer)
        for sample, value in zip(log.samples, _values(log, scorer), strict=True):
            ids.append(str(sample["id"]))
            epoch = sample.get("epoch", 1)
            names.append(f"{number}.{epoch}" if len(logs) > 1 else str(epoch))
            values.append(value)
            inputs.append(_as_text(sample.get("input")))
    ids, inputs = (pa.array(column, pa.string()) for column in (ids, inputs))
    return ids, names, np.array(values), inputs, scorer


def _side(comparison, task, who, logs, part, ids, inputs, scorer):
    """Average the samples of a system in one task."""
    file = shown(logs[0].path) + " and others" * (len(logs) > 1)
    mean = runs.named(task, who, file, ids, part.runs, part.values, comparison=comparison)
    rows = pa.array(mean.rows)
    return _Side(file, scorer, ids.take(rows), mean.scores, inputs.take(rows), mean)


def _refuse_unfinished(log):
    """Refuse a log that does not hold a score for each sample that was to be run."""
    place = shown(log.path)
    if log.status != "success":
        raise InputError(
            f"{place} has the status {log.status!r}, so samples may be missing, and they may "
            "differ from the others; finish the evaluation with `inspect eval-retry`."
        )
    if not log.samples:
        raise InputError(
            f"{place} has results but no samples, and a p-value cannot be computed from a mean "
            "alone; let Inspect store the samples (log_samples), or give the log that has them."
        )
    if log.total is not None and log.total != len(log.samples):
        raise InputError(
            f"{place} says that {log.total:,} samples were run, but holds {len(log.samples):,}; "
            "give the complete log."
        )


def _as_text(given):
    """Return an input as text: of chat messages role and content, without their random ids."""
    if isinstance(given, list):
        keys = ("role", "content")
        turns = [{k: t.get(k) for k in keys} if isinstance(t, dict) else t for t in given]
        return json.dumps(turns, sort_keys=True)
    return given.encode("utf-8", "replace").decode() if isinstance(given, str) else None


def _scorer(log, wanted):
    """Return the scorer that is named or the only one, of those that the samples have."""
    known = dict.fromkeys(
        name for sample in log.samples for name in inspect_logs.scorers(sample.get("scores"))
    )
    place = shown(log.path)
    if not known:
        raise InputError(
            f"{place} has no scores; score it with `inspect score`, or give the log that has them."
        )
    if wanted:
        checks.choice(f"{place}: scorer", wanted, known)
    elif len(known) > 1:
        raise InputError(
            f"{place} has the scorers {checks.listed(list(known))}; choose one with "
            f"{checks.ways('metric', list(known))}, for all tasks or for each task."
        )
    return wanted or next(iter(known))


def _values(log, scorer):
    """Return the number that a scorer gives each sample."""
    found = [inspect_logs.scorers(sample.get("scores")) for sample in log.samples]
    lacking = [
        f"{sample['id']}" for sample, of in zip(log.samples, found, strict=True) if scorer not in of
    ]
    if lacking:
        failed = sum(bool(sample.get("error")) for sample in log.samples)
        why = f" ({failed:,} sample{'s' * (failed != 1)} ended in an error)" if failed else ""
        raise InputError(
            f"{shown(log.path)}: {len(lacking):,} of {len(log.samples):,} samples were not scored "
            f"by {scorer!r}, such as {some(lacking)}{why}; run them again with `inspect "
            "eval-retry`, because failed samples are seldom like the others."
        )
    values = [inspect_logs.number(of[scorer]) for of in found]
    if None in values:
        index = values.index(None)
        raise InputError(
            f"{shown(log.path)}: the score of sample {str(log.samples[index]['id'])!r} by "
            f"{scorer!r} is {cut(found[index][scorer])}, but it must be a finite number, or one "
            f"of {', '.join(inspect_logs.VALUES)}; choose another scorer with "
            f"{checks.named('metric')}."
        )
    return values


FORMAT = Format(
    name="inspect_ai",
    title="Inspect logs",
    instance="a sample",
    read=_read,
    recognises=inspect_logs.recognises,
    options=("metric", "columns", "run", "missing"),
    system=inspect_logs.model,
)
