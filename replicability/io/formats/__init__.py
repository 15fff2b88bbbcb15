"""From the files that tools write to the items of both systems: the registry of formats.

A format is a module of this package that is called as a study and ``--format`` call it, and holds
one `Format`, its ``FORMAT``; there is no other list of formats. What a study may say, the help of
the command line, the guess of a format and the tests are made from these entries. An example of
its files with a study stands in ``replicability/cli/example``, in a folder of the same name.

Items are matched by identifier. Where a format has none (`segments`, sentences) they are
matched by place, and their number and, if there are any, their words are checked.
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NAMES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))
"""Names of all formats, found without loading them."""

DOCUMENTS, DOCUMENT = "documents", "document"
"""Key of the files with the document of each segment, and the name of that unit."""


@dataclass(frozen=True)
class Format:
    """What files can hold.

    Attributes
    ----------
    name : str
        Name in studies and of its module.
    title : str
        What the files are, for readers.
    instance : str
        What an item is, for readers.
    read : callable
        From a `study.Comparison` to the list of its `instances.Dataset`: of a table in the order of
        the file, else sorted by name.
    recognises : callable or None
        Whether a path, of a file or folder that need not exist, is of this format and of no other;
        None if that cannot be told.
    needs_gold : bool
        Whether outputs are compared with gold files.
    metrics : tuple of str
        What can be computed from outputs, the default first; () where the files hold scores.
    keys : tuple of str
        Keys of a study that say where the numbers are; all are necessary.
    also : tuple of str
        Files that a comparison may have besides gold, A and B.
    columns : tuple of str
        Columns that a study must name, beside "size", which they may have; () for files without
        columns, and for the one table, whose columns `study.LEVELS` lists.
    options : tuple of str
        Keys of a study and options of the command line that have a meaning in some formats only,
        this one among them.
    system : callable or None
        From a path to the name of the system that the files say they are of, "" if they do not.
    """

    name: str
    title: str
    instance: str
    read: Callable
    recognises: Callable | None = None
    needs_gold: bool = False
    metrics: tuple = ()
    keys: tuple = ("files",)
    also: tuple = ()
    columns: tuple = ()
    options: tuple = ()
    system: Callable | None = None


@functools.cache
def get(name):
    """Return a format by name.

    Raises `InputError`: if there is none of that name; the message names the nearest.
    """
    from replicability import checks  # not before a format is asked for: the help is to be quick

    checks.choice("format", name, NAMES)
    return importlib.import_module(f"{__name__}.{name}").FORMAT


def having(option):
    """List the names of the formats in which an option has a meaning."""
    return [name for name in NAMES if option in (*get(name).options, *get(name).also)]


def refuse_idle(kind, given, place=""):
    """Refuse keys that have no meaning in a format, and what its files do not hold.

    `kind`: name of the format. `given`: key -> value; one that is empty counts as not given.
    `place`: what stands before a message.

    Raises `InputError`: if a key means nothing in this format, which has no such metric, or no
    columns.
    """
    from replicability import checks
    from replicability.io.declared import KEYS

    for key in [key for key in given if key in KEYS and KEYS[key].idle and given[key]]:
        if kind not in having(key):
            raise checks.InputError(
                f"{place}{checks.named(key)} {KEYS[key].idle}, but only in the "
                f"format{'s' * (len(having(key)) != 1)} {checks.enumerated(having(key))}, not in "
                f"{kind!r}; leave it out, or choose the format of your files with "
                f"{checks.named('format')}."
            )
    if given.get("metric") and get(kind).metrics:
        checks.choice(f"{place}metric", given["metric"], get(kind).metrics)
    if given.get("run", "file") != "file" and kind != "table":
        raise checks.InputError(
            f"{place}{checks.named('run')} is {given['run']!r}, but logs have no columns; write "
            f"{checks.given('run', 'file')} if each file is a run of its system."
        )


def guess(path):
    """Tell the format of a file or folder where there is no doubt.

    `path`: a file or folder, which need not exist.

    Returns str. The format that recognises it; if none does, "folders" for a folder and "table" for
    a file.
    """
    path = Path(path)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            return "table"  # a device, as whose reader says
        for name in NAMES:
            recognises = get(name).recognises
            if recognises is not None and recognises(path):
                return name
        return "folders" if path.is_dir() else "table"
    except (OSError, ValueError):  # of which the reader says more
        return "table"


def read(comparison):
    """Read the items of a comparison from files of its format.

    `comparison`: a comparison that starts at items.

    Returns list of instances.Dataset. The datasets: of a table in the order of the file, else
    sorted by name.

    Raises `InputError`: if a file is missing, there twice, of another format or broken, or the
    items of gold, A and B are not the same. The message names the file and, of what is in a file,
    the line.
    """
    from replicability.io import missing, trials

    found = get(comparison.format)
    if comparison.level == "counts":
        return trials.read(comparison)
    try:
        return found.read(comparison)
    except missing.Lacking as error:
        if "missing" not in found.options or comparison.format == "table":
            raise
        raise error.everywhere(found.read, comparison) from None
