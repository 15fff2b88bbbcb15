"""The command `check`."""

import contextlib
import shlex
import textwrap

from replicability.cli.flags import add, given, option
from replicability.cli.layout import WIDTH, filled
from replicability.io.declared import READING


def add_check(added):
    """Add what `check` takes."""
    added.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file or folder for each system, or one for all systems; - reads standard input",
    )
    added.add_argument(
        "--systems", nargs="+", default=(), metavar="NAME", help="names of the systems"
    )
    add(added, *READING[2:])


def check(options):
    """Say what files support.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `check`.

    Returns
    -------
    dict
        As `Check.to_dict`.

    Raises
    ------
    InputError
        If standard input is empty.
    """
    from replicability.api import support
    from replicability.cli.reading import piped

    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(piped(f)) if f == "-" else f for f in options.files]
        reading = given(options, READING[2:])
        return support.check(*files, systems=options.systems, **reading).to_dict(option)


def show_check(answer):
    """Write the answer of `check` as text."""
    from replicability.api import support

    said = support.lines(answer, "shell")
    ways = (_command(x) if x.startswith("  replicability ") else filled(x, "    ") for x in said)
    then = ["Next: run one of these commands."] if answer["can"] or answer["settle"] else []
    return "\n".join([*ways, *then])


def _command(line):
    """Break a command between its arguments, as a shell reads it."""
    words = " ".join(shlex.quote(word).replace(" ", "\0") for word in shlex.split(line))
    lines = textwrap.wrap(words, WIDTH - 8, break_long_words=False, break_on_hyphens=False)
    return "  " + " \\\n      ".join(lines).replace("\0", " ")


def status(answer):
    """Return 0 if something can be run, else 1."""
    return 0 if answer["can"] or answer["settle"] else 1
