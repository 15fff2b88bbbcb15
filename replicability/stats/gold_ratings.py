"""Gold ratings and those of two systems: what is accepted, and how they correlate."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from replicability import checks
from replicability.stats import arguments

RATED_ITEMS = 4
"""Minimum number of items for comparing correlations: Fisher's z has variance 1/(n - 3)."""


KINDS = ("spearman", "pearson")
"""Kinds of correlation that `correlations` computes."""


@dataclass(frozen=True)
class Correlations:
    """The three correlations of gold ratings and two systems.

    Attributes
    ----------
    r_jk, r_jh, r_kh : float
        Gold with A, gold with B, A with B.
    n : int
        Number of rated items.
    """

    r_jk: float
    r_jh: float
    r_kh: float
    n: int


def number(n):
    """Return numbers of rated items as floats.

    Parameters
    ----------
    n : array_like of int
        The numbers.

    Returns
    -------
    ndarray of float64
        The numbers, in the shape of `n`.

    Raises
    ------
    InputError
        If one is no whole number of at least `RATED_ITEMS`.
    """
    array = arguments.floats(
        "n", n, "n is {values}, but must be a number; pass the number of rated items."
    )
    index = checks.first_true(
        ~((array >= RATED_ITEMS) & (array == np.floor(array)) & np.isfinite(array))
    )
    if index is not None:
        raise checks.InputError(
            f"{checks.place('n', index)} is {array[index]:g}, but comparing two correlations needs "
            f"at least {RATED_ITEMS} items (a whole number); leave this dataset out."
        )
    return array


def checked(gold, a, b):
    """Return gold ratings and those of two systems as floats.

    Parameters
    ----------
    gold, a, b : array_like, shape (n,)
        Ratings of the same items in the same order.

    Returns
    -------
    list of ndarray of float64, shape (n,)
        The three.

    Raises
    ------
    InputError
        If lengths differ, there are fewer than `RATED_ITEMS`, a rating is masked or no finite
        number, or the ratings of one are all equal.
    """
    named = {"The gold ratings": gold, "The ratings of A": a, "The ratings of B": b}
    columns = [_vector(name, values) for name, values in named.items()]
    sizes = [column.size for column in columns]
    if len(set(sizes)) > 1:
        raise checks.InputError(
            f"The numbers of gold ratings, ratings of A and ratings of B differ ({sizes[0]}, "
            f"{sizes[1]} and {sizes[2]}); pass one rating of each kind for every item."
        )
    if sizes[0] < RATED_ITEMS:
        raise checks.InputError(
            f"Comparing two correlations needs at least {RATED_ITEMS} rated items, but this "
            f"dataset has {sizes[0]}; leave it out."
        )
    for name, column in zip(named, columns, strict=True):
        if (column == column[0]).all():
            raise checks.InputError(
                f"{name} are all equal, so their correlation is not defined; leave this dataset "
                "out."
            )
    return columns


def _vector(name, values):
    """Return ratings as a vector of finite floats."""
    array = arguments.floats(
        name[0].lower() + name[1:],
        values,
        f"{name} are not all numbers; pass one number for every item.",
        truths=True,
    )
    if array.ndim != 1:
        raise checks.InputError(
            f"{name} are not a one-dimensional sequence (number of axes: {array.ndim}); pass one "
            "number for every item."
        )
    index = checks.first_true(~np.isfinite(array))
    if index is not None:
        raise checks.InputError(
            f"{name} include {array[index]} for item {index[0]}, but every rating must be a finite "
            "number; leave that item out of all three sequences."
        )
    return array


def correlations(gold, a, b, *, kind="spearman"):
    """Correlate gold ratings and the ratings of two systems with each other.

    Parameters
    ----------
    gold, a, b : array_like, shape (n,)
        Ratings of the same items in the same order; none of the three constant.
    kind : {"spearman", "pearson"}, default "spearman"
        Correlation of the ranks (equal ratings share their mean rank), or of the ratings.

    Returns
    -------
    Correlations
        The three correlations and n. Where one system is an increasing function of the other
        (linear, for "pearson"), they are given as identical: r_kh = 1 and r_jk = r_jh.

    Raises
    ------
    InputError
        If lengths differ, there are fewer than 4 items, a rating is missing or infinite, ratings
        are constant, or the kind is unknown.

    Examples
    --------
    >>> correlations([1, 2, 3, 4], [1, 3, 2, 4], [4, 1, 3, 2])
    Correlations(r_jk=0.8, r_jh=-0.4, r_kh=-0.8, n=4)
    """
    checks.choice("kind", kind, KINDS)
    columns = checked(gold, a, b)
    n = columns[0].size
    if kind == "spearman":
        columns = [scipy.stats.rankdata(column) for column in columns]
    gold, a, b = map(_centred, columns)
    r_jk = _coefficient(gold, a)
    if np.allclose(a / _length(a), b / _length(b), rtol=0, atol=1e-12):
        return Correlations(r_jk, r_jk, 1.0, n)
    return Correlations(r_jk, _coefficient(gold, b), _coefficient(a, b), n)


def _sum_of_products(first, second):
    """Return the sum, rounded once, so that the order of the items has no part in it."""
    return math.fsum((first * second).tolist())


def _centred(column):
    """Subtract the mean, and divide by a power of two, so that squares stay in range."""
    centred = column - math.fsum(column.tolist()) / column.size
    return np.ldexp(centred, -math.frexp(np.abs(centred).max())[1])


def _length(centred):
    return math.sqrt(_sum_of_products(centred, centred))


def _coefficient(first, second):
    """Return the correlation of two centred ratings; rounding never leaves [-1, 1]."""
    squares = _sum_of_products(first, first) * _sum_of_products(second, second)
    r = _sum_of_products(first, second) / math.sqrt(squares)
    return min(1.0, max(-1.0, r))
