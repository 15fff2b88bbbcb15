"""Keywords of Python, options and keys of a study: one check of their values."""

import functools

from replicability import checks
from replicability.checks import InputError
from replicability.io import rules
from replicability.io.declared import (
    Columns,
    Family,
    Gate,
    Layout,
    Levels,
    PolicyKeys,
    Question,
    Source,
    StudyKeys,
)


@functools.cache
def _adapter(name):
    kinds = (Layout, Source, Question, Levels, Family, Gate, Columns)
    kind = next(kind for kind in kinds if name in rules.hints(kind))
    return rules.adapter(rules.hints(kind)[name])


@functools.cache
def _study(parameters):
    return rules.adapter(StudyKeys.model(*parameters))


def checked(name, value):
    """Return the value of a keyword or an option as a study holds it.

    `name`: a field that users set. `value`: whatever is given.

    Returns object. Of a number, a number of Python; of several names, a list; of what names columns
    or systems, text.

    Raises `InputError`: if it breaks the rule of the field.
    """
    if name == "metric" and callable(value):
        return value  # of a prediction and gold, as Python alone can pass it
    value = rules.plain(value)
    checks.refuse_odd(checks.named(name), _texts(value))
    if checks.is_whole(value) and name in Layout.__dataclass_fields__ and name != "one_dataset":
        value = str(value)
    if sentence := rules.fault(_adapter(name), value, checks.named(name)):
        raise InputError(sentence)
    return value


def _texts(value):
    """Yield all text of a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from _texts(part)


def given(values):
    """Return the values of keywords or options that are given, as `checked` returns them.

    `values`: field -> value; None, and False or no names where that is what holds anyway, stand for
    what is not given.

    Returns dict. Field -> value.
    """
    return {name: checked(name, value) for name, value in values.items() if is_given(name, value)}


def is_given(name, value):
    """Tell whether a value is given."""
    none = (name in ("shared", "one_dataset") and value is False) or (
        isinstance(value, tuple) and not value
    )
    return value is not None and not none


def levels(alpha):
    """Return the levels of significance that are given: one, or several."""
    found = checked("alpha", alpha)
    return found if isinstance(found, list) else [found]


def level(alpha, asking):
    """Return the only level of significance of what asks, such as "a gate"."""
    found, *more = levels(alpha)
    if more:
        raise InputError(
            f"{checks.named('alpha')} has several levels, but {asking} uses only one; choose one."
        )
    return found


def check_policy(source, content):
    """Check what the policy of a gate says.

    `source`: where it stands, for messages. `content`: what it holds.

    Raises `InputError`: if a key is unknown, or a value breaks the rule of its field.
    """
    if sentence := rules.fault(rules.adapter(PolicyKeys.model()), content):
        raise InputError(f"{source}: {sentence}")


def check_study(file, content, parameters):
    """Check what a study says.

    `file`: the study, for messages. `content`: what it holds. `parameters` (sequence of str): keys
    that it may have beside those of every study.

    Raises `InputError`: if a key is unknown or missing, or a value breaks the rule of its field.
    """
    if sentence := rules.fault(_study(tuple(parameters)), content):
        raise InputError(f"{file}: {sentence}")
