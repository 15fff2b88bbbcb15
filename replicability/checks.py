"""The one place where arguments are checked; each message is a sentence for its caller."""

import ast
import contextlib
import difflib
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

ALTERNATIVES = ("greater", "less", "two-sided")
"""Alternative hypotheses; "greater" means that A is better."""


MOST_SHOWN = 50
"""Most values that a message lists."""


MOST_RESAMPLES = 10**8
"""Maximum number of resamples; p-values then have a standard error of at most 0.00005."""


class InputError(ValueError):
    """Invalid input; the message gives the place, the value, the rule and the remedy.

    The text calls arguments by their keys in a study. `spelled` writes them as another door does.

    Attributes
    ----------
    instead : dict
        Key -> value of arguments that are right instead, None to leave one out; {} if that is not
        certain.
    """

    instead: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        """Return the sentence, with arguments as keys of a study."""
        return self.spelled(key)

    def __format__(self, spec: str) -> str:
        """Return the sentence for a longer one; its arguments can still be spelled."""
        return format(str(self.args[0]) if self.args else "", spec)

    def spelled(self, how: Callable[[str], str]) -> str:
        """Return the sentence with arguments as `how` writes them, such as `option`."""
        text = _LONG.sub(r"'\1...'", f"{self}")
        return _MARKED.sub(lambda found: _spelled(found[1], how(found[1]), found[2]), text)

    def arguments(self) -> list[tuple[str, Any]]:
        """List the arguments that the sentence names, with their values, None if it has none."""
        return [(found[1], _meant(found[2])) for found in _MARKED.finditer(f"{self}")]


_LONG = re.compile(r"'([^'\s]{60})[^'\s]{40,}'")
"""Matches a long quoted word, which messages shorten."""

# --- how the user calls an argument --------------------------------------------------------------

MARK = "\ufdd0"
"""Encloses each argument in the text of an error; no other text contains this character."""

OPPOSITES = {"--higher-is-better": "--lower-is-better"}
"""Maps an option that means True to the one that means False."""

TOGETHER = ("--datasets", "--scores", "--systems")
"""Options behind which several values stand."""

_ITEM = "\ufdd1"
"""Precedes each value if an argument has several."""

_MARKED = re.compile(f"{MARK}(\\w+)(?:=([^{MARK}]*))?{MARK}")
"""Matches a marked key with its optional value."""


def named(key: str) -> str:
    """Name an argument in the message of an `InputError`.

    `key`: key of a study, such as "metric".

    Returns str. The key between marks, which `InputError.spelled` replaces.

    Examples
    --------
    >>> error = InputError(f"Name it with {named('p_value')}.")
    >>> print(error)
    Name it with the key 'p_value'.
    >>> error.spelled(option)
    'Name it with --p-value.'
    """
    return f"{MARK}{key}{MARK}"


def given(key: str, value: str | Sequence[str] | dict[str, Any]) -> str:
    """Name an argument and its value in the message of an `InputError`, as `named` a key alone.

    `key`: key of a study. `value` (str, sequence of str or dict): its value; an option of the
    command line has no value True, and stands again for each of several values.

    Examples
    --------
    >>> error = InputError(f"Declare one dataset with {given('one_dataset', 'True')}.")
    >>> print(error.spelled("{}=".format), error.spelled(option))
    Declare one dataset with one_dataset=True. Declare one dataset with --one-dataset.
    >>> error = InputError(f"Leave them out with {given('ignore', ['size', 'id'])}.")
    >>> print(error.spelled("{}=".format), error.spelled(option))
    Leave them out with ignore=['size', 'id']. Leave them out with --ignore size --ignore id.
    >>> print(error, InputError(f"Write {given('instance', repr('id'))}."))
    Leave them out with ignore: [size, id]. Write columns: {instance: id}.
    """
    if isinstance(value, dict):
        value = repr(value)
    if not isinstance(value, str):
        value = "".join(f"{_ITEM}{item}" for item in value)
    return f"{MARK}{key}={value}{MARK}"


