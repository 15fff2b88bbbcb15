"""What is found about all pairs of three or more systems."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import replicability
from replicability import checks
from replicability.api import record, shown
from replicability.core import against, cautions, ranks
from replicability.core.all_pairs import Pairs
from replicability.core.findings import could_have_shown, families, plane, told_apart
from replicability.core.findings.wording import plural
from replicability.core.layers import Layers
from replicability.core.numbers import leads
from replicability.core.procedure import Procedure
from replicability.core.roles import Roles
from replicability.io import files, study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from replicability.show import tables
    from replicability.show.view import Table


@dataclass(frozen=True, eq=False, repr=False)
class Family:
    """On how many datasets each system is better than each of the others.

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
    def name(self) -> str:
        """The name in the study; "family" of what was passed to `all_pairs`."""
        return str(self.family.name)

    @property
    def title(self) -> str:
        """The name for readers."""
        return str(self.family.title)

    @property
    def score(self) -> str:
        """What the scores measure, with the unit."""
        return str(self.family.score)

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
        """Simultaneous statements on all pairs: how many differ, ties, and the order."""
        return families.sentences(self.pairs, self.alpha)

    @property
    def sentence(self) -> str:
        """How many pairs differ, simultaneously."""
        return self.sentences[0]

    @property
    def notes(self) -> list[str]:
        """Notes: the dependence that the scores show, and warnings."""
        each = self.pairs.n_pairs * len(self.pairs.datasets)
        return cautions.of_pairs(self.pairs, self.alpha / each)

    @property
    def possible(self) -> str:
        """What could have been shown of a typical pair, by stated gains; "" if all pairs differ."""
        return str(could_have_shown(self.pairs, self.alpha))

    @property
    def read(self) -> Roles:
        """How the data were read: roles of columns, the score, unused columns."""
        assert self.pairs.read is not None, "`all_pairs.compare` states the roles"
        return self.pairs.read

    @property
    def layers(self) -> Layers:
        """The systems in layers, by simultaneous significant wins on at least one dataset."""
        return self.pairs.layers(self.alpha)

    def counts(self, *, jointly: bool = True) -> pd.DataFrame:
        """Return k-hat for every ordered pair: the first system is better on at least so many.

        Parameters
        ----------
        jointly : bool, default True
            Whether all counts hold together with confidence 1 - alpha; else each on its own.

        Returns
        -------
        DataFrame of Int64
            Systems as index (A) and columns (B); NA for a pair that was not compared.
        """
        if jointly:
            return self.pairs.joint_counts_of_compared(self.alpha)
        return self.pairs.counts_of_compared(self.alpha)

    def between(self, a: str, b: str, *, jointly: bool = True) -> Procedure:
        """Return the closed testing procedure of A against B.

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
        claims = self.pairs.joint_claims if jointly else self.pairs.claims
        return claims(a, b, self.alpha)

    def named(self, a: str, b: str, *, jointly: bool = True) -> list[str]:
        """Name the datasets on which A is better than B; arguments as in `between`."""
        found = self.between(a, b, jointly=jointly)
        return [d for d, is_named in zip(found.datasets, found.named, strict=True) if is_named]

    def ranks(self, k: int | None = None) -> pd.DataFrame:
        """Bound the rank of each system, all ranks together with confidence 1 - alpha.

        Parameters
        ----------
        k : int, optional
            The rank of a system is one more than the number of systems that are better than it on
            at least k datasets; by default on more than half of them.

        Returns
        -------
        DataFrame
            ``system``, its mean ``score``, the ``best`` and the ``worst`` rank, and ``letters``:
            two systems share one exactly if they do not differ on any dataset.

        Raises
        ------
        InputError
            If k is no number of datasets, or only pairs with one system were compared.
        """
        return self._of_all_pairs().ranks(self.alpha, k)

    def ranks_on_datasets(self) -> pd.DataFrame:
        """Bound the rank of each system on each dataset, all together.

        Returns
        -------
        DataFrame
            ``system``, ``dataset``, the ``best`` and the ``worst`` rank.

        Raises
        ------
        InputError
            If only pairs with one system were compared.
        """
        pairs = self._of_all_pairs()
        best, worst = ranks.on_datasets(pairs.joint_names(self.alpha))
        places = itertools.product(enumerate(self.systems), enumerate(pairs.datasets))
        rows = [(a, d, best[i, j], worst[i, j]) for (i, a), (j, d) in places]
        return pd.DataFrame(rows, columns=["system", "dataset", "best", "worst"])

    def ranks_overall(self) -> pd.DataFrame:
        """Bound the rank of each system by its mean over datasets, all ranks together.

        Returns
        -------
        DataFrame
            ``system``, its mean ``score``, the ``best`` and the ``worst`` rank. The rank is one
            more than the number of systems whose true mean over these datasets is better. All
            ranks have simultaneous confidence 1 - alpha, apart from the other statements.

        Raises
        ------
        InputError
            If only pairs with one system were compared, or there are too many scores.
        """
        pairs = self._of_all_pairs()
        better = against.better_on_average(self.family, pairs, self.alpha)
        (best, worst), means = ranks.on_datasets(better), pairs.scores_as_read.mean(axis=1)
        columns = {"system": self.systems, "score": means, "best": best, "worst": worst}
        return pd.DataFrame(columns)

    def _of_all_pairs(self) -> Pairs:
        """Return the pairs, if all were compared."""
        if self.pairs.against:
            raise checks.InputError(
                f"Systems were compared only with {self.pairs.against}, which does not determine "
                "their ranks; compare all pairs."
            )
        return self.pairs

    @property
    def table(self) -> pd.DataFrame:
        """One row per ordered pair: ``a``, ``b``, ``ahead``, ``at_least``, ``jointly``, ``named``.

        ``ahead`` is the number of datasets on which the score of A is higher; A is better on
        ``at_least`` so many by a count of its own, and ``jointly`` by counts of all pairs that hold
        together; ``named`` are the datasets that are named jointly.
        """
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
        """Say how many pairs differ, which systems do not, and the order."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Name the size of the family."""
        n = plural(len(self.pairs.datasets), "dataset")
        return f"<Family: {len(self.systems)} systems on {n} (alpha = {self.alpha:g})>"

    def headline(self, *, jointly: bool = True, systems: Sequence[str] = ()) -> str:
        """Say in one line how many pairs differ.

        Parameters
        ----------
        jointly : bool, default True
            As for `counts`.
        systems : sequence of str, optional
            As for `figure`.

        Returns
        -------
        str
            A line for the title of a figure.
        """
        return str(told_apart(self._ordered(jointly, systems).fillna(0)))

    def matrix(self) -> tables.Table:
        """Tabulate on how many datasets each system is better than each of the others, both ways.

        Returns
        -------
        Table of str
            Row A, column B: "12 (9)" where A is better than B on at least 12 datasets by one
            pair alone, and on at least 9 simultaneously with all pairs; "" where two were
            not compared. Systems with the same scores have one entry.
        """
        from replicability.show.tables import Table

        return Table(plane(self.pairs, self.alpha), families.of_matrix(self.alpha))

    def cells(self) -> dict[str, Any]:
        """Return the data behind the cells of `matrix` as a dictionary for JSON.

        Returns
        -------
        dict
            ``family``, its name; ``score``, what was measured; ``alpha``; the s ``systems``, those
            with the same scores as one; the n ``datasets``; ``scores``, s rows of n numbers with
            four digits; ``pvalues`` of "A is not better than B" with two digits, for each A and B a
            list of n, empty where there are none; and likewise ``named``: 2 where the dataset is
            named with confidence 1 - alpha for all pairs at once, 1 where it is for the pair alone,
            else 0.
        """
        pairs, places = self.pairs, list(self.pairs.distinct.values())

        def digits(values: Any, number: int) -> list[float]:
            return [float(f"{value:.{number}g}") for value in values]

        def named(i: int, j: int) -> list[int]:
            a, b = pairs.systems[i], pairs.systems[j]
            found = (claims(a, b, self.alpha) for claims in (pairs.claims, pairs.joint_claims))
            return list(map(int, np.add(*(one.named.astype(int) for one in found))))

        def of_pairs(cell: Callable[[int, int], list[Any]]) -> list[list[list[Any]]]:
            compared = pairs.compared
            return [[cell(i, j) if compared[i, j] else [] for j in places] for i in places]

        return {
            "family": self.name,
            "score": self.score,
            "alpha": self.alpha,
            "systems": list(pairs.distinct),
            "datasets": list(pairs.datasets),
            "scores": [digits(pairs.scores[i], 4) for i in places],
            "pvalues": of_pairs(lambda i, j: digits(pairs.pvalues[i, j], 2)),
            "named": of_pairs(named),
        }

    @property
    def summary(self) -> pd.DataFrame:
        """One row per system, the one with the best mean score first.

        Columns: ``system`` and ``score``, its mean over datasets. Of all pairs ``better_than`` and
        ``worse_than`` so many systems on at least one dataset, jointly. Against one system ``k``
        and ``k_worse``, the numbers of datasets on which the system is better and worse than that
        one, at least, ``named`` and ``named_worse``, these datasets as far as they are named, and
        ``difference``, its mean over datasets, above 0 where the system is better, with the limits
        ``low`` and ``high``, all intervals together; that one system itself has no row.
        """
        from replicability.show import view_of_families

        return view_of_families.summary(self.pairs, self.alpha, self._differences)

    @cached_property
    def _differences(self) -> pd.DataFrame | None:
        """Mean differences from the one system, if there is one, with joint intervals."""
        return against.mean_differences(self.family, self.pairs, self.alpha)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary for JSON.

        Returns
        -------
        dict
            What ``replicability family --json`` prints: the version of this package, what was
            asked, the scores of each system, a row for each system and each ordered pair, the
            layers, sentences, notes, what was read, and provenance.
        """
        family, pairs = self.family, self.pairs
        scores = dict(zip(self.systems, pairs.scores_as_read, strict=True))
        answer = {
            "version": replicability.__version__,
            "systems": self.systems,
            "against": pairs.against or None,
            "ask_first": family.ask_first,
            **{key: getattr(family, key) for key in ("title", "score", "higher_is_better")},
            **{key: getattr(family, key) for key in ("missing", "dependence", "seed", "options")},
            "labels": family.labels,
            "units": {"unit": family.unit, "shared": family.shared or False},
            "alpha": self.alpha,
            "method": pairs.method,
            "claim_covers": family.claim_covers,
            "test": pairs.test,
            "read": self.read.to_dict(),
            "datasets": pairs.datasets,
            "scores": scores,
            "summary": self.summary.to_dict("records"),
            "pairs": self.table.to_dict("records"),
            "layers": self.layers.rows,
            "identical": pairs.identical,
            "sentences": self.sentences,
            "possible": self.possible,
            "notes": self.notes,
            "provenance": record.source_of(family),
        }
        made: dict[str, Any] = record.plain(answer)
        return made

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

        settings = study.Study(self.name, (self.alpha,), (), (self.family,))
        return str(html_report.render(settings, [], [(self.family, self.pairs)], command=command))

    def figure(
        self,
        width: str | float | None = None,
        *,
        jointly: bool = True,
        title: str = "",
        systems: Sequence[str] = (),
        order: str = "mean score",
        labels: Mapping[str, str] | None = None,
        colors: Sequence[str] | Mapping[str, str] | None = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the counts of all pairs as a matrix.

        Parameters
        ----------
        width : {"column", "text"} or float, optional
            Width in a paper: 3.03 inches, 6.3 inches, or a number of inches. Letters have 8 points.
        jointly : bool, default True
            As for `counts`.
        title : str, optional
            Title, of one or more lines; by default what was counted.
        systems : sequence of str, optional
            The systems in the order of rows and columns; by default that of their mean score, those
            with the same scores as one.
        order : str, optional
            By what they are ordered.
        labels : mapping of str to str, optional
            System -> its label in the figure.
        colors : sequence of two colours, or mapping of str to colour, optional
            Of the fewest and the most datasets, or by ``"fewest"`` and ``"most"``.
        ax : matplotlib.axes.Axes, optional
            Panel to draw into, instead of a new figure.

        Returns
        -------
        matplotlib.figure.Figure
            With width, labels, colors or ax it has one panel and fits a paper.

        Raises
        ------
        InputError
            If an argument has no such value.
        """
        from replicability.show import figures, paper

        title = title or families.title_of_counts(self.alpha, jointly)
        given = self._ordered(jointly, systems), len(self.pairs.datasets), title, order
        how = {"width": width, "labels": labels, "colors": colors, "ax": ax}
        if all(value is None for value in how.values()):
            return shown.figure(figures.k_matrix, *given)
        return shown.figure(paper.matrix, *given, **how)

    def _ordered(self, jointly: bool, systems: Sequence[str]) -> pd.DataFrame:
        """Return the counts of some systems, or of all with those of the same scores as one."""
        counted = self.counts(jointly=jointly)
        for system in systems:
            checks.choice("system", system, self.systems)
        found = counted.loc[[*systems], [*systems]] if systems else self.pairs.merged(counted)
        return found

    def forest(self, title: str = "") -> Figure:
        """Draw the mean difference of each system from the baseline, with joint intervals.

        Parameters
        ----------
        title : str, optional
            Title; by default what is drawn.

        Returns
        -------
        matplotlib.figure.Figure
            A row for each system, the best first. Filled: better or worse on at least one dataset.

        Raises
        ------
        InputError
            If all pairs were compared.
        """
        if self._differences is None:
            raise checks.InputError(
                "A forest plot needs a baseline that all systems are compared with; specify it "
                f"with {checks.named('against')}, or call figure() instead."
            )
        from replicability.show import forest_of_systems

        given = self.summary, self.pairs, self.score, self.alpha, title
        return shown.figure(forest_of_systems.forest, *given)

    def layers_figure(self, title: str = "") -> Figure:
        """Draw the layers: which system is significantly better on at least one dataset.

        Parameters
        ----------
        title : str, optional
            Title; by default what is drawn.

        Returns
        -------
        matplotlib.figure.Figure
        """
        import matplotlib.pyplot as plt

        from replicability.show import layers

        drawn = layers.diagram(self.layers, title or families.title_of_layers(self.alpha))
        plt.close(drawn)
        return drawn

    def to_csv(self) -> str:
        """Return the joint counts as CSV, with a row for each system A."""
        from replicability.show import tables

        return tables.as_csv(self.counts().rename_axis("A").reset_index())

    @cached_property
    def view(self) -> dict[str, Table]:
        """The tables of text that every rendering shows: of the systems, and of all pairs."""
        from replicability.show import view_of_families

        return {
            "systems": view_of_families.systems(self.pairs, self.alpha, self._differences),
            "matrix": view_of_families.matrix(self.pairs, self.alpha),
        }

    def to_markdown(self) -> str:
        """Return the tables of the systems and of all pairs as Markdown, each with a caption."""
        from replicability.show import tables

        return "\n".join(
            tables.markdown(held.frame, caption) for held, caption in self._captioned().values()
        )

    def to_latex(self, *, width: str = "") -> str:
        """Return the tables of the systems and of all pairs as LaTeX (booktabs), with captions.

        With ``width`` "column" or "text" they fit a column or the text of a two-column paper.
        """
        from replicability.show import latex_width

        return "\n".join(
            latex_width.latex(held, f"all_pairs_{name}", caption, width)
            for name, (held, caption) in self._captioned().items()
        )

    def _captioned(self) -> dict[str, tuple[Table, str]]:
        """Return the tables with their captions, to stand alone."""
        said = {"systems": f"{self.sentence} {self.view['systems'].note}"}
        return {name: (held, said.get(name, held.caption)) for name, held in self.view.items()}

    def _repr_html_(self) -> str:
        """Return sentences, tables and diagram for Jupyter; without matplotlib no diagram."""
        parts = [shown.paragraph(sentence) for sentence in self.sentences]
        parts += map(shown.captioned, self.view.values())
        if shown.can_draw():
            alt = families.layers_in_words(self.pairs, self.alpha)
            parts.append(shown.as_image(self.layers_figure(), alt))
            parts.append(shown.paragraph(families.how_to_read(self.pairs, self.alpha)))
        return "\n".join([*parts, shown.details("What was read", [str(self.read)])])
