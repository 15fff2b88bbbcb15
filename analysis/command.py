"""The command line, ``python -m analysis``: the quick question without writing Python.

=========  =================================================================
command    question
=========  =================================================================
`pvalues`  on how many datasets is A better, given one p-value for each?
`compare`  is A better, given two files with the scores of the same instances?
`new`      what does a study look like? writes one that runs
`tests`    which test is for which scores?
=========  =================================================================

Each answer is a dictionary, which is printed as text or, with ``--json``, as it is. The modules
that compute are loaded when a command is carried out, so that ``--help`` answers at once.
"""

import argparse
import contextlib
import json
import math
import os
import re
import shutil
import stat
import string
import sys
import tempfile
from pathlib import Path

from analysis import __version__

ESTIMATORS = ("count", "bonferroni", "fisher", "simes")
"""Estimators of the number of datasets that are shown beside each other."""

EXAMPLES = Path(__file__).parent / "example"
"""Folder of the studies that `new` writes, one folder each, and of what ``--help`` shows."""

BATCH_ROWS = 2**16
"""Rows of a column that are read at a time."""

PROTECTED = ("paper", "open")
"""Studies of the repository."""

ONE = "all"
"""Dataset of a table without a column of datasets."""

REASONS = {
    "independent": "they share no instance and none is made from another",
    "positive": "Bonferroni's estimate is valid whatever the dependence, and Simes's is valid, too",
    "dependent": "Bonferroni's estimate is valid whatever the dependence",
}
"""Dependence -> why its estimator is recommended, a clause."""


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments; default those of the process.

    Returns
    -------
    int
        0 if the question is answered, 1 if the input is wrong; wrong usage exits with 2.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    main_parser = parser()
    if not arguments:
        main_parser.print_help(sys.stderr)
        main_parser.exit(2)
    options = main_parser.parse_args(arguments)
    from replicability import checks

    here = ""
    try:
        here = _here()
        _refuse_bytes(arguments)
        with checks.naming(checks.option):
            answer = options.ask(options)
    except checks.InputError as error:
        print(str(error).replace(here, "") if here else error, file=sys.stderr)
        return 1
    print(json.dumps(plain(answer), indent=2) if options.json else options.show(answer))
    return 0


def _here():
    """Return the current folder as messages leave it out of paths."""
    from replicability import checks

    try:
        return f"{Path.cwd()}{os.sep}"
    except FileNotFoundError:
        raise checks.InputError(
            "The current folder does not exist any more; change into one that does."
        ) from None


def _refuse_bytes(arguments):
    """Refuse arguments that are not UTF-8."""
    from replicability import checks

    for argument in arguments:
        if not checks.is_unicode(argument):
            raise checks.InputError(
                f"The argument {argument!a} is not UTF-8; write it anew, or rename the file."
            )


# --- one p-value for each dataset ----------------------------------------------------------------

ADJUSTED = re.compile(r"adj|corrected|bonf|holm|hoch|fdr|\bbh\b", re.IGNORECASE)
"""What a header holds if p-values are adjusted, so that they are not those that are counted."""

PVALUE = re.compile(
    r"p(\s+[(\[][^<>]*)?$"  # p, p (ours); but P(A>B) is a posterior, and p_correct a share
    r"|p[\W_]*(val(ue)?s?(?![a-z0-9])|(one|two|1|2)[\W_]*(sided|tailed))"
    rf"|p[\W_]+({ADJUSTED.pattern})"
    r"|pr?\s*\(?>\s*\||sig\.",  # as R, statsmodels and SPSS write
    re.IGNORECASE,
)
"""How the header of a column of p-values begins."""

BESIDE_PRECISION = {"r", "rec", "recall", "f", "f1", "f-1", "f_1", "f-score", "f1-score", "fscore"}
"""Headers, in lower case, beside which P is precision."""

PIPE_BYTES = 2**30
"""Most bytes that are read from a pipe."""


def pvalues(options):
    """Count and identify from p-values.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`.

    Returns
    -------
    dict
        The answer; ``python -m analysis pvalues --help`` lists its keys.

    Raises
    ------
    InputError
        If a value, a file or a column is wrong.
    """
    from replicability import checks

    alphas = [checks.alpha(alpha) for alpha in options.alpha]
    if not 0 <= checks.finite("resolution", options.resolution) < 1:
        raise checks.InputError(
            f"resolution is {options.resolution}; it is the smallest p-value that the test could "
            "report, in [0, 1), such as 1e-5."
        )
    if options.column:
        return _counted(options, alphas)
    numbers = typed(options.values)
    if numbers is not None:
        comparison, table, notes = _comparison(options), _of_numbers(options, numbers), []
    else:
        comparison, table, notes = _from_file(options)
    if options.both and "score_a" not in table:
        raise checks.InputError(
            "--both asks who is ahead on each dataset, but there are no scores; pass a file and "
            "name the columns of A and B with --scores."
        )
    answer = _answer(options, comparison, table, alphas)
    answer["notes"] += [*notes, *_zeros(table["p_value"].to_numpy())]
    column = comparison.columns.get("p_value")
    values = f"The p-values (column {column!r})" if column else "The p-values"
    answer["notes"].append(
        f"{values} are read as two-sided: half where a system is ahead, one minus the half "
        "elsewhere. Each direction has half of alpha, so that the counts of both hold together, "
        "and so do the names."
        if options.both
        else f"{values} are read as one-sided: {comparison.systems[0]} is not better than "
        f"{comparison.systems[1]}."
    )
    return answer


def _zeros(values):
    """Say how many p-values are 0; nothing if none is."""
    zeros = int((values == 0).sum())
    if not zeros:
        return []
    return [
        f"{zeros} of {len(values)} p-values {'is' if zeros == 1 else 'are'} 0, and taken at that. "
        "A test that draws B resamples cannot report less than 1/(B+1): pass that number, such as "
        "--resolution 1e-5."
    ]


def _counted(options, alphas):
    """Count from one column of a file, whose datasets are too many to be named."""
    import numpy as np

    from replicability import checks
    from replicability.compare.findings import sentence
    from replicability.stats import partial_conjunction

    for name in ("names", "dataset", "p_value", "scores", "both"):
        if getattr(options, name):
            raise checks.InputError(
                f"--column counts from one column alone; leave out --{name.replace('_', '-')}, or "
                "name the column with --p-value."
            )
    if len(options.values) != 1:
        raise checks.InputError(
            f"--column reads one Parquet file, but there are {len(options.values)} arguments; "
            "name one file."
        )
    _refuse_two_sided(options.values[0], options.column)
    values = read_column(str(options.values[0]), options.column)
    np.maximum(values, options.resolution, out=values)
    comparison = _comparison(options)
    a, b = comparison.systems
    recommended = partial_conjunction.recommended_method(comparison.dependence)
    stated = []
    for alpha in alphas:
        # Simes first: it needs most memory, and Fisher's critical values stay in memory.
        found = {name: partial_conjunction.k_hat(values, alpha, name) for name in ESTIMATORS[:0:-1]}
        k_hat = {name: found[name] for name in ESTIMATORS[1:]}
        stated.append(
            {
                "systems": [a, b],
                "alpha": alpha,
                "k_hat": k_hat,
                "count": partial_conjunction.k_count(values, alpha),
                "sentence": sentence(
                    (a, b), len(values), k_hat[recommended], k_hat["bonferroni"], alpha, recommended
                ),
            }
        )
    return {
        **_declared(options, comparison),
        "n": len(values),
        "findings": stated,
        "notes": [
            _reason(options, comparison),
            *_zeros(values),
            f"The p-values (column {options.column!r}) are read as one-sided: {a} is not better "
            f"than {b}.",
        ],
    }


