"""Published number, recomputed number, verdict: small checks that work on anybody's table.

A `Claim` is a printed value and the place where it stands; every check takes one and returns a
`Verdict`: the claim, what follows from other printed values, from theory or from a simulation, and
the arithmetic in a sentence. Printed values are texts, so that their digits are their precision.

==================  ==========================================================================
check               what it recomputes
==================  ==========================================================================
`count`             a number of datasets (k-hat, or p <= alpha) from printed p-values
`marks`             the datasets that Holm's procedure identifies, from printed p-values
`listed`            datasets that are said to be significant, or not, among others
`direction`         whether the scores favour the system that a small p-value is read for
`one_sided`         whether p-values are those of the one-sided hypotheses, from the scores
`monte_carlo`       a simulated probability, from the exact one or a larger simulation
`repeated_test`     how often a random test of the same data is significant, from its p-value
`value`             a number that follows exactly; `derived`: by arithmetic from printed ones
`correlation_test`  the p-values that Steiger's, Williams's and Meng's tests can give
`mcnemar`           the p-values that McNemar's test can give
`granularity`       whether a share can come from n items
`wilson`            a limit of Wilson's confidence interval
`signed_rank`       the p-values that Wilcoxon's test over n datasets can give
`unchecked`         nothing, and why
==================  ==========================================================================

Checks that end in ``_table`` or ``_column`` judge every number of a table. Helpers compute what a
claim can be compared with: `at_least_one`, `either_of_two`, `predictive_value`, `smallest_grid`. A
verdict is on a number, on a list of datasets or on a direction; totals keep these apart.
"""

import itertools
import math
import re
import textwrap
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd
from scipy import integrate, special, stats

from replicability import checks
from replicability.stats import (
    arguments,
    correlation,
    multiple_testing,
    paired,
    partial_conjunction,
)

REPRODUCED = "reproduced"
WITHIN_ROUNDING = "within rounding"
WITHIN_MONTE_CARLO_ERROR = "within Monte-Carlo error"
CONTRADICTED = "contradicted"
IMPOSSIBLE = "impossible"
UNCHECKED = "cannot be checked"
VERDICTS = (
    REPRODUCED,
    WITHIN_ROUNDING,
    WITHIN_MONTE_CARLO_ERROR,
    CONTRADICTED,
    IMPOSSIBLE,
    UNCHECKED,
)
"""Verdicts, most favourable first; last those that are none."""

NUMBER, LIST, DIRECTION = "number", "list", "direction"
KINDS = {NUMBER: "numbers", LIST: "lists", DIRECTION: "directions"}
"""What a verdict is on: a printed number, the datasets that are named, which system is better."""

UNUSUAL = 0.001
"""A Monte-Carlo figure is contradicted outside the central 1 - UNUSUAL of its outcomes."""

NOTABLE = 0.01
"""Outside the central 1 - NOTABLE, the sentence on a Monte-Carlo figure says how rare that is."""

TESTS_OF_SCORES = (
    "paired_bootstrap",
    "sign_flip",
    "paired_t",
    "mcnemar",
    "steiger",
    "williams",
    "meng",
    "rating_bootstrap",
)
"""Tests of `significance` that compare the scores themselves, so that the sign of their difference
decides on which side of 1/2 a one-sided p-value lies. Tests of ranks and signs do not."""

CORRELATION_TESTS = {
    "Steiger": correlation.steiger1980,
    "Williams": correlation.williams1959,
    "Meng": correlation.meng1992,
}
"""Tests of two dependent correlations that `correlation_test` tries."""


@dataclass(frozen=True)
class Claim:
    """A published value and where it stands.

    Attributes
    ----------
    paper : str
        Name of the paper.
    item : str
        Table, footnote or section.
    claim : str
        What is claimed, in words.
    published : str
        The value as printed.
    """

    paper: str
    item: str
    claim: str
    published: str


@dataclass(frozen=True)
class Verdict:
    """A published value beside what follows from other published values or from theory.

    Attributes
    ----------
    paper, item, claim, published : str
        As in `Claim`.
    recomputed : str
        The value that follows, or the range of values; "" if nothing does.
    verdict : str
        One of `VERDICTS`.
    sentence : str
        The arithmetic, and the reading under which the value is right if one was found.
    kind : str
        One of `KINDS`.
    """

    paper: str
    item: str
    claim: str
    published: str
    recomputed: str
    verdict: str
    sentence: str
    kind: str = NUMBER


@dataclass(frozen=True)
class Interval:
    """The numbers that a printed number may stand for.

    Attributes
    ----------
    low, value, high : float
        Smallest, printed and largest number.
    """

    low: float
    value: float
    high: float

    def __contains__(self, number):
        """Whether a number may have been printed so; ends belong, up to the last bits."""
        slack = 1e-12 * abs(self.value)
        return self.low - slack <= number <= self.high + slack


def judge(claim, recomputed, verdict, sentence, kind=NUMBER):
    """Put a claim and what was found together.

    Parameters
    ----------
    claim : Claim
        The claim.
    recomputed : str
        What follows.
    verdict : str
        One of `VERDICTS`.
    sentence : str
        The arithmetic.
    kind : str, default "number"
        One of `KINDS`.

    Returns
    -------
    Verdict
        All of it.

    Raises
    ------
    InputError
        If the verdict or the kind is none.
    """
    checks.choice("verdict", verdict, VERDICTS)
    checks.choice("kind", kind, KINDS)
    return Verdict(
        **asdict(claim), recomputed=recomputed, verdict=verdict, sentence=sentence, kind=kind
    )


def reread(verdict, reading):
    """Add another reading to a verdict's sentence.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    reading : str
        Under which the value would be right, as a sentence; "" adds nothing.

    Returns
    -------
    Verdict
        With ``Another reading:`` at the end of its sentence.
    """
    if not reading:
        return verdict
    return replace(verdict, sentence=f"{verdict.sentence} Another reading: {reading}")


# --- printed numbers ----------------------------------------------------------------------------


def printed_interval(text, unit=None):
    """Return the numbers that round to a printed number.

    Parameters
    ----------
    text : str
        As printed: "0.0979", "1.12e-08", "1,000", "50k", "21.7%", "~0.12", "<0.001", "5/6".
    unit : float, optional
        Unit of the last printed digit, if the text does not show it (a bare "0", "roughly 80%").

    Returns
    -------
    Interval
        The number and half a unit of its last digit on both sides; not below 0 for a printed 0.
        "<0.001" is everything from 0 to 0.001, ">0.5" all above it; "5/6" lies between 5/6.5 and
        5/5.5.

    Raises
    ------
    InputError
        If the text is no number.

    Examples
    --------
    >>> printed_interval("0.0099")
    Interval(low=0.00985, value=0.0099, high=0.00995)
    >>> printed_interval("21.7%")
    Interval(low=0.2165, value=0.217, high=0.2175)
    """
    plain = str(text).replace(",", "").strip().lstrip("~∼≈ ").strip()
    try:
        if plain.startswith(("<", ">")):
            bound = printed_interval(plain[1:]).value
            below = plain.startswith("<")
            return (
                Interval(0.0, bound, bound)
                if below
                else Interval(bound * (1 + 1e-9), bound, math.inf)
            )
        if "/" in plain:
            top, _, bottom = plain.partition("/")
            top, bottom = float(top), float(bottom)
            return Interval(top / (bottom + 0.5), top / bottom, top / (bottom - 0.5))
        scale = {"%": 0.01, "k": 1000.0}.get(plain[-1:], 1.0)
        number = plain.rstrip("%k ")
        value = float(number)
        half = (last_digit(number) * scale if unit is None else unit) / 2
    except (ValueError, ZeroDivisionError):
        raise checks.InputError(f"{text!r} is not a printed number such as 0.0979.") from None
    if not math.isfinite(value):
        raise checks.InputError(f"{text!r} is not a printed number such as 0.0979.")
    low = value * scale - half if value else 0.0
    return Interval(
        float(f"{low:.15g}"), float(f"{value * scale:.15g}"), float(f"{value * scale + half:.15g}")
    )


