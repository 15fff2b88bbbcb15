"""A study that a file declares: its comparisons, families and sections, ready to run."""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from replicability import checks
from replicability.api import grid, result
from replicability.api.family import Family
from replicability.api.grid import Grid
from replicability.api.keywords import public
from replicability.api.result import Result
from replicability.api.results import Families, Results
from replicability.core import evaluation, orientation
from replicability.io import files, formats, keys, several, study
from replicability.io.host import Host


@public
def read_study(
    path: str | os.PathLike[str],
    *,
    alpha: float | Sequence[float] | str | None = None,
    host: Host | None = None,
) -> Study:
    """Read a study, a YAML file that declares comparisons and families.

    Parameters
    ----------
    path : str or Path
        The file; relative paths, also those in it, start at the current folder.
    alpha : float, sequence of float or str, optional
        Levels; also text such as "[0.05, 0.01]", as papermill passes a list. Default: the study's.
    host : Host, optional
        The project whose notebooks the study may name; by default none.

    Returns
    -------
    Study
        Nothing is compared before you call ``ask``.

    Raises
    ------
    InputError
        If the file is missing or not YAML, a key is unknown, missing or in conflict with
        another, or a level is not in (0, 1).

    Examples
    --------
    >>> import replicability as rep
    >>> study = rep.read_study("config/example.yaml")  # doctest: +SKIP
    >>> results = study.ask()  # doctest: +SKIP
    >>> print(results)  # doctest: +SKIP
    """
    with checks.spelling(checks.key):  # the user wrote keys, not keywords
        declared = study.read_study(path, host)
    if isinstance(alpha, str):
        with contextlib.suppress(ValueError):
            alpha = json.loads(alpha)
    alphas = tuple(keys.levels(declared.alphas if alpha is None else alpha))
    return Study(declared.name, declared.comparisons, declared.families, alphas, declared, path)


