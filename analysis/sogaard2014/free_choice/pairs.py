"""What two systems have right in each sentence of a dataset, by any metric of a task: files."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.io.text import existing

TASKS = {
    "POS": ("TA", "UA", "SA"),
    "Parsing": ("LAS", "UAS"),
    "NER": ("F1", "macro-F1", "untyped F1", "LOC", "MISC", "ORG", "PER"),
}
"""Task -> its metrics, the standard one first."""

TYPES = TASKS["NER"][3:]
"""Types of entities."""

_SHARES = {
    "TA": ("upos", "words"),
    "UA": ("unknown_upos", "unknown"),
    "LAS": ("las", "words"),
    "UAS": ("uas", "words"),
}


@dataclass(frozen=True, eq=False)
class Pair:
    """What two systems have right in each sentence of one dataset.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    systems : tuple of (str, str)
        Names of A and B.
    words : ndarray of float64, shape (n,)
        Words of each sentence.
    a, b : dict of str to ndarray of float64, shape (n, r, 2)
        Metric -> numerators and denominators of the r ratios that it is the mean of.
    """

    dataset: str
    systems: tuple
    words: np.ndarray
    a: dict
    b: dict

    def __len__(self):
        return len(self.words)

    def only(self, *metrics):
        """Return the pair with some of its metrics.

        `*metrics`: their names, in the order wanted.

        Returns Pair. The same sentences.
        """
        return replace(
            self,
            a={metric: self.a[metric] for metric in metrics},
            b={metric: self.b[metric] for metric in metrics},
        )


def read(file, systems, task):
    """Read the outcomes of two systems.

    `file`: ``parsing.parquet`` or ``ner.parquet`` of ``data/outcomes``; a relative path starts at
    the checkout. `systems` (sequence of (str, str)): names of A and B. `task` ({"POS", "Parsing",
    "NER"}): what is compared.

    Returns list of Pair. One per dataset, in the order of the file.

    Raises `InputError`: if the file is missing, lacks a column or a system, or the two were not
    scored on the same sentences.
    """
    metrics = TASKS[checks.choice("task", task, TASKS)]
    if len(systems) != 2 or systems[0] == systems[1]:
        raise checks.InputError(f"systems are {list(systems)}; name two different systems.")
    table = outcomes(file)
    for system in systems:
        checks.choice(f"{file}: system", system, table["system"].unique())
    sides = [
        dict(list(table[table["system"] == system].groupby("dataset", sort=False)))
        for system in systems
    ]
    pairs = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        first, second = (side.get(name, table[:0]) for side in sides)
        if list(first["instance"]) != list(second["instance"]):
            raise checks.InputError(
                f"{file}: {systems[0]} and {systems[1]} are scored on different sentences of "
                f"{name!r}; "
                "score both systems on the same sentences."
            )
        a, b = ({m: counts(side, m) for m in metrics} for side in (first, second))
        pairs.append(Pair(name, tuple(systems), first["words"].to_numpy(float), a, b))
    return pairs


def outcomes(file):
    """Read a table of outcomes.

    `file`: parquet; a relative path starts at the checkout.

    Returns DataFrame. Its rows.

    Raises `InputError`: if the file is missing or has no column ``dataset``, ``instance``,
    ``system`` or ``words``.
    """
    table = pd.read_parquet(existing(file))
    for column in ("dataset", "instance", "system", "words"):
        checks.choice(f"{file}: column", column, table.columns)
    return table


def counts(table, metric):
    """Return numerators and denominators of a metric.

    `table`: one row per sentence, columns of ``parsing.parquet`` or ``ner.parquet``. `metric`: a
    metric of `TASKS`.

    Returns ndarray of float64, shape (n, r, 2). Of each sentence and of each of the r ratios whose
    mean is the metric; for F1 the numerator is twice the correct spans, the denominator guessed
    plus gold ones.

    Raises `InputError`: if the table lacks a column.
    """
    if metric in _SHARES:
        return _columns(table, _SHARES[metric])[:, None]
    if metric == "SA":
        right, words = _columns(table, _SHARES["TA"]).T
        return np.stack([right / words, np.ones(len(table))], axis=-1)[:, None]
    chosen = [metric] if metric in TYPES else TYPES
    names = [
        f"{kind.lower()}_{count}" for kind in chosen for count in ("correct", "guessed", "gold")
    ]
    spans = _columns(table, names).reshape(len(table), -1, 3)
    if metric in ("F1", "untyped F1"):
        spans = spans.sum(axis=1, keepdims=True)
    if metric == "untyped F1":
        spans[:, 0, 0] = _columns(table, ["untyped"])[:, 0]
    return np.stack([2 * spans[..., 0], spans[..., 1] + spans[..., 2]], axis=-1)


def _columns(table, names):
    for name in names:
        checks.choice("column", name, table.columns)
    return table[list(names)].to_numpy(float)
