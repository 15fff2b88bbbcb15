"""Numbers of notebooks/open_study.ipynb."""

import numpy as np

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
    applications = amount(
        printed("dror2017", "section6_1").set_index("quantity")["printed"]["applications"]
    )
    far_ahead = counts.loc[["HIT-SCIR vs HUJI", "mSDA vs LR"]].filter(like="k_").to_numpy()
    agree_far_ahead = [np.nanmin(row) == np.nanmax(row) for row in far_ahead]
    return locals()
