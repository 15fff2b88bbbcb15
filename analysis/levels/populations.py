"""Scores of systems whose true difference is chosen: the gain of every system over B.

A law draws one dataset: the scores of B, and of s - 1 further systems that have the gain over B.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import special


@dataclass(frozen=True)
class Population:
    """Where scores come from.

    Attributes
    ----------
    draw : callable
        Generator, number of items, gain on each dataset, number of further systems -> DataFrame
        with the columns ``dataset``, ``B`` and ``A``, or ``A1``, ``A2``, ... of several.
    margin, effect : float
        Margin of a claim, and gain beyond it where the claim is true; in the unit of the score.
    arguments : dict of str to str
        Columns that the call names.
    """

    draw: Callable
    margin: float
    effect: float
    arguments: dict = field(default_factory=dict)


def separately(law):
    """Return the draw of independent datasets, each by a law."""

    def draw(rng, items, gains, others=1):
        return _frame([law(rng, (others, items), gain) for gain in gains])

    return draw


def _frame(parts):
    """Lay datasets below each other; a part has the scores of B, of others, and more columns."""
    columns = {}
    for part in parts:
        base, others, *more = part
        names = ["A"] if len(others) == 1 else [f"A{k + 1}" for k in range(len(others))]
        found = {"B": base, **dict(zip(names, others, strict=True)), **dict(*more)}
        for name, values in found.items():
            columns.setdefault(name, []).append(values)
    datasets = np.repeat([f"d{k}" for k in range(len(parts))], list(map(len, columns["B"])))
    return pd.DataFrame({"dataset": datasets} | {k: np.concatenate(v) for k, v in columns.items()})


def binary(lost):
    """Return the law of right and wrong: a share of the items is lost, as many won if equal."""

    def law(rng, shape, gain):
        base = rng.integers(0, 2, shape[1])
        rates = np.where(base == 1, lost - min(gain, 0), lost + max(gain, 0))
        return base, np.where(rng.random(shape) < 2 * rates, 1 - base, base)

    return law


def ordinal(rng, shape, gain):
    """Draw grades from 1 to 5, of B around the middle, of the others high or very low."""
    grades, law = np.arange(1, 6), np.array([0.3, 0, 0.1, 0.5, 0.1])
    law[[3, 4 if gain > 0 else 2]] += np.array([-1, 1]) * abs(gain)
    base = rng.choice(grades, shape[1], p=[0.05, 0.15, 0.5, 0.25, 0.05])
    return base, rng.choice(grades, shape, p=law)


def decimals(noise):
    """Return the law of decimals whose differences are a noise of mean zero and the gain."""

    def law(rng, shape, gain):
        base = rng.standard_normal(shape[1])
        return base, base + noise(rng, shape) + gain

    return law


def rare_losses(noise):
    """Return the law of whole numbers that win by 1 and lose by 19 on one of twenty items."""

    def law(rng, shape, gain):
        base = rng.integers(30, 50, shape[1])
        gaps = np.where(rng.random(shape) < 0.05, -19, 1)
        return base, base + gaps + rng.integers(-noise, noise + 1, shape) + gain

    return law


def zero_inflated(rng, shape, gain):
    """Draw scores that are 0 for all systems on 70% of the items, elsewhere skewed."""
    solved = rng.random(shape[1]) < 0.3
    scores = rng.lognormal(-0.5, 1, shape) * (1 + gain / 0.3)
    return solved * rng.standard_exponential(shape[1]), solved * scores


def shares(rng, shape, gain):
    """Draw words right of words: the others lose on long items what they win on short ones."""
    words, law = np.array([5, 10, 20, 200]), [0.4, 0.3, 0.25, 0.05]
    size = rng.choice(words, shape[1], p=law)
    accuracy = 0.8 + gain + 0.1 * (1 - size * (words @ law) / (words**2 @ law))
    return rng.binomial(size, 0.8), rng.binomial(size, accuracy, shape), {"size": size}


def spans(rng, shape, gain):
    """Count gold spans and those found: A misses a fifth, B a tenth, but B adds others."""
    found, f1 = (0.8, 0.9), 2 * 0.8 / (1 + 0.8) - gain
    gold = rng.poisson(2, shape[1])
    a, b = (rng.binomial(gold, share) for share in found)
    extra = rng.poisson(2 * (2 * found[1] / f1 - 1 - found[1]), shape[1])
    return b, a[None], {"gold": gold, "extra": extra}


def ratings(rng, shape, gain):
    """Draw ratings by people and by two systems, with Spearman's correlation .79 for B."""
    of_b = 6 / np.pi * np.arcsin(0.4)
    r_a, r_b = (2 * np.sin(np.pi / 6 * spearman) for spearman in (of_b + gain, of_b))
    covariance = [[1, r_a, r_b], [r_a, 1, 0.64], [r_b, 0.64, 1]]
    drawn = rng.standard_normal((shape[1], 3)) @ np.linalg.cholesky(covariance).T
    gold, a, b = drawn.T
    return b, a[None], {"gold": gold}


