"""Claims, verdicts, and the intervals of printed numbers."""

import math
from dataclasses import asdict, dataclass, replace

import numpy as np
from scipy import stats

from replicability import checks
from replicability.stats import correlation, partial_conjunction

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


def _cut_off(printed, number):
    """Whether a number gives the printed value when its further digits are dropped."""
    unit = printed.high - printed.low
    return bool(unit) and 0 <= (number - printed.value) / unit < 1


def _overlaps(ranges, printed):
    return (ranges["low"] <= printed.high) & (printed.low <= ranges["high"])


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


def _twins(cells, names, i):
    """Name the rows beside row i that have the same digits in a column."""
    cell = cells.iloc[i]
    if cell.startswith("<") or cell.endswith("%") or len(cell) < 5:
        return []
    return [names.iloc[j] for j in (i - 1, i + 1) if 0 <= j < len(cells) and cells.iloc[j] == cell]
