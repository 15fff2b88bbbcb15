"""Reading and checking every input: studies, tables of p-values, published numbers, remarks."""

import re
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from analysis import checks, paths
from analysis.checks import InputError


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
        Table of p-values or of scores of instances; a relative path starts at the checkout.
    columns : dict
        Headers in the file. Of p-values: "dataset", "p_value" and, if there are any, "scores"
        (two). Of instances: see `instances.read`.
    datasets : tuple of str
        Datasets to compare on; empty for all in the file.
    score : str
        What the scores measure, with its unit; with the unit "(%)" shares are shown times 100.
    test : str
        Name in `significance.TESTS` of the test that made the p-values, or that is to make them
        from instances.
    options : dict
        Options of the test.
    seed : int
        Seed of a test that draws resamples.
    resolution : float
        Smallest p-value that the test could report, 1/(B+1) for B resamples; smaller ones are
        raised to it. 0 takes every p-value at its word.
    """

    name: str
    section: str
    title: str
    systems: tuple
    dependence: str
    file: str
    columns: dict
    datasets: tuple = ()
    score: str = "score"
    test: str = ""
    options: dict = field(default_factory=dict)
    seed: int = 0
    resolution: float = 0.0

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
    """All pairs of several systems over the same datasets; `systems` may be empty, for all."""


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
    toy_simulations : dict
        Parameters of the notebook of that name; empty if the study has none.
    test_sizes : dict
        The same for the notebook of that name.
    """

    name: str
    alphas: tuple
    comparisons: tuple
    families: tuple = ()
    remarks: str = ""
    toy_simulations: dict = field(default_factory=dict)
    test_sizes: dict = field(default_factory=dict)

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

    def section_blocks(self, *sections):
        """Return the comparisons of some sections as plain mappings.

        Parameters
        ----------
        *sections : str
            Names of notebooks.

        Returns
        -------
        list of dict
            What a rule records, so that it runs again when a comparison is edited.
        """
        blocks = (*self.comparisons, *self.families)
        return [asdict(block) for block in blocks if block.section in sections]


def read_study(path):
    """Read a study and check it against ``config/schema.yaml``.

    Parameters
    ----------
    path : str or Path
        YAML file; a relative path starts at the checkout.

    Returns
    -------
    Study
        The study; every name in it is unique.

    Raises
    ------
    InputError
        If the file is missing or not YAML, a key is unknown or missing, or a value breaks the rule
        in the schema.
    """
    import jsonschema  # a fifth of a second that only reading a study needs

    path = existing(path)
    content = load_yaml(path)
    schema = load_yaml(paths.CONFIG / "schema.yaml")
    validator = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is not None:
        raise InputError(f"{_name(path)}: {_schema_sentence(error)}")
    families = [{"systems": [], **block} for block in content.get("families", [])]
    blocks = [*content["comparisons"], *families]
    names = [block["name"] for block in blocks]
    for block in blocks:
        if names.count(block["name"]) > 1:
            raise InputError(
                f"{_name(path)}: two comparisons have the name {block['name']!r}; rename one of "
                "them."
            )
        _check_columns(f"{_name(path)}, comparison {block['name']!r}", block)
    return Study(
        name=content["study"],
        alphas=tuple(content["alphas"]),
        comparisons=tuple(_block(Comparison, block) for block in content["comparisons"]),
        families=tuple(_block(Family, block) for block in families),
        remarks=content.get("remarks", ""),
        toy_simulations=content.get("toy_simulations", {}),
        test_sizes=content.get("test_sizes", {}),
    )


LEVELS = {
    "p-values": ({"dataset", "p_value"}, {"scores"}),
    "instances of one system per row": ({"dataset", "instance", "system", "score"}, {"size"}),
    "instances of both systems": ({"dataset", "instance", "scores"}, {"size", "gold"}),
}
"""What a file holds -> columns that it must have, and columns that it may have."""


def _block(kind, block):
    lists = {key: tuple(block.get(key, ())) for key in ("systems", "datasets")}
    return kind(**{**block, **lists})


def _check_columns(place, block):
    """Check that the columns of a block belong together, and that instances have a test."""
    columns = set(block["columns"])
    fits = [
        level
        for level, (needed, possible) in LEVELS.items()
        if needed <= columns <= needed | possible
    ]
    if not fits:
        ways = "; ".join(
            f"{', '.join(sorted(needed))} for {level}" for level, (needed, _) in LEVELS.items()
        )
        raise InputError(
            f"{place}: the columns {', '.join(sorted(columns))} do not belong together; name "
            f"{ways}."
        )
    if fits != ["p-values"] and "test" not in block:
        raise InputError(
            f"{place}: the file holds instances, but no test is named; add the key 'test', such as "
            "test: paired_bootstrap."
        )


