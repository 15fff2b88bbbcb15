"""A suite of datasets as it is planned: sizes, spread, claim and level, and the laws they imply.

Of right and wrong answers a suite has the share of discordant items, of other scores the standard
deviation of the differences.
"""

import functools
import math
from dataclasses import astuple, dataclass, replace

import numpy as np

from replicability import checks
from replicability.core import procedure
from replicability.stats import margins, power, power_of_counts
from replicability.stats.power_of_margins import Margins, interval
from replicability.stats.power_of_means import Means
from replicability.stats.power_of_runs import Crossed, Runs

ALTERNATIVES = ("two-sided", "greater")
"""Alternative hypotheses: both directions at alpha/2 each, or only "A is better"."""

MOST_RUNS = 10_000
"""Maximum number of runs per system in a plan."""

N_FAMILIES = 4_000
"""Number of families drawn where a distribution is simulated."""


@dataclass(frozen=True)
class Suite:
    """A plan of n datasets.

    Raises `InputError`: if the numbers are not as described.

    Attributes
    ----------
    sizes : tuple of int
        Numbers of items, or of units where these are drawn independently.
    spread : tuple of float
        Share of discordant items of each dataset, or standard deviation of the differences; with
        `runs` that of the items' true differences, which may be 0.
    binary : bool, default True
        Whether items are right or wrong, so that `spread` are shares.
    alpha : float, default 0.05
        Level of all claims together, in (0, 1).
    method : str, default that of independent datasets
        Local test of closed testing, one of `power_of_counts.METHODS`.
    shares : bool, default True
        Whether gains are shares, such as of accuracy, so that 0.01 is a point.
    claim : str, default "better"
        One of `margins.CLAIMS`.
    margin : tuple of float, default ()
        Margin of each dataset, in the unit of the gains; none for the claim "better".
    alternative : {"two-sided", "greater"}, default "two-sided"
        Whether both directions are tested, each at alpha/2, or only that of A.
    design_effect : tuple of float, default ()
        For each dataset the factor by which clusters of items, such as questions on one passage,
        raise the variance of the difference; none where items are independent.
    names : tuple of str, default ()
        Names of the datasets; their places, from 1, by default.
    runs : tuple of power_of_runs.Runs, default ()
        Runs of each dataset, where the claim covers new runs as well as new items.
    """

    sizes: tuple
    spread: tuple
    binary: bool = True
    alpha: float = 0.05
    method: str = procedure.LOCAL_TESTS["independent"]
    shares: bool = True
    claim: str = "better"
    margin: tuple = ()
    alternative: str = "two-sided"
    design_effect: tuple = ()
    names: tuple = ()
    runs: tuple = ()

    def __post_init__(self):
        checks.alpha(self.alpha)
        law = power.Outcomes if self.binary else power.Scores
        law(np.array(self.sizes), np.array(self.unit if self.runs else self.spread), 0.0)
        checks.choice("alternative", self.alternative, ALTERNATIVES)
        margin_of_each(self.claim, self.margin or None, len(self.sizes))
        for effect in self.design_effect:
            if not 0 < checks.finite("design_effect", effect) < math.inf:
                raise checks.InputError(
                    f"{checks.named('design_effect')} is {effect:g}, but a design effect is a "
                    "positive factor; pass 1 if items are independent."
                )
        self.laws(0.0)
        if len(self.sizes) > power_of_counts.MOST_DATASETS:
            raise checks.InputError(
                f"There are {len(self.sizes):,} datasets, but a plan can have at most "
                f"{power_of_counts.MOST_DATASETS:,}; plan fewer datasets."
            )
        if not self.names:
            object.__setattr__(self, "names", tuple(map(str, range(1, len(self.sizes) + 1))))

    @property
    def level(self):
        """Level of one direction: half of alpha where two are tested; equivalence has one."""
        both = self.alternative == "two-sided" and self.claim != "equivalent"
        return self.alpha / 2 if both else self.alpha

    @property
    def independent(self):
        """Numbers of independent items that say as much as the items, ndarray of int."""
        effect = np.array(self.design_effect or 1.0)
        return np.maximum(np.round(np.array(self.sizes) / effect), 1).astype(np.int64)

    @property
    def unit(self):
        """Standard deviation of the difference of one item between single runs, tuple of float."""
        if not self.runs:
            return self.spread
        return tuple(
            math.sqrt(sd**2 + runs.sides * (runs.sd**2 + runs.sd_rest**2))
            for sd, runs in zip(self.spread, self.runs, strict=True)
        )

    @property
    def most(self):
        """Largest gain that is possible on all datasets, or that is looked for."""
        return min(self.spread) if self.binary else 20 * max(self.unit)

    def laws(self, gain):
        """Return the laws of the datasets with one true gain on all of them.

        `gain` (float or sequence of float, shape (n,)): in the unit of the scores, as a share where
        items are right or wrong.

        Returns Outcomes, Margins, Means or Crossed. Of the p-values of the claim.

        Raises `InputError`: as these.

        Notes
        -----
        With a design effect a test compares sums over clusters. Its law is that of as many
        independent items as say as much, taken as normal.
        """
        low, high = np.transpose([interval(self.claim, m) for m in self.margin or (None,)])
        if self.runs:
            return Crossed(self.sizes, self.spread, self.runs, gain, low, high)
        truth = power.Scores
        spread = np.array(self.spread)
        if self.binary:
            truth = power.Outcomes
            outcomes = truth(self.independent, spread, gain)
            if self.design_effect:
                truth = power.Scores
                spread = np.sqrt(np.maximum(spread - outcomes.gain**2, np.finfo(float).tiny))
        laws = truth(self.independent, spread, gain)
        if truth is power.Scores:
            return Means(laws, low, high)
        return laws if self.claim == "better" else Margins(laws, low, high)

    def scaled(self, factor):
        """Return the suite with sizes times a factor, each at least 1."""
        least = 2 if self.runs else 1
        return replace(self, sizes=tuple(max(least, round(factor * n)) for n in self.sizes))

    @property
    def rated(self):
        """Whether the runs are raters, the same for both systems."""
        return any(runs.paired for runs in self.runs)

    def with_runs(self, number):
        """Return the suite with so many runs of each system; InputError if it has none."""
        if not self.runs:
            raise checks.InputError(
                f"{checks.named('runs')} is {number}, but the pilot's claim covers only its own "
                "runs; compare the pilot's systems with "
                f"{checks.given('claim_covers', repr('both'))}, or leave {checks.named('runs')} "
                "out."
            )
        number = runs_of_each(number)
        return replace(self, runs=tuple(replace(runs, number=number) for runs in self.runs))

    def with_more_runs(self, factor):
        """Return the suite with runs times a whole factor."""
        more = tuple(replace(runs, number=factor * runs.number) for runs in self.runs)
        return replace(self, runs=more)

    def law(self, gain, method=None):
        """Return the law of k-hat with one true gain on all datasets, a `CountLaw`."""
        return _law(self, _hashable(gain), method or self.method)

    def named(self, gain, name=None):
        """Return the probability that each dataset is named, or that one of them is.

        `gain` (float or sequence of float, shape (n,)): true gain on all datasets. `name`: name of
        the dataset.

        Returns ndarray of float64, shape (n,), or float. In the order of the datasets.
        """
        return (
            np.array(_named(self, _hashable(gain)))
            if name is None
            else _named(self, _hashable(gain), name)
        )

    def expected_names(self, gain):
        """Return the expected number of names: that of the exact law for Bonferroni's."""
        if self.method == "bonferroni":
            return self.law(gain).mean
        return float(self.named(gain).sum())

    def ordered(self, gain):
        """Return the laws in an order that does not depend on that of the datasets, and this order.

        `gain` (float or sequence of float, shape (n,)): true gain on all datasets.

        Returns (power.Outcomes, Margins or Means, ndarray of int, shape (n,)). The laws of the
        sorted datasets, and the place of each among the datasets as given.
        """
        gains = np.broadcast_to(np.asarray(gain, float), (len(self.sizes),))
        noise = [astuple(runs) for runs in self.runs]
        every = (self.sizes, self.spread, gains, self.margin, self.design_effect)
        every += tuple(zip(*noise, strict=True))
        order = np.lexsort([column for column in every if len(column)])
        return self._taken(order).laws(gains[order]), order

    def _taken(self, places):
        """Return the suite of the datasets at some places."""
        chosen = np.arange(len(self.sizes))[places]
        return replace(
            self,
            **{
                key: tuple(values[place] for place in chosen)
                for key in ("sizes", "spread", "margin", "design_effect", "names", "runs")
                if len(values := getattr(self, key))
            },
        )

    def joined(self, places):
        """Return the suite with the datasets at some places merged into one, the last.

        `places` (ndarray of bool, shape (n,)): datasets to merge.

        Returns Suite. The merged dataset has all their items, the variance of its differences, and
        the mean of margins and design effects.
        """
        rest, part = self._taken(~places), self._taken(places)
        weights = part.sizes
        spread = np.average(np.power(part.spread, 1 if self.binary else 2), weights=weights)
        one = {"sizes": sum(weights), "spread": float(spread if self.binary else spread**0.5)}
        for key in ("margin", "design_effect"):
            if getattr(self, key):
                one[key] = float(np.average(getattr(part, key), weights=weights))
        names = (*rest.names, " + ".join(part.names))
        return replace(
            rest, names=names, **{key: (*getattr(rest, key), value) for key, value in one.items()}
        )

    def without(self, places):
        """Return the suite without the datasets at some places.

        `places` (ndarray of bool, shape (n,)): datasets to leave out.

        Returns Suite. The others.
        """
        return self._taken(~places)


