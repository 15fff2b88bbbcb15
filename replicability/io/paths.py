"""Where things lie; the only absolute paths."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
"""Folder that holds the package: the compendium, unless the package was installed elsewhere."""

IN_COMPENDIUM = (CHECKOUT / "Snakefile").is_file()
"""Whether the workflow and its notebooks lie beside the package."""

ROOT = CHECKOUT if IN_COMPENDIUM else Path.cwd()
"""Where relative paths start: at the compendium, or, installed elsewhere, in the current folder."""

SCHEMA = Path(__file__).with_name("schema.yaml")
"""The rules that every study is checked against."""

STUDY_SCHEMA = CHECKOUT / "config" / "study_schema.yaml"
"""What the compendium adds to them."""

ITEMS, ITEMS_SCHEMA = (CHECKOUT / "config" / name for name in ("items.yaml", "items_schema.yaml"))
"""The list of the compendium's notebooks, tables and figures, and the rules that it keeps to."""

CONFIG = ROOT / "config"
"""Studies, one YAML file each."""

PUBLISHED = ROOT / "data" / "published"
"""Numbers typed from the papers."""


def outputs(folder, kind):
    """Return the folder for one kind of output, made if it is missing.

    Parameters
    ----------
    folder : str or Path
        Folder of a run; a relative one starts at the checkout.
    kind : {"figures", "tables"}
        What the folder holds.

    Returns
    -------
    Path
        ``folder/kind``, an existing folder.
    """
    path = ROOT / folder / kind
    path.mkdir(parents=True, exist_ok=True)
    return path
