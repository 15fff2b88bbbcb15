"""Numbers of notebooks/open_study.ipynb."""

from analysis.numbers.committed import amount, neighbouring_parsers, printed, table


def numbers():
    """Return what the fields of the document may name."""
    counts = table("open/table1_summary").set_index(["comparison", "alpha"])
    words = counts.loc[("GloVe vs W2V", 0.05)]
    close = counts.loc[("spaCy large vs small", 0.01)]
    sentiment = counts.loc[("AE-SCL-SR vs mSDA", 0.05)]
    pairs = table("open/all_pairs").query("alpha == 0.05").set_index(["family", "claims"])
    neighbours = neighbouring_parsers()
    parsers = pairs.loc[("Parsers on English domains", "jointly")]
    one_by_one = pairs.loc[("Parsers on English domains", "one by one")]
    applications = amount(
        printed("dror2017", "section6_1").set_index("quantity")["printed"]["applications"]
    )
    domains_counted_on_none = (
        sentiment["datasets"] if sentiment[sentiment["recommended"]] == 0 else None
    )
    parsers_nearly_all_apart = (
        parsers["systems"] if one_by_one["somewhere"] > 0.99 * one_by_one["pairs"] else None
    )
    return locals()
