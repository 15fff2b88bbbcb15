"""The exact unconditional test: the difference of two paired proportions against a margin."""

import functools
import math
from dataclasses import replace

import numpy as np
from scipy import special

from replicability.stats import arguments
from replicability.stats.paired.entry import Test
from replicability.stats.paired.proportions import loss_probability, tango_counts, tango_statistics
from replicability.stats.paired.regions import Region, largest, largest_between
from replicability.stats.paired.result import from_outcomes, less_margin

MOST_RANKED = 300
"""Maximum number of items whose outcomes are ordered by estimated p-values."""

GAMMA = 1e-6
"""Error of the interval of the nuisance parameter, which is added to the p-value."""

_KNOTS = 33  # values of the nuisance parameter between which estimated p-values are interpolated
_OPPOSITE = {"greater": "less", "less": "greater"}


def exact_unconditional(a, b, *, margin=0.0, alternative="greater", confidence_level=0.95):
    r"""Test the difference of two accuracies against a margin, exactly.

    Parameters
    ----------
    a, b : array_like of bool or {0, 1}, shape (n,)
        Whether each system is right on each item.
    margin : float, default 0.0
        Difference of the accuracies, A minus B, that the null hypothesis allows; in (-1, 1).
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A is better by more than the margin", and with a negative one "A is not worse
        by as much".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    Result
        The statistic is the signed root of the likelihood ratio, r. The interval is Tango's, which
        is asymptotic and may disagree with the p-value. A two-sided p-value is twice that of the
        direction in which the difference exceeds the margin.

    Raises
    ------
    InputError
        If scores differ in length or are not 0 or 1, a name is unknown, the margin is not in
        (-1, 1) or the level not in (0, 1).

    Notes
    -----
    Valid for independent items, however few: under the null hypothesis the p-value is at most
    alpha with a probability of at most alpha, for every alpha.

    With w wins, l losses and t ties of A on n items, and :math:`\tilde p` the probabilities of
    largest likelihood under a difference of exactly the margin m,

    .. math:: r = \mathrm{sign}(w - l - nm) \sqrt{2 (w \log \frac{w}{n \tilde p_w}
        + l \log \frac{l}{n \tilde p_l} + t \log \frac{t}{n \tilde p_t})}.

    Its distribution depends on a nuisance parameter, the probability q of a loss. Up to
    `MOST_RANKED` items, each outcome has an estimated p-value: the probability of an r as large
    under its own q of largest likelihood. The p-value is the largest probability, over all q, of an
    estimated p-value as small (Lloyd and Moldovan 2008, Statistics in Medicine 27, 3540-3549). With
    more items, it is that of an r as large, for q in its Clopper-Pearson interval of confidence
    1 - `GAMMA`, plus `GAMMA` (Berger and Boos 1994, Journal of the American Statistical Association
    89, 1012-1016).

    It is enough to consider differences of exactly the margin: r grows with w and falls with l, as
    the derivatives of its square show, and to the outcomes with as small an estimated p-value those
    with more wins and fewer losses are added, if any is missing. A p-value need not grow with the
    margin, but nearly does.

    Examples
    --------
    >>> a, b = [1] * 90 + [0] * 10, [0] * 4 + [1] * 96
    >>> round(exact_unconditional(a, b, margin=-0.15).pvalue, 4)
    0.0148
    """
    options = {"alternative": alternative, "confidence_level": confidence_level}
    return from_outcomes(
        "exact_unconditional", exact_unconditional_counts, a, b, margin=margin, **options
    )


