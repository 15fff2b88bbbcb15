"""What every rendering shows of a comparison by several metrics: two tables and a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from replicability.core import roles
from replicability.core.findings.wording import of_group
from replicability.core.numbers import rounded
from replicability.show.html_elements import inline_svg
from replicability.show.templates import environment
from replicability.show.view import Column, Table, laid_out

if TYPE_CHECKING:
    from replicability.api.grid import Grid

AHEAD, BEHIND, OPEN = "▲", "▼", ""
"""Marks of cells in which A is better, B is better, or neither is significant."""


@dataclass(frozen=True)
class Shown:
    """What headings depend on: the systems."""

    a: str
    b: str


def _text(_shown: Shown, value: object) -> str:
    return str(value)


METRICS = [
    Column(("metric",), "metric", _text, left=True),
    Column(("direction",), "better", _text, left=True, spare=1),
    Column(("scale",), "scores read", _text, left=True, spare=2),
    Column(("difference",), "mean difference", _text),
    Column(("better",), "{a} better on", _text),
    Column(("worse",), "{b} better on", _text),
]
"""Columns of the table of metrics; its last two rows are for every and for some metric."""


def digits(values: pd.Series) -> int:
    """Return the decimals that differences of a metric need."""
    largest = float(np.abs(values).max())
    return 1 if largest >= 10 else 2 if largest >= 1 else 3


def metrics(grid: Grid) -> Table:
    """Return the table of the metrics: on how many datasets either system is better by each."""
    n, rows = len(grid.datasets), []
    for of in grid.metrics:
        own = grid.table.loc[grid.table["metric"] == of["name"], "difference"]
        row = {"metric": of["name"], "direction": "higher" if of["higher_is_better"] else "lower"}
        row["scale"] = "" if of["lowest"] is None else f"{of['lowest']:.4g} to {of['highest']:.4g}"
        row["difference"] = rounded(own.mean(), digits(own), plus="+")
        rows.append(row | _on(grid, lambda side, name=of["name"]: side.by(name)))
    whole = {"direction": "", "scale": "", "difference": ""}
    rows.append({"metric": "every metric", **whole} | _on(grid, lambda side: side.every()))
    rows.append({"metric": "some metric", **whole} | _on(grid, lambda side: side.some()))
    frame = pd.DataFrame(rows)
    a, b = grid.systems
    return laid_out(
        [column for column in METRICS if set(column.keys) <= set(frame)],
        frame,
        Shown(a, b),
        caption=f"Number of datasets, out of {n:,}, on which each system is better, by metric.",
        note=f"All bounds have simultaneous confidence. A difference above 0 favours {a}, whether "
        "higher or lower scores are better.",
        bold=tuple(name in ("every metric", "some metric") for name in frame["metric"]),
    )


def _on(grid, count):
    """Return the bounds of both sides as cells."""
    n = len(grid.datasets)
    sides = zip(("better", "worse"), grid.sides, strict=False)
    return {key: of_group(count(side), n) if count(side) else "–" for key, side in sides}


def cells(grid: Grid) -> Table:
    """Return the table of all cells: the difference, and a mark where a system is better."""
    a, b = grid.systems
    wide = grid.table.pivot_table("difference", "dataset", "metric", sort=False)
    wide = wide.loc[list(grid.datasets), [of["name"] for of in grid.metrics]]
    named = [side.named.to_numpy() for side in grid.sides]
    marks = np.where(named[0], AHEAD, OPEN)
    if len(named) > 1:
        marks = np.where(named[1], BEHIND, marks)
    against = set(grid.contradicting)
    columns = []
    for j, name in enumerate(wide):
        own = digits(wide[name])
        columns.append(
            [
                f"{rounded(value, own, plus='+')} {mark or ' '}"
                for value, mark in zip(wide[name], marks[:, j], strict=True)
            ]
        )
    contradicts = ["yes" if dataset in against else "" for dataset in grid.datasets]
    headings, last = ["dataset", *map(str, wide)], []
    if against:
        headings, last = [*headings, "metrics contradict"], [contradicts]
    rows = tuple(zip(map(str, grid.datasets), *columns, *last, strict=True))
    worse = f" {BEHIND}: {b} is." if len(named) > 1 else ""
    return Table(
        caption=f"Difference in favour of {a} on each dataset, by metric.",
        note=f"{AHEAD}: {a} is significantly better.{worse} The confidence is "
        "simultaneous for all marks.",
        headings=tuple(headings),
        rows=rows,
        left=(True, *(False,) * (len(headings) - 1)),
        spare=(0,) * len(headings),
        bold=tuple(dataset in against for dataset in grid.datasets),
    )


def page(grid: Grid, command: str = "") -> str:
    """Write the page of a grid, one file that is complete in itself."""
    *said, guarantee = grid.sentences
    drawn = inline_svg(grid.figure(), f"g-{grid.name}".replace(" ", "-"), " ".join(said))
    return (
        environment()
        .get_template("plain.html.jinja")
        .render(
            name=grid.name,
            title=grid.headline,
            sentences=[*said, guarantee],
            figure=drawn,
            tables=list(grid.view.values()),
            notes=[
                *grid.notes,
                " ".join(roles.told(grid.read).values()),
                *([f"Made by: {command}"] if command else []),
            ],
        )
    )
