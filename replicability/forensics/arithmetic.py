"""Numbers that follow from others, exactly or within Monte-Carlo error."""

import itertools
import math
from dataclasses import replace

import numpy as np
from scipy import integrate, special, stats

from replicability import checks
from replicability.core.numbers import rounded
from replicability.forensics.claims import (
    AGREES,
    CONTRADICTED,
    IMPOSSIBLE,
    NOTABLE,
    REPRODUCED,
    TRIVIAL,
    UNCHECKED,
    UNUSUAL,
    WITHIN_MONTE_CARLO_ERROR,
    Claim,
    compared,
    judge,
    reread,
    weigh_readings,
)
from replicability.forensics.printed import Interval, printed_interval
from replicability.stats import arguments


def monte_carlo(claim, probability, repetitions, *, standard_error=0.0, readings=None):
    """Judge a published Monte-Carlo estimate against the probability that it estimates.

    Parameters
    ----------
    claim : Claim
        The estimate.
    probability : float
        The probability, exact or simulated with many more repetitions, in [0, 1].
    repetitions : int
        Published number of repetitions.
    standard_error : float, default 0
        Standard error of `probability` if it was simulated.
    readings : dict of str to float, optional
        Other events -> their probabilities, to be tried where the estimate is far away.

    Returns
    -------
    Verdict
        Agrees if some count that rounds to the estimate is one of the central 99.9% of outcomes of
        a binomial count with the published number of repetitions, contradicted otherwise; the
        sentence says how many standard errors lie between. Where the estimate is contradicted, or
        is none of the central 99%, the sentence names which of `readings` fit.

    Raises
    ------
    InputError
        If the probability is not in [0, 1].
    """
    arguments.pvalues([probability])
    printed = printed_interval(claim.published)
    chance = _chance(printed, probability, repetitions)
    fits = chance >= UNUSUAL
    error = np.hypot(np.sqrt(probability * (1 - probability) / repetitions), standard_error)
    distance = (printed.value - probability) / error if error else 0.0
    basis = "exact" if standard_error == 0 else "simulated"
    verdict = judge(
        claim,
        f"{probability:.4f}",
        WITHIN_MONTE_CARLO_ERROR if fits else CONTRADICTED,
        f"The {basis} probability is {probability:.4f}; with {repetitions:,} repetitions, an "
        f"estimate has a standard error of {error:.4f}. The printed value is "
        f"{apart(distance, 'standard errors')}.",
    )
    if chance >= NOTABLE:
        return verdict
    found = {
        fit: [
            f"{event} has probability {other:.4f}"
            for event, other in (readings or {}).items()
            if (_chance(printed, other, repetitions) >= UNUSUAL) == fit
        ]
        for fit in (True, False)
    }
    if fits:
        sentence = (
            f"{verdict.sentence} An estimate at least this far off occurs with probability "
            f"{chance:.4f}."
        )
        if found[False]:
            sentence += f" {'; '.join(found[False])}, which does not fit the printed value."
        verdict = replace(verdict, sentence=sentence)
    return reread(
        verdict, f"{'; '.join(found[True])}, which fits the printed value." if found[True] else ""
    )


def simulated_table(paper, item, printed, rows, repetitions):
    """Judge the published probabilities of a simulation.

    Parameters
    ----------
    paper, item : str
        Where the probabilities stand.
    printed : DataFrame of str
        Columns ``example``, ``quantity`` (``P(k_<estimator> > k)``) and ``printed``; other
        quantities are passed over.
    rows : DataFrame
        As `simulation.overestimation` returns it.
    repetitions : int
        Published number of repetitions.

    Returns
    -------
    list of Verdict
        One per row, against the exact probability where there is one.
    """
    found = printed.set_index(["example", "quantity"])["printed"]
    verdicts = []
    for row in rows.itertuples():
        quantity = f"P(k_{row.estimator} > k)"
        known = not np.isnan(row.exact)
        claim = f"{row.example} datasets: {quantity}"
        verdicts.append(
            monte_carlo(
                Claim(paper, item, claim, found[row.example, quantity]),
                row.exact if known else row.large,
                repetitions,
                standard_error=0.0 if known else row.large_error,
                readings={f"P(k_{row.estimator} > k + 1)": row.large_above_one},
            )
        )
    return verdicts


