"""Scores of items in single runs: what tests of new runs take, and the sources of noise."""

import numpy as np

from replicability import checks
from replicability.stats import noise

COLUMNS = tuple(f"sd_{source}{end}" for source in noise.SOURCES for end in ("", "_low", "_high"))
"""Columns of the standard deviations of a difference, by source, with their limits."""

WITHIN = "within_runs"
"""Column of the half-width of the interval that these runs allow with unlimited items."""


def options(comparison, dataset):
    """Return the option of a crossed test: whether the runs of both systems are the same.

    `comparison`: its `repeats`. `dataset`: with `runs`.

    Returns dict. "paired_runs", true for raters; {} unless the claim covers new runs of the same
    items.

    Raises `InputError`: if the raters of both systems differ.
    """
    if not comparison.crossed:
        return {}
    raters = comparison.repeated == "raters"
    if raters and not (dataset.runs and dataset.runs.same):
        raise checks.InputError(
            "The systems have different raters; keep only raters who rated both systems, and "
            "spell each rater's name in the same way for both systems."
        )
    return {"paired_runs": raters}


def scores(dataset):
    """Return the scores of each item in each run.

    `dataset`: scores, or sums with sizes.

    Returns tuple of ndarray of float64, shapes (n, r) and (n, s). Of A and of B. Ratios are
    linearised: each column has the score of its run as its mean.

    Raises `InputError`: if an item lacks a run, or there is none.
    """
    if dataset.runs is None or dataset.runs.cells is None:
        raise checks.InputError(
            "A claim about new items and new runs needs the score of every item in every run of a "
            "system, but some scores are missing. Add the scores, or leave those items out. If "
            "each item has its own runs, declare this with the key nested under "
            f"{checks.named('repeats')}."
        )
    if dataset.a.ndim == 1:
        return dataset.runs.cells
    sizes, found = dataset.a[:, 1:], []
    for sums in dataset.runs.cells:
        each = sums.sum(axis=0) / sizes.sum()
        found.append(each + (sums - each * sizes) / sizes.mean())
    return tuple(found)


def columns(comparison, datasets):
    """Return the sources of noise of each dataset.

    `datasets` (sequence of instances.Dataset): scores of units.

    Returns dict of str to list. `COLUMNS` and `WITHIN`; {} unless every run scored every item of
    each dataset.
    """
    if comparison.repeats.get("nested") or not all(map(_known, datasets)):
        return {}
    scale, found = 100 if comparison.per_cent else 1, {name: [] for name in (*COLUMNS, WITHIN)}
    for dataset in datasets:
        same = comparison.repeated == "raters" and dataset.runs.same
        seen = noise.components(*scores(dataset), paired_runs=same)
        for source in noise.SOURCES:
            for end, of in (("", seen.sd), ("_low", seen.low), ("_high", seen.high)):
                found[f"sd_{source}{end}"].append(scale * of[source])
        found[WITHIN].append(scale * seen.within)
    return found


def _known(dataset):
    """Tell whether scores in two runs or more of two items or more are there."""
    runs = dataset.runs
    return runs is not None and runs.cells is not None and min(map(_least, runs.cells)) > 1


def _least(cells):
    return min(cells.shape)


def shares(table):
    """Return the shares of the sources in the variance, with limits.

    `table` (Tested or DataFrame): with `COLUMNS`.

    Returns dict of str to ndarray of float64. Source -> its share on each dataset; NaN where
    nothing varies.
    """
    squares = {
        source: np.square(np.array(table[f"sd_{source}"], float)) for source in noise.SOURCES
    }
    total = sum(squares.values())
    with np.errstate(invalid="ignore", divide="ignore"):
        return {source: of / total for source, of in squares.items()}


def sentences(table):
    """Say how much of the variance comes from runs, and what these runs leave unknown.

    Returns list of str. One text; empty without scores of single runs.
    """
    if WITHIN not in table:
        return []
    found = shares(table)["runs"]
    if np.isnan(found).all():
        return []
    if np.nanmax(found) == 0:
        found = np.array(table["sd_runs_high"], float)
    worst = int(np.nanargmax(found))
    row = table.rows.iloc[worst]
    raters = table.read is not None and table.read.raters
    noun = "raters" if raters else "runs"
    of = f"{row['runs_a']:,} {noun}"
    if not raters and row["runs_a"] != row["runs_b"]:
        of = f"{row['runs_a']:,} and {row['runs_b']:,} runs"
    total = planned(row)
    where = "" if len(table) == 1 else f" on {row['dataset']!r}, where they matter most"
    if row["sd_runs"] == 0:
        seen = f"{noun.capitalize()} add no detectable variance to the difference."
        if row["sd_runs_high"] > 0:
            seen += (
                f" With {of}, however, the standard deviation due to {noun} could still be up to "
                f"{row['sd_runs_high']:.3g}{where.partition(',')[0]} (upper 95% limit). The total "
                f"standard deviation of the difference is {total:.3g}."
            )
        return [seen]
    runs, items = planned(row, runs=2), planned(row, items=2)
    first, second = (noun, "items") if runs <= items else ("items", noun)
    return [
        f"{noun.capitalize()} account for {found[worst]:.0%} of the variance of the "
        f"difference{where} (standard deviation {row['sd_runs']:.3g}, 95% interval "
        f"[{row['sd_runs_low']:.3g}, {row['sd_runs_high']:.3g}]; total standard deviation "
        f"{total:.3g}). With {of}, the difference there cannot be estimated more precisely than "
        f"±{row[WITHIN]:.3g}, however many items you add. Twice as many {first} would lower the "
        f"total standard deviation to {min(runs, items):.3g}, and twice as many {second} to "
        f"{max(runs, items):.3g}."
    ]


def planned(row, items=1, runs=1):
    """Return the standard deviation of a difference with more items and runs.

    `row` (Series or dict): with ``sd_items``, ``sd_runs`` and ``sd_rest`` of a dataset. `items`,
    `runs`: how many times as many items, and runs of each system.

    Returns float. Root of the sum of the variances.

    Examples
    --------
    >>> planned({"sd_items": 3.0, "sd_runs": 4.0, "sd_rest": 0.0})
    5.0
    """
    parts = {"items": items, "runs": runs, "rest": items * runs}
    return float(np.sqrt(sum(row[f"sd_{key}"] ** 2 / times for key, times in parts.items())))
