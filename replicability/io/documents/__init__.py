"""JSON documents that tools write, as tables: the registry of their kinds.

A kind is a module of this package with one `Document`, its ``DOCUMENT``; there is no other list. A
document becomes rows, so that whatever is asked of a table is asked of it in the same way: which
column is the score, which are the datasets, which the runs. What is no document of a tool may be
scores in nested objects (`nested`).
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from replicability.checks import InputError

NAMES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@dataclass(frozen=True)
class Document:
    """What one kind of JSON document holds.

    Attributes
    ----------
    title : str
        What it is, for readers.
    recognises : callable
        From the content, an object, to whether it is of this kind and of no other.
    rows : callable
        From what messages call the file and the content to a list of (place, row): where the row
        stands, and a dictionary from headers to values.
    """

    title: str
    recognises: Callable
    rows: Callable


@functools.cache
def _known():
    modules = (importlib.import_module(f"{__name__}.{name}") for name in NAMES)
    return [module.DOCUMENT for module in modules if hasattr(module, "DOCUMENT")]


def rows(file, content):
    """Return the rows of a document that a tool wrote.

    `file`: what messages call the file. `content`: what it holds.

    Returns list of (str, dict) or None. Place and row; None if no tool is known that writes such a
    document.

    Raises `InputError`: if an entry lacks what all have.
    """
    kind = next((kind for kind in _known() if kind.recognises(content)), None)
    if kind is None:
        return None
    try:
        (place, first), *others = found = kind.rows(file, content)
    except (AttributeError, KeyError, TypeError):  # another type than each entry has
        raise InputError(
            f"{file} looks like {kind.title}, but an entry has an unexpected form; recreate the "
            "file."
        ) from None
    headers = dict.fromkeys(header for _, row in found for header in row)
    return [(place, headers | first), *others]  # as the first row tells the headers