def read_comparison(comparison):
    """Read and check the table of p-values of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Where the table lies and what its columns are called.

    Returns
    -------
    DataFrame
        One row per dataset, in the order of the file: ``dataset`` (str), ``p_value`` (float, in
        [0, 1], raised to the comparison's resolution) and, if the comparison has scores,
        ``score_a`` and ``score_b`` (float).

    Raises
    ------
    InputError
        If the file or a column is missing, a dataset has no name or the name of another, a p-value
        is not a number in [0, 1], or a score is not a finite number. The message names file, line,
        column, value and rule.
    """
    import pandera.pandas as pandera  # half a second that only reading needs

    printed = read_table(comparison.file)
    headers = {"dataset": comparison.columns["dataset"], "p_value": comparison.columns["p_value"]}
    rules = {"dataset": _NAMED, "p_value": _PROBABILITY}
    for system, header in zip("ab", comparison.columns.get("scores", ()), strict=False):
        headers[f"score_{system}"] = header
        rules[f"score_{system}"] = _FINITE
    for header in headers.values():
        checks.choice(f"{comparison.file}: column", header, printed.columns)
    frame = pd.DataFrame({name: printed[header] for name, header in headers.items()})
    schema = pandera.DataFrameSchema(
        {
            name: pandera.Column(str, pandera.Check(test, error=rule))
            for name, (test, rule) in rules.items()
        },
        checks=pandera.Check(
            lambda table: ~table["dataset"].duplicated(), error="every dataset has its own row"
        ),
    )
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        raise InputError(_table_sentence(comparison, headers, frame, errors)) from None
    numbers = frame.columns.drop("dataset")
    frame[numbers] = frame[numbers].apply(pd.to_numeric)
    frame["p_value"] = np.maximum(frame["p_value"], comparison.resolution)
    return chosen(comparison, frame)


def check_comparison(comparison):
    """Check what can be checked at once of a comparison's file, before anything runs.

    Parameters
    ----------
    comparison : Comparison
        A table of p-values is read; of instances only the file is looked for.

    Raises
    ------
    InputError
        As `read_comparison`, or if the file is missing.
    """
    if comparison.level == "p-values":
        read_comparison(comparison)
    else:
        existing(comparison.file)


def chosen(comparison, table, column="dataset"):
    """Return the rows of the datasets that a comparison names.

    Parameters
    ----------
    comparison : Comparison
        Its `datasets`; if it names none, all are returned.
    table : DataFrame
        Any table of the comparison's file.
    column : str, default "dataset"
        Column of the datasets.

    Returns
    -------
    DataFrame
        Rows of `table`, their index made anew if some were left out.

    Raises
    ------
    InputError
        If the table lacks a dataset; the message names the nearest.
    """
    if not comparison.datasets:
        return table
    known = pd.unique(table[column]).tolist()
    for dataset in comparison.datasets:
        checks.choice(f"{comparison.file}: dataset", dataset, known)
    return table[table[column].isin(comparison.datasets)].reset_index(drop=True)


def read_table(file, separator=","):
    """Read a CSV file as it is printed, every cell as text.

    Parameters
    ----------
    file : str or Path
        UTF-8 file with a header; a relative path starts at the checkout.
    separator : str, default ","
        What separates cells.

    Returns
    -------
    DataFrame of str
        Cells without surrounding blanks; an empty cell is "".

    Raises
    ------
    InputError
        If the file is missing, is not UTF-8, has no row, or a row has too many cells.
    """
    path = existing(file)
    try:
        table = pd.read_csv(
            path,
            sep=separator,
            dtype=str,
            keep_default_na=False,
            index_col=False,
            encoding="utf-8-sig",
        )
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_name(path)} is not UTF-8 (byte {error.start}); save it in that encoding."
        ) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{_name(path)} is not a CSV table: {str(error).strip()}.") from None
    if table.empty:
        raise InputError(f"{_name(path)} has no row below its header; a table needs one dataset.")
    return table.apply(lambda column: column.str.strip())


