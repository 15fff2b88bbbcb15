"""Numbers of notebooks/gorman_standard_splits.ipynb."""

from analysis.gorman2019 import splits
from analysis.numbers.committed import amount, parameter, printed, settings, table


def numbers():
    """Return what the fields of the document may name."""
    recalled = printed("gorman2019", "text").set_index("quantity")["printed"]
    taggers = printed("gorman2019", "table2")["tagger"]
    n_pairs = len(taggers) * (len(taggers) - 1) / 2
    recalled_without = {
        "Penn Treebank": 0,  # the claim of OntoNotes's one pair says: none on the Penn Treebank
        "OntoNotes": int(recalled["OntoNotes: comparisons without significance"]),
    }
    level = parameter("gorman_standard_splits", "level")
    ranks = printed("gorman2019", "table2")[
        ["PTB token replicated", "PTB OOV", "PTB sentence"]
    ].rank()
    every = table("open/gorman_table3_all_pairs").set_index(["dataset", "comparison"])
    n_splits = settings("splits")["splits"]
    returned = table("open/gorman_section3_2_rankings").set_index(["dataset", "metric"])[
        "same order"
    ]
    ranges = table("open/gorman_figure1_ranges").query(
        "metric == 'token' and tagger != 'oracle ensemble'"
    )
    unknown = table("open/gorman_section4_unknown_words")
    metrics = splits.METRICS
    expected_within = splits.expected_within
    collins_ahead = every.xs("perceptron vs. Collins", level="comparison")["significant"].min()
    tnt_and_perceptron_differ = (
        every["significant"]["PTB", "TnT vs. perceptron"]
        + every["significant behind"]["PTB", "TnT vs. perceptron"]
    )
    most_by_unknown_words = (
        unknown["by unknown words"].map(amount) > unknown["random minus standard"].map(amount) / 2
    ).all()
    best = ranges.sort_values("standard split").groupby("dataset")["tagger"].last()
    network_ahead = every.xs("Collins vs. spaCy", level="comparison")["significant"]
    return locals()
