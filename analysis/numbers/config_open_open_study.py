"""Numbers of config/open/open_study.md."""

import numpy as np

from analysis.numbers.committed import (
    comparison,
    family,
    neighbouring_parsers,
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
    parsers = all_pairs.loc[("Parsers on English domains", "one by one", 0.05)]
    plane = (
        table("open/all_pairs_parsers")
        .iloc[:, 1:]
        .map(lambda cell: int(str(cell).split()[0]) if isinstance(cell, str) else 0)
        .to_numpy()
    )
    below = plane[np.tril_indices(len(plane), -1)]
    parsers_jointly = all_pairs.loc[("Parsers on English domains", "jointly", 0.05)]
    taggers = all_pairs.loc[("Taggers on languages", "one by one", 0.05)]
    tagging = outcomes("tagging.parquet").query(
        "dataset in @kept", local_dict={"kept": family("taggers").datasets}
    )
    right = tagging.pivot(index=["dataset", "instance"], columns="system", values="upos")[
        list(family("taggers").systems)
    ]
    same = [s for s in right if (right[s] == right["baseline"]).all()]
    different = right.shape[1] - len(same) + 1
    k = family("taggers").k_hat(0.05, "fisher")
    joint = family("taggers").k_hat(0.05 / family("taggers").n_pairs, "fisher")
    open_pairs = [{a, b} for a in k for b in k if a < b and k.loc[a, b] == 0 == k.loc[b, a]]
    own = family("own_parsers")
    own_k = {"one by one": own.counts(0.05), "jointly": own.counts(0.05 / own.n_pairs)}
    own_counts = all_pairs.loc["The paper's parsers and six more"].xs(0.05, level="alpha")
    labelled = family("own_parsers_labelled")
    labelled_k = labelled.counts(0.05 / labelled.n_pairs)
    behind = {"SpaCy", "GN13", "LTDP"}
    front = set(own.systems) - behind
    heads = outcomes("dependable.parquet").query("dataset.str.contains('UAS')")
    attached = heads.groupby("system")["right"].sum() / heads.groupby("system")["words"].sum()
    sample = heads.pivot(index=["dataset", "instance"], columns="system", values="right")
    alike = [
        labelled.flips.of(i, j).correlations[[0, 1], [2, 3]] for i in range(8) for j in range(i)
    ]
    parsers_beside_three = len(set(own.systems) - {"Mate", "Redshift", "SpaCy"})
    front_beats_behind = (
        len(front)
        if (own_k["one by one"].loc[list(front), list(behind)] == 2).all(axis=None)
        and own_k["one by one"].loc["Turbo", "Mate"]
        == own_k["one by one"].loc["Mate", "Turbo"]
        == 0
        else None
    )
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
        if {(a, b) for a in own.systems for b in own.systems if own_k["jointly"].loc[a, b]}
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
    others_per_equal_system = len([p for p in open_pairs if not p <= set(same)]) / len(same)
    open_one_by_one = (
        len(open_pairs) if len(open_pairs) == taggers["pairs"] - taggers["somewhere"] else None
    )
    open_among_equal = len([p for p in open_pairs if p <= set(same)])
    open_against_parisnlp = len(
        [p for p in open_pairs if "ParisNLP" in p and p - {"ParisNLP"} <= set(same)]
    )
    neighbours = neighbouring_parsers()
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
