"""One table of all datasets, see `replicability.io.instances`."""

from replicability.io import instances
from replicability.io.formats import Format

FORMAT = Format(
    name="table",
    title="one table of all datasets",
    instance="a row",
    read=instances.read,
    keys=("file", "columns"),
    options=(
        "dataset",
        "ignore",
        "one_dataset",
        "size",
        "human",
        "run",
        "repeats",
        "by",
        "missing",
        "metric",
        "successes",
        "trials",
    ),
)
