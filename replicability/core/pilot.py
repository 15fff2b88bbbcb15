"""A pilot: the plan of a suite from a comparison that was run."""

from dataclasses import replace

import numpy as np

from replicability.core import in_runs
from replicability.core.suite import Suite
from replicability.stats import noise, paired
from replicability.stats.power_of_runs import Runs, pooled


def observed(comparison, table, alpha=0.05):
    """Return the suite that a comparison was.

    `alpha`: level of the plan, in (0, 1).

    Returns Suite or None. Sizes, spread, claim and margins, gains being shares of scores that are
    right or wrong or in per cent. Where units are larger than items, the units are counted; where
    the claim covers new runs as well, the plan has the sources of noise. None of ratings, of a
    judge that people correct, of splits and bare runs, which are no items, and if the spread of a
    dataset is not known.
    """
    if not {"n", "standard_error", "difference", "test"} <= set(table):
        return None
    takes = {paired.lookup(test).takes for test in table["test"]}
    if takes & {"ratings", "judged"} or comparison.splits or table.covers == "runs":
        return None
    sizes = table.get("units", table["n"]).to_numpy()
    error = _shares(comparison, table["standard_error"])
    binary = takes == {"outcomes"}
    if not (np.isfinite(error).all() and (binary or (error > 0).all())):
        return None
    among = ()
    if "runs" in takes:
        if in_runs.WITHIN not in table:
            return None
        among, spread = _noise(comparison, table, sizes)
    elif binary:
        spread = discordant(sizes, error, _shares(comparison, table["difference"]))
    else:
        spread = error * np.sqrt(sizes)
    margins = _shares(comparison, table["margin"]) if comparison.claim != "better" else np.array([])
    return Suite(
        tuple(sizes.tolist()),
        tuple(spread.tolist()),
        binary,
        alpha,
        shares=bool(binary or comparison.per_cent),
        claim=comparison.claim,
        margin=tuple(margins.tolist()),
        alternative="two-sided" if comparison.two_sided else "greater",
        names=tuple(table["dataset"]),
        runs=among,
    )


def _noise(comparison, table, sizes):
    """Return the runs of each dataset, and the standard deviations of its items."""
    same = comparison.repeated == "raters"
    counts = table[["runs_a", "runs_b"]].to_numpy()
    per_run = 1 / counts[:, 0] if same else (1 / counts).sum(axis=1)
    items, runs, rest = (_shares(comparison, table[f"sd_{source}"]) for source in noise.SOURCES)
    rows = zip(
        counts.min(axis=1).tolist(),
        (runs / np.sqrt(per_run)).tolist(),
        (rest / np.sqrt(per_run / sizes)).tolist(),
        strict=True,
    )
    return tuple(Runs(*row, same) for row in rows), items * np.sqrt(sizes)


def seen(comparison, table, planned):
    """Return what a pilot shows of each dataset.

    `comparison`, `table`: as for `observed`. `planned` (Suite): what `observed` returned.

    Returns list of dict. ``dataset``, its ``instances``, the ``size`` and ``spread`` in the plan,
    and the observed ``gain``.
    """
    columns = {
        "dataset": planned.names,
        "instances": table["n"].tolist(),
        "size": planned.sizes,
        "spread": planned.spread,
        "gain": _shares(comparison, table["difference"]).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def resized(planned, sizes):
    """Return a plan with other datasets, of which each has the mean spread of the first ones.

    `planned` (Suite): the plan, such as that of a pilot. `sizes` (sequence of int): numbers of
    items of the datasets.

    Returns Suite. With the means of spread, margin, design effect and noise of runs, weighted by
    the sizes.

    Raises `InputError`: as `Suite`.
    """
    means = {
        key: (float(np.average(values, weights=planned.sizes)),) * len(sizes)
        for key in ("spread", "margin", "design_effect")
        if (values := getattr(planned, key))
    }
    if planned.runs:
        means["runs"] = (pooled(planned.runs, planned.sizes),) * len(sizes)
    return replace(planned, sizes=tuple(sizes), names=(), **means)


def discordant(sizes, error, difference):
    """Return the shares of discordant items that standard errors tell.

    `sizes` (ndarray of int, shape (n,)): numbers of items, N. `error` (ndarray of float64, shape
    (n,)): standard errors of the differences, with N - 1 degrees of freedom. `difference` (ndarray
    of float64, shape (n,)): differences of the accuracies.

    Returns ndarray of float64, shape (n,). (d + 1)/(N + 2) for d discordant of N items, which is
    not 0 where none was seen.
    """
    wins_and_losses = sizes * (error**2 * (sizes - 1) + difference**2)
    return (wins_and_losses + 1) / (sizes + 2)


def _shares(comparison, column):
    return column.to_numpy(float) / (100 if comparison.per_cent else 1)
