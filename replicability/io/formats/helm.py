"""Runs of HELM: a folder for each run, with its ``per_instance_stats.json``."""

import contextlib
import json
import re
from collections import defaultdict

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, datasets, matching, missing, scales
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, parsed, reason
from replicability.io.text import below, existing, read_text, shown

_NAME = "per_instance_stats.json"
_INSTANCES, _STATE, _SPEC = "instances.json", "scenario_state.json", "run_spec.json"
_OF_THE_MODEL = re.compile(r"(?:^|[:,-])(model|model_deployment)=[^,]*")
_MAIN = {"metric": "exact_match", "split": "test"}


def _read(comparison):
    """Read the value of a metric for each item of each run."""
    found = {side: _runs(path) for side, path in datasets.files(comparison)}
    found = datasets.together(comparison, found)
    return [_run(comparison, name, files) for name, files in found.items()]


def _runs(path):
    """Return the file of each run, by its name without the model."""
    place = existing(path, folder=None)
    files = [place] if place.is_file() else sorted(below(place, _NAME))
    if not files:
        raise InputError(
            f"{path} contains no {_NAME}; give one model's folder, with a subfolder for each "
            "run, as written by helm-run."
        )
    runs = {}
    for file in files:
        name = _OF_THE_MODEL.sub("", file.parent.name).strip(":,-") or file.parent.name
        if name in runs:
            raise InputError(
                f"{path} has two runs of {name!r}, in {runs[name].parent.name!r} and "
                f"{file.parent.name!r}; keep only one model's runs, with one run of each name."
            )
        runs[name] = file
    return runs


def _model(path):
    """Return the model that the names of the runs in a folder say; "" if it is not one."""
    runs = {file.parent.name for file in (below(path, _NAME) if path.is_dir() else [path])}
    said = {found[0] for found in map(_OF_THE_MODEL.search, runs) if found}
    return said.pop().partition("=")[2] if len(said) == 1 else ""


def _run(comparison, name, files):
    """Put the values of both systems beside each other."""
    metric = comparison.metric or _MAIN["metric"]
    scales.refuse_lower(shown(files["a"]), metric, comparison.higher_is_better)
    read = {side: _values(files[side], metric, comparison.filter) for side in "ab"}
    if read["a"][2] != read["b"][2]:
        raise InputError(
            f"{shown(files['a'])} has the split {read['a'][2]!r}, but {shown(files['b'])} has "
            f"{read['b'][2]!r}; run both models on the same items."
        )
    ids, values = ([pa.array(read[side][k]) for side in "ab"] for k in (0, 1))
    values = [column.to_numpy() for column in values]
    (a, b), lacked = missing.of_files(comparison, name, ids, values)
    ids = [part.of(ids) for part in (a, b)]
    sides = [
        (who, shown(files[side]), own)
        for who, side, own in zip(comparison.systems, "ab", ids, strict=True)
    ]
    _, order = matching.match(name, sides)
    held = [_contents(files[side], part) for side, part in zip("ab", ids, strict=True)]
    if None not in held:
        _refuse_other(name, files, ids[0], held[0], [held[1][row] for row in order])
    settings = [_settings(files[side]) for side in "ab"]
    return Dataset(
        name,
        ids[0],
        a.values,
        b.values[order],
        missing=lacked,
        contents=held[0] and pa.array(held[0], pa.string()),
        prompts=pa.array([str(sorted(settings[0]))] * len(ids[0])) if settings[0] else None,
        otherwise=datasets.run_otherwise(comparison.systems, settings) if all(settings) else (),
    )


def _contents(file, ids):
    """Return input and references of items, from the file of a run that has them, or None."""
    named = (file.with_name(name) for name in (_INSTANCES, _STATE))
    place = next((path for path in named if path.is_file()), None)
    if place is None:
        return None
    try:
        found = parsed(read_text(place))
        if place.name == _STATE:
            found = [state["instance"] for state in found["request_states"]]
        if not isinstance(found, list):
            raise TypeError
        of = {
            one["id"]: json.dumps([one["input"], one.get("references")], sort_keys=True)
            for one in found
            if one.get("perturbation") is None
        }
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            f"{shown(place)} is incomplete, or was not written by helm-run; recreate the file."
        ) from None
    return [of.get(identifier) for identifier in ids.to_pylist()]


def _settings(file):
    """Return how items became prompts, such as instructions and shots, without the model."""
    place = file.with_name(_SPEC)
    if not place.is_file():
        return set()
    try:
        spec = parsed(read_text(place))["adapter_spec"]
        return {(key, json.dumps(spec[key])) for key in spec if not key.startswith("model")}
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            f"{shown(place)} is incomplete, or was not written by helm-run; recreate the file."
        ) from None


def _refuse_other(name, files, ids, one, two):
    """Refuse items that hold something else in the other run."""
    for identifier, own, other in zip(ids.to_pylist(), one, two, strict=True):
        if own and other and own != other:
            raise InputError(
                f"{shown(files['b'])}: item {identifier!r} of {name!r} has a different input or "
                f"different references than in {shown(files['a'])}; run both models on the same "
                "instances."
            )


