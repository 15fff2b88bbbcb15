"""Reading and checking every input: studies, tables of p-values, published numbers, remarks."""

import csv
import math
import re
from dataclasses import dataclass, field

from replicability import checks
from replicability.checks import InputError
from replicability.io import families as families_
from replicability.io import formats, paths
from replicability.io.host import here
from replicability.io.sections import check_sections
from replicability.io.text import existing, load_checked, shown

csv.field_size_limit(2**31 - 1)  # a cell may hold a document

SECTION = "your_comparison"
"""Notebook that shows a comparison which names none."""

INSTANCE = "instance"
"""What a unit is unless a column says it."""


@dataclass(frozen=True)
class Comparison:
    """One comparison of two systems over several datasets, as a block of a study declares it.

    Attributes
    ----------
    name : str
        Stem for files.
    section : str
        Notebook that shows it.
    title : str
        Name for readers.
    systems : tuple of str
        A, the system claimed better, and B.
    dependence : {"independent", "positive", "dependent"}
        How the datasets depend on each other.
    file : str
        Table of p-values or of scores of instances; a relative path starts at the checkout. "" in
        formats other than "table".
    columns : dict
        Headers in the file. Of p-values: "dataset", "p_value" and, if there are any, "scores"
        (two). Of instances: see `instances.read`. Of folders: "instance", "score" and "size".
        Of logs: "run", the word "file" if each file is a run of its system.
    datasets : tuple of str
        Datasets to compare on; empty for all in the file.
    score : str
        What the scores measure, with its unit; with the unit "(%)" shares are shown times 100.
    test : str
        Name in `paired.TESTS` of the test that made the p-values, or that is to make them
        from instances; "" for the one that `recommendation.recommend` names.
    options : dict
        Options of the test.
    seed : int
        Seed of a test that draws resamples.
    sided : {"one", "two", "unknown"}
        What p-values that are read are of: "one", the hypothesis "A is not better"; "two", a
        two-sided test, turned by the sign of the scores; "unknown", taken as they are, and as
        two-sided where both directions are asked.
    resolution : float
        Smallest p-value that the test could report, 1/(B+1) for B resamples; smaller ones are
        raised to it. 0 takes every p-value at its word.
    format : str
        One of `formats.NAMES`: what the files hold.
    files : dict
        "a", "b" and, in formats that need it, "gold" -> a file, or a folder with one file per
        dataset; empty for a table.
    metric : str or dict of str to str
        One of the metrics of the format, a field of the logs of "lm_eval" or a scorer of those of
        "inspect_ai", for all datasets or for each; "" for the default.
    filter : str or dict of str to str
        Filter of the logs of "lm_eval" where they have several, for all tasks or for each; split of
        "helm".
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
    shared : True or dict of str to list of str
        Whether the same unit may occur in several datasets: True if the same identifier is the same
        unit everywhere, or what is shared, with the datasets that share it; {} if nothing is.
    n_flips : int, optional
        Joint sign flips of the units that are shared; None for those of `joint.N_FLIPS`.
    groups : dict of str to list of str
        Groups of datasets that the result is to speak of, by their names.
    procedure : {"closed", "paper"}
        "closed": count, names and groups come from one closed testing procedure; "paper": the count
        by partial conjunction beside Holm's names, two statements with a guarantee each, and groups
        by closed testing as a third.
    method : str
        Local test of the closed procedure; "" for the one that fits the dependence.
    claim : {"better", "better_by", "not_worse", "equivalent"}
        What is claimed of A and B on a dataset (`stats.margins`).
    margin : float or dict of str to float, optional
        By how much, above 0, in the unit of the score: points where that is "(%)"; one number, or
        one for each dataset. None for the claim "better".
    """

    name: str
    section: str
    title: str
    systems: tuple
    dependence: str
    file: str = ""
    columns: dict = field(default_factory=dict)
    datasets: tuple = ()
    score: str = "score"
    test: str = ""
    options: dict = field(default_factory=dict)
    seed: int = 0
    resolution: float = 0.0
    sided: str = "one"
    format: str = "table"
    files: dict = field(default_factory=dict)
    metric: str | dict = ""
    filter: str | dict = ""
    by: str = ""
    match: str = "identifier"
    items: int | str | dict = 0
    lists: str = "right"
    unit: str = INSTANCE
    shared: bool | dict = field(default_factory=dict)
    n_flips: int | None = None
    groups: dict = field(default_factory=dict)
    procedure: str = "closed"
    method: str = ""
    claim: str = "better"
    margin: float | dict | None = None

    @property
    def paths(self):
        """Every file or folder that the comparison is read from."""
        more = (self.items,) if isinstance(self.items, str) else ()
        return (*self.files.values(), *more) if self.files else (self.file,)

    @property
    def source(self):
        """Where the scores come from, for a message."""
        return self.file or f"{self.files['a']} and {self.files['b']}"

    @property
    def level(self):
        """Where the comparison starts: "p-values" or "instances"."""
        return "p-values" if "p_value" in self.columns else "instances"

    @property
    def per_cent(self):
        """Whether scores are shares to be shown in per cent."""
        return self.level == "instances" and self.score.endswith("(%)")


