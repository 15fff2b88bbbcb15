"""What a comparison says: counts, identified datasets, and the sentence to paste."""

import functools
import itertools
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability.stats import multiple_testing, paired, partial_conjunction

ESTIMATORS = ("count", "bonferroni", "fisher")
"""Estimators of the number of datasets that the paper compares (Table 1)."""

ONE_GUARANTEE = ("bonferroni", "simes")
"""Combination methods whose count holds together with what Holm's procedure identifies: both are
wrong only if the one test of the true null hypotheses rejects them (closed testing)."""

MOST_NAMES = 10
"""Datasets that a sentence names; of more it gives the number."""

LISTED = "listed in the table"


@dataclass(frozen=True)
class Finding:
    """What is found about one comparison at one level.

    Attributes
    ----------
    title : str
        The comparison.
    systems : tuple of str
        A and B.
    alpha : float
        Level of significance.
    datasets : tuple of str
        The n datasets, in the order of the table.
    counts : dict of str to int
        Estimator -> estimated number of datasets on which A is better, 0 to n.
    recommended : str
        Combination method that is recommended for the declared dependence.
    identified : ndarray of bool, shape (n,)
        Datasets that Holm's procedure identifies.
    pvalues : ndarray, shape (n,)
        The p-values of the datasets.
    """

    title: str
    systems: tuple
    alpha: float
    datasets: tuple
    counts: dict
    recommended: str
    identified: np.ndarray
    pvalues: np.ndarray

    @functools.cached_property
    def partial_conjunctions(self):
        """Combination method -> p-values of "A is better on at least u datasets", u = 1, ..., n.

        They are computed when they are asked for, since counting takes less than they do.
        """
        return {
            name: partial_conjunction.partial_conjunction_pvalues(self.pvalues, name)
            for name in self.counts
            if name != "count"
        }

    @property
    def identified_datasets(self):
        """Names of the identified datasets, in the order of the table."""
        return [d for d, found in zip(self.datasets, self.identified, strict=True) if found]

    @property
    def k(self):
        """Number of datasets by the recommended estimator, 0 to n."""
        return self.counts[self.recommended]

    def __str__(self):
        """Return the sentence to paste."""
        return sentence(
            self.systems,
            len(self.datasets),
            self.k,
            self.identified_datasets,
            self.alpha,
            self.recommended,
        )


def sentence(systems, n, k, identified, alpha, method):
    """Say as claims, ready to paste, on how many datasets A is better and on which.

    Parameters
    ----------
    systems : sequence of str
        A and B.
    n : int
        Number of datasets.
    k : int
        Lower bound on the number of datasets on which A is better, 0 to n.
    identified : sequence of str, or int
        Datasets that Holm's procedure identifies, or how many they are.
    alpha : float
        Level of each of the two, in (0, 1).
    method : str
        Combination method of the count.

    Returns
    -------
    str
        One sentence; two where Holm's procedure identifies more datasets than are counted.

    Notes
    -----
    Count and names hold together with confidence 1 - alpha if the method is one of `ONE_GUARANTEE`.
    With Fisher's and Stouffer's methods each of the two has this confidence on its own, and both
    together have 1 - 2 alpha at least; the sentence says so.

    Examples
    --------
    >>> print(sentence(("A", "B"), 6, 1, ["news"], 0.05, "bonferroni"))
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 1 of 6 datasets (partial conjunction, Bonferroni, alpha = 0.05);
    Holm's procedure identifies news, under the same guarantee.
    >>> print(sentence(("A", "B"), 6, 0, [], 0.05, "bonferroni"))
    ... # doctest: +NORMALIZE_WHITESPACE
    No dataset is shown on which A outperforms B: of 6, partial conjunction (Bonferroni) counts none
    and Holm's procedure identifies none (alpha = 0.05).
    """
    if n == 1:
        return _of_one(*systems, k, alpha)
    number = _number(identified)
    if max(k, number) == 0:
        return _of_none(*systems, n, alpha, method)
    form = _names_first if number > k else _count_first
    return form(*systems, n, k, identified, alpha, method)


