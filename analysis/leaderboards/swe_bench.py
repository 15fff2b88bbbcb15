"""SWE-bench: what 500 issues of 12 repositories can show, and the printed percentages judged."""

import dataclasses
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from analysis import paths
from analysis.published import read_published
from replicability import forensics as auditing
from replicability.core import all_pairs, design, design_wording
from replicability.show import tables
from replicability.show.style import COLOURS, STYLE
from replicability.stats import paired, power, power_of_counts

PAPER = "SWE-bench leaderboard, December 2025"

BOARD = "bash-only"

OUTCOMES = paths.ROOT / "data" / "outcomes" / "swe_bench.parquet"
"""One row per issue: ``dataset`` (repository), ``instance`` and a column for each model."""

KEYS = ["dataset", "instance"]

UNANSWERED = 99
"""The most issues that a board may have left out of a total, for want of a prediction."""

REPOSITORIES = (
    f"Smallest true gain (points) that is significant with probability {design.POWER:.0%}, on a "
    "repository tested alone and on one of 12 (Bonferroni), and the smallest possible p-value. We "
    "assume that one issue in {each:.2g} is resolved by exactly one model ({share:.1%}, the median "
    "over models with adjacent ranks). In empty cells, no gain suffices."
)
EXPECTED = (
    "Expected numbers of repositories with a significant difference if one model gains equally on "
    "all of them. The lower rows treat all issues as one dataset."
)
AS_ONE = (
    "Issues that only one model resolves, the difference (points) with its one-sided p-value "
    "(exact McNemar test), and the unweighted mean of the differences over repositories."
)
DISPUTED = (
    "Printed percentages that differ from the share of resolved issues in the model's list. For a "
    "model without a list: percentages that correspond to no whole number of resolved issues."
)
PAIRS = (
    "Number of pairs of models that differ significantly on all issues as one dataset, or on at "
    "least one repository. “Neighbours” have adjacent ranks. Also the largest lead without a "
    "significant difference, and the smallest lead with one (points). All claims are "
    "simultaneous for all pairs, or for all neighbours, at α = {alpha:g}."
)


# --- what is shown, and what can be -------------------------------------------------------------


def read_issues():
    """Read which issues each model resolves: a DataFrame, one row per issue."""
    return pd.read_parquet(OUTCOMES)


def discordant(systems):
    """Return the share of the issues that just one of two neighbours resolves: the median.

    `systems`: models; neighbours are those in the order of all issues that they resolve.

    Returns float. In [0, 1].
    """
    resolved = read_issues()[list(systems)]
    order = resolved.sum().sort_values(ascending=False, kind="stable").index
    resolved = resolved[order].to_numpy()
    return float(np.median((resolved[:, 1:] != resolved[:, :-1]).mean(axis=0)))


def suites(share, alpha):
    """Plan the repositories as they are, and all issues as one dataset.

    `share`: discordant share of the issues. `alpha`: level, in (0, 1).

    Returns dict of str to design.Suite. Name -> plan.
    """
    sizes = read_issues().groupby("dataset").size().sort_values(ascending=False)
    planned = {f"{len(sizes)} repositories": sizes, f"{sizes.sum()} issues": [sizes.sum()]}
    return {
        name: design.suite(list(own), discordant=share, alpha=alpha)
        for name, own in planned.items()
    }


def repositories(share, alpha):
    """Tabulate what each repository can show, the largest first, and all issues as one dataset.

    Returns DataFrame. ``repository``, ``issues``, ``smallest p``, whether it can be ``named`` among
    all, and the least gains in points ``alone`` and ``among all``, missing where none is enough.
    """
    sizes = read_issues().groupby("dataset").size().sort_values(ascending=False, kind="stable")
    wins = power.least_wins(len(sizes), alpha)
    rows = [
        {
            "repository": name,
            "issues": n,
            "smallest p": f"{0.5**n:.2g}",
            "can be named": "yes" if n >= wins else "no",
            "least gain alone": _least_gain(n, share, alpha),
            "least gain among all": _least_gain(n, share, alpha / len(sizes)),
        }
        for name, n in sizes.items()
    ]
    n = int(sizes.sum())
    alone = _least_gain(n, share, alpha)
    total = {"repository": "all issues as one", "issues": n, "smallest p": f"{0.5**n:.2g}"}
    total |= {"can be named": "yes", "least gain alone": alone, "least gain among all": alone}
    return pd.DataFrame([*rows, total])


