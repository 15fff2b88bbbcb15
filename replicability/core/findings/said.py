"""Everything that is said of a comparison: what is found, and what to know beside it."""

from replicability.core.findings.finding import find, other_direction
from replicability.core.findings.possible import could_have_found


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


def asides(comparison, table, alpha):
    """Say what speaks for the other system, and what could have been found where nothing was.

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
        Those of `other_direction` and `could_have_found` that say anything.
    """
    said = (other_direction(comparison, table, alpha), could_have_found(comparison, table, alpha))
    return list(filter(None, said))
