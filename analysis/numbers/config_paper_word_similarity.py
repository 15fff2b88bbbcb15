"""Numbers of config/paper/word_similarity.md."""

from analysis.dror2017.audit import orders_of_table5
from analysis.numbers.committed import both_systems, table


def numbers():
    """Return what the fields of the document may name."""
    groups = table("table5_groups").set_index(["comparison", "group"])
    at = groups.loc["W2V-GloVe"]["at least, α = 0.05"]
    strict = groups.loc["W2V-GloVe"]["at least, α = 0.01"]
    sizes = groups.loc["W2V-GloVe"]["datasets"]
    scores = table("table5_word_similarity").set_index("dataset")
    audited = table("audit").query("paper == 'Dror et al. 2017' and item == 'Table 5'")
    two, leader = both_systems("W2V-GloVe")
    orders = orders_of_table5(0.05)
    directions = table("table5_both_directions").set_index("claim")
    return locals()
