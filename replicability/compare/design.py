"""Design: what a suite of datasets can show, before anything is run.

A suite is planned from numbers, or from the instances of a pilot. Of right and wrong answers it has
the share of discordant instances, of other scores the standard deviation of the differences.
"""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.compare import procedure, recommendation, units
from replicability.stats import closed_testing, paired, power, power_of_counts

FACTORS = (0.5, 1, 2, 4)
"""Multiples of the planned sizes in a table."""

N_FAMILIES = 4_000
"""Families that are drawn for a cell of a table where its law is simulated."""

GAINS = (0.01, 0.03, 0.05)
"""Gains of a table, as shares of the instances."""

GAINS_IN_SD = (0.1, 0.2, 0.3)
"""Gains of a table of other scores, in standard deviations of the differences."""

HALVINGS = 10
"""Steps of the search for a least gain, which is stated to a tenth of a point."""

POWER = 0.8
"""Probability with which something is to be shown."""


@dataclass(frozen=True)
class Suite:
    """A plan of n datasets.

    Attributes
    ----------
    sizes : tuple of int
        Numbers of instances that are drawn independently.
    spread : tuple of float
        Share of discordant instances of each dataset, or standard deviation of the differences.
    binary : bool, default True
        Whether instances are right or wrong, so that `spread` are shares.
    alpha : float, default 0.05
        Level of all claims together, in (0, 1).
    method : str, default "fisher"
        Local test of closed testing, one of `closed_testing.METHODS`.
    shares : bool, default True
        Whether gains are shares, such as of accuracy, so that 0.01 is a point.

    Raises
    ------
    InputError
        If the numbers are not as described.
    """

    sizes: tuple
    spread: tuple
    binary: bool = True
    alpha: float = 0.05
    method: str = "fisher"
    shares: bool = True

    def __post_init__(self):
        checks.alpha(self.alpha)
        self.laws(0.0)
        if len(self.sizes) > power_of_counts.MOST_DATASETS:
            raise checks.InputError(
                f"There are {len(self.sizes):,} datasets; plan at most "
                f"{power_of_counts.MOST_DATASETS:,}."
            )

    def laws(self, gain):
        """Return the laws of the datasets with one true gain on all of them.

        Parameters
        ----------
        gain : float
            In the unit of the scores, as a share where instances are right or wrong.

        Returns
        -------
        power.Outcomes or power.Scores
            Of the n datasets.

        Raises
        ------
        InputError
            As these.
        """
        law = power.Outcomes if self.binary else power.Scores
        return law(np.array(self.sizes), np.array(self.spread), gain)

    @property
    def most(self):
        """Largest gain that is possible on all datasets, or that is looked for."""
        return min(self.spread) if self.binary else 20 * max(self.spread)

    def scaled(self, factor):
        """Return the suite with sizes times a factor, each at least 1."""
        return replace(self, sizes=tuple(max(1, round(factor * n)) for n in self.sizes))

    def law(self, gain, method=None):
        """Return the law of k-hat with one true gain on all datasets, a `CountLaw`."""
        return power_of_counts.k_hat(
            self.laws(gain), self.alpha, method or self.method, n_families=N_FAMILIES
        )


