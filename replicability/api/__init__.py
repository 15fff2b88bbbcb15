"""Three lines of Python: from frames, arrays, p-values or files to a result.

``import replicability`` has all of it: `replicability.compare`, `replicability.count`,
`replicability.bounds`, `replicability.all_pairs`, `replicability.design`, `replicability.audit` and
what they return.
"""

from replicability.api.calls import all_pairs, ask, bounds, compare, count
from replicability.api.family import Family
from replicability.api.plan import Plan, design
from replicability.api.published import Audit, audit
from replicability.api.result import Result
from replicability.api.results import Families, Results
from replicability.api.saved import Figures, save
from replicability.api.scores import Scores
from replicability.api.studies import Section, Study, read_study
from replicability.api.support import Check, check
from replicability.io.declared import Question

__all__ = [
    "Audit",
    "Check",
    "Families",
    "Family",
    "Figures",
    "Plan",
    "Question",
    "Result",
    "Results",
    "Scores",
    "Section",
    "Study",
    "all_pairs",
    "ask",
    "audit",
    "bounds",
    "check",
    "compare",
    "count",
    "design",
    "read_study",
    "save",
]
