"""What one closed testing procedure says, as English claims."""

from replicability.compare import procedure

TITLES = {
    "bonferroni": "Bonferroni",
    "simes": "Simes",
    "fisher": "Fisher",
    "stouffer": "Stouffer",
    "truncated_fisher": "truncated Fisher",
    "conditional_fisher": "conditional Fisher",
    procedure.JOINT: "joint sign flips",
}
"""Local test -> its name in a sentence."""

MOST_NAMES = 10
"""Datasets that a sentence names; of more it gives the number."""


def sentence(systems, claims, groups=None):
    """Say on how many datasets A is better, on which, and on how many of each group.

    Parameters
    ----------
    systems : sequence of str
        A and B.
    claims : procedure.Procedure
        What is shown.
    groups : dict of str to sequence of str, optional
        Groups of datasets, by their names.

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
        verb = "outperforms" if k else "is not shown to outperform"
        return f"{a} {verb} {b} on the only dataset ({_confidence(claims)})."
    how = f"closed testing, {TITLES[claims.method]}"
    if k == 0:
        return (
            f"No dataset is shown on which {a} outperforms {b}, of {n:,} ({how}, "
            f"{_confidence(claims)})."
        )
    said = f"{a} outperforms {b} on {at_least(k, n)}{_names(claims, k)}"
    if not groups:
        return f"{said} ({how}; all together with {_confidence(claims)})."
    parts = ", ".join(_of_group(name, group, claims) for name, group in groups.items())
    return (
        f"{said}. By group: {parts}. All of this holds together with {_confidence(claims)} ({how})."
    )


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


def enumeration(names):
    """Write names as a list in a sentence.

    Parameters
    ----------
    names : iterable of str
        At least one.

    Returns
    -------
    str
        Such as "a, b and c".
    """
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
    few = enumeration(named) if len(named) <= MOST_NAMES else f"{len(named):,} listed in the table"
    return f", {'namely' if len(named) == k else 'among them'} {few}"


def _of_group(name, group, claims):
    k, n = claims.at_least(group), len(group)
    bound = f"all {n:,}" if k == n else f"at least {k:,} of {n:,}" if k else f"none shown of {n:,}"
    return f"{name} {bound}"
