"""Lines of JSON, and what to say of those that are none."""

import contextlib
import gc
import json
import sys

from replicability.checks import InputError, cut
from replicability.io.text import shown


def parsed(text):
    """Parse a JSON document.

    Raises `ValueError`: if it is none, or an object has a key twice.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    if text.startswith("\ufeff"):
        return json.loads(text)  # which refuses it
    return _OBJECTS.decode(text)


_PAIRS = json.JSONDecoder(object_pairs_hook=tuple)
"""Decodes objects as tuples of pairs, which preserves duplicate keys."""


@contextlib.contextmanager
def uncollected():
    """Parse a large document without the garbage collection, which would go through all tuples."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def pairs(text):
    """Parse a JSON document of which little is needed, each object as a tuple of pairs.

    `text`: str or bytes.

    Returns object. `plain` makes dictionaries of the parts that are needed.

    Raises `ValueError`: if it is none.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    return _PAIRS.decode(text)


def plain(value, only=None):
    """Make dictionaries of objects that are tuples of pairs.

    `value`: what `pairs` returns, or a part of it. `only` (collection of str): keys of an object to
    keep; by default all, at any depth.

    Returns object. Dictionaries, lists, text and numbers.

    Raises `ValueError`: if one of these objects has a key twice.
    """
    if isinstance(value, tuple):
        kept = _unique(value).items()
        return {key: plain(inner) for key, inner in kept if only is None or key in only}
    return list(map(plain, value)) if isinstance(value, list) else value


def _unique(pairs):
    """Make a dictionary of pairs, of which no two have one key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object has the key {cut(twice)} twice")
    return found


_OBJECTS = json.JSONDecoder(object_pairs_hook=_unique)


def record(path, number, text):
    """Parse a line of a file that has a JSON object on each.

    Raises `InputError`: if it has none; the message names the file and the line `number`.
    """
    try:
        found = parsed(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)}, line {number} is not JSON, or is incomplete ({reason(error)}); "
            "recreate the file."
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            f"{shown(path)}, line {number} is {text[:40]!r}, but each line of the file must be a "
            "JSON object; recreate the file."
        )
    return found


def reason(error):
    """Say what breaks a JSON text, and where in its line."""
    if isinstance(error, RecursionError):
        return "its brackets are nested too deeply"
    if "integer string conversion" in str(error):
        return f"it has a number with more than {sys.get_int_max_str_digits():,} digits"
    where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
    return f"{getattr(error, 'msg', error)}{where}"
