"""Datasets by metrics: two systems compared by several metrics, with simultaneous confidence.

Each metric is evaluated as a comparison of its own: the same checks, the same tests, the same
refusals. What they have together are units: the metrics score the same outputs, and datasets may
share items. Where units are known and differences add up, one sign of a unit is flipped in all
datasets and by all metrics together, and `stats.grids` makes one closed testing procedure of it.
"""

import contextlib
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core import (
    claimed,
    evaluation,
    findings,
    gates,
    labels,
    orientation,
    procedure,
    units,
)
from replicability.core.findings.wording import plural
from replicability.io import scales
from replicability.stats import grids, joint, local_tests
from replicability.stats.flips import Flips

HIGHER = {"higher": True, "lower": False}
"""Maps the declared direction of a metric to whether a higher score is better."""

DEFAULTS = {"independent": "bonferroni", "positive": "simes", "dependent": "bonferroni"}
"""Maps the dependence to the local test of a grid whose units cannot be flipped."""

SOME = 5
"""Items that a message lists."""


def directions(metrics):
    """Return metric -> "higher" or "lower", or None where nothing is declared.

    Examples
    --------
    >>> directions(["f1", "wer"]), directions({"f1": "higher", "wer": "lower"})
    ({'f1': None, 'wer': None}, {'f1': 'higher', 'wer': 'lower'})
    """
    return dict(metrics) if isinstance(metrics, dict) else dict.fromkeys(metrics)


def score_of(metric, *, table, gold):
    """Return the keyword that reads a metric: a column of scores, or a metric of a format.

    Parameters
    ----------
    metric : str
        Its name.
    table : bool
        Whether the scores are in a table.
    gold : bool
        Whether the table has predictions and gold labels.
    """
    return {"score": metric} if table and not gold else {"metric": metric}


@contextlib.contextmanager
def by_metric(metric):
    """Name the metric before the message of an error."""
    try:
        yield
    except scales.LowerIsBetter:
        raise checks.InputError(
            f"{checks.named('metrics')}: the name {metric!r} suggests that lower scores are "
            "better; declare for each metric whether higher or lower scores are better, such as "
            f"{{{metric!r}: 'lower'}} or, on the command line, {metric}=lower."
        ) from None
    except checks.InputError as error:
        raise checks.InputError(f"Metric {metric!r}: {error}") from None


def of_metric(comparison, metric):
    """Return the question by one metric.

    Parameters
    ----------
    comparison : study.Comparison
        With several `metrics`.
    metric : str
        One of them.

    Returns
    -------
    study.Comparison
    """
    way = directions(comparison.metrics)[metric]
    read = score_of(metric, table=comparison.format == "table", gold="gold" in comparison.columns)
    own = {"columns": comparison.columns | read} if "score" in read else read
    if way is not None:
        own["higher_is_better"] = HIGHER[way]
    if comparison.margin is not None:
        own["margin"] = comparison.margin[metric]
    return replace(
        comparison, metrics={}, method="", groups={}, labels={}, score=metric, title=metric, **own
    )


@dataclass(frozen=True, eq=False)
class Side:
    """What is shown of one system: bounds for any block of datasets and metrics.

    Attributes
    ----------
    systems : tuple of str
        The system that is shown to be better, and the other one.
    datasets, metrics : tuple of str
        Rows and columns of the grid.
    steps : ndarray of int64, shape (n, m)
        As `stats.grids` has them.

    Notes
    -----
    All bounds hold simultaneously, also for blocks that were chosen after the results were seen.
    """

    systems: tuple
    datasets: tuple
    metrics: tuple
    steps: np.ndarray

    def cells(self, datasets=None, metrics=None):
        """Bound the number of pairs of dataset and metric in which the system is better.

        Parameters
        ----------
        datasets, metrics : sequence of str, or str, optional
            A block of the grid; by default all.

        Returns
        -------
        int
        """
        return grids.cells(self._block(datasets, metrics))

    def by(self, metric, datasets=None):
        """Bound the number of datasets on which the system is better by a metric."""
        return self.cells(datasets, metric)

    def rows(self, needed, datasets=None, metrics=None):
        """Bound the number of datasets on which it is better by at least so many metrics.

        Parameters
        ----------
        needed : int
            From 1 to the number of the metrics.
        datasets, metrics
            As in `cells`.

        Returns
        -------
        int
        """
        return grids.rows(self._block(datasets, metrics), needed)

    def every(self, datasets=None, metrics=None):
        """Bound the number of datasets on which the system is better by every metric."""
        block = self._block(datasets, metrics)
        return grids.rows(block, block.shape[1])

    def some(self, datasets=None, metrics=None):
        """Bound the number of datasets on which the system is better by at least one metric."""
        return self.rows(1, datasets, metrics)

    @property
    def named(self):
        """Whether each dataset is named by each metric; DataFrame of bool."""
        return pd.DataFrame(self.steps == 1, index=self.datasets, columns=self.metrics)

    def _block(self, datasets, metrics):
        places = [
            slice(None) if of is None else procedure.check_group(f"the {what}", _listed(of), known)
            for of, known, what in (
                (datasets, self.datasets, "datasets"),
                (metrics, self.metrics, "metrics"),
            )
        ]
        return self.steps[places[0]][:, places[1]]


