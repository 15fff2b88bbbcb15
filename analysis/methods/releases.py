"""Show how often rules for releases are wrong, and what a suite needs for the gate to ship."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import PercentFormatter
from scipy import optimize

from analysis import paths
from analysis.methods.release_rules import ALPHA, CHANGES, DISCORDANT, MARGIN
from replicability.core import release
from replicability.show.style import COLOURS, STYLE

RULES = {
    "worst": "worst verdict",
    "mean": "mean",
    "bonferroni": "Bonferroni",
    "gate": "gate",
    "independent": "gate, independent",
}
"""Rule of `release_rules` -> its name for readers; the last gate is told that datasets are."""

SUITES = {
    "BFCL": ("#D55E00", "o"),
    "BBH": ("#E69F00", "s"),
    "MMLU": ("#56B4E9", "^"),
    "MMLU-Pro": ("#004D80", "D"),
}
"""Suites, from the fewest items per benchmark to the most -> their colours and markers."""

TITLES = {
    "nothing": "Nothing changed: blocked",
    "one by 5 points": "One benchmark\n5 points worse: missed",
    "half by 3 points": "Half of the benchmarks\n3 points worse: missed",
    "all by 2 points": "All benchmarks\n2 points worse: missed",
}
"""Change of `release_rules` -> the title of its panel."""

WANTED = release.POWER
"""Share of unchanged releases that should ship."""


def errors_of(file):
    """Read the simulated releases with the shares that each rule decided wrongly.

    `file`: as `release_rules.table` writes it, relative to the checkout.

    Returns DataFrame. Its rows with ``wrong``: blocked where nothing got worse, else not blocked.
    """
    rates = pd.read_csv(paths.ROOT / file)
    blocked = rates["blocked"] / rates["releases"]
    return rates.assign(wrong=np.where(rates["worse"] == "nothing", blocked, 1 - blocked))


def ranges(rates):
    """Tabulate the least and the largest share of wrong decisions, by change and rule."""
    spans = rates.groupby(["worse", "rule"])["wrong"].agg(["min", "max"])
    rows = [
        {"got worse": change, "wrong decision": "blocks" if change == "nothing" else "misses"}
        | {name: _span(*spans.loc[change, rule]) for rule, name in RULES.items()}
        for change in CHANGES
    ]
    return pd.DataFrame(rows)


def needs(rates):
    """Tabulate what the gate needs to ship `WANTED` of the releases in which nothing changed.

    `rates`: as `errors_of` returns them.

    Returns DataFrame. For each suite and share of changed items: the simulated share that ships,
    the margin and the items of each benchmark that would do, and the share that ships if the mean
    decides.

    Notes
    -----
    All but the simulated share by the normal approximation; margin and items for independent
    benchmarks.
    """
    sizes = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv").groupby("suite")["items"]
    gates = rates[(rates["worse"] == "nothing") & (rates["rule"] == "gate")]
    rows = []
    for cell in gates.sort_values(["suite", "discordant"]).itertuples():
        items, n = sizes.get_group(cell.suite), int(cell.n)
        spread = np.sqrt(cell.discordant / items)
        least = release.items_needed(
            [1], [np.sqrt(cell.discordant)], [0], [MARGIN], ALPHA, WANTED ** (1 / n)
        )
        rows.append(
            {
                "suite": f"{cell.suite} ({n})",
                "items changed": f"{cell.discordant:.0%}",
                "ships": f"{cell.shipped / cell.releases:.1%}",
                "margin needed": f"{100 * margin_needed(spread):.1f} points",
                "items per benchmark": f"{items.mean():,.0f}",
                "items needed": f"{least[0]:,.0f}",
                **{
                    f"mean ships, {how}": f"{release.powers([error], [MARGIN], ALPHA)[0]:.0%}"
                    for how, error in {
                        "any dependence": spread.mean(),
                        "independent": np.sqrt((spread**2).sum()) / n,
                    }.items()
                },
            }
        )
    return pd.DataFrame(rows)


def margin_needed(spread):
    """Return the margin with which `WANTED` of unchanged releases ship on every dataset.

    `spread`: standard errors of independent datasets.
    """

    def lacking(margin):
        each = release.powers(spread, np.full(len(spread), margin), ALPHA)
        return release.power(each, len(each)) - WANTED

    return optimize.brentq(lacking, 1e-9, 1.0)


def figure(rates):
    """Draw the share of releases that each rule decides wrongly, a panel for each change.

    `rates`: as `errors_of` returns them.
    """
    spans = rates[rates["worse"] == "nothing"].groupby("rule")["wrong"].agg(["min", "max"])
    with plt.rc_context(STYLE):
        made, axes = plt.subplots(2, 2, figsize=(7, 6.4), sharey=True, layout="constrained")
        for axis, change in zip(axes.flat, CHANGES, strict=True):
            of_panel = rates[rates["worse"] == change]
            for place, (suite, (colour, marker)) in enumerate(SUITES.items()):
                cells = of_panel[of_panel["suite"] == suite].sort_values("discordant")
                for row, rule in enumerate(RULES):
                    own = cells[cells["rule"] == rule]
                    y = row + 0.2 * (place - (len(SUITES) - 1) / 2)
                    axis.plot(own["wrong"], [y] * len(own), color=colour, lw=1)
                    axis.scatter(
                        own["wrong"],
                        [y] * len(own),
                        s=_area(own["discordant"]),
                        color=colour,
                        marker=marker,
                        edgecolor="white",
                        linewidth=0.5,
                        zorder=3,
                        clip_on=False,
                    )
            if change == "nothing":
                axis.axvline(ALPHA, color=COLOURS["neutral"], lw=1, ls="--")
                axis.annotate(f"{ALPHA:.0%}", (ALPHA + 0.02, -0.62), va="center", fontsize=9)
            axis.set_title(TITLES[change], loc="left", fontsize=10)
            axis.set_xlim(0, 1)
            axis.xaxis.set_major_formatter(PercentFormatter(1))
            for edge in np.arange(len(RULES) - 1) + 0.5:
                axis.axhline(edge, color=COLOURS["faint"], lw=0.5)
        axes[0, 0].set_yticks(range(len(RULES)), RULES.values())
        axes[0, 0].set_ylim(len(RULES) - 0.5, -0.8)
        for axis in axes[1]:
            axis.set_xlabel("share of wrong decisions")
        shown = [
            plt.Line2D([], [], color=colour, marker=marker, label=suite)
            for suite, (colour, marker) in SUITES.items()
        ]
        for share in DISCORDANT:
            size = np.sqrt(_area(share))
            mark = {"color": COLOURS["neutral"], "marker": "o", "ls": "", "markersize": size}
            shown.append(plt.Line2D([], [], **mark, label=f"{share:.0%} of items changed"))
        made.legend(handles=shown, loc="outside lower center", ncols=4, fontsize=9)
        worst, gate = spans.loc["worst"], spans.loc["gate"]
        made.suptitle(
            f"The worst verdict blocks {worst['min']:.0%} to {worst['max']:.0%} of releases in "
            f"which nothing changed,\nand the gate blocks at most {gate['max']:.1%}. "
            "In return, the gate misses more regressions.",
            fontsize=11,
        )
    return made


def _area(share):
    return 12 + 240 * share


def _span(least, most):
    return f"{100 * least:.1f} to {100 * most:.1f}%"
