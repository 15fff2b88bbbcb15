"""The numbers of Suzgun et al. (2023) on BIG-Bench Hard: which follow from answers, or from others.

`audit` has them all. The functions behind it judge one kind of number each.
"""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import paths
from analysis.published import read_published
from replicability import forensics as auditing

PAPER = "Suzgun et al. 2023"

OUTCOMES = paths.ROOT / "data" / "outcomes" / "big_bench_hard.parquet"
"""One row per question: ``dataset``, ``chain of thought``, ``direct`` and ``ended``."""

WAYS = {"Codex CoT": "chain of thought", "Codex answer-only": "direct"}
"""Column of the paper's Table 3 -> way of prompting."""

MODELS = ("InstructGPT", "Codex", "PaLM")

ROWS = {"NLP Task (avg)": "", "Algorithmic Task (avg)": "λ", "All Tasks (avg)": None}
"""Row of means in Table 3 -> mark of the tasks that it has; None for all of them."""

SUMMARY = {"NLP": "", "algorithmic": "λ", "BBH all": None}
"""Column of Table 2 -> the same."""

NEEDS_OUTPUTS = (
    "Checking the claim requires the model's outputs or people's answers, which are not public."
)


def read_answers():
    """Read which questions are answered right: a DataFrame, one row per question."""
    return pd.read_parquet(OUTCOMES)


@dataclass(frozen=True, eq=False)
class Printed:
    """What the paper prints, as text, and what follows from the answers.

    Attributes
    ----------
    tasks, means : DataFrame of str
        The 23 tasks of Table 3, and its three rows of means.
    summary : DataFrame of str
        Table 2.
    quoted : dict of str to dict of str to Claim
        Section -> quantity -> claim of the text.
    accuracies : DataFrame, shape (27, 2)
        Accuracy of Codex in per cent for each task of the answers, by both ways of prompting.
    sizes : Series, shape (27,)
        Questions of each.
    """

    tasks: pd.DataFrame
    means: pd.DataFrame
    summary: pd.DataFrame
    quoted: dict
    accuracies: pd.DataFrame
    sizes: pd.Series

    @property
    def columns(self):
        """Columns of Table 3 with numbers."""
        return list(self.tasks.columns[1:])

    def members(self, mark):
        """Return the tasks of Table 3 with a mark, "" for those without, None for all."""
        return [t for t in self.tasks.index if mark in (None, self.tasks["algorithmic"][t])]

    def parts(self, task):
        """Return the tasks of the answers that are a task of Table 3, or its parts."""
        name = re.sub(r"[-[\]()λ]|avg", "", task).strip().lower()
        return [part for part in self.accuracies.index if part.startswith(name)]

    def measured(self, column, task):
        """Return the numbers that may stand in a cell of Table 3, as an `Interval`."""
        if column not in WAYS:
            return auditing.printed_interval(self.tasks.loc[task, column])
        mean = float(self.accuracies.loc[self.parts(task), WAYS[column]].mean())
        return auditing.Interval(mean, mean, mean)

    def mean(self, column, mark):
        """Return the numbers that may be the mean of a column over tasks, as an `Interval`."""
        cells = [self.measured(column, task) for task in self.members(mark)]
        low, value, high = (
            float(np.mean([getattr(cell, end) for cell in cells]))
            for end in ("low", "value", "high")
        )
        return auditing.Interval(low, value, high)

    def above_people(self, column):
        """Count the tasks on which the accuracies of a column exceed the mean of people."""
        numbers = self.tasks[[column, "human average"]].astype(float)
        return int((numbers[column] > numbers["human average"]).sum())


def read_paper():
    """Read what the paper prints, and the answers; return `Printed`."""
    table = read_published("suzgun2023", "table3").set_index("task")
    by_task = read_answers().groupby("dataset")
    return Printed(
        table.drop(index=list(ROWS)),
        table.loc[list(ROWS)],
        read_published("suzgun2023", "table2").set_index("row"),
        auditing.quoted(PAPER, read_published("suzgun2023", "text")),
        100 * by_task[list(WAYS.values())].mean(),
        by_task.size(),
    )