def last_digit(text):
    """Return the unit of the last digit of a printed number.

    Parameters
    ----------
    text : str
        A decimal number as printed.

    Returns
    -------
    float
        Such as 0.0001 for "0.0979", 1e-10 for "1.12e-08", 1 for "12"; for "<0.001" that of 0.001.
    """
    mantissa, _, exponent = text.lower().lstrip("<~ ").partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(f"1e{int(exponent or 0) - decimals}")


def printed_column(texts):
    """Return the intervals of a column of printed p-values.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed.

    Returns
    -------
    list of Interval
        A printed zero lies between 0 and half a unit of the finest digit that the column prints,
        because its own digits do not say how small it is.
    """
    texts = [str(text) for text in texts]
    if not texts:
        raise checks.InputError("A column of p-values is empty; pass one text per dataset.")
    intervals = [printed_interval(text) for text in texts]
    finest = min(last_digit(text) for text in texts)
    return [
        found
        if found.value or text.startswith("<")
        else printed_interval(text, min(finest, last_digit(text)))
        for text, found in zip(texts, intervals, strict=True)
    ]


def printed_pvalues(texts):
    """Return the bounds of a column of printed p-values.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed, n of them.

    Returns
    -------
    low, high : ndarray of float, shape (n,)
        Bounds in [0, 1], as `printed_column` gives them.
    """
    intervals = printed_column(texts)
    low = np.array([interval.low for interval in intervals])
    high = np.array([interval.high for interval in intervals])
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


# --- counts and marks ---------------------------------------------------------------------------


def count(claim, texts, alpha, estimator, neighbours=None):
    """Judge a published number of datasets against the published p-values.

    Parameters
    ----------
    claim : Claim
        The number; of "9/10" the part before the stroke.
    texts : iterable of str
        The p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    estimator : str
        "count" or a combination method of `partial_conjunction.k_hat`.
    neighbours : dict of str to str, optional
        Other cells of the row, as printed, in which the number may belong.

    Returns
    -------
    Verdict
        Reproduced if the printed p-values give the number; within rounding if p-values that round
        to them do: every estimator only falls as p-values rise, so that the extremes are reached
        with all p-values at their upper and at their lower bounds. Where it is contradicted, the
        sentence says which of `count_readings` and which neighbour give it.
    """
    texts = list(texts)
    low, high = printed_pvalues(texts)
    exact = _estimate([interval.value for interval in printed_column(texts)], alpha, estimator)
    least, most = _estimate(high, alpha, estimator), _estimate(low, alpha, estimator)
    possible = str(exact) if least == most else f"{exact} ({least} to {most} with rounding)"
    sentence = f"The {len(texts)} printed p-values give {exact} at alpha = {alpha:g}"
    if least != most:
        sentence += f", and {least} to {most} before they were rounded"
    k = _whole(claim.published.partition("/")[0])
    verdict = judge(claim, possible, _verdict(k == exact, least <= k <= most), f"{sentence}.")
    if verdict.verdict != CONTRADICTED:
        return verdict
    found = count_readings(texts, alpha, estimator)
    fits = [reading for reading, value in found.items() if value == k]
    fits += [f"the cell of {name}" for name, cell in (neighbours or {}).items() if cell == str(k)]
    return reread(verdict, f"{k} is given by {'; '.join(fits)}." if fits else "")


def count_readings(texts, alpha, estimator):
    """Compute a number of datasets under other readings of its definition.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    estimator : str
        "count" or a combination method.

    Returns
    -------
    dict of str to int
        Reading -> number.
    """
    values = np.array([interval.value for interval in printed_column(texts)])
    readings = {
        "p-values that were halved": _estimate(values / 2, alpha, estimator),
        "p-values that were doubled": _estimate(np.minimum(1, 2 * values), alpha, estimator),
        f"the level {alpha / 2:g}": _estimate(values, alpha / 2, estimator),
        f"the level {2 * alpha:g}": _estimate(values, 2 * alpha, estimator),
    }
    if estimator != "fisher":
        return readings
    ordered = np.sort(values)
    n = len(ordered)
    with np.errstate(divide="ignore"):
        sums = -np.log(ordered)[::-1].cumsum()[::-1]  # over i >= u, u = 1, ..., n
    size = np.arange(n, 0, -1.0)
    alternatives = {
        "degrees of freedom 2(N - u)": special.gammaincc(np.maximum(size - 1, 0.5), sums),
        "degrees of freedom 2(N - u + 2)": special.gammaincc(size + 1, sums),
        "sums that start at the p-value before the u-th": special.gammaincc(size[1:], sums[:-1]),
    }
    for reading, combined in alternatives.items():
        readings[reading] = int((np.maximum.accumulate(combined) <= alpha).sum())
    plain = np.flatnonzero(special.gammaincc(size, sums) <= alpha)
    readings["no running maximum"] = int(plain.max() + 1) if plain.size else 0
    return readings


def marks(claim, names, datasets, texts, alpha, procedure="holm"):
    """Judge a published list of datasets with an effect against the published p-values.

    Parameters
    ----------
    claim : Claim
        The list.
    names : collection of str
        Datasets published as identified.
    datasets : sequence of str
        All datasets.
    texts : sequence of str
        Their p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    procedure : {"holm", "each"}, default "holm"
        Holm's procedure, or every dataset with p <= alpha.

    Returns
    -------
    Verdict
        Reproduced if the printed p-values give the list; within rounding if all datasets that are
        identified at the upper bounds of the p-values are in it and none that is not identified at
        the lower bounds.

    Raises
    ------
    InputError
        If a name is no dataset, or the procedure is unknown.
    """
    checks.choice("procedure", procedure, _PROCEDURES)
    for name in names:
        checks.choice(f"{claim.item}: dataset", name, datasets)
    low, high = printed_pvalues(texts)

    def identified(pvalues):
        pvalues = np.asarray(pvalues)
        each = pvalues <= checks.alpha(alpha)
        found = each if procedure == "each" else multiple_testing.identify(pvalues, alpha)
        return {d for d, yes in zip(datasets, found, strict=True) if yes}

    exact = identified([interval.value for interval in printed_column(texts)])
    possible = identified(high) <= set(names) <= identified(low)
    return judge(
        claim,
        _listing(d for d in datasets if d in exact),
        _verdict(set(names) == exact, possible),
        f"{_PROCEDURES[procedure]} at alpha = {alpha:g} rejects {len(exact)} of the "
        f"{len(datasets)} printed p-values; {len(set(names) ^ exact)} are listed otherwise.",
        LIST,
    )


_PROCEDURES = {"holm": "Holm's procedure", "each": "Each test by itself"}


def listed(claim, names, datasets, texts, alpha, significant=True):
    """Judge that some datasets are significant, or that they are not; others may be as well.

    Parameters
    ----------
    claim : Claim
        The list.
    names : collection of str
        Datasets that it names.
    datasets, texts : sequence of str
        All datasets and their p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    significant : bool, default True
        Whether p < alpha is said of all of them, or of none.

    Returns
    -------
    Verdict
        Reproduced if the printed p-values say so, within rounding if p-values that round to them
        do; `recomputed` has those of which it is so.

    Raises
    ------
    InputError
        If a name is no dataset.
    """
    checks.alpha(alpha)
    at = dict(zip(datasets, texts, strict=True))
    for name in names:
        checks.choice(f"{claim.item}: dataset", name, at)
    p = {name: printed_interval(at[name]) for name in names}
    right = [name for name in names if (p[name].value < alpha) == significant]
    possible = all(p[n].low < alpha if significant else p[n].high >= alpha for n in names)
    return judge(
        claim,
        _listing(right),
        _verdict(len(right) == len(names), possible),
        f"p is {', '.join(f'{at[name]} on {name}' for name in names)}.",
        LIST,
    )


