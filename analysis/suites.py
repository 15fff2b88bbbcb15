"""Benchmark suites: what those that people use, and the open study's own, can show."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from analysis import paths
from analysis.studies import read_study
from replicability.api import plan, studies
from replicability.core import design, design_wording
from replicability.core.procedure import TITLES
from replicability.show import design as drawn
from replicability.show.style import NAMES, STYLE, plain

FACTORS = (0.5, 1, 2, 4)
"""Multiples of the sizes in the figure and its table."""


def read_suites(discordant, alpha):
    """Plan the suites that people use.

    `discordant`: share of the items that one of both systems wins. `alpha`: level, in (0, 1).

    Returns dict of str to design.Suite. Name -> suite of independent datasets; round sizes from
    ``data/suites.csv``.
    """
    listed = pd.read_csv(paths.ROOT / "data" / "suites.csv")
    suites = {}
    for row in listed.itertuples():
        sizes = np.linspace(int(row.least), int(row.most), int(row.datasets)).round().astype(int)
        suites[row.suite] = design.suite(sizes.tolist(), discordant=discordant, alpha=alpha)
    return suites


def read_distributed(discordant, alpha):
    """Plan the same suites with the size that each dataset has as it is distributed.

    Returns dict of str to design.Suite. Name -> suite of independent datasets; sizes from
    ``data/suite_sizes.csv``.
    """
    listed = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv")
    return {
        f"{name}, as distributed": design.suite(
            rows["items"].tolist(), discordant=discordant, alpha=alpha
        )
        for name, rows in listed.groupby("suite", sort=False)
    }


def read_pilots(study, comparisons, alpha):
    """Plan suites from comparisons of a study, with their own sizes and spread.

    `study`: file of the study. `comparisons`: names of comparisons that start at items.
    `alpha`: level, in (0, 1).

    Returns dict of str to design.Suite. Title -> suite, with the dependence that the comparison
    declares, in both directions as the other suites.
    """
    declared = {comparison.name: comparison for comparison in read_study(study).comparisons}
    pilots = {}
    for name in comparisons:
        comparison = declared[name]
        asked = {"spread": {}, "alpha": alpha, "alternative": "two-sided"}
        planned = plan.plan(None, studies.asked(comparison, (alpha,)), **asked).suite
        what = comparison.section.replace("_", " ")
        pilots[f"{len(planned.sizes)} datasets of {what} ({comparison.title})"] = planned
    return pilots


def expected(suites, gains):
    """Tabulate what each suite is expected to show as it is.

    `suites`: name -> suite. `gains`: true gains, as shares; of right and wrong answers only those
    that are possible.

    Returns DataFrame. A row for each suite and gain: ``suite``, ``instances``, ``gain`` in points,
    expected ``count``, ``k_bonferroni``, and, by the ``method`` of the suite, ``k̂`` and ``P(k̂ >
    0)``.
    """
    return _rounded(
        table.assign(suite=name, method=TITLES[planned.method])
        for name, planned in suites.items()
        # no gain is larger than the share of discordant instances
        for possible in [[g for g in gains if not planned.binary or g <= planned.most]]
        for table in [design.table(planned, possible, factors=(1,))]
    )


def by_size(tables):
    """Lay tables of several suites, as `sizes` makes them, one below the other."""
    return _rounded(table.assign(suite=name) for name, table in tables.items())


def sizes(suites, gains):
    """Tabulate each suite with fewer and more items.

    `suites`: name -> suite. `gains`: true gains, as shares.

    Returns dict of str to DataFrame. Name -> as `design.table` returns it.
    """
    return {name: design.table(planned, gains, FACTORS) for name, planned in suites.items()}


def small_sets(planned, gains):
    """Tabulate a suite with its small datasets kept, merged and dropped.

    `planned`: a suite with two small datasets or more. `gains`: true gains, as shares.

    Returns DataFrame. For each gain: ``gain`` in points, and the expected k-hat if the small sets
    are ``kept``, ``merged`` and ``dropped``.
    """
    rows = []
    for gain in gains:
        compared = design.small_sets(planned, gain).set_index("suite")["k_hat"]
        rows.append({"gain": design.points(gain)} | compared.round(1).to_dict())
    return pd.DataFrame(rows)


def sentences(suites, gain):
    """Say of each suite what is expected and what no result can pass, a paragraph for each."""
    return "\n\n".join(
        f"{name}: {design_wording.expected(planned, gain)} {design_wording.floor(planned)}"
        for name, planned in suites.items()
    )


def figure(suites, tables, gain):
    """Draw expected k-hat by size for one gain, a panel for each suite.

    `suites`: name -> suite. `tables`: as `sizes` returns them. `gain`: one of their true gains.

    Returns matplotlib.figure.Figure. With the expected number of small p-values. Titles have
    expected k-hat of the suite as it is.
    """
    with plt.rc_context(STYLE):
        made, axes = plt.subplots(
            -(-len(suites) // 2),
            2,
            figsize=(7.3, 1.0 + 2.5 * -(-len(suites) // 2)),
            squeeze=False,
            layout="constrained",
        )
        for axis in axes.flat[len(suites) :]:
            axis.set_visible(False)
        for axis, (name, planned) in zip(axes.flat, suites.items(), strict=False):
            rows = tables[name][tables[name]["gain"] == gain]
            drawn.panel(axis, planned, rows)
            k = rows.loc[rows["factor"] == 1, "k_hat"].item()
            axis.set_title(f"{plain(name)}: {k:.1f}", loc="left")
        for axis in axes[:, 0]:
            axis.set_ylabel("expected datasets")
        for axis in axes[-1]:
            axis.set_xlabel("items per dataset")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower center", ncols=2)
        by = " or ".join(dict.fromkeys(NAMES[planned.method] for planned in suites.values()))
        made.suptitle(
            f"Expected k̂ (by {by}) if A is better by {design.points(gain)} on every dataset\n"
            "Above each panel: expected k̂ of the suite as it is (grey line)",
            fontsize="medium",
        )
    return made


def _rounded(tables):
    """Lay tables one below the other, with gains in points and numbers to one digit."""
    rows = pd.concat(tables, ignore_index=True)
    rows = rows.rename(columns={"bonferroni": "k_bonferroni"})
    rows["gain"] = rows["gain"].map(design.points)
    for column in ("count", "k_bonferroni", "k_hat"):
        rows[column] = rows[column].round(1)
    rows["any"] = rows["any"].round(2)
    first = ["suite", "instances", "gain", "count", "k_bonferroni"]
    rows = rows[[*first, *(["method"] if "method" in rows else []), "k_hat", "any"]]
    return rows.rename(columns={"k_hat": "k̂", "any": "P(k̂ > 0)"})
