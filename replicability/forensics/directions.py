"""Whether printed scores and p-values point the same way."""

from dataclasses import replace

from replicability import checks
from replicability.core.findings.both_systems import SIDED, bound_systems
from replicability.forensics.claims import (
    AGREES,
    CONTRADICTED,
    DIRECTION,
    Claim,
    compared,
    judge,
    reread,
    weigh_readings,
)
from replicability.forensics.printed import finest_digit, printed_interval, printed_pvalues
from replicability.stats import paired

TESTS_OF_SCORES = tuple(name for name, test in paired.TESTS.items() if test.signed)
"""Tests that compare the scores themselves. The sign of the difference then determines whether a
one-sided p-value exceeds 1/2. This does not hold for tests of ranks and signs.
"""


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
        Agrees if A scores higher, or may do so before rounding. If B scores higher, or they tie, it
        is contradicted by one of `TESTS_OF_SCORES`. By a test of ranks or signs it depends on the
        reading: "better" may refer to the scores, or to the ranks or signs that the test compares.
        Without the name of a test the scores decide.
    """
    _test(test)
    a, b = printed_interval(score_a, digit), printed_interval(score_b, digit)
    lead, scored = _lead(a, b, systems), _scored(score_a, score_b, systems)
    basis = compared(a.value > b.value, a.value == b.value and a.high > b.low)
    verdict = judge(claim, lead, basis, scored, DIRECTION)
    if basis != CONTRADICTED or not printed_interval(claim.published).value <= 0.5:
        return verdict
    if test in TESTS_OF_SCORES:
        sentence = f"{scored} A one-sided p-value for {systems[0]} would exceed 1/2."
        return reread(
            replace(verdict, sentence=sentence),
            f"the p-value favours {systems[1]}, which is ahead.",
        )
    if test is None:
        return reread(verdict, f"the p-value favours {systems[1]}, which is ahead.")
    ranks = (
        f"{paired.TESTS[test].title} compares ranks or signs, not means, so a one-sided p-value "
        f"for {systems[0]} can still be small."
    )
    return weigh_readings(
        {
            "“better” means a higher score": verdict,
            "“better” means ahead in ranks or signs, by a one-sided test": judge(
                claim, lead, AGREES, ranks, DIRECTION
            ),
        }
    )


def direction_column(paper, item, datasets, texts, scores_a, scores_b, systems, alpha, test=None):
    """Judge the direction of every small p-value of a column.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and scores as printed; scores have the digits of the longest, with zeros
        dropped.
    systems : tuple of str
        Names of A and B; the paper reads small p-values as "A is better".
    alpha : float
        Level of significance, in (0, 1).
    test : str, optional
        The test that gave the p-values, one of `paired.TESTS`.

    Returns
    -------
    list of Verdict
        `direction` of each p-value at or below alpha. Those above it state nothing; whether they
        can be one-sided is a question to the column (`infer_side`).
    """
    a, b = systems
    checks.alpha(alpha)
    digit = finest_digit([*scores_a, *scores_b])
    return [
        direction(
            Claim(paper, item, f"{a} better than {b} on {dataset} (p <= {alpha:g})", text),
            *scores,
            systems,
            test,
            digit,
        )
        for dataset, text, *scores in zip(datasets, texts, scores_a, scores_b, strict=True)
        if printed_interval(text).value <= alpha
    ]


def bound_both(
    texts,
    scores_a,
    scores_b,
    systems,
    alpha=0.05,
    *,
    sided="unknown",
    dependence="dependent",
    printing="either",
):
    """Bound on how many datasets the systems differ, and on how many each is better.

    Parameters
    ----------
    texts, scores_a, scores_b : sequence of str
        p-values and scores as printed; higher is better.
    systems : tuple of str
        Names of A and B.
    alpha : float, default 0.05
        The three bounds of a reading hold together with confidence 1 - alpha.
    sided : {"unknown", "two", "leader", "one"}, default "unknown"
        Which system the p-values favour; if unknown, they are read as two-sided and as one-sided
        for the system that scores higher.
    dependence : {"independent", "positive", "dependent"}, default "dependent"
        How the datasets depend on each other.
    printing : {"rounded", "truncated", "either"}, default "either"
        How the p-values were printed; the largest that are printed so count.

    Returns
    -------
    BothSystems
        The bounds of each reading.

    Notes
    -----
    Valid as `replicability.stats.three_way.three_way`, if each p-value favours the system that
    scores higher. For a test of ranks or signs, this is an assumption.

    Examples
    --------
    >>> scores = ["0.9", "0.8", "0.7"], ["0.8", "0.9", "0.6"]
    >>> pvalues = ["0.001", "0.002", "0.02"]
    >>> print(bound_both(pvalues, *scores, ("A", "B"), printing="rounded"))
    ... # doctest: +NORMALIZE_WHITESPACE
    A and B differ on at least 2 of 3 datasets (3 if the p-values are two-sided); A is better on at
    least 1 (2) and B on at least 1 (1) (Holm's procedure in each direction; simultaneous 95%
    confidence).
    """
    checks.choice("sided", sided, SIDED)
    digit = finest_digit([*scores_a, *scores_b])
    ahead = [
        printed_interval(a, digit).value - printed_interval(b, digit).value
        for a, b in zip(scores_a, scores_b, strict=True)
    ]
    p = printed_pvalues(texts, printing)[1]
    return bound_systems(p, ahead, systems, alpha, sided=sided, dependence=dependence)


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
    return f"{systems[0]} scores {score_a} and {systems[1]} scores {score_b}; {ahead} is ahead."
