r"""One standard split or many random ones: does a ranking of taggers hold on both?

A split divides a corpus into training, development and test part; every tagger is trained on the
first and tested on the last, on the same words. Split 0 is the standard split, in which documents
stay together; the others are random divisions of the sentences. What each tagger gets right on a
test part is an *outcome*; accuracies, tests and counts follow from the outcomes alone:

=================  =============================================================================
`scores`           token, out-of-vocabulary and sentence accuracy, an oracle ensemble among them
`wilson`           intervals of accuracies
`ranges`           what random splits give, beside the interval of the standard split
`unknown_words`    how much of the distance is due to words that the training part lacks
`rankings`         the order of the taggers by each metric, and how many splits keep it
`compare`          McNemar's test of each pair on each split
`separated`        which pairs differ on the standard split
`count`            on how many random splits the second of a pair is better
`resampled_t`      the mean difference over random splits, with their overlap taken into account
`reductions`       how far the best tagger is from the first and from the oracle
=================  =============================================================================

References
----------
Gorman and Bedrick (2019), We need to talk about standard splits, ACL. Wilson (1927), JASA 22,
209-212. Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13, 91. Nadeau and
Bengio (2003), Machine Learning 52, 239-281.
"""

import numpy as np
import pandas as pd
from scipy import stats

from replicability import checks
from replicability.checks import InputError
from replicability.io import delimited, text
from replicability.stats import arguments, multiple_testing, paired, partial_conjunction

STANDARD = 0
"""Number of the standard split."""

KEYS = ("dataset", "split", "instance", "unknown", "words")
"""Columns of outcomes that are not taggers."""

METRICS = ("token", "OOV", "sentence")
"""Accuracies: of words, of words unknown to the training part, of sentences without an error."""

ORACLE = "oracle ensemble"
"""Name of the ensemble that is right where any tagger is."""

PARTS = ("train", "dev", "test")
"""Parts of a split."""

PAIR = ["dataset", "first", "second"]


# --- files ---------------------------------------------------------------------------------------


def read(file):
    """Read what each tagger gets right on the test part of each split.

    Parameters
    ----------
    file : str or Path
        CSV, TSV or Parquet table; a relative path starts at the checkout. Columns ``dataset``,
        ``split`` (0 is the standard split), ``instance`` (a sentence), ``unknown`` (whether the
        words are not among the training words), ``words`` (how many words the row stands for) and
        one per tagger (whether it is right on them), the taggers in the order in which neighbours
        are compared. Words of one sentence may be spread over rows in any way.

    Returns
    -------
    DataFrame
        The columns of `KEYS`, ``dataset`` and ``instance`` as categories in the order of the file,
        then one column of bool per tagger.

    Raises
    ------
    InputError
        If the file or a column is missing, there are fewer than two taggers, a cell breaks the rule
        of its column, or a dataset lacks the standard split or has fewer than two random ones.
    """
    table, place, coders = tagger_table(file, KEYS, "that says where it is right")
    if ORACLE in coders:
        raise InputError(
            f"{place}: a tagger is called {ORACLE!r}, the name of the ensemble of all; rename it."
        )
    outcomes = pd.DataFrame(
        {
            "dataset": named(file, table, "dataset"),
            "split": whole(file, table, "split", 0),
            "instance": named(file, table, "instance"),
            "unknown": _truth(file, table, "unknown"),
            "words": whole(file, table, "words", 1),
            **{name: _truth(file, table, name) for name in coders},
        }
    )
    for dataset, splits in outcomes.groupby("dataset")["split"]:
        found = np.unique(splits)
        if STANDARD not in found:
            raise InputError(
                f"{place}: {dataset} has no standard split; give its rows the split {STANDARD}."
            )
        if len(found) < 3:
            raise InputError(
                f"{place}: {dataset} has {len(found) - 1} random "
                f"split{'s' * (len(found) != 2)}; add rows of at least two, numbered from 1."
            )
    return outcomes


