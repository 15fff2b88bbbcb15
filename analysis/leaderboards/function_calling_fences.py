"""Answers in a code fence on the Berkeley Function Calling Leaderboard, and what they cost."""

import pandas as pd

import replicability as rep

FENCES = (
    "Failed items of the two models with the most answers in a code fence, and failed items that "
    "cannot be decoded. Among the undecodable answers: answers in a fence, in a fence labelled "
    "“json”, with calls in the requested form, and with an exact match to a right answer. "
    "Accuracies (%) are as scored, followed by bounds on the accuracies without fences."
)
UNFENCED = (
    "Rank and overall accuracy (%) as scored, if exact matches in a code fence count as right, and "
    "if all fenced answers count as right. Also the numbers of models that each model beats, "
    "and that beat it, on at least one category. All claims are simultaneous for all pairs at α = "
    "{alpha:g}."
)


def fenced(answers, chosen):
    """Lay out the failures of models that put answers in fences, category by category.

    `answers`: the answers. `chosen`: models.

    Returns DataFrame. ``model``, ``category``, ``items``, ``failed``, ``undecoded``, ``fenced``,
    ``json``, ``calls``, ``match``; accuracies in per cent, as ``scored``, ``at least`` and ``at
    most``.
    """
    by = answers.items["dataset"]
    parts = []
    for model in chosen:
        own = answers.fences[answers.fences["system"] == model].groupby("dataset")
        counted = own[["fenced", "json", "calls", "match"]].sum()
        part = pd.DataFrame({"items": by.groupby(by).size()})
        part["failed"] = part["items"] - answers.right[model].groupby(by).sum()
        part = part.join(own.size().rename("undecoded")).join(counted).fillna(0).astype(int)
        scored = (
            answers.right[model],
            answers.read_as(model, "match"),
            answers.read_as(model, "fenced"),
        )
        for name, right in zip(("scored", "at least", "at most"), scored, strict=True):
            part[name] = (100 * right.groupby(by).mean()).round(1)
        parts.append(part.rename_axis("category").reset_index().assign(model=model))
    table = pd.concat(parts, ignore_index=True)
    return table[["model", *table.columns.drop("model")]]


def most_fenced(answers, n):
    """Return the models with the most answers that are one fenced block, the first n."""
    found = answers.fences.groupby("system")["fenced"].sum()
    return found.sort_values(ascending=False, kind="stable").index[:n].tolist()


def unfenced(answers, chosen, alpha):
    """Rank models as if their fenced answers were read, one model at a time.

    `alpha`: joint level of all pairs of the leaderboard, in (0, 1).

    Returns DataFrame. ``model``, ``answers`` (as scored, matches count, all fenced count),
    ``accuracy``, ``rank`` among all models as scored, and how many of the others it ``beats`` and
    is ``beaten by`` on at least one category.
    """
    kinds = {"as scored": None, "matches are right": "match", "all fenced are right": "fenced"}
    rows = []
    for model in chosen:
        for counted, what in kinds.items():
            right = answers.right.copy()
            if what:
                right[model] = answers.read_as(model, what)
            overall = 100 * right.mean()
            beats, beaten = _against_all(answers.items, right, model, alpha)
            rank = int((overall > overall[model]).sum()) + 1
            rows.append((model, counted, round(overall[model], 2), rank, beats, beaten))
    columns = ("model", "answers", "accuracy", "rank", "beats", "beaten by")
    return pd.DataFrame(rows, columns=columns)


def _against_all(items, right, model, alpha):
    """Count the models that one beats, and that beat it, at the level of all pairs."""
    n_pairs = right.shape[1] * (right.shape[1] - 1)
    table = pd.concat([items[["dataset", "instance"]], right], axis=1)
    found = rep.all_pairs(
        table,
        systems=list(right),
        against=model,
        dataset="dataset",
        instance="instance",
        test="mcnemar",
        dependence="positive",
    )
    shown = found.pairs.counts(alpha / n_pairs) > 0
    return int(shown.loc[model].sum()), int(shown[model].sum())
