"""What was read: which columns have which role, how items are matched, and what was left out.

All of it describes the scores as they were read, and says what the user declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from replicability.checks import enumerated
from replicability.io import cells, formats, missing, provenance
from replicability.io.declared import INSTANCE
from replicability.io.instances import Several
from replicability.io.matching import ONE

if TYPE_CHECKING:
    import pandas as pd

    from replicability.io.declared import Source
    from replicability.io.instances import Dataset

MOST = 6
"""Maximum number of datasets or columns that a sentence lists."""

SIDED = {
    "one": 'tests the one-sided null hypothesis "{0} is not better than {1}"',
    "two": "is two-sided and is converted to p/2 where {0} scores higher and 1 - p/2 elsewhere",
    "unknown": "is used as given, because it may be one-sided or two-sided",
}
"""Maps the sidedness of p-values to a clause with placeholders for the systems."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What was read, as part of every result; `print` shows it as a paragraph.

    Attributes
    ----------
    source : str
        The files, or what messages call a table in memory.
    format : str
        One of `formats.NAMES`.
    systems : tuple of str
        A and B, or all systems of a family.
    columns : dict of str to str or list of str
        Role ("dataset", "instance", "system", "score", "scores", "size", "gold", "human", "unit",
        "run", "p_value") -> header in the input; "" where no column has the role.
    n : int
        Number of datasets.
    items : dict of str to int
        Dataset -> number of its items; {} of p-values.
    units : int
        Number of units; 0 if each item is one. Units that all datasets share count once.
    shared : bool
        Whether they share them.
    repeats : dict
        What was repeated, as `declared.Repeats`; {} without.
    runs : list of list of int
        For each system the least and the largest number of runs of a dataset; [] without runs.
    matched : {"identifier", "place", ""}
        How the items of the systems are matched; "" of p-values.
    score : str
        What the scores measure, "" if nothing says it.
    scale : str
        "right or wrong", "whole numbers", "numbers", "parts of sizes", "ratings", "a metric of
        sums", "successes in trials" or "p-values".
    lowest, highest : float, optional
        The extreme scores, or p-values.
    higher_is_better : bool
        Whether a higher score is better.
    direction_declared : bool
        Whether the direction was declared.
    missing : str
        What was done with missing items, a sentence; "" if none was missing.
    sided : str
        Key of `SIDED`; "" of scores.
    raised : int
        Number of p-values that were raised to the resolution of their test.
    unused : list of str
        Headers of the columns that have no role.
    """

    source: str
    format: str = "table"
    systems: tuple[str, ...]
    columns: dict[str, Any] = field(default_factory=dict)
    n: int
    items: dict[str, int] = field(default_factory=dict)
    units: int = 0
    shared: bool = False
    repeats: dict[str, Any] = field(default_factory=dict)
    runs: list[list[int]] = field(default_factory=list)
    matched: str = ""
    score: str = ""
    scale: str
    lowest: float | None = None
    highest: float | None = None
    higher_is_better: bool = True
    direction_declared: bool = False
    missing: str = ""
    sided: str = ""
    raised: int = 0
    unused: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary for JSON."""
        return asdict(self) | {"systems": list(self.systems)}

    @classmethod
    def from_dict(cls, answer: Mapping[str, Any]) -> Roles:
        """Return what `to_dict` was made of."""
        return cls(**{**answer, "systems": tuple(answer["systems"])})

    def __str__(self) -> str:
        """Return all sentences."""
        return " ".join(self.sentences.values())

    # --- in words --------------------------------------------------------------------------------

    @property
    def raters(self) -> bool:
        """Whether raters scored each item, and not runs of the systems."""
        return self.repeats.get("kind") == "raters"

    @property
    def noun(self) -> str:
        """What a row is: "item", "split" of the same data, or "run" where there are no items."""
        if self.repeats.get("kind") == "splits":
            return "split"
        bare = self.format == "table" and self._has("run") and "instance" not in self.columns
        return "run" if bare else "item"

    @property
    def headline(self) -> str:
        """How many systems, datasets and items there are, and how items are matched; a line."""
        datasets = "one dataset" if self.n == 1 else f"{self.n:,} datasets"
        if not self.items:
            return f"p-values of {datasets}"
        by = (
            f"{self.noun}s matched by {self.columns['instance']!r}" if self._has("instance") else ""
        )
        told = f"identifies {'raters' if self.raters else 'runs'}"
        runs = f"{self.columns['run']!r} {told}" if self._has("run") else ""
        noun = "trials, not paired" if self.scale == "successes in trials" else f"{self.noun}s"
        size = f"{len(self.systems)} systems on {datasets}, {sum(self.items.values()):,} {noun}"
        return "; ".join(filter(None, [size, by, runs]))

    @property
    def sentences(self) -> dict[str, str]:
        """What was read, what it holds, and how: heading -> sentence."""
        said = {
            "Input": self._input(),
            "Datasets": self._datasets(),
            "Items": self._items(),
            "Units": self._units(),
            "Splits": self._splits(),
            "Runs": self._runs(),
            "Score": self._score(),
            "Missing items": self.missing,
            "Left out": self._left_out(),
        }
        return {heading: text for heading, text in said.items() if text}

    def _column(self, role: str) -> str:
        return f"column {self.columns[role]!r}"

    def _has(self, role: str) -> bool:
        return bool(self.columns.get(role))

    def _input(self) -> str:
        called = [*"AB"] if len(self.systems) == 2 else []
        who = [f"{side} is {name!r}" for side, name in zip(called, self.systems, strict=False)]
        if len(self.systems) > 2:
            who = [f"{len(self.systems)} systems ({enumerated(self.systems, MOST)})"]
        source = (
            f"the {rest}" if (rest := self.source.removeprefix("The ")) != self.source else rest
        )
        layout = self._layout()
        return f"Read {source}{f' as {layout}' if layout else ''}: {', '.join(who)}."

    def _layout(self) -> str:
        """Say how the input is laid out; "" of p-values and arrays."""
        if self.scale == "successes in trials":
            each = "a table of successes and trials with a row for each task"
            if not self._has("system"):
                return each
            return f"{each} and system, named in its {self._column('system')}"
        if self.format != "table":
            return f"{self.format}: {formats.get(self.format).title}"
        if "p_value" in self.columns:
            return "a table with a p-value for each dataset" if self._has("p_value") else ""
        if "system" not in self.columns:
            if "" in self.columns["scores"]:
                return ""
            return "a table with a column for each system"
        if not self._has("system"):
            return "a table for each system"
        named = f"named in its {self._column('system')}"
        if self._has("score"):
            return f"a table with a row for each system, {named}"
        return f"a table with a row for each system and a column for each item, systems {named}"

    def _datasets(self) -> str:
        told = f", named in the {self._column('dataset')}" if self._has("dataset") else ""
        if not self.items or self.scale == "successes in trials":
            trials = f", {sum(self.items.values()):,} trials in all" if self.items else ""
            return f"There {_are(self.n, 'dataset')}{told}{trials}."
        if self.n == 1:
            ((name, n),) = self.items.items()
            named = "" if name == ONE else f" ({name})"
            alone = name == ONE and "" not in self.columns.get("scores", ())
            why = told or (", because no column identifies datasets" if alone else "")
            return f"There is one dataset{named} with {n:,} {self.noun}{'s' * (n != 1)}{why}."
        if self.n <= MOST:
            of = enumerated([f"{name} ({n:,} {self.noun}s)" for name, n in self.items.items()])
        else:
            sizes = self.items.values()
            least, most = min(sizes), max(sizes)
            each = f"{most:,}" if least == most else f"{least:,} to {most:,}"
            of = f"{each} {self.noun}s each, {sum(sizes):,} in all"
        return f"There are {self.n:,} datasets{told}: {of}."

    def _items(self) -> str:
        if not self.items:
            return ""
        if self.scale == "successes in trials":
            return "Trials are not paired: each system has its own trials."
        if self.noun == "run":
            return f"Runs are not paired ({self._column('run')}), and each run has one score."
        if self._has("instance"):
            return f"{self.noun.capitalize()}s are matched by the {self._column('instance')}."
        if "instance" in self.columns and self.matched == "identifier":
            return "Items are matched by their column headers."
        if self.matched == "identifier":
            return "Items are matched by their identifiers."
        return "Items have no identifiers and are matched by their order."

    def _units(self) -> str:
        if not self.units:
            return ""
        unit = self._column("unit") if self.format == "table" else self.columns["unit"]
        over = " shared by the datasets" if self.shared else " in all datasets" * (self.n > 1)
        return (
            f"The unit of analysis is defined by the {unit} ({self.units:,} units{over}), not by "
            "the item."
        )

    def _splits(self) -> str:
        if self.noun != "split":
            return ""
        shares = self.repeats["test_share"]
        each = sorted(shares.values()) if isinstance(shares, dict) else [shares]
        between = f"{each[0]:.4g}" + f" to {each[-1]:.4g}" * (each[0] < each[-1])
        return (
            f"Splits of the same data share items; each test set contains {between} of the data. "
            "Conclusions apply to systems trained on samples like the training sets."
        )

    def _runs(self) -> str:
        if not self.runs or self.noun == "run":
            return ""
        by = self.columns.get("run")
        told = "" if not by else ", one in each file" if by == "file" else f" (column {by!r})"
        each = [
            f"{least:,} to {most:,} of {name}" if least < most else f"{most:,} of {name}"
            for name, (least, most) in zip(self.systems, self.runs, strict=True)
        ]
        noun = "raters" if self.raters else "runs"
        own = ". Each item has its own runs" if self.repeats.get("nested") else ""
        return f"Scores are means over {noun}{told}: {enumerated(each, MOST)}{own}."

    def _score(self) -> str:
        if self.scale == "successes in trials":
            right, tried = (
                enumerated(np.atleast_1d(self.columns[key]).tolist())
                for key in ("successes", "trials")
            )
            return (
                f"The score is the number of successes ({right}) divided by the number of trials "
                f"({tried})."
            )
        better = "higher" if self.higher_is_better else "lower"
        why = "as declared" if self.direction_declared else "the default"
        way = f"{better} is better ({why})"
        if self.scale == "p-values":
            clause = SIDED[self.sided].format(*self.systems)
            column = f" ({self._column('p_value')})" if self._has("p_value") else ""
            were = "was" if self.raised == 1 else "were"
            below = f" {self.raised:,} of {self.n:,} {were} below the resolution of the test"
            raised = f"{below} and {were} raised to it." if self.raised else ""
            scored = f" In the score columns, {way}." if self._has("scores") else ""
            return f"Each p-value{column} {clause}.{raised}{scored}"
        called = f", {self.score}," if self.score else ""
        column = f" ({self._column('score')})" if self._has("score") and not called else ""
        said = f"The score{called}{column} {self._scaled()}; {way}."
        if self._has("human"):
            said += (
                " The score comes from a judge, and the scores given by people are in the "
                f"{self._column('human')}."
            )
        return said

    def _scaled(self) -> str:
        between = f"from {self.lowest:g} to {self.highest:g}"
        if self.scale == "a metric of sums":
            return "is computed from sums over the items of a dataset"
        if self.scale == "parts of sizes":
            return f"is divided by the item's size ({self._column('size')}) and ranges {between}"
        if self.scale == "ratings":
            column = f" ({self._column('gold')})" if self._has("gold") else ""
            return f"is the correlation of a dataset's ratings with gold ratings{column}"
        if self.scale == "right or wrong":
            return "is right or wrong (0 or 1)"
        return f"is a {'whole number' if self.scale == 'whole numbers' else 'number'} {between}"

    def _left_out(self) -> str:
        if not self.unused:
            return ""
        listed = enumerated(list(map(repr, self.unused)), MOST)
        if len(self.unused) == 1:
            return f"The column {listed} is not used."
        return f"The columns {listed} are not used."


