"""Reading and checking every input: studies, tables of p-values, published numbers, remarks."""

import codecs
import contextlib
import csv
import functools
import io
import itertools
import re
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import yaml

from analysis import paths
from replicability import checks
from replicability.checks import InputError

csv.field_size_limit(2**31 - 1)  # a cell may hold a document

SECTION = "your_comparison"
"""Notebook that shows a comparison which names none."""

METRICS = {
    "conllu": ("las", "uas", "upos"),
    "labels": ("accuracy",),
    "spans": ("f1",),
    "lm_eval": (),
    "segments": (),
    "folders": (),
}
"""Format of files of one dataset -> metrics, the first unless another is named; () for any."""

WITH_GOLD = ("conllu", "labels", "spans")
"""Formats in which outputs are compared with gold files."""


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
        "table", or a key of `METRICS`: what the files hold; see `formats.READERS`.
    files : dict
        "a", "b" and, in the formats `WITH_GOLD`, "gold" -> a file, or a folder with one file per
        dataset; empty for a table.
    metric : str
        One of `METRICS` of the format, or a field of the logs of "lm_eval"; "" for the default.
    filter : str
        Filter of the logs of "lm_eval" where they have several.
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
    metric: str = ""
    filter: str = ""

    @property
    def paths(self):
        """Every file or folder that the comparison is read from."""
        return tuple(self.files.values()) if self.files else (self.file,)

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

    Attributes
    ----------
    against : str
        System that the others are compared with, in both directions; "" for all pairs.
    """

    against: str = ""


WITH_PARAMETERS = (
    "toy_simulations",
    "test_sizes",
    "sogaard_toy_examples",
    "sogaard_real_outputs",
    "gorman_standard_splits",
    "gorman_error_analysis",
)
"""Notebooks that a study runs if it has a key of their name, which holds their parameters."""


RESERVED = ("raw", "outcomes", "splits", "simulations", "lab", "book")
"""Folders of ``results`` that belong to no study."""

KEPT = re.compile(
    "(all_pairs|audit|both_directions|counts|families|test_sizes)"
    "|(all_pairs|audit|gorman|sogaard|(figure|section|table)[0-9])_.*"
)
"""Names of the tables and figures that notebooks make, which no comparison can have."""


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
        Notebook of `WITH_PARAMETERS` that the study runs -> its parameters.
    """

    name: str
    alphas: tuple
    comparisons: tuple
    families: tuple = ()
    remarks: str = ""
    notebooks: dict = field(default_factory=dict)

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
        If the file is missing or not YAML, a key is unknown, missing, given twice or of no use
        beside the others, or a value breaks the rule in the schema.
    """
    path = existing(path)
    content = load_checked(path, paths.CONFIG / "schema.yaml")
    families = [{"systems": [], **block} for block in content.get("families", [])]
    blocks = [*content.setdefault("comparisons", []), *families]
    notebooks = {name: content[name] for name in WITH_PARAMETERS if name in content}
    if not (blocks or notebooks):
        raise InputError(
            f"{shown(path)} asks for nothing; give it comparisons, families or a notebook "
            f"({', '.join(WITH_PARAMETERS)})."
        )
    if content["study"] in RESERVED:
        raise InputError(
            f"{shown(path)}: results/{content['study']} holds something else; give the study "
            "another name."
        )
    if "remarks" in content:
        existing(content["remarks"], folder=True)
    names = [block["name"] for block in blocks]
    for block in blocks:
        if KEPT.fullmatch(block["name"]):
            raise InputError(
                f"{shown(path)}: a table or figure of every study is called {block['name']!r}; "
                "give the comparison another name."
            )
        if names.count(block["name"]) > 1:
            raise InputError(
                f"{shown(path)}: two comparisons have the name {block['name']!r}; rename one of "
                "them."
            )
        _check_block(f"{shown(path)}, comparison {block['name']!r}", block)
    return Study(
        name=content["study"],
        alphas=tuple(content["alphas"]),
        comparisons=tuple(_block(Comparison, block) for block in content["comparisons"]),
        families=tuple(_block(Family, block) for block in families),
        remarks=content.get("remarks", ""),
        notebooks=notebooks,
    )


LEVELS = {
    "p-values": ({"dataset", "p_value"}, {"scores"}),
    "instances of one system per row": ({"dataset", "instance", "system", "score"}, {"size"}),
    "instances of both systems": ({"dataset", "instance", "scores"}, {"size", "gold"}),
}
"""What a file holds -> columns that it must have, and columns that it may have."""


def load_checked(path, schema):
    """Load a YAML file and check it against a schema.

    Parameters
    ----------
    path, schema : str or Path
        YAML files; a relative path starts at the checkout.

    Returns
    -------
    dict
        The content of the first.

    Raises
    ------
    InputError
        If the file is missing or not YAML, a key is unknown, missing or given twice, or a value
        breaks the rule in the schema.
    """
    import jsonschema  # a fifth of a second that only reading a study needs

    content = load_yaml(path)
    draft = jsonschema.Draft202012Validator
    # By the standard 1000.0 is an integer; here a count is one of Python's.
    types = draft.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = jsonschema.validators.extend(draft, type_checker=types)(load_yaml(schema))
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is not None:
        raise InputError(f"{shown(paths.ROOT / path)}: {_schema_sentence(error)}")
    return content


TWO_SIDED = re.compile(r"(?<![a-z0-9])(two|2)[\W_]*(sided|tailed)|\|[tz]\|", re.IGNORECASE)
"""What the header of a column of two-sided p-values holds."""


def _block(kind, block):
    """Make a comparison or family, with what the block leaves out."""
    lists = {key: tuple(block.get(key, ())) for key in ("systems", "datasets")}
    metrics = METRICS.get(block.get("format"), ())
    metric = block.get("metric", metrics[0] if metrics else "")
    named = {
        "section": SECTION,
        "title": "-".join(lists["systems"]) if kind is Comparison else block["name"],
        "score": metric or block.get("columns", {}).get("score", "score"),
        "metric": metric,
    }
    return kind(**{**named, **block, **lists})


def _check_block(place, block):
    """Check that the keys of a block belong together."""
    kind = block.get("format", "table")
    needed = {"table": ("file", "columns"), "folders": ("files", "columns")}.get(kind, ("files",))
    for key in needed:
        if key not in block:
            raise InputError(
                f"{place}: the key {key!r} is missing, which the format {kind!r} needs; add it."
            )
    possible = ("metric", "filter") if kind == "lm_eval" else ("metric",) * bool(METRICS.get(kind))
    for key in ("file", "columns", "files", "metric", "filter"):
        if key in block and key not in (*needed, *possible):
            raise InputError(
                f"{place}: the key {key!r} has no meaning in the format {kind!r}; leave it out, or "
                "name the format that your files have."
            )
    if kind == "table":
        _check_columns(place, block)
    else:
        _check_files(place, block)
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


def _check_files(place, block):
    """Check the files, the metric and the columns of a format other than a table."""
    kind = block["format"]
    wanted = {"a", "b"} | ({"gold"} if kind in WITH_GOLD else set())
    if set(block["files"]) != wanted:
        raise InputError(
            f"{place}: the files are {', '.join(sorted(block['files']))}, but the format {kind!r} "
            f"has {', '.join(sorted(wanted))}; name a file or a folder for each."
        )
    if block["files"]["a"] == block["files"]["b"]:
        raise InputError(
            f"{place}: both systems are read from {block['files']['a']!r}; name the file or folder "
            "of each."
        )
    if METRICS[kind] and "metric" in block:
        checks.choice(f"{place}: metric", block["metric"], METRICS[kind])
    columns = set(block.get("columns", {}))
    if kind == "folders" and not {"instance", "score"} <= columns <= {"instance", "score", "size"}:
        raise InputError(
            f"{place}: the columns {', '.join(sorted(columns))} do not belong together; name "
            "instance, score and, if there is one, size."
        )


def _check_columns(place, block):
    """Check that the columns of a block belong together and are different."""
    columns = block["columns"]
    if not any(needed <= set(columns) <= needed | possible for needed, possible in LEVELS.values()):
        ways = "; ".join(
            f"{', '.join(sorted(needed))} for {level}" for level, (needed, _) in LEVELS.items()
        )
        raise InputError(
            f"{place}: the columns {', '.join(sorted(columns))} do not belong together; name "
            f"{ways}."
        )
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

    Notes
    -----
    Without a column of datasets they get the names of `numbered`; a study always names it.
    """
    import pandera.pandas as pandera  # half a second that only reading needs

    printed = read_printed(comparison)
    headers = {
        name: comparison.columns[name]
        for name in ("dataset", "p_value")
        if name in comparison.columns
    }
    rules = {"dataset": _NAMED, "p_value": _PROBABILITY}
    for system, header in zip("ab", comparison.columns.get("scores", ()), strict=False):
        headers[f"score_{system}"] = header
        rules[f"score_{system}"] = _FINITE
    frame = pd.DataFrame({name: printed[header] for name, header in headers.items()})
    if "dataset" not in headers:
        frame.insert(0, "dataset", numbered(len(frame)))
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
    refuse_alike(comparison.file, frame["dataset"])
    return chosen(comparison, frame)


