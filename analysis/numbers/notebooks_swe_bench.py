"""Numbers of notebooks/swe_bench.ipynb."""

from analysis.leaderboards import swe_bench
from analysis.numbers.committed import amount, outcomes, parameter, printed, settings, table
from replicability.stats import power


def numbers():
    """Return what the fields of the document may name."""
    issues = outcomes("swe_bench.parquet")
    sizes = issues["dataset"].value_counts()
    listed = printed("jimenez2024", "bash_only").set_index("model")
    as_one = table("leaderboards/swe_bench_as_one").set_index("B")
    both = table("leaderboards/swe_bench_both_directions")["estimate"].map(amount)
    groups = table("leaderboards/swe_bench_groups").set_index(["comparison", "group"])[
        "at least, α = 0.05"
    ]
    open_pair = "Claude 4.5 Opus vs Minimax M2"
    floors = table("leaderboards/swe_bench_floors").set_index("repository")
    among = floors["least gain among all"]
    expected = table("leaderboards/swe_bench_expected").set_index(["suite", "gain"])
    pairs = table("leaderboards/swe_bench_pairs").set_index("compared on")
    ranking = table("leaderboards/swe_bench_ranking")
    disputed = table("leaderboards/swe_bench_disputed").set_index("model")
    repositories = table("leaderboards/swe_bench_repositories").set_index("dataset")
    marks = repositories["named Claude 4.5 Opus vs Minimax M2"]
    named_against_minimax = list(marks.dropna().index)
    systems = settings("leaderboards")["families"]
    agents = next(f for f in systems if f["name"] == "agents")["columns"]["scores"]
    shares = issues[agents].mean().sort_values(ascending=False)
    discordant = swe_bench.discordant(agents)
    verdicts = (
        table("leaderboards/leaderboards_audit_totals")
        .set_index("paper")
        .loc["SWE-bench leaderboard, December 2025"]
    )
    least_wins = power.least_wins
    smallest_gain_is_hardly_visible = (
        100 * parameter("swe_bench", "gains")[0]
        if (-shares.diff().dropna() < 0.02).mean() > 0.5
        and expected["P(k̂ > 0)"].xs("2 points", level="gain").max() < 0.25
        else 0
    )
    return locals()
