"""Human scores of some items, which correct those of a judge."""

import numpy as np

from replicability import checks
from replicability.io import cells, delimited
from replicability.io.declared import OF_JUDGED

ABOUT = {
    "run": "runs",
    "size": "sizes",
    "gold": "gold labels or ratings",
    "unit": "units",
    "shared": "shared units",
    "metrics": "several metrics",
    "missing": "missing items",
}
"""Maps each key that cannot be combined with human scores to its subject."""


def check(place, block):
    """Refuse what contradicts human scores, and their test without them.

    Parameters
    ----------
    place : str
        What stands before a message.
    block : dict
        Keys of a comparison that are given.

    Raises
    ------
    InputError
        If a key has no meaning with human scores, or their test has none.
    """
    columns, test = block.get("columns", {}), block.get("test", "")
    if "human" not in columns:
        if test == OF_JUDGED:
            raise checks.InputError(
                f"{place}the test {test!r} corrects a judge's scores with human scores; specify "
                f"the column of human scores with {checks.named('human')}, or choose another test."
            )
        return
    for key, what in ABOUT.items():
        if key in columns or block.get(key):
            raise checks.InputError(
                f"{place}{checks.named('human')} is used to correct one judge score per item, and "
                f"cannot be combined with {what} ({checks.named(key)}); leave one of the two out."
            )
    if test not in ("", OF_JUDGED):
        raise checks.InputError(
            f"{place}the test {test!r} ignores the human scores "
            f"({checks.named('human')}); leave {checks.named('test')} out to use "
            f"{OF_JUDGED!r}."
        )


def scores(comparison, rows):
    """Read human scores of the items.

    `comparison`: its table has a row for each item and system. `rows` (sequence of ndarray of int,
    shape (n,)): rows of each system, in one order of the items.

    Returns ndarray of float64, shape (2, n), or None. NaN where a cell is empty; None if no column
    is named.

    Raises `InputError`: if a cell is no number.
    """
    if "human" not in comparison.columns:
        return None
    header = comparison.columns["human"]
    column = delimited.columns(comparison.file, {"human": header})["human"]
    found = cells.numbers(comparison.file, column, f"score by people in {header!r}", blank=True)
    return np.stack([found[of] for of in rows])
