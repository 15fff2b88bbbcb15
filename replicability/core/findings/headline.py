"""The card of a comparison on the page: its number, and what is said of both directions."""

from replicability.core.claimed import claim
from replicability.core.findings.claims import for_another_study, if_independent
from replicability.core.findings.finding import find_both, has_both
from replicability.core.findings.wording import LISTED, at_least, capital, confidence
from replicability.core.procedure import TITLES
from replicability.stats import partial_conjunction


def headline(finding):
    """Return the number of a card, and what it is the number of.

    Parameters
    ----------
    finding : findings.Finding
        What is found at the first level.

    Returns
    -------
    tuple of str
        The number of datasets in words, and on which they are, with what confidence.
    """
    if finding.other is not None:
        return _of_both(finding)
    a, b = finding.systems
    n, k, named = len(finding.datasets), finding.k, int(finding.identified.sum())
    method, sure = finding.recommended.capitalize(), f"{confidence(finding.alpha)} confidence"
    whom = f"on which {finding.claim.clause(a, b)}"
    if n == 1 and finding.claim.kind != "better":
        shown = "Shown" if k else "Not shown"
        return f"{shown} on the only dataset", f"{finding.claim.shown(a, b)}, {sure}"
    if n == 1:
        shown = "Better" if k else "Not shown to be better"
        return f"{shown} on the only dataset", f"{a} than {b}, {sure}"
    if finding.claims is not None:
        how = f"closed testing ({TITLES[finding.claims.method]}), {sure}"
        if k == 0:
            return "No dataset is shown", f"{whom}, of {n:,}: {how}"
        return capital(at_least(k, n)), f"{whom}: {how}"
    if max(k, named) == 0:
        return "No dataset is shown", f"{whom}, of {n:,}: {method} and Holm, {sure} each"
    if named > k:
        less = f"at least {k:,}" if k else "none"
        counted = f"the separate count by {method}, {less}"
        return capital(at_least(named, n)), f"{whom}: Holm, {sure}; {counted}"
    return capital(at_least(k, n)), f"{whom}: {method}, {sure}"


def _of_both(finding):
    """Return the headline of a comparison in both directions."""
    n, asked = len(finding.datasets), (finding, finding.other)
    numbers = [max(one.k, int(one.identified.sum())) for one in asked]
    clauses = [one.claim.clause(*one.systems) for one in asked]
    shown = [clause for clause, k in zip(clauses, numbers, strict=True) if k]
    how = _confidence_of_both(finding)
    if n == 1:
        if shown:
            return "Shown on the only dataset", f"{' and '.join(shown)}: {how}"
        return "Not shown on the only dataset", f"{' or '.join(clauses)}: {how}"
    if not shown:
        return "No dataset is shown", f"on which {' or '.join(clauses)}, of {n:,}: {how}"
    if len(shown) == 1:
        (none,) = (clause for clause in clauses if clause not in shown)
        said = f"on which {shown[0]}; none is shown on which {none}: {how}"
        return capital(at_least(max(numbers), n)), said
    forth, back = (f"at least {k:,}" for k in numbers)
    said = f"on which {clauses[0]} and on which {clauses[1]}: {how}"
    return capital(f"{forth} and {back} of {n:,} datasets"), said


def _confidence_of_both(finding):
    """Say by what both directions are decided, and with what confidence."""
    if finding.claims is None:
        method = finding.recommended.capitalize()
        return f"{method} and Holm, {confidence(finding.level)} confidence each"
    sure = f"both directions, simultaneous {confidence(finding.alpha)} confidence"
    if len(finding.datasets) == 1:
        return sure
    return f"closed testing ({TITLES[finding.claims.method]}), {sure}"


def both_directions(comparison, table, finding):
    """Return what is said of both directions beside the sentences, and on what it rests.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    finding : findings.Finding
        What is found at the first level.

    Returns
    -------
    dict
        ``note``; ``sentences``, of read p-values that may be two-sided where the comparison asks
        one direction; and ``names``, for each of them the datasets that it does not list.
    """
    a, b = comparison.systems
    said = []
    if comparison.claim == "equivalent":
        note = "That two systems differ by less than a margin is the same claim in both directions."
    elif not has_both(comparison, table):
        note = "The other direction cannot be asked: the file has p-values of one direction."
    elif comparison.level == "instances" and finding.other is None:
        note = f"The claim is that {claim(comparison).shown(a, b)}; the other direction was not "
        note += "asked."
    else:
        note = f"Each direction is asked at alpha = {finding.alpha / 2:g}. "
        note += _together(comparison, finding)
        if "p_reverse" not in table:
            note += (
                " The p-values are read as two-sided here: p/2 for the system with the higher "
                "score, 1 − p/2 for the other."
            )
        said = [] if finding.other else find_both(comparison, table, finding.alpha)
    return {
        "sentences": [str(one).replace(LISTED, "listed below") for one in said],
        "names": [one.identified_datasets if LISTED in str(one) else [] for one in said],
        "note": note,
    }


def _together(comparison, finding):
    """Say what of both directions holds together with what confidence."""
    sure = confidence(finding.alpha)
    if finding.claims is not None:
        return f"All that is said of both holds together with confidence {sure}."
    if partial_conjunction.ESTIMATORS[finding.recommended].with_holm:
        what = "Counts, names and groups" if comparison.groups else "Counts and names"
        return f"{what} of both hold together with confidence {sure}."
    what = "counts and groups" if comparison.groups else "counts"
    return (
        f"The {what} of both hold together with confidence {sure}, and so do the names of both; "
        f"all of these together with {confidence(min(2 * finding.alpha, 1))}."
    )


def promise(closed):
    """Say what the counts and names of several comparisons have in common.

    Parameters
    ----------
    closed : set of bool
        Whether they come from closed testing, of each comparison.

    Returns
    -------
    str
        One sentence.
    """
    if closed == {True}:
        return (
            "Count, named datasets and groups of a comparison come from one closed testing "
            "procedure and hold together with the confidence beside them."
        )
    count = "Each count is a lower bound that holds with the confidence beside it"
    if True in closed:
        return f"{count}; each comparison says by what datasets are named."
    return f"{count}; each named dataset is identified by Holm's procedure."


def beside(comparison, finding):
    """Say what an assumption, or another method in another study, would give.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    finding : findings.Finding
        What is found at the first level.

    Returns
    -------
    list of str
        Sentences that are no part of the claim.
    """
    if finding.claims is None:
        return []
    declared = comparison.dependence == "independent"
    said = []
    for one in (finding, finding.other) if finding.other else (finding,):
        texts = ("" if declared else if_independent(one.claims), for_another_study(one.claims))
        whose = f"{one.claim.short(one.systems[0])}: " if finding.other else ""
        said += [f"{whose}{text}" for text in texts if text]
    return said
