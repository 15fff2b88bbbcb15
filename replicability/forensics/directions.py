"""Whether printed scores and p-values point the same way."""

from dataclasses import replace

import numpy as np

from replicability import checks
from replicability.forensics.claims import (
    CONTRADICTED,
    DIRECTION,
    REPRODUCED,
    UNCHECKED,
    Claim,
    compared,
    judge,
    reread,
)
from replicability.forensics.printed import finest_digit, printed_column, printed_interval
from replicability.stats import paired

TESTS_OF_SCORES = tuple(name for name, test in paired.TESTS.items() if test.signed)
"""Tests of one dataset that compare the scores themselves, so that the sign of their difference
decides on which side of 1/2 a one-sided p-value lies. Tests of ranks and signs do not."""


def direction(claim, score_a, score_b, systems, test=None, digit=None):
    """Judge "A is better than B" by the sign of the printed scores.

    Parameters
    ----------
    claim : Claim
        That A is better; `published` is the small p-value.
    score_a, score_b : str
        Scores as printed; higher is better.
    systems : tuple of str
        Names of A and B.
    test : str, optional
        The test that gave the p-value, one of `paired.TESTS`.
    digit : float, optional
        Unit of the last digit of the scores, if the texts do not show it (dropped zeros).

    Returns
    -------
    Verdict
        Reproduced if A scores higher, contradicted if B does or they tie, within rounding if the
        scores tie as printed but need not before rounding. Where A does not score higher, the
        sentence says whether the p-value can be one-sided for A all the same: by one of
        `TESTS_OF_SCORES` it cannot be small, by a test of ranks it can.
    """
    _test(test)
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    verdict = judge(
        claim,
        _lead(a, b, systems),
        compared(a.value > b.value, a.value == b.value and a.high > b.low),
        _scored(score_a, score_b, systems),
        DIRECTION,
    )
    if verdict.verdict != CONTRADICTED or not printed_interval(claim.published).value <= 0.5:
        return verdict
    if test in TESTS_OF_SCORES:
        sentence = f"A one-sided p-value for {systems[0]} lies above 1/2 there."
    elif test:
        sentence = (
            f"A one-sided p-value by {paired.TESTS[test].title}, which compares ranks or signs and "
            "no mean, can be small all the same: the p-value itself is not contradicted."
        )
    else:
        sentence = ""
    verdict = replace(verdict, sentence=f"{verdict.sentence} {sentence}".rstrip())
    return reread(verdict, f"the p-value speaks for {systems[1]}, the system ahead.")


def side(claim, score_a, score_b, systems, test, digit=None):
    """Judge whether a p-value lies on the side of 1/2 that a one-sided one must lie on.

    Parameters
    ----------
    claim : Claim
        That the p-value is one-sided for "A is better".
    score_a, score_b, systems, digit
        As for `direction`.
    test : str
        The test that gave the p-value, one of `paired.TESTS`.

    Returns
    -------
    Verdict
        By one of `TESTS_OF_SCORES`: reproduced if it lies below 1/2 where A scores higher and above
        where B does, contradicted on the other side, within rounding if the rounding of the p-value
        or of the scores leaves both open. By another test it cannot be checked.
    """
    _test(test)
    printed = printed_interval(claim.published)
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    sentence = _scored(score_a, score_b, systems)
    if test not in TESTS_OF_SCORES:
        verdict = UNCHECKED
        sentence += (
            f" The test {test} compares ranks or signs, whose lead need not be that of scores."
        )
    else:
        wanted = {1: "below", -1: "above", 0: "near"}[int(np.sign(a.value - b.value))]
        sentence += f" A one-sided p-value for {systems[0]} lies {wanted} 1/2."
        below = a.value >= b.value and printed.value <= 0.5
        above = a.value <= b.value and printed.value >= 0.5
        ties = a.low < b.high and b.low < a.high
        verdict = compared(below or above, ties or printed.low <= 0.5 <= printed.high)
    return judge(claim, _lead(a, b, systems), verdict, sentence, DIRECTION)