def exact_unconditional_counts(
    wins, losses, n, *, margin=0.0, alternative="greater", confidence_level=0.95
):
    """Test the difference of two accuracies against a margin, from the discordant items.

    Parameters
    ----------
    wins, losses : int
        Items on which only A is right, and on which only B is.
    n : int
        Number of items, at least wins + losses and at least 1.
    margin, alternative, confidence_level
        As for `exact_unconditional`.

    Returns
    -------
    Result
        As `exact_unconditional`.

    Raises
    ------
    InputError
        If a number is negative, not whole, or larger than n, or as `exact_unconditional`.

    Notes
    -----
    When it is valid is said in `exact_unconditional`.

    Examples
    --------
    >>> round(exact_unconditional_counts(7, 1, 21).pvalue, 4)
    0.0177
    """
    tango = tango_counts(
        wins, losses, n, margin=margin, alternative=alternative, confidence_level=confidence_level
    )
    counts = tango.wins, tango.losses, tango.n
    root = _root_either_way(*counts, margin)
    direction = ("greater" if root > 0 else "less") if alternative == "two-sided" else alternative
    p, error = _one_sided(*counts, margin, direction)
    if alternative == "two-sided":
        p, error = (min(1.0, 2 * p), 2 * error) if root else (1.0, 0.0)
    by = "estimation and maximisation" if tango.n <= MOST_RANKED else "Berger and Boos"
    how = less_margin(f"exact, unconditional by {by}, with Tango's interval", margin)
    return replace(
        tango, test="exact_unconditional", statistic=root, pvalue=p, how=how, error=error
    )


def _both(a, b, *, margin=0.0):
    """Return the p-values of "A is better by more than the margin" and of "by less"."""
    a, b = arguments.binary("exact_unconditional", a, b)
    counts = int(np.count_nonzero(a > b)), int(np.count_nonzero(a < b)), a.size
    tango_statistics(*counts, margin)  # refuses a margin that cannot be
    return tuple(_one_sided(*counts, margin, side)[0] for side in ("greater", "less"))


def _one_sided(wins, losses, n, margin, alternative):
    """Return a one-sided p-value and its error, for a negative margin that of B against A."""
    if margin < 0 or (margin == 0 and alternative == "less"):
        wins, losses, margin, alternative = losses, wins, -margin, _OPPOSITE[alternative]
    return _pvalue(wins, losses, n, abs(float(margin)), alternative == "greater")


@functools.lru_cache(maxsize=4096)
def _pvalue(wins, losses, n, margin, greater):
    """Return the one-sided p-value for a margin of at least 0, and its error."""
    if n <= MOST_RANKED:
        bound, found = largest(_ranked_as_high(wins, losses, n, margin, greater))
        return min(1.0, bound), bound - found
    low, high = _shares(wins + losses, n, margin)
    region = _roots_as_far(wins, losses, n, margin, greater, (low, high))
    bound, found = largest_between(region, low, high)
    return min(1.0, bound + GAMMA), bound - found


# --- outcomes ranked by estimated p-values --------------------------------------------------------


def _ranked_as_high(wins, losses, n, margin, greater):
    """Return the outcomes whose estimated p-value is at most that of the outcome observed."""
    ranks = _ranks(n, margin)[0 if greater else 1]
    extreme = ranks <= ranks[losses, wins if greater else n - wins - losses]
    first = np.where(extreme.any(axis=1), extreme.argmax(axis=1), n + 1)
    return Region(n, margin, greater, np.arange(n + 1), first).completed()


@functools.lru_cache(maxsize=64)
def _ranks(n, margin):
    """Rank all outcomes of n items by estimated p-values, for "greater" and for "less".

    The row is the number of losses, the column that of wins, and for "less" that of ties. What
    cannot be is last.
    """
    losses, wins = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    estimates = _estimated(wins, losses, n, margin)
    found = []
    for estimate, column in zip(estimates, (wins, n - wins - losses), strict=True):
        ranks = np.full((n + 1, n + 1), np.iinfo(np.int32).max, np.int32)
        with np.errstate(divide="ignore"):
            logarithms = np.round(np.log(estimate), 9)
        ranks[losses, column] = np.unique(logarithms, return_inverse=True)[1]
        ranks.setflags(write=False)
        found.append(ranks)
    return tuple(found)