def _hashable(gain):
    return tuple(np.asarray(gain, float).tolist()) if np.ndim(gain) else float(gain)


@functools.lru_cache(maxsize=1_000)
def _law(planned, gain, method):
    """Compute the law of k-hat, once for each plan, gain and method."""
    laws, _ = planned.ordered(gain)
    if len(planned.sizes) == 1:
        method = "bonferroni"  # alone, every method asks for a p-value of at most the level
    return power_of_counts.k_hat(laws, planned.level, method, n_families=N_FAMILIES)


@functools.lru_cache(maxsize=1_000)
def _named(planned, gain, name=None):
    """Compute the probability that each dataset is named, or one, once for each plan and gain."""
    if len(planned.sizes) == 1:
        chance = planned.law(gain).at_least(1)
        return (chance,) if name is None else chance
    laws, order = planned.ordered(gain)
    ask = functools.partial(
        power_of_counts.named, laws, planned.level, planned.method, n_families=N_FAMILIES
    )
    if name is not None:
        return ask(place=order.tolist().index(planned.names.index(name)))
    return tuple(ask()[np.argsort(order)].tolist())


def suite(
    sizes,
    *,
    discordant=None,
    sd=None,
    alpha=0.05,
    dependence="independent",
    method="",
    claim="better",
    margin=None,
    alternative="",
    design_effect=1.0,
    runs=None,
    sd_runs=None,
):
    """Plan a suite from numbers.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of items of the datasets.
    discordant : float or sequence of float, optional
        Share of items that one of both systems wins; one for all, or one for each dataset.
    sd : float or sequence of float, optional
        Standard deviation of the differences, of scores that are not right or wrong.
    alpha : float, default 0.05
        Level, in (0, 1).
    dependence : {"independent", "positive", "dependent"}, default "independent"
        Of the datasets; it chooses the local test.
    method : str, default ""
        The local test that is asked for, if any.
    claim : str, default "better"
        One of `margins.CLAIMS`.
    margin : float or sequence of float, optional
        Margin of the claim, in the unit of the gains; one for all, or one for each dataset.
    alternative : {"two-sided", "greater"}, optional
        Whether both directions are tested, each at alpha/2, or only that of A; by default
        "two-sided", and "greater" for a claim with a margin.
    design_effect : float or sequence of float, default 1
        Factor by which clusters of items raise the variance of the difference.
    runs : int, optional
        Runs of each system, where the claim covers new runs as well as new items.
    sd_runs : float or sequence of float, optional
        Standard deviation of a system's score over such runs, on infinitely many items.

    Returns
    -------
    Suite
        The plan.

    Raises
    ------
    InputError
        If not exactly one of `discordant` and `sd` is given, or a number is not as described.
    """
    if (discordant is None) == (sd is None):
        raise checks.InputError(
            f"Give either {checks.named('discordant')}, the share of items that only one system "
            f"gets right, or {checks.named('sd')}, the standard deviation of the differences for "
            "other scores."
        )
    sizes = tuple(np.atleast_1d(sizes).tolist())
    n, binary = len(sizes), sd is None
    spread = _each("discordant", discordant, n) if binary else _each("sd", sd, n)
    effects = _each("design_effect", design_effect, n)
    among = ()
    if runs is not None or sd_runs is not None:
        _check_runs(runs, sd_runs, sd, effects)
        among = tuple(Runs(int(runs), one) for one in _each("sd_runs", sd_runs, n))
    planned = Suite(
        sizes,
        spread,
        binary,
        alpha,
        shares=binary,
        claim=claim,
        margin=margin_of_each(claim, margin, n),
        alternative=alternative or usual_alternative(claim),
        design_effect=() if set(effects) <= {1.0} else effects,
        runs=among,
    )
    return as_compared(planned, dependence, method)


