"""What is found of all pairs of several systems, in English."""

import numpy as np

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.findings.counted import how_pairs_are_counted
from replicability.core.findings.wording import MOST_NAMES, capital, plural
from replicability.stats import paired

MOST_SETS = 3
"""Sets of systems, or pairs, that a sentence lists; it counts the others."""


def sentences(pairs, alpha):
    """Say what holds of all pairs jointly, ready to paste.

    Parameters
    ----------
    pairs : all_pairs.Pairs
        p-values of all ordered pairs.
    alpha : float
        Joint level of all pairs and directions, in (0, 1).

    Returns
    -------
    list of str
        How many pairs are decided; which systems are identical, and which cannot be told apart; the
        order of the systems by who is shown better than whom.
    """
    said = [decided(pairs, alpha), *_identical(pairs)]
    if pairs.against:
        return [*said, *_against(pairs, alpha)]
    return [*said, *_ties(pairs, alpha), *_order(pairs, pairs.layers(alpha))]


def decided(pairs, alpha):
    """Say of how many pairs one system is shown better on at least one dataset.

    Parameters
    ----------
    pairs, alpha
        As for `sentences`.

    Returns
    -------
    str
        A sentence.
    """
    better = pairs.counts(alpha / pairs.n_pairs).to_numpy() > 0
    number, n = int((better | better.T).sum() // 2), len(pairs.datasets)
    where = f"at least one of {n:,} datasets" if n > 1 else "the only dataset"
    by = f"{procedure.TITLES[pairs.method]} in each pair, " if n > 1 else ""
    said = f"{number:,} are" if number > 1 else "1 is" if number else "none is"
    return (
        f"Of {plural(pairs.n_pairs // 2, 'pair')} of systems {said} decided on {where}, "
        f"jointly ({by}Bonferroni over all pairs and directions, {_confidence(alpha)} confidence)."
    )


def told_apart(counted):
    """Say how many pairs of systems differ on some dataset.

    Parameters
    ----------
    counted : DataFrame of int, shape (s, s)
        On how many datasets the system of the row is better than that of the column, as
        `all_pairs.Pairs.counts` of a family whose pairs were all compared.

    Returns
    -------
    str
        Such as "152 of 153 pairs of systems differ on some dataset".
    """
    better = counted.to_numpy() > 0
    differ, size = (better | better.T).sum() // 2, len(better)
    pairs = f"{differ:,} of {plural(size * (size - 1) // 2, 'pair')} of systems"
    return f"{pairs} {'differs' if size == 2 else 'differ'} on some dataset"


def how_to_read(pairs, alpha):
    """Say what an arrow of the diagram of layers means, and what is no statement.

    Parameters
    ----------
    pairs, alpha
        As for `sentences`.

    Returns
    -------
    str
        Sentences for beside the diagram.
    """
    found = pairs.layers(alpha)
    said = (
        "An arrow goes from a system to one than which it is shown better on at least one dataset, "
        "and which is shown better than it on none. All arrows hold together with "
        f"{_confidence(alpha)} confidence. To be on a layer is no statement of its own"
    )
    if not found.implied:
        return (
            f"{said}; what a path of several arrows joins is shown directly, too."
            if found.joined > len(found.arrows)
            else f"{said}."
        )
    return (
        f"{said}, nor is a path of several arrows: of {plural(found.joined, 'pair')} that a path "
        f"joins, {found.implied:,} {'is' if found.implied == 1 else 'are'} not shown directly."
    )


OF_SYSTEMS = "What is shown of each system, in the order of mean scores."
"""Caption of the table of systems."""

OF_ALL = (
    "All pairs of systems: pairs of which one is better somewhere, on at least half of the "
    "datasets, everywhere."
)
"""Caption of the table of several families."""


def how_to_count(pairs, alpha):
    """Say what the numbers of the table of systems count; arguments as for `sentences`."""
    n = len(pairs.datasets)
    if pairs.against:
        note = (
            f"At least so many of {n:,} datasets on which one is better or worse than "
            f"{pairs.against}"
        )
    else:
        where = f"at least one of {n:,} datasets" if n > 1 else "the only dataset"
        note = f"The numbers of other systems than which one is better or worse on {where}"
    return f"{note}, all pairs jointly with {_confidence(alpha)} confidence."


def of_matrix(alpha):
    """Return the caption of the matrix of counts, each by itself and jointly."""
    return (
        "On at least how many datasets the system of the row is better than that of the "
        f"column, at level {alpha:g} for each pair alone; in parentheses, at this level "
        "for all pairs together. Systems stand in the order of their mean score."
    )


def of_decided(n_pairs):
    """Return the caption of the table of how many pairs are decided at each level."""
    return (
        f"Of {n_pairs:,} pairs of systems those of which one is better somewhere, on half of the "
        "datasets or more, and everywhere; pairs taken one by one, and all jointly at alpha over "
        "the number of ordered pairs. Neighbours are next to each other in the order of mean "
        "scores; counted are those of which the upper one is better somewhere."
    )


def of_files(family, pairs, alpha):
    """Return the captions of the counts that a report writes, alone and jointly."""
    alone = (
        f"{family.title}: on how many of {len(pairs.datasets):,} datasets the system of the row is "
        f"better than that of the column, at least (k-hat, {procedure.TITLES[pairs.method]}, "
        f"alpha = {alpha:g}, each pair taken by itself)."
    )
    said = " ".join(sentences(pairs, alpha))
    return alone, f"{family.title}: the same counts, all of which hold jointly. {said}"


def what_was_asked(family, pairs):
    """Say which systems are compared on what, by which test, and how datasets are counted."""
    size = len(pairs.systems)
    whom = f"{pairs.against} against {size - 1} systems" if pairs.against else f"{size} systems"
    if pairs.test:
        test = paired.lookup(pairs.test).title
    else:
        from replicability.stats.unpaired import TITLE as test  # which no other family needs
    return (
        f"{capital(whom)} on {len(pairs.datasets)} datasets: {family.score}, {test}. "
        f"{how_pairs_are_counted(family, pairs)}"
    )


def title_of_counts(alpha, jointly):
    """Return the title of the figure of counts."""
    return f"Datasets on which A is better than B{', jointly' * jointly} (α = {alpha:g})"


def title_of_layers(alpha):
    """Return the title of the diagram of layers."""
    return f"Shown better on at least one dataset, jointly (α = {alpha:g})"


def how_to_read_counts(alpha):
    """Say how the figure of counts is read, for its caption."""
    return (
        "A row shows whom a system beats, a column by whom it is beaten. Each cell holds with "
        f"{_confidence(alpha)} confidence on its own; the table also counts what holds jointly."
    )


def counts_in_words(pairs, alpha):
    """Say what the figure of counts shows, for those who do not see it."""
    size, better = len(pairs.systems), pairs.counts(alpha).to_numpy() > 0
    return (
        f"Matrix of {size} by {size} systems in the order of their mean score. A cell has the "
        "number of datasets, at least, on which the system of the row is better than that of the "
        f"column; {np.triu(better, 1).sum()} cells above the diagonal and "
        f"{np.tril(better, -1).sum()} below it are not 0."
    )


def layers_in_words(pairs, alpha):
    """Say what the diagram of layers shows, for those who do not see it."""
    found = pairs.layers(alpha)
    return (
        f"Diagram of {len(found.rows)} layers of systems with {len(found.arrows)} arrows from "
        f"those that are shown better. {' '.join(sentences(pairs, alpha)[1:])}"
    )


def name(node, found):
    """Name a node of a diagram of layers.

    Parameters
    ----------
    node : tuple of str
        One of its `nodes`.
    found : layers.Layers
        The layers.

    Returns
    -------
    str
        Such as "A", "A = B" for identical systems, and "A, B, C (circle)".
    """
    return f"{', '.join(node)} (circle)" if node in found.circles else " = ".join(node)


def _confidence(alpha):
    return f"{round(100 * (1 - alpha), 9):g}%"


def _identical(pairs):
    for group in pairs.identical:
        yield f"{_listed(group)} have the same score on every instance, and count as one system."


def _against(pairs, alpha):
    """Say which systems are better or worse than the one that all are compared with."""
    base, n = pairs.against, len(pairs.datasets)
    better = pairs.counts(alpha / pairs.n_pairs).to_numpy() > 0
    place = pairs.systems.index(base)
    found = {(True, False): [], (False, True): [], (True, True): [], (False, False): []}
    for row, system in enumerate(pairs.systems):
        if row != place:
            found[bool(better[row, place]), bool(better[place, row])].append(system)
    where = f"on at least one of {n:,} datasets" if n > 1 else "on the only dataset"
    above, below, both, neither = found.values()
    if above:
        verb = "is" if len(above) == 1 else "are each"
        yield f"{_listed(above)} {verb} better than {base} {where}."
    if below:
        yield f"{base} is better than {'each of ' * (len(below) > 1)}{_listed(below)} {where}."
    if both:
        yield f"{_listed(both)}: better than {base} on one dataset, and worse on another."
    if neither:
        yield f"No significant difference from {base}: {_listed(neither)}."


def _ties(pairs, alpha):
    """Say which systems cannot be told apart, a sentence for each of the largest sets."""
    sets = pairs.ties(alpha)
    where = "on any dataset" if len(pairs.datasets) > 1 else "on the only dataset"
    for names in sets[:MOST_SETS]:
        yield f"{_listed(names, len(pairs.systems))} cannot be told apart {where}."
    left = len(sets) - MOST_SETS
    if left > 0:
        yield f"Nor can the systems of {left:,} more such set{'s' * (left > 1)}."


def _order(pairs, found):
    """Say who stands on which layer, and what is in the way of an order."""
    rows = [[name(node, found) for node in row] for row in found.rows]
    if rows and len(pairs.systems) <= MOST_NAMES:
        yield f"Layers, from the top: {'; '.join(map(', '.join, rows))}."
    elif rows:
        yield f"There are {len(rows)} layers, with {enumerated(rows[0])} at the top."
    for circle in found.circles:
        yield (
            f"{_listed(circle)} are on a circle: each is shown better than another of them, and "
            "none comes first."
        )
    contested = [f"{a} and {b}" for a, b in found.contested]
    if contested:
        more = [plural(len(contested) - MOST_SETS, "more pair")][: len(contested) > MOST_SETS]
        yield (
            f"{'; '.join([*contested[:MOST_SETS], *more])}: each of the two is shown better than "
            "the other, on different datasets."
        )


def _listed(names, everyone=0):
    """List systems; many are counted."""
    if len(names) > MOST_NAMES:
        return (
            f"All {len(names)} systems"
            if len(names) == everyone
            else (f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more systems")
        )
    return enumerated(names)
