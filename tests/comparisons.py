"""Comparisons of A and B, of which a test names what matters to it."""

from replicability.io.study import Comparison

USUAL = {
    "name": "c",
    "section": "s",
    "title": "A-B",
    "systems": ("A", "B"),
    "dependence": "dependent",
}


def declare(kind=Comparison, **keys):
    """Return a comparison, or a family, with the usual keys or with others in their place."""
    one_file = {} if "files" in keys else {"file": "f", "columns": {}}
    return kind(**(USUAL | one_file | keys))
