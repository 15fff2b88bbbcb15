"""Numbers of README.md."""

from analysis.numbers.committed import both_systems, printed, table


def numbers():
    """Return what the fields of the document may name."""
    counts = table("table1_summary").query("alpha == 0.05").set_index("comparison")
    tagging, parsing = counts.loc["MIMICK-Char→Tag"], counts.loc["Mate-Redshift"]
    two, leader = both_systems("MIMICK-Char→Tag")
    tags = printed("dror2017", "table3")
    small_but_behind = ((tags["p-value"] <= 0.05) & (tags["MIMICK"] < tags["Char→Tag"])).sum()
    benchmarks = len(table("leaderboards/leaderboards_named"))
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    neighbours_apart, neighbours = map(int, boards["neighbours"]["SWE-bench"].split(" of "))
    return locals()