def audit():
    """Judge the numbers of the paper and the accuracies that its authors computed.

    Returns list of Verdict. One per number or list.
    """
    printed = read_paper()
    found = [
        *accuracies(printed),
        *cells(printed),
        *means(printed),
        *gains(printed),
        *above_people(printed),
        *sizes(printed),
        *named(printed),
    ]
    text = read_published("suzgun2023", "text")
    return found + auditing.remaining(PAPER, text, found, NEEDS_OUTPUTS)


def accuracies(printed):
    """Judge the accuracies in the authors' files, ``*_eval_metrics.jsonl``, by the answers."""
    computed = read_published("suzgun2023", "eval_metrics").set_index("task")
    return [
        auditing.value(
            auditing.Claim(PAPER, "files of accuracies", f"{way} on {task}", row[way]),
            printed.accuracies.loc[task, way],
            f"The share of {printed.sizes[task]} answers that equal the target.",
        )
        for task, row in computed.iterrows()
        for way in WAYS.values()
    ]


def cells(printed):
    """Judge the accuracies of Table 3: those of Codex by its answers, the others not at all."""
    judged = [
        auditing.value(
            _claim("Table 3", f"{column} on {task}", printed.tasks.loc[task, column]),
            printed.measured(column, task),
            "The share of right answers, averaged over the parts if the task has several.",
        )
        for column in WAYS
        for task in printed.tasks.index
    ]
    others = [column for column in printed.columns if column not in WAYS]
    table = printed.tasks.reset_index()
    reason = NEEDS_OUTPUTS
    return judged + auditing.unchecked_table(PAPER, "Table 3", table, "task", others, reason)


def means(printed):
    """Judge the means of Tables 2 and 3 by the accuracies of the tasks.

    Those of Codex follow from its answers, the others from the cells of Table 3.
    """
    third = [
        (_claim("Table 3", f"{column}, {row}", printed.means.loc[row, column]), column, mark)
        for row, mark in ROWS.items()
        for column in printed.columns
    ]
    second = [
        (_claim("Table 2", f"{row}, {column}", printed.summary.loc[row, column]), row, mark)
        for column, mark in SUMMARY.items()
        for row in printed.summary.index
    ]
    return [
        auditing.value(
            claim,
            printed.mean(column, mark),
            f"The mean over {len(printed.members(mark))} tasks"
            f"{', computed from the answers' if column in WAYS else ' in Table 3'}.",
        )
        for claim, column, mark in (*second, *third)
    ]


def gains(printed):
    """Judge by how much chain of thought is ahead, over groups of tasks and on single ones.

    Those over groups and models follow from the means of Table 2, those on tasks from the answers.
    """
    summary, found = printed.summary, []
    for model in MODELS:
        for column in SUMMARY:
            row = f"{model} CoT"
            claim = _claim(
                "Table 2", f"gain of {row}, {column}", summary.loc[row, f"gain {column}"]
            )
            found.append(auditing.derived(claim, "difference", _pair(summary[column], model)))
    for quantity, claim in printed.quoted["5"].items():
        if match := re.fullmatch(r"gain on (.+)", quantity):
            (task,) = (task for task in printed.tasks.index if task.startswith(match[1]))
            chain, direct = (printed.measured(column, task).value for column in WAYS)
            said = f"The accuracy is {chain:.4g}% with chain of thought and {direct:.4g}% without."
            found.append(auditing.value(claim, chain - direct, said))
    totals = summary["BBH all"]
    for model in MODELS:
        claim = printed.quoted["4.1"][f"gain of {model}"]
        found.append(auditing.derived(claim, "difference", _pair(totals, model)))
    differences = {m: float(np.subtract(*map(float, _pair(totals, m)))) for m in MODELS}
    for quantity, of in (("least gain of a model", min), ("largest gain of a model", max)):
        model = of(differences, key=differences.get)
        claim = printed.quoted["5"][quantity]
        found.append(auditing.derived(claim, "difference", _pair(totals, model)))
    for quantity, one, other in (
        ("PaLM answer-only minus best prior", "PaLM answer-only", "best prior"),
        ("Codex CoT minus human average", "Codex CoT", "human average"),
        ("human best minus Codex CoT", "human best", "Codex CoT"),
    ):
        claim = printed.quoted["4.1"][quantity]
        found.append(auditing.derived(claim, "difference", [totals[one], totals[other]]))
    return found