def _check_runs(runs, sd_runs, sd, effects):
    """Check what is said of runs."""
    if runs is None or sd_runs is None or sd is None or set(effects) != {1.0}:
        raise checks.InputError(
            f"To plan runs, give {checks.named('runs')} (the number for each system), "
            f"{checks.named('sd_runs')} and {checks.named('sd')}, but not "
            f"{checks.named('design_effect')}; otherwise, leave "
            f"{checks.named('runs')} and {checks.named('sd_runs')} out."
        )
    runs_of_each(runs)


def runs_of_each(number):
    """Check a number of runs of each system, and return it."""
    if not (checks.is_whole(number) and 2 <= number <= MOST_RUNS):
        raise checks.InputError(
            f"{checks.named('runs')} is {number!r}; pass a number from 2 to {MOST_RUNS:,}, because "
            "one run does not show how much runs vary."
        )
    return int(number)


def usual_alternative(claim):
    """Return the directions that a comparison tests if none are asked for."""
    return "two-sided" if claim == "better" else "greater"


def claiming(planned, claim="better", margin=None):
    """Return a plan for another claim.

    `planned` (Suite): the plan. `claim`, `margin`: as for `suite`.

    Returns Suite. With the local test that it had, and the directions that are usual for the claim.

    Raises `InputError`: if the margin does not go with the claim.
    """
    return replace(
        planned,
        claim=claim,
        margin=margin_of_each(claim, margin, len(planned.sizes)),
        alternative=usual_alternative(claim),
    )


