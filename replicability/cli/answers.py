"""What `compare`, `family` and `pvalues` answer: a result, printed as text or as JSON."""

import contextlib
import tempfile
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Answer:
    """A result, and what only the command knows.

    Attributes
    ----------
    result : api.result.Result or api.family.Family
        The findings at every level, in the directions that are tested, or of all pairs.
    notes : list of str
        Which file is which system, and what was written.
    written : dict of str to str
        Requested keys of `written.MAKES` -> the file.
    """

    result: object
    notes: list = field(default_factory=list)
    written: dict = field(default_factory=dict)

    def to_dict(self):
        """Return `Result.to_dict`, and the rest under ``command``."""
        return self.result.to_dict() | {"command": {"notes": self.notes, "written": self.written}}


def plain(answer):
    """Return an answer as JSON can hold it, as `record.plain`."""
    from replicability.api import record

    return record.plain(answer if isinstance(answer, dict) else answer.to_dict())


@contextlib.contextmanager
def stored(shown, name, write):
    """Store content in a temporary file for as long as it is read.

    `shown`: how a message calls what is stored. `name`: name of the file; its ending may say what
    it holds. `write` (function of Path): writes the content there.

    Yields str. The file.

    Raises `InputError`: if there is no room for it; and whatever is raised of the file, about
    `shown` instead.
    """
    from replicability.checks import InputError

    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / name
            write(path)
        except OSError as error:
            raise InputError(
                f"A temporary copy of {shown} could not be written ({error.strerror or error}); "
                "set TMPDIR to a folder with enough free space."
            ) from None
        try:
            yield str(path)
        except InputError as error:
            raise InputError(f"{error}".replace(str(path), shown)) from None