@dataclass(frozen=True, eq=False, repr=False)
class Section:
    """Comparisons and families of a study that belong together.

    Attributes
    ----------
    name : str
        Name of the section, or of the study.
    comparisons : tuple of study.Comparison
        The declared comparisons of two systems.
    declared_families : tuple of study.Family
        What is declared of several systems each.
    alphas : tuple of float
        Levels.
    declared : study.Study
        The study, as its file declares it.
    file : str or Path
        The file.
    """

    name: str
    comparisons: tuple[study.Comparison, ...]
    declared_families: tuple[study.Family, ...]
    alphas: tuple[float, ...]
    declared: study.Study
    file: str | os.PathLike[str]

    def ask(self) -> Results:
        """Answer every comparison: test its datasets, and find k-hat and the named ones.

        Returns
        -------
        Results
            One `Result` for each comparison, with what is found at every level; computed once.

        Raises
        ------
        InputError
            If an input is missing or faulty.
        """
        return self._results

    @functools.cached_property
    def _results(self) -> Results:
        by_one = [block for block in self.comparisons if not block.metrics]
        found = tuple(asked(block, self.alphas) for block in by_one)
        shown = [
            (
                one.comparison,
                {*one.systems, *one.datasets, *one.comparison.groups, *one.evaluated.groups},
            )
            for one in found
        ]
        _check_labels(self.declared, shown)
        return Results(found, self.alphas)

    @functools.cached_property
    def grids(self) -> dict[str, Grid]:
        """The comparisons by several metrics: name -> what is found at every level."""
        asked = [block for block in self.comparisons if block.metrics]
        return {block.name: grid.asked(block, self.alphas) for block in asked}

    @functools.cached_property
    def families(self) -> Families:
        """The families; each compares all pairs of its systems when you first use it."""

        def check(made: Family) -> None:
            shown = {*made.pairs.systems, *made.pairs.datasets}
            _check_labels(self.declared, [(made.family, shown)])

        return Families(self.declared_families, self.alphas, check)

    def report(self, file: str | os.PathLike[str], command: str = "") -> Path:
        """Write everything on one HTML page for your co-authors.

        Parameters
        ----------
        file : str or Path
            Where to write it; a file that is there is replaced.
        command : str, optional
            What makes the page again, to be shown on it; by default the command `run`.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If an input is missing or faulty, or the page cannot be written.
        """
        from replicability.show import html_report

        pairs = [(one.comparison, one.evaluated) for one in self.ask()]
        families = [(one.family, one.pairs) for one in self.families]
        own = Path(self.file)
        grids = [(block, self.grids[block.name]) for block in self.comparisons if block.metrics]
        text = html_report.render(self.settings, pairs, families, grids, file=own, command=command)
        return files.write(Path(file).absolute(), text)

    @property
    def settings(self) -> study.Study:
        """What the file declares, at the levels in use."""
        return replace(self.declared, alphas=self.alphas)

    def __repr__(self) -> str:
        """Say what is declared."""
        n, m = len(self.comparisons), len(self.declared_families)
        return (
            f"<{type(self).__name__}: {self.name}, {n} comparison{'s' * (n != 1)}, "
            f"{m} famil{'y' if m == 1 else 'ies'}>"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Study(Section):
    """A study: all its comparisons and families, and its sections; attributes as in `Section`."""

    @property
    def remarks(self) -> str:
        """Folder of what is said about the study; "" if there is none."""
        return str(self.declared.remarks)

    @property
    def sections(self) -> list[str]:
        """The names of the sections, in the order of the file."""
        blocks = (*self.comparisons, *self.declared_families)
        return list(dict.fromkeys(block.section for block in blocks))

    def section(self, name: str) -> Section:
        """Return the comparisons and families of a section.

        Parameters
        ----------
        name : str
            What their blocks name as their ``section``.

        Returns
        -------
        Section

        Raises
        ------
        InputError
            If there is no such section.
        """
        checks.choice(f"{self.name}: section", name, self.sections)
        comparisons = tuple(block for block in self.comparisons if block.section == name)
        families = tuple(block for block in self.declared_families if block.section == name)
        return Section(name, comparisons, families, self.alphas, self.declared, self.file)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the whole report, as ``replicability run`` does, all of it or nothing.

        Parameters
        ----------
        folder : str or Path
            Where the report goes. Files of an earlier report that are not made any more are
            removed, if nobody has changed them.

        Returns
        -------
        list of Path
            What was written, in ``folder``: ``tables``, ``figures``, ``report/report.html`` and
            ``provenance.json``.

        Raises
        ------
        InputError
            If an input is wrong, two items have one name, or the folder cannot be written; it then
            holds what it held.
        """
        from replicability.api import written

        return written.write(self, folder)


def _check_labels(
    declared: study.Study, asked: Iterable[tuple[study.Comparison, set[str]]]
) -> None:
    """Refuse labels of a study for what none of its blocks has; those not asked may be read."""
    known: set[str] = set()
    done: set[str] = set()
    for block, shown in asked:
        done.add(block.name)
        known |= shown - {*block.labels.values()}
        known |= {name for name in block.labels if block.called(name) in shown}
    blocks = [*declared.comparisons, *declared.families]
    for block in blocks:
        known |= set() if block.name in done else {*block.systems, *block.groups}
    left = [name for block in blocks if block.labels_of_study for name in block.labels]
    for block in blocks:
        if block.name not in done and not known.issuperset(left):
            try:
                known |= _names_in(block)
            except checks.InputError:
                return  # what cannot be read may have them
    for name in left:
        checks.choice("labels: the name", name, sorted(known))


def _names_in(block: study.Comparison) -> set[str]:
    """Read the names of datasets and groups, and of all systems of a family."""
    if isinstance(block, study.Family):
        systems, read = several.read(block)
        return {*systems, *(part[0] if isinstance(part, tuple) else part.name for part in read)}
    if block.level == "p-values":
        return {*orientation.read_pvalues(block)["dataset"]}
    read = formats.read(block)
    return {part.name for part in read} | {
        group for part in read for group in getattr(part, "groups", ())
    }


def asked(comparison: study.Comparison, alphas: Sequence[float]) -> Result:
    """Answer a comparison that a study declares, at levels."""
    table = evaluation.evaluate(comparison)
    return result.decide(comparison, table, alphas, declared=True)
