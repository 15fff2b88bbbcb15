"""What a design says, in English."""

import math
from dataclasses import replace

import numpy as np

from replicability.checks import enumerated
from replicability.core import design, design_needs
from replicability.core.claimed import Claim
from replicability.core.design import points
from replicability.core.findings.wording import capital, plural
from replicability.core.procedure import TITLES
from replicability.stats import power, power_of_counts, power_of_means

MOST_NAMED = 5
"""Datasets that a sentence lists."""


def truth(planned, gain):
    """Say what is supposed to be true on each dataset.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets.

    Returns str. A noun phrase, such as "a true gain of 3 points".
    """
    if gain == 0 and planned.claim in ("not_worse", "equivalent"):
        return "two equally good systems"
    if gain < 0:
        return f"a true loss of {points(-gain, planned.shares)}"
    return f"a true gain of {points(gain, planned.shares)}"


def claim(planned):
    """Say what is to be shown where it is not that A is better.

    `planned` (suite.Suite): the plan.

    Returns str. One sentence; "" for the claim "better".
    """
    if planned.claim == "better":
        return ""
    least, most = min(planned.margin), max(planned.margin)
    by = points(most, planned.shares)
    if least < most:
        by = f"the dataset's margin ({points(least, planned.shares)} to {by})"
    return f"The claim is that {Claim(planned.claim, by).shown('A', 'B')}."


def expected(planned, gain):
    """Say how many datasets are expected to be counted and named.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets.

    Returns str. Two sentences; one of a single dataset.
    """
    n, law = len(planned.sizes), planned.law(gain)
    sizes = f"{plural(n, 'dataset')} of {design.sizes_of(planned)} items{_runs(planned)}"
    where = "" if n == 1 else " on each"
    supposed = f"With {sizes} and {truth(planned, gain)}{where}, "
    if n == 1:
        return f"{supposed}the power is about {law.at_least(1):.0%} ({_level(planned)})."
    small = power_of_counts.expected_count(planned.laws(gain), planned.level)
    return (
        f"{supposed}the expected k-hat is about {law.mean:.1f}, and the expected number of named "
        f"datasets is about {planned.expected_names(gain):.1f} (closed testing, "
        f"{TITLES[planned.method]}; {_level(planned)}). About {small:.1f} p-values are expected to "
        f"be at most {planned.level:g}, but the number of such p-values is not a valid lower "
        "bound."
    )


def _runs(planned):
    """Say how often each system runs, if the claim covers new runs."""
    return f", {_of_each(planned)}," if planned.runs else ""


def _of_each(planned):
    """Write the number of runs of each system, or of raters, who are the same for both."""
    number = design.runs_of(planned)
    return f"{number} raters" if planned.rated else f"{number} runs of each system"


def runs(planned, gain):
    """Say whether more runs or more items help more.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets.

    Returns str. One sentence; "" without runs.
    """
    if not planned.runs:
        return ""
    n, noun = len(planned.sizes), "raters" if planned.rated else "runs"
    more, larger = planned.with_more_runs(2), planned.scaled(2)
    ways = []
    for part, what, of in (more, noun, _of_each(more)), (larger, "items", design.sizes_of(larger)):
        law = part.law(gain)
        value = law.at_least(1) if n == 1 else law.mean
        written = f"{value:.0%}" if n == 1 else f"{value:.1f}"
        ways.append((value, what, written, f"with twice as many {what} ({of})"))
    (_, first, most, with_first), (_, second, least, with_second) = sorted(
        ways, key=lambda way: -way[0]
    )
    helps = f"help {'about as much as' if most == least else 'more than'} more {second}"
    what = "power" if n == 1 else "expected k-hat"
    return f"More {first} {helps}: the {what} is {most} {with_first}, and {least} {with_second}."


