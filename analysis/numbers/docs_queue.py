"""Numbers of docs/queue.md."""

from analysis.numbers.committed import settings


def numbers():
    """Return what the fields of the document may name."""
    profile = settings("../profiles/slurm/config")
    return locals()
