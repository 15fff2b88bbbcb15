"""Numbers of notebooks/gorman_error_analysis.ipynb."""

from analysis.gorman2019 import agreement
from analysis.numbers.committed import amount, printed, table


def numbers():
    """Return what the fields of the document may name."""
    tags = printed("gorman2019", "table4").set_index("row").astype(str)
    quantities = printed("gorman2019", "text").set_index("quantity")["printed"]
    printed_alpha = float(quantities["Krippendorff's alpha"])
    spread = table("open/gorman_section3_4_disagreement").set_index("dataset")
    kinds = table("open/gorman_section3_4_kinds")
    lowest = kinds.groupby("dataset").head(1)
    disputed = kinds.drop(lowest.index)["proper noun or not"].map(amount)
    verbless = kinds.groupby("dataset", sort=False)["without finite verb"].agg(
        lambda c: c.map(amount).is_monotonic_decreasing
    )
    confusions = table("open/gorman_section3_4_confusions").groupby("dataset")["tags"].agg(list)
    alpha = agreement.alpha
    words_in_dispute = spread["words disagreed on"].map(lambda cell: amount(cell, 1)).max()
    a_quarter_by_tag = (
        0.2 < disputed.max() < 0.265
        and (lowest["proper noun or not"].map(amount) > 0.5).all()
        and lowest["sentences"].sum() <= 6
    )
    same_confusions_lead = all(tags[:2] == ["JJ / NN", "VBD / VBN"] for tags in confusions)
    return locals()
