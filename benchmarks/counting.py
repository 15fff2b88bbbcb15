"""Time counting and identification beside their physical floor and beside peers.

Run as ``python -m benchmarks.counting``: prints Markdown tables of medians of 5, of processor time,
and ratios. The floor for a batch of families is sorting it, for Fisher's method sorting and one
logarithm.
"""

import resource
import time

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.methods import simulation
from replicability.stats import multiple_testing, partial_conjunction

N_FAMILIES, N = 100_000, 100
N_PEER = 200
"""Families given to the peers that take one family per call; their time is scaled."""


def medians(functions, repeats=5):
    """Return the median processor time of each function, in seconds; they take turns.

    `functions` (dict of str to callable): what to time. `repeats`: turns, after one that is not
    counted.

    Returns dict of str to float. Medians.
    """
    times = {name: [] for name in functions}
    for turn in range(repeats + 1):
        for name, function in functions.items():
            start = time.process_time()
            function()
            if turn:
                times[name].append(time.process_time() - start)
    return {name: float(np.median(values)) for name, values in times.items()}


def holm_in_python(pvalues, alpha=0.05):
    """Count Holm's rejections of one family in plain Python."""
    n = len(pvalues)
    for index, p in enumerate(sorted(pvalues)):
        if p > alpha / (n - index):
            return index
    return n


def fisher_in_python(pvalues, alpha=0.05):
    """Count k-hat by Fisher's method for one family, one call of scipy per hypothesis."""
    ordered = sorted(pvalues)
    for u in range(len(ordered)):
        if stats.combine_pvalues(ordered[u:]).pvalue > alpha:
            return u
    return len(ordered)


def batch(pvalues):
    """Print the rows for one batch of families."""
    rows = pvalues[:N_PEER].tolist()
    scale = len(pvalues) / N_PEER
    functions = {
        "numpy.sort": lambda: np.sort(pvalues, axis=-1),
        "numpy.log": lambda: np.log(pvalues),
        "k_hat bonferroni": lambda: partial_conjunction.k_hat(pvalues, 0.05, "bonferroni"),
        "k_hat fisher": lambda: partial_conjunction.k_hat(pvalues, 0.05, "fisher"),
        "identify holm": lambda: multiple_testing.identify(pvalues, 0.05),
        "p-values simes": lambda: partial_conjunction.partial_conjunction_pvalues(pvalues, "simes"),
        "adjusted hommel": lambda: multiple_testing.adjusted_pvalues(pvalues, "hommel"),
        "holm, a loop in Python": lambda: [holm_in_python(row) for row in rows],
        "fisher, scipy per hypothesis": lambda: [fisher_in_python(row) for row in rows[:20]],
        "holm, statsmodels per family": lambda: [
            multipletests(row, 0.05, "holm") for row in rows[:20]
        ],
    }
    found = medians(functions)
    found["holm, a loop in Python"] *= scale
    for name in ("fisher, scipy per hypothesis", "holm, statsmodels per family"):
        found[name] *= len(pvalues) / 20
    sort, log = found["numpy.sort"], found["numpy.log"]
    for name, seconds in found.items():
        floor = sort + log if "fisher" in name else sort
        print(f"| {name} | {seconds * 1e3:,.0f} ms | {seconds / floor:,.2f} |")


def main():
    """Print every table."""
    rng = np.random.default_rng(1)
    null = rng.random((N_FAMILIES, N))
    for title, pvalues in (
        ("all null hypotheses true", null),
        ("half of them false", np.where(np.arange(N) < N // 2, null**8, null)),
    ):
        print(f"\n{N_FAMILIES:,} families of {N} p-values, {title}\n")
        print("| what | median | ratio to the floor |\n| --- | ---: | ---: |")
        batch(pvalues)
    million = rng.random(1_000_000) ** 4
    print("\none family of 1,000,000 p-values\n\n| what | median | ratio |\n| --- | ---: | ---: |")
    found = medians(
        {
            "numpy.sort": lambda: np.sort(million),
            "k_hat bonferroni": lambda: partial_conjunction.k_hat(million),
            "k_hat fisher": lambda: partial_conjunction.k_hat(million, method="fisher"),
            "k_hat simes": lambda: partial_conjunction.k_hat(million, method="simes"),
            "identify holm": lambda: multiple_testing.identify(million),
            "identify hommel": lambda: multiple_testing.identify(million, method="hommel"),
            "p-values simes": lambda: partial_conjunction.partial_conjunction_pvalues(
                million, "simes"
            ),
            "adjusted hommel": lambda: multiple_testing.adjusted_pvalues(million, "hommel"),
        }
    )
    for name, seconds in found.items():
        print(f"| {name} | {seconds * 1e3:,.0f} ms | {seconds / found['numpy.sort']:.2f} |")
    start = time.perf_counter()
    simulation.distribution([simulation.Group(N)], 1_000_000, 1)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"\n1,000,000 simulated families of {N}: {seconds:.1f} s; peak memory {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
