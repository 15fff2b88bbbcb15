"""Files that are written whole or not at all, and the sentence for one that is not."""

import contextlib
import errno
import glob
import os
from pathlib import Path

from replicability.checks import InputError

REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EROFS: "make its folder writable",
    errno.EACCES: "make its folder writable",
    errno.EPERM: "make its folder writable",
}
"""Maps the error code of the operating system to a remedy."""


@contextlib.contextmanager
def replacing(path):
    """Give a place for new content of a file, which takes effect at once or not at all.

    `path`: the file; its folder is made if it is missing.

    Yields Path. A sibling of the file whose name ends in ``.part``. It becomes the file where the
    block ends; after an error it is removed, and the file is what it was. Siblings that a process
    which was killed has left are removed, too.

    Raises `InputError`: if the system refuses, such as for a full disk or a folder that is
    read-only.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left in path.parent.glob(f"{glob.escape(path.name)}.*part"):
            left.unlink(missing_ok=True)
        yield part
        part.replace(path)
    except OSError as error:
        raise unwritten(path, error) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def write(path, text):
    """Write a text file whole or not at all, as `replacing`; return its path."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def unwritten(path, error):
    """Say that a file could not be written, why, and what to do.

    `error` (OSError): what the system said.

    Returns InputError. To be raised; its sentence names the file that the error is about where it
    is another one.

    Examples
    --------
    >>> print(unwritten("a.csv", OSError(errno.ENOSPC, "")))  # doctest: +NORMALIZE_WHITESPACE
    a.csv could not be written: no space left on device; free some space and run again.
    Finished parts are kept.
    """
    reason = os.strerror(error.errno) if error.errno else str(error)
    named = error.filename2 or error.filename
    folder, about = Path(path).absolute().parent, Path(named or path).absolute()
    other = about.parent != folder and not folder.is_relative_to(about)
    return InputError(
        f"{path} could not be written: "
        f"{reason[:1].lower()}{reason[1:]}{f' ({named})' if other else ''}; "
        f"{REMEDIES.get(error.errno, 'fix the problem')} and run again. Finished parts are kept."
    )


def outputs(folder, kind):
    """Return the folder for one kind of output, made if it is missing.

    `folder`: folder of a run; a relative one starts at the current folder. `kind` ({"figures",
    "report", "tables"}): what the folder holds.

    Returns Path. ``folder/kind``, an existing folder.
    """
    path = Path(folder).absolute() / kind
    path.mkdir(parents=True, exist_ok=True)
    return path
