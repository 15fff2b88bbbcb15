"""Sentences that readers may write about a result although it does not support them."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from replicability.core.findings.wording import confidence, on_any, plural
from replicability.core.numbers import rounded

MOST = 3
"""Maximum number of misreadings shown for a result."""


@dataclass(frozen=True)
class Misreading:
    """A sentence that the result does not support, and the reason.

    Attributes
    ----------
    sentence : str
        What not to write.
    why : str
        What the data show instead.
    """

    sentence: str
    why: str


def misreadings(comparison, table, finding):
    """List the sentences not to write about a comparison, the most tempting one first.

    `finding` (Finding): what is found at the declared level.

    Returns list of Misreading. `MOST` of them at most: none is supported by the finding.
    """
    sides = [side for side in (finding, finding.other) if side is not None]
    sides.sort(key=lambda side: -_shown(side))
    makers = (_against_scores, _wrong_number, _accepted_null, _in_general, _ahead, _too_much)
    said = [make(comparison, table, finding, sides) for make in (*makers, _inverse)]
    return [misreading for misreading in said if misreading][:MOST]


def _shown(side):
    """Return on how many datasets the claim is shown, whoever the p-values are for."""
    if side.contradicted:
        return side.doubtful[2].weakest.a
    return max(side.k, int(side.identified.sum()))


def _claim(side):
    """Write the claim of a direction as readers do: "A is better than B"."""
    a, b = side.systems
    return side.claim.clause(a, b) if side.claim.kind != "better" else f"{a} is better than {b}"


def _p(value):
    return "p < 0.0001" if value < 1e-4 else f"p = {value:.2g}"


def _on(k, n):
    return f"on {k:,} of {plural(n, 'dataset')}" if k < n else f"on all {n:,} datasets"


def _lead(table, finding, side):
    """Return by how much the first system of a direction is ahead on each dataset, if known."""
    if "score_a" not in table:
        return None
    ahead = (table["score_a"] - table["score_b"]).to_numpy(float)
    return ahead if side.systems == finding.systems else -ahead


def _against_scores(_comparison, table, finding, _sides):
    """Refuse a name where the p-value is small and the other system scores higher."""
    if not finding.contradicted:
        return None
    lead = _lead(table, finding, finding)
    wrong = np.flatnonzero((finding.pvalues <= finding.alpha) & (lead < 0))
    place = wrong[finding.pvalues[wrong].argmin()]
    where, (_, b) = finding.datasets[place], finding.systems
    return Misreading(
        f"{_claim(finding)} on {where}.",
        f"The p-value is small ({_p(finding.pvalues[place])}), but {b} scores higher on {where}.",
    )


def _wrong_number(_comparison, table, finding, sides):
    """Refuse the number of small p-values, or of leads, where it is not what is shown."""
    n = len(finding.datasets)
    if n == 1:
        return None
    counts = [(side, _shown(side), (side.pvalues <= finding.alpha).sum()) for side in sides]
    for side, shown, small in counts:
        lead = _lead(table, finding, side)
        ahead = 0 if lead is None or side.claim.kind != "better" else (lead > 0).sum()
        for many, what in (
            (small, f"p-values at or below {finding.alpha:g}"),
            (ahead, f"datasets on which {side.systems[0]} has the better score"),
        ):
            if many > shown:
                corrected = f"the data support the claim on at least {plural(shown, 'dataset')}"
                if not shown:
                    corrected = f"there is no evidence that {_claim(side)} on {on_any(n)}"
                return Misreading(
                    f"{_claim(side)} {_on(many, n)}.",
                    f"The number of {what} is {many:,}, but some of these results may be due to "
                    f"chance. After correction, {corrected}.",
                )
    for side, shown, small in counts:
        if 0 < small < shown:
            return Misreading(
                f"{_claim(side)} on only {small:,} of {n:,} datasets.",
                f"A p-value above {finding.alpha:g} is not evidence against the claim. Taken "
                f"together, the data support the claim on at least {plural(shown, 'dataset')}.",
            )
    return None


def _accepted_null(_comparison, table, finding, sides):
    """Refuse to conclude equality from a p-value that is not significant."""
    small = np.any([side.identified | (side.pvalues <= finding.alpha) for side in sides], axis=0)
    open_ = np.flatnonzero(~small)
    if not len(open_):
        return None
    least = np.min([np.minimum(side.pvalues, 1 - side.pvalues) for side in sides], axis=0)
    place = open_[least[open_].argmax()]
    where, (a, b) = finding.datasets[place], finding.systems
    null = f"{a} and {b} are equal"
    if finding.claim.kind != "better":
        null = finding.claim.null(a, b)
    p = min(side.pvalues[place] for side in sides)
    why = f"{_p(p)}: a lack of evidence for a difference is not evidence that there is none."
    if finding.claim.kind != "better":
        why = f"{_p(p)}: a lack of evidence for the claim is not evidence against it."
    elif {"low", "high"} <= set(table):
        low, high = table[["low", "high"]].to_numpy(float)[place]
        if np.isfinite([low, high]).all() and low < high:
            digits = max(1 - math.floor(math.log10((high - low) / 2)), 0)
            ends = " to ".join(rounded(end, digits, plus="+", minus="−") for end in (low, high))
            why += f" The 95% interval of the difference is {ends}."
    return Misreading(f"{null} on {where}.", why)


def _in_general(comparison, _table, finding, sides):
    """Refuse to extend the finding to datasets that were not tested, or to equality."""
    n, (best, *_), (a, b) = len(finding.datasets), sides, finding.systems
    if comparison.over_datasets:  # the result has a statement on the population
        return None
    tested = f"Only {plural(n, 'dataset')} {'was' if n == 1 else 'were'} tested"
    if not finding.shows or not _shown(best):
        if finding.claim.kind != "better":
            return None
        return Misreading(
            f"{a} and {b} perform equally well.",
            f"{tested}, and finding no significant difference does not show that there is none.",
        )
    if len(sides) > 1 and _shown(sides[1]):
        other = sides[1]
        return Misreading(
            f"{_claim(best)} in general.",
            f"{_claim(other)} on at least {_shown(other):,} of these {n:,} datasets.",
        )
    return Misreading(
        f"{_claim(best)} in general.",
        f"{tested}. The result says nothing about any other dataset.",
    )


def _ahead(_comparison, table, finding, sides):
    """Refuse to name a dataset where a system is ahead that is not identified."""
    for side in sides:
        lead = _lead(table, finding, side)
        known = side.pvalues <= finding.alpha if lead is None else lead > 0
        open_ = np.flatnonzero(known & ~side.identified)
        if len(open_) == 0 or side.contradicted:
            continue
        place = open_[side.pvalues[open_].argmin()]
        p, n, where = side.pvalues[place], len(side.datasets), side.datasets[place]
        why = (
            f"The result on {where} is not significant after correction for {n:,} datasets "
            f"({_p(p)})."
        )
        if n == 1 or p > finding.alpha:
            why = f"The higher score on {where} may be due to chance ({_p(p)})."
        return Misreading(f"{_claim(side)} on {where}.", why)
    return None


def _too_much(_comparison, table, finding, sides):
    """Refuse to take a p-value for the size of a difference, or a claim for a larger one."""
    for side in sides:
        named = np.flatnonzero(side.identified)
        if not len(named) or side.contradicted:
            continue
        lead = _lead(table, finding, side)
        place = named[(side.pvalues if lead is None else np.abs(lead))[named].argmin()]
        where, (a, b), by = side.datasets[place], side.systems, side.claim.by
        sentence, why = {
            "better": (
                f"{_p(side.pvalues[place])} on {where}, so {a} is much better there.",
                "A p-value measures the evidence for a difference, not its size.",
            ),
            "better_by": (
                f"{a} is far better than {b} on {where}.",
                f"The result shows that the difference is more than {by}, but not how much more.",
            ),
            "not_worse": (
                f"{a} is at least as good as {b} on {where}.",
                f"The result only rules out that {a} is worse by more than {by}.",
            ),
            "equivalent": (
                f"{a} and {b} are equal on {where}.",
                f"The result shows that the difference is less than {by}, not that it is zero.",
            ),
        }[side.claim.kind]
        if lead is not None and side.claim.kind == "better":
            why += f" The scores differ by {abs(lead[place]):.3g}."
        return Misreading(sentence, why)
    return None


def _inverse(_comparison, _table, finding, sides):
    """Refuse to take confidence or a p-value for the probability of a hypothesis."""
    best, n = sides[0], len(finding.datasets)
    shown = _shown(best)
    if shown and not finding.contradicted and n > 1:
        sure = confidence(finding.alpha)
        return Misreading(
            f"The probability that {_claim(best)} on at least {shown:,} datasets is {sure}.",
            f"In the long run, statements made with {sure} confidence are right in at least {sure} "
            "of studies. This is not the probability that a given statement is true.",
        )
    null, p = best.claim.null(*best.systems), best.pvalues[0]
    return Misreading(
        f"The probability that {null} on {best.datasets[0]} is {p:.2g}.",
        "A p-value is the probability of data at least this extreme if the null hypothesis is "
        "true. It is not the probability that the hypothesis is true.",
    )


# --- all pairs of systems -----------------------------------------------------------------------


def of_family(pairs, alpha):
    """List the sentences not to write about all pairs of systems.

    `pairs` (all_pairs.Pairs): p-values of all ordered pairs. `alpha`: joint level of all pairs and
    directions, in (0, 1).

    Returns list of Misreading. `MOST` of them at most: none is supported by the joint counts.
    """
    counted = pairs.merged(pairs.joint_counts_of_compared(alpha))
    makers = (
        _best_system,
        _order_of_means,
        _pairs_alone,
        _equal_systems,
        _systems_in_general,
        _sure,
    )
    said = [make(pairs, counted, alpha) for make in makers]
    return [misreading for misreading in said if misreading][:MOST]


def _best_system(pairs, counted, _alpha):
    """Refuse to call the system with the best mean score the best one."""
    names, n = list(counted.index), len(pairs.datasets)
    first = names[0]
    beaten = counted.loc[first].drop(first).dropna()
    if first == pairs.against or not pairs.against:
        sentence = f"{first} is the best system"
    else:
        sentence = f"{first} is better than {beaten.index[0]}"
    unshown = list(beaten.index[beaten == 0])
    if unshown:
        word = "higher" if pairs.against else "the best"
        more = f" or {plural(len(unshown) - 1, 'other system')}" if len(unshown) > 1 else ""
        return Misreading(
            f"{sentence}.",
            f"The mean score of {first} is {word}, but there is no evidence that it is better than "
            f"{unshown[0]}{more} on {on_any(n)}.",
        )
    least = beaten.idxmin()
    if beaten[least] == n:
        return None
    return Misreading(
        f"{sentence} on all {n:,} datasets.",
        f"The data show only that {first} is better than {least} on at least "
        f"{plural(int(beaten[least]), 'dataset')}.",
    )


def _order_of_means(pairs, counted, _alpha):
    """Refuse to take the order of mean scores for a ranking."""
    names = list(counted.index)
    if pairs.against or len(names) < 3:
        return None
    open_ = sum(counted.loc[a, b] == 0 for a, b in itertools.pairwise(names))
    if not open_:
        return None
    return Misreading(
        f"The mean scores rank the systems from {names[0]} (best) to {names[-1]} (worst).",
        f"For {open_:,} of {plural(len(names) - 1, 'neighbouring pair')}, there is no evidence "
        "that the higher-ranked system is better on "
        f"{on_any(len(pairs.datasets))}.",
    )


def _pairs_alone(pairs, _counted, alpha):
    """Refuse to count the pairs that differ when each is tested alone."""
    alone, jointly = (
        int(((found > 0) | (found.T > 0)).sum() // 2)
        for found in (count(alpha).to_numpy() for count in (pairs.counts, pairs.joint_counts))
    )
    if alone <= jointly:
        return None
    total = pairs.n_pairs // 2
    differ = f"{plural(jointly, 'pair')} {'differs' if jointly == 1 else 'differ'}"
    if not jointly:
        differ = "there is no evidence that any pair differs"
    return Misreading(
        f"{alone:,} of {plural(total, 'pair')} of systems differ.",
        f"{plural(alone, 'pair')} {'differs' if alone == 1 else 'differ'} if each pair is tested "
        f"alone at alpha = {alpha:g}. With simultaneous confidence, {differ}.",
    )


def _equal_systems(pairs, counted, _alpha):
    """Refuse to call two systems equal that do not differ significantly."""
    names = list(counted.index)
    zero = (counted == 0).fillna(False).to_numpy(bool)
    places = np.argwhere(np.triu(zero & zero.T, 1))
    if not len(places):
        return None
    a, b = (names[place] for place in places[0])
    return Misreading(
        f"{a} and {b} are equally good.",
        f"Finding no significant difference on {on_any(len(pairs.datasets))} is not evidence that "
        "there is no difference.",
    )


def _systems_in_general(pairs, counted, _alpha):
    """Refuse to extend what is shown of two systems to datasets that were not tested."""
    n = len(pairs.datasets)
    tested = f"Only {plural(n, 'dataset')} {'was' if n == 1 else 'were'} tested"
    shown = counted.fillna(0).astype(int).stack()
    a, b = shown.idxmax()
    if not shown[a, b]:
        return Misreading(
            "All systems perform equally well.",
            f"{tested}, and finding no significant difference does not show that there is none.",
        )
    why = f"{tested}. The result says nothing about any other dataset."
    if counted.loc[b, a]:
        why = f"{b} is better than {a} on at least {counted.loc[b, a]:,} of these {n:,} datasets."
    return Misreading(f"{a} is better than {b} in general.", why)


def _sure(pairs, counted, alpha):
    """Refuse to take the confidence of a pair for a probability."""
    shown, sure = counted.fillna(0).astype(int).stack(), confidence(alpha)
    a, b = shown.idxmax()
    if not shown[a, b]:
        return None
    return Misreading(
        f"The probability that {a} is better than {b} is {sure}.",
        "In the long run, all statements about the "
        f"{plural(pairs.n_pairs // 2, 'pair')} are right in at least {sure} of studies. This is "
        "not the probability that a given statement is true.",
    )