def tagger_table(file, keys, holding):
    """Load a table that has one column for each tagger beside those of its keys.

    Parameters
    ----------
    file : str or Path
        CSV, TSV or Parquet table; a relative path starts at the checkout.
    keys : sequence of str
        Columns that must be there and are no tagger's.
    holding : str
        What a tagger's column says, for the message.

    Returns
    -------
    table : pyarrow.Table
        The columns of the file.
    place : str
        How messages name the file.
    taggers : list of str
        The other columns, in their order.

    Raises
    ------
    InputError
        If the file or a key is missing, or there are fewer than two taggers.
    """
    table = delimited.columns(file, None)
    place, names = text.shown(text.existing(file)), table.schema.names
    for key in keys:
        checks.choice(f"{place}: column", key, names)
    found = [name for name in names if name not in keys]
    if len(found) < 2:
        raise InputError(
            f"{place} has {len(found)} column{'s' * (len(found) != 1)} beside {', '.join(keys)}; "
            f"give each of two or more taggers a column {holding}."
        )
    return table, place, found


def read_sizes(file, outcomes=None):
    """Read how large the parts of each split are.

    Parameters
    ----------
    file : str or Path
        CSV, TSV or Parquet table with the columns ``dataset``, ``split``, ``part`` (one of
        `PARTS`), ``sentences`` and ``tokens``.
    outcomes : DataFrame, optional
        As `read` returns it; the test parts must have as many words in both.

    Returns
    -------
    DataFrame
        These columns, one row per dataset, split and part.

    Raises
    ------
    InputError
        If the file or a column is missing, a cell breaks the rule of its column, a part is there
        twice or missing, or a test part has another number of words than the outcomes.
    """
    headers = ("dataset", "split", "part", "sentences", "tokens")
    table = delimited.columns(file, {header: header for header in headers})
    place = text.shown(text.existing(file))
    sizes = pd.DataFrame(
        {
            "dataset": named(file, table, "dataset"),
            "split": whole(file, table, "split", 0),
            "part": [
                checks.choice(f"{place}: part", part, PARTS) for part in table["part"].to_pylist()
            ],
            "sentences": whole(file, table, "sentences", 1),
            "tokens": whole(file, table, "tokens", 1),
        }
    )
    counts = sizes.groupby(["dataset", "split"])["part"].agg(["nunique", "size"])
    wrong = counts[(counts != len(PARTS)).any(axis=1)]
    if len(wrong):
        dataset, split = wrong.index[0]
        raise InputError(
            f"{place}: split {split} of {dataset} does not have each of {', '.join(PARTS)} once; "
            "write one row for each."
        )
    if outcomes is not None:
        _check_test_parts(place, sizes, outcomes)
    return sizes


def _check_test_parts(place, sizes, outcomes):
    """Refuse sizes that are not those of the outcomes."""
    tested = outcomes.groupby(["dataset", "split"], observed=True)["words"].sum()
    listed = sizes[sizes["part"] == "test"].set_index(["dataset", "split"])["tokens"]
    for (dataset, split), words in tested.items():
        tokens = listed.get((dataset, split), 0)
        if tokens != words:
            raise InputError(
                f"{place}: the test part of split {split} of {dataset} has {tokens:,} tokens, but "
                f"the outcomes have {words:,} words; make both files from the same splits."
            )


def taggers(outcomes):
    """Name the taggers of outcomes.

    Parameters
    ----------
    outcomes : DataFrame
        As `read` returns it.

    Returns
    -------
    list of str
        The taggers, in the order of the columns.
    """
    return [name for name in outcomes if name not in KEYS]


def named(file, table, column):
    """Return a column of names as categories in the order of the file.

    Parameters
    ----------
    file : str or Path
        The table's file, for the message.
    table : pyarrow.Table
        As `delimited.columns` returns it.
    column : str
        One of its columns.

    Returns
    -------
    Categorical
        The names.

    Raises
    ------
    InputError
        If a cell is empty; the message names its line.
    """
    codes, names = pd.factorize(table[column].to_pandas())
    empty = (codes < 0) | np.isin(codes, np.flatnonzero(names == ""))
    if empty.any():
        raise InputError(f"{delimited.place(file, empty.argmax())}: {column} is empty; fill it in.")
    return pd.Categorical.from_codes(codes, [str(name) for name in names])