def read_published(paper, item):
    """Read an item of a paper as it is printed.

    Parameters
    ----------
    paper : str
        Folder of ``data/published``, such as "dror2017".
    item : str
        File in it without its ending, such as "table3".

    Returns
    -------
    DataFrame of str
        The cells as printed, so that their digits are their precision.

    Raises
    ------
    InputError
        If there is no such paper or item; the message names the nearest.
    """
    checks.choice("paper", paper, sorted(p.name for p in paths.PUBLISHED.iterdir() if p.is_dir()))
    folder = paths.PUBLISHED / paper
    checks.choice(f"item of {paper}", item, sorted(path.stem for path in folder.glob("*.csv")))
    return read_table(folder / f"{item}.csv")


def read_remarks(study, section):
    """Read what is said about a section of a study.

    Parameters
    ----------
    study : Study
        Its `remarks` name the folder.
    section : str
        Name of a notebook; the file is ``<section>.md``, a block under each heading of level 2.

    Returns
    -------
    dict of str to Prose
        Heading in lower case -> text; "" for a heading that the file lacks, and for every heading
        if the study has no remarks.
    """
    blocks = defaultdict(Prose)
    if study.remarks:
        text = existing(f"{study.remarks}/{section}.md").read_text(encoding="utf-8")
        for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            heading, _, body = block.partition("\n")
            blocks[heading.strip().lower()] = Prose(body.strip())
    return blocks


class Prose(str):
    """Text in Markdown, which a notebook shows as such."""

    __slots__ = ()

    def _repr_markdown_(self):
        return str(self)


def load_yaml(path):
    """Load a YAML file.

    Parameters
    ----------
    path : str or Path
        A relative path starts at the checkout.

    Returns
    -------
    dict, list, str, float, int, bool or None
        Its content.

    Raises
    ------
    InputError
        If the file is missing or not YAML; the message names the line.
    """
    path = existing(path)
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_name(path)} is not UTF-8 (byte {error.start}); save it in that encoding."
        ) from None
    except yaml.MarkedYAMLError as error:
        place = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InputError(f"{_name(path)}{place} is not YAML: {error.problem}.") from None


def _to_number(column):
    return pd.to_numeric(column, errors="coerce")


_NAMED = (lambda column: column != "", "a dataset has a name")
_PROBABILITY = (
    lambda column: _to_number(column).between(0, 1),
    "a p-value is a number in [0, 1]; leave out the row of a dataset that has none",
)
_FINITE = (
    lambda column: np.isfinite(_to_number(column)),
    "a score is a finite number",
)


def _table_sentence(comparison, headers, frame, errors):
    """Say the first fault of a table in one sentence; line 1 of the file is its header."""
    case = errors.failure_cases.sort_values("index", kind="stable").iloc[0]
    row = int(case["index"])
    if case["column"] in headers:
        value = frame.loc[row, case["column"]]
        header = headers[case["column"]]
    else:
        value, header = frame.loc[row, "dataset"], headers["dataset"]
    more = f" ({len(errors.failure_cases)} faults in all)" if len(errors.failure_cases) > 1 else ""
    return (
        f"{comparison.file}, line {row + 2}, column {header!r}: the value is {value!r}, "
        f"but {case['check']}{more}."
    )


def existing(path):
    """Return the place of an existing file.

    Parameters
    ----------
    path : str or Path
        A relative path starts at the checkout.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If there is none; the message names the nearest in its folder.
    """
    path = paths.ROOT / path
    if not path.is_file():
        near = checks.nearest(path.name, [entry.name for entry in _siblings(path)])
        raise InputError(f"{_name(path)} does not exist{near}")
    return path


def _siblings(path):
    return path.parent.iterdir() if path.parent.is_dir() else ()


def _name(path):
    """Return a path for a message, relative to the checkout where it lies in it."""
    path = Path(path)
    return str(path.relative_to(paths.ROOT) if path.is_relative_to(paths.ROOT) else path)


def _schema_sentence(error):
    """Say which key breaks which rule of the schema, and what is near."""
    place = error.json_path.removeprefix("$").removeprefix(".") or "the file"
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = next(key for key in error.instance if key not in known)
        return f"unknown key {unknown!r} in {place}{checks.nearest(unknown, known)}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"the key {missing!r} is missing in {place}."
    if error.validator == "enum":
        near = checks.nearest(str(error.instance), error.validator_value)
        allowed = ", ".join(error.validator_value)
        return f"{place} is {error.instance!r}, but it is one of {allowed}{near}"
    return f"{place} is {error.instance!r}, but {error.schema['description']}."