def numbered(n):
    """Name datasets that have no names.

    Parameters
    ----------
    n : int
        How many there are.

    Returns
    -------
    list of str
        "dataset 1" to "dataset n".
    """
    return [f"dataset {number}" for number in range(1, n + 1)]


def read_printed(comparison):
    """Read the columns of a table of p-values as they are printed.

    Parameters
    ----------
    comparison : Comparison
        Where the table lies, CSV, TSV or Parquet, and what its columns are called.

    Returns
    -------
    DataFrame of str
        The columns of datasets and of scores, if there are any, and of p-values, under the names
        that the comparison gives them.

    Raises
    ------
    InputError
        As `columns`, or if a column of Parquet holds lists, structures or bytes.
    """
    names = comparison.columns
    dataset = [names["dataset"]] if "dataset" in names else []
    wanted = (*dataset, *names.get("scores", ()), names["p_value"])
    table = columns(comparison.file, {header: header for header in wanted})
    return pd.DataFrame(
        {name: _printed(comparison.file, name, table[name]).to_pandas() for name in wanted}
    ).astype(str)


def _printed(file, name, column):
    """Return a column as text; an empty cell is ""."""
    try:
        return column.cast(pa.string()).fill_null("")
    except pa.ArrowException:
        raise InputError(
            f"{shown(paths.ROOT / file)}, column {name!r} holds {column.type}, which is neither "
            "text nor numbers; name another column, or write it anew."
        ) from None


