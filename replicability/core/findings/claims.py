"""What one closed testing procedure says, as English claims."""

from dataclasses import replace

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.claimed import BETTER
from replicability.core.findings.wording import LISTED, MOST_NAMES, at_least, of_group
from replicability.stats import multiple_testing

INSTEAD = ("fisher_bonferroni", "bonferroni")
"""Local tests that name all that Holm's procedure names, the one that says more first."""


def sentence(systems, claims, groups=None, claim=BETTER):
    """Say on how many datasets A is better, on which, and on how many of each group.

    Parameters
    ----------
    systems : sequence of str
        A and B.
    claims : procedure.Procedure
        What is shown.
    groups : dict of str to sequence of str, optional
        Groups of datasets, by their names.
    claim : claimed.Claim, optional
        What is claimed of A and B on a dataset.

    Returns
    -------
    str
        Claims that hold together with the confidence that they state.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "bonferroni", [0.001, 0.2, 0.02])
    >>> print(sentence(("A", "B"), shown, {"written": ["news", "law"]}))
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and talks. By group: written at least
    1 of 2. All of this holds together with 95% confidence (closed testing, Bonferroni).
    """
    a, b = systems
    n, k = len(claims.datasets), claims.at_least()
    if n == 1:
        return f"{claim.on_the_only_one(a, b, k > 0)} ({_confidence(claims)})."
    how = f"closed testing, {procedure.TITLES[claims.method]}"
    if k == 0:
        return (
            f"No dataset of {n:,} is shown on which {claim.shown(a, b)} ({how}, "
            f"{_confidence(claims)})."
        )
    said = f"{claim.shown(a, b)} on {at_least(k, n)}{_names(claims, k)}"
    if not groups:
        return f"{said} ({how}; all together with {_confidence(claims)})."
    return (
        f"{said}. By group: {_listed(groups, claims)}. All of this holds together with "
        f"{_confidence(claims)} ({how})."
    )


def of_both(systems, both, groups=None, claim=BETTER):
    """Say on how many datasets A is better and on how many B is, and on which.

    Parameters
    ----------
    systems : sequence of str
        A and B.
    both : sequence of procedure.Procedure
        What is shown for A and for B, each at half of the level of the statement.
    groups : dict of str to sequence of str, optional
        Groups of datasets, by their names.
    claim : claimed.Claim, optional
        What is claimed of A and B on a dataset.

    Returns
    -------
    str
        Claims with simultaneous confidence.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> names, p = ("news", "law", "talks"), [0.001, 0.2, 0.999]
    >>> both = [
    ...     Procedure(names, 0.025, "bonferroni", p),
    ...     Procedure(names, 0.025, "bonferroni", [1 - value for value in p]),
    ... ]
    >>> print(of_both(("A", "B"), both)) # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 1 of 3 datasets, namely news; B outperforms A on at least 1 of 3
    datasets, namely talks (closed testing, Bonferroni; both directions, simultaneous 95%
    confidence).
    """
    n, pairs = len(both[0].datasets), (tuple(systems), tuple(systems)[::-1])
    found = [(claim.shown(*pair), claims) for pair, claims in zip(pairs, both, strict=True)]
    joint = replace(both[0], alpha=2 * both[0].alpha)
    how = f"closed testing, {procedure.TITLES[joint.method]}; " if n > 1 else ""
    sure = f"({how}both directions, simultaneous {_confidence(joint)})"
    said = [
        f"{shown} on {at_least(claims.at_least(), n)}{_names(claims, claims.at_least())}"
        for shown, claims in found
        if claims.at_least()
    ]
    if not said:
        of = f" by {claim.of}" if claim.of else ""
        better = claim.kind == "better"
        shown = "{} and {} differ".format(*systems) + of if better else found[0][0]
        other = "" if better else f" or {found[1][0]}"
        where = "the only dataset" if n == 1 else f"any of {n:,} datasets"
        return f"There is no evidence that {shown}{other} on {where} {sure}."
    if not groups:
        return f"{'; '.join(said)} {sure}."
    listed = (f"{a}: {_listed(groups, claims)}" for (a, _), claims in zip(pairs, both, strict=True))
    return f"{'; '.join(said)}. By group, {'; '.join(listed)} {sure}."