def _level(planned):
    """Say the level, and how it is divided."""
    said = f"alpha = {planned.alpha:g}"
    if planned.claim == "equivalent":
        return said
    return f"{said}, {'half for each direction' if planned.level < planned.alpha else 'one-sided'}"


def floor(planned):
    """Say what no result of the suite can pass.

    `planned` (suite.Suite): the plan.

    Returns str. One sentence, or two where datasets are too small; "" with runs, and where there is
    a margin, with which ties count as well.
    """
    if planned.claim != "better" or planned.runs:
        return ""
    n, least = len(planned.sizes), least_wins(planned)
    small = int((planned.independent < least).sum())
    one = min(planned.sizes) == max(planned.sizes)
    sizes = f"With {design.sizes_of(planned)} items{'' if one else ' each'}, "
    if n == 1:
        which, end = "the only dataset", "significant"
    elif planned.method == "bonferroni":
        which, end = f"the first of the {n:,} datasets to be named", "named first"
    else:
        which, end = "a dataset", "named"
    purpose = "" if end == "named first" else f" to be {end}"
    said = f"{sizes}{which} needs at least {least} wins and no losses{purpose}."
    if small == n:
        return f"{said} No dataset has that many items, so none can be {end.split()[0]}."
    if small:
        has, they = ("dataset has", "it") if small == 1 else ("datasets have", "they")
        return f"{said} {small:,} {has} fewer items, so {they} cannot be {end}."
    return said


def least_wins(planned):
    """Return the fewest items, all won, without which no dataset of a suite can be named.

    `planned` (suite.Suite): the plan.

    Returns int. That of Holm's procedure for Bonferroni's method. By other methods the evidence of
    other datasets may help, and the p-value has to be at most the level.
    """
    n = len(planned.sizes) if planned.method == "bonferroni" else 1
    return power.least_wins(n, planned.level)


def least(planned, share=design.POWER):
    """Say which gain can be shown, or which margin of equal systems.

    `planned` (suite.Suite): the plan. `share`: probability with which it is to be shown, in (0, 1).

    Returns str. One sentence, or two.
    """
    n, found = len(planned.sizes), design.least_gains(planned, share)
    what = found.columns[1]
    rows = [(shown, value) for shown, value in zip(*found.to_dict("list").values(), strict=True)]
    parts = [
        f"{points(value, planned.shares)} on {_shown(shown, n)}"
        for shown, value in rows
        if not math.isnan(value)
    ]
    missed = [_shown(shown, n) for shown, value in rows if math.isnan(value)]
    name = _smallest(what == "gain", share)
    said = f"The {name} is {enumerated(parts)}." if parts else ""
    if missed:
        said += f" No {what} is large enough for significance on {enumerated(missed)}."
    return said.strip()


def _smallest(gain, share):
    """Name the gain that can be shown, or else the margin of equal systems."""
    if gain:
        return f"smallest true gain detectable with {share:.0%} power"
    return f"smallest margin that gives {share:.0%} power for equally good systems"


def _shown(k, n):
    if n == 1:
        return "the dataset"
    return f"all {n:,} datasets" if k == n else f"at least {k:,} of {n:,} datasets"


def small_sets(planned, gain):
    """Answer whether small datasets should be merged or dropped.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets.

    Returns str. One answer with its numbers; "" with runs.

    Notes
    -----
    Whatever raises the expected k-hat by more than twice the standard error of the simulation, and
    by a tenth of a dataset at least, is recommended; else the datasets are kept.
    """
    if planned.runs:
        return ""
    compared = design.small_sets(planned, gain)
    if compared is None:
        return (
            "There are no small datasets to merge or drop: at most one has fewer than half as many "
            "items as the largest."
        )
    rows = compared.set_index("suite")
    kept = rows.loc["kept"]
    noise = 2 * np.hypot(kept["standard_error"], rows["standard_error"])
    better = rows["k_hat"][rows["k_hat"] > kept["k_hat"] + np.maximum(noise, 0.1)]
    answer = {"kept": "Keep", "merged": "Merge", "dropped": "Drop"}[
        better.idxmax() if len(better) else "kept"
    ]
    small = int(kept["datasets"] - rows.loc["dropped", "datasets"])
    return (
        f"{answer} the {small:,} small datasets, which have fewer than half as many items as the "
        "largest. "
        f"With {truth(planned, gain)}, the expected k-hat is about "
        f"{kept['k_hat']:.1f} of {kept['datasets']:,.0f} (kept), "
        f"{rows.loc['merged', 'k_hat']:.1f} of {rows.loc['merged', 'datasets']:,.0f} (merged) or "
        f"{rows.loc['dropped', 'k_hat']:.1f} of {rows.loc['dropped', 'datasets']:,.0f} (dropped)."
    )


