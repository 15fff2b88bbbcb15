"""Design: what a suite of datasets can show, before anything is run.

The plan is for the procedure that a comparison runs: the same local test, at the same level in each
direction, on p-values of the law of the test of each dataset.
"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core.pilot import observed, resized, seen
from replicability.core.suite import (
    ALTERNATIVES,
    N_FAMILIES,
    Suite,
    as_compared,
    claiming,
    numbers,
    suite,
)
from replicability.stats import power_of_counts

__all__ = [
    "ALTERNATIVES",
    "FACTORS",
    "GAINS",
    "GAINS_IN_SD",
    "N_FAMILIES",
    "POWER",
    "Suite",
    "as_compared",
    "asked_gains",
    "by_runs",
    "claiming",
    "gains_of",
    "least_gains",
    "middle",
    "observed",
    "points",
    "printed",
    "resized",
    "runs_of",
    "searched",
    "seen",
    "sizes_of",
    "small_sets",
    "suite",
    "table",
]

FACTORS = (0.5, 1, 2, 4)
"""Multiples of the planned sizes that a table shows."""

GAINS = (0.01, 0.03, 0.05)
"""Default gains in a table, as shares of the items."""

GAINS_IN_SD = (0.1, 0.2, 0.3)
"""Default gains for other scores, in standard deviations of the differences."""

TIMES = (1, 2, 4)
"""Multiples of the planned runs and items that a table shows."""

POWER = 0.8
"""Probability of a significant result that a plan aims at."""

POINT = 1_000
"""Inverse of the step in which gains are printed, a tenth of a point."""


def gains_of(planned):
    """Return the true gains of a table.

    Parameters
    ----------
    planned : Suite
        The plan.

    Returns
    -------
    tuple of float
        Of the claim "better" those of `GAINS` that are possible on all datasets, or `GAINS_IN_SD`
        times the mean `Suite.unit`; of "better_by" twice the largest margin; else 0, equal systems.
    """
    if planned.claim == "better_by":
        return (2 * max(planned.margin),)
    if planned.claim != "better":
        return (0.0,)
    if planned.shares:
        return tuple(gain for gain in GAINS if gain <= planned.most) or (planned.most,)
    return tuple(float(np.mean(planned.unit)) * gain for gain in GAINS_IN_SD)


def asked_gains(planned, gains=()):
    """Return the gains that are asked for, or those of a table, checked.

    Parameters
    ----------
    planned : Suite
        The plan.
    gains : sequence of float, optional
        True gains of A on all datasets, for which the claim is true or just false.

    Returns
    -------
    tuple of float
        The gains; those of `gains_of` if none is given.

    Raises
    ------
    InputError
        If the claim is false of a gain, or the gain is not possible on a dataset.
    """
    chosen = numbers("gains", gains) or tuple(gains_of(planned))
    least, most, remedy = _true(planned)
    for gain in chosen:
        if not least <= gain <= most:
            ends = f"{least:g} or more" if most == math.inf else f"{least:g} to {most:g}"
            sign = " Omit the minus sign if the other system is better." if gain < 0 else ""
            raise checks.InputError(
                f"A gain of {gain:g} contradicts the claim {remedy}, which requires a gain of "
                f"{ends}; change the gain or the claim.{sign}"
            )
        planned.laws(gain)
    return chosen


def middle(gains):
    """Return the gain that is spoken of, the middle one."""
    return gains[len(gains) // 2]


def _true(planned):
    """Return the gains of which the claim is true, and the claim in words."""
    if planned.claim == "better":
        return 0.0, math.inf, "that A is better"
    least, most = min(planned.margin), max(planned.margin)
    return {
        "better_by": (most, math.inf, "that A is better by more than the margin"),
        "not_worse": (-least, math.inf, "that A is not worse by more than the margin"),
        "equivalent": (-least, least, "that the systems differ by less than the margin"),
    }[planned.claim]


def points(gain, shares=True):
    """Write a gain: in points if it is a share, else as the number it is.

    Parameters
    ----------
    gain : float
        The gain, as a share or in the unit of the scores.
    shares : bool, default True
        Whether it is a share.

    Returns
    -------
    str
        Such as "3 points".

    Examples
    --------
    >>> points(0.03), points(0.01), points(0.0262)
    ('3 points', '1 point', '2.6 points')
    """
    if not shares:
        return f"{gain:.3g}"
    number = f"{round(100 * gain, 1):g}"
    return f"{number} point{'s' * (number != '1')}"


def printed(least, most, shares=True):
    """Return all numbers in a range that `points` writes without rounding.

    Parameters
    ----------
    least, most : float
        Ends of the range, 0 or more.
    shares : bool, default True
        Whether the numbers are shares.

    Returns
    -------
    list of float
        Tenths of a point, or numbers of three digits down to a thousandth of the largest.

    Examples
    --------
    >>> printed(0.0115, 0.0141)
    [0.012, 0.013, 0.014]
    >>> len(printed(0, 2, shares=False)), printed(1.985, 2, shares=False)
    (2802, [1.99, 2.0])
    """
    if shares:
        first, last = math.ceil(least * POINT - 1e-9), math.floor(most * POINT + 1e-9)
        return [step / POINT for step in range(first, last + 1)]
    top = math.floor(math.log10(most))
    decades = range(top - 3, top + 1)
    numbers = [float(f"{digits}e{e - 2}") for e in decades for digits in range(100, 1_000)]
    return [number for number in [0.0, *numbers] if least <= number <= most]


def sizes_of(planned):
    """Write the sizes of a suite in short, such as "500" or "40 to 400"."""
    least, most = min(planned.sizes), max(planned.sizes)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def table(planned, gains=(), factors=FACTORS):
    """Tabulate what is expected to be shown, by size and gain.

    Parameters
    ----------
    planned : Suite
        The plan.
    gains : sequence of float, optional
        True gains on all datasets; `gains_of` by default.
    factors : sequence of float
        Multiples of the sizes.

    Returns
    -------
    DataFrame
        A row for each: ``instances``, ``factor``, ``gain``, expected ``count`` of p-values at most
        the level of a direction, expected ``bonferroni`` (k-hat, and the number of Holm's names),
        expected ``k_hat`` and number of ``names`` by the method of the suite, with the
        ``standard_error`` of k-hat from simulation, and the probability of ``any``, that k-hat is 1
        or more.

    Raises
    ------
    InputError
        As `power.Outcomes`.
    """
    rows = []
    for factor in factors:
        part = planned.scaled(factor)
        for gain in gains or gains_of(planned):
            law = part.law(gain)
            rows.append(
                {
                    "instances": sizes_of(part),
                    "factor": factor,
                    "gain": gain,
                    "count": power_of_counts.expected_count(part.laws(gain), part.level),
                    "bonferroni": part.law(gain, "bonferroni").mean,
                    "k_hat": law.mean,
                    "names": part.expected_names(gain),
                    "standard_error": law.standard_error,
                    "any": law.at_least(1),
                }
            )
    return pd.DataFrame(rows)


def searched(planned):
    """Return what `least_gains` looks for, and the law of k-hat that it takes.

    Parameters
    ----------
    planned : Suite
        The plan.

    Returns
    -------
    (str, callable, list of float)
        "gain", or "margin" where the claim is true of equal systems; from this number to the
        `CountLaw`; and the numbers to choose from.
    """
    if planned.claim in ("better", "better_by"):
        least = max(planned.margin, default=0.0)
        return "gain", planned.law, printed(least, planned.most, planned.shares)

    def law_of(margin):
        return replace(planned, margin=(margin,) * len(planned.sizes)).law(0.0)

    most = 1 - 1 / POINT if planned.binary else planned.most
    return "margin", law_of, [m for m in printed(0, most, planned.shares) if m > 0]


def least_gains(planned, share=POWER):
    """Tabulate the smallest true gain, or margin, at which so many datasets are shown.

    Parameters
    ----------
    planned : Suite
        The plan.
    share : float, default 0.8
        Probability with which they are, in (0, 1).

    Returns
    -------
    DataFrame
        ``shown`` (at least 1, half and all of the datasets) and ``gain``, rounded up so that the
        probability holds as printed, missing where none that is possible is enough. Of the claims
        "not_worse" and "equivalent" ``margin`` in its place, for equal systems.

    Raises
    ------
    InputError
        As `power_of_counts.least_gain`.
    """
    n, (name, law_of, values) = len(planned.sizes), searched(planned)
    shown = sorted({1, math.ceil(n / 2), n})
    found = [
        power_of_counts.least_gain(law_of, k, share, values=values) if values else math.nan
        for k in shown
    ]
    return pd.DataFrame({"shown": shown, name: found})


def by_runs(planned, gain):
    """Tabulate what more runs and more items add.

    Parameters
    ----------
    planned : Suite
        The plan, with runs.
    gain : float
        True gain on all datasets.

    Returns
    -------
    DataFrame
        A row for one, two and four times as many runs, each with one, two and four times as many
        items: ``runs`` of each system, ``instances``, expected ``k_hat`` and ``names``, and the
        mean ``error``, the standard deviation of a dataset's difference.
    """
    rows = []
    for more in TIMES:
        for factor in TIMES:
            part = planned.scaled(factor).with_more_runs(more)
            laws = zip(part.runs, part.sizes, part.spread, strict=True)
            rows.append(
                {
                    "runs": runs_of(part),
                    "instances": sizes_of(part),
                    "k_hat": part.law(gain).mean,
                    "names": part.expected_names(gain),
                    "error": float(np.mean([runs.standard_error(n, sd) for runs, n, sd in laws])),
                }
            )
    return pd.DataFrame(rows)


def runs_of(planned):
    """Write the numbers of runs of a suite in short, such as "4" or "3 to 5"."""
    numbers = sorted({runs.number for runs in planned.runs})
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"


def small_sets(planned, gain):
    """Compare the suite as planned with its small datasets merged into one, and without them.

    Parameters
    ----------
    planned : Suite
        The plan; small datasets have less than half of the items of the largest.
    gain : float
        True gain on all datasets.

    Returns
    -------
    DataFrame or None
        ``suite`` ("kept", "merged", "dropped"), number of ``datasets``, expected ``k_hat`` and its
        ``standard_error``; None if fewer than two datasets are small, or there are runs, which
        merged datasets would share.
    """
    sizes = np.array(planned.sizes)
    small = 2 * sizes < sizes.max()
    if small.sum() < 2 or planned.runs:
        return None
    rows = []
    for name, part in (
        ("kept", planned),
        ("merged", planned.joined(small)),
        ("dropped", planned.without(small)),
    ):
        law = part.law(gain)
        rows.append(
            {
                "suite": name,
                "datasets": len(part.sizes),
                "k_hat": law.mean,
                "standard_error": law.standard_error,
            }
        )
    return pd.DataFrame(rows)
