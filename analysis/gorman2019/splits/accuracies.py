"""Accuracies of taggers on the standard split and on random ones, with intervals and rankings."""

import numpy as np
import pandas as pd
from scipy import stats

from analysis.gorman2019.splits.outcomes import METRICS, ORACLE, STANDARD, taggers
from replicability import checks
from replicability.checks import InputError
from replicability.stats import arguments, intervals


def scores(outcomes):
    """Count what each tagger gets right on each split.

    `outcomes`: as `read` returns it.

    Returns DataFrame. One row per ``dataset``, ``split``, ``metric`` of `METRICS` and ``tagger``,
    the oracle ensemble last: ``right`` of ``n`` words or sentences, and ``accuracy``, their ratio
    (NaN where there is none, such as no unknown word).

    Notes
    -----
    A sentence is right if all its words are (Section 2.3), for the oracle if some tagger is right
    on each of them (Section 3.3).
    """
    right = outcomes[taggers(outcomes)].copy()
    right[ORACLE] = right.any(axis=1)
    split = ["dataset", "split"]
    words = right.set_index([outcomes[key] for key in (*split, "instance")])
    sentences = words.groupby(level=[0, 1, 2], observed=True).all()
    weights = pd.Series(outcomes["words"].to_numpy(), words.index)
    unknown = weights * outcomes["unknown"].to_numpy()
    parts = {
        "token": (words, weights),
        "OOV": (words, unknown),
        "sentence": (sentences, pd.Series(1, sentences.index)),
    }
    rows = pd.concat(_sums(*part, split).assign(metric=metric) for metric, part in parts.items())
    rows["metric"] = pd.Categorical(rows["metric"], METRICS)
    rows["tagger"] = pd.Categorical(rows["tagger"], right.columns)
    rows = rows.sort_values([*split, "metric", "tagger"], ignore_index=True)
    rows = rows.astype(dict.fromkeys(("dataset", "metric", "tagger"), str))
    rows["accuracy"] = rows["right"] / rows["n"].where(rows["n"] > 0)
    return rows[[*split, "metric", "tagger", "right", "n", "accuracy"]]


def _sums(right, weights, by):
    """Sum weights, all of them and those where each tagger is right."""
    sums = right.mul(weights, axis=0).groupby(by, observed=True).sum()
    n = weights.groupby(by, observed=True).sum().rename("n")
    rows = sums.melt(var_name="tagger", value_name="right", ignore_index=False)
    return rows.join(n).reset_index()


def wilson(right, n, confidence_level=0.95):
    """Compute Wilson's score intervals of accuracies (Section 2.3).

    `right`, `n`: units that are right, of n each. `confidence_level`: coverage, in (0, 1).

    Returns ndarray of float64, shape (m, 2). Lower and upper limits in [0, 1]; NaN where n is 0.

    Raises `InputError`: if a number is negative or not whole, more units are right than there are,
    or the level is not in (0, 1).

    Notes
    -----
    Units are taken as independent. Words of one sentence are not quite, and documents that are kept
    together make them less so: the interval is then too narrow.

    Examples
    --------
    >>> wilson([9646], [10000]).round(4)
    array([[0.9608, 0.968 ]])
    """
    right, n = arguments.counts("right", right), arguments.counts("n", n)
    if (right > n).any():
        worst = int((right > n).argmax())
        raise InputError(
            f"right[{worst}] is {right[worst]}, but there are only {n[worst]} units; correct one "
            "of the two numbers."
        )
    share = right / np.where(n, n, 1)
    return np.stack(intervals.wilson(share, n, confidence_level), axis=-1)


def standard(scored, confidence_level=0.95):
    """Return the accuracies on the standard split with their intervals.

    `scored`: as `scores` returns it. `confidence_level`: coverage of Wilson's intervals, in (0, 1).

    Returns DataFrame. Rows of the standard split without ``split``, with ``low`` and ``high``.

    Raises `InputError`: if the level is not in (0, 1).
    """
    rows = scored[scored["split"] == STANDARD].drop(columns="split").reset_index(drop=True)
    limits = wilson(rows["right"], rows["n"], confidence_level)
    return rows.assign(low=limits[:, 0], high=limits[:, 1])


def ranges(scored, confidence_level=0.95):
    """Lay the accuracies on random splits beside the interval of the standard split (Figure 1).

    `scored`: as `scores` returns it. `confidence_level`: coverage of Wilson's intervals, in (0, 1).

    Returns DataFrame. As `standard`, with ``smallest``, ``mean`` and ``largest`` accuracy over the
    ``splits`` random splits, and how many of these are ``below``, ``within`` and ``above`` the
    interval.

    Raises `InputError`: if the level is not in (0, 1).

    Notes
    -----
    See `expected_within` for how many would be within if the standard split were a random one.
    """
    keys = ["dataset", "metric", "tagger"]
    rows = standard(scored, confidence_level)
    random = scored[scored["split"] != STANDARD].merge(rows[[*keys, "low", "high"]], on=keys)
    random["below"] = random["accuracy"] < random["low"]
    random["above"] = random["accuracy"] > random["high"]
    over = random.groupby(keys, sort=False).agg(
        splits=("accuracy", "count"),
        smallest=("accuracy", "min"),
        mean=("accuracy", "mean"),
        largest=("accuracy", "max"),
        below=("below", "sum"),
        above=("above", "sum"),
    )
    over["within"] = over["splits"] - over["below"] - over["above"]
    return rows.merge(over.reset_index(), on=keys)


