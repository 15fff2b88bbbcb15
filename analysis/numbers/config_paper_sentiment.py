"""Numbers of config/paper/sentiment.md."""

from analysis.dror2017 import audit
from analysis.numbers.committed import agreed, both_systems, printed, table


def numbers():
    """Return what the fields of the document may name."""
    groups = table("table4_groups").set_index(["comparison", "group"])
    at = groups.loc["AE-SCL-SR-MSDA"]["at least, α = 0.05"]
    strict = groups.loc["AE-SCL-SR-MSDA"]["at least, α = 0.01"]
    sizes = groups.loc["AE-SCL-SR-MSDA"]["datasets"]
    scores = table("table4_sentiment").set_index("setup")
    counts = (
        table("table1_summary").set_index(["comparison", "alpha"]).loc[("AE-SCL-SR-MSDA", 0.05)]
    )
    paper = (
        printed("dror2017", "table1")
        .set_index(["comparison", "alpha"])
        .loc[("AE-SCL-SR-MSDA", 0.05)]
    )
    follow = agreed("AE-SCL-SR-MSDA").filter(like="k-hat")
    halved = audit.both_readings(audit.columns_of("config/paper.yaml"), [0.05, 0.01])
    halved = halved.set_index("Comparison").loc["AE-SCL-SR-MSDA"]
    (both,) = both_systems("AE-SCL-SR-MSDA")
    ahead = scores["AE-SCL-SR"] > scores["MSDA"]
    named_as_counted = (
        scores["Holm"].notna().sum()
        if scores["Holm"].notna().sum() == counts["k_bonferroni"]
        else None
    )
    msda_leads_alone = (~ahead).sum() if not ahead["E → B"] else None
    return locals()
