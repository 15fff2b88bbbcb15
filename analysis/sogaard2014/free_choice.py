"""What a free choice of metric, sample and sentence length does to p-values of real outputs.

Søgaard, Johannsen, Plank, Hovy and Martínez Alonso (2014), Sections 3.2 to 3.5, test two systems by
several metrics, on samples that grow and on sentences up to a length. A `Pair` holds what two
systems have right in each sentence of one dataset; most functions take pairs and return one row per
test. The p-values are those of the paper: the paired bootstrap over sentences, one-sided for the
system that is ahead in the sample (`saddlepoint.bootstrap_pvalues`).

=============  ================================================================================
metric         is
=============  ================================================================================
TA             tagging accuracy: words with the right part of speech over words
UA             the same over unknown words
SA             mean over sentences of their tagging accuracy
LAS, UAS       words with the right head and relation, with the right head, over words
F1             2 correct / (guessed + gold), over the spans of all types (conlleval)
macro-F1       mean of the F1 of the types
untyped F1     F1 of spans whatever their type
LOC, ...       F1 of the spans of a type
=============  ================================================================================

`many_metrics` has the paper's toy examples.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicability import checks
from replicability.io.text import existing
from replicability.stats import (
    multiple_testing,
    paired,
    partial_conjunction,
    resampling,
    saddlepoint,
)

TASKS = {
    "POS": ("TA", "UA", "SA"),
    "Parsing": ("LAS", "UAS"),
    "NER": ("F1", "macro-F1", "untyped F1", "LOC", "MISC", "ORG", "PER"),
}
"""Task -> its metrics, the standard one first."""

TYPES = TASKS["NER"][3:]
"""Types of entities."""

_SHARES = {
    "TA": ("upos", "words"),
    "UA": ("unknown_upos", "unknown"),
    "LAS": ("las", "words"),
    "UAS": ("uas", "words"),
}


@dataclass(frozen=True, eq=False)
class Pair:
    """What two systems have right in each sentence of one dataset.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    systems : tuple of (str, str)
        Names of A and B.
    words : ndarray of float64, shape (n,)
        Words of each sentence.
    a, b : dict of str to ndarray of float64, shape (n, r, 2)
        Metric -> numerators and denominators of the r ratios that it is the mean of.
    """

    dataset: str
    systems: tuple
    words: np.ndarray
    a: dict
    b: dict

    def __len__(self):
        return len(self.words)

    def only(self, *metrics):
        """Return the pair with some of its metrics.

        Parameters
        ----------
        *metrics : str
            Their names, in the order wanted.

        Returns
        -------
        Pair
            The same sentences.
        """
        return replace(
            self,
            a={metric: self.a[metric] for metric in metrics},
            b={metric: self.b[metric] for metric in metrics},
        )


# --- reading --------------------------------------------------------------------------------------


def read(file, systems, task):
    """Read the outcomes of two systems.

    Parameters
    ----------
    file : str or Path
        ``parsing.parquet`` or ``ner.parquet`` of ``data/outcomes``; a relative path starts at the
        checkout.
    systems : sequence of (str, str)
        Names of A and B.
    task : {"POS", "Parsing", "NER"}
        What is compared.

    Returns
    -------
    list of Pair
        One per dataset, in the order of the file.

    Raises
    ------
    InputError
        If the file is missing, lacks a column or a system, or the two were not scored on the same
        sentences.
    """
    metrics = TASKS[checks.choice("task", task, TASKS)]
    if len(systems) != 2 or systems[0] == systems[1]:
        raise checks.InputError(f"systems are {list(systems)}; name two different ones.")
    table = outcomes(file)
    for system in systems:
        checks.choice(f"{file}: system", system, table["system"].unique())
    sides = [
        dict(list(table[table["system"] == system].groupby("dataset", sort=False)))
        for system in systems
    ]
    pairs = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        first, second = (side.get(name, table[:0]) for side in sides)
        if list(first["instance"]) != list(second["instance"]):
            raise checks.InputError(
                f"{file}: {systems[0]} and {systems[1]} have different sentences of {name!r}; "
                "score both on the same ones."
            )
        a, b = ({m: counts(side, m) for m in metrics} for side in (first, second))
        pairs.append(Pair(name, tuple(systems), first["words"].to_numpy(float), a, b))
    return pairs


def outcomes(file):
    """Read a table of outcomes.

    Parameters
    ----------
    file : str or Path
        Parquet; a relative path starts at the checkout.

    Returns
    -------
    DataFrame
        Its rows.

    Raises
    ------
    InputError
        If the file is missing or has no column ``dataset``, ``instance``, ``system`` or ``words``.
    """
    table = pd.read_parquet(existing(file))
    for column in ("dataset", "instance", "system", "words"):
        checks.choice(f"{file}: column", column, table.columns)
    return table


def counts(table, metric):
    """Return numerators and denominators of a metric.

    Parameters
    ----------
    table : DataFrame
        One row per sentence, columns of ``parsing.parquet`` or ``ner.parquet``.
    metric : str
        A metric of `TASKS`.

    Returns
    -------
    ndarray of float64, shape (n, r, 2)
        Of each sentence and of each of the r ratios whose mean is the metric; for F1 the numerator
        is twice the correct spans, the denominator guessed plus gold ones.

    Raises
    ------
    InputError
        If the table lacks a column.
    """
    if metric in _SHARES:
        return _columns(table, _SHARES[metric])[:, None]
    if metric == "SA":
        right, words = _columns(table, _SHARES["TA"]).T
        return np.stack([right / words, np.ones(len(table))], axis=-1)[:, None]
    chosen = [metric] if metric in TYPES else TYPES
    names = [
        f"{kind.lower()}_{count}" for kind in chosen for count in ("correct", "guessed", "gold")
    ]
    spans = _columns(table, names).reshape(len(table), -1, 3)
    if metric in ("F1", "untyped F1"):
        spans = spans.sum(axis=1, keepdims=True)
    if metric == "untyped F1":
        spans[:, 0, 0] = _columns(table, ["untyped"])[:, 0]
    return np.stack([2 * spans[..., 0], spans[..., 1] + spans[..., 2]], axis=-1)


def _columns(table, names):
    for name in names:
        checks.choice("column", name, table.columns)
    return table[list(names)].to_numpy(float)


# --- samples --------------------------------------------------------------------------------------


def whole(pair):
    """Return the sample of all sentences, shape (1, n)."""
    return np.ones((1, len(pair)), bool)


def growing(pair, step, rng):
    """Take sentences in random order, up to more and more words.

    Parameters
    ----------
    pair : Pair
        The sentences.
    step : int
        Words by which the sample grows.
    rng : numpy.random.Generator
        Source of the order.

    Returns
    -------
    samples : ndarray of bool, shape (k, n)
        Nested; the last one has all sentences.
    sizes : ndarray of int64, shape (k,)
        Most words in each: step, twice step, ..., all.
    """
    total = int(pair.words.sum())
    sizes = np.append(np.arange(checks.at_least("step", step), total, step), total)
    order = rng.permutation(len(pair))
    before = np.empty(len(pair))
    before[order] = np.cumsum(pair.words[order])
    return before <= sizes[:, None], sizes


def subsamples(pair, share, n_draws, rng):
    """Draw samples without replacement.

    Parameters
    ----------
    pair : Pair
        The sentences.
    share : float
        Share of the sentences in a sample, in (0, 1]; rounded to whole sentences.
    n_draws : int
        Number of samples.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of bool, shape (n_draws, n)
        The samples.
    """
    size = round(share * len(pair))
    return rng.permuted(np.tile(np.arange(len(pair)) < size, (n_draws, 1)), axis=1)


# --- tests ----------------------------------------------------------------------------------------


def tests(pair, samples, minimum=2, **labels):
    """Test every metric on samples.

    Parameters
    ----------
    pair : Pair
        The sentences.
    samples : ndarray of bool, shape (k, n)
        Samples of them.
    minimum : int, default 2
        Samples with fewer sentences are left out.
    **labels
        Columns that describe the samples, each a value or k of them.

    Returns
    -------
    DataFrame
        Columns dataset, metric, those of `labels`, sentences, words, difference (metric of A minus
        metric of B) and p_value; rows by metric and sample. A sample without anything to count,
        such as one without unknown words, has a NaN.
    """
    samples = np.asarray(samples, dtype=bool)
    kept = np.flatnonzero(samples.sum(axis=1) >= checks.at_least("minimum", minimum, 2))
    labels = {name: np.broadcast_to(values, len(samples))[kept] for name, values in labels.items()}
    samples = samples[kept]
    frames = []
    for metric in pair.a:
        difference, pvalues = saddlepoint.bootstrap_pvalues(pair.a[metric], pair.b[metric], samples)
        described = {"dataset": pair.dataset, "metric": metric, **labels}
        measured = {"sentences": samples.sum(axis=1), "words": (samples @ pair.words).astype(int)}
        frames.append(
            pd.DataFrame({**described, **measured, "difference": difference, "p_value": pvalues})
        )
    return pd.concat(frames, ignore_index=True)


def scores(pairs):
    """Score both systems and test their difference on all sentences (Figure 1, Tables 2 and 3).

    Parameters
    ----------
    pairs : sequence of Pair
        The datasets.

    Returns
    -------
    DataFrame
        As `tests`, with the columns ``a`` and ``b``, the metric of each system, a share of one.
    """
    frames = []
    for pair in pairs:
        found = tests(pair, whole(pair))
        for column, side in (("a", pair.a), ("b", pair.b)):
            found[column] = [_value(side[metric]) for metric in found["metric"]]
        frames.append(found)
    return pd.concat(frames, ignore_index=True)


def _value(sums):
    return float(_mean_ratio(sums.sum(axis=0).ravel()))


def _mean_ratio(totals):
    """Return the metric from totals of shape (..., 2 r)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return (totals[..., ::2] / totals[..., 1::2]).mean(axis=-1)


