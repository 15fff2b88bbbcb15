"""BIG-Bench Hard: on how many tasks chain of thought helps, beside what the paper prints."""

from dataclasses import replace

import pandas as pd

from analysis.leaderboards.suzgun2023 import SUMMARY, WAYS, audit, read_answers, read_paper
from replicability.core import findings
from replicability.core.procedure import TITLES
from replicability.show import tables

__all__ = ["audit", "back", "behind", "by_method", "printed_and_shown", "unfinished"]

GROUPS = {"algorithmic": "algorithmic", "language": "NLP"}
"""Group of the comparison -> column of Table 2."""

VALID = {
    "bonferroni": "any tasks",
    "simes": "positively dependent tasks",
    "fisher": "independent tasks",
}
"""Local test -> tasks for which it is valid."""

PRINTED = (
    "Mean accuracy (%) over the tasks of a group, and the gain: over all tasks, over the paper's "
    "23 tasks (two of which are three tasks each here), and as printed. The next columns give the "
    "number of tasks on which chain of thought scores higher, and the lower bound on the number "
    "with a true gain (closed testing, Fisher, α = {alpha:g})."
)
METHODS = (
    "Tasks on which chain of thought is significantly better, by local test in closed testing at "
    "α = {alpha:g}. With Bonferroni's test, the named tasks are those of Holm's procedure."
)
BEHIND = (
    "Tasks on which chain of thought scores lower: difference (points), one-sided p-value of "
    "“direct is better”, and number of chains without an answer."
)
BACK = (
    "Tasks on which the direct answer is significantly better, if only this direction is tested "
    "(at {alpha:g}), and if both directions are tested (at {half:g} each)."
)
UNFINISHED = (
    "Tasks with at least {least} chains that give no answer: accuracy (%) over all questions, and "
    "over the questions whose chain gives an answer."
)


def by_method(result):
    """Count and name by local tests that rest on different assumptions.

    `result`: chain of thought against a direct answer.

    Returns DataFrame. One row for each: ``local test``, ``valid for``, ``at least`` so many tasks,
    how many are ``named``, and of each group at least so many.
    """
    rows = []
    for method, valid in VALID.items():
        found = findings.find(
            replace(result.comparison, method=method), result.evaluated, result.alpha
        )
        row = {"local test": TITLES[method], "valid for": valid, "at least": found.k}
        row["named"] = len(found.identified_datasets)
        rows.append(row | {g: found.of_groups.at_least(d) for g, d in found.groups.items()})
    return pd.DataFrame(rows)


def behind(result):
    """List the tasks on which chain of thought is behind, the smallest p-value first.

    Returns DataFrame. ``task``, ``difference`` in points, ``p``, one-sided for the direct answer,
    and questions with ``no answer``.
    """
    table = result.evaluated
    lost = table[table["difference"] < 0].sort_values("p_reverse")
    ended = read_answers().groupby("dataset")["ended"]
    return pd.DataFrame(
        {
            "task": lost["dataset"],
            "difference": lost["difference"].round(1),
            "p": lost["p_reverse"].map(tables.pvalue),
            "no answer": lost["dataset"].map(ended.size() - ended.sum()),
        }
    )


def back(result):
    """Count and name the tasks on which the direct answer is significantly better.

    Returns DataFrame. ``local test``, ``asked``, ``alpha``, ``at least`` so many tasks, and those
    ``named``.
    """
    _, (reverse, answers) = findings.directions(result.comparison, result.evaluated)
    rows = []
    for method in VALID:
        for asked, level in (("alone", result.alpha), ("both directions", result.alpha / 2)):
            found = findings.find(replace(reverse, method=method), answers, level)
            row = {"local test": TITLES[method], "asked": asked, "alpha": level}
            rows.append(row | {"at least": found.k, "named": ", ".join(found.identified_datasets)})
    return pd.DataFrame(rows)


def printed_and_shown(result):
    """Lay the paper's means beside what follows from the answers.

    Returns DataFrame. One row for each group and for all tasks: ``tasks``, means of both ways over
    them, their ``gain``, that over the tasks as the paper counts them, and the printed one; on how
    many chain of thought is ahead, is shown to be better at least, and how many are ``named``.
    """
    table, finding = result.evaluated, result.findings[0]
    paper, rows = read_paper(), []
    for name, group in {**finding.groups, "all": table["dataset"].tolist()}.items():
        own = table[table["dataset"].isin(group)]
        column = GROUPS.get(name, "BBH all")
        chain, direct = (paper.mean(way, SUMMARY[column]).value for way in WAYS)
        rows.append(
            {
                "group": name,
                "tasks": len(own),
                "direct": own["score_b"].mean().round(1),
                "chain of thought": own["score_a"].mean().round(1),
                "gain": own["difference"].mean().round(1),
                "gain as the paper counts": round(chain - direct, 1),
                "printed gain": paper.summary.loc["Codex CoT", f"gain {column}"],
                "ahead on": int((own["difference"] > 0).sum()),
                "shown on at least": finding.of_groups.at_least(group),
                "named": len(set(finding.identified_datasets) & set(group)),
            }
        )
    return pd.DataFrame(rows)


def unfinished(least):
    """List the tasks on which chains of thought do not come to an answer.

    `least`: questions without one, from which on a task is listed.

    Returns DataFrame. ``task``, ``questions``, those ``without an answer``, and the accuracies in
    per cent of both ways over all questions and over those where the chain ends, most unfinished
    first.
    """
    rows = []
    for task, answers in read_answers().groupby("dataset", sort=False):
        ends = answers[answers["ended"] == 1]
        row = {"task": task, "questions": len(answers), "no answer": len(answers) - len(ends)}
        for part, where in ((answers, ""), (ends, ", where it ends")):
            for way in WAYS.values():
                row[way + where] = round(100 * part[way].mean(), 1)
        rows.append(row)
    found = pd.DataFrame(rows).query("`no answer` >= @least")
    return found.sort_values("no answer", ascending=False, kind="stable", ignore_index=True)