def beside_the_pair(claims, groups):
    """Say on how many datasets of each group A is better, beside the paper's count and names.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown of groups.
    groups : dict of str to sequence of str
        Groups of datasets, by their names.

    Returns
    -------
    str
        One sentence. By Bonferroni's test, of which Holm's names are and Bonferroni's count, it has
        the guarantee of the pair, by others one of its own.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "fisher", [0.001, 0.2, 0.02])
    >>> print(beside_the_pair(shown, {"written": ["news", "law"], "spoken": ["talks"]}))
    ... # doctest: +NORMALIZE_WHITESPACE
    By group, as a statement of its own: written at least 1 of 2, spoken its only one (closed
    testing, Fisher; all groups together with 95% confidence).
    """
    same = claims.method == "bonferroni"
    shown = _listed(groups, claims) if claims.at_least() else "none shown in any"
    return (
        f"By group, {'under the same guarantee' if same else 'as a statement of its own'}: {shown} "
        f"(closed testing, {procedure.TITLES[claims.method]}; all groups together with "
        f"{_confidence(claims)})."
    )


def if_independent(claims, system=""):
    """Say what the same data would give under an assumption that they cannot show.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown.
    system : str, optional
        Of which system it is shown, if both directions are asked.

    Returns
    -------
    str
        One sentence where the local test of independent datasets counts more; else "", and also
        where the local test takes the datasets for independent already, they share units and are
        not, or there are more than `procedure.MOST_SUMS`.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> if_independent(Procedure(("news", "law"), 0.05, "bonferroni", [0.04, 0.04]))
    'If the datasets were independent, which these data cannot show, it would be both datasets.'
    """
    known = claims.method in procedure.OF_UNITS
    known |= procedure.VALID_UNDER[claims.method] == ("independent",)
    if known or len(claims.datasets) > procedure.MOST_SUMS:
        return ""
    k = replace(claims, method=procedure.LOCAL_TESTS["independent"]).at_least()
    if k <= claims.at_least():
        return ""
    whose = f" for {system}" if system else ""
    return (
        "If the datasets were independent, which these data cannot show, it would be "
        f"{at_least(k, len(claims.datasets))}{whose}."
    )


def for_another_study(claims):
    """Suggest a local test to studies that are still to be made, where this one names few datasets.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown.

    Returns
    -------
    str
        Two sentences where Holm's procedure would name more datasets, as it may beside Fisher's
        sum or joint sign flips; else "".

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "fisher", [0.012, 0.98, 0.99])
    >>> print(for_another_study(shown)) # doctest: +NORMALIZE_WHITESPACE
    Holm's procedure would name more datasets (1, here 0), as evidence is uneven. For this study the
    method was fixed before its p-values; for one whose results nobody has seen, consider method:
    fisher_bonferroni, which names all datasets that Holm's procedure names.
    """
    by_holm = int(multiple_testing.identify(claims.pvalues, claims.alpha).sum())
    named = int(claims.named.sum())
    if by_holm <= named:
        return ""
    valid = set(procedure.VALID_UNDER[claims.method])
    instead = next(name for name in INSTEAD if valid <= set(procedure.VALID_UNDER[name]))
    return (
        f"Holm's procedure would name more datasets ({by_holm:,}, here {named:,}), as evidence is "
        "uneven. For this study the method was fixed before its p-values; for one whose results "
        f"nobody has seen, consider method: {instead}, which names all datasets that Holm's "
        "procedure names."
    )


def _confidence(claims):
    """Write the confidence of a procedure, without the noise of 1 - alpha."""
    return f"{round(100 * (1 - claims.alpha), 9):g}% confidence"


def _names(claims, k):
    """Say which datasets are named, as far as they are few."""
    named = [d for d, found in zip(claims.datasets, claims.named, strict=True) if found]
    if len(named) == len(claims.datasets):
        return ""
    if not named:
        return ", of which none can be named" if k < len(claims.datasets) else ""
    few = enumerated(named) if len(named) <= MOST_NAMES else f"{len(named):,} {LISTED}"
    return f", {'namely' if len(named) == k else 'among them'} {few}"


def _listed(groups, claims):
    return ", ".join(
        f"{name} {of_group(claims.at_least(group), len(group))}" for name, group in groups.items()
    )
