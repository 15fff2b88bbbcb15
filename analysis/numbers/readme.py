"""Numbers of README.md."""

from analysis.numbers.committed import names, table


def numbers():
    """Return what the fields of the document may name."""
    counts = table("table1_summary").set_index(["comparison", "alpha"])
    tagging = counts.loc[("MIMICK-Char→Tag", 0.05)]
    parsing = counts.loc[("Mate-Redshift", 0.05)]
    directions = table("table3_both_directions")
    toy = table("section5_toy_examples").set_index(["example", "estimator"])["exact"]
    listed = table("audit").query(
        "item in ['Table 1', 'footnote 13'] and claim.str.contains('k-hat')"
    )
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    wins = boards["lower"] + boards["both"]
    apart = (
        boards["neighbours"].str.split(" of ").map(lambda counts: [int(count) for count in counts])
    )
    calls = "Berkeley Function Calling"
    only_magazines_are_named = parsing["k_count"] == 2 and names(
        table("table2_both_directions")["identified"][2]
    ) == ["MZ"]
    too_large_if_dependent = (
        table("section5_toy_examples")
        .set_index(["example", "estimator"])
        .loc[("dependent", "fisher"), "1,000,000 families"]
        .partition(" ")[0]
    )
    claims_that_agree = (
        table("audit")["verdict"]
        .isin(["reproduced", "within rounding", "within Monte-Carlo error"])
        .sum()
    )
    return locals()
