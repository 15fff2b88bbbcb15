"""Which test gave the p-values of a comparison, in words."""

import re

import pandas as pd

from replicability.checks import enumerated
from replicability.core import recommendation
from replicability.core.cautions import MOST_NAMES
from replicability.core.findings.wording import capital, plural
from replicability.io import provenance
from replicability.stats import paired

COMPUTED = "Computation of the p-values"
"""What precedes how p-values were computed."""


def which_tests(comparison, table):
    """Name the tests that made the p-values of a comparison."""
    if "test" in table:
        return list(pd.unique(table["test"]))
    return [comparison.test] if comparison.test else []


def paragraph(comparison, table):
    """Describe the test, its assumptions and the computation of p-values."""
    used = which_tests(comparison, table)
    title = enumerated(paired.lookup(test).title for test in used) if used else ""
    paths = list(map(provenance.portable, comparison.paths))
    place = enumerated(paths, MOST_NAMES) if paths else _table(comparison)
    in_the_paper = {recommendation.in_the_paper(kind).test for kind in recommendation.SCORE_KINDS}
    chosen = not comparison.test and comparison.claim == "better" and in_the_paper >= set(used)
    if comparison.level == "p-values":
        named = f"names their test: {title}" if title else "does not name their test"
        text = f"The p-values were read from {place} and not recomputed. The study {named}."
        if any(paired.lookup(test).bootstrap for test in used):
            text += (
                " The file does not state the number of items, so we could not check whether it "
                "is large enough."
            )
    elif comparison.level == "counts":
        text = (
            f"{table.why} Successes and trials come from {place}: {_sizes(table)} (trials of both "
            f"systems). {how_computed(table)}"
        )
    elif comparison.claim_covers == "runs":
        text = f"{table.why} Scores come from {place}: {_sizes(table)} (runs of both systems)."
        text += f" {how_computed(table)}"
    else:
        text = (
            f"{title or 'The recommended test'}"
            f"{', which Dror et al. (2017, Section 6.2) use for such scores,' if chosen else ''} "
            f"was applied to the {'split' if comparison.splits else 'item'} scores from "
            f"{place}: {_sizes(table)}. {how_computed(table)}"
        )
    for test in used:
        entry = paired.lookup(test)
        text += f" {capital(entry.title)} assumes that {entry.valid_under}."
        if comparison.claim != "better":
            text += f" {paired.MARGINS[entry.margin]} {entry.margin_note}."
    return capital(text)


def _table(comparison):
    """Name a table in memory within a sentence."""
    return comparison.file[:1].lower() + comparison.file[1:]


def _sizes(table):
    """Say how many items the datasets have."""
    n = table["n"]
    smallest, largest = table.rows.loc[n.idxmin()], table.rows.loc[n.idxmax()]
    if smallest["n"] == largest["n"]:
        return f"{n.sum():,} in total, {n.iloc[0]:,} in each dataset"
    return (
        f"{n.sum():,} in total, from {smallest['n']:,} ({smallest['dataset']}) to "
        f"{largest['n']:,} ({largest['dataset']})"
    )


def how_computed(table):
    """Say how the p-values of a comparison were computed.

    Examples
    --------
    >>> how_computed({"how": ["exact", "r of 0.31", "r of 0.42"]})
    'Computation of the p-values: r of … on 2 datasets; exact on 1 dataset.'
    """
    ways = pd.Series([re.sub(r"-?\d+\.\d+", "…", way) for way in table["how"]])
    counted = ways.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    said = "; ".join(f"{way} on {plural(n, 'dataset')}" for way, n in counted.items())
    return f"{COMPUTED}: {said}."
