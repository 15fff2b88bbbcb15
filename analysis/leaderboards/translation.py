"""WMT24: systems on language pairs of which nine share their source."""

import itertools
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from analysis import paths
from analysis.leaderboards.kocmi2024 import audit as audit
from analysis.leaderboards.kocmi2024 import read_human_ranking
from analysis.published import read_published
from replicability.core import evaluation, units
from replicability.core.numbers import rounded
from replicability.io import declared, several
from replicability.show import tables
from replicability.show.style import COLOURS, STYLE, plain

SYSTEMS = (
    "Systems with outputs for all language pairs: means over language pairs of segment-level chrF, "
    "corpus-level chrF, corpus-level BLEU and AutoRank (1 is best)."
)
PAIR = (
    "{a} and {b}: printed AutoRank and human rank; chrF, its difference (points, with 95% "
    "interval), one-sided p-value with documents as units, and whether {a} is named as better."
)
COUNTS = (
    "Language pairs on which the first system is better: number of small p-values, and lower "
    "bounds for each comparison taken alone."
)
DIRECTIONS = "Both directions are tested at joint level {alpha:g}, by joint flips."
SEGMENTS = "p-values with documents and with segments as units, and the design effect of documents."
EFFECTS = "Design effects of documents over all pairs of systems."
FAMILY = (
    "Number of pairs of systems in which one is significantly better on at least one language "
    "pair, on at least half of them, and on all of them."
)
UPSETS = (
    "Pairs in which the system with the lower mean chrF is significantly better on at least one "
    "language pair. All claims are simultaneous for all pairs at α = {alpha:g}."
)
METHODS = (
    "All {n} ordered pairs of systems are tested jointly at α = {alpha:g} by one set of flips, or "
    "each at α/{n}. The columns give the sum of the lower bounds and the number above zero. The "
    "last columns count the pairs for which the method's bound is above or below the bound by "
    "joint flips, and above both valid bounds (by joint flips and by Bonferroni)."
)
CORRELATIONS = (
    "Correlation between language pairs that share the English source: mean, smallest and largest "
    "over {n} pairs of systems."
)
AUDIT = "Numbers printed by the organisers, by verdict."
EMPTY = "Printed AutoRank of a system without any output."

METHODS_DRAWN = {"Fisher, as if independent": "fisher", "Bonferroni": "bonferroni"}
"""Title of a panel -> method."""


def by_system(pairs):
    """Lay the means of each system over the language pairs beside its AutoRank.

    `pairs`: chrF of all systems.

    Returns DataFrame. ``system``; ``chrF`` of segments, ``chrF, corpus`` and ``BLEU, corpus``;
    ``AutoRank``, and how often it is ``first`` by segments and by AutoRank; the highest chrF first.
    """
    file = paths.ROOT / "data" / "outcomes" / "translation_corpora.parquet"
    corpora = pd.read_parquet(file).groupby("system")[["chrf", "bleu"]].mean()
    ranks = _autoranks().loc[list(pairs.systems)]
    first = np.bincount(pairs.scores.argmax(axis=0), minlength=len(pairs.systems))
    return pd.DataFrame(
        {
            "system": pairs.systems,
            "chrF": pairs.scores.mean(axis=1).round(1),
            "chrF, corpus": corpora["chrf"].reindex(pairs.systems).round(1).to_numpy(),
            "BLEU, corpus": corpora["bleu"].reindex(pairs.systems).round(1).to_numpy(),
            "AutoRank": ranks.mean(axis=1).round(1).to_numpy(),
            "first by chrF": first,
            "first by AutoRank": (ranks == 1).sum(axis=1).to_numpy(),
        }
    )


def _autoranks():
    """Return AutoRank of systems (rows) on language pairs, as printed."""
    printed = read_published("kocmi2024", "autorank").astype({"autorank": float})
    return printed.pivot_table("autorank", "system", "dataset")


def named_pair(result):
    """Lay what is printed of two systems beside their chrF, language pair by language pair.

    `result`: the named pair.

    Returns DataFrame. One row per language pair.
    """
    ranks = read_published("kocmi2024", "autorank").astype({"autorank": float})
    ranks = ranks.set_index(["dataset", "system"])["autorank"]
    human = read_human_ranking()
    human = human.set_index(["dataset", "system"])["rank"]
    finding = result.findings[0]
    a, b = finding.systems
    rows = []
    for row in result.evaluated.rows.itertuples():
        beside = {
            f"{what}, {system}": printed[row.dataset, system]
            for what, printed in (("AutoRank", ranks), ("human", human))
            for system in (a, b)
        }
        difference, *ends = (rounded(x, 1) for x in (row.difference, row.low, row.high))
        rows.append(
            {
                "language pair": row.dataset,
                **beside,
                f"chrF, {a}": round(row.score_a, 1),
                f"chrF, {b}": round(row.score_b, 1),
                "difference": f"{difference} ({' to '.join(ends)})",
                "p": tables.pvalue(row.p_value),
                "named": "yes" if row.dataset in finding.identified_datasets else "",
            }
        )
    return pd.DataFrame(rows)


