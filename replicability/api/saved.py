"""Tables and figures as files: the same bytes at every run."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

import pandas as pd

from replicability.api.family import Family
from replicability.checks import InputError
from replicability.io import files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from replicability.show.tables import Table

Item = TypeVar("Item")


class Figures(dict[str, "Figure"]):
    """Figures by the names of their comparisons; Jupyter shows one below the other.

    Attributes
    ----------
    note : str
        What Jupyter shows where there is no figure.
    """

    def __init__(self, figures: Mapping[str, Figure], note: str = "") -> None:
        super().__init__(figures)
        self.note = note

    def _ipython_display_(self) -> None:
        from IPython.display import Markdown, display

        for shown in self.values() or [Markdown(self.note)]:
            display(shown)


class Tables(dict[str, "Table"]):
    """Tables by the names of their comparisons; Jupyter shows one below the other.

    Attributes
    ----------
    titles : dict of str to str
        Name of the comparison -> title of its table.
    """

    def __init__(self, tables: Mapping[str, Table], titles: Mapping[str, str]) -> None:
        super().__init__(tables)
        self.titles = titles

    def _repr_html_(self) -> str:
        from replicability.api import shown

        parts = (
            (shown.paragraph(self.titles[k]), table._repr_html_()) for k, table in self.items()
        )
        return "\n".join(itertools.chain(*parts))

    def __repr__(self) -> str:
        return "\n\n".join(f"{self.titles[key]}\n{table}" for key, table in self.items())


@overload
def save(
    item: pd.DataFrame | Family, folder: str | os.PathLike[str], name: str, caption: str = ""
) -> Table: ...
@overload
def save(item: Item, folder: str | os.PathLike[str], name: str, caption: str = "") -> Item: ...


def save(item: Any, folder: str | os.PathLike[str], name: str, caption: str = "") -> Any:
    """Save a table, a figure, several figures, or all pairs of a family.

    Parameters
    ----------
    item : DataFrame, Table, Tables, matplotlib.figure.Figure, Figures, Family or str
        What to save. The CSV file of a `Table` has its ``full`` numbers, if it has any. With
        several tables or figures, each file name is `name` and the name of the comparison. A
        family is saved as its `Family.matrix`, and as JSON (`Family.to_dict`). A sentence that
        replaces an empty table is returned and not saved.
    folder : str or Path
        Where to save: tables as CSV, Markdown, LaTeX and HTML in its folder ``tables``, figures as
        SVG and PNG in its folder ``figures``. Existing files are replaced.
    name : str
        Name of the files, without ending.
    caption : str, optional
        Caption of a table; by default its own.

    Returns
    -------
    object
        The saved item, for Jupyter to show; for a data frame or a family, a `Table`.

    Raises
    ------
    InputError
        If the item cannot be saved, its name is a path, or the folder cannot be written.

    Examples
    --------
    >>> import replicability as rep
    >>> result = rep.count({"news": 0.001, "law": 0.2})
    >>> table = rep.save(result.table, "results", "datasets", "p-values.")  # doctest: +SKIP
    """
    if not isinstance(name, str) or name != Path(name).name or not name:
        raise InputError(
            f"{name!r} is not a valid file name; pass a name without a folder, such as 'table1'."
        )
    try:
        return _saved(item, os.fspath(folder), name, caption)
    except OSError as error:
        raise files.unwritten(folder, error) from None


def _saved(item: Any, folder: str, name: str, caption: str) -> Any:
    if isinstance(item, str):
        return item
    if isinstance(item, Family):
        place = files.outputs(folder, "tables") / f"{name}.json"
        place.write_text(_lines(item.cells()), encoding="utf-8", newline="\n")
        item = item.matrix()
    if isinstance(item, pd.DataFrame):
        from replicability.show import tables

        own = item if isinstance(item, tables.Table) else tables.Table(item)
        return tables.save(own, folder, name, caption or own.caption, own.full)
    if isinstance(item, Figures | Tables):
        for key, one in item.items():
            _saved(one, folder, f"{name}_{key}", caption)
        return item
    if hasattr(item, "savefig"):
        from replicability.show import style

        return style.save(item, folder, name)
    raise InputError(
        f"An object of type {type(item).__name__} cannot be saved; pass a table, a figure or a "
        "family."
    )


def _lines(answer: Mapping[str, Any]) -> str:
    """Write a dictionary as JSON, with a line for each key, and for each system of a matrix."""

    def value(held: Any) -> str:
        if not isinstance(held, list) or not isinstance(held[0], list):
            return json.dumps(held, ensure_ascii=False)
        rows = (json.dumps(row, separators=(",", ":")) for row in held)
        return "[\n" + ",\n".join(rows) + "\n]"

    keys = (f" {json.dumps(key)}: {value(held)}" for key, held in answer.items())
    return "{\n" + ",\n".join(keys) + "\n}\n"
