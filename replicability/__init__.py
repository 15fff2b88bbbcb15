"""On how many datasets, and on which, is system A better than system B?

Layers, each of which imports only those below it:

=========================  =========================================================================
`replicability.cli`        the command line, ``python -m replicability``
`replicability.api`        three lines of Python, ``replicability.compare(df)``
`replicability.forensics`  checks of the numbers that any paper prints
`replicability.show`       tables, figures, the page to send: the only place that rounds and draws
`replicability.core`       one comparison or family, from items to findings
`replicability.io`         files in, checked objects out
`replicability.stats`      counting, naming and tests; reads and draws nothing
`replicability.checks`     `InputError` and the checks of arguments
=========================  =========================================================================

`compare`, `count`, `bounds`, `against` and `all_pairs` are what most people need, `read_study` and
`save` for many comparisons; the layers are there to be imported, ``from replicability.stats import
partial_conjunction``. Nothing is loaded before it is used. Figures and the page need the extra
`report` (``pip install '.[report]'``), BLEU, chrF and TER of texts the extra `translation`.

>>> import replicability as rep
>>> print(rep.count([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], dependence="independent"))
... # doctest: +NORMALIZE_WHITESPACE
A outperforms B on at least 1 of 6 datasets, namely dataset 6 (closed testing, Fisher-Bonferroni;
simultaneous 95% confidence).
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from replicability.api.calls import against, all_pairs, ask, bounds, compare, count
    from replicability.api.example import example
    from replicability.api.family import Family
    from replicability.api.gate import Gate, gate
    from replicability.api.grid import Grid
    from replicability.api.pins import pin
    from replicability.api.plan import Plan, design
    from replicability.api.published import Audit, audit
    from replicability.api.result import Result
    from replicability.api.results import Families, Results
    from replicability.api.saved import Figures, save
    from replicability.api.scores import Scores
    from replicability.api.studies import Section, Study, read_study
    from replicability.api.support import Check, check
    from replicability.api.testing import assert_not_worse
    from replicability.checks import InputError
    from replicability.io.declared import Question
    from replicability.show.tables import Table

__all__ = [
    "Audit",
    "Check",
    "Families",
    "Family",
    "Figures",
    "Gate",
    "Grid",
    "InputError",
    "Plan",
    "Question",
    "Result",
    "Results",
    "Scores",
    "Section",
    "Study",
    "Table",
    "against",
    "all_pairs",
    "api",
    "ask",
    "assert_not_worse",
    "audit",
    "bounds",
    "check",
    "checks",
    "cli",
    "compare",
    "core",
    "count",
    "design",
    "example",
    "forensics",
    "gate",
    "io",
    "pin",
    "read_study",
    "save",
    "show",
    "stats",
]
__version__ = "1.0.0"

_LAYERS = ("api", "checks", "cli", "core", "forensics", "io", "show", "stats")
_MODULES = {
    "api.calls": ("against", "all_pairs", "ask", "bounds", "compare", "count"),
    "api.example": ("example",),
    "api.family": ("Family",),
    "api.gate": ("Gate", "gate"),
    "api.grid": ("Grid",),
    "api.pins": ("pin",),
    "api.plan": ("Plan", "design"),
    "api.published": ("Audit", "audit"),
    "api.result": ("Result",),
    "api.results": ("Families", "Results"),
    "api.saved": ("Figures", "save"),
    "api.scores": ("Scores",),
    "api.studies": ("Section", "Study", "read_study"),
    "api.support": ("Check", "check"),
    "api.testing": ("assert_not_worse",),
    "checks": ("InputError",),
    "io.declared": ("Question",),
    "show.tables": ("Table",),
}


def __getattr__(name: str) -> Any:
    """Load a layer, a function or a class when it is first used."""
    if name in _LAYERS:
        return importlib.import_module(f"replicability.{name}")
    for module, names in _MODULES.items():
        if name in names:
            return getattr(importlib.import_module(f"replicability.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name what there is, loaded or not."""
    return sorted({*globals(), *__all__})
