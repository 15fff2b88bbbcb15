"""Numbers of data/outcomes/README.md."""

from analysis.numbers.committed import outcomes


def numbers():
    """Return what the fields of the document may name."""
    parsers_of_dependable = (
        outcomes("dependable.parquet").query("dataset.str.contains('LAS')")["system"].nunique() + 1
    )
    return locals()