def _of_one(a, b, k, alpha):
    """Say what the test of the only dataset shows; there is nothing to count or to identify."""
    verb = "outperforms" if k else "is not shown to outperform"
    return f"{a} {verb} {b} on the only dataset (alpha = {alpha:g})."


def _of_none(a, b, n, alpha, method):
    """Say that nothing is shown."""
    each = "" if method in ONE_GUARANTEE else "each at "
    return (
        f"No dataset is shown on which {a} outperforms {b}: of {n:,}, partial conjunction "
        f"({method.capitalize()}) counts none and Holm's procedure identifies none "
        f"({each}alpha = {alpha:g})."
    )


def _count_first(a, b, n, k, identified, alpha, method):
    """Say the count and, within it, the names."""
    claim = (
        f"{a} outperforms {b} on {at_least(k, n)} (partial conjunction, {method.capitalize()}, "
        f"alpha = {alpha:g})"
    )
    if not identified:
        return f"{claim}; Holm's procedure identifies none."
    guarantee = (
        "under the same guarantee"
        if method in ONE_GUARANTEE
        else f"with a guarantee of its own at alpha = {alpha:g}"
    )
    return f"{claim}; Holm's procedure identifies {_whom(identified, n)}, {guarantee}."


def _names_first(a, b, n, k, identified, alpha, method):
    """Say the names and, as a statement of its own, the smaller count."""
    number = _number(identified)
    whom = at_least(number, n)
    if not isinstance(identified, int):
        few = number <= MOST_NAMES
        whom = f"{_enumeration(identified)}, and so on {whom}" if few else f"{whom}, {LISTED}"
    counted = f"at least {k:,}" if k else "none"
    return (
        f"{a} outperforms {b} on {whom} (Holm's procedure, alpha = {alpha:g}). The separate count "
        f"by partial conjunction ({method.capitalize()}, alpha = {alpha:g}) shows {counted}; each "
        "of the two statements has a guarantee of its own."
    )


def _number(identified):
    return identified if isinstance(identified, int) else len(identified)


def at_least(k, n):
    """Write a lower bound.

    Parameters
    ----------
    k, n : int
        Datasets on which A is better, 1 to n, and all.

    Returns
    -------
    str
        Such as "at least 2 of 6 datasets", or "all 6 datasets".
    """
    return f"all {n:,} datasets" if k == n else f"at least {k:,} of {n:,} datasets"


def _whom(identified, n):
    """Name the datasets that are identified, if they are few."""
    number = _number(identified)
    if number == n:
        return "each of them"
    if isinstance(identified, int):
        return f"{number:,}"
    return _enumeration(identified) if number <= MOST_NAMES else f"{number:,} ({LISTED})"


def find(comparison, table, alpha, estimators=ESTIMATORS):
    """Count and identify the datasets of a comparison at one level.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison; its `dependence` chooses the recommended estimator.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of significance, in (0, 1).
    estimators : sequence of str
        "count" or combination methods.

    Returns
    -------
    Finding
        Counts by every estimator and the datasets identified by Holm's procedure (Section 4).
    """
    pvalues = table["p_value"].to_numpy()
    recommended = partial_conjunction.recommended_method(comparison.dependence)
    wanted = dict.fromkeys((*estimators, recommended))
    return Finding(
        title=comparison.title,
        systems=tuple(comparison.systems),
        alpha=alpha,
        datasets=tuple(table["dataset"]),
        counts={
            name: partial_conjunction.k_count(pvalues, alpha)
            if name == "count"
            else partial_conjunction.k_hat(pvalues, alpha, name)
            for name in wanted
        },
        recommended=recommended,
        identified=multiple_testing.identify(pvalues, alpha),
        pvalues=pvalues,
    )