def suite(sizes, *, discordant=None, sd=None, alpha=0.05, dependence="independent", method=""):
    """Plan a suite from numbers.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of instances of the datasets.
    discordant : float or sequence of float, optional
        Share of instances that one of both systems wins; one for all, or one for each dataset.
    sd : float or sequence of float, optional
        Standard deviation of the differences, of scores that are not right or wrong.
    alpha : float, default 0.05
        Level, in (0, 1).
    dependence : {"independent", "positive", "dependent"}, default "independent"
        Of the datasets; it chooses the local test.
    method : str, default ""
        The local test that is asked for, if any.

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
            f"Give either {checks.named('discordant')}, the share of instances that one of both "
            f"systems wins, or {checks.named('sd')}, the standard deviation of the differences of "
            "scores that are not right or wrong."
        )
    checks.choice("dependence", dependence, tuple(procedure.LOCAL_TESTS))
    if method:
        checks.choice("method", method, closed_testing.METHODS)
    chosen = procedure.local_test(dependence, method=method)
    name, spread = ("discordant", discordant) if sd is None else ("sd", sd)
    sizes = tuple(np.atleast_1d(sizes).tolist())
    spread = np.atleast_1d(spread).tolist()
    if len(spread) not in (1, len(sizes)):
        raise checks.InputError(
            f"{checks.named(name)} has {len(spread)} numbers for {len(sizes)} datasets; give one "
            "for all, or one for each."
        )
    spread = tuple(spread * len(sizes) if len(spread) == 1 else spread)
    return Suite(sizes, spread, sd is None, alpha, chosen, shares=sd is None)


def pilot(datasets, *, alpha=0.05, dependence="independent", method=""):
    """Plan a suite from the instances of a pilot.

    Parameters
    ----------
    datasets : sequence of instances.Dataset
        Scores of both systems.
    alpha, dependence, method
        As for `suite`.

    Returns
    -------
    (Suite, DataFrame)
        The plan; and for each ``dataset`` its ``instances``, the ``size`` in the plan, the
        ``spread`` and the observed ``gain``.

    Raises
    ------
    InputError
        If there are gold ratings, whose correlations have no gain, or a dataset has one unit.

    Notes
    -----
    The share of discordant instances is (d + 1)/(n + 2), so that it is not 0 where none was seen.
    Where a unit is larger than an instance, sizes are divided by the design effect, so that they
    are those of instances that say as much when they are independent; of scores that are not right
    or wrong the units themselves are counted.
    """
    if any(dataset.gold is not None for dataset in datasets):
        raise checks.InputError(
            "A pilot with gold ratings compares correlations, for which no power is computed here; "
            "use a score of each instance."
        )
    drawn = list(map(units.by_unit, datasets))
    binary = all(_is_binary(dataset) for dataset in datasets)
    rows = []
    for whole, dataset in zip(datasets, drawn, strict=True):
        shown = paired.difference(
            *map(units.with_size, (dataset.a, dataset.b)), metric=dataset.metric
        )
        if len(dataset) < 2 or not math.isfinite(shown.standard_error):
            raise checks.InputError(
                f"Dataset {dataset.name!r} of the pilot has {len(dataset)} unit, of which no "
                "spread can be seen; leave it out, or bring at least two."
            )
        row = {"dataset": dataset.name, "instances": len(whole)}
        if binary:
            effect = 1.0 if whole is dataset else units.design_effect(whole, dataset)
            n, d = len(whole), np.count_nonzero(whole.a != whole.b)
            size = n / effect if effect > 0 else n
            row |= {"size": max(1, round(size)), "spread": (d + 1) / (n + 2)}
        else:
            sd = shown.standard_error * math.sqrt(len(dataset))
            row |= {"size": len(dataset), "spread": sd}
        rows.append(row | {"gain": shown.effect})
    seen = pd.DataFrame(rows)
    _refuse_constant(seen, binary)
    key = "discordant" if binary else "sd"
    planned = suite(
        seen["size"].tolist(),
        **{key: seen["spread"].tolist()},
        alpha=alpha,
        dependence=dependence,
        method=method,
    )
    return replace(planned, shares=binary or all(d.a.ndim == 2 for d in datasets)), seen


def resized(planned, sizes):
    """Return a plan with other datasets, of which each has the mean spread of the first ones.

    Parameters
    ----------
    planned : Suite
        The plan, such as that of a pilot.
    sizes : sequence of int
        Numbers of instances of the datasets.

    Returns
    -------
    Suite
        With the mean of the spreads, weighted by the sizes.

    Raises
    ------
    InputError
        As `Suite`.
    """
    mean = float(np.average(planned.spread, weights=planned.sizes))
    return replace(planned, sizes=tuple(sizes), spread=(mean,) * len(sizes))


def _is_binary(dataset):
    return recommendation.kind_of(dataset.a, dataset.b) == "binary"


def _refuse_constant(seen, binary):
    """Refuse datasets of a pilot whose differences are all the same."""
    constant = seen["dataset"][seen["spread"] <= 0]
    if not binary and len(constant):
        raise checks.InputError(
            f"Dataset {constant.iloc[0]!r} of the pilot has the same difference on every unit, "
            f"which tells no spread; leave it out, or give {checks.named('sd')}."
        )


def gains_of(planned):
    """Return the gains of a table that are possible on all datasets."""
    if planned.shares:
        return tuple(gain for gain in GAINS if gain <= planned.most) or (planned.most,)
    return tuple(float(np.mean(planned.spread)) * gain for gain in GAINS_IN_SD)


def asked_gains(planned, gains=()):
    """Return the gains that are asked for, or those of a table, checked.

    Parameters
    ----------
    planned : Suite
        The plan.
    gains : sequence of float, optional
        True gains of A on all datasets, 0 or more.

    Returns
    -------
    tuple of float
        The gains; those of `gains_of` if none is given.

    Raises
    ------
    InputError
        If a gain is below 0, or is not possible on a dataset.
    """
    chosen = tuple(map(float, gains)) or tuple(gains_of(planned))
    for gain in chosen:
        if not gain >= 0:
            raise checks.InputError(
                f"A gain is {gain:g}, but what is to be shown is that A is better, by 0 or more; "
                "leave out the sign if the other system is."
            )
        planned.laws(gain)
    return chosen


def points(gain, shares=True):
    """Write a gain: in points if it is a share, else as the number it is.

    Parameters
    ----------
    gain : float
        The gain, as a share or in the unit of the scores.
    shares : bool, default True
        Whether it is a share.

    Returns
    -------
    str
        Such as "3 points".

    Examples
    --------
    >>> points(0.03), points(0.01), points(0.0262)
    ('3 points', '1 point', '2.6 points')
    """
    if not shares:
        return f"{gain:.3g}"
    number = f"{round(100 * gain, 1):g}"
    return f"{number} point{'s' * (number != '1')}"


def sizes_of(planned):
    """Write the sizes of a suite in short, such as "500" or "40 to 400"."""
    least, most = min(planned.sizes), max(planned.sizes)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def table(planned, gains=(), factors=FACTORS):
    """Tabulate what is expected to be shown, by size and gain.

    Parameters
    ----------
    planned : Suite
        The plan.
    gains : sequence of float, optional
        True gains on all datasets; `gains_of` by default.
    factors : sequence of float
        Multiples of the sizes.

    Returns
    -------
    DataFrame
        A row for each: ``instances``, ``factor``, ``gain``, expected ``count`` of p <= alpha,
        expected ``bonferroni`` (k-hat, and the number of Holm's names), expected ``k_hat`` by the
        method of the suite with its ``standard_error`` from simulation, and the probability of
        ``any``, that it is 1 or more.

    Raises
    ------
    InputError
        As `power.Outcomes`.
    """
    rows = []
    for factor in factors:
        part = planned.scaled(factor)
        for gain in gains or gains_of(planned):
            bonferroni = part.law(gain, "bonferroni")
            law = bonferroni if part.method == "bonferroni" else part.law(gain)
            rows.append(
                {
                    "instances": sizes_of(part),
                    "factor": factor,
                    "gain": gain,
                    "count": power_of_counts.expected_count(part.laws(gain), part.alpha),
                    "bonferroni": bonferroni.mean,
                    "k_hat": law.mean,
                    "standard_error": law.standard_error,
                    "any": law.at_least(1),
                }
            )
    return pd.DataFrame(rows)


def least_gains(planned, share=POWER):
    """Tabulate the least true gain with which so many datasets are shown.

    Parameters
    ----------
    planned : Suite
        The plan.
    share : float, default 0.8
        Probability with which they are, in (0, 1).

    Returns
    -------
    DataFrame
        ``shown`` (at least 1, half and all of the datasets) and ``gain``, missing where none that
        is possible is enough.

    Raises
    ------
    InputError
        As `power_of_counts.least_gain`.
    """
    n, law_of = len(planned.sizes), functools.cache(planned.law)
    return pd.DataFrame(
        {
            "shown": k,
            "gain": power_of_counts.least_gain(
                law_of, k, share, most=planned.most, halvings=HALVINGS
            ),
        }
        for k in sorted({1, math.ceil(n / 2), n})
    )


def small_sets(planned, gain):
    """Compare the suite as planned with its small datasets merged into one, and without them.

    Parameters
    ----------
    planned : Suite
        The plan; small datasets have less than half of the instances of the largest.
    gain : float
        True gain on all datasets.

    Returns
    -------
    DataFrame or None
        ``suite`` ("kept", "merged", "dropped"), number of ``datasets``, expected ``k_hat`` and its
        ``standard_error``; None if fewer than two datasets are small.
    """
    sizes, spread = np.array(planned.sizes), np.array(planned.spread)
    small = 2 * sizes < sizes.max()
    if small.sum() < 2:
        return None
    mean = np.average(spread[small] if planned.binary else spread[small] ** 2, weights=sizes[small])
    one = mean if planned.binary else math.sqrt(mean)
    large = replace(planned, sizes=tuple(sizes[~small]), spread=tuple(spread[~small]))
    merged = replace(
        planned,
        sizes=(*large.sizes, int(sizes[small].sum())),
        spread=(*large.spread, float(one)),
    )
    rows = []
    for name, part in (("kept", planned), ("merged", merged), ("dropped", large)):
        law = part.law(gain)
        rows.append(
            {
                "suite": name,
                "datasets": len(part.sizes),
                "k_hat": law.mean,
                "standard_error": law.standard_error,
            }
        )
    return pd.DataFrame(rows)
