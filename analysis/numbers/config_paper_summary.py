"""Numbers of config/paper/summary.md."""

from analysis.dror2017 import audit
from analysis.numbers.committed import both_systems, table


def numbers():
    """Return what the fields of the document may name."""
    rows = table("audit").set_index("item")
    counts = rows.loc[["Table 1", "footnote 13"]].query("claim.str.contains('k-hat')")
    differs = counts[counts["verdict"] != "agrees"]
    tagging = (
        table("table1_summary").set_index(["comparison", "alpha"]).loc[("MIMICK-Char→Tag", 0.05)]
    )
    two, leader = both_systems("MIMICK-Char→Tag")
    halved = audit.both_readings(audit.columns_of("config/paper.yaml"), [0.05])
    halved = halved.set_index("Comparison").loc["AE-SCL-SR-MSDA"]
    sentiment, printed_sentiment = halved["A, two-sided"], halved["as printed"]
    directions = table("table3_both_directions")["estimate"].str.split(" of ")
    asked = table("section7_three_questions").set_index("comparison")
    ahead, named = asked["A ahead"], asked["named"]
    population = asked["p, population (Wilcoxon)"].astype(float)
    return locals()