def repeated_test(claim, pvalue, cutoff, draws):
    """Judge how often a test is significant if it is repeated on the same data.

    Parameters
    ----------
    claim : Claim
        The share of significant results.
    pvalue : str
        The p-value of these data as printed.
    cutoff : float
        Level of significance, in (0, 1).
    draws : int
        Number of repetitions.

    Returns
    -------
    Verdict
        Agrees if the share is that of an exact p-value, all or none, or
        that of a p-value that rounds to it. The p-value of a resampling test varies with its
        resamples, the printed one as well; any other share is contradicted if no number of them
        from 100 to 1,000,000 allows both it and the p-value among the central 99.9% of outcomes.
        Otherwise it cannot be checked, and the sentence gives the largest such number.
    """
    printed, p = printed_interval(claim.published), printed_interval(pvalue)
    low, exact, high = (float(end < cutoff) for end in (p.high, p.value, p.low))
    given = f"All {draws:,} repetitions use the same data, for which p = {pvalue}"
    if low in printed or high in printed:
        return judge(claim, f"{exact:.0%}", compared(exact in printed, True), f"{given}.")

    def possible(resamples):
        least, most = math.floor(p.low * resamples), math.ceil(p.high * resamples)
        truth = [
            special.betaincinv(max(least, 1e-9), resamples - least + 1, UNUSUAL / 2),
            special.betaincinv(most + 1, resamples - most, 1 - UNUSUAL / 2),
        ]
        below = math.ceil(cutoff * resamples * (1 - 1e-12)) - 1
        many, few = stats.binom.cdf(below, resamples, truth)
        nearest = min(max(printed.value, few), many)
        return _chance(printed, nearest, draws) >= UNUSUAL

    sizes = [first * 10**power for power in range(2, 6) for first in range(1, 10)] + [10**6]
    fits = [size for size in sizes if possible(size)]
    sentence = f"{given}. If p does not vary, {exact:.0%} of the repetitions are significant."
    if not fits:
        return judge(claim, f"{exact:.0%}", CONTRADICTED, sentence)
    return judge(
        claim,
        f"{exact:.0%} if p does not vary",
        UNCHECKED,
        f"{sentence} {claim.published} is possible if p varies around {cutoff:g}, which can happen "
        f"with up to {fits[-1]:,} resamples; the number of resamples is not printed.",
    )


def value(claim, recomputed, sentence, unit=None, *, trivial=False, printing=None):
    """Judge a published number against one that follows from it.

    Parameters
    ----------
    claim : Claim
        The number.
    recomputed : float or Interval
        What follows exactly, or the numbers that may follow before rounding.
    sentence : str
        The arithmetic.
    unit : float, optional
        Unit of the last printed digit, if the text does not show it ("roughly 80%").
    trivial : bool, default False
        Whether agreement says little: a number that is repeated, or rows that are counted.
    printing : {"rounded", "truncated", "either"}, optional
        How its digits were printed, if that is known.

    Returns
    -------
    Verdict
        Agrees if `recomputed`, or a number of its interval, rounds to the printed digits. It
        depends on the reading if the number would be right with its digits cut off. Otherwise it
        is contradicted.
    """
    if not isinstance(recomputed, Interval):
        recomputed = Interval(recomputed, recomputed, recomputed)
    text = f"{recomputed.value:.6g}"
    if recomputed.low < recomputed.high:
        text += f" ({recomputed.low:.6g} to {recomputed.high:.6g})"
    found = {}
    for mode in [printing] if printing else ["rounded", "truncated"]:
        printed = printed_interval(claim.published, unit, mode)
        overlap = recomputed.low <= printed.high and printed.low <= recomputed.high
        basis = compared(recomputed.value in printed, overlap)
        if trivial and basis != CONTRADICTED:
            basis = TRIVIAL
        found[mode] = judge(claim, text, basis, sentence)
    if printing:
        return found[printing]
    if found["rounded"].verdict == AGREES or found["truncated"].verdict != AGREES:
        return found["rounded"]
    return replace(
        weigh_readings({"rounded": found["rounded"], "cut off": found["truncated"]}),
        recomputed=text,
        sentence=f"{sentence} The number is right if it was truncated, but not if it was rounded.",
    )


OPERATIONS = {
    "difference": lambda a, b: a - b,
    "sum": lambda *a: math.fsum(a),
    "mean": lambda *a: math.fsum(a) / len(a),
    "ratio": lambda a, b: a / b,
    "share": lambda a, *rest: a / (a + math.fsum(rest)),
    "product": lambda a, b: a * b,
}
"""Arithmetic operations of `derived`."""


def derived(claim, operation, texts, *, exact=False, unit=None):
    """Judge a number that the text derives from printed ones.

    Parameters
    ----------
    claim : Claim
        The number.
    operation : {"difference", "sum", "mean", "ratio", "share", "product"}
        How it is derived.
    texts : sequence of str
        The numbers as printed.
    exact : bool, default False
        Whether they are exact as printed (counts), so that no rounding is propagated.
    unit : float, optional
        As in `value`.

    Returns
    -------
    Verdict
        As `value`; the numbers before rounding are tried at both of their ends.

    Raises
    ------
    InputError
        If the operation is unknown or a text is no number.
    """
    checks.choice("operation", operation, OPERATIONS)
    intervals = [printed_interval(text) for text in texts]
    apply = OPERATIONS[operation]
    centre = apply(*(interval.value for interval in intervals))
    if exact:
        found = centre
    else:
        ends = [
            apply(*corner)
            for corner in itertools.product(
                *((interval.low, interval.high) for interval in intervals)
            )
        ]
        found = Interval(min(ends), centre, max(ends))
    sentence = f"The {operation} of {', '.join(map(str, texts))} is {centre:.6g}."
    return value(claim, found, sentence, unit)


