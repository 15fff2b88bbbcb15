"""What lm-evaluation-harness says about a run in ``results_<time>.json``, next to its logs."""

from dataclasses import dataclass, field
from pathlib import Path

from replicability import checks
from replicability.checks import InputError
from replicability.io.json_lines import parsed, reason
from replicability.io.text import below, read_text, shown


@dataclass(frozen=True)
class Results:
    """What is said of groups of tasks, metrics and the model.

    Attributes
    ----------
    groups : dict of str to set of str
        Group -> its tasks, also those of its subgroups.
    lower : set of (str, str)
        Tasks and those of their metrics of which a lower value is better.
    model : str
        The model; "" if it is not said, or there are several.
    shots : dict of str to set of str
        Task -> the numbers of examples in its prompts.
    """

    groups: dict = field(default_factory=dict)
    lower: set = field(default_factory=set)
    model: str = ""
    shots: dict = field(default_factory=dict)

    def of(self, task):
        """Return the groups of a task, the smallest first."""
        found = [name for name, tasks in self.groups.items() if task in tasks]
        return tuple(sorted(found, key=lambda name: (len(self.groups[name]), name)))

    def refuse_lower(self, place, task, metric):
        """Refuse a metric of which the results say that a lower value is better."""
        if (task, metric) in self.lower:
            raise InputError(
                f"{place}: a lower value of {metric!r} is better, according to the results file "
                f"next to it; declare this with {checks.given('higher_is_better', 'False')}, or "
                "choose another metric."
            )


def read(places):
    """Read the results next to the logs of systems.

    `places` (sequence of Path): folders with logs at any depth, or single logs.

    Returns Results. Empty if there are none.

    Raises `InputError`: if a file of that name is not JSON.
    """
    subtasks, lower, models, shots = {}, set(), set(), {}
    for place in map(Path, places):
        name = "results_*.json"
        found = below(place, name) if place.is_dir() else place.parent.glob(name)
        for path in sorted(found):
            content = _content(path)
            for name, inside in _mapping(content.get("group_subtasks")).items():
                subtasks.setdefault(name, set()).update(inside if isinstance(inside, list) else ())
            for task, metrics in _mapping(content.get("higher_is_better")).items():
                lower |= {(task, m) for m, higher in _mapping(metrics).items() if higher is False}
            for task, number in _mapping(content.get("n-shot")).items():
                shots.setdefault(task, set()).add(str(number))
            models.add(str(content.get("model_name") or ""))
    groups = {name: _leaves(name, subtasks, set()) for name in subtasks if subtasks[name]}
    return Results(groups, lower, models.pop() if len(models) == 1 else "", shots)


def _content(path):
    """Return the content of a file of results."""
    try:
        return _mapping(parsed(read_text(path)))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{shown(path)} is not JSON, or is incomplete ({reason(error)}), but it is named like "
            "a results file of lm-evaluation-harness; recreate the file, or move it elsewhere."
        ) from None


def _mapping(value):
    return value if isinstance(value, dict) else {}


def _leaves(name, subtasks, seen):
    """Return the tasks of a group, through all subgroups."""
    inside = {str(x) for x in subtasks.get(name, ())} - seen
    if not inside:
        return {name}
    return set().union(*(_leaves(x, subtasks, seen | {name, x}) for x in inside))
