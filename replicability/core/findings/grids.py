"""What datasets by metrics show, in English."""

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.claimed import BETTER
from replicability.core.findings.wording import (
    LISTED,
    MOST_NAMES,
    at_least,
    of_group,
    on_any,
)


def sentences(sides, alpha, method, groups=None, claim=BETTER):
    """Write what is shown by every metric, by some, by each, and where metrics contradict.

    Parameters
    ----------
    sides : sequence of grid.Side
        For A, and for B if both directions are tested.
    alpha : float
        Level of all that is said.
    method : str
        Local test.
    groups : dict of str to sequence of str, optional
        Groups of datasets.
    claim : claimed.Claim, optional
        What is claimed.

    Returns
    -------
    list of str
        The last one is the guarantee.
    """
    said = []
    for side in sides:
        if side.some():
            said += _of_side(side, claim)
            said += _of_groups(side, groups) if groups else []
    n, m = len(sides[0].datasets), len(sides[0].metrics)
    a, b = sides[0].systems
    if not said:
        shown = claim.shown(a, b)
        either = f"{a} and {b} differ" if len(sides) > 1 and claim.kind == "better" else shown
        said.append(f"There is no evidence that {either} on {on_any(n)} by any of the {m} metrics.")
    if len(sides) > 1 and claim.kind == "better":
        said += _contradicting(sides)
    both = "both directions; " if len(sides) > 1 else ""
    title = TITLES.get(method) or procedure.TITLES[method]
    said.append(
        "These statements, and all others about the grid, have simultaneous "
        f"{round(100 * (1 - alpha), 9):g}% confidence (closed testing of {n * m:,} cells, {title}; "
        f"{both}{assumed(method)})."
    )
    return said


TITLES = {"max_t": "step-down max-T by joint sign flips"}
"""Maps the local test of a grid to its name, where `procedure.TITLES` has another."""


def assumed(method):
    """Say what a local test of a grid assumes of the dependence between its cells."""
    return {
        "bonferroni": "valid under any dependence between datasets and metrics",
        "simes": "valid if datasets and metrics are positively dependent",
    }.get(method, "the dependence between datasets and metrics is measured from their units")


def _of_side(side, claim):
    """Say what is shown of one system: by every metric and by some, then by each."""
    n, m = len(side.datasets), len(side.metrics)
    every, some = side.every(), side.some()
    shown = claim.shown(*side.systems)
    metrics = "both metrics" if m == 2 else f"all {m} metrics"
    if every:
        yield f"{shown} by {metrics} on {at_least(every, n)}, and by at least one metric on " + (
            f"{at_least(some, n)}."
        )
    else:
        yield (
            f"{shown} by at least one metric on {at_least(some, n)}; there is no evidence that "
            f"{shown} by {metrics} on any dataset."
        )
    counts = [(metric, side.by(metric)) for metric in side.metrics]
    listed = [f"by {name} on {at_least(k, n)}" for name, k in counts if k]
    none = [name for name, k in counts if not k]
    if listed:
        less = "; there is no evidence that it is better by " if none else ""
        yield f"{side.systems[0]} is better {enumerated(listed)}{less}{' or '.join(none)}."
    else:
        yield f"The evidence does not show by which metric {side.systems[0]} is better."


def _of_groups(side, groups):
    """Say on how many datasets of each group a system is better, by every metric and by some."""
    each = []
    for name, of in groups.items():
        bounds = (side.every(of), "every metric"), (side.some(of), "at least one metric")
        shown = [f"{of_group(k, len(of))} by {what}" for k, what in bounds if k]
        each += [f"{name} {', '.join(shown)}"] if shown else []
    return [f"By group, {side.systems[0]}: {'; '.join(each)}."] if each else []


def contradicting(sides):
    """Return the datasets on which A is significantly better by a metric, and B by another.

    `sides` (sequence of grid.Side): for A and for B.

    Returns list of str. None if only one direction is tested.
    """
    if len(sides) < 2:
        return []
    both = sides[0].named.any(axis=1) & sides[1].named.any(axis=1)
    return list(both.index[both])


def _contradicting(sides):
    """Say where metrics contradict each other."""
    found, n = contradicting(sides), len(sides[0].datasets)
    if not found:
        return
    where = f", namely {enumerated(found)}" if len(found) <= MOST_NAMES else f", {LISTED}"
    a, b = sides[0].systems
    yield (
        f"Metrics contradict each other on {at_least(len(found), n)}{where}: {a} is significantly "
        f"better by one metric, and {b} by another."
    )


def heading(sides):
    """Say in a few words what is found, as a title."""
    n, (a, b) = len(sides[0].datasets), sides[0].systems
    found = contradicting(sides)
    if found:
        return f"Metrics disagree about {a} and {b} on {at_least(len(found), n)}"
    shown = [side for side in sides if side.some()]
    if not shown:
        return f"No metric shows a difference between {a} and {b}"
    side = max(shown, key=lambda one: (one.every(), one.some()))
    by, k = ("every", side.every()) if side.every() else ("at least one", side.some())
    return f"{side.systems[0]} is better than {side.systems[1]} by {by} metric on {at_least(k, n)}"


def bar(sides):
    """Return the three questions at the top of a page, with their answers.

    Returns list of dict. ``question``, ``answers`` and ``note``.
    """
    n = len(sides[0].datasets)

    def answers(count):
        counted = [(side.systems[0], count(side)) for side in sides]
        return [f"{name}: {of_group(k, n)}" for name, k in counted if k] or ["no evidence"]

    questions = [
        ("Better by every metric", answers(lambda side: side.every())),
        ("Better by at least one metric", answers(lambda side: side.some())),
    ]
    if len(sides) > 1:
        found = contradicting(sides)
        questions.append(
            (
                "Metrics contradict each other",
                [of_group(len(found), n)] if found else ["no evidence"],
            )
        )
    return [{"question": of, "answers": given, "note": ""} for of, given in questions]


def misreadings(sides):
    """Return sentences that do not follow, and why.

    Returns list of dict. ``sentence`` and ``why``.
    """
    (a, b), n, m = sides[0].systems, len(sides[0].datasets), len(sides[0].metrics)
    marked = int(sides[0].named.to_numpy().sum())
    return [
        {
            "sentence": f"{a} is better than {b} in {marked:,} of {n * m:,} tests.",
            "why": "The metrics score the same outputs, so these tests are not independent "
            "evidence. Count the datasets instead.",
        },
        {
            "sentence": f"Averaged over metrics, {a} is better.",
            "why": "Metrics have different scales, and their average was not tested.",
        },
        {
            "sentence": "According to the other metrics, the systems are equal.",
            "why": "Differences may exist in unmarked cells, although they were not detected.",
        },
    ]


def how_to_read(sides):
    """Say how the figure of the cells is read."""
    a, b = sides[0].systems
    who = f"{a} or {b}" if len(sides) > 1 else a
    return (
        f"A cell is coloured if {who} is significantly better on its dataset by its metric. "
        f"Numbers are differences in favour of {a}, each on the scale of its metric. The "
        "confidence is simultaneous for all cells."
    )