@dataclass(frozen=True)
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
        return self.file or families_.listed(self.files)


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


def read_study(path, host=None):
    """Read a study and check it against ``schema.yaml`` beside this module.

    Parameters
    ----------
    path : str or Path
        YAML file; a relative path starts at the checkout.
    host : host.Host, optional
        The notebooks that it may ask for; by default those beside the package.

    Returns
    -------
    Study
        The study; every name in it is unique.

    Raises
    ------
    InputError
        If the file is missing or not YAML, a key is unknown, missing, given twice or of no use
        beside the others, or a value breaks the rule in the schema.
    """
    path, host = existing(path), host or here()
    content = _load(path, host)
    default = {"procedure": content.get("procedure", "closed")}
    comparisons = [{**default, **block} for block in content.get("comparisons", [])]
    families = [{"systems": [], **block} for block in content.get("families", [])]
    sections = content.get("sections", {})
    notebooks = {name: content[name] for name in host.parameters if name in content}
    _check_study(shown(path), content, [*comparisons, *families, *notebooks], host)
    _check_names(shown(path), [*comparisons, *families], sections, host)
    check_sections(shown(path), sections, comparisons, host)
    families_.check_flips(shown(path), families, min(content["alphas"]))
    _check_flips(shown(path), comparisons, min(content["alphas"]))
    return Study(
        name=content["study"],
        alphas=tuple(content["alphas"]),
        comparisons=tuple(_block(Comparison, block) for block in comparisons),
        families=tuple(_block(Family, block) for block in families),
        remarks=content.get("remarks", ""),
        notebooks=notebooks,
        sections=sections,
    )


def _load(path, host):
    """Load a study that keeps to the schema."""
    from replicability.stats import estimators, paired  # which only reading a study needs

    return load_checked(
        path,
        paths.SCHEMA,
        *host.schemas,
        format=formats.NAMES,
        test=paired.TESTS,
        dependence=estimators.DEPENDENCE,
    )


def _check_study(file, content, asked, host):
    """Check that a study asks for something, and that its folders are its own."""
    if not asked:
        notebook = f", families or a notebook ({', '.join(host.parameters)})"
        raise InputError(
            f"{file} asks for nothing; give it comparisons"
            f"{notebook if host.parameters else ' or families'}."
        )
    if content["study"] in host.folders:
        raise InputError(
            f"{file}: results/{content['study']} holds something else; give the study another name."
        )
    if "remarks" in content:
        existing(content["remarks"], folder=True)


def _check_names(file, blocks, sections, host):
    """Check each comparison and family, and that they have names and sections of their own."""
    names = [block["name"] for block in blocks]
    for block in blocks:
        place = f"{file}, comparison {block['name']!r}"
        if host.sections:
            known = (*host.sections, *sections)
            checks.choice(f"{place}: section", block.get("section", SECTION), known)
        if host.takes(block["name"]):
            raise InputError(
                f"{file}: a table or figure of every study is called {block['name']!r}; "
                "give the comparison another name."
            )
        if names.count(block["name"]) > 1:
            raise InputError(
                f"{file}: two comparisons have the name {block['name']!r}; rename one of them."
            )
        _check_block(place, block)


def _check_flips(file, comparisons, alpha):
    """Check that the flips of every comparison suffice for its strictest level, both ways."""
    fewest = math.ceil(2 / alpha)
    for block in comparisons:
        if block.get("n_flips", fewest) < fewest:
            raise InputError(
                f"{file}, comparison {block['name']!r}: {block['n_flips']} flips cannot show "
                f"anything at alpha = {alpha:g}, half of it for each direction, as no p-value is "
                f"below 1/{block['n_flips']}; let n_flips be at least {fewest}, better a hundred "
                "times that."
            )


