"""Units: what is drawn independently, in a dataset and across datasets that share it.

Five questions about one passage, or one question asked with three seeds, are not independent: the
unit is the passage, the question. Where a unit is larger than an item, its items are summed
before any test, so that resamples and sign flips are of units. Where datasets share units, flips of
a unit in all its datasets together measure how dependent the datasets are (`stats.joint`).
"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.stats import joint, overall, paired


def by_unit(dataset):
    """Sum the items of each unit.

    `dataset`: scores of n items, or the sums of a metric, with the unit of each; without, every
    item is a unit.

    Returns instances.Dataset. With the u units in place of the items, in the order in which they
    first occur: sums of scores with the number of items, or sums of the metric. Without units the
    same.

    Raises `InputError`: if the dataset has gold ratings, which cannot be summed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from replicability.io.instances import Dataset
    >>> rows, questions = pa.array(["1", "2", "3"]), pa.array(["x", "x", "y"])
    >>> by_unit(Dataset("qa", rows, np.array([1.0, 0, 1]), np.zeros(3), units=questions)).a.tolist()
    [[1.0, 2.0], [1.0, 1.0]]
    """
    if dataset.units is None:
        return dataset
    if dataset.gold is not None:
        raise checks.InputError(
            "Ratings are compared with gold ratings item by item, so they cannot be summed over a "
            f"unit; leave {checks.named('unit')} out."
        )
    units = dataset.units.dictionary_encode()
    codes, n = units.indices.to_numpy(), len(units.dictionary)
    a, b = (_summed(with_size(side), codes, n) for side in (dataset.a, dataset.b))
    runs = dataset.runs
    if runs is not None and runs.cells is not None:
        cells = tuple(_summed(of_runs, codes, n) for of_runs in runs.cells)
        runs = replace(runs, cells=cells)
    sums = {"a": a, "b": b, "runs": runs}
    return replace(dataset, identifiers=units.dictionary, **sums, units=None, placed=False)


def several_by_unit(part):
    """Sum the items of each unit, of several systems.

    `part` (instances.Several): a dataset; without units, every item is one.

    Returns instances.Several. With the units in place of the items, as `by_unit`.
    """
    if part.units is None:
        return part
    summed = [by_unit(part.pair(i, i)) for i in range(len(part.scores))]
    scores, size = np.stack([dataset.a for dataset in summed]), None
    if part.scores.ndim == 2:
        scores, size = scores[..., 0], scores[0, :, 1]
    identifiers = summed[0].identifiers
    return replace(
        part, scores=scores, size=size, identifiers=identifiers, units=None, placed=False
    )


def several_flips(parts, shared, seed, n_flips):
    """Flip the signs of shared units for all pairs of several systems.

    `parts` (sequence of instances.Several): n datasets of s systems. `shared`, `seed`, `n_flips`:
    as for `flips`.

    Returns joint.Several. The same flips for each pair, those of a comparison of the two.

    Raises `InputError`: as `shared_differences`.
    """
    systems = range(len(parts[0].scores))
    if any(part.scores.ndim == 3 for part in parts):
        for i in systems[1:]:
            shared_differences([part.pair(0, i) for part in parts], shared)
    laid = [
        shared_differences([part.pair(i, i) for part in parts], shared, _score) for i in systems
    ]
    return joint.flip_several(laid, n_flips, rng=seed)


def _score(dataset):
    """Return the scores of A, of scores with sizes the numerators."""
    return dataset.a if dataset.a.ndim == 1 else dataset.a[:, 0]


def with_size(scores):
    """Return sums: scores with one item each, or the sums that there are."""
    return scores if scores.ndim == 2 else np.column_stack([scores, np.ones(len(scores))])


def design_effect(instances, units):
    """Say how much the variance of the difference grows where items are not the units.

    `instances`, `units`: scores of the items, and of the units that they belong to.

    Returns float. Variance by units over that by items, by the jackknife, 0 or more: 1 where items
    are independent, about the number of items of a unit where they are all alike. NaN without any
    variance, or of one unit.
    """
    by_instance, by_unit = (standard_error(dataset) for dataset in (instances, units))
    defined = 0 < by_instance < math.inf and by_unit < math.inf
    return (by_unit / by_instance) ** 2 if defined else math.nan


def shared_differences(datasets, shared=True, of=None):
    """Lay the differences of units out, those of one unit in one row.

    `datasets` (sequence of instances.Dataset): n datasets. `shared` (True or dict of str to
    sequence of str): true if the same identifier in any two datasets is the same unit; or what is
    shared, such as a test set, with the datasets that share it; {} if no two datasets share units.
    `of` (function of instances.Dataset): what is laid out in place of differences: an array with a
    number for each unit.

    Returns scipy.sparse.csr_array of float64, shape (u, n). Score of A less that of B of every unit
    on every dataset that has it. Rows are in the order of the names of the units, so that neither
    scores nor datasets decide which flips they get.

    Raises `InputError`: if scores do not add up to the difference of a dataset, no unit is in two
    datasets, or `shared` names a dataset twice or one that is not there.
    """
    homes = _homes([dataset.name for dataset in datasets], shared)
    units = pd.MultiIndex.from_arrays(
        [
            np.repeat([homes[dataset.name] for dataset in datasets], list(map(len, datasets))),
            np.concatenate([np.asarray(d.identifiers).astype(str) for d in datasets]),
        ]
    )
    rows, names = pd.factorize(units, sort=True)
    if shared and len(names) == len(units):
        raise checks.InputError(
            "No two datasets share a unit, although shared units are declared; check that the "
            f"same unit has the same identifier everywhere, or leave {checks.named('shared')} out."
        )
    places = np.repeat(np.arange(len(datasets)), list(map(len, datasets)))
    values = np.concatenate([(of or _difference)(dataset) for dataset in datasets])
    return joint.by_unit(values, np.zeros(len(values)), places, rows)[0]


def _homes(datasets, shared):
    """Return for each dataset the name of what it shares; one of its own if that is nothing."""
    if shared is True:
        return dict.fromkeys(datasets, "")
    homes = {}
    for home, members in shared.items():
        for member in members:
            checks.choice(f"shared {home!r}: dataset", member, datasets)
            if member in homes:
                raise checks.InputError(
                    f"shared: the dataset {member!r} is listed twice; list it only once."
                )
            homes[member] = f"shared {home}"
    return {name: homes.get(name, f"alone {name}") for name in datasets}


def flips(datasets, shared=True, seed=0, n_flips=None, margins=None):
    """Flip the signs of shared units, for "A is better", or better by more than a margin.

    `datasets`, `shared`: as for `shared_differences`. `n_flips`: flips, the identity among them; by
    default `joint.N_FLIPS`. `margins` (dict of str to float): dataset -> what is taken off the
    difference, times the denominator of the unit.

    Returns joint.Flips. Statistics of all datasets.

    Raises `InputError`: as `shared_differences`.
    """
    less = margins or {}
    laid = shared_differences(datasets, shared, lambda one: _difference(one, less.get(one.name, 0)))
    return joint.flip(laid, n_flips or joint.N_FLIPS, rng=seed)


def covariance(datasets, shared=True, scale=1):
    """Measure how the differences of datasets that share units vary together.

    `datasets`, `shared`: as for `shared_differences`. `scale`: what scores are multiplied with
    where they are shown.

    Returns overall.Covariance or None. Covariances by unit; None if a dataset's difference has no
    standard error.

    Raises `InputError`: as `shared_differences`.
    """

    def influences_of(dataset):
        of_sums = dataset.metric if dataset.a.ndim == 2 else None
        return paired.difference(dataset.a, dataset.b, metric=of_sums).influences

    influences = shared_differences(datasets, shared, of=influences_of)
    defined = np.isfinite(influences.data).all()
    return overall.covariance(scale * influences) if defined else None


def turned(flips):
    """Return the flips for "B is better"."""
    return replace(flips, z=-flips.z)


def _summed(sums, codes, n):
    return np.column_stack([np.bincount(codes, column, n) for column in sums.T])


def _difference(dataset, margin=0.0):
    """Return the differences of units less the margin, which add up to that of the dataset."""
    a, b = dataset.a, dataset.b
    if adds_up(dataset):
        return a - b - margin if a.ndim == 1 else a[:, 0] - b[:, 0] - margin * a[:, 1]
    raise checks.InputError(
        f"dataset {dataset.name!r}: joint sign flips need differences that add up over units, but "
        f"the denominators of {dataset.metric or 'the scores'} differ between A and B; leave "
        f"{checks.named('shared')} out, or compare the systems by a score of each item."
    )


def adds_up(dataset):
    """Tell whether differences of units add up to that of the dataset, as sign flips need them."""
    a, b = dataset.a, dataset.b
    return a.ndim == 1 or (a.shape[1] == 2 and np.array_equal(a[:, 1], b[:, 1]))


def standard_error(dataset):
    """Return the standard error of the difference of a dataset's scores, as `paired.difference`."""
    of_sums = dataset.metric if dataset.a.ndim == 2 else None
    return paired.difference(dataset.a, dataset.b, metric=of_sums).standard_error
