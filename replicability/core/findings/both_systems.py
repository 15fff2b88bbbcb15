"""On how many datasets two systems differ, and on how many each is better, in one sentence."""

from dataclasses import dataclass

from replicability.stats import three_way

SIDED = {
    "two": {"two-sided": "two"},
    "leader": {"one-sided for the system that scores higher": "leader"},
    "one": {"one-sided for A": "one"},
    "unknown": {
        "two-sided": "two",
        "one-sided for the system that scores higher": "leader",
    },
}
"""Maps the known sidedness of p-values to its possible readings in `three_way`."""


@dataclass(frozen=True)
class BothSystems:
    """What p-values of unknown side show of both systems; it prints as a sentence.

    Attributes
    ----------
    systems : tuple of str
        Names of A and B.
    n : int
        Number of datasets.
    alpha : float
        All bounds of a reading hold together with confidence 1 - alpha.
    bounds : dict of str to ThreeWay
        Reading -> bounds on the numbers of datasets.
    method : str
        Title of the local test.
    """

    systems: tuple
    n: int
    alpha: float
    bounds: dict
    method: str

    @property
    def weakest(self):
        """The bounds of the weakest reading, which hold by every reading."""
        return min(self.bounds.values(), key=lambda bound: bound.differ)

    def __str__(self):
        """Write the bounds of the weakest reading, with those of the strongest in brackets."""
        (a, b), readings = self.systems, list(self.bounds)
        weak, strong = self.weakest, max(self.bounds.values(), key=lambda bound: bound.differ)
        of = f" if the p-values are {readings[0]}"
        more = {
            name: f" ({getattr(strong, name)}{of if name == 'differ' else ''})"
            if weak != strong
            else ""
            for name in ("differ", "a", "b")
        }
        return (
            f"{a} and {b} differ on at least {weak.differ} of {self.n} datasets{more['differ']}; "
            f"{a} is better on at least {weak.a}{more['a']} and {b} on at least {weak.b}"
            f"{more['b']} ({self.method}; simultaneous {1 - self.alpha:.0%} confidence)."
        )


def bound_systems(pvalues, ahead, systems, alpha, *, sided="unknown", dependence="dependent"):
    """Bound on how many datasets the systems differ, and on how many each is better.

    Parameters
    ----------
    pvalues, ahead : array_like, shape (n,)
        A p-value for each dataset, and the difference of A's score and B's or its sign.
    systems : tuple of str
        Names of A and B.
    alpha : float
        The three bounds of a reading hold together with confidence 1 - alpha.
    sided : {"unknown", "two", "leader", "one"}, default "unknown"
        Whom the p-values are for; if it is unknown, they are read as two-sided and as one-sided for
        the system that scores higher.
    dependence : {"independent", "positive", "dependent"}, default "dependent"
        How the datasets depend on each other.

    Returns
    -------
    BothSystems
        The bounds of each reading, valid as `three_way.three_way` is.

    Examples
    --------
    >>> print(bound_systems([0.001, 0.002, 0.3], [2, -1, 1], ("A", "B"), 0.05, sided="two"))
    ... # doctest: +NORMALIZE_WHITESPACE
    A and B differ on at least 2 of 3 datasets; A is better on at least 1 and B on at
    least 1 (Holm's procedure in each direction; simultaneous 95% confidence).
    """
    bounds = {
        reading.replace("for A", f"for {systems[0]}"): three_way.three_way(
            pvalues, ahead, alpha, sided=side, dependence=dependence
        )
        for reading, side in SIDED[sided].items()
    }
    method = "Holm's procedure in each direction"
    if dependence == "independent":
        method = "closed testing, Fisher"
    return BothSystems(tuple(systems), len(pvalues), alpha, bounds, method)
