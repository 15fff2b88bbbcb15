"""The part of the page on a family: how pairs are counted, what they show, and the layers."""

from replicability.core import cautions, procedure
from replicability.core.findings import families
from replicability.core.findings.wording import DECLARED
from replicability.show import html_claims, layers
from replicability.show.html_elements import inline_svg
from replicability.stats import partial_conjunction


def how_counted(family, found):
    """Say by which method the datasets of each pair are counted, and what it promises.

    Parameters
    ----------
    family : study.Family
        What is declared of the datasets.
    found : all_pairs.Pairs
        Its `method` is the local test.

    Returns
    -------
    str
        Sentences.
    """
    if found.method == partial_conjunction.recommended_method(family.dependence):
        return html_claims.how_counted_in_the_paper(family.dependence)
    if found.method in procedure.OF_UNITS:
        return (
            "The datasets share units, so that how they depend on each other is measured: each "
            "pair has a closed testing procedure of its own, with sums of evidence under joint "
            f"sign flips, the same {found.flips.sums.shape[1]:,} flips for all pairs. Its count "
            "exceeds the true number of datasets with probability alpha at most, if the units are "
            "independent of each other and, where A is not better, their differences jointly "
            "symmetric around zero."
        )
    return (
        f"The study declares the datasets {DECLARED[family.dependence]}. Each pair has a "
        "closed testing procedure of its own, with the local test "
        f"{procedure.TITLES[found.method]}: its count exceeds the true number of datasets with "
        "probability alpha at most, if the declaration is right and every p-value is valid."
    )


def order(family, found, alpha):
    """Return what the template shows of ties and layers.

    Parameters
    ----------
    family : study.Family
        The family.
    found : all_pairs.Pairs
        p-values of all ordered pairs.
    alpha : float
        Joint level of all pairs.

    Returns
    -------
    dict
        ``sentences``, the ``figure`` of layers as an element, and ``how`` it is read.
    """
    placed = found.layers(alpha)
    said = families.sentences(found, alpha)
    level = alpha / found.n_pairs / len(found.datasets)
    drawn = layers.diagram(placed, f"Shown better on at least one dataset, jointly (α = {alpha:g})")
    alt = (
        f"Diagram of {len(placed.rows)} layers of systems with {len(placed.arrows)} arrows from "
        f"those that are shown better. {' '.join(said[1:])}"
    )
    return {
        "sentences": [*said, *cautions.of_pairs(found, level)],
        "figure": inline_svg(drawn, f"l-{family.name}", alt),
        "how": families.how_to_read(found, alpha),
    }
