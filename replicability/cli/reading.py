"""p-values as people have them: typed, in a list, in a table, from a pipe."""

import contextlib
import os
import stat
from dataclasses import replace
from pathlib import Path

from replicability.cli.answers import stored
from replicability.cli.declared import dataset_names, declare
from replicability.cli.numbers import mode_of, read_named, read_numbers

PIPE_BYTES = 2**30
"""Most bytes that are read from a pipe."""


def of_numbers(options, numbers):
    """Return the table of p-values that come without names.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`.
    numbers : sequence of float
        The n p-values, not checked.

    Returns
    -------
    DataFrame
        ``dataset``, those of --names or numbered, and ``p_value``.

    Raises
    ------
    InputError
        If one is no p-value, or there are not n names.
    """
    import pandas as pd

    from replicability.io.pvalues import numbered
    from replicability.stats import arguments as arguments_

    values = arguments_.pvalues(numbers)
    names = dataset_names(options, len(values)) or numbered(len(values))
    return pd.DataFrame({"dataset": names, "p_value": values})


def from_file(options):
    """Read the p-values of a file or pipe.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`, of whose values the only one is no number.

    Returns
    -------
    study.Comparison
        What is declared, with the columns that are read.
    DataFrame
        ``dataset``, ``p_value`` and, if there are scores, ``score_a`` and ``score_b``.
    list of str
        Notes on how it was read.

    Raises
    ------
    InputError
        As `read_numbers`, `guess_pvalues`, `guess_dataset` and `pvalues.read_comparison`.
    """
    from replicability.io import stored as stored_as

    file = options.values[0]
    with piped(file) as path:
        numbers = None if stored_as.of(path) else read_numbers(path)
        if numbers is not None:
            _refuse_columns(options, path)
            comparison, table = declare(options), of_numbers(options, numbers)
        elif (rows := read_named(options, path)) is not None:
            options.names, numbers = zip(*rows, strict=True)
            return declare(options), of_numbers(options, numbers), [NO_HEADERS]
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
    from replicability.io.pvalues import (
        guess_dataset,
        guess_pvalues,
        headless,
        read_comparison,
        unused,
    )

    headers = delimited.read_headers(path)
    columns = {"scores": options.scores} if options.scores else {}
    columns["p_value"] = options.p_value or guess_pvalues(path, headers)
    if delimited.is_number(columns["p_value"]):
        raise checks.InputError(headless(path, headers))
    both = options.alternative == "two-sided"
    if not both:
        refuse_two_sided(text_.shown(path), columns["p_value"])
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
    sided = {"sided": "unknown"} if both else {}  # as two-sided, since both directions are asked
    comparison = declare(options, file=path, columns=columns, **sided)
    table = read_comparison(comparison)
    if names := dataset_names(options, len(table)):
        table["dataset"] = names
    return replace(comparison, unused=unused(comparison)), table


@contextlib.contextmanager
def piped(file):
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
        If the pipe brings nothing, or more than `PIPE_BYTES`, or there is no room to store it.
    """
    if file in ("-", "/dev/stdin"):
        shown, content = "standard input", _read_pipe("standard input", 0)
    elif stat.S_ISFIFO(mode_of(file)):
        shown, content = file, _read_pipe(file, file)
    else:
        yield str(Path(file).absolute())
        return
    name = "stored.parquet" if content.startswith(b"PAR1") else "stored"
    with stored(shown, name, lambda place: place.write_bytes(content)) as path:
        yield path


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


NO_HEADERS = "The file has no headers; its lines are read as names and p-values."
"""What is said of such a file."""


def refuse_two_sided(shown, header):
    """Refuse a column that says that its p-values are two-sided.

    Parameters
    ----------
    shown : str
        How the message calls the file.
    header : str
        Header of the column.

    Raises
    ------
    InputError
        If it does.
    """
    from replicability import checks
    from replicability.io import study

    if study.TWO_SIDED.search(header):
        raise checks.InputError(
            f"{shown}: the column {header!r} holds two-sided p-values, but those of the one-sided "
            "hypothesis 'A is not better' are needed; pass --alternative two-sided and "
            "the columns of the scores with --scores, or halve them where A is ahead, take one "
            "minus the half elsewhere, and rename the column."
        )
