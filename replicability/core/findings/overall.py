"""Report the mean difference over all datasets, and its range.

It complements the count and never replaces it: a mean may be large because of few datasets.
"""

import math
from dataclasses import dataclass

from replicability.core.evaluation import LEVEL
from replicability.core.findings.wording import at_least, plural
from replicability.core.numbers import leads, rounded
from replicability.io import scales
from replicability.io.declared import OF_FOLDS, OF_SPLITS
from replicability.stats import overall as estimation
from replicability.stats import paired

RESTS_ON = {
    "independent": "assumes independent datasets",
    "shared": "accounts for the units that datasets share",
    "unknown": "is valid under any dependence, and therefore wide",
}
"""Maps the dependence that an interval allows for to a verb phrase after "The interval"."""

FEW_ITEMS = 60
"""Minimum number of items likely to include rare large differences. A difference that occurs with
probability .05 is seen among 60 items with probability .95.
"""

LOPSIDED = 2
"""Ratio of the distances from the mean to both limits that indicates skewed differences."""


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
        are no scores of items.
    at_least : float or None
        Limit of the one-sided interval at 95%, where only "A is better" is asked; else None.
    dependence : str or None
        What the interval allows for, a key of `RESTS_ON`.
    ahead, level, behind : int
        Datasets on which the score of A is higher, equal, lower.
    lowest, highest : tuple of (str, float)
        Datasets with the extreme differences, the first ones of several.
    caution : str
        Sentence that says why the average means nothing, as datasets have different scales, or why
        the interval may cover less than 95%; "" if there is no reason.
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
    caution: str = ""
    at_least: float | None = None

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
            else f"Over {at_least(self.n_datasets, self.n_datasets)}"
        )
        limits = f" (95% interval {self.interval})" if self.interval else ""
        if limits and self.at_least is not None:
            limits = f" (one-sided 95% interval, at least {self.signed(self.at_least)})"
        said = f"{where}, {self._average()}{' on average' if self.n_datasets > 1 else ''}{limits}"
        return f"{said}{self._around() if self.n_datasets > 1 else ''}.{self._why()}"

    def _average(self):
        """Say who is ahead of whom, and by how much."""
        a, b = self.systems
        size = self.signed(self.difference)
        if not float(size):
            return f"{a} and {b} score the same"
        word = "ahead of" if self.difference > 0 else "behind"
        return f"{a} is {word} {b} by {size[1:]}{self.unit}"

    @property
    def signs(self):
        """Where A is ahead, level and behind, such as "ahead on 26 datasets, behind on 3"."""
        counts = {"ahead": self.ahead, "level": self.level, "behind": self.behind}
        every = [word for word, count in counts.items() if count == self.n_datasets]
        if every:
            return f"{every[0]} on every dataset"
        (first, many), *others = [(word, count) for word, count in counts.items() if count]
        rest = [f", {word} on {count:,}" for word, count in others]
        return f"{first} on {plural(many, 'dataset')}{''.join(rest)}"

    def _around(self):
        """Say on how many datasets which system is ahead, and the range."""
        (first, low), (last, high) = self.lowest, self.highest
        between = f", from {self.signed(low)} on {first} to {self.signed(high)} on {last}"
        return f": {self.signs}{between if low != high else ''}"

    def _why(self):
        rests = ""
        if self.low is None:
            rests = " There is no interval, because an interval requires item scores."
        elif not self.has_interval:
            rests = (
                " There is no interval, because the difference on at least one dataset has no "
                "interval."
            )
        elif self.n_datasets > 1:
            rests = f" The interval {RESTS_ON[self.dependence]}."
        return f"{rests} {self.caution}" if self.caution else rests


