"""Numbers of config/README.md."""

from replicability import checks
from replicability.io import declared, rules


def numbers():
    """Return what the fields of the document may name."""
    study = rules.adapter(declared.StudyKeys.model()).json_schema()
    keys = study["$defs"]["ComparisonKeys"]["properties"]
    most_resamples = checks.MOST_RESAMPLES
    return locals()
