"""From successes in trials to one p-value per task: nothing is paired."""

import numpy as np
import pandas as pd
from scipy import special

from replicability.core import procedure, roles
from replicability.core.gates import placed
from replicability.core.tested import Tested
from replicability.io import pvalues

WHY = (
    "Trials of the systems are unpaired, so that each task is tested by {test}, which is valid if "
    "trials are independent, within and between systems."
)
"""Why the test was used."""


def evaluate(comparison, tasks):
    """Return the p-values of a comparison of successes in trials.

    Parameters
    ----------
    comparison : study.Comparison
        What is asked.
    tasks : sequence of trials.Counts
        As they were read.

    Returns
    -------
    Tested
        A row for each task, as `evaluation.evaluate` describes it; ``n`` is the number of trials of
        both systems, and there are no wins, ties and losses.

    Raises
    ------
    InputError
        If names of tasks look alike, or a procedure or direction has no meaning.
    """
    from replicability.stats import unpaired  # which no other comparison needs

    pvalues.refuse_alike(comparison.source, [task.name for task in tasks])
    x, n, y, m = np.array([[*task.a, *task.b] for task in tasks]).T
    p_value, p_reverse, how = unpaired.boschloo(x, n, y, m)
    interval = unpaired.newcombe(x, n, y, m)
    table = pd.DataFrame(
        {
            "dataset": [task.name for task in tasks],
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
    if not comparison.two_sided:
        table["at_least"] = unpaired.newcombe(x, n, y, m, confidence_level=0.9).low
    read = roles.of_scores(comparison, comparison.systems, tasks)
    with placed(comparison):
        found = Tested(table, why=WHY.format(test=unpaired.TITLE), read=read)
        procedure.check(comparison, found)
    return found