def read_column(file, column):
    """Read p-values from one column of a Parquet file in one pass.

    Parameters
    ----------
    file : str
        A Parquet file.
    column : str
        Name of a column of numbers.

    Returns
    -------
    ndarray of float64, shape (n,)
        The p-values, n at least 1.

    Raises
    ------
    InputError
        If there is no such file or column, or a value is missing or outside [0, 1]; the message
        names its row.

    Notes
    -----
    `BATCH_ROWS` rows are decoded and checked at a time, so that memory is that of the result, 8
    bytes for each row, and of one batch.
    """
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    from replicability import checks
    from replicability.io.text import existing

    path = existing(Path(file).absolute())
    if path.suffix != ".parquet":
        raise checks.InputError(
            f"{file} is not a Parquet file, and --column reads no other; name the column of a CSV "
            "or TSV table with --p-value."
        )
    try:
        with parquet.ParquetFile(path, buffer_size=2**16, pre_buffer=False) as source:
            schema = source.schema_arrow
            checks.choice(f"{file}: column", column, schema.names)
            if (alike := schema.names.count(column)) > 1:
                raise checks.InputError(
                    f"{file}: {alike} columns are called {column!r}; give each its own header."
                )
            kind = schema.field(column).type
            if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
                raise checks.InputError(
                    f"{file}, column {column!r} holds {kind}, but p-values are numbers; write them "
                    "as double."
                )
            values = np.empty(source.metadata.num_rows)
            stop = 0
            for batch in source.iter_batches(BATCH_ROWS, columns=[column], use_threads=False):
                start, stop = stop, stop + len(batch)
                values[start:stop] = batch[column].to_numpy(zero_copy_only=False)
                _refuse_outside(path, column, start, values[start:stop])
    except (pa.ArrowException, OSError) as error:
        raise checks.InputError(
            f"{file} is not a Parquet table ({str(error).splitlines()[0]}); write it anew."
        ) from None
    if not len(values):
        raise checks.InputError(f"{file} has no row; a family needs at least one p-value.")
    return values


def _refuse_outside(path, column, start, values):
    """Refuse what is no p-value in the rows from `start`, NaN if a cell is empty."""
    from replicability import checks
    from replicability.io import delimited

    if values.min() >= 0 and values.max() <= 1:  # NaN propagates
        return
    row = int((~((values >= 0) & (values <= 1))).argmax())
    raise checks.InputError(
        f"{delimited.place(path, start + row)}, column {column!r}: the value is {values[row]}, but a "
        "p-value is a number in [0, 1]; leave out the row of a dataset that has none."
    )


def typed(values):
    """Tell whether arguments are numbers, separated by blanks, commas or semicolons.

    Parameters
    ----------
    values : sequence of float or str
        Arguments.

    Returns
    -------
    list of float, or None
        The numbers, not checked; None for a single argument that is no number.

    Raises
    ------
    InputError
        If one of several is no number, or commas may be those of decimals.
    """
    from replicability import checks
    from replicability.stats import arguments as arguments_

    cells = [_cells(str(value)) for value in values]
    if not all(found and all(map(_is_float, found)) for found in cells):
        if len(values) == 1:
            return None
        for value in values:
            if value == "-" or stat.S_ISREG(_mode(str(value))):
                raise checks.InputError(f"{value} is no p-value; pass one file and nothing else.")
        return arguments_.pvalues(values)  # which says what is none
    text = " ".join(map(str, values))
    _refuse_decimal_commas(text, text)
    return [float(cell) for found in cells for cell in found]


def _cells(text):
    """Split numbers that are separated by anything."""
    return re.findall(r"[^\s,;()\[\]]+", text)


def _is_float(cell):
    return isinstance(_number(cell), float)


def _refuse_decimal_commas(text, where):
    from replicability import checks

    if "," in text and "." not in text:
        raise checks.InputError(
            f"{where}: the commas may separate numbers or be those of decimals; write decimals "
            "with a point, and blanks between numbers."
        )


def _of_numbers(options, numbers):
    """Return the table of p-values that come without names."""
    import numpy as np
    import pandas as pd

    from replicability.io.pvalues import numbered
    from replicability.stats import arguments as arguments_

    values = np.maximum(arguments_.pvalues(numbers), options.resolution)
    names = _dataset_names(options, len(values)) or numbered(len(values))
    return pd.DataFrame({"dataset": names, "p_value": values})


def _dataset_names(options, n):
    """Return the names of n datasets that were passed with --names, or None."""
    from replicability import checks
    from replicability.io.pvalues import refuse_alike

    if not options.names:
        return None
    names = [name.strip() for name in options.names]
    if len(names) != n:
        raise checks.InputError(
            f"There are {len(names)} names and {n} p-values; pass --names with one name for each "
            "p-value."
        )
    seen = set()
    for name in names:
        if not name:
            raise checks.InputError("One of --names is empty; give every dataset a name.")
        if name in seen:
            raise checks.InputError(f"Two datasets have the name {name!r}; rename one of them.")
        seen.add(name)
    refuse_alike("--names", names)
    return names


def _from_file(options):
    """Return the comparison, the table of p-values of a file or pipe, and notes on it."""
    file = options.values[0]
    with stored(file) as path:
        numbers = None if path.endswith(".parquet") else read_numbers(path)
        if numbers is not None:
            _refuse_columns(options, path)
            comparison, table = _comparison(options), _of_numbers(options, numbers)
        else:
            comparison, table = _from_table(options, path)
    if "dataset" in comparison.columns or options.names:
        return comparison, table, []
    return comparison, table, ["The datasets have no names, and are numbered in their order."]


def _refuse_columns(options, path):
    """Refuse options that name columns where the file holds nothing but numbers."""
    from replicability import checks
    from replicability.io import text as text_

    for name in ("dataset", "p_value", "scores"):
        if getattr(options, name):
            raise checks.InputError(
                f"{text_.shown(path)} has numbers in its first line, and no headers that "
                f"{checks.named(name)} could name; write a line with the headers above it."
            )