def has_both(comparison, table):
    """Tell whether there is evidence in both directions.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.

    Returns
    -------
    bool
        False for one-sided p-values that were read: of "B is not better" they say nothing.
    """
    return "p_reverse" in table or (comparison.sided == "unknown" and "score_a" in table)


def directions(comparison, table):
    """Return what to ask for "A is better" and for "B is better".

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it, with scores (see `has_both`); without ``p_reverse``,
        its p-values are read as two-sided.

    Returns
    -------
    list of (data.Comparison, DataFrame)
        The claimed better system first in each; ``p_value`` is one-sided.
    """
    forth, back = table["p_value"], table.get("p_reverse")
    if back is None:
        ahead = table["score_a"] - table["score_b"]
        back = partial_conjunction.one_sided(forth, -ahead)
        forth = partial_conjunction.one_sided(forth, ahead)
    return [
        (comparison, table.assign(p_value=forth)),
        (replace(comparison, systems=comparison.systems[::-1]), table.assign(p_value=back)),
    ]


def find_both(comparison, table, alpha):
    """Ask in both directions at once: on how many datasets is A better, and on how many is B?

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `directions` takes it.
    alpha : float
        Joint level, in (0, 1).

    Returns
    -------
    list of Finding
        For "A is better" and for "B is better", each at alpha / 2.

    Notes
    -----
    The counts of both directions by one estimator hold together with confidence 1 - alpha
    (Bonferroni over the two directions), and so do the datasets that Holm's procedure identifies in
    both. Counts and names all together have this confidence if the estimator is one of
    `ONE_GUARANTEE`; with Fisher's or Stouffer's method, whose counts have a guarantee apart from
    that of the names, they have 1 - 2 alpha. Of several estimators, choose one beforehand.
    """
    return [
        find(replace(asked, title=f"{asked.systems[0]} better"), answers, alpha / 2)
        for asked, answers in directions(comparison, table)
    ]


def other_direction(comparison, table, alpha):
    """Say what speaks for B, if B is found better or nothing is found for A and B is mostly ahead.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alpha : float
        Joint level of both directions, in (0, 1).

    Returns
    -------
    str
        Sentences that claim for B only what `find_both` finds from one-sided p-values of both
        directions; "" if there is nothing to say.
    """
    a, b = comparison.systems
    n = len(table)
    ahead = wins(table)["B"] if "score_a" in table else 0
    behind = ahead > n / 2 and not _shows(find(comparison, table, alpha))
    scores = f"{b} has the higher score on {ahead} of {_plural(n, 'dataset')}" if ahead else ""
    if "p_reverse" not in table:
        return f"{scores}; p-values of “{a} is not better” show nothing for {b}." if behind else ""
    back = find_both(comparison, table, alpha)[1]
    asked = f"sked in both directions, each at alpha = {back.alpha:g}"
    if _shows(back):
        return f"{scores}{'. ' if scores else ''}A{asked}: {back}"
    if behind:
        return f"{scores}, but, a{asked}, no dataset is shown on which {b} outperforms {a} either."
    return ""


def _shows(finding):
    return finding.k > 0 or finding.identified.any()


def sentences(comparison, table, alphas):
    """Say what is found at every level, and what speaks for the other system at the first.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alphas : sequence of float
        Levels, in (0, 1).

    Returns
    -------
    list of str
        One for each level and, if there is anything to say, that of `other_direction`.
    """
    found = [str(find(comparison, table, alpha)) for alpha in alphas]
    other = other_direction(comparison, table, alphas[0])
    return [*found, other] if other else found


DIRECTION_COLUMNS = ("comparison", "claim", "alpha", "estimate", "identified", "turned round")
"""Columns of `both_directions`."""


