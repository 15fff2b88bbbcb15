"""What is found about all pairs of three or more systems."""

from __future__ import annotations

import html
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from replicability.api import shown
from replicability.core import cautions
from replicability.core.all_pairs import Pairs
from replicability.core.findings.families import how_to_read, sentences
from replicability.core.findings.wording import plural
from replicability.core.layers import Layers
from replicability.core.numbers import leads
from replicability.core.procedure import Procedure
from replicability.io import study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Family:
    """On how many datasets each system is better than each other one.

    Attributes
    ----------
    family : study.Family
        What was declared.
    pairs : all_pairs.Pairs
        p-values of all ordered pairs.
    alpha : float
        Level of each pair, and of all pairs together in `counts`.
    """

    family: study.Family
    pairs: Pairs
    alpha: float

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, the one with the best mean score first."""
        return tuple(self.pairs.systems)

    @property
    def method(self) -> str:
        """The local test of the closed procedure of each pair, by what is known of dependence."""
        return self.pairs.method

    @property
    def sentences(self) -> list[str]:
        """What holds of all pairs jointly: how many are decided, ties, and the order."""
        return sentences(self.pairs, self.alpha)

    @property
    def sentence(self) -> str:
        """How many pairs are decided, jointly."""
        return self.sentences[0]

    @property
    def notes(self) -> list[str]:
        """What to know besides: the dependence that the scores show, p-values that mislead."""
        level = self._level(jointly=True) / len(self.pairs.datasets)
        return cautions.of_pairs(self.pairs, level)

    @property
    def layers(self) -> Layers:
        """The systems by who is shown better than whom on at least one dataset, jointly."""
        return self.pairs.layers(self.alpha)

    def counts(self, *, jointly: bool = True) -> pd.DataFrame:
        """Count for every ordered pair the datasets on which the first system is better.

        Parameters
        ----------
        jointly : bool, default True
            Whether all counts hold together with confidence 1 - alpha; else each on its own.

        Returns
        -------
        DataFrame of Int64
            Systems as index (A) and columns (B); NA for a pair that was not compared.
        """
        return self.pairs.counts_of_compared(self._level(jointly))

    def between(self, a: str, b: str, *, jointly: bool = True) -> Procedure:
        """Ask which datasets show that A is better than B.

        Parameters
        ----------
        a, b : str
            Two systems.
        jointly : bool, default True
            As for `counts`.

        Returns
        -------
        procedure.Procedure
            Its ``at_least(group)`` bounds any group of datasets, ``named`` says which are named.

        Raises
        ------
        InputError
            If a system is not there, or the two were not compared.
        """
        return self.pairs.claims(a, b, self._level(jointly))

    def named(self, a: str, b: str, *, jointly: bool = True) -> list[str]:
        """Name the datasets on which A is better than B; arguments as of `between`."""
        found = self.between(a, b, jointly=jointly)
        return [d for d, is_named in zip(found.datasets, found.named, strict=True) if is_named]

    def _level(self, jointly: bool) -> float:
        return self.alpha / (self.pairs.n_pairs if jointly else 1)

    @property
    def table(self) -> pd.DataFrame:
        """One row per ordered pair: ``a``, ``b``, ``ahead``, ``at_least``, ``jointly``, ``named``.

        ``ahead`` is the number of datasets on which the score of A is higher; A is better on
        ``at_least`` so many by a count of its own, and ``jointly`` by counts of all pairs that hold
        together; ``named`` are the datasets that are named jointly.
        """
        self.pairs.count([self._level(False), self._level(True)])
        alone, together = self.counts(jointly=False), self.counts()
        scores = dict(zip(self.systems, self.pairs.scores, strict=True))
        rows = [
            (
                *(a, b, int((leads(scores[a], scores[b]) > 0).sum())),
                *(alone.loc[a, b], together.loc[a, b]),
                self.named(a, b) if together.loc[a, b] else [],
            )
            for a, b in itertools.permutations(self.systems, 2)
            if self.pairs.against in ("", a, b)
        ]
        return pd.DataFrame(rows, columns=["a", "b", "ahead", "at_least", "jointly", "named"])

    def __str__(self) -> str:
        """Say how many pairs are decided, what cannot be told apart, and the order."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Name the size of the family."""
        n = plural(len(self.pairs.datasets), "dataset")
        return f"<Family: {len(self.systems)} systems on {n} (alpha = {self.alpha:g})>"

    def figure(self) -> Figure:
        """Draw the joint counts as a matrix.

        Returns
        -------
        matplotlib.figure.Figure
        """
        import matplotlib.pyplot as plt

        from replicability.show import figures

        title = f"Datasets on which A is better than B, jointly (α = {self.alpha:g})"
        drawn = figures.k_matrix(self.counts(), len(self.pairs.datasets), title)
        plt.close(drawn)
        return drawn

    def layers_figure(self) -> Figure:
        """Draw who is shown better than whom on at least one dataset, jointly, from the top down.

        Returns
        -------
        matplotlib.figure.Figure
        """
        import matplotlib.pyplot as plt

        from replicability.show import layers

        title = f"Shown better on at least one dataset, jointly (α = {self.alpha:g})"
        drawn = layers.diagram(self.layers, title)
        plt.close(drawn)
        return drawn

    def to_csv(self) -> str:
        """Return the joint counts as CSV, with a row for each system A."""
        from replicability.show import tables

        return tables.as_csv(self.counts().rename_axis("A").reset_index())

    def to_markdown(self) -> str:
        """Return the joint counts as Markdown, with the sentence as caption."""
        from replicability.show import tables

        return tables.markdown(self._matrix(), self.sentence)

    def to_latex(self) -> str:
        """Return the joint counts as LaTeX (booktabs), with the sentence as caption."""
        from replicability.show import tables

        return tables.latex(self._matrix(), "all_pairs", self.sentence)

    def _matrix(self) -> pd.DataFrame:
        matrix = self.counts().astype(object).where(lambda counts: counts.notna(), "").astype(str)
        for system in self.systems:
            matrix.loc[system, system] = ""
        return matrix.rename_axis("A \\ B").reset_index()

    def _repr_html_(self) -> str:
        """Return sentences, matrix and diagram for Jupyter."""
        from replicability.show import tables

        return "\n".join(
            [
                *(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences),
                tables.as_html(self._matrix(), border=0),
                shown.as_image(self.layers_figure(), "Diagram of layers; the sentences say it."),
                f"<p>{html.escape(how_to_read(self.pairs, self.alpha))}</p>",
            ]
        )
