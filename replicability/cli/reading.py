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
"""Maximum number of bytes that are read from a pipe."""


def of_numbers(options, numbers):
    """Return the comparison and the table of p-values that come without names.

    `options`: arguments of the command `pvalues`. `numbers` (sequence of float): the n p-values,
    not checked.

    Returns study.Comparison: what is declared. Tested: ``dataset``, those of --names or numbered,
    and ``p_value``.

    Raises `InputError`: if one is no p-value, or there are not n names.
    """
    import pandas as pd

    from replicability.core import orientation
    from replicability.io.pvalues import numbered, raised
    from replicability.stats import arguments as arguments_

    values = arguments_.pvalues(numbers)
    names = dataset_names(options, len(values)) or numbered(len(values))
    comparison = replace(declare(options), file="The p-values", rows=len(values))
    table = pd.DataFrame({"dataset": names, "p_value": raised(values, options.resolution)})
    return comparison, orientation.orient_pvalues(comparison, table)


def from_file(options):
    """Read the p-values of a file or pipe.

    `options`: arguments of the command `pvalues`, of whose values the only one is no number.

    Returns study.Comparison: what is declared, with the columns that are read. Tested: the p-values
    of "A is not better". list of str: notes on how it was read.

    Raises `InputError`: as `read_numbers`, `beside.table` and `evaluation.evaluate`.
    """
    from replicability.io import stored as stored_as

    file = options.values[0]
    with piped(file) as path:
        numbers = None if stored_as.of(path) else read_numbers(path)
        if numbers is not None:
            _refuse_columns(options, path)
            comparison, tested = of_numbers(options, numbers)
        elif (rows := read_named(options, path)) is not None:
            options.names, numbers = zip(*rows, strict=True)
            return *of_numbers(options, numbers), [NO_HEADERS]
        else:
            comparison, tested = _from_table(options, path)
    if "dataset" in comparison.columns or options.names:
        return comparison, tested, []
    return (
        comparison,
        tested,
        ["The datasets have no names, so they are numbered in the order of the file."],
    )


def _refuse_columns(options, path):
    """Refuse options that name columns where the file holds nothing but numbers."""
    from replicability import checks
    from replicability.io import text as text_

    for name in ("dataset", "p_value", "scores"):
        if getattr(options, name):
            raise checks.InputError(
                f"{checks.named(name)} needs a header line, but the first line of "
                f"{text_.shown(path)} contains numbers; add a header line above it."
            )


def _from_table(options, path):
    """Return the comparison and the p-values of a file with headers."""
    from replicability import checks
    from replicability.core import evaluation
    from replicability.io import beside

    columns = {key: getattr(options, key) for key in ("dataset", "p_value", "scores", "systems")}
    source = beside.table(path, **columns)
    if options.names and "dataset" in source.columns:
        raise checks.InputError(
            "--names is for p-values without names, but this file names its datasets in the column "
            f"{source.columns['dataset']!r}; leave --names out, or choose another column with "
            "--dataset."
        )
    options.systems = source.systems
    comparison = declare(options, file=path, columns=source.columns)
    tested = evaluation.evaluate(comparison)
    if names := dataset_names(options, len(tested)):
        tested = replace(tested, rows=tested.rows.assign(dataset=names))
    return comparison, tested


@contextlib.contextmanager
def piped(file):
    """Give the place of a file; what a pipe brings is read once, and stored for as long as needed.

    `file`: a file, a pipe, or "-" for standard input.

    Yields str. A file.

    Raises `InputError`: if the pipe is empty, or more than `PIPE_BYTES`, or there is no room to
    store it.
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
        raise InputError(
            f"{shown} cannot be read ({error.strerror}); save the data to a file, and pass that "
            "file."
        ) from None
    if not content:
        raise InputError(f"{shown} is empty; check the command that provides the input.")
    if len(content) > PIPE_BYTES:
        raise InputError(
            f"{shown} holds more than a gigabyte; save the data to a file, and pass that file."
        )
    return content


NO_HEADERS = "The file has no header line, so each line was read as a name and a p-value."
"""Note for a file of p-values without headers."""