def counts_table(paper, item, printed, pvalues):
    """Judge every number of a printed table of counts.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    printed : DataFrame of str
        Columns ``comparison``, ``alpha`` and ``k_<estimator>``.
    pvalues : dict of str to sequence of str
        Comparison -> its p-values as printed.

    Returns
    -------
    list of Verdict
        One per number, row by row.
    """
    names = [name for name in printed.columns if name.startswith("k_")]
    verdicts = []
    for _, row in printed.iterrows():
        where = f"{row['comparison']}, alpha = {row['alpha']}"
        for name in names:
            estimator = name.removeprefix("k_")
            verdicts.append(
                count(
                    Claim(paper, item, f"{where}: k-hat by {estimator}", row[name]),
                    pvalues[row["comparison"]],
                    float(row["alpha"]),
                    estimator,
                    {f"k-hat by {o.removeprefix('k_')}": row[o] for o in names if o != name},
                )
            )
    return verdicts


def marks_column(paper, item, title, datasets, texts, printed_marks, levels):
    """Judge a printed column of marks, once per level that it uses.

    Parameters
    ----------
    paper, item, title : str
        Names of the paper, of the table and of the comparison.
    datasets, texts, printed_marks : sequence of str
        Datasets, their p-values as printed and their marks.
    levels : dict of str to float
        Mark -> level of significance.

    Returns
    -------
    list of Verdict
        One per mark that occurs in the column.
    """
    marked = {
        mark: [d for d, found in zip(datasets, printed_marks, strict=True) if mark in found]
        for mark in levels
    }
    return [
        marks(
            Claim(paper, item, f"{title}: datasets marked {mark}", ", ".join(names)),
            names,
            datasets,
            texts,
            levels[mark],
        )
        for mark, names in marked.items()
        if names
    ]


# --- direction ----------------------------------------------------------------------------------


def direction(claim, score_a, score_b, systems, test=None, digit=None):
    """Judge "A is better than B" by the sign of the printed scores.

    Parameters
    ----------
    claim : Claim
        That A is better; `published` is the small p-value.
    score_a, score_b : str
        Scores as printed; higher is better.
    systems : tuple of str
        Names of A and B.
    test : str, optional
        The test that gave the p-value, one of `paired.TESTS`.
    digit : float, optional
        Unit of the last digit of the scores, if the texts do not show it (dropped zeros).

    Returns
    -------
    Verdict
        Reproduced if A scores higher, contradicted if B does or they tie, within rounding if the
        scores tie as printed but need not before rounding. Where A does not score higher, the
        sentence says whether the p-value can be one-sided for A all the same: by one of
        `TESTS_OF_SCORES` it cannot be small, by a test of ranks it can.
    """
    _test(test)
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    verdict = judge(
        claim,
        _lead(a, b, systems),
        _verdict(a.value > b.value, a.value == b.value and a.high > b.low),
        _scored(score_a, score_b, systems),
        DIRECTION,
    )
    if verdict.verdict != CONTRADICTED or not printed_interval(claim.published).value <= 0.5:
        return verdict
    if test in TESTS_OF_SCORES:
        sentence = f"A one-sided p-value for {systems[0]} lies above 1/2 there."
    elif test:
        sentence = (
            f"A one-sided p-value by the test {test}, which compares ranks or signs and no mean, "
            "can be small all the same: the p-value itself is not contradicted."
        )
    else:
        sentence = ""
    verdict = replace(verdict, sentence=f"{verdict.sentence} {sentence}".rstrip())
    return reread(verdict, f"the p-value speaks for {systems[1]}, the system ahead.")


def side(claim, score_a, score_b, systems, test, digit=None):
    """Judge whether a p-value lies on the side of 1/2 that a one-sided one must lie on.

    Parameters
    ----------
    claim : Claim
        That the p-value is one-sided for "A is better".
    score_a, score_b, systems, digit
        As for `direction`.
    test : str
        The test that gave the p-value, one of `paired.TESTS`.

    Returns
    -------
    Verdict
        By one of `TESTS_OF_SCORES`: reproduced if it lies below 1/2 where A scores higher and above
        where B does, contradicted on the other side, within rounding if the rounding of the p-value
        or of the scores leaves both open. By another test it cannot be checked.
    """
    _test(test)
    printed = printed_interval(claim.published)
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    sentence = _scored(score_a, score_b, systems)
    if test not in TESTS_OF_SCORES:
        verdict = UNCHECKED
        sentence += (
            f" The test {test} compares ranks or signs, whose lead need not be that of scores."
        )
    else:
        wanted = {1: "below", -1: "above", 0: "near"}[int(np.sign(a.value - b.value))]
        sentence += f" A one-sided p-value for {systems[0]} lies {wanted} 1/2."
        below = a.value >= b.value and printed.value <= 0.5
        above = a.value <= b.value and printed.value >= 0.5
        ties = a.low < b.high and b.low < a.high
        verdict = _verdict(below or above, ties or printed.low <= 0.5 <= printed.high)
    return judge(claim, _lead(a, b, systems), verdict, sentence, DIRECTION)


def direction_column(paper, item, datasets, texts, scores_a, scores_b, systems, alpha, test=None):
    """Judge the direction of every p-value of a column, each once.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and scores as printed; scores have the digits of the longest, with zeros
        dropped.
    systems : tuple of str
        Names of A and B; small p-values are read as "A is better".
    alpha : float
        Level of significance, in (0, 1).
    test : str, optional
        The test that gave the p-values, one of `paired.TESTS`.

    Returns
    -------
    list of Verdict
        One per p-value: at or below alpha that A is better (`direction`), above it that the
        p-value is one-sided (`side`), which needs the name of the test; without it, none.
    """
    a, b = systems
    checks.alpha(alpha)
    digit = _finest([*scores_a, *scores_b])
    verdicts = []
    for dataset, text, *scores in zip(datasets, texts, scores_a, scores_b, strict=True):
        if printed_interval(text).value <= alpha:
            name = f"{a} better than {b} on {dataset} (p <= {alpha:g})"
            verdicts.append(
                direction(Claim(paper, item, name, text), *scores, systems, test, digit)
            )
        elif test is not None:
            name = f"one-sided p-value of {a} against {b} on {dataset}"
            verdicts.append(side(Claim(paper, item, name, text), *scores, systems, test, digit))
    return verdicts


def one_sided(claim, texts, scores_a, scores_b, systems, test):
    """Judge whether p-values can be those of the one-sided hypotheses "A is not better than B".

    Parameters
    ----------
    claim : Claim
        That the hypotheses are one-sided.
    texts, scores_a, scores_b : sequence of str
        p-values and scores as printed, one per dataset.
    systems : tuple of str
        Names of A and B.
    test : str
        The test that gave the p-values, one of `paired.TESTS`.

    Returns
    -------
    Verdict
        By one of `TESTS_OF_SCORES` a one-sided p-value is below 1/2 exactly where A is ahead:
        contradicted if some is not. By another test it cannot be checked if some is not. The
        sentence says whether all p-values fit the smaller one-sided one (all at most 1/2) or a
        two-sided one (some above 1/2).

    Notes
    -----
    It sums up what `direction_column` says of each p-value: count one of both, not both. The scores
    are taken as printed; skewed samples may differ in sign where the scores nearly tie.
    """
    _test(test)
    p = np.array([interval.value for interval in printed_column(texts)])
    difference = np.array(
        [
            printed_interval(x).value - printed_interval(y).value
            for x, y in zip(scores_a, scores_b, strict=True)
        ]
    )
    wrong = ((p < 0.5) & (difference < 0)) | ((p > 0.5) & (difference > 0))
    behind, small = difference < 0, p <= 0.5
    unfit, law = UNCHECKED, f"but the test {test} compares ranks or signs and no mean"
    if test in TESTS_OF_SCORES:
        unfit, law = CONTRADICTED, "where a one-sided p-value lies above 1/2"
    verdict = judge(
        claim,
        f"{np.count_nonzero(wrong)} of {len(p)} on the other side of 1/2",
        unfit if wrong.any() else REPRODUCED,
        f"{systems[0]} is behind on {behind.sum()} of {len(p)} datasets, {law}; printed below 1/2 "
        f"are {np.count_nonzero(behind & small)} of these.",
        DIRECTION,
    )
    if not wrong.any():
        return verdict
    if small.all():
        reading = (
            "no p-value exceeds 1/2, which fits the smaller of both one-sided p-values, and "
            "two-sided ones as well."
        )
    else:
        reading = (
            f"two-sided p-values, of which {np.count_nonzero(~small)} may well be above 1/2 "
            "whichever system is ahead."
        )
    return reread(verdict, reading)


