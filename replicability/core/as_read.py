"""What the files themselves say of a comparison: runs, metrics of logs, groups of datasets."""

import numpy as np

from replicability.checks import enumerated
from replicability.io import missing
from replicability.io.cells import some

GENERALISES = {
    ("items", "runs"): "The claim is about the average of the tested runs on items like the tested "
    "ones; it does not cover runs with other seeds.",
    ("items", "raters"): "The claim is about the average of these raters on items like the "
    "tested ones; it does not cover other raters.",
    ("both", "runs"): "The claim is about new runs on new items like the tested ones.",
    ("both", "raters"): "The claim is about new raters who score new items like the tested ones.",
}
"""Maps what a claim covers, and what was repeated, to a sentence about its scope."""


def columns(comparison, datasets):
    """Return what the files say of each dataset, as columns next to its scores.

    `comparison`: its `per_cent` is the unit of the scores. `datasets`: sequence of
    instances.Dataset.

    Returns dict of str to list. Where a dataset has runs ``runs_a`` and ``runs_b``, their numbers,
    and ``spread_a`` and ``spread_b``, the standard deviation of the dataset's score over runs
    (divisor r - 1; NaN for one run); where items were missing ``missing_a`` and ``missing_b``, how
    many each system lacked; where logs hold several metrics, the ``metric`` that was read.
    """
    found = {}
    if any(dataset.runs is not None for dataset in datasets):
        for side in "ab":
            scores = [_of_runs(dataset, side) for dataset in datasets]
            found[f"runs_{side}"] = [len(of_runs) for of_runs in scores]
            factor = 100 if comparison.per_cent else 1
            found[f"spread_{side}"] = [factor * _spread(of_runs) for of_runs in scores]
    if any(any(dataset.missing) for dataset in datasets):
        for place, side in enumerate("ab"):
            found[f"missing_{side}"] = [len(d.missing[place]) if d.missing else 0 for d in datasets]
    if any(dataset.measure for dataset in datasets):
        found["metric"] = [dataset.measure for dataset in datasets]
    return found


def groups(datasets):
    """Return the groups of datasets that their files declare.

    `datasets` (sequence of instances.Dataset): the datasets; each has the names of its groups.

    Returns dict of str to list of str. Group -> its datasets, two or more and not all, in the order
    of the datasets; of groups with the same datasets the first.
    """
    found = {}
    for dataset in datasets:
        for name in dataset.groups:
            found.setdefault(name, []).append(dataset.name)
    different = {}
    for name in sorted(found):
        members = tuple(found[name])
        if 1 < len(members) < len(datasets) and members not in different.values():
            different[name] = members
    return {name: list(members) for name, members in different.items()}


def attributes(comparison, datasets):
    """Return what the files say in addition to the rows of a table.

    `datasets`: sequence of instances.Dataset.

    Returns dict. The ``groups`` that files declare, the ``differences`` between the systems where
    they are matched by place, and what was done with ``missing`` items.
    """
    differences = dict.fromkeys(
        line for dataset in datasets for line in (*dataset.differences, *dataset.otherwise)
    )
    systems, called = comparison.systems, comparison.called
    said = missing.sentence(comparison.missing, systems, datasets, called)
    return {"groups": groups(datasets), "differences": tuple(differences), "missing": said}


def sentences(table):
    """Say what differs between the systems, which metrics were read, and over how many runs.

    Returns list of str. A sentence about each, where there is something to say.
    """
    found = [*table.differences, *filter(None, [table.missing])]
    if "metric" in table:
        read = table.rows.groupby("metric", sort=False)["dataset"].agg(list)
        each = [f"{metric} on {some(names)}" for metric, names in read.items()]
        said = "Scores were computed by sacrebleu:"
        if not by_sacrebleu(table):
            several = len(each) > 1
            said = f"The metric{'s' * several} read from the files {'are' if several else 'is'}"
        found.append(f"{said} {'; '.join(each) if len(each) > 1 else read.index[0]}.")
    return [*found, *of_people(table), *of_runs(table)]


def of_people(table):
    """Say how many items people scored, and when their scores correct those of a judge.

    Returns list of str. One text; empty without human scores.
    """
    if "labelled" not in table:
        return []
    n, labelled = int(table["n"].sum()), int(table["labelled"].sum())
    if n == labelled:
        return ["People scored every item, so their scores are tested alone, without the judge's."]
    return [
        f"Scores and differences are estimates of human judgement: people scored {labelled:,} of "
        f"{n:,} items, and their scores are used to correct the judge's. This is valid only if the "
        "items that people scored were drawn at random. Wins, ties and losses are based on the "
        "judge's scores alone."
    ]


def of_runs(table):
    """Say over how many runs scores are averaged, and what a claim about them does not say.

    Returns list of str. One text; empty without runs.
    """
    if "runs_a" not in table:
        return []
    noun = "raters" if table.read is not None and table.read.raters else "runs"
    said = [_averaged(table, side, noun) for side in "ab"]
    says = GENERALISES[table.covers, noun]
    return [f"Scores are means over {noun}: {enumerated(said)}. {says}"]


def by_sacrebleu(table):
    """Return the signatures with which sacrebleu computed scores.

    Returns list of str. Different ones, in the order of the datasets; empty if scores are not
    sacrebleu's.
    """
    return list(dict.fromkeys(said for said in table.get("metric", ()) if "|version:" in said))


def _averaged(table, side, noun):
    """Say how many runs or raters a system has, and how far they are apart at most."""
    runs, spread = table[f"runs_{side}"], table[f"spread_{side}"]
    least, most = int(runs.min()), int(runs.max())
    number = f"{most:,} {noun if most > 1 else noun[:-1]}"
    number = f"{least:,} to {most:,} {noun}" if least < most else number
    number += f" of {side.upper()}"
    if spread.notna().any():
        number += (
            f" (largest standard deviation of a dataset's score over {noun}: {spread.max():.3g}, "
            f"on {table['dataset'][spread.idxmax()]!r})"
        )
    return number


def _of_runs(dataset, side):
    """Return the score of a dataset in each run of a system, one value if it ran once."""
    return getattr(dataset.runs, side) if dataset.runs is not None else np.zeros(1)


def _spread(scores):
    """Return the standard deviation of several scores."""
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else np.nan
