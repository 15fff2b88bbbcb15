r"""How often does a rule block a release in which nothing changed, and what does it miss?

A release is compared with its predecessor on n benchmarks of right or wrong answers. A share of the
items is discordant. Where the new version is worse by a drop d, an item is lost with probability
(q + d)/2 and won with (q - d)/2, where q is the share.

===============  ==================================================================================
rule             blocks if
===============  ==================================================================================
`worst`          McNemar's exact test is significant on any benchmark, each at alpha, and the drop
                 is at least .005: the worst of the verdicts, uncorrected
`mean`           the mean drop over the benchmarks is significantly above 0 (normal, one-sided)
`bonferroni`     McNemar's exact test is significant on any benchmark at alpha/n
`gate`           `core.release` decides so: not shown to be within the margin everywhere, and shown
                 to be worse somewhere, under any dependence
`independent`    the same, for benchmarks that are declared independent
===============  ==================================================================================

Only the gates can ship, all others "pass" what they do not block. In the gates of this table
Tango's score test takes the place of the exact unconditional test, which has nearly the same power
(`stats.power_of_margins`), and Fisher-Bonferroni that of the draws.
"""

import itertools

import numpy as np
import pandas as pd
from scipy import special, stats

from replicability.stats import closed_testing
from replicability.stats.paired import tango_statistics

ALPHA, MARGIN, LEAST_DROP = 0.05, 0.02, 0.005

DISCORDANT = (0.05, 0.1, 0.2)
"""Shares of items that differ between the versions."""

CHANGES = {
    "nothing": (0, 0.0),
    "one by 5 points": (1, 0.05),
    "half by 3 points": (0.5, 0.03),
    "all by 2 points": (1.0, 0.02),
}
"""What got worse -> how many benchmarks (a share, or one), and by how much."""

RULES = ("worst", "mean", "bonferroni", "gate", "independent")


def draw(sizes, discordant, change, n_releases, rng):
    """Draw items that only one version has right; returns wins and losses, (n_releases, n)."""
    n = len(sizes)
    many, drop = CHANGES[change]
    worse = rng.permuted(np.tile(np.arange(n), (n_releases, 1)), axis=1) < (
        many if isinstance(many, int) else round(many * n)
    )
    differ = rng.binomial(sizes, np.maximum(discordant, worse * drop))
    lost = rng.binomial(differ, (1 + worse * min(1, drop / discordant)) / 2)
    return differ - lost, lost


def verdicts(wins, losses, sizes):
    """Return rule -> whether it blocks each release, and whether the gates ship it.

    `wins`, `losses`: shape (m, n). `sizes`: shape (n,).
    """
    differ, n = wins + losses, len(sizes)
    p = np.where(differ > 0, stats.binom.sf(losses - 1, differ, 0.5), 1.0)
    drops, spread = (losses - wins) / sizes, differ / sizes
    error = np.sqrt(((spread - drops**2) / sizes).sum(axis=1)) / n
    z = np.divide(drops.mean(axis=1), error, where=error > 0, out=np.zeros(len(error)))
    within = special.ndtr(
        -tango_statistics(wins, losses, np.broadcast_to(sizes, wins.shape), -MARGIN)
    )
    ship = within.max(axis=1) <= ALPHA
    found = {
        "worst": ((p <= ALPHA) & (drops >= LEAST_DROP)).any(axis=1),
        "mean": special.ndtr(-z) <= ALPHA,
        "bonferroni": (p <= ALPHA / n).any(axis=1),
    }
    for rule, method in (("gate", "bonferroni"), ("independent", "fisher_bonferroni")):
        found[rule] = ~ship & (closed_testing.bound(p, None, ALPHA, method) > 0)
    return found, ship


def table(suites, n_releases, seed):
    """Tabulate the shares of releases that each rule blocks, and ships.

    `suites` (dict of str to sequence of int): suite -> numbers of items of its benchmarks.
    `n_releases`: releases of each suite, discordant share and change. `seed`: entropy of a
    SeedSequence; each cell has a child of its own.

    Returns DataFrame. ``suite``, ``n`` benchmarks, ``discordant``, ``worse``, ``rule``,
    ``releases``, and of them ``blocked`` and ``shipped``. A rule that cannot ship has shipped what
    it does not block.
    """
    rows = []
    cells = itertools.product(sorted(suites), DISCORDANT, CHANGES)
    children = np.random.SeedSequence(seed).spawn(len(suites) * len(DISCORDANT) * len(CHANGES))
    for (suite, discordant, change), child in zip(cells, children, strict=True):
        sizes = np.asarray(suites[suite])
        drawn = draw(sizes, discordant, change, n_releases, np.random.default_rng(child))
        found, ship = verdicts(*drawn, sizes)
        for rule in RULES:
            shipped = ship if rule in ("gate", "independent") else ~found[rule]
            cell = {"suite": suite, "n": len(sizes), "discordant": discordant, "worse": change}
            tally = {"releases": n_releases, "blocked": found[rule].sum(), "shipped": shipped.sum()}
            rows.append({**cell, "rule": rule, **tally})
    return pd.DataFrame(rows)
