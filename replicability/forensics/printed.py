"""Printed numbers: the range of values behind each, and the digits that it shows."""

import math
import re
from dataclasses import dataclass

import numpy as np

from replicability import checks


@dataclass(frozen=True)
class Interval:
    """The range of values that a printed number can have been rounded from.

    Attributes
    ----------
    low, value, high : float
        Smallest, printed and largest number.
    """

    low: float
    value: float
    high: float

    def __contains__(self, number):
        """Whether a number can have been printed like this; the ends belong to the range."""
        slack = 1e-12 * abs(self.value)
        return self.low - slack <= number <= self.high + slack


THOUSANDS = re.compile(r"[<>]?\s*[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?\s*[%k]?")
"""Matches numbers whose commas separate thousands."""

PRINTINGS = ("rounded", "truncated", "either")
"""How digits were printed: rounded, truncated, or unknown."""


def printed_interval(text, unit=None, printing="rounded"):
    """Return the range of values that a printed number can have been rounded from.

    Parameters
    ----------
    text : str
        As printed: "0.0979", "1.12e-08", "1,000", "50k", "21.7%", "~0.12", "<0.001", "5/6".
    unit : float, optional
        Unit of the last printed digit, if the text does not show it (a bare "0", "roughly 80%").
    printing : {"rounded", "truncated", "either"}, default "rounded"
        How its digits were printed; `infer_printing` finds it for a column.

    Returns
    -------
    Interval
        Rounded: the number and half a unit of its last digit on both sides, not below 0 for a
        printed 0. Truncated: up to one unit further from 0. Either: all of both. "<0.001" is
        everything from 0 to 0.001, ">0.5" all above it; "5/6" lies between 5/6.5 and 5/5.5.

    Raises
    ------
    InputError
        If the text is no number, or the printing is unknown.

    Examples
    --------
    >>> printed_interval("0.0099")
    Interval(low=0.00985, value=0.0099, high=0.00995)
    >>> printed_interval("21.7%")
    Interval(low=0.2165, value=0.217, high=0.2175)
    >>> printed_interval("0.0268", printing="truncated").high < 0.0269
    True
    """
    checks.choice("printing", printing, PRINTINGS)
    plain = str(text).strip().lstrip("~∼≈ ").strip()
    if any("," in part and not THOUSANDS.fullmatch(part) for part in plain.split("/")):
        raise checks.InputError(
            f"{text!r} has a comma that does not separate thousands; write decimals with a point."
        )
    plain = plain.replace(",", "")
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
        digit = last_digit(number) * scale if unit is None else unit
    except (ValueError, ZeroDivisionError):
        raise checks.InputError(f"{text!r} is not a printed number such as 0.0979.") from None
    if not math.isfinite(value):
        raise checks.InputError(f"{text!r} is not a printed number such as 0.0979.")
    inwards, outwards = {
        "rounded": (digit / 2, digit / 2),
        "truncated": (0.0, digit * (1 - 1e-9)),  # the next digit itself would be printed
        "either": (digit / 2, digit * (1 - 1e-9)),
    }[printing]
    value *= scale
    below, above = (inwards, outwards) if value >= 0 else (outwards, inwards)
    low = value - below if value else 0.0
    return Interval(*(float(f"{end:.15g}") for end in (low, value, value + above)))


@dataclass(frozen=True)
class Printing:
    """How the digits of a column were printed, and what says so.

    Attributes
    ----------
    mode : {"rounded", "truncated", "either"}
        What fits more cells; "either" if both fit as many.
    cells : int
        Number of cells whose value is known from elsewhere.
    rounded, truncated : int
        Number of these that rounding gives, and that cutting off gives.
    """

    mode: str
    cells: int
    rounded: int
    truncated: int

    def __str__(self):
        """Describe the printing in a sentence."""
        if self.mode == "either":
            return (
                f"The cells with known values ({self.cells}) do not show whether the numbers "
                "were rounded or truncated."
            )
        other, by = (
            ("truncated", "truncation") if self.mode == "rounded" else ("rounded", "rounding")
        )
        return (
            f"The numbers were {self.mode}, which fits {getattr(self, self.mode)} of the "
            f"{self.cells} cells with known values; {by} would fit {getattr(self, other)}."
        )