def both_directions(pairs, alpha):
    """Tabulate what holds in each direction, and what turns round.

    Parameters
    ----------
    pairs : sequence of (data.Comparison, DataFrame)
        Comparisons with their results; those with p-values of one direction only are left out.
    alpha : float
        Joint level of both directions of a comparison, in (0, 1).

    Returns
    -------
    DataFrame
        One row per direction: ``comparison``, ``claim``, ``alpha`` (of the direction), ``estimate``
        (by the recommended method, out of n), ``identified``, and ``turned round``, the datasets
        that the p-values as printed identify for A although the scores favour this system, B.
    """
    rows = []
    for comparison, table in pairs:
        if not has_both(comparison, table):
            continue
        printed = set(find(comparison, table, alpha).identified_datasets)
        for finding in find_both(comparison, table, alpha):
            names = finding.identified_datasets
            other = finding.systems[0] == comparison.systems[1]
            ahead = set(table["dataset"][table["score_b"] > table["score_a"]])
            turned = [d for d in finding.datasets if other and d in printed & ahead]
            rows.append(
                {
                    "comparison": comparison.title,
                    "claim": finding.title,
                    "alpha": finding.alpha,
                    "estimate": f"{finding.k} of {len(finding.datasets)}",
                    "identified": ", ".join(names),
                    "turned round": ", ".join(turned),
                }
            )
    return pd.DataFrame(rows, columns=DIRECTION_COLUMNS)


def counts(findings):
    """Tabulate findings in the form of the paper's Table 1.

    Parameters
    ----------
    findings : iterable of Finding
        One per row.

    Returns
    -------
    DataFrame
        Columns ``comparison``, ``datasets`` (n), ``alpha``, ``k_<estimator>`` for each estimator
        and ``recommended``.
    """
    return pd.DataFrame(
        {
            "comparison": finding.title,
            "datasets": len(finding.datasets),
            "alpha": finding.alpha,
            **{f"k_{name}": k for name, k in finding.counts.items()},
            "recommended": f"k_{finding.recommended}",
        }
        for finding in findings
    )


def with_printed(counts, printed):
    """Add what was printed to counts of the same comparisons and levels.

    Parameters
    ----------
    counts : DataFrame
        As `counts` returns it.
    printed : DataFrame of str
        Columns ``comparison``, ``alpha`` and ``k_<estimator>``, as printed.

    Returns
    -------
    DataFrame
        `counts` with a column ``printed_<estimator>`` for each estimator of both, NaN where nothing
        was printed.
    """
    keys = ["comparison", "alpha"]
    theirs = printed.astype({"alpha": float}).set_index(keys)
    theirs = theirs[[name for name in counts if name.startswith("k_") and name in theirs]]
    theirs = theirs.astype(float).rename(columns=lambda name: name.replace("k_", "printed_", 1))
    return counts.join(theirs, on=keys)


def describe(comparison, table):
    """Say what is compared, on what, and which estimator follows.

    Parameters
    ----------
    comparison : data.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.

    Returns
    -------
    str
        Two sentences.
    """
    a, b = comparison.systems
    method = partial_conjunction.recommended_method(comparison.dependence).capitalize()
    n = f", {_plural(int(table['n'].sum()), 'instance')}" if "n" in table else ""
    test = f", {paired.TESTS[comparison.test].title}" if comparison.test else ""
    return (
        f"{a} against {b} on {_plural(len(table), 'dataset')}{n}: {comparison.score}{test}. The "
        f"datasets are declared {comparison.dependence}, so that {method}'s estimate is "
        "recommended."
    )


def caption(comparisons):
    """Say for a caption what a section's table holds.

    Parameters
    ----------
    comparisons : sequence of data.Comparison
        Comparisons over the same datasets.

    Returns
    -------
    str
        One sentence.
    """
    first = comparisons[0]
    names = _enumeration(dict.fromkeys(name for c in comparisons for name in c.systems))
    test = f" of {paired.TESTS[first.test].title}" if first.test else ""
    return f"{first.score} of {names}, and p-values{test}."


