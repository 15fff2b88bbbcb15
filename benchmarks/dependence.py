"""Time bounds of groups and joint sign flips beside their floors, with the peak of memory.

Run as ``python -m benchmarks.dependence``: prints Markdown tables of medians of 5, of the
processor's time, with what each may take. The floor of the joint flips is the matrix product of
random signs with the differences, in numpy, all else left out.
"""

import resource
import sys
import time

import numpy as np
from scipy import sparse

from replicability.stats import closed_testing, joint

REPEATS = 5
UNITS, FLIPS = 8_000, 10_000
SEED = 2017


def median_time(call, repeats=REPEATS):
    """Median of some runs in seconds of the processor, after one that does not count."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return float(np.median(times))


def groups():
    """Print the time of a bound and of a curve, and of their floor, all pairs of sizes."""
    rng = np.random.default_rng(SEED)
    print("\n| n | method | bound (ms) | curve (ms) | names (ms) |")
    print("| ---: | --- | ---: | ---: | ---: |")
    for n in (27, 200, 1_000):
        pvalues = rng.random(n) ** rng.choice([1, 4], n)
        chosen = np.arange(n) < n // 2
        for method in closed_testing.METHODS:
            calls = (
                lambda p=pvalues, c=chosen, m=method: closed_testing.bound(p, c, 0.05, m),
                lambda p=pvalues, m=method: closed_testing.curve(p, 0.05, m),
                lambda p=pvalues, m=method: closed_testing.names(p, 0.05, m),
            )
            times = " | ".join(f"{1e3 * median_time(call):.2f}" for call in calls)
            print(f"| {n:,} | {method} | {times} |")


def product(differences):
    """Multiply random signs with the differences: what no flips can do without."""
    rng = np.random.default_rng(SEED)
    for _ in range(FLIPS // 500):
        signs = rng.integers(0, 2, size=(500, len(differences)), dtype=np.int8)
        signs.astype(float) @ differences


def flips():
    """Print the time of joint flips and of what is said from them."""
    rng = np.random.default_rng(SEED)
    print("\n| datasets | units | what | seconds |\n| ---: | --- | --- | ---: |")
    for n in (12, 60):
        common = rng.normal(size=(UNITS, 1))
        shared = 0.5**0.5 * (common + rng.normal(size=(UNITS, n))) + np.linspace(0, 0.05, n)
        few = np.where(rng.random((UNITS, n)) < 0.25, rng.choice([-1, 0, 1], (UNITS, n)), 0)
        for name, differences in (("shared", shared), ("a quarter", sparse.csr_array(few))):
            drawn = joint.flip(differences, FLIPS)
            rows = {
                "flips": lambda d=differences: joint.flip(d, FLIPS),
                "bound": lambda f=drawn: joint.bound(f),
                "names": lambda f=drawn: joint.names(f),
                "calibrated bound": lambda f=drawn: joint.calibrated_bound(f),
            }
            if name == "shared":
                rows["product alone"] = lambda d=differences: product(d)
            for what, call in rows.items():
                print(f"| {n} | {name} | {what} | {median_time(call):.2f} |")
            found = joint.bound(drawn)
            print(
                f"| {n} | {name} | bound: at least, at most | {found.at_least}, {found.at_most} |"
            )


def main():
    """Print the tables."""
    groups()
    flips()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"\npeak memory {peak / (2**20 if sys.platform == 'darwin' else 2**10):,.0f} MiB")


if __name__ == "__main__":
    main()