def floors(share, alpha):
    """Say what no result of the repositories, and of all issues as one, can pass.

    Returns str. A paragraph for each.
    """
    return "\n\n".join(map(design_wording.floor, suites(share, alpha).values()))


def as_one(results):
    """Lay all issues as one dataset beside the mean over repositories.

    Returns DataFrame. ``A``, ``B``, the issues that ``only A`` and ``only B`` resolve, the
    difference in points over ``all issues`` with its one-sided ``p``, and the ``mean over
    repositories``.
    """
    issues, rows = read_issues(), []
    for result in results:
        systems = result.comparison.systems
        a, b = (issues[system] for system in systems)
        found = paired.mcnemar(a, b)
        rows.append(
            {
                "A": systems[0],
                "B": systems[1],
                "only A": int((a > b).sum()),
                "only B": int((b > a).sum()),
                "all issues": round(100 * (a - b).mean(), 1),
                "p": tables.pvalue(found.pvalue),
                "mean over repositories": round(result.evaluated["difference"].mean(), 1),
            }
        )
    return pd.DataFrame(rows)


def pairs(board):
    """Count the pairs of models that differ on all issues, and on some repository.

    `board`: the leaderboard, models in the order of the issues that they resolve.

    Returns DataFrame. A row each for all issues as one ``dataset`` and for the repositories:
    ``pairs`` and ``neighbours`` that differ, and in points of all issues the largest lead without a
    significant difference and the smallest with one.
    """
    right = read_issues()[list(board.systems)].to_numpy().astype(int)
    wins = right.T @ (1 - right)
    as_one = all_pairs.Pairs(
        board.systems,
        ("all issues",),
        100 * right.mean(axis=0)[:, None],
        paired.mcnemar_pvalues(wins, wins.T)[..., None],
    )
    ways = {
        "all issues as one dataset": dataclasses.replace(board, pairs=as_one),
        "at least one repository": board,
    }
    rows = []
    for name, found in ways.items():
        shown, leads = found.summary(), found.leads
        differ = (leads["above"] > 0) | (leads["below"] > 0)
        rows.append(
            {
                "compared on": name,
                "pairs": f"{differ.sum()} of {len(differ)}",
                "neighbours": shown["neighbours"],
                "against the ranking": shown["lower"] + shown["both"],
                "largest lead, no difference": round(found.largest_undecided, 1),
                "smallest lead that differs": round(leads.loc[differ, "lead"].min(), 1),
            }
        )
    return pd.DataFrame(rows)


def figure(table):
    """Draw the least gain with which a repository is shown, by its number of issues.

    Returns matplotlib.figure.Figure. Open markers alone, filled ones among all; those that no gain
    can show stand above. The title compares the largest repository with all issues.
    """
    own, total = table.iloc[:-1], table.iloc[-1]
    with plt.rc_context(STYLE):
        made, axis = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
        _draw_gains(axis, own, total)
        _name_points(axis, own)
        axis.set_xscale("log")
        ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500]
        axis.set_xticks(ticks, map(str, ticks))
        axis.minorticks_off()
        axis.set_ylim(bottom=0)
        axis.set_xlabel("issues")
        axis.set_ylabel("smallest true gain that is significant\nwith probability .8 (points)")
        axis.legend(loc="upper right", fontsize="small")
        largest = own.loc[own["issues"].idxmax()]
        axis.set_title(
            f"The largest repository ({largest['issues']} issues) needs a true gain of "
            f"{largest['least gain among all']:.0f} points;\n"
            f"all {total['issues']} issues as one dataset need {total['least gain alone']:.0f} "
            "points",
            loc="left",
        )
    return made