def check_comparison(comparison):
    """Check what can be checked at once of a comparison's file, before anything runs.

    Parameters
    ----------
    comparison : Comparison
        A table of p-values is read; of a table of instances only the header is, and other files
        or folders are looked for.

    Raises
    ------
    InputError
        As `read_comparison`, or if a file or a column is missing.
    """
    if comparison.level == "p-values":
        read_comparison(comparison)
    elif comparison.format == "table":
        named = (np.atleast_1d(headers).tolist() for headers in comparison.columns.values())
        headers = {header: header for header in itertools.chain(*named)}
        positions(existing(comparison.file), read_headers(comparison.file), headers)
    else:
        for path in comparison.files.values():
            existing(path, folder=None)


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
        checks.choice(f"{comparison.source}: dataset", dataset, known)
    return table[table[column].isin(comparison.datasets)].reset_index(drop=True)


def refuse_alike(place, datasets):
    """Refuse datasets whose names look alike: they differ in case, blanks or encoding only.

    Parameters
    ----------
    place : str
        File, for the message.
    datasets : iterable of str
        Different names.

    Raises
    ------
    InputError
        If two are alike.
    """
    known = {}
    for name in datasets:
        key = "".join(_visible(name).casefold().split())
        other = known.setdefault(key, name)
        if other != name:
            hidden = _visible(other) == _visible(name)
            how = (
                "in invisible characters or the encoding of letters"
                if hidden
                else ("in case or blanks")
            )
            one, two = map(ascii if hidden else repr, (other, name))
            raise InputError(
                f"{place}: the datasets {one} and {two} differ {how} only; write the name of one "
                "dataset alike, or give two datasets different names."
            )


def _visible(name):
    """Return a name with each letter in one encoding, and without characters of no width."""
    if name.isascii():
        return name
    letters = unicodedata.normalize("NFC", name)
    return "".join(letter for letter in letters if unicodedata.category(letter) != "Cf")


# --- tables --------------------------------------------------------------------------------------

_SIGNATURES = {
    b"PK\x03\x04": "a ZIP archive, as an .xlsx workbook is; export the sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "an .xls workbook; export the sheet as CSV",
    b"\x1f\x8b": "compressed by gzip; unpack it",
    b"PAR1": "a Parquet table; let its name end in .parquet",
    b"\xff\xfe": "encoded in UTF-16; save it in UTF-8",
    b"\xfe\xff": "encoded in UTF-16; save it in UTF-8",
}
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

