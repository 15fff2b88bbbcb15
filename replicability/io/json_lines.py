"""Lines of JSON, and what to say of those that are none."""

import json

from replicability.checks import InputError
from replicability.io.text import shown


def cut(value):
    """Write a value for a message, long ones cut and odd characters escaped."""
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**40 else "a longer number"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else f"{text[:60]}..."


def parsed(text):
    """Parse a JSON document.

    Raises
    ------
    ValueError
        If it is none, or an object has a key twice.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs):
    """Make a dictionary of pairs, of which no two have one key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object has the key {cut(twice)} twice")
    return found


def record(path, number, text):
    """Parse a line of a file that has a JSON object on each.

    Raises
    ------
    InputError
        If it has none; the message names the file and the line `number`.
    """
    try:
        found = parsed(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{shown(path)}, line {number} is not JSON, or cut off ({reason(error)}); write the "
            "file anew."
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            f"{shown(path)}, line {number} is {text[:40]!r}, but a line of such a file is a JSON "
            "object; write the file anew."
        )
    return found


def reason(error):
    """Say what breaks a JSON text, and where in its line."""
    if isinstance(error, RecursionError):
        return "its brackets are nested too deep"
    where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
    return f"{getattr(error, 'msg', error)}{where}"