def _draw_gains(axis, own, total):
    """Draw the least gains of repositories, and above them those that have none."""
    blue = COLOURS["bonferroni"]
    x, named = own["issues"], own["least gain among all"]
    label = f"a repository among {len(own)} (Bonferroni)"
    axis.plot(x, own["least gain alone"], "o:", color=blue, mfc="none", label="a repository alone")
    axis.plot(x, named, "o-", color=blue, label=label)
    label = f"all {total['issues']} issues as one dataset"
    axis.plot(total["issues"], total["least gain alone"], "D", color=COLOURS["b"], label=label)
    none = x[named.isna()]
    label = f"{none.max()} issues or fewer: no gain is enough"
    heights = np.full(len(none), 1.1 * named.max())
    axis.plot(none, heights, "x", color=COLOURS["neutral"], label=label)


def _name_points(axis, own):
    """Write the names of repositories, of those that are near each other one."""
    shown = own.dropna(subset="least gain among all")
    for _, row in shown.groupby((np.log10(shown["issues"]) / 0.15).round()).head(1).iterrows():
        axis.annotate(
            row["repository"].partition("/")[2],
            (row["issues"], row["least gain among all"]),
            (4, 4),
            textcoords="offset points",
            fontsize="small",
        )


def _least_gain(n, share, alpha):
    """Return the least gain in points, rounded up, that one dataset of n items shows, or None.

    Where the gain is larger than the share, all discordant items are won.
    """

    def law_of(gain):
        given = {"discordant": max(share, gain), "alpha": alpha, "alternative": "greater"}
        return design.suite([n], **given).law(gain)

    gain = power_of_counts.least_gain(law_of, 1, design.POWER, values=design.printed(0, 1))
    return None if np.isnan(gain) else round(100 * gain, 1)


# --- the audit ----------------------------------------------------------------------------------


def audit():
    """Judge the printed percentages by the lists of resolved issues.

    Returns list of Verdict. One for each model: by its list, or without one whether it is a
    percentage of all issues. The board may have left out issues without a prediction,
    at most `UNANSWERED`.
    """
    issues = read_issues()
    n = len(issues)
    found = []
    for row in read_published("jimenez2024", "bash_only").itertuples():
        resolves = f"issues resolved by {_short(row.model)}"
        claim = auditing.Claim(PAPER, BOARD, resolves, f"{row.resolved}%")
        resolved = int(issues[row.column].sum()) if row.column else None
        readings = {f"of all {n} issues": _share_of(claim, resolved, n)}
        if readings[f"of all {n} issues"].verdict in (auditing.CONTRADICTED, auditing.IMPOSSIBLE):
            for fewer in range(n - 1, n - UNANSWERED - 1, -1):
                verdict = _share_of(claim, resolved, fewer)
                if verdict.verdict in (auditing.AGREES, auditing.UNCHECKED):
                    readings[f"of {fewer} issues, if those without a prediction are left out"] = (
                        verdict
                    )
                    break
        found.append(auditing.weigh_readings(readings))
    return found


def _share_of(claim, resolved, n):
    """Judge a percentage as that of the resolved issues, or of any number, out of n."""
    if resolved is None:
        return auditing.granularity(claim, n)
    said = f"{resolved} of {n} issues, according to the model's list."
    return auditing.value(claim, resolved / n, said, printing="rounded")


def disputed():
    """List the printed percentages that are not those of their lists, or of no list.

    Returns DataFrame. ``model``, ``printed``, ``resolved`` (issues in the list, out of all) and
    ``verdict``.
    """
    printed = read_published("jimenez2024", "bash_only")
    issues = read_issues()
    rows = [
        {
            "model": _short(row.model),
            "printed": verdict.published,
            "in its list": f"{issues[row.column].sum()} of {len(issues)}" if row.column else "",
            "verdict": verdict.verdict,
        }
        for row, verdict in zip(printed.itertuples(), audit(), strict=True)
        if verdict.verdict not in (auditing.AGREES, auditing.UNCHECKED)
    ]
    return pd.DataFrame(rows)


def _short(model):
    """Return the name of a model without dates and settings in brackets."""
    return re.sub(r" \([^()]*\)", "", model)
