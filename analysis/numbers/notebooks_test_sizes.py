"""Numbers of notebooks/test_sizes.ipynb."""

import numpy as np
from scipy import stats

from analysis.numbers.committed import above_level, amount, parameter, size_of_tests, table


def numbers():
    """Return what the fields of the document may name."""
    rates = table("test_sizes").set_index(["scores", "test", "alpha"])
    sizes = parameter("test_sizes", "sample_sizes")
    spearman = size_of_tests(rates, "ratings", ("Steiger", "Williams", "Meng"))
    close = size_of_tests(rates, "close ratings", ("Steiger",))
    uneven = (
        rates.xs(("uneven", 0.05), level=["scores", "alpha"]).filter(like="n = ").dropna(axis=1)
    )
    growing = [
        t
        for t, row in uneven.iterrows()
        if [amount(c) for c in row] == sorted(amount(c) for c in row)
    ]
    m = np.arange(1, 201)
    wins = np.arange(202)
    rejects_asymptotic = stats.binom.sf(
        np.ceil((m + stats.norm.isf(0.05) * np.sqrt(m)) / 2) - 1, m, 0.5
    )
    midp = [
        stats.binom.pmf(
            wins[stats.binom.sf(wins, k, 0.5) + stats.binom.pmf(wins, k, 0.5) / 2 <= 0.05], k, 0.5
        ).sum()
        for k in m
    ]
    half_discordant = max(
        (stats.binom.pmf(m[:n], n, share) * rejects_asymptotic[:n]).sum()
        for n in range(1, 201)
        for share in np.linspace(0.1, 0.5, 9)
    )
    excess = [
        100 * (stats.t.sf(stats.norm.isf(0.05) * np.sqrt(1 - 1 / n), n - 1) - 0.05)
        for n in (30, 50, 100)
    ]
    spread = np.random.default_rng(2017).random((2, 20000, 300))
    differences = 4.0 * (spread[0] < 0.1) - (spread[1] < 0.4)
    flip = np.mean(
        -differences.sum(axis=1) / np.sqrt((differences**2).sum(axis=1)) > stats.norm.isf(0.05)
    )
    chance_of_three_errors = 1 / (2 * stats.norm.sf(3))
    anti_conservative_tests = above_level(rates, "ratings", ("Steiger", "Williams", "Meng"))

    def above(scores, *tests, column=None):
        cells = rates.loc[[(scores, test, level) for test in tests for level in (0.05, 0.01)]]
        cells = cells.filter(regex=f"^{column}$" if column else "^n = ").stack().dropna()
        return cells.str.endswith("+")

    accurate = [
        not above("sentence accuracies", test).any()
        for test in ("sign test", "paired t", "Wilcoxon")
    ]
    fixed_size = above("counts", "bootstrap, m = 500").drop("n = 1,000", level=-1)
    margins = table("margin_sizes").set_index(["claim", "scores"])
    small, large = margins["size, n = 30"], margins["size, n = 100"]
    not_worse_kept = ~small["not worse"][["words", "numbers"]].str.endswith("+")
    closer = abs(large["better by", "answers"].map(amount) - 0.05) < abs(
        small["better by", "answers"].map(amount) - 0.05
    )
    counted = rates.loc["counts"].xs(0.05, level="alpha").filter(like="n = ").dropna(axis=1)
    counted = counted.map(amount)
    resampled_too_often = counted.loc["bootstrap, m = 500"] > counted.loc["bootstrap"]
    skewed = uneven.loc[["bootstrap", "paired t"]].dropna(axis=1)
    spreads = skewed.map(lambda cell: amount(cell, 1))
    skewed = skewed.map(amount)
    gained = skewed.loc["paired t"] - skewed.loc["bootstrap"]
    bootstrap_as_bad = (gained < 2 * np.hypot(*spreads.to_numpy())).all()
    safe_on_ten = ~uneven["n = 10"].str.endswith("+")
    power_30 = margins["power, n = 30"]["equivalent"].map(amount)
    power_100 = margins["power, n = 100"]["equivalent"].map(amount)
    return locals()