def resampled(pair, n_resamples, seed):
    """Test every metric on all sentences by drawing resamples, to check the approximation.

    Parameters
    ----------
    pair : Pair
        The sentences.
    n_resamples : int
        Number of resamples.
    seed : int
        Source of random numbers.

    Returns
    -------
    list of resampling.MonteCarlo
        One per metric, for the system that is ahead.
    """
    children = np.random.SeedSequence(seed).spawn(len(pair.a))
    return [
        resampling.bootstrap(
            pair.a[metric].reshape(len(pair), -1),
            pair.b[metric].reshape(len(pair), -1),
            _mean_ratio,
            n_resamples=n_resamples,
            rng=child,
            alternative="greater" if _value(pair.a[metric]) >= _value(pair.b[metric]) else "less",
            progress=False,
        )
        for metric, child in zip(pair.a, children, strict=True)
    ]


def by_size(pairs, step, n_runs, minimum, seed):
    """Test on growing samples (Figures 3 to 5).

    Parameters
    ----------
    pairs : sequence of Pair
        The datasets.
    step : int
        Words by which a sample grows.
    n_runs : int
        Number of random orders of the sentences.
    minimum : int
        Fewest sentences in a sample.
    seed : int
        Source of random numbers.

    Returns
    -------
    DataFrame
        As `tests`, with the columns ``run`` and ``size``, most words of the sample.
    """
    checks.at_least("n_runs", n_runs)
    frames = []
    for pair, child in zip(pairs, np.random.SeedSequence(seed).spawn(len(pairs)), strict=True):
        rng = np.random.default_rng(child)
        samples, sizes = zip(*[growing(pair, step, rng) for _ in range(n_runs)], strict=True)
        labels = {"run": np.repeat(np.arange(n_runs), len(sizes[0])), "size": np.concatenate(sizes)}
        frames.append(tests(pair, np.concatenate(samples), minimum, **labels))
    return pd.concat(frames, ignore_index=True)