def _values(path, metric, wanted):
    """Return identifiers, values of a metric, averaged over trials, and the split of a run."""
    by_split, known = defaultdict(list), set()
    for number, entry in enumerate(_entries(path), 1):
        place = f"{shown(path)}, entry {number}"
        for name, statistic in _statistics(place, entry):
            known.add(name["name"])
            if name["name"] == metric:
                row = (entry["instance_id"], entry.get("train_trial_index", 0))
                by_split[str(name.get("split"))].append((*row, _mean(place, metric, statistic)))
    if not by_split:
        near = checks.nearest(metric, known).strip("; .") or f"it has {_some(known)}"
        raise InputError(
            f"{shown(path)} has no metric {metric!r} ({near}); choose one with "
            f"{checks.named('metric')}."
        )
    split = wanted or (_MAIN["split"] if _MAIN["split"] in by_split else "")
    if not split and len(by_split) > 1:
        raise InputError(
            f"{shown(path)} has the splits {', '.join(sorted(by_split))}; choose one with "
            f"{checks.ways('filter', sorted(by_split))}."
        )
    split = split or next(iter(by_split))
    checks.choice(f"{shown(path)}: split", split, by_split)
    return *_averaged(path, by_split[split]), split


def _entries(path):
    """Return the entries of a file, one for each item and trial, those perturbed left out."""
    if path.name.endswith(".jsonl"):
        raise InputError(
            f"{shown(path)} is not a {_NAME} file; give the file that helm-run writes."
        )
    try:
        entries = parsed(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)} is not JSON, or is incomplete ({reason(error)}); recreate the file."
        ) from None
    aggregates.refuse(path, entries)
    if not (isinstance(entries, list) and entries):
        raise InputError(
            f"{shown(path)} has no entries, but needs one for each item; run the model again."
        )
    for number, entry in enumerate(entries, 1):
        identifier = entry.get("instance_id") if isinstance(entry, dict) else None
        if not (isinstance(identifier, str) and checks.is_unicode(identifier)):
            raise InputError(
                f"{shown(path)}, entry {number} has no text under 'instance_id', but every entry "
                f"of {_NAME} needs it; recreate the file."
            )
        if type(trial := entry.get("train_trial_index", 0)) is not int:
            raise InputError(
                f"{shown(path)}, entry {number}: 'train_trial_index' is {cut(trial)}, but it "
                "must be a whole number; recreate the file."
            )
    return [entry for entry in entries if entry.get("perturbation") is None]


def _statistics(place, entry):
    """Iterate over the names and statistics of an entry, those of perturbations left out."""
    statistics = entry.get("stats")
    if not isinstance(statistics, list):
        raise InputError(f"{place} has no list called 'stats'; recreate the file.")
    for statistic in statistics:
        name = statistic.get("name") if isinstance(statistic, dict) else None
        if not (isinstance(name, dict) and isinstance(name.get("name"), str)):
            raise InputError(
                f"{place} has the statistic {cut(statistic)}, but the 'name' of a statistic must "
                "be an object with the keys 'name' and 'split'; recreate the file."
            )
        if name.get("perturbation") is None:
            yield name, statistic


def _mean(place, metric, statistic):
    """Return the mean of a statistic, a finite number."""
    count, total = statistic.get("count"), statistic.get("sum")
    value = np.nan
    with contextlib.suppress(TypeError, ZeroDivisionError, OverflowError):
        value = total / count
    if not np.isfinite(value):
        raise InputError(
            f"{place}: {metric!r} has the sum {cut(total)} and the count {cut(count)}, so its mean "
            "is not a finite number; leave the item out for both systems, or choose another metric."
        )
    return float(value)


def _averaged(path, rows):
    """Return identifiers and the means of their values over train trials."""
    trials = defaultdict(dict)
    for identifier, trial, value in rows:
        if trial in trials[identifier]:
            raise InputError(
                f"{shown(path)}: item {identifier!r} occurs more than once in train trial "
                f"{trial}; keep one of its entries."
            )
        trials[identifier][trial] = value
    most = max(trials.values(), key=len)
    for identifier, values in trials.items():
        if values.keys() != most.keys():
            raise InputError(
                f"{shown(path)}: item {identifier!r} is in only {len(values)} of {len(most)} "
                "train trials; run all of them on the same items."
            )
    return list(trials), np.array([np.mean([*values.values()]) for values in trials.values()])


def _some(names):
    listed = sorted(names)
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "")


def _recognises(path):
    """Tell whether a path is called like what HELM writes, or is a folder that has one."""
    return path.name == _NAME or (path.is_dir() and next(below(path, _NAME), None) is not None)


FORMAT = Format(
    name="helm",
    title="HELM runs",
    instance="an item",
    read=_read,
    recognises=_recognises,
    system=_model,
    options=("metric", "filter", "missing"),
)
