"""On how many datasets, and on which, is system A better than system B?

Layers, each of which imports only those below it:

=======================  ==========================================================================
`replicability.cli`      the command line, ``python -m replicability``
`replicability.audit`    checks of the numbers that any paper prints
`replicability.show`     tables, figures, the page to send: the only place that rounds and draws
`replicability.compare`  one comparison or family, from instances to findings
`replicability.io`       files in, checked objects out
`replicability.stats`    counting, naming and tests; reads and draws nothing
`replicability.checks`   `InputError` and the checks of arguments
=======================  ==========================================================================

Import what you need, ``from replicability.stats import partial_conjunction``; nothing is loaded
before it is asked for. Figures and the page need the extra `report` (``pip install '.[report]'``),
BLEU from outputs the extra `translation`.

>>> from replicability.stats import partial_conjunction
>>> partial_conjunction.k_hat([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], method="fisher")
2
"""

import importlib

__all__ = ["InputError", "audit", "checks", "cli", "compare", "io", "show", "stats"]
__version__ = "0.1.0"


def __getattr__(name):
    """Load a layer, or the error that every layer raises, when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "InputError":
        return importlib.import_module("replicability.checks").InputError
    return importlib.import_module(f"replicability.{name}")


def __dir__():
    """Name what there is, loaded or not."""
    return sorted({*globals(), *__all__})