# --- probabilities and arithmetic ---------------------------------------------------------------


def monte_carlo(claim, probability, repetitions, *, standard_error=0.0, readings=None):
    """Judge a published Monte-Carlo estimate against the probability that it estimates.

    Parameters
    ----------
    claim : Claim
        The estimate.
    probability : float
        The probability, exact or simulated with many more repetitions, in [0, 1].
    repetitions : int
        Published number of repetitions.
    standard_error : float, default 0
        Standard error of `probability` if it was simulated.
    readings : dict of str to float, optional
        Other events -> their probabilities, to be tried where the estimate is far away.

    Returns
    -------
    Verdict
        Within Monte-Carlo error if some count that rounds to the estimate is one of the central
        99.9% of outcomes of a binomial count with the published number of repetitions,
        contradicted otherwise; the sentence says how many standard errors lie between. Where
        the estimate is contradicted, or is none of the central 99%, the sentence names which of
        `readings` fit.

    Raises
    ------
    InputError
        If the probability is not in [0, 1].
    """
    arguments.pvalues([probability])
    printed = printed_interval(claim.published)
    chance = _chance(printed, probability, repetitions)
    fits = chance >= UNUSUAL
    error = np.hypot(np.sqrt(probability * (1 - probability) / repetitions), standard_error)
    distance = (printed.value - probability) / error if error else 0.0
    basis = "exact" if standard_error == 0 else "simulated"
    verdict = judge(
        claim,
        f"{probability:.4f}",
        WITHIN_MONTE_CARLO_ERROR if fits else CONTRADICTED,
        f"The {basis} probability is {probability:.4f}; {repetitions:,} repetitions have a "
        f"standard error of {error:.4f}: the printed value is {distance:+.1f} of them away.",
    )
    if chance >= NOTABLE:
        return verdict
    found = {
        fit: [
            f"{event} has probability {other:.4f}"
            for event, other in (readings or {}).items()
            if (_chance(printed, other, repetitions) >= UNUSUAL) == fit
        ]
        for fit in (True, False)
    }
    if fits:
        sentence = f"{verdict.sentence} Outcomes so far away have probability {chance:.4f}."
        if found[False]:
            sentence += f" {'; '.join(found[False])}, which does not fit."
        verdict = replace(verdict, sentence=sentence)
    return reread(verdict, f"{'; '.join(found[True])}, which fits." if found[True] else "")


def simulated_table(paper, item, printed, rows, repetitions):
    """Judge the published probabilities of a simulation.

    Parameters
    ----------
    paper, item : str
        Where the probabilities stand.
    printed : DataFrame of str
        Columns ``example``, ``quantity`` (``P(k_<estimator> > k)``) and ``printed``; other
        quantities are passed over.
    rows : DataFrame
        As `simulation.overestimation` returns it.
    repetitions : int
        Published number of repetitions.

    Returns
    -------
    list of Verdict
        One per row, against the exact probability where there is one.
    """
    found = printed.set_index(["example", "quantity"])["printed"]
    verdicts = []
    for row in rows.itertuples():
        quantity = f"P(k_{row.estimator} > k)"
        known = not np.isnan(row.exact)
        claim = f"{row.example} datasets: {quantity}"
        verdicts.append(
            monte_carlo(
                Claim(paper, item, claim, found[row.example, quantity]),
                row.exact if known else row.large,
                repetitions,
                standard_error=0.0 if known else row.large_error,
                readings={f"P(k_{row.estimator} > k + 1)": row.large_above_one},
            )
        )
    return verdicts


def repeated_test(claim, pvalue, cutoff, draws):
    """Judge how often a test is significant if it is repeated on the same data.

    Parameters
    ----------
    claim : Claim
        The share of significant results.
    pvalue : str
        The p-value of these data as printed.
    cutoff : float
        Level of significance, in (0, 1).
    draws : int
        Number of repetitions.

    Returns
    -------
    Verdict
        Reproduced if the share is that of an exact p-value, all or none, within rounding if it is
        that of a p-value that rounds to it. The p-value of a resampling test varies with its
        resamples, the printed one as well; any other share is contradicted if no number of them
        from 100 to 1,000,000 allows both it and the p-value among the central 99.9% of outcomes.
        Otherwise it cannot be checked, and the sentence gives the largest such number.
    """
    printed, p = printed_interval(claim.published), printed_interval(pvalue)
    low, exact, high = (float(end < cutoff) for end in (p.high, p.value, p.low))
    given = f"p is {pvalue} in all {draws:,} repetitions, which take the same data"
    if low in printed or high in printed:
        return judge(claim, f"{exact:.0%}", _verdict(exact in printed, True), f"{given}.")

    def possible(resamples):
        least, most = math.floor(p.low * resamples), math.ceil(p.high * resamples)
        truth = [
            special.betaincinv(max(least, 1e-9), resamples - least + 1, UNUSUAL / 2),
            special.betaincinv(most + 1, resamples - most, 1 - UNUSUAL / 2),
        ]
        below = math.ceil(cutoff * resamples * (1 - 1e-12)) - 1
        many, few = stats.binom.cdf(below, resamples, truth)
        nearest = min(max(printed.value, few), many)
        return _chance(printed, nearest, draws) >= UNUSUAL

    sizes = [first * 10**power for power in range(2, 6) for first in range(1, 10)] + [10**6]
    fits = [size for size in sizes if possible(size)]
    sentence = f"{given}: if it does not vary, {exact:.0%} of them are significant."
    if not fits:
        return judge(claim, f"{exact:.0%}", CONTRADICTED, sentence)
    return judge(
        claim,
        f"{exact:.0%} if p does not vary",
        UNCHECKED,
        f"{sentence} {claim.published} is possible if p varies around {cutoff:g}, as it may with "
        f"up to {fits[-1]:,} resamples; their number is not printed.",
    )


def value(claim, recomputed, sentence, unit=None):
    """Judge a published number against one that follows from it.

    Parameters
    ----------
    claim : Claim
        The number.
    recomputed : float or Interval
        What follows exactly, or the numbers that may follow before rounding.
    sentence : str
        The arithmetic.
    unit : float, optional
        Unit of the last printed digit, if the text does not show it ("roughly 80%").

    Returns
    -------
    Verdict
        Reproduced if `recomputed` rounds to the printed digits, within rounding if a number of
        its interval does, contradicted otherwise; then the sentence says if it would be right cut
        off instead of rounded.
    """
    printed = printed_interval(claim.published, unit)
    if not isinstance(recomputed, Interval):
        recomputed = Interval(recomputed, recomputed, recomputed)
    overlap = recomputed.low <= printed.high and printed.low <= recomputed.high
    text = f"{recomputed.value:.6g}"
    if recomputed.low < recomputed.high:
        text += f" ({recomputed.low:.6g} to {recomputed.high:.6g})"
    verdict = judge(claim, text, _verdict(recomputed.value in printed, overlap), sentence)
    plain = not set("<>/") & set(claim.published)
    if verdict.verdict == CONTRADICTED and plain and _cut_off(printed, recomputed.value):
        return reread(verdict, f"{recomputed.value:.6g} cut off after the last printed digit.")
    return verdict


