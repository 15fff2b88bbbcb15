"""What every rendering shows of a family: sentences and tables of text, made once.

The terminal, Jupyter, the page, Markdown and LaTeX lay out the tables of `view`; `summary` has the
same numbers of each system unrounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from replicability.core.all_pairs import Pairs
from replicability.core.findings import families, family_counts, plane
from replicability.core.numbers import rounded
from replicability.io.study import Family
from replicability.show.view import Column, Table, laid_out


@dataclass(frozen=True)
class Compared:
    """What the cells of a family depend on.

    Attributes
    ----------
    digits : int
        Decimals of scores.
    """

    digits: int


def _text(_compared: Compared, value: object) -> str:
    return str(value)


def _whole(_compared: Compared, value: int) -> str:
    return f"{value:,}"


def _score(compared: Compared, value: float) -> str:
    return rounded(value, compared.digits)


def _difference(compared: Compared, value: float, low: float, high: float) -> str:
    size, *ends = (rounded(x, compared.digits, plus="+") for x in (value, low, high))
    return size if low != low else f"{size} [{', '.join(ends)}]"


def _between(_compared: Compared, best: int, worst: int) -> str:
    return f"{best:,}" if best == worst else f"{best:,} to {worst:,}"


def _named(_compared: Compared, better: Sequence[str], worse: Sequence[str]) -> str:
    ways = (("better", better), ("worse", worse))
    return "; ".join(f"{way} on {', '.join(names)}" for way, names in ways if names)


SYSTEMS = [
    Column(("system",), "system", _text, left=True),
    Column(("score",), "mean score", _score),
    Column(("better_than",), "better than", _text),
    Column(("worse_than",), "worse than", _text),
    Column(("difference", "low", "high"), "mean difference", _difference),
    Column(("k",), "better on", _text),
    Column(("k_worse",), "worse on", _text),
    Column(("named", "named_worse"), "named", _named, left=True),
]
"""Columns of the table of systems, in order; keys are those of `summary`."""

RANKS = [
    Column(("system",), "system", _text, left=True),
    Column(("score",), "mean score", _score),
    Column(("best", "worst"), "rank", _between),
    Column(("letters",), "letters", _text, left=True),
]
"""Columns of the table of ranks; keys are those of `all_pairs.Pairs.ranks`."""

MOST_LETTERS = 26
"""Maximum number of letters in the table of ranks; more are hard to compare by eye."""

DECIDED = [
    Column(("claims",), "claims", _text, left=True),
    Column(("alpha",), "alpha", _text),
    Column(("somewhere",), "some", _whole),
    Column(("half",), "half", _whole),
    Column(("everywhere",), "all", _whole),
]
"""Columns of the table of all pairs; keys are those of `findings.family_counts`."""


def summary(pairs: Pairs, alpha: float, differences: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the numbers of every system, as `api.family.Family.summary` describes them."""
    against = pairs.against
    counted = pairs.joint_counts_of_compared(alpha)

    def named(a: str, b: str) -> list[str]:
        found = pairs.joint_claims(a, b, alpha)
        return [d for d, is_named in zip(found.datasets, found.named, strict=True) if is_named]

    rows = []
    for system, mean in zip(pairs.systems, pairs.scores_as_read.mean(axis=1), strict=True):
        row: dict[str, Any] = {"system": system, "score": mean}
        if not against:
            row["better_than"] = int((counted.loc[system] > 0).sum())
            row["worse_than"] = int((counted[system] > 0).sum())
        elif system != against:
            row["k"], row["k_worse"] = counted.loc[system, against], counted.loc[against, system]
            row["named"] = named(system, against) if row["k"] else []
            row["named_worse"] = named(against, system) if row["k_worse"] else []
        if system != against:
            rows.append(row)
    found = pd.DataFrame(rows)
    return found if differences is None else found.merge(differences, on="system", how="left")


def systems(pairs: Pairs, alpha: float, differences: pd.DataFrame | None = None) -> Table:
    """Return the table of the systems, the one with the best mean score first."""
    frame = summary(pairs, alpha, differences)
    return laid_out(
        [column for column in SYSTEMS if set(column.keys) <= set(frame)],
        frame,
        _compared(frame),
        caption=families.OF_SYSTEMS,
        note=families.how_to_count(pairs, alpha),
    )


def _compared(frame: pd.DataFrame) -> Compared:
    return Compared(3 if frame["score"].abs().max() <= 1 else 2)


def ranks(pairs: Pairs, alpha: float) -> Table:
    """Return the table of the bounds of ranks, in the order of mean scores."""
    frame = pairs.ranks(alpha)
    n_letters = len(set(" ".join(frame["letters"]).split()))
    columns, note = RANKS, families.LETTERS
    if n_letters > MOST_LETTERS:
        columns, note = RANKS[:-1], families.no_letters(n_letters)
    caption = families.of_ranks(pairs, alpha)
    return laid_out(columns, frame, _compared(frame), caption=caption, note=note)


def matrix(pairs: Pairs, alpha: float) -> Table:
    """Return the matrix of bounds, each pair alone and all jointly."""
    cells = plane(pairs, alpha)
    n = cells.shape[1]
    return Table(
        caption=families.of_matrix(alpha),
        note="",
        headings=tuple(map(str, cells.columns)),
        rows=tuple(cells.itertuples(index=False, name=None)),
        left=(True, *(False,) * (n - 1)),
        spare=(0,) * n,
        bold=(False,) * len(cells),
    )


def decided(family: Family, pairs: Pairs, alphas: Sequence[float]) -> Table:
    """Return the table of how many pairs are decided, at each level alone and jointly."""
    rows = family_counts([(family, pairs)], alphas)
    caption = families.of_decided(pairs.n_pairs // 2)
    return laid_out(DECIDED, rows, Compared(0), caption=caption)