def by_segments(results):
    """Compare p-values by documents with those that would follow if segments were independent.

    Returns DataFrame. One row per comparison and language pair: ``segments``, ``documents``, both
    one-sided p-values of "A is better" and of "B is better", and the ``design effect``.
    """
    found = []
    for result in results:
        comparison, table = result.comparison, result.evaluated
        if comparison.unit != declared.INSTANCE and comparison.score.startswith("chrF"):
            alone = replace(comparison, unit=declared.INSTANCE, shared={}, method="")
            found.append(_both_units(comparison.title, table, evaluation.evaluate(alone)))
    return pd.concat(found, ignore_index=True)


def _both_units(title, table, alone):
    """Return the rows of `by_segments` of a comparison."""
    sides = {"A": "p_value", "B": "p_reverse"}
    pvalues = {
        f"{side}, by {unit}": found[column].map(tables.pvalue)
        for side, column in sides.items()
        for unit, found in (("documents", table), ("segments", alone))
    }
    return pd.DataFrame(
        {
            "comparison": title,
            "language pair": table["dataset"],
            "segments": table["n"],
            "documents": table["units"],
            **pvalues,
            "design effect": table["design_effect"].round(2),
        }
    )


def of_all_pairs(pairs, alpha):
    """Count by methods that rest on different assumptions, for all ordered pairs of systems.

    `pairs`: with joint flips. `alpha`: joint level of all pairs.

    Returns DataFrame. One row per method: ``valid for``, the ``sum`` of the counts, ordered pairs
    with a count ``above zero``, and those with ``more`` and ``fewer`` datasets than by joint flips,
    with the ``largest excess`` and the ``largest deficit``; and those with ``more than either``
    joint flips or Bonferroni's method, which are both valid here.
    """
    measured, each = pairs.joint_counts(alpha).to_numpy(), alpha / pairs.n_pairs
    counted = {
        ("joint flips", "documents that are shared"): measured,
        ("Bonferroni", "any datasets"): pairs.k_hat(each, "bonferroni").to_numpy(),
        ("Fisher", "independent datasets"): pairs.k_hat(each, "fisher").to_numpy(),
    }
    valid_by_any = np.maximum(measured, counted["Bonferroni", "any datasets"])
    return pd.DataFrame(
        [
            {
                "method": method,
                "valid for": valid,
                "sum": int(k.sum()),
                "above zero": int((k > 0).sum()),
                "more": int((k > measured).sum()),
                "largest excess": int((k - measured).max()),
                "more than either": int((k > valid_by_any).sum()),
                "fewer": int((k < measured).sum()),
                "largest deficit": int((measured - k).max()),
            }
            for (method, valid), k in counted.items()
        ]
    )


def correlations(family):
    """Measure for each two systems how much the language pairs with one source correlate.

    `family`: with documents as units that language pairs share, and joint flips.

    Returns DataFrame. One row for each two systems: ``A``, ``B``, the mean correlation of two
    language pairs that share documents ``by flips``, in which a lead on every document counts as
    common, and that of the differences ``around the mean``, in which it does not.
    """
    pairs = family.pairs
    names, parts = several.read(family.family)
    parts = [units.several_by_unit(part) for part in parts]
    rows = []
    for i, j in itertools.combinations(range(len(pairs.systems)), 2):
        flips = pairs.flips.of(i, j)
        shared = np.triu(flips.shared, 1) > 0
        a, b = pairs.systems[i], pairs.systems[j]
        two = [part.pair(names.index(a), names.index(b)) for part in parts]
        values = units.covariance(two, family.family.shared).values
        errors = np.sqrt(np.diagonal(values))
        centred = values / np.outer(errors, errors)
        rows.append((a, b, flips.correlations[shared].mean(), centred[shared].mean()))
    return pd.DataFrame(rows, columns=["A", "B", "by flips", "around the mean"])


