"""Instances of three or more systems, from a table or from files of any format."""

import dataclasses

import numpy as np
import pyarrow as pa

from replicability import checks
from replicability.checks import InputError
from replicability.io import formats, instances, matching, missing, trials
from replicability.io.instances import Several
from replicability.io.study import Comparison


def read(family):
    """Read the items of a family, matched by identifier.

    `family` (study.Family): its file is a table with a row for each item and system, for each item
    with a column of scores for each system, or for each system; or its files are of any other
    format, one file or folder for each system.

    Returns list of str: the s systems: those that are named, or all. list of instances.Several: the
    datasets, in the order in which `formats.read` gives them; of successes in trials as
    `trials.read_family`.

    Raises `InputError`: as `formats.read`, if there are fewer than three systems, or the one that
    the others are compared with is not among them.

    Notes
    -----
    Files are read two by two, each system beside the first, so that what a format checks of two
    systems holds for all.
    """
    if family.level == "counts":
        systems, datasets = trials.read_family(family)
        _check(family, systems)
    elif family.format != "table":
        systems = list(family.systems) or [name for name in family.files if name != "gold"]
        _check(family, systems)
        datasets = _beside_the_first(family, systems)
    else:
        systems, datasets = instances.read_family(family)
        _check(family, systems)
    pa.default_memory_pool().release_unused()  # of reading, before flips take theirs
    return systems, datasets


def _check(family, systems):
    """Refuse fewer than three systems, and one to compare with or ask first that is not there."""
    if len(systems) < 3:
        raise InputError(
            f"{family.source}: the family {family.name!r} has {len(systems)} "
            f"system{'s' * (len(systems) != 1)} ({', '.join(systems)}), but needs three or more; "
            "to compare two systems, declare a comparison."
        )
    if family.against:
        checks.choice(f"{family.source}: against", family.against, systems)
    if family.against and family.ask_first:
        raise InputError(
            f"{family.source}: {checks.named('ask_first')} applies to the comparison of all "
            f"pairs, but the systems are compared only with {family.against}; leave "
            f"{checks.named('ask_first')} or {checks.named('against')} out."
        )
    for name, chosen in family.ask_first.items():
        for system in [chosen] if isinstance(chosen, str) else chosen:
            checks.choice(f"{family.source}: {name}", system, systems)


def _beside_the_first(family, systems):
    """Read each other system beside the first, and put all beside each other."""
    first, *others = systems
    pairs = [formats.read(_pair(family, first, other)) for other in others]
    names = [[dataset.name for dataset in read] for read in pairs]
    for other, found in zip(others, names, strict=True):
        if found != names[0]:
            lacking = sorted(set(names[0]) ^ set(found))
            raise InputError(
                f"{family.source}: the dataset {lacking[0]!r} is missing for {others[0]} or for "
                f"{other}; score all systems on the same datasets."
            )
    datasets = [_together(family, systems, parts) for parts in zip(*pairs, strict=True)]
    return datasets


def _pair(family, first, other):
    """Declare the comparison of two systems of a family."""
    fields = {field.name: getattr(family, field.name) for field in dataclasses.fields(Comparison)}
    files = {side: family.files[name] for side, name in (("a", first), ("b", other))}
    if "gold" in family.files:
        files["gold"] = family.files["gold"]
    fields |= {"systems": (first, other), "files": files, "title": f"{first}-{other}"}
    return Comparison(**fields)


def _together(family, systems, parts):
    """Put the scores of all systems on one dataset beside each other."""
    parts, lacked = _without_missing(family, parts)
    first = parts[0]
    sides = [first.a]
    for system, part in zip(systems[1:], parts, strict=True):
        who = ((systems[0], "", first.identifiers), (system, "", part.identifiers))
        _, order = matching.match(first.name, who)
        sides.append(part.b[order])
    if len({side.ndim for side in sides}) > 1:
        sides = [s if s.ndim == 2 else np.column_stack([s, np.ones(len(s))]) for s in sides]
    scores, size = np.stack(sides), None
    gaps = [part.gaps or (None, None) for part in parts]
    gaps = (gaps[0][0], *(second for _, second in gaps))
    common = scores.ndim == 3 and scores.shape[2] == 2
    if common and (scores[..., 1] == scores[0, :, 1]).all():
        scores, size = scores[..., 0], scores[0, :, 1]
    return Several(
        first.name,
        scores,
        size,
        all(part.runs is not None and part.runs.whole for part in parts),
        gaps=gaps if any(gaps) else (),
        runs=_runs(parts),
        identifiers=pa.array(first.identifiers),
        metric=first.metric,
        placed=first.placed,
        belongs=first.belongs,
        missing=lacked,
    )


def _runs(parts):
    """Return the score in each run of each system, the first one first; () without runs."""
    if any(part.runs is None for part in parts):
        return ()
    return parts[0].runs.a, *(part.runs.b for part in parts)


def _without_missing(family, parts):
    """Give all pairs of a dataset the same items: pairs, and what each system lacks."""
    if not any(part.missing for part in parts):
        return parts, ()
    gaps = [tuple(map(set, part.missing or ((), ()))) for part in parts]
    of_first = set().union(*(gap[0] for gap in gaps))
    lacked = [of_first, *(gap[1] | (of_first - gap[0]) for gap in gaps)]
    items = [part.identifiers.to_pylist() for part in parts]
    places = [{name: row for row, name in enumerate(own)} for own in items]
    names = list(dict.fromkeys(name for own in items for name in own))
    if family.missing == missing.DROP:
        names = [name for name in names if all(name in place for place in places)]
        known = set().union(*lacked, names)
        missing.refuse(family, parts[0].name, known, lacked)
    every = {
        name: part.a[row]
        for part, place in zip(parts, places, strict=True)
        for name, row in place.items()
    }
    scores = []
    for part, place in zip(parts, places, strict=True):
        b = [part.b[place[name]] if name in place else every[name] for name in names]
        scores.append(np.array(b))
    a = np.array([every[name] for name in names])
    blank = np.array([[name in own for name in names] for own in lacked])
    size = a[:, 1] if a.ndim == 2 else None
    read = np.stack([side if size is None else side[:, 0] for side in (a, *scores)])
    read = missing.filled(family, read, blank, size)
    if size is not None:
        read = [np.column_stack([side, size]) for side in read]
    identifiers = pa.array(names, pa.string())
    found = [
        dataclasses.replace(part, identifiers=identifiers, a=read[0], b=side, missing=())
        for part, side in zip(parts, read[1:], strict=True)
    ]
    return found, tuple(tuple(sorted(own)) for own in lacked)