def expected_within(confidence_level=0.95):
    r"""Share of random splits to expect within the interval of one that is itself random.

    `confidence_level`: coverage of the interval, in (0, 1).

    Returns float. :math:`2 \Phi(z / \sqrt 2) - 1` with z the normal quantile of the interval: less
    than the level, since both accuracies vary.

    Raises `InputError`: if the level is not in (0, 1).

    Examples
    --------
    >>> round(expected_within(0.95), 3)
    0.834
    """
    z = stats.norm.isf((1 - checks.confidence_level(confidence_level)) / 2)
    return float(2 * stats.norm.cdf(z / np.sqrt(2)) - 1)


def unknown_words(scored):
    r"""Attribute the distance between standard and random splits to unknown words (Section 4).

    `scored`: as `scores` returns it.

    Returns DataFrame. One row per ``dataset`` and ``tagger``, without the oracle ensemble: the
    share of unknown words on the standard split (``unknown_standard``) and the mean, smallest and
    largest one over random splits (``unknown_mean``, ``unknown_smallest``, ``unknown_largest``);
    ``difference`` of token accuracy, mean of the random splits minus standard split; and the part
    of it ``by_unknown`` words.

    Notes
    -----
    Token accuracy is :math:`(1 - u) k + u o` with the share u of unknown words and the accuracies k
    of known and o of unknown words. With k and o of the standard split, going from its share to the
    mean share :math:`\bar u` of the random splits changes it by :math:`(u - \bar u)(k - o)`; the
    rest is that words of either kind are easier or harder. Without unknown words on the standard
    split the part is NaN.
    """
    keys = ["dataset", "tagger", "split"]
    single = scored[scored["tagger"] != ORACLE].set_index(keys)
    token, unknown = (
        single.loc[single["metric"] == metric, ["right", "n", "accuracy"]]
        for metric in ("token", "OOV")
    )
    rows = pd.DataFrame(
        {
            "accuracy": token["accuracy"],
            "share": unknown["n"] / token["n"],
            "known": (token["right"] - unknown["right"]) / (token["n"] - unknown["n"]),
            "unknown": unknown["accuracy"],
        }
    ).reset_index()
    once = rows[rows["split"] == STANDARD].set_index(keys[:2]).drop(columns="split")
    over = rows[rows["split"] != STANDARD].groupby(keys[:2], sort=False)
    share = over["share"].agg(["mean", "min", "max"])
    found = pd.DataFrame(
        {
            "unknown_standard": once["share"],
            "unknown_mean": share["mean"],
            "unknown_smallest": share["min"],
            "unknown_largest": share["max"],
            "difference": over["accuracy"].mean() - once["accuracy"],
            "by_unknown": (once["share"] - share["mean"]) * (once["known"] - once["unknown"]),
        }
    )
    return found.loc[once.index].reset_index()


def rankings(scored):
    """Order the taggers by each metric, and count the random splits that give the same order.

    `scored`: as `scores` returns it; the oracle ensemble is left out.

    Returns DataFrame. One row per ``dataset`` and ``metric``: ``ranking`` on the standard split,
    best first; (of equal accuracies, that of the first column); whether it is the one
    ``as_tokens``; how many of the ``splits`` random splits have ``same_order`` and how many the
    ``same_best`` tagger as the standard split.
    """
    single = scored[scored["tagger"] != ORACLE]
    found, as_tokens = [], {}
    for (dataset, metric), part in single.groupby(["dataset", "metric"], sort=False):
        best_first = part.sort_values("accuracy", ascending=False, kind="stable")
        orders = best_first.groupby("split")["tagger"].agg(tuple)
        ranking, random = orders[STANDARD], orders.drop(STANDARD)
        found.append(
            {
                "dataset": dataset,
                "metric": metric,
                "ranking": ranking,
                "as_tokens": ranking == as_tokens.setdefault(dataset, ranking),
                "splits": len(random),
                "same_order": sum(other == ranking for other in random),
                "same_best": sum(other[0] == ranking[0] for other in random),
            }
        )
    return pd.DataFrame(found)


def reductions(scored):
    """Measure the progress on the standard split, and what an oracle leaves (Section 3.4).

    `scored`: as `scores` returns it.

    Returns DataFrame. One row per ``dataset``: ``first`` and ``last`` tagger, their token errors
    ``error_first`` and ``error_last``, the absolute ``reduction``, the ``best`` tagger, the error
    of the ``oracle`` and by how much the best tagger is ``below_oracle``, all as shares of words.
    """
    rows = scored[(scored["split"] == STANDARD) & (scored["metric"] == "token")]
    found = []
    for dataset, part in rows.groupby("dataset", sort=False):
        accuracy = part.set_index("tagger")["accuracy"]
        single = accuracy.drop(ORACLE)
        found.append(
            {
                "dataset": dataset,
                "first": single.index[0],
                "last": single.index[-1],
                "error_first": 1 - single.iloc[0],
                "error_last": 1 - single.iloc[-1],
                "reduction": single.iloc[-1] - single.iloc[0],
                "best": single.idxmax(),
                "oracle": 1 - accuracy[ORACLE],
                "below_oracle": accuracy[ORACLE] - single.max(),
            }
        )
    return pd.DataFrame(found)
