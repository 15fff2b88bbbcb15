"""What a comparison found: a sentence, a table, a figure, a page, a paragraph, any group."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import pandas as pd

from replicability import checks
from replicability.api import record, shown
from replicability.checks import InputError
from replicability.core import findings, labels, procedure
from replicability.core.findings import PRINTED, Finding, Overall, Population, method, notes
from replicability.core.roles import Roles
from replicability.core.tested import Tested
from replicability.io import files
from replicability.io.study import Comparison, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from replicability.show.tables import Table
    from replicability.show.view import View


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The answer for two systems on several datasets.

    `print(result)` gives the conclusion and, for scores, the mean difference. Jupyter shows
    sentence, table and figure. Results are immutable and can be pickled.

    Attributes
    ----------
    comparison : study.Comparison
        What was declared.
    evaluated : Tested
        As `evaluation.evaluate` returns it, with wins, ties and losses.
    findings : tuple of findings.Finding
        The findings at each level alpha.
    declared : bool
        Whether the dependence of the datasets was declared.
    provenance : dict
        ``files`` with their SHA-256, or the ``source`` of scores in memory.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count({"news": 0.001, "law": 0.01, "talks": 0.2}, dependence="independent")
    >>> print(result)
    ... # doctest: +NORMALIZE_WHITESPACE
    A outperforms B on at least 2 of 3 datasets, namely news and law (closed testing,
    Fisher-Bonferroni; simultaneous 95% confidence).
    >>> result.k, result.named, result.bounds(["law", "talks"])
    (2, ['news', 'law'], 1)
    """

    comparison: Comparison
    evaluated: Tested
    findings: tuple[Finding, ...]
    declared: bool = True
    provenance: dict[str, Any] = field(default_factory=dict)

    # --- in words --------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the sentence to paste, one for each level, and the mean difference."""
        amount = [self.overall] if self.overall else []
        return "\n".join(map(str, (*self.findings, *amount)))

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
    def read(self) -> Roles:
        """How the data were read: roles of columns, the score, unused columns."""
        assert self.evaluated.read is not None, "every result has roles"
        return self.evaluated.read

    def paragraphs(self) -> list[str]:
        """Return the sentence of every level, and the notes on them.

        Returns
        -------
        list of str
            It also has the evidence for the other system, and what could have been found
            where nothing was.
        """
        beside = findings.asides(self.comparison, self.evaluated, self.alpha)
        return [*map(str, self.findings), *beside]

    @property
    def method(self) -> str:
        """A paragraph for a methods section, with its references: what was chosen, and why."""
        return method.paragraph(self.comparison, self.evaluated, self.findings, self.declared)

    @cached_property
    def notes(self) -> list[str]:
        """Notes: what could have been found, the procedure, the test, warnings."""
        return notes.notes(self.comparison, self.evaluated, self.findings, self.declared)

    @property
    def name(self) -> str:
        """The name of the comparison in its study."""
        return str(self.comparison.name)

    @property
    def title(self) -> str:
        """The name of the comparison for readers."""
        return str(self.comparison.title)

    # --- in numbers ------------------------------------------------------------------------------

    @property
    def systems(self) -> tuple[str, str]:
        """A, the system claimed to be better, and B."""
        a, b = self.comparison.systems
        return a, b

    @property
    def alpha(self) -> float:
        """The first level: its statements have simultaneous confidence 1 - alpha."""
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
        """Datasets on which A is significantly better."""
        return self.findings[0].identified_datasets

    @property
    def k_worse(self) -> int:
        """Lower bound on the number of datasets on which B is better; 0 if not tested."""
        other = self.findings[0].other
        return other.k if other else 0

    @property
    def named_worse(self) -> list[str]:
        """Datasets on which B is significantly better; none if this direction was not tested."""
        other = self.findings[0].other
        return other.identified_datasets if other else []

    @cached_property
    def overall(self) -> Overall | None:
        """The mean difference over the datasets, printed as a sentence; None for p-values."""
        return findings.overall(self.comparison, self.evaluated)

    @cached_property
    def over_datasets(self) -> Population | None:
        """Whether A is better over the population of datasets, as a sentence; None if not tested.

        Its ``found`` has the tests of Demšar (2006), `stats.over_datasets.OverDatasets`.
        """
        return findings.population(self.comparison, self.evaluated, self.alpha)

    @cached_property
    def view(self) -> View:
        """The sentences and tables of text that every rendering shows."""
        from replicability.show import view

        return view.view(self.comparison, self.evaluated, self.findings, self.overall)

    @property
    def table(self) -> pd.DataFrame:
        """All numbers at full precision, one row per dataset; a copy.

        Columns, as far as there are such numbers: ``dataset``; ``n`` items, of which people
        ``labelled`` so many, ``units`` and ``design_effect``; ``score_a``, ``score_b``, their
        ``difference`` and its 95% confidence interval from ``low`` to ``high``, with the limit
        ``at_least`` of the one-sided one if only one direction is tested; ``wins``, ``ties`` and
        ``losses`` of A among the items; ``p_value`` of "A is not better", ``adjusted_p_value``,
        ``p_reverse`` of "B is not better", ``adjusted_p_reverse``; ``named``, whether A is shown to
        be better, and ``named_worse``, whether B is, if both are tested (``named at 0.01`` for a
        second level); ``skewness`` of the differences; ``filled``, how many items have any sum
        other than zero, where a bootstrap draws others, too; ``floor``, the smallest p-value that
        the ``test`` could give, and ``how`` it computed the p-value. Adjusted p-values are those of
        the procedure that names, Holm's or Hommel's, and are left out where it has none in closed
        form.
        """
        from replicability.show import view

        return view.full(self.evaluated, self.findings)

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
        """Compute lower bounds for groups: A is better on at least so many datasets.

        Parameters
        ----------
        group : sequence of str, str, or dict of str to sequence of str, optional
            Names of datasets, also chosen after the results were seen; or several groups by their
            names. By default the groups that were declared.

        Returns
        -------
        int or dict of str to int
            Lower bounds with simultaneous confidence 1 - alpha; for several groups, by name.

        Raises
        ------
        InputError
            If a dataset does not exist, or with the paper's procedure, which bounds no groups.
        """
        claims = self.findings[0].claims
        if claims is None:
            raise InputError(
                "Bounds of groups need closed testing, which procedure='paper' does not use; leave "
                "procedure= out, or pass method='bonferroni' if there are many datasets."
            )
        groups = self.comparison.groups if group is None else group
        if isinstance(groups, Mapping):
            return {name: claims.at_least(_members(members)) for name, members in groups.items()}
        return claims.at_least(_members(groups))

    def about(self, group: Iterable[str]) -> str:
        """Write a sentence about a group, which you may choose after seeing the results.

        Parameters
        ----------
        group : sequence of str, or str
            Names of datasets.

        Returns
        -------
        str
            A sentence with the bound and its guarantee.

        Raises
        ------
        InputError
            If the group is empty, or names a dataset twice or one that is not there.
        """
        return str(findings.of_group(self.findings[0], _members(group)))

    def both(self) -> tuple[Finding, Finding]:
        """Test both directions, each at alpha/2.

        Returns
        -------
        (findings.Finding, findings.Finding)
            For "A is better" and for "B is better"; each prints as its sentence, and all that they
            say has simultaneous confidence 1 - alpha.

        Raises
        ------
        InputError
            If there are only one-sided p-values, which say nothing of the other direction.
        """
        if not findings.has_both(self.comparison, self.evaluated):
            raise InputError(
                "These p-values test only one direction; compare scores to test the other "
                "direction, too."
            )
        self._refuse_recalled()
        forth, back = findings.find_both(self.comparison, self.evaluated, self.alpha)
        return forth, back

    # --- as plain values -------------------------------------------------------------------------

    def to_frame(self) -> pd.DataFrame:
        """Return the same as `table`."""
        return self.table

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary for JSON.

        Returns
        -------
        dict
            What ``replicability compare --json`` prints, whose keys ``replicability pvalues
            --help`` lists: the version of this package, what was asked, a row for each dataset,
            the decisions for each level and direction, the mean difference, sentences, notes, and
            provenance. A number that is not finite is None.

        Examples
        --------
        >>> import replicability as rep
        >>> answer = rep.count({"news": 0.001, "law": 0.2}).to_dict()
        >>> answer["procedure"], answer["method"], answer["findings"][0]["named"]
        ('closed', 'bonferroni', ['news'])
        """
        return record.to_dict(self)

    @classmethod
    def from_dict(cls, answer: Mapping[str, Any]) -> Result:
        """Rebuild a result from its dictionary.

        Parameters
        ----------
        answer : dict
            As `to_dict` returns it, also after a round through JSON.

        Returns
        -------
        Result
            Equal to the one that was written: numbers, decisions, notes and sentences. Where the
            local test flips or draws, which a dictionary does not hold, it bounds the groups that
            were declared, and no others.

        Raises
        ------
        InputError
            If a key is missing.

        Examples
        --------
        >>> import replicability as rep
        >>> result = rep.count({"news": 0.001, "law": 0.2})
        >>> rep.Result.from_dict(result.to_dict()) == result
        True
        """
        try:
            result = cls(**record.fields(answer))
            kept = {
                "notes": list(answer["notes"]),
                "overall": record.overall(answer),
                "over_datasets": record.over_datasets(answer),
            }
        except KeyError as error:
            raise InputError(
                f"The dictionary lacks the key {error}; pass a dictionary returned by a "
                "result's to_dict() method."
            ) from None
        vars(result).update(kept)
        return result

    # --- to show and to keep ---------------------------------------------------------------------

    def figure(
        self,
        width: str | float | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        colors: Sequence[str] | Mapping[str, str] | None = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the differences with their intervals, or the p-values.

        Without arguments the figure has all there is: names, mean, bounds of groups, and for
        p-values the count. With any argument it has one panel and fits a paper.

        Parameters
        ----------
        width : {"column", "text"} or float, optional
            Width in a paper: 3.03 inches, 6.3 inches, or a number of inches. Letters have 8 points.
        labels : mapping of str to str, optional
            Name of a system or dataset -> its label in the figure.
        colors : sequence of two colours, or mapping of str to colour, optional
            Of A and B, or system -> its colour.
        ax : matplotlib.axes.Axes, optional
            Panel to draw into, instead of a new figure.

        Returns
        -------
        matplotlib.figure.Figure
            Change it or save it (``result.figure("column").savefig("figure.pdf")``).

        Raises
        ------
        InputError
            If an argument has no such value.

        Examples
        --------
        >>> import replicability as rep
        >>> result = rep.count({"news": 0.001, "law": 0.2})
        >>> figure = result.figure("column", labels={"news": "News"}, colors=("black", "gray"))
        >>> figure.get_size_inches()[0].item()
        3.03
        """
        from replicability.show import figures, paper

        given = self.comparison, self.evaluated, self.findings[0]
        how = {"width": width, "labels": labels, "colors": colors, "ax": ax}
        if all(value is None for value in how.values()):
            return shown.figure(figures.standard, *given)
        return shown.figure(paper.result, *given, **how)

    @property
    def has_intervals(self) -> bool:
        """Whether differences have intervals, which only scores of items have."""
        return "low" in self.evaluated

    def forest(self) -> Figure:
        """Draw the difference on each dataset with its interval, and their mean.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If there are no scores of items, and hence no intervals.
        """
        if not self.has_intervals:
            raise InputError(
                "Intervals need item scores, but this result was computed from p-values or from "
                "one score per dataset; call evidence() for a figure of the p-values."
            )
        return self.figure()

    def evidence(self) -> Figure:
        """Draw scores, p-values and partial-conjunction p-values.

        Returns
        -------
        matplotlib.figure.Figure
            A row for each dataset, ordered by p-value.
        """
        finding = findings.counted_by(self.findings[0], findings.COMPARED)
        from replicability.show import figures

        return shown.figure(figures.comparison, self.comparison, self.evaluated, finding)

    def summary(self) -> Table:
        """Return the table of the datasets, rounded and with readable headings.

        Returns
        -------
        Table of str
            Rounded, with a caption; its ``full`` numbers are `table`.
        """
        from replicability.show.tables import Table

        shown = self.view.datasets
        return Table(shown.frame, f"{shown.caption} {shown.note}", self.table)

    def to_markdown(self) -> str:
        """Return the table as Markdown, rounded, with a caption."""
        from replicability.show import tables

        return tables.markdown(self.view.datasets.frame, self._caption())

    def to_latex(
        self,
        columns: Sequence[str] = (),
        *,
        percent: bool = False,
        digits: int | None = None,
        width: str = "",
    ) -> str:
        """Return the table as LaTeX (booktabs), rounded, with a caption.

        Parameters
        ----------
        columns : sequence of str, optional
            Headings of the table, or columns of `table`, in this order; by default all.
        percent : bool, default False
            Write scores between 0 and 1, and their differences, in per cent.
        digits : int, optional
            Decimals of scores and differences.
        width : {"", "column", "text"}, optional
            Fit a column or the text of a two-column paper (ACL 3.03 and 6.3 inches; IEEE has
            more), with letters of 9 to 7 points. Columns that you did not choose may be left out.

        Returns
        -------
        str
            A ``table``; across both columns a ``table*``.

        Raises
        ------
        InputError
            If there is no such column, scores are not between 0 and 1, or nothing fits.
        """
        from replicability.show import latex_width, view

        chosen = [columns] if isinstance(columns, str) else [*columns]
        held = view.datasets(
            self.comparison,
            self.evaluated,
            self.findings,
            chosen=chosen,
            percent=percent,
            digits=digits,
        )
        caption = f"{self.sentence} {held.note}"
        return latex_width.latex(held, self.name, caption, width, bool(chosen))

    def _caption(self) -> str:
        """Return the caption of the table, to stand alone."""
        return f"{self.sentence} {self.view.datasets.note}"

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Write everything on one HTML page for your co-authors.

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
        return files.write(Path(file).absolute(), self.page())

    def page(self, command: str = "") -> str:
        """Return the page that `report` writes; ``command`` is what made it, if a command did."""
        from replicability.show import html_report

        self._refuse_recalled()
        alphas = tuple(finding.alpha for finding in self.findings)
        block = self.comparison
        study = Study(name=block.name, alphas=alphas, comparisons=(block,))
        return html_report.render(study, [(block, self.evaluated)], command=command)

    def _refuse_recalled(self) -> None:
        """Refuse what needs flips or draws, where the result was read from a dictionary."""
        claims = self.findings[0].claims
        if claims is not None and claims.method in record.OF_FLIPS and claims.flips is None:
            raise InputError(
                f"The method {procedure.TITLES[claims.method]!r} needs the item scores, but a "
                "result that was read from a dictionary has none; call compare() again."
            )

    def _repr_html_(self) -> str:
        """Return sentences, tables and figure for Jupyter; without matplotlib no figure."""
        parts = [shown.html(self.view, self.notes, self.read)]
        if 1 < self.n <= shown.MOST_DRAWN and shown.can_draw():
            a, b = self.systems
            alt = f"{a} against {b} on {self.n} datasets; the table gives the numbers."
            parts.append(shown.as_image(self.figure(), alt))
        return "\n".join(parts)

    # --- equality --------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Return whether inputs, settings, numbers and decisions are equal."""
        if not isinstance(other, Result):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def _members(group: Iterable[str]) -> Sequence[str]:
    """Return the names of a group; one name alone is a group, too."""
    return [group] if isinstance(group, str) else list(group)


def decide(
    comparison: Comparison, evaluated: Tested, alphas: Iterable[float], declared: bool
) -> Result:
    """Return what is found at every level.

    `alphas` (iterable of float): levels. `declared`: whether the dependence of the datasets was
    declared.

    Returns Result. With the counts by all estimators that are printed beside each other.

    Raises `InputError`: if a group is not one of the datasets, the procedure cannot answer, or
    labels do not fit.
    """
    comparison, evaluated = labels.apply(comparison, evaluated)
    procedure.check(comparison, evaluated)
    said = tuple(findings.find(comparison, evaluated, alpha, PRINTED) for alpha in alphas)
    first = said[0]
    if comparison.groups and first.of_groups is None:
        raise InputError(
            f"This method cannot bound groups of more than {procedure.MOST_SUMS:,} datasets; set "
            f"{checks.named('method')} to 'bonferroni', or leave the groups out."
        )
    findings.population(comparison, evaluated, first.alpha)  # refuses what cannot be asked
    if first.other and "p_reverse" not in evaluated:
        evaluated = evaluated.assign(p_value=first.pvalues, p_reverse=first.other.pvalues)
    return Result(comparison, evaluated, said, declared, record.source_of(comparison))
