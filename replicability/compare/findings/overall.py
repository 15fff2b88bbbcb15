"""How much better, over all datasets: the mean difference, and how different the datasets are.

It stands beside the count, never in its place: a mean may be large because of few datasets.
"""

import math
from dataclasses import dataclass

from replicability.compare.evaluation import LEVEL
from replicability.compare.numbers import rounded
from replicability.stats import overall as estimation

RESTS_ON = {
    "independent": "takes the datasets for independent",
    "shared": "is by the units that datasets share",
    "unknown": "holds however the datasets depend on each other, and is wide for that",
}
"""Dependence that an interval allows for -> what is said of the interval."""


@dataclass(frozen=True)
class Overall:
    """The mean over datasets of the difference of scores, and the differences around it.

    Attributes
    ----------
    systems : tuple of str
        A and B.
    unit : str
        Unit of the differences, with a blank before it: " points" of shares in per cent, else "".
    difference : float
        Mean over datasets of the score of A less that of B, each dataset with the same weight.
    low, high, standard_error : float or None
        Limits at 95% and standard error; infinite where those of a dataset are, None where there
        are no scores of instances.
    dependence : str or None
        What the interval allows for, a key of `RESTS_ON`.
    ahead, level, behind : int
        Datasets on which the score of A is higher, equal, lower.
    lowest, highest : tuple of (str, float)
        Datasets with the extreme differences, the first ones of several.
    """

    systems: tuple
    unit: str
    difference: float
    low: float | None
    high: float | None
    standard_error: float | None
    dependence: str | None
    ahead: int
    level: int
    behind: int
    lowest: tuple
    highest: tuple

    @property
    def n_datasets(self):
        """Number of datasets."""
        return self.ahead + self.level + self.behind

    @property
    def has_interval(self):
        """Whether there are limits, and finite ones."""
        return self.low is not None and math.isfinite(self.low)

    @property
    def decimals(self):
        """Decimals to which its numbers are written.

        They leave two digits of the interval's half width, or three of the largest difference.
        """
        size = (self.high - self.low) / 2 if self.has_interval else 0
        size = size or max(abs(self.lowest[1]), abs(self.highest[1])) / 10
        return min(max(1 - math.floor(math.log10(size)), 0), 12) if size else 1

    def signed(self, value):
        """Write a difference with its sign; what is rounded to zero has none."""
        return rounded(value, self.decimals, plus="+")

    @property
    def interval(self):
        """The limits in brackets, such as "[+1.8, +2.4]"; "" if there are none."""
        if not self.has_interval:
            return ""
        return f"[{self.signed(self.low)}, {self.signed(self.high)}]"

    def __str__(self):
        """Return the sentences to paste."""
        where = (
            "On the only dataset"
            if self.n_datasets == 1
            else f"Over all {self.n_datasets:,} datasets"
        )
        limits = f" (95% interval {self.interval})" if self.interval else ""
        said = f"{where} {self._average()}{' on average' if self.n_datasets > 1 else ''}{limits}"
        return f"{said}{self._around() if self.n_datasets > 1 else ''}.{self._why()}"

    def _average(self):
        """Say who is ahead of whom, and by how much."""
        a, b = self.systems
        size = self.signed(self.difference)
        if not float(size):
            return f"{a} is level with {b}"
        word = "ahead of" if self.difference > 0 else "behind"
        return f"{a} is {word} {b} by {size[1:]}{self.unit}"

    @property
    def signs(self):
        """On how many datasets A is ahead, level and behind, such as "ahead on 26, behind on 3"."""
        counts = {"ahead": self.ahead, "level": self.level, "behind": self.behind}
        every = [word for word, count in counts.items() if count == self.n_datasets]
        parts = [f"{word} on {count:,}" for word, count in counts.items() if count]
        return f"{every[0]} on every one" if every else ", ".join(parts)

    def _around(self):
        """Say on how many datasets which system is ahead, and the range."""
        (first, low), (last, high) = self.lowest, self.highest
        between = f", from {self.signed(low)} on {first} to {self.signed(high)} on {last}"
        return f": {self.signs}{between if low != high else ''}"

    def _why(self):
        if self.low is None:
            return " An interval would need the scores of instances."
        if not self.has_interval:
            return " It has no interval, as the difference on some dataset has none."
        return f" The interval {RESTS_ON[self.dependence]}." if self.n_datasets > 1 else ""


def overall(comparison, table):
    """Average the differences of a comparison, and say how far they differ.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison; its `dependence` and `shared` say on what an interval can rest.
    table : DataFrame
        As `evaluation.evaluate` returns it.

    Returns
    -------
    Overall or None
        None without scores; without scores of instances, no interval.

    Notes
    -----
    Independent datasets, and datasets whose shared units are known, have the interval that is
    theirs; of any others the standard errors add up (`replicability.stats.overall`).
    """
    if "score_a" not in table:
        return None
    differences = (table["score_a"] - table["score_b"]).to_numpy(float)
    if "difference" in table:
        differences = table["difference"].to_numpy(float)
    names = list(map(str, table["dataset"]))
    places = {"lowest": int(differences.argmin()), "highest": int(differences.argmax())}
    low, high, error, dependence = _estimated(comparison, table, differences)
    return Overall(
        systems=tuple(comparison.systems),
        unit=" points" if comparison.score.endswith("(%)") else "",
        difference=math.fsum(differences) / len(differences),
        low=low,
        high=high,
        standard_error=error,
        dependence=dependence,
        ahead=int((differences > 0).sum()),
        level=int((differences == 0).sum()),
        behind=int((differences < 0).sum()),
        **{end: (names[place], float(differences[place])) for end, place in places.items()},
    )


def _estimated(comparison, table, differences):
    """Return limits, standard error and what they allow for; None for each if there are none."""
    if not {"standard_error", "n"} <= set(table):
        return None, None, None, None
    if len(table) == 1:
        return *map(float, table[["low", "high", "standard_error"]].iloc[0]), "independent"
    covariance = table.attrs.get("covariance")
    dependence = "independent" if comparison.dependence == "independent" else "unknown"
    found = estimation.overall(
        differences,
        table["standard_error"].to_numpy(float),
        table.get("units", table["n"]).to_numpy(),
        dependence="shared" if covariance is not None else dependence,
        covariance=covariance,
        confidence_level=LEVEL,
    )
    limits = found.confidence_interval
    return limits.low, limits.high, found.standard_error, found.dependence
