"""What was found, in English: claims that are ready to paste."""

from replicability.checks import enumerated
from replicability.core import claimed, procedure
from replicability.core.claimed import BETTER
from replicability.stats import paired
from replicability.stats.partial_conjunction import ESTIMATORS, recommended_method

MOST_NAMES = 10
"""Datasets that a sentence names; of more it gives the number."""

LISTED = "listed in the table"

DECLARED = {"positive": "positively dependent"} | {
    kind: kind for kind in ("independent", "dependent")
}
"""Kind of dependence -> what datasets are said to be."""


def sentence(systems, n, k, identified, alpha, method, claim=BETTER):
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
    claim : claimed.Claim, optional
        What is claimed of A and B on a dataset.

    Returns
    -------
    str
        One sentence; two where Holm's procedure identifies more datasets than are counted.

    Notes
    -----
    Count and names hold together with confidence 1 - alpha if the entry of the method says that
    they are joint. Else, as with Fisher's and Stouffer's methods, each of the two has this
    confidence on its own, and both together have 1 - 2 alpha at least; the sentence says so.

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
        return f"{claim.on_the_only_one(*systems, k > 0)} (alpha = {alpha:g})."
    number, shown = _number(identified), claim.shown(*systems)
    if max(k, number) == 0:
        return _of_none(shown, n, alpha, method)
    form = _names_first if number > k else _count_first
    return form(shown, n, k, identified, alpha, method)


def _of_none(shown, n, alpha, method):
    """Say that nothing is shown."""
    each = "" if ESTIMATORS[method].with_holm else "each at "
    return (
        f"No dataset is shown on which {shown}: of {n:,}, partial conjunction "
        f"({ESTIMATORS[method].title}) counts none and Holm's procedure identifies none "
        f"({each}alpha = {alpha:g})."
    )


def _count_first(shown, n, k, identified, alpha, method):
    """Say the count and, within it, the names."""
    claim = (
        f"{shown} on {at_least(k, n)} (partial conjunction, "
        f"{ESTIMATORS[method].title}, alpha = {alpha:g})"
    )
    if not identified:
        return f"{claim}; Holm's procedure identifies none."
    guarantee = (
        "under the same guarantee"
        if ESTIMATORS[method].with_holm
        else f"with a guarantee of its own at alpha = {alpha:g}"
    )
    return f"{claim}; Holm's procedure identifies {_whom(identified, n)}, {guarantee}."


