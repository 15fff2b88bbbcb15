"""Text and YAML files, and the sentences about those that cannot be read."""

import codecs
import fnmatch
import html
import os
import re
import stat
import unicodedata
from collections.abc import Hashable
from pathlib import Path

import numpy as np
import yaml

from replicability import checks
from replicability.checks import InputError

_SIGNATURES = {
    b"PK\x03\x04": (
        "a ZIP archive, perhaps an .xlsx workbook; export the sheet as CSV, give the file a "
        "name that ends in .xlsx, or unpack it"
    ),
    b"\xd0\xcf\x11\xe0": (
        "an .xls workbook; export the sheet as CSV, or give the file a name that ends in .xls"
    ),
    b"\x1f\x8b": "compressed with gzip; unpack it",
    b"ARROW1": "an Arrow (Feather) table; give it a name that ends in .arrow or .feather",
    b"PAR1": "a Parquet table; give it a name that ends in .parquet",
    b"\xff\xfe": "encoded in UTF-16; save it in UTF-8",
    b"\xfe\xff": "encoded in UTF-16; save it in UTF-8",
}


MOST_BELOW = 100_000
"""Maximum number of files and folders below a folder of scores."""


def below(folder, pattern="*"):
    """List the files of a folder whose names fit a pattern, at any depth, as they are found.

    Raises `InputError`: if there is more than `MOST_BELOW` below it.
    """
    seen = 0
    for place, folders, names in os.walk(folder):
        seen += len(folders) + len(names)
        if seen > MOST_BELOW:
            raise InputError(
                f"{shown(folder)} contains more than {MOST_BELOW:,} files and folders, too many "
                "to search for scores; give a folder that contains only the scores."
            )
        paths = (Path(place, name) for name in fnmatch.filter(names, pattern))
        yield from filter(os.path.isfile, paths)  # Path.is_file() raises where it may not look