def _from_table(options, path):
    """Return the comparison and the table of p-values of a file with headers."""
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_
    from replicability.io.pvalues import read_comparison

    headers = delimited.read_headers(path)
    columns = {"scores": options.scores} if options.scores else {}
    columns["p_value"] = options.p_value or guess_pvalues(path, headers)
    if delimited.is_number(columns["p_value"]):
        raise checks.InputError(_headless(path, headers))
    if not options.both:
        _refuse_two_sided(text_.shown(path), columns["p_value"])
    used = {columns["p_value"], *options.scores}
    delimited.positions(path, headers, dict(zip(used, used, strict=True)))
    dataset = options.dataset or guess_dataset(path, headers, used)
    if dataset is not None:
        columns["dataset"] = dataset
    if options.names and dataset is not None:
        raise checks.InputError(
            "--names names p-values that have no names; the datasets of this file are named in its "
            f"column {dataset!r}: leave --names out, or choose the column with --dataset."
        )
    options.systems = options.systems or options.scores
    comparison = _comparison(options, file=path, columns=columns)
    table = read_comparison(comparison)
    if names := _dataset_names(options, len(table)):
        table["dataset"] = names
    return comparison, table


@contextlib.contextmanager
def stored(file):
    """Give the place of a file; what a pipe brings is read once, and stored for as long as needed.

    Parameters
    ----------
    file : str
        A file, a pipe, or "-" for standard input.

    Yields
    ------
    str
        A file.

    Raises
    ------
    InputError
        If the pipe brings nothing, or more than `PIPE_BYTES`.
    """
    from replicability.checks import InputError

    if file in ("-", "/dev/stdin"):
        shown, content = "standard input", _read_pipe("standard input", 0)
    elif stat.S_ISFIFO(_mode(file)):
        shown, content = file, _read_pipe(file, file)
    else:
        yield str(Path(file).absolute())
        return
    with tempfile.TemporaryDirectory() as folder:
        ending = ".parquet" if content.startswith(b"PAR1") else ""
        path = Path(folder) / f"stored{ending}"
        path.write_bytes(content)
        try:
            yield str(path)
        except InputError as error:
            raise InputError(str(error).replace(str(path), shown)) from None


def _mode(file):
    """Return the mode of a file; 0 if there is none, or its reader is to say why not."""
    try:
        return Path(file).stat().st_mode
    except OSError:
        return 0


def _read_pipe(shown, file):
    """Read a pipe, or the descriptor of one, to its end; one without a writer ends at once."""
    from replicability.checks import InputError

    try:
        opened = file if isinstance(file, int) else os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(opened, True)  # opening is not to wait for a writer, reading is
        with open(opened, "rb", closefd=opened != file) as stream:
            content = stream.read(PIPE_BYTES + 1)
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror}.") from None
    if not content:
        raise InputError(f"{shown} brings nothing; check what writes to it.")
    if len(content) > PIPE_BYTES:
        raise InputError(f"{shown} brings more than a gigabyte; store it in a file, and name that.")
    return content


def read_numbers(path):
    """Read the p-values of a text file that holds numbers and nothing else.

    Parameters
    ----------
    path : str
        One number in each line, or all in one line or one pair of brackets, separated by blanks,
        commas or semicolons.

    Returns
    -------
    list of float, or None
        The p-values; None if the first line is not of numbers alone.

    Raises
    ------
    InputError
        If a later line is not, a number lies outside [0, 1], several lines hold several numbers, so
        that they may be rows of a table, or the first may be a header.
    """
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_
    from replicability.io.text import read_first_line, read_text

    first = _cells(read_first_line(path))
    if not first or not all(map(_is_float, first)):
        return None
    text, shown = read_text(path), text_.shown(path)
    _refuse_decimal_commas(text, shown)
    lines = [(number, _cells(line)) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, cells) for number, cells in lines if cells]
    if len(lines) > 1 and max(len(cells) for _, cells in lines) > 1 and text.count("[") != 1:
        raise checks.InputError(
            f"{shown} has several numbers in a line and no headers, so that they may be columns of "
            "a table; write a line with the headers above it, or one p-value in each line."
        )
    if len(lines) > 1 and lines[0][1] == ["0"]:
        raise checks.InputError(
            f"{shown} begins with a line '0', which is how pandas writes the header of a column "
            "without a name; remove it, or write 0.0 if it is a p-value."
        )
    for number, cells in lines:
        for cell in cells:
            if not (_is_float(cell) and 0 <= float(cell) <= 1):
                hint = delimited.remedy(cell, "leave out a dataset that has none")
                raise checks.InputError(
                    f"{shown}, line {number}: the value is {cell!r}, but a p-value is a number in "
                    f"[0, 1]; {hint}."
                )
    return [float(cell) for _, cells in lines for cell in cells]


def guess_pvalues(path, headers):
    """Tell the column of p-values by its header.

    Parameters
    ----------
    path : str
        The file, for the message.
    headers : sequence of str
        Its headers.

    Returns
    -------
    str
        The only header that begins as `PVALUE` and is not that of adjusted p-values or precision;
        ``p_value`` if there are several.

    Raises
    ------
    InputError
        If there is none or several, or the headers are data.
    """
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_

    called = [header for header in headers if PVALUE.match(header)]
    found = [header for header in called if not ADJUSTED.search(header)]
    found = [header for header in found if header.casefold() == "p_value"] or found
    precise = BESIDE_PRECISION & {header.casefold() for header in headers}
    if len(found) == 1 and not (precise and found[0].casefold() == "p"):
        return found[0]
    if not called and any(map(delimited.is_number, headers)):
        raise checks.InputError(_headless(path, headers))
    if len(found) > 1:
        why = f"the columns {checks.listed(found)} may all hold p-values"
    elif found:
        why = f"beside {', '.join(sorted(precise))} the column {found[0]!r} may hold precision"
    elif called:
        why = f"the p-values in {checks.listed(called)} are adjusted, and not those to count"
    else:
        why = "no column of numbers is called p, p_value or the like"
    cells = "; separate cells by commas" if len(headers) == 1 and " " in headers[0] else ""
    raise checks.InputError(
        f"{text_.shown(path)}: {why}, so that the p-values are not known; name their column with "
        f"--p-value, one of {checks.listed(headers)}{cells}."
    )


def _headless(path, headers):
    """Say that the first line of a table is data."""
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_

    number = next(filter(delimited.is_number, headers))
    example = "dataset,p" if len(headers) == 2 else "one header for each column"
    return (
        f"{text_.shown(path)} has {number!r} in its first line ({checks.listed(headers)}), where "
        f"headers are expected, so that the first dataset would be lost; write a line of headers "
        f"above it, such as {example}."
    )


def _refuse_two_sided(shown, header):
    """Refuse a column that says that its p-values are two-sided."""
    from replicability import checks
    from replicability.io import study

    if study.TWO_SIDED.search(header):
        raise checks.InputError(
            f"{shown}: the column {header!r} holds two-sided p-values, but those of the one-sided "
            "hypothesis 'A is not better' are needed; pass --both and the columns of the scores "
            "with --scores, or halve them where A is ahead, take one minus the half elsewhere, and "
            "rename the column."
        )


