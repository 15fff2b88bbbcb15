"""The command `new`."""

import json
import re
import shlex
import shutil
import string
from pathlib import Path

EXAMPLES = Path(__file__).parent / "example"
"""Folder of the example studies and of the examples in ``--help``."""

COMPENDIUM = Path(__file__).parent / "compendium"
"""Files that ``new --compendium`` adds to a study."""


def new(options):
    """Write a study that runs: its YAML file and a tiny example of its data, perhaps a compendium.

    `options`: arguments of the command `new`.

    Returns dict. ``study``, ``files`` (relative to the current folder) and ``next``, the command
    that runs it.

    Raises `InputError`: if the name is not one of a study or is taken, there is no such example,
    the files cannot be written, or the folder of the compendium is not empty.
    """
    from replicability import checks

    name = options.name
    if name is None and options.compendium:
        name = _proper(Path(options.compendium).resolve().name)
    if name is None:
        raise checks.InputError("Give the study a name, as in `replicability new mystudy`.")
    _refuse_name(name)
    checks.choice("example", options.origin, examples())
    if options.compendium:
        return _compendium(Path(options.compendium), name, options.origin)
    written = list(map(str, _study(Path(), name, options.origin)))
    return {"study": name, "files": written, "next": f"replicability run {written[0]}"}


def _study(top, name, origin):
    """Write a study and its data below a folder; list the files, the study first."""
    from replicability import checks
    from replicability.io import files

    config, folder = top / "config" / f"{name}.yaml", top / "data" / name
    for path in (config, folder, config.with_suffix("")):
        if path.exists():
            raise checks.InputError(
                f"{path} already exists and will not be overwritten; choose another name."
            )
    source = EXAMPLES / origin
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
    return [config, *sorted(path for path in folder.rglob("*") if path.is_file())]


def _compendium(folder, name, origin):
    """Write a compendium with a study: its workflow, notebook, environment and tests."""
    from replicability import checks
    from replicability.io import files

    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise checks.InputError(
            f"{folder} already exists and will not be overwritten; choose a folder that does not "
            "exist."
        )
    part = folder.absolute().with_name(f".{folder.absolute().name}.part")
    words = {"study": name, "library": _requirement()}
    try:
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(COMPENDIUM, part)
        for file in filter(Path.is_file, part.rglob("*")):
            text = string.Template(file.read_text(encoding="utf-8")).substitute(words)
            file.write_text(text, encoding="utf-8")
        (part / "notebook.json").rename(part / "study.ipynb")
        first, *_ = _study(part, name, origin)
        part.replace(folder.absolute())
    except OSError as error:
        raise files.unwritten(folder, error) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    first = folder / first.relative_to(part)
    others = sorted(path for path in folder.rglob("*") if path.is_file() and path != first)
    return {
        "study": name,
        "files": list(map(str, [first, *others])),
        "next": f"cd {shlex.quote(str(folder))} && pip install -r requirements.txt && snakemake",
    }


def _requirement():
    """Name this library for pip: its version, or the address from which it was installed."""
    from importlib import metadata

    from replicability import __version__

    pinned = f"replicability[report]=={__version__}"
    try:
        said = metadata.distribution("replicability").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return pinned
    if not said:
        return pinned
    origin = json.loads(said)
    commit = origin.get("vcs_info", {}).get("commit_id")
    address = f"git+{origin['url']}@{commit}" if commit else origin["url"]
    return f"replicability[report] @ {address}"


def _refuse_name(name):
    """Refuse what cannot be the name of a study."""
    from replicability import checks

    if not re.fullmatch("[a-z][a-z0-9_]{,99}", name):
        raise checks.InputError(
            f"The study's name is {name!r}, but it must start with a lower-case letter, followed "
            f"by at most 99 lower-case letters, digits or underscores; try {_proper(name)!r}."
        )


def examples():
    """List the examples that `new` can write.

    Returns list of str. Names of the folders of `EXAMPLES`, sorted.
    """
    return sorted(path.parent.name for path in EXAMPLES.glob("*/study.yaml"))


def _proper(name):
    """Return a name of a study near to what was given."""
    near = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:80]
    return near if re.match("[a-z]", near) else f"study_{near}".rstrip("_")


def show_new(answer):
    """Write the answer of `new` as text.

    `answer`: the answer.

    Returns str. The files, and what to do next.
    """
    files = "\n".join(f"  {file}" for file in answer["files"])
    return (
        f"Wrote\n{files}\n\nThe example, whose numbers are made up, runs without changes:\n  "
        f"{answer['next']}\n\nThen replace its data with yours, and edit {answer['files'][0]}, "
        "which explains\nevery key."
    )
