"""Where scores come from: pipes, and one table with both systems in rows or columns."""

import contextlib
import sys
from argparse import Namespace

from replicability.cli.reading import piped


def say(text):
    """Say how something is read, beside the answer: on standard error."""
    print(text, file=sys.stderr)


@contextlib.contextmanager
def opened(options):
    """Give the options of `compare` with files where pipes are named.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`; ``b`` is None if there is one file.

    Yields
    ------
    Namespace
        A copy: ``a`` and ``b`` are places, ``shown`` is what messages call a single file,
        ``single`` says whether there is one, ``systems`` is filled where a pipe has no name.

    Raises
    ------
    InputError
        As `reading.piped`, or if both files are standard input.
    """
    from replicability import checks
    from replicability.io.datasets import names_of

    if options.a == options.b == "-":
        raise checks.InputError(
            "Both systems are read from standard input; name the file of one of them, or pipe one "
            "table that holds both."
        )
    given = {"single": options.b is None, "shown": _called(options.a)}
    if options.b is not None and "-" in (options.a, options.b):
        given["systems"] = options.systems or names_of(_called(options.a), _called(options.b))
    with contextlib.ExitStack() as stack:
        for side in ("a", "b"):
            if getattr(options, side) == "-":
                given[side] = stack.enter_context(piped("-"))
        seen = Namespace(**vars(options) | given)
        seen.b = seen.a if seen.single else seen.b
        yield seen


def _called(file):
    return "standard input" if file == "-" else file


def read(options, kind, named):
    """Declare two systems of one table, and say on standard error how they are told.

    Parameters
    ----------
    options : Namespace
        As `opened` yields it; ``gold`` is the file if the table has ratings.
    kind : str
        Format of the file.
    named : dict of str to str
        Headers that are named, by what the columns hold.

    Returns
    -------
    dict
        As `sources.one_table`.

    Raises
    ------
    InputError
        If it is no table, or as `sources.one_table`.
    """
    from pathlib import Path

    from replicability import checks
    from replicability.api import sources
    from replicability.io import formats
    from replicability.io.text import existing

    path = Path(options.a).absolute()
    existing(path, folder=None)
    if kind != "table":
        raise checks.InputError(
            f"{options.shown} holds one system ({formats.get(kind).title}); name the file or "
            "folder of the other one behind it."
        )
    named |= {"system": options.system} if options.system else {}
    systems = options.systems or (None, None)
    found = sources.one_table(path, systems, named, options.one_dataset)
    table = sources.Columns(str(path), named, options.one_dataset)
    columns = found["columns"]
    placed = "instance" not in table.found and "scores" in columns
    if placed and options.shared:
        raise checks.InputError(
            f"{options.shown} has no column of identifiers, by which datasets could share "
            "instances; name one with --instance, or leave --shared out."
        )
    how = "a column for each system"
    where = "; a row is an instance" if placed else ""
    if "system" in columns:
        items = " and a column for each item" if table.is_matrix else ""
        how, where = f"a row for each system{items}", f" in its column {table.found['system']!r}"
    a, b = found["systems"]
    say(f"Read {options.shown} as a table with {how}: A is {a!r}, B is {b!r}{where}.")
    if "gold" in columns:
        options.gold = options.gold or options.a
    return found
