"""Numbers of config/open/gorman_error_analysis.md."""

from analysis.gorman2019 import agreement, splits
from analysis.numbers.committed import amount, settings, table


def numbers():
    """Return what the fields of the document may name."""
    kinds = table("open/gorman_section3_4_kinds")
    spread = table("open/gorman_section3_4_disagreement")
    counts = spread[["with disagreement", "sentences"]].map(amount)
    taggers = [t["name"] for t in settings("splits")["taggers"]]
    sentences = agreement.sentences(agreement.read("data/outcomes/splits_tags.parquet"))
    disputed = sentences[sentences["disagreed"] > 0]
    medium = (
        disputed.query("dataset == 'MASC' and 11 <= words <= 20")
        .groupby("verbless")["alpha"]
        .median()
    )
    lowest = table("open/gorman_section3_4_lowest").set_index(["dataset", "sentence"])
    masc = lowest.loc["MASC"].fillna("")
    names_row = lowest.loc[("MASC", "written/wildelifewatch1/33")]
    differing = sum(
        a != b
        for tagger in taggers
        for a, b in zip(names_row[tagger].split(), names_row["Gold"].split(), strict=True)
    )
    confusions = table("open/gorman_section3_4_confusions")
    ranked = {d: t["tags"].tolist() for d, t in confusions.groupby("dataset")}
    documents = (
        agreement.documents(sentences, splits.read("data/outcomes/splits.parquet"))
        .query("dataset == 'MASC' and sentences >= 20")["document"]
        .head(6)
        .tolist()
    )
    low_alpha_without_verb = kinds[kinds["agreement"].isin(["0.5 to 0.75", "α ≤ 0.5"])][
        "without finite verb"
    ].map(amount)
    holds_on = kinds.groupby("dataset", sort=False)["without finite verb"].agg(
        lambda c: c.map(amount).is_monotonic_decreasing
    )
    two_lowest_are_headlines = set(lowest.loc["PTB"].index[:2]) == {"wsj_0178/26", "wsj_0179/41"}
    odd_strings_are_there = all(
        masc["words"].str.contains(text, regex=False).any()
        for text in ("http", "718-888-4DTV", "quis velit")
    )
    lead = [tags[:2] == ["JJ / NN", "VBD / VBN"] for tags in ranked.values()]
    noun_is_right_mostly = (
        confusions.query("dataset == 'MASC'")
        .set_index("tags")["gold is the second"]
        .map(amount)["CD / NN"]
        > 0.5
    )
    kinds_of_documents = {
        "written/lw1",
        "written/united1",
        "written/ucb8",
        "written/vampires",
        "written/wwf12",
    } < set(documents)
    return locals()