BLOCK = 2**20
"""Bytes of a text table that are read at a time."""


def read_bytes(file):
    """Read a text file.

    Parameters
    ----------
    file : str or Path
        A relative path starts at the checkout.

    Returns
    -------
    bytes
        Its content without a byte-order mark, with newlines as line ends; UTF-8 is not checked.

    Raises
    ------
    InputError
        If the file is missing, empty, cannot be read, or is no text.
    """
    path = existing(file)
    check_text(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown(path)} cannot be read: {error.strerror}.") from None
    if not content or content.isspace():
        raise InputError(f"{shown(path)} is empty; write it anew.")
    return _plain(content)


def _plain(content):
    """Return text without a byte-order mark, with newlines as line ends."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content


def read_text(file):
    """Read a text file in UTF-8.

    Parameters
    ----------
    file : str or Path
        A relative path starts at the checkout.

    Returns
    -------
    str
        Its content without a byte-order mark, with newlines as line ends.

    Raises
    ------
    InputError
        As `read_bytes`, or if the file is not UTF-8; the message names the line.
    """
    content = read_bytes(file)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(paths.ROOT / file)}, line {line} is not UTF-8 (byte "
            f"0x{content[error.start]:02x}); save the file in that encoding."
        ) from None


def read_first_line(file):
    """Read the first line of a text file in UTF-8.

    Parameters
    ----------
    file : str or Path
        A relative path starts at the checkout.

    Returns
    -------
    str
        The first line that is not blank, without a byte-order mark.

    Raises
    ------
    InputError
        As `read_text`.
    """
    check_text(file)
    with existing(file).open("rb") as stream:
        line = stream.readline(1 << 20)
    try:
        if line.endswith(b"\n") and line.strip() and b"\r" not in line[:-2]:
            return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    return read_text(file).lstrip().partition("\n")[0]


def check_text(file):
    """Refuse a file that is no text in UTF-8, by its beginning.

    Parameters
    ----------
    file : str or Path
        A relative path starts at the checkout.

    Raises
    ------
    InputError
        If the file is missing, cannot be read, is an archive, a workbook or in UTF-16, or has zero
        bytes.
    """
    path = existing(file)
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError as error:
        raise InputError(f"{shown(path)} cannot be read: {error.strerror}.") from None
    for signature, what in _SIGNATURES.items():
        if head.startswith(signature):
            raise InputError(f"{shown(path)} is {what}.")
    if b"\0" in head:
        raise InputError(f"{shown(path)} is no text (it has zero bytes); save it as text in UTF-8.")


def columns(file, headers, encoded=()):
    """Read columns of a CSV, TSV or Parquet table.

    Parameters
    ----------
    file : str or Path
        The table; the ending .parquet tells the format. A text table has a header, separated by
        what its ending says (.tsv: tabs, else commas), or by the only other one of comma, semicolon
        and tab that is in the header. A relative path starts at the checkout.
    headers : dict of str to str or None
        New name -> header in the file, where case and blanks around it do not matter if only one
        column is meant; None for all.
    encoded : sequence of str, optional
        New names of columns with few different values.

    Returns
    -------
    pyarrow.Table
        The columns under their new names, at least one row; those of a text file are strings
        without surrounding blanks.

    Raises
    ------
    InputError
        If the file is missing, no such table or has no row, or a column is missing or there twice.
    """
    path = existing(file)
    if path.suffix == ".parquet":
        return _parquet(path, headers, encoded)
    content = _table_bytes(path)
    number, separator, known = _headers(path, content)
    chosen_ = positions(path, known, headers)
    read = functools.partial(_read_csv, content, number, separator, len(known), chosen_.values())
    try:
        try:
            table = read(BLOCK)
        except pa.ArrowInvalid:
            table = read(len(content) + 1)  # a row can be longer than a block
    except pa.ArrowInvalid as error:
        raise InputError(_csv_sentence(path, separator, str(error))) from None
    if not table.num_rows:
        raise InputError(f"{shown(path)} has no row below its header; a table needs one.")
    return pa.table(
        {
            name: pc.utf8_trim_whitespace(column)
            for name, column in zip(chosen_, table.columns, strict=True)
        }
    )


def _read_csv(content, number, separator, width, places, block):
    """Read columns of a text table below line `number` as strings, `block` bytes at a time."""
    names = [str(place) for place in places]
    return pyarrow.csv.read_csv(
        pa.BufferReader(content),
        read_options=pyarrow.csv.ReadOptions(
            skip_rows=number, column_names=[str(i) for i in range(width)], block_size=block
        ),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=separator, newlines_in_values=b'"' in content
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            include_columns=names,
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
        ),
    )


def read_headers(file):
    """Read the headers of a table.

    Parameters
    ----------
    file : str or Path
        As in `columns`.

    Returns
    -------
    list of str
        The headers, in the order of the file.

    Raises
    ------
    InputError
        If the file is missing, or no such table.
    """
    path = existing(file)
    if path.suffix == ".parquet":
        return _parquet_headers(path)
    check_text(path)
    with path.open("rb") as stream:
        head = _plain(stream.read(BLOCK)).rpartition(b"\n")[0]
    if len(list(itertools.islice(_lines(head), 2))) < 2 or _is_json(head):
        head = _table_bytes(path)
    return _headers(path, head)[2]


def read_table(file):
    """Read a CSV, TSV or Parquet table as it is printed, every cell as text.

    Parameters
    ----------
    file : str or Path
        As in `columns`.

    Returns
    -------
    DataFrame of str
        Cells without surrounding blanks; an empty cell is "". Columns of Parquet that hold lists,
        structures or bytes are left out.

    Raises
    ------
    InputError
        As `columns`.
    """
    table = columns(file, None)
    printed = {}
    for name in table.schema.names:
        with contextlib.suppress(InputError):
            printed[name] = _printed(file, name, table[name]).to_pandas()
    return pd.DataFrame(printed).astype(str)


def place(file, row):
    """Name a row of a table for a message.

    Parameters
    ----------
    file : str or Path
        The table.
    row : int
        Its row, from 0 below the header.

    Returns
    -------
    str
        The file and the line in which the row ends; of Parquet, the row from 1.
    """
    path = paths.ROOT / file
    if path.suffix == ".parquet":
        return f"{shown(path)}, row {row + 1}"
    content = read_bytes(path)
    _, separator, _ = _headers(path, content)
    for index, (line, _) in enumerate(_rows(path, content, separator)):
        if index == row + 1:
            return f"{shown(path)}, line {line}"
    return shown(path)


def _table_bytes(path):
    """Read a text table."""
    content = read_bytes(path)
    if _is_json(content):
        raise InputError(f"{shown(path)} is JSON; write it as a CSV table with a header.")
    return content


def _is_json(content):
    return content.lstrip()[:1] in (b"{", b"[")


def _headers(path, content):
    """Return the number of the line of headers, the separator, and the headers."""
    lines = _lines(content)
    number, header = next(lines)
    separator = _separator(path, header, next(lines, (0, ""))[1])
    return number, separator, [cell.strip() for cell in _cells(header, separator)]


def _lines(content):
    """Iterate over number and text of the lines that are not blank."""
    number = start = 0
    while start < len(content):
        number, stop = number + 1, content.find(b"\n", start) % (len(content) + 1)
        line = content[start:stop]
        if line.strip():
            yield number, line.decode(errors="replace")
        start = stop + 1


def _cells(line, separator):
    return next(csv.reader([line], delimiter=separator))


def _rows(path, content, separator):
    """Iterate over line and cells of the rows of a text table, without blank lines."""
    lines = io.StringIO(content.decode(errors="replace"), newline="")
    reader = csv.reader(lines, delimiter=separator)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{shown(path)}, line {reader.line_num} is not CSV: {error}.") from None


def _separator(path, header, row):
    """Return the separator of a table, told from its headers and, in doubt, its first row."""
    usual = "\t" if path.suffix == ".tsv" else ","
    possible = [mark for mark in _SEPARATORS if mark in header]
    if len(possible) > 1:
        sizes = {mark: len(_cells(header, mark)) for mark in possible}
        fitting = [mark for mark, n in sizes.items() if 1 < n == len(_cells(row, mark))]
        if len(fitting) > 1:
            listed = " and ".join(_SEPARATORS[mark] for mark in fitting)
            raise InputError(
                f"{shown(path)} may be separated by {listed}; keep one of them, and quote a cell "
                "that holds the other."
            )
        possible = fitting or [usual]
    return possible[0] if possible else usual


def positions(path, known, headers):
    """Find columns by their headers.

    Parameters
    ----------
    path : Path or str
        The file, for messages.
    known : sequence of str
        Its headers.
    headers : dict of str to str or None
        As `columns` takes them.

    Returns
    -------
    dict of str to int
        New name -> position.

    Raises
    ------
    InputError
        If a column is missing or there twice.
    """
    if headers is None:
        headers = dict(zip(known, known, strict=True))
    exact, folded = defaultdict(list), defaultdict(list)
    for place_, header in enumerate(known):
        exact[header].append(place_)
        folded[header.strip().casefold()].append(place_)
    found = {}
    for name, header in headers.items():
        places = exact.get(header) or folded.get(header.strip().casefold(), ())
        if len(places) > 1:
            raise InputError(
                f"{shown(path)}: {len(places)} columns are called {header!r}; give each its own "
                "header."
            )
        if not places:
            _refuse_header(path, header, known)
        found[name] = places[0]
    return found


def _refuse_header(path, header, known):
    """Say that there is no such column; line 1 may be data."""
    if any(map(is_number, known)) and checks.nearest(header, known) == ".":
        raise InputError(
            f"{shown(path)} has no column {header!r}; its first line ({', '.join(known[:5])}) "
            "looks like data, so write a line with the headers above it."
        )
    checks.choice(f"{shown(path)}: column", header, known)


def is_number(text):
    """Tell whether a cell is a finite number.

    Parameters
    ----------
    text : str
        The cell.

    Returns
    -------
    bool
    """
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


def _csv_sentence(path, separator, error):
    """Say which row of a text table breaks it."""
    read_text(path)
    rows = _rows(path, read_bytes(path), separator)
    _, header = next(rows)
    for line, cells in rows:
        if len(cells) != len(header):
            comma = " (decimals are written with a point)" if separator == "," else ""
            return (
                f"{shown(path)}, line {line} has {len(cells)} cell{'s' * (len(cells) != 1)}, but "
                f"the header has {len(header)}; separate the cells by {_SEPARATORS[separator]} and "
                f"quote one that holds one{comma}."
            )
    return f"{shown(path)} is not a CSV table: {error.splitlines()[0]}."


def _parquet(path, headers, encoded):
    known = _parquet_headers(path)
    places = positions(path, known, headers)
    wanted = {name: known[place_] for name, place_ in places.items()}
    with _as_parquet(path):
        table = pq.read_table(
            path,
            columns=list(dict.fromkeys(wanted.values())),
            read_dictionary=[wanted[name] for name in encoded],
        )
    if not table.num_rows:
        raise InputError(f"{shown(path)} has no row; a table needs one.")
    return pa.table({name: table[header] for name, header in wanted.items()})


def _parquet_headers(path):
    with _as_parquet(path):
        return pq.read_schema(path).names


@contextlib.contextmanager
def _as_parquet(path):
    """Say in a sentence that a file is not Parquet, or cannot be read."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].partition(".")[0]
        raise InputError(
            f"{shown(path)} is not a Parquet table ({reason}); write it anew."
        ) from None


