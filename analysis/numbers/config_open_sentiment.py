"""Numbers of config/open/sentiment.md."""

from analysis.numbers.committed import claims, comparison, outcomes, printed, result, table
from replicability.core import findings


def numbers():
    """Return what the fields of the document may name."""
    scores = table("open/table4_sentiment").set_index("dataset")
    published = printed("dror2017", "table4")[["AE-SCL-SR", "MSDA"]].astype(float)
    unadapted = (
        100 * outcomes("sentiment_reviews.parquet").query("system == 'LR'")["correct"].mean()
    )
    reviews = result("open", "aesclsr_msda_reviews")
    back = findings.find_both(comparison("open", "aesclsr_msda_reviews"), reviews, 0.05)[1]
    groups = table("open/table4_groups").set_index(["comparison", "group"]).loc["mSDA vs LR"]
    nothing_found = claims("aesclsr_msda_reviews", 0.05).k == 0
    msda_wins_everywhere = claims("msda_lr_features", 0.05).identified.all()
    near_its_published_accuracy = (
        abs(100 * published["AE-SCL-SR"].mean() - reviews["score_a"].mean()) < 0.5
    )
    return locals()
