"""Tango's score test: the difference of two paired proportions against a margin."""

import math

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.intervals import ConfidenceInterval
from replicability.stats.paired.entry import Test
from replicability.stats.paired.result import Result, from_outcomes, less_margin


def tango(a, b, *, margin=0.0, alternative="greater", confidence_level=0.95):
    r"""Tango's score test of the difference of two accuracies.

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
        The statistic is z; the interval holds every margin that the two-sided test does not reject.

    Raises
    ------
    InputError
        If scores differ in length or are not 0 or 1, a name is unknown, the margin is not in
        (-1, 1) or the level not in (0, 1).

    Notes
    -----
    It assumes independent items, and many of them: at a level of .05/20 it rejects a true null
    hypothesis more than twice as often with 100 items and a margin of 0.1, and nearly three
    times as often with 1,000 and 0.01, where B alone is hardly ever right. `exact_unconditional`
    keeps every level. With w wins and l losses of A on n
    items, a margin m and :math:`\hat q` the probability that only B is right, estimated under
    the null hypothesis,

    .. math:: z = \frac{w - l - nm}{\sqrt{n (2 \hat q + m (1 - m))}}

    (Tango 1998, Statistics in Medicine 17, 891-908). With a margin of 0 it is the asymptotic
    McNemar test. Without discordant items and without a margin p = 1.

    Examples
    --------
    >>> a, b = [1] * 90 + [0] * 10, [0] * 4 + [1] * 96
    >>> round(tango(a, b, margin=-0.15).pvalue, 4), round(tango(a, b).pvalue, 4)
    (0.0165, 0.9456)
    """
    options = {"alternative": alternative, "confidence_level": confidence_level}
    return from_outcomes("tango", tango_counts, a, b, margin=margin, **options)


def tango_counts(wins, losses, n, *, margin=0.0, alternative="greater", confidence_level=0.95):
    """Tango's score test from the numbers of discordant items.

    Parameters
    ----------
    wins, losses : int
        Items on which only A is right, and on which only B is.
    n : int
        Number of items, at least wins + losses and at least 1.
    margin, alternative, confidence_level
        As for `tango`.

    Returns
    -------
    Result
        As `tango`.

    Raises
    ------
    InputError
        If a number is negative, not whole, or larger than n, or as `tango`.

    Notes
    -----
    What it assumes is said in `tango`.

    Examples
    --------
    >>> interval = tango_counts(7, 1, 21).confidence_interval
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.026, 0.517)
    """
    level = checks.confidence_level(confidence_level)
    z = float(tango_statistics(wins, losses, n, margin))
    wins, losses, n = int(wins), int(losses), int(n)
    tails = {"greater": special.ndtr(-z), "less": special.ndtr(z)}
    tails["two-sided"] = min(1.0, 2 * min(tails.values()))
    undefined = wins == losses == 0 and margin == 0
    return Result(
        "tango",
        z,
        1.0 if undefined else float(tails[checks.alternative(alternative)]),
        alternative,
        (wins - losses) / n,
        _interval(wins, losses, n, level),
        n,
        less_margin("normal, with Tango's score test and interval", margin),
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
    )


def tango_statistics(wins, losses, n, margin=0.0):
    """Tango's z, elementwise.

    Parameters
    ----------
    wins, losses, n : array_like of int
        As for `tango_counts`.
    margin : float, default 0.0
        As for `tango`.

    Returns
    -------
    ndarray or float
        Large where A is better by more than the margin; 0 without discordant items and margin.

    Raises
    ------
    InputError
        As `tango_counts`.

    Examples
    --------
    >>> tango_statistics([7, 1], [1, 7], 21).round(4)
    array([ 2.1213, -2.1213])
    """
    margin = checks.finite("margin", margin)
    if not -1 < margin < 1:
        raise checks.InputError(
            f"margin is {margin:g}, but a difference of accuracies lies between -1 and 1; write, "
            "for example, 0.01 for 1 point."
        )
    wins, losses, n = arguments.together(
        wins=arguments.counts("wins", wins),
        losses=arguments.counts("losses", losses),
        n=arguments.counts("n", n),
    )
    few = n < np.maximum(1, wins + losses)
    if few.any():
        raise checks.InputError(
            f"n is {n[few].flat[0]}, but the number of discordant items is "
            f"{(wins + losses)[few].flat[0]}; pass the number of all items, at least 1."
        )
    z = _score(wins, losses, n, margin) if margin >= 0 else -_score(losses, wins, n, -margin)
    return z if np.ndim(z) else float(z)


def loss_probability(wins, losses, n, margin):
    """Estimate the probability that only B is right if A is better by exactly the margin.

    `wins`, `losses`, `n` (array_like of int): as for `tango_counts`. `margin`: in [0, 1).

    Returns ndarray or float. The root q of 2n q^2 + B q + C = 0 (Tango 1998, Eq. 12), which
    maximises the likelihood; the probability that only A is right is then q plus the margin.

    Examples
    --------
    >>> round(float(loss_probability(7, 1, 21, 0.1)), 4)
    0.1223
    """
    linear = (2 * n - wins + losses) * margin - (wins + losses)
    constant = -losses * margin * (1 - margin)
    return (np.sqrt(linear * linear - 8 * n * constant) - linear) / (4 * n)


def _score(wins, losses, n, margin):
    """Return z for a margin of 0 or more, so that swapping the systems turns its sign only."""
    q = loss_probability(wins, losses, n, margin)
    variance = n * (2 * q + margin * (1 - margin))
    excess = wins - losses - n * margin
    return excess / np.sqrt(np.where(variance > 0, variance, 1))


def _interval(wins, losses, n, confidence_level):
    """Return the margins that the two-sided test does not reject."""
    if wins < losses:  # mirrored, so that swapping the systems mirrors the limits
        mirrored = _interval(losses, wins, n, confidence_level)
        return ConfidenceInterval(-mirrored.high, -mirrored.low, confidence_level)
    from scipy import optimize  # a tenth of a second that no other test needs

    quantile = float(special.ndtri(0.5 + confidence_level / 2))
    edge = math.nextafter(1.0, 0.0)

    def limit(bound, end):
        def beyond(margin):
            return tango_statistics(wins, losses, n, margin) - bound

        if beyond(-edge) * beyond(edge) >= 0:
            return end
        return float(optimize.brentq(beyond, -edge, edge, xtol=1e-14))

    return ConfidenceInterval(limit(quantile, -1.0), limit(-quantile, 1.0), confidence_level)


TESTS = (
    Test(
        tango,
        title="Tango's score test",
        takes="outcomes",
        metrics="accuracy",
        pvalue="normal",
        valid_under="the items are independent and numerous",
        use="instead of exact_unconditional to recompute a published p-value, or if the p-value "
        "and the interval must agree",
        margin="asymptotic",
        margin_note="the score test estimates the variance under the null hypothesis",
    ),
)
"""The tests of this module, for `registry.TESTS`."""
