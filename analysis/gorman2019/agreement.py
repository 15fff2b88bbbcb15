r"""Taggers as coders: in which sentences do they disagree, and about what (Section 3.4)?

Each tagger is taken for a coder who annotates the same words. Krippendorff's alpha of a sentence is

.. math:: \alpha = 1 - D_o / D_e,

one minus the disagreement of the coders on its words over that of tags dealt out to its words by
chance. It is computed by the package `krippendorff`; gold tags play no part in it.

References
----------
Gorman and Bedrick (2019), We need to talk about standard splits, ACL. Krippendorff (2011),
Computing Krippendorff's alpha-reliability. Artstein and Poesio (2008), Computational Linguistics
34(4), 555-596.
"""

import itertools

import krippendorff
import numpy as np
import pandas as pd

from analysis.gorman2019.splits.outcomes import STANDARD, named, tagger_table, truth, whole
from replicability import checks
from replicability.checks import InputError

KEYS = ("dataset", "instance", "position", "words", "word", "gold", "finite")
"""Columns of tags that are not coders."""

SENTENCE = ["dataset", "instance"]


def read(file):
    """Read the tags that taggers give to the words of sentences.

    `file`: CSV, TSV or Parquet table; a relative path starts at the checkout. Columns ``dataset``,
    ``instance`` (a sentence), ``position`` (of the word in it, from 1), ``words`` (how many the row
    stands for), ``word`` (may be empty), ``gold`` (the right tag), ``finite`` (whether that is the
    tag of a finite verb) and one per tagger with its tag. Words on which all taggers agree have the
    position 0 and no gold tag. Sentences in which they agree on every word may be left out.

    Returns DataFrame. These columns, the rows of each sentence together and in order; ``word`` and
    ``gold`` are None where they are not given.

    Raises `InputError`: if the file or a column is missing, there are fewer than two taggers, a
    cell is empty that must not be, taggers differ where the position is 0, or the positions of a
    sentence are not different numbers up to the number of its words.
    """
    table, place, coders = tagger_table(file, KEYS, "with its tags")
    optional = table.select(["word", "gold"]).to_pandas().astype(object)
    optional = optional.where(optional.notna() & (optional != ""), None)
    tags = pd.DataFrame(
        {
            "dataset": named(file, table, "dataset"),
            "instance": named(file, table, "instance"),
            "position": whole(file, table, "position", 0),
            "words": whole(file, table, "words", 1),
            **optional,
            "finite": truth(file, table, "finite"),
            **{name: named(file, table, name) for name in coders},
        }
    )
    tags = tags.astype(dict.fromkeys(coders, object))
    tags = tags.sort_values([*SENTENCE, "position"], kind="stable", ignore_index=True)
    tags = tags.astype(dict.fromkeys(SENTENCE, str))
    agreed = tags["position"] == 0
    length = tags.groupby(SENTENCE)["words"].transform("sum")
    single = (tags["words"] == 1) & ~tags.duplicated([*SENTENCE, "position"], keep=False)
    for wrong, rule in (
        (
            agreed & tags[coders].ne(tags[coders[0]], axis=0).any(axis=1),
            "has words at position 0 on which taggers differ; give each such word its own row "
            "with its position",
        ),
        (
            ~agreed & ~(single & (tags["position"] <= length)),
            "does not have exactly one word at position {position} of {length}; number its words "
            "from 1",
        ),
        (~agreed & tags["gold"].isna(), "has no gold tag at position {position}; fill it in"),
    ):
        if wrong.any():
            row = tags[wrong].iloc[0]
            said = rule.format(position=row["position"], length=length[row.name])
            raise InputError(f"{place}: {row['instance']} of {row['dataset']} {said}.")
    return tags


def coders(tags):
    """Name the taggers whose tags are in a table.

    `tags`: as `read` returns it.

    Returns list of str. The taggers, in the order of the columns.
    """
    return [name for name in tags if name not in KEYS]


def alpha(codes):
    """Compute Krippendorff's alpha for nominal categories.

    `codes`: the category that each coder gives to each word; none is missing.

    Returns float. At most 1, for agreement on all words; 0 is what chance gives, less is worse than
    chance. NaN where all coders give one and the same category throughout, so that chance would
    agree as well.

    Raises `InputError`: if there are not two axes, fewer than two coders or no word.

    Notes
    -----
    A single word on which coders disagree has alpha 0: what is observed there is all that chance
    knows.

    Examples
    --------
    >>> alpha([["NN", "NNS"], ["NN", "NNS"], ["NN", "NN"]])
    0.375
    """
    codes = np.asarray(codes)
    if codes.ndim != 2 or codes.shape[0] < 2 or not codes.size:
        raise InputError(
            f"The tags have shape {codes.shape}; pass one row for each of two or more coders, "
            "with one tag for each word."
        )
    numbers, values = pd.factorize(codes.ravel())
    if len(values) < 2:
        return np.nan
    return float(krippendorff.alpha(numbers.reshape(codes.shape), level_of_measurement="nominal"))


