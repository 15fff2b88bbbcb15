"""MMLU-Pro: what a random guess for each answer that could not be extracted does to the counts."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from analysis import paths
from analysis.leaderboards import boards
from replicability.core import findings
from replicability.core.numbers import rounded
from replicability.show.style import COLOURS, STYLE, plain
from replicability.stats import paired, partial_conjunction

RULES = (
    "Each model on all questions in its file: numbers of outputs in which the pattern “answer is” "
    "finds no answer, and of failed extractions. Accuracy (%) if failed extractions are scored as "
    "wrong, or replaced with random guesses (expected, with standard deviation sd); ranks gained "
    "by guessing. The printed accuracy is from the mini-leaderboard; its distance from the "
    "expected one is in sd."
)
OTHERWISE = (
    "Outputs in which the pattern “answer is” finds no answer, for the models with a letter "
    "extracted from some of these outputs in another way: number of outputs, number with a letter, "
    "and the most common letter with its frequency."
)
GUESSES = (
    "Lower bounds on the number of disciplines on which each model of a pair is better. Both "
    "directions are tested at joint level α = {alpha:g}. Failed extractions are scored as wrong, "
    "or replaced with random guesses (median, smallest and largest bound over {draws:,} draws)."
)
BOARD = (
    "Number of pairs in which the model with the higher mean, the model with the lower mean, both "
    "or neither is significantly better on at least one discipline. All claims are simultaneous "
    "for all pairs at α = {alpha:g}. Failed extractions are scored as wrong, or replaced with "
    "random guesses (median, smallest and largest number of pairs over {draws:,} draws). The means "
    "score failed extractions as wrong."
)

SHOWN = {
    "higher": "only the one with the higher mean is better",
    "lower": "only the one with the lower mean is better",
    "both": "each is better on at least one discipline",
    "neither": "no difference",
}
"""Key of `boards.parted` -> its name in the table."""


def read_answers():
    """Read every answer of every model.

    Returns DataFrame, shape (12032, 32). One row per question: ``dataset``, ``instance``,
    ``source``, ``left_out``, and for each of 28 models 1 (right), 0 (wrong), -m (nothing extracted,
    m options), or null (not there).
    """
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / "mmlu_pro_answers.parquet")


def read_letters():
    """Read how many answers the outputs of each model give; see data/outcomes/README.md."""
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / "mmlu_pro_letters.parquet")


def models_of(answers):
    """List the models of a table that `read_answers` returns."""
    return list(answers.columns[4:])


def accuracies(answers, outputs, printed):
    """Score every model by both rules for failed extractions.

    `answers`, `outputs`: as `read_answers` and `read_letters` return them. `printed`: model ->
    accuracy in per cent as printed.

    Returns DataFrame. A row per model, best first: ``model``, ``questions`` in its file, outputs
    with ``no answer`` that the benchmark's first pattern finds, how many ``failed`` in the end, the
    accuracy ``wrong`` and with a guess, ``guessed``, in expectation, the ``sd`` of the latter, all
    in per cent; the ``places`` by which it rises with guesses; the accuracy that is ``printed``,
    and how many sd this is away from the expectation, ``away``.
    """
    letters = outputs.set_index("system")
    silent = letters.loc[letters["answers"] == 0, "outputs"].groupby(level=0).sum()
    rows = []
    for model in models_of(answers):
        codes = answers[model].dropna()
        wrong, guessed, sd = rules(codes)
        value = float(printed.get(model, "nan"))
        rows.append(
            {
                "model": model,
                "questions": len(codes),
                "no answer": int(silent[model]),
                "failed": int((codes < 0).sum()),
                "wrong": round(wrong, 2),
                "guessed": round(guessed, 2),
                "sd": round(sd, 2),
                "printed": printed.get(model, ""),
                "away": "" if np.isnan(value) else rounded((value - guessed) / sd, 1, plus="+"),
            }
        )
    table = pd.DataFrame(rows).sort_values("wrong", ascending=False, ignore_index=True)
    places = table.index + 1 - table["guessed"].rank(ascending=False, method="min").astype(int)
    table.insert(7, "places", places.map("{:+d}".format).replace("+0", ""))
    return table


def otherwise(outputs):
    """Tabulate what became of outputs without an answer where something else was extracted.

    `outputs`: as `read_letters` returns them.

    Returns DataFrame. A row per model of whose outputs some were extracted otherwise: ``model``,
    outputs with ``no answer`` that the benchmark's first pattern finds, those of them from which a
    ``letter taken`` was nevertheless, the ``commonest`` of these letters, and how often, ``times``.
    """
    silent = outputs.query("answers == 0")
    letters = silent[silent["otherwise"] != ""].groupby(["system", "otherwise"])["outputs"].sum()
    letters = letters.unstack(fill_value=0)  # noqa: PD010
    found = pd.DataFrame(
        {
            "no answer": silent.groupby("system")["outputs"].sum()[letters.index],
            "letter taken": letters.sum(axis=1),
            "commonest": letters.idxmax(axis=1),
            "times": letters.max(axis=1),
        }
    )
    return found.rename_axis("model").sort_values("times", ascending=False).reset_index()


def rules(codes):
    """Return the accuracy of a model by both rules, in per cent.

    `codes`: as in `read_answers`, without nulls.

    Returns `wrong`, `guessed`, `sd` (float): with failed extractions wrong; with a guess among the
    options for each, in expectation, and the standard deviation of that. Guesses are independent.
    """
    right, chance = (codes == 1).sum(), 1 / -codes[codes < 0]
    spread = np.sqrt((chance * (1 - chance)).sum())
    return tuple(100 / len(codes) * x for x in (right, right + chance.sum(), spread))


def guessed_pvalues(answers, n_draws, seed):
    """Test all pairs of models with a random guess for each failed extraction, again and again.

    `answers`: as `read_answers` returns it; the s models on the n disciplines, questions that are
    compared. `n_draws`: number of draws of all guesses. `seed`: entropy of the random numbers.

    Returns ndarray, shape (n_draws, s, s, n). McNemar's exact one-sided p-values of "the model of
    the row is not better than that of the column"; models in the order of their columns,
    disciplines in that of their names.
    """
    compared = answers[answers["left_out"] == ""]
    parts = compared.groupby("dataset")[models_of(answers)]
    pvalues = []
    for (_, codes), child in zip(
        parts, np.random.SeedSequence(seed).spawn(len(parts)), strict=True
    ):
        codes = codes.to_numpy(float).T
        chance = np.where(codes < 0, 1 / np.where(codes < 0, -codes, 1), codes)
        drawn = np.random.default_rng(child).random((n_draws, *codes.shape)) < chance
        right = drawn.astype(np.float32)
        both = right @ right.transpose(0, 2, 1)
        wins = (right.sum(axis=2)[..., None] - both).astype(int)
        pvalues.append(paired.mcnemar_pvalues(wins, wins.transpose(0, 2, 1)))
    return np.stack(pvalues, axis=-1)


def guesses(results, models, pvalues):
    """Say how much the guesses move the counts of named pairs.

    `results`: named pairs, with failed extractions wrong. `models`: the s models, in the order of
    `pvalues`. `pvalues`: as `guessed_pvalues` returns them.

    Returns DataFrame. Two rows for each pair, both directions together at its level: ``claim``, the
    count with failed extractions ``wrong``, and ``median``, ``fewest`` and ``most`` over the draws.
    """
    rows = []
    for result in results:
        i, j = (models.index(system) for system in result.comparison.systems)
        found = findings.find_both(result.comparison, result.evaluated, result.alpha)
        for finding, drawn in zip(found, (pvalues[:, i, j], pvalues[:, j, i]), strict=True):
            counted = partial_conjunction.k_hat(drawn, result.alpha / 2, "fisher")
            row = {"pair": result.title, "claim": finding.title, "wrong": finding.k}
            rows.append(row | _spread(counted))
    return pd.DataFrame(rows)


def by_rule(board, models, pvalues):
    """Count the pairs of models by which one is better somewhere, by both rules.

    `board`: the leaderboard, with failed extractions wrong.

    Returns DataFrame. A row for each kind of pair: ``shown``, the number with failed extractions
    ``wrong``, and ``median``, ``fewest`` and ``most`` over the draws.
    """
    wrong, drawn = board.shown(), boards.parted(*shown_in_draws(board, models, pvalues))
    return pd.DataFrame(
        {"shown": name, "wrong": wrong[kind], **_spread(drawn[kind].sum(axis=-1))}
        for kind, name in SHOWN.items()
    )


def shown_in_draws(board, models, pvalues):
    """Say in which draws of the guesses something is shown of a pair.

    Returns `above`, `below` (ndarray of bool, shape (n_draws, s (s - 1) / 2)): whether the model
    with the higher mean, and whether that with the lower mean, is shown better on some discipline;
    pairs as `boards.Board.leads` has them.
    """
    order = [models.index(system) for system in board.systems]
    counted = partial_conjunction.k_hat(pvalues[:, order][:, :, order], board.level, "fisher")
    upper, lower = np.triu_indices(len(order), 1)
    return counted[:, upper, lower] > 0, counted[:, lower, upper] > 0


def _spread(counted):
    return {
        "median": int(np.median(counted)),
        "fewest": int(counted.min()),
        "most": int(counted.max()),
    }


def draw_rules(table):
    """Draw what random guesses add to the accuracy of each model.

    Returns matplotlib.figure.Figure. A row per model: what guesses add to its accuracy with failed
    extractions wrong, in expectation, with a bar of two standard deviations, and a cross for a
    printed accuracy.
    """
    rows, added = np.arange(len(table)), table["guessed"] - table["wrong"]
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(7.4, 0.24 * len(table) + 1.4), layout="constrained")
        axis.axvline(0, color=COLOURS["faint"], zorder=0)
        axis.errorbar(
            added,
            rows,
            xerr=2 * table["sd"],
            fmt="o",
            color=COLOURS["a"],
            capsize=3,
            label="with random guesses (expected ± 2 sd)",
        )
        printed = pd.to_numeric(table["printed"]) - table["wrong"]
        axis.plot(printed, rows, "x", color="black", markersize=8, label="as printed")
        labels = [f"{row.model}: {row.wrong:.1f}" for row in table.itertuples()]
        axis.set_yticks(rows, list(map(plain, labels)))
        axis.invert_yaxis()
        axis.set_ylabel("accuracy, failed extractions scored as wrong (%)")
        axis.set_xlabel("points added by guessing")
        figure.suptitle(f"Random guesses are expected to add at most {added.max():.1f} points")
        figure.legend(loc="outside lower center", ncols=2)
    return figure
