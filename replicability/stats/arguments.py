"""Checks of the arrays that statistical functions take."""

import numpy as np

from replicability.checks import (
    InputError,
    cut,
    enumerated,
    first_true,
    is_whole,
    place,
    refuse_foreign,
)

# --- a family of p-values ------------------------------------------------------------------------


_ONE = np.float64(1).view(np.uint64)


def pvalues(values, axis=-1):
    """Return p-values as an array of floats whose last axis runs over the datasets of a family.

    `values` (array_like): p-values, each in [0, 1]; ``shape[axis]`` is the number of datasets, at
    least one. `axis`: the axis that runs over the datasets of one family.

    Returns ndarray of float64. A view or copy with the datasets along the last axis; the input is
    never changed.

    Raises `InputError`: if a value is no number, a truth value, masked, NaN, infinite, negative or
    above one, a family is empty, or there is no such axis.
    """
    refuse_foreign("pvalues", values)
    if isinstance(values, list | tuple) and any("_" in p for p in values if isinstance(p, str)):
        raise InputError(
            "A p-value was passed as text that contains an underscore; pass numbers."
        )  # as Python's 1_000
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(_not_numeric(values)) from None
    if array.ndim == 0:
        raise InputError(
            f"pvalues is the single value {cut(values)}; pass a sequence with one p-value per "
            "dataset."
        )
    _check_axis(axis, array.ndim)
    if array.shape[axis] == 0:
        raise InputError(
            "pvalues is empty, but a family needs at least one dataset; pass at least one p-value."
        )
    # As whole numbers, the bits of 0 to 1 are the smallest: one pass sees every fault, and -0.
    if (
        array.size
        and array.view(np.uint64).max() > _ONE
        and not ((array >= 0) & (array <= 1)).all()
    ):
        index = first_true(~((array >= 0) & (array <= 1)))
        raise InputError(
            f"{place('pvalues', index)} is {array[index]}, but a p-value is a number in [0, 1]; "
            "leave out datasets that have none."
        )
    return np.moveaxis(array, axis, -1)


def _check_axis(axis, n_axes):
    """Refuse what is not the number of one axis of p-values."""
    if not is_whole(axis):
        raise InputError(
            f"axis is {axis!r}; pass one integer, the axis that runs over the datasets of a "
            "family, such as -1 for the last axis."
        )
    if not -n_axes <= axis < n_axes:
        raise InputError(
            f"axis is {axis}, which is out of range; the number of axes of pvalues is {n_axes}."
        )


def _not_numeric(values):
    """Say which of the values is no number."""
    for index, value in enumerate(np.asarray([*values], dtype=object).ravel()):
        if isinstance(value, list | tuple | np.ndarray):
            return "pvalues is ragged; give every family the same number of datasets."
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            return (
                f"pvalues[{index}] is {cut(value)}, but a p-value is a number in [0, 1]; pass "
                "numbers."
            )
    return "pvalues cannot be converted to an array; pass numbers in [0, 1]."


# --- one number for each instance ----------------------------------------------------------------


def numbers(name, values):
    """Return finite numbers.

    `name`: what the values are, for the message. `values` (array_like): the numbers.

    Returns ndarray of float64. The numbers, in the shape of `values`.

    Raises `InputError`: if one is no number, a truth value, masked, NaN or infinite.
    """
    array = floats(name, values, f"{name} must be an array of numbers, with rows of equal length.")
    index = first_true(~np.isfinite(array))
    if index is not None:
        raise InputError(f"{place(name, index)} is {array[index]}; pass a finite number.")
    return array


