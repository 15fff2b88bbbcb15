"""Answer Demšar's question: is A better over the population of datasets?

It is asked where the datasets are declared independent draws from a population. The answer is about
a further dataset of that population, the count about the datasets at hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from replicability.checks import InputError, named
from replicability.core.numbers import rounded

if TYPE_CHECKING:
    from replicability.stats.over_datasets import OverDatasets


@dataclass(frozen=True)
class Population:
    """What the datasets say about the population that they are drawn from.

    Attributes
    ----------
    systems : tuple of str
        A and B.
    unit : str
        Unit of the differences, with a blank before it, as in `Overall`.
    alpha : float
        Level, for this statement alone.
    found : stats.over_datasets.OverDatasets
        Tests, estimates and intervals.
    """

    systems: tuple
    unit: str
    alpha: float
    found: OverDatasets

    @property
    def shown(self):
        """Whether Wilcoxon's test rejects at the level."""
        return self.found.wilcoxon <= self.alpha

    def __str__(self):
        """Return the sentences to paste."""
        found, (a, b) = self.found, self.systems
        first, second = (a, b) if found.centre >= 0 else (b, a)
        says = (
            f"{first} scores higher than {second}"
            if self.shown
            else "there is no evidence of a difference"
        )
        sides = found.alternative.replace("greater", "one-sided")
        said = [
            f"In the population from which these {found.n:,} datasets were drawn, {says} "
            f"(Wilcoxon's signed-rank test over datasets, {sides} p = {_p(found.wilcoxon)}; sign "
            f"test p = {_p(found.sign_test)})."
        ]
        if found.smallest > self.alpha:
            said.append(
                f"With {found.n:,} datasets, p cannot be below {_p(found.smallest)}, whatever the "
                "scores are."
            )
        else:
            centre, low, high = self._written()
            limits = f"95% interval {low} to {high}"
            said.append(
                f"The typical difference ({a} minus {b}) is {centre}{self.unit} ({limits})."
            )
        said.append(
            "The statement about new datasets from the population is separate from the statements "
            "about the tested datasets."
        )
        return " ".join(said)

    def _written(self):
        """Write the centre and its limits."""
        interval = self.found.centre_interval
        values = (self.found.centre, interval.low, interval.high)
        size = max(map(abs, values))
        decimals = min(max(1 - math.floor(math.log10(size)), 0), 12) if size else 1
        return (rounded(value, decimals, plus="+") for value in values)


def population(comparison, table, alpha):
    """Test whether A is better over the population of datasets, if requested.

    Parameters
    ----------
    comparison : study.Comparison
        Its `over_datasets` says that datasets are independent draws.
    table : Tested
        As `evaluation.evaluate` returns it.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    Population or None
        None if it is not asked.

    Raises
    ------
    InputError
        If there are no scores, or fewer than two datasets.
    """
    if not comparison.over_datasets:
        return None
    if "score_a" not in table:
        raise InputError(
            f"{comparison.source}: {named('over_datasets')} needs a score of each system on every "
            f"dataset, but there are only p-values; name the score columns with "
            f"{named('scores')}, or leave {named('over_datasets')} out."
        )
    if len(table) < 2:
        raise InputError(
            f"{comparison.source}: {named('over_datasets')} needs a sample of datasets, but there "
            f"is only one dataset; leave {named('over_datasets')} out."
        )
    from replicability.stats.over_datasets import over_datasets  # which few comparisons need

    return Population(
        systems=tuple(comparison.systems),
        unit=" points" if comparison.score.endswith("(%)") else "",
        alpha=alpha,
        found=over_datasets(
            *(table[side].to_numpy(float) for side in ("score_a", "score_b")),
            alternative="two-sided" if comparison.two_sided else "greater",
        ),
    )


def _p(value):
    """Write a p-value with two digits, or four decimals."""
    return f"{value:.4f}" if value >= 0.001 else f"{value:.1e}"
