"""Level and power of local tests of independent datasets, and what they lose beside Holm's names.

Run as ``python benchmarks/local_tests.py --output benchmarks/local_tests.md``; it takes two
minutes. The grid is the ground on which `procedure.LOCAL_TESTS` chooses for independent datasets.
"""

import argparse
import functools
import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, special

from analysis.studies import read_study
from replicability.core import all_pairs
from replicability.stats import closed_testing, paired

SIZES = (3, 6, 10, 20, 29, 57)
BETTER = ("one", 0.25, 0.5, 1.0)
EFFECTS = (1, 2, 3, 4)
"""Of the datasets on which A is better, in standard errors."""

ELSEWHERE = {"level": 0.0, "two standard errors behind": -2.0}
"""Where A is not better: its effect."""

FAMILIES, NULL_FAMILIES, SEED = 500, 20_000, 1976
ALPHA, SMALL = 0.05, 0.05 / 20
SHARES = (0.95, 0.9, 0.8, 0.6)
"""Shares of alpha at which Bonferroni's test could be made beside Fisher's sum, other than all."""

STUDY = Path("config/open.yaml")
REAL = ("taggers", "parsers")
"""Families of systems of the study; every ordered pair is a family of p-values."""


@functools.cache
def beside(m, alpha, share):
    """Solve for the critical sum of m p-values beside Bonferroni's test at a share of alpha."""
    x, k = math.log(m / (share * alpha)), np.arange(1, m + 1)
    weights = np.exp(
        special.gammaln(m + 1) - special.gammaln(k + 1) - special.gammaln(m - k + 1) - k * x
    )

    def excess(f):
        below = special.gammainc(m, np.maximum(f - k * x, 0))
        return special.gammaincc(m, f) - ((-1.0) ** k * weights * below).sum() - alpha

    return optimize.brentq(excess, 0, m * x)


def two_parts(pvalues, alpha, share):
    """Count and name by closed testing: Bonferroni at a share of alpha, or Fisher's sum.

    A set of m is rejected beside any datasets if it is beside the m - 1 largest p-values.
    """
    n = pvalues.shape[1]
    sizes = np.arange(1, n + 1)
    sums_needed = np.array([beside(m, alpha, share) for m in sizes.tolist()])
    single = share * alpha / sizes
    order = np.argsort(-pvalues, axis=1, kind="stable")
    p = np.take_along_axis(pvalues, order, axis=1)
    terms = -np.log(p)
    sums = np.cumsum(terms, axis=1)
    whole = (sums >= sums_needed) | (p <= single)
    counted = n - np.where(whole, 0, sizes).max(axis=1)
    named = np.zeros(p.shape, dtype=bool)
    for rank in range(n):
        ahead = np.column_stack([np.zeros(len(p)), sums[:, :rank]])[:, : rank + 1]
        own = ahead + terms[:, [rank]] >= sums_needed[: rank + 1]
        own |= p[:, [rank]] <= single[: rank + 1]
        named[:, rank] = own.all(axis=1) & whole[:, rank + 1 :].all(axis=1)
    found = np.zeros_like(named)
    np.put_along_axis(found, order, named, axis=1)
    return counted, found


def split(pvalues, alpha):
    """Fisher at four fifths of alpha, Bonferroni at the other."""
    return tuple(
        np.maximum(a, b)
        for a, b in zip(
            by(pvalues, 0.8 * alpha, "fisher"), by(pvalues, 0.2 * alpha, "bonferroni"), strict=True
        )
    )


def by(pvalues, alpha, method):
    """Count and name by a local test of the library."""
    return (
        closed_testing.bound(pvalues, None, alpha, method),
        closed_testing.names(pvalues, alpha, method),
    )


CANDIDATES = {
    name: functools.partial(by, method=name)
    for name in closed_testing.METHODS
    if name != "stouffer"
} | {"fisher .8, bonferroni .2": split}
CANDIDATES |= {
    f"fisher beside bonferroni {share:g}": functools.partial(two_parts, share=share)
    for share in SHARES
}


def normal(rng, n, better, effect, elsewhere, families):
    """Draw p-values of one-sided normal tests; A is better on the first datasets."""
    means = np.where(np.arange(n) < better, effect, elsewhere)
    return special.ndtr(-(rng.normal(size=(families, n)) + means))


def few_items(rng, n, better, share, elsewhere, families):
    """Draw exact p-values of McNemar's test with 4 to 12 discordant items."""
    discordant = rng.integers(4, 13, size=(families, n))
    wins = rng.binomial(discordant, np.where(np.arange(n) < better, share, elsewhere))
    flat = paired.mcnemar_pvalues(wins.ravel(), (discordant - wins).ravel(), alternative="greater")
    return np.asarray(flat).reshape(wins.shape)


def cells():
    """Yield size, number truly better, effect, the effect elsewhere, and the share."""
    for n, share, effect, elsewhere in itertools.product(
        SIZES, BETTER, EFFECTS, ELSEWHERE.values()
    ):
        if share != 1 or not elsewhere:
            yield n, 1 if share == "one" else round(share * n), effect, elsewhere, share