def whole(file, table, column, minimum):
    """Return a column of whole numbers that are not below a minimum.

    Parameters
    ----------
    file, table, column
        As for `named`.
    minimum : int
        The least value.

    Returns
    -------
    ndarray of int64
        The numbers.

    Raises
    ------
    InputError
        If a cell is no such number; the message names its line.
    """
    cells = table[column].to_pandas()
    numbers = pd.to_numeric(cells, errors="coerce").to_numpy(float, na_value=np.nan)
    wrong = ~((numbers >= minimum) & (numbers == np.floor(numbers)) & np.isfinite(numbers))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{delimited.place(file, row)}: {column} is {cells[row]!r}, but a whole number of at "
            f"least {minimum}; correct it."
        )
    return numbers.astype(np.int64)


_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def _truth(file, table, column):
    """Return a column of true and false, or of 1 and 0, as bool."""
    codes, values = pd.factorize(table[column].to_pandas())
    known = [_TRUTH.get(str(value).lower()) for value in values]
    wrong = np.isin(codes, [i for i, value in enumerate(known) if value is None]) | (codes < 0)
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{delimited.place(file, row)}: {column} is {table[column][row].as_py()!r}, but true "
            "or false; correct it."
        )
    return np.array(known, dtype=bool)[codes]


# --- accuracies ----------------------------------------------------------------------------------