def ways(key: str, values: Sequence[str], *, at_once: bool = False) -> str:
    """Name an argument with its possible values, for the user to copy, and alone if none is known.

    `key`: key of a study. `values` (sequence of str): the values, of which the first four are
    written. `at_once`: whether all are meant together; more than twelve are not written.

    Examples
    --------
    >>> InputError(f"Name one with {ways('metric', ['acc', 'f1'])}.").spelled(option)
    "Name one with --metric 'acc' or --metric 'f1'."
    >>> error = InputError(f"Name those of both with {ways('datasets', 'xy', at_once=True)}.")
    >>> error.spelled(option)
    'Name those of both with --datasets x y.'
    """
    if at_once:
        return given(key, list(values)) if 0 < len(values) <= 12 else named(key)
    return " or ".join(given(key, repr(value)) for value in values[:4]) or named(key)


COLUMNS = ("dataset", "instance", "system", "score", "size", "gold", "run", "p_value", "scores")
"""Keys that a study groups under `columns`."""


def key(name: str) -> str:
    """Name an argument as a key of a study, such as "the key 'metric'"."""
    return f"the key {name!r}"


def _spelled(key_: str, name: str, value: str | None) -> str:
    """Write an argument and its value, as its name is written: in a study as YAML."""
    if value is None or (name.startswith("--") and value == "True"):
        return name
    if key_ in _WRITTEN and name != key(key_) and (name.startswith("--") or key_ == "systems"):
        return _WRITTEN[key_](name, value)
    if key_ == "repeats" and name == key(key_):
        return f"repeats: {value}".replace("'", "")
    if name == key(key_):
        items = value.split(_ITEM)[1:] if value.startswith(_ITEM) else ()
        written = f"[{', '.join(items)}]" if items else value.strip("'\"")
        written = {"True": "true", "False": "false"}.get(written, written)
        return f"columns: {{{key_}: {written}}}" if key_ in COLUMNS else f"{key_}: {written}"
    if value == "False" and name in OPPOSITES:
        return OPPOSITES[name]
    if value.startswith(_ITEM):
        items = value.split(_ITEM)[1:]
        if name in TOGETHER:
            return shlex.join([name, *items])
        if name.startswith("--"):
            return " ".join(f"{name} {shlex.quote(item)}" for item in items)
        value = repr(items)
    return f"{name}{value}" if name.endswith("=") else f"{name} {value}"


def _repeats(name: str, value: str) -> str:
    """Write what was repeated as options."""
    of = ast.literal_eval(value)
    share = f" --test-share {of['test_share']}" if "test_share" in of else ""
    return f"{name} {shlex.quote(of['column'])} {name}-kind {of['kind']}{share}"


def _systems(name: str, value: str) -> str:
    """Write two systems or more, in Python as the arguments of their function."""
    items = value.split(_ITEM)[1:]
    if name.startswith("--"):
        return shlex.join([name, *items])
    return f"a={items[0]!r}, b={items[1]!r}" if name.startswith("a=") else f"{name}{items}"


_WRITTEN = {
    "dependence": lambda name, value: option(ast.literal_eval(value)),
    "repeats": _repeats,
    "systems": _systems,
}
"""Maps a key to the function that writes its value, for keys with a syntax of their own."""


def _meant(value: str | None) -> Any:
    """Return the value of an argument that `given` has written."""
    if value is None:
        return None
    if value.startswith(_ITEM):
        return value.split(_ITEM)[1:]
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


@contextlib.contextmanager
def spelling(how: Callable[[str], str]) -> Iterator[None]:
    """Raise errors of the block with arguments as `how` writes them.

    `how`: takes a key and returns the noun, such as `option`.
    """
    try:
        yield
    except InputError as error:
        error.args = (error.spelled(how),)
        raise


def option(key: str) -> str:
    """Name a key as an option of the command line.

    `key`: the key.

    Returns str. The option, such as ``--p-value``.
    """
    return f"--{key.replace('_', '-')}"


def flags(keywords: Mapping[str, Any]) -> str:
    """Write arguments and their values as options of the command line.

    Examples
    --------
    >>> flags({"systems": ["v 1", "v2"], "run": "seed", "one_dataset": True})
    "--systems 'v 1' v2 --run seed --one-dataset"
    """
    written = []
    for key, value in keywords.items():
        if key in ("systems", "scores"):
            written.append(f"--{key} {shlex.join(value)}")
            continue
        value = value if isinstance(value, list | dict) else shlex.quote(str(value))
        written.append(InputError(given(key, value)).spelled(option))
    return " ".join(written)


