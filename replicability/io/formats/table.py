"""One table of all datasets, see `replicability.io.instances`."""

from replicability.io import instances, trials
from replicability.io.formats import Format


def read(comparison):
    """Read the instances of a comparison, or the successes and trials of its systems."""
    return (trials if comparison.level == "counts" else instances).read(comparison)


FORMAT = Format(
    name="table",
    title="one table of all datasets",
    instance="a row",
    read=read,
    keys=("file", "columns"),
    options=(
        "dataset",
        "ignore",
        "one_dataset",
        "size",
        "run",
        "by",
        "missing",
        "metric",
        "successes",
        "trials",
    ),
)
