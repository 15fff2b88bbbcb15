"""Counts and marks that follow from printed p-values."""

import numpy as np
from scipy import special

from replicability import checks
from replicability.core import procedure
from replicability.core.findings.wording import plural
from replicability.forensics.claims import (
    CONTRADICTED,
    LIST,
    TRIVIAL,
    Claim,
    compared,
    judge,
    reread,
)
from replicability.forensics.printed import (
    printed_column,
    printed_interval,
    printed_pvalues,
    whole_number,
)
from replicability.stats import multiple_testing, partial_conjunction


def count(claim, texts, alpha, estimator, neighbours=None, *, printing="rounded", trivial=False):
    """Judge a published number of datasets against the published p-values.

    Parameters
    ----------
    claim : Claim
        The number, which is the part before the slash in "9/10".
    texts : iterable of str
        The p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    estimator : str
        "count" or a combination method of `partial_conjunction.k_hat`.
    neighbours : dict of str to str, optional
        Other cells of the row, as printed, in which the number may belong.
    printing : {"rounded", "truncated", "either"}, default "rounded"
        How the p-values were printed; see `infer_printing`.
    trivial : bool, default False
        Whether the number is repeated from elsewhere in the paper.

    Returns
    -------
    Verdict
        Agrees if the printed p-values, or p-values that round to them, give the number. No
        estimator rises with a p-value, so its extremes are reached with all p-values at their upper
        and at their lower bounds. If the number is contradicted, the sentence says which of
        `count_readings` and which neighbours give it.
    """
    texts = list(texts)
    low, high = printed_pvalues(texts, printing)
    exact = partial_conjunction.estimate(
        [interval.value for interval in printed_column(texts)], alpha, estimator
    )
    least, most = (
        partial_conjunction.estimate(high, alpha, estimator),
        partial_conjunction.estimate(low, alpha, estimator),
    )
    possible = str(exact) if least == most else f"{exact} ({least} to {most} with rounding)"
    sentence = f"The {len(texts)} printed p-values give {exact} at alpha = {alpha:g}"
    if least != most:
        sentence += f", and {least} to {most} before rounding"
    k = whole_number(claim.published.partition("/")[0])
    basis = compared(k == exact, least <= k <= most)
    if trivial and basis != CONTRADICTED:
        basis, sentence = TRIVIAL, f"{sentence}; the number is repeated from elsewhere in the paper"
    verdict = judge(claim, possible, basis, f"{sentence}.")
    if verdict.verdict != CONTRADICTED:
        return verdict
    found = count_readings(texts, alpha, estimator)
    fits = [reading for reading, value in found.items() if value == k]
    beside = [name for name, cell in (neighbours or {}).items() if cell == str(k)]
    said = [f"{k} follows from {' or from '.join(fits)}"] if fits else []
    said += [f"{k} is printed for {' and for '.join(beside)}"] if beside else []
    return reread(verdict, f"{'; '.join(said)}." if said else "")


def count_readings(texts, alpha, estimator):
    """Compute a number of datasets under other readings of its definition.

    Parameters
    ----------
    texts : iterable of str
        p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    estimator : str
        "count" or a combination method.

    Returns
    -------
    dict of str to int
        Reading -> number.
    """
    values = np.array([interval.value for interval in printed_column(texts)])
    readings = {
        "halved p-values": partial_conjunction.estimate(values / 2, alpha, estimator),
        "doubled p-values": partial_conjunction.estimate(
            np.minimum(1, 2 * values), alpha, estimator
        ),
        f"the level {alpha / 2:g}": partial_conjunction.estimate(values, alpha / 2, estimator),
        f"the level {2 * alpha:g}": partial_conjunction.estimate(values, 2 * alpha, estimator),
    }
    if estimator != "fisher":
        return readings
    ordered = np.sort(values)
    n = len(ordered)
    with np.errstate(divide="ignore"):
        sums = -np.log(ordered)[::-1].cumsum()[::-1]  # over i >= u, u = 1, ..., n
    size = np.arange(n, 0, -1.0)
    alternatives = {
        "degrees of freedom 2(N - u)": special.gammaincc(np.maximum(size - 1, 0.5), sums),
        "degrees of freedom 2(N - u + 2)": special.gammaincc(size + 1, sums),
        "sums that start at the p-value before the u-th": special.gammaincc(size[1:], sums[:-1]),
    }
    for reading, combined in alternatives.items():
        readings[reading] = int((np.maximum.accumulate(combined) <= alpha).sum())
    plain = np.flatnonzero(special.gammaincc(size, sums) <= alpha)
    readings["a missing running maximum"] = int(plain.max() + 1) if plain.size else 0
    return readings