def vector(name, values):
    """Return one finite number for each item.

    `name`: what the values are, for the message. `values` (array_like, shape (n,)): the numbers, at
    least one.

    Returns ndarray of float64, shape (n,). The numbers; the input is never changed.

    Raises `InputError`: if a value is no number, a truth value, masked, NaN or infinite, there is
    none, or there are several axes.
    """
    array = floats(name, values, f"{name} must be a sequence of numbers, one for each item.")
    if array.ndim != 1 or not array.size:
        raise InputError(
            f"{name} has the shape {array.shape}; pass a non-empty sequence with one number for "
            "each item."
        )
    index = first_true(~np.isfinite(array))
    if index is not None:
        raise InputError(
            f"{place(name, index)} is {array[index]}, but every item needs a finite number; leave "
            "this item out for both systems."
        )
    return array


def weights(values, n):
    """Return the denominator of a metric on each item.

    `values` (array_like, shape (n,)): the denominators, such as numbers of words. `n`: number of
    items.

    Returns ndarray of float64, shape (n,). The denominators.

    Raises `InputError`: as `vector`, and if they are not n, one is negative or all are zero.
    """
    array = vector("weights", values)
    if len(array) != n:
        raise InputError(
            f"weights and differences differ in length ({len(array)} and {n}); give each item one "
            "weight."
        )
    if (array < 0).any() or not array.any():
        raise InputError(
            "weights must be at least 0, and at least one must be above 0; pass the denominators "
            "of the metric, such as numbers of words."
        )
    return array


def scores(test, a, b, *, minimum=1, axes=(1, 2)):
    """Return the scores of both systems as finite floats of one shape.

    `test`: who asks, for the message. `a`, `b` (array_like, shape (n,) or (n, c)): scores, or sums
    of a metric, for the same items in the same order; True is 1, False 0. `minimum`: fewest items.
    `axes` (tuple of int): numbers of axes that are accepted.

    Returns ndarray, ndarray. The scores; the input is never changed.

    Raises `InputError`: if a score is masked or no finite number, the shapes differ, there are too
    few items, or the scores add up to more than the largest float.
    """
    a, b = (_scores(system, values) for system, values in (("A", a), ("B", b)))
    _check_shapes(test, a, b, axes)
    if len(a) < minimum:
        raise InputError(
            f"{test} needs at least {minimum} item{'s' * (minimum > 1)}, but this dataset has "
            f"{'only 1' if len(a) == 1 else 'none'}; leave it out."
        )
    _check_sizes(a, b)
    return a, b


def _scores(system, values):
    """Return the scores of a system as floats."""
    return floats(
        f"the scores of system {system}",
        values,
        f"The scores of system {system} are not all numbers, or have rows of unequal length; pass "
        "one number for every item.",
        truths=True,
    )


def _check_shapes(test, a, b, axes):
    """Refuse scores that are not of the same items, or of another number of axes."""
    for system, array in (("A", a), ("B", b)):
        if array.ndim not in axes:
            raise InputError(
                f"{test} needs one score for each item, but the scores of system {system} have the "
                f"shape {array.shape}; pass a sequence of numbers."
            )
    if len(a) != len(b):
        raise InputError(
            f"System A has {len(a)} scores and system B has {len(b)}; pass one score of each "
            "system for every item, in the same order."
        )
    if a.shape != b.shape:
        raise InputError(
            f"The sums of system A have the shape {a.shape}, but those of system B have the shape "
            f"{b.shape}; pass the sums of the same metric for both systems."
        )


def _check_sizes(a, b):
    """Refuse scores that are not finite, or whose sum is not."""
    for system, array in (("A", a), ("B", b)):
        index = first_true(~np.isfinite(array))
        if index is not None:
            raise InputError(
                f"Score {index[0]} of system {system} is {array[index]}, but every item needs "
                "a finite score; leave that item out for both systems."
            )
    with np.errstate(over="ignore"):
        total = sum(np.abs(array).sum(axis=0).max(initial=0.0) for array in (a, b))
    if not np.isfinite(total):
        raise InputError(
            f"The scores, which are as large as {max(abs(a).max(), abs(b).max()):.3g}, add up to "
            "more than the largest float; divide the scores of both systems by the same number."
        )


