"""How often a cell's call says something false, with every argument at its default.

What a result says is read by `directions` and `warned` alone.
"""

import tempfile
from collections import Counter
from dataclasses import astuple
from pathlib import Path

import numpy as np

import replicability as rep
from analysis.levels.cells import DECLARED, KEYS, SUMS
from analysis.levels.populations import POPULATIONS

ALPHA = 0.05
"""Level of the default call."""

CARE = (
    "The differences are skewed",
    "One system never loses",
    "The differences are too skewed",
    "Too few instances",
    "Too few units",
    "The bootstrap's p-value is smaller",
)
"""Beginnings of the notes that warn of p-values that may be too small."""


def tally(cell, repetitions, close, seed):
    """Repeat the call of a cell and count what it says.

    `cell` (Cell): the cell. `repetitions`: number of repetitions. `close`: number of repetitions if
    the cell is then close to the level: if the share of false results, or of those without a
    warning, is above `ALPHA`, at most three times. It is decided once. `seed`: entropy. Each
    repetition has a child that follows from the name of the cell and its number, so that nothing
    depends on other cells, their order or the cores.

    Returns dict. `KEYS`, and the sums `SUMS`: calls that were ``refused``; results that were
    ``warned`` of; with a ``false`` count, name or bound in either direction, and of these
    ``unwarned``; with a false one of A and of B; whose interval of the mean difference has
    ``missed`` it; and the sum of the ``count`` of A.
    """
    sums = _repeated(cell, range(repetitions), seed)
    shares = np.array([sums["false"], sums["unwarned"]]) / repetitions
    if ((shares > ALPHA) & (shares <= 3 * ALPHA)).any():
        sums.update(_repeated(cell, range(repetitions, close), seed))
    return dict(zip(KEYS, astuple(cell), strict=True)) | {name: int(sums[name]) for name in SUMS}


def _repeated(cell, numbers, seed):
    """Add up what the calls with these numbers say."""
    sums = Counter(repetitions=len(numbers))
    for number in numbers:
        key = (*cell.name.encode(), number)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        sums.update(said(cell, rng))
    return sums


def said(cell, rng):
    """Return what one call says: sum -> whether it was so, or the count."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            result = call(cell, rng, Path(folder))
    except rep.InputError:
        return {"refused": True}
    false, notes = false_statements(cell, result), warned(result)
    found = {"warned": notes, "false": any(false), "unwarned": any(false) and not notes}
    found |= dict(zip(("false_a", "false_b"), false, strict=True))
    if cell.systems > 2:
        return found
    mean = result.overall
    missed = mean.has_interval and not mean.low <= np.mean(cell.gains) <= mean.high
    return found | {"missed": missed, "count": result.k}


def call(cell, rng, folder):
    """Draw the scores of a cell and compare them.

    `rng`: source of the scores. `folder`: an empty folder, for a format that is read from files.

    Returns replicability.Result or replicability.Family: as a user gets it.

    Raises `InputError`: if the program refuses.
    """
    population = POPULATIONS[cell.population]
    frame = population.draw(rng, cell.items, cell.gains, cell.systems - 1)
    declared = DECLARED[cell.declared] | population.arguments
    if cell.systems > 2:
        return rep.all_pairs(frame, **declared)
    if cell.claim != "better":
        declared |= {"claim": cell.claim, "margin": population.margin}
    if cell.population == "spans":
        gold, *sides = write_spans(frame, folder)
        return rep.compare(*sides, a="A", b="B", gold=gold, format="spans", **declared)
    return rep.compare(frame, a="A", b="B", **declared)


def write_spans(frame, folder):
    """Write sentences with spans of one word; return the folders of gold, A and B."""
    sides = [folder / name for name in ("gold", "a", "b")]
    counted = frame.assign(none=0)
    for side, found, wrong in zip(
        sides, ("gold", "A", "B"), ("none", "none", "extra"), strict=True
    ):
        side.mkdir()
        rows = counted[["dataset", "gold", "extra", found, wrong]].itertuples(
            index=False, name=None
        )
        sentences = {}
        for dataset, gold, extra, right, more in rows:
            tags = ["B-X"] * right + ["O"] * (gold - right) + ["B-X"] * more
            tags += ["O"] * (extra - more + 1)
            sentences.setdefault(dataset, []).append("".join(f"w {tag}\n" for tag in tags))
        for dataset, texts in sentences.items():
            (side / f"{dataset}.txt").write_text("\n".join(texts), encoding="utf-8")
    return list(map(str, sides))


def directions(result):
    """Return what a result says of A and of B.

    `result`: a result of scores.

    Returns list of findings.Finding. For A, and for B if both directions are asked.
    """
    found = result.findings[0]
    return [found, found.other] if found.other else [found]


def false_statements(cell, result):
    """Tell whether a result says anything false of A, and of B.

    `cell`: what is true. `result`: what is said; of a family, all of whose systems are equal, any
    joint count is false.

    Returns (bool, bool). Whether a count exceeds the number of datasets on which the claim is true,
    a dataset is named on which it is not, or the bound of all those is above 0.
    """
    if cell.systems > 2:
        return bool((result.counts().to_numpy() > 0).any()), False
    false = [False, False]
    for place, said in enumerate(directions(result)):
        gains = [(-1) ** place * cell.gains[int(dataset[1:])] for dataset in said.datasets]
        nulls = [d for d, gain in zip(said.datasets, gains, strict=True) if not cell.is_true(gain)]
        wrong = said.k > len(gains) - len(nulls) or set(said.identified_datasets) & set(nulls)
        false[place] = bool(wrong or (nulls and said.claims.at_least(nulls) > 0))
    return tuple(false)


def warned(result):
    """Tell whether a note warns of p-values that may be too small.

    `result`: a family has no notes.

    Returns bool. Whether a note begins as one in `CARE`.
    """
    return any(note.startswith(CARE) for note in getattr(result, "notes", ()))
