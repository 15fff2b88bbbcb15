"""Tables of Gorman and Bedrick (2019)."""

import numpy as np
import pandas as pd

from analysis.gorman2019 import agreement
from replicability.core.numbers import rounded
from replicability.show.tables import probability, pvalue


def split_sizes(sizes, published):
    """Lay out the sizes of the parts (Gorman and Bedrick 2019, Table 1).

    `sizes`: as `splits.read_sizes` returns it. `published`: columns ``corpus``, ``part``,
    ``sentences`` and ``tokens``, as printed.

    Returns DataFrame of str. The published rows, then one row per dataset and part: the standard
    split, and the fewest and most tokens of a random one.
    """
    keys = ["dataset", "part"]
    standard = sizes[sizes["split"] == 0].set_index(keys)
    random = sizes[sizes["split"] != 0].groupby(keys, observed=True)["tokens"].agg(["min", "max"])
    rows = standard.join(random).reset_index()
    ours = pd.DataFrame(
        {
            "from": "here",
            "corpus": rows["dataset"].astype(str),
            "part": rows["part"],
            "sentences": rows["sentences"].map("{:,}".format),
            "tokens": rows["tokens"].map("{:,}".format),
            "tokens of random splits": [
                f"{a:,} to {b:,}" for a, b in zip(rows["min"], rows["max"], strict=True)
            ],
        }
    )
    names = {"Train.": "train", "Dev.": "dev", "Test.": "test"}
    theirs = published.assign(part=published["part"].replace(names))
    theirs.insert(0, "from", "paper")
    return pd.concat([theirs, ours], ignore_index=True).fillna("")


def standard_split(rows):
    """Lay out the accuracies on the standard split (Gorman and Bedrick 2019, Table 2).

    `rows`: as `splits.standard` returns it.

    Returns DataFrame of str. One row per dataset and tagger, and one with the numbers of words,
    unknown words and sentences; each metric with its interval.
    """
    cells = rows.assign(
        accuracy=rows["accuracy"].map(probability),
        interval=[_interval(*limits) for limits in zip(rows["low"], rows["high"], strict=True)],
    )
    keys = ["dataset", "tagger"]
    table = cells[keys].drop_duplicates().set_index(keys)
    for metric, part in cells.groupby("metric", sort=False):
        part = part.set_index(keys)
        table[metric] = part["accuracy"]
        table[f"{metric}: interval"] = part["interval"]
    blocks = []
    for dataset, block in table.reset_index().groupby("dataset", sort=False):
        own = rows[rows["dataset"] == dataset].drop_duplicates("metric").set_index("metric")
        n = {metric: f"{count:,}" for metric, count in own["n"].items()}
        blocks += [pd.DataFrame([{"dataset": dataset, "tagger": "number", **n}]), block]
    return pd.concat(blocks, ignore_index=True)[["dataset", "tagger", *table]].fillna("")


def _interval(low, high):
    return "" if np.isnan(low) else f"({low:.4f}, {high:.4f})"


def separated(rows):
    """Lay out which pairs of taggers differ on the standard split (Section 3.2 of the same paper).

    `rows`: as `splits.separated` returns it.

    Returns DataFrame of str. One row per dataset and level.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "α": rows["alpha"].map("{:g}".format),
            "pairs": rows["pairs"].astype(str),
            "p ≤ α": rows["significant"].astype(str),
            "identified by Holm": rows["identified"].astype(str),
            "p > α": [
                ", ".join(f"{first} vs. {second} ({pvalue(p)})" for first, second, p in pairs)
                for pairs in rows["not_significant"]
            ],
        }
    )


def split_ranges(rows):
    """Lay out accuracies on random splits beside the standard split (Figure 1 of the same paper).

    `rows`: as `splits.ranges` returns it.

    Returns DataFrame of str. One row per dataset, metric and tagger.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "metric": rows["metric"],
            "tagger": rows["tagger"],
            "standard split": rows["accuracy"].map(probability),
            "interval": map(_interval, rows["low"], rows["high"]),
            "random splits": map(_interval, rows["smallest"], rows["largest"]),
            "mean": rows["mean"].map(probability),
            "below": rows["below"].astype(str),
            "within": [f"{a} of {b}" for a, b in zip(rows["within"], rows["splits"], strict=True)],
            "above": rows["above"].astype(str),
        }
    )


