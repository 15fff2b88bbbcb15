"""Conclusions about all pairs of several systems, in English."""

import numpy as np

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.findings.counted import how_pairs_are_counted
from replicability.core.findings.wording import MOST_NAMES, capital, on_any, plural
from replicability.stats import paired

MOST_SETS = 3
"""Maximum number of sets or pairs of systems that a sentence lists."""

TIERS = (
    "Each entry below tier 1 is significantly worse than an entry in the tier above on at least "
    "one dataset."
)
"""What a tier means."""


def sentences(pairs, alpha):
    """Write the simultaneous conclusions about all pairs, ready to paste.

    Parameters
    ----------
    pairs : all_pairs.Pairs
        p-values of all ordered pairs.
    alpha : float
        Joint level of all pairs and directions, in (0, 1).

    Returns
    -------
    list of str
        How many pairs differ; which systems are identical, and which do not differ significantly;
        the tiers of the systems.
    """
    said = [decided(pairs, alpha), *_tested_first(pairs, alpha), *_identical(pairs)]
    if pairs.against:
        return [*said, *_against(pairs, alpha)]
    if not pairs.passed(alpha).share:
        return said
    return [*said, *_ties(pairs, alpha), *_order(pairs, pairs.layers(alpha))]


def decided(pairs, alpha):
    """Say how many pairs differ significantly on at least one dataset.

    `pairs`, `alpha`: as for `sentences`.

    Returns str. A sentence.
    """
    by = f"{procedure.TITLES[pairs.method]} in each pair, " if len(pairs.datasets) > 1 else ""
    over = "Bonferroni"
    if pairs.by_flips:
        over = "Holm" if pairs.method == procedure.JOINT else "Westfall-Young"
    return (
        f"{differing(pairs, alpha)} ({by}{over} over all pairs and directions, simultaneous "
        f"{_confidence(alpha)} confidence)."
    )


