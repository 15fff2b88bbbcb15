"""Scores that come with the package, for a first comparison anywhere."""

from importlib import resources

import pandas as pd

from replicability.api.keywords import public

EXAMPLE = "cli/example/wide/scores.csv"
"""The table, below the package."""


@public
def example() -> pd.DataFrame:
    """Return a table of scores to try the library with.

    Returns
    -------
    DataFrame
        A row for each of 60 items of three datasets, with the columns ``dataset``, ``instance``,
        ``ours`` and ``baseline``; 1 is a right answer, 0 a wrong one. The answers are made up.

    Examples
    --------
    >>> import replicability as rep
    >>> print(rep.compare(rep.example(), a="ours", b="baseline", dependence="independent").k)
    1
    """
    with resources.as_file(resources.files("replicability") / EXAMPLE) as file:
        return pd.read_csv(file)
