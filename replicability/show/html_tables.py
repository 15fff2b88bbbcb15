"""Tables of a comparison on the page: its results by dataset, and the counts of all estimators."""

import numpy as np
import pandas as pd

from replicability.core import findings
from replicability.core.numbers import rounded
from replicability.core.procedure import VALID_UNDER
from replicability.show import tables
from replicability.show.html_claims import by_direction
from replicability.show.html_elements import capital, text_table
from replicability.show.style import NAMES
from replicability.stats import partial_conjunction


def results(comparison, table, said):
    """Return the table of a comparison, datasets identified at the first level in bold.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    said : sequence of findings.Finding
        What was found, one for each level.

    Returns
    -------
    dict
        As `html_elements.text_table`; where there are differences, columns that a narrow window can
        do without are ``minor``.
    """
    kept = (*_named_pvalues(said[0]).values(), "named", "Holm")
    a, b = comparison.systems
    shown = tables.section([comparison], [table], said)
    if comparison.level == "instances":
        shown = shown.rename(columns=_named_pvalues(said[0]))
    interval = {"difference", "low", "high"} <= set(table)
    if interval and not any("95%" in name for name in shown):
        digits = 2 if comparison.per_cent else 3
        cells = [_interval(*row, digits) for row in table[["difference", "low", "high"]].to_numpy()]
        shown.insert(shown.shape[1] - len(kept) + 1, "difference (95% interval)", cells)
    what = (
        findings.caption([comparison])
        if "score_a" in table
        else f"p-values of “{a} is not better than {b}”."
    )
    alphas, other = [finding.alpha for finding in said], said[0].other
    caption = f"{capital(what)} {tables.marks_note(alphas, said)} Bold: at alpha = {alphas[0]:g}."
    if interval:
        caption += " The interval of each difference holds with 95% confidence on its own."
    minor = [
        interval and not (place == 0 or "difference" in name or name in kept)
        for place, name in enumerate(shown)
    ]
    bold = said[0].identified | (other.identified if other else False)
    return text_table(shown, caption, bold=bold, minor=minor)


def _named_pvalues(finding):
    """Return the headers of the p-values, of one direction or of both."""
    a, b = finding.systems
    if finding.other is None:
        return {f"p-val ({a},{b})": "p-value"}
    asked = (finding, finding.other)
    pairs = ((a, b), (b, a))
    return {
        f"p-val ({x},{y})": f"p ({one.claim.short(x)})"
        for (x, y), one in zip(pairs, asked, strict=True)
    }


def _interval(difference, low, high, digits):
    """Write a difference with its limits, if there are any."""
    text, *ends = (rounded(value, digits, plus="+", minus="−") for value in (difference, low, high))
    return f"{text} ({' to '.join(ends)})" if np.isfinite([low, high]).all() else text


def estimators(comparison, table, alphas):
    """Return the counts by all estimators and the local test, and which of them are valid.

    Parameters
    ----------
    comparison, table
        As for `results`.
    alphas : sequence of float
        Levels.

    Returns
    -------
    dict
        As `html_elements.text_table`; the chosen one is bold.
    """
    said = [findings.find(comparison, table, a, partial_conjunction.ESTIMATORS) for a in alphas]
    chosen = said[0].recommended
    kept = "recommended" if said[0].claims is None else "chosen"
    names = dict.fromkeys((*partial_conjunction.ESTIMATORS, chosen))
    rows = []
    for name in names:
        valid = VALID_UNDER.get(name) or partial_conjunction.ESTIMATORS[name].valid_under
        rows.append(
            {
                "estimator": capital(NAMES[name]),
                **{
                    header: f"{one.counts[name]}"
                    for found in said
                    for header, one in by_direction(found).items()
                },
                "guarantee": "none, whatever the dependence"
                if not valid
                else f"valid, {kept}"
                if name == chosen
                else "valid"
                if comparison.dependence in valid
                else "not valid for this dependence",
            }
        )
    caption = (
        f"Number of datasets, out of {len(table)}, by every estimator. Do not choose among the "
        "valid ones by their counts."
    )
    return text_table(pd.DataFrame(rows), caption, bold=[name == chosen for name in names])
