"""Numbers of config/paper/summary.md."""

from analysis.numbers.committed import table


def numbers():
    """Return what the fields of the document may name."""
    audited = table("audit").set_index("item")
    counts = audited.loc[["Table 1", "footnote 13"]].query("claim.str.contains('k-hat')")
    differs = counts[counts["verdict"] != "reproduced"]
    tagging = (
        table("table1_summary").set_index(["comparison", "alpha"]).loc[("MIMICK-Char→Tag", 0.05)]
    )
    directions = table("table3_both_directions")["estimate"].str.split(" of ")
    return locals()