def _listed(names):
    return [names] if isinstance(names, str) else list(names)


@dataclass(frozen=True, eq=False)
class Gridded:
    """A comparison by several metrics, evaluated.

    Attributes
    ----------
    comparison : study.Comparison
        What was declared, with labels in the place of names.
    tables : dict of str to Tested
        Metric -> a row for each dataset.
    method : str
        Local test, one of `grids.METHODS`.
    sides : tuple of (Flips or None)
        Joint sign flips of all cells, row after row, for A and for B; None where p-values are used.
    """

    comparison: object
    tables: dict
    method: str
    sides: tuple[Flips | None, Flips | None]

    @property
    def metrics(self):
        """Names of the metrics."""
        return tuple(self.tables)

    @property
    def datasets(self):
        """Names of the datasets."""
        return tuple(next(iter(self.tables.values()))["dataset"])

    @property
    def both(self):
        """Whether both directions are tested."""
        first = next(iter(self.tables.values()))
        return self.comparison.two_sided and findings.has_both(self.comparison, first)

    def pvalues(self, column="p_value"):
        """Return the p-values of each cell, a row for each dataset."""
        return np.column_stack([table[column] for table in self.tables.values()])

    def shown(self, alpha):
        """Return what is shown of A, and of B if both directions are tested.

        Parameters
        ----------
        alpha : float
            Level of all that is said; half of it for each direction if there are two.

        Returns
        -------
        list of Side
        """
        level = alpha / 2 if self.both else alpha
        columns = ("p_value", "p_reverse")[: 1 + self.both]
        shape, systems = (len(self.datasets), len(self.metrics)), tuple(self.comparison.systems)
        found = [
            grids.steps(self.pvalues(column), level, self.method)
            if flips is None
            else grids.steps_of_flips(flips, shape, level, self.method)
            for flips, column in zip(self.sides, columns, strict=False)
        ]
        both = zip((systems, systems[::-1]), found, strict=False)
        return [Side(pair, self.datasets, self.metrics, steps) for pair, steps in both]

    def adjusted(self):
        """Return the adjusted p-values of each direction; [] where there is no closed form."""
        times = 2 if self.both else 1
        shape = (len(self.datasets), len(self.metrics))
        if self.method == "max_t":
            found = [joint.adjusted_pvalues(side) for side in self.sides[:times]]
        elif adjust := local_tests.load()[self.method].adjusted:
            columns = ("p_value", "p_reverse")[:times]
            found = [adjust(self.pvalues(column).ravel()) for column in columns]
        else:
            return []
        return [np.minimum(1, times * of).reshape(shape) for of in found]


def evaluate(comparison, parts):
    """Evaluate a comparison by each of its metrics.

    Parameters
    ----------
    comparison : study.Comparison
        With several `metrics`.
    parts : dict of str to (study.Comparison, sequence of instances.Dataset)
        Metric -> the question by it, and its scores.

    Returns
    -------
    Gridded

    Raises
    ------
    InputError
        As `evaluation.evaluate`; if metrics have different datasets or items, or the method that is
        asked for cannot be had.
    """
    _refuse_unlike(comparison, parts)
    tables = {}
    for name, part in parts.items():
        with by_metric(name):
            tables[name] = evaluation.evaluate(*part)
    method = _method(comparison, parts)
    sides = _flips(comparison, parts, tables) if method in grids.OF_FLIPS else (None, None)
    names = [*tables, *next(iter(tables.values()))["dataset"]]
    labels.check(comparison, comparison.systems, names, comparison.groups)
    called = comparison.called
    shown = {
        called(name): labels.apply(replace(parts[name][0], labels=_own(comparison, table)), table)[
            1
        ]
        for name, table in tables.items()
    }
    whole = replace(
        comparison,
        systems=tuple(map(called, comparison.systems)),
        groups={called(g): [*map(called, of)] for g, of in comparison.groups.items()},
        title="-".join(map(called, comparison.systems))
        if comparison.title == "-".join(comparison.systems)
        else comparison.title,
    )
    for name, group in whole.groups.items():
        procedure.check_group(f"group {name!r}", group, next(iter(shown.values()))["dataset"])
    return Gridded(whole, shown, method, sides)