OPERATIONS = {
    "difference": lambda a, b: a - b,
    "sum": lambda *a: math.fsum(a),
    "mean": lambda *a: math.fsum(a) / len(a),
    "ratio": lambda a, b: a / b,
    "share": lambda a, *rest: a / (a + math.fsum(rest)),
    "product": lambda a, b: a * b,
}
"""Arithmetic of `derived`; "share" is the first of all."""


def derived(claim, operation, texts, *, exact=False, unit=None):
    """Judge a number that the text derives from printed ones.

    Parameters
    ----------
    claim : Claim
        The number.
    operation : {"difference", "sum", "mean", "ratio", "share", "product"}
        How it is derived.
    texts : sequence of str
        The numbers as printed.
    exact : bool, default False
        Whether they are exact as printed (counts), so that no rounding is propagated.
    unit : float, optional
        As in `value`.

    Returns
    -------
    Verdict
        As `value`; the numbers before rounding are tried at both of their ends.

    Raises
    ------
    InputError
        If the operation is unknown or a text is no number.
    """
    checks.choice("operation", operation, OPERATIONS)
    intervals = [printed_interval(text) for text in texts]
    apply = OPERATIONS[operation]
    centre = apply(*(interval.value for interval in intervals))
    if exact:
        found = centre
    else:
        ends = [
            apply(*corner)
            for corner in itertools.product(
                *((interval.low, interval.high) for interval in intervals)
            )
        ]
        found = Interval(min(ends), centre, max(ends))
    sentence = f"The {operation} of {', '.join(map(str, texts))} is {centre:.6g}."
    return value(claim, found, sentence, unit)


def at_least_one(level, n):
    """Return the probability that at least one of n independent true null hypotheses is rejected.

    Parameters
    ----------
    level : float
        Level of each test, in (0, 1).
    n : int
        Number of tests.

    Returns
    -------
    float
        :math:`1 - (1 - level)^n`.

    Examples
    --------
    >>> round(at_least_one(0.05, 2), 4)
    0.0975
    """
    return -math.expm1(n * math.log1p(-checks.alpha(level)))


def either_of_two(level, rho):
    r"""Return the probability that one of two correlated two-sided tests rejects a true null.

    Parameters
    ----------
    level : float
        Level of each test, in (0, 1).
    rho : float
        Correlation of both normal test statistics, in (-1, 1).

    Returns
    -------
    float
        :math:`P(|z_1| > c \text{ or } |z_2| > c)`: between `level` (rho near 1) and
        `at_least_one(level, 2)` (rho = 0).

    Examples
    --------
    >>> round(either_of_two(0.05, 0.0), 4), round(either_of_two(0.05, 0.99), 4)
    (0.0975, 0.0566)
    """
    critical = -special.ndtri(checks.alpha(level) / 2)
    if not -1 < rho < 1:
        raise checks.InputError(f"rho is {rho!r}, but it lies strictly between -1 and 1.")
    spread = math.sqrt(1 - rho**2)

    def inside(x):
        upper, lower = (critical - rho * x) / spread, (-critical - rho * x) / spread
        return stats.norm.pdf(x) * (special.ndtr(upper) - special.ndtr(lower))

    return 1 - integrate.quad(inside, -critical, critical, epsabs=1e-12)[0]


def predictive_value(r, alpha, beta):
    r"""Return the probability that a finding is true (Ioannidis 2005).

    Parameters
    ----------
    r : float
        Ratio of true over null relations, above 0.
    alpha, beta : float
        Probabilities of a false positive and of a false negative, in (0, 1).

    Returns
    -------
    float
        :math:`(1 - \beta) R / (R - \beta R + \alpha)`.

    Examples
    --------
    >>> predictive_value(0.1, 0.05, 0.5)
    0.5
    """
    checks.alpha(alpha)
    checks.alpha(beta)
    if not r > 0:
        raise checks.InputError(f"r is {r!r}, but a ratio of true over null relations is above 0.")
    true = (1 - beta) * r
    return true / (true + alpha)


# --- what a test can give -----------------------------------------------------------------------


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


def correlation_test(claim, score_a, score_b, n, *, unit=None, digit=None):
    """Judge a p-value of two dependent correlations by the range that it can lie in.

    Parameters
    ----------
    claim : Claim
        The p-value.
    score_a, score_b, n, digit
        As for `correlation_range`.
    unit : float, optional
        Unit of the last printed digit of the p-value (for a bare "0").

    Returns
    -------
    Verdict
        Impossible if no test of `CORRELATION_TESTS` can give it, one-sided or two-sided; the
        sentence says with how many items it would be possible. Otherwise it cannot be checked
        without the correlation between the systems; the sentence says that it is possible.
    """
    printed = printed_interval(claim.published, unit)
    table = correlation_range(score_a, score_b, n, digit)
    fits = _overlaps(table, printed)
    shown = table[table["alternative"] == "two-sided"]
    span = f"{_p(shown['low'].min())} to {_p(shown['high'].max())} two-sided"
    given = f"With correlations {score_a} and {score_b} on {n:,} items"
    if fits.any():
        return judge(
            claim,
            span,
            UNCHECKED,
            f"{given} the p-value is possible: {span}, depending on the correlation between the "
            "systems, which is not printed.",
        )
    verdict = judge(
        claim,
        span,
        IMPOSSIBLE,
        f"{given} no correlation between the systems gives this p-value by Steiger's, Williams's "
        f"or Meng's test, one-sided or two-sided.",
    )
    sizes = range(4, n)
    enough = _largest(
        sizes, lambda m: _overlaps(correlation_range(score_a, score_b, m, digit), printed).any()
    )
    if enough is None:
        return verdict
    return replace(verdict, sentence=f"{verdict.sentence} It takes at most {enough:,} items.")