def above_people(printed):
    """Judge on how many tasks a model is better than people are on average, by Table 3."""
    claims = {
        _claim("Table 2", f"{row} above human average", cell.partition("/")[0]): row
        for row, cell in printed.summary["above human average"].items()
        if cell
    }
    for section in ("Abstract", "4.1"):
        for quantity, claim in printed.quoted[section].items():
            if match := re.fullmatch(r"(.+) above human average", quantity):
                claims[claim] = match[1]
    return [
        auditing.value(
            claim,
            printed.above_people(column),
            "The number of rows in Table 3 in which the model exceeds the human average.",
        )
        for claim, column in claims.items()
    ]


def sizes(printed):
    """Judge how many tasks and questions there are, and one accuracy that the text repeats."""
    asked, quoted = printed.sizes, printed.quoted
    small = [name for name in quoted["2"] if name.startswith("examples of ") and name[12].isupper()]
    found = [
        auditing.value(
            quoted["Abstract"]["tasks"], len(printed.tasks), "The number of rows in Table 3."
        ),
        auditing.value(quoted["2"]["subtasks"], len(asked), "The number of files with answers."),
        auditing.value(
            quoted["2"]["examples"], int(asked.sum()), "The number of answers in all files."
        ),
    ]
    tasks = {name: name.removeprefix("examples of ").lower() for name in small}
    found += [
        auditing.value(
            quoted["2"][name], int(asked[task]), "The number of answers in the task's file."
        )
        for name, task in tasks.items()
    ]
    others = asked.drop(list(tasks.values()))
    said = f"The number of answers in each of the other {len(others)} files."
    same = auditing.Interval(float(others.min()), float(others.median()), float(others.max()))
    found.append(auditing.value(quoted["2"]["examples of a task"], same, said))
    cell = printed.tasks.loc["Causal Judgement", "InstructGPT answer-only"]
    claim = quoted["4.3"]["Causal Judgement answer-only"]
    return [*found, auditing.value(claim, float(cell), "The cell for InstructGPT in Table 3.")]


def named(printed):
    """Judge which tasks and models the text names, by Table 3."""
    numbers = printed.tasks[printed.columns].astype(float)
    ahead = pd.DataFrame({m: numbers[f"{m} CoT"] - numbers[f"{m} answer-only"] for m in MODELS})
    behind = ahead.index[(ahead < 0).all(axis=1)]
    (task,) = (name for name in ahead.index if name.startswith("Salient"))
    found = [list(behind), [model for model in MODELS if ahead.loc[task, model] > 0]]
    claims = read_published("suzgun2023", "named")
    return [
        auditing.judge(
            _claim(f"Section {row.section}", row.what, row.names),
            "; ".join(names),
            auditing.REPRODUCED if names == row.names.split("; ") else auditing.CONTRADICTED,
            "The names follow from the signs of the differences in Table 3.",
            auditing.LIST,
        )
        for row, names in zip(claims.itertuples(), found, strict=True)
    ]


def _pair(column, model):
    """Return the cells of a model with and without chain of thought."""
    return [column[f"{model} CoT"], column[f"{model} answer-only"]]


def _claim(item, claim, published):
    return auditing.Claim(PAPER, item, claim, published)