def by_length(pairs, lengths, minimum):
    """Test on sentences up to a length (Figure 6).

    Parameters
    ----------
    pairs : sequence of Pair
        The datasets.
    lengths : sequence of int
        Most words of a sentence; the whole dataset follows as the last test, with its longest.
    minimum : int
        Fewest sentences in a sample.

    Returns
    -------
    DataFrame
        As `tests`, with the column ``length``.
    """
    frames = []
    for pair in pairs:
        longest = int(pair.words.max())
        limits = np.array([*[length for length in lengths if length < longest], longest])
        frames.append(tests(pair, pair.words <= limits[:, None], minimum, length=limits))
    return pd.concat(frames, ignore_index=True)


def positive_shares(pairs, shares, n_draws, alpha, minimum, seed):
    """Share of random samples with a significant difference (Table 4).

    Parameters
    ----------
    pairs : sequence of Pair
        The datasets.
    shares : sequence of float
        Sizes of the samples as shares of the sentences, in (0, 1].
    n_draws : int
        Samples of each size; where all sentences are taken there is one.
    alpha : float
        Level of the tests.
    minimum : int
        Fewest sentences in a sample.
    seed : int
        Source of random numbers.

    Returns
    -------
    DataFrame
        Columns dataset, metric, share, sentences and positive, the share with p <= alpha.
    """
    alpha = checks.alpha(alpha)
    frames = []
    for pair, child in zip(pairs, np.random.SeedSequence(seed).spawn(len(pairs)), strict=True):
        rng = np.random.default_rng(child)
        for share in shares:
            if not 0 < checks.finite("share", share) <= 1:
                raise checks.InputError(f"share is {share!r}; it lies in (0, 1].")
            samples = subsamples(pair, share, n_draws if share < 1 else 1, rng)
            found = tests(pair, samples, minimum, share=share)
            found["positive"] = found["p_value"] <= alpha
            keys = ["dataset", "metric", "share", "sentences"]
            frames.append(found.groupby(keys, sort=False)["positive"].mean().reset_index())
    return pd.concat(frames, ignore_index=True)