def overall(comparison, table):
    """Average the differences of a comparison, and say how far they differ.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison; its `dependence` and `shared` say on what an interval can rest.
    table : Tested
        As `evaluation.evaluate` returns it.

    Returns
    -------
    Overall or None
        None without scores; without scores of items, no interval.

    Notes
    -----
    The interval uses that datasets are independent, or which units they share. If neither is known,
    the limits of the datasets are averaged (`replicability.stats.overall`).
    """
    if "score_a" not in table:
        return None
    differences = (table["score_a"] - table["score_b"]).to_numpy(float)
    if "difference" in table:
        differences = table["difference"].to_numpy(float)
    directions = leads(table["score_a"], table["score_b"])
    names = list(map(str, table["dataset"]))
    places = {"lowest": int(differences.argmin()), "highest": int(differences.argmax())}
    low, high, error, dependence = _estimated(comparison, table, differences)
    at_least = None
    if low is not None and "at_least" in table:
        at_least, *_ = _estimated(comparison, table, differences, one_sided=True)
    mean = math.fsum(differences) / len(differences)
    # Newcombe's intervals allow for few trials, Welch's for few runs
    counted = comparison.level == "counts" or comparison.claim_covers == "runs"
    return Overall(
        systems=tuple(comparison.systems),
        unit=" points" if comparison.score.endswith("(%)") else "",
        difference=mean,
        low=low,
        high=high,
        standard_error=error,
        dependence=dependence,
        ahead=int((directions > 0).sum()),
        level=int((directions == 0).sum()),
        behind=int((directions < 0).sum()),
        **{end: (names[place], float(differences[place])) for end, place in places.items()},
        caution=_mixed(table)
        or ("" if low is None or counted else _caution(table, mean - low, high - mean)),
        at_least=at_least,
    )


def _mixed(table):
    """Say that datasets have different scales, so that their average means nothing."""
    means = table[["score_a", "score_b"]].to_numpy(float)
    shares = ((means >= 0) & (means <= 1)).all(axis=1) & (means > 0).any(axis=1)
    large = (means >= scales.FACTOR).all(axis=1)
    if not (shares.any() and large.any()):
        return ""
    one, other = (table["dataset"].to_numpy()[of][0] for of in (shares, large))
    return (
        f"This average mixes scales: scores lie between 0 and 1 on {one}, but reach "
        f"{means[large].max():.3g} on {other}. Score all datasets on the same scale."
    )


def _caution(table, below, above):
    """Say why an interval with limits at these distances may cover too little."""
    takes = {paired.lookup(test).takes for test in table.get("test", ())}
    if takes == {"outcomes"} or not math.isfinite(below + above):
        return ""  # the intervals for right and wrong allow for few items
    what, items = ("units", table["units"]) if "units" in table else ("items", table["n"])
    what = "splits" if {OF_SPLITS, *OF_FOLDS} & set(table.get("test", ())) else what
    near, far = sorted([below, above])
    reasons = []
    if items.sum() < FEW_ITEMS:
        reasons.append(f"there are only {items.sum():,} {what} in total")
    if far > LOPSIDED * near > 0:
        reasons.append("the differences are skewed")
    if not reasons:
        return ""
    return f"The coverage of the interval may be below 95%, because {' and '.join(reasons)}."


def _estimated(comparison, table, differences, one_sided=False):
    """Return limits, standard error and what they allow for; None for each if there are none.

    A lower limit that is `one_sided` is that of a two-sided interval with twice the error.
    """
    lower, level = ("at_least", 2 * LEVEL - 1) if one_sided else ("low", LEVEL)
    if not {"standard_error", "n"} <= set(table):
        return None, None, None, None
    if len(table) == 1:
        return *map(float, table[[lower, "high", "standard_error"]].iloc[0]), "independent"
    covariance = table.covariance
    dependence = "independent" if comparison.dependence == "independent" else "unknown"
    found = estimation.overall(
        differences,
        table["standard_error"].to_numpy(float),
        table.get("units", table["n"]).to_numpy(),
        limits=table[[lower, "high"]].to_numpy(float).T,
        dependence="shared" if covariance is not None else dependence,
        covariance=covariance,
        confidence_level=level,
    )
    limits = found.confidence_interval
    return limits.low, limits.high, found.standard_error, found.dependence
