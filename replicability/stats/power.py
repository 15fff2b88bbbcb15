r"""Power: how often a test shows a true gain, from the size of a dataset, before anything is run.

Of N items a share :math:`\pi` is discordant: A and B are not both right or both wrong. With a
true gain :math:`\delta`, the accuracy of A less that of B, A wins a discordant item with
probability :math:`\theta = (\pi + \delta) / 2\pi`. McNemar's exact test rejects at the level alpha
with at least c(d; alpha) wins of d, so that its power is

.. math:: \sum_d P(\mathrm{Bin}(N, \pi) = d) \, P(\mathrm{Bin}(d, \theta) \ge c(d; \alpha)).

Of other scores the standard deviation of the differences between A and B takes the place of
:math:`\pi`, and the power of the sign-flip test is approximated by that for normal differences.

What many datasets show together is in `replicability.stats.power_of_counts`.

References
----------
Connor (1987), Biometrics 43(1), 207-211 (power of McNemar's test). Noreen (1989), Computer-
Intensive Methods for Testing Hypotheses, Wiley (sign flips).
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.critical_wins import (
    at_least_wins,
    critical_wins,
    least_wins,
    levels,
    numbers_of_discordant,
    winning,
)
from replicability.stats.paired.binary import mcnemar_pvalues

__all__ = [
    "MOST_INSTANCES",
    "SIGN_FLIP_ERRORS",
    "Outcomes",
    "Scores",
    "children",
    "critical_wins",
    "least_wins",
    "mcnemar",
    "of_each",
    "sign_flip",
    "tabled_error",
]

MOST_INSTANCES = 10**8
"""Maximum number of items per dataset in a power calculation."""

SIGN_FLIP_ERRORS = {
    (20, 0.05): (0.04, 0.13),
    (20, 0.0025): (0.20, 0.31),
    (50, 0.05): (0.02, 0.08),
    (50, 0.0025): (0.05, 0.16),
    (100, 0.05): (0.01, 0.05),
    (100, 0.0025): (0.03, 0.09),
    (300, 0.05): (0.02, 0.03),
    (300, 0.0025): (0.02, 0.05),
}
"""Maps (N, alpha) to the estimated error of `sign_flip` for symmetric and for strongly skewed
differences. The errors are estimates, not bounds: the largest absolute differences, rounded up, in
10,000 simulated samples at powers of about .25, .5 and .8. Differences were normal, uniform,
three-valued, or exponential in both directions (``python benchmarks/power.py``).
"""

_BLOCK = 64  # numbers of discordant instances whose critical wins are computed together
_FAR = 30.0  # standard errors beyond which Student's t is taken as normal


def mcnemar(n_instances, discordant, gain, alpha=0.05):
    r"""Power of McNemar's exact one-sided test, elementwise.

    Parameters
    ----------
    n_instances : array_like of int
        Items of a dataset, 1 to `MOST_INSTANCES`.
    discordant : array_like of float
        Share of them on which exactly one of both systems is right, in (0, 1].
    gain : array_like of float
        Accuracy of A less that of B, as a share, between -`discordant` and `discordant`.
    alpha : array_like of float, default 0.05
        Level, in (0, 1).

    Returns
    -------
    ndarray or float
        Probability that the p-value of `paired.mcnemar` is at most alpha.

    Raises
    ------
    InputError
        If an argument is not as described, or their shapes do not fit together.

    Notes
    -----
    Exact for independent items, but for terms of the first sum that are below 1e-16 together;
    rejection is decided by the same p-values as in `paired.mcnemar_pvalues`.

    Examples
    --------
    >>> mcnemar(500, 0.15, 0.03, [0.05, 0.05 / 20]).round(3)
    array([0.49 , 0.117])
    """
    laws = Outcomes(*_raveled(n_instances, discordant, gain, alpha)[:3])
    shape = np.broadcast_shapes(*map(np.shape, (n_instances, discordant, gain, alpha)))
    flat = np.broadcast_to(levels(alpha), shape).ravel()
    steps, place = np.unique(flat, return_inverse=True)
    power = laws.power(steps)[np.arange(flat.size), place]
    return power.reshape(shape) if shape else float(power[0])


def sign_flip(n_instances, sd, gain, alpha=0.05):
    r"""Approximate power of the one-sided sign-flip test, elementwise.

    Parameters
    ----------
    n_instances : array_like of int
        Items of a dataset, 1 to `MOST_INSTANCES`.
    sd : array_like of float
        Standard deviation of the differences between the scores of A and B, above 0.
    gain : array_like of float
        Mean of these differences, in the same unit.
    alpha : array_like of float, default 0.05
        Level, in (0, 1).

    Returns
    -------
    ndarray or float
        Approximate probability that the p-value of `paired.sign_flip` is at most alpha; 0 where
        even the least p-value, :math:`2^{-N}`, is larger.

    Raises
    ------
    InputError
        If an argument is not as described, or their shapes do not fit together.

    Notes
    -----
    The power of the t-test for normal differences, which sign flips approach: that of Student's t
    with N - 1 degrees of freedom, off its centre by the gain over its standard error. For other
    differences `SIGN_FLIP_ERRORS` has an estimate of the error. Paired right and wrong answers have
    an exact power, `mcnemar`.

    Examples
    --------
    >>> round(sign_flip(500, 0.4, 0.03), 3)
    0.512
    """
    laws = Scores(*_raveled(n_instances, sd, gain, alpha)[:3])
    shape = np.broadcast_shapes(*map(np.shape, (n_instances, sd, gain, alpha)))
    power = laws.approximate(np.broadcast_to(levels(alpha), shape).ravel())
    return power.reshape(shape) if shape else float(power[0])


def tabled_error(errors, n_instances, alpha):
    """Return the errors of the next smaller dataset and level that were tried, or the smallest.

    `errors` has a pair for each (instances, level); below all sizes the pair is NaN.
    """
    n, level = checks.at_least("n_instances", n_instances), checks.alpha(alpha)
    sizes, tried = ({key[i] for key in errors} for i in (0, 1))
    if n < min(sizes):
        return math.nan, math.nan
    below = max((one for one in tried if one <= level), default=min(tried))
    return errors[max(size for size in sizes if size <= n), below]


def of_each(power, alpha, *columns):
    """Return the power on each dataset at each level, computed once where datasets are alike.

    `power`: ``power(n, *others, levels)`` of a dataset with n items. `columns`: numbers of items,
    and what else `power` takes, of all datasets.

    Returns ndarray of float64, shape (n, m).
    """
    at = np.atleast_1d(levels(alpha))
    different, place = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    return np.array([power(int(n), *rest, at) for n, *rest in different])[place.ravel()]


@dataclass(frozen=True)
class Outcomes:
    """Laws of right and wrong answers of two systems on n datasets.

    Attributes
    ----------
    n_instances : array_like of int, shape (n,)
        Sizes, 1 to `MOST_INSTANCES`.
    discordant : array_like of float, shape (n,)
        Shares of items that one of both systems wins, in (0, 1].
    gain : array_like of float, shape (n,)
        True differences of the accuracies, at most `discordant` in absolute value.

    Raises
    ------
    InputError
        If a number is not as described; its place is named.
    """

    n_instances: np.ndarray
    discordant: np.ndarray
    gain: np.ndarray

    def __post_init__(self):
        """Check the numbers, and give them one shape."""
        share = arguments.numbers("discordant", self.discordant)
        _refuse(
            "discordant",
            share,
            ~((share > 0) & (share <= 1)),
            "the share of items on which only one system is right must be above 0 and at most 1; "
            "write, for example, 0.15 for 15%",
        )
        sizes, share, gain = _vectors(self.n_instances, share, self.gain, "discordant")
        index = checks.first_true(np.abs(gain) > share)
        if index is not None:
            raise checks.InputError(
                f"{checks.place('gain', index)} is {gain[index]:g}, but it cannot exceed the share "
                f"of discordant items, {share[index]:g}; write, for example, 0.03 for 3 points, or "
                "increase discordant."
            )
        for name, value in (("n_instances", sizes), ("discordant", share), ("gain", gain)):
            object.__setattr__(self, name, value)

    def power(self, alpha):
        """Probability of p <= alpha on each dataset.

        Parameters
        ----------
        alpha : array_like of float, shape (m,)
            Levels, in (0, 1).

        Returns
        -------
        ndarray of float64, shape (n, m)
            As `mcnemar`; exact.
        """
        columns = self.n_instances, self.discordant, self.gain
        return of_each(functools.partial(_mcnemar, blocks={}), alpha, *columns)

    def draw(self, n_families, seed, *, mid_p=False):
        """Draw p-values from their exact laws.

        Parameters
        ----------
        n_families : int
            Families to draw.
        seed : SeedSequence
            Every dataset has a child of it.
        mid_p : bool, default False
            Whether to return mid-p-values, of the same outcomes.

        Returns
        -------
        ndarray of float64, shape (n_families, n)
            p-values of the exact test, or their mid-p-values.
        """
        wins, losses = self.outcomes(n_families, seed)
        variant = "mid-p" if mid_p else "exact"
        pairs = zip(wins.T, losses.T, strict=True)
        return np.column_stack([_looked_up(w, w + lost, variant) for w, lost in pairs])

    def outcomes(self, n_families, seed):
        """Draw numbers of wins and losses.

        Parameters
        ----------
        n_families, seed
            As for `draw`.

        Returns
        -------
        (ndarray of int64, ndarray of int64), each of shape (n_families, n)
            Items that A wins and that B wins.
        """
        theta = winning(self.discordant, self.gain)
        found = np.empty((2, n_families, len(theta)), dtype=np.int64)
        for j, child in enumerate(children(seed, len(theta))):
            rng = np.random.default_rng(child)
            d = rng.binomial(self.n_instances[j], self.discordant[j], n_families)
            found[0, :, j] = rng.binomial(d, theta[j])
            found[1, :, j] = d - found[0, :, j]
        return found[0], found[1]


@dataclass(frozen=True)
class Scores:
    """Laws of the differences between scores of two systems on n datasets, taken as normal.

    Attributes
    ----------
    n_instances : array_like of int, shape (n,)
        Sizes, 1 to `MOST_INSTANCES`.
    sd : array_like of float, shape (n,)
        Standard deviations of the differences between A and B, above 0.
    gain : array_like of float, shape (n,)
        True means of these differences, in the same unit.

    Raises
    ------
    InputError
        If a number is not as described; its place is named.
    """

    n_instances: np.ndarray
    sd: np.ndarray
    gain: np.ndarray

    def __post_init__(self):
        """Check the numbers, and give them one shape."""
        sd = arguments.numbers("sd", self.sd)
        _refuse(
            "sd",
            sd,
            ~(sd > 0),
            "the standard deviation of differences must be above 0; pass a positive number",
        )
        sizes, sd, gain = _vectors(self.n_instances, sd, self.gain, "sd")
        for name, value in (("n_instances", sizes), ("sd", sd), ("gain", gain)):
            object.__setattr__(self, name, value)

    def power(self, alpha):
        """Approximate probability of p <= alpha on each dataset.

        Parameters
        ----------
        alpha : array_like of float, shape (m,)
            Levels, in (0, 1).

        Returns
        -------
        ndarray of float64, shape (n, m)
            As `sign_flip`.
        """
        return self.approximate(np.atleast_1d(levels(alpha)), axis=1)

    def approximate(self, levels, axis=0):
        """As `power`, at one level for each dataset, or, along a new axis, at all for each."""
        n, sd, gain = self.n_instances, self.sd, self.gain
        if axis:
            n, sd, gain = n[:, None], sd[:, None], gain[:, None]
        freedom, away = np.maximum(n - 1, 1), gain / sd * np.sqrt(n)
        critical = special.stdtrit(freedom, 1 - levels)
        power = 1 - special.nctdtr(freedom, away, critical)
        power = np.where(np.abs(away) < _FAR, power, special.ndtr(away - critical))
        return np.where(0.5 ** n.astype(float) <= levels, np.clip(power, 0, 1), 0.0)

    def draw(self, n_families, seed, *, mid_p=False):
        """Draw p-values from the law of `sign_flip`.

        Parameters
        ----------
        n_families : int
            Families to draw.
        seed : SeedSequence
            Every dataset has a child of it.
        mid_p : bool, default False
            No difference: the law is continuous.

        Returns
        -------
        ndarray of float64, shape (n_families, n)
            p-values, none below 1/2^N.
        """
        away = self.gain / self.sd * np.sqrt(self.n_instances)
        errors, spread, _ = self.errors(n_families, seed)
        pvalues = special.stdtr(np.maximum(self.n_instances - 1, 1), -(away + errors) / spread)
        return np.maximum(pvalues, 0.5 ** self.n_instances.astype(float))

    def errors(self, n_families, seed):
        """Draw errors of mean, spread and skewness, which are independent.

        Parameters
        ----------
        n_families, seed
            As for `draw`.

        Returns
        -------
        three ndarray of float64, each of shape (n_families, n)
            Error of each mean in standard errors; estimated over true standard deviation; skewness
            in its standard deviations.
        """
        found = np.empty((3, n_families, len(self.gain)))
        for j, child in enumerate(children(seed, len(self.gain))):
            rng, freedom = np.random.default_rng(child), max(self.n_instances[j] - 1, 1)
            found[1, :, j] = np.sqrt(rng.chisquare(freedom, n_families) / freedom)
            found[0, :, j], found[2, :, j] = rng.normal(size=(2, n_families))
        return found


def children(seed, n):
    """Return a seed of its own for each dataset, the same whenever it is called.

    Parameters
    ----------
    seed : SeedSequence
        It is left as it is, unlike by its own ``spawn``.
    n : int
        Number of datasets.

    Returns
    -------
    list of SeedSequence
        n seeds.
    """
    return [np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, j)) for j in range(n)]


def _critical(first, last, at, blocks):
    """Return critical wins of first, ..., last discordant items, in rows, from known blocks."""
    wanted = range(first // _BLOCK, last // _BLOCK + 1)
    for block in set(wanted) - blocks.keys():
        d = np.arange(block * _BLOCK, (block + 1) * _BLOCK)
        blocks[block] = critical_wins(d[:, None], at)
    rows = np.concatenate([blocks[block] for block in wanted])
    return rows[first - wanted[0] * _BLOCK : last + 1 - wanted[0] * _BLOCK]


def _mcnemar(n, share, gain, at, blocks):
    """Sum the power of one dataset over its number of discordant items, at all levels."""
    d, weights = numbers_of_discordant(n, share)
    wins = _critical(d[0], d[-1], at, blocks)
    return np.clip(weights @ at_least_wins(wins, d[:, None], winning(share, gain)), 0, 1)


def _looked_up(wins, d, variant):
    """Return McNemar's p-values of many draws, each computed once where draws repeat."""
    first, least = d.min(), wins.min()
    shape = (d.max() - first + 1, wins.max() - least + 1)
    if shape[0] * shape[1] > d.size:
        return mcnemar_pvalues(wins, d - wins, variant=variant)
    all_d, all_wins = np.ogrid[first : first + shape[0], least : least + shape[1]]
    table = mcnemar_pvalues(all_wins, np.maximum(all_d - all_wins, 0), variant=variant)
    return table[d - first, wins - least]


