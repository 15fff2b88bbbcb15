"""Pairs of taggers: McNemar's test on each split, and what holds over random splits."""

import numpy as np
import pandas as pd
from scipy import stats

from analysis.gorman2019.splits.outcomes import STANDARD, taggers
from replicability import checks
from replicability.stats import multiple_testing, paired, partial_conjunction

PAIR = ["dataset", "first", "second"]


def compare(outcomes):
    r"""Test each pair of taggers on the words of each split by McNemar's mid-p test.

    `outcomes`: as `read` returns it.

    Returns DataFrame. One row per ``dataset``, ``split`` and pair, ``first`` before ``second`` in
    the order of the columns: whether they are ``adjacent``; words on which ``only_first`` and
    ``only_second`` is right, of ``words``; ``difference`` of the token accuracies, second minus
    first; ``p_value`` (two-sided), and one-sided ``p_second`` ("the second is not better") and
    ``p_first``; ``design_effect``, and the two-sided ``p_sentences`` that allows for it.

    Notes
    -----
    The test takes words as independent, given the trained taggers. With :math:`d_s` the difference
    of right words in sentence s, the design effect :math:`\sum_s d_s^2 / (w + l)` compares the
    variance of w - l when the taggers are exchanged on whole sentences with the variance w + l that
    McNemar's test supposes; it is NaN where the taggers never differ. ``p_sentences`` is from the
    normal distribution of :math:`(w - l) / \sqrt{\sum_s d_s^2}`, a sign-flip test of sentences.
    """
    names = taggers(outcomes)
    i, j = np.triu_indices(len(names), 1)
    rows = []
    for (dataset, split), part in outcomes.groupby(["dataset", "split"], observed=True):
        right, words = part[names].to_numpy(np.int64), part["words"].to_numpy()
        only = right.T @ (words[:, None] * (1 - right))
        sentences = part[names].mul(words, axis=0).groupby(part["instance"], observed=True).sum()
        gram = sentences.T.to_numpy() @ sentences.to_numpy()
        squares = gram[i, i] + gram[j, j] - 2 * gram[i, j]
        discordant = only[i, j] + only[j, i]
        rows.append(
            pd.DataFrame(
                {
                    "dataset": str(dataset),
                    "split": split,
                    "first": np.array(names)[i],
                    "second": np.array(names)[j],
                    "adjacent": j == i + 1,
                    "only_first": only[i, j],
                    "only_second": only[j, i],
                    "words": words.sum(),
                    "design_effect": squares / np.where(discordant, discordant, np.nan),
                }
            )
        )
    table = pd.concat(rows, ignore_index=True)
    second, first = table["only_second"], table["only_first"]
    table["difference"] = (second - first) / table["words"]
    spread = np.sqrt(table["design_effect"] * (second + first))
    table["p_sentences"] = 2 * stats.norm.sf(((second - first).abs() / spread).fillna(0))
    for name, alternative in (
        ("p_value", "two-sided"),
        ("p_second", "greater"),
        ("p_first", "less"),
    ):
        table[name] = paired.mcnemar_pvalues(
            second, first, variant="mid-p", alternative=alternative
        )
    return table


def separated(compared, alphas):
    """Count the pairs of taggers that differ significantly on the standard split (Section 3.2).

    `compared`: as `compare` returns it. `alphas` (sequence of float): levels, in (0, 1).

    Returns DataFrame. One row per ``dataset`` and ``alpha``: number of ``pairs``, of those with a
    two-sided p-value of at most alpha (``significant``), of those that Holm's procedure identifies
    among all pairs (``identified``), and the pairs that are ``not_significant``, each a tuple of
    first, second and p-value.

    Raises `InputError`: if a level is not in (0, 1).
    """
    found = []
    once = compared[compared["split"] == STANDARD]
    for dataset, part in once.groupby("dataset", sort=False):
        for alpha in map(checks.alpha, alphas):
            rest = part[part["p_value"] > alpha]
            found.append(
                {
                    "dataset": dataset,
                    "alpha": alpha,
                    "pairs": len(part),
                    "significant": len(part) - len(rest),
                    "identified": multiple_testing.identify(part["p_value"], alpha).sum(),
                    "not_significant": list(
                        rest[["first", "second", "p_value"]].itertuples(index=False, name=None)
                    ),
                }
            )
    return pd.DataFrame(found)


