"""How many more items, on which datasets, for a claim: what a target takes.

A target is a number of datasets that are to be counted, or the name of one that is to be named.
Items are added to all datasets alike, or only where they are fewest for the spread.
"""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.core.design import POWER
from replicability.core.suite import MOST_RUNS, N_FAMILIES, Suite
from replicability.stats import power_of_counts
from replicability.stats.power_of_margins import interval

MOST_ITEMS = 1_000_000
"""Maximum number of items per dataset that is searched."""

N_ALONE = 2_000
"""Number of families simulated to find the size at which a dataset is named on its own."""

_HALVINGS = 14  # of the largest p-value with which a dataset is named, in its logarithm
_LEAST = 1e-16  # p-value below which the search for it does not go


@dataclass(frozen=True)
class Way:
    """Sizes with which a target is reached.

    Attributes
    ----------
    sizes : tuple of int
        Items of each dataset.
    probability : float
        With which the target is reached, less two standard errors of a simulation.
    """

    sizes: tuple
    probability: float


@dataclass(frozen=True)
class Needed:
    """What a target takes.

    Attributes
    ----------
    suite : suite.Suite
        The plan.
    gain : float
        True gain on all datasets.
    reach : int or str
        Datasets to be counted, or the name of the dataset to be named.
    share : float
        Probability that is asked for.
    now : Way
        The sizes as planned.
    everywhere : Way or None
        All sizes times one factor, the least that is enough; None if no number of items up to
        `MOST_ITEMS` is, and the sizes as planned if they are enough.
    fewest : Way or None
        The other sizes that need fewer items in all: only datasets that have few for their spread
        grow, or only the one to be named.
    runs : int or None
        Least number of runs of each system on every dataset with which the sizes as planned are
        enough; None without runs, or if no number up to `MOST_RUNS` is.
    """

    suite: Suite
    gain: float
    reach: int | str
    share: float
    now: Way
    everywhere: Way | None
    fewest: Way | None
    runs: int | None = None

    @property
    def enough(self):
        """Whether the sizes as planned are enough."""
        return self.now.probability >= self.share

    @property
    def possible(self):
        """Whether any number of items up to `MOST_ITEMS` is enough."""
        return self.everywhere is not None or self.fewest is not None

    @property
    def factor(self):
        """Least factor of all sizes; NaN if none is enough."""
        if self.everywhere is None:
            return math.nan
        return max(self.everywhere.sizes) / max(self.suite.sizes)

    def more(self, way):
        """Return the items that a way adds to each dataset, ndarray of int, shape (n,)."""
        return np.array(way.sizes) - self.suite.sizes

    @functools.cached_property
    def table(self):
        """Numbers of items by dataset.

        DataFrame with a row for each: ``dataset``, ``instances`` as planned, and with which the
        target is reached if all grow by one factor (``everywhere``) or only some (``fewest``);
        ``more`` is what the latter adds. Where datasets are to be counted, ``named`` is the number
        with which this dataset, the others being as planned, is named with the probability asked
        for. NaN where no number up to `MOST_ITEMS` is enough.
        """
        n = len(self.suite.sizes)
        ways = {"everywhere": self.everywhere, "fewest": self.fewest}
        columns = {name: way.sizes if way else (math.nan,) * n for name, way in ways.items()}
        columns["more"] = self.more(self.fewest) if self.fewest else math.nan
        if not isinstance(self.reach, str):
            columns["named"] = named_alone(self.suite, self.gain, self.share)
        return pd.DataFrame({"dataset": self.suite.names, "instances": self.suite.sizes} | columns)


