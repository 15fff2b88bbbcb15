"""Numbers of config/paper/dependency_parsing.md."""

from analysis.numbers.committed import printed, table


def numbers():
    """Return what the fields of the document may name."""
    groups = table("table2_groups").set_index(["comparison", "group"])
    at = groups.loc["Mate-Redshift"]["at least, α = 0.05"]
    strict = groups.loc["Mate-Redshift"]["at least, α = 0.01"]
    sizes = groups.loc["Mate-Redshift"]["datasets"]
    scores = table("table2_dependency_parsing").set_index("domain")
    counts = table("table1_summary").set_index(["comparison", "alpha"])
    p = scores["p-val (Mate,Redshift)"]
    used = printed("dror2017", "section6_2").set_index("quantity")["printed"]
    about = printed("dror2017", "section6_1").set_index("quantity")["printed"]
    mate_leads_both = (
        (scores["Mate"] > scores["SpaCy"]) & (scores["Mate"] > scores["Redshift"])
    ).sum()
    return locals()
