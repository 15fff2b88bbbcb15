"""Time power and designs, and measure the error of the approximate power of two tests of a mean.

Run as ``python benchmarks/power.py``: prints Markdown tables. `SIGN_FLIP_ERRORS` and
`MEAN_DIFFERENCE_ERRORS` of `replicability.stats.power` come from the second and the third one,
which take a minute or two.
"""

import time

import numpy as np
from scipy import special

from replicability.core import design
from replicability.stats import power, power_of_counts, power_of_means
from replicability.stats.skewed import RAISE

N_FLIPS, N_SAMPLES, BLOCK = 1_999, 10_000, 500
TARGETS = (0.25, 0.5, 0.8)
"""Powers at which the error is measured."""

LAWS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "uniform": lambda rng, shape: (rng.random(shape) - 0.5) * np.sqrt(12),
    "three-valued": lambda rng, shape: (
        rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1], size=shape) / np.sqrt(0.2)
    ),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1,
    "exponential, reversed": lambda rng, shape: 1 - rng.exponential(size=shape),
}
"""Laws of differences with mean 0 and standard deviation 1."""


def median(function, repeats=5):
    """Return the median time of a function in milliseconds, after one run that is not counted."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times[1:]))


def rejected(law, n, gain, alpha, rng):
    """Return the shares of samples that sign flips and the test of a mean difference reject."""
    count = np.zeros(2, int)
    for _ in range(N_SAMPLES // BLOCK):
        differences = law(rng, (BLOCK, n)) + gain
        signs = rng.choice(np.array([-1, 1], dtype=np.float32), size=(N_FLIPS, n))
        flipped = differences.astype(np.float32) @ signs.T
        observed = differences.sum(axis=1, keepdims=True)
        slack = 1e-4 * (1 + np.abs(observed))
        pvalues = ((flipped >= observed - slack).sum(axis=1) + 1) / (N_FLIPS + 1)
        both = np.maximum(pvalues, corrected(differences))
        count += [(pvalues <= alpha).sum(), (both <= alpha).sum()]
    return count / N_SAMPLES


def corrected(differences):
    """Return p-values of Hall's t, the larger of two, as `paired.mean_difference` has it."""
    n = differences.shape[1]
    centred = differences - differences.mean(axis=1, keepdims=True)
    second, third = (centred**2).mean(axis=1), (centred**3).mean(axis=1)
    second = np.maximum(second, np.finfo(float).tiny)
    u = differences.mean(axis=1) / np.sqrt(second * n / (n - 1))
    skew = third / second**1.5
    median = np.partition(differences, n // 2, axis=1)[:, n // 2, None]
    most = np.isclose(differences, median).sum(axis=1)  # the median is the mode, if there is one
    p = np.zeros(len(u))
    for g in (skew, skew * (1 + RAISE / np.sqrt(np.maximum(n - most, 1)))):
        moved = u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * n)
        p = np.maximum(p, special.stdtr(n - 1, -np.sqrt(n) * moved))
    return p


def largest_errors(law, n, alpha):
    """Return the largest differences between approximate and simulated power, of both tests."""
    worst = np.zeros(2)
    for target in TARGETS:
        gain = (special.ndtri(target) - special.ndtri(alpha)) / np.sqrt(n)
        seed = np.random.SeedSequence(7, spawn_key=(n, round(alpha * 1e4)))
        found = rejected(law, n, gain, alpha, np.random.default_rng(seed))
        laws = power_of_means.Means(power.Scores([n], [1.0], [gain]))
        stated = power.sign_flip(n, 1.0, gain, alpha), laws.power([alpha])[0, 0]
        error = np.array(stated) - found
        worst = np.where(np.abs(error) > np.abs(worst), error, worst)
    return worst


def times():
    """Print how long power and designs take."""
    sizes, shares = np.arange(200, 2200, 100), np.linspace(0.1, 0.2, 20)
    laws = power.Outcomes(sizes, shares, 0.03)
    alike = power.Outcomes([500] * 20, 0.15, 0.03)
    thresholds = 0.05 / np.arange(20, 0, -1)
    functions = {
        "power of 20 alike datasets, 20 levels": lambda: alike.power(thresholds),
        "power of 20 different datasets, 1 level": lambda: laws.power([0.05]),
        "power of 20 different datasets, 20 levels": lambda: laws.power(thresholds),
        "law of Bonferroni's count, 20 alike": lambda: power_of_counts.k_hat(alike),
        "law of Fisher's count, 10,000 families of 20": lambda: power_of_counts.k_hat(
            alike, method="fisher"
        ),
        "design table, 57 of 246": lambda: design.table(design.suite([246] * 57, discordant=0.2)),
        "least gains, 57 of 246": lambda: design.least_gains(
            design.suite([246] * 57, discordant=0.2)
        ),
    }
    print("| what | median |\n| --- | ---: |")
    for name, function in functions.items():
        print(f"| {name} | {median(function):,.0f} ms |", flush=True)


def errors():
    """Print the error of the approximate power of sign flips and of the test of a mean."""
    found = {
        cell: np.array([largest_errors(law, *cell) for law in LAWS.values()])
        for cell in power.SIGN_FLIP_ERRORS
    }
    for place, test in enumerate(("sign_flip", "mean_difference")):
        print(f"\n{test}:\n\n| N | level | {' | '.join(LAWS)} |")
        print(f"| ---: | ---: {'| ---: ' * len(LAWS)}|")
        for (n, alpha), worst in found.items():
            cells = " | ".join(f"{error:+.3f}" for error in worst[:, place])
            print(f"| {n} | {alpha} | {cells} |", flush=True)


if __name__ == "__main__":
    times()
    errors()
