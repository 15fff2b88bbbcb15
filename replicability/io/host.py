"""What a study runs in: the notebooks that it may ask for, and the names that they take."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Host:
    """Notebooks and folders of the project that reads a study; by default there are none.

    Attributes
    ----------
    check : callable
        Takes the name and the content of a study, and refuses wrong parameters of notebooks.
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
    remarks : callable
        Takes the name of a study that names no folder of remarks, and returns one or "".
    """

    check: Callable = lambda file, content: None
    parameters: tuple = ()
    sections: tuple = ()
    notebooks: tuple = ()
    folders: tuple = ()
    stems: str = "(?!)"
    remarks: Callable = lambda name: ""

    def takes(self, name):
        """Tell whether every study has a table or figure with a name."""
        return re.fullmatch(self.stems, name) is not None
