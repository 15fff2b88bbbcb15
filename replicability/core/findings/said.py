"""The conclusions of a comparison, and the sentences that go with them."""

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.findings.finding import find, other_direction
from replicability.core.findings.population import population
from replicability.core.findings.possible import could_have_found
from replicability.core.findings.wording import at_least, on_any


def sentences(comparison, table, alphas):
    """Write the conclusion at every level, and the `asides` of the first.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alphas : sequence of float
        Levels, in (0, 1).

    Returns
    -------
    list of str
        One for each level and, if there is anything to say, those of `asides`.
    """
    found = [str(find(comparison, table, alpha)) for alpha in alphas]
    return [*found, *asides(comparison, table, alphas[0])]


def of_group(finding, group):
    """Write on how many datasets of a group A is better; you may choose it after seeing results.

    Parameters
    ----------
    finding : Finding
        What is found at one level.
    group : sequence of str
        Names of datasets.

    Returns
    -------
    str
        A sentence.

    Raises
    ------
    InputError
        If the group is empty, or names a dataset twice or one that is not there.
    """
    claims = finding.of_groups
    if claims is None:
        return (
            "Bounds of groups are not available for this many datasets. Use the method "
            "'bonferroni'."
        )
    k, said = claims.at_least(group), finding.claim.shown(*finding.systems)
    n = len(group)
    shown = (
        f"{said} on {at_least(k, n)}" if k else f"there is no evidence that {said} on {on_any(n)}"
    )
    same = "with the same guarantee"
    if finding.claims is None:
        same = f"closed testing, {procedure.TITLES[claims.method]}; with a separate guarantee"
    return f"Group {enumerated(group)}: {shown} ({same})."


def asides(comparison, table, alpha):
    """Write the sentences on the other direction, the power, and the population.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    list of str
        Those of `other_direction`, `could_have_found` and `population` that are not empty.
    """
    over = population(comparison, table, alpha)
    said = (other_direction(comparison, table, alpha), could_have_found(comparison, table, alpha))
    return [*filter(None, said), *([str(over)] if over else [])]
