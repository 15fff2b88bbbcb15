r"""On how many datasets two systems differ, and on how many each is better, in one statement.

Published p-values often do not say whom they are for. Read as p-values of "the systems are equal"
on each dataset, with the scores saying who is ahead, they bound three numbers at once: the datasets
on which the systems differ, those on which A is better, and those on which B is.

For independent datasets all three come from one closed testing procedure. Let T be the datasets on
which the systems are equal, or on which the one that is behind is better. Given who is ahead where,
the two-sided p-values of T are those of true null hypotheses, independent and uniform or larger:
so their intersection is rejected with probability alpha at most, and the bounds of closed testing
for all datasets, for those that A leads and for those that B leads hold together. "On at least d of
the datasets that A leads" the leader is better there, which is A.

For datasets that may depend on each other, Holm's procedure names datasets in each direction at
alpha / 2, and the systems differ where one is named.

References
----------
Finner (1999), Annals of Statistics 27(1), 274-289, for directions in closed testing. Goeman and
Solari (2011), Statistical Science 26(4), 584-597. Zhao, Small and Su (2019), Journal of the
American Statistical Association 114(527), 1291-1304, for p-values that are conditional.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicability import checks
from replicability.stats import arguments, closed_testing, local_tests, multiple_testing

SIDED = ("two", "leader", "one")
"""Whom p-values are for: neither system, the one with the higher score, or A."""


@dataclass(frozen=True)
class ThreeWay:
    """Lower bounds with simultaneous confidence 1 - alpha.

    Attributes
    ----------
    differ : int
        Number of datasets on which the systems differ, at least.
    a, b : int
        Numbers of datasets on which A is better, and B, at least.
    """

    differ: int
    a: int
    b: int


def of_equality(pvalues: ArrayLike, sided: str) -> NDArray[np.float64]:
    """Return p-values of "the systems are equal", 2 min(p, 1 - p) of a one-sided p.

    `pvalues` (array_like): p-values in [0, 1]. `sided` ({"two", "leader", "one"}): whom they are
    for.

    Returns ndarray. The p-values.

    Examples
    --------
    >>> of_equality([0.01, 0.9], "two"), of_equality([0.01, 0.9], "one").round(6)
    (array([0.01, 0.9 ]), array([0.02, 0.2 ]))
    """
    values = arguments.pvalues(pvalues)
    checks.choice("sided", sided, SIDED)
    if sided == "two":
        return values
    return np.minimum(1.0, 2 * (np.minimum(values, 1 - values) if sided == "one" else values))


def three_way(
    pvalues: ArrayLike,
    ahead: ArrayLike,
    alpha: float = 0.05,
    *,
    sided: str = "two",
    dependence: str = "dependent",
    method: str = "fisher",
) -> ThreeWay:
    """Bound the numbers of datasets on which two systems differ, and on which each is better.

    Parameters
    ----------
    pvalues : array_like, shape (n,)
        A p-value for each dataset.
    ahead : array_like, shape (n,)
        Difference of A's score and B's on each dataset, or its sign; 0 for a tie.
    alpha : float, default 0.05
        The three bounds hold together with confidence 1 - alpha; in (0, 1).
    sided : {"two", "leader", "one"}, default "two"
        Whom the p-values are for: neither system, the one that is ahead, or A. Those for A say
        themselves who is ahead: A where they are below 1/2.
    dependence : {"independent", "positive", "dependent"}, default "dependent"
        How the datasets depend on each other.
    method : str, default "fisher"
        Local test for independent datasets, one of `closed_testing.METHODS`.

    Returns
    -------
    ThreeWay
        The bounds; ``differ`` is never below ``a + b``.

    Raises
    ------
    InputError
        If an argument is not as described.

    Notes
    -----
    Valid for independent datasets if each p-value is, where the systems are equal, uniform or
    larger whoever is ahead, and no smaller where the system that is behind is better. That holds
    for tests of the scores themselves whose statistic is symmetric if the systems are equal, such
    as t-tests, sign flips and McNemar's test. For tests of ranks it needs the assumption that the
    p-value favours the system with the higher score. Otherwise valid under any dependence.
    Of datasets that tie it is only counted whether the systems differ.

    Examples
    --------
    >>> three_way([0.001, 0.002, 0.3], [2.0, -1.5, 0.1])
    ThreeWay(differ=2, a=1, b=1)
    >>> three_way([0.04] * 5, [1, 1, 1, -1, -1], dependence="independent")
    ThreeWay(differ=5, a=3, b=2)
    """
    values = arguments.pvalues(pvalues)
    level = checks.alpha(alpha)
    checks.choice("dependence", dependence, local_tests.DEPENDENCE)
    equal = of_equality(values, sided)
    signs = _signs(values, ahead, sided)
    leads = [signs > 0, signs < 0]
    if dependence == "independent":
        checks.choice("method", method, closed_testing.METHODS)
        a, b = (
            int(closed_testing.bound(equal, lead, level, method)) if lead.any() else 0
            for lead in leads
        )
        differ = int(closed_testing.bound(equal, None, level, method))
    else:
        a, b = (
            int(
                multiple_testing.identify(np.where(lead, equal / 2, 1 - equal / 2), level / 2).sum()
            )
            for lead in leads
        )
        differ = 0
    return ThreeWay(max(differ, a + b), a, b)


def _signs(values: NDArray[np.float64], ahead: Any, sided: str) -> NDArray[np.float64]:
    """Return who is ahead on each dataset, 1, 0 or -1."""
    differences = np.asarray(ahead, dtype=float)
    if differences.shape != values.shape or values.ndim != 1 or np.isnan(differences).any():
        raise checks.InputError(
            f"pvalues has the shape {values.shape} and ahead has the shape {differences.shape}; "
            "for each dataset, pass a p-value and a score difference that is not NaN."
        )
    return np.sign(0.5 - values) if sided == "one" else np.sign(differences)