def needed(planned, gain, reach, share=POWER):
    """Find how many items a target takes, and on which datasets.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets. `reach` (int or str):
    datasets to be counted at least, or the name of the dataset to be named. `share`: probability
    with which the target is to be reached, in (0, 1).

    Returns Needed. The least sizes found. The probability with these sizes holds as stated: one
    that is simulated is lowered by two standard errors before it is compared.

    Raises `InputError`: if there is no such target.

    Notes
    -----
    Power grows with the items, but for small steps where right and wrong answers are few: sizes are
    found by doubling and bisection. ``fewest`` is the cheaper one of two ways: to bring all
    datasets to the same number of items for their spread, or only the k that are nearest.

    Examples
    --------
    >>> from replicability.core import design
    >>> planned = design.suite([300] * 4, discordant=0.2, dependence="dependent")
    >>> found = needed(planned, 0.05, 1)
    >>> found.everywhere.sizes, found.everywhere.probability > 0.8
    ((379, 379, 379, 379), True)
    """
    checks.confidence_level(share, "power")
    check_reach(planned, reach)
    now = Way(planned.sizes, _probability(planned, gain, reach))
    found = functools.partial(Needed, planned, gain, reach, share, now)
    if now.probability >= share:
        return found(now, now)
    if planned.runs:
        found.keywords["runs"] = _least_runs(planned, gain, reach, share)
    need = needs(planned, gain)
    if not np.isfinite(need).all():
        return found(None, None)
    ask = functools.partial(_least, planned, gain, reach, share)
    everywhere = ask(_multiplied, max(planned.sizes))
    if isinstance(reach, str):
        only = np.array([name == reach for name in planned.names])
        ways = [_raised(planned, need, only)]
    else:
        order = np.argsort(-np.array(planned.sizes) / need, kind="stable")
        nearest = np.isin(np.arange(len(order)), order[:reach])
        groups = [np.ones(len(order), bool)] + ([nearest] if reach < len(order) else [])
        ways = [_raised(planned, need, group) for group in groups]
    few = [way for grown, start in ways if (way := ask(grown, start)) is not None]
    every = few + ([everywhere] if everywhere else [])
    return found(everywhere, min(every, key=lambda way: sum(way.sizes), default=None))


def laid_out(found):
    """Lay out what a target takes, for JSON.

    `found` (Needed): as `needed` returns it.

    Returns dict. The target, the probability with the sizes as planned and with both ways, the runs
    that would be enough, and the items of each dataset.
    """
    ways = {
        name: None
        if way is None
        else {"more": int(found.more(way).sum()), "probability": way.probability}
        for name, way in (("everywhere", found.everywhere), ("fewest", found.fewest))
    }
    return {
        "reach": found.reach,
        "gain": found.gain,
        "power": found.share,
        "probability": found.now.probability,
        "factor": found.factor,
        "runs": found.runs,
        **ways,
        "datasets": found.table.to_dict("records"),
    }


def needs(planned, gain):
    """Return the variance of the difference of one item over the squared distance to the claim.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets.

    Returns ndarray of float64, shape (n,). As many items make a standard error as large as the
    distance between the gain and the next one of which the claim is false; infinite where the claim
    is false of the gain.
    """
    spread = np.array(planned.unit)
    variance = spread if planned.binary else spread**2
    ends = [interval(planned.claim, margin) for margin in planned.margin or (None,)]
    distance = np.array([min(gain - low, high - gain) for low, high in ends])
    with np.errstate(divide="ignore"):
        need = np.array(planned.design_effect or 1.0) * variance / np.maximum(distance, 0.0) ** 2
    return np.broadcast_to(need, spread.shape)


def named_alone(planned, gain, share=POWER):
    """Return the items with which each dataset is named while the others are as planned.

    `planned` (suite.Suite): the plan. `gain`: true gain on all datasets. `share`: probability with
    which it is to be named, in (0, 1).

    Returns ndarray of float64, shape (n,). Numbers of items, those planned if they are enough; NaN
    where no number up to `MOST_ITEMS` is.

    Notes
    -----
    In each of `N_ALONE` families of the other datasets the largest p-value with which the dataset
    is named is found by bisection. How often the dataset has such a p-value then takes draws of it
    alone.
    """
    laws, order = planned.ordered(gain)
    draw = functools.partial(laws.draw, N_ALONE, np.random.SeedSequence(0))
    by_mid_p = planned.method in power_of_counts.BY_MID_P
    pvalues = draw(mid_p=by_mid_p)
    kinds, found = {}, np.empty(len(order))
    for place, original in enumerate(order):
        one = _one(planned, original)
        if one not in kinds:
            kinds[one] = _alone(one, gain, share, _largest(planned, pvalues, place))
        found[original] = kinds[one]
    return found


