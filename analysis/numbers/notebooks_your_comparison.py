"""Numbers of notebooks/your_comparison.ipynb."""

from analysis.numbers.committed import settings


def numbers():
    """Return what the fields of the document may name."""
    example = settings("example")["comparisons"][0]
    return locals()
