"""All pairs of systems as a table, and beside it what a page says of each pair."""

import json

import numpy as np

from replicability.core import findings
from replicability.io import files
from replicability.show import tables

CAPTION = (
    "On at least how many datasets the system of the row is better than that of the column, at "
    "level {alpha:g} for each pair alone; in parentheses, at this level for all pairs together. "
    "Systems stand in the order of their mean score."
)


def save(family, pairs, alpha, outputs, stem):
    """Save the counts of all pairs of a family as a table, and what is behind them as JSON.

    Parameters
    ----------
    family : study.Family
        The family.
    pairs : all_pairs.Pairs
        Its p-values.
    alpha : float
        Level, in (0, 1).
    outputs : str
        Folder of the run; the files go to its ``tables``.
    stem : str
        File name without ending.

    Returns
    -------
    tables.Shown
        `findings.plane`, to be shown.
    """
    lines = (
        f" {json.dumps(key)}: {_lines(value)}"
        for key, value in behind(family, pairs, alpha).items()
    )
    file = files.outputs(outputs, "tables") / f"{stem}.json"
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
    return tables.save(findings.plane(pairs, alpha), outputs, stem, CAPTION.format(alpha=alpha))


def _lines(value):
    """Write a value as JSON, with a line for each system if it has one."""
    if not isinstance(value, list) or not isinstance(value[0], list):
        return json.dumps(value, ensure_ascii=False)
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in value) + "\n]"


def behind(family, pairs, alpha):
    """Collect what is behind the counts of all pairs.

    Parameters
    ----------
    family, pairs, alpha
        As for `save`.

    Returns
    -------
    dict
        ``family``, its name; ``score``, what was measured; ``alpha``; the s ``systems``, those with
        the same scores as one; the n ``datasets``; ``scores``, s rows of n numbers with four
        digits; ``pvalues`` of "A is not better than B" with two digits, for each A and B a list of
        n, empty where there are none; and likewise ``named``: 2 where the dataset is named with
        confidence 1 - alpha for all pairs at once, 1 where it is for the pair alone, else 0.
    """
    names, places = list(pairs.distinct), list(pairs.distinct.values())

    def of_pairs(listed):
        return [[listed(i, j) if pairs.compared[i, j] else [] for j in places] for i in places]

    def named(i, j):
        claims = (
            pairs.claims(pairs.systems[i], pairs.systems[j], level)
            for level in (alpha, alpha / pairs.n_pairs)
        )
        return np.add(*(one.named.astype(int) for one in claims)).tolist()

    return {
        "family": family.name,
        "score": family.score,
        "alpha": alpha,
        "systems": names,
        "datasets": list(pairs.datasets),
        "scores": [_digits(pairs.scores[i], 4) for i in places],
        "pvalues": of_pairs(lambda i, j: _digits(pairs.pvalues[i, j], 2)),
        "named": of_pairs(named),
    }


def _digits(values, digits):
    """Round numbers to significant digits."""
    return [float(f"{value:.{digits}g}") for value in values]
