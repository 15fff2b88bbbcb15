"""Several runs of a system (seeds, epochs, repeats): an item has the mean of its scores.

The unit stays the item. Runs of one item are no items of their own: counted as such
they would make an uncertain result look certain. What the runs of a system are called, and how
many there are, may differ between systems and datasets. Within a dataset every run of a system has
scored every item, so that the score of the dataset is the mean of the scores of its runs; if
not, ``missing`` says whether an item has the mean of the runs that there are, or has failed in
those that it lacks.
"""

import functools
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import delimited, headers, missing
from replicability.io.cells import encoded, some
from replicability.io.matching import Names, Side

DENOMINATORS = (1, *(10**digits for digits in range(1, 10)), *range(2, 100))
"""Denominators of fractional scores that are averaged without rounding."""

LARGEST = 2**40
"""Largest numerator for which sums of thousands of runs remain exact."""


def repeated(file):
    """Say what to do with a table whose items occur several times."""
    likely = headers.of_repeats(delimited.read_headers(file))
    return (
        "; if these rows are runs of a system, such as seeds, specify the column that identifies "
        f"the runs with {checks.ways('run', likely)}"
    )


@dataclass(frozen=True, eq=False)
class Runs:
    """The score of a dataset in every run of both systems.

    Attributes
    ----------
    a, b : ndarray of float64, shape (r,)
        Scores of the r runs, in the order of their names; each system has its own r, 1 or more.
    whole : bool
        Whether the scores of single runs are whole numbers and not below 0, as right and wrong are.
    cells : tuple of ndarray of float64, shapes (n, r), or None
        Score of each item in each run, of A and of B; None unless every run scored every item.
    same : bool
        Whether the runs of both systems have the same names.
    """

    a: np.ndarray
    b: np.ndarray
    whole: bool
    cells: tuple | None = None
    same: bool = False


@dataclass(frozen=True, eq=False)
class Mean:
    """The scores of a system, one for each item.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        First row of each item, in ascending order.
    scores : ndarray of float64, shape (n,)
        Mean of each item over its runs.
    of_runs : dict of str to ndarray of float64, shape (r,)
        Dataset -> its score in each run, the mean over items or over their sizes.
    whole : bool
        As in `Runs`.
    gaps : dict of str to Gaps
        Datasets of which an item lacks a run.
    places, runs, single : ndarray, shape (m,)
        Place of its item among `rows`, run and score of each row that was averaged.
    names : list of str
        Names of the runs.
    """

    rows: np.ndarray
    scores: np.ndarray
    of_runs: dict
    whole: bool
    gaps: dict
    places: np.ndarray
    runs: np.ndarray
    single: np.ndarray
    names: list

    @functools.cached_property
    def _sorted(self):
        """Return the rows in the order of items and runs, and where each item starts."""
        order = np.lexsort((self.runs, self.places))
        n = np.bincount(self.places, minlength=len(self.rows))
        return order, np.cumsum(n) - n, n

    def cells(self, at):
        """Return scores of items in each of their runs, and the names of these runs.

        `at` (ndarray of int, shape (n,)): places of the items among `rows`.

        Returns tuple of (ndarray of float64, shape (n, r), list of str), or None. None if the items
        have different runs.
        """
        order, starts, n = self._sorted
        if (n[at] != n[at[0]]).any():
            return None
        rows = order[starts[at][:, None] + np.arange(n[at[0]])]
        runs = self.runs[rows]
        if (runs != runs[0]).any():
            return None
        return self.single[rows], [self.names[run] for run in runs[0]]


@dataclass(frozen=True)
class Gaps:
    """Runs of a system that some items of a dataset lack.

    Attributes
    ----------
    n : int
        Scores that are missing, of an item in a run each.
    fewest, most : int
        Least and largest number of runs of an item.
    """

    n: int
    fewest: int
    most: int


def together(name, a, b, at=None):
    """Pair the runs of a dataset of both systems.

    `name`: name of the dataset. `a`, `b` (Mean): of either system. `at` (tuple of ndarray of int):
    places of the items of the dataset in `a` and in `b`; by default all of A and B alike.

    Returns Runs. Of the dataset.
    """
    whole = a.whole and b.whole and name not in {**a.gaps, **b.gaps}
    at = (np.arange(len(a.rows)),) * 2 if at is None else at
    found = [side.cells(places) for side, places in zip((a, b), at, strict=True)]
    if None in found:
        return Runs(a.of_runs[name], b.of_runs[name], whole)
    cells, names = zip(*found, strict=True)
    return Runs(a.of_runs[name], b.of_runs[name], whole, cells, names[0] == names[1])


