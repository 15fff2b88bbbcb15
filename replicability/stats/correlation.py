r"""Two dependent correlations: does A agree better with the gold ratings than B does?

The letters are those of the literature: j is the gold rating, k system A, h system B, so that
`r_jk` and `r_jh` are compared and `r_kh` is the correlation between the two systems. The matrix of
the three must be positive definite; `possible_r_kh` tells which third correlations keep it so.

==============  ==========================================================  ====================
function        what it compares                                            reference law
==============  ==========================================================  ====================
`steiger1980`   Fisher's z of both, covariance at their averaged value      normal
`williams1959`  the correlations themselves, with the determinant           t, n - 3 degrees
`meng1992`      Fisher's z of both, covariance at their mean square         normal
`zou2007`       interval for their difference from one interval for each    normal
==============  ==========================================================  ====================

All are derived for Pearson's correlation of normal ratings. There they keep their level, Steiger's
and Meng's z approximately for n below about 20. For Spearman's correlation, as the paper uses them
(Section 6.2), Fisher's z varies more than 1/(n - 3), the more so the stronger the correlation:
one-sided at .05, a true null hypothesis is rejected 5% of the time if both correlations of normal
ratings are at most .3, about 6% if they are .6, and about 7% if they are .8, whatever n is (20,000
simulations each, n = 10 to 353); Zou's interval of 95% then covers the difference in about 92%.

All work elementwise on arrays. Swapping A and B changes the sign of a statistic, and nothing else.

References
----------
Steiger (1980), Psychological Bulletin 87(2), 245-251. Williams (1959), Journal of the Royal
Statistical Society B 21(2), 396-399. Meng, Rosenthal and Rubin (1992), Psychological Bulletin
111(1), 172-175. Zou (2007), Psychological Methods 12(4), 399-413. Diedenhofen and Musch (2015),
PLoS ONE 10(4), for the letters.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments, gold_ratings
from replicability.stats.intervals import ConfidenceInterval


@dataclass(frozen=True)
class CorrelationTest:
    """Outcome of a test of two dependent correlations.

    Attributes
    ----------
    test : str
        Name of the function.
    statistic : float or ndarray
        z or t; positive where A agrees better with the gold ratings.
    pvalue : float or ndarray
        In [0, 1]; 1 where the systems are identical.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis; "greater" is "A agrees better".
    effect : float or ndarray
        r_jk - r_jh.
    """

    test: str
    statistic: np.ndarray
    pvalue: np.ndarray
    alternative: str
    effect: np.ndarray


@dataclass(frozen=True)
class Bounds:
    """An open interval.

    Attributes
    ----------
    low, high : float or ndarray
        The limits, neither of which belongs to it.
    """

    low: np.ndarray
    high: np.ndarray


def steiger1980(r_jk, r_jh, r_kh, n, *, alternative="greater"):
    r"""Test two dependent correlations by Fisher's z and a pooled covariance (Steiger 1980).

    Parameters
    ----------
    r_jk, r_jh : array_like
        Correlations of A and of B with the gold ratings, in (-1, 1).
    r_kh : array_like
        Correlation between A and B; in the interval that `possible_r_kh` gives, or 1 with
        `r_jk` equal to `r_jh` for identical systems.
    n : array_like of int
        Number of rated items, at least 4.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" is "A agrees better with the gold ratings".

    Returns
    -------
    CorrelationTest
        z and its p-value; p = 1 for identical systems.

    Raises
    ------
    InputError
        If a correlation is not in [-1, 1], the three are impossible together, n is too small or
        the alternative is unknown.

    Notes
    -----
    Formula 14 of Steiger (1980), with the covariance of formula 10 at :math:`\bar r`, the mean of
    both correlations. The variance is computed in the equal form

    .. math:: 2 - 2 c = (1 - r_{kh}) \, (2 - \bar r^2 (3 - r_{kh})) / (1 - \bar r^2)^2

    which loses no digits when the systems are nearly identical.

    Examples
    --------
    >>> round(steiger1980(0.4, 0.5, 0.1, 103).statistic, 4)  # Steiger 1980, page 249, Case A
    -0.8887
    """
    checks.alternative(alternative)
    triple = _checked(r_jk, r_jh, r_kh, n)
    mean_square = (triple.a + triple.b) ** 2 / 4
    return _normal("steiger1980", triple, mean_square, alternative)


def meng1992(r_jk, r_jh, r_kh, n, *, alternative="greater"):
    r"""Test two dependent correlations by Fisher's z (Meng, Rosenthal and Rubin 1992).

    Parameters
    ----------
    r_jk, r_jh, r_kh, n, alternative
        As for `steiger1980`.

    Returns
    -------
    CorrelationTest
        z and its p-value; p = 1 for identical systems.

    Raises
    ------
    InputError
        As `steiger1980`.

    Notes
    -----
    Formulas 1 to 3 of Meng, Rosenthal and Rubin (1992). Unless their f, :math:`(1 - r_{kh}) /
    (2 - 2 \overline{r^2})`, is above 1 and so cut to 1, this is Steiger's z with the mean of the
    squared correlations in place of the square of their mean.

    Examples
    --------
    >>> round(meng1992(0.63, -0.03, -0.19, 15).pvalue, 3)  # their first example
    0.047
    """
    checks.alternative(alternative)
    triple = _checked(r_jk, r_jh, r_kh, n)
    mean_square = (triple.a**2 + triple.b**2) / 2
    return _normal("meng1992", triple, mean_square, alternative)


def williams1959(r_jk, r_jh, r_kh, n, *, alternative="greater"):
    r"""Test two dependent correlations by Williams's t (Williams 1959).

    Parameters
    ----------
    r_jk, r_jh, r_kh, n, alternative
        As for `steiger1980`.

    Returns
    -------
    CorrelationTest
        t with n - 3 degrees of freedom and its p-value; p = 1 for identical systems.

    Raises
    ------
    InputError
        As `steiger1980`.

    Notes
    -----
    Formula 7 of Steiger (1980), who recommends it for small n:

    .. math:: t = (r_{jk} - r_{jh}) \sqrt{\frac{(n-1)(1 + r_{kh})}
              {2 \frac{n-1}{n-3} |R| + \bar r^2 (1 - r_{kh})^3}}

    with :math:`|R|` the determinant of the matrix of the three correlations.

    Examples
    --------
    >>> round(williams1959(0.3, 0.4, 0.5, 100).statistic, 4)
    -1.0767
    """
    checks.alternative(alternative)
    triple = _checked(r_jk, r_jh, r_kh, n)
    a, b, c, n = triple.a, triple.b, triple.c, triple.n
    mean_square = (a + b) ** 2 / 4
    variance = 2 * (n - 1) / (n - 3) * _determinant(a, b, c) + mean_square * (1 - c) ** 3
    t = (a - b) * np.sqrt((n - 1) * (1 + c) / variance)
    return _result(
        "williams1959", triple, t, lambda value: special.stdtr(n - 3, value), alternative
    )


def zou2007(r_jk, r_jh, r_kh, n, *, confidence_level=0.95):
    r"""Confidence interval for the difference of two dependent correlations (Zou 2007).

    Parameters
    ----------
    r_jk, r_jh, r_kh, n
        As for `steiger1980`.
    confidence_level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    ConfidenceInterval
        Two-sided limits for r_jk - r_jh, in (-2, 2); [0, 0] for identical systems.

    Raises
    ------
    InputError
        As `steiger1980`, and if the level is not in (0, 1).

    Notes
    -----
    Page 409 of Zou (2007): the distances from each correlation to the limits of its own interval,
    by Fisher's z, are put together with the correlation of the two estimates.

    Examples
    --------
    >>> interval = zou2007(0.396, 0.179, 0.088, 66)  # Zou 2007, page 409
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.093, 0.517)
    """
    confidence_level = checks.confidence_level(confidence_level)
    triple = _checked(r_jk, r_jh, r_kh, n)
    a, b, c = triple.a, triple.b, triple.c
    half = special.ndtri(0.5 + confidence_level / 2) / np.sqrt(triple.n - 3)
    a_low, a_high = a - np.tanh(np.arctanh(a) - half), np.tanh(np.arctanh(a) + half) - a
    b_low, b_high = b - np.tanh(np.arctanh(b) - half), np.tanh(np.arctanh(b) + half) - b
    correlation = _covariance(a, b, c)
    low = (a - b) - _hypotenuse(a_low, b_high, correlation)
    high = (a - b) + _hypotenuse(a_high, b_low, correlation)
    return ConfidenceInterval(
        _plain(np.where(triple.identical, 0.0, low)),
        _plain(np.where(triple.identical, 0.0, high)),
        confidence_level,
    )


def possible_r_kh(r_jk, r_jh):
    r"""Give the correlations between A and B that are possible given two with the gold ratings.

    Parameters
    ----------
    r_jk, r_jh : array_like
        Correlations of A and of B with the gold ratings, in [-1, 1].

    Returns
    -------
    Bounds
        The open interval :math:`r_{jk} r_{jh} \pm \sqrt{(1 - r_{jk}^2)(1 - r_{jh}^2)}` in which
        the matrix of the three is positive definite; empty where a correlation is -1 or 1.

    Raises
    ------
    InputError
        If a correlation is not in [-1, 1], or the shapes do not fit together.

    Examples
    --------
    >>> bounds = possible_r_kh(0.8, 0.6)
    >>> round(bounds.low, 12), round(bounds.high, 12)
    (0.0, 0.96)
    """
    a, b = arguments.together(
        r_jk=arguments.correlations("r_jk", r_jk), r_jh=arguments.correlations("r_jh", r_jh)
    )
    bounds = _bounds(a, b)
    return Bounds(_plain(bounds.low), _plain(bounds.high))


def pvalue(statistic, law, alternative):
    """p-value of a statistic whose law under the null hypothesis is symmetric around 0.

    Parameters
    ----------
    statistic : ndarray
        Positive where A is better.
    law : callable
        Distribution function; accurate in its lower tail.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    ndarray
        Lower tail at the negated statistic, at the statistic, or twice the smaller one. No tail is
        the complement of another, so that changing the sign changes "greater" into "less" exactly.
    """
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * law(-np.abs(statistic)))
    return law(-statistic if alternative == "greater" else statistic)


# --- three correlations that are possible together -----------------------------------------------


def _checked(r_jk, r_jh, r_kh, n):
    """Check three correlations and n; identical systems are replaced by zeros and marked."""
    a, b, c, n = arguments.together(
        r_jk=arguments.correlations("r_jk", r_jk),
        r_jh=arguments.correlations("r_jh", r_jh),
        r_kh=arguments.correlations("r_kh", r_kh),
        n=gold_ratings.number(n),
    )
    identical = (a == b) & (c == 1)
    bounds = _bounds(a, b)
    impossible = ~(identical | ((bounds.low < c) & (c < bounds.high)))
    if impossible.any():
        index = np.argwhere(impossible)[0]
        raise checks.InputError(_impossible(index, a, b, c, bounds))
    effect = a - b
    return _Triple(*(np.where(identical, 0.0, r) for r in (a, b, c)), n, identical, effect)


def _impossible(index, a, b, c, bounds):
    """Say why three correlations cannot be those of three ratings."""
    at = tuple(index)
    for name, value in (("r_jk", a[at]), ("r_jh", b[at])):
        if abs(value) == 1:
            return (
                f"{checks.place(name, index)} is {value:g}, but the test needs correlations "
                "strictly between -1 and 1; leave this dataset out, because a perfect "
                "correlation cannot be tested."
            )
    return (
        f"{checks.place('r_kh', index)} is {c[at]:g}, but with r_jk = {a[at]:g} and r_jh = "
        f"{b[at]:g} it must lie strictly between {bounds.low[at]:.6g} and {bounds.high[at]:.6g}; "
        "check that all three correlations were computed from the same items."
    )


# --- formulas; every sum and product is symmetric in A and B to the last bit ---------------------


@dataclass(frozen=True)
class _Triple:
    """Checked correlations r_jk, r_jh, r_kh as a, b, c, all zero where systems are identical."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    n: np.ndarray
    identical: np.ndarray
    effect: np.ndarray