def direction_column(paper, item, datasets, texts, scores_a, scores_b, systems, alpha, test=None):
    """Judge the direction of every p-value of a column, each once.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and scores as printed; scores have the digits of the longest, with zeros
        dropped.
    systems : tuple of str
        Names of A and B; small p-values are read as "A is better".
    alpha : float
        Level of significance, in (0, 1).
    test : str, optional
        The test that gave the p-values, one of `paired.TESTS`.

    Returns
    -------
    list of Verdict
        One per p-value: at or below alpha that A is better (`direction`), above it that the
        p-value is one-sided (`side`), which needs the name of the test; without it, none.
    """
    a, b = systems
    checks.alpha(alpha)
    digit = finest_digit([*scores_a, *scores_b])
    verdicts = []
    for dataset, text, *scores in zip(datasets, texts, scores_a, scores_b, strict=True):
        if printed_interval(text).value <= alpha:
            name = f"{a} better than {b} on {dataset} (p <= {alpha:g})"
            verdicts.append(
                direction(Claim(paper, item, name, text), *scores, systems, test, digit)
            )
        elif test is not None:
            name = f"one-sided p-value of {a} against {b} on {dataset}"
            verdicts.append(side(Claim(paper, item, name, text), *scores, systems, test, digit))
    return verdicts


def one_sided(claim, texts, scores_a, scores_b, systems, test):
    """Judge whether p-values can be those of the one-sided hypotheses "A is not better than B".

    Parameters
    ----------
    claim : Claim
        That the hypotheses are one-sided.
    texts, scores_a, scores_b : sequence of str
        p-values and scores as printed, one per dataset.
    systems : tuple of str
        Names of A and B.
    test : str
        The test that gave the p-values, one of `paired.TESTS`.

    Returns
    -------
    Verdict
        By one of `TESTS_OF_SCORES` a one-sided p-value is below 1/2 exactly where A is ahead:
        contradicted if some is not. By another test it cannot be checked if some is not. The
        sentence says whether all p-values fit the smaller one-sided one (all at most 1/2) or a
        two-sided one (some above 1/2).

    Notes
    -----
    It sums up what `direction_column` says of each p-value: count one of both, not both. The scores
    are taken as printed; skewed samples may differ in sign where the scores nearly tie.
    """
    _test(test)
    p = np.array([interval.value for interval in printed_column(texts)])
    difference = np.array(
        [
            printed_interval(x).value - printed_interval(y).value
            for x, y in zip(scores_a, scores_b, strict=True)
        ]
    )
    wrong = ((p < 0.5) & (difference < 0)) | ((p > 0.5) & (difference > 0))
    behind, small = difference < 0, p <= 0.5
    unfit, law = UNCHECKED, f"but the test {test} compares ranks or signs and no mean"
    if test in TESTS_OF_SCORES:
        unfit, law = CONTRADICTED, "where a one-sided p-value lies above 1/2"
    verdict = judge(
        claim,
        f"{np.count_nonzero(wrong)} of {len(p)} on the other side of 1/2",
        unfit if wrong.any() else REPRODUCED,
        f"{systems[0]} is behind on {behind.sum()} of {len(p)} datasets, {law}; printed below 1/2 "
        f"are {np.count_nonzero(behind & small)} of these.",
        DIRECTION,
    )
    if not wrong.any():
        return verdict
    if small.all():
        reading = (
            "no p-value exceeds 1/2, which fits the smaller of both one-sided p-values, and "
            "two-sided ones as well."
        )
    else:
        reading = (
            f"two-sided p-values, of which {np.count_nonzero(~small)} may well be above 1/2 "
            "whichever system is ahead."
        )
    return reread(verdict, reading)


def _test(name):
    """Check the name of a test."""
    if name is not None:
        checks.choice("test", name, paired.TESTS)


def _lead(a, b, systems):
    """Say which of two scores is ahead, and by how much."""
    ahead = systems[0] if a.value > b.value else systems[1]
    gap = abs(a.value - b.value)
    return f"{ahead} ahead by {gap:.6g}" if gap else "tie"


def _scored(score_a, score_b, systems):
    """Say which of two printed scores is ahead, as a sentence."""
    a, b = printed_interval(score_a).value, printed_interval(score_b).value
    if a == b:
        return f"Both score {score_a}."
    ahead = systems[0] if a > b else systems[1]
    return f"{systems[0]} scores {score_a} and {systems[1]} {score_b}: {ahead} is ahead."