def swapped(pair, shares, n_draws, seed):
    """Test after exchanging the systems at random: no true difference, real outputs (Figure 2).

    Parameters
    ----------
    pair : Pair
        The sentences; in each draw the outputs on each of them are exchanged with probability 1/2.
    shares : sequence of float
        Sample sizes, as shares of the sentences in their order in `pair`.
    n_draws : int
        Number of draws.
    seed : int or numpy.random.SeedSequence
        Source of random numbers.

    Returns
    -------
    ndarray of float64, shape (n_draws, metrics, len(shares))
        Two-sided p-values: twice those of the system that is ahead, at most 1.
    """
    rng = np.random.default_rng(seed)
    exchanged = rng.integers(2, size=(n_draws, len(pair), 1, 1), dtype=bool)
    found = []
    for metric in pair.a:
        a = np.where(exchanged, pair.b[metric], pair.a[metric])
        b = np.where(exchanged, pair.a[metric], pair.b[metric])
        for size in (round(share * len(pair)) for share in shares):
            sample = np.ones((n_draws, size), bool)
            pvalues = saddlepoint.bootstrap_pvalues(a[:, :size], b[:, :size], sample)[1]
            found.append(two_sided(pvalues))
    return np.stack(found, axis=1).reshape(n_draws, len(pair.a), len(shares))


def two_sided(pvalues):
    """Double p-values of the system that is ahead: its choice after seeing the data is paid for.

    Parameters
    ----------
    pvalues : array_like of float
        In [0, 1]; NaN is allowed.

    Returns
    -------
    ndarray of float64
        ``min(1, 2 p)``.
    """
    return np.minimum(1, 2 * np.asarray(pvalues, dtype=float))


def sentence_wilcoxon(pair):
    """Wilcoxon's signed-rank test of sentence accuracies, the column SA (w) of Table 2.

    Parameters
    ----------
    pair : Pair
        With the metric SA.

    Returns
    -------
    float
        Two-sided p-value; sentences with equal accuracies are left out.
    """
    a, b = (side["SA"][:, 0, 0] for side in (pair.a, pair.b))
    return paired.wilcoxon(a, b, alternative="two-sided").pvalue


# --- counting -------------------------------------------------------------------------------------


def averaged(found, axis):
    """Average p-values over runs, as the paper does.

    Parameters
    ----------
    found : DataFrame
        As `by_size` returns it, or `by_length`, which has no runs.
    axis : {"size", "length"}
        What varies.

    Returns
    -------
    DataFrame
        Columns dataset, metric, `axis` and p_value, in the order of the datasets.
    """
    keys = ["dataset", "metric", axis]
    means = found.groupby(keys, sort=False)["p_value"].mean().reset_index()
    return means.dropna(ignore_index=True)


