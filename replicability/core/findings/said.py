"""Everything that is said of a comparison: what is found, and what to know beside it."""

from replicability.checks import enumerated
from replicability.core import procedure
from replicability.core.findings.finding import find, other_direction
from replicability.core.findings.population import population
from replicability.core.findings.possible import could_have_found
from replicability.core.findings.wording import at_least


def sentences(comparison, table, alphas):
    """Say what is found at every level, and at the first what `asides` adds.

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
    """Say on how many datasets of a group A is better, also of one thought of after looking.

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
        return "So many datasets have no bounds of groups; choose the method bonferroni."
    k, said = claims.at_least(group), finding.claim.shown(*finding.systems)
    shown = f"{said} on {at_least(k, len(group))}" if k else f"no dataset is shown on which {said}"
    same = "under the same guarantee"
    if finding.claims is None:
        same = f"by closed testing ({procedure.TITLES[claims.method]}), as a statement of its own"
    return f"Of the group {enumerated(group)}: {shown}, {same}."


def asides(comparison, table, alpha):
    """Say what speaks for the other system, and what could be found; and of the population.

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
        Those of `other_direction`, `could_have_found` and `population` that say anything.
    """
    over = population(comparison, table, alpha)
    said = (other_direction(comparison, table, alpha), could_have_found(comparison, table, alpha))
    return [*filter(None, said), *([str(over)] if over else [])]
