"""Exact tails of resampling distributions, without replicates."""

from replicability.stats.exact.tail import ABSOLUTE_BOUND, RELATIVE_BOUND, CannotMeetBound, Tail
from replicability.stats.exact.tails import bootstrap_tail, flip_tail, ideal_bootstrap

__all__ = [
    "ABSOLUTE_BOUND",
    "RELATIVE_BOUND",
    "CannotMeetBound",
    "Tail",
    "bootstrap_tail",
    "flip_tail",
    "ideal_bootstrap",
]
