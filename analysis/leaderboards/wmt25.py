"""WMT25 by five metrics and judges: tables of what `scripts/leaderboards/wmt25_grids.py` found."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from replicability import Grid
from replicability.core.findings.wording import confidence
from replicability.show.tables import Table

FILE = "data/outcomes/wmt25.json"

KNOWN = ("_apart", "_unknown")
"""Ends of the names of comparisons without the shared documents."""

FAVOURS = "favours"
"""Part of the names of comparisons of a judge with other metrics."""


def read(file=FILE):
    """Read what was found.

    `file`: the JSON file.

    Returns dict of str to Grid. Name of the comparison -> what was found, at the level of the
    chapter first.
    """
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    return {one["name"]: Grid.from_dict(one) for one in found}


def alone(file=FILE):
    """Return what each metric shows alone, for the comparisons of which it was asked.

    `file`: the JSON file.

    Returns dict of str to dict of str to list of int. Comparison -> metric -> on how many datasets
    A is better, and B.
    """
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    return {one["name"]: one["alone"] for one in found if "alone" in one}


def contradictions(grids):
    """Return the comparisons of metrics, of all documents as they are shared."""
    return {k: g for k, g in grids.items() if FAVOURS not in k and not k.endswith(KNOWN)}


def favours(grids):
    """Return the comparisons of a judge with other metrics."""
    return {k: g for k, g in grids.items() if FAVOURS in k}


def _both(grid, count):
    """Write the bounds of both systems, such as "17 / 0"."""
    return " / ".join(str(count(side)) for side in grid.sides)


def pairs(grids):
    """Tabulate on how many language pairs each system is better, by each metric and by all.

    `grids` (dict of str to Grid): as `contradictions` returns them.

    Returns Table.
    """
    rows = []
    for grid in grids.values():
        by = {name: _both(grid, lambda side, m=name: side.by(m)) for name in grid.better.metrics}
        rows.append(
            {"A": grid.systems[0], "B": grid.systems[1]}
            | by
            | {"every": _both(grid, lambda side: side.every())}
            | {"some": _both(grid, lambda side: side.some())}
            | {"contradict": len(grid.contradicting)}
        )
    n = len(next(iter(grids.values())).datasets)
    caption = (
        f"Lower bounds on the number of language pairs (of {n}) on which A / B is better. "
        "“Contradict” is the number of language pairs on which A is better according to one "
        "metric and B according to another. All bounds in the chapter have simultaneous "
        f"{confidence(0.05)} confidence."
    )
    return Table(pd.DataFrame(rows), caption)


def guarantees(grid, alone):
    """Compare bounds of each metric alone with those of one guarantee.

    `grid`: Grid. `alone` (dict of str to list of int): metric -> bounds of A and B by it alone.

    Returns Table.
    """
    levels = sorted(grid.found, reverse=True)
    rows = [
        {"metric": metric, "each metric alone": " / ".join(map(str, alone[metric]))}
        | {
            name: _both(grid.at(alpha), lambda side, m=metric: side.by(m))
            for name, alpha in zip(("one comparison", "whole chapter"), levels, strict=True)
        }
        for metric in grid.better.metrics
    ]
    caption = (
        f"Lower bounds on the number of language pairs on which {grid.systems[0]} / "
        f"{grid.systems[1]} is better, with 95% confidence for each metric alone, for all metrics "
        "together, and for all claims of the chapter together."
    )
    return Table(pd.DataFrame(rows), caption)


def documents(grids):
    """Compare what is significant with shared documents, without, and without knowledge.

    `grids` (dict of str to Grid): as `read` returns them.

    Returns Table.
    """
    rows = []
    for name, grid in contradictions(grids).items():
        cells = {"A": grid.systems[0], "B": grid.systems[1]}
        marks = {}
        for end, heading in (("", "shared"), ("_apart", "not shared"), ("_unknown", "Bonferroni")):
            sides = grids[name + end].sides
            marks[end] = np.stack([side.named.to_numpy() for side in sides])
            cells[heading] = int(marks[end].sum())
        cells["differ"] = int((marks[""] != marks["_apart"]).sum())
        effects = grid.table.groupby("metric")["design_effect"].median()
        cells["design effect"] = round(float(effects.median()), 2)
        rows.append(cells)
    caption = (
        "Number of significant differences over all language pairs and metrics: with shared "
        "documents, with documents treated as different in each language pair, and by Bonferroni's "
        "method. “Differ” is the number of differences on which the first two methods disagree. "
        "The design effect is the median ratio of the variance estimated from documents to that "
        "estimated from segments."
    )
    return Table(pd.DataFrame(rows), caption)


def favour(grids):
    """Tabulate on how many language pairs a judge favours its own model, beside each metric.

    `grids` (dict of str to Grid): as `favours` returns them.

    Returns Table.
    """
    rows = []
    for grid in grids.values():
        judge = grid.better.metrics[0].partition(" minus ")[0]
        by = {
            f"against {name.partition(' minus ')[2].replace(judge, '')}": _both(
                grid, lambda side, m=name: side.by(m)
            )
            for name in grid.better.metrics
        }
        other = next(name for name in by if name.endswith("judge"))
        by = {"against the other judge": by.pop(other)} | by
        rows.append(
            {"judge": judge, "own model": grid.systems[0], "other model": grid.systems[1]}
            | by
            | {"every": _both(grid, lambda side: side.every())}
        )
    caption = (
        "Lower bounds on the number of language pairs on which the judge favours its own model / "
        "the other model, compared with each of the other metrics, and with all of them. A judge "
        "favours a model if it gives the model a larger share of wins than the metric does."
    )
    return Table(pd.DataFrame(rows), caption)


def headline(grid):
    """Say in two lines on how many language pairs a judge favours its own model.

    `grid` (Grid): one that `favours` returns.

    Returns str.
    """
    metric = next(name for name in grid.better.metrics if name.endswith("judge"))
    judge, other = metric.split(" minus ")
    own, rival = grid.systems
    return (
        f"The {judge} favours {own} over {rival} on at least {grid.better.by(metric)} of "
        f"{len(grid.datasets)} language pairs,\ncompared with the {other}"
    )
