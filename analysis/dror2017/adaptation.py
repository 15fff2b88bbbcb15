"""How much unlabelled text two systems for sentiment need, and what it makes of Table 4.

Accuracies are in per cent, differences in points; a mean over pairs of domains weighs them alike.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from analysis.published import read_published
from replicability import checks
from replicability.io import delimited
from replicability.io.text import shown
from replicability.show.style import COLOURS, STYLE

COLUMNS = ("variant", "dataset", "system", "texts", "seed", "correct", "reviews")
"""Columns of the file of counts, as `scripts/count_sentiment.py` writes it."""

TEXTS = ("domain", "fdu", "hatn", "labelled", "repeated", "reviews")
"""Columns of the file of unlabelled reviews, as `scripts/sentiment_text.py` writes it."""

A, B, UNADAPTED = "AE-SCL-SR", "mSDA", "LR"
"""The paper's pair of systems, A claimed better, and the classifier that adapts nothing."""

ALL, PARTS = "all", "parts"
"""Variants: the systems that are compared; A with a part switched off."""

MEAN = "mean"
DECIMALS = 6
"""Of the tables, so that whoever reads them rounds once."""

TEXT = (
    "Number of unlabelled reviews in each domain: in FDU-MTL, in HATN, removed because they are "
    "labelled, removed as duplicates, and remaining."
)
PUBLISHED = (
    "Accuracy (%) of LR, mSDA and AE-SCL-SR here and in Table 4, and the lead of AE-SCL-SR over "
    "mSDA (points). The accuracy of DANN on mSDA, from Ganin et al. (2016), was measured on "
    "another test set."
)
SEEDS = (
    "Accuracy (%) of AE-SCL-SR with each seed, mean and range over the seeds, and accuracy of "
    "mSDA, which uses no random numbers. The last row gives the means over the pairs of domains."
)
SIZES = (
    "Mean accuracy (%) over the pairs of domains, by the number of unlabelled reviews per domain, "
    "and the number of pairs on which each system is ahead."
)
WITHOUT = (
    "AE-SCL-SR with one part switched off and all else unchanged: mean accuracy (%) over the pairs "
    "of domains, its change (points), the smallest and the largest change on any pair, and the "
    "number of pairs with a lower accuracy."
)


def read_counts(file):
    """Read what every variant got right.

    `file`: table with the columns `COLUMNS`.

    Returns DataFrame. The table, with ``accuracy`` in per cent.

    Raises `InputError`: if the file is missing, lacks a column, or a variant has no row for a pair
    of domains.
    """
    table = _read_numbers(file, COLUMNS, ("texts", "seed", "correct", "reviews"))
    n_pairs = table["dataset"].nunique()
    sizes = table.groupby(["variant", "system"], sort=False).size()
    for (variant, system), size in sizes[sizes != n_pairs].items():
        raise checks.InputError(
            f"{shown(file)}: {system!r} in the variant {variant!r} has {size} rows, but there are "
            f"{n_pairs} pairs of domains; give it one row for each pair."
        )
    return table.assign(accuracy=100 * table["correct"] / table["reviews"])


def read_texts(file):
    """Read how many unlabelled reviews of each domain there are.

    `file`: table with the columns `TEXTS`, as `scripts/sentiment_text.py` writes it.

    Returns DataFrame. The table.

    Raises `InputError`: if the file is missing or lacks a column.
    """
    return _read_numbers(file, TEXTS, TEXTS[1:])


def accuracies(counts, variant):
    """Lay out the accuracies of a variant.

    `counts`: as `read_counts` returns it.

    Returns DataFrame. One row per pair of domains and one column per system, in the order of the
    file.
    """
    rows = counts[counts["variant"] == variant]
    table = rows.pivot_table(index="dataset", columns="system", values="accuracy")
    return table.loc[rows["dataset"].unique(), rows["system"].unique()]


def beside_published(counts):
    """Lay the accuracies beside those that the paper prints.

    `counts`: as `read_counts` returns it.

    Returns DataFrame. One row per pair of domains and their means.
    """
    here = accuracies(counts, ALL)[[UNADAPTED, B, A]]
    domains = [dataset.split(" → ") for dataset in here.index]
    setups = [" → ".join(name[0].upper() for name in pair) for pair in domains]  # as in Table 4
    printed = read_published("dror2017", "table4").set_index("setup").loc[setups]
    other = read_published("cited", "domain_adaptation").set_index("setup").loc[setups]
    table = here.assign(
        **{
            f"{A} minus {B}": here[A] - here[B],
            f"{B}, printed": 100 * printed["MSDA"].astype(float).to_numpy(),
            f"{A}, printed": 100 * printed["AE-SCL-SR"].astype(float).to_numpy(),
            "DANN on mSDA": other["printed"].astype(float).to_numpy(),
        }
    )
    table["printed difference"] = table[f"{A}, printed"] - table[f"{B}, printed"]
    table.loc[MEAN] = table.mean()
    return _read(table)


def by_seed(counts):
    """Lay out the accuracies of A by seed.

    `counts`: as `read_counts` returns it.

    Returns DataFrame. One row per pair of domains and their means.
    """
    whole = counts[counts["texts"].isna() & (counts["variant"] != PARTS)]
    own = whole[whole["system"] == A]
    table = own.pivot_table(index="dataset", columns="seed", values="accuracy")
    table = table.loc[own["dataset"].unique()].rename(columns=lambda seed: f"seed {seed}")
    table.columns.name = None
    other = accuracies(counts, ALL)[B]
    table.loc[MEAN] = table.mean()
    found = table.assign(
        mean=table.mean(axis=1), range=table.max(axis=1) - table.min(axis=1), **{B: other}
    )
    found.loc[MEAN, B] = other.mean()
    return _read(found)


