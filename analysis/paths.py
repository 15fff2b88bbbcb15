"""Where the compendium lies; the only absolute paths."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""

CONFIG = ROOT / "config"
"""Studies, one YAML file each."""

PUBLISHED = ROOT / "data" / "published"
"""Numbers typed from the papers."""


def enter_checkout():
    """Make the checkout the current folder, at which relative paths start.

    Notebooks call it, since Jupyter starts each of them in its own folder.
    """
    os.chdir(ROOT)
