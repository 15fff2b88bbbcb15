"""What was found, in English: claims that are ready to paste."""

from replicability.checks import enumerated
from replicability.core import claimed, procedure
from replicability.core.claimed import BETTER
from replicability.stats import paired
from replicability.stats.partial_conjunction import ESTIMATORS, recommended_method

MOST_NAMES = 10
"""Maximum number of datasets that a sentence lists; of more it gives the number."""

LISTED = "listed in the table"

DECLARED = {"positive": "positively dependent"} | {
    kind: kind for kind in ("independent", "dependent")
}
"""Maps the dependence to the adjective that a sentence uses."""


def sentence(systems, n, k, identified, alpha, method, claim=BETTER):
    """Write the claims of the paper's two procedures, ready to paste.

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
        One sentence; two where Holm's procedure identifies more datasets than the lower bound.

    Notes
    -----
    Bound and names have simultaneous confidence 1 - alpha if the entry of the method says that they
    are joint. With other methods, such as Fisher's, each of the two has this confidence, and both
    together have at least 1 - 2 alpha; the sentence says so.

    Examples
    --------
    >>> print(sentence(("A", "B"), 6, 1, ["news"], 0.05, "bonferroni"))
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 1 of 6 datasets (partial conjunction, Bonferroni, alpha = 0.05);
    Holm's procedure identifies news, with the same guarantee.
    >>> print(sentence(("A", "B"), 6, 0, [], 0.05, "bonferroni"))
    ... # doctest: +NORMALIZE_WHITESPACE
    There is no evidence that A outperforms B on any of the 6 datasets (partial conjunction,
    Bonferroni, and Holm's procedure, alpha = 0.05).
    """
    if n == 1:
        return f"{claim.on_the_only_one(*systems, k > 0)} (alpha = {alpha:g})."
    number, shown = _number(identified), claim.shown(*systems)
    if max(k, number) == 0:
        each = "" if ESTIMATORS[method].with_holm else "each at "
        return (
            f"There is no evidence that {shown} on {on_any(n)} (partial conjunction, "
            f"{ESTIMATORS[method].title}, and Holm's procedure, {each}alpha = {alpha:g})."
        )
    form = _names_first if number > k else _count_first
    return form(shown, n, k, identified, alpha, method)


def _count_first(shown, n, k, identified, alpha, method):
    """Write the bound and, within it, the identified datasets."""
    claim = (
        f"{shown} on {at_least(k, n)} (partial conjunction, "
        f"{ESTIMATORS[method].title}, alpha = {alpha:g})"
    )
    if not identified:
        return f"{claim}; Holm's procedure identifies no dataset."
    guarantee = (
        "with the same guarantee"
        if ESTIMATORS[method].with_holm
        else f"with a separate guarantee at alpha = {alpha:g}"
    )
    return f"{claim}; Holm's procedure identifies {_whom(identified, n)}, {guarantee}."


def _names_first(shown, n, k, identified, alpha, method):
    """Write the identified datasets and, separately, the smaller bound."""
    number = _number(identified)
    whom = at_least(number, n)
    if not isinstance(identified, int):
        few = number <= MOST_NAMES
        whom = f"{enumerated(identified)}, hence on {whom}" if few else f"{whom}, {LISTED}"
    return (
        f"{shown} on {whom} (Holm's procedure, alpha = {alpha:g}). The lower bound from "
        f"partial conjunction ({ESTIMATORS[method].title}, alpha = {alpha:g}) is {k:,}; each of "
        "the two statements has a separate guarantee."
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


def on_any(n):
    """Write "on any of n datasets" without its first word.

    `n`: number of datasets, at least 1.

    Returns str. Such as "any of the 6 datasets", "either dataset" or "the only dataset".
    """
    return {1: "the only dataset", 2: "either dataset"}.get(n, f"any of the {n:,} datasets")


def of_group(k, n):
    """Write the lower bound of a group without the word "datasets".

    Parameters
    ----------
    k, n : int
        Datasets on which A is better, 0 to n, and all of the group.

    Returns
    -------
    str
        Such as "at least 2 of 6", "all 6", "both", "1 of 1" or "at least 0 of 6".
    """
    return f"{k} of 1" if n == k == 1 else at_least(k, n).removesuffix(" datasets")


def _whom(identified, n):
    """List the identified datasets, if they are few."""
    number = _number(identified)
    if number == n:
        return "each of them"
    if isinstance(identified, int):
        return f"{number:,}"
    return enumerated(identified) if number <= MOST_NAMES else f"{number:,} ({LISTED})"


def describe(comparison, table):
    """Say what is compared, on which datasets, and by which procedure.

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
    n = f" ({plural(int(table['n'].sum()), 'item')})" if "n" in table else ""
    test = f", with {paired.TESTS[comparison.test].title}" if comparison.test else ""
    claim = ""
    if comparison.claim != "better":
        claim = f"The claim is that {claimed.claim(comparison).shown(a, b)}. "
    return (
        f"{a} and {b} are compared by {comparison.score} on {plural(len(table), 'dataset')}{n}"
        f"{test}. "
        f"{claim}{chosen(comparison, table=table)}"
    )


def chosen(comparison, declared=True, table=None):
    """Say which procedure gives the bounds and identified datasets, and why.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    declared : bool, default True
        Whether the dependence was declared, rather than assumed.
    table : DataFrame, optional
        As `evaluation.evaluate` returns it: what is known of the datasets besides p-values.

    Returns
    -------
    str
        Two sentences, or three.
    """
    dependence = f"The datasets are declared {DECLARED[comparison.dependence]}"
    if not declared:
        dependence = "No dependence is declared, so the datasets are treated as dependent"
    if comparison.procedure == "paper":
        method = ESTIMATORS[recommended_method(comparison.dependence)].title
        groups = ""
        if comparison.groups:
            test = procedure.TITLES[procedure.IN_THE_PAPER[comparison.dependence]]
            groups = f" Bounds of groups come from closed testing ({test})."
        return f"{dependence}. k-hat is therefore computed with {method}'s method.{groups}"
    known = {"shared": bool(comparison.shared)} if table is None else procedure.known(table)
    method = procedure.local_test(comparison.dependence, method=comparison.method, **known)
    if method in procedure.OF_UNITS:
        dependence = "The datasets share units, so their dependence is measured from these units"
    elif comparison.method:
        dependence += f", and the method {procedure.TITLES[method]} is requested"
    return (
        f"{dependence}. All bounds and identified datasets come from one closed testing "
        f"procedure ({procedure.TITLES[method]}) and hold simultaneously."
    )


def caption(comparisons):
    """Describe the table of a section for its caption.

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

    `n`: the number. `thing`: one of them.

    Returns str. Such as "1 dataset" or "1,000 items".
    """
    return f"{n:,} {thing}{'s' * (n != 1)}"


def only_one_direction(systems, ahead, n):
    """Say that B is ahead on most datasets, and how to test both directions.

    `systems` (sequence of str): A and B. `ahead`, `n`: datasets on which B has the higher score,
    and all.

    Returns str. Two sentences.
    """
    a, b = systems
    where = f"on {ahead:,} of {plural(n, 'dataset')}" if n > 1 else f"than {a}"
    return (
        f"{b} scores higher {where}, but only the claim that {a} is better was tested. "
        "Use the alternative 'two-sided' to test both directions."
    )