def turns(found, axis, alpha, above=0):
    """Say where significance comes and goes along a path.

    Parameters
    ----------
    found : DataFrame
        As `averaged` returns it.
    axis : {"size", "length"}
        What varies.
    alpha : float
        A difference is significant if p <= alpha.
    above : float, default 0
        Values of `axis` up to this are ignored.

    Returns
    -------
    DataFrame
        One row per dataset and metric: ``ever``, ``finally`` (on the last value), ``lost`` (a
        significant result is followed by one that is not), ``gained`` (the first is not
        significant, the last one is) and ``tests``.
    """
    kept = found[found[axis] > above]
    rows = []
    for (dataset, metric), path in kept.groupby(["dataset", "metric"], sort=False):
        small = (path.sort_values(axis)["p_value"] <= alpha).to_numpy()
        rows.append(
            {
                "dataset": dataset,
                "metric": metric,
                "tests": len(small),
                "ever": small.any(),
                "finally": small[-1],
                "lost": bool((small[:-1] & ~small[1:]).any()),
                "gained": bool(~small[0] & small[-1]),
            }
        )
    return pd.DataFrame(rows)


def family(found, alpha):
    """Count the tests that a researcher could choose from as one family.

    Parameters
    ----------
    found : DataFrame
        Tests of one dataset, as `tests` returns them; those without a p-value are left out.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    dict
        ``tests``, their number; ``small``, p-values of the system that is ahead of at most alpha;
        ``smallest``, the least of them; and ``k_hat`` by Bonferroni from two-sided p-values, which
        leave no choice of direction: on how many tests the systems differ, whatever the dependence,
        and as many as Holm's procedure names.

    Raises
    ------
    InputError
        If there is no test with a p-value.
    """
    kept = found.dropna(subset=["p_value"])
    if kept.empty:
        raise checks.InputError("A family has no test with a p-value; pass larger samples.")
    both = two_sided(kept["p_value"])
    return {
        "tests": len(kept),
        "small": int((kept["p_value"] <= checks.alpha(alpha)).sum()),
        "smallest": float(kept["p_value"].min()),
        "k_hat": int(partial_conjunction.k_hat(both, alpha, dependence="dependent")),
    }


def summary(full, sizes, lengths, alpha, smallest):
    """Count the datasets with a significant difference, as the text of the paper does.

    Parameters
    ----------
    full, sizes, lengths : DataFrame
        As `scores`, `by_size` and `by_length` return them, for one task; p-values at one size are
        averaged over runs.
    alpha : float
        A difference is significant if p <= alpha.
    smallest : int
        Sizes of samples up to this, in words, are ignored.

    Returns
    -------
    DataFrame
        Columns ``quantity`` and ``ours``, such as "3/15"; sizes and lengths are counted by every
        metric, sizes also without averaging, in the first random order alone.
    """
    small = full.assign(small=full["p_value"] <= alpha).pivot_table(
        index="dataset", columns="metric", values="small", aggfunc="first", sort=False
    )
    counted = {f"significant by {metric}": small[metric] for metric in small}
    counted["significant by any metric"] = small.any(axis=1)
    counted["significant by every metric"] = small.all(axis=1)
    orders = {"": sizes, ", one order": sizes[sizes["run"] == 0]}
    for metric in small:
        for name, found in orders.items():
            path = averaged(found[found["metric"] == metric], "size")
            path = turns(path, "size", alpha, smallest)
            counted[f"lose significance with more data by {metric}{name}"] = path["lost"]
            counted[f"gain significance with more data by {metric}{name}"] = path["gained"]
        path = turns(averaged(lengths[lengths["metric"] == metric], "length"), "length", alpha)
        counted[f"significant at some length by {metric}"] = path["ever"]
    rows = [(quantity, f"{of.sum()}/{len(small)}") for quantity, of in counted.items()]
    return pd.DataFrame(rows, columns=["quantity", "ours"])


PRINTED = {
    ("POS", "significant by TA"): ("3.2", "POS: significant data sets"),
    ("POS", "significant by any metric"): ("3.3", "POS: significant by any metric"),
    ("POS", "significant by every metric"): ("3.3", "POS: significant by every metric"),
    ("POS", "lose significance with more data by TA"): (
        "1",
        "POS comparisons that lose significance with more data",
    ),
    ("POS", "significant at some length by TA"): ("3.5", "POS: significant at some length"),
    ("Parsing", "gain significance with more data by LAS"): (
        "3.4",
        "Parsing: data sets that gain significance by LAS",
    ),
}
"""Task and quantity of `summary` -> section and quantity in ``text.csv`` of the paper."""


