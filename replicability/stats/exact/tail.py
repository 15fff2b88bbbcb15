"""A tail probability with the bound on its error."""

from dataclasses import dataclass

ABSOLUTE_BOUND = 1e-9
"""Maximum absolute error of a tail probability,"""

RELATIVE_BOUND = 1e-4
"""or maximum error relative to the smaller of the probability and its complement."""

TINY = 5e-324
"""The smallest float above zero,"""

LOG_TINY = -745.0
"""and its logarithm, rounded down."""


@dataclass(frozen=True)
class Tail:
    """Tail probability of a sum S, computed and not sampled.

    Attributes
    ----------
    probability : float
        P(S >= threshold).
    complement : float
        P(S < threshold). Of the two the one on the far side of the mean is computed and the other
        is one minus it, so that either keeps its relative accuracy when it is small.
    error : float
        Bound on the absolute error of both where it is proved, otherwise an estimate of it. On a
        lattice it is about 1e-12 of the smaller of the two with n = 2,000, down to 1e-300; it can
        be larger than the smaller one where it is not on a lattice. Below the smallest float the
        value is 0.
    method : {"lattice", "inversion"}
        "lattice" for sums on a common step (generating function) and for sums that are enumerated;
        "inversion" for the characteristic function where some of it is cut off.
    proved : bool
        Whether `error` is a bound. It is an estimate for values in general position, of which it is
        assumed that no frequency beyond those looked at brings them near a common step.
    """

    probability: float
    complement: float
    error: float
    method: str
    proved: bool = True

    @property
    def how(self):
        """Say "exact" if the error is a bound and "estimate" if not, and by which method."""
        return f"{'exact' if self.proved else 'estimate'} ({self.method})"


class CannotMeetBound(Exception):
    """No exact way meets the error bound for these values; use Monte Carlo instead."""


def certain(holds):
    """Return the tail of an event that is sure, or sure not to happen."""
    return Tail(float(holds), float(not holds), 0.0, "lattice")


def checked_tail(small, error, method, upper, proved=True):
    """Put the computed tail on its side and compare the error with the bound.

    `small`: the tail beyond the threshold, away from the mean; clipped to [0, 1]. `error`: bound on
    its absolute error, or an estimate of it. `method` ({"lattice", "inversion"}): as in `Tail`.
    `upper`: whether `small` is the probability, or its complement. `proved`: as in `Tail`.

    Returns Tail. Both sides.

    Raises `CannotMeetBound`: if the error is above `ABSOLUTE_BOUND` and above `RELATIVE_BOUND`
    times the tail.
    """
    small = min(max(small, 0.0), 1.0)
    if error > max(ABSOLUTE_BOUND, RELATIVE_BOUND * small):
        raise CannotMeetBound(
            f"The error of the tail probability {small:.3g} may be as large as {error:.2g}, which "
            f"exceeds both {ABSOLUTE_BOUND:g} and {RELATIVE_BOUND:g} times the probability. The "
            "values are not on a lattice, and have too few distinct values for a smooth "
            "distribution of their sum; use Monte Carlo resamples."
        )
    sides = (small, 1 - small) if upper else (1 - small, small)
    return Tail(*map(float, sides), float(error), method, bool(proved))