def errors():
    """Largest share, over the sizes, of families with a false claim."""
    rows = []
    for place, n in enumerate(SIZES):
        rng, half = np.random.default_rng([SEED, place]), n // 2
        for kind, better, pvalues in (
            ("none better", 0, normal(rng, n, 0, 0, 0.0, NULL_FAMILIES)),
            ("half better", half, normal(rng, n, half, 3, 0.0, NULL_FAMILIES)),
            ("none better, few items", 0, few_items(rng, n, 0, 0, 0.5, NULL_FAMILIES)),
        ):
            for name, candidate in CANDIDATES.items():
                counted, named = candidate(pvalues, ALPHA)
                wrong = ((counted > better) | named[:, better:].any(axis=1)).mean()
                rows.append({"local test": name, "kind": kind, "wrong": wrong})
    table = pd.DataFrame(rows).pivot_table("wrong", "local test", "kind", aggfunc="max", sort=False)
    return table.map("{:.4f}".format)


def power(alpha):
    """Means over the grid, in shares of the datasets that are truly better."""
    rows = []
    for place, (n, better, effect, elsewhere, share) in enumerate(cells()):
        rng = np.random.default_rng([SEED, 1, place])
        pvalues = normal(rng, n, better, effect, elsewhere, FAMILIES)
        rows += told(pvalues, alpha, {"n": n, "better": better, "share": str(share)})
    return summary(pd.DataFrame(rows))


def told(pvalues, alpha, cell):
    """Return what each candidate says of families, beside Bonferroni's test."""
    least, names = by(pvalues, alpha, "bonferroni")
    better, rows = cell.get("better", 1), []
    for name, candidate in CANDIDATES.items():
        counted, named = candidate(pvalues, alpha)
        rows.append(
            cell
            | {
                "local test": name,
                "counted": counted.mean() / better,
                "named": named.sum(axis=1).mean() / better,
                "counts fewer": (counted < least).mean(),
                "names fewer": (names & ~named).any(axis=1).mean(),
            }
        )
    return rows


def summary(rows):
    """Average over the grid; of what is lost also the worst cell."""
    groups = rows.groupby("local test", sort=False)
    mean, worst = groups.mean(numeric_only=True), groups.max(numeric_only=True)
    columns = {name: mean[name] for name in ("counted", "named")}
    for name in ("counts fewer", "names fewer"):
        columns |= {name: mean[name], f"{name}, at most": worst[name]}
    return pd.DataFrame(columns).map("{:.3f}".format)


def real():
    """Count and name for all ordered pairs of real systems."""
    settings, tables = read_study(STUDY), []
    for family in settings.families:
        if family.name not in REAL:
            continue
        pvalues = all_pairs.compare(family).pvalues
        pairs = pvalues[~np.eye(len(pvalues), dtype=bool)]
        rows = pd.DataFrame(told(pairs, ALPHA, {})).set_index("local test")
        few = rows[["counts fewer", "names fewer"]] * len(pairs)
        shown = rows[["counted", "named"]].map("{:.2f}".format)
        tables.append((family.title, pairs.shape, shown.join(few.round().astype(int))))
    return tables


def markdown():
    """Return the whole report."""
    parts = [
        "# Local tests of independent datasets\n\nMade by `benchmarks/local_tests.py`.\n\n"
        "`fisher_bonferroni` makes Bonferroni's test at all of alpha, and Fisher's sum with the "
        "level that it leaves unused; the rows below it make Bonferroni's test at a share of "
        "alpha.",
        f"## Level\n\nShare of {NULL_FAMILIES:,} families with a false claim at alpha = {ALPHA}, "
        f"the largest of {', '.join(map(str, SIZES))} datasets (standard error of one: "
        f"{math.sqrt(ALPHA * (1 - ALPHA) / NULL_FAMILIES):.4f}). Better: by 3 standard errors. Few "
        "items: exact McNemar tests of 4 to 12 discordant items.\n\n" + flat(errors()),
    ]
    for alpha in (ALPHA, SMALL):
        parts.append(
            f"## Power at alpha = {alpha:g}\n\nMeans over {len(list(cells()))} cells of {FAMILIES} "
            f"families: {', '.join(map(str, SIZES))} datasets; A is better on one, a quarter, half "
            f"or all of them, by {', '.join(map(str, EFFECTS))} standard errors, and elsewhere "
            "level or two standard errors behind. Counted and named: in shares of the datasets "
            "that are truly better. Counts fewer, names fewer: share of families in which the "
            "count is below, or a name is missing of, Bonferroni's test (Holm's procedure); mean "
            "and worst cell.\n\n" + flat(power(alpha))
        )
    for title, (pairs, n), table in real():
        parts.append(
            f"## {title}\n\n{pairs} ordered pairs of systems on {n} datasets at alpha = {ALPHA}: "
            "mean count and names, and in how many pairs there are fewer than by Bonferroni's "
            "test.\n\n" + flat(table)
        )
    return "\n\n".join(parts) + "\n"


def flat(table):
    """Write a table with its index as the first column."""
    return table.reset_index().to_markdown(index=False, disable_numparse=True)


def main():
    """Print the report, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="a file; default: standard output")
    output = parser.parse_args().output
    if output is None:
        print(markdown())
    else:
        output.write_text(markdown(), encoding="utf-8")


if __name__ == "__main__":
    main()