def remedy(value, otherwise):
    """Say how to write a cell that is not read as a number.

    Parameters
    ----------
    value : object
        The cell.
    otherwise : str
        Remedy where the cell gives no hint.

    Returns
    -------
    str
        A clause.
    """
    text = str(value).strip()
    if text.endswith("%"):
        return "write it without the percent sign"
    if re.fullmatch(r"[-+]?[1-9]\d{,2}(,\d{3})+(\.\d+)?", text):
        return "write it without commas, and decimals with a point"
    if re.fullmatch(r"[-+]?\d*,\d+", text):
        return "write decimals with a point"
    if text[:1] in ("<", ">", "≤", "≥"):
        return "write the p-value itself, or the bound if you will answer for it"
    if text.casefold() in ("true", "false"):
        return "write 1 and 0, or true and false in the whole column"
    return otherwise


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
        text = read_text(f"{study.remarks}/{section}.md")
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
        If the file is missing or not YAML, a number is not finite, or text is not Unicode; the
        message names the line or the key.
    """
    path = existing(path)
    text = read_text(path) if path.stat().st_size else ""
    try:
        content = yaml.load(text, Loader=_Loader)
        _refuse_odd(shown(path), content)
        return content
    except RecursionError:
        raise InputError(
            f"{shown(path)} is nested too deeply, or holds itself; write it without."
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"{shown(path)}, line {line} is not YAML: the character {chr(error.character)!r} is "
            "not allowed; leave it out."
        ) from None
    except yaml.MarkedYAMLError as error:
        line = min(error.problem_mark.line if error.problem_mark else 0, text.count("\n"))
        if "\t" in text.split("\n")[line]:
            raise InputError(
                f"{shown(path)}, line {line + 1} has a tab; YAML indents with blanks, so write "
                "blanks instead."
            ) from None
        raise InputError(f"{shown(path)}, line {line + 1} is not YAML: {error.problem}.") from None


def _refuse_odd(file, value, place="", done=None):
    """Refuse numbers that are not finite, and text that is not Unicode, by the name of the key."""
    done = set() if done is None else done
    if isinstance(value, dict | list):
        if id(value) in done:
            return
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            name = f"{place}.{key}".lstrip(".") if isinstance(value, dict) else f"{place}[{key}]"
            _refuse_odd(file, item, name, done)
        done.add(id(value))  # an alias is looked at once
    elif isinstance(value, float) and not np.isfinite(value):
        raise InputError(f"{file}: {place} is {value}, but numbers of a study are finite.")
    elif isinstance(value, str) and not checks.is_unicode(value):
        raise InputError(f"{file}: {place} is {value!a}, which is not Unicode; write it anew.")


class _Loader(yaml.SafeLoader):
    """Loader that refuses a key given twice, and reads 1e-5 as the number that it is."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is there twice; keep one", key_node.start_mark
                )
            seen.add(key if isinstance(key, Hashable) else None)
        return super().construct_mapping(node, deep)

    def construct_object(self, node, deep=False):
        try:
            return super().construct_object(node, deep)
        except ValueError as error:  # 2026-02-30, or a number of 5,000 digits
            raise yaml.constructor.ConstructorError(
                None, None, f"a value cannot be read ({error})", node.start_mark
            ) from None

    def construct_yaml_float(self, node):
        """Return a number; a whole one with an exponent, such as 1e5, is an int."""
        value = super().construct_yaml_float(node)
        exponent = re.fullmatch(r"[^:]*e[-+]?\d+", node.value, re.IGNORECASE)
        return int(value) if exponent and value.is_integer() else value


