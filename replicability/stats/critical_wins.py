r"""How many discordant items A has to win: critical numbers of wins, and their probability.

Of N items d are discordant: exactly one of both systems is right. A test that looks at wins and
losses alone rejects at the level alpha with at least c(d; alpha) wins of d.
"""

import math

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.paired.binary import mcnemar_pvalues

SPREAD = 9.0
"""Standard deviations beyond which binomial probabilities, below 1e-16 in total, are omitted."""


def critical_wins(discordant_instances, alpha=0.05):
    """Least number of wins at which McNemar's exact one-sided test rejects, elementwise.

    `discordant_instances` (array_like of int): d, the items that one of both systems wins, 0 or
    more. `alpha` (array_like of float): level, in (0, 1).

    Returns ndarray of int64 or int. The least number of wins whose p-value is at most alpha; d + 1
    if there is none.

    Examples
    --------
    >>> critical_wins([4, 5, 20]).tolist()
    [5, 5, 15]
    """
    d, at = arguments.together(
        discordant_instances=arguments.counts("discordant_instances", discordant_instances),
        alpha=levels(alpha),
    )
    wins = np.ceil(d / 2 - special.ndtri(at) * np.sqrt(d) / 2 + 0.5).astype(np.int64)
    wins = np.clip(wins, 0, d + 1)
    while (low := (wins <= d) & ~_rejected(wins, d, at)).any():
        wins = wins + low
    while (high := (wins > 0) & _rejected(wins - 1, d, at)).any():
        wins = wins - high
    return wins if wins.ndim else int(wins)


def least_wins(n_datasets=1, alpha=0.05):
    r"""Fewest items, all won, without which no dataset can be shown: :math:`\log_2(n/\alpha)`.

    `n_datasets`: datasets that are counted together by Bonferroni's method. `alpha`: level, in (0,
    1).

    Returns int. The least d for which :math:`2^{-d} \le \alpha/n`: the p-value of d items won and
    none lost, by the exact McNemar, sign and sign-flip tests.

    Examples
    --------
    >>> least_wins(10), least_wins(20), least_wins(57)
    (8, 9, 11)
    """
    n = checks.at_least("n_datasets", n_datasets)
    level = checks.alpha(alpha) / n
    d = max(1, math.ceil(-math.log2(level)) - 1)
    while 0.5**d > level:
        d += 1
    return d


def least_count(rejects, most):
    """Least count from 0 on at which a test rejects, elementwise, by bisection.

    `rejects`: from counts to whether the test rejects; once it does, it does for all larger counts.
    `most` (ndarray of int64): largest counts.

    Returns ndarray of int64. The counts; `most` + 1 where the test never rejects.

    Examples
    --------
    >>> least_count(lambda wins: wins >= 7, np.array([5, 10])).tolist()
    [6, 7]
    """
    low, high = np.zeros_like(most), most + 1
    while (open_ := low < high).any():
        middle = np.minimum((low + high) // 2, most)
        shown = rejects(middle)
        high = np.where(open_ & shown, middle, high)
        low = np.where(open_ & ~shown, middle + 1, low)
    return high


def numbers_of_discordant(n, share):
    """Return likely numbers of discordant items of one dataset, and their probabilities.

    `n`: items. `share`: share of them that is discordant, in (0, 1].

    Returns (ndarray of int64, ndarray of float64). Successive numbers, and their binomial
    probabilities; those left out have less than 1e-16.
    """
    middle, spread = n * share, SPREAD * math.sqrt(n * share * (1 - share)) + 40
    d = np.arange(max(0, math.floor(middle - spread)), min(n, math.ceil(middle + spread)) + 1)
    log_binomial = special.gammaln(n + 1) - special.gammaln(d + 1) - special.gammaln(n - d + 1)
    return d, np.exp(log_binomial + special.xlogy(d, share) + special.xlog1py(n - d, -share))


def at_least_wins(wins, d, theta):
    """Probability of so many wins or more of d discordant items, elementwise.

    `wins`, `d` (ndarray of int64): numbers; none is enough where `wins` is larger than `d`.
    `theta`: probability that A wins one of them.

    Returns ndarray of float64. Binomial tails.
    """
    possible, some = wins <= d, wins > 0
    asked = np.where(possible & some, wins, 1)
    tails = special.betainc(asked, np.where(possible & some, d - wins, 0) + 1, theta)
    return np.where(possible, np.where(some, tails, 1.0), 0.0)


def winning(discordant, gain):
    """Return the probability that A wins a discordant item, from shares of all items."""
    return np.clip((discordant + gain) / (2 * discordant), 0.0, 1.0)


def levels(alpha):
    """Return levels of significance, each strictly between 0 and 1.

    `alpha` (array_like of float): the levels.

    Returns ndarray of float64 or float64. The levels.

    Raises `InputError`: if one is not in (0, 1).
    """
    if np.ndim(alpha) == 0:
        return np.float64(checks.alpha(alpha))
    given = arguments.numbers("alpha", alpha)
    index = checks.first_true(~((given > 0) & (given < 1)))
    if index is not None:
        checks.alpha(float(given[index]))
    return given


def _rejected(wins, d, at):
    """Whether so many wins of d, which may be one too many, have a p-value of at most the level."""
    return mcnemar_pvalues(np.minimum(wins, d), d - np.minimum(wins, d)) <= at
