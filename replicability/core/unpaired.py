"""From successes in trials to one p-value per task: nothing is paired."""

import numpy as np
import pandas as pd
from scipy import special

from replicability.core import claimed, procedure, roles
from replicability.core.gates import placed
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.stats import margins

WHY = (
    "The trials of the two systems are unpaired. Each dataset is therefore tested with {test}, "
    "which is valid if trials are independent within and between systems."
)
"""Why the test was used."""


def evaluate(comparison, tasks, *, both=True):
    """Return the p-values of a comparison of successes in trials.

    `comparison`: what is asked. `tasks` (sequence of trials.Counts): as they were read. `both`:
    whether a claim with a margin is also tested in the other direction.

    Returns Tested. A row for each task, as `evaluation.evaluate` describes it; ``n`` is the number
    of trials of both systems, and there are no wins, ties and losses.

    Raises `InputError`: if names of tasks look alike, or a procedure, direction or margin has no
    meaning.
    """
    from replicability.stats import unpaired  # which no other comparison needs

    names = [task.name for task in tasks]
    pvalues.refuse_alike(comparison.source, names)
    x, n, y, m = np.array([[*task.a, *task.b] for task in tasks]).T
    with placed(comparison):
        tests = claimed.hypotheses(comparison, None, names)
        found = [_tested(unpaired, task, tests[task.name], both) for task in tasks]
    p_value, p_reverse, how = zip(*found, strict=True)
    interval = unpaired.newcombe(x, n, y, m)
    table = pd.DataFrame(
        {
            "dataset": names,
            "p_value": p_value,
            "p_reverse": p_reverse,
            "score_a": x / n,
            "score_b": y / m,
            "difference": x / n - y / m,
            "low": interval.low,
            "high": interval.high,
            "standard_error": (interval.high - interval.low) / 2 / special.ndtri(0.975),
            "n": n + m,
            "how": how,
        }
    )
    if comparison.claim == "equivalent" or not both:
        del table["p_reverse"]
    if comparison.claim != "equivalent" and not comparison.two_sided:
        table["at_least"] = unpaired.newcombe(x, n, y, m, confidence_level=0.9).low
    title = unpaired.TITLE
    if comparison.claim != "better":
        title = unpaired.OF_MARGINS
        table["margin"] = [claimed.columns(comparison, name)["margin"] for name in names]
    read = roles.of_scores(comparison, comparison.systems, tasks)
    with placed(comparison):
        found = Tested(table, why=WHY.format(test=title), read=read)
        procedure.check(comparison, found)
    return found


def _tested(unpaired, task, tests, both):
    """Return the p-value of a claim about a task, that of its reverse, and how they were made."""
    if not any(margin for _, margin in tests):
        (p_value,), (p_reverse,), (how,) = unpaired.boschloo(*([of] for of in (*task.a, *task.b)))
        return p_value, p_reverse, how
    found = []
    for way in (tests, margins.turned(tests)) if both else (tests,):
        sides = [
            (*task.a, *task.b, margin) if side == "greater" else (*task.b, *task.a, -margin)
            for side, margin in way
        ]
        each = [unpaired.beyond(*numbers, margin=margin) for *numbers, margin in sides]
        found.append(max(p for p, _ in each))
    return found[0], found[-1], each[0][1][0]