def _are(n: int, noun: str) -> str:
    return f"is one {noun}" if n == 1 else f"are {n:,} {noun}s"


def told(read: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentences of what was read, by one metric or by several.

    Parameters
    ----------
    read : dict
        As `Roles.to_dict`, or metric -> such a dictionary.

    Returns
    -------
    dict of str to str
        Heading -> sentences; what is said of all metrics once, and without their names.
    """
    several = all(isinstance(of, Mapping) for of in read.values())
    each = (read if several else {"": read}).items()
    sentences = {name: Roles.from_dict(of).sentences for name, of in each}
    found = {}
    for heading in dict.fromkeys(heading for own in sentences.values() for heading in own):
        own = {name: [said[heading]] for name, said in sentences.items() if heading in said}
        found[heading] = " ".join(
            text if len(names) == len(sentences) else f"{enumerated(names)}: {text}"
            for text, names in by_text(own).items()
        )
    return found


def by_text(said: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return each of some texts with the names of those of which it is said.

    Parameters
    ----------
    said : dict of str to iterable of str
        Name -> texts.

    Returns
    -------
    dict of str to list of str
        Text -> names, in their order.
    """
    found: dict[str, list[str]] = {}
    for name, texts in said.items():
        for text in texts:
            found.setdefault(text, []).append(name)
    return found


# --- from what was read --------------------------------------------------------------------------


def of_scores(
    source: Source, systems: Sequence[str], datasets: Sequence[Dataset] | Sequence[Several]
) -> Roles:
    """State what was read of the scores of two systems or more.

    `source` (declared.Source): where they come from. `systems` (sequence of str): the s systems.
    `datasets` (sequence of instances.Dataset or instances.Several): what was read.
    """
    if source.level == "counts":
        return Roles(
            source=_shown(source),
            systems=tuple(systems),
            columns=_columns(source, False),
            n=len(datasets),
            items={dataset.name: len(dataset) for dataset in datasets},
            scale="successes in trials",
            unused=list(source.unused or ()),
        )
    first = datasets[0]
    sides = [d.scores if isinstance(d, Several) else np.stack([d.a, d.b]) for d in datasets]
    sized = first.metric is None and (
        sides[0].ndim == 3 or getattr(first, "size", None) is not None
    )
    values = [side[..., 0] if side.ndim == 3 else side for side in sides]
    scale = _scale(values)
    if first.metric is not None:
        scale = "a metric of sums"
    elif getattr(first, "gold", None) is not None:
        scale = "ratings"
    elif sized:
        scale = "parts of sizes"
    columns = _columns(source, first.placed)
    if [dataset.name for dataset in datasets] == [ONE]:
        columns["dataset"] = ""
    own = {} if source.unit == INSTANCE else {"unit": source.unit}
    units = [set(d.units.unique().to_pylist()) for d in datasets if d.units is not None]
    shared = getattr(source, "shared", False) is True and len(units) > 1
    return Roles(
        source=_shown(source),
        format=source.format,
        systems=tuple(systems),
        columns=columns | own,
        n=len(datasets),
        items={dataset.name: _rows_of(source, dataset) for dataset in datasets},
        units=len(set().union(*units)) if shared else sum(map(len, units)),
        shared=shared,
        repeats=source.repeats,
        runs=_runs_of(datasets),
        matched="place" if _by_place(source, first) else "identifier",
        score=_called(source),
        scale=scale,
        lowest=float(min(side.min() for side in values)),
        highest=float(max(side.max() for side in values)),
        higher_is_better=source.higher_is_better is not False,
        direction_declared=source.higher_is_better is not None,
        missing=missing.sentence(source.missing, systems, datasets),
        unused=list(first.unused if source.unused is None else source.unused),
    )


def of_pvalues(source: Source, table: pd.DataFrame) -> Roles:
    """State what was read of p-values.

    `source` (declared.Source): where they come from. `table`: ``p_value`` as it was read, and
    ``score_a`` if there are scores.
    """
    values = table["p_value"].to_numpy(float)
    sided = source.sided or "one"
    return Roles(
        source=_shown(source),
        systems=tuple(source.systems),
        columns=_columns(source, False) if not source.rows else {"p_value": ""},
        n=len(table),
        scale="p-values",
        lowest=float(values.min()),
        highest=float(values.max()),
        higher_is_better=source.higher_is_better is not False,
        direction_declared=source.higher_is_better is not None,
        sided=sided,
        raised=int((values == source.resolution).sum()) if source.resolution else 0,
        unused=list(source.unused or ()),
    )


NUMBERED = ("conllu", "labels", "segments", "spans", "translations")
"""Formats without identifiers, whose items are matched by position."""


def _by_place(source: Source, first: Dataset | Several) -> bool:
    """Tell whether items are matched by their places; some formats make identifiers of these."""
    if source.format == "table" or source.match == "place":
        return first.placed or source.match == "place"
    numbered = source.format in NUMBERED
    return numbered and pa.array(first.identifiers).equals(cells.by_place(len(first)))


def _scale(values: Sequence[np.ndarray]) -> str:
    if all(((side == 0) | (side == 1)).all() for side in values):
        return "right or wrong"
    if all((side == np.rint(side)).all() for side in values):
        return "whole numbers"
    return "numbers"


def _columns(source: Source, placed: bool) -> dict[str, Any]:
    """Return role -> header in the input."""
    found = {
        key: list(header) if key == "scores" else header for key, header in source.columns.items()
    }
    if isinstance(found.get("dataset"), list):
        found["dataset"] = " / ".join(found["dataset"])
    found |= source.named
    if placed and source.format == "table":
        found.pop("instance", None)
    return found


def _rows_of(source: Source, dataset: Dataset | Several) -> int:
    """Return the number of items of a dataset, or of the runs of all systems without items."""
    if not source.bare_runs or dataset.runs is None:
        return len(dataset)
    return sum(map(len, _sides(dataset.runs)))


def _runs_of(datasets: Sequence[Dataset] | Sequence[Several]) -> list[list[int]]:
    of = [[*map(len, _sides(dataset.runs))] for dataset in datasets if dataset.runs]
    return [[min(each), max(each)] for each in zip(*of, strict=True)]


def _sides(runs: Any) -> Sequence[Any]:
    """Return the scores in runs of each system."""
    return runs if isinstance(runs, tuple) else (runs.a, runs.b)


def _called(source: Source) -> str:
    """Return the name of the score, if something says it."""
    if isinstance(source.metric, str) and source.metric:
        return source.metric
    columns = {**source.columns, **source.named}
    return "" if source.score in ("score", columns.get("score")) else source.score


def _shown(source: Source) -> str:
    """Name the files as a page does, without what is above the current folder."""
    if source.rows or not isinstance(source.file, str):
        return str(source.file)
    if source.files:
        return enumerated([provenance.portable(path) for path in source.files.values()], MOST)
    return provenance.portable(source.file)