def by_texts(counts, sizes):
    """Count and average by the number of unlabelled reviews.

    `counts`: as `read_counts` returns it. `sizes`: column ``reviews``: unlabelled reviews of each
    domain.

    Returns DataFrame. ``texts`` of a domain (the mean where all are used), mean accuracy of both
    systems, that of LR, and the numbers of pairs on which each is ahead; fewest texts first.
    """
    rows = []
    for variant in _variants_of_texts(counts):
        found = accuracies(counts, variant)
        ahead = found[A] - found[B]
        rows.append(
            {
                "texts": _texts(counts, variant, sizes),
                A: found[A].mean(),
                B: found[B].mean(),
                UNADAPTED: accuracies(counts, ALL)[UNADAPTED].mean(),
                f"{A} ahead": int((ahead > 0).sum()),
                f"{B} ahead": int((ahead < 0).sum()),
            }
        )
    return pd.DataFrame(rows).sort_values("texts", ignore_index=True).round(DECIMALS)


def by_part(counts):
    """Lay out what each part of A is worth.

    `counts`: as `read_counts` returns it.

    Returns DataFrame. A row for A as it is, one for each part that is switched off, and the other
    two systems.
    """
    whole = accuracies(counts, ALL)
    found = pd.concat([whole[[A]], accuracies(counts, PARTS), whole[[B, UNADAPTED]]], axis=1)
    change = found.sub(whole[A], axis=0)
    table = pd.DataFrame(
        {
            "system": found.columns,
            MEAN: found.mean().to_numpy(),
            "change": change.mean().to_numpy(),
            "least": change.min().to_numpy(),
            "greatest": change.max().to_numpy(),
            "lower on": (change < 0).sum().to_numpy(),
        }
    )
    return table.round(DECIMALS)


def learning_curve(counts, sizes):
    """Draw accuracy against the number of unlabelled reviews.

    Returns matplotlib.figure.Figure. Means over the pairs of domains, a thin line for each pair,
    and the published means.
    """
    means = by_texts(counts, sizes)
    printed = beside_published(counts).set_index("dataset").loc[MEAN]
    order = sorted(_variants_of_texts(counts), key=lambda v: _texts(counts, v, sizes))
    each = [accuracies(counts, variant) for variant in order]
    texts = means["texts"].to_numpy(float)
    apart, unadapted = texts[-1] * 2.2, means[UNADAPTED].iloc[0]
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.2, 4.8), layout="constrained")
        _draw_unadapted(axis, unadapted)
        for system, colour, marker, above in (
            (B, COLOURS["b"], "s", -13),
            (A, COLOURS["a"], "o", 12),
        ):
            pairs = np.array([table[system] for table in each])
            axis.plot(texts, pairs, color=colour, linewidth=0.6, alpha=0.35)
            axis.plot(texts, means[system], color=colour, marker=marker, linewidth=2.4)
            place = {"textcoords": "offset points", "va": "center", "color": colour}
            axis.annotate(system, (texts[-1], means[system].iloc[-1]), (9, 0), **place)
            level = printed[f"{system}, printed"]
            axis.plot(apart, level, marker=marker, markerfacecolor="white", color=colour, ms=8)
            axis.annotate(f"{level:.1f}", (apart, level), (0, above), ha="center", **place)
        axis.set_xscale("log")
        labels = [f"{n:,.0f}" for n in texts[:-1]] + [f"all\n({texts[-1]:,.0f})"]
        axis.set_xticks([*texts, apart], [*labels, "printed\nin Table 4"])
        axis.set_xlim(texts[0] / 1.25, apart * 1.6)
        axis.minorticks_off()
        axis.set_xlabel("unlabelled reviews per domain")
        axis.set_ylabel("accuracy on the target (%)")
        gain = means[[A, B]].iloc[-1] - means[[A, B]].iloc[0]
        reviews = counts["reviews"].iloc[0]
        axis.set_title(
            f"More text adds {gain[A]:.1f} points to {A} and {gain[B]:.1f} to {B}\n"
            f"thick: mean of {len(each[0])} pairs of domains ({reviews:,} test reviews each); "
            "thin: one pair",
            loc="left",
        )
    return figure


def _draw_unadapted(axis, accuracy):
    """Draw the level of LR, named beside the axes."""
    colour = COLOURS["neutral"]
    axis.axhline(accuracy, color=colour, linestyle="--", linewidth=1.2)
    axis.annotate(
        "LR, not\nadapted",
        (1, accuracy),
        (6, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        color=colour,
    )


def _variants_of_texts(counts):
    """Return the variants in which both systems are, which differ by their texts."""
    systems = counts.groupby("variant", sort=False)["system"].agg(set)
    return [variant for variant, found in systems.items() if {A, B} <= found]


def _texts(counts, variant, sizes):
    texts = counts.loc[counts["variant"] == variant, "texts"].iloc[0]
    return round(sizes["reviews"].mean()) if np.isnan(texts) else int(texts)


def _read_numbers(file, columns, numeric):
    table = delimited.read_table(file)
    for column in columns:
        if column not in table:
            raise checks.InputError(f"{shown(file)} has no column {column!r}; add it.")
    for column in numeric:
        try:
            table[column] = pd.to_numeric(table[column])
        except ValueError as error:
            raise checks.InputError(
                f"{shown(file)}, column {column!r}: {error}; give whole numbers."
            ) from None
    return table[list(columns)]


def _read(table):
    """Return a table as it is read, with the pairs of domains as a column."""
    return table.round(DECIMALS).rename_axis(index="dataset", columns=None).reset_index()
