"""Numbers of docs/choosing.md."""

from dataclasses import replace

import numpy as np
from scipy import stats

from analysis import paths
from analysis.levels.cells import read_tallies
from analysis.levels.judge import judged
from analysis.methods import crossed as new_runs
from analysis.methods import family_levels, repeats
from analysis.methods import judged as by_people
from analysis.numbers.committed import above_level, page, result, size_of_tests, table
from replicability.core import dependence, findings, procedure, recommendation
from replicability.stats import closed_testing, paired, partial_conjunction, two_samples
from replicability.stats.paired.judged import LEAST_CORRECTED, LEAST_LABELLED

SIMULATED = paths.ROOT / "data" / "simulations"

OF_JUDGES = {
    "corrected": by_people.summary(SIMULATED / "judged.csv"),
    "least_labelled": LEAST_LABELLED,
    "least_corrected": LEAST_CORRECTED,
}


def numbers():
    """Return what the fields of the document may name."""
    rates = table("test_sizes").set_index(["scores", "test", "alpha"])
    given_discordant = [
        0.0,
        *(
            stats.binom.pmf(np.arange(n + 1), n, 0.5)[
                paired.mcnemar_pvalues(np.arange(n + 1), n - np.arange(n + 1), variant="mid-p")
                <= 0.05
            ].sum()
            for n in range(1, 201)
        ),
    ]
    at_most_half = max(
        stats.binom.pmf(np.arange(n + 1), n, share) @ given_discordant[: n + 1]
        for n in range(1, 201)
        for share in np.linspace(0.05, 0.5, 10)
    )
    midp = max(given_discordant)
    first = [
        next(d for d in range(1, 50) if paired.mcnemar_pvalues(d, 0) <= level)
        for level in (0.05, 0.05 / 20)
    ]
    excess = {n: stats.t.sf(stats.norm.isf(0.05) * np.sqrt(1 - 1 / n), n - 1) for n in (10, 30)}
    spearman = size_of_tests(rates, "ratings", ("Steiger", "Williams", "Meng"))
    close = size_of_tests(rates, "close ratings", ("Steiger",))
    anti_conservative = above_level(rates, "ratings", ("Steiger", "Williams", "Meng"))
    both = table("open/table2_both_directions").set_index("claim")["estimate"]
    compared = result("open", "turkunlp_udpipe")
    p = compared["p_value"]
    won = findings.wins(compared)
    ran = page("docs/choosing.md")
    counted = {
        method: procedure.Procedure(ran["pairs"], 0.05, method, ran["flips"].pvalues).at_least()
        for method in ("bonferroni", "fisher")
    }
    sharing = np.count_nonzero(ran["flips"].shared, axis=0)
    bootstrap_inflation = recommendation.bootstrap_inflation
    few_instances = recommendation.few_instances
    inflation = recommendation.INFLATION
    exact_ranks = paired.EXACT_RANKS
    k_hat = partial_conjunction.k_hat
    bound = closed_testing.bound
    most_drawn = procedure.MOST_DRAWN
    limit = dependence.LIMIT
    unconditional = paired.unconditional
    most_sums = procedure.MOST_SUMS
    first_won = next(iter(won.values()))
    third_won = list(won.values())[2]
    tau = bound.__kwdefaults__["tau"]
    by_sums_alone = replace(ran["shown"], method="joint_sum").at_least()
    ways = round(1 / two_samples.floor(5, 5))
    tallies = read_tallies(paths.ROOT / "data" / "simulations" / "levels.csv")
    measured = judged(tallies)
    cells, studies = len(tallies), tallies["repetitions"].sum()
    most_unwarned = measured["unwarned"].max()
    few, many = measured["items"].unique()[0], measured["items"].max()
    by_size = measured.groupby(["population", "items"])["false"].max()
    losses = by_size.loc[["rare_losses", "rare_losses_noisy"]].unstack()
    rare, rare_of_many = losses[few].max(), losses[many].max()
    shares = by_size.loc["shares"].max()
    clusters = by_size.loc["clusters_skewed"].max()
    zeros = by_size.loc["zero_inflated"].max()
    sixty = next(n for n in by_size["lognormal"].index if n not in (few, many))
    long_tails = by_size["lognormal", sixty]
    shared_and_skewed = by_size.loc["shared_skewed"].max()
    crossed = new_runs.largest(SIMULATED / "crossed.csv")
    welch = repeats.excess(SIMULATED / "welch.csv")
    families = family_levels.summary(SIMULATED / "families.csv")
    return locals() | OF_JUDGES | repeats.largest(SIMULATED / "repeats.csv")
