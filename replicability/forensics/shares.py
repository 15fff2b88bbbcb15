"""Shares of n items: accuracies and their intervals."""

import math

import numpy as np

from replicability import checks
from replicability.forensics.arithmetic import value
from replicability.forensics.claims import IMPOSSIBLE, UNCHECKED, Claim, judge
from replicability.forensics.printed import Interval, finest_digit, printed_interval, shown
from replicability.stats import intervals

_GIVES = {"rounded": "round{} to", "truncated": "truncate{} to", "either": "give{}"}
"""Maps how digits were printed to a verb for one or several counts."""


def granularity(claim, n, unit=None, *, printing="rounded"):
    """Judge whether a share can come from n items.

    Parameters
    ----------
    claim : Claim
        A share in [0, 1] or a percentage with its sign.
    n : int
        Number of items.
    unit : float, optional
        Unit of the last printed digit, if the text does not show it (dropped zeros).
    printing : {"rounded", "truncated", "either"}, default "rounded"
        How its digits were printed.

    Returns
    -------
    Verdict
        Impossible if no whole number of n items gives it. A mean or median of several runs need not
        be such a share. Otherwise it cannot be checked; the
        sentence names the whole numbers that do.

    Examples
    --------
    >>> granularity(Claim("", "", "accuracy", "0.8005"), 2000).sentence
    '1,601 of 2,000 items round to 0.8005, so 0.8005 is possible; the paper does not list items.'
    """
    right = right_counts(claim.published, n, unit, printing)
    if not len(right):
        share = printed_interval(claim.published).value
        near = [k for k in (math.floor(share * n), math.ceil(share * n)) if k <= n]
        k = min(near, key=lambda k: abs(k / n - share))
        return judge(
            claim,
            f"{k / n:.6g} at the nearest",
            IMPOSSIBLE,
            f"No whole number of {n:,} items {_GIVES[printing].format('s')} {claim.published}; the "
            f"nearest is {k:,}.",
        )
    low, high = right[0], right[-1]
    found = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return judge(
        claim,
        f"{found} of {n:,}",
        UNCHECKED,
        f"{found} of {n:,} items {_GIVES[printing].format('')} {claim.published}, so "
        f"{claim.published} is possible; the paper does not list items.",
    )


def granularity_table(paper, item, printed, label, columns, n):
    """Judge whether the shares of a table can come from n items.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    printed : DataFrame of str
        The table; the columns have the digits of their longest number, with zeros dropped.
    label : str
        Column that names the rows.
    columns : sequence of str
        Columns of shares.
    n : int
        Number of items.

    Returns
    -------
    list of Verdict
        One per cell, row by row.
    """
    for name in (label, *columns):
        checks.choice(f"{item}: column", name, printed.columns)
    unit = finest_digit([shown(text) for column in columns for text in printed[column]])
    return [
        granularity(
            Claim(paper, item, f"{column} of {shown(row[label])}", shown(row[column])), n, unit
        )
        for _, row in printed.iterrows()
        for column in columns
    ]


def smallest_grid(shares, unit=None, most=10_000):
    """Return the smallest number of items that is compatible with all printed shares.

    Parameters
    ----------
    shares : iterable of str
        Shares in [0, 1] as printed.
    unit : float, optional
        Unit of the last printed digit, if the texts do not show it (dropped zeros).
    most : int, default 10000
        Largest number that is tried.

    Returns
    -------
    int or None
        The number; None if there is none up to `most`.

    Examples
    --------
    >>> smallest_grid(["0.333", "0.5"])
    6
    """
    shares = list(shares)
    grids = (n for n in range(1, most + 1) if all(len(right_counts(s, n, unit)) for s in shares))
    return next(grids, None)


def wilson(claim, share, n, limit, confidence_level=0.95):
    """Judge a limit of Wilson's score interval.

    Parameters
    ----------
    claim : Claim
        The limit.
    share : str
        The share as printed.
    n : int
        Number of items.
    limit : {"low", "high"}
        Which limit.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    Verdict
        As `value`, with the rounding of the share propagated.
    """
    side = ("low", "high").index(checks.choice("limit", limit, ("low", "high")))
    printed = printed_interval(share)
    ends = intervals.wilson([printed.low, printed.value, printed.high], n, confidence_level)[side]
    return value(
        claim,
        Interval(*ends),
        f"The {('lower', 'upper')[side]} limit of Wilson's {confidence_level:.0%} interval for "
        f"{share} of {n:,} items is {ends[1]:.5f}.",
    )


def right_counts(text, n, unit=None, printing="rounded"):
    """Return the whole numbers of n items that round to a printed share.

    `text`: the share as printed, at most 1. `n`: number of items, from 1. `unit`: unit of the last
    printed digit, if the text does not show it (dropped zeros). `printing` ({"rounded",
    "truncated", "either"}): how its digits were printed.

    Returns ndarray of int. The numbers, ascending; empty if none gives the share.

    Raises `InputError`: if n is no such number or the text is no share.
    """
    if not (isinstance(n, int | np.integer) and n >= 1):
        raise checks.InputError(
            f"n is {n!r}, but the number of items must be a whole number of at least 1."
        )
    share = printed_interval(text, unit, printing)
    if share.value > 1:
        raise checks.InputError(
            f"{text!r} is not a proportion of items; write a percentage with a percent sign."
        )
    low = math.ceil(share.low * n * (1 - 1e-12))
    high = math.floor(min(share.high, 1.0) * n * (1 + 1e-12))
    return np.arange(max(low, 0), min(high, n) + 1)