def _raveled(*arrays):
    """Give arrays one shape, and lay them out in one row."""
    names = ("n_instances", "discordant or sd", "gain", "alpha")
    together = arguments.together(**dict(zip(names, map(np.asarray, arrays), strict=True)))
    return [array.ravel() for array in together]


def _vectors(sizes, spread, gain, name):
    """Return sizes, spreads and gains of n datasets, checked and of one length."""
    sizes = arguments.counts("n_instances", sizes)
    _refuse(
        "n_instances",
        sizes,
        sizes < 1,
        "a dataset needs at least one item; leave out datasets without items",
    )
    most = f"{MOST_INSTANCES:,}"
    _refuse(
        "n_instances",
        sizes,
        sizes > MOST_INSTANCES,
        f"power can be computed only up to {most} items; plan with fewer",
    )
    arrays = {"n_instances": sizes, name: spread, "gain": arguments.numbers("gain", gain)}
    together = [np.atleast_1d(array) for array in arguments.together(**arrays)]
    if together[0].ndim > 1 or not together[0].size:
        raise checks.InputError(
            f"n_instances, {name} and gain have the shape {together[0].shape}; pass one number for "
            "each dataset."
        )
    return together


def _refuse(name, values, wrong, why):
    """Refuse the first number that is wrong."""
    index = checks.first_true(wrong)
    if index is not None:
        raise checks.InputError(f"{checks.place(name, index)} is {values[index]:g}, but {why}.")