def correlation_column(paper, item, datasets, texts, scores_a, scores_b, sizes):
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

    Returns
    -------
    list of Verdict
        One per p-value. If some are impossible in their rows, and the smallest number of exchanges
        of two rows that makes all possible is unique or nearly so, their sentences say it.
    """
    datasets, texts = list(datasets), list(texts)
    intervals = printed_column(texts)
    digit = _finest([*scores_a, *scores_b])
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


def mcnemar_range(score_a, score_b, n, unit=None, variants=None, alternatives=None):
    """Return the p-values that McNemar's test can give for two accuracies.

    Parameters
    ----------
    score_a, score_b : str
        Accuracies as printed.
    n : int
        Number of items.
    unit : float, optional
        Unit of the last printed digit, if the texts do not show it (dropped zeros).
    variants, alternatives : sequence of str, optional
        Variants and alternatives of the test; all unless given.

    Returns
    -------
    DataFrame
        One row per variant, alternative, difference and number of discordant items: ``variant``,
        ``alternative``, ``difference``, ``discordant``, ``p_value``. The numbers of right answers
        are whole numbers that round to the printed accuracies, and the discordant items lie
        between their difference and what the errors, and the right answers, of both allow.

    Raises
    ------
    InputError
        If n is no number of items, or no whole number of right answers gives an accuracy.
    """
    right_a, right_b = _right(score_a, n, unit), _right(score_b, n, unit)
    for text, right in ((score_a, right_a), (score_b, right_b)):
        if not len(right):
            raise checks.InputError(f"No number of right answers out of {n:,} gives {text}.")
    most = {}  # difference -> largest number of items on which only B is right
    for a, b in itertools.product(right_a, right_b):
        most[a - b] = max(most.get(a - b, 0), min(b, n - a))
    losses = [np.arange(max(0, -d), top + 1) for d, top in most.items()]
    difference = np.repeat(list(most), [len(part) for part in losses])
    losses = np.concatenate(losses)
    wins = losses + difference
    frames = [
        pd.DataFrame(
            {
                "variant": variant,
                "alternative": alternative,
                "difference": difference,
                "discordant": wins + losses,
                "p_value": paired.mcnemar_pvalues(
                    wins, losses, variant=variant, alternative=alternative
                ),
            }
        )
        for variant in variants or paired.VARIANTS
        for alternative in alternatives or checks.ALTERNATIVES
    ]
    return pd.concat(frames, ignore_index=True)


def mcnemar(claim, score_a, score_b, n, *, unit=None, variants=None, alternatives=None):
    """Judge a p-value of McNemar's test by the values that it can take.

    Parameters
    ----------
    claim : Claim
        The p-value; "<0.05" is any below .05.
    score_a, score_b, n, unit, variants, alternatives
        As for `mcnemar_range`.

    Returns
    -------
    Verdict
        Impossible if no number of discordant items gives it, reproduced if every number does.
        Otherwise it cannot be checked without the outputs; the sentence says how it is possible.
        Where it is impossible with the digits of `unit`, the sentence says whether it is possible
        with the digits that are there.
    """
    printed = printed_interval(claim.published)
    ranges = mcnemar_range(score_a, score_b, n, unit, variants, alternatives)
    fits = _attained(ranges, printed)
    differences = sorted(set(ranges["difference"]))
    ahead = f"{differences[0]:+,}"
    if len(differences) > 1:
        ahead += f" to {differences[-1]:+,}"
    given = f"{score_a} and {score_b} of {n:,} items differ by {ahead} items"
    forms = ranges[["variant", "alternative"]].drop_duplicates()
    if fits.empty:
        nearest = ranges.assign(gap=(ranges["p_value"] - printed.value).abs())
        nearest = nearest.nsmallest(1, "gap").iloc[0]
        verdict = judge(
            claim,
            f"{_p(nearest['p_value'])} at the nearest",
            IMPOSSIBLE,
            f"{given}; no whole number of discordant items gives the p-value by any of "
            f"{len(forms)} forms of the test. The nearest is {_p(nearest['p_value'])} "
            f"({nearest['variant']} {nearest['alternative']}, {nearest['discordant']:,} "
            "discordant).",
        )
        if unit is None:
            return verdict
        loose = mcnemar_range(score_a, score_b, n, None, variants, alternatives)
        ways = _ways(_attained(loose, printed))
        reading = f"with accuracies rounded to the digits that are there it is possible by {ways}."
        return reread(verdict, reading if ways else "")
    two = ranges[ranges["alternative"] == forms["alternative"].iloc[-1]]["p_value"]
    span = f"{_p(two.min())} to {_p(two.max())} {forms['alternative'].iloc[-1]}"
    if len(fits) == len(ranges):
        return judge(
            claim, span, REPRODUCED, f"{given}; every number of discordant items gives such a p."
        )
    return judge(
        claim,
        span,
        UNCHECKED,
        f"{given}. The p-value is possible, with discordant items in brackets, by {_ways(fits)}. "
        "On which items the systems differ is not printed.",
    )


def mcnemar_column(paper, item, datasets, texts, scores_a, scores_b, n):
    """Judge a column of p-values of McNemar's test.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and accuracies as printed; accuracies have the digits of the longest,
        with zeros dropped.
    n : int
        Number of items of each dataset.

    Returns
    -------
    list of Verdict
        One per p-value.
    """
    unit = _finest([*scores_a, *scores_b])
    return [
        mcnemar(Claim(paper, item, f"p-value of {d}", text), a, b, n, unit=unit)
        for d, text, a, b in zip(datasets, texts, scores_a, scores_b, strict=True)
    ]


def mcnemar_forms(texts, scores_a, scores_b, n):
    """Count the p-values of a column that each form of McNemar's test can give.

    Parameters
    ----------
    texts, scores_a, scores_b, n
        As for `mcnemar_column`.

    Returns
    -------
    DataFrame
        One row per form: ``variant``, ``alternative``, ``possible`` (number of p-values).
    """
    unit = _finest([*scores_a, *scores_b])
    found = []
    for text, a, b in zip(texts, scores_a, scores_b, strict=True):
        ranges = mcnemar_range(a, b, n, unit)
        fits = _attained(ranges, printed_interval(text))
        forms = ranges[["variant", "alternative"]].drop_duplicates()
        keys = set(zip(fits["variant"], fits["alternative"], strict=True))
        found.append([key in keys for key in forms.itertuples(index=False, name=None)])
    return forms.assign(possible=np.sum(found, axis=0)).reset_index(drop=True)


def mcnemar_pairs(paper, item, systems, scores, n, published, **options):
    """Judge one statement about the p-values of McNemar's test for every pair of systems.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the section.
    systems, scores : sequence of str
        Systems and their accuracies as printed.
    n : int
        Number of items.
    published : str
        The statement, such as "<0.05".
    **options
        Options of `mcnemar`.

    Returns
    -------
    list of Verdict
        One per pair.
    """
    named = list(zip(systems, scores, strict=True))
    return [
        mcnemar(Claim(paper, item, f"p-value of {a} against {b}", published), x, y, n, **options)
        for (a, x), (b, y) in itertools.combinations(named, 2)
    ]


def granularity(claim, n, unit=None):
    """Judge whether a share can come from n items.

    Parameters
    ----------
    claim : Claim
        A share in [0, 1] or a percentage with its sign.
    n : int
        Number of items.
    unit : float, optional
        Unit of the last printed digit, if the text does not show it (dropped zeros).

    Returns
    -------
    Verdict
        Impossible if no whole number of n items rounds to it. Otherwise it cannot be checked; the
        sentence names the whole numbers that do.

    Examples
    --------
    >>> granularity(Claim("", "", "accuracy", "0.8005"), 2000).sentence
    '1,601 of 2,000 items round to 0.8005: possible; which items these are is not printed.'
    """
    right = _right(claim.published, n, unit)
    if not len(right):
        share = printed_interval(claim.published).value
        near = [k for k in (math.floor(share * n), math.ceil(share * n)) if k <= n]
        k = min(near, key=lambda k: abs(k / n - share))
        return judge(
            claim,
            f"{k / n:.6g} at the nearest",
            IMPOSSIBLE,
            f"No whole number of {n:,} items rounds to {claim.published}; the nearest is {k:,}.",
        )
    low, high = right[0], right[-1]
    found = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return judge(
        claim,
        f"{found} of {n:,}",
        UNCHECKED,
        f"{found} of {n:,} items round to {claim.published}: possible; which items these are is "
        "not printed.",
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
    unit = _finest([shown(text) for column in columns for text in printed[column]])
    return [
        granularity(
            Claim(paper, item, f"{column} of {shown(row[label])}", shown(row[column])), n, unit
        )
        for _, row in printed.iterrows()
        for column in columns
    ]


def smallest_grid(shares, unit=None, most=10_000):
    """Return the smallest number of items of which all printed shares can be shares.

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
    grids = (n for n in range(1, most + 1) if all(len(_right(s, n, unit)) for s in shares))
    return next(grids, None)


def wilson_limits(share, n, level=0.95):
    """Return Wilson's score interval for a share.

    Parameters
    ----------
    share : float
        Share of items, in [0, 1].
    n : int
        Number of items.
    level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    low, high : float
        Limits in [0, 1] (Wilson 1927).
    """
    z = special.ndtri(0.5 + checks.level(level) / 2)
    centre = share + z**2 / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return (centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)