def gaps(name, means):
    """List what `Mean.gaps` says of a dataset for each system; () if no run is missing."""
    found = tuple(mean.gaps.get(name) for mean in means)
    return found if any(found) else ()


def mean(names, side, runs, labels, scores, sizes=None, comparison=None):
    """Average the scores of each item over the runs of a system.

    Parameters
    ----------
    names : matching.Names
        What the keys of items stand for.
    side : matching.Side
        The system, its file, and the key of the item of each of its rows.
    runs : ndarray of int, shape (m,)
        Code of the run of each row.
    labels : sequence of str
        Names of the runs by their code.
    scores : ndarray of float64, shape (m,)
        Score of each row.
    sizes : ndarray of float64, shape (m,), optional
        Denominators of the scores.
    comparison : declared.Source, optional
        Its ``missing`` says what is done with runs that an item lacks; they are refused if
        there is none.

    Returns
    -------
    Mean
        Means over the runs, the same whatever the order of the rows. Of fractions with one
        denominator, such as whole numbers, decimals or thirds, the mean is the floating-point
        number that is nearest to the true one, so that equal means are equal. With sizes numerators
        are averaged; an item keeps its size.

    Raises
    ------
    InputError
        If an item occurs twice in a run, is not in every run of its dataset, or has sizes that
        differ between runs.

    Examples
    --------
    >>> names = Names(["qa"], pa.array(["q1", "q2"]), np.array([0, 0, 1, 1]))
    >>> side = Side("A", "qa.csv", names.keys)
    >>> found = mean(names, side, np.array([0, 1, 0, 1]), ["s1", "s2"], np.array([1.0, 0, 1, 1]))
    >>> found.scores.tolist(), found.of_runs["qa"].tolist()
    ([0.5, 1.0], [1.0, 0.5])
    """
    keys, rows, codes, n = np.unique(
        side.keys, return_index=True, return_inverse=True, return_counts=True
    )
    runs, lacking, labels = _checked(names, side, keys, codes, runs, labels, comparison)
    single = scores
    if sizes is not None and (sizes != sizes[rows][codes]).any():
        row = int((sizes != sizes[rows][codes]).argmax())
        raise InputError(
            f"{side.file}: item {_named(names, side.keys[row])} has the size {sizes[row]:g} in "
            f"one run of {side.who} and {sizes[rows][codes][row]:g} in another, but its size must "
            "not differ between runs; correct one of the two."
        )
    found = _gaps(names, keys, n, lacking)
    of_runs = _by_run(names, side, runs, scores, sizes)
    of_runs |= {name: np.full(gap.most, np.nan) for name, gap in found.items()}
    if found and comparison.missing == missing.WRONG:
        blank = np.arange(len(scores) + lacking.sum()) >= len(scores)
        below = None if sizes is None else np.concatenate([sizes, np.repeat(sizes[rows], lacking)])
        scores = np.concatenate([scores, np.zeros(lacking.sum())])
        scores = missing.filled(comparison, scores, blank, below)
        codes, n = np.concatenate([codes, np.repeat(np.arange(len(keys)), lacking)]), n + lacking
    steps, below = _steps(scores)
    order = np.lexsort((steps, codes))  # so that the sum does not depend on the order of the rows
    starts = np.cumsum(n) - n
    means = np.add.reduceat(steps[order], starts) / (n * below)
    first = np.argsort(rows)
    return Mean(
        rows=rows[first],
        scores=means[first],
        of_runs=of_runs,
        whole=bool((scores >= 0).all() and (scores == np.rint(scores)).all()),
        gaps=found,
        places=np.argsort(first)[codes[: len(single)]],
        runs=runs,
        single=single,
        names=labels,
    )


def _gaps(names, keys, n, lacking):
    """Count what items lack by dataset, where any does."""
    found, datasets = {}, keys // len(names.labels)
    for code in np.unique(datasets[lacking > 0]):
        of = datasets == code
        numbers = int(lacking[of].sum()), int(n[of].min()), int(n[of].max())
        found[names.datasets[code]] = Gaps(*numbers)
    return found


def named(dataset, who, file, identifiers, runs, scores, sizes=None, comparison=None):
    """Average the scores of one dataset over runs, by the names of items and runs.

    `dataset`, `who`, `file`: names of dataset and system, and the file, for messages.
    `identifiers`, `runs` (sequence of str, length m): item and run of each score. `scores`,
    `sizes`, `comparison`: as for `mean`.

    Returns Mean. As `mean`.

    Raises `InputError`: as `mean`.
    """
    codes, instances = encoded(pa.array(identifiers, pa.string()))
    names = Names([dataset], instances, codes.astype(np.int64))
    by_run, labels = encoded(pa.array(runs, pa.string()))
    side = Side(who, file, names.keys)
    return mean(names, side, by_run, labels.to_pylist(), scores, sizes, comparison)


