"""Numbers of config/open/adaptation.md."""

import pandas as pd

from analysis import paths
from analysis.numbers.committed import comparison, printed, result, table
from replicability.core import findings


def numbers():
    """Return what the fields of the document may name."""
    counts = pd.read_csv(paths.ROOT / "data/outcomes/sentiment_variants.csv")
    whole = 100 * counts.query("variant == 'all'").groupby("system")["correct"].sum() / 24000
    published = 100 * printed("dror2017", "table4")[["AE-SCL-SR", "MSDA"]].astype(float).mean()
    each = table("open/adaptation_published").set_index("dataset").drop("mean")
    sizes = table("open/adaptation_sizes")
    of_both = sizes[["AE-SCL-SR", "mSDA"]].dropna()
    more_text_helps = list(of_both.iloc[-1] > of_both.iloc[0])
    seeds = table("open/adaptation_seeds").set_index("dataset").drop("mean")
    parts = table("open/adaptation_parts").set_index("system")
    learnt = parts.loc["decoder learnt, no word vectors"]
    reviews = result("open", "aesclsr_msda_reviews")
    back = findings.find_both(comparison("open", "aesclsr_msda_reviews"), reviews, 0.05)[1]
    kept = table("open/adaptation_text").set_index("domain")["reviews"]
    return locals()
