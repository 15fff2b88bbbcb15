"""From the scores of unpaired runs to one p-value per dataset, for a claim about new runs."""

import pandas as pd

from replicability.core import claimed, procedure, roles
from replicability.core.gates import placed
from replicability.core.tested import Tested
from replicability.io import pvalues
from replicability.stats import margins

WHY = (
    "The runs of the two systems are unpaired, so each dataset is tested with {test}, or with "
    "Welch's t-test if there are many runs. The claim covers new runs on these items."
)
"""Why the test was used."""


def evaluate(comparison, datasets):
    """Return the p-values of a claim about new runs.

    `comparison`: what is asked. `datasets` (sequence of instances.Dataset): with the score of each
    run.

    Returns Tested. A row for each dataset, as `evaluation.evaluate` describes it; ``n`` is the
    number of runs of both systems, and there are no wins, ties and losses.

    Raises `InputError`: if names of datasets look alike, a system has a single run, an item lacks a
    run, or a procedure or margin has no meaning.
    """
    names = [dataset.name for dataset in datasets]
    pvalues.refuse_alike(comparison.source, names)
    with placed(comparison):
        tests = claimed.hypotheses(comparison, None, names)
    rows = []
    for dataset in datasets:
        with placed(comparison, dataset.name):
            rows.append(_row(comparison, dataset, tests[dataset.name]))
    lower = comparison.higher_is_better is False
    read = roles.of_scores(comparison, comparison.systems, datasets)
    from replicability.stats import two_samples  # which no other comparison needs

    found = Tested(
        pd.DataFrame(rows),
        why=WHY.format(test=two_samples.TITLE),
        turned=0.0 if lower else None,
        read=read,
        covers=comparison.claim_covers,
    )
    with placed(comparison):
        procedure.check(comparison, found)
    return found


def _row(comparison, dataset, tests):
    """Test the claim on one dataset, in both directions."""
    from replicability.stats import two_samples

    sign = -1 if comparison.higher_is_better is False else 1
    a, b = sign * dataset.runs.a, sign * dataset.runs.b
    scale = 100 if comparison.per_cent else 1
    limits, error = two_samples.interval(a, b)
    p_value, how = _pvalue(two_samples, a, b, tests)
    row = {"dataset": dataset.name, "p_value": p_value}
    if comparison.claim != "equivalent":
        row["p_reverse"], _ = _pvalue(two_samples, a, b, margins.turned(tests))
    row |= {"score_a": scale * float(a.mean()), "score_b": scale * float(b.mean())}
    row |= {"difference": row["score_a"] - row["score_b"]}
    row |= {"low": scale * limits.low, "high": scale * limits.high}
    if not comparison.two_sided and comparison.claim != "equivalent":
        row["at_least"] = scale * two_samples.interval(a, b, 0.9)[0].low
    row |= {"standard_error": scale * error, "n": len(a) + len(b)}
    row |= {"floor": two_samples.floor(len(a), len(b)), "how": how}
    return row | claimed.columns(comparison, dataset.name)


def _pvalue(two_samples, a, b, tests):
    """Return the p-value of a claim, and how it was made."""
    found = []
    for side, margin in tests:
        p_value, p_reverse, how = two_samples.pvalues(a, b, margin)
        found.append((p_value if side == "greater" else p_reverse, how))
    return max(found)
