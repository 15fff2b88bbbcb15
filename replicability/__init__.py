"""On how many datasets, and on which, is system A better than system B?

Layers, each of which imports only those below it:

=========================  =========================================================================
`replicability.cli`        the command line, ``python -m replicability``
`replicability.api`        three lines of Python, ``replicability.compare(df)``
`replicability.forensics`  checks of the numbers that any paper prints
`replicability.show`       tables, figures, the page to send: the only place that rounds and draws
`replicability.core`       one comparison or family, from instances to findings
`replicability.io`         files in, checked objects out
`replicability.stats`      counting, naming and tests; reads and draws nothing
`replicability.checks`     `InputError` and the checks of arguments
=========================  =========================================================================

`compare`, `count`, `bounds` and `all_pairs` are what most people need, `read_study` and `save` for
many comparisons; the layers are there to be imported, ``from replicability.stats import
partial_conjunction``. Nothing is loaded before it is asked for. Figures and the page need the extra
`report` (``pip install '.[report]'``), BLEU, chrF and TER of texts the extra `translation`.

>>> import replicability as rep
>>> print(rep.count([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], dependence="independent"))
... # doctest: +NORMALIZE_WHITESPACE
A outperforms B on at least 1 of 6 datasets, namely dataset 6 (closed testing, Fisher-Bonferroni;
all together with 95% confidence).
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from replicability.api import (
        Audit,
        Check,
        Families,
        Family,
        Figures,
        Plan,
        Question,
        Result,
        Results,
        Scores,
        Section,
        Study,
        all_pairs,
        ask,
        audit,
        bounds,
        check,
        compare,
        count,
        design,
        read_study,
        save,
    )
    from replicability.checks import InputError
    from replicability.show.tables import Table

__all__ = [
    "Audit",
    "Check",
    "Families",
    "Family",
    "Figures",
    "InputError",
    "Plan",
    "Question",
    "Result",
    "Results",
    "Scores",
    "Section",
    "Study",
    "Table",
    "all_pairs",
    "api",
    "ask",
    "audit",
    "bounds",
    "check",
    "checks",
    "cli",
    "compare",
    "core",
    "count",
    "design",
    "forensics",
    "io",
    "read_study",
    "save",
    "show",
    "stats",
]
__version__ = "0.1.0"

_ELSEWHERE = {"InputError": "replicability.checks", "Table": "replicability.show.tables"}
_LAYERS = ("api", "checks", "cli", "core", "forensics", "io", "show", "stats")


def __getattr__(name: str) -> Any:
    """Load a layer, a function or a class when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    if name in _LAYERS:
        return importlib.import_module(f"replicability.{name}")
    return getattr(importlib.import_module("replicability.api"), name)


def __dir__() -> list[str]:
    """Name what there is, loaded or not."""
    return sorted({*globals(), *__all__})
