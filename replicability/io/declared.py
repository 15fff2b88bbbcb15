"""What is declared: a source of scores, a question about them, and the blocks of a study."""

from dataclasses import dataclass, field
from typing import Any

from replicability import checks
from replicability.io import families

SECTION = "your_comparison"
"""Notebook that shows a comparison which names none."""

INSTANCE = "instance"
"""What a unit is unless a column says it."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where scores come from, and how they are read.

    Attributes
    ----------
    name : str
        Stem for files, and the name of a dataset that has no other.
    systems : tuple of str
        A, the system claimed better, and B; of a family all systems, or none for all in the file.
    file : str or tables.Table
        Table of p-values or of scores of instances; a relative path starts at the current
        folder. Of a table in memory, the table while it is read and then its name. "" in formats
        other than "table".
    rows : int
        Rows of a table in memory; 0 for files.
    columns : dict
        Headers in the file. Of p-values: "dataset", "p_value" and, if there are any, "scores"
        (two). Of instances: see `instances.read`. Of folders: "instance", "score" and "size".
        Of logs: "run", the word "file" if each file is a run of its system.
    named : dict of str to str
        Role -> header in what was passed, where `columns` has those of a table that was made of it;
        "" if no column has the role.
    unused : tuple of str, optional
        Headers of the columns without a role; None if nobody has looked.
    datasets : tuple of str
        Datasets to compare on; empty for all in the file.
    score : str
        What the scores measure, with its unit; with the unit "(%)" shares are shown times 100.
    format : str
        One of `formats.NAMES`: what the files hold.
    files : dict
        "a", "b" and, in formats that need it, "gold" -> a file, or a folder with one file per
        dataset; empty for a table. In "translations" also "documents", with the document of each
        line, which is then the unit.
    metric : str or dict of str to str
        One of the metrics of the format, a field of the logs of "lm_eval" or a scorer of those of
        "inspect_ai", for all datasets or for each; "" for the default.
    filter : str or dict of str to str
        Filter of the logs of "lm_eval" where they have several, for all tasks or for each; split of
        "helm".
    tokenize : str or dict of str to str
        Of "translations": tokenizer of BLEU, for all test sets or for each; "" for 13a.
    by : str
        What parts files into datasets: the header of a column, in "spans" "type"; "" for nothing.
    match : {"identifier", "place"}
        How instances and words of both systems are matched: by "place" in the order of the files,
        and what differs is listed.
    items : int, str or dict of str to int
        Of the format "ids": how many instances there are, in each dataset if there are several, or
        a file or folder with the identifiers of all; 0 if the lists say it.
    lists : {"right", "wrong"}
        Of the format "ids": what is listed.
    unit : str
        What is drawn independently: "instance", or the header of the column that says to which unit
        an instance belongs.
    higher_is_better : bool or None
        Whether a higher score is better; None if nobody said so, and it is taken to be, unless the
        metric is one of which a lower value is better by its name.
    unit_declared : bool
        Whether the unit "instance" was declared; else a column of larger units can contradict it.
    missing : {"refuse", "drop", "wrong"}
        What is done with items that a system lacks: "drop" leaves them out for all systems, "wrong"
        counts them as wrong.
    sided : {"", "one", "two", "unknown"}
        What p-values that are read are of: "one", the hypothesis "A is not better"; "two", a
        two-sided test, turned by the sign of the scores; "unknown", taken as they are, and as
        two-sided where both directions are asked. "" is "one", and refused where a small p-value
        stands beside a higher score of B.
    resolution : float
        Smallest p-value that the test could report, 1/(B+1) for B resamples; smaller ones are
        raised to it. 0 takes every p-value at its word.
    """

    name: str = ""
    systems: tuple
    file: Any = ""
    rows: int = 0
    columns: dict = field(default_factory=dict)
    named: dict = field(default_factory=dict)
    unused: tuple | None = None
    datasets: tuple = ()
    score: str = "score"
    format: str = "table"
    files: dict = field(default_factory=dict)
    metric: str | dict = ""
    filter: str | dict = ""
    tokenize: str | dict = ""
    by: str = ""
    match: str = "identifier"
    items: int | str | dict = 0
    lists: str = "right"
    unit: str = INSTANCE
    higher_is_better: bool | None = None
    unit_declared: bool = False
    missing: str = "refuse"
    sided: str = ""
    resolution: float = 0.0

    @property
    def paths(self):
        """Every file or folder that is read; none of a table in memory."""
        more = (self.items,) if isinstance(self.items, str) else ()
        places = (*self.files.values(), *more) if self.files else (self.file,)
        return () if self.rows else places

    @property
    def source(self):
        """Where the scores come from, for a message."""
        if self.file:
            return str(self.file)
        return f"{self.files['a']} and {self.files['b']}"

    @property
    def level(self):
        """Where the comparison starts: "p-values" or "instances"."""
        return "p-values" if "p_value" in self.columns else "instances"

    @property
    def subtracted(self):
        """The systems in the order in which a difference subtracts their scores."""
        return self.systems[::-1] if self.higher_is_better is False else self.systems

    @property
    def per_cent(self):
        """Whether scores are shares to be shown in per cent."""
        return self.level == "instances" and self.score.endswith("(%)")


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of scores, at which level, and by which test.

    Attributes
    ----------
    dependence : {"independent", "positive", "dependent"}
        How the datasets depend on each other.
    dependence_declared : bool
        Whether somebody said so, where it is "dependent": what is not known is dependent.
    shared : True or dict of str to list of str
        Whether the same unit may occur in several datasets: True if the same identifier is the same
        unit everywhere, or what is shared, with the datasets that share it; {} if nothing is.
    groups : dict of str to list of str
        Groups of datasets that the result is to speak of, by their names.
    claim : {"better", "better_by", "not_worse", "equivalent"}
        What is claimed of A and B on a dataset (`stats.margins`).
    margin : float or dict of str to float, optional
        By how much, above 0, in the unit of the score: points where that is "(%)"; one number, or
        one for each dataset. None for the claim "better".
    alternative : {"", "two-sided", "greater"}
        "two-sided" asks where A is better and where B is, each at half of alpha; "greater" only
        where A is, which was claimed in advance. "" is "greater" for p-values that are read, for
        claims with a margin and in the paper's procedure, else "two-sided".
    test : str
        Name in `paired.TESTS` of the test that made the p-values, or that is to make them
        from instances; "" for the one that `recommendation.recommend` names.
    options : dict
        Options of the test.
    procedure : {"closed", "paper"}
        "closed": count, names and groups come from one closed testing procedure; "paper": the count
        by partial conjunction beside Holm's names, two statements with a guarantee each, and groups
        by closed testing as a third.
    method : str
        Local test of the closed procedure; "" for the one that fits the dependence.
    seed : int
        Seed of a test that draws resamples.
    n_flips : int, optional
        Joint sign flips of the units that are shared; None for those of `joint.N_FLIPS`.
    """

    dependence: str = "dependent"
    dependence_declared: bool = False
    shared: bool | dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)
    claim: str = "better"
    margin: float | dict | None = None
    alternative: str = ""
    test: str = ""
    options: dict = field(default_factory=dict)
    procedure: str = "closed"
    method: str = ""
    seed: int = 0
    n_flips: int | None = None


@dataclass(frozen=True, kw_only=True)
class Comparison(Question, Source):
    """A question about the scores of a source, as a block of a study declares it.

    Attributes
    ----------
    section : str
        Notebook that shows it.
    title : str
        Name for readers.
    """

    section: str
    title: str

    @property
    def two_sided(self):
        """Whether both directions are asked, each at half of alpha."""
        if self.alternative:
            return self.alternative == "two-sided"
        return (self.level, self.claim, self.procedure) == ("instances", "better", "closed")


@dataclass(frozen=True, kw_only=True)
class Family(Comparison):
    """All pairs of several systems over the same datasets; `systems` may be empty, for all.

    Its `files` are of each system by name, beside "gold"; `columns` may have more than two scores.

    Attributes
    ----------
    against : str
        System that the others are compared with, in both directions; "" for all pairs.
    """

    against: str = ""

    @property
    def source(self):
        """Where the scores come from, for a message."""
        return self.file or families.listed(self.files)


@dataclass(frozen=True)
class Study:
    """A checked study.

    Attributes
    ----------
    name : str
        Name of the study.
    alphas : tuple of float
        Levels of significance, in (0, 1).
    comparisons : tuple of Comparison
        In the order of the file.
    families : tuple of Family
        Families of which all pairs of systems are compared; empty if the study has none.
    remarks : str
        Folder of what is said about the study, one Markdown file per section; "" if there is none.
    notebooks : dict of str to dict
        Notebook of `host.Host.parameters` that the study runs -> its parameters.
    sections : dict of str to dict
        Section that the study describes itself -> its ``title``, ``item``, ``question`` and
        ``scores``; its notebook is made from the template of all sections on tasks.
    """

    name: str
    alphas: tuple
    comparisons: tuple
    families: tuple = ()
    remarks: str = ""
    notebooks: dict = field(default_factory=dict)
    sections: dict = field(default_factory=dict)

    def section(self, section):
        """Return the comparisons of a section.

        Parameters
        ----------
        section : str
            Name of a notebook.

        Returns
        -------
        list of Comparison
            At least one.

        Raises
        ------
        InputError
            If the study has none.
        """
        found = [comparison for comparison in self.comparisons if comparison.section == section]
        if not found:
            checks.choice("section", section, sorted({c.section for c in self.comparisons}))
        return found
