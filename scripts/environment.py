"""What a run takes over from the user's environment: all but what could change a result."""

import contextlib
import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout; `analysis` may not be importable where this is needed."""

FOREIGN = (
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_CONFIG_PATH",
    "JUPYTER_DATA_DIR",
    "JUPYTER_PATH",
    "JUPYTER_RUNTIME_DIR",
    "MATPLOTLIBRC",
    "MPLBACKEND",
    "PYTHONHOME",
    "PYTHONOPTIMIZE",
    "PYTHONSAFEPATH",
    "PYTHONSTARTUP",
    "PYTHONWARNINGS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)
"""Variables that say where settings of the user's lie, or how Python and matplotlib behave."""


def neutral():
    """Return the environment of this process without what is foreign.

    Returns dict of str to str. Python finds the `analysis` of this checkout before any other, and
    reads and writes UTF-8; caches lie in the checkout, so that no home is needed.
    """
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "XDG_CACHE_HOME": str(ROOT / ".snakemake" / "cache"),
    }


@contextlib.contextmanager
def of_a_kernel():
    """Give this process the environment of a notebook's kernel, until the block ends.

    Yields str. The empty home, so that no settings of the user's are found there; else the
    environment is that of `neutral`.
    """
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        caches = str(ROOT / ".snakemake" / "matplotlib")
        try:
            _replace(neutral() | {"HOME": home, "MPLCONFIGDIR": caches})
            yield home
        finally:
            _replace(before)


def _replace(variables):
    os.environ.clear()
    os.environ.update(variables)
