"""One comparison by several metrics: datasets by metrics, with simultaneous confidence."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import replicability
from replicability import checks
from replicability.api import record, shown
from replicability.api.scores import Scores, settled
from replicability.checks import InputError
from replicability.core import cautions, claimed
from replicability.core import grid as grids
from replicability.core.claimed import Claim
from replicability.core.findings import grids as said
from replicability.core.findings.wording import plural
from replicability.core.grid import Side
from replicability.core.roles import Roles, by_text
from replicability.io import files, formats, keys, questions, study
from replicability.io.declared import Comparison, Question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from replicability.show.view import Table


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """The answer for two systems on several datasets by several metrics.

    `print(grid)` gives its sentences, which have simultaneous confidence 1 - alpha.

    Attributes
    ----------
    name, title : str
        The comparison in its study, and for readers.
    systems : tuple of str
        A and B.
    metrics : tuple of dict
        ``name``, ``higher_is_better``, whether that is ``declared``, and the ``lowest`` and
        ``highest`` score of each metric.
    groups : dict of str to list of str
        Declared groups of datasets.
    dependence : str
        Declared dependence of the datasets.
    method : str
        Local test, one of `stats.grids.METHODS`.
    claim : claimed.Claim
        The claim about A and B on a dataset by a metric.
    table : DataFrame
        All numbers, a row for each dataset and metric, with the columns of `Result.table`.
    found : dict of float to tuple of Side
        Level -> findings for A, and for B if both directions are tested.
    notes : list of str
        Further notes on each metric.
    read : dict of str to dict
        Metric -> what was read, as `Roles.to_dict`.
    provenance : dict
        As in `Result`.

    Examples
    --------
    >>> import pandas as pd
    >>> import replicability as rep
    >>> rows = [(i, system, 0.7 + i % 7 / 50 + 0.1 * (system == "ours"), 4 + i % 3 / 10
    ...          - 0.5 * (system == "ours")) for i in range(40) for system in ("ours", "base")]
    >>> df = pd.DataFrame(rows, columns=["instance", "system", "f1", "judge"])
    >>> df["dataset"] = ["news" if i < 20 else "law" for i in df["instance"]]
    >>> grid = rep.compare(df, a="ours", b="base", metrics=["f1", "judge"],
    ...                    dependence="independent")
    >>> grid.better.every(), grid.better.by("f1"), grid.worse.by("judge"), grid.contradicting
    (0, 2, 2, ['news', 'law'])
    """

    name: str
    title: str
    systems: tuple[str, str]
    metrics: tuple[dict[str, Any], ...]
    groups: dict[str, list[str]]
    dependence: str
    method: str
    claim: Claim
    table: pd.DataFrame
    found: dict[float, tuple[Side, ...]]
    notes: list[str]
    read: dict[str, dict[str, Any]]
    provenance: dict[str, Any]

    @property
    def alpha(self) -> float:
        """The first level."""
        return next(iter(self.found))

    @property
    def sides(self) -> tuple[Side, ...]:
        """What is shown at the first level: of A, and of B if both directions are tested."""
        return self.found[self.alpha]

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the n datasets."""
        return self.sides[0].datasets

    @property
    def better(self) -> Side:
        """Bounds for "A is better": of any block, by every metric, by some."""
        return self.sides[0]

    @property
    def worse(self) -> Side:
        """Bounds for "B is better"; refused if only one direction is tested."""
        if len(self.sides) < 2:
            raise InputError(
                "Only the claim that A is better was tested; leave alternative= out to test both "
                "directions."
            )
        return self.sides[1]

    @property
    def contradicting(self) -> list[str]:
        """Datasets on which A is significantly better by a metric, and B by another."""
        return said.contradicting(self.sides)

    def at(self, alpha: float) -> Grid:
        """Return the same with another of its levels as the first."""
        if alpha not in self.found:
            raise InputError(
                f"alpha={alpha!r} is not one of the levels that were tested "
                f"({checks.listed(list(map(str, self.found)))}); pass it as alpha= to the "
                "comparison."
            )
        return dataclasses.replace(self, found={alpha: self.found[alpha]} | self.found)

    # --- in words --------------------------------------------------------------------------------

    @property
    def sentences(self) -> list[str]:
        """What is shown at the first level; the last sentence is the guarantee."""
        return said.sentences(self.sides, self.alpha, self.method, self.groups, self.claim)

    @property
    def headline(self) -> str:
        """What is found, as a title."""
        return said.heading(self.sides)

    def __str__(self) -> str:
        """Return the sentences."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Name the systems and the size of the grid."""
        a, b = self.systems
        n, m = plural(len(self.datasets), "dataset"), plural(len(self.metrics), "metric")
        return f"<Grid: {a} against {b}, {n} by {m} (alpha = {self.alpha:g})>"

    # --- as tables and plain values --------------------------------------------------------------

    @cached_property
    def view(self) -> dict[str, Table]:
        """The tables of text that every rendering shows: of the metrics, and of all cells."""
        from replicability.show import view_of_grids

        return {"metrics": view_of_grids.metrics(self), "cells": view_of_grids.cells(self)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that JSON can hold.

        Returns
        -------
        dict
            What ``replicability compare --metrics ... --json`` prints: version, systems, metrics,
            datasets, groups, method, a row for each dataset and metric, and for each level and
            direction the bounds by every metric, by some and by each, the ``steps`` from which
            those of any block follow, and the datasets on which metrics contradict each other.
        """
        answer = {
            "version": replicability.__version__,
            "name": self.name,
            "title": self.title,
            "systems": self.systems,
            "metrics": self.metrics,
            "datasets": self.datasets,
            "groups": self.groups,
            "dependence": self.dependence,
            "method": self.method,
            "claim": dataclasses.asdict(self.claim),
            "alpha": list(self.found),
            "findings": [
                {
                    "alpha": alpha,
                    "better": side.systems[0],
                    "every": side.every(),
                    "some": side.some(),
                    "by_metric": {metric: side.by(metric) for metric in side.metrics},
                    "steps": [[None if u == NONE else u for u in row] for row in side.steps],
                }
                for alpha, sides in self.found.items()
                for side in sides
            ],
            "contradicting": self.contradicting,
            "sentences": self.sentences,
            "cells": self.table.to_dict("list"),
            "notes": self.notes,
            "read": self.read,
            "provenance": self.provenance,
        }
        made: dict[str, Any] = record.plain(answer)
        return made

    @classmethod
    def from_dict(cls, answer: Mapping[str, Any]) -> Grid:
        """Return the grid that a dictionary holds, as `to_dict` returns it; it bounds any block."""
        try:
            names = tuple(of["name"] for of in answer["metrics"])
            found: dict[float, tuple[Side, ...]] = {}
            for of in answer["findings"]:
                a, b = answer["systems"]
                pair = (a, b) if of["better"] == a else (b, a)
                steps = [[NONE if u is None else u for u in row] for row in of["steps"]]
                side = Side(pair, tuple(answer["datasets"]), names, np.array(steps, np.int64))
                found[of["alpha"]] = (*found.get(of["alpha"], ()), side)
            same = ("name", "title", "groups", "dependence", "method", "notes", "read")
            return cls(
                **{key: answer[key] for key in (*same, "provenance")},
                systems=tuple(answer["systems"]),
                metrics=tuple(answer["metrics"]),
                claim=Claim(**answer["claim"]),
                table=pd.DataFrame(answer["cells"]),
                found=found,
            )
        except KeyError as error:
            raise InputError(
                f"The dictionary lacks the key {error}; pass a dictionary returned by a "
                "grid's to_dict() method."
            ) from None

    # --- to show and to keep ---------------------------------------------------------------------

    def figure(self, title: str = "") -> Figure:
        """Draw all cells: which system is better on each dataset by each metric.

        Parameters
        ----------
        title : str, optional
            Title; by default the finding.
        """
        from replicability.show import grids as drawn

        return shown.figure(drawn.cells, self, title or self.headline)

    def to_markdown(self) -> str:
        """Return both tables as Markdown, each with a caption."""
        from replicability.show import tables

        return "\n".join(tables.markdown(of.frame, caption) for of, caption in self._captioned())

    def to_latex(self, *, width: str = "") -> str:
        """Return both tables as LaTeX (booktabs), each with a caption.

        With ``width`` "column" or "text" they fit a column or the text of a two-column paper.
        """
        from replicability.show import latex_width

        return "\n".join(
            latex_width.latex(of, f"{self.name}_{name}", caption, width)
            for name, (of, caption) in zip(self.view, self._captioned(), strict=True)
        )

    def to_csv(self) -> str:
        """Return `table` as CSV."""
        from replicability.show import tables

        return tables.as_csv(self.table)

    def _captioned(self) -> list[tuple[Table, str]]:
        return [(of, f"{of.caption} {of.note}".strip()) for of in self.view.values()]

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write one HTML page that holds everything and can be sent; return its path."""
        return files.write(Path(file).absolute(), self.page())

    def page(self, command: str = "") -> str:
        """Return the page that `report` writes; ``command`` is what made it, if a command did."""
        from replicability.show import view_of_grids

        return view_of_grids.page(self, command)

    def _repr_html_(self) -> str:
        """Return sentences, tables and figure for Jupyter; without matplotlib no figure."""
        parts = [shown.paragraph(text) for text in self.sentences]
        parts += map(shown.captioned, self.view.values())
        if shown.can_draw():
            parts.append(shown.as_image(self.figure(), " ".join(self.sentences[:-1])))
        return "\n".join([*parts, shown.details("Notes", self.notes)] if self.notes else parts)

    def __eq__(self, other: object) -> bool:
        """Return whether inputs, numbers and decisions are equal."""
        if not isinstance(other, Grid):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


NONE = int(np.iinfo(np.int64).max)
"""Marks a cell that every set may contain, as in `stats.grids`."""


def compare(
    data: Any,
    other: Any,
    reading: Mapping[str, Any],
    question: Question,
    metrics: Iterable[str] | Mapping[str, str],
    alpha: float | Sequence[float],
    *,
    alone: bool = False,
) -> Grid:
    """Compare two systems by several metrics.

    Parameters
    ----------
    data, other, alone
        As in `Scores.of`.
    reading : dict
        Keywords that say how scores are read; None means not given.
    question : Question
        The question for each metric.
    metrics : list of str, or dict of str to {"higher", "lower"}
        Columns of scores of a table with a row for each item and system; of predictions with gold
        labels and of other formats, what `metric` can be.
    alpha : float or sequence of float
        Levels.

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        As `replicability.compare`; if metrics differ in datasets or items, or a table has no such
        column.
    """
    declared = keys.checked("metrics", metrics)
    study.refuse_beside_metrics("", {key for key in reading if reading[key] is not None})
    parts, whole = {}, None
    for metric, way in grids.directions(declared).items():
        read = grids.score_of(
            metric,
            table=_is_table(data, reading.get("format")),
            gold=reading.get("gold") is not None,
        )
        own: Any = {**reading, **read}
        if way is not None:
            own["higher_is_better"] = grids.HIGHER[way]
        with grids.by_metric(metric):
            scores = Scores.of(data, other, own, alone=alone)
        if "score" in read and scores.source.columns.get("score") != metric:
            raise InputError(
                f"{scores.source.source}: {checks.named('metrics')} needs a table with one row per "
                "item and system, but this one has a column for each system; reshape it, with the "
                "system's name in a column."
            )
        asked = questions.comparison(scores.source, question, metrics=declared)
        whole = whole or asked
        parts[metric] = (grids.of_metric(asked, metric), scores.datasets)
    assert whole is not None, "there are at least two metrics"
    return decide(whole, parts, keys.levels(alpha))


def _is_table(data: Any, format: str | None) -> bool:
    """Tell whether scores are in a table."""
    if format is not None:
        return format == "table"
    return not isinstance(data, str | os.PathLike) or formats.guess(os.fspath(data)) == "table"


def asked(comparison: Comparison, alphas: Sequence[float]) -> Grid:
    """Answer a comparison with several metrics that a study declares."""
    parts = {}
    for metric in grids.directions(comparison.metrics):
        own = grids.of_metric(comparison, metric)
        with grids.by_metric(metric):
            datasets = tuple(formats.read(own))
        parts[metric] = (dataclasses.replace(own, **settled(own)), datasets)
    return decide(comparison, parts, alphas)


def decide(comparison: Comparison, parts: Mapping[str, Any], alphas: Sequence[float]) -> Grid:
    """Return what is found at every level.

    Parameters
    ----------
    comparison : study.Comparison
        With several `metrics`.
    parts : dict
        As in `core.grid.evaluate`.
    alphas : sequence of float
        Levels.

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        As `core.grid.evaluate`.
    """
    found = grids.evaluate(comparison, parts)
    roles = [table.read for table in found.tables.values()]
    metrics = tuple(
        {
            "name": name,
            "higher_is_better": read.higher_is_better,
            "declared": read.direction_declared,
            "lowest": read.lowest,
            "highest": read.highest,
        }
        for name, read in zip(found.metrics, roles, strict=True)
    )
    whole = found.comparison
    return Grid(
        name=str(whole.name),
        title=str(whole.title),
        systems=tuple(whole.systems),
        metrics=metrics,
        groups={name: list(of) for name, of in whole.groups.items()},
        dependence=whole.dependence,
        method=found.method,
        claim=claimed.claim(dataclasses.replace(whole, margin=None, claim="better"))
        if whole.claim == "better"
        else Claim(whole.claim, "the margin of the metric"),
        table=grids.long_table(found),
        found={alpha: tuple(found.shown(alpha)) for alpha in alphas},
        notes=_notes(found, alphas[0]),
        read={
            name: _without(read, found.metrics).to_dict()
            for name, read in zip(found.metrics, roles, strict=True)
        },
        provenance=record.source_of(comparison),
    )


def _without(read: Roles, metrics: Sequence[str]) -> Roles:
    """Return what was read by a metric, without the columns of the others."""
    return dataclasses.replace(read, unused=[name for name in read.unused if name not in metrics])


def _notes(found: grids.Gridded, alpha: float) -> list[str]:
    """Return the cautions about each metric, once for all of which the same is said."""
    level = alpha / (1 + found.both) / len(found.metrics)
    said = by_text({of: cautions.cautions(table, level) for of, table in found.tables.items()})
    return [f"{checks.enumerated(names)}: {text}" for text, names in said.items()]