def guess_dataset(path, headers, used):
    """Tell the column of datasets where there is no doubt.

    Parameters
    ----------
    path : str
        The file.
    headers : sequence of str
        Its headers.
    used : collection of str
        Headers of p-values and scores.

    Returns
    -------
    str or None
        ``dataset`` if there is such a column, else the only other column of text; None if there is
        no other column, so that the datasets have no names.

    Raises
    ------
    InputError
        If several hold text, or others and none does.
    """
    from replicability import checks
    from replicability.io import delimited
    from replicability.io import text as text_

    shown = text_.shown(path)
    taken = {header.strip().casefold() for header in used}
    others = [header for header in headers if header.casefold() not in taken]
    for header in others:
        if header.casefold() == "dataset":
            return header
    if not others:
        return None
    table = delimited.columns(path, dict(zip(others, others, strict=True)))
    text = [header for header in others if _holds_text(table[header])]
    if len(text) == 1:
        return text[0]
    several = f"{checks.listed(text)} hold text"
    raise checks.InputError(
        f"{shown}: {several if text else 'no column holds text'}, so that the datasets are not "
        f"known; name their column with --dataset, one of {checks.listed(headers)}."
    )


def _holds_text(column):
    """Tell whether a column holds text that is not a number."""
    import pyarrow as pa

    from replicability.io import delimited

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    return not all(delimited.is_number(cell) for cell in column.to_pylist() if cell is not None)


# --- two files of scores -------------------------------------------------------------------------


def compare(options):
    """Test from the scores of both systems, dataset by dataset.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    dict
        The answer; ``python -m analysis compare --help`` lists its keys.

    Raises
    ------
    InputError
        If a file, an instance, a score or the test is wrong.
    """
    from replicability import checks
    from replicability.io import study
    from replicability.io.text import existing

    for file in (options.a, options.b):
        existing(Path(file).absolute(), folder=None)
    if Path(options.a).samefile(options.b):
        raise checks.InputError(
            f"Both systems are read from {options.a}; name the file or folder of each."
        )
    if options.dataset and options.one_dataset:
        raise checks.InputError(
            "--dataset names the column of the datasets, but --one-dataset says that there is one "
            "dataset; leave out one of them."
        )
    checks.at_least("--seed", options.seed, 0)
    options.systems = options.systems or names_of(options.a, options.b)
    kind = options.format or guess_format(options.a)
    checks.choice("format", kind, ("table", *study.METRICS))
    _refuse_idle(options, kind)
    if kind != "table":
        return _tested(options, **_files(options, kind))
    table, columns = matched(options)
    with as_csv(table, f"{options.a} and {options.b}") as path:
        return _tested(options, file=path, columns=columns)


def guess_format(file):
    """Tell the format of a file where there is no doubt.

    Parameters
    ----------
    file : str
        A file or folder.

    Returns
    -------
    str
        "lm_eval" for a log of lm-evaluation-harness or a folder that has one; "conllu" for a file
        with that ending, "segments" for what sacrebleu prints, or a folder whose first file is
        one; else "folders" for a folder, and "table" for a file.
    """
    from replicability.io import formats

    path = Path(file)
    if path.is_dir():
        if any(map(formats.is_log, path.rglob("samples_*"))):
            return "lm_eval"
        inside = sorted(place for place in path.glob("[!.]*") if place.is_file())
        found = {guess_format(p) for p in inside[:1]}
        return found.pop() if found & {"conllu", "segments"} else "folders"
    if formats.is_log(path):
        return "lm_eval"
    if path.suffix == ".conllu":
        return "conllu"
    return "segments" if formats.is_segments(path) else "table"


def _refuse_idle(options, kind):
    """Refuse options that have no meaning in a format."""
    from replicability import checks
    from replicability.compare import evaluation
    from replicability.io import study

    computed = [name for name, metrics in study.METRICS.items() if metrics]
    meaning = {
        "metric": ("chooses what is computed from outputs", ("lm_eval", *computed)),
        "filter": ("chooses among the answers in a log", ("lm_eval",)),
        "size": ("names the column of denominators", ("table", "folders")),
        "dataset": ("names the column of datasets", ("table",)),
        "one_dataset": ("is said of a table", ("table",)),
    }
    for name, (clause, formats) in meaning.items():
        if getattr(options, name) and kind not in formats:
            raise checks.InputError(
                f"{checks.named(name)} {clause}, and has no meaning in the format {kind!r}, only "
                f"in {', '.join(formats)}; leave it out, or name the --format of your files."
            )
    if options.metric and study.METRICS.get(kind):
        checks.choice("metric", options.metric, study.METRICS[kind])
    if options.test in evaluation.OF_RATINGS and not options.gold:
        raise checks.InputError(
            f"The test {options.test!r} needs gold ratings; name their file with --gold, or choose "
            "another test with --test."
        )


ENDINGS = (
    ".bio", ".conll", ".conllu", ".csv", ".iob", ".json", ".jsonl", ".parquet", ".tags", ".tsv",
    ".txt",
)  # fmt: skip
"""Endings of files that are no part of the name of a system."""


def names_of(a, b):
    """Name two systems after their files, or after what else tells these apart.

    Parameters
    ----------
    a, b : str
        Different files or folders.

    Returns
    -------
    (str, str)
        Names of the files without `ENDINGS`, or of the folders; where these are the same, or are
        logs of lm-evaluation-harness, of the nearest folders above them that differ; or else their
        names with endings, or the whole paths.

    Examples
    --------
    >>> names_of("runs/Llama-3.1-8B.csv", "runs/Llama-3.2-3B.csv")
    ('Llama-3.1-8B', 'Llama-3.2-3B')
    >>> names_of("ours/large/news.csv", "baseline/large/news.csv")
    ('ours', 'baseline')
    """
    from replicability.io import formats

    paths = [Path(os.path.normpath(Path(path).absolute())) for path in (a, b)]
    bare = [p.stem if p.suffix.lower() in ENDINGS and not p.is_dir() else p.name for p in paths]
    folders = list(zip(*(path.parts[-2:0:-1] for path in paths), strict=False))
    ways = [tuple(bare), *folders, tuple(path.name for path in paths)]
    for names in ways[all(map(formats.is_log, paths)) :]:
        if names[0] != names[1]:
            return names
    return tuple(map(str, paths))