def unknown_words(rows):
    """Lay out what unknown words have to do with random splits (Section 4 of the same paper).

    `rows`: as `splits.unknown_words` returns it.

    Returns DataFrame of str. One row per dataset and tagger; shares in per cent, differences in
    percentage points.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "tagger": rows["tagger"],
            "unknown, standard": rows["unknown_standard"].map("{:.1%}".format),
            "unknown, random": [
                f"{mean:.1%} ({low:.1%} to {high:.1%})"
                for mean, low, high in zip(
                    rows["unknown_mean"],
                    rows["unknown_smallest"],
                    rows["unknown_largest"],
                    strict=True,
                )
            ],
            "random minus standard": rows["difference"].map(_points),
            "by unknown words": rows["by_unknown"].map(_points),
            "rest": (rows["difference"] - rows["by_unknown"]).map(_points),
        }
    )


def rankings(rows):
    """Lay out how stable the order of the taggers is.

    `rows`: as `splits.rankings` returns it.

    Returns DataFrame of str. One row per dataset and metric.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "metric": rows["metric"],
            "standard split, best first": rows["ranking"].map(", ".join),
            "as by tokens": rows["as_tokens"].map({True: "yes", False: "no"}),
            "random splits": rows["splits"].astype(str),
            "same order": rows["same_order"].astype(str),
            "same best": rows["same_best"].astype(str),
        }
    )


def split_pairs(rows):
    """Lay out what is found about pairs of taggers (Gorman and Bedrick 2019, Table 3).

    `rows`: as `splits.summarise` returns it.

    Returns DataFrame of str. One row per dataset and pair: differences of token accuracy, second
    minus first, in percentage points, on the ``standard`` split and as ``mean`` over the random
    ``splits``; on how many of these the second is ``ahead``, how often significantly, and k-hat;
    and the same for the first.
    """
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "comparison": rows["first"] + " vs. " + rows["second"],
            "standard": rows["standard"].map(_points),
            "p": rows["p_standard"].map(pvalue),
            "splits": rows["splits"].astype(str),
            "ahead": rows["ahead"].astype(str),
            "significant": rows["ahead_bonferroni"].astype(str),
            "k̂": rows["k_ahead"].astype(str),
            "behind": rows["behind"].astype(str),
            "significant behind": rows["behind_bonferroni"].astype(str),
            "k̂ behind": rows["k_behind"].astype(str),
            "mean": rows["mean"].map(_points),
            "p of mean": rows["p_mean"].map(pvalue),
        }
    )


def design_effects(rows):
    """Lay out how much words of one sentence depend, and what is significant if they may.

    `rows`: as `splits.summarise` returns it.

    Returns DataFrame of str. One row per dataset and pair: design effect over the random splits,
    and how many of these are significant after Bonferroni by words and by sentences, for the second
    and the first.
    """
    effect = zip(
        rows["design_effect"], rows["smallest_effect"], rows["largest_effect"], strict=True
    )
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "comparison": rows["first"] + " vs. " + rows["second"],
            "design effect": [f"{mid:.2f} ({low:.2f} to {high:.2f})" for mid, low, high in effect],
            "splits": rows["splits"].astype(str),
            "ahead, words": rows["ahead_bonferroni"].astype(str),
            "ahead, sentences": rows["ahead_sentences"].astype(str),
            "behind, words": rows["behind_bonferroni"].astype(str),
            "behind, sentences": rows["behind_sentences"].astype(str),
        }
    )


def _points(share):
    return rounded(100 * share, 2, plus="+", minus="−")


def reductions(rows, published):
    """Lay out the progress from first to last tagger, and what an oracle leaves (Section 3.4).

    `rows`: as `splits.reductions` returns it. `published`: reduction and distance of the best
    tagger from the oracle as printed.

    Returns DataFrame of str. The published row and one per dataset, in percentage points.
    """
    points = "{:.2f}".format
    ours = pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "from": rows["first"],
            "to": rows["last"],
            "error of the first": (100 * rows["error_first"]).map(points),
            "of the last": (100 * rows["error_last"]).map(points),
            "reduction": (100 * rows["reduction"]).map(points),
            "best": rows["best"],
            "error of the oracle": (100 * rows["oracle"]).map(points),
            "best below oracle": (100 * rows["below_oracle"]).map(points),
        }
    )
    reduction, below = (text.removesuffix("e-2") for text in published)
    printed = {"dataset": "Penn Treebank (paper)", "from": "TnT", "to": "Flair", "best": "Flair"}
    printed |= {"reduction": reduction, "best below oracle": below}
    return pd.concat([pd.DataFrame([printed]), ours], ignore_index=True)[[*ours]].fillna("")