def _checked(names, side, keys, codes, runs, labels, comparison):
    """Return runs in the order of their names, and how many of them each item lacks."""
    rank = np.empty(len(labels), int)
    ordered = sorted(range(len(labels)), key=lambda code: _natural(str(labels[code])))
    rank[ordered] = np.arange(len(labels))
    runs, labels = rank[runs], [labels[code] for code in ordered]
    cells, counts = np.unique(codes * len(labels) + runs, return_counts=True)
    if (counts > 1).any():
        code, run = divmod(int(cells[counts > 1][0]), len(labels))
        if comparison is not None and comparison.bare_runs:
            raise InputError(
                f"{side.file}: the run {labels[run]!r} of {side.who} has several rows on "
                f"{names.both(keys[code])[1]!r}; specify the column that identifies the items with "
                f"{checks.named('instance')}."
            )
        raise InputError(
            f"{side.file}: item {_named(names, keys[code])} occurs more than once in the run "
            f"{labels[run]!r} of {side.who}; give every run its own name, and every item of a "
            "dataset its own identifier."
        )
    datasets = keys // len(names.labels)
    pairs = np.unique(datasets[codes] * len(labels) + runs)
    there = np.bincount(pairs // len(labels), minlength=len(names.datasets))
    held = np.bincount(codes, minlength=len(keys))
    lacking = there[datasets] - held
    if comparison is not None and comparison.repeats.get("nested"):
        return runs, np.zeros_like(lacking), labels
    policy = missing.REFUSE if comparison is None else comparison.missing
    if lacking.any() and policy == missing.REFUSE:
        code, n = int((lacking > 0).argmax()), int(np.count_nonzero(lacking))
        all_runs = pairs[pairs // len(labels) == datasets[code]] % len(labels)
        absent = [labels[run] for run in all_runs if run not in runs[codes == code]]
        ways = (
            f"or average each item over the runs that have it ({checks.given('missing', DROP)}), "
            f"or count missing runs of an item as wrong ({checks.given('missing', WRONG)})"
        )
        raise InputError(
            f"{side.file}: {n:,} item{'s' * (n != 1)} of {names.datasets[datasets[code]]!r} "
            f"{'is' if n == 1 else 'are'} not in every run of {side.who} (for example, "
            f"{names.both(keys[code])[0]!r} is not in run{'s' * (len(absent) > 1)} "
            f"{some(absent)}); score every item in every run, "
            f"{'or leave that run or item out' if comparison is None else ways}. If each item has "
            f"its own trials, set nested to true in {checks.named('repeats')}."
        )
    if policy == missing.WRONG and 2 * lacking.sum() > there[datasets].sum():
        raise InputError(
            f"{side.file}: the items of {side.who} lack {lacking.sum():,} of "
            f"{there[datasets].sum():,} scores in the runs, so runs with the same name are "
            "probably not the same run; average each item over the runs that have it, with "
            f"{checks.given('missing', DROP)}."
        )
    return runs, lacking, labels


DROP, WRONG = repr(missing.DROP), repr(missing.WRONG)
"""The values as they are written."""


def _steps(scores):
    """Return scores as whole numbers over one denominator, or as they are over 1."""
    different = np.unique(scores)
    for below in DENOMINATORS:
        for part in (different[:64], different):
            whole = np.rint(part * below)
            if (np.abs(whole) > LARGEST).any() or (whole / below != part).any():
                break
        else:
            return np.rint(scores * below), below
    return scores, 1


def _natural(text):
    """Order whole numbers by their value, before other names."""
    return (0, int(text), text) if text.isdecimal() else (1, 0, text)


def _named(names, key):
    return "{!r} of {!r}".format(*names.both(key))


def _by_run(names, side, runs, scores, sizes):
    """Return the score of each dataset in each run, in the order of the runs."""
    datasets = side.keys // len(names.labels)
    order = np.lexsort((scores, runs, datasets))
    starts = np.flatnonzero(np.diff(datasets[order], prepend=-1) | np.diff(runs[order], prepend=-1))
    below = np.ones(len(scores)) if sizes is None else sizes
    found = np.add.reduceat(scores[order], starts) / np.add.reduceat(below[order], starts)
    of = datasets[order][starts]
    return {names.datasets[code]: found[of == code] for code in np.unique(of)}
