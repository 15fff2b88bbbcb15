"""What the notebooks on a task share: what is found in a section, and who is ahead in it."""

import pandas as pd

from replicability.compare import findings


def found(comparisons, results, alphas):
    """Say what is found about each comparison at each level.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Those of a section.
    results : sequence of DataFrame
        As `evaluation.evaluate` returns them, in the same order.
    alphas : sequence of float
        Levels, in (0, 1).

    Returns
    -------
    list of Finding
        The levels of the first comparison, then those of the next.
    """
    pairs = zip(comparisons, results, strict=True)
    return [findings.find(*pair, alpha) for pair in pairs for alpha in alphas]


def ahead(comparisons, results):
    """Count the datasets on which the scores favour each system, without any test.

    Parameters
    ----------
    comparisons, results
        As for `found`; the results have scores.

    Returns
    -------
    DataFrame
        One row per comparison: ``comparison``, ``A ahead``, ``equal``, ``B ahead``.
    """
    rows = []
    for comparison, table in zip(comparisons, results, strict=True):
        wins = findings.wins(table)
        rows.append((comparison.title, wins["A"], wins["tie"], wins["B"]))
    return pd.DataFrame(rows, columns=["comparison", "A ahead", "equal", "B ahead"])