def design_effects(family):
    """Measure the design effect of documents, for each two systems and language pair.

    `family`: with documents as units.

    Returns DataFrame. ``dataset``, ``A``, ``B`` and ``effect``.
    """
    systems, parts = several.read(family.family)
    rows = []
    for part in parts:
        for i, j in itertools.combinations(range(len(systems)), 2):
            segments = part.pair(i, j)
            effect = units.design_effect(segments, units.by_unit(segments))
            rows.append((part.name, systems[i], systems[j], effect))
    return pd.DataFrame(rows, columns=["dataset", "A", "B", "effect"])


def medians(effects):
    """Summarise the design effects of each language pair, and of all.

    Returns DataFrame. ``language pair``, ``pairs of systems``, the ``median``, ``least`` and
    ``largest`` effect, and how many are ``below 1``.
    """
    rows = []
    for name, part in [*effects.groupby("dataset", sort=False), ("all", effects)]:
        effect = part["effect"]
        ends = {"median": effect.median(), "least": effect.min(), "largest": effect.max()}
        row = {"language pair": name, "pairs of systems": len(effect)}
        row |= {end: round(value, 2) for end, value in ends.items()}
        rows.append(row | {"below 1": int((effect < 1).sum())})
    return pd.DataFrame(rows)


def empty():
    """List where a system whose outputs are all empty stands in the automatic ranking.

    Returns DataFrame. ``language pair``, AutoRank of the empty system, and the systems ``ranked
    below`` it.
    """
    ranks, rows = _autoranks(), []
    for dataset, rank in ranks.loc["ONLINE-empty"].dropna().items():
        below = ranks.index[ranks[dataset] > rank]
        names = [f"{system} ({ranks.loc[system, dataset]:.1f})" for system in below]
        row = {"language pair": dataset, "ONLINE-empty": rank}
        rows.append(row | {"ranked below": ", ".join(names)})
    return pd.DataFrame(rows)


def dependence_figure(measured, pairs, alpha):
    """Draw what other methods count more or less than joint flips, by the measured correlation.

    `measured`: as `correlations` returns it. `pairs`: with joint flips. `alpha`: joint level of
    all pairs.

    Returns matplotlib.figure.Figure. A point for each ordered pair of systems with a count by
    either method; points of one place are spread.
    """
    joint = pairs.joint_counts(alpha)
    x = np.tile(measured["around the mean"].to_numpy(), 2)
    ordered = [*measured[["A", "B"]].to_numpy(), *measured[["B", "A"]].to_numpy()]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.6), layout="constrained", sharey=True)
        for axis, (title, method) in zip(axes, METHODS_DRAWN.items(), strict=True):
            other = pairs.k_hat(alpha / pairs.n_pairs, method)
            k, own = (np.array([table.loc[a, b] for a, b in ordered]) for table in (other, joint))
            more, some = k - own, (k > 0) | (own > 0)
            spread = np.linspace(-0.3, 0.3, len(x)) * (np.arange(len(x)) % 2 * 2 - 1)
            axis.plot(x[some], (more + spread)[some], ".", color=COLOURS["a"], alpha=0.7)
            axis.axhline(0, color=COLOURS["faint"], linewidth=1, zorder=0)
            counts = f"more: {(more > 0).sum()}, fewer: {(more < 0).sum()}"
            axis.set_title(f"{title}\n{counts} of {len(x)} ordered pairs", fontsize="medium")
            axis.set_xlabel("mean correlation of language pairs\nthat share the English source")
        axes[0].set_ylabel("difference from the bound by\njoint flips (language pairs)")
    return figure


def effects_figure(effects):
    """Draw the design effects of documents on each language pair.

    Returns matplotlib.figure.Figure. A row per language pair: a point for each two systems, and a
    line at their median.
    """
    medians = effects.groupby("dataset")["effect"].median().sort_values()
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
        for y, (dataset, median) in enumerate(medians.items()):
            x = effects.loc[effects["dataset"] == dataset, "effect"].to_numpy()
            spread = np.linspace(-0.25, 0.25, len(x))
            axis.plot(x, y + spread, ".", markersize=3, color=COLOURS["a"], alpha=0.5)
            axis.plot([median, median], [y - 0.36, y + 0.36], color="black", linewidth=2)
        axis.axvline(1, color=COLOURS["faint"], linewidth=1, zorder=0)
        axis.set_yticks(range(len(medians)), map(plain, medians.index))
        n = effects.groupby("dataset").size().max()
        axis.set_xlabel(f"design effect (dot: one pair of systems; line: median of {n} pairs)")
        above = int((effects["effect"] > 1).sum())
        axis.set_title(
            f"In {above:,} of {len(effects):,} cases, documents vary more\n"
            "than they would if segments were independent",
            loc="left",
        )
    return figure
