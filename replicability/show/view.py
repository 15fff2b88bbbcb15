"""What every rendering of a comparison shows: sentences and tables of text, made once.

`COLUMNS` is the one list of what is shown of a dataset. The terminal, Jupyter, the page, Markdown
and LaTeX lay out the `Table` that `datasets` makes of it; `full` has the same keys unrounded.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from replicability import checks
from replicability.checks import InputError, enumerated
from replicability.core import findings, procedure
from replicability.core.cautions import MOST_NAMES
from replicability.core.findings import Finding, Overall, marks, wording
from replicability.core.numbers import rounded
from replicability.core.tested import Tested
from replicability.io.study import Comparison
from replicability.stats.partial_conjunction import ESTIMATORS


@dataclass(frozen=True)
class Asked:
    """What headings and cells of a comparison depend on.

    Attributes
    ----------
    a, b : str
        The systems.
    for_a, for_b : str
        " (A better)" and " (B better)" where both directions are asked, else "".
    digits : int
        Decimals of scores and differences.
    read : bool
        Whether p-values were read, and not computed here.
    """

    a: str
    b: str
    for_a: str
    for_b: str
    digits: int
    read: bool


@dataclass(frozen=True)
class Column:
    """What is shown of every dataset, where there is such a number.

    Attributes
    ----------
    keys : tuple of str
        Columns of `full` that a cell is written from; it is empty where none has a value.
    heading : str
        With the attributes of `Asked` in braces.
    write : function of (Asked, value for each key) to str
        Writes a cell.
    left : bool
        Whether cells are aligned to the left; else to the right.
    spare : int
        0 if the column is always shown. Where there is too little room, those with the largest
        number are left out first.
    varies : bool
        Whether the column is only shown where its values differ.
    both : bool
        Whether it is only shown where both directions are asked.
    gap : str
        Cell without a value. A column without any value is left out unless this is not empty.
    value : function of DataFrame to sequence, optional
        Computes the first key from the other columns of `full`, if it is not there already.
    """

    keys: tuple[str, ...]
    heading: str
    write: Callable[..., str]
    left: bool = False
    spare: int = 0
    varies: bool = False
    both: bool = False
    gap: str = ""
    value: Callable[[pd.DataFrame], Any] | None = None

    def applies(self, frame: pd.DataFrame, both: bool = False) -> bool:
        """Tell whether the column is shown."""
        if (self.both and not both) or not set(self.keys) <= set(frame):
            return False
        first = frame[self.keys[0]]
        return bool(self.gap or first.notna().any()) and not (
            self.varies and (first == first.iloc[0]).all()
        )


def _text(_asked: Asked, value: object) -> str:
    return str(value)


def _whole(_asked: Asked, *values: float) -> str:
    return "/".join(f"{value:,.0f}" for value in values)


def _ratio(_asked: Asked, value: float) -> str:
    return f"{value:.2f}"


def _margin(_asked: Asked, value: float) -> str:
    return f"{value:g}"


def _score(asked: Asked, *values: float) -> str:
    return "/".join(rounded(v, asked.digits) if np.isfinite(v) else "-" for v in values)


def _interval(asked: Asked, *values: float) -> str:
    difference, *limits = (rounded(value, asked.digits, plus="+") for value in values)
    return f"{difference} ({' to '.join(limits)})" if np.isfinite(values).all() else difference


def _pvalue(asked: Asked, value: float) -> str:
    if value == 0 and asked.read:
        return "0"
    return f"{value:.4f}" if value >= 1e-4 else "<0.0001"


INTERVAL, ONE_SIDED = ("difference", "low", "high"), ("difference", "at_least")


def _bounded(asked: Asked, value: float, at_least: float) -> str:
    difference, limit = (rounded(number, asked.digits, plus="+") for number in (value, at_least))
    return f"{difference} (at least {limit})" if np.isfinite(at_least) else difference


COLUMNS = [
    Column(("dataset",), "dataset", _text, left=True),
    Column(("n",), "n", _whole, spare=3),
    Column(("labelled",), "labelled", _whole, spare=3),
    Column(("units",), "units", _whole, spare=4),
    Column(("design_effect",), "design effect", _ratio, spare=7),
    Column(("runs_a", "runs_b"), "runs", _whole, spare=8),
    Column(("spread_a", "spread_b"), "SD of runs", _score, spare=9),
    Column(("score_a",), "{a}", _score, spare=2),
    Column(("score_b",), "{b}", _score, spare=2),
    Column(INTERVAL, "difference (95% interval)", _interval, left=True),
    Column(ONE_SIDED, "difference (one-sided 95% interval)", _bounded, left=True),
    Column(("margin",), "margin", _margin, spare=1, varies=True),
    Column(("wins", "ties", "losses"), "wins/ties/losses", _whole, spare=5),
    Column(("p_value",), "p{for_a}", _pvalue),
    Column(("adjusted_p_value",), "adjusted p{for_a}", _pvalue, spare=6),
    Column(("p_reverse",), "p{for_b}", _pvalue, both=True),
    Column(("adjusted_p_reverse",), "adjusted p{for_b}", _pvalue, spare=6, both=True),
    Column(("named",), "named", _text, left=True),
]
"""Columns of the table of datasets, in order."""


@dataclass(frozen=True)
class Table:
    """A table of text as every rendering shows it.

    Attributes
    ----------
    caption : str
        What it holds, a sentence.
    note : str
        How it is read, sentences.
    headings : tuple of str
        One for each column; no two are alike.
    rows : tuple of tuple of str
        Cells.
    left : tuple of bool
        Columns whose cells are aligned to the left.
    spare : tuple of int
        As in `Column`, for each column.
    bold : tuple of bool
        Rows that stand out.
    """

    caption: str
    note: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[bool, ...]
    spare: tuple[int, ...]
    bold: tuple[bool, ...]

    @property
    def frame(self) -> pd.DataFrame:
        """The cells as a table of str."""
        return pd.DataFrame(list(self.rows), columns=list(self.headings), dtype=object)


def full(table: Tested, found: Sequence[Finding]) -> pd.DataFrame:
    """Return all numbers of the datasets, unrounded, with what is decided about them.

    `found` (sequence of findings.Finding): what was found, one for each level.

    Returns DataFrame. First the keys of `COLUMNS`, in their order: with the p-values of the
    directions that are asked, ``adjusted_p_value`` and ``adjusted_p_reverse`` by the procedure that
    names, and ``named`` and ``named_worse`` for the first level, ``named at 0.01`` and so on for
    others. Then whatever else is known.
    """
    first = found[0]
    asked = {"p_value": first.pvalues} | ({"p_reverse": first.other.pvalues} if first.other else {})
    frame = table.as_read().rows.copy(deep=True).assign(**asked, **findings.adjusted(table, found))
    for place, finding in enumerate(found):
        at = f" at {finding.alpha:g}" if place else ""
        frame[f"named{at}"] = finding.identified
        if finding.other:
            frame[f"named_worse{at}"] = finding.other.identified
    for column in COLUMNS:
        if column.value and column.keys[0] not in frame:
            frame[column.keys[0]] = column.value(frame)
    keys = [*dict.fromkeys(key for column in COLUMNS for key in column.keys if key in frame)]
    keys += [name for name in frame if str(name).startswith("named") and name not in keys]
    return frame[[*keys, *frame.columns.drop(keys)]]


EACH = " The 95% confidence applies to each interval alone."
"""Said of a table with intervals."""

SCALED = (*INTERVAL, "at_least", "score_a", "score_b", "spread_a", "spread_b", "margin")
"""Keys of scores and differences."""


def datasets(
    comparison: Comparison,
    table: Tested,
    found: Sequence[Finding],
    *,
    chosen: Sequence[str] = (),
    percent: bool = False,
    digits: int | None = None,
) -> Table:
    """Return the table of the datasets, those named at the first level in bold.

    `found` (sequence of findings.Finding): what was found, one for each level. `chosen` (sequence
    of str): keys or headings of the columns, in this order; by default all that apply. `percent`:
    whether scores between 0 and 1 are multiplied by 100. `digits`: decimals of scores and
    differences; by default as many as the differences need.

    Returns Table. A row for each dataset and a column for each of `COLUMNS` that applies.
    """
    other = found[0].other
    asked = _asked(comparison, table, found[0])
    frame = full(table, found).assign(named=marks.marks(found))
    columns = [column for column in COLUMNS if column.applies(frame, other is not None)]
    if any(column.keys == ONE_SIDED for column in columns):
        columns = [column for column in columns if column.keys != INTERVAL]
    if chosen:
        columns = [_lookup(name, columns, asked) for name in chosen]
    interval = any(column.keys in (INTERVAL, ONE_SIDED) for column in columns)
    if percent:
        asked = dataclasses.replace(asked, digits=max(asked.digits - 2, 1))
        frame = _in_percent(comparison, frame)
    if digits is not None:
        asked = dataclasses.replace(asked, digits=checks.at_least("digits", digits, 0))
    bold = found[0].identified | (other.identified if other else False)
    a, b = comparison.systems
    what = wording.caption([comparison]) if "score_a" in table else ""
    note = marks.marks_note([finding.alpha for finding in found], found)
    if interval:
        note += EACH
    return laid_out(
        columns,
        frame,
        asked,
        caption=wording.capital(what or f"p-values of “{a} is not better than {b}”."),
        note=note,
        bold=tuple(map(bool, bold)),
    )


def _in_percent(comparison: Comparison, frame: pd.DataFrame) -> pd.DataFrame:
    """Multiply scores by 100, unless they are in per cent already."""
    scaled = [key for key in SCALED if key in frame]
    if comparison.per_cent or not {"score_a", "score_b"} & set(frame):
        return frame
    scores = frame[["score_a", "score_b"]].to_numpy(float)
    if np.nanmin(scores) < 0 or np.nanmax(scores) > 1:
        raise InputError(
            "percent needs scores between 0 and 1, but these reach "
            f"{np.nanmax(np.abs(scores)):g}; leave out percent."
        )
    return frame.assign(**{key: 100 * frame[key].astype(float) for key in scaled})


def _lookup(name: str, columns: Sequence[Column], asked: Asked) -> Column:
    """Return the column of a key or heading."""
    for column in columns:
        if name in (*column.keys, column.heading.format(**vars(asked))):
            return column
    known = ", ".join(column.keys[0] for column in columns)
    raise InputError(f"This table has no column {name!r}; choose from {known}.")


def laid_out(
    columns: Sequence[Column],
    frame: pd.DataFrame,
    asked: object,
    *,
    caption: str,
    note: str = "",
    bold: tuple[bool, ...] = (),
) -> Table:
    """Return a table of text.

    `columns` (sequence of Column): those that apply. `frame`: has their keys. `asked`: what their
    headings and cells depend on; its attributes fill in the headings. `caption`, `note`, `bold`: as
    of `Table`; by default no row stands out.

    Returns Table. A row for each of the frame's; of headings that are alike the second has its key
    behind it.
    """
    headings: list[str] = []
    for column in columns:
        heading = column.heading.format(**vars(asked))
        headings.append(heading if heading not in headings else f"{heading} ({column.keys[0]})")
    cells = [
        [
            column.gap if all(map(_missing, values)) else column.write(asked, *values)
            for values in zip(*(frame[key] for key in column.keys), strict=True)
        ]
        for column in columns
    ]
    return Table(
        caption=caption,
        note=note,
        headings=tuple(headings),
        rows=tuple(zip(*cells, strict=True)),
        left=tuple(column.left for column in columns),
        spare=tuple(column.spare for column in columns),
        bold=bold or (False,) * len(frame),
    )


def _missing(value: object) -> bool:
    return not isinstance(value, list) and bool(pd.isna(value))


LARGE = 10
"""Size of scores from which they are shown with two decimals instead of three."""


def _asked(comparison: Comparison, table: Tested, first: Finding) -> Asked:
    """Return what headings and cells depend on; small differences have more decimals."""
    a, b = comparison.systems
    digits = 2 if comparison.per_cent else 3
    if "score_a" in table:
        scores = table.as_read()[["score_a", "score_b"]].to_numpy(float)
        largest = np.nanmax(np.abs(scores[:, 0] - scores[:, 1]), initial=0)
        digits = 2 if np.nanmax(np.abs(scores), initial=0) >= LARGE else digits
        while 0 < largest < 10.0 ** (1 - digits) and digits < 9:
            digits += 1
    both = [f" ({side.claim.short(side.systems[0])})" for side in (first, first.other) if side]
    for_a, for_b = both if first.other else ("", "")
    return Asked(a, b, for_a, for_b, digits, comparison.level == "p-values")


def by_direction(finding: Finding) -> dict[str, Finding]:
    """Return the finding in each direction that is tested, under the heading of its column."""
    level = f"{finding.alpha:g}"
    if finding.other is None:
        return {f"alpha = {level}": finding}
    return {
        f"{one.claim.short(one.systems[0])} at {level}": one for one in (finding, finding.other)
    }


def groups(found: Sequence[Finding]) -> Table | None:
    """Return the bounds of the declared groups at every level.

    `found` (sequence of findings.Finding): what was found about one comparison, one for each level.

    Returns Table or None. A row for each group; None if there are no groups, or no bounds of them.
    """
    first = found[0]
    if first.of_groups is None or not first.groups:
        return None
    columns = {name: one for finding in found for name, one in by_direction(finding).items()}
    rows = tuple(
        (name, *(_bound(one, group) for one in columns.values()), enumerated(group, MOST_NAMES))
        for name, group in first.groups.items()
    )
    a, b = first.systems
    clause = first.claim.clause(a, b)
    whole = "all bounds, k-hat and the named datasets have simultaneous confidence"
    if first.other is not None:
        clause += f", and on which {first.other.claim.clause(b, a)}"
        whole = (
            "the bounds, k-hats and named datasets of both directions have simultaneous confidence"
        )
    if first.claims is None and first.of_groups.method != "bonferroni":
        method = procedure.TITLES[first.of_groups.method]
        whole = "all bounds have simultaneous confidence, separately from k-hat (closed testing, "
        whole += f"{method})"
    shown = _plain(
        f"Lower bounds on the number of datasets in each group on which {clause}.",
        f"At each level, {whole}, as do the bounds of any other group.",
        ("group", *columns, "datasets"),
        rows,
    )
    return dataclasses.replace(shown, spare=(*shown.spare[:-1], 1))


def _bound(finding: Finding, group: Sequence[str]) -> str:
    assert finding.of_groups is not None
    bound = finding.of_groups.bound(group)
    text = wording.of_group(bound.at_least, len(group))
    if bound.at_most > bound.at_least:
        text += f" (a complete search would give at most {bound.at_most:,})"
    return text


def counts(found: Sequence[Finding], dependence: str) -> Table:
    """Return the counts by every estimator, and which of them are valid.

    `found` (sequence of findings.Finding): what was found about one comparison, one for each level.
    `dependence` ({"independent", "positive", "dependent"}): what is declared of the datasets.

    Returns Table. As `estimators`.
    """
    columns = {name: one.counts for finding in found for name, one in by_direction(finding).items()}
    return estimators(columns, len(found[0].datasets), found[0].recommended, dependence)


def estimators(
    columns: Mapping[str, Mapping[str, int]], n: int, chosen: str, dependence: str
) -> Table:
    """Return numbers of datasets by every estimator, and which of them are valid.

    `columns` (dict of str to dict of str to int): heading of each level and direction -> estimator
    -> count. `n`: number of datasets. `chosen`: the estimator of the sentence. `dependence`
    ({"independent", "positive", "dependent"}): what is declared of the datasets.

    Returns Table. A row for each estimator; the chosen one is bold.
    """
    names = list(next(iter(columns.values())))
    rows = []
    for name in names:
        valid_under = procedure.VALID_UNDER.get(name, ())
        valid = "yes" if dependence in valid_under else "no" if valid_under else "no guarantee"
        title = ESTIMATORS[name].title if name in ESTIMATORS else procedure.TITLES[name]
        numbers = (f"{of[name]:,}" for of in columns.values())
        said = f"{valid}, chosen" if name == chosen else valid
        rows.append((wording.capital(title), *numbers, said))
    return _plain(
        f"Estimated number of datasets, out of {n:,}, on which the claim holds.",
        "Do not choose among the valid estimators after seeing these numbers.",
        (f"k-hat of {n:,}", *columns, f"valid for {wording.DECLARED[dependence]} datasets"),
        tuple(rows),
        bold=tuple(name == chosen for name in names),
    )


def _plain(
    caption: str,
    note: str,
    headings: tuple[str, ...],
    rows: tuple[tuple[str, ...], ...],
    bold: tuple[bool, ...] = (),
) -> Table:
    """Return a table of which only the first and last columns are aligned to the left."""
    left = tuple(place in (0, len(headings) - 1) for place in range(len(headings)))
    spare = (0,) * len(headings)
    return Table(caption, note, headings, rows, left, spare, bold or (False,) * len(rows))


@dataclass(frozen=True)
class View:
    """Everything that a rendering shows of a comparison.

    Attributes
    ----------
    sentences : list of (str, str)
        For each level what is found, and what independence would change, or "".
    overall : str
        The mean difference, a sentence; "" without scores.
    datasets : Table
        A row for each dataset.
    groups : Table or None
        The bounds of groups, if any are declared.
    counts : Table
        The counts by every estimator.
    """

    sentences: list[tuple[str, str]]
    overall: str
    datasets: Table
    groups: Table | None
    counts: Table


def view(
    comparison: Comparison, table: Tested, found: Sequence[Finding], overall: Overall | None
) -> View:
    """Return what every rendering shows of a comparison.

    `found` (sequence of findings.Finding): what was found, one for each level. `overall`
    (findings.Overall): the mean difference; None of p-values.

    Returns View. Sentences and tables of text.
    """
    return View(
        [(str(finding), _if_independent(finding)) for finding in found],
        str(overall) if overall else "",
        datasets(comparison, table, found),
        groups(found),
        counts(found, comparison.dependence),
    )


def _if_independent(found: Finding) -> str:
    """Say what independence would change, in each direction that is asked."""
    if found.claims is None:
        return ""
    if found.other is None:
        return findings.if_independent(found.claims)
    sides = (found, found.other)
    said = (findings.if_independent(side.claims, side.systems[0]) for side in sides)
    return " ".join(filter(None, said))
