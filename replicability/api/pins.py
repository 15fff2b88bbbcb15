"""Pinned baselines: the scores of one system in a file, with which later runs are compared."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import replicability
from replicability import checks
from replicability.api.keywords import public
from replicability.api.reading import Reading, kind_of
from replicability.api.scores import Scores
from replicability.checks import InputError
from replicability.io import files
from replicability.io.text import shown

KEY = b"replicability.baseline"
"""Metadata key of a Parquet file that marks it as a baseline."""

LAYOUT = 2
"""Version of the file layout of baselines."""

HELD = {"content": "contents", "prompt": "prompts"}
"""Maps each column of a baseline to what its digests identify."""

LISTED = 3
"""Maximum number of items that a message names per dataset."""


@public
def pin(new: Any, file: str | os.PathLike[str], **reading: Unpack[Reading]) -> Path:
    """Pin the scores of a system for `gate` to compare with later runs.

    Parameters
    ----------
    new : path or data frame
        The scores of one system: a file or folder in any format, or a table.
    file : path
        Parquet file to write: datasets, items, scores, digests of what items hold and of their
        prompts where the format says it, and what was read. The same input gives the same bytes.
    **reading
        As in `compare`: how scores are read.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If scores are arrays without items, gold ratings or successes in trials; or as
        `compare`.
    """
    scores = _alone(new, reading)
    place = Path(file).absolute()
    if place.is_dir() or (place.exists() and kind_of(new) == "a path" and place.samefile(new)):
        raise InputError(
            f"{shown(place)} is an input or a folder; choose another file for the baseline."
        )
    if place.suffix.lower() != ".parquet":
        raise InputError(f"A baseline is stored as a Parquet file; name it {place.stem}.parquet.")
    sides = np.concatenate([d.a.reshape(len(d), -1) for d in scores.datasets])
    columns: dict[str, Any] = {
        "dataset": np.repeat([d.name for d in scores.datasets], [len(d) for d in scores.datasets]),
        "item": pa.concat_arrays([d.identifiers.cast(pa.string()) for d in scores.datasets]),
    }
    for column, of in HELD.items():
        columns[column] = [digest for d in scores.datasets for digest in _digests(d, of)]
    columns |= {f"score_{k}": side for k, side in enumerate(sides.T)}
    runs = {d.name: d.runs.a.tolist() for d in scores.datasets if d.runs}
    said = {"version": replicability.__version__, "runs": runs, **_facts(scores)}
    table = pa.table(columns).replace_schema_metadata({KEY: json.dumps(said, sort_keys=True)})
    with files.replacing(place) as part:
        pq.write_table(table, part)
    return place


def is_baseline(path: Any) -> bool:
    """Tell whether a path is a baseline that `pin` wrote."""
    if kind_of(path) != "a path" or Path(path).suffix.lower() != ".parquet":
        return False
    try:
        return KEY in (pq.read_schema(path).metadata or {})
    except (OSError, pa.ArrowException):
        return False  # which the reader of tables says


def compared(
    new: Any,
    baseline: str | os.PathLike[str],
    systems: tuple[str, str],
    reading: Any,
    other_prompts: bool = False,
) -> Scores:
    """Read a new run and add the pinned scores.

    `new` (path or data frame): the scores of the new run. `baseline`: what `pin` wrote. `systems`
    (tuple of str): names of the new run and of the baseline; "" where there is none. `reading`
    (Reading): how the new run is read. `other_prompts`: whether other prompts or settings are
    accepted.

    Returns Scores. The new run is A.

    Raises `InputError`: if it has other items, contents or prompts of items, format, metric or
    direction.
    """
    file, run = shown(Path(baseline)), _shown(new)
    scores = _alone(new, reading, systems)
    table = pq.read_table(baseline)
    said = json.loads(table.schema.metadata[KEY])
    for key, value in _facts(scores).items():
        if key != "measures" and said.get(key) != value:
            raise InputError(
                f"{file} was pinned with {key} {said.get(key)!r}, but {run} was read with {key} "
                f"{value!r}; read both in the same way, or pin the baseline again."
            )
    frame = table.to_pandas()
    wanted = scores.source.datasets
    if wanted:
        frame = frame[frame["dataset"].isin(wanted)]
    pinned = dict(list(frame.groupby("dataset", sort=False)))
    found = {dataset.name: dataset for dataset in scores.datasets}
    clauses = [f"dataset {name} is missing" for name in pinned if name not in found]
    clauses += [f"dataset {name} is new" for name in found if name not in pinned]
    clauses += [
        clause
        for name, part in pinned.items()
        if name in found and (clause := _difference(found[name], part))
    ]
    asked_otherwise = [
        clause
        for name, part in pinned.items()
        if name in found and (clause := _with_other_prompts(found[name], part))
    ]
    if clauses:
        raise InputError(
            f"{run} does not have the same items as {file}: {_some(clauses)}. Score the new system "
            "on the pinned items, or pin a new baseline from a run of the system in use (gate "
            "--save or rep.pin)."
        )
    if asked_otherwise and not other_prompts:
        raise InputError(
            f"The prompts or task settings of {run} differ from those of {file}: "
            f"{_some(asked_otherwise)}. Run the new system in the same way. If the change is part "
            f"of the release, accept it with {checks.named('other_prompts')}."
        )
    for name, dataset in found.items():
        if dataset.measure != said["measures"].get(name):
            raise InputError(
                f"For {name}, {file} holds {said['measures'].get(name)!r}, but {run} was read with "
                f"{dataset.measure!r}; choose the metric of the baseline with "
                f"{checks.named('metric')}, or pin the baseline again."
            )
    source = scores.source
    if source.files:
        source = replace(source, files={**source.files, "b": str(Path(baseline).absolute())})
    runs = said["runs"]
    return Scores(
        source, tuple(_beside(d, pinned[d.name], runs.get(d.name)) for d in scores.datasets)
    )


def _some(clauses: list[str]) -> str:
    """Join the first clauses, and say how many more there are."""
    more = f"; and {len(clauses) - 5:,} more" if len(clauses) > 5 else ""
    return f"{'; '.join(clauses[:5])}{more}"


def _shown(new: Any) -> str:
    return shown(Path(new)) if kind_of(new) == "a path" else "The data frame"


def _alone(path: Any, reading: Any, systems: tuple[str, str] = ("", "")) -> Scores:
    """Read one system, as A and as B."""
    kind = kind_of(path)
    if kind not in ("a path", "a data frame"):
        raise InputError(
            f"A baseline needs items with identifiers, but you passed {kind}; pass a file, a "
            "folder or a data frame."
        )
    if is_baseline(path):
        raise InputError(f"{_shown(path)} is a baseline; pass the scores of a run here.")
    for key in ("successes", "trials", "gold", "human"):
        if reading.get(key) is not None:
            raise InputError(
                f"{checks.named(key)} cannot be used with a baseline, which stores one score for "
                "each item; pass both systems to the gate instead."
            )
    name = systems[0] or (Path(path).stem if kind == "a path" else "new")
    other = systems[1] or ("baseline" if name != "baseline" else "pinned")
    named: Any = reading | {"a": name, "b": other}
    scores = Scores.of(path, path, named, alone=kind == "a path")
    if any(dataset.gold is not None for dataset in scores.datasets):
        raise InputError(
            f"{_shown(path)} has gold ratings, which a baseline cannot store; pass both systems to "
            "the gate instead."
        )
    return scores


def _facts(scores: Scores) -> dict[str, Any]:
    """Say how scores were read, as far as a later run must be read alike."""
    first = scores.datasets[0]
    return {
        "layout": LAYOUT,
        "format": scores.source.format,
        "direction": "lower is better"
        if scores.source.higher_is_better is False
        else "higher is better",
        "metric": first.metric or ("score" if first.a.ndim == 1 else "score with sizes"),
        "measures": {dataset.name: dataset.measure for dataset in scores.datasets},
    }


def _digests(dataset: Any, of: str) -> list[str | None]:
    """Return a digest of what each item holds, or of its prompt; None where nobody says."""
    held = getattr(dataset, of)
    texts = [None] * len(dataset) if held is None else held.to_pylist()
    return [None if t is None else hashlib.sha256(t.encode()).hexdigest()[:16] for t in texts]


def _difference(dataset: Any, part: pd.DataFrame) -> str:
    """Say which items of a dataset are missing, new or changed; "" if none is."""
    now, before = pd.Index(dataset.identifiers.to_pylist()), pd.Index(part["item"])
    ways = {
        "missing": before.difference(now, sort=False),
        "new": now.difference(before, sort=False),
        "changed": _changed(dataset, part, "content"),
    }
    said = [f"{len(items):,} {way}{_such(items)}" for way, items in ways.items() if len(items)]
    return f"of {dataset.name} {checks.enumerated(said)}" if said else ""


def _with_other_prompts(dataset: Any, part: pd.DataFrame) -> str:
    """Say which items of a dataset have another prompt; "" if none has."""
    items = _changed(dataset, part, "prompt")
    many = f"{len(items):,} item{'s' * (len(items) > 1)}"
    return f"{many} of {dataset.name}{_such(items)}" if len(items) else ""


def _such(items: pd.Index) -> str:
    return f" (such as {', '.join(map(repr, items[:LISTED]))})"


def _changed(dataset: Any, part: pd.DataFrame, column: str) -> pd.Index:
    """Return the items whose digest in a column is another one now."""
    items = dataset.identifiers.to_pylist()
    now = pd.Series(_digests(dataset, HELD[column]), index=items, dtype=object)
    before = part.set_index("item")[column]
    both = now.index.intersection(before.index)
    one, two = now.loc[both], before.loc[both]
    return both[(one.notna() & two.notna() & (one != two)).to_numpy()]


def _beside(dataset: Any, part: pd.DataFrame, runs: list[float] | None) -> Any:
    """Put the pinned scores beside those of a dataset, and those of its runs."""
    rows = pd.Index(part["item"]).get_indexer(dataset.identifiers.to_pylist())
    values = part.filter(regex=r"^score_\d+$").to_numpy(float)[rows]
    b = values[:, 0] if dataset.a.ndim == 1 else values
    both = replace(dataset.runs, b=np.array(runs)) if dataset.runs and runs else None
    return replace(dataset, b=b, runs=both, gaps=())
