"""What is found of all pairs of several systems, in English."""

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.findings.wording import MOST_NAMES, plural

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
    found = pairs.layers(alpha)
    said = (decided(pairs, alpha), *_identical(pairs), *_ties(pairs, alpha), *_order(pairs, found))
    return list(said)


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
    """Say how many pairs of systems are told apart, and how many neighbours among them.

    Parameters
    ----------
    counted : DataFrame of int, shape (s, s)
        On how many datasets the system of the row is better than that of the column, as
        `all_pairs.Pairs.counts` of a family whose pairs were all compared, in the order in which
        the systems stand.

    Returns
    -------
    str
        Such as "152 of 153 pairs of systems are told apart on some dataset, 17 of 17 neighbours".
    """
    better = counted.to_numpy() > 0
    told = better | better.T
    size = len(told)
    return (
        f"{told.sum() // 2:,} of {plural(size * (size - 1) // 2, 'pair')} of systems "
        f"{'is' if size == 2 else 'are'} told apart on some dataset, "
        f"{told.diagonal(1).sum()} of {plural(size - 1, 'neighbour')}"
    )


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