def binary(test, a, b):
    """Return the scores of both systems, each 0 or 1.

    `test`: who asks, for the message. `a`, `b` (array_like, shape (n,)): scores.

    Returns ndarray, ndarray. The scores as floats.

    Raises `InputError`: as `scores`, and if a score is neither 0 nor 1.
    """
    a, b = scores(test, a, b, axes=(1,))
    for name, array in (("A", a), ("B", b)):
        index = first_true((array != 0) & (array != 1))
        if index is not None:
            raise InputError(
                f"Score {index[0]} of system {name} is {array[index]:g}, but {test} needs 0 "
                "(wrong) or 1 (right); use wilcoxon or paired_bootstrap for other scores."
            )
    return a, b


def denominators(a, b, metric=None):
    """Check that the second sums are denominators.

    `a`, `b` (ndarray, shape (n, c)): sums of both systems, c at least 2. `metric`: name of a metric
    that divides both systems by the same number on each item.

    Raises `InputError`: if a denominator is negative, all of a system are zero, or they should
    agree and do not.
    """
    for system, sums in (("A", a), ("B", b)):
        if not ((sums[:, 1] >= 0).all() and sums[:, 1].any()):
            raise InputError(
                f"The second column of system {system} holds denominators, but one is negative or "
                "all are zero; pass each item's number of units."
            )
    different = None if metric is None else first_true(a[:, 1] != b[:, 1])
    if different is not None:
        row = different[0]
        raise InputError(
            f"The denominator of item {row} is {a[row, 1]:g} for system A and {b[row, 1]:g} for "
            f"system B, but {metric} needs the same denominator for both; score both systems "
            "on the same gold units."
        )


def counts(name, values):
    """Return numbers of items.

    Raises `InputError`: if one is negative, not whole, or no number.
    """
    array = floats(
        name,
        values,
        f"{name} is {{values}}, but it must be a number of items; pass a whole number of at least "
        "0.",
    )
    index = first_true(~((array >= 0) & (array == np.floor(array)) & np.isfinite(array)))
    if index is not None:
        raise InputError(
            f"{place(name, index)} is {array[index]:g}, but a number of items must be a whole "
            "number of at least 0; correct this value."
        )
    return array.astype(np.int64)


def correlations(name, values):
    """Return correlations as floats.

    `name`: what they are, for the message. `values` (array_like): the correlations.

    Returns ndarray of float64. The correlations, in the shape of `values`.

    Raises `InputError`: if one is no number in [-1, 1].
    """
    array = floats(
        name,
        values,
        f"{name} is {{values}}, but a correlation is a number; pass a number in [-1, 1].",
    )
    index = first_true(~((array >= -1) & (array <= 1)))
    if index is not None:
        raise InputError(
            f"{place(name, index)} is {array[index]}, but a correlation is a number in [-1, 1]; "
            "check how it was computed."
        )
    return array


# --- shapes and parts of messages ----------------------------------------------------------------


def together(**arrays):
    """Give arrays one shape.

    `**arrays` (array_like): the arrays by name.

    Returns tuple of ndarray. The arrays, broadcast against each other.

    Raises `InputError`: if their shapes do not fit together.
    """
    try:
        return np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = [str(np.shape(array)) for array in arrays.values()]
        raise InputError(
            f"{enumerated(arrays)} have the shapes {enumerated(shapes)}, which cannot be broadcast "
            "together; pass numbers or arrays of the same shape."
        ) from None


def floats(name, values, refusal, truths=False):
    """Return an array of floats.

    `name`: what the values are, for the message on those that numpy would take without a word.
    `values` (array_like): the values. `refusal`: the message on those that are no numbers; it shows
    them where "{values}" stands, which takes far longer than to check them. `truths`: whether True
    and False stand for 1 and 0.

    Returns ndarray of float64. The values, NaN and infinite ones among them.

    Raises `InputError`: if one is no number.
    """
    refuse_foreign(name, values, truths)
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(refusal.replace("{values}", repr(values))) from None
