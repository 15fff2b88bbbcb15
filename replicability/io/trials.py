"""Successes in trials: one pair of numbers for each system and task, which are not paired."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from replicability import checks
from replicability.checks import InputError
from replicability.io import aggregates, cells, delimited
from replicability.io.matching import ONE

NO_ITEMS = pa.array([], pa.string())
"""Empty identifiers of trials, which are not matched."""


@dataclass(frozen=True, eq=False)
class Counts:
    """The successes and trials of two systems on a task.

    Attributes
    ----------
    name : str
        Name of the task.
    a, b : ndarray of int, shape (2,)
        Successes and trials of each system.
    """

    name: str
    a: np.ndarray
    b: np.ndarray

    identifiers = NO_ITEMS

    def __len__(self):
        """Return the number of trials of both systems."""
        return int(self.a[1] + self.b[1])


def read(comparison):
    """Read the successes and trials of both systems on each task.

    `comparison`: its columns hold ``dataset``, ``successes`` and ``trials``: one of each with a
    column ``system``, or one for each system.

    Returns list of Counts. The tasks in the order of the file.

    Raises `InputError`: if a number is not whole, there are no trials, or more successes than
    trials; or a task is there twice for a system, or lacks one.
    """
    return [Counts(task, a, b) for task, a, b in read_cells(comparison)]


def read_cells(comparison):
    """Return each task with the successes and trials of each system, as `read` takes them."""
    found = {}
    for task, name, numbers, row in _cells(comparison):
        of = found.setdefault(task, {})
        if name in comparison.systems and name in of:
            raise InputError(
                f"{delimited.place(comparison.file, row)}: the task {task!r} occurs twice for "
                f"{name!r}; add up the successes and trials of both rows, or leave one of them "
                "out."
            )
        of[name] = numbers
    if "dataset" in comparison.columns:
        aggregates.refuse_average(comparison.file, list(found))
    for task in comparison.datasets:
        checks.choice(f"{comparison.source}: dataset", task, found)
    return [
        (task, *(_of(comparison, task, of, name) for name in comparison.systems))
        for task, of in found.items()
        if not comparison.datasets or task in comparison.datasets
    ]


def read_family(family):
    """Read the successes and trials of three or more systems on each task.

    `family` (study.Family): its columns are as `read` takes them.

    Returns list of str: the systems: those that are named, or all. list of (str, ndarray of int,
    shape (s, 2)): the tasks in the order of the file, with the successes and trials of each system.

    Raises `InputError`: as `read`.
    """
    systems = list(family.systems or np.atleast_1d(family.columns["successes"]).tolist())
    if not family.systems and "system" in family.columns:
        header = family.columns["system"]
        column = delimited.columns(family.file, {header: header})[header]
        systems = cells.identifiers(family.file, column, name="system").unique().to_pylist()
    found = read_cells(dataclasses.replace(family, systems=tuple(systems)))
    return systems, [(task, np.stack(list(of))) for task, *of in found]


def _of(comparison, task, of, name):
    """Return the successes and trials of a system on a task."""
    if name not in of:
        raise InputError(
            f"{comparison.source}: {name!r} has no trials on the task {task!r}; add them, or "
            f"select the tasks with {checks.named('datasets')}."
        )
    return of[name]


def _cells(comparison):
    """Yield task, system, successes with trials, and row, of each system after the other."""
    file, columns = comparison.file, comparison.columns
    right, tried = (np.atleast_1d(columns[key]).tolist() for key in ("successes", "trials"))
    tried = tried * (len(right) // len(tried))  # one column may be of both systems
    parts = np.atleast_1d(columns.get("dataset", [])).tolist()  # of which several are joined
    keys = {f"dataset {place}": header for place, header in enumerate(parts)}
    keys |= {"system": columns["system"]} if "system" in columns else {}
    pairs = [{"successes": of, "trials": n} for of, n in zip(right, tried, strict=True)]
    for place, pair in enumerate(pairs):
        table = delimited.columns(file, keys | pair)
        names = [
            cells.identifiers(file, table[key], name="dataset") for key in list(keys)[: len(parts)]
        ]
        tasks = (
            pc.binary_join_element_wise(*names, " / ").to_pylist() if names else [ONE] * len(table)
        )
        names = [comparison.systems[place]] * len(tasks)
        if "system" in keys:
            names = cells.identifiers(file, table["system"], name="system").to_pylist()
        numbers = np.stack([_whole(file, table[key], f"number of {key}") for key in pair], axis=1)
        for row, ((successes, trials), name) in enumerate(zip(numbers, names, strict=True)):
            if trials < 1 or successes > trials:
                raise InputError(
                    f"{delimited.place(file, row)}: {name!r} has {successes} successes in "
                    f"{trials} trial{'s' * bool(trials != 1)}, but there must be at least one "
                    "trial, and no more successes than trials; correct one of the numbers."
                )
            yield tasks[row], name, numbers[row], row


def _whole(file, column, name):
    """Return whole numbers of at least 0."""
    values = cells.numbers(file, column, name, blank=True)
    wrong = ~(values >= 0) | (values != np.rint(values))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{delimited.place(file, row)}: the {name} is {values[row]:g}, but it must be a whole "
            "number of at least 0; write counts, because shares and percentages do not give the "
            "number of trials."
        )
    return values.astype(np.int64)