def needs(found):
    """Say how many more items a target takes, and on which datasets.

    `found` (design_needs.Needed): as `design_needs.needed` returns it.

    Returns str. One sentence to three.
    """
    planned, n = found.suite, len(found.suite.sizes)
    if isinstance(found.reach, str):
        target = f"dataset {found.reach!r} is named"
    else:
        target = f"k-hat is {f'at least {found.reach:,} of {n:,}' if n > 1 else '1'}"
    chance = _at_least(found.now.probability)
    said = f"With {truth(planned, found.gain)}, {target} with a probability of {chance}"
    if found.enough:
        return f"{said}; no more items are needed."
    if not found.possible:
        but = f", but {_of_each(planned.with_runs(found.runs))} are" if found.runs else ""
        return f"{said}; no number of items up to {design_needs.MOST_ITEMS:,} is enough{but}."
    said += f". To reach {found.share:.0%}, "
    if found.runs:
        said += f"use {_of_each(planned.with_runs(found.runs))}. Otherwise, "
    if found.everywhere is not None:
        added = int(found.more(found.everywhere).sum())
        said += (
            f"every dataset needs {math.ceil(100 * found.factor) / 100:.2f} times as many items "
            f"({design.sizes_of(replace(planned, sizes=found.everywhere.sizes))}), {added:,} more "
            "in total."
        )
    if found.fewest in (None, found.everywhere):
        return said
    more = found.more(found.fewest)
    if found.everywhere is not None and more.sum() >= found.more(found.everywhere).sum():
        return said
    opening = " It is cheaper to add" if found.everywhere is not None else "add"
    return f"{said}{opening} {int(more.sum()):,} items to {_growing(found, more)}."


def _at_least(probability):
    """Write a probability rounded down, so that it holds."""
    whole = min(math.floor(100 * probability + 1e-9), 99)
    return f"at least {whole}%" if whole else "less than 1%"


def _growing(found, more):
    """Say which datasets grow to which sizes, those that grow most first."""
    order = [int(i) for i in np.argsort(-more, kind="stable") if more[i] > 0]
    names, sizes = found.suite.names, found.fewest.sizes
    parts = [f"{names[i]} (to {sizes[i]:,})" for i in order[:MOST_NAMED]]
    if len(order) > MOST_NAMED:
        parts.append(f"{len(order) - MOST_NAMED:,} more")
    return f"{plural(len(order), 'dataset')}: {enumerated(parts)}"


def sentences(planned, gains=(), share=design.POWER, needed=None):
    """Say everything about a plan.

    `planned` (suite.Suite): the plan. `gains` (sequence of float): true gains; the middle one is
    spoken of. `share`: probability with which something is to be shown, in (0, 1). `needed`
    (design_needs.Needed): what a target takes.

    Returns list of str. The claim if it has a margin, what is expected, what more runs add, the
    floor, the least gain, what to do with small sets, and what the target takes.
    """
    gain = design.middle(gains or design.gains_of(planned))
    said = [
        claim(planned),
        expected(planned, gain),
        runs(planned, gain),
        floor(planned),
        least(planned, share),
        small_sets(planned, gain),
        needs(needed) if needed is not None else "",
    ]
    return [sentence for sentence in said if sentence]


