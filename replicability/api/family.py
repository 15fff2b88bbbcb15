"""What is found about all pairs of three or more systems."""

from __future__ import annotations

import html
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from replicability.api import shown
from replicability.compare.all_pairs import Pairs
from replicability.compare.findings.wording import plural
from replicability.io import study
from replicability.stats import partial_conjunction

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
        """The method of the count, by the dependence of the datasets."""
        return partial_conjunction.recommended_method(self.family.dependence)

    def counts(self, *, jointly: bool = True) -> pd.DataFrame:
        """Count for every ordered pair the datasets on which the first system is better.

        Parameters
        ----------
        jointly : bool, default True
            Whether all counts hold together with confidence 1 - alpha; else each on its own.

        Returns
        -------
        DataFrame of int
            Systems as index (A) and columns (B).
        """
        share = self.pairs.n_pairs if jointly else 1
        return self.pairs.k_hat(self.alpha / share, self.method)

    @property
    def table(self) -> pd.DataFrame:
        """One row per ordered pair: ``a``, ``b``, ``ahead``, ``at_least`` and ``jointly``.

        ``ahead`` is the number of datasets on which the score of A is higher; A is better on
        ``at_least`` so many by a count of its own, and ``jointly`` by counts of all pairs that hold
        together.
        """
        alone, together = self.counts(jointly=False), self.counts()
        scores = dict(zip(self.systems, self.pairs.scores, strict=True))
        rows = [
            (a, b, int((scores[a] > scores[b]).sum()), alone.loc[a, b], together.loc[a, b])
            for a, b in itertools.permutations(self.systems, 2)
            if self.pairs.against in ("", a, b)
        ]
        return pd.DataFrame(rows, columns=["a", "b", "ahead", "at_least", "jointly"])

    def __str__(self) -> str:
        """Say how many pairs are decided."""
        k = self.counts().to_numpy()
        decided = int((np.maximum(k, k.T) > 0).sum() // 2)
        n = len(self.pairs.datasets)
        where = f"at least one of {n:,} datasets" if n > 1 else "the only dataset"
        title = partial_conjunction.ESTIMATORS[self.method].title
        by = f"{title} in each pair, " if n > 1 else ""
        said = f"{decided:,} are" if decided > 1 else "1 is" if decided else "none is"
        return (
            f"Of {plural(self.pairs.n_pairs // 2, 'pair')} of systems {said} decided on {where}, "
            f"jointly ({by}Bonferroni over all pairs and directions, "
            f"{round(100 * (1 - self.alpha), 9):g}% confidence)."
        )

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

    def to_markdown(self) -> str:
        """Return the joint counts as Markdown, with the sentence as caption."""
        from replicability.show import tables

        return tables.markdown(self._matrix(), str(self))

    def to_latex(self) -> str:
        """Return the joint counts as LaTeX (booktabs), with the sentence as caption."""
        from replicability.show import tables

        return tables.latex(self._matrix(), "all_pairs", str(self))

    def _matrix(self) -> pd.DataFrame:
        matrix = self.counts().astype(str)
        for system in self.systems:
            matrix.loc[system, system] = ""
        return matrix.rename_axis("A \\ B").reset_index()

    def _repr_html_(self) -> str:
        """Return sentence, matrix and figure for Jupyter."""
        alt = "Matrix of joint counts; the table has the numbers."
        return "\n".join(
            [
                f"<p>{html.escape(str(self))}</p>",
                self._matrix().to_html(index=False, border=0),
                shown.as_image(self.figure(), alt),
            ]
        )