def read_bytes(file):
    """Read a text file.

    `file`: a relative path starts at the current folder.

    Returns bytes. Its content without a byte-order mark, with newlines as line ends; UTF-8 is not
    checked.

    Raises `InputError`: if the file is missing, empty, cannot be read, or is no text.
    """
    path = existing(file)
    check_text(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(unreadable(path, error)) from None
    if not content or content.isspace():
        raise InputError(f"{shown(path)} is empty; recreate the file.")
    return plain(content)


def unreadable(path, error):
    """Say that a file or folder cannot be read, with the `OSError`."""
    return (
        f"{shown(path)} cannot be read ({error.strerror}); check its permissions, or choose "
        "another path."
    )


def plain(content):
    """Return text without a byte-order mark, with newlines as line ends."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content


def read_text(file):
    """Read a text file in UTF-8.

    `file`: a relative path starts at the current folder.

    Returns str. Its content without a byte-order mark, with newlines as line ends.

    Raises `InputError`: as `read_bytes`, or if the file is not UTF-8; the message names the line.
    """
    return decoded(file, read_bytes(file))


def decoded(file, content, first=1):
    """Decode the lines of a text file from the line `first` on.

    Raises `InputError`: if one is not UTF-8; the message names it.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + first
        raise InputError(
            f"{shown(file)}, line {line} is not UTF-8 (byte 0x{content[error.start]:02x}); save "
            "the file in UTF-8."
        ) from None


def read_first_line(file):
    """Read the first line of a text file in UTF-8.

    `file`: a relative path starts at the current folder.

    Returns str. The first line that is not blank, without a byte-order mark.

    Raises `InputError`: as `read_text`.
    """
    check_text(file)
    with existing(file).open("rb") as stream:
        line = stream.readline(1 << 20)
    try:
        if line.endswith(b"\n") and line.strip() and b"\r" not in line[:-2]:
            return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    return read_text(file).lstrip().partition("\n")[0]


def check_text(file):
    """Refuse a file that is no text in UTF-8, by its beginning.

    `file`: a relative path starts at the current folder.

    Raises `InputError`: if the file is missing, cannot be read, is an archive, a workbook or in
    UTF-16, or has NUL bytes.
    """
    path = existing(file)
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError as error:
        raise InputError(unreadable(path, error)) from None
    for signature, what in _SIGNATURES.items():
        if head.startswith(signature):
            raise InputError(f"{shown(path)} is {what}.")
    if b"\0" in head:
        raise InputError(
            f"{shown(path)} is not text (it contains NUL bytes); save it as text in UTF-8."
        )


def finite(value):
    """Return a number, or the text of one, as a finite float; None for anything else.

    Examples
    --------
    >>> [finite(value) for value in (1, True, "0.5", " 2e3 ", "1_0", "\u0661", "nan", 10**400, [1])]
    [1.0, 1.0, 0.5, 2000.0, None, None, None, None, None]
    """
    odd = isinstance(value, str) and ("_" in value or not value.isascii())
    try:
        number = np.nan if odd or not isinstance(value, int | float | str) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if np.isfinite(number) else None


def composed(value):
    """Return a name as text, without blanks around it and in the composed Unicode form."""
    return unicodedata.normalize("NFC", str(value).strip())


def load_yaml(path):
    """Load a YAML file.

    `path`: a relative path starts at the current folder.

    Returns dict, list, str, float, int, bool or None. Its content.

    Raises `InputError`: if the file is missing or not YAML, a number is not finite, or text is not
    Unicode; the message names the line or the key.
    """
    path = existing(path)
    text = read_text(path) if path.stat().st_size else ""
    try:
        content = yaml.load(text, Loader=_Loader)
        _refuse_odd(shown(path), content)
        return content
    except RecursionError:
        raise InputError(
            f"{shown(path)} is nested too deeply, or contains itself; write it without anchors "
            "and aliases (& and *)."
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"{shown(path)}, line {line} is not valid YAML: the character "
            f"{chr(error.character)!r} is not allowed; delete it."
        ) from None
    except yaml.MarkedYAMLError as error:
        line = min(error.problem_mark.line if error.problem_mark else 0, text.count("\n"))
        if "\t" in text.split("\n")[line]:
            raise InputError(
                f"{shown(path)}, line {line + 1} has a tab, but YAML is indented with spaces; "
                "replace the tab."
            ) from None
        raise InputError(
            f"{shown(path)}, line {line + 1} is not valid YAML ({error.problem}); correct the line."
        ) from None


def _refuse_odd(file, value, place="", done=None):
    """Refuse numbers that are not finite, and text that is not Unicode, by the name of the key."""
    done = set() if done is None else done
    if isinstance(value, dict | list):
        if id(value) in done:
            return
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            name = f"{place}.{key}".lstrip(".") if isinstance(value, dict) else f"{place}[{key}]"
            _refuse_odd(file, item, name, done)
        done.add(id(value))  # an alias is looked at once
    elif isinstance(value, float) and not np.isfinite(value):
        raise InputError(f"{file}: {place} is {value}, but numbers must be finite; correct it.")
    elif isinstance(value, str) and not checks.is_unicode(value):
        raise InputError(
            f"{file}: {place} is {value!a}, which is not valid Unicode; correct the text, and "
            "save the file in UTF-8."
        )


_MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    """Loader that refuses a key given twice, and reads 1e-5 as the number that it is."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == _MERGE:
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    "merge keys are not supported; write out what << means",
                    key_node.start_mark,
                )
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} occurs twice; keep only one", key_node.start_mark
                )
            seen.add(key if isinstance(key, Hashable) else None)
        return super().construct_mapping(node, deep)

    def construct_object(self, node, deep=False):
        try:
            return super().construct_object(node, deep)
        except ValueError as error:  # 2026-02-30, or a number of 5,000 digits
            raise yaml.constructor.ConstructorError(
                None, None, f"a value cannot be read ({error})", node.start_mark
            ) from None

    def construct_yaml_float(self, node):
        """Return a number; a whole one with an exponent, such as 1e5, is an int."""
        value = super().construct_yaml_float(node)
        exponent = re.fullmatch(r"[^:]*e[-+]?\d+", node.value, re.IGNORECASE)
        return int(value) if exponent and value.is_integer() else value


_FLOAT = "tag:yaml.org,2002:float"

_Loader.add_constructor(_FLOAT, _Loader.construct_yaml_float)
_Loader.add_implicit_resolver(
    _FLOAT, re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def existing(path, folder=False):
    """Return the place of an existing file or folder.

    `path`: a relative path starts at the current folder. `folder` (bool or None): whether it is a
    folder; None for either.

    Returns Path. The file or folder.

    Raises `InputError`: if there is none; the message names the nearest in its folder.
    """
    path = Path(path).absolute()
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise InputError(
                f"{shown(path)} is a link to a file that does not exist; correct the link."
            ) from None
        near = checks.nearest(path.name, _siblings(path))
        near = near if near != "." else "; check the path."
        raise InputError(f"{shown(path)} does not exist{near}") from None
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        name = shown(path)
        name = f"{name[:60]}... ({len(name):,} letters)" if len(name) > 1000 else ascii(name)[1:-1]
        reason = error.strerror if isinstance(error, OSError) else "no file can have this name"
        raise InputError(f"{name} cannot be read ({reason}); choose another file.") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(
            f"{shown(path)} is a pipe or a device, which cannot be read twice; save its content "
            "to a file, and use that file."
        )
    if folder is not None and stat.S_ISDIR(mode) != folder:
        is_, should = ("a file", "folder") if folder else ("a folder", "file")
        raise InputError(f"{shown(path)} is {is_}; give a {should} instead.")
    return path


def _siblings(path):
    """Return the names of what is in the folder of a path."""
    try:
        return [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []


def shown(path):
    """Name a file relative to the current folder if it is in it; a table by its name."""
    if not isinstance(path, str | os.PathLike):
        return str(path)
    path, here = Path(path).absolute(), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


class Said(str):
    """Plain text, which a notebook shows in paragraphs: a line is broken between words alone."""

    __slots__ = ()

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return "\n".join(f"<p>{html.escape(line)}</p>" for line in self.splitlines() if line)


class Prose(str):
    """Text in Markdown, which a notebook shows as such."""

    __slots__ = ()

    def _repr_markdown_(self):
        return str(self)