def at_least_one(level, n):
    """Return the probability that at least one of n independent true null hypotheses is rejected.

    Parameters
    ----------
    level : float
        Level of each test, in (0, 1).
    n : int
        Number of tests.

    Returns
    -------
    float
        :math:`1 - (1 - level)^n`.

    Examples
    --------
    >>> round(at_least_one(0.05, 2), 4)
    0.0975
    """
    return -math.expm1(n * math.log1p(-checks.alpha(level)))


def either_of_two(level, rho):
    r"""Return the probability that one of two correlated two-sided tests rejects a true null.

    Parameters
    ----------
    level : float
        Level of each test, in (0, 1).
    rho : float
        Correlation of both normal test statistics, in (-1, 1).

    Returns
    -------
    float
        :math:`P(|z_1| > c \text{ or } |z_2| > c)`: between `level` (rho near 1) and
        `at_least_one(level, 2)` (rho = 0).

    Examples
    --------
    >>> round(either_of_two(0.05, 0.0), 4), round(either_of_two(0.05, 0.99), 4)
    (0.0975, 0.0566)
    """
    critical = -special.ndtri(checks.alpha(level) / 2)
    if not -1 < rho < 1:
        raise checks.InputError(f"rho is {rho!r}, but it must be strictly between -1 and 1.")
    spread = math.sqrt(1 - rho**2)

    def inside(x):
        upper, lower = (critical - rho * x) / spread, (-critical - rho * x) / spread
        return stats.norm.pdf(x) * (special.ndtr(upper) - special.ndtr(lower))

    return 1 - integrate.quad(inside, -critical, critical, epsabs=1e-12)[0]


def signed_rank(claim, n):
    """Judge a p-value of Wilcoxon's signed-rank test over n datasets without ties.

    Parameters
    ----------
    claim : Claim
        The p-value.
    n : int
        Number of datasets, at most 25.

    Returns
    -------
    Verdict
        Agrees if a whole sum of ranks gives it two-sided by the normal approximation, with or
        without correction for continuity, or exactly; impossible if none does.
    """
    if not 1 <= n <= 25:
        raise checks.InputError(f"n is {n!r}, but this check supports 1 to 25 datasets.")
    sums = np.arange(n * (n + 1) // 2 + 1)
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.convolve(ways, np.concatenate([[1], np.zeros(rank - 1), [1]]))
    middle, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    exact = np.minimum(1, 2 * ways.cumsum() / 2**n)
    laws = {"by the normal approximation": 0.0, "with a correction for continuity": 0.5}
    pvalues = {
        law: np.minimum(1, 2 * special.ndtr((sums - middle + shift) / spread))
        for law, shift in laws.items()
    } | {"exactly": exact}
    printed = printed_interval(claim.published)
    for law, p in pvalues.items():
        for w in sums[sums <= middle]:
            if p[w] in printed:
                return judge(
                    claim,
                    f"{p[w]:.4f}",
                    REPRODUCED,
                    f"A rank sum of {w} over {n} datasets gives a p-value of {p[w]:.4f} {law} "
                    f"({exact[w]:.4f} exactly).",
                )
    every = np.concatenate(list(pvalues.values()))
    nearest = every[np.argmin(np.abs(every - printed.value))]
    return judge(
        claim,
        f"{nearest:.4f} at the nearest",
        IMPOSSIBLE,
        f"No rank sum over {n} datasets without ties gives this p-value; the nearest possible "
        f"p-value is {nearest:.4f}.",
    )


def extreme(printed, columns, which):
    """Return the smallest or largest p-value of every row: significant by some or by all tests.

    Parameters
    ----------
    printed : DataFrame of str
        Table of p-values.
    columns : sequence of str
        Its columns of p-values.
    which : {"smallest", "largest"}
        Which one.

    Returns
    -------
    list of str
        As printed, one per row.

    Examples
    --------
    >>> import pandas as pd
    >>> printed = pd.DataFrame({"a": ["0.2", "<0.001"], "b": ["0.03", "0.4"]})
    >>> extreme(printed, ["a", "b"], "smallest")
    ['0.03', '<0.001']
    """
    choose = {"smallest": min, "largest": max}[
        checks.choice("which", which, ("smallest", "largest"))
    ]
    for name in columns:
        checks.choice("column", name, printed.columns)
    rows = printed[list(columns)].itertuples(index=False, name=None)
    return [choose(row, key=lambda text: printed_interval(text).value) for row in rows]


def apart(distance, units):
    """Say how many units a printed value lies above or below what follows."""
    if rounded(abs(distance), 1) == "0.0":
        return f"less than 0.1 {units} from it"
    return f"{abs(distance):.1f} {units} {'above' if distance > 0 else 'below'} it"


def _chance(printed, probability, repetitions):
    """Return the probability of counts no likelier than the likeliest that rounds to a value."""
    low, high = math.ceil(printed.low * repetitions), math.floor(printed.high * repetitions)
    counts = {max(0, low), min(repetitions, high), round(printed.value * repetitions)}
    probability = min(max(probability, 0.0), 1.0)
    return max(
        stats.binomtest(k, repetitions, probability).pvalue for k in counts if 0 <= k <= repetitions
    )