def example(printed, value):
    """Compute alpha of the published example with and without the gold tags among the coders.

    `printed`: table 4: column ``row``, "Gold" or a tagger, and a column of tags for each word.
    `value`: alpha as printed.

    Returns DataFrame. Columns ``coders`` and ``alpha``, of which the first is the printed one.
    """
    codes = printed.set_index("row")
    rows = [
        ("as printed", value),
        ("six taggers", round(alpha(codes.drop(index="Gold")), 4)),
        ("taggers and gold", round(alpha(codes), 4)),
    ]
    return pd.DataFrame(rows, columns=["coders", "alpha"])


def sentences(tags):
    """Measure the agreement in each sentence.

    `tags`: as `read` returns it.

    Returns DataFrame. One row per ``dataset`` and ``instance``: number of ``words``, number of them
    ``disagreed`` on, ``alpha`` of the coders, and ``verbless``, whether no gold tag is one of a
    finite verb.
    """
    codes = tags[coders(tags)].to_numpy(dtype=object)
    codes = pd.factorize(codes.ravel())[0].reshape(codes.shape)
    rows = tags[[*SENTENCE, "words", "finite"]].assign(
        disagreed=(codes != codes[:, :1]).any(axis=1)
    )
    found = rows.groupby(SENTENCE, sort=False).agg(
        words=("words", "sum"), disagreed=("disagreed", "sum"), finite=("finite", "any")
    )
    parts = np.split(codes.repeat(tags["words"], axis=0), np.cumsum(found["words"])[:-1])
    found["alpha"] = [alpha(part.T) for part in parts]
    found["verbless"] = ~found.pop("finite")
    return found.reset_index()


def coverage(agreed, outcomes):
    """Count the sentences with and without disagreement in the test part of the standard split.

    `agreed`: as `sentences` returns it. `outcomes`: as `splits.read` returns it.

    Returns DataFrame. One row per ``dataset``: ``sentences`` of the test part; those ``unanimous``
    on every word, which are not among the tags; of these the ``single`` words, whose alpha is not
    defined (that of the others is 1 if they have two different tags); those with ``disagreement``
    and their ``words`` and words ``disagreed`` on; words of the whole part, ``all_words``.

    Raises `InputError`: if a sentence is not in the test part, or has another number of words
    there.
    """
    length = _lengths(outcomes)
    keys = pd.MultiIndex.from_frame(agreed[SENTENCE])
    tested = length.reindex(keys).to_numpy()
    wrong = np.flatnonzero(tested != agreed["words"].to_numpy())
    if wrong.size:
        dataset, instance = keys[wrong[0]]
        there = "is not there" if np.isnan(tested[wrong[0]]) else f"has {tested[wrong[0]]:g} words"
        raise InputError(
            f"{instance} of {dataset} has {agreed['words'].iloc[wrong[0]]} tagged words, but "
            f"{there} in the test set of the standard split; make both files in the same run."
        )
    unanimous = length.drop(keys)
    found = []
    for dataset, part in length.groupby(level="dataset", sort=False):
        own = agreed[agreed["dataset"] == dataset]
        rest = unanimous[unanimous.index.get_level_values("dataset") == dataset]
        found.append(
            {
                "dataset": dataset,
                "sentences": len(part),
                "unanimous": len(rest),
                "single": int((rest == 1).sum()),
                "disagreement": len(own),
                "words": int(own["words"].sum()),
                "disagreed": int(own["disagreed"].sum()),
                "all_words": int(part.sum()),
            }
        )
    return pd.DataFrame(found)


def _lengths(outcomes):
    """Count the words of each sentence in the test part of the standard split."""
    rows = outcomes[outcomes["split"] == STANDARD].astype(dict.fromkeys(SENTENCE, str))
    return rows.groupby(SENTENCE, sort=False)["words"].sum()


