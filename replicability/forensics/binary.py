"""p-values of McNemar's test beside two accuracies."""

import itertools

import numpy as np
import pandas as pd

from replicability import checks
from replicability.forensics.claims import IMPOSSIBLE, REPRODUCED, UNCHECKED, Claim, judge, reread
from replicability.forensics.printed import finest_digit, printed_interval, pvalue_text
from replicability.forensics.shares import right_counts
from replicability.stats import paired


def mcnemar_range(score_a, score_b, n, unit=None, variants=None, alternatives=None):
    """Return the p-values that McNemar's test can give for two accuracies.

    Parameters
    ----------
    score_a, score_b : str
        Accuracies as printed.
    n : int
        Number of items.
    unit : float, optional
        Unit of the last printed digit, if the texts do not show it (dropped zeros).
    variants, alternatives : sequence of str, optional
        Variants and alternatives of the test; all unless given.

    Returns
    -------
    DataFrame
        One row per variant, alternative, difference and number of discordant items: ``variant``,
        ``alternative``, ``difference``, ``discordant``, ``p_value``. The numbers of right answers
        are whole numbers that round to the printed accuracies, and the discordant items lie
        between their difference and what the errors, and the right answers, of both allow.

    Raises
    ------
    InputError
        If n is no number of items, or no whole number of right answers gives an accuracy.
    """
    right_a, right_b = right_counts(score_a, n, unit), right_counts(score_b, n, unit)
    for text, right in ((score_a, right_a), (score_b, right_b)):
        if not len(right):
            raise checks.InputError(f"No number of right answers out of {n:,} gives {text}.")
    most = {}  # difference -> largest number of items on which only B is right
    for a, b in itertools.product(right_a, right_b):
        most[a - b] = max(most.get(a - b, 0), min(b, n - a))
    losses = [np.arange(max(0, -d), top + 1) for d, top in most.items()]
    difference = np.repeat(list(most), [len(part) for part in losses])
    losses = np.concatenate(losses)
    wins = losses + difference
    frames = [
        pd.DataFrame(
            {
                "variant": variant,
                "alternative": alternative,
                "difference": difference,
                "discordant": wins + losses,
                "p_value": paired.mcnemar_pvalues(
                    wins, losses, variant=variant, alternative=alternative
                ),
            }
        )
        for variant in variants or paired.VARIANTS
        for alternative in alternatives or checks.ALTERNATIVES
    ]
    return pd.concat(frames, ignore_index=True)


def mcnemar(claim, score_a, score_b, n, *, unit=None, variants=None, alternatives=None):
    """Judge a p-value of McNemar's test by the values that it can take.

    Parameters
    ----------
    claim : Claim
        The p-value; "<0.05" is any below .05.
    score_a, score_b, n, unit, variants, alternatives
        As for `mcnemar_range`.

    Returns
    -------
    Verdict
        Impossible if no number of discordant items gives it, reproduced if every number does.
        Otherwise it cannot be checked without the outputs; the sentence says how it is possible.
        Where it is impossible with the digits of `unit`, the sentence says whether it is possible
        with the digits that are there.
    """
    printed = printed_interval(claim.published)
    ranges = mcnemar_range(score_a, score_b, n, unit, variants, alternatives)
    fits = _attained(ranges, printed)
    differences = sorted(set(ranges["difference"]))
    ahead = f"{differences[0]:+,}"
    if len(differences) > 1:
        ahead += f" to {differences[-1]:+,}"
    given = f"{score_a} and {score_b} of {n:,} items differ by {ahead} items"
    if fits.empty:
        verdict = _impossible(claim, ranges, printed, given)
        if unit is None:
            return verdict
        loose = mcnemar_range(score_a, score_b, n, None, variants, alternatives)
        ways = _ways(_attained(loose, printed))
        reading = f"with accuracies rounded to the digits that are there it is possible by {ways}."
        return reread(verdict, reading if ways else "")
    last = ranges["alternative"].iloc[-1]
    values = ranges.loc[ranges["alternative"] == last, "p_value"]
    span = f"{pvalue_text(values.min())} to {pvalue_text(values.max())} {last}"
    if len(fits) == len(ranges):
        return judge(
            claim, span, REPRODUCED, f"{given}; every number of discordant items gives such a p."
        )
    return judge(
        claim,
        span,
        UNCHECKED,
        f"{given}. The p-value is possible, with discordant items in brackets, by {_ways(fits)}. "
        "On which items the systems differ is not printed.",
    )


