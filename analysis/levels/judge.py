"""Which cells hold the level, and which need care."""

import numpy as np

from analysis.levels.cells import KEYS
from analysis.levels.measure import ALPHA

ERRORS = 3
"""Standard errors that a share may exceed the level by."""

HOLDS, REFUSED, CARE, FAILS = VERDICTS = ("holds", "refused", "needs care", "fails")
"""Verdicts, the worst one last; of what needs care, the program says so."""


def judged(tallies):
    """Judge every cell.

    `tallies`: rows of `measure.tally`.

    Returns DataFrame. `KEYS` and ``repetitions``; the shares of them in which the call was
    ``refused``, the result was ``warned`` of, ``false``, false and ``unwarned``; the ``limit``,
    `ALPHA` and `ERRORS` standard errors of a share that is `ALPHA`; ``power``, the mean share of
    the datasets that the count of A reaches where the claim is true on all; and the ``verdict``:
    `REFUSED` if every call was, `HOLDS` if results are false no oftener than the limit, `CARE` if
    they are, but those without a warning are not, else `FAILS`.
    """
    found = tallies[[*KEYS, "repetitions"]].copy()
    for name in ("refused", "warned", "false", "unwarned", "missed"):
        found[name] = tallies[name] / tallies["repetitions"]
    found["limit"] = ALPHA + ERRORS * np.sqrt(ALPHA * (1 - ALPHA) / tallies["repetitions"])
    reached = tallies["count"] / tallies["repetitions"] / tallies["datasets"]
    found["power"] = reached.where(tallies["n_true"] == tallies["datasets"])
    conditions = [
        found["refused"] == 1,
        *(found[n] <= found["limit"] for n in ("false", "unwarned")),
    ]
    found["verdict"] = np.select(conditions, [REFUSED, HOLDS, CARE], FAILS)
    return found


def worst(cells):
    """Tabulate the worst cell of each population and number of items.

    `cells`: as `judged` returns them.

    Returns DataFrame of str. Populations as rows, numbers of items as columns: the largest share of
    false results, with the worst verdict where that is not `HOLDS`.
    """

    def shown(group):
        verdict = max(group["verdict"], key=VERDICTS.index)
        chosen = group[group["verdict"] == verdict]
        share = f"{chosen['false'].max():.3f}"
        return share if verdict == HOLDS else f"{share} {verdict}"

    keys = ["population", "items"]
    table = (
        cells.groupby(keys, sort=False)[["false", "verdict"]].apply(shown).unstack(fill_value="")
    )
    return table.reindex(cells["population"].unique())[sorted(table)]
