"""Samples of Every Eval Ever: ``<id>_samples.jsonl``, records of single items."""

from collections import defaultdict

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, datasets, matching, missing, scales
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, parsed, record
from replicability.io.text import below, existing, finite, read_first_line, read_text, shown

_ENDING = "_samples.jsonl"
_VERSION = "0.3"


def _read(comparison):
    """Read the score of each sample of each evaluation."""
    declared = comparison.higher_is_better
    sides = {side: _side(path, declared) for side, path in datasets.files(comparison)}
    names = datasets.together(comparison, sides)
    return [_evaluation(comparison, name, rows) for name, rows in names.items()]


def _side(path, declared):
    """Return the samples of each evaluation of one model: place, identifier, score and hash."""
    place = existing(path, folder=None)
    files = [place] if place.is_file() else sorted(below(place, f"*{_ENDING}"))
    if not files:
        raise InputError(
            f"{path} contains no file whose name ends in {_ENDING}; give one model's folder "
            "with the samples, not only the aggregated records."
        )
    found, models = defaultdict(list), {}
    for file in files:
        text = read_text(file)
        aggregates.refuse_text(file, text)
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                sample = record(file, number, line)
                where = f"{shown(file)}, line {number}"
                name, model, row = _sample(where, sample)
                found[name].append((where, *row))
                models.setdefault(model, where)
    if len(models) > 1:
        (one, here), (other, there), *_ = models.items()
        raise InputError(
            f"{there} comes from the model {other!r}, but {here} comes from {one!r}; give a file "
            "or folder with the samples of one model."
        )
    for file in files:
        _refuse_by_record(file, found, declared)
    return {name: _of_one_metric(rows) for name, rows in found.items()}


def _refuse_by_record(file, names, declared):
    """Refuse samples of which the record beside them says that less is better, or -1 unknown."""
    beside = file.with_name(f"{file.name.removesuffix(_ENDING)}.json")
    try:
        results = parsed(read_text(beside))["evaluation_results"] if beside.is_file() else []
        measures = [(result["evaluation_name"], result["metric_config"]) for result in results]
        lower = [name for name, of in measures if of["lower_is_better"] and declared is None]
        unknown = [name for name, of in measures if of.get("has_unknown_level")]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{shown(beside)} is not an Every Eval Ever record, or is incomplete; recreate it, "
            "or remove it from the folder."
        ) from None
    for name in lower:
        if name in names:
            raise InputError(
                f"{shown(file)}: {beside.name} says that a lower score is better in {name!r}; "
                f"declare this with {checks.given('higher_is_better', 'False')}."
            )
    for name in unknown:
        for where, identifier, score, *_ in names.get(name, ()):
            if score == -1:
                raise InputError(
                    f"{where}: the score of {identifier!r} is -1, which means 'unknown' in "
                    f"{name!r}, according to {beside.name}; leave the sample out for both systems."
                )


def _sample(where, sample):
    """Return evaluation, model, and what is read of a sample."""
    version = sample.get("schema_version")
    if not (isinstance(version, str) and version.startswith(f"{_VERSION}.")):
        raise InputError(
            f"{where}: the schema_version is {cut(version)}, but only version {_VERSION} can be "
            "read; convert the file with the tools of Every Eval Ever."
        )
    for key in ("evaluation_name", "model_id", "sample_id"):
        if not (isinstance(sample.get(key), str) and checks.is_unicode(sample[key])):
            raise InputError(
                f"{where}: {key!r} is {cut(sample.get(key))}, but it must be text in every "
                "sample; recreate the file."
            )
    evaluation = sample.get("evaluation")
    score = evaluation.get("score") if isinstance(evaluation, dict) else None
    if isinstance(score, str) or finite(score) is None:
        raise InputError(
            f"{where}: the score under 'evaluation' is {cut(score)}, but it must be a finite "
            "number; leave the sample out for both systems."
        )
    result, digest = (sample.get(key) for key in ("evaluation_result_id", "sample_hash"))
    row = sample["sample_id"], float(score), digest, result
    return sample["evaluation_name"], sample["model_id"], row


def _of_one_metric(rows):
    """Refuse samples of several results, such as accuracy and F1 of the same answers."""
    results = {row[4]: row[0] for row in rows[::-1]}
    if len(results) > 1:
        (one, here), (other, there), *_ = reversed(results.items())
        raise InputError(
            f"{there} belongs to the result {other!r} and {here} to the result {one!r} of the "
            "same evaluation, so their metrics differ; keep only the lines of one result."
        )
    return rows


def _evaluation(comparison, name, rows):
    """Put the scores of both models beside each other."""
    scales.refuse_lower(comparison.source, name, comparison.higher_is_better)
    ids = [pa.array([row[1] for row in rows[side]]) for side in "ab"]
    scores = [np.array([row[2] for row in rows[side]]) for side in "ab"]
    (a, b), lacked = missing.of_files(comparison, name, ids, scores)
    ids = [part.of(ids) for part in (a, b)]
    who = zip(comparison.systems, map(comparison.files.get, "ab"), ids, strict=True)
    _, order = matching.match(name, list(who))
    both = [*rows["a"], *rows["b"]]
    for row, index in zip(a.take, b.take[order], strict=True):
        mine, theirs = both[row], both[index]
        if mine[3] and theirs[3] and mine[3] != theirs[3]:
            raise InputError(
                f"{theirs[0]}: sample {mine[1]!r} of {name!r} differs from the one in {mine[0]} "
                "(in its sample_hash); run both models on the same version of the data."
            )
    return Dataset(name, ids[0], a.values, b.values[order], missing=lacked)


def _recognises(path):
    """Tell whether a file, or one of a folder at any depth, begins with a sample."""
    files = below(path, f"*{_ENDING}") if path.is_dir() else [path]
    file = next((f for f in files if f.name.endswith(_ENDING) and f.is_file()), None)
    try:
        return file is not None and '"schema_version"' in read_first_line(file)
    except InputError:
        return False


FORMAT = Format(
    name="every_eval_ever",
    title="Every Eval Ever samples",
    instance="a sample",
    read=_read,
    recognises=_recognises,
    options=("missing",),
)
