"""What made a file: notebook, parameters, data files with their SHA-256, versions of packages."""

import hashlib
import json
from importlib import metadata
from pathlib import Path

import replicability

PACKAGES = ("numpy", "scipy", "pandas", "matplotlib")
"""Packages whose versions are recorded along with that of this package."""


def digest(path):
    """Return the SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def portable(file):
    """Name a file without what is above the current folder: relative to it, or its name alone."""
    path, here = Path(file).absolute(), Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name


def digests(places):
    """Return the SHA-256 of files, and of all files in folders, by their `portable` names."""
    found = {Path(place).absolute() for place in places}
    read = {p for path in found for p in (path.rglob("*") if path.is_dir() else [path])}
    return {portable(path): digest(path) for path in sorted(read) if path.is_file()}


def versions():
    """Return the versions of what computes.

    Returns dict of str to str. The packages of `PACKAGES` and this one. Python is left out: the
    same versions of packages give the same bytes on each version of Python that this package
    supports.
    """
    return {
        **{name: metadata.version(name) for name in PACKAGES},
        "replicability": replicability.__version__,
    }


def record(notebook, parameters, inputs, outputs, made_from=()):
    """Write down what made the outputs of a notebook.

    `notebook`: the notebook. `parameters`: every parameter with the value it ran with. `inputs`
    (iterable of Path): what the notebook depends on. Code and what lies beside it in this package
    are left out: its version stands for them. `outputs` (dict of str to Path): where each output
    will lie -> where it lies now. `made_from` (sequence of Path): files that the notebook itself is
    made from, where it is no source.

    Returns str. JSON with the keys ``notebook``, ``parameters``, ``data`` and ``outputs`` (file ->
    SHA-256) and ``versions``; of a notebook that is made also its ``sha256`` and ``made_from``. The
    same text wherever the project lies.
    """
    package = Path(replicability.__file__).parent
    read = {path.absolute() for path in inputs if path.suffix not in (".py", ".ipynb")}
    read = sorted(path for path in read if not path.is_relative_to(package))
    made = {"sha256": digest(notebook), "made_from": [portable(file) for file in made_from]}
    content = {
        "notebook": portable(notebook),
        **(made if made_from else {}),
        "parameters": parameters,
        "data": {portable(path): digest(path) for path in read},
        "versions": versions(),
        "outputs": {portable(file): digest(outputs[file]) for file in sorted(outputs)},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def record_report(study, file, inputs, folder):
    """Write down what made a report.

    `study` (study.Study): the study. `file` (Path or None): its file. `inputs` (iterable of str or
    Path): files and folders that it was made from. `folder`: folder of the report.

    Returns str. JSON with the keys ``study``, ``alphas``, ``data`` and ``outputs`` (file ->
    SHA-256) and ``versions``.
    """
    content = {
        "study": study.name,
        "alphas": study.alphas,
        "data": digests([*inputs, *([file] if file else [])]),
        "versions": versions(),
        "outputs": {
            path.relative_to(folder).as_posix(): digest(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        },
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def made_before(path):
    """Return what a record says was made: file -> SHA-256; {} if there is no such record."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))["outputs"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
