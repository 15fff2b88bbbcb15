"""Numbers of config/open/open_study.md."""

import numpy as np

from analysis.numbers.committed import (
    bounds_of,
    comparison,
    family,
    outcomes,
    result,
    table,
)
from replicability.core import findings


def numbers():
    """Return what the fields of the document may name."""
    back = findings.find_both(
        comparison("open", "aesclsr_msda_reviews"), result("open", "aesclsr_msda_reviews"), 0.05
    )[1]
    systems = outcomes("treebanks.csv").groupby("edition")["system"].nunique()
    counts = table("open/table1_beside_published").set_index(["study", "comparison", "alpha"])
    all_pairs = table("open/all_pairs").set_index(["family", "claims", "alpha"])
    parsers = all_pairs.loc[("Parsers on English domains", "jointly", 0.05)]
    one_by_one = all_pairs.loc[("Parsers on English domains", "one by one", 0.05)]
    matrix = bounds_of("open/all_pairs_parsers", True).to_numpy()
    below = matrix[np.tril_indices(len(matrix), -1)]
    taggers = all_pairs.loc[("Taggers on languages", "jointly", 0.05)]
    tagging = outcomes("tagging.parquet").query(
        "dataset in @kept", local_dict={"kept": family("taggers").datasets}
    )
    right = tagging.pivot(index=["dataset", "instance"], columns="system", values="upos")[
        list(family("taggers").systems)
    ]
    same = [s for s in right if (right[s] == right["baseline"]).all()]
    different = right.shape[1] - len(same) + 1
    k = family("taggers").joint_counts(0.05)
    tied = [{a, b} for a in k for b in k if a < b and k.loc[a, b] == 0 == k.loc[b, a]]
    own = family("own_parsers")
    own_k = own.joint_counts(0.05)
    own_counts = all_pairs.loc["The paper's parsers and six more"].xs(0.05, level="alpha")
    labelled = family("own_parsers_labelled")
    labelled_k = labelled.joint_counts(0.05)
    behind = {"SpaCy", "GN13", "LTDP"}
    front = set(own.systems) - behind
    heads = outcomes("dependable.parquet").query("dataset.str.contains('UAS')")
    attached = heads.groupby("system")["right"].sum() / heads.groupby("system")["words"].sum()
    sample = heads.pivot(index=["dataset", "instance"], columns="system", values="right")
    alike = [
        labelled.flips.of(i, j).correlations[[0, 1], [2, 3]] for i in range(8) for j in range(i)
    ]
    parsers_beside_three = len(set(own.systems) - {"Mate", "Redshift", "SpaCy"})
    ltdp_words_matched = (
        attached["LTDP, words matched"]
        if attached["LTDP"] < attached["GN13"] < attached["LTDP, words matched"]
        else None
    )
    labelled_parsers = (
        len(labelled.systems) if set(own.systems) - set(labelled.systems) == {"LTDP"} else None
    )
    least_alike = np.min(alike)
    most_alike = np.max(alike)
    separated_jointly = (
        own_counts["somewhere"]["jointly"]
        if {(a, b) for a in own.systems for b in own.systems if own_k.loc[a, b]}
        == {(a, b) for a in front for b in behind}
        else None
    )
    labelled_separated_jointly = (
        int((labelled_k > 0).sum().sum())
        if {(a, b) for a in labelled.systems for b in labelled.systems if labelled_k.loc[a, b]}
        == {(a, b) for a in front for b in behind - {"LTDP"}}
        else None
    )
    sentiment_all_agree = (
        counts.loc[("open", "mSDA vs LR", 0.05)].filter(like="k_").dropna().unique().tolist()[0]
        if not counts.loc[("open", "AE-SCL-SR vs mSDA", 0.05)].filter(like="k_").any()
        else None
    )
    rows_below_bonferroni = (
        (counts["k_fisher"] < counts["k_bonferroni"]).groupby("comparison").any().sum()
    )
    of_the_seven = [{"ParisNLP", system} for system in same]
    ties_of_different = (
        2
        if [pair for pair in tied if not pair <= set(same) and pair not in of_the_seven]
        == [{"CUNI-x-ling", "IBM-NY"}]
        and all(pair in tied for pair in of_the_seven)
        else None
    )
    count_exceeds_claim = (
        counts["k_count"]["open", "GloVe vs W2V", 0.05]
        > counts["k_bonferroni"]["open", "GloVe vs W2V", 0.05]
    )
    known_units_help = (
        counts["k_joint_sum"]["open", "HIT-SCIR vs LATTICE", 0.05]
        > counts["k_bonferroni"]["open", "HIT-SCIR vs LATTICE", 0.05]
    )
    fisher_exceeds_count = (
        counts["k_fisher"]["open", "CRF vs perceptron", 0.01]
        > counts["k_count"]["open", "CRF vs perceptron", 0.01]
    )
    flips_are_recommended = back.recommended == "joint_sum" and back.k >= back.counts["bonferroni"]
    sizes_gain_most = (counts["k_fisher"] - counts["k_count"]).loc["open"].idxmax() == (
        "spaCy large vs small",
        0.01,
    )
    agree_far_ahead = (
        counts.loc["open"].loc[["HIT-SCIR vs HUJI", "mSDA vs LR"]].filter(like="k_").T.nunique()
        == 1
    )
    msda_behind = counts.loc[("open", "AE-SCL-SR vs mSDA", 0.05)].filter(like="k_")
    return locals()
