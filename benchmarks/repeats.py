"""Time claims about resamples and runs, in seconds of the processor's time.

Run as ``python benchmarks/repeats.py``: prints a Markdown table. Scores are random.
"""

import time

import numpy as np
import pandas as pd

import replicability as rep
from replicability.stats import paired

SEED = 2026


def timed(call):
    """Return the seconds of the processor that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def resamples(systems, datasets, n):
    """Return a table with a score of each system on each resample of each dataset."""
    rng = np.random.default_rng(SEED)
    names = [f"system {k}" for k in range(systems)]
    table = pd.DataFrame(rng.normal(0.8, 0.05, (datasets * n, systems)), columns=names)
    table.insert(0, "resample", np.tile(np.arange(n), datasets))
    table.insert(0, "dataset", np.repeat([f"dataset {k}" for k in range(datasets)], n))
    return table


def all_pairs(systems, datasets, n, **asked):
    """Compare all pairs of systems on resamples, or in runs."""
    table = resamples(systems, datasets, n)
    splits = {"column": "resample", "kind": "splits", "test_share": 0.5}
    return timed(lambda: rep.all_pairs(table, **{"repeats": splits} | asked))


def crossed(test, items, runs):
    """Test new items and new runs on one dataset."""
    a, b = np.random.default_rng(SEED).normal(size=(2, items, runs))
    return timed(lambda: paired.run(test, a, b, **({} if test == "crossed_t" else {"rng": 1})))


def main():
    """Print the table."""
    print("| what | limit (s) | time (s) |")
    print("| --- | ---: | ---: |")
    for sizes, limit in (((40, 112, 30), 10), ((104, 200, 10), 30)):
        what = "all pairs of {} systems on {} datasets with {} resamples".format(*sizes)
        print(f"| {what} | {limit} | {all_pairs(*sizes):.1f} |", flush=True)
    runs = {"repeats": {"column": "resample", "kind": "runs"}, "claim_covers": "runs"}
    what = "all pairs of 104 systems on 200 datasets in 10 new runs"
    print(f"| {what} | 30 | {all_pairs(104, 200, 10, **runs):.1f} |", flush=True)
    for test in ("crossed_t", "hierarchical_flip", "two_way_bootstrap"):
        print(f"| {test}, 10,000 items and 5 runs | | {crossed(test, 10_000, 5):.2f} |", flush=True)


if __name__ == "__main__":
    main()
