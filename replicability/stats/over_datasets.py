r"""Demšar's question: does A differ from B over the population that datasets are drawn from?

The datasets are the sample, and each gives one pair of numbers, the scores of A and of B. Two tests
of Demšar (2006) ask about the difference on a further dataset of the same population:

==================  =====================================  =======================================
test                null hypothesis                        estimate and interval
==================  =====================================  =======================================
Wilcoxon's          differences are symmetric around 0     Hodges and Lehmann's centre: the median
signed-rank test                                           of the means of all pairs of differences
sign test           A and B are ahead equally often        the median difference
==================  =====================================  =======================================

Both assume that the datasets are independent draws from the population; Wilcoxon's also that
differences are symmetric around their centre and that equal differences mean the same on all
datasets. Neither says anything of a single dataset, nor on how many A is better.

References
----------
Demšar (2006), Journal of Machine Learning Research 7, 1-30. Hodges and Lehmann (1963), Annals of
Mathematical Statistics 34, 598-611. Hollander, Wolfe and Chicken (2014), Nonparametric Statistical
Methods, Sections 3.3 and 3.6, for the intervals.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import paired
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.pairs import scored
from replicability.stats.paired.result import EXACT_RANKS


@dataclass(frozen=True)
class OverDatasets:
    """What n datasets say about the population that they are drawn from.

    Attributes
    ----------
    n : int
        Number of datasets.
    alternative : str
        "greater" or "two-sided".
    wilcoxon, sign_test : float
        p-values of both tests.
    how : str
        How the p-value of Wilcoxon's test is computed.
    smallest : float
        Smallest p-value that Wilcoxon's test, or the sign test, could give with n datasets.
    centre : float
        Hodges and Lehmann's estimate of the centre of the differences, A minus B.
    centre_interval : ConfidenceInterval
        Its limits, which belong to Wilcoxon's test; infinite where n datasets give none.
    median : float
        The median difference.
    median_interval : ConfidenceInterval
        Its limits, which belong to the sign test; infinite where n datasets give none.
    """

    n: int
    alternative: str
    wilcoxon: float
    sign_test: float
    how: str
    smallest: float
    centre: float
    centre_interval: ConfidenceInterval
    median: float
    median_interval: ConfidenceInterval


def over_datasets(a, b, *, alternative="two-sided", confidence_level=0.95):
    """Ask whether A differs from B over the population of datasets.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Score of each system on each of n datasets, a higher one being better.
    alternative : {"two-sided", "greater"}, default "two-sided"
        "greater" is "A is better".
    confidence_level : float, default 0.95
        Coverage of both intervals, in (0, 1).

    Returns
    -------
    OverDatasets

    Raises
    ------
    InputError
        If scores differ in number, are missing or infinite, there are fewer than two datasets, or
        the alternative or the level is unknown.

    Notes
    -----
    Valid if the datasets are independent draws from the population, with one number each, however
    many items that number is the mean of. Datasets that share items are not. For Wilcoxon's test
    and Hodges and Lehmann's centre, differences are also symmetric around the centre.

    Tests are `paired.wilcoxon`, exact with at most 50 differences other than zero, and
    `paired.sign_test`, exact. Intervals are closed, are two-sided whatever the alternative, and
    keep their coverage with ties, too. The one of the centre goes from the k-th smallest to the
    k-th largest mean of two differences, where k is the quantile of the signed-rank statistic,
    exact for n up to 50; the one of the median has order statistics by the binomial law.

    Examples
    --------
    >>> a, b = [90.7, 90.8, 91.9, 91.7, 96.6, 89.9], [90.2, 90.5, 90.9, 91.0, 96.2, 89.0]
    >>> found = over_datasets(a, b)
    >>> found.wilcoxon, found.sign_test, round(found.centre, 3)
    (0.03125, 0.03125, 0.65)
    """
    checks.choice("alternative", alternative, ("two-sided", "greater"))
    level = checks.confidence_level(confidence_level)
    pairs = scored("over_datasets", a, b, minimum=2)
    a, b = pairs.scores
    tested = paired.wilcoxon(a, b, alternative=alternative)
    signs = paired.sign_test(a, b, alternative=alternative)
    differences = np.sort(a - b)
    first, second = np.triu_indices(len(differences))
    means = np.sort((differences[first] + differences[second]) / 2)
    n = len(differences)
    return OverDatasets(
        n=n,
        alternative=alternative,
        wilcoxon=tested.pvalue,
        sign_test=signs.pvalue,
        how=tested.how,
        smallest=min(1.0, 2.0**-n * (2 if alternative == "two-sided" else 1)),
        centre=float(np.median(means)),
        centre_interval=_between(means, _rank_of_sums(n, 0.5 - level / 2), level),
        median=float(np.median(differences)),
        median_interval=_between(differences, _rank_of_signs(n, 0.5 - level / 2), level),
    )


def _between(ordered, rank, level):
    """Return the interval from the rank-th smallest to the rank-th largest value."""
    if not rank:
        return ConfidenceInterval(-math.inf, math.inf, level)
    return ConfidenceInterval(float(ordered[rank - 1]), float(ordered[-rank]), level)


def _rank_of_sums(n, tail):
    """Return the largest k for which P(signed-rank statistic of n <= k - 1) is at most tail."""
    most = n * (n + 1) // 2
    if n > EXACT_RANKS:
        deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(math.floor(most / 2 + special.ndtri(tail) * deviation), 0)
    ways = np.zeros(most + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    return int((np.cumsum(ways) <= tail * 2.0**n).sum())


def _rank_of_signs(n, tail):
    """Return the largest k for which P(binomial of n tosses <= k - 1) is at most tail."""
    return int((special.bdtr(np.arange(n), n, 0.5) <= tail).sum())
