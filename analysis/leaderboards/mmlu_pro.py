"""MMLU-Pro: models on disciplines, what their outputs are like, and the audit."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from scipy import stats

from analysis.leaderboards import mmlu_pro_guesses
from analysis.leaderboards.mmlu_pro_guesses import models_of, read_answers, shown_in_draws
from analysis.published import read_published
from replicability import forensics as auditing
from replicability.core.numbers import rounded
from replicability.forensics.arithmetic import apart
from replicability.show.style import COLOURS, STYLE, plain

PAPER = "Wang et al. 2024"

ORIGINAL = "ori_mmlu"
"""Source of the questions that MMLU had already."""

HEADINGS = {
    "STEM": ["physics", "chemistry", "biology", "computer science", "math", "engineering"],
    "humanities": ["history", "philosophy", "law"],
    "social sciences": ["economics", "psychology"],
    "other": ["business", "health", "other"],
}
"""Headings of MMLU (Hendrycks et al. 2021, `categories.py`) -> disciplines here."""

REASONS = {
    "": "compared",
    "lacking": "not in all files",
    "key": "another key",
    "text": "another text",
    "copy": "copies",
}
"""Why a question is left out -> heading of its column."""

QUESTIONS = (
    "Questions of MMLU-Pro by discipline: from MMLU, added, compared, and excluded because a file "
    "lacks the question or has a different key or text, or because the question is a duplicate."
)
DISAGREEING = (
    "Pairs in which each model is significantly better on at least one discipline, simultaneously "
    "for all {pairs:,} ordered pairs at α = {alpha:g}. Columns: lead of the model with the higher "
    "mean (points), lower bounds on the number of disciplines on which each model is better, and "
    "the named disciplines. The last column says in how many of {draws:,} draws of random guesses "
    "both results remain significant."
)
SOURCES = (
    "Accuracy (%) on questions from MMLU and on added questions: mean over the disciplines with "
    "both kinds of questions, and the number of these disciplines on which A leads."
)
LETTERS = (
    "Outputs of {system} with one answer and with several, and the share of right answers (%): the "
    "only answer, the first of several, and the last of several."
)
AUDIT = "Printed numbers of MMLU-Pro, the values that follow from the answers, and the verdicts."


def questions(answers):
    """Tabulate which questions are compared, by discipline.

    Returns DataFrame. A row per discipline and one for all: ``discipline``, ``questions``, those
    ``from MMLU`` and ``added``, and a column for each of `REASONS`.
    """
    counted = pd.DataFrame(
        {
            "questions": 1,
            "from MMLU": answers["source"] == ORIGINAL,
            "added": answers["source"] != ORIGINAL,
            **{name: answers["left_out"] == why for why, name in REASONS.items()},
        }
    )
    table = counted.groupby(answers["dataset"]).sum()
    table.loc["all"] = table.sum()
    return table.astype(int).rename_axis("discipline").reset_index()


def disagreeing(board, models, pvalues):
    """List the pairs in which each model is significantly better on some discipline.

    Returns DataFrame. A row per pair, the closest means first: ``higher`` and ``lower`` mean,
    ``lead``; on how many disciplines the higher is better, at least, ``above``, and those that are
    ``named``; the same for the lower, ``below`` and ``named for it``; and in how many draws both
    are shown, ``in draws``.
    """
    upper, lower = np.triu_indices(len(board.systems), 1)
    pairs = board.leads.assign(
        **{
            "named": board.listed(upper, lower),
            "named for it": board.listed(lower, upper),
            "in draws": np.logical_and(*shown_in_draws(board, models, pvalues)).sum(axis=0),
        }
    )
    pairs = pairs[(pairs["above"] > 0) & (pairs["below"] > 0)].sort_values("lead")
    columns = ["higher", "lower", "lead", "above", "named", "below", "named for it", "in draws"]
    return pairs[columns].round({"lead": 1}).reset_index(drop=True)


def sources(results, answers):
    """Compare named pairs on the questions that MMLU had and on those that were added.

    Returns DataFrame. Two rows for each pair: ``pair``, ``questions``, ``A``, ``B`` and ``A less
    B`` in per cent and points, means over the n disciplines with questions of both kinds, and on
    how many of these ``A ahead``.
    """
    compared = answers[answers["left_out"] == ""]
    kind = np.where(compared["source"] == ORIGINAL, "from MMLU", "added")
    right = (compared[models_of(answers)] == 1).groupby([compared["dataset"], kind]).mean() * 100
    right = right[right.groupby(level=0).transform("size") == 2]
    rows = []
    for result in results:
        for name in ("from MMLU", "added"):
            a, b = (right.xs(name, level=1)[system] for system in result.comparison.systems)
            rows.append(
                {
                    "pair": result.title,
                    "questions": name,
                    "A": round(a.mean(), 1),
                    "B": round(b.mean(), 1),
                    "A minus B": round((a - b).mean(), 1),
                    "A ahead": f"{(a > b).sum()} of {len(a)}",
                }
            )
    return pd.DataFrame(rows)


def letters(outputs, system):
    """Tabulate how many answers the outputs of a model give, by discipline.

    `outputs`: as `mmlu_pro_guesses.read_letters` returns them. `system`: a model.

    Returns DataFrame. A row per discipline: ``discipline``, ``outputs``, those with ``one answer``
    and how many of them are ``right``, those with ``more``, and how many of these are right by the
    ``first`` and by the ``last``; shares in per cent.
    """
    table = outputs.query("system == @system")
    table = table.drop(columns=["system", "otherwise"])
    one, more = table[table["answers"] == 1], table[table["answers"] > 1]
    every, one, more = (part.groupby("dataset").sum().astype(float) for part in (table, one, more))
    found = pd.DataFrame(
        {
            "outputs": every["outputs"],
            "one answer": one["outputs"],
            "right": 100 * one["first"] / one["outputs"],
            "more": more["outputs"].reindex(every.index, fill_value=0),
            "first": 100 * more["first"] / more["outputs"],
            "last": 100 * more["last"] / more["outputs"],
        }
    ).astype({"outputs": int, "one answer": int, "more": int})
    for share in ("right", "first", "last"):
        found[share] = found[share].map(lambda x: "" if np.isnan(x) else f"{x:.1f}")
    return found.rename_axis("discipline").reset_index()


def draw_disagreeing(table, board, disciplines):
    """Draw the pairs whose disciplines disagree, discipline by discipline.

    `table`: as `disagreeing` returns it. `board`: the leaderboard. `disciplines`: groups of
    disciplines that stand side by side, each discipline in one.

    Returns matplotlib.figure.Figure. A row per pair, a column per discipline: difference in points,
    blue where the model with the higher mean is ahead and orange where the other is; framed where
    it is named.
    """
    columns = [name for group in disciplines.values() for name in group]
    order = [board.datasets.index(name) for name in columns]
    colours = LinearSegmentedColormap.from_list("", [COLOURS["b"], "white", COLOURS["a"]])
    with plt.rc_context(STYLE):
        size = (0.33 * len(columns) + 2.7, 0.33 * len(table) + 2.1)
        figure, axis = plt.subplots(figsize=size, layout="constrained")
        ends = table[["higher", "lower"]].map(board.systems.index).to_numpy()
        shown = (-np.diff(board.scores.to_numpy()[ends], axis=1)[:, 0])[:, order]
        axis.imshow(shown, cmap=colours, vmin=-20, vmax=20, aspect="auto")
        edges = np.cumsum([len(group) for group in disciplines.values()])[:-1] - 0.5
        axis.vlines(edges, -0.5, len(table) - 0.5, color="white", linewidth=4)
        for i, (higher, lower) in enumerate(ends):
            framed = (board.named[higher, lower] | board.named[lower, higher])[order]
            for j in range(len(columns)):
                _draw_cell(axis, i, j, round(shown[i, j]), framed[j])
        labels = [f"{r.higher} / {r.lower}" for r in table.itertuples()]
        axis.set_yticks(range(len(table)), [plain(label) for label in labels], fontsize="small")
        axis.set_xticks(
            range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor"
        )
        starts = np.concatenate([[-0.5], edges])
        for start, name in zip(starts, disciplines, strict=True):
            lines = plain(name).replace(" ", "\n")
            axis.text(start + 0.1, -0.65, lines, size="small", color=COLOURS["neutral"])
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        figure.suptitle(
            f"In {len(table)} of {len(board.leads)} pairs of models, each is better on at least "
            "one discipline\nBlue: points by which the first is ahead; framed: significant",
            fontsize="medium",
        )
    return figure


def _draw_cell(axis, i, j, points, framed):
    """Write a difference into its cell, framed where it is named."""
    text = rounded(points, 0, plus="+", minus="−")
    look = {"weight": "bold" if framed else "normal", "color": "white" if points > 13 else "black"}
    axis.text(j, i, text, ha="center", va="center", size=8, **look)
    if framed:
        frame = plt.Rectangle((j - 0.44, i - 0.43), 0.88, 0.86, fill=False, linewidth=1.4, zorder=3)
        axis.add_patch(frame)


def audit():
    """Judge the printed numbers of the benchmark by the answers.

    Returns list of Verdict. The mini-leaderboard by both readings of failed extractions, and what
    README and dataset card say of the questions.
    """
    answers = read_answers()
    return [*_audit_leaderboard(answers), *_audit_text(answers)]


def printed_accuracies():
    """Return the mini-leaderboard as printed, model -> accuracy in per cent."""
    table = read_published("wang2024", "leaderboard")
    return dict(zip(table["model"], table["accuracy"], strict=True))


def _audit_leaderboard(answers):
    for model, published in printed_accuracies().items():
        claim = auditing.Claim(PAPER, "README, mini-leaderboard", f"accuracy of {model}", published)
        if model not in answers:
            later = [m for m in models_of(answers) if m.startswith(f"{model.lower()}-")]
            yield auditing.unchecked(
                claim,
                f"The answers are from a later version, {later[0]}."
                if later
                else "The files contain no answers from this model.",
            )
            continue
        codes = answers[model].dropna()
        right = int((codes == 1).sum())
        wrong = auditing.value(
            claim,
            100 * right / len(codes),
            f"{right:,} of {len(codes):,} answers are right, and {(codes < 0).sum():,} could not "
            "be extracted.",
        )
        yield auditing.weigh_readings(
            {
                "failed extractions count as wrong": wrong,
                "failed extractions are guessed": _judge_guesses(claim, codes),
            }
        )


def _judge_guesses(claim, codes):
    """Judge an accuracy by all that random guesses can give."""
    n, right = len(codes), int((codes == 1).sum())
    hits = np.ones(1)
    for options, times in (-codes[codes < 0]).value_counts().items():
        hits = np.convolve(hits, stats.binom.pmf(np.arange(times + 1), times, 1 / options))
    interval = auditing.printed_interval(claim.published)
    possible = 100 * (right + np.arange(len(hits))) / n
    below, above = hits[possible <= interval.high].sum(), hits[possible >= interval.low].sum()
    _, guessed, sd = mmlu_pro_guesses.rules(codes)
    inside = min(1, 2 * min(below, above)) >= auditing.UNUSUAL
    return auditing.judge(
        claim,
        f"{guessed:.2f}",
        auditing.WITHIN_MONTE_CARLO_ERROR if inside else auditing.CONTRADICTED,
        f"Random guesses for the {len(hits) - 1:,} failed extractions give an expected accuracy of "
        f"{guessed:.2f}, with a standard deviation of {sd:.2f}. The printed value is "
        f"{apart((interval.value - guessed) / sd, 'standard deviations')}.",
    )


def _audit_text(answers):
    quoted = {row.quantity: row for row in read_published("wang2024", "text").itertuples()}
    counts = {
        "questions": (len(answers), "The number of questions in the files."),
        "disciplines": (answers["dataset"].nunique(), "The number of disciplines in the files."),
        "options at most": (
            int(-answers[models_of(answers)].min().min()),
            "The largest number of options among questions with a failed extraction.",
        ),
        "duplicate questions": (
            int((answers["left_out"] == "copy").sum()),
            "The number of questions with the same text and options as another question.",
        ),
        "disciplines with added questions": (
            answers.loc[answers["source"] != ORIGINAL, "dataset"].nunique(),
            "The number of disciplines with a question from outside MMLU.",
        ),
    }
    for quantity, (count, sentence) in counts.items():
        row = quoted[quantity]
        claim = auditing.Claim(PAPER, row.section, row.quantity, row.relation + row.printed)
        yield auditing.value(claim, count, sentence)
