"""Time Monte-Carlo resampling beside its peers: medians of five, and ratios of them, in one run.

Run it from the root of the repository with ``python -m benchmarks.resampling``. Everything runs on
one core. Peers that are slow get fewer resamples, and times are given for each resample.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import functools
import resource
import statistics
import time

import numpy as np
from sacrebleu import significance
from sacrebleu.metrics import BLEU
from scipy import stats

from replicability.stats import resampling, samplers
from replicability.stats.metrics import METRICS, rating_codes, score_sums, spearman_difference

N = 2000
REPEATS = 5


def median_times(*calls):
    """Median of some runs of each call in turn, in microseconds for each resample.

    The first round does not count. The calls alternate, so that all share the load of the machine.
    """
    times = [[] for _ in calls]
    for _ in range(1 + REPEATS):
        for (call, n_resamples), taken in zip(calls, times, strict=True):
            start = time.perf_counter()
            call(n_resamples)
            taken.append((time.perf_counter() - start) / n_resamples * 1e6)
    return [statistics.median(taken[1:]) for taken in times]


def median_time(call, n_resamples):
    """Median of some runs of one call, in microseconds for each resample."""
    return median_times((call, n_resamples))[0]


def peak_mebibytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# Data


def mean_scores(rng):
    return score_sums(rng.normal(0.03, 1, N)), score_sums(rng.normal(0, 1, N))


def span_counts(rng):
    gold = rng.poisson(6, N)
    return tuple(
        np.column_stack([rng.binomial(gold, share), gold + rng.poisson(1, N), gold]).astype(float)
        for share in (0.8, 0.79)
    )


def bleu_counts(rng):
    length, reference = rng.integers(5, 40, (2, N))
    grams = np.maximum(length[:, None] - np.arange(4), 0)

    def system(share):
        matched = rng.binomial(grams, share ** np.arange(1, 5))
        return np.column_stack([length, reference, matched, grams]).astype(float)

    return system(0.7), system(0.695)


# Peers


def scipy_bootstrap(sums_a, sums_b, n_resamples):
    """Bootstrap of the mean difference by scipy, in batches that suit the cache."""
    stats.bootstrap(
        (sums_a[:, 0], sums_b[:, 0]),
        lambda a, b, axis: (a - b).mean(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=n_resamples,
        batch=64,
        method="percentile",
        rng=1,
    )


class GivenBleu(BLEU):
    """BLEU of sacrebleu from statistics that are given instead of texts."""

    def _extract_corpus_statistics(self, hypotheses, references):
        return np.asarray(hypotheses).astype(int).tolist()


class Score:
    """What sacrebleu's tests ask of a score."""

    def __init__(self, score):
        self.score = score


class GivenF1:
    """F1 of spans for sacrebleu's tests."""

    def _extract_corpus_statistics(self, hypotheses, references):
        return np.asarray(hypotheses).astype(int).tolist()

    def _compute_score_from_stats(self, stats):
        return Score(2 * stats[0] / (stats[1] + stats[2]))

    def _aggregate_and_compute(self, stats):
        return self._compute_score_from_stats(np.sum(stats, axis=0))


def sacrebleu_test(test, metric, sums_a, sums_b, n_resamples):
    """Test by sacrebleu from given statistics, its scoring of texts left out."""
    baseline = metric._extract_corpus_statistics(sums_b, None)
    test(
        {"metric": (baseline, metric._aggregate_and_compute(baseline))},
        "system",
        sums_a,
        None,
        {"metric": metric},
        n_samples=n_resamples,
        seed=1,
    )


def spearman_loop(data, n_resamples):
    rng = np.random.default_rng(1)
    for _ in range(n_resamples):
        gold, a, b = data[rng.integers(0, len(data), len(data))].T
        stats.spearmanr(gold, a).statistic - stats.spearmanr(gold, b).statistic


# Limits


def random_limit(bits):
    """Time to draw so many random bits for each of n instances, in microseconds."""
    rng, words = np.random.default_rng(1), 2**14
    one = median_time(lambda _: rng.integers(0, 2**64, words, np.uint64), 1)
    return one * N * bits / 64 / words


def lookup_limit():
    """Time of one look-up in a table of 2**16 words for four instances, in microseconds."""
    table, places = np.arange(2**16, dtype=np.uint32), np.arange(2**16, dtype=np.uint16)
    np.random.default_rng(1).shuffle(places)
    return median_time(lambda _: table.take(places), 1) * N / 4 / len(places)