def infer_printing(texts, values):
    """Infer from a column whether its digits were rounded or cut off.

    Parameters
    ----------
    texts : sequence of str
        Numbers as printed.
    values : sequence
        For each what it stands for, as far as it is known: a number, an array of the numbers that
        are possible, an `Interval`, such as that of the same number printed with more digits
        elsewhere, or None.

    Returns
    -------
    Printing
        The mode that fits more cells.

    Raises
    ------
    InputError
        If there are not as many values as texts, or a text is no number.

    Notes
    -----
    One rule applies to the whole column, because a single cell, such as 0.25 for 0.2512, often
    fits both. Cells that fit neither are misprints or have another value; they are not counted.

    Examples
    --------
    >>> print(infer_printing(["0.0046", "0.0376"], [0.00466, 0.03761]))
    The numbers were truncated, which fits 2 of the 2 cells with known values; rounding would fit 1.
    """
    if len(texts) != len(values):
        raise checks.InputError(
            f"There are {len(texts)} printed numbers but {len(values)} values; pass one value, or "
            "None, for each number."
        )
    known = [(text, value) for text, value in zip(texts, values, strict=True) if value is not None]
    fits = {
        mode: sum(_stands_for(printed_interval(text, None, mode), value) for text, value in known)
        for mode in ("rounded", "truncated")
    }
    mode = max(fits, key=fits.get) if fits["rounded"] != fits["truncated"] else "either"
    return Printing(mode, len(known), **fits)


def _stands_for(printed, value):
    """Whether a printed number may stand for a number, one of several, or one of an interval."""
    if isinstance(value, Interval):
        return printed.low <= value.high and value.low <= printed.high
    slack = 1e-12 * abs(printed.value)
    value = np.atleast_1d(np.asarray(value, dtype=float))
    return bool(((value >= printed.low - slack) & (value <= printed.high + slack)).any())


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


def finest_digit(texts):
    """Return the unit of the finest digit that a column prints.

    `texts` (sequence of str): numbers as printed, perhaps as percentages.

    Returns float. Such as 0.0001 for "0.98" and "0.9712".
    """
    units = [last_digit(t.rstrip("%")) * (0.01 if t.endswith("%") else 1) for t in texts]
    return float(f"{min(units):.15g}")


def printed_column(texts, printing="rounded"):
    """Return the intervals of a column of printed p-values.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed.
    printing : {"rounded", "truncated", "either"}, default "rounded"
        How their digits were printed.

    Returns
    -------
    list of Interval
        A printed zero lies between 0 and half a unit of the finest digit that the column prints,
        because its own digits do not say how small it is.
    """
    texts = [str(text) for text in texts]
    if not texts:
        raise checks.InputError(
            "The column of p-values is empty; pass the printed p-value of each dataset as a string."
        )
    intervals = [printed_interval(text, None, printing) for text in texts]
    finest = min(last_digit(text) for text in texts)
    return [
        found
        if found.value or text.startswith("<")
        else printed_interval(text, min(finest, last_digit(text)), printing)
        for text, found in zip(texts, intervals, strict=True)
    ]


def printed_pvalues(texts, printing="rounded"):
    """Return the bounds of a column of printed p-values.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed, n of them.
    printing : {"rounded", "truncated", "either"}, default "rounded"
        How their digits were printed.

    Returns
    -------
    low, high : ndarray of float, shape (n,)
        Bounds in [0, 1], as `printed_column` gives them.
    """
    intervals = printed_column(texts, printing)
    low = np.array([interval.low for interval in intervals])
    high = np.array([interval.high for interval in intervals])
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def whole_number(text):
    """Return a printed whole number.

    `text`: such as "1,000".

    Returns int. The number.

    Raises `InputError`: if the text is no whole number.
    """
    try:
        return int(text.strip().replace(",", ""))
    except ValueError:
        raise checks.InputError(f"{text!r} is not a printed whole number such as 7.") from None


def shown(text):
    """Write a printed percentage or number of thousands as readers expect it.

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


def pvalue_text(value):
    """Write a p-value as the sentences of verdicts do.

    `value`: in [0, 1].

    Returns str. With four decimals; below 0.0001 with two digits and an exponent, "0" if it
    vanishes.
    """
    if value < 1e-99:
        return "0"
    return f"{value:.1e}" if value < 1e-4 else f"{value:.4f}"
