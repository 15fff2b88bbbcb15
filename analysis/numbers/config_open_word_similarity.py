"""Numbers of config/open/word_similarity.md."""

from analysis.numbers.committed import comparison, outcomes, table


def numbers():
    """Return what the fields of the document may name."""
    scores = table("open/table5_word_similarity").set_index("dataset")
    difference = scores["GloVe"] - scores["W2V-CBOW"]
    named = set(scores.index[scores["named"].notna()])
    similarity = comparison("open", "glove_w2v").groups["similarity"]
    others = sorted(set(scores.index) - named)
    covered = outcomes("coverage.csv").set_index("dataset")
    unnamed_ask_for_similarity = set(others) <= set(similarity) and set(others) <= set(
        scores["n"].nsmallest(4).index
    )
    return locals()
