"""What a suite of datasets can show, before anything is run."""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from replicability import checks
from replicability.api import shown
from replicability.api.result import Result
from replicability.compare import design as designs
from replicability.compare import design_wording, findings, procedure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Plan:
    """What is expected of a suite, by true gain and by size.

    It prints as its sentences, and shows itself in Jupyter with table and figure.

    Attributes
    ----------
    suite : design.Suite
        Sizes and spread of the datasets, level and local test.
    gains : tuple of float
        True gains of A on every dataset that are looked at.
    """

    suite: designs.Suite
    gains: tuple[float, ...]

    @functools.cached_property
    def sentences(self) -> list[str]:
        """What is expected, which gain can be shown, and what no result can pass."""
        return list(design_wording.sentences(self.suite, self.gains))

    def __str__(self) -> str:
        """Return the sentences."""
        return "\n".join(self.sentences)

    @functools.cached_property
    def _table(self) -> pd.DataFrame:
        return designs.table(self.suite, self.gains)

    @property
    def table(self) -> pd.DataFrame:
        """Expected counts by size and gain, as `design.table` describes; a copy."""
        return self._table.copy()

    def figure(self) -> Figure:
        """Draw expected k-hat by size, for each gain.

        Returns
        -------
        matplotlib.figure.Figure
        """
        import matplotlib.pyplot as plt

        from replicability.show import design as drawing

        drawn = drawing.expected(self.suite, self._table)
        plt.close(drawn)
        return drawn

    def _repr_html_(self) -> str:
        """Return sentences, table and figure for Jupyter."""
        said = [f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences]
        table = self._table.to_html(index=False, border=0, float_format="{:.3g}".format)
        alt = "Expected k-hat by size and gain; the table has the numbers."
        return "\n".join([*said, table, shown.as_image(self.figure(), alt)])


def design(
    sizes: Sequence[int] | int | None = None,
    *,
    pilot: Result | None = None,
    datasets: int | None = None,
    discordant: float | Sequence[float] | None = None,
    sd: float | Sequence[float] | None = None,
    gains: Iterable[float] = (),
    alpha: float = 0.05,
    dependence: Literal["independent", "positive", "dependent"] = "independent",
    method: str = "",
) -> Plan:
    """Ask how many datasets a suite can be expected to show, before it is run.

    Parameters
    ----------
    sizes : int or sequence of int, optional
        Instances of each dataset; one number for all `datasets`, or one for each. Without them
        those of the pilot.
    pilot : Result, optional
        What `compare` returned for a pilot, in place of `discordant` and `sd`: its spread is taken,
        and never its gain.
    datasets : int, optional
        Number of datasets, where `sizes` is one number.
    discordant : float or sequence of float, optional
        Share of instances that one of both systems wins, of scores that are right or wrong; one for
        all, or one for each.
    sd : float or sequence of float, optional
        Standard deviation of the differences, of other scores.
    gains : sequence of float, optional
        True gains of A on every dataset, in the unit of the scores: 0.03 for 3 points of accuracy.
    alpha : float, default 0.05
        Level of all claims together.
    dependence : {"independent", "positive", "dependent"}, default "independent"
        How the datasets depend on each other.
    method : str, default ""
        Local test; by default the one that fits the dependence.

    Returns
    -------
    Plan
        It prints as its sentences.

    Raises
    ------
    InputError
        If not exactly one of `discordant`, `sd` and `pilot` is given, a number is not as described,
        or the pilot has no scores of instances.

    Examples
    --------
    >>> import replicability as rep
    >>> plan = rep.design(200, datasets=4, discordant=0.2, gains=[0.05])
    >>> plan.suite.sizes
    (200, 200, 200, 200)
    >>> plan.table["gain"].unique().tolist()
    [0.05]
    """
    with checks.naming("{}=".format):
        claim = {"alpha": alpha, "dependence": dependence, "method": method}
        given = _sizes(sizes, datasets, pilot)
        if pilot is None:
            planned = designs.suite(given, discordant=discordant, sd=sd, **claim)
        else:
            planned = _of_pilot(pilot, discordant, sd, claim)
            planned = designs.resized(planned, given) if given else planned
        return Plan(planned, designs.asked_gains(planned, tuple(gains)))


def _sizes(sizes: Any, datasets: int | None, pilot: Result | None) -> list[int]:
    """Return the size of each dataset, none where they are those of the pilot."""
    if sizes is None:
        if pilot is None or datasets is not None:
            raise checks.InputError(
                "No sizes are given; pass the instances of each dataset, such as "
                "design(500, datasets=20, discordant=0.15), or a pilot alone."
            )
        return []
    one = [sizes] if isinstance(sizes, int) else list(sizes)
    if datasets is None:
        return one
    n = checks.at_least("datasets", datasets)
    if len(one) not in (1, n):
        raise checks.InputError(
            f"There are {len(one)} sizes for {n} datasets; give one for all, or one each."
        )
    return one * n if len(one) == 1 else one


def _of_pilot(pilot: Result, discordant: Any, sd: Any, claim: dict[str, Any]) -> designs.Suite:
    """Plan the suite that a pilot was."""
    if discordant is not None or sd is not None:
        raise checks.InputError(
            "The spread comes from the pilot; leave out discordant= and sd=, or the pilot."
        )
    checks.choice("dependence", claim["dependence"], tuple(procedure.LOCAL_TESTS))
    local = procedure.local_test(claim["dependence"], method=claim["method"])
    planned = findings.observed(pilot.comparison, pilot.evaluated, claim["alpha"], local)
    if planned is None:
        raise checks.InputError(
            "The pilot tells no spread: pass the result of compare() on scores of instances that "
            "differ on every dataset, not p-values or gold ratings."
        )
    return planned
