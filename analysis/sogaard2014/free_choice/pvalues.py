"""Samples of sentences, and the p-value of every metric on each of them."""

import numpy as np
import pandas as pd

from analysis.methods import saddlepoint
from replicability import checks
from replicability.stats import (
    paired,
    resampling,
)


def whole(pair):
    """Return the sample of all sentences, shape (1, n)."""
    return np.ones((1, len(pair)), bool)


def growing(pair, step, rng):
    """Take sentences in random order, up to more and more words.

    `step`: words by which the sample grows. `rng`: source of the order.

    Returns samples : ndarray of bool, shape (k, n). Nested; the last one has all sentences. Returns
    sizes : ndarray of int64, shape (k,). Most words in each: step, twice step, ..., all.
    """
    total = int(pair.words.sum())
    sizes = np.append(np.arange(checks.at_least("step", step), total, step), total)
    order = rng.permutation(len(pair))
    before = np.empty(len(pair))
    before[order] = np.cumsum(pair.words[order])
    return before <= sizes[:, None], sizes


def subsamples(pair, share, n_draws, rng):
    """Draw samples without replacement.

    `share`: share of the sentences in a sample, in (0, 1]; rounded to whole sentences. `n_draws`:
    number of samples. `rng`: source of random numbers.

    Returns ndarray of bool, shape (n_draws, n). The samples.
    """
    size = round(share * len(pair))
    return rng.permuted(np.tile(np.arange(len(pair)) < size, (n_draws, 1)), axis=1)


def tests(pair, samples, minimum=2, **labels):
    """Test every metric on samples.

    `samples`: samples of them. `minimum`: samples with fewer sentences are left out. `**labels`:
    columns that describe the samples, each a value or k of them.

    Returns DataFrame. Columns dataset, metric, those of `labels`, sentences, words, difference
    (metric of A minus metric of B) and p_value; rows by metric and sample. A sample without
    anything to count, such as one without unknown words, has a NaN.
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

    Returns DataFrame. As `tests`, with the columns ``a`` and ``b``, the metric of each system, a
    share of one.
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

    `n_resamples`: number of resamples. `seed`: source of random numbers.

    Returns list of resampling.MonteCarlo. One per metric, for the system that is ahead.
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

    `step`: words by which a sample grows. `n_runs`: number of random orders of the sentences.
    `minimum`: fewest sentences in a sample. `seed`: source of random numbers.

    Returns DataFrame. As `tests`, with the columns ``run`` and ``size``, most words of the sample.
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

    `lengths`: most words of a sentence; the whole dataset follows as the last test, with its
    longest. `minimum`: fewest sentences in a sample.

    Returns DataFrame. As `tests`, with the column ``length``.
    """
    frames = []
    for pair in pairs:
        longest = int(pair.words.max())
        limits = np.array([*[length for length in lengths if length < longest], longest])
        frames.append(tests(pair, pair.words <= limits[:, None], minimum, length=limits))
    return pd.concat(frames, ignore_index=True)


def positive_shares(pairs, shares, n_draws, alpha, minimum, seed):
    """Share of random samples with a significant difference (Table 4).

    `pairs`: sequence of Pair. `shares` (sequence of float): sizes of the samples as shares of the
    sentences, in (0, 1]. `n_draws`: samples of each size; where all sentences are taken there is
    one. `alpha`: level of the tests. `minimum`: fewest sentences in a sample. `seed`: source of
    random numbers.

    Returns DataFrame. Columns dataset, metric, share, sentences and positive, the share with p <=
    alpha.
    """
    alpha = checks.alpha(alpha)
    frames = []
    for pair, child in zip(pairs, np.random.SeedSequence(seed).spawn(len(pairs)), strict=True):
        rng = np.random.default_rng(child)
        for share in shares:
            if not 0 < checks.finite("share", share) <= 1:
                raise checks.InputError(f"share is {share!r}, but must be in (0, 1].")
            samples = subsamples(pair, share, n_draws if share < 1 else 1, rng)
            found = tests(pair, samples, minimum, share=share)
            found["positive"] = found["p_value"] <= alpha
            keys = ["dataset", "metric", "share", "sentences"]
            frames.append(found.groupby(keys, sort=False)["positive"].mean().reset_index())
    return pd.concat(frames, ignore_index=True)


def swapped(pair, shares, n_draws, seed):
    """Test after exchanging the systems at random: no true difference, real outputs (Figure 2).

    `pair`: the sentences; in each draw the outputs on each of them are exchanged with probability
    1/2. `shares`: sample sizes, as shares of the sentences in their order in `pair`. `n_draws`:
    number of draws. `seed`: source of random numbers.

    Returns ndarray of float64, shape (n_draws, metrics, len(shares)): two-sided p-values: twice
    those of the system that is ahead, at most 1.
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


def null_choices(pairs, shares, n_draws, seed):
    """Draw smallest p-values of free choices where the systems do not differ (Figure 2).

    `pairs`: one per dataset. `shares`: sample sizes, as for `swapped`; the last is all sentences.
    `n_draws`: draws of each dataset. `seed`: source of random numbers.

    Returns dict of str to ndarray. Choice -> two-sided p-values, one row per draw: no choice (the
    first metric), one of metric, one of sample, and both. A test that cannot be made has p-value 1.
    """
    children = np.random.SeedSequence(seed).spawn(len(pairs))
    drawn = [swapped(p, shares, n_draws, child) for p, child in zip(pairs, children, strict=True)]
    null = np.nan_to_num(np.concatenate(drawn), nan=1.0)
    first, *others = pairs[0].a
    metrics = f"{', '.join([first, *others[:-1]])} or {others[-1]}"
    return {
        f"no choice: {first}, all sentences": null[:, :1, -1],
        f"choice of metric: {metrics}": null[:, :, -1],
        f"choice of sample: {len(shares)} sizes": null[:, 0],
        "choice of both": null.reshape(len(null), -1),
    }


def two_sided(pvalues):
    """Double p-values of the system that is ahead: its choice after seeing the data is paid for.

    `pvalues`: in [0, 1]; NaN is allowed.

    Returns ndarray of float64. ``min(1, 2 p)``.
    """
    return np.minimum(1, 2 * np.asarray(pvalues, dtype=float))


def sentence_wilcoxon(pair):
    """Wilcoxon's signed-rank test of sentence accuracies, the column SA (w) of Table 2.

    `pair`: with the metric SA.

    Returns float. Two-sided p-value; sentences with equal accuracies are left out.
    """
    a, b = (side["SA"][:, 0, 0] for side in (pair.a, pair.b))
    return paired.wilcoxon(a, b, alternative="two-sided").pvalue