def _files(options, kind):
    """Declare files in a format other than a table."""
    from replicability import checks
    from replicability.io import study

    if (kind in study.WITH_GOLD) != bool(options.gold):
        raise checks.InputError(
            f"The format {kind!r} has scores, and no gold files; leave out --gold, or name the "
            "--format of your outputs."
            if options.gold
            else f"The format {kind!r} has outputs, which are compared with gold files; name them "
            "with --gold."
        )
    roles = {"gold": options.gold, "a": options.a, "b": options.b}
    metric = options.metric or next(iter(study.METRICS[kind]), "")
    declared = {
        "format": kind,
        "files": {role: str(Path(file).absolute()) for role, file in roles.items() if file},
        "metric": metric,
        "filter": options.filter,
    }
    if kind == "folders":
        declared["columns"] = {"instance": options.instance, "score": options.score}
        declared["columns"] |= {"size": options.size} if options.size else {}
    return declared | {"datasets": tuple(options.datasets)}


def _tested(options, **declared):
    """Test every dataset of a comparison, and count."""
    import pandas as pd

    from replicability import checks
    from replicability.compare import evaluation
    from replicability.io import formats

    alphas = [checks.alpha(alpha) for alpha in options.alpha]
    comparison = _comparison(options, **declared, test=options.test or "")
    datasets = formats.read(comparison)
    table = evaluation.evaluate(comparison, datasets)
    won = [wins_ties_losses(dataset) for dataset in datasets]
    for name, column in zip(("wins", "ties", "losses"), zip(*won, strict=True), strict=True):
        table[name] = pd.Series(column, dtype=object)
    answer = _answer(options, comparison, table, alphas)
    test = table["test"].iloc[0]
    kinds = {kind_of(dataset) for dataset in datasets}
    paper, advice = (
        evaluation.recommended(kinds, datasets[0].metric, sizes)
        for sizes in ((), map(len, datasets))
    )
    note = f"Test: {test}, as you ask; for such scores the paper uses {paper.test}."
    for choice in (paper, advice):
        if test == choice.test:
            note = (
                f"Test: {test}, because {choice.why} ({choice.section}). It assumes that "
                f"{choice.assumes}."
            )
    answer["notes"] += [note, *evaluation.cautions(table, alphas[0])]
    answer["notes"][:0] = [*_which(options, comparison), *_other_way(options, table, answer)]
    return answer | {"test": test, "recommended_test": advice.test}


def _which(options, comparison):
    """Say which file is which system, where the name of the system is not in that of its file."""
    files = dict(zip(comparison.systems, (options.a, options.b), strict=True))
    if all(name in str(path) for name, path in files.items()):
        return []
    return [" ".join(f"{name} is read from {path}." for name, path in files.items())]


def _other_way(options, table, answer):
    """Say how to ask the other way round, where nothing is found and B is mostly ahead."""
    from replicability.compare import findings

    counts = [finding["k_hat"][answer["recommended"]] for finding in answer["findings"]]
    wins, n = findings.wins(table), len(table)
    if options.both or any(counts) or 2 * wins["B"] <= n:
        return []
    a, b = answer["systems"]
    where = f"on {wins['B']:,} of {n:,} datasets" if n > 1 else f"than {a}"
    return [
        f"{b} scores higher {where}. Whether {b} is better was not asked: --both asks in both "
        f"directions, each at half of alpha; if that was the claim before these scores were seen, "
        f"name {options.b} first."
    ]


def wins_ties_losses(dataset):
    """Count the instances on which A is better, equal and worse.

    Parameters
    ----------
    dataset : instances.Dataset
        Scores of both systems, or their sums.

    Returns
    -------
    (int, int, int) or (None, None, None)
        The numbers; None for ratings, of which a higher one is not better.
    """
    from replicability.stats.metrics import METRICS

    if dataset.gold is not None:
        return None, None, None
    a, b = dataset.a, dataset.b
    if a.ndim == 2:
        metric = METRICS[dataset.metric or "mean"]
        a, b = metric(a), metric(b)
    return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())


def kind_of(dataset):
    """Tell the kind of the scores of a dataset.

    Parameters
    ----------
    dataset : instances.Dataset
        Scores of both systems, or their sums, and gold ratings if there are any.

    Returns
    -------
    str
        One of `recommendation.SCORE_KINDS`.
    """
    from replicability.compare import recommendation

    return "ratings" if dataset.gold is not None else recommendation.kind_of(dataset.a, dataset.b)


def matched(options):
    """Lay the scores of both files, and of gold, beside each other, matched by identifier.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.

    Returns
    -------
    DataFrame
        One row per instance: ``dataset``, ``instance``, ``a``, ``b``, and ``size`` or ``gold`` if
        there are any.
    dict
        Its columns, as `study.Comparison` names them.

    Raises
    ------
    InputError
        If a file or a column is missing, or an instance occurs twice or in one file only.
    """
    from replicability import checks

    files = {"a": options.a, "b": options.b} | ({"gold": options.gold} if options.gold else {})
    sides = {role: _scores(options, file, role) for role, file in files.items()}
    _refuse_one_sided(files, {role: header for role, (header, _) in sides.items()})
    _, table = sides.pop("a")
    for role, (_, side) in sides.items():
        _refuse_missing(table, side, options.a, files[role])
        _refuse_missing(side, table, files[role], options.a)
        table = table.merge(side, on=["dataset", "instance"])
    sizes = [table.pop(name) for name in ("size of a", "size of b") if name in table]
    if sizes and not (len(sizes) == 2 and sizes[0].equals(sizes[1])):
        raise checks.InputError(
            f"The sizes in {options.a} and {options.b} differ, but they are those of the same "
            "instances; give each instance one size in both."
        )
    if sizes:
        table["size"] = sizes[0]
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}
    return table, columns | {key: key for key in ("size", "gold") if key in table}


def _refuse_missing(here, there, file, other):
    """Refuse instances of a file that another one lacks."""
    from replicability import checks

    keys = ["dataset", "instance"]
    rows = here[~here.set_index(keys).index.isin(there.set_index(keys).index)]
    if len(rows):
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        raise checks.InputError(
            f"{other} has no instance {rows['instance'].iloc[0]!r}{_of(rows)}{more}, which {file} "
            "has; score both systems on the same instances."
        )


def _refuse_one_sided(files, headers):
    """Refuse files of which only some have a column of datasets."""
    from replicability import checks

    lacking = [files[role] for role, header in headers.items() if not header]
    having = [(files[role], header) for role, header in headers.items() if header]
    if lacking and having:
        raise checks.InputError(
            f"{lacking[0]} has no column of datasets, but {having[0][0]} has {having[0][1]!r}; add "
            "it, or declare one dataset with --one-dataset."
        )


