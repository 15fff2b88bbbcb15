"""Three questions about two systems on several datasets, with the answer to each.

On how many datasets is A better (k-hat), is it on any (the global null hypothesis), and do the
systems differ over the population of datasets (the tests of Demšar 2006)? Section 7 of Dror et al.
(2017) calls the second one Demšar's; his tests answer the third.
"""

import math

import pandas as pd

from replicability.show.tables import pvalue
from replicability.stats import partial_conjunction
from replicability.stats.over_datasets import over_datasets

INDEPENDENT = {
    "independent": "if they were drawn at random",
    "positive": "no, the datasets are dependent",
    "dependent": "no, the datasets are dependent",
}
"""Declared dependence -> whether the datasets can be independent draws from a population."""

CAPTION = (
    "k-hat by the recommended method, the number of named datasets, and the p-value of the global "
    "null hypothesis by the same method. The two-sided p-values for a population, and the centre "
    "of the differences with its 95% interval, are valid if datasets are independent draws."
)


def three_questions(results):
    """Answer the three questions for every comparison with scores.

    `results` (replicability.Results): what a study asks, each at its first level.

    Returns DataFrame. One row per comparison, as readers see it. "A ahead" is the number of
    datasets on which the score of A is higher.
    """
    rows = []
    for result in results:
        table, first = result.evaluated, result.findings[0]
        if "score_a" not in table:
            continue
        dependence = result.comparison.dependence
        method = partial_conjunction.recommended_method(dependence)
        over = over_datasets(table["score_a"].to_numpy(float), table["score_b"].to_numpy(float))
        p_any = partial_conjunction.partial_conjunction_pvalues(first.pvalues, method)[0]
        rows.append(
            {
                "comparison": result.title,
                "datasets": result.n,
                "k̂": result.k,
                "named": len(result.named),
                "A ahead": int((table["score_a"] > table["score_b"]).sum()),
                "p, any dataset": pvalue(p_any, result.comparison.level == "p-values"),
                "p, population (Wilcoxon)": pvalue(over.wilcoxon),
                "p, population (sign test)": pvalue(over.sign_test),
                "typical difference": _interval(over.centre, over.centre_interval),
                "independent draws": INDEPENDENT[dependence],
            }
        )
    return pd.DataFrame(rows)


def _interval(centre, limits):
    """Write an estimate with its limits to three digits."""
    if math.isinf(limits.low):
        return f"too few datasets ({centre:+.3g})"
    return f"{centre:+.3g} ({limits.low:+.3g} to {limits.high:+.3g})"
