"""Time all pairs of many systems, each size in a process of its own, and print a Markdown table.

Run it from the root of the repository with ``python -m benchmarks.families``. The time is that of
the processor, from the frame to the ranks. Scores are drawn at random: right or wrong, and on a
scale for the datasets that share units, which have the size of WMT25.
"""

import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd

import replicability as rep

SIZES = ((100, 29, 83_000), (300, 29, 83_000), (1_000, 29, 83_000), (300, 29, 20_000),
         (300, 10, 83_000))  # fmt: skip
"""Numbers of systems, datasets and items."""

SHARED = 26, 31, 99, 449
"""Numbers of systems, datasets, units of a dataset, and units of all of them."""


def frame(systems, datasets, items):
    """Draw a column of right-or-wrong scores for each system, of its skill and the items'."""
    rng = np.random.default_rng(0)
    hard = rng.normal(0, 1.5, items).astype(np.float32)
    columns = {"dataset": [f"d{i % datasets}" for i in range(items)]}
    columns["instance"] = [str(i) for i in range(items)]
    for system, skill in enumerate(np.sort(rng.normal(0, 0.5, systems))[::-1]):
        right = rng.random(items, np.float32) < 1 / (1 + np.exp(hard - skill))
        columns[f"m{system}"] = right.astype(np.uint8)
    return pd.DataFrame(columns)


def sharing(systems, datasets, units, of_all):
    """Draw a column of scores for each system, on datasets that share some of their units."""
    rng = np.random.default_rng(0)
    drawn = [np.sort(rng.choice(of_all, units, replace=False)) for _ in range(datasets)]
    places = np.repeat(np.arange(datasets), units)
    columns = {"dataset": [f"d{k:02}" for k in places], "instance": np.concatenate(drawn)}
    hard = rng.normal(size=of_all)[columns["instance"]]
    for system, skill in enumerate(np.linspace(0, 1, systems)):
        own = skill + rng.normal(0, 0.2, datasets)[places]
        columns[f"m{system}"] = hard + own + rng.normal(size=len(places))
    return pd.DataFrame(columns)


def measure(*size):
    """Print the row of one size: counts, names and ranks of all pairs."""
    by_flips = size == SHARED
    data = sharing(*size) if by_flips else frame(*size)
    start = time.process_time()
    family = rep.all_pairs(data, **({"shared": True} if by_flips else {"dependence": "dependent"}))
    family.counts(), family.ranks(), family.ranks_on_datasets()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    systems, datasets, items, *shared = size
    items = f"{items:,} of {shared[0]} shared" if shared else f"{items:,}"
    pairs = systems * (systems - 1) // 2
    print(f"| {systems:,} | {datasets} | {items} | {pairs:,} | {seconds:.0f} s | {peak:,.0f} MiB |")


def main():
    """Print the table."""
    print("| systems | datasets | items | pairs | processor time | peak memory |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for size in (*SIZES, SHARED):
        subprocess.run([sys.executable, "-m", "benchmarks.families", *map(str, size)], check=True)


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:])) if sys.argv[1:] else main()
