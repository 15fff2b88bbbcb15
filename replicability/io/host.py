"""What a study runs in: the notebooks that it may ask for, and the names that they take."""

import functools
import re
from dataclasses import dataclass

from replicability.io import paths
from replicability.io.text import load_checked, load_yaml


@dataclass(frozen=True)
class Host:
    """Notebooks and folders beside the package; by default there are none.

    Attributes
    ----------
    schemas : tuple of Path
        Files with the keys of a study that are parameters of notebooks, for `text.load_checked`.
    parameters : tuple of str
        Notebooks that a study runs if it has a key of their name, which holds their parameters.
    sections : tuple of str
        Notebooks that show comparisons; none if a comparison may name any.
    notebooks : tuple of str
        All notebooks.
    folders : tuple of str
        Folders of ``results`` that belong to no study.
    stems : str
        Regular expression of the names of tables and figures that no comparison can have.
    """

    schemas: tuple = ()
    parameters: tuple = ()
    sections: tuple = ()
    notebooks: tuple = ()
    folders: tuple = ()
    stems: str = "(?!)"

    def takes(self, name):
        """Tell whether a table or figure of every study has a name."""
        return re.fullmatch(self.stems, name) is not None


@functools.cache
def here():
    """Return the compendium around the package; installed elsewhere, a host without notebooks.

    Returns
    -------
    Host
        As ``config/items.yaml`` and ``config/study_schema.yaml`` describe it.

    Raises
    ------
    InputError
        If one of them is missing or broken.
    """
    if not paths.IN_COMPENDIUM:
        return Host()
    content = load_yaml(paths.STUDY_SCHEMA)
    parts = load_checked(paths.ITEMS, paths.ITEMS_SCHEMA)
    shows = {
        name: entry.get("comparisons") for part in parts.values() for name, entry in part.items()
    }
    return Host(
        schemas=(paths.STUDY_SCHEMA,),
        parameters=tuple(content["properties"]),
        sections=tuple(name for name, what in shows.items() if what == "section"),
        notebooks=tuple(shows),
        folders=tuple(content["folders"]),
        stems=content["stems"],
    )
