"""What a reader should know of the p-values: too few items, skew, losses that may be missing."""

import itertools
import math

import numpy as np

from replicability import checks
from replicability.core import as_read, dependence, in_runs, procedure, recommendation, release
from replicability.stats import paired, two_samples

MOST_NAMES = 8
"""Maximum number of datasets that a warning lists by name."""

UNSEEN = 0.02
"""Share of items with losses that a sample may miss before a warning is due."""

TOO_SMALL = 3
"""Ratio of the p-value that allows for skew to the reported one at which a warning is due."""

SKEWED = 0.3
"""Skewness, divided by the root of the number of items, at which a warning is due."""


def cautions(table, alpha=0.05):
    """Say where p-values may be too small, and which datasets no test can decide.

    `table`: as `evaluation.evaluate` returns it, with wins, ties and losses if they were counted.
    `alpha`: level of the claim about the datasets together, in one direction.

    Returns list of str. Sentences of `as_read` and of `dependence`, about datasets without a single
    loss, about skew, and, for the bootstrap, about datasets of fewer than
    `recommendation.few_instances` items and about p-values that no sign-flip test of as many items
    could give.

    Notes
    -----
    A test of a mean sees only the losses in the sample: if a share x of the items has a large loss,
    n items miss it with probability (1 - x)^n. The bootstrap's p-value is 0 if the differences are
    so alike that no resample has twice the observed one; the smallest p-value of the sign-flip test
    is 1/2^n.
    """
    return [*doubts(table, alpha), *floors(table, alpha)]


def doubts(table, alpha=0.05):
    """Say where p-values may be too small, and what else the files say, as `cautions`."""
    found = [*as_read.sentences(table), *in_runs.sentences(table)]
    found += [*dependence.sentences(table), *_overlapping(table.read), *_alpaydin(table)]
    if table.covers == "runs":
        found += _welch(table.read, alpha / len(table))
    if not {"test", "n"} <= set(table):
        return found
    warnings = (_unseen, _skewed, _asymmetric, _bootstrapped)
    return [*found, *(text for warn in warnings for text in warn(table, alpha / len(table)))]


def floors(table, alpha=0.05):
    """Say which datasets no test can decide, as `cautions`."""
    if "floor" not in table:
        return []
    if "test" in table:
        return _floored(table, alpha / len(table)) if "n" in table else []
    return _few_runs(table, alpha / len(table))


def of_pairs(pairs, level):
    """Say of how many pairs of a family the p-values may be too small.

    `pairs` (all_pairs.Pairs): with `unbeaten` and `skewness`, if its test is of a mean. `level`:
    level with which a p-value is compared: that of the claim over the numbers of datasets and of
    ordered pairs.

    Returns list of str. Sentences, as in `cautions`.
    """
    found = [pairs.missing] if pairs.missing else []
    found += [] if pairs.measured is None else pairs.measured.sentences
    found += _overlapping(pairs.read)
    if pairs.scope == "new runs":
        found += _welch(pairs.read, level)
    sizes = np.array(pairs.sizes, float)
    if pairs.unbeaten is not None:
        unseen = (pairs.unbeaten & _may_miss(sizes, level)).any(axis=-1)
        if unseen.any():
            missed = _missed(sizes, level)
            found.append(
                f"In {_pairs(unseen)}, one system never loses on at least one dataset. {missed}"
            )
        skewed = _is_skewed(pairs.skewness, sizes).any(axis=-1)
        if skewed.any():
            found.append(
                "The differences are too skewed for the small number of items in "
                f"{_pairs(skewed)}{_distrust(level)}"
            )
    if pairs.test == "paired_bootstrap":
        fewest = recommendation.few_instances(level)
        few = int((sizes < fewest).sum())
        if few:
            found.append(
                f"{few:,} of {len(sizes):,} datasets {'has' if few == 1 else 'have'} fewer than "
                f"{fewest} units: the bootstrap's p-values may be too small there. Use the test "
                "mean_difference instead."
            )
    return [*found, *_floored_pairs(pairs, level), *_undrawn(pairs), *_ranked_by_scores(pairs)]


def _ranked_by_scores(pairs):
    """Warn where the pairs that are tested first agree with the order of the mean scores."""
    place = {system: number for number, system in enumerate(pairs.systems)}
    if not any(all(place[a] < place[b] for a, b in of) for of in pairs.first.values()):
        return []
    return [
        "The pairs tested first are in the order of the systems' mean scores. If you chose the "
        "pairs after seeing the scores, too many statements may be false: test all pairs at once "
        "instead."
    ]


