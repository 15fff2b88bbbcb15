"""Numbers of config/paper/pos_tagging.md."""

from analysis.numbers.committed import both_systems, names, printed, table
from replicability.stats import multiple_testing


def numbers():
    """Return what the fields of the document may name."""
    groups = table("table3_groups").set_index(["comparison", "group"])
    at = groups.loc["MIMICK-Char→Tag"]["at least, α = 0.05"]
    strict = groups.loc["MIMICK-Char→Tag"]["at least, α = 0.01"]
    sizes = groups.loc["MIMICK-Char→Tag"]["datasets"]
    two, leader = both_systems("MIMICK-Char→Tag")
    scores = printed("dror2017", "table3").set_index("language")
    p = scores["p-value"]
    mimick = scores["MIMICK"] > scores["Char→Tag"]
    counts = (
        table("table1_summary").set_index(["comparison", "alpha"]).loc[("MIMICK-Char→Tag", 0.05)]
    )
    marked = table("table3_pos_tagging").set_index("language")["Holm"].notna()
    directions = table("table3_both_directions")
    one_sided = [p.where(mimick, 1 - p), p.where(~mimick, 1 - p)]
    named = [set(p.index[multiple_testing.identify(q, 0.025)]) for q in one_sided]
    small_but_behind = ((p <= 0.05) & ~mimick).sum()
    marked_but_behind = (marked & ~mimick).sum()
    same_named_languages = (
        sum(map(len, named))
        if named == [set(names(cell)) for cell in directions["identified"]]
        else None
    )
    return locals()