def wilson(claim, share, n, limit, level=0.95):
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
    level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    Verdict
        As `value`, with the rounding of the share propagated.
    """
    side = ("low", "high").index(checks.choice("limit", limit, ("low", "high")))
    printed = printed_interval(share)
    ends = [wilson_limits(x, n, level)[side] for x in (printed.low, printed.value, printed.high)]
    return value(
        claim,
        Interval(*ends),
        f"Wilson's {level:.0%} interval for {share} of {n:,} items has its {limit} limit at "
        f"{ends[1]:.5f}.",
    )


def signed_rank(claim, n):
    """Judge a p-value of Wilcoxon's signed-rank test over n datasets without ties.

    Parameters
    ----------
    claim : Claim
        The p-value.
    n : int
        Number of datasets, at most 25.

    Returns
    -------
    Verdict
        Reproduced if a whole sum of ranks gives it two-sided by the normal approximation, with or
        without correction for continuity, or exactly; impossible if none does.
    """
    if not 1 <= n <= 25:
        raise checks.InputError(f"n is {n!r}; the check takes 1 to 25 datasets.")
    sums = np.arange(n * (n + 1) // 2 + 1)
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.convolve(ways, np.concatenate([[1], np.zeros(rank - 1), [1]]))
    middle, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    exact = np.minimum(1, 2 * ways.cumsum() / 2**n)
    laws = {"by the normal approximation": 0.0, "with a correction for continuity": 0.5}
    pvalues = {
        law: np.minimum(1, 2 * special.ndtr((sums - middle + shift) / spread))
        for law, shift in laws.items()
    } | {"exactly": exact}
    printed = printed_interval(claim.published)
    for law, p in pvalues.items():
        for w in sums[sums <= middle]:
            if p[w] in printed:
                return judge(
                    claim,
                    f"{p[w]:.4f}",
                    REPRODUCED,
                    f"A sum of ranks of {w} over {n} datasets gives {p[w]:.4f} {law}"
                    f" ({exact[w]:.4f} exactly).",
                )
    every = np.concatenate(list(pvalues.values()))
    nearest = every[np.argmin(np.abs(every - printed.value))]
    return judge(
        claim,
        f"{nearest:.4f} at the nearest",
        IMPOSSIBLE,
        f"No sum of ranks over {n} datasets without ties gives it; the nearest is {nearest:.4f}.",
    )


def extreme(printed, columns, which):
    """Return the smallest or largest p-value of every row: significant by some or by all tests.

    Parameters
    ----------
    printed : DataFrame of str
        Table of p-values.
    columns : sequence of str
        Its columns of p-values.
    which : {"smallest", "largest"}
        Which one.

    Returns
    -------
    list of str
        As printed, one per row.

    Examples
    --------
    >>> printed = pd.DataFrame({"a": ["0.2", "<0.001"], "b": ["0.03", "0.4"]})
    >>> extreme(printed, ["a", "b"], "smallest")
    ['0.03', '<0.001']
    """
    choose = {"smallest": min, "largest": max}[
        checks.choice("which", which, ("smallest", "largest"))
    ]
    for name in columns:
        checks.choice("column", name, printed.columns)
    rows = printed[list(columns)].itertuples(index=False, name=None)
    return [choose(row, key=lambda text: printed_interval(text).value) for row in rows]


# --- numbers quoted in a text -------------------------------------------------------------------


def quoted(paper, printed):
    """Make claims of the numbers that a text quotes.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        Columns ``section``, ``quantity``, ``relation`` ("~", "<", ">" or "") and ``printed``.

    Returns
    -------
    dict of str to dict of str to Claim
        Section -> quantity -> claim. A bare number is a section; "9.75e-2" is written "9.75%".
    """
    for name in ("section", "quantity", "relation", "printed"):
        checks.choice(f"text of {paper}: column", name, printed.columns)
    found = {}
    for row in printed.itertuples():
        claim = Claim(paper, _item(row.section), row.quantity, row.relation + shown(row.printed))
        found.setdefault(row.section, {})[row.quantity] = claim
    return found


def shown(text):
    """Write a printed percentage or number of thousands as a reader knows it.

    Parameters
    ----------
    text : str
        Such as "9.75e-2" or "162e3".

    Returns
    -------
    str
        Such as "9.75%" or "162k"; anything else unchanged.

    Examples
    --------
    >>> shown("10.0e-2"), shown("1.12e-08")
    ('10.0%', '1.12e-08')
    """
    number, mark, exponent = text.partition("e")
    return number + {"-2": "%", "3": "k"}[exponent] if mark and exponent in ("-2", "3") else text


def quoted_counts(paper, printed, pvalues, alpha):
    """Judge the estimates that a text quotes from its tables.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        As for `quoted`; a quantity reads "<comparison>: k_<estimator>", "... - k_<estimator>" or
        "(... - ...) / <unit>", with ", alpha = <level>" if the level is another, or
        "<comparison>: <unit>" for the number of datasets. Others are passed over.
    pvalues : dict of str to sequence of str
        Comparison -> its p-values as printed.
    alpha : float
        Level of significance, in (0, 1).

    Returns
    -------
    list of Verdict
        One per quantity that was understood.
    """
    verdicts = []
    for section in quoted(paper, printed).values():
        for quantity, claim in section.items():
            name, _, rest = quantity.partition(": ")
            formula, _, level = rest.partition(", alpha = ")
            if name not in pvalues:
                continue
            texts, at = pvalues[name], float(level or alpha)
            names = re.findall(r"k_(\w+)", formula)
            if len(names) == 1:
                verdicts.append(count(claim, texts, at, names[0]))
                continue
            numbers = [printed_interval(text).value for text in texts]
            found = [_estimate(numbers, at, name) for name in names]
            if len(names) == 2:
                share = "/" in claim.published or claim.published.endswith("%")
                result = (found[0] - found[1]) / (len(texts) if share else 1)
                words = f"{found[0]} - {found[1]} at alpha = {at:g}, {len(texts)} datasets."
                verdicts.append(value(claim, result, f"The printed p-values give {words}"))
            elif formula in UNITS:
                verdicts.append(value(claim, len(texts), "The number of printed p-values."))
    return verdicts


UNITS = ("datasets", "domains", "languages", "setups")
"""What papers call the datasets of a family."""


def remaining(paper, printed, verdicts, reason):
    """Record the quoted numbers that no check has judged.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        As for `quoted`, with ``kind``; settings of the authors are no claims and are passed over.
    verdicts : iterable of Verdict
        What has been judged.
    reason : str
        Why the others cannot be checked.

    Returns
    -------
    list of Verdict
        One per number left.
    """
    judged = {(verdict.paper, verdict.item, verdict.claim) for verdict in verdicts}
    return [
        unchecked(quoted(paper, printed)[row.section][row.quantity], reason)
        for row in printed.itertuples()
        if row.kind != "setting" and (paper, _item(row.section), row.quantity) not in judged
    ]


# --- what cannot be checked ---------------------------------------------------------------------


def unchecked(claim, reason):
    """Record a number that nothing printed decides.

    Parameters
    ----------
    claim : Claim
        The number.
    reason : str
        Why, as a sentence.

    Returns
    -------
    Verdict
        Cannot be checked.
    """
    return judge(claim, "", UNCHECKED, reason)


def unchecked_table(paper, item, printed, label, columns, reason):
    """Record the cells of a table that nothing printed decides.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    printed : DataFrame of str
        The table.
    label : str or sequence of str
        Columns that name the rows.
    columns : sequence of str
        Columns of numbers; empty cells are passed over.
    reason : str
        Why, as a sentence. Cells equal to the one in the row above or below, unless they are
        bounds such as "<0.001" or percentages, are said to be.

    Returns
    -------
    list of Verdict
        One per cell, row by row.
    """
    labels = [label] if isinstance(label, str) else list(label)
    for name in (*labels, *columns):
        checks.choice(f"{item}: column", name, printed.columns)
    names = printed[labels].map(shown).agg(" ".join, axis=1)
    verdicts = []
    for i, (_, row) in enumerate(printed.iterrows()):
        for column in columns:
            if row[column]:
                claim = Claim(paper, item, f"{column} of {names.iloc[i]}", shown(row[column]))
                twins = _twins(printed[column], names, i)
                reading = f"a copy of {' or '.join(twins)}, which has the same digits."
                verdicts.append(reread(unchecked(claim, reason), reading if twins else ""))
    return verdicts


# --- tables of verdicts -------------------------------------------------------------------------


def table(verdicts):
    """Tabulate verdicts.

    Parameters
    ----------
    verdicts : iterable of Verdict
        One per row.

    Returns
    -------
    DataFrame of str
        The attributes of `Verdict` as columns; papers in the order of their first row, tables of a
        paper before footnotes, abstract and sections, in an item numbers before lists and
        directions, and rows of a kind in their order.
    """
    verdicts = list(verdicts)
    papers, kinds = list(dict.fromkeys(verdict.paper for verdict in verdicts)), list(KINDS)
    verdicts.sort(key=lambda v: (papers.index(v.paper), _place(v.item), kinds.index(v.kind)))
    names = ["paper", "item", "kind", "claim", "published", "recomputed", "verdict", "sentence"]
    return pd.DataFrame([asdict(verdict) for verdict in verdicts], columns=names)


_PLACES = ("Table", "footnote", "Abstract", "Section")


def _place(item):
    """Order items: places as in `_PLACES`, others last, numbers within a place."""
    place = item.split(" ")[0]
    rank = _PLACES.index(place) if place in _PLACES else len(_PLACES)
    return rank, [int(number) for number in re.findall(r"\d+", item)]


def totals(verdicts):
    """Count verdicts, apart for numbers, lists and directions.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.

    Returns
    -------
    DataFrame
        Columns ``verdict`` and the values of `KINDS`, most favourable verdict first.
    """
    counts = pd.crosstab(verdicts["verdict"], verdicts["kind"])
    counts = counts.reindex(index=list(VERDICTS), columns=list(KINDS), fill_value=0)
    return counts.rename(columns=KINDS).rename_axis(columns=None).reset_index()


def totals_by(verdicts, *keys):
    """Count verdicts of each kind for papers, or items of papers.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    *keys : str
        Columns to group by, such as "paper" and "item".

    Returns
    -------
    DataFrame
        The keys, one column per verdict and ``total``, in the order of first appearance.
    """
    for key in keys:
        checks.choice("key", key, verdicts.columns)
    order = verdicts[list(keys)].drop_duplicates()
    counts = pd.crosstab([verdicts[key] for key in keys], verdicts["verdict"])
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0)
    counts["total"] = counts.sum(axis=1)
    return order.merge(counts.reset_index(), on=list(keys)).rename_axis(columns=None)


def listing(verdicts, width=96):
    """Write verdicts as a text, a paragraph each.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.
    width : int, default 96
        Characters in a line.

    Returns
    -------
    str
        Paper, item, claim, published and recomputed value, verdict, and the sentence.
    """
    paragraphs = []
    for row in verdicts.itertuples():
        head = f"{row.paper}, {row.item}, {row.claim}: printed {row.published}"
        head += f", recomputed {row.recomputed}" if row.recomputed else ""
        paragraphs.append(textwrap.fill(f"{head} ({row.verdict}).", width))
        indent = "    "
        paragraphs[-1] += "\n" + textwrap.fill(
            row.sentence, width, initial_indent=indent, subsequent_indent=indent
        )
    return "\n\n".join(paragraphs)


def disputed(verdicts):
    """Return the verdicts that are contradicted or impossible.

    Parameters
    ----------
    verdicts : DataFrame
        As `table` returns it.

    Returns
    -------
    DataFrame
        Those rows, in their order.
    """
    return verdicts[verdicts["verdict"].isin((CONTRADICTED, IMPOSSIBLE))]


def _estimate(pvalues, alpha, estimator):
    if estimator == "count":
        return partial_conjunction.k_count(pvalues, alpha)
    return partial_conjunction.k_hat(pvalues, alpha, estimator)


def _verdict(equal, possible):
    if equal:
        return REPRODUCED
    return WITHIN_ROUNDING if possible else CONTRADICTED


def _whole(text):
    """Return a printed whole number."""
    try:
        return int(text.strip().replace(",", ""))
    except ValueError:
        raise checks.InputError(f"{text!r} is not a printed whole number such as 7.") from None


def _item(section):
    """Write the number of a section as one."""
    return f"Section {section}" if section[:1].isdigit() else section


def _listing(names):
    return ", ".join(names) or "none"


def _p(value):
    """Write a p-value with three digits."""
    if value < 1e-99:
        return "0"
    return f"{value:.1e}" if value < 1e-4 else f"{value:.4f}"


def _chance(printed, probability, repetitions):
    """Return the probability of counts no likelier than the likeliest that rounds to a value."""
    low, high = math.ceil(printed.low * repetitions), math.floor(printed.high * repetitions)
    counts = {max(0, low), min(repetitions, high), round(printed.value * repetitions)}
    probability = min(max(probability, 0.0), 1.0)
    return max(
        stats.binomtest(k, repetitions, probability).pvalue for k in counts if 0 <= k <= repetitions
    )


def _test(name):
    """Check the name of a test."""
    if name is not None:
        checks.choice("test", name, paired.TESTS)


def _lead(a, b, systems):
    """Say which of two scores is ahead, and by how much."""
    ahead = systems[0] if a.value > b.value else systems[1]
    gap = abs(a.value - b.value)
    return f"{ahead} ahead by {gap:.6g}" if gap else "tie"


def _scored(score_a, score_b, systems):
    """Say which of two printed scores is ahead, as a sentence."""
    a, b = printed_interval(score_a).value, printed_interval(score_b).value
    if a == b:
        return f"Both score {score_a}."
    ahead = systems[0] if a > b else systems[1]
    return f"{systems[0]} scores {score_a} and {systems[1]} {score_b}: {ahead} is ahead."


def _cut_off(printed, number):
    """Whether a number gives the printed value when its further digits are dropped."""
    unit = printed.high - printed.low
    return bool(unit) and 0 <= (number - printed.value) / unit < 1


def _overlaps(ranges, printed):
    return (ranges["low"] <= printed.high) & (printed.low <= ranges["high"])


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
            f"{'one' if size == 1 else size} exchange{'s' if size > 1 else ''} of two rows "
            f"make{'s' if size == 1 else ''} every p-value of the column possible (in {len(found)} "
            f"way{'s' if len(found) > 1 else ''}); this row is {'then' if always else 'in some'} "
            f"exchanged with {partners}."
        )
    return told


def _right(text, n, unit=None):
    """Return the whole numbers of n items that round to a printed share."""
    if not (isinstance(n, int | np.integer) and n >= 1):
        raise checks.InputError(f"n is {n!r}, but a number of items is a whole number from 1.")
    share = printed_interval(text, unit)
    if share.value > 1:
        raise checks.InputError(f"{text!r} is no share of items; write a percentage with its sign.")
    low = math.ceil(share.low * n * (1 - 1e-12))
    high = math.floor(min(share.high, 1.0) * n * (1 + 1e-12))
    return np.arange(max(low, 0), min(high, n) + 1)


def _finest(texts):
    """Return the unit of the finest digit that a column prints."""
    units = [last_digit(t.rstrip("%")) * (0.01 if t.endswith("%") else 1) for t in texts]
    return float(f"{min(units):.15g}")


def _attained(ranges, printed):
    """Return the rows whose p-value rounds to the printed one."""
    p = ranges["p_value"]
    return ranges[(p >= printed.low * (1 - 1e-12)) & (p <= printed.high * (1 + 1e-12))]


def _ways(fits):
    """List forms of McNemar's test with the numbers of discordant items that they need."""
    ways = fits.groupby(["variant", "alternative"], sort=False)["discordant"].agg(["min", "max"])
    return "; ".join(
        f"{variant} {alternative} ({low:,}{'' if low == high else f' to {high:,}'})"
        for (variant, alternative), low, high in ways.itertuples()
    )


def _twins(cells, names, i):
    """Name the rows beside row i that have the same digits in a column."""
    cell = cells.iloc[i]
    if cell.startswith("<") or cell.endswith("%") or len(cell) < 5:
        return []
    return [names.iloc[j] for j in (i - 1, i + 1) if 0 <= j < len(cells) and cells.iloc[j] == cell]