def _half_width(a, b):
    return np.sqrt(((1 - a) * (1 + a)) * ((1 - b) * (1 + b)))


def _bounds(a, b):
    width = _half_width(a, b)
    return Bounds(a * b - width, a * b + width)


def _determinant(a, b, c):
    """Return |R| as a product of two distances, which cancels nothing."""
    width, product = _half_width(a, b), a * b
    return (c - (product - width)) * ((product + width) - c)


def _covariance(a, b, c):
    """Return the correlation of the two estimates (Zou 2007, page 409)."""
    rest = 1 - (a**2 + b**2) - c**2
    return ((c - a * b / 2) * rest + c**3) / (((1 - a) * (1 + a)) * ((1 - b) * (1 + b)))


def _hypotenuse(first, second, correlation):
    square = (first**2 + second**2) - 2 * correlation * (first * second)
    return np.sqrt(np.maximum(square, 0))


def _normal(test, triple, mean_square, alternative):
    """Return Fisher's z of both, with the covariance at one squared correlation."""
    c = triple.c
    f = np.minimum((1 - c) / (2 * (1 - mean_square)), 1)
    variance = 2 * (1 - c) * (1 - f * mean_square) / (1 - mean_square)
    z = (np.arctanh(triple.a) - np.arctanh(triple.b)) * np.sqrt((triple.n - 3) / variance)
    return _result(test, triple, z, special.ndtr, alternative)


def _result(test, triple, statistic, law, alternative):
    p = np.where(triple.identical, 1.0, pvalue(statistic, law, alternative))
    return CorrelationTest(test, _plain(statistic), _plain(p), alternative, _plain(triple.effect))


def _plain(array):
    """Return a float for a single value."""
    return array if np.ndim(array) else float(array)
