"""A table of identifiers and scores for each dataset and system."""

import numpy as np

from replicability import checks
from replicability.io import cells, datasets, delimited, matching
from replicability.io.formats import Format
from replicability.io.instances import Dataset
from replicability.io.text import existing, shown


def _read(comparison):
    """Read a table for each dataset and system."""
    found = datasets.find(comparison)
    for _, path in datasets.files(comparison):
        if len(found) == 1 and existing(path, folder=None).is_file():
            remedy = (
                f"give {checks.named('format')} the value table and name the column {{!r}} with "
                f"{checks.named('dataset')}, or leave that column out"
            )
            told = cells.telling(delimited.read_headers(path))
            if told:
                cells.refuse_pooled(
                    path, delimited.columns(path, {name: name for name in told}), remedy
                )
    return [_pair(comparison, name, files) for name, files in found.items()]


def _pair(comparison, dataset, files):
    """Put the scores of both tables beside each other."""
    tables = [delimited.columns(files[side], comparison.columns) for side in "ab"]
    names = [shown(files[side]) for side in "ab"]
    ids = [
        cells.identifiers(path, table["instance"])
        for path, table in zip((files["a"], files["b"]), tables, strict=True)
    ]
    _, order = matching.match(dataset, list(zip(comparison.systems, names, ids, strict=True)))
    a, b = (
        cells.numbers(files[side], table["score"], "score")
        for side, table in zip("ab", tables, strict=True)
    )
    b = b[order]
    if "size" in comparison.columns:
        size, size_b = (
            cells.sizes(files[side], table["size"])
            for side, table in zip("ab", tables, strict=True)
        )
        cells.refuse_sizes(
            names[1],
            comparison.systems,
            lambda row: (ids[0][row].as_py(), dataset),
            size,
            size_b[order],
        )
        for path, scores in zip(names, (a, b), strict=True):
            cells.refuse_above(path, lambda row: (ids[0][row].as_py(), dataset), scores, size)
        a, b = np.column_stack([a, size]), np.column_stack([b, size])
    return Dataset(dataset, ids[0], a, b)


FORMAT = Format(
    name="folders",
    title="one table per dataset and system",
    instance="a row",
    read=_read,
    keys=("files", "columns"),
    columns=("instance", "score"),
    options=("size",),
)