def right_or_wrong(rng, latent, gain):
    """Turn standard normal numbers into answers of B and A, half of which differ."""
    uniform = special.ndtr(latent)
    won, lost = uniform > 0.75 - gain / 2, uniform < 0.25 - gain / 2
    base = rng.integers(0, 2, len(latent))
    return np.where(won, 0, np.where(lost, 1, base)), np.where(won, 1, np.where(lost, 0, base))


def differing(rng, latent, gain):
    """Turn numbers of mean zero into scores of B and A that differ by them."""
    base = rng.standard_normal(len(latent))
    return base, base + latent + gain


def clusters(noise, answers, name="unit"):
    """Return the draw of items in clusters of five on average, alike within each."""

    def law(rng, shape, gain):
        sizes = rng.integers(1, 10, max(shape[1] // 5, 2))
        of = np.repeat(np.arange(len(sizes)), sizes)
        latent = np.sqrt(0.4) * noise(rng, len(sizes))[of] + np.sqrt(0.6) * noise(rng, len(of))
        base, a = answers(rng, latent, gain)
        return base, a[None], {name: of}

    return separately(law)


def shared(noise, answers):
    """Return the draw of datasets with the same items, correlated by .8."""

    def draw(rng, items, gains, others=1):
        common = np.sqrt(0.8) * noise(rng, items)
        parts = []
        for gain in gains:
            base, a = answers(rng, common + np.sqrt(0.2) * noise(rng, items), gain)
            parts.append((base, a[None], {"instance": np.arange(items)}))
        return _frame(parts)

    return draw


def copies(rng, items, gains, others=1):
    """Draw one dataset, and give it the names of several."""
    return _frame([binary(0.15)(rng, (others, items), gains[0])] * len(gains))


def normal(rng, shape):
    """Draw standard normal numbers."""
    return rng.standard_normal(shape)


def heavy(rng, shape):
    """Draw from Student's t with 3 degrees of freedom."""
    return rng.standard_t(3, shape)


def left(rng, shape):
    """Draw many small gains and few large losses, exponential, with mean zero."""
    return 1 - rng.standard_exponential(shape)


def right(rng, shape):
    """Draw many small losses and few large gains."""
    return -left(rng, shape)


def lognormal(rng, shape):
    """Draw gains and losses as `left`, with a heavier tail."""
    return np.exp(0.5) - rng.lognormal(0, 1, shape)


POPULATIONS = {
    "binary": Population(separately(binary(0.15)), 0.1, 0.15),
    "binary_alike": Population(separately(binary(0.012)), 0.1, 0.05),
    "ordinal": Population(separately(ordinal), 0.1, 0.4),
    "normal": Population(separately(decimals(normal)), 0.5, 0.4),
    "heavy_tails": Population(separately(decimals(heavy)), 0.5, 0.6),
    "skew_left": Population(separately(decimals(left)), 0.5, 0.4),
    "skew_right": Population(separately(decimals(right)), 0.5, 0.4),
    "lognormal": Population(separately(decimals(lognormal)), 0.5, 0.8),
    "rare_losses": Population(separately(rare_losses(0)), 1, 2),
    "rare_losses_noisy": Population(separately(rare_losses(1)), 1, 2),
    "zero_inflated": Population(separately(zero_inflated), 0.15, 0.15),
    "shares": Population(separately(shares), 0.03, 0.06, {"size": "size"}),
    "spans": Population(separately(spans), 0.05, 0.05),
    "ratings": Population(separately(ratings), 0.1, 0.1, {"gold": "gold"}),
    "clusters": Population(clusters(normal, right_or_wrong), 0.1, 0.2, {"unit": "unit"}),
    "clusters_skewed": Population(clusters(left, differing), 0.5, 0.4, {"unit": "unit"}),
    "clusters_hidden": Population(clusters(normal, right_or_wrong, "passage"), 0.1, 0.2),
    "shared": Population(shared(normal, right_or_wrong), 0.1, 0.2),
    "shared_skewed": Population(shared(left, differing), 0.5, 0.4),
    "copies": Population(copies, 0.1, 0.15),
}
"""Name -> population. Of ``clusters_hidden`` the call does not name the column of clusters."""