def _scores(options, file, role):
    """Return the header of the datasets, if any, and the keys and scores of one file."""
    import pandas as pd
    import pyarrow as pa

    from replicability import checks
    from replicability.compare import scales
    from replicability.io import delimited, instances

    path = Path(file).absolute()
    table = delimited.columns(path, None)
    known = table.schema.names
    instance, score = (_header(file, name, known) for name in (options.instance, options.score))
    if instance == score:
        raise checks.InputError(
            f"{file}: {score!r} is named as the column of the instances and of the scores; name a "
            "column of its own for each with --instance and --score."
        )
    if role != "gold":
        scales.refuse_lower(f"{file}: column", score)
    dataset = _dataset_header(options, file, table)
    names, rows = ONE, None
    if dataset:
        names = instances.identifiers(path, table[dataset], name="dataset").to_pandas()
    if options.datasets:
        found = list(pd.unique(names)) if dataset else []
        for name in options.datasets:
            checks.choice(f"{file}: dataset", name, found)
        keep = names.isin(options.datasets).to_numpy()
        table, names, rows = table.filter(pa.array(keep)), names[keep], keep.nonzero()[0]
    side = {
        "dataset": names,
        "instance": instances.identifiers(path, table[instance], rows).to_pandas(),
        role: instances.numbers(path, table[score], "score", rows),
    }
    size = options.size or ("size" if "size" in known else "")
    if role != "gold" and size:
        size = _header(file, size, known)
        side[f"size of {role}"] = instances.sizes(path, table[size], rows)
    side = {key: x if isinstance(x, str) else pd.Series(x).to_numpy() for key, x in side.items()}
    side = pd.DataFrame(side).astype({"dataset": str})
    twice = side[side.duplicated(["dataset", "instance"])]
    if len(twice):
        raise checks.InputError(
            f"{file}: instance {twice['instance'].iloc[0]!r}{_of(twice)} occurs more than once; "
            "give every instance of a dataset its own identifier."
        )
    return dataset, side


def _header(file, wanted, known):
    """Return the header that is meant; case and blanks around it do not matter."""
    from replicability import checks

    alike = [header for header in known if header.strip().casefold() == wanted.strip().casefold()]
    if wanted in known or len(alike) != 1:
        return checks.choice(f"{file}: column", wanted, known)
    return alike[0]


def _dataset_header(options, file, table):
    """Return the header of the datasets, or "" if the file is one dataset."""
    from replicability.io import instances

    known = table.schema.names
    if options.one_dataset:
        return ""
    if options.dataset:
        return _header(file, options.dataset, known)
    named = [header for header in known if header.strip().casefold() == "dataset"]
    if not named:
        instances.refuse_pooled(
            file, table, "name it with --dataset {!r}, or declare one dataset with --one-dataset"
        )
    return named[0] if named else ""


def _of(rows):
    dataset = rows["dataset"].iloc[0]
    return "" if dataset == ONE else f" of {dataset!r}"


# --- answers -------------------------------------------------------------------------------------


def _comparison(options, **changes):
    """Declare the comparison that the arguments describe."""
    from replicability import checks
    from replicability.io import study

    systems = tuple(options.systems or ("A", "B"))
    if not all(system.strip() for system in systems):
        raise checks.InputError("One of --systems is empty; give both a name.")
    if systems[0] == systems[1]:
        raise checks.InputError(
            f"Both systems have the name {systems[0]!r}; pass two with --systems."
        )
    block = {
        "name": "-".join(systems),
        "section": "",
        "title": "-".join(systems),
        "systems": systems,
        "dependence": options.dependence or "dependent",
        "file": "",
        "columns": {},
        "seed": getattr(options, "seed", 0),
        "resolution": getattr(options, "resolution", 0.0),
    }
    return study.Comparison(**{**block, **changes})


def _answer(options, comparison, table, alphas):
    """Count and identify at every level, in one direction or in both."""
    from replicability.compare.findings import directions, find
    from replicability.stats import multiple_testing

    asked = directions(comparison, table) if options.both else [(comparison, table)]
    facts = table.assign(p_value=asked[0][1]["p_value"]).drop(columns="p_reverse", errors="ignore")
    facts["adjusted_p_value"] = multiple_testing.adjusted_pvalues(facts["p_value"])
    if options.both:
        facts["p_reverse"] = asked[1][1]["p_value"].to_numpy()
        facts["adjusted_p_reverse"] = multiple_testing.adjusted_pvalues(facts["p_reverse"])
    stated = []
    for alpha in alphas:
        for claim in asked:
            found = find(*claim, alpha / len(asked), ESTIMATORS)
            stated.append(
                {
                    "systems": list(found.systems),
                    "alpha": found.alpha,
                    "k_hat": {name: found.counts[name] for name in ESTIMATORS[1:]},
                    "count": found.counts["count"],
                    "identified": found.identified_datasets,
                    "sentence": str(found),
                }
            )
    return {
        **_declared(options, comparison),
        "datasets": facts.to_dict("records"),
        "findings": stated,
        "notes": [_reason(options, comparison)] if len(facts) > 1 else [],
    }


def _declared(options, comparison):
    """Start an answer with what was declared."""
    from replicability.stats import partial_conjunction

    return {
        "systems": list(comparison.systems),
        "dependence": comparison.dependence,
        "dependence_declared": options.dependence is not None,
        "recommended": partial_conjunction.recommended_method(comparison.dependence),
    }


def _reason(options, comparison):
    """Say which estimator is recommended, and why."""
    from replicability.stats import partial_conjunction

    recommended = partial_conjunction.recommended_method(comparison.dependence).capitalize()
    if options.dependence:
        return (
            f"Recommended: {recommended}, because the datasets are declared "
            f"{comparison.dependence}: {REASONS[comparison.dependence]}."
        )
    return (
        f"Recommended: {recommended}. No dependence is declared, so that the datasets are treated "
        f"as dependent: {REASONS['dependent']}. If they share no instance and none is made from "
        "another, declare --independent."
    )