def count(compared, alpha=0.05):
    r"""Count the random splits on which one of a pair is significantly better (Table 3).

    `compared`: as `compare` returns it. `alpha`: bound on the probability of a false statement
    about a pair, in (0, 1).

    Returns DataFrame. One row per ``dataset`` and pair, with ``adjacent``: over the ``splits``
    random splits the ``mean``, ``smallest`` and ``largest`` difference of token accuracy (second
    minus first); splits on which the second is ``ahead`` and ``behind``; ``ahead_bonferroni`` and
    ``behind_bonferroni``, those with a two-sided p-value of at most alpha / splits;
    ``ahead_sentences`` and ``behind_sentences``, the same by ``p_sentences``; ``k_ahead`` and
    ``k_behind``, k-hat of either direction at alpha / 2; ``design_effect``, the median, with
    ``smallest_effect`` and ``largest_effect``.

    Raises `InputError`: if alpha is not in (0, 1).

    Notes
    -----
    Random splits share sentences, so that k-hat is by Bonferroni, valid under any dependence. The
    count is a valid lower bound as well and never above k-hat at alpha / 2, which is Holm's: a
    two-sided p-value is twice the one-sided one.
    """
    half = checks.alpha(alpha) / 2
    random = compared[compared["split"] != STANDARD]
    found = []
    for keys, part in random.groupby(PAIR, sort=False):
        ahead, behind = (part["difference"] * sign > 0 for sign in (1, -1))
        small, by_sentences = (
            part[name] <= alpha / len(part) for name in ("p_value", "p_sentences")
        )
        k_ahead, k_behind = (
            partial_conjunction.k_hat(part[name].to_numpy(), half, dependence="dependent")
            for name in ("p_second", "p_first")
        )
        found.append(
            {
                **dict(zip(PAIR, keys, strict=True)),
                "adjacent": part["adjacent"].iloc[0],
                "splits": len(part),
                "mean": part["difference"].mean(),
                "smallest": part["difference"].min(),
                "largest": part["difference"].max(),
                "ahead": ahead.sum(),
                "ahead_bonferroni": (ahead & small).sum(),
                "ahead_sentences": (ahead & by_sentences).sum(),
                "k_ahead": k_ahead,
                "behind": behind.sum(),
                "behind_bonferroni": (behind & small).sum(),
                "behind_sentences": (behind & by_sentences).sum(),
                "k_behind": k_behind,
                "design_effect": part["design_effect"].median(),
                "smallest_effect": part["design_effect"].min(),
                "largest_effect": part["design_effect"].max(),
            }
        )
    return pd.DataFrame(found)


def ratios(sizes):
    """Return how many test sentences a random split has for one of training.

    `sizes`: as `read_sizes` returns it.

    Returns dict of str to float. Dataset -> ratio, the mean over its random splits.
    """
    random = sizes[sizes["split"] != STANDARD]
    train, test = (
        random[random["part"] == part].set_index(["dataset", "split"])["sentences"]
        for part in ("train", "test")
    )
    ratio = test / train
    return ratio.groupby(level="dataset", observed=True).mean().to_dict()


def summarise(compared, alpha, test_to_train):
    """Put everything about each pair side by side: standard split, random splits, their mean.

    `compared`: as `compare` returns it. `alpha`: level of `count`, in (0, 1). `test_to_train` (dict
    of str to float): as `ratios` returns it.

    Returns DataFrame. As `count`, with ``standard`` difference and two-sided p-value ``p_standard``
    on the standard split, and the two-sided ``p_mean`` of `paired.resampled_t`.

    Raises `InputError`: if alpha is not in (0, 1), or a dataset has no ratio.
    """
    counted = count(compared, alpha)
    once = compared[compared["split"] == STANDARD].rename(
        columns={"difference": "standard", "p_value": "p_standard"}
    )
    random = compared[compared["split"] != STANDARD]
    for dataset in counted["dataset"].unique():
        checks.choice("sizes: dataset", dataset, test_to_train)
    over = []
    for (dataset, *_), part in random.groupby(PAIR, sort=False):
        share = test_to_train[dataset] / (1 + test_to_train[dataset])
        scores = part["difference"], np.zeros(len(part))
        tested = paired.resampled_t(*scores, test_share=share, alternative="two-sided")
        over.append(tested.pvalue)
    counted = counted.assign(p_mean=over)
    return counted.merge(once[[*PAIR, "standard", "p_standard"]], on=PAIR)
