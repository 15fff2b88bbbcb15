"""Dependence that the scores themselves show: what is refused, and what a reader is told.

Three things are measured before any test: whether datasets are one, or nearly one, under several
names,
whether items of one passage, document or the like are alike (`headers.UNITS`), and whether
differences of items with the same identifier are correlated across datasets. A comparison that
declares the opposite is refused where the data contradict it by more than `LIMIT` standard errors.
Of three or more systems up to `MOST_PAIRS` pairs are measured, as two systems are.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse, special

from replicability import checks
from replicability.core.numbers import rounded
from replicability.io.cells import encoded
from replicability.io.declared import INSTANCE
from replicability.io.instances import Dataset
from replicability.stats import many_systems, measured, paired

LIMIT = 3
"""Number of standard errors at which the data contradict a declaration."""

CHANCE = 1e-9
"""Maximum probability that independent datasets have equal scores by chance."""

NEAR = 0.9
"""Agreement beyond chance at which two datasets count as nearly identical."""

MOST_COMPARED = 2 * 10**8
"""Maximum number of scores compared to find nearly identical datasets."""

MOST_PAIRS = 45
"""Maximum number of system pairs measured, which covers up to ten systems."""

MOST_NAMES = 3
"""Maximum number of datasets that a sentence lists by name."""

DECIMALS = 3
"""Of correlations in sentences."""

USED = "joint sign flips account for this dependence"
"""How the correlation of shared items is used."""


@dataclass(frozen=True)
class Measured:
    """What was measured of a comparison.

    Attributes
    ----------
    identical : list of list of str
        Names of datasets that have the same scores.
    units : dict of str to measured.IntraclassCorrelation
        Header -> how alike items with one value are, of columns called as units are.
    matched : measured.MatchedCorrelation or None
        Of items with the same identifier in several datasets; None if there are none.
    sentences : list of str
        What a reader should know.
    """

    identical: list = field(default_factory=list)
    units: dict = field(default_factory=dict)
    matched: measured.MatchedCorrelation | None = None
    sentences: list = field(default_factory=list)


def measure(comparison, datasets, drawn):
    """Measure the dependence within and between datasets, and refuse what contradicts it.

    `comparison`: its `dependence`, `shared` and `unit`. `datasets`, `drawn` (sequence of
    instances.Dataset): scores of the items, and of the units that they belong to.

    Returns Measured. What was found; of ratings only which datasets are identical.

    Raises `InputError`: if datasets that are declared independent are identical, nearly so (`near`)
    or, by more than `LIMIT` standard errors, positively correlated; or if items of one unit are
    alike by as much, and neither this unit nor "instance" is declared.
    """
    same = identical(datasets)
    said = _of_identical(comparison, same) + _of_near(comparison, near(datasets))
    if datasets[0].gold is not None:
        return Measured(same, sentences=said)
    of_units = within_units(datasets)
    said += _of_units(comparison, of_units)
    names, found = between_datasets(drawn, comparison.shared)
    if found is not None:
        said += _of_matched(comparison, drawn, names, found)
    return Measured(same, of_units, found, said)


def measure_family(family, systems, parts, drawn):
    """Measure the dependence within and between the datasets of several systems, as `measure`.

    `family` (study.Family): its `dependence`, `shared`, `unit` and `against`. `systems` (sequence
    of str): the s systems. `parts`, `drawn` (sequence of instances.Several): scores of the items,
    and of the units that they belong to.

    Returns Measured. Correlations of the pair of systems that tells most, of all pairs or of
    `MOST_PAIRS` that are spread evenly over them.

    Raises `InputError`: as `measure`. Data contradict what is declared if the mean of the deviates
    of all pairs is above `LIMIT`, or the largest one is after Bonferroni's correction for their
    number.
    """
    stacked = [np.moveaxis(part.scores, 0, 1).reshape(part.scores.shape[1], -1) for part in parts]
    together = [
        Dataset(part.name, part.identifiers, scores, np.zeros((len(scores), 1)))
        for part, scores in zip(parts, stacked, strict=True)
    ]
    same = identical(together)
    said = _of_identical(family, same, "all systems")
    said += _of_near(family, near(together), "all systems")
    place = systems.index(family.against) if family.against else None
    every = many_systems.pairs(len(systems), place)
    every = every[:: -(-len(every) // MOST_PAIRS)]
    of_units, matched = {}, {}
    for i, j in every:
        names, found = between_datasets([part.pair(i, j) for part in drawn], family.shared)
        if found is not None:
            matched[i, j] = found
        if any(part.belongs for part in parts):
            for header, value in within_units([part.pair(i, j) for part in parts]).items():
                of_units.setdefault(header, {})[i, j] = value
    of_units = {header: _jointly(found, systems) for header, found in of_units.items()}
    for header, (value, of) in of_units.items():
        said += _of_units(family, {header: value}, of)
    of_units = {header: value for header, (value, _) in of_units.items()}
    if not matched:
        return Measured(same, of_units, None, said)
    found, of = _jointly(matched, systems)
    alone = {pair: value.largest for pair, value in matched.items()}
    found = replace(found, largest=_jointly(alone, systems)[0])
    said += _of_matched(family, drawn, names, found, of)
    return Measured(same, of_units, found, said)


def _jointly(found, systems):
    """Return the measurement that tells most, with a deviate for all pairs, and whose it is.

    The mean of standard normal deviates has a variance of 1 at most, whatever their dependence.
    """
    deviates = np.array([value.deviate for value in found.values()])
    sign = 1 if deviates.max() >= -deviates.min() else -1
    at = int((sign * deviates).argmax())
    corrected = special.log_ndtr(-sign * deviates[at]) + np.log(len(deviates))
    largest = -special.ndtri_exp(min(corrected, np.log(0.5)))
    i, j = list(found)[at]
    deviate = sign * float(max(largest, sign * deviates.mean()))
    own = replace(list(found.values())[at], deviate=deviate)
    extreme = f" (the most extreme of {len(found)} pairs of systems)" if len(found) > 1 else ""
    return own, f" between {systems[i]!r} and {systems[j]!r}{extreme}"


def sentences(table):
    """Return what was measured, for readers of a comparison.

    Returns list of str. `Measured.sentences`; empty for given p-values.
    """
    return [] if table.dependence is None else table.dependence.sentences


def identical(datasets):
    """Find datasets that have the same scores of both systems, item by item.

    `datasets`: sequence of instances.Dataset.

    Returns list of list of str. Names, two or more in each list, in the order of the datasets.
    Items are in the same order, or have the same identifiers. Scores that would be the same by
    chance, such as those of two datasets on which A is always right and B never, do not count
    (`CHANCE`).
    """
    alike = {}
    for dataset in datasets:
        a, b = dataset.a, dataset.b
        key = (a.shape, int((a > b).sum()), int((a < b).sum()))
        groups = alike.setdefault(key, [])
        group = next((group for group in groups if _same(group[0], dataset)), None)
        if group is None:
            groups.append([dataset])
        else:
            group.append(dataset)
    groups = [group for groups in alike.values() for group in groups if len(group) > 1]
    return [[dataset.name for dataset in group] for group in groups if not _by_chance(group[0])]


def near(datasets):
    """Find pairs of datasets that have the same scores of both systems on nearly all items.

    `datasets`: sequence of instances.Dataset.

    Returns list of (str, str, float, float). Two names, the share of items with the same scores in
    the same place, and the share that would agree by chance, from how often each pair of scores
    occurs. The excess is at least `NEAR` of what is left above chance, and has probability `CHANCE`
    at most. Items of two such datasets are as many and in the same order; items with the same
    identifiers in another order are measured by `between_datasets`. Identical datasets are left to
    `identical`. Very many datasets of one size (`MOST_COMPARED`) are not searched.
    """
    sizes = {}
    for dataset in datasets:
        sizes.setdefault(dataset.a.shape, []).append(dataset)
    found = []
    for shape, group in sizes.items():
        if len(group) < 2 or len(group) ** 2 * np.prod(shape) > MOST_COMPARED:
            continue
        sides = [np.stack([d.a for d in group]), np.stack([d.b for d in group])]
        for i, first in enumerate(group[:-1]):
            same = np.logical_and(*(side[i + 1 :] == side[i] for side in sides))
            agree = same.reshape(*same.shape[:2], -1).all(axis=2).mean(axis=1)
            for j in np.flatnonzero((agree >= NEAR) & (agree < 1)):
                chance = _agreement_by_chance(first, group[i + 1 + j])
                n, share = shape[0], float(agree[j])
                beyond = special.bdtrc(round(share * n) - 1, n, chance) <= CHANCE
                if beyond and share - chance >= NEAR * (1 - chance):
                    found.append((first.name, group[i + 1 + j].name, share, chance))
    return found


def within_units(datasets):
    """Measure how alike items of one unit are, for each column that is called as units are.

    `datasets` (sequence of instances.Dataset): with what their items belong to.

    Returns dict of str to measured.IntraclassCorrelation. By header; without those whose values do
    not repeat within datasets.
    """
    found = {}
    for header in dict.fromkeys(header for dataset in datasets for header in dataset.belongs):
        x, codes, places = [], [], []
        for place, dataset in enumerate(datasets):
            moves, of = influences(dataset), dataset.belongs.get(header)
            if moves is not None and of is not None:
                there = of >= 0
                x.append(moves[there])
                codes.append(of[there])
                places.append(np.full(there.sum(), place))
        if x:
            together = map(np.concatenate, (x, codes, places))
            found[header] = measured.intraclass_correlation(*together)
    return {header: value for header, value in found.items() if value is not None}


def between_datasets(drawn, shared=()):
    """Measure how the differences of items with the same identifier are correlated.

    `drawn` (sequence of instances.Dataset): scores of units. `shared` (True or dict of str to
    sequence of str): what datasets are declared to share; then identifiers match among these only.

    Returns list of str: names of the datasets that are compared. measured.MatchedCorrelation or
    None: none if no two of them have enough identifiers in common, or these are only places of
    rows.
    """
    homes = _homes([dataset.name for dataset in drawn], shared)
    moved = [(dataset, influences(dataset)) for dataset in drawn if dataset.name in homes]
    kept = [
        (dataset, moves)
        for dataset, moves in sorted(moved, key=lambda pair: pair[0].name)
        if moves is not None and (shared or not dataset.placed)
    ]
    names = [dataset.name for dataset, _ in kept]
    if len(kept) < 2:
        return names, None
    n = [len(moves) for _, moves in kept]
    codes = _codes([dataset.identifiers.cast(pa.string()) for dataset, _ in kept])
    codes = codes + (codes.max() + 1) * np.repeat([homes[name] for name in names], n)
    several = np.bincount(codes) > 1
    there = several[codes]
    if not there.any():
        return names, None
    rows = (np.cumsum(several) - 1)[codes[there]]
    columns = np.repeat(np.arange(len(kept)), n)[there]
    values = np.concatenate([moves for _, moves in kept])[there]
    return names, measured.matched_correlation(sparse.csr_array((values, (rows, columns))))


def influences(dataset):
    """Return how each item moves the difference of the scores, up to a constant and a factor.

    `dataset`: scores, or the sums of a metric.

    Returns ndarray of float64, shape (n,), or None. Differences of scores, less the difference of
    the dataset where items have sizes; of a metric that is no sum, influences by the jackknife, or
    None where these are undefined.
    """
    a, b = dataset.a, dataset.b
    if a.ndim == 1:
        return a - b
    if a.shape[1] == 2 and np.array_equal(a[:, 1], b[:, 1]):
        differences, sizes = a[:, 0] - b[:, 0], a[:, 1]
        return differences - differences.sum() / sizes.sum() * sizes
    found = paired.difference(dataset.a, dataset.b, metric=dataset.metric).influences
    return found if np.isfinite(found).all() else None


def _homes(names, shared):
    """Return the number of what each dataset shares; without those that share nothing."""
    if isinstance(shared, dict) and shared:
        return {name: home for home, members in enumerate(shared.values()) for name in members}
    return dict.fromkeys(names, 0)


def _codes(identifiers):
    """Number the identifiers of all datasets, equal ones alike."""
    first = identifiers[0]
    if all(map(first.equals, identifiers)):
        return np.tile(np.arange(len(first)), len(identifiers))
    return encoded(pa.chunked_array(identifiers))[0].astype(np.int64)


def _same(first, second):
    """Tell whether two datasets of one size have the same scores of both systems."""
    pairs = [(first.a, second.a), (first.b, second.b)]
    if all(np.array_equal(one, other) for one, other in pairs):
        return True
    if not all(np.allclose(one.sum(axis=0), other.sum(axis=0)) for one, other in pairs):
        return False
    places = pc.index_in(second.identifiers, first.identifiers)
    if places.null_count:
        return False
    order = places.to_numpy()
    return all(np.array_equal(one[order], other) for one, other in pairs)


def _by_chance(dataset):
    """Tell whether independent draws of its items would give the same scores more than rarely."""
    items = np.column_stack([dataset.a, dataset.b])
    _, counts = np.unique(items, axis=0, return_counts=True)
    return -(counts * np.log(counts / len(items))).sum() < -np.log(CHANCE)


def _agreement_by_chance(one, other):
    """Return the share of items on which two datasets would agree if they were drawn apart."""
    n = len(one.a)
    items = np.concatenate([np.column_stack([d.a, d.b]) for d in (one, other)])
    codes = np.unique(items, axis=0, return_inverse=True)[1].ravel()
    first, second = (
        np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:])
    )
    return float(first @ second) / n**2


def _of_near(comparison, pairs, of="both systems"):
    """Say which datasets are nearly one; refuse them as independent ones."""
    said = []
    for *names, share, chance in pairs:
        what = (
            f"{_listed(names)} have the same scores for {of} on {_percent(share)} of their "
            f"items ({_percent(chance)} expected by chance): they are nearly the same dataset"
        )
        if comparison.dependence == "independent":
            raise checks.InputError(
                f"{what}, but the datasets are declared independent; leave out one of them, or "
                f"declare {checks.given('dependence', repr('dependent'))}."
            )
        said.append(f"{what}, but are counted as two datasets.")
    return said


def _percent(share):
    return f"{100 * share:.0f}%"


def _of_identical(comparison, same, of="both systems"):
    """Say which datasets are one; refuse them as independent ones."""
    said = []
    for names in same:
        what = (
            f"{_listed(names)} have the same scores for {of} on every item: they are one dataset "
            f"under {len(names)} names"
        )
        if comparison.dependence == "independent":
            raise checks.InputError(
                f"{what}, but the datasets are declared independent; leave out all but one of them,"
                f" or declare {checks.given('dependence', repr('dependent'))}."
            )
        said.append(f"{what}, but are counted as {len(names)} datasets.")
    return said


def _of_units(comparison, found, of=""):
    """Say in which units items are alike; refuse them unless items are declared to be the units."""
    against = [header for header, value in found.items() if value.deviate > LIMIT]
    said = []
    for header in sorted(against, key=lambda header: -found[header].design_effect):
        value = found[header]
        what = (
            f"items with the same {header!r} have similar differences{of} (intraclass correlation "
            f"{_rounded(value.correlation)}, standard error {_rounded(value.standard_error)} under "
            f"independence; design effect {value.design_effect:.1f})"
        )
        if not comparison.unit_declared:
            raise checks.InputError(
                f"No unit is declared, but {what}; declare {checks.given('unit', repr(header))}, "
                f"or {checks.given('unit', repr('instance'))} if items were drawn individually "
                f"rather than by {header!r}."
            )
        said.append(f"The unit is declared to be the item, but {what}.")
    return said


def _of_matched(comparison, drawn, names, found, of=""):
    """Say how correlated matched differences are; refuse what is declared independent and is not.

    Numbers from 0 or 1 to n may be places as well as identifiers: nothing is said of them unless
    the average tells that they match.
    """
    numbered = all(map(_is_numbered, drawn))
    against = max(found.deviate, 0 if numbered else found.largest.deviate) > LIMIT
    what = _correlated(comparison, drawn, names, found, of)
    if comparison.shared:
        return [f"{what}; {USED}."]
    if comparison.dependence == "independent" and against:
        raise checks.InputError(
            f"The datasets are declared independent, but {what}; declare the shared items with "
            f"{checks.given('shared', 'True')}, declare the datasets dependent with "
            f"{checks.given('dependence', repr('dependent'))}, or give different items different "
            "identifiers."
        )
    if comparison.dependence == "positive" and found.deviate < -LIMIT:
        return [f"The dependence is declared positive, but {what}; declare the datasets dependent."]
    told = against or found.deviate < -LIMIT
    if not told and (numbered or comparison.dependence == "independent"):
        return []
    return [
        f"{what}. If these are the same items, declare them as shared, and joint sign flips will "
        "account for this dependence."
    ]


def _correlated(comparison, drawn, names, found, whose):
    """Say how many items match, and how their differences are correlated."""
    items = "items" if comparison.unit == INSTANCE else "units"
    both = [dataset.name for dataset in drawn if dataset.name in names]
    where = _listed(both) if len(both) <= MOST_NAMES else f"several of the {len(both)} datasets"
    error, pair, largest = _rounded(found.standard_error), found.largest, ""
    if found.n_pairs > 1 and pair.deviate > LIMIT:
        of = _listed([names[place] for place in pair.datasets])
        largest = f"; largest correlation {_rounded(pair.correlation)}, for {of}"
    average = " on average" * (found.n_pairs > 1)
    return (
        f"{found.n_items:,} {items} have the same identifier in {where}, and their "
        f"differences{whose} have a correlation of {_rounded(found.correlation)}{average} "
        f"(standard error {error} under independence{largest})"
    )


def _rounded(value):
    return rounded(value, DECIMALS)


def _is_numbered(dataset):
    """Tell whether identifiers are the numbers from 0 or 1 on, which places of rows may be, too."""
    try:
        numbers = dataset.identifiers.cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        return False
    return numbers.min() in (0, 1) and numbers.max() - numbers.min() == len(numbers) - 1


def _listed(names):
    """Quote names, the first ones of many."""
    quoted = [repr(name) for name in names]
    if len(quoted) > MOST_NAMES:
        quoted = [*quoted[: MOST_NAMES - 1], f"{len(quoted) - MOST_NAMES + 1} more"]
    return checks.enumerated(quoted)
