"""Time families that share resamples or flips, beside the same pair by pair and peers.

Run it from the root of the repository with ``python -m benchmarks.shared``: prints Markdown tables
of processor times, medians of 5 in turns, and of their ratios to ours. Peers are timed on some of
the pairs or datasets, which is multiplied.
"""

import itertools

import numpy as np
import pandas as pd
from sacrebleu import significance
from scipy import stats

import replicability as rep
from benchmarks.counting import medians
from benchmarks.resampling import GivenF1, sacrebleu_test
from replicability.stats import many_systems, metrics, resampling
from replicability.stats.flips import N_FLIPS

SYSTEMS, SENTENCES, RESAMPLES = 7, 2_000, 10_000
DATASETS, UNITS = 10, 500


def spans(rng):
    """Draw sums of F1 (right, found, gold) of all systems on the same sentences."""
    gold = rng.poisson(2, SENTENCES) + 1
    right = [rng.binomial(gold, 0.70 + 0.01 * k) for k in range(SYSTEMS)]
    return np.array([np.column_stack([tp, tp + rng.poisson(0.5, len(tp)), gold]) for tp in right])


def by_f1(rng):
    """Return what tests all pairs by F1 on one dataset."""
    sums, f1 = spans(rng).astype(float), metrics.METRICS["f1"]
    options = {"n_resamples": RESAMPLES, "rng": 1}
    pairs = list(itertools.combinations(sums, 2))

    def one_pair():
        resampling.bootstrap(*pairs[0], f1, **options, progress=False)

    def peer():
        sacrebleu_test(
            significance._paired_bs_test, GivenF1(), *map(np.ndarray.tolist, pairs[0]), 100
        )

    return {
        "ours": (lambda: many_systems.metric_pvalues(sums, f1, RESAMPLES, 1), 1),
        "ours, pair by pair": (one_pair, len(pairs)),
        "sacrebleu, F1 added, pair by pair": (peer, len(pairs) * RESAMPLES / 100),
    }


def by_flips(rng):
    """Return what counts all pairs jointly, by flips of units that all datasets share."""
    places = np.repeat(np.arange(DATASETS), UNITS)
    frame = pd.DataFrame({"dataset": places, "instance": np.tile(np.arange(UNITS), DATASETS)})
    unit = np.tile(rng.normal(size=UNITS), DATASETS)
    for k in range(SYSTEMS):
        frame[f"s{k}"] = unit + rng.normal(0.02 * k * (places % 3), 1)
    scores = frame.filter(like="s", axis=1).filter(regex="^s[0-9]").to_numpy()
    one = (scores[:UNITS, 0] - scores[:UNITS, 1],)
    columns = scores.reshape(DATASETS, UNITS, SYSTEMS).transpose(1, 0, 2).reshape(UNITS, -1)

    def ours():
        rep.all_pairs(frame, shared=True, dependence="dependent", n_flips=N_FLIPS).counts()

    def product():
        bits = np.random.default_rng(1).integers(0, 2, (N_FLIPS, UNITS), np.uint8)
        return bits.astype(np.float32) @ columns.astype(np.float32)

    def peer():
        stats.permutation_test(
            one, np.mean, permutation_type="samples", n_resamples=N_FLIPS, batch=1000, rng=1
        )

    n_pairs = SYSTEMS * (SYSTEMS - 1) // 2
    return {
        "ours, with closed testing of all pairs": (ours, 1),
        "floor: signs and one product": (product, 1),
        "scipy, one dataset of one pair after the other": (peer, n_pairs * DATASETS),
    }


def table(title, timed):
    """Print the rows of a family."""
    found = medians({name: call for name, (call, _) in timed.items()})
    seconds = {name: found[name] * times for name, (_, times) in timed.items()}
    ours = next(iter(seconds.values()))
    print(f"\n{title}\n\n| what | processor time | ratio to ours |\n| --- | ---: | ---: |")
    for name, time in seconds.items():
        print(f"| {name} | {time:,.2f} s | {time / ours:,.2f} |", flush=True)


def main():
    """Print both tables."""
    rng = np.random.default_rng(36)
    table(
        f"{SYSTEMS} systems by F1 on {SENTENCES:,} sentences, {RESAMPLES:,} resamples", by_f1(rng)
    )
    table(
        f"{SYSTEMS} systems on {DATASETS} datasets that share {UNITS} units, {N_FLIPS:,} flips",
        by_flips(rng),
    )


if __name__ == "__main__":
    main()
