"""Items that a system lacks: refused, left out for all systems, or counted as wrong."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io.cells import some

REFUSE, DROP, WRONG = "refuse", "drop", "wrong"


class Lacking(InputError):
    """Items that a system lacks, with what can be done about it."""

    def __init__(self, said, who, lacked):
        super().__init__(f"{said}{remedy(who, lacked)}.")
        self.said, self.who = said, who

    def everywhere(self, read, comparison):
        """Return the same with the counts of all datasets, where files hold one each.

        `read`: from a comparison to its datasets. `comparison` (declared.Comparison): what was
        read, or the source of it.

        Returns InputError. This one if a dataset cannot be read for another reason.
        """
        try:
            datasets = read(dataclasses.replace(comparison, missing=DROP))
        except InputError:
            return self
        lacked = {dataset.name: dataset.missing for dataset in datasets if any(dataset.missing)}
        return Lacking(self.said, comparison.systems, lacked) if lacked else self


def of_rows(comparison, names, systems, by_system, scored, by_run=None):
    """Leave out or add rows of a table with a row for each item and system, by policy.

    `comparison` (declared.Comparison): its ``missing`` is "drop" or "wrong". `names`
    (matching.Names): item of each row. `systems` (sequence of str): the s systems. `by_system`
    (ndarray of int, shape (m,)): place of the system of each row. `scored` (ndarray of bool, shape
    (m,)): whether a row has a score. `by_run` (ndarray of int, shape (m,)): run of each row.

    Returns `take` (ndarray of int): the rows to read; those that stand for what a system lacks are
    the last. `by_system` (ndarray of int): system of each of them. `by_run` (ndarray of int or
    None): run of each of them. `n` (int): how many of them have a score. `lacked` (dict of str to
    tuple): as in `by_dataset`.

    Raises `InputError`: if a system lacks a whole dataset, or no item of one is left.
    """
    known, first = np.unique(names.keys, return_index=True)
    lacked = []
    for system, name in enumerate(systems):
        held = np.unique(names.keys[scored & (by_system == system)])
        lacked.append(np.setdiff1d(known, held, assume_unique=True))
        _refuse_datasets(comparison, names, name, known, held)
    take, added, of, runs = np.flatnonzero(scored), [], [], []
    if comparison.missing == DROP:
        take = np.flatnonzero(scored & ~np.isin(names.keys, np.concatenate(lacked)))
        _refuse_empty(comparison, names, known, names.keys[take])
    for system, keys in enumerate(lacked if comparison.missing == WRONG else ()):
        added.append(first[np.searchsorted(known, keys)])
        if by_run is not None:
            own = np.flatnonzero(scored & (by_system == system))
            added[-1], each = _each_run(names, added[-1], own, by_run)
            runs.append(each)
        of.append(np.full(len(added[-1]), system))
    by_run = None if by_run is None else np.concatenate([by_run[take], *runs])
    by_system = np.concatenate([by_system[take], *of])
    rows = np.concatenate([take, *added])
    return rows, by_system, by_run, len(take), by_dataset(names, lacked)


def _each_run(names, rows, own, by_run):
    """Repeat rows for each run of their dataset, of those of a system: rows and runs."""
    n = len(names.labels)
    pairs = np.unique(np.column_stack([names.keys[own] // n, by_run[own]]), axis=0)
    place, which = np.nonzero(names.keys[rows][:, None] // n == pairs[:, 0])
    return rows[place], pairs[which, 1]


def of_columns(comparison, names, systems, scores):
    """Tell which rows of a table with a column for each system are read, by policy.

    `comparison`, `names`, `systems`: as for `of_rows`. `scores` (sequence of ndarray of float64):
    scores of each system, NaN for a cell that is empty.

    Returns `keep` (ndarray of bool): whether each row is read. `lacked` (dict of str to tuple): as
    of `by_dataset`.

    Raises `InputError`: as `of_rows`.
    """
    lacking = [np.isnan(side) for side in scores]
    for name, blank in zip(systems, lacking, strict=True):
        _refuse_datasets(comparison, names, name, names.keys, names.keys[~blank])
    keep = np.ones(len(names.keys), bool)
    if comparison.missing == DROP:
        keep = ~np.logical_or.reduce(lacking)
        _refuse_empty(comparison, names, names.keys, names.keys[keep])
    return keep, by_dataset(names, [names.keys[blank] for blank in lacking])


@dataclass(frozen=True, eq=False)
class Part:
    """What is read of one of two files.

    Attributes
    ----------
    take : ndarray of int, shape (n,)
        Rows of the first file and, behind them, of the second; those that stand for what the system
        lacks are the last.
    values : ndarray of float64, shape (n,) or (n, 2)
        Scores of these rows.
    runs : list of str
        Run of each of these rows; [] without runs.
    """

    take: np.ndarray
    values: np.ndarray
    runs: list

    def of(self, columns):
        """Return the cells of these rows, of a column that both files have."""
        chunks = [pa.array(column).cast(pa.string()) for column in columns]
        return pa.concat_arrays(chunks).take(pa.array(self.take))


def of_files(comparison, dataset, identifiers, values, runs=((), ())):
    """Leave out or add rows of two files of one dataset, by policy.

    `comparison` (declared.Comparison): its ``missing`` and ``systems``. `dataset`: name of the
    dataset. `identifiers` (sequence of pyarrow.StringArray): of the items of each file. `values`
    (sequence of ndarray of float64, shape (n,) or (n, 2)): scores of each file, NaN where there is
    none; or numerators and denominators. `runs` (sequence of sequence of str): run of each row of
    each file.

    Returns `parts` (list of Part): what is read of each file. `missing` (tuple of tuple of str):
    identifiers of the items that each system lacks; () if there is none.

    Raises `InputError`: as `of_rows` and `filled`.
    """
    n = len(values[0])
    if comparison.missing == REFUSE:
        starts = zip((0, n), values, runs, strict=True)
        return [Part(np.arange(s, s + len(v)), v, list(each)) for s, v, each in starts], ()
    together = np.concatenate(values)
    names = [name for column in identifiers for name in column.to_pylist()]
    by_run = [run for column in runs for run in column] or [""] * len(names)
    scored = ~np.isnan(together.reshape(len(names), -1)[:, 0])
    ends = np.split(np.arange(len(names)), [n])
    own = [rows[scored[rows]] for rows in ends]
    place = {names[row]: row for row in reversed(range(len(names)))}
    lacked = [sorted(place.keys() - {names[row] for row in rows}) for rows in own]
    if not any(lacked):
        return [Part(rows, together[rows], [by_run[r] for r in rows]) for rows in ends], ()
    refuse(comparison, dataset, place, lacked)
    gone, takes, each = set(), own, [[by_run[row] for row in rows] for rows in own]
    if comparison.missing == DROP:
        gone = set().union(*lacked)
        takes = [np.array([r for r in rows if names[r] not in gone], int) for rows in own]
        each = [[by_run[row] for row in rows] for rows in takes]
    kept = [len(rows) for rows in takes]
    for side, absent in enumerate(lacked if comparison.missing == WRONG else ()):
        added = [(place[name], run) for name in absent for run in dict.fromkeys(each[side])]
        takes[side] = np.concatenate([takes[side], np.array([row for row, _ in added], int)])
        each[side] += [run for _, run in added]
    blank = np.concatenate([np.arange(len(t)) >= n for t, n in zip(takes, kept, strict=True)])
    read = together[np.concatenate(takes)]
    if read.ndim == 1:
        read = filled(comparison, read, blank)
    else:
        read = np.column_stack([filled(comparison, read[:, 0], blank, read[:, 1]), read[:, 1]])
    read = np.split(read, [len(takes[0])])
    parts = [Part(*found) for found in zip(takes, read, each, strict=True)]
    return parts, tuple(map(tuple, lacked))


def refuse(comparison, dataset, known, lacked):
    """Refuse a dataset that a system lacks, or of which nothing would be left.

    `comparison` (declared.Comparison): its ``missing`` and ``systems``. `dataset`: name of the
    dataset. `known` (collection of str): identifiers of all items. `lacked` (sequence of sequence
    of str): identifiers of those that each system lacks.

    Raises `InputError`: if there is such a system, or with "drop" no item is left.
    """
    for system, absent in zip(comparison.systems, lacked, strict=True):
        if len(absent) == len(known):
            _refuse_whole(comparison, system, [dataset])
    if comparison.missing == DROP and len(set().union(*lacked)) == len(known):
        _refuse_nothing(comparison, [dataset])


def filled(comparison, scores, blank, size=None):
    """Count missing items as wrong.

    `comparison` (declared.Comparison): where a lower score is better, the wrong one is 1, or the
    size. `scores` (ndarray of float64, shape (m,) or (s, m)): scores of all systems. `blank`
    (ndarray of bool): which of them stand for missing items. `size` (ndarray of float64, shape
    (m,)): denominators of the scores.

    Returns ndarray of float64.

    Raises `InputError`: if a score is neither 0 nor 1, and there are no sizes.
    """
    if not blank.any():
        return scores
    graded = scores[~blank & ~np.isin(scores, (0, 1))]
    if "gold" in comparison.columns:
        why = "ratings are neither right nor wrong"
    elif size is None and graded.size:
        why = (
            f"the score {graded[0]:g} is neither 0 nor 1 and has no size, so the worst score "
            "is unknown"
        )
    else:
        worst = 1.0 if size is None else np.broadcast_to(size, scores.shape)
        return np.where(blank, worst if comparison.higher_is_better is False else 0.0, scores)
    raise InputError(
        f"{comparison.source}: missing items cannot be counted as wrong, because {why}; leave "
        f"them out with {checks.given('missing', repr(DROP))}."
    )


def by_dataset(names, lacked):
    """List what is missing by dataset.

    `names` (matching.Names): what keys stand for. `lacked` (sequence of ndarray of int64): keys of
    the items that each system lacks.

    Returns dict of str to tuple of tuple of str. Dataset -> identifiers of the items that each
    system lacks, if any does.
    """
    found = {}
    for system, keys in enumerate(lacked):
        labels = names.labels.take(pa.array(keys % len(names.labels))).cast(pa.string())
        for code, label in zip(keys // len(names.labels), labels.to_pylist(), strict=True):
            of = found.setdefault(names.datasets[code], [[] for _ in lacked])
            of[system].append(label)
    return {name: tuple(map(tuple, of)) for name, of in found.items()}


def lacked(names, sides):
    """List what each side lacks of what any of them has.

    `names` (matching.Names): what keys stand for. `sides`: sequence of matching.Side.

    Returns dict of str to tuple. As in `by_dataset`.
    """
    known = np.unique(np.concatenate([side.keys for side in sides]))
    return by_dataset(names, [np.setdiff1d(known, side.keys) for side in sides])


def remedy(who, lacked):
    """Offer the policies, with the number of missing items in each dataset for each system.

    `who`: sequence of str. `lacked` (dict of str to tuple): as in `by_dataset`.

    Returns str. A clause.
    """
    counts = [f"{_counts(who, of)} on {name!r}" for name, of in list(lacked.items())[:LISTED]]
    more = len(lacked) - LISTED
    counts += [f"and others on {more:,} more dataset{'s' * (more > 1)}"] * (more > 0)
    return (
        f", or leave out the items that one lacks with {checks.given('missing', repr(DROP))}, or "
        f"count them as wrong with {checks.given('missing', repr(WRONG))} (missing: "
        f"{'; '.join(counts)})"
    )


def _counts(systems, lacked):
    """Say how many items each system lacks."""
    found = zip(systems, map(len, lacked), strict=True)
    return ", ".join(f"{n:,} for {who}" for who, n in found if n)


LISTED = 8
"""Datasets that a sentence lists."""


def sentence(policy, systems, datasets, called=str):
    """Say what was done with missing items and runs.

    `policy`: {"refuse", "drop", "wrong"}. `systems` (sequence of str): the s systems. `datasets`
    (sequence of instances.Dataset or instances.Several): what was read. `called`: from the name of
    a system or dataset to what it is called; by default the name.

    Returns str. "" if nothing was missing.
    """
    systems = [*map(called, systems)]
    said = [of(policy, systems, datasets, called) for of in (_of_items, _of_runs)]
    return " ".join(filter(None, said))


def _of_items(policy, systems, datasets, called):
    found = [dataset for dataset in datasets if any(dataset.missing)]
    if not found:
        return ""
    said = []
    for dataset in found[:LISTED]:
        n, whole = len(set().union(*dataset.missing)), len(dataset)
        whole += n if policy == DROP else 0
        lacked = _counts(systems, dataset.missing)
        said.append(f"{n:,} of {whole:,} on {called(dataset.name)!r} ({lacked})")
    if more := found[LISTED:]:
        n = sum(len(set().union(*dataset.missing)) for dataset in more)
        said.append(f"{n:,} on {len(more):,} more dataset{'s' * (len(more) > 1)}")
    if policy == DROP:
        return (
            "Items for which a system has no score were left out for all systems: "
            f"{'; '.join(said)}. The claims cover the remaining items."
        )
    return f"Missing items were counted as wrong for the system that lacks them: {'; '.join(said)}."


def _of_runs(policy, systems, datasets, called):
    """Say how many runs items have, where some lack any."""
    said = [
        f"{gap.fewest:,} to {gap.most:,} runs of {system} on {called(dataset.name)!r} "
        f"({gap.n:,} missing)"
        for dataset in datasets
        for system, gap in zip(systems, dataset.gaps, strict=False)
        if gap
    ]
    if not said:
        return ""
    more = f"; and {len(said) - LISTED:,} more" if len(said) > LISTED else ""
    listed = "; ".join(said[:LISTED]) + more
    if policy == DROP:
        return (
            "Items have different numbers of runs, so each score is the mean over the existing "
            f"runs: {listed}. The claims cover only the existing runs; if runs are missing "
            "because they failed, the scores are too high."
        )
    return f"Missing runs of an item were counted as wrong: {listed}."


def _refuse_datasets(comparison, names, system, known, held):
    """Refuse a system without a single score on a dataset."""
    wanted, having = (np.unique(keys // len(names.labels)) for keys in (known, held))
    lacking = [names.datasets[code] for code in np.setdiff1d(wanted, having)]
    if lacking:
        _refuse_whole(comparison, system, lacking, [names.datasets[code] for code in having])


def _refuse_whole(comparison, system, lacking, having=()):
    raise InputError(
        f"{comparison.source}: {system} has no score on {some(lacking)}, and a whole dataset can "
        "be neither left out nor counted as wrong; score all systems on every dataset, or select "
        f"the datasets with {checks.ways('datasets', having, at_once=True)}."
    )


def _refuse_empty(comparison, names, known, kept):
    """Refuse a dataset of which no item is left."""
    wanted, having = (np.unique(keys // len(names.labels)) for keys in (known, kept))
    empty = [names.datasets[code] for code in np.setdiff1d(wanted, having)]
    if empty:
        _refuse_nothing(comparison, empty)


def _refuse_nothing(comparison, empty):
    raise InputError(
        f"{comparison.source}: no item of {some(empty)} has a score for every system, so nothing "
        "can be compared; check that all systems use the same identifiers."
    )
