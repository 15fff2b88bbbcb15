"""What one closed testing procedure says, as English claims."""

from dataclasses import replace

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.claimed import BETTER
from replicability.core.findings.wording import (
    LISTED,
    MOST_NAMES,
    at_least,
    of_group,
    on_any,
    plural,
)
from replicability.stats import multiple_testing

INSTEAD = ("fisher_bonferroni", "bonferroni")
"""Local tests that identify every dataset of Holm's procedure, the most powerful first."""


def sentence(systems, claims, groups=None, claim=BETTER):
    """Write on how many datasets A is better, on which, and on how many of each group.

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
        Claims with simultaneous confidence.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "bonferroni", [0.001, 0.2, 0.02])
    >>> print(sentence(("A", "B"), shown, {"written": ["news", "law"]}))
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and talks. By group: written at least
    1 of 2. All of these statements have simultaneous 95% confidence (closed testing, Bonferroni).
    """
    a, b = systems
    n, k = len(claims.datasets), claims.at_least()
    if n == 1:
        return f"{claim.on_the_only_one(a, b, k > 0)} ({_confidence(claims)})."
    how = f"closed testing, {procedure.TITLES[claims.method]}"
    if k == 0:
        return (
            f"There is no evidence that {claim.shown(a, b)} on {on_any(n)} ({how}, "
            f"{_confidence(claims)})."
        )
    said = f"{claim.shown(a, b)} on {at_least(k, n)}{_names(claims, k)}"
    listed = _listed(groups, claims)
    if not listed:
        return f"{said} ({how}; simultaneous {_confidence(claims)})."
    return (
        f"{said}. By group: {listed}. All of these statements have simultaneous "
        f"{_confidence(claims)} ({how})."
    )


def of_both(systems, both, groups=None, claim=BETTER):
    """Write on how many datasets A is better, on how many B is, and on which.

    `systems` (sequence of str): A and B. `both` (sequence of procedure.Procedure): what is shown
    for A and for B, each at half of the level of the statement. `groups` (dict of str to sequence
    of str): groups of datasets, by their names. `claim` (claimed.Claim): what is claimed of A and B
    on a dataset.

    Returns str. Claims with simultaneous confidence.

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
        other = "" if better else f" or that {found[1][0]}"
        return f"There is no evidence that {shown}{other} on {on_any(n)} {sure}."
    each = {a: _listed(groups, claims) for (a, _), claims in zip(pairs, both, strict=True)}
    listed = [f"{a}: {bounds}" for a, bounds in each.items() if bounds]
    if not listed:
        return f"{'; '.join(said)} {sure}."
    return f"{'; '.join(said)}. By group, {'; '.join(listed)} {sure}."


def beside_the_pair(claims, groups):
    """Write the bounds of groups that go with the paper's bound and names.

    `claims` (procedure.Procedure): what is shown of groups. `groups` (dict of str to sequence of
    str): groups of datasets, by their names.

    Returns str. One sentence; "" if no bound is above 0. With Bonferroni's test it shares the
    guarantee of the paper's two statements; with others it has a separate one.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "fisher", [0.001, 0.2, 0.02])
    >>> print(beside_the_pair(shown, {"written": ["news", "law"], "spoken": ["talks"]}))
    ... # doctest: +NORMALIZE_WHITESPACE
    By group, with a separate guarantee: written at least 1 of 2, spoken 1 of 1 (closed testing,
    Fisher; simultaneous 95% confidence for all groups).
    """
    same = claims.method == "bonferroni"
    shown = _listed(groups, claims)
    if not shown:
        return ""
    return (
        f"By group, with {'the same' if same else 'a separate'} guarantee: {shown} "
        f"(closed testing, {procedure.TITLES[claims.method]}; simultaneous {_confidence(claims)} "
        "for all groups)."
    )


def if_independent(claims, system=""):
    """Say what the same data would give if the datasets were independent.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown.
    system : str, optional
        The system of the bound, if both directions are tested.

    Returns
    -------
    str
        One sentence if the local test of independent datasets gives a larger bound; else "". Also
        "" if the local test already assumes independence, the datasets share units, or there are
        more than `procedure.MOST_SUMS`.

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> if_independent(Procedure(("news", "law"), 0.05, "bonferroni", [0.04, 0.04]))
    'If the datasets were independent, which the data cannot show, k-hat would be 2 of 2.'
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
        f"If the datasets were independent, which the data cannot show, k-hat{whose} would be "
        f"{k:,} of {len(claims.datasets):,}."
    )


def for_another_study(claims):
    """Suggest a local test for future studies, where Holm's procedure identifies more datasets.

    Parameters
    ----------
    claims : procedure.Procedure
        What is shown.

    Returns
    -------
    str
        Three sentences where Holm's procedure would identify more datasets, as it may beside
        Fisher's sum or joint sign flips; else "".

    Examples
    --------
    >>> from replicability.core.procedure import Procedure
    >>> shown = Procedure(("news", "law", "talks"), 0.05, "fisher", [0.012, 0.98, 0.99])
    >>> print(for_another_study(shown)) # doctest: +NORMALIZE_WHITESPACE
    Holm's procedure would identify 1 dataset instead of 0, because the evidence differs strongly
    between datasets. Do not change the method of this study. For your next study, consider method:
    fisher_bonferroni, which identifies every dataset that Holm's procedure identifies.
    """
    by_holm = int(multiple_testing.identify(claims.pvalues, claims.alpha).sum())
    named = int(claims.named.sum())
    if by_holm <= named:
        return ""
    valid = set(procedure.VALID_UNDER[claims.method])
    instead = next(name for name in INSTEAD if valid <= set(procedure.VALID_UNDER[name]))
    return (
        f"Holm's procedure would identify {plural(by_holm, 'dataset')} instead of {named:,}, "
        "because the evidence differs strongly between datasets. Do not change the method of this "
        f"study. For your next study, consider method: {instead}, which identifies every dataset "
        "that Holm's procedure identifies."
    )


def _confidence(claims):
    """Write the confidence of a procedure, without the noise of 1 - alpha."""
    return f"{round(100 * (1 - claims.alpha), 9):g}% confidence"


def _names(claims, k):
    """List the identified datasets, if they are few."""
    named = [d for d, found in zip(claims.datasets, claims.named, strict=True) if found]
    if len(named) == len(claims.datasets):
        return ""
    if not named:
        return ", none of which can be identified" if k < len(claims.datasets) else ""
    few = enumerated(named) if len(named) <= MOST_NAMES else f"{len(named):,} {LISTED}"
    return f", {'namely' if len(named) == k else 'among them'} {few}"


def _listed(groups, claims):
    bounds = {name: claims.at_least(group) for name, group in (groups or {}).items()}
    return ", ".join(f"{name} {of_group(k, len(groups[name]))}" for name, k in bounds.items() if k)
