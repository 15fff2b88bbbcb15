"""Time the exact tails beside resampling: medians of five, and ratios of them, in one run.

Run it from the root of the repository with ``python -m benchmarks.ideal``.
"""

import statistics
import time

import numpy as np
from scipy import stats

from replicability.stats import exact

N = 2000
REPLICATES = 100_000
REPEATS = 5


def median_time(call, repeats=REPEATS):
    """Median of some runs in seconds, after one that does not count."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def scipy_bootstrap(values):
    """Percentiles of the mean by scipy's own loop, in batches that fit in memory."""
    stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=REPLICATES,
        batch=1000,
        method="percentile",
        rng=1,
    )


def numpy_bootstrap(values):
    """Share of resamples of the shifted values with a sum of at least zero."""
    rng = np.random.default_rng(1)
    shifted, hits = values - 2 * values.mean(), 0
    for _ in range(REPLICATES // 1000):
        index = rng.integers(len(values), size=(1000, len(values)))
        hits += np.count_nonzero(shifted[index].sum(axis=1) >= 0)
    return (hits + 1) / (REPLICATES + 1)


def scipy_signs(values):
    """Share of random signs with a mean of at least the observed one."""
    stats.permutation_test(
        (values,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=REPLICATES,
        batch=1000,
        alternative="greater",
        rng=1,
    )


def main():
    """Print the table."""
    rng = np.random.default_rng(2017)
    words = rng.poisson(20, N) + 1
    right = rng.binomial(words, 0.05) - rng.binomial(words, 0.045)
    zero_one = rng.choice([-1.0, 0.0, 1.0], N, p=[0.05, 0.88, 0.07])
    whole = np.rint(rng.normal(0.1, 3, N))
    real = rng.normal(0.04, 1, N)
    rows = [
        ("bootstrap, 0/1", 1, lambda: exact.ideal_bootstrap(zero_one)),
        ("bootstrap, integers", 1, lambda: exact.ideal_bootstrap(whole)),
        ("bootstrap, real", 3, lambda: exact.ideal_bootstrap(real)),
        ("bootstrap, ratio of counts", 3, lambda: exact.ideal_bootstrap(right, words)),
        ("sign flips, 0/1", 1, lambda: exact.flip_tail(zero_one, zero_one.sum())),
        ("sign flips, integers", 1, lambda: exact.flip_tail(whole, whole.sum())),
        ("sign flips, real", 1, lambda: exact.flip_tail(real, real.sum())),
    ]
    peers = {
        "scipy.stats.bootstrap": median_time(lambda: scipy_bootstrap(real)),
        "numpy index resampling": median_time(lambda: numpy_bootstrap(real)),
        "scipy.stats.permutation_test": median_time(lambda: scipy_signs(real)),
    }
    print(f"n = {N}, peers with {REPLICATES} replicates, medians of {REPEATS}\n")
    print(f"{'peer':<30}{'ms':>10}")
    for name, seconds in peers.items():
        print(f"{name:<30}{1e3 * seconds:>10.0f}")
    print(f"\n{'exact':<28}{'ms':>8}{'target':>8}{'p':>11}{'error':>10}  times faster than")
    for name, target, call in rows:
        seconds, tail = median_time(call), call()
        kind = "permutation" if name.startswith("sign") else "boot numpy"
        ratios = ", ".join(
            f"{peer} {other / seconds:,.0f}"
            for peer, other in peers.items()
            if any(word in peer for word in kind.split())
        )
        print(
            f"{name:<28}{1e3 * seconds:>8.2f}{target:>8}{tail.probability:>11.3g}"
            f"{tail.error:>10.1g}  {ratios}"
        )
    print("\nPhysical limits for the same n:")
    sort = median_time(lambda: np.sort(real), 51)
    waves = median_time(lambda: np.exp(1j * real), 51)
    print(f"sorting the values           {1e3 * sort:.3f} ms")
    print(f"one characteristic function  {1e3 * waves:.3f} ms (about 25 are needed)")


if __name__ == "__main__":
    main()
