"""What the authors' two programs give for the published p-values, beside the library.

Both are restated here from what they compute, not copied. `python`: Replicability_Analysis.py of
github.com/rtmdrr/replicability-analysis-NLP (footnote 1 of the paper), commit 63c0d41 of October
2020. `r`: Experiments.R of the second author, commit 42e282d of January 2017
(``data/published/dror2017/supplement.csv``).
"""

import numpy as np
import pandas as pd
from scipy import stats

from replicability.stats import multiple_testing, partial_conjunction

METHODS = ("bonferroni", "fisher")


def combined(pvalues, method, program="python"):
    """Compute the partial-conjunction p-values for u = 1, ..., n as a program does.

    `pvalues` (sequence of float): one p-value for each of n datasets. `method` ({"bonferroni",
    "fisher"}): how the n - u + 1 largest p-values are combined. `program` ({"python", "r"}): in R,
    Fisher's p-value is 0 if one of several p-values is 0, and else 1 if one is 1, which Fisher's
    method itself does not say.

    Returns ndarray of float64. With the running maximum, not cut off at 1.
    """
    p = np.sort(np.asarray(pvalues, float))
    n = len(p)
    found = np.empty(n)
    for u in range(n):
        tail = p[u:]
        if method == "bonferroni":
            found[u] = len(tail) * tail[0]
        elif tail[0] == 0:
            found[u] = 0.0
        elif program == "r" and (len(tail) == 1 or tail[-1] == 1):
            found[u] = tail[-1]
        else:
            found[u] = 1 - stats.chi2.cdf(-2 * np.log(tail).sum(), 2 * len(tail))
    return np.maximum.accumulate(found)


def counted(pvalues, alpha, method, program="python"):
    """Count the partial-conjunction p-values that are at most alpha, as a program does."""
    return int((combined(pvalues, method, program) <= alpha).sum())


def named(pvalues, alpha):
    """Name the datasets as the Python program does: those with the k-hat smallest p-values.

    Returns set of int. Places, by Bonferroni's k-hat. Until November 2018 the program stopped with
    an error where k-hat was n, as for Mate and SpaCy.
    """
    return set(np.argsort(pvalues, kind="stable")[: counted(pvalues, alpha, "bonferroni")].tolist())


def agreement(columns, alphas):
    """Count and name the datasets of each printed column, by both programs and by the library.

    `columns` (dict of str to audit.Column): as `audit.columns_of` returns them. `alphas` (sequence
    of float): levels.

    Returns DataFrame. One row per comparison and level: k-hat by each method and program, and
    whether the names by Holm's procedure are the same.
    """
    rows = []
    for title, column in columns.items():
        p = np.array(column.pvalues, float)
        for alpha in alphas:
            row = {"Comparison": title, "alpha": alpha}
            for method in METHODS:
                label = method.capitalize()
                row[f"{label}, Python"] = counted(p, alpha, method)
                row[f"{label}, R"] = counted(p, alpha, method, "r")
                row[f"{label}, ours"] = partial_conjunction.k_hat(p, alpha, method)
            holm = set(np.flatnonzero(multiple_testing.identify(p, alpha)).tolist())
            row["Holm: same names"] = "yes" if holm == named(p, alpha) else "no"
            rows.append(row)
    return pd.DataFrame(rows)