def section_counts(pairs, alphas):
    """Count for all comparisons of a study at every level.

    Parameters
    ----------
    pairs : sequence of (data.Comparison, DataFrame)
        Comparisons with their results.
    alphas : sequence of float
        Levels.

    Returns
    -------
    DataFrame
        As `counts`, with a column ``section``.
    """
    rows = [(comparison, table, alpha) for comparison, table in pairs for alpha in alphas]
    table = counts(find(*row) for row in rows)
    return table.assign(section=[comparison.section for comparison, *_ in rows])


FAMILY_COLUMNS = (
    "family",
    "systems",
    "datasets",
    "estimator",
    "alpha",
    "claims",
    "pairs",
    "somewhere",
    "half",
    "everywhere",
    "neighbours",
)
"""Columns of `family_counts`."""


def family_counts(families, alphas):
    """Summarise what all pairs of systems show.

    Parameters
    ----------
    families : sequence of (data.Family, pairs.Pairs)
        The families, whose dependence chooses the estimator, with their p-values.
    alphas : sequence of float
        Levels.

    Returns
    -------
    DataFrame
        For each family and level one row for pairs taken one by one, and one for all pairs jointly,
        each at alpha over the number of ordered pairs (Bonferroni): ``family``, ``systems``,
        ``datasets``, ``estimator``, ``alpha``, ``claims``, the number of ``pairs`` (unordered) of
        which one system is better ``somewhere`` (k-hat of 1 or more), on ``half`` of the datasets
        or more, and ``everywhere``; and of the s - 1 ``neighbours`` in the order of mean scores,
        those of which the first is better somewhere.
    """
    rows = []
    for family, pairs in families:
        method = partial_conjunction.recommended_method(family.dependence)
        n, size = len(pairs.datasets), len(pairs.systems)
        for alpha, (claims, share) in itertools.product(
            alphas, (("one by one", 1), ("jointly", pairs.n_pairs))
        ):
            k = pairs.k_hat(alpha / share, method).to_numpy()
            rows.append(
                {
                    "family": family.title,
                    "systems": size,
                    "datasets": n,
                    "estimator": f"k_{method}",
                    "alpha": alpha,
                    "claims": claims,
                    "pairs": pairs.n_pairs // 2,
                    "somewhere": int((np.maximum(k, k.T) > 0).sum() // 2),
                    "half": int((k >= n / 2).sum()),
                    "everywhere": int((k == n).sum()),
                    "neighbours": f"{int((np.diagonal(k, 1) > 0).sum())} of {size - 1}",
                }
            )
    return pd.DataFrame(rows, columns=FAMILY_COLUMNS)


def beside(open_counts, published_counts):
    """Lay the counts of one study beside those of another, section by section.

    Parameters
    ----------
    open_counts, published_counts : DataFrame
        As `counts` returns them, with a column ``section``.

    Returns
    -------
    DataFrame
        The rows of both with the column ``study`` ("published" first), sections together.
    """
    order = list(dict.fromkeys([*published_counts["section"], *open_counts["section"]]))
    rows = pd.concat([published_counts.assign(study="published"), open_counts.assign(study="open")])
    rows["section"] = pd.Categorical(rows["section"], order)
    rows = rows.sort_values("section", kind="stable").astype({"section": str})
    first = ["section", "study"]
    rows["section"] = rows["section"].str.replace("_", " ")
    return rows[[*first, *rows.columns.drop(first)]].reset_index(drop=True)


def wins(table):
    """Count the datasets on which the scores favour A, neither and B.

    Parameters
    ----------
    table : DataFrame
        With ``score_a`` and ``score_b``.

    Returns
    -------
    dict
        "A", "tie", "B" -> number of datasets.
    """
    signs = np.sign(table["score_a"] - table["score_b"])
    return {
        "A": int((signs > 0).sum()),
        "tie": int((signs == 0).sum()),
        "B": int((signs < 0).sum()),
    }


def _plural(n, thing):
    return f"{n:,} {thing}{'s' * (n != 1)}"


def _enumeration(names):
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