LEVELS = {
    "p-values": ({"dataset", "p_value"}, {"scores"}),
    "instances of one system per row": (
        {"dataset", "instance", "system", "score"},
        {"size", "run"},
    ),
    "instances of both systems": ({"dataset", "instance", "scores"}, {"size", "gold"}),
    "a system per row, in all other columns its scores": ({"system"}, {"dataset"}),
}
"""What a file holds -> columns that it must have, and columns that it may have."""


TWO_SIDED = re.compile(r"(?<![a-z0-9])(two|2)[\W_]*(sided|tailed)|\|[tz]\|", re.IGNORECASE)
"""What the header of a column of two-sided p-values holds."""


def _columns(block):
    """Return the columns of a block; where none holds the datasets, `by` tells them apart."""
    columns = block.get("columns", {})
    alone = "by" in block and block.get("format", "table") == "table" and "dataset" not in columns
    return {"dataset": block["by"], **columns} if alone else columns


def _block(kind, block):
    """Make a comparison or family, with what the block leaves out."""
    lists = {key: tuple(block.get(key, ())) for key in ("systems", "datasets")}
    metric = block.get("metric", next(iter(formats.get(block.get("format", "table")).metrics), ""))
    columns = block.get("columns", {})
    named = {
        "section": SECTION,
        "title": "-".join(lists["systems"]) if kind is Comparison else block["name"],
        "score": metric if metric and isinstance(metric, str) else columns.get("score", "score"),
        "metric": metric,
    }
    columns = _columns(block)
    if columns.get("dataset") == block.get("by"):
        block = {key: value for key, value in block.items() if key != "by"}
    return kind(**{**named, **block, **lists, "columns": columns})


def _check_block(place, block):
    """Check that the keys of a block belong together."""
    kind = block.get("format", "table")
    found = formats.get(kind)
    for key in found.keys:
        if key not in block:
            raise InputError(
                f"{place}: the key {key!r} is missing, which the format {kind!r} needs; add it."
            )
    for key in ("file", "columns", "files", "metric", "filter", "by", "match", "items", "lists"):
        if key in block and key not in (*found.keys, *found.options):
            raise InputError(
                f"{place}: the key {key!r} has no meaning in the format {kind!r}; leave it out, or "
                "name the format that your files have."
            )
    if kind == "table":
        _check_columns(place, block)
    else:
        _check_files(place, block, found)
    check_claims(f"{place}: ", block)
    if "p_value" not in block.get("columns", {}) and "resolution" in block:
        raise InputError(
            f"{place}: a resolution belongs to p-values that are read, but these are computed from "
            "instances; leave it out."
        )
    if "p_value" not in block.get("columns", {}) and "sided" in block:
        raise InputError(
            f"{place}: the key 'sided' belongs to p-values that are read, but these are computed "
            "from instances; leave it out."
        )


def check_claims(place, block):
    """Check that units, groups and the procedure fit what a comparison is read from.

    Parameters
    ----------
    place : str
        What stands before a message.
    block : dict
        Keys of a comparison that are given; of "columns" it matters whether p-values are read.

    Raises
    ------
    InputError
        If keys contradict each other, or have no meaning beside the others.
    """
    _check_margin(place, block)
    if "p_value" in block.get("columns", {}):
        for key in ("unit", "shared"):
            if key in block:
                raise InputError(
                    f"{place}{checks.named(key)} belongs to instances, but p-values are read, from "
                    "which units cannot be seen; leave it out, or name the scores of instances."
                )
        if block.get("method") == "joint":
            raise InputError(
                f"{place}the method 'joint' flips the signs of units, but p-values are read, from "
                f"which units cannot be seen; leave {checks.named('method')} out, or name the "
                "scores of instances."
            )
    if "n_flips" in block and not block.get("shared"):
        raise InputError(
            f"{place}the key 'n_flips' is the number of joint sign flips, but no units are shared; "
            f"leave it out, or declare them with {checks.named('shared')}."
        )
    if block.get("shared") and block.get("dependence") == "independent":
        raise InputError(
            f"{place}the datasets are declared independent, that is to share no instance, but "
            f"{checks.named('shared')} says that they share units; leave one of the two out."
        )
    if block.get("unit", INSTANCE) != INSTANCE and block.get("format", "table") != "table":
        raise InputError(
            f"{place}the unit {block['unit']!r} is a column of a table, but the format is "
            f"{block['format']!r}; leave it out, or write the scores as a table."
        )
    if block.get("procedure") == "paper":
        for key in ("method", "shared"):
            if key in block:
                raise InputError(
                    f"{place}{checks.named(key)} has no meaning in the procedure 'paper', which "
                    "counts by partial conjunction and names with Holm; leave one of the two out."
                )