# --- one of several ------------------------------------------------------------------------------


def choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of `allowed`.

    `name`: what the value is, for the message. `value`: the value. `allowed` (iterable of str): the
    values that are accepted.

    Returns str. `value`, unchanged.

    Raises `InputError`: if `value` is not allowed; the message names the nearest allowed value.
    """
    allowed = list(allowed)
    if isinstance(value, str) and value in allowed:
        return value
    raise InputError(f"{name} {value!r} is not one of {listed(allowed)}{or_any(value, allowed)}")


def or_any(value: Any, allowed: Iterable[str]) -> str:
    """End a sentence with the nearest allowed value, or with the advice to name one."""
    near = nearest(value, allowed)
    return near if near != "." else "; choose one of them."


def listed(words: Sequence[str]) -> str:
    """List words in a message, `MOST_SHOWN` of them at most.

    `words` (sequence of str): the words.

    Returns str. Such as "a, b, c", or "a, b, ... and 1,000 more".
    """
    more = len(words) - MOST_SHOWN
    return ", ".join(words[:MOST_SHOWN]) + f" and {more:,} more" * (more > 0)


def enumerated(words: Iterable[str], most: int | None = None) -> str:
    """Write words as a sentence has them.

    `words` (iterable of str): the words, at least one. `most`: how many are written; of others only
    the number.

    Returns str. Such as "a, b and c", or "a, b and 3 more".
    """
    words = list(words)
    if most and len(words) > most:
        words = [*words[:most], f"{len(words) - most} more"]
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def is_unicode(text: str) -> bool:
    """Tell whether a text can be written in UTF-8.

    `text`: the text; of bytes that are not UTF-8 Python makes surrogates, which cannot.

    Returns bool.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_odd(what: str, texts: Iterable[str]) -> None:
    """Refuse text that cannot be written to a file, such as half of a character.

    `what`: what a text is, for the message. `texts` (iterable of str): the texts.

    Raises `InputError`: if one is not Unicode.
    """
    for text in texts:
        if not is_unicode(text):
            raise InputError(f"{what} is {cut(text)}, which is not valid Unicode; retype it.")


def cut(value: Any, most: int = 60) -> str:
    """Write a value for a message, long ones cut and odd characters escaped.

    Examples
    --------
    >>> cut(0.5), cut("x" * 100), cut(10**400)
    ('0.5', "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...", 'a longer number')
    """
    text = repr(value) if not is_whole(value) or abs(value) < 10**40 else "a longer number"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= most else f"{text[:most]}..."


