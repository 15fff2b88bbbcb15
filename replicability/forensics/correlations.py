"""p-values of two correlations with the same gold ratings."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.forensics.claims import (
    IMPOSSIBLE,
    UNCHECKED,
    Claim,
    judge,
    reread,
    weigh_readings,
)
from replicability.forensics.forms import LEADER, SIDES, leader, orders
from replicability.forensics.printed import (
    finest_digit,
    printed_column,
    printed_interval,
    pvalue_text,
)
from replicability.stats import correlation

CORRELATION_TESTS = {
    "Steiger": correlation.steiger1980,
    "Williams": correlation.williams1959,
    "Meng": correlation.meng1992,
}
"""Tests of two dependent correlations that `correlation_test` tries."""


def correlation_range(score_a, score_b, n, digit=None):
    """Return the p-values that tests of two dependent correlations can give.

    Parameters
    ----------
    score_a, score_b : str
        Correlations of A and of B with the same gold ratings, as printed.
    n : int
        Number of rated items, at least 4.
    digit : float, optional
        Unit of the last digit of the correlations, if the texts do not show it (dropped zeros).

    Returns
    -------
    DataFrame
        One row per test and alternative: ``test``, ``alternative``, ``low``, ``high``: infimum and
        supremum over every correlation between A and B that keeps the matrix positive definite,
        and over the rounding of both printed correlations.

    Raises
    ------
    InputError
        If a correlation or n is not valid.

    Notes
    -----
    By a grid of 2,001 correlations with the ends, for both ends and the centre of each rounding.
    """
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    share = np.concatenate(
        [[1e-9, 1e-6, 1e-4], np.linspace(0, 1, 2001)[1:-1], [1 - 1e-4, 1 - 1e-9]]
    )
    pairs = np.array(list(itertools.product((a.low, a.value, a.high), (b.low, b.value, b.high))))
    r_jk, r_jh = pairs[:, :1], pairs[:, 1:]
    bounds = correlation.possible_r_kh(r_jk, r_jh)
    r_kh = bounds.low + (bounds.high - bounds.low) * share
    rows = []
    for test, function in CORRELATION_TESTS.items():
        for alternative in checks.ALTERNATIVES:
            p = function(r_jk, r_jh, r_kh, n, alternative=alternative).pvalue
            rows.append((test, alternative, float(p.min()), float(p.max())))
    return pd.DataFrame(rows, columns=["test", "alternative", "low", "high"])


def correlation_test(claim, score_a, score_b, n, *, unit=None, digit=None, fewer=False):
    """Judge a p-value of two dependent correlations by the range that it can lie in.

    Parameters
    ----------
    claim : Claim
        The p-value.
    score_a, score_b, n, digit
        As for `correlation_range`.
    unit : float, optional
        Unit of the last printed digit of the p-value (for a bare "0").
    fewer : bool, default False
        Whether the test may have left items out, such as words without a vector: n is not printed.

    Returns
    -------
    Verdict
        Impossible if no test of `CORRELATION_TESTS` can give it, one-sided or two-sided; the
        sentence says with how many items it would be possible. With `fewer`, it
        depends on the reading. Otherwise it cannot be checked without the correlation between the
        systems; the sentence says that it is possible.
    """
    printed = printed_interval(claim.published, unit)
    table = correlation_range(score_a, score_b, n, digit)
    fits = _overlaps(table, printed)
    shown = table[table["alternative"] == "two-sided"]
    span = f"{pvalue_text(shown['low'].min())} to {pvalue_text(shown['high'].max())} two-sided"
    given = f"With correlations {score_a} and {score_b} on {n:,} items,"
    if fits.any():
        return judge(
            claim,
            span,
            UNCHECKED,
            f"{given} the p-value is possible ({span}); it depends on the correlation between the "
            "systems, which is not printed.",
        )
    verdict = judge(
        claim,
        span,
        IMPOSSIBLE,
        f"{given} no correlation between the systems gives this p-value in Steiger's, Williams's "
        f"or Meng's test, one-sided or two-sided.",
    )
    sizes = range(4, n)
    enough = _largest(
        sizes, lambda m: _overlaps(correlation_range(score_a, score_b, m, digit), printed).any()
    )
    if enough is None:
        return verdict
    if not fewer:
        return replace(
            verdict,
            sentence=f"{verdict.sentence} The p-value is possible with at most {enough:,} items.",
        )
    some = judge(claim, "", UNCHECKED, "The p-value is possible.")
    return weigh_readings({f"on all {n:,} items": verdict, f"on at most {enough:,} items": some})


def correlation_column(paper, item, datasets, texts, scores_a, scores_b, sizes, *, fewer=False):
    """Judge a column of p-values of two dependent correlations.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and correlations as printed; correlations have the digits of the longest,
        with zeros dropped.
    sizes : dict of str to int
        Dataset -> number of rated items.
    fewer : bool, default False
        As for `correlation_test`.

    Returns
    -------
    list of Verdict
        One per p-value. If some are impossible in their rows, and the smallest number of exchanges
        of two rows that makes all possible is unique or nearly so, their sentences say it.
    """
    datasets, texts = list(datasets), list(texts)
    intervals = printed_column(texts)
    digit = finest_digit([*scores_a, *scores_b])
    ranges = [
        correlation_range(a, b, sizes[d], digit)
        for d, a, b in zip(datasets, scores_a, scores_b, strict=True)
    ]
    verdicts = [
        correlation_test(
            Claim(paper, item, f"p-value of {d}", text),
            a,
            b,
            sizes[d],
            unit=None if printed.value else 2 * printed.high,
            digit=digit,
            fewer=fewer,
        )
        for d, text, printed, a, b in zip(
            datasets, texts, intervals, scores_a, scores_b, strict=True
        )
    ]
    possible = np.array(
        [[_overlaps(table, printed).any() for table in ranges] for printed in intervals]
    )
    found = exchanges(possible)
    sentences = _exchange_sentences(found, datasets)
    return [reread(verdict, sentences.get(i, "")) for i, verdict in enumerate(verdicts)]


def infer_correlation(texts, scores_a, scores_b, sizes, printing="either"):
    """Say which tests of two correlations, and which sides, can give a whole column.

    Parameters
    ----------
    texts, scores_a, scores_b : sequence of str
        p-values and correlations as printed; correlations have the digits of the longest, with
        zeros dropped.
    sizes : sequence of int
        Number of rated items of each dataset.
    printing : {"rounded", "truncated", "either"}, default "either"
        How the digits were printed.

    Returns
    -------
    DataFrame
        One row per test and side of `SIDES`: ``test``, ``side``, ``possible`` (number of p-values
        that are possible in their rows) and ``orders`` (whether some order of the rows makes all of
        them possible).

    Notes
    -----
    As `correlation_range`: over all correlations between the systems, which are rarely printed.
    """
    intervals, digit = printed_column(texts, printing), finest_digit([*scores_a, *scores_b])
    tables = [
        correlation_range(a, b, n, digit).set_index(["test", "alternative"])
        for a, b, n in zip(scores_a, scores_b, sizes, strict=True)
    ]
    leads = [leader(a, b) for a, b in zip(scores_a, scores_b, strict=True)]
    rows = []
    for test in CORRELATION_TESTS:
        for side in SIDES:
            limits = [
                table.loc[(test, lead if side == LEADER else side)]
                for table, lead in zip(tables, leads, strict=True)
            ]
            possible = np.array(
                [[p.low <= at["high"] and at["low"] <= p.high for at in limits] for p in intervals]
            )
            rows.append((test, side, int(possible.diagonal().sum()), bool(orders(possible).any())))
    return pd.DataFrame(rows, columns=["test", "side", "possible", "orders"])


def possible_places(texts, scores_a, scores_b, sizes, printing="either"):
    """Say which p-values of a column are possible in which of its rows.

    Parameters
    ----------
    texts, scores_a, scores_b, sizes, printing
        As for `infer_correlation`.

    Returns
    -------
    ndarray of bool, shape (n, n)
        Whether the p-value of row i is possible in row j by some test and side; for `orders` and
        `exchanges`.
    """
    intervals, digit = printed_column(texts, printing), finest_digit([*scores_a, *scores_b])
    tables = [
        correlation_range(a, b, int(n), digit)
        for a, b, n in zip(scores_a, scores_b, sizes, strict=True)
    ]
    return np.array([[_overlaps(table, p).any() for table in tables] for p in intervals])


def exchanges(possible):
    """Find the fewest exchanges of two rows that make every value possible where it stands.

    Parameters
    ----------
    possible : array_like of bool, shape (n, n)
        Whether the value of row i is possible in row j.

    Returns
    -------
    list of list of tuple of int
        Every smallest set of disjoint pairs; [[]] if no exchange is needed, [] if none helps.

    Examples
    --------
    >>> exchanges([[False, True], [True, True]])
    [[(0, 1)]]
    """
    possible = np.asarray(possible, dtype=bool)
    wrong = [i for i in range(len(possible)) if not possible[i, i]]
    complete = list(_pairings(wrong, frozenset(), possible))
    fewest = min(map(len, complete), default=0)
    return [sorted(pairs) for pairs in complete if len(pairs) == fewest]


def _largest(sizes, possible):
    """Bisect for the largest size at which something is possible that small sizes allow."""
    if not sizes or not possible(sizes[0]):
        return None
    low, high = 0, len(sizes) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if possible(sizes[middle]) else (low, middle - 1)
    return sizes[low]


def _pairings(wrong, used, possible):
    """Yield sets of disjoint exchanges after which no row of `wrong` is impossible."""
    left = [i for i in wrong if i not in used]
    if not left:
        yield []
        return
    i = left[0]
    for j in range(len(possible)):
        if j != i and j not in used and possible[i, j] and possible[j, i]:
            for rest in _pairings(wrong, used | {i, j}, possible):
                yield [(min(i, j), max(i, j)), *rest]


def _exchange_sentences(found, datasets, few=12):
    """Say which exchanges of rows make every value possible: row -> sentence."""
    if not found or not found[0] or len(found) > few:
        return {}
    pairs = set(itertools.chain(*found))
    size = len(found[0])
    told = {}
    for row in sorted(set(itertools.chain(*pairs))):
        others = sorted({j if i == row else i for i, j in pairs if row in (i, j)})
        partners = " or ".join(datasets[j] for j in others)
        always = all(any(row in pair for pair in pairs_) for pairs_ in found)
        told[row] = (
            f"exchanging {'one pair' if size == 1 else f'{size} pairs'} of rows makes every "
            f"p-value in the column possible (in {len(found)} way{'s' if len(found) > 1 else ''}); "
            f"{'' if always else 'in some of them, '}this row is exchanged with {partners}."
        )
    return told


def _overlaps(ranges, printed):
    return (ranges["low"] <= printed.high) & (printed.low <= ranges["high"])
