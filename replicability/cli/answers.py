"""What a command answers: one dictionary, which is printed as text or as JSON."""

import contextlib
import tempfile
from pathlib import Path


def answered(options, comparison, table, alphas):
    """Return what is found at every level, in the directions that are asked.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.
    comparison : study.Comparison
        What they declare.
    table : Tested
        As `evaluation.evaluate` returns it.
    alphas : sequence of float
        Levels.

    Returns
    -------
    dict
        `Result.to_dict`, and under ``command`` the ``notes`` and what was ``written``, which only
        the command knows.

    Raises
    ------
    InputError
        As `result.found`.
    """
    from replicability.api import result

    found = result.found(comparison, table, alphas, options.dependence is not None)
    return found.to_dict() | {"command": {"notes": [], "written": {}}}


def plain(value):
    """Return an answer as JSON can hold it, as `record.plain`."""
    from replicability.api import record

    return record.plain(value)


@contextlib.contextmanager
def stored(shown, name, write):
    """Store content in a temporary file for as long as it is read.

    Parameters
    ----------
    shown : str
        How a message calls what is stored.
    name : str
        Name of the file; its ending may say what it holds.
    write : function of Path
        Writes the content there.

    Yields
    ------
    str
        The file.

    Raises
    ------
    InputError
        If there is no room for it; and whatever is raised of the file, about `shown` instead.
    """
    from replicability.checks import InputError

    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / name
            write(path)
        except OSError as error:
            raise InputError(
                f"A temporary copy of {shown} could not be written: {error.strerror or error}; let "
                "the variable TMPDIR name a folder with room."
            ) from None
        try:
            yield str(path)
        except InputError as error:
            raise InputError(f"{error}".replace(str(path), shown)) from None
