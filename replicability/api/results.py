"""What several comparisons of a study found: tables, figures and sentences of all of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import pandas as pd

from replicability import checks
from replicability.api.family import Family
from replicability.api.result import Result
from replicability.api.saved import Figures, Tables
from replicability.core import all_pairs, findings
from replicability.core.findings import Finding, counted
from replicability.io.text import Said

if TYPE_CHECKING:
    from replicability.core.tested import Tested
    from replicability.io.study import Comparison
    from replicability.io.study import Family as DeclaredFamily
    from replicability.show.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The results of several comparisons, in the order of the study.

    Iterate over them, take one by its name or place, or print the sentences of all.

    Attributes
    ----------
    results : tuple of Result
        One for each comparison, each with what is found at every level.
    alphas : tuple of float
        The levels.
    """

    results: tuple[Result, ...]
    alphas: tuple[float, ...]

    def __iter__(self) -> Iterator[Result]:
        """Iterate over the results."""
        return iter(self.results)

    def __len__(self) -> int:
        """Return the number of comparisons."""
        return len(self.results)

    def __getitem__(self, name: str | int) -> Result:
        """Return the result of a comparison by its name or place."""
        if isinstance(name, int):
            return self.results[name]
        checks.choice("comparison", name, self.names)
        return self.results[self.names.index(name)]

    @property
    def names(self) -> list[str]:
        """The names of the comparisons."""
        return [result.name for result in self.results]

    @property
    def _pairs(self) -> list[tuple[Comparison, Tested]]:
        return [(result.comparison, result.evaluated) for result in self.results]

    @property
    def _found(self) -> list[Finding]:
        return [*itertools.chain(*(result.findings for result in self.results))]

    # --- in words --------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the sentences of all comparisons at every level."""
        return self.sentences()

    def __repr__(self) -> str:
        """Name the comparisons."""
        return f"<Results: {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        """Return sentences and table for Jupyter."""
        from replicability.api import shown

        said = map(shown.paragraph, self.sentences().split("\n\n"))
        return "\n".join([*said, self.table()._repr_html_()] if self.results else [])

    def sentences(self, alpha: float | None = None, *, asides: bool = False) -> str:
        """Return the sentences to paste, a paragraph for each comparison and level.

        Parameters
        ----------
        alpha : float, optional
            The only level of which something is said; by default all.
        asides : bool, default False
            Whether to say `Result.paragraphs` of each, at all levels.

        Returns
        -------
        str
        """
        if alpha is not None and alpha not in self.alphas:
            raise checks.InputError(
                f"alpha={alpha:g} is not one of the study's levels "
                f"({checks.listed(list(map(str, self.alphas)))}); pass it to "
                "read_study(alpha=...)."
            )
        if asides:
            return Said("\n\n".join(itertools.chain(*(one.paragraphs() for one in self.results))))
        return Said("\n\n".join(str(f) for f in self._found if alpha in (None, f.alpha)))

    def describe(self) -> str:
        """Say what was compared, a line for each comparison.

        Returns
        -------
        str
        """
        return Said("\n".join(findings.describe(*pair) for pair in self._pairs))

    def amounts(self) -> str:
        """Say by how much A is better on average, and how far the datasets differ.

        Returns
        -------
        str
            A paragraph for each comparison with scores.
        """
        said = [str(result.overall) for result in self.results if result.overall]
        return Said("\n\n".join(said))

    def dependence(self) -> str:
        """Say how much the statistics of datasets that share units correlate.

        Returns
        -------
        str
            A line for each comparison of which units are shared; else one for all.
        """
        said = [
            f"{comparison.title}: {counted.sharing(table.flips)}"
            for comparison, table in self._pairs
            if table.flips is not None and len(table.flips.between)
        ]
        none = (
            "No shared units are declared, so the dependence between datasets cannot be measured."
        )
        return Said("\n".join(said) or none)

    # --- in tables -------------------------------------------------------------------------------

    def table(self) -> Table:
        """Tabulate the scores and p-values of all comparisons side by side.

        Returns
        -------
        Table of str
            One row for each dataset. What was printed is shown as printed, what was computed is
            rounded; a mark says that the dataset is named. The caption says how it is read.
        """
        from replicability.show import tables

        if not self.results:
            raise checks.InputError(
                "The study has no comparisons of two systems; use the tables of its families."
            )
        asked = (*map(list, zip(*self._pairs, strict=True)), self._found)
        return tables.Table(tables.section(*asked), tables.section_caption(*asked))

    def tables(self) -> Tables:
        """Tabulate the scores and p-values of each comparison on its own (`table`).

        Returns
        -------
        Tables
            Name of the comparison -> table.
        """
        alone = {result.name: Results((result,), self.alphas).table() for result in self.results}
        return Tables(alone, {result.name: result.title for result in self.results})

    def counts(
        self,
        estimators: Sequence[str] = findings.COMPARED,
        *,
        both: bool | None = None,
    ) -> Table:
        """Return k-hat by several estimators, at every level.

        Parameters
        ----------
        estimators : sequence of str, optional
            Names of estimators; the one of the sentence is added.
        both : bool, optional
            By default every direction that was tested has a row. False is for "A is better" alone,
            and True for both directions at half of the first level each, of all comparisons whose
            p-values can say it.

        Returns
        -------
        Table
            ``comparison``, ``datasets``, ``alpha``, ``k_<estimator>`` and ``recommended``.
        """
        from replicability.show import several, tables

        if both is None:
            return several.counts([findings.counted_by(f, estimators) for f in self._found])
        found = [findings.counted_by(f, estimators) for f in self._found]
        if both:
            found = [
                replace(side, title=f"{pair[0].title}: {side.title}")
                for pair in self._pairs
                if findings.has_both(*pair)
                for side in findings.find_both(*pair, self.alphas[0], estimators)
            ]
        caption = "Estimated number of datasets on which a system is better."
        return tables.Table(findings.counts(found), caption)

    def leads(self) -> Table:
        """Count the datasets on which the scores favour each system, without any test.

        Returns
        -------
        Table
            ``comparison``, ``A ahead``, ``equal``, ``B ahead``; comparisons without scores are left
            out.
        """
        from replicability.show.tables import Table

        rows = [
            {"comparison": comparison.title}
            | {"A ahead": wins["A"], "equal": wins["tie"], "B ahead": wins["B"]}
            for comparison, table in self._pairs
            if "score_a" in table
            for wins in [findings.wins(table)]
        ]
        return Table(pd.DataFrame(rows), "Number of datasets on which each system scores higher.")

    def groups(self) -> Table | str:
        """Return the lower bound of each declared group, at every level.

        Returns
        -------
        Table or str
            One row for each group, one column for each level; a sentence if there are no groups.
        """
        from replicability.show import several

        return several.groups(self._found)

    def both_directions(self) -> Table:
        """Tabulate on how many datasets A is better and B is, each at half of the first level.

        Returns
        -------
        Table
            One row for each direction: ``comparison``, ``claim``, ``alpha``, ``estimate``,
            ``identified`` and, where there are any, ``named against the scores``: the datasets that
            printed p-values name for A although B scores higher. Such a comparison has simultaneous
            bounds at the first level. Comparisons with p-values of one direction are left out.
        """
        from replicability.show import several

        return several.both_directions(self._pairs, self.alphas[0])

    # --- in figures ------------------------------------------------------------------------------

    def evidence(self) -> Figures:
        """Draw scores and p-values of each comparison (`Result.evidence`).

        Returns
        -------
        Figures
            Name of the comparison -> figure.
        """
        return Figures({result.name: result.evidence() for result in self.results})

    def forests(self) -> Figures:
        """Draw the differences of each comparison with their intervals (`Result.forest`).

        Returns
        -------
        Figures
            Name of the comparison -> figure; those without scores of items are left out.
        """
        from replicability.show import several

        drawn = {result.name: result.forest() for result in self.results if result.has_intervals}
        return Figures(drawn, several.NO_INTERVALS)


class Families(Sequence[Family]):
    """All pairs of each family of a study, computed when first used.

    Iterate over them, or take one by its name or place.

    Parameters
    ----------
    declared : sequence of study.Family
        The families.
    alphas : sequence of float
        Levels, of which the first is that of each `Family`.
    check : callable, optional
        What checks a family that was computed; by default nothing.
    """

    def __init__(
        self,
        declared: Sequence[DeclaredFamily],
        alphas: Sequence[float],
        check: Callable[[Family], None] = lambda _: None,
    ) -> None:
        self.declared, self.alphas, self._check = tuple(declared), tuple(alphas), check
        self._made: dict[str, Family] = {}

    def __len__(self) -> int:
        """Return the number of families."""
        return len(self.declared)

    @overload
    def __getitem__(self, name: str | int) -> Family: ...
    @overload
    def __getitem__(self, name: slice) -> Families: ...

    def __getitem__(self, name: str | int | slice) -> Family | Families:
        """Return a family by its name or place, or several by their places."""
        if isinstance(name, slice):
            return Families(self.declared[name], self.alphas, self._check)
        if isinstance(name, int):
            name = str(self.declared[name].name)
        by_name = {str(block.name): block for block in self.declared}
        checks.choice("family", name, by_name)
        if name not in self._made:
            block = by_name[name]
            made = Family(block, all_pairs.compare(block), self.alphas[0])
            self._check(made)
            self._made[name] = made
        return self._made[name]

    def table(self) -> Table:
        """Tabulate how many pairs differ somewhere, on half of the datasets, and everywhere.

        Returns
        -------
        Table
            For each family and level one row for pairs taken one by one, and one for all pairs
            jointly.
        """
        from replicability.show import several

        return several.families([(one.family, one.pairs) for one in self], self.alphas)