def beside_published(summaries, text):
    """Put the published counts beside those of `summary`.

    Parameters
    ----------
    summaries : dict of str to DataFrame
        Task -> as `summary` returns it.
    text : DataFrame of str
        ``text.csv`` of the paper.

    Returns
    -------
    DataFrame of str
        Columns task, quantity, published ("" if the paper has no such number) and ours.
    """
    printed = text.set_index(["section", "quantity"])["printed"]
    table = pd.concat(summaries, names=["task"]).reset_index(level="task")
    keys = zip(table["task"], table["quantity"], strict=True)
    table.insert(2, "published", [printed[PRINTED[k]] if k in PRINTED else "" for k in keys])
    return table.reset_index(drop=True)


def evaluation_data(pairs, tasks):
    """Describe the datasets (Table 1).

    Parameters
    ----------
    pairs : sequence of Pair
        One per dataset.
    tasks : sequence of str
        What they serve.

    Returns
    -------
    DataFrame
        Columns dataset, tasks, sentences, words, and unknown, unknown words; NaN where they are not
        counted.
    """
    return pd.DataFrame(
        {
            "dataset": pair.dataset,
            "tasks": ", ".join(tasks),
            "sentences": len(pair),
            "words": pair.words.sum(),
            "unknown": pair.a["UA"][..., 1].sum() if "UA" in pair.a else np.nan,
        }
        for pair in pairs
    )


def families(full, sizes, lengths, alpha):
    """Count the choices of each dataset (metric, sample size, length) as families.

    Parameters
    ----------
    full, sizes, lengths : DataFrame
        As `scores`, `by_size` and `by_length` return them, for one task; of the sizes the first
        run counts, and for size and length the standard metric, the first.
    alpha : float
        Level.

    Returns
    -------
    DataFrame
        One row per dataset and choice ("metric", "size", "length", "any"), with the columns of
        `family`; "any" is every metric at every size and length.
    """
    standard = full["metric"].iloc[0]
    sizes = sizes[sizes["run"] == 0]
    rows = []
    for dataset in full["dataset"].unique():
        one, two, three = (t[t["dataset"] == dataset] for t in (full, sizes, lengths))
        choices = {
            "metric": one,
            "size": two[two["metric"] == standard],
            "length": three[three["metric"] == standard],
            "any": pd.concat([two, three[three["length"] < three["length"].max()]]),
        }
        rows += [{"dataset": dataset, "choice": c, **family(f, alpha)} for c, f in choices.items()]
    return pd.DataFrame(rows)


def across(full, alpha):
    """Count the datasets of each metric, as Dror et al. (2017) do, in both directions.

    Parameters
    ----------
    full : DataFrame
        As `scores` returns it, for independent datasets.
    alpha : float
        Level, in (0, 1).

    Returns
    -------
    DataFrame
        One row per metric: ``difference`` of the averages over datasets; ``wilcoxon``, the
        two-sided p-value of the signed-rank test across datasets; and for "A is better" (``a_``)
        and "B is better" (``b_``) the number of one-sided p-values of at most alpha (``small``),
        k-hat by Bonferroni and by Fisher, and the datasets that Holm's procedure names (``named``).
    """
    rows = []
    for metric, part in full.groupby("metric", sort=False):
        a, b = (part[side].to_numpy() for side in "ab")
        test = paired.wilcoxon(a, b, alternative="two-sided")
        row = {"metric": metric, "difference": (a - b).mean(), "wilcoxon": test.pvalue}
        for better, sign in (("a", 1), ("b", -1)):
            ahead = sign * part["difference"] >= 0
            p = np.where(ahead, part["p_value"], 1 - part["p_value"])
            row |= {
                f"{better}_small": int((p <= alpha).sum()),
                f"{better}_bonferroni": partial_conjunction.k_hat(p, alpha),
                f"{better}_fisher": partial_conjunction.k_hat(
                    p, alpha, "fisher", dependence="independent"
                ),
                f"{better}_named": list(part["dataset"][multiple_testing.identify(p, alpha)]),
            }
        rows.append(row)
    return pd.DataFrame(rows)