_FLOAT = "tag:yaml.org,2002:float"
_Loader.add_constructor(_FLOAT, _Loader.construct_yaml_float)
_Loader.add_implicit_resolver(
    _FLOAT, re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def _to_number(column):
    return pd.to_numeric(column, errors="coerce")


_NAMED = (lambda column: column != "", "a dataset has a name")
_PROBABILITY = (
    lambda column: _to_number(column).between(0, 1),
    "a p-value is a number in [0, 1] (leave out the row of a dataset that has none)",
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
    faults = len(errors.failure_cases.drop_duplicates(["index", "check"]))
    more = f" ({faults} faults in all)" if faults > 1 else ""
    hint = "" if case["column"] in (None, "dataset") else remedy(value, "")
    return (
        f"{place(comparison.file, row)}, column {header!r}: the value is {value!r}, "
        f"but {case['check']}{'; ' * bool(hint)}{hint}{more}."
    )


def existing(path, folder=False):
    """Return the place of an existing file or folder.

    Parameters
    ----------
    path : str or Path
        A relative path starts at the checkout.
    folder : bool or None, default False
        Whether it is a folder; None for either.

    Returns
    -------
    Path
        The file or folder.

    Raises
    ------
    InputError
        If there is none; the message names the nearest in its folder.
    """
    path = paths.ROOT / path
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise InputError(
                f"{shown(path)} is a link to a file that does not exist; link it anew."
            ) from None
        near = checks.nearest(path.name, _siblings(path))
        raise InputError(f"{shown(path)} does not exist{near}") from None
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        name = shown(path)
        name = f"{name[:60]}... ({len(name):,} letters)" if len(name) > 1000 else ascii(name)[1:-1]
        reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise InputError(f"{name} cannot be read: {reason}.") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(
            f"{shown(path)} is a pipe or a device, which cannot be read twice; store what it holds "
            "in a file, and name that."
        )
    if folder is not None and stat.S_ISDIR(mode) != folder:
        is_, should = ("a file", "folder") if folder else ("a folder", "file")
        raise InputError(f"{shown(path)} is {is_}; name a {should} instead.")
    return path


def _siblings(path):
    """Return the names of what is in the folder of a path."""
    try:
        return [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []


def shown(path):
    """Return a path for a message.

    Parameters
    ----------
    path : str or Path
        A file or folder.

    Returns
    -------
    str
        The path, relative to the checkout if it lies in it.
    """
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