def scores(outcomes):
    """Count what each tagger gets right on each split.

    Parameters
    ----------
    outcomes : DataFrame
        As `read` returns it.

    Returns
    -------
    DataFrame
        One row per ``dataset``, ``split``, ``metric`` of `METRICS` and ``tagger``, the oracle
        ensemble last: ``right`` of ``n`` words or sentences, and ``accuracy``, their ratio (NaN
        where there is none, such as no unknown word).

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


def wilson(right, n, level=0.95):
    """Compute Wilson's score intervals of accuracies (Section 2.3).

    Parameters
    ----------
    right, n : array_like of int, shape (m,)
        Units that are right, of n each.
    level : float, default 0.95
        Coverage, in (0, 1).

    Returns
    -------
    ndarray of float64, shape (m, 2)
        Lower and upper limits in [0, 1]; NaN where n is 0.

    Raises
    ------
    InputError
        If a number is negative or not whole, more units are right than there are, or the level is
        not in (0, 1).

    Notes
    -----
    Units are taken as independent. Words of one sentence are not quite, and documents that are kept
    together make them less so: the interval is then too narrow.

    Examples
    --------
    >>> wilson([9646], [10000]).round(4)
    array([[0.9608, 0.968 ]])
    """
    level = checks.confidence_level(level, "level")
    right, n = arguments.counts("right", right), arguments.counts("n", n)
    if (right > n).any():
        worst = int((right > n).argmax())
        raise InputError(
            f"right[{worst}] is {right[worst]} of {n[worst]} units; at most all can be right."
        )
    limits = [
        stats.binomtest(int(k), int(m)).proportion_ci(level, "wilson") if m else (np.nan, np.nan)
        for k, m in zip(right, n, strict=True)
    ]
    return np.array(limits, dtype=float).reshape(len(right), 2)


def standard(scored, level=0.95):
    """Return the accuracies on the standard split with their intervals.

    Parameters
    ----------
    scored : DataFrame
        As `scores` returns it.
    level : float, default 0.95
        Coverage of Wilson's intervals, in (0, 1).

    Returns
    -------
    DataFrame
        Rows of the standard split without ``split``, with ``low`` and ``high``.

    Raises
    ------
    InputError
        If the level is not in (0, 1).
    """
    rows = scored[scored["split"] == STANDARD].drop(columns="split").reset_index(drop=True)
    limits = wilson(rows["right"], rows["n"], level)
    return rows.assign(low=limits[:, 0], high=limits[:, 1])


def ranges(scored, level=0.95):
    """Lay the accuracies on random splits beside the interval of the standard split (Figure 1).

    Parameters
    ----------
    scored : DataFrame
        As `scores` returns it.
    level : float, default 0.95
        Coverage of Wilson's intervals, in (0, 1).

    Returns
    -------
    DataFrame
        As `standard`, with ``smallest``, ``mean`` and ``largest`` accuracy over the ``splits``
        random splits, and how many of these are ``below``, ``within`` and ``above`` the interval.

    Raises
    ------
    InputError
        If the level is not in (0, 1).

    Notes
    -----
    See `expected_within` for how many would be within if the standard split were a random one.
    """
    keys = ["dataset", "metric", "tagger"]
    rows = standard(scored, level)
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


def expected_within(level=0.95):
    r"""Share of random splits to expect within the interval of one that is itself random.

    Parameters
    ----------
    level : float, default 0.95
        Coverage of the interval, in (0, 1).

    Returns
    -------
    float
        :math:`2 \Phi(z / \sqrt 2) - 1` with z the normal quantile of the interval: less than the
        level, since both accuracies vary.

    Raises
    ------
    InputError
        If the level is not in (0, 1).

    Examples
    --------
    >>> round(expected_within(0.95), 3)
    0.834
    """
    z = stats.norm.isf((1 - checks.confidence_level(level, "level")) / 2)
    return float(2 * stats.norm.cdf(z / np.sqrt(2)) - 1)


def unknown_words(scored):
    r"""Attribute the distance between standard and random splits to unknown words (Section 4).

    Parameters
    ----------
    scored : DataFrame
        As `scores` returns it.

    Returns
    -------
    DataFrame
        One row per ``dataset`` and ``tagger``, without the oracle ensemble: the share of unknown
        words on the standard split (``unknown_standard``) and the mean, smallest and largest one
        over random splits (``unknown_mean``, ``unknown_smallest``, ``unknown_largest``);
        ``difference`` of token accuracy, mean of the random splits minus standard split; and the
        part of it ``by_unknown`` words.

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

    Parameters
    ----------
    scored : DataFrame
        As `scores` returns it; the oracle ensemble is left out.

    Returns
    -------
    DataFrame
        One row per ``dataset`` and ``metric``: ``ranking`` on the standard split, best first;
        (of equal accuracies, that of the first column); whether it is the one ``as_tokens``; how
        many of the ``splits`` random splits have ``same_order`` and how many the ``same_best``
        tagger as the standard split.
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

    Parameters
    ----------
    scored : DataFrame
        As `scores` returns it.

    Returns
    -------
    DataFrame
        One row per ``dataset``: ``first`` and ``last`` tagger, their token errors ``error_first``
        and ``error_last``, the absolute ``reduction``, the ``best`` tagger, the error of the
        ``oracle`` and by how much the best tagger is ``below_oracle``, all as shares of words.
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


# --- comparisons ---------------------------------------------------------------------------------


def compare(outcomes):
    r"""Test each pair of taggers on the words of each split by McNemar's mid-p test.

    Parameters
    ----------
    outcomes : DataFrame
        As `read` returns it.

    Returns
    -------
    DataFrame
        One row per ``dataset``, ``split`` and pair, ``first`` before ``second`` in the order of the
        columns: whether they are ``adjacent``; words on which ``only_first`` and ``only_second`` is
        right, of ``words``; ``difference`` of the token accuracies, second minus first;
        ``p_value`` (two-sided), and one-sided ``p_second`` ("the second is not better") and
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

    Parameters
    ----------
    compared : DataFrame
        As `compare` returns it.
    alphas : sequence of float
        Levels, in (0, 1).

    Returns
    -------
    DataFrame
        One row per ``dataset`` and ``alpha``: number of ``pairs``, of those with a two-sided
        p-value of at most alpha (``significant``), of those that Holm's procedure identifies among
        all pairs (``identified``), and the pairs that are ``not_significant``, each a tuple of
        first, second and p-value.

    Raises
    ------
    InputError
        If a level is not in (0, 1).
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

    Parameters
    ----------
    compared : DataFrame
        As `compare` returns it.
    alpha : float, default 0.05
        Bound on the probability of a false statement about a pair, in (0, 1).

    Returns
    -------
    DataFrame
        One row per ``dataset`` and pair, with ``adjacent``: over the ``splits`` random splits the
        ``mean``, ``smallest`` and ``largest`` difference of token accuracy (second minus first);
        splits on which the second is ``ahead`` and ``behind``; ``ahead_bonferroni`` and
        ``behind_bonferroni``, those with a two-sided p-value of at most alpha / splits;
        ``ahead_sentences`` and ``behind_sentences``, the same by ``p_sentences``; ``k_ahead`` and
        ``k_behind``, k-hat of either direction at alpha / 2; ``design_effect``, the median, with
        ``smallest_effect`` and ``largest_effect``.

    Raises
    ------
    InputError
        If alpha is not in (0, 1).

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

    Parameters
    ----------
    sizes : DataFrame
        As `read_sizes` returns it.

    Returns
    -------
    dict of str to float
        Dataset -> ratio, the mean over its random splits.
    """
    random = sizes[sizes["split"] != STANDARD]
    train, test = (
        random[random["part"] == part].set_index(["dataset", "split"])["sentences"]
        for part in ("train", "test")
    )
    ratio = test / train
    return ratio.groupby(level="dataset", observed=True).mean().to_dict()


