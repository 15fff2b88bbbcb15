"""Numbers of docs/verdicts.md."""

from analysis import verdicts
from analysis.dror2017 import audit as dror_audit
from analysis.dror2017.claims import judged
from analysis.numbers import readme
from analysis.numbers.committed import amount, names, parameter, table


def numbers():
    """Return what the fields of the document may name."""
    counts = table("table1_summary").query("alpha == 0.05").set_index("comparison")
    sentiment, vectors = counts.loc["AE-SCL-SR-MSDA"], counts.loc["W2V-GloVe"]
    orders = dror_audit.orders_of_table5(0.05)
    readings = dror_audit.both_readings(dror_audit.columns_of("config/paper.yaml"), [0.05])
    two_sided_sentiment = readings.set_index("Comparison").loc["AE-SCL-SR-MSDA", "A, two-sided"]
    named = names(table("table2_both_directions")["identified"][2])

    tests = judged("tests_keep_level")
    applications = ("mate_redshift", "mimick_char2tag", "aesclsr_msda", "w2v_glove")
    depending = sum(judged(name).verdict == verdicts.DEPENDS for name in applications)
    open_sentiment, open_sentiment_back = map(
        amount, table("open/table4_both_directions")["estimate"].iloc[:2]
    )

    level = parameter("toy_simulations", "alpha")
    toy = table("section5_toy_examples").set_index(["example", "estimator"])
    too_large = toy["exact"]["independent"]
    printed_too_large = toy["published"]["independent"]
    (too_large_if_dependent, *_) = toy["1,000,000 families"]["dependent", "fisher"].split()

    audit = table("audit")
    k_hats = audit[audit["item"].isin(["Table 1", "footnote 13"])].query(
        "claim.str.contains('k-hat')"
    )
    counts_listed, counts_that_follow = len(k_hats), (k_hats["verdict"] == "agrees").sum()

    boards = table("leaderboards/leaderboards_pairs").set_index("benchmark")
    calls = boards.loc["Berkeley Function Calling"]
    directions = table("leaderboards/bfcl_directions").set_index(
        ["alpha", "claims", "categories", "models"]
    )
    without_relevance = directions.loc[
        (0.05, "jointly", "without relevance", "all"), ["lower", "both"]
    ].sum()
    pairs_of_models, pairs_where_lower_wins = calls["pairs"], calls["lower"] + calls["both"]
    return readme.numbers() | locals()
