"""The command `new`."""

import re
import shutil
import string
from pathlib import Path

EXAMPLES = Path(__file__).parent / "example"
"""Folder of the studies that `new` writes, one folder each, and of what ``--help`` shows."""


def new(options):
    """Write a study that runs: its YAML file and a tiny example of its data.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `new`.

    Returns
    -------
    dict
        ``study``, ``files`` (relative to the current folder) and ``next``, the command that runs
        it.

    Raises
    ------
    InputError
        If the name is not one of a study or is taken, there is no such example, the files cannot be
        written.
    """
    from replicability import checks
    from replicability.io import files

    name = options.name
    _refuse_name(name)
    checks.choice("example", options.origin, examples())
    config, folder = Path("config", f"{name}.yaml"), Path("data", name)
    for path in (config, folder, Path("config", name)):
        if path.exists():
            raise checks.InputError(
                f"{path} is there already and is not overwritten; choose another name."
            )
    source = EXAMPLES / options.origin
    text = string.Template((source / "study.yaml").read_text(encoding="utf-8"))
    part = folder.with_name(f".{name}.part")
    try:
        with files.replacing(config) as place:
            place.write_text(text.substitute(study=name), encoding="utf-8")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(source, part, ignore=shutil.ignore_patterns("study.yaml"))
            part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    written = [config, *sorted(path for path in folder.rglob("*") if path.is_file())]
    return {
        "study": name,
        "files": list(map(str, written)),
        "next": f"replicability run {config}",
    }


def _refuse_name(name):
    """Refuse what cannot be the name of a study."""
    from replicability import checks

    if not re.fullmatch("[a-z][a-z0-9_]{,99}", name):
        raise checks.InputError(
            f"The name of a study is lower-case letters, digits and underscores, a letter first, "
            f"100 at most, but it is {name!r}; try {_proper(name)!r}."
        )


def examples():
    """List the examples that `new` can write.

    Returns
    -------
    list of str
        Names of the folders of `EXAMPLES`, sorted.
    """
    return sorted(path.parent.name for path in EXAMPLES.glob("*/study.yaml"))


def _proper(name):
    """Return a name of a study near to what was given."""
    near = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:80]
    return near if re.match("[a-z]", near) else f"study_{near}".rstrip("_")


def show_new(answer):
    """Write the answer of `new` as text.

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        The files, and what to do next.
    """
    files = "\n".join(f"  {file}" for file in answer["files"])
    return (
        f"Wrote\n{files}\n\nIt runs as it is; its numbers are made up:\n  {answer['next']}\n\n"
        f"Then put your data in place of the example's, and edit {answer['files'][0]}, which "
        "explains\nevery key."
    )
