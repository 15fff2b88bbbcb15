"""What a suite of datasets can show, before anything is run."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from replicability import checks
from replicability.api import shown
from replicability.api.keywords import public
from replicability.api.result import Result
from replicability.core import design as designs
from replicability.core import design_needs, design_wording
from replicability.io import keys

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from replicability.show.view import Table


@dataclass(frozen=True)
class Plan:
    """What you can expect a suite to show, by true gain and by size.

    `print(plan)` gives its sentences; Jupyter adds table and figure.

    Attributes
    ----------
    suite : design.Suite
        Sizes and spread of the datasets, claim, level and local test.
    gains : tuple of float
        Assumed true gains of A on every dataset.
    reach : int or str, optional
        The target: a k-hat, or the dataset to be named.
    power : float, default 0.8
        Probability with which the plan reaches its target.
    dependence : {"independent", "positive", "dependent"}, default "independent"
        How the datasets depend on each other.
    pilot : sequence of dict, optional
        What was seen in a pilot: a row for each dataset.
    """

    suite: designs.Suite
    gains: tuple[float, ...]
    reach: int | str | None = None
    power: float = designs.POWER
    dependence: str = "independent"
    pilot: Sequence[dict[str, Any]] = field(default=(), hash=False)

    @functools.cached_property
    def sentences(self) -> list[str]:
        """What is expected, which gain can be shown, and what no result can pass."""
        return list(design_wording.sentences(self.suite, self.gains, self.power, self.needs))

    @property
    def notes(self) -> list[str]:
        """Where the numbers come from, and how sure they are."""
        return list(design_wording.notes(self.suite, self._table, self.pilot, self.needs))

    @functools.cached_property
    def needs(self) -> design_needs.Needed | None:
        """Items needed for the target at the middle gain; None without a target."""
        if self.reach is None:
            return None
        gain = designs.middle(self.gains)
        return design_needs.needed(self.suite, gain, self.reach, self.power)

    @property
    def needed(self) -> pd.DataFrame:
        """Items of each dataset needed for the target, as `design_needs.Needed.table`; a copy.

        Raises
        ------
        InputError
            If no target is given.
        """
        if self.needs is None:
            raise checks.InputError(
                "This plan has no target; pass reach= to design(), either the k-hat that you want "
                "or the dataset that you want to name."
            )
        return self.needs.table.copy()

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

    @functools.cached_property
    def least_gains(self) -> pd.DataFrame:
        """Least gain or margin that is significant on so many datasets (`design.least_gains`)."""
        return designs.least_gains(self.suite, self.power)

    @functools.cached_property
    def _by_runs(self) -> pd.DataFrame | None:
        return designs.by_runs(self.suite, designs.middle(self.gains)) if self.suite.runs else None

    @property
    def runs(self) -> pd.DataFrame | None:
        """What more runs and items add (`design.by_runs`), a copy; None if no runs are planned."""
        return None if self._by_runs is None else self._by_runs.copy()

    @functools.cached_property
    def view(self) -> list[Table]:
        """The tables of text that every rendering shows."""
        from replicability.show import view_of_plans

        return view_of_plans.tables(self)

    def to_markdown(self) -> str:
        """Return the tables as Markdown, rounded, each with a caption."""
        from replicability.show import tables

        return "\n".join(tables.markdown(shown.frame, shown.caption) for shown in self.view)

    def to_latex(self, *, width: str = "") -> str:
        """Return the tables as LaTeX (booktabs), rounded, each with a caption.

        With ``width`` "column" or "text" they fit a column or the text of a two-column paper.
        """
        from replicability.show import latex_width

        labels = ["design", "design_least"]
        labels += ["design_needed"] * bool(self.needs and self.needs.possible) + ["design_runs"]
        return "\n".join(
            latex_width.latex(shown, label, shown.caption, width)
            for label, shown in zip(labels, self.view, strict=False)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary.

        Returns
        -------
        dict
            What ``replicability design --json`` prints: what was planned, sentences, the expected
            numbers, least gains, what to do with small sets, what more runs add, what the target
            takes, and notes.
        """
        suite = self.suite
        small = designs.small_sets(suite, designs.middle(self.gains))
        return {
            "datasets": len(suite.sizes),
            "sizes": list(suite.sizes),
            "discordant" if suite.binary else "sd": list(suite.spread),
            "design_effect": list(suite.design_effect),
            "shares": suite.shares,
            "claim": suite.claim,
            "margin": list(suite.margin),
            "alpha": suite.alpha,
            "level": suite.level,
            "alternative": suite.alternative,
            "dependence": self.dependence,
            "method": suite.method,
            "power": self.power,
            "sentences": self.sentences,
            "table": self._table.to_dict("records"),
            "least_gains": self.least_gains.to_dict("records"),
            "small_sets": None if small is None else small.to_dict("records"),
            "least_wins": None if suite.runs else design_wording.least_wins(suite),
            "runs": None if self._by_runs is None else self._by_runs.to_dict("records"),
            "needed": None if self.needs is None else design_needs.laid_out(self.needs),
            "pilot": list(self.pilot),
            "notes": self.notes,
        }

    def page(self) -> str:
        """Return a page with sentences, tables and figure that is complete in itself."""
        from replicability.show import html_design

        return str(html_design.page(self))

    def figure(
        self,
        width: str | float | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        colors: Sequence[str] | Mapping[str, str] | None = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the expected k-hat by size, in a panel for each gain.

        Parameters
        ----------
        width : {"column", "text"} or float, optional
            Width in a paper: 3.03 inches, 6.3 inches, or a number of inches. Letters have 8 points.
        labels : mapping of str to str, optional
            ``"k_hat"``, ``"names"``, ``"bonferroni"`` or ``"count"`` -> its label in the legend.
        colors : sequence of two colours, or mapping of str to colour, optional
            Of k-hat and of the count of small p-values, or by ``"k_hat"`` and ``"count"``.
        ax : matplotlib.axes.Axes, optional
            Panel to draw into, if there is one gain.

        Returns
        -------
        matplotlib.figure.Figure
            Panels stand below each other where they do not fit side by side.

        Raises
        ------
        InputError
            If an argument has no such value.
        """
        from replicability.show import design as drawing
        from replicability.show import paper

        how = {"width": width, "labels": labels, "colors": colors, "ax": ax}
        if all(value is None for value in how.values()):
            return shown.figure(drawing.expected, self.suite, self._table)
        return shown.figure(paper.plan, self.suite, self._table, **how)

    def _repr_html_(self) -> str:
        """Return sentences, tables and figure for Jupyter; without matplotlib no figure."""
        parts = [shown.paragraph(sentence) for sentence in self.sentences]
        parts += [shown.captioned(table) for table in self.view]
        if shown.can_draw():
            parts.append(shown.as_image(self.figure(), design_wording.ALT))
        return "\n".join([*parts, shown.details("Notes", self.notes)])


@public
def design(
    sizes: Sequence[int] | int | None = None,
    *,
    pilot: Result | None = None,
    datasets: int | None = None,
    discordant: float | Sequence[float] | None = None,
    sd: float | Sequence[float] | None = None,
    gains: Iterable[float] = (),
    alpha: float = 0.05,
    alternative: Literal["two-sided", "greater"] | None = None,
    dependence: Literal["independent", "positive", "dependent"] | None = None,
    method: str = "",
    claim: Literal["better", "better_by", "not_worse", "equivalent"] | None = None,
    margin: float | Sequence[float] | None = None,
    design_effect: float | Sequence[float] = 1.0,
    runs: int | None = None,
    sd_runs: float | Sequence[float] | None = None,
    reach: int | str | None = None,
    power: float = designs.POWER,
) -> Plan:
    """Plan a suite of datasets: expected k-hat and least detectable gain.

    Parameters
    ----------
    sizes : int or sequence of int, optional
        Items of each dataset; one number for all `datasets`, or one for each. The default is
        those of the pilot. If items come in independently drawn clusters, such as questions on one
        passage, pass the number of clusters and the `sd` of their differences, or the number
        of items and the `design_effect`.
    pilot : Result, optional
        A result of `compare` for a pilot, instead of `discordant` and `sd`. The plan uses its
        spread, and never its gain.
    datasets : int, optional
        Number of datasets, where `sizes` is one number.
    discordant : float or sequence of float, optional
        Share of items that one of both systems wins, of scores that are right or wrong; one for
        all, or one for each.
    sd : float or sequence of float, optional
        Standard deviation of the differences, of other scores.
    gains : sequence of float, optional
        True gains of A on every dataset, in the unit of the scores: 0.03 for 3 points of accuracy.
        By default 1, 3 and 5 points, or .1, .2 and .3 standard deviations; for the claim
        "better_by" twice the margin; for "not_worse" and "equivalent" 0, equally good systems.
    alpha : float, default 0.05
        Level of all claims together.
    alternative : {"two-sided", "greater"}, optional
        Whether both directions are tested, each at alpha/2, or only that of A. By default as in
        the pilot; without one "two-sided", and "greater" for a claim with a margin.
    dependence : {"independent", "positive", "dependent"}, optional
        How the datasets depend on each other; by default as the pilot declares, and
        "independent" without one.
    method : str, default ""
        Local test; by default the one that fits the dependence.
    claim : {"better", "better_by", "not_worse", "equivalent"}, optional
        The claim; by default that of the pilot, and "better" without one.
    margin : float or sequence of float, optional
        Margin of the claim, in the unit of the gains; one for all, or one for each.
    design_effect : float or sequence of float, default 1
        Factor by which clusters of items raise the variance of the difference; one for all, or one
        for each. The column ``design_effect`` of `Result.table` has estimates.
    runs : int, optional
        Runs of each system on each dataset, for a claim about new items and new runs. By default
        those of a pilot with this claim; without a pilot pass `sd_runs`, too.
    sd_runs : float or sequence of float, optional
        Standard deviation of a system's score over runs that differ in nothing but the seed; one
        for all, or one for each.
    reach : int or str, optional
        A target: a k-hat, or the name of a dataset of the pilot that you want to name.
        `Plan.needed` then has the items that are needed.
    power : float, default 0.8
        Required probability of reaching the target, and of showing a least gain.

    Returns
    -------
    Plan
        `print` shows its sentences.

    Raises
    ------
    InputError
        If not exactly one of `discordant`, `sd` and `pilot` is given, a number is invalid, or the
        pilot has no scores of items.

    Examples
    --------
    >>> import replicability as rep
    >>> plan = rep.design(200, datasets=4, discordant=0.2, gains=[0.05])
    >>> plan.suite.sizes
    (200, 200, 200, 200)
    >>> plan.table["gain"].unique().tolist()
    [0.05]

    How many items are needed for a k-hat of two?

    >>> plan = rep.design(200, datasets=4, discordant=0.2, gains=[0.05], reach=2, method="fisher")
    >>> plan.needed["everywhere"].tolist()
    [367, 367, 367, 367]

    Do more runs help, or more items?

    >>> plan = rep.design(500, datasets=4, sd=0.5, gains=[0.1], runs=3, sd_runs=0.05)
    >>> plan.runs[["runs", "instances", "k_hat"]].round(1).values.tolist()[1:4]
    [['3', '1,000', 0.3], ['3', '2,000', 0.4], ['6', '500', 2.2]]
    """
    words = {"dependence": dependence, "method": method, "claim": claim, "alternative": alternative}
    for name, value in words.items():
        if not isinstance(value, str | None):
            raise checks.InputError(f"{checks.named(name)} is {value!r}, but must be one word.")
    return plan(
        sizes,
        pilot,
        datasets=datasets,
        spread={
            "discordant": discordant,
            "sd": sd,
            "design_effect": design_effect,
            "sd_runs": sd_runs,
        },
        runs=runs,
        gains=gains,
        alpha=alpha,
        alternative=alternative,
        dependence=dependence,
        method=method,
        claim=claim,
        margin=margin,
        reach=reach,
        power=power,
    )


def plan(
    sizes: Any,
    pilot: Result | None,
    *,
    spread: Mapping[str, Any],
    datasets: int | None = None,
    runs: int | None = None,
    gains: Iterable[float] = (),
    alpha: float = 0.05,
    alternative: str | None = None,
    dependence: str | None = None,
    method: str = "",
    claim: str | None = None,
    margin: Any = None,
    reach: int | str | None = None,
    power: float = designs.POWER,
) -> Plan:
    """Plan as `design` does, with errors that each door spells in its own way.

    `spread` (mapping of str to object): what `design` takes as `discordant`, `sd`, `design_effect`
    and `sd_runs`; None is not given. `reach`, `power`: as for `design`.

    Returns Plan. The plan.

    Raises `InputError`: as `design`.
    """
    _refuse_others(sizes, pilot)
    alpha = keys.level(alpha, "a plan")
    declared = "independent" if pilot is None else pilot.comparison.dependence
    chosen = {"dependence": declared if dependence is None else dependence, "method": method}
    claimed = {"claim": "better" if claim is None else claim, "margin": margin}
    given, seen = _sizes(sizes, datasets, pilot), []
    told = {key: value for key, value in spread.items() if value is not None}
    if pilot is None:
        asked = {"alpha": alpha, "alternative": alternative or "", "runs": runs}
        planned = designs.suite(given, **told, **asked, **chosen, **claimed)
    else:
        _refuse_spread(told)
        planned = _of_pilot(pilot, alpha)
        seen = designs.seen(pilot.comparison, pilot.evaluated, planned)
        planned = designs.resized(planned, given) if given else planned
        planned = planned if runs is None else planned.with_runs(runs)
        if claim or margin is not None:
            planned = designs.claiming(planned, **claimed)
        if alternative:
            planned = replace(planned, alternative=alternative)
        planned = designs.as_compared(planned, **chosen)
    checks.confidence_level(power, "power")
    if reach is not None:
        design_needs.check_reach(planned, reach)
    return Plan(
        planned,
        designs.asked_gains(planned, gains),
        reach,
        power,
        chosen["dependence"],
        seen,
    )


def _refuse_others(sizes: Any, pilot: Any) -> None:
    """Refuse a pilot in the place of sizes, and one that compares no two systems."""
    if isinstance(sizes, Result):
        raise checks.InputError(
            "The first argument is a result, not sizes; pass a result as the pilot: "
            "design(pilot=result)."
        )
    if pilot is not None and not isinstance(pilot, Result):
        raise checks.InputError(
            f"The pilot has the type {type(pilot).__name__}, but must be the result of comparing "
            "two systems; pass what rep.compare returned: design(pilot=result)."
        )


def _sizes(sizes: Any, datasets: int | None, pilot: Result | None) -> list[int]:
    """Return the size of each dataset, none where they are those of the pilot."""
    if sizes is None:
        if pilot is None or datasets is not None:
            raise checks.InputError(
                "No sizes are given; pass the number of items in each dataset, as in design(500, "
                "datasets=20, discordant=0.15), or pass only a pilot."
            )
        return []
    designs.numbers("sizes", sizes)  # refuses all else
    one = [sizes] if np.ndim(sizes) == 0 else list(sizes)
    if datasets is None:
        return one
    n = checks.at_least("datasets", datasets)
    if len(one) not in (1, n):
        raise checks.InputError(
            f"There are {len(one)} sizes for {n} datasets; give one size for all datasets, or one "
            "for each."
        )
    return one * n if len(one) == 1 else one


def _refuse_spread(told: Mapping[str, Any]) -> None:
    """Refuse a spread beside that of a pilot."""
    if told.get("design_effect", 1.0) != 1.0:
        raise checks.InputError(
            "The pilot already shows how items depend on each other; leave out "
            f"{checks.named('design_effect')}. If the units of analysis are clusters of items, "
            f"compare the pilot's systems with {checks.named('unit')}."
        )
    if others := [checks.named(key) for key in told if key != "design_effect"]:
        raise checks.InputError(
            "The pilot already shows how much the systems differ; leave out "
            f"{checks.enumerated(others)}, or leave out the pilot."
        )


def _of_pilot(pilot: Result, alpha: float) -> designs.Suite:
    """Plan the suite that a pilot was."""
    if pilot.comparison.splits or pilot.evaluated.covers == "runs":
        what = "splits" if pilot.comparison.splits else "runs without items"
        raise checks.InputError(
            f"The pilot has scores for {what}, which do not show the effect of adding items; use a "
            f"pilot with item scores, and set {checks.given('claim_covers', repr('both'))} if it "
            "has runs."
        )
    planned = designs.observed(pilot.comparison, pilot.evaluated, alpha)
    if planned is None:
        raise checks.InputError(
            "The pilot does not show how much differences vary; use item scores that differ "
            "between the systems on every dataset, not p-values or gold ratings."
        )
    return planned