def _impossible(claim, ranges, printed, given):
    """Judge a p-value that no number of discordant items gives; name the nearest that one does."""
    nearest = ranges.assign(gap=(ranges["p_value"] - printed.value).abs())
    nearest = nearest.nsmallest(1, "gap").iloc[0]
    forms = ranges[["variant", "alternative"]].drop_duplicates()
    return judge(
        claim,
        f"{pvalue_text(nearest['p_value'])} at the nearest",
        IMPOSSIBLE,
        f"{given}; no whole number of discordant items gives the p-value by any of {len(forms)} "
        f"forms of the test. The nearest is {pvalue_text(nearest['p_value'])} "
        f"({nearest['variant']} {nearest['alternative']}, {nearest['discordant']:,} discordant).",
    )


def mcnemar_column(paper, item, datasets, texts, scores_a, scores_b, n):
    """Judge a column of p-values of McNemar's test.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and accuracies as printed; accuracies have the digits of the longest,
        with zeros dropped.
    n : int
        Number of items of each dataset.

    Returns
    -------
    list of Verdict
        One per p-value.
    """
    unit = finest_digit([*scores_a, *scores_b])
    return [
        mcnemar(Claim(paper, item, f"p-value of {d}", text), a, b, n, unit=unit)
        for d, text, a, b in zip(datasets, texts, scores_a, scores_b, strict=True)
    ]


def mcnemar_forms(texts, scores_a, scores_b, n):
    """Count the p-values of a column that each form of McNemar's test can give.

    Parameters
    ----------
    texts, scores_a, scores_b, n
        As for `mcnemar_column`.

    Returns
    -------
    DataFrame
        One row per form: ``variant``, ``alternative``, ``possible`` (number of p-values).
    """
    unit = finest_digit([*scores_a, *scores_b])
    found = []
    for text, a, b in zip(texts, scores_a, scores_b, strict=True):
        ranges = mcnemar_range(a, b, n, unit)
        fits = _attained(ranges, printed_interval(text))
        forms = ranges[["variant", "alternative"]].drop_duplicates()
        keys = set(zip(fits["variant"], fits["alternative"], strict=True))
        found.append([key in keys for key in forms.itertuples(index=False, name=None)])
    return forms.assign(possible=np.sum(found, axis=0)).reset_index(drop=True)


def mcnemar_pairs(paper, item, systems, scores, n, published, **options):
    """Judge one statement about the p-values of McNemar's test for every pair of systems.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the section.
    systems, scores : sequence of str
        Systems and their accuracies as printed.
    n : int
        Number of items.
    published : str
        The statement, such as "<0.05".
    **options
        Options of `mcnemar`.

    Returns
    -------
    list of Verdict
        One per pair.
    """
    named = list(zip(systems, scores, strict=True))
    return [
        mcnemar(Claim(paper, item, f"p-value of {a} against {b}", published), x, y, n, **options)
        for (a, x), (b, y) in itertools.combinations(named, 2)
    ]


def _ways(fits):
    """List forms of McNemar's test with the numbers of discordant items that they need."""
    ways = fits.groupby(["variant", "alternative"], sort=False)["discordant"].agg(["min", "max"])
    return "; ".join(
        f"{variant} {alternative} ({low:,}{'' if low == high else f' to {high:,}'})"
        for (variant, alternative), low, high in ways.itertuples()
    )


def _attained(ranges, printed):
    """Return the rows whose p-value rounds to the printed one."""
    p = ranges["p_value"]
    return ranges[(p >= printed.low * (1 - 1e-12)) & (p <= printed.high * (1 + 1e-12))]
