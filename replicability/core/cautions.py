"""What a reader should know of the p-values: too few items, skew, losses that may be missing."""

import numpy as np

from replicability import checks
from replicability.core import as_read, dependence, recommendation

MOST_NAMES = 8
"""Datasets that a caution lists by name."""

UNSEEN = 0.02
"""A warning is due if losses on this share of the items may be missing from the sample."""

SKEWED = 0.3
"""A warning is due if the skewness against a system is this multiple of the root of the items."""


def cautions(table, alpha=0.05):
    """Say where p-values may be too small, and which datasets no test can decide.

    Parameters
    ----------
    table : Tested
        As `evaluation.evaluate` returns it, with wins, ties and losses if they were counted.
    alpha : float, default 0.05
        Level of the claim about the datasets together, in one direction.

    Returns
    -------
    list of str
        Sentences of `as_read` and of `dependence`, about datasets without a single loss, about
        skew, and, for the bootstrap, about datasets of fewer than `recommendation.few_instances`
        items and about p-values that no sign-flip test of as many items could give.

    Notes
    -----
    A test of a mean sees only the losses in the sample: if a share x of the items has a large loss,
    n items miss it with probability (1 - x)^n. The bootstrap's p-value is 0 if the differences are
    so alike that no resample has twice the observed one; the smallest p-value of the sign-flip test
    is 1/2^n.
    """
    found = [*as_read.sentences(table), *dependence.sentences(table)]
    if not {"test", "n"} <= set(table):
        return found
    level = alpha / len(table)
    warnings = (_unseen, _skewed, _bootstrapped, _floored)
    return [*found, *(text for warn in warnings for text in warn(table, level))]


def of_pairs(pairs, level):
    """Say of how many pairs of a family the p-values may be too small.

    Parameters
    ----------
    pairs : all_pairs.Pairs
        With `unbeaten` and `skewness`, if its test is of a mean.
    level : float
        Level with which a p-value is compared: that of the claim over the numbers of datasets and
        of ordered pairs.

    Returns
    -------
    list of str
        Sentences, as of `cautions`.
    """
    if pairs.unbeaten is None:
        return []
    found = []
    sizes = np.array(pairs.sizes, float)
    unseen = (pairs.unbeaten & _may_miss(sizes, level)).any(axis=-1)
    if unseen.any():
        found.append(
            f"One system loses on no item of a dataset in {_pairs(unseen)}. {_missed(sizes, level)}"
        )
    skewed = _is_skewed(pairs.skewness, sizes).any(axis=-1)
    if skewed.any():
        found.append(
            f"The differences are strongly skewed for so few items in {_pairs(skewed)}"
            f"{_distrust(level)}"
        )
    return found


def _pairs(chosen):
    """Write a number of unordered pairs."""
    number = int((chosen | chosen.T).sum() // 2)
    return f"{number:,} pair{'s' * (number != 1)} of systems"


def _unseen(table, level):
    """Warn where one system loses on no item, so that rare large losses may be missing."""
    if not {"wins", "losses"} <= set(table):
        return []
    wins, losses = (table[side].to_numpy(float) for side in ("wins", "losses"))
    n = table.get("units", table["n"]).to_numpy(float)
    unbeaten = (np.minimum(wins, losses) == 0) & (wins + losses > 0)
    chosen = unbeaten & _may_miss(n, level) & (table["test"] == "mean_difference").to_numpy()
    if not chosen.any():
        return []
    return [
        f"One system loses on no item{_sized(table['dataset'], n, chosen)}. "
        f"{_missed(n[chosen], level)}"
    ]


def _may_miss(n, level):
    """Whether n items miss losses on a share `UNSEEN` of all items with probability above level."""
    return 1 - level ** (1 / n) > UNSEEN


def _missed(n, level):
    """Say which losses the smallest of datasets may miss, and when that matters."""
    share = 1 - level ** (1 / n.min())
    return (
        f"So few items may miss losses that occur on up to {share:.0%} of all items; if these are "
        "large, the p-value is too small. Rely on it only if no item can be lost by much more than "
        "others are won."
    )


def _skewed(table, level):
    """Warn where differences are so skewed that the corrected test may still reject too often."""
    if "skewness" not in table:
        return []
    n = table.get("units", table["n"]).to_numpy(float)
    chosen = _is_skewed(table["skewness"].to_numpy(float), n)
    if not chosen.any():
        return []
    where = _sized(table["dataset"], n, chosen)
    return [f"The differences are strongly skewed for so few items{where}{_distrust(level)}"]


def _is_skewed(skewness, n):
    return np.abs(skewness) > SKEWED * np.sqrt(n)


def _distrust(level):
    """Say what follows from strong skew."""
    return (
        f": at the level {level:.2g} the p-values may be several times too small. Use more items, "
        "or a score that is bounded, such as right or wrong."
    )


def _bootstrapped(table, level):
    """Warn where the bootstrap has too few items."""
    n, datasets = table.get("units", table["n"]), table["dataset"]
    what = "units" if "units" in table else "instances"
    drawn = table["test"] == "paired_bootstrap"
    fewest = recommendation.few_instances(level) if drawn.any() else 0
    few = (n < fewest) & drawn
    found = []
    if few.any():
        found.append(
            f"Fewer than {fewest} {what}{_sized(datasets, n, few)}: the bootstrap's p-values may "
            "be too small there. Use the test mean_difference."
        )
    below = (table["p_value"] < 0.5 ** n.astype(float)) & drawn
    if below.any():
        found.append(
            f"The bootstrap's p-value is below that of every sign-flip test"
            f"{_sized(datasets, n, below)}, since the differences are alike or of one sign. Use "
            "the test mean_difference."
        )
    return found


def _floored(table, level):
    """Say on which datasets no p-value can be as small as a name needs.

    Where all datasets are drawn or flipped together, a name needs no more than the level of the
    claim: datasets that cannot be significant take nothing from the others.
    """
    if "floor" not in table:
        return []
    together = table.flips is not None
    named = "a dataset" if together else "the first dataset that Holm's procedure names"
    level = level * len(table) if together else level
    floor = table["floor"].to_numpy(float)
    chosen = floor > level
    if not chosen.any():
        return []
    least = f"{floor[chosen].min():.2g}"
    if len(table) == 1:
        return [f"Too few items differ: no p-value can be below {least}; {level:.2g} is needed."]
    where = checks.enumerated(table["dataset"][chosen], MOST_NAMES)
    return [
        f"Too few items differ on {where}: no p-value can be below {least} there, and "
        f"{named} needs {level:.2g}{' to be named' * together}."
    ]


def _sized(datasets, n, chosen):
    """List datasets with their numbers of items, or only the number if there is one dataset."""
    sizes = [f"{size:,.0f}" for size in np.asarray(n)[np.asarray(chosen)]]
    if len(datasets) == 1:
        return f" ({sizes[0]})"
    names = datasets[np.asarray(chosen)]
    listed = [f"{dataset} ({size})" for dataset, size in zip(names, sizes, strict=True)]
    return f" on {checks.enumerated(listed, MOST_NAMES)}"