def _floored_pairs(pairs, level):
    """Say in how many pairs no dataset can be named, as too few items differ."""
    if pairs.floors is None:
        return []
    together = pairs.flips is not None or pairs.wins is not None
    level = level * len(pairs.datasets) if together else level
    floored = pairs.compared & (pairs.floors.min(axis=-1) > level)
    if not floored.any():
        return []
    few = "there are too few runs" if pairs.ran else "the systems differ on too few items"
    return [
        f"In {_pairs(floored)}, {few}: no p-value on any dataset can be as small as the required "
        f"{level:.2g}. Therefore, no dataset can be named with simultaneous confidence."
    ]


def _undrawn(pairs):
    """Say which local test pairs would have, were there fewer of them."""
    if not pairs.undrawn:
        return []
    test, instead = (procedure.TITLES[name] for name in (pairs.method, procedure.DISCRETE))
    return [
        f"With {pairs.n_pairs:,} ordered pairs, the local test is {test}, because the test used "
        f"for fewer pairs ({instead}) would be slow. The slower test often gives a larger k-hat; "
        f"to use it, choose the method {procedure.DISCRETE!r}."
    ]


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
    of_means = table["test"].isin(("mean_difference", "sign_flip", "paired_t")).to_numpy()
    chosen = unbeaten & _may_miss(n, level) & of_means
    if not chosen.any():
        return []
    return [
        f"One system never loses{_sized(table['dataset'], n, chosen, _noun(table))}. "
        f"{_missed(n[chosen], level)}"
    ]


def _may_miss(n, level):
    """Whether n items miss losses on a share `UNSEEN` of all items with probability above level."""
    return 1 - level ** (1 / n) > UNSEEN


