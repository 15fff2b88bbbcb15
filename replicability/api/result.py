"""What a comparison found: a sentence, a table, a figure, a page, a paragraph, any group."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import pandas as pd

from replicability.api import method, shown
from replicability.checks import InputError
from replicability.core import findings, procedure
from replicability.core.cautions import cautions
from replicability.core.findings import Finding, Overall, adjusted
from replicability.io import files
from replicability.io.study import Comparison, Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = (
    *("dataset", "n", "units", "design_effect", "score_a", "score_b", "difference", "low", "high"),
    *("standard_error", "wins", "ties", "losses", "p_value", "adjusted_p_value", "p_reverse"),
    "adjusted_p_reverse",
)
"""Columns of `Result.table` that stand first, those of them that there are."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What was found about two systems over several datasets.

    It prints as its sentence, shows itself in Jupyter as sentence, table and figure, pickles, and
    does not change.

    Attributes
    ----------
    comparison : study.Comparison
        What was declared.
    evaluated : DataFrame
        As `evaluation.evaluate` returns it, with wins, ties and losses.
    findings : tuple of findings.Finding
        What is found, one for each level alpha.
    declared : bool
        Whether somebody said how the datasets depend on each other.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count({"news": 0.001, "law": 0.01, "talks": 0.2}, dependence="independent")
    >>> print(result)
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and law (closed testing,
    Fisher-Bonferroni; all together with 95% confidence).
    >>> result.k, result.named, result.bounds(["law", "talks"])
    (2, ['news', 'law'], 1)
    """

    comparison: Comparison
    evaluated: pd.DataFrame
    findings: tuple[Finding, ...]
    declared: bool = True

    # --- in words --------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the sentence to paste, one for each level."""
        return "\n".join(map(str, self.findings))

    def __repr__(self) -> str:
        """Name the systems, the count and the level."""
        a, b = self.systems
        worse = f", worse on at least {self.k_worse}" if self.findings[0].other else ""
        return (
            f"<Result: {a} against {b}, better on at least {self.k}{worse} of {self.n} "
            f"dataset{'s' * (self.n != 1)} (alpha = {self.alpha:g})>"
        )

    @property
    def sentence(self) -> str:
        """The sentence of the first level."""
        return str(self.findings[0])

    @property
    def method(self) -> str:
        """A paragraph for a methods section, with its references: what was chosen, and why."""
        return method.paragraph(self.comparison, self.evaluated, self.findings, self.declared)

    @property
    def notes(self) -> list[str]:
        """What to know besides: the procedure, few instances, B, and what could have been found."""
        said = (
            [findings.chosen(self.comparison, self.declared, self.evaluated)] if self.n > 1 else []
        )
        asides = findings.asides(self.comparison, self.evaluated, self.alpha)
        return [*said, *cautions(self.evaluated, self.findings[0].level), *asides]

    # --- in numbers ------------------------------------------------------------------------------

    @property
    def systems(self) -> tuple[str, str]:
        """A, the system claimed better, and B."""
        a, b = self.comparison.systems
        return a, b

    @property
    def alpha(self) -> float:
        """The first level: all that it says holds together with confidence 1 - alpha."""
        return self.findings[0].alpha

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the n datasets."""
        return tuple(self.findings[0].datasets)

    @property
    def n(self) -> int:
        """Number of datasets."""
        return len(self.findings[0].datasets)

    @property
    def k(self) -> int:
        """Lower bound on the number of datasets on which A is better, 0 to n."""
        return self.findings[0].k

    @property
    def named(self) -> list[str]:
        """Datasets on which A is shown to be better, by name."""
        return self.findings[0].identified_datasets

    @property
    def k_worse(self) -> int:
        """Lower bound on the number of datasets on which B is better; 0 if that was not asked."""
        other = self.findings[0].other
        return other.k if other else 0

    @property
    def named_worse(self) -> list[str]:
        """Datasets on which B is shown to be better, by name; none if that was not asked."""
        other = self.findings[0].other
        return other.identified_datasets if other else []

    @property
    def overall(self) -> Overall | None:
        """The mean difference over the datasets, which prints as its sentence; None of p-values."""
        return findings.overall(self.comparison, self.evaluated)

    @property
    def table(self) -> pd.DataFrame:
        """All numbers at full precision, one row per dataset; a copy.

        Columns, as far as there are such numbers: ``dataset``; ``n`` instances, ``units`` and
        ``design_effect``; ``score_a``, ``score_b``, their ``difference`` and its 95% confidence
        interval from ``low`` to ``high``; ``wins``, ``ties`` and ``losses`` of A among the
        instances; ``p_value`` of "A is not better", ``adjusted_p_value`` by Holm's procedure,
        ``p_reverse`` of "B is not better"; ``named``, whether A is shown to be better, and
        ``named_worse``, whether B is, if both are asked (``named at 0.01`` for a second level);
        ``skewness`` of the differences; ``floor``, the smallest p-value that the ``test`` could
        give, and ``how`` it computed the p-value. Adjusted p-values are those of the procedure
        that names, and are left out where it has none in closed form.
        """
        full = self.evaluated.copy(deep=True)
        full.attrs = {}
        full = full.assign(**adjusted(full, self.findings))
        for place, finding in enumerate(self.findings):
            at = f" at {finding.alpha:g}" if place else ""
            full[f"named{at}"] = finding.identified
            if finding.other:
                full[f"named_worse{at}"] = finding.other.identified
        named = [name for name in full if str(name).startswith("named")]
        first = [name for name in (*COLUMNS, *named) if name in full]
        return full[[*first, *full.columns.drop(first)]]

    @overload
    def bounds(  # type: ignore[overload-overlap]
        self, group: Mapping[str, Iterable[str]]
    ) -> dict[str, int]: ...
    @overload
    def bounds(self, group: Iterable[str]) -> int: ...
    @overload
    def bounds(self, group: None = None) -> dict[str, int]: ...

    def bounds(
        self, group: Mapping[str, Iterable[str]] | Iterable[str] | None = None
    ) -> int | dict[str, int]:
        """Bound from below on how many datasets of a group A is better.

        Parameters
        ----------
        group : sequence of str, str, or dict of str to sequence of str, optional
            Names of datasets, also chosen after the results were seen; or several groups by their
            names. By default the groups that were declared.

        Returns
        -------
        int or dict of str to int
            At least so many, all bounds together with confidence 1 - alpha; of several groups by
            their names.

        Raises
        ------
        InputError
            If a dataset is not there, or the procedure is the paper's, which bounds no groups.
        """
        claims = self.findings[0].claims
        if claims is None:
            raise InputError(
                "Bounds of groups come from closed testing, but this is the paper's count beside "
                "Holm's names; leave procedure= out, or with many datasets name "
                "method='bonferroni'."
            )
        groups = self.comparison.groups if group is None else group
        if isinstance(groups, Mapping):
            return {name: claims.at_least(_members(members)) for name, members in groups.items()}
        return claims.at_least(_members(groups))

    def both(self) -> tuple[Finding, Finding]:
        """Ask in both directions at once, each at half of alpha.

        Returns
        -------
        (findings.Finding, findings.Finding)
            For "A is better" and for "B is better"; each prints as its sentence, and all that they
            say holds together with confidence 1 - alpha.

        Raises
        ------
        InputError
            If there are only one-sided p-values, which say nothing of the other direction.
        """
        if not findings.has_both(self.comparison, self.evaluated):
            raise InputError(
                "These p-values are of one direction and say nothing of the other; compare scores."
            )
        forth, back = findings.find_both(self.comparison, self.evaluated, self.alpha)
        return forth, back

    # --- to show and to keep ---------------------------------------------------------------------

    def figure(self) -> Figure:
        """Draw differences with their intervals, names, mean and count; else what decides.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown, changed or saved (``result.figure().savefig("figure.pdf")``).
        """
        return shown.figure(self.comparison, self.evaluated, self.findings[0])

    def to_markdown(self) -> str:
        """Return the table as Markdown, rounded, with a caption."""
        return shown.markdown(self.comparison, self.evaluated, self.findings)

    def to_latex(self) -> str:
        """Return the table as LaTeX (booktabs), rounded, with a caption."""
        return shown.latex(self.comparison, self.evaluated, self.findings)

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write one HTML page that holds everything and can be sent.

        Parameters
        ----------
        file : str or Path
            Where to write it; a file that is there is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        from replicability.show import html_report

        alphas = tuple(finding.alpha for finding in self.findings)
        block = self.comparison
        study = Study(name=block.name, alphas=alphas, comparisons=(block,))
        text = html_report.render(study, [(block, self.evaluated)])
        path = Path(file).absolute()
        with files.replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _repr_html_(self) -> str:
        """Return sentence, table and figure for Jupyter."""
        return shown.html(self.comparison, self.evaluated, self.findings)

    # --- equality --------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Tell whether the same was declared and found."""
        if not isinstance(other, Result):
            return NotImplemented
        alphas = [[found.alpha for found in result.findings] for result in (self, other)]
        return (
            self.comparison == other.comparison
            and alphas[0] == alphas[1]
            and self.evaluated.equals(other.evaluated)
        )

    __hash__ = None  # type: ignore[assignment]


def _members(group: Iterable[str]) -> Sequence[str]:
    """Return the names of a group; one name alone is a group, too."""
    return [group] if isinstance(group, str) else list(group)


def found(
    comparison: Comparison, evaluated: pd.DataFrame, alphas: Iterable[float], declared: bool
) -> Result:
    """Return what is found at every level."""
    procedure.check(comparison, evaluated)
    said = tuple(findings.find(comparison, evaluated, alpha) for alpha in alphas)
    return Result(comparison, evaluated, said, declared)
