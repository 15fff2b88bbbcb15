"""Estimators of the number of datasets on which A is better: the local tests that count, and one.

The methods, their conditions and their equations are in `partial_conjunction`, which calls them.
"""

import numpy as np

from replicability.stats import local_tests
from replicability.stats.local_tests import DEPENDENCE

__all__ = ["DEPENDENCE", "ESTIMATORS", "METHODS"]


def _count_single(values, alpha):
    return np.count_nonzero(values <= alpha, axis=-1)


_COUNT = local_tests.Estimator(
    name="count",
    title="count of p ≤ α",
    colour="#D55E00",
    marker="s",
    count=_count_single,
    printed=True,
)

ESTIMATORS: dict[str, local_tests.Estimator] = {
    "count": _COUNT,
    **{name: test for name, test in local_tests.load().items() if test.count},
}
"""Maps a name to an estimator of the number of datasets, the naive count first."""

METHODS = tuple(name for name, estimator in ESTIMATORS.items() if estimator.combine)
"""Names of the combination methods."""
