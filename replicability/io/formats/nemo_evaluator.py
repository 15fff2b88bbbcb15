"""Results of NeMo Evaluator: ``results.jsonl`` with a record of each problem, and its repeats."""

import json
import re

import numpy as np
import pyarrow as pa

from replicability.checks import InputError
from replicability.io import datasets, matching, missing, runs
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.json_lines import cut, record
from replicability.io.text import below, existing, finite, read_first_line, read_text, shown

NAME = "results.jsonl"

SUMS = "results.yml"
"""What holds aggregates only."""

_UNSCORED = ("infra_error", "system")
"""Error categories of the machine or the judge; their reward of 0 is not a score."""

_BUNDLE = re.compile(r"eval-\d{8}T\d{6}Z?-(.+)\.json")
"""Matches the file that summarises a benchmark; the group is its name."""


def _read(comparison):
    """Read the reward of each problem of each benchmark."""
    found = {side: _benchmarks(path) for side, path in datasets.files(comparison)}
    found = datasets.together(comparison, found)
    return [_benchmark(comparison, name, files) for name, files in found.items()]


def _benchmarks(path):
    """Return the file of each benchmark of a system."""
    place = existing(path, folder=None)
    files = [place] if place.is_file() else sorted(below(place, NAME))
    if not files:
        sums = f" Its {SUMS} has only aggregates, from which no p-values can be computed." * _has(
            place, SUMS
        )
        raise InputError(
            f"{path} contains no {NAME}.{sums} Name the folder that `nel eval run` wrote, or the "
            "logs of the harness that it ran, such as samples_<task>.jsonl of "
            "lm-evaluation-harness."
        )
    found = {}
    for file in files:
        bundles = filter(None, (_BUNDLE.fullmatch(beside.name) for beside in file.parent.iterdir()))
        name = next((bundle[1] for bundle in sorted(bundles, key=lambda b: b[0])), "")
        within = "" if place.is_file() else file.parent.relative_to(place).as_posix()
        name = name or (within if within not in ("", ".") else "results")
        if name in found:
            raise InputError(
                f"{path} has two files with results of {name!r}, {shown(found[name])} and "
                f"{shown(file)}; keep one of them."
            )
        found[name] = file
    return found


def _benchmark(comparison, name, files):
    """Put the rewards of both systems beside each other, averaged over repeats."""
    lenient = comparison.missing != missing.REFUSE
    read = [_records(files[side], lenient) for side in "ab"]
    ids, by_run, values, answers = ([side[key] for side in read] for key in range(4))
    parts, lacked = missing.of_files(comparison, name, ids, values, by_run)
    sides = []
    for who, side, part in zip(comparison.systems, "ab", parts, strict=True):
        own = part.of(ids)
        mean = runs.named(
            name, who, shown(files[side]), own, part.runs, part.values, comparison=comparison
        )
        rows = pa.array(mean.rows)
        sides.append((own.take(rows), part.of(answers).take(rows), mean))
    (first, expected, a), (second, others, b) = sides
    who = zip(
        comparison.systems, (shown(files[side]) for side in "ab"), (first, second), strict=True
    )
    _, order = matching.match(name, list(who))
    for row, (one, two) in enumerate(
        zip(expected.to_pylist(), others.take(pa.array(order)).to_pylist(), strict=True)
    ):
        if one and two and one != two:
            raise InputError(
                f"{shown(files['b'])}: problem {first[row].as_py()} of {name!r} has the expected "
                f"answer {cut(two)}, but {cut(one)} in {shown(files['a'])}; run both models on "
                "the same version of the benchmark."
            )
    several = max(len(a.of_runs[name]), len(b.of_runs[name])) > 1
    return Dataset(
        name,
        first,
        a.scores,
        b.scores[order],
        runs=runs.together(name, a, b, at=(np.arange(len(order)), order)) if several else None,
        missing=lacked,
        gaps=runs.gaps(name, (a, b)),
        contents=expected,
    )


def _records(path, lenient):
    """Return identifiers, repeats, rewards and expected answers of the problems of a file."""
    rows = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        entry = record(path, number, line)
        problem, reward = entry.get("problem_idx"), entry.get("reward")
        if not isinstance(problem, int | str) or isinstance(problem, bool):
            raise InputError(
                f"{shown(path)}, line {number}: 'problem_idx' is {cut(problem)}, but it must be "
                "the number of a problem; recreate the file."
            )
        if failed := _failed(entry):
            reward = None
        value = None if isinstance(reward, str) else finite(reward)
        if value is None and not (lenient and reward is None):
            why = f"the run ended in an error ({cut(failed)}), so its reward is not a score"
            raise InputError(
                f"{shown(path)}, line {number}: "
                + (why if failed else f"'reward' is {cut(reward)}, but it must be a finite number")
                + "; run the problem again."
            )
        answer = entry.get("expected_answer")
        value = np.nan if value is None else value
        rows.append((str(problem), str(entry.get("repeat", 0)), value, answer))
    if not rows:
        raise InputError(f"{shown(path)} has no records; run the benchmark again.")
    ids, by_run, values, answers = zip(*rows, strict=True)
    _refuse_pooled(path, by_run)
    answers = [None if answer is None else str(answer) for answer in answers]
    return pa.array(ids), list(by_run), np.array(values), pa.array(answers, pa.string())


def _failed(entry):
    """Return the error by which a problem was not solved, or not judged; "" if there is none."""
    details = entry.get("scoring_details")
    details = details if isinstance(details, dict) else {}
    judge = details.get("judge")
    if isinstance(judge, dict) and judge.get("error"):
        return str(judge["error"])
    if details.get("error_category") in _UNSCORED:
        return str(details.get("error") or details["error_category"])
    return ""


def _refuse_pooled(file, by_run):
    """Refuse repeats that were numbered as problems, which a container's results may have."""
    for bundle in file.parent.glob("eval-*.json"):
        try:
            said = json.loads(read_text(bundle))["benchmark"]["repeats"]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(said, int) and said > 1 and len(set(by_run)) == 1:
            raise InputError(
                f"{bundle.name} says that each problem was run {said} times, but the records of "
                f"{shown(file)} have only one run each. The runs may have been numbered as if "
                "they were different problems; write 'problem_idx' and 'repeat' into each record."
            )


def _has(place, name):
    return place.is_dir() and next(below(place, name), None) is not None


def _recognises(path):
    """Tell whether a file begins with a record, or a folder has one at any depth."""
    file = next(below(path, NAME), None) if path.is_dir() else path
    if file is None:
        return _has(path, SUMS)
    if file.suffix != ".jsonl" or not file.is_file():
        return False
    try:
        first = read_first_line(file)
    except InputError:
        return False
    return '"problem_idx"' in first and '"reward"' in first


FORMAT = Format(
    name="nemo_evaluator",
    title="NeMo Evaluator results",
    instance="a problem",
    read=_read,
    recognises=_recognises,
    options=("missing",),
)