def disagreement(rows):
    """Lay out in how many sentences taggers disagree.

    `rows`: as `agreement.coverage` returns it.

    Returns DataFrame of str. One row per dataset.
    """
    part = rows["disagreement"] / rows["sentences"]
    words = rows["disagreed"] / rows["all_words"]
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "sentences": rows["sentences"].map("{:,}".format),
            "with disagreement": [
                f"{n:,} ({share:.1%})" for n, share in zip(rows["disagreement"], part, strict=True)
            ],
            "unanimous": rows["unanimous"].map("{:,}".format),
            "unanimous, one word": rows["single"].map("{:,}".format),
            "words": rows["all_words"].map("{:,}".format),
            "words disagreed on": [
                f"{n:,} ({share:.1%})" for n, share in zip(rows["disagreed"], words, strict=True)
            ],
        }
    )


def agreement_kinds(rows):
    """Lay out which sentences have low agreement (Section 3.4).

    `rows`: as `agreement.kinds` returns it.

    Returns DataFrame of str. One row per dataset and class of alpha.
    """
    classes = [
        f"α > {low:g}"
        if np.isinf(high)
        else f"α ≤ {high:g}"
        if np.isinf(low)
        else f"{low:g} to {high:g}"
        for low, high in zip(rows["above"], rows["to"], strict=True)
    ]
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "agreement": classes,
            "sentences": rows["sentences"].map("{:,}".format),
            "median of words": rows["words"].map("{:g}".format),
            "without finite verb": rows["verbless"].map("{:.0%}".format),
            "proper noun or not": rows["proper"].map("{:.0%}".format),
        }
    )


def confusions(rows, n):
    """Lay out the pairs of tags that coders disagree about most often.

    `rows`: as `agreement.confusions` returns it. `n`: pairs of each dataset.

    Returns DataFrame of str. One row per dataset and pair.
    """
    rows = rows.groupby("dataset", sort=False).head(n).reset_index(drop=True)
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "tags": rows["one"] + " / " + rows["other"],
            "words": rows["words"].map("{:,}".format),
            "of those disagreed on": rows["share"].map("{:.1%}".format),
            "gold is the first": rows["is_one"].map("{:.0%}".format),
            "gold is the second": rows["is_other"].map("{:.0%}".format),
        }
    )


def tagged(tags, chosen):
    """Lay out the tags of some sentences (Gorman and Bedrick 2019, Table 4).

    `tags`: as `agreement.read` returns it. `chosen`: rows of `agreement.sentences`.

    Returns DataFrame of str. For each sentence a row with its words, where they may be shown, one
    with the gold tags and one per tagger; a column per word, with "·" where all taggers agree.
    """
    blocks = []
    for row in chosen.itertuples():
        grid = _disputed(tags, row)
        grid.columns = [str(number) for number in grid.columns]
        block = grid.rename_axis("coder").reset_index()
        for place, (name, value) in enumerate(
            [("dataset", row.dataset), ("sentence", row.instance), ("α", f"{row.alpha:.3f}")]
        ):
            block.insert(place, name, [value] + [""] * (len(block) - 1))
        blocks.append(block)
    return pd.concat(blocks, ignore_index=True).fillna("").astype(str)


def _disputed(tags, sentence):
    """Lay out words (if any is known), gold tags and tags of a sentence: a column per place."""
    own = tags[(tags["dataset"] == sentence.dataset) & (tags["instance"] == sentence.instance)]
    grid = own[own["position"] > 0].set_index("position")
    grid = grid.drop(columns=["dataset", "instance", "words", "finite"])
    grid = grid.rename(columns={"word": "words", "gold": "Gold"}).dropna(axis="columns", how="all")
    return grid.reindex(range(1, sentence.words + 1)).fillna("·").T


def lowest_sentences(tags, chosen):
    """List sentences of low agreement, one row each.

    `tags`: as `agreement.read` returns it. `chosen`: rows of `agreement.sentences`.

    Returns DataFrame of str. Identifier, length in words, alpha, the words where they may be shown,
    and the tags of gold and of each tagger in one cell, with "·" where all taggers agree.
    """
    rows = [_disputed(tags, row).agg(" ".join, axis=1) for row in chosen.itertuples()]
    names = ["words", "Gold", *agreement.coders(tags)]
    cells = pd.DataFrame(rows).reindex(columns=names).fillna("")
    table = chosen[["dataset", "instance", "words", "alpha"]].reset_index(drop=True)
    table["words"] = table["words"].astype(str)
    table["alpha"] = [rounded(alpha, 3, minus="−") for alpha in table["alpha"]]
    table = table.rename(columns={"instance": "sentence", "words": "length", "alpha": "α"})
    return table.join(cells.reset_index(drop=True))