def marks(claim, names, datasets, texts, alpha, procedure="holm"):
    """Judge a published list of datasets with an effect against the published p-values.

    Parameters
    ----------
    claim : Claim
        The list.
    names : collection of str
        Datasets published as identified.
    datasets : sequence of str
        All datasets.
    texts : sequence of str
        Their p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    procedure : {"holm", "each"}, default "holm"
        Holm's procedure, or every dataset with p <= alpha.

    Returns
    -------
    Verdict
        Agrees if the printed p-values give the list, or if all datasets that are identified at the
        upper bounds of the p-values are in it and none that is not identified at the lower bounds.

    Raises
    ------
    InputError
        If a name is no dataset, or the procedure is unknown.
    """
    checks.choice("procedure", procedure, _PROCEDURES)
    for name in names:
        checks.choice(f"{claim.item}: dataset", name, datasets)
    low, high = printed_pvalues(texts)

    def identified(pvalues):
        pvalues = np.asarray(pvalues)
        each = pvalues <= checks.alpha(alpha)
        found = each if procedure == "each" else multiple_testing.identify(pvalues, alpha)
        return {d for d, yes in zip(datasets, found, strict=True) if yes}

    exact = identified([interval.value for interval in printed_column(texts)])
    possible = identified(high) <= set(names) <= identified(low)
    wrong = len(set(names) ^ exact)
    differs = f"differs on {wrong} of them" if wrong else "is the same"
    return judge(
        claim,
        _listing(d for d in datasets if d in exact),
        compared(set(names) == exact, possible),
        f"{_PROCEDURES[procedure]} at alpha = {alpha:g} identifies {len(exact)} of "
        f"{plural(len(datasets), 'dataset')}; the printed list {differs}.",
        LIST,
    )


_PROCEDURES = {"holm": "Holm's procedure", "each": "Each test alone"}


def listed(claim, names, datasets, texts, alpha, significant=True):
    """Judge that some datasets are significant, or that they are not; others may be as well.

    Parameters
    ----------
    claim : Claim
        The list.
    names : collection of str
        Datasets that it names.
    datasets, texts : sequence of str
        All datasets and their p-values as printed.
    alpha : float
        Level of significance, in (0, 1).
    significant : bool, default True
        Whether p < alpha is said of all of them, or of none.

    Returns
    -------
    Verdict
        Agrees if the printed p-values, or p-values that round to them, say so; `recomputed` has
        those of which it is so.

    Raises
    ------
    InputError
        If a name is no dataset.
    """
    checks.alpha(alpha)
    at = dict(zip(datasets, texts, strict=True))
    for name in names:
        checks.choice(f"{claim.item}: dataset", name, at)
    p = {name: printed_interval(at[name]) for name in names}
    right = [name for name in names if (p[name].value < alpha) == significant]
    possible = all(p[n].low < alpha if significant else p[n].high >= alpha for n in names)
    return judge(
        claim,
        _listing(right),
        compared(len(right) == len(names), possible),
        f"p is {', '.join(f'{at[name]} on {name}' for name in names)}.",
        LIST,
    )


def counts_table(paper, item, printed, pvalues, printings=None):
    """Judge every number of a printed table of counts.

    Parameters
    ----------
    paper, item : str
        Names of the paper and of the table.
    printed : DataFrame of str
        Columns ``comparison``, ``alpha`` and ``k_<estimator>``.
    pvalues : dict of str to sequence of str
        Comparison -> its p-values as printed.
    printings : dict of str to str, optional
        Comparison -> how they were printed, one of `PRINTINGS`; rounded unless given.

    Returns
    -------
    list of Verdict
        One per number, row by row.
    """
    names = [name for name in printed.columns if name.startswith("k_")]
    verdicts = []
    for _, row in printed.iterrows():
        where = f"{row['comparison']}, alpha = {row['alpha']}"
        for name in names:
            verdicts.append(
                count(
                    Claim(paper, item, f"{where}: {_called(name)}", row[name]),
                    pvalues[row["comparison"]],
                    float(row["alpha"]),
                    name.removeprefix("k_"),
                    {_called(other): row[other] for other in names if other != name},
                    printing=(printings or {}).get(row["comparison"], "rounded"),
                )
            )
    return verdicts


def _called(column):
    """Name the estimator of a column for readers."""
    estimator = column.removeprefix("k_")
    return f"k-hat by {procedure.TITLES.get(estimator, estimator)}"


def marks_column(paper, item, title, datasets, texts, printed_marks, levels):
    """Judge a printed column of marks, once per level that it uses.

    Parameters
    ----------
    paper, item, title : str
        Names of the paper, of the table and of the comparison.
    datasets, texts, printed_marks : sequence of str
        Datasets, their p-values as printed and their marks.
    levels : dict of str to float
        Mark -> level of significance.

    Returns
    -------
    list of Verdict
        One per mark that occurs in the column.
    """
    marked = {
        mark: [d for d, found in zip(datasets, printed_marks, strict=True) if mark in found]
        for mark in levels
    }
    return [
        marks(
            Claim(paper, item, f"{title}: datasets marked {mark}", ", ".join(names)),
            names,
            datasets,
            texts,
            levels[mark],
        )
        for mark, names in marked.items()
        if names
    ]


def _listing(names):
    return ", ".join(names) or "none"
