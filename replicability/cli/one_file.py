"""Where scores come from: pipes, and one table with both systems in rows or columns."""

import contextlib
import sys
from argparse import Namespace

from replicability.cli.layout import filled
from replicability.cli.reading import piped


def say(text):
    """Say how something is read on standard error, broken into lines in a terminal."""
    print(filled(text) if sys.stderr.isatty() else text, file=sys.stderr)


@contextlib.contextmanager
def opened(options):
    """Give the options of `compare` with files where pipes are named.

    `options`: arguments of the command `compare`; ``b`` is None if there is one file.

    Yields Namespace. A copy: ``a`` and ``b`` are places, ``shown`` is what messages call a single
    file, ``single`` says whether there is one, ``systems`` is filled where a pipe has no name.

    Raises `InputError`: as `reading.piped`, or if both files are standard input.
    """
    from replicability import checks
    from replicability.io.datasets import names_of

    if options.a == options.b == "-":
        raise checks.InputError(
            "Both systems are read from standard input; pass a file for one of them, or pipe one "
            "table that holds both."
        )
    given = {"single": options.b is None, "shown": called(options.a)}
    if options.b is not None and "-" in (options.a, options.b):
        given["systems"] = options.systems or names_of(called(options.a), called(options.b))
    with contextlib.ExitStack() as stack:
        for side in ("a", "b"):
            if getattr(options, side) == "-":
                given[side] = stack.enter_context(piped("-"))
        seen = Namespace(**vars(options) | given)
        seen.b = seen.a if seen.single else seen.b
        yield seen


def called(file):
    """Return what messages call a file."""
    return "standard input" if file == "-" else file


def refuse_one_system(options, kind):
    """Refuse one file of a format that holds one system.

    `options`: as `opened` yields it. `kind`: format of the file.

    Raises `InputError`: if it is not there, or no table.
    """
    from pathlib import Path

    from replicability import checks
    from replicability.io import formats
    from replicability.io.text import existing

    existing(Path(options.a).absolute(), folder=None)
    if kind != "table":
        raise checks.InputError(
            f"{options.shown} holds only one system ({formats.get(kind).title}); add the file or "
            "folder of the other system after it."
        )
