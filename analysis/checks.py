"""The one place where arguments are checked; each message is a sentence for its caller."""

import difflib

import numpy as np


class InputError(ValueError):
    """An input that breaks a rule; its text is a sentence with the place, the value, the rule."""


def choice(name, value, allowed):
    """Return `value` if it is one of `allowed`.

    Parameters
    ----------
    name : str
        What the value is, for the message.
    value : str
        The value.
    allowed : iterable of str
        The values that are accepted.

    Returns
    -------
    str
        `value`, unchanged.

    Raises
    ------
    InputError
        If `value` is not allowed; the message names the nearest allowed value.
    """
    allowed = list(allowed)
    if value in allowed:
        return value
    raise InputError(
        f"{name} {value!r} is not one of {', '.join(allowed)}{nearest(value, allowed)}"
    )


def nearest(value, allowed):
    """End a sentence with the nearest allowed value.

    Parameters
    ----------
    value : str
        What was given.
    allowed : iterable of str
        What is accepted.

    Returns
    -------
    str
        "; did you mean ...?", or a full stop if nothing is near.
    """
    near = difflib.get_close_matches(str(value), list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else "."


def alpha(value):
    """Return a level of significance as a float strictly between 0 and 1.

    Parameters
    ----------
    value : float
        The level.

    Returns
    -------
    float
        The level.

    Raises
    ------
    InputError
        If `value` is not a number in the open interval (0, 1).
    """
    try:
        level = float(value)
    except (TypeError, ValueError):
        level = np.nan
    if not 0 < level < 1:
        raise InputError(
            f"alpha is {value!r}, but a level of significance lies strictly between 0 and 1, "
            "such as 0.05."
        )
    return level


def pvalues(values, axis=-1):
    """Return p-values as an array of floats whose last axis runs over the datasets of a family.

    Parameters
    ----------
    values : array_like
        p-values, each in [0, 1]; ``shape[axis]`` is the number of datasets, at least one.
    axis : int, default -1
        The axis that runs over the datasets of one family.

    Returns
    -------
    ndarray of float64
        A view or copy with the datasets along the last axis; the input is never changed.

    Raises
    ------
    InputError
        If a value is no number, NaN, infinite, negative or above one, or a family is empty.
    """
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(_not_numeric(values)) from None
    if array.ndim == 0:
        raise InputError(
            f"pvalues is the single value {values!r}; pass a sequence with one p-value per dataset."
        )
    if not -array.ndim <= axis < array.ndim:
        raise InputError(f"axis is {axis}, but pvalues has {array.ndim} axes.")
    if array.shape[axis] == 0:
        raise InputError("pvalues is empty; a family needs at least one dataset.")
    # min and max propagate NaN, so that two passes see every fault.
    if array.size and not (array.min() >= 0 and array.max() <= 1):
        index = np.argwhere(~((array >= 0) & (array <= 1)))[0]
        place = ", ".join(map(str, index))
        raise InputError(
            f"pvalues[{place}] is {array[tuple(index)]}, but a p-value is a number in [0, 1]; "
            "leave out a dataset that has none."
        )
    return np.moveaxis(array, axis, -1)


def _not_numeric(values):
    """Say which of the values is no number."""
    for index, value in enumerate(np.asarray([*values], dtype=object).ravel()):
        if isinstance(value, list | tuple | np.ndarray):
            return "pvalues is ragged; give every family the same number of datasets."
        try:
            float(value)
        except (TypeError, ValueError):
            return f"pvalues[{index}] is {value!r}, but a p-value is a number in [0, 1]."
    return "pvalues is not an array of numbers in [0, 1]."