def differing(pairs, alpha):
    """Say how many pairs differ significantly, without the procedure; arguments as `decided`."""
    better = pairs.joint_counts(alpha).to_numpy() > 0
    number, n = int((better | better.T).sum() // 2), len(pairs.datasets)
    where = f"at least one of {n:,} datasets" if n > 1 and number else on_any(n)
    many = f"{number:,}" if number else "None"
    return (
        f"{many} of {plural(pairs.n_pairs // 2, 'pair')} of systems differ{'s' * (number < 2)} "
        f"significantly {_for(pairs)}on {where}"
    )


def _for(pairs):
    """Say which runs a claim is about, if systems ran several times."""
    return f"for {pairs.scope} " if pairs.scope else ""


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
    """Say what an arrow of the diagram of tiers means.

    `pairs`, `alpha`: as for `sentences`.

    Returns str. Sentences for beside the diagram.
    """
    found = pairs.layers(alpha)
    if not found.legible:
        return (
            f"{TIERS} {no_arrows(found)}. The tier of a system is not itself a significant result."
        )
    said = (
        "An arrow points from a system to one that is significantly worse on at least one dataset "
        "and significantly better on none. All arrows have simultaneous "
        f"{_confidence(alpha)} confidence. The tier of a system is not itself a significant result"
    )
    if not found.implied:
        return (
            f"{said}. A path of several arrows also joins a system to one that is significantly "
            "worse on at least one dataset and significantly better on none."
            if found.joined > len(found.arrows)
            else f"{said}."
        )
    return (
        f"{said}. A path of several arrows is not a significant result either: for "
        f"{found.implied:,} of {plural(found.joined, 'pair')} joined by such a path, there is no "
        "direct evidence."
    )


def no_arrows(found):
    """Say that a diagram of tiers has too many arrows to draw."""
    return (
        f"The {len(found.arrows):,} arrows are too many to draw; the table of all counts lists "
        "every pair"
    )


OF_SYSTEMS = "Significant wins and losses of each system, ordered by mean score."
"""Caption of the table of systems."""

LETTERS = "Two systems share a letter unless they differ significantly on at least one dataset."
"""Meaning of the letters in the table of ranks."""


def no_letters(number):
    """Say that a table of ranks would have too many letters."""
    return (
        f"Letters are omitted, because there would be {number:,} groups of systems that do not "
        "differ significantly (in Python, family.ranks() lists them)."
    )


def of_ranks(pairs, alpha):
    """Return the caption of the table of ranks; arguments as for `sentences`."""
    n = len(pairs.datasets)
    where = f"more than half of the {n:,} datasets" if n > 1 else "the only dataset"
    return (
        f"Rank of each system, with simultaneous {_confidence(alpha)} confidence. The rank is one "
        f"more than the number of systems that are better on {where}."
    )


OF_ALL = (
    "Number of system pairs in which one system is significantly better on at least one, at least "
    "half, or all of the datasets."
)
"""Caption of the table that summarises several families."""


def how_to_read_forest(baseline, alpha):
    """Say how the forest of systems is read."""
    return (
        f"Mean difference over datasets between each system and {baseline}; values above 0 favour "
        f"the system. Intervals have simultaneous {_confidence(alpha)} confidence. A filled marker "
        "shows a system that is significantly better (blue) or worse (orange) on at least "
        "one dataset, or both (pink)."
    )


def how_to_count(pairs, alpha):
    """Say what the numbers of the table of systems count; arguments as for `sentences`."""
    n = len(pairs.datasets)
    if pairs.against:
        note = (
            f"Lower bounds on the number of datasets (of {n:,}) on which each system is better or "
            f"worse than {pairs.against}"
        )
    else:
        where = f"at least one of {n:,} datasets" if n > 1 else "the only dataset"
        note = f"Number of other systems that each system beats or loses to on {where}"
    return f"{note}, with simultaneous {_confidence(alpha)} confidence."


def of_matrix(alpha):
    """Return the caption of the matrix of counts, each by itself and jointly."""
    return (
        "Lower bound on the number of datasets on which the row's system is better than the "
        f"column's, at level {alpha:g} for each pair alone; in parentheses, for all pairs "
        "simultaneously. Systems are ordered by mean score."
    )


def of_decided(n_pairs):
    """Return the caption of the table of how many pairs differ at each level."""
    return (
        f"Number of system pairs (of {n_pairs:,}) in which one system is significantly better on "
        "at least one, at least half, or all of the datasets. The numbers are given for pairs "
        "tested alone and for all pairs with simultaneous confidence."
    )


def of_files(family, pairs, alpha):
    """Return the captions of the counts that a report writes, alone and jointly."""
    alone = (
        f"{family.title}: lower bounds on the number of datasets (of {len(pairs.datasets):,}) on "
        "which the row's system is better than the column's. Each pair is tested alone at alpha = "
        f"{alpha:g} ({procedure.TITLES[pairs.method]})."
    )
    said = " ".join(sentences(pairs, alpha))
    return alone, f"{family.title}: the same bounds, simultaneously for all pairs. {said}"


def what_was_asked(family, pairs):
    """Say which systems are compared on what, by which test, and how k-hat is computed."""
    size = len(pairs.systems)
    whom = f"{size} systems are compared in pairs"
    if pairs.against:
        whom = f"{pairs.against} is compared with {plural(size - 1, 'system')}"
    if pairs.test:
        test = paired.lookup(pairs.test).title
    elif pairs.ran:
        from replicability.stats.two_samples import TITLE as test  # which no other family needs
    else:
        from replicability.stats.unpaired import TITLE as test  # which no other family needs
    return (
        f"{capital(whom)} on {plural(len(pairs.datasets), 'dataset')} by {family.score}, with "
        f"{test}. "
        f"{how_pairs_are_counted(family, pairs)}"
    )


def title_of_counts(alpha, jointly):
    """Return the title of the figure of counts."""
    return f"Datasets on which A is better than B{', simultaneously' * jointly} (α = {alpha:g})"


def title_of_forest(baseline, alpha):
    """Return the title of the forest of systems."""
    return f"Mean difference from {baseline}, with simultaneous {_confidence(alpha)} intervals"


def title_of_layers(alpha):
    """Return the title of the diagram of tiers."""
    return f"Significantly better on at least one dataset, simultaneously (α = {alpha:g})"


def how_to_read_counts(alpha):
    """Say how the figure of counts is read, for its caption."""
    return (
        "Read along a row to see which systems a system beats, and down a column to see which "
        f"systems beat it. Each bound has {_confidence(alpha)} confidence for its pair alone; the "
        "table also gives bounds that are simultaneous for all pairs."
    )


def counts_in_words(pairs, alpha):
    """Write the alternative text of the figure of counts."""
    size, better = len(pairs.systems), pairs.counts(alpha).to_numpy() > 0
    return (
        f"Matrix of {size} by {size} systems, ordered by mean score. Each cell gives the lower "
        "bound on the number of datasets on which the row's system is better than the column's. "
        f"{np.triu(better, 1).sum()} cells above the diagonal and {np.tril(better, -1).sum()} "
        "cells below it are not 0."
    )


def layers_in_words(pairs, alpha):
    """Write the alternative text of the diagram of tiers."""
    found = pairs.layers(alpha)
    return (
        f"Diagram of {len(found.rows)} tiers of systems with {len(found.arrows)} arrows from "
        f"significantly better to worse systems. {' '.join(sentences(pairs, alpha)[1:])}"
    )


def name(node, found):
    """Name a node of a diagram of layers.

    `node` (tuple of str): one of its `nodes`. `found` (layers.Layers): the layers.

    Returns str. Such as "A", "A = B" for identical systems, and "A, B, C (cycle)".
    """
    return f"{', '.join(node)} (cycle)" if node in found.circles else " = ".join(node)


def _confidence(alpha):
    return f"{round(100 * (1 - alpha), 9):g}%"


def _identical(pairs):
    for group in pairs.identical:
        yield f"{_listed(group)} have the same score on every item and are treated as one system."


def _tested_first(pairs, alpha):
    """Say what families found that were tested before all pairs, and what they left."""
    if not pairs.first:
        return
    passed, n = pairs.passed(alpha), len(pairs.datasets)
    where = f"at least one of {n:,} datasets" if n > 1 else "the only dataset"
    for name, number, size in passed.steps:
        if name == "neighbours":
            who = f"in {number:,} of {plural(size, 'neighbouring pair')}, the higher-ranked system"
            than = ""
        else:
            who = pairs.first[name][0][0] if name == "leader" else "the higher-ranked system"
            than = f" than {number:,} of {plural(size, 'other system')}"
        yield f"Tested first: {who} is significantly better{than} on {where}."
    if passed.share:
        part = "the whole level" if passed.share == 1 else f"{passed.share} of the level"
        yield f"All pairs are then tested with {part} ({alpha * float(passed.share):.2g})."
    else:
        yield (
            "The pairs that were tested first used up the whole level, so the other pairs were "
            "not tested."
        )


def _against(pairs, alpha):
    """Say which systems are better or worse than the reference system."""
    base, n = pairs.against, len(pairs.datasets)
    counted = pairs.joint_counts(alpha)
    better, place = counted.to_numpy() > 0, pairs.systems.index(base)
    found = {(True, False): [], (False, True): [], (True, True): [], (False, False): []}
    for row, system in enumerate(pairs.systems):
        if row != place:
            found[bool(better[row, place]), bool(better[place, row])].append(system)
    where = f"on at least one of {n:,} datasets" if n > 1 else "on the only dataset"
    on_all = f"on {on_any(n)}"
    if n > 1 and len(pairs.systems) > 2:
        yield _in_numbers(pairs, counted.to_numpy()[:, place])
    above, below, both, neither = found.values()
    if above:
        verb = "is" if len(above) == 1 else "are each"
        yield f"{_listed(above)} {verb} significantly better than {base} {where}."
    if below:
        each = "each of " * (len(below) > 1)
        yield f"{base} is significantly better than {each}{_listed(below)} {where}."
    if both:
        verb = "is" if len(both) == 1 else "are each"
        yield (
            f"{_listed(both)} {verb} significantly better than {base} on at least one dataset and "
            "significantly worse on at least one other dataset."
        )
    if neither:
        verb = "does" if len(neither) == 1 else "do"
        yield f"{_listed(neither)} {verb} not differ significantly from {base} {on_all}."


def _in_numbers(pairs, better_on):
    """Say how many systems are better than the reference somewhere, and on half of the datasets."""
    n = len(pairs.datasets)
    some, half = (int((better_on >= least).sum()) for least in (1, (n + 1) // 2))
    many, verb = (f"{some:,}", "is" if some == 1 else "are") if some else ("None", "is")
    also = f", {f'and {half:,}' if half else 'but none'} on at least half of the datasets"
    return (
        f"{many} of {len(pairs.systems) - 1:,} systems {verb} significantly better than "
        f"{pairs.against} {_for(pairs)}on at least one of {n:,} datasets{also * (some > 0)}."
    )


def _ties(pairs, alpha):
    """Say which systems do not differ, a sentence for each of the largest sets.

    Sets too large to list often share most of their systems, so only the first is described.
    """
    sets = pairs.ties(alpha)
    shown = MOST_SETS if all(len(names) <= MOST_NAMES for names in sets[:1]) else 1
    where = "on any dataset" if len(pairs.datasets) > 1 else "on the only dataset"
    for names in sets[:shown]:
        if len(names) == len(pairs.systems) > MOST_NAMES:
            yield f"No two of the {len(names):,} systems differ significantly {where}."
        else:
            yield f"{_listed(names)} do not differ significantly {where}."
    left = len(sets) - shown
    if left > 0:
        yield f"Within {plural(left, 'more set')}, the systems do not differ significantly {where}."


def _order(pairs, found):
    """Say which system is in which tier, and what prevents an order."""
    rows = [[name(node, found) for node in row] for row in found.rows]
    if rows and len(pairs.systems) <= MOST_NAMES:
        tiers = (f"tier {place}: {', '.join(row)}" for place, row in enumerate(rows, 1))
        yield f"{capital('; '.join(tiers))}."
    elif rows:
        yield f"There are {len(rows)} tiers, with {enumerated(rows[0])} in the first."
    if rows:
        yield TIERS
    for circle in found.circles:
        yield (
            f"{_listed(circle)} form a cycle: each is significantly better than another system in "
            "the cycle, and none ranks first."
        )
    contested = [f"{a} and {b}" for a, b in found.contested]
    if contested:
        more = [plural(len(contested) - MOST_SETS, "more pair")][: len(contested) > MOST_SETS]
        pair = "this pair" if len(contested) == 1 else "these pairs"
        yield (
            f"In {pair}, each system is significantly better than the other on at least one "
            f"dataset: {'; '.join([*contested[:MOST_SETS], *more])}."
        )


def _listed(names):
    """List systems; of many, the first ones."""
    if len(names) > MOST_NAMES:
        more = plural(len(names) - MOST_NAMES, "more system")
        return f"{', '.join(names[:MOST_NAMES])} and {more}"
    return enumerated(names)