def title(planned):
    """Return the title of a plan, such as "What 20 datasets can show"."""
    return f"What {plural(len(planned.sizes), 'dataset')} can show"


def captions(planned, share=design.POWER):
    """Return the captions of the tables of a plan.

    `planned`, `share`: as for `sentences`.

    Returns (str, str, str, str). Of what is expected, of the least gains, of what a target takes,
    and of runs.
    """
    least = _smallest(design.searched(planned)[0] == "gain", share)
    return (
        f"Expected results on {plural(len(planned.sizes), 'dataset')}, by size and true gain.",
        f"{capital(least)}.",
        "Number of items that each dataset needs to reach the target.",
        f"Expected results with more {'raters' if planned.rated else 'runs'} and more items, and "
        "the standard error of a difference.",
    )


ALT = "Expected results by dataset size and true gain; the table gives the numbers."
"""Alternative text of the figure for screen readers."""


def notes(planned, table, seen=(), needed=None):
    """Say where the numbers of a plan come from, and how sure they are.

    `planned` (suite.Suite): the plan. `table`: as `design.table` returns it. `seen` (sequence of
    dict): rows of `design.seen`. `needed` (design_needs.Needed): what a target takes.

    Returns list of str. One note for each thing to know.
    """
    said = [
        "We assume independent datasets with the same gain on each. The k-hat of a plan is an "
        "expected value; the k-hat of a single study may be smaller."
    ]
    if table["standard_error"].max() > 0:
        said.append(
            "k-hat and the number of named datasets are simulated for this method; the standard "
            f"error of the expected k-hat is at most {table['standard_error'].max():.2f}. The "
            "other numbers are not simulated."
        )
    said += _approximations(planned)
    if needed is not None and not needed.enough:
        said.append(
            "Fix the number of items before you test: adding items until a test rejects raises "
            "the error rate above alpha."
        )
    return [*said, *_of_pilot(seen)]


def _approximations(planned):
    """Say what is approximated, for each approximation that a plan makes."""
    if planned.method in power_of_counts.BY_MID_P:
        yield (
            "In a comparison, the null distribution of the local test is simulated. The plan uses "
            "a closed form with mid-p-values instead, so the planned k-hat is slightly too small "
            "if datasets have fewer than about 100 items."
        )
    if planned.runs:
        yield (
            "We assume that variation between items, runs and single scores is normally "
            "distributed, and that runs of both systems are equally noisy. A pilot with "
            "few runs estimates the variation between runs poorly; also plan with the upper limit "
            "of its standard deviation."
        )
        return
    if planned.design_effect:
        yield (
            "The plan replaces clustered items with a smaller number of independent items: the "
            "number of items divided by the design effect."
        )
    elif planned.binary and planned.claim != "better":
        yield (
            "For right-or-wrong answers with a margin, the plan uses Tango's score test. Its power "
            "differs from the exact test's by at most about .03 with 60 items or more, and by up "
            "to .07 with 30 items."
        )
    if not planned.binary or planned.design_effect:
        size = int(planned.independent.min())
        errors = power_of_means.mean_difference_error(size, planned.level / len(planned.sizes))
        error = (
            "is not known for fewer than 20 items"
            if math.isnan(errors[0])
            else f"is {errors[0]:g} for symmetric and {errors[1]:g} for strongly skewed "
            "differences, as estimated by simulation"
        )
        yield (
            "The power of the test of a mean is approximated by its power under normally "
            f"distributed differences. The error of this approximation {error}."
        )


def _of_pilot(seen):
    """Say what the gains of a pilot are worth."""
    if seen:
        gains = [row["gain"] for row in seen]
        yield (
            f"The gains observed in the pilot range from {min(gains):.3g} to {max(gains):.3g}. "
            "They are estimates: plan with the smallest gain that matters, not with an observed "
            "gain."
        )
