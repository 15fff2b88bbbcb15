"""Check p-values of McNemar's test against two printed accuracies."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.forensics.claims import (
    DEPENDS,
    IMPOSSIBLE,
    REPRODUCED,
    UNCHECKED,
    Claim,
    judge,
    reread,
    weigh_readings,
)
from replicability.forensics.forms import DECIDED, LEADER, MISPRINT, SIDES, leader, weigh_forms
from replicability.forensics.printed import finest_digit, printed_interval, pvalue_text
from replicability.forensics.shares import right_counts
from replicability.stats import paired

SMALLEST = float(np.finfo(float).tiny)
"""Replaces a p-value too small for a float, because none is zero."""


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
            raise checks.InputError(f"No number of correct answers out of {n:,} gives {text}.")
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


def accuracy_pvalues(scores_a, scores_b, items, alternative="greater"):
    """Bound McNemar's exact p-value of each dataset, given only two accuracies.

    Parameters
    ----------
    scores_a, scores_b : sequence of str
        Accuracies of A and of B on each dataset, as printed.
    items : sequence of int
        Number of items of each dataset.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        Alternative of the test; "greater" says that A is better.

    Returns
    -------
    DataFrame
        ``largest`` and ``smallest``, a row for each dataset: the bounds of `mcnemar_range`, found
        without listing all discordant counts. Where no number of right items gives an accuracy,
        such as a mean of runs, it tells nothing: any p-value is possible.

    Notes
    -----
    At a given lead the p-value is monotone in the number of discordant items, up to a jump where
    one system wins every one of them. The ends and the count next to the smallest are therefore
    enough.
    """
    rows = []
    for score_a, score_b, n in zip(scores_a, scores_b, items, strict=True):
        right_a, right_b = (np.asarray(right_counts(text, n), int) for text in (score_a, score_b))
        if not len(right_a) or not len(right_b):
            rows.append((1.0, SMALLEST))
            continue
        leads = np.arange(right_a[0] - right_b[-1], right_a[-1] - right_b[0] + 1)
        low, high = np.maximum(right_b[0], right_a[0] - leads), right_a[-1] - leads
        b = np.clip((n - leads) // 2, low, np.minimum(right_b[-1], high))
        most = np.minimum(b, n - b - leads)  # losses that are possible at each lead
        first = np.maximum(0, -leads)
        losses = np.concatenate([first, np.minimum(first + 1, most), most])
        p = paired.mcnemar_pvalues(
            losses + np.tile(leads, 3), losses, variant="exact", alternative=alternative
        )
        rows.append((max(p.max(), SMALLEST), max(p.min(), SMALLEST)))
    return pd.DataFrame(rows, columns=["largest", "smallest"])


def mcnemar(
    claim, score_a, score_b, n, *, unit=None, variants=None, alternatives=None, printing=None
):
    """Judge a p-value of McNemar's test by the values that it can take.

    Parameters
    ----------
    claim : Claim
        The p-value; "<0.05" is any below .05.
    score_a, score_b, n, unit, variants, alternatives
        As for `mcnemar_range`.
    printing : {"rounded", "truncated"}, optional
        How its digits were printed; if unknown, a p-value that is impossible when rounded is also
        read as cut off.

    Returns
    -------
    Verdict
        Agrees if every number of discordant items gives the p-value. If some do it cannot be
        checked without the outputs, and the sentence says how it is possible. It depends on the
        reading if it is possible only with its digits cut off, and is impossible otherwise. Where
        it is impossible with the digits of `unit`, the sentence says whether it is possible with
        the digits that are there.
    """
    ranges = mcnemar_range(score_a, score_b, n, unit, variants, alternatives)
    found = {
        WORDS[mode]: _judge(claim, ranges, mode, score_a, score_b, n)
        for mode in ([printing] if printing else WORDS)
    }
    first = next(iter(found.values()))
    verdict = first if first.verdict != IMPOSSIBLE else weigh_readings(found)
    if verdict.verdict != IMPOSSIBLE or unit is None:
        return verdict
    loose = mcnemar_range(score_a, score_b, n, None, variants, alternatives)
    ways = _ways(_attained(loose, printed_interval(claim.published)))
    reading = f"if each accuracy is rounded to its own digits, the p-value is possible: {ways}."
    return reread(verdict, reading if ways else "")


WORDS = {"rounded": "rounded", "truncated": "cut off"}
"""Maps how digits were printed to the word in a sentence."""


def _judge(claim, ranges, printing, score_a, score_b, n):
    """Judge a p-value by those of `mcnemar_range`, for one printing of its digits."""
    printed = printed_interval(claim.published, None, printing)
    fits = _attained(ranges, printed)
    differences = sorted(set(ranges["difference"]))
    ahead = f"{differences[0]:+,}"
    if len(differences) > 1:
        ahead += f" to {differences[-1]:+,}"
    given = f"Accuracies of {score_a} and {score_b} on {n:,} items differ by {ahead} items"
    if fits.empty:
        nearest = ranges.assign(gap=(ranges["p_value"] - printed.value).abs())
        nearest = nearest.nsmallest(1, "gap").iloc[0]
        forms = ranges[["variant", "alternative"]].drop_duplicates()
        by = f"any of the {len(forms)} forms" if len(forms) > 1 else "this form"
        return judge(
            claim,
            f"{pvalue_text(nearest['p_value'])} at the nearest",
            IMPOSSIBLE,
            f"{given}. No number of discordant items gives this p-value ({WORDS[printing]}) with "
            f"{by} of the test. The nearest possible p-value is {pvalue_text(nearest['p_value'])} "
            f"({nearest['variant']} {nearest['alternative']}, discordant items: "
            f"{nearest['discordant']:,}).",
        )
    last = ranges["alternative"].iloc[-1]
    values = ranges.loc[ranges["alternative"] == last, "p_value"]
    span = f"{pvalue_text(values.min())} to {pvalue_text(values.max())} {last}"
    if len(fits) == len(ranges):
        return judge(
            claim,
            span,
            REPRODUCED,
            f"{given}; every possible number of discordant items gives this p-value.",
        )
    return judge(
        claim,
        span,
        UNCHECKED,
        f"{given}. This p-value is possible with the following variants of the test (and numbers "
        f"of discordant items): {_ways(fits)}. The paper does not report which items the systems "
        "differ on.",
    )


def mcnemar_column(
    paper, item, datasets, texts, scores_a, scores_b, n, *, longer=None, sides=SIDES
):
    """Judge a column of p-values of McNemar's test, by the form that gave the whole column.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    datasets, texts, scores_a, scores_b : sequence of str
        Datasets, p-values and accuracies as printed; accuracies have the digits of the longest,
        with zeros dropped.
    n : int or sequence of int
        Number of items of each dataset.
    longer : sequence of str, optional
        The same p-values with more digits, from another source of the authors; "" for none.
    sides : sequence of str, optional
        Those of `SIDES` that are possible.

    Returns
    -------
    list of Verdict
        One per p-value. If `infer_mcnemar` decides on a form, a p-value that it gives cannot be
        checked further; one that it does not give depends on the reading if another form gives it,
        and is impossible if none does. Otherwise each is judged by itself.
    """
    texts, longer = list(texts), list(longer or [""] * len(texts))
    sizes = [n] * len(texts) if np.isscalar(n) else list(n)
    scores_a, scores_b = list(scores_a), list(scores_b)
    unit = finest_digit([*scores_a, *scores_b])
    form = infer_mcnemar(texts, scores_a, scores_b, sizes, longer=longer, sides=sides).iloc[0]
    alternatives = sorted({"greater", "less"} if LEADER in sides else set()) + list(sides)
    only = {"unit": unit, "alternatives": [a for a in checks.ALTERNATIVES if a in alternatives]}
    found = []
    for name, text, more, a, b, items in zip(
        datasets, texts, longer, scores_a, scores_b, sizes, strict=True
    ):
        claim = Claim(paper, item, f"p-value of {name}", text)
        alone = mcnemar(claim, a, b, items, **only)
        if form["weight"] < DECIDED:
            found.append(alone)
            continue
        side = leader(a, b) if form["side"] == LEADER else form["side"]
        ranges = mcnemar_range(a, b, items, unit, [form["variant"]], [side])
        within = _judge(claim, ranges, form["printing"], a, b, items)
        own = f"in the column's form ({form['variant']} {form['side']}, {WORDS[form['printing']]})"
        if within.verdict != IMPOSSIBLE:
            found.append(replace(within, sentence=f"Read {own}: {within.sentence}"))
            continue
        other = {"in another form": replace(alone, readings="")}
        if alone.verdict == DEPENDS:
            cut = mcnemar(claim, a, b, items, **only, printing="truncated")
            other = {"in another form and cut off": cut}
        if more:
            again = mcnemar(replace(claim, published=more), a, b, items, **only)
            digits = replace(again, published=text, readings="")
            other[f"with the authors' longer version, {more}"] = digits
        found.append(weigh_readings({own: within, **other}))
    return found


def infer_mcnemar(texts, scores_a, scores_b, n, *, longer=None, misprint=MISPRINT, sides=SIDES):
    """Infer form, side and printing of McNemar's test from a whole column.

    Parameters
    ----------
    texts, scores_a, scores_b : sequence of str
        p-values and accuracies as printed; accuracies have the digits of the longest, with zeros
        dropped.
    n : int or sequence of int
        Number of items of each dataset.
    longer, misprint
        As for `weigh_forms`.
    sides : sequence of str, optional
        Those of `SIDES` that are possible.

    Returns
    -------
    DataFrame
        As `weigh_forms`, with ``variant`` and ``side`` (one of `SIDES`) for the form. The first row
        is inferred if its weight is at least `DECIDED`.

    Notes
    -----
    The p-values that a form can give are all those of the leads that the accuracies allow, with
    every number of discordant items (`mcnemar_range`).

    Examples
    --------
    >>> found = infer_mcnemar(["0.0011"], ["0.8105"], ["0.783"], 2000, longer=["0.001154"])
    >>> found[["variant", "side"]].iloc[0].tolist()
    ['mid-p', 'two-sided']
    """
    texts, unit = list(texts), finest_digit([*scores_a, *scores_b])
    sizes = [n] * len(texts) if np.isscalar(n) else list(n)
    attained = {(variant, side): [] for variant in paired.VARIANTS for side in sides}
    for a, b, items in zip(scores_a, scores_b, sizes, strict=True):
        ranges = mcnemar_range(a, b, items, unit)
        values = {
            key: part["p_value"].to_numpy()
            for key, part in ranges.groupby(["variant", "alternative"])
        }
        lead = leader(a, b)
        for (variant, side), cells in attained.items():
            cells.append(values[variant, lead if side == LEADER else side])
    found = weigh_forms(texts, attained, longer=longer, misprint=misprint)
    forms = pd.DataFrame(found.pop("form").tolist(), columns=["variant", "side"])
    return pd.concat([forms, found], axis=1)


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
