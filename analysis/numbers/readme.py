"""Numbers of README.md."""

from analysis.numbers.committed import amount, names, parameter, table


def numbers():
    """Return what the fields of the document may name."""
    counts = table("table1_summary").query("alpha == 0.05").set_index("comparison")
    tagging, parsing = counts.loc["MIMICK-Char→Tag"], counts.loc["Mate-Redshift"]
    sentiment, vectors = counts.loc["AE-SCL-SR-MSDA"], counts.loc["W2V-GloVe"]
    mimick_by_sign, char_tag_by_sign = table("table3_both_directions")["estimate"].map(amount)
    turned = len(names(table("table5_both_directions")["turned round"][1]))
    identified = table("table2_both_directions")["identified"]
    only_magazines_are_named = parsing["k_count"] == 2 and names(identified[2]) == ["MZ"]

    level = parameter("toy_simulations", "alpha")
    toy = table("section5_toy_examples").set_index(["example", "estimator"])
    too_large = toy["exact"]["independent"]
    (too_large_if_dependent, *_) = toy["1,000,000 families"]["dependent", "fisher"].split()

    audit = table("audit")
    claims, papers = len(audit), audit["paper"].nunique()
    claims_checked = (audit["verdict"] != "cannot be checked").sum()
    agree = ["reproduced", "within rounding", "within Monte-Carlo error"]
    claims_that_agree = audit["verdict"].isin(agree).sum()
    k_hats = audit[audit["item"].isin(["Table 1", "footnote 13"])].query(
        "claim.str.contains('k-hat')"
    )
    counts_listed, counts_that_follow = len(k_hats), (k_hats["verdict"] == "reproduced").sum()

    benchmarks = len(table("leaderboards/leaderboards_named"))
    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    neighbours_apart, neighbours = map(int, boards["neighbours"]["SWE-bench"].split(" of "))
    calls = boards.loc["Berkeley Function Calling"]
    pairs_of_models, pairs_where_lower_wins = calls["pairs"], calls["lower"] + calls["both"]
    return locals()
