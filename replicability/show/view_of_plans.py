"""What every rendering shows of a plan: tables of text, made once.

The terminal, Jupyter, the page, Markdown and LaTeX lay out each `Table` that `tables` returns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from replicability.core import design, design_wording
from replicability.core.procedure import TITLES
from replicability.show import view
from replicability.show.view import Column, Table

if TYPE_CHECKING:
    import pandas as pd

    from replicability.api.plan import Plan


@dataclass(frozen=True)
class Planned:
    """What headings and cells of a plan depend on.

    Attributes
    ----------
    method : str
        Title of the local test.
    level : str
        Level of each direction.
    shares : bool
        Whether scores are shares, and gains are written in points.
    """

    method: str
    level: str
    shares: bool


def _points(planned: Planned, value: float) -> str:
    return str(design.points(value, planned.shares))


def _text(_planned: Planned, value: object) -> str:
    return str(value)


def _whole(_planned: Planned, value: float) -> str:
    return f"{value:,.0f}"


def _mean(_planned: Planned, value: float) -> str:
    return f"{value:.1f}"


def _percent(_planned: Planned, value: float) -> str:
    return f"{value:.0%}"


EXPECTED = [
    Column(("instances",), "items", _text, left=True),
    Column(("gain",), "gain", _points),
    Column(("k_hat",), "k-hat, {method}", _mean),
    Column(("names",), "named", _mean),
    Column(("bonferroni",), "Bonferroni", _mean),
    Column(("count",), "p ≤ {level}", _mean),
    Column(("any",), "any shown", _percent),
]
"""Columns of the table of sizes and gains; keys are those of `Plan.table`."""

LEAST = [
    Column(("shown",), "datasets, at least", _whole, left=True),
    Column(("gain",), "gain", _points, gap="none"),
    Column(("margin",), "margin", _points, gap="none"),
]
"""Columns of the table of least gains; keys are those of `design.least_gains`."""

NEEDED = [
    Column(("dataset",), "dataset", _text, left=True),
    Column(("instances",), "items", _whole),
    Column(("everywhere",), "if all grow", _whole, gap="none"),
    Column(("fewest",), "fewest in all", _whole, gap="none"),
    Column(("more",), "more", _whole, gap="none"),
    Column(("named",), "to be named", _whole, gap="none"),
]
"""Columns of the table of needed items; keys are those of `Plan.needed`."""


BY_RUNS = [
    Column(("runs",), "runs", _text, left=True),
    Column(("instances",), "items", _text),
    Column(("k_hat",), "k-hat, {method}", _mean),
    Column(("names",), "named", _mean),
    Column(("error",), "standard error", _points),
]
"""Columns of the table of runs and items; keys are those of `design.by_runs`."""


def tables(plan: Plan) -> list[Table]:
    """Return the tables of a plan.

    `plan` (api.plan.Plan): the plan.

    Returns list of Table. What is expected, the least gains, what the target takes if items can
    reach it, in one row if it takes the same of all datasets, and what more runs add.
    """
    suite = plan.suite
    asked = Planned(TITLES[suite.method], f"{suite.level:g}", suite.shares)
    expected = plan.table
    if suite.method == "bonferroni":
        expected = expected.drop(columns="bonferroni")
    captions = design_wording.captions(suite, plan.power)
    shown = [(EXPECTED, expected, captions[0]), (LEAST, plan.least_gains, captions[1])]
    if plan.needs is not None and plan.needs.possible:
        shown.append((NEEDED, _alike(plan.needed), captions[2]))
    if plan.runs is not None:
        shown.append((BY_RUNS, plan.runs, captions[3]))
    return [
        view.laid_out(
            [column for column in columns if column.applies(frame)], frame, asked, caption=caption
        )
        for columns, frame, caption in shown
    ]


def _alike(needed: pd.DataFrame) -> pd.DataFrame:
    """Return one row for all datasets if the same is needed of each."""
    n = len(needed)
    if n == 1 or len(needed.drop(columns="dataset").drop_duplicates()) > 1:
        return needed
    return needed.head(1).assign(dataset=f"each of {n:,}")
