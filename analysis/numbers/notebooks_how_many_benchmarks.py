"""Numbers of notebooks/how_many_benchmarks.ipynb."""

from analysis.numbers.committed import amount, outcomes, table


def numbers():
    """Return what the fields of the document may name."""
    pairs = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    named = table("leaderboards/leaderboards_named").set_index("benchmark")
    ranks = table("leaderboards/leaderboards_ranks").set_index(["benchmark", "rank"])
    verdicts = table("leaderboards/leaderboards_audit_totals").set_index(["paper", "kind"])
    calls = "Berkeley Function Calling"
    trivial = verdicts["agrees, trivially"].sum()
    agree = verdicts["agrees"].sum() + trivial
    disputed = verdicts[["contradicted", "impossible"]].sum(axis=1)
    doubtful = verdicts["depends on the reading"]
    checked = agree + disputed.sum() + doubtful.sum()
    lower = pairs["lower"] + pairs["both"]
    directions = table("leaderboards/bfcl_directions").set_index(
        ["alpha", "claims", "categories", "models"]
    )
    without_relevance = directions.loc[
        (0.05, "jointly", "without relevance", "all"), ["lower", "both"]
    ].sum()
    neighbours_on_all_issues = amount(table("leaderboards/swe_bench_pairs")["neighbours"][0])
    swe = "SWE-bench leaderboard, December 2025"
    won_by_claude = (
        named["A better"]["WMT24"]
        if tuple(named.loc["WMT24", ["A", "B"]]) == ("Claude-3.5", "Unbabel-Tower70B")
        else None
    )
    win_most = named["A better"] > named["datasets"] / 2
    leader_beats_on_half = (
        ranks["beats on half"]["MMLU-Pro", 1]
        >= len(outcomes("mmlu_pro.parquet")["dataset"].unique()) / 2
    )
    calls_has_all_categories = (
        len(outcomes("function_calling.parquet")["dataset"].unique()) / pairs["datasets"][calls]
        == 1
    )
    issues_has_all_repositories = pairs["datasets"]["SWE-bench"] == len(
        outcomes("swe_bench.parquet")["dataset"].unique()
    )
    first_for_certain = ranks.query("`worst rank` == 1")["system"].tolist()
    disputed_in_bbh = table("leaderboards/bbh_disputed")
    in_table3 = disputed_in_bbh["Where"].eq("Table 3")
    accuracies_against = (in_table3 & ~disputed_in_bbh["Claim"].str.contains(r"\(avg\)")) > 0
    accuracies_that_agree = verdicts["agrees, trivially"][
        "Berkeley Function Calling Leaderboard", "number"
    ]
    return locals()