def _own(comparison, table):
    """Return the labels of what the table of one metric has."""
    known = {*comparison.systems, *table["dataset"], *table.groups}
    return {name: label for name, label in comparison.labels.items() if name in known}


def _refuse_unlike(comparison, parts):
    """Refuse metrics with different datasets, or with different items of a dataset."""
    (first, (_, datasets)), *others = parts.items()
    items = {dataset.name: _items(dataset) for dataset in datasets}
    for metric, (_, own) in others:
        found = {dataset.name: _items(dataset) for dataset in own}
        for one, two, has, lacks in ((items, found, first, metric), (found, items, metric, first)):
            missing = [name for name in one if name not in two]
            if missing:
                raise checks.InputError(
                    f"{comparison.source}: the metric {has!r} has scores on the dataset "
                    f"{missing[0]!r}, but {lacks!r} has none; all metrics need the same datasets, "
                    f"so use {checks.named('datasets')} to select those with scores by every "
                    "metric."
                )
            for name, known in one.items():
                more = sorted(known - two[name])
                if more:
                    raise checks.InputError(
                        f"{comparison.source}: on the dataset {name!r}, the metric {has!r} has "
                        f"scores for {plural(len(more), 'item')} without a score by {lacks!r}, "
                        f"such as {checks.listed(more[:SOME])}; all metrics need the same items, "
                        "so leave out items that do not have a score by every metric."
                    )


def _items(dataset):
    return {*map(str, dataset.identifiers.to_pylist())}


def _method(comparison, parts):
    """Choose the local test: joint sign flips where units can be flipped, else by dependence."""
    asked = comparison.method
    why = _not_flipped(comparison, parts)
    if not asked:
        return "max_t" if not why else DEFAULTS[comparison.dependence]
    checks.choice("method", asked, grids.METHODS)
    if asked in grids.OF_FLIPS and why:
        raise checks.InputError(
            f"The method {asked!r} flips the signs of units, but {why}; leave "
            f"{checks.named('method')} out to use {DEFAULTS[comparison.dependence]!r}."
        )
    if asked == "simes" and comparison.dependence != "positive":
        raise checks.InputError(
            "The method 'simes' is valid for positively dependent cells, but metrics of the same "
            "output may contradict each other; if you know that they do not, declare "
            f"{checks.given('dependence', repr('positive'))}, or leave {checks.named('method')} "
            "out."
        )
    return asked


def _not_flipped(comparison, parts):
    """Say why units cannot be flipped; "" if they can."""
    first = next(iter(parts.values()))[0]
    if first.level != "instances" or first.claim_covers == "runs" or first.splits:
        return "there are no item scores for both systems"
    if not comparison.shared and comparison.dependence != "independent":
        return (
            "it is not known which units the datasets share (declare the shared units with "
            f"{checks.named('shared')}, or declare the datasets independent)"
        )
    for name, (_, datasets) in parts.items():
        for dataset in datasets:
            if dataset.gold is not None or not units.adds_up(units.by_unit(dataset)):
                return f"differences in {name!r} do not add up over units"
    return ""


def _flips(comparison, parts, tables):
    """Flip the signs of units in all datasets and by all metrics together."""
    found = []
    for name, (own, datasets) in parts.items():
        with gates.placed(own):
            drawn = [units.by_unit(part) for part in orientation.orient(own, datasets)[1]]
            known = [dataset.name for dataset in drawn]
            tests = claimed.hypotheses(own, tables[name]["test"].iloc[0], known)
            found.append(claimed.flips(own, drawn, tests, comparison.shared))
    forth = [of["flips"] for of in found]
    back = [of.get("flips_reverse") or units.turned(of["flips"]) for of in found]
    return _beside(forth), _beside(back)


def _beside(flips):
    """Lay the statistics of several metrics side by side, row after row of the grid."""
    z = np.stack([of.z for of in flips], axis=2)
    shared = np.repeat(np.repeat(flips[0].shared, len(flips), 0), len(flips), 1)
    return Flips(z.reshape(len(z), -1), shared)


def long_table(grid):
    """Return all numbers of a grid, a row for each dataset and metric.

    Parameters
    ----------
    grid : Gridded
        The grid.

    Returns
    -------
    DataFrame
        ``dataset``, ``metric``, the columns that every metric has, and the adjusted p-values.
    """
    parts = [table.rows.assign(metric=name) for name, table in grid.tables.items()]
    rows = (
        pd.concat(parts, keys=range(len(parts)))
        .swaplevel()
        .sort_index(level=0, sort_remaining=False)
    )
    names = ("adjusted_p_value", "adjusted_p_reverse")
    more = {name: of.ravel() for name, of in zip(names, grid.adjusted(), strict=False)}
    first = ["dataset", "metric"]
    rows = rows.reset_index(drop=True).assign(**more)
    return rows[first + [name for name in rows if name not in first]]
