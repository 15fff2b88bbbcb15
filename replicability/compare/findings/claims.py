"""What one closed testing procedure says, as English claims."""

from dataclasses import replace

from replicability.checks import enumerated
from replicability.compare import procedure
from replicability.compare.claimed import BETTER
from replicability.compare.findings.wording import LISTED, MOST_NAMES, at_least


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
    >>> from replicability.compare.procedure import Procedure
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
    parts = ", ".join(_of_group(name, group, claims) for name, group in groups.items())
    return (
        f"{said}. By group: {parts}. All of this holds together with {_confidence(claims)} ({how})."
    )


def if_independent(claims):
    """Say what the same data would give under an assumption that they cannot show.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown.

    Returns
    -------
    str
        One sentence where the count by Fisher's test is larger; else "", and also where the local
        test takes the datasets for independent already, or they share units and are not.

    Examples
    --------
    >>> from replicability.compare.procedure import Procedure
    >>> if_independent(Procedure(("news", "law"), 0.05, "bonferroni", [0.04, 0.04]))
    'If the datasets were independent, which these data cannot show, it would be all 2 datasets.'
    """
    if claims.method == procedure.JOINT or procedure.VALID_UNDER[claims.method] == ("independent",):
        return ""
    k = replace(claims, method=procedure.LOCAL_TESTS["independent"]).at_least()
    if k <= claims.at_least():
        return ""
    return (
        "If the datasets were independent, which these data cannot show, it would be "
        f"{at_least(k, len(claims.datasets))}."
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


def _of_group(name, group, claims):
    k, n = claims.at_least(group), len(group)
    bound = f"all {n:,}" if k == n else f"at least {k:,} of {n:,}" if k else f"none shown of {n:,}"
    return f"{name} {bound}"
