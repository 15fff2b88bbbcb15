"""Numbers of config/README.md."""

from replicability import checks
from replicability.core import procedure
from replicability.io import declared, rules
from replicability.stats import joint


def numbers():
    """Return what the fields of the document may name."""
    study = rules.adapter(declared.StudyKeys.model()).json_schema()
    keys = study["$defs"]["ComparisonKeys"]["properties"]
    most_resamples = checks.MOST_RESAMPLES
    n_flips = joint.N_FLIPS
    most_drawn = procedure.MOST_DRAWN
    return locals()