def _missed(n, level):
    """Say which losses the smallest of datasets may miss, and when that matters."""
    share = 1 - level ** (1 / n.min())
    return (
        f"A sample of this size may miss losses that occur on up to {share:.0%} of all items; if "
        "such losses are large, the p-value is too small. Rely on the p-value only if no loss on "
        "an item can be much larger than the wins on other items."
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
    return [
        f"The differences are too skewed for the small number of items{where}{_distrust(level)}"
    ]


def _is_skewed(skewness, n):
    return np.abs(skewness) > SKEWED * np.sqrt(n)


def _distrust(level):
    """Say what follows from strong skew."""
    return (
        f": at the level {level:.2g}, the p-values may be several times too small. Use more items, "
        "or a bounded score such as right or wrong."
    )


def _asymmetric(table, level):
    """Warn where a test of symmetric differences says more than one that allows for skew."""
    if not table.corrected:
        return []
    chosen = np.zeros(len(table), bool)
    for place, column in enumerate(("p_value", "p_reverse")):
        if column in table:
            p = table[column].to_numpy()
            corrected = np.array([table.corrected[name][place] for name in table["dataset"]])
            chosen |= (p <= level * len(table)) & (corrected > np.maximum(level, TOO_SMALL * p))
    if not chosen.any():
        return []
    n = table.get("units", table["n"]).to_numpy(float)
    test = table["test"].iloc[0]
    return [
        f"The differences are skewed{_sized(table['dataset'], n, chosen, _noun(table))}, but "
        f"{test} assumes symmetric differences. Its p-values may be too small by a factor of more "
        "than three. Use the test mean_difference instead."
    ]


def _bootstrapped(table, level):
    """Warn where the bootstrap has too few items."""
    n, datasets = table.get("units", table["n"]), table["dataset"]
    what = _noun(table)
    drawn = table["test"] == "paired_bootstrap"
    if "filled" in table:
        n, what = table["filled"].fillna(n), f"non-empty {what}"
    fewest = recommendation.few_instances(level) if drawn.any() else 0
    few = (n < fewest) & drawn
    found = []
    if few.any():
        found.append(
            f"There are fewer than {fewest} {what}{_sized(datasets, n, few)}: the bootstrap's "
            "p-values may be too small there. Use the test mean_difference instead."
        )
    below = (table["p_value"] < 0.5 ** n.astype(float)) & drawn
    if below.any():
        found.append(
            "The bootstrap's p-value is smaller than the smallest possible p-value of a sign-flip "
            f"test{_sized(datasets, n, below, what)}, because the differences are nearly equal or "
            "have the same sign. Use the test mean_difference instead."
        )
    return found


def _floored(table, level):
    """Say on which datasets no p-value can be as small as a name needs.

    Where all datasets are drawn or flipped together, a name needs no more than the level of the
    claim: datasets that cannot be significant take nothing from the others.
    """
    together = table.flips is not None
    level = level * len(table) if together else level
    floor = table["floor"].to_numpy(float)
    chosen = floor > level
    if not chosen.any():
        return []
    least = f"{floor[chosen].min():.2g}"
    helps = _helps(level, floor[chosen].min())
    if len(table) == 1:
        return [
            f"The systems differ on too few items: no p-value can be below {least}, but a p-value "
            f"of at most {level:.2g} is needed.{helps}"
        ]
    where = checks.enumerated(table["dataset"][chosen], MOST_NAMES)
    needed = f"Holm's procedure needs a p-value of at most {level:.2g} to name its first dataset"
    if together:
        needed = f"a dataset needs a p-value of at most {level:.2g} to be named"
    return [
        f"On {where}, the systems differ on too few items: no p-value can be below {least} there, "
        f"but {needed}.{helps}"
    ]


OVERLAPPING = 0.09
"""Largest rejection rate of the corrected t-test under true null hypotheses at level .05."""


OF_ALPAYDIN = 0.1
"""Largest rejection rate of the 5x2cv F test under true null hypotheses at level .05."""


def _alpaydin(table):
    """Say that the F test of five repeats of two folds may not keep its level."""
    if "cv_5x2_f" not in set(table.get("test", ())):
        return []
    return [
        "The 5x2cv F test may reject too often: in simulations, it rejected true null hypotheses "
        f"in up to {OF_ALPAYDIN:.0%} of studies at the 5% level. Leave the test out: the "
        "default, repeated_k_fold, did not exceed this level in these simulations."
    ]


def _overlapping(read):
    """Say on which datasets the corrected t-test of splits may not keep its level."""
    if read is None or read.noun != "split":
        return []
    share = read.repeats["test_share"]
    shares = share if isinstance(share, dict) else dict.fromkeys(read.items, share)
    found = [name for name, n in read.items.items() if not paired.keeps_level(n, shares[name])]
    if not found:
        return []
    return [
        f"On {checks.enumerated(found, MOST_NAMES)}, the test sets overlap and contain less than "
        "half of the data. The corrected t-test may then reject too often: in simulations, it "
        f"rejected true null hypotheses in up to {OVERLAPPING:.0%} of studies at the 5% level. "
        "With a single cross-validation, or with half of the data in each test set, it did not "
        "exceed this level."
    ]


def _welch(read, level):
    """Say how much too often Welch's t may reject; permutations of fewer runs keep the level."""
    numbers = [number for ends in read.runs for number in ends]
    ends = itertools.combinations_with_replacement((min(numbers), max(numbers)), 2)
    worst, n, m = max((two_samples.inflation(*of, level), *of) for of in ends)
    if worst <= recommendation.INFLATION:
        return []
    return [
        f"With {n:,} and {m:,} runs, Welch's t-test can reject true null hypotheses {worst:.2g} "
        f"times as often as the level {level:.2g} allows. This is the worst case for normally "
        "distributed scores that vary more for one system than for the other. Use more runs."
    ]


def _few_runs(table, level):
    """Say where too few runs let no p-value be as small as a name needs."""
    floor = table["floor"].to_numpy(float)
    chosen = floor > level
    if not chosen.any():
        return []
    where = checks.enumerated(table["dataset"][chosen], MOST_NAMES)
    return [
        f"There are too few runs on {where}: no p-value can be below {floor[chosen].min():.2g} "
        f"there, but naming a dataset requires a p-value of at most {level:.2g}. Provide at "
        f"least {release.fewest_runs(level) // 2} runs of each system, or compare fewer datasets."
    ]


def _helps(level, floor):
    """Say on how many items systems have to differ, if signs of items limit the p-value."""
    if not math.log2(floor).is_integer():
        return ""
    n = math.ceil(-math.log2(level))
    return f" Only datasets with at least {n} items on which the systems differ can be named."


def _noun(table):
    """Name what the test compares: items, or the units that they belong to."""
    return "units" if "units" in table else "items"


def _sized(datasets, n, chosen, noun=""):
    """List datasets with their numbers of items, or only the number if there is one dataset."""
    noun = f" {noun}" if noun else ""
    sizes = [f"{size:,.0f}{noun}" for size in np.asarray(n)[np.asarray(chosen)]]
    if len(datasets) == 1:
        return f" ({sizes[0]})"
    names = datasets[np.asarray(chosen)]
    listed = [f"{dataset} ({size})" for dataset, size in zip(names, sizes, strict=True)]
    return f" on {checks.enumerated(listed, MOST_NAMES)}"
