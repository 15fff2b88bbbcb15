r"""Right-or-wrong scores of independent datasets: a local test that knows how discrete they are.

Given the number m of discordant items, on which one system alone is right, the wins of A are
binomial with probability 1/2 where A is not better. An exact p-value of few such items is much
larger than its level allows, and sums of exact p-values, as Fisher's, add these losses up. Here the
statistic is

.. math:: z_j = \Phi^{-1}(1 - p_j), \quad p_j = P(W > w_j) + P(W = w_j)/2, \quad
          W \sim \mathrm{Bin}(m_j, 1/2)

and its null distribution is drawn from the binomial distributions themselves, so that any set of
datasets has an exact test by any statistic, as under the joint sign flips of `stats.joint`.

References
----------
Lancaster (1961), Journal of the American Statistical Association 56, 223-234. Tarone (1990),
Biometrics 46(2), 515-522. Westfall and Wolfinger (1997), The American Statistician 51(1), 3-8.
Vesely, Finos and Goeman (2023), Journal of the Royal Statistical Society B 85(3), 664-683.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicability import checks
from replicability.stats import arguments
from replicability.stats.flips import N_FLIPS, Flips
from replicability.stats.paired.binary import mcnemar_pvalues

__all__ = ["SMALLEST", "Draws", "draw", "statistics"]

SMALLEST = 1e-300
"""Lower limit of mid-p-values; smaller ones are replaced by it."""


@dataclass(frozen=True)
class Draws(Flips):
    """Statistics of independent right-or-wrong datasets, as observed and drawn under the null.

    Attributes
    ----------
    z : ndarray of float64, shape (n_draws, n)
        Statistic of each draw and dataset; the first row is what was observed.
    shared : ndarray of int64, shape (n, n)
        Numbers of discordant items on the diagonal; 0 elsewhere, as the datasets share nothing.
    """


def draw(wins, losses, n_draws=N_FLIPS, *, rng=0, names=None):
    r"""Draw the wins on independent datasets under the null hypothesis.

    Parameters
    ----------
    wins, losses : array_like of int, shape (n,)
        Items of each dataset on which only A is right, and on which only B is; not negative.
    n_draws : int, default 10,000
        Draws, the observed wins among them; at least 20.
    rng : int or SeedSequence, default 0
        Seed.
    names : sequence of str, shape (n,), optional
        Names of the datasets, all different: each has its own child of the seed by its name. By
        default by its wins and losses, and its place among the datasets that have the same.

    Returns
    -------
    Draws
        What `joint.bound` and `joint.named` take in place of joint sign flips.

    Raises
    ------
    InputError
        If a number is negative or not whole, the shapes differ, there is no dataset, two have the
        same name, or there are fewer than 20 draws.

    Notes
    -----
    Valid if datasets are independent and items, too: given :math:`m_j`, :math:`W_j` is binomial
    with a probability of at most 1/2 where A is not better, so that it is stochastically smaller
    than a draw. As the tests of `stats.joint` reject the more the larger each :math:`z_j` is, they
    keep their level under this composite hypothesis, too. At probability 1/2 the observed row is
    one of the draws, and the test of each set is exact (Vesely et al. 2023). A dataset that cannot
    be significant takes nothing from the others (Tarone 1990; Westfall and Wolfinger 1997); mid-p
    values have the mean of a uniform variable, which sums of exact ones lack (Lancaster 1961).
    A dataset without discordant items has the statistic 0 in every draw and is never named.

    For "B is better" exchange wins and losses; with names the draws are then the same.

    Examples
    --------
    >>> from replicability.stats import joint
    >>> found = draw([5, 4, 4], [0, 0, 1], 2000)
    >>> joint.bound(found), found.pvalues.round(2).tolist()
    (Bound(at_least=2, at_most=2), [0.04, 0.07, 0.17])
    """
    wins, losses = arguments.together(
        wins=np.atleast_1d(arguments.counts("wins", wins)),
        losses=np.atleast_1d(arguments.counts("losses", losses)),
    )
    if wins.ndim != 1 or not wins.size:
        raise checks.InputError(
            f"wins and losses have the shape {wins.shape}; pass two non-empty sequences with one "
            "number for each dataset."
        )
    n = checks.at_least("n_draws", n_draws, 20)
    seeds = rng if isinstance(rng, np.random.SeedSequence) else np.random.SeedSequence(rng)
    items = wins + losses
    z = np.empty((n, len(items)))
    for j, key in enumerate(_keys(wins, losses, names)):
        child = np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, *key))
        drawn = np.random.default_rng(child).binomial(items[j], 0.5, n)
        drawn[0] = wins[j]
        values, places = np.unique(drawn, return_inverse=True)
        z[:, j] = statistics(values, items[j] - values)[places]
    return Draws(z, np.diag(items))


def statistics(wins, losses):
    r"""Return the normal quantiles of one-sided mid-p-values.

    Parameters
    ----------
    wins, losses : array_like of int
        As for `draw`, of any shape.

    Returns
    -------
    ndarray of float64
        :math:`\Phi^{-1}(1 - p)`, the larger the more wins there are; 0 for as many as losses. With
        wins and losses exchanged exactly the negative.

    Raises
    ------
    InputError
        If a number is negative or not whole, or the shapes do not fit together.

    Examples
    --------
    >>> statistics([0, 1, 5], [0, 3, 0]).round(3).tolist()
    [0.0, -0.887, 2.154]
    """
    wins, losses = np.asarray(wins), np.asarray(losses)
    more, fewer = np.maximum(wins, losses), np.minimum(wins, losses)
    p = mcnemar_pvalues(more, fewer, variant="mid-p")
    size = -special.ndtri(np.clip(p, SMALLEST, 0.5))
    return np.where(more > fewer, np.copysign(size, wins - losses), 0.0)


def _keys(wins, losses, names):
    """Return a key of the seed for each dataset, which does not depend on their order."""
    if names is None:
        seen = Counter()
        keys = []
        for pair in zip(wins.tolist(), losses.tolist(), strict=True):
            keys.append((*pair, seen[pair]))
            seen[pair] += 1
        return keys
    names = [str(name) for name in names]
    if len(names) != len(wins):
        raise checks.InputError(
            f"names has the length {len(names)}, but there are {len(wins)} datasets; pass one name "
            "for each dataset."
        )
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise checks.InputError(
            f"The name {twice[0]!r} is used for more than one dataset; give each dataset its own "
            "name."
        )
    return [tuple(name.encode()) for name in names]