def product_limit(float_type, n_columns):
    """Time of the matrix product of n weights with the columns, all in cache, in microseconds."""
    rows, cells = samplers._BLOCK_ROWS, samplers._BLOCK_CELLS
    weights = np.ones((rows, cells), float_type)
    columns = np.ones((cells, n_columns), float_type)
    return median_time(lambda _: weights @ columns, 1) * N / (rows * cells)


def main():
    rng = np.random.default_rng(2017)
    start = peak_mebibytes()
    means, spans, bleus = mean_scores(rng), span_counts(rng), bleu_counts(rng)
    right = tuple(score_sums(rng.random(N) < share) for share in (0.81, 0.8))
    ratings = rng.normal(size=(3, N)).round(2)
    ratings[1:] += ratings[0]
    codes = rating_codes(*ratings)
    metrics = METRICS

    def ours(test, sums, name):
        return lambda count: test(*sums, metrics[name], n_resamples=count, rng=1)

    def spearman(count):
        resampling.bootstrap_statistic(codes, spearman_difference, n_resamples=count, rng=1)

    bs, ar = significance._paired_bs_test, significance._paired_ar_test
    sacre = functools.partial(functools.partial, sacrebleu_test)
    poisson = random_limit(4) + lookup_limit()
    float32, float64 = np.float32, np.float64
    bits = random_limit(1)
    # Name, our call, resamples, peer's name, peer's call, resamples, limit. The limit of Spearman's
    # correlation is drawing 16 random bits for each instance.
    cases = [
        (
            "bootstrap, mean of real scores",
            (ours(resampling.bootstrap, means, "mean"), 100_000),
            ("scipy.stats.bootstrap", functools.partial(scipy_bootstrap, *means), 5000),
            poisson + product_limit(float64, 2),
        ),
        (
            "bootstrap, accuracy of 0/1 scores",
            (ours(resampling.bootstrap, right, "accuracy"), 100_000),
            ("scipy.stats.bootstrap", functools.partial(scipy_bootstrap, *right), 5000),
            None,
        ),
        (
            "bootstrap, span F1",
            (ours(resampling.bootstrap, spans, "f1"), 5000),
            ("sacrebleu, F1 added", sacre(bs, GivenF1(), *spans), 5000),
            poisson + product_limit(float32, 6),
        ),
        (
            "bootstrap, corpus BLEU",
            (ours(resampling.bootstrap, bleus, "bleu"), 5000),
            ("sacrebleu", sacre(bs, GivenBleu(), *bleus), 5000),
            poisson + product_limit(float32, 15),
        ),
        (
            "randomisation, span F1",
            (ours(resampling.flip, spans, "f1"), 5000),
            ("sacrebleu, F1 added", sacre(ar, GivenF1(), *spans), 5000),
            bits + product_limit(float32, 2),
        ),
        (
            "randomisation, corpus BLEU",
            (ours(resampling.flip, bleus, "bleu"), 5000),
            ("sacrebleu", sacre(ar, GivenBleu(), *bleus), 5000),
            bits + product_limit(float32, 4),
        ),
        (
            "bootstrap, Spearman difference",
            (spearman, 2000),
            ("loop of scipy.stats.spearmanr", functools.partial(spearman_loop, codes), 200),
            random_limit(16),
        ),
    ]
    for _, (call, count), _, _ in cases:
        call(count)
    peak = peak_mebibytes()  # before any peer

    print(f"n = {N}; microseconds for each resample, median of {REPEATS}; one core\n")
    print("| test | B | µs | limit µs | share | peer | B | µs | times faster |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    for name, mine, (peer, call, count), limit in cases:
        one, other = median_times(mine, (call, count))
        near = f"{limit:.2f} | {limit / one:.0%}" if limit else "- | -"
        print(
            f"| {name} | {mine[1]:,} | {one:.2f} | {near} | {peer} | {count:,} | {other:.1f} "
            f"| {other / one:.1f} |"
        )
    print(
        "\nThe limit is the time to draw the random bits (4 for each instance in the bootstrap, 1 "
        "in the randomisation, 16 for Spearman's correlation), to look the bootstrap's weights up "
        "and to multiply them with the columns in cache, all measured in this run. Scores with few "
        "distinct rows need none of it.\n"
        f"Peak memory of the calls on the left: {peak:.0f} MiB, {peak - start:.0f} MiB above that "
        "of the imports."
    )


if __name__ == "__main__":
    main()