def as_compared(planned, dependence="independent", method=""):
    """Return a plan with the local test that a comparison of such datasets uses.

    `planned` (Suite): the plan. `dependence`, `method`: as for `suite`.

    Returns Suite. With `method` set: of right and wrong answers of independent items, "discrete".

    Raises `InputError`: if there is no such dependence or method, or the method is not valid under
    it.
    """
    checks.choice("dependence", dependence, tuple(procedure.LOCAL_TESTS))
    exact = planned.binary and planned.claim == "better" and not planned.design_effect
    drawn = exact and 1 < len(planned.sizes) <= procedure.MOST_DRAWN
    chosen = procedure.local_test(dependence, drawn=drawn, method=method)
    return replace(planned, method=chosen)


def margin_of_each(claim, margin, n):
    """Return the margin of each dataset, checked.

    `claim`: one of `margins.CLAIMS`. `margin` (float or sequence of float): one for all n datasets,
    or one for each. `n`: number of datasets.

    Returns tuple of float. n margins; none for the claim "better".

    Raises `InputError`: if the margin does not go with the claim.
    """
    given = (None,) if margin is None else _each("margin", margin, n)
    checked = tuple(margins.check(claim, one) for one in given)
    return () if claim == "better" else checked


def numbers(name, given):
    """Return a number, or a sequence of numbers, as a tuple of float."""
    try:
        return tuple(np.atleast_1d(np.asarray(given, float)).ravel().tolist())
    except (TypeError, ValueError):
        raise checks.InputError(
            f"{checks.named(name)} is {checks.cut(given)}, which is neither a number nor a list of "
            "numbers; pass a number or a list of numbers."
        ) from None


def _each(name, given, n):
    """Return one number for each of n datasets."""
    values = numbers(name, given)
    if len(values) not in (1, n):
        raise checks.InputError(
            f"{checks.named(name)} has {len(values)} numbers for {n} datasets; give one "
            "number for all datasets, or one for each."
        )
    return values * n if len(values) == 1 else values