def kinds(agreed, tags, edges, proper=()):
    """Describe the sentences of each degree of agreement.

    `agreed`: as `sentences` returns it. `tags`: the tags it was made from. `edges` (sequence of
    float): limits between classes of alpha, ascending; the lowest and highest class are open.
    `proper` (sequence of str): tags of proper nouns.

    Returns DataFrame. One row per ``dataset`` and class, ``above`` (-inf for the lowest) and ``to``
    (inf for the highest): number of ``sentences``, their median number of ``words``, the share that
    is ``verbless``, and ``proper``, the share of the words disagreed on that some coders but not
    all tag as a proper noun.
    """
    codes = tags[coders(tags)]
    is_proper = codes.isin(proper)
    words = tags[SENTENCE].assign(
        disagreed_=codes.ne(codes.iloc[:, 0], axis=0).any(axis=1),
        proper_=is_proper.any(axis=1) & ~is_proper.all(axis=1),
    )
    about = words.groupby(SENTENCE, sort=False)["proper_"].sum().reset_index()
    limits = [-np.inf, *edges, np.inf]
    rows = agreed.merge(about, on=SENTENCE)
    rows["class"] = np.searchsorted(edges, rows["alpha"], side="left")
    found = []
    for (dataset, number), part in rows.groupby(["dataset", "class"], sort=False):
        found.append(
            {
                "dataset": dataset,
                "above": limits[number],
                "to": limits[number + 1],
                "sentences": len(part),
                "words": part["words"].median(),
                "verbless": part["verbless"].mean(),
                "proper": part["proper_"].sum() / part["disagreed"].sum(),
            }
        )
    order = {dataset: i for i, dataset in enumerate(agreed["dataset"].unique())}
    found.sort(key=lambda row: (order[row["dataset"]], row["above"]))
    return pd.DataFrame(found)


def lowest(agreed, n, least=1, most=None):
    """Choose the sentences of lowest agreement in each dataset.

    `agreed`: as `sentences` returns it. `n`: how many of each dataset, at least 1. `least`, `most`:
    fewest and most words.

    Returns DataFrame. Rows of `agreed`, lowest alpha first; of equal ones the longer sentence
    first.

    Raises `InputError`: if a number is not whole or below 1.
    """
    checks.at_least("n", n)
    checks.at_least("least", least)
    longest = np.inf if most is None else checks.at_least("most", most)
    rows = agreed[agreed["words"].between(least, longest)]
    rows = rows.sort_values(["alpha", "words"], ascending=[True, False], kind="stable")
    order = agreed["dataset"].unique()
    return pd.concat([rows[rows["dataset"] == dataset].head(n) for dataset in order])


def confusions(tags):
    """Count the pairs of tags that coders give to the same word.

    `tags`: as `read` returns it.

    Returns DataFrame. One row per ``dataset`` and pair, ``one`` before ``other`` in the alphabet,
    most frequent first: number of ``words`` that got both, their ``share`` of the words disagreed
    on (a word with three tags counts for three pairs), and the shares of them whose gold tag
    ``is_one`` and ``is_other``.
    """
    codes = tags[coders(tags)].to_numpy(dtype=str)
    disagreed = (codes != codes[:, :1]).any(axis=1)
    words = tags[["dataset", "gold"]][disagreed].reset_index(drop=True)
    codes = np.sort(codes[disagreed], axis=1)
    pairs = pd.concat(
        words.assign(one=codes[:, i], other=codes[:, j], word=words.index)
        for i, j in itertools.combinations(range(codes.shape[1]), 2)
    )
    pairs = pairs[pairs["one"] != pairs["other"]].drop_duplicates(["word", "one", "other"])
    pairs["is_one"] = pairs["gold"] == pairs["one"]
    pairs["is_other"] = pairs["gold"] == pairs["other"]
    keys = ["dataset", "one", "other"]
    counted = pairs.groupby(keys).agg(
        words=("word", "size"), is_one=("is_one", "mean"), is_other=("is_other", "mean")
    )
    counted = counted.reset_index()
    counted["share"] = counted["words"] / counted["dataset"].map(words["dataset"].value_counts())
    order = {dataset: i for i, dataset in enumerate(tags["dataset"].unique())}
    counted["place"] = counted["dataset"].map(order)
    counted = counted.sort_values(
        ["place", "words", "one", "other"], ascending=[True, False, True, True], ignore_index=True
    )
    return counted[["dataset", "one", "other", "words", "share", "is_one", "is_other"]]


def documents(agreed, outcomes):
    """Measure on how many words of each document coders disagree.

    `agreed`: as `sentences` returns it. `outcomes`: as `splits.read` returns it.

    Returns DataFrame. One row per ``dataset`` and ``document``, the part of the sentence's name
    before its last slash ("" if there is none), highest share first: ``sentences`` and ``words`` of
    the test part of the standard split, and the ``share`` of the words that is disagreed on.
    """
    length = _lengths(outcomes).reset_index()
    rows = length.merge(agreed[[*SENTENCE, "disagreed"]], on=SENTENCE, how="left")
    rows["document"] = rows["instance"].str.rpartition("/")[0]
    found = rows.groupby(["dataset", "document"], sort=False).agg(
        sentences=("words", "size"), words=("words", "sum"), disagreed=("disagreed", "sum")
    )
    found["share"] = found.pop("disagreed") / found["words"]
    found = found.sort_values("share", ascending=False, kind="stable").reset_index()
    order = length["dataset"].unique()
    return pd.concat([found[found["dataset"] == dataset] for dataset in order], ignore_index=True)