def nearest(value: Any, allowed: Iterable[str]) -> str:
    """End a sentence with the nearest allowed value.

    `value`: what was given. `allowed` (iterable of str): what is accepted.

    Returns str. "; did you mean ...?", or a full stop if nothing is near.
    """
    near = difflib.get_close_matches(str(value), list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else "."


def alternative(value: Any) -> str:
    """Return an alternative hypothesis.

    `value`: one of `ALTERNATIVES`.

    Returns str. `value`, unchanged.

    Raises `InputError`: if there is none of that name.
    """
    return choice("alternative", value, ALTERNATIVES)


# --- numbers -------------------------------------------------------------------------------------


def alpha(value: Any) -> float:
    """Return a level of significance as a float strictly between 0 and 1.

    Returns float. The level.

    Raises `InputError`: if `value` is not a number in the open interval (0, 1).
    """
    return _share("alpha", value, "a level of significance", 0.05)


def confidence_level(value: Any, name: str = "confidence_level") -> float:
    """Return a level of confidence as a float strictly between 0 and 1.

    `name`: what it is called, for the message.

    Returns float. The level.

    Raises `InputError`: if `value` is not a number in the open interval (0, 1).
    """
    return _share(name, value, "a level of confidence", 0.95)


def finite(name: str, value: Any) -> float:
    """Return a finite number as a float.

    `name`: what the value is, for the message. `value`: the value.

    Returns float. The value.

    Raises `InputError`: if `value` is no number, NaN or infinite.
    """
    number = _float(value)
    if not np.isfinite(number):
        raise InputError(f"{name} is {cut(value)}; pass a finite number.")
    return number


def at_least(name: str, value: Any, minimum: int = 1) -> int:
    """Return a whole number that is not below a minimum.

    `name`: what the value is, for the message. `value`: the value; True and 1.0 are refused.
    `minimum`: the least value.

    Returns int. The value.

    Raises `InputError`: if `value` is not such a number.
    """
    if not (is_whole(value) and value >= minimum):
        raise InputError(f"{name} is {cut(value)}; pass a whole number of at least {minimum}.")
    return int(value)


def resamples(value: Any) -> int:
    """Return a number of resamples.

    `value`: the number, 1 to `MOST_RESAMPLES`.

    Returns int. The number.

    Raises `InputError`: if `value` is not such a number.
    """
    number = at_least("n_resamples", value)
    if number > MOST_RESAMPLES:
        raise InputError(
            f"n_resamples must be at most {MOST_RESAMPLES:,}, because more would take too long; "
            "with that many, the standard error of a p-value is at most about 0.00005."
        )
    return number


def one_sided(alternative):
    """Return the sign of a one-sided alternative hypothesis.

    `alternative` ({"greater", "less"}): "A is better" or "B is better".

    Returns int. 1 for "greater", -1 for "less".

    Raises `InputError`: if `alternative` is neither.
    """
    return 1 if choice("alternative", alternative, ("greater", "less")) == "greater" else -1


def _share(name, value, what, example):
    number = _float(value)
    if not 0 < number < 1:
        raise InputError(
            f"{name} is {cut(value)}, but {what} must be strictly between 0 and 1, such as "
            f"{example}."
        )
    return number


def _float(value):
    """Return a number as a float, and NaN for anything else."""
    try:
        return np.nan if set(_foreign(value)) & _FOREIGN.keys() else float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def is_whole(value):
    """Tell whole numbers from True, 1.0 and numpy's durations, which are integers to Python.

    `value`: whatever was passed.

    Returns bool.
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


# --- what numpy would take for numbers without a word --------------------------------------------

_FOREIGN = {
    "masked": ("masked entries", "leave them out, because their hidden values would be used"),
    "b": ("truth values", "pass numbers instead"),
    "c": ("complex numbers", "pass real numbers"),
    "M": ("dates", "pass numbers"),
    "m": ("durations", "pass numbers"),
}
"""Maps numpy's letter of an unsupported type to its name and a remedy."""


def refuse_foreign(name, values, truths=False):
    """Refuse entries that numpy would silently turn into other numbers.

    `name`: what the values are, for the message. `values` (array_like): the values. `truths`:
    whether True and False stand for 1 and 0.

    Raises `InputError`: if one is masked, a truth value, complex, a date or a duration.
    """
    for kind in _foreign(values):
        if kind in _FOREIGN and not (truths and kind == "b"):
            what, remedy = _FOREIGN[kind]
            raise InputError(f"There are {what} in {name}; {remedy}.")


def _foreign(values):
    """Yield the kinds of the entries, each type of a sequence once: "masked" or numpy's letter."""
    if np.ma.is_masked(values):
        yield "masked"
        return
    if not isinstance(values, list | tuple):
        array = np.asarray(values)
        if array.dtype != object or not array.ndim:
            yield array.dtype.kind
            return
        values = array.ravel().tolist()
    one_of_each = {type(value): value for value in values}
    rows = any(hasattr(kind, "__len__") for kind in one_of_each)
    for value in values if rows else one_of_each.values():
        yield from _foreign(value)


def place(name, index):
    """Name an entry of an array.

    `name`: name of the array, or of a single number. `index` (sequence of int): where it is; empty
    for a single number.

    Returns str. Such as ``pvalues[0, 3]``, or the name alone.
    """
    return f"{name}[{', '.join(map(str, index))}]" if len(index) else name


def first_true(wrong):
    """Find the first entry that is wrong.

    `wrong` (ndarray of bool): whether an entry breaks the rule.

    Returns tuple of int, or None. Its index, for `place`; None if there is no such entry.
    """
    return tuple(map(int, np.argwhere(wrong)[0])) if wrong.any() else None