def _check_margin(place, block):
    """Check that a claim has a margin if it needs one, and only then."""
    if not {"claim", "margin"} & set(block):
        return
    from replicability.stats import margins  # which only such a comparison needs

    if "p_value" in block.get("columns", {}):
        raise InputError(f"{place}{margins.NEEDS_SCORES}")
    given = block.get("margin")
    try:
        for margin in given.values() if isinstance(given, dict) else [given]:
            margins.check(block.get("claim", "better"), margin)
    except InputError as error:
        raise InputError(f"{place}{error}") from None


def _check_pair(place, block, found):
    """Check the files of two systems."""
    wanted = {"a", "b"} | ({"gold"} if found.needs_gold else set())
    if set(block["files"]) != wanted:
        raise InputError(
            f"{place}: the files are {', '.join(sorted(block['files']))}, but the format "
            f"{found.name!r} has {', '.join(sorted(wanted))}; name a file or a folder for each."
        )
    if block["files"]["a"] == block["files"]["b"]:
        raise InputError(
            f"{place}: both systems are read from {block['files']['a']!r}; name the file or folder "
            "of each."
        )


def _check_files(place, block, found):
    """Check the files, the metric and the columns of a format other than a table."""
    (_check_pair if len(block["systems"]) == 2 else families_.check_files)(place, block, found)
    if found.metrics and "metric" in block:
        checks.choice(f"{place}: metric", block["metric"], found.metrics)
    if not found.columns and block.get("columns", {"run": "file"}) != {"run": "file"}:
        raise InputError(
            f"{place}: the columns are {block['columns']}, but logs have none; write "
            "{run: file} if each file is a run of its system, or leave them out."
        )
    named, needed = set(block.get("columns", {})), set(found.columns)
    if found.columns and not needed <= named <= needed | {"size"}:
        raise InputError(
            f"{place}: the columns {', '.join(sorted(named))} do not belong together; name "
            f"{', '.join(found.columns)} and, if there is one, size."
        )


def _check_columns(place, block):
    """Check that the columns of a block belong together and are different."""
    columns = _columns(block)
    if not any(needed <= set(columns) <= needed | possible for needed, possible in LEVELS.values()):
        ways = "; ".join(
            f"{', '.join(sorted(needed))} for {level}" for level, (needed, _) in LEVELS.items()
        )
        raise InputError(
            f"{place}: the columns {', '.join(sorted(columns))} do not belong together; name "
            f"{ways}."
        )
    for key in ("by", "unit"):
        if key in block and "instance" not in columns and "p_value" not in columns:
            raise InputError(
                f"{place}: {checks.named(key)} names a column of instances, but a row holds a "
                "system; leave it out, or write the scores with a row for each instance."
            )
    families_.check_columns(place, block)
    headers = [header for key, header in columns.items() if key != "scores"]
    headers += columns.get("scores", ())
    for header in headers:
        if headers.count(header) > 1:
            raise InputError(
                f"{place}: two columns are {header!r}; name a column of its own for each."
            )
    header = columns.get("p_value", "")
    sided = block.get("sided", "one")
    if sided == "one" and TWO_SIDED.search(header):
        raise InputError(
            f"{place}: the column {header!r} holds two-sided p-values, but those of the one-sided "
            "hypothesis 'A is not better' are needed; add sided: two and the columns of the "
            "scores, and they are turned by the sign of the difference."
        )
    if sided == "two" and "scores" not in columns:
        raise InputError(
            f"{place}: two-sided p-values do not tell who is better; name the columns of the "
            "scores, or halve them where A is ahead, take one minus the half elsewhere, and leave "
            "out sided: two."
        )
