"""Numbers of config/README.md."""

from analysis.numbers.committed import settings
from replicability import checks
from replicability.core import procedure
from replicability.stats import joint


def numbers():
    """Return what the fields of the document may name."""
    schema = settings("schema")
    most_resamples = checks.MOST_RESAMPLES
    n_flips = joint.N_FLIPS
    most_drawn = procedure.MOST_DRAWN
    return locals()