def _names_first(shown, n, k, identified, alpha, method):
    """Say the names and, as a statement of its own, the smaller count."""
    number = _number(identified)
    whom = at_least(number, n)
    if not isinstance(identified, int):
        few = number <= MOST_NAMES
        whom = f"{enumerated(identified)}, and so on {whom}" if few else f"{whom}, {LISTED}"
    counted = f"at least {k:,}" if k else "none"
    return (
        f"{shown} on {whom} (Holm's procedure, alpha = {alpha:g}). The separate count "
        f"by partial conjunction ({ESTIMATORS[method].title}, alpha = {alpha:g}) shows {counted}; "
        "each of the two statements has a guarantee of its own."
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
        Such as "at least 2 of 6 datasets", "all 6 datasets", "both datasets" or "the only dataset".
    """
    if k < n:
        return f"at least {k:,} of {n:,} datasets"
    return {1: "the only dataset", 2: "both datasets"}.get(n, f"all {n:,} datasets")


def of_group(k, n):
    """Write the lower bound of a group where datasets need not be mentioned.

    Parameters
    ----------
    k, n : int
        Datasets on which A is better, 0 to n, and all of the group.

    Returns
    -------
    str
        Such as "at least 2 of 6", "all 6", "both", "its only one" or "none shown of 6".
    """
    if k == 0:
        return f"none shown of {n:,}"
    return "its only one" if n == 1 else at_least(k, n).removesuffix(" datasets")


def _whom(identified, n):
    """Name the datasets that are identified, if they are few."""
    number = _number(identified)
    if number == n:
        return "each of them"
    if isinstance(identified, int):
        return f"{number:,}"
    return enumerated(identified) if number <= MOST_NAMES else f"{number:,} ({LISTED})"


def describe(comparison, table):
    """Say what is compared, on what, and by what it is counted.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.

    Returns
    -------
    str
        Two sentences.
    """
    a, b = comparison.systems
    n = f", {plural(int(table['n'].sum()), 'instance')}" if "n" in table else ""
    test = f", {paired.TESTS[comparison.test].title}" if comparison.test else ""
    asked = ""
    if comparison.claim != "better":
        asked = f"The claim is that {claimed.claim(comparison).shown(a, b)}. "
    return (
        f"{a} against {b} on {plural(len(table), 'dataset')}{n}: {comparison.score}{test}. "
        f"{asked}{chosen(comparison, table=table)}"
    )


def chosen(comparison, declared=True, table=None):
    """Say by what a comparison is counted and named, and why.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    declared : bool, default True
        Whether its dependence is what somebody said, and not what is taken where nobody did.
    table : DataFrame, optional
        As `evaluation.evaluate` returns it: what is known of the datasets besides p-values.

    Returns
    -------
    str
        One sentence.
    """
    dependence = f"The datasets are declared {DECLARED[comparison.dependence]}"
    if not declared:
        dependence = "No dependence is declared, and the datasets are treated as dependent"
    if comparison.procedure == "paper":
        method = ESTIMATORS[recommended_method(comparison.dependence)].title
        groups = ""
        if comparison.groups:
            test = procedure.TITLES[procedure.IN_THE_PAPER[comparison.dependence]]
            groups = f"; groups are bounded by closed testing ({test})"
        return f"{dependence}, so that {method}'s estimate is recommended{groups}."
    known = {"shared": bool(comparison.shared)} if table is None else procedure.known(table)
    method = procedure.local_test(comparison.dependence, method=comparison.method, **known)
    if method in procedure.OF_UNITS:
        dependence = "The datasets share units, by which their dependence is measured"
    elif comparison.method:
        dependence += f", and the method {procedure.TITLES[method]} is asked for"
    return (
        f"{dependence}: count, names and groups come from closed testing "
        f"({procedure.TITLES[method]}), with one guarantee."
    )


def caption(comparisons):
    """Say for a caption what a section's table holds.

    Parameters
    ----------
    comparisons : sequence of study.Comparison
        Comparisons over the same datasets.

    Returns
    -------
    str
        One sentence.
    """
    first = comparisons[0]
    names = {}
    for comparison in comparisons:
        names.setdefault(comparison.score, {}).update(dict.fromkeys(comparison.systems))
    scores = ", ".join(f"{score} of {enumerated(systems)}" for score, systems in names.items())
    test = f" of {paired.TESTS[first.test].title}" if first.test else ""
    null = ""
    if first.claim != "better" and len(comparisons) == 1:
        null = f" of “{claimed.claim(first).null(*first.systems)}”"
    return f"{scores}, and p-values{test}{null}."


def confidence(alpha):
    """Write the confidence that belongs to a level alpha, such as "95%"."""
    return f"{100 * (1 - alpha):g}%"


def capital(text):
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def plural(n, thing):
    """Write a number of things.

    Parameters
    ----------
    n : int
        The number.
    thing : str
        One of them.

    Returns
    -------
    str
        Such as "1 dataset" or "1,000 instances".
    """
    return f"{n:,} {thing}{'s' * (n != 1)}"


def not_asked(systems, ahead, n):
    """Say that B is ahead on most datasets, and how to ask whether it is better.

    Parameters
    ----------
    systems : sequence of str
        A and B.
    ahead, n : int
        Datasets on which B has the higher score, and all.

    Returns
    -------
    str
        One sentence.
    """
    a, b = systems
    where = f"on {ahead:,} of {plural(n, 'dataset')}" if n > 1 else f"than {a}"
    return (
        f"{b} has the higher score {where}, but only {a} was claimed to be better: "
        "the alternative 'two-sided' asks in both directions."
    )