def _estimated(wins, losses, n, margin):
    """Return the probabilities of an r as large, and as small, under the q of each outcome.

    They are interpolated between values of q; any order of the outcomes gives a valid test.
    """
    roots = np.round(_signed_root(wins, losses, n, margin), 8)
    values, level = np.unique(roots, return_inverse=True)
    share = np.clip(2 * loss_probability(wins, losses, n, margin) / (1 - margin), 0, 1)
    place = np.arcsin(np.sqrt(share)) / (np.pi / 2) * (_KNOTS - 1)
    cell = np.minimum(place.astype(int), _KNOTS - 2)
    numbers, ties = np.arange(n + 1), n - wins - losses
    ways = special.gammaln(numbers + 1.0)
    ways = ways[n] - ways[wins] - ways[losses] - ways[ties]
    large, small = np.zeros(len(wins)), np.zeros(len(wins))
    for knot in range(_KNOTS):
        q = math.sin(knot / (_KNOTS - 1) * np.pi / 2) ** 2 * (1 - margin) / 2
        won, lost, tied = (
            special.xlogy(numbers, max(p, 0.0)) for p in (q + margin, q, 1 - 2 * q - margin)
        )
        mass = np.exp(ways + won[wins] + lost[losses] + tied[ties])
        mass = np.bincount(level, mass, len(values))
        above, below = np.cumsum(mass[::-1])[::-1], np.cumsum(mass)
        for near in (np.flatnonzero(cell == knot), np.flatnonzero(cell == knot - 1)):
            weight = 1 - np.abs(place[near] - knot)
            large[near] += weight * above[level[near]]
            small[near] += weight * below[level[near]]
    return large, small


# --- outcomes ranked by the likelihood ratio ------------------------------------------------------


def _root_either_way(wins, losses, n, margin):
    """Return r for any margin, so that swapping the systems turns its sign only."""
    if margin < 0:
        return -float(_signed_root(losses, wins, n, -margin))
    return float(_signed_root(wins, losses, n, margin))


def _signed_root(wins, losses, n, margin):
    """Return r for a margin of at least 0, elementwise."""
    q = loss_probability(wins, losses, n, margin)
    fits = ((wins, q + margin), (losses, q), (n - wins - losses, 1 - 2 * q - margin))
    gain = sum(special.rel_entr(count, n * np.maximum(fit, 0.0)) for count, fit in fits)
    excess = wins - losses - n * margin
    sign = np.where(np.abs(excess) > 1e-12 * n, np.sign(excess), 0.0)
    return sign * np.sqrt(2 * np.maximum(gain, 0.0))


def _shares(discordant, n, margin):
    """Return the limits of the share s, from Clopper and Pearson's of the discordant items."""
    alike = n - discordant
    low = special.betaincinv(discordant, alike + 1, GAMMA / 2) if discordant else 0.0
    high = special.betaincinv(discordant + 1, alike, 1 - GAMMA / 2) if alike else 1.0
    return tuple(np.clip((np.array([low, high]) - margin) / (1 - margin), 0.0, 1.0).tolist())


def _roots_as_far(wins, losses, n, margin, greater, shares):
    """Return the outcomes whose r is as far in a direction as that of the outcome observed."""
    means = n * (1 - margin) / 2 * np.array(shares)
    spread = 11 * np.sqrt(means) + 60  # numbers of losses beyond are negligible
    start, stop = max(0, int(means[0] - spread[0])), min(n, int(means[1] + spread[1]))
    rows = np.arange(start, stop + 1)
    sign, observed = (1 if greater else -1), float(_signed_root(wins, losses, n, margin))
    first, end = np.zeros(len(rows), np.int64), n - rows + 1
    while (first < end).any():
        count = np.minimum((first + end) // 2, n - rows)
        roots = _signed_root(count if greater else n - rows - count, rows, n, margin)
        extreme = sign * (roots - observed) >= -1e-8
        searched = first < end
        end = np.where(searched & extreme, count, end)
        first = np.where(searched & ~extreme, count + 1, first)
    return Region(n, margin, greater, rows, first)


TESTS = (
    Test(
        exact_unconditional,
        title="the exact unconditional test",
        takes="outcomes",
        metrics="accuracy",
        pvalue="exact",
        valid_under="the items are independent",
        use="instead of mcnemar if the difference in accuracy is compared with a margin",
        margin="exact",
        margin_note="that is the largest over all shares of losses under the null hypothesis",
        both=_both,
    ),
)
"""The tests of this module, for `registry.TESTS`."""
