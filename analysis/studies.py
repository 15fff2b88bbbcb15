"""Studies of the compendium, which may ask for its notebooks."""

import functools

from analysis import paths, schemas
from replicability.io import declared, rules, study
from replicability.io.host import Host
from replicability.io.text import load_yaml

SCHEMA = paths.CONFIG / "study_schema.yaml"
"""Keys of a study that are parameters of notebooks, and names that are taken."""


@functools.cache
def host():
    """Return what a study may ask of the compendium.

    Returns Host. As ``config/items.yaml`` and ``config/study_schema.yaml`` describe it.

    Raises `InputError`: if one of them is missing or broken.
    """
    content = load_yaml(SCHEMA)
    parts = schemas.load_checked(paths.CONFIG / "items.yaml", paths.CONFIG / "items_schema.yaml")
    shows = {
        name: entry.get("comparisons") for part in parts.values() for name, entry in part.items()
    }
    return Host(
        check=_check,
        parameters=tuple(content["properties"]),
        sections=tuple(name for name, what in shows.items() if what == "section"),
        notebooks=tuple(shows),
        folders=tuple(content["folders"]),
        stems=content["stems"],
        remarks=remarks_of,
    )


def remarks_of(name):
    """Return the folder of a study's name if it holds remarks; else ""."""
    folder = f"config/{name}"
    return folder if any((paths.ROOT / folder).glob("*.md")) else ""


TYPES = {
    "alpha": declared.Level,
    "seed": declared.Seed,
    "file": declared.File,
    "system": declared.System,
    "n_resamples": declared.Resamples,
}
"""What `SCHEMA` calls a type that every study has -> the type."""


def _check(file, content):
    """Check the parameters of notebooks."""
    own = load_yaml(SCHEMA)
    given = {key: content[key] for key in own["properties"] if key in content}
    if given:
        types = {name: rules.adapter(hint).json_schema() for name, hint in TYPES.items()}
        schemas.check(file, given, own | {"$defs": own["$defs"] | types})


def read_study(path):
    """Read a study that may ask for notebooks of the compendium.

    `path`: YAML file; relative paths, in it too, start at the current folder.

    Returns Study. As `replicability.io.study.read_study` returns it.

    Raises `InputError`: as `replicability.io.study.read_study`, and if a key or a name belongs to
    no notebook.
    """
    return study.read_study(path, host())
