"""Where things lie; the only absolute paths of the compendium."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""

CONFIG = ROOT / "config"
"""Studies, one YAML file each, and their schema."""

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