def resampled_t(differences, ratio):
    r"""Test the mean difference over random splits by the corrected resampled t-test.

    Parameters
    ----------
    differences : array_like, shape (J,)
        Difference of accuracies on each of J random splits, at least two.
    ratio : float
        Test instances per training instance of a split, above 0.

    Returns
    -------
    float
        Two-sided p-value of "the mean over all such splits is 0"; 1 if no split shows a difference.

    Raises
    ------
    InputError
        If there are fewer than two differences, one is not finite, or the ratio is not above 0.

    Notes
    -----
    :math:`t = \bar d / \sqrt{(1/J + n_{test}/n_{train}) s^2}` with J - 1 degrees of freedom (Nadeau
    and Bengio 2003, Section 3): splits share sentences, so that :math:`s^2 / J` alone is too small
    a variance of the mean. The correction is a heuristic: it takes the correlation of two splits to
    be the share of the test part, n_test / (n_test + n_train).

    Examples
    --------
    >>> round(resampled_t([0.3, 0.1, 0.2, 0.2], ratio=1 / 8), 4)
    0.028
    """
    differences = arguments.vector("differences", differences)
    if len(differences) < 2:
        raise InputError("There is one difference; its variance needs at least two splits.")
    if not checks.finite("ratio", ratio) > 0:
        raise InputError(f"ratio is {ratio!r}; it is a number of test over training, above 0.")
    mean, count = differences.mean(), len(differences)
    if not differences.any():
        return 1.0
    error = np.sqrt((1 / count + ratio) * differences.var(ddof=1))
    t = np.abs(mean) / error if error else np.inf
    return float(2 * stats.t.sf(t, count - 1))


def summarise(compared, alpha, test_to_train):
    """Put everything about each pair side by side: standard split, random splits, their mean.

    Parameters
    ----------
    compared : DataFrame
        As `compare` returns it.
    alpha : float
        Level of `count`, in (0, 1).
    test_to_train : dict of str to float
        As `ratios` returns it.

    Returns
    -------
    DataFrame
        As `count`, with ``standard`` difference and two-sided p-value ``p_standard`` on the
        standard split, and ``p_mean`` of `resampled_t`.

    Raises
    ------
    InputError
        If alpha is not in (0, 1), or a dataset has no ratio.
    """
    counted = count(compared, alpha)
    once = compared[compared["split"] == STANDARD].rename(
        columns={"difference": "standard", "p_value": "p_standard"}
    )
    random = compared[compared["split"] != STANDARD]
    for dataset in counted["dataset"].unique():
        checks.choice("sizes: dataset", dataset, test_to_train)
    over = [
        resampled_t(part["difference"], test_to_train[dataset])
        for (dataset, *_), part in random.groupby(PAIR, sort=False)
    ]
    counted = counted.assign(p_mean=over)
    return counted.merge(once[[*PAIR, "standard", "p_standard"]], on=PAIR)
