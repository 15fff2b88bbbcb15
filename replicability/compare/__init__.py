"""One comparison or family, from instances to findings.

The package is also what it does: ``replicability.compare(frame, a="ours", b="base")``.
"""

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any


class Called(ModuleType):
    """A package that can be called, as `replicability.api.calls.compare` is."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Compare two systems."""
        return importlib.import_module("replicability.api").compare(*args, **options)

    @property
    def __signature__(self) -> Any:  # for Jupyter and ``help``, as the next one
        return inspect.signature(importlib.import_module("replicability.api").compare)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return importlib.import_module("replicability.api").compare.__doc__


sys.modules[__name__].__class__ = Called