def plain(value):
    """Turn an answer into what JSON can hold.

    Parameters
    ----------
    value : object
        Dictionaries, lists, text and numbers, also numpy's.

    Returns
    -------
    object
        The same of Python's own types; None for a number that is not finite.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- answers as text -----------------------------------------------------------------------------


def show(answer):
    """Write the answer of `pvalues` or `compare` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        Sentences and tables.
    """
    sentences = "\n".join(finding["sentence"] for finding in answer["findings"])
    if "n" in answer:
        blocks = [sentences, _counts(answer, answer["n"])]
    elif len(answer["datasets"]) == 1 and "test" in answer:
        blocks = [_single(answer)]
    else:
        blocks = [sentences, _datasets(answer), _counts(answer, len(answer["datasets"]))]
    return "\n\n".join([*blocks, *map(_fill, answer["notes"])])


def _single(answer):
    """Say what the test of one dataset shows."""
    from replicability.compare.findings import TEST_TITLES

    a, b = answer["systems"]
    row = answer["datasets"][0]
    won = f"; {row['wins']} wins, {row['ties']} ties and {row['losses']} losses of {a}"
    lines = [
        f"{a}: {row['score_a']:#.4g}, {b}: {row['score_b']:#.4g} on {row['n']:,} instances"
        f"{won if _won(row) else ''}.",
        f"Difference {row['difference']:#.4g}, 95% confidence interval [{row['low']:#.4g}, "
        f"{row['high']:#.4g}].",
        f"p {_equal(row['p_value'])} for the hypothesis that {a} is not better, by "
        f"{TEST_TITLES[answer['test']]} ({row['how']}).",
    ]
    if "p_reverse" in row:
        lines.append(f"p {_equal(row['p_reverse'])} for the hypothesis that {b} is not better.")
    for finding in answer["findings"]:
        first, second = finding["systems"]
        verdict = "is shown to be" if finding["count"] else "is not shown to be"
        lines.append(f"At alpha = {finding['alpha']:g} {first} {verdict} better than {second}.")
    return "\n".join(lines)


def _equal(p):
    """Write "= p" or "< p"."""
    from replicability.show import tables

    text = tables.pvalue(p)
    return text if text.startswith("<") else f"= {text}"


def _won(row):
    return row["wins"] is not None


def _datasets(answer):
    """Lay out the datasets."""
    from replicability.show import tables

    a, b = answer["systems"]
    rows, read = answer["datasets"], "test" not in answer
    cells = {"dataset": [row["dataset"] for row in rows]}
    if "n" in rows[0]:
        cells["n"] = [f"{row['n']:,}" for row in rows]
    if "score_a" in rows[0]:
        cells[a] = [f"{row['score_a']:#.4g}" for row in rows]
        cells[b] = [f"{row['score_b']:#.4g}" for row in rows]
    if "low" in rows[0]:
        cells["difference"] = [f"{row['difference']:.3f}" for row in rows]
        cells["95% interval"] = [f"[{row['low']:.3f}, {row['high']:.3f}]" for row in rows]
        if all(map(_won, rows)):
            cells["wins/ties/losses"] = [f"{r['wins']}/{r['ties']}/{r['losses']}" for r in rows]
    both = "p_reverse" in rows[0]
    for system, p in ((a, "p_value"), (b, "p_reverse"))[: 1 + both]:
        better = f" ({system} better)" if both else ""
        cells[f"p{better}"] = [tables.pvalue(row[p], read) for row in rows]
        cells[f"Holm's p{better}"] = [tables.pvalue(row[f"adjusted_{p}"], read) for row in rows]
    levels = {row["dataset"]: [] for row in rows}
    for finding in answer["findings"]:
        better = f"{finding['systems'][0]} better " if both else ""
        for dataset in finding["identified"]:
            levels[dataset].append(f"{better}at {finding['alpha']:g}")
    cells["identified"] = [", ".join(said) or "no" for said in levels.values()]
    return _aligned(cells)


def _counts(answer, n):
    """Lay out every estimator at every level, and which of them are valid."""
    from replicability.stats.partial_conjunction import VALID_UNDER

    stated, both = answer["findings"], len({f["systems"][0] for f in answer["findings"]}) > 1
    cells = {f"k-hat of {n:,}": [name.capitalize() for name in ESTIMATORS]}
    for finding in stated:
        better = f"{finding['systems'][0]} better " if both else ""
        cells[f"{better}at {finding['alpha']:g}"] = [
            f"{k:,}" for k in (finding["count"], *finding["k_hat"].values())
        ]
    valid = ["no guarantee"]
    for name in ESTIMATORS[1:]:
        word = "yes" if answer["dependence"] in VALID_UNDER[name] else "no"
        valid.append(f"{word}, recommended" if name == answer["recommended"] else word)
    cells[f"valid for {answer['dependence']} datasets"] = valid
    return _aligned(cells)


def _aligned(cells):
    """Lay out columns of text: first and last to the left, the others to the right."""
    columns = [[header, *column] for header, column in cells.items()]
    for number, column in enumerate(columns):
        left = number in (0, len(columns) - 1)
        width = max(map(len, column))
        columns[number] = [cell.ljust(width) if left else cell.rjust(width) for cell in column]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def _fill(text, indent=""):
    import textwrap

    return textwrap.fill(text, 88, subsequent_indent=indent, break_on_hyphens=False)


# --- tables --------------------------------------------------------------------------------------


@contextlib.contextmanager
def as_csv(table, shown):
    """Store a table as a CSV file for as long as it is read.

    Parameters
    ----------
    table : DataFrame
        The table.
    shown : str
        How a message calls it.

    Yields
    ------
    str
        The file.
    """
    from replicability.checks import InputError

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "table.csv")
        table.to_csv(path, index=False)
        try:
            yield path
        except InputError as error:
            raise InputError(str(error).replace(path, shown)) from None


# --- a new study ---------------------------------------------------------------------------------


def new(options):
    """Write a study that runs: its YAML file and a tiny example of its data.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `new`.

    Returns
    -------
    dict
        ``study``, ``files`` (relative to the checkout) and ``next``, the command that runs it.

    Raises
    ------
    InputError
        If the name is not one of a study or is taken, there is no such example, or the files cannot
        be written.
    """
    from replicability import checks
    from replicability.io import files, paths, study

    name = options.name
    if not re.fullmatch("[a-z][a-z0-9_]{,99}", name):
        raise checks.InputError(
            f"The name of a study is lower-case letters, digits and underscores, a letter first, "
            f"100 at most, but it is {name!r}; try {_proper(name)!r}."
        )
    if name in study.RESERVED:
        raise checks.InputError(f"results/{name} holds something else; choose another name.")
    checks.choice("example", options.origin, examples())
    config, folder = paths.ROOT / "config" / f"{name}.yaml", paths.ROOT / "data" / name
    for path in (config, folder, paths.ROOT / "config" / name):
        if name in PROTECTED or path.exists():
            raise checks.InputError(
                f"{path.relative_to(paths.ROOT)} is there already and is not overwritten; choose "
                "another name."
            )
    source = EXAMPLES / options.origin
    text = string.Template((source / "study.yaml").read_text(encoding="utf-8"))
    part = folder.with_name(f".{name}.part")
    try:
        with files.replacing(config) as place:
            place.write_text(text.substitute(study=name), encoding="utf-8")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(source, part, ignore=shutil.ignore_patterns("study.yaml"))
            part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    written = [config, *sorted(path for path in folder.rglob("*") if path.is_file())]
    return {
        "study": name,
        "files": [str(path.relative_to(paths.ROOT)) for path in written],
        "next": f"make study STUDY=config/{name}.yaml",
    }


def examples():
    """List the examples that `new` can write.

    Returns
    -------
    list of str
        Names of the folders of `EXAMPLES`, sorted.
    """
    return sorted(path.parent.name for path in EXAMPLES.glob("*/study.yaml"))


def _proper(name):
    """Return a name of a study near to what was given."""
    near = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:80]
    return near if re.match("[a-z]", near) else f"study_{near}".rstrip("_")


def show_new(answer):
    """Write the answer of `new` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        The files, and what to do next.
    """
    files = "\n".join(f"  {file}" for file in answer["files"])
    return (
        f"Wrote\n{files}\n\nIt runs as it is; its numbers are made up:\n  {answer['next']}\n\n"
        f"Then put your data in place of the example's, and edit {answer['files'][0]}, which "
        "explains\nevery key."
    )


# --- the tests -----------------------------------------------------------------------------------

OTHERWISE = {
    "sign_flip": "instead of paired_bootstrap where instances are few: it is valid for any number "
    "of them if the outputs are exchangeable under the null hypothesis",
    "sign_test": "instead of wilcoxon where it only counts which system is better on an instance, "
    "not by how much",
    "paired_t": "instead of wilcoxon where differences are close to normal",
    "williams": "instead of steiger where items are few: it refers to Student's t",
    "meng": "instead of steiger, with which it agrees where items are many",
    "rating_bootstrap": "instead of steiger where ratings are far from normal",
}
"""Test that the paper does not choose -> when to use it."""


def list_tests(options):
    """List the tests and when to use each.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `tests`.

    Returns
    -------
    dict
        ``tests``: for each its name, ``title``, ``use`` and, if the paper chooses it, ``scores``,
        ``section`` and ``assumes``.
    """
    from replicability.compare import recommendation
    from replicability.compare.findings import TEST_TITLES

    chosen = {}
    for kind in recommendation.SCORE_KINDS:
        advice = recommendation.recommend(kind)
        chosen[advice.test] = {
            "scores": kind,
            "use": advice.why,
            "section": advice.section,
            "assumes": advice.assumes,
        }
    others = {name: {"scores": None, "use": when} for name, when in OTHERWISE.items()}
    return {
        "tests": [
            {"test": name, "title": TEST_TITLES[name], **about}
            for name, about in (chosen | others).items()
        ]
    }


def show_tests(answer):
    """Write the answer of `tests` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        A paragraph for each test.
    """
    paragraphs = {True: [], False: []}
    for about in answer["tests"]:
        text = f"{about['test']}: "
        if about["scores"]:
            text += (
                f"for {about['scores']} scores; {about['use']} ({about['section']}). It assumes "
                f"that {about['assumes']}."
            )
        else:
            text += f"{about['use']}."
        paragraphs[about["scores"] is not None].append(_fill(text, "  "))
    return "\n".join(
        ["The paper chooses by the scores:", *paragraphs[True], "", "Others:", *paragraphs[False]]
    )


# --- the arguments -------------------------------------------------------------------------------


def parser():
    """Return the parser of the command line.

    Returns
    -------
    ArgumentParser
        With one command for each question.
    """
    main_parser = argparse.ArgumentParser(
        prog="python -m analysis",
        description="On how many datasets is system A better than system B?",
        epilog=(EXAMPLES / "analysis.txt").read_text(encoding="utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    main_parser.add_argument(
        "--version", action="version", version=f"replicability-analysis {__version__}"
    )
    commands = main_parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name, question, ask, show):
        added = commands.add_parser(
            name,
            help=question,
            description=question,
            epilog=(EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.add_argument("--json", action="store_true", help="print one JSON object instead")
        added.set_defaults(ask=ask, show=show)
        return added

    added = command("pvalues", "Count and identify from one p-value per dataset.", pvalues, show)
    added.add_argument(
        "values",
        nargs="+",
        type=_number,
        metavar="P",
        help="p-values, or one file with a row per dataset (CSV, TSV, Parquet) or a p-value per "
        "line; - reads standard input",
    )
    _add_claim(added)
    added.add_argument("--names", nargs="+", metavar="NAME", help="names of datasets without any")
    added.add_argument("--dataset", metavar="COLUMN", help="column of the datasets' names")
    added.add_argument("--p-value", metavar="COLUMN", help="column of the p-values")
    added.add_argument(
        "--column",
        metavar="COLUMN",
        help="only count, from this column of a Parquet file: for millions of p-values",
    )
    added.add_argument(
        "--scores", nargs=2, default=(), metavar=("A", "B"), help="columns of the scores"
    )
    added.add_argument(
        "--resolution",
        type=_number,
        default=0.0,
        metavar="R",
        help="smallest p-value that the test could report, 1/(B+1); smaller ones are raised to it",
    )

    added = command("compare", "Test from the scores of the same instances.", compare, show)
    added.add_argument("a", metavar="A.csv", help="scores of the system claimed better")
    added.add_argument("b", metavar="B.csv", help="scores of the other system")
    added.add_argument("--gold", metavar="GOLD.csv", help="gold ratings of the same instances")
    added.add_argument("--test", help="name of the test; `python -m analysis tests` lists them")
    added.add_argument(
        "--format",
        help="what the files hold: table, conllu, labels, spans, lm_eval, segments or folders "
        "(default: what the files look like)",
    )
    added.add_argument("--metric", help="what is computed from outputs, such as las or upos")
    added.add_argument("--filter", default="", help="filter of the logs of lm_eval")
    _add_claim(added)
    for column in ("instance", "score"):
        added.add_argument(
            f"--{column}",
            default=column,
            metavar="COLUMN",
            help=f"column of the {column}s (default: {column})",
        )
    added.add_argument(
        "--dataset",
        metavar="COLUMN",
        help="column of the datasets (default in a table: dataset, if there is one)",
    )
    added.add_argument(
        "--one-dataset",
        action="store_true",
        help="each table is one dataset, whatever columns it has",
    )
    added.add_argument(
        "--datasets", nargs="+", default=(), metavar="NAME", help="compare only on these datasets"
    )
    added.add_argument(
        "--size",
        metavar="COLUMN",
        help="column of the scores' denominators (default in a table: size, if there is one)",
    )
    added.add_argument("--seed", type=int, default=0, help="seed of a test that draws resamples")

    added = command("new", "Write a study that runs, to be edited.", new, show_new)
    added.add_argument("name", metavar="NAME", help="lower-case letters, digits and underscores")
    added.add_argument(
        "--from",
        dest="origin",
        default="wide",
        metavar="FORMAT",
        help=f"what the data are: {', '.join(examples())} (default: wide)",
    )

    command("tests", "List the tests and when to use each.", list_tests, show_tests)
    return main_parser


def _add_claim(added):
    """Add what says which claim is made, and how surely."""
    group = added.add_mutually_exclusive_group()
    for dependence, meaning in {
        "independent": "the datasets share no instance and none is made from another",
        "positive": "the datasets are positively dependent",
        "dependent": "anything else, or unknown (default)",
    }.items():
        group.add_argument(
            f"--{dependence}",
            dest="dependence",
            action="store_const",
            const=dependence,
            help=meaning,
        )
    added.add_argument(
        "--alpha",
        nargs="+",
        type=_number,
        default=[0.05],
        metavar="ALPHA",
        help="levels of significance (default: 0.05)",
    )
    added.add_argument(
        "--systems", nargs=2, metavar=("A", "B"), help="names of the systems, the better one first"
    )
    added.add_argument(
        "--both", action="store_true", help="ask in both directions, each at half of alpha"
    )


def _number(text):
    """Return a number if the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text