def _one(planned, place):
    """Return the suite of one dataset, without its name."""
    others = np.arange(len(planned.sizes)) != place
    return replace(planned.without(others), names=())


def _largest(planned, pvalues, place):
    """Return the largest p-value of a dataset with which each family names it."""
    trial = pvalues.copy()
    low, high = np.full(len(trial), math.log(_LEAST)), np.zeros(len(trial))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        trial[:, place] = np.exp(middle)
        named = power_of_counts.is_named(trial, place, planned.level, planned.method)
        low, high = np.where(named, middle, low), np.where(named, high, middle)
    return np.exp(low)


def _alone(one, gain, share, largest):
    """Return the items with which one dataset has p-values as small as families ask for."""
    by_mid_p = one.method in power_of_counts.BY_MID_P

    def probability(n):
        laws = replace(one, sizes=(n,)).laws(gain)
        draw = functools.partial(laws.draw, len(largest), np.random.SeedSequence(1))
        named = draw(mid_p=by_mid_p)[:, 0] <= largest
        if by_mid_p:
            named &= draw()[:, 0] <= one.level
        return power_of_counts.lowered(float(named.mean()), len(largest))

    (n,) = one.sizes
    if probability(n) >= share:
        return n
    return _least_number(lambda number: probability(number) >= share, n)


def check_reach(planned, reach):
    """Check that a suite has such a target.

    `planned` (suite.Suite): the plan. `reach` (int or str): datasets to be counted, or the name of
    one.

    Raises `InputError`: if it has not.
    """
    if isinstance(reach, str):
        checks.choice("reach: dataset", reach, planned.names)
        return
    n = len(planned.sizes)
    if not (checks.is_whole(reach) and 1 <= reach <= n):
        raise checks.InputError(
            f"{checks.named('reach')} is {reach!r}; pass the k-hat that you want (1 to {n}), or "
            "the dataset that you want to name."
        )


def _probability(planned, gain, reach):
    """Return the probability that a target is reached, lowered if it is simulated."""
    if isinstance(reach, str):
        return power_of_counts.lowered(planned.named(gain, reach), N_FAMILIES)
    return planned.law(gain).surely(reach)


def _multiplied(planned, largest):
    """Return the sizes of which the largest is so many, in the proportions of the plan."""
    most = max(planned.sizes)
    return tuple(-(-largest * size // most) for size in planned.sizes)


def _raised(planned, need, group):
    """Return sizes that are raised where they are small for the need, and where that begins."""
    share = need / need[group].max()

    def grown(planned, largest):
        raised = np.maximum(planned.sizes, np.ceil(largest * share - 1e-9)).astype(int)
        return tuple(np.where(group, raised, planned.sizes).tolist())

    return grown, max(1, math.floor((np.array(planned.sizes) / share)[group].min()))


def _least(planned, gain, reach, share, grown, start):
    """Return the way with the least sizes that are enough, or None."""

    def probability(number):
        return _probability(replace(planned, sizes=grown(planned, number)), gain, reach)

    number = _least_number(lambda number: probability(number) >= share, start)
    if math.isnan(number):
        return None
    return Way(grown(planned, number), probability(number))


def _least_runs(planned, gain, reach, share):
    """Return the least number of runs with which the sizes are enough, or None."""

    def enough(number):
        return _probability(planned.with_runs(number), gain, reach) >= share

    number = _least_number(enough, min(runs.number for runs in planned.runs), MOST_RUNS)
    return None if math.isnan(number) else number


def _least_number(enough, start, most=MOST_ITEMS):
    """Return the least number above a start that is enough, by doubling and bisection, or NaN."""
    low, high = start, 2 * start
    while not enough(high):
        low, high = high, 2 * high
        if high > most:
            return math.nan
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
